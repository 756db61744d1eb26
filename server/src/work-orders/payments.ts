import { sql } from 'drizzle-orm'
import { INVOICE_TYPES } from '#contract/warehouses/transactions.ts'
import { PAID, PAYABLE_STATES, type Payable, type PayableState, type Payment } from '#contract/work-orders/payables.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { invalid, notFound, Problem } from '../platform/problems.ts'
import { transactionsTable } from '../warehouses/tables.ts'
import { announcePayable, holdPayable, requireNext, requirePayable, say, stateBy, today } from './payables.ts'
import { invoiceSharesTable, invoicesTable, paymentsTable } from './tables.ts'

/*
 * Payments of what is owed (decision 0027). A payment is a row with its own amount: after it, a change of the document is
 * a difference that is owed or in favour. The state of a document with payments follows from its balance.
 */

const UNPAID = PAYABLE_STATES[PAID].next[0]

/** Pays what remains of a document, or takes back all its payments. */
export async function payPayable(db: Db, actor: Actor, id: number, { paid, paid_on }: Payment): Promise<Payable> {
  const before = await holdPayable(db, actor, id)
  if (!paid) return takeAllBack(db, actor, before)
  const day = paid_on ?? today(actor)
  if (day > today(actor)) throw invalid({ paid_on: 'La fecha no puede ser posterior a hoy.' })
  if (day < before.date) throw invalid({ paid_on: 'No se pagó antes de su fecha.' })
  if (before.state === PAID && before.payments.length > 0 && before.balance! <= 0) {
    if (paid_on !== undefined && paid_on !== before.paid_on)
      throw new Problem(409, 'Ya está pagada: para cambiar el día, anule primero el pago.')
    return before
  }
  requireNext(before.state, PAID)
  const amount = Math.max(0, before.left_total! - sumOf(before))
  const [payment] = await db
    .insert(paymentsTable)
    .values({
      company_id: actor.company_id,
      ...documentOf(id),
      amount,
      paid_on: day,
      user_id: actor.user_id,
      user_name: actor.user_name,
    })
    .returning({ amount: paymentsTable.amount, paid_on: paymentsTable.paid_on })
  await say(db, actor, id, { ...stateBy(actor, PAID), paid_on: day })
  await record(db, actor, 'payable', id, 'paid', {}, { document: before.document, ...payment })
  return readAndAnnounce(db, actor, id)
}

const sumOf = ({ payments }: Payable) => payments.reduce((sum, { amount }) => sum + amount!, 0)

/** An id of the list of payables, as the document that it stands for. */
const documentOf = (id: number) => (id % 2 === 0 ? { invoice_id: id / 2 } : { transaction_id: (id - 1) / 2 })

async function takeAllBack(db: Db, actor: Actor, before: Payable): Promise<Payable> {
  if (before.payments.length === 0 && PAYABLE_STATES[before.state].owed) return before
  await deletePayments(db, actor, before, before.payments)
  return readAndAnnounce(db, actor, before.id)
}

/** Takes one payment back. Of two people who do so at once, the second finds nothing. */
export async function deletePayment(db: Db, actor: Actor, payment_id: number) {
  const payment = await row<{ payable_id: number }>(
    db,
    sql`select coalesce(k.invoice_id * 2, k.transaction_id * 2 + 1) as payable_id from ${paymentsTable} k
        where k.company_id = ${actor.company_id} and k.id = ${payment_id}`,
  )
  if (!payment) throw notFound()
  const before = await holdPayable(db, actor, payment.payable_id)
  const standing = before.payments.filter(({ id }) => id === payment_id)
  if (standing.length === 0) throw notFound()
  await deletePayments(db, actor, before, standing)
  await readAndAnnounce(db, actor, before.id)
  return undefined
}

async function deletePayments(db: Db, actor: Actor, before: Payable, payments: Payable['payments']) {
  await rows(
    db,
    sql`delete from ${paymentsTable} where company_id = ${actor.company_id}
          and id = any(${sql.param(payments.map(({ id }) => id))}::bigint[])`,
  )
  for (const { amount, paid_on } of payments)
    await record(db, actor, 'payable', before.id, 'payment_removed', { amount, paid_on }, { document: before.document })
  const after = await requirePayable(db, actor, before.id)
  // Without any payment left nothing is paid, not even a document that comes to nothing.
  const state = after.payments.length > 0 ? stateOf(after) : owedState(after)
  await say(db, actor, before.id, {
    ...(state !== after.state && stateBy(actor, state)),
    paid_on: after.payments.at(-1)?.paid_on ?? null,
  })
}

