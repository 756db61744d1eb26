import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { within } from '../../../test/listen.ts'
import { StartProblem } from '../problems.ts'
import { type EmbeddedPostgres, lockInstance, startEmbeddedPostgres } from './embedded-postgres.ts'

const root = await fs.mkdtemp(join(tmpdir(), 'maestranza ñ-'))
await fs.chmod(root, 0o755)
const folder = join(root, 'uno')
const data = join(folder, 'cluster', 'data')
const pidFile = join(data, 'postmaster.pid')
const children: ChildProcess[] = []
let last: EmbeddedPostgres | undefined

const open = async (where = folder) => {
  last = await startEmbeddedPostgres(where, { fsync: false })
  return last
}
const query = async (url: string, text: string) => {
  const client = new pg.Client(url)
  await client.connect()
  return client.query(text).finally(() => client.end())
}
const serverPid = async () => Number((await fs.readFile(pidFile, 'utf8')).split('\n')[0])

/** A process of its own that opens the database, says its pid and stays. */
async function openElsewhere() {
  const module = join(import.meta.dirname, 'embedded-postgres.ts')
  const code = `import { startEmbeddedPostgres } from ${JSON.stringify(module)}
    const { url } = await startEmbeddedPostgres(${JSON.stringify(folder)}, { fsync: false })
    console.log(url)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [url] = await within('the other process opens the database', once(child.stdout!, 'data'))
  return { child, url: String(url).trim() }
}

beforeAll(async () => {
  const { url, stop } = await open()
  await query(url, 'create table kept (id int)')
  await query(url, 'insert into kept values (1)')
  await stop()
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await last?.stop('immediate')
})
afterAll(() => fs.rm(root, { recursive: true, force: true }))

it('keeps its rows over a restart, sorts in Spanish and listens only on its own folder', async () => {
  const { url } = await open()
  expect((await query(url, 'select * from kept')).rows).toEqual([{ id: 1 }])
  const sorted = await query(url, `select string_agg(x, '' order by x) as x from unnest('{o,ñ,n,á,b}'::text[]) x`)
  expect(sorted.rows[0].x).toBe('ábnño')
  expect((await query(url, 'show listen_addresses')).rows[0].listen_addresses).toBe('')
  expect((await fs.stat(join(folder, 'cluster', 'password'))).mode & 0o777).toBe(0o600)
  await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password')
})

it('stops the server and leaves no pid file', async () => {
  const { url, stop } = await open()
  await stop()
  await expect(query(url, 'select 1')).rejects.toThrow()
  await expect(serverPid()).rejects.toThrow('ENOENT')
})

it('adopts the server that a killed process left running', async () => {
  const elsewhere = await openElsewhere()
  const before = await serverPid()
  elsewhere.child.kill('SIGKILL')
  const { url } = await open()
  expect(url).toBe(elsewhere.url)
  expect(await serverPid()).toBe(before)
})

it('starts one server for many callers at once, on a folder that does not exist yet', async () => {
  const where = join(root, 'muchos')
  const all = await Promise.all([1, 2, 3].map(() => startEmbeddedPostgres(where, { fsync: false })))
  expect(new Set(all.map(({ url }) => url)).size).toBe(1)
  expect((await fs.readdir(where)).sort()).toEqual(['cluster', 'postgres.log'])
  await all[0]!.stop()
  await expect(query(all[1]!.url, 'select 1')).rejects.toThrow()
})

it('recovers what was committed after everything was killed', async () => {
  const { url } = await open()
  await query(url, 'insert into kept values (2)')
  process.kill(await serverPid(), 'SIGKILL')
  const again = await open()
  expect((await query(again.url, 'select count(*)::int from kept')).rows[0].count).toBe(2)
})

it('replaces a pid file whose number now belongs to another process', async () => {
  await open()
  const text = await fs.readFile(pidFile, 'utf8')
  await last!.stop()
  for (const stale of [text.replace(/^\d+/, String(process.pid)), '']) {
    await fs.writeFile(pidFile, stale)
    const { url, stop } = await open()
    expect((await query(url, 'select 1 as one')).rows).toEqual([{ one: 1 }])
    await stop()
  }
})

it('waits for a server that is stopping, then starts another', async () => {
  const first = await open()
  const before = await serverPid()
  const stopped = first.stop()
  const second = await open()
  await stopped
  expect(await serverPid()).not.toBe(before)
  expect((await query(second.url, 'select 1 as one')).rows).toEqual([{ one: 1 }])
})

it('throws away a database that was only half created', async () => {
  const where = join(root, 'interrumpida')
  const half = join(where, `new-${2 ** 22 + 1}-abcd`)
  await fs.mkdir(join(half, 'data'), { recursive: true })
  await fs.writeFile(join(half, 'data', 'PG_VERSION'), '18\n')
  const { stop } = await open(where)
  expect((await fs.readdir(where)).sort()).toEqual(['cluster', 'postgres.log'])
  await stop()
})

it('listens on the loopback address where the path is too long for a socket', async () => {
  const { url } = await open(join(root, 'x'.repeat(100)))
  expect(new URL(url).search).toBe('')
  expect((await query(url, 'show listen_addresses')).rows[0].listen_addresses).toBe('127.0.0.1')
})

it('lets one instance in, and the next once the first has gone', async () => {
  const { url } = await open()
  const first = await lockInstance(url, folder)
  await expect(lockInstance(url, folder)).rejects.toThrow(
    new StartProblem(`La carpeta de datos ${folder} está en uso por otra instancia de Maestranza.`),
  )
  await first.release()
  await (await lockInstance(url, folder)).release()
})

it('says when the lock is lost with the server', async () => {
  const { url, stop } = await open()
  const lost = Promise.withResolvers<string>()
  await lockInstance(url, folder, () => lost.resolve('lost'))
  await stop('immediate')
  expect(await within('the loss of the lock is reported', lost.promise)).toBe('lost')
})

it('says in one sentence that the folder cannot be written', async () => {
  await fs.writeFile(join(root, 'archivo'), '')
  await expect(open(join(root, 'archivo', 'datos'))).rejects.toThrow(/^No se puede escribir en la carpeta de datos/)
})
