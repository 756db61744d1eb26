import { type SQL, sql } from 'drizzle-orm'
import type { ReportFilter } from '#contract/reports/reports.ts'
import { list, lists } from '../platform/database/columns.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { batch, type Db } from '../platform/database/db.ts'
import { partsWaitsTable, worksTable } from '../work-orders/tables.ts'
import { inScope } from '../workshops/scope.ts'
import { monthSpan, type Narrowing } from './expenses.ts'
import { addRange, both, common, countApart, cut, lengthOf, type Ranges, touches, without } from './ranges.ts'
import type { Times } from './stay-lists.ts'
import {
  type Asked,
  AT,
  askingOf,
  asRows,
  type ByTruck,
  byTruck,
  doneWithin,
  hoursIn,
  isOfAll,
  lifeOf,
  NEVER,
  type Part,
  rangeOf,
  staysIn,
  TIMES,
  type Trucks,
  type Whose,
  whenOf,
} from './stays.ts'
import { closedHoursTable } from './tables.ts'

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

export interface Stopped {
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
export async function stopped(db: Db, actor: Whose, asked: Asked, part: Part, now: string, filter: ReportFilter) {
  const { trucks } = asked
  const {
    counted,
    kept,
    done: { works, waits },
  } = await batch({
    counted: countedIn(db, actor, asked, part, filter),
    kept: keptFor(db, actor, trucks, part, filter),
    done: doneIn(db, actor, asked, part, now, filter),
  })
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
  const { works, waits } = await batch({
    works: lists(
      db,
      { ...AT, hours: list.fraction(sql`s.hours`) },
      sql`(select s.truck_id, coalesce(w.start_time, s.began) as began,
          case when w.start_time is null then s.ended else greatest(w.start_time, coalesce(w.end_time, ${now}::timestamptz)) end as ended,
          case when w.start_time is null then w.hours else 0 end as hours
        from ${stays} join ${worksTable} w on ${during(sql`w`)}
        where w.start_time is not null or w.hours > 0) s`,
      { ask: askingOf(moments, filter), by: sql`s.truck_id` },
    ),
    waits: lists(
      db,
      AT,
      sql`(select s.truck_id, k.from_at as began, coalesce(k.until_at, ${now}::timestamptz) as ended
        from ${stays} join ${partsWaitsTable} k on ${during(sql`k`)}) s`,
      { ask: askingOf(moments, filter), by: sql`s.truck_id` },
    ),
  })
  return {
    works: byTruck(trucks, [...TIMES, 'hours'], [...(kept?.works ?? []), works].map(asRows)),
    waits: byTruck(trucks, TIMES, [...(kept?.waits ?? []), waits].map(asRows)),
  }
}
/** How long each truck was there and stopped, and no more. */
export async function hoursOf(db: Db, actor: Whose, asked: Asked, part: Part, filter: Narrowing) {
  const counted = await countedIn(db, actor, asked, part, filter)
  const found: Pick<Stopped, 'truck_id' | 'hours' | 'hours_stopped'>[] = []
  for (const { i, hours, hours_stopped } of counted())
    found.push({ truck_id: asked.trucks.id[i]!, hours, hours_stopped })
  return found.sort((a, b) => b.hours_stopped - a.hours_stopped || a.truck_id - b.truck_id)
}
