import { type SQL, sql } from 'drizzle-orm'
import type { Availability, ReportFilter, ReportQuery } from '#contract/reports/reports.ts'
import type { StopRow, StopRows } from '#contract/reports/rows.ts'
import { OPEN_STATUSES } from '#contract/work-orders/states.ts'
import { trucksTable } from '../fleet/tables.ts'
import { instantAt, list, lists, microsecondsOf } from '../platform/database/columns.ts'
import { atOneMoment, COMPANY, type Db, execute, executeByValues, together } from '../platform/database/db.ts'
import { all, oneOf } from '../platform/database/lists.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { CODE } from '../work-orders/access.ts'
import { maintenanceTypesTable, partsWaitsTable, workOrdersTable, worksTable } from '../work-orders/tables.ts'
import { closedMonths } from '../workshops/months.ts'
import { inScope, type Scope } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import {
  firstOnes,
  isLong,
  monthSpan,
  monthsWithin,
  type Narrowing,
  ordersAsked,
  periodsOf,
  type Span,
  sumOf,
  trucksAsked,
} from './expenses.ts'
import { addRange, both, common, countApart, cut, Joined, lengthOf, type Ranges, touches, without } from './ranges.ts'
import {
  type Kept,
  keptStays,
  type Listed,
  leftUnlisted,
  listedSince,
  plannedByType,
  type Rows,
  type StayList,
  type Times,
} from './stay-lists.ts'
import { closedHoursTable } from './tables.ts'

/** Somebody who asks; or a company, or one workshop of it. */
type Whose = Scope & Pick<Actor, 'time_zone'>

type Moments = Pick<Span, 'start' | 'end'>

/** As much of a period as has passed. */
const passed = (span: Moments, now: string) => ({ start: span.start, end: span.end < now ? span.end : now })

/** The day a truck `x` was registered begins; before it, and once retired, it counts for nothing. */
const registered = (zone: string | SQL) =>
  sql`date_trunc('day', x.created_at at time zone ${zone}) at time zone ${zone}`

/** What repairs a failure is corrective; what has no such type is, where nobody planned it. */
const IS_PLANNED = plannedByType(sql`o.planned`)

/**
 * Stays, in the workshop or elsewhere, as `s`: truck_id, began, ended; id and planned where they are asked for. One that has
 * not left yet lasts until now. Those that left after the period began are found by when they left, the rest by not having
 * left. Where some are `listed`, the others.
 */
const staysIn = (
  actor: Whose,
  { start, end }: Moments,
  now: string,
  filter: Narrowing,
  told: { id?: true; planned?: boolean; listed?: Listed | undefined } = {},
) => {
  const types = sql`left join ${maintenanceTypesTable} m on m.company_id = o.company_id and m.id = o.type_maintenance_id`
  const stay = (left: SQL, until: SQL) => sql`
    select o.truck_id, o.workshop_entry_at as began, ${until} as ended ${told.id ? sql`, o.id` : sql``}
      ${told.planned ? sql`, ${IS_PLANNED} as planned` : sql``}
    from ${workOrdersTable} o ${told.planned ? types : sql``}
    where ${ordersAsked(actor, filter)} and ${left} and o.workshop_entry_at < ${end}::timestamptz
      and o.workshop_entry_at < ${until}`
  const after = sql`o.workshop_departure_at > ${start}::timestamptz`
  const left = told.listed
    ? leftUnlisted(told.listed, OPEN_STATUSES, actor.company_id).map((which) => sql`${after} and ${which}`)
    : [after]
  return sql`(
    ${sql.join(
      left.map((which) => stay(which, sql`o.workshop_departure_at`)),
      sql` union all `,
    )}
    union all
    ${stay(sql`o.workshop_departure_at is null`, sql`coalesce(o.finalized_at, ${now}::timestamptz)`)}) s`
}

/** Of one truck, or of a few months, one plan will do; of the years of many, rows are found another way. */
const askingOf = ({ start, end }: Moments, { Truck }: Narrowing) =>
  Truck?.length || Date.parse(end) - Date.parse(start) < FEW_DAYS * 86_400_000 ? execute : executeByValues
