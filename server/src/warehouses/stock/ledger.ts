import { divideHalfUp } from '#contract/base/money.ts'

/**
 * The arithmetic of stock: how one movement changes a level. Quantities, costs and values are whole numbers of
 * ten-thousandths (of a unit, or of a peso), so that no rounding is lost between what comes in and what goes out.
 */

/** Identifies a level: one supply in one warehouse. */
export interface LevelKey {
  warehouse_id: number
  supply_id: number
}
export const keyOf = ({ warehouse_id, supply_id }: LevelKey) => `${warehouse_id} ${supply_id}`

export interface Level {
  on_hand: bigint
  value: bigint
  average_cost: bigint
}
export const EMPTY: Level = { on_hand: 0n, value: 0n, average_cost: 0n }

/** Such a level may exist only between two adjustments of value. */
export const hasValueButNoStock = ({ on_hand, value }: Level) => on_hand === 0n && value !== 0n

export interface Move {
  quantity: bigint
  /** Signed; `undefined` if it leaves at the average. */
  value: bigint | undefined
}

const SCALE = 10_000n

/** `123.45` as the database writes it → 1234500n */
export function fromText(text: string): bigint {
  // The fast way for columns with four decimals, which nearly all are.
  if (text.at(-5) === '.') return BigInt(text.slice(0, -5) + text.slice(-4))
  const [, sign, whole = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,4})0*)?$/.exec(text)!
  const n = BigInt(whole) * SCALE + BigInt(decimals.padEnd(4, '0'))
  return sign ? -n : n
}
export function toText(n: bigint): string {
  const size = n < 0n ? -n : n
  return `${n < 0n ? '-' : ''}${size / SCALE}.${String(size % SCALE).padStart(4, '0')}`
}
export const toNumber = (n: bigint) => Number(toText(n))

/** Quantity × unit cost. */
export const costOf = (quantity: bigint, unit_cost: bigint) => divideHalfUp(quantity * unit_cost, SCALE)

/**
 * The level after a movement, and the value that it moved; `undefined` if there is not enough stock. An entry adds its
 * value, and from then on the average is value ÷ quantity. An exit takes its share of the value and leaves the average
 * alone; the last unit takes all the value that is left. A movement of value alone may leave a value on an empty level,
 * until another adjustment takes it.
 */
export function apply(level: Level, { quantity, value }: Move): (Level & { moved: bigint }) | undefined {
  const on_hand = level.on_hand + quantity
  if (on_hand < 0n) return undefined
  const after = valueAfter(level, { quantity, value }, on_hand)
  const isEntry = quantity > 0n || value !== undefined
  const average_cost = isEntry && on_hand > 0n ? averageOf(level, on_hand, after, quantity) : level.average_cost
  return { on_hand, value: after, average_cost, moved: after - level.value }
}

function valueAfter(level: Level, { quantity, value }: Move, on_hand: bigint) {
  const isEmptied = on_hand === 0n && quantity !== 0n
  if (isEmptied) return 0n
  if (value === undefined) return divideHalfUp(level.value * on_hand, level.on_hand)
  const after = level.value + value
  return after < 0n ? 0n : after
}

/** An exit with a value of its own, such as a transfer, leaves the average alone if it differs only by a rounding. */
function averageOf(before: Level, on_hand: bigint, value: bigint, quantity: bigint) {
  const average = divideHalfUp(value * SCALE, on_hand)
  const drift = value - costOf(on_hand, before.average_cost)
  const rounding = costOf(on_hand, 1n) + 1n
  return quantity < 0n && drift <= rounding && -drift <= rounding ? before.average_cost : average
}
