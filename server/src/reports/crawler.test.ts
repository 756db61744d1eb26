import { beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { alerts } from '#contract/alerts/alerts.ts'
import type { Endpoint } from '#contract/base/wire.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { WORK_ORDER_STATUS_NAMES } from '#contract/work-orders/states.ts'
import { companies } from '#contract/workshops/company.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { sized } from '../../test/sized.ts'

/** Opens every figure of every report on the demonstration and works it out again from the rows behind it. */

const house = openHouse({ demo: sized('small', 'full') })
let owner: Member
const differences: string[] = []
let opened = 0
let hasMoved = false

beforeAll(async () => {
  owner = await house.given.member({ role: 'super-admin', company_id: 1, workshop_id: 1 })
  const counted = await house.call(owner, companies.updateSettings, { body: { labour_counts: true } })
  expect(counted.status).toBe(200)
  // Trucks that go from one cost centre to another in the middle of what is looked at, and one that comes back.
  const { body } = await house.call(owner, fleet.listTrucks, { query: { per_page: 12, filter: { State: ['active'] } } })
  for (const [i, truck] of body.data.entries())
    for (const [ago, center] of [
      [50 + i, body.data.at(-1 - i)!.cost_center_id],
      [10 + i, i % 3 ? null : truck.cost_center_id],
    ] as const) {
      const from = day(new Date(Date.now() - ago * 86_400_000))
      const change = { cost_center_id: center, cost_center_from: from }
      const { status } = await house.call(owner, fleet.updateTruck, { params: { id: truck.id }, body: change })
      expect(status).toBe(200)
    }
})

type Paged = Endpoint & { reply: z.ZodType<{ data: unknown[]; total: number }> }
const known = new Map<string, unknown[]>()
/** All rows behind a figure: they are added one by one, not taken from the total that comes with them. */
async function rowsOf<E extends Paged>(endpoint: E, filter: object): Promise<z.output<E['reply']>['data']> {
  const key = `${endpoint.path} ${JSON.stringify(filter)}`
  const found = known.get(key) ?? []
  for (let page = 1; !known.has(key); page++) {
    const { body }: { body: Buffer | { data: unknown[]; total: number } } = await house.call(owner, endpoint, {
      query: { filter, page, per_page: 500 },
    })
    if (Buffer.isBuffer(body)) throw new Error(`${endpoint.path} answers a file`)
    found.push(...body.data)
    if (found.length >= body.total || body.data.length === 0) known.set(key, found)
  }
  return found
}
const scaled = (hours: number) => Math.round(hours * 10_000)
const sum = <Row>(rows: readonly Row[], field: (row: Row) => number) => rows.reduce((all, row) => all + field(row), 0)
const round4 = (n: number) => Math.round(n * 10_000) / 10_000

/** Hours are fractions: a difference that no clock shows is none. */
function same(name: string, figure: number | null, found: number | null) {
  opened += 1
  const alike =
    figure === null || found === null
      ? figure === found
      : Math.abs(figure - found) < (Number.isInteger(figure) ? 1e-6 : 1e-4)
  if (!alike) differences.push(`${name}: ${figure} ≠ ${found}`)
}

const amountOf = async (filter: object) => sum(await rowsOf(reportRows.expenseRows, filter), (row) => row.amount)
const kilometersOf = async (filter: object) =>
  sum(await rowsOf(reportRows.kilometerRows, filter), (row) => row.to_km - row.from_km)
/** Each order once, however many lines it has. */
async function ordersOf(name: string, filter: object) {
  const orders = await rowsOf(reportRows.orderRows, filter)
  same(
    `${name}: what its orders spent`,
    sum(orders, (o) => o.amount),
    await amountOf(filter),
  )
  return new Set(orders.map((o) => o.work_order_id)).size
}
async function stopsOf(filter: object) {
  const stays = await rowsOf(reportRows.stopRows, filter)
  return { hours: sum(stays, (stay) => stay.counted), stops: stays.filter((stay) => stay.begins).length }
}
const expectAmount = async (name: string, figure: number, filter: object) => same(name, figure, await amountOf(filter))
const ALL = { Kind: ['supply', 'service', 'labour'] }
async function expectLabour(
  name: string,
  { labour, total_with_labour }: { labour: number | null; total_with_labour: number | null },
  filter: object,
) {
  same(`${name} labour`, labour, await amountOf({ ...filter, Kind: ['labour'] }))
  same(`${name} with labour`, total_with_labour, await amountOf({ ...filter, ...ALL }))
}
const expectLines = async (name: string, figure: number, filter: object) =>
  same(`${name} lines`, figure, (await rowsOf(reportRows.expenseRows, filter)).length)
const expectQuantity = async (name: string, figure: number, filter: object) =>
  same(`${name} quantity`, figure, round4(sum(await rowsOf(reportRows.expenseRows, filter), (row) => row.count)))

const day = (at: Date) => at.toISOString().slice(0, 10)
const month = (ago: number) => {
  const now = new Date()
  const at = (months: number, date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, date))
  return `${day(at(-ago, 1))},${day(at(1 - ago, 0))}`
}
const share = (part: number, whole: number) => (whole > 0 ? part / whole : null)
const perKm = (pesos: number, km: number) => (km > 0 ? Math.round((pesos / km) * 100) / 100 : null)

