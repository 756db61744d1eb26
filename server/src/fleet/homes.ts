import { type SQL, sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import { COMPANY, type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { trucksTable, truckWorkshopsTable } from './tables.ts'

/* The workshop of a truck is dated: its kilometres count in the workshop where it was at home on that day. */

/**
 * Trucks move to another workshop today; the days before stay where they were. `movers` gives them as truck_id and
 * workshop_id, the workshop they move to. A truck that comes back on the day it left never left.
 */
export async function moveHomes(db: Db, actor: Actor, movers: SQL) {
  const today = sql`${dayOf(new Date(), actor.time_zone)}::date`
  await rows(
    db,
    sql`insert into ${truckWorkshopsTable} (company_id, truck_id, until_day, workshop_id)
        select ${actor.company_id}, t.id, ${today}, t.workshop_id from (${movers}) m
        join ${trucksTable} t on t.company_id = ${actor.company_id} and t.id = m.truck_id
        where m.workshop_id <> t.workshop_id on conflict do nothing returning company_id`,
  )
  await rows(
    db,
    sql`delete from ${truckWorkshopsTable} h using (${movers}) m where h.company_id = ${actor.company_id}
        and h.truck_id = m.truck_id and h.until_day = ${today} and h.workshop_id = m.workshop_id`,
  )
}

/** That truck `t` left a workshop after a day. */
export const leftHomeAfter = (day: SQL) => sql`exists (select from ${truckWorkshopsTable} h
  where h.company_id = ${COMPANY} and h.truck_id = t.id and h.until_day > ${day})`

/** Since when and until when truck `t` was at home in each workshop, cut to a period: workshop_id, start, end; also empty ones. */
export const homesWithin = ({ time_zone }: Pick<Actor, 'time_zone'>, start: SQL, end: SQL) => {
  const moment = (day: SQL) => sql`(${day}::timestamp at time zone ${time_zone})`
  return sql`(
    select b.workshop_id, greatest(${start}, ${moment(sql`lag(b.until_day) over by_day`)}) as start,
      least(${end}, ${moment(sql`b.until_day`)}) as "end"
    from (
      select w.until_day, w.workshop_id from ${truckWorkshopsTable} w where w.company_id = ${COMPANY} and w.truck_id = t.id
      union all
      select 'infinity'::date, t.workshop_id) b
    window by_day as (order by b.until_day))`
}
