import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalPatent, Patent, showPatent, TruckList } from '../fleet/fleet.ts'
import { BetweenDate, formatQuery, Instant, parseQuery } from './wire.ts'

describe('query strings', () => {
  it('understand filters, repeated values and both spellings of the page size', () => {
    expect(parseQuery('filter[Search]=a%20b&filter[Brand]=1&filter[Brand]=2&perPage=5')).toEqual({
      filter: { Search: 'a b', Brand: ['1', '2'] },
      per_page: '5',
    })
    expect(parseQuery('filter[__proto__]=1&__proto__[x]=2&constructor=3')).toEqual({})
  })

  it('come back as they were, whatever the filter holds', () => {
    fc.assert(
      fc.property(
        fc.record({
          page: fc.integer({ min: 1, max: 1_000_000 }),
          Search: fc.string({ minLength: 1, maxLength: 50 }).filter((s) => s.trim() === s && s.isWellFormed()),
          Brand: fc.array(fc.integer({ min: 1, max: 1e9 }), { minLength: 1, maxLength: 5 }),
        }),
        ({ page, Search, Brand }) => {
          const asked = TruckList.parse({ page, sort: '-code', filter: { Search, Brand } })
          expect(TruckList.parse(parseQuery(formatQuery(asked)))).toEqual(asked)
        },
      ),
    )
  })
})

describe('date ranges', () => {
  it.each(['2026-01-01,2026-01-31', '2026-01-01 00:00:00,2026-01-31 23:59:59', undefined, ''])('%s is one', (text) => {
    expect(BetweenDate.safeParse(text).success).toBe(true)
  })
  it.each([
    '2026-01-01',
    '2026-02-30,2026-03-01',
    '2026-02-01,2026-01-01',
    'a,b',
    '2026-01-01 24:00:00,2026-01-02',
    '1,2,3',
  ])('%s is none', (text) => {
    expect(BetweenDate.safeParse(text).error?.issues[0]?.message).toBe('El rango de fechas no es válido.')
  })
})

describe('moments', () => {
  it.each(['2026-11-15T10:00:00Z', '2026-11-15T10:00:00.123-03:00'])('%s is one', (text) => {
    expect(Instant.safeParse(text).success).toBe(true)
  })
  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00', '3026-01-01T00:00:00Z', 'ayer'])(
    '%s is none',
    (text) => {
      expect(Instant.safeParse(text).success).toBe(false)
    },
  )
})

describe('plates', () => {
  it.each([
    ['bbbb-12', 'BBBB12', 'BBBB·12'],
    ['AB 1234', 'AB1234', 'AB·1234'],
    ['aa·123·bb', 'AA123BB', 'AA·123·BB'],
  ])('%s is kept as %s and shown as %s', (typed, kept, shown) => {
    expect(Patent.parse(typed)).toBe(kept)
    expect(showPatent(kept)).toBe(shown)
    expect(normalPatent(shown)).toBe(kept)
  })
})
