import { sql } from 'drizzle-orm'
import { monthsOf, type Period, yearsOf } from '#contract/reports/periods.ts'
import type { CategoryExpenses, MonthsOfCategory, MonthsQuery, ReportQuery } from '#contract/reports/reports.ts'
import { type Db, rowsUnprepared, snapshot } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { filedSince, filedThen, refilings } from '../../supplies/filings.ts'
import { categoriesTable, suppliesTable } from '../../supplies/tables.ts'
import { plus } from '../../work-orders/orders/history.ts'
import { seesLabour } from '../../workshops/company.ts'
import {
  expensesIn,
  monthStarts,
  type Narrowing,
  periodsOf,
  rangeOf,
  SUPPLIES,
  sumOf,
  today,
  withLabourIf,
} from '../expenses.ts'

/** The expenses of one step of a period: per category, and services and labour as a whole. */
interface Cell {
  step: number
  kind: 'supply' | 'service' | 'labour'
  category_id: number | null
  category: string | null
  lines: number
  amount: number
}

/**
 * Every cell of a period, by the names of categories. The period is cut into steps, which begin on `starts`. A supply counts
 * in the category it is filed under, in closed months in the one it was filed under then: steps are cut on the days since
 * which that is another one.
 */
async function cellsOf(
  db: Db,
  actor: Actor,
  { from, to }: Period,
  starts: string[],
  filter: Narrowing,
  labour: boolean,
) {
  const refiled = await refilings(db, actor)
  const cuts = [...new Set([...starts, ...refiled.filter((day) => day > from && day <= to)])].sort()
  const steps = cuts.map((day) => starts.findLastIndex((start) => start <= day))
  const moments = cuts.map((day) => filedSince(day, refiled, actor))
  // Added up by category as rows are read: adding up by supply first would make hundreds of thousands of sums of a year.
  return rowsUnprepared<Cell>(
    db,
    sql`select (${sql.param(steps)}::int[])[l.piece] as step, case when l.kind in ('supply', 'adjustment') then 'supply'
            when l.kind = 'labour' then 'labour' else 'service' end as kind,
          l.category_id, c.name as category, sum(l.lines) as lines, sum(l.amount) as amount
        from (
          select x.piece, x.kind, f.category_id, count(*) as lines, sum(x.amount) as amount
          from (
            select width_bucket(e.day, ${sql.param(cuts)}::date[]) as piece, e.kind, e.amount,
              case when ${SUPPLIES} then e.item_id end as supply_id
            from ${expensesIn(actor, { from, to }, filter, withLabourIf(labour))}) x
          left join ${suppliesTable} s on s.company_id = ${actor.company_id} and s.id = x.supply_id
          ${filedThen(refiled, sql`(${sql.param(moments)}::timestamptz[])[x.piece]`, actor)}
          group by 1, 2, 3) l
        left join ${categoriesTable} c on c.company_id = ${actor.company_id} and c.id = l.category_id
        group by 1, 2, 3, 4 order by 4, 3`,
  )
}

/** People who see only the warehouse's reports see only supplies. */
const seesAll = (actor: Actor) => actor.may.has('reports.read')

export async function expensesByCategory(db: Db, actor: Actor, { filter }: ReportQuery) {
  const { range, before: earlier } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const counts = seesAll(actor) && (await seesLabour(db, actor))
  const { now, before } = await snapshot(db, async () => ({
    now: await cellsOf(db, actor, range, [range.from], filter, counts),
    before: await cellsOf(db, actor, earlier, [earlier.from], filter, counts),
  }))
  const cells = [...now, ...before.map((cell) => ({ ...cell, step: 1 }))]
  const sum = (step: number, ...of: Cell[]) => sumOf(of, (cell) => (cell.step === step ? cell.amount : 0))
  const ofKind = (kind: Cell['kind']) => cells.filter((cell) => cell.kind === kind)
  const data = [...Map.groupBy(ofKind('supply'), (cell) => cell.category_id).values()]
    .map((cells): CategoryExpenses => {
      const { category_id, category } = cells[0]!
      const lines = cells.find(({ step }) => step === 0)?.lines ?? 0
      return { category_id, category, lines, amount: sum(0, ...cells), before: sum(1, ...cells) }
    })
    .sort((a, b) => b.amount - a.amount)
  const [supplies, services] = [ofKind('supply'), seesAll(actor) ? ofKind('service') : []]
  const [supplies_cost, supplies_before] = [sum(0, ...supplies), sum(1, ...supplies)]
  const [services_cost, services_before] = [sum(0, ...services), sum(1, ...services)]
  const [total_cost, before_cost] = [supplies_cost + services_cost, supplies_before + services_before]
  const [labour, labour_before] = counts ? [sum(0, ...ofKind('labour')), sum(1, ...ofKind('labour'))] : [null, null]
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
  return { data, total: data.length, totals, range, before: earlier }
}

/** Category by month; the years before come along in the same question, to be compared with. */
export async function expensesByMonth(db: Db, actor: Actor, { filter }: MonthsQuery) {
  const years = yearsOf(filter.BetweenYear, today(actor))
  const length = years.to - years.from + 1
  const earlier = { from: years.from - length, to: years.from - 1 }
  const months = [...monthsOf(earlier), ...monthsOf(years)]
  const counts = await seesLabour(db, actor)
  const period = rangeOf(months)
  const cells = await cellsOf(db, actor, period, monthStarts(period), filter, counts)
  const amountsOf = (cells: Cell[]) => {
    const amounts = months.map(() => 0)
    for (const { step, amount } of cells) amounts[step]! += amount
    return amounts
  }
  const ofKind = (kind: Cell['kind']) => cells.filter((cell) => cell.kind === kind)
  const count = months.length / 2
  const supplied = [...Map.groupBy(ofKind('supply'), (cell) => cell.category_id).values()].map((cells) => ({
    kind: 'supply' as const,
    category_id: cells[0]!.category_id,
    category: cells[0]!.category,
    amounts: amountsOf(cells),
  }))
  supplied.sort((a, b) => sumOf(b.amounts.slice(count), Number) - sumOf(a.amounts.slice(count), Number))
  const all = [
    ...supplied,
    { kind: 'service' as const, category_id: null, category: null, amounts: amountsOf(ofKind('service')) },
  ]
  const sums = months.map((_, i) => sumOf(all, (row) => row.amounts[i]!))
  const labour = counts ? amountsOf(ofKind('labour')) : null
  const withLabour = labour?.map((amount, i) => amount + sums[i]!) ?? null
  const totalled = (amounts: number[]) => ({ amounts, total: sumOf(amounts, Number) })
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
