import { SQL, sql } from 'drizzle-orm'
import { addDays, addMonths, dayOf, instantOf } from '#contract/base/dates.ts'
import { type Period, periodBefore, periodOf } from '#contract/reports/periods.ts'
import type { ReportFilter } from '#contract/reports/reports.ts'
import type { IdsOrNone } from '#contract/reports/rows.ts'
import { centerOn } from '../fleet/cost-centers.ts'
import { truckCostCentersTable, trucksTable } from '../fleet/tables.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { COMPANY, type Db, rowsUnprepared } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { filedAt } from '../supplies/filings.ts'
import { suppliesTable, supplyFilingsTable } from '../supplies/tables.ts'
import { expensesTable } from '../work-orders/tables.ts'
import { inScope, type Scope } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'

export interface Span extends Period {
  /** The first instant, and the first that no longer belongs to it. */
  start: string
  end: string
}

export const spanOf = ({ from, to }: Period, zone: string): Span => ({
  from,
  to,
  start: instantOf(`${from}T00:00`, zone),
  end: instantOf(`${addDays(to, 1)}T00:00`, zone),
})

export const lastDay = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}
export const monthSpan = (month: string, zone: string) => spanOf({ from: `${month}-01`, to: lastDay(month) }, zone)

/** The first days of the months of a period. */
export function monthStarts({ from, to }: Period): string[] {
  const starts: string[] = []
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = addDays(lastDay(month), 1).slice(0, 7))
    starts.push(`${month}-01`)
  return starts
}

/** The months that a period has from their first day to their last. */
export const monthsWithin = ({ from, to }: Period) =>
  monthStarts({ from, to })
    .map((start) => start.slice(0, 7))
    .filter((month) => `${month}-01` >= from && lastDay(month) <= to)

export const today = (actor: Actor) => dayOf(new Date(), actor.time_zone)

const MONTHS = 12
/** Twelve months, this one the last. */
export const lastMonths = (actor: Actor) => {
  const first = `${today(actor).slice(0, 8)}01`
  return Array.from({ length: MONTHS }, (_, i) => addMonths(first, i + 1 - MONTHS).slice(0, 7))
}
export const rangeOf = (months: string[]): Period => ({ from: `${months[0]}-01`, to: lastDay(months.at(-1)!) })

export function periodsOf(actor: Actor, between: string | undefined, compare?: string | undefined) {
  const range = periodOf(between, today(actor))
  const before = compare ? periodOf(compare, today(actor)) : periodBefore(range, today(actor))
  return { range, before, span: spanOf(range, actor.time_zone), earlier: spanOf(before, actor.time_zone) }
}

export interface Narrowing extends Pick<ReportFilter, 'WorkshopId' | 'Truck'> {
  /** Only trucks of this type, which may be thousands. */
  Type?: number
}

/** Which trucks `t` are asked for. */
export const trucksAsked = (t: SQL, { Truck, Type }: Narrowing) => [
  oneOf(sql`${t}.id`, Truck),
  Type === undefined ? undefined : sql`${t}.type_of_truck_id = ${Type}`,
]

/** Orders that count, as `o`. */
export const ordersAsked = (actor: Scope, filter: Narrowing) =>
  all([inScope(actor, sql`o`, filter.WorkshopId), oneOf(sql`o.truck_id`, filter.Truck)])

/**
 * Whose truck `t` is, where what it spent is asked of workshops that it is not of: what counts is where it was spent.
 */
export const homeOf = (actor: Actor, filter: Narrowing, t: SQL) => {
  const workshops = actor.workshop_id === null ? filter.WorkshopId : [actor.workshop_id]
  return workshops?.length
    ? sql`case when ${t}.workshop_id <> all(${sql.param(workshops)}::bigint[]) then (select h.name from ${workshopsTable} h
        where h.company_id = ${t}.company_id and h.id = ${t}.workshop_id) end`
    : sql`null::text`
}

/** Not every order of the company counts. */
export const isNarrow = (actor: Actor, filter: Narrowing) =>
  actor.workshop_id !== null || Boolean(filter.WorkshopId?.length) || Boolean(filter.Truck?.length)

const LONG = 62 * 86_400_000
export const isLong = ({ start, end }: Pick<Span, 'start' | 'end'>) => Date.parse(end) - Date.parse(start) > LONG

/*
 * The ledger of expenses, which every report of expenses adds up: that is why they agree with each other and with the rows
 * behind their figures.
 */

/** Filters of the rows behind a figure. */
export interface ExpenseFilter extends Narrowing {
  Order?: number[] | undefined
  Supply?: number[] | undefined
  Provider?: number[] | undefined
  Category?: IdsOrNone
  CostCenter?: IdsOrNone
}

/** The first and the last day. */
export interface Days {
  from: string | SQL
  to: string | SQL
}

/** Kinds of rows, as reports call them. */
export interface Kinds {
  supplies?: boolean
  services?: boolean
  labour?: boolean
}
export const SUPPLIES = sql`e.kind in ('supply', 'adjustment')`
export const SERVICES = sql`e.kind in ('service', 'invoice')`
export const LABOUR = sql`e.kind = 'labour'`

/**
 * The rows `e` of the ledger that a question is about. Its sums, its pages and the rows behind its figures all begin here.
 * Labour is beside the other expenses, and only where the company counts it.
 */
