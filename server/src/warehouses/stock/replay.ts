import { sql } from 'drizzle-orm'
import { NO_STOCK } from '#contract/warehouses/stock.ts'
import { LATER_TRANSFER } from '#contract/warehouses/transactions.ts'
import { type Db, numbers, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid } from '../../platform/problems.ts'
import { movementsTable, transactionLinesTable, transactionsTable } from '../tables.ts'
import type { LevelKey } from './available-stock.ts'
import { apply, EMPTY, fromText, type Level, toText } from './ledger.ts'
import { lockLevels, updateLevels } from './locked-levels.ts'
import { keyOf } from './low.ts'
import { type MovementSource, type RecostedMovement, settleRecosted } from './recosted.ts'
import { type LaterMovement, ofLevel, type Point, worthOf } from './worth.ts'

/* Back in time: whatever follows a document of the past on its level, and on the levels that transfers reached. */

export interface Replay {
  ids: string[]
  value: string[]
  balance: string[]
  balance_value: string[]
  average_cost: string[]
  changed: RecostedMovement[]
}
/** A value that no quantity stands for. */
export const hasValueButNoStock = ({ on_hand, value }: Level) => on_hand === 0n && value !== 0n

export const LAST_ID = '9223372036854775807'

/** The level as the last movement before a point left it. */
export async function levelBefore(db: Db, actor: Actor, place: LevelKey, { at, id }: Point): Promise<Level> {
  const last = await row<{ n: string; v: string; a: string }>(
    db,
    sql`select m.balance::text as n, m.balance_value::text as v, m.average_cost::text as a from ${movementsTable} m
        where ${ofLevel(actor, place)} and (m.at, m.id) < (${at}::timestamptz, ${id}::bigint)
        order by m.at desc, m.id desc limit 1`,
  )
  return last ? { on_hand: fromText(last.n), value: fromText(last.v), average_cost: fromText(last.a) } : EMPTY
}

/** Movements after a point, in their order. */
async function movementsAfter(db: Db, actor: Actor, place: LevelKey, { at, id }: Point): Promise<LaterMovement[]> {
  type Row = Omit<LaterMovement, 'quantity' | 'posted_value' | 'value'> &
    Record<'quantity' | 'posted_value' | 'value', string>
  const later = await rows<Row>(
    db,
    sql`select m.id::text, m.quantity::text, m.valued, m.follows, m.is_void, m.posted_value::text, m.value::text,
          m."typeTrasactionId", m.transaction_id, m.origin, m.origin_id
        from ${movementsTable} m
        where ${ofLevel(actor, place)} and (m.at, m.id) > (${at}::timestamptz, ${id}::bigint) order by m.at, m.id`,
  )
  return later.map((movement) => ({
    ...movement,
    quantity: fromText(movement.quantity),
    posted_value: fromText(movement.posted_value),
    value: fromText(movement.value),
  }))
}

/** Works everything after a point out again; or says why that cannot be. */
export async function replay(db: Db, actor: Actor, place: LevelKey, { at, id }: Point, start: Level) {
  const later = await movementsAfter(db, actor, place, { at, id })
  const worth = await worthOf(db, actor, place, { at, id }, later)
  const recosting: Replay = { ids: [], value: [], balance: [], balance_value: [], average_cost: [], changed: [] }
  let level = start
  for (const movement of later) {
    const { quantity, value: before } = movement
    // Adjustments of an empty level add up to nothing before anything else moves.
    if (quantity !== 0n && hasValueButNoStock(level)) return LATER_TRANSFER
    const value = worth.of(movement, level)
    const after = apply(level, { quantity, value })
    if (!after) return NO_STOCK
    if (value !== undefined && after.moved !== value) return LATER_TRANSFER
    level = after
    worth.note(movement, after.moved)
    if (after.moved !== before) {
      const { warehouse_id, supply_id } = place
      const { id, transaction_id, origin, origin_id } = movement
      const difference = after.moved - before
      recosting.changed.push({ id, warehouse_id, supply_id, transaction_id, origin, origin_id, difference })
    }
    recosting.ids.push(movement.id)
    recosting.value.push(toText(after.moved))
    recosting.balance.push(toText(after.on_hand))
    recosting.balance_value.push(toText(after.value))
    recosting.average_cost.push(toText(after.average_cost))
  }
  return { level, recosting }
}

