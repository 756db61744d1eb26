import { beforeAll, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { fleetCatalogues } from '#contract/fleet/catalogues.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { budgets } from '#contract/reports/budgets.ts'
import { reports } from '#contract/reports/reports.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()
const today = dayOf(new Date())
const year = Number(today.slice(0, 4))
const month = Number(today.slice(5, 7)) - 1
const only = (amount: number | null) => Array.from({ length: 12 }, (_, i) => (i === month ? amount : null))

let boss: Member
let center: { id: number }
let idle: { id: number }

beforeAll(async () => {
  boss = await house.given.member({ role: 'super-admin' })
  center = await house.given.costCenter(boss)
  idle = await house.given.costCenter(boss)
  const service = await house.given.service(boss)
  const spend = async (cost_center_id: number | null, unit_price: number) =>
    house.given.workOrder(boss, {
      truck_id: (await house.given.truck(boss, { cost_center_id })).id,
      services: [{ service_id: service.id, quantity: 1, unit_price }],
    })
  await spend(center.id, 150_000)
  await spend(null, 40_000)
})

const read = async (who = boss) => (await house.call(who, budgets.getBudgets, { query: { year } })).body
const byTruck = async (who: Member, filter = {}) =>
  (await house.call(who, reports.expensesByTruck, { query: { filter } })).body

it('is typed once, and stands in the report and on the morning page', async () => {
  expect((await read()).data.every(({ months }) => months.every((amount) => amount === null))).toBe(true)
  expect((await byTruck(boss)).totals.budget).toBeNull()
  expect((await house.call(boss, reports.summary, {})).body.budget).toBeNull()
  const saved = await house.call(boss, budgets.setBudgets, {
    body: {
      year,
      budgets: [
        { cost_center_id: center.id, months: only(100_000) },
        { cost_center_id: idle.id, months: only(50_000) },
        { cost_center_id: null, months: only(80_000) },
      ],
    },
  })
  expect(saved.status).toBe(200)
  expect(await read()).toEqual(saved.body)
  const report = await byTruck(boss)
  expect(report.totals).toMatchObject({ budget: 230_000, total_cost: 190_000 })
  const of = (id: number | null) => report.cost_centers.find(({ cost_center_id }) => cost_center_id === id)
  expect(of(center.id)).toMatchObject({ total_cost: 150_000, budget: 100_000 })
  expect(of(idle.id)).toMatchObject({ total_cost: 0, budget: 50_000, trucks: 0 })
  expect(of(null)).toMatchObject({ total_cost: 40_000, budget: 80_000 })
  const { budget } = (await house.call(boss, reports.summary, {})).body
  expect(budget).toMatchObject({ budget: 230_000, total_cost: 190_000 })
  expect(budget!.cost_centers.map(({ cost_center_id }) => cost_center_id)).toEqual([center.id, null, idle.id])
})

it('is spent by whom a truck was of that day', async () => {
  const service = await house.given.service(boss)
  const truck = await house.given.truck(boss, { cost_center_id: center.id })
  await house.given.workOrder(boss, {
    truck_id: truck.id,
    services: [{ service_id: service.id, quantity: 1, unit_price: 7_000 }],
  })
  const { body } = await house.call(boss, fleet.getTruck, { params: { id: truck.id } })
  const moved = { ...body, cost_center_id: idle.id, cost_center_from: today }
  expect((await house.call(boss, fleet.updateTruck, { params: { id: truck.id }, body: moved })).status).toBe(200)
  const { cost_centers } = (await house.call(boss, reports.summary, {})).body.budget!
  expect(cost_centers.find(({ cost_center_id }) => cost_center_id === idle.id)!.total_cost).toBe(7_000)
  const report = new Map((await byTruck(boss)).cost_centers.map((each) => [each.cost_center_id, each.total_cost]))
  expect(cost_centers.map(({ total_cost }) => total_cost)).toEqual(
    cost_centers.map(({ cost_center_id }) => report.get(cost_center_id)),
  )
})

it('counts the days of a month that is cut, and nothing for some trucks', async () => {
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const first = `${today.slice(0, 8)}01`
  const half = await byTruck(boss, { BetweenDate: `${first},${today.slice(0, 8)}15` })
  expect(half.totals.budget).toBe(
    Math.round((100_000 * 15) / days) + Math.round((50_000 * 15) / days) + Math.round((80_000 * 15) / days),
  )
  const truck = await house.given.truck(boss)
  expect((await byTruck(boss, { Truck: [truck.id] })).totals.budget).toBeNull()
})

it('is of the whole company: who works in one workshop sees that of its centres', async () => {
  const { company_id } = boss
  const chief = await house.given.member({ company_id })
  const own = await house.given.costCenter(chief)
  await house.call(boss, budgets.setBudgets, {
    body: { year, budgets: [{ cost_center_id: own.id, months: only(70_000) }] },
  })
  expect((await byTruck(chief)).totals.budget).toBe(70_000)
  const body = { year, budgets: [{ cost_center_id: own.id, months: only(1) }] }
  expect((await house.call(chief, budgets.setBudgets, { body })).status).toBe(403)
  expect((await read(chief)).data.map(({ cost_center_id }) => cost_center_id)).toEqual([own.id, null])
})

it('refuses what is no amount, whom it does not know, and what was read before somebody else wrote', async () => {
  const put = (body: object) => house.call(boss, budgets.setBudgets, { body: { year, ...body } as never })
  const wrong = await put({ budgets: [{ cost_center_id: center.id, months: only(-5) }] })
  expect(wrong.failure.errors).toHaveProperty([`budgets.0.months.${month}`])
  const stranger = await house.given.costCenter(await house.given.member())
  expect((await put({ budgets: [{ cost_center_id: stranger.id, months: only(5) }] })).failure.errors).toEqual({
    'budgets.0.cost_center_id': ['Elija un centro de costo de la lista.'],
  })
  const { updated_at } = await read()
  const next = { budgets: [{ cost_center_id: center.id, months: only(120_000) }], updated_at }
  expect((await put(next)).status).toBe(200)
  expect((await put(next)).status).toBe(409)
  // What is emptied is gone.
  expect((await put({ budgets: [{ cost_center_id: center.id, months: only(null) }] })).status).toBe(200)
  expect((await read()).data.find((one) => one.cost_center_id === center.id)!.months).toEqual(only(null))
})

it('a cost centre with a budget is in use', async () => {
  expect((await house.call(boss, fleetCatalogues.deleteCostCenter, { params: { id: idle.id } })).status).toBe(409)
})
