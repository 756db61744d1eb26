import { type SQL, sql } from 'drizzle-orm'
import type { ReportFilter } from '#contract/reports/reports.ts'
import { PRICE_NOTE_IDS, PRICE_NOTES, typeNamed } from '#contract/warehouses/stock.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { transactionsTable } from '../../warehouses/tables.ts'
import { inScope } from '../../workshops/scope.ts'
import type { Span } from '../expenses.ts'

const RETURN = typeNamed('exit', 'provider_return')
export const PURCHASE = typeNamed('entry', 'purchase')
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
