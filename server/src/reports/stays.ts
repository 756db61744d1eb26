import { type SQL, sql } from 'drizzle-orm'
import { OPEN_STATUSES } from '#contract/work-orders/states.ts'
import { trucksTable } from '../fleet/tables.ts'
import { instantAt, list, lists, microsecondsOf } from '../platform/database/columns.ts'
import { all } from '../platform/database/conditions.ts'
import { batch, type Db, rows, rowsUnprepared } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { maintenanceTypesTable, workOrdersTable } from '../work-orders/tables.ts'
import { inScope, type Scope } from '../workshops/scope.ts'
import {
  isLong,
  monthSpan,
  monthsWithin,
  type Narrowing,
  ordersAsked,
  type Span,
  sumOf,
  trucksAsked,
} from './expenses.ts'
import { addRange, Joined, lengthOf, type Ranges, without } from './ranges.ts'
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
export type Whose = Scope & Pick<Actor, 'time_zone'>

type Moments = Pick<Span, 'start' | 'end'>

/** As much of a period as has passed. */
const passed = (span: Moments, now: string) => ({ start: span.start, end: span.end < now ? span.end : now })

/** The day a truck `x` was registered begins; before it, and once retired, it counts for nothing. */
export const registered = (zone: string | SQL) =>
  sql`date_trunc('day', x.created_at at time zone ${zone}) at time zone ${zone}`

/** What repairs a failure is corrective; what has no such type is, where nobody planned it. */
export const IS_PLANNED = plannedByType(sql`o.planned`)

/**
 * Stays, in the workshop or elsewhere, as `s`: truck_id, began, ended; id and planned where they are asked for. One that has
 * not left yet lasts until now. Those that left after the period began are found by when they left, the rest by not having
 * left. Where some are `listed`, the others.
 */
