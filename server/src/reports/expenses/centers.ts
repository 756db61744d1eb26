import { type SQL, sql } from 'drizzle-orm'
import { centerOn } from '../../fleet/cost-centers.ts'
import { costCentersTable, truckCostCentersTable, trucksTable } from '../../fleet/tables.ts'
import { type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { expensesIn, type Narrowing, type Span, SUMS, withLabourIf } from '../expenses.ts'
import { kilometersAtHome } from '../kilometers.ts'

/* Cost centres of trucks are dated: a truck that changed its centre in a period is in each with what it spent and drove there. */

/** Days on which a truck was of one centre, and what it drove on those of them that are in the period. */
export interface Stretch {
  truck_id: number
  cost_center_id: number | null
  cost_center: string | null
  start: string
  end: string
  kilometers: number
}

/** That some changed their centre after a day, and by the end of a period. */
const changedCenter = (actor: Actor, since: string, { to }: Span) =>
  sql`company_id = ${actor.company_id} and until_day > ${since}::date and until_day <= ${to}::date`

/** Whether any truck did. */
export const anyMoved = async (db: Db, actor: Actor, since: string, span: Span) => {
  const moved = await rows(
    db,
    sql`select truck_id from ${truckCostCentersTable} where ${changedCenter(actor, since, span)} limit 1`,
  )
  return moved.length > 0
}

/** Stretches of the trucks that changed their centre between two days, with what each drove at home in the workshops asked about. */
export const stretchesOf = (db: Db, actor: Actor, since: string, span: Span, filter: Narrowing) => {
  const moment = (day: SQL) => sql`(${day}::timestamp at time zone ${actor.time_zone})`
  return rows<Stretch>(
    db,
    sql`select u.truck_id, u.cost_center_id, c.name as cost_center, u.start, u."end",
          case when u.start < u."end" then ${kilometersAtHome(actor, filter, { start: sql`u.start`, end: sql`u."end"` })} else 0 end as kilometers
        from (
          select b.truck_id, b.cost_center_id, b.until_day,
            greatest(${span.start}::timestamptz, ${moment(sql`lag(b.until_day) over by_day`)}) as start,
            least(${span.end}::timestamptz, ${moment(sql`b.until_day`)}) as "end",
            lag(b.until_day) over by_day as from_day
          from (
            select truck_id, until_day, cost_center_id from ${truckCostCentersTable} where company_id = ${actor.company_id}
            union all
            select id, 'infinity'::date, cost_center_id from ${trucksTable} where company_id = ${actor.company_id}) b
          where b.truck_id in (select truck_id from ${truckCostCentersTable} where ${changedCenter(actor, since, span)})
          window by_day as (partition by b.truck_id order by b.until_day)) u
        join ${trucksTable} t on t.company_id = ${actor.company_id} and t.id = u.truck_id
        left join ${costCentersTable} c on c.company_id = ${actor.company_id} and c.id = u.cost_center_id
        where u.until_day > ${since}::date and coalesce(u.from_day, '-infinity') <= ${span.to}::date
        order by u.truck_id, u.until_day`,
  )
}

/** What a truck spent, in a period and in the one before, while it was of one centre. */
export interface SpentInCenter {
  truck_id: number
  cost_center_id: number | null
  orders: number
  supplies_cost: number
  services_cost: number
  labour: number
  before_cost: number
  before_labour: number
}

export const spentInCenters = (db: Db, actor: Actor, span: Span, earlier: Span, filter: Narrowing, counts: boolean) => {
  const perDay = (period: Span) =>
    sql`select e.truck_id, e.source_id, e.day, ${SUMS}
        from ${expensesIn(actor, period, filter, withLabourIf(counts))} group by e.truck_id, e.source_id, e.day`
  return rows<SpentInCenter>(
    db,
    sql`select x.truck_id, k.cost_center_id, count(distinct x.source_id) filter (where x.now) as orders,
          coalesce(sum(x.supplies) filter (where x.now), 0) as supplies_cost,
          coalesce(sum(x.services) filter (where x.now), 0) as services_cost,
          coalesce(sum(x.labour) filter (where x.now), 0) as labour,
          coalesce(sum(x.supplies + x.services) filter (where not x.now), 0) as before_cost,
          coalesce(sum(x.labour) filter (where not x.now), 0) as before_labour
        from (select n.*, true as now from (${perDay(span)}) n union all select b.*, false from (${perDay(earlier)}) b) x
        join ${trucksTable} t on t.company_id = ${actor.company_id} and t.id = x.truck_id ${centerOn(sql`x.day`)}
        group by 1, 2`,
  )
}

/** What the trucks of each cost centre cost while they were of it, by its id. */
export async function spentByCenter(db: Db, actor: Actor, span: Span, filter: Narrowing) {
  const found = await rows<{ cost_center_id: number | null; cost: number }>(
    db,
    // Only of trucks that changed their centre the day says which one it was.
    sql`with moved as materialized (
          select distinct truck_id from ${truckCostCentersTable} where ${changedCenter(actor, span.from, span)})
        select k.cost_center_id, sum(x.cost) as cost from (
          select e.truck_id, case when m.truck_id is null then ${span.to}::date else e.day end as day, sum(e.amount) as cost
          from (select e.* from ${expensesIn(actor, span, filter, withLabourIf(false))}) e
          left join moved m on m.truck_id = e.truck_id group by 1, 2) x
        join ${trucksTable} t on t.company_id = ${actor.company_id} and t.id = x.truck_id ${centerOn(sql`x.day`)}
        group by 1`,
  )
  return new Map(found.map(({ cost_center_id, cost }) => [cost_center_id, cost]))
}
