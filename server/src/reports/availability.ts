import { type SQL, sql } from 'drizzle-orm'
import { dayOf, instantOf } from '#contract/base/dates.ts'
import type { Availability, ReportFilter, ReportQuery } from '#contract/reports/reports.ts'
import type { StopRow, StopRows } from '#contract/reports/rows.ts'
import { trucksTable } from '../fleet/tables.ts'
import { together as asked, COMPANY, type Db, execute } from '../platform/database/db.ts'
import { all, oneOf } from '../platform/database/lists.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { CODE } from '../work-orders/access.ts'
import { maintenanceTypesTable, partsWaitsTable, workOrdersTable, worksTable } from '../work-orders/tables.ts'
import { closedMonths } from '../workshops/months.ts'
import { inScope, type Scope } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import {
  monthSpan,
  monthsWithin,
  type Narrowing,
  ordersAsked,
  periodsOf,
  type Span,
  sumOf,
  trucksAsked,
} from './expenses.ts'
import { closedHoursTable } from './tables.ts'

/** Somebody who asks; or a company, or one workshop of it. */
type Whose = Scope & Pick<Actor, 'time_zone'>

/** As much of a period as has passed. */
const passed = (span: Span, now: string) => ({ start: span.start, end: span.end < now ? span.end : now })

/** The day a truck `x` was registered begins; before it, and once retired, it counts for nothing. */
const registered = (zone: string | SQL) =>
  sql`date_trunc('day', x.created_at at time zone ${zone}) at time zone ${zone}`

/** Since when truck `x` counts of a time that begins; of most the day they were registered is long past, and not worked out. */
const sinceOf = (start: SQL, zone: string) =>
  sql`greatest(${start}, case when x.created_at > ${start} then ${registered(zone)} end)`

/** What repairs a failure is corrective; what has no such type is, where nobody planned it. */
const IS_PLANNED = sql`case m.code when 'CORRECTIVE' then false when 'PREVENTIVE' then true when 'PREDICTIVE' then true
  else o.planned end`

/**
 * Stays, in the workshop or elsewhere, cut to the period and to the life of the truck: order `o`, `from` and `to`, of a
 * stay that `began` and `ended`, and when the truck was `away`. One that has not left yet lasts until now. Those that left
 * after the period began are found by when they left, the rest by not having left.
 */
const stays = (actor: Whose, span: Span, now: string, filter: ReportFilter) => {
  const { start, end } = passed(span, now)
  // Worked out once for each truck, not for each of its stays.
  const trucks = sql`(
    select x.company_id, x.id, x.away, greatest(${start}::timestamptz, ${registered(actor.time_zone)}) as since,
      least(${end}::timestamptz, x.retired_at) as until
    from ${trucksTable} x where ${all([sql`x.company_id = ${actor.company_id}`, oneOf(sql`x.id`, filter.Truck)])} offset 0)`
  const stay = (left: SQL, until: SQL) => sql`
    select o.id, o.truck_id, x.away, ${IS_PLANNED} as planned, o.workshop_entry_at as began, ${until} as ended,
      greatest(o.workshop_entry_at, x.since) as "from", least(${until}, x.until) as "to"
    from ${workOrdersTable} o
    join ${trucks} x on x.company_id = o.company_id and x.id = o.truck_id
    left join ${maintenanceTypesTable} m on m.company_id = o.company_id and m.id = o.type_maintenance_id
    where ${ordersAsked(actor, filter)} and ${left} and o.workshop_entry_at < ${end}::timestamptz`
  return sql`(select s.* from (
    ${stay(sql`o.workshop_departure_at > ${start}::timestamptz`, sql`o.workshop_departure_at`)}
    union all
    ${stay(sql`o.workshop_departure_at is null`, sql`coalesce(o.finalized_at, ${now}::timestamptz)`)}
  ) s where "from" < "to")`
}

