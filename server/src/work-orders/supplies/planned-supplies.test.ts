import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { reports } from '#contract/reports/reports.ts'
import type { Supply } from '#contract/supplies/supplies.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { type Member, times } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import { PATIENCE } from '../../../test/listen.ts'
import { pdfText } from '../../../test/pdf-text.ts'
import { MailServer } from '../../../test/smtp.ts'
import { Outbox } from '../../platform/outside/mail.ts'

const house = openHouse()
const server = new MailServer()
beforeAll(() => server.start())
afterAll(() => server.stop())

let chief: Member
let keeper: Member
let mechanic: Member
let specialist_id: number
beforeAll(async () => {
  chief = await house.given.member({ role: 'admin' })
  const { company_id, workshop_id } = chief
  keeper = await house.given.member({ role: 'warehouse', company_id, workshop_id })
  mechanic = await house.given.member({ role: 'specialist', company_id, workshop_id })
  specialist_id = (await house.given.specialist(chief)).id
  await house.owner.query('update memberships set specialist_id = $1 where company_id = $2 and user_id = $3', [
    specialist_id,
    company_id,
    mechanic.user_id,
  ])
})

/** A warehouse with so many of a supply, and orders that take from it. */
async function stocked(count: number, orders = 1) {
  const supply = await house.given.supply(chief)
  const warehouse = await house.given.warehouse(chief)
  const bring = (quantity: number) =>
    house.given.entry(keeper, {
      warehouse_id: warehouse.id,
      supplies: [{ supply_id: supply.id, quantity, unit_cost: 1000 }],
    })
  if (count > 0) await bring(count)
  const made: WorkOrder[] = []
  for (const _ of times(orders, (i) => i))
    made.push(
      await house.given.workOrder(chief, {
        has_warehouse: true,
        warehouse_id: warehouse.id,
        works: [{ description: 'Cambiar', specialist_id }],
      }),
    )
  return { supply, warehouse, bring, orders: made, order: made[0]! }
}
const plan = (who: Member, id: number, supply: Supply, count: number) =>
  house.call(who, workOrderParts.planSupply, { params: { id }, body: { supply_id: supply.id, count } })
const use = (who: Member, id: number, supply: Supply, count: number) =>
  house.call(who, workOrderParts.useSupply, { params: { id }, body: { supply_id: supply.id, count } })
const read = async (id: number) => (await house.call(chief, workOrders.getWorkOrder, { params: { id } })).body
const plannedOf = async (id: number) => (await read(id)).planned_supplies.map((l) => [l.count, l.reserved, l.missing])
const levelOf = async (warehouse: number, supply: Supply) => {
  const { body } = await house.call(keeper, warehouses.listStock, { params: { warehouse } })
  const line = body.data.find(({ supply_id }) => supply_id === supply.id)
  return line && [line.stock, line.reserved, line.available]
}
const finalize = (id: number, used: object[] = []) =>
  house.call(chief, workOrders.moveWorkOrder, { params: { id }, body: { status: 'FINALIZED', used } })

