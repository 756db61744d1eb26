import { fileField, fileFormat } from '#contract/base/fields.ts'
import type { FileContent } from '#contract/base/wire.ts'
import {
  figureOf,
  LABOUR,
  monthColumns,
  REPORT_COLUMNS,
  type ReportColumn,
  SERVICES,
  withLabour,
} from '#contract/reports/columns.ts'
import { type Period, periodOf } from '#contract/reports/periods.ts'
import {
  type CategoryExpenses,
  type MonthsOfCategory,
  type MonthsQuery,
  REPORTS,
  type ReportName,
  type ReportQuery,
} from '#contract/reports/reports.ts'
import type { Db } from '../../platform/database/db.ts'
import { ignore } from '../../platform/ignore.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { type CellValue, type XlsxColumn, xlsxFile } from '../../platform/outside/xlsx.ts'
import { seesLabour } from '../../workshops/company.ts'
import { equipmentAvailability } from '../availability/availability.ts'
import { expensesByCategory, expensesByMonth } from '../expenses/by-category.ts'
import { expensesByProvider } from '../expenses/by-provider.ts'
import { expensesByTruck } from '../expenses/by-truck.ts'
import { expensesOfOrders, ordersWithExpenses } from '../expenses/historical.ts'
import { suppliesOfTrucks, trucksWithSupplies } from '../expenses/supplies-by-truck.ts'
import { spanOf, today } from '../expenses.ts'
import { hoursBySpecialist } from '../hours.ts'

/* The reports as spreadsheets: the figures of the screen, as numbers, with their totals at the end. */

const nameOf = (title: string, { from, to }: { from: string; to: string }) => `${title} ${from} a ${to}.xlsx`
/** Columns as a registry of the contract tells them, and how a row and the totals stand in them. */
type Columns<Row> = Record<string, ReportColumn<Row>>
export const headersOf = <Row>(columns: Columns<Row>): XlsxColumn[] =>
  Object.values(columns).map((column) => ({ header: column.label, width: column.width, numFmt: fileFormat(column) }))
export const cellsOf = <Row>(columns: Columns<Row>, row: Row, zone: string): CellValue[] =>
  Object.entries(columns).map(([key, column]) => fileField(column, figureOf(column, key, row), zone))
const totalsOf = <Row>(columns: Columns<Row>, totals: Partial<Row>, zone: string, name = 'Total'): CellValue[] =>
  Object.entries(columns).map(([key, column], i) =>
    i === 0 ? name : column.total ? fileField(column, figureOf(column, key, totals as Row), zone) : null,
  )

/** Rows as they come, and what their columns add up to at the end. */
export async function* added<Row>(columns: Columns<Row>, rows: AsyncIterable<Row>, zone: string) {
  const keys = Object.keys(columns).filter((key) => columns[key]?.total)
  const sums: Record<string, number> = Object.fromEntries(keys.map((key) => [key, 0]))
  for await (const row of rows) {
    for (const key of keys) sums[key]! += Number(figureOf(columns[key]!, key, row))
    yield cellsOf(columns, row, zone)
  }
  yield totalsOf(columns, sums as Partial<Row>, zone)
}

const fileOf = <Row>(
  report: ReportName,
  range: Period,
  columns: Columns<Row>,
  rows: Iterable<CellValue[]> | AsyncIterable<CellValue[]>,
): FileContent => xlsxFile(nameOf(REPORTS[report].title, range), REPORTS[report].title, headersOf(columns), rows)

/** A report that is answered whole: its rows, and its totals at the end. */
function wholeFile<Row>(
  report: ReportName,
  columns: Columns<Row>,
  { data, totals, range }: { data: Row[]; totals: Partial<Row>; range: Period },
  { time_zone }: Actor,
) {
  const rows = data.map((row) => cellsOf(columns, row, time_zone))
  return fileOf(report, range, columns, [...rows, totalsOf(columns, totals, time_zone)])
}

export async function downloadByTruck(db: Db, actor: Actor, query: ReportQuery) {
  const report = await expensesByTruck(db, actor, query)
  const columns = withLabour(REPORT_COLUMNS['expenses-by-truck'], report.totals.labour !== null)
  return wholeFile('expenses-by-truck', columns, report, actor)
}

export const downloadByProvider = async (db: Db, actor: Actor, query: ReportQuery) =>
  wholeFile(
    'expenses-by-suppliers',
    REPORT_COLUMNS['expenses-by-suppliers'],
    await expensesByProvider(db, actor, query),
    actor,
  )

export const downloadAvailability = async (db: Db, actor: Actor, query: ReportQuery) =>
  wholeFile(
    'equipment-availability',
    REPORT_COLUMNS['equipment-availability'],
    await equipmentAvailability(db, actor, query),
    actor,
  )

