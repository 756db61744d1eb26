import { beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { reports } from '#contract/reports/reports.ts'
import { type Supply, supplies } from '#contract/supplies/supplies.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

/* Entries, exits and what goes back: what the paper may say, and what it does to costs. */

const house = openHouse()

let ana: Member
beforeAll(async () => {
  ana = await house.given.member({ role: 'admin' })
})

const ago = (days: number) => dayOf(new Date(Date.now() - days * 86_400_000))
const line = (supply: Supply, quantity: number, unit_cost?: number) => ({ supply_id: supply.id, quantity, unit_cost })
const record = (warehouse: { id: number }, type: 'entry' | 'exit', transaction: object, lines: object[]) =>
  house.call(ana, warehouses.recordTransaction, {
    body: { warehouse_id: warehouse.id, type, transaction, supplies: lines },
  })
const cancel = (id: number) => house.call(ana, purchasing.voidTransaction, { params: { id }, body: {} })
const stockOf = async (warehouse: { id: number }) => {
  const { body } = await house.call(ana, warehouses.listStock, { params: { warehouse: warehouse.id } })
  return body.data.map(({ stock, average_cost, value }) => [stock, average_cost, value])[0]
}

it('an entry is the same document with and without leading zeros, until it is voided', async () => {
  const [bodega, oil] = [await house.given.warehouse(ana), await house.given.supply(ana)]
  const { id: providerId } = await house.given.provider(ana)
  const enter = (document: string) =>
    record(
      bodega,
      'entry',
      { typeTrasactionId: 1, typeInvoice: 'bill', providerId, document, date: ago(0), payment_type: 'Credit' },
      [line(oil, 1, 100)],
    )
  const first = await enter('00123')
  expect(first.status).toBe(201)
  const again = await enter('123')
  expect(again.failure.errors).toEqual({
    'transaction.document': [`Este proveedor ya tiene una entrada con ese documento: ${first.body.code}.`],
  })
  expect((await enter('A-00123')).status).toBe(201)
  expect((await cancel(first.body.id)).status).toBe(200)
  expect((await enter('123')).status).toBe(201)
})

it('a document is answered as it is read afterwards', async () => {
  const [bodega, oil, filter] = [
    await house.given.warehouse(ana),
    await house.given.supply(ana, { measurement_units_id: null }),
    await house.given.supply(ana),
  ]
  const { id: providerId } = await house.given.provider(ana)
  const bought = {
    typeTrasactionId: 1,
    typeInvoice: 'invoice',
    document: ' F-1 ',
    date_delivery: ago(0),
    payment_type: 'Credit',
    reference: 'OC 7',
    providerId,
    note: 'Llegó tarde',
  }
  const lines = [{ ...line(oil, 2.5, 1999.5), tax_type: '19' }, line(filter, 3, 0)]
  // Each is read before the next: a document of the past changes what exits cost.
  const recordAndRead = async (...what: Parameters<typeof record>) => {
    const { status, body } = await record(...what)
    expect([status, body]).toEqual([201, expect.anything()])
    expect(body).toEqual((await house.call(ana, warehouses.getTransaction, { params: { id: body.id } })).body)
    return body
  }
  await recordAndRead(bodega, 'entry', { typeTrasactionId: 1 }, lines)
  await recordAndRead(bodega, 'exit', { typeTrasactionId: 6, document: 'S-1' }, [line(filter, 1), line(oil, 0.3333)])
  const late = { ...bought, date: ago(3), confirm_old: true }
  const entered = await recordAndRead(bodega, 'entry', late, [line(oil, 2, 3000.25)])
  await recordAndRead(bodega, 'entry', { typeTrasactionId: 2, providerId }, [line(oil, 1)])
  expect(entered).toMatchObject({ provider_name: expect.any(String), recosted: 1, total: expect.any(Number) })
})

it('a return says that its entry is of another warehouse only if it is, and not when reading it fails', async () => {
  const [bodega, other, oil] = [
    await house.given.warehouse(ana),
    await house.given.warehouse(ana),
    await house.given.supply(ana),
  ]
  const { id: providerId } = await house.given.provider(ana)
  const bought = await record(bodega, 'entry', { typeTrasactionId: 1, providerId }, [line(oil, 5, 100)])
  const giveBack = (warehouse: { id: number }, returns_id = bought.body.id) =>
    record(warehouse, 'exit', { typeTrasactionId: 7, returns_id }, [line(oil, 1)])
  const OTHER = { 'transaction.returns_id': ['Elija una entrada de esta bodega.'] }
  expect((await giveBack(other)).failure.errors).toEqual(OTHER)
  expect((await giveBack(bodega, 999_999_999)).failure.errors).toEqual(OTHER)
  // Only the document is read with the names of units, so that everything before it succeeds.
  await house.owner.query('revoke select on measurement_units from maestranza_app')
  const failed = await giveBack(bodega)
  await house.owner.query('grant select on measurement_units to maestranza_app')
  expect([failed.status, failed.failure.errors]).toEqual([500, undefined])
  expect((await giveBack(bodega)).status).toBe(201)
})

describe('the cost of a supply', () => {
  const costOf = async (supply: Supply) =>
    (await house.call(ana, supplies.getSupply, { params: { id: supply.id } })).body.cost

  it('is what the purchases that stand say, and nothing given for free sets it', async () => {
    const supply = await house.given.supply(ana, { cost: 70 })
    const bodega = await house.given.warehouse(ana)
    const buy = async (unit_cost: number, days: number) =>
      (await record(bodega, 'entry', { typeTrasactionId: 1, date: ago(days) }, [line(supply, 5, unit_cost)])).body.id
    const first = await buy(100, 9)
    const second = await buy(900, 5)
    await buy(0, 3)
    expect(await costOf(supply)).toBe(900)
    await cancel(second)
    expect(await costOf(supply)).toBe(100)
    await cancel(first)
    expect(await costOf(supply)).toBe(70)
  })

  it('that somebody set after a purchase stays when that is voided', async () => {
    const supply = await house.given.supply(ana, { cost: 70 })
    const bodega = await house.given.warehouse(ana)
    const { body } = await record(bodega, 'entry', { typeTrasactionId: 1 }, [line(supply, 5, 100)])
    const { code, name, workshop_id } = supply
    await house.call(ana, supplies.updateSupply, {
      params: { id: supply.id },
      body: { code, name, workshop_id, cost: 80 },
    })
    await cancel(body.id)
    expect(await costOf(supply)).toBe(80)
  })
})

describe('a paper', () => {
  it('is entered once, and a person who enters it again is shown the first', async () => {
    const [supply, bodega] = [await house.given.supply(ana), await house.given.warehouse(ana)]
    const provider = await house.given.provider(ana)
    const enter = (more: object = {}) =>
      record(
        bodega,
        'entry',
        { typeTrasactionId: 1, typeInvoice: 'bill', document: 'F-77', providerId: provider.id, ...more },
        [line(supply, 1, 10)],
      )
    const first = await enter()
    expect(first.status).toBe(201)
    const again = await enter({ document: 'f-77' })
    expect([again.status, Object.keys(again.failure.errors!), again.failure.see]).toEqual([
      422,
      ['transaction.document'],
      {
        what: 'transaction',
        id: first.body.id,
        label: first.body.code,
        path: `/warehouse/${bodega.id}?tab=purchases&transaction=${first.body.id}`,
      },
    ])
    expect((await enter({ typeInvoice: 'invoice' })).status).toBe(201)
    expect((await enter({ providerId: (await house.given.provider(ana)).id })).status).toBe(201)
    await cancel(first.body.id)
    expect((await enter()).status).toBe(201)
    const many = await Promise.all([1, 2, 3, 4].map(() => enter({ document: 'F-78' })))
    expect(many.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  it('may cover several receipts of one purchase order', async () => {
    const order = await house.given.purchaseOrder(ana)
    await house.call(ana, purchasing.updatePurchaseStatus, { params: { id: order.id }, body: { status: 'approved' } })
    const receive = () =>
      house.call(ana, purchasing.receivePurchaseOrder, {
        params: { id: order.id },
        body: {
          transaction: { document: 'F-1', typeInvoice: 'bill' },
          supplies: [{ supply_id: order.supplies[0]!.supply_id, quantity: 5 }],
        },
      })
    expect([(await receive()).status, (await receive()).status]).toEqual([201, 201])
  })

  it('is not of before the company, and one of long ago is asked about', async () => {
    const [supply, bodega] = [await house.given.supply(ana), await house.given.warehouse(ana)]
    const enter = (date: string, more: object = {}) =>
      record(bodega, 'entry', { typeTrasactionId: 1, date, ...more }, [line(supply, 1, 10)])
    expect((await enter(ago(60))).status).toBe(201)
    const asked = await enter(ago(61))
    expect(Object.keys(asked.failure.errors!).sort()).toEqual(['transaction.confirm_old', 'transaction.date'])
    expect((await enter(ago(61), { confirm_old: true })).status).toBe(201)
    const before = await enter('2014-12-31', { confirm_old: true })
    expect(Object.keys(before.failure.errors!)).toEqual(['transaction.date'])
    await house.given.setting(ana.company_id, 'first_month', ago(0).slice(0, 7))
    expect((await enter(ago(40))).status).toBe(422)
    await house.given.setting(ana.company_id, 'first_month', '2015-01')
  })

  it('for services follows the same rules, and says where it was written before', async () => {
    const service = await house.given.service(ana)
    const orders = [1, 2].map(() => house.given.workOrder(ana, { services: [{ service_id: service.id, quantity: 1 }] }))
    const [one, two] = [await orders[0]!, await orders[1]!]
    const write = (work_order_id: number, date: string, more: object = {}) =>
      house.call(ana, workOrderParts.createInvoice, {
        body: {
          work_order_id,
          provider_id: service.provider_id,
          bill_invoice: 'bill',
          document: '4711',
          payment_type: 'Cash',
          date,
          ...more,
        },
      })
    expect(Object.keys((await write(one.id, ago(-2))).failure.errors!)).toEqual(['date'])
    expect(Object.keys((await write(one.id, '2001-01-01', { confirm_old: true })).failure.errors!)).toEqual(['date'])
    expect(Object.keys((await write(one.id, ago(61))).failure.errors!).sort()).toEqual(['confirm_old', 'date'])
    expect((await write(one.id, ago(61), { confirm_old: true })).status).toBe(201)
    const again = await write(two.id, ago(1))
    expect([again.status, again.failure.see]).toEqual([
      422,
      { what: 'work_order', id: one.id, label: one.code, path: `/ordenes-de-trabajo/${one.id}` },
    ])
  })
})

describe('what goes back', () => {
  it('to a provider names its entry, leaves at its cost, and was not bought', async () => {
    const [supply, bodega] = [await house.given.supply(ana), await house.given.warehouse(ana)]
    const providerId = (await house.given.provider(ana)).id
    await record(bodega, 'entry', { typeTrasactionId: 1 }, [line(supply, 10, 100)])
    const entry = await record(bodega, 'entry', { typeTrasactionId: 1, providerId }, [line(supply, 10, 300)])
    const back = (quantity: number, more: object = {}) =>
      record(bodega, 'exit', { typeTrasactionId: 7, returns_id: entry.body.id, ...more }, [line(supply, quantity)])
    expect(Object.keys((await back(1, { returns_id: null })).failure.errors!)).toEqual(['transaction.returns_id'])
    expect(Object.keys((await back(11)).failure.errors!)).toEqual(['supplies.0.quantity'])
    const returned = await back(4)
    expect(returned.body).toMatchObject({ subtotal: 1200, tax: 0, total: 1200, transaction: { providerId } })
    expect(await stockOf(bodega)).toEqual([16, 200, 3200])
    const { body } = await house.call(ana, warehouses.kardex, {
      query: { warehouse: bodega.id, supply: supply.id, sort: 'at' },
    })
    expect(body.data.slice(2).map((m) => [m.type_name, m.quantity_out, m.value])).toEqual([
      ['Ajuste de costo', 0, 400],
      ['Devolución a proveedor', 4, -1200],
    ])
    expect(Object.keys((await back(7)).failure.errors!)).toEqual(['supplies.0.quantity'])
    const bought = async () => {
      const { body } = await house.call(ana, reports.expensesByProvider)
      return body.data.find(({ provider_id }) => provider_id === providerId)?.purchases_net
    }
    expect(await bought()).toBe(1800)
    expect((await cancel(entry.body.id)).status).toBe(409)
    expect((await cancel(returned.body.id)).status).toBe(200)
    expect([await stockOf(bodega), await bought()]).toEqual([[20, 200, 4000], 3000])
    expect((await cancel(entry.body.id)).status).toBe(200)
    expect(await stockOf(bodega)).toEqual([10, 100, 1000])
  })

  it('to the warehouse costs what it left at, whatever is sent', async () => {
    const [supply, bodega] = [await house.given.supply(ana), await house.given.warehouse(ana)]
    await record(bodega, 'entry', { typeTrasactionId: 1 }, [line(supply, 10, 100)])
    const exit = await record(bodega, 'exit', { typeTrasactionId: 5 }, [line(supply, 5)])
    await record(bodega, 'entry', { typeTrasactionId: 1 }, [line(supply, 5, 300)])
    const named = { typeTrasactionId: 2, returns_id: exit.body.id }
    expect((await record(bodega, 'entry', named, [line(supply, 2, 9999)])).body.subtotal).toBe(200)
    expect(await stockOf(bodega)).toEqual([12, 183.3333, 2200])
    expect((await record(bodega, 'entry', named, [line(supply, 4)])).status).toBe(422)
    expect((await record(bodega, 'entry', { typeTrasactionId: 2 }, [line(supply, 3, 9999)])).body.subtotal).toBe(550)
  })
})

it('what leaves bears no tax, and the unit it was counted in stays', async () => {
  const units = [await house.given.measurementUnit(ana), await house.given.measurementUnit(ana)]
  const supply = await house.given.supply(ana, { measurement_units_id: units[0]!.id })
  const bodega = await house.given.warehouse(ana)
  const { code, name, workshop_id, cost } = supply
  const change = (measurement_units_id: number) =>
    house.call(ana, supplies.updateSupply, {
      params: { id: supply.id },
      body: { code, name, workshop_id, cost, measurement_units_id },
    })
  expect((await change(units[1]!.id)).status).toBe(200)
  await record(bodega, 'entry', { typeTrasactionId: 1 }, [line(supply, 10, cost)])
  const exit = await record(bodega, 'exit', { typeTrasactionId: 6 }, [{ ...line(supply, 1), tax_type: '21' }])
  expect(exit.body.supplies[0]).toMatchObject({ tax_type: 'exempt', tax: 0 })
  expect(Object.keys((await change(units[0]!.id)).failure.errors!)).toEqual(['measurement_units_id'])
})
