import { and, eq, sql } from 'drizzle-orm'
import { showMoney, splitPesos } from '#contract/base/money.ts'
import type { WorkOrderAction } from '#contract/work-orders/activity.ts'
import {
  type Invoice,
  type InvoiceNote,
  type InvoiceNoteEdit,
  type NewInvoiceNote,
  NOTE_KINDS,
  type ShareInput,
} from '#contract/work-orders/invoices.ts'
import { closedMonth, ofClosedMonth } from '#contract/workshops/months.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid, notFound, Problem, requireFresh } from '../platform/problems.ts'
import { documentKey, documentKeyOf } from '../providers/documents.ts'
import { requireLikelyDay } from '../warehouses/documents/paper-days.ts'
import { isClosedOn, openMonths } from '../workshops/months.ts'
import { announceOrder, note } from './access.ts'
import { holdInvoice, holdOrders, requireInvoice } from './invoices.ts'
import { settle } from './orders/lines.ts'
import { settleInvoices } from './payments.ts'
import { invoiceNotesTable, invoicesTable, serviceAdjustmentsTable } from './tables.ts'

/* Credit and debit notes: papers that take back some of what an invoice says, or add to it, on their own day. */

/** The invoice that a note is of, held with its orders. */
export async function holdNote(db: Db, actor: Actor, id: number): Promise<{ invoice: Invoice; note: InvoiceNote }> {
  const found = await row<{ invoice_id: number }>(
    db,
    sql`select invoice_id from ${invoiceNotesTable} where company_id = ${actor.company_id} and id = ${id}`,
  )
  if (!found) throw notFound()
  const invoice = await holdInvoice(db, actor, found.invoice_id)
  const note = invoice.notes.find((one) => one.id === id)
  if (!note) throw notFound()
  return { invoice, note }
}

export async function createInvoiceNote(db: Db, actor: Actor, invoice_id: number, what: NewInvoiceNote) {
  const invoice = await holdInvoice(db, actor, invoice_id)
  const { company_id } = actor
  const { confirm_old: _, shares: __, ...values } = what
  await requireDay(db, actor, invoice, what)
  await requireFirst(db, actor, invoice, what)
  const shares = sharesOf(invoice, what)
  // From now on it is what it was when somebody took something back.
  await db
    .update(invoicesTable)
    .set({ follows_services: false })
    .where(and(eq(invoicesTable.company_id, company_id), eq(invoicesTable.id, invoice_id)))
  const { id } = one(
    await db
      .insert(invoiceNotesTable)
      .values({ company_id, invoice_id, provider_id: invoice.provider_id, ...values })
      .returning({ id: invoiceNotesTable.id }),
  )
  await writeLines(db, actor, invoice, { id, ...what }, shares)
  return (await settled(db, actor, invoice, 'note_added', { after: id }))!
}

export async function updateInvoiceNote(db: Db, actor: Actor, id: number, sent: InvoiceNoteEdit) {
  const { updated_at, ...what } = sent
  const { invoice, note: before } = await holdNote(db, actor, id)
  requireFresh(before, updated_at)
  const open = await openMonths(db, actor)
  if (isClosedOn(open, before.date)) throw invalid({ date: ofClosedMonth(before.date) })
  await requireDay(db, actor, invoice, what, before)
  await requireFirst(db, actor, invoice, what, id)
  const shares = sharesOf(without(invoice, before), what, before)
  const { confirm_old: _, shares: __, ...values } = what
  await db
    .update(invoiceNotesTable)
    .set({ ...values, updated_at: new Date().toISOString() })
    .where(and(eq(invoiceNotesTable.company_id, actor.company_id), eq(invoiceNotesTable.id, id)))
  await rows(db, sql`delete from ${serviceAdjustmentsTable} where company_id = ${actor.company_id} and note_id = ${id}`)
  await writeLines(db, actor, invoice, { id, ...what }, shares)
  return (await settled(db, actor, invoice, 'note_changed', { before, after: id }))!
}

export async function deleteInvoiceNote(db: Db, actor: Actor, id: number) {
  const { invoice, note: before } = await holdNote(db, actor, id)
  const open = await openMonths(db, actor)
  if (isClosedOn(open, before.date)) throw new Problem(409, ofClosedMonth(before.date))
  if (without(invoice, before).shares.some(({ left }) => left! < 0))
    throw new Problem(409, 'Las notas de crédito de la factura serían más que ella: elimine antes una de ellas.')
  await rows(db, sql`delete from ${invoiceNotesTable} where company_id = ${actor.company_id} and id = ${id}`)
  await settled(db, actor, invoice, 'note_removed', { before })
  return undefined
}

async function requireDay(
  db: Db,
  actor: Actor,
  invoice: Invoice,
  { date, confirm_old }: Pick<NewInvoiceNote, 'date' | 'confirm_old'>,
  before?: InvoiceNote,
) {
  if (isClosedOn(await openMonths(db, actor), date)) throw invalid({ date: closedMonth(date) })
  if (date < invoice.date) throw invalid({ date: 'Una nota no puede ser anterior a su factura.' })
  if (date !== before?.date) await requireLikelyDay(db, actor, date, { confirm_old })
}

