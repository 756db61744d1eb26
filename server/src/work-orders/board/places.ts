import { randomInt } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { POSITION_STEP } from '#contract/work-orders/orders.ts'
import type { WorkOrderStatus } from '#contract/work-orders/states.ts'
import { type Db, isRetry, RetryTransaction, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { workOrdersTable } from '../tables.ts'

/*
 * Where cards stand. A place is (company, status, position), and unique: who takes one that was free when they looked, and
 * is not any more, begins their transaction anew. Cards that are in the hand stand far below every place there is.
 */

const board = ({ company_id }: Actor) => sql`(hashtext('work_orders'), ${company_id}::int)`

/**
 * By whoever moves a card or adds one, with others who do; alone by whoever moves many, or came second to a place. Held
 * before anything else is.
 */
export const holdBoard = (db: Db, actor: Actor, alone = false) =>
  rows(
    db,
    alone || isRetry(db)
      ? sql`select pg_advisory_xact_lock${board(actor)}`
      : sql`select pg_advisory_xact_lock_shared${board(actor)}`,
  )

/** Alone from here on; where others are there too, it begins anew. Two who waited for each other to leave would not end. */
async function beAlone(db: Db, actor: Actor) {
  const held = await row<{ alone: boolean }>(db, sql`select pg_try_advisory_xact_lock${board(actor)} as alone`)
  if (!held?.alone) throw new RetryTransaction()
}

const LIFTED = sql.raw('-9000000000000000000')
const SHIFTED = sql.raw('-5000000000000000000')
const LOWEST = sql.raw('-4000000000000000000')
const FARTHEST = sql.raw('1000000000000000000')

const standing = (actor: Actor, status: WorkOrderStatus) =>
  sql`company_id = ${actor.company_id} and status = ${status} and position > ${LOWEST}`

/** A place above all cards of a column, and hardly ever the one that somebody else takes at this moment. */
export async function topOf(db: Db, actor: Actor, status: WorkOrderStatus): Promise<number> {
  const top = await row<{ position: number | null }>(
    db,
    sql`select position from ${workOrdersTable} where ${standing(actor, status)} order by position limit 1`,
  )
  return (top?.position ?? 0) - POSITION_STEP - randomInt(POSITION_STEP)
}

/** The place that is asked for, or the next one behind it; cards that had to make room are added to `moved`. */
export async function freePlace(
  db: Db,
  actor: Actor,
  card: { id: number; status: WorkOrderStatus; position: number | undefined },
  moved: Set<number>,
): Promise<number> {
  const { status, position } = card
  if (position === undefined) return topOf(db, actor, status)
  const [there, next] = await rows<{ position: number }>(
    db,
    sql`select position from ${workOrdersTable} where ${standing(actor, status)} and position >= ${position} and id <> ${card.id}
        order by position limit 2`,
  )
  if (there?.position !== position) return position
  if (!next) return position + POSITION_STEP
  const between = Math.floor((position + next.position) / 2)
  if (between > position) return between
  await beAlone(db, actor)
  for (const id of await spread(db, actor, status, position, next.position - POSITION_STEP)) moved.add(id)
  return next.position - POSITION_STEP
}

/** Gives the cards of a column down to `last` even places, in the order they have, all above `below`. */
export async function spread(db: Db, actor: Actor, status: WorkOrderStatus, last: number, below: number) {
  // Out of the way first: a place must be free at the moment it is taken.
  await rows(
    db,
    sql`update ${workOrdersTable} set position = position + ${SHIFTED} where ${standing(actor, status)} and position <= ${last}`,
  )
  const spaced = await rows<{ id: number }>(
    db,
    sql`update ${workOrdersTable} o set position = ${below}::bigint - ${POSITION_STEP}::bigint * n.rank
        from (select id, row_number() over (order by position desc) as rank from ${workOrdersTable}
              where company_id = ${actor.company_id} and status = ${status}
                and position between ${SHIFTED} - ${FARTHEST} and ${SHIFTED} + ${FARTHEST}) n
        where o.company_id = ${actor.company_id} and o.id = n.id returning o.id`,
  )
  return spaced.map(({ id }) => id)
}

/** Takes cards into the hand: their places are free. */
export const lift = (db: Db, actor: Actor, ids: number[]) =>
  rows(
    db,
    sql`update ${workOrdersTable} set position = ${LIFTED} + id
        where company_id = ${actor.company_id} and id = any(${sql.param(ids)}::bigint[])`,
  )

/** Puts cards that are in the hand down in a column, the uncontested ones at once. */
export async function putDown(
  db: Db,
  actor: Actor,
  status: WorkOrderStatus,
  cards: { id: number; position: number }[],
  moved: Set<number>,
) {
  const taken = await rows<{ position: number }>(
    db,
    sql`select position from ${workOrdersTable} where ${standing(actor, status)}
          and position = any(${sql.param(cards.map(({ position }) => position))}::bigint[])`,
  )
  const used = new Set(taken.map(({ position }) => position))
  const contested: typeof cards = []
  const free = cards.filter((card) => {
    if (used.has(card.position)) contested.push(card)
    return used.size < used.add(card.position).size
  })
  await stand(db, actor, free)
  // Backwards, so that those who ask for one place end up behind it in the order they asked.
  for (const card of contested.reverse()) {
    const position = await freePlace(db, actor, { ...card, status }, moved)
    await stand(db, actor, [{ id: card.id, position }])
  }
}

/** Places that are known to be free. */
export const stand = (db: Db, actor: Actor, cards: { id: number; position: number }[]) =>
  cards.length === 0
    ? Promise.resolve([])
    : rows(
        db,
        sql`update ${workOrdersTable} o set position = n.position
            from unnest(${sql.param(cards.map(({ id }) => id))}::bigint[], ${sql.param(cards.map(({ position }) => position))}::bigint[])
              as n (id, position)
            where o.company_id = ${actor.company_id} and o.id = n.id`,
      )
