import { sql } from 'drizzle-orm'
import type { Period } from '#contract/reports/periods.ts'
import { COMPANY, type Database, type Db, execute } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { filedAt } from '../supplies/filings.ts'
import { categoriesTable, suppliesTable } from '../supplies/tables.ts'
import { forgetChanges } from '../work-orders/changed-months.ts'
import {
  expenseChangesTable,
  serviceAdjustmentsTable,
  workOrderCostsTable,
  workOrderServicesTable,
  workOrdersTable,
} from '../work-orders/tables.ts'
import { timeZoneOf } from '../workshops/company.ts'
import { keepClosedFigures } from './closed-figures.ts'
import {
  type Ground,
  labourLines,
  lastDay,
  later,
  monthSpan,
  type Span,
  serviceLines,
  spanOf,
  supplyLines,
} from './expenses.ts'
import { expenseLabourSumsTable, expenseMonthsTable, expenseOrderSumsTable, expenseSumsTable } from './tables.ts'

/*
 * Years of lines are too many to add up while somebody waits. Months in which nothing changes any more are added up once,
 * by a job; a month with a change that the sums have not seen is added up from its lines as if there were no sums.
 */

interface Company {
  company_id: number
  time_zone: string
}

const unseen = sql`exists (select 1 from ${expenseChangesTable} c where c.company_id = ${COMPANY} and c.month = m.month)`

export async function sumMonths(database: Database, company_id: number) {
  const { company, months } = await database.read(company_id, async (db) => {
    const company = { company_id, time_zone: await timeZoneOf(db, company_id) }
    return { company, months: await monthsToSum(db, company) }
  })
  for (const month of months) await database.write(company_id, (db) => sumMonth(db, company, month))
  await database.write(company_id, (db) => keepClosedFigures(db, company))
}

async function monthsToSum(db: Db, { company_id, time_zone }: Company) {
  const found = await execute<{ month: string }>(
    db,
    sql`select m.month from (
          select ${company_id}::bigint as company_id, to_char(generate_series(
            date_trunc('month', min(o.created_at) at time zone ${time_zone}),
            date_trunc('month', now() at time zone ${time_zone}), interval '1 month'), 'YYYY-MM') as month
          from ${workOrdersTable} o where o.company_id = ${company_id}
          union select company_id, to_char(day, 'YYYY-MM') from ${workOrderServicesTable} where company_id = ${company_id}
          union select company_id, to_char(day, 'YYYY-MM') from ${serviceAdjustmentsTable} where company_id = ${company_id}
          union select company_id, month from ${expenseChangesTable} where company_id = ${company_id}) m
        where ${unseen} or not exists (select 1 from ${expenseMonthsTable} k where k.company_id = ${COMPANY}
          and k.month = m.month and k.time_zone = ${time_zone})
        order by m.month desc`,
  )
  return found.map(({ month }) => month)
}

/** The first days of the months of a period. */
export function monthStarts({ from, to }: Period): string[] {
  const starts: string[] = []
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = later(lastDay(month), 1).slice(0, 7))
    starts.push(`${month}-01`)
  return starts
}

let lastVersion = 0
/** Never the same twice, and later than any before: microseconds that are at least one apart. */
const nextVersion = () => (lastVersion = Math.max(lastVersion + 1, Date.now() * 1000))

