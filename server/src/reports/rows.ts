import { type SQL, sql } from 'drizzle-orm'
import type { EntryRow, EntryRows, ExpenseRow, ExpenseRows, IdsOrNone } from '#contract/reports/rows.ts'
import { DIFFERENCE, NOTE_KINDS } from '#contract/work-orders/invoices.ts'
import { centerOn } from '../fleet/cost-centers.ts'
import { truckCostCentersTable, trucksTable } from '../fleet/tables.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { COMPANY, type Db, rows, snapshot } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { providersTable, servicesTable } from '../providers/tables.ts'
import { filedAt, refilings } from '../supplies/filings.ts'
import { categoriesTable, suppliesTable, supplyFilingsTable } from '../supplies/tables.ts'
import { warehousesTable } from '../warehouses/tables.ts'
import { CODE } from '../work-orders/access.ts'
import { TRUCK_WORKSHOP } from '../work-orders/summary.ts'
import {
  invoiceNotesTable,
  invoicesTable,
  serviceAdjustmentsTable,
  tasksTable,
  workOrderCostsTable,
  workOrdersTable,
  worksTable,
  workTimesTable,
} from '../work-orders/tables.ts'
import { seesLabour } from '../workshops/company.ts'
import { specialistsTable } from '../workshops/tables.ts'
import { runsOf } from './by-category.ts'
import {
  cheapest,
  dearest,
  isLong,
  isNarrow,
  isOfFewTrucks,
  isRanked,
  labourLines,
  lastDay,
  later,
  type Narrowing,
  ordersAsked,
  periodsOf,
  readOf,
  type Span,
  serviceLines,
  spanOf,
  summedLines,
  summedOrders,
  supplyLines,
  today,
} from './expenses.ts'
import { categorySums, groundOf, groundOfSupplies } from './month-sums.ts'
import { purchases } from './purchases.ts'

/* What a figure of a report is made of: the same lines that were added up, one by one. */

/** One of these ids, or none where that is asked for. */
const oneOfOrNone = (column: SQL, asked: IdsOrNone): SQL | undefined => {
  if (!asked?.length) return undefined
  const ids = asked.filter((id) => id !== 'none')
  const parts = [
    ...(ids.length > 0 ? [sql`${column} = any(${sql.param(ids)}::bigint[])`] : []),
    ...(ids.length < asked.length ? [sql`${column} is null`] : []),
  ]
  return sql`(${sql.join(parts, sql` or `)})`
}

/* Of trucks and supplies that are where they ever were, it is known at once; of the others it depends on the day. */
const MOVED = sql`select p.truck_id from ${truckCostCentersTable} p where p.company_id = ${COMPANY}`
const REFILED = sql`select p.supply_id from ${supplyFilingsTable} p where p.company_id = ${COMPANY}`

/** Lines `l` of the orders that count; where all do, they are not even looked at. */
const ofOrders = (actor: Actor, span: Span, filter: OfOrders, day: SQL) =>
  isNarrow(actor, filter) || filter.Order?.length || filter.CostCenter?.length
    ? sql`join ${
        isLong(span) && !filter.Orders && filter.Most === undefined
          ? sql`${workOrderCostsTable} o on o.id = l.work_order_id`
          : sql`lateral (select o.company_id, o.id, o.workshop_id, o.truck_id from ${workOrderCostsTable} o
              where o.company_id = ${COMPANY} and o.id = l.work_order_id offset 0) o on true`
      } and ${all([
        ordersAsked(actor, filter),
        oneOf(sql`o.id`, filter.Order),
        filter.CostCenter?.length
          ? sql`(o.truck_id in (select t.id from ${trucksTable} t where t.company_id = ${COMPANY} and ${oneOfOrNone(sql`t.cost_center_id`, filter.CostCenter)!})
              and o.truck_id not in (${MOVED})
            or o.truck_id in (${MOVED}) and exists (select 1 from ${trucksTable} t ${centerOn(day)} where t.company_id = ${COMPANY}
              and t.id = o.truck_id and ${oneOfOrNone(sql`k.cost_center_id`, filter.CostCenter)!}))`
          : undefined,
      ])}`
    : sql``

/** Of years, only so few lines that their orders are looked up one by one: of these orders, or that cost no more than this. */
interface Few extends Pick<Narrowing, 'Orders'> {
  Most?: number
}
type OfOrders = Pick<ExpenseRows['filter'], 'WorkshopId' | 'Truck' | 'Order' | 'CostCenter'> & Few

