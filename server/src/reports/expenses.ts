import { type SQL, sql } from 'drizzle-orm'
import { addMonths, dayOf, instantOf } from '#contract/base/dates.ts'
import { type Period, periodBefore, periodOf } from '#contract/reports/periods.ts'
import type { ReportFilter } from '#contract/reports/reports.ts'
import { trucksTable } from '../fleet/tables.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { COMPANY } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import {
  serviceAdjustmentsTable,
  workOrderAdjustmentsTable,
  workOrderCostsTable,
  workOrderServicesTable,
  workOrderSuppliesTable,
  workOrdersTable,
  workTimesTable,
} from '../work-orders/tables.ts'
import { inScope, type Scope } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import {
  expenseCategorySumsTable,
  expenseDaySumsTable,
  expenseLabourSumsTable,
  expenseOrderSumsTable,
  expenseTruckSumsTable,
} from './tables.ts'

/*
 * What was spent: the lines of work orders, each on its day. Every report of expenses is a sum over these, which is why
 * they agree with each other.
 */

export interface Span extends Period {
  /** The first instant, and the first that no longer belongs to it. */
  start: string
  end: string
}

/** The day that comes some days later. */
export const later = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

export const spanOf = ({ from, to }: Period, zone: string): Span => ({
  from,
  to,
  start: instantOf(`${from}T00:00`, zone),
  end: instantOf(`${later(to, 1)}T00:00`, zone),
})

export const lastDay = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}
export const monthSpan = (month: string, zone: string) => spanOf({ from: `${month}-01`, to: lastDay(month) }, zone)

/** The first days of the months of a period. */
export function monthStarts({ from, to }: Period): string[] {
  const starts: string[] = []
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = later(lastDay(month), 1).slice(0, 7))
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
  /** Only these orders, of those that count. */
  Orders?: number[]
  /** Only trucks of this type, where a question names its trucks: there may be thousands. */
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

const FEW_TRUCKS = 5
export const isOfFewTrucks = ({ Truck }: Narrowing) => Boolean(Truck?.length && Truck.length <= FEW_TRUCKS)
/** Few orders count: they are looked up rather than sifted from everyone's lines. */
const fewOrders = (actor: Whose, filter: Narrowing) =>
  filter.Orders
    ? sql`and l.work_order_id = any(${sql.param(filter.Orders)}::bigint[])`
    : isOfFewTrucks(filter) && 'role' in actor
      ? sql`and l.work_order_id = any(array(select o.id from ${workOrdersTable} o where ${ordersAsked(actor, filter)}))`
      : sql``

/** A person; or a company, of which then every order counts. */
type Whose = Actor | Pick<Actor, 'company_id' | 'time_zone'>

/* Both parts of what is put together have the same types: what nobody asks of them is then not even read. */

const taken = ({
  company_id,
}: Whose) => sql`select 'supply'::text as kind, id, work_order_id, supply_id, count, amount, created_at from ${workOrderSuppliesTable}
  where company_id = ${company_id}
  union all select 'adjustment'::text, id, work_order_id, supply_id, 0::numeric, amount, created_at from ${workOrderAdjustmentsTable}
  where company_id = ${company_id}`

/** Supply lines as `l`, by the moment they were recorded; cost adjustments by when they were booked. */
export const supplyLines = (actor: Whose, span: Span, filter: Narrowing = {}) => sql`(${taken(actor)}) l
  where l.created_at >= ${span.start}::timestamptz
    and l.created_at < ${span.end}::timestamptz ${fewOrders(actor, filter)}`

/**
 * Service lines as `l`, by the day they are counted on; and what papers of their providers say beyond them, which has no
 * service.
 */
export const serviceLines = (actor: Whose, span: Span, filter: Narrowing = {}) => {
  const counted = sql`l.company_id = ${actor.company_id} and l.day >= ${span.from}::date and l.day <= ${span.to}::date
    ${fewOrders(actor, filter)}`
  return sql`(
  select l.id, l.work_order_id, l.provider_id, l.service_id, l.quantity, l.amount, l.day
  from ${workOrderServicesTable} l where ${counted}
  union all
  select l.id, l.work_order_id, l.provider_id, null::bigint, 0::numeric, l.amount, l.day
  from ${serviceAdjustmentsTable} l where ${counted})`
}

