import { beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { type Payable, payables } from '#contract/work-orders/payables.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()
const day = (ahead: number) => dayOf(new Date(Date.now() + ahead * 86_400_000))

let chief: Member
beforeAll(async () => {
  chief = await house.given.member({ role: 'super-admin' })
})

const read = async (id: number, who = chief) => (await house.call(who, payables.getPayable, { params: { id } })).body
const pay = (id: number, body: { paid: boolean; paid_on?: string } = { paid: true }, who = chief) =>
  house.call(who, payables.payPayable, { params: { id }, body })
const takeBack = (id: number, who = chief) => house.call(who, payables.deletePayment, { params: { id } })
const list = async (filter: object) =>
  (await house.call(chief, payables.listPayables, { query: { filter, per_page: 100 } })).body

/** An invoice of 119,000 pesos for one service of an order, with a second service of the same provider at hand. */
async function invoice(more: object = {}) {
  const { id: provider_id } = await house.given.provider(chief)
  const service = await house.given.service(chief, { provider_id, unit_price: 100_000 })
  const extra = await house.given.service(chief, { provider_id, unit_price: 50_000 })
  const order = await house.given.workOrder(chief, { services: [{ service_id: service.id, quantity: 1 }] })
  const { body } = await house.call(chief, workOrderParts.createInvoice, {
    body: {
      work_order_id: order.id,
      provider_id,
      bill_invoice: 'bill',
      date: day(-10),
      document: house.given.next('F-'),
      payment_type: 'Credit',
      ...more,
    },
  })
  const line = { id: order.services[0]!.id, service_id: service.id }
  const serve = (...services: object[]) =>
    house.call(chief, workOrders.updateWorkOrder, { params: { id: order.id }, body: { services } })
  return { ...body, order, provider_id, extra, line, serve, payable: body.id * 2 }
}

/** A purchase of ten supplies at 100 pesos each, 1,190 with its tax. */
async function purchase(more: object = {}) {
  const provider = await house.given.provider(chief)
  const entry = await house.given.entry(chief, {
    transaction: {
      providerId: provider.id,
      typeInvoice: 'bill',
      document: house.given.next('C-'),
      payment_type: 'Credit',
      date: day(-5),
      ...more,
    },
    supplies: [{ supply_id: (await house.given.supply(chief)).id, quantity: 10, unit_cost: 100 }],
  })
  return { ...entry, provider_id: provider.id, payable: entry.id * 2 + 1 }
}
const cancel = (id: number) => house.call(chief, purchasing.voidTransaction, { params: { id }, body: {} })
const noteOf = (id: number, kind: 'credit' | 'debit', amount: number) =>
  house.call(chief, warehouses.noteTransaction, {
    params: { id },
    body: { kind, document: house.given.next('N-'), date: day(0), amount },
  })

const amounts = ({ left_total, paid_total, balance, state }: Payable) => ({ left_total, paid_total, balance, state })

describe('an amount that was paid', () => {
  it('stays when the services of the order change, and the difference is owed or in favour', async () => {
    const { payable, document, line, serve, extra, provider_id } = await invoice()
    expect((await pay(payable)).body).toMatchObject({ paid_total: 119_000, balance: 0, state: 'paid' })
    await serve({ ...line, quantity: 1.5 })
    expect(amounts(await read(payable))).toEqual({
      left_total: 178_500,
      paid_total: 119_000,
      balance: 59_500,
      state: 'approved',
    })
    const owed = await list({ Provider: [provider_id] })
    expect(owed.data.map((one) => [one.document, one.balance])).toEqual([[document, 59_500]])
    expect(owed.totals).toMatchObject({ owed_total: 59_500, favour_total: 0 })

    // A second payment settles the rest; a document below its payments is in favour.
    expect((await pay(payable)).body.payments.map(({ amount }) => amount)).toEqual([119_000, 59_500])
    const { body } = await serve({ ...line, quantity: 1 }, { service_id: extra.id, quantity: 1 })
    expect(amounts(await read(payable))).toMatchObject({ left_total: 178_500, balance: 0, state: 'paid' })
    const added = body.services.find(({ service_id }) => service_id === extra.id)!
    const gone = await house.call(chief, workOrderParts.deleteServiceLine, { params: { id: added.id } })
    expect(gone.status).toBe(204)
    expect(amounts(await read(payable))).toMatchObject({ left_total: 119_000, balance: -59_500, state: 'paid' })
    expect((await list({ Provider: [provider_id] })).total).toBe(0)
    const favour = await list({ Provider: [provider_id], InFavour: ['yes'] })
    expect([favour.total, favour.totals]).toMatchObject([1, { owed_total: 0, favour_total: 59_500 }])
  })

  it('stays when the invoice is edited, and when notes change what it comes to', async () => {
    const { id, payable } = await invoice()
    await pay(payable)
    const edit = (body: Record<string, unknown>) =>
      house.call(chief, workOrderParts.updateInvoice, { params: { id }, body })
    expect((await edit({ net: 150_000 })).body).toMatchObject({ payment_state: 'approved' })
    expect(amounts(await read(payable))).toMatchObject({ left_total: 178_500, paid_total: 119_000, balance: 59_500 })
    await edit({ tax_type: 'exempt' })
    expect(amounts(await read(payable))).toMatchObject({ left_total: 150_000, balance: 31_000, state: 'approved' })
    await edit({ tax_type: '19', net: 100_000 })
    expect(amounts(await read(payable))).toMatchObject({ balance: 0, state: 'paid' })

    const { body: note } = await house.call(chief, workOrderParts.createInvoiceNote, {
      params: { id },
      body: { kind: 'credit', date: day(0), document: house.given.next('NC-'), amount: 40_000 },
    })
    expect(amounts(await read(payable))).toMatchObject({ left_total: 71_400, balance: -47_600, state: 'paid' })
    await house.call(chief, workOrderParts.updateInvoiceNote, { params: { id: note.id }, body: { kind: 'debit' } })
    expect(amounts(await read(payable))).toMatchObject({ left_total: 166_600, balance: 47_600, state: 'approved' })
    await house.call(chief, workOrderParts.deleteInvoiceNote, { params: { id: note.id } })
    expect(amounts(await read(payable))).toMatchObject({ left_total: 119_000, balance: 0, state: 'paid' })
  })

  it('stays when a purchase has notes, goods go back, and either is voided', async () => {
    const { id, payable, warehouse_id, supplies } = await purchase()
    await pay(payable)
    const { body: debit } = await noteOf(id, 'debit', 100)
    expect(amounts(await read(payable))).toEqual({
      left_total: 1309,
      paid_total: 1190,
      balance: 119,
      state: 'approved',
    })
    await cancel(debit.id)
    expect(amounts(await read(payable))).toMatchObject({ balance: 0, state: 'paid' })
    await noteOf(id, 'credit', 100)
    expect(amounts(await read(payable))).toMatchObject({ balance: -119, state: 'paid' })
    await noteOf(id, 'debit', 500)
    expect(amounts(await read(payable))).toMatchObject({ balance: 476, state: 'approved' })
    const back = await house.call(chief, warehouses.recordTransaction, {
      body: {
        warehouse_id,
        type: 'exit',
        transaction: { typeTrasactionId: 7, returns_id: id, document: house.given.next('D-') },
        supplies: [{ supply_id: supplies[0]!.supply_id, quantity: 5 }],
      },
    })
    expect(back.status).toBe(201)
    const after = await read(payable)
    expect(after).toMatchObject({ paid_total: 1190, balance: 476 - back.body.total!, state: 'paid' })
    await cancel(back.body.id)
    expect(amounts(await read(payable))).toMatchObject({ balance: 476, state: 'approved' })
  })

  it('of a document paid in cash without a payment is what the document says', async () => {
    const { payable, line, serve, order } = await invoice({ payment_type: 'Cash' })
    expect(amounts(await read(payable))).toMatchObject({ paid_total: 119_000, balance: 0, state: 'paid' })
    await serve({ ...line, quantity: 2 })
    expect(amounts(await read(payable))).toMatchObject({ paid_total: 238_000, balance: 0, state: 'paid' })
    // A payment that somebody registers fixes the amount here too.
    expect((await pay(payable)).body.payments).toMatchObject([{ amount: 238_000, paid_on: day(0) }])
    await serve({ ...line, quantity: 3 })
    expect(amounts(await read(payable))).toMatchObject({ paid_total: 238_000, balance: 119_000, state: 'approved' })
    expect((await house.call(chief, workOrders.deleteWorkOrder, { params: { id: order.id } })).status).toBe(409)
  })
})

it('is told in the activity of the document when it changes, and only then', async () => {
  const { id, payable, line, serve } = await invoice()
  await pay(payable)
  const edit = (body: Record<string, unknown>) =>
    house.call(chief, workOrderParts.updateInvoice, { params: { id }, body })
  await edit({ note: 'Llegó por correo' })
  await serve({ ...line, quantity: 2 })
  const { body } = await house.call(chief, payables.payableActivity, { params: { id: payable } })
  expect(body.data.map(({ action }) => action)).toEqual(['amount_changed', 'paid'])
  expect(body.data[0]!.changes).toMatchObject({
    left_total: [null, 238_000],
    balance: [null, 119_000],
    state: ['paid', 'approved'],
  })
})

describe('what has a payment', () => {
  const sentence = (document: string) => `La factura ${document} tiene un pago: anúlelo primero en Facturas por pagar.`

  it('is not deleted with its order, nor alone, before the payment is taken back', async () => {
    const { id, payable, document, order } = await invoice()
    const { body } = await pay(payable)
    const removeInvoice = () => house.call(chief, workOrderParts.deleteInvoice, { params: { id } })
    const removeOrder = () => house.call(chief, workOrders.deleteWorkOrder, { params: { id: order.id } })
    for (const remove of [removeInvoice, removeOrder]) {
      const { status, failure } = await remove()
      expect([status, failure.message]).toEqual([409, sentence(document)])
    }
    expect(amounts(await read(payable))).toMatchObject({ paid_total: 119_000, state: 'paid' })
    expect((await takeBack(body.payments[0]!.id)).status).toBe(204)
    expect((await removeOrder()).status).toBe(204)
  })

  it('is not voided before the payment is taken back', async () => {
    const { id, payable, transaction } = await purchase()
    const { body } = await pay(payable)
    const refused = await cancel(id)
    expect([refused.status, refused.failure.message]).toEqual([409, sentence(transaction.document!)])
    expect(await read(payable)).toMatchObject({ paid_total: 1190, state: 'paid' })
    await takeBack(body.payments[0]!.id)
    expect((await cancel(id)).status).toBe(200)
  })

  it('leaves the payment in the database as its last guard', async () => {
    const { id, payable } = await invoice()
    await pay(payable)
    await expect(house.owner.query('delete from invoices where id = $1', [id])).rejects.toThrow('payments_invoice')
  })
})

describe('a payment', () => {
  it('says its amount, its day and its person, and what happened to it is in the activity', async () => {
    const { payable } = await invoice()
    await pay(payable, { paid: true, paid_on: day(-2) })
    const { payments, paid_on } = await read(payable)
    expect(paid_on).toBe(day(-2))
    expect(payments).toMatchObject([{ amount: 119_000, paid_on: day(-2), user_name: chief.name, is_doubtful: false }])
    await takeBack(payments[0]!.id)
    expect(await read(payable)).toMatchObject({ state: 'approved', paid_on: null, paid_total: 0, payments: [] })
    expect((await takeBack(payments[0]!.id)).status).toBe(404)
    const { body } = await house.call(chief, payables.payableActivity, { params: { id: payable } })
    expect(body.data.map(({ user_name }) => user_name)).toEqual([chief.name, chief.name])
    expect(body.data.map(({ action, changes }) => [action, changes.amount])).toEqual([
      ['payment_removed', [119_000, null]],
      ['paid', [null, 119_000]],
    ])
  })

  it('is one when two people pay at once, and gone once when two take it back', async () => {
    const other = await house.given.member({ role: 'super-admin', company_id: chief.company_id })
    const { payable } = await invoice()
    const both = await Promise.all([pay(payable), pay(payable, { paid: true }, other)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const { payments } = await read(payable)
    expect(payments.map(({ amount }) => amount)).toEqual([119_000])
    // A second call says the same, unless it names another day.
    expect((await pay(payable)).body.payments).toEqual(payments)
    const otherDay = await pay(payable, { paid: true, paid_on: day(-1) })
    expect([otherDay.status, otherDay.failure.message]).toEqual([
      409,
      'Ya está pagada: para cambiar el día, anule primero el pago.',
    ])
    const back = await Promise.all([takeBack(payments[0]!.id), takeBack(payments[0]!.id, other)])
    expect(back.map(({ status }) => status).sort()).toEqual([204, 404])
  })

  it('and an edit of the same document at once leave a difference that is owed', async () => {
    const { payable, line, serve } = await invoice()
    await Promise.all([pay(payable), serve({ ...line, quantity: 2 })])
    const { left_total, paid_total, balance, state } = await read(payable)
    expect([left_total, balance]).toEqual([238_000, 238_000 - paid_total!])
    expect(state).toBe(balance === 0 ? 'paid' : 'approved')
  })

  it('and the removal of the same document at once never both happen', async () => {
    for (const remove of ['invoice', 'order'] as const) {
      const { id, payable, order } = await invoice()
      const [paid, removed] = await Promise.all([
        pay(payable),
        remove === 'order'
          ? house.call(chief, workOrders.deleteWorkOrder, { params: { id: order.id } })
          : house.call(chief, workOrderParts.deleteInvoice, { params: { id } }),
      ])
      expect([
        [200, 409],
        [404, 204],
      ]).toContainEqual([paid.status, removed.status])
    }
    const { id, payable } = await purchase()
    const [paid, voided] = await Promise.all([pay(payable), cancel(id)])
    expect([
      [200, 409],
      [404, 200],
    ]).toContainEqual([paid.status, voided.status])
  })

  it('taken back leaves what the others paid', async () => {
    const { payable, line, serve } = await invoice()
    await pay(payable)
    await serve({ ...line, quantity: 2 })
    const { payments } = (await pay(payable)).body
    await takeBack(payments[0]!.id)
    expect(amounts(await read(payable))).toMatchObject({ paid_total: 119_000, balance: 119_000, state: 'approved' })
    expect((await pay(payable, { paid: false })).body).toMatchObject({ paid_total: 0, payments: [], paid_on: null })
  })

  it('is of those who may pay, in their own workshop', async () => {
    const { payable } = await invoice()
    const { body } = await pay(payable)
    const payment = body.payments[0]!.id
    const { company_id, workshop_id } = chief
    const viewer = await house.given.member({ role: 'viewer', company_id, workshop_id })
    expect((await takeBack(payment, viewer)).status).toBe(403)
    const elsewhere = await house.given.member({ role: 'admin', company_id })
    expect((await takeBack(payment, elsewhere)).status).toBe(404)
    const activity = await house.call(elsewhere, payables.payableActivity, { params: { id: payable } })
    expect(activity.status).toBe(404)
    expect((await read(payable)).payments).toHaveLength(1)
  })

  it('of nothing keeps a document that comes to nothing paid, and what is added to it is owed', async () => {
    const { payable, line, serve } = await invoice()
    await serve({ ...line, quantity: 1, unit_price: 0 })
    expect((await pay(payable)).body).toMatchObject({ state: 'paid', payments: [{ amount: 0 }] })
    await serve({ ...line, quantity: 1, unit_price: 1000 })
    expect(amounts(await read(payable))).toMatchObject({ paid_total: 0, balance: 1190, state: 'approved' })
  })
})
