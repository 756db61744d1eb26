import { sql } from 'drizzle-orm'
import { divideHalfUp } from '#contract/base/money.ts'
import { COST_ADJUSTMENT } from '#contract/warehouses/stock.ts'
import { COMPANY, type Db, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { costOf, fromText, keyOf, type LevelKey } from '../stock/ledger.ts'
import { lockLevels } from '../stock/locked-levels.ts'
import { emitRecosted, type MovementSource, type RecostedMovement } from '../stock/recosted.ts'
import { type Posting, plan, write } from '../stock/stock.ts'
import { ofLevel } from '../stock/worth.ts'
import { movementsTable, transactionLinesTable, transactionsTable } from '../tables.ts'

/*
 * Cost adjustments: when the past cannot change, because its month is closed or its goods are gone, the difference that each
 * document and order would have cost is posted today.
 */

/** How much more a document or order should have cost; signed as the level changes. */
export type Difference = Omit<RecostedMovement, 'id'>

/** The document that the adjustments are booked for. */
type Cause = Required<Pick<MovementSource, 'transaction_id' | 'document'>>

/** Posts, today and level by level, these postings and an adjustment for each document and order with a difference. */
export async function bookAdjustments(
  db: Db,
  actor: Actor,
  cause: Cause,
  differences: Difference[],
  postings: Posting[],
) {
  const { field, source } = postings[0]!
  const adjustments = adjustmentsFor(cause, differences).map((adjustment): Posting => ({ ...adjustment, field }))
  for (const postingsOfLevel of Map.groupBy([...adjustments, ...postings], keyOf).values())
    await write(db, actor, source!, await plan(db, actor, postingsOfLevel.sort(inPostingOrder)))
  const sources = adjustments.map((adjustment) => adjustment.source!)
  const origins = sources.filter(({ origin, origin_id }) => origin && origin_id)
  await emitRecosted(
    db,
    actor,
    origins.map(({ origin, origin_id }) => ({ origin: origin!, origin_id: origin_id! })),
    source,
  )
}

/** Incoming goods first and outgoing goods last; between them, adjustments that add value before those that take it. */
const inPostingOrder = (a: Posting, b: Posting) => rankOf(a) - rankOf(b) || Number(b.value! - a.value!)
function rankOf({ quantity }: Posting) {
  if (quantity > 0n) return 0
  return quantity === 0n ? 1 : 2
}

/** One adjustment per level and document or order; a difference of neither belongs to the cause. */
function adjustmentsFor({ transaction_id: cause, document }: Cause, differences: Difference[]) {
  const byUser = Map.groupBy(differences, (each) =>
    [keyOf(each), each.origin, each.origin_id ?? each.transaction_id].join(' '),
  )
  return [...byUser.values()].flatMap((ofUser) => {
    const value = ofUser.reduce((sum, { difference }) => sum + difference, 0n)
    if (value === 0n) return []
    const { warehouse_id, supply_id, origin, origin_id, transaction_id } = ofUser[0]!
    const isOfOrigin = origin !== null && origin_id !== null
    const user = isOfOrigin ? { origin, origin_id } : { transaction_id: transaction_id ?? cause }
    const source: MovementSource = { typeTrasactionId: COST_ADJUSTMENT.id, document, ...user }
    return [{ warehouse_id, supply_id, quantity: 0n, unit_cost: 0n, value, source }]
  })
}

/** A movement of a document that is voided. */
export interface VoidedMovement extends LevelKey {
  id: string
  transaction_id: number
  at: string
  quantity: string
  unit_cost: number
  value: string
  typeTrasactionId: number
}

/**
 * The differences of voiding an entry without which later exits would not have had enough. The goods that are left get the
 * average cost of the standing entries, and whoever took goods since bears the rest in proportion to the value it took.
 */
export async function differencesWithout(db: Db, actor: Actor, movement: VoidedMovement): Promise<Difference[]> {
  const { warehouse_id, supply_id, at, id } = movement
  const [level] = (await lockLevels(db, actor, [{ warehouse_id, supply_id }])).values()
  const bought = await row<{ quantity: string; value: string }>(
    db,
    sql`select coalesce(sum(m.quantity), 0)::text as quantity, coalesce(sum(m.value), 0)::text as value
        from ${movementsTable} m where ${ofLevel(actor, movement)}
          and m.valued and not m.follows and not m.is_void and m.quantity > 0 and exists (
            select 1 from ${transactionLinesTable} l join ${transactionsTable} t on t.company_id = l.company_id
              and t.id = l.transaction_id where l.company_id = ${COMPANY} and l.transaction_id = m.transaction_id
              and l.supply_id = m.supply_id and t.voided_at is null)`,
  )
  const [quantity, value] = [fromText(bought!.quantity), fromText(bought!.value)]
  const unit_cost = quantity > 0n ? divideHalfUp(value * 10_000n, quantity) : level!.average_cost
  const left = costOf(level!.on_hand - fromText(movement.quantity), unit_cost)
  const difference = left - (level!.value - fromText(movement.value))
  const users = await rows<{ origin: string; origin_id: number; taken: string }>(
    db,
    sql`select m.origin, m.origin_id, (-sum(m.value))::text as taken
        from ${movementsTable} m where ${ofLevel(actor, movement)}
          and (m.at, m.id) > (${at}::timestamptz, ${id}::bigint) and m.origin is not null
        group by 1, 2 having -sum(m.value) > 0 order by 1, 2`,
  )
  const total = users.reduce((sum, { taken }) => sum + fromText(taken), 0n)
  const key = { warehouse_id, supply_id, transaction_id: null }
  if (total === 0n) return [{ ...key, origin: null, origin_id: null, difference }]
  // Each share is the growth of the rounded sum so far, so that all shares add up to the difference.
  let [takenSoFar, sharedSoFar] = [0n, 0n]
  return users.map(({ origin, origin_id, taken }) => {
    takenSoFar += fromText(taken)
    const share = (difference * takenSoFar) / total - sharedSoFar
    sharedSoFar += share
    return { ...key, origin, origin_id, difference: share }
  })
}