/** Lines of labour that cost something as `l`, by the day they are counted on. */
export const labourLines = (actor: Whose, span: Span, filter: Narrowing = {}) => sql`(
  select l.id, l.work_order_id, l.work_id, l.specialist_id, l.minutes, l.amount, l.day
  from ${workTimesTable} l
  where l.company_id = ${actor.company_id} and l.day >= ${span.from}::date and l.day <= ${span.to}::date and l.amount <> 0
    ${fewOrders(actor, filter)})`

/**
 * What is known of a period: months whose sums hold, some days of others (`cuts`), and the days that are left to be read
 * line by line. Where they are summed, the lines of orders that changed since are read too, and their sums left out.
 */
export interface Ground {
  months: { month: string; version: number; changed: number[] }[]
  cuts: ({ version: number } & Period)[]
  left: Span[]
  summed: Span[]
  changed: number[]
  /** Whether the orders of its months are ranked, and whether these are summed by category, and by truck and supply. */
  isRanked: boolean
  isFiled: boolean
  isTaken: boolean
}

const LONG = 62 * 86_400_000
export const isLong = ({ start, end }: Pick<Span, 'start' | 'end'>) => Date.parse(end) - Date.parse(start) > LONG
/**
 * The orders that some lines belong to, as `o`, where they count. Those of a few weeks are looked up one by one: the
 * planner, who cannot know how few they are, would read them all.
 */
export const itsOrder = (actor: Actor, span: Span, filter: Narrowing, line = sql`x`) =>
  !filter.Orders && isLong(span)
    ? sql`join ${workOrderCostsTable} o on o.id = ${line}.work_order_id where ${ordersAsked(actor, filter)}`
    : sql`cross join lateral (select o.company_id, o.workshop_id, o.truck_id from ${workOrderCostsTable} o
        where o.company_id = ${actor.company_id} and o.id = ${line}.work_order_id offset 0) o
        where ${ordersAsked(actor, filter)}`

const orderLines = (actor: Actor, span: Span, filter: Narrowing, labour: boolean) => sql`
  select x.work_order_id, o.truck_id, x.supplies, x.services, x.labour, x.count from (
    select work_order_id, sum(supplies) as supplies, sum(services) as services, sum(labour) as labour, sum(count) as count from (
      select l.work_order_id, sum(l.amount) as supplies, 0::numeric as services, 0::numeric as labour, sum(l.count) as count
      from ${supplyLines(actor, span, filter)} group by 1
      union all
      select l.work_order_id, 0, sum(l.amount), 0, 0 from ${serviceLines(actor, span, filter)} l group by 1
      ${labour ? sql`union all select l.work_order_id, 0, 0, sum(l.amount), 0 from ${labourLines(actor, span, filter)} l group by 1` : sql``}
    ) parts group by 1) x ${itsOrder(actor, span, filter)}`

export const versionsOf = (of: { version: number }[]) => sql`${sql.param(of.map(({ version }) => version))}::bigint[]`

type Sums =
  | typeof expenseOrderSumsTable
  | typeof expenseLabourSumsTable
  | typeof expenseDaySumsTable
  | typeof expenseTruckSumsTable
  | typeof expenseCategorySumsTable
/** Sums that hold, of what counts, as `s`: of some months, or of one. */
const summed = (table: Sums, actor: Actor, of: { version: number }[] | SQL, filter: Narrowing) => sql`${table} s
  where ${all([
    inScope(actor, sql`s`, filter.WorkshopId),
    table === expenseCategorySumsTable ? undefined : oneOf(sql`s.truck_id`, filter.Truck),
    Array.isArray(of) ? sql`s.version = any(${versionsOf(of)})` : sql`s.version = ${of}`,
  ])}`
const isChanged = ({ changed }: Ground) => sql`s.work_order_id = any(${sql.param(changed)}::bigint[])`
const asItWas = (ground: Ground) => (ground.changed.length > 0 ? sql`and not ${isChanged(ground)}` : sql``)

const orderSums = (actor: Actor, ground: Ground, filter: Narrowing, of: Ground['months'] | SQL = ground.months) =>
  sql`${summed(expenseOrderSumsTable, actor, of, filter)} ${asItWas(ground)}`
const labourSums = (actor: Actor, ground: Ground, filter: Narrowing) =>
  sql`${summed(expenseLabourSumsTable, actor, ground.months, filter)} ${asItWas(ground)}`
