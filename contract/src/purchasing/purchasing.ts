import { z } from 'zod'
import { ActivityPage } from '../base/activity.ts'
import { MAIL_STATE_NAMES } from '../base/mails.ts'
import { Quantity, TaxType, UnitCost } from '../base/money.ts'
import { PRIORITY_NAMES } from '../base/priorities.ts'
import { readings } from '../base/readings.ts'
import {
  BetweenDate,
  ById,
  catalogue,
  Day,
  Download,
  endpoint,
  Id,
  IdList,
  IdText,
  Instant,
  ListOf,
  LONG_BODY,
  listing,
  Nothing,
  OptionalText,
  page,
  Search,
  Text,
} from '../base/wire.ts'
import {
  Completion,
  checkCredit,
  checkLines,
  LINE_READING,
  Transaction,
  TransactionDocument,
  TransactionLine,
  VoidTransaction,
} from '../warehouses/transactions.ts'

/**
 * `next`: where it may go by itself; receiving moves it the rest of the way. `editable`: nothing was promised yet.
 * `open`: something is still to arrive, and `receivable`: it may. `approval`: those who approve decide about it.
 */
export const PURCHASE_STATES = {
  pending: {
    label: 'Pendiente',
    tone: 'slate',
    next: ['approved', 'cancelled'],
    editable: true,
    open: true,
    receivable: false,
    approval: false,
    faded: false,
  },
  approved: {
    label: 'Aprobada',
    tone: 'info',
    next: ['cancelled'],
    editable: false,
    open: true,
    receivable: true,
    approval: true,
    faded: false,
  },
  partially_received: {
    label: 'Recibida parcial',
    tone: 'warning',
    next: ['closed'],
    editable: false,
    open: true,
    receivable: true,
    approval: true,
    faded: false,
  },
  received: {
    label: 'Recibida',
    tone: 'success',
    next: [],
    editable: false,
    open: false,
    receivable: false,
    approval: false,
    faded: false,
  },
  cancelled: {
    label: 'Anulada',
    tone: 'danger',
    next: [],
    editable: false,
    open: false,
    receivable: false,
    approval: false,
    faded: true,
  },
  closed: {
    label: 'Cerrada',
    tone: 'slate',
    next: [],
    editable: false,
    open: false,
    receivable: false,
    approval: false,
    faded: false,
  },
} as const
export type PurchaseStatus = keyof typeof PURCHASE_STATES
export const PURCHASE_STATUS_NAMES = Object.keys(PURCHASE_STATES) as [PurchaseStatus, ...PurchaseStatus[]]
/** Of which something is still to arrive. */
export const OPEN_PURCHASES = PURCHASE_STATUS_NAMES.filter((status) => PURCHASE_STATES[status].open)

export const LINE_PAGE_SIZES = [5, 10, 25, 50] as const
/** The status that takes a reason: what is outstanding will not come. */
export const CLOSED_SHORT = 'closed' satisfies PurchaseStatus
export const NO_REASON = 'Indique por qué no llegará el resto.'
export const NO_LINES = 'Es necesario ingresar al menos un insumo para poder guardar la orden de compra.'
export const CONFIRM_RECEIPT = 'Lo recibido difiere de lo pedido. Confirme para recibirlo así.'

export const PurchaseLine = z.object({
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
  received: z.number(),
  /** Still to arrive: nothing once the order was closed. */
  outstanding: z.number(),
  /** What an order that was closed will not bring. */
  not_coming: z.number(),
  /** When the provider said that it comes. */
  promised_on: z.string().nullable(),
})
export type PurchaseLine = z.infer<typeof PurchaseLine>

export const PurchaseOrder = z.object({
  id: Id,
  code: z.string(),
  warehouse_id: Id,
  warehouse_name: z.string(),
  workshop_id: Id,
  provider_id: Id,
  provider_name: z.string(),
  status: z.enum(PURCHASE_STATUS_NAMES),
  document: z.string().nullable(),
  createdAt: Instant,
  deliveryAt: z.string().nullable(),
  reference: z.string().nullable(),
  priority: z.enum(PRIORITY_NAMES),
  note: z.string().nullable(),
  supplies: z.array(PurchaseLine),
  subtotal: z.number(),
  tax: z.number(),
  total: z.number(),
  user_name: z.string().nullable(),
  approved_by: z.string().nullable(),
  closed_reason: z.string().nullable(),
  closed_by: z.string().nullable(),
  /** When it last went to the provider, and to whom. */
  sent_at: Instant.nullable(),
  sent_to: z.string().nullable(),
  sent_by: z.string().nullable(),
  /** What became of the mail that took it; null where it went another way. */
  mail_state: z.enum(MAIL_STATE_NAMES).nullable(),
  answered_on: z.string().nullable(),
  /** The first day that something is promised for that is still to arrive. */
  promised_on: z.string().nullable(),
  updated_at: Instant,
})
export type PurchaseOrder = z.infer<typeof PurchaseOrder>

