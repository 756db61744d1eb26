import type { Availability, ReportFilter, ReportQuery } from '#contract/reports/reports.ts'
import { batch, type Db, snapshot } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { type Narrowing, periodsOf, type Span, sumOf } from '../expenses.ts'
import { stayPeriods } from './stays.ts'
import { type Stopped, type StoppedHours, stoppedHoursIn, stoppedIn } from './stopped.ts'

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

/**
 * The report of the first period, compared with the second, and the availability in all trucks together in any others. The
 * caller sees to it that all is read at one moment.
 */
export async function availabilityOfAll(db: Db, actor: Actor, spans: Span[], filter: ReportFilter) {
  const now = new Date().toISOString()
  const [first, ...others] = await stayPeriods(db, actor, spans, now)
  const {
    stopped,
    others: [before = [], ...more],
  } = await batch({
    stopped: stoppedIn(db, actor, first!, now, filter),
    others: batch(others.map((period) => stoppedHoursIn(db, actor, period, now, filter))),
  })
  const hoursBefore = new Map(before.map((truck) => [truck.truck_id, truck]))
  const totals = { ...NOTHING }
  const data = stopped.map((truck): Availability => {
    const all = { ...truck, ...waits(truck) }
    for (const key of SUMMED) totals[key] += all[key]
    return {
      truck_id: truck.truck_id,
      truck_code: truck.truck_code,
      patent: truck.patent,
      ...figures(all),
      ...compared(hoursBefore.get(truck.truck_id) ?? NOTHING),
    }
  })
  return {
    data,
    totals: { ...figures(totals), ...compared(sumHours(before)) },
    more: more.map(availableOf),
  }
}

const sumHours = (trucks: StoppedHours[]) => ({
  hours: sumOf(trucks, (truck) => truck.hours),
  hours_stopped: sumOf(trucks, (truck) => truck.hours_stopped),
})

/** The availability of all trucks together in some periods. */
export async function availabilityIn(db: Db, actor: Actor, spans: Span[], filter: Narrowing) {
  const now = new Date().toISOString()
  const periods = await stayPeriods(db, actor, spans, now)
  const stopped = await batch(periods.map((period) => stoppedHoursIn(db, actor, period, now, filter)))
  return stopped.map(availableOf)
}
const availableOf = (trucks: StoppedHours[]) => {
  const { hours, hours_stopped } = sumHours(trucks)
  return { availability: hours > 0 ? 1 - hours_stopped / hours : null, hours_stopped }
}