const FEW_DAYS = 100

/**
 * The trucks that are asked for, in the order of their codes where they are `named`: since when and until when each counts,
 * whether it is of the workshops asked for, and when it was away.
 */
async function trucksOf(db: Db, actor: Whose, start: string, filter: Narrowing, named: boolean) {
  const found = await lists(
    db,
    {
      id: list.whole(sql`x.id`),
      born: list.moment(sql`x.born`),
      retired: list.moment(sql`x.retired`),
      own: list.whole(sql`x.own`),
      away: list.json<[id: number, moments: number[]]>(sql`json_build_array(x.id, x.been)`, sql`x.been is not null`),
      code: list.json<string>(sql`x.code`, named ? undefined : sql`false`),
      patent: list.json<string>(sql`x.patent`, named ? undefined : sql`false`),
    },
    sql`(
      select x.id, x.code, x.patent, coalesce(x.retired_at, 'infinity') as retired,
        case when x.created_at > ${start}::timestamptz then ${registered(actor.time_zone)} else '-infinity' end as born,
        case when x.away <> '{}'::tstzmultirange then (select json_agg(at) from unnest(x.away) r
          cross join lateral unnest(array[extract(epoch from lower(r)), extract(epoch from upper(r))]) at) end as been,
        case when ${inScope(actor, sql`x`, filter.WorkshopId)} then 1 else 0 end as own
      from ${trucksTable} x where ${all([sql`x.company_id = ${actor.company_id}`, ...trucksAsked(sql`x`, filter)])}
      ${named ? sql`order by x.code, x.id` : sql``}) x`,
  )
  const places = new Map<number, number>()
  for (let i = 0; i < found.id.length; i++) places.set(found.id[i]!, i)
  const away = new Map(
    found.away.map(([id, moments]) => [places.get(id)!, moments.map((at) => Math.round(at * 1e6) + EPOCH)]),
  )
  // Before the first of them was registered nothing counts.
  const first = found.born.reduce((first, born) => Math.min(first, born), Number.POSITIVE_INFINITY)
  return { ...found, places, away, first }
}
type Trucks = Awaited<ReturnType<typeof trucksOf>>
const EPOCH = microsecondsOf('1970-01-01T00:00:00Z')
const NEVER: Ranges = []

/** Rows in the order of their trucks: those of the truck at a place are from where it `begins` until the next one does. */
type ByTruck<N extends string = keyof Times> = Record<N, Float64Array> & { begins: Int32Array }
/** Of some lists, one behind the other, that have these columns. */
function byTruck<N extends string>(
  { places }: Trucks,
  names: readonly N[],
  parts: Rows<Record<N, Float64Array>>[],
): ByTruck<N> {
  const begins = new Int32Array(places.size + 1)
  const at = parts.map(({ trucks }) => {
    const at = new Int32Array(trucks.length)
    let [last, place] = [-1, -1]
    for (let n = 0; n < at.length; n++) {
      if (trucks[n] !== last) {
        last = trucks[n]!
        place = places.get(last) ?? -1
      }
      at[n] = place
      if (place >= 0) begins[place + 1]! += 1
    }
    return at
  })
  for (let i = 1; i < begins.length; i++) begins[i]! += begins[i - 1]!
  const found = Object.fromEntries(names.map((name) => [name, new Float64Array(begins.at(-1)!)]))
  const next = begins.slice()
  for (const [part, places] of at.entries()) {
    for (let n = 0; n < places.length; n++) if (places[n]! >= 0) places[n] = next[places[n]!]!++
    const read = parts[part]!.read()
    for (const name of names) putInto(found[name]!, places, read[name])
  }
  return { ...(found as Record<N, Float64Array>), begins }
}
function putInto(found: Float64Array, places: Int32Array, list: Float64Array) {
  for (let n = 0; n < places.length; n++) if (places[n]! >= 0) found[places[n]!] = list[n]!
}
const asRows = <T extends { truck_id: Float64Array | Int32Array }>(read: T): Rows<T> => ({
  trucks: Int32Array.from(read.truck_id),
  read: () => read,
})
const TIMES = ['from', 'to'] as const

