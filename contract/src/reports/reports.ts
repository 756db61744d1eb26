import { z } from 'zod'
import { SeenCost } from '../base/money.ts'
import type { Permission } from '../base/permissions.ts'
import {
  BetweenDate,
  ById,
  choosing,
  Download,
  endpoint,
  Id,
  IdList,
  Instant,
  listing,
  page,
  SentByReports,
} from '../base/wire.ts'
import { WorkOrderList } from '../work-orders/orders.ts'
import { WORK_ORDER_STATUS_NAMES } from '../work-orders/states.ts'
import { BetweenYear, Period } from './periods.ts'

const read = 'reports.read' as const
const warehouse = 'reports.warehouse' as const

/** Every report: what it is called, what it counts, and who may see it. Menu, screens, files and tests read this. */
export const REPORTS = {
  'expenses-by-truck': {
    title: 'Gastos por equipo',
    short: 'Por equipo',
    about:
      'Insumos y servicios de las órdenes de trabajo, por equipo y por centro de costo. Los kilómetros cuentan en el taller que el equipo tenía ese día.',
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
      'Horas que cada equipo no estuvo detenido, desde que se registró hasta su baja. Órdenes que se cruzan cuentan una vez, en taller, en ruta o en taller externo; las abiertas, hasta ahora. MTTR = horas correctivas ÷ detenciones correctivas; MTBF = horas en operación ÷ detenciones correctivas.',
    may: read,
  },
  'cost-supplies-by-truck': {
    title: 'Costo de insumos por equipo',
    short: 'Insumos por equipo',
    about: 'Cantidad y costo de cada insumo usado en las órdenes de trabajo de cada equipo.',
    may: warehouse,
  },
  'hours-by-specialist': {
    title: 'Horas por mecánico',
    short: 'Horas',
    about:
      'Horas de trabajo de cada mecánico y día: las que marcó y, donde nadie marcó, las anotadas en el trabajo. Presente: la jornada de la empresa por cada día en que trabajó. Lo que sigue en curso cuenta hasta ahora, en el día en que empezó.',
    may: read,
  },
} as const satisfies Record<string, { title: string; short: string; about: string; may: Permission }>
export type ReportName = keyof typeof REPORTS
export const REPORT_NAMES = Object.keys(REPORTS) as [ReportName, ...ReportName[]]

/** The day an expense belongs to, under every report of expenses. */
export const EXPENSE_DAY =
  'Cada gasto va en el día en que se registró; un servicio con factura, en la fecha de la factura.'

/* What is asked */

/** `CompareDate`: what it is compared with, where that is not the period just before. */
export const reportFilters = { BetweenDate, CompareDate: BetweenDate, WorkshopId: IdList, Truck: IdList }
export const ReportQuery = choosing(reportFilters)
export type ReportQuery = z.infer<typeof ReportQuery>
export type ReportFilter = ReportQuery['filter']
export const MonthsQuery = choosing({ BetweenYear, WorkshopId: IdList, Truck: IdList })
export type MonthsQuery = z.infer<typeof MonthsQuery>

/* What is answered */

const period = { range: Period, before: Period }
const costs = {
  supplies_cost: z.number(),
  services_cost: z.number(),
  total_cost: z.number(),
  /** Null where labour does not count, or for those who may not see what it costs. */
  labour: z.number().nullable(),
  total_with_labour: z.number().nullable(),
}
/** With what the same was in the period before. */
const compared = { ...costs, before_cost: z.number(), before_with_labour: z.number().nullable() }
/** What it may cost in the period, without labour; null where nobody said. */
const budgeted = { budget: z.number().nullable() }
const driven = {
  kilometers: z.number(),
  cost_per_km: z.number().nullable(),
  cost_per_km_with_labour: z.number().nullable(),
}

export const TruckName = { truck_id: Id, truck_code: z.string(), patent: z.string() }

/** Whose truck it is, where it was repaired in another workshop than its own. */
export const TruckHome = { truck_workshop: z.string().nullable() }

