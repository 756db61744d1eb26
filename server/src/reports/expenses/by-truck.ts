import { sql } from 'drizzle-orm'
import type { CostCenterExpenses, ReportQuery, TruckExpenses } from '#contract/reports/reports.ts'
import { centersOn } from '../../fleet/cost-centers.ts'
import { costCentersTable, trucksTable } from '../../fleet/tables.ts'
import { all } from '../../platform/database/conditions.ts'
import { batch, type Db, one, rows, rowsUnprepared, snapshot } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { plus } from '../../work-orders/orders/history.ts'
import { seesLabour } from '../../workshops/company.ts'
import {
  expensesIn,
  homeOf,
  type Narrowing,
  periodsOf,
  perOrder,
  type Span,
  SUMS,
  sumOf,
  trucksAsked,
  withLabourIf,
} from '../expenses.ts'
import { driven, mayHaveBeenHome } from '../kilometers.ts'
import { budgetsIn } from './budgets.ts'
import { anyMoved, type SpentInCenter, spentInCenters, stretchesOf } from './centers.ts'

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
 * Each truck that cost or drove something in a period, or cost something in the one before, where that is asked for; the
 * dearest first.
 */
const trucksIn = (actor: Actor, span: Span, earlier: Span | undefined, filter: Narrowing, counts: boolean) => {
  const { meters, of } = driven(actor, span, filter)
  const before = earlier
    ? sql`select e.truck_id, ${SUMS} from ${expensesIn(actor, earlier, filter, withLabourIf(counts))} group by e.truck_id`
    : sql`select 0::bigint as truck_id, 0::bigint as supplies, 0::bigint as services, 0::bigint as labour where false`
  // Centre and kilometres are computed once for each truck, however often they are used outside.
  return sql`select t.*, c.name as cost_center from (
      select t.id as truck_id, t.code as truck_code, t.patent, ${homeOf(actor, filter, sql`t`)} as truck_workshop,
        k.cost_center_id, coalesce(x.orders, 0) as orders, coalesce(x.supplies, 0) as supplies_cost,
        coalesce(x.services, 0) as services_cost, coalesce(x.labour, 0) as labour,
        coalesce(b.supplies + b.services, 0) as before_cost, coalesce(b.labour, 0) as before_labour, ${of} as kilometers
      from ${trucksTable} t ${centersOn(sql`${span.to}::date`)} ${meters}
      left join (
        select x.truck_id, count(*) as orders, sum(x.supplies) as supplies, sum(x.services) as services, sum(x.labour) as labour
        from (${perOrder(actor, span, filter, counts)}) x group by 1) x on x.truck_id = t.id
      left join (${before}) b on b.truck_id = t.id
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
    const { counts, isMoved, budgets } = await batch({
      counts: seesLabour(db, actor),
      isMoved: anyMoved(db, actor, earlier.from, span),
      budgets: budgetsIn(db, actor, range, filter),
    })
    const found = await rowsUnprepared<Found>(db, trucksIn(actor, span, earlier, filter, counts))
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
  // Cost centres with a budget are listed even if they spent nothing.
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

/** What the report says of some trucks together. */
export async function totalsByTruck(
  db: Db,
  actor: Actor,
  span: Span,
  earlier: Span,
  filter: Narrowing,
  counts: boolean,
) {
  const found = await rowsUnprepared<Found>(db, trucksIn(actor, span, earlier, filter, counts))
  return added(found.map(totalsOf(counts)), counts)
}

/** What the report says of the trucks of a type together, and which they are. */
export async function expensesOfType(db: Db, actor: Actor, span: Span, earlier: Span, Type: number, counts: boolean) {
  const { trucks, cost, labour, kilometers } = one(
    await rowsUnprepared<{ trucks: number[]; cost: number; labour: number; kilometers: number }>(
      db,
      sql`select coalesce(json_agg(x.truck_id), '[]') as trucks, coalesce(sum(x.supplies_cost + x.services_cost), 0) as cost,
            coalesce(sum(x.labour), 0) as labour, coalesce(sum(x.kilometers), 0) as kilometers
          from (${trucksIn(actor, span, earlier, { Type }, counts)}) x`,
    ),
  )
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

/** The trucks as each cost centre has them: one that changed its centre is in each with what it spent and drove there. */
async function partsOf(
  db: Db,
  actor: Actor,
  found: Found[],
  span: Span,
  earlier: Span,
  filter: Narrowing,
  counts: boolean,
) {
  const stretches = await stretchesOf(db, actor, earlier.from, span, filter)
  const moved = Map.groupBy(stretches, ({ truck_id }) => truck_id)
  const Truck = [...moved.keys()].filter((id) => !filter.Truck?.length || filter.Truck.includes(id))
  if (Truck.length === 0) return found
  const spent = await spentInCenters(db, actor, span, earlier, { ...filter, Truck }, counts)
  return found.flatMap((truck): Found[] => {
    const own = moved.get(truck.truck_id)
    if (!own) return [truck]
    return [...Map.groupBy(own, ({ cost_center_id }) => cost_center_id)].flatMap(([cost_center_id, days]) => {
      const part =
        spent.find((one) => one.truck_id === truck.truck_id && one.cost_center_id === cost_center_id) ?? NOTHING
      const kilometers = sumOf(days, (each) => each.kilometers)
      const isIn = part.orders > 0 || part.before_cost !== 0 || part.before_labour !== 0 || kilometers > 0
      const { truck_id } = truck
      return isIn
        ? [{ ...truck, ...part, truck_id, cost_center_id, cost_center: days[0]!.cost_center, kilometers }]
        : []
    })
  })
}
const NOTHING: Omit<SpentInCenter, 'truck_id' | 'cost_center_id'> = {
  orders: 0,
  supplies_cost: 0,
  services_cost: 0,
  labour: 0,
  before_cost: 0,
  before_labour: 0,
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