/** When what they say was, of the truck at a place; only of rows with nothing in a column, where one is given. */
function whenOf({ begins, from, to }: ByTruck, i: number, none?: Float64Array): Ranges {
  const found = new Joined(begins[i + 1]! - begins[i]!)
  for (let n = begins[i]!; n < begins[i + 1]!; n++) if (!none || none[n] === 0) found.add(from[n]!, to[n]!)
  return found.take()
}

const AT = {
  truck_id: list.whole(sql`s.truck_id`),
  from: list.moment(sql`s.began`),
  to: list.moment(sql`s.ended`),
}
const PLANNED = { planned: list.whole(sql`case when s.planned then 1 else 0 end`) }
const STAYS = [...TIMES, 'planned'] as const
/** Stays as they are read, with whether they were planned where that is asked for. */
type Stays = Times & { truck_id: Float64Array; planned?: Float64Array }

/** A period: its end as far as it has passed, all of it (`until`), the months of it whose hours were kept, and when these were. */
interface Part {
  start: number
  end: number
  until: number
  kept: string[]
  known: Ranges
}

/** Some periods, their trucks, and when each of these was in a workshop; and when for a failure, where that is asked for. */
interface Asked {
  parts: Part[]
  trucks: Trucks
  met: Ranges[]
  failed: Ranges[]
  /** Which stays were listed, and what the lists say. */
  listed: Listed | undefined
  kept: Kept | undefined
}

async function askedOf(
  db: Db,
  actor: Whose,
  spans: Span[],
  now: string,
  filter: Narrowing,
  { all = false, live = false }: { all?: boolean; live?: boolean } = {},
): Promise<Asked> {
  const [trucks, months] = await together(
    trucksOf(db, actor, spans.map(({ start }) => start).sort()[0]!, filter, all),
    // Of every workshop only what they were stopped for was kept.
    all || !isOfAll(actor, filter) ? keptOf(db, actor, [...new Set(spans.flatMap(monthsWithin))]) : Promise.resolve([]),
  )
  const { first } = trucks
  const parts = spans.map((span): Part => {
    const inside = monthsWithin(span)
      .filter((month) => months.includes(month))
      .map((month) => ({ month, ...rangeOf(monthSpan(month, actor.time_zone)) }))
      .filter(({ end }) => end > first)
    const { start, end } = rangeOf(passed(span, now))
    const until = microsecondsOf(span.end)
    return { start, end, until, kept: inside.map(({ month }) => month), known: joined(inside) }
  })
  const windows = joined(parts.map(({ start, end }) => ({ start: Math.max(start, first), end })))
  const read = (moments: Moments, listed?: Listed) =>
    lists(db, all ? { ...AT, ...PLANNED } : AT, staysIn(actor, moments, now, filter, { planned: all, listed }), {
      ask: askingOf(moments, filter),
      by: sql`s.truck_id`,
    })
  const periods = Array.from({ length: windows.length / 2 }, (_, i) => momentsOf(windows, i * 2))
  const listed = live ? undefined : await listedFor(db, actor, periods, filter)
  const whole = listed ? [momentsOf([windows[0]!, windows.at(-1)!], 0)] : periods
  const done = all ? doneWithin(parts[0]!, trucks) : undefined
  const [others, kept] = await together(
    together(...whole.map((moments) => read(moments, listed))),
    listed ? keptStays(db, actor, listed, periods, now, filter, { done }) : Promise.resolve(undefined),
  )
  return { parts, trucks, ...joinedBy(trucks, others, kept?.stays ?? [], all), listed, kept }
}

