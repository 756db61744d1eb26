import { readXlsx } from 'hucre/xlsx'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import type { Supply } from '#contract/supplies/supplies.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { months } from '#contract/workshops/months.ts'
import type { Member } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import { brokenInvariants } from '../../../test/invariants.ts'

/* Figures are the same in whatever order papers were typed: values that depend on the past follow it when it changes. */

const house = openHouse()

let ana: Member
let filter: Supply
let bodega: { id: number }
let provider: { id: number }
beforeAll(async () => {
  ana = await house.given.member({ role: 'super-admin' })
  provider = await house.given.provider(ana)
})
beforeEach(async () => {
  filter = await house.given.supply(ana)
  bodega = await house.given.warehouse(ana)
})
afterEach(async () => {
  const broken = await brokenInvariants(house.owner)
  await close(null)
  expect(broken).toEqual([])
})

const ago = (days: number) => dayOf(new Date(Date.now() - days * 86_400_000))
const record = async (type: 'entry' | 'exit', transaction: object, line: object) => {
  const { status, body } = await house.call(ana, warehouses.recordTransaction, {
    body: { warehouse_id: bodega.id, type, transaction, supplies: [{ supply_id: filter.id, ...line }] },
  })
  expect([status, body]).toEqual([201, expect.anything()])
  return body
}
const buy = (quantity: number, unit_cost: number, days = 0) =>
  record('entry', { typeTrasactionId: 1, date: ago(days), providerId: provider.id }, { quantity, unit_cost })
const lose = (quantity: number, days = 0) => record('exit', { typeTrasactionId: 6, date: ago(days) }, { quantity })
const bringBack = (exit: { id: number }, quantity: number, days = 0) =>
  record('entry', { typeTrasactionId: 2, returns_id: exit.id, date: ago(days) }, { quantity })
const cancel = async ({ id }: { id: number }) =>
  expect((await house.call(ana, purchasing.voidTransaction, { params: { id }, body: {} })).status).toBe(200)
const credit = async ({ id }: { id: number }, amount: number) => {
  const body = { kind: 'credit', document: `NC-${id}-${amount}`, date: ago(0), amount }
  expect((await house.call(ana, warehouses.noteTransaction, { params: { id }, body })).status).toBe(201)
}
const stockOf = async (warehouse = bodega) => {
  const { body } = await house.call(ana, warehouses.listStock, { params: { warehouse: warehouse.id } })
  return body.data.map(({ stock, average_cost, value }) => [stock, average_cost, value])[0]
}
const kardex = async (warehouse = bodega) => {
  const query = { warehouse: warehouse.id, supply: filter.id, sort: 'at', per_page: 100 }
  const { body } = await house.call(ana, warehouses.kardex, { query })
  return body.data.map((m) => [m.type_name, m.quantity_in - m.quantity_out, m.unit_cost, m.value])
}

const close = (closed_through: string | null) => house.call(ana, months.closeMonths, { body: { closed_through } })
const monthsAgo = (back: number) => {
  const [year = 0, number = 0] = ago(0).split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 - back)).toISOString().slice(0, 7)
}
/** Moves all that happened to the supply into the middle of a month of the past, in the same order, and closes that month. */
const closeItAll = async (back = 1) => {
  const { owner } = house
  const month = monthsAgo(back)
  const at = `${month}-15T15:00:00Z`
  await owner.query(
    `update movements m set at = n.at, created_at = n.at from (
       select company_id, id, $1::timestamptz + row_number() over (order by at, id) * interval '1 second' as at
       from movements where supply_id = $2) n where n.company_id = m.company_id and n.id = m.id`,
    [at, filter.id],
  )
  await owner.query(
    `update stock s set last_at = (select max(at) from movements m where m.company_id = s.company_id
       and m.warehouse_id = s.warehouse_id and m.supply_id = s.supply_id) where supply_id = $1`,
    [filter.id],
  )
  await owner.query(
    `update transactions t set date = $1, created_at = $2 from transaction_lines l
     where l.company_id = t.company_id and l.transaction_id = t.id and l.supply_id = $3`,
    [`${month}-15`, at, filter.id],
  )
  expect((await close(month)).status).toBe(200)
}

