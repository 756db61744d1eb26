import { beforeAll, describe, expect, it } from 'vitest'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import type { Supply } from '#contract/supplies/supplies.ts'
import { supplies } from '#contract/supplies/supplies.ts'
import { NO_STOCK } from '#contract/warehouses/stock.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { months } from '#contract/workshops/months.ts'
import type { Member } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'

const house = openHouse()

let ana: Member
let filter: Supply
let oil: Supply
beforeAll(async () => {
  ana = await house.given.member({ role: 'warehouse' })
  filter = await house.given.supply(ana)
  oil = await house.given.supply(ana)
})

const exitOf = (warehouse_id: number, lines: [Supply, number][], more: object = {}) => ({
  body: {
    warehouse_id,
    type: 'exit',
    transaction: { typeTrasactionId: 6, ...more },
    supplies: lines.map(([supply, quantity]) => ({ supply_id: supply.id, quantity, tax_type: '19' })),
  },
})
const record = (args: object) => house.call(ana, warehouses.recordTransaction, args)
const stockOf = async (warehouse: { id: number }, supply: Supply) => {
  const { body } = await house.call(ana, warehouses.listStock, { params: { warehouse: warehouse.id } })
  const line = body.data.find((each) => each.supply_id === supply.id)
  return line && [line.stock, line.average_cost, line.value]
}
const enter = (warehouse: Warehouse, supply: Supply, quantity: number, unit_cost: number, transaction: object = {}) =>
  house.given.entry(ana, {
    warehouse_id: warehouse.id,
    transaction,
    supplies: [{ supply_id: supply.id, quantity, unit_cost }],
  })

it('entries and exits of a company are numbered one by one, whatever others write', async () => {
  const [ana, luz] = [await house.given.member(), await house.given.member()]
  const codes = [
    (await house.given.entry(ana)).code,
    (await house.given.entry(luz)).code,
    (await house.given.entry(ana)).code,
  ]
  expect(codes).toEqual(['ENT-000001', 'ENT-000001', 'ENT-000002'])
})

describe('entries', () => {
  it('add stock and move the weighted average', async () => {
    const bodega = await house.given.warehouse(ana)
    await enter(bodega, filter, 10, 1000)
    expect(await stockOf(bodega, filter)).toEqual([10, 1000, 10_000])
    await enter(bodega, filter, 5, 2500.5)
    expect(await stockOf(bodega, filter)).toEqual([15, 1500.1667, 22_502.5])
  })

  it('work out net, IVA and total on the server, each line rounded once', async () => {
    const bodega = await house.given.warehouse(ana)
    const entry = await house.given.entry(ana, {
      warehouse_id: bodega.id,
      supplies: [
        { supply_id: filter.id, quantity: 3, unit_cost: 33.5, tax_type: '19', net_cost: 9, total_cost: 9 },
        { supply_id: oil.id, quantity: 0.5, unit_cost: 1001, tax_type: 'exempt' },
      ],
    })
    expect(entry.supplies.map((l) => [l.net_cost, l.tax, l.total_cost])).toEqual([
      [101, 19, 120],
      [501, 0, 501],
    ])
    expect([entry.subtotal, entry.tax, entry.total]).toEqual([602, 19, 621])
  })

  it('set the cost of what was bought, and only a purchase does', async () => {
    const supply = await house.given.supply(ana, { cost: 1 })
    const bodega = await house.given.warehouse(ana)
    await enter(bodega, supply, 1, 5500, { document: 'F-77' })
    await enter(bodega, supply, 1, 9900, { typeTrasactionId: 2 })
    const { body } = await house.call(ana, supplies.supplyCosts, { params: { id: supply.id } })
    expect(body.data.map((k) => [k.cost, k.source, k.reference])).toEqual([
      [5500, 'purchase', 'F-77'],
      [1, 'manual', null],
    ])
  })

  it('need at least one supply, a known type, a positive quantity and no supply twice', async () => {
    const bodega = await house.given.warehouse(ana)
    const send = (more: object) =>
      record({
        body: { warehouse_id: bodega.id, type: 'entry', transaction: { typeTrasactionId: 1 }, supplies: [], ...more },
      })
    expect((await send({})).failure.errors).toEqual({
      supplies: ['En necesario ingresar al menos un insumo para poder guardar la entrada.'],
    })
    const line = { supply_id: filter.id, quantity: 1, unit_cost: 1 }
    expect((await send({ transaction: { typeTrasactionId: 6 }, supplies: [line] })).failure.errors).toHaveProperty([
      'transaction.typeTrasactionId',
    ])
    expect((await send({ supplies: [{ ...line, quantity: 0 }] })).failure.errors).toEqual({
      'supplies.0.quantity': ['La cantidad debe ser un número no negativo o mayor a 0'],
    })
    expect((await send({ supplies: [line, line] })).failure.errors).toEqual({
      'supplies.1.supply_id': ['El insumo ya se encuentra en la lista'],
    })
    expect(
      (await send({ transaction: { typeTrasactionId: 1, date: '2099-01-01' }, supplies: [line] })).failure.errors,
    ).toEqual({
      'transaction.date': ['La fecha no puede ser posterior a hoy.'],
    })
  })

  it('take only supplies of the workshop of the warehouse', async () => {
    const bob = await house.given.member({ company_id: ana.company_id })
    const theirs = await house.given.supply(bob)
    const bodega = await house.given.warehouse(ana)
    const answer = await record({
      body: {
        warehouse_id: bodega.id,
        type: 'entry',
        transaction: { typeTrasactionId: 1 },
        supplies: [{ supply_id: theirs.id, quantity: 1, unit_cost: 1 }],
      },
    })
    expect([answer.status, answer.failure.errors]).toEqual([
      422,
      { 'supplies.0.supply_id': ['Elija un insumo de la lista.'] },
    ])
  })
})