/** When each truck was in a workshop, and when for a failure, by lists of stays that are in no order, and such as are. */
function joinedBy(trucks: Trucks, others: Stays[], kept: StayList[], all: boolean) {
  const places = Uint32Array.from(trucks.id.keys()).sort((a, b) => trucks.id[a]! - trucks.id[b]!)
  const most = sumOf([...others.map(({ from }) => from), ...kept], ({ length }) => length)
  const [met, failed] = [new Joined(most), all ? new Joined(most) : undefined]
  const found = { met: new Array<Ranges>(places.length), failed: new Array<Ranges>(places.length) }
  const arranged = others.map((stays) => byTruck(trucks, all ? STAYS : TIMES, [asRows(stays as Required<Stays>)]))
  // Hundreds of lists for each of thousands of trucks: counted, because what goes through a list makes things on the way.
  for (let at = 0; at < places.length; at++) {
    const i = places[at]!
    const truck = trucks.id[i]!
    for (let n = 0; n < kept.length; n++) if (kept[n]!.truck <= truck) kept[n]!.tell(truck, met, failed)
    for (let part = 0; part < arranged.length; part++) addStays(arranged[part]!, i, met, failed)
    found.met[i] = met.take()
    found.failed[i] = failed?.take() ?? NEVER
  }
  return found
}
function addStays(
  { begins, from, to, planned }: ByTruck & { planned?: Float64Array },
  i: number,
  all: Joined,
  failed?: Joined,
) {
  for (let n = begins[i]!; n < begins[i + 1]!; n++) {
    all.add(from[n]!, to[n]!)
    if (failed && planned![n] === 0) failed.add(from[n]!, to[n]!)
  }
}

/** Stays of one truck, and of some weeks, are found sooner than in lists of all. */
const listedFor = async (db: Db, actor: Whose, periods: Moments[], { Truck }: Narrowing) =>
  Truck?.length || !periods.some(isLong) ? undefined : listedSince(db, actor, periods[0]!.start)

const rangeOf = ({ start, end }: Moments) => ({ start: microsecondsOf(start), end: microsecondsOf(end) })
const joined = (ranges: { start: number; end: number }[]): Ranges => {
  const found: number[] = []
  for (const { start, end } of ranges) addRange(found, start, end)
  return found
}
const momentsOf = (ranges: Ranges, at: number): Moments => ({
  start: instantAt(ranges[at]!),
  end: instantAt(ranges[at + 1]!),
})
const hoursIn = (ranges: Ranges) => lengthOf(ranges) / 1e6 / 3600

/** Where every workshop counts, nobody looks whose trucks were. */
const isOfAll = (actor: Whose, filter: Narrowing) => actor.workshop_id === null && !filter.WorkshopId?.length

/** Since when and until when the truck at a place counts in a period. */
const lifeOf = ({ trucks }: Asked, { start, end }: Part, i: number) => {
  const [since, until] = [Math.max(start, trucks.born[i]!), Math.min(end, trucks.retired[i]!)]
  return { since, until, there: since < until ? [since, until] : NEVER }
}

/** How long a truck of a period was there, and when it was stopped; the truck is the one at a place. */
interface Counted extends ReturnType<typeof lifeOf> {
  i: number
  stopped: Ranges
  hours: number
  hours_stopped: number
}

/**
 * The trucks of a period, one after the other. One that was registered later, or retired before, is none of it; nor one of
 * another workshop then.
 */
async function countedIn(db: Db, actor: Whose, asked: Asked, part: Part, filter: Narrowing) {
  const { trucks } = asked
  const owned = isOfAll(actor, filter) ? undefined : await ownedIn(db, actor, asked, part, filter)
  const all = [part.start, part.until]
  return function* (): Generator<Counted> {
    for (let i = 0; i < trucks.id.length; i++) {
      const life = lifeOf(asked, part, i)
      const met = cut(asked.met[i]!, life.since, life.until)
      const away = trucks.away.get(i) ?? NEVER
      let there: Ranges = life.there
      if (met.length === 0) {
        const own = trucks.own[i] === 1 ? without(all, part.known) : NEVER
        const counted = owned ? both(owned.get(i) ?? NEVER, own) : all
        if (trucks.retired[i]! <= part.start || life.since >= part.until) continue
        if (!touches(counted, life.since, part.until)) continue
        there = without(there, without(all, counted))
      }
      const stopped = without(met, away)
      yield { i, ...life, stopped, hours: hoursIn(without(there, away)), hours_stopped: hoursIn(stopped) }
    }
  }
}

