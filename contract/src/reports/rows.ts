import { z } from 'zod'
import { endpoint, Id, IdList, IdText, Instant, ListOf, listing, page } from '../base/wire.ts'
import { WORK_ORDER_STATUS_NAMES } from '../work-orders/states.ts'
import { Period } from './periods.ts'
import { reportFilters, TruckHome, TruckName } from './reports.ts'

/* What a figure of a report is made of, row by row, asked for with the filters that gave the figure. */

const read = 'reports.read' as const
const warehouse = 'reports.warehouse' as const

/**
 * With one truck named: all of it, wherever it was spent, for those who see it because the company shares its trucks. As
 * its page counts.
 */
const Anywhere = z.enum(['true']).optional()

/** Ids, or `none` for what has none. */
const IdsOrNone = z.preprocess(
  (value) =>
    value === undefined || value === '' ? undefined : Array.isArray(value) ? value : String(value).split(','),
  z
    .array(z.union([z.literal('none'), IdText]))
    .max(500)
    .optional(),
)
export type IdsOrNone = z.infer<typeof IdsOrNone>

export const EXPENSE_KINDS = {
  supply: { label: 'Insumo' },
  adjustment: { label: 'Ajuste de costo' },
  service: { label: 'Servicio' },
  invoice: { label: 'Según factura' },
  labour: { label: 'Mano de obra' },
} as const
/** One line of an order: what a figure is made of. */
export const ExpenseRow = z.object({
  kind: z.enum(['supply', 'adjustment', 'service', 'invoice', 'labour']),
  id: Id,
  work_order_id: Id,
  order_code: z.string(),
  ...TruckName,
  ...TruckHome,
  day: z.string(),
  code: z.string(),
  name: z.string(),
  category: z.string().nullable(),
  provider: z.string().nullable(),
  count: z.number(),
  amount: z.number(),
})
export type ExpenseRow = z.infer<typeof ExpenseRow>
export const ExpenseRows = listing(['day', 'amount'], {
  ...reportFilters,
  Anywhere,
  /** Labour comes only where it is asked for; its `count` is hours. */
  Kind: ListOf(['supply', 'service', 'labour']),
  Order: IdList,
  Supply: IdList,
  Category: IdsOrNone,
  CostCenter: IdsOrNone,
  Provider: IdList,
})
export type ExpenseRows = z.infer<typeof ExpenseRows>

export const EntryRow = z.object({
  id: Id,
  date: z.string(),
  document: z.string().nullable(),
  warehouse_id: Id,
  warehouse: z.string(),
  provider_id: Id.nullable(),
  provider: z.string().nullable(),
  subtotal: z.number(),
  tax: z.number(),
  total: z.number(),
})
export type EntryRow = z.infer<typeof EntryRow>
export const EntryRows = listing(['date', 'total'], { ...reportFilters, Provider: IdsOrNone })
export type EntryRows = z.infer<typeof EntryRows>

/** A stay in the workshop, and how much of it is in the period. */
export const StopRow = z.object({
  work_order_id: Id,
  code: z.string(),
  ...TruckName,
  planned: z.boolean(),
  request: z.string().nullable(),
  workshop_entry_at: Instant,
  workshop_departure_at: Instant.nullable(),
  from: Instant,
  to: Instant,
  hours: z.number(),
  /**
   * Of those hours, the ones that no earlier stay of the truck has counted; of planned stays alone, without what an
   * unplanned one counts. These add up to what the report says.
   */
  counted: z.number(),
  /** The truck was not in the workshop already: it begins a stop. */
  begins: z.boolean(),
})
export type StopRow = z.infer<typeof StopRow>
export const StopRows = listing(['from', 'hours'], { ...reportFilters, Anywhere, Planned: ListOf(['true', 'false']) })
export type StopRows = z.infer<typeof StopRows>

/** An order with expenses in the period. */
export const OrderRow = z.object({
  work_order_id: Id,
  code: z.string(),
  ...TruckName,
  ...TruckHome,
  status: z.enum(WORK_ORDER_STATUS_NAMES),
  request: z.string().nullable(),
  created_at: Instant,
  amount: z.number(),
  /** Beside the amount; null where it does not count. */
  labour: z.number().nullable(),
})
export type OrderRow = z.infer<typeof OrderRow>
export const OrderRows = listing(['code', 'amount'], { ...reportFilters, Anywhere, CostCenter: IdsOrNone })
export type OrderRows = z.infer<typeof OrderRows>