/** What each order spent while its truck was of the cost centres that are asked for: work_order_id, supplies, services, labour. */
export const perOrderOfCenters = (actor: Actor, span: Span, filter: OfOrders, labour: boolean) => sql`(
  select x.work_order_id, sum(x.supplies) as supplies, sum(x.services) as services, sum(x.labour) as labour from (
    select l.work_order_id, l.amount as supplies, 0::numeric as services, 0::numeric as labour
    from (select l.* from ${supplyLines(actor, span, filter)}) l ${ofOrders(actor, span, filter, dayRecorded(actor))}
    union all
    select l.work_order_id, 0, l.amount, 0 from ${serviceLines(actor, span, filter)} l ${ofOrders(actor, span, filter, sql`l.day`)}
    ${labour ? sql`union all select l.work_order_id, 0, 0, l.amount from ${labourLines(actor, span, filter)} l ${ofOrders(actor, span, filter, sql`l.day`)}` : sql``}) x
  group by 1)`

const dayRecorded = ({ time_zone }: Actor) => sql`(l.created_at at time zone ${time_zone})::date`

type Asked = ExpenseRows['filter'] & Few
const noMore = ({ Most }: Few) => (Most === undefined ? undefined : sql`l.amount <= ${Most}`)
/** Orders that are named are looked up. */
const named = (filter: Asked): Narrowing => (filter.Order?.length ? { ...filter, Orders: filter.Order } : filter)

/** What orders took of supplies: kind, id, work_order_id, day, supply_id, count, amount. */
export const supplyRows = (actor: Actor, span: Span, filter: Asked) => sql`
  select l.kind, l.id, l.work_order_id, ${dayRecorded(actor)} as day, l.supply_id,
    null::bigint as provider_id, null::bigint as service_id, l.count, l.amount
  from (select l.* from ${supplyLines(actor, span, named(filter))}) l
  ${ofOrders(actor, span, filter, dayRecorded(actor))}
  where ${all([
    sql`true`,
    noMore(filter),
    oneOf(sql`l.supply_id`, filter.Supply),
    filter.Category?.length
      ? sql`(l.supply_id in (select s.id from ${suppliesTable} s where s.company_id = ${actor.company_id} and ${oneOfOrNone(sql`s.category_id`, filter.Category)!})
            and l.supply_id not in (${REFILED})
          or l.supply_id in (${REFILED}) and exists (select 1 from ${suppliesTable} s ${filedAt(sql`l.created_at`)}
            where s.company_id = ${actor.company_id} and s.id = l.supply_id and ${oneOfOrNone(sql`f.category_id`, filter.Category)!}))`
      : undefined,
  ])}`

const serviceRows = (actor: Actor, span: Span, filter: Asked) => sql`
  select case when l.service_id is null then 'invoice' else 'service' end as kind, l.id, l.work_order_id, l.day,
    null::bigint as supply_id, l.provider_id, l.service_id,
    l.quantity as count, l.amount
  from ${serviceLines(actor, span, named(filter))} l
  ${ofOrders(actor, span, filter, sql`l.day`)}
  where ${all([sql`true`, noMore(filter), oneOf(sql`l.provider_id`, filter.Provider)])}`

const labourRows = (actor: Actor, span: Span, filter: Asked) => sql`
  select 'labour' as kind, l.id, l.work_order_id, l.day, null::bigint as supply_id, null::bigint as provider_id,
    null::bigint as service_id, round(l.minutes / 60, 4) as count, l.amount
  from ${labourLines(actor, span, named(filter))} l
  ${ofOrders(actor, span, filter, sql`l.day`)}`

/** Those who see only the warehouse's reports see only supplies. */
function parts(actor: Actor, filter: ExpenseRows['filter']) {
  const asked = (kind: 'supply' | 'service') => !filter.Kind?.length || filter.Kind.includes(kind)
  return {
    supplies: asked('supply') && !filter.Provider?.length,
    labour:
      filter.Kind?.includes('labour') && !filter.Provider?.length && !filter.Supply?.length && !filter.Category?.length,
    services: asked('service') && !filter.Supply?.length && !filter.Category?.length && actor.may.has('reports.read'),
  }
}

/** Who did what, of a line `z` of labour. */
const WORKED = sql`(select concat_ws(': ', concat_ws(' ', q.names, q.last_name_p), coalesce(t.name, w.description))
  from ${worksTable} w
  join ${specialistsTable} q on q.company_id = w.company_id and q.id = z.specialist_id
  left join ${tasksTable} t on t.company_id = w.company_id and t.id = w.task_id
  where w.company_id = ${COMPANY} and w.id = z.work_id)`

