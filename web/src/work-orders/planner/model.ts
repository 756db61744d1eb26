import { addDays, daysBetween, instantOf, localOf, showDay } from '#contract/base/dates.ts'
import type { Planner, PlannerItem } from '#contract/work-orders/planner.ts'

/* The plan as plain data. Time is counted in minutes of the wall clock since midnight of the first day shown. */

export interface Span {
  from: number
  until: number
}
export interface Placed extends Span {
  item: PlannerItem
}
export type Opening = Planner['opening']
export type Lanes = 'box' | 'mechanic'
/** A box or a mechanic; 0 for what has none. */
export interface Lane {
  id: number
  name: string
  about: string | null
  workshop_id: number | null
}
/** Where something would go: null for back among what waits. */
export interface Place extends Span {
  lane: number
}

export const DAY = 1440
/** What nobody said how long it takes. */
const USUAL = 120
const STEP = 15

export const keyOf = ({ kind, id }: Pick<PlannerItem, 'kind' | 'id'>) => `${kind === 'work' ? 'work' : 'order'}-${id}`

export const wallOf = (at: string, zone: string, first: string) =>
  (Date.parse(`${localOf(at, zone)}:00Z`) - Date.parse(`${first}T00:00:00Z`)) / 60_000
export const localAt = (minute: number, first: string) =>
  new Date(Date.parse(`${first}T00:00:00Z`) + minute * 60_000).toISOString().slice(0, 16)
export const instantAt = (minute: number, zone: string, first: string) => instantOf(localAt(minute, first), zone)

export const laneOf = (item: PlannerItem, lanes: Lanes) => (lanes === 'box' ? item.box_id : item.specialist_id) ?? 0

/** Those that lie in so many days from the first on. */
export const placed = (
  items: readonly PlannerItem[],
  zone: string,
  first: string,
  days = Number.POSITIVE_INFINITY,
): Placed[] =>
  items.flatMap((item) => {
    if (item.start === null || item.until === null) return []
    const from = wallOf(item.start, zone, first)
    const until = Math.max(wallOf(item.until, zone, first), from + 1)
    return from < days * DAY && (until > 0 || days === Number.POSITIVE_INFINITY) ? { item, from, until } : []
  })

/** Monday is 0. */
const weekday = (day: string) => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

/** When the workshop works on the n-th day. */
export function openOn(day: number, first: string, opening: Opening): Span | null {
  const hours = opening[(((weekday(first) + day) % 7) + 7) % 7]
  return hours ? { from: day * DAY + hours.from * 60, until: day * DAY + hours.until * 60 } : null
}

export const overlap = (a: Span, b: Span) => Math.max(0, Math.min(a.until, b.until) - Math.max(a.from, b.from))

/** A calendar of working hours, from a first day on. */
export const hoursOf = (first: string, opening: Opening) => {
  const on = (day: number) => openOn(day, first, opening)
  const opens = opening.some(Boolean)
  const working = (span: Span) => {
    let sum = 0
    for (let day = Math.floor(span.from / DAY); day * DAY < span.until; day++) {
      const open = on(day)
      if (open) sum += overlap(span, open)
    }
    return sum
  }
  /** Until when something takes that begins then: nights and closed days do not count, unless it begins in one. */
  const stretch = (from: number, minutes: number): Span => {
    let left = minutes
    for (let day = Math.floor(from / DAY); opens && day < from / DAY + 400; day++) {
      const open = on(day)
      if (!open || open.until <= from) {
        if (left === minutes) break
        continue
      }
      if (left === minutes && from < open.from) break
      const begins = Math.max(from, open.from)
      if (begins + left <= open.until) return { from, until: begins + left }
      left -= open.until - begins
    }
    return { from, until: from + minutes }
  }
  /** The first hours that nothing else takes. */
  const gap = (busy: readonly Span[], minutes: number, after: number): Span => {
    const steps = Math.ceil(after / STEP) * STEP
    if (!opens) return { from: steps, until: steps + minutes }
    let from = steps
    for (let tries = 0; tries < 4000; tries++) {
      const open = on(Math.floor(from / DAY))
      if (!open || from >= open.until) {
        from = (Math.floor(from / DAY) + 1) * DAY
        continue
      }
      if (from < open.from) from = open.from
      const span = stretch(from, minutes)
      const inTheWay = busy.filter((other) => overlap(span, other) > 0)
      // A job that fits into a day is not torn in two by its evening.
      const torn = span.until > open.until && minutes <= open.until - open.from
      if (inTheWay.length === 0 && !torn) return span
      from = inTheWay.length > 0 ? Math.ceil(Math.min(...inTheWay.map(({ until }) => until)) / STEP) * STEP : open.until
    }
    return { from, until: from + minutes }
  }
  return { on, working, stretch, gap }
}
export type Hours = ReturnType<typeof hoursOf>

