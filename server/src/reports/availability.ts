import { type SQL, sql } from 'drizzle-orm'
import type { Availability, ReportFilter, ReportQuery } from '#contract/reports/reports.ts'
import type { StopRow, StopRows } from '#contract/reports/rows.ts'
import { trucksTable } from '../fleet/tables.ts'
import { type Db, execute } from '../platform/database/db.ts'
import { all, oneOf } from '../platform/database/lists.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { CODE } from '../work-orders/access.ts'
import { workOrdersTable } from '../work-orders/tables.ts'
import { inScope } from '../workshops/scope.ts'
import { ordersAsked, periodsOf, type Span, sumOf } from './expenses.ts'

const HOUR = 3_600_000

/** As much of a period as has passed. */
const passed = (span: Span, now: string) => ({ start: span.start, end: span.end < now ? span.end : now })

/**
 * Stays in the workshop, cut to the period: order `o`, `from` and `to`. One that has not left yet lasts until now. Those
 * that left after the period began are found by when they left, the rest by not having left.
 */
const stays = (actor: Actor, span: Span, now: string, filter: ReportFilter) => {
  const { start, end } = passed(span, now)
  const stay = (left: SQL, until: SQL) => sql`
    select o.id, o.truck_id, o.planned, greatest(o.workshop_entry_at, ${start}::timestamptz) as "from",
      least(${until}, ${end}::timestamptz) as "to"
    from ${workOrdersTable} o
    where ${ordersAsked(actor, filter)} and ${left} and o.workshop_entry_at < ${end}::timestamptz`
  return sql`(select * from (
    ${stay(sql`o.workshop_departure_at > ${start}::timestamptz`, sql`o.workshop_departure_at`)}
    union all
    ${stay(sql`o.workshop_departure_at is null`, sql`coalesce(o.finalized_at, ${now}::timestamptz)`)}
  ) s where "from" < "to")`
}

const hoursIn = (ranges: SQL) =>
  sql`coalesce((select sum(extract(epoch from upper(r) - lower(r))) from unnest(${ranges}) r), 0)::float8 / 3600`
const countIn = (ranges: SQL) => sql`coalesce((select count(*) from unnest(${ranges}) r), 0)`

interface Stopped {
  truck_id: number
  truck_code: string
  patent: string
  hours_stopped: number
  hours_unplanned: number
  stops: number
  unplanned_stops: number
}

/** Overlapping stays become one stop: the union of their intervals, exact to the millisecond. */
const stopped = (db: Db, actor: Actor, span: Span, now: string, filter: ReportFilter) =>
  execute<Stopped>(
    db,
    sql`select t.id as truck_id, t.code as truck_code, t.patent,
          ${hoursIn(sql`m.stopped`)} as hours_stopped, ${hoursIn(sql`m.failed`)} as hours_unplanned,
          ${countIn(sql`m.stopped`)} as stops, ${countIn(sql`m.failed`)} as unplanned_stops
        from ${trucksTable} t
        left join (
          select s.truck_id, range_agg(tstzrange(s."from", s."to")) as stopped,
            range_agg(tstzrange(s."from", s."to")) filter (where not s.planned) as failed
          from ${stays(actor, span, now, filter)} s group by 1) m on m.truck_id = t.id
        where ${all([
          sql`t.company_id = ${actor.company_id}`,
          oneOf(sql`t.id`, filter.Truck),
          sql`(m.truck_id is not null or (t.state = 'active' and ${inScope(actor, sql`t`, filter.WorkshopId)}))`,
        ])}
        order by hours_stopped desc, t.code, t.id`,
  )

/** Figures of one truck, or of several together. */
function figures(
  found: Pick<Stopped, 'hours_stopped' | 'hours_unplanned' | 'stops' | 'unplanned_stops'>,
  hours: number,
) {
  const { hours_stopped, hours_unplanned, stops, unplanned_stops } = found
  return {
    hours,
    hours_stopped,
    hours_planned: hours_stopped - hours_unplanned,
    hours_unplanned,
    availability: hours > 0 ? 1 - hours_stopped / hours : null,
    stops,
    unplanned_stops,
    mttr: stops > 0 ? hours_stopped / stops : null,
    mtbf: unplanned_stops > 0 ? (hours - hours_stopped) / unplanned_stops : null,
  }
}