export async function writeReplay(db: Db, actor: Actor, recosting: Replay, because: number) {
  const { ids, value, balance, balance_value, average_cost } = recosting
  if (ids.length === 0) return
  await rows(
    db,
    sql`update ${movementsTable} m set value = n.value, balance = n.balance, balance_value = n.balance_value,
          average_cost = n.average_cost,
          recosted_by = case when m.value <> n.value then ${because}::bigint else m.recosted_by end
        from unnest(${numbers(ids)}::bigint[], ${numbers(value)}::numeric[], ${numbers(balance)}::numeric[],
          ${numbers(balance_value)}::numeric[], ${numbers(average_cost)}::numeric[])
          as n (id, value, balance, balance_value, average_cost)
        where m.company_id = ${actor.company_id} and m.id = n.id`,
  )
}

/**
 * What left one warehouse for another and now costs something else costs it there too, and so on from there: the
 * earliest first, so that each level is worked out again once what comes into it is known.
 */
export async function replayTransfers(
  db: Db,
  actor: Actor,
  changed: RecostedMovement[],
  because: MovementSource | undefined,
): Promise<RecostedMovement[]> {
  const all = [...changed]
  const pending = new Map<string, Arrival>()
  const isBefore = (a: Arrival, b: Arrival) => a.at < b.at || (a.at === b.at && BigInt(a.id) < BigInt(b.id))
  const add = async (from: RecostedMovement[]) => {
    for (const arrival of await arrivalsOf(db, actor, from)) {
      const known = pending.get(keyOf(arrival))
      if (!known || isBefore(arrival, known)) pending.set(keyOf(arrival), arrival)
    }
  }
  await add(changed)
  while (pending.size > 0) {
    const { id, at, ...place } = [...pending.values()].reduce((a, b) => (isBefore(b, a) ? b : a))
    pending.delete(keyOf(place))
    const again = await replayLevel(db, actor, place, { at, id: String(BigInt(id) - 1n) }, because)
    all.push(...again)
    await add(again)
  }
  return all
}

interface Arrival extends LevelKey {
  id: string
  at: string
}

/** Where transfers whose exits changed arrived, under whichever name: of each level the first. */
async function arrivalsOf(db: Db, actor: Actor, changed: RecostedMovement[]): Promise<Arrival[]> {
  const exits = changed.filter(({ transaction_id, origin }) => transaction_id !== null && origin === null)
  if (exits.length === 0) return []
  return rows<Arrival>(
    db,
    sql`select distinct on (m.supply_id, m.warehouse_id) m.id::text, m.at, m.warehouse_id, m.supply_id
        from ${transactionsTable} t
        join ${transactionLinesTable} l on l.company_id = t.company_id and l.transaction_id = t.id
        join ${movementsTable} m on m.company_id = t.company_id and m.transaction_id = t.id and m.supply_id = l.supply_id
        where t.company_id = ${actor.company_id} and m.follows and not m.is_void
          and coalesce(l.from_supply_id, l.supply_id) = any(${sql.param(exits.map(({ supply_id }) => supply_id))}::bigint[])
          and t.transfer_id = any(${sql.param(exits.map(({ transaction_id }) => transaction_id))}::bigint[])
        order by m.supply_id, m.warehouse_id, m.at, m.id`,
  )
}

async function replayLevel(db: Db, actor: Actor, place: LevelKey, point: Point, because: MovementSource | undefined) {
  const [level] = (await lockLevels(db, actor, [place])).values()
  const start = await levelBefore(db, actor, place, { ...point, id: String(BigInt(point.id) + 1n) })
  const replayed = await replay(db, actor, place, point, start)
  if (typeof replayed === 'string') throw invalid({ supplies: replayed })
  await writeReplay(db, actor, replayed.recosting, because?.transaction_id ?? 0)
  await updateLevels(db, actor, [{ ...level!, ...replayed.level }])
  return replayed.recosting.changed
}

/** Works a level out again from a moment on, and what follows from that. */
export async function replayFrom(db: Db, actor: Actor, place: LevelKey, at: string) {
  const changed = await replayLevel(db, actor, place, { at, id: 0 }, undefined)
  await settleRecosted(db, actor, await replayTransfers(db, actor, changed, undefined), undefined)
}
