import { divideHalfUp } from '#contract/base/money.ts'
import type { Rule } from './operations.ts'

/*
 * Movements change levels as the decisions say it, in one pass over all movements of a company, earliest first, each
 * valued by its rule when it is met. Quantities and values are whole ten-thousandths.
 */

export const scaled = (n: number) => BigInt(Math.round(n * 10_000))
export const plain = (n: bigint) => Number(n) / 10_000
/** Half away from zero, like an amount on paper. */
const divide = (n: bigint, by: bigint) => (n < 0n ? -divideHalfUp(-n, by) : divideHalfUp(n, by))
export const times = (quantity: bigint, unit: bigint) => divide(quantity * unit, 10_000n)
export const unitOf = (value: bigint, quantity: bigint) => divide(value * 10_000n, quantity)

export type Worth =
  | { by: 'price'; value: bigint }
  | { by: 'average' }
  /** Given back by an order: its share of what the order holds. */
  | { by: 'order' }
  /** Comes back to stock: its share of what the exit holds. */
  | { by: 'exit' }
  /** Found by a count: the average, or else the catalogue. */
  | { by: 'surplus'; posted: bigint }
  /** Comes from a transfer: a part of what its exit took. */
  | { by: 'arrival'; exit: Movement; part: bigint }
  /** Beside what it undoes, and the opposite of it. */
  | { by: 'undo'; of: Movement }
  /** Makes a return to a provider leave the rest at what it was worth. */
  | { by: 'settle'; quantity: bigint; value: bigint }
  /** Settles today the cost of a document or an order that may not change any more. */
  | { by: 'adjustment'; value: bigint }

export interface Movement {
  id: number
  at: number
  warehouse: number
  supply: number
  quantity: bigint
  worth: Worth
  document: number | null
  order: number | null
  /** The exit whose goods it takes or brings back. */
  exit: number | null
  /* Results of the pass. */
  moved: bigint
  balance: bigint
  total: bigint
  average: bigint
  /** The value of a return when it is written: its share of the goods that had not come back by then. */
  posted: bigint | null
  /** The unit cost on the document: the one written with it, until the value no longer fits. */
  unit: bigint | null
}
export type NewMovement = Omit<Movement, 'id' | 'moved' | 'balance' | 'total' | 'average' | 'posted' | 'unit'>

export interface Level {
  on_hand: bigint
  value: bigint
  average: bigint
}
const EMPTY: Level = { on_hand: 0n, value: 0n, average: 0n }
interface Held {
  quantity: bigint
  value: bigint
}

const follows = (a: Pick<Movement, 'at' | 'id'>, b: Pick<Movement, 'at' | 'id'>) =>
  a.at > b.at || (a.at === b.at && a.id > b.id)
export const placeOf = ({ warehouse, supply }: Pick<Movement, 'warehouse' | 'supply'>) => `${warehouse} ${supply}`
const share = ({ quantity, value }: Held, part: bigint) =>
  part === quantity || quantity === 0n ? value : divide(value * part, quantity)

/** A unit cost goes with a value if they differ by rounding alone: of the average, and of what leaves bit by bit. */
const goesWith = ({ unit, quantity, moved }: Movement) => {
  if (unit === null || quantity === 0n) return true
  const off = times(quantity, unit) - moved
  const rounding = times(quantity < 0n ? -quantity : quantity, 1n) + 10n
  return off <= rounding && -off <= rounding
}

/** The product accepted something for which the model has not enough. */
export class NotEnough extends Error {}

export class Ledger {
  readonly movements: Movement[] = []
  readonly #broken: ReadonlySet<Rule>
  #levels = new Map<string, Level>()
  #held = new Map<string, Held>()
  #lastId = 0
  /** Movements that are being added. */
  #fresh: ReadonlySet<Movement> = new Set()

  constructor(broken: ReadonlySet<Rule>) {
    this.#broken = broken
  }