/** The state of a document with payments: paid once nothing is owed, and owed again when something is. */
function stateOf({ balance, state }: Payable): PayableState {
  return balance! <= 0 ? PAID : owedState({ state })
}
const owedState = ({ state }: Pick<Payable, 'state'>): PayableState => (PAYABLE_STATES[state].owed ? state : UNPAID)

/** The document as it stands now, after everyone who looks at the list was told to ask again. */
async function readAndAnnounce(db: Db, actor: Actor, id: number): Promise<Payable> {
  const after = await requirePayable(db, actor, id)
  announcePayable(db, actor, after)
  return after
}

/** After what invoices come to changed: those with payments are owed again, or no more. */
export async function settleInvoices(db: Db, actor: Actor, ids: number[]) {
  const held = await rows<{ id: number }>(
    db,
    sql`select i.id from ${invoicesTable} i where i.company_id = ${actor.company_id}
          and i.id = any(${sql.param(ids)}::bigint[]) order by i.id for update`,
  )
  for (const { id } of held) await settle(db, actor, id * 2)
}

/** The document is held: whoever pays it waits, and pays what it comes to now. */
async function settle(db: Db, actor: Actor, id: number) {
  const payable = await requirePayable(db, actor, id)
  if (payable.payments.length === 0) return
  const state = stateOf(payable)
  if (state !== payable.state) await say(db, actor, id, stateBy(actor, state))
  const { document, left_total, balance } = payable
  await record(
    db,
    actor,
    'payable',
    id,
    'amount_changed',
    { state: payable.state },
    { document, left_total, balance, state },
  )
  announcePayable(db, actor, payable)
}

/**
 * Hears of purchases that were voided, or whose notes and returns changed. Voiding one that has a payment is refused,
 * and with it the whole transaction.
 */
export async function hearPurchases(db: Db, actor: Actor, ids: number[]) {
  const purchases = await rows<{
    id: number
    voided: boolean
    typeInvoice: PaidDocument['bill_invoice']
    document: string
  }>(
    db,
    sql`select t.id, t.voided_at is not null as voided, t."typeInvoice", t.document from ${transactionsTable} t
        where t.company_id = ${actor.company_id} and t.id = any(${sql.param(ids)}::bigint[]) order by t.id for update`,
  )
  const withPayments = await rows<{ id: number }>(
    db,
    sql`select distinct k.transaction_id as id from ${paymentsTable} k
        where k.company_id = ${actor.company_id} and k.transaction_id = any(${sql.param(ids)}::bigint[])`,
  )
  for (const { id, voided, typeInvoice, document } of purchases) {
    if (!withPayments.some((one) => one.id === id)) continue
    if (voided) throw paidProblem({ bill_invoice: typeInvoice, document })
    await settle(db, actor, id * 2 + 1)
  }
}

type PaidDocument = Pick<Payable, 'bill_invoice' | 'document'>

const paidProblem = ({ bill_invoice, document }: PaidDocument) =>
  new Problem(
    409,
    `La ${INVOICE_TYPES[bill_invoice ?? 'bill'].label.toLowerCase()} ${document} tiene un pago: anúlelo primero en Facturas por pagar.`,
  )

/** Refuses to take an invoice away, or an order with its invoices, while one of them has a payment. The invoices are held. */
export async function requireUnpaid(db: Db, actor: Actor, which: { invoice_id: number } | { work_order_id: number }) {
  const invoices = await rows<PaidDocument & { id: number }>(
    db,
    sql`select i.id, i.bill_invoice, i.document from ${invoicesTable} i where i.company_id = ${actor.company_id} and ${
      'invoice_id' in which
        ? sql`i.id = ${which.invoice_id}`
        : sql`i.id = any(array(select s.invoice_id from ${invoiceSharesTable} s
            where s.company_id = ${actor.company_id} and s.work_order_id = ${which.work_order_id}))`
    } order by i.id for update`,
  )
  if (invoices.length === 0) return
  const paid = await row<{ id: number }>(
    db,
    sql`select k.invoice_id as id from ${paymentsTable} k where k.company_id = ${actor.company_id}
          and k.invoice_id = any(${sql.param(invoices.map(({ id }) => id))}::bigint[]) order by k.id limit 1`,
  )
  const document = invoices.find(({ id }) => id === paid?.id)
  if (document) throw paidProblem(document)
}
