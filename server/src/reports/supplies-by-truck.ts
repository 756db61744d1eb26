import { type SQL, sql } from 'drizzle-orm'
import type { ReportQuery, SuppliesByTruckQuery, SuppliesOfTruck } from '#contract/reports/reports.ts'
import { trucksTable } from '../fleet/tables.ts'
import { atOneMoment, COMPANY, type Db, execute } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { categoriesTable, measurementUnitsTable, suppliesTable } from '../supplies/tables.ts'
import {
  type Ground,
  homeOf,
  isLong,
  itsOrder,
  type Narrowing,
  periodsOf,
  type Span,
  spentByTruck,
  sumOf,
  supplyLines,
  takers,
} from './expenses.ts'
import { groundOf, groundsOf } from './month-sums.ts'

/** Supply lines as `l` with their order `o`, each order looked up once; of years, where the ground is known, in the sums. */
const used = (actor: Actor, span: Span, filter: Narrowing, ground?: Ground) => {
  const lines = sql`(select l.* from ${supplyLines(actor, span, filter)}) l`
  const orders = ground
    ? takers(actor, ground, filter)
    : sql`(select x.work_order_id as id, o.truck_id from (select l.work_order_id from ${lines} group by 1) x
        ${itsOrder(actor, span, filter)})`
  return sql`${lines} join ${orders} o on o.id = l.work_order_id`
}

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
    const [now, then] = await groundsOf(db, actor, [span, earlier])
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

/* Whole numbers of less than 2^53 are added up as fractions without losing any, in half the time. */
const perTruckAndSupply = (actor: Actor, span: Span, filter: Narrowing, ground?: Ground) => sql`
  select o.truck_id, l.supply_id, sum((l.count * 10000)::bigint::float8) / 10000 as count,
    sum(l.amount::bigint::float8) as amount
  from ${used(actor, span, filter, ground)} group by 1, 2`

export async function listSuppliesByTruck(db: Db, actor: Actor, query: SuppliesByTruckQuery) {
  const { filter, page, per_page, sort = '-amount' } = query
  const { range, before, span } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const field = sort.replace(/^-/, '')
  const order = sort.startsWith('-') ? sql`desc` : sql`asc`
  const isNamed = !['count', 'amount'].includes(field)
  return atOneMoment(db, async () => {
    const ground = isLong(span) ? await groundOf(db, actor, span) : undefined
    const [found] = await execute<{ total: number; count: number; amount: number; data: SuppliesOfTruck[] }>(
      db,
      sql`with x as materialized (${perTruckAndSupply(actor, span, filter, ground)}),
          p as materialized (
            select x.* from x ${isNamed ? NAMES : sql``} order by ${SORTS[field]!} ${order}, x.truck_id, x.supply_id
            limit ${per_page} offset ${(page - 1) * per_page})
          select t.*, (select coalesce(json_agg(q), '[]') from (
              select ${rowOf(actor, filter)} from p x ${NAMES} ${MORE_NAMES}
              order by ${SORTS[field]!} ${order}, x.truck_id, x.supply_id) q) as data
          from (select count(*) as total, coalesce(sum(round(count * 10000)) / 10000, 0) as count,
            coalesce(sum(amount), 0) as amount from x) t`,
    )
    const { data = [], total = 0, count = 0, amount = 0 } = found ?? {}
    return { data, total, page, per_page, totals: { count, amount }, range, before }
  })
}

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
