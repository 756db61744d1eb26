import { z } from 'zod'
import { ActivityPage } from '../base/activity.ts'
import { type Field, fieldsOf } from '../base/fields.ts'
import { SeenCost, showMoney } from '../base/money.ts'
import type { Permission } from '../base/permissions.ts'
import {
  BetweenDate,
  ById,
  Day,
  endpoint,
  Id,
  IdList,
  Instant,
  ListOf,
  listing,
  Nothing,
  page,
  Search,
} from '../base/wire.ts'
import { InvoiceType, PAYMENT_TYPES, PaymentType } from '../warehouses/transactions.ts'

/* What is owed to providers: their invoices of services, and what was bought from them with a document. */

/** `next`: where it may go; `owed`: it is still to be paid; `may`: who takes it there; `act`: what that is called. */
export const PAYABLE_STATES = {
  received: {
    label: 'Recibida',
    tone: 'slate',
    next: ['approved', 'claimed', 'paid'],
    owed: true,
    may: 'payables.approve',
    act: 'Dejar como recibida',
  },
  approved: {
    label: 'Aprobada',
    tone: 'info',
    next: ['paid', 'claimed', 'received'],
    owed: true,
    may: 'payables.approve',
    act: 'Aprobar',
  },
  claimed: {
    label: 'Reclamada',
    tone: 'warning',
    next: ['approved', 'received'],
    owed: true,
    may: 'payables.approve',
    act: 'Reclamar al proveedor',
  },
  paid: {
    label: 'Pagada',
    tone: 'success',
    next: ['approved'],
    owed: false,
    may: 'payables.pay',
    act: 'Marcar pagada',
  },
} as const satisfies Record<string, { may: Permission; [column: string]: unknown }>
export type PayableState = keyof typeof PAYABLE_STATES
export const PAYABLE_STATE_NAMES = Object.keys(PAYABLE_STATES) as [PayableState, ...PayableState[]]
export const OWED = PAYABLE_STATE_NAMES.filter((state) => PAYABLE_STATES[state].owed)
export const PAID = 'paid' satisfies PayableState
export const PAYABLE_BEGINS = 'received' satisfies PayableState
export const mayBecome = (from: PayableState, to: PayableState) =>
  (PAYABLE_STATES[from].next as readonly PayableState[]).includes(to)

export const PAYABLE_KINDS = { service: { label: 'Servicios' }, purchase: { label: 'Compra' } } as const
export type PayableKind = keyof typeof PAYABLE_KINDS
const KIND_NAMES = Object.keys(PAYABLE_KINDS) as [PayableKind, ...PayableKind[]]

/** One payment of a document. It fixes an amount: what the document comes to afterwards is owed, or in favour. */
export const PayablePayment = z.object({
  id: Id,
  amount: SeenCost,
  paid_on: z.string(),
  /** The person who registered it; null where the upgrade that began to keep payments found the document paid. */
  user_name: z.string().nullable(),
  created_at: Instant,
  /** The upgrade could not tell whether the document came to this amount on the day it was paid. */
  is_doubtful: z.boolean(),
})
export type PayablePayment = z.infer<typeof PayablePayment>

export const Payable = z.object({
  /** Of this list: twice that of the invoice, or of the entry and one more. */
  id: Id,
  kind: z.enum(KIND_NAMES),
  bill_invoice: InvoiceType.nullable(),
  document: z.string(),
  date: z.string(),
  /** What somebody wrote, or else its date and the provider's days. */
  due_date: z.string(),
  overdue: z.boolean(),
  payment_type: PaymentType.nullable(),
  provider_id: Id,
  provider_name: z.string(),
  workshop_id: Id,
  workshop_name: z.string(),
  net: SeenCost,
  tax: SeenCost,
  total: SeenCost,
  /** With its notes, or less what was returned. */
  left_total: SeenCost,
  /** The sum of its payments. A document that is paid without any, as in cash, counts as paid at what it says. */
  paid_total: SeenCost,
  /** `left_total` less `paid_total`: above zero it is owed, below zero it is in favour of the company. */
  balance: SeenCost,
  payments: z.array(PayablePayment),
  state: z.enum(PAYABLE_STATE_NAMES),
  /** When it came to that, and by whom. */
  state_at: Instant.nullable(),
  state_by: z.string().nullable(),
  paid_on: z.string().nullable(),
  /** Where it is written. */
  work_order_id: Id.nullable(),
  warehouse_id: Id.nullable(),
  entry_id: Id.nullable(),
  /** The orders it is of, or the warehouse. */
  of: z.string(),
})
export type Payable = z.infer<typeof Payable>

