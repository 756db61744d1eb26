import { type SQL, sql } from 'drizzle-orm'
import { homesWithin, leftHomeAfter } from '../fleet/homes.ts'
import { readingsTable, trucksTable } from '../fleet/tables.ts'
import { oneOf } from '../platform/database/conditions.ts'
import { COMPANY, type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import type { Narrowing, Span } from './expenses.ts'

/* Kilometres of a period, from the readings that count. Of some workshops, those driven while the truck was at home there. */

/** The meter of truck `t` at a time: the first or the last reading that counts. */
const shown = (when: SQL, order: SQL) => sql`(select r.km from ${readingsTable} r
  where r.company_id = ${COMPANY} and r.truck_id = t.id and not coalesce(r.closed_as, r.superseded) and ${when} order by ${order} limit 1)`
const shownBefore = (moment: SQL) => shown(sql`r.date < ${moment}`, sql`r.date desc, r.id desc`)

/**
 * Kilometres that truck `t` drove in a period: what its meter showed at the end less what it showed when it began, or
 * first showed after that. Readings that a correction took back do not count.
 */
export const kilometers = (
  { start, end }: { start: SQL; end: SQL },
  known: { start: SQL; end: SQL; isRead: SQL } = { start: sql`null`, end: sql`null`, isRead: sql`true` },
): SQL =>
  sql`greatest(0, coalesce(
    coalesce(${known.end}, ${shownBefore(end)}) - coalesce(${known.start}, case when ${known.isRead} then ${shownBefore(start)} end,
      ${shown(sql`r.date >= ${start} and r.date < ${end}`, sql`r.date, r.id`)}), 0))`

/** Rows `alias` of the workshops that are asked about; undefined if those are all. */
const ofWorkshops = (actor: Actor, { WorkshopId }: Narrowing, alias: SQL) =>
  oneOf(sql`${alias}.workshop_id`, actor.workshop_id === null ? WorkshopId : [actor.workshop_id])

/**
 * Kilometres that truck `t` drove in a period while it was at home in one of the workshops that are asked about. Most trucks
 * never change their workshop: theirs are `all`, or none.
 */
export const kilometersAtHome = (
  actor: Actor,
  filter: Narrowing,
  { start, end }: { start: SQL; end: SQL },
  all = kilometers({ start, end }),
) => {
  const isHome = ofWorkshops(actor, filter, sql`t`)
  if (!isHome) return all
  return sql`case
    when ${leftHomeAfter(sql`(${start} at time zone ${actor.time_zone})::date`)} then (
      select coalesce(sum(case when h.start < h."end" then ${kilometers({ start: sql`h.start`, end: sql`h."end"` })} else 0 end), 0)
      from ${homesWithin(actor, start, end)} h where ${ofWorkshops(actor, filter, sql`h`)})
    when ${isHome} then ${all} else 0 end`
}

/** That truck `t` may have been at home in the workshops that are asked about since a day: it is, or it left some workshop. */
export const mayHaveBeenHome = (actor: Actor, filter: Narrowing, from: SQL) => {
  const isHome = ofWorkshops(actor, filter, sql`t`)
  return isHome ? sql`(${isHome} or ${leftHomeAfter(from)})` : sql`true`
}

interface Drive {
  truck_id: number
  start: string
  end: string
  kilometers: number
}

/** Cuts drives of trucks that changed their workshop to the days on which they were at home in those that are asked about. */
export async function cutToHomes<T extends Drive>(
  db: Db,
  actor: Actor,
  filter: Narrowing,
  from: string,
  drives: T[],
): Promise<T[]> {
  if (!ofWorkshops(actor, filter, sql`t`) || drives.length === 0) return drives
  const column = <V>(of: (drive: T) => V) => sql.param(drives.map(of))
  const pieces = await rows<Drive & { place: number }>(
    db,
    sql`select d.place, t.id as truck_id, h.start, h."end", case when h.workshop_id is not null then
            ${kilometers({ start: sql`h.start`, end: sql`h."end"` })} else 0 end as kilometers
        from unnest(${column((d) => d.truck_id)}::bigint[], ${column((d) => d.start)}::timestamptz[],
          ${column((d) => d.end)}::timestamptz[]) with ordinality as d (truck_id, start, "end", place)
        join ${trucksTable} t on t.company_id = ${actor.company_id} and t.id = d.truck_id
        left join lateral ${homesWithin(actor, sql`d.start`, sql`d."end"`)} h
          on h.start < h."end" and ${ofWorkshops(actor, filter, sql`h`)}
        where ${leftHomeAfter(sql`${from}::date`)} order by d.place, h.start`,
  )
  const cut = Map.groupBy(pieces, ({ place }) => place - 1)
  return drives.flatMap((drive, i) => {
    const own = cut.get(i)
    if (!own) return [drive]
    return own
      .filter((piece) => piece.kilometers > 0)
      .map(({ start, end, kilometers }) => ({ ...drive, start, end, kilometers }))
  })
}

const LATELY = 8 * 86_400_000
/**
 * `kilometersAtHome` of many trucks: `of` them, once their `meters` are joined. Most were read in the days before a
 * moment: those readings are read together, and only other trucks looked up one by one.
 */
export const driven = (actor: Actor, { start, end }: Span, filter: Narrowing) => {
  const moments = { start: sql`${start}::timestamptz`, end: sql`${end}::timestamptz` }
  if (filter.Truck?.length) return { meters: sql``, of: kilometersAtHome(actor, filter, moments) }
  const read = (name: SQL, moment: string) => sql`left join (
    select distinct on (r.truck_id) r.truck_id, r.km from ${readingsTable} r
    where r.company_id = ${actor.company_id} and not coalesce(r.closed_as, r.superseded)
      and r.date >= ${new Date(Math.min(Date.parse(moment), Date.now()) - LATELY).toISOString()}::timestamptz
      and r.date < ${moment}::timestamptz
    order by r.truck_id, r.date desc, r.id desc) ${name} on ${name}.truck_id = t.id`
  const [first, last] = [sql`first`, sql`last`]
  const known = {
    start: sql`first.km`,
    end: sql`last.km`,
    isRead: sql`(select min(r.date) from ${readingsTable} r where r.company_id = ${actor.company_id}) < ${moments.start}`,
  }
  return {
    meters: sql`${read(first, start)} ${read(last, end)}`,
    of: kilometersAtHome(actor, filter, moments, kilometers(moments, known)),
  }
}
