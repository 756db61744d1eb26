import { z } from 'zod'
import { ActivityPage } from './activity.ts'
import { lineAmounts, TaxType } from './money.ts'
import { UnitCost } from './supplies.ts'
import {
  BetweenDate,
  ById,
  catalogue,
  choosing,
  Day,
  Download,
  endpoint,
  Id,
  IdList,
  IdText,
  Instant,
  ListOf,
  listing,
  Nothing,
  OptionalId,
  OptionalText,
  page,
  Search,
  Text,
} from './wire.ts'

export const NO_STOCK = 'No hay stock suficiente'
/** A transfer keeps its value, because the other warehouse has it. */
export const LATER_TRANSFER =
  'Un traspaso o una anulación posterior ya movió este stock a su costo: use una fecha posterior, o anúlelo primero.'
export const BAD_QUANTITY = 'La cantidad debe ser un número no negativo o mayor a 0'
export const ALREADY_LISTED = 'El insumo ya se encuentra en la lista'
export const NO_SUPPLIES = {
  entry: 'En necesario ingresar al menos un insumo para poder guardar la entrada.',
  exit: 'Es necesario ingresar al menos un insumo para poder guardar la salida.',
}
export const ATTACH_PER_PAGE = 5

const MAX_QUANTITY = 99_999_999.9999
export const Quantity = z
  .number(BAD_QUANTITY)
  .gt(0, BAD_QUANTITY)
  .max(MAX_QUANTITY, 'La cantidad es demasiado grande.')
  .refine((n) => Number(n.toFixed(4)) === n, 'La cantidad admite hasta 4 decimales.')
const QuantityOrZero = z
  .number('Debe ser un número.')
  .min(0, 'No puede ser negativo.')
  .max(MAX_QUANTITY, 'La cantidad es demasiado grande.')
  .refine((n) => Number(n.toFixed(4)) === n, 'La cantidad admite hasta 4 decimales.')

/* What stock does, as data. */

export const DIRECTIONS = {
  entry: { label: 'Entrada', title: 'Nueva entrada', tone: 'success' },
  exit: { label: 'Salida', title: 'Nueva salida', tone: 'orange' },
} as const
export type Direction = keyof typeof DIRECTIONS
const DIRECTION_NAMES = Object.keys(DIRECTIONS) as [Direction, ...Direction[]]

/** Why stock moves. Transfers and counts have calls of their own that write both sides. */
export const TRANSACTION_TYPES = [
  { id: 1, name: 'Compra', type: 'entry', key: 'purchase' },
  { id: 2, name: 'Devolución', type: 'entry', key: 'return' },
  { id: 3, name: 'Ajuste de inventario', type: 'entry', key: 'adjustment' },
  { id: 4, name: 'Traspaso', type: 'entry', key: 'transfer' },
  { id: 5, name: 'Consumo', type: 'exit', key: 'consumption' },
  { id: 6, name: 'Merma', type: 'exit', key: 'waste' },
  { id: 7, name: 'Devolución a proveedor', type: 'exit', key: 'provider_return' },
  { id: 8, name: 'Ajuste de inventario', type: 'exit', key: 'adjustment' },
  { id: 9, name: 'Traspaso', type: 'exit', key: 'transfer' },
] as const
export type TransactionKind = (typeof TRANSACTION_TYPES)[number]['key']
export const typeNamed = (type: Direction, key: TransactionKind) =>
  TRANSACTION_TYPES.find((t) => t.type === type && t.key === key)!.id
export const typeName = (id: number) => TRANSACTION_TYPES.find((t) => t.id === id)?.name ?? ''

export const INVOICE_TYPES = { invoice: { label: 'Boleta' }, bill: { label: 'Factura' } } as const
export type InvoiceType = keyof typeof INVOICE_TYPES
export const InvoiceType = z.enum(Object.keys(INVOICE_TYPES) as [InvoiceType, ...InvoiceType[]])
export const PAYMENT_TYPES = { Credit: { label: 'Crédito' }, Cash: { label: 'Contado' } } as const
export type PaymentType = keyof typeof PAYMENT_TYPES
export const PaymentType = z.enum(Object.keys(PAYMENT_TYPES) as [PaymentType, ...PaymentType[]])

