import { describe, expect, it } from 'vitest'
import type { PlannerItem } from '#contract/work-orders/planner.ts'
import {
  columnsOf,
  crossings,
  DAY,
  firstGap,
  hoursOf,
  type Lane,
  type Plan,
  placeAt,
  placed,
  rowsOf,
  type Span,
  sayPlace,
  showRange,
  showSpan,
  weekNumber,
} from './model.ts'

const MONDAY = '2026-11-16'
const usual = { from: 8, until: 18 }
const OPENING = [usual, usual, usual, usual, usual, { from: 8, until: 13 }, null]
const hours = hoursOf(MONDAY, OPENING)
const on = (day: number, hour: number) => day * DAY + hour * 60
const item = (id: number, more: Partial<PlannerItem> = {}) =>
  ({
    id,
    kind: 'planned',
    box_id: 1,
    specialist_id: null,
    workshop_id: 1,
    clashes: [],
    began: false,
    ...more,
  }) as PlannerItem
const one = (id: number, from: number, until: number) => ({ item: item(id), from, until })
const planOf = (busy: Span[] = [], view: 'week' | 'day' = 'week'): Plan => ({
  hours,
  view,
  lanes: 'box',
  now: on(0, 9),
  busyIn: () => busy,
})

describe('working hours', () => {
  it('do not count nights and closed days', () => {
    expect(hours.working({ from: on(0, 14), until: on(1, 10) })).toBe(6 * 60)
    expect(hours.working({ from: on(5, 8), until: on(7, 9) })).toBe(6 * 60)
  })

  it('stretch over them, and what begins at night lasts as long as it lasts', () => {
    expect(hours.stretch(on(0, 16), 240)).toEqual({ from: on(0, 16), until: on(1, 10) })
    expect(hours.stretch(on(5, 12), 120)).toEqual({ from: on(5, 12), until: on(7, 9) })
    expect(hours.stretch(on(0, 20), 120)).toEqual({ from: on(0, 20), until: on(0, 22) })
  })

  it('have gaps between what is there, in which a short job stays whole', () => {
    const busy = [one(1, on(0, 8), on(0, 12)), one(2, on(0, 13), on(0, 17))]
    expect(hours.gap(busy, 60, on(0, 8))).toEqual({ from: on(0, 12), until: on(0, 13) })
    expect(hours.gap(busy, 120, on(0, 8))).toEqual({ from: on(1, 8), until: on(1, 10) })
    expect(hours.gap([], 60, on(6, 8))).toEqual({ from: on(7, 8), until: on(7, 9) })
  })
})

describe('a lane', () => {
  const columns = columnsOf('week', hours, false, [])

  it('has a column per day, and a strip for a closed one that is empty', () => {
    expect(columns.map(({ folded }) => folded)).toEqual([false, false, false, false, false, false, true])
    expect(columnsOf('week', hours, false, [{ from: on(6, 9), until: on(6, 10) }])[6]?.folded).toBe(false)
    expect(columnsOf('day', hours, false, [])).toHaveLength(10)
    expect(columnsOf('day', hours, true, [])).toHaveLength(24)
  })

  it('puts what begins first on top, and days on end into one card', () => {
    const rows = rowsOf(
      [one(1, on(1, 8), on(1, 10)), one(2, on(0, 8), on(2, 12)), one(3, on(1, 11), on(1, 12))],
      columns,
      1,
    )
    expect(rows.map(({ item: { id }, row, first, last }) => [id, row, first, last])).toEqual([
      [2, 0, 0, 2],
      [1, 1, 1, 1],
      [3, 2, 1, 1],
    ])
  })

  it('is shown where two lie on each other', () => {
    expect(crossings([one(1, 0, 100), one(2, 60, 160), one(3, 200, 210)])).toEqual([{ from: 60, until: 100 }])
  })
})

describe('where something would go', () => {
  const [, tuesday] = columnsOf('week', hours, false, [])
  const target = { lane: 2, column: tuesday!, at: 0 }

  it('is its own hour on another day; the first free one where it has none', () => {
    expect(placeAt(one(1, on(0, 9), on(0, 11)), target, planOf())).toEqual({
      lane: 2,
      from: on(1, 9),
      until: on(1, 11),
    })
    const busy = [{ from: on(1, 8), until: on(1, 10) }]
    expect(placeAt({ item: item(1, { hours: 3 }) }, target, planOf(busy))).toEqual({
      lane: 2,
      from: on(1, 10),
      until: on(1, 13),
    })
  })

  it('is not before now on the day that is going on', () => {
    const [monday] = columnsOf('week', hours, false, [])
    const place = placeAt({ item: item(1, { hours: 1 }) }, { lane: 2, column: monday!, at: 0 }, planOf())
    expect(place).toEqual({ lane: 2, from: on(0, 9), until: on(0, 10) })
  })

  it('keeps the hours of what came already', () => {
    const came = { item: item(1, { began: true }), from: on(0, 9), until: on(0, 11) }
    expect(placeAt(came, target, planOf())).toEqual({ lane: 2, from: on(0, 9), until: on(0, 11) })
  })

  it('in a view of hours is the hour under the pointer', () => {
    const [eight] = columnsOf('day', hours, false, [])
    const place = placeAt({ item: item(1, { hours: 1 }) }, { lane: 2, column: eight!, at: 0.6 }, planOf([], 'day'))
    expect(place).toEqual({ lane: 2, from: on(0, 8.5), until: on(0, 9.5) })
  })

  it('is the earliest gap of its own workshop', () => {
    const lane = (id: number, workshop_id = 1): Lane => ({ id, name: `Box ${id}`, about: null, workshop_id })
    const plan: Plan = { ...planOf(), busyIn: (id) => (id === 1 ? [{ from: on(0, 8), until: on(0, 18) }] : []) }
    const free = item(9, { box_id: null, hours: 1 })
    expect(firstGap({ item: free }, [lane(1), lane(2), lane(3, 2)], plan.now, plan)?.lane).toBe(2)
    expect(firstGap({ item: item(9, { hours: 1 }) }, [lane(1), lane(2)], plan.now, plan)).toMatchObject({
      lane: 1,
      from: on(1, 8),
    })
  })
})

it('time is that of the company’s wall', () => {
  const [at] = placed(
    [item(1, { start: '2026-11-16T12:00:00.000Z', until: '2026-11-17T13:30:00.000Z' })],
    'America/Santiago',
    MONDAY,
  )
  expect(at).toMatchObject({ from: on(0, 9), until: on(1, 10.5) })
  expect(showSpan(at!, MONDAY)).toBe('16 nov 9:00 – 17 nov 10:30')
  expect(sayPlace({ from: on(4, 8), until: on(4, 10.5) }, MONDAY)).toBe('vie 20, 8:00–10:30')
  expect(showRange(MONDAY, '2026-11-22')).toBe('16 – 22 nov 2026')
  expect(showRange('2026-11-30', '2026-12-06')).toBe('30 nov – 6 dic 2026')
  expect(weekNumber(MONDAY)).toBe(47)
})
