import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentAmounts, lineAmounts, TAX_TYPES, TAXES } from '#contract/base/money.ts'
import { apply, costOf, EMPTY, fromText, type Level, type Move, toText } from './ledger.ts'

const quantity = fc.integer({ min: 1, max: 10_000_000 }).map((n) => n / 10_000)
const unit_cost = fc.integer({ min: 0, max: 2_000_000_000 }).map((n) => n / 10_000)
const line = fc.record({ quantity, unit_cost, tax_type: fc.constantFrom(...TAX_TYPES) })

describe('amounts', () => {
  it('of a line are the exact product, rounded half up once', () => {
    fc.assert(
      fc.property(line, ({ quantity, unit_cost, tax_type }) => {
        const { net_cost, tax, total_cost } = lineAmounts({ quantity, unit_cost, tax_type })
        const exact = BigInt(Math.round(quantity * 1e4)) * BigInt(Math.round(unit_cost * 1e4))
        const near = (pesos: number, of: bigint, scale: bigint) => {
          const off = 2n * (BigInt(pesos) * scale - of)
          return off > -scale && off <= scale
        }
        expect(near(net_cost, exact, 10n ** 8n)).toBe(true)
        expect(near(total_cost, exact * BigInt(100 + TAXES[tax_type].percent), 10n ** 10n)).toBe(true)
        expect(net_cost + tax).toBe(total_cost)
      }),
    )
  })

  it('of a document add up: subtotal + IVA = total', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 50 }), (lines) => {
        const amounts = lines.map(lineAmounts)
        const { subtotal, tax, total } = documentAmounts(amounts)
        expect(subtotal + tax).toBe(total)
        expect(subtotal).toBe(amounts.reduce((sum, each) => sum + each.net_cost, 0))
      }),
    )
  })

  it('do not lose halves to floating point', () => {
    expect(lineAmounts({ quantity: 1.005, unit_cost: 100, tax_type: 'exempt' }).net_cost).toBe(101)
    expect(lineAmounts({ quantity: 0.5, unit_cost: 1, tax_type: '19' })).toEqual({ net_cost: 1, tax: 0, total_cost: 1 })
  })
})

const entry = fc.record({ quantity: fc.bigInt(1n, 100_000_000n), cost: fc.bigInt(0n, 500_000_000n) })
const steps = fc.array(
  fc.oneof(
    entry.map(({ quantity, cost }): Move => ({ quantity, value: costOf(quantity, cost) })),
    fc.bigInt(1n, 100_000_000n).map((quantity): Move => ({ quantity: -quantity, value: undefined })),
  ),
  { maxLength: 60 },
)
const run = (moves: Move[]) => {
  let level: Level = EMPTY
  const applied: { before: Level; after: Level & { moved: bigint }; move: Move }[] = []
  for (const move of moves) {
    const after = apply(level, move)
    if (!after) continue
    applied.push({ before: level, after, move })
    level = after
  }
  return { level, applied }
}

describe('a level', () => {
  it('is the sum of its movements, in quantity and in value, and never below zero', () => {
    fc.assert(
      fc.property(steps, (moves) => {
        const { level, applied } = run(moves)
        expect(applied.reduce((sum, { move }) => sum + move.quantity, 0n)).toBe(level.on_hand)
        expect(applied.reduce((sum, { after }) => sum + after.moved, 0n)).toBe(level.value)
        for (const { after } of applied) expect(after.on_hand >= 0n && after.value >= 0n).toBe(true)
      }),
    )
  })

  it('keeps its average through exits, and is worth nothing once empty', () => {
    fc.assert(
      fc.property(steps, (moves) => {
        for (const { before, after, move } of run(moves).applied) {
          if (move.quantity < 0n) expect(after.average_cost).toBe(before.average_cost)
          if (after.on_hand === 0n) expect(after.value).toBe(0n)
          else if (move.quantity > 0n) {
            const off = after.average_cost * after.on_hand - after.value * 10_000n
            expect((off < 0n ? -off : off) * 2n <= after.on_hand).toBe(true)
          }
        }
      }),
    )
  })

  it('gives nobody what is not there', () => {
    expect(apply({ on_hand: 5n, value: 5n, average_cost: 1n }, { quantity: -6n, value: undefined })).toBeUndefined()
  })
})

it('reads and writes numbers as the database does', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 18n), 10n ** 18n), (n) => {
      expect(fromText(toText(n))).toBe(n)
    }),
  )
})