export const TRANSACTION_STATES = {
  posted: { label: 'Vigente', tone: 'success' },
  voided: { label: 'Anulada', tone: 'danger' },
} as const
export type TransactionState = keyof typeof TRANSACTION_STATES
const TRANSACTION_STATE_NAMES = Object.keys(TRANSACTION_STATES) as [TransactionState, ...TransactionState[]]

/* Warehouses */

export const Warehouse = z.object({
  id: Id,
  workshop_id: Id,
  workshop_name: z.string(),
  code: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  direction: z.string().nullable(),
  /** Attached supplies, those below their minimum, and what everything on hand is worth. */
  supplies_count: z.number(),
  below_minimum: z.number(),
  value: z.number(),
  updated_at: Instant,
})
export type Warehouse = z.infer<typeof Warehouse>

const warehouseFields = {
  code: Text(40),
  name: Text(120),
  description: OptionalText(1000),
  direction: OptionalText(200),
  workshop_id: Id,
}
export const NewWarehouse = z.object(warehouseFields)
export type NewWarehouse = z.infer<typeof NewWarehouse>
export const WarehouseEdit = z.object({ ...warehouseFields, updated_at: Instant.optional() })
export type WarehouseEdit = z.infer<typeof WarehouseEdit>
export const WarehouseList = listing(['code', 'name', 'workshop_name', 'value', 'supplies_count', 'updated_at'], {
  Search,
  WorkshopId: IdList,
})
export type WarehouseList = z.infer<typeof WarehouseList>
export const WarehouseChoice = z.object({ id: Id, code: z.string(), name: z.string(), workshop_id: Id })
export type WarehouseChoice = z.infer<typeof WarehouseChoice>

/* Stock */

export const StockLine = z.object({
  /** The supply's, as in `supply_id`. */
  id: Id,
  supply_id: Id,
  code: z.string(),
  name: z.string(),
  category: z.string().nullable(),
  unit: z.string().nullable(),
  stock: z.number(),
  average_cost: z.number(),
  value: z.number(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
})
export type StockLine = z.infer<typeof StockLine>

export const STOCK_LEVELS = {
  below: { label: 'Bajo el mínimo', tone: 'danger' },
  empty: { label: 'Sin stock', tone: 'slate' },
  available: { label: 'Con stock', tone: 'success' },
} as const
export type StockLevel = keyof typeof STOCK_LEVELS
export const StockList = listing(
  ['code', 'name', 'category', 'unit', 'stock', 'average_cost', 'value', 'minimum', 'maximum'],
  {
    Search,
    Supply: IdList,
    Categories: IdList,
    Level: ListOf(Object.keys(STOCK_LEVELS) as [StockLevel, ...StockLevel[]]),
    /** Stock as it was at the end of that day. */
    At: Day.optional(),
  },
)
export type StockList = z.infer<typeof StockList>

const SupplyIds = z
  .array(z.union([Id, z.object({ id: Id }).transform(({ id }) => id)]))
  .max(10_000)
  .default([])
export const Attach = z
  .object({
    supplies: SupplyIds,
    selectedAll: z.boolean().default(false),
    /** Taken off the warehouse's list; refused for what has stock. */
    detached: SupplyIds,
  })
  .refine((what) => what.selectedAll || what.supplies.length + what.detached.length > 0, {
    path: ['supplies'],
    message: 'Elija al menos un insumo.',
  })
export type Attach = z.infer<typeof Attach>

export const StockLimits = z.object({
  levels: z
    .array(
      z
        .object({ supply_id: Id, minimum: QuantityOrZero.nullable(), maximum: QuantityOrZero.nullable() })
        .refine(({ minimum, maximum }) => minimum === null || maximum === null || minimum <= maximum, {
          path: ['maximum'],
          message: 'El máximo no puede ser menor que el mínimo.',
        }),
    )
    .min(1)
    .max(500),
})
export type StockLimits = z.infer<typeof StockLimits>

/** A supply as a warehouse's lists show it. */
export const WarehouseSupply = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  category: z.string().nullable(),
  unit: z.string().nullable(),
  cost: z.number(),
  workshop: z.string(),
  /** On the warehouse's list. */
  selected: z.boolean(),
  stock: z.number(),
  average_cost: z.number(),
})
export type WarehouseSupply = z.infer<typeof WarehouseSupply>
export const WarehouseSupplies = z.object({
  warehouseId: IdText.optional(),
  warehouse: IdText.optional(),
  search: Search,
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(500).default(ATTACH_PER_PAGE),
})
export type WarehouseSupplies = z.infer<typeof WarehouseSupplies>