/** How long it takes, in minutes at work. */
export function lengthOf({ item, ...span }: { item: PlannerItem } & Partial<Span>, hours: Hours) {
  if (span.from !== undefined && span.until !== undefined) {
    const { from, until } = span as Span
    return hours.working({ from, until }) || until - from
  }
  return item.hours ? Math.max(STEP, Math.ceil((item.hours * 60) / STEP) * STEP) : USUAL
}

/** What occupies a lane: orders their box; people their works, and orders that have none with hours. */
export const occupies = ({ kind, works_planned }: PlannerItem, lanes: Lanes) =>
  lanes === 'box' ? kind !== 'work' : kind === 'work' || works_planned === 0
/** What takes people's hours. */
export const takesPeople = (item: PlannerItem) => occupies(item, 'mechanic')

/* Columns and rows */

/** A day of the week, or an hour of the day. */
export interface Column extends Span {
  key: string
  day: number
  /** Drawn to scale: the working day, or all of it. */
  scale: Span
  open: boolean
  /** Closed and empty: a strip. */
  folded: boolean
}

const HALF = { from: 8, until: 18 }

export function columnsOf(view: 'week' | 'day', hours: Hours, whole: boolean, busy: readonly Span[]): Column[] {
  const usual = (day: number): Span => ({ from: day * DAY + HALF.from * 60, until: day * DAY + HALF.until * 60 })
  const all = (day: number): Span => ({ from: day * DAY, until: (day + 1) * DAY })
  if (view === 'week')
    return Array.from({ length: 7 }, (_, day) => {
      const open = hours.on(day)
      const { from, until } = all(day)
      const inside = busy.some((span) => span.from >= from && span.from < until)
      return {
        key: String(day),
        day,
        from,
        until,
        scale: whole ? all(day) : (open ?? usual(day)),
        open: open !== null,
        folded: open === null && !whole && !inside,
      }
    })
  const { from, until } = whole ? all(0) : (hours.on(0) ?? usual(0))
  const begin = Math.floor(from / 60)
  return Array.from({ length: Math.ceil(until / 60) - begin }, (_, i) => {
    const scale = { from: (begin + i) * 60, until: (begin + i + 1) * 60 }
    return { key: String(begin + i), day: 0, ...scale, scale, open: true, folded: false }
  })
}

export interface Row extends Placed {
  /** Columns from and to, both within. */
  first: number
  last: number
  row: number
}

/** The columns something lies in; as wide as it must be to be read. */
function columnsFor(span: Span, columns: readonly Column[], least: number) {
  const end = columns.length - 1
  const at = columns.findIndex(({ until }) => span.from < until)
  let first = at < 0 ? end : at
  let last = first
  while (last < end && columns[last + 1]!.from < span.until) last++
  // What ends before the next day has begun its work ends today.
  while (last > first && columns[last]!.scale.from >= span.until) last--
  if (last - first + 1 < least) last = Math.min(end, first + least - 1)
  if (last - first + 1 < least) first = Math.max(0, last - least + 1)
  return { first, last }
}

/** In the order they begin, each in the first row that has room. */
export function rowsOf(spans: readonly Placed[], columns: readonly Column[], least: number): Row[] {
  const taken: boolean[][] = []
  return [...spans]
    .sort((a, b) => a.from - b.from || b.until - a.until || a.item.id - b.item.id)
    .map((one) => {
      const { first, last } = columnsFor(one, columns, least)
      let row = 0
      const isTaken = () => taken[row]?.slice(first, last + 1).some(Boolean)
      while (isTaken()) row++
      taken[row] ??= []
      for (let column = first; column <= last; column++) taken[row]![column] = true
      return { ...one, first, last, row }
    })
}

/** Where two lie on each other. */
export function crossings(spans: readonly Placed[]) {
  const found: Span[] = []
  const sorted = [...spans].sort((a, b) => a.from - b.from)
  let reach = Number.NEGATIVE_INFINITY
  for (const { from, until } of sorted) {
    if (from < reach) found.push({ from, until: Math.min(until, reach) })
    reach = Math.max(reach, until)
  }
  return found
}

/** How long it lies on the one it clashes with most, in minutes at work; undefined where it clashes with none. */
export function clashMinutes({ clashes }: PlannerItem, hours: Hours, zone: string, first: string) {
  if (clashes.length === 0) return undefined
  const lengths = clashes.map((clash) => {
    const span = { from: wallOf(clash.from, zone, first), until: wallOf(clash.until, zone, first) }
    return hours.working(span) || span.until - span.from
  })
  return Math.max(...lengths)
}

