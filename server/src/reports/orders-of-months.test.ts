import { beforeAll, expect, it } from 'vitest'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { spend } from '../../test/spending.ts'

const house = openHouse()
let owner: Member
let trucks: { id: number }[]
let supply: { id: number }
let service: { id: number; provider_id: number }
let long: number

const taken = (at: string, count: number, amount: number) => ({ supply_id: supply.id, count, amount, at })

beforeAll(async () => {
  const { given } = house
  owner = await given.member({ role: 'super-admin' })
  await given.setting(owner.company_id, 'has_warehouse', false)
  trucks = [await given.truck(owner), await given.truck(owner)]
  supply = await given.supply(owner, { category_id: (await given.category(owner)).id })
  service = await given.service(owner)
  const served = (at: string, amount: number) => ({
    provider_id: service.provider_id,
    service_id: service.id,
    amount,
    at,
  })
  // Two months and a half of one order, beside others of a day.
  long = await spend(house, owner, {
    truck_id: trucks[0]!.id,
    supplies: [taken('2026-03-10T12:00:00Z', 2, 10_000)],
    services: [served('2026-04-12T12:00:00Z', 7_000)],
  })
  for (const [i, at] of ['2026-03-20', '2026-04-02', '2026-04-28', '2026-05-15'].entries())
    await spend(house, owner, {
      truck_id: trucks[i % 2]!.id,
      supplies: [taken(`${at}T15:00:00Z`, 1, 1_000 * (i + 1))],
      services: i === 2 ? [served('2026-05-03T12:00:00Z', 500)] : [],
    })
})

const PERIODS = ['2026-01-01,2026-12-31', '2026-03-15,2026-05-10', '2026-04-01,2026-04-30', '2026-04-05,2026-04-20']

/** What every report of orders says, each of which agrees with the others. */
const said = async () => {
  const told: unknown[] = []
  for (const BetweenDate of PERIODS)
    for (const filter of [{ BetweenDate }, { BetweenDate, Truck: [trucks[0]!.id] }]) {
      const query = { filter }
      const { body: rows } = await house.call(owner, reportRows.expenseRows, { query })
      const { body: trucks } = await house.call(owner, reports.expensesByTruck, { query })
      const { body: orders } = await house.call(owner, reports.historicalExpenses, { query })
      const { body: counted } = await house.call(owner, reportRows.orderRows, { query })
      const { body: chart } = await house.call(owner, reports.chartSuppliesByTruck, { query })
      // Each order once, and as many lines as there are.
      expect(trucks.totals.orders).toBe(counted.total)
      expect(rows.total).toBe(rows.data.length)
      expect(rows.totals.amount).toBe(rows.data.reduce((sum, { amount }) => sum + amount, 0))
      told.push(rows, trucks, orders, counted, chart)
    }
  // Pages of what is ranked are parts of all of it.
  const ranked = [
    { call: reportRows.expenseRows, sort: '-amount' },
    { call: reportRows.expenseRows, sort: 'amount' },
    { call: reportRows.expenseRows, sort: '-amount', CostCenter: ['none'] },
    { call: reportRows.expenseRows, sort: 'amount', CostCenter: ['none'] },
    { call: reportRows.orderRows, sort: 'code', CostCenter: ['none'] },
    { call: reportRows.orderRows, sort: '-amount' },
    { call: reportRows.orderRows, sort: 'code' },
    ...(['total_cost', '-code', 'patent', '-patent', 'created_at', '-created_at', '-services_cost'] as const).map(
      (sort) => ({ call: reports.historicalExpenses, sort }),
    ),
  ] as const
  for (const BetweenDate of PERIODS.slice(0, 2))
    for (const { call, sort, ...filter } of ranked) {
      const ask = async (page: number, per_page: number) => {
        const query = { filter: { BetweenDate, ...filter }, sort, page, per_page } as never
        return (await house.call(owner, call, { query })).body
      }
      const [whole, second] = [await ask(1, 100), await ask(2, 2)]
      expect<unknown[]>(second.data).toEqual(whole.data.slice(2, 4))
      expect([second.total, whole.total]).toEqual([whole.data.length, whole.data.length])
      told.push(whole)
    }
  return told
}

it('counts an order of several months once, in any period, whichever order changed since', async () => {
  /** What the year comes to, and how many orders spent in it. */
  const year = async () => {
    const reports = (await said()) as { total: number; totals: { amount?: number } }[]
    return [reports[3]!.total, reports[3]!.totals.amount]
  }
  expect(await year()).toEqual([5, 27_500])

  // The order passes to another truck, and loses a line.
  const {
    supplies: lines,
    works,
    services,
    ...order
  } = (await house.call(owner, workOrders.getWorkOrder, { params: { id: long } })).body
  const body = { ...order, truck_id: trucks[1]!.id, works, services, supplies: lines, has_warehouse: false }
  expect((await house.call(owner, workOrders.updateWorkOrder, { params: { id: long }, body })).status).toBe(200)
  expect(await year()).toEqual([5, 27_500])
  const [line] = lines
  expect((await house.call(owner, workOrderParts.deleteSupplyLine, { params: { id: line!.id } })).status).toBeLessThan(
    300,
  )
  expect(await year()).toEqual([5, 17_500])
  expect((await house.call(owner, workOrders.deleteWorkOrder, { params: { id: long } })).status).toBe(204)
  expect(await year()).toEqual([4, 10_500])
})
