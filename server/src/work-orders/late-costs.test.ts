import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { reports } from '#contract/reports/reports.ts'
import type { Supply } from '#contract/supplies/supplies.ts'
import { COST_ADJUSTMENT } from '#contract/warehouses/stock.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { months } from '#contract/workshops/months.ts'
import { type Member, PIXEL, times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { brokenInvariants } from '../../test/invariants.ts'
import { writeLedger } from '../../test/spending.ts'
import { settleOpenMonths } from './orders/recost.ts'

const house = openHouse()

let chief: Member
let truck: { id: number }
let filter: Supply
let bodega: { id: number }
beforeAll(async () => {
  chief = await house.given.member({ role: 'super-admin' })
  truck = await house.given.truck(chief)
})
beforeEach(async () => {
  filter = await house.given.supply(chief)
  bodega = await house.given.warehouse(chief)
})

const ago = (days: number) => dayOf(new Date(Date.now() - days * 86_400_000))
const enter = (quantity: number, unit_cost: number, days = 0, warehouse = bodega) =>
  house.given.entry(chief, {
    warehouse_id: warehouse.id,
    transaction: { date: ago(days) },
    supplies: [{ supply_id: filter.id, quantity, unit_cost }],
  })
const take = async (count: number, warehouse = bodega): Promise<WorkOrder> => {
  const { status, body } = await house.call(chief, workOrders.createWorkOrderWithWarehouse, {
    body: {
      workshop_id: chief.workshop_id,
      truck_id: truck.id,
      warehouse_id: warehouse.id,
      supplies: [{ supply_id: filter.id, count }],
    },
  })
  expect(status).toBe(201)
  return body
}
const read = async (order: WorkOrder) =>
  (await house.call(chief, workOrders.getWorkOrder, { params: { id: order.id } })).body
const costOf = async (order: WorkOrder) => {
  const { supplies, supplies_cost, total_cost } = await read(order)
  return [...supplies.map(({ cost, amount }) => [cost, amount]), supplies_cost, total_cost]
}
const stockOf = async (warehouse = bodega) => {
  const { body } = await house.call(chief, warehouses.listStock, { params: { warehouse: warehouse.id } })
  return body.data.map(({ stock, average_cost, value }) => [stock, average_cost, value])[0]
}
const cancel = (id: number) => house.call(chief, purchasing.voidTransaction, { params: { id }, body: {} })
const remove = (order: WorkOrder) => house.call(chief, workOrders.deleteWorkOrder, { params: { id: order.id } })
const kardex = async (warehouse = bodega) => {
  const { body } = await house.call(chief, warehouses.kardex, {
    query: { warehouse: warehouse.id, supply: filter.id, sort: 'at', per_page: 100 },
  })
  return body.data.map((m) => [m.type_name, m.quantity_in - m.quantity_out, m.value, m.balance, m.balance_value])
}
const spent = async (BetweenDate = `${ago(0)},${ago(0)}`) => {
  const query = { filter: { BetweenDate, Truck: [truck.id] } }
  return (await house.call(chief, reports.expensesByTruck, { query })).body.totals.supplies_cost
}
const costInLedger = async (order: WorkOrder) => {
  const { rows } = await house.owner.query<{ cost: number }>(
    `select -sum(value)::float8 as cost from movements where origin = 'work_order' and origin_id = $1`,
    [order.id],
  )
  return rows[0]!.cost
}
const activityOf = async (order: WorkOrder) => {
  const { body } = await house.call(chief, workOrders.workOrderActivity, { params: { id: order.id } })
  return body.data.filter(({ action }) => action === 'recosted').map(({ changes }) => changes)
}

describe('a late purchase', () => {
  it('changes what an order took, its total, the reports and its activity, and comes back whole with the order', async () => {
    await enter(10, 100, 5)
    const order = await take(4)
    const before = await spent()
    expect(await costOf(order)).toEqual([[100, 400], 400, 400])
    const late = await enter(10, 300, 3)
    expect(await costOf(order)).toEqual([[200, 800], 800, 800])
    expect((await spent()) - before).toBe(400)
    expect(await activityOf(order)).toEqual([
      { supplies_cost: [400, 800], because: [null, `factura tardía ${late.transaction.document}`] },
    ])
    await remove(order)
    expect(await stockOf()).toEqual([20, 200, 4000])
  })

  it('changes what was given back meanwhile as it changes what was taken', async () => {
    await enter(10, 100, 5)
    const [gone, lowered] = [await take(4), await take(4)]
    await remove(gone)
    await house.call(chief, workOrders.updateWorkOrderWithWarehouse, {
      params: { id: lowered.id },
      body: {
        workshop_id: chief.workshop_id,
        truck_id: truck.id,
        warehouse_id: bodega.id,
        supplies: [{ supply_id: filter.id, count: 1 }],
      },
    })
    await enter(10, 300, 3)
    expect(await costOf(lowered)).toEqual([[200, 200], 200, 200])
    expect(await stockOf()).toEqual([19, 200, 3800])
  })

  it('follows what was transferred to where it was used', async () => {
    const other = await house.given.warehouse(chief)
    await enter(10, 100, 5)
    await house.call(chief, warehouses.transfer, {
      body: { warehouse_id: bodega.id, to_warehouse_id: other.id, supplies: [{ supply_id: filter.id, quantity: 5 }] },
    })
    const order = await take(2, other)
    await enter(10, 300, 3)
    expect(await costOf(order)).toEqual([[200, 400], 400, 400])
    expect([await stockOf(), await stockOf(other)]).toEqual([
      [15, 200, 3000],
      [3, 200, 600],
    ])
  })
})

describe('a voided purchase', () => {
  it('takes back what it made orders cost', async () => {
    await enter(10, 100, 5)
    const wrong = await enter(10, 300, 4)
    const order = await take(4)
    expect(await costOf(order)).toEqual([[200, 800], 800, 800])
    expect((await cancel(wrong.id)).status).toBe(200)
    expect(await costOf(order)).toEqual([[100, 400], 400, 400])
    expect(await stockOf()).toEqual([6, 100, 600])
    expect(await activityOf(order)).toEqual([
      { supplies_cost: [800, 400], because: [null, `anulación de factura ${wrong.transaction.document}`] },
    ])
  })

  it('that was needed meanwhile leaves what is there at what the others cost, and the order bears the rest', async () => {
    const wrong = await enter(10, 1000, 5)
    const order = await take(8)
    await enter(10, 100)
    expect((await cancel(wrong.id)).status).toBe(200)
    expect(await stockOf()).toEqual([2, 100, 200])
    expect((await read(order)).supplies_cost).toBe(800)
    expect((await kardex()).filter(([type]) => type === COST_ADJUSTMENT.name)).toEqual([
      ['Ajuste de costo', 0, 7200, 12, 10_200],
    ])
    await remove(order)
    expect(await stockOf()).toEqual([10, 100, 1000])
  })

  it('of a merma puts it back as if it had never left', async () => {
    await enter(10, 100, 5)
    const { body: exit } = await house.call(chief, warehouses.recordTransaction, {
      body: {
        warehouse_id: bodega.id,
        type: 'exit',
        transaction: { typeTrasactionId: 6, date: ago(4) },
        supplies: [{ supply_id: filter.id, quantity: 5 }],
      },
    })
    await enter(5, 300, 3)
    const order = await take(2)
    expect(await costOf(order)).toEqual([[200, 400], 400, 400])
    await cancel(exit.id)
    expect(await costOf(order)).toEqual([[166.6667, 333], 333, 333])
    expect((await stockOf())?.[0]).toBe(13)
  })
})

describe('a line with a cost adjustment', () => {
  const saveLines = async (order: WorkOrder, count: number, warehouse = bodega) => {
    const { status, body } = await house.call(chief, workOrders.updateWorkOrderWithWarehouse, {
      params: { id: order.id },
      body: {
        workshop_id: chief.workshop_id,
        truck_id: truck.id,
        warehouse_id: warehouse.id,
        supplies: count > 0 ? [{ supply_id: filter.id, count }] : [],
      },
    })
    expect(status).toBe(200)
    return body
  }
  /** An order of 8 whose purchase is voided after they left: the other purchase sets the cost, as an adjustment of today. */
  const adjustedOrder = async ({ wrong, right }: { wrong: number; right: number }) => {
    const bought = await enter(10, wrong, 5)
    const order = await take(8)
    await enter(10, right)
    expect((await cancel(bought.id)).status).toBe(200)
    expect(await costOf(order)).toEqual([[wrong, 8 * wrong], 8 * right, 8 * right])
    return order
  }
  const dearer = { wrong: 100, right: 1000 }
  const cheaper = { wrong: 1000, right: 100 }

  it.each([dearer, cheaper])('costs what it takes again after it gave back everything (%o)', async (prices) => {
    const order = await adjustedOrder(prices)
    await saveLines(order, 0)
    expect(await stockOf()).toEqual([10, prices.right, 10 * prices.right])
    await saveLines(order, 4)
    expect(await costOf(order)).toEqual([[prices.right, 4 * prices.right], 4 * prices.right, 4 * prices.right])
    expect(await brokenInvariants(house.owner)).toEqual([])
  })

  it.each([dearer, cheaper])(
    'costs what it takes again when its order comes back to a warehouse (%o)',
    async (prices) => {
      const order = await adjustedOrder(prices)
      const other = await house.given.warehouse(chief)
      await enter(8, 50, 0, other)
      await saveLines(order, 8, other)
      expect(await costOf(order)).toEqual([[50, 400], 400, 400])
      await saveLines(order, 8)
      expect(await costOf(order)).toEqual([[prices.right, 8 * prices.right], 8 * prices.right, 8 * prices.right])
      expect(await brokenInvariants(house.owner)).toEqual([])
    },
  )

  it.each([dearer, cheaper])('costs what is left of it after it gave back a part (%o)', async (prices) => {
    const order = await adjustedOrder(prices)
    await saveLines(order, 4)
    expect(await costOf(order)).toEqual([[prices.right, 4 * prices.right], 4 * prices.right, 4 * prices.right])
    expect(await stockOf()).toEqual([6, prices.right, 6 * prices.right])
    expect(await brokenInvariants(house.owner)).toEqual([])
  })

  it.each([dearer, cheaper])('follows a late purchase after it gave back a part (%o)', async (prices) => {
    const order = await adjustedOrder(prices)
    await saveLines(order, 4)
    expect((await saveLines(order, 5)).supplies_cost).toBe(5 * prices.right)
    await enter(10, prices.right, 6)
    expect((await read(order)).supplies_cost).toBe(Math.round(await costInLedger(order)))
    expect(await brokenInvariants(house.owner)).toEqual([])
  })

  it('costs nothing, with the rest beside it, when its adjustment is more than a late purchase leaves of its cost', async () => {
    const order = await adjustedOrder(cheaper)
    await enter(10, cheaper.right, 6)
    expect(await costOf(order)).toEqual([[550, 4400], -2800, -2800])
    await saveLines(order, 4)
    expect(await costOf(order)).toEqual([[0, 0], -1400, -1400])
    await saveLines(order, 5)
    expect((await read(order)).supplies_cost).toBe(Math.round(await costInLedger(order)))
    expect(await brokenInvariants(house.owner)).toEqual([])
  })

  it('keeps its adjustment beside it when it takes more', async () => {
    const order = await adjustedOrder(cheaper)
    await saveLines(order, 9)
    expect(await costOf(order)).toEqual([[900, 8100], 900, 900])
    expect(await brokenInvariants(house.owner)).toEqual([])
  })
})

describe('in a closed month', () => {
  const close = (closed_through: string | null) => house.call(chief, months.closeMonths, { body: { closed_through } })
  const month = (back: number) => {
    const [year = 0, number = 0] = ago(0).split('-').map(Number)
    return new Date(Date.UTC(year, number - 1 - back)).toISOString().slice(0, 7)
  }
  const dated = async (type: 'entry' | 'exit', transaction: object, line: object) => {
    const { status, body } = await house.call(chief, warehouses.recordTransaction, {
      body: {
        warehouse_id: bodega.id,
        type,
        transaction: { typeTrasactionId: 3, ...transaction },
        supplies: [{ supply_id: filter.id, ...line }],
      },
    })
    expect(status).toBe(201)
    return body
  }
  /** As if all of it had happened in the middle of last month. */
  const backThen = async (order: WorkOrder) => {
    const at = `${month(1)}-15T15:00:00Z`
    const { owner } = house
    const nth = `$1::timestamptz + (id % 1000) * interval '1 second'`
    await owner.query(`update movements set at = ${nth}, created_at = $1 where supply_id = $2`, [at, filter.id])
    await owner.query(
      'update stock s set last_at = (select max(at) from movements m where m.supply_id = s.supply_id) where supply_id = $1',
      [filter.id],
    )
    await owner.query('update work_order_supplies set created_at = $1 where work_order_id = $2', [at, order.id])
    for (const table of ['work_orders', 'work_order_costs'])
      await owner.query(`update ${table} set created_at = $1 where id = $2`, [at, order.id])
    await writeLedger(house, chief.company_id)
  }

  it('no adjustment is booked for a return to a provider, recorded late or voided, that changes no cost', async () => {
    await dated('entry', { date: `${month(1)}-02` }, { quantity: 10, unit_cost: 100 })
    const provider = await house.given.provider(chief)
    const bill = {
      typeTrasactionId: 1,
      providerId: provider.id,
      typeInvoice: 'bill',
      document: '77',
      confirm_old: true,
    }
    const bought = await dated(
      'entry',
      { ...bill, payment_type: 'Credit', date: `${month(1)}-03` },
      { quantity: 10, unit_cost: 300, tax_type: '19' },
    )
    // The line is of the month before, and took more while that was open: its movement is in the month that stays open.
    const order = await take(4)
    await house.owner.query('update movements set at = $1, created_at = $1 where origin_id = $2 and supply_id = $3', [
      `${month(1)}-20T15:00:00Z`,
      order.id,
      filter.id,
    ])
    await house.owner.query('update stock set last_at = $1 where supply_id = $2', [
      `${month(1)}-20T15:00:00Z`,
      filter.id,
    ])
    for (const [table, id] of [
      ['work_order_supplies', 'work_order_id'],
      ['work_orders', 'id'],
      ['work_order_costs', 'id'],
    ])
      await house.owner.query(`update ${table} set created_at = $1 where ${id} = $2`, [
        `${month(2)}-20T15:00:00Z`,
        order.id,
      ])
    await writeLedger(house, chief.company_id)
    expect((await close(month(2))).status).toBe(200)
    const adjustments = async () =>
      (await house.owner.query('select 1 from work_order_adjustments where work_order_id = $1', [order.id])).rows.length
    const returned = { typeTrasactionId: 7, returns_id: bought.id, date: `${month(1)}-10` }
    const back = await dated('exit', returned, { quantity: 4 })
    expect([await adjustments(), await costOf(order)]).toEqual([0, [[200, 800], 800, 800]])
    expect((await cancel(back.id)).status).toBe(200)
    expect([await adjustments(), await costOf(order)]).toEqual([0, [[200, 800], 800, 800]])
    expect(await brokenInvariants(house.owner)).toEqual([])
    await close(null)
  })

  it('nothing moves: the difference is booked today, in the kardex and in the reports of today', async () => {
    await enter(10, 100)
    const wrong = await enter(10, 300)
    const order = await take(4)
    await backThen(order)
    const lastMonth = `${month(1)}-01,${month(1)}-28`
    const [then, today] = [await spent(lastMonth), await spent()]
    expect((await close(month(1))).status).toBe(200)
    expect((await cancel(wrong.id)).status).toBe(200)
    expect(await kardex()).toEqual([
      ['Compra', 10, 1000, 10, 1000],
      ['Compra', 10, 3000, 20, 4000],
      ['Consumo', -4, -800, 16, 3200],
      ['Ajuste de costo', 0, 400, 16, 3600],
      ['Anulación de compra', -10, -3000, 6, 600],
    ])
    expect([await spent(lastMonth), (await spent()) - today]).toEqual([then, -400])
    expect(await costOf(order)).toEqual([[200, 800], 400, 400])
    expect(await stockOf()).toEqual([6, 100, 600])
    expect(await spent(lastMonth)).toBe(then)
    await close(null)
  })
})

it('of before is settled when that is asked for, and not by itself', async () => {
  await enter(10, 100, 5)
  const [order, gone] = [await take(4), await take(2)]
  await remove(gone)
  await enter(10, 300, 3)
  // As it was left before lines followed the ledger.
  const { owner } = house
  await owner.query('update work_order_supplies set cost = 100, value = 400, amount = 400 where work_order_id = $1', [
    order.id,
  ])
  await owner.query('update work_order_costs set supplies_cost = 400 where id = $1', [order.id])
  await owner.query('update work_order_roundings set carried = 0 where supply_id = $1', [filter.id])
  expect((await brokenInvariants(owner)).join()).toContain('what the ledger moved for an order')
  expect(await costOf(order)).toEqual([[100, 400], 400, 400])
  await settleOpenMonths(house.app.database)
  expect(await costOf(order)).toEqual([[200, 800], 800, 800])
  expect((await activityOf(order))[0]).toEqual({ supplies_cost: [400, 800], because: [null, 'recosteo'] })
  expect(await brokenInvariants(owner)).toEqual([])
})

it('of before is settled in documents and in returns to stock, too', async () => {
  const record = async (type: 'entry' | 'exit', transaction: object, quantity: number) => {
    const supplies = [{ supply_id: filter.id, quantity }]
    const body = { warehouse_id: bodega.id, type, transaction, supplies }
    return (await house.call(chief, warehouses.recordTransaction, { body })).body
  }
  await enter(10, 100, 9)
  const exit = await record('exit', { typeTrasactionId: 6, date: ago(5) }, 10)
  const back = await record('entry', { typeTrasactionId: 2, returns_id: exit.id, date: ago(4) }, 10)
  await enter(10, 300, 7)
  // As it was left before returns followed their exit, and documents their movements.
  const { owner } = house
  await owner.query(
    `update movements set value = 1000, balance_value = balance_value - 1000, average_cost = 150 where transaction_id = $1`,
    [back.id],
  )
  await owner.query('update stock set value = value - 1000, average_cost = 150 where supply_id = $1', [filter.id])
  await owner.query(
    'update transaction_lines set unit_cost = 100, net_cost = 1000, tax = 0, total_cost = 1000 where transaction_id = $1',
    [exit.id],
  )
  await owner.query('update transactions set subtotal = 1000, tax = 0, total = 1000 where id = $1', [exit.id])
  const broken = (await brokenInvariants(owner)).join()
  expect(broken).toContain('what came back to stock is worth')
  expect(broken).toContain('documents that the ledger prices')
  await settleOpenMonths(house.app.database)
  expect(await stockOf()).toEqual([20, 200, 4000])
  const { body } = await house.call(chief, warehouses.getTransaction, { params: { id: exit.id } })
  expect(body).toMatchObject({ subtotal: 2000, supplies: [{ unit_cost: 200, net_cost: 2000 }] })
  expect(await brokenInvariants(owner)).toEqual([])
})

it('leaves what was signed signed: it is what was used, not what it cost', async () => {
  await enter(10, 100, 5)
  const order = await take(4)
  await house.call(chief, workOrderParts.sign, {
    params: { id: order.id, kind: 'delivered' },
    body: { image: PIXEL, name: 'Luis Rojas', dni: '12345678-5' },
  })
  await enter(10, 300, 3)
  expect((await read(order)).signatures).toMatchObject([{ kind: 'delivered', holds: true }])
})

describe('whole pesos', () => {
  it('of what several orders took add up to what was bought', async () => {
    await enter(3, 33.3333)
    const orders = [await take(1), await take(1), await take(1)]
    expect(orders.map(({ supplies_cost }) => supplies_cost)).toEqual([33, 34, 33])
  })

  it('add up however it was taken and given back, and no line is off by a peso', async () => {
    await enter(100, 12.3456)
    const orders = await Promise.all(times(20, (i) => take(1 + (i % 3))))
    for (const order of orders.slice(0, 5)) await remove(order)
    // What was given back left a difference: those that come after make up for it.
    const after = await Promise.all(times(10, () => take(1)))
    const last = await take(90 - orders.slice(5).reduce((sum, order) => sum + order.supplies[0]!.count, 0))
    const all = [...orders.slice(5), ...after, last]
    expect(all.reduce((sum, { supplies_cost }) => sum + supplies_cost!, 0)).toBe(1235)
  })
})
