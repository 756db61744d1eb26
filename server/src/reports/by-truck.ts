import { type SQL, sql } from 'drizzle-orm'
import type { CostCenterExpenses, ReportQuery, TruckExpenses } from '#contract/reports/reports.ts'
import { centerOn, centersOn } from '../fleet/cost-centers.ts'
import { costCentersTable, truckCostCentersTable, trucksTable } from '../fleet/tables.ts'
import { all } from '../platform/database/conditions.ts'
import { batch, type Db, rows, snapshot } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { plus } from '../work-orders/history.ts'
import { workOrdersTable } from '../work-orders/tables.ts'
import { seesLabour } from '../workshops/company.ts'
import { budgetsIn } from './budgets.ts'
import {
  type Ground,
  homeOf,
  labourLines,
  type Narrowing,
  ordersAsked,
  periodsOf,
  perOrder,
  type Span,
  serviceLines,
  spending,
  spentByTruck,
  sumOf,
  supplyLines,
  trucksAsked,
} from './expenses.ts'
import { driven, kilometersAtHome, mayHaveBeenHome } from './kilometers.ts'
import { groundsOf } from './month-sums.ts'

/** What each truck spent: truck_id, orders, supplies, services, labour. */
const perTruck = (actor: Actor, ground: Ground, filter: Narrowing, labour: boolean) =>
  labour
    ? sql`(
  select truck_id, count(*) as orders, sum(supplies) as supplies, sum(services) as services, sum(labour) as labour
  from ${perOrder(actor, ground, filter, labour)} x group by 1)`
    : sql`(select truck_id, orders, supplies, services, 0::numeric as labour from ${spentByTruck(actor, ground, filter, true)} x where orders > 0)`
const costPerTruck = (actor: Actor, ground: Ground, filter: Narrowing, labour: boolean) =>
  labour
    ? sql`(
  select truck_id, sum(supplies + services) as cost, sum(labour) as labour
  from ${spending(actor, ground, filter, labour)} x group by 1)`
    : sql`(select truck_id, supplies + services as cost, 0::numeric as labour from ${spentByTruck(actor, ground, filter)} x where orders > 0)`

const NOTHING = sql`(select 0::bigint as truck_id, 0::numeric as cost, 0::numeric as labour where false)`

/** Pesos with two decimals. */
export const costPerKm = (pesos: number, km: number) => (km > 0 ? Math.round((pesos / km) * 100) / 100 : null)

interface Costs {
  total_cost: number
  labour: number | null
  before_cost: number
  before_labour: number | null
}
const withLabour = ({ total_cost, labour, before_cost, before_labour }: Costs, km: number) => {
  const total_with_labour = plus(total_cost, labour)
  return {
    total_cost,
    labour,
    total_with_labour,
    before_cost,
    before_with_labour: plus(before_cost, before_labour),
    cost_per_km: costPerKm(total_cost, km),
    cost_per_km_with_labour: total_with_labour === null ? null : costPerKm(total_with_labour, km),
  }
}

/**
 * Each truck that cost or drove something in a period, or cost something before it, where that is asked for; the dearest
 * first.
 */
const trucksIn = (
  actor: Actor,
  span: Span,
  { now, then }: Pick<Grounds, 'now'> & Partial<Grounds>,
  filter: Narrowing,
  counts: boolean,
) => {
  const { meters, of } = driven(actor, span, filter)
  // Centre and kilometres are worked out once for each truck, however often they are used outside.
  return sql`select t.truck_id, t.truck_code, t.patent, t.truck_workshop, t.cost_center_id, c.name as cost_center, t.orders, t.supplies_cost,
        t.services_cost, t.labour, t.before_cost, t.before_labour, t.kilometers from (
      select t.id as truck_id, t.code as truck_code, t.patent, ${homeOf(actor, filter, sql`t`)} as truck_workshop, k.cost_center_id, coalesce(x.orders, 0) as orders,
        coalesce(x.supplies, 0) as supplies_cost, coalesce(x.services, 0) as services_cost,
        coalesce(x.labour, 0) as labour, coalesce(b.cost, 0) as before_cost,
        coalesce(b.labour, 0) as before_labour,
        ${of} as kilometers
      from ${trucksTable} t ${centersOn(sql`${span.to}::date`)} ${meters}
      left join ${perTruck(actor, now, filter, counts)} x on x.truck_id = t.id
      left join ${then ? costPerTruck(actor, then, filter, counts) : NOTHING} b on b.truck_id = t.id
      where ${all([
        sql`t.company_id = ${actor.company_id}`,
        ...trucksAsked(sql`t`, filter),
        sql`(x.truck_id is not null or b.truck_id is not null or ${mayHaveBeenHome(actor, filter, sql`${span.from}::date`)})`,
      ])} offset 0) t
    left join ${costCentersTable} c on c.company_id = ${actor.company_id} and c.id = t.cost_center_id
    where orders > 0 or before_cost <> 0 or before_labour <> 0 or kilometers > 0
    order by supplies_cost + services_cost desc, labour desc, truck_code, truck_id`
}