/* Intervals are added up as such: it takes longer to turn each into a number. */
const secondsOf = (interval: SQL) => sql`coalesce(extract(epoch from ${interval}), 0)::float8`
const hoursOfAll = (interval: SQL) => sql`${secondsOf(interval)} / 3600`
const secondsIn = (ranges: SQL) => secondsOf(sql`(select sum(upper(r) - lower(r)) from unnest(${ranges}) r)`)
const hoursIn = (ranges: SQL) => sql`${secondsIn(ranges)} / 3600`
const countIn = (ranges: SQL) => sql`coalesce((select count(*) from unnest(${ranges}) r), 0)`

/** The same as they were, not cut: truck_id, began, ended; and where failures are asked for, id and planned. */
const uncut = (actor: Whose, span: Span, now: string, filter: Narrowing, failures: boolean) => {
  const { start, end } = passed(span, now)
  const types = sql`left join ${maintenanceTypesTable} m on m.company_id = o.company_id and m.id = o.type_maintenance_id`
  const stay = (left: SQL, until: SQL) => sql`
    select o.truck_id, o.workshop_entry_at as began, ${until} as ended ${failures ? sql`, o.id, ${IS_PLANNED} as planned` : sql``}
    from ${workOrdersTable} o ${failures ? types : sql``}
    where ${ordersAsked(actor, filter)} and ${left} and o.workshop_entry_at < ${end}::timestamptz
      and o.workshop_entry_at < ${until}`
  return sql`
    ${stay(sql`o.workshop_departure_at > ${start}::timestamptz`, sql`o.workshop_departure_at`)}
    union all
    ${stay(sql`o.workshop_departure_at is null`, sql`coalesce(o.finalized_at, ${now}::timestamptz)`)}`
}

/** Some periods, each with the months of it whose hours were kept; before the `first` moment nothing counts. */
interface Asked {
  spans: Span[]
  kept: string[][]
  first: string
  now: string
}
const askedOf = async (db: Db, actor: Whose, spans: Span[], now: string, filter: Narrowing): Promise<Asked> => {
  const { first, months } = await keptOf(db, actor, spans.flatMap(monthsWithin), filter)
  const kept = months.filter((month) => monthSpan(month, actor.time_zone).end > first)
  return { spans, kept: spans.map((span) => monthsWithin(span).filter((month) => kept.includes(month))), first, now }
}
const since = <Moments extends { start: string }>(span: Moments, first: string): Moments => ({
  ...span,
  start: span.start < first ? first : span.start,
})
const knownOf = (actor: Whose, kept: string[]) =>
  `{${kept.map((month) => monthSpan(month, actor.time_zone)).map(({ start, end }) => `[${start},${end})`)}}`

/** Such periods as `p`: the how manieth, start, end as far as it has passed, all of it (`whole`), and what of it is `known`. */
const periods = (actor: Whose, { spans, kept, now }: Asked) => sql`(
  select p.n, p.start, p."end", tstzmultirange(tstzrange(p.start, p.until)) as whole, p.known
  from unnest(${sql.param(spans.map(({ start }) => start))}::timestamptz[],
    ${sql.param(spans.map((span) => passed(span, now).end))}::timestamptz[],
    ${sql.param(spans.map(({ end }) => end))}::timestamptz[],
    ${sql.param(kept.map((months) => knownOf(actor, months)))}::tstzmultirange[])
    with ordinality as p (start, "end", until, known, n)) p`

/**
 * When the trucks of such stays `s` were stopped in each: `whole`, how long (`stopped`) and how often, and the same of
 * failures. Stays become one before they are cut to the period and to the life of their truck.
 */
