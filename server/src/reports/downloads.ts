import { localOf, showMonth } from '#contract/base/dates.ts'
import type { FileContent } from '#contract/base/wire.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { type Period, periodOf } from '#contract/reports/periods.ts'
import { type MonthsQuery, REPORTS, type ReportName, type ReportQuery } from '#contract/reports/reports.ts'
import { WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import type { Db } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { type CellValue, type XlsxColumn, xlsxFile } from '../platform/outside/xlsx.ts'
import { equipmentAvailability } from './availability.ts'
import { expensesByCategory, expensesByMonth } from './by-category.ts'
import { expensesByProvider } from './by-provider.ts'
import { expensesByTruck } from './by-truck.ts'
import { spanOf, today } from './expenses.ts'
import { expensesOfOrders, ordersWithExpenses } from './historical.ts'
import { suppliesOfTrucks, trucksWithSupplies } from './supplies-by-truck.ts'

/* The reports as spreadsheets: the figures of the screen, as numbers, with their totals at the end. */

export const PESOS = '#,##0'
export const QUANTITY = '#,##0.####'
export const DAY = 'dd-mm-yyyy'
export const MOMENT = 'dd-mm-yyyy hh:mm'
const HOURS = '#,##0.00'
const SHARE = '0.0%'

export const text = (header: string, width = 18): XlsxColumn => ({ header, width })
export const pesos = (header: string, width = 15): XlsxColumn => ({ header, width, numFmt: PESOS })
const number = (header: string, numFmt = PESOS, width = 12): XlsxColumn => ({ header, width, numFmt })

const NO_CATEGORY = 'Sin categoría'
const SERVICES = 'Servicios'

const nameOf = (title: string, { from, to }: { from: string; to: string }) => `${title} ${from} a ${to}.xlsx`
/** A spreadsheet's days and hours have no zone: they are what the clock on the wall showed. */
export const onTheWall = (at: string | null, zone: string) =>
  at === null ? null : new Date(`${localOf(at, zone)}:00Z`)

const fileOf = (
  report: ReportName,
  range: Period,
  columns: XlsxColumn[],
  rows: Iterable<CellValue[]> | AsyncIterable<CellValue[]>,
): FileContent => xlsxFile(nameOf(REPORTS[report].title, range), REPORTS[report].title, columns, rows)

export async function downloadByTruck(db: Db, actor: Actor, query: ReportQuery) {
  const { data, totals, range } = await expensesByTruck(db, actor, query)
  const rest = (row: typeof totals) => [
    row.orders,
    row.supplies_cost,
    row.services_cost,
    row.total_cost,
    row.before_cost,
    row.kilometers,
    row.cost_per_km,
  ]
  return fileOf(
    'expenses-by-truck',
    range,
    [
      text('Código', 12),
      text('Patente', 12),
      text('Centro de costo', 24),
      number('Órdenes', PESOS, 10),
      pesos('Insumos'),
      pesos('Servicios'),
      pesos('Total'),
      pesos('Período anterior', 18),
      number('Kilómetros'),
      number('Costo por km', HOURS, 14),
    ],
    [
      ...data.map((t) => [t.truck_code, showPatent(t.patent), t.cost_center, ...rest(t)]),
      ['Total', null, null, ...rest(totals)],
    ],
  )
}

export async function downloadByProvider(db: Db, actor: Actor, query: ReportQuery) {
  const { data, totals, range } = await expensesByProvider(db, actor, query)
  const rest = (row: typeof totals) => [
    row.services,
    row.services_cost,
    row.before_cost,
    row.entries,
    row.purchases_net,
    row.purchases_total,
    row.purchases_before,
  ]
  return fileOf(
    'expenses-by-suppliers',
    range,
    [
      text('Proveedor', 36),
      number('Servicios', PESOS, 10),
      pesos('Gasto en servicios', 18),
      pesos('Servicios período anterior', 24),
      number('Entradas', PESOS, 10),
      pesos('Compras netas'),
      pesos('Compras con IVA', 16),
      pesos('Compras netas período anterior', 28),
    ],
    [...data.map((p) => [p.provider ?? 'Sin proveedor', ...rest(p)]), ['Total', ...rest(totals)]],
  )
}

export async function downloadByCategory(db: Db, actor: Actor, query: ReportQuery) {
  const { data, totals, range } = await expensesByCategory(db, actor, query)
  return fileOf(
    'expenses-by-category',
    range,
    [text('Categoría', 30), number('Líneas', PESOS, 10), pesos('Gasto'), pesos('Período anterior', 18)],
    [
      ...data.map((c) => [c.category ?? NO_CATEGORY, c.lines, c.amount, c.before]),
      ['Total insumos', totals.lines, totals.supplies_cost, totals.supplies_before],
      ...(actor.may.has('reports.read')
        ? [
            [SERVICES, null, totals.services_cost, totals.services_before],
            ['Total', null, totals.total_cost, totals.before_cost],
          ]
        : []),
    ],
  )
}

export async function downloadByMonth(db: Db, actor: Actor, query: MonthsQuery) {
  const { data, totals, months } = await expensesByMonth(db, actor, query)
  const range = { from: months[0]!, to: months.at(-1)! }
  return fileOf(
    'expenses-by-month',
    range,
    [text('Categoría', 30), ...months.map((month) => pesos(showMonth(month), 13)), pesos('Total')],
    [
      ...data.map((row) => [
        row.kind === 'service' ? SERVICES : (row.category ?? NO_CATEGORY),
        ...row.amounts,
        row.total,
      ]),
      ['Total', ...totals.amounts, totals.total],
    ],
  )
}

export async function downloadAvailability(db: Db, actor: Actor, query: ReportQuery) {
  const { data, totals, range } = await equipmentAvailability(db, actor, query)
  const rest = (row: typeof totals) => [
    row.availability,
    row.before,
    row.hours,
    row.hours_stopped,
    row.hours_planned,
    row.hours_unplanned,
    row.stops,
    row.unplanned_stops,
    row.mttr,
    row.mtbf,
  ]
  return fileOf(
    'equipment-availability',
    range,
    [
      text('Código', 12),
      text('Patente', 12),
      number('Disponibilidad', SHARE, 14),
      number('Período anterior', SHARE, 16),
      number('Horas del período', HOURS, 17),
      number('Horas en taller', HOURS, 15),
      number('Planificadas', HOURS),
      number('No planificadas', HOURS, 15),
      number('Detenciones', PESOS),
      number('No planificadas (n.º)', PESOS, 19),
      number('MTTR (h)', HOURS),
      number('MTBF (h)', HOURS),
    ],
    [...data.map((t) => [t.truck_code, showPatent(t.patent), ...rest(t)]), ['Total', null, ...rest(totals)]],
  )
}

/* Those without a bound: some rows at a time, each lot in a step of its own. */

export type Step = <T>(work: (db: Db) => Promise<T>) => Promise<T>
const lots = <T>(list: T[], size: number) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))

