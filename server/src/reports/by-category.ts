import { type SQL, sql } from 'drizzle-orm'
import { monthsOf, yearsOf } from '#contract/reports/periods.ts'
import type { CategoryExpenses, MonthsOfCategory, MonthsQuery, ReportQuery } from '#contract/reports/reports.ts'
import { type Db, rows, snapshot } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { filedSince, filedThen, refilings } from '../supplies/filings.ts'
import { categoriesTable, suppliesTable } from '../supplies/tables.ts'
import { plus } from '../work-orders/history.ts'
import { workOrdersTable } from '../work-orders/tables.ts'
import { seesLabour } from '../workshops/company.ts'
import {
  isNarrow,
  itsOrder,
  later,
  monthSpan,
  type Narrowing,
  ordersAsked,
  periodsOf,
  type Span,
  serviceLines,
  spanOf,
  stepsOf,
  sumOf,
  supplyLines,
  today,
} from './expenses.ts'
import { spentPerMonth } from './historical.ts'
import { categorySums, type GroundOfSupplies, groundOf, groundOfSupplies, summedMonths } from './month-sums.ts'

/** Lines as `l`, of the orders that count: each order is looked up once, however many lines it has. */
const counted = (actor: Actor, span: Span, filter: Narrowing, lines: SQL) => {
  if (!isNarrow(actor, filter)) return sql`(${lines}) l`
  if (filter.Truck?.length)
    return sql`(${lines}) l join ${workOrdersTable} o on o.id = l.work_order_id and ${ordersAsked(actor, filter)}`
  return sql`(
    with l as materialized (${lines}),
      d as (select x.work_order_id from (select distinct work_order_id from l) x ${itsOrder(actor, span, filter)})
    select l.* from l join d on d.work_order_id = l.work_order_id) l`
}
const countedSupplies = (actor: Actor, span: Span, filter: Narrowing) =>
  counted(
    actor,
    span,
    filter,
    sql`select l.work_order_id, l.supply_id, l.amount, l.created_at from ${supplyLines(actor, span, filter)}`,
  )
const countedServices = (actor: Actor, span: Span, filter: Narrowing) =>
  counted(actor, span, filter, sql`select l.work_order_id, l.amount, l.day from ${serviceLines(actor, span, filter)} l`)

/** Sums per supply and step, with `at`, become sums per category: a supply counts where it is filed, or was then. */
const byCategory = (actor: Actor, perSupply: SQL, refiled: string[]) => sql`
  select x.category_id, c.name as category, x.step, x.amount
  from (
    select f.category_id, x.step, sum(x.amount) as amount
    from (${perSupply}) x
    join ${suppliesTable} s on s.company_id = ${actor.company_id} and s.id = x.supply_id
    ${filedThen(refiled, actor)} group by 1, 2) x
  left join ${categoriesTable} c on c.company_id = ${actor.company_id} and c.id = x.category_id`

/** What was spent per category: served (services), category_id, lines, amount; some days' may be in several rows. */
const perCategory = (actor: Actor, { months, left }: GroundOfSupplies, filter: Narrowing, refiled: string[]) => {
  const since = (day: string) => filedSince(day, refiled, actor)
  const lines = left
    .flatMap((span) => cutAt(span, refiled, actor.time_zone))
    .flatMap((span) => [
      sql`select l.supply_id, ${since(span.from)}::timestamptz as at, count(*) as lines, sum(l.amount) as amount
          from ${countedSupplies(actor, span, filter)} group by 1`,
      sql`select 0::bigint, ${since(span.from)}::timestamptz, count(*), sum(l.amount)
          from ${countedServices(actor, span, filter)}`,
    ])
  const parts = [
    ...(lines.length > 0
      ? [
          sql`select x.supply_id = 0 as served, f.category_id, x.lines, x.amount from (${sql.join(lines, sql` union all `)}) x
              left join ${suppliesTable} s on s.company_id = ${actor.company_id} and s.id = x.supply_id
              ${filedThen(refiled, actor)}`,
        ]
      : []),
    ...(months.length > 0
      ? [sql`select served, category_id, lines, amount from ${categorySums(actor, months, filter, refiled)} x`]
      : []),
  ]
  return sql.join(parts, sql` union all `)
}