const orderFields = {
  warehouse_id: Id,
  provider_id: Id,
  document: OptionalText(60),
  deliveryAt: Day.nullish().transform((day) => day ?? null),
  reference: OptionalText(120),
  priority: z
    .enum(PRIORITY_NAMES)
    .nullish()
    .transform((priority) => priority ?? 'medium'),
  note: OptionalText(1000),
  supplies: z
    .array(
      z
        .object({ supply_id: Id, quantity: Quantity, unit_cost: UnitCost, tax_type: TaxType.default('19') })
        .register(readings, LINE_READING),
      NO_LINES,
    )
    .min(1, NO_LINES)
    .max(500),
}
const lines = (what: { supplies: z.infer<z.ZodObject<typeof orderFields>>['supplies'] }, context: z.RefinementCtx) =>
  checkLines(what.supplies, (path, message) => context.addIssue({ code: 'custom', path, message }))
export const NewPurchaseOrder = z.object(orderFields).superRefine(lines)
export type NewPurchaseOrder = z.infer<typeof NewPurchaseOrder>
export const PurchaseOrderEdit = z.object({ ...orderFields, updated_at: Instant.optional() }).superRefine(lines)
export type PurchaseOrderEdit = z.infer<typeof PurchaseOrderEdit>

export const PurchaseList = listing(
  ['code', 'createdAt', 'deliveryAt', 'provider_name', 'document', 'priority', 'status', 'total'],
  {
    Search,
    WorkshopId: IdList,
    Warehouse: IdList,
    Provider: IdList,
    Status: ListOf(PURCHASE_STATUS_NAMES),
    BetweenDate,
  },
).extend({ warehouse: IdText.optional() })
export type PurchaseList = z.infer<typeof PurchaseList>

export const Receipt = z
  .object({
    transaction: TransactionDocument.omit({ typeTrasactionId: true, providerId: true }),
    supplies: z.array(TransactionLine).min(1, NO_LINES).max(500),
    /** More than ordered, or at another price, is received only once somebody said so. */
    confirmed: z.boolean().default(false),
  })
  .superRefine((what, context) => {
    const complain = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
    checkLines(what.supplies, complain)
    checkCredit(what.transaction, complain)
  })
export type Receipt = z.infer<typeof Receipt>

export const StatusChange = z
  .object({ status: z.enum(PURCHASE_STATUS_NAMES), reason: OptionalText(500) })
  .refine(({ status, reason }) => status !== CLOSED_SHORT || reason, { path: ['reason'], message: NO_REASON })
export type StatusChange = z.infer<typeof StatusChange>

/** By mail, with the PDF; or only written down, where it was sent another way. */
export const Sending = z
  .object({
    to: Text(200),
    mail: z.boolean().default(true),
    /** Whom the provider answers. */
    reply_to: OptionalText(200),
    message: OptionalText(1000),
    updated_at: Instant.optional(),
  })
  .refine(({ mail, to }) => !mail || z.email().safeParse(to).success, {
    path: ['to'],
    message: 'Escriba un correo válido.',
  })
export type Sending = z.infer<typeof Sending>

/** What the provider said. */
export const Answer = z.object({
  answered_on: Day.nullish().transform((day) => day ?? null),
  supplies: z
    .array(z.object({ supply_id: Id, promised_on: Day.nullish().transform((day) => day ?? null) }))
    .max(500)
    .default([]),
})
export type Answer = z.infer<typeof Answer>

export const ReorderLine = z.object({
  supply_id: Id,
  code: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  stock: z.number(),
  /** Of the stock, what is kept for orders; the suggestion counts the rest. */
  reserved: z.number(),
  minimum: z.number(),
  maximum: z.number().nullable(),
  /** Ordered and not yet received. */
  on_order: z.number(),
  /** On its way from another workshop. */
  incoming: z.number(),
  /** What orders wait for: of what is on order, that much is spoken for. */
  requested: z.number(),
  suggested: z.number(),
  unit_cost: z.number(),
})
export type ReorderLine = z.infer<typeof ReorderLine>
/** Grouped by whom each supply was last bought from. */
export const ReorderGroup = z.object({
  provider_id: Id.nullable(),
  provider_name: z.string().nullable(),
  supplies: z.array(ReorderLine),
  subtotal: z.number(),
})
export type ReorderGroup = z.infer<typeof ReorderGroup>

