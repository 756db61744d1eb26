import { beforeAll, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { companies } from '#contract/workshops/company.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { spend as spendOn } from '../../test/spending.ts'

const house = openHouse()

let boss: Member
let mechanic: Member
let truck: { id: number }
const today = dayOf(new Date())
const year = today.slice(0, 4)

beforeAll(async () => {
  boss = await house.given.member({ role: 'super-admin' })
  const { company_id, workshop_id } = boss
  mechanic = await house.given.member({ role: 'specialist', company_id, workshop_id })
  const type = await house.given.truckType(boss, 'Tractocamión')
  truck = await house.given.truck(boss, { type_of_truck_id: type.id, mileage: 12_000 })
  const other = await house.given.truck(boss, { type_of_truck_id: type.id, mileage: 12_000 })
  const service = await house.given.service(boss)
  const spend = (truck_id: number, unit_price: number, hours: number) =>
    house.given.workOrder(boss, {
      truck_id,
      request: 'Frenos',
      workshop_entry_at: new Date(Date.now() - hours * 3_600_000).toISOString(),
      services: [{ service_id: service.id, quantity: 1, unit_price }],
    })
  await spend(truck.id, 120_000, 3)
  await spend(truck.id, 80_000, 1)
  await spend(other.id, 300_000, 2)
  for (const { id } of [truck, other])
    await house.call(boss, fleet.recordReading, {
      params: { id },
      body: { km: 10_000, date: new Date(Date.now() - 4 * 86_400_000).toISOString() },
    })
})

const summary = async (who: Member) => (await house.call(who, reports.truckSummary, { params: { id: truck.id } })).body

it('says what the reports say, to the peso', async () => {
  const said = await summary(boss)
  const filter = { BetweenDate: `${year}-01-01,${year}-12-31`, Truck: [truck.id] }
  const { totals } = (await house.call(boss, reports.expensesByTruck, { query: { filter } })).body
  expect(totals.total_cost).toBeGreaterThan(0)
  expect(said.costs).toMatchObject({ total_cost: totals.total_cost, before_cost: totals.before_cost })
  expect([said.kilometers, said.cost_per_km]).toEqual([totals.kilometers, totals.cost_per_km])
  const kin = (
    await house.call(boss, reports.expensesByTruck, { query: { filter: { ...filter, Truck: said.kin!.trucks } } })
  ).body
  expect(said.kin).toMatchObject({ type: 'Tractocamión', cost_per_km: kin.totals.cost_per_km })
  expect(said.kin!.trucks).toHaveLength(2)
  const stops = (await house.call(boss, reports.availability, { query: { filter } })).body
  expect(said.availability.hours_stopped).toBeCloseTo(stops.totals.hours_stopped, 2)
  const months = (await house.call(boss, reports.historicalExpenses, { query: { filter } })).body.months
  for (const { month, total_cost } of months)
    expect(said.months.find((one) => one.month === month)?.total_cost ?? 0).toBe(total_cost)
  expect(said.years.at(-1)).toMatchObject({ year: Number(year), total_cost: totals.total_cost, mileage: 12_000 })
  expect(said.events).toMatchObject([{ request: 'Frenos' }, { request: 'Frenos' }])
})

it('says nothing of costs to those who see none', async () => {
  const said = await summary(mechanic)
  expect([said.costs, said.cost_per_km, said.events, said.kin!.cost_per_km]).toEqual([null, null, null, null])
  expect(said.months.every(({ total_cost, cost_per_km }) => total_cost === null && cost_per_km === null)).toBe(true)
  expect(said.kilometers).toBeGreaterThan(0)
})

it('says labour beside everything that is a cost, where it counts', async () => {
  const before = await summary(boss)
  const isNone = (figures: { total_with_labour: number | null; cost_per_km_with_labour: number | null }) =>
    figures.total_with_labour === null && figures.cost_per_km_with_labour === null
  expect([...before.months, ...before.years].every(isNone)).toBe(true)
  expect([before.cost_per_km_with_labour, before.kin!.cost_per_km_with_labour]).toEqual([null, null])
  const { id: specialist_id } = await house.given.specialist(boss)
  const at = new Date().toISOString()
  await spendOn(house, boss, { truck_id: truck.id, labour: [{ specialist_id, minutes: 90, at }] })
  await house.call(boss, companies.updateSettings, { body: { labour_counts: true } })
  const said = await summary(boss)
  const filter = { BetweenDate: `${year}-01-01,${year}-12-31`, Truck: [truck.id] }
  const { totals } = (await house.call(boss, reports.expensesByTruck, { query: { filter } })).body
  expect(totals.labour).toBe(9000)
  const { total_cost, total_with_labour, cost_per_km_with_labour, before_with_labour } = totals
  expect(said.costs).toMatchObject({ total_cost, labour: 9000, total_with_labour, before_with_labour })
  expect(said.cost_per_km_with_labour).toBe(cost_per_km_with_labour)
  expect(said.years.at(-1)).toMatchObject({ total_cost, total_with_labour, cost_per_km_with_labour })
  expect(said.months.at(-1)!.total_with_labour! - said.months.at(-1)!.total_cost!).toBe(9000)
  expect(said.kin!.cost_per_km_with_labour).toBeGreaterThan(said.kin!.cost_per_km!)
  const hidden = await summary(mechanic)
  expect([...hidden.months, ...hidden.years].every(isNone)).toBe(true)
})

it('says what it cost wherever it was, to who sees it as the company shares its trucks, and opens the rows of that', async () => {
  const { company_id } = boss
  const workshop_id = await house.given.workshop(company_id)
  const chief = await house.given.member({ role: 'admin', company_id, workshop_id })
  await house.given.setting(company_id, 'shared_fleet', true)
  const service = await house.given.service(chief)
  const services = [{ service_id: service.id, quantity: 1, unit_price: 40_000 }]
  await house.given.workOrder(chief, { truck_id: truck.id, services })
  const [whole, said] = [await summary(boss), await summary(chief)]
  expect(whole.costs!.total_cost).toBe(240_000)
  const { costs, kilometers, cost_per_km, years, events } = whole
  expect(said).toMatchObject({ costs, kilometers, cost_per_km, years, events })
  expect(said.availability.hours_stopped).toBeCloseTo(whole.availability.hours_stopped, 2)
  const filter = { BetweenDate: `${year}-01-01,${year}-12-31`, Truck: [truck.id] }
  const spent = async (more: object) =>
    (await house.call(chief, reportRows.expenseRows, { query: { filter: { ...filter, ...more } } })).body.totals.amount
  expect(await spent({ Anywhere: 'true' })).toBe(whole.costs!.total_cost)
  expect(await spent({})).toBe(40_000)
  expect(await spent({ Truck: said.kin!.trucks, Anywhere: 'true' })).toBe(40_000)
  await house.given.setting(company_id, 'shared_fleet', false)
  expect((await house.call(chief, reports.truckSummary, { params: { id: truck.id } })).status).toBe(404)
  expect(await spent({ Anywhere: 'true' })).toBe(40_000)
})
