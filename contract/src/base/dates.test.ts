import { expect, it, vi } from 'vitest'
import { addMonths, instantOf, localOf } from './dates.ts'

it('a clock that jumps forward has no midnight: the day begins when it begins', () => {
  // In Chile 6 September 2026 starts at one in the morning.
  expect(instantOf('2026-09-06T00:00')).toBe('2026-09-06T04:00:00.000Z')
  expect(localOf(instantOf('2026-09-06T00:30'))).toBe('2026-09-06T01:30')
})

it('any other hour is where the clock shows it', () => {
  expect(instantOf('2026-09-05T23:59')).toBe('2026-09-06T03:59:00.000Z')
  expect(instantOf('2026-09-06T01:00')).toBe('2026-09-06T04:00:00.000Z')
  expect(instantOf('2026-04-05T00:00')).toBe('2026-04-05T04:00:00.000Z')
  expect(instantOf('2026-12-04T14:30')).toBe('2026-12-04T17:30:00.000Z')
})

it('the same day of another month is its last where it is shorter, and comes back where it is not', () => {
  expect(addMonths('2026-11-30', 1)).toBe('2026-12-30')
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-02-28', 1)).toBe('2026-03-28')
  expect(addMonths('2026-02-28', 1, 31)).toBe('2026-03-31')
  expect(addMonths('2024-02-29', 12)).toBe('2025-02-28')
  expect(addMonths('2026-03-31', -1)).toBe('2026-02-28')
})

it('the clock is right on every hour of a day on which it changes, and in any zone', () => {
  expect(localOf('2026-09-06T03:59:00Z')).toBe('2026-09-05T23:59')
  expect(localOf('2026-09-06T04:00:00Z')).toBe('2026-09-06T01:00')
  expect(localOf('2026-09-06T23:59:59Z')).toBe('2026-09-06T20:59')
  expect(localOf('2026-04-05T02:30:00Z')).toBe('2026-04-04T23:30')
  expect(localOf('2026-04-05T03:30:00Z')).toBe('2026-04-04T23:30')
  expect(localOf('2026-04-04T15:30:00Z', 'Australia/Lord_Howe')).toBe('2026-04-05T02:00')
})

it('asks the newer clock where there is one, and no other', () => {
  const toZonedDateTimeISO = vi.fn(() => ({ offsetNanoseconds: 5.75 * 3_600_000_000_000 }))
  vi.stubGlobal('Temporal', { Instant: { fromEpochMilliseconds: () => ({ toZonedDateTimeISO }) } })
  vi.stubGlobal('Intl', {})
  expect(localOf('2026-11-17T12:00:00Z', 'Asia/Kathmandu')).toBe('2026-11-17T17:45')
  expect(toZonedDateTimeISO).toHaveBeenCalledWith('Asia/Kathmandu')
  vi.unstubAllGlobals()
})
