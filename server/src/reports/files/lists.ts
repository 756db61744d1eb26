import { sql } from 'drizzle-orm'
import type { FileContent } from '#contract/base/wire.ts'
import { ENTRY_COLUMNS, type EntryLine, HISTORY_COLUMNS, withLabour } from '#contract/reports/columns.ts'
import { periodOf } from '#contract/reports/periods.ts'
import type { EntriesQuery } from '#contract/reports/reports.ts'
import type { WorkOrderList } from '#contract/work-orders/orders.ts'
import { all, oneOf } from '../../platform/database/conditions.ts'
import { COMPANY, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { xlsxFile } from '../../platform/outside/xlsx.ts'
import { providersTable } from '../../providers/tables.ts'
import { suppliesTable } from '../../supplies/tables.ts'
import { transactionLinesTable, transactionsTable, warehousesTable } from '../../warehouses/tables.ts'
import { historyAfter } from '../../work-orders/orders/history.ts'
import { seesLabour } from '../../workshops/company.ts'
import { inScope } from '../../workshops/scope.ts'
import { spanOf, today } from '../expenses.ts'
import { added, ahead, cellsOf, headersOf, type Step } from './downloads.ts'

/* Lists that are only files: the history of orders, and what entered the warehouses. */

/** Few enough that whoever else asks meanwhile does not notice. */
const AT_ONCE = 250

/** The history as its screen filters it, the newest first. */
export async function downloadHistory(step: Step, actor: Actor, { filter }: Pick<WorkOrderList, 'filter'>) {
  const columns = withLabour(HISTORY_COLUMNS, await step((db) => seesLabour(db, actor)))
  const asked = { columns: Object.keys(columns), limit: AT_ONCE }
  async function* lots() {
    let [last, isLast]: [number | undefined, boolean] = [undefined, false]
    while (!isLast) {
      const lot = await step((db) => historyAfter(db, actor, filter, last, asked))
      yield lot.data.map((order) => cellsOf(columns, order, actor.time_zone))
      ;({ last, isLast } = lot)
    }
  }
  return xlsxFile(
    `Historial de órdenes de trabajo ${today(actor)}.xlsx`,
    'Órdenes de trabajo',
    headersOf(columns),
    ahead(lots()),
  )
}

/** What entered the warehouses and was not voided, line by line. */
export async function downloadEntries(step: Step, actor: Actor, { filter }: EntriesQuery): Promise<FileContent> {
  const range = periodOf(filter.BetweenDate, today(actor))
  const span = spanOf(range, actor.time_zone)
  const where = all([
    inScope(actor, sql`t`, filter.WorkshopId),
    oneOf(sql`t.warehouse_id`, filter.Warehouse),
    sql`t.type = 'entry' and t.voided_at is null and t.date >= ${span.from}::date and t.date <= ${span.to}::date`,
    filter.Truck?.length ? sql`false` : undefined,
  ])
  const linesAfter = (date: string, id: number) =>
    step((db) =>
      rows<EntryLine & { transaction_id: number }>(
        db,
        sql`select t.id as transaction_id, t.date, t."typeTrasactionId" as type_id, t.document, w.name as warehouse,
              p.name as provider, s.code, s.name, l.quantity, l.unit_cost, l.tax_type, l.net_cost, l.tax, l.total_cost
            from (select t.* from ${transactionsTable} t where ${where} and t.date >= ${date}::date and (t.date, t.id) > (${date}::date, ${id}::bigint)
              order by t.date, t.id limit ${AT_ONCE}) t
            join ${transactionLinesTable} l on l.company_id = ${COMPANY} and l.transaction_id = t.id
            join ${warehousesTable} w on w.company_id = ${COMPANY} and w.id = t.warehouse_id
            join ${suppliesTable} s on s.company_id = ${COMPANY} and s.id = l.supply_id
            left join ${providersTable} p on p.company_id = ${COMPANY} and p.id = t."providerId"
            order by t.date, t.id, l.id`,
      ),
    )
  async function* lots() {
    let [date, id] = [span.from, 0]
    for (;;) {
      const lot = await linesAfter(date, id)
      yield lot
      const last = lot.at(-1)
      if (!last) return
      date = last.date
      id = last.transaction_id
    }
  }
  return xlsxFile(
    `Entradas ${range.from} a ${range.to}.xlsx`,
    'Entradas',
    headersOf(ENTRY_COLUMNS),
    added(ENTRY_COLUMNS, ahead(lots()), actor.time_zone),
  )
}