const cutAt = ({ from, to }: Span, days: string[], zone: string): Span[] => {
  const starts = [from, ...days.filter((day) => day > from && day <= to)]
  return starts.map((start, i) =>
    spanOf({ from: start, to: i + 1 < starts.length ? later(starts[i + 1]!, -1) : to }, zone),
  )
}

export async function expensesByCategory(db: Db, actor: Actor, { filter }: ReportQuery) {
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  // Months are summed over all trucks.
  const ground = (asked: Span) =>
    filter.Truck?.length ? { months: [], left: [asked] } : groundOfSupplies(db, actor, asked)
  const found = await snapshot(db, async () => {
    const [now, then] = [await ground(span), await ground(earlier)]
    const refiled = await refilings(db, actor)
    return rows<CategoryExpenses & { served: boolean }>(
      db,
      // Grouped by numbers, named afterwards: comparing words is what takes long.
      sql`select x.served, x.category_id, c.name as category, x.lines, x.amount, x.before
          from (
            select x.served, x.category_id, sum(x.lines) as lines, coalesce(sum(x.amount), 0) as amount,
              coalesce(sum(x.before), 0) as before
            from (
              select served, category_id, lines, amount, 0::numeric as before from (${perCategory(actor, now, filter, refiled)}) now
              union all
              select served, category_id, 0, 0, amount from (${perCategory(actor, then, filter, refiled)}) earlier) x
            group by 1, 2) x
          left join ${categoriesTable} c on c.company_id = ${actor.company_id} and c.id = x.category_id
          order by x.amount desc, c.name`,
    )
  })
  // Those who see only the warehouse's reports see only supplies.
  const services = actor.may.has('reports.read') ? found.find(({ served }) => served) : undefined
  const data = found.filter(({ served }) => !served).map(({ served: _, ...category }): CategoryExpenses => category)
  const supplies_cost = sumOf(data, (c) => c.amount)
  const supplies_before = sumOf(data, (c) => c.before)
  const { amount: services_cost = 0, before: services_before = 0 } = services ?? {}
  const total_cost = supplies_cost + services_cost
  const before_cost = supplies_before + services_before
  const labourOf = async (asked: Span) => {
    const months = actor.may.has('reports.read') ? await labourIn(db, actor, asked, filter) : null
    return months && sumOf(months, Number)
  }
  const [labour, labour_before] = [await labourOf(span), await labourOf(earlier)]
  const totals = {
    supplies_cost,
    services_cost,
    total_cost,
    labour,
    total_with_labour: plus(total_cost, labour),
    supplies_before,
    services_before,
    labour_before,
    before_cost,
    before_with_labour: plus(before_cost, labour_before),
    lines: sumOf(data, (c) => c.lines),
  }
  return { data, total: data.length, totals, range, before }
}

/** What labour cost in each month of a period; null where it does not count. */
async function labourIn(db: Db, actor: Actor, span: Span, filter: Narrowing): Promise<number[] | null> {
  if (!(await seesLabour(db, actor))) return null
  const months = await snapshot(db, async () =>
    spentPerMonth(db, actor, span, await groundOf(db, actor, span), filter, true),
  )
  return months.map(({ labour }) => labour ?? 0)
}

interface Cell {
  category_id: number | null
  category: string | null
  step: number
  amount: number
}