const stops = (actor: Whose, asked: Asked) => {
  const ranges = sql`range_agg(tstzrange(s.began, s.ended))`
  const added = sql`sum(upper(r) - lower(r))`
  return sql`
    select t.*, w.*, f.* from (
      select p.n, g.truck_id, l.since, l.until, g.stays * l.life - x.away as whole, g.failures * l.life - x.away as failed
      from (
        select s.truck_id, ${ranges} as stays, coalesce(${ranges} filter (where not s.planned), ${NONE}) as failures
        from s group by 1) g
      join ${trucksTable} x on x.company_id = ${actor.company_id} and x.id = g.truck_id
      cross join ${periods(actor, asked)}
      cross join lateral (select ${sinceOf(sql`p.start`, actor.time_zone)} as since,
        least(p."end", x.retired_at) as until offset 0) k
      cross join lateral (select k.since, k.until, tstzmultirange(tstzrange(k.since, greatest(k.since, k.until))) as life offset 0) l
      where not isempty(g.stays * l.life) offset 0) t
    cross join lateral (select count(*) as stops, ${added} as stopped,
      count(*) filter (where not r && t.failed) as planned_stops from unnest(t.whole) r) w
    cross join lateral (select count(*) as unplanned_stops, ${added} as unplanned from unnest(t.failed) r) f`
}

interface Stopped {
  truck_id: number
  truck_code: string
  patent: string
  hours: number
  hours_stopped: number
  hours_unplanned: number
  /** Of works that say when they began and ended; of parts that were waited for while nobody worked. */
  hours_timed: number
  hours_parts: number
  /** Of works that only say how long they took. */
  hours_noted: number
  stops: number
  planned_stops: number
  unplanned_stops: number
}

/**
 * Overlapping stays become one stop: the union of their intervals, exact to the millisecond. What they were stopped for is
 * taken from what was `kept` for the closed months of the period, and worked out for the rest of it.
 */
async function stopped(db: Db, actor: Whose, span: Span, now: string, filter: ReportFilter) {
  const asked = await askedOf(db, actor, [span], now, filter)
  const kept = asked.kept[0]!
  const known = sql`${knownOf(actor, kept)}::tstzmultirange`
  const mine = (alias: SQL) => sql`${alias}.company_id = ${actor.company_id} and ${alias}.work_order_id = s.id`
  const closed = all([inScope(actor, sql`k`, filter.WorkshopId), oneOf(sql`k.truck_id`, filter.Truck)])
  // Of hours that were noted, those of the days that count; most works say when they were done.
  const [from, to] = [sql`greatest(s.began, m.since)`, sql`least(s.ended, m.until)`]
  const within = sql`join m on m.truck_id = s.truck_id and ${from} < ${to}`
  const share = sql`${secondsIn(sql`tstzmultirange(tstzrange(${from}, ${to})) - ${known}`)}
    / extract(epoch from s.ended - s.began)`
  return execute<Stopped>(
    db,
    sql`with s as materialized (${uncut(actor, since(span, asked.first), now, filter, true)}),
        m as materialized (${stops(actor, asked)}),
        w as (
          select s.truck_id, range_agg(tstzrange(w.start_time, greatest(w.start_time, coalesce(w.end_time, ${now}::timestamptz))))
              filter (where w.start_time is not null) as timed,
            sum(case when w.start_time is null and w.hours > 0 then w.hours * ${share} end)::float8 as noted
          from s join ${worksTable} w on ${mine(sql`w`)} ${within} group by 1),
        p as (
          select s.truck_id, range_agg(tstzrange(k.from_at, coalesce(k.until_at, ${now}::timestamptz))) as parts
          from s join ${partsWaitsTable} k on ${mine(sql`k`)} ${within} group by 1),
        k as (
          select k.truck_id, sum(k.timed) as timed, sum(k.parts) as parts, sum(k.noted) as noted
          from ${closedHoursTable} k
          where ${closed} and k.month = any(${sql.param(kept)}::text[]) group by 1)
        select x.*, coalesce(x.timed, 0) + coalesce(k.timed, 0) as hours_timed,
          coalesce(x.waited, 0) + coalesce(k.parts, 0) as hours_parts, coalesce(x.noted, 0) + coalesce(k.noted, 0) as hours_noted
        from (
          select x.id as truck_id, x.code as truck_code, x.patent, x.hours, x.hours_stopped,
            ${hoursOfAll(sql`m.unplanned`)} as hours_unplanned, w.noted,
            case when w.timed is not null then ${hoursIn(sql`m.whole * w.timed - ${known}`)} end as timed,
            case when p.parts is not null
              then ${hoursIn(sql`m.whole * p.parts - coalesce(w.timed, ${NONE}) - ${known}`)} end as waited,
            coalesce(m.stops, 0) as stops, coalesce(m.unplanned_stops, 0) as unplanned_stops,
            coalesce(m.planned_stops, 0) as planned_stops
          from ${theirHours(actor, asked, filter)} x
          left join m on m.truck_id = x.id left join w on w.truck_id = x.id left join p on p.truck_id = x.id offset 0) x
        left join k on k.truck_id = x.truck_id
        order by hours_stopped desc, x.truck_code, x.truck_id`,
  )
}

