import { sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { closedMonth, ofClosedMonth } from '#contract/workshops/months.ts'
import { type Db, row } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid, Problem } from '../../platform/problems.ts'
import { isClosedAt, type Open, openMonths } from '../../workshops/months.ts'
import { closedLabour } from '../labour/labour.ts'
import { workOrderAdjustmentsTable } from '../tables.ts'

/* What an order says of a closed month: it stays what it is. Its lines, invoices and reading are held to it where they are saved. */

const STAY = ['workshop_entry_at', 'workshop_departure_at'] as const
type Stay = { [Field in (typeof STAY)[number]]: string | null }
/** Whether a stay was planned: how it is counted. */
const KIND = ['planned', 'type_maintenance_id'] as const
type Kind = Pick<WorkOrder, (typeof KIND)[number]>
type Past = Pick<WorkOrder, 'id' | 'supplies' | 'services' | 'service_adjustments' | keyof Stay>

const sameMoment = (a: string | null, b: string | null) => (a && Date.parse(a)) === (b && Date.parse(b))

/**
 * Of which truck and workshop it is, while it has spent something in a closed month; when the truck came in and left, and
 * whether that was planned.
 */
export async function requireOpenPast(
  db: Db,
  actor: Actor,
  before: Past & Kind & Pick<WorkOrder, 'truck_id' | 'workshop_id'>,
  what: Stay & Kind & { truck_id: number; workshop_id: number },
) {
  const open = await openMonths(db, actor)
  const wrong = wrongStay(actor, open, before, what)
  const entered = before.workshop_entry_at
  for (const field of KIND)
    if (before[field] !== what[field] && isClosedAt(open, entered))
      wrong[field] = ofClosedMonth(dayOf(entered!, actor.time_zone))
  const moved = (['truck_id', 'workshop_id'] as const).filter((field) => before[field] !== what[field])
  const spent = moved.length > 0 ? await closedDayOf(db, actor, before, open) : undefined
  for (const field of moved) if (spent) wrong[field] = SPENT(spent)
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
}

/** A truck that has not come in yet has no entry: with one, its order could not be finalized before that day. */
const FUTURE_ENTRY = 'El ingreso no puede estar en el futuro. Para planificarla use el día y la hora estimados.'
const isFuture = (at: string | null) => at !== null && Date.parse(at) > Date.now() + 60_000

function wrongStay(actor: Actor, open: Open, before: Stay, what: Stay): Record<string, string> {
  const wrong: Record<string, string> = {}
  for (const field of STAY) {
    if (sameMoment(before[field], what[field])) continue
    if (field === 'workshop_entry_at' && isFuture(what[field])) wrong[field] = FUTURE_ENTRY
    const day = (at: string | null) => dayOf(at!, actor.time_zone)
    if (isClosedAt(open, before[field])) wrong[field] = ofClosedMonth(day(before[field]))
    else if (isClosedAt(open, what[field])) wrong[field] = closedMonth(day(what[field]))
  }
  return wrong
}

/** A truck does not come in, or leave, in a closed month any more. */
export async function requireOpenStay(db: Db, actor: Actor, what: Stay) {
  const never = { workshop_entry_at: null, workshop_departure_at: null }
  const wrong = wrongStay(actor, await openMonths(db, actor), never, what)
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
}

export async function requireNothingClosed(db: Db, actor: Actor, order: Past) {
  const day = await closedDayOf(db, actor, order, await openMonths(db, actor))
  if (day) throw new Problem(409, SPENT(day))
}

const SPENT = (day: string) => `La orden tiene gastos o estadías en un mes cerrado. ${ofClosedMonth(day)}`

/** A day in a closed month on which the order spent something, or its truck was in. */
async function closedDayOf(db: Db, actor: Actor, order: Past, open: Open): Promise<string | undefined> {
  if (open.since === null) return undefined
  const adjusted = await row<{ at: string }>(
    db,
    sql`select min(created_at) as at from ${workOrderAdjustmentsTable}
        where company_id = ${actor.company_id} and work_order_id = ${order.id}`,
  )
  const moments = [
    ...order.supplies.map(({ created_at }) => created_at),
    ...STAY.flatMap((field) => order[field] ?? []),
    ...(adjusted?.at ? [adjusted.at] : []),
  ]
  const worked = await closedLabour(db, actor, { order: order.id }, open)
  const days = [
    ...moments.map((at) => dayOf(at, actor.time_zone)),
    ...order.services.map(({ day }) => day),
    ...order.service_adjustments.map(({ day }) => day),
    ...(worked ? [worked] : []),
  ]
  return days.filter((day) => day < open.day!).sort()[0]
}