async function crawlTrucks(filter: object) {
  const { data, totals, cost_centers, moved, before } = (
    await house.call(owner, reports.expensesByTruck, { query: { filter } })
  ).body
  expect(data.length).toBeGreaterThan(5)
  const earlier = { ...filter, BetweenDate: `${before.from},${before.to}` }
  const all = [
    ...data.map((t) => ({ ...t, name: `truck ${t.truck_code}`, of: { Truck: [t.truck_id] } })),
    ...cost_centers.map((c) => ({
      ...c,
      name: `centre ${c.cost_center}`,
      of: { CostCenter: [c.cost_center_id ?? 'none'] },
    })),
    { ...totals, name: 'trucks', of: {} },
  ]
  for (const { name, of, ...figures } of all) {
    const mine = { ...filter, ...of }
    await expectAmount(`${name} supplies`, figures.supplies_cost, { ...mine, Kind: ['supply'] })
    await expectAmount(`${name} services`, figures.services_cost, { ...mine, Kind: ['service'] })
    await expectAmount(name, figures.total_cost, mine)
    await expectLabour(name, figures, mine)
    same(
      `${name} per km, with labour`,
      figures.cost_per_km_with_labour,
      perKm(await amountOf({ ...mine, ...ALL }), await kilometersOf(mine)),
    )
    await expectAmount(`${name} before`, figures.before_cost, { ...earlier, ...of })
    await expectAmount(`${name} before, with labour`, figures.before_with_labour!, { ...earlier, ...of, ...ALL })
    same(`${name} orders`, figures.orders, await ordersOf(name, mine))
    same(`${name} kilometres`, figures.kilometers, await kilometersOf(mine))
    same(`${name} per km`, figures.cost_per_km, perKm(await amountOf(mine), await kilometersOf(mine)))
  }
  const stayed = data.filter((t) => !moved.some(({ truck_id }) => truck_id === t.truck_id))
  for (const c of cost_centers) {
    const trucks = [...stayed, ...moved].filter((t) => t.cost_center_id === c.cost_center_id)
    same(`trucks of ${c.cost_center}`, c.trucks, trucks.length)
  }
  hasMoved ||= moved.length > 0
}

