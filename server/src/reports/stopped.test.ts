import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { instantOf } from '#contract/base/dates.ts'
import type { Truck } from '#contract/fleet/fleet.ts'
import { reports } from '#contract/reports/reports.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { spend } from '../../test/spending.ts'

const house = openHouse()
const DAYS = '2026-03-02,2026-03-03'
const START = Date.parse(instantOf('2026-03-02T00:00'))
const MOST = 30
const HOURS = 48

let chief: Member
let truck: Truck
beforeAll(async () => {
  chief = await house.given.member()
  truck = await house.given.truck(chief)
  await house.owner.query(`update trucks set created_at = '2020-01-01' where id = $1`, [truck.id])
})

type Pair = [from: number, to: number]
const pairs = fc.array(
  fc.tuple(fc.nat(MOST), fc.nat(MOST)).map(([a, b]): Pair => [Math.min(a, b), Math.max(a, b)]),
  { maxLength: 8 },
)
const steps = Array.from({ length: HOURS }, (_, i) => i)
const within = (ranges: Pair[]) => new Set(steps.filter((n) => ranges.some(([from, to]) => from <= n && n < to)))
const without = (some: Set<number>, others: Set<number>) => new Set([...some].filter((hour) => !others.has(hour)))
const common = (some: Set<number>, others: Set<number>) => new Set([...some].filter((hour) => others.has(hour)))
/** Hours that follow each other without a gap are one stop. */
const stopsIn = (hours: Set<number>) =>
  [...hours].reduce<number[][]>((stops, hour) => {
    if (hours.has(hour - 1)) stops.at(-1)!.push(hour)
    else stops.push([hour])
    return stops
  }, [])
const at = (hour: number) => new Date(START + hour * 3_600_000).toISOString()

it('counts stays, failures, works, waits and absences as sets of hours do', async () => {
  await fc.assert(
    fc.asyncProperty(pairs, pairs, pairs, pairs, pairs, async (planned, unplanned, works, waits, away) => {
      await house.owner.query('delete from work_orders where company_id = $1', [chief.company_id])
      await house.owner.query(
        `update trucks set away = coalesce((select range_agg(tstzrange(f, t))
           from unnest($2::timestamptz[], $3::timestamptz[]) as a (f, t)), '{}') where id = $1`,
        [truck.id, away.map(([from]) => at(from)), away.map(([, to]) => at(to))],
      )
      const orders: number[] = []
      for (const [stays, isPlanned] of [
        [planned, true],
        [unplanned, false],
      ] as const)
        for (const [from, to] of stays.filter(([from, to]) => from < to))
          orders.push(
            await spend(house, chief, { truck_id: truck.id, entry: at(from), departure: at(to), planned: isPlanned }),
          )
      for (const [i, [from, to]] of works.entries())
        if (orders.length > 0)
          await house.owner.query(
            `insert into works (company_id, work_order_id, description, start_time, end_time, priority)
             values ($1, $2, 'Frenos', $3, $4, 'medium')`,
            [chief.company_id, orders[i % orders.length], at(from), at(to)],
          )
      for (const [i, [from, to]] of waits.entries())
        if (orders.length > 0)
          await house.owner.query(
            'insert into work_order_waits (company_id, work_order_id, from_at, until_at) values ($1, $2, $3, $4)',
            [chief.company_id, orders[i % orders.length], at(from), at(to)],
          )

      const { body } = await house.call(chief, reports.availability, { query: { filter: { BetweenDate: DAYS } } })
      const row = body.data.find(({ truck_id }) => truck_id === truck.id)!
      const [gone, worked, waited] = [within(away), within(works), within(waits)]
      const stopped = without(within([...planned, ...unplanned]), gone)
      const failed = without(within(unplanned), gone)
      const parts = without(common(stopped, waited), worked)
      expect(row).toMatchObject({
        hours: HOURS - gone.size,
        hours_stopped: stopped.size,
        hours_unplanned: failed.size,
        hours_worked: common(stopped, worked).size,
        hours_parts: parts.size,
        stops: stopsIn(stopped).length,
        unplanned_stops: stopsIn(failed).length,
        planned_stops: stopsIn(stopped).filter((stop) => !stop.some((hour) => failed.has(hour))).length,
      })
    }),
    { numRuns: 40 },
  )
})
