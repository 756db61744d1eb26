import type { Availability, ReportFilter, ReportQuery } from '#contract/reports/reports.ts'
import { batch, type Db, snapshot } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { type Narrowing, periodsOf, type Span, sumOf } from './expenses.ts'
import { askedOf } from './stays.ts'
import { hoursOf, type Stopped, stopped } from './stopped.ts'

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
  const { data, totals } = await snapshot(db, () => availabilityOfAll(db, actor, [span, earlier], filter))
  return { data, total: data.length, totals, range, before }
}

/** What the report says of a period, compared with another; and how much of some more trucks were available. At one moment. */
export async function availabilityOfAll(db: Db, actor: Actor, spans: Span[], filter: ReportFilter) {
  const now = new Date().toISOString()
  const asked = await askedOf(db, actor, spans, now, filter, { all: true })
  const [first, ...others] = asked.parts
  const {
    found,
    others: [then = [], ...more],
  } = await batch({
    found: stopped(db, actor, asked, first!, now, filter),
    others: batch(others.map((part) => hoursOf(db, actor, asked, part, filter))),
  })
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
  const found = await batch(asked.parts.map((part) => hoursOf(db, actor, asked, part, filter)))
  return found.map(availableOf)
}
const availableOf = (trucks: Pick<Figures, 'hours' | 'hours_stopped'>[]) => {
  const { hours, hours_stopped } = hoursTogether(trucks)
  return { availability: hours > 0 ? 1 - hours_stopped / hours : null, hours_stopped }
}
