/**
 * Several servers behind nginx on one database, ended in turn while people write through the proxy and watch the board:
 * `npm run instances [servers] [kills]`. Every write must be answered as if nothing had happened, be there once, and every
 * board must end up the same.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/running/embedded-postgres.ts'
import { brokenInvariants } from '../server/test/invariants.ts'
import { differences, entryOf, exitOf, headersOf, kill, orderOf, type Person, Product, staff } from './product.ts'

const LANES = 6
const WATCHERS = 6
const CONFIG = join(import.meta.dirname, '../docs/several-servers.conf')
const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'].find(existsSync)

const many = Number(process.argv[2] ?? 3)
const kills = Number(process.argv[3] ?? many * 2)
const port = Number(process.env.PORT ?? 3280)

/** The file of docs/, with as many servers as there are, where they are. */
async function startProxy(folder: string): Promise<ChildProcess> {
  if (!NGINX) throw new Error('nginx is not installed')
  const server = /^ *server 127\.0\.0\.1:3001 (.*)$/m
  const said = await fs.readFile(CONFIG, 'utf8')
  const [, options] = server.exec(said)!
  const lines = Array.from({ length: many }, (_, i) => `  server 127.0.0.1:${port + 1 + i} ${options}`)
  const site = said
    .replace(/^ *server 127\.0\.0\.1:300[23] .*\n/gm, '')
    .replace(server, lines.join('\n'))
    .replace('listen 127.0.0.1:3000', `listen 127.0.0.1:${port}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${folder}/${name};`,
  )
  const whole = `daemon off;\nworker_processes 1;\npid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents { worker_connections 2048; }\nhttp {\n  access_log off;\n${temporary.join('\n')}\n${site}\n}\n`
  const file = join(folder, 'nginx.conf')
  await fs.writeFile(file, whole)
  return spawn(NGINX, ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** As a browser with the board open: hears, asks again, and comes back when its line breaks. */
class Watcher {
  board = ''
  #asked = 0
  #asking = false
  #stopped = false
  readonly #who: Person
  readonly #front: Product

  constructor(front: Product, who: Person) {
    this.#front = front
    this.#who = who
    void this.#follow()
  }

  async #refresh() {
    this.#asked += 1
    if (this.#asking) return
    this.#asking = true
    for (let done = 0; done !== this.#asked; ) {
      done = this.#asked
      const answer = await boardOf(this.#front, this.#who).catch(() => undefined)
      if (answer) this.board = answer
      else {
        this.#asked += 1
        await sleep(200)
      }
    }
    this.#asking = false
  }

  async #follow() {
    while (!this.#stopped) {
      await new Promise<void>((resolve) => {
        const options = { port, host: '127.0.0.1', path: '/api/v1/live', headers: headersOf(this.#who), agent: false }
        const asking = request(options as object, (response) => {
          void this.#refresh()
          response.on('data', (text: Buffer) => text.includes('data: ') && void this.#refresh())
          response.on('error', () => resolve())
          response.on('close', () => resolve())
        })
        asking.on('error', () => resolve())
        asking.end()
      })
      await sleep(500)
    }
  }

  stop() {
    this.#stopped = true
  }
}

async function boardOf(server: Product, who: Person): Promise<string> {
  const path = `http://127.0.0.1:${server.port}/api/v2/order_workers_by_group`
  const answer = await fetch(path, { headers: headersOf(who), signal: AbortSignal.timeout(30_000) })
  if (!answer.ok) throw new Error(`the board answered ${answer.status}`)
  const groups = (await answer.json()) as Record<string, { data: { id: number }[] }>
  return JSON.stringify(Object.entries(groups).map(([name, { data }]) => [name, data.map(({ id }) => id)]))
}

const folder = await fs.mkdtemp(join(tmpdir(), 'maestranza-instances-'))
await fs.chmod(folder, 0o755)
const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), { connections: 200 })
process.env.DATABASE_URL = postgres.url
process.env.FILES_DIR = join(folder, 'files')
process.env.SEAL_KEY = randomBytes(24).toString('hex')
process.env.TRUST_PROXY = '1'
const servers: Product[] = []
const front = await Product.make(port)
const acknowledged = new Map<string, string>()
const failed: string[] = []
let writing = true
let moves = 0

async function write(who: Person, mark: string, holds: string, path: string, body: object) {
  const answer = await front
    .ask({ method: 'POST', path, who, key: mark, body }, 30_000)
    .catch((error: Error) => ({ status: 0, text: error.message }))
  if (answer.status === 201) acknowledged.set(mark, holds)
  else failed.push(`POST ${path} answered ${answer.status} ${answer.text.slice(0, 200)}`)
  return answer
}

async function work(who: Person, lane: number) {
  for (let n = 0; writing; n++) {
    const mark = `K-${lane}-${n}`
    if (n % 3 === 0) await write(who, mark, 'entry 2', '/v1/transaction', entryOf(who, mark))
    else if (n % 3 === 1) await write(who, mark, 'exit 2', '/v1/transaction', exitOf(who, mark))
    else {
      const made = await write(who, mark, 'order 2', '/v1/order_workers', orderOf(who, mark))
      if (made.status !== 201) continue
      const { id } = JSON.parse(made.text) as { id: number }
      const path = `/v1/update_status/${id}`
      const moved = await front
        .ask({ method: 'PUT', path, who, body: { status: n % 2 ? 'IN_REVIEW' : 'IN_PROCESS' } }, 30_000)
        .catch((error: Error) => ({ status: 0, text: error.message }))
      moves += 1
      if (moved.status !== 200) failed.push(`PUT ${path} answered ${moved.status} ${moved.text.slice(0, 200)}`)
    }
  }
}

let proxy: ChildProcess | undefined
const problems: string[] = []
const begin = Date.now()
try {
  for (let i = 0; i < many; i++) {
    const server = await Product.make(port + 1 + i)
    servers.push(server)
    server.start()
    // The first one loads the demonstration.
    if (i === 0) await server.untilHealthy()
  }
  await Promise.all(servers.map((server) => server.untilHealthy()))
  proxy = await startProxy(folder)
  for (let tries = 0; !(await front.isHealthy()); tries++) {
    if (tries > 100)
      throw new Error(`the proxy does not answer: ${await fs.readFile(join(folder, 'error.log'), 'utf8')}`)
    await sleep(100)
  }
  const owner = new pg.Pool({ connectionString: postgres.url, max: 2 })
  owner.on('error', () => {})
  const people = await staff(front, owner, 1, LANES + WATCHERS)
  const watchers = people.slice(LANES).map((who) => new Watcher(front, who))
  const lanes = people.slice(0, LANES).map(work)
  for (let n = 0; n < kills; n++) {
    const server = servers[n % many]!
    await server.untilStanding()
    await sleep(1000)
    const { serving, next, parents } = await server.processes()
    // In turn: what serves alone, and all of it, which is then started again.
    const whole = Math.floor(n / many) % 2 === 1
    kill(whole ? [...parents, serving, next] : [serving])
    const since = Date.now()
    if (whole) {
      await server.ended()
      server.start()
    }
    await sleep(500)
    await server.untilHealthy()
    console.log(
      `${n + 1}/${kills} server ${1 + (n % many)}${whole ? ' whole' : ''}: back in ${((Date.now() - since) / 1000).toFixed(1)} s; ` +
        `${acknowledged.size} writes and ${moves} moves answered, ${failed.length} failed`,
    )
  }
  writing = false
  await Promise.all(lanes)
  // Longer than it takes to see that one ended.
  await sleep(8000)
  const [who] = people
  const boards = await Promise.all(servers.map((server) => boardOf(server, who!)))
  const seen = [...boards, ...watchers.map(({ board }) => board)]
  const same = seen.filter((board) => board === boards[0]).length
  console.log(`${same} of ${seen.length} boards are the same`)
  if (same < seen.length) problems.push(`${seen.length - same} boards differ`)
  for (const watcher of watchers) watcher.stop()
  problems.push(...(await differences(owner, acknowledged)), ...(await brokenInvariants(owner)), ...failed)
  await owner.end()
} catch (error) {
  problems.push(String(error))
}
proxy?.kill('SIGQUIT')
if (proxy && proxy.exitCode === null) await Promise.race([once(proxy, 'exit'), sleep(3000)])
proxy?.kill('SIGKILL')
for (const server of servers) await server.stop().catch((error: Error) => problems.push(error.message))
for (const server of [...servers, front]) await server.remove()
await postgres.stop('immediate')
if (problems.length > 0) {
  console.error(`Instances failed, data in ${folder}:\n${problems.slice(0, 20).join('\n')}`)
  process.exit(1)
}
await fs.rm(folder, { recursive: true, force: true })
console.log(
  `Instances: ${many} servers, ${kills} kills, ${acknowledged.size} writes and ${moves} moves, 0 failed, each there once, ` +
    `${Math.round((Date.now() - begin) / 1000)} s`,
)
process.exit()