/** Sums of the days of a period that are cut from months. */
export const daySums = (
  actor: Actor,
  ground: Ground,
  filter: Narrowing,
) => sql`${summed(expenseDaySumsTable, actor, ground.cuts, filter)}
  and (${sql.join(
    ground.cuts.map(
      ({ version, from, to }) => sql`s.version = ${version} and s.day >= ${from}::date and s.day <= ${to}::date`,
    ),
    sql` or `,
  )}) ${asItWas(ground)}`

/** The same, each month as its days. */
export const byDay = (ground: Ground): Ground => ({
  ...ground,
  months: [],
  cuts: [
    ...ground.cuts,
    ...ground.months.map(({ month, version }) => ({ version, from: `${month}-01`, to: lastDay(month) })),
  ],
})

/** What is read line by line: of which days, and of which orders. */
export const readOf = ({ left, summed, changed }: Ground, filter: Narrowing): { span: Span; filter: Narrowing }[] => [
  ...left.map((span) => ({ span, filter })),
  ...(changed.length > 0 ? summed.map((span) => ({ span, filter: { ...filter, Orders: changed } })) : []),
]

/** What the orders that count spent, where it is not summed by month: as `spending`. */
const loose = (actor: Actor, ground: Ground, filter: Narrowing, labour: boolean) => {
  const parts = readOf(ground, filter).map(({ span, filter }) => orderLines(actor, span, filter, labour))
  if (ground.cuts.length > 0)
    parts.push(
      sql`select s.work_order_id, s.truck_id, s.supplies, s.services, s.labour, s.count
        from ${daySums(actor, ground, filter)} ${labour ? sql`` : sql`and s.lines + s.service_lines > 0`}`,
    )
  return parts
}

/**
 * What the orders that count spent, month by month: work_order_id, truck_id, supplies, services, labour where it is asked
 * for, and units taken.
 */
export const spending = (actor: Actor, ground: Ground, filter: Narrowing, labour = false) => {
  const parts = loose(actor, ground, filter, labour)
  if (ground.months.length > 0)
    parts.push(
      sql`select s.work_order_id, s.truck_id, s.supplies, s.services, 0::numeric as labour, s.count from ${orderSums(actor, ground, filter)}`,
    )
  if (ground.months.length > 0 && labour)
    parts.push(sql`select s.work_order_id, s.truck_id, 0, 0, s.labour, 0 from ${labourSums(actor, ground, filter)}`)
  return sql`(${sql.join(parts, sql` union all `)})`
}

/**
 * What each truck spent: truck_id, orders, those of them that took supplies (`takers`), supplies, services and units taken.
 * Orders that did so in several months are as many, unless they are `counted`. Labour is known of each order only.
 */
export const spentByTruck = (actor: Actor, ground: Ground, filter: Narrowing, counted = false) => {
  const { months, changed } = ground
  const of = (table: Sums) => summed(table, actor, months, filter)
  const isSummed = sql`exists (select from ${expenseOrderSumsTable} s where s.company_id = ${COMPANY}
    and s.work_order_id = x.work_order_id and s.version = any(${versionsOf(months)}) ${asItWas(ground)})`
  const rest = loose(actor, ground, filter, false)
  const parts = [
    ...(rest.length > 0
      ? [
          sql`select x.truck_id, ${counted && months.length > 0 ? sql`case when ${isSummed} then 0 else 1 end` : sql`1`} as orders,
            case when x.count > 0 or x.supplies <> 0 then 1 else 0 end as takers, x.supplies, x.services, x.count from (
              select work_order_id, truck_id, sum(supplies) as supplies, sum(services) as services, sum(count) as count
              from (${sql.join(rest, sql` union all `)}) x group by 1, 2) x`,
        ]
      : []),
    ...(months.length > 0
      ? [sql`select s.truck_id, s.orders, s.takers, s.supplies, s.services, s.count from ${of(expenseTruckSumsTable)}`]
      : []),
    ...(counted && months.length > 1
      ? [
          sql`select s.truck_id, 1 - count(*), 0, 0, 0, 0 from ${of(expenseOrderSumsTable)} and s.several ${asItWas(ground)}
            group by s.work_order_id, s.truck_id having count(*) > 1`,
        ]
      : []),
    ...(months.length > 0 && changed.length > 0
      ? [
          sql`select s.truck_id, -1, case when s.count > 0 or s.supplies <> 0 then -1 else 0 end, -s.supplies, -s.services,
            -s.count from ${of(expenseOrderSumsTable)} and ${isChanged(ground)}`,
        ]
      : []),
  ]
  // Whole numbers are added up as fractions, which loses none of them and takes less.
  return sql`(
    select truck_id, sum(orders::float8) as orders, sum(takers::float8) as takers, sum(supplies::bigint::float8) as supplies,
      sum(services::bigint::float8) as services, sum(count) as count
    from (${sql.join(parts, sql` union all `)}) x group by 1)`
}