export const PAYABLE_FIELDS = fieldsOf(Payable, {
  due_date: { label: 'Vence', kind: 'day' },
  provider_id: { label: 'Proveedor', named: 'provider_name' },
  document: { label: 'Documento' },
  date: { label: 'Fecha', kind: 'day' },
  kind: { label: 'De', words: PAYABLE_KINDS },
  of: { label: 'Órdenes o bodega' },
  payment_type: { label: 'Forma de pago', words: PAYMENT_TYPES },
  workshop_id: { label: 'Taller', named: 'workshop_name' },
  net: { label: 'Neto', kind: 'money' },
  tax: { label: 'IVA', kind: 'money' },
  total: { label: 'Total', kind: 'money' },
  left_total: { label: 'Total final', kind: 'money' },
  paid_total: { label: 'Pagado', kind: 'money' },
  balance: { label: 'Por pagar', kind: 'money' },
  state: { label: 'Estado', words: PAYABLE_STATES },
  paid_on: { label: 'Pagada el', kind: 'day' },
})

/** Says what remains of a document that was paid, wholly or in part; empty for one without payments. */
export const sayBalance = ({ paid_total, balance }: { paid_total: number | null; balance: number | null }) => {
  if (!balance || paid_total === null) return ''
  if (balance < 0) return `A favor ${showMoney(-balance)}`
  return paid_total > 0 ? `Falta ${showMoney(balance)}` : ''
}

/** All that is written into the activity of a document, and what is said of it after the person's name. */
export const PAYABLE_ACTIONS = {
  updated: 'editó la factura',
  paid: 'registró un pago',
  payment_removed: 'anuló un pago',
  amount_changed: 'cambió el monto de la factura',
} as const
export const PAYABLE_ACTIVITY_FIELDS = {
  state: PAYABLE_FIELDS.state,
  due_date: PAYABLE_FIELDS.due_date,
  amount: { label: 'Monto pagado', kind: 'money' },
  paid_on: { label: 'Pagado el', kind: 'day' },
  left_total: { label: 'Monto de la factura', kind: 'money' },
  balance: { label: 'Saldo', kind: 'money' },
} satisfies Record<string, Field>

export const PayableList = listing(
  [
    'due_date',
    'provider_name',
    'document',
    'date',
    'kind',
    'of',
    'workshop_name',
    'net',
    'total',
    'left_total',
    'paid_total',
    'balance',
    'state',
  ],
  {
    Search,
    WorkshopId: IdList,
    Provider: IdList,
    /** Left out: what is still to be paid. */
    State: ListOf(PAYABLE_STATE_NAMES),
    Kind: ListOf(KIND_NAMES),
    /** By when they are due. */
    BetweenDate,
    Overdue: ListOf(['yes']),
    /** Only documents of which more was paid than they come to. Without states, it looks among all of them. */
    InFavour: ListOf(['yes']),
  },
)
export type PayableList = z.infer<typeof PayableList>

/**
 * Sums of the filtered documents. `owed_total` is what remains to be paid of them, `overdue_total` its part that is
 * overdue, and `favour_total` what was paid above what they come to: a document counts in one or the other.
 */
export const PayableTotals = z.object({
  left_total: SeenCost,
  owed_total: SeenCost,
  favour_total: SeenCost,
  overdue_total: SeenCost,
  overdue: z.number(),
})
export type PayableTotals = z.infer<typeof PayableTotals>

export const PayableEdit = z.object({
  /** That it was paid is said by those who may, with a call of its own. */
  state: z.enum(PAYABLE_STATE_NAMES).optional(),
  due_date: Day.optional(),
})
export type PayableEdit = z.infer<typeof PayableEdit>
export const Payment = z.object({
  /** true writes a payment of what remains; false takes back all there are. */
  paid: z.boolean(),
  /** Today where left out. */
  paid_on: Day.optional(),
})
export type Payment = z.infer<typeof Payment>

export const payables = {
  listPayables: endpoint({
    method: 'GET',
    path: '/v1/payables',
    title: 'Facturas por pagar',
    may: 'payables.read',
    summary: 'Invoices of providers by due date: what is still to be paid, unless states are named',
    query: PayableList,
    reply: page(Payable).extend({ totals: PayableTotals }),
  }),
  getPayable: endpoint({
    method: 'GET',
    path: '/v1/payables/:id',
    may: 'payables.read',
    summary: 'One invoice of a provider',
    params: ById,
    reply: Payable,
  }),
  updatePayable: endpoint({
    method: 'PUT',
    path: '/v1/payables/:id',
    may: 'payables.approve',
    summary: 'Approve an invoice, claim it, or say when it is due',
    params: ById,
    body: PayableEdit,
    reply: Payable,
  }),
  payPayable: endpoint({
    method: 'PUT',
    path: '/v1/payables/:id/paid',
    may: 'payables.pay',
    summary: 'Pay what remains of an invoice, or take back all its payments',
    params: ById,
    body: Payment,
    reply: Payable,
  }),
  deletePayment: endpoint({
    method: 'DELETE',
    path: '/v1/payables/payments/:id',
    may: 'payables.pay',
    summary: 'Take back one payment of an invoice',
    params: ById,
    reply: Nothing,
  }),
  payableActivity: endpoint({
    method: 'GET',
    path: '/v1/payables/:id/activity',
    may: 'payables.read',
    summary: 'What was decided, paid and taken back of an invoice',
    params: ById,
    query: listing(['at']),
    reply: ActivityPage,
  }),
}