describe('exits', () => {
  it('leave at the average and do not move it', async () => {
    const bodega = await house.given.warehouse(ana, { stock: [[filter, 3, 1000]] })
    await enter(bodega, filter, 4, 1333)
    const { body } = await record(exitOf(bodega.id, [[filter, 1]]))
    expect(body.supplies[0]).toMatchObject({
      unit_cost: 1190.2857,
      net_cost: 1190,
      tax_type: 'exempt',
      total_cost: 1190,
    })
    expect(await stockOf(bodega, filter)).toEqual([6, 1190.2857, 7141.7143])
  })

  it('take the last peso with the last unit', async () => {
    const bodega = await house.given.warehouse(ana, { stock: [[filter, 3, 33.3333]] })
    await record(exitOf(bodega.id, [[filter, 1]]))
    await record(exitOf(bodega.id, [[filter, 2]]))
    expect(await stockOf(bodega, filter)).toEqual([0, 33.3333, 0])
  })

  it('without enough stock change nothing at all, and say which lines are short', async () => {
    const bodega = await house.given.warehouse(ana, { stock: [[filter, 5]] })
    const answer = await record(
      exitOf(bodega.id, [
        [filter, 5],
        [oil, 1],
      ]),
    )
    expect(answer.status).toBe(422)
    expect(answer.failure.errors).toEqual({ 'supplies.1.quantity': [NO_STOCK] })
    expect(await stockOf(bodega, filter)).toEqual([5, 100, 500])
  })

  it('can be checked beforehand', async () => {
    const bodega = await house.given.warehouse(ana, { stock: [[filter, 5]] })
    const ask = (quantity: number) =>
      house.call(ana, warehouses.verifyStock, { query: { supply: filter.id, warehouse: bodega.id, quantity } })
    expect((await ask(5)).body).toEqual({ stock: 5, available: 5 })
    const refused = await ask(5.0001)
    expect([refused.status, refused.failure.message]).toEqual([422, NO_STOCK])
  })
})

