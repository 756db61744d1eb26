import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { until, within } from '../../../test/listen.ts'
import { type Order, supervise } from './supervisor.ts'

/** The product as `npm start` runs it, on a folder and a port of its own. */

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))
const CRASHER = new URL('../../../test/crash-on-asking.ts', import.meta.url)

let folder: string
let port: number
let product: ChildProcess
let said = ''

const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5000) })
const healthy = () =>
  ask('/api/health').then(
    ({ status }) => status === 200,
    () => false,
  )
const database = async () =>
  (await fs.readFile(join(folder, 'postgres/cluster/data/postmaster.pid'), 'utf8')).split('\n')[0]

beforeAll(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), 'maestranza-supervised-'))
  await fs.chmod(folder, 0o755)
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  port = (probe.address() as { port: number }).port
  probe.close()
  product = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      MAESTRANZA_EMPTY: '1',
      NODE_OPTIONS: `--import=${CRASHER.href}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [product.stdout!, product.stderr!])
    stream.on('data', (data) => {
      said += data
    })
  await until(healthy)
})
afterAll(async () => {
  product.kill('SIGTERM')
  const [code] = await within('the product ends', once(product, 'exit'))
  await fs.rm(folder, { recursive: true, force: true })
  expect(code).toBe(0)
})

it('replaces a server that one request broke, says which, and leaves the database running', async () => {
  const before = await database()
  await ask('/api/health?crash').catch(() => {})
  await until(() => said.includes('A deliberate crash') && said.includes('se reemplaza'))
  expect(said).toMatch(/Error inesperado: \S+ GET \/api\/health Error: A deliberate crash/)
  await until(healthy)
  expect(await database()).toBe(before)
})

it('tries to open a database that does not open until it does', async () => {
  const settings = join(folder, 'postgres/cluster/data/postgresql.auto.conf')
  const before = await fs.readFile(settings)
  await fs.appendFile(settings, 'no_such_setting = 1\n')
  process.kill(Number(await database()), 'SIGKILL')
  await until(() => said.includes('La base de datos no arrancó'))
  const answer = await ask('/api/v1/setup')
  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toMatchObject([
    503,
    '5',
    { message: 'La base de datos no responde. Intente de nuevo en unos segundos.' },
  ])
  await fs.writeFile(settings, before)
  await until(healthy)
})

const ORDER: Order = {
  databaseUrl: '',
  poolUrl: null,
  host: '',
  port: 0,
  smtpUrl: null,
  address: '',
  dataDir: '',
  sealKey: '',
  trustProxy: false,
  metricsToken: null,
  tracesUrl: null,
  files: { folder: '' },
  filesDays: 1,
  filesQuota: null,
  archived: false,
  publicDemo: null,
  embedded: null,
}

it('lets a replacement take its time to get ready', async () => {
  const diary = join(folder, 'diary')
  process.env.SLOW_DIARY = diary
  const program = fileURLToPath(new URL('../../../test/slow-to-load.ts', import.meta.url))
  const supervised = supervise(
    program,
    ORDER,
    { ready: async () => {}, listening() {}, failed() {}, leaveDemo: async () => undefined },
    { silentFor: 200, readyIn: 60_000, lookEvery: 20 },
  )
  const listened = async () => (await fs.readFile(diary, 'utf8').catch(() => '')).split('listening').length - 1
  await expect.poll(listened).toBe(2)
  await supervised.stop(1000)
})

it('keeps a server whose wall clock jumps ahead', async () => {
  const diary = join(folder, 'diary-of-steps')
  process.env.SLOW_DIARY = diary
  // Not the first of its diary: this one serves until it is stopped.
  await fs.writeFile(diary, '')
  const program = fileURLToPath(new URL('../../../test/slow-to-load.ts', import.meta.url))
  let listening = () => {}
  const listened = new Promise<void>((resolve) => {
    listening = resolve
  })
  const supervised = supervise(
    program,
    ORDER,
    { ready: async () => {}, listening, failed() {}, leaveDemo: async () => undefined },
    { silentFor: 20_000, readyIn: 60_000, lookEvery: 1 },
  )
  await within('it listens', listened)
  const wall = Date.now.bind(Date)
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  let steps = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => wall() + 30_000 * steps++)
  await new Promise((resolve) => setTimeout(resolve, 2000))
  clock.mockRestore()
  // Each replacement is reported.
  expect(errors.mock.calls).toEqual([])
  errors.mockRestore()
  await supervised.stop(1000)
})
