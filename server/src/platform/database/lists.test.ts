import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openHouse } from '../../../test/house.ts'
import { between } from './conditions.ts'
import { rows } from './db.ts'
import { listPage } from './lists.ts'
import { havingWords, matches } from './words.ts'

const house = openHouse()
const SANTIAGO = 'America/Santiago'

/** Which of these instants lie in the range. */
const inside = (range: string, instants: string[], zone = SANTIAGO) =>
  house.app.database.read(null, async (db) => {
    const found = await rows<{ at: string }>(
      db,
      sql`select at from unnest(${sql.param(instants)}::timestamptz[]) as t(at) where ${between(sql`at`, range, zone)} order by at`,
    )
    return found.map(({ at }) => at)
  })

describe('days are days of the company’s time zone', () => {
  it('from their first to their last instant', async () => {
    const [before, first, last, after] = [
      '2026-06-10T03:59:59.999Z',
      '2026-06-10T04:00:00.000Z',
      '2026-06-11T03:59:59.999Z',
      '2026-06-11T04:00:00.000Z',
    ] as const
    expect(await inside('2026-06-10,2026-06-10', [before, first, last, after])).toEqual([first, last])
    expect(await inside('2026-06-10 00:00:00,2026-06-10 23:59:59', [before, first, last, after])).toEqual([first, last])
  })

  it('when the clock goes forward at midnight, and the day has 23 hours', async () => {
    // 2026-09-06 starts at 01:00: 00:00 does not exist.
    const [before, first, last, after] = [
      '2026-09-06T03:59:59.000Z',
      '2026-09-06T04:00:00.000Z',
      '2026-09-07T02:59:59.000Z',
      '2026-09-07T03:00:00.000Z',
    ] as const
    expect(await inside('2026-09-06,2026-09-06', [before, first, last, after])).toEqual([first, last])
  })

  it('when the clock goes back at midnight, and the day has 25 hours', async () => {
    // 2026-04-04 has its last hour twice.
    const [before, first, last, after] = [
      '2026-04-04T02:59:59.000Z',
      '2026-04-04T03:00:00.000Z',
      '2026-04-05T03:59:59.000Z',
      '2026-04-05T04:00:00.000Z',
    ] as const
    expect(await inside('2026-04-04,2026-04-04', [before, first, last, after])).toEqual([first, last])
  })
})

describe('words', () => {
  const between = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n))

  it('are found as they were written, whatever their signs', async () => {
    const signs = [...between(0x21, 0x7e), ...between(0xa1, 0x17f), ...'‐‑–—‘’“”„…′″⁄−№℃⅛⅓×½']
    const written = [...signs, 'Batería Nº 5', '1½″', 'n\u0303andu\u0301', '한글']
    const lost: string[] = []
    for (const text of written) {
      const has = matches(sql`plain(${text}::text)`, text)
      const [found] = await house.app.database.read(null, (db) => rows<{ has: boolean }>(db, sql`select ${has} as has`))
      if (!found!.has) lost.push(text)
    }
    expect(lost).toEqual([])
  })

  it('that are nothing but an accent ask for nothing', () => {
    expect(matches(sql`x`, ' \u0301 ')).toBeUndefined()
  })
})

describe('a page of a list', () => {
  const names = sql`(values (0, 'even'), (1, 'odd')) as m (rest, name)`
  /** `owner`: the page is found by id first. */
  const page = (
    query: object,
    { most = 10, where = sql`true`, owner }: { most?: number; where?: SQL; owner?: SQL } = {},
  ) => {
    const numbers = sql`(select n::int as id, n % 2 as rest from generate_series(1, ${most}::int) n) s`
    const named = sql`${numbers} left join ${names} on m.rest = s.rest`
    return house.app.database.read(null, (db) =>
      listPage<{ id: number; name: string }>(
        db,
        { page: 1, per_page: 3, ...query },
        {
          select: sql`s.id, m.name`,
          from: owner ? sql`${named} left join generate_series(1, 1) more on true` : named,
          pageFrom: owner && named,
          where,
          sorts: { id: sql`s.id`, name: sql`m.name`, late: sql`nullif(s.id / 4, 0)` },
          order: sql`s.id`,
          id: sql`s.id`,
          owner,
        },
      ),
    )
  }

  it('is counted to the last, or as far as is asked for', async () => {
    expect((await page({}, { most: 1_050 })).total).toBe(1_050)
    expect(await page({ count: 'bounded' }, { most: 1_050 })).toMatchObject({ total: 1_000, at_least: true })
    const few = await page({ count: 'bounded' }, { most: 1_000 })
    expect([few.total, few.at_least]).toEqual([1_000, undefined])
    const last = await page({ count: 'bounded', page: 351 }, { most: 1_051 })
    expect([last.data.length, last.total, last.at_least]).toEqual([1, 1_051, undefined])
  })

  it.each([
    ['at once', undefined],
    ['by its ids', sql`true`],
  ])('has the same rows, in the same order, found %s', async (_, owner) => {
    const ids = async (query: object, where?: SQL) => {
      const { data, total } = await page(query, { owner, ...(where && { where }) })
      return [data.map(({ id, name }) => `${id} ${name}`).join(), total]
    }
    expect(await ids({})).toEqual(['1 odd,2 even,3 odd', 10])
    expect(await ids({ page: 4 })).toEqual(['10 even', 10])
    expect(await ids({ page: 5 })).toEqual(['', 10])
    expect(await ids({ sort: '-id' })).toEqual(['10 even,9 odd,8 even', 10])
    expect(await ids({ sort: 'unknown' })).toEqual(['1 odd,2 even,3 odd', 10])
    // Equals follow the direction of the sort.
    expect(await ids({ sort: '-name', page: 2 })).toEqual(['3 odd,1 odd,10 even', 10])
    expect(await ids({ sort: 'name', page: 2 })).toEqual(['8 even,10 even,1 odd', 10])
    expect(await ids({ sort: 'name', page: 2 }, sql`s.id < 6`)).toEqual(['3 odd,5 odd', 5])
    // Rows without a value come last in both directions.
    expect(await ids({ sort: '-late', page: 3 })).toEqual(['4 even,3 odd,2 even', 10])
    expect(await ids({ sort: 'late', page: 4 })).toEqual(['3 odd', 10])
    expect(await ids({}, sql`s.id % 5 = 0`)).toEqual(['5 odd,10 even', 2])
    expect(await ids({}, sql`s.id > 10`)).toEqual(['', 0])
  })
})

describe('rows that have words', () => {
  const numbers = sql`(select n as id, n::text || ' kilos' as search from generate_series(1, 2000) n)`
  /** Says how they were found, and which. */
  const found = (search: string) =>
    house.app.database.read(null, async (db) => {
      const words = matches(sql`s.search`, search)!
      const asIndexed = sql`select s.id from ${numbers} s where ${words} and s.id < 2000`
      const where = await havingWords(db, sql`s`, {
        search,
        has: [words],
        ids: [asIndexed],
        recent: sql`select s.* from ${numbers} s order by s.id desc`,
      })
      const ids = await rows<{ id: number }>(db, sql`select s.id from ${numbers} s where ${where} order by s.id desc`)
      return ids.map(({ id }) => id)
    })

  it('are gathered by an index where few of the last ones have them', async () => {
    expect(await found('199 kilos')).toEqual([1999, 1998, 1997, 1996, 1995, 1994, 1993, 1992, 1991, 1990, 1199, 199])
  })

  it('are met one by one where many have them, and where the words are too short for an index', async () => {
    expect((await found('kilos')).length).toBe(2000)
    expect((await found('20')).at(0)).toBe(2000)
  })
})
