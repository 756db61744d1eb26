import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
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
  await until(healthy, 90_000)
}, 120_000)
afterAll(async () => {
  product.kill('SIGTERM')
  const [code] = await within('the product ends', once(product, 'exit'), 90_000)
  await fs.rm(folder, { recursive: true, force: true })
  expect(code).toBe(0)
}, 120_000)

it('replaces a server that one request broke, says which, and leaves the database running', async () => {
  const before = await database()
  await ask('/api/health?crash').catch(() => {})
  await until(() => said.includes('A deliberate crash') && said.includes('se reemplaza'), 30_000)
  expect(said).toMatch(/Error inesperado: \S+ GET \/api\/health Error: A deliberate crash/)
  await until(healthy, 30_000)
  expect(await database()).toBe(before)
})

it('tries to open a database that does not open until it does', async () => {
  const settings = join(folder, 'postgres/cluster/data/postgresql.auto.conf')
  const before = await fs.readFile(settings)
  await fs.appendFile(settings, 'no_such_setting = 1\n')
  process.kill(Number(await database()), 'SIGKILL')
  await until(() => said.includes('La base de datos no arrancó'), 30_000)
  const answer = await ask('/api/v1/setup')
  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toMatchObject([
    503,
    '5',
    { message: 'La base de datos no responde. Intente de nuevo en unos segundos.' },
  ])
  await fs.writeFile(settings, before)
  await until(healthy, 60_000)
}, 120_000)

/** Process ids of all that a process started, and of what those started. */
async function descendantsOf(pid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await fs.readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await fs.readFile(`/proc/${name}/stat`, 'latin1').catch(() => '')
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const below = (of: number): number[] =>
    [...parents].filter(([, parent]) => parent === of).flatMap(([child]) => [child, ...below(child)])
  return below(pid)
}
/** A process that ended and is not yet buried counts as ended. */
const isRunning = async (pid: number) =>
  /^State:\s+[^ZX]/m.test(await fs.readFile(`/proc/${pid}/status`, 'latin1').catch(() => ''))

const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}

describe.runIf(process.platform === 'linux')('a killed main process', () => {
  const begin = async (dataDir: string) => {
    const port = await freePort()
    const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, MAESTRANZA_EMPTY: '1' }
    const started = spawn(process.execPath, [MAIN], { env, stdio: 'ignore' })
    const isHealthy = () =>
      fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(5000) }).then(
        ({ status }) => status === 200,
        () => false,
      )
    return { started, isHealthy }
  }
  let dataDir: string
  const logOf = () => fs.readFile(join(dataDir, 'postgres/postgres.log'), 'utf8')
  const kill = async (child: ChildProcess) => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const ended = async (pids: number[]) => {
    for (const pid of pids) if (await isRunning(pid)) return false
    return true
  }
  beforeAll(async () => {
    dataDir = await fs.mkdtemp(join(tmpdir(), 'maestranza-killed-'))
    await fs.chmod(dataDir, 0o755)
  })
  afterAll(() => fs.rm(dataDir, { recursive: true, force: true }))

  it('takes its children and the embedded database with it, which is shut down and not broken off', async () => {
    const { started, isHealthy } = await begin(dataDir)
    await until(isHealthy, 90_000)
    // The one that serves, its replacement and the database.
    const all = () => descendantsOf(started.pid!)
    await until(async () => (await all()).length >= 3, 30_000)
    const below = await all()
    await kill(started)
    await until(() => ended(below), 60_000)
    expect((await logOf()).trimEnd().split('\n').at(-1)).toContain('database system is shut down')
  }, 180_000)

  it('while it prepares the database leaves none running either', async () => {
    const { started } = await begin(dataDir)
    const isPreparing = async (pid: number) =>
      (await fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('prepare.ts')
    let below: number[] = []
    await until(async () => {
      below = await descendantsOf(started.pid!)
      const preparing = await Promise.all(below.map(isPreparing))
      return preparing.includes(true)
    }, 60_000)
    await kill(started)
    await until(() => ended(below), 60_000)
    expect((await logOf()).trimEnd().split('\n').at(-1)).toContain('database system is shut down')
  }, 180_000)

  it('leaves the database to the instance that comes at once', async () => {
    const first = await begin(dataDir)
    await until(first.isHealthy, 90_000)
    const below = await descendantsOf(first.started.pid!)
    const servers = (
      await Promise.all(below.map(async (pid) => [pid, await fs.readFile(`/proc/${pid}/cmdline`, 'utf8')] as const))
    )
      .filter(([, command]) => command.includes('serve.ts'))
      .map(([pid]) => pid)
    expect(servers.length).toBeGreaterThan(0)
    await kill(first.started)
    const second = await begin(dataDir)
    await until(second.isHealthy, 90_000)
    await until(() => ended(servers), 60_000)
    expect(await second.isHealthy()).toBe(true)
    second.started.kill('SIGTERM')
    expect(await within('it ends', once(second.started, 'exit'), 60_000)).toEqual([0, null])
  }, 240_000)
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
  await expect.poll(listened, { timeout: 30_000 }).toBe(2)
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
  await within('it listens', listened, 30_000)
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
