import { sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import { toScaled } from '#contract/base/money.ts'
import {
  COUNT_STATES,
  type Count,
  type CountLine,
  type CountSheet,
  type CountState,
  type CountSummary,
  type Direction,
  type NewCount,
  typeNamed,
} from '#contract/warehouses/stock.ts'
import { all, oneOf } from '../../platform/database/conditions.ts'
import { COMPANY, type Db, one, row, rows } from '../../platform/database/db.ts'
import { listPage } from '../../platform/database/lists.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { record } from '../../platform/operations/audit.ts'
import { announce } from '../../platform/operations/happenings.ts'
import { invalid, notFound, Problem } from '../../platform/problems.ts'
import { measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import { inScope } from '../../workshops/scope.ts'
import { lockLevels } from '../stock/locked-levels.ts'
import { type Posting, plan } from '../stock/stock.ts'
import { stockCountLinesTable, stockCountsTable, stockTable } from '../tables.ts'
import { requireVisibleWarehouse, requireWarehouseChoice } from '../warehouses.ts'
import { createDocument } from './create-document.ts'

/* Physical counts: a sheet, the counted quantities, and adjustments by the differences. */

const SELECT = sql`c.id, c.warehouse_id, c.state, c.blind, c.note, c.user_name, c.created_at, c.updated_at,
  (select count(*) from ${stockCountLinesTable} l where l.company_id = ${COMPANY} and l.count_id = c.id) as lines_count,
  (select count(*) from ${stockCountLinesTable} l where l.company_id = ${COMPANY} and l.count_id = c.id
    and l.counted is not null) as counted_count`

export async function listCounts(
  db: Db,
  actor: Actor,
  query: {
    page: number
    per_page: number
    sort?: string | undefined
    warehouse: number
    filter: { State?: CountState[] | undefined }
  },
) {
  await requireVisibleWarehouse(db, actor, query.warehouse)
  return listPage<CountSummary>(db, query, {
    select: SELECT,
    from: sql`${stockCountsTable} c`,
    where: all([
      sql`c.company_id = ${actor.company_id} and c.warehouse_id = ${query.warehouse}`,
      oneOf(sql`c.state`, query.filter.State),
    ]),
    sorts: { created_at: sql`c.created_at` },
    order: sql`c.id desc`,
    id: sql`c.id`,
  })
}

async function requireSummary(db: Db, actor: Actor, id: number, lock = false): Promise<CountSummary> {
  const count = await row<CountSummary>(
    db,
    sql`select ${SELECT} from ${stockCountsTable} c where ${inScope(actor, sql`c`)} and c.id = ${id}
        ${lock ? sql`for update of c` : sql``}`,
  )
  if (!count) throw notFound()
  return count
}

async function requireOpen(db: Db, actor: Actor, id: number) {
  const count = await requireSummary(db, actor, id, true)
  if (COUNT_STATES[count.state].closed) throw new Problem(409, 'Este conteo ya está cerrado.')
  return count
}

export async function requireCount(db: Db, actor: Actor, id: number): Promise<Count> {
  const count = await requireSummary(db, actor, id)
  const isHidden = count.blind && !COUNT_STATES[count.state].closed
  const lines = await rows<CountLine>(
    db,
    sql`select l.supply_id, s.code, s.name, m.name as unit, l.counted,
          case when not ${isHidden}::boolean then coalesce(l.expected, k.on_hand) end as expected,
          case when not ${isHidden}::boolean then l.counted - l.expected end as difference
        from ${stockCountLinesTable} l
        join ${suppliesTable} s on s.company_id = l.company_id and s.id = l.supply_id
        left join ${measurementUnitsTable} m on m.company_id = s.company_id and m.id = s.measurement_units_id
        left join ${stockTable} k on k.company_id = l.company_id and k.warehouse_id = ${count.warehouse_id} and k.supply_id = l.supply_id
        where l.company_id = ${actor.company_id} and l.count_id = ${id} order by s.code, s.id`,
  )
  return { ...count, lines }
}

export async function createCount(db: Db, actor: Actor, input: NewCount): Promise<Count> {
  const { id: warehouse_id, workshop_id } = await requireWarehouseChoice(db, actor, input.warehouse_id)
  const { id } = one(
    await db
      .insert(stockCountsTable)
      .values({
        company_id: actor.company_id,
        workshop_id,
        warehouse_id,
        blind: input.blind,
        note: input.note,
        user_name: actor.user_name,
      })
      .returning({ id: stockCountsTable.id }),
  )
  const chosen = input.supplies.length > 0 ? sql`s.supply_id = any(${sql.param(input.supplies)}::bigint[])` : sql`true`
  const lines = await rows(
    db,
    sql`insert into ${stockCountLinesTable} as l (company_id, count_id, supply_id)
        select s.company_id, ${id}::bigint, s.supply_id from ${stockTable} s
        where s.company_id = ${actor.company_id} and s.warehouse_id = ${warehouse_id} and s.attached and ${chosen}
        returning l.supply_id`,
  )
  if (lines.length === 0) throw invalid({ supplies: 'La bodega no tiene insumos que contar.' })
  await record(db, actor, 'stock_count', id, 'created', {}, { warehouse_id, lines: lines.length, blind: input.blind })
  announce(db, actor, { topic: 'warehouses', workshop_id, ids: [warehouse_id] })
  return requireCount(db, actor, id)
}

/** A line keeps the stock of the moment when it was counted, so that later movements do not change its difference. */
export async function saveCount(db: Db, actor: Actor, id: number, sheet: CountSheet): Promise<Count> {
  const count = await requireOpen(db, actor, id)
  const lines = [...sheet.lines].sort((a, b) => a.supply_id - b.supply_id)
  const saved = await rows<{ supply_id: number }>(
    db,
    sql`update ${stockCountLinesTable} l set counted = n.counted,
          expected = case when n.counted is null then null
            when l.counted is distinct from n.counted or l.expected is null then k.on_hand else l.expected end
        from unnest(${sql.param(lines.map((l) => l.supply_id))}::bigint[], ${sql.param(lines.map((l) => l.counted))}::numeric[])
          as n (supply_id, counted)
        join ${stockTable} k on k.company_id = ${actor.company_id} and k.warehouse_id = ${count.warehouse_id} and k.supply_id = n.supply_id
        where l.company_id = ${actor.company_id} and l.count_id = ${id} and l.supply_id = n.supply_id returning l.supply_id`,
  )
  const known = new Set(saved.map((line) => line.supply_id))
  const unknown = sheet.lines.findIndex((line) => !known.has(line.supply_id))
  if (unknown >= 0) throw invalid({ [`lines.${unknown}.supply_id`]: 'El insumo no está en este conteo.' })
  await rows(
    db,
    sql`update ${stockCountsTable} set updated_at = ${new Date().toISOString()} where company_id = ${actor.company_id} and id = ${id}`,
  )
  return requireCount(db, actor, id)
}

export async function applyCount(db: Db, actor: Actor, id: number): Promise<Count> {
  const count = await requireOpen(db, actor, id)
  const warehouse = await requireVisibleWarehouse(db, actor, count.warehouse_id)
  const differences = await rows<{ supply_id: number; difference: number; cost: number; average_cost: number }>(
    db,
    sql`select l.supply_id, l.counted - l.expected as difference, s.cost, k.average_cost
        from ${stockCountLinesTable} l
        join ${suppliesTable} s on s.company_id = l.company_id and s.id = l.supply_id
        join ${stockTable} k on k.company_id = l.company_id and k.warehouse_id = ${warehouse.id} and k.supply_id = l.supply_id
        where l.company_id = ${actor.company_id} and l.count_id = ${id} and l.counted is not null and l.counted <> l.expected
        order by l.supply_id`,
  )
  // All levels at once, because surplus and shortage are two documents and locks have one order.
  await lockLevels(
    db,
    actor,
    differences.map(({ supply_id }) => ({ warehouse_id: warehouse.id, supply_id })),
  )
  for (const type of ['entry', 'exit'] as const)
    await adjust(
      db,
      actor,
      warehouse,
      type,
      id,
      differences.filter((d) => d.difference > 0 === (type === 'entry')),
    )
  await closeCount(db, actor, count, 'applied')
  return requireCount(db, actor, id)
}

async function adjust(
  db: Db,
  actor: Actor,
  warehouse: Awaited<ReturnType<typeof requireVisibleWarehouse>>,
  type: Direction,
  count_id: number,
  differences: { supply_id: number; difference: number; cost: number; average_cost: number }[],
) {
  if (differences.length === 0) return
  // A surplus comes in at the average; where there never was any stock, at the catalogue's cost.
  const postings = differences.map(({ supply_id, difference, cost, average_cost }): Posting => {
    const surplus = { unit_cost: toScaled(average_cost || cost), follows: true }
    return {
      warehouse_id: warehouse.id,
      supply_id,
      quantity: toScaled(difference),
      field: 'lines',
      ignoresReservations: true,
      ...(difference > 0 && surplus),
    }
  })
  const planned = await plan(db, actor, postings)
  const lines = differences.map(({ supply_id, difference }) => ({
    supply_id,
    quantity: Math.abs(difference),
    tax_type: 'exempt' as const,
  }))
  const date = dayOf(new Date(), actor.time_zone)
  const header = { type, typeTrasactionId: typeNamed(type, 'adjustment'), date, document: `Conteo ${count_id}` }
  await createDocument(db, actor, { warehouse, header, lines, planned })
}

export async function discardCount(db: Db, actor: Actor, id: number) {
  await closeCount(db, actor, await requireOpen(db, actor, id), 'discarded')
  return undefined
}

async function closeCount(db: Db, actor: Actor, count: CountSummary, state: CountState) {
  await rows(
    db,
    sql`update ${stockCountsTable} set state = ${state}, updated_at = ${new Date().toISOString()}
        where company_id = ${actor.company_id} and id = ${count.id}`,
  )
  await record(db, actor, 'stock_count', count.id, 'updated', { state: count.state }, { state })
  const { workshop_id } = await requireVisibleWarehouse(db, actor, count.warehouse_id)
  announce(db, actor, { topic: 'warehouses', workshop_id, ids: [count.warehouse_id] })
}
