import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Endpoint, formatQuery } from '#contract/base/wire.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { createApp } from '../server/src/app.ts'
import { migrateDatabase } from '../server/src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../server/src/platform/running/embedded-postgres.ts'
import { fillLedger } from '../server/src/upgrade.ts'
import { Given } from '../server/test/given.ts'
import type { House } from '../server/test/house.ts'
import { childrenOf, exactlyOf, parentOf } from './cpu.ts'

/**
 * `node scripts/run.mjs bench/reports.ts [--orders 500000] [--years 5] [--rounds 20] [--most 300] [--keep folder] [--only words]`
 *
 * Every report of a carrier with 500,000 orders, 4,000,000 supply lines and 5,000,000 movements in some years: how long
 * each takes, of the processor and in all, and how much memory the files take. `--keep` leaves the database in a folder, to be used again;
 * `--only` measures the calls whose names have these words.
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const KEPT = process.argv.includes('--keep') ? process.argv[process.argv.indexOf('--keep') + 1] : undefined
const ONLY = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1]! : ''
const ORDERS = option('orders', 500_000)
const ROUNDS = option('rounds', 20)
const MOST = option('most', 300)
const YEARS = option('years', 5)

const folder = KEPT ?? (await mkdtemp(join(tmpdir(), 'maestranza-reports-')))
const postgres = await startEmbeddedPostgres(join(folder, 'postgres'))
try {
  await migrateDatabase(postgres.url)
  const owner = new pg.Pool({ connectionString: postgres.url, max: 2 })
  const there = await owner.query('select count(*)::int as n from work_orders')
  if (there.rows[0].n < ORDERS) await grow(owner)
  const counted = await owner.query(
    `select (select count(*) from work_orders) as orders, (select count(*) from work_order_supplies) as supplies,
       (select count(*) from work_order_services) as services, (select count(*) from movements) as movements`,
  )
  console.log(counted.rows[0])
  await measure(owner)
  await owner.end()
} finally {
  await postgres.stop()
  if (!KEPT) await rm(folder, { recursive: true, force: true })
}

/** Rows by the million, in the database itself: without their indexes and references, which are made at the end. */
async function grow(owner: pg.Pool) {
  const began = Date.now()
  const client = await owner.connect()
  client.on('error', () => {})
  const BIG = [
    'work_orders',
    'work_order_costs',
    'work_order_supplies',
    'work_order_services',
    'invoices',
    'movements',
    'transactions',
    'transaction_lines',
    'truck_readings',
  ]
  const { rows: indexes } = await client.query<{ name: string; def: string }>(
    `select i.indexname as name, i.indexdef as def from pg_indexes i
     where i.schemaname = 'public' and i.tablename = any($1) and i.indexname not like '%pk%' and i.indexname not like '%pkey%'
       and not exists (select 1 from pg_constraint c where c.conname = i.indexname)`,
    [BIG],
  )
  const run = async (what: string, text: string) => {
    const start = Date.now()
    await client.query(text)
    console.log(`${what}: ${((Date.now() - start) / 1000).toFixed(1)} s`)
  }
  await client.query(
    `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'`,
  )
  for (const { name } of indexes) await client.query(`drop index "${name}"`)
  const day = `interval '1 second' * (86400 * 365.25 * ${YEARS} / ${ORDERS})`
  await run(
    'ground',
    `insert into companies (id, name) overriding system value values (1, 'Grande');
     insert into workshops (company_id, id, name) select 1, n, 'Taller ' || n from generate_series(1, 5) n;
     insert into cost_centers (company_id, id, name) select 1, n, 'Centro ' || n from generate_series(1, 12) n;
     insert into truck_types (company_id, id, name) overriding system value
       select 1, n, 'Tipo ' || n from generate_series(1, 4) n;
     insert into trucks (company_id, id, workshop_id, code, patent, cost_center_id, type_of_truck_id, created_at)
       select 1, n, n % 5 + 1, 'C-' || n, 'P' || n, n % 12 + 1, n % 4 + 1, now() - interval '${YEARS + 1} years'
       from generate_series(1, 2000) n;
     insert into categories (company_id, id, name) select 1, n, 'Categoría ' || n from generate_series(1, 25) n;
     insert into supplies (company_id, id, workshop_id, code, name, cost, category_id)
       select 1, n, n % 5 + 1, 'I-' || n, 'Insumo ' || n, 1000, n % 25 + 1 from generate_series(1, 5000) n;
     insert into providers (company_id, id, name) select 1, n, 'Proveedor ' || n from generate_series(1, 200) n;
     insert into provider_services (company_id, id, provider_id, code, name, unit_price)
       select 1, n, n % 200 + 1, 'S-' || n, 'Servicio ' || n, 1000 from generate_series(1, 400) n;
     insert into warehouses (company_id, id, workshop_id, code, name) select 1, n, n, 'B-' || n, 'Bodega ' || n from generate_series(1, 5) n;
     insert into stock (company_id, warehouse_id, supply_id, minimum) select 1, s.workshop_id, s.id, 10 from supplies s;`,
  )
  await run(
    'orders',
    `insert into work_orders (company_id, id, workshop_id, number, status, position, truck_id, has_warehouse, planned, place,
       priority, request, workshop_entry_at, workshop_departure_at, finalized_at, created_at)
     select 1, n, n % 5 + 1, n, case when open then 'IN_PROCESS' else 'FINALIZED' end, n * 65536, (n * 7919) % 2000 + 1, false,
       n % 3 = 0, 'WORKSHOP', 'medium', 'Revisar', at, case when open then null else at + interval '1 minute' * (30 + (n * 31) % 4000) end,
       case when open then null else at + interval '1 minute' * (30 + (n * 31) % 4000) end, at
     from (select n, now() - (${ORDERS} - n) * ${day} as at, n > ${ORDERS} - 300 as open from generate_series(1::bigint, ${ORDERS}) n) o`,
  )
  await run(
    'supply lines',
    `insert into work_order_supplies (company_id, work_order_id, supply_id, count, cost, value, amount, created_at)
     select 1, o.id, ((o.id * 131 + l * 617) % 1000) * 5 + o.id % 5 + 1, 2, 500 + o.id % 9000, (500 + o.id % 9000) * 2,
       (500 + o.id % 9000) * 2, o.created_at + l * interval '1 hour'
     from work_orders o, generate_series(1, 8) l`,
  )
  await run(
    'services and invoices',
    `insert into work_order_services (company_id, work_order_id, provider_id, service_id, quantity, unit_price, amount, day, created_at)
     select 1, o.id, s.provider_id, s.id, 1, 30000 + o.id % 70000, 30000 + o.id % 70000,
       (o.created_at at time zone 'America/Santiago')::date, o.created_at
     from work_orders o join provider_services s on s.id = o.id % 400 + 1 where o.id % 3 = 0;
     insert into invoices (company_id, work_order_id, workshop_id, provider_id, bill_invoice, date, document, payment_type)
     select 1, l.work_order_id, o.workshop_id, l.provider_id, 'bill', (o.created_at + interval '5 days')::date, 'F' || l.id, 'Credit'
     from work_order_services l join work_orders o on o.id = l.work_order_id where l.id % 4 > 0;
     insert into invoice_shares (company_id, work_order_id, invoice_id, provider_id, amount)
     select i.company_id, i.work_order_id, i.id, i.provider_id, l.amount from invoices i
     join work_order_services l on l.work_order_id = i.work_order_id and l.provider_id = i.provider_id;
     update invoices i set net = s.amount from invoice_shares s where s.invoice_id = i.id;
     update work_order_services l set day = i.date from invoices i where i.work_order_id = l.work_order_id and i.provider_id = l.provider_id`,
  )
  await run(
    'costs',
    `insert into work_order_costs (company_id, id, workshop_id, truck_id, created_at, supplies_cost, services_cost, type_maintenance_id, planned, place, priority)
     select o.company_id, o.id, o.workshop_id, o.truck_id, o.created_at, 8 * (500 + o.id % 9000) * 2,
       case when o.id % 3 = 0 then 30000 + o.id % 70000 else 0 end, o.type_maintenance_id, o.planned, o.place, o.priority from work_orders o`,
  )
  await run(
    'readings',
    `insert into truck_readings (company_id, truck_id, date, km, source)
     select 1, o.truck_id, o.created_at, o.id, 'work_order' from work_orders o`,
  )
  await run(
    'entries',
    `insert into transactions (company_id, id, workshop_id, warehouse_id, type, number, "typeTrasactionId", document, date, "providerId", subtotal, tax, total)
     select 1, n, n % 5 + 1, n % 5 + 1, 'entry', n, 1, 'F-' || n, (now() - (${ORDERS / 4} - n) * 4 * ${day})::date, n % 200 + 1, 100000, 19000, 119000
     from generate_series(1, ${ORDERS / 4}) n;
     insert into transaction_lines (company_id, transaction_id, supply_id, quantity, unit_cost, tax_type, net_cost, tax, total_cost)
     select 1, t.id, ((t.id * 31 + l * 613) % 1000) * 5 + t.id % 5 + 1, 10, 1250, '19', 12500, 2375, 14875
     from transactions t, generate_series(1, 8) l`,
  )
  await run(
    'movements',
    `insert into movements (company_id, warehouse_id, supply_id, at, quantity, valued, unit_cost, posted_value, "typeTrasactionId",
       origin, origin_id, document, value, balance, balance_value, average_cost)
     select 1, l.work_order_id % 5 + 1, l.supply_id, l.created_at, -l.count, false, l.cost, -l.value, 5, 'work_order',
       l.work_order_id, 'OT-' || lpad(l.work_order_id::text, 6, '0'), -l.value, 1, 1, l.cost from work_order_supplies l;
     insert into movements (company_id, warehouse_id, supply_id, at, quantity, valued, unit_cost, posted_value, "typeTrasactionId",
       transaction_id, document, value, balance, balance_value, average_cost)
     select 1, t.warehouse_id, l.supply_id, t.date, l.quantity, true, l.unit_cost, l.net_cost, 1, t.id, t.document, l.net_cost, 1, 1, 1
     from transaction_lines l join transactions t on t.id = l.transaction_id`,
  )
  for (const { name, def } of indexes) await run(name, def)
  await run('vacuum', 'vacuum analyze')
  client.release()
  console.log(`made in ${((Date.now() - began) / 1000).toFixed(0)} s`)
}

