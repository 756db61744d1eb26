import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openHouse } from '../../../test/house.ts'
import { rows } from './db.ts'
import { between } from './lists.ts'

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
