import pg from 'pg'
import { type Endpoint, formatQuery } from '#contract/base/wire.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { PASSWORD } from '../server/seeds/people.ts'
import { createApp } from '../server/src/app.ts'
import { childrenOf, exactlyOf, parentOf } from './cpu.ts'
import { CARRIER, openData } from './data.ts'
import { LOGIN } from './record.ts'

/**
 * `node scripts/run.mjs bench/reports.ts --data folder [--rounds 20] [--only words]`
 *
 * Every report of the large carrier (README.md), one call at a time after ten that are not counted: how long it takes, of the
 * processor and in all, and how much memory the files take. `--data` keeps the database for the next run; `--only` measures
 * the calls whose names have these words.
 */

const option = (name: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const ONLY = option('only') ?? ''
const ROUNDS = Number(option('rounds') ?? 20)
const WARM_UP = 10

/** The budget of a call, in milliseconds. */
const budgetOf = (name: string) => {
  if (name.startsWith('ten years')) return 3000
  if (name.startsWith('a year of supplies')) return 1000
  return name.startsWith('a year') ? 300 : 80
}

const data = await openData(CARRIER, 500_000, option('data'))
try {
  const owner = new pg.Pool({ connectionString: data.url, max: 2 })
  await measure(owner)
  await owner.end()
} finally {
  await data.close()
}

async function measure(owner: pg.Pool) {
  const app = await createApp({ databaseUrl: data.url })
  const logIn = async (email: string) => {
    const payload = { email, password: PASSWORD }
    return (await app.http.inject({ method: 'POST', url: '/api/v1/login', payload })).json<{ token: string }>()
  }
  const who = { owner: await logIn(LOGIN), chief: await logIn('jefe@maestranza.demo') }
  const year = new Date().getFullYear()
  const wholeYear = { filter: { BetweenDate: `${year}-01-01,${year}-12-31` } }
  const tenYears = { filter: { BetweenDate: `${year - 9}-01-01,${year}-12-31` } }
  // Truck 10 is of the chief's workshop, so both see it.
  const ask = (e: Endpoint, query: object, token: string) =>
    app.http.inject({
      url: `/api${e.path.replace(':id', '10')}${formatQuery(query)}`,
      headers: { authorization: `Bearer ${token}`, 'x-company-id': '1' },
    })
  const cases: [string, Endpoint, object][] = [
    ['summary', reports.summary, {}],
    ['by truck', reports.expensesByTruck, {}],
    ['by provider', reports.expensesByProvider, {}],
    ['historical', reports.historicalExpenses, {}],
    ['by category', reports.expensesByCategory, {}],
    ['availability', reports.availability, {}],
    [
      'availability a year ago',
      reports.availability,
      { filter: { BetweenDate: `${year - 1}-03-01,${year - 1}-03-31` } },
    ],
    ['supplies by truck: chart', reports.chartSuppliesByTruck, {}],
    ['supplies by truck: list', reports.listSuppliesByTruck, {}],
    ['rows of a truck', reportRows.expenseRows, { filter: { Truck: [7] } }],
    ['rows of a category', reportRows.expenseRows, { filter: { Category: [3] } }],
    ['rows of the month', reportRows.expenseRows, {}],
    ['entries behind', reportRows.entryRows, {}],
    ['stops behind', reportRows.stopRows, {}],
    ['planned stops behind', reportRows.stopRows, { filter: { Planned: ['true'] } }],
    ['orders behind', reportRows.orderRows, {}],
    ['kilometres behind', reportRows.kilometerRows, {}],
    ['low stock behind', reportRows.lowStockRows, {}],
    ['a year by truck', reports.expensesByTruck, wholeYear],
    ['a year by order', reports.historicalExpenses, wholeYear],
    ['a year by category', reports.expensesByCategory, wholeYear],
    ['a year of supplies by truck: chart', reports.chartSuppliesByTruck, wholeYear],
    ['a year of supplies by truck: list', reports.listSuppliesByTruck, wholeYear],
    ['a year of availability', reports.availability, wholeYear],
    ['a year of rows', reportRows.expenseRows, wholeYear],
    ['a year by month', reports.expensesByMonth, {}],
    ['a year by month, one truck', reports.expensesByMonth, { filter: { Truck: [7] } }],
    ['a year of a truck', reports.truckSummary, {}],
    ['rows of a cost centre', reportRows.expenseRows, { filter: { CostCenter: [3] } }],
    ['a year of rows of a category', reportRows.expenseRows, { filter: { ...wholeYear.filter, Category: [3] } }],
    ['a year by provider', reports.expensesByProvider, wholeYear],
    ['ten years by truck', reports.expensesByTruck, tenYears],
    ['ten years by category', reports.expensesByCategory, tenYears],
    ['ten years of rows', reportRows.expenseRows, tenYears],
    ['ten years by order', reports.historicalExpenses, tenYears],
    ['ten years by month', reports.expensesByMonth, { filter: { BetweenYear: `${year - 9},${year}` } }],
    ['ten years of availability', reports.availability, tenYears],
    ['ten years of rows by amount', reportRows.expenseRows, { ...tenYears, sort: '-amount' }],
    ['a year of orders behind', reportRows.orderRows, wholeYear],
    ['ten years of orders behind', reportRows.orderRows, tenYears],
    ['a year of stops behind', reportRows.stopRows, wholeYear],
  ]
  const slow: string[] = []
  const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = parentOf(rows[0]!.pid)
  const used = (processes: string[]) => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000 + exactlyOf(processes)
  }
  console.log('| call | who | CPU ms | p50 ms | p95 ms | kB |\n|---|---|---|---|---|---|')
  for (const [name, e, query] of cases.filter(([name]) => name.includes(ONLY)))
    for (const [role, { token }] of Object.entries(who)) {
      const times: number[] = []
      const cpu: number[] = []
      let size = 0
      for (let round = 0; round < ROUNDS + WARM_UP; round++) {
        const processes = postmaster ? childrenOf(postmaster) : []
        const [before, start] = [used(processes), performance.now()]
        const answer = await ask(e, query, token)
        if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.statusCode} ${answer.body}`)
        size = answer.rawPayload.length
        if (round < WARM_UP) continue
        times.push(performance.now() - start)
        cpu.push(used(processes) - before)
      }
      times.sort((a, b) => a - b)
      cpu.sort((a, b) => a - b)
      const p95 = times[Math.ceil(times.length * 0.95) - 1]!
      const budget = budgetOf(name)
      if (p95 > budget) slow.push(`${name}, ${role}: ${p95.toFixed(0)} ms of ${budget}`)
      console.log(
        `| ${name} | ${role} | ${cpu[Math.floor(cpu.length / 2)]!.toFixed(0)} | ${times[Math.floor(times.length / 2)]!.toFixed(0)} | ${p95.toFixed(0)} | ${(size / 1024).toFixed(0)} |`,
      )
    }

  const address = await app.listen('127.0.0.1', 0)
  for (const [name, e, query] of [
    ['history, all of it', reports.downloadHistory, {}],
    [
      'expenses per order, a year',
      reports.downloadSummaryMaintenance,
      { filter: { BetweenDate: `${year - 1}-01-01,${year - 1}-12-31` } },
    ],
    ['supplies by truck, a month', reports.downloadSuppliesByTruck, {}],
    ['entries, a year', reports.downloadEntries, { filter: { BetweenDate: `${year - 1}-01-01,${year - 1}-12-31` } }],
  ] as const) {
    if (!name.includes(ONLY)) continue
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let [most, bytes] = [before, 0]
    const start = performance.now()
    const response = await fetch(`${address}/api${e.path}${formatQuery(query)}`, {
      headers: { authorization: `Bearer ${who.owner.token}`, 'x-company-id': '1' },
    })
    for await (const chunk of response.body!) {
      bytes += (chunk as Uint8Array).length
      most = Math.max(most, process.memoryUsage().rss)
    }
    console.log(
      `${name}: ${response.status}, ${(bytes / 2 ** 20).toFixed(1)} MB in ${((performance.now() - start) / 1000).toFixed(1)} s, memory ${(before / 2 ** 20).toFixed(0)} → ${(most / 2 ** 20).toFixed(0)} MB at most`,
    )
  }
  await app.close()
  for (const line of slow) console.log(`SLOW: ${line}`)
  if (slow.length > 0) process.exitCode = 1
}
