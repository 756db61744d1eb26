import fc from 'fast-check'
import { expect, it } from 'vitest'
import { showHours, showMoney, showNumber, showPerKm, showQuantity, showShare } from './money.ts'

it('has one kind of minus', () => {
  expect([showNumber(-1500), showMoney(-1500), showQuantity(-2.5), showShare(-0.25), showPerKm(-3)]).toEqual([
    '−1.500',
    '−$1.500',
    '−2,5',
    '−25,0 %',
    '−$3',
  ])
})

it('writes every figure as `Intl` would', () => {
  const written = (minimumFractionDigits: number, maximumFractionDigits: number) => {
    const { format } = new Intl.NumberFormat('es-CL', {
      useGrouping: true,
      minimumFractionDigits,
      maximumFractionDigits,
    })
    return (n: number) =>
      format(n)
        .replace('-', '−')
        .replace(/^−(0(,0+)?)$/, '$1')
  }
  const figure = fc.oneof(
    fc.double({ min: -1e11, max: 1e11, noNaN: true }),
    fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }),
    // Those that lie between two.
    fc.integer({ min: -1e9, max: 1e9 }).map((n) => n / 20_000),
    fc.double({ min: -0.001, max: 0.001, noNaN: true }),
  )
  fc.assert(
    fc.property(figure, (n) => {
      expect(showNumber(n)).toBe(written(0, 0)(n))
      expect(showQuantity(n)).toBe(written(0, 4)(n))
      expect(showHours(n)).toBe(`${written(1, 1)(n)} h`)
    }),
    { numRuns: 2000 },
  )
  expect([showQuantity(1.00005), showHours(0.25), showNumber(999.5), showNumber(-0.3)]).toEqual([
    '1,0001',
    '0,3 h',
    '1.000',
    '0',
  ])
})
