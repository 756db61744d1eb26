import { type SQL, sql } from 'drizzle-orm'
import type { Found } from '#contract/base/finder.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import type { WorkOrderList, WorkOrderRow } from '#contract/work-orders/orders.ts'
import { FINAL_STATUS, WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES } from '#contract/work-orders/states.ts'
import { trucksTable } from '../fleet/tables.ts'
import { all, between, oneOf, oneOfIds, oneOfNames } from '../platform/database/conditions.ts'
import { batch, COMPANY, type Db, row, rows } from '../platform/database/db.ts'
import { slice } from '../platform/database/lists.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { labourSeen } from '../workshops/company.ts'
import { inFleet, inScope } from '../workshops/scope.ts'
import { specialistsTable } from '../workshops/tables.ts'
import { searchWords, type Words } from './search.ts'
import { stoppedOrders } from './stopped.ts'
import { COSTS, chosen, costsOf, NAMES, SUMMARY } from './summary.ts'
import {
  maintenanceTypesTable,
  orderTalliesTable,
  workOrderCostsTable,
  workOrderServicesTable,
  workOrderSuppliesTable,
  workOrdersTable,
  worksTable,
} from './tables.ts'
import { SPECIALIST_NAME } from './works.ts'

const rowOf = (actor: Actor) => sql`${SUMMARY}, ${costsOf(actor)}, o.kilometer`

const inOrder = (column: SQL, values: readonly string[]) =>
  sql`array_position(array[${sql.raw(values.map((value) => `'${value}'`).join(', '))}]::text[], ${column})`
const BY_LEVEL = Object.entries(PRIORITIES)
  .sort(([, a], [, b]) => a.level - b.level)
  .map(([name]) => name)

const BY_NUMBER = sql`o.number`
/** What the order itself is sorted by, and what takes the names around it. */
const OWN: Record<string, SQL> = {
  code: BY_NUMBER,
  created_at: sql`o.created_at`,
  status: inOrder(sql`o.status`, WORK_ORDER_STATUS_NAMES),
  priority: inOrder(sql`o.priority`, BY_LEVEL),
  workshop_entry_at: sql`o.workshop_entry_at`,
  workshop_departure_at: sql`o.workshop_departure_at`,
  kilometer: sql`o.kilometer`,
}
/** Never nothing, and an index has each in order. */
const COSTLY: Record<string, SQL> = {
  supplies_cost: sql`supplies_cost`,
  services_cost: sql`services_cost`,
  total_cost: sql`supplies_cost + services_cost`,
}
const NAMED: Record<string, SQL> = {
  patent: sql`k.patent`,
  type_maintenance: sql`y.name`,
  responsible_specialist: sql`nullif(${SPECIALIST_NAME}, '')`,
}

const DAYS = {
  created: sql`o.created_at`,
  entry: sql`o.workshop_entry_at`,
  departure: sql`o.workshop_departure_at`,
}
/** Where words are searched orders have fewer columns, and not this one. */
const finalized = (actor: Actor, days: string | undefined) => {
  const when = between(sql`f.finalized_at`, days, actor.time_zone)
  return when
    ? sql`o.id in (select f.id from ${workOrdersTable} f
        where f.company_id = ${actor.company_id} and f.status = ${FINAL_STATUS} and ${when})`
    : undefined
}
const used = (table: typeof workOrderSuppliesTable | typeof workOrderServicesTable, column: SQL, ids?: number[]) =>
  ids?.length
    ? sql`exists (select 1 from ${table} l where l.company_id = ${COMPANY} and l.work_order_id = o.id
        and ${column} = any(${sql.param(ids)}))`
    : undefined

const filtered = (actor: Actor, { filter }: WorkOrderList): (SQL | undefined)[] => [
  // The history of a truck is its own, wherever it was repaired.
  ...chosen(actor, filter, filter.Truck?.length || filter.Coupled?.length ? inFleet : inScope),
  filter.Driver?.length
    ? sql`(o.applicant_driver_id = any(${sql.param(filter.Driver)}) or o.delivered_to_driver_id = any(${sql.param(filter.Driver)}))`
    : undefined,
  used(workOrderServicesTable, sql`l.provider_id`, filter.Provider),
  used(workOrderSuppliesTable, sql`l.supply_id`, filter.Supply),
  oneOf(sql`o.box_id`, filter.Box),
  filter.Place?.length ? sql`o.place ${oneOfNames(filter.Place)}` : undefined,
  filter.Stopped?.length ? sql`o.id = any(array(${stoppedOrders(actor, filter.WorkshopId)}))` : undefined,
  filter.Planned?.length ? sql`o.planned = any(${sql.param(filter.Planned)}::boolean[])` : undefined,
  filter.DateOf === 'finalized'
    ? finalized(actor, filter.BetweenDate)
    : between(DAYS[filter.DateOf ?? 'created'], filter.BetweenDate, actor.time_zone),
]

