import { and, eq, type SQL, sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import type { Found } from '#contract/base/finder.ts'
import { documentAmounts, lineAmounts, showMoney } from '#contract/base/money.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import {
  CLOSED_SHORT,
  type NewPurchaseOrder,
  OPEN_PURCHASES,
  PURCHASE_STATES,
  PURCHASE_STATUS_NAMES,
  type PurchaseLine,
  type PurchaseList,
  type PurchaseOrder,
  type PurchaseOrderEdit,
  type PurchaseStatus,
} from '#contract/purchasing/purchasing.ts'
import { PAST_DELIVERY } from '#contract/warehouses/transactions.ts'
import { all, between, oneOf, oneOfIds } from '../platform/database/conditions.ts'
import { coded, insertNumbered } from '../platform/database/counters.ts'
import { batch, COMPANY, type Db, row, rows } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { hasPart, havingWords, matches } from '../platform/database/words.ts'
import { requirePermission } from '../platform/http/binder.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { mailsTable } from '../platform/outside/tables.ts'
import { invalid, notFound, Problem, requireFresh } from '../platform/problems.ts'
import { providerNamed, providersWith } from '../providers/providers.ts'
import { providersTable } from '../providers/tables.ts'
import { measurementUnitsTable, suppliesTable } from '../supplies/tables.ts'
import { warehousesTable } from '../warehouses/tables.ts'
import { requireSupplies, requireWarehouseChoice } from '../warehouses/warehouses.ts'
import { inScope } from '../workshops/scope.ts'
import { purchaseOrderLinesTable, purchaseOrdersTable } from './tables.ts'

export const codeOf = (number: number) => `OC-${String(number).padStart(6, '0')}`

const SELECT = sql`o.id, ${coded('OC', sql`o.number`)} as code, o.warehouse_id, w.name as warehouse_name,
  o.workshop_id, o.provider_id, p.name as provider_name, o.status, o.document, o.created_at as "createdAt",
  o."deliveryAt", o.reference, o.priority, o.note, o.subtotal, o.tax, o.total, o.user_name, o.approved_by,
  o.closed_reason, o.closed_by, o.sent_at, o.sent_to, o.sent_by, e.state as mail_state, o.answered_on,
  case when o.status = any(${sql.param(OPEN_PURCHASES)}::text[]) then (
    select min(l.promised_on) from ${purchaseOrderLinesTable} l where l.company_id = ${COMPANY}
      and l.purchase_order_id = o.id and l.received < l.quantity) end as promised_on, o.updated_at`
const FROM = sql`${purchaseOrdersTable} o
  left join ${warehousesTable} w on w.company_id = o.company_id and w.id = o.warehouse_id
  left join ${providersTable} p on p.company_id = o.company_id and p.id = o.provider_id
  left join ${mailsTable} e on e.company_id = o.company_id and e.id = o.mail_id`
const PRIORITY_LEVEL = sql.join(
  Object.entries(PRIORITIES).map(
    ([name, { level }]) => sql`when ${sql.raw(`'${name}'`)} then ${sql.raw(String(level))}`,
  ),
  sql` `,
)
/** From the first to the last, as they follow each other. */
const STATUS_PLACE = sql`array_position(array[${sql.raw(PURCHASE_STATUS_NAMES.map((name) => `'${name}'`).join())}], o.status)`
type Header = Omit<PurchaseOrder, 'supplies'>

type OfOrder = PurchaseLine & { purchase_order_id: number }

const linesOf = (db: Db, actor: Actor, orders: number[]) =>
  rows<OfOrder>(
    db,
    sql`select l.purchase_order_id, l.id, l.supply_id, s.code, s.name, m.name as unit, l.quantity, l.unit_cost, l.tax_type,
          l.net_cost, l.tax, l.total_cost, l.received,
          case when o.closed_reason is null then greatest(l.quantity - l.received, 0) else 0 end as outstanding,
          case when o.closed_reason is null then 0 else greatest(l.quantity - l.received, 0) end as not_coming, l.promised_on
        from ${purchaseOrderLinesTable} l
        join ${purchaseOrdersTable} o on o.company_id = l.company_id and o.id = l.purchase_order_id
        join ${suppliesTable} s on s.company_id = l.company_id and s.id = l.supply_id
        left join ${measurementUnitsTable} m on m.company_id = s.company_id and m.id = s.measurement_units_id
        where l.company_id = ${actor.company_id}
          and l.purchase_order_id = ${oneOfIds(orders)}
        order by l.id`,
  )

