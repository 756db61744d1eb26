import { type SQL, sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import type { Truck, TruckEdit } from '#contract/fleet/fleet.ts'
import { closedMonth, ofClosedMonth } from '#contract/workshops/months.ts'
import { COMPANY, type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid } from '../platform/problems.ts'
import { isClosedOn, openMonths } from '../workshops/months.ts'
import { truckCostCentersTable } from './tables.ts'

/* Cost centres of trucks are dated: what a truck spends counts in the one it was of on that day. */

/** The centre of truck `t` on a day, as a lateral `k` with its `cost_center_id`. */
export const centerOn = (day: SQL) => sql`cross join lateral (
  select (coalesce((select array[p.cost_center_id] from ${truckCostCentersTable} p where p.company_id = ${COMPANY}
    and p.truck_id = t.id and p.until_day > ${day} order by p.until_day limit 1), array[t.cost_center_id]))[1] as cost_center_id) k`

/** The same of many trucks on one day, which is no column: those that changed later are found once. */
export const centersOn = (day: SQL) => sql`left join (
    select distinct on (p.truck_id) p.truck_id, p.cost_center_id from ${truckCostCentersTable} p
    where p.company_id = ${COMPANY} and p.until_day > ${day} order by p.truck_id, p.until_day) was on was.truck_id = t.id
  cross join lateral (
    select case when was.truck_id is null then t.cost_center_id else was.cost_center_id end as cost_center_id) k`

/** Since when truck `t` is of its centre; null: since ever. */
export const CENTER_FROM = sql`(select max(p.until_day) from ${truckCostCentersTable} p
  where p.company_id = ${COMPANY} and p.truck_id = t.id)`

interface Before {
  until_day: string
  cost_center_id: number | null
}

/**
 * A truck is of another centre from a day on (today, unless it is said), or was so from another day on. Gives the days
 * from which on what it spent counts elsewhere. The truck is held.
 */
export async function changeCenter(
  db: Db,
  actor: Actor,
  truck: Pick<Truck, 'id' | 'cost_center_id' | 'cost_center_from'>,
  { cost_center_id, cost_center_from }: Pick<TruckEdit, 'cost_center_id' | 'cost_center_from'>,
) {
  const isSame = cost_center_id === truck.cost_center_id
  const asked = cost_center_from ?? null
  if (isSame && (cost_center_from === undefined || asked === truck.cost_center_from)) return
  const today = dayOf(new Date(), actor.time_zone)
  // Who sends back what was read says nothing of when the other one began.
  const from = isSame || (asked !== null && asked !== truck.cost_center_from) ? asked : today
  if (from === null) throw invalid({ cost_center_from: 'Indique desde cuándo.' })
  if (from > today) throw invalid({ cost_center_from: 'La fecha no puede ser posterior a hoy.' })
  const open = await openMonths(db, actor)
  if (isClosedOn(open, from)) throw invalid({ cost_center_from: closedMonth(from) })
  if (isSame && truck.cost_center_from && isClosedOn(open, truck.cost_center_from))
    throw invalid({ cost_center_from: ofClosedMonth(truck.cost_center_from) })
  const mine = sql`company_id = ${actor.company_id} and truck_id = ${truck.id}`
  const befores = await rows<Before>(
    db,
    sql`select until_day, cost_center_id from ${truckCostCentersTable} where ${mine} order by until_day`,
  )
  // Of which one it is did not change, only since when: the last change never was.
  const last = isSame ? befores.pop()?.cost_center_id : truck.cost_center_id
  const former = befores.find(({ until_day }) => until_day >= from)
  const was = former ? former.cost_center_id : (last ?? null)
  const since = isSame && truck.cost_center_from && truck.cost_center_from < from ? truck.cost_center_from : from
  await rows(db, sql`delete from ${truckCostCentersTable} where ${mine} and until_day >= ${since}::date`)
  if (was !== cost_center_id)
    await rows(
      db,
      sql`insert into ${truckCostCentersTable} (company_id, truck_id, until_day, cost_center_id)
          values (${actor.company_id}, ${truck.id}, ${from}, ${was})`,
    )
}