export async function downloadByCategory(db: Db, actor: Actor, query: ReportQuery) {
  const { data, totals, range } = await expensesByCategory(db, actor, query)
  const columns = REPORT_COLUMNS['expenses-by-category']
  const sum = (name: string, row: Partial<CategoryExpenses>) => totalsOf(columns, row, actor.time_zone, name)
  return fileOf('expenses-by-category', range, columns, [
    ...data.map((row) => cellsOf(columns, row, actor.time_zone)),
    sum('Total insumos', { lines: totals.lines, amount: totals.supplies_cost, before: totals.supplies_before }),
    ...(actor.may.has('reports.read')
      ? [
          sum(SERVICES, { amount: totals.services_cost, before: totals.services_before }),
          sum('Total', { amount: totals.total_cost, before: totals.before_cost }),
        ]
      : []),
    ...(totals.labour === null
      ? []
      : [
          sum(LABOUR, { amount: totals.labour, before: totals.labour_before ?? 0 }),
          sum('Total con mano de obra', {
            amount: totals.total_with_labour ?? 0,
            before: totals.before_with_labour ?? 0,
          }),
        ]),
  ])
}

export async function downloadByMonth(db: Db, actor: Actor, query: MonthsQuery) {
  const { data, totals, months, labour, totals_with_labour } = await expensesByMonth(db, actor, query)
  const range = { from: months[0]!, to: months.at(-1)! }
  const columns = monthColumns(months)
  const sum = (row: Partial<MonthsOfCategory>, name?: string) => totalsOf(columns, row, actor.time_zone, name)
  return fileOf('expenses-by-month', range, columns, [
    ...data.map((row) => cellsOf(columns, row, actor.time_zone)),
    sum(totals),
    ...(labour && totals_with_labour ? [sum(labour, LABOUR), sum(totals_with_labour, 'Total con mano de obra')] : []),
  ])
}

/* Those without a bound: some rows at a time, each lot in a step of its own. */

export type Step = <T>(work: (db: Db) => Promise<T>) => Promise<T>
const lots = <T>(list: T[], size: number) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
/** Rows of lots, each of which is asked for while the one before is written. */
export async function* ahead<T>(lots: AsyncGenerator<T[]>) {
  try {
    for (let coming = lots.next(); ; ) {
      const { done, value } = await coming
      if (done) return
      coming = lots.next()
      // What goes wrong is told when it is its turn.
      coming.catch(ignore('It is thrown where it is awaited, in the next round.'))
      yield* value
    }
  } finally {
    await lots.return(undefined)
  }
}

const ORDERS_AT_ONCE = 1000
const TRUCKS_AT_ONCE = 200

export async function downloadSummaryMaintenance(step: Step, actor: Actor, { filter }: ReportQuery) {
  const range = periodOf(filter.BetweenDate, today(actor))
  const span = spanOf(range, actor.time_zone)
  const ids = await step((db) => ordersWithExpenses(db, actor, span, filter))
  async function* orders() {
    for (const lot of lots(ids, ORDERS_AT_ONCE))
      yield await step((db) => expensesOfOrders(db, actor, span, filter, lot))
  }
  const columns = withLabour(REPORT_COLUMNS['historical-expenses'], await step((db) => seesLabour(db, actor)))
  return fileOf('historical-expenses', range, columns, added(columns, ahead(orders()), actor.time_zone))
}

export async function downloadHours(step: Step, actor: Actor, { filter }: ReportQuery) {
  const per_page = 500
  const asked = (page: number) => step((db) => hoursBySpecialist(db, actor, { filter, page, per_page, sort: 'day' }))
  const first = await asked(1)
  const columns = REPORT_COLUMNS['hours-by-specialist']
  async function* rows() {
    for (let page = 1; (page - 1) * per_page < first.total; page++)
      for (const row of (page === 1 ? first : await asked(page)).data) yield cellsOf(columns, row, actor.time_zone)
    yield totalsOf(columns, first.totals, actor.time_zone)
  }
  return fileOf('hours-by-specialist', first.range, columns, rows())
}

export async function downloadSuppliesByTruck(step: Step, actor: Actor, { filter }: ReportQuery) {
  const range = periodOf(filter.BetweenDate, today(actor))
  const span = spanOf(range, actor.time_zone)
  const trucks = await step((db) => trucksWithSupplies(db, actor, span, filter))
  async function* supplies() {
    for (const lot of lots(trucks, TRUCKS_AT_ONCE))
      yield await step((db) => suppliesOfTrucks(db, actor, span, { ...filter, Truck: lot }))
  }
  const columns = REPORT_COLUMNS['cost-supplies-by-truck']
  return fileOf('cost-supplies-by-truck', range, columns, added(columns, ahead(supplies()), actor.time_zone))
}
