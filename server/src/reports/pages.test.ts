import { beforeAll, expect, it } from 'vitest'
import { addDays, addMonths, dayOf } from '#contract/base/dates.ts'
import type { Provider } from '#contract/providers/providers.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { reportPages } from '#contract/reports/pages.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import type { Supply } from '#contract/supplies/supplies.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { payables } from '#contract/work-orders/payables.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()
const today = dayOf(new Date())
const yearAgo = addMonths(today, -13)

let ana: Member
let oil: Supply
let filter: Supply
let belt: Supply
let bodega: Warehouse
let seller: Provider

beforeAll(async () => {
  ana = await house.given.member({ role: 'super-admin' })
  seller = await house.given.provider(ana)
  ;[oil, filter, belt] = [await house.given.supply(ana), await house.given.supply(ana), await house.given.supply(ana)]
  bodega = await house.given.warehouse(ana)
  const buy = (date: string, supply: Supply, quantity: number, unit_cost: number) =>
    house.given.entry(ana, {
      warehouse_id: bodega.id,
      transaction: { date, providerId: seller.id, typeInvoice: 'bill', payment_type: 'Credit' },
      supplies: [{ supply_id: supply.id, quantity, unit_cost }],
    })
  await buy(yearAgo, oil, 50, 1000)
  await buy(addMonths(today, -2), oil, 20, 1300)
  await buy(addDays(today, -3), oil, 10, 1500)
  await buy(addDays(today, -3), filter, 10, 900)
  await buy(addMonths(today, -8), belt, 4, 2000)
  const truck = await house.given.truck(ana)
  const service = await house.given.service(ana, { provider_id: seller.id })
  for (const count of [3, 2])
    await house.given.workOrder(ana, {
      truck_id: truck.id,
      has_warehouse: true,
      warehouse_id: bodega.id,
      supplies: [{ supply_id: oil.id, count }],
      services: [{ service_id: service.id, quantity: 1, unit_price: 45_000 }],
    })
  await house.call(ana, warehouses.recordTransaction, {
    body: {
      warehouse_id: bodega.id,
      type: 'exit',
      transaction: { typeTrasactionId: typeNamed('exit', 'consumption') },
      supplies: [{ supply_id: oil.id, quantity: 4 }],
    },
  })
  await house.call(ana, warehouses.setLimits, {
    params: { warehouse: bodega.id },
    body: { levels: [{ supply_id: filter.id, minimum: 12, maximum: 20 }] },
  })
  // One that is promised for a day that has passed, and one that came five days late.
  const order = (day: string, quantity: number) => promised(day, quantity)
  await order(addDays(today, -10), 6)
  const came = await order(addDays(today, -9), 5)
  await house.call(ana, purchasing.receivePurchaseOrder, {
    params: { id: came.id },
    body: {
      transaction: { document: 'F-77', date: addDays(today, -4), confirm_old: true },
      supplies: [{ supply_id: filter.id, quantity: 5, unit_cost: 1000 }],
    },
  })
})

async function promised(day: string, quantity: number) {
  const { id } = await house.given.purchaseOrder(ana, {
    warehouse_id: bodega.id,
    provider_id: seller.id,
    supplies: [{ supply_id: filter.id, quantity, unit_cost: 1000 }],
  })
  await house.call(ana, purchasing.updatePurchaseStatus, { params: { id }, body: { status: 'approved' } })
  await house.call(ana, purchasing.sendPurchaseOrder, { params: { id }, body: { to: 'Por teléfono', mail: false } })
  return (
    await house.call(ana, purchasing.answerPurchaseOrder, {
      params: { id },
      body: { answered_on: addDays(today, -12), supplies: [{ supply_id: filter.id, promised_on: day }] },
    })
  ).body
}

const ofSupply = async (supply: Supply) =>
  (await house.call(ana, reportPages.supplySummary, { params: { id: supply.id } })).body