/** Whole months of all trucks, as `s`, from as few sums as there are: those by category, or else those by truck. */
const wholeMonths = (actor: Actor, { months, isFiled }: Ground, filter: Narrowing) => {
  if (!isFiled || filter.Truck?.length) return summed(expenseTruckSumsTable, actor, months, filter)
  const only = (which: SQL, column: SQL) => sql`case when s.category_id ${which} -1 then ${column} else 0 end`
  const [taken, served] = [sql`<>`, sql`=`]
  return sql`(
    select s.version, ${only(taken, sql`s.amount`)} as supplies, ${only(served, sql`s.amount`)} as services,
      ${only(taken, sql`s.count`)} as count, ${only(taken, sql`s.lines`)} as lines, ${only(served, sql`s.lines`)} as service_lines,
      ${only(served, sql`s.count`)} as service_units
    from ${summed(expenseCategorySumsTable, actor, months, filter)}) s where true`
}

/** What is summed of a period, month by month: version, supplies, services, labour where it is asked for. */
export const monthSums = (actor: Actor, ground: Ground, filter: Narrowing, labour: boolean) => {
  const { months, cuts, changed } = ground
  const added = (labour: SQL) =>
    sql`select s.version, sum(s.supplies) as supplies, sum(s.services) as services, ${labour} as labour`
  const none = sql`0::numeric`
  return [
    ...(months.length > 0 ? [sql`${added(none)} from ${wholeMonths(actor, ground, filter)} group by 1`] : []),
    ...(months.length > 0 && changed.length > 0
      ? [
          sql`select s.version, -sum(s.supplies), -sum(s.services), 0 from ${summed(expenseOrderSumsTable, actor, months, filter)}
            and ${isChanged(ground)} group by 1`,
        ]
      : []),
    ...(months.length > 0 && labour
      ? [sql`select s.version, 0, 0, sum(s.labour) from ${labourSums(actor, ground, filter)} group by 1`]
      : []),
    ...(cuts.length > 0 ? [sql`${added(sql`sum(s.labour)`)} from ${daySums(actor, ground, filter)} group by 1`] : []),
  ]
}

/** How many lines are summed, of supplies, of services or both, and what they come to: total, count, amount. */
export const summedLines = (
  actor: Actor,
  ground: Ground,
  filter: Narrowing,
  { supplies, services }: { supplies: boolean; services: boolean },
) => {
  const { months, cuts, changed } = ground
  const added = (sign: SQL, from: SQL) => sql`
    select ${sign}sum(${supplies ? sql`s.lines` : sql`0`} + ${services ? sql`s.service_lines` : sql`0`}) as total,
      ${sign}sum(${supplies ? sql`s.count` : sql`0`} + ${services ? sql`s.service_units` : sql`0`}) as count,
      ${sign}sum(${supplies ? sql`s.supplies` : sql`0`} + ${services ? sql`s.services` : sql`0`}) as amount
    from ${from}`
  return [
    ...(months.length > 0 ? [added(sql``, wholeMonths(actor, ground, filter))] : []),
    ...(months.length > 0 && changed.length > 0
      ? [added(sql`-`, sql`${summed(expenseDaySumsTable, actor, months, filter)} and ${isChanged(ground)}`)]
      : []),
    ...(cuts.length > 0 ? [added(sql``, daySums(actor, ground, filter))] : []),
  ]
}

/** What comes first, and how much of it. */
export interface Rank {
  by: SQL
  direction: SQL
  /** Of orders that are alike. */
  tie: SQL
  limit: number
}
/** Further on, all are sorted sooner. */
export const MOST_RANKED = 1000
export const isRanked = (ground: Ground, filter: Narrowing, limit: number, most = MOST_RANKED) =>
  ground.isRanked && ground.months.length > 0 && !filter.Truck?.length && limit <= most

/** The first sums of orders of each month, of those that are asked for, as `s`. */
const firstOfMonths = (
  actor: Actor,
  ground: Ground,
  filter: Narrowing,
  { by, direction, tie, limit }: Rank,
  asked: SQL,
) => sql`unnest(${versionsOf(ground.months)}) as v (version) cross join lateral (
  select s.* from ${orderSums(actor, ground, filter, sql`v.version`)} and ${asked}
  order by ${by} ${direction}, s.work_order_id ${tie} limit ${limit}) s`

