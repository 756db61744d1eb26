import { type SQL, sql } from 'drizzle-orm'
import { instantOf } from '#contract/base/dates.ts'
import {
  type Attach,
  NO_STOCK,
  type StockLimits,
  type StockLine,
  type StockList,
  type VerifyStock,
  type WarehouseSupplies,
  type WarehouseSupply,
} from '#contract/warehouses/stock.ts'
import { all, oneOf } from '../../platform/database/conditions.ts'
import { COMPANY, type Db, row, rows } from '../../platform/database/db.ts'
import { listPage } from '../../platform/database/lists.ts'
import { matches } from '../../platform/database/words.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { record } from '../../platform/operations/audit.ts'
import { announce } from '../../platform/operations/happenings.ts'
import { invalid, Problem } from '../../platform/problems.ts'
import { categoriesTable, measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import { workshopsTable } from '../../workshops/tables.ts'
import { movementsTable, stockTable } from '../tables.ts'
import { incomingTo, sentFrom } from '../transfers/in-transit.ts'
import { requireVisibleWarehouse } from '../warehouses.ts'

/* The levels of a warehouse, and their limits. */

const SUPPLY_NAMES = sql`
  left join ${categoriesTable} c on c.company_id = p.company_id and c.id = p.category_id
  left join ${measurementUnitsTable} m on m.company_id = p.company_id and m.id = p.measurement_units_id`

/** The last instant of a day of the company. */
export const endOfDay = (day: string, zone: string) => {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return new Date(Date.parse(instantOf(`${next.toISOString().slice(0, 10)}T00:00`, zone)) - 1).toISOString()
}

/** Stock now, or as the last movement up to the end of a day left it. */
function levels(
  actor: Actor,
  day: string | undefined,
): Record<'from' | 'on_hand' | 'reserved' | 'average_cost' | 'value', SQL> {
  if (!day)
    return {
      from: sql``,
      on_hand: sql`s.on_hand`,
      reserved: sql`s.reserved`,
      average_cost: sql`s.average_cost`,
      value: sql`s.value`,
    }
  return {
    reserved: sql`0::numeric`,
    from: sql`left join lateral (
      select v.balance, v.balance_value, v.average_cost from ${movementsTable} v
      where v.company_id = ${COMPANY} and v.warehouse_id = s.warehouse_id and v.supply_id = s.supply_id
        and v.at <= ${endOfDay(day, actor.time_zone)}::timestamptz
      order by v.at desc, v.id desc limit 1) v on true`,
    on_hand: sql`coalesce(v.balance, 0)`,
    average_cost: sql`coalesce(v.average_cost, 0)`,
    value: sql`coalesce(v.balance_value, 0)`,
  }
}

export async function listStock(db: Db, actor: Actor, warehouse_id: number, query: StockList) {
  await requireVisibleWarehouse(db, actor, warehouse_id)
  const { from, on_hand, reserved, average_cost, value } = levels(actor, query.filter.At)
  const available = sql`(${on_hand} - ${reserved})`
  const states: Record<string, SQL> = {
    below: sql`${available} < s.minimum`,
    empty: sql`${available} = 0`,
    available: sql`${available} > 0`,
  }
  const wanted = query.filter.Level?.map((level) => states[level]!)
  const { Search, Categories, Supply, At } = query.filter
  const supplied = sql`${stockTable} s
    join ${suppliesTable} p on p.company_id = s.company_id and p.id = s.supply_id ${SUPPLY_NAMES} ${from}`
  return listPage<StockLine>(db, query, {
    select: sql`s.supply_id as id, s.supply_id, p.code, p.name, c.name as category, m.name as unit, ${on_hand} as stock,
      ${reserved} as reserved, ${available} as available, ${average_cost} as average_cost, ${value} as value, s.minimum, s.maximum,
      coalesce(y.sent, 0) as sent, coalesce(z.incoming, 0) as incoming`,
    from: sql`${supplied}
      left join (${sentFrom(actor, warehouse_id, At)}) y on y.supply_id = s.supply_id
      left join (${incomingTo(actor, warehouse_id, At)}) z on z.code = lower(p.code)`,
    pageFrom: supplied,
    where: all([
      sql`s.company_id = ${actor.company_id} and s.warehouse_id = ${warehouse_id}`,
      At ? sql`(s.attached or ${on_hand} > 0)` : sql`s.attached`,
      oneOf(sql`s.supply_id`, Supply),
      oneOf(sql`p.category_id`, Categories),
      wanted && wanted.length > 0 ? sql`(${sql.join(wanted, sql` or `)})` : undefined,
      matches(sql`p.search`, Search),
    ]),
    sorts: {
      code: sql`p.code`,
      name: sql`p.name`,
      category: sql`c.name`,
      unit: sql`m.name`,
      stock: on_hand,
      reserved,
      available,
      average_cost,
      value,
      minimum: sql`s.minimum`,
      maximum: sql`s.maximum`,
    },
    order: sql`p.code, s.supply_id`,
    id: sql`s.supply_id`,
    owner: sql`s.company_id = ${actor.company_id} and s.warehouse_id = ${warehouse_id}`,
  })
}

/** Supplies of the warehouse's workshop, as its lists show them. */
async function listSupplies(db: Db, actor: Actor, query: WarehouseSupplies, condition: SQL) {
  const id = query.warehouseId ?? query.warehouse
  if (id === undefined) throw invalid({ warehouseId: 'Elija una bodega de la lista.' })
  const { workshop_id } = await requireVisibleWarehouse(db, actor, id)
  // A code that was typed or scanned as a whole comes first.
  const code = query.search?.toLowerCase() ?? ''
  const levelled = sql`${suppliesTable} p
    left join ${stockTable} s on s.company_id = p.company_id and s.supply_id = p.id and s.warehouse_id = ${id}`
  return listPage<WarehouseSupply>(db, query, {
    select: sql`p.id, p.code, p.name, c.name as category, m.name as unit, p.cost, k.name as workshop,
      coalesce(s.attached, false) as selected, coalesce(s.on_hand, 0) as stock,
      coalesce(s.on_hand - s.reserved, 0) as available, coalesce(s.average_cost, 0) as average_cost`,
    from: sql`${levelled} left join ${workshopsTable} k on k.company_id = p.company_id and k.id = p.workshop_id ${SUPPLY_NAMES}`,
    where: all([
      sql`p.company_id = ${actor.company_id} and p.workshop_id = ${workshop_id} and ${condition}`,
      matches(sql`p.search`, query.search?.trim()),
    ]),
    sorts: {},
    order: sql`${code ? sql`lower(p.code) <> ${code},` : sql``} p.code, p.id`,
    id: sql`p.id`,
    owner: sql`p.company_id = ${actor.company_id}`,
  })
}
export const suppliesFromWarehouse = (db: Db, actor: Actor, query: WarehouseSupplies) =>
  listSupplies(db, actor, query, sql`(p.state = 'active' or s.attached)`)
export const suppliesAttached = (db: Db, actor: Actor, query: WarehouseSupplies) =>
  listSupplies(db, actor, query, sql`s.attached`)
export const suppliesInStock = (db: Db, actor: Actor, query: WarehouseSupplies) =>
  listSupplies(db, actor, query, sql`s.on_hand > s.reserved`)

export async function verifyStock(db: Db, actor: Actor, { supply, warehouse, quantity }: VerifyStock) {
  await requireVisibleWarehouse(db, actor, warehouse)
  const level = await row<{ stock: number; available: number; enough: boolean }>(
    db,
    sql`select s.on_hand as stock, s.on_hand - s.reserved as available, s.on_hand - s.reserved >= ${quantity}::numeric as enough from ${stockTable} s
        where s.company_id = ${actor.company_id} and s.warehouse_id = ${warehouse} and s.supply_id = ${supply}`,
  )
  if (!level?.enough) throw invalid({ quantity: NO_STOCK })
  return { stock: level.stock, available: level.available }
}

export async function attachSupplies(db: Db, actor: Actor, warehouse_id: number, input: Attach) {
  const { workshop_id } = await requireVisibleWarehouse(db, actor, warehouse_id)
  const wanted = input.selectedAll ? sql`p.state = 'active'` : sql`p.id = any(${sql.param(input.supplies)}::bigint[])`
  const found = await rows<{ id: number }>(
    db,
    sql`select p.id from ${suppliesTable} p
        where p.company_id = ${actor.company_id} and p.workshop_id = ${workshop_id} and ${wanted} order by p.id`,
  )
  const known = new Set(found.map(({ id }) => id))
  const unknown = input.selectedAll ? -1 : input.supplies.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw invalid({ supplies: 'Elija insumos del taller de la bodega.' })
  await lockLimits(db, actor, warehouse_id, [...known])
  const attached = await rows(
    db,
    sql`insert into ${stockTable} as s (company_id, warehouse_id, supply_id)
        select ${actor.company_id}::bigint, ${warehouse_id}::bigint, id from unnest(${sql.param([...known])}::bigint[]) id order by id
        on conflict (company_id, warehouse_id, supply_id) do update set attached = true where not s.attached
        returning s.supply_id`,
  )
  const detached = input.selectedAll ? [] : await detach(db, actor, warehouse_id, input.detached)
  await record(
    db,
    actor,
    'warehouse',
    warehouse_id,
    'attached',
    {},
    { attached: attached.length, detached: detached.length },
  )
  announce(db, actor, { topic: 'warehouses', workshop_id, ids: [warehouse_id] })
  return { attached: attached.length, detached: detached.length }
}

async function detach(db: Db, actor: Actor, warehouse_id: number, supplies: number[]) {
  if (supplies.length === 0) return []
  const levels = await lockLimits(db, actor, warehouse_id, supplies)
  if (levels.some(({ on_hand }) => on_hand > 0))
    throw new Problem(409, 'Un insumo con stock no se puede quitar de la bodega.')
  return rows(
    db,
    sql`update ${stockTable} s set attached = false, minimum = null, maximum = null
        where ${levelsOf(actor, warehouse_id, supplies)} and s.attached returning s.supply_id`,
  )
}

const levelsOf = ({ company_id }: Actor, warehouse_id: number, supplies: number[]) =>
  sql`s.company_id = ${company_id} and s.warehouse_id = ${warehouse_id} and s.supply_id = any(${sql.param(supplies)}::bigint[])`
const lockLimits = (db: Db, actor: Actor, warehouse_id: number, supplies: number[]) =>
  rows<{ on_hand: number }>(
    db,
    sql`select s.on_hand from ${stockTable} s where ${levelsOf(actor, warehouse_id, supplies)} order by s.supply_id for update`,
  )

export async function setLimits(db: Db, actor: Actor, warehouse_id: number, { levels }: StockLimits) {
  const { workshop_id } = await requireVisibleWarehouse(db, actor, warehouse_id)
  const sorted = [...levels].sort((a, b) => a.supply_id - b.supply_id)
  const supplies = sorted.map((l) => l.supply_id)
  await lockLimits(db, actor, warehouse_id, supplies)
  const changed = await rows<{ supply_id: number }>(
    db,
    sql`update ${stockTable} s set minimum = n.minimum, maximum = n.maximum
        from unnest(${sql.param(supplies)}::bigint[], ${sql.param(sorted.map((l) => l.minimum))}::numeric[],
          ${sql.param(sorted.map((l) => l.maximum))}::numeric[]) as n (supply_id, minimum, maximum)
        where s.company_id = ${actor.company_id} and s.warehouse_id = ${warehouse_id} and s.supply_id = n.supply_id
          and s.attached returning s.supply_id`,
  )
  const known = new Set(changed.map((l) => l.supply_id))
  const unknown = levels.findIndex((l) => !known.has(l.supply_id))
  if (unknown >= 0) throw invalid({ [`levels.${unknown}.supply_id`]: 'El insumo no está en la bodega.' })
  const after = Object.fromEntries(levels.map((l) => [`supply_${l.supply_id}`, [l.minimum, l.maximum]]))
  await record(db, actor, 'warehouse', warehouse_id, 'limits', {}, after)
  announce(db, actor, { topic: 'warehouses', workshop_id, ids: [warehouse_id] })
  return { changed: changed.length }
}
