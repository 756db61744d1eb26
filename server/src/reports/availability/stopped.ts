import { type SQL, sql } from 'drizzle-orm'
import { trucksTable } from '../../fleet/tables.ts'
import { all, oneOf } from '../../platform/database/conditions.ts'
import type { Db } from '../../platform/database/db.ts'
import { partsWaitsTable, worksTable } from '../../work-orders/tables.ts'
import { inScope } from '../../workshops/scope.ts'
import { type Narrowing, trucksAsked } from '../expenses.ts'
import { closedHoursTable } from '../tables.ts'
import { HOURS, hoursIn, readerOf, registered, type StayPeriod, type StayScope, staysIn } from './stays.ts'

/** How long a truck counted in a period, and was stopped. */
export interface StoppedHours {
  truck_id: number
  hours: number
  hours_stopped: number
}

export interface Stopped extends StoppedHours {
  truck_code: string
  patent: string
  hours_unplanned: number
  /** Works that say when they began and ended; waits for parts while nobody worked. */
  hours_timed: number
  hours_parts: number
  /** Works that only say how long they took. */
  hours_noted: number
  stops: number
  planned_stops: number
  unplanned_stops: number
}

/** The months of a period that are closed, as a multirange. */
const closedRanges = ({ closed }: StayPeriod) =>
  sql`${`{${closed.map(({ start, end }) => `[${start},${end})`).join()}}`}::tstzmultirange`

/** The split of closed months as it was stored, per truck; `owned` is when the truck was of these workshops. */
const closedHours = (scope: StayScope, { closed }: StayPeriod, filter: Narrowing) => sql`
  select k.truck_id, sum(k.timed) as timed, sum(k.parts) as parts, sum(k.noted) as noted,
    range_agg(tstzrange(m.start, m."end")) filter (where k.own) as owned
  from unnest(${sql.param(closed.map(({ month }) => month))}::text[],
    ${sql.param(closed.map(({ start }) => start))}::timestamptz[],
    ${sql.param(closed.map(({ end }) => end))}::timestamptz[]) as m (month, start, "end")
  join ${closedHoursTable} k on ${all([
    inScope(scope, sql`k`, filter.WorkshopId),
    oneOf(sql`k.truck_id`, filter.Truck),
    sql`k.month = m.month`,
  ])}
  group by k.truck_id`

/**
 * The trucks that count in a period: `there` while they counted, and their stops, which are the union of their stays. A
 * truck that was not stopped counts while it was of these workshops: in closed months as it was then, otherwise as it is now.
 */
const trucksIn = (scope: StayScope, period: StayPeriod, filter: Narrowing) => {
  const { start, end, until } = period
  const isEveryWorkshop = scope.workshop_id === null && !filter.WorkshopId?.length
  const open = sql`tstzmultirange(tstzrange(${start}::timestamptz, ${until}::timestamptz)) - ${closedRanges(period)}`
  const own = sql`case when ${inScope(scope, sql`x`, filter.WorkshopId)} then ${open} else '{}' end`
  const counts = isEveryWorkshop
    ? sql`'{(,)}'::tstzmultirange`
    : sql`case when l.life && j.stays then '{(,)}' else coalesce(c.owned, '{}') + ${own} end`
  return sql`
    select x.id as truck_id, x.code as truck_code, x.patent, b.since, b.until, l.life * n.counts - x.away as there,
      l.life * j.stays - x.away as stopped, l.life * j.failures - x.away as failed
    from ${trucksTable} x
    left join j on j.truck_id = x.id
    left join closed c on c.truck_id = x.id
    cross join lateral (select greatest(${start}::timestamptz, ${registered(scope.time_zone)}) as since,
      least(${end}::timestamptz, x.retired_at) as until offset 0) b
    cross join lateral (select tstzmultirange(tstzrange(b.since, greatest(b.since, b.until))) as life offset 0) l
    cross join lateral (select ${counts} as counts offset 0) n
    where ${all([sql`x.company_id = ${scope.company_id}`, ...trucksAsked(sql`x`, filter)])}
      and coalesce(x.retired_at > ${start}::timestamptz, true) and b.since < ${until}::timestamptz
      ${isEveryWorkshop ? sql`` : sql`and n.counts && tstzrange(b.since, ${until}::timestamptz)`}`
}

/** The stays `s` of each truck joined, and those of them that nobody planned. */
const JOINED = sql`
  select s.truck_id, range_agg(s.stay) as stays, range_agg(s.stay) filter (where not s.planned) as failures
  from s group by s.truck_id`