export const VerifyStock = z.object({
  supply: IdText,
  warehouse: IdText,
  quantity: z.coerce.number(BAD_QUANTITY).gt(0, BAD_QUANTITY).max(MAX_QUANTITY),
})
export type VerifyStock = z.infer<typeof VerifyStock>

/* Transactions */

/** A day; where a client sends a moment, the day of it. */
const DayOf = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}[T ]/.test(value) ? value.slice(0, 10) : value || null),
  Day.nullable(),
)

const MAX_NET = 999_999_999_999
export const TransactionLine = z.object({
  supply_id: Id,
  quantity: Quantity,
  /** What leaves costs its average: only entries state it. */
  unit_cost: UnitCost.nullish(),
  tax_type: TaxType.default('19'),
})
export type TransactionLine = z.infer<typeof TransactionLine>

/** Duplicates, and amounts beyond what a document can hold. */
export function checkLines(
  lines: readonly { supply_id: number; quantity: number; unit_cost?: number | null | undefined; tax_type?: TaxType }[],
  complain: (path: (string | number)[], message: string) => void,
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

const documentFields = {
  typeTrasactionId: Id,
  typeInvoice: InvoiceType.nullish().transform((v) => v ?? null),
  document: OptionalText(60),
  /** The day it happened: today where none is given. */
  date: DayOf.optional(),
  date_delivery: DayOf.optional(),
  payment_type: PaymentType.nullish().transform((v) => v ?? null),
  reference: OptionalText(120),
  providerId: OptionalId,
  note: OptionalText(1000),
}
export const TransactionDocument = z.object(documentFields)
export type TransactionDocument = z.infer<typeof TransactionDocument>

export const NewTransaction = z
  .object({
    warehouse_id: Id,
    type: z.enum(DIRECTION_NAMES),
    transaction: TransactionDocument,
    supplies: z.array(TransactionLine).max(500).default([]),
  })
  .superRefine((what, context) => {
    const complain = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (what.supplies.length === 0) complain(['supplies'], NO_SUPPLIES[what.type])
    const type = TRANSACTION_TYPES.find(({ id }) => id === what.transaction.typeTrasactionId)
    if (type?.type !== what.type)
      complain(['transaction', 'typeTrasactionId'], 'Elija un tipo de movimiento de la lista.')
    else if (type.key === 'transfer')
      complain(['transaction', 'typeTrasactionId'], 'Un traspaso se hace entre dos bodegas: use Traspasar.')
    checkLines(what.supplies, complain)
    if (what.type === 'entry')
      what.supplies.forEach((line, i) => {
        if (typeof line.unit_cost !== 'number') complain(['supplies', i, 'unit_cost'], 'Ingrese el costo unitario.')
      })
  })
export type NewTransaction = z.infer<typeof NewTransaction>

const PostedLine = z.object({
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
    note: z.string().nullable(),
  }),
  provider_name: z.string().nullable(),
  supplies: z.array(PostedLine),
  subtotal: z.number(),
  tax: z.number(),
  total: z.number(),
  /** The other side of a transfer. */
  transfer: z.object({ transaction_id: Id, warehouse_id: Id, warehouse_name: z.string() }).nullable(),
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
  BetweenDate,
}).extend({ warehouse: IdText.optional(), type: z.enum(DIRECTION_NAMES).optional() })
export type TransactionList = z.infer<typeof TransactionList>

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
export const Transfer = z.object({ exit: Transaction, entry: Transaction })
export type Transfer = z.infer<typeof Transfer>