describe('what comes back to stock follows its exit', () => {
  it('when an entry is dated before it', async () => {
    await buy(10, 100, 9)
    await bringBack(await lose(10, 5), 10, 5)
    await buy(10, 300, 7)
    expect(await stockOf()).toEqual([20, 200, 4000])
  })

  it('when a credit note lowers what was bought', async () => {
    const bought = await buy(10, 100, 9)
    await bringBack(await lose(10, 5), 10, 3)
    await credit(bought, 400)
    expect(await stockOf()).toEqual([10, 60, 600])
  })

  it('when a purchase is voided', async () => {
    await buy(10, 100, 9)
    const wrong = await buy(10, 200, 8)
    await bringBack(await lose(10, 5), 5, 3)
    await cancel(wrong)
    expect(await stockOf()).toEqual([5, 100, 500])
  })

  it('in several parts, of which one was undone, to the last ten-thousandth', async () => {
    await buy(3, 33.3333, 9)
    const exit = await lose(3, 5)
    await bringBack(exit, 1, 4)
    const wrong = await bringBack(exit, 1, 3)
    await cancel(wrong)
    await buy(4, 200.0001, 7)
    await bringBack(exit, 1, 2)
    await bringBack(exit, 1)
    expect((await stockOf())?.[0]).toBe(7)
    const moved = (await kardex())
      .filter(([type]) => type !== 'Compra')
      .reduce((sum, [, , , value]) => sum + Number(value), 0)
    expect(Math.abs(moved)).toBeLessThan(0.0001)
  })

  it('on the day of its exit, and never before it', async () => {
    await buy(10, 100, 9)
    const exit = await lose(10)
    await bringBack(exit, 10, 3)
    expect((await kardex()).map(([type]) => type)).toEqual(['Compra', 'Merma', 'Devolución'])
  })

  it('when what it came from is undone after its month was closed', async () => {
    await buy(10, 100, 9)
    const wrong = await buy(10, 300, 8)
    await bringBack(await lose(10, 5), 10, 3)
    await closeItAll()
    await cancel(wrong)
    expect(await stockOf()).toEqual([10, 100, 1000])
  })

  it('and its void gives back what it brought', async () => {
    await buy(10, 100, 9)
    const exit = await lose(10, 5)
    const back = await bringBack(exit, 4, 4)
    await buy(10, 300, 7)
    await cancel(back)
    expect(await stockOf()).toEqual([10, 200, 2000])
    await cancel(exit)
    expect(await stockOf()).toEqual([20, 200, 4000])
  })
})

it('what comes back is worth its exit, although a return of it was voided whose goods were needed since', async () => {
  await buy(10, 100, 9)
  const exit = await lose(10, 8)
  const back = await bringBack(exit, 4, 7)
  await buy(2, 400, 6)
  await lose(5, 5)
  await buy(10, 100, 4)
  await cancel(back)
  const [, , before] = (await stockOf())!
  await bringBack(exit, 10)
  expect((await stockOf())?.[2]).toBe(Number((before! + 1000).toFixed(4)))
})

describe('what brings no price of its own', () => {
  const giveBack = (entry: { id: number }, quantity: number, days = 0) =>
    record('exit', { typeTrasactionId: 7, returns_id: entry.id, date: ago(days) }, { quantity })

  it('leaves at the cost of its entry when it goes back to a provider, and the adjustment follows the past', async () => {
    await buy(10, 100, 9)
    const bought = await buy(10, 300, 8)
    await giveBack(bought, 4, 5)
    expect(await stockOf()).toEqual([16, 200, 3200])
    await buy(10, 500, 7)
    expect(await stockOf()).toEqual([26, 300, 7800])
    expect((await kardex()).slice(3)).toEqual([
      ['Ajuste de costo', 0, 0, 0],
      ['Devolución a proveedor', -4, 300, -1200],
    ])
  })

  it('has an adjustment that becomes something later, and nothing of it is left once it is voided', async () => {
    const bought = await buy(10, 100, 9)
    const back = await giveBack(bought, 10, 5)
    await buy(10, 300, 7)
    expect(await stockOf()).toEqual([10, 200, 2000])
    expect((await kardex()).slice(2)).toEqual([
      ['Ajuste de costo', 0, 0, -1000],
      ['Devolución a proveedor', -10, 100, -1000],
    ])
    await cancel(back)
    expect(await stockOf()).toEqual([20, 200, 4000])
    await buy(10, 500, 6)
    expect(await stockOf()).toEqual([30, 300, 9000])
  })

  it('is what a count finds: worth what its like is worth, whatever is dated before it', async () => {
    await buy(10, 100, 9)
    const { body } = await house.call(ana, warehouses.createCount, { body: { warehouse_id: bodega.id } })
    const params = { id: body.id }
    const lines = [{ supply_id: filter.id, counted: 12 }]
    await house.call(ana, warehouses.saveCount, { params, body: { lines } })
    expect((await house.call(ana, warehouses.applyCount, { params })).status).toBe(200)
    await buy(10, 300, 7)
    expect(await stockOf()).toEqual([22, 200, 4400])
    expect((await kardex()).at(-1)).toEqual(['Ajuste de inventario', 2, 200, 400])
  })

  it('is what comes back without an exit that says what it cost', async () => {
    await buy(10, 100, 9)
    await record('entry', { typeTrasactionId: 2, date: ago(5) }, { quantity: 2 })
    await buy(10, 300, 7)
    expect(await stockOf()).toEqual([22, 200, 4400])
    // At the average of its own day, not of today.
    await record('entry', { typeTrasactionId: 2, date: ago(8) }, { quantity: 5 })
    expect((await kardex()).filter(([type]) => type === 'Devolución')[0]).toEqual(['Devolución', 5, 100, 500])
  })
})

