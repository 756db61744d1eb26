import { type SQL, sql } from 'drizzle-orm'
import type { HistoricalQuery, OrderExpenses } from '#contract/reports/reports.ts'
import { trucksTable } from '../fleet/tables.ts'
import { batch, COMPANY, type Db, rows, snapshot } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { CODE } from '../work-orders/access.ts'
import { plus } from '../work-orders/history.ts'
import { TRUCK_WORKSHOP } from '../work-orders/summary.ts'
import { maintenanceTypesTable, workOrderCostsTable, workOrdersTable } from '../work-orders/tables.ts'
import { seesLabour } from '../workshops/company.ts'
import { workshopsTable } from '../workshops/tables.ts'
import {
  firstCreated,
  firstOrders,
  firstTrucks,
  type Ground,
  isRanked,
  MOST_RANKED,
  monthStarts,
  monthSums,
  type Narrowing,
  periodsOf,
  perOrder,
  perStep,
  type Rank,
  readOf,
  type Span,
  stepsOf,
  sumOf,
} from './expenses.ts'
import { groundOf, groundsOf } from './month-sums.ts'

const ROW = sql`x.work_order_id, ${CODE} as code, o.truck_id, k.code as truck_code, k.patent, ${TRUCK_WORKSHOP} as truck_workshop,
  y.name as type_maintenance, o.status, o.created_at, w.name as workshop_name, x.supplies as supplies_cost,
  x.services as services_cost, x.supplies + x.services as total_cost, x.labour, x.supplies + x.services + x.labour as total_with_labour`
const NAMES = sql`
  join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
  join ${workshopsTable} w on w.company_id = o.company_id and w.id = o.workshop_id
  left join ${maintenanceTypesTable} y on y.company_id = o.company_id and y.id = o.type_maintenance_id`

const SORTS: Record<string, SQL> = {
  code: sql`o.number`,
  patent: sql`k.patent`,
  created_at: sql`o.created_at`,
  supplies_cost: sql`x.supplies`,
  services_cost: sql`x.services`,
  total_cost: sql`x.supplies + x.services`,
}

/** What the order itself says, or its truck; its costs, which are less to read, say when it was created. */
const SAID_BY = new Map<SQL, SQL>([
  [SORTS.code!, sql`${workOrdersTable} o on o.id = x.work_order_id and o`],
  [SORTS.created_at!, sql`${workOrderCostsTable} o on o.id = x.work_order_id and o`],
  [SORTS.patent!, sql`${trucksTable} k on k.id = x.truck_id and k`],
])

/** The same where sums know most of it, or few are asked. */
const LOOKED_UP = new Map<SQL, SQL>([
  [
    SORTS.code!,
    sql`coalesce(x.number, (select o.number from ${workOrdersTable} o where o.company_id = ${COMPANY} and o.id = x.work_order_id))`,
  ],
  [
    SORTS.created_at!,
    sql`(select o.created_at from ${workOrderCostsTable} o where o.company_id = ${COMPANY} and o.id = x.work_order_id)`,
  ],
])

/** What the orders of a month are ranked by. */
const RANKS = new Map([
  [SORTS.code, sql`s.number`],
  [SORTS.total_cost, sql`s.supplies + s.services`],
])

interface Spent {
  work_order_id: number
  supplies: number
  services: number
  /** Null where it does not count. */
  labour: number | null
}

export async function historicalExpenses(db: Db, actor: Actor, query: HistoricalQuery) {
  const { filter, page, per_page, sort = '-total_cost' } = query
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const [key, direction] = [SORTS[sort.replace(/^-/, '')]!, sort.startsWith('-') ? sql`desc` : sql`asc`]
  return snapshot(db, async () => {
    const [ground, groundBefore] = await groundsOf(db, actor, [span, earlier])
    const counts = await seesLabour(db, actor)
    const limit = page * per_page
    const first = !counts && (await firstBy(db, actor, ground, filter, { key, direction, limit }))
    // What the order itself says is looked up only where it is sorted by.
    const lookedUp = first && (key !== SORTS.created_at || 'Orders' in first) ? LOOKED_UP.get(key) : undefined
    const said = lookedUp ? undefined : SAID_BY.get(key)
    const order = said ? sql`join ${said}.company_id = ${actor.company_id}` : sql``
    const orders = first
      ? firstOrders(actor, ground, filter, first)
      : sql`x as materialized (select * from ${perOrder(actor, ground, filter, counts)} x), t as (select count(*) as total from x)`
    const [found] = await rows<{ total: number; spent: Spent[] }>(
      db,
      sql`with ${orders}
          select t.total, (select coalesce(json_agg(p), '[]') from (
            select x.work_order_id, x.supplies, x.services, ${labourIf(counts)} as labour from x ${order} order by ${lookedUp ?? key} ${direction}, x.work_order_id desc
            limit ${per_page} offset ${(page - 1) * per_page}) p) as spent
          from t`,
    )
    const { total = 0, spent = [] } = found ?? {}
    const place = new Map(spent.map(({ work_order_id }, i) => [work_order_id, i]))
    const data = await expensesOfOrders(db, actor, spent)
    data.sort((a, b) => place.get(a.work_order_id)! - place.get(b.work_order_id)!)
    const months = await spentPerMonth(db, actor, span, ground, filter, counts)
    const monthsBefore = await spentPerMonth(db, actor, earlier, groundBefore, filter, counts)
    const supplies_cost = sumOf(months, (m) => m.supplies_cost)
    const services_cost = sumOf(months, (m) => m.services_cost)
    const total_cost = supplies_cost + services_cost
    const labour = counts ? sumOf(months, (m) => m.labour ?? 0) : null
    const totals = {
      supplies_cost,
      services_cost,
      total_cost,
      labour,
      total_with_labour: plus(total_cost, labour),
      before_cost: sumOf(monthsBefore, (m) => m.total_cost),
      before_with_labour: counts ? sumOf(monthsBefore, (m) => m.total_with_labour ?? 0) : null,
    }
    return { data, total, page, per_page, months, totals, range, before }
  })
}

