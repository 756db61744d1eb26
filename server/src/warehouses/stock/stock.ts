import { sql } from 'drizzle-orm'
import { NO_STOCK } from '#contract/warehouses/stock.ts'
import { LATER_TRANSFER } from '#contract/warehouses/transactions.ts'
import { batch, type Db, defer, orElse, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid, Problem } from '../../platform/problems.ts'
import { movementsTable } from '../tables.ts'
import { allocate, emitArrived } from './available-stock.ts'
import { apply, costOf, type Level, type Move, toText } from './ledger.ts'
import { type LockedLevel, type LockedLevels, lockLevels, updateLevels } from './locked-levels.ts'
import { emitLow, findLowLevels, keyOf, lowOf } from './low.ts'
import { type MovementSource, type RecostedMovement, settleRecosted } from './recosted.ts'
import {
  hasValueButNoStock,
  LAST_ID,
  levelBefore,
  type Replay,
  replay,
  replayTransfers,
  writeReplay,
} from './replay.ts'

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
  exitIndex?: number
  /** Its value is that of what it gives back, undoes or continues, and changes with it. */
  follows?: boolean
  /** What is kept for others gives way: what was never there, or is not there any more. */
  ignoresReservations?: boolean
  /** The moment it takes, where that is another than its neighbours': a void stands beside what it undoes. */
  at?: string
  /** What it is written for, where that is not what the others are: cost adjustments. */
  paper?: MovementSource
  /** Where a person reads that there is not enough. */
  field: string
}

/** A movement as it will be written; its level is as it leaves it. */
export interface PlannedMovement extends Level {
  posting: Posting
  at: string
  unit_cost: bigint
  /** Signed, as the level changes. */
  moved: bigint
  valued: boolean
}
export interface Plan {
  movements: PlannedMovement[]
  levels: LockedLevel[]
  recostings: Replay[]
}

/**
 * Holds the levels and works out what the movements do to them; refuses what there is not enough of. `held`: the caller
 * holds them, as they are.
 */
export async function plan(
  db: Db,
  actor: Actor,
  postings: Posting[],
  { dated, held }: { dated?: string | undefined; held?: LockedLevels | undefined } = {},
): Promise<Plan> {
  const levels = held ? new Map(held) : await lockLevels(db, actor, postings)
  const now = new Date().toISOString()
  const short: Record<string, string> = {}
  const movements: PlannedMovement[] = []
  const recostings: Replay[] = []
  for (const posting of postings) {
    const level = levels.get(keyOf(posting))
    const at = posting.at ?? dated ?? (level?.last_at && level.last_at > now ? level.last_at : now)
    const isBackDated = level?.last_at != null && at < level.last_at
    const before = level && (isBackDated ? await levelBefore(db, actor, level, { at, id: LAST_ID }) : level)
    const move = before && moveOf(posting, before, movements)
    const after = move && apply(before, move)
    const replayed =
      after &&
      (isBackDated
        ? await replay(db, actor, level, { at, id: LAST_ID }, after)
        : { level: after, recosting: undefined })
    if (!replayed || typeof replayed === 'string') {
      short[posting.field] = replayed || NO_STOCK
      continue
    }
    if (posting.quantity < 0n && !posting.ignoresReservations && replayed.level.on_hand < level.reserved) {
      short[posting.field] = NO_STOCK
      continue
    }
    if (move.value !== undefined && after.moved !== move.value) {
      short[posting.field] = LATER_TRANSFER
      continue
    }
    const given = posting.exitIndex === undefined ? undefined : movements[posting.exitIndex]?.unit_cost
    const unit_cost = costAtAverage(posting, before) ?? posting.unit_cost ?? given ?? before.average_cost
    movements.push({ ...after, posting, at, unit_cost, valued: move.value !== undefined })
    if (replayed.recosting) recostings.push(replayed.recosting)
    const { on_hand, value, average_cost } = replayed.level
    levels.set(keyOf(posting), { ...level, on_hand, value, average_cost, last_at: isBackDated ? level.last_at : at })
  }
  for (const { posting } of movements)
    if (hasValueButNoStock(levels.get(keyOf(posting))!)) short[posting.field] = LATER_TRANSFER
  if (Object.keys(short).length > 0) throw invalid(short)
  return { movements, levels: [...levels.values()], recostings }
}

