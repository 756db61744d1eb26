import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Supply } from '#contract/supplies/supplies.ts'
import { NO_STOCK } from '#contract/warehouses/stock.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import type { Member } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import { statementsOf } from '../../../test/statements.ts'

const house = openHouse()

let chief: Member
let truck: { id: number }
let filter: Supply
let oil: Supply
let bodega: { id: number }
beforeAll(async () => {
  chief = await house.given.member({ role: 'admin' })
  truck = await house.given.truck(chief)
  filter = await house.given.supply(chief, { cost: 9000 })
  oil = await house.given.supply(chief, { cost: 4000 })
})
beforeEach(async () => {
  bodega = await house.given.warehouse(chief, {
    stock: [
      [filter, 10, 1000],
      [oil, 20, 333.3333],
    ],
  })
})

type Body = Record<string, unknown>
const bodyOf = (more: Body = {}): Body => ({
  workshop_id: chief.workshop_id,
  truck_id: truck.id,
  warehouse_id: bodega.id,
  ...more,
})
const create = (body: Body) => house.call(chief, workOrders.createWorkOrderWithWarehouse, { body })
const save = (order: WorkOrder, supplies: object[], more: Body = {}) =>
  house.call(chief, workOrders.updateWorkOrderWithWarehouse, {
    params: { id: order.id },
    body: bodyOf({ supplies, ...more }),
  })
const made = async (supplies: object[]) => (await create(bodyOf({ supplies }))).body
const stockOf = async (warehouse = bodega.id) => {
  const { body } = await house.call(chief, warehouses.listStock, { params: { warehouse } })
  return body.data.map(({ stock, value }) => [stock, Number(value)])
}
const linesOf = ({ supplies }: WorkOrder) =>
  supplies.map(({ supply_id, count, cost, amount }) => [supply_id, count, cost, amount])
const movementsOf = async ({ code }: WorkOrder) => {
  const { body } = await house.call(chief, warehouses.listMovements, { query: { warehouse: bodega.id, per_page: 500 } })
  return body.data.filter(({ document }) => document === code)
}

