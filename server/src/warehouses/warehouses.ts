import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Found } from '#contract/base/finder.ts'
import type {
  NewWarehouse,
  Warehouse,
  WarehouseChoice,
  WarehouseEdit,
  WarehouseList,
} from '#contract/warehouses/warehouses.ts'
import { all } from '../platform/database/conditions.ts'
import { type Db, memoizeInTransaction, one, row, rows, unlessInUse } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { invalid, notFound, Problem, requireFresh } from '../platform/problems.ts'
import { suppliesTable } from '../supplies/tables.ts'
import { inScope, requireVisibleWorkshop, requireWorkshop } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import { stockTable, warehousesTable } from './tables.ts'
import { inTransit } from './transfers/in-transit.ts'

const SELECT = sql`w.id, w.workshop_id, k.name as workshop_name, w.code, w.name, w.description, w.direction,
  coalesce(s.supplies_count, 0) as supplies_count, coalesce(s.below_minimum, 0) as below_minimum,
  coalesce(s.value, 0) as value, coalesce(y.sent_value, 0) as sent_value, coalesce(y.incoming_value, 0) as incoming_value,
  w.updated_at`
const from = (actor: Actor) => sql`${warehousesTable} w
  left join ${workshopsTable} k on k.company_id = w.company_id and k.id = w.workshop_id
  left join (
    select l.warehouse_id, count(*) filter (where l.attached) as supplies_count,
      count(*) filter (where l.on_hand - l.reserved < l.minimum) as below_minimum, round(sum(l.value)) as value
    from ${stockTable} l where l.company_id = ${actor.company_id} group by 1) s on s.warehouse_id = w.id
  left join (
    select end_id, round(sum(sent)) as sent_value, round(sum(incoming)) as incoming_value from (${inTransit(actor)}) i
    cross join lateral (values (i.warehouse_id, i.value, 0::numeric), (i.to_warehouse_id, 0::numeric, i.value)) e (end_id, sent, incoming)
    group by 1) y on y.end_id = w.id`

export const listWarehouses = (db: Db, actor: Actor, query: WarehouseList) =>
  listPage<Warehouse>(db, query, {
    select: SELECT,
    from: from(actor),
    where: all([inScope(actor, sql`w`, query.filter.WorkshopId), matches(sql`w.search`, query.filter.Search)]),
    sorts: {
      code: sql`w.code`,
      name: sql`w.name`,
      workshop_name: sql`k.name`,
      value: sql`s.value`,
      supplies_count: sql`s.supplies_count`,
      updated_at: sql`w.updated_at`,
    } satisfies Record<string, SQL>,
    order: sql`w.name, w.id`,
    id: sql`w.id`,
  })

export async function chooseWarehouses(db: Db, actor: Actor, workshop_id: number, search: string | undefined) {
  await requireVisibleWorkshop(db, actor, workshop_id)
  const data = await rows<WarehouseChoice>(
    db,
    sql`select w.id, w.code, w.name, w.workshop_id from ${warehousesTable} w
        where ${all([inScope(actor, sql`w`, [workshop_id]), matches(sql`w.search`, search)])} order by w.name, w.id`,
  )
  return { data, total: data.length }
}

export async function findWarehouses(db: Db, actor: Actor, text: string, limit: number): Promise<Found[]> {
  const found = await rows<Pick<Warehouse, 'id' | 'code' | 'name' | 'workshop_name'>>(
    db,
    sql`select w.id, w.code, w.name, k.name as workshop_name from ${warehousesTable} w
        join ${workshopsTable} k on k.company_id = w.company_id and k.id = w.workshop_id
        where ${all([inScope(actor, sql`w`), matches(sql`w.search`, text)])} order by w.name, w.id limit ${limit}`,
  )
  return found.map(({ id, code, name, workshop_name }) => ({
    kind: 'warehouse',
    id,
    title: `${code} · ${name}`,
    detail: workshop_name,
    path: `/warehouse/${id}`,
  }))
}

/** The warehouse, for those who may see it; locked until the end of the transaction where it is about to change. */
export async function requireWarehouse(db: Db, actor: Actor, id: number, lock = false): Promise<Warehouse> {
  const warehouse = await row<Warehouse>(
    db,
    sql`select ${SELECT} from ${from(actor)} where ${inScope(actor, sql`w`)} and w.id = ${id} ${lock ? sql`for update of w` : sql``}`,
  )
  if (!warehouse) throw notFound()
  return warehouse
}

