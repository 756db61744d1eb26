import { type SQL, sql } from 'drizzle-orm'
import type { Found } from '#contract/base/finder.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import type { WorkOrderList, WorkOrderRow } from '#contract/work-orders/orders.ts'
import { FINAL_STATUS, WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES } from '#contract/work-orders/states.ts'
import { COMPANY, type Db, rows, together } from '../platform/database/db.ts'
import { all, between, oneOf, oneOfIds, oneOfNames, slice } from '../platform/database/lists.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { labourSeen } from '../workshops/company.ts'
import { inFleet, inScope } from '../workshops/scope.ts'
import { searchWords } from './search.ts'
import { COSTS, chosen, costsOf, NAMES, SUMMARY } from './summary.ts'
import {
  orderTalliesTable,
  workOrderCostsTable,
  workOrderServicesTable,
  workOrderSuppliesTable,
  workOrdersTable,
} from './tables.ts'

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
const COSTLY: Record<string, SQL> = {
  supplies_cost: sql`supplies_cost`,
  services_cost: sql`services_cost`,
  total_cost: sql`supplies_cost + services_cost`,
}
const NAMED: Record<string, SQL> = {
  patent: sql`k.patent`,
  type_maintenance: sql`y.name`,
  responsible_specialist: sql`concat_ws(' ', s.names, s.last_name_p, s.last_name_m)`,
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
  oneOf(sql`o.place`, filter.Place),
  filter.Planned?.length ? sql`o.planned = any(${sql.param(filter.Planned)}::boolean[])` : undefined,
  filter.DateOf === 'finalized'
    ? finalized(actor, filter.BetweenDate)
    : between(DAYS[filter.DateOf ?? 'created'], filter.BetweenDate, actor.time_zone),
]

/** Some of the history, older than the order that came last: for those who read all of it. */
export async function historyAfter(
  db: Db,
  actor: Actor,
  filter: WorkOrderList['filter'],
  last: number | undefined,
  limit: number,
) {
  const words = await searchWords(db, actor, filter.Search)
  const where = all([
    ...filtered(actor, { filter } as WorkOrderList),
    words?.where,
    last === undefined ? undefined : sql`o.number < ${last}`,
  ])
  return rows<WorkOrderRow & { number: number }>(
    db,
    sql`select ${rowOf(actor)}, o.number from (
          select o.id from ${words ? words.from : sql`${workOrdersTable} o`} where ${where} order by o.number desc limit ${limit}) p
        join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = p.id ${COSTS} ${NAMES}
        order by o.number desc`,
  )
}

/** The filters of what costs are kept with. */
const OF_COSTS = ['WorkshopId', 'Truck', 'BetweenDate', 'Type', 'Planned', 'Place', 'Priority']
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
const isOfTallies = ({ Truck, BetweenDate, ...filter }: WorkOrderList['filter']) =>
  !Truck?.length && !BetweenDate && isOfCosts(filter)

