import { type SQL, sql } from 'drizzle-orm'
import type { SupplyLine } from '#contract/work-orders/lines.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import type { AvailableSupply, MyWork } from '#contract/work-orders/parts.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { all } from '../../platform/database/conditions.ts'
import { type Db, row, rows } from '../../platform/database/db.ts'
import { matches } from '../../platform/database/words.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { notFound, Problem } from '../../platform/problems.ts'
import { withWords } from '../../supplies/supplies.ts'
import { measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import { reservationsTable, stockTable, warehousesTable } from '../../warehouses/tables.ts'
import { requireHome } from '../../workshops/scope.ts'
import { CLOSED, note, ORDER_ELSEWHERE, requirePart, seeOrder, touch } from '../access.ts'
import { cardsOf } from '../board/cards.ts'
import { worksOfPerson } from '../labour/works.ts'
import { ORIGIN, saveSupplies } from '../supplies/used-supplies.ts'
import { workOrderServicesTable, workOrderSuppliesTable } from '../tables.ts'
import { saveServices, settle } from './lines.ts'
import { requireWorkOrder } from './orders.ts'
import { changedLines } from './timeline.ts'

/* One line at a time, beside whoever has the whole order open: what a mechanic takes, what a chief strikes out. */

const OFFERED = 30

/** In stock first; the code that was scanned before anything else. */
export async function availableSupplies(db: Db, actor: Actor, id: number, search: string | undefined) {
  const order = await seeOrder(db, actor, id)
  requireHome(actor, order, ORDER_ELSEWHERE)
  const stocked = order.has_warehouse
  // None has the number 0: a join that can find nothing by itself leaves a cluster without a node to ask.
  const warehouse_id = order.warehouse_id ?? 0
  const levels = sql`
    left join ${stockTable} s
      on s.company_id = ${actor.company_id} and s.supply_id = p.id and s.warehouse_id = ${warehouse_id}
    left join ${reservationsTable} r on r.company_id = ${actor.company_id} and r.origin = ${ORIGIN} and r.origin_id = ${order.id}
      and r.warehouse_id = ${warehouse_id} and r.supply_id = p.id`
  const ofOrder = sql`p.company_id = ${actor.company_id} and p.workshop_id = ${order.workshop_id} and p.state = 'active'`
  const inReach = all([ofOrder, stocked ? sql`s.attached` : undefined])
  const offered = all([inReach, matches(sql`p.search`, search)])
  const available = sql`coalesce(s.on_hand - s.reserved, 0) + coalesce(r.reserved, 0)`
  const isOther = sql`lower(p.code) <> ${(search ?? '').toLowerCase()}`
  const words = withWords(actor, order.workshop_id, search)
  // By name, as an index has them, until there are enough; what is out of stock only where what is there is not. Without a
  // warehouse all are alike.
  const byName = (those: SQL) => sql`select p.id from (
      select p.* from ${suppliesTable} p where p.company_id = ${actor.company_id} order by p.name, p.id offset 0) p ${levels}
    where ${offered} and ${isOther} and ${those} order by p.name, p.id limit ${OFFERED}`
  const walked = sql`with scanned as materialized (
        select p.id from searched_supplies p where ${ofOrder} and not ${isOther}),
      there as materialized (${byName(order.warehouse_id === null ? sql`true` : sql`${available} > 0`)}),
      gone as materialized (${byName(sql`${available} <= 0 and (select count(*) from there) < ${OFFERED}`)})
    select id from scanned union all select id from there union all select id from gone`
  const data = await rows<AvailableSupply>(
    db,
    sql`select p.id as supply_id, p.code, p.name, m.name as unit,
          ${stocked ? sql`coalesce(s.on_hand, 0)` : sql`null::numeric`} as stock,
          ${stocked ? available : sql`null::numeric`} as available,
          ${stocked ? sql`coalesce(s.average_cost, p.cost)` : sql`p.cost`} as cost,
          (select coalesce(jsonb_agg(jsonb_build_object('warehouse_name', w.name, 'stock', e.on_hand - e.reserved)
              order by e.on_hand - e.reserved desc), '[]')
            from ${stockTable} e join ${warehousesTable} w on w.company_id = e.company_id and w.id = e.warehouse_id
            where e.company_id = ${actor.company_id} and e.supply_id = p.id and e.on_hand > e.reserved
              and e.warehouse_id is distinct from ${order.warehouse_id}::bigint) as elsewhere
        from ${suppliesTable} p
        left join ${measurementUnitsTable} m on m.company_id = p.company_id and m.id = p.measurement_units_id ${levels}
        where ${inReach} and p.id = ${words ?? sql`any(array(${walked}))`}
        order by ${isOther}, ${available} <= 0, p.name, p.id limit ${OFFERED}`,
  )
  return { data, total: data.length }
}

/** The order with everything in it, held, and open. */
async function holdWhole(db: Db, actor: Actor, id: number, more: { supply_id: number }[] = []): Promise<WorkOrder> {
  const order = await requireWorkOrder(db, actor, id, true, { more })
  if (isClosed(order)) throw new Problem(409, CLOSED)
  return order
}

async function changed(db: Db, actor: Actor, before: WorkOrder): Promise<WorkOrder> {
  await settle(db, actor, before.id)
  const after = await requireWorkOrder(db, actor, before.id)
  const lines = changedLines(before, after, actor.time_zone)
  await note(db, actor, before, 'updated', lines.before, lines.after)
  await touch(db, actor, before)
  return after
}

export async function useSupply(
  db: Db,
  actor: Actor,
  id: number,
  { supply_id, count }: { supply_id: number; count: number },
): Promise<SupplyLine> {
  const order = await holdWhole(db, actor, id, [{ supply_id }])
  await requirePart(db, actor, order)
  const there = order.supplies.some((line) => line.supply_id === supply_id)
  const lines = order.supplies.map((line) => ({
    supply_id: line.supply_id,
    count: line.supply_id === supply_id ? Number((line.count + count).toFixed(4)) : line.count,
  }))
  try {
    await saveSupplies(db, actor, order, there ? lines : [...lines, { supply_id, count }])
  } catch (error) {
    throw underOneLine(error)
  }
  const after = await changed(db, actor, order)
  return after.supplies.find((line) => line.supply_id === supply_id)!
}

/** `supplies.3.count` is a line of the whole order: a caller that sent only one has no such line. */
function underOneLine(error: unknown) {
  if (!(error instanceof Problem) || !error.errors) return error
  const errors = Object.fromEntries(
    Object.entries(error.errors).map(([field, messages]) => [field.replace(/^supplies\.\d+\./, ''), messages]),
  )
  return new Problem(error.status, error.message, { errors })
}

export async function deleteSupplyLine(db: Db, actor: Actor, id: number) {
  const order = await holdWhole(db, actor, await orderOf(db, actor, workOrderSuppliesTable, id))
  const stays = order.supplies.filter((line) => line.id !== id)
  if (stays.length === order.supplies.length) throw notFound()
  await saveSupplies(db, actor, order, stays)
  await changed(db, actor, order)
  return undefined
}

export async function deleteServiceLine(db: Db, actor: Actor, id: number) {
  const order = await holdWhole(db, actor, await orderOf(db, actor, workOrderServicesTable, id))
  const stays = order.services.filter((line) => line.id !== id)
  if (stays.length === order.services.length) throw notFound()
  await saveServices(db, actor, order, order.services, stays)
  await changed(db, actor, order)
  return undefined
}

async function orderOf(
  db: Db,
  actor: Actor,
  table: typeof workOrderSuppliesTable | typeof workOrderServicesTable,
  id: number,
) {
  const line = await row<{ work_order_id: number }>(
    db,
    sql`select work_order_id from ${table} where company_id = ${actor.company_id} and id = ${id}`,
  )
  if (!line) throw notFound()
  return line.work_order_id
}

export async function myWorks(db: Db, actor: Actor) {
  const works = await worksOfPerson(db, actor)
  const cards = await cardsOf(db, actor, [...new Set(works.map((work) => work.work_order_id))])
  const byId = new Map(cards.map((card) => [card.id, card]))
  const data = works.flatMap((work): MyWork[] => {
    const order = byId.get(work.work_order_id)
    return order ? [{ work, order }] : []
  })
  return { data, total: data.length }
}
