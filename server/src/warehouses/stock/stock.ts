import { type SQL, sql } from 'drizzle-orm'
import { NO_STOCK, PRICE_NOTE_IDS, typeName, typeNamed } from '#contract/warehouses/stock.ts'
import { LATER_TRANSFER } from '#contract/warehouses/transactions.ts'
import { oneOfIds } from '../../platform/database/conditions.ts'
import { batch, type Db, defer, numbers, orElse, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { tell } from '../../platform/operations/happenings.ts'
import { invalid, Problem } from '../../platform/problems.ts'
import { suppliesTable } from '../../supplies/tables.ts'
import { repriceDocuments } from '../documents/reprice.ts'
import { movementsTable, stockTable, transactionLinesTable, transactionsTable } from '../tables.ts'
import { apply, costOf, EMPTY, fromText, type Level, type Move, toText } from './ledger.ts'
import { keyOf, lowAt, lowOf, noteAvailable, tellLow } from './low.ts'
import { type Place, share, tellArrived, wishedAt } from './reservations.ts'
import { type Later, ofLevel, type Point, worthOf } from './worth.ts'

/** The only place that changes stock: appends the movements and moves the levels, all of them or none. */

export interface Posting {
  warehouse_id: number
  supply_id: number
  /** Ten-thousandths; negative goes out. */
  quantity: bigint
  /**
   * What comes in says what a unit costs; left out, it goes (or comes) at the average. What follows without a value comes
   * at the average of its moment, and at this where there is none.
   */
  unit_cost?: bigint
  /** The exact value it moves, where that is known better than quantity × cost: voids. */
  value?: bigint
  /** Brings the value that this other posting of the same list took: transfers. */
  takenBy?: number
  /** Its value is that of what it gives back, undoes or continues, and changes with it. */
  follows?: boolean
  /** What is kept for others gives way: what was never there, or is not there any more. */
  yields?: boolean
  /** The moment it takes, where that is another than its neighbours': a void stands beside what it undoes. */
  at?: string
  /** What it is written for, where that is not what the others are: cost adjustments. */
  paper?: Paper
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
  /** Ten-thousandths of what is on hand that are kept for somebody. */
  reserved: bigint
  /** What it may fall below. */
  minimum: bigint | null
  /** Somebody waits for it, or has some of it kept. */
  wished: boolean
}
export type Levels = Map<string, Held>

/**
 * What is of today goes on side by side; who changes the past of a supply has it to themselves, in every warehouse. The
 * supplies are read for it, whose ids are known: on a cluster a lock is then always taken on the node of the company, as
 * it is by `holdUses`, and not by some on the coordinator, which knows nothing of the others.
 */
const inTurn = (db: Db, actor: Actor, supplies: number[], alone: boolean) =>
  inTurnFor(
    db,
    actor,
    sql`select id from ${suppliesTable} where company_id = ${actor.company_id} and id = ${oneOfIds([...new Set(supplies)])} order by id`,
    alone,
  )
const inTurnFor = (db: Db, { company_id }: Actor, each: SQL, alone: boolean) => {
  const key = sql`hashtextextended('ledger ' || ${company_id}::text || ' ' || s.id::text, 0)`
  const lock = sql.raw(alone ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared')
  return rows(db, sql`select ${lock}(${key}) from (${each}) as s (id)`)
}

/**
 * Before something that uses stock is held: who changes the past holds the supplies first, and then whatever used them.
 * `uses` selects their ids, in order.
 */
export const holdUses = (db: Db, actor: Actor, uses: SQL) => inTurnFor(db, actor, uses, false)

/** Holds the levels until the end of the transaction, in one order for everyone, so that no two wait for each other. */
export async function holdLevels(
  db: Db,
  actor: Actor,
  wanted: { warehouse_id: number; supply_id: number; quantity?: bigint }[],
): Promise<Levels> {
  const supplies = wanted.map(({ supply_id }) => supply_id)
  const sorted = [...wanted].sort((a, b) => a.supply_id - b.supply_id || a.warehouse_id - b.warehouse_id)
  const find = () =>
    rows<{
      warehouse_id: number
      supply_id: number
      n: string
      r: string
      v: string
      a: string
      last_at: string | null
      m: string | null
    }>(
      db,
      sql`select s.warehouse_id, s.supply_id, s.on_hand::text as n, s.reserved::text as r, s.value::text as v, s.average_cost::text as a, s.last_at,
            s.minimum::text as m
          from ${stockTable} s
          join unnest(${sql.param(sorted.map((w) => w.warehouse_id))}::bigint[], ${sql.param(sorted.map((w) => w.supply_id))}::bigint[])
            as w (warehouse_id, supply_id) on s.warehouse_id = w.warehouse_id and s.supply_id = w.supply_id
          where s.company_id = ${actor.company_id}
          order by s.supply_id, s.warehouse_id for update of s`,
    )
  // Asked behind the levels: who wishes something of them holds them too.
  let { found, wished } = await batch({
    lock: inTurn(db, actor, supplies, false),
    found: find(),
    wished: wishedAt(db, actor, sorted),
  })
  const known = new Set(found.map(keyOf))
  const missing = sorted.filter((want) => !known.has(keyOf(want)) && (want.quantity ?? 0n) >= 0n)
  if (missing.length > 0) {
    await rows(
      db,
      sql`insert into ${stockTable} as s (company_id, warehouse_id, supply_id)
          select ${actor.company_id}::bigint, w.warehouse_id, w.supply_id
          from unnest(${sql.param(missing.map((w) => w.warehouse_id))}::bigint[], ${sql.param(missing.map((w) => w.supply_id))}::bigint[])
            as w (warehouse_id, supply_id)
          order by w.supply_id, w.warehouse_id on conflict do nothing`,
    )
    ;({ found, wished } = await batch({ found: find(), wished: wishedAt(db, actor, sorted) }))
  }
  const wishes = new Set(wished.map(keyOf))
  const levels = found.map(({ n, r, v, a, m, ...level }) => ({
    ...level,
    minimum: m === null ? null : fromText(m),
    wished: wishes.has(keyOf(level)),
    on_hand: fromText(n),
    reserved: fromText(r),
    value: fromText(v),
    average_cost: fromText(a),
  }))
  await noteAvailable(db, levels)
  return new Map(levels.map((level) => [keyOf(level), level]))
}

/** Before anything is dated in the past, or undone: what was transferred since follows, wherever it went. */
export async function holdPast(db: Db, actor: Actor, lines: readonly { supply_id: number }[]) {
  const asked = lines.map(({ supply_id }) => supply_id)
  let wanted = await reachedFrom(db, actor, asked)
  for (;;) {
    // Somebody may have received some of it in one more workshop while this waited.
    const { reached } = await batch({ lock: inTurn(db, actor, wanted, true), reached: reachedFrom(db, actor, wanted) })
    if (reached.length === wanted.length) return
    wanted = reached
  }
}

/** These supplies, and what they became in the workshops that they were sent to. */
async function reachedFrom(db: Db, actor: Actor, supplies: number[]) {
  const found = await rows<{ id: number }>(
    db,
    sql`with recursive reached as (
          select unnest(${sql.param(supplies)}::bigint[]) as id
          union select l.supply_id from reached r join ${transactionLinesTable} l
            on l.company_id = ${actor.company_id} and l.from_supply_id = r.id)
        select id from reached`,
  )
  return found.map(({ id }) => id)
}

/** What is received today costs what it left with: nobody changes that meanwhile. */
export const holdToday = (db: Db, actor: Actor, supplies: number[]) => inTurn(db, actor, supplies, false)

/** A movement as it will be written; its level is as it leaves it. */
export interface Planned extends Level {
  posting: Posting
  at: string
  unit_cost: bigint
  /** Signed, as the level changes. */
  moved: bigint
  valued: boolean
}
/** A movement that now costs something else. */
export interface Changed extends Place {
  id: string
  transaction_id: number | null
  origin: string | null
  origin_id: number | null
  /** How much more (or less) than before, signed as the level changes. */
  difference: bigint
}
interface Recosting {
  ids: string[]
  value: string[]
  balance: string[]
  balance_value: string[]
  average_cost: string[]
  changed: Changed[]
}
export interface Plan {
  movements: Planned[]
  levels: Held[]
  recostings: Recosting[]
}

/**
 * Holds the levels and works out what the movements do to them; refuses what there is not enough of. `held`: the caller
 * holds them, as they are.
 */
export async function plan(
  db: Db,
  actor: Actor,
  postings: Posting[],
  { dated, held }: { dated?: string | undefined; held?: Levels | undefined } = {},
): Promise<Plan> {
  const levels = held ? new Map(held) : await holdLevels(db, actor, postings)
  const now = new Date().toISOString()
  const short: Record<string, string> = {}
  const movements: Planned[] = []
  const recostings: Recosting[] = []
  for (const posting of postings) {
    const level = levels.get(keyOf(posting))
    const at = posting.at ?? dated ?? (level?.last_at && level.last_at > now ? level.last_at : now)
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
    if (posting.quantity < 0n && !posting.yields && replayed.level.on_hand < level.reserved) {
      short[posting.field] = NO_STOCK
      continue
    }
    if (move.value !== undefined && after.moved !== move.value) {
      short[posting.field] = LATER_TRANSFER
      continue
    }
    const given = posting.takenBy === undefined ? undefined : movements[posting.takenBy]?.unit_cost
    const unit_cost = costAtAverage(posting, before) ?? posting.unit_cost ?? given ?? before.average_cost
    movements.push({ ...after, posting, at, unit_cost, valued: move.value !== undefined })
    if (replayed.recosting) recostings.push(replayed.recosting)
    const { on_hand, value, average_cost } = replayed.level
    levels.set(keyOf(posting), { ...level, on_hand, value, average_cost, last_at: isBackDated ? level.last_at : at })
  }
  for (const { posting } of movements)
    if (isWorthOfNothing(levels.get(keyOf(posting))!)) short[posting.field] = LATER_TRANSFER
  if (Object.keys(short).length > 0) throw invalid(short)
  return { movements, levels: [...levels.values()], recostings }
}

/** A value that no quantity stands for. */
const isWorthOfNothing = ({ on_hand, value }: Level) => on_hand === 0n && value !== 0n

function moveOf(posting: Posting, before: Level, movements: Planned[]): Move {
  const { quantity, unit_cost, value, takenBy } = posting
  if (takenBy !== undefined) return { quantity, value: -(movements[takenBy]?.moved ?? 0n) }
  if (value !== undefined) return { quantity, value }
  if (quantity < 0n) return { quantity, value: undefined }
  return { quantity, value: costOf(quantity, costAtAverage(posting, before) ?? unit_cost ?? before.average_cost) }
}

/** The average, for a posting that comes in at it; `undefined` if there is no average or the posting has its own cost. */
const costAtAverage = ({ follows, value, takenBy }: Posting, { average_cost }: Level) =>
  follows && value === undefined && takenBy === undefined && average_cost > 0n ? average_cost : undefined

/** Writes a plan, in the transaction that made it, what is written `besides`, and what follows from it elsewhere. */
export async function write(
  db: Db,
  actor: Actor,
  paper: Paper,
  planned: Plan,
  besides: (() => Promise<unknown>)[] = [],
) {
  await tellChanged(db, actor, await post(db, actor, paper, planned, besides), paper)
}

/**
 * Plans and writes one step after another. Documents and orders learn the new costs after the last one: an order that a
 * step makes dearer and the next one cheaper again has nothing to book.
 */
export async function writeInSteps(
  db: Db,
  actor: Actor,
  steps: { paper: Paper; postings: Posting[] }[],
  because: Paper,
) {
  const changed: Changed[] = []
  for (const { paper, postings } of steps)
    changed.push(...(await post(db, actor, paper, await plan(db, actor, postings))))
  await tellChanged(db, actor, changed, because)
}

/** Writes a plan and the levels that transfers reached; returns the movements that cost something else since. */
async function post(
  db: Db,
  actor: Actor,
  paper: Paper,
  { movements, levels, recostings }: Plan,
  besides: (() => Promise<unknown>)[] = [],
): Promise<Changed[]> {
  const wished = levels.filter((level) => level.wished)
  // All of it leaves at once: whoever asks for what was written does so without waiting for it.
  const { came, low } = await batch({
    recosted: batch(recostings.map((recosting) => recost(db, actor, recosting, paper.transaction_id ?? 0))),
    written: defer(
      db,
      batch([...besides.map((write) => write()), append(db, actor, paper, movements), moveLevels(db, actor, levels)]),
    ),
    came: share(db, actor, wished),
    low: lowAt(
      db,
      actor,
      wished.filter(({ minimum }) => minimum !== null),
    ),
  })
  await tellArrived(db, actor, came)
  await tellLow(db, actor, [...low, ...levels.flatMap((level) => (level.wished ? [] : lowOf(level)))])
  const changed = recostings.flatMap((recosting) => recosting.changed)
  return cascade(db, actor, changed, paper)
}

async function append(db: Db, actor: Actor, paper: Paper, movements: Planned[]) {
  const column = <T>(of: (movement: Planned) => T) => sql.param(movements.map(of))
  const ofPaper = <T>(of: (paper: Paper) => T) => column(({ posting }) => of(posting.paper ?? paper))
  await rows(
    db,
    sql`insert into ${movementsTable} (company_id, warehouse_id, supply_id, at, quantity, valued, follows, unit_cost,
          posted_value, value, balance, balance_value, average_cost, "typeTrasactionId", transaction_id, origin, origin_id,
          document, is_void, user_id, user_name)
        select ${actor.company_id}::bigint, m.*, ${actor.user_id}::bigint, ${actor.user_name}::text
        from unnest(${column((m) => m.posting.warehouse_id)}::bigint[], ${column((m) => m.posting.supply_id)}::bigint[],
          ${column((m) => m.at)}::timestamptz[], ${column((m) => toText(m.posting.quantity))}::numeric[],
          ${column((m) => m.valued)}::boolean[], ${column((m) => m.posting.follows ?? false)}::boolean[],
          ${column((m) => toText(m.unit_cost))}::numeric[],
          ${column((m) => toText(m.moved))}::numeric[], ${column((m) => toText(m.moved))}::numeric[],
          ${column((m) => toText(m.on_hand))}::numeric[], ${column((m) => toText(m.value))}::numeric[],
          ${column((m) => toText(m.average_cost))}::numeric[], ${ofPaper((p) => p.typeTrasactionId)}::smallint[],
          ${ofPaper((p) => p.transaction_id ?? null)}::bigint[], ${ofPaper((p) => p.origin ?? null)}::text[],
          ${ofPaper((p) => p.origin_id ?? null)}::bigint[], ${ofPaper((p) => p.document)}::text[],
          ${ofPaper((p) => p.is_void ?? false)}::boolean[]) as m returning company_id`,
  )
}

function moveLevels(db: Db, { company_id }: Actor, levels: Held[]) {
  const column = <T>(of: (level: Held) => T) => sql.param(levels.map(of))
  return rows(
    db,
    sql`update ${stockTable} s set on_hand = n.on_hand, reserved = least(s.reserved, n.on_hand), value = n.value,
          average_cost = n.average_cost, last_at = n.last_at, attached = s.attached or n.on_hand > 0
        from unnest(${column((l) => l.warehouse_id)}::bigint[], ${column((l) => l.supply_id)}::bigint[],
            ${column((l) => toText(l.on_hand))}::numeric[], ${column((l) => toText(l.value))}::numeric[],
            ${column((l) => toText(l.average_cost))}::numeric[], ${column((l) => l.last_at)}::timestamptz[])
          as n (warehouse_id, supply_id, on_hand, value, average_cost, last_at)
        where s.company_id = ${company_id} and s.warehouse_id = n.warehouse_id and s.supply_id = n.supply_id`,
  )
}

/* Back in time */

const LAST = '9223372036854775807'

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

/** Movements after a point, in their order. */
async function laterThan(db: Db, actor: Actor, place: Place, { at, id }: Point): Promise<Later[]> {
  type Row = Omit<Later, 'quantity' | 'posted_value' | 'value'> & Record<'quantity' | 'posted_value' | 'value', string>
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
async function replay(db: Db, actor: Actor, place: Place, { at, id }: Point, start: Level) {
  const later = await laterThan(db, actor, place, { at, id })
  const worth = await worthOf(db, actor, place, { at, id }, later)
  const recosting: Recosting = { ids: [], value: [], balance: [], balance_value: [], average_cost: [], changed: [] }
  let level = start
  for (const movement of later) {
    const { quantity, value: before } = movement
    // Adjustments of an empty level add up to nothing before anything else moves.
    if (quantity !== 0n && isWorthOfNothing(level)) return LATER_TRANSFER
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

async function recost(db: Db, actor: Actor, recosting: Recosting, because: number) {
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
async function cascade(db: Db, actor: Actor, changed: Changed[], because: Paper | undefined): Promise<Changed[]> {
  const all = [...changed]
  const pending = new Map<string, Arrival>()
  const isBefore = (a: Arrival, b: Arrival) => a.at < b.at || (a.at === b.at && BigInt(a.id) < BigInt(b.id))
  const add = async (from: Changed[]) => {
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

/** Documents of movements that cost something else are written again, and the orders that used them settle their lines. */
async function tellChanged(db: Db, actor: Actor, changed: Changed[], because: Paper | undefined) {
  const ofDocuments = changed.filter(({ transaction_id, origin }) => transaction_id !== null && origin === null)
  await repriceDocuments(db, actor, [...new Set(ofDocuments.map(({ id }) => id))])
  await tellOrigins(db, actor, changed, because)
}

interface Arrival extends Place {
  id: string
  at: string
}

/** Where transfers whose exits changed arrived, under whichever name: of each level the first. */
async function arrivalsOf(db: Db, actor: Actor, changed: Changed[]): Promise<Arrival[]> {
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

async function replayLevel(db: Db, actor: Actor, place: Place, point: Point, because: Paper | undefined) {
  const [level] = (await holdLevels(db, actor, [place])).values()
  const start = await levelBefore(db, actor, place, { ...point, id: String(BigInt(point.id) + 1n) })
  const replayed = await replay(db, actor, place, point, start)
  if (typeof replayed === 'string') throw invalid({ supplies: replayed })
  await recost(db, actor, replayed.recosting, because?.transaction_id ?? 0)
  await moveLevels(db, actor, [{ ...level!, ...replayed.level }])
  return replayed.recosting.changed
}

/** Works a level out again from a moment on, and what follows from that. */
export async function replayFrom(db: Db, actor: Actor, place: Place, at: string) {
  const changed = await replayLevel(db, actor, place, { at, id: 0 }, undefined)
  await tellChanged(db, actor, await cascade(db, actor, changed, undefined), undefined)
}

/** Told, with the ids of that kind of thing, when what it took from stock turns out to cost something else. */
export const recosted = (origin: string) => `warehouses.recosted ${origin}`

export async function tellOrigins(
  db: Db,
  actor: Actor,
  changed: Pick<Changed, 'origin' | 'origin_id'>[],
  because: Paper | undefined,
) {
  for (const [origin, of] of Map.groupBy(changed, ({ origin }) => origin))
    if (origin !== null)
      await tell(db, actor, recosted(origin), [...new Set(of.map(({ origin_id }) => origin_id!))], whyOf(because))
}

const PURCHASE = typeNamed('entry', 'purchase')
/** As people say it: factura tardía 4711, anulación de factura 4711. */
function whyOf(paper: Paper | undefined) {
  if (!paper) return 'recosteo'
  const label = labelOf(paper)
  return paper.document ? `${label} ${paper.document}` : label
}
function labelOf({ typeTrasactionId, is_void }: Paper) {
  const isPurchase = typeTrasactionId === PURCHASE
  const name = isPurchase ? 'factura' : typeName(typeTrasactionId).toLowerCase()
  if (is_void) return `anulación de ${name}`
  if (isPurchase) return `${name} tardía`
  return PRICE_NOTE_IDS.includes(typeTrasactionId) ? name : `movimiento tardío (${name})`
}

class Rehearsed extends Error {}

/**
 * What movements would have cost otherwise, in every warehouse they reached, had these been written at their moments:
 * they are, and then taken back. The past is held. `undefined`: there would not have been enough.
 */
export async function rehearse(db: Db, actor: Actor, paper: Paper, steps: Posting[][]): Promise<Changed[] | undefined> {
  let changed: Changed[] | undefined
  return orElse<Changed[] | undefined>(
    db,
    (error) => error instanceof Rehearsed || isShort(error),
    async () => {
      const all: Changed[] = []
      for (const postings of steps.filter(({ length }) => length > 0)) {
        const { movements, levels, recostings } = await plan(db, actor, postings)
        for (const recosting of recostings) await recost(db, actor, recosting, paper.transaction_id ?? 0)
        await batch([append(db, actor, paper, movements), moveLevels(db, actor, levels)])
        const direct = recostings.flatMap((recosting) => recosting.changed)
        all.push(...(await cascade(db, actor, direct, paper)))
      }
      changed = all
      throw new Rehearsed()
    },
    async () => changed,
  )
}

/** There is not enough, or what is there is not worth enough. */
export const isShort = (error: unknown) => error instanceof Problem && error.status === 422
