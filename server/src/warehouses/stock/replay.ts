import { sql } from 'drizzle-orm'
import { NO_STOCK } from '#contract/warehouses/stock.ts'
import { LATER_TRANSFER } from '#contract/warehouses/transactions.ts'
import { type Db, numbers, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid } from '../../platform/problems.ts'
import { movementsTable, transactionLinesTable, transactionsTable } from '../tables.ts'
import { apply, EMPTY, fromText, hasValueButNoStock, keyOf, type Level, type LevelKey, toText } from './ledger.ts'
import { lockLevels, updateLevels } from './locked-levels.ts'
import { type MovementSource, type RecostedMovement, settleRecosted } from './recosted.ts'
import { type LaterMovement, ofLevel, type Point, Valuation } from './worth.ts'

/*
 * Replay: after a document is dated in the past or voided, everything after it on its level is worked out again, then
 * every level that a transfer reached from there, the earliest arrival first. The supplies are locked for it
 * (`lockSuppliesForReplay`).
 */

/** As the id of a point: after every movement of that moment. */
export const LAST_ID = '9223372036854775807'

/** One level, worked out again from a point on. */
export interface Replay {
  level: Level
  /** Every movement after the point, with the value it moves now and the level as it leaves it. */
  movements: (Level & { id: string; moved: bigint })[]
  recosted: RecostedMovement[]
}

/** The level at a point, as the last movement before it left it. */
export async function levelAt(db: Db, actor: Actor, key: LevelKey, { at, id }: Point): Promise<Level> {
  const last = await row<Record<keyof Level, string>>(
    db,
    sql`select m.balance::text as on_hand, m.balance_value::text as value, m.average_cost::text from ${movementsTable} m
        where ${ofLevel(actor, key)} and (m.at, m.id) <= (${at}::timestamptz, ${id}::bigint)
        order by m.at desc, m.id desc limit 1`,
  )
  if (!last) return EMPTY
  const { on_hand, value, average_cost } = last
  return { on_hand: fromText(on_hand), value: fromText(value), average_cost: fromText(average_cost) }
}

async function movementsAfter(db: Db, actor: Actor, key: LevelKey, { at, id }: Point): Promise<LaterMovement[]> {
  type Amounts = 'quantity' | 'posted_value' | 'value'
  const later = await rows<Omit<LaterMovement, Amounts> & Record<Amounts, string>>(
    db,
    sql`select m.id::text, m.quantity::text, m.valued, m.follows, m.is_void, m.posted_value::text, m.value::text,
          m."typeTrasactionId", m.transaction_id, m.origin, m.origin_id
        from ${movementsTable} m
        where ${ofLevel(actor, key)} and (m.at, m.id) > (${at}::timestamptz, ${id}::bigint) order by m.at, m.id`,
  )
  return later.map((movement) => ({
    ...movement,
    quantity: fromText(movement.quantity),
    posted_value: fromText(movement.posted_value),
    value: fromText(movement.value),
  }))
}

/** Works out the movements after a point, of which `start` is the level; or returns why that cannot be. */
export async function replayAfter(
  db: Db,
  actor: Actor,
  key: LevelKey,
  point: Point,
  start: Level,
): Promise<Replay | string> {
  const later = await movementsAfter(db, actor, key, point)
  const valuation = await Valuation.load(db, actor, key, point, later)
  const replay: Replay = { level: start, movements: [], recosted: [] }
  for (const movement of later) {
    const { id, quantity } = movement
    // Adjustments of an empty level add up to nothing before anything else moves.
    if (quantity !== 0n && hasValueButNoStock(replay.level)) return LATER_TRANSFER
    const value = valuation.valueOf(movement, replay.level)
    const after = apply(replay.level, { quantity, value })
    if (!after) return NO_STOCK
    if (value !== undefined && after.moved !== value) return LATER_TRANSFER
    valuation.add(movement, after.moved)
    replay.level = after
    replay.movements.push({ ...after, id })
    if (after.moved !== movement.value) replay.recosted.push(recostedMovement(key, movement, after.moved))
  }
  return replay
}

