import { type SQL, sql } from 'drizzle-orm'
import type { ReportQuery, SuppliesByTruckQuery, SuppliesOfTruck } from '#contract/reports/reports.ts'
import { trucksTable } from '../fleet/tables.ts'
import { list, lists, PARTS } from '../platform/database/columns.ts'
import { COMPANY, type Db, rows, snapshot } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { categoriesTable, measurementUnitsTable, suppliesTable } from '../supplies/tables.ts'
import { workOrderCostsTable } from '../work-orders/tables.ts'
import { inScope } from '../workshops/scope.ts'
import {
  firstOnes,
  type Ground,
  homeOf,
  isOfFewTrucks,
  itsOrder,
  monthSpan,
  type Narrowing,
  periodsOf,
  type Span,
  spentByTruck,
  sumOf,
  supplyLines,
  versionsOf,
} from './expenses.ts'
import { groundOf, groundsOf, leftOf } from './month-sums.ts'
import { expenseOrderSumsTable, expenseTakenSumsTable } from './tables.ts'
import { TAKEN, type Taken, TakenSums } from './taken.ts'

/** Supply lines as `l` with their order `o`, each order looked up once. */
const used = (actor: Actor, span: Span, filter: Narrowing) => {
  const lines = sql`(select l.* from ${supplyLines(actor, span, filter)}) l`
  const orders = sql`(select x.work_order_id as id, o.truck_id from (select l.work_order_id from ${lines} group by 1) x
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
  const data = await snapshot(db, async () => {
    const [now, then] = await groundsOf(db, actor, [span, earlier])
    return rows<Bar>(
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

/** Where names stand among each other, in the order of the database. */
const ranked = (table: typeof trucksTable | typeof suppliesTable, name: SQL) =>
  sql`(select x.id, dense_rank() over (order by ${name}) as place from ${table} x where x.company_id = ${COMPANY}) x`
const RANKS = {
  truck_code: { of: 'trucks', in: ranked(trucksTable, sql`x.code`) },
  code: { of: 'supplies', in: ranked(suppliesTable, sql`x.code`) },
  name: { of: 'supplies', in: ranked(suppliesTable, sql`x.name`) },
} as const
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
const perTruckAndSupply = (actor: Actor, span: Span, filter: Narrowing) => sql`
  select o.truck_id, l.supply_id, sum((l.count * 10000)::bigint::float8) / 10000 as count,
    sum(l.amount::bigint::float8) as amount
  from ${used(actor, span, filter)} group by 1, 2`

/** As many months as are in memory at once. */
const AT_ONCE = 12

/**
 * What each truck took of each supply: from the sums of whole months, but for trucks with orders that changed since, and from
 * lines. Of a few trucks, lines are fewer.
 */
async function takenIn(db: Db, actor: Actor, span: Span, filter: Narrowing) {
  const taken = new TakenSums()
  const ground = isOfFewTrucks(filter) ? undefined : await groundOf(db, actor, span)
  const months = ground?.isTaken ? ground.months : []
  const marked = months.filter(({ changed }) => changed.length > 0)
  const clean = months.filter(({ changed }) => changed.length === 0)
  const { trucks, Orders } = await changedTrucks(db, actor, marked)
  const lines = [
    ...marked.map(({ month }) => perTruckAndSupply(actor, monthSpan(month, actor.time_zone), { ...filter, Orders })),
    ...leftOf(months, span, actor).map((left) => perTruckAndSupply(actor, left, filter)),
  ]
  if (lines.length > 0)
    for (const part of await rows<Taken>(
      db,
      sql`select ${TAKEN} from (
            select truck_id, supply_id, round(count * 10000)::bigint as count, amount::bigint as amount
            from (${sql.join(lines, sql` union all `)}) x) x group by truck_id % ${PARTS}`,
    ))
      taken.add(part, () => true)
  const isAsked = filter.Truck?.length ? new Set(filter.Truck) : { has: () => true }
  const addSums = async (some: Ground['months'], isCounted: (truck: number) => boolean) => {
    const found = await rows<Taken>(
      db,
      sql`select x.pairs, x.counts, x.amounts from ${expenseTakenSumsTable} x
          where ${inScope(actor, sql`x`, filter.WorkshopId)} and x.version = any(${versionsOf(some)})`,
    )
    for (const sums of found) taken.add(sums, isCounted)
  }
  if (marked.length > 0) await addSums(marked, (truck) => isAsked.has(truck) && !trucks.has(truck))
  for (let i = 0; i < clean.length; i += AT_ONCE)
    await addSums(clean.slice(i, i + AT_ONCE), (truck) => isAsked.has(truck))
  return taken
}

/** The trucks that orders which changed in some months are of, or were when these were summed; and all their orders in them. */
async function changedTrucks(db: Db, { company_id }: Actor, months: Ground['months']) {
  const changed = [...new Set(months.flatMap(({ changed }) => changed))]
  if (changed.length === 0) return { trucks: new Set<number>(), Orders: [] }
  const orders = sql`${sql.param(changed)}::bigint[]`
  const { truck_id, work_order_id } = await lists(
    db,
    {
      truck_id: list.json<number>(sql`k.truck_id`),
      work_order_id: list.json<number[]>(sql`array(select s.work_order_id from ${expenseOrderSumsTable} s
        where s.company_id = ${COMPANY} and s.truck_id = k.truck_id and s.version = any(${versionsOf(months)}))`),
    },
    sql`(
      select s.truck_id from ${expenseOrderSumsTable} s where s.company_id = ${company_id} and s.work_order_id = any(${orders})
      union
      select o.truck_id from ${workOrderCostsTable} o where o.company_id = ${company_id} and o.id = any(${orders})) k`,
  )
  return { trucks: new Set(truck_id), Orders: [...new Set([...changed, ...work_order_id.flat()])] }
}

export async function listSuppliesByTruck(db: Db, actor: Actor, query: SuppliesByTruckQuery) {
  const { filter, page, per_page, sort = '-amount' } = query
  const { range, before, span } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const field = sort.replace(/^-/, '') as keyof typeof RANKS | 'count' | 'amount'
  const sign = sort.startsWith('-') ? -1 : 1
  return snapshot(db, async () => {
    const taken = await takenIn(db, actor, span, filter)
    const { size: total, trucks, supplies, counts, amounts } = taken
    const keys = field === 'amount' ? amounts : field === 'count' ? counts : await ranksOf(db, taken, RANKS[field])
    const shown = firstOnes(
      Array.from({ length: total }, (_, at) => at),
      (at) => sign * keys[at]!,
      (a, b) => trucks[a]! - trucks[b]! || supplies[a]! - supplies[b]!,
      page * per_page,
    ).slice((page - 1) * per_page)
    const sent = (values: ArrayLike<number>) => sql.param(shown.map((at) => values[at]!))
    const data = await rows<SuppliesOfTruck>(
      db,
      sql`select ${rowOf(actor, filter)} from (
            select truck_id, supply_id, count / 10000 as count, amount, place
            from unnest(${sent(trucks)}::bigint[], ${sent(supplies)}::bigint[], ${sent(counts)}::float8[],
              ${sent(amounts)}::float8[]) with ordinality as u (truck_id, supply_id, count, amount, place)) x
          ${NAMES} ${MORE_NAMES} order by x.place`,
    )
    const sum = (list: Float64Array) => list.reduce((all, each) => all + each, 0)
    return { data, total, page, per_page, totals: { count: sum(counts) / 10_000, amount: sum(amounts) }, range, before }
  })
}

async function ranksOf(db: Db, taken: TakenSums, rank: (typeof RANKS)[keyof typeof RANKS]) {
  const { id, place } = await lists(db, { id: list.whole(sql`x.id`), place: list.whole(sql`x.place`) }, rank.in)
  const places = new Map(Array.from(id, (one, i) => [one, place[i]!]))
  return Float64Array.from(taken[rank.of].subarray(0, taken.size), (one) => places.get(one)!)
}

export async function trucksWithSupplies(db: Db, actor: Actor, span: Span, filter: Narrowing): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select k.id from (select o.truck_id from ${used(actor, span, filter)} group by 1) x
        join ${trucksTable} k on k.company_id = ${actor.company_id} and k.id = x.truck_id order by k.code, k.id`,
  )
  return found.map(({ id }) => id)
}

/** Everything that some trucks used. */
export const suppliesOfTrucks = (db: Db, actor: Actor, span: Span, filter: Narrowing) =>
  rows<SuppliesOfTruck>(
    db,
    sql`select ${rowOf(actor, filter)} from (${perTruckAndSupply(actor, span, filter)}) x ${NAMES} ${MORE_NAMES}
        order by k.code, k.id, x.amount desc, x.supply_id`,
  )
