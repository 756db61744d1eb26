import { sql } from 'drizzle-orm'
import type { Truck } from '#contract/fleet/fleet.ts'
import type { TruckSummary } from '#contract/reports/reports.ts'
import type { OrderRows } from '#contract/reports/rows.ts'
import { readingsTable, trucksTable } from '../../fleet/tables.ts'
import { requireTruck } from '../../fleet/trucks.ts'
import { batch, COMPANY, type Db, rows, snapshot } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { seesLabour } from '../../workshops/company.ts'
import { lookingAtTruck } from '../../workshops/scope.ts'
import { availabilityIn, availabilityOfAll } from '../availability/availability.ts'
import { costPerKm, expensesOfType, totalsByTruck } from '../expenses/by-truck.ts'
import { spentPerMonth } from '../expenses/historical.ts'
import { ordersIn } from '../expenses/orders.ts'
import { lastMonths, monthSpan, periodsOf, type Span, spanOf, sumOf, today } from '../expenses.ts'
import { kilometersAtHome } from '../kilometers.ts'

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

  const { range, before, span, earlier } = periodsOf(actor, ofYear)
  const life = spanOf({ from: `${first}-01-01`, to: `${year}-12-31` }, actor.time_zone)
  const asked: OrderRows = { filter: { Truck }, page: 1, per_page: EVENTS, sort: '-amount' }
  const { counts, totals, spent, events, driven, kin } = await snapshot(db, async () => {
    const counts = await seesLabour(db, actor)
    const { totals, spent, events, driven, kin } = await batch({
      totals: totalsByTruck(db, actor, span, earlier, { Truck }, counts),
      spent: sees ? spentPerMonth(db, actor, life, { Truck }, counts) : Promise.resolve(null),
      events: sees ? ordersIn(db, actor, asked, life) : Promise.resolve(null),
      driven: drivenIn(db, actor, id, [
        ...months.map((month) => ({ name: month, ...monthSpan(month, actor.time_zone) })),
        ...years.map((one) => ({
          name: String(one),
          ...spanOf({ from: `${one}-01-01`, to: `${one}-12-31` }, actor.time_zone),
        })),
      ]),
      kin:
        truck.type_of_truck_id === null
          ? Promise.resolve(null)
          : expensesOfType(db, actor, span, earlier, truck.type_of_truck_id, counts),
    })
    return { counts, totals, spent, events, driven, kin }
  })
  const { totals: available, more: byMonth } = await availabilityOfAll(
    db,
    actor,
    [span, earlier, ...months.map((month) => monthSpan(month, actor.time_zone))],
    { Truck },
  )
  const figuresOf = (name: string) => {
    const { kilometers: km = 0, mileage = null } = driven.get(name) ?? {}
    const within = spent ? spent.filter(({ month }) => month.startsWith(name)) : null
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
  const { kilometers: km, cost_per_km, cost_per_km_with_labour, ...costs } = totals
  return {
    range,
    before,
    costs: sees ? costs : null,
    kilometers: km,
    cost_per_km: sees ? cost_per_km : null,
    cost_per_km_with_labour: sees ? cost_per_km_with_labour : null,
    availability: available,
    kin: kin && (await kinOf(db, actor, truck, span, kin, sees)),
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
  { type_of_truck_id, type_name }: Pick<Truck, 'type_of_truck_id' | 'type_name'>,
  span: Span,
  { trucks, ...kin }: Awaited<ReturnType<typeof expensesOfType>>,
  sees: boolean,
) {
  if (type_of_truck_id === null || type_name === null) return null
  const [available] = await snapshot(db, () => availabilityIn(db, actor, [span], { Type: type_of_truck_id }))
  const passed = (Date.parse(today(actor)) - Date.parse(span.from)) / 86_400_000 + 1
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
    sql`select p.name, ${kilometersAtHome(actor, {}, { start: sql`p.start`, end: sql`p."end"` })} as kilometers,
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
