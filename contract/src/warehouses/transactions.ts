import { z } from 'zod'
import { lineAmounts, Pesos, Quantity, TaxType, UnitCost } from '../base/money.ts'
import { type Reading, readings } from '../base/readings.ts'
import {
  BetweenDate,
  Day,
  Id,
  IdList,
  IdText,
  Instant,
  ListOf,
  listing,
  OptionalId,
  OptionalText,
  Search,
} from '../base/wire.ts'
import { DIRECTION_NAMES, PRICE_NOTES, type PriceNoteKind, TRANSACTION_TYPES, typeNamed } from './stock.ts'

/** A transfer keeps its value, because the other warehouse has it. */
export const LATER_TRANSFER =
  'Un traspaso o una anulación posterior ya movió este stock a su costo: use una fecha posterior, o anúlelo primero.'
export const ALREADY_LISTED = 'El insumo ya se encuentra en la lista'
export const NO_SUPPLIES = {
  entry: 'En necesario ingresar al menos un insumo para poder guardar la entrada.',
  exit: 'Es necesario ingresar al menos un insumo para poder guardar la salida.',
  any: 'Es necesario ingresar al menos un insumo para poder guardar.',
}

export const INVOICE_TYPES = { invoice: { label: 'Boleta' }, bill: { label: 'Factura' } } as const
export type InvoiceType = keyof typeof INVOICE_TYPES
export const InvoiceType = z.enum(Object.keys(INVOICE_TYPES) as [InvoiceType, ...InvoiceType[]])
export const PAYMENT_TYPES = { Credit: { label: 'Crédito' }, Cash: { label: 'Contado' } } as const
export type PaymentType = keyof typeof PAYMENT_TYPES
export const PaymentType = z.enum(Object.keys(PAYMENT_TYPES) as [PaymentType, ...PaymentType[]])

export const TRANSACTION_STATES = {
  posted: { label: 'Vigente', tone: 'success', standing: true },
  voided: { label: 'Anulada', tone: 'danger', standing: false },
} as const
export type TransactionState = keyof typeof TRANSACTION_STATES
const TRANSACTION_STATE_NAMES = Object.keys(TRANSACTION_STATES) as [TransactionState, ...TransactionState[]]

/** A day; where a client sends a moment, the day of it. */
const DayOf = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}[T ]/.test(value) ? value.slice(0, 10) : value || null),
  Day.nullable(),
)

const MAX_NET = 999_999_999_999
/** A line of a purchase, an entry or an exit as the specification's forms name its fields. */
export const LINE_READING: Reading = {
  names: {
    supply: 'supply_id',
    unitRequest: 'quantity',
    unitCost: 'unit_cost',
    taxObject: 'tax_type',
    neto: 'net_cost',
    total: 'total_cost',
  },
  thing: 'supply_id',
}
const lineFields = {
  supply_id: Id,
  quantity: Quantity,
  /** What leaves costs its average: only entries state it. */
  unit_cost: UnitCost.nullish(),
  tax_type: TaxType.default('19'),
}
export const TransactionLine = z.object(lineFields)
export type TransactionLine = z.infer<typeof TransactionLine>

type Complain = (path: (string | number)[], message: string) => void

/** Duplicates, and amounts beyond what a document can hold. */
export function checkLines(
  lines: readonly { supply_id: number; quantity: number; unit_cost?: number | null | undefined; tax_type?: TaxType }[],
  complain: Complain,
) {
  const seen = new Set<number>()
  lines.forEach((line, i) => {
    if (seen.has(line.supply_id)) complain(['supplies', i, 'supply_id'], ALREADY_LISTED)
    seen.add(line.supply_id)
    const { quantity, unit_cost, tax_type = '19' } = line
    if (unit_cost && lineAmounts({ quantity, unit_cost, tax_type }).net_cost > MAX_NET)
      complain(['supplies', i, 'unit_cost'], 'El monto es demasiado grande.')
  })
}

export const CREDIT_NEEDS = {
  document: 'Ingrese el número del documento: la compra es a crédito.',
  providerId: 'Elija el proveedor: la compra es a crédito.',
}

/** A debt is owed to somebody and for some paper: a purchase on credit without them could never be paid or found. */
export function checkCredit(
  { payment_type, ...paper }: { payment_type: PaymentType | null; document: string | null; providerId?: number | null },
  complain: Complain,
) {
  if (payment_type !== 'Credit') return
  for (const field of ['document', 'providerId'] as const)
    if (paper[field] === null) complain(['transaction', field], CREDIT_NEEDS[field])
}

