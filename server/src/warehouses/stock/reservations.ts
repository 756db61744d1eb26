import { sql } from 'drizzle-orm'
import { toScaled } from '#contract/base/money.ts'
import { batch, type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { announce } from '../../platform/operations/happenings.ts'
import { reservationsTable, stockTable } from '../tables.ts'
import { allocate, emitArrived, emitLow, findLowLevels } from './available-stock.ts'
import { type LevelKey, toText } from './ledger.ts'
import { lockLevels } from './locked-levels.ts'

/* How another domain reserves stock for a thing of its own, and takes what was reserved. */

export interface Need extends LevelKey {
  /** The whole quantity that is still needed; 0 ends the reservation. */
  quantity: number
}
interface Origin {
  kind: string
  id: number
  document: string
}

/** Sets what a thing still needs. Available stock is reserved for it at once; it waits for the rest. */
export async function reserve(db: Db, actor: Actor, origin: Origin, needs: Need[]) {
  if (needs.length === 0) return
  await lockLevels(
    db,
    actor,
    needs.map(({ warehouse_id, supply_id }) => ({ warehouse_id, supply_id })),
  )
  const { company_id, user_id, user_name } = actor
  for (const { warehouse_id, supply_id, quantity } of needs)
    await rows(
      db,
      quantity > 0
        ? sql`insert into ${reservationsTable} as r
                (company_id, warehouse_id, supply_id, origin, origin_id, document, quantity, user_id, user_name)
              values (${company_id}, ${warehouse_id}, ${supply_id}, ${origin.kind}, ${origin.id}, ${origin.document},
                ${quantity}::numeric, ${user_id}, ${user_name})
              on conflict (company_id, origin, origin_id, warehouse_id, supply_id) do update
                set quantity = excluded.quantity, reserved = least(r.reserved, excluded.quantity),
                  updated_at = excluded.updated_at`
        : sql`delete from ${reservationsTable} where company_id = ${company_id} and origin = ${origin.kind}
                and origin_id = ${origin.id} and warehouse_id = ${warehouse_id} and supply_id = ${supply_id}`,
    )
  const { arrivals, low, own } = await batch({
    arrivals: allocate(db, actor, needs),
    low: findLowLevels(db, actor, needs),
    own: rows<{ id: number }>(
      db,
      sql`select id from ${reservationsTable} where company_id = ${company_id} and origin = ${origin.kind} and origin_id = ${origin.id}`,
    ),
  })
  // The caller sees what it got; listeners hear of what others got.
  await emitArrived(
    db,
    actor,
    arrivals.filter(({ id }) => !own.some((each) => each.id === id)),
  )
  await emitLow(db, actor, low)
  for (const warehouse_id of new Set(needs.map((each) => each.warehouse_id)))
    announce(db, actor, { topic: 'warehouses', workshop_id: null, ids: [warehouse_id] })
}

/** Before a thing takes stock: what it takes is no longer reserved for it. The caller has locked the levels. */
export async function releaseReserved(
  db: Db,
  actor: Actor,
  origin: Pick<Origin, 'kind' | 'id'>,
  warehouse_id: number,
  lines: { supply_id: number; quantity: number }[],
) {
  await rows(
    db,
    sql`with n as (
          select r.id, r.supply_id, r.quantity - least(r.quantity, t.quantity) as quantity,
            least(r.reserved, t.quantity) as freed, r.reserved - least(r.reserved, t.quantity) as reserved
          from ${reservationsTable} r
          join unnest(${sql.param(lines.map((line) => line.supply_id))}::bigint[],
            ${sql.param(lines.map((line) => toText(toScaled(line.quantity))))}::numeric[]) as t (supply_id, quantity)
            on t.supply_id = r.supply_id
          where r.company_id = ${actor.company_id} and r.origin = ${origin.kind} and r.origin_id = ${origin.id}
            and r.warehouse_id = ${warehouse_id}),
        gone as (
          delete from ${reservationsTable} r using n where r.company_id = ${actor.company_id} and r.id = n.id and n.quantity = 0),
        less as (
          update ${reservationsTable} r set quantity = n.quantity, reserved = n.reserved, updated_at = now()
          from n where r.company_id = ${actor.company_id} and r.id = n.id and n.quantity > 0)
        update ${stockTable} s set reserved = s.reserved - n.freed from n
        where s.company_id = ${actor.company_id} and s.warehouse_id = ${warehouse_id} and s.supply_id = n.supply_id
          and n.freed > 0`,
  )
}