/* Where something would go */

interface Target {
  lane: number
  column: Column
  /** Within the column, from 0 to 1: counts in a view of hours. */
  at: number
}

export interface Plan {
  hours: Hours
  view: 'week' | 'day'
  lanes: Lanes
  now: number
  /** What lies in a lane, without the one that moves. */
  busyIn: (lane: number, but: PlannerItem) => Span[]
}

/** Hours it would get there: those it has, moved; the first that are free where it has none. */
export function placeAt(one: { item: PlannerItem } & Partial<Span>, { lane, column, at }: Target, plan: Plan): Place {
  const { hours, view } = plan
  const length = lengthOf(one, hours)
  if (one.item.began && one.from !== undefined && one.until !== undefined)
    return { lane, from: one.from, until: one.until }
  if (view === 'day') {
    const from = Math.round((column.from + at * 60) / 30) * 30
    return { lane, ...hours.stretch(from, length) }
  }
  if (one.from !== undefined) {
    const hour = ((one.from % DAY) + DAY) % DAY
    return { lane, ...hours.stretch(column.day * DAY + hour, length) }
  }
  const opens = hours.on(column.day)?.from ?? column.scale.from
  // What is left of today.
  const begin = plan.now > opens && plan.now < column.scale.until ? Math.ceil(plan.now / STEP) * STEP : opens
  const free = hours.gap(plan.busyIn(lane, one.item), length, begin)
  return { lane, ...(free.from < column.until ? free : hours.stretch(begin, length)) }
}

/** The earliest free hours in any of the lanes, in its own first. */
export function firstGap(
  one: { item: PlannerItem } & Partial<Span>,
  lanes: readonly Lane[],
  after: number,
  plan: Plan,
) {
  const own = laneOf(one.item, plan.lanes)
  const mine = lanes.filter(
    ({ id, workshop_id }) => id !== 0 && (own === 0 ? workshop_id === one.item.workshop_id : id === own),
  )
  const length = lengthOf(one, plan.hours)
  const gaps = mine.map(({ id }) => ({ lane: id, ...plan.hours.gap(plan.busyIn(id, one.item), length, after) }))
  return gaps.sort((a, b) => a.from - b.from)[0]
}

/* Words */

const WEEKDAYS = ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom']
export const WHOLE_DAYS = ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo']
export const dayNumber = (day: string) => Number(day.slice(8, 10))
export const weekdayOf = (day: string) => WEEKDAYS[weekday(day)]!
export const wholeDayOf = (day: string) => WHOLE_DAYS[weekday(day)]!
export const mondayOf = (day: string) => addDays(day, -weekday(day))

/** `8:00` */
export const showHour = (minute: number) => {
  const at = ((minute % DAY) + DAY) % DAY
  return `${Math.floor(at / 60)}:${String(Math.round(at % 60)).padStart(2, '0')}`
}
/** `8:00–12:30`, or with its days where they are two. */
export function showSpan({ from, until }: Span, first: string) {
  const day = (minute: number) => showDay(localAt(minute, first)).slice(0, 6).replace(/^0/, '')
  const sameDay = Math.floor(from / DAY) === Math.floor((until - 1) / DAY)
  return sameDay
    ? `${showHour(from)}–${showHour(until)}`
    : `${day(from)} ${showHour(from)} – ${day(until)} ${showHour(until)}`
}
/** `vie 20, 8:00–10:30` */
export function sayPlace({ from, until }: Span, first: string) {
  const day = localAt(from, first).slice(0, 10)
  const sameDay = Math.floor(from / DAY) === Math.floor((until - 1) / DAY)
  return sameDay
    ? `${weekdayOf(day)} ${dayNumber(day)}, ${showHour(from)}–${showHour(until)}`
    : showSpan({ from, until }, first)
}

/** The week of the year, as ISO counts them. */
export function weekNumber(day: string) {
  const thursday = addDays(mondayOf(day), 3)
  return Math.floor(daysBetween(`${thursday.slice(0, 4)}-01-01`, thursday) / 7) + 1
}

/** `16 – 22 nov 2026` */
export function showRange(first: string, last: string) {
  const [a, b] = [showDay(first), showDay(last)]
  const from = a.slice(7) !== b.slice(7) ? a : a.slice(3, 6) !== b.slice(3, 6) ? a.slice(0, 6) : a.slice(0, 2)
  return `${from.replace(/^0/, '')} – ${b.replace(/^0/, '')}`
}