/** Some of the history, and only those columns of it, older than the order that came last: for those who read all of it. */
export async function historyAfter(
  db: Db,
  actor: Actor,
  filter: WorkOrderList['filter'],
  last: number | undefined,
  { columns, limit }: { columns: string[]; limit: number },
) {
  const words = await searchWords(db, actor, filter.Search)
  const where = all([
    ...filtered(actor, { filter } as WorkOrderList),
    words?.where,
    last === undefined ? undefined : sql`o.number < ${last}`,
  ])
  const found = await rows<{ number: number }>(
    db,
    sql`select o.number from ${words ? words.from : sql`${workOrdersTable} o`} where ${where} order by o.number desc limit ${limit}`,
  )
  const numbers = found.map(({ number }) => number)
  const data = await rowsOf(db, actor, BY_NUMBER, numbers, columns)
  return { data, last: numbers.at(-1), isLast: numbers.length < limit }
}

/** The orders of somebody, where that is asked: who is responsible for them, or has works in them. */
function ofSpecialists(actor: Actor, query: WorkOrderList): SQL | undefined {
  const { Specialist, ...filter } = query.filter
  if (!Specialist?.length) return undefined
  const these = sql`any(${sql.param(Specialist)}::bigint[])`
  const theirs = sql`select o.id from ${workOrdersTable} o
    where o.company_id = ${actor.company_id} and o.responsible_specialist_id = ${these}
    union select x.work_order_id from ${worksTable} x where x.company_id = ${actor.company_id} and x.specialist_id = ${these}`
  return sql`${workOrdersTable} o where ${all([...filtered(actor, { ...query, filter }), sql`o.id = any(array(${theirs}))`])}`
}

/** So many lines of a supply, or of a provider, are gathered before their orders; those of more are soon met on the way. */
const GATHERED = 5000

/** The orders with lines of some supplies or providers, where that is asked and they are few. */
async function ofLines(db: Db, actor: Actor, query: WorkOrderList): Promise<SQL | undefined> {
  const { Supply, Provider } = query.filter
  for (const [table, column, ids] of [
    [workOrderSuppliesTable, sql`l.supply_id`, Supply],
    [workOrderServicesTable, sql`l.provider_id`, Provider],
  ] as const) {
    if (!ids?.length) continue
    const lines = sql`from ${table} l where l.company_id = ${actor.company_id} and ${column} = any(${sql.param(ids)})`
    if (await row(db, sql`select 1 as more ${lines} limit 1 offset ${GATHERED}`)) continue
    return sql`${workOrdersTable} o
      where ${all([...filtered(actor, query), sql`o.id = any(array(select l.work_order_id ${lines}))`])}`
  }
  return undefined
}

/** The filters of what costs are kept with. */
const OF_COSTS = ['WorkshopId', 'BetweenDate', 'Type', 'Planned', 'Place', 'Priority']
const isOfCosts = ({ DateOf = 'created', Status, ...filter }: WorkOrderList['filter']) =>
  DateOf === 'created' &&
  (!Status?.length || Status.includes(FINAL_STATUS)) &&
  Object.entries(filter).every(([name, value]) => OF_COSTS.includes(name) || value === undefined || value.length === 0)

/** Nearly all orders are finalized: those that are not, and were not asked for, are left out. */
const leftOut = (actor: Actor, asked: WorkOrderList['filter']['Status']) =>
  asked?.length
    ? sql`not exists (select from ${workOrdersTable} f where f.company_id = ${actor.company_id} and f.id = o.id
        and f.status = any(${sql.param(WORK_ORDER_STATUS_NAMES.filter((status) => !asked.includes(status)))}))`
    : undefined

/** The filters of what orders are tallied by; those of the status are left out of the tally. */
const isOfTallies = ({ BetweenDate, ...filter }: WorkOrderList['filter']) => !BetweenDate && isOfCosts(filter)

