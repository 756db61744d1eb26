import { describe, expect, it } from 'vitest'
import { type Alert, alerts } from '#contract/alerts/alerts.ts'
import { alertCategories, CHILEAN_OBLIGATIONS } from '#contract/alerts/categories.ts'
import { addDays, dayOf } from '#contract/base/dates.ts'
import { finder } from '#contract/base/finder.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { evaluateCompany } from './evaluation.ts'

const house = openHouse()
const today = dayOf(new Date())
const inDays = (days: number) => addDays(today, days)
const onDate = (date: string) => ({ dateSelected: true, date })
const atKm = (kilometers: number) => ({ kilometersSelected: true, kilometers })

const create = (who: Member, body: Record<string, unknown>) => house.call(who, alerts.createAlerts, { body })
const read = (who: Member, id: number, km: number, date?: string) =>
  house.call(who, fleet.recordReading, { params: { id }, body: { km, date, confirm_lower: true } })
const get = async (who: Member, id: number): Promise<Alert> =>
  (await house.call(who, alerts.getAlert, { params: { id } })).body
const execute = (who: Member, ids: number[], date?: string) =>
  house.call(who, alerts.executeAlerts, { body: { ids, status: 'executed', date } })

describe('creating', () => {
  it('makes one alert for each chosen truck and coupled unit, with all that was planned', async () => {
    const ana = await house.given.member()
    const [one, two, unit] = [
      await house.given.truck(ana),
      await house.given.truck(ana),
      await house.given.coupled(ana),
    ]
    const category = await house.given.alertCategory(ana)
    const { status, body } = await create(ana, {
      name: ' Cambio de aceite ',
      category_maintenance_alert_id: [category.id],
      selectedTrucks: [one.id, { id: two.id }, one.id],
      selectedCoupled: [unit.id],
      expirationSettings: { dateSelected: true, date: inDays(90), kilometersSelected: true, kilometers: 50_000 },
      alertSettings: { daysSelected: true, days: 10, kilometersSelected: true, kilometers_advance: 500 },
      emails_to_notifications: { selected: ['Jefe@Taller.cl', 'jefe@taller.cl', 'dos@taller.cl'], suggestions: [] },
    })
    expect(status).toBe(201)
    expect(body.data.map((alert) => [alert.truck_id, alert.coupled_id, alert.status])).toEqual([
      [one.id, null, 'created'],
      [two.id, null, 'created'],
      [null, unit.id, 'created'],
    ])
    expect(body.data[0]).toMatchObject({
      name: 'Cambio de aceite',
      category_maintenance_alert_id: [category.id],
      categories: [{ id: category.id, name: category.name }],
      selectedTrucks: [one.id],
      code: one.code,
      expirationSettings: { dateSelected: true, date: inDays(90), kilometersSelected: true, kilometers: 50_000 },
      alertSettings: { daysSelected: true, days: 10, kilometersSelected: true, kilometers_advance: 500 },
      emails_to_notifications: { selected: ['jefe@taller.cl', 'dos@taller.cl'] },
      kilometers_now: 1000,
    })
  })

  it('asks for a name, a truck, and a date or kilometres, each under its field', async () => {
    const ana = await house.given.member()
    const { status, failure } = await create(ana, { expirationSettings: {} })
    expect(status).toBe(422)
    expect(Object.keys(failure.errors!).sort()).toEqual(['expirationSettings.kilometers', 'name', 'selectedTrucks'])
    const empty = await create(ana, { name: 'X', expirationSettings: onDate(today) })
    expect(empty.failure.errors).toEqual({ selectedTrucks: ['Elija al menos un equipo.'] })
  })

  it('takes a reminder only with what it reminds of', async () => {
    const ana = await house.given.member()
    const truck = await house.given.truck(ana)
    const wrong = async (more: object) =>
      (await create(ana, { name: 'X', selectedTrucks: [truck.id], ...more })).failure.errors
    expect(
      await wrong({ expirationSettings: atKm(9000), alertSettings: { daysSelected: true, days: 3 } }),
    ).toHaveProperty(['alertSettings.days'])
    expect(
      await wrong({
        expirationSettings: onDate(today),
        alertSettings: { kilometersSelected: true, kilometers_advance: 3 },
      }),
    ).toHaveProperty(['alertSettings.kilometers_advance'])
    expect(
      await wrong({
        expirationSettings: atKm(500),
        alertSettings: { kilometersSelected: true, kilometers_advance: 500 },
      }),
    ).toHaveProperty(['alertSettings.kilometers_advance'])
    expect(await wrong({ expirationSettings: { kilometersSelected: true, kilometers: 10_000_000_000 } })).toEqual({
      'expirationSettings.kilometers': ['El kilometraje no puede pasar de 9.999.999 km.'],
    })
    expect(await wrong({ expirationSettings: { dateSelected: true, date: '2026-02-30' } })).toHaveProperty([
      'expirationSettings.date',
    ])
  })

  it('names the address that is none, and refuses trucks and categories that are not to be seen', async () => {
    const [ana, bob] = [await house.given.member(), await house.given.member()]
    const [mine, theirs] = [await house.given.truck(ana), await house.given.truck(bob)]
    const body = { name: 'X', expirationSettings: onDate(today) }
    const bad = await create(ana, {
      ...body,
      selectedTrucks: [mine.id],
      emails_to_notifications: { selected: ['ok@a.cl', 'no es correo'] },
    })
    expect(bad.failure.errors).toEqual({
      'emails_to_notifications.selected': ['«no es correo» no es un correo válido.'],
    })
    const stranger = await create(ana, { ...body, selectedTrucks: [mine.id, theirs.id] })
    expect(stranger.failure.errors).toEqual({ selectedTrucks: ['Elija equipos de la lista.'] })
    const category = await house.given.alertCategory(bob)
    const foreign = await create(ana, {
      ...body,
      selectedTrucks: [mine.id],
      category_maintenance_alert_id: [category.id],
    })
    expect(foreign.status).toBe(422)
    expect(foreign.failure.errors).toHaveProperty('category_maintenance_alert_id')
  })
})