/** How long each truck was there and stopped, and no more, in some periods: n, truck_id, hours, hours_stopped. */
async function hoursOf(db: Db, actor: Whose, spans: Span[], now: string, filter: Narrowing) {
  const asked = await askedOf(db, actor, spans, now, filter)
  const [start, end] = [
    spans.map(({ start }) => start).sort()[0]!,
    spans
      .map(({ end }) => end)
      .sort()
      .at(-1)!,
  ]
  return sql`with s as (${uncut(actor, since({ ...spans[0]!, start, end }, asked.first), now, filter, false)}),
    m as (${stoppedIn(actor, asked, filter)})
    select x.n, x.id as truck_id, x.hours, x.hours_stopped from ${theirHours(actor, asked, filter)} x
    order by x.hours_stopped desc, x.id`
}

/** How long the trucks of stays `s` were stopped in each period: each stay adds what those before it had not. */
const stoppedIn = (actor: Whose, asked: Asked, filter: Narrowing) => {
  const [first, last] = [sql`greatest(s."from", s.until)`, sql`greatest(s."to", s.until)`]
  return sql`
    select s.n, s.truck_id, sum(case when s.away = ${NONE} then ${last} - ${first} else (
      select sum(upper(r) - lower(r)) from unnest(tstzmultirange(tstzrange(${first}, ${last})) - s.away) r) end) as stopped
    from (
      select s.*, max(s."to") over (partition by s.n, s.truck_id order by s."from" rows between unbounded preceding and 1 preceding) as until
      from (
        select p.n, s.truck_id, x.away, ${sinceOf(sql`greatest(s.began, p.start)`, actor.time_zone)} as "from",
          least(s.ended, p."end", x.retired_at) as "to"
        from s
        join (select x.id, x.away, x.created_at, x.retired_at from ${trucksTable} x
          where ${all([sql`x.company_id = ${actor.company_id}`, ...trucksAsked(sql`x`, filter)])} offset 0) x on x.id = s.truck_id
        join ${periods(actor, asked)} on s.began < p."end" and s.ended > p.start) s
      where s."from" < s."to") s
    group by 1, 2`
}

const NONE = sql`'{}'::tstzmultirange`