/** How many, and what they cost, without looking at any that was asked for. */
function talliesOf(actor: Actor, { Status, ...filter }: WorkOrderList['filter']) {
  const where = all(filtered(actor, { filter } as WorkOrderList))
  const others = WORK_ORDER_STATUS_NAMES.filter((status) => Status?.length && !Status.includes(status))
  // Looked up one by one: they are few beside all that have costs.
  const left = sql`select -1, -o.supplies_cost, -o.services_cost, -o.labour_cost from ${workOrdersTable} f
    cross join lateral (select * from ${workOrderCostsTable} o where o.company_id = ${COMPANY} and o.id = f.id offset 0) o
    where f.company_id = ${actor.company_id} and f.status ${oneOfNames(others)} and ${where}`
  return sql`select coalesce(sum(orders), 0) as total, ${costSums(actor)} from (
    select o.orders, o.supplies_cost, o.services_cost, o.labour_cost from ${orderTalliesTable} o where ${where}
    ${others.length > 0 ? sql`union all ${left}` : sql``}) o`
}

interface Totals {
  total: number
  supplies_cost: number
  services_cost: number
  labour: number | null
}
const costSums = (
  actor: Actor,
) => sql`coalesce(sum(supplies_cost), 0) as supplies_cost, coalesce(sum(services_cost), 0) as services_cost,
  case when ${labourSeen(actor)} then coalesce(sum(labour_cost), 0) end as labour`
const sumsOf = (actor: Actor) => sql`count(*) as total, ${costSums(actor)}`

interface Stretch {
  of: SQL
  key?: SQL
  /** Things that have names, `n`, each with its orders: those of the first are walked before those of the next. */
  named?: (actor: Actor) => SQL
}
interface Walk {
  type: string
  stretches: Stretch[]
}
const named = (table: SQL, alias: SQL, name: SQL, by: SQL): Walk => ({
  type: 'text',
  stretches: [
    {
      of: sql`${by} = n.id`,
      key: sql`n.name`,
      named: (actor) =>
        sql`(select ${alias}.id, ${name} as name from ${table} ${alias} where ${alias}.company_id = ${actor.company_id}) n`,
    },
    { of: sql`${by} is null` },
  ],
})
const moments = (key: SQL, type = 'timestamptz'): Walk => ({
  type,
  stretches: [{ of: sql`${key} is not null`, key }, { of: sql`${key} is null` }],
})
const words = (column: SQL, values: readonly string[]): Walk => ({
  type: 'text',
  stretches: values.map((value) => ({ of: sql`${column} ${oneOfNames([value])}` })),
})
/**
 * Sorts that are stretches of orders, one behind the other, each of which an index has in order: of each value of a
 * word, those that have a moment and those that have none, those of each thing that has a name.
 */
const WALKS: Record<string, Walk> = {
  code: { type: 'text', stretches: [{ of: sql`true` }] },
  created_at: { type: 'timestamptz', stretches: [{ of: sql`true`, key: sql`o.created_at` }] },
  status: words(sql`o.status`, WORK_ORDER_STATUS_NAMES),
  priority: words(sql`o.priority`, BY_LEVEL),
  workshop_entry_at: moments(OWN.workshop_entry_at!),
  workshop_departure_at: moments(OWN.workshop_departure_at!),
  kilometer: moments(OWN.kilometer!, 'bigint'),
  patent: named(sql`${trucksTable}`, sql`k`, sql`k.patent`, sql`o.truck_id`),
  type_maintenance: named(sql`${maintenanceTypesTable}`, sql`y`, sql`y.name`, sql`o.type_maintenance_id`),
  responsible_specialist: named(
    sql`${specialistsTable}`,
    sql`s`,
    NAMED.responsible_specialist!,
    sql`o.responsible_specialist_id`,
  ),
}

/**
 * The numbers of a page, where indexes have them in the order that is asked for: they are walked until it is full. With
 * words, of which the planner cannot know how many have them, it is held to that.
 */