describe('the state of an alert', () => {
  it('is worked out at once, by date: in advance, on the day, and past it', async () => {
    const ana = await house.given.member()
    const stateOf = async (date: string, days?: number) => {
      const alert = await house.given.alert(ana, {
        expirationSettings: onDate(date),
        ...(days && { alertSettings: { daysSelected: true, days } }),
      })
      return [alert.status, alert.overdue]
    }
    expect(await stateOf(inDays(10))).toEqual(['created', false])
    expect(await stateOf(inDays(10), 9)).toEqual(['created', false])
    expect(await stateOf(inDays(10), 10)).toEqual(['current', false])
    expect(await stateOf(today)).toEqual(['current', false])
    expect(await stateOf(inDays(-1))).toEqual(['current', true])
  })

  it('moves with every reading, and back with a correction', async () => {
    const ana = await house.given.member()
    const truck = await house.given.truck(ana, { mileage: 9000 })
    const { id } = await house.given.alert(ana, {
      selectedTrucks: [truck.id],
      expirationSettings: atKm(10_000),
      alertSettings: { kilometersSelected: true, kilometers_advance: 200 },
    })
    const readAt = async (km: number) => {
      await house.call(ana, fleet.recordReading, { params: { id: truck.id }, body: { km, confirm_lower: true } })
      const alert = await get(ana, id)
      return [alert.status, alert.overdue, alert.kilometers_now]
    }
    expect(await readAt(9799)).toEqual(['created', false, 9799])
    expect(await readAt(9800)).toEqual(['current', false, 9800])
    expect(await readAt(10_000)).toEqual(['current', false, 10_000])
    expect(await readAt(10_001)).toEqual(['current', true, 10_001])
    expect(await readAt(9500)).toEqual(['created', false, 9500])
  })

  it('of a coupled unit follows the kilometres of the trucks that pulled it', async () => {
    const ana = await house.given.member()
    const unit = await house.given.coupled(ana)
    const truck = await house.given.truck(ana, { coupled_id: unit.id, mileage: 100_000 })
    // Pulled for ten days.
    await house.owner.query(`update couplings set from_at = now() - interval '10 days' where truck_id = $1`, [truck.id])
    await house.owner.query(`update truck_readings set date = now() - interval '10 days' where truck_id = $1`, [
      truck.id,
    ])
    const { id } = await house.given.alert(ana, {
      selectedCoupled: [unit.id],
      expirationSettings: atKm(5000),
      alertSettings: { kilometersSelected: true, kilometers_advance: 1000 },
    })
    expect(await get(ana, id)).toMatchObject({ status: 'created', kilometers_now: 0 })
    await read(ana, truck.id, 103_000)
    const far = await get(ana, id)
    expect(far).toMatchObject({ status: 'created', kilometers_now: 3000, estimated: true })
    expect(far.kilometers_per_day).toBeCloseTo(300, 0)
    await read(ana, truck.id, 104_000)
    expect(await get(ana, id)).toMatchObject({ status: 'current', kilometers_now: 4000 })
  })

  it('of a unit that several trucks pulled counts what the fleet says it was pulled', async () => {
    const ana = await house.given.member()
    const unit = await house.given.coupled(ana)
    const trucks = [await house.given.truck(ana), await house.given.truck(ana)]
    const days = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString()
    for (const [i, truck] of trucks.entries()) {
      await house.owner.query('update truck_readings set date = $2 where truck_id = $1', [truck.id, days(100)])
      for (const n of [70, 33, 12, 1]) await read(ana, truck.id, 1000 + (100 - n) * (170 + i * 40), days(n))
    }
    const pulled: [truck: number, from: number, until: number | null][] = [
      [0, 90, 55],
      [1, 55, 20],
      [0, 18.5, null],
    ]
    for (const [i, from, until] of pulled)
      await house.owner.query(
        'insert into couplings (company_id, truck_id, coupled_id, from_at, until_at) values ($1, $2, $3, $4, $5)',
        [ana.company_id, trucks[i]!.id, unit.id, days(from), until && days(until)],
      )
    const alert = await house.given.alert(ana, { selectedCoupled: [unit.id], expirationSettings: atKm(900_000) })
    const { body } = await house.call(ana, fleet.getCoupled, { params: { id: unit.id } })
    expect(alert.kilometers_now).toBe(body.kilometers)
    expect(alert.kilometers_now).toBe(35 * 170 + 35 * 210 + Math.round(17.5 * 170))
    expect(alert.kilometers_per_day).toBeCloseTo((5 * 170 + 35 * 210 + 17.5 * 170) / 60, 0)
  })

  it('of a truck that is no longer used stays as it was', async () => {
    const ana = await house.given.member()
    const truck = await house.given.truck(ana, { mileage: 100 })
    const { id } = await house.given.alert(ana, { selectedTrucks: [truck.id], expirationSettings: atKm(200) })
    await house.call(ana, fleet.updateTruck, { params: { id: truck.id }, body: { ...truck, state: 'inactive' } })
    await read(ana, truck.id, 300)
    expect((await get(ana, id)).status).toBe('created')
  })
})