const documentFields = {
  typeTrasactionId: Id,
  typeInvoice: InvoiceType.nullish().transform((v) => v ?? null),
  document: OptionalText(60),
  /** The day it happened: today where none is given. */
  date: DayOf.optional(),
  date_delivery: DayOf.nullish(),
  payment_type: PaymentType.nullish().transform((v) => v ?? null),
  reference: OptionalText(120),
  providerId: OptionalId,
  /** The document whose goods come or go back: an entry for a return to its provider, an exit for a return to stock. */
  returns_id: OptionalId,
  note: OptionalText(1000),
  /** A purchase of long ago is written once somebody said that its date is right. */
  confirm_old: z.boolean().default(false),
}
export const PAST_DELIVERY = 'La fecha de entrega no puede ser anterior a hoy.'
export const OLD_DOCUMENT = 'El documento tiene más de 60 días: confirme que la fecha es correcta.'
export const TransactionDocument = z.object(documentFields)
export type TransactionDocument = z.infer<typeof TransactionDocument>

/** The direction that a type of movement has, where the call does not say it. */
const directionOf = ({ transaction }: Record<string, unknown>) => {
  const { typeTrasactionId } = (transaction ?? {}) as Record<string, unknown>
  return TRANSACTION_TYPES.find(({ id }) => id === Number(typeTrasactionId))?.type
}

export const NewTransaction = z
  .object({
    warehouse_id: Id,
    type: z.enum(DIRECTION_NAMES),
    transaction: TransactionDocument,
    supplies: z.array(z.object(lineFields).register(readings, LINE_READING)).max(500).default([]),
  })
  .register(readings, {
    names: {
      'transaction.transaction': 'type',
      'transaction.supplies': 'supplies',
      'transaction.warehouse_id': 'warehouse_id',
    },
    missing: { transaction: () => ({}), type: directionOf },
  })
  .superRefine((what, context) => {
    const complain = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
    // Whoever says no direction hears of the supplies, too.
    if (what.supplies.length === 0) complain(['supplies'], 'type' in what ? NO_SUPPLIES[what.type] : NO_SUPPLIES.any)
    const type = TRANSACTION_TYPES.find(({ id }) => id === what.transaction.typeTrasactionId)
    if (type?.type !== what.type)
      complain(['transaction', 'typeTrasactionId'], 'Elija un tipo de movimiento de la lista.')
    else if (type.key === 'transfer')
      complain(['transaction', 'typeTrasactionId'], 'Un traspaso se hace entre dos bodegas: use Traspasar.')
    checkLines(what.supplies, complain)
    if (type?.key === 'purchase') checkCredit(what.transaction, complain)
    if (type?.key === 'provider_return' && what.transaction.returns_id === null)
      complain(['transaction', 'returns_id'], 'Elija la entrada que devuelve.')
    // What is returned costs what it cost.
    if (what.type === 'entry' && type?.key !== 'return')
      what.supplies.forEach((line, i) => {
        if (typeof line.unit_cost !== 'number') complain(['supplies', i, 'unit_cost'], 'Ingrese el costo unitario.')
      })
  })
export type NewTransaction = z.infer<typeof NewTransaction>

export const PostedLine = z.object({
  id: Id,
  supply_id: Id,
  code: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  quantity: z.number(),
  unit_cost: z.number(),
  tax_type: TaxType,
  net_cost: z.number(),
  tax: z.number(),
  total_cost: z.number(),
})
export type PostedLine = z.infer<typeof PostedLine>

const PriceNoteKindName = z.enum(Object.keys(PRICE_NOTES) as [PriceNoteKind, ...PriceNoteKind[]])
/** What a credit or debit note took off an entry, or put on it. */
export const PriceNote = z.object({
  /** Of the document it is. */
  id: Id,
  code: z.string(),
  kind: PriceNoteKindName,
  document: z.string().nullable(),
  date: z.string(),
  subtotal: z.number(),
  total: z.number(),
})
export type PriceNote = z.infer<typeof PriceNote>

export const Transaction = z.object({
  id: Id,
  code: z.string(),
  warehouse_id: Id,
  warehouse_name: z.string(),
  type: z.enum(DIRECTION_NAMES),
  type_name: z.string(),
  state: z.enum(TRANSACTION_STATE_NAMES),
  transaction: z.object({
    typeTrasactionId: Id,
    typeInvoice: InvoiceType.nullable(),
    document: z.string().nullable(),
    date: z.string(),
    date_delivery: z.string().nullable(),
    payment_type: PaymentType.nullable(),
    reference: z.string().nullable(),
    providerId: Id.nullable(),
    returns_id: Id.nullable(),
    /** Of an invoice that came after the goods. */
    invoice_date: z.string().nullable(),
    note: z.string().nullable(),
  }),
  provider_name: z.string().nullable(),
  supplies: z.array(PostedLine),
  subtotal: z.number(),
  tax: z.number(),
  total: z.number(),
  /** Those that stand. */
  notes: z.array(PriceNote),
  /** The other side of a transfer. */
  transfer: z.object({ transaction_id: Id, warehouse_id: Id, warehouse_name: z.string() }).nullable(),
  /** A side of a transfer to another workshop, which is sent and received in two steps. */
  between_workshops: z.boolean(),
  /** Sent, and not received yet. */
  in_transit: z.boolean(),
  /** Where it was sent, in another workshop. */
  to_warehouse_name: z.string().nullable(),
  /** Later movements whose cost a back-dated document changed. */
  recosted: z.number(),
  user_name: z.string().nullable(),
  created_at: Instant,
  voided_at: Instant.nullable(),
  voided_by: z.string().nullable(),
  void_note: z.string().nullable(),
})
export type Transaction = z.infer<typeof Transaction>

