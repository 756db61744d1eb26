import { type SQL, sql } from 'drizzle-orm'
import { COMPANY, type Database, type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { filedSince, filedThen } from '../supplies/filings.ts'
import { categoriesTable, suppliesTable, supplyFilingsTable } from '../supplies/tables.ts'
import { FEW, forgetChanges } from '../work-orders/changed-months.ts'
import {
  expenseChangesTable,
  serviceAdjustmentsTable,
  workOrderCostsTable,
  workOrderServicesTable,
  workOrdersTable,
} from '../work-orders/tables.ts'
import { timeZoneOf } from '../workshops/company.ts'
import { inScope } from '../workshops/scope.ts'
import { keepClosedFigures } from './closed-figures.ts'
import {
  type Ground,
  labourLines,
  later,
  monthSpan,
  monthStarts,
  monthsWithin,
  type Narrowing,
  type Span,
  serviceLines,
  spanOf,
  supplyLines,
} from './expenses.ts'
import {
  expenseCategorySumsTable,
  expenseDaySumsTable,
  expenseFilingsTable,
  expenseLabourSumsTable,
  expenseMonthsTable,
  expenseOrderSumsTable,
  expenseProviderSumsTable,
  expenseSumsTable,
  expenseTakenSumsTable,
  expenseTruckSumsTable,
} from './tables.ts'
import { TAKEN } from './taken.ts'

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
  await database.write(company_id, (db) => sumCategories(db, company_id))
  await database.write(company_id, (db) => keepClosedFigures(db, company))
}