/** Category by month; the years before come along in the same question, to be compared with. */
export async function expensesByMonth(db: Db, actor: Actor, { filter }: MonthsQuery) {
  const years = yearsOf(filter.BetweenYear, today(actor))
  const length = years.to - years.from + 1
  const earlier = { from: years.from - length, to: years.from - 1 }
  const months = [...monthsOf(earlier), ...monthsOf(years)]
  const starts = months.map((month) => `${month}-01`)
  const steps = stepsOf(starts, actor.time_zone)
  // Of a single truck there are few lines; of all of them, most months are summed already.
  const refiled = await refilings(db, actor)
  const since = sql`${sql.param(starts.map((start) => filedSince(start, refiled, actor)))}::timestamptz[]`
  const summed = filter.Truck?.length ? [] : await snapshot(db, () => summedMonths(db, actor, months, filter, refiled))
  const known = new Set(summed.map(({ month }) => month))
  const supplies: Cell[] = []
  const services: Cell[] = []
  for (const { month, kind, ...cell } of summed)
    if (kind) (kind === 'supply' ? supplies : services).push({ ...cell, step: months.indexOf(month) + 1 })
  for (const run of runsOf(months.filter((month) => !known.has(month)))) {
    const span = {
      ...monthSpan(run.from, actor.time_zone),
      to: monthSpan(run.to, actor.time_zone).to,
      end: monthSpan(run.to, actor.time_zone).end,
    }
    supplies.push(
      ...(await rows<Cell>(
        db,
        byCategory(
          actor,
          sql`select l.*, (${since})[l.step] as at from (
                select l.supply_id, ${steps.ofMoment(sql`l.created_at`)} as step, sum(l.amount) as amount
                from ${countedSupplies(actor, span, filter)} group by 1, 2) l`,
          refiled,
        ),
      )),
    )
    services.push(
      ...(await rows<Cell>(
        db,
        sql`select ${steps.ofDay(sql`l.day`)} as step, sum(l.amount) as amount
            from ${countedServices(actor, span, filter)} group by 1`,
      )),
    )
  }
  const count = months.length / 2
  const supplied = [...Map.groupBy(supplies, (cell) => cell.category_id).values()].map((cells) => ({
    kind: 'supply' as const,
    category_id: cells[0]!.category_id,
    category: cells[0]!.category,
    amounts: spread(cells, months.length),
  }))
  supplied.sort((a, b) => sumOf(b.amounts.slice(count), Number) - sumOf(a.amounts.slice(count), Number))
  const all = [
    ...supplied,
    { kind: 'service' as const, category_id: null, category: null, amounts: spread(services, months.length) },
  ]
  const asked = spanOf({ from: starts[0]!, to: monthSpan(months.at(-1)!, actor.time_zone).to }, actor.time_zone)
  const labour = await labourIn(db, actor, asked, filter)
  const column = (i: number) => sumOf(all, (row) => row.amounts[i]!)
  const sums = months.map((_, i) => column(i))
  const totalled = (amounts: number[]) => ({ amounts, total: sumOf(amounts, Number) })
  const withLabour = labour?.map((amount, i) => amount + sums[i]!) ?? null
  const data = all
    .map((row): MonthsOfCategory => ({ ...row, ...totalled(row.amounts.slice(count)) }))
    .filter(({ amounts }) => amounts.some((amount) => amount !== 0))
  return {
    data,
    total: data.length,
    months: months.slice(count),
    totals: totalled(sums.slice(count)),
    before: { ...totalled(sums.slice(0, count)), ...earlier },
    labour: labour && totalled(labour.slice(count)),
    totals_with_labour: withLabour && totalled(withLabour.slice(count)),
    before_with_labour: withLabour && totalled(withLabour.slice(0, count)),
  }
}

/** Months that follow each other are asked for together. */
export function runsOf(months: string[]) {
  const runs: { from: string; to: string }[] = []
  for (const month of months) {
    const last = runs.at(-1)
    if (last && nextMonth(last.to) === month) last.to = month
    else runs.push({ from: month, to: month })
  }
  return runs
}

const nextMonth = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}

const spread = (cells: Cell[], length: number) => {
  const amounts = new Array<number>(length).fill(0)
  for (const { step, amount } of cells) amounts[step - 1]! += amount
  return amounts
}
