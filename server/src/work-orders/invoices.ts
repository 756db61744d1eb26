import { and, eq, type SQL, sql } from 'drizzle-orm'
import {
  type Invoice,
  type InvoiceEdit,
  type NewInvoice,
  NOTE_KINDS,
  type ShareInput,
  type Uninvoiced,
} from '#contract/work-orders/invoices.ts'
import { closedMonth, ofClosedMonth } from '#contract/workshops/months.ts'
import { trucksTable } from '../fleet/tables.ts'
import { COMPANY, type Db, one, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid, notFound, Problem, requireFresh } from '../platform/problems.ts'
import { documentKey, documentKeyOf } from '../providers/documents.ts'
import { requireProvider } from '../providers/providers.ts'
import { providersTable } from '../providers/tables.ts'
import { requireLikelyDay } from '../warehouses/documents/paper-days.ts'
import { isClosedOn, type Open, openMonths } from '../workshops/months.ts'
import { inScope } from '../workshops/scope.ts'
import { announceOrder, CODE, type HeldOrder, note, seeOrder } from './access.ts'
import { keepShares } from './invoice-shares.ts'
import { countServices, settle } from './orders/lines.ts'
import { DUE_BEFORE, dueDate, invoiceTax, paidTotal, payableState, SAID, say } from './payables.ts'
import { requireUnpaid, settleInvoices } from './payments.ts'
import {
  invoiceNotesTable,
  invoiceSharesTable,
  invoicesTable,
  paymentsTable,
  serviceAdjustmentsTable,
  workOrderServicesTable,
  workOrdersTable,
} from './tables.ts'

const TAX = invoiceTax(sql`i.net`)
const LEFT_TOTAL = sql`(i.net + ${TAX} + coalesce(m.total, 0))`
const STATE = payableState(sql`i.payment_type`)
const PAID_TOTAL = paidTotal(sql`k.total`, STATE, LEFT_TOTAL)

/** `read`: the order it is read with. */
const select = (read: SQL) => sql`i.id, i.bill_invoice, i.date, i.document, i.payment_type, i.note, i.company_id,
  i.workshop_id, i.work_order_id, i.provider_id, p.name as provider_name, i.tax_type, i.net, ${TAX} as tax,
  i.net + ${TAX} as total, i.follows_services, h.shares, h.amount, coalesce(m.notes, '[]') as notes,
  ${dueDate(sql`i.date`)} as due_date, ${STATE} as payment_state,
  i.net + coalesce(m.net, 0) as left, ${LEFT_TOTAL} as left_total, ${PAID_TOTAL} as paid_total,
  ${LEFT_TOTAL} - ${PAID_TOTAL} as balance, i.updated_at
  from ${invoicesTable} i
  join ${providersTable} p on p.company_id = i.company_id and p.id = i.provider_id
  ${SAID}
  cross join lateral (
    select json_agg(json_build_object('work_order_id', o.id, 'code', ${CODE}, 'patent', k.patent, 'amount', s.amount,
        'left', s.amount + coalesce(a.noted, 0)) order by s.id) as shares,
      sum(s.amount) filter (where o.id = ${read}) as amount
    from ${invoiceSharesTable} s
    join ${workOrdersTable} o on o.company_id = s.company_id and o.id = s.work_order_id
    join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
    left join lateral (select sum(a.amount) as noted from ${serviceAdjustmentsTable} a where a.company_id = ${COMPANY}
      and a.invoice_id = s.invoice_id and a.work_order_id = s.work_order_id and a.note_id is not null) a on true
    where s.company_id = ${COMPANY} and s.invoice_id = i.id) h
  cross join lateral (
    select json_agg(json_build_object('id', n.id, 'invoice_id', i.id, 'kind', n.kind, 'date', n.date,
        'document', n.document, 'note', n.note, 'amount', n.amount, 'tax', x.tax, 'total', n.amount + x.tax,
        'shares', x.shares, 'updated_at', n.updated_at) order by n.date, n.id) as notes,
      sum(x.sign * n.amount) as net, sum(x.sign * (n.amount + x.tax)) as total
    from ${invoiceNotesTable} n
    cross join lateral (
      select case n.kind when 'credit' then -1 else 1 end as sign, ${invoiceTax(sql`n.amount`)} as tax, (
        select json_agg(json_build_object('work_order_id', o.id, 'code', ${CODE}, 'patent', k.patent,
          'amount', abs(a.amount)) order by a.id)
        from ${serviceAdjustmentsTable} a
        join ${workOrdersTable} o on o.company_id = a.company_id and o.id = a.work_order_id
        join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
        where a.company_id = ${COMPANY} and a.note_id = n.id) as shares) x
    where n.company_id = ${COMPANY} and n.invoice_id = i.id) m
  cross join lateral (select sum(k.amount) as total from ${paymentsTable} k
    where k.company_id = ${COMPANY} and k.invoice_id = i.id) k`

