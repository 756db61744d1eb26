import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openHouse } from '../../../test/house.ts'
import { between } from './conditions.ts'
import { rows } from './db.ts'
import { listPage, unionOf } from './lists.ts'
import { matches } from './words.ts'

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
  const numbers = (most: number) => sql`(select n::int as id, n % 2 as rest from generate_series(1, ${most}::int) n) s`
  const page = (
    query: object,
    more: {
      most?: number
      where?: SQL
      searched?: boolean
      bare?: true
      byWords?: true
      idsByWords?: true
      walked?: true
      counted?: SQL | { from: SQL; where: SQL }
      named?: { many?: boolean; is?: SQL }
      of?: true
      joins?: true
    } = {},
  ) => {
    const rows = numbers(more.most ?? 10_050)
    return house.app.database.read(null, (db) =>
      listPage<{ id: number; name: string }>(
        db,
        { page: 1, per_page: 3, ...query },
        {
          select: sql`s.id, m.name`,
          from: sql`${rows} left join ${names} on m.rest = s.rest`,
          where: more.where ?? sql`true`,
          sorts: { id: sql`s.id`, name: sql`m.name`, late: sql`nullif(s.id / 4, 0)` },
          order: sql`s.id`,
          id: sql`s.id`,
          searched: more.searched ?? false,
          counted: more.counted,
          ...(more.joins && {
            bare: {
              from: rows,
              where: more.where ?? sql`true`,
              sorts: ['id', 'late'],
              joins: { name: sql`left join ${names} on m.rest = s.rest` },
            },
          }),
          byWords: more.byWords && (more.where ?? sql`true`),
          idsByWords:
            more.idsByWords &&
            unionOf(
              query,
              [0, 1].map((rest) => sql`select s.id from ${rows} where s.rest = ${rest} and ${more.where ?? sql`true`}`),
            ),
          walked: more.walked ?? false,
          ...(more.named && {
            named: {
              name: [
                {
                  by: sql`s.rest`,
                  things: sql`(select rest as id, name from ${names})`,
                  ...more.named,
                  ...(more.of && { of: { from: rows, where: more.where ?? sql`true` } }),
                },
              ],
            },
            nullable: ['late'],
          }),
          ...(!more.bare && { key: { of: sql`true`, id: sql`s.id` }, indexed: ['id'] }),
        },
      ),
    )
  }

  it('is counted to the last, or as far as is asked for', async () => {
    expect((await page({})).total).toBe(10_050)
    expect(await page({ count: 'bounded' })).toMatchObject({ total: 10_000, at_least: true })
    const few = await page({ count: 'bounded' }, { most: 10_000 })
    expect([few.total, few.at_least]).toEqual([10_000, undefined])
    const last = await page({ count: 'bounded', page: 3351 }, { most: 10_051 })
    expect([last.data.length, last.total, last.at_least]).toEqual([1, 10_051, undefined])
  })

  it('is counted elsewhere where that takes less, or known', async () => {
    const elsewhere = { from: sql`generate_series(1, 20000) n`, where: sql`n > 0` }
    for (const counted of [elsewhere, sql`select 20000 as total`]) {
      expect((await page({}, { counted })).total).toBe(20_000)
      expect(await page({ count: 'bounded' }, { counted })).toMatchObject({ total: 10_000, at_least: true })
    }
  })

  it('is there before all that have a common word are counted', async () => {
    const asked = { count: 'bounded', sort: '-id', page: 2 }
    const common = await page(asked, { searched: true })
    expect([common.data.map(({ id }) => id), common.total, common.at_least]).toEqual([
      [10_047, 10_046, 10_045],
      2000,
      true,
    ])
    const rare = await page(asked, { searched: true, where: sql`s.id <= 2000` })
    expect([rare.data.map(({ id }) => id), rare.total, rare.at_least]).toEqual([[1997, 1996, 1995], 2000, undefined])
    expect((await page({}, { searched: true })).total).toBe(10_050)
  })

  it.each([
    [4000, { byWords: true as const }],
    [6000, { byWords: true as const }],
    [4000, { idsByWords: true as const }],
    [12_000, { idsByWords: true as const }],
    [4000, { walked: true as const }],
    [4000, { walked: true as const, named: { many: true } }],
  ])('is told alike of %i that have words, gathered or walked: %o', async (most, how) => {
    const found = await page({ count: 'bounded', sort: '-id', page: 2 }, { most, searched: true, ...how })
    expect(found).toMatchObject({ total: 2000, at_least: true })
    expect(found.data.map(({ id }) => id)).toEqual([most - 3, most - 4, most - 5])
    const byName = await page({ count: 'bounded', sort: 'name', page: 2 }, { most, searched: true, ...how })
    expect(byName).toMatchObject({ total: 2000, at_least: true })
    expect(byName.data.map(({ id }) => id)).toEqual([8, 10, 12])
  })

  it.each([
    ['whole', { bare: true as const }],
    ['by its keys', {}],
    ['by names', { named: {} }],
    ['by many names', { named: { many: true } }],
    ['by names that other rows say', { named: { is: sql`s.rest = n.id` }, of: true as const }],
    ['by what its sort joins', { joins: true as const }],
    ['searched', { searched: true }],
    ['by an index of words', { searched: true, byWords: true as const }],
    ['by several', { searched: true, idsByWords: true as const }],
    ['by several, bounded', { searched: true, idsByWords: true as const }, 'bounded'],
    ['walked', { searched: true, walked: true as const }, 'bounded'],
  ])('has the same rows, in the same order, however they are found: %s', async (_, how, count?: string) => {
    const ids = async (query: object, where?: SQL) => {
      const { data, total } = await page({ ...query, count }, { most: 10, ...how, ...(where && { where }) })
      return [data.map(({ id, name }) => `${id} ${name}`).join(), total]
    }
    expect(await ids({})).toEqual(['1 odd,2 even,3 odd', 10])
    expect(await ids({ page: 4 })).toEqual(['10 even', 10])
    expect(await ids({ page: 5 })).toEqual(['', 10])
    expect(await ids({ sort: '-id' })).toEqual(['10 even,9 odd,8 even', 10])
    expect(await ids({ sort: '-name', page: 2 })).toEqual(['7 odd,9 odd,2 even', 10])
    expect(await ids({ sort: 'name', page: 2 })).toEqual(['8 even,10 even,1 odd', 10])
    expect(await ids({ sort: 'name', page: 2 }, sql`s.id < 6`)).toEqual(['3 odd,5 odd', 5])
    expect(await ids({ sort: '-late', page: 2 })).toEqual(['4 even,5 odd,6 even', 10])
    expect(await ids({ sort: '-late', page: 3 })).toEqual(['7 odd,1 odd,2 even', 10])
    expect(await ids({ sort: 'late', page: 4 })).toEqual(['3 odd', 10])
    expect(await ids({}, sql`s.id % 5 = 0`)).toEqual(['5 odd,10 even', 2])
    expect(await ids({}, sql`s.id > 10`)).toEqual(['', 0])
  })
})