async function crawlProviders(filter: object) {
  const { data, totals } = (await house.call(owner, reports.expensesByProvider, { query: { filter } })).body
  const all = [
    ...data.map((p) => ({ ...p, name: `provider ${p.provider}`, of: { Provider: [p.provider_id ?? 'none'] } })),
    { ...totals, provider_id: undefined, name: 'providers', of: {} },
  ]
  for (const { name, of, provider_id, ...figures } of all) {
    const mine = { ...filter, ...of }
    if (provider_id !== null) {
      await expectAmount(name, figures.services_cost, { ...mine, Kind: ['service'] })
      await expectLines(name, figures.services, { ...mine, Kind: ['service'] })
    }
    const entries = await rowsOf(reportRows.entryRows, mine)
    same(`${name} entries`, figures.entries, entries.length)
    same(
      `${name} purchases, net`,
      figures.purchases_net,
      sum(entries, (e) => e.subtotal),
    )
    same(
      `${name} purchases`,
      figures.purchases_total,
      sum(entries, (e) => e.total),
    )
  }
}

async function crawlCategories(filter: object) {
  const { data, totals, before } = (await house.call(owner, reports.expensesByCategory, { query: { filter } })).body
  for (const c of data) {
    const mine = { ...filter, Category: [c.category_id ?? 'none'] }
    await expectAmount(`category ${c.category}`, c.amount, mine)
    await expectLines(`category ${c.category}`, c.lines, mine)
  }
  await expectAmount('categories: services', totals.services_cost, { ...filter, Kind: ['service'] })
  await expectAmount('categories: all', totals.total_cost, filter)
  await expectLabour('categories', totals, filter)
  const then = { labour: totals.labour_before, total_with_labour: totals.before_with_labour }
  await expectLabour('categories before', then, { ...filter, BetweenDate: `${before.from},${before.to}` })
  await expectLines('categories', totals.lines, { ...filter, Kind: ['supply'] })
}

async function crawlHistory(filter: object) {
  const { data, total } = (await house.call(owner, reports.historicalExpenses, { query: { filter, per_page: 500 } }))
    .body
  expect(data.length).toBe(total)
  same('orders with expenses', total, await ordersOf('history', filter))
  for (const o of data) {
    const mine = { ...filter, Order: [o.work_order_id] }
    await expectAmount(`${o.code} supplies`, o.supplies_cost, { ...mine, Kind: ['supply'] })
    await expectAmount(`${o.code} services`, o.services_cost, { ...mine, Kind: ['service'] })
    await expectLabour(o.code, o, mine)
  }
}

async function crawlSupplies(filter: object) {
  const chart = (await house.call(owner, reports.chartSuppliesByTruck, { query: { filter } })).body
  for (const t of chart.data) {
    const mine = { ...filter, Truck: [t.truck_id], Kind: ['supply'] }
    await expectAmount(`supplies of ${t.truck_code}`, t.amount, mine)
    await expectQuantity(`supplies of ${t.truck_code}`, t.count, mine)
  }
  for (const p of await rowsOf(reports.listSuppliesByTruck, filter)) {
    const mine = { ...filter, Truck: [p.truck_id], Supply: [p.supply_id] }
    await expectAmount(`${p.truck_code} ${p.code}`, p.amount, mine)
    await expectQuantity(`${p.truck_code} ${p.code}`, p.count, mine)
  }
}

async function crawlHours(filter: object) {
  // What runs is longer each time one looks.
  await house.owner.query('delete from work_times where from_at is not null and until_at is null')
  const { data, specialists, totals } = (
    await house.call(owner, reports.hoursBySpecialist, { query: { filter, per_page: 500 } })
  ).body
  expect(specialists.length).toBeGreaterThan(3)
  const all = [
    ...data.map((d) => ({ ...d, days: 1, of: { Specialist: [d.specialist_id], BetweenDate: `${d.day},${d.day}` } })),
    ...specialists.map((s) => ({ ...s, of: { Specialist: [s.specialist_id] } })),
    { ...totals, specialist: 'all', of: {} },
  ]
  for (const { specialist, of, days, ...figures } of all) {
    const times = await rowsOf(reportRows.timeRows, { ...filter, ...of })
    const hours = sum(times, (time) => time.hours)
    const name = `hours of ${specialist}`
    same(name, scaled(figures.hours), scaled(hours))
    const clocked = sum(
      times.filter(({ from_at }) => from_at),
      (time) => time.hours,
    )
    same(`${name}, clocked`, scaled(figures.clocked_hours), scaled(clocked))
    same(`${name}: days`, days, new Set(times.map((time) => `${time.specialist_id} ${time.day}`)).size)
    same(`${name}: present`, figures.present_hours, days * 8)
  }
}