/** The trucks of each period, with when they were stopped from `m`: n, id, code, patent, hours, hours_stopped. */
const theirHours = (actor: Whose, asked: Asked, filter: Narrowing) => {
  const life = { from: sql`r.since`, to: sql`greatest(r.since, least(p."end", x.retired_at))` }
  const hours = (less: SQL) => hoursIn(sql`tstzmultirange(tstzrange(${life.from}, ${life.to})) - x.away ${less}`)
  // Where every workshop counts, nobody looks whose they were; and most are never away.
  const isAll = actor.workshop_id === null && !filter.WorkshopId?.length
  return sql`(
    select p.n, x.id, x.code, x.patent, ${
      isAll
        ? sql`case when x.away = ${NONE} then ${hoursOfAll(sql`${life.to} - ${life.from}`)} else ${hours(sql``)} end`
        : hours(sql`- case when m.truck_id is null then p.whole - c.counted else ${NONE} end`)
    } as hours,
      ${hoursOfAll(sql`m.stopped`)} as hours_stopped
    from ${trucksTable} x
    cross join ${periods(actor, asked)}
    cross join lateral (select ${sinceOf(sql`p.start`, actor.time_zone)} as since offset 0) r
    left join m on m.n = p.n and m.truck_id = x.id
    ${isAll ? sql`cross join lateral (select p.whole as counted) c` : countedOf(actor, asked, filter)}
    where ${all([
      sql`x.company_id = ${actor.company_id}`,
      ...trucksAsked(sql`x`, filter),
      // One that was registered later, or retired before, is none of the period's; nor one of another workshop then.
      sql`(m.truck_id is not null or (coalesce(x.retired_at > p.start, true)
        and c.counted && tstzrange(r.since, greatest(r.since, upper(p.whole)))))`,
    ])} offset 0)`
}

/** When truck `x` was of the workshops asked for in period `p`, as far as it is known, as `c`. */
const countedOf = (actor: Whose, asked: Asked, filter: Narrowing) => {
  const months = asked.kept.flatMap((kept, i) =>
    kept.map((month) => ({ n: i + 1, month, ...monthSpan(month, actor.time_zone) })),
  )
  const closed = all([inScope(actor, sql`k`, filter.WorkshopId), oneOf(sql`k.truck_id`, filter.Truck)])
  return sql`left join (
      select n.n, k.truck_id, range_agg(tstzrange(n.start, n."end")) as ranges
      from unnest(${sql.param(months.map(({ n }) => n))}::bigint[], ${sql.param(months.map(({ month }) => month))}::text[],
        ${sql.param(months.map(({ start }) => start))}::timestamptz[],
        ${sql.param(months.map(({ end }) => end))}::timestamptz[]) as n (n, month, start, "end")
      join ${closedHoursTable} k on k.month = n.month
      where ${closed} and k.own group by 1, 2) own on own.n = p.n and own.truck_id = x.id
    cross join lateral (select coalesce(own.ranges, ${NONE})
      + case when ${inScope(actor, sql`x`, filter.WorkshopId)} then p.whole - p.known else ${NONE} end as counted) c`
}

/** When the first of the trucks asked for was registered; and of some months, those whose hours were kept when they were closed. */
async function keptOf(db: Db, actor: Whose, months: string[], filter: Narrowing) {
  const { company_id, time_zone } = actor
  const found = await execute<{ first: string | null; month: string | null }>(
    db,
    sql`select x.first, h.month from (
          select min(x.created_at) as first from ${trucksTable} x
          where ${all([sql`x.company_id = ${company_id}`, ...trucksAsked(sql`x`, filter)])}) x
        left join ${closedHoursTable} h on h.company_id = ${company_id} and h.truck_id = 0
          and h.month = any(${sql.param(months)}::text[])
        order by h.month`,
  )
  const { first } = found[0]!
  return {
    first: first === null ? '' : instantOf(`${dayOf(first, time_zone)}T00:00`, time_zone),
    months: found.flatMap(({ month }) => month ?? []),
  }
}

/** Months that are closed of which it is not kept what trucks were stopped for; of those that are open again it is forgotten. */
export async function hoursToKeep(db: Db, { company_id, time_zone }: Pick<Actor, 'company_id' | 'time_zone'>) {
  const { closed_through } = await closedMonths(db, { company_id })
  const mine = sql`company_id = ${company_id}`
  await execute(db, sql`delete from ${closedHoursTable} where ${mine} and month > ${closed_through ?? ''}`)
  if (closed_through === null) return []
  const missing = await execute<{ month: string }>(
    db,
    sql`select m.month from (
          select to_char(generate_series(date_trunc('month', min(workshop_entry_at) at time zone ${time_zone}),
            (${closed_through} || '-01')::timestamp, interval '1 month'), 'YYYY-MM') as month
          from ${workOrdersTable} where ${mine}) m
        where not exists (select from ${closedHoursTable} h
          where h.company_id = ${COMPANY} and h.month = m.month and h.truck_id = 0)`,
  )
  return missing.map(({ month }) => month)
}

