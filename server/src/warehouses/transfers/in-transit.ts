import { type SQL, sql } from 'drizzle-orm'
import { COST_ADJUSTMENT } from '#contract/warehouses/stock.ts'
import { COMPANY } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { suppliesTable } from '../../supplies/tables.ts'
import { movementsTable, transactionsTable, warehousesTable } from '../tables.ts'

/** Documents that stand now, or stood at the end of a day: one that was undone in a closed month stood until then. */
const standing = (t: SQL, day: string | undefined) =>
  day === undefined
    ? sql`${t}.voided_at is null`
    : sql`(${t}.voided_at is null or ${t}.voided_on > ${day}::date) and ${t}.date <= ${day}::date`

/** The lines of goods that were sent to another workshop and not received, at the present value of their exit. */
export const inTransit = ({ company_id }: Pick<Actor, 'company_id'>, day?: string) => sql`
  select t.id, t.warehouse_id, t.to_warehouse_id, m.supply_id, -m.quantity as quantity, -m.value - coalesce((
    select sum(a.value) from ${movementsTable} a where a.company_id = ${COMPANY} and a.transaction_id = t.id
      and a.supply_id = m.supply_id and a."typeTrasactionId" = ${COST_ADJUSTMENT.id} and not a.is_void), 0) as value
  from ${transactionsTable} t
  join ${movementsTable} m on m.company_id = t.company_id and m.transaction_id = t.id and m.quantity < 0
  where t.company_id = ${company_id} and t.to_warehouse_id is not null and ${standing(sql`t`, day)} and not exists (
    select from ${transactionsTable} e where e.company_id = ${COMPANY} and e.transfer_id = t.id and e.type = 'entry'
      and ${standing(sql`e`, day)})`

/** Per supply of one warehouse, the quantity on its way to another workshop. */
export const sentFrom = (actor: Actor, warehouse_id: number, day: string | undefined) => sql`
  select i.supply_id, sum(i.quantity) as sent from (${inTransit(actor, day)}) i
  where i.warehouse_id = ${warehouse_id} group by 1`

/** Per code, which the supply has in every workshop, the quantity on its way to this warehouse. */
export const incomingTo = (actor: Actor, warehouse_id: number, day: string | undefined) => sql`
  select lower(o.code) as code, sum(i.quantity) as incoming from (${inTransit(actor, day)}) i
  join ${suppliesTable} o on o.company_id = ${actor.company_id} and o.id = i.supply_id
  where i.to_warehouse_id = ${warehouse_id} group by 1`

/** Per warehouse, the quantity of one supply on its way from there to another workshop, and on its way to there. */
export const transitOfSupply = (
  actor: Actor,
  { id, workshop_id, code }: { id: number; workshop_id: number; code: string },
) => sql`
  select warehouse_id, sum(sent) as sent, sum(incoming) as incoming from (
    select i.warehouse_id, i.quantity as sent, 0 as incoming from (${inTransit(actor)}) i where i.supply_id = ${id}
    union all
    select i.to_warehouse_id, 0, i.quantity from (${inTransit(actor)}) i
    join ${suppliesTable} o on o.company_id = ${actor.company_id} and o.id = i.supply_id and lower(o.code) = lower(${code})
    join ${warehousesTable} w on w.company_id = ${actor.company_id} and w.id = i.to_warehouse_id
      and w.workshop_id = ${workshop_id}) x
  group by 1`
