import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { identity } from '#contract/identity/identity.ts'
import { PASSWORD } from '../server/seeds/people.ts'
import { CALLS } from './calls.ts'
import { cpuOf, memoryOf, postmasterOf } from './cpu.ts'
import { CARRIER, openData } from './data.ts'
import type { Floor } from './floor.ts'
import { type KnownCall, known, LOGIN, pathTo, record } from './record.ts'

/**
 * `npm run bench [filter,…] [--large 36] [--history 500000] [--seconds 2] [--rounds 4] [--connections 8] [--data folder]
 * [--url database]`
 *
 * Starts the product on generated data, small and large, calls it from this process, and prints each call beside its
 * floor, in the same run, taking turns: a noisy neighbour slows both. How to read it is in README.md here.
 */

const said = (name: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const option = (name: string, fallback: number) => Number(said(name) ?? fallback)
const FILTER = process.argv[2]?.startsWith('--') ? '' : (process.argv[2] ?? '')
const LARGE = option('large', CARRIER)
const SECONDS = option('seconds', 2)
const ROUNDS = option('rounds', 4)
const CONNECTIONS = option('connections', 8)
/** Arrivals a second, of reports and of others; a call may say its own. */
const [REPORT_RATE, RATE] = [5, 50]
const rateOf = ({ name, rate }: KnownCall) => rate ?? (name.startsWith('reports:') ? REPORT_RATE : RATE)
const chosen = CALLS.filter(({ name }) => FILTER.split(',').some((part) => name.includes(part)))
/** Work orders that the large size has at least. */
const HISTORY = option('history', 500_000)
/** Where data is kept from one run to the next. */
const DATA = said('data')
/** A database that has its data, measured once and told as both sizes: to see that all of this works. */
const GIVEN = said('url')

interface Measured {
  ops: number
  p50: number
  p95: number
  p99: number
  errors: number
  /** Milliseconds of processor per call, of the product and of its database; where the system tells. */
  cpu: number | undefined
}
interface Row extends Measured {
  name: string
  size: number
  /** How many the product sends in one call. */
  statements: number
  floor: Measured | undefined
  /** The 95th percentile at fifty arrivals a second. */
  arriving: number
  /** Its rows by their keys. */
  rows: Measured | undefined
  memory: number
  least: number | undefined
}
const ratioOf = ({ ops, floor }: Row) => (floor ? ops / floor.ops : undefined)

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

const running: ChildProcess[] = []
function run(script: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [here(script)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  running.push(child)
  return child
}
async function stop(child: ChildProcess) {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
async function answers(url: string) {
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(100))
    if ((await fetch(url).catch(() => undefined))?.ok) return
  throw new Error(`${url} does not answer`)
}

let requests = 0
async function load(url: string, call: KnownCall, token: string, processes: number[] = []): Promise<Measured> {
  const times: number[] = []
  const before = cpuOf(processes)
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>()
  const job = autocannon(
    {
      url,
      connections: CONNECTIONS,
      // No seconds at all: one call of each connection, and often looked whether that is done.
      ...(SECONDS > 0 ? { duration: SECONDS } : { amount: CONNECTIONS, sampleInt: 20 }),
      requests: [
        {
          method: call.endpoint.method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(call.body && {
            setupRequest: (request) => ({
              ...request,
              body: JSON.stringify(call.body!(`n ${++requests} ${process.pid}`)),
            }),
          }),
        },
      ],
    },
    (error, result) => (error ? reject(error) : resolve(result)),
  )
  job.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds))
  const result = await promise
  const after = cpuOf(processes)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return {
    ops: times.length / result.duration,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    errors: result.errors + result.non2xx,
    cpu: before === undefined || after === undefined ? undefined : (after - before) / times.length,
  }
}

