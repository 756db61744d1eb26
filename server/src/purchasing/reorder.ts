import { sql } from 'drizzle-orm'
import { documentAmounts, lineAmounts } from '#contract/base/money.ts'
import {
  OPEN_PURCHASES,
  type ReorderGroup,
  type ReorderLine,
  type RequestedSupply,
  type RequestGroup,
} from '#contract/purchasing/purchasing.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import { COMPANY, type Db, one, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { providersTable } from '../providers/tables.ts'
import { measurementUnitsTable, suppliesTable } from '../supplies/tables.ts'
import { reservationsTable, stockTable, transactionLinesTable, transactionsTable } from '../warehouses/tables.ts'
import { incomingTo } from '../warehouses/transfers/in-transit.ts'
import { requireVisibleWarehouse } from '../warehouses/warehouses.ts'
import { purchaseOrderLinesTable, purchaseOrdersTable } from './tables.ts'

const PURCHASE = typeNamed('entry', 'purchase')

/** Ordered for the warehouse and not yet received, of the supply of `s`. */
export const ON_ORDER = sql`coalesce((select sum(greatest(l.quantity - l.received, 0)) from ${purchaseOrderLinesTable} l
  join ${purchaseOrdersTable} o on o.company_id = l.company_id and o.id = l.purchase_order_id
  where l.company_id = ${COMPANY} and l.supply_id = s.supply_id and o.warehouse_id = s.warehouse_id
    and o.status = any(${sql.param(OPEN_PURCHASES)}::text[])), 0)`

/** Whom the supply of `b` was last bought from, as `v`. */
const LAST_PROVIDER = sql`left join lateral (
    select t."providerId" as id from ${transactionLinesTable} l
    join ${transactionsTable} t on t.company_id = l.company_id and t.id = l.transaction_id
    where l.company_id = ${COMPANY} and l.supply_id = b.supply_id and t.voided_at is null
      and t."typeTrasactionId" = ${PURCHASE} and t."providerId" is not null
    order by t.date desc, t.id desc limit 1) last on true
  left join ${providersTable} v on v.company_id = ${COMPANY} and v.id = last.id and v.state = 'active'`

interface OfProvider {
  provider_id: number | null
  provider_name: string | null
}
const byProvider = <Line>(found: (Line & OfProvider)[]) =>
  [...Map.groupBy(found, ({ provider_id }) => provider_id).values()].map((lines) => {
    const { provider_id, provider_name } = lines[0]!
    const supplies = lines.map(({ provider_id: _, provider_name: __, ...line }) => line as Line)
    return { provider_id, provider_name, supplies }
  })

/** What is available below its minimum, as `b`: what is asked of each is gathered for all of them, there may be thousands. */
async function below(db: Db, actor: Actor, warehouse_id: number) {
  const { workshop_id } = await requireVisibleWarehouse(db, actor, warehouse_id)
  const { company_id } = actor
  return sql`low as materialized (
          select s.supply_id, s.on_hand, s.reserved, s.minimum, s.maximum from ${stockTable} s
          where s.company_id = ${company_id} and s.warehouse_id = ${warehouse_id} and s.attached and s.on_hand - s.reserved < s.minimum),
        ordered as materialized (
          select l.supply_id, sum(greatest(l.quantity - l.received, 0)) as quantity from ${purchaseOrdersTable} o
          join ${purchaseOrderLinesTable} l on l.company_id = o.company_id and l.purchase_order_id = o.id
          where o.company_id = ${company_id} and o.warehouse_id = ${warehouse_id} and o.status = any(${sql.param(OPEN_PURCHASES)}::text[])
          group by 1),
        wished as materialized (
          select r.supply_id, sum(r.quantity - r.reserved) as quantity from ${reservationsTable} r
          where r.company_id = ${company_id} and r.warehouse_id = ${warehouse_id} group by 1),
        b as materialized (
          select s.*, p.code, p.name, m.name as unit, p.cost as unit_cost, coalesce(o.quantity, 0) as on_order,
            coalesce(y.incoming, 0) as incoming, coalesce(w.quantity, 0) as requested
          from low s join ${suppliesTable} p on p.company_id = ${company_id} and p.workshop_id = ${workshop_id} and p.id = s.supply_id
            and p.state = 'active'
          left join ${measurementUnitsTable} m on m.company_id = p.company_id and m.id = p.measurement_units_id
          left join (${incomingTo(actor, warehouse_id, undefined)}) y on y.code = lower(p.code)
          left join ordered o on o.supply_id = s.supply_id
          left join wished w on w.supply_id = s.supply_id)`
}
/** Counting what is already on order, or on its way from another workshop, and not spoken for. */
const STILL_BELOW = sql`b.on_hand - b.reserved + b.on_order + b.incoming - b.requested < b.minimum`