/** Which paper a line `q` is of. */
const PAPER = sql`(select ${sql.raw(
  `case n.kind ${Object.entries(NOTE_KINDS)
    .map(([kind, { label }]) => `when '${kind}' then '${label} '`)
    .join(' ')} else '${DIFFERENCE} ' end`,
)} || coalesce(n.document, i.document)
  from ${invoicesTable} i left join ${invoiceNotesTable} n on n.company_id = i.company_id and n.id = q.note_id
  where i.company_id = ${COMPANY} and i.id = q.invoice_id)`

/** Lines that are asked for, of some days: as `supplyRows`. */
async function foundIn(db: Db, actor: Actor, filter: ExpenseRows['filter']) {
  const { supplies, services, labour } = parts(actor, filter)
  const counts = labour && (await seesLabour(db, actor))
  return (span: Span, few: Few = {}) => {
    const asked = { ...filter, ...few }
    return [
      ...(supplies ? [supplyRows(actor, span, asked)] : []),
      ...(services ? [serviceRows(actor, span, asked)] : []),
      ...(counts ? [labourRows(actor, span, asked)] : []),
    ]
  }
}

/** Sorted by day: as few of the days of a period, from the end that is asked for, as have so many lines. */
async function daysWith(
  db: Db,
  actor: Actor,
  span: Span,
  lines: number,
  isLast: boolean,
  found: (span: Span) => SQL[],
) {
  const of = (from: string, to: string) => spanOf({ from, to }, actor.time_zone)
  let [counted, days, rest] = [0, 1, span]
  // Of days to come there is hardly anything: they are looked at together.
  const ahead = isLast && span.from <= today(actor) && today(actor) < span.to
  let some = ahead ? of(later(today(actor), 1), span.to) : undefined
  while (days * DAY < Date.parse(rest.to) - Date.parse(rest.from)) {
    some ??= isLast ? of(later(rest.to, 1 - days), rest.to) : of(rest.from, later(rest.from, days - 1))
    const [more] = await rows<{ count: number }>(
      db,
      sql`select count(*) as count from (select from (${sql.join(found(some), sql` union all `)}) x limit ${lines}) x`,
    )
    counted += more?.count ?? 0
    if (counted >= lines) return isLast ? of(some.from, span.to) : of(span.from, some.to)
    rest = isLast ? of(rest.from, later(some.from, -1)) : of(later(some.to, 1), rest.to)
    days *= 3
    some = undefined
  }
  return span
}
const DAY = 86_400_000

/** Lines are many more than orders: all of them are sorted later. */
const MOST_RANKED_LINES = 5000
/**
 * Sorted by amount: of months whose orders are ranked by their dearest lines, downwards those of the orders that so many of
 * the dearest are of; upwards those that cost no more than so many do, of the orders of the trucks that are asked for.
 */
async function linesByAmount(
  db: Db,
  actor: Actor,
  span: Span,
  filter: ExpenseRows['filter'],
  limit: number,
  isDescending: boolean,
  found: (span: Span, few?: Few) => SQL[],
) {
  const { supplies, services, labour } = parts(actor, filter)
  const { CostCenter, Category, Supply, Provider, Order } = filter
  if (CostCenter?.length) {
    // Of trucks that are where they were, everything is of their centre.
    const { still, moved } = await trucksOfCenters(db, actor, span, filter)
    if (moved.length > 0) return found(span)
    const asked = { ...filter, CostCenter: undefined, Truck: still }
    return linesByAmount(db, actor, span, asked, limit, isDescending, await foundIn(db, actor, asked))
  }
  const ground = await groundOf(db, actor, span)
  const isOther = labour || isOfFewTrucks(filter) || [Category, Supply, Provider, Order].some((asked) => asked?.length)
  if (isOther || !isRanked(ground, {}, limit, MOST_RANKED_LINES)) return found(span)
  const kinds = [...(supplies ? (['supply'] as const) : []), ...(services ? (['service'] as const) : [])]
  const first = (of: typeof dearest) => kinds.map((kind) => of(actor, ground, filter, kind, limit))
  const few: Few = {}
  if (!isDescending) {
    const bounds = await rows<{ amount: number }>(db, sql.join(first(cheapest), sql` union all `))
    if (bounds.length > 0) few.Most = Math.min(...bounds.map(({ amount }) => amount))
    if (!filter.Truck?.length) return found(span, few)
  }
  const orders = await rows<{ work_order_id: number }>(
    db,
    isDescending ? sql.join(first(dearest), sql` union `) : summedOrders(actor, ground, filter),
  )
  const Orders = [...orders.map(({ work_order_id }) => work_order_id), ...ground.changed]
  return [
    ...ground.left.flatMap((some) => found(some, few)),
    ...ground.cuts.flatMap((cut) => found(spanOf(cut, actor.time_zone), few)),
    ...runsOf(ground.months.map(({ month }) => month)).flatMap(({ from, to }) =>
      found(spanOf({ from: `${from}-01`, to: lastDay(to) }, actor.time_zone), { ...few, Orders }),
    ),
  ]
}