async function requireFirst(
  db: Db,
  actor: Actor,
  { provider_id }: Invoice,
  { kind, document }: Pick<NewInvoiceNote, 'kind' | 'document'>,
  id = 0,
) {
  const known = await row(
    db,
    sql`select 1 as ok from ${invoiceNotesTable} where company_id = ${actor.company_id} and provider_id = ${provider_id}
        and kind = ${kind} and ${documentKeyOf(sql`document`)} = ${documentKey(document)} and id <> ${id}`,
  )
  if (known) throw invalid({ document: 'Este proveedor ya tiene una nota con ese número.' })
}

/** The invoice as if one of its notes were not there. */
function without(invoice: Invoice, gone: InvoiceNote): Invoice {
  const { sign } = NOTE_KINDS[gone.kind]
  const ofOrder = (id: number) => gone.shares.find(({ work_order_id }) => work_order_id === id)?.amount ?? 0
  return {
    ...invoice,
    left: invoice.left! - sign * gone.amount!,
    shares: invoice.shares.map((share) => ({ ...share, left: share.left! - sign * ofOrder(share.work_order_id) })),
  }
}

/** What each order of the invoice has of the note; no order is left with less than nothing. */
function sharesOf(invoice: Invoice, { kind, amount, shares }: NewInvoiceNote, before?: InvoiceNote): ShareInput[] {
  const { sign } = NOTE_KINDS[kind]
  if (invoice.left! + sign * amount < 0)
    throw invalid({
      amount:
        sign < 0
          ? `A la factura le quedan ${showMoney(invoice.left)} netos: la nota no puede ser por más.`
          : 'Las notas de crédito de la factura serían más que ella.',
    })
  const isAsBefore = before?.kind === kind && before.amount === amount
  const split = shares ?? (isAsBefore ? given(before) : inProportion(invoice, amount))
  const wrong: Record<string, string> = {}
  split.forEach(({ work_order_id }, i) => {
    if (!invoice.shares.some((share) => share.work_order_id === work_order_id))
      wrong[`shares.${i}.work_order_id`] = 'La factura no es de esta orden.'
  })
  for (const { work_order_id, code, left } of invoice.shares) {
    const i = split.findIndex((share) => share.work_order_id === work_order_id)
    if (left! + sign * (split[i]?.amount ?? 0) < 0)
      wrong[shares && i >= 0 ? `shares.${i}.amount` : 'amount'] = `A ${code} le quedan ${showMoney(left)}.`
  }
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return split
}

/** To what is left of the shares; where nothing is, to the shares. */
function inProportion({ shares }: Invoice, amount: number): ShareInput[] {
  const left = shares.map((share) => Math.max(0, share.left!))
  const parts = splitPesos(amount, left.some((one) => one > 0) ? left : shares.map((share) => share.amount!))
  return shares.map(({ work_order_id }, i) => ({ work_order_id, amount: parts[i]! }))
}

const given = (note: InvoiceNote) =>
  note.shares.map(({ work_order_id, amount }) => ({ work_order_id, amount: amount! }))

async function writeLines(
  db: Db,
  { company_id }: Actor,
  { id: invoice_id, provider_id }: Invoice,
  { id: note_id, kind, date: day }: { id: number; kind: InvoiceNote['kind']; date: string },
  shares: ShareInput[],
) {
  const { sign } = NOTE_KINDS[kind]
  const lines = shares.filter(({ amount }) => amount > 0)
  await db.insert(serviceAdjustmentsTable).values(
    lines.map(({ work_order_id, amount }) => ({
      company_id,
      work_order_id,
      invoice_id,
      note_id,
      provider_id,
      day,
      amount: sign * amount,
    })),
  )
}

/** After a note came, changed or went: what the orders of its invoice cost, and what their activity says. */
async function settled(
  db: Db,
  actor: Actor,
  invoice: Invoice,
  action: WorkOrderAction,
  { before, after: id }: { before?: InvoiceNote; after?: number },
) {
  const { notes } = await requireInvoice(db, actor, invoice.id)
  const after = notes.find((one) => one.id === id)
  for (const order of await holdOrders(db, actor, invoice.shares)) {
    await settle(db, actor, order.id)
    await note(
      db,
      actor,
      order,
      action,
      before ? spoken(invoice, before, order) : {},
      after ? spoken(invoice, after, order) : {},
    )
    announceOrder(db, actor, order)
  }
  const added = (one?: InvoiceNote) => (one ? NOTE_KINDS[one.kind].sign * one.total! : 0)
  if (added(before) !== added(after)) await settleInvoices(db, actor, [invoice.id])
  return after
}

const spoken = (invoice: Invoice, { kind, document, date, note, shares }: InvoiceNote, order: { id: number }) => ({
  provider_name: invoice.provider_name,
  of_invoice: invoice.document,
  kind,
  document,
  date,
  note,
  share: shares.find(({ work_order_id }) => work_order_id === order.id)?.amount ?? 0,
})
