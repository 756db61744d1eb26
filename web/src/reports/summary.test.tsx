// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { seriesOf } from './summary.tsx'

afterEach(() => vi.useRealTimers())

it("shows the month as far as the company's day, whatever day it is where it is looked at", () => {
  vi.useFakeTimers({ now: new Date('2026-11-18T01:30:00Z') })
  const expenses = {
    total: 30,
    before: 0,
    days: Array.from({ length: 30 }, () => 1),
    days_before: [],
    labour: null,
    total_with_labour: null,
    before_with_labour: null,
    days_with_labour: null,
    days_before_with_labour: null,
  }
  const shownIn = (zone: string) => seriesOf(expenses, zone)[0]!.values.filter((sum) => sum !== null).length
  expect(['America/Santiago', 'UTC', 'Pacific/Kiritimati'].map(shownIn)).toEqual([17, 18, 18])
})
