import { spawn } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('connect', () => socket.end()).on('error', () => resolve(false))
  })

/** A PgBouncer before every database of a server, that lends a connection for one transaction. Few, so that they go round. */
export async function startPooler(program: string, serverUrl: string) {
  const folder = await fs.mkdtemp(join(tmpdir(), 'maestranza-pooler-'))
  const { host, port, user, password } = new pg.Client({ connectionString: serverUrl })
  const listening = await freePort()
  const ini = `[databases]
* = host=${host} port=${port} auth_user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listening}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/users.txt
auth_query = select usename, passwd from pg_shadow where usename = $1
pool_mode = transaction
default_pool_size = 4
max_client_conn = 2000
server_idle_timeout = 5
logfile = ${folder}/pgbouncer.log
`
  await fs.writeFile(join(folder, 'users.txt'), `"${user}" "${password}"\n`)
  await fs.writeFile(join(folder, 'pgbouncer.ini'), ini)
  // It refuses to run as root; whoever may reach the server's socket is its owner.
  const { uid, gid } = host.startsWith('/') ? await fs.stat(join(host, `.s.PGSQL.${port}`)) : { uid: 65534, gid: 65534 }
  const as = process.getuid?.() === 0 ? { uid, gid } : undefined
  if (as) for (const path of ['', 'users.txt', 'pgbouncer.ini']) await fs.chown(join(folder, path), as.uid, as.gid)
  const child = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], { stdio: 'inherit', ...as })
  for (let tries = 0; !(await answers(listening)); tries++) {
    if (tries > 100) throw new Error(`${program} does not answer; see ${folder}/pgbouncer.log`)
    await sleep(50)
  }
  return {
    url: `postgres://127.0.0.1:${listening}/`,
    processes: [child.pid!],
    async stop() {
      child.kill('SIGKILL')
      await fs.rm(folder, { recursive: true, force: true })
    },
  }
}
