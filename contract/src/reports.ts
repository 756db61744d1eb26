import { z } from 'zod'
import type { Permission } from './permissions.ts'
import { BetweenYear, Period } from './report-periods.ts'
import {
  BetweenDate,
  choosing,
  Download,
  endpoint,
  Id,
  IdList,
  IdText,
  Instant,
  ListOf,
  listing,
  page,
} from './wire.ts'
import { WORK_ORDER_STATUS_NAMES, WorkOrderList } from './work-orders.ts'

const read = 'reports.read' as const
const warehouse = 'reports.warehouse' as const

/** Every report: what it is called, what it counts, and who may see it. Menu, screens, files and tests read this. */
export const REPORTS = {
  'expenses-by-truck': {
    title: 'Gastos por equipo',
    short: 'Por equipo',
    about: 'Insumos y servicios de las órdenes de trabajo, por equipo y por centro de costo.',
    may: read,
  },
  'expenses-by-suppliers': {
    title: 'Gastos por proveedor',
    short: 'Por proveedor',
    about: 'Servicios en órdenes de trabajo; las compras que entraron a bodega van en columnas aparte.',
    may: read,
  },
  'historical-expenses': {
    title: 'Gastos históricos',
    short: 'Históricos',
    about: 'Insumos y servicios de cada orden de trabajo con gastos en el período.',
    may: read,
  },
  'expenses-by-category': {
    title: 'Gastos por categoría',
    short: 'Por categoría',
    about:
      'Insumos usados en órdenes de trabajo, según la categoría del insumo. Los servicios no tienen categoría y van aparte.',
    may: warehouse,
  },
  'expenses-by-month': {
    title: 'Gastos por mes',
    short: 'Por mes',
    about: 'Insumos por categoría y servicios, mes a mes, de los años elegidos.',
    may: read,
  },
  'equipment-availability': {
    title: 'Disponibilidad de equipos',
    short: 'Disponibilidad',
    about:
      'Horas que cada equipo no estuvo en taller. Órdenes que se cruzan cuentan una vez; las que siguen abiertas, hasta ahora.',
    may: read,
  },
  'cost-supplies-by-truck': {
    title: 'Costo de insumos por equipo',
    short: 'Insumos por equipo',
    about: 'Cantidad y costo de cada insumo usado en las órdenes de trabajo de cada equipo.',
    may: warehouse,
  },
} as const satisfies Record<string, { title: string; short: string; about: string; may: Permission }>
export type ReportName = keyof typeof REPORTS
export const REPORT_NAMES = Object.keys(REPORTS) as [ReportName, ...ReportName[]]

/** The day an expense belongs to, under every report of expenses. */
export const EXPENSE_DAY =
  'Cada gasto va en el día en que se registró; un servicio con factura, en la fecha de la factura.'

/* What is asked */

const filters = { BetweenDate, WorkshopId: IdList, Truck: IdList }
export const ReportQuery = choosing(filters)
export type ReportQuery = z.infer<typeof ReportQuery>
export type ReportFilter = ReportQuery['filter']
export const MonthsQuery = choosing({ BetweenYear, WorkshopId: IdList, Truck: IdList })
export type MonthsQuery = z.infer<typeof MonthsQuery>

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

/* What is answered */

const period = { range: Period, before: Period }
const costs = {
  supplies_cost: z.number(),
  services_cost: z.number(),
  total_cost: z.number(),
}
/** With what the same was in the period before. */
const compared = { ...costs, before_cost: z.number() }
const driven = { kilometers: z.number(), cost_per_km: z.number().nullable() }

const TruckName = { truck_id: Id, truck_code: z.string(), patent: z.string() }

export const TruckExpenses = z.object({
  ...TruckName,
  cost_center_id: Id.nullable(),
  cost_center: z.string().nullable(),
  orders: z.number(),
  ...compared,
  ...driven,
})
export type TruckExpenses = z.infer<typeof TruckExpenses>
export const CostCenterExpenses = z.object({
  cost_center_id: Id.nullable(),
  cost_center: z.string().nullable(),
  trucks: z.number(),
  orders: z.number(),
  ...compared,
  ...driven,
})
export type CostCenterExpenses = z.infer<typeof CostCenterExpenses>

