import { showMonth } from '../base/dates.ts'
import type { Field } from '../base/fields.ts'
import { TAXES } from '../base/money.ts'
import { showPatent } from '../fleet/fleet.ts'
import { typeName } from '../warehouses/stock.ts'
import { WORK_ORDER_FIELDS } from '../work-orders/fields.ts'
import type { WorkOrderRow } from '../work-orders/orders.ts'
import type {
  Availability,
  CategoryExpenses,
  MonthsOfCategory,
  OrderExpenses,
  ProviderExpenses,
  ReportName,
  SpecialistDay,
  SuppliesOfTruck,
  TruckExpenses,
} from './reports.ts'

/**
 * The columns of every report, in the order of its file. The file has all of them under their labels; a screen shows those
 * it names, under the short one where what stands beside it says the rest.
 */
export interface ReportColumn<Row> extends Field {
  /** Of the file, in characters. */
  width?: number
  /** What stands in it, where that is not the field of its name. Asked of the totals too. */
  value?: (row: Row) => string | number | null
  /** The row of totals has a figure here. */
  total?: true
}

const columnsOf =
  <Row>() =>
  <const Key extends string>(columns: Record<Key, ReportColumn<Row>>): Record<Key, ReportColumn<Row>> =>
    columns

export const NO_CATEGORY = 'Sin categoría'
export const NO_PROVIDER = 'Sin proveedor'
export const SERVICES = 'Servicios'
export const LABOUR = 'Mano de obra'

const patent = { label: 'Patente', show: showPatent, width: 12 }
/** Where it is not that of the report or of the order. */
const truck_workshop = { label: 'Taller del equipo', width: 22 }
const truck_code = { label: 'Código', short: 'Equipo', width: 12 }
const money = (label: string, width = 15) => ({ label, kind: 'money' as const, width, total: true as const })
const count = (label: string, width = 12) => ({ label, kind: 'number' as const, width, total: true as const })
const hours = (label: string, width = 12) => ({ label, kind: 'hours' as const, width, total: true as const })

/** Of whatever has a cost, where labour counts. */
const labour = {
  labour: money('Mano de obra'),
  total_with_labour: { ...money('Total con mano de obra', 22), short: 'Con mano de obra' },
}
/** Columns that stand only where labour counts. */
const OF_LABOUR = ['labour', 'total_with_labour', 'before_with_labour', 'cost_per_km_with_labour']
export const withLabour = <Column>(columns: Record<string, Column>, counts: boolean): Record<string, Column> =>
  counts ? columns : Object.fromEntries(Object.entries(columns).filter(([key]) => !OF_LABOUR.includes(key)))

/** Of trucks, and of cost centres beside them. */
export const TRUCK_SUMS = columnsOf<object>()({
  orders: count('Órdenes', 10),
  supplies_cost: money('Insumos'),
  services_cost: money('Servicios'),
  total_cost: money('Total'),
  ...labour,
  before_cost: money('Período comparado', 18),
  before_with_labour: {
    ...money('Período comparado con mano de obra', 31),
    short: 'Comparado con mano de obra',
  },
  kilometers: count('Kilómetros'),
  cost_per_km: { label: 'Costo por km', kind: 'per_km', width: 14, total: true },
  cost_per_km_with_labour: {
    label: 'Costo por km con mano de obra',
    short: 'Por km con mano de obra',
    kind: 'per_km',
    width: 26,
    total: true,
  },
})

export const REPORT_COLUMNS = {
  'expenses-by-truck': columnsOf<TruckExpenses>()({
    truck_code,
    patent,
    cost_center: { label: 'Centro de costo', width: 24 },
    ...TRUCK_SUMS,
    truck_workshop,
  }),
  'expenses-by-suppliers': columnsOf<ProviderExpenses>()({
    provider: { label: 'Proveedor', width: 36, value: ({ provider }) => provider ?? NO_PROVIDER },
    services: { ...count('Servicios', 10), short: 'Líneas' },
    services_cost: { ...money('Gasto en servicios', 18), short: 'Servicios' },
    before_cost: { ...money('Servicios período comparado', 24), short: 'Período comparado' },
    entries: count('Entradas', 10),
    purchases_net: money('Compras netas'),
    purchases_total: money('Compras con IVA', 16),
    purchases_before: money('Compras netas período comparado', 28),
  }),
  'historical-expenses': columnsOf<OrderExpenses>()({
    code: { label: 'Orden', width: 12 },
    created_at: { label: 'Creada', kind: 'moment', width: 17 },
    workshop_name: { label: 'Taller', width: 22 },
    truck_code: { label: 'Código', width: 12 },
    patent: { ...patent, short: 'Equipo' },
    type_maintenance: { label: 'Tipo de mantención', short: 'Mantención', width: 20 },
    status: { ...WORK_ORDER_FIELDS.status, width: 14 },
    supplies_cost: money('Insumos'),
    services_cost: money('Servicios'),
    total_cost: money('Total'),
    ...labour,
    truck_workshop,
  }),
  'expenses-by-category': columnsOf<CategoryExpenses>()({
    category: { label: 'Categoría', width: 30, value: ({ category }) => category ?? NO_CATEGORY },
    lines: count('Líneas', 10),
    amount: money('Gasto'),
    before: money('Período comparado', 18),
  }),
  'equipment-availability': columnsOf<Availability>()({
    truck_code,
    patent,
    availability: { label: 'Disponibilidad', kind: 'share', width: 14, total: true },
    before: { label: 'Período comparado', kind: 'share', width: 16, total: true },
    hours: hours('Horas del período', 17),
    hours_stopped: { ...hours('Horas detenido', 15), short: 'Detenido' },
    hours_planned: hours('Planificadas'),
    hours_unplanned: hours('Correctivas', 15),
    hours_worked: hours('En trabajo'),
    hours_parts: hours('Esperando repuestos', 19),
    hours_waiting: hours('En espera'),
    stops: count('Detenciones'),
    planned_stops: count('Planificadas (n.º)', 19),
    unplanned_stops: count('Correctivas (n.º)', 19),
    mttr: { ...hours('MTTR (h)'), short: 'MTTR' },
    mtbf: { ...hours('MTBF (h)'), short: 'MTBF' },
  }),
  'hours-by-specialist': columnsOf<SpecialistDay>()({
    day: { label: 'Día', kind: 'day', width: 12 },
    specialist: { label: 'Mecánico', width: 30 },
    works: count('Trabajos', 10),
    hours: { ...hours('Horas productivas', 17), short: 'Productivas' },
    clocked_hours: { ...hours('De ellas, marcadas', 18), short: 'Marcadas' },
    present_hours: { ...hours('Horas presentes', 15), short: 'Presentes' },
    productivity: { label: 'Aprovechamiento', kind: 'share', width: 16, total: true },
  }),
  'cost-supplies-by-truck': columnsOf<SuppliesOfTruck>()({
    truck_code: { label: 'Equipo', width: 12 },
    patent,
    code: { label: 'Código', width: 16 },
    name: { label: 'Insumo', width: 40 },
    category: { label: 'Categoría', width: 22, value: ({ category }) => category ?? NO_CATEGORY },
    unit: { label: 'Unidad', width: 12 },
    count: { label: 'Cantidad', kind: 'quantity', width: 12 },
    amount: money('Costo'),
    truck_workshop,
  }),
} satisfies Partial<Record<ReportName, Record<string, ReportColumn<never>>>>