describe('supplies of an order with a warehouse', () => {
  it('are asked of the database all at once, however many they are', async () => {
    const lines = [filter, oil].map(({ id }) => ({ supply_id: id, count: 1 }))
    const asked = async (supplies: object[]) => {
      const all = await statementsOf(async () => expect((await create(bodyOf({ supplies }))).status).toBe(201))
      return all.filter((text) => !/^set (local )?app.company_id|pg_notify/.test(text)).length
    }
    await asked(lines)
    const without = await asked([])
    const withOne = await asked(lines.slice(1))
    const withTwo = await asked(lines)
    expect([without, withOne, withTwo]).toEqual([16, 26, 26])
  })

  it('leave its stock as they are saved, at its average, and cost what left', async () => {
    const order = await made([
      { supply_id: filter.id, count: 3, cost: 1 },
      { supply_id: oil.id, count: 7.5 },
    ])
    expect(order).toMatchObject({ has_warehouse: true, warehouse_id: bodega.id, supplies_cost: 5500, total_cost: 5500 })
    expect(linesOf(order)).toEqual([
      [filter.id, 3, 1000, 3000],
      [oil.id, 7.5, 333.3333, 2500],
    ])
    expect(await stockOf()).toEqual([
      [7, 7000],
      [12.5, 4166.6663],
    ])
    expect(await movementsOf(order)).toHaveLength(2)
  })

  it('take the difference when raised, give it back when lowered or removed, and all of it with the order', async () => {
    const order = await made([{ supply_id: filter.id, count: 3 }])
    const raised = await save(order, [
      { supply_id: filter.id, count: 5 },
      { supply_id: oil.id, count: 1 },
    ])
    expect(raised.body.supplies_cost).toBe(5333)
    expect(await stockOf()).toEqual([
      [5, 5000],
      [19, 6333.3327],
    ])
    const lowered = await save(order, [{ supply_id: filter.id, count: 1 }])
    expect(linesOf(lowered.body)).toEqual([[filter.id, 1, 1000, 1000]])
    expect(await stockOf()).toEqual([
      [9, 9000],
      [20, 6666.666],
    ])
    const { status } = await house.call(chief, workOrders.deleteWorkOrder, { params: { id: order.id } })
    expect(status).toBe(204)
    expect(await stockOf()).toEqual([
      [10, 10_000],
      [20, 6666.666],
    ])
  })

  it('move nothing when the same is saved again', async () => {
    const order = await made([{ supply_id: filter.id, count: 3 }])
    const before = await movementsOf(order)
    const again = await save(order, [{ supply_id: filter.id, count: 3 }], { observation: 'Igual' })
    expect(again.status).toBe(200)
    expect(await movementsOf(order)).toEqual(before)
  })

  it('cost what each part of them cost when it left, and give back at the cost of the line', async () => {
    const order = await made([{ supply_id: filter.id, count: 5 }])
    await house.given.entry(chief, {
      warehouse_id: bodega.id,
      supplies: [{ supply_id: filter.id, quantity: 5, unit_cost: 3000 }],
    })
    const raised = await save(order, [{ supply_id: filter.id, count: 8 }])
    // 5 at 1.000 and 3 at the new average of 2.000.
    expect(linesOf(raised.body)).toEqual([[filter.id, 8, 1375, 11_000]])
    const lowered = await save(order, [{ supply_id: filter.id, count: 4 }])
    expect(linesOf(lowered.body)).toEqual([[filter.id, 4, 1375, 5500]])
    expect((await stockOf())[0]).toEqual([11, 19_500])
  })

  it('give back to the last decimal what they took', async () => {
    const order = await made([{ supply_id: oil.id, count: 0.7 }])
    await save(order, [{ supply_id: oil.id, count: 0.3 }])
    await save(order, [])
    expect((await stockOf())[1]).toEqual([20, 6666.666])
  })

  it('are refused under their line where there is not enough, and nothing at all is saved', async () => {
    const order = await made([{ supply_id: filter.id, count: 3 }])
    const refused = await save(
      order,
      [
        { supply_id: oil.id, count: 20 },
        { supply_id: filter.id, count: 11 },
      ],
      { request: 'No se guarda', kilometer: 2000, works: [{ description: 'Tampoco' }] },
    )
    expect([refused.status, refused.failure.errors]).toEqual([422, { 'supplies.1.count': [NO_STOCK] }])
    const { body } = await house.call(chief, workOrders.getWorkOrder, { params: { id: order.id } })
    expect(body).toEqual(order)
    expect(await stockOf()).toEqual([
      [7, 7000],
      [20, 6666.666],
    ])
    const before = (await house.call(chief, workOrders.listWorkOrders)).body.total
    const none = await create(bodyOf({ supplies: [{ supply_id: filter.id, count: 99 }] }))
    expect(none.failure.errors).toEqual({ 'supplies.0.count': [NO_STOCK] })
    expect((await house.call(chief, workOrders.listWorkOrders)).body.total).toBe(before)
  })

  it('come once each', async () => {
    const twice = await create(
      bodyOf({
        supplies: [
          { supply_id: filter.id, count: 1 },
          { supply_id: filter.id, count: 1 },
        ],
      }),
    )
    expect(twice.failure.errors).toEqual({ 'supplies.1.supply_id': ['El insumo ya se encuentra en la lista'] })
  })

  it('go back and are taken anew when the warehouse changes', async () => {
    const other = await house.given.warehouse(chief, { stock: [[filter, 4, 2000]] })
    const order = await made([{ supply_id: filter.id, count: 3 }])
    const moved = await save(order, [{ supply_id: filter.id, count: 3 }], { warehouse_id: other.id })
    expect(linesOf(moved.body)).toEqual([[filter.id, 3, 2000, 6000]])
    expect(await stockOf()).toEqual([
      [10, 10_000],
      [20, 6666.666],
    ])
    expect(await stockOf(other.id)).toEqual([[1, 2000]])
    const refused = await save(order, [{ supply_id: filter.id, count: 5 }], { warehouse_id: other.id })
    expect(refused.failure.errors).toEqual({ 'supplies.0.count': [NO_STOCK] })
  })

  it('need a warehouse', async () => {
    const { status, failure } = await create(bodyOf({ warehouse_id: null }))
    expect([status, Object.keys(failure.errors!)]).toEqual([422, ['warehouse_id']])
  })

  it('still come from it when an older client saves without naming it', async () => {
    const order = await made([{ supply_id: filter.id, count: 3 }])
    const { body } = await house.call(chief, workOrders.updateWorkOrder, {
      params: { id: order.id },
      body: bodyOf({ warehouse_id: undefined, supplies: [{ supply_id: filter.id, count: 2 }] }),
    })
    expect(body).toMatchObject({ has_warehouse: true, warehouse_id: bodega.id, supplies_cost: 2000 })
    expect((await stockOf())[0]).toEqual([8, 8000])
  })
})