const totalsOf =
  (counts: boolean) =>
  ({ labour, before_cost, before_labour, ...truck }: Found): TruckExpenses => {
    const of = counts ? { labour, before_labour } : { labour: null, before_labour: null }
    const total_cost = truck.supplies_cost + truck.services_cost
    return { ...truck, ...withLabour({ total_cost, before_cost, ...of }, truck.kilometers) }
  }

export async function expensesByTruck(db: Db, actor: Actor, { filter }: ReportQuery) {
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const { found, parts, counts, budgets } = await snapshot(db, async () => {
    const {
      counts,
      grounds: [now, then],
      isMoved,
      budgets,
    } = await batch({
      counts: seesLabour(db, actor),
      grounds: groundsOf(db, actor, [span, earlier]),
      isMoved: anyMoved(db, actor, earlier.from, span),
      budgets: budgetsIn(db, actor, range, filter),
    })
    const found = await rows<Found>(db, trucksIn(actor, span, { now, then }, filter, counts))
    const parts = isMoved ? await partsOf(db, actor, found, span, earlier, filter, counts) : found
    return { found, parts, counts, budgets }
  })
  const withTotals = totalsOf(counts)
  const data = found.map(withTotals)
  const whole = new Set(found)
  const inCenters = parts === found ? data : parts.map(withTotals)
  const centers = [...Map.groupBy(inCenters, (truck) => truck.cost_center_id).values()]
    .map((trucks): CostCenterExpenses => {
      const { cost_center_id, cost_center } = trucks[0]!
      const budget = budgets.get(cost_center_id)?.budget ?? null
      return { cost_center_id, cost_center, trucks: trucks.length, ...added(trucks, counts), budget }
    })
    .sort((a, b) => b.total_cost - a.total_cost)
  // Those that have a budget and spent nothing of it are in it too.
  for (const [cost_center_id, { cost_center, budget }] of budgets)
    if (!centers.some((center) => center.cost_center_id === cost_center_id))
      centers.push({ cost_center_id, cost_center, trucks: 0, ...added([], counts), budget })
  return {
    data,
    total: data.length,
    cost_centers: centers,
    moved: parts.filter((truck) => !whole.has(truck)).map(withTotals),
    totals: {
      ...added(data, counts),
      budget: budgets.size === 0 ? null : sumOf([...budgets.values()], ({ budget }) => budget),
    },
    range,
    before,
  }
}

type Grounds = Record<'now' | 'then', Ground>

/** What the report says of some trucks together. */
export async function totalsByTruck(
  db: Db,
  actor: Actor,
  span: Span,
  grounds: Grounds,
  filter: Narrowing,
  counts: boolean,
) {
  const found = await rows<Found>(db, trucksIn(actor, span, grounds, filter, counts))
  return added(found.map(totalsOf(counts)), counts)
}

/** What the report says of the trucks of a type together, and which they are. */
export async function expensesOfType(
  db: Db,
  actor: Actor,
  span: Span,
  grounds: Grounds,
  Type: number,
  counts: boolean,
) {
  const { now, then } = grounds
  const ofType = sql`select t.id from ${trucksTable} t where t.company_id = ${actor.company_id} and t.type_of_truck_id = ${Type}`
  const ask = async (grounds: Parameters<typeof trucksIn>[2]) => {
    const [found] = await rows<{
      trucks: number[]
      all: number[]
      cost: number
      labour: number
      kilometers: number
    }>(
      db,
      sql`select coalesce(json_agg(x.truck_id), '[]') as trucks, (select coalesce(json_agg(t.id), '[]') from (${ofType}) t) as all,
            coalesce(sum(x.supplies_cost + x.services_cost), 0) as cost, coalesce(sum(x.labour), 0) as labour,
            coalesce(sum(x.kilometers), 0) as kilometers
          from (${trucksIn(actor, span, grounds, { Type }, counts)}) x`,
    )
    return found!
  }
  let found = await ask({ now })
  // Of what they cost before it is asked only whether they did, and only of those that neither cost nor drove anything since.
  const there = new Set(found.trucks)
  const idle = found.all.filter((id) => !there.has(id))
  const spent =
    idle.length > 0 &&
    (await rows(
      db,
      sql`select from ${costPerTruck(actor, then, { Truck: idle }, counts)} b where b.cost <> 0 or b.labour <> 0 limit 1`,
    ))
  if (spent && spent.length > 0) found = await ask(grounds)
  const { trucks, cost, labour, kilometers } = found
  return {
    trucks,
    kilometers,
    cost_per_km: costPerKm(cost, kilometers),
    cost_per_km_with_labour: counts ? costPerKm(cost + labour, kilometers) : null,
  }
}