describe('the forecast', () => {
  /** A truck that drove `perDay` for the last forty days, read every ten. */
  const driven = async (who: Member, perDay: number) => {
    const truck = await house.given.truck(who, { mileage: 0 })
    await house.owner.query(`update truck_readings set date = now() - interval '40 days' where truck_id = $1`, [
      truck.id,
    ])
    for (const days of [30, 20, 10])
      await read(who, truck.id, (40 - days) * perDay, new Date(Date.now() - days * 86_400_000).toISOString())
    await read(who, truck.id, 40 * perDay)
    return truck
  }

  it('says when the kilometres will be reached, from what the truck drives a day, and the earlier of both', async () => {
    const ana = await house.given.member()
    const truck = await driven(ana, 250)
    const alert = await house.given.alert(ana, { selectedTrucks: [truck.id], expirationSettings: atKm(15_000) })
    expect(alert).toMatchObject({ due_on: inDays(20), estimated: true, kilometers_per_day: 250, unread: false })
    const both = async (date: string) => {
      const { due_on, estimated } = await house.given.alert(ana, {
        selectedTrucks: [truck.id],
        expirationSettings: { ...atKm(15_000), ...onDate(date) },
      })
      return { due_on, estimated }
    }
    expect(await both(inDays(5))).toEqual({ due_on: inDays(5), estimated: false })
    expect(await both(inDays(50))).toEqual({ due_on: inDays(20), estimated: true })
  })

  it('puts what falls due first at the top, and executed alerts at the end', async () => {
    const ana = await house.given.member()
    const truck = await driven(ana, 100)
    const made = async (name: string, expirationSettings: object) =>
      house.given.alert(ana, { name, selectedTrucks: [truck.id], expirationSettings })
    const done = await made('hecha', onDate(inDays(-5)))
    await made('en treinta días', onDate(inDays(30)))
    await made('en diez, por kilómetros', atKm(5000))
    await made('vencida', onDate(inDays(-1)))
    await execute(ana, [done.id])
    const { body } = await house.call(ana, alerts.listAlerts)
    expect(body.data.map(({ name }) => name)).toEqual([
      'vencida',
      'en diez, por kilómetros',
      'en treinta días',
      'hecha',
    ])
  })

  it('warns of a truck whose meter was not read for thirty days', async () => {
    const ana = await house.given.member()
    const truck = await house.given.truck(ana, { mileage: 100 })
    await house.owner.query(`update truck_readings set date = now() - interval '31 days' where truck_id = $1`, [
      truck.id,
    ])
    const byKm = await house.given.alert(ana, { selectedTrucks: [truck.id], expirationSettings: atKm(5000) })
    const byDate = await house.given.alert(ana, { selectedTrucks: [truck.id] })
    expect([byKm.unread, byDate.unread]).toEqual([true, false])
    const query = { filter: { Attention: 'unread' } }
    expect((await house.call(ana, alerts.listAlerts, { query })).body.data.map(({ id }) => id)).toEqual([byKm.id])
    await read(ana, truck.id, 200)
    expect((await get(ana, byKm.id)).unread).toBe(false)
  })
})

