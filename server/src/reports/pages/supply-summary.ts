import { sql } from 'drizzle-orm'
import { daysBetween } from '#contract/base/dates.ts'
import { OPEN_PURCHASES } from '#contract/purchasing/purchasing.ts'
import type { Arrival, SupplySummary } from '#contract/reports/pages.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import { trucksTable } from '../../fleet/tables.ts'
import { coded } from '../../platform/database/counters.ts'
import { type Db, one, rows, rowsUnprepared } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { providersTable } from '../../providers/tables.ts'
import { purchaseOrderLinesTable, purchaseOrdersTable } from '../../purchasing/tables.ts'
import { supplyCostsTable } from '../../supplies/tables.ts'
import { supplyStock } from '../../warehouses/stock/of-supply.ts'
import {
  movementsTable,
  stockTable,
  transactionLinesTable,
  transactionsTable,
  warehousesTable,
} from '../../warehouses/tables.ts'
import { CODE } from '../../work-orders/access.ts'
import { workOrdersTable } from '../../work-orders/tables.ts'
import { inScope } from '../../workshops/scope.ts'
import { expensesIn, lastMonths, rangeOf, type Span, spanOf, sumOf, today } from '../expenses.ts'

/** As many prices and purchases as can be told apart in a chart. */
const POINTS = 150
const SHOWN = 8

/** What a storekeeper asks of a supply. What was used is what the reports count, line by line. */
export async function supplySummary(db: Db, actor: Actor, id: number): Promise<SupplySummary> {
  const stock = await supplyStock(db, actor, id)
  const months = lastMonths(actor)
  const range = rangeOf(months)
  const span = spanOf(range, actor.time_zone)
  const arrivals = await arrivalsOf(db, actor, id)
  const costs = await rows<SupplySummary['costs'][number]>(
    db,
    sql`select k.at, k.cost, k.source from ${supplyCostsTable} k
        where k.company_id = ${actor.company_id} and k.supply_id = ${id} order by k.at desc, k.id desc limit ${POINTS}`,
  )
  const purchases = await rows<SupplySummary['purchases'][number]>(
    db,
    sql`select t.id as transaction_id, t.warehouse_id, t.date, t.document, p.name as provider, l.quantity, l.unit_cost
        from ${transactionLinesTable} l
        join ${transactionsTable} t on t.company_id = l.company_id and t.id = l.transaction_id
        left join ${providersTable} p on p.company_id = t.company_id and p.id = t."providerId"
        where ${inScope(actor, sql`t`)} and l.company_id = ${actor.company_id} and l.supply_id = ${id}
          and t."typeTrasactionId" = ${typeNamed('entry', 'purchase')} and t.voided_at is null
        order by t.date desc, t.id desc limit ${POINTS}`,
  )
  const used = await usedIn(db, actor, span, id)
  const exits = await exitsIn(db, actor, span, id)
  return {
    range,
    stock: stock.data.map((place) => ({
      ...place,
      on_order: sumOf(
        arrivals.filter(({ warehouse_id }) => warehouse_id === place.warehouse_id),
        ({ quantity }) => quantity,
      ),
    })),
    costs: costs.reverse(),
    purchases: purchases.reverse(),
    months: months.map((month) => {
      const { count = 0, amount = 0, orders = 0 } = used.months.find((one) => one.month === month) ?? {}
      return { month, count, amount, orders, exits: exits.get(month) ?? 0 }
    }),
    trucks: used.trucks,
    trucks_count: used.trucks_count,
    orders: used.orders,
    orders_count: used.orders_count,
    arrivals,
  }
}

