import { describe, expect, it } from 'vitest'
import { showAge, showDue, showHours, showWhen } from './words.ts'

const zone = 'America/Santiago'
const now = Date.parse('2026-11-15T15:00:00Z')
const order = (more: object) => ({
  status: 'PENDING' as const,
  deadline_at: null,
  date_estimed: null,
  hour_estimed: null,
  finalized_at: null,
  ...more,
})

describe('when an order is due', () => {
  it('is said in the words of the workshop', () => {
    const said = (more: object) => showDue(order(more), zone, now)?.text
    expect(said({ deadline_at: '2026-11-13T15:00:00Z' })).toBe('Atrasada 2 d')
    expect(said({ deadline_at: '2026-11-15T12:00:00Z' })).toBe('Atrasada 3 h')
    expect(said({ date_estimed: '2026-11-15' })).toBe('Hoy')
    expect(said({ date_estimed: '2026-11-16', hour_estimed: '09:00' })).toBe('Mañana')
    expect(said({ date_estimed: '2026-11-18' })).toBe('En 3 d')
    expect(said({})).toBeUndefined()
  })

  it('is when it was finalized, once it is', () => {
    const done = order({
      status: 'FINALIZED',
      deadline_at: '2026-11-01T00:00:00Z',
      finalized_at: '2026-11-12T02:00:00Z',
    })
    expect(showDue(done, zone, now)).toEqual({ text: '11 nov' })
  })
})

it('shows hours and ages as people say them', () => {
  expect([showHours(2.5), showHours(0.25), showHours(3), showHours(0)]).toEqual([
    '2 h 30 min',
    '15 min',
    '3 h',
    '0 min',
  ])
  const ago = (minutes: number) => showAge(new Date(now - minutes * 60_000).toISOString(), now)
  expect([ago(5), ago(180), ago(3 * 1440)]).toEqual(['5 min', '3 h', '3 d'])
  // A day that is not over is not counted.
  expect([ago(239), ago(9 * 1440 - 1), ago(8.6 * 1440)]).toEqual(['3 h', '8 d', '8 d'])
})

it('names the day as people do', () => {
  const said = (at: string) => showWhen(at, zone, now)
  expect(said('2026-11-15T13:22:00Z')).toBe('Hoy 10:22')
  expect(said('2026-11-14T20:40:00Z')).toBe('Ayer 17:40')
  expect(said('2026-11-02T11:12:00Z')).toBe('02 nov 08:12')
  expect(said('2025-11-02T11:12:00Z')).toBe('02 nov 2025 08:12')
})