  level = (place: string): Level => this.#levels.get(place) ?? EMPTY
  /** Goods that an order took of a supply in a warehouse and has not given back. */
  heldBy = (order: number, place: string): Held =>
    this.#held.get(`order ${order} ${place}`) ?? { quantity: 0n, value: 0n }
  ofDocument = (id: number) => this.movements.filter(({ document }) => document === id)

  /** Adjustments of a return that is voided are no part any more of what its exit is worth. */
  release(returned: Movement[]) {
    const adjustments = returned.filter(({ worth }) => worth.by === 'adjustment')
    for (const one of adjustments) one.exit = null
    if (adjustments.length > 0) this.#replay()
  }

  #replay() {
    this.#levels = new Map()
    this.#held = new Map()
    for (const one of this.movements) {
      this.#pass(one)
      if (!goesWith(one)) one.unit = unitOf(one.moved, one.quantity)
    }
  }

  /**
   * Adds these movements step by step, looks at which others are worth something else then, and takes them out again.
   * Undefined if there would not have been enough.
   */
  rehearse(steps: NewMovement[][]): { of: Movement; more: bigint }[] | undefined {
    const before = this.movements.map((of) => ({ of, was: { ...of } }))
    const [levels, held, lastId] = [new Map(this.#levels), new Map(this.#held), this.#lastId]
    try {
      for (const step of steps) this.add(step)
      return before.map(({ of, was }) => ({ of, more: of.moved - was.moved })).filter(({ more }) => more !== 0n)
    } catch (error) {
      if (error instanceof NotEnough) return undefined
      throw error
    } finally {
      this.movements.splice(0, this.movements.length, ...before.map(({ of, was }) => Object.assign(of, was)))
      this.#levels = levels
      this.#held = held
      this.#lastId = lastId
    }
  }

  /** Adds movements; true if something that was there before comes after one of them. */
  add(added: NewMovement[]): { late: boolean; made: Movement[] } {
    const made = added.map((one): Movement => {
      this.#lastId += 1
      const posted = one.worth.by === 'exit' ? share(this.#leftOf(one), one.quantity) : null
      return { ...one, id: this.#lastId, moved: 0n, balance: 0n, total: 0n, average: 0n, posted, unit: null }
    })
    this.#fresh = new Set(made)
    const last = this.movements.at(-1)
    const late = last !== undefined && made.some((one) => !follows(one, last))
    if (!late)
      for (const one of made) {
        this.movements.push(one)
        this.#pass(one)
      }
    else {
      this.movements.push(...made)
      this.movements.sort((a, b) => (follows(a, b) ? 1 : -1))
      this.#replay()
    }
    for (const one of made) {
      const { on_hand, value } = this.level(placeOf(one))
      if (on_hand === 0n && value !== 0n) throw new NotEnough(`A value without goods: ${placeOf(one)}`)
    }
    return { late, made }
  }

  #pass(one: Movement) {
    const place = placeOf(one)
    const before = this.level(place)
    const value = this.#valueOf(one, before)
    const after = this.#moved(before, one.quantity, value)
    one.moved = after.value - before.value
    const isWorthless = one.quantity !== 0n && before.on_hand === 0n && before.value !== 0n
    if (isWorthless || (value !== undefined && one.moved !== value))
      throw new NotEnough(`The model would take more than it is worth: ${place}`)
    Object.assign(one, { balance: after.on_hand, total: after.value, average: after.average })
    one.unit ??= one.quantity === 0n ? 0n : this.#unitOf(one, before)
    this.#levels.set(place, after)
    if (one.order !== null) this.#hold(`order ${one.order} ${place}`, one)
    if (one.exit !== null) this.#hold(`exit ${one.exit} ${place}`, one)
  }

  #unitOf(one: Movement, before: Level) {
    const { worth, moved, quantity } = one
    if (worth.by === 'average') return before.average
    // Goods cost at their arrival what the sending document said, unless an adjustment of it says something else since.
    const isAsSent = worth.by === 'arrival' && this.#adjustedBefore(one, worth.exit) === 0n
    return isAsSent ? worth.exit.unit : unitOf(moved, quantity)
  }

  #hold(key: string, { quantity, moved }: Movement) {
    const held = this.#held.get(key) ?? { quantity: 0n, value: 0n }
    this.#held.set(key, { quantity: held.quantity - quantity, value: held.value - moved })
  }

  /** The part of an exit that has not come back. */
  #leftOf = (one: Pick<Movement, 'warehouse' | 'supply' | 'exit'>): Held => ({
    ...(this.#held.get(`exit ${one.exit} ${placeOf(one)}`) ?? { quantity: 0n, value: 0n }),
  })
  /** Adjustments of an exit that were there when a return of it was dated before them: they are part of what came back. */
  #adjustedLater = (one: Movement) =>
    this.movements
      .slice(this.movements.indexOf(one) + 1)
      .filter(({ id, quantity, exit }) => id < one.id && quantity === 0n && exit === one.exit)
      .filter((other) => placeOf(other) === placeOf(one))
      .reduce((all, { moved }) => all - moved, 0n)

  /** `undefined`: it leaves at the average. */
  #valueOf(one: Movement, level: Level): bigint | undefined {
    const { worth, quantity, order, posted } = one
    const place = placeOf(one)
    switch (worth.by) {
      case 'price':
      case 'adjustment':
        return worth.value
      case 'average':
        return undefined
      case 'order':
        return share(this.heldBy(order!, place), quantity)
      case 'exit': {
        if (this.#broken.has('return')) return 0n
        const left = this.#leftOf(one)
        left.value += this.#adjustedLater(one)
        // One that was voided keeps its value when other returns have taken all of the exit.
        return this.#fresh.has(one) || left.quantity < quantity ? posted! : share(left, quantity)
      }
      case 'surplus':
        return level.average > 0n ? times(quantity, level.average) : worth.posted
      case 'arrival': {
        if (this.#broken.has('transfer')) return 0n
        const all = { quantity: -worth.exit.quantity, value: -worth.exit.moved - this.#adjustedBefore(one, worth.exit) }
        return worth.part < 0n ? -share(all, -worth.part) : share(all, worth.part)
      }
      case 'undo':
        return -worth.of.moved
      case 'settle':
        return this.#moved(level, worth.quantity, undefined).value - level.value - worth.value
    }
  }

  /** Adjustments of an exit that were booked before its goods arrived. */
  #adjustedBefore = (arrival: Movement, { document, supply }: Movement) =>
    this.movements
      .filter((one) => one.document === document && one.supply === supply && one.worth.by === 'adjustment')
      .filter((one) => !follows(one, arrival))
      .reduce((all, { moved }) => all + moved, 0n)

  /** The rule of the average: entries move it, exits do not, and the last unit takes all that is left. */
  #moved(level: Level, quantity: bigint, value: bigint | undefined): Level {
    const on_hand = level.on_hand + quantity
    if (on_hand < 0n) throw new NotEnough('The model would take more than there is')
    if (on_hand === 0n && quantity !== 0n) return { on_hand, value: 0n, average: level.average }
    if (value === undefined)
      return { on_hand, value: divideHalfUp(level.value * on_hand, level.on_hand), average: level.average }
    const sum = level.value + value
    const total = sum < 0n ? 0n : sum
    if (on_hand === 0n) return { on_hand, value: total, average: level.average }
    const average = divideHalfUp(total * 10_000n, on_hand)
    if (this.#broken.has('average cost') && quantity > 0n)
      return { on_hand, value: total, average: unitOf(value, quantity) }
    // An exit at its own value that is the average but for a rounding leaves the average alone.
    const drift = total - times(on_hand, level.average)
    const rounding = times(on_hand, 1n) + 1n
    const isRounding = quantity < 0n && drift <= rounding && -drift <= rounding
    return { on_hand, value: total, average: isRounding ? level.average : average }
  }
}
