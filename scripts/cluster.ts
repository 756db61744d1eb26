/**
 * `npm run cluster -- POSTGRES [folder] [port]`: a cluster of three on this machine, for trying and for tests: a coordinator on
 * `port` (4330) and two nodes behind it. POSTGRES is where a PostgreSQL 18 with Citus 14 is installed. Whoever is on this machine
 * may enter. Ctrl-C stops it; what is in `folder` stays.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)
const NAME = 'maestranza'
const NODES = ['coordinator', 'first', 'second']
const [postgres, folder = join(tmpdir(), 'maestranza-cluster'), first = '4330'] = process.argv.slice(2)
if (!postgres) {
  console.error('A PostgreSQL with Citus is needed: npm run cluster -- /opt/postgresql')
  process.exit(1)
}
const home = resolve(folder)
const program = (name: string) => join(resolve(postgres), 'bin', name)
const portOf = (node: string) => Number(first) + NODES.indexOf(node)
const urlOf = (node: string, database: string) => `postgres://${NAME}@127.0.0.1:${portOf(node)}/${database}`
/** PostgreSQL refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

const SETTINGS = {
  shared_preload_libraries: 'citus',
  // Nobody gets told of this cluster.
  'citus.enable_statistics_collection': 'off',
  'citus.node_conninfo': 'sslmode=disable',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  max_connections: 300,
  max_prepared_transactions: 300,
  max_worker_processes: 64,
  shared_buffers: '128MB',
  fsync: 'off',
}

async function start(node: string) {
  const data = join(home, node)
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const locale = ['-E', 'UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=es-CL']
    await run(program('initdb'), ['-D', data, '-U', NAME, '--auth=trust', '--no-sync', ...locale], {
      cwd: '/',
      ...nobody,
    })
  }
  const options = Object.entries({ ...SETTINGS, port: portOf(node) }).map(([name, value]) => `-c ${name}='${value}'`)
  const how = ['start', '-w', '-D', data, '-l', join(home, `${node}.log`), '-o', options.join(' ')]
  await run(program('pg_ctl'), how, { cwd: '/', ...nobody })
}

const stop = (node: string) =>
  run(program('pg_ctl'), ['stop', '-w', '-m', 'fast', '-D', join(home, node)], { cwd: '/', ...nobody })

async function ask(node: string, database: string, ...texts: string[]) {
  const client = new pg.Client({ connectionString: urlOf(node, database) })
  await client.connect()
  try {
    for (const text of texts) await client.query(text)
  } finally {
    await client.end()
  }
}

/** The same database on every node, and the coordinator that knows the others. */
async function makeDatabase(database: string) {
  for (const node of NODES) {
    await ask(node, 'postgres', `create database ${database}`).catch((error: { code?: string }) => {
      if (error.code !== '42P04') throw error
    })
    await ask(
      node,
      database,
      'create extension if not exists citus',
      // Each node is told by itself.
      'set citus.enable_ddl_propagation = off',
      'alter function textlike(text, text) leakproof',
    )
  }
  const [coordinator, ...others] = NODES
  await ask(
    coordinator!,
    database,
    `select citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator!)})`,
    ...others.map((node) => `select citus_add_node('127.0.0.1', ${portOf(node)})`),
  )
}

await fs.mkdir(home, { recursive: true })
if (nobody.uid) await fs.chown(home, nobody.uid, nobody.gid)
const waiting = setInterval(() => {}, 60_000)
const ended = Promise.withResolvers<void>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ended.resolve())
try {
  for (const node of NODES) await start(node)
  await makeDatabase(NAME)
  console.log(`DATABASE_URL=${urlOf('coordinator', NAME)}\nCtrl-C stops it.`)
  await ended.promise
} finally {
  clearInterval(waiting)
  for (const node of NODES) await stop(node).catch((error: Error) => console.error(error.message))
}
