import { type SQL, sql } from 'drizzle-orm'
import type { StopRow, StopRows } from '#contract/reports/rows.ts'
import { trucksTable } from '../../fleet/tables.ts'
import { all } from '../../platform/database/conditions.ts'
import { type Db, one, snapshot } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { CODE } from '../../work-orders/access.ts'
import { workOrdersTable } from '../../work-orders/tables.ts'
import { periodsOf, trucksAsked } from '../expenses.ts'
import { elapsed, hoursIn, type Moments, readerOf, registered, staysIn } from './stays.ts'

/**
 * The stays of a period, cut to it and to the life of their trucks: id, truck_id, planned, from, to, and when the truck was
 * away.
 */
const cutStays = (actor: Actor, { start, end }: Moments, now: string, filter: StopRows['filter']) => sql`
  select s.id, s.truck_id, s.planned, c."from", c."to", x.away
  from ${staysIn(actor, { start, end }, now, filter)}
  join ${trucksTable} x on ${all([
    sql`x.company_id = ${actor.company_id} and x.id = s.truck_id`,
    ...trucksAsked(sql`x`, filter),
  ])}
  cross join lateral (select greatest(s.began, ${start}::timestamptz, ${registered(actor.time_zone)}) as "from",
    least(s.ended, ${end}::timestamptz, x.retired_at) as "to" offset 0) c
  where c."from" < c."to"`

/** Stays with what each adds to the earlier ones of its truck (`counted`), and whether it begins a stop. */
const countedStays = (planned: string[] | undefined) => {
  const added = sql`tstzmultirange(tstzrange(greatest(s."from", s.until), greatest(s."to", s.until))) - s.away`
  const shown = planned?.length ? sql`where s.planned::text = any(${sql.param(planned)}::text[])` : sql``
  // Planned stays alone leave out the time that an unplanned one counts.
  const isPlanned = planned?.length === 1 && planned[0] === 'true'
  return sql`
    select s.id, s.planned, s."from", s."to", coalesce(s."from" > s.until, true) as begins,
      ${hoursIn(isPlanned ? sql`${added} - coalesce(f.failed, '{}')` : added)} as counted
    from (
      select s.*, max(s."to") over (partition by s.truck_id order by s."from", s.id
        rows between unbounded preceding and 1 preceding) as until
      from s ${shown}) s ${isPlanned ? sql`left join f on f.truck_id = s.truck_id` : sql``}`
}

/** The stays behind a truck's hours: what each adds to those before it is what the report says. */
export const listStops = (db: Db, actor: Actor, query: StopRows) => snapshot(db, () => stopsIn(db, actor, query))

async function stopsIn(db: Db, actor: Actor, query: StopRows) {
  const { filter, page, per_page, sort = '-from' } = query
  const now = new Date().toISOString()
  const { range, span } = periodsOf(actor, filter.BetweenDate)
  const period = elapsed(span, now)
  const key = (n: SQL) => (sort.endsWith('hours') ? sql`${n}."to" - ${n}."from"` : sql`${n}."from"`)
  const order = (n: SQL) => sql`${key(n)} ${sort.startsWith('-') ? sql`desc` : sql`asc`}, ${n}.id`
  const listed = await readerOf(period, filter)<
    StopRow & { id: number | null; total: number; sum: number; stops: number }
  >(
    db,
    sql`with s as materialized (${cutStays(actor, period, now, filter)}),
          f as materialized (select s.truck_id, range_agg(tstzrange(s."from", s."to")) as failed
            from s where not s.planned group by s.truck_id),
          n as materialized (${countedStays(filter.Planned)})
        select t.total, t.sum, t.stops, p.*
        from (select count(*) as total, coalesce(sum(n.counted), 0) as sum, count(*) filter (where n.begins) as stops from n) t
        left join (
          select n.id, o.id as work_order_id, ${CODE} as code, o.truck_id, k.code as truck_code, k.patent, n.planned,
            o.request, o.workshop_entry_at, o.workshop_departure_at, n."from", n."to",
            extract(epoch from n."to" - n."from")::float8 / 3600 as hours, n.counted, n.begins
          from (select n.* from n order by ${order(sql`n`)} limit ${per_page} offset ${(page - 1) * per_page}) n
          join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = n.id
          join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id) p on true
        order by ${order(sql`p`)}`,
  )
  const { total, sum, stops } = one(listed)
  const data = listed.flatMap(({ id, total, sum, stops, ...row }) => (id === null ? [] : [row]))
  return { data, total, page, per_page, totals: { hours: sum, stops }, range }
}
