import { sql } from 'drizzle-orm'
import type { Period } from '#contract/reports/periods.ts'
import type { TruckSummary } from '#contract/reports/reports.ts'
import { readingsTable, trucksTable } from '../fleet/tables.ts'
import { requireTruck } from '../fleet/trucks.ts'
import { COMPANY, type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { lookingAtTruck } from '../workshops/scope.ts'
import { availabilityIn, equipmentAvailability } from './availability.ts'
import { costPerKm, expensesByTruck, expensesOfType, kilometers } from './by-truck.ts'
import { lastMonths, monthSpan, spanOf, sumOf, today } from './expenses.ts'
import { listOrders } from './figure-rows.ts'
import { historicalExpenses } from './historical.ts'

/** As many years of its life as fit beside each other. */
const YEARS = 8
const EVENTS = 3
const MONTH_DAYS = 365 / 12

/** What the reports say of one truck: each figure is theirs, of wherever it was. */
export async function truckSummary(db: Db, who: Actor, id: number): Promise<TruckSummary> {
  const truck = await requireTruck(db, who, id)
  const actor = await lookingAtTruck(db, who)
  const sees = actor.may.has('reports.read')
  const day = today(actor)
  const year = Number(day.slice(0, 4))
  const ofYear = `${year}-01-01,${year}-12-31`
  const Truck = [id]
  const months = lastMonths(actor)
  const born = Number(truck.registered_at.slice(0, 4))
  const first = Math.max(Math.min(born, Number(months[0]!.slice(0, 4))), year - YEARS + 1)
  const years = Array.from({ length: year - first + 1 }, (_, i) => first + i)

  const { totals, range, before } = await expensesByTruck(db, actor, { filter: { BetweenDate: ofYear, Truck } })
  const available = await equipmentAvailability(db, actor, { filter: { BetweenDate: ofYear, Truck } })
  const byMonth = await availabilityIn(
    db,
    actor,
    months.map((month) => monthSpan(month, actor.time_zone)),
    { Truck },
  )
  const life = { BetweenDate: `${first}-01-01,${year}-12-31`, Truck }
  const spent =
    sees && (await historicalExpenses(db, actor, { filter: life, page: 1, per_page: 1, sort: '-total_cost' }))
  const events = sees && (await listOrders(db, actor, { filter: life, page: 1, per_page: EVENTS, sort: '-amount' }))
  const driven = await drivenIn(db, actor, id, [
    ...months.map((month) => ({ name: month, ...monthSpan(month, actor.time_zone) })),
    ...years.map((one) => ({
      name: String(one),
      ...spanOf({ from: `${one}-01-01`, to: `${one}-12-31` }, actor.time_zone),
    })),
  ])
  const counts = totals.labour !== null
  const figuresOf = (name: string) => {
    const { kilometers: km = 0, mileage = null } = driven.get(name) ?? {}
    const within = spent ? spent.months.filter(({ month }) => month.startsWith(name)) : null
    const total_cost = within ? sumOf(within, (month) => month.total_cost) : null
    const total_with_labour = within && counts ? sumOf(within, (month) => month.total_with_labour ?? 0) : null
    const perKm = (cost: number | null) => (cost === null ? null : costPerKm(cost, km))
    return {
      kilometers: km,
      mileage,
      total_cost,
      cost_per_km: perKm(total_cost),
      total_with_labour,
      cost_per_km_with_labour: perKm(total_with_labour),
    }
  }
  const { kilometers: km, cost_per_km, cost_per_km_with_labour, budget: _, ...costs } = totals
  return {
    range,
    before,
    costs: sees ? costs : null,
    kilometers: km,
    cost_per_km: sees ? cost_per_km : null,
    cost_per_km_with_labour: sees ? cost_per_km_with_labour : null,
    availability: available.totals,
    kin: await kinOf(db, actor, truck, range, sees),
    months: months.map((month, i) => {
      const { mileage: _, ...figures } = figuresOf(month)
      const { availability, hours_stopped } = byMonth[i]!
      return { month, ...figures, availability, hours_stopped }
    }),
    years: years.map((one) => ({ year: one, ...figuresOf(String(one)) })),
    events: events
      ? events.data.map(({ work_order_id, code, request, created_at, amount, labour }) => ({
          work_order_id,
          code,
          request,
          created_at,
          amount,
          labour,
        }))
      : null,
  }
}

/** The trucks of its type that drove or cost something, this year. */
async function kinOf(
  db: Db,
  actor: Actor,
  { type_of_truck_id, type_name }: { type_of_truck_id: number | null; type_name: string | null },
  range: Period,
  sees: boolean,
) {
  if (type_of_truck_id === null || type_name === null) return null
  const { trucks, ...kin } = await expensesOfType(db, actor, `${range.from},${range.to}`, type_of_truck_id)
  const asked = { Type: type_of_truck_id }
  const [available] = await availabilityIn(db, actor, [spanOf(range, actor.time_zone)], asked)
  const passed = (Date.parse(today(actor)) - Date.parse(range.from)) / 86_400_000 + 1
  return {
    type: type_name,
    trucks,
    cost_per_km: sees ? kin.cost_per_km : null,
    cost_per_km_with_labour: sees ? kin.cost_per_km_with_labour : null,
    kilometers_per_month: trucks.length === 0 ? 0 : Math.round((kin.kilometers / trucks.length / passed) * MONTH_DAYS),
    availability: available?.availability ?? null,
  }
}

/** What it drove in some periods, as the reports count it, and what its meter showed at the end of each. */
async function drivenIn(db: Db, actor: Actor, id: number, periods: { name: string; start: string; end: string }[]) {
  const found = await rows<{ name: string; kilometers: number; mileage: number | null }>(
    db,
    sql`select p.name, ${kilometers({ start: sql`p.start`, end: sql`p."end"` })} as kilometers,
          (select r.km from ${readingsTable} r where r.company_id = ${COMPANY} and r.truck_id = t.id
            and not coalesce(r.closed_as, r.superseded) and r.date < p."end" order by r.date desc, r.id desc limit 1) as mileage
        from ${trucksTable} t
        cross join unnest(${sql.param(periods.map(({ name }) => name))}::text[],
          ${sql.param(periods.map(({ start }) => start))}::timestamptz[],
          ${sql.param(periods.map(({ end }) => end))}::timestamptz[]) as p (name, start, "end")
        where t.company_id = ${actor.company_id} and t.id = ${id}`,
  )
  return new Map(found.map(({ name, ...figures }) => [name, figures]))
}