it('a supply says what its stock, its kardex and the reports say', async () => {
  const said = await ofSupply(oil)
  const stock = (await house.call(ana, warehouses.supplyStock, { params: { id: oil.id } })).body.data
  expect(said.stock).toMatchObject(stock)
  expect(said.stock[0]).toMatchObject({ stock: 71, available: 71, sent: 0, incoming: 0, on_order: 0 })
  const { from, to } = said.range
  const rows = (
    await house.call(ana, reportRows.expenseRows, {
      query: { filter: { BetweenDate: `${from},${to}`, Supply: [oil.id] } },
    })
  ).body
  const used = said.months.reduce((sum, { count }) => sum + count, 0)
  const spent = said.months.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  expect([used, spent]).toEqual([rows.totals.count, rows.totals.amount])
  expect([used, said.months.at(-1)!.exits, said.months.length]).toEqual([5, 4, 12])
  expect(said).toMatchObject({ trucks_count: 1, orders_count: 2, trucks: [{ count: 5, orders: 2 }] })
  const uses = (await house.call(ana, warehouses.supplyUses, { params: { id: oil.id } })).body.data
  expect(uses.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(9)
  expect(said.purchases.map(({ unit_cost }) => unit_cost)).toEqual([1000, 1300, 1500])
  expect(said.costs.at(-1)!.cost).toBe(1500)
})

it('what is ordered of it comes with its promised day, and says how late it is', async () => {
  const said = await ofSupply(filter)
  expect(said.arrivals).toMatchObject([{ quantity: 6, promised_on: addDays(today, -10), days_late: 10 }])
  expect(said.stock[0]).toMatchObject({ on_order: 6, minimum: 12, stock: 15 })
})

it('a provider says what the report by provider, its purchases and its papers say', async () => {
  const said = (await house.call(ana, reportPages.providerSummary, { params: { id: seller.id } })).body
  const query = { filter: { BetweenDate: `${said.range.from},${said.range.to}` } }
  const report = (await house.call(ana, reports.expensesByProvider, { query })).body
  const row = report.data.find(({ provider_id }) => provider_id === seller.id)!
  expect(said.spent).toEqual({
    services_cost: row.services_cost,
    purchases_net: row.purchases_net,
    total: row.services_cost + row.purchases_net,
    before: row.before_cost + row.purchases_before,
  })
  expect(row.services_cost).toBe(90_000)
  expect(said.before).toEqual(report.before)
  expect(said.months.reduce((sum, { purchases_net }) => sum + (purchases_net ?? 0), 0)).toBe(row.purchases_net)
  const bought = (await house.call(ana, purchasing.providerPurchases, { params: { id: seller.id } })).body
  expect(bought).toMatchObject(said.purchases!)
  expect(said.purchases).toMatchObject({ deliveries: 1, late_deliveries: 1, average_days_late: 5, overdue_lines: 1 })
  expect(said.late).toMatchObject([
    { supply_id: filter.id, received_on: null, days: 10 },
    { supply_id: filter.id, received_on: addDays(today, -4), days: 5 },
  ])
  const owed = (await house.call(ana, payables.listPayables, { query: { filter: { Provider: [seller.id] } } })).body
  expect(said.owed).toEqual({ ...owed.totals, count: owed.total })
  expect(said.documents.length).toBeGreaterThan(0)
  expect([said.prices_count, said.risen_count]).toEqual([3, 1])
  expect(said.prices).toMatchObject([
    { supply_id: oil.id, last: 1500, before: 1300, year_ago: 1000, year_ago_on: yearAgo, quantity: 30 },
  ])
})

it('a warehouse says what its lists say', async () => {
  const said = (await house.call(ana, reportPages.warehouseSummary, { params: { id: bodega.id } })).body
  const { value, below_minimum, supplies_count, sent_value } = (
    await house.call(ana, warehouses.getWarehouse, { params: { id: bodega.id } })
  ).body
  expect(said).toMatchObject({ value, below_minimum, supplies_count, sent_value, open_orders: 1, late_orders: 1 })
  expect(said.categories.reduce((sum, one) => sum + (one.value ?? 0), 0)).toBe(value)
  // Six are still to come: what is short is what is there.
  expect(said.below).toEqual([])
  expect(said.dead).toMatchObject({ count: 1, value: 8000, supplies: [{ supply_id: belt.id, stock: 4 }] })
  const listed = (await house.call(ana, warehouses.listMovements, { query: { warehouse: bodega.id, per_page: 8 } }))
    .body.data
  expect(said.movements).toEqual(listed)
  expect(said.moved).toMatchObject({ entries: 3, exits: 3 })
})

it('what it lacks is said with what is already ordered', async () => {
  await house.call(ana, warehouses.setLimits, {
    params: { warehouse: bodega.id },
    body: { levels: [{ supply_id: filter.id, minimum: 18, maximum: 20 }] },
  })
  const said = (await house.call(ana, reportPages.warehouseSummary, { params: { id: bodega.id } })).body
  expect(said.below).toMatchObject([{ supply_id: filter.id, available: 15, minimum: 18, on_order: 6, incoming: 0 }])
  expect(said.below_minimum).toBe(1)
})
