import { z } from 'zod'
import { Quantity, QuantityOrZero } from '../base/money.ts'
import { BetweenDate, Day, Id, IdList, IdText, Instant, ListOf, listing, OptionalText, Search } from '../base/wire.ts'

export const NO_STOCK = 'No hay stock suficiente'
export const ATTACH_PER_PAGE = 5
/** On one PDF: more would keep the server from everyone else for too long. */
export const MAX_LABELS = 300

/* What stock does, as data. */

export const DIRECTIONS = {
  entry: { label: 'Entrada', title: 'Nueva entrada', tone: 'success' },
  exit: { label: 'Salida', title: 'Nueva salida', tone: 'orange' },
} as const
export type Direction = keyof typeof DIRECTIONS
export const DIRECTION_NAMES = Object.keys(DIRECTIONS) as [Direction, ...Direction[]]

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
/** Moves value and no quantity. Nobody writes one by hand: it settles what a cost turned out to be. */
export const COST_ADJUSTMENT = { id: 10, name: 'Ajuste de costo' } as const
/** Papers of a provider that say another price than its entry did: `sign` is what they do to it. They move value only. */
export const PRICE_NOTES = {
  credit: { id: 11, name: 'Nota de crédito', type: 'exit', sign: -1 },
  debit: { id: 12, name: 'Nota de débito', type: 'entry', sign: 1 },
} as const
export type PriceNoteKind = keyof typeof PRICE_NOTES
export const PRICE_NOTE_IDS: readonly number[] = Object.values(PRICE_NOTES).map(({ id }) => id)
export const typeName = (id: number) =>
  [...TRANSACTION_TYPES, COST_ADJUSTMENT, ...Object.values(PRICE_NOTES)].find((t) => t.id === id)?.name ?? ''

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
  /** Of the stock, what is kept for orders; the rest is available. On a past day, all is. */
  reserved: z.number(),
  available: z.number(),
  average_cost: z.number(),
  value: z.number(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
  /** On its way to another workshop, and from another workshop to here. */
  sent: z.number(),
  incoming: z.number(),
})
export type StockLine = z.infer<typeof StockLine>

export const STOCK_LEVELS = {
  below: { label: 'Bajo el mínimo', tone: 'danger' },
  empty: { label: 'Sin stock', tone: 'slate' },
  available: { label: 'Con stock', tone: 'success' },
} as const
export type StockLevel = keyof typeof STOCK_LEVELS
export const StockList = listing(
  ['code', 'name', 'category', 'unit', 'stock', 'reserved', 'available', 'average_cost', 'value', 'minimum', 'maximum'],
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
  /** Less what is kept for orders. */
  available: z.number(),
  average_cost: z.number(),
})
export type WarehouseSupply = z.infer<typeof WarehouseSupply>
export const WarehouseSupplies = z.object({
  warehouseId: IdText.optional(),
  warehouse: IdText.optional(),
  search: Search,
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(500).default(ATTACH_PER_PAGE),
  count: z.enum(['exact', 'bounded']).optional(),
})
export type WarehouseSupplies = z.infer<typeof WarehouseSupplies>

/** Those named, or all of the warehouse that match. */
export const Labels = z.object({
  supplies: IdList,
  all: z.stringbool().or(z.boolean()).default(false),
  search: Search,
})
export type Labels = z.infer<typeof Labels>

export const VerifyStock = z.object({
  supply: IdText,
  warehouse: IdText,
  quantity: z.preprocess((text) => (text === '' ? undefined : Number(text)), Quantity),
})
export type VerifyStock = z.infer<typeof VerifyStock>

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

/* One supply, wherever it is */

export const SupplyStock = z.object({
  warehouse_id: Id,
  warehouse_code: z.string(),
  warehouse_name: z.string(),
  workshop_id: Id,
  stock: z.number(),
  reserved: z.number(),
  available: z.number(),
  average_cost: z.number(),
  value: z.number(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
  /** On its way to another workshop, and from another workshop to here. */
  sent: z.number(),
  incoming: z.number(),
  /** Of the latest movement. */
  last_at: Instant.nullable(),
})
export type SupplyStock = z.infer<typeof SupplyStock>

/** What a warehouse has of a supply, in few words. */
export const StockOfSupply = SupplyStock.pick({
  warehouse_id: true,
  warehouse_name: true,
  stock: true,
  available: true,
  minimum: true,
}).extend({ supply_id: Id })
export type StockOfSupply = z.infer<typeof StockOfSupply>

/** What a document took of a supply, less what it gave back; what was voided took nothing. */
export const SupplyUse = z.object({
  /** Of its first movement. */
  id: Id,
  at: Instant,
  type_name: z.string(),
  /** What people call it: its document, or the number of the exit. */
  document: z.string(),
  /** An exit of a warehouse, or what else used it: the kind of thing and its id. */
  transaction_id: Id.nullable(),
  origin: z.string().nullable(),
  origin_id: Id.nullable(),
  warehouse_id: Id,
  warehouse_name: z.string(),
  quantity: z.number(),
  value: z.number(),
  user_name: z.string().nullable(),
})
export type SupplyUse = z.infer<typeof SupplyUse>

/* Counts */

export const COUNT_STATES = {
  open: { label: 'En curso', tone: 'info', closed: false },
  applied: { label: 'Ajustado', tone: 'success', closed: true },
  discarded: { label: 'Descartado', tone: 'slate', closed: true },
} as const
export type CountState = keyof typeof COUNT_STATES
export const COUNT_STATE_NAMES = Object.keys(COUNT_STATES) as [CountState, ...CountState[]]

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