describe('the list', () => {
  it('is filtered by truck, category, state, words and workshop', async () => {
    const ana = await house.given.member()
    const boss = await house.given.member({ role: 'super-admin', company_id: ana.company_id })
    const elsewhere = await house.given.member({ company_id: ana.company_id })
    const category = await house.given.alertCategory(ana)
    const [one, two] = [await house.given.truck(ana), await house.given.truck(ana)]
    const oil = await house.given.alert(ana, {
      name: 'Cambio de aceite',
      selectedTrucks: [one.id],
      category_maintenance_alert_id: [category.id],
    })
    const brakes = await house.given.alert(ana, {
      name: 'Frenos',
      selectedTrucks: [two.id],
      expirationSettings: onDate(inDays(-3)),
    })
    const other = await house.given.alert(elsewhere, { name: 'Otro taller' })
    const found = async (who: Member, filter: object) =>
      (await house.call(who, alerts.listAlerts, { query: { filter } })).body.data.map(({ id }) => id).sort()
    expect(await found(ana, {})).toEqual([oil.id, brakes.id])
    expect(await found(ana, { Trucks: one.id })).toEqual([oil.id])
    expect(await found(ana, { Categories: [category.id] })).toEqual([oil.id])
    expect(await found(ana, { Status: 'current' })).toEqual([brakes.id])
    expect(await found(ana, { Attention: 'overdue' })).toEqual([brakes.id])
    expect(await found(ana, { Search: `aceite ${one.code}` })).toEqual([oil.id])
    expect(await found(ana, { WorkshopId: elsewhere.workshop_id })).toEqual([oil.id, brakes.id])
    expect(await found(boss, {})).toEqual([oil.id, brakes.id, other.id])
    expect(await found(boss, { WorkshopId: elsewhere.workshop_id })).toEqual([other.id])
    const { body } = await house.call(ana, finder.find, { query: { text: 'frenos' } })
    expect(body.data.map(({ kind, id }) => [kind, id])).toEqual([['alert', brakes.id]])
  })
})

