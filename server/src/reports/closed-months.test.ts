import { beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { reports } from '#contract/reports/reports.ts'
import { supplies } from '#contract/supplies/supplies.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { companies } from '#contract/workshops/company.ts'
import { months } from '#contract/workshops/months.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { brokenInvariants } from '../../test/invariants.ts'
import { writeLedger } from '../../test/spending.ts'

const house = openHouse()

/** `2026-10`, some months ago. */
const monthBack = (back: number) => {
  const [year = 0, number = 0] = dayOf(new Date()).split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 - back)).toISOString().slice(0, 7)
}
const last = monthBack(1)
const then = `${last}-15T15:00:00.000Z`
const today = dayOf(new Date())

/** A company that spent, bought and drove last month, as if all of it had been typed then. */
async function lastMonth() {
  const { given, owner, call } = house
  const chief = await given.member({ role: 'super-admin' })
  const [category, other] = [await given.category(chief), await given.category(chief)]
  const [oil, filter] = [
    await given.supply(chief, { category_id: category.id }),
    await given.supply(chief, { category_id: category.id }),
  ]
  const center = await given.costCenter(chief)
  const truck = await given.truck(chief, { cost_center_id: center.id })
  const service = await given.service(chief)
  const bodega = await given.warehouse(chief)
  const entry = await given.entry(chief, {
    warehouse_id: bodega.id,
    transaction: { providerId: service.provider_id },
    supplies: [{ supply_id: (await given.supply(chief)).id, quantity: 3, unit_cost: 100 }],
  })
  await given.entry(chief, {
    warehouse_id: bodega.id,
    transaction: { providerId: service.provider_id },
    supplies: [
      { supply_id: oil.id, quantity: 10, unit_cost: 1000 },
      { supply_id: filter.id, quantity: 10, unit_cost: 333 },
    ],
  })
  const order = await given.workOrder(chief, {
    truck_id: truck.id,
    has_warehouse: true,
    warehouse_id: bodega.id,
    kilometer: 1500,
    confirm_lower: true,
    supplies: [
      { supply_id: oil.id, count: 2 },
      { supply_id: filter.id, count: 1 },
    ],
    services: [{ service_id: service.id, quantity: 1 }],
    works: [
      { description: 'Medido', start_time: then },
      { description: 'Anotado', hours: 3 },
    ],
  })
  const { company_id } = chief
  const [sold, idle] = [await given.truck(chief), await given.truck(chief)]
  for (const statement of [
    'update movements set at = $1, created_at = $1 where company_id = $2',
    'update stock set last_at = $1 where company_id = $2',
    'update work_order_supplies set created_at = $1 where company_id = $2',
    'update work_order_services set created_at = $1, day = ($1::timestamptz)::date where company_id = $2',
    'update transactions set date = ($1::timestamptz)::date, created_at = $1 where company_id = $2',
    `update truck_readings set date = $1::timestamptz - case when initial then interval '40 days' else interval '0' end
     where company_id = $2`,
    `with o as (update work_orders set created_at = $1, workshop_entry_at = $1 where company_id = $2)
     update work_order_costs set created_at = $1 where company_id = $2`,
    `update trucks set created_at = $1::timestamptz - interval '60 days' where company_id = $2`,
    `insert into work_order_waits (company_id, work_order_id, from_at, until_at)
     select company_id, id, $1::timestamptz - interval '2 days', $1::timestamptz + interval '1 day'
     from work_orders where company_id = $2`,
  ])
    await owner.query(statement, [then, company_id])
  await writeLedger(house, company_id)
  await owner.query(`update trucks set state = 'inactive', retired_at = $1 where id = $2`, [then, sold.id])
  const close = (closed_through: string | null) => call(chief, months.closeMonths, { body: { closed_through } })
  return { chief, truck, sold, idle, oil, filter, category, other, service, bodega, entry, order, center, close }
}