const provided = {
  services_cost: z.number(),
  services: z.number(),
  before_cost: z.number(),
  /** Without and with IVA. */
  purchases_net: z.number(),
  purchases_total: z.number(),
  purchases_before: z.number(),
  entries: z.number(),
}
export const ProviderExpenses = z.object({ provider_id: Id.nullable(), provider: z.string().nullable(), ...provided })
export type ProviderExpenses = z.infer<typeof ProviderExpenses>

export const OrderExpenses = z.object({
  work_order_id: Id,
  code: z.string(),
  ...TruckName,
  type_maintenance: z.string().nullable(),
  status: z.enum(WORK_ORDER_STATUS_NAMES),
  created_at: Instant,
  workshop_name: z.string(),
  ...costs,
})
export type OrderExpenses = z.infer<typeof OrderExpenses>
const MonthExpenses = z.object({ month: z.string(), ...costs })

export const CategoryExpenses = z.object({
  category_id: Id.nullable(),
  category: z.string().nullable(),
  lines: z.number(),
  amount: z.number(),
  before: z.number(),
})
export type CategoryExpenses = z.infer<typeof CategoryExpenses>

export const MonthsOfCategory = z.object({
  kind: z.enum(['supply', 'service']),
  category_id: Id.nullable(),
  category: z.string().nullable(),
  /** One for each of `months`. */
  amounts: z.array(z.number()),
  total: z.number(),
})
export type MonthsOfCategory = z.infer<typeof MonthsOfCategory>

const stopped = {
  /** Of the period, up to now. */
  hours: z.number(),
  hours_stopped: z.number(),
  hours_planned: z.number(),
  /** Where a planned and an unplanned stop cross, it is unplanned. */
  hours_unplanned: z.number(),
  /** From 0 to 1; null while none of the period has passed. */
  availability: z.number().nullable(),
  stops: z.number(),
  unplanned_stops: z.number(),
  /** Hours stopped per stop. */
  mttr: z.number().nullable(),
  /** Hours working per unplanned stop. */
  mtbf: z.number().nullable(),
}
/** What the availability of the period before was, and what it is worked out from. */
const stoppedBefore = { before: z.number().nullable(), before_hours: z.number(), before_stopped: z.number() }
export const Availability = z.object({ ...TruckName, ...stopped, ...stoppedBefore })
export type Availability = z.infer<typeof Availability>

export const SuppliesOfTruck = z.object({
  ...TruckName,
  supply_id: Id,
  code: z.string(),
  name: z.string(),
  category: z.string().nullable(),
  unit: z.string().nullable(),
  count: z.number(),
  amount: z.number(),
})
export type SuppliesOfTruck = z.infer<typeof SuppliesOfTruck>

export const EXPENSE_KINDS = { supply: { label: 'Insumo' }, service: { label: 'Servicio' } } as const
/** One line of an order: what a figure is made of. */
export const ExpenseRow = z.object({
  kind: z.enum(['supply', 'service']),
  id: Id,
  work_order_id: Id,
  order_code: z.string(),
  ...TruckName,
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
  ...filters,
  Kind: ListOf(['supply', 'service']),
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
export const EntryRows = listing(['date', 'total'], { ...filters, Provider: IdsOrNone })
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
export const StopRows = listing(['from', 'hours'], { ...filters, Planned: ListOf(['true', 'false']) })
export type StopRows = z.infer<typeof StopRows>

/** An order with expenses in the period. */
export const OrderRow = z.object({
  work_order_id: Id,
  code: z.string(),
  ...TruckName,
  status: z.enum(WORK_ORDER_STATUS_NAMES),
  request: z.string().nullable(),
  created_at: Instant,
  amount: z.number(),
})
export type OrderRow = z.infer<typeof OrderRow>
export const OrderRows = listing(['code', 'amount'], { ...filters, CostCenter: IdsOrNone })
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
export const KilometerRows = listing(['truck_code', 'kilometers'], { ...filters, CostCenter: IdsOrNone })
export type KilometerRows = z.infer<typeof KilometerRows>

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
  minimum: z.number(),
})
export type LowStockRow = z.infer<typeof LowStockRow>
export const LowStockRows = listing(['name', 'warehouse'], { WorkshopId: IdList })
export type LowStockRows = z.infer<typeof LowStockRows>

