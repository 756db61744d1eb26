import { type SQL, sql } from 'drizzle-orm'
import type { HistoricalQuery, OrderExpenses } from '#contract/reports/reports.ts'
import { trucksTable } from '../fleet/tables.ts'
import { type Db, one, rows, rowsUnprepared, snapshot } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { CODE } from '../work-orders/access.ts'
import { plus } from '../work-orders/history.ts'
import { TRUCK_WORKSHOP } from '../work-orders/summary.ts'
import { maintenanceTypesTable, workOrderCostsTable, workOrdersTable } from '../work-orders/tables.ts'
import { seesLabour } from '../workshops/company.ts'
import { workshopsTable } from '../workshops/tables.ts'
import {
  expensesIn,
  lastDay,
  monthStarts,
  type Narrowing,
  periodsOf,
  perOrder,
  type Span,
  SUMS,
  type Sums,
  sumOf,
  withLabourIf,
} from './expenses.ts'

const ROW = sql`x.work_order_id, ${CODE} as code, o.truck_id, k.code as truck_code, k.patent, ${TRUCK_WORKSHOP} as truck_workshop,
  y.name as type_maintenance, o.status, o.created_at, w.name as workshop_name, x.supplies as supplies_cost,
  x.services as services_cost, x.supplies + x.services as total_cost, x.labour, x.supplies + x.services + x.labour as total_with_labour`
const NAMES = sql`
  join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
  join ${workshopsTable} w on w.company_id = o.company_id and w.id = o.workshop_id
  left join ${maintenanceTypesTable} y on y.company_id = o.company_id and y.id = o.type_maintenance_id`

const SORTS: Record<string, SQL> = {
  code: sql`o.number`,
  patent: sql`k.patent`,
  created_at: sql`o.created_at`,
  supplies_cost: sql`x.supplies`,
  services_cost: sql`x.services`,
  total_cost: sql`x.supplies + x.services`,
}

/** Where the order itself, or its truck, has what is sorted by. Its costs, which are less to read, say when it was created. */
const JOINS = new Map<SQL, SQL>([
  [SORTS.code!, sql`${workOrdersTable} o on o.id = x.work_order_id and o`],
  [SORTS.created_at!, sql`${workOrderCostsTable} o on o.id = x.work_order_id and o`],
  [SORTS.patent!, sql`${trucksTable} k on k.id = x.truck_id and k`],
])

interface Spent {
  work_order_id: number
  supplies: number
  services: number
  /** Null where it does not count. */
  labour: number | null
}

export async function historicalExpenses(db: Db, actor: Actor, query: HistoricalQuery) {
  const { filter, page, per_page, sort = '-total_cost' } = query
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const key = SORTS[sort.replace(/^-/, '')]!
  const join = JOINS.get(key)
  const order = sql`${key} ${sort.startsWith('-') ? sql`desc` : sql`asc`}, x.work_order_id desc`
  return snapshot(db, async () => {
    const counts = await seesLabour(db, actor)
    const { total, spent } = one(
      await rowsUnprepared<{ total: number; spent: Spent[] }>(
        db,
        sql`with x as materialized (${perOrder(actor, span, filter, counts)})
            select (select count(*) from x) as total, (select coalesce(json_agg(p), '[]') from (
              select x.work_order_id, x.supplies, x.services, ${labourIf(counts)} as labour
              from x ${join ? sql`join ${join}.company_id = ${actor.company_id}` : sql``}
              order by ${order} limit ${per_page} offset ${(page - 1) * per_page}) p) as spent`,
      ),
    )
    const data = await expensesOfOrders(db, actor, spent)
    const place = new Map(spent.map(({ work_order_id }, i) => [work_order_id, i]))
    data.sort((a, b) => place.get(a.work_order_id)! - place.get(b.work_order_id)!)
    const months = await spentPerMonth(db, actor, span, filter, counts)
    const was = one(
      await rowsUnprepared<Sums>(
        db,
        sql`select ${SUMS} from ${expensesIn(actor, earlier, filter, withLabourIf(counts))}`,
      ),
    )
    const supplies_cost = sumOf(months, (m) => m.supplies_cost)
    const services_cost = sumOf(months, (m) => m.services_cost)
    const total_cost = supplies_cost + services_cost
    const labour = counts ? sumOf(months, (m) => m.labour ?? 0) : null
    const before_cost = was.supplies + was.services
    const totals = {
      supplies_cost,
      services_cost,
      total_cost,
      labour,
      total_with_labour: plus(total_cost, labour),
      before_cost,
      before_with_labour: counts ? before_cost + was.labour : null,
    }
    return { data, total, page, per_page, months, totals, range, before }
  })
}

const labourIf = (counts: boolean) => (counts ? sql`x.labour` : sql`null::bigint`)

/** Each month of a period, also those in which nothing was spent. */
export async function spentPerMonth(db: Db, actor: Actor, span: Span, filter: Narrowing, counts: boolean) {
  const starts = monthStarts(span)
  const last = starts.map((start) => lastDay(start.slice(0, 7)))
  const days = { from: sql`greatest(m.first, ${span.from}::date)`, to: sql`least(m.last, ${span.to}::date)` }
  const spent = await rowsUnprepared<Sums & { month: string }>(
    db,
    sql`select to_char(m.first, 'YYYY-MM') as month, s.*
        from unnest(${sql.param(starts)}::date[], ${sql.param(last)}::date[]) as m (first, last)
        cross join lateral (select ${SUMS} from ${expensesIn(actor, days, filter, withLabourIf(counts))}) s
        order by m.first`,
  )
  return spent.map(({ month, supplies, services, labour }) => ({
    month,
    supplies_cost: supplies,
    services_cost: services,
    total_cost: supplies + services,
    labour: counts ? labour : null,
    total_with_labour: counts ? supplies + services + labour : null,
  }))
}

/* For the file: what the orders spent, and then the rest of what is said about some of them at a time. */

export async function ordersWithExpenses(db: Db, actor: Actor, span: Span, filter: Narrowing) {
  const counts = await seesLabour(db, actor)
  return rowsUnprepared<Spent>(
    db,
    sql`select x.work_order_id, x.supplies, x.services, ${labourIf(counts)} as labour
        from (${perOrder(actor, span, filter, counts)}) x order by 1`,
  )
}

export const expensesOfOrders = (db: Db, actor: Actor, spent: Spent[]) => {
  const column = (field: keyof Spent) => sql.param(spent.map((order) => order[field]))
  return rows<OrderExpenses>(
    db,
    sql`select ${ROW} from unnest(${column('work_order_id')}::bigint[], ${column('supplies')}::numeric[],
          ${column('services')}::numeric[], ${column('labour')}::numeric[]) x (work_order_id, supplies, services, labour)
        join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = x.work_order_id ${NAMES}
        order by x.work_order_id`,
  )
}
