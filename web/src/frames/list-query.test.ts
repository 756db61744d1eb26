import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatQuery, parseQuery } from '#contract/base/wire.ts'
import { TruckList } from '#contract/fleet/fleet.ts'
import { countFilters, readListQuery, writeListQuery } from './list-query.ts'

const read = (address: string) => readListQuery(TruckList, parseQuery(address))

describe('a list in the address', () => {
  it('reads what the endpoint itself would', () => {
    expect(read('filter[Search]=volvo&filter[Brand]=3,5&sort=-mileage&page=2')).toEqual({
      page: 2,
      per_page: 25,
      sort: '-mileage',
      filter: { Search: 'volvo', Brand: [3, 5] },
    })
  })

  it('drops what the endpoint would refuse and keeps the rest', () => {
    expect(read('filter[Brand]=abc&filter[State]=active&sort=colour&page=0&per_page=9999')).toEqual({
      page: 1,
      per_page: 25,
      filter: { State: ['active'] },
    })
    expect(read('filter=3')).toEqual({ page: 1, per_page: 25, filter: {} })
  })

  it('writes only what differs from the default', () => {
    expect(writeListQuery(TruckList, read(''))).toEqual({})
    expect(formatQuery(writeListQuery(TruckList, read('page=1&per_page=25&filter[State]=active')))).toBe(
      '?filter[State]=active',
    )
  })

  it('comes back the same from the address it was written to', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 9999 }), { minLength: 1, maxLength: 4 })
    const query = fc.record({
      page: fc.integer({ min: 1, max: 400 }),
      per_page: fc.constantFrom(25, 50, 100),
      sort: fc.option(fc.constantFrom('code', '-mileage', 'workshop_name'), { nil: undefined }),
      filter: fc.record(
        {
          Search: fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() === text),
          Brand: ids,
          Type: ids,
        },
        { requiredKeys: [] },
      ),
    })
    fc.assert(
      fc.property(query, (wanted) => {
        const address = formatQuery(writeListQuery(TruckList, wanted))
        expect(read(address.slice(1))).toEqual(TruckList.parse(wanted))
      }),
    )
  })

  it('counts the filters that are on; not the search, nor those a person cannot change', () => {
    const filter = { Search: 'volvo', Brand: [1, 2], State: ['active'], Type: [], WorkshopId: [4] }
    expect(countFilters(filter)).toBe(3)
    expect(countFilters(filter, ['WorkshopId'])).toBe(2)
  })
})
