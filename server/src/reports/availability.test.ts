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
  await house.owner.query(`update trucks set created_at = '2020-01-01' where id = $1`, [truck.id])
})
const clear = async () => {
  await house.owner.query('delete from work_orders where company_id = $1', [me.company_id])
}
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
    expect(found.mttr).toBeCloseTo(20 / 2, 12)
    expect(found.planned_stops).toBe(1)
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

  it('a truck counts from the day it was registered until it was retired', async () => {
    await clear()
    const set = (created_at: string, retired_at: string | null) =>
      house.owner.query(`update trucks set created_at = $1, retired_at = $2::timestamptz, state = $3 where id = $4`, [
        created_at,
        retired_at,
        retired_at ? 'inactive' : 'active',
        truck.id,
      ])
    await stay('2026-03-01T12:00:00Z', '2026-03-03T15:00:00Z')
    await set('2026-03-03T20:00:00Z', null) // 3 March begins at 03:00 in UTC
    expect(await availabilityOf('2026-03-01,2026-03-10')).toMatchObject({ hours: 8 * 24, hours_stopped: 12 })
    await set('2026-03-03T20:00:00Z', '2026-03-05T03:00:00Z')
    expect(await availabilityOf('2026-03-01,2026-03-10')).toMatchObject({ hours: 48, hours_stopped: 12 })
    expect(await availabilityOf('2026-03-06,2026-03-10')).toBeUndefined()
    await set('2020-01-01', null)
  })

  it('what repairs a failure is corrective, what prevents one is not, whoever planned it', async () => {
    await clear()
    const typed = async (code: string, entry: string, departure: string, planned: boolean) =>
      house.owner.query(
        `with t as (insert into maintenance_types (company_id, code, name) values ($1, $2, $2)
           on conflict (company_id, code) do update set name = $2 returning id)
         update work_orders set type_maintenance_id = (select id from t) where id = $3`,
        [me.company_id, code, await stay(entry, departure, planned)],
      )
    await typed('CORRECTIVE', '2026-03-02T12:00:00Z', '2026-03-02T18:00:00Z', true)
    await typed('PREVENTIVE', '2026-03-03T12:00:00Z', '2026-03-03T14:00:00Z', false)
    expect(await availabilityOf('2026-03-01,2026-03-10')).toMatchObject({
      hours_unplanned: 6,
      hours_planned: 2,
      unplanned_stops: 1,
      planned_stops: 1,
      mttr: 6,
    })
  })

  it('stopped time is split into work, waiting for parts and waiting, and adds up', async () => {
    await clear()
    const id = await stay('2026-03-02T12:00:00Z', '2026-03-02T22:00:00Z')
    const at = (hour: string) => `2026-03-02T${hour}:00Z`
    await house.owner.query(
      `insert into works (company_id, work_order_id, description, start_time, end_time, hours, priority) values
         ($1, $2, 'A', $3, $4, null, 'medium'), ($1, $2, 'B', null, null, 1, 'medium')`,
      [me.company_id, id, at('13:00'), at('15:00')],
    )
    await house.owner.query(
      'insert into work_order_waits (company_id, work_order_id, from_at, until_at) values ($1, $2, $3, $4)',
      [me.company_id, id, at('14:00'), at('19:00')],
    )
    expect(await availabilityOf('2026-03-01,2026-03-10')).toMatchObject({
      hours_stopped: 10,
      hours_worked: 3,
      hours_parts: 4,
      hours_waiting: 3,
    })
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