async function crawlAvailability(filter: object) {
  const { data, totals, before } = (await house.call(owner, reports.availability, { query: { filter } })).body
  const earlier = { ...filter, BetweenDate: `${before.from},${before.to}` }
  const then = (await house.call(owner, reports.availability, { query: { filter: earlier } })).body.data
  const all = [
    ...data.map((t) => ({ ...t, name: `stops of ${t.truck_code}`, of: { Truck: [t.truck_id] } })),
    { ...totals, truck_id: undefined, name: 'stops', of: {} },
  ]
  for (const { name, of, truck_id, ...figures } of all) {
    const whole = await stopsOf({ ...filter, ...of })
    const failed = await stopsOf({ ...filter, ...of, Planned: ['false'] })
    const hours = sum(
      data.filter((t) => truck_id === undefined || t.truck_id === truck_id),
      (t) => t.hours,
    )
    same(`${name}: hours of the period`, figures.hours, hours)
    same(`${name}: hours`, figures.hours_stopped, whole.hours)
    same(`${name}: unplanned hours`, figures.hours_unplanned, failed.hours)
    const planned = await stopsOf({ ...filter, ...of, Planned: ['true'] })
    same(`${name}: planned hours`, figures.hours_planned, planned.hours)
    same(name, figures.stops, whole.stops)
    same(`${name}, unplanned`, figures.unplanned_stops, failed.stops)
    same(`${name}: availability`, figures.availability, share(hours - whole.hours, hours))
    same(`${name}: MTTR`, figures.mttr, share(failed.hours, failed.stops))
    same(`${name}: MTBF`, figures.mtbf, share(hours - whole.hours, failed.stops))

    const stopped = await stopsOf({ ...earlier, ...of })
    const hoursThen = sum(
      then.filter((t) => truck_id === undefined || t.truck_id === truck_id),
      (t) => t.hours,
    )
    same(`${name}: hours before`, figures.before_hours, hoursThen)
    same(`${name}: hours stopped before`, figures.before_stopped, stopped.hours)
    same(`${name}: availability before`, figures.before, share(hoursThen - stopped.hours, hoursThen))
  }
}

it('no figure differs from its rows', async () => {
  for (const ago of [1, 2]) {
    known.clear()
    const filter = { BetweenDate: month(ago) }
    await crawlTrucks(filter)
    await crawlProviders(filter)
    await crawlCategories(filter)
    await crawlHistory(filter)
    await crawlSupplies(filter)
    await crawlHours(filter)
    await crawlAvailability(filter)
  }
  const months = (await house.call(owner, reports.expensesByMonth)).body
  for (const row of months.data)
    for (const [i, amount] of row.amounts.entries()) {
      const [year = 0, number = 0] = months.months[i]!.split('-').map(Number)
      const kind = row.kind === 'service' ? { Kind: ['service'] } : { Category: [row.category_id ?? 'none'] }
      await expectAmount(`${row.category} ${months.months[i]}`, amount, {
        BetweenDate: `${months.months[i]}-01,${day(new Date(Date.UTC(year, number, 0)))}`,
        ...kind,
      })
    }
  for (const [i, labour] of months.labour!.amounts.entries()) {
    const [year = 0, number = 0] = months.months[i]!.split('-').map(Number)
    const BetweenDate = `${months.months[i]}-01,${day(new Date(Date.UTC(year, number, 0)))}`
    const figures = { labour, total_with_labour: months.totals_with_labour!.amounts[i]! }
    await expectLabour(months.months[i]!, figures, { BetweenDate })
    const then = `${year - 1}${months.months[i]!.slice(4)}`
    const asked = { BetweenDate: `${then}-01,${day(new Date(Date.UTC(year - 1, number, 0)))}`, ...ALL }
    await expectAmount(`${then} with labour`, months.before_with_labour!.amounts[i]!, asked)
  }
  expect(differences).toEqual([])
  expect(opened).toBeGreaterThan(sized(700, 2700))
  expect(hasMoved).toBe(true)
})

