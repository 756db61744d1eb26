import { beforeAll, describe, expect, it } from 'vitest'
import { fleet, type Truck } from '#contract/fleet/fleet.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { months } from '#contract/workshops/months.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { spend } from '../../test/spending.ts'
import { lastDay } from './expenses.ts'

/*
 * One truck, at home in the north. It drives 1.000 km in January, 2.000 in February and 4.000 in March of the last year whose
 * March is over; orders in both workshops spend 1.000.000 in each month.
 */

const house = openHouse()
const today = new Date()
const DRIVEN = today.getUTCMonth() >= 4 ? today.getUTCFullYear() : today.getUTCFullYear() - 1
const YEAR = `${DRIVEN}-01-01,${DRIVEN}-12-31`
const MONTHS = [`${DRIVEN}-01-01,${DRIVEN}-01-31`, `${DRIVEN}-02-01,${DRIVEN}-02-28`, `${DRIVEN}-03-01,${DRIVEN}-03-31`]

let owner: Member
let north: number
let south: number
let truck: Truck

/** Writes when the truck left its workshop, as if it had been changed on that day. */
const leftOn = (day: string) =>
  house.owner.query('update truck_workshops set until_day = $1 where truck_id = $2 and until_day > $1', [day, truck.id])
const moveTo = async (workshop_id: number) => {
  const { status } = await house.call(owner, fleet.updateTruck, { params: { id: truck.id }, body: { workshop_id } })
  expect(status).toBe(200)
}

beforeAll(async () => {
  const { given } = house
  owner = await given.member({ role: 'super-admin' })
  north = owner.workshop_id
  south = await given.workshop(owner.company_id)
  truck = await given.truck(owner, { mileage: 0 })
  await house.owner.query(`update truck_readings set date = '${DRIVEN - 1}-12-20T15:00:00Z' where truck_id = $1`, [
    truck.id,
  ])
  for (const [km, date] of [
    [1000, `${DRIVEN}-01-31T15:00:00Z`],
    [3000, `${DRIVEN}-02-28T15:00:00Z`],
    [7000, `${DRIVEN}-03-31T15:00:00Z`],
  ] as const) {
    const { status } = await house.call(owner, fleet.recordReading, {
      params: { id: truck.id },
      body: { km, date, confirm_lower: true },
    })
    expect(status).toBe(201)
  }
  const service = await given.service(owner)
  for (const workshop_id of [north, south])
    for (const month of ['01', '02', '03'])
      await spend(house, owner, {
        truck_id: truck.id,
        workshop_id,
        services: [
          {
            provider_id: service.provider_id,
            service_id: service.id,
            amount: 1_000_000,
            at: `${DRIVEN}-${month}-15T15:00:00Z`,
          },
        ],
      })
})

/** Kilometres of the report and of the rows behind it, which must agree. */
async function driven(BetweenDate: string, WorkshopId?: number[]) {
  const query = { filter: { BetweenDate, WorkshopId } }
  const { data, totals, cost_centers } = (await house.call(owner, reports.expensesByTruck, { query })).body
  const rows = (await house.call(owner, reportRows.kilometerRows, { query })).body
  expect([data[0]?.kilometers ?? 0, rows.totals.kilometers]).toEqual([totals.kilometers, totals.kilometers])
  expect(rows.data.reduce((all, row) => all + row.kilometers, 0)).toBe(totals.kilometers)
  expect(cost_centers.reduce((all, center) => all + center.kilometers, 0)).toBe(totals.kilometers)
  return totals.kilometers
}
const inEach = async (WorkshopId?: number[]) => [
  ...(await Promise.all(MONTHS.map((month) => driven(month, WorkshopId)))),
  await driven(YEAR, WorkshopId),
]

describe('kilometres of a workshop', () => {
  it('count once, where the truck is at home, and not where it was only repaired', async () => {
    expect(await inEach()).toEqual([1000, 2000, 4000, 7000])
    expect(await inEach([north])).toEqual([1000, 2000, 4000, 7000])
    expect(await inEach([south])).toEqual([0, 0, 0, 0])
    const query = { filter: { BetweenDate: YEAR, WorkshopId: [south] } }
    const { totals } = (await house.call(owner, reports.expensesByTruck, { query })).body
    expect([totals.total_cost, totals.cost_per_km]).toEqual([3_000_000, null])
  })

  it('stay in the workshop where the truck was on each day when it moves', async () => {
    const closed = await house.call(owner, months.closeMonths, { body: { closed_through: `${DRIVEN}-03` } })
    expect(closed.status).toBe(200)
    await moveTo(south)
    expect(await inEach([north])).toEqual([1000, 2000, 4000, 7000])
    expect(await inEach([south])).toEqual([0, 0, 0, 0])
    await leftOn(`${DRIVEN}-02-01`)
    expect(await inEach([north])).toEqual([1000, 0, 0, 1000])
    expect(await inEach([south])).toEqual([0, 2000, 4000, 6000])
    expect(await inEach([north, south])).toEqual([1000, 2000, 4000, 7000])
    expect(await inEach()).toEqual([1000, 2000, 4000, 7000])
  })

  it('come back with the truck', async () => {
    await moveTo(north)
    await leftOn(`${DRIVEN}-03-01`)
    expect(await inEach([north])).toEqual([1000, 0, 4000, 5000])
    expect(await inEach([south])).toEqual([0, 2000, 0, 2000])
  })

  it('of a cost centre count at home too', async () => {
    const center = await house.given.costCenter(owner)
    expect((await house.call(owner, months.closeMonths, { body: { closed_through: `${DRIVEN}-01` } })).status).toBe(200)
    const body = { cost_center_id: center.id, cost_center_from: `${DRIVEN}-03-01` }
    expect((await house.call(owner, fleet.updateTruck, { params: { id: truck.id }, body })).status).toBe(200)
    expect(await inEach([north])).toEqual([1000, 0, 4000, 5000])
    const rowsOf = async (CostCenter: (number | 'none')[], WorkshopId: number[]) => {
      const query = { filter: { BetweenDate: YEAR, WorkshopId, CostCenter } }
      return (await house.call(owner, reportRows.kilometerRows, { query })).body.data.map((row) => row.kilometers)
    }
    expect(await rowsOf([center.id], [north])).toEqual([4000])
    expect(await rowsOf(['none'], [north])).toEqual([1000])
    expect(await rowsOf(['none'], [south])).toEqual([2000])
    expect(await rowsOf(['none'], [north, south])).toEqual([2000, 1000])
  })

  it('are what its page says to those of one workshop', async () => {
    const chief = await house.given.member({ company_id: owner.company_id, workshop_id: north })
    const { body } = await house.call(chief, reports.truckSummary, { params: { id: truck.id } })
    expect(body.years.find(({ year }) => year === DRIVEN)?.kilometers).toBe(5000)
    // The page shows the last twelve months: until April those of the year before are partly out of sight, and say nothing.
    expect(body.months).toHaveLength(12)
    const known = new Map([1000, 0, 4000].map((kilometers, i) => [`${DRIVEN}-0${i + 1}`, kilometers]))
    for (const { month, kilometers } of body.months) {
      expect([month, kilometers]).toEqual([month, await driven(`${month}-01,${lastDay(month)}`, [north])])
      expect([month, kilometers]).toEqual([month, known.get(month) ?? 0])
    }
    expect(body.kilometers).toBe(await driven(`${body.range.from},${body.range.to}`, [north]))
  })
})