/* Movements */

const movementFields = {
  id: Id,
  at: Instant,
  type: z.enum(DIRECTION_NAMES),
  type_name: z.string(),
  document: z.string().nullable(),
  transaction_id: Id.nullable(),
  is_void: z.boolean(),
  quantity_in: z.number(),
  quantity_out: z.number(),
  unit_cost: z.number(),
  value: z.number(),
  balance: z.number(),
  average_cost: z.number(),
  balance_value: z.number(),
  user_name: z.string().nullable(),
}
export const KardexLine = z.object(movementFields)
export type KardexLine = z.infer<typeof KardexLine>
export const Kardex = listing(['at'], { BetweenDate }).extend({ warehouse: IdText, supply: IdText })
export type Kardex = z.infer<typeof Kardex>

export const Movement = z.object({ ...movementFields, supply_id: Id, code: z.string(), name: z.string() })
export type Movement = z.infer<typeof Movement>
export const MovementList = listing(['at', 'code', 'name', 'quantity', 'value'], {
  Search,
  Type: ListOf(DIRECTION_NAMES),
  TypeTransaction: IdList,
  Warehouse: IdList,
  BetweenDate,
}).extend({ warehouse: IdText.optional() })
export type MovementList = z.infer<typeof MovementList>

/* Counts */

export const COUNT_STATES = {
  open: { label: 'En curso', tone: 'info' },
  applied: { label: 'Ajustado', tone: 'success' },
  discarded: { label: 'Descartado', tone: 'slate' },
} as const
export type CountState = keyof typeof COUNT_STATES
const COUNT_STATE_NAMES = Object.keys(COUNT_STATES) as [CountState, ...CountState[]]

export const CountLine = z.object({
  supply_id: Id,
  code: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  /** What stock said when the line was counted; hidden while a blind count is open. */
  expected: z.number().nullable(),
  counted: z.number().nullable(),
  difference: z.number().nullable(),
})
export type CountLine = z.infer<typeof CountLine>
const countFields = {
  id: Id,
  warehouse_id: Id,
  state: z.enum(COUNT_STATE_NAMES),
  blind: z.boolean(),
  note: z.string().nullable(),
  user_name: z.string().nullable(),
  created_at: Instant,
  updated_at: Instant,
  lines_count: z.number(),
  counted_count: z.number(),
}
export const CountSummary = z.object(countFields)
export type CountSummary = z.infer<typeof CountSummary>
export const Count = z.object({ ...countFields, lines: z.array(CountLine) })
export type Count = z.infer<typeof Count>
export const NewCount = z.object({
  warehouse_id: Id,
  blind: z.boolean().default(false),
  note: OptionalText(500),
  /** None: everything attached. */
  supplies: SupplyIds,
})
export type NewCount = z.infer<typeof NewCount>
export const CountSheet = z.object({
  lines: z
    .array(z.object({ supply_id: Id, counted: QuantityOrZero.nullable() }))
    .min(1)
    .max(10_000),
})
export type CountSheet = z.infer<typeof CountSheet>

/* Closed months */

const Month = z.string().regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, 'El mes no es válido.')
export const ClosedMonths = z.object({ closed_through: Month.nullable() })
export type ClosedMonths = z.infer<typeof ClosedMonths>

const read = 'warehouses.read' as const
const write = 'warehouses.write' as const
const OfWarehouse = z.object({ warehouse: IdText })