/** The caller has made sure that the person may see the order. */
export const invoicesOf = (db: Db, actor: Actor, work_order_id: number) =>
  rows<Invoice>(
    db,
    sql`select ${select(sql`${work_order_id}`)}
        where i.company_id = ${actor.company_id} and i.id in (select s.invoice_id from ${invoiceSharesTable} s
          where s.company_id = ${actor.company_id} and s.work_order_id = ${work_order_id}) order by i.date, i.id`,
  )

export async function listInvoices(db: Db, actor: Actor, work_order_id: number) {
  await seeOrder(db, actor, work_order_id)
  const data = await invoicesOf(db, actor, work_order_id)
  return { data, total: data.length }
}

export async function requireInvoice(db: Db, actor: Actor, id: number): Promise<Invoice> {
  const invoice = await row<Invoice>(
    db,
    sql`select ${select(sql`i.work_order_id`)} where ${inScope(actor, sql`i`)} and i.id = ${id}`,
  )
  if (!invoice) throw notFound()
  return invoice
}

/** The invoice with its orders, held until the transaction ends: orders first, as whoever saves them holds them. */
export async function holdInvoice(db: Db, actor: Actor, id: number): Promise<Invoice> {
  const { shares } = await requireInvoice(db, actor, id)
  await holdOrders(db, actor, shares)
  await rows(db, sql`select 1 from ${invoicesTable} where company_id = ${actor.company_id} and id = ${id} for update`)
  return requireInvoice(db, actor, id)
}

/** In the order of their ids, so that nobody waits in a circle. */
export const holdOrders = (db: Db, actor: Actor, shares: readonly { work_order_id: number }[]) =>
  rows<HeldOrder>(
    db,
    sql`select o.id, ${CODE} as code, o.workshop_id, o.status from ${workOrdersTable} o
        where o.company_id = ${actor.company_id}
          and o.id = any(${sql.param(shares.map(({ work_order_id }) => work_order_id))}::bigint[])
        order by o.id for update`,
  )

const UNINVOICED = 200
export async function uninvoicedOrders(db: Db, actor: Actor, provider_id: number) {
  await requireProvider(db, actor, provider_id)
  const data = await rows<Uninvoiced>(
    db,
    sql`select o.id as work_order_id, ${CODE} as code, k.patent, o.workshop_id, max(l.day) as day, sum(l.amount) as amount
        from ${workOrderServicesTable} l
        join ${workOrdersTable} o on o.company_id = l.company_id and o.id = l.work_order_id
        join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
        where ${inScope(actor, sql`o`)} and l.company_id = ${actor.company_id} and l.provider_id = ${provider_id}
          and not exists (select 1 from ${invoiceSharesTable} s where s.company_id = ${COMPANY}
            and s.work_order_id = l.work_order_id and s.provider_id = l.provider_id)
        group by o.company_id, o.id, k.patent order by o.number desc limit ${UNINVOICED}`,
  )
  return { data, total: data.length }
}

/** Papers often come after the truck has left: a finalized order still takes its invoices. */
export async function createInvoice(db: Db, actor: Actor, sent: NewInvoice): Promise<Invoice> {
  const { confirm_old, net, shares: split, due_date, ...what } = sent
  if (due_date && due_date < what.date) throw invalid({ due_date: DUE_BEFORE })
  await requireLikelyDay(db, actor, what.date, { confirm_old })
  const open = await openMonths(db, actor)
  if (isClosedOn(open, what.date)) throw invalid({ date: closedMonth(what.date) })
  if (!split) await seeOrder(db, actor, what.work_order_id)
  const shares = split ?? [{ work_order_id: what.work_order_id, amount: net ?? 0 }]
  const orders = await requireShares(db, actor, what, shares, split ? 'shares' : 'provider_id')
  const first = orders.find(({ id }) => id === shares[0]!.work_order_id)!
  await requireFirst(db, actor, what)
  const follows_services = split === undefined && net === undefined
  const { company_id } = actor
  const { id } = one(
    await db
      .insert(invoicesTable)
      .values({ company_id, workshop_id: first.workshop_id, ...what, work_order_id: first.id, follows_services })
      .returning({ id: invoicesTable.id }),
  )
  await writeShares(db, actor, { id, provider_id: what.provider_id }, shares)
  if (due_date) await say(db, actor, id * 2, { due_date })
  const invoice = await counted(db, actor, id, orders, open)
  for (const order of orders) await note(db, actor, order, 'invoice_added', {}, spoken(invoice, order))
  return invoice
}

