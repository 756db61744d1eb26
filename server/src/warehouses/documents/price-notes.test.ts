import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import type { Provider } from '#contract/providers/providers.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { reports } from '#contract/reports/reports.ts'
import { type Supply, supplies } from '#contract/supplies/supplies.ts'
import type { Transaction } from '#contract/warehouses/transactions.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import { payables } from '#contract/work-orders/payables.ts'
import { months } from '#contract/workshops/months.ts'
import type { Member } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import { brokenInvariants } from '../../../test/invariants.ts'

/* Papers that come after the goods: notes that say another price, and invoices of what came with a slip. */

const house = openHouse()

let chief: Member
let truck: { id: number }
let filter: Supply
let oil: Supply
let bodega: { id: number }
let provider: Provider
beforeAll(async () => {
  chief = await house.given.member({ role: 'super-admin' })
  truck = await house.given.truck(chief)
})
beforeEach(async () => {
  filter = await house.given.supply(chief)
  oil = await house.given.supply(chief)
  bodega = await house.given.warehouse(chief)
  provider = await house.given.provider(chief)
})
afterEach(async () => expect(await brokenInvariants(house.owner)).toEqual([]))

const ago = (days: number) => dayOf(new Date(Date.now() - days * 86_400_000))
const paper = { typeInvoice: 'bill', document: 'F-1', payment_type: 'Credit' }
const buy = (transaction: object = paper, days = 5, lines: [Supply, number, number][] = [[filter, 10, 100]]) =>
  house.given.entry(chief, {
    warehouse_id: bodega.id,
    transaction: { date: ago(days), providerId: provider.id, ...transaction },
    supplies: lines.map(([supply, quantity, unit_cost]) => ({ supply_id: supply.id, quantity, unit_cost })),
  })
const send = (entry: { id: number }, body: object, who = chief) =>
  house.call(who, warehouses.noteTransaction, {
    params: { id: entry.id },
    body: { kind: 'credit', document: 'NC-1', date: ago(0), amount: 400, ...body },
  })
const note = async (entry: { id: number }, body: object = {}): Promise<Transaction> => {
  const answer = await send(entry, body)
  expect(answer).toMatchObject({ status: 201 })
  return answer.body
}
const invoice = (entry: { id: number }, body: object = {}) =>
  house.call(chief, warehouses.invoiceTransaction, {
    params: { id: entry.id },
    body: { ...paper, document: 'F-9', date: ago(0), ...body },
  })
const take = async (count: number): Promise<WorkOrder> =>
  (
    await house.call(chief, workOrders.createWorkOrderWithWarehouse, {
      body: {
        workshop_id: chief.workshop_id,
        truck_id: truck.id,
        warehouse_id: bodega.id,
        supplies: [{ supply_id: filter.id, count }],
      },
    })
  ).body
const costOf = async ({ id }: WorkOrder) =>
  (await house.call(chief, workOrders.getWorkOrder, { params: { id } })).body.supplies_cost
const stockOf = async (supply = filter) => {
  const { body } = await house.call(chief, warehouses.listStock, { params: { warehouse: bodega.id } })
  return body.data.filter(({ id }) => id === supply.id).map(({ stock, value }) => [stock, value])[0]
}
const read = async ({ id }: { id: number }) =>
  (await house.call(chief, warehouses.getTransaction, { params: { id } })).body
const cancel = ({ id }: { id: number }) => house.call(chief, purchasing.voidTransaction, { params: { id }, body: {} })
const owed = async (entry: { id: number }) =>
  (await house.call(chief, payables.getPayable, { params: { id: entry.id * 2 + 1 } })).body
const bought = async () => {
  const query = { filter: { BetweenDate: `${ago(60)},${ago(0)}` } }
  const { data } = (await house.call(chief, reports.expensesByProvider, { query })).body
  const { purchases_net, purchases_total, entries } = data.find((one) => one.provider_id === provider.id)!
  return [purchases_net, purchases_total, entries]
}
const priceOf = async (supply = filter) =>
  (await house.call(chief, supplies.getSupply, { params: { id: supply.id } })).body.cost