describe('a document of a closed month that is voided', () => {
  const transfer = async (quantity: number, to: { id: number }) => {
    const supplies = [{ supply_id: filter.id, quantity }]
    const body = { warehouse_id: bodega.id, to_warehouse_id: to.id, supplies }
    const answer = await house.call(ana, warehouses.transfer, { body })
    expect(answer.status).toBe(201)
    return answer.body
  }
  const use = async (count: number, warehouse: { id: number }) => {
    const truck = await house.given.truck(ana)
    const supplies = [{ supply_id: filter.id, count }]
    const { body } = await house.call(ana, workOrders.createWorkOrderWithWarehouse, {
      body: { workshop_id: ana.workshop_id, truck_id: truck.id, warehouse_id: warehouse.id, supplies },
    })
    return {
      of: body,
      cost: async () =>
        (await house.call(ana, workOrders.getWorkOrder, { params: { id: body.id } })).body.supplies_cost,
    }
  }
  /** Each adjustment and the document or order that it is of. */
  const adjustmentsOf = async (warehouse: { id: number }) =>
    (
      await house.owner.query<{ of: string; value: string }>(
        `select coalesce(m.origin, t.id::text) as of, m.value::float8 as value from movements m
         left join transactions t on t.company_id = m.company_id and t.id = m.transaction_id
         where m.warehouse_id = $1 and m.supply_id = $2 and m."typeTrasactionId" = 10 order by m.id`,
        [warehouse.id, filter.id],
      )
    ).rows.map(({ of, value }) => [of, value])

  it('takes its part of the value out of the other warehouse, and of who used it there', async () => {
    const other = await house.given.warehouse(ana)
    await buy(10, 100, 9)
    const wrong = await buy(10, 300, 8)
    const { exit, entry } = await transfer(10, other)
    const order = await use(4, other)
    await closeItAll()
    await cancel(wrong)
    expect((await stockOf())?.[2]).toBe(0)
    expect(await stockOf(other)).toEqual([6, 100, 600])
    expect(await order.cost()).toBe(400)
    expect(await adjustmentsOf(bodega)).toEqual([[String(exit.id), 1000]])
    expect(await adjustmentsOf(other)).toEqual([
      ['work_order', 400],
      [String(entry!.id), -1000],
    ])
    // The transfer is worth what its adjustments left of it.
    await use(0.5, other)
    await buy(1, 100)
    expect((await stockOf(other))?.slice(1)).toEqual([100, 550])
  })

  it('reaches a warehouse where nothing is left', async () => {
    const other = await house.given.warehouse(ana)
    await buy(10, 100, 9)
    const wrong = await buy(10, 300, 8)
    await transfer(10, other)
    const order = await use(10, other)
    await closeItAll()
    await cancel(wrong)
    expect([(await stockOf())?.[2], (await stockOf(other))?.[2]]).toEqual([0, 0])
    expect(await order.cost()).toBe(1000)
  })

  it('changes what a transfer is worth that is on its way', async () => {
    const there = await house.given.member({ role: 'admin', company_id: ana.company_id })
    const other = await house.given.warehouse(there)
    await buy(10, 100, 9)
    const wrong = await buy(10, 300, 8)
    const { exit } = await transfer(10, other)
    await closeItAll()
    await cancel(wrong)
    expect((await stockOf())?.[2]).toBe(0)
    const params = { id: exit.id }
    expect((await house.call(there, warehouses.getTransfer, { params })).body.value).toBe(1000)
    const { supplies } = (await house.call(there, warehouses.getTransfer, { params })).body
    const lines = supplies.map(({ supply_id }) => ({ supply_id, received: 8, reason: 'Faltó' }))
    expect((await house.call(there, warehouses.receiveTransfer, { params, body: { supplies: lines } })).status).toBe(
      200,
    )
    const { body } = await house.call(there, warehouses.listStock, { params: { warehouse: other.id } })
    expect(body.data.map(({ stock, value }) => [stock, value])).toEqual([[8, 800]])
  })

  it('settles what left by a document on that document, which then comes back at it', async () => {
    await buy(10, 100, 9)
    const wrong = await buy(10, 300, 8)
    const exit = await lose(5, 5)
    await closeItAll()
    await cancel(wrong)
    expect(await adjustmentsOf(bodega)).toEqual([[String(exit.id), 500]])
    await bringBack(exit, 2)
    expect(await stockOf()).toEqual([7, 100, 700])
  })

  it('takes back each of the adjustments of a document, also when that is worked out again', async () => {
    await buy(10, 100)
    const [dear, dearest] = [await buy(10, 300), await buy(10, 700)]
    const exit = await lose(4)
    await closeItAll(2)
    await cancel(dearest)
    await cancel(dear)
    await cancel(exit)
    expect(await stockOf()).toEqual([10, 100, 1000])
    const before = (await kardex()).slice(-6)
    await buy(1, 100, 1)
    expect((await kardex()).slice(-6)).toEqual(before)
    expect(await stockOf()).toEqual([11, 100, 1100])
  })

  it('is part of what comes back on a day before the adjustment, also when that is worked out again', async () => {
    await buy(10, 100, 9)
    const wrong = await buy(10, 300, 8)
    const exit = await lose(5, 5)
    await closeItAll(2)
    await cancel(wrong)
    const back = { typeTrasactionId: 2, returns_id: exit.id, date: `${monthsAgo(1)}-20` }
    await record('entry', back, { quantity: 2 })
    expect(await stockOf()).toEqual([7, 100, 700])
    await record('entry', { typeTrasactionId: 3, date: `${monthsAgo(1)}-10` }, { quantity: 1, unit_cost: 100 })
    expect(await stockOf()).toEqual([8, 100, 800])
    expect((await kardex()).find(([type]) => type === 'Devolución')).toEqual(['Devolución', 2, 100, 200])
  })

  it('follows transfers when a note of a closed purchase is recorded, and when that is voided', async () => {
    const other = await house.given.warehouse(ana)
    const bought = await buy(20, 100, 9)
    await transfer(10, other)
    const order = await use(5, other)
    await closeItAll()
    await credit(bought, 400)
    expect([(await stockOf())?.[2], (await stockOf(other))?.[2], await order.cost()]).toEqual([800, 400, 400])
    const { body } = await house.call(ana, warehouses.getTransaction, { params: { id: bought.id } })
    await cancel(body.notes[0]!)
    expect([(await stockOf())?.[2], (await stockOf(other))?.[2], await order.cost()]).toEqual([1000, 500, 500])
  })
})