/** Arrivals that do not wait for each other's answers: what 95 of 100 people wait at most. */
async function arriving(url: string, call: KnownCall, token: string) {
  const agent = new Agent({ keepAlive: true })
  const send = () =>
    new Promise<number>((resolve, reject) => {
      const began = performance.now()
      const body = call.body && JSON.stringify(call.body(`n ${++requests} ${process.pid}`))
      const sent = request(url, {
        agent,
        method: call.endpoint.method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      })
      sent.on('error', reject).on('response', (answer) => {
        answer.resume().on('end', () => resolve(performance.now() - began))
      })
      sent.end(body)
    })
  const answers: Promise<number>[] = []
  const rate = rateOf(call)
  // At least twenty, so that one slow answer is not the 95th of a hundred.
  for (const start = performance.now(); answers.length < Math.max(SECONDS > 0 ? 20 : 1, rate * SECONDS); ) {
    answers.push(send())
    await sleep(Math.max(0, start + (answers.length * 1000) / rate - performance.now()))
  }
  const times = (await Promise.all(answers)).sort((a, b) => a - b)
  agent.destroy()
  return times[Math.ceil(times.length * 0.95) - 1]!
}

const merge = (rounds: Measured[]): Measured => {
  const cpus = rounds.flatMap(({ cpu }) => cpu ?? [])
  const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  return {
    ops: median(rounds.map((r) => r.ops)),
    p50: median(rounds.map((r) => r.p50)),
    p95: median(rounds.map((r) => r.p95)),
    p99: median(rounds.map((r) => r.p99)),
    errors: rounds.reduce((sum, r) => sum + r.errors, 0),
    cpu: cpus.length > 0 ? median(cpus) : undefined,
  }
}

async function givenData(url: string) {
  const folder = await mkdtemp(join(tmpdir(), 'maestranza-bench-'))
  return { folder, url, close: () => rm(folder, { recursive: true, force: true }) }
}

async function measure(factor: number): Promise<Row[]> {
  const data = await (GIVEN ? givenData(GIVEN) : openData(factor, HISTORY, DATA))
  try {
    const calls = await known(data.url, chosen)
    const recorded = await record(data.url, calls)
    const [productPort, floorPort] = [await freePort(), await freePort()]
    const product = run('../server/src/main.ts', {
      PORT: String(productPort),
      DATABASE_URL: data.url,
      DATA_DIR: data.folder,
    })
    // More than fits into an environment.
    const told = join(data.folder, 'floor.json')
    const calling = recorded.map((call, i) => ({ ...call, table: calls[i]!.table }))
    await writeFile(told, JSON.stringify({ url: data.url, calls: calling } satisfies Floor))
    const floor = run('floor.ts', { PORT: String(floorPort), FLOOR: told })
    await answers(`http://127.0.0.1:${productPort}/api/health`)
    await answers(`http://127.0.0.1:${floorPort}/0`)
    const login = await fetch(`http://127.0.0.1:${productPort}/api${identity.login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: LOGIN, password: PASSWORD }),
    })
    const { token } = (await login.json()) as { token: string }
    const rows: Row[] = []
    const processes = [product.pid!, (await postmasterOf(data.url)) ?? []].flat()
    for (const [i, call] of calls.entries()) {
      const [ours, theirs]: [Measured[], Measured[]] = [[], []]
      // The first round warms both up and is not counted.
      for (let round = 0; round <= ROUNDS; round++) {
        const our = await load(`http://127.0.0.1:${productPort}${pathTo(call)}`, call, token, processes)
        const their = call.alone ? undefined : await load(`http://127.0.0.1:${floorPort}/${i}`, call, token)
        if (round === 0) continue
        ours.push(our)
        if (their) theirs.push(their)
      }
      const row: Row = {
        name: call.name,
        size: factor,
        ...merge(ours),
        statements: recorded[i]!.statements.length,
        floor: call.alone ? undefined : merge(theirs),
        arriving: await arriving(`http://127.0.0.1:${productPort}${pathTo(call)}`, call, token),
        rows: call.table ? await load(`http://127.0.0.1:${floorPort}/${i}/least`, call, token) : undefined,
        memory: memoryOf(product.pid!),
        least: call.least,
      }
      rows.push(row)
      console.log(line(row))
    }
    await stop(product)
    await stop(floor)
    return rows
  } finally {
    for (const child of running.splice(0)) child.kill('SIGKILL')
    await data.close()
  }
}