describe('voiding', () => {
  const cancel = (id: number) => house.call(ana, purchasing.voidTransaction, { params: { id }, body: {} })

  it('puts back what left, at what it was worth', async () => {
    const bodega = await house.given.warehouse(ana, { stock: [[filter, 10, 100]] })
    const { body } = await record(exitOf(bodega.id, [[filter, 4]]))
    await enter(bodega, filter, 6, 200)
    expect((await cancel(body.id)).body.state).toBe('voided')
    expect(await stockOf(bodega, filter)).toEqual([16, 137.5, 2200])
  })

  it('takes a wrong entry out as if it had never come, though some left meanwhile', async () => {
    const bodega = await house.given.warehouse(ana, { stock: [[filter, 10, 100]] })
    const wrong = await enter(bodega, filter, 10, 200)
    await record(exitOf(bodega.id, [[filter, 5]]))
    expect(await stockOf(bodega, filter)).toEqual([15, 150, 2250])
    await cancel(wrong.id)
    expect(await stockOf(bodega, filter)).toEqual([5, 100, 500])
  })

  it('is refused when the stock is no longer there, and a second time', async () => {
    const bodega = await house.given.warehouse(ana)
    const entry = await enter(bodega, filter, 10, 100)
    const exit = await record(exitOf(bodega.id, [[filter, 1]]))
    const refused = await cancel(entry.id)
    expect([refused.status, refused.failure.message]).toEqual([422, NO_STOCK])
    await cancel(exit.body.id)
    expect((await cancel(exit.body.id)).status).toBe(409)
    expect((await cancel(entry.id)).status).toBe(200)
    expect(await stockOf(bodega, filter)).toEqual([0, 100, 0])
  })

  it('of a transfer undoes both sides', async () => {
    const [here, there] = [
      await house.given.warehouse(ana, { stock: [[filter, 10, 70]] }),
      await house.given.warehouse(ana),
    ]
    const { body } = await house.call(ana, warehouses.transfer, {
      body: { warehouse_id: here.id, to_warehouse_id: there.id, supplies: [{ supply_id: filter.id, quantity: 4 }] },
    })
    expect([await stockOf(here, filter), await stockOf(there, filter)]).toEqual([
      [6, 70, 420],
      [4, 70, 280],
    ])
    expect(body.entry!.transfer).toMatchObject({ transaction_id: body.exit.id, warehouse_id: here.id })
    await cancel(body.entry!.id)
    expect([await stockOf(here, filter), await stockOf(there, filter)]).toEqual([
      [10, 70, 700],
      [0, 70, 0],
    ])
  })
})

describe('a document of the past', () => {
  const days = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString().slice(0, 10)

  it('works the averages after it out again, and lists what changed', async () => {
    const bodega = await house.given.warehouse(ana)
    await enter(bodega, filter, 10, 100, { date: days(20) })
    const exit = await record(exitOf(bodega.id, [[filter, 5]], { date: days(10) }))
    const late = await enter(bodega, filter, 10, 200, { date: days(15) })
    expect(await stockOf(bodega, filter)).toEqual([15, 150, 2250])
    expect(late.recosted).toBe(1)
    const { body } = await house.call(ana, warehouses.listRecosted, { params: { id: late.id } })
    expect(body.data.map((m) => [m.quantity, m.cost_before, m.cost_after])).toEqual([[-5, 500, 750]])
    const again = await house.call(ana, warehouses.getTransaction, { params: { id: exit.body.id } })
    expect(again.body).toMatchObject({ total: 750, supplies: [{ unit_cost: 150, net_cost: 750 }] })
    const then = await house.call(ana, warehouses.listStock, {
      params: { warehouse: bodega.id },
      query: { filter: { At: days(12) } },
    })
    expect(then.body.data.map((l) => [l.stock, l.average_cost, l.value])).toEqual([[20, 150, 3000]])
  })

  it('is refused where stock would have been missing since', async () => {
    const bodega = await house.given.warehouse(ana)
    await enter(bodega, filter, 10, 100, { date: days(20) })
    await record(exitOf(bodega.id, [[filter, 10]], { date: days(10) }))
    await enter(bodega, filter, 10, 100)
    const refused = await record(exitOf(bodega.id, [[filter, 1]], { date: days(15) }))
    expect([refused.status, refused.failure.message]).toEqual([422, NO_STOCK])
  })

  it('is refused in a month that was closed', async () => {
    const chief = await house.given.member({ role: 'super-admin' })
    const supply = await house.given.supply(chief)
    const bodega = await house.given.warehouse(chief)
    const close = (closed_through: string | null) => house.call(chief, months.closeMonths, { body: { closed_through } })
    const enterAt = (date: string) =>
      house.call(chief, warehouses.recordTransaction, {
        body: {
          warehouse_id: bodega.id,
          type: 'entry',
          transaction: { typeTrasactionId: 1, date, confirm_old: true },
          supplies: [{ supply_id: supply.id, quantity: 1, unit_cost: 1 }],
        },
      })
    expect((await close('2026-01')).status).toBe(200)
    expect((await enterAt('2026-01-31')).failure.errors).toHaveProperty(['transaction.date'])
    expect((await enterAt('2026-02-01')).status).toBe(201)
    expect((await close(new Date().toISOString().slice(0, 7))).status).toBe(422)
    await close(null)
    expect((await enterAt('2026-01-31')).status).toBe(201)
  })
})