export const warehouses = {
  listWarehouses: endpoint({
    method: 'GET',
    path: '/v1/warehouses',
    may: read,
    summary: 'Warehouses, page by page',
    query: WarehouseList,
    reply: page(Warehouse),
  }),
  createWarehouse: endpoint({
    method: 'POST',
    path: '/v1/warehouses',
    may: write,
    summary: 'Create a warehouse',
    body: NewWarehouse,
    reply: Warehouse,
    status: 201,
  }),
  getWarehouse: endpoint({
    method: 'GET',
    path: '/v1/warehouses/:id',
    may: read,
    summary: 'One warehouse',
    params: ById,
    reply: Warehouse,
  }),
  updateWarehouse: endpoint({
    method: 'PUT',
    path: '/v1/warehouses/:id',
    may: write,
    summary: 'Change a warehouse',
    params: ById,
    body: WarehouseEdit,
    reply: Warehouse,
  }),
  deleteWarehouse: endpoint({
    method: 'DELETE',
    path: '/v1/warehouses/:id',
    may: write,
    summary: 'Delete a warehouse that never had movements; any other answers 409',
    params: ById,
    reply: Nothing,
  }),
  warehouseActivity: endpoint({
    method: 'GET',
    path: '/v1/warehouses/:id/activity',
    may: read,
    summary: 'Who changed what on a warehouse',
    params: ById,
    query: listing(['at']),
    reply: ActivityPage,
  }),
  chooseWarehouses: endpoint({
    method: 'GET',
    path: '/v1/warehouses-by-workshop/:id',
    may: 'session',
    summary: 'Warehouses of a workshop, to choose from',
    params: ById,
    query: choosing({ Search }),
    reply: catalogue(WarehouseChoice),
  }),
  listStock: endpoint({
    method: 'GET',
    path: '/v1/stock/:warehouse',
    may: read,
    summary: 'Stock in one warehouse, now or at the end of a day',
    params: OfWarehouse,
    query: StockList,
    reply: page(StockLine),
  }),
  attachSupplies: endpoint({
    method: 'PUT',
    path: '/v1/stock/:warehouse',
    may: write,
    summary: 'Put supplies on the list of a warehouse, all of the workshop with selectedAll',
    params: OfWarehouse,
    body: Attach,
    reply: z.object({ attached: z.number(), detached: z.number() }),
  }),
  setLimits: endpoint({
    method: 'PUT',
    path: '/v1/stock/:warehouse/limits',
    may: write,
    summary: 'Minimum and maximum of supplies in a warehouse',
    params: OfWarehouse,
    body: StockLimits,
    reply: z.object({ changed: z.number() }),
  }),
  suppliesFromWarehouse: endpoint({
    method: 'GET',
    path: '/v1/supplie_from_warehouse',
    may: read,
    summary: "Supplies of a warehouse's workshop, each with whether it is on the warehouse's list",
    query: WarehouseSupplies,
    reply: page(WarehouseSupply),
  }),
  suppliesAttached: endpoint({
    method: 'GET',
    path: '/v1/supplies-attached',
    may: read,
    summary: 'Supplies on the list of a warehouse',
    query: WarehouseSupplies,
    reply: page(WarehouseSupply),
  }),
  suppliesInStock: endpoint({
    method: 'GET',
    path: '/v1/supplies-in-stock',
    may: read,
    summary: 'Supplies that a warehouse has',
    query: WarehouseSupplies,
    reply: page(WarehouseSupply),
  }),
  verifyStock: endpoint({
    method: 'GET',
    path: '/v1/verify-stock',
    may: read,
    summary: 'Whether a warehouse has that much of a supply; 422 where it has not',
    query: VerifyStock,
    reply: z.object({ stock: z.number() }),
  }),
  listTransactionTypes: endpoint({
    method: 'GET',
    path: '/v1/type-transaction',
    may: read,
    summary: 'Why stock comes and goes',
    query: z.object({ type: z.enum(DIRECTION_NAMES).optional() }),
    reply: catalogue(z.object({ id: Id, name: z.string(), type: z.enum(DIRECTION_NAMES), key: z.string() })),
  }),
  listTransactions: endpoint({
    method: 'GET',
    path: '/v1/transaction',
    may: read,
    summary: 'Entries and exits',
    query: TransactionList,
    reply: page(Transaction),
  }),
  getTransaction: endpoint({
    method: 'GET',
    path: '/v1/transaction/:id',
    may: read,
    summary: 'One entry or exit',
    params: ById,
    reply: Transaction,
  }),
  recordTransaction: endpoint({
    method: 'POST',
    path: '/v1/transaction',
    may: write,
    summary: 'Record an entry or an exit and move the stock',
    body: NewTransaction,
    reply: Transaction,
    status: 201,
  }),
  listRecosted: endpoint({
    method: 'GET',
    path: '/v1/transaction/:id/recosted',
    may: read,
    summary: 'Later movements whose cost changed because this document was dated before them',
    params: ById,
    query: listing(['at']),
    reply: page(Recosted),
  }),
  transfer: endpoint({
    method: 'POST',
    path: '/v1/transfer',
    may: write,
    summary: 'Move stock from one warehouse to another, both sides or neither',
    body: NewTransfer,
    reply: Transfer,
    status: 201,
  }),
  kardex: endpoint({
    method: 'GET',
    path: '/v1/kardex',
    may: read,
    summary: 'Every movement of a supply in a warehouse with its balance',
    query: Kardex,
    reply: page(KardexLine),
  }),
  downloadKardex: endpoint({
    method: 'GET',
    path: '/v1/kardex_download',
    may: read,
    summary: 'The kardex as a spreadsheet, oldest first',
    query: Kardex,
    reply: Download,
  }),
  listMovements: endpoint({
    method: 'GET',
    path: '/v1/movements',
    may: read,
    summary: 'Movements of a warehouse, newest first',
    query: MovementList,
    reply: page(Movement),
  }),
  labels: endpoint({
    method: 'GET',
    path: '/v1/stock/:warehouse/labels',
    may: read,
    summary: 'Shelf labels with code and QR',
    params: OfWarehouse,
    query: z.object({ supplies: IdList }),
    reply: Download,
  }),
  listCounts: endpoint({
    method: 'GET',
    path: '/v1/stock-count',
    may: read,
    summary: 'Physical counts of a warehouse, newest first',
    query: listing(['created_at'], { State: ListOf(COUNT_STATE_NAMES) }).extend({ warehouse: IdText }),
    reply: page(CountSummary),
  }),
  createCount: endpoint({
    method: 'POST',
    path: '/v1/stock-count',
    may: write,
    summary: 'Start a physical count',
    body: NewCount,
    reply: Count,
    status: 201,
  }),
  getCount: endpoint({
    method: 'GET',
    path: '/v1/stock-count/:id',
    may: read,
    summary: 'One count sheet',
    params: ById,
    reply: Count,
  }),
  saveCount: endpoint({
    method: 'PUT',
    path: '/v1/stock-count/:id',
    may: write,
    summary: 'Write down what was counted; each line remembers what stock said at that moment',
    params: ById,
    body: CountSheet,
    reply: Count,
  }),
  applyCount: endpoint({
    method: 'POST',
    path: '/v1/stock-count/:id/apply',
    may: write,
    summary: 'Adjust stock by the differences of a count',
    params: ById,
    reply: Count,
  }),
  discardCount: endpoint({
    method: 'DELETE',
    path: '/v1/stock-count/:id',
    may: write,
    summary: 'Give up a count without adjusting anything',
    params: ById,
    reply: Nothing,
  }),
  closedMonths: endpoint({
    method: 'GET',
    path: '/v1/closed-months',
    may: read,
    summary: 'The last month in which stock can no longer be changed',
    reply: ClosedMonths,
  }),
  closeMonths: endpoint({
    method: 'PUT',
    path: '/v1/closed-months',
    may: 'company.manage',
    summary: 'Close the months up to this one, or open them again',
    body: ClosedMonths,
    reply: ClosedMonths,
  }),
}
