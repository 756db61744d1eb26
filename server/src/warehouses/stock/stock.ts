import { sql } from 'drizzle-orm'
import { NO_STOCK } from '#contract/warehouses/stock.ts'
import { LATER_TRANSFER } from '#contract/warehouses/transactions.ts'
import { batch, type Db, defer, orElse, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid, Problem } from '../../platform/problems.ts'
import { movementsTable } from '../tables.ts'
import { allocateAndNotify } from './available-stock.ts'
import { apply, costOf, hasValueButNoStock, keyOf, type Level, type LevelKey, type Move, toText } from './ledger.ts'
import { type LockedLevel, type LockedLevels, lockLevels, updateLevels } from './locked-levels.ts'
import { type MovementSource, type RecostedMovement, settleRecosted } from './recosted.ts'
import { LAST_ID, levelAt, type Replay, replayAfter, replayTransfers, writeReplay } from './replay.ts'

/*
 * The only file that adds movements to the ledger. `plan` locks the levels and works out what the postings do to them, or
 * refuses all of them; `write` adds the movements and updates the levels. A posting that is dated before the latest
 * movement of its level goes back in time: replay.ts works out everything after it again.
 */

export interface Posting extends LevelKey {
  /** Ten-thousandths; negative goes out. */
  quantity: bigint
  /**
   * The cost of a unit that comes in; without it the posting takes the average. Of a posting that `follows` without a
   * `value` it counts only if there is no average at its moment.
   */
  unit_cost?: bigint
  /** The exact value it moves, where that is known better than quantity × cost. */
  value?: bigint
  /** It brings the value that the posting at this index of the same list took: transfers. */
  exitIndex?: number
  /** Its value is that of the movement that it gives back, undoes or continues, and changes with it in a replay. */
  follows?: boolean
  /** Takes stock although it is reserved: goods that were never there, or are not there any more. */
  ignoresReservations?: boolean
  /** Its own moment: a void stands beside the movement that it undoes. */
  at?: string
  /** Its own source: cost adjustments belong to other documents than their neighbours. */
  source?: MovementSource
  /** The form field that shows a refusal. */
  field: string
}

/** A movement as it will be written, with the level as the movement leaves it. */
export interface PlannedMovement extends Level {
  posting: Posting
  at: string
  unit_cost: bigint
  /** The value it moves, signed as the level changes. */
  moved: bigint
  /** Whether it brings its own value, or leaves at the average of its moment. */
  valued: boolean
}

export interface Plan {
  movements: PlannedMovement[]
  levels: LockedLevel[]
  replays: Replay[]
}

export interface PlanOptions {
  /** The moment of postings that have none of their own; now if it is left out. */
  dated?: string | undefined
  /** The levels, if the caller has locked them and they are unchanged since. */
  locked?: LockedLevels | undefined
}

export async function plan(
  db: Db,
  actor: Actor,
  postings: Posting[],
  { dated, locked }: PlanOptions = {},
): Promise<Plan> {
  const levels = new Map(locked ?? (await lockLevels(db, actor, postings)))
  const now = new Date().toISOString()
  const movements: PlannedMovement[] = []
  const replays: Replay[] = []
  const refusals: Record<string, string> = {}
  for (const posting of postings) {
    const level = levels.get(keyOf(posting))
    const at = posting.at ?? dated ?? latest(now, level?.last_at)
    const planned = level ? await planPosting(db, actor, posting, { level, at, movements }) : NO_STOCK
    if (typeof planned === 'string') {
      refusals[posting.field] = planned
      continue
    }
    movements.push(planned.movement)
    if (planned.replay) replays.push(planned.replay)
    levels.set(keyOf(posting), planned.level)
  }
  for (const { posting } of movements)
    if (hasValueButNoStock(levels.get(keyOf(posting))!)) refusals[posting.field] = LATER_TRANSFER
  if (Object.keys(refusals).length > 0) throw invalid(refusals)
  return { movements, levels: [...levels.values()], replays }
}

const latest = (now: string, last: string | null | undefined) => (last && last > now ? last : now)

interface PostingContext {
  level: LockedLevel
  at: string
  /** Movements planned before this one. */
  movements: PlannedMovement[]
}

/** The movement of a posting, and its level after it; or the sentence that refuses it. */
async function planPosting(db: Db, actor: Actor, posting: Posting, { level, at, movements }: PostingContext) {
  const isBackDated = level.last_at !== null && at < level.last_at
  const point = { at, id: LAST_ID }
  const before = isBackDated ? await levelAt(db, actor, level, point) : level
  const move = moveOf(posting, before, movements)
  const after = apply(before, move)
  if (!after) return NO_STOCK
  const replay = isBackDated ? await replayAfter(db, actor, level, point, after) : undefined
  if (typeof replay === 'string') return replay
  const { on_hand, value, average_cost } = replay?.level ?? after
  if (posting.quantity < 0n && !posting.ignoresReservations && on_hand < level.reserved) return NO_STOCK
  if (move.value !== undefined && after.moved !== move.value) return LATER_TRANSFER
  const unit_cost = unitCostOf(posting, before, movements)
  return {
    movement: { ...after, posting, at, unit_cost, valued: move.value !== undefined },
    level: { ...level, on_hand, value, average_cost, last_at: isBackDated ? level.last_at : at },
    replay,
  }
}