/** Of more of them, all months are read sooner than theirs. */
const FEW_IDLE = 100
/** The months of a period whose hours were kept in which trucks that were not stopped in it were of the workshops asked for. */
async function ownedIn(db: Db, actor: Whose, asked: Asked, part: Part, filter: Narrowing) {
  const { trucks } = asked
  const { kept } = part
  const owned = new Map<number, number[]>()
  const idle = [...trucks.id].filter((_, i) => {
    const { since, until } = lifeOf(asked, part, i)
    return since >= until || !touches(asked.met[i]!, since, until)
  })
  if (kept.length === 0 || idle.length === 0) return owned
  const months = sql`${sql.param(kept)}::text[]`
  const found = await lists(
    db,
    { truck_id: list.whole(sql`k.truck_id`), place: list.whole(sql`array_position(${months}, k.month)`) },
    sql`${closedHoursTable} k where ${inScope(actor, sql`k`, filter.WorkshopId)} and k.month = any(${months})
      and k.own ${idle.length <= FEW_IDLE ? sql`and k.truck_id = any(${sql.param(idle)}::bigint[])` : sql``}`,
  )
  const ranges = kept.map((month) => rangeOf(monthSpan(month, actor.time_zone)))
  for (let n = 0; n < found.place.length; n++) {
    const { start, end } = ranges[found.place[n]! - 1]!
    const i = trucks.places.get(found.truck_id[n]!)
    if (i === undefined) continue
    if (!owned.has(i)) owned.set(i, [])
    addRange(owned.get(i)!, start, end)
  }
  return owned
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
async function stopped(db: Db, actor: Whose, asked: Asked, part: Part, now: string, filter: ReportFilter) {
  const { trucks } = asked
  const [counted, kept, { works, waits }] = await together(
    countedIn(db, actor, asked, part, filter),
    keptFor(db, actor, trucks, part, filter),
    doneIn(db, actor, asked, part, now, filter),
  )
  const found: (Stopped & { i: number })[] = []
  for (const { i, since, until, stopped, hours, hours_stopped } of counted()) {
    // What failed was stopped.
    const away = trucks.away.get(i) ?? NEVER
    const failed = stopped.length === 0 ? NEVER : without(cut(asked.failed[i]!, since, until), away)
    const timed = works ? whenOf(works, i, works.hours) : NEVER
    const parts = waits ? whenOf(waits, i) : NEVER
    const then = kept.get(trucks.id[i]!)
    found.push({
      i,
      truck_id: trucks.id[i]!,
      truck_code: trucks.code[i]!,
      patent: trucks.patent[i]!,
      hours,
      hours_stopped,
      hours_unplanned: hoursIn(failed),
      hours_timed: hoursIn(without(common(stopped, timed), part.known)) + (then?.timed ?? 0),
      hours_parts: hoursIn(without(without(common(stopped, parts), timed), part.known)) + (then?.parts ?? 0),
      hours_noted: (works ? notedIn(works, i, { since, until }, part) : 0) + (then?.noted ?? 0),
      stops: stopped.length / 2,
      planned_stops: countApart(stopped, failed),
      unplanned_stops: failed.length / 2,
    })
  }
  return found.sort((a, b) => b.hours_stopped - a.hours_stopped || a.i - b.i)
}

/** Of hours that were noted of works, those of the days that count; most works say when they were done. */
function notedIn(
  { begins, from, to, hours }: ByTruck<keyof Times | 'hours'>,
  i: number,
  { since, until }: { since: number; until: number },
  { known }: Part,
) {
  let noted = 0
  for (let n = begins[i]!; n < begins[i + 1]!; n++) {
    const [first, last] = [Math.max(from[n]!, since), Math.min(to[n]!, until)]
    if (hours[n]! > 0 && first < last)
      noted += hours[n]! * (lengthOf(without([first, last], known)) / 1e6 / ((to[n]! - from[n]!) / 1e6))
  }
  return noted
}

/** What was kept of each truck in the closed months of a period. */
async function keptFor(db: Db, actor: Whose, trucks: Trucks, { kept }: Part, filter: Narrowing) {
  const known = new Map<number, Record<'timed' | 'parts' | 'noted', number>>()
  if (kept.length === 0 || trucks.id.length === 0) return known
  const { truck_id, timed, parts, noted } = await lists(
    db,
    {
      truck_id: list.whole(sql`k.truck_id`),
      timed: list.fraction(sql`k.timed`),
      parts: list.fraction(sql`k.parts`),
      noted: list.fraction(sql`k.noted`),
    },
    sql`(select k.truck_id, sum(k.timed) as timed, sum(k.parts) as parts, sum(k.noted) as noted from ${closedHoursTable} k
      where ${all([
        inScope(actor, sql`k`, filter.WorkshopId),
        oneOf(sql`k.truck_id`, filter.Truck),
        sql`k.month = any(${sql.param(kept)}::text[])`,
      ])} group by 1) k`,
  )
  for (let n = 0; n < truck_id.length; n++)
    known.set(truck_id[n]!, { timed: timed[n]!, parts: parts[n]!, noted: noted[n]! })
  return known
}

/**
 * What was done during the stays of a period, as far as it was not kept: works, with the times of their stay and their hours
 * where they say no times, and waits for parts.
 */
async function doneIn(db: Db, actor: Whose, asked: Asked, part: Part, now: string, filter: Narrowing) {
  const { trucks, listed, kept } = asked
  const moments = doneWithin(part, trucks)
  if (!moments) return { works: undefined, waits: undefined }
  const stays = staysIn(actor, moments, now, filter, { id: true, listed })
  const during = (alias: SQL) => sql`${alias}.company_id = ${actor.company_id} and ${alias}.work_order_id = s.id`
  const [works, waits] = await together(
    lists(
      db,
      { ...AT, hours: list.fraction(sql`s.hours`) },
      sql`(select s.truck_id, coalesce(w.start_time, s.began) as began,
          case when w.start_time is null then s.ended else greatest(w.start_time, coalesce(w.end_time, ${now}::timestamptz)) end as ended,
          case when w.start_time is null then w.hours else 0 end as hours
        from ${stays} join ${worksTable} w on ${during(sql`w`)}
        where w.start_time is not null or w.hours > 0) s`,
      { ask: askingOf(moments, filter), by: sql`s.truck_id` },
    ),
    lists(
      db,
      AT,
      sql`(select s.truck_id, k.from_at as began, coalesce(k.until_at, ${now}::timestamptz) as ended
        from ${stays} join ${partsWaitsTable} k on ${during(sql`k`)}) s`,
      { ask: askingOf(moments, filter), by: sql`s.truck_id` },
    ),
  )
  return {
    works: byTruck(trucks, [...TIMES, 'hours'], [...(kept?.works ?? []), works].map(asRows)),
    waits: byTruck(trucks, TIMES, [...(kept?.waits ?? []), waits].map(asRows)),
  }
}
const doneWithin = (part: Part, trucks: Trucks) => {
  const start = Math.max(part.start, trucks.first)
  const left = without(start < part.end ? [start, part.end] : NEVER, part.known)
  return left.length === 0 ? undefined : momentsOf([left[0]!, left.at(-1)!], 0)
}

/** How long each truck was there and stopped, and no more. */
async function hoursOf(db: Db, actor: Whose, asked: Asked, part: Part, filter: Narrowing) {
  const counted = await countedIn(db, actor, asked, part, filter)
  const found: Pick<Stopped, 'truck_id' | 'hours' | 'hours_stopped'>[] = []
  for (const { i, hours, hours_stopped } of counted())
    found.push({ truck_id: asked.trucks.id[i]!, hours, hours_stopped })
  return found.sort((a, b) => b.hours_stopped - a.hours_stopped || a.truck_id - b.truck_id)
}

/** Of some months, those whose hours were kept when they were closed. */
async function keptOf(db: Db, { company_id }: Whose, months: string[]) {
  const found = await execute<{ month: string }>(
    db,
    sql`select month from ${closedHoursTable} where company_id = ${company_id} and truck_id = 0
          and month = any(${sql.param(months)}::text[])`,
  )
  return found.map(({ month }) => month)
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
    const asked = await askedOf(db, whose, [monthSpan(month, time_zone)], now, {}, { all: true, live: true })
    for (const truck of await stopped(db, whose, asked, asked.parts[0]!, now, {}))
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
  const seconds = (ranges: SQL) =>
    sql`round(coalesce(extract(epoch from (select sum(upper(r) - lower(r)) from unnest(${ranges}) r)), 0)::float8)`
  const countIn = (ranges: SQL) => sql`coalesce((select count(*) from unnest(${ranges}) r), 0)`
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

const NOTHING = {
  hours: 0,
  hours_stopped: 0,
  hours_unplanned: 0,
  hours_timed: 0,
  hours_noted: 0,
  hours_worked: 0,
  hours_parts: 0,
  hours_waiting: 0,
  stops: 0,
  planned_stops: 0,
  unplanned_stops: 0,
}
const SUMMED = Object.keys(NOTHING) as (keyof typeof NOTHING)[]

export async function equipmentAvailability(db: Db, actor: Actor, { filter }: ReportQuery) {
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const { data, totals } = await atOneMoment(db, () => availabilityOfAll(db, actor, [span, earlier], filter))
  return { data, total: data.length, totals, range, before }
}

/** What the report says of a period, compared with another; and how much of some more trucks were available. At one moment. */
export async function availabilityOfAll(db: Db, actor: Actor, spans: Span[], filter: ReportFilter) {
  const now = new Date().toISOString()
  const asked = await askedOf(db, actor, spans, now, filter, { all: true })
  const [first, ...others] = asked.parts
  const [found, [then = [], ...more]] = await together(
    stopped(db, actor, asked, first!, now, filter),
    together(...others.map((part) => hoursOf(db, actor, asked, part, filter))),
  )
  const known = new Map(then.map((truck) => [truck.truck_id, truck]))
  const totals = { ...NOTHING }
  const data = found.map((truck): Availability => {
    const all = { ...truck, ...waits(truck) }
    for (const key of SUMMED) totals[key] += all[key]
    const before = known.get(truck.truck_id)
    return {
      truck_id: truck.truck_id,
      truck_code: truck.truck_code,
      patent: truck.patent,
      ...figures(all),
      ...(before ? compared(before) : { before: null, before_hours: 0, before_stopped: 0 }),
    }
  })
  return {
    data,
    totals: { ...figures(totals), ...compared(hoursTogether(then)) },
    more: more.map(availableOf),
  }
}

const hoursTogether = (trucks: Pick<Figures, 'hours' | 'hours_stopped'>[]) => ({
  hours: sumOf(trucks, (truck) => truck.hours),
  hours_stopped: sumOf(trucks, (truck) => truck.hours_stopped),
})

/** How much of some periods trucks were available, and no more. At one moment. */
export async function availabilityIn(db: Db, actor: Actor, spans: Span[], filter: Narrowing) {
  const asked = await askedOf(db, actor, spans, new Date().toISOString(), filter)
  const found = await together(...asked.parts.map((part) => hoursOf(db, actor, asked, part, filter)))
  return found.map(availableOf)
}
const availableOf = (trucks: Pick<Figures, 'hours' | 'hours_stopped'>[]) => {
  const { hours, hours_stopped } = hoursTogether(trucks)
  return { availability: hours > 0 ? 1 - hours_stopped / hours : null, hours_stopped }
}

/** The stays of a period, cut to it and to the life of their trucks: where those of each truck are in the lists, in order. */
async function staysOf(db: Db, actor: Whose, span: Span, now: string, filter: Narrowing) {
  const { start, end } = rangeOf(passed(span, now))
  const trucks = await trucksOf(db, actor, span.start, filter, false)
  const moments = momentsOf([Math.min(Math.max(start, trucks.first), end), end], 0)
  const listed = await listedFor(db, actor, [moments], filter)
  const [read, kept] = await together(
    lists(
      db,
      { ...AT, ...PLANNED, id: list.whole(sql`s.id`) },
      staysIn(actor, moments, now, filter, { id: true, planned: true, listed }),
      { ask: askingOf(moments, filter), by: sql`s.truck_id` },
    ),
    listed ? keptStays(db, actor, listed, [moments], now, filter, { id: true }) : Promise.resolve(undefined),
  )
  const stays = byTruck(trucks, [...STAYS, 'id'], [...(kept?.stays ?? []), asRows(read)])
  const { id, from, to } = stays
  const found = Array.from(trucks.id, (truck_id, i) => {
    const places: number[] = []
    for (let n = stays.begins[i]!; n < stays.begins[i + 1]!; n++) {
      from[n] = Math.max(from[n]!, start, trucks.born[i]!)
      to[n] = Math.min(to[n]!, end, trucks.retired[i]!)
      if (from[n]! < to[n]!) places.push(n)
    }
    places.sort((a, b) => from[a]! - from[b]! || id[a]! - id[b]!)
    return { truck_id, away: trucks.away.get(i) ?? NEVER, places }
  })
  return { stays, trucks: found.sort((a, b) => a.truck_id - b.truck_id) }
}

/** The stays behind a truck's hours: what each adds to those before it is what the report says. */
export const listStops = (db: Db, actor: Actor, query: StopRows) => atOneMoment(db, () => stopsIn(db, actor, query))

async function stopsIn(db: Db, actor: Actor, query: StopRows) {
  const { filter, page, per_page, sort = '-from' } = query
  const now = new Date().toISOString()
  const { range, span } = periodsOf(actor, filter.BetweenDate)
  // Where planned ones are alone, what crosses an unplanned one is not theirs.
  const isPlanned = filter.Planned?.length === 1 && filter.Planned[0] === 'true'
  const { stays, trucks } = await staysOf(db, actor, span, now, filter)
  const { id, from, to, planned } = stays
  const [counted, begins] = [new Float64Array(id.length), new Uint8Array(id.length)]
  const found: number[] = []
  for (const { places, away } of trucks) {
    const failed: number[] = []
    if (isPlanned) for (const n of places) if (planned[n] === 0) addRange(failed, from[n]!, to[n]!)
    let until = Number.NEGATIVE_INFINITY
    for (const n of places) {
      if (filter.Planned?.length && !filter.Planned.includes(planned[n] === 1 ? 'true' : 'false')) continue
      const [first, last] = [Math.max(from[n]!, until), Math.max(to[n]!, until)]
      counted[n] = hoursIn(without(without(first < last ? [first, last] : NEVER, away), failed))
      begins[n] = from[n]! > until ? 1 : 0
      until = last
      found.push(n)
    }
  }
  const key = sort.endsWith('hours') ? (n: number) => to[n]! - from[n]! : (n: number) => from[n]!
  const sign = sort.startsWith('-') ? -1 : 1
  const shown = firstOnes(
    found,
    (n) => sign * key(n),
    (a, b) => id[a]! - id[b]!,
    page * per_page,
  ).slice((page - 1) * per_page)
  const data = await execute<StopRow>(
    db,
    sql`select o.id as work_order_id, ${CODE} as code, o.truck_id, k.code as truck_code, k.patent, o.request,
          o.workshop_entry_at, o.workshop_departure_at
        from ${workOrdersTable} o
        join ${trucksTable} k on k.company_id = ${actor.company_id} and k.id = o.truck_id
        where o.company_id = ${actor.company_id} and o.id = any(${sql.param(shown.map((n) => id[n]!))}::bigint[])`,
  )
  const orders = new Map(data.map((order) => [order.work_order_id, order]))
  return {
    data: shown.map((n): StopRow => {
      const { work_order_id, code, truck_id, truck_code, patent, request, ...at } = orders.get(id[n]!)!
      const names = { work_order_id, code, truck_id, truck_code, patent, planned: planned[n] === 1, request }
      const told = { ...names, ...at, from: instantAt(from[n]!), to: instantAt(to[n]!), begins: begins[n] === 1 }
      return { ...told, hours: hoursIn([from[n]!, to[n]!]), counted: counted[n]! }
    }),
    total: found.length,
    page,
    per_page,
    totals: { hours: sumOf(found, (n) => counted[n]!), stops: sumOf(found, (n) => begins[n]!) },
    range,
  }
}