describe('the ledger', () => {
  it('cannot be rewritten by the role that serves requests', async () => {
    for (const statement of [
      'update movements set quantity = 1',
      'update movements set at = now()',
      'delete from movements',
    ])
      await expect(house.app.database.write(ana.company_id, (db) => db.execute(statement))).rejects.toThrow()
  })

  it('has a kardex with what came, what went and what was left', async () => {
    const bodega = await house.given.warehouse(ana, { stock: [[filter, 10, 100]] })
    await record(exitOf(bodega.id, [[filter, 4]]))
    const { body } = await house.call(ana, warehouses.kardex, {
      query: { warehouse: bodega.id, supply: filter.id, sort: 'at' },
    })
    expect(
      body.data.map((m) => [m.type_name, m.quantity_in, m.quantity_out, m.balance, m.unit_cost, m.balance_value]),
    ).toEqual([
      ['Compra', 10, 0, 10, 100, 1000],
      ['Merma', 0, 4, 6, 100, 600],
    ])
  })
})

describe('counts', () => {
  it('adjust by what was found when it was counted, whatever moved meanwhile', async () => {
    const bodega = await house.given.warehouse(ana, {
      stock: [
        [filter, 10, 100],
        [oil, 5, 50],
      ],
    })
    const { body: count } = await house.call(ana, warehouses.createCount, {
      body: { warehouse_id: bodega.id, blind: true },
    })
    expect(count.lines.map((l) => l.expected)).toEqual([null, null])
    const lines = [
      { supply_id: filter.id, counted: 8 },
      { supply_id: oil.id, counted: 6.5 },
    ]
    await house.call(ana, warehouses.saveCount, { params: { id: count.id }, body: { lines } })
    await record(exitOf(bodega.id, [[filter, 3]]))
    const { body: applied } = await house.call(ana, warehouses.applyCount, { params: { id: count.id } })
    expect([applied.state, applied.lines.map((l) => [l.expected, l.difference])]).toEqual([
      'applied',
      [
        [10, -2],
        [5, 1.5],
      ],
    ])
    expect([await stockOf(bodega, filter), await stockOf(bodega, oil)]).toEqual([
      [5, 100, 500],
      [6.5, 50, 325],
    ])
    expect((await house.call(ana, warehouses.applyCount, { params: { id: count.id } })).status).toBe(409)
  })
})