describe('supplies of an order without a warehouse', () => {
  // Nobody bought it: the catalogue's cost is its own.
  let seal: Supply
  beforeEach(async () => {
    seal = await house.given.supply(chief, { cost: 9000 })
    await house.given.entry(chief, {
      warehouse_id: bodega.id,
      transaction: { typeTrasactionId: 3 },
      supplies: [{ supply_id: seal.id, quantity: 10, unit_cost: 1000 }],
    })
  })
  const free = (supplies: object[], more: Body = {}) =>
    house.call(chief, workOrders.createWorkOrder, { body: bodyOf({ warehouse_id: null, supplies, ...more }) })

  const set = (has_warehouse: boolean) => house.given.setting(chief.company_id, 'has_warehouse', has_warehouse)
  afterEach(() => set(true))

  it('are refused while the setting says that they leave one, whatever is sent', async () => {
    for (const more of [{}, { has_warehouse: false }]) {
      const refused = await free([{ supply_id: seal.id, count: 1, cost: 1 }], more)
      expect([refused.status, Object.keys(refused.failure.errors!)]).toEqual([422, ['warehouse_id']])
      expect((await free([], more)).body.has_warehouse).toBe(false)
    }
    // One that has a warehouse cannot leave it.
    const order = await made([{ supply_id: seal.id, count: 2 }])
    const { body } = await house.call(chief, workOrders.updateWorkOrder, {
      params: { id: order.id },
      body: bodyOf({ warehouse_id: null, has_warehouse: false, supplies: [{ supply_id: seal.id, count: 2, cost: 1 }] }),
    })
    expect(body).toMatchObject({ has_warehouse: true, warehouse_id: bodega.id, supplies_cost: 2000 })
    await set(false)
    const meant = await free([{ supply_id: seal.id, count: 2 }], { has_warehouse: false })
    expect(linesOf(meant.body)).toEqual([[seal.id, 2, 9000, 18_000]])
    await set(true)
    // What was free before stays what it was, and gets no price of its own any more.
    const again = await house.call(chief, workOrders.updateWorkOrder, {
      params: { id: meant.body.id },
      body: bodyOf({ warehouse_id: null, has_warehouse: false, supplies: [{ supply_id: seal.id, count: 2, cost: 1 }] }),
    })
    expect(linesOf(again.body)).toEqual([[seal.id, 2, 9000, 18_000]])
  })

  it('cost what is said, or what the catalogue says, and keep it', async () => {
    await set(false)
    const { body: order } = await free([
      { supply_id: seal.id, count: 1.5 },
      { supply_id: oil.id, count: 3, cost: 1000.5 },
    ])
    expect(order).toMatchObject({ has_warehouse: false, supplies_cost: 16_502 })
    expect(linesOf(order)).toEqual([
      [seal.id, 1.5, 9000, 13_500],
      [oil.id, 3, 1000.5, 3002],
    ])
    await set(true)
    // It began free: what is there stays so, and more of it has to come from somewhere.
    const again = (supplies: object[]) =>
      house.call(chief, workOrders.updateWorkOrder, {
        params: { id: order.id },
        body: bodyOf({ warehouse_id: null, supplies }),
      })
    expect((await again([{ supply_id: oil.id, count: 2 }])).body.supplies_cost).toBe(2001)
    expect(Object.keys((await again([{ supply_id: oil.id, count: 4 }])).failure.errors!)).toEqual(['warehouse_id'])
    expect((await stockOf())[1]).toEqual([20, 6666.666])
  })

  it('leave the warehouse once the order has one, and become free when it has none', async () => {
    await set(false)
    const { body: order } = await free([{ supply_id: seal.id, count: 2 }], { has_warehouse: false })
    const taken = await save(order, [{ supply_id: seal.id, count: 2 }])
    expect(linesOf(taken.body)).toEqual([[seal.id, 2, 1000, 2000]])
    expect((await stockOf())[2]).toEqual([8, 8000])
    const freed = await house.call(chief, workOrders.updateWorkOrder, {
      params: { id: order.id },
      body: bodyOf({ has_warehouse: false, supplies: [{ supply_id: seal.id, count: 2 }] }),
    })
    expect(linesOf(freed.body)).toEqual([[seal.id, 2, 9000, 18_000]])
    expect((await stockOf())[2]).toEqual([10, 10_000])
  })
})
