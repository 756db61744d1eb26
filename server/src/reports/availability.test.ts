import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { instantOf } from '#contract/base/dates.ts'
import type { Truck } from '#contract/fleet/fleet.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows, type StopRow } from '#contract/reports/rows.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { spend } from '../../test/spending.ts'

const house = openHouse()
const MINUTE = 60_000

let me: Member
let truck: Truck
beforeAll(async () => {
  me = await house.given.member()
  truck = await house.given.truck(me)
})
const clear = () => house.owner.query('delete from work_orders where company_id = $1', [me.company_id])
const stay = (entry: string, departure: string | undefined, planned = false) =>
  spend(house, me, { truck_id: truck.id, entry, planned, ...(departure && { departure }) })
const availabilityOf = async (BetweenDate: string) => {
  const { body } = await house.call(me, reports.availability, { query: { filter: { BetweenDate } } })
  return body.data.find(({ truck_id }) => truck_id === truck.id)!
}

describe('availability, by hand', () => {
  it('overlaps count once, stays are cut to the range, planned and unplanned are told apart', async () => {
    await clear()
    // Ten days of March 2026, 240 hours.
    await stay('2026-02-27T12:00:00Z', '2026-03-01T15:00:00Z') // 12 h of it are in the range
    await stay('2026-03-03T12:00:00Z', '2026-03-03T20:00:00Z', true) // 8 h planned…
    await stay('2026-03-03T16:00:00Z', '2026-03-04T00:00:00Z') // …and 8 h unplanned, 4 of them shared: 12 h
    await stay('2026-03-11T02:00:00Z', '2026-03-20T12:00:00Z', true) // the last hour of the range
    await stay('2026-03-05T12:00:00Z', '2026-03-05T12:00:00Z') // came and went at once
    const found = await availabilityOf('2026-03-01,2026-03-10')
    expect(found).toMatchObject({ hours: 240, hours_stopped: 25, hours_unplanned: 20, hours_planned: 5 })
    expect([found.stops, found.unplanned_stops]).toEqual([3, 2])
    expect(found.availability).toBeCloseTo(1 - 25 / 240, 12)
    expect(found.mttr).toBeCloseTo(25 / 3, 12)
    expect(found.mtbf).toBeCloseTo(215 / 2, 12)
  })

  it('a truck that is still inside counts until now, and the range only as far as it has come', async () => {
    await clear()
    const today = new Date().toISOString().slice(0, 10)
    await stay('2026-01-01T00:00:00Z', undefined)
    const found = await availabilityOf(`${today},2199-12-31`)
    expect(found.availability).toBeCloseTo(0, 12)
    expect(found.hours_stopped).toBeCloseTo(found.hours, 9)
    expect(found.hours).toBeLessThan(49)
    expect((await availabilityOf('2190-01-01,2190-01-31')).availability).toBeNull()
  })

  it('a day has 23 or 25 hours when the clock changes', async () => {
    await clear()
    expect((await availabilityOf('2026-04-04,2026-04-04')).hours).toBe(25)
    expect((await availabilityOf('2026-09-06,2026-09-06')).hours).toBe(23)
    expect((await availabilityOf('2026-09-07,2026-09-07')).hours).toBe(24)
  })
})

it('equals a count minute by minute, on any history', async () => {
  const from = '2026-04-03'
  const to = '2026-04-06'
  const start = Date.parse(instantOf(`${from}T00:00`))
  const minutes = (Date.parse(instantOf('2026-04-07T00:00')) - start) / MINUTE
  const span = fc.record({
    entry: fc.integer({ min: -2000, max: minutes + 500 }),
    length: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 6000 })),
    planned: fc.boolean(),
    open: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
  })
  const at = (minute: number) => new Date(start + minute * MINUTE).toISOString()
  await fc.assert(
    fc.asyncProperty(fc.array(span, { maxLength: 8 }), async (history) => {
      await clear()
      for (const { entry, length, planned, open } of history)
        await stay(at(entry), open ? undefined : at(entry + length), planned)
      let [stopped, failed, stops, failures] = [0, 0, 0, 0]
      let [was, hadFailed] = [false, false]
      for (let minute = 0; minute < minutes; minute++) {
        const inside = history.filter(({ entry, length, open }) => entry <= minute && (open || minute < entry + length))
        const is = inside.length > 0
        const fails = inside.some(({ planned }) => !planned)
        if (is) stopped++
        if (fails) failed++
        if (is && !was) stops++
        if (fails && !hadFailed) failures++
        was = is
        hadFailed = fails
      }
      const found = await availabilityOf(`${from},${to}`)
      expect(found.hours).toBe(minutes / 60)
      expect(Math.round(found.hours_stopped * 60)).toBe(stopped)
      expect(Math.round(found.hours_unplanned * 60)).toBe(failed)
      expect([found.stops, found.unplanned_stops]).toEqual([stops, failures])

      const rows = (
        await house.call(me, reportRows.stopRows, {
          query: { filter: { BetweenDate: `${from},${to}` }, per_page: 500 },
        })
      ).body.data
      const covered = new Set<number>()
      for (const row of rows) for (let m = Date.parse(row.from); m < Date.parse(row.to); m += MINUTE) covered.add(m)
      expect(covered.size).toBe(stopped)
      const minutesOf = (of: StopRow[]) => Math.round(of.reduce((sum, { counted }) => sum + counted * 60, 0))
      expect([minutesOf(rows), rows.filter(({ begins }) => begins).length]).toEqual([stopped, stops])
      const { body } = await house.call(me, reportRows.stopRows, {
        query: { filter: { BetweenDate: `${from},${to}`, Planned: ['false'] }, per_page: 500 },
      })
      expect([minutesOf(body.data), body.totals.stops]).toEqual([failed, failures])
      const planned = (
        await house.call(me, reportRows.stopRows, {
          query: { filter: { BetweenDate: `${from},${to}`, Planned: ['true'] }, per_page: 500 },
        })
      ).body
      expect(minutesOf(planned.data)).toBe(stopped - failed)
      expect([body, planned].map(({ totals }) => Math.round(totals.hours * 60))).toEqual([failed, stopped - failed])
    }),
    { numRuns: 40 },
  )
})
