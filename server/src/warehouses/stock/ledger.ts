import { divideHalfUp } from '#contract/base/money.ts'

/**
 * The arithmetic of stock: what one movement does to a level. Everything is a whole number of ten-thousandths (of a
 * unit, or of a peso), so that what went in and what came out add up to nothing, always.
 */

export interface Level {
  on_hand: bigint
  value: bigint
  average_cost: bigint
}
export const EMPTY: Level = { on_hand: 0n, value: 0n, average_cost: 0n }

export interface Move {
  quantity: bigint
  /** The value it brings or takes; none: it leaves at the average. */
  value: bigint | undefined
}

const SCALE = 10_000n

/** `123.45` as the database writes it → 1234500n */
export function fromText(text: string): bigint {
  // Columns with four decimals, which are nearly all there is.
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
 * What comes in adds its value, and the average is value ÷ quantity from then on. What goes out takes its share of
 * the value and leaves the average alone; the last unit out takes all that is left. What moves a value alone may do so on
 * an empty level, until another adjustment takes it again. `undefined`: there is not enough.
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

/** What leaves at exactly the average (a transfer) does not move it by a rounding. */
function averageOf(before: Level, on_hand: bigint, value: bigint, quantity: bigint) {
  const average = divideHalfUp(value * SCALE, on_hand)
  const drift = value - costOf(on_hand, before.average_cost)
  const rounding = costOf(on_hand, 1n) + 1n
  return quantity < 0n && drift <= rounding && -drift <= rounding ? before.average_cost : average
}
