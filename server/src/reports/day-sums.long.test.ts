import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { spend } from '../../test/spending.ts'
import { FEW, markDays } from '../work-orders/changed-months.ts'
import { sumMonths } from './month-sums.ts'

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

/** What every report says that is taken from sums of orders. */
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

/** The same as if nothing had been summed by day, or by category, or ranked. */
const without = async (what: 'detailed' | 'ranked' | 'filed') => {
  const mine = 'where company_id = $1'
  await house.owner.query(`update expense_months set ${what} = null ${mine}`, [owner.company_id])
  const told = await said()
  await house.owner.query(`update expense_months set ${what} = version ${mine}`, [owner.company_id])
  return told
}

it('sums by day and by truck say what the lines say, whichever order changed since', async () => {
  const agree = async () => expect(await said()).toEqual(await without('detailed'))
  await sumMonths(house.app.database, owner.company_id)
  await agree()

  // Another truck's, and a line less: what is summed of it is left out.
  const {
    supplies: lines,
    works,
    services,
    ...order
  } = (await house.call(owner, workOrders.getWorkOrder, { params: { id: long } })).body
  const body = { ...order, truck_id: trucks[1]!.id, works, services, supplies: lines, has_warehouse: false }
  expect((await house.call(owner, workOrders.updateWorkOrder, { params: { id: long }, body })).status).toBe(200)
  const marks = await house.owner.query('select work_order_id from expense_changes where company_id = $1', [
    owner.company_id,
  ])
  expect(new Set(marks.rows.map((mark) => Number(mark.work_order_id)))).toEqual(new Set([long]))
  await agree()
  const [line] = lines
  expect((await house.call(owner, workOrderParts.deleteSupplyLine, { params: { id: line!.id } })).status).toBeLessThan(
    300,
  )
  await agree()

  await sumMonths(house.app.database, owner.company_id)
  await agree()
  expect((await house.call(owner, workOrders.deleteWorkOrder, { params: { id: long } })).status).toBe(204)
  await agree()
  await sumMonths(house.app.database, owner.company_id)
  await agree()
  expect(await said()).toEqual(await without('ranked'))
  expect(await said()).toEqual(await without('filed'))
})

it('of many orders that change at once the month is marked, not each of them', async () => {
  const { company_id } = await house.given.member({ role: 'super-admin' })
  const marked = async (orders: number) => {
    const moments = sql`select timestamptz '2026-03-10 12:00Z', n::bigint from generate_series(1, ${orders}::int) n`
    await house.app.database.write(company_id, (db) => markDays(db, { company_id, time_zone: 'UTC' }, moments))
    const { rows } = await house.owner.query(
      'delete from expense_changes where company_id = $1 returning month, work_order_id',
      [company_id],
    )
    return rows
  }
  expect(await marked(FEW)).toHaveLength(FEW)
  expect(await marked(FEW + 1)).toEqual([{ month: '2026-03', work_order_id: null }])
})
