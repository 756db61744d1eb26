import { type SQL, sql } from 'drizzle-orm'
import type { Found } from '#contract/base/finder.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import type { WorkOrderList, WorkOrderRow } from '#contract/work-orders/orders.ts'
import { FINAL_STATUS, WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES } from '#contract/work-orders/states.ts'
import { trucksTable } from '../../fleet/tables.ts'
import { all, between, oneOf, oneOfNames } from '../../platform/database/conditions.ts'
import { type Db, one, rows } from '../../platform/database/db.ts'
import { listPage } from '../../platform/database/lists.ts'
import { havingWords } from '../../platform/database/words.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { labourSeen } from '../../workshops/company.ts'
import { inFleet, inScope } from '../../workshops/scope.ts'
import { specialistsTable } from '../../workshops/tables.ts'
import { stoppedOrders } from '../board/stopped.ts'
import { SPECIALIST_NAME } from '../labour/works.ts'
import {
  maintenanceTypesTable,
  workOrderCostsTable,
  workOrderServicesTable,
  workOrderSuppliesTable,
  workOrdersTable,
  worksTable,
} from '../tables.ts'
import { searchWords } from './search.ts'
import { COSTS, chosen, costsOf, NAMES, SUMMARY } from './summary.ts'

const rowOf = (actor: Actor) => sql`${SUMMARY}, ${costsOf(actor)}, o.kilometer`

const inOrder = (column: SQL, values: readonly string[]) =>
  sql`array_position(array[${sql.raw(values.map((value) => `'${value}'`).join(', '))}]::text[], ${column})`
const BY_LEVEL = Object.entries(PRIORITIES)
  .sort(([, a], [, b]) => a.level - b.level)
  .map(([name]) => name)

const SORTS: Record<string, SQL> = {
  code: sql`o.number`,
  created_at: sql`o.created_at`,
  status: inOrder(sql`o.status`, WORK_ORDER_STATUS_NAMES),
  priority: inOrder(sql`o.priority`, BY_LEVEL),
  workshop_entry_at: sql`o.workshop_entry_at`,
  workshop_departure_at: sql`o.workshop_departure_at`,
  kilometer: sql`o.kilometer`,
  patent: sql`k.patent`,
  type_maintenance: sql`y.name`,
  responsible_specialist: sql`nullif(${SPECIALIST_NAME}, '')`,
  supplies_cost: sql`c.supplies_cost`,
  services_cost: sql`c.services_cost`,
  total_cost: sql`c.supplies_cost + c.services_cost`,
}
/** Left joins of the names that `SORTS` has: PostgreSQL leaves out those that a statement does not use. */
const WITH_SORTS = sql`${workOrdersTable} o
  left join ${workOrderCostsTable} c on c.company_id = o.company_id and c.id = o.id
  left join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
  left join ${specialistsTable} s on s.company_id = o.company_id and s.id = o.responsible_specialist_id
  left join ${maintenanceTypesTable} y on y.company_id = o.company_id and y.id = o.type_maintenance_id`

const DAYS = {
  created: sql`o.created_at`,
  entry: sql`o.workshop_entry_at`,
  departure: sql`o.workshop_departure_at`,
  finalized: sql`o.finalized_at`,
}
/** Orders that some rows name, gathered first: the planner does not know how many they are. */
const oneOfThese = (ids: SQL) => sql`o.id = any(array(${ids}))`

function ofSpecialists({ company_id }: Actor, specialists: number[] | undefined) {
  if (!specialists?.length) return undefined
  const theirs = sql`any(${sql.param(specialists)}::bigint[])`
  return oneOfThese(sql`select r.id from ${workOrdersTable} r
      where r.company_id = ${company_id} and r.responsible_specialist_id = ${theirs}
    union select x.work_order_id from ${worksTable} x where x.company_id = ${company_id} and x.specialist_id = ${theirs}`)
}
const withLines = (
  { company_id }: Actor,
  table: typeof workOrderSuppliesTable | typeof workOrderServicesTable,
  column: SQL,
  ids: number[] | undefined,
) =>
  ids?.length
    ? oneOfThese(
        sql`select l.work_order_id from ${table} l where l.company_id = ${company_id} and ${column} = any(${sql.param(ids)})`,
      )
    : undefined

function filtered(actor: Actor, { Specialist, ...filter }: WorkOrderList['filter']): SQL {
  // The history of a truck is its own, wherever it was repaired.
  const scope = filter.Truck?.length || filter.Coupled?.length ? inFleet : inScope
  return all([
    ...chosen(actor, filter, scope),
    ofSpecialists(actor, Specialist),
    filter.Driver?.length
      ? sql`(o.applicant_driver_id = any(${sql.param(filter.Driver)}) or o.delivered_to_driver_id = any(${sql.param(filter.Driver)}))`
      : undefined,
    withLines(actor, workOrderServicesTable, sql`l.provider_id`, filter.Provider),
    withLines(actor, workOrderSuppliesTable, sql`l.supply_id`, filter.Supply),
    oneOf(sql`o.box_id`, filter.Box),
    filter.Place?.length ? sql`o.place ${oneOfNames(filter.Place)}` : undefined,
    filter.Stopped?.length ? oneOfThese(stoppedOrders(actor, filter.WorkshopId)) : undefined,
    filter.Planned?.length ? sql`o.planned = any(${sql.param(filter.Planned)}::boolean[])` : undefined,
    filter.DateOf === 'finalized' && filter.BetweenDate ? sql`o.status = ${FINAL_STATUS}` : undefined,
    between(DAYS[filter.DateOf ?? 'created'], filter.BetweenDate, actor.time_zone),
  ])
}