interface Totals {
  total: number
  count: number
  amount: number
}
const NONE: Totals = { total: 0, count: 0, amount: 0 }
const plus = (a: Totals, b: Totals): Totals => ({
  total: a.total + b.total,
  count: Math.round((a.count + b.count) * 10_000) / 10_000,
  amount: a.amount + b.amount,
})

const addedUp = async (db: Db, statements: SQL[]): Promise<Totals> => {
  if (statements.length === 0) return NONE
  const [found] = await rows<Totals>(
    db,
    sql`select coalesce(sum(x.total), 0) as total, coalesce(sum(x.count), 0) as count, coalesce(sum(x.amount), 0) as amount
        from (${sql.join(statements, sql` union all `)}) x`,
  )
  return found ?? NONE
}
const ofLines = (lines: SQL[]) =>
  lines.map((line) => sql`select count(*) as total, sum(x.count) as count, sum(x.amount) as amount from (${line}) x`)

/** How many lines there are, and what they come to: from sums, where these know of what is asked. */
async function totalsOf(db: Db, actor: Actor, span: Span, filter: ExpenseRows['filter']): Promise<Totals> {
  const { supplies, services, labour } = parts(actor, filter)
  if (labour || filter.Order?.length || filter.Supply?.length || filter.Provider?.length)
    return addedUp(db, ofLines((await foundIn(db, actor, filter))(span)))
  const { CostCenter, Category } = filter
  if (CostCenter?.length) {
    // Of trucks that are where they were, everything is of their centre; of the others it depends on the day.
    const trucks = await trucksOfCenters(db, actor, span, filter)
    const asked = { ...filter, CostCenter: undefined }
    const still = trucks.still.length > 0 ? await totalsOf(db, actor, span, { ...asked, Truck: trucks.still }) : NONE
    if (trucks.moved.length === 0) return still
    const found = await foundIn(db, actor, { ...filter, Truck: trucks.moved })
    return plus(still, await addedUp(db, ofLines(found(span))))
  }
  if (Category?.length)
    return filter.Truck?.length
      ? addedUp(db, ofLines([supplyRows(actor, span, filter)]))
      : ofCategories(db, actor, span, filter)
  const ground = await groundOf(db, actor, span)
  const read = readOf(ground, filter).flatMap(({ span, filter: { Orders } }) => {
    const narrow = { ...filter, ...(Orders && { Orders }) }
    return [
      ...(supplies ? [supplyRows(actor, span, narrow)] : []),
      ...(services ? [serviceRows(actor, span, narrow)] : []),
    ]
  })
  return addedUp(db, [...ofLines(read), ...summedLines(actor, ground, filter, { supplies, services })])
}

/** The trucks of some cost centres all through a period, and those that were of others meanwhile. */
export async function trucksOfCenters(db: Db, actor: Actor, span: Span, { CostCenter, Truck }: OfOrders) {
  const found = await rows<{ id: number; moved: boolean }>(
    db,
    sql`select t.id, exists (select from ${truckCostCentersTable} p where p.company_id = ${COMPANY} and p.truck_id = t.id
            and p.until_day > ${span.from}::date) as moved
        from ${trucksTable} t
        where ${all([sql`t.company_id = ${actor.company_id}`, oneOf(sql`t.id`, Truck)])}
          and (${oneOfOrNone(sql`t.cost_center_id`, CostCenter) ?? sql`true`} or exists (select from ${truckCostCentersTable} p
            where p.company_id = ${COMPANY} and p.truck_id = t.id and p.until_day > ${span.from}::date))`,
  )
  const ids = (moved: boolean) => found.filter((truck) => truck.moved === moved).map(({ id }) => id)
  return { still: ids(false), moved: ids(true) }
}