/** All that the reports say of last month. */
async function figures(chief: Member) {
  const query = { filter: { BetweenDate: `${last}-01,${endOf(last)}` } }
  const [truck, provider, history, category, used] = [
    await house.call(chief, reports.expensesByTruck, { query }),
    await house.call(chief, reports.expensesByProvider, { query }),
    await house.call(chief, reports.historicalExpenses, { query }),
    await house.call(chief, reports.expensesByCategory, { query }),
    await house.call(chief, reports.listSuppliesByTruck, { query }),
  ]
  const stopped = await house.call(chief, reports.availability, { query })
  const month = await house.call(chief, reports.expensesByMonth, {
    query: { filter: { BetweenYear: `${last.slice(0, 4)},${last.slice(0, 4)}` } },
  })
  const column = month.body.months.indexOf(last)
  return {
    trucks: truck.body.data.map(({ truck_id, orders, total_cost, kilometers }) => [
      truck_id,
      orders,
      total_cost,
      kilometers,
    ]),
    centers: truck.body.cost_centers.map(({ cost_center_id, total_cost, kilometers }) => [
      cost_center_id,
      total_cost,
      kilometers,
    ]),
    providers: provider.body.data.map((p) => [p.provider_id, p.services_cost, p.purchases_net, p.entries]),
    orders: history.body.data.map((o) => [o.work_order_id, o.supplies_cost, o.services_cost]),
    categories: category.body.data.map((c) => [c.category_id, c.lines, c.amount]),
    // Hours noted are spread over a stay that lasts until now.
    stopped: stopped.body.data.map((t) =>
      [t.truck_id, t.hours, t.hours_stopped, t.hours_unplanned, t.hours_worked, t.hours_parts, t.stops].map(Math.round),
    ),
    used: used.body.data.map((u) => [u.supply_id, u.count, u.amount]),
    months: month.body.data.map((row) => [row.category_id, row.amounts[column]]).filter(([, amount]) => amount),
  }
}
const endOf = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

