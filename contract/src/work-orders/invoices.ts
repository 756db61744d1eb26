import { z } from 'zod'
import { Pesos, SeenCost, showMoney, TaxType } from '../base/money.ts'
import { Day, Id, Instant, OptionalText } from '../base/wire.ts'
import { InvoiceType, PaymentType } from '../warehouses/transactions.ts'
import { PAYABLE_STATE_NAMES } from './payables.ts'

/* Papers of providers for their services: one covers one order or several, each with its share. Amounts are net. */

export const InvoiceShare = z.object({
  work_order_id: Id,
  code: z.string(),
  /** Of its truck. */
  patent: z.string(),
  amount: SeenCost,
  /** With the notes of the invoice. */
  left: SeenCost,
})
export type InvoiceShare = z.infer<typeof InvoiceShare>

/** `sign`: what it does to what was spent. */
export const NOTE_KINDS = {
  credit: { label: 'Nota de crédito', sign: -1 },
  debit: { label: 'Nota de débito', sign: 1 },
} as const
export type NoteKind = keyof typeof NOTE_KINDS
const NoteKind = z.enum(Object.keys(NOTE_KINDS) as [NoteKind, ...NoteKind[]])

/** Takes back some of what an invoice says, or adds to it. */
export const InvoiceNote = z.object({
  id: Id,
  invoice_id: Id,
  kind: NoteKind,
  date: z.string(),
  document: z.string(),
  note: z.string().nullable(),
  /** Net; its tax is of the invoice's kind. */
  amount: SeenCost,
  tax: SeenCost,
  total: SeenCost,
  shares: z.array(InvoiceShare.omit({ left: true })),
  updated_at: Instant,
})
export type InvoiceNote = z.infer<typeof InvoiceNote>

export const Invoice = z.object({
  id: Id,
  bill_invoice: InvoiceType,
  date: z.string(),
  document: z.string(),
  payment_type: PaymentType,
  note: z.string().nullable(),
  company_id: Id,
  workshop_id: Id,
  /** The first of its shares. */
  work_order_id: Id,
  provider_id: Id,
  provider_name: z.string(),
  /** The share of the order it is read with, or else of the first. */
  amount: SeenCost,
  tax_type: TaxType,
  /** Its shares add up to `net`; `tax` is its IVA, `total` both. */
  net: SeenCost,
  tax: SeenCost,
  total: SeenCost,
  shares: z.array(InvoiceShare),
  /** Nobody said what it comes to: it is what its provider's services in its orders are. */
  follows_services: z.boolean(),
  notes: z.array(InvoiceNote),
  /** With its notes: the net, and with its tax. */
  left: SeenCost,
  left_total: SeenCost,
  /** The amount that was paid, and the rest: below zero it is in favour of the company. */
  paid_total: SeenCost,
  balance: SeenCost,
  /** What somebody wrote, or else its date and the provider's days. */
  due_date: z.string(),
  payment_state: z.enum(PAYABLE_STATE_NAMES),
  updated_at: Instant,
})
export type Invoice = z.infer<typeof Invoice>

/** What a share is more, or less, than the services in its order. */
export const DIFFERENCE = 'Diferencia con la factura'
/** What says an amount beyond services. */
export const sayPaper = ({ kind, document }: { kind: NoteKind | 'invoice'; document: string }) =>
  `${kind === 'invoice' ? DIFFERENCE : NOTE_KINDS[kind].label} ${document}`

export const ShareInput = z.object({ work_order_id: Id, amount: Pesos })
export type ShareInput = z.infer<typeof ShareInput>

export const sharesSum = (shares: readonly { amount: number }[]) => shares.reduce((sum, { amount }) => sum + amount, 0)
/** What is wrong with amounts that do not add up, or nothing. */
export function notAddingUp(net: number, shares: readonly { amount: number }[]): string | undefined {
  const left = net - sharesSum(shares)
  if (left === 0) return undefined
  const wrong = left > 0 ? `faltan ${showMoney(left)}` : `sobran ${showMoney(-left)}`
  return `Los montos de las órdenes deben sumar el neto, ${showMoney(net)}: ${wrong}.`
}

const SHARES = {
  /** What each order has of it. Left out: the net, or else what the provider's services are, is all of `work_order_id`. */
  shares: z.array(ShareInput).min(1, 'Elija al menos una orden.').max(200).optional(),
  net: Pesos.optional(),
}
interface Amounts {
  net?: number | undefined
  shares?: ShareInput[] | undefined
  work_order_id?: number
}
function addUp({ net, shares, work_order_id }: Amounts, context: z.RefinementCtx) {
  const issue = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message, input: shares })
  shares?.forEach((share, i) => {
    if (shares.findIndex((other) => other.work_order_id === share.work_order_id) < i)
      issue(['shares', i, 'work_order_id'], 'Esta orden ya está en la factura.')
  })
  const wrong = shares && net !== undefined ? notAddingUp(net, shares) : undefined
  if (wrong) issue(['shares'], wrong)
  if (shares && work_order_id !== undefined && !shares.some((share) => share.work_order_id === work_order_id))
    issue(['work_order_id'], 'Debe ser una de las órdenes de la factura.')
}

const PAPER = {
  bill_invoice: InvoiceType,
  date: Day,
  document: z.string().trim().min(1).max(60),
  payment_type: PaymentType,
  note: OptionalText(1000),
  /** null: as many days later as the provider gives. */
  due_date: Day.nullish(),
  /** A paper of long ago is written once somebody said that its date is right. */
  confirm_old: z.boolean().default(false),
}

export const NewInvoice = z
  .object({ work_order_id: Id, provider_id: Id, ...PAPER, tax_type: TaxType.default('19'), ...SHARES })
  .superRefine(addUp)
export type NewInvoice = z.infer<typeof NewInvoice>
/** What is left out of tax, net and shares stays. */
export const InvoiceEdit = z
  .object({ ...PAPER, tax_type: TaxType.optional(), ...SHARES, updated_at: Instant.optional() })
  .superRefine(addUp)
export type InvoiceEdit = z.infer<typeof InvoiceEdit>

const NOTE = {
  kind: NoteKind,
  date: Day,
  document: z.string().trim().min(1).max(60),
  note: OptionalText(1000),
  /** Net. */
  amount: Pesos.gt(0, 'El monto debe ser mayor que cero.'),
  /** Left out: in proportion to what the orders have of the invoice. */
  shares: SHARES.shares,
  confirm_old: z.boolean().default(false),
}
const noteAddsUp = (
  { amount, shares }: { amount: number; shares?: ShareInput[] | undefined },
  context: z.RefinementCtx,
) => addUp({ net: amount, shares }, context)
export const NewInvoiceNote = z.object(NOTE).superRefine(noteAddsUp)
export type NewInvoiceNote = z.infer<typeof NewInvoiceNote>
export const InvoiceNoteEdit = z.object({ ...NOTE, updated_at: Instant.optional() }).superRefine(noteAddsUp)
export type InvoiceNoteEdit = z.infer<typeof InvoiceNoteEdit>

/** An order with services of a provider that no invoice covers. */
export const Uninvoiced = z.object({
  work_order_id: Id,
  code: z.string(),
  patent: z.string(),
  workshop_id: Id,
  /** When the last of them was recorded. */
  day: z.string(),
  amount: SeenCost,
})
export type Uninvoiced = z.infer<typeof Uninvoiced>