export async function keepHours(
  db: Db,
  { company_id, time_zone }: Pick<Actor, 'company_id' | 'time_zone'>,
  month: string,
) {
  const workshops = await execute<{ id: number }>(
    db,
    sql`select id from ${workshopsTable} where company_id = ${company_id}`,
  )
  const now = new Date().toISOString()
  const kept = [{ company_id, month, truck_id: 0, workshop_id: 0, timed: 0, parts: 0, noted: 0 }]
  for (const { id: workshop_id } of workshops) {
    const whose = { company_id, time_zone, workshop_id }
    for (const truck of await stopped(db, whose, monthSpan(month, time_zone), now, {}))
      if (truck.hours_stopped > 0)
        kept.push({
          company_id,
          month,
          truck_id: truck.truck_id,
          workshop_id,
          timed: truck.hours_timed,
          parts: truck.hours_parts,
          noted: truck.hours_noted,
        })
  }
  await db.insert(closedHoursTable).values(kept)
  await execute(
    db,
    sql`insert into ${closedHoursTable} (company_id, month, truck_id, workshop_id, own, timed, parts, noted)
        select x.company_id, ${month}::text, x.id, x.workshop_id, true, 0, 0, 0
        from ${trucksTable} x where x.company_id = ${company_id}
        on conflict (company_id, month, truck_id, workshop_id) do update set own = true`,
  )
}

/**
 * How long each truck was there, and stopped, in whole months: company_id, month, figure, of, amount. In seconds, and how
 * often. `months` selects them; `only` is where it selects one.
 */
export function availabilityOf({
  company_id,
  time_zone,
  months,
  only,
}: Record<'company_id' | 'time_zone' | 'months', SQL> & { only?: Span }) {
  const local = (instant: SQL) => sql`${instant} at time zone ${time_zone}`
  const left = sql`greatest(o.workshop_entry_at, coalesce(o.workshop_departure_at, o.finalized_at, now()))`
  const seconds = (ranges: SQL) => sql`round(${secondsIn(ranges)})`
  return sql`
    select x.company_id, p.month, v.figure, x.id as of, v.amount::numeric as amount
    from (
      select a.month, ${local(sql`(a.month || '-01')::timestamp`)} as start,
        ${local(sql`((a.month || '-01')::timestamp + interval '1 month')`)} as "end"
      from (${months}) a) p
    join ${trucksTable} x on x.company_id = ${company_id}
    cross join lateral (select greatest(p.start, ${registered(time_zone)}) as since) r
    cross join lateral (select tstzmultirange(tstzrange(r.since, greatest(r.since, least(p."end", x.retired_at))))
      - x.away as there) l
    left join (
      select to_char(g.month, 'YYYY-MM') as month, o.truck_id,
        range_agg(tstzrange(o.workshop_entry_at, ${left})) as stays,
        range_agg(tstzrange(o.workshop_entry_at, ${left})) filter (where not ${IS_PLANNED}) as failures
      from ${workOrdersTable} o
      left join ${maintenanceTypesTable} m on m.company_id = o.company_id and m.id = o.type_maintenance_id
      cross join lateral generate_series(date_trunc('month', ${local(sql`o.workshop_entry_at`)}), ${local(left)},
        interval '1 month') as g (month)
      where o.company_id = ${company_id}${only ? sql` and o.workshop_entry_at < ${only.end}::timestamptz and ${left} >= ${only.start}::timestamptz` : sql``}
      group by 1, 2) s on s.month = p.month and s.truck_id = x.id
    cross join lateral (values ('seconds of truck', ${seconds(sql`l.there`)}),
      ('seconds stopped of truck', ${seconds(sql`l.there * s.stays`)}),
      ('seconds unplanned of truck', ${seconds(sql`l.there * s.failures`)}),
      ('stops of truck', ${countIn(sql`l.there * s.stays`)}),
      ('unplanned stops of truck', ${countIn(sql`l.there * s.failures`)})) as v (figure, amount)
    where v.amount <> 0`
}

