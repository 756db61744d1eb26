import { beforeAll, describe, expect, it } from 'vitest'
import { alerts } from '#contract/alerts/alerts.ts'
import { dayOf } from '#contract/base/dates.ts'
import { fleet, TRUCK_ELSEWHERE, type Truck } from '#contract/fleet/fleet.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { companies } from '#contract/workshops/company.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { brokenInvariants } from '../../test/invariants.ts'

const house = openHouse()

/** The truck is of `home`, and breaks down where `away` works. */
let home: Member
let away: Member
let truck: Truck
beforeAll(async () => {
  home = await house.given.member({ role: 'admin' })
  away = await house.given.member({ role: 'admin', company_id: home.company_id })
  truck = await house.given.truck(home)
})
const share = (value: boolean) => house.given.setting(home.company_id, 'shared_fleet', value)
const params = () => ({ id: truck.id })
const orderFor = (who: Member, truck_id: number, more: object = {}) =>
  house.call(who, workOrders.createWorkOrder, { body: { workshop_id: who.workshop_id, truck_id, ...more } })

it('is off for companies that were there, on for new ones, and the first setting is what it was', async () => {
  const { data } = (await house.call(home, companies.listSettings, {})).body
  expect(data[0]!.name).toBe('has_warehouse')
  expect(data.find(({ name }) => name === 'shared_fleet')!.pivot.setting_value).toBe(false)
})

describe('where the fleet is not shared', () => {
  it('a truck of another workshop is none', async () => {
    await share(false)
    expect((await house.call(away, fleet.getTruck, { params: params() })).status).toBe(404)
    expect((await orderFor(away, truck.id)).failure.errors).toEqual({ truck_id: ['Elija un equipo de la lista.'] })
    const { body } = await house.call(away, fleet.chooseTrucks, { query: { filter: { Shared: true } } })
    expect(body.data).toEqual([])
  })
})