describe('a planned supply', () => {
  it('is kept, costs nothing, and is available to nobody else: in every list and check', async () => {
    const { supply, warehouse, orders } = await stocked(3, 2)
    const [one, two] = orders as [WorkOrder, WorkOrder]
    const planned = await plan(mechanic, one.id, supply, 2)
    expect(planned.body).toMatchObject({ count: 2, reserved: 2, missing: 0, user_name: mechanic.name })
    expect(await read(one.id)).toMatchObject({
      supplies: [],
      supplies_cost: 0,
      total_cost: 0,
      waiting_for_parts: false,
    })
    expect(await levelOf(warehouse.id, supply)).toEqual([3, 2, 1])
    const verify = (quantity: number) =>
      house.call(keeper, warehouses.verifyStock, { query: { supply: supply.id, warehouse: warehouse.id, quantity } })
    expect((await verify(1)).body).toEqual({ stock: 3, available: 1 })
    expect((await verify(2)).failure.errors).toEqual({ quantity: ['No hay stock suficiente'] })
    const exit = await house.call(keeper, warehouses.recordTransaction, {
      body: {
        warehouse_id: warehouse.id,
        type: 'exit',
        transaction: { typeTrasactionId: 6 },
        supplies: [{ supply_id: supply.id, quantity: 2 }],
      },
    })
    expect(exit.status).toBe(422)
    expect((await use(mechanic, two.id, supply, 2)).failure.errors).toEqual({ count: ['No hay stock suficiente'] })
    const offered = async (id: number) => {
      const { body } = await house.call(mechanic, workOrderParts.availableSupplies, {
        params: { id },
        query: { search: supply.code },
      })
      return body.data.map(({ stock, available }) => [stock, available])
    }
    expect([await offered(one.id), await offered(two.id)]).toEqual([[[3, 3]], [[3, 1]]])
    // Reordering counts what is available.
    const levels = [{ supply_id: supply.id, minimum: 2, maximum: null }]
    await house.call(keeper, warehouses.setLimits, { params: { warehouse: warehouse.id }, body: { levels } })
    const { body: reorder } = await house.call(keeper, purchasing.reorder, { query: { warehouse: warehouse.id } })
    expect(reorder.data[0]?.supplies[0]).toMatchObject({ stock: 3, reserved: 2, suggested: 1 })
    const summary = await house.call(chief, reports.summary)
    expect(summary.body.below_minimum).toBe(1)
  })

  it('is said as the order is made: kept, or waited for, beside what it takes at once', async () => {
    const { supply, warehouse } = await stocked(3)
    const rare = await house.given.supply(chief)
    const truck = await house.given.truck(chief)
    const make = (more: object) =>
      house.call(chief, workOrders.createWorkOrderWithWarehouse, {
        body: {
          workshop_id: chief.workshop_id,
          truck_id: truck.id,
          warehouse_id: warehouse.id,
          supplies: [{ supply_id: supply.id, count: 1 }],
          ...more,
        },
      })
    const plan_supplies = [
      { supply_id: supply.id, count: 2 },
      { supply_id: rare.id, count: 1 },
    ]
    const made = await make({ plan_supplies })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ supplies: [{ count: 1 }], supplies_cost: 1000, waiting_for_parts: true })
    expect(made.body.planned_supplies.map((l) => [l.supply_id, l.count, l.reserved, l.missing])).toEqual([
      [supply.id, 2, 2, 0],
      [rare.id, 1, 0, 1],
    ])
    expect(await levelOf(warehouse.id, supply)).toEqual([2, 2, 0])
    const refused = async (more: object) => Object.keys((await make({ supplies: [], ...more })).failure.errors ?? {})
    expect(await refused({ plan_supplies: [plan_supplies[0], plan_supplies[0]] })).toEqual([
      'plan_supplies.1.supply_id',
    ])
    expect(await refused({ plan_supplies: [{ supply_id: 999_999, count: 1 }] })).toEqual(['plan_supplies.0.supply_id'])
    expect(await refused({ plan_supplies: [{ supply_id: supply.id, count: 0 }] })).toEqual(['plan_supplies.0.count'])
    const without = await house.call(chief, workOrders.createWorkOrder, {
      body: { workshop_id: chief.workshop_id, truck_id: truck.id, has_warehouse: false, plan_supplies },
    })
    expect(without.failure.errors).toHaveProperty('warehouse_id')
  })

  it('is on paper too, with what is missing', async () => {
    const { supply, order } = await stocked(2)
    await plan(chief, order.id, supply, 5)
    const { body } = await house.call(chief, workOrders.workOrderPdf, { params: { id: order.id } })
    // The font brings no table of its letters for every title.
    expect(pdfText(body).join(' ')).toMatch(/Cantidad\s+Falta/)
  })

  it('leaves the stock as it is handed out, from what was kept and no more of it', async () => {
    const { supply, warehouse, orders } = await stocked(3, 2)
    const [one, two] = orders as [WorkOrder, WorkOrder]
    await plan(chief, one.id, supply, 2)
    await plan(chief, two.id, supply, 1)
    expect((await use(mechanic, one.id, supply, 3)).status).toBe(422)
    expect((await use(mechanic, one.id, supply, 1)).body).toMatchObject({ count: 1 })
    expect(await plannedOf(one.id)).toEqual([[1, 1, 0]])
    expect(await levelOf(warehouse.id, supply)).toEqual([2, 2, 0])
    // The whole order saved with one more, by a client that knows of no plans, takes what was planned.
    const order = await read(one.id)
    const { planned_supplies: _, ...known } = order
    const saved = await house.call(chief, workOrders.updateWorkOrder, {
      params: { id: one.id },
      body: { ...known, supplies: [{ supply_id: supply.id, count: 2 }] },
    })
    expect(saved.body).toMatchObject({ planned_supplies: [], supplies_cost: 2000 })
    expect(await levelOf(warehouse.id, supply)).toEqual([1, 1, 0])
  })

  it('is of mechanics who work on the order, and of an order that is open and has a warehouse', async () => {
    const { supply, order } = await stocked(1)
    const other = await house.given.workOrder(chief, { has_warehouse: true, warehouse_id: order.warehouse_id })
    expect((await plan(mechanic, other.id, supply, 1)).status).toBe(403)
    const free = await house.given.workOrder(chief, {})
    expect((await plan(chief, free.id, supply, 1)).failure.errors).toHaveProperty('warehouse_id')
    await finalize(order.id)
    expect((await plan(chief, order.id, supply, 1)).status).toBe(409)
  })

  it('ends: by hand, with its order, and moves with it to another warehouse', async () => {
    const { supply, warehouse, order } = await stocked(2)
    const { body } = await plan(chief, order.id, supply, 2)
    await house.call(chief, workOrderParts.forgetPlannedSupply, { params: { id: body.id } })
    expect(await levelOf(warehouse.id, supply)).toEqual([2, 0, 2])
    await plan(chief, order.id, supply, 2)
    const other = await house.given.warehouse(chief)
    const now = await read(order.id)
    await house.call(chief, workOrders.updateWorkOrder, {
      params: { id: order.id },
      body: { ...now, warehouse_id: other.id },
    })
    expect([await levelOf(warehouse.id, supply), await plannedOf(order.id)]).toEqual([[2, 0, 2], [[2, 0, 2]]])
    await house.call(chief, workOrders.deleteWorkOrder, { params: { id: order.id } })
    expect(await levelOf(other.id, supply)).toEqual([0, 0, 0])
  })

  it('gives way to an entry that never was: who asked last waits again', async () => {
    const { supply, warehouse, orders, bring } = await stocked(1, 2)
    const [one, two] = orders as [WorkOrder, WorkOrder]
    await plan(chief, one.id, supply, 1)
    const entry = await bring(1)
    await plan(chief, two.id, supply, 1)
    await house.call(keeper, purchasing.voidTransaction, { params: { id: entry.id }, body: {} })
    expect([await plannedOf(one.id), await plannedOf(two.id)]).toEqual([[[1, 1, 0]], [[1, 0, 1]]])
    expect(await levelOf(warehouse.id, supply)).toEqual([1, 1, 0])
  })
})

