import { sql } from 'drizzle-orm'
import { showQuantity } from '#contract/base/money.ts'
import { showAmount } from '#contract/base/units.ts'
import { ALREADY_LISTED } from '#contract/warehouses/transactions.ts'
import type { PlanInput, PlannedSupply } from '#contract/work-orders/lines.ts'
import { FIRST_STATUS, isClosed } from '#contract/work-orders/states.ts'
import { membershipsTable, usersTable } from '../../identity/tables.ts'
import { oneOfIds } from '../../platform/database/conditions.ts'
import { type Db, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { enqueue, type Job } from '../../platform/operations/jobs.ts'
import { ADDRESS, escapeHtml, queueMail } from '../../platform/outside/mail.ts'
import { invalid, notFound } from '../../platform/problems.ts'
import { measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import { lockSuppliesIn } from '../../warehouses/stock/locked-levels.ts'
import { reserve } from '../../warehouses/stock/reservations.ts'
import { reservationsTable } from '../../warehouses/tables.ts'
import { requireSupplies } from '../../warehouses/warehouses.ts'
import { CODE, type HeldOrder, holdOpenOrder, note, requirePart, touch } from '../access.ts'
import { keepWaits } from '../labour/waits.ts'
import { NO_WAREHOUSE } from '../orders/choices.ts'
import { workOrdersTable } from '../tables.ts'
import { ORIGIN } from './used-supplies.ts'

/*
 * Supplies that an order will need. What the warehouse has is kept for it, the rest is asked for; either leaves the stock,
 * and costs something, once it is used (`used-supplies.ts`). They are no lines of the order yet.
 */

interface OfOrder extends PlannedSupply {
  work_order_id: number
}

export const plannedOf = (db: Db, actor: Pick<Actor, 'company_id'>, orders: number[]) =>
  rows<OfOrder>(
    db,
    sql`select r.origin_id as work_order_id, r.id, r.supply_id, s.code, s.name, m.name as unit, r.quantity as count,
          r.reserved, r.quantity - r.reserved as missing, r.user_name, r.created_at
        from ${reservationsTable} r
        join ${suppliesTable} s on s.company_id = r.company_id and s.id = r.supply_id
        left join ${measurementUnitsTable} m on m.company_id = s.company_id and m.id = s.measurement_units_id
        where r.company_id = ${actor.company_id} and r.origin = ${ORIGIN} and r.origin_id = ${oneOfIds(orders)}
        order by r.id`,
  )

/** Before the order is held, by whoever will end or use what it planned. */
export const holdPlanned = (db: Db, actor: Actor, orders: number[], more: number[] = []) =>
  lockSuppliesIn(
    db,
    actor,
    sql`select supply_id from ${reservationsTable} where company_id = ${actor.company_id} and origin = ${ORIGIN}
          and origin_id = any(${sql.param(orders)}::bigint[])
        union select unnest(${sql.param(more)}::bigint[]) order by 1`,
  )

const originOf = ({ id, code }: { id: number; code: string }) => ({ kind: ORIGIN, id, document: code })

/** Asks for more of a supply: kept where there is enough, waited for where there is not. */
export async function planSupply(
  db: Db,
  actor: Actor,
  id: number,
  { supply_id, count }: { supply_id: number; count: number },
): Promise<PlannedSupply> {
  await holdPlanned(db, actor, [id], [supply_id])
  const order = await holdOpenOrder(db, actor, id)
  await requirePart(db, actor, order)
  const { warehouse_id } = order
  if (!order.has_warehouse || warehouse_id === null) throw invalid({ warehouse_id: NO_WAREHOUSE })
  await requireSupplies(db, actor, order, [{ supply_id }], true)
  const before = (await plannedOf(db, actor, [id])).find((line) => line.supply_id === supply_id)
  const quantity = Number(((before?.count ?? 0) + count).toFixed(4))
  await reserve(db, actor, originOf(order), [{ warehouse_id, supply_id, quantity }])
  const after = await plannedOf(db, actor, [id])
  const line = after.find((each) => each.supply_id === supply_id)!
  if (line.missing > 0) await wait(db, actor, order, true)
  await note(db, actor, order, 'part_planned', {}, { part: spoken({ ...line, count }) })
  await touch(db, actor, order)
  return line
}

interface NewOrder {
  id: number
  code: string
  workshop_id: number
  waiting_for_parts: boolean
  has_warehouse: boolean
  warehouse_id: number | null
}

/** All that an order that is being made will need, after it took what it takes at once. */
export async function planNew(db: Db, actor: Actor, order: NewOrder, lines: PlanInput[]) {
  if (lines.length === 0) return
  const { warehouse_id } = order
  if (!order.has_warehouse || warehouse_id === null) throw invalid({ warehouse_id: NO_WAREHOUSE })
  const twice = lines.findIndex(({ supply_id }, i) => lines.findIndex((one) => one.supply_id === supply_id) < i)
  if (twice >= 0) throw invalid({ [`plan_supplies.${twice}.supply_id`]: ALREADY_LISTED })
  await requireSupplies(db, actor, order, lines, true, 'plan_supplies')
  await reserve(
    db,
    actor,
    originOf(order),
    lines.map(({ supply_id, count }) => ({ warehouse_id, supply_id, quantity: count })),
  )
  if (lacks(await plannedOf(db, actor, [order.id]))) await wait(db, actor, { ...order, status: FIRST_STATUS }, true)
}

/** What is not needed after all. */
export async function forgetPlanned(db: Db, actor: Actor, id: number) {
  const found = await row<{ origin_id: number }>(
    db,
    sql`select origin_id from ${reservationsTable} where company_id = ${actor.company_id} and origin = ${ORIGIN} and id = ${id}`,
  )
  if (!found) throw notFound()
  await holdPlanned(db, actor, [found.origin_id])
  const order = await holdOpenOrder(db, actor, found.origin_id)
  await requirePart(db, actor, order)
  const line = (await plannedOf(db, actor, [order.id])).find((each) => each.id === id)
  if (!line) throw notFound()
  await endPlanned(db, actor, order, [line])
  if (line.missing > 0) await wait(db, actor, order, lacks(await plannedOf(db, actor, [order.id])))
  await note(db, actor, order, 'part_forgotten', { part: spoken(line) }, {})
  await touch(db, actor, order)
  return undefined
}

/** Their reservations end; what was kept stays in the warehouse, for whoever waits. The order is held. */
export async function endPlanned(
  db: Db,
  actor: Actor,
  order: { id: number; code: string },
  lines: { supply_id: number }[],
) {
  const kept = await rows<{ warehouse_id: number; supply_id: number }>(
    db,
    sql`select warehouse_id, supply_id from ${reservationsTable} where company_id = ${actor.company_id} and origin = ${ORIGIN}
          and origin_id = ${order.id} and supply_id = any(${sql.param(lines.map(({ supply_id }) => supply_id))}::bigint[])`,
  )
  await reserve(
    db,
    actor,
    originOf(order),
    kept.map((place) => ({ ...place, quantity: 0 })),
  )
}

/** An order that takes from another warehouse plans there what it planned here. */
export async function movePlanned(
  db: Db,
  actor: Actor,
  order: { id: number; code: string },
  from: number | null,
  to: number | null,
) {
  const lines = from === to || from === null ? [] : await plannedOf(db, actor, [order.id])
  const at = (warehouse_id: number | null, quantity: (line: PlannedSupply) => number) =>
    warehouse_id === null
      ? []
      : lines.map((line) => ({ warehouse_id, supply_id: line.supply_id, quantity: quantity(line) }))
  await reserve(db, actor, originOf(order), [...at(from, () => 0), ...at(to, ({ count }) => count)])
}

type Waiting = Pick<HeldOrder, 'id' | 'status' | 'waiting_for_parts'>

/** An order that lacks a part it asked for waits; one whose last part came, or is not asked for any more, does not. */
async function wait(db: Db, actor: Pick<Actor, 'company_id'>, order: Waiting, waiting_for_parts: boolean) {
  if (waiting_for_parts === order.waiting_for_parts) return
  await rows(
    db,
    sql`update ${workOrdersTable} set waiting_for_parts = ${waiting_for_parts} where company_id = ${actor.company_id} and id = ${order.id}`,
  )
  await keepWaits(db, actor, { ...order, waiting_for_parts })
}
const lacks = (lines: PlannedSupply[]) => lines.some(({ missing }) => missing > 0)

const spoken = ({ name, count }: { name: string; count: number }) => `${name} × ${showQuantity(count)}`

/* When it comes */

interface Arrival {
  company_id: number
  user_id: number
  user_name: string
  /** Of reservations. */
  ids: number[]
}

/** After the receipt, because whoever holds stock may not wait for an order: everyone holds the order first. */
export const partsArrivedJob: Job<Arrival> = {
  name: 'parts-arrived',
  async run(database, { ids, ...by }) {
    const orders = await database.read(by.company_id, (db) =>
      rows<{ id: number }>(
        db,
        sql`select distinct origin_id as id from ${reservationsTable}
            where company_id = ${by.company_id} and id = any(${sql.param(ids)}::bigint[]) order by 1`,
      ),
    )
    for (const { id } of orders) await database.write(by.company_id, (db) => sayArrived(db, by, id, ids))
  },
}

export const hearArrived = (db: Db, { company_id, user_id, user_name }: Actor, ids: number[]) =>
  enqueue(db, partsArrivedJob, { company_id, user_id, user_name, ids })

type Teller = Pick<Actor, 'company_id' | 'user_id' | 'user_name'>

/** The order's activity says so, everyone who looks at it sees it, and those who asked get a mail. */
async function sayArrived(db: Db, by: Teller, id: number, ids: number[]) {
  const order = await row<Pick<HeldOrder, 'id' | 'code' | 'workshop_id' | 'status' | 'waiting_for_parts'>>(
    db,
    sql`select o.id, ${CODE} as code, o.workshop_id, o.status, o.waiting_for_parts from ${workOrdersTable} o
        where o.company_id = ${by.company_id} and o.id = ${id} for update`,
  )
  if (!order || isClosed(order)) return
  const lines = await plannedOf(db, by, [id])
  const came = lines.filter((line) => ids.includes(line.id) && line.reserved > 0)
  if (came.length === 0) return
  if (!lacks(lines)) await wait(db, by, order, false)
  const part = came.map((line) => spoken({ ...line, count: line.reserved })).join('; ')
  await note(db, by, order, 'part_arrived', {}, { part })
  await touch(db, by, order)
  const people = await rows<{ email: string; name: string }>(
    db,
    sql`select distinct u.email, u.name from ${reservationsTable} r
        join ${membershipsTable} m on m.company_id = r.company_id and m.user_id = r.user_id
        join ${usersTable} u on u.id = r.user_id
        where r.company_id = ${by.company_id} and r.id = any(${sql.param(came.map((line) => line.id))}::bigint[])
          and m.preferences ->> 'notifications' is distinct from 'false'`,
  )
  for (const { email, name } of people) {
    const address = `${ADDRESS}/ordenes-de-trabajo/${id}`
    const text = [
      `Hola, ${name}:`,
      `Llegó lo que pidió para la ${order.code}, y está apartado en la bodega:`,
      ...came.map((line) => `- ${line.name}: ${showAmount(line.reserved, line.unit)}`),
      address,
    ]
    const html = text.map((line) =>
      line === address ? `<p><a href="${line}">${line}</a></p>` : `<p>${escapeHtml(line)}</p>`,
    )
    const subject = `Llegaron repuestos para la ${order.code}`
    await queueMail(
      db,
      by.company_id,
      { topic: 'work-orders', to: email, subject, text: text.join('\n\n'), html: html.join('\n') },
      new Date(),
    )
  }
}