/** Lines of some categories: months are summed by supply. */
async function ofCategories(db: Db, actor: Actor, span: Span, filter: ExpenseRows['filter']) {
  const { months, left } = await groundOfSupplies(db, actor, span)
  const refiled = await refilings(db, actor)
  const read = ofLines(left.map((some) => supplyRows(actor, some, filter)))
  if (months.length === 0) return addedUp(db, read)
  const summed = sql`
    select sum(x.lines) as total, sum(x.count) as count, sum(x.amount) as amount
    from ${categorySums(actor, months, filter, refiled)} x
    where not x.served and ${oneOfOrNone(sql`x.category_id`, filter.Category)!}`
  return addedUp(db, [...read, summed])
}

export async function listExpenseRows(db: Db, actor: Actor, query: ExpenseRows) {
  const { filter, page, per_page, sort = '-day' } = query
  const { range, span } = periodsOf(actor, filter.BetweenDate)
  const found = await foundIn(db, actor, filter)
  if (found(span).length === 0) return { data: [], total: 0, page, per_page, totals: { count: 0, amount: 0 }, range }
  const isDescending = sort.startsWith('-')
  const order = sql`${sort.endsWith('amount') ? sql`x.amount` : sql`x.day`} ${isDescending ? sql`desc` : sql`asc`}, x.work_order_id desc, x.kind, x.id`
  return snapshot(db, async () => {
    const { total, count, amount } = await totalsOf(db, actor, span, filter)
    const answer = { total, page, per_page, totals: { count, amount }, range }
    if (total === 0) return { data: [], ...answer }
    // Where there are few, nobody looks for more.
    const most = Math.min(page * per_page, total)
    const lines = sort.endsWith('amount')
      ? await linesByAmount(db, actor, span, filter, most, isDescending, found)
      : found(await daysWith(db, actor, span, most, isDescending, found))
    const data = await rows<ExpenseRow>(
      db,
      sql`with x as materialized (${sql.join(lines, sql` union all `)})
          select x.kind, x.id, x.work_order_id, ${CODE} as order_code, o.truck_id, k.code as truck_code, k.patent, ${TRUCK_WORKSHOP} as truck_workshop, x.day,
            coalesce(s.code, v.code, '') as code, coalesce(s.name, v.name, ${PAPER}, ${WORKED}) as name, c.name as category,
            p.name as provider, x.count, x.amount
          from (select * from x order by ${order} limit ${per_page} offset ${(page - 1) * per_page}) x
          join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = x.work_order_id
          join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
          left join ${suppliesTable} s on s.company_id = o.company_id and s.id = x.supply_id
          ${filedAt(sql`(x.day::timestamp at time zone ${actor.time_zone})`)}
          left join ${categoriesTable} c on c.company_id = o.company_id and c.id = f.category_id
          left join ${servicesTable} v on v.company_id = o.company_id and v.id = x.service_id
          left join ${providersTable} p on p.company_id = o.company_id and p.id = x.provider_id
          left join ${serviceAdjustmentsTable} q on x.kind = 'invoice' and q.company_id = o.company_id and q.id = x.id
          left join ${workTimesTable} z on x.kind = 'labour' and z.company_id = o.company_id and z.id = x.id
          order by ${order}`,
    )
    return { data, ...answer }
  })
}

export async function listEntryRows(db: Db, actor: Actor, query: EntryRows) {
  const { filter, page, per_page, sort = '-date' } = query
  const { range, span } = periodsOf(actor, filter.BetweenDate)
  const provider = oneOfOrNone(sql`t."providerId"`, filter.Provider)
  const order = sql`${sort.endsWith('total') ? sql`t.total` : sql`t.date`} ${sort.startsWith('-') ? sql`desc` : sql`asc`}, t.id`
  // Added up and shown from one look at them.
  const [found] = await rows<{ count: number; subtotal: number; total: number; data: EntryRow[] }>(
    db,
    sql`with x as materialized (select t.* from ${purchases(actor, span, filter)} ${provider ? sql`and ${provider}` : sql``})
        select count(*) as count, coalesce(sum(x.subtotal), 0) as subtotal, coalesce(sum(x.total), 0) as total, (
          select coalesce(json_agg(p), '[]') from (
            select t.id, t.date, t.document, t.warehouse_id, w.name as warehouse, t."providerId" as provider_id,
              p.name as provider, t.subtotal, t.tax, t.total
            from (select t.* from x t order by ${order} limit ${per_page} offset ${(page - 1) * per_page}) t
            join ${warehousesTable} w on w.company_id = ${COMPANY} and w.id = t.warehouse_id
            left join ${providersTable} p on p.company_id = ${COMPANY} and p.id = t."providerId"
            order by ${order}) p) as data
        from x`,
  )
  const { count = 0, subtotal = 0, total = 0, data = [] } = found ?? {}
  return { data, total: count, page, per_page, totals: { subtotal, total }, range }
}
