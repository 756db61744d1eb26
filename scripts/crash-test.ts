/**
 * Kills the product at random moments of a stream of writes and checks that every acknowledged write is there after
 * the next start: node scripts/run.mjs scripts/crash-test.ts [rounds] [kind of kill; all of them in turn by default]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const KINDS = ['everything', 'node', 'wrapper', 'startup'] as const
type Kind = (typeof KINDS)[number]

const rounds = Number(process.argv[2] ?? 20)
const kinds = KINDS.filter((kind) => kind === (process.argv[3] ?? kind))
const port = Number(process.env.PORT ?? 3190)
const dataDir = await fs.mkdtemp(join(tmpdir(), 'maestranza-crash-'))
await fs.chmod(dataDir, 0o755)
const acknowledged = new Set<string>()

const api = {
  async call(method: string, path: string, token?: string, body?: unknown) {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (token) headers.authorization = `Bearer ${token}`
    const url = `http://127.0.0.1:${port}/api${path}`
    return fetch(url, { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) })
  },
  healthy: () =>
    api.call('GET', '/health').then(
      (reply) => reply.status === 200,
      () => false,
    ),
  async login(): Promise<string> {
    const reply = await api.call('POST', '/v1/login', undefined, {
      email: 'admin@maestranza.demo',
      password: 'maestranza',
    })
    if (!reply.ok) throw new Error(`login answered ${reply.status}: ${await reply.text()}`)
    return ((await reply.json()) as { token: string }).token
  },
  write: async (token: string, name: string) => (await api.call('POST', '/v1/brands', token, { name })).status === 201,
  async names(token: string): Promise<Set<string>> {
    const reply = await api.call('GET', '/v1/getBrands', token)
    const { data } = (await reply.json()) as { data: { name: string }[] }
    return new Set(data.map(({ name }) => name))
  },
}

function start(): ChildProcess {
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir }
  const wrapper = join(import.meta.dirname, 'start.mjs')
  return spawn(process.execPath, [wrapper], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function untilHealthy(wrapper: ChildProcess) {
  for (const giveUp = Date.now() + 120_000; Date.now() < giveUp; await sleep(50)) {
    if (wrapper.exitCode !== null) throw new Error(`it ended with ${wrapper.exitCode} instead of starting`)
    if (await api.healthy()) return
  }
  throw new Error('it did not start in two minutes')
}

/** The wrapper, the server and PostgreSQL, wherever they hang in the process tree. */
async function processes(): Promise<{ servers: number[]; databases: number[] }> {
  const found = { servers: [] as number[], databases: [] as number[] }
  for (const name of await fs.readdir('/proc')) {
    const pid = Number(name)
    if (!pid || pid === process.pid) continue
    const read = (file: string) => fs.readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
    const [command, environment] = await Promise.all([read('cmdline'), read('environ')])
    // PostgreSQL's processes overwrite their environment, but work inside the folder.
    const folder = await fs.readlink(`/proc/${pid}/cwd`).catch(() => '')
    if (!environment.includes(`DATA_DIR=${dataDir}\0`) && !folder.startsWith(dataDir)) continue
    if (command.includes('postgres') || command.includes('initdb')) found.databases.push(pid)
    else found.servers.push(pid)
  }
  return found
}

function kill(pids: number[]) {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Gone already.
    }
  }
}

async function strike(kind: Kind, wrapper: ChildProcess) {
  const { servers, databases } = await processes()
  if (kind === 'wrapper') kill([wrapper.pid!])
  else if (kind === 'node') kill(servers)
  else kill([...servers, ...databases])
}

async function writeUntilKilled(token: string, round: number, alive: () => boolean) {
  await Promise.all(
    [1, 2, 3, 4].map(async (lane) => {
      for (let n = 1; alive(); n++) {
        const name = `C${round}-${lane}-${n}`
        if (await api.write(token, name).catch(() => false)) acknowledged.add(name)
      }
    }),
  )
}

async function round(number: number, kind: Kind) {
  const wrapper = start()
  const ended = once(wrapper, 'exit')
  if (kind === 'startup') {
    await sleep(Math.random() * 1200)
    await strike(kind, wrapper)
  } else {
    await untilHealthy(wrapper)
    const token = await api.login()
    let alive = true
    const writing = writeUntilKilled(token, number, () => alive)
    await sleep(300 + Math.random() * 1200)
    await strike(kind, wrapper)
    alive = false
    await writing
  }
  await ended
}

async function lostWrites(): Promise<string[]> {
  const wrapper = start()
  await untilHealthy(wrapper)
  const there = await api.names(await api.login())
  wrapper.kill('SIGTERM')
  const [code] = await once(wrapper, 'exit')
  if (code !== 0) throw new Error(`it ended with ${code} instead of 0`)
  return [...acknowledged].filter((name) => !there.has(name))
}

const begin = Date.now()
let failure: string | null = null
try {
  for (let number = 1; number <= rounds && !failure; number++) {
    const kind = kinds[(number - 1) % kinds.length]!
    await round(number, kind)
    const lost = await lostWrites()
    console.log(`${number}/${rounds} ${kind}: ${acknowledged.size} acknowledged, ${lost.length} lost`)
    if (lost.length > 0) failure = `lost ${lost.slice(0, 10).join(', ')}`
  }
  const left = await processes()
  if (!failure && left.databases.length + left.servers.length > 0) failure = `left running: ${JSON.stringify(left)}`
} catch (error) {
  failure = String(error)
} finally {
  const { servers, databases } = await processes()
  kill([...servers, ...databases])
}
const seconds = Math.round((Date.now() - begin) / 1000)
if (failure) {
  console.error(`Crash test failed after ${seconds} s: ${failure}. Data in ${dataDir}`)
  process.exit(1)
}
await fs.rm(dataDir, { recursive: true, force: true })
console.log(`Crash test: ${rounds} kills, ${acknowledged.size} acknowledged writes, none lost, ${seconds} s`)
