import { sql } from 'drizzle-orm'
import { NO_STOCK } from '#contract/warehouses/stock.ts'
import { LATER_TRANSFER } from '#contract/warehouses/transactions.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid } from '../platform/operations/problems.ts'
import { apply, costOf, EMPTY, fromText, type Level, type Move, toText } from './ledger.ts'
import { movementsTable, stockTable } from './tables.ts'

/** The only place that changes stock: appends the movements and moves the levels, all of them or none. */

export interface Posting {
  warehouse_id: number
  supply_id: number
  /** Ten-thousandths; negative goes out. */
  quantity: bigint
  /** What comes in says what a unit costs; left out, it goes (or comes) at the average. */
  unit_cost?: bigint
  /** The exact value it moves, where that is known better than quantity × cost: voids. */
  value?: bigint
  /** Brings the value that this other posting of the same list took: transfers. */
  takenBy?: number
  /** Where a person reads that there is not enough. */
  field: string
}

/** What the movements are written for. */
export interface Paper {
  typeTrasactionId: number
  transaction_id?: number
  origin?: string
  origin_id?: number
  document: string | null
  is_void?: boolean
}

interface Held extends Level {
  warehouse_id: number
  supply_id: number
  last_at: string | null
}

const keyOf = (at: { warehouse_id: number; supply_id: number }) => `${at.warehouse_id} ${at.supply_id}`

/** Holds the levels until the end of the transaction, in one order for everyone, so that no two wait for each other. */
export async function holdLevels(
  db: Db,
  actor: Actor,
  wanted: { warehouse_id: number; supply_id: number; quantity?: bigint }[],
): Promise<Map<string, Held>> {
  const sorted = [...wanted].sort((a, b) => a.supply_id - b.supply_id || a.warehouse_id - b.warehouse_id)
  const find = () =>
    rows<{ warehouse_id: number; supply_id: number; n: string; v: string; a: string; last_at: string | null }>(
      db,
      sql`select s.warehouse_id, s.supply_id, s.on_hand::text as n, s.value::text as v, s.average_cost::text as a, s.last_at
          from ${stockTable} s
          join unnest(${sql.param(sorted.map((w) => w.warehouse_id))}::bigint[], ${sql.param(sorted.map((w) => w.supply_id))}::bigint[])
            as w (warehouse_id, supply_id) on s.warehouse_id = w.warehouse_id and s.supply_id = w.supply_id
          where s.company_id = ${actor.company_id}
          order by s.supply_id, s.warehouse_id for update of s`,
    )
  let found = await find()
  const known = new Set(found.map(keyOf))
  const missing = sorted.filter((want) => !known.has(keyOf(want)) && (want.quantity ?? 0n) >= 0n)
  if (missing.length > 0) {
    await rows(
      db,
      sql`insert into ${stockTable} (company_id, warehouse_id, supply_id)
          select ${actor.company_id}::bigint, w.warehouse_id, w.supply_id
          from unnest(${sql.param(missing.map((w) => w.warehouse_id))}::bigint[], ${sql.param(missing.map((w) => w.supply_id))}::bigint[])
            as w (warehouse_id, supply_id)
          order by w.supply_id, w.warehouse_id on conflict do nothing`,
    )
    found = await find()
  }
  return new Map(
    found.map(({ n, v, a, ...level }) => [
      keyOf(level),
      { ...level, on_hand: fromText(n), value: fromText(v), average_cost: fromText(a) },
    ]),
  )
}

/** A movement as it will be written; its level is as it leaves it. */
export interface Planned extends Level {
  posting: Posting
  at: string
  unit_cost: bigint
  /** Signed, as the level changes. */
  moved: bigint
  valued: boolean
}
interface Recosting {
  ids: string[]
  value: string[]
  balance: string[]
  balance_value: string[]
  average_cost: string[]
  /** Movements that now cost something else. */
  changed: number
}
export interface Plan {
  movements: Planned[]
  levels: Held[]
  recostings: Recosting[]
}