function withLines(found: Header[], lines: OfOrder[]): PurchaseOrder[] {
  const byOrder = Map.groupBy(lines, (line) => line.purchase_order_id)
  return found.map((order) => ({
    ...order,
    supplies: (byOrder.get(order.id) ?? []).map(({ purchase_order_id, ...line }) => line),
  }))
}

/** `OC-123`, `oc 000123`: its number, or one that no order has. */
const isNumber = (search: string | undefined) =>
  sql`o.number = ${Number(/^oc[-·.]?\s*0*(\d{1,9})$/i.exec(search?.trim() ?? '')?.[1] ?? 0)}`

/** Those that have the words, or whose provider has, or of that number. */
function worded(actor: Actor, search: string | undefined, asked: SQL) {
  const words = matches(sql`o.search`, search)
  if (!words) return undefined
  const providers = providersWith(actor, search)
  return {
    search,
    has: [words, sql`o.provider_id in (${providers})`, isNumber(search)],
    ids: [
      sql`select o.id from searched_purchase_orders o where ${asked} and ${words}`,
      sql`select o.id from ${purchaseOrdersTable} o where ${asked} and o.provider_id = any(array(${providers}))`,
      sql`select o.id from ${purchaseOrdersTable} o where ${asked} and ${isNumber(search)}`,
    ],
    recent: sql`select o.* from ${purchaseOrdersTable} o where ${asked} order by o.number desc`,
  }
}

export async function listPurchaseOrders(db: Db, actor: Actor, query: PurchaseList) {
  const { filter } = query
  const asked = all([
    inScope(actor, sql`o`, filter.WorkshopId),
    oneOf(sql`o.warehouse_id`, query.warehouse === undefined ? filter.Warehouse : [query.warehouse]),
    oneOf(sql`o.provider_id`, filter.Provider),
    oneOf(sql`o.status`, filter.Status),
    between(sql`o.created_at`, filter.BetweenDate, actor.time_zone),
  ])
  const words = worded(actor, filter.Search, asked)
  const where = words ? all([asked, await havingWords(db, sql`o`, words)]) : asked
  const found = await listPage<Header>(db, query, {
    select: SELECT,
    from: FROM,
    where,
    sorts: {
      code: sql`o.number`,
      createdAt: sql`o.created_at`,
      deliveryAt: sql`o."deliveryAt"`,
      provider_name: sql`p.name`,
      document: sql`o.document`,
      priority: sql`case o.priority ${PRIORITY_LEVEL} end`,
      status: STATUS_PLACE,
      total: sql`o.total`,
    } satisfies Record<string, SQL>,
    order: sql`o.number desc`,
    id: sql`o.id`,
    owner: sql`o.company_id = ${actor.company_id}`,
  })
  const ids = found.data.map(({ id }) => id)
  return { ...found, data: withLines(found.data, await linesOf(db, actor, ids)) }
}

export async function findPurchaseOrders(db: Db, actor: Actor, text: string, limit: number): Promise<Found[]> {
  const orders = hasPart(text) ? sql`searched_purchase_orders` : sql`${purchaseOrdersTable}`
  const found = await rows<Header>(
    db,
    sql`select ${SELECT} from ${FROM} where o.company_id = ${actor.company_id} and o.id = any(array(
          select o.id from ${orders} o where ${inScope(actor, sql`o`)} and (${matches(sql`o.search`, text) ?? sql`true`} or ${isNumber(text)})
          order by o.number desc limit ${limit})) order by o.number desc`,
  )
  return found.map(({ id, code, provider_name, warehouse_id, status, total }) => ({
    kind: 'purchase_order',
    id,
    title: `${code} · ${provider_name}`,
    detail: `${PURCHASE_STATES[status].label} · ${showMoney(total)}`,
    path: `/warehouse/${warehouse_id}?tab=purchases-orders&order=${id}`,
  }))
}

