import { type SQL, sql } from 'drizzle-orm'
import type { ReportQuery, SuppliesByTruckQuery, SuppliesOfTruck } from '#contract/reports/reports.ts'
import { trucksTable } from '../../fleet/tables.ts'
import { COMPANY, type Db, one, rowsUnprepared, snapshot } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { categoriesTable, measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import { expensesIn, homeOf, type Narrowing, periodsOf, type Span, sumOf } from '../expenses.ts'

const supplies = (actor: Actor, days: Span, filter: Narrowing) => expensesIn(actor, days, filter, { supplies: true })

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
  const data = await rowsUnprepared<Bar>(
    db,
    sql`select u.truck_id, k.code as truck_code, k.patent, u.count, u.amount, u.before
        from (
          select truck_id, sum(count) as count, sum(amount) as amount, sum(before) as before from (
            select e.truck_id, sum(e.quantity) as count, sum(e.amount) as amount, 0::numeric as before
            from ${supplies(actor, span, filter)} group by 1
            union all
            select e.truck_id, 0, 0, sum(e.amount) from ${supplies(actor, earlier, filter)} group by 1) x group by 1) u
        join ${trucksTable} k on k.company_id = ${actor.company_id} and k.id = u.truck_id
        order by u.amount desc, k.code`,
  )
  const totals = {
    count: Math.round(sumOf(data, (t) => t.count) * 10_000) / 10_000,
    amount: sumOf(data, (t) => t.amount),
    before: sumOf(data, (t) => t.before),
  }
  return { data, total: data.length, totals, range, before }
}

/** The supplies that each truck took: truck_id, supply_id, count, amount. */
const perTruckAndSupply = (actor: Actor, days: Span, filter: Narrowing) => sql`
  select e.truck_id, e.item_id as supply_id, sum(e.quantity) as count, sum(e.amount)::bigint as amount
  from ${supplies(actor, days, filter)} group by 1, 2`

const TRUCK = sql`join ${trucksTable} k on k.company_id = ${COMPANY} and k.id = x.truck_id`
const SUPPLY = sql`join ${suppliesTable} s on s.company_id = ${COMPANY} and s.id = x.supply_id`
/** What the list is sorted by, and where that stands, if it is no sum. */
const SORTS: Record<string, { by: SQL; join?: SQL }> = {
  amount: { by: sql`x.amount` },
  count: { by: sql`x.count` },
  truck_code: { by: sql`k.code`, join: TRUCK },
  code: { by: sql`s.code`, join: SUPPLY },
  name: { by: sql`s.name`, join: SUPPLY },
}
const rowOf = (actor: Actor, filter: Narrowing) => sql`x.truck_id, k.code as truck_code, k.patent,
  ${homeOf(actor, filter, sql`k`)} as truck_workshop, x.supply_id, s.code, s.name, c.name as category,
  m.name as unit, x.count, x.amount`
const NAMES = sql`${TRUCK} ${SUPPLY}
  left join ${categoriesTable} c on c.company_id = ${COMPANY} and c.id = s.category_id
  left join ${measurementUnitsTable} m on m.company_id = ${COMPANY} and m.id = s.measurement_units_id`

export async function listSuppliesByTruck(db: Db, actor: Actor, query: SuppliesByTruckQuery) {
  const { filter, page, per_page, sort = '-amount' } = query
  const { range, before, span } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const { by, join = sql`` } = SORTS[sort.replace(/^-/, '')]!
  const order = sql`${by} ${sort.startsWith('-') ? sql`desc` : sql`asc`}, x.truck_id, x.supply_id`
  interface Page {
    total: number
    count: number
    amount: number
    data: SuppliesOfTruck[]
  }
  // A snapshot has the memory to add up years.
  const { total, data, ...totals } = await snapshot(db, async () =>
    one(
      await rowsUnprepared<Page>(
        db,
        sql`with x as materialized (${perTruckAndSupply(actor, span, filter)}),
              t as (select count(*) as total, coalesce(sum(count), 0) as count, coalesce(sum(amount), 0) as amount from x)
            select t.*, (select coalesce(json_agg(p), '[]') from (
              select ${rowOf(actor, filter)}
              from (select x.* from x ${join} order by ${order} limit ${per_page} offset ${(page - 1) * per_page}) x ${NAMES}
              order by ${order}) p) as data
            from t`,
      ),
    ),
  )
  return { data, total, page, per_page, totals, range, before }
}

export async function trucksWithSupplies(db: Db, actor: Actor, span: Span, filter: Narrowing): Promise<number[]> {
  const found = await rowsUnprepared<{ id: number }>(
    db,
    sql`select k.id from (select distinct e.truck_id from ${supplies(actor, span, filter)}) x
        join ${trucksTable} k on k.company_id = ${actor.company_id} and k.id = x.truck_id order by k.code, k.id`,
  )
  return found.map(({ id }) => id)
}

/** Everything that some trucks used. */
export const suppliesOfTrucks = (db: Db, actor: Actor, span: Span, filter: Narrowing) =>
  rowsUnprepared<SuppliesOfTruck>(
    db,
    sql`select ${rowOf(actor, filter)} from (${perTruckAndSupply(actor, span, filter)}) x ${NAMES}
        order by k.code, k.id, x.amount desc, x.supply_id`,
  )
