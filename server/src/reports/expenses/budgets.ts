import { sql } from 'drizzle-orm'
import { BUDGET_MONTHS, type Budget, type Budgets, type BudgetsEdit } from '#contract/reports/budgets.ts'
import type { Period } from '#contract/reports/periods.ts'
import { costCentersTable } from '../../fleet/tables.ts'
import { type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { record } from '../../platform/operations/audit.ts'
import { invalid, requireFresh } from '../../platform/problems.ts'
import { inScopeOrShared } from '../../workshops/scope.ts'
import { lastDay, type Narrowing, sumOf } from '../expenses.ts'
import { budgetsTable } from '../tables.ts'

const monthsOf = (year: number) =>
  Array.from({ length: BUDGET_MONTHS }, (_, i) => `${year}-${String(i + 1).padStart(2, '0')}`)

export async function getBudgets(db: Db, actor: Actor, year: number): Promise<Budgets> {
  const months = monthsOf(year)
  const centers = await rows<{ cost_center_id: number; cost_center: string }>(
    db,
    sql`select c.id as cost_center_id, c.name as cost_center from ${costCentersTable} c
        where ${inScopeOrShared(actor, sql`c`)} order by c.name, c.id`,
  )
  const known = await rows<{ cost_center_id: number | null; month: string; amount: number; updated_at: string }>(
    db,
    sql`select b.cost_center_id, b.month, b.amount, b.updated_at from ${budgetsTable} b
        where b.company_id = ${actor.company_id} and b.month = any(${sql.param(months)}::text[])`,
  )
  const data: Budget[] = [...centers, { cost_center_id: null, cost_center: null }].map((center) => ({
    ...center,
    months: months.map(
      (month) =>
        known.find((one) => one.cost_center_id === center.cost_center_id && one.month === month)?.amount ?? null,
    ),
  }))
  const updated_at =
    known
      .map((one) => one.updated_at)
      .sort()
      .at(-1) ?? null
  return { year, data, updated_at }
}

export async function setBudgets(db: Db, actor: Actor, { year, budgets, updated_at }: BudgetsEdit): Promise<Budgets> {
  // Two who type at once do so one after the other.
  await rows(db, sql`select pg_advisory_xact_lock(hashtext('budgets'), ${actor.company_id}::int)`)
  const before = await getBudgets(db, actor, year)
  if (updated_at && before.updated_at) requireFresh({ updated_at: before.updated_at }, updated_at)
  for (const [i, { cost_center_id }] of budgets.entries()) {
    if (!before.data.some((one) => one.cost_center_id === cost_center_id))
      throw invalid({ [`budgets.${i}.cost_center_id`]: 'Elija un centro de costo de la lista.' })
    if (budgets.findIndex((one) => one.cost_center_id === cost_center_id) !== i)
      throw invalid({ [`budgets.${i}.cost_center_id`]: 'El centro de costo está dos veces.' })
  }
  const months = monthsOf(year)
  const cells = budgets.flatMap(({ cost_center_id, months: amounts }) =>
    amounts.map((amount, i) => ({ cost_center_id, month: months[i]!, amount })),
  )
  const column = <T>(of: (cell: (typeof cells)[number]) => T) => sql.param(cells.map(of))
  const given = sql`unnest(${column((c) => c.cost_center_id)}::bigint[], ${column((c) => c.month)}::text[],
    ${column((c) => c.amount)}::numeric[]) as n (cost_center_id, month, amount)`
  await rows(
    db,
    sql`delete from ${budgetsTable} b using ${given} where b.company_id = ${actor.company_id} and b.month = n.month
          and b.cost_center_id is not distinct from n.cost_center_id and b.amount is distinct from n.amount`,
  )
  await rows(
    db,
    sql`insert into ${budgetsTable} (company_id, cost_center_id, month, amount)
        select ${actor.company_id}::bigint, n.cost_center_id, n.month, n.amount from ${given}
        where n.amount is not null on conflict do nothing`,
  )
  const after = await getBudgets(db, actor, year)
  const said = ({ data }: Budgets) =>
    Object.fromEntries(data.map(({ cost_center, months }) => [cost_center ?? 'Sin centro de costo', months.join(' ')]))
  await record(db, actor, 'budgets', year, 'updated', said(before), said(after))
  return after
}

/**
 * What each cost centre may cost in a period, by its id, `null` for none; months that are cut count by their days. What is
 * asked of some workshops has the budget of their centres only; what is asked of some trucks has none.
 */
export async function budgetsIn(db: Db, actor: Actor, { from, to }: Period, filter: Narrowing) {
  if (filter.Truck?.length) return new Map<number | null, { cost_center: string | null; budget: number }>()
  const workshops = actor.workshop_id === null ? filter.WorkshopId : [actor.workshop_id]
  const found = await rows<{
    cost_center_id: number | null
    cost_center: string | null
    month: string
    amount: number
  }>(
    db,
    sql`select b.cost_center_id, c.name as cost_center, b.month, b.amount from ${budgetsTable} b
        left join ${costCentersTable} c on c.company_id = b.company_id and c.id = b.cost_center_id
        where b.company_id = ${actor.company_id} and b.month >= ${from.slice(0, 7)} and b.month <= ${to.slice(0, 7)}
          ${workshops?.length ? sql`and c.workshop_id = any(${sql.param(workshops)}::bigint[])` : sql``}`,
  )
  const share = (month: string) => {
    const [first, last] = [`${month}-01`, lastDay(month)]
    const days = (a: string, b: string) => (Date.parse(b) - Date.parse(a)) / 86_400_000 + 1
    return days(from > first ? from : first, to < last ? to : last) / days(first, last)
  }
  return new Map(
    [...Map.groupBy(found, ({ cost_center_id }) => cost_center_id)].map(([id, months]) => [
      id,
      {
        cost_center: months[0]!.cost_center,
        budget: Math.round(sumOf(months, ({ month, amount }) => amount * share(month))),
      },
    ]),
  )
}
