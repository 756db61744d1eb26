import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until, within } from '../../../test/listen.ts'

/* Starts the whole product four times, with its embedded database, and kills it: `npm run test:long` runs this. */

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

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
    await until(isHealthy)
    // The one that serves, its replacement and the database.
    const all = () => descendantsOf(started.pid!)
    await until(async () => (await all()).length >= 3)
    const below = await all()
    await kill(started)
    await until(() => ended(below))
    expect((await logOf()).trimEnd().split('\n').at(-1)).toContain('database system is shut down')
  })

  it('while it prepares the database leaves none running either', async () => {
    const { started } = await begin(dataDir)
    const isPreparing = async (pid: number) =>
      (await fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('prepare.ts')
    let below: number[] = []
    await until(async () => {
      below = await descendantsOf(started.pid!)
      const preparing = await Promise.all(below.map(isPreparing))
      return preparing.includes(true)
    })
    await kill(started)
    await until(() => ended(below))
    expect((await logOf()).trimEnd().split('\n').at(-1)).toContain('database system is shut down')
  })

  it('leaves the database to the instance that comes at once', async () => {
    const first = await begin(dataDir)
    await until(first.isHealthy)
    const below = await descendantsOf(first.started.pid!)
    const servers = (
      await Promise.all(below.map(async (pid) => [pid, await fs.readFile(`/proc/${pid}/cmdline`, 'utf8')] as const))
    )
      .filter(([, command]) => command.includes('serve.ts'))
      .map(([pid]) => pid)
    expect(servers.length).toBeGreaterThan(0)
    await kill(first.started)
    const second = await begin(dataDir)
    await until(second.isHealthy)
    await until(() => ended(servers))
    expect(await second.isHealthy()).toBe(true)
    second.started.kill('SIGTERM')
    expect(await within('it ends', once(second.started, 'exit'))).toEqual([0, null])
  })
})