async function measure(owner: pg.Pool) {
  const began = performance.now()
  await fillLedger(postgres.url)
  console.log(`expenses filled in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  const app = await createApp({ databaseUrl: postgres.url })
  await owner.query('truncate users cascade')
  const given = new Given({ owner } as unknown as House)
  const who = {
    owner: await given.member({ role: 'super-admin', company_id: 1, workshop_id: 1 }),
    chief: await given.member({ role: 'admin', company_id: 1, workshop_id: 1 }),
  }
  const year = new Date().getFullYear()
  const wholeYear = { filter: { BetweenDate: `${year}-01-01,${year}-12-31` } }
  const allYears = { filter: { BetweenDate: `${year - YEARS + 1}-01-01,${year}-12-31` } }
  // A truck that both see.
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
    ['by month', reports.expensesByMonth, {}],
    ['by month, one truck', reports.expensesByMonth, { filter: { Truck: [7] } }],
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
    ['a truck', reports.truckSummary, {}],
    ['rows of a cost centre', reportRows.expenseRows, { filter: { CostCenter: [3] } }],
    ['a year of rows of a category', reportRows.expenseRows, { filter: { ...wholeYear.filter, Category: [3] } }],
    ['a year by provider', reports.expensesByProvider, wholeYear],
    ['all years by truck', reports.expensesByTruck, allYears],
    ['all years by category', reports.expensesByCategory, allYears],
    ['all years of supplies by truck: list', reports.listSuppliesByTruck, allYears],
    ['all years of rows', reportRows.expenseRows, allYears],
    ['all years by order', reports.historicalExpenses, allYears],
    ['all years by month', reports.expensesByMonth, { filter: { BetweenYear: `${year - YEARS + 1},${year}` } }],
    ['all years of availability', reports.availability, allYears],
    ['all years of rows by amount', reportRows.expenseRows, { ...allYears, sort: '-amount' }],
    ['a year of orders behind', reportRows.orderRows, wholeYear],
    ['all years of orders behind', reportRows.orderRows, allYears],
    ['a year of stops behind', reportRows.stopRows, wholeYear],
  ]
  let slow = 0
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
      for (let round = 0; round < ROUNDS + 3; round++) {
        const processes = postmaster ? childrenOf(postmaster) : []
        const [before, start] = [used(processes), performance.now()]
        const answer = await ask(e, query, token)
        if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.statusCode} ${answer.body}`)
        size = answer.rawPayload.length
        if (round < 3) continue
        times.push(performance.now() - start)
        cpu.push(used(processes) - before)
      }
      times.sort((a, b) => a - b)
      cpu.sort((a, b) => a - b)
      const p95 = times[Math.ceil(times.length * 0.95) - 1]!
      if (p95 > MOST && !/^(a year|all years)/.test(name)) slow += 1
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
  if (slow > 0) {
    console.log(`${slow} slower than ${MOST} ms`)
    process.exitCode = 1
  }
}
