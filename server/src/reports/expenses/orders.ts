import { type SQL, sql } from 'drizzle-orm'
import type { OrderRow, OrderRows } from '#contract/reports/rows.ts'
import { trucksTable } from '../../fleet/tables.ts'
import { type Db, one, rowsUnprepared } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { CODE } from '../../work-orders/access.ts'
import { TRUCK_WORKSHOP } from '../../work-orders/orders/summary.ts'
import { workOrdersTable } from '../../work-orders/tables.ts'
import { seesLabour } from '../../workshops/company.ts'
import { type ExpenseFilter, expensesIn, periodsOf, perOrder, type Span, withLabourIf } from '../expenses.ts'

export interface OrderSort {
  by: SQL
  /** The table that has it. The costs of an order, which are less to read, have its creation too. */
  join?: SQL
  /** The kinds that are added up for it. */
  of?: SQL
}
export const NOT_LABOUR = sql`e.kind <> 'labour'`

/**
 * A page of the orders with expenses: how many there are, the sum that they are sorted by, and the ids of the page. All
 * orders are added up only by that; the rest is added up for the page.
 */
export const pageOfOrders = async (
  db: Db,
  actor: Actor,
  span: Span,
  filter: ExpenseFilter,
  labour: boolean,
  { by, join, of, direction, tie }: OrderSort & { direction: SQL; tie: SQL },
  { page, per_page }: { page: number; per_page: number },
) =>
  one(
    await rowsUnprepared<{ total: number; amount: number; ids: number[] }>(
      db,
      sql`with x as materialized (
            select e.source_id as work_order_id,
              ${of ? sql`coalesce(sum(e.amount) filter (where ${of}), 0)` : sql`0`} as amount
            from ${expensesIn(actor, span, filter, withLabourIf(labour))} group by 1)
          select count(*) as total, coalesce(sum(x.amount), 0) as amount, (
            select coalesce(json_agg(p.work_order_id), '[]') from (
              select x.work_order_id from x ${join ? sql`join ${join}.company_id = ${actor.company_id}` : sql``}
              order by ${by} ${direction}, x.work_order_id ${tie} limit ${per_page} offset ${(page - 1) * per_page}) p) as ids
          from x`,
    ),
  )

const BY_NUMBER = { by: sql`o.number`, join: sql`${workOrdersTable} o on o.id = x.work_order_id and o`, of: NOT_LABOUR }
const BY_AMOUNT = { by: sql`x.amount`, of: NOT_LABOUR }

/** The orders with expenses in the period, each once. */
export async function listOrders(db: Db, actor: Actor, query: OrderRows) {
  const { range, span } = periodsOf(actor, query.filter.BetweenDate)
  return { ...(await ordersIn(db, actor, query, span)), range }
}

/** The same of a period that is known. */
export async function ordersIn(
  db: Db,
  actor: Actor,
  { filter, page, per_page, sort = '-code' }: OrderRows,
  span: Span,
) {
  const counts = await seesLabour(db, actor)
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  const order = { ...(sort.endsWith('amount') ? BY_AMOUNT : BY_NUMBER), direction, tie: sql`asc` }
  const { total, amount, ids } = await pageOfOrders(db, actor, span, filter, counts, order, { page, per_page })
  const data =
    ids.length === 0
      ? []
      : await rowsUnprepared<OrderRow>(
          db,
          sql`select x.work_order_id, ${CODE} as code, o.truck_id, k.code as truck_code, k.patent,
                ${TRUCK_WORKSHOP} as truck_workshop, o.status, o.request, o.created_at, x.supplies + x.services as amount,
                ${counts ? sql`x.labour` : sql`null::bigint`} as labour
              from (${perOrder(actor, span, { ...filter, Order: ids }, counts)}) x
              join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = x.work_order_id
              join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id`,
        )
  data.sort((a, b) => ids.indexOf(a.work_order_id) - ids.indexOf(b.work_order_id))
  return { data, total, page, per_page, totals: { amount } }
}