function moveOf(posting: Posting, before: Level, movements: PlannedMovement[]): Move {
  const { quantity, value, exitIndex } = posting
  if (exitIndex !== undefined) return { quantity, value: -(movements[exitIndex]?.moved ?? 0n) }
  if (value !== undefined) return { quantity, value }
  if (quantity < 0n) return { quantity, value: undefined }
  return { quantity, value: costOf(quantity, unitCostOf(posting, before, movements)) }
}

function unitCostOf(posting: Posting, { average_cost }: Level, movements: PlannedMovement[]): bigint {
  const { follows, value, unit_cost, exitIndex } = posting
  const exit = exitIndex === undefined ? undefined : movements[exitIndex]
  const followsAverage = follows && value === undefined && exitIndex === undefined && average_cost > 0n
  return followsAverage ? average_cost : (unit_cost ?? exit?.unit_cost ?? average_cost)
}

/** A plan whose movements belong to several documents. */
export const withSources = (planned: Plan, sources: MovementSource[]): Plan => ({
  ...planned,
  movements: planned.movements.map((movement, i) => ({
    ...movement,
    posting: { ...movement.posting, source: sources[i]! },
  })),
})

/** Writes a plan in the transaction that made it; documents and orders whose costs changed by it are settled. */
export async function write(db: Db, actor: Actor, source: MovementSource, planned: Plan) {
  const recosted = await post(db, actor, source, planned)
  if (recosted.length > 0) await settleRecosted(db, actor, recosted, source)
}

/**
 * Plans and writes one step after another. Documents and orders learn the new costs after the last step: an order that one
 * step makes dearer and the next one cheaper again has nothing to settle.
 */
export async function writeInSteps(
  db: Db,
  actor: Actor,
  steps: { source: MovementSource; postings: Posting[] }[],
  cause: MovementSource,
) {
  const recosted: RecostedMovement[] = []
  for (const { source, postings } of steps)
    recosted.push(...(await post(db, actor, source, await plan(db, actor, postings))))
  await settleRecosted(db, actor, recosted, cause)
}

/** Writes a plan, and if it recosted movements, replays the levels that transfers reached; returns all recosted movements. */
async function post(db: Db, actor: Actor, source: MovementSource, planned: Plan): Promise<RecostedMovement[]> {
  await defer(db, writePlan(db, actor, source, planned))
  await allocateAndNotify(db, actor, planned.levels)
  const recosted = recostedIn(planned)
  return recosted.length === 0 ? [] : replayTransfers(db, actor, recosted, source)
}

const recostedIn = ({ replays }: Plan) => replays.flatMap(({ recosted }) => recosted)

/** The number of later movements that get another cost by a plan. */
export const countRecosted = (planned: Plan) => recostedIn(planned).length

const writePlan = (db: Db, actor: Actor, source: MovementSource, { movements, levels, replays }: Plan) =>
  batch([
    ...replays.map((replay) => writeReplay(db, actor, replay, source.transaction_id ?? 0)),
    insertMovements(db, actor, source, movements),
    updateLevels(db, actor, levels),
  ])

async function insertMovements(db: Db, actor: Actor, source: MovementSource, movements: PlannedMovement[]) {
  const column = <T>(of: (movement: PlannedMovement) => T) => sql.param(movements.map(of))
  const ofSource = <T>(of: (source: MovementSource) => T) => column(({ posting }) => of(posting.source ?? source))
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
          ${column((m) => toText(m.average_cost))}::numeric[], ${ofSource((s) => s.typeTrasactionId)}::smallint[],
          ${ofSource((s) => s.transaction_id ?? null)}::bigint[], ${ofSource((s) => s.origin ?? null)}::text[],
          ${ofSource((s) => s.origin_id ?? null)}::bigint[], ${ofSource((s) => s.document)}::text[],
          ${ofSource((s) => s.is_void ?? false)}::boolean[]) as m returning company_id`,
  )
}

class SimulationDone extends Error {}

/**
 * The movements, in every warehouse, that would have another cost if these postings had been written at their moments: they
 * are written, and then rolled back. The caller has locked the supplies for a replay. `undefined` if stock would have been
 * short.
 */
export async function simulate(
  db: Db,
  actor: Actor,
  source: MovementSource,
  steps: Posting[][],
): Promise<RecostedMovement[] | undefined> {
  let result: RecostedMovement[] | undefined
  return orElse<RecostedMovement[] | undefined>(
    db,
    (error) => error instanceof SimulationDone || isShortage(error),
    async () => {
      const recosted: RecostedMovement[] = []
      for (const postings of steps.filter(({ length }) => length > 0)) {
        const planned = await plan(db, actor, postings)
        await writePlan(db, actor, source, planned)
        recosted.push(...(await replayTransfers(db, actor, recostedIn(planned), source)))
      }
      result = recosted
      throw new SimulationDone()
    },
    async () => result,
  )
}

/** There is not enough stock, or its value is not enough. */
export const isShortage = (error: unknown) => error instanceof Problem && error.status === 422
