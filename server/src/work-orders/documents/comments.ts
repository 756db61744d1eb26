import { sql } from 'drizzle-orm'
import type { Comment } from '#contract/work-orders/parts.ts'
import { type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { announce } from '../../platform/operations/happenings.ts'
import { announceOrder, seeOrder } from '../access.ts'
import { workOrderCommentsTable } from '../tables.ts'

const COMMENT = sql`id, text, user_id, user_name, created_at`

export async function listComments(db: Db, actor: Actor, work_order_id: number) {
  await seeOrder(db, actor, work_order_id)
  const data = await rows<Comment>(
    db,
    sql`select ${COMMENT} from ${workOrderCommentsTable}
        where company_id = ${actor.company_id} and work_order_id = ${work_order_id} order by id`,
  )
  return { data, total: data.length }
}

export async function addComment(db: Db, actor: Actor, work_order_id: number, text: string): Promise<Comment> {
  const order = await seeOrder(db, actor, work_order_id, true)
  const { company_id, user_id, user_name } = actor
  const [comment] = await rows<Comment>(
    db,
    sql`insert into ${workOrderCommentsTable} (company_id, work_order_id, text, user_id, user_name)
        values (${company_id}, ${work_order_id}, ${text}, ${user_id}, ${user_name}) returning ${COMMENT}`,
  )
  announceOrder(db, actor, order)
  return comment!
}

/** The others who have the order open are told who else has. */
export async function beInWorkOrder(db: Db, actor: Actor, id: number) {
  const { workshop_id } = await seeOrder(db, actor, id)
  const { user_id, user_name } = actor
  announce(db, actor, {
    topic: 'work-order-presence',
    may: 'work-orders.read',
    workshop_id,
    ids: [id],
    present: { user_id, user_name },
  })
  return undefined
}