/** Holds the levels and works out what the movements do to them; refuses what there is not enough of. */
export async function plan(db: Db, actor: Actor, postings: Posting[], dated?: string): Promise<Plan> {
  const levels = await holdLevels(db, actor, postings)
  const now = new Date().toISOString()
  const short: Record<string, string> = {}
  const movements: Planned[] = []
  const recostings: Recosting[] = []
  for (const posting of postings) {
    const level = levels.get(keyOf(posting))
    const at = dated ?? (level?.last_at && level.last_at > now ? level.last_at : now)
    const isBackDated = level?.last_at != null && at < level.last_at
    const before = level && (isBackDated ? await levelBefore(db, actor, level, { at, id: LAST }) : level)
    const move = before && moveOf(posting, before, movements)
    const after = move && apply(before, move)
    const replayed =
      after &&
      (isBackDated ? await replay(db, actor, level, { at, id: LAST }, after) : { level: after, recosting: undefined })
    if (!replayed || typeof replayed === 'string') {
      short[posting.field] = replayed || NO_STOCK
      continue
    }
    const given = posting.takenBy === undefined ? undefined : movements[posting.takenBy]?.unit_cost
    const unit_cost = posting.unit_cost ?? given ?? before.average_cost
    movements.push({ ...after, posting, at, unit_cost, valued: move.value !== undefined })
    if (replayed.recosting) recostings.push(replayed.recosting)
    const { on_hand, value, average_cost } = replayed.level
    levels.set(keyOf(posting), { ...level, on_hand, value, average_cost, last_at: isBackDated ? level.last_at : at })
  }
  if (Object.keys(short).length > 0) throw invalid(short)
  return { movements, levels: [...levels.values()], recostings }
}

function moveOf(posting: Posting, before: Level, movements: Planned[]): Move {
  const { quantity, unit_cost, value, takenBy } = posting
  if (takenBy !== undefined) return { quantity, value: -(movements[takenBy]?.moved ?? 0n) }
  if (value !== undefined) return { quantity, value }
  if (quantity < 0n) return { quantity, value: undefined }
  return { quantity, value: costOf(quantity, unit_cost ?? before.average_cost) }
}

/** Writes a plan, in the transaction that made it. */
export async function write(db: Db, actor: Actor, paper: Paper, { movements, levels, recostings }: Plan) {
  for (const recosting of recostings) await recost(db, actor, recosting, paper.transaction_id)
  await append(db, actor, paper, movements)
  await moveLevels(db, actor, levels)
}

async function append(db: Db, actor: Actor, paper: Paper, movements: Planned[]) {
  const column = <T>(of: (movement: Planned) => T) => sql.param(movements.map(of))
  await rows(
    db,
    sql`insert into ${movementsTable} (company_id, warehouse_id, supply_id, at, quantity, valued, unit_cost, posted_value,
          value, balance, balance_value, average_cost, "typeTrasactionId", transaction_id, origin, origin_id, document,
          is_void, user_id, user_name)
        select ${actor.company_id}::bigint, m.*, ${paper.typeTrasactionId}::smallint, ${paper.transaction_id ?? null}::bigint,
          ${paper.origin ?? null}::text, ${paper.origin_id ?? null}::bigint, ${paper.document}::text,
          ${paper.is_void ?? false}::boolean, ${actor.user_id}::bigint, ${actor.user_name}::text
        from unnest(${column((m) => m.posting.warehouse_id)}::bigint[], ${column((m) => m.posting.supply_id)}::bigint[],
          ${column((m) => m.at)}::timestamptz[], ${column((m) => toText(m.posting.quantity))}::numeric[],
          ${column((m) => m.valued)}::boolean[], ${column((m) => toText(m.unit_cost))}::numeric[],
          ${column((m) => toText(m.moved))}::numeric[], ${column((m) => toText(m.moved))}::numeric[],
          ${column((m) => toText(m.on_hand))}::numeric[], ${column((m) => toText(m.value))}::numeric[],
          ${column((m) => toText(m.average_cost))}::numeric[]) as m`,
  )
}