function moveOf(posting: Posting, before: Level, movements: PlannedMovement[]): Move {
  const { quantity, unit_cost, value, exitIndex } = posting
  if (exitIndex !== undefined) return { quantity, value: -(movements[exitIndex]?.moved ?? 0n) }
  if (value !== undefined) return { quantity, value }
  if (quantity < 0n) return { quantity, value: undefined }
  return { quantity, value: costOf(quantity, costAtAverage(posting, before) ?? unit_cost ?? before.average_cost) }
}

/** The average, for a posting that comes in at it; `undefined` if there is no average or the posting has its own cost. */
const costAtAverage = ({ follows, value, exitIndex }: Posting, { average_cost }: Level) =>
  follows && value === undefined && exitIndex === undefined && average_cost > 0n ? average_cost : undefined

/** Writes a plan, in the transaction that made it, what is written `besides`, and what follows from it elsewhere. */
export async function write(
  db: Db,
  actor: Actor,
  paper: MovementSource,
  planned: Plan,
  besides: (() => Promise<unknown>)[] = [],
) {
  await settleRecosted(db, actor, await post(db, actor, paper, planned, besides), paper)
}

/**
 * Plans and writes one step after another. Documents and orders learn the new costs after the last one: an order that a
 * step makes dearer and the next one cheaper again has nothing to book.
 */
export async function writeInSteps(
  db: Db,
  actor: Actor,
  steps: { paper: MovementSource; postings: Posting[] }[],
  because: MovementSource,
) {
  const changed: RecostedMovement[] = []
  for (const { paper, postings } of steps)
    changed.push(...(await post(db, actor, paper, await plan(db, actor, postings))))
  await settleRecosted(db, actor, changed, because)
}

/** Writes a plan and the levels that transfers reached; returns the movements that cost something else since. */
async function post(
  db: Db,
  actor: Actor,
  paper: MovementSource,
  { movements, levels, recostings }: Plan,
  besides: (() => Promise<unknown>)[] = [],
): Promise<RecostedMovement[]> {
  const reserved = levels.filter((level) => level.hasReservations)
  // All of it leaves at once: whoever asks for what was written does so without waiting for it.
  const { came, low } = await batch({
    recosted: batch(recostings.map((recosting) => writeReplay(db, actor, recosting, paper.transaction_id ?? 0))),
    written: defer(
      db,
      batch([...besides.map((write) => write()), append(db, actor, paper, movements), updateLevels(db, actor, levels)]),
    ),
    came: allocate(db, actor, reserved),
    low: findLowLevels(
      db,
      actor,
      reserved.filter(({ minimum }) => minimum !== null),
    ),
  })
  await emitArrived(db, actor, came)
  await emitLow(db, actor, [...low, ...levels.flatMap((level) => (level.hasReservations ? [] : lowOf(level)))])
  const changed = recostings.flatMap((recosting) => recosting.changed)
  return replayTransfers(db, actor, changed, paper)
}

async function append(db: Db, actor: Actor, paper: MovementSource, movements: PlannedMovement[]) {
  const column = <T>(of: (movement: PlannedMovement) => T) => sql.param(movements.map(of))
  const ofPaper = <T>(of: (paper: MovementSource) => T) => column(({ posting }) => of(posting.paper ?? paper))
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

class SimulationDone extends Error {}

/**
 * What movements would have cost otherwise, in every warehouse they reached, had these been written at their moments:
 * they are, and then taken back. The past is held. `undefined`: there would not have been enough.
 */
export async function simulate(
  db: Db,
  actor: Actor,
  paper: MovementSource,
  steps: Posting[][],
): Promise<RecostedMovement[] | undefined> {
  let changed: RecostedMovement[] | undefined
  return orElse<RecostedMovement[] | undefined>(
    db,
    (error) => error instanceof SimulationDone || isShortage(error),
    async () => {
      const all: RecostedMovement[] = []
      for (const postings of steps.filter(({ length }) => length > 0)) {
        const { movements, levels, recostings } = await plan(db, actor, postings)
        for (const recosting of recostings) await writeReplay(db, actor, recosting, paper.transaction_id ?? 0)
        await batch([append(db, actor, paper, movements), updateLevels(db, actor, levels)])
        const direct = recostings.flatMap((recosting) => recosting.changed)
        all.push(...(await replayTransfers(db, actor, direct, paper)))
      }
      changed = all
      throw new SimulationDone()
    },
    async () => changed,
  )
}

/** There is not enough, or what is there is not worth enough. */
export const isShortage = (error: unknown) => error instanceof Problem && error.status === 422