/** The parts of a period that no closed month covers. */
function openParts({ start, end, closed }: StayPeriod) {
  const parts = closed.map((month) => {
    const part = { start, end: month.start }
    start = month.end
    return part
  })
  return [...parts, { start, end }].filter((part) => part.start < part.end)
}

/** Works and waits for parts during the stays `s` outside closed months, per truck. */
function doneIn({ company_id }: StayScope, period: StayPeriod, now: string) {
  const parts = openParts(period)
  const stays = sql`unnest(${sql.param(parts.map(({ start }) => start))}::timestamptz[],
      ${sql.param(parts.map(({ end }) => end))}::timestamptz[]) as p (start, "end")
    join s on s.began < p."end" and s.ended > p.start`
  const during = (alias: SQL) => sql`${alias}.company_id = ${company_id} and ${alias}.work_order_id = s.id`
  // Noted hours are spread evenly over their stay.
  const seconds = (from: SQL, to: SQL) => sql`extract(epoch from ${to} - ${from})::float8`
  const counted = seconds(sql`greatest(s.began, t.since, p.start)`, sql`least(s.ended, t.until, p."end")`)
  const share = sql`greatest(0, ${counted}) / ${seconds(sql`s.began`, sql`s.ended`)}`
  return sql`
    select d.truck_id, range_agg(d.work) as timed, sum(d.noted) as noted, range_agg(d.wait) as parts
    from (
      select s.truck_id, case when w.start_time is null then w.hours::float8 * ${share} end as noted,
        case when w.start_time is not null
          then tstzrange(w.start_time, greatest(w.start_time, coalesce(w.end_time, ${now}::timestamptz))) end as work,
        null::tstzrange as wait
      from ${stays}
      join t on t.truck_id = s.truck_id
      join ${worksTable} w on ${during(sql`w`)} and (w.start_time is not null or w.hours > 0)
      union all
      select s.truck_id, null, null, tstzrange(k.from_at, coalesce(k.until_at, ${now}::timestamptz))
      from ${stays}
      join ${partsWaitsTable} k on ${during(sql`k`)}) d
    group by d.truck_id`
}

/**
 * How long each truck was stopped in a period, how often, and what for. What crosses an unplanned stay is unplanned. While
 * somebody works nobody waits for parts. In closed months the split is the stored one.
 */
export const stoppedIn = (db: Db, scope: StayScope, period: StayPeriod, now: string, filter: Narrowing) =>
  readerOf(period, filter)<Stopped>(
    db,
    sql`with closed as materialized (${closedHours(scope, period, filter)}),
          s as materialized (select s.* from ${staysIn(scope, period, now, filter)}),
          j as materialized (${JOINED}),
          t as materialized (${trucksIn(scope, period, filter)}),
          d as materialized (${doneIn(scope, period, now)})
        select t.truck_id, t.truck_code, t.patent, ${hoursIn(sql`t.there`)} as hours, a.hours as hours_stopped,
          a.stops, a.planned_stops, f.hours as hours_unplanned, f.stops as unplanned_stops,
          ${hoursIn(sql`t.stopped * d.timed - ${closedRanges(period)}`)} + coalesce(c.timed, 0) as hours_timed,
          ${hoursIn(sql`t.stopped * d.parts - coalesce(d.timed, '{}') - ${closedRanges(period)}`)}
            + coalesce(c.parts, 0) as hours_parts,
          coalesce(d.noted, 0) + coalesce(c.noted, 0) as hours_noted
        from t
        left join d on d.truck_id = t.truck_id
        left join closed c on c.truck_id = t.truck_id
        cross join lateral (select ${HOURS} as hours, count(*) as stops,
          count(*) filter (where not coalesce(r && t.failed, false)) as planned_stops from unnest(t.stopped) r) a
        cross join lateral (select ${HOURS} as hours, count(*) as stops from unnest(t.failed) r) f
        order by a.hours desc, t.truck_code, t.truck_id`,
  )

/** As `stoppedIn`, without causes. */
export const stoppedHoursIn = (db: Db, scope: StayScope, period: StayPeriod, now: string, filter: Narrowing) =>
  readerOf(period, filter)<StoppedHours>(
    db,
    sql`with closed as materialized (${closedHours(scope, period, filter)}),
          s as (select s.* from ${staysIn(scope, period, now, filter)}),
          j as materialized (${JOINED}),
          t as (${trucksIn(scope, period, filter)})
        select t.truck_id, ${hoursIn(sql`t.there`)} as hours, ${hoursIn(sql`t.stopped`)} as hours_stopped from t`,
  )