export const TruckExpenses = z.object({
  ...TruckName,
  ...TruckHome,
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
  ...budgeted,
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
  ...TruckHome,
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
  /** Of the period, up to now, from the day the truck was registered until it was retired. */
  hours: z.number(),
  hours_stopped: z.number(),
  hours_planned: z.number(),
  /** Of corrective stops. Where one crosses a planned stop, it is corrective. */
  hours_unplanned: z.number(),
  /** Of the hours stopped: being worked on, waiting for parts, and waiting for anything else. They add up to them. */
  hours_worked: z.number(),
  hours_parts: z.number(),
  hours_waiting: z.number(),
  /** From 0 to 1; null while none of the period has passed. */
  availability: z.number().nullable(),
  stops: z.number(),
  /** Corrective ones: failures. */
  unplanned_stops: z.number(),
  /** Stops in which nothing corrective was done. */
  planned_stops: z.number(),
  /** Corrective hours stopped per corrective stop. */
  mttr: z.number().nullable(),
  /** Hours working per corrective stop. */
  mtbf: z.number().nullable(),
}
/** What the availability of the period before was, and what it is worked out from. */
const stoppedBefore = { before: z.number().nullable(), before_hours: z.number(), before_stopped: z.number() }
export const Availability = z.object({ ...TruckName, ...stopped, ...stoppedBefore })
export type Availability = z.infer<typeof Availability>

export const SuppliesOfTruck = z.object({
  ...TruckName,
  ...TruckHome,
  supply_id: Id,
  code: z.string(),
  name: z.string(),
  category: z.string().nullable(),
  unit: z.string().nullable(),
  count: z.number(),
  amount: z.number(),
})
export type SuppliesOfTruck = z.infer<typeof SuppliesOfTruck>

const worked = {
  works: z.number(),
  /** Clocked, and typed where nobody clocked. */
  hours: z.number(),
  clocked_hours: z.number(),
  /** The company's working day for each day with hours. */
  present_hours: z.number(),
  /** Hours per hour present. */
  productivity: z.number().nullable(),
}
const SpecialistName = { specialist_id: Id, specialist: z.string() }
export const SpecialistHours = z.object({ ...SpecialistName, days: z.number(), ...worked })
export type SpecialistHours = z.infer<typeof SpecialistHours>
export const SpecialistDay = z.object({ ...SpecialistName, day: z.string(), ...worked })
export type SpecialistDay = z.infer<typeof SpecialistDay>

export const ReportSummary = z.object({
  ...period,
  /** Null for those who see only the warehouse's reports. */
  expenses: z
    .object({
      total: z.number(),
      before: z.number(),
      days: z.array(z.number()),
      days_before: z.array(z.number()),
      /** Null where labour does not count, as everything with it. */
      labour: z.number().nullable(),
      total_with_labour: z.number().nullable(),
      before_with_labour: z.number().nullable(),
      days_with_labour: z.array(z.number()).nullable(),
      days_before_with_labour: z.array(z.number()).nullable(),
    })
    .nullable(),
  /** Of this month, cost centre by cost centre, those nearest to their budget first; null where there is none. */
  budget: z
    .object({
      budget: z.number(),
      /** Of the centres that have one. */
      total_cost: z.number(),
      cost_centers: z.array(
        z.object({
          cost_center_id: Id.nullable(),
          cost_center: z.string().nullable(),
          total_cost: z.number(),
          budget: z.number(),
        }),
      ),
    })
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

/** What an owner asks about one truck. Costs are null for those who see no report of them. */
export const TruckSummary = z.object({
  /** This year, and as much of the last one. */
  ...period,
  costs: z
    .object({
      supplies_cost: SeenCost,
      services_cost: SeenCost,
      total_cost: SeenCost,
      before_cost: SeenCost,
      labour: SeenCost,
      total_with_labour: SeenCost,
      before_with_labour: SeenCost,
      orders: z.number(),
    })
    .nullable(),
  kilometers: z.number(),
  cost_per_km: SeenCost,
  cost_per_km_with_labour: SeenCost,
  availability: z.object(stopped),
  /** The trucks of its type, it among them; null where it has no type. */
  kin: z
    .object({
      type: z.string(),
      trucks: z.array(z.number()),
      cost_per_km: SeenCost,
      cost_per_km_with_labour: SeenCost,
      kilometers_per_month: z.number(),
      availability: z.number().nullable(),
    })
    .nullable(),
  /** The last twelve, the oldest first. */
  months: z.array(
    z.object({
      month: z.string(),
      kilometers: z.number(),
      total_cost: SeenCost,
      cost_per_km: SeenCost,
      total_with_labour: SeenCost,
      cost_per_km_with_labour: SeenCost,
      /** Null before it was registered. */
      availability: z.number().nullable(),
      hours_stopped: z.number(),
    }),
  ),
  /** Of its life. */
  years: z.array(
    z.object({
      year: z.number(),
      kilometers: z.number(),
      /** What its meter showed at the end. */
      mileage: z.number().nullable(),
      total_cost: SeenCost,
      cost_per_km: SeenCost,
      total_with_labour: SeenCost,
      cost_per_km_with_labour: SeenCost,
    }),
  ),
  /** The orders that cost most. */
  events: z
    .array(
      z.object({
        work_order_id: Id,
        code: z.string(),
        request: z.string().nullable(),
        created_at: Instant,
        amount: SeenCost,
        labour: SeenCost,
      }),
    )
    .nullable(),
})
export type TruckSummary = z.infer<typeof TruckSummary>

const listed = <T extends z.ZodType>(item: T) => ({ data: z.array(item), total: z.number() })
const report = { method: 'GET' as const, query: ReportQuery }
const file = { method: 'GET' as const, query: ReportQuery, reply: Download }

export const HistoricalQuery = listing(
  ['code', 'patent', 'created_at', 'supplies_cost', 'services_cost', 'total_cost'],
  reportFilters,
  50,
)
export type HistoricalQuery = z.infer<typeof HistoricalQuery>
export const SuppliesByTruckQuery = listing(['truck_code', 'code', 'name', 'count', 'amount'], reportFilters, 50)
export type SuppliesByTruckQuery = z.infer<typeof SuppliesByTruckQuery>
export const HoursQuery = listing(['day', 'specialist', 'hours'], reportFilters, 50)
export type HoursQuery = z.infer<typeof HoursQuery>
export const EntriesQuery = choosing({ ...reportFilters, Warehouse: IdList })
export type EntriesQuery = z.infer<typeof EntriesQuery>

export const reports = {
  dataFrom: endpoint({
    method: 'GET',
    path: '/v1/report_data_from',
    may: 'session',
    summary: 'The first day of which there are orders or entries: before it, nothing can be compared',
    query: z.object({ filter: z.object({ WorkshopId: IdList }).default({} as never) }),
    reply: z.object({ from: z.string().nullable() }),
  }),
  summary: endpoint({
    method: 'GET',
    path: '/v1/report_summary',
    may: warehouse,
    summary: 'What an owner looks at each morning',
    query: choosing({ WorkshopId: IdList }),
    reply: ReportSummary,
  }),
  truckSummary: endpoint({
    method: 'GET',
    path: '/v1/trucks/:id/summary',
    may: 'fleet.read',
    heavy: true,
    summary: 'What one truck costs, drives and stands still, beside its type, by month and by year',
    params: ById,
    reply: TruckSummary,
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
      /** Trucks that changed their cost centre: what they spent and drove while they were of each. */
      moved: z.array(TruckExpenses),
      totals: z.object({ ...compared, ...driven, ...budgeted, orders: z.number() }),
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
      totals: z.object({
        ...compared,
        supplies_before: z.number(),
        services_before: z.number(),
        labour_before: z.number().nullable(),
        lines: z.number(),
      }),
      ...period,
    }),
  }),
  expensesByMonth: endpoint({
    method: 'GET',
    path: '/v1/expenses_by_category_month',
    may: read,
    summary: 'Category by month, for the chosen years; services are a row of their own',
    query: MonthsQuery,
    echoes: [SentByReports],
    reply: z.object({
      ...listed(MonthsOfCategory),
      months: z.array(z.string()),
      totals: z.object({ amounts: z.array(z.number()), total: z.number() }),
      /** The same months of as many years before. */
      before: z.object({ amounts: z.array(z.number()), total: z.number(), from: z.number(), to: z.number() }),
      /** Month by month; null where it does not count. No part of `data`, nor of `totals`. */
      labour: z.object({ amounts: z.array(z.number()), total: z.number() }).nullable(),
      totals_with_labour: z.object({ amounts: z.array(z.number()), total: z.number() }).nullable(),
      before_with_labour: z.object({ amounts: z.array(z.number()), total: z.number() }).nullable(),
    }),
  }),
  availability: endpoint({
    ...report,
    path: '/v1/equipment_availability',
    may: read,
    summary: 'Hours of each truck stopped and working, planned and corrective, with MTTR, MTBF and what it waited for',
    reply: z.object({
      ...listed(Availability),
      totals: z.object({ ...stopped, ...stoppedBefore }),
      ...period,
    }),
  }),
  hoursBySpecialist: endpoint({
    method: 'GET',
    path: '/v1/hours_by_specialist',
    may: read,
    summary: 'Hours of each specialist and day, productive against present; and of each specialist',
    query: HoursQuery,
    reply: page(SpecialistDay).extend({
      specialists: z.array(SpecialistHours),
      totals: z.object({ days: z.number(), ...worked, before_hours: z.number() }),
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
  downloadHours: endpoint({
    ...file,
    path: '/v1/download_hours_by_specialist',
    may: read,
    summary: 'Hours of each specialist and day, as xlsx',
  }),
  downloadByMonth: endpoint({
    ...file,
    query: MonthsQuery,
    echoes: [SentByReports],
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