export const staysIn = (
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
export const askingOf = ({ start, end }: Moments, { Truck }: Narrowing) =>
  Truck?.length || Date.parse(end) - Date.parse(start) < FEW_DAYS * 86_400_000 ? rows : rowsUnprepared
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
export type Trucks = Awaited<ReturnType<typeof trucksOf>>
const EPOCH = microsecondsOf('1970-01-01T00:00:00Z')
export const NEVER: Ranges = []

/** Rows in the order of their trucks: those of the truck at a place are from where it `begins` until the next one does. */
export type ByTruck<N extends string = keyof Times> = Record<N, Float64Array> & { begins: Int32Array }
/** Of some lists, one behind the other, that have these columns. */
export function byTruck<N extends string>(
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
export const asRows = <T extends { truck_id: Float64Array | Int32Array }>(read: T): Rows<T> => ({
  trucks: Int32Array.from(read.truck_id),
  read: () => read,
})
export const TIMES = ['from', 'to'] as const

/** When what they say was, of the truck at a place; only of rows with nothing in a column, where one is given. */
export function whenOf({ begins, from, to }: ByTruck, i: number, none?: Float64Array): Ranges {
  const found = new Joined(begins[i + 1]! - begins[i]!)
  for (let n = begins[i]!; n < begins[i + 1]!; n++) if (!none || none[n] === 0) found.add(from[n]!, to[n]!)
  return found.take()
}

export const AT = {
  truck_id: list.whole(sql`s.truck_id`),
  from: list.moment(sql`s.began`),
  to: list.moment(sql`s.ended`),
}
const PLANNED = { planned: list.whole(sql`case when s.planned then 1 else 0 end`) }
const STAYS = [...TIMES, 'planned'] as const
/** Stays as they are read, with whether they were planned where that is asked for. */
type Stays = Times & { truck_id: Float64Array; planned?: Float64Array }

/** A period: its end as far as it has passed, all of it (`until`), the months of it whose hours were kept, and when these were. */
export interface Part {
  start: number
  end: number
  until: number
  kept: string[]
  known: Ranges
}

/** Some periods, their trucks, and when each of these was in a workshop; and when for a failure, where that is asked for. */
export interface Asked {
  parts: Part[]
  trucks: Trucks
  met: Ranges[]
  failed: Ranges[]
  /** Which stays were listed, and what the lists say. */
  listed: Listed | undefined
  kept: Kept | undefined
}

export async function askedOf(
  db: Db,
  actor: Whose,
  spans: Span[],
  now: string,
  filter: Narrowing,
  { all = false, live = false }: { all?: boolean; live?: boolean } = {},
): Promise<Asked> {
  // Of all workshops together, only the stopped hours of a month are stored.
  const readsMonths = all || !isOfAll(actor, filter)
  const { trucks, months } = await batch({
    trucks: trucksOf(db, actor, spans.map(({ start }) => start).sort()[0]!, filter, all),
    months: readsMonths ? keptOf(db, actor, [...new Set(spans.flatMap(monthsWithin))]) : Promise.resolve([]),
  })
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
  const { others, kept } = await batch({
    others: batch(whole.map((moments) => read(moments, listed))),
    kept: listed ? keptStays(db, actor, listed, periods, now, filter, { done }) : Promise.resolve(undefined),
  })
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

export const rangeOf = ({ start, end }: Moments) => ({ start: microsecondsOf(start), end: microsecondsOf(end) })
const joined = (ranges: { start: number; end: number }[]): Ranges => {
  const found: number[] = []
  for (const { start, end } of ranges) addRange(found, start, end)
  return found
}
const momentsOf = (ranges: Ranges, at: number): Moments => ({
  start: instantAt(ranges[at]!),
  end: instantAt(ranges[at + 1]!),
})
export const hoursIn = (ranges: Ranges) => lengthOf(ranges) / 1e6 / 3600

/** Where every workshop counts, nobody looks whose trucks were. */
export const isOfAll = (actor: Whose, filter: Narrowing) => actor.workshop_id === null && !filter.WorkshopId?.length

/** Since when and until when the truck at a place counts in a period. */
export const lifeOf = ({ trucks }: Asked, { start, end }: Part, i: number) => {
  const [since, until] = [Math.max(start, trucks.born[i]!), Math.min(end, trucks.retired[i]!)]
  return { since, until, there: since < until ? [since, until] : NEVER }
}

export const doneWithin = (part: Part, trucks: Trucks) => {
  const start = Math.max(part.start, trucks.first)
  const left = without(start < part.end ? [start, part.end] : NEVER, part.known)
  return left.length === 0 ? undefined : momentsOf([left[0]!, left.at(-1)!], 0)
}

/** Of some months, those whose hours were kept when they were closed. */
async function keptOf(db: Db, { company_id }: Whose, months: string[]) {
  const found = await rows<{ month: string }>(
    db,
    sql`select month from ${closedHoursTable} where company_id = ${company_id} and truck_id = 0
          and month = any(${sql.param(months)}::text[])`,
  )
  return found.map(({ month }) => month)
}

/** The stays of a period, cut to it and to the life of their trucks: where those of each truck are in the lists, in order. */
export async function staysOf(db: Db, actor: Whose, span: Span, now: string, filter: Narrowing) {
  const { start, end } = rangeOf(passed(span, now))
  const trucks = await trucksOf(db, actor, span.start, filter, false)
  const moments = momentsOf([Math.min(Math.max(start, trucks.first), end), end], 0)
  const listed = await listedFor(db, actor, [moments], filter)
  const { read, kept } = await batch({
    read: lists(
      db,
      { ...AT, ...PLANNED, id: list.whole(sql`s.id`) },
      staysIn(actor, moments, now, filter, { id: true, planned: true, listed }),
      { ask: askingOf(moments, filter), by: sql`s.truck_id` },
    ),
    kept: listed ? keptStays(db, actor, listed, [moments], now, filter, { id: true }) : Promise.resolve(undefined),
  })
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
