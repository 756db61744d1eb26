import { sql } from 'drizzle-orm'
import type { ProviderExpenses, ReportFilter, ReportQuery } from '#contract/reports/reports.ts'
import { batch, type Db, rows, snapshot } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { providersTable } from '../providers/tables.ts'
import { inScope } from '../workshops/scope.ts'
import { isNarrow, itsOrder, periodsOf, type Span, serviceLines, sumOf, versionsOf } from './expenses.ts'
import { type GroundOfSupplies, groundOfSupplies } from './month-sums.ts'
import { PURCHASE, purchases } from './purchases.ts'
import { expenseProviderSumsTable } from './tables.ts'

/** Services of the orders that count, as `l`. */
export const servedBy = (actor: Actor, span: Span, filter: ReportFilter) => {
  const asked = isNarrow(actor, filter) ? itsOrder(actor, span, filter, sql`l`) : sql``
  return sql`${serviceLines(actor, span, filter)} l ${asked}`
}

/** What services cost by provider, and how many they were: from the sums of months, and from the lines of the days that are left. */
const servedIn = (actor: Actor, { months, left }: GroundOfSupplies, filter: ReportFilter) => sql`(
  select provider_id, sum(amount) as amount, sum(lines) as lines from (${sql.join(
    [
      ...left.map((span) => sql`select l.provider_id, l.amount, 1 as lines from ${servedBy(actor, span, filter)}`),
      ...(months.length > 0
        ? [
            sql`select s.provider_id, s.amount, s.lines from ${expenseProviderSumsTable} s
              where ${inScope(actor, sql`s`, filter.WorkshopId)} and s.version = any(${versionsOf(months)})`,
          ]
        : []),
    ],
    sql` union all `,
  )}) l group by 1) l`

async function groundOfProviders(db: Db, actor: Actor, span: Span, { Truck }: ReportFilter) {
  const ground = Truck?.length ? undefined : await groundOfSupplies(db, actor, span)
  return ground?.months.every(({ taken }) => taken) ? ground : { months: [], left: [span] }
}

export async function expensesByProvider(db: Db, actor: Actor, { filter }: ReportQuery) {
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const data = await snapshot(db, async () => {
    const { now, previous } = await batch({
      now: groundOfProviders(db, actor, span, filter),
      previous: groundOfProviders(db, actor, earlier, filter),
    })
    return rows<ProviderExpenses>(
      db,
      sql`select u.provider_id, p.name as provider, sum(u.services_cost) as services_cost, sum(u.services) as services,
          sum(u.before_cost) as before_cost, sum(u.purchases_net) as purchases_net,
          sum(u.purchases_total) as purchases_total, sum(u.purchases_before) as purchases_before, sum(u.entries) as entries
        from (
          select l.provider_id, l.amount as services_cost, l.lines as services, 0::numeric as before_cost,
            0::numeric as purchases_net, 0::numeric as purchases_total, 0::numeric as purchases_before, 0::bigint as entries
          from ${servedIn(actor, now, filter)}
          union all
          select l.provider_id, 0, 0, l.amount, 0, 0, 0, 0 from ${servedIn(actor, previous, filter)}
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
  })
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