describe('where the fleet is shared', () => {
  beforeAll(() => share(true))

  it('any truck is read, with its readings, units, activity and plan', async () => {
    const alert = await house.given.alert(home, { selectedTrucks: [truck.id] })
    expect((await house.call(away, fleet.getTruck, { params: params() })).body.workshop_id).toBe(home.workshop_id)
    expect((await house.call(away, fleet.listReadings, { params: params() })).status).toBe(200)
    expect((await house.call(away, fleet.listCouplings, { params: params() })).status).toBe(200)
    expect((await house.call(away, fleet.truckActivity, { params: params() })).status).toBe(200)
    const unit = await house.given.coupled(home)
    expect((await house.call(away, fleet.getCoupled, { params: { id: unit.id } })).status).toBe(200)
    const plan = await house.call(away, alerts.listAlerts, { query: { filter: { Trucks: [truck.id] } } })
    expect(plan.body.data.map(({ id }) => id)).toEqual([alert.id])
    expect((await house.call(away, alerts.getAlert, { params: { id: alert.id } })).status).toBe(200)
    expect((await house.call(away, alerts.listAlerts, { query: {} })).body.data).toEqual([])
    expect((await house.call(away, alerts.deleteAlert, { params: { id: alert.id } })).status).toBe(404)
  })

  it('is changed at home', async () => {
    const refused = { status: 403, failure: { message: TRUCK_ELSEWHERE } }
    expect(await house.call(away, fleet.updateTruck, { params: params(), body: { code: 'X' } })).toMatchObject(refused)
    expect(await house.call(away, fleet.deleteTruck, { params: params() })).toMatchObject(refused)
    expect(await house.call(away, fleet.recordReading, { params: params(), body: { km: 999_999 } })).toMatchObject(
      refused,
    )
    const body = { coupled_id: 1, from: new Date().toISOString() }
    expect(await house.call(away, fleet.addCoupling, { params: params(), body })).toMatchObject(refused)
    expect((await house.call(home, fleet.updateTruck, { params: params(), body: { code: truck.code } })).status).toBe(
      200,
    )
  })

  it('is offered after those of the workshop, and listed where it is asked for', async () => {
    const own = await house.given.truck(away)
    const { body } = await house.call(away, fleet.chooseTrucks, { query: { filter: { Shared: true } } })
    expect(body.data.map(({ id }) => id)).toEqual([own.id, truck.id])
    expect(body.data[1]!.workshop_name).toBe(truck.workshop_name)
    const listed = async (Fleet?: ('own' | 'others')[]) => {
      const { body } = await house.call(away, fleet.listTrucks, { query: { filter: { Fleet } } })
      return body.data.map(({ id }) => id).sort((a, b) => a - b)
    }
    expect([await listed(), await listed(['others']), await listed(['own', 'others'])]).toEqual([
      [own.id],
      [truck.id],
      [truck.id, own.id],
    ])
    expect((await house.call(away, fleet.chooseTrucks, { query: {} })).body.data.map(({ id }) => id)).toEqual([own.id])
  })

  it('is repaired elsewhere: its meter moves, its history has it, and reports say where and whose', async () => {
    const made = await orderFor(away, truck.id, { kilometer: truck.mileage + 500, request: 'Se quedó en la ruta' })
    expect(made.status).toBe(201)
    const order = made.body
    expect(order.truck_workshop).toBe(truck.workshop_name)
    expect((await house.call(home, fleet.getTruck, { params: params() })).body.mileage).toBe(truck.mileage + 500)
    const filter = { Truck: [truck.id] }
    for (const who of [home, away]) {
      const { body } = await house.call(who, workOrders.listWorkOrders, { query: { filter } })
      expect(body.data.map(({ id }) => id)).toEqual([order.id])
    }
    expect((await house.call(home, workOrders.listWorkOrders, { query: {} })).body.data).toEqual([])

    const provider = await house.given.provider(away)
    const service = await house.given.service(away, { provider_id: provider.id })
    await house.call(away, workOrders.updateWorkOrder, {
      params: { id: order.id },
      body: { services: [{ provider_id: provider.id, service_id: service.id, quantity: 1, unit_price: 5000 }] },
    })
    const today = dayOf(new Date())
    const query = { filter: { BetweenDate: `${today},${today}` } }
    const { body } = await house.call(away, reports.expensesByTruck, { query })
    expect(body.data).toMatchObject([{ truck_id: truck.id, total_cost: 5000, truck_workshop: truck.workshop_name }])
    const historical = await house.call(away, reports.historicalExpenses, { query })
    expect(historical.body.data).toMatchObject([{ truck_workshop: truck.workshop_name }])
    const rows = await house.call(away, reportRows.expenseRows, { query })
    expect(rows.body.data).toMatchObject([{ amount: 5000, truck_workshop: truck.workshop_name }])
    // At home it did not cost that workshop anything.
    expect((await house.call(home, reports.expensesByTruck, { query })).body.totals.total_cost).toBe(0)
    const boss = await house.given.member({ role: 'super-admin', company_id: home.company_id })
    const all = await house.call(boss, reports.expensesByTruck, { query })
    expect(all.body.data).toMatchObject([{ truck_id: truck.id, total_cost: 5000, truck_workshop: null }])
    expect(await brokenInvariants(house.owner)).toEqual([])
  })

  it('the order is read at home, and changed where it is', async () => {
    const { body: order } = await orderFor(away, truck.id)
    const one = { params: { id: order.id } }
    expect((await house.call(home, workOrders.getWorkOrder, one)).status).toBe(200)
    expect((await house.call(home, workOrders.workOrderActivity, one)).status).toBe(200)
    expect((await house.call(home, workOrderParts.listComments, one)).status).toBe(200)
    const refused = { status: 403, failure: { message: 'La orden es de otro taller: aquí solo se puede ver.' } }
    expect(await house.call(home, workOrders.updateWorkOrder, { ...one, body: { request: 'X' } })).toMatchObject(
      refused,
    )
    expect(await house.call(home, workOrders.deleteWorkOrder, one)).toMatchObject(refused)
    expect(await house.call(home, workOrderParts.addComment, { ...one, body: { text: 'X' } })).toMatchObject(refused)
    const stranger = await house.given.member({ role: 'admin' })
    expect((await house.call(stranger, workOrders.getWorkOrder, one)).status).toBe(404)
  })
})