async function moveLevels(db: Db, actor: Actor, levels: Held[]) {
  const column = <T>(of: (level: Held) => T) => sql.param(levels.map(of))
  await rows(
    db,
    sql`update ${stockTable} s set on_hand = n.on_hand, value = n.value, average_cost = n.average_cost, last_at = n.last_at,
          attached = s.attached or n.on_hand > 0
        from unnest(${column((l) => l.warehouse_id)}::bigint[], ${column((l) => l.supply_id)}::bigint[],
          ${column((l) => toText(l.on_hand))}::numeric[], ${column((l) => toText(l.value))}::numeric[],
          ${column((l) => toText(l.average_cost))}::numeric[], ${column((l) => l.last_at)}::timestamptz[])
          as n (warehouse_id, supply_id, on_hand, value, average_cost, last_at)
        where s.company_id = ${actor.company_id} and s.warehouse_id = n.warehouse_id and s.supply_id = n.supply_id`,
  )
}

/* Back in time */

interface Place {
  warehouse_id: number
  supply_id: number
}
/** A point between movements: after everything of that moment up to that id. */
interface Point {
  at: string
  id: string | number
}
const LAST = '9223372036854775807'

const ofLevel = (actor: Actor, { warehouse_id, supply_id }: Place) =>
  sql`m.company_id = ${actor.company_id} and m.warehouse_id = ${warehouse_id} and m.supply_id = ${supply_id}`

/** The level as the last movement before a point left it. */
async function levelBefore(db: Db, actor: Actor, place: Place, { at, id }: Point): Promise<Level> {
  const last = await row<{ n: string; v: string; a: string }>(
    db,
    sql`select m.balance::text as n, m.balance_value::text as v, m.average_cost::text as a from ${movementsTable} m
        where ${ofLevel(actor, place)} and (m.at, m.id) < (${at}::timestamptz, ${id}::bigint)
        order by m.at desc, m.id desc limit 1`,
  )
  return last ? { on_hand: fromText(last.n), value: fromText(last.v), average_cost: fromText(last.a) } : EMPTY
}

/** Works everything after a point out again; or says why that cannot be. */
async function replay(db: Db, actor: Actor, place: Place, { at, id }: Point, start: Level) {
  const later = await rows<{ id: string; quantity: string; valued: boolean; posted_value: string; value: string }>(
    db,
    sql`select m.id::text, m.quantity::text, m.valued, m.posted_value::text, m.value::text from ${movementsTable} m
        where ${ofLevel(actor, place)} and (m.at, m.id) > (${at}::timestamptz, ${id}::bigint) order by m.at, m.id`,
  )
  const recosting: Recosting = { ids: [], value: [], balance: [], balance_value: [], average_cost: [], changed: 0 }
  let level = start
  for (const movement of later) {
    const value = movement.valued ? fromText(movement.posted_value) : undefined
    const after = apply(level, { quantity: fromText(movement.quantity), value })
    if (!after) return NO_STOCK
    if (value !== undefined && after.moved !== value) return LATER_TRANSFER
    level = after
    if (toText(after.moved) !== movement.value) recosting.changed += 1
    recosting.ids.push(movement.id)
    recosting.value.push(toText(after.moved))
    recosting.balance.push(toText(after.on_hand))
    recosting.balance_value.push(toText(after.value))
    recosting.average_cost.push(toText(after.average_cost))
  }
  return { level, recosting }
}

async function recost(db: Db, actor: Actor, recosting: Recosting, because: number | undefined) {
  const { ids, value, balance, balance_value, average_cost } = recosting
  await rows(
    db,
    sql`update ${movementsTable} m set value = n.value, balance = n.balance, balance_value = n.balance_value,
          average_cost = n.average_cost,
          recosted_by = case when m.value <> n.value then ${because ?? null}::bigint else m.recosted_by end
        from unnest(${sql.param(ids)}::bigint[], ${sql.param(value)}::numeric[], ${sql.param(balance)}::numeric[],
          ${sql.param(balance_value)}::numeric[], ${sql.param(average_cost)}::numeric[])
          as n (id, value, balance, balance_value, average_cost)
        where m.company_id = ${actor.company_id} and m.id = n.id`,
  )
}

/** What the level would be had this movement never been; `undefined` where what left since needed it. */
export async function levelWithout(db: Db, actor: Actor, place: Place, movement: Point): Promise<Level | undefined> {
  const before = await levelBefore(db, actor, place, movement)
  const replayed = await replay(db, actor, place, movement, before)
  return typeof replayed === 'string' ? undefined : replayed.level
}