type Found = Omit<TruckExpenses, keyof ReturnType<typeof withLabour>> &
  Record<'labour' | 'before_cost' | 'before_labour', number>

/** What the report says of what each truck of the company drove. */
export const drivenByTruck = (db: Db, actor: Actor, span: Span, filter: Narrowing) => {
  const { meters, of } = driven(actor, span, filter)
  return rows<Pick<Found, 'truck_id' | 'truck_code' | 'patent' | 'cost_center_id' | 'kilometers'>>(
    db,
    sql`select t.id as truck_id, t.code as truck_code, t.patent, k.cost_center_id, ${of} as kilometers
        from ${trucksTable} t ${centersOn(sql`${span.to}::date`)} ${meters}
        where ${all([sql`t.company_id = ${actor.company_id}`, ...trucksAsked(sql`t`, filter)])} order by t.code, t.id`,
  )
}

/** Days on which a truck was of one centre, and what it drove on those of them that are in the period. */
export interface Stretch {
  truck_id: number
  cost_center_id: number | null
  cost_center: string | null
  start: string
  end: string
  kilometers: number
}

/** That some changed their centre after a day, and by the end of a period. */
const changedCenter = (actor: Actor, since: string, { to }: Span) =>
  sql`company_id = ${actor.company_id} and until_day > ${since}::date and until_day <= ${to}::date`

const anyMoved = async (db: Db, actor: Actor, since: string, span: Span) => {
  const moved = await rows(
    db,
    sql`select truck_id from ${truckCostCentersTable} where ${changedCenter(actor, since, span)} limit 1`,
  )
  return moved.length > 0
}

/** Stretches of the trucks that changed their centre between two days, with what each drove at home in the workshops asked about. */
export const stretchesOf = (db: Db, actor: Actor, since: string, span: Span, filter: Narrowing) => {
  const moment = (day: SQL) => sql`(${day}::timestamp at time zone ${actor.time_zone})`
  return rows<Stretch>(
    db,
    sql`select u.truck_id, u.cost_center_id, c.name as cost_center, u.start, u."end",
          case when u.start < u."end" then ${kilometersAtHome(actor, filter, { start: sql`u.start`, end: sql`u."end"` })} else 0 end as kilometers
        from (
          select b.truck_id, b.cost_center_id, b.until_day,
            greatest(${span.start}::timestamptz, ${moment(sql`lag(b.until_day) over by_day`)}) as start,
            least(${span.end}::timestamptz, ${moment(sql`b.until_day`)}) as "end",
            lag(b.until_day) over by_day as from_day
          from (
            select truck_id, until_day, cost_center_id from ${truckCostCentersTable} where company_id = ${actor.company_id}
            union all
            select id, 'infinity'::date, cost_center_id from ${trucksTable} where company_id = ${actor.company_id}) b
          where b.truck_id in (select truck_id from ${truckCostCentersTable} where ${changedCenter(actor, since, span)})
          window by_day as (partition by b.truck_id order by b.until_day)) u
        join ${trucksTable} t on t.company_id = ${actor.company_id} and t.id = u.truck_id
        left join ${costCentersTable} c on c.company_id = ${actor.company_id} and c.id = u.cost_center_id
        where u.until_day > ${since}::date and coalesce(u.from_day, '-infinity') <= ${span.to}::date
        order by u.truck_id, u.until_day`,
  )
}

/** Lines on their days: truck_id, work_order_id, day, supplies, services, and labour where it is asked for. */
const linesOf = (actor: Actor, period: Span, filter: Narrowing, labour: boolean) => sql`(
  select o.truck_id, l.work_order_id, (l.created_at at time zone ${actor.time_zone})::date as day, l.amount as supplies,
    0::numeric as services, 0::numeric as labour
  from (select l.* from ${supplyLines(actor, period, filter)}) l
  join ${workOrdersTable} o on o.id = l.work_order_id and ${ordersAsked(actor, filter)}
  union all
  select o.truck_id, l.work_order_id, l.day, 0, l.amount, 0 from ${serviceLines(actor, period, filter)} l
  join ${workOrdersTable} o on o.id = l.work_order_id and ${ordersAsked(actor, filter)}
  ${
    labour
      ? sql`union all select o.truck_id, l.work_order_id, l.day, 0, 0, l.amount from ${labourLines(actor, period, filter)} l
          join ${workOrdersTable} o on o.id = l.work_order_id and ${ordersAsked(actor, filter)}`
      : sql``
  })`

