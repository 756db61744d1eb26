import { sql } from 'drizzle-orm'
import type { EntryRow, EntryRows, ExpenseRow, ExpenseRows } from '#contract/reports/rows.ts'
import { DIFFERENCE, NOTE_KINDS } from '#contract/work-orders/invoices.ts'
import { trucksTable } from '../../fleet/tables.ts'
import { COMPANY, type Db, one, rows, rowsUnprepared } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { providersTable, servicesTable } from '../../providers/tables.ts'
import { filedAt } from '../../supplies/filings.ts'
import { categoriesTable, suppliesTable } from '../../supplies/tables.ts'
import { warehousesTable } from '../../warehouses/tables.ts'
import { CODE } from '../../work-orders/access.ts'
import { TRUCK_WORKSHOP } from '../../work-orders/orders/summary.ts'
import {
  invoiceNotesTable,
  invoicesTable,
  serviceAdjustmentsTable,
  tasksTable,
  workOrderServicesTable,
  workOrdersTable,
  worksTable,
  workTimesTable,
} from '../../work-orders/tables.ts'
import { seesLabour } from '../../workshops/company.ts'
import { specialistsTable } from '../../workshops/tables.ts'
import { expensesIn, type Kinds, oneOfOrNone, periodsOf } from '../expenses.ts'
import { purchases } from './purchases.ts'

/* The rows that a figure of a report is made of: those of the ledger that were added up, one by one. */

/** People who see only the warehouse's reports see only supplies; labour comes only where it is asked for. */
async function kindsOf(db: Db, actor: Actor, filter: ExpenseRows['filter']): Promise<Kinds> {
  const isAsked = (kind: 'supply' | 'service') => !filter.Kind?.length || filter.Kind.includes(kind)
  const isOfProvider = Boolean(filter.Provider?.length)
  const isOfSupply = Boolean(filter.Supply?.length || filter.Category?.length)
  const isLabour = Boolean(filter.Kind?.includes('labour')) && !isOfProvider && !isOfSupply
  return {
    supplies: isAsked('supply') && !isOfProvider,
    services: isAsked('service') && !isOfSupply && actor.may.has('reports.read'),
    labour: isLabour && (await seesLabour(db, actor)),
  }
}

/** The specialist and the work of a line `z` of labour. */
const WORKED = sql`(select concat_ws(': ', concat_ws(' ', q.names, q.last_name_p), coalesce(t.name, w.description))
  from ${worksTable} w
  join ${specialistsTable} q on q.company_id = w.company_id and q.id = z.specialist_id
  left join ${tasksTable} t on t.company_id = w.company_id and t.id = w.task_id
  where w.company_id = ${COMPANY} and w.id = z.work_id)`

/** The paper that a line `q` is of. */
const PAPER = sql`(select ${sql.raw(
  `case n.kind ${Object.entries(NOTE_KINDS)
    .map(([kind, { label }]) => `when '${kind}' then '${label} '`)
    .join(' ')} else '${DIFFERENCE} ' end`,
)} || coalesce(n.document, i.document)
  from ${invoicesTable} i left join ${invoiceNotesTable} n on n.company_id = i.company_id and n.id = q.note_id
  where i.company_id = ${COMPANY} and i.id = q.invoice_id)`

export async function listExpenseRows(db: Db, actor: Actor, query: ExpenseRows) {
  const { filter, page, per_page, sort = '-day' } = query
  const { range } = periodsOf(actor, filter.BetweenDate)
  const found = expensesIn(actor, range, filter, await kindsOf(db, actor, filter))
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  const order = sql`${sort.endsWith('amount') ? sql`e.amount` : sql`e.day`} ${direction}, e.source_id desc, e.kind, e.line_id`
  const { data, total, count, amount } = one(
    await rowsUnprepared<{ data: ExpenseRow[]; total: number; count: number; amount: number }>(
      db,
      sql`select t.*, (select coalesce(json_agg(p), '[]') from (
            select e.kind, e.line_id as id, e.source_id as work_order_id, ${CODE} as order_code, e.truck_id,
              k.code as truck_code, k.patent, ${TRUCK_WORKSHOP} as truck_workshop, e.day,
              coalesce(s.code, v.code, '') as code, coalesce(s.name, v.name, ${PAPER}, ${WORKED}) as name, c.name as category,
              p.name as provider, e.quantity as count, e.amount
            from (select e.* from ${found} order by ${order} limit ${per_page} offset ${(page - 1) * per_page}) e
            join ${workOrdersTable} o on o.company_id = ${COMPANY} and o.id = e.source_id
            join ${trucksTable} k on k.company_id = ${COMPANY} and k.id = e.truck_id
            left join ${suppliesTable} s on e.kind in ('supply', 'adjustment') and s.company_id = ${COMPANY} and s.id = e.item_id
            ${filedAt(sql`(e.day::timestamp at time zone ${actor.time_zone})`)}
            left join ${categoriesTable} c on c.company_id = ${COMPANY} and c.id = f.category_id
            left join ${workOrderServicesTable} l on e.kind = 'service' and l.company_id = ${COMPANY} and l.id = e.line_id
            left join ${servicesTable} v on v.company_id = ${COMPANY} and v.id = l.service_id
            left join ${providersTable} p on e.kind in ('service', 'invoice') and p.company_id = ${COMPANY} and p.id = e.item_id
            left join ${serviceAdjustmentsTable} q on e.kind = 'invoice' and q.company_id = ${COMPANY} and q.id = e.line_id
            left join ${workTimesTable} z on e.kind = 'labour' and z.company_id = ${COMPANY} and z.id = e.line_id
            order by ${order}) p) as data
          from (
            select count(*) as total, coalesce(sum(e.quantity), 0) as count, coalesce(sum(e.amount), 0) as amount
            from ${found}) t`,
    ),
  )
  return { data, total, page, per_page, totals: { count, amount }, range }
}

export async function listEntryRows(db: Db, actor: Actor, query: EntryRows) {
  const { filter, page, per_page, sort = '-date' } = query
  const { range, span } = periodsOf(actor, filter.BetweenDate)
  const provider = filter.Provider?.length ? sql`and ${oneOfOrNone(sql`t."providerId"`, filter.Provider)}` : sql``
  const order = sql`${sort.endsWith('total') ? sql`t.total` : sql`t.date`} ${sort.startsWith('-') ? sql`desc` : sql`asc`}, t.id`
  // Added up and shown from one look at them.
  const [found] = await rows<{ count: number; subtotal: number; total: number; data: EntryRow[] }>(
    db,
    sql`with x as materialized (select t.* from ${purchases(actor, span, filter)} ${provider})
        select count(*) as count, coalesce(sum(x.subtotal), 0) as subtotal, coalesce(sum(x.total), 0) as total, (
          select coalesce(json_agg(p), '[]') from (
            select t.id, t.date, t.document, t.warehouse_id, w.name as warehouse, t."providerId" as provider_id,
              p.name as provider, t.subtotal, t.tax, t.total
            from (select t.* from x t order by ${order} limit ${per_page} offset ${(page - 1) * per_page}) t
            join ${warehousesTable} w on w.company_id = ${COMPANY} and w.id = t.warehouse_id
            left join ${providersTable} p on p.company_id = ${COMPANY} and p.id = t."providerId"
            order by ${order}) p) as data
        from x`,
  )
  const { count = 0, subtotal = 0, total = 0, data = [] } = found ?? {}
  return { data, total: count, page, per_page, totals: { subtotal, total }, range }
}