it('no figure of the morning differs from the list that it opens', async () => {
  for (const WorkshopId of [undefined, [1]]) {
    known.clear()
    const filter = { WorkshopId }
    const summary = (await house.call(owner, reports.summary, { query: { filter } })).body
    const between = (period: { from: string; to: string }) => ({
      ...filter,
      BetweenDate: `${period.from},${period.to}`,
    })
    await expectAmount('this month', summary.expenses!.total, between(summary.range))
    await expectLabour('this month', summary.expenses!, between(summary.range))
    await expectAmount('the month before', summary.expenses!.before, between(summary.before))
    const { before_with_labour, days_with_labour, days_before_with_labour, total_with_labour } = summary.expenses!
    await expectAmount('the month before, with labour', before_with_labour!, { ...between(summary.before), ...ALL })
    same('the days with labour', total_with_labour, sum(days_with_labour!, Number))
    same('the days before with labour', before_with_labour, sum(days_before_with_labour!, Number))
    same('stopped', summary.trucks!.stopped, new Set(summary.stopped.map((truck) => truck.truck_id)).size)
    same('active', summary.trucks!.active, (await rowsOf(fleet.listTrucks, { ...filter, State: ['active'] })).length)
    const overdue = await rowsOf(alerts.listAlerts, { ...filter, Attention: ['overdue'] })
    same('overdue', summary.overdue_alerts, overdue.length)
    const low = await rowsOf(reportRows.lowStockRows, filter)
    same('below the minimum', summary.below_minimum, new Set(low.map((s) => `${s.warehouse_id} ${s.supply_id}`)).size)
    expect(low.filter(({ available, minimum }) => available >= minimum)).toEqual([])
    for (const status of WORK_ORDER_STATUS_NAMES) {
      const when = status === 'FINALIZED' ? { ...between(summary.range), DateOf: 'finalized' } : filter
      const orders = await rowsOf(workOrders.workOrderHistory, { ...when, Status: [status] })
      same(status, summary.orders![status], orders.length)
    }
  }
  expect(differences).toEqual([])
})

it('what is on its way between workshops is worth, at both ends and in all, what its lines left with', async () => {
  const sent = await rowsOf(warehouses.listTransfers, { State: ['sent'] })
  expect(sent.length).toBeGreaterThan(0)
  const all = await rowsOf(warehouses.listWarehouses, {})
  for (const { id, name, sent_value, incoming_value } of all) {
    const worth = (end: 'warehouse_id' | 'to_warehouse_id') =>
      sum(
        sent.filter((t) => t[end] === id),
        (t) => t.value,
      )
    same(`sent from ${name}`, sent_value, worth('warehouse_id'))
    same(`on its way to ${name}`, incoming_value, worth('to_warehouse_id'))
  }
  for (const { id, code, value } of await rowsOf(warehouses.listTransfers, {})) {
    const { body } = await house.call(owner, warehouses.getTransfer, { params: { id } })
    expect(Math.abs(value - sum(body.supplies, (line) => line.value))).toBeLessThanOrEqual(body.supplies.length)
    for (const line of body.supplies.filter(({ received }) => received !== null))
      same(`${code}: ${line.code}`, line.quantity, round4(line.received! + line.missing))
  }
  expect(differences).toEqual([])
})