describe('a closed month', () => {
  let it_: Awaited<ReturnType<typeof lastMonth>>
  let before: Awaited<ReturnType<typeof figures>>
  const edit = (more: Record<string, unknown>) =>
    house.call(it_.chief, workOrders.updateWorkOrder, { params: { id: it_.order.id }, body: more })
  const linesOf = async () =>
    (await house.call(it_.chief, workOrders.getWorkOrder, { params: { id: it_.order.id } })).body

  beforeAll(async () => {
    it_ = await lastMonth()
    before = await figures(it_.chief)
    expect(before).toMatchObject({ orders: [[it_.order.id, 2333, 1000]], trucks: [[it_.truck.id, 1, 3333, 500]] })
    expect((await it_.close(last)).status).toBe(200)
  })

  it('keeps its lines, services, truck, workshop and stays; each refusal stands under its field', async () => {
    const { supplies: lines, services } = await linesOf()
    const sent = lines.map(({ id, supply_id, count }) => ({ id, supply_id, count }))
    const other = await house.given.truck(it_.chief)
    const refusals = {
      'supplies.1.count': { supplies: [sent[0], { ...sent[1], count: 3 }] },
      supplies: { supplies: sent.slice(1) },
      'services.0.quantity': { services: [{ id: services[0]!.id, service_id: services[0]!.service_id, quantity: 2 }] },
      services: { services: [] },
      truck_id: { truck_id: other.id },
      workshop_entry_at: { workshop_entry_at: `${today}T10:00:00Z` },
      workshop_departure_at: { workshop_departure_at: `${last}-20T10:00:00Z` },
      kilometer: { kilometer: 1600, confirm_lower: true },
    }
    for (const [field, body] of Object.entries(refusals)) {
      const { status, failure } = await edit(body)
      expect([field, status, Object.keys(failure.errors ?? {})]).toEqual([field, 422, [field]])
      expect(failure.message).toMatch(/cerrado/)
    }
    for (const [endpoint, id] of [
      [workOrderParts.deleteSupplyLine, lines[0]!.id],
      [workOrderParts.deleteServiceLine, services[0]!.id],
      [workOrders.deleteWorkOrder, it_.order.id],
    ] as const) {
      const { status, failure } = await house.call(it_.chief, endpoint, { params: { id } })
      expect([422, 409]).toContain(status)
      expect(failure.message).toMatch(/mes cerrado/)
    }
    expect(await figures(it_.chief)).toEqual(before)
  })

  it('lets the order go on: what is added, invoiced and read now counts now', async () => {
    const { supplies: lines, services } = await linesOf()
    const more = await house.given.service(it_.chief, { provider_id: it_.service.provider_id })
    const spare = await house.given.supply(it_.chief)
    await house.given.entry(it_.chief, {
      warehouse_id: it_.bodega.id,
      supplies: [{ supply_id: spare.id, quantity: 5, unit_cost: 50 }],
    })
    const added = await edit({
      supplies: [
        ...lines.map(({ id, supply_id, count }) => ({ id, supply_id, count })),
        { supply_id: spare.id, count: 1 },
      ],
      services: [
        { id: services[0]!.id, service_id: services[0]!.service_id, quantity: 1 },
        { service_id: more.id, quantity: 1 },
      ],
    })
    expect(added.status).toBe(200)
    const invoice = (date: string) =>
      house.call(it_.chief, workOrderParts.createInvoice, {
        body: {
          work_order_id: it_.order.id,
          provider_id: it_.service.provider_id,
          bill_invoice: 'bill',
          date,
          document: 'F-1',
          payment_type: 'Cash',
          confirm_old: true,
        },
      })
    expect((await invoice(`${last}-20`)).failure.errors).toHaveProperty('date')
    const { status, body } = await invoice(today)
    expect(status).toBe(201)
    expect((await linesOf()).services.map(({ day }) => day)).toEqual([then.slice(0, 10), today])
    expect(await figures(it_.chief)).toEqual(before)
    // Neither does taking it away move anything.
    expect((await house.call(it_.chief, workOrderParts.deleteInvoice, { params: { id: body.id } })).status).toBe(204)
    expect(await figures(it_.chief)).toEqual(before)
  })

  it('keeps its availability, whatever is worked, said or done with the trucks later', async () => {
    const { call } = house
    const [, , stopped, , worked] = before.stopped.find(([truck]) => truck === it_.truck.id)!
    expect([stopped! > 300, worked! > 300]).toEqual([true, true])
    const [timed, noted] = (await linesOf()).works
    for (const action of ['pause', 'finish'] as const)
      expect(
        (await call(it_.chief, workOrderParts.progressWork, { params: { id: timed!.id }, body: { action } })).status,
      ).toBe(200)
    expect((await edit({ works: [{ id: noted!.id, hours: 500 }] })).status).toBe(200)
    const type = (await house.given.maintenanceType(it_.chief)).id
    const kinds = await edit({ planned: true, type_maintenance_id: type })
    expect(Object.keys(kinds.failure.errors ?? {})).toEqual(['planned', 'type_maintenance_id'])
    const late = { truck_id: it_.truck.id, workshop_id: it_.chief.workshop_id, workshop_entry_at: then }
    expect((await call(it_.chief, workOrders.createWorkOrder, { body: late })).failure.errors).toHaveProperty(
      'workshop_entry_at',
    )
    for (const [{ id }, state] of [
      [it_.sold, 'active'],
      [it_.truck, 'inactive'],
      [it_.truck, 'active'],
    ] as const)
      expect((await call(it_.chief, fleet.updateTruck, { params: { id }, body: { state } })).status).toBe(200)
    const moved = await call(it_.chief, companies.updateCompany, { body: { time_zone: 'Pacific/Easter' } })
    expect(moved.failure.errors).toHaveProperty('time_zone')
    expect(await figures(it_.chief)).toEqual(before)
  })

  it('keeps the trucks that each workshop had', async () => {
    const { chief, idle } = it_
    const other = await house.given.workshop(chief.company_id)
    const of = async (WorkshopId: number) => {
      const query = { filter: { WorkshopId, BetweenDate: `${last}-01,${endOf(last)}` } }
      const { data, totals } = (await house.call(chief, reports.availability, { query })).body
      return [data.map(({ truck_id, hours }) => [truck_id, hours]).sort(), totals.hours]
    }
    const kept = [await of(chief.workshop_id), await of(other)]
    expect(JSON.stringify(kept[0])).toContain(String(idle.id))
    expect(kept[1]).toEqual([[], 0])
    const change = (workshop_id: number) =>
      house.call(chief, fleet.updateTruck, { params: { id: idle.id }, body: { workshop_id } })
    expect((await change(other)).status).toBe(200)
    expect([await of(chief.workshop_id), await of(other)]).toEqual(kept)
    const now = { filter: { WorkshopId: other, BetweenDate: `${today},${today}` } }
    const { data } = (await house.call(chief, reports.availability, { query: now })).body
    expect(data.map(({ truck_id }) => truck_id)).toContain(idle.id)
    expect((await change(chief.workshop_id)).status).toBe(200)
  })

  it('keeps its kilometres, whatever is read and corrected later', async () => {
    const read = (body: object) =>
      house.call(it_.chief, fleet.recordReading, {
        params: { id: it_.truck.id },
        body: { confirm_lower: true, ...body },
      })
    expect((await read({ km: 1490, date: `${last}-16T10:00:00Z` })).failure.errors).toHaveProperty('date')
    const { body } = await house.call(it_.chief, fleet.listReadings, { params: { id: it_.truck.id } })
    const voided = await house.call(it_.chief, fleet.voidReading, {
      params: { id: body.data.find(({ km }) => km === 1500)!.id },
    })
    expect([voided.status, voided.failure.message]).toEqual([409, expect.stringMatching(/mes cerrado/)])
    // Lower than what was read in the closed month, which it takes back from now on.
    expect((await read({ km: 1200 })).status).toBe(201)
    expect(await figures(it_.chief)).toEqual(before)
  })

  it('keeps its categories, cost centres and purchases', async () => {
    const { chief, oil, other, truck, entry } = it_
    const refiled = await house.call(chief, supplies.updateSupply, {
      params: { id: oil.id },
      body: { category_id: other.id },
    })
    expect(refiled.status).toBe(200)
    const moved = await house.given.costCenter(chief)
    const change = (body: Record<string, unknown>) =>
      house.call(chief, fleet.updateTruck, { params: { id: truck.id }, body })
    expect((await change({ cost_center_id: moved.id, cost_center_from: `${last}-10` })).failure.errors).toHaveProperty(
      'cost_center_from',
    )
    expect((await change({ cost_center_id: moved.id })).status).toBe(200)
    expect((await house.call(chief, purchasing.voidTransaction, { params: { id: entry.id }, body: {} })).status).toBe(
      200,
    )
    expect(await figures(chief)).toEqual(before)
    expect((await brokenInvariants(house.owner)).join()).toBe('')
    const { body } = await house.call(chief, reports.expensesByProvider, {
      query: { filter: { BetweenDate: `${today},${today}` } },
    })
    expect(body.data.find((p) => p.provider_id === it_.service.provider_id)?.purchases_net).toBe(-300)
  })

  it('is found out where somebody went around all that', async () => {
    await house.owner.query(
      'update work_order_services set amount = 999, unit_price = 999 where work_order_id = $1 and day < $2',
      [it_.order.id, today],
    )
    const broken = (await brokenInvariants(house.owner)).join('\n')
    expect(broken).toContain('a closed month is to the peso and the second what it was when it was closed')
    await house.owner.query(
      'update work_order_services set amount = 1000, unit_price = 1000 where work_order_id = $1 and day < $2',
      [it_.order.id, today],
    )
    const stay = (at: string) =>
      house.owner.query(`update work_orders set workshop_entry_at = $1 where id = $2`, [at, it_.order.id])
    await stay(`${last}-16T15:00:00.000Z`)
    expect((await brokenInvariants(house.owner)).join()).toContain('seconds stopped of truck')
    await stay(then)
  })

  it('is opened again by who may, and that is on record', async () => {
    const keeper = await house.given.member({ role: 'admin', company_id: it_.chief.company_id })
    const asked = await house.call(keeper, months.closeMonths, { body: { closed_through: null } })
    expect(asked.status).toBe(403)
    expect((await it_.close(null)).status).toBe(200)
    const { body } = await house.call(it_.chief, months.closedMonthsActivity)
    expect(body.data.map(({ action, user_name, changes }) => [action, user_name, changes.closed_through])).toEqual([
      ['reopened', it_.chief.name, [last, null]],
      ['closed', it_.chief.name, [null, last]],
    ])
    const { services } = await linesOf()
    const kept = services.map(({ id, service_id, quantity }) => ({ id, service_id, quantity }))
    expect((await edit({ services: [{ ...kept[0]!, quantity: 2 }, ...kept.slice(1)] })).status).toBe(200)
    expect((await figures(it_.chief)).orders).toEqual([[it_.order.id, 2333, 2000]])
    // What was filed elsewhere meanwhile counts there, now that the month is open.
    expect((await figures(it_.chief)).categories).toHaveLength(2)
  })
})