export const ReportSummary = z.object({
  ...period,
  /** Null for who sees the warehouse's reports only. */
  expenses: z
    .object({ total: z.number(), before: z.number(), days: z.array(z.number()), days_before: z.array(z.number()) })
    .nullable(),
  trucks: z.object({ active: z.number(), stopped: z.number() }).nullable(),
  stopped: z.array(
    z.object({
      ...TruckName,
      work_order_id: Id,
      code: z.string(),
      request: z.string().nullable(),
      planned: z.boolean(),
      since: Instant,
    }),
  ),
  /** Maintenance that should have been done by now. */
  overdue_alerts: z.number().nullable(),
  /** Supplies of a warehouse under their minimum. */
  below_minimum: z.number(),
  /** Open ones, and those finalized in the month. */
  orders: z.record(z.enum(WORK_ORDER_STATUS_NAMES), z.number()).nullable(),
})
export type ReportSummary = z.infer<typeof ReportSummary>

const listed = <T extends z.ZodType>(item: T) => ({ data: z.array(item), total: z.number() })
const report = { method: 'GET' as const, query: ReportQuery }
const file = { method: 'GET' as const, query: ReportQuery, reply: Download }

export const HistoricalQuery = listing(
  ['code', 'patent', 'created_at', 'supplies_cost', 'services_cost', 'total_cost'],
  filters,
  50,
)
export type HistoricalQuery = z.infer<typeof HistoricalQuery>
export const SuppliesByTruckQuery = listing(['truck_code', 'code', 'name', 'count', 'amount'], filters, 50)
export type SuppliesByTruckQuery = z.infer<typeof SuppliesByTruckQuery>
export const EntriesQuery = choosing({ ...filters, Warehouse: IdList })
export type EntriesQuery = z.infer<typeof EntriesQuery>

