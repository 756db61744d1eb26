import { type SQL, sql } from 'drizzle-orm'
import type { ProviderExpenses, ReportFilter, ReportQuery } from '#contract/reports/reports.ts'
import { PRICE_NOTE_IDS, PRICE_NOTES, typeNamed } from '#contract/warehouses/stock.ts'
import { type Db, execute } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { providersTable } from '../providers/tables.ts'
import { transactionsTable } from '../warehouses/tables.ts'
import { inScope } from '../workshops/scope.ts'
import { isNarrow, itsOrder, periodsOf, type Span, serviceLines, sumOf } from './expenses.ts'

const RETURN = typeNamed('exit', 'provider_return')
const PURCHASE = typeNamed('entry', 'purchase')
export const BOUGHT = [PURCHASE, RETURN, ...PRICE_NOTE_IDS].join()
export const TAKEN_BACK = [RETURN, PRICE_NOTES.credit.id].join()
const COUNTED = sql.raw(`t."typeTrasactionId" in (${BOUGHT})`)
/** What is returned to a provider, or that a credit note takes off, was not bought from it; nor is what was taken back. */
const signed = (pesos: string, back = '') =>
  sql.raw(`${back}(case when t."typeTrasactionId" in (${TAKEN_BACK}) then -t.${pesos} else t.${pesos} end) as ${pesos}`)

/**
 * Purchases that stand, and what went back of them, as `t`; they are of no truck. What was voided after its month was
 * closed stays in it, and is taken back on the day of that.
 */
export const purchases = (actor: Actor, span: Span, filter: ReportFilter) => {
  const counted = sql`${inScope(actor, sql`t`, filter.WorkshopId)} and ${COUNTED} ${filter.Truck?.length ? sql`and false` : sql``}`
  const inSpan = (day: SQL) => sql`${day} >= ${span.from}::date and ${day} <= ${span.to}::date`
  return sql`(
  select t.company_id, t.id, t.date, t.document, t.warehouse_id, t."providerId", t."typeTrasactionId",
    ${signed('subtotal')}, ${signed('tax')}, ${signed('total')}
  from ${transactionsTable} t
  where ${counted} and ${inSpan(sql`t.date`)} and (t.voided_at is null or t.voided_on is not null)
  union all
  select t.company_id, t.id, t.voided_on, t.document, t.warehouse_id, t."providerId", t."typeTrasactionId",
    ${signed('subtotal', '-')}, ${signed('tax', '-')}, ${signed('total', '-')}
  from ${transactionsTable} t
  where ${counted} and ${inSpan(sql`t.voided_on`)}) t where true`
}

/** Services of the orders that count, as `l`. */
export const servedBy = (actor: Actor, span: Span, filter: ReportFilter) => {
  const asked = isNarrow(actor, filter) ? itsOrder(actor, span, filter, sql`l`) : sql``
  return sql`${serviceLines(actor, span, filter)} l ${asked}`
}

export async function expensesByProvider(db: Db, actor: Actor, { filter }: ReportQuery) {
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const served = (period: Span) => servedBy(actor, period, filter)
  const data = await execute<ProviderExpenses>(
    db,
    sql`select u.provider_id, p.name as provider, sum(u.services_cost) as services_cost, sum(u.services) as services,
          sum(u.before_cost) as before_cost, sum(u.purchases_net) as purchases_net,
          sum(u.purchases_total) as purchases_total, sum(u.purchases_before) as purchases_before, sum(u.entries) as entries
        from (
          select l.provider_id, sum(l.amount) as services_cost, count(*) as services, 0::numeric as before_cost,
            0::numeric as purchases_net, 0::numeric as purchases_total, 0::numeric as purchases_before, 0::bigint as entries
          from ${served(span)} group by 1
          union all
          select l.provider_id, 0, 0, sum(l.amount), 0, 0, 0, 0 from ${served(earlier)} group by 1
          union all
          select t."providerId", 0, 0, 0, sum(t.subtotal), sum(t.total), 0, count(*) filter (where t."typeTrasactionId" = ${sql.raw(String(PURCHASE))} and t.subtotal >= 0)
          from ${purchases(actor, span, filter)} group by 1
          union all
          select t."providerId", 0, 0, 0, 0, 0, sum(t.subtotal), 0 from ${purchases(actor, earlier, filter)} group by 1
        ) u
        left join ${providersTable} p on p.company_id = ${actor.company_id} and p.id = u.provider_id
        group by u.provider_id, p.name
        order by sum(u.services_cost) desc, sum(u.purchases_net) desc, p.name, u.provider_id`,
  )
  const totals = {
    services_cost: sumOf(data, (p) => p.services_cost),
    services: sumOf(data, (p) => p.services),
    before_cost: sumOf(data, (p) => p.before_cost),
    purchases_net: sumOf(data, (p) => p.purchases_net),
    purchases_total: sumOf(data, (p) => p.purchases_total),
    purchases_before: sumOf(data, (p) => p.purchases_before),
    entries: sumOf(data, (p) => p.entries),
  }
  return { data, total: data.length, totals, range, before }
}