/** The order, for those who may see it; locked until the end of the transaction where it is about to change. */
export async function requirePurchaseOrder(db: Db, actor: Actor, id: number, lock = false): Promise<PurchaseOrder> {
  // The lines are read after the lock, because the driver keeps the order.
  const { header, lines } = await batch({
    header: row<Header>(
      db,
      sql`select ${SELECT} from ${FROM} where ${inScope(actor, sql`o`)} and o.id = ${id} ${lock ? sql`for update of o` : sql``}`,
    ),
    lines: linesOf(db, actor, [id]),
  })
  if (!header) throw notFound()
  return withLines([header], lines)[0]!
}

async function requireParts(db: Db, actor: Actor, what: NewPurchaseOrder) {
  const { warehouse, checkProvider } = await batch({
    warehouse: requireWarehouseChoice(db, actor, what.warehouse_id),
    checkProvider: providerNamed(db, actor, what.provider_id),
  })
  checkProvider(warehouse.workshop_id)
  await requireSupplies(db, actor, warehouse, what.supplies, true)
  return warehouse
}

function requireDelivery(actor: Actor, deliveryAt: string | null) {
  if (deliveryAt && deliveryAt < dayOf(new Date(), actor.time_zone)) throw invalid({ deliveryAt: PAST_DELIVERY })
}

export async function createPurchaseOrder(db: Db, actor: Actor, what: NewPurchaseOrder): Promise<PurchaseOrder> {
  const warehouse = await requireParts(db, actor, what)
  requireDelivery(actor, what.deliveryAt)
  const { company_id } = actor
  const { warehouse_id, provider_id, document, deliveryAt, reference, priority, note } = what
  const lines = what.supplies.map((line) => ({ ...line, ...lineAmounts(line) }))
  const { id } = await insertNumbered(db, 'purchase_order', purchaseOrdersTable, {
    company_id,
    workshop_id: warehouse.workshop_id,
    warehouse_id,
    provider_id,
    document,
    deliveryAt,
    reference,
    priority,
    note,
    ...documentAmounts(lines),
    user_name: actor.user_name,
  })
  const { order } = await batch({
    written: writeLines(db, actor, id, lines),
    order: requirePurchaseOrder(db, actor, id),
  })
  await record(db, actor, 'purchase_order', id, 'created', {}, told(order))
  announceOrder(db, actor, order)
  return order
}

/** What the activity says of an order: lines by their number and total. */
const told = ({ supplies, ...order }: PurchaseOrder) => ({ ...order, supplies: supplies.length })

export const announceOrder = (db: Db, actor: Actor, { id, workshop_id }: PurchaseOrder) =>
  announce(db, actor, { topic: 'purchasing', may: 'warehouses.read', workshop_id, ids: [id] })

function writeLines(
  db: Db,
  { company_id }: Actor,
  purchase_order_id: number,
  lines: (NewPurchaseOrder['supplies'][number] & ReturnType<typeof lineAmounts>)[],
) {
  const column = <T>(of: (line: (typeof lines)[number]) => T) => sql.param(lines.map(of))
  return rows(
    db,
    sql`insert into ${purchaseOrderLinesTable} (company_id, purchase_order_id, supply_id, quantity, unit_cost, tax_type,
          net_cost, tax, total_cost)
        select ${company_id}::bigint, ${purchase_order_id}::bigint, l.* from unnest(${column((l) => l.supply_id)}::bigint[],
          ${column((l) => l.quantity)}::numeric[], ${column((l) => l.unit_cost)}::numeric[], ${column((l) => l.tax_type)}::text[],
          ${column((l) => l.net_cost)}::numeric[], ${column((l) => l.tax)}::numeric[], ${column((l) => l.total_cost)}::numeric[]) as l
        on conflict (company_id, purchase_order_id, supply_id) do update set quantity = excluded.quantity,
          unit_cost = excluded.unit_cost, tax_type = excluded.tax_type, net_cost = excluded.net_cost, tax = excluded.tax,
          total_cost = excluded.total_cost`,
  )
}

const requirePending = (order: PurchaseOrder, verb: string) => {
  if (!PURCHASE_STATES[order.status].editable)
    throw new Problem(
      422,
      `Solo una orden pendiente se puede ${verb}: esta está ${PURCHASE_STATES[order.status].label.toLowerCase()}.`,
    )
}