type Figures = Omit<Stopped, 'truck_id' | 'truck_code' | 'patent'>

/** What a truck was stopped for. Works that say no times take theirs from the waiting, and then from the parts. */
function waits({ hours_stopped, hours_timed, hours_parts, hours_noted }: Figures) {
  const hours_worked = Math.min(hours_stopped, hours_timed + hours_noted)
  const parts = Math.min(hours_parts, hours_stopped - hours_worked)
  return { hours_worked, hours_parts: parts, hours_waiting: Math.max(0, hours_stopped - hours_worked - parts) }
}

/** Figures of one truck, or of several together. */
function figures(found: Figures & ReturnType<typeof waits>) {
  const { hours, hours_stopped, hours_unplanned, stops, planned_stops, unplanned_stops } = found
  const { hours_worked, hours_parts, hours_waiting } = found
  return {
    hours,
    hours_stopped,
    hours_planned: hours_stopped - hours_unplanned,
    hours_unplanned,
    hours_worked,
    hours_parts,
    hours_waiting,
    availability: hours > 0 ? 1 - hours_stopped / hours : null,
    stops,
    planned_stops,
    unplanned_stops,
    mttr: unplanned_stops > 0 ? hours_unplanned / unplanned_stops : null,
    mtbf: unplanned_stops > 0 ? (hours - hours_stopped) / unplanned_stops : null,
  }
}

const compared = ({ hours, hours_stopped }: Pick<Figures, 'hours' | 'hours_stopped'>) => ({
  before: hours > 0 ? 1 - hours_stopped / hours : null,
  before_hours: hours,
  before_stopped: hours_stopped,
})

const SUMMED = [
  'hours',
  'hours_stopped',
  'hours_unplanned',
  'hours_timed',
  'hours_noted',
  'hours_worked',
  'hours_parts',
  'hours_waiting',
  'stops',
  'planned_stops',
  'unplanned_stops',
] as const
const together = (trucks: (Figures & ReturnType<typeof waits>)[]) =>
  Object.fromEntries(SUMMED.map((key) => [key, sumOf(trucks, (truck) => truck[key])])) as Record<
    (typeof SUMMED)[number],
    number
  >

export async function equipmentAvailability(db: Db, actor: Actor, { filter }: ReportQuery) {
  const now = new Date().toISOString()
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const [found, then] = await asked(
    stopped(db, actor, span, now, filter),
    hoursOf(db, actor, [earlier], now, filter).then((query) =>
      execute<Pick<Stopped, 'truck_id' | 'hours' | 'hours_stopped'>>(db, query),
    ),
  )
  const trucks = found.map((truck) => ({ ...truck, ...waits(truck) }))
  const known = new Map(then.map((truck) => [truck.truck_id, compared(truck)]))
  const data = trucks.map(
    (found): Availability => ({
      truck_id: found.truck_id,
      truck_code: found.truck_code,
      patent: found.patent,
      ...figures(found),
      ...(known.get(found.truck_id) ?? { before: null, before_hours: 0, before_stopped: 0 }),
    }),
  )
  const totals = { ...figures(together(trucks)), ...compared(hoursTogether(then)) }
  return { data, total: data.length, totals, range, before }
}

const hoursTogether = (trucks: Pick<Figures, 'hours' | 'hours_stopped'>[]) => ({
  hours: sumOf(trucks, (truck) => truck.hours),
  hours_stopped: sumOf(trucks, (truck) => truck.hours_stopped),
})

