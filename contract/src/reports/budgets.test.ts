import { expect, it } from 'vitest'
import { readPesos } from './budgets.ts'

it('reads amounts as spreadsheets write them, and nothing else', () => {
  for (const text of ['1234567', '1.234.567', '1,234,567', '$ 1.234.567', ' $1.234.567,00', '1,234,567.00'])
    expect([text, readPesos(text)]).toEqual([text, 1_234_567])
  for (const text of ['', ' ', '-']) expect(readPesos(text)).toBeNull()
  for (const text of ['abc', '12,5', '-5', '1.23', '1.234.56', '#N/A']) expect(readPesos(text)).toBeUndefined()
  expect([readPesos('0'), readPesos('1.500')]).toEqual([0, 1500])
})