const ms = (n: number | undefined) => n?.toFixed(1) ?? '–'
const whole = (n: number | undefined) => n?.toFixed(0) ?? '–'
const line = (r: Row) =>
  `| ${[r.name, `×${r.size}`, ms(r.cpu), r.statements, whole(r.ops), ms(r.p50), ms(r.p95), ms(r.p99), ms(r.arriving), r.errors, whole(r.memory), whole(r.floor?.ops), ms(r.floor?.p50), r.floor?.errors ?? '–', ms(r.rows?.p50), `${ratioOf(r)?.toFixed(2) ?? '–'}${r.least ? ` (≥ ${r.least})` : ''}`].join(' | ')} |`
const COLUMNS = [
  ...['call', 'size', 'CPU ms', 'statements', 'ops/s', 'p50 ms', 'p95', 'p99', 'p95 arriving', 'errors', 'MB'],
  ...['floor ops/s', 'floor p50', 'floor errors', 'rows p50', 'ratio'],
]
const HEADER = `| ${COLUMNS.join(' | ')} |\n|${'---|'.repeat(COLUMNS.length)}`

/** Of a table of before: the calls of each size, by the names of its columns. */
function readTable(report: string) {
  const cells = (text: string) =>
    text
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const lines = report.split('\n').filter((text) => text.startsWith('| '))
  const columns = cells(lines[0] ?? '')
  const ofLine = (text: string) => Object.fromEntries(cells(text).map((cell, i) => [columns[i], cell]))
  return new Map(lines.map(ofLine).map((row) => [`${row.call} ${row.size}`, row]))
}

const WORSE = 1.2
/** What takes a fifth more than when it was last kept: of processor, or of time where that was not counted then. */
async function worse(rows: Row[]) {
  const before = readTable(await readFile(here('results.md'), 'utf8').catch(() => ''))
  return rows.flatMap(({ name, size, cpu, p50 }) => {
    const then = before.get(`${name} ×${size}`)
    const [what, was, is] =
      then && Number(then['CPU ms']) && cpu ? ['CPU', then['CPU ms'], cpu] : ['p50', then?.['p50 ms'], p50]
    return Number(was) > 0 && is > Number(was) * WORSE ? [`WORSE: ${name} ×${size}: ${what} ${was} → ${ms(is)} ms`] : []
  })
}

console.log(HEADER)
const small = await measure(1)
const large = LARGE > 1 ? (GIVEN ? small.map((row) => ({ ...row, size: LARGE })) : await measure(LARGE)) : []
const times = (big: number | undefined, little: number | undefined) =>
  big && little ? `×${(big / little).toFixed(1)}` : '–'
const growth = large.map((row, i) => {
  const { name, p50, cpu, floor } = small[i]!
  return `| ${[name, ms(p50), ms(row.p50), times(row.p50, p50), times(row.cpu, cpu), times(row.floor?.p50, floor?.p50), times(row.p50, row.rows?.p50)].join(' | ')} |`
})
const grown = `Growth from ×1 to ×${LARGE}:

| call | p50 small | p50 large | growth | growth of CPU | growth of the floor | large, times its rows |
|---|---|---|---|---|---|---|
${growth.join('\n')}
`
const report = `# Measured

${new Date().toISOString().slice(0, 10)} · ${cpus().length} × ${cpus()[0]?.model || process.arch} · ${(totalmem() / 2 ** 30).toFixed(0)} GiB · ${process.platform} · Node ${process.versions.node}

${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s taking turns with the floor; medians of the rounds.

${HEADER}
${[...small, ...large].map(line).join('\n')}

${growth.length > 0 ? grown : ''}`
const slower = await worse([...small, ...large])
if (FILTER === '' && LARGE > 1 && !GIVEN) await writeFile(here('results.md'), report)
console.log(`\n${report}`)
for (const line of slower) console.log(line)
if (cpuOf([]) === undefined) console.log('CPU per call is counted on Linux only.')
const short = [...small, ...large].filter((row) => (row.least && ratioOf(row)! < row.least) || row.errors > 0)
for (const row of short)
  console.log(`SHORT: ${row.name} ×${row.size}: ${ratioOf(row)?.toFixed(2)}, ${row.errors} errors`)
process.exit(short.length > 0 ? 1 : 0)