/** How much of some periods trucks were available, and no more. */
export async function availabilityIn(db: Db, actor: Actor, spans: Span[], filter: Narrowing) {
  const each = await hoursOf(db, actor, spans, new Date().toISOString(), filter)
  const found = await execute<{ n: number } & Pick<Figures, 'hours' | 'hours_stopped'>>(
    db,
    sql`select n, sum(hours) as hours, sum(hours_stopped) as hours_stopped from (${each}) x group by n`,
  )
  return spans.map((_, i) => {
    const { hours, hours_stopped } = found.find(({ n }) => n === i + 1) ?? { hours: 0, hours_stopped: 0 }
    return { availability: hours > 0 ? 1 - hours_stopped / hours : null, hours_stopped }
  })
}

/** The stays behind a truck's hours: what each adds to those before it is what the report says. */
export async function listStops(db: Db, actor: Actor, query: StopRows) {
  const { filter, page, per_page, sort = '-from' } = query
  const now = new Date().toISOString()
  const { range, span: whole } = periodsOf(actor, filter.BetweenDate)
  const span = since(whole, (await keptOf(db, actor, [], filter)).first)
  const asked = filter.Planned?.length ? sql`s.planned = any(${sql.param(filter.Planned)}::boolean[])` : sql`true`
  // Where planned ones are alone, what crosses an unplanned one is not theirs.
  const isPlanned = filter.Planned?.length === 1 && filter.Planned[0] === 'true'
  const failed = sql`left join (
    select f.truck_id, range_agg(tstzrange(f."from", f."to")) as ranges
    from ${stays(actor, span, now, filter)} f where not f.planned group by 1) u on u.truck_id = s.truck_id`
  const [first, last] = [sql`greatest(s."from", s.until)`, sql`greatest(s."to", s.until)`]
  const added = sql`tstzmultirange(tstzrange(${first}, ${last})) - s.away`
  // Most trucks are never away: of those it is no more than from when to when.
  const counted = isPlanned
    ? hoursIn(sql`${added} - coalesce(u.ranges, ${NONE})`)
    : sql`case when s.away = ${NONE} then extract(epoch from ${last} - ${first})::float8 / 3600 else ${hoursIn(added)} end`
  const found = sql`(
    select s.id, s.truck_id, s.planned, s."from", s."to", ${counted} as counted,
      s.until is null or s."from" > s.until as begins
    from (
      select s.*, max(s."to") over (partition by s.truck_id order by s."from", s.id
        rows between unbounded preceding and 1 preceding) as until
      from ${stays(actor, span, now, filter)} s where ${asked}) s ${isPlanned ? failed : sql``}) s`
  const key = sort.endsWith('hours') ? sql`s."to" - s."from"` : sql`s."from"`
  const order = sort.startsWith('-') ? sql`desc` : sql`asc`
  // What they add up to is beside each, and alone where the page is empty.
  const told = await execute<{ of: { total: number; hours: number; stops: number } } & StopRow>(
    db,
    sql`with s as materialized (select s.* from ${found})
        select t.of, o.id as work_order_id, ${CODE} as code, o.truck_id, k.code as truck_code, k.patent, s.planned, o.request,
          o.workshop_entry_at, o.workshop_departure_at, s."from", s."to", s.begins,
          extract(epoch from s."to" - s."from")::float8 / 3600 as hours, s.counted
        from (select json_build_object('total', count(*), 'hours', coalesce(sum(s.counted), 0),
          'stops', count(*) filter (where s.begins)) as of from s) t
        left join (select s.*, ${key} as key from s order by key ${order}, s.id
          limit ${per_page} offset ${(page - 1) * per_page}) s on true
        left join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = s.id
        left join ${trucksTable} k on k.company_id = ${actor.company_id} and k.id = o.truck_id
        order by s.key ${order}, s.id`,
  )
  const { total, ...totals } = told[0]!.of
  const data = told.filter(({ work_order_id }) => work_order_id !== null).map(({ of: _, ...row }): StopRow => row)
  return { data, total, page, per_page, totals, range }
}