const compared = (found: Parameters<typeof figures>[0], hours: number) => ({
  before: figures(found, hours).availability,
  before_hours: hours,
  before_stopped: found.hours_stopped,
})

const hoursOf = (span: Span, now: string) => {
  const { start, end } = passed(span, now)
  return Math.max(0, (Date.parse(end) - Date.parse(start)) / HOUR)
}

const together = (trucks: Stopped[]) => ({
  hours_stopped: sumOf(trucks, (t) => t.hours_stopped),
  hours_unplanned: sumOf(trucks, (t) => t.hours_unplanned),
  stops: sumOf(trucks, (t) => t.stops),
  unplanned_stops: sumOf(trucks, (t) => t.unplanned_stops),
})

export async function equipmentAvailability(db: Db, actor: Actor, { filter }: ReportQuery) {
  const now = new Date().toISOString()
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate)
  const trucks = await stopped(db, actor, span, now, filter)
  const then = await stopped(db, actor, earlier, now, filter)
  const [hours, hoursThen] = [hoursOf(span, now), hoursOf(earlier, now)]
  const known = new Map(then.map((truck) => [truck.truck_id, compared(truck, hoursThen)]))
  const data = trucks.map(
    ({ truck_id, truck_code, patent, ...found }): Availability => ({
      truck_id,
      truck_code,
      patent,
      ...figures(found, hours),
      ...(known.get(truck_id) ?? { before: null, before_hours: 0, before_stopped: 0 }),
    }),
  )
  const totals = {
    ...figures(together(trucks), hours * trucks.length),
    ...compared(together(then), hoursThen * then.length),
  }
  return { data, total: data.length, totals, range, before }
}

/** The stays behind a truck's hours: what each adds to those before it is what the report says. */
export async function listStops(db: Db, actor: Actor, query: StopRows) {
  const { filter, page, per_page, sort = '-from' } = query
  const now = new Date().toISOString()
  const { range, span } = periodsOf(actor, filter.BetweenDate)
  const asked = filter.Planned?.length ? sql`s.planned = any(${sql.param(filter.Planned)}::boolean[])` : sql`true`
  // Where planned ones are alone, what crosses an unplanned one is not theirs.
  const isPlanned = filter.Planned?.length === 1 && filter.Planned[0] === 'true'
  const failed = sql`left join (
    select f.truck_id, range_agg(tstzrange(f."from", f."to")) as ranges
    from ${stays(actor, span, now, filter)} f where not f.planned group by 1) u on u.truck_id = s.truck_id`
  const added = sql`tstzmultirange(tstzrange(greatest(s."from", s.until), greatest(s."to", s.until)))`
  const found = sql`(
    select s.*, ${hoursIn(isPlanned ? sql`${added} - coalesce(u.ranges, '{}'::tstzmultirange)` : added)} as counted,
      s.until is null or s."from" > s.until as begins
    from (
      select s.*, max(s."to") over (partition by s.truck_id order by s."from", s.id
        rows between unbounded preceding and 1 preceding) as until
      from ${stays(actor, span, now, filter)} s where ${asked}) s ${isPlanned ? failed : sql``}) s`
  const key = sort.endsWith('hours') ? sql`s."to" - s."from"` : sql`s."from"`
  const order = sort.startsWith('-') ? sql`desc` : sql`asc`
  const data = await execute<StopRow>(
    db,
    sql`select o.id as work_order_id, ${CODE} as code, o.truck_id, k.code as truck_code, k.patent, o.planned, o.request,
          o.workshop_entry_at, o.workshop_departure_at, s."from", s."to", s.begins,
          extract(epoch from s."to" - s."from")::float8 / 3600 as hours,
          s.counted
        from (select s.*, ${key} as key from ${found} order by key ${order}, s.id
          limit ${per_page} offset ${(page - 1) * per_page}) s
        join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = s.id
        join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
        order by s.key ${order}, s.id`,
  )
  const [sums] = await execute<{ total: number; hours: number; stops: number }>(
    db,
    sql`select count(*) as total, coalesce(sum(s.counted), 0) as hours,
          count(*) filter (where s.begins) as stops
        from ${found}`,
  )
  const { total = 0, hours = 0, stops = 0 } = sums ?? {}
  return { data, total, page, per_page, totals: { hours, stops }, range }
}