/** Which orders come first, where months are summed: how they are ranked, which they are, or of which trucks. */
async function firstBy(
  db: Db,
  actor: Actor,
  ground: Ground,
  filter: Narrowing,
  { key, direction, limit }: { key: SQL; direction: SQL; limit: number },
): Promise<Rank | Narrowing | undefined> {
  if (ground.months.length === 0) return undefined
  const by = RANKS.get(key)
  if (by && isRanked(ground, filter, limit)) return { by, direction, tie: sql`desc`, limit }
  if (key === SORTS.created_at && limit <= MOST_RANKED) {
    const created = await rows<{ id: number }>(db, firstCreated(actor, ground, filter, { direction, limit }))
    return { ...filter, Orders: created.map(({ id }) => id) }
  }
  if (key !== SORTS.patent || filter.Truck?.length) return filter
  const trucks = await rows<{ truck_id: number }>(db, firstTrucks(actor, ground, filter, { by: key, direction, limit }))
  return { ...filter, Truck: trucks.map(({ truck_id }) => truck_id) }
}

const labourIf = (counts: boolean) => (counts ? sql`x.labour` : sql`null::numeric`)

interface Sums {
  supplies: number
  services: number
  labour: number
}

export async function spentPerMonth(
  db: Db,
  actor: Actor,
  span: Span,
  ground: Ground,
  filter: Narrowing,
  counts: boolean,
) {
  const starts = monthStarts(span)
  const months = starts.map((start) => ({
    month: start.slice(0, 7),
    supplies_cost: 0,
    services_cost: 0,
    total_cost: 0,
    labour: counts ? 0 : null,
    total_with_labour: counts ? 0 : null,
  }))
  const add = (i: number, { supplies, services, labour }: Sums) => {
    const month = months[i]!
    if (month.labour !== null) month.labour += labour
    month.supplies_cost += supplies
    month.services_cost += services
    month.total_cost += supplies + services
    month.total_with_labour = plus(month.total_cost, month.labour)
  }
  const place = new Map(ground.months.map(({ month, version }) => [version, starts.indexOf(`${month}-01`)]))
  for (const { version, from } of ground.cuts) place.set(version, starts.indexOf(`${from.slice(0, 7)}-01`))
  const kept = monthSums(actor, ground, filter, counts)
  const read = readOf(ground, filter).map(({ span, filter }) =>
    perStep(actor, span, filter, stepsOf(starts, actor.time_zone), counts),
  )
  const { summed, steps } = await batch({
    summed:
      kept.length > 0 ? rows<Sums & { version: number }>(db, sql.join(kept, sql` union all `)) : Promise.resolve([]),
    steps: read.length > 0 ? rows<Sums & { step: number }>(db, sql.join(read, sql` union all `)) : Promise.resolve([]),
  })
  for (const { version, ...sums } of summed) add(place.get(version)!, sums)
  for (const { step, ...sums } of steps) add(step - 1, sums)
  return months
}

/* For the file: what the orders spent, and then the rest of what is said about some of them at a time. */

export const ordersWithExpenses = (db: Db, actor: Actor, span: Span, filter: Narrowing) =>
  snapshot(db, async () => {
    const counts = await seesLabour(db, actor)
    const ground = await groundOf(db, actor, span)
    return rows<Spent>(
      db,
      sql`select work_order_id, supplies, services, ${labourIf(counts)} as labour from ${perOrder(actor, ground, filter, counts)} x order by 1`,
    )
  })

export const expensesOfOrders = (db: Db, actor: Actor, spent: Spent[]) => {
  const column = (field: keyof Spent) => sql.param(spent.map((order) => order[field]))
  return rows<OrderExpenses>(
    db,
    sql`select ${ROW} from unnest(${column('work_order_id')}::bigint[], ${column('supplies')}::numeric[],
          ${column('services')}::numeric[], ${column('labour')}::numeric[]) x (work_order_id, supplies, services, labour)
        join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = x.work_order_id ${NAMES}
        order by x.work_order_id`,
  )
}
