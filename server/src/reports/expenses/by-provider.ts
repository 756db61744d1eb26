import { sql } from 'drizzle-orm'
import type { ProviderExpenses, ReportQuery } from '#contract/reports/reports.ts'
import { type Db, rowsUnprepared } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { providersTable } from '../../providers/tables.ts'
import { expensesIn, periodsOf, type Span, sumOf } from '../expenses.ts'
import { PURCHASE, purchases } from './purchases.ts'

export async function expensesByProvider(db: Db, actor: Actor, { filter }: ReportQuery) {
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const served = (period: Span) => expensesIn(actor, period, filter, { services: true })
  const data = await rowsUnprepared<ProviderExpenses>(
    db,
    sql`select u.provider_id, p.name as provider, sum(u.services_cost) as services_cost, sum(u.services) as services,
          sum(u.before_cost) as before_cost, sum(u.purchases_net) as purchases_net,
          sum(u.purchases_total) as purchases_total, sum(u.purchases_before) as purchases_before, sum(u.entries) as entries
        from (
          select e.item_id as provider_id, sum(e.amount) as services_cost, count(*) as services, 0::numeric as before_cost,
            0::numeric as purchases_net, 0::numeric as purchases_total, 0::numeric as purchases_before, 0::bigint as entries
          from ${served(span)} group by 1
          union all
          select e.item_id, 0, 0, sum(e.amount), 0, 0, 0, 0 from ${served(earlier)} group by 1
          union all
          select t."providerId", 0, 0, 0, sum(t.subtotal), sum(t.total), 0,
            count(*) filter (where t."typeTrasactionId" = ${PURCHASE} and t.subtotal >= 0)
          from ${purchases(actor, span, filter)} group by 1
          union all
          select t."providerId", 0, 0, 0, 0, 0, sum(t.subtotal), 0 from ${purchases(actor, earlier, filter)} group by 1
        ) u
        left join ${providersTable} p on p.company_id = ${actor.company_id} and p.id = u.provider_id
        group by u.provider_id, p.name
        order by sum(u.services_cost) desc, sum(u.purchases_net) desc, p.name, u.provider_id`,
  )
  const sum = (field: (provider: ProviderExpenses) => number) => sumOf(data, field)
  const totals = {
    services_cost: sum((p) => p.services_cost),
    services: sum((p) => p.services),
    before_cost: sum((p) => p.before_cost),
    purchases_net: sum((p) => p.purchases_net),
    purchases_total: sum((p) => p.purchases_total),
    purchases_before: sum((p) => p.purchases_before),
    entries: sum((p) => p.entries),
  }
  return { data, total: data.length, totals, range, before }
}