function walked(actor: Actor, query: WorkOrderList, where: SQL, words: Words | undefined): SQL | undefined {
  const { sort = '-code', page, per_page } = query
  const field = sort.replace(/^-/, '')
  const isDown = sort.startsWith('-')
  const walk = WALKS[field]
  if (!walk) return undefined
  const number = query.sort === undefined ? words?.number : undefined
  const stretches =
    number === undefined ? walk.stretches : [{ of: sql`o.number = ${number}` }, { of: sql`o.number <> ${number}` }]
  // What has nothing there is last either way.
  const isTurned = isDown && number === undefined && !stretches.some(({ key }) => key)
  const inTurn: Stretch[] = isTurned ? stretches.toReversed() : stretches
  const down = isDown ? sql`desc` : sql`asc`
  const byNumber = field === 'code' ? down : sql`desc`
  const upTo = inTurn.length === 1 ? slice(query) : slice({ page: 1, per_page: page * per_page })
  const order = sql`p.turn, p.key ${down}, p.number ${byNumber}`
  const part = (i: number) => sql.raw(`s${i}`)
  const parts = inTurn.map(({ of, key, named }, i) => {
    const told = sql`${sql.raw(String(i))} as turn, ${key ?? sql`null`}::${sql.raw(walk.type)} as key, o.number`
    // Only where those before it do not fill the page.
    const before = inTurn.slice(0, i).map((_, j) => sql`(select count(*) from ${part(j)})`)
    const isNeeded = before.length > 0 ? sql`and ${sql.join(before, sql` + `)} < ${page * per_page}` : sql``
    const order = sql`${key ? sql`${key} ${down},` : sql``} o.number ${byNumber}`
    const found = sql`${workOrdersTable} o where ${where} and ${of}`
    const inOrder = sql`(select o.* from ${workOrdersTable} o where o.company_id = ${actor.company_id} and ${of}
      order by ${order} offset 0) o where ${where}`
    return named
      ? sql`${part(i)} as materialized (select ${told} from ${named(actor)} cross join lateral (
          select o.number from ${found} order by o.number desc ${slice({ page: 1, per_page: page * per_page })}) o
          order by ${key} ${down}, o.number desc ${upTo})`
      : sql`${part(i)} as materialized (select ${told} from ${words ? inOrder : found} ${isNeeded} order by ${order} ${upTo})`
  })
  const all = sql.join(
    inTurn.map((_, i) => sql`select * from ${part(i)}`),
    sql` union all `,
  )
  const of = inTurn.length === 1 ? sql`(${all})` : sql`(select * from (${all}) p order by ${order} ${slice(query)})`
  return sql`with ${sql.join(parts, sql`, `)} select p.number as found from ${of} p order by ${order}`
}

/**
 * Orders that were found, in that order. Apart from the search for them: that is planned anew for what is asked for, and what
 * is around an order, which takes the planner longest, is not.
 */
async function rowsOf(db: Db, actor: Actor, key: SQL, found: number[], columns?: string[]): Promise<WorkOrderRow[]> {
  if (found.length === 0) return []
  const these = sql`from ${workOrdersTable} o ${COSTS} ${NAMES} where o.company_id = ${actor.company_id} and ${key} = ${oneOfIds(found)}`
  const turn = sql`array_position(${sql.param(found)}::bigint[], ${key}::bigint)`
  return rows<WorkOrderRow>(
    db,
    columns
      ? sql`select ${sql.raw(columns.join(', '))} from (select ${rowOf(actor)}, ${turn} as turn ${these}) o order by turn`
      : sql`select ${rowOf(actor)} ${these} order by ${turn}`,
  )
}

/** As far as orders are added up before who asked for a bounded count sees a page of them. */
const ADDED_UP = 2000