describe('a credit note of a purchase', () => {
  it('takes off what was used, what is left, what was bought and what is owed; voided, it never was', async () => {
    const entry = await buy()
    const order = await take(4)
    const credit = await note(entry)
    expect(credit).toMatchObject({ type: 'exit', type_name: 'Nota de crédito', subtotal: 400, tax: 76, total: 476 })
    expect([await costOf(order), await stockOf(), await priceOf()]).toEqual([240, [6, 360], 60])
    expect([await bought(), (await owed(entry)).left_total]).toEqual([[600, 714, 1], 714])
    const { notes } = await read(entry)
    expect(notes).toMatchObject([{ id: credit.id, kind: 'credit', document: 'NC-1', subtotal: 400, total: 476 }])
    const activity = await house.call(chief, workOrders.workOrderActivity, { params: { id: order.id } })
    expect(JSON.stringify(activity.body)).toContain('nota de crédito NC-1')
    expect(await cancel(entry)).toMatchObject({ status: 409 })
    expect(await cancel(credit)).toMatchObject({ status: 200 })
    expect([await costOf(order), await stockOf(), await priceOf()]).toEqual([400, [6, 600], 100])
    expect([await bought(), (await owed(entry)).left_total]).toEqual([[1000, 1190, 1], 1190])
  })

  it('is a movement that goes out, also where those are asked for', async () => {
    const entry = await buy()
    await note(entry)
    await note(entry, { kind: 'debit', document: 'ND-1', amount: 100 })
    for (const query of [
      { count: 'bounded' },
      { count: 'bounded', per_page: 1 },
      {},
      { warehouse: bodega.id, per_page: 1 },
    ])
      for (const [type, expected] of [
        ['entry', 2],
        ['exit', 1],
      ] as const) {
        const asked = { per_page: 100, ...query, filter: { Type: [type], Warehouse: [bodega.id] } }
        const { data, total } = (await house.call(chief, warehouses.listMovements, { query: asked as never })).body
        expect([type, total, ...new Set(data.map((one) => one.type))]).toEqual([type, expected, type])
        const found = { ...asked, filter: { ...asked.filter, Search: 'NC-1' } }
        const words = (await house.call(chief, warehouses.listMovements, { query: found as never })).body
        expect([type, words.total]).toEqual([type, type === 'exit' ? 1 : 0])
      }
  })

  it('that took what a debit note put on is voided before that one', async () => {
    const entry = await buy()
    const debit = await note(entry, { kind: 'debit', document: 'ND-1', amount: 500 })
    const small = await note(entry, { amount: 300 })
    const large = await note(entry, { document: 'NC-2', amount: 900 })
    const refused = await cancel(debit)
    expect(refused.status).toBe(409)
    expect(refused.failure.message).toContain(`anule primero ${large.code}`)
    expect((await cancel(large)).status).toBe(200)
    expect((await cancel(debit)).status).toBe(200)
    expect([await stockOf(), (await owed(entry)).left_total]).toEqual([[10, 700], 833])
    expect((await cancel(small)).status).toBe(200)
  })

  it('is of all lines in proportion to the peso, or of those it names; and never of more than there is', async () => {
    const entry = await buy(paper, 5, [
      [filter, 3, 100],
      [oil, 7, 100],
    ])
    const credit = await note(entry, { amount: 101 })
    expect(credit.supplies.map(({ net_cost }) => net_cost)).toEqual([30, 71])
    await note(entry, { document: 'NC-2', amount: 270, supplies: [filter.id] })
    expect([await stockOf(filter), await stockOf(oil)]).toEqual([
      [3, 0],
      [7, 629],
    ])
    const more = await send(entry, { document: 'NC-3', amount: 630 })
    expect(more).toMatchObject({ status: 422, body: { errors: { amount: [expect.stringContaining('$629')] } } })
    expect(await send(entry, { document: 'NC-3', amount: 1, supplies: [999_999] })).toMatchObject({
      status: 422,
      body: { errors: { supplies: [expect.stringContaining(entry.code)] } },
    })
    await note(entry, { document: 'NC-3', amount: 629 })
    expect(await stockOf(oil)).toEqual([7, 0])
  })

  it('counts for what goes back afterwards, and what went back is not in it', async () => {
    const entry = await buy()
    await note(entry, { amount: 200 })
    await house.call(chief, warehouses.recordTransaction, {
      body: {
        warehouse_id: bodega.id,
        type: 'exit',
        transaction: { typeTrasactionId: 7, returns_id: entry.id },
        supplies: [{ supply_id: filter.id, quantity: 5 }],
      },
    })
    expect(await stockOf()).toEqual([5, 400])
    expect(await bought()).toEqual([400, 552, 1])
    expect(await send(entry, { document: 'NC-2', amount: 401 })).toMatchObject({ status: 422 })
  })

  it('of a month that is closed is spent today, order by order', async () => {
    const entry = await buy(paper, 40)
    const order = await take(4)
    const month = ago(35).slice(0, 7)
    expect((await house.call(chief, months.closeMonths, { body: { closed_through: month } })).status).toBeLessThan(300)
    try {
      const credit = await note(entry)
      expect([await costOf(order), await stockOf()]).toEqual([240, [6, 360]])
      expect(await cancel(credit)).toMatchObject({ status: 200 })
      expect([await costOf(order), await stockOf()]).toEqual([400, [6, 600]])
      await take(6)
      expect(await send(entry, { document: 'NC-2' })).toMatchObject({ status: 422 })
      expect(await stockOf()).toEqual([0, 0])
    } finally {
      await house.call(chief, months.closeMonths, { body: { closed_through: null } })
    }
  })

  it('is refused where it has no place, and nothing is left of it', async () => {
    const entry = await buy()
    await note(entry)
    expect(await send(entry, {})).toMatchObject({ status: 422, body: { errors: { document: [expect.any(String)] } } })
    const early = await send(entry, { document: 'NC-2', date: ago(9) })
    expect(early).toMatchObject({ status: 422, body: { errors: { date: [expect.stringContaining(entry.code)] } } })
    expect(await send(await buy({ providerId: null, document: null }), { document: 'NC-3' })).toMatchObject({
      status: 409,
    })
    const reader = await house.given.member({ role: 'viewer', company_id: chief.company_id })
    expect((await send(entry, { document: 'NC-4' }, reader)).status).toBe(403)
    expect(await stockOf()).toEqual([20, 1600])
  })
})