/** How many, and what they cost, without looking at any that was asked for. */
function talliesOf(actor: Actor, { Status, ...filter }: WorkOrderList['filter']) {
  const where = all(filtered(actor, { filter } as WorkOrderList))
  const others = WORK_ORDER_STATUS_NAMES.filter((status) => Status?.length && !Status.includes(status))
  const left = sql`select -1, -o.supplies_cost, -o.services_cost, -o.labour_cost from ${workOrdersTable} f
    join ${workOrderCostsTable} o on o.company_id = f.company_id and o.id = f.id
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
}
/**
 * Sorts that are stretches of orders, one behind the other, each of which an index has in order: of each value of a
 * word, those that have a moment and those that have none.
 */
const STRETCHES: Record<string, Stretch[]> = {
  code: [{ of: sql`true` }],
  created_at: [{ of: sql`true`, key: sql`o.created_at` }],
  status: WORK_ORDER_STATUS_NAMES.map((status) => ({ of: sql`o.status = ${sql.raw(`'${status}'`)}` })),
  priority: BY_LEVEL.map((priority) => ({ of: sql`o.priority = ${sql.raw(`'${priority}'`)}` })),
}
for (const field of ['workshop_entry_at', 'workshop_departure_at']) {
  const key = OWN[field]!
  STRETCHES[field] = [{ of: sql`${key} is not null`, key }, { of: sql`${key} is null` }]
}

/** The rows of a page, where indexes have them in the order that is asked for: they are walked until it is full. */
function walked(actor: Actor, query: WorkOrderList, where: SQL): SQL | undefined {
  const { sort = '-code', page, per_page } = query
  const field = sort.replace(/^-/, '')
  const isDown = sort.startsWith('-')
  const stretches = STRETCHES[field]
  if (!stretches) return undefined
  // What has no moment is last either way.
  const inTurn = isDown && !stretches.some(({ key }) => key) ? stretches.toReversed() : stretches
  const down = isDown ? sql`desc` : sql`asc`
  const byNumber = field === 'code' ? down : sql`desc`
  const upTo = slice({ page: 1, per_page: page * per_page })
  const parts = inTurn.map(({ of, key }, i) => {
    // The index of the numbers has no more than these.
    const told = key ? sql`${key} as key, o.number` : sql`null::timestamptz as key, o.number`
    return sql`(select ${sql.raw(String(i))} as turn, ${told} from ${workOrdersTable} o where ${where} and ${of}
      order by ${key ? sql`${key} ${down},` : sql``} o.number ${byNumber} ${inTurn.length === 1 ? slice(query) : upTo})`
  })
  const order = sql`p.turn, p.key ${down}, p.number ${byNumber}`
  const found =
    parts.length === 1
      ? parts[0]!
      : sql`(select * from (${sql.join(parts, sql` union all `)}) p order by ${order} ${slice(query)})`
  return sql`select ${rowOf(actor)} from ${found} p
    join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.number = p.number ${COSTS} ${NAMES} order by ${order}`
}

/** The page, how many there are, and what all of them cost. */
export async function listWorkOrders(db: Db, actor: Actor, query: WorkOrderList) {
  const { sort } = query
  const field = sort?.replace(/^-/, '')
  const key = (field && (OWN[field] ?? NAMED[field] ?? COSTLY[field])) || BY_NUMBER
  const names = field && NAMED[field] ? NAMES : sql``
  const words = await searchWords(db, actor, query.filter.Search)
  const where = all([...filtered(actor, query), words?.where])
  // A number that was asked for comes before what only contains it.
  const first = sort === undefined && words?.number !== undefined ? sql`(o.number = ${words.number})` : sql`false`
  const direction = sort && !sort.startsWith('-') ? sql`asc` : sql`desc`
  const order = sql`is_number desc, key ${direction} nulls last, id desc`
  // What costs are kept with is enough for most questions about all orders.
  const { Status, ...ofCosts } = query.filter
  const withCosts = (named = sql``) =>
    isOfCosts(query.filter)
      ? sql`${workOrderCostsTable} o where ${all([...filtered(actor, { ...query, filter: ofCosts }), leftOut(actor, Status)])}`
      : sql`${words ? words.from : sql`${workOrdersTable} o`} ${COSTS} ${named} where ${where}`
  const shown = (ids: SQL) => sql`select ${rowOf(actor)} from (${ids}) p
    join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = p.id ${COSTS} ${NAMES} order by ${order}`

  if (!words) {
    const from = field && COSTLY[field] ? withCosts() : sql`${workOrdersTable} o ${names} where ${where}`
    const [data, [sums]] = await together(
      rows<WorkOrderRow>(
        db,
        walked(actor, query, where) ??
          shown(sql`select o.id, ${key} as key, false as is_number from ${from} order by ${order} ${slice(query)}`),
      ),
      rows<Totals>(
        db,
        isOfTallies(query.filter) ? talliesOf(actor, query.filter) : sql`select ${sumsOf(actor)} from ${withCosts()}`,
      ),
    )
    return answer(query, data, sums)
  }
  // What matches is looked for once, whole: the planner cannot know how rare a word is, and must not walk the orders one
  // by one until a page is full.
  const [matched] = await rows<Totals & { ids: number[] }>(
    db,
    sql`with found as materialized (
          select o.id, supplies_cost, services_cost, labour_cost, ${key} as key, ${first} as is_number from ${withCosts(names)})
        select ${sumsOf(actor)}, array(select id from found order by ${order} ${slice(query)}) as ids from found`,
  )
  const ids = matched?.ids ?? []
  const data = await rows<WorkOrderRow>(
    db,
    sql`select ${rowOf(actor)} from ${workOrdersTable} o ${COSTS} ${NAMES}
        where o.company_id = ${actor.company_id} and o.id = ${oneOfIds(ids)}
        order by array_position(${sql.param(ids)}::bigint[], o.id)`,
  )
  return answer(query, data, matched)
}

/** With labour, where it counts. */
export const plus = (cost: number, labour: number | null) => (labour === null ? null : cost + labour)

function answer({ page, per_page }: WorkOrderList, data: WorkOrderRow[], sums: Totals | undefined) {
  const { total = 0, supplies_cost = 0, services_cost = 0, labour = null } = sums ?? {}
  const total_cost = supplies_cost + services_cost
  const totals = { supplies_cost, services_cost, total_cost, labour, total_with_labour: plus(total_cost, labour) }
  return { data, total, page, per_page, totals }
}

export async function findWorkOrders(db: Db, actor: Actor, text: string, limit: number): Promise<Found[]> {
  const query = { page: 1, per_page: limit, filter: { Search: text } } as WorkOrderList
  const { data } = await listWorkOrders(db, actor, query)
  return data.map(({ id, code, patent, status, request }) => ({
    kind: 'work_order',
    id,
    title: `${code} · ${showPatent(patent)}`,
    detail: [WORK_ORDER_STATES[status].label, request].filter(Boolean).join(' · '),
    path: `/ordenes-de-trabajo/${id}`,
  }))
}