/** The page, how many there are, and what all of them cost. */
export async function listWorkOrders(db: Db, actor: Actor, query: WorkOrderList) {
  const { sort } = query
  const field = sort?.replace(/^-/, '')
  const key = (field && (OWN[field] ?? NAMED[field] ?? COSTLY[field])) || BY_NUMBER
  const words = await searchWords(db, actor, query.filter.Search)
  const where = all([...filtered(actor, query), words?.where])
  // Looked for before they are counted and sorted.
  const sought = words
    ? sql`${words.from} where ${where}`
    : (ofSpecialists(actor, query) ?? (await ofLines(db, actor, query)))
  // A number that was asked for comes before what only contains it.
  const number = sort === undefined ? words?.number : undefined
  const direction = sort && !sort.startsWith('-') ? sql`asc` : sql`desc`
  const order = sql`is_number desc, key ${direction} ${field && COSTLY[field] ? sql`` : sql`nulls last`}, id desc`
  // What costs are kept with is enough for most questions about all orders.
  const { Status, ...ofCosts } = query.filter
  const withCosts = isOfCosts(query.filter)
    ? sql`${workOrderCostsTable} o where ${all([...filtered(actor, { ...query, filter: ofCosts }), leftOut(actor, Status)])}`
    : sql`${workOrdersTable} o ${COSTS} where ${where}`
  // The index of a cost is walked where what is asked for stands beside it; where it does not, all are sorted.
  const by = isOfCosts(query.filter) ? key : sql`${key} + 0`
  const walk = walked(actor, query, where, words)
  const isBounded = query.count === 'bounded' && walk !== undefined
  const bound = isBounded ? slice({ page: 1, per_page: ADDED_UP + 1 }) : sql``
  const isMore = ({ total }: Totals) => isBounded && total > ADDED_UP
  if (!sought) {
    const isTallied = isOfTallies(query.filter)
    const {
      page,
      totals: [sums],
    } = await batch({
      page: rows<{ found: number }>(
        db,
        walk ??
          sql`select id as found from (
            select o.id, ${by} as key, false as is_number from ${withCosts} order by ${order} ${slice(query)}) p order by ${order}`,
      ),
      totals: rows<Totals>(
        db,
        isTallied
          ? talliesOf(actor, query.filter)
          : isOfCosts(query.filter) || !isBounded
            ? sql`select ${sumsOf(actor)} from (select supplies_cost, services_cost, labour_cost from ${withCosts} ${bound}) o`
            : // What more than can be added up cost is not told, and not looked up: first they are only counted.
              sql`with looked as materialized (select from ${workOrdersTable} o where ${where} ${bound}),
                few as materialized (
                  select o.id from ${workOrdersTable} o where ${where} and (select count(*) from looked) <= ${ADDED_UP} ${bound})
                select (select count(*) from looked) as total, ${costSums(actor)} from few f
                join ${workOrderCostsTable} c on c.company_id = ${actor.company_id} and c.id = f.id`,
      ),
    })
    const data = await rowsOf(
      db,
      actor,
      walk ? BY_NUMBER : sql`o.id`,
      page.map(({ found }) => found),
    )
    return answer(query, data, sums!, !isTallied && isMore(sums!))
  }
  // What matches is looked for first: the planner cannot know how rare a word is, or how new somebody, and must not walk the
  // orders one by one until a page is full, which it would where it knew that only some are asked for. What many have is soon
  // met on the way, and what those who have it cost is not told.
  // What has the words has been read: only names and costs are looked up for it.
  const isElsewhere = field && !OWN[field]
  const named = sql`join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = f.id`
  const isAdded = isBounded ? sql`and (select count(*) from looked) <= ${ADDED_UP}` : sql``
  const [matched] = await rows<Totals & { looked: number; numbers: number[] }>(
    db,
    sql`with found as materialized (
            select o.id, o.number, ${(field && OWN[field]) || BY_NUMBER} as own,
              ${number === undefined ? sql`false` : sql`o.number = ${number}`} as is_number from ${sought}),
          looked as materialized (select * from found ${bound}),
          costed as materialized (
            select f.id, f.number, supplies_cost, services_cost, labour_cost, ${isElsewhere ? key : sql`f.own`} as key, f.is_number
            from looked f ${field && NAMED[field] ? sql`${named} ${NAMES}` : sql``}
            join ${workOrderCostsTable} c on c.company_id = ${actor.company_id} and c.id = f.id
            where c.company_id = ${actor.company_id} ${isAdded})
        select ${sumsOf(actor)}, (select count(*) from looked) as looked, array(select number from costed order by ${order} ${slice(query)}) as numbers from costed`,
  )
  const isWalked = walk !== undefined && isBounded && matched!.looked > ADDED_UP
  const found = isWalked
    ? (await rows<{ found: number }>(db, walk)).map((each) => each.found)
    : matched!.numbers.map(Number)
  // By their numbers, as those of a page without words: one statement, which each connection plans once.
  const data = await rowsOf(db, actor, BY_NUMBER, found)
  return answer(query, data, matched!, isWalked)
}

/** With labour, where it counts. */
export const plus = (cost: number, labour: number | null) => (labour === null ? null : cost + labour)

/** Where there are more than were added up, what they cost is not told. */
function answer({ page, per_page }: WorkOrderList, data: WorkOrderRow[], sums: Totals, isMore: boolean) {
  if (isMore) return { data, total: ADDED_UP, at_least: true as const, page, per_page, totals: UNTOLD }
  const { total, supplies_cost, services_cost, labour } = sums
  const total_cost = supplies_cost + services_cost
  const totals = { supplies_cost, services_cost, total_cost, labour, total_with_labour: plus(total_cost, labour) }
  return { data, total, page, per_page, totals }
}
const UNTOLD = { supplies_cost: null, services_cost: null, total_cost: null, labour: null, total_with_labour: null }

export async function findWorkOrders(db: Db, actor: Actor, text: string, limit: number): Promise<Found[]> {
  const query = { page: 1, per_page: limit, count: 'bounded', filter: { Search: text } } as WorkOrderList
  const { data } = await listWorkOrders(db, actor, query)
  return data.map(({ id, code, patent, status, request }) => ({
    kind: 'work_order',
    id,
    title: `${code} · ${showPatent(patent)}`,
    detail: [WORK_ORDER_STATES[status].label, request].filter(Boolean).join(' · '),
    path: `/ordenes-de-trabajo/${id}`,
  }))
}