describe('quantity × unit cost is the value of every line', () => {
  const sheetOf = async () => {
    const query = { warehouse: bodega.id, supply: filter.id, sort: 'at' }
    const { body } = await house.call(ana, warehouses.downloadKardex, { query })
    return (await readXlsx(body)).sheets[0]!.rows
  }
  const read = async ({ id }: { id: number }) =>
    (await house.call(ana, warehouses.getTransaction, { params: { id } })).body

  it('in the kardex, in its file and in the document, after an entry was dated before', async () => {
    await buy(10, 100, 9)
    const exit = await lose(4, 5)
    const back = await bringBack(exit, 2, 4)
    expect(await read(exit)).toMatchObject({ subtotal: 400, total: 400, supplies: [{ unit_cost: 100, net_cost: 400 }] })
    await buy(10, 300, 7)
    expect((await kardex()).slice(2)).toEqual([
      ['Merma', -4, 200, -800],
      ['Devolución', 2, 200, 400],
    ])
    const { body } = await house.call(ana, warehouses.listMovements, { query: { warehouse: bodega.id, sort: 'at' } })
    expect(body.data.slice(2).map((m) => m.unit_cost)).toEqual([200, 200])
    const [head = [], ...cells] = await sheetOf()
    const [cost, worth] = [head.indexOf('Costo unitario'), head.indexOf('Valor')]
    expect(cells.slice(2).map((row) => [row[cost], row[worth]])).toEqual([
      [200, -800],
      [200, 400],
    ])
    expect(await read(exit)).toMatchObject({ subtotal: 800, total: 800, supplies: [{ unit_cost: 200, net_cost: 800 }] })
    expect(await read(back)).toMatchObject({ subtotal: 400, supplies: [{ unit_cost: 200, net_cost: 400 }] })
    await cancel(back)
    await cancel(exit)
    expect((await kardex()).slice(2).map(([, , cost]) => cost)).toEqual([200, 200, 200, 200])
  })

  it('on both sides of a transfer', async () => {
    const other = await house.given.warehouse(ana)
    await buy(10, 100, 9)
    const { body } = await house.call(ana, warehouses.transfer, {
      body: { warehouse_id: bodega.id, to_warehouse_id: other.id, supplies: [{ supply_id: filter.id, quantity: 5 }] },
    })
    await buy(10, 300, 7)
    for (const side of [body.exit, body.entry!])
      expect(await read(side)).toMatchObject({ subtotal: 1000, supplies: [{ unit_cost: 200, net_cost: 1000 }] })
    expect(await kardex(other)).toEqual([['Traspaso', 5, 200, 1000]])
  })
})
