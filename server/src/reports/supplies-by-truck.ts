import { type SQL, sql } from 'drizzle-orm'
import type { ReportQuery, SuppliesByTruckQuery, SuppliesOfTruck } from '#contract/reports/reports.ts'
import { trucksTable } from '../fleet/tables.ts'
import { atOneMoment, COMPANY, type Db, execute } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { categoriesTable, measurementUnitsTable, suppliesTable } from '../supplies/tables.ts'
import { workOrdersTable } from '../work-orders/tables.ts'
import {
  homeOf,
  type Narrowing,
  ordersAsked,
  periodsOf,
  type Span,
  spentByTruck,
  sumOf,
  supplyLines,
} from './expenses.ts'
import { groundOf } from './month-sums.ts'

/** Supply lines as `l` with their order `o`. */
const used = (actor: Actor, span: Span, filter: Narrowing) => sql`
  (select l.* from ${supplyLines(actor, span, filter)}) l
  join ${workOrdersTable} o on o.id = l.work_order_id and ${ordersAsked(actor, filter)}`

interface Bar {
  truck_id: number
  truck_code: string
  patent: string
  count: number
  amount: number
  before: number
}

export async function chartSuppliesByTruck(db: Db, actor: Actor, { filter }: ReportQuery) {
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const data = await atOneMoment(db, async () => {
    const [now, then] = [await groundOf(db, actor, span), await groundOf(db, actor, earlier)]
    return execute<Bar>(
      db,
      sql`select u.truck_id, k.code as truck_code, k.patent, u.count, u.amount, u.before
          from (
            select truck_id, sum(count) as count, sum(amount) as amount, sum(before) as before from (
              select truck_id, count, supplies as amount, 0::numeric as before from ${spentByTruck(actor, now, filter)} x where takers > 0
              union all
              select truck_id, 0, 0, supplies from ${spentByTruck(actor, then, filter)} x where takers > 0) x group by 1) u
          join ${trucksTable} k on k.company_id = ${actor.company_id} and k.id = u.truck_id
          order by u.amount desc, k.code`,
    )
  })
  const totals = {
    count: round4(sumOf(data, (t) => t.count)),
    amount: sumOf(data, (t) => t.amount),
    before: sumOf(data, (t) => t.before),
  }
  return { data, total: data.length, totals, range, before }
}

const round4 = (n: number) => Math.round(n * 10_000) / 10_000

const SORTS: Record<string, SQL> = {
  truck_code: sql`k.code`,
  code: sql`s.code`,
  name: sql`s.name`,
  count: sql`x.count`,
  amount: sql`x.amount`,
}
const NAMES = sql`
  join ${trucksTable} k on k.company_id = ${COMPANY} and k.id = x.truck_id
  join ${suppliesTable} s on s.company_id = ${COMPANY} and s.id = x.supply_id`
const MORE_NAMES = sql`
  left join ${categoriesTable} c on c.company_id = ${COMPANY} and c.id = s.category_id
  left join ${measurementUnitsTable} m on m.company_id = ${COMPANY} and m.id = s.measurement_units_id`
const rowOf = (actor: Actor, filter: Narrowing) => sql`x.truck_id, k.code as truck_code, k.patent,
  ${homeOf(actor, filter, sql`k`)} as truck_workshop, x.supply_id, s.code, s.name, c.name as category,
  m.name as unit, x.count, x.amount`

const perTruckAndSupply = (actor: Actor, span: Span, filter: Narrowing) => sql`
  select ${actor.company_id}::bigint as company_id, o.truck_id, l.supply_id, sum(l.count) as count, sum(l.amount) as amount
  from ${used(actor, span, filter)} group by 2, 3`

export async function listSuppliesByTruck(db: Db, actor: Actor, query: SuppliesByTruckQuery) {
  const { filter, page, per_page, sort = '-amount' } = query
  const { range, before, span } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const field = sort.replace(/^-/, '')
  const order = sort.startsWith('-') ? sql`desc` : sql`asc`
  const isNamed = !['count', 'amount'].includes(field)
  const [found] = await execute<{ total: number; count: number; amount: number; data: [number, number][] }>(
    db,
    sql`with x as materialized (${perTruckAndSupply(actor, span, filter)})
        select (select count(*) from x) as total, (select coalesce(sum(count), 0) from x) as count,
          (select coalesce(sum(amount), 0) from x) as amount,
          (select coalesce(json_agg(json_build_array(truck_id, supply_id)), '[]') from (
            select x.truck_id, x.supply_id from x ${isNamed ? NAMES : sql``}
            order by ${SORTS[field]!} ${order}, x.truck_id, x.supply_id
            limit ${per_page} offset ${(page - 1) * per_page}) p) as data`,
  )
  const pairs = found?.data ?? []
  const trucks = [...new Set(pairs.map(([truck]) => truck))]
  const wanted = new Map(pairs.map((pair, i) => [String(pair), i]))
  const rows = trucks.length > 0 ? await suppliesOfTrucks(db, actor, span, { ...filter, Truck: trucks }) : []
  const data = rows
    .filter((row) => wanted.has(`${row.truck_id},${row.supply_id}`))
    .sort((a, b) => place(wanted, a) - place(wanted, b))
  const totals = { count: found?.count ?? 0, amount: found?.amount ?? 0 }
  return { data, total: found?.total ?? 0, page, per_page, totals, range, before }
}

const place = (wanted: Map<string, number>, row: SuppliesOfTruck) => wanted.get(`${row.truck_id},${row.supply_id}`)!

export async function trucksWithSupplies(db: Db, actor: Actor, span: Span, filter: Narrowing): Promise<number[]> {
  const found = await execute<{ id: number }>(
    db,
    sql`select k.id from (select o.truck_id from ${used(actor, span, filter)} group by 1) x
        join ${trucksTable} k on k.company_id = ${actor.company_id} and k.id = x.truck_id order by k.code, k.id`,
  )
  return found.map(({ id }) => id)
}

/** Everything that some trucks used. */
export const suppliesOfTrucks = (db: Db, actor: Actor, span: Span, filter: Narrowing) =>
  execute<SuppliesOfTruck>(
    db,
    sql`select ${rowOf(actor, filter)} from (${perTruckAndSupply(actor, span, filter)}) x ${NAMES} ${MORE_NAMES}
        order by k.code, k.id, x.amount desc, x.supply_id`,
  )