export async function updateInvoice(db: Db, actor: Actor, id: number, sent: InvoiceEdit) {
  const { updated_at, confirm_old, net, shares: split, due_date, ...what } = sent
  const { shares: there } = await requireInvoice(db, actor, id)
  await holdOrders(db, actor, [...there, ...(split ?? [])])
  const before = await holdInvoice(db, actor, id)
  requireFresh(before, updated_at)
  const open = await openMonths(db, actor)
  if (isClosedOn(open, before.date)) throw invalid({ date: ofClosedMonth(before.date) })
  if (isClosedOn(open, what.date)) throw invalid({ date: closedMonth(what.date) })
  if (what.date !== before.date) await requireLikelyDay(db, actor, what.date, { confirm_old })
  await requireFirst(db, actor, { ...what, provider_id: before.provider_id }, id)
  if (due_date && due_date !== before.due_date && due_date < what.date) throw invalid({ due_date: DUE_BEFORE })
  const shares = sharesAsked(before, { net, split })
  requireUnnoted(before, what, shares)
  if (shares) await requireShares(db, actor, before, shares, 'shares', before)
  const orders = await holdOrders(db, actor, [...before.shares, ...(shares ?? [])])
  const work_order_id = shares?.[0]?.work_order_id ?? before.work_order_id
  await db
    .update(invoicesTable)
    .set({ ...what, work_order_id, ...(shares && { follows_services: false }), updated_at: new Date().toISOString() })
    .where(and(eq(invoicesTable.company_id, actor.company_id), eq(invoicesTable.id, id)))
  if (shares) await writeShares(db, actor, before, shares)
  if (due_date !== undefined && due_date !== before.due_date) await say(db, actor, id * 2, { due_date })
  const edited = await counted(db, actor, id, orders, open)
  if (edited.total !== before.total) await settleInvoices(db, actor, [id])
  const after = edited.total === before.total ? edited : await requireInvoice(db, actor, id)
  for (const order of orders) await note(db, actor, order, 'updated', spoken(before, order), spoken(after, order))
  return after
}

/** What notes take back, or add to, no longer changes. */
function requireUnnoted(before: Invoice, what: Pick<InvoiceEdit, 'date' | 'tax_type'>, shares?: ShareInput[]) {
  const [first] = before.notes
  if (!first) return
  if (shares) throw invalid({ [shares.length > 1 ? 'shares' : 'net']: NOTED })
  if (what.tax_type !== undefined && what.tax_type !== before.tax_type) throw invalid({ tax_type: NOTED })
  if (what.date > first.date)
    throw invalid({ date: `Su ${NOTE_KINDS[first.kind].label.toLowerCase()} ${first.document} es anterior.` })
}
const NOTED = 'Tiene notas de crédito o débito: elimínelas antes de cambiar su monto.'

/** The shares that an edit asks for, where they are not those there are. */
function sharesAsked(before: Invoice, { net, split }: { net?: number | undefined; split?: ShareInput[] | undefined }) {
  const { shares } = before
  const isSame =
    split?.length === shares.length &&
    split.every(
      ({ work_order_id, amount }, i) => shares[i]!.work_order_id === work_order_id && shares[i]!.amount === amount,
    )
  if (isSame) return undefined
  if (split) return split
  if (net === undefined || net === before.net) return undefined
  if (shares.length > 1) throw invalid({ shares: 'Diga también qué parte es de cada orden.' })
  return [{ work_order_id: before.work_order_id, amount: net }]
}

const writeShares = async (
  db: Db,
  { company_id }: Actor,
  { id: invoice_id, provider_id }: { id: number; provider_id: number },
  shares: ShareInput[],
) => {
  await rows(db, sql`delete from ${invoiceSharesTable} where company_id = ${company_id} and invoice_id = ${invoice_id}`)
  await db.insert(invoiceSharesTable).values(shares.map((share) => ({ company_id, invoice_id, provider_id, ...share })))
}

/** After anything of an invoice changed: what its orders cost, and when. */
async function counted(db: Db, actor: Actor, id: number, orders: HeldOrder[], open: Open) {
  for (const order of orders) {
    await countServices(db, actor, order, open)
    await keepShares(db, actor, order, open)
    await settle(db, actor, order.id)
    announceOrder(db, actor, order)
  }
  return requireInvoice(db, actor, id)
}

/**
 * Orders of one workshop that the person sees, in each of which the provider has services that no other invoice covers;
 * held. What is wrong is said under the share, or where there are none under `provider_id`. Those it has may stay.
 */