/** The filters and the searched words; the number, where the whole search is one. */
async function searched(db: Db, actor: Actor, filter: WorkOrderList['filter']) {
  const filters = filtered(actor, filter)
  const words = await searchWords(db, actor, filter.Search)
  if (!words) return { where: filters, number: undefined }
  const having = await havingWords(db, sql`o`, {
    search: filter.Search,
    has: [words.where],
    ids: [sql`select o.id from ${words.from} where o.company_id = ${actor.company_id} and ${words.where}`],
    recent: sql`select o.* from ${workOrdersTable} o where ${filters} order by o.number desc`,
  })
  return { where: all([filters, having]), number: words.number }
}

/** Some of the history, and only those columns of it, older than the order that came last: for those who read all of it. */
export async function historyAfter(
  db: Db,
  actor: Actor,
  filter: WorkOrderList['filter'],
  last: number | undefined,
  { columns, limit }: { columns: string[]; limit: number },
) {
  const { where } = await searched(db, actor, filter)
  const older = all([where, last === undefined ? undefined : sql`o.number < ${last}`])
  const data = await rows<WorkOrderRow & { number: number }>(
    db,
    sql`select number, ${sql.raw(columns.join(', '))} from (
          select o.number, ${rowOf(actor)} from ${workOrdersTable} o ${COSTS} ${NAMES}
          where o.company_id = ${actor.company_id} and o.id = any(array(
            select o.id from ${workOrdersTable} o where ${older} order by o.number desc limit ${limit}))) o
        order by number desc`,
  )
  return { data, last: data.at(-1)?.number, isLast: data.length < limit }
}

interface Totals {
  total: number
  supplies_cost: number
  services_cost: number
  labour: number | null
}

const totalsOf = async (db: Db, actor: Actor, where: SQL) =>
  one(
    await rows<Totals>(
      db,
      sql`select count(*) as total, coalesce(sum(c.supplies_cost), 0) as supplies_cost,
            coalesce(sum(c.services_cost), 0) as services_cost,
            case when ${labourSeen(actor)} then coalesce(sum(c.labour_cost), 0) end as labour
          from ${workOrdersTable} o ${COSTS} where ${where}`,
    ),
  )

/** A page of the history, and what all orders of the filters cost; with `totals=none` only the page. */
export async function listWorkOrders(db: Db, actor: Actor, query: WorkOrderList) {
  const { where, number } = await searched(db, actor, query.filter)
  const isCounted = query.totals !== 'none'
  const page = await listPage<WorkOrderRow>(db, isCounted ? { ...query, count: 'bounded' } : query, {
    select: rowOf(actor),
    from: sql`${workOrdersTable} o ${COSTS} ${NAMES}`,
    // Its own order needs no names, and joins that are not used still take time to plan.
    pageFrom: query.sort ? WITH_SORTS : sql`${workOrdersTable} o`,
    where,
    sorts: SORTS,
    // A number that was asked for comes before the numbers that only contain it.
    order: number === undefined ? sql`o.number desc` : sql`o.number = ${number} desc, o.number desc`,
    id: sql`o.id`,
    owner: sql`o.company_id = ${actor.company_id}`,
  })
  if (!isCounted) return { ...page, totals: NOT_ASKED }
  const { at_least, ...counted } = page
  const { total, supplies_cost, services_cost, labour } = await totalsOf(db, actor, where)
  const total_cost = supplies_cost + services_cost
  const totals = { supplies_cost, services_cost, total_cost, labour, total_with_labour: plus(total_cost, labour) }
  return { ...counted, total, totals }
}
const NOT_ASKED = { supplies_cost: null, services_cost: null, total_cost: null, labour: null, total_with_labour: null }

/** With labour, where it counts. */
export const plus = (cost: number, labour: number | null) => (labour === null ? null : cost + labour)

export async function findWorkOrders(db: Db, actor: Actor, text: string, limit: number): Promise<Found[]> {
  const query = {
    page: 1,
    per_page: limit,
    count: 'bounded',
    totals: 'none',
    filter: { Search: text },
  } as WorkOrderList
  const { data } = await listWorkOrders(db, actor, query)
  return data.map(({ id, code, patent, status, request }) => ({
    kind: 'work_order',
    id,
    title: `${code} · ${showPatent(patent)}`,
    detail: [WORK_ORDER_STATES[status].label, request].filter(Boolean).join(' · '),
    path: `/ordenes-de-trabajo/${id}`,
  }))
}