describe('the list of a warehouse', () => {
  it('takes chosen supplies, or all of the workshop, and lets go of what has no stock', async () => {
    const bob = await house.given.member()
    const chosen = [await house.given.supply(bob), await house.given.supply(bob), await house.given.supply(bob)]
    const bodega = await house.given.warehouse(bob, { stock: [[chosen[0]!, 1]] })
    const put = (body: object) => house.call(bob, warehouses.attachSupplies, { params: { warehouse: bodega.id }, body })
    expect((await put({ supplies: [] })).status).toBe(422)
    expect((await put({ supplies: [chosen[1]!.id] })).body).toEqual({ attached: 1, detached: 0 })
    expect((await put({ selectedAll: true })).body).toEqual({ attached: 1, detached: 0 })
    const list = (endpoint: typeof warehouses.suppliesAttached) =>
      house.call(bob, endpoint, { query: { warehouseId: bodega.id, perPage: 2 } })
    expect((await list(warehouses.suppliesAttached)).body).toMatchObject({ total: 3, per_page: 2 })
    expect((await list(warehouses.suppliesInStock)).body.data.map((s) => [s.id, s.stock, s.selected])).toEqual([
      [chosen[0]!.id, 1, true],
    ])
    expect((await put({ detached: [chosen[0]!.id] })).status).toBe(409)
    expect((await put({ detached: [chosen[2]!.id] })).body.detached).toBe(1)
    expect((await list(warehouses.suppliesFromWarehouse)).body.total).toBe(3)
  })

  it('keeps minimum and maximum, and says what is below', async () => {
    const bodega = await house.given.warehouse(ana, {
      stock: [
        [filter, 2],
        [oil, 9],
      ],
    })
    const set = (levels: object[]) =>
      house.call(ana, warehouses.setLimits, { params: { warehouse: bodega.id }, body: { levels } })
    expect((await set([{ supply_id: filter.id, minimum: 5, maximum: 3 }])).status).toBe(422)
    expect(
      (
        await set([
          { supply_id: filter.id, minimum: 3, maximum: 12 },
          { supply_id: oil.id, minimum: 4, maximum: null },
        ])
      ).status,
    ).toBe(200)
    const below = await house.call(ana, warehouses.listStock, {
      params: { warehouse: bodega.id },
      query: { filter: { Level: ['below'] } },
    })
    expect(below.body.data.map((l) => l.supply_id)).toEqual([filter.id])
    const { body } = await house.call(ana, purchasing.reorder, { query: { warehouse: bodega.id } })
    expect(body.data.flatMap((g) => g.supplies).map((l) => [l.supply_id, l.suggested])).toEqual([[filter.id, 10]])
  })

  it('is added up by warehouse as it changes', async () => {
    const bodega = await house.given.warehouse(ana, {
      stock: [
        [filter, 2],
        [oil, 9],
      ],
    })
    const sums = async () => {
      const { body } = await house.call(ana, warehouses.getWarehouse, { params: { id: bodega.id } })
      return [body.supplies_count, body.below_minimum, body.value]
    }
    const levels = [{ supply_id: filter.id, minimum: 2, maximum: null }]
    await house.call(ana, warehouses.setLimits, { params: { warehouse: bodega.id }, body: { levels } })
    const [, , value] = await sums()
    expect(await sums()).toEqual([2, 0, value])
    await record(exitOf(bodega.id, [[filter, 1]]))
    const [, , left] = await sums()
    expect(await sums()).toEqual([2, 1, left])
    expect(left).toBeLessThan(value!)
  })

  it('is closed to a warehouse of another workshop, whichever call asks', async () => {
    const bodega = await house.given.warehouse(ana, { stock: [[filter, 2]] })
    const bob = await house.given.member({ company_id: ana.company_id })
    const [warehouse, supply] = [{ warehouse: bodega.id }, { supply: filter.id }]
    const asked = [
      [warehouses.suppliesAttached, { warehouseId: bodega.id }],
      [warehouses.suppliesInStock, warehouse],
      [warehouses.suppliesFromWarehouse, { warehouseId: bodega.id }],
      [warehouses.verifyStock, { ...warehouse, ...supply, quantity: 1 }],
      [warehouses.kardex, { ...warehouse, ...supply }],
      [warehouses.listMovements, warehouse],
      [warehouses.listCounts, warehouse],
      [purchasing.reorder, warehouse],
    ] as const
    for (const [endpoint, query] of asked)
      expect([endpoint.path, (await house.call(bob, endpoint, { query })).status]).toEqual([endpoint.path, 404])
    expect((await house.call(bob, warehouses.listTransactions, { query: { warehouse: bodega.id } })).body.total).toBe(0)
    expect(
      (await house.call(bob, warehouses.recordTransaction, exitOf(bodega.id, [[filter, 1]]))).failure.errors,
    ).toHaveProperty('warehouse_id')
  })
})