/** A supply that orders wait for, and who asked. */
export const RequestedSupply = z.object({
  supply_id: Id,
  code: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  requested: z.number(),
  on_order: z.number(),
  /** What nobody has ordered yet. */
  suggested: z.number(),
  unit_cost: z.number(),
  requests: z.array(
    z.object({
      /** What asks: the kind of thing, its id, and how people call it. */
      origin: z.string(),
      origin_id: Id,
      document: z.string(),
      missing: z.number(),
      user_name: z.string().nullable(),
      created_at: Instant,
    }),
  ),
})
export type RequestedSupply = z.infer<typeof RequestedSupply>
/** Grouped by whom each was last bought from: one purchase order serves several orders. */
export const RequestGroup = z.object({
  provider_id: Id.nullable(),
  provider_name: z.string().nullable(),
  supplies: z.array(RequestedSupply),
})
export type RequestGroup = z.infer<typeof RequestGroup>

/** What was bought from one provider, as far as the person sees it. */
export const ProviderPurchases = z.object({
  /** The day of the last entry or order; null where nothing was ever bought. */
  last_on: z.string().nullable(),
  /** The last twelve, oldest first, the present one included: entries that stand, with tax. */
  months: z.array(z.object({ month: z.string(), total: z.number(), entries: z.number() })),
  entries_count: z.number(),
  orders_count: z.number(),
  /** Pending, approved or received in part. */
  open_orders: z.number(),
  /** Receipts of what had a promised date, and how many of them came after it. */
  deliveries: z.number(),
  late_deliveries: z.number(),
  /** Over all of them; one that came in time counts as none. */
  average_days_late: z.number().nullable(),
  /** Lines that should have come and did not. */
  overdue_lines: z.number(),
})
export type ProviderPurchases = z.infer<typeof ProviderPurchases>

/** A supply of a purchase order three ways: what was asked for, what came, what was charged. Amounts are net. */
export const MatchedLine = z.object({
  supply_id: Id,
  code: z.string(),
  name: z.string(),
  ordered: z.number(),
  received: z.number(),
  /** Of what was received, what went back to the provider. */
  returned: z.number(),
  /** Of what was received, what came with an invoice. */
  invoiced: z.number(),
  /** Of one unit, as it was ordered; null where it was not. */
  unit_cost: z.number().nullable(),
  /** Of one unit, as it was charged. */
  invoiced_cost: z.number().nullable(),
  ordered_net: z.number(),
  received_net: z.number(),
  invoiced_net: z.number(),
  /** What was charged more than that much costs as it was ordered. */
  difference: z.number(),
})
export type MatchedLine = z.infer<typeof MatchedLine>
export const Matching = catalogue(MatchedLine).extend({
  totals: MatchedLine.pick({ ordered_net: true, received_net: true, invoiced_net: true, difference: true }),
})
export type Matching = z.infer<typeof Matching>

const read = 'warehouses.read' as const
const write = 'warehouses.write' as const

const Counted = z.object({ total: z.number() })

