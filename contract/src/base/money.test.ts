import { expect, it } from 'vitest'
import { showMoney, showNumber, showPerKm, showQuantity, showShare } from './money.ts'

it('has one kind of minus', () => {
  expect([showNumber(-1500), showMoney(-1500), showQuantity(-2.5), showShare(-0.25), showPerKm(-3)]).toEqual([
    '−1.500',
    '−$1.500',
    '−2,5',
    '−25,0 %',
    '−$3',
  ])
})