export const expensesIn = (
  actor: Scope & Pick<Actor, 'time_zone'>,
  { from, to }: Days,
  filter: ExpenseFilter,
  kinds: Kinds,
) =>
  sql`${expensesTable} e where ${all([
    inScope(actor, sql`e`, filter.WorkshopId),
    sql`e.day between ${from}::date and ${to}::date`,
    ofKinds(kinds),
    oneOf(sql`e.truck_id`, filter.Truck),
    filter.Type === undefined ? undefined : sql`e.truck_id in (${ofType(filter.Type)})`,
    filter.Order?.length ? sql`e.source = 'work_order' and ${oneOf(sql`e.source_id`, filter.Order)!}` : undefined,
    oneOf(sql`e.item_id`, filter.Supply),
    oneOf(sql`e.item_id`, filter.Provider),
    inCategories(actor, filter.Category),
    inCostCenters(filter.CostCenter),
  ])}`

const ofType = (type: number) =>
  sql`select t.id from ${trucksTable} t where t.company_id = ${COMPANY} and t.type_of_truck_id = ${type}`

/** Supplies and services, and labour where it counts. */
export const withLabourIf = (labour: boolean): Kinds => ({ supplies: true, services: true, labour })

function ofKinds({ supplies, services, labour }: Kinds) {
  if (supplies && services) return labour ? undefined : sql`e.kind <> 'labour'`
  const kinds = [supplies && SUPPLIES, services && SERVICES, labour && LABOUR].filter((kind) => kind instanceof SQL)
  return kinds.length > 0 ? sql`(${sql.join(kinds, sql` or `)})` : sql`false`
}

/** One of these ids, or none where that is asked for. */
export const oneOfOrNone = (column: SQL, asked: IdsOrNone): SQL => {
  const ids = (asked ?? []).filter((id) => id !== 'none')
  const parts = [
    ...(ids.length > 0 ? [sql`${column} = any(${sql.param(ids)}::bigint[])`] : []),
    ...(ids.length < (asked ?? []).length ? [sql`${column} is null`] : []),
  ]
  return parts.length > 0 ? sql`(${sql.join(parts, sql` or `)})` : sql`true`
}

/* Supplies and trucks that never changed their category or centre are known at once; of the others it depends on the day. */
const REFILED = sql`select p.supply_id from ${supplyFilingsTable} p where p.company_id = ${COMPANY}`
const MOVED = sql`select p.truck_id from ${truckCostCentersTable} p where p.company_id = ${COMPANY}`

function inCategories({ time_zone }: Pick<Actor, 'time_zone'>, asked: IdsOrNone) {
  if (!asked?.length) return undefined
  const filed = sql`select s.id from ${suppliesTable} s where s.company_id = ${COMPANY} and ${oneOfOrNone(sql`s.category_id`, asked)}`
  return sql`(e.item_id in (${filed}) and e.item_id not in (${REFILED}) or e.item_id in (${REFILED}) and exists (
    select from ${suppliesTable} s ${filedAt(sql`(e.day::timestamp at time zone ${time_zone})`)}
    where s.company_id = ${COMPANY} and s.id = e.item_id and ${oneOfOrNone(sql`f.category_id`, asked)}))`
}

function inCostCenters(asked: IdsOrNone) {
  if (!asked?.length) return undefined
  const trucks = sql`select t.id from ${trucksTable} t where t.company_id = ${COMPANY} and ${oneOfOrNone(sql`t.cost_center_id`, asked)}`
  return sql`(e.truck_id in (${trucks}) and e.truck_id not in (${MOVED}) or e.truck_id in (${MOVED}) and exists (
    select from ${trucksTable} t ${centerOn(sql`e.day`)}
    where t.company_id = ${COMPANY} and t.id = e.truck_id and ${oneOfOrNone(sql`k.cost_center_id`, asked)}))`
}

const sumIf = (condition: SQL) => sql`coalesce(sum(e.amount) filter (where ${condition}), 0)`
/** Sums of rows `e`, as every report has them. Services are the rest, because each condition is asked of each row. */
export const SUMS = sql`${sumIf(SUPPLIES)}::bigint as supplies, ${sumIf(LABOUR)}::bigint as labour,
  (coalesce(sum(e.amount), 0) - ${sumIf(SUPPLIES)} - ${sumIf(LABOUR)})::bigint as services`
export interface Sums {
  supplies: number
  services: number
  labour: number
}

/** Each order with what it spent: work_order_id, truck_id, supplies, services, labour. */
export const perOrder = (actor: Actor, days: Days, filter: ExpenseFilter, labour: boolean) => sql`
  select e.source_id as work_order_id, e.truck_id, ${SUMS}
  from ${expensesIn(actor, days, filter, withLabourIf(labour))} group by e.source_id, e.truck_id`

/** Each day on which something was spent. PostgreSQL adds days up in parallel, which it cannot with months one by one. */
export const spentPerDay = (db: Db, actor: Actor, days: Days, filter: ExpenseFilter, labour: boolean) =>
  rowsUnprepared<Sums & { day: string }>(
    db,
    sql`select e.day, ${SUMS} from ${expensesIn(actor, days, filter, withLabourIf(labour))} group by e.day`,
  )

export const sumOf = <Row>(rows: readonly Row[], field: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + field(row), 0)