/** Ordered and not received, the first to come first. */
async function arrivalsOf(db: Db, actor: Actor, supply: number): Promise<Arrival[]> {
  const now = today(actor)
  const found = await rows<Omit<Arrival, 'days_late'>>(
    db,
    sql`select o.id as purchase_order_id, ${coded('OC', sql`o.number`)} as code, o.status, o.warehouse_id,
          w.name as warehouse, o.provider_id, p.name as provider, l.quantity - l.received as quantity, l.promised_on,
          o."deliveryAt" as wanted_on
        from ${purchaseOrderLinesTable} l
        join ${purchaseOrdersTable} o on o.company_id = l.company_id and o.id = l.purchase_order_id
        join ${warehousesTable} w on w.company_id = o.company_id and w.id = o.warehouse_id
        join ${providersTable} p on p.company_id = o.company_id and p.id = o.provider_id
        where ${inScope(actor, sql`o`)} and l.company_id = ${actor.company_id} and l.supply_id = ${supply}
          and l.received < l.quantity and o.status = any(${sql.param(OPEN_PURCHASES)}::text[])
        order by coalesce(l.promised_on, o."deliveryAt") nulls last, o.number`,
  )
  return found.map((one) => {
    const day = one.promised_on ?? one.wanted_on
    return { ...one, days_late: day === null ? 0 : Math.max(0, daysBetween(day, now)) }
  })
}

type Used = Pick<SupplySummary, 'trucks' | 'trucks_count' | 'orders' | 'orders_count'> & {
  months: Omit<SupplySummary['months'][number], 'exits'>[]
}

/** The rows that reports add up, of one supply. */
const usedIn = async (db: Db, actor: Actor, span: Span, supply: number) =>
  one(
    await rowsUnprepared<Used>(
      db,
      sql`with x as materialized (
            select e.source_id as work_order_id, e.truck_id, e.day, e.quantity as count, e.amount
            from ${expensesIn(actor, span, { Supply: [supply] }, { supplies: true })}),
          y as materialized (
            select work_order_id, truck_id, max(day) as day, sum(count) as count, sum(amount) as amount from x group by 1, 2)
          select (select coalesce(json_agg(m), '[]') from (
              select to_char(x.day, 'YYYY-MM') as month, sum(x.count) as count, sum(x.amount) as amount,
                count(distinct x.work_order_id) as orders
              from x group by 1) m) as months,
            (select coalesce(json_agg(t), '[]') from (
              select y.truck_id, k.code as truck_code, k.patent, sum(y.count) as count, sum(y.amount) as amount,
                count(*) as orders, max(y.day) as last_on
              from y join ${trucksTable} k on k.company_id = ${actor.company_id} and k.id = y.truck_id
              group by 1, 2, 3 order by sum(y.count) desc, k.code limit ${SHOWN}) t) as trucks,
            (select count(distinct y.truck_id) from y) as trucks_count,
            (select coalesce(json_agg(r), '[]') from (
              select y.work_order_id, ${CODE} as code, y.truck_id, k.code as truck_code, k.patent, y.day, y.count, y.amount
              from (select * from y order by y.day desc, y.work_order_id desc limit ${SHOWN}) y
              join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = y.work_order_id
              join ${trucksTable} k on k.company_id = ${actor.company_id} and k.id = y.truck_id
              order by y.day desc, y.work_order_id desc) r) as orders,
            (select count(*) from y) as orders_count`,
    ),
  )

/** Consumed or lost without an order, by month. What was voided stands beside what it undoes. */
async function exitsIn(db: Db, actor: Actor, span: Span, supply: number) {
  const kinds = [typeNamed('exit', 'consumption'), typeNamed('exit', 'waste')]
  const found = await rows<{ month: string; quantity: number }>(
    db,
    sql`select to_char(m.at at time zone ${actor.time_zone}, 'YYYY-MM') as month, -sum(m.quantity) as quantity
        from ${stockTable} s
        join ${warehousesTable} w on w.company_id = s.company_id and w.id = s.warehouse_id and ${inScope(actor, sql`w`)}
        join ${movementsTable} m on m.company_id = s.company_id and m.warehouse_id = s.warehouse_id
          and m.supply_id = s.supply_id and m.at >= ${span.start}::timestamptz and m.at < ${span.end}::timestamptz
        where s.company_id = ${actor.company_id} and s.supply_id = ${supply} and m.origin is null
          and m."typeTrasactionId" = any(${sql.param(kinds)}::smallint[])
        group by 1`,
  )
  return new Map(found.map(({ month, quantity }) => [month, quantity]))
}