it('a debit note adds to what was bought', async () => {
  const entry = await buy()
  const order = await take(5)
  await note(entry, { kind: 'debit', document: 'ND-1', amount: 100 })
  expect([await costOf(order), await stockOf(), await priceOf()]).toEqual([550, [5, 550], 110])
  expect([await bought(), (await owed(entry)).left_total]).toEqual([[1100, 1309, 1], 1309])
})

describe('the invoice of what came without one', () => {
  it('makes it owed from its own day, and what it says more or less is a note', async () => {
    const entry = await buy({ document: 'G-77' })
    expect(await house.call(chief, payables.getPayable, { params: { id: entry.id * 2 + 1 } })).toMatchObject({
      status: 404,
    })
    const { status, body } = await invoice(entry, { net: 1200 })
    expect(status).toBe(200)
    expect(body.transaction).toMatchObject({ document: 'F-9', typeInvoice: 'bill', invoice_date: ago(0), date: ago(5) })
    expect(body.transaction.reference).toBe('Guía G-77')
    expect(body.notes).toMatchObject([{ kind: 'debit', document: 'F-9', subtotal: 200 }])
    expect(await owed(entry)).toMatchObject({ date: ago(0), document: 'F-9', left_total: 1428 })
    expect(await stockOf()).toEqual([10, 1200])
    expect(await invoice(entry)).toMatchObject({ status: 409 })
  })

  it('covers several deliveries, and is not taken for another one', async () => {
    const [first, second, third] = [
      await buy({ document: null }),
      await buy({ document: null }),
      await buy({ document: null }),
    ]
    expect((await invoice(first)).status).toBe(200)
    expect((await invoice(second)).status).toBe(200)
    expect(await invoice(third, { date: ago(1) })).toMatchObject({
      status: 422,
      body: { errors: { document: [expect.stringContaining(first.code)] } },
    })
  })
})