async function sumMonth(db: Db, company: Company, month: string) {
  const { company_id, time_zone } = company
  await execute(db, sql`select pg_advisory_xact_lock(hashtextextended('expense months', ${company_id}))`)
  const version = nextVersion()
  const span = monthSpan(month, time_zone)
  // One statement, one snapshot: a change that it does not add up keeps its mark.
  await execute(
    db,
    sql`with seen as (${forgetChanges(company_id, month)}),
        x as materialized (
          select l.work_order_id, o.workshop_id, o.truck_id, l.supply_id, l.count, l.amount from (
            select l.work_order_id, l.supply_id, l.count, l.amount from ${supplyLines(company, span)}
            union all
            select l.work_order_id, 0, 0, l.amount from ${serviceLines(company, span)} l) l
          join ${workOrderCostsTable} o on o.company_id = ${company_id} and o.id = l.work_order_id),
        per_supply as (
          insert into ${expenseSumsTable} (company_id, version, workshop_id, supply_id, amount, lines)
          select ${company_id}::bigint, ${version}::bigint, workshop_id, supply_id, sum(amount), count(*)
          from x group by workshop_id, supply_id returning company_id),
        of_labour as (
          insert into ${expenseLabourSumsTable} (company_id, version, work_order_id, workshop_id, truck_id, labour)
          select ${company_id}::bigint, ${version}::bigint, l.work_order_id, o.workshop_id, o.truck_id, sum(l.amount)
          from ${labourLines(company, span)} l
          join ${workOrderCostsTable} o on o.company_id = ${company_id} and o.id = l.work_order_id
          group by l.work_order_id, o.workshop_id, o.truck_id returning company_id)
        insert into ${expenseOrderSumsTable}
          (company_id, version, work_order_id, workshop_id, truck_id, supplies, services, count)
        select ${company_id}::bigint, ${version}::bigint, work_order_id, workshop_id, truck_id,
          coalesce(sum(amount) filter (where supply_id > 0), 0), coalesce(sum(amount) filter (where supply_id = 0), 0), sum(count)
        from x group by work_order_id, workshop_id, truck_id returning company_id`,
  )
  const [before] = await execute<{ version: number }>(
    db,
    sql`select version from ${expenseMonthsTable} where company_id = ${company_id} and month = ${month}`,
  )
  await execute(
    db,
    sql`insert into ${expenseMonthsTable} (company_id, month, time_zone, version)
        values (${company_id}, ${month}, ${time_zone}, ${version})
        on conflict (company_id, month) do update set time_zone = excluded.time_zone, version = excluded.version`,
  )
  if (!before) return
  for (const table of [expenseSumsTable, expenseOrderSumsTable, expenseLabourSumsTable])
    await execute(db, sql`delete from ${table} where company_id = ${company_id} and version = ${before.version}`)
}

/** The same sums for whoever asks several questions about a period, at one moment. */
export async function groundOf(db: Db, actor: Actor, span: Span): Promise<Ground> {
  const months = await execute<Ground['months'][number]>(
    db,
    sql`select m.month, m.version from ${expenseMonthsTable} m
        where m.company_id = ${actor.company_id} and m.time_zone = ${actor.time_zone}
          and m.month = any(${sql.param(wholeMonths(span))}::text[]) and not ${unseen} order by m.month`,
  )
  const left: Span[] = []
  let from = span.from
  for (const { month } of months) {
    const summed = monthSpan(month, actor.time_zone)
    if (from < summed.from) left.push(spanOf({ from, to: later(summed.from, -1) }, actor.time_zone))
    from = later(summed.to, 1)
  }
  if (from <= span.to) left.push(spanOf({ from, to: span.to }, actor.time_zone))
  return { months, left }
}

/** The months that a period has from their first day to their last. */
const wholeMonths = ({ from, to }: Period) =>
  monthStarts({ from, to })
    .map((start) => start.slice(0, 7))
    .filter((month) => `${month}-01` >= from && lastDay(month) <= to)

export interface SummedCell {
  month: string
  kind: 'supply' | 'service' | null
  category_id: number | null
  category: string | null
  amount: number
}

/** Of the months asked for, those whose sums hold: per category, and services. A month without expenses has no kind. */
export function summedMonths(db: Db, actor: Actor, months: string[], workshops: number[] | undefined) {
  const places = actor.workshop_id === null ? workshops : [actor.workshop_id]
  return execute<SummedCell>(
    db,
    // Grouped by numbers, named afterwards: comparing words is what takes long.
    sql`with m as materialized (
          select m.* from ${expenseMonthsTable} m
          where m.company_id = ${actor.company_id} and m.time_zone = ${actor.time_zone}
            and m.month = any(${sql.param(months)}::text[]) and not ${unseen}),
        x as (
          select x.version, x.supply_id = 0 as served, f.category_id, sum(x.amount) as amount
          from ${expenseSumsTable} x
          join m on m.version = x.version
          left join ${suppliesTable} s on s.company_id = ${actor.company_id} and s.id = x.supply_id
          ${filedAt(sql`((m.month || '-01')::timestamp at time zone ${actor.time_zone})`)}
          where x.company_id = ${actor.company_id} and x.version = any(array(select version from m))
            ${places?.length ? sql`and x.workshop_id = any(${sql.param(places)}::bigint[])` : sql``}
          group by 1, 2, 3)
        select m.month, case when x.served then 'service' when not x.served then 'supply' end as kind, x.category_id,
          c.name as category, coalesce(x.amount, 0) as amount
        from m left join x on x.version = m.version
        left join ${categoriesTable} c on c.company_id = ${actor.company_id} and c.id = x.category_id`,
  )
}
