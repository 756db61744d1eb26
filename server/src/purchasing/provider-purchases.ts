import { sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import { OPEN_PURCHASES, type ProviderPurchases } from '#contract/purchasing/purchasing.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { requireProvider } from '../providers/providers.ts'
import { transactionLinesTable, transactionsTable } from '../warehouses/tables.ts'
import { inScope } from '../workshops/scope.ts'
import { purchaseOrderLinesTable, purchaseOrdersTable, purchaseReceiptsTable } from './tables.ts'

const MONTHS = 12

/** What was bought from a provider, in the workshops the person sees: a shared provider sells to several. */
const PURCHASE = typeNamed('entry', 'purchase')
const RETURN = typeNamed('exit', 'provider_return')

export async function providerPurchases(db: Db, actor: Actor, id: number): Promise<ProviderPurchases> {
  await requireProvider(db, actor, id)
  const today = dayOf(new Date(), actor.time_zone)
  const bought = sql`${inScope(actor, sql`t`)} and t."providerId" = ${id}
    and t."typeTrasactionId" in (${PURCHASE}, ${RETURN}) and t.voided_at is null`
  // What went back to the provider was not bought.
  const signed = sql`case when t."typeTrasactionId" = ${RETURN} then -t.total else t.total end`
  const isEntry = sql`t."typeTrasactionId" = ${PURCHASE}`
  const months = await rows<ProviderPurchases['months'][number]>(
    db,
    sql`select to_char(m, 'YYYY-MM') as month, coalesce(sum(${signed}), 0) as total, count(t.id) filter (where ${isEntry}) as entries
        from generate_series(date_trunc('month', ${today}::timestamp) - make_interval(months => ${MONTHS - 1}),
          date_trunc('month', ${today}::timestamp), interval '1 month') m
        left join ${transactionsTable} t on ${bought} and t.date >= m::date and t.date < (m + interval '1 month')::date
        group by m order by m`,
  )
  const entries = await row<{ entries_count: number; last_on: string | null }>(
    db,
    sql`select count(*) filter (where ${isEntry}) as entries_count, max(t.date) filter (where ${isEntry}) as last_on from ${transactionsTable} t where ${bought}`,
  )
  const orders = await row<{ orders_count: number; open_orders: number; last_on: string | null }>(
    db,
    sql`select count(*) as orders_count,
          count(*) filter (where o.status = any(${sql.param(OPEN_PURCHASES)})) as open_orders,
          max((o.created_at at time zone ${actor.time_zone})::date) as last_on
        from ${purchaseOrdersTable} o where ${inScope(actor, sql`o`)} and o.provider_id = ${id}`,
  )
  // What came, entry by entry, against the day it was promised for.
  const deliveries = await row<Pick<ProviderPurchases, 'deliveries' | 'late_deliveries' | 'average_days_late'>>(
    db,
    sql`select count(*) as deliveries, count(*) filter (where d.days > 0) as late_deliveries,
          round(avg(d.days), 1) as average_days_late
        from (
          select greatest(coalesce(t.date_delivery, t.date) - l.promised_on, 0) as days from ${purchaseOrdersTable} o
          join ${purchaseOrderLinesTable} l on l.company_id = o.company_id and l.purchase_order_id = o.id
          join ${purchaseReceiptsTable} r on r.company_id = o.company_id and r.purchase_order_id = o.id
          join ${transactionsTable} t on t.company_id = r.company_id and t.id = r.transaction_id and t.voided_at is null
          join ${transactionLinesTable} k on k.company_id = t.company_id and k.transaction_id = t.id and k.supply_id = l.supply_id
          where ${inScope(actor, sql`o`)} and o.provider_id = ${id} and l.promised_on is not null) d`,
  )
  const overdue = await row<{ lines: number }>(
    db,
    sql`select count(*) as lines from ${purchaseOrdersTable} o
        join ${purchaseOrderLinesTable} l on l.company_id = o.company_id and l.purchase_order_id = o.id
        where ${inScope(actor, sql`o`)} and o.provider_id = ${id} and l.received < l.quantity and l.promised_on < ${today}::date
          and o.status = any(${sql.param(OPEN_PURCHASES)})`,
  )
  const days = [entries?.last_on, orders?.last_on].filter((day) => typeof day === 'string').sort()
  return {
    last_on: days.at(-1) ?? null,
    months,
    entries_count: entries?.entries_count ?? 0,
    orders_count: orders?.orders_count ?? 0,
    open_orders: orders?.open_orders ?? 0,
    deliveries: deliveries?.deliveries ?? 0,
    late_deliveries: deliveries?.late_deliveries ?? 0,
    average_days_late: deliveries?.average_days_late ?? null,
    overdue_lines: overdue?.lines ?? 0,
  }
}
