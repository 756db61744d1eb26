import { sql } from 'drizzle-orm'
import { isClosed, type WorkOrderStatus } from '#contract/work-orders/states.ts'
import { type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { partsWaitsTable } from '../tables.ts'

/** From when until when an order waits for parts: as long as somebody says so, and it is open. */
export async function keepWaits(
  db: Db,
  { company_id }: Pick<Actor, 'company_id'>,
  order: { id: number; status: WorkOrderStatus; waiting_for_parts: boolean },
) {
  const mine = sql`company_id = ${company_id} and work_order_id = ${order.id} and until_at is null`
  if (order.waiting_for_parts && !isClosed(order))
    await rows(
      db,
      sql`insert into ${partsWaitsTable} (company_id, work_order_id, from_at) values (${company_id}, ${order.id}, now())
          on conflict (company_id, work_order_id) where until_at is null do nothing`,
    )
  else await rows(db, sql`update ${partsWaitsTable} set until_at = now() where ${mine}`)
}
