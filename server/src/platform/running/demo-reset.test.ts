import { afterEach, expect, it, vi } from 'vitest'
import { nextReset, resetByClock } from './demo-reset.ts'

// A file of its own: the timers of a running product would be faked as well, and fire for each of the hours that pass here.
afterEach(() => {
  vi.useRealTimers()
})

it('begins anew at whole multiples of the hours, again and again', async () => {
  const noon = Date.UTC(2026, 10, 19, 12, 0)
  expect(nextReset(noon, 6)).toBe(Date.UTC(2026, 10, 19, 18))
  expect(nextReset(noon - 1, 6)).toBe(noon)
  vi.useFakeTimers({ now: noon + 60_000 })
  const reset = vi.fn(async () => undefined)
  const clock = resetByClock(6, reset)
  await vi.advanceTimersByTimeAsync(6 * 3_600_000 - 60_001)
  expect(reset).toHaveBeenCalledTimes(0)
  await vi.advanceTimersByTimeAsync(2)
  expect(reset).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(12 * 3_600_000)
  expect(reset).toHaveBeenCalledTimes(3)
  clock.stop()
})
