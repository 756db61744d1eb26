import { describe, expect, it } from 'vitest'
import { fleet } from '#contract/fleet/fleet.ts'
import { times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()
const DAY = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString()

async function truckWithReadings(readings: [daysAgo: number, km: number][]) {
  const ana = await house.given.member()
  const truck = await house.given.truck(ana, { mileage: 0 })
  // The reading the truck was created with moves back, so that there is a past to read the meter in.
  await house.owner.query(`update truck_readings set date = now() - interval '400 days' where truck_id = $1`, [
    truck.id,
  ])
  const read = (km: number, more: object = {}) =>
    house.call(ana, fleet.recordReading, { params: { id: truck.id }, body: { km, ...more } })
  for (const [days, km] of readings) expect((await read(km, { date: ago(days) })).status).toBe(201)
  const mileage = async () => (await house.call(ana, fleet.getTruck, { params: { id: truck.id } })).body.mileage
  return { ana, truck, read, mileage }
}

describe('the meter', () => {
  it('moves the mileage up with each reading, also one that arrives late', async () => {
    const { read, mileage } = await truckWithReadings([
      [30, 1000],
      [10, 3000],
    ])
    expect((await read(2000, { date: ago(20) })).status).toBe(201)
    expect(await mileage()).toBe(3000)
  })

  it('asks before it takes a lower figure, and keeps it as a correction', async () => {
    const { ana, truck, read, mileage } = await truckWithReadings([
      [30, 1000],
      [10, 95_000],
    ])
    const asked = await read(9_500)
    expect(asked.status).toBe(422)
    expect(asked.failure.errors).toEqual({
      km: ['Es menor al último kilometraje conocido (95.000 km). Confirme la corrección.'],
    })
    const confirmed = await read(9_500, { confirm_lower: true, note: 'Se tecleó un cero de más' })
    expect(confirmed.body).toMatchObject({ km: 9500, correction: true, superseded: false })
    expect(await mileage()).toBe(9500)
    const { body } = await house.call(ana, fleet.listReadings, { params: { id: truck.id } })
    expect(body.data.map((r) => [r.km, r.correction, r.superseded])).toEqual([
      [9500, true, false],
      [95_000, false, true],
      [1000, false, false],
      [0, false, false],
    ])
  })

  it('refuses what its neighbours in time make impossible, and the future', async () => {
    const { read } = await truckWithReadings([
      [30, 1000],
      [10, 3000],
    ])
    expect((await read(3500, { date: ago(20) })).failure.errors?.km?.[0]).toMatch(
      /el equipo tenía 3\.000 km: no puede ser mayor/,
    )
    expect((await read(500, { date: ago(20), confirm_lower: true })).failure.errors?.km?.[0]).toMatch(
      /no puede ser menor/,
    )
    expect((await read(4000, { date: ago(-2) })).failure.errors).toEqual({
      date: ['La fecha no puede estar en el futuro.'],
    })
  })

  it('ends at the highest of many readings that arrive at once', async () => {
    const { read, mileage } = await truckWithReadings([])
    const answers = await Promise.all(times(10, (i) => read(1000 + i, { date: ago(10 - i) })))
    expect(answers.map((a) => a.status)).toEqual(times(10, () => 201))
    expect(await mileage()).toBe(1009)
  })
})

describe('coupling', () => {
  it('is dated: another unit closes the interval of the one before', async () => {
    const ana = await house.given.member()
    const [one, two] = [await house.given.coupled(ana), await house.given.coupled(ana)]
    const truck = await house.given.truck(ana, { coupled_id: one.id })
    expect(truck).toMatchObject({ coupled_id: one.id, coupled_patent: one.patent })
    const put = async (coupled_id: number | null) =>
      (
        await house.call(ana, fleet.updateTruck, {
          params: { id: truck.id },
          body: { ...truck, updated_at: undefined, coupled_id },
        })
      ).body
    expect((await put(two.id)).coupled_id).toBe(two.id)
    expect((await put(two.id)).coupled_id).toBe(two.id)
    expect((await put(null)).coupled_id).toBeNull()
    const { body } = await house.call(ana, fleet.listCouplings, { params: { id: truck.id } })
    expect(body.data.map((c) => [c.coupled_id, c.until === null])).toEqual([
      [two.id, false],
      [one.id, false],
    ])
  })

  it('takes a unit from another truck only when told to', async () => {
    const ana = await house.given.member()
    const unit = await house.given.coupled(ana)
    const first = await house.given.truck(ana, { coupled_id: unit.id })
    const refused = await house.call(ana, fleet.createTruck, {
      body: house.given.newTruck(ana, { coupled_id: unit.id }),
    })
    expect(refused.failure.errors?.coupled_id?.[0]).toBe(
      `El acoplado ${unit.patent.replace(/^JA/, 'JA·')} está con el equipo ${first.code}.`,
    )
    const second = await house.given.truck(ana, { coupled_id: unit.id, move_coupled: true })
    expect(second.coupled_id).toBe(unit.id)
    expect((await house.call(ana, fleet.getTruck, { params: { id: first.id } })).body.coupled_id).toBeNull()
    const { body: activity } = await house.call(ana, fleet.truckActivity, { params: { id: first.id } })
    expect(activity.data[0]).toMatchObject({ action: 'updated', changes: { coupled_patent: [unit.patent, null] } })
  })

  it('gives one unit to one truck when ten reach for it at once', async () => {
    const ana = await house.given.member()
    const unit = await house.given.coupled(ana)
    const answers = await Promise.all(
      times(10, () => house.call(ana, fleet.createTruck, { body: house.given.newTruck(ana, { coupled_id: unit.id }) })),
    )
    expect(answers.filter((a) => a.status === 201)).toHaveLength(1)
    expect(answers.filter((a) => a.failure.errors?.coupled_id)).toHaveLength(9)
  })

  it('gives a unit the kilometres its trucks drove while they pulled it', async () => {
    // 10 km a day from day 100 to day 0; the unit was with the truck from day 60 to day 25, then with another.
    const { ana, truck } = await truckWithReadings([
      [100, 1000],
      [50, 1500],
      [0, 2000],
    ])
    const unit = await house.given.coupled(ana)
    const other = await house.given.truck(ana, { mileage: 7000 })
    await house.owner.query(`update truck_readings set date = now() - interval '20 days' where truck_id = $1`, [
      other.id,
    ])
    await house.call(ana, fleet.recordReading, { params: { id: other.id }, body: { km: 7100 } })
    await house.owner.query(
      `insert into couplings (company_id, truck_id, coupled_id, from_at, until_at) values
         ($1, $2, $4, now() - interval '60 days', now() - interval '25 days'), ($1, $3, $4, now() - interval '10 days', null)`,
      [ana.company_id, truck.id, other.id, unit.id],
    )
    const { body } = await house.call(ana, fleet.getCoupled, { params: { id: unit.id } })
    expect(body.kilometers).toBe(350 + 50)
    const { body: pulled } = await house.call(ana, fleet.listCouplings, { params: { id: truck.id } })
    expect(pulled.data.map((c) => c.kilometers)).toEqual([350])
  })
})