export async function updatePurchaseOrder(
  db: Db,
  actor: Actor,
  id: number,
  what: PurchaseOrderEdit,
): Promise<PurchaseOrder> {
  const before = await requirePurchaseOrder(db, actor, id, true)
  requireFresh(before, what.updated_at)
  requirePending(before, 'editar')
  const warehouse = await requireParts(db, actor, what)
  if (what.deliveryAt !== before.deliveryAt) requireDelivery(actor, what.deliveryAt)
  const { warehouse_id, provider_id, document, deliveryAt, reference, priority, note } = what
  const lines = what.supplies.map((line) => ({ ...line, ...lineAmounts(line) }))
  await db
    .update(purchaseOrdersTable)
    .set({
      workshop_id: warehouse.workshop_id,
      warehouse_id,
      provider_id,
      document,
      deliveryAt,
      reference,
      priority,
      note,
      ...documentAmounts(lines),
      updated_at: new Date().toISOString(),
    })
    .where(mine(actor, id))
  await rows(
    db,
    sql`delete from ${purchaseOrderLinesTable} where company_id = ${actor.company_id} and purchase_order_id = ${id}
          and supply_id <> all(${sql.param(lines.map(({ supply_id }) => supply_id))}::bigint[])`,
  )
  const { after } = await batch({
    written: writeLines(db, actor, id, lines),
    after: requirePurchaseOrder(db, actor, id),
  })
  await record(db, actor, 'purchase_order', id, 'updated', told(before), told(after))
  announceOrder(db, actor, after)
  return after
}

export const mine = (actor: Actor, id: number) =>
  and(eq(purchaseOrdersTable.company_id, actor.company_id), eq(purchaseOrdersTable.id, id))

export async function deletePurchaseOrder(db: Db, actor: Actor, id: number) {
  const order = await requirePurchaseOrder(db, actor, id, true)
  requirePending(order, 'eliminar')
  const ofCompany = sql`company_id = ${actor.company_id}`
  await rows(db, sql`delete from ${purchaseOrderLinesTable} where ${ofCompany} and purchase_order_id = ${id}`)
  await rows(db, sql`delete from ${purchaseOrdersTable} where ${ofCompany} and id = ${id}`)
  await record(db, actor, 'purchase_order', id, 'deleted', told(order), {})
  announceOrder(db, actor, order)
  return undefined
}

const changed = ({ status, closed_reason }: PurchaseOrder) => ({ status, closed_reason })

export async function updatePurchaseStatus(
  db: Db,
  actor: Actor,
  id: number,
  status: PurchaseStatus,
  reason: string | null = null,
): Promise<PurchaseOrder> {
  const before = await requirePurchaseOrder(db, actor, id, true)
  const { label, next, approval } = PURCHASE_STATES[before.status]
  if (!(next as readonly string[]).includes(status))
    throw invalid({
      status: `Una orden ${label.toLowerCase()} no puede pasar a ${PURCHASE_STATES[status].label.toLowerCase()}.`,
    })
  if (PURCHASE_STATES[status].approval || approval) requirePermission(actor, 'purchasing.approve')
  return moveStatus(db, actor, before, status, status === CLOSED_SHORT ? reason : null)
}

/** `closed_reason`: why what is outstanding will not come, and it is no longer on its way. */
export async function moveStatus(
  db: Db,
  actor: Actor,
  before: PurchaseOrder,
  status: PurchaseStatus,
  closed_reason: string | null = null,
) {
  const now = new Date().toISOString()
  const approval =
    PURCHASE_STATES[status].approval && PURCHASE_STATES[before.status].editable
      ? { approved_by: actor.user_name, approved_at: now }
      : {}
  await db
    .update(purchaseOrdersTable)
    .set({ status, updated_at: now, closed_reason, closed_by: closed_reason && actor.user_name, ...approval })
    .where(mine(actor, before.id))
  const after = await requirePurchaseOrder(db, actor, before.id)
  await record(db, actor, 'purchase_order', before.id, 'updated', changed(before), changed(after))
  announceOrder(db, actor, after)
  return after
}