describe('editing', () => {
  it('keeps the truck, changes the rest, and refuses what somebody else changed meanwhile', async () => {
    const ana = await house.given.member()
    const other = await house.given.truck(ana)
    const alert = await house.given.alert(ana)
    const change = (more: object) =>
      house.call(ana, alerts.updateAlert, { params: { id: alert.id }, body: { ...house.given.newAlert(), ...more } })
    const { status, body } = await change({
      name: 'Otra',
      selectedTrucks: [other.id],
      expirationSettings: onDate(inDays(-2)),
      updated_at: alert.updated_at,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Otra', truck_id: alert.truck_id, status: 'current', overdue: true })
    expect((await change({ updated_at: alert.updated_at })).status).toBe(409)
    const activity = await house.call(ana, alerts.alertActivity, { params: { id: alert.id } })
    expect(activity.body.data.map(({ action }) => action)).toEqual(['updated', 'created'])
    expect(activity.body.data[0]?.changes).toMatchObject({ name: [alert.name, 'Otra'] })
  })

  it('ends with execution', async () => {
    const ana = await house.given.member()
    const alert = await house.given.alert(ana)
    await execute(ana, [alert.id])
    const { status } = await house.call(ana, alerts.updateAlert, {
      params: { id: alert.id },
      body: house.given.newAlert(),
    })
    expect(status).toBe(409)
  })
})

describe('many at once', () => {
  it('are executed, and deleted, all or none', async () => {
    const [ana, bob] = [await house.given.member(), await house.given.member()]
    const mine = [await house.given.alert(ana), await house.given.alert(ana)]
    const theirs = await house.given.alert(bob)
    const ids = mine.map(({ id }) => id)
    expect((await execute(ana, [...ids, theirs.id])).status).toBe(404)
    expect((await get(ana, ids[0]!)).status).toBe('created')
    const done = await execute(ana, ids)
    expect(done.body).toEqual({ executed: 2, made: [] })
    expect(await get(ana, ids[0]!)).toMatchObject({ status: 'executed', executed_on: today, executed_by: ana.name })
    expect((await execute(ana, ids)).body.executed).toBe(0)

    const remove = (list: number[]) => house.call(ana, alerts.deleteAlerts, { body: { ids: list } })
    expect((await remove([...ids, theirs.id])).status).toBe(404)
    expect((await remove(ids)).body).toEqual({ deleted: 2 })
    expect((await house.call(ana, alerts.listAlerts)).body.total).toBe(0)
    expect((await house.call(ana, alerts.deleteAlert, { params: { id: ids[0]! } })).status).toBe(404)
  })

  it('go no other way than to executed', async () => {
    const ana = await house.given.member()
    const { id } = await house.given.alert(ana)
    const body = { ids: [id], status: 'created' }
    expect((await house.call(ana, alerts.executeAlerts, { body })).status).toBe(422)
    expect((await execute(ana, [id], inDays(1))).failure.errors).toHaveProperty('date')
  })
})

describe('a plan that repeats', () => {
  const next = async (who: Member, id: number, date?: string) => (await execute(who, [id], date)).body.made[0]

  it('makes the next one from the day it was done', async () => {
    const ana = await house.given.member()
    const alert = await house.given.alert(ana, {
      expirationSettings: onDate(inDays(5)),
      alertSettings: { daysSelected: true, days: 7 },
      repeatSettings: { dateSelected: true, every: 90, unit: 'days', from: 'done' },
      emails_to_notifications: { selected: ['a@b.cl'] },
    })
    expect(await next(ana, alert.id, inDays(-10))).toMatchObject({
      previous_id: alert.id,
      name: alert.name,
      status: 'created',
      expirationSettings: { dateSelected: true, date: inDays(80) },
      alertSettings: { daysSelected: true, days: 7 },
      repeatSettings: { every: 90 },
      emails_to_notifications: { selected: ['a@b.cl'] },
    })
  })

  it('or from the day it was planned for, beyond the day it was done', async () => {
    const ana = await house.given.member()
    const alert = await house.given.alert(ana, {
      expirationSettings: onDate('2024-09-30'),
      repeatSettings: { dateSelected: true, every: 12, unit: 'months', from: 'planned' },
    })
    expect((await next(ana, alert.id, '2026-01-15'))?.expirationSettings.date).toBe('2026-09-30')
  })

  it('keeps to the day of the month, and after a shorter one comes back to it', async () => {
    const ana = await house.given.member()
    const monthly = { dateSelected: true, every: 1, unit: 'months', from: 'planned' }
    const thirtieth = await house.given.alert(ana, {
      expirationSettings: onDate('2025-11-30'),
      repeatSettings: monthly,
    })
    expect((await next(ana, thirtieth.id, '2025-11-30'))?.expirationSettings.date).toBe('2025-12-30')
    let last = await house.given.alert(ana, { expirationSettings: onDate('2025-01-31'), repeatSettings: monthly })
    for (const date of ['2025-02-28', '2025-03-31', '2025-04-30', '2025-05-31']) {
      last = (await next(ana, last.id, last.expirationSettings.date!))!
      expect(last.expirationSettings.date).toBe(date)
    }
  })

  it('is refused for a truck out of use; what it has rests, as it is, until it is back', async () => {
    const ana = await house.given.member()
    const truck = await house.given.truck(ana)
    const due = await house.given.alert(ana, { selectedTrucks: [truck.id], expirationSettings: onDate(inDays(5)) })
    const put = (state: string) => house.call(ana, fleet.updateTruck, { params: { id: truck.id }, body: { state } })
    expect((await put('inactive')).body).toMatchObject({ state: 'inactive', retired_at: expect.any(String) })
    const refused = await create(ana, { name: 'X', selectedTrucks: [truck.id], expirationSettings: onDate(inDays(9)) })
    expect(refused.failure.errors?.selectedTrucks?.[0]).toBe(
      `El equipo ${truck.code} está inactivo: no se le pueden crear alertas.`,
    )
    await house.owner.query(`update alerts set date = current_date - 3 where id = $1`, [due.id])
    await evaluateCompany(house.app.database, ana.company_id)
    expect(await get(ana, due.id)).toMatchObject({ status: 'created', overdue: false })
    expect((await put('active')).body).toMatchObject({ state: 'active', retired_at: null })
    expect(await get(ana, due.id)).toMatchObject({ status: 'current', overdue: true })
  })

  it('by kilometres, from those it had or from those planned', async () => {
    const ana = await house.given.member()
    const truck = await house.given.truck(ana, { mileage: 21_500 })
    const plan = (from: string) => ({
      selectedTrucks: [truck.id],
      expirationSettings: atKm(20_000),
      alertSettings: { kilometersSelected: true, kilometers_advance: 500 },
      repeatSettings: { kilometersSelected: true, kilometers: 10_000, from },
    })
    const done = await house.given.alert(ana, plan('done'))
    expect((await next(ana, done.id))?.expirationSettings.kilometers).toBe(31_500)
    const planned = await house.given.alert(ana, plan('planned'))
    expect(await next(ana, planned.id)).toMatchObject({
      expirationSettings: { dateSelected: false, kilometers: 30_000 },
      alertSettings: { kilometers_advance: 500 },
    })
  })

  it('makes one next, however many execute it at once', async () => {
    const ana = await house.given.member()
    const { id } = await house.given.alert(ana, {
      repeatSettings: { dateSelected: true, every: 1, unit: 'months', from: 'done' },
    })
    const answers = await Promise.all([1, 2, 3, 4].map(() => execute(ana, [id])))
    expect(answers.map(({ body }) => body.executed).sort()).toEqual([0, 0, 0, 1])
    expect((await house.call(ana, alerts.listAlerts)).body.total).toBe(2)
  })
})

describe('the order that carries an alert out', () => {
  const make = (who: Member, id: number) => house.call(who, alerts.makeWorkOrder, { params: { id } })
  const finalize = (who: Member, id: number) =>
    house.call(who, workOrders.moveWorkOrder, { params: { id }, body: { status: 'FINALIZED' } })

  it('is made with one call, and finalizing it executes the alert and makes the next', async () => {
    const ana = await house.given.member()
    const luis = await house.given.member({ ...ana, role: 'specialist' })
    const alert = await house.given.alert(ana, {
      name: 'Cambio de aceite',
      description: 'Con filtros',
      expirationSettings: onDate(inDays(-2)),
      repeatSettings: { dateSelected: true, every: 30, unit: 'days', from: 'done' },
    })
    const made = await make(ana, alert.id)
    expect(made.status).toBe(201)
    expect(made.body.work_order_code).toMatch(/^OT-/)
    const id = made.body.work_order_id!
    const order = await house.call(ana, workOrders.getWorkOrder, { params: { id } })
    expect(order.body).toMatchObject({
      truck_id: alert.truck_id,
      request: 'Cambio de aceite',
      planned: true,
      priority: 'high',
    })
    const twice = await make(ana, alert.id)
    expect([twice.status, twice.failure.message]).toEqual([
      409,
      `La alerta ya tiene la orden ${made.body.work_order_code}.`,
    ])

    expect((await finalize(luis, id)).status).toBe(200)
    expect(await get(ana, alert.id)).toMatchObject({ status: 'executed', executed_on: today, work_order_id: id })
    const { data } = (await house.call(ana, alerts.listAlerts)).body
    expect(data.map(({ previous_id, expirationSettings: { date } }) => [previous_id, date])).toEqual([
      [alert.id, inDays(30)],
      [null, inDays(-2)],
    ])
  })

  it('that is opened again opens its alert too, and takes the untouched repetition back', async () => {
    const ana = await house.given.member()
    const plan = {
      expirationSettings: onDate(inDays(-2)),
      repeatSettings: { dateSelected: true, every: 30, unit: 'days', from: 'done' },
    }
    const move = (id: number, status: string) =>
      house.call(ana, workOrders.moveWorkOrder, { params: { id }, body: { status } })
    const listed = async () => (await house.call(ana, alerts.listAlerts)).body.data
    const alert = await house.given.alert(ana, plan)
    const order = (await make(ana, alert.id)).body.work_order_id!
    await finalize(ana, order)
    expect(await listed()).toHaveLength(2)
    await move(order, 'IN_PROCESS')
    expect(await listed()).toMatchObject([
      { id: alert.id, status: 'current', overdue: true, executed_on: null, executed_by: null },
    ])
    await finalize(ana, order)
    const [made] = (await listed()).filter(({ previous_id }) => previous_id === alert.id)
    await house.call(ana, alerts.updateAlert, { params: { id: made!.id }, body: { name: 'Otro nombre' } })
    await move(order, 'IN_PROCESS')
    await finalize(ana, order)
    expect((await listed()).map(({ name }) => name).sort()).toEqual(['Otro nombre', alert.name].sort())

    const byHand = await house.given.alert(ana, { expirationSettings: onDate(inDays(-2)) })
    const second = (await make(ana, byHand.id)).body.work_order_id!
    await execute(ana, [byHand.id])
    await finalize(ana, second)
    await move(second, 'IN_PROCESS')
    expect((await get(ana, byHand.id)).status).toBe('executed')
  })

  it('that was deleted leaves the alert open for another', async () => {
    const ana = await house.given.member()
    const alert = await house.given.alert(ana)
    const { body } = await make(ana, alert.id)
    await house.call(ana, workOrders.deleteWorkOrder, { params: { id: body.work_order_id! } })
    expect((await get(ana, alert.id)).work_order_id).toBeNull()
    expect((await make(ana, alert.id)).status).toBe(201)
  })

  it('of a unit is one of the truck that pulls it', async () => {
    const ana = await house.given.member()
    const unit = await house.given.coupled(ana)
    const alert = await house.given.alert(ana, { selectedCoupled: [unit.id] })
    expect((await make(ana, alert.id)).status).toBe(409)
    const truck = await house.given.truck(ana, { coupled_id: unit.id })
    const { body } = await make(ana, alert.id)
    const order = await house.call(ana, workOrders.getWorkOrder, { params: { id: body.work_order_id! } })
    expect(order.body).toMatchObject({ truck_id: truck.id, coupled_id: unit.id })
  })

  it('is made once, however many ask at once', async () => {
    const ana = await house.given.member()
    const alert = await house.given.alert(ana)
    const answers = await Promise.all([1, 2, 3].map(() => make(ana, alert.id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect((await house.call(ana, workOrders.listWorkOrders)).body.total).toBe(1)
  })
})

describe('categories and obligations', () => {
  it('a name is used once, and a category that alerts use stays', async () => {
    const ana = await house.given.member()
    const category = await house.given.alertCategory(ana, { name: 'Frenos y dirección' })
    const again = await house.call(ana, alertCategories.createCategory, { body: { name: 'frenos y direccion' } })
    expect(again.failure.errors).toEqual({ name: ['Ya existe una categoría con este nombre.'] })
    const alert = await house.given.alert(ana, { category_maintenance_alert_id: [category.id] })
    const remove = () => house.call(ana, alertCategories.deleteCategory, { params: { id: category.id } })
    expect((await remove()).status).toBe(409)
    await house.call(ana, alerts.deleteAlert, { params: { id: alert.id } })
    expect((await remove()).status).toBe(204)
  })

  it('offers what Chilean law asks, for trucks and for what they pull, until there is an alert of it', async () => {
    const ana = await house.given.member()
    const [truck, unit] = [await house.given.truck(ana), await house.given.coupled(ana)]
    const add = () => house.call(ana, alertCategories.addChileanObligations, { body: {} })
    expect((await add()).body.total).toBe(CHILEAN_OBLIGATIONS.length)
    expect((await add()).body.total).toBe(CHILEAN_OBLIGATIONS.length)
    const missing = async () => (await house.call(ana, alertCategories.listMissing)).body.data
    const offered = await missing()
    expect(offered.map((one) => [one.category_name, one.truck_id ?? one.coupled_id])).toEqual([
      ['Control de gases', truck.id],
      ['Permiso de circulación', truck.id],
      ['Permiso de circulación', unit.id],
      ['Revisión técnica', truck.id],
      ['Revisión técnica', unit.id],
      ['Seguro obligatorio (SOAP)', truck.id],
      ['Seguro obligatorio (SOAP)', unit.id],
    ])
    const permit = offered.find(({ category_name }) => category_name === 'Permiso de circulación')!
    expect(permit.date).toMatch(/-09-30$/)
    const made = await house.call(ana, alertCategories.createObligations, {
      body: {
        category_id: permit.category_id,
        units: [
          { truck_id: truck.id, date: permit.date! },
          { coupled_id: unit.id, date: permit.date! },
        ],
      },
    })
    expect(made.status).toBe(201)
    expect(made.body.data[0]).toMatchObject({
      name: 'Permiso de circulación',
      expirationSettings: { date: permit.date },
      alertSettings: { days: 30 },
      repeatSettings: { every: 12, unit: 'months', from: 'planned' },
    })
    expect((await missing()).map(({ category_name }) => category_name)).not.toContain('Permiso de circulación')
  })
})

it('suggests the people of the workshop, and whom its alerts are sent to', async () => {
  const ana = await house.given.member()
  const boss = await house.given.member({ role: 'super-admin', company_id: ana.company_id })
  await house.given.member({ company_id: ana.company_id })
  await house.given.alert(ana, { emails_to_notifications: { selected: ['mutual@externa.cl'] } })
  const { body } = await house.call(ana, alerts.listEmails)
  expect(body.data.map(({ email }) => email).sort()).toEqual(['mutual@externa.cl', ana.email, boss.email].sort())
})

it('who sees every workshop is offered each address once, of all sets of them and of no neighbour', async () => {
  const ana = await house.given.member()
  const boss = await house.given.member({ role: 'super-admin', company_id: ana.company_id })
  const sets = [['uno@externa.cl', 'dos@externa.cl'], ['dos@externa.cl'], [], ['dos@externa.cl'], ['tres@externa.cl']]
  for (const selected of sets) await house.given.alert(ana, { emails_to_notifications: { selected } })
  const neighbour = await house.given.member()
  await house.given.alert(neighbour, { emails_to_notifications: { selected: ['otro@externa.cl'] } })
  const { body } = await house.call(boss, alerts.listEmails)
  expect(body.data.map(({ email }) => email).filter((email) => email.endsWith('@externa.cl'))).toEqual([
    'dos@externa.cl',
    'tres@externa.cl',
    'uno@externa.cl',
  ])
})

it('a truck with alerts is not deleted', async () => {
  const ana = await house.given.member()
  const alert = await house.given.alert(ana)
  expect((await house.call(ana, fleet.deleteTruck, { params: { id: alert.truck_id! } })).status).toBe(409)
})

it('shows the addresses of an alert only to those who manage people', async () => {
  const ana = await house.given.member()
  const { id } = await house.given.alert(ana, { emails_to_notifications: { selected: ['dueno@externa.cl'] } })
  await house.call(ana, alerts.updateAlert, {
    params: { id },
    body: { emails_to_notifications: { selected: ['dueno@externa.cl', 'otra@externa.cl'] } },
  })
  const { company_id, workshop_id } = ana
  for (const role of ['specialist', 'warehouse', 'viewer'] as const) {
    const reader = await house.given.member({ role, company_id, workshop_id })
    const told = await Promise.all([
      house.call(reader, alerts.getAlert, { params: { id } }),
      house.call(reader, alerts.listAlerts),
      house.call(reader, alerts.alertActivity, { params: { id } }),
    ])
    expect(told.map(({ status }) => status)).toEqual([200, 200, 200])
    expect([role, JSON.stringify(told.map(({ body }) => body)).includes('externa.cl')]).toEqual([role, false])
  }
  expect((await get(ana, id)).emails_to_notifications.selected).toHaveLength(2)
})