/** Those of months that are summed which are not all of what their order spent; and what orders like them spent, as `rest`. */
const ofSeveral = (actor: Actor, ground: Ground, filter: Narrowing) => {
  const parts = loose(actor, ground, filter, false)
  // Months that are summed know of each other, not of days that are left.
  const is =
    ground.left.length > 0
      ? sql`(s.several or s.work_order_id = any(array(select work_order_id from l)))`
      : sql`s.several`
  const given = sql`
    ${parts.length > 0 ? sql`l as materialized (${sql.join(parts, sql` union all `)}),` : sql``}
    several as materialized (select ${OF_ORDER} from ${orderSums(actor, ground, filter)} and ${is}),
    rest as materialized (
      select work_order_id, truck_id, max(number) as number, sum(supplies::bigint) as supplies,
        sum(services::bigint) as services, 0::numeric as labour
      from (
        select * from several
        ${parts.length > 0 ? sql`union all select work_order_id, truck_id, null, supplies, services, 0 from l` : sql``}) x
      group by 1, 2)`
  return { given, is }
}
const OF_ORDER = sql`s.work_order_id, s.truck_id, s.number, s.supplies, s.services, 0::numeric as labour`

/**
 * What each order spent, all its months together: work_order_id, truck_id, number where it is known, supplies, services,
 * labour. Most spend in one month and have nothing to be added up.
 */
export const perOrder = (actor: Actor, ground: Ground, filter: Narrowing, labour: boolean) => {
  if (labour || ground.months.length === 0)
    return sql`(
      select work_order_id, truck_id, null::bigint as number, sum(supplies) as supplies, sum(services) as services,
        sum(labour) as labour
      from ${spending(actor, ground, filter, labour)} parts group by 1, 2)`
  const { given, is } = ofSeveral(actor, ground, filter)
  return sql`(with ${given} select * from rest union all select ${OF_ORDER} from ${orderSums(actor, ground, filter)} and not ${is})`
}

/**
 * As `perOrder`, as `x`, of which only those are sure to be there that come first, or that are of some trucks, or some
 * orders and what no sum knows; and of all of them, total and amount as `t`, which is known without looking at each.
 */
export const firstOrders = (actor: Actor, ground: Ground, filter: Narrowing, first: Rank | Narrowing) => {
  const { given, is } = ofSeveral(actor, ground, filter)
  const { months, changed } = ground
  const others = sql`not ${is}`
  const named = 'Orders' in first && sql`work_order_id = any(${sql.param(first.Orders)}::bigint[])`
  return sql`${given},
    x as (
      select * from rest ${named ? sql`where ${named} or number is null` : sql``}
      union all select ${OF_ORDER} from ${
        'limit' in first
          ? firstOfMonths(actor, ground, filter, first, others)
          : sql`${orderSums(actor, ground, first)} and ${others} ${named ? sql`and s.${named}` : sql``}`
      }),
    t as (
      select coalesce(sum(total), 0) as total, coalesce(sum(amount), 0) as amount from (
        select count(*) as total, sum(supplies + services) as amount from rest
        union all select -count(*), -sum(supplies + services) from several
        union all select sum(s.orders), sum(s.supplies + s.services) from ${summed(expenseTruckSumsTable, actor, months, filter)}
        ${
          changed.length > 0
            ? sql`union all select -count(*), -sum(s.supplies + s.services)
                from ${summed(expenseOrderSumsTable, actor, months, filter)} and ${isChanged(ground)}`
            : sql``
        }) t)`
}

/** Orders of months that are summed, those that were created first, or last. */
export const firstCreated = (
  actor: Actor,
  ground: Ground,
  filter: Narrowing,
  { direction, limit }: Pick<Rank, 'direction' | 'limit'>,
) => sql`
  select o.id from ${workOrderCostsTable} o
  where o.company_id = ${actor.company_id}
    and o.id = any(array(select s.work_order_id from ${orderSums(actor, ground, filter)}))
  order by o.created_at ${direction}, o.id desc limit ${limit}`