async function monthsToSum(db: Db, { company_id, time_zone }: Company) {
  const found = await rows<{ month: string }>(
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
          and k.month = m.month and k.time_zone = ${time_zone} and k.detailed = k.version and k.ranked = k.version and k.taken = k.version)
        order by m.month desc`,
  )
  return found.map(({ month }) => month)
}

let lastVersion = 0
/** Never the same twice, and later than any before: microseconds that are at least one apart. */
const nextVersion = () => (lastVersion = Math.max(lastVersion + 1, Date.now() * 1000))

async function sumMonth(db: Db, company: Company, month: string) {
  const { company_id, time_zone } = company
  await rows(db, sql`select pg_advisory_xact_lock(hashtextextended('expense months', ${company_id}))`)
  const version = nextVersion()
  const span = monthSpan(month, time_zone)
  // One statement, one snapshot: a change that it does not add up keeps its mark.
  await rows(
    db,
    sql`with seen as (${forgetChanges(company_id, month)}),
        x as materialized (
          select l.work_order_id, o.workshop_id, o.truck_id, l.day, l.supply_id, l.provider_id, l.units, l.amount,
            case when l.supply_id > 0 then l.units else 0 end as count from (
            select l.work_order_id, (l.created_at at time zone ${time_zone})::date as day, l.supply_id,
              0::bigint as provider_id, l.count as units, l.amount
            from ${supplyLines(company, span)}
            union all
            select l.work_order_id, l.day, 0, l.provider_id, l.quantity, l.amount from ${serviceLines(company, span)} l) l
          join ${workOrderCostsTable} o on o.company_id = ${company_id} and o.id = l.work_order_id),
        per_supply as (
          insert into ${expenseSumsTable} (company_id, version, workshop_id, supply_id, amount, lines, count)
          select ${company_id}::bigint, ${version}::bigint, workshop_id, supply_id, sum(amount), count(*), sum(units)
          from x group by workshop_id, supply_id returning company_id),
        per_provider as (
          insert into ${expenseProviderSumsTable} (company_id, version, workshop_id, provider_id, amount, lines)
          select ${company_id}::bigint, ${version}::bigint, workshop_id, provider_id, sum(amount), count(*)
          from x where supply_id = 0 group by workshop_id, provider_id returning company_id),
        taken as (
          insert into ${expenseTakenSumsTable} (company_id, version, workshop_id, pairs, counts, amounts)
          select ${company_id}::bigint, ${version}::bigint, workshop_id, ${TAKEN} from (
            select workshop_id, truck_id, supply_id, (sum(count) * 10000)::bigint as count, sum(amount)::bigint as amount
            from x where supply_id > 0 group by 1, 2, 3 order by 1, 2) t
          group by workshop_id returning company_id),
        w as materialized (
          select l.work_order_id, o.workshop_id, o.truck_id, l.day, sum(l.amount) as labour
          from ${labourLines(company, span)} l
          join ${workOrderCostsTable} o on o.company_id = ${company_id} and o.id = l.work_order_id
          group by l.work_order_id, o.workshop_id, o.truck_id, l.day),
        of_labour as (
          insert into ${expenseLabourSumsTable} (company_id, version, work_order_id, workshop_id, truck_id, labour)
          select ${company_id}::bigint, ${version}::bigint, work_order_id, workshop_id, truck_id, sum(labour)
          from w group by work_order_id, workshop_id, truck_id returning company_id),
        d as materialized (
          select work_order_id, workshop_id, truck_id, day, coalesce(sum(amount) filter (where supply_id > 0), 0) as supplies,
            coalesce(sum(amount) filter (where supply_id = 0), 0) as services, sum(count) as count,
            count(*) filter (where supply_id > 0) as lines, count(*) filter (where supply_id = 0) as service_lines,
            sum(units - count) as service_units, max(amount) filter (where supply_id > 0) as dearest_supply,
            max(amount) filter (where supply_id = 0) as dearest_service
          from x group by work_order_id, workshop_id, truck_id, day),
        per_day as (
          insert into ${expenseDaySumsTable}
            (company_id, version, work_order_id, day, workshop_id, truck_id, supplies, services, labour, count,
              lines, service_lines, service_units)
          select ${company_id}::bigint, ${version}::bigint, work_order_id, day, workshop_id, truck_id, sum(supplies),
            sum(services), sum(labour), sum(count), sum(lines), sum(service_lines), sum(service_units)
          from (
            select work_order_id, day, workshop_id, truck_id, supplies, services, 0::numeric as labour, count, lines, service_lines,
              service_units from d
            union all
            select work_order_id, day, workshop_id, truck_id, 0, 0, labour, 0, 0, 0, 0 from w) u
          group by work_order_id, day, workshop_id, truck_id returning company_id),
        m as materialized (
          select work_order_id, workshop_id, truck_id, sum(supplies) as supplies, sum(services) as services, sum(count) as count,
            sum(lines) as lines, sum(service_lines) as service_lines, sum(service_units) as service_units,
            max(dearest_supply) as dearest_supply, max(dearest_service) as dearest_service
          from d group by work_order_id, workshop_id, truck_id),
        per_truck as (
          insert into ${expenseTruckSumsTable}
            (company_id, version, truck_id, workshop_id, orders, takers, supplies, services, count, lines,
              service_lines, service_units)
          select ${company_id}::bigint, ${version}::bigint, truck_id, workshop_id, count(*),
            count(*) filter (where count > 0 or supplies <> 0), sum(supplies), sum(services), sum(count), sum(lines),
            sum(service_lines), sum(service_units)
          from m group by truck_id, workshop_id returning company_id)
        insert into ${expenseOrderSumsTable}
          (company_id, version, work_order_id, workshop_id, truck_id, supplies, services, count, number, dearest_supply,
            dearest_service)
        select ${company_id}::bigint, ${version}::bigint, m.work_order_id, m.workshop_id, m.truck_id, m.supplies, m.services,
          m.count, o.number, m.dearest_supply, m.dearest_service
        from m join ${workOrdersTable} o on o.company_id = ${company_id} and o.id = m.work_order_id returning company_id`,
  )
  const [before] = await rows<{ version: number }>(
    db,
    sql`select version from ${expenseMonthsTable} where company_id = ${company_id} and month = ${month}`,
  )
  await rows(
    db,
    sql`insert into ${expenseMonthsTable} (company_id, month, time_zone, version, detailed, ranked, taken)
        values (${company_id}, ${month}, ${time_zone}, ${version}, ${version}, ${version}, ${version})
        on conflict (company_id, month) do update set time_zone = excluded.time_zone, version = excluded.version,
          detailed = excluded.detailed, ranked = excluded.ranked, taken = excluded.taken`,
  )
  if (before)
    for (const table of SUMS)
      await rows(db, sql`delete from ${table} where company_id = ${company_id} and version = ${before.version}`)
  // Of an order in two months, the sums of both know it.
  await rows(
    db,
    sql`with n as materialized (
          select s.work_order_id from ${expenseOrderSumsTable} s
          where s.company_id = ${company_id} and s.version = ${version} and exists (
            select from ${expenseOrderSumsTable} e where e.company_id = ${COMPANY} and e.work_order_id = s.work_order_id
              and e.version <> ${version}))
        update ${expenseOrderSumsTable} s set several = true from n
        where s.company_id = ${company_id} and s.work_order_id = n.work_order_id and not s.several`,
  )
}
/** Supplies that are filed elsewhere than their sums say are added up one by one; of more, all sums are made again. */
const FEW_REFILED = 100
const filedAs = sql`coalesce(s.category_id, 0)`

/** Months that are summed by supply are summed by category. */
async function sumCategories(db: Db, company_id: number) {
  const mine = sql`company_id = ${company_id}`
  await rows(db, sql`select pg_advisory_xact_lock(hashtextextended('expense months', ${company_id}))`)
  const [refiled] = await rows<{ count: number }>(
    db,
    sql`select count(*) as count from ${expenseFilingsTable} n
        join ${suppliesTable} s on s.company_id = ${company_id} and s.id = n.supply_id
        where n.company_id = ${company_id} and n.category_id <> ${filedAs}`,
  )
  if (refiled!.count > FEW_REFILED) {
    await rows(db, sql`delete from ${expenseFilingsTable} where ${mine}`)
    await rows(db, sql`update ${expenseMonthsTable} set filed = null where ${mine}`)
  }
  const unfiled = sql`select version from ${expenseMonthsTable} where ${mine} and filed is distinct from version`
  await rows(
    db,
    sql`insert into ${expenseFilingsTable} (company_id, supply_id, category_id)
        select s.company_id, s.id, ${filedAs} from ${suppliesTable} s where s.company_id = ${company_id} on conflict do nothing`,
  )
  await rows(
    db,
    sql`delete from ${expenseCategorySumsTable} where ${mine} and (version in (${unfiled})
        or version not in (select version from ${expenseMonthsTable} where ${mine}))`,
  )
  await rows(
    db,
    sql`insert into ${expenseCategorySumsTable} as k (company_id, version, workshop_id, category_id, amount, lines, count)
        select x.company_id, x.version, x.workshop_id, case when x.supply_id = 0 then -1 else coalesce(n.category_id, 0) end,
          sum(x.amount), sum(x.lines), sum(x.count)
        from ${expenseSumsTable} x
        left join ${expenseFilingsTable} n on n.company_id = ${company_id} and n.supply_id = x.supply_id
        where x.company_id = ${company_id} and x.version in (${unfiled}) group by 1, 2, 3, 4 returning k.company_id`,
  )
  await rows(db, sql`update ${expenseMonthsTable} set filed = version where ${mine} and filed is distinct from version`)
}

const SUMS = [
  expenseSumsTable,
  expenseOrderSumsTable,
  expenseLabourSumsTable,
  expenseDaySumsTable,
  expenseTruckSumsTable,
  expenseTakenSumsTable,
  expenseProviderSumsTable,
]

interface SummedMonth {
  month: string
  version: number
  ranked: boolean
  filed: boolean
  taken: boolean
  changed: number[] | null
}
const monthsOf = (span: Span) => monthStarts(span).map((start) => start.slice(0, 7))

/** The same sums for whoever asks several questions about a period, at one moment. */
export const groundOf = async (db: Db, actor: Actor, span: Span) => (await groundsOf(db, actor, [span]))[0]

/** The same of several periods. */
export async function groundsOf<S extends Span[]>(db: Db, actor: Actor, spans: [...S]) {
  const found = await rows<SummedMonth>(
    db,
    sql`select m.month, m.version, coalesce(m.ranked = m.version, false) as ranked,
          coalesce(m.filed = m.version, false) as filed, coalesce(m.taken = m.version, false) as taken,
          json_agg(distinct c.work_order_id) filter (where c.id is not null) as changed
        from ${expenseMonthsTable} m
        left join ${expenseChangesTable} c on c.company_id = m.company_id and c.month = m.month
        where m.company_id = ${actor.company_id} and m.time_zone = ${actor.time_zone} and m.detailed = m.version
          and m.month = any(${sql.param([...new Set(spans.flatMap(monthsOf))])}::text[])
        group by m.month, m.version, m.ranked, m.filed, m.taken having bool_and(c.id is null or c.work_order_id is not null)
          and count(distinct c.work_order_id) <= ${FEW}
        order by m.month`,
  )
  return spans.map((span) => {
    const months = new Set(monthsOf(span))
    return groundIn(
      actor,
      span,
      found.filter(({ month }) => months.has(month)),
    )
  }) as { [K in keyof S]: Ground }
}

function groundIn(actor: Actor, span: Span, found: SummedMonth[]): Ground {
  const ground: Ground = {
    months: [],
    cuts: [],
    left: [],
    summed: [],
    changed: [],
    isRanked: found.every(({ ranked }) => ranked),
    isFiled: found.every(({ filed }) => filed),
    isTaken: found.every(({ taken }) => taken),
  }
  let from = span.from
  for (const { month, version, changed } of found) {
    const whole = monthSpan(month, actor.time_zone)
    const part = { from: [whole.from, span.from].sort()[1]!, to: [whole.to, span.to].sort()[0]! }
    if (from < part.from) ground.left.push(spanOf({ from, to: later(part.from, -1) }, actor.time_zone))
    if (part.from === whole.from && part.to === whole.to) ground.months.push({ month, version, changed: changed ?? [] })
    else ground.cuts.push({ version, ...part })
    const follows = from === part.from && ground.summed.pop()
    ground.summed.push(spanOf({ from: follows ? follows.from : part.from, to: part.to }, actor.time_zone))
    from = later(part.to, 1)
  }
  if (from <= span.to) ground.left.push(spanOf({ from, to: span.to }, actor.time_zone))
  ground.changed = [...new Set(found.flatMap(({ changed }) => changed ?? []))]
  return ground
}

/** Months alone, in which nothing changed, and the days that are left: what was spent on each supply is known of no order. */
export async function groundOfSupplies(db: Db, actor: Actor, span: Span): Promise<GroundOfSupplies> {
  const months = await monthsOfSupplies(db, actor, monthsWithin(span))
  return { months, left: leftOf(months, span, actor) }
}

/** The days of a period that are in none of some months. */
export function leftOf(months: { month: string }[], span: Span, { time_zone }: Actor) {
  const left: Span[] = []
  let from = span.from
  for (const { month } of months) {
    const summed = monthSpan(month, time_zone)
    if (from < summed.from) left.push(spanOf({ from, to: later(summed.from, -1) }, time_zone))
    from = later(summed.to, 1)
  }
  if (from <= span.to) left.push(spanOf({ from, to: span.to }, time_zone))
  return left
}

export interface GroundOfSupplies {
  months: MonthOfSupplies[]
  left: Span[]
}
export interface MonthOfSupplies {
  month: string
  version: number
  /** Whether it is summed by category too; and by provider. */
  filed: boolean
  taken: boolean
}
/** Of some months, those whose sums by supply hold. */
const monthsOfSupplies = (db: Db, actor: Actor, months: string[]) =>
  rows<MonthOfSupplies>(
    db,
    sql`select m.month, m.version, coalesce(m.filed = m.version, false) as filed,
          coalesce(m.taken = m.version, false) as taken from ${expenseMonthsTable} m
        where m.company_id = ${actor.company_id} and m.time_zone = ${actor.time_zone}
          and m.detailed = m.version and m.month = any(${sql.param(months)}::text[]) and not ${unseen}
        order by m.month`,
  )

export interface SummedCell {
  month: string
  kind: 'supply' | 'service' | null
  category_id: number | null
  category: string | null
  amount: number
}

/**
 * What was spent in months that are summed: version, served (services), category_id, lines, amount, count. A supply counts
 * where it is filed, or was then; only those that are filed elsewhere than when they were summed are looked at.
 */
export const categorySums = (actor: Actor, months: MonthOfSupplies[], filter: Narrowing, refiled: string[]) => {
  const { company_id } = actor
  const versions = sql`${sql.param(months.map(({ version }) => version))}::bigint[]`
  const since = months.map(({ month }) => filedSince(`${month}-01`, refiled, actor))
  const held = (alias: SQL) => sql`${inScope(actor, alias, filter.WorkshopId)} and ${alias}.version = any(${versions})`
  const isFiled = months.every(({ filed }) => filed)
  const moved = sql`select n.supply_id, n.category_id from ${expenseFilingsTable} n
    join ${suppliesTable} s on s.company_id = ${company_id} and s.id = n.supply_id
    where n.company_id = ${company_id} and (n.category_id <> ${filedAs}
      or exists (select from ${supplyFilingsTable} p where p.company_id = ${COMPANY} and p.supply_id = n.supply_id))`
  const asFiled = sql`
    select x.version, x.supply_id = 0 as served, f.category_id, x.lines, x.amount, x.count
    from (
      select x.*, m.at from unnest(${versions}, ${sql.param(since)}::timestamptz[]) as m (version, at)
      join ${expenseSumsTable} x on x.version = m.version
      where ${held(sql`x`)} ${isFiled ? sql`and x.supply_id = any(array(select supply_id from n))` : sql``}) x
    left join ${suppliesTable} s on s.company_id = ${company_id} and s.id = x.supply_id
    ${filedThen(refiled, actor)}`
  const parts = isFiled
    ? sql`
    select k.version, k.category_id = -1 as served, nullif(greatest(k.category_id, 0), 0) as category_id, k.lines, k.amount, k.count
    from ${expenseCategorySumsTable} k where ${held(sql`k`)}
    union all
    select x.version, false, nullif(n.category_id, 0), -x.lines, -x.amount, -x.count
    from ${expenseSumsTable} x join n on n.supply_id = x.supply_id
    where ${held(sql`x`)} and x.supply_id = any(array(select supply_id from n))
    union all ${asFiled}`
    : asFiled
  return sql`(${isFiled ? sql`with n as materialized (${moved})` : sql``}
    select version, served, category_id, sum(lines) as lines, sum(amount) as amount, sum(count) as count
    from (${parts}) x group by 1, 2, 3 having sum(lines) > 0)`
}

/** Of the months asked for, those whose sums hold: per category, and services. A month without expenses has no kind. */
export async function summedMonths(
  db: Db,
  actor: Actor,
  asked: string[],
  filter: Narrowing,
  refiled: string[],
): Promise<SummedCell[]> {
  const months = await monthsOfSupplies(db, actor, asked)
  if (months.length === 0) return []
  const [versions, names] = [months.map(({ version }) => version), months.map(({ month }) => month)]
  return rows<SummedCell>(
    db,
    sql`select m.month, case when x.served then 'service' when not x.served then 'supply' end as kind, x.category_id,
          c.name as category, coalesce(x.amount, 0) as amount
        from unnest(${sql.param(versions)}::bigint[], ${sql.param(names)}::text[]) as m (version, month)
        left join ${categorySums(actor, months, filter, refiled)} x on x.version = m.version
        left join ${categoriesTable} c on c.company_id = ${actor.company_id} and c.id = x.category_id`,
  )
}
