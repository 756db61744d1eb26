import { type SQL, sql } from 'drizzle-orm'
import type { CostCenterExpenses, ReportQuery, TruckExpenses } from '#contract/reports/reports.ts'
import { costCentersTable, readingsTable, trucksTable } from '../fleet/tables.ts'
import { atOneMoment, type Db, execute } from '../platform/database/db.ts'
import { all, oneOf } from '../platform/database/lists.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { inScope } from '../workshops/scope.ts'
import { type Ground, type Narrowing, periodsOf, perOrder, type Span, spending, sumOf } from './expenses.ts'
import { groundOf } from './month-sums.ts'

/** What each truck spent: truck_id, orders, supplies, services. */
const perTruck = (actor: Actor, ground: Ground, filter: Narrowing) => sql`(
  select truck_id, count(*) as orders, sum(supplies) as supplies, sum(services) as services
  from ${perOrder(actor, ground, filter)} x group by 1)`
const costPerTruck = (actor: Actor, ground: Ground, filter: Narrowing) => sql`(
  select truck_id, sum(supplies + services) as cost from ${spending(actor, ground, filter)} x group by 1)`

/**
 * Kilometres that truck `t` drove in a period: what its meter showed at the end less what it showed when it began, or
 * first showed after that. Readings that a correction took back do not count.
 */
export const kilometers = (span: Span): SQL => {
  const shown = (when: SQL, order: SQL) => sql`(select r.km from ${readingsTable} r
    where r.company_id = t.company_id and r.truck_id = t.id and not r.superseded and ${when} order by ${order} limit 1)`
  const [start, end] = [sql`${span.start}::timestamptz`, sql`${span.end}::timestamptz`]
  return sql`greatest(0, coalesce(
    ${shown(sql`r.date < ${end}`, sql`r.date desc, r.id desc`)} - coalesce(
      ${shown(sql`r.date < ${start}`, sql`r.date desc, r.id desc`)},
      ${shown(sql`r.date >= ${start} and r.date < ${end}`, sql`r.date, r.id`)}), 0))`
}

/** Pesos with two decimals. */
export const costPerKm = (pesos: number, km: number) => (km > 0 ? Math.round((pesos / km) * 100) / 100 : null)

export async function expensesByTruck(db: Db, actor: Actor, { filter }: ReportQuery) {
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate)
  const found = await atOneMoment(db, async () => {
    const [now, then] = [await groundOf(db, actor, span), await groundOf(db, actor, earlier)]
    return execute<Omit<TruckExpenses, 'total_cost' | 'cost_per_km'>>(
      db,
      sql`select * from (
          select t.id as truck_id, t.code as truck_code, t.patent, t.cost_center_id, c.name as cost_center,
            coalesce(x.orders, 0) as orders, coalesce(x.supplies, 0) as supplies_cost,
            coalesce(x.services, 0) as services_cost, coalesce(b.cost, 0) as before_cost,
            ${kilometers(span)} as kilometers
          from ${trucksTable} t
          left join ${perTruck(actor, now, filter)} x on x.truck_id = t.id
          left join ${costPerTruck(actor, then, filter)} b on b.truck_id = t.id
          left join ${costCentersTable} c on c.company_id = t.company_id and c.id = t.cost_center_id
          where ${all([
            sql`t.company_id = ${actor.company_id}`,
            oneOf(sql`t.id`, filter.Truck),
            sql`(x.truck_id is not null or b.truck_id is not null or (${inScope(actor, sql`t`, filter.WorkshopId)}))`,
          ])}) t
        where orders > 0 or before_cost > 0 or kilometers > 0
        order by supplies_cost + services_cost desc, truck_code, truck_id`,
    )
  })
  const data = found.map((truck): TruckExpenses => {
    const total_cost = truck.supplies_cost + truck.services_cost
    return { ...truck, total_cost, cost_per_km: costPerKm(total_cost, truck.kilometers) }
  })
  const centers = [...Map.groupBy(data, (truck) => truck.cost_center_id).values()]
    .map((trucks): CostCenterExpenses => {
      const { cost_center_id, cost_center } = trucks[0]!
      return { cost_center_id, cost_center, trucks: trucks.length, ...added(trucks) }
    })
    .sort((a, b) => b.total_cost - a.total_cost)
  return { data, total: data.length, cost_centers: centers, totals: added(data), range, before }
}

function added(trucks: TruckExpenses[]) {
  const sums = {
    orders: sumOf(trucks, (t) => t.orders),
    supplies_cost: sumOf(trucks, (t) => t.supplies_cost),
    services_cost: sumOf(trucks, (t) => t.services_cost),
    total_cost: sumOf(trucks, (t) => t.total_cost),
    before_cost: sumOf(trucks, (t) => t.before_cost),
    kilometers: sumOf(trucks, (t) => t.kilometers),
  }
  return { ...sums, cost_per_km: costPerKm(sums.total_cost, sums.kilometers) }
}