/** Of the report by month, which has a column for each. */
export const monthColumns = (months: string[]): Record<string, ReportColumn<MonthsOfCategory>> => ({
  category: {
    label: 'Categoría',
    width: 30,
    value: ({ kind, category }) => (kind === 'service' ? SERVICES : (category ?? NO_CATEGORY)),
  },
  ...Object.fromEntries(
    months.map((month, i) => [month, { ...money(showMonth(month), 13), value: ({ amounts }) => amounts[i] ?? null }]),
  ),
  total: money('Total'),
})

/** A line of what entered a warehouse. */
export interface EntryLine {
  date: string
  type_id: number
  document: string | null
  warehouse: string
  provider: string | null
  code: string
  name: string
  quantity: number
  unit_cost: number
  tax_type: keyof typeof TAXES
  net_cost: number
  tax: number
  total_cost: number
}
export const ENTRY_COLUMNS = columnsOf<EntryLine>()({
  date: { label: 'Fecha', kind: 'day', width: 12 },
  type_id: { label: 'Movimiento', width: 20, value: ({ type_id }) => typeName(type_id) },
  document: { label: 'Documento', width: 16 },
  warehouse: { label: 'Bodega', width: 24 },
  provider: { label: 'Proveedor', width: 30 },
  code: { label: 'Código', width: 16 },
  name: { label: 'Insumo', width: 40 },
  quantity: { label: 'Cantidad', kind: 'quantity', width: 12 },
  unit_cost: { label: 'Costo unitario', kind: 'cost', width: 15 },
  tax_type: { label: 'Impuesto', words: TAXES, width: 10 },
  net_cost: money('Neto'),
  tax: money('IVA'),
  total_cost: money('Total'),
})

/** The history of work orders, as a file. */
export const HISTORY_COLUMNS = columnsOf<WorkOrderRow>()({
  code: { label: 'Orden', width: 12 },
  created_at: { ...WORK_ORDER_FIELDS.created_at, width: 17 },
  workshop_name: { ...WORK_ORDER_FIELDS.workshop_id, width: 22 },
  truck_code: { label: 'Código', width: 12 },
  patent,
  request: { ...WORK_ORDER_FIELDS.request, width: 40 },
  status: { ...WORK_ORDER_FIELDS.status, width: 14 },
  priority: { ...WORK_ORDER_FIELDS.priority, width: 12 },
  type_maintenance: { ...WORK_ORDER_FIELDS.type_maintenance_id, width: 20 },
  responsible_specialist: { ...WORK_ORDER_FIELDS.responsible_specialist_id, width: 26 },
  workshop_entry_at: { ...WORK_ORDER_FIELDS.workshop_entry_at, width: 17 },
  workshop_departure_at: { ...WORK_ORDER_FIELDS.workshop_departure_at, width: 17 },
  kilometer: { ...WORK_ORDER_FIELDS.kilometer, width: 13 },
  supplies_cost: { ...WORK_ORDER_FIELDS.supplies_cost, width: 15 },
  services_cost: { ...WORK_ORDER_FIELDS.services_cost, width: 15 },
  total_cost: { ...WORK_ORDER_FIELDS.total_cost, width: 15 },
  labour: { ...WORK_ORDER_FIELDS.labour, width: 15 },
  total_with_labour: { ...WORK_ORDER_FIELDS.total_with_labour, width: 22 },
  truck_workshop,
})

/** What a row, or the totals, have in a column. */
export const figureOf = <Row>(column: ReportColumn<Row>, key: string, row: Row) =>
  column.value ? column.value(row) : ((row as Record<string, string | number | null | undefined>)[key] ?? null)