export async function reorderCount(db: Db, actor: Actor, warehouse_id: number) {
  const low = await below(db, actor, warehouse_id)
  return one(await rows<{ total: number }>(db, sql`with ${low} select count(*) as total from b where ${STILL_BELOW}`))
}

/**
 * What is below its minimum in a warehouse; enough to reach the maximum (the minimum where there is none), grouped by whom
 * it was last bought from.
 */
export async function reorder(db: Db, actor: Actor, warehouse_id: number) {
  const low = await below(db, actor, warehouse_id)
  const { company_id } = actor
  const found = await rows<ReorderLine & OfProvider>(
    db,
    sql`with ${low},
        last as materialized (
          select distinct on (l.supply_id) l.supply_id, t."providerId" as provider_id from ${transactionLinesTable} l
          join ${transactionsTable} t on t.company_id = l.company_id and t.id = l.transaction_id
          where l.company_id = ${company_id} and t.voided_at is null and t."typeTrasactionId" = ${PURCHASE}
            and t."providerId" is not null and l.supply_id in (select b.supply_id from b)
          order by l.supply_id, t.date desc, t.id desc)
        select b.supply_id, b.code, b.name, b.unit, b.on_hand as stock, b.reserved, b.minimum, b.maximum, b.on_order, b.incoming, b.requested,
          coalesce(b.maximum, b.minimum) - (b.on_hand - b.reserved + b.on_order + b.incoming - b.requested) as suggested,
          b.unit_cost, v.id as provider_id, v.name as provider_name
        from b left join last l on l.supply_id = b.supply_id
        left join ${providersTable} v on v.company_id = ${company_id} and v.id = l.provider_id and v.state = 'active'
        where ${STILL_BELOW}
        order by v.name nulls last, b.code`,
  )
  const data = byProvider(found).map((group): ReorderGroup => {
    const amounts = group.supplies.map(({ suggested, unit_cost }) =>
      lineAmounts({ quantity: suggested, unit_cost, tax_type: '19' }),
    )
    return { ...group, subtotal: documentAmounts(amounts).subtotal }
  })
  return { data, total: data.length }
}

/** What orders wait for in a warehouse, and who asked, as `b`. */
const awaited = ({ company_id }: Actor, warehouse_id: number) => sql`(
  select s.supply_id, w.requested, w.requests, ${ON_ORDER} as on_order
  from (
    select r.supply_id, sum(r.quantity - r.reserved) as requested, jsonb_agg(jsonb_build_object('origin', r.origin,
      'origin_id', r.origin_id, 'document', r.document, 'missing', r.quantity - r.reserved, 'user_name', r.user_name,
      'created_at', r.created_at) order by r.id) as requests
    from ${reservationsTable} r where r.company_id = ${company_id} and r.warehouse_id = ${warehouse_id}
      and r.reserved < r.quantity group by r.supply_id) w
  join ${stockTable} s on s.company_id = ${company_id} and s.warehouse_id = ${warehouse_id} and s.supply_id = w.supply_id) b`

/** Of what nobody has ordered enough yet. */
export async function partsRequestsCount(db: Db, actor: Actor, warehouse_id: number) {
  await requireVisibleWarehouse(db, actor, warehouse_id)
  const awaitedOnes = sql`select count(*) as total from ${awaited(actor, warehouse_id)} where b.requested > b.on_order`
  return one(await rows<{ total: number }>(db, awaitedOnes))
}

/** What orders wait for, who asked, and how much of it nobody has ordered yet. */
export async function partsRequests(db: Db, actor: Actor, warehouse_id: number) {
  await requireVisibleWarehouse(db, actor, warehouse_id)
  const found = await rows<RequestedSupply & OfProvider>(
    db,
    sql`select b.supply_id, p.code, p.name, m.name as unit, b.requested, b.on_order, greatest(b.requested - b.on_order, 0) as suggested,
          p.cost as unit_cost, b.requests, v.id as provider_id, v.name as provider_name
        from ${awaited(actor, warehouse_id)}
        join ${suppliesTable} p on p.company_id = ${actor.company_id} and p.id = b.supply_id
        left join ${measurementUnitsTable} m on m.company_id = ${actor.company_id} and m.id = p.measurement_units_id
        ${LAST_PROVIDER}
        order by v.name nulls last, p.code`,
  )
  const data: RequestGroup[] = byProvider(found)
  return { data, total: data.length }
}