const ORDERS_AT_ONCE = 1000
const TRUCKS_AT_ONCE = 200

export async function downloadSummaryMaintenance(step: Step, actor: Actor, { filter }: ReportQuery) {
  const range = periodOf(filter.BetweenDate, today(actor))
  const span = spanOf(range, actor.time_zone)
  const spent = await step((db) => ordersWithExpenses(db, actor, span, filter))
  async function* rows(): AsyncGenerator<CellValue[]> {
    let [supplies, services] = [0, 0]
    for (const lot of lots(spent, ORDERS_AT_ONCE))
      for (const o of await step((db) => expensesOfOrders(db, actor, lot))) {
        supplies += o.supplies_cost
        services += o.services_cost
        yield [
          o.code,
          onTheWall(o.created_at, actor.time_zone),
          o.workshop_name,
          o.truck_code,
          showPatent(o.patent),
          o.type_maintenance,
          WORK_ORDER_STATES[o.status].label,
          o.supplies_cost,
          o.services_cost,
          o.total_cost,
        ]
      }
    yield ['Total', null, null, null, null, null, null, supplies, services, supplies + services]
  }
  return fileOf(
    'historical-expenses',
    range,
    [
      text('Orden', 12),
      { header: 'Creada', width: 17, numFmt: MOMENT },
      text('Taller', 22),
      text('Código', 12),
      text('Patente', 12),
      text('Tipo de mantención', 20),
      text('Estado', 14),
      pesos('Insumos'),
      pesos('Servicios'),
      pesos('Total'),
    ],
    rows(),
  )
}

export async function downloadSuppliesByTruck(step: Step, actor: Actor, { filter }: ReportQuery) {
  const range = periodOf(filter.BetweenDate, today(actor))
  const span = spanOf(range, actor.time_zone)
  const trucks = await step((db) => trucksWithSupplies(db, actor, span, filter))
  async function* rows(): AsyncGenerator<CellValue[]> {
    let amount = 0
    for (const lot of lots(trucks, TRUCKS_AT_ONCE))
      for (const s of await step((db) => suppliesOfTrucks(db, actor, span, { ...filter, Truck: lot }))) {
        amount += s.amount
        yield [s.truck_code, showPatent(s.patent), s.code, s.name, s.category ?? NO_CATEGORY, s.unit, s.count, s.amount]
      }
    yield ['Total', null, null, null, null, null, null, amount]
  }
  return fileOf(
    'cost-supplies-by-truck',
    range,
    [
      text('Equipo', 12),
      text('Patente', 12),
      text('Código', 16),
      text('Insumo', 40),
      text('Categoría', 22),
      text('Unidad', 12),
      number('Cantidad', QUANTITY),
      pesos('Costo'),
    ],
    rows(),
  )
}
