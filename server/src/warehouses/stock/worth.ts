import { sql } from 'drizzle-orm'
import { divideHalfUp } from '#contract/base/money.ts'
import { COST_ADJUSTMENT, typeNamed } from '#contract/warehouses/stock.ts'
import { COMPANY, type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { movementsTable, transactionLinesTable, transactionsTable } from '../tables.ts'
import { apply, costOf, fromText, type Level, type LevelKey } from './ledger.ts'

/*
 * The value of each movement during a replay of a stock level. Most movements bring their own value or leave at the
 * average cost. The others take their value from another movement, so that the order in which documents were typed makes
 * no difference.
 */

/** A point between movements: after everything of that moment up to that id. */
export interface Point {
  at: string
  id: string | number
}

export const ofLevel = (actor: Actor, { warehouse_id, supply_id }: LevelKey) =>
  sql`m.company_id = ${actor.company_id} and m.warehouse_id = ${warehouse_id} and m.supply_id = ${supply_id}`

/** A movement after the point from which the level is replayed. */
export interface LaterMovement {
  id: string
  quantity: bigint
  valued: boolean
  follows: boolean
  is_void: boolean
  posted_value: bigint
  value: bigint
  typeTrasactionId: number
  transaction_id: number | null
  origin: string | null
  origin_id: number | null
}

const RETURN = typeNamed('entry', 'return')
const SURPLUS = typeNamed('entry', 'adjustment')
const PROVIDER_RETURN = typeNamed('exit', 'provider_return')

/** The value of a part of `held`. The last part gets all the value that is left, so that no rounding remains. */
export const shareOf = (held: { quantity: bigint; value: bigint }, quantity: bigint) =>
  quantity === held.quantity || held.quantity === 0n ? held.value : divideHalfUp(held.value * quantity, held.quantity)

/** A surplus of a count, or a return that names no exit, has no cost of its own and comes in at the average of its moment. */
const isAtAverage = ({ typeTrasactionId, follows, origin, is_void }: LaterMovement) =>
  follows && origin === null && !is_void && (typeTrasactionId === SURPLUS || typeTrasactionId === RETURN)
const isFromTransfer = (movement: LaterMovement) =>
  movement.follows && movement.origin === null && !movement.is_void && !isAtAverage(movement)
/** A cost adjustment that belongs to a document. */
const isAdjustment = ({ typeTrasactionId, origin }: Owner) => typeTrasactionId === COST_ADJUSTMENT.id && origin === null
/** A return to stock; its document may name the exit whose goods it brings back. */
const isReturn = ({ typeTrasactionId, origin, is_void }: LaterMovement) =>
  typeTrasactionId === RETURN && origin === null && !is_void

type Owner = Pick<LaterMovement, 'typeTrasactionId' | 'origin' | 'origin_id' | 'transaction_id' | 'is_void'>

/** The exit behind each return, by the document of the return, and the documents of returns that were voided. */
interface ReturnedExits {
  exits: Map<number, number>
  voided: Set<number>
}

/** Running totals, in replay order, of the goods that documents and orders took and did not give back. */
class GoodsTaken {
  readonly #totals = new Map<string, { quantity: bigint; value: bigint }>()
  /** The exit behind each return, by the document of the return. */
  readonly #exits: Map<number, number>
  readonly #voidedReturns: Set<number>
  readonly #later: LaterMovement[]
  /** Values of the standing cost adjustments of each document, in their order. */
  readonly #adjustments = new Map<number, bigint[]>()

  /** Adds up only the documents and orders that `followers` take their value from. */
  constructor({ exits, voided }: ReturnedExits, followers: Owner[], later: LaterMovement[]) {
    this.#exits = exits
    this.#voidedReturns = voided
    this.#later = later
    for (const key of [...followers.map(ownerKey), ...[...exits.values()].map(exitKey)])
      this.#totals.set(key, { quantity: 0n, value: 0n })
  }

  exitOf = ({ transaction_id }: Owner) => this.#exits.get(transaction_id!)
  ofOwner = (movement: Owner) => this.#totals.get(ownerKey(movement))!
  ofExit = (exit: number) => this.#totals.get(exitKey(exit))!

  /**
   * The value that adjustments took off the exit that were booked when the return was written and are dated after it: the
   * return may be dated before them, and they are part of what came back.
   */
  adjustedAfter({ id }: LaterMovement, exit: number): bigint {
    const i = this.#later.findIndex((movement) => movement.id === id)
    return this.#later
      .slice(i + 1)
      .filter((other) => isAdjustment(other) && BigInt(other.id) < BigInt(id) && this.#exitBehind(other) === exit)
      .reduce((sum, { value }) => sum - value, 0n)
  }

  /** The void of a return leaves an adjustment on the return, which is none of its exit. */
  #exitBehind(movement: Owner): number {
    const own = movement.transaction_id!
    return isAdjustment(movement) && this.#voidedReturns.has(own) ? own : (this.exitOf(movement) ?? own)
  }

  /**
   * The value of the adjustment that an opposite undoes. A void of today writes opposites by value, so it is the
   * adjustment of the value that the opposite was posted with, or the first that stands if that one was recosted since.
   */
  adjustmentOf({ transaction_id, posted_value }: LaterMovement) {
    const standing = this.#adjustments.get(transaction_id!) ?? []
    return standing[indexOfUndone(standing, posted_value)]
  }

  add(movement: Owner, quantity: bigint, moved: bigint) {
    if (isAdjustment(movement) && movement.transaction_id !== null) this.#addAdjustment(movement, moved)
    if (this.#totals.size === 0) return
    // The adjustment of a document is undone by its own opposite, but is part of the value that its goods come back at.
    if (movement.origin !== null || quantity !== 0n) this.#addTo(ownerKey(movement), quantity, moved)
    if (movement.origin === null && this.#exits.size > 0)
      this.#addTo(exitKey(this.#exitBehind(movement)), quantity, moved)
  }

  #addAdjustment({ transaction_id, is_void }: Owner, moved: bigint) {
    const standing = this.#adjustments.get(transaction_id!) ?? []
    const next = is_void ? standing.toSpliced(indexOfUndone(standing, moved), 1) : [...standing, moved]
    this.#adjustments.set(transaction_id!, next)
  }

  #addTo(key: string, quantity: bigint, moved: bigint) {
    const total = this.#totals.get(key)
    if (!total) return
    total.quantity -= quantity
    total.value -= moved
  }
}
const indexOfUndone = (standing: bigint[], opposite: bigint) => Math.max(0, standing.indexOf(-opposite))
const ownerKey = ({ origin, origin_id, transaction_id }: Owner) =>
  origin === null ? `${transaction_id}` : `${origin} ${origin_id}`
const exitKey = (exit: number) => `exit ${exit}`

/**
 * Values the movements after a point one by one, in their order: the replay asks `valueOf` each, with the level before it,
 * and passes it to `add` once it has moved.
 */
export class Valuation {
  readonly #taken: GoodsTaken
  /** The value of each transfer that arrives here, by the document of its entry. */
  readonly #transferred: Map<number, bigint>
  readonly #providerReturns: ProviderReturns

  private constructor(taken: GoodsTaken, transferred: Map<number, bigint>, providerReturns: ProviderReturns) {
    this.#taken = taken
    this.#transferred = transferred
    this.#providerReturns = providerReturns
  }

  static async load(db: Db, actor: Actor, key: LevelKey, point: Point, later: LaterMovement[]): Promise<Valuation> {
    const taken = await goodsTakenUntil(db, actor, key, point, later)
    const transferred = await transferredValues(db, actor, key, later)
    return new Valuation(taken, transferred, new ProviderReturns(later))
  }

  /** `undefined` if the movement leaves at the average. */
  valueOf(movement: LaterMovement, level: Level): bigint | undefined {
    if (isAdjustment(movement) && movement.is_void)
      return -(this.#taken.adjustmentOf(movement) ?? -movement.posted_value)
    const providerReturn = this.#providerReturns.settledBy(movement)
    if (providerReturn) return adjustmentFor(providerReturn, level) ?? movement.posted_value
    // Older releases wrote no adjustment for some returns to a provider; those leave at the average.
    if (this.#providerReturns.hasNoAdjustment(movement)) return undefined
    const exit = isReturn(movement) ? this.#taken.exitOf(movement) : undefined
    if (exit !== undefined) return this.#valueOfReturn(movement, exit)
    if (movement.follows) return this.#valueOfFollower(movement, level)
    return movement.valued ? movement.posted_value : undefined
  }

  add = (movement: LaterMovement, moved: bigint) => this.#taken.add(movement, movement.quantity, moved)

  #valueOfReturn(movement: LaterMovement, exit: number): bigint {
    const { quantity, value } = this.#taken.ofExit(exit)
    // A return dated before its exit has nothing to follow.
    if (quantity < movement.quantity) return movement.posted_value
    return shareOf({ quantity, value: value + this.#taken.adjustedAfter(movement, exit) }, movement.quantity)
  }

  #valueOfFollower(movement: LaterMovement, { average_cost }: Level): bigint | undefined {
    if (isAtAverage(movement))
      return average_cost > 0n ? costOf(movement.quantity, average_cost) : movement.posted_value
    if (isFromTransfer(movement)) return this.#transferred.get(movement.transaction_id!)
    return shareOf(this.#taken.ofOwner(movement), movement.quantity)
  }
}

/**
 * Goods that go back to a provider leave at the cost of their entry. The adjustment written just before that exit makes up
 * for the difference to the average, and is worked out again because the average changes with the past.
 */
class ProviderReturns {
  readonly #exits = new Map<number, LaterMovement>()
  readonly #adjusted = new Set<number>()

  constructor(later: LaterMovement[]) {
    for (const movement of later)
      if (movement.typeTrasactionId === PROVIDER_RETURN && !movement.is_void)
        this.#exits.set(movement.transaction_id!, movement)
    for (const movement of later) if (this.settledBy(movement)) this.#adjusted.add(movement.transaction_id!)
  }

  /** The exit whose difference this adjustment makes up for, if it is such an adjustment. */
  settledBy(movement: LaterMovement): LaterMovement | undefined {
    if (!isAdjustment(movement) || movement.is_void) return undefined
    const exit = this.#exits.get(movement.transaction_id!)
    // Adjustments booked after the exit belong to a closed month and stay as they are.
    return exit && BigInt(movement.id) < BigInt(exit.id) ? exit : undefined
  }

  hasNoAdjustment(movement: LaterMovement) {
    return this.#exits.get(movement.transaction_id!) === movement && !this.#adjusted.has(movement.transaction_id!)
  }
}

/** The adjustment that keeps the average unchanged by an exit at its own cost; `undefined` if stock is short. */
export function adjustmentFor(
  { quantity, posted_value }: Pick<LaterMovement, 'quantity' | 'posted_value'>,
  level: Level,
) {
  const atAverage = apply(level, { quantity, value: undefined })
  return atAverage && atAverage.moved - posted_value
}

async function goodsTakenUntil(
  db: Db,
  actor: Actor,
  key: LevelKey,
  { at, id }: Point,
  later: LaterMovement[],
): Promise<GoodsTaken> {
  const { exits, voided } = await returnedExits(db, actor, later)
  const followers = later.filter(({ follows }) => follows)
  const taken = new GoodsTaken({ exits, voided }, followers, later)
  const undone = later.filter((movement) => isAdjustment(movement) && movement.is_void)
  const documents = [
    ...[...followers, ...undone].flatMap((f) => f.transaction_id ?? []),
    ...exits.keys(),
    ...exits.values(),
  ]
  const origins = followers.flatMap((f) => f.origin_id ?? [])
  if (documents.length + origins.length === 0) return taken
  const before = await rows<Owner & { quantity: string; value: string }>(
    db,
    sql`select m."typeTrasactionId", m.origin, m.origin_id, m.transaction_id, m.is_void, m.quantity::text, m.value::text
        from ${movementsTable} m
        where ${ofLevel(actor, key)} and (m.at, m.id) <= (${at}::timestamptz, ${id}::bigint)
          and (m.origin_id = any(${sql.param([...new Set(origins)])}::bigint[])
            or m.transaction_id = any(${sql.param([...new Set(documents)])}::bigint[]))
        order by m.at, m.id`,
  )
  for (const movement of before) taken.add(movement, fromText(movement.quantity), fromText(movement.value))
  return taken
}

/**
 * The exit behind each return, keyed by the return's document, with earlier returns of the same exits; and which of them
 * were voided.
 */
async function returnedExits(db: Db, actor: Actor, later: LaterMovement[]): Promise<ReturnedExits> {
  const returns = later.flatMap((movement) => (isReturn(movement) ? (movement.transaction_id ?? []) : []))
  if (returns.length === 0) return { exits: new Map(), voided: new Set() }
  const siblings = await rows<{ id: number; returns_id: number; is_voided: boolean }>(
    db,
    sql`select o.id, o.returns_id, o.voided_at is not null as is_voided from ${transactionsTable} t
        join ${transactionsTable} o on o.company_id = t.company_id and o.returns_id = t.returns_id
          and o."typeTrasactionId" = ${RETURN}
        where t.company_id = ${actor.company_id} and t.id = any(${sql.param(returns)}::bigint[])`,
  )
  return {
    exits: new Map(siblings.map(({ id, returns_id }) => [id, returns_id])),
    voided: new Set(siblings.flatMap(({ id, is_voided }) => (is_voided ? id : []))),
  }
}

/** The value that each transfer brings, as its sending side stands now; goods lost on the way take their share. */
async function transferredValues(
  db: Db,
  actor: Actor,
  { supply_id }: LevelKey,
  later: LaterMovement[],
): Promise<Map<number, bigint>> {
  const entries = later.filter(isFromTransfer)
  if (entries.length === 0) return new Map()
  const exits = await rows<{ id: number; quantity: string; value: string; part: string }>(
    db,
    // Cost adjustments booked on the exit before the arrival are part of the value that arrives.
    sql`select t.id, (-m.quantity)::text as quantity, (-m.value - coalesce((
            select sum(a.value) from ${movementsTable} a
            where a.company_id = ${COMPANY} and a.transaction_id = t.transfer_id and a.supply_id = m.supply_id
              and a."typeTrasactionId" = ${COST_ADJUSTMENT.id} and not a.is_void and a.at <= e.at), 0))::text as value,
          (case t.type when 'entry' then l.quantity else -l.quantity end)::text as part
        from ${transactionsTable} t
        join ${transactionLinesTable} l on l.company_id = t.company_id and l.transaction_id = t.id
        join ${movementsTable} m on m.company_id = t.company_id and m.transaction_id = t.transfer_id
          and m.supply_id = coalesce(l.from_supply_id, l.supply_id)
        join ${movementsTable} e on e.company_id = t.company_id and e.transaction_id = t.id
          and e.supply_id = l.supply_id and not e.is_void and e.quantity <> 0
        where t.company_id = ${actor.company_id} and l.supply_id = ${supply_id} and not m.is_void and m.quantity <> 0
          and t.id = any(${sql.param(entries.map(({ transaction_id }) => transaction_id))}::bigint[])`,
  )
  return new Map(
    exits.map(({ id, quantity, value, part }) => {
      const sent = { quantity: fromText(quantity), value: fromText(value) }
      const n = fromText(part)
      return [id, n < 0n ? -shareOf(sent, -n) : shareOf(sent, n)]
    }),
  )
}

/** Levels with a return whose value differs from its exit's: older releases did not let returns follow their exit. */
export const levelsOfStaleReturns = (db: Db, { company_id }: Actor) =>
  rows<LevelKey>(
    db,
    sql`select distinct warehouse_id, supply_id from (
          select m.warehouse_id, m.supply_id, e.id,
            -sum(m.quantity) filter (where t.id = e.id) as taken, -sum(m.value) filter (where t.id = e.id) as value,
            sum(m.quantity) filter (where t.id <> e.id) as n, sum(m.value) filter (where t.id <> e.id) as back,
            count(*) filter (where t.id <> e.id) as returns, min(m.at) filter (where t.id <> e.id) as first_back,
            max(m.at) filter (where t.id = e.id and m.quantity <> 0) as left_at
          from ${transactionsTable} e
          join ${transactionsTable} t on t.company_id = e.company_id and (t.id = e.id or t.returns_id = e.id and t.voided_at is null)
          join ${movementsTable} m on m.company_id = t.company_id and m.transaction_id = t.id
          where e.company_id = ${company_id} and e.type = 'exit' and e.voided_at is null
            and exists (select from ${transactionsTable} r where r.company_id = ${COMPANY} and r.returns_id = e.id)
          group by 1, 2, 3) x
        where returns > 0 and first_back >= left_at and abs(back - value * n / taken) > 0.0001 * (returns + 1)`,
  )