describe('finalizing', () => {
  it('takes what is said to have been used, and what nobody answers for stays in the warehouse', async () => {
    const { supply, warehouse, orders } = await stocked(3, 2)
    const [one, two] = orders as [WorkOrder, WorkOrder]
    const stranger = await house.given.supply(chief)
    await plan(chief, one.id, supply, 3)
    await plan(chief, two.id, supply, 1)
    expect(await plannedOf(two.id)).toEqual([[1, 0, 1]])
    expect((await finalize(one.id, [{ supply_id: stranger.id, count: 1 }])).failure.errors).toHaveProperty(
      'used.0.supply_id',
    )
    expect((await finalize(one.id, [{ supply_id: supply.id, count: 4 }])).failure.errors).toEqual({
      'used.0.count': ['No hay stock suficiente'],
    })
    expect((await finalize(one.id, [{ supply_id: supply.id, count: 2 }])).status).toBe(200)
    const done = await read(one.id)
    expect(done).toMatchObject({ planned_supplies: [], supplies_cost: 2000 })
    expect(done.supplies.map(({ count }) => count)).toEqual([2])
    // The third falls to who waited for it.
    expect(await levelOf(warehouse.id, supply)).toEqual([1, 1, 0])
    expect(await plannedOf(two.id)).toEqual([[1, 1, 0]])
    expect((await finalize(two.id)).status).toBe(200)
    expect(await levelOf(warehouse.id, supply)).toEqual([1, 0, 1])
  })
})