const recostedMovement = (
  { warehouse_id, supply_id }: LevelKey,
  { id, transaction_id, origin, origin_id, value }: LaterMovement,
  moved: bigint,
): RecostedMovement => ({
  id,
  warehouse_id,
  supply_id,
  transaction_id,
  origin,
  origin_id,
  difference: moved - value,
})

/** `cause` is the document that recosted movements name in `recosted_by`, 0 for none. */
export async function writeReplay(db: Db, actor: Actor, { movements }: Replay, cause: number) {
  if (movements.length === 0) return
  const column = (of: (movement: Replay['movements'][number]) => bigint) =>
    numbers(movements.map((movement) => toText(of(movement))))
  await rows(
    db,
    sql`update ${movementsTable} m set value = n.value, balance = n.balance, balance_value = n.balance_value,
          average_cost = n.average_cost,
          recosted_by = case when m.value <> n.value then ${cause}::bigint else m.recosted_by end
        from unnest(${numbers(movements.map(({ id }) => id))}::bigint[], ${column((m) => m.moved)}::numeric[],
          ${column((m) => m.on_hand)}::numeric[], ${column((m) => m.value)}::numeric[],
          ${column((m) => m.average_cost)}::numeric[])
          as n (id, value, balance, balance_value, average_cost)
        where m.company_id = ${actor.company_id} and m.id = n.id`,
  )
}

/** The first movement of a level that brings goods of a recosted transfer. */
interface TransferArrival extends LevelKey {
  id: string
  at: string
}

/**
 * Replays every level that transfers reached from the recosted movements, and the levels reached from there. The earliest
 * arrival comes first, so that a level is replayed once what comes into it is known. Returns all recosted movements.
 */
export async function replayTransfers(
  db: Db,
  actor: Actor,
  recosted: RecostedMovement[],
  cause: MovementSource | undefined,
): Promise<RecostedMovement[]> {
  const all = [...recosted]
  const pending = new Map<string, TransferArrival>()
  const isBefore = (a: TransferArrival, b: TransferArrival) =>
    a.at < b.at || (a.at === b.at && BigInt(a.id) < BigInt(b.id))
  const addArrivals = async (movements: RecostedMovement[]) => {
    for (const arrival of await arrivalsOf(db, actor, movements)) {
      const known = pending.get(keyOf(arrival))
      if (!known || isBefore(arrival, known)) pending.set(keyOf(arrival), arrival)
    }
  }
  await addArrivals(recosted)
  while (pending.size > 0) {
    const { id, at, ...key } = [...pending.values()].reduce((a, b) => (isBefore(b, a) ? b : a))
    pending.delete(keyOf(key))
    const next = await replayLevel(db, actor, key, { at, id: String(BigInt(id) - 1n) }, cause)
    all.push(...next)
    await addArrivals(next)
  }
  return all
}

/** The first arrival on each level; between workshops it is an arrival of another supply. */
async function arrivalsOf(db: Db, actor: Actor, recosted: RecostedMovement[]): Promise<TransferArrival[]> {
  const exits = recosted.filter(({ transaction_id, origin }) => transaction_id !== null && origin === null)
  if (exits.length === 0) return []
  return rows<TransferArrival>(
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

/** Replays a level whose movements changed but got no new one, and writes it. */
async function replayLevel(db: Db, actor: Actor, key: LevelKey, point: Point, cause: MovementSource | undefined) {
  const [level] = (await lockLevels(db, actor, [key])).values()
  const replay = await replayAfter(db, actor, key, point, await levelAt(db, actor, key, point))
  if (typeof replay === 'string') throw invalid({ supplies: replay })
  await writeReplay(db, actor, replay, cause?.transaction_id ?? 0)
  await updateLevels(db, actor, [{ ...level!, ...replay.level }])
  return replay.recosted
}

/** Replays a level from a moment on, with everything that follows from it elsewhere. */
export async function replayFrom(db: Db, actor: Actor, key: LevelKey, at: string) {
  const recosted = await replayLevel(db, actor, key, { at, id: 0 }, undefined)
  await settleRecosted(db, actor, await replayTransfers(db, actor, recosted, undefined), undefined)
}