export const reports = {
  summary: endpoint({
    method: 'GET',
    path: '/v1/report_summary',
    may: warehouse,
    summary: 'What an owner looks at each morning',
    query: choosing({ WorkshopId: IdList }),
    reply: ReportSummary,
  }),
  expensesByTruck: endpoint({
    ...report,
    path: '/v1/expenses_by_truck',
    may: read,
    summary:
      'Supplies and services of work orders per truck and per cost centre, with kilometres and cost per kilometre',
    reply: z.object({
      ...listed(TruckExpenses),
      cost_centers: z.array(CostCenterExpenses),
      totals: z.object({ ...compared, ...driven, orders: z.number() }),
      ...period,
    }),
  }),
  expensesByProvider: endpoint({
    ...report,
    path: '/v1/expenses-by-provider',
    may: read,
    summary: 'Services of work orders per provider; purchase entries beside them',
    reply: z.object({ ...listed(ProviderExpenses), totals: z.object(provided), ...period }),
  }),
  historicalExpenses: endpoint({
    method: 'GET',
    path: '/v1/historical_expenses',
    may: read,
    summary: 'Work orders with expenses in the period, and the same per month',
    query: HistoricalQuery,
    reply: page(OrderExpenses).extend({ months: z.array(MonthExpenses), totals: z.object(compared), ...period }),
  }),
  expensesByCategory: endpoint({
    ...report,
    path: '/v1/expenses_by_category_supply',
    may: warehouse,
    summary: 'Supplies of work orders per category of supply; services beside them',
    reply: z.object({
      ...listed(CategoryExpenses),
      totals: z.object({ ...compared, supplies_before: z.number(), services_before: z.number(), lines: z.number() }),
      ...period,
    }),
  }),
  expensesByMonth: endpoint({
    method: 'GET',
    path: '/v1/expenses_by_category_month',
    may: read,
    summary: 'Category by month, for the chosen years; services are a row of their own',
    query: MonthsQuery,
    reply: z.object({
      ...listed(MonthsOfCategory),
      months: z.array(z.string()),
      totals: z.object({ amounts: z.array(z.number()), total: z.number() }),
      /** The same months of as many years before. */
      before: z.object({ amounts: z.array(z.number()), total: z.number(), from: z.number(), to: z.number() }),
    }),
  }),
  availability: endpoint({
    ...report,
    path: '/v1/equipment_availability',
    may: read,
    summary: 'Hours of each truck in the workshop and out of it, planned and unplanned, with MTTR and MTBF',
    reply: z.object({
      ...listed(Availability),
      totals: z.object({ ...stopped, ...stoppedBefore }),
      ...period,
    }),
  }),
  chartSuppliesByTruck: endpoint({
    ...report,
    path: '/v1/chart_cost_supplies_by_truck',
    may: warehouse,
    summary: 'What the supplies of each truck cost',
    reply: z.object({
      ...listed(z.object({ ...TruckName, count: z.number(), amount: z.number(), before: z.number() })),
      totals: z.object({ count: z.number(), amount: z.number(), before: z.number() }),
      ...period,
    }),
  }),
  listSuppliesByTruck: endpoint({
    method: 'GET',
    path: '/v1/list_cost_supplies_by_truck',
    may: warehouse,
    summary: 'Quantity and cost per truck and supply',
    query: SuppliesByTruckQuery,
    reply: page(SuppliesOfTruck).extend({ totals: z.object({ count: z.number(), amount: z.number() }), ...period }),
  }),
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
  lowStockRows: endpoint({
    method: 'GET',
    path: '/v1/report_low_stock',
    may: warehouse,
    summary: 'Supplies under their minimum, warehouse by warehouse',
    query: LowStockRows,
    reply: page(LowStockRow),
  }),

  downloadSummaryMaintenance: endpoint({
    ...file,
    path: '/v1/download_summary_maintenance',
    may: read,
    summary: 'Work orders with expenses in the period, as xlsx',
  }),
  downloadHistory: endpoint({
    method: 'GET',
    path: '/v1/history_order_workers_download',
    may: read,
    summary: 'The history of work orders with its filters, as xlsx',
    query: z.object({ filter: WorkOrderList.shape.filter }),
    reply: Download,
  }),
  downloadSuppliesByTruck: endpoint({
    ...file,
    path: '/v1/download_summary_truck_with_supplies_maintenance',
    may: warehouse,
    summary: 'Quantity and cost per truck and supply, as xlsx',
  }),
  downloadByTruck: endpoint({
    ...file,
    path: '/v1/download_expenses_by_truck',
    may: read,
    summary: 'Expenses by truck, as xlsx',
  }),
  downloadByProvider: endpoint({
    ...file,
    path: '/v1/download_expenses_by_provider',
    may: read,
    summary: 'Expenses by provider, as xlsx',
  }),
  downloadByCategory: endpoint({
    ...file,
    path: '/v1/download_expences_by_supply_category',
    may: warehouse,
    summary: 'Expenses by category of supply, as xlsx',
  }),
  downloadAvailability: endpoint({
    ...file,
    path: '/v1/download_equipment_availability',
    may: read,
    summary: 'Availability of trucks, as xlsx',
  }),
  downloadByMonth: endpoint({
    ...file,
    query: MonthsQuery,
    path: '/v1/download_expences_by_month',
    may: read,
    summary: 'Expenses by category and month, as xlsx',
  }),
  downloadEntries: endpoint({
    ...file,
    query: EntriesQuery,
    path: '/v1/download_entries',
    may: warehouse,
    summary: 'The lines of what entered the warehouses, as xlsx',
  }),
}