describe('asking for what is not there', () => {
  it('is on the card and in the list of requests, becomes one purchase order, and its receipt tells who asked', async () => {
    const { supply, warehouse, orders } = await stocked(1, 2)
    const [one, two] = orders as [WorkOrder, WorkOrder]
    expect((await plan(mechanic, one.id, supply, 3)).body).toMatchObject({ reserved: 1, missing: 2 })
    await plan(chief, two.id, supply, 1)
    expect((await read(one.id)).waiting_for_parts).toBe(true)
    const board = await house.call(mechanic, workOrders.workOrderBoard)
    const card = board.body.pending.data.find(({ id }) => id === one.id)
    expect(card?.planned_supplies).toMatchObject([{ name: supply.name, reserved: 1, missing: 2 }])
    const kept = await house.call(keeper, workOrders.workOrderBoard, { query: { filter: { Reserved: ['true'] } } })
    const keptFor = kept.body.pending.data.map(({ id }) => id)
    expect([keptFor.includes(one.id), keptFor.includes(two.id)]).toEqual([true, false])
    const requests = async () => {
      const query = { warehouse: warehouse.id }
      const { body } = await house.call(keeper, purchasing.partsRequests, { query })
      const supplies = body.data.flatMap((group) => group.supplies)
      const counted = await house.call(keeper, purchasing.partsRequestsCount, { query })
      expect(counted.body.total).toBe(supplies.filter(({ suggested }) => suggested > 0).length)
      return supplies
    }
    expect(await requests()).toMatchObject([
      {
        requested: 3,
        on_order: 0,
        suggested: 3,
        requests: [
          { document: one.code, origin_id: one.id, missing: 2, user_name: mechanic.name },
          { document: two.code, missing: 1 },
        ],
      },
    ])
    const bought = await house.given.purchaseOrder(chief, {
      warehouse_id: warehouse.id,
      supplies: [{ supply_id: supply.id, quantity: 3, unit_cost: 1000 }],
    })
    expect(await requests()).toMatchObject([{ requested: 3, on_order: 3, suggested: 0 }])
    await house.call(chief, purchasing.updatePurchaseStatus, {
      params: { id: bought.id },
      body: { status: 'approved' },
    })
    const receive = (quantity: number) =>
      house.call(keeper, purchasing.receivePurchaseOrder, {
        params: { id: bought.id },
        body: { transaction: {}, supplies: [{ supply_id: supply.id, quantity }] },
      })
    // In the order in which they asked.
    await receive(1)
    expect([await plannedOf(one.id), await plannedOf(two.id)]).toEqual([[[3, 2, 1]], [[1, 0, 1]]])
    await receive(2)
    expect([await plannedOf(one.id), await plannedOf(two.id)]).toEqual([[[3, 3, 0]], [[1, 1, 0]]])
    expect(await requests()).toEqual([])
    await vi.waitFor(
      async () => {
        expect((await read(one.id)).waiting_for_parts).toBe(false)
        expect((await read(two.id)).waiting_for_parts).toBe(false)
      },
      { timeout: PATIENCE, interval: 300 },
    )
    const activity = await house.call(chief, workOrders.workOrderActivity, { params: { id: one.id } })
    expect(activity.body.data.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['part_planned', 'part_arrived']),
    )
    const outbox = new Outbox(house.app.database, { smtpUrl: server.url, address: 'https://taller.cl' })
    await outbox.sendDue(chief.company_id)
    outbox.close()
    const mine = server.received.filter(({ to }) => to === mechanic.email)
    expect(mine.at(-1)).toMatchObject({ subject: `Llegaron repuestos para la ${one.code}` })
    expect(mine.at(-1)?.text).toContain(supply.name)
  })
})

describe('at once', () => {
  it('ten orders ask for the last five, and others take them: each is kept or taken once', async () => {
    const { supply, warehouse, orders } = await stocked(5, 10)
    const answers = await Promise.all(
      orders.map(({ id }, i) => (i % 2 ? use(chief, id, supply, 1) : plan(chief, id, supply, 1))),
    )
    const taken = answers.filter(({ status }, i) => i % 2 === 1 && status === 201).length
    const kept = (await Promise.all(orders.map(({ id }) => plannedOf(id))))
      .flat()
      .filter(([, reserved]) => reserved === 1)
    expect(taken + kept.length).toBe(5)
    expect(await levelOf(warehouse.id, supply)).toEqual([5 - taken, kept.length, 0])
  })

  it('handing out, planning, receiving and finalizing the same supply never waits in a circle', async () => {
    const { supply, warehouse, orders, bring } = await stocked(4, 8)
    await Promise.all(orders.map(({ id }) => plan(chief, id, supply, 1)))
    const answers = await Promise.all([
      ...orders.slice(0, 4).map(({ id }) => use(chief, id, supply, 1)),
      ...orders.slice(4).map(({ id }) => finalize(id)),
      bring(2),
      bring(2),
      ...orders.slice(0, 4).map(({ id }) => plan(chief, id, supply, 1)),
    ])
    expect(answers.filter((answer) => 'status' in answer && Number(answer.status) >= 500)).toEqual([])
    const [stock, reserved, available] = (await levelOf(warehouse.id, supply))!
    expect(stock! - reserved!).toBe(available)
  })
})