async function requireShares(
  db: Db,
  actor: Actor,
  { provider_id }: { provider_id: number },
  shares: ShareInput[],
  field: 'shares' | 'provider_id',
  before?: Invoice,
): Promise<HeldOrder[]> {
  const orders = await holdOrders(db, actor, shares)
  const found = await rows<{ id: number; served: boolean; taken: boolean }>(
    db,
    sql`select o.id, exists (select 1 from ${workOrderServicesTable} l where l.company_id = ${COMPANY}
            and l.work_order_id = o.id and l.provider_id = ${provider_id}) as served,
          exists (select 1 from ${invoiceSharesTable} s where s.company_id = ${COMPANY} and s.work_order_id = o.id
            and s.provider_id = ${provider_id}) as taken
        from ${workOrdersTable} o
        where ${inScope(actor, sql`o`)} and o.id = any(${sql.param(orders.map(({ id }) => id))}::bigint[])`,
  )
  const workshop = before?.workshop_id ?? orders.find(({ id }) => id === shares[0]!.work_order_id)?.workshop_id
  const wrong: Record<string, string> = {}
  shares.forEach(({ work_order_id: id }, i) => {
    if (before?.shares.some(({ work_order_id }) => work_order_id === id)) return
    const at = field === 'shares' ? `shares.${i}.work_order_id` : field
    const known = found.find((one) => one.id === id)
    if (!known) wrong[at] = 'Elija una orden de la lista.'
    else if (!known.served) wrong[at] = 'Este proveedor no tiene servicios en la orden.'
    else if (known.taken) wrong[at] = 'Este proveedor ya tiene una factura en la orden.'
    else if (orders.find((order) => order.id === id)?.workshop_id !== workshop)
      wrong[at] = 'Las órdenes de una factura son de un mismo taller.'
  })
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return orders
}

/** One paper is written once; who types it again is shown where it is. */
async function requireFirst(
  db: Db,
  actor: Actor,
  { provider_id, bill_invoice, document }: Pick<NewInvoice, 'provider_id' | 'bill_invoice' | 'document'>,
  id = 0,
) {
  const key = [actor.company_id, provider_id, bill_invoice, documentKey(document)].join(' ')
  // The unique index tells 00123 from 123: two people who type them at once wait for each other here.
  await rows(db, sql`select pg_advisory_xact_lock(hashtextextended('invoice ' || ${key}::text, 0))`)
  const first = await row<{ id: number; code: string }>(
    db,
    sql`select o.id, ${CODE} as code from ${invoicesTable} i
        join ${workOrdersTable} o on o.company_id = i.company_id and o.id = i.work_order_id
        where i.company_id = ${actor.company_id} and i.provider_id = ${provider_id} and i.bill_invoice = ${bill_invoice}
          and ${documentKeyOf(sql`i.document`)} = ${documentKey(document)} and i.id <> ${id} limit 1`,
  )
  if (!first) return
  const message = `Este proveedor ya tiene una factura con ese número, en ${first.code}.`
  throw new Problem(422, message, {
    errors: { document: [message] },
    see: { what: 'work_order', id: first.id, label: first.code, path: `/ordenes-de-trabajo/${first.id}` },
  })
}

export async function deleteInvoice(db: Db, actor: Actor, id: number) {
  const before = await holdInvoice(db, actor, id)
  const open = await openMonths(db, actor)
  if (isClosedOn(open, before.date)) throw new Problem(409, ofClosedMonth(before.date))
  if (before.notes.length > 0) throw new Problem(409, 'Tiene notas de crédito o débito: elimínelas primero.')
  await requireUnpaid(db, actor, { invoice_id: id })
  const orders = await holdOrders(db, actor, before.shares)
  await rows(db, sql`delete from ${invoicesTable} where company_id = ${actor.company_id} and id = ${id}`)
  for (const order of orders) {
    await countServices(db, actor, order, open)
    await settle(db, actor, order.id)
    await note(db, actor, order, 'invoice_removed', spoken(before, order), {})
    announceOrder(db, actor, order)
  }
  return undefined
}

/** As the order's activity tells it. */
const spoken = (invoice: Invoice, order: { id: number }) => {
  const { provider_name, bill_invoice, document, date, payment_type, note, shares, follows_services } = invoice
  const share = shares.find(({ work_order_id }) => work_order_id === order.id)
  return {
    provider_name,
    bill_invoice,
    document,
    date,
    payment_type,
    note,
    share: follows_services ? null : (share?.amount ?? null),
    shared_with:
      shares.flatMap(({ work_order_id, code }) => (work_order_id === order.id ? [] : [code])).join(', ') || null,
  }
}