export const purchasing = {
  listPurchaseOrders: endpoint({
    method: 'GET',
    path: '/v1/order_purchase',
    title: 'Órdenes de compra',
    may: read,
    summary: 'Purchase orders',
    query: PurchaseList,
    reply: page(PurchaseOrder),
  }),
  createPurchaseOrder: endpoint({
    method: 'POST',
    path: '/v1/order_purchase',
    may: write,
    summary: 'Create a purchase order',
    body: NewPurchaseOrder,
    bodyLimit: LONG_BODY,
    reply: PurchaseOrder,
    status: 201,
  }),
  getPurchaseOrder: endpoint({
    method: 'GET',
    path: '/v1/order_purchase/:id',
    may: read,
    summary: 'One purchase order',
    params: ById,
    reply: PurchaseOrder,
  }),
  updatePurchaseOrder: endpoint({
    method: 'PUT',
    path: '/v1/order_purchase/:id',
    may: write,
    summary: 'Change a purchase order that is still pending',
    params: ById,
    body: PurchaseOrderEdit,
    bodyLimit: LONG_BODY,
    reply: PurchaseOrder,
  }),
  deletePurchaseOrder: endpoint({
    method: 'DELETE',
    path: '/v1/order_purchase/:id',
    may: write,
    summary: 'Delete a purchase order that is still pending',
    params: ById,
    reply: Nothing,
  }),
  updatePurchaseStatus: endpoint({
    method: 'PUT',
    path: '/v1/order-purchase-update-status/:id',
    may: write,
    summary:
      'Approve or cancel a purchase order, or close one that was received in part, with a reason; these, and cancelling what was approved, are for those who approve',
    params: ById,
    body: StatusChange,
    reply: PurchaseOrder,
  }),
  receivePurchaseOrder: endpoint({
    method: 'POST',
    path: '/v1/order_purchase/:id/receive',
    may: write,
    summary: 'Receive all or part of a purchase order: an entry, linked to it',
    params: ById,
    body: Receipt,
    bodyLimit: LONG_BODY,
    reply: z.object({ order: PurchaseOrder, transaction: Transaction }),
    status: 201,
  }),
  sendPurchaseOrder: endpoint({
    method: 'POST',
    path: '/v1/order_purchase/:id/send',
    may: write,
    summary: 'Send an approved purchase order to its provider by mail, with its PDF, or note that it was sent',
    params: ById,
    body: Sending,
    reply: PurchaseOrder,
  }),
  answerPurchaseOrder: endpoint({
    method: 'POST',
    path: '/v1/order_purchase/:id/answer',
    may: write,
    summary: 'What the provider answered: when, and for which day it promises each supply',
    params: ById,
    body: Answer,
    bodyLimit: LONG_BODY,
    reply: PurchaseOrder,
  }),
  listReceipts: endpoint({
    method: 'GET',
    path: '/v1/order_purchase/:id/receipts',
    may: read,
    summary: 'Entries by which a purchase order was received',
    params: ById,
    reply: catalogue(Transaction),
  }),
  matchPurchaseOrder: endpoint({
    method: 'GET',
    path: '/v1/order_purchase/:id/matching',
    may: read,
    summary: 'What was ordered, received and invoiced of a purchase order, and where they differ',
    params: ById,
    reply: Matching,
  }),
  purchaseOrderPdf: endpoint({
    method: 'GET',
    path: '/v1/order_purchase/:id/pdf',
    may: read,
    summary: 'The purchase order, to print or send',
    params: ById,
    reply: Download,
  }),
  purchaseOrderXlsx: endpoint({
    method: 'GET',
    path: '/v1/order_purchase/:id/xlsx',
    may: read,
    summary: 'The lines and totals of a purchase order as a spreadsheet',
    params: ById,
    reply: Download,
  }),
  purchaseOrderActivity: endpoint({
    method: 'GET',
    path: '/v1/order_purchase/:id/activity',
    may: read,
    summary: 'Who changed what on a purchase order',
    params: ById,
    query: listing(['at']),
    reply: ActivityPage,
  }),
  providerPurchases: endpoint({
    method: 'GET',
    path: '/v1/providers/:id/purchases',
    may: read,
    summary: 'What was bought from a provider: totals by month, how many documents, when last',
    params: ById,
    reply: ProviderPurchases,
  }),
  reorder: endpoint({
    method: 'GET',
    path: '/v1/reorder',
    may: read,
    summary: 'What is below its minimum in a warehouse, grouped by whom it was last bought from',
    query: z.object({ warehouse: IdText }),
    reply: catalogue(ReorderGroup),
  }),
  reorderCount: endpoint({
    method: 'GET',
    path: '/v1/reorder_count',
    may: read,
    summary: 'How many supplies are below their minimum in a warehouse',
    query: z.object({ warehouse: IdText }),
    reply: Counted,
  }),
  partsRequestsCount: endpoint({
    method: 'GET',
    path: '/v1/parts_requests_count',
    may: read,
    summary: 'How many supplies work orders wait for in a warehouse, of which nobody ordered enough',
    query: z.object({ warehouse: IdText }),
    reply: Counted,
  }),
  partsRequests: endpoint({
    method: 'GET',
    path: '/v1/parts_requests',
    may: read,
    summary: 'What work orders wait for in a warehouse, grouped by whom it was last bought from',
    query: z.object({ warehouse: IdText }),
    reply: catalogue(RequestGroup),
  }),
  completeTransaction: endpoint({
    method: 'POST',
    path: '/v1/transaction/:id/complete',
    may: write,
    summary: 'Add the document or the provider that a purchase on credit was saved without; its amounts stay',
    params: ById,
    body: Completion,
    reply: Transaction,
  }),
  voidTransaction: endpoint({
    method: 'POST',
    path: '/v1/transaction/:id/void',
    may: write,
    summary: 'Undo an entry or exit by opposite movements; a purchase order it received waits for it again',
    params: ById,
    body: VoidTransaction,
    reply: Transaction,
  }),
}