/** A warehouse that a document can name. */
export async function requireWarehouseChoice(
  db: Db,
  actor: Actor,
  id: number,
  field = 'warehouse_id',
): Promise<WarehouseChoice> {
  // One that was found may be named several times in a transaction.
  const found = await memoizeInTransaction(db, `warehouse ${id}`, () => findWarehouseChoice(db, actor, id))
  if (!found) throw invalid({ [field]: 'Elija una bodega de la lista.' })
  return found
}
export async function requireVisibleWarehouse(db: Db, actor: Actor, id: number): Promise<WarehouseChoice> {
  const found = await findWarehouseChoice(db, actor, id)
  if (!found) throw notFound()
  return found
}
const findWarehouseChoice = (db: Db, actor: Actor, id: number) =>
  row<WarehouseChoice>(
    db,
    sql`select w.id, w.code, w.name, w.workshop_id from ${warehousesTable} w where ${inScope(actor, sql`w`)} and w.id = ${id}`,
  )

/** The supplies that lines name are of the warehouse's workshop; only active ones may come in. */
export async function requireSupplies(
  db: Db,
  actor: Actor,
  { workshop_id }: Pick<WarehouseChoice, 'workshop_id'>,
  lines: readonly { supply_id: number }[],
  incoming: boolean,
  field = 'supplies',
) {
  const supplies = await rows<{ id: number; active: boolean }>(
    db,
    sql`select s.id, s.state = 'active' as active from ${suppliesTable} s
        where s.company_id = ${actor.company_id} and s.workshop_id = ${workshop_id}
          and s.id = any(${sql.param(lines.map((line) => line.supply_id))}::bigint[])`,
  )
  const byId = new Map(supplies.map((supply) => [supply.id, supply]))
  const wrong: Record<string, string> = {}
  lines.forEach(({ supply_id }, i) => {
    const supply = byId.get(supply_id)
    if (!supply) wrong[`${field}.${i}.supply_id`] = 'Elija un insumo de la lista.'
    else if (incoming && !supply.active) wrong[`${field}.${i}.supply_id`] = 'El insumo está desactivado.'
  })
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
}

export async function createWarehouse(db: Db, actor: Actor, what: NewWarehouse): Promise<Warehouse> {
  await requireWorkshop(db, actor, what.workshop_id)
  const { code, name, description, direction, workshop_id } = what
  const { id } = one(
    await db
      .insert(warehousesTable)
      .values({ company_id: actor.company_id, code, name, description, direction, workshop_id })
      .returning({ id: warehousesTable.id }),
  )
  await record(db, actor, 'warehouse', id, 'created', {}, { code, name, description, direction, workshop_id })
  announce(db, actor, { topic: 'warehouses', workshop_id, ids: [id] })
  return requireWarehouse(db, actor, id)
}

export async function updateWarehouse(db: Db, actor: Actor, id: number, what: WarehouseEdit): Promise<Warehouse> {
  const before = await requireWarehouse(db, actor, id, true)
  requireFresh(before, what.updated_at)
  await requireWorkshop(db, actor, what.workshop_id)
  const { code, name, description, direction, workshop_id } = what
  if (workshop_id !== before.workshop_id && before.supplies_count > 0)
    throw new Problem(409, 'La bodega tiene insumos de su taller y no puede cambiar a otro.')
  await db
    .update(warehousesTable)
    .set({ code, name, description, direction, workshop_id, updated_at: new Date().toISOString() })
    .where(and(eq(warehousesTable.company_id, actor.company_id), eq(warehousesTable.id, id)))
  const after = await requireWarehouse(db, actor, id)
  await record(db, actor, 'warehouse', id, 'updated', before, after)
  announce(db, actor, { topic: 'warehouses', workshop_id, ids: [id] })
  return after
}

const IN_USE = 'La bodega tiene movimientos u órdenes y no se puede eliminar: su historial se conserva.'

/** Only a warehouse where nothing ever happened. */
export async function deleteWarehouse(db: Db, actor: Actor, id: number) {
  const warehouse = await requireWarehouse(db, actor, id, true)
  const inCompany = sql`company_id = ${actor.company_id}`
  await rows(db, sql`delete from ${stockTable} where ${inCompany} and warehouse_id = ${id} and on_hand = 0`)
  await unlessInUse(rows(db, sql`delete from ${warehousesTable} where ${inCompany} and id = ${id}`), IN_USE)
  await record(db, actor, 'warehouse', id, 'deleted', warehouse, {})
  announce(db, actor, { topic: 'warehouses', workshop_id: warehouse.workshop_id, ids: [id] })
  return undefined
}
