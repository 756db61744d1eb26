import { sql } from 'drizzle-orm'
import { type Alert, EXECUTED, isExecuted } from '#contract/alerts/alerts.ts'
import { dayOf, showDay } from '#contract/base/dates.ts'
import { showKm } from '#contract/base/money.ts'
import { NewWorkOrder } from '#contract/work-orders/orders.ts'
import { couplingsTable, trucksTable } from '../fleet/tables.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { Problem } from '../platform/problems.ts'
import { createWorkOrder } from '../work-orders/orders/orders.ts'
import { maintenanceTypesTable } from '../work-orders/tables.ts'
import { deleteAlerts, lockAlerts, requireAlert } from './alerts.ts'
import { evaluate } from './evaluation.ts'
import { executeAlerts } from './executing.ts'
import { alertsTable } from './tables.ts'

/** A unit goes to the workshop with the truck that pulls it. */
async function truckFor(db: Db, actor: Actor, { truck_id, coupled_id }: Alert) {
  const found = await row<{ truck_id: number; workshop_id: number; coupled_id: number | null }>(
    db,
    sql`select t.id as truck_id, t.workshop_id, k.coupled_id from ${trucksTable} t
        left join ${couplingsTable} k on k.company_id = t.company_id and k.truck_id = t.id and k.until_at is null
        where t.company_id = ${actor.company_id}
          and (t.id = ${truck_id}::bigint or k.coupled_id = ${coupled_id}::bigint)`,
  )
  if (!found)
    throw new Problem(409, 'Ningún camión lleva este acoplado ahora: elija uno en Equipos para poder crear la orden.')
  return found
}

/**
 * The order that carries an alert out, in one click. The order comes first and the alert is held after it, as whoever
 * finalizes an order does: nobody waits in a circle.
 */
export async function makeWorkOrder(db: Db, actor: Actor, id: number): Promise<Alert> {
  const alert = await requireAlert(db, actor, id)
  const { truck_id, workshop_id, coupled_id } = await truckFor(db, actor, alert)
  const today = dayOf(new Date(), actor.time_zone)
  const preventive = await row<{ id: number }>(
    db,
    sql`select id from ${maintenanceTypesTable} where company_id = ${actor.company_id} and code = 'PREVENTIVE' and state = 'active'`,
  )
  const { date, kilometers } = alert.expirationSettings
  const planned = [date && `para el ${showDay(date)}`, kilometers !== null && `a los ${showKm(kilometers)}`]
  const order = await createWorkOrder(
    db,
    actor,
    NewWorkOrder.parse({
      workshop_id,
      truck_id,
      coupled_id: alert.coupled_id ?? coupled_id,
      planned: true,
      request: alert.name,
      description_of_requeriment: [
        alert.description,
        `Alerta de mantención planificada ${planned.filter(Boolean).join(' y ')}.`,
      ]
        .filter(Boolean)
        .join('\n'),
      date_estimed: alert.due_on !== null && alert.due_on > today ? alert.due_on : null,
      type_maintenance_id: preventive?.id,
      priority: alert.overdue ? 'high' : 'medium',
    }),
  )
  const [held] = await lockAlerts(db, actor, [id])
  if (held && isExecuted(held)) throw new Problem(409, 'La alerta ya fue ejecutada.')
  if (held?.work_order_id) throw new Problem(409, `La alerta ya tiene la orden ${held.work_order_code}.`)
  await rows(
    db,
    sql`update ${alertsTable} set work_order_id = ${order.id}, updated_at = now()
        where company_id = ${actor.company_id} and id = ${id}`,
  )
  await record(db, actor, 'alert', id, 'ordered', {}, { work_order_code: order.code })
  announce(db, actor, { topic: 'alerts', workshop_id: alert.workshop_id, ids: [id] })
  return requireAlert(db, actor, id)
}

/** Orders were finalized: the alerts they were made for are executed, whichever workshop their truck is of by now. */
export async function executeForWorkOrders(db: Db, actor: Actor, orders: number[]) {
  const found = await rows<{ id: number }>(
    db,
    sql`select id from ${alertsTable} where company_id = ${actor.company_id}
        and work_order_id = any(${sql.param(orders)}::bigint[]) and status <> ${EXECUTED} order by id`,
  )
  if (found.length > 0)
    await executeAlerts(
      db,
      { ...actor, workshop_id: null },
      { ids: found.map(({ id }) => id), date: undefined, withOrder: true },
    )
}

/**
 * Orders are open again: so are the alerts that finalizing them executed. The repetition of each goes, unless somebody
 * has changed, executed or ordered it since.
 */
export async function reopenForWorkOrders(db: Db, actor: Actor, work_orders: number[]) {
  const { company_id } = actor
  const found = await rows<{ id: number }>(
    db,
    sql`select id from ${alertsTable} where company_id = ${company_id} and status = ${EXECUTED} and executed_with_order
        and work_order_id = any(${sql.param(work_orders)}) order by id`,
  )
  if (found.length === 0) return
  const ids = found.map(({ id }) => id)
  const everywhere = { ...actor, workshop_id: null }
  const next = await rows<{ id: number }>(
    db,
    sql`select id from ${alertsTable} where company_id = ${company_id} and previous_id = any(${sql.param(ids)})
        and status <> ${EXECUTED} and work_order_id is null and updated_at = created_at order by id`,
  )
  const held = await lockAlerts(
    db,
    everywhere,
    [...ids, ...next.map(({ id }) => id)].sort((a, b) => a - b),
  )
  if (next.length > 0)
    await deleteAlerts(
      db,
      everywhere,
      next.map(({ id }) => id),
    )
  await rows(
    db,
    sql`update ${alertsTable} set status = 'created', executed_on = null, executed_by = null, executed_kilometers = null,
          executed_with_order = false, updated_at = now()
        where company_id = ${company_id} and id = any(${sql.param(ids)})`,
  )
  for (const alert of held.filter(({ id }) => ids.includes(id))) {
    await record(db, actor, 'alert', alert.id, 'reopened', { executed_on: alert.executed_on }, {})
    announce(db, actor, { topic: 'alerts', workshop_id: alert.workshop_id, ids: [alert.id] })
  }
  await evaluate(db, actor, new Date(), { alerts: ids })
}
