import { sql } from 'drizzle-orm'
import { addMonths } from '#contract/base/dates.ts'
import { OPEN_PURCHASES } from '#contract/purchasing/purchasing.ts'
import type { PriceMove, ProviderSummary } from '#contract/reports/pages.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import { PAYABLE_STATE_NAMES } from '#contract/work-orders/payables.ts'
import { coded } from '../../platform/database/counters.ts'
import { COMPANY, type Db, one, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { requireProvider } from '../../providers/providers.ts'
import { providerPurchases } from '../../purchasing/provider-purchases.ts'
import { purchaseOrderLinesTable, purchaseOrdersTable, purchaseReceiptsTable } from '../../purchasing/tables.ts'
import { measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import { transactionLinesTable, transactionsTable } from '../../warehouses/tables.ts'
import { listPayables } from '../../work-orders/payables.ts'
import { inScope } from '../../workshops/scope.ts'
import { purchases } from '../expenses/purchases.ts'
import { expensesIn, lastMonths, periodsOf, rangeOf, type Span, sumOf, today } from '../expenses.ts'

const SHOWN = 8
/** A price older than this is no price any more. */
const YEARS = 3

/** What an owner asks of a provider. What was spent is what the report by provider says of it. */
export async function providerSummary(db: Db, actor: Actor, id: number): Promise<ProviderSummary> {
  await requireProvider(db, actor, id)
  const months = lastMonths(actor)
  const asked = rangeOf(months)
  const { range, before, span, earlier } = periodsOf(actor, `${asked.from},${asked.to}`)
  const spent = await spentIn(db, actor, span, id)
  const then = await spentIn(db, actor, earlier, id)
  const services_cost = sumOf(spent, (month) => month.services_cost)
  const purchases_net = sumOf(spent, (month) => month.purchases_net)
  const seesStock = actor.may.has('warehouses.read')
  const { prices, ...counts } = seesStock
    ? await pricesOf(db, actor, id)
    : { prices: [], prices_count: 0, risen_count: 0 }
  const filter = { Provider: [id] }
  const seesPapers = actor.may.has('payables.read')
  const owed = seesPapers && (await listPayables(db, actor, { filter, page: 1, per_page: 1 }))
  const papers =
    seesPapers &&
    (await listPayables(db, actor, {
      filter: { ...filter, State: PAYABLE_STATE_NAMES },
      page: 1,
      per_page: SHOWN,
      sort: '-date',
    }))
  return {
    range,
    before,
    spent: {
      services_cost,
      purchases_net,
      total: services_cost + purchases_net,
      before: sumOf(then, (month) => month.services_cost + month.purchases_net),
    },
    months: months.map((month) => {
      const found = spent.find((one) => one.month === month)
      return { month, services_cost: found?.services_cost ?? 0, purchases_net: found?.purchases_net ?? 0 }
    }),
    purchases: seesStock ? await providerPurchases(db, actor, id) : null,
    late: seesStock ? await lateOf(db, actor, id) : [],
    prices,
    ...counts,
    owed: owed ? { ...owed.totals, count: owed.total } : null,
    documents: papers ? papers.data : [],
  }
}

/** Services of orders and net purchases of one provider, by month. */
const spentIn = (db: Db, actor: Actor, span: Span, id: number) =>
  rows<{ month: string; services_cost: number; purchases_net: number }>(
    db,
    sql`select to_char(x.day, 'YYYY-MM') as month, sum(x.services) as services_cost, sum(x.purchases) as purchases_net from (
          select e.day, e.amount as services, 0::numeric as purchases
          from ${expensesIn(actor, span, { Provider: [id] }, { services: true })}
          union all
          select t.date, 0, t.subtotal from ${purchases(actor, span, {})} and t."providerId" = ${id}) x
        group by 1`,
  )

/** Lines of orders as `l`, with what they are called. */
const NAMED = sql`join ${suppliesTable} s on s.company_id = l.company_id and s.id = l.supply_id
  left join ${measurementUnitsTable} m on m.company_id = s.company_id and m.id = s.measurement_units_id`
const LINES = sql`${purchaseOrderLinesTable} l on l.company_id = ${COMPANY} and l.purchase_order_id = o.id
  and l.purchase_order_id = any(array(select id from o))`
const LATE = sql`l.supply_id, s.code, s.name, m.name as unit, o.id as purchase_order_id,
  ${coded('OC', sql`o.number`)} as order_code, o.warehouse_id, l.promised_on`

/** As the figures of its purchases count it: entry by entry against the promised day, and what is missing today. */
const lateOf = (db: Db, actor: Actor, id: number) =>
  rows<ProviderSummary['late'][number]>(
    db,
    // The orders and their receipts are looked up first, because the planner expects one row of a company that is new in its
    // statistics, and would compare every line of the company with every order.
    sql`with o as materialized (
            select * from ${purchaseOrdersTable} o where ${inScope(actor, sql`o`)} and o.provider_id = ${id}),
          r as materialized (
            select r.* from ${purchaseReceiptsTable} r
            where r.company_id = ${actor.company_id} and r.purchase_order_id = any(array(select id from o)))
        select * from (
          select ${LATE}, null::date as received_on, ${today(actor)}::date - l.promised_on as days
          from o join ${LINES} ${NAMED}
          where l.received < l.quantity
            and l.promised_on < ${today(actor)}::date and o.status = any(${sql.param(OPEN_PURCHASES)}::text[])
          union all
          select ${LATE}, coalesce(t.date_delivery, t.date), coalesce(t.date_delivery, t.date) - l.promised_on
          from o join ${LINES} ${NAMED}
          join r on r.purchase_order_id = o.id
          join ${transactionsTable} t on t.company_id = ${COMPANY} and t.id = r.transaction_id and t.voided_at is null
          join ${transactionLinesTable} k on k.company_id = t.company_id and k.transaction_id = t.id
            and k.transaction_id = any(array(select transaction_id from r)) and k.supply_id = l.supply_id
          where coalesce(t.date_delivery, t.date) > l.promised_on) x
        order by x.received_on desc nulls first, x.days desc, x.purchase_order_id, x.code limit ${SHOWN}`,
  )

/**
 * Of what was bought from it: the last price, the one before and that of a year before, by what the rise makes in a year.
 */
const pricesOf = async (db: Db, actor: Actor, id: number) =>
  one(
    await rows<{ prices: PriceMove[]; prices_count: number; risen_count: number }>(
      db,
      // The entries are materialized because the planner expects one row of a company that is new in its statistics, and
      // would compare every line of the company with every entry.
      sql`with t as materialized (
            select t.id, t.date from ${transactionsTable} t
            where ${inScope(actor, sql`t`)} and t."providerId" = ${id} and t.voided_at is null
              and t."typeTrasactionId" = ${typeNamed('entry', 'purchase')}
              and t.date >= ${addMonths(today(actor), -12 * YEARS)}::date),
          b as (
            select l.supply_id, l.unit_cost, l.quantity, t.date, t.id, max(t.date) over (partition by l.supply_id) as newest
            from t join ${transactionLinesTable} l
              on l.company_id = ${actor.company_id} and l.transaction_id = any(array(select id from t)) and l.transaction_id = t.id),
          p as (
            select b.supply_id, max(b.newest) as last_on,
              (array_agg(b.unit_cost order by b.date desc, b.id desc))[1] as last,
              (array_agg(b.date order by b.date desc, b.id desc))[2] as before_on,
              (array_agg(b.unit_cost order by b.date desc, b.id desc))[2] as before,
              (array_agg(b.date order by b.date desc, b.id desc) filter (where b.date <= (b.newest - interval '1 year')))[1] as year_ago_on,
              (array_agg(b.unit_cost order by b.date desc, b.id desc) filter (where b.date <= (b.newest - interval '1 year')))[1] as year_ago,
              coalesce(sum(b.quantity) filter (where b.date > ${addMonths(today(actor), -12)}::date), 0) as quantity
            from b group by 1),
          r as (select p.*, greatest(p.last - p.before, p.last - p.year_ago) as rise from p)
          select (select coalesce(json_agg(x), '[]') from (
              select r.supply_id, s.code, s.name, m.name as unit, r.last_on, r.last, r.before_on, r.before, r.year_ago_on,
                r.year_ago, r.quantity
              from r join ${suppliesTable} s on s.company_id = ${actor.company_id} and s.id = r.supply_id
              left join ${measurementUnitsTable} m on m.company_id = s.company_id and m.id = s.measurement_units_id
              where r.rise > 0
              order by r.rise * r.quantity desc, r.rise / nullif(r.last, 0) desc, s.code limit ${SHOWN}) x) as prices,
            (select count(*) from r) as prices_count, (select count(*) from r where r.rise > 0) as risen_count`,
    ),
  )