export const TransactionList = listing(['date', 'document', 'provider_name', 'type_name', 'total', 'created_at'], {
  Search,
  WorkshopId: IdList,
  Warehouse: IdList,
  Type: ListOf(DIRECTION_NAMES),
  TypeTransaction: IdList,
  Provider: IdList,
  State: ListOf(TRANSACTION_STATE_NAMES),
  /** Purchases on credit that stand without document or provider, from when they could be saved like that. */
  Incomplete: ListOf(['true']),
  BetweenDate,
})
  .extend({ warehouse: IdText.optional(), type: z.enum(DIRECTION_NAMES).optional() })
  .register(readings, { names: { transaction: 'type', typeTrasactionId: 'TypeTransaction' } })
export type TransactionList = z.infer<typeof TransactionList>

const Paper = {
  document: z.string('Ingrese el número.').trim().min(1, 'Ingrese el número.').max(60),
  date: Day,
  confirm_old: z.boolean().default(false),
}
/** Another price for what an entry brought. */
export const NewPriceNote = z.object({
  kind: PriceNoteKindName,
  ...Paper,
  /** Net. */
  amount: Pesos.gt(0, 'El monto debe ser mayor que cero.'),
  /** Of which lines; left out, of all of them, in proportion to what they cost. */
  supplies: z.array(Id).min(1, 'Elija al menos un insumo.').max(500).optional(),
  note: OptionalText(1000),
})
export type NewPriceNote = z.infer<typeof NewPriceNote>

/** The invoice of goods that came with a delivery slip, or with nothing. */
export const LateInvoice = z.object({
  typeInvoice: InvoiceType,
  ...Paper,
  payment_type: PaymentType,
  /** Net; left out, what the entry says. What differs is a note of the same number. */
  net: Pesos.optional(),
})
export type LateInvoice = z.infer<typeof LateInvoice>

/** The document and provider that an old purchase on credit lacks; fields it already has stay as they are. */
export const Completion = z
  .object({ document: OptionalText(60), providerId: OptionalId })
  .refine(({ document, providerId }) => document !== null || providerId !== null, {
    path: ['document'],
    message: 'Ingrese el documento o elija el proveedor.',
  })
export type Completion = z.infer<typeof Completion>

/** It owes somebody something, and does not say whom or for which paper. */
export const isIncomplete = ({ state, transaction }: Pick<Transaction, 'state' | 'transaction'>) =>
  TRANSACTION_STATES[state].standing &&
  transaction.typeTrasactionId === typeNamed('entry', 'purchase') &&
  transaction.payment_type === 'Credit' &&
  (transaction.document === null || transaction.providerId === null)

export const VoidTransaction = z.object({ note: OptionalText(500) })

export const Recosted = z.object({
  id: Id,
  at: Instant,
  document: z.string().nullable(),
  code: z.string(),
  name: z.string(),
  quantity: z.number(),
  cost_before: z.number(),
  cost_after: z.number(),
})
export type Recosted = z.infer<typeof Recosted>

export const NewTransfer = z
  .object({
    warehouse_id: Id,
    to_warehouse_id: Id,
    document: OptionalText(60),
    reference: OptionalText(120),
    note: OptionalText(1000),
    supplies: z
      .array(z.object({ supply_id: Id, quantity: Quantity }))
      .max(500)
      .default([]),
  })
  .superRefine((what, context) => {
    const complain = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (what.supplies.length === 0) complain(['supplies'], NO_SUPPLIES.exit)
    if (what.warehouse_id === what.to_warehouse_id) complain(['to_warehouse_id'], 'Elija otra bodega como destino.')
    checkLines(what.supplies, complain)
  })
export type NewTransfer = z.infer<typeof NewTransfer>
/** To another workshop there is no entry until it is received there. */
export const Transfer = z.object({ exit: Transaction, entry: Transaction.nullable() })
export type Transfer = z.infer<typeof Transfer>
