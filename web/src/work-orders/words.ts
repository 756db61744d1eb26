import { dayOf, instantOf, localOf, showDay } from '#contract/base/dates.ts'
import { showQuantity } from '#contract/base/money.ts'
import { showAmount } from '#contract/base/units.ts'
import type { Clash, WorkOrderCard } from '#contract/work-orders/orders.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import type { Tone } from '../ui/tokens.ts'

/* How an order's times are said. Days are those of the company's zone. */

const DAY = 86_400_000
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY)

type Timed = Pick<WorkOrderCard, 'status' | 'deadline_at' | 'date_estimed' | 'hour_estimed' | 'finalized_at'>

/** When it must be ready: its deadline, or else what was estimated. */
const dueAt = (order: Timed, zone: string) =>
  order.deadline_at ??
  (order.date_estimed ? instantOf(`${order.date_estimed}T${order.hour_estimed ?? '23:59'}`, zone) : null)

export const isOverdue = (order: Timed, zone: string, now = Date.now()) => {
  const due = dueAt(order, zone)
  return !isClosed(order) && due !== null && Date.parse(due) < now
}

const shortDay = (day: string) => showDay(day).slice(0, -5)

/** `Atrasada 2 d`, `Hoy`, `En 3 d`, `12 nov`; undefined where nobody said when. */
export function showDue(order: Timed, zone: string, now = Date.now()): { text: string; tone?: Tone } | undefined {
  if (isClosed(order)) return order.finalized_at ? { text: shortDay(dayOf(order.finalized_at, zone)) } : undefined
  const due = dueAt(order, zone)
  if (!due) return undefined
  const days = daysBetween(dayOf(new Date(now), zone), dayOf(due, zone))
  if (Date.parse(due) < now) {
    const late = Math.floor((now - Date.parse(due)) / 3_600_000)
    return { text: `Atrasada ${days < 0 ? `${-days} d` : `${Math.max(1, late)} h`}`, tone: 'danger' }
  }
  if (days === 0) return { text: 'Hoy', tone: 'warning' }
  if (days === 1) return { text: 'Mañana' }
  return { text: days <= 30 ? `En ${days} d` : shortDay(dayOf(due, zone)) }
}

/** How long ago, in units that are over: `12 min`, `5 h`, `3 d`. Every screen that says an age says it with this. */
export function showAge(at: string, now = Date.now()) {
  const minutes = Math.max(0, Math.floor((now - Date.parse(at)) / 60_000))
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`
  return `${Math.floor(minutes / 1440)} d`
}

/** `Hoy 10:22`, `Ayer 17:40`, `16 nov 08:12`; the year where it is another one. */
export function showWhen(at: string, zone: string, now = Date.now()) {
  const [day = '', hour] = localOf(at, zone).split('T')
  const today = dayOf(new Date(now), zone)
  const ago = daysBetween(day, today)
  const named =
    ago === 0 ? 'Hoy' : ago === 1 ? 'Ayer' : day.slice(0, 4) === today.slice(0, 4) ? shortDay(day) : showDay(day)
  return `${named} ${hour}`
}

/** `2 h 30 min` */
export function showHours(hours: number) {
  const minutes = Math.round(hours * 60)
  const [whole, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (whole >= 1000) return `${showQuantity(whole)} h`
  return [whole > 0 && `${whole} h`, (rest > 0 || whole === 0) && `${rest} min`].filter(Boolean).join(' ')
}

/** `Box 2 también tiene OT-000123 el 12 nov, de 09:00 a 11:00` */
export function sayClash({ kind, name, code, from, until }: Clash, zone: string) {
  const [start, end] = [localOf(from, zone), localOf(until, zone)]
  const to = start.slice(0, 10) === end.slice(0, 10) ? '' : ` del ${shortDay(end.slice(0, 10))}`
  const what = kind === 'box' ? `${name} también tiene ${code}` : `${name} también trabaja en ${code}`
  return `${what} el ${shortDay(start.slice(0, 10))}, de ${start.slice(11, 16)} a ${end.slice(11, 16)}${to}`
}

type Parts = Pick<WorkOrderCard, 'planned_supplies'>
const listed = (parts: Parts['planned_supplies'], of: 'reserved' | 'missing') =>
  parts
    .filter((part) => part[of] > 0)
    .map((part) => `${part.name} (${showAmount(part[of], part.unit)})`)
    .join(', ')
/** Which parts are kept for an order, and which it waits for. */
export const sayParts = ({ planned_supplies }: Parts) =>
  [
    ['Apartado', listed(planned_supplies, 'reserved')],
    ['Falta', listed(planned_supplies, 'missing')],
  ].flatMap(([word, parts]) => (parts ? [`${word}: ${parts}`] : []))
export const sayMissing = ({ planned_supplies }: Parts) => listed(planned_supplies, 'missing')