it('opened again, counts what was added meanwhile to an invoice of its own', async () => {
  const { given, call } = house
  const chief = await given.member({ role: 'super-admin' })
  const service = await given.service(chief)
  const more = await given.service(chief, { provider_id: service.provider_id })
  const order = await given.workOrder(chief, { services: [{ service_id: service.id, quantity: 1 }] })
  const date = `${last}-20`
  const paper = { bill_invoice: 'bill', date, document: 'F-9', payment_type: 'Cash', confirm_old: true }
  const body = { work_order_id: order.id, provider_id: service.provider_id, ...paper }
  expect((await call(chief, workOrderParts.createInvoice, { body })).status).toBe(201)
  const close = (closed_through: string | null) => call(chief, months.closeMonths, { body: { closed_through } })
  const read = async () => (await call(chief, workOrders.getWorkOrder, { params: { id: order.id } })).body
  await close(last)
  const { updated_at: _, ...before } = await read()
  const services = [...before.services.map(({ id, service_id, quantity }) => ({ id, service_id, quantity }))]
  const edited = await call(chief, workOrders.updateWorkOrder, {
    params: { id: order.id },
    body: { services: [...services, { service_id: more.id, quantity: 1 }] },
  })
  expect(edited.status).toBe(200)
  expect((await read()).services.map(({ day }) => day)).toEqual([date, today])
  expect((await close(null)).status).toBe(200)
  expect((await read()).services.map(({ day }) => day)).toEqual([date, date])
})
