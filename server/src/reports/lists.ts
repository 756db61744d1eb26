import { sql } from 'drizzle-orm'
import { TAXES, type TaxType } from '#contract/base/money.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import type { FileContent } from '#contract/base/wire.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { periodOf } from '#contract/reports/periods.ts'
import type { EntriesQuery } from '#contract/reports/reports.ts'
import { typeName } from '#contract/warehouses/stock.ts'
import type { WorkOrderList, WorkOrderRow } from '#contract/work-orders/orders.ts'
import { WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import { execute } from '../platform/database/db.ts'
import { all, oneOf } from '../platform/database/lists.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { type CellValue, xlsxFile } from '../platform/outside/xlsx.ts'
import { providersTable } from '../providers/tables.ts'
import { suppliesTable } from '../supplies/tables.ts'
import { transactionLinesTable, transactionsTable, warehousesTable } from '../warehouses/tables.ts'
import { historyAfter } from '../work-orders/history.ts'
import { inScope } from '../workshops/scope.ts'
import { DAY, MOMENT, onTheWall, pesos, QUANTITY, type Step, text } from './downloads.ts'
import { spanOf, today } from './expenses.ts'

/* Lists that are only files: the history of orders, and what entered the warehouses. */

const AT_ONCE = 1000

/** The history as its screen filters it, the newest first. */
export async function downloadHistory(step: Step, actor: Actor, { filter }: Pick<WorkOrderList, 'filter'>) {
  const zone = actor.time_zone
  async function* rows(): AsyncGenerator<CellValue[]> {
    let last: number | undefined
    for (;;) {
      const lot: (WorkOrderRow & { number: number })[] = await step((db) =>
        historyAfter(db, actor, filter, last, AT_ONCE),
      )
      for (const o of lot)
        yield [
          o.code,
          onTheWall(o.created_at, zone),
          o.workshop_name,
          o.truck_code,
          showPatent(o.patent),
          o.request,
          WORK_ORDER_STATES[o.status].label,
          PRIORITIES[o.priority].label,
          o.type_maintenance,
          o.responsible_specialist,
          onTheWall(o.workshop_entry_at, zone),
          onTheWall(o.workshop_departure_at, zone),
          o.kilometer,
          o.supplies_cost,
          o.services_cost,
          o.total_cost,
        ]
      last = lot.at(-1)?.number
      if (lot.length < AT_ONCE) return
    }
  }
  const moment = (header: string) => ({ header, width: 17, numFmt: MOMENT })
  return xlsxFile(
    `Historial de órdenes de trabajo ${today(actor)}.xlsx`,
    'Órdenes de trabajo',
    [
      text('Orden', 12),
      moment('Creada'),
      text('Taller', 22),
      text('Código', 12),
      text('Patente', 12),
      text('Solicitud', 40),
      text('Estado', 14),
      text('Prioridad', 12),
      text('Tipo de mantención', 20),
      text('Responsable', 26),
      moment('Ingreso a taller'),
      moment('Salida de taller'),
      { header: 'Kilometraje', width: 13, numFmt: '#,##0' },
      pesos('Insumos'),
      pesos('Servicios'),
      pesos('Total'),
    ],
    rows(),
  )
}

interface EntryLine {
  transaction_id: number
  date: string
  type_id: number
  document: string | null
  warehouse: string
  provider: string | null
  code: string
  name: string
  quantity: number
  unit_cost: number
  tax_type: TaxType
  net_cost: number
  tax: number
  total_cost: number
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
      execute<EntryLine>(
        db,
        sql`select t.id as transaction_id, t.date, t."typeTrasactionId" as type_id, t.document, w.name as warehouse,
              p.name as provider, s.code, s.name, l.quantity, l.unit_cost, l.tax_type, l.net_cost, l.tax, l.total_cost
            from (select t.* from ${transactionsTable} t where ${where} and t.date >= ${date}::date and (t.date, t.id) > (${date}::date, ${id}::bigint)
              order by t.date, t.id limit ${AT_ONCE}) t
            join ${transactionLinesTable} l on l.company_id = t.company_id and l.transaction_id = t.id
            join ${warehousesTable} w on w.company_id = t.company_id and w.id = t.warehouse_id
            join ${suppliesTable} s on s.company_id = t.company_id and s.id = l.supply_id
            left join ${providersTable} p on p.company_id = t.company_id and p.id = t."providerId"
            order by t.date, t.id, l.id`,
      ),
    )
  async function* rows(): AsyncGenerator<CellValue[]> {
    let [date, id] = [span.from, 0]
    let [net, tax, total] = [0, 0, 0]
    for (;;) {
      const lot = await linesAfter(date, id)
      for (const l of lot) {
        net += l.net_cost
        tax += l.tax
        total += l.total_cost
        yield [
          new Date(`${l.date}T00:00:00Z`),
          typeName(l.type_id),
          l.document,
          l.warehouse,
          l.provider,
          l.code,
          l.name,
          l.quantity,
          l.unit_cost,
          TAXES[l.tax_type].label,
          l.net_cost,
          l.tax,
          l.total_cost,
        ]
      }
      const last = lot.at(-1)
      if (!last) break
      date = last.date
      id = last.transaction_id
    }
    yield ['Total', null, null, null, null, null, null, null, null, null, net, tax, total]
  }
  return xlsxFile(
    `Entradas ${range.from} a ${range.to}.xlsx`,
    'Entradas',
    [
      { header: 'Fecha', width: 12, numFmt: DAY },
      text('Movimiento', 20),
      text('Documento', 16),
      text('Bodega', 24),
      text('Proveedor', 30),
      text('Código', 16),
      text('Insumo', 40),
      { header: 'Cantidad', width: 12, numFmt: QUANTITY },
      { header: 'Costo unitario', width: 15, numFmt: QUANTITY },
      text('Impuesto', 10),
      pesos('Neto'),
      pesos('IVA'),
      pesos('Total'),
    ],
    rows(),
  )
}
