import { type SQL, sql } from 'drizzle-orm'
import type { HistoricalQuery, OrderExpenses } from '#contract/reports/reports.ts'
import { trucksTable } from '../../fleet/tables.ts'
import { COMPANY, type Db, one, rowsUnprepared, snapshot } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { CODE } from '../../work-orders/access.ts'
import { plus } from '../../work-orders/orders/history.ts'
import { TRUCK_WORKSHOP } from '../../work-orders/orders/summary.ts'
import { maintenanceTypesTable, workOrderCostsTable, workOrdersTable } from '../../work-orders/tables.ts'
import { seesLabour } from '../../workshops/company.ts'
import { workshopsTable } from '../../workshops/tables.ts'
import {
  expensesIn,
  monthStarts,
  type Narrowing,
  periodsOf,
  perOrder,
  SERVICES,
  type Span,
  SUMS,
  SUPPLIES,
  type Sums,
  spentPerDay,
  sumOf,
  withLabourIf,
} from '../expenses.ts'
import { NOT_LABOUR, type OrderSort, pageOfOrders } from './orders.ts'

const SORTS: Record<string, OrderSort> = {
  code: { by: sql`o.number`, join: sql`${workOrdersTable} o on o.id = x.work_order_id and o` },
  created_at: { by: sql`o.created_at`, join: sql`${workOrderCostsTable} o on o.id = x.work_order_id and o` },
  patent: {
    by: sql`k.patent`,
    join: sql`${workOrderCostsTable} o on o.company_id = ${COMPANY} and o.id = x.work_order_id
      join ${trucksTable} k on k.id = o.truck_id and k`,
  },
  supplies_cost: { by: sql`x.amount`, of: SUPPLIES },
  services_cost: { by: sql`x.amount`, of: SERVICES },
  total_cost: { by: sql`x.amount`, of: NOT_LABOUR },
}

export async function historicalExpenses(db: Db, actor: Actor, query: HistoricalQuery) {
  const { filter, page, per_page, sort = '-total_cost' } = query
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  const order = { ...SORTS[sort.replace(/^-/, '')]!, direction, tie: sql`desc` }
  return snapshot(db, async () => {
    const counts = await seesLabour(db, actor)
    const { total, ids } = await pageOfOrders(db, actor, span, filter, counts, order, { page, per_page })
    const data = await expensesOfOrders(db, actor, span, filter, ids)
    data.sort((a, b) => ids.indexOf(a.work_order_id) - ids.indexOf(b.work_order_id))
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

/** Each month of a period, also those in which nothing was spent. */
export async function spentPerMonth(db: Db, actor: Actor, span: Span, filter: Narrowing, counts: boolean) {
  const perMonth = Map.groupBy(await spentPerDay(db, actor, span, filter, counts), ({ day }) => day.slice(0, 7))
  return monthStarts(span).map((start) => {
    const month = start.slice(0, 7)
    const days = perMonth.get(month) ?? []
    const supplies_cost = sumOf(days, ({ supplies }) => supplies)
    const services_cost = sumOf(days, ({ services }) => services)
    const total_cost = supplies_cost + services_cost
    const labour = counts ? sumOf(days, (day) => day.labour) : null
    return { month, supplies_cost, services_cost, total_cost, labour, total_with_labour: plus(total_cost, labour) }
  })
}

/** The orders that spent something, for the file, which asks for some of them at a time. */
export async function ordersWithExpenses(db: Db, actor: Actor, span: Span, filter: Narrowing) {
  const kinds = withLabourIf(await seesLabour(db, actor))
  const found = await rowsUnprepared<{ id: number }>(
    db,
    sql`select distinct e.source_id as id from ${expensesIn(actor, span, filter, kinds)} order by 1`,
  )
  return found.map(({ id }) => id)
}

export async function expensesOfOrders(db: Db, actor: Actor, span: Span, filter: Narrowing, Order: number[]) {
  if (Order.length === 0) return []
  const counts = await seesLabour(db, actor)
  const labour = (column: SQL) => (counts ? column : sql`null::bigint`)
  return rowsUnprepared<OrderExpenses>(
    db,
    sql`select x.work_order_id, ${CODE} as code, o.truck_id, k.code as truck_code, k.patent, ${TRUCK_WORKSHOP} as truck_workshop,
          y.name as type_maintenance, o.status, o.created_at, w.name as workshop_name, x.supplies as supplies_cost,
          x.services as services_cost, x.supplies + x.services as total_cost, ${labour(sql`x.labour`)} as labour,
          ${labour(sql`x.supplies + x.services + x.labour`)} as total_with_labour
        from (${perOrder(actor, span, { ...filter, Order }, counts)}) x
        join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = x.work_order_id
        join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
        join ${workshopsTable} w on w.company_id = o.company_id and w.id = o.workshop_id
        left join ${maintenanceTypesTable} y on y.company_id = o.company_id and y.id = o.type_maintenance_id
        order by x.work_order_id`,
  )
}
