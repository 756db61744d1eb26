import { sql } from 'drizzle-orm'
import type { WorkOrderAction } from '#contract/work-orders/activity.ts'
import { isClosed, type WorkOrderStatus } from '#contract/work-orders/states.ts'
import { membershipsTable } from '../identity/tables.ts'
import { coded } from '../platform/database/counters.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { type Recorder, record } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { notFound, Problem } from '../platform/problems.ts'
import { inFleet, requireHome } from '../workshops/scope.ts'
import { workOrdersTable, worksTable } from './tables.ts'

/** As much of an order as a change to one of its parts needs to know. */
export interface HeldOrder {
  id: number
  code: string
  workshop_id: number
  status: WorkOrderStatus
  has_warehouse: boolean
  warehouse_id: number | null
  responsible_specialist_id: number | null
  waiting_for_parts: boolean
}

export const CODE = coded('OT', sql`o.number`)
export const codeOf = (number: number) => `OT-${String(number).padStart(6, '0')}`
export const CLOSED = 'La orden está finalizada. Para cambiarla, un jefe de taller debe reabrirla.'

export const ORDER_ELSEWHERE = 'La orden es de otro taller: aquí solo se puede ver.'

/** The order, for those who may see it: with a shared fleet, of any workshop. Held, it is about to change, at home. */
export async function seeOrder(db: Db, actor: Actor, id: number, lock = false): Promise<HeldOrder> {
  const order = await row<HeldOrder>(
    db,
    sql`select o.id, ${CODE} as code, o.workshop_id, o.status, o.has_warehouse, o.warehouse_id, o.responsible_specialist_id,
          o.waiting_for_parts
        from ${workOrdersTable} o where ${inFleet(actor, sql`o`)} and o.id = ${id} ${lock ? sql`for update` : sql``}`,
  )
  if (!order) throw notFound()
  if (lock) requireHome(actor, order, ORDER_ELSEWHERE)
  return order
}

/** The order, held until the end of the transaction; refused where it is finalized. */
export async function holdOpenOrder(db: Db, actor: Actor, id: number): Promise<HeldOrder> {
  const order = await seeOrder(db, actor, id, true)
  if (isClosed(order)) throw new Problem(409, CLOSED)
  return order
}

/** A part of the order changed: whoever edits it learns that theirs is no longer the last version. */
export async function touch(db: Db, actor: Pick<Actor, 'company_id'>, order: Pick<HeldOrder, 'id' | 'workshop_id'>) {
  await rows(
    db,
    sql`update ${workOrdersTable} set updated_at = now() where company_id = ${actor.company_id} and id = ${order.id}`,
  )
  announceOrder(db, actor, order)
}

export const announceOrder = (db: Db, actor: Pick<Actor, 'company_id'>, order: Pick<HeldOrder, 'id' | 'workshop_id'>) =>
  announce(db, actor, { topic: 'work-orders', workshop_id: order.workshop_id, ids: [order.id] })

/** A line of the order's own timeline. */
export const note = (
  db: Db,
  actor: Recorder,
  order: { id: number },
  action: WorkOrderAction,
  before: object,
  after: object,
) => record(db, actor, 'work_order', order.id, action, before, after)

/** Who the person is among the specialists. */
export async function ownSpecialist(db: Db, actor: Actor): Promise<number | null> {
  const found = await row<{ specialist_id: number | null }>(
    db,
    sql`select specialist_id from ${membershipsTable}
        where company_id = ${actor.company_id} and user_id = ${actor.user_id}`,
  )
  return found?.specialist_id ?? null
}

/** People who only work on orders take parts, and ask for them, for the orders they work on. */
export async function requirePart(
  db: Db,
  actor: Actor,
  order: { id: number; responsible_specialist_id: number | null },
) {
  if (actor.may.has('work-orders.write')) return
  const own = await ownSpecialist(db, actor)
  if (own !== null && order.responsible_specialist_id === own) return
  const works = await row<{ id: number }>(
    db,
    sql`select id from ${worksTable} where company_id = ${actor.company_id} and work_order_id = ${order.id}
          and specialist_id = ${own} limit 1`,
  )
  if (!works) throw new Problem(403, 'Solo puede usar insumos en las órdenes en que trabaja.')
}