/** Trucks in an order, as many of the first as are sure to have so many orders: each those of one month, at least. */
export const firstTrucks = (
  actor: Actor,
  ground: Ground,
  filter: Narrowing,
  { by, direction, limit }: Omit<Rank, 'tie'>,
) => sql`
  select x.truck_id from (
    select m.truck_id, sum(m.orders) over (order by ${by} ${direction}) - m.orders as before from (
      select s.truck_id, greatest(max(s.orders) - ${ground.changed.length}::int, 0) as orders
      from ${summed(expenseTruckSumsTable, actor, ground.months, filter)} group by 1) m
    join ${trucksTable} k on k.company_id = ${actor.company_id} and k.id = m.truck_id) x
  where x.before < ${limit}`

/** Orders that the dearest lines of months are of: of supplies, or of services. */
export const dearest = (actor: Actor, ground: Ground, filter: Narrowing, kind: 'supply' | 'service', limit: number) => {
  const by = sql.raw(`s.dearest_${kind}`)
  const rank = { by, direction: sql`desc`, tie: sql`desc`, limit }
  return sql`(select s.work_order_id from ${firstOfMonths(actor, ground, filter, rank, sql`${by} is not null`)}
    order by ${by} desc, s.work_order_id desc limit ${limit})`
}

/** All orders of months that are summed. */
export const summedOrders = (actor: Actor, ground: Ground, filter: Narrowing) =>
  sql`select s.work_order_id from ${orderSums(actor, ground, filter)}`

/** The least that so many lines surely cost no more than, if there are as many: of supplies, or of services. */
export const cheapest = (
  actor: Actor,
  ground: Ground,
  filter: Narrowing,
  kind: 'supply' | 'service',
  limit: number,
) => {
  const by = sql.raw(`s.dearest_${kind}`)
  const rank = { by, direction: sql`asc`, tie: sql`asc`, limit }
  return sql`(select ${by} as amount from ${firstOfMonths(actor, ground, filter, rank, sql`${by} is not null`)}
    order by 1 limit 1 offset ${limit - 1})`
}

/** Steps of a period (months or days): what `width_bucket` needs to tell which one a moment or a day is in. */
export function stepsOf(starts: string[], zone: string) {
  const moments = starts.map((day) => instantOf(`${day}T00:00`, zone))
  return {
    ofMoment: (column: SQL) => sql`width_bucket(${column}, ${sql.param(moments)}::timestamptz[])`,
    ofDay: (column: SQL) => sql`width_bucket(${column}, ${sql.param(starts)}::date[])`,
  }
}

/** What was spent in each step, counted from 1. */
export const perStep = (
  actor: Actor,
  span: Span,
  filter: Narrowing,
  steps: ReturnType<typeof stepsOf>,
  labour: boolean,
) => {
  const asked = isNarrow(actor, filter) ? itsOrder(actor, span, filter) : sql``
  return sql`
    select x.step, sum(x.supplies) as supplies, sum(x.services) as services, sum(x.labour) as labour from (
      select l.work_order_id, ${steps.ofMoment(sql`l.created_at`)} as step, sum(l.amount) as supplies, 0::numeric as services,
        0::numeric as labour
      from ${supplyLines(actor, span, filter)} group by 1, 2
      union all
      select l.work_order_id, ${steps.ofDay(sql`l.day`)}, 0, sum(l.amount), 0
      from ${serviceLines(actor, span, filter)} l group by 1, 2
      ${
        labour
          ? sql`union all select l.work_order_id, ${steps.ofDay(sql`l.day`)}, 0, 0, sum(l.amount)
              from ${labourLines(actor, span, filter)} l group by 1, 2`
          : sql``
      }
    ) x ${asked} group by 1`
}

export const sumOf = <Row>(rows: readonly Row[], field: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + field(row), 0)

/** As many as are put in order at once. */
const SOME = 1000
/** The first of many by a number, and then by what they are told apart by: not all of them are put in order. */
export function firstOnes<T>(found: T[], key: (each: T) => number, tie: (a: T, b: T) => number, count: number) {
  const kept = new Float64Array(Math.min(count, found.length) + SOME)
  let [size, last] = [0, Number.POSITIVE_INFINITY]
  const cut = () => {
    kept.subarray(0, size).sort()
    if (size < count) return
    size = count
    last = kept[count - 1]!
  }
  for (const each of found) {
    const at = key(each)
    if (at > last) continue
    kept[size++] = at
    if (size === kept.length) cut()
  }
  cut()
  return found
    .filter((each) => key(each) <= last)
    .sort((a, b) => key(a) - key(b) || tie(a, b))
    .slice(0, count)
}
