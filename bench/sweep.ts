import pg from 'pg'
import { reportPages } from '#contract/reports/pages.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { PASSWORD } from '../server/seeds/people.ts'
import { createApp } from '../server/src/app.ts'
import { pathFinder, queryOf, recordable } from '../server/test/releases.ts'
import { shapeOf } from '../server/test/sample.ts'
import { childrenOf, eachOf, endedOf, parentOf } from './cpu.ts'
import { CARRIER, openData } from './data.ts'
import { variantsOf } from './reads.ts'
import { LOGIN } from './record.ts'

/**
 * `node scripts/run.mjs bench/sweep.ts [part of a path,…] --data folder [--size 36] [--rounds 13] [--all]`
 *
 * Every read with every sort, every value of every filter, one at a time, as our screens ask, one call after the other on the
 * large data: the processor it takes, which is how long it takes where nothing is in its way (the median of the rounds), and
 * which take more than their kind may. `--all` prints the others too.
 */

const said = (name: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const FILTER = process.argv[2]?.startsWith('--') ? '' : (process.argv[2] ?? '')
/** The database plans a statement anew the first five times: more than twice as many, so that what remains is in the middle. */
const ROUNDS = Number(said('rounds') ?? 13)

const REPORTS = [...Object.values(reports), ...Object.values(reportPages)].map(({ path }) => path)
const ROWS = Object.values(reportRows).map(({ path }) => path)
/** Milliseconds: of a month of a report, of the board, of a list in its usual order or searched, and of any other order. */
function goalOf(path: string, query: string) {
  if (REPORTS.includes(path) || ROWS.includes(path)) return 80
  if (path === workOrders.workOrderBoard.path) return 120
  return /sort=|filter\[(?!Search)/.test(query) ? 300 : 20
}
const BOUNDED = 'per_page=50&count=bounded'
/** They are files, or ask the whole of a list on purpose. */
const LEFT_OUT = /download|export|\/file|pdf|label|template|backup|archive/

const data = await openData(Number(said('size') ?? CARRIER), 500_000, said('data'))
try {
  // Closed: what the product does by itself meanwhile is not what a read costs.
  const app = await createApp({ databaseUrl: data.url, closed: true })
  const client = new pg.Client({ connectionString: data.url })
  await client.connect()
  const payload = { email: LOGIN, password: PASSWORD }
  const { token } = (await app.http.inject({ method: 'POST', url: '/api/v1/login', payload })).json<{ token: string }>()
  const ask = (path: string) => app.http.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${token}` } })
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = parentOf(rows[0]!.pid)!
  await client.end()
  /** Of the processes that go on, to the nanosecond; of those that came and went meanwhile, as their parent counts them. */
  const databases = () => ({ ended: endedOf(postmaster), each: eachOf(childrenOf(postmaster)) })
  // Our own counts from the last moment to the first: looking through the processes is nothing that the read costs.
  const used = () => ({ ...databases(), own: process.cpuUsage() })
  const since = (before: ReturnType<typeof used>) => {
    const { user, system } = process.cpuUsage(before.own)
    const after = databases()
    const went = [...before.each].reduce((sum, [pid, spent]) => (after.each.has(pid) ? sum : sum + spent), 0)
    const goOn = [...after.each].reduce((sum, [pid, spent]) => sum + spent - (before.each.get(pid) ?? 0), 0)
    return (user + system) / 1000 + goOn + Math.max(0, after.ended - before.ended - went)
  }
  const fill = pathFinder({
    ask: async ({ path }) => {
      const answer = await ask(path)
      const isThere = answer.statusCode === 200 && answer.body.startsWith('{')
      return { status: answer.statusCode, reply: isThere ? answer.json() : undefined, shape: {} }
    },
  })
  const found: { path: string; status: number; took: number; kilobytes: number; goal: number }[] = []
  for (const e of recordable.filter(({ method, path }) => method === 'GET' && !LEFT_OUT.test(path))) {
    if (!FILTER.split(',').some((part) => e.path.includes(part))) continue
    const filled = await fill(e)
    if (!filled) continue
    const isReport = REPORTS.includes(e.path) || ROWS.includes(e.path)
    const isCounted = e.query && 'count' in (shapeOf(e.query).properties ?? {})
    const asked = queryOf(e).replace('page=1&perPage=20', isCounted ? BOUNDED : '')
    for (const query of variantsOf(e, isReport ? asked : asked.replace(/filter\[BetweenDate]=[^&]*&?/, ''))) {
      const path = query ? `${filled}?${query}` : filled
      const times: number[] = []
      let [status, size] = [0, 0]
      for (let round = 0; round < ROUNDS; round++) {
        const before = used()
        const answer = await ask(path)
        times.push(since(before))
        ;[status, size] = [answer.statusCode, answer.rawPayload.length]
        if (times[0]! > 3000) break
      }
      const took = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
      const goal = goalOf(e.path, query)
      found.push({ path, status, took, kilobytes: size / 1024, goal })
      if (took > goal || status >= 500) console.log(`${took.toFixed(0).padStart(6)} ms (${goal})  ${status}  ${path}`)
    }
  }
  await app.close()
  found.sort((a, b) => b.took / b.goal - a.took / a.goal)
  const slow = found.filter(({ took, goal }) => took > goal)
  console.log(`\n${found.length} reads, ${slow.length} slower than their kind may be`)
  for (const { path, status, took, kilobytes, goal } of process.argv.includes('--all') ? found : slow)
    console.log(
      `${took.toFixed(1).padStart(8)} ms (${goal})  ${status}  ${kilobytes.toFixed(0).padStart(5)} kB  ${path}`,
    )
} finally {
  await data.close()
}
process.exit(0)