/** What the trucks of each cost centre cost while they were of it, as the report says it, by its id. */
export async function spentByCenter(db: Db, actor: Actor, span: Span, ground: Ground, filter: Narrowing) {
  const moved = await rows<{ truck_id: number }>(
    db,
    sql`select distinct truck_id from ${truckCostCentersTable}
        where company_id = ${actor.company_id} and until_day > ${span.from}::date and until_day <= ${span.to}::date`,
  )
  const trucks = moved.map(({ truck_id }) => truck_id)
  const stayed = sql`select truck_id, ${span.to}::date as day, supplies + services as cost
    from ${spentByTruck(actor, ground, filter)} x`
  const spent =
    trucks.length === 0
      ? stayed
      : sql`${stayed} where not truck_id = any(${sql.param(trucks)}::bigint[])
          union all select truck_id, day, supplies + services from ${linesOf(actor, span, { ...filter, Truck: trucks }, false)} l`
  const found = await rows<{ cost_center_id: number | null; cost: number }>(
    db,
    sql`select k.cost_center_id, sum(x.cost) as cost from (${spent}) x
        join ${trucksTable} t on t.company_id = ${actor.company_id} and t.id = x.truck_id ${centerOn(sql`x.day`)}
        group by 1`,
  )
  return new Map(found.map(({ cost_center_id, cost }) => [cost_center_id, cost]))
}

/** The trucks as each cost centre has them: one that changed its centre is in each with what it spent and drove there. */
async function partsOf(
  db: Db,
  actor: Actor,
  found: Found[],
  span: Span,
  earlier: Span,
  filter: Narrowing,
  counts: boolean,
): Promise<Found[]> {
  const moved = await stretchesOf(db, actor, earlier.from, span, filter)
  if (moved.length === 0) return found
  const trucks = [...new Set(moved.map(({ truck_id }) => truck_id))].filter(
    (id) => !filter.Truck?.length || filter.Truck.includes(id),
  )
  const lines = (period: Span) => linesOf(actor, period, { ...filter, Truck: trucks }, counts)
  const spent = await rows<
    Pick<Found, 'truck_id' | 'cost_center_id' | 'orders' | 'supplies_cost' | 'services_cost' | 'labour'> &
      Pick<Found, 'before_cost' | 'before_labour'>
  >(
    db,
    sql`select x.truck_id, k.cost_center_id, count(distinct x.work_order_id) filter (where x.now) as orders,
          coalesce(sum(x.supplies) filter (where x.now), 0) as supplies_cost,
          coalesce(sum(x.services) filter (where x.now), 0) as services_cost,
          coalesce(sum(x.labour) filter (where x.now), 0) as labour,
          coalesce(sum(x.supplies + x.services) filter (where not x.now), 0) as before_cost,
          coalesce(sum(x.labour) filter (where not x.now), 0) as before_labour
        from (select *, true as now from ${lines(span)} n union all select *, false from ${lines(earlier)} e) x
        join ${trucksTable} t on t.company_id = ${actor.company_id} and t.id = x.truck_id ${centerOn(sql`x.day`)}
        group by 1, 2`,
  )
  return found.flatMap((truck) => {
    const own = moved.filter(({ truck_id }) => truck_id === truck.truck_id)
    if (own.length === 0) return [truck]
    const centers = new Map(own.map((each) => [each.cost_center_id, each.cost_center]))
    return [...centers].flatMap(([cost_center_id, cost_center]) => {
      const part = spent.find((each) => each.truck_id === truck.truck_id && each.cost_center_id === cost_center_id)
      const kilometers = sumOf(
        own.filter((each) => each.cost_center_id === cost_center_id),
        (each) => each.kilometers,
      )
      const {
        orders = 0,
        supplies_cost = 0,
        services_cost = 0,
        labour = 0,
        before_cost = 0,
        before_labour = 0,
      } = part ?? {}
      const isIn = orders > 0 || before_cost !== 0 || before_labour !== 0 || kilometers > 0
      return isIn
        ? [
            {
              ...truck,
              cost_center_id,
              cost_center,
              orders,
              supplies_cost,
              services_cost,
              labour,
              before_cost,
              before_labour,
              kilometers,
            },
          ]
        : []
    })
  })
}

function added(trucks: TruckExpenses[], counts: boolean) {
  const sums = {
    orders: sumOf(trucks, (t) => t.orders),
    supplies_cost: sumOf(trucks, (t) => t.supplies_cost),
    services_cost: sumOf(trucks, (t) => t.services_cost),
    kilometers: sumOf(trucks, (t) => t.kilometers),
  }
  const [total_cost, before_cost] = [sumOf(trucks, (t) => t.total_cost), sumOf(trucks, (t) => t.before_cost)]
  const labour = counts ? sumOf(trucks, (t) => t.labour ?? 0) : null
  const before_labour = counts ? sumOf(trucks, (t) => t.before_with_labour ?? 0) - before_cost : null
  return { ...sums, ...withLabour({ total_cost, labour, before_cost, before_labour }, sums.kilometers) }
}