/** What the meter of a truck showed when the period began, or first after that, and what it showed at the end. */
export const KilometerRow = z.object({
  ...TruckName,
  from_at: Instant,
  from_km: z.number(),
  to_at: Instant,
  to_km: z.number(),
  kilometers: z.number(),
})
export type KilometerRow = z.infer<typeof KilometerRow>
export const KilometerRows = listing(['truck_code', 'kilometers'], {
  ...reportFilters,
  Anywhere,
  CostCenter: IdsOrNone,
})
export type KilometerRows = z.infer<typeof KilometerRows>

/** Somebody's time on a work. */
export const TimeRow = z.object({
  id: Id,
  work_order_id: Id,
  code: z.string(),
  ...TruckName,
  specialist_id: Id,
  specialist: z.string(),
  day: z.string(),
  work: z.string(),
  /** Null for hours that were typed. */
  from_at: Instant.nullable(),
  until_at: Instant.nullable(),
  hours: z.number(),
})
export type TimeRow = z.infer<typeof TimeRow>
export const TimeRows = listing(['day', 'hours'], {
  ...reportFilters,
  Specialist: IdList,
  /** Clocked or typed. */
  Clocked: ListOf(['true', 'false']),
})
export type TimeRows = z.infer<typeof TimeRows>

/** A supply of a warehouse, under its minimum. */
export const LowStockRow = z.object({
  warehouse_id: Id,
  warehouse: z.string(),
  workshop_name: z.string(),
  supply_id: Id,
  code: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  stock: z.number(),
  /** What of it is not kept for orders: that is what is too little. */
  available: z.number(),
  minimum: z.number(),
})
export type LowStockRow = z.infer<typeof LowStockRow>
export const LowStockRows = listing(['name', 'warehouse'], { WorkshopId: IdList })
export type LowStockRows = z.infer<typeof LowStockRows>

export const reportRows = {
  expenseRows: endpoint({
    method: 'GET',
    path: '/v1/report_rows',
    may: warehouse,
    summary: 'The lines of orders behind a figure, and their sum',
    query: ExpenseRows,
    reply: page(ExpenseRow).extend({ totals: z.object({ count: z.number(), amount: z.number() }), range: Period }),
  }),
  entryRows: endpoint({
    method: 'GET',
    path: '/v1/report_entries',
    may: warehouse,
    summary: 'The purchase entries behind a figure, and their sum',
    query: EntryRows,
    reply: page(EntryRow).extend({ totals: z.object({ subtotal: z.number(), total: z.number() }), range: Period }),
  }),
  stopRows: endpoint({
    method: 'GET',
    path: '/v1/report_stops',
    may: read,
    summary: 'The stays in the workshop behind the availability of trucks',
    query: StopRows,
    reply: page(StopRow).extend({ totals: z.object({ hours: z.number(), stops: z.number() }), range: Period }),
  }),
  orderRows: endpoint({
    method: 'GET',
    path: '/v1/report_orders',
    may: read,
    summary: 'The work orders behind a count of them, and what they spent',
    query: OrderRows,
    reply: page(OrderRow).extend({ totals: z.object({ amount: z.number() }), range: Period }),
  }),
  kilometerRows: endpoint({
    method: 'GET',
    path: '/v1/report_kilometers',
    may: read,
    summary: 'The readings of the meter behind the kilometres of trucks, and their sum',
    query: KilometerRows,
    reply: page(KilometerRow).extend({ totals: z.object({ kilometers: z.number() }), range: Period }),
  }),
  timeRows: endpoint({
    method: 'GET',
    path: '/v1/report_times',
    may: read,
    summary: 'The times behind hours of work, and their sum',
    query: TimeRows,
    reply: page(TimeRow).extend({ totals: z.object({ hours: z.number(), works: z.number() }), range: Period }),
  }),
  lowStockRows: endpoint({
    method: 'GET',
    path: '/v1/report_low_stock',
    may: warehouse,
    summary: 'Supplies under their minimum, warehouse by warehouse',
    query: LowStockRows,
    reply: page(LowStockRow),
  }),
}
