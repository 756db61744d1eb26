import { describe, expect, it } from 'vitest'
import { alerts } from '#contract/alerts/alerts.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { companies } from '#contract/workshops/company.ts'
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
  for (const [days, km] of readings) expect((await read(km, { date: ago(days), confirm_lower: true })).status).toBe(201)
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
    expect((await read(500, { date: ago(20) })).failure.errors?.km?.[0]).toMatch(
      /^A esa fecha el equipo ya tenía 1\.000 km \(.*\)\. Confirme la corrección\.$/,
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

  it('asks about a leap that no truck makes, as the company sees it, and refuses what no truck ever drove', async () => {
    const { ana, read, mileage } = await truckWithReadings([[10, 1000]])
    const leap = await read(17_000)
    expect(leap.failure.errors?.km?.[0]).toMatch(
      /^El .* el equipo tenía 1\.000 km: son más de 1\.500 km por día\. Confirme que la lectura es correcta\.$/,
    )
    expect((await read(16_000)).status).toBe(201)
    expect((await read(1_000_000_000, { confirm_lower: true })).failure.errors).toEqual({
      km: ['El kilometraje no puede pasar de 9.999.999 km.'],
    })
    const boss = await house.given.member({ role: 'super-admin', company_id: ana.company_id })
    await house.call(boss, companies.updateSettings, { body: { kilometers_per_day: 3000 } })
    expect((await read(18_900)).status).toBe(201)
    expect((await read(25_000)).status).toBe(422)
    expect((await read(25_000, { confirm_lower: true })).status).toBe(201)
    expect(await mileage()).toBe(25_000)
  })

  it('lets a reading be voided and restored; what counts, the mileage and the alerts follow', async () => {
    const { ana, truck, read, mileage } = await truckWithReadings([[10, 1000]])
    const alert = await house.given.alert(ana, {
      selectedTrucks: [truck.id],
      expirationSettings: { kilometersSelected: true, kilometers: 5000 },
    })
    const status = async () => (await house.call(ana, alerts.getAlert, { params: { id: alert.id } })).body.status
    const typo = (await read(90_000, { confirm_lower: true })).body
    expect([await mileage(), await status()]).toEqual([90_000, 'current'])
    const right = (await read(1100, { confirm_lower: true })).body
    expect(await mileage()).toBe(1100)
    const act = (endpoint: typeof fleet.voidReading, id: number) => house.call(ana, endpoint, { params: { id } })
    expect((await act(fleet.voidReading, right.id)).body).toMatchObject({ voided_by: ana.name, superseded: true })
    expect(await mileage()).toBe(90_000)
    await act(fleet.voidReading, typo.id)
    expect([await mileage(), await status()]).toEqual([1000, 'created'])
    expect((await act(fleet.voidReading, typo.id)).status).toBe(409)
    expect((await act(fleet.restoreReading, right.id)).body).toMatchObject({ voided_at: null, superseded: false })
    expect(await mileage()).toBe(1100)
    const { data } = (await house.call(ana, fleet.truckActivity, { params: { id: truck.id } })).body
    expect(data.map(({ action }) => action).slice(0, 3)).toEqual(['meter_restored', 'meter_voided', 'meter_voided'])
  })
})

describe('coupling', () => {
  it('is corrected: from when, until when, with which unit and at which kilometres', async () => {
    const { ana, truck } = await truckWithReadings([
      [100, 1000],
      [0, 2000],
    ])
    const [unit, other] = [await house.given.coupled(ana), await house.given.coupled(ana)]
    const kilometersOf = async (id: number) =>
      (await house.call(ana, fleet.getCoupled, { params: { id } })).body.kilometers
    const add = (body: Record<string, unknown>) =>
      house.call(ana, fleet.addCoupling, { params: { id: truck.id }, body })
    const made = await add({ coupled_id: unit.id, from: ago(50), until: ago(20) })
    expect([made.status, made.body.kilometers]).toEqual([201, 300])
    const change = (body: Record<string, unknown>) =>
      house.call(ana, fleet.updateCoupling, { params: { id: made.body.id }, body })
    expect((await change({ from: ago(40) })).body.kilometers).toBe(200)
    expect((await change({ from_km: 1500, until_km: 1900 })).body.kilometers).toBe(400)
    expect(await kilometersOf(unit.id)).toBe(400)
    expect((await change({ coupled_id: other.id, from_km: null, until_km: null })).body.coupled_id).toBe(other.id)
    expect([await kilometersOf(unit.id), await kilometersOf(other.id)]).toEqual([0, 200])

    const crossed = await add({ coupled_id: unit.id, from: ago(30), until: null })
    expect(crossed.failure.errors?.from?.[0]).toMatch(
      /^El equipo llevó el acoplado .* los períodos no se pueden cruzar\.$/,
    )
    const taken = await house.call(ana, fleet.addCoupling, {
      params: { id: (await house.given.truck(ana)).id },
      body: { coupled_id: other.id, from: ago(25) },
    })
    expect(taken.failure.errors?.from?.[0]).toMatch(`El acoplado estuvo con el equipo ${truck.code}`)
    expect((await change({ until: ago(60) })).failure.errors).toEqual({ until: ['Debe ser posterior al comienzo.'] })
    expect((await change({ from_km: 9, until_km: 8 })).failure.errors).toHaveProperty('until_km')
    expect((await change({ until: ago(-3) })).failure.errors).toHaveProperty('until')
    expect((await house.call(ana, fleet.deleteCoupling, { params: { id: made.body.id } })).status).toBe(204)
    expect(await kilometersOf(other.id)).toBe(0)
    expect((await add({ coupled_id: unit.id, from: ago(30) })).body).toMatchObject({ until: null, kilometers: 300 })
  })

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
