import { sql } from 'drizzle-orm'
import { addDays, instantOf } from '#contract/base/dates.ts'
import { OPEN_PURCHASES } from '#contract/purchasing/purchasing.ts'
import { DEAD_AFTER_DAYS, type WarehouseSummary } from '#contract/reports/pages.ts'
import { COMPANY, type Db, one, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { ON_ORDER } from '../../purchasing/reorder.ts'
import { purchaseOrderLinesTable, purchaseOrdersTable } from '../../purchasing/tables.ts'
import { categoriesTable, measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import { latestMovements } from '../../warehouses/stock/kardex.ts'
import { movementsTable, stockTable } from '../../warehouses/tables.ts'
import { incomingTo } from '../../warehouses/transfers/in-transit.ts'
import { listTransfers } from '../../warehouses/transfers/sent-transfers.ts'
import { requireWarehouse } from '../../warehouses/warehouses.ts'
import { today } from '../expenses.ts'

const SHOWN = 8
const CATEGORIES = 6
/** Lately: as many days, and as many before. */
const DAYS = 30

/** What a storekeeper asks of a warehouse each morning. */
export async function warehouseSummary(db: Db, actor: Actor, id: number): Promise<WarehouseSummary> {
  const { value, supplies_count, below_minimum, sent_value, incoming_value } = await requireWarehouse(db, actor, id)
  const transfers = await listTransfers(db, actor, {
    filter: { Warehouse: [id], State: ['sent'] },
    page: 1,
    per_page: SHOWN,
  })
  return {
    value,
    supplies_count,
    categories: await categoriesOf(db, actor, id),
    below_minimum,
    below: below_minimum === 0 ? [] : await belowOf(db, actor, id),
    dead: await deadOf(db, actor, id),
    moved: await movedIn(db, actor, id),
    movements: await latestMovements(db, actor, id, SHOWN),
    sent_value,
    incoming_value,
    transfers: transfers.data,
    ...(await ordersOf(db, actor, id)),
  }
}

const ofWarehouse = (actor: Actor, id: number) => sql`s.company_id = ${actor.company_id} and s.warehouse_id = ${id}`
const NAMED = sql`join ${suppliesTable} p on p.company_id = s.company_id and p.id = s.supply_id
  left join ${measurementUnitsTable} m on m.company_id = p.company_id and m.id = p.measurement_units_id`

const categoriesOf = async (db: Db, actor: Actor, id: number) => {
  const found = await rows<{ category: string | null; supplies: number; value: number }>(
    db,
    sql`select c.name as category, count(*) as supplies, round(sum(s.value)) as value
        from ${stockTable} s join ${suppliesTable} p on p.company_id = s.company_id and p.id = s.supply_id
        left join ${categoriesTable} c on c.company_id = p.company_id and c.id = p.category_id
        where ${ofWarehouse(actor, id)} and s.on_hand > 0 group by 1 order by sum(s.value) desc, c.name`,
  )
  return found.slice(0, CATEGORIES)
}

const belowOf = (db: Db, actor: Actor, id: number) =>
  rows<WarehouseSummary['below'][number]>(
    db,
    sql`select s.supply_id, p.code, p.name, m.name as unit, s.on_hand - s.reserved as available, s.minimum,
          ${ON_ORDER} as on_order, coalesce(y.incoming, 0) as incoming
        from ${stockTable} s ${NAMED}
        left join (${incomingTo(actor, id, undefined)}) y on y.code = lower(p.code)
        where ${ofWarehouse(actor, id)} and s.on_hand - s.reserved < s.minimum
        order by (s.on_hand - s.reserved) / s.minimum, p.code limit ${SHOWN}`,
  )

const deadOf = async (db: Db, actor: Actor, id: number) => {
  const dead = sql`${ofWarehouse(actor, id)} and s.on_hand > 0 and s.last_at < now() - make_interval(days => ${DEAD_AFTER_DAYS})`
  const { count, value } = one(
    await rows<{ count: number; value: number }>(
      db,
      sql`select count(*) as count, coalesce(round(sum(s.value)), 0) as value from ${stockTable} s where ${dead}`,
    ),
  )
  const supplies = await rows<WarehouseSummary['dead']['supplies'][number]>(
    db,
    sql`select s.supply_id, p.code, p.name, m.name as unit, s.on_hand as stock, round(s.value) as value, s.last_at,
          extract(day from now() - s.last_at)::int as days
        from ${stockTable} s ${NAMED} where ${dead} order by s.value desc, p.code limit ${SHOWN}`,
  )
  return { count, value, supplies }
}

/** Read by the warehouse's index: two months of it, however long it has been there. Voids stand beside what they undo. */
const movedIn = async (db: Db, actor: Actor, id: number) => {
  const day = today(actor)
  // A moment, not its calculation: that would be made for each row.
  const start = (days: number) => sql`${instantOf(`${addDays(day, -days)}T00:00`, actor.time_zone)}::timestamptz`
  const isNow = sql`m.at >= ${start(DAYS - 1)}`
  const came = sql`m.quantity > 0 and not m.is_void or m.quantity < 0 and m.is_void`
  const went = sql`m.quantity < 0 and not m.is_void or m.quantity > 0 and m.is_void`
  return one(
    await rows<WarehouseSummary['moved']>(
      db,
      sql`select count(*) filter (where ${isNow} and m.quantity > 0 and not m.is_void) as entries,
            coalesce(round(sum(m.value) filter (where ${isNow} and (${came}))), 0) as entries_value,
            count(*) filter (where ${isNow} and m.quantity < 0 and not m.is_void) as exits,
            coalesce(round(-sum(m.value) filter (where ${isNow} and (${went}))), 0) as exits_value,
            coalesce(round(sum(m.value) filter (where not (${isNow}) and (${came}))), 0) as before_entries_value,
            coalesce(round(-sum(m.value) filter (where not (${isNow}) and (${went}))), 0) as before_exits_value
          from ${movementsTable} m
          where m.company_id = ${actor.company_id} and m.warehouse_id = ${id} and m.at >= ${start(2 * DAYS - 1)}`,
    ),
  )
}

const ordersOf = async (db: Db, actor: Actor, id: number) =>
  one(
    await rows<Pick<WarehouseSummary, 'open_orders' | 'late_orders'>>(
      db,
      sql`select count(*) as open_orders, count(*) filter (where exists (
            select from ${purchaseOrderLinesTable} l where l.company_id = ${COMPANY} and l.purchase_order_id = o.id
              and l.received < l.quantity and coalesce(l.promised_on, o."deliveryAt") < ${today(actor)}::date)) as late_orders
          from ${purchaseOrdersTable} o
          where o.company_id = ${actor.company_id} and o.warehouse_id = ${id}
            and o.status = any(${sql.param(OPEN_PURCHASES)}::text[])`,
    ),
  )
