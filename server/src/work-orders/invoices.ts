import { and, eq, sql } from 'drizzle-orm'
import type { Invoice, InvoiceEdit, NewInvoice } from '#contract/work-orders/lines.ts'
import { closedMonth, ofClosedMonth } from '#contract/workshops/months.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid, notFound, Problem, requireFresh } from '../platform/operations/problems.ts'
import { providersTable } from '../providers/tables.ts'
import { requireLikelyDay } from '../warehouses/paper-days.ts'
import { isClosedOn, openMonths } from '../workshops/months.ts'
import { inScope } from '../workshops/scope.ts'
import { announceOrder, CODE, note, seeOrder } from './access.ts'
import { markMonths } from './changed-months.ts'
import { countServices } from './lines.ts'
import { invoicesTable, workOrderServicesTable, workOrdersTable } from './tables.ts'

const SELECT = sql`i.id, i.bill_invoice, i.date, i.document, i.payment_type, i.note, i.company_id, i.workshop_id,
  i.work_order_id, i.provider_id, p.name as provider_name, coalesce(s.amount, 0) as amount, i.updated_at`
const FROM = sql`${invoicesTable} i
  join ${providersTable} p on p.company_id = i.company_id and p.id = i.provider_id
  left join lateral (
    select sum(s.amount) as amount from ${workOrderServicesTable} s
    where s.company_id = i.company_id and s.work_order_id = i.work_order_id and s.provider_id = i.provider_id) s on true`

/** The caller has made sure that the person may see the order. */
export const invoicesOf = (db: Db, actor: Actor, work_order_id: number) =>
  rows<Invoice>(
    db,
    sql`select ${SELECT} from ${FROM}
        where i.company_id = ${actor.company_id} and i.work_order_id = ${work_order_id} order by i.date, i.id`,
  )

export async function listInvoices(db: Db, actor: Actor, work_order_id: number) {
  await seeOrder(db, actor, work_order_id)
  const data = await invoicesOf(db, actor, work_order_id)
  return { data, total: data.length }
}

export async function requireInvoice(db: Db, actor: Actor, id: number, lock = false): Promise<Invoice> {
  const invoice = await row<Invoice>(
    db,
    sql`select ${SELECT} from ${FROM} where ${inScope(actor, sql`i`)} and i.id = ${id}
        ${lock ? sql`for update of i` : sql``}`,
  )
  if (!invoice) throw notFound()
  return invoice
}

/** Papers often come after the truck has left: a finalized order still takes its invoices. */
export async function createInvoice(db: Db, actor: Actor, sent: NewInvoice): Promise<Invoice> {
  const { confirm_old, ...what } = sent
  await requireLikelyDay(db, actor, what.date, { confirm_old })
  const open = await openMonths(db, actor)
  if (isClosedOn(open, what.date)) throw invalid({ date: closedMonth(what.date) })
  const order = await seeOrder(db, actor, what.work_order_id, true)
  const served = await row(
    db,
    sql`select 1 as ok from ${workOrderServicesTable} where company_id = ${actor.company_id}
        and work_order_id = ${order.id} and provider_id = ${what.provider_id} limit 1`,
  )
  if (!served) throw invalid({ provider_id: 'Este proveedor no tiene servicios en la orden.' })
  await requireFirst(db, actor, what)
  const { id } = one(
    await db
      .insert(invoicesTable)
      .values({ company_id: actor.company_id, workshop_id: order.workshop_id, ...what })
      .returning({ id: invoicesTable.id }),
  )
  const invoice = await requireInvoice(db, actor, id)
  await countServices(db, actor, order, open)
  await markMonths(db, actor, order.id)
  await note(db, actor, order, 'invoice_added', {}, spoken(invoice))
  announceOrder(db, actor, order)
  return invoice
}

export async function updateInvoice(db: Db, actor: Actor, id: number, sent: InvoiceEdit) {
  const { updated_at, confirm_old, ...what } = sent
  const before = await requireInvoice(db, actor, id, true)
  requireFresh(before, updated_at)
  const open = await openMonths(db, actor)
  if (isClosedOn(open, before.date)) throw invalid({ date: ofClosedMonth(before.date) })
  if (isClosedOn(open, what.date)) throw invalid({ date: closedMonth(what.date) })
  if (what.date !== before.date) await requireLikelyDay(db, actor, what.date, { confirm_old })
  await requireFirst(db, actor, { ...what, provider_id: before.provider_id }, id)
  await db
    .update(invoicesTable)
    .set({ ...what, updated_at: new Date().toISOString() })
    .where(and(eq(invoicesTable.company_id, actor.company_id), eq(invoicesTable.id, id)))
  const after = await requireInvoice(db, actor, id)
  const order = await seeOrder(db, actor, after.work_order_id)
  await countServices(db, actor, order, open)
  await markMonths(db, actor, order.id, [before.date])
  await note(db, actor, order, 'updated', spoken(before), spoken(after))
  announceOrder(db, actor, order)
  return after
}

/** One paper is written once; who types it again is shown where it is. */
async function requireFirst(
  db: Db,
  actor: Actor,
  { provider_id, bill_invoice, document }: Pick<NewInvoice, 'provider_id' | 'bill_invoice' | 'document'>,
  id = 0,
) {
  const first = await row<{ id: number; code: string }>(
    db,
    sql`select o.id, ${CODE} as code from ${invoicesTable} i
        join ${workOrdersTable} o on o.company_id = i.company_id and o.id = i.work_order_id
        where i.company_id = ${actor.company_id} and i.provider_id = ${provider_id} and i.bill_invoice = ${bill_invoice}
          and lower(i.document) = lower(${document}) and i.id <> ${id} limit 1`,
  )
  if (!first) return
  const message = `Este proveedor ya tiene una factura con ese número, en ${first.code}.`
  throw new Problem(422, message, {
    errors: { document: [message] },
    see: { what: 'work_order', id: first.id, label: first.code, path: `/ordenes-de-trabajo/${first.id}` },
  })
}

export async function deleteInvoice(db: Db, actor: Actor, id: number) {
  const before = await requireInvoice(db, actor, id, true)
  const open = await openMonths(db, actor)
  if (isClosedOn(open, before.date)) throw new Problem(409, ofClosedMonth(before.date))
  await rows(db, sql`delete from ${invoicesTable} where company_id = ${actor.company_id} and id = ${id}`)
  const order = await seeOrder(db, actor, before.work_order_id)
  await countServices(db, actor, order, open)
  await markMonths(db, actor, order.id, [before.date])
  await note(db, actor, order, 'invoice_removed', spoken(before), {})
  announceOrder(db, actor, order)
  return undefined
}

const spoken = ({ provider_name, bill_invoice, document, date, payment_type, note }: Invoice) => ({
  provider_name,
  bill_invoice,
  document,
  date,
  payment_type,
  note,
})
