import { sql } from 'drizzle-orm'
import {
  type StockOfSupply,
  type SupplyStock,
  type SupplyUse,
  typeName,
  typeNamed,
} from '#contract/warehouses/stock.ts'
import { all, between } from '../../platform/database/conditions.ts'
import { type Db, row, rows } from '../../platform/database/db.ts'
import { listPage } from '../../platform/database/lists.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid } from '../../platform/problems.ts'
import { requireSupply } from '../../supplies/supplies.ts'
import { suppliesTable } from '../../supplies/tables.ts'
import { inScope } from '../../workshops/scope.ts'
import { codeOf } from '../documents/transactions.ts'
import { movementsTable, stockTable, transactionsTable, warehousesTable } from '../tables.ts'
import { transitOfSupply } from '../transfers/in-transit.ts'

/** One supply, wherever it is kept and whatever took it. */

export async function supplyStock(db: Db, actor: Actor, id: number) {
  const supply = await requireSupply(db, actor, id)
  const data = await rows<SupplyStock>(
    db,
    sql`select s.warehouse_id, w.code as warehouse_code, w.name as warehouse_name, w.workshop_id,
          s.on_hand as stock, s.reserved,
          s.on_hand - s.reserved as available, s.average_cost,
          s.value, s.minimum, s.maximum, coalesce(y.sent, 0) as sent, coalesce(y.incoming, 0) as incoming, s.last_at
        from ${stockTable} s join ${warehousesTable} w on w.company_id = s.company_id and w.id = s.warehouse_id
        left join (${transitOfSupply(actor, supply)}) y on y.warehouse_id = s.warehouse_id
        where ${inScope(actor, sql`w`)} and s.company_id = ${actor.company_id} and s.supply_id = ${id}
          and (s.attached or s.on_hand > 0)
        order by w.name, w.id`,
  )
  return { data, total: data.length }
}

/** The levels of these supplies in the warehouses that the actor may see. */
export async function suppliesStock(db: Db, actor: Actor, ids: number[]) {
  const data = await rows<StockOfSupply>(
    db,
    sql`select s.supply_id, s.warehouse_id, w.name as warehouse_name, s.on_hand as stock,
          s.on_hand - s.reserved as available, s.minimum
        from ${stockTable} s join ${warehousesTable} w on w.company_id = s.company_id and w.id = s.warehouse_id
        where ${inScope(actor, sql`w`)} and s.company_id = ${actor.company_id}
          and s.supply_id = any(${sql.param(ids)}::bigint[]) and (s.attached or s.on_hand > 0)
        order by s.supply_id, w.name, w.id`,
  )
  return { data, total: data.length }
}

/** A supply with movements keeps its unit, because its quantities were counted in it. */
export async function refuseOtherUnit(db: Db, actor: Actor, ids: number[]) {
  const moved = await row<{ code: string }>(
    db,
    sql`select p.code from ${stockTable} s join ${suppliesTable} p on p.company_id = s.company_id and p.id = s.supply_id
        where s.company_id = ${actor.company_id} and s.supply_id = any(${sql.param(ids)}::bigint[]) and s.last_at is not null
        limit 1`,
  )
  if (moved)
    throw invalid({ measurement_units_id: `${moved.code} ya tiene movimientos: su unidad de medida no se cambia.` })
}

interface UsesQuery {
  page: number
  per_page: number
  sort?: string | undefined
  filter: { BetweenDate?: string | undefined }
}

export async function supplyUses(db: Db, actor: Actor, id: number, query: UsesQuery) {
  await requireSupply(db, actor, id)
  const found = await listPage<
    Omit<SupplyUse, 'type_name' | 'document'> & { type_id: number; document: string | null; number: number | null }
  >(db, query, {
    select: sql`u.*, w.name as warehouse_name, t.number`,
    // A void, and goods that an order gives back, have the source of the movement that took them: the sum was used.
    from: sql`(
        select min(m.id) as id, min(m.at) as at, min(m."typeTrasactionId") filter (where m.quantity < 0) as type_id,
          min(m.document) as document, m.transaction_id, m.origin, m.origin_id, m.warehouse_id,
          -sum(m.quantity) as quantity, -sum(m.value) as value, min(m.user_name) as user_name
        from ${movementsTable} m
        where m.company_id = ${actor.company_id} and m.supply_id = ${id}
          and m.warehouse_id in (select w.id from ${warehousesTable} w where ${inScope(actor, sql`w`)})
          and m."typeTrasactionId" <> ${typeNamed('exit', 'transfer')}
        group by m.transaction_id, m.origin, m.origin_id, m.warehouse_id
        having sum(m.quantity) < 0) u
      join ${warehousesTable} w on w.company_id = ${actor.company_id} and w.id = u.warehouse_id
      left join ${transactionsTable} t on t.company_id = ${actor.company_id} and t.id = u.transaction_id`,
    where: all([sql`true`, between(sql`u.at`, query.filter.BetweenDate, actor.time_zone)]),
    sorts: { at: sql`u.at`, quantity: sql`u.quantity`, value: sql`u.value` },
    order: sql`u.at desc, u.id desc`,
    id: sql`u.id`,
  })
  return {
    ...found,
    data: found.data.map(({ type_id, number, ...use }) => ({
      ...use,
      type_name: typeName(type_id),
      document: use.document ?? (number === null ? '' : codeOf('exit', number)),
    })),
  }
}
