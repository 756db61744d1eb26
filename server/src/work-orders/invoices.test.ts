import { beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { reports } from '#contract/reports/reports.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { months } from '#contract/workshops/months.ts'
import { type Member, times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()
const today = dayOf(new Date())
const DATE = today

let chief: Member
beforeAll(async () => {
  chief = await house.given.member({ role: 'super-admin' })
})

const read = async (id: number) => (await house.call(chief, workOrders.getWorkOrder, { params: { id } })).body
const create = (body: object) =>
  house.call(chief, workOrderParts.createInvoice, {
    body: {
      bill_invoice: 'bill',
      date: DATE,
      document: house.given.next('F-'),
      payment_type: 'Credit',
      ...(body as { work_order_id: number; provider_id: number }),
    },
  })
const edit = (id: number, body: Record<string, unknown>) =>
  house.call(chief, workOrderParts.updateInvoice, { params: { id }, body })

/** Orders with a service of one provider each, at these prices. */
async function served(...prices: number[]) {
  const provider = await house.given.provider(chief)
  const orders = []
  for (const unit_price of prices) {
    const service = await house.given.service(chief, { provider_id: provider.id, unit_price })
    orders.push(await house.given.workOrder(chief, { services: [{ service_id: service.id, quantity: 1 }] }))
  }
  return { provider, orders }
}

it('is the same document with and without leading zeros', async () => {
  const { provider, orders } = await served(1000, 1000)
  const of = (i: number, document: string) =>
    create({ work_order_id: orders[i]!.id, provider_id: provider.id, document })
  expect((await of(0, '00123')).status).toBe(201)
  const again = await of(1, '123')
  expect(again.failure.errors).toEqual({
    document: [`Este proveedor ya tiene una factura con ese número, en ${orders[0]!.code}.`],
  })
  const both = await Promise.all([of(1, '0700'), of(1, '700')])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 422])
})

describe('an invoice of several orders', () => {
  it('is shared out to the peso, listed under each, and is what each spent', async () => {
    const { provider, orders } = await served(60_000, 40_000, 1000)
    const [a, b, alone] = orders
    const { status, body } = await create({
      work_order_id: a!.id,
      provider_id: provider.id,
      net: 110_001,
      shares: [
        { work_order_id: a!.id, amount: 70_001 },
        { work_order_id: b!.id, amount: 40_000 },
      ],
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      work_order_id: a!.id,
      amount: 70_001,
      net: 110_001,
      tax: 20_900,
      total: 130_901,
      tax_type: '19',
      follows_services: false,
      shares: [
        { work_order_id: a!.id, code: a!.code, amount: 70_001 },
        { work_order_id: b!.id, code: b!.code, amount: 40_000 },
      ],
    })
    for (const [order, amount] of [
      [a, 70_001],
      [b, 40_000],
    ] as const) {
      const listed = await house.call(chief, workOrderParts.listInvoices, { params: { id: order!.id } })
      expect(listed.body.data).toMatchObject([{ id: body.id, work_order_id: a!.id, amount, net: 110_001 }])
      expect((await read(order!.id)).services_cost).toBe(amount)
    }
    expect((await read(a!.id)).service_adjustments).toMatchObject([{ amount: 10_001, invoice_id: body.id, day: DATE }])
    expect((await read(b!.id)).service_adjustments).toEqual([])
    const free = await house.call(chief, workOrderParts.uninvoicedOrders, { params: { id: provider.id } })
    expect(free.body.data).toMatchObject([{ work_order_id: alone!.id, amount: 1000 }])
    const query = { filter: { BetweenDate: `${DATE},${DATE}` } }
    const report = (await house.call(chief, reports.expensesByProvider, { query })).body.data
    expect(report.find((one) => one.provider_id === provider.id)).toMatchObject({ services_cost: 111_001, services: 4 })
  })

  it('says under the right field what does not fit', async () => {
    const { provider, orders } = await served(100, 200)
    const [a, b] = orders.map(({ id }) => id)
    const wrong = async (body: object) =>
      (await create({ work_order_id: a!, provider_id: provider.id, ...body })).failure.errors
    const share = (work_order_id: number, amount: number) => ({ work_order_id, amount })
    expect(await wrong({ net: 300, shares: [share(a!, 100), share(b!, 150)] })).toEqual({
      shares: ['Los montos de las órdenes deben sumar el neto, $300: faltan $50.'],
    })
    expect(await wrong({ shares: [share(a!, 1), share(a!, 2)] })).toHaveProperty(['shares.1.work_order_id'])
    expect(await wrong({ shares: [share(a!, 1.5)] })).toHaveProperty(['shares.0.amount'])
    expect(await wrong({ shares: [share(a!, -1)] })).toHaveProperty(['shares.0.amount'])
    expect(await wrong({ shares: [share(b!, 1)] })).toHaveProperty('work_order_id')
    const other = await house.given.workOrder(chief)
    expect(await wrong({ shares: [share(a!, 1), share(other.id, 2)] })).toEqual({
      'shares.1.work_order_id': ['Este proveedor no tiene servicios en la orden.'],
    })
    const stranger = await house.given.member({ role: 'super-admin' })
    const theirs = await house.given.workOrder(stranger)
    expect(await wrong({ shares: [share(a!, 1), share(theirs.id, 2)] })).toEqual({
      'shares.1.work_order_id': ['Elija una orden de la lista.'],
    })
    expect((await create({ work_order_id: b!, provider_id: provider.id })).status).toBe(201)
    expect(await wrong({ shares: [share(a!, 1), share(b!, 2)] })).toEqual({
      'shares.1.work_order_id': ['Este proveedor ya tiene una factura en la orden.'],
    })
    expect((await read(a!)).invoices).toEqual([])
  })

  it('stays what it says when services change, and lets orders go and come', async () => {
    const { provider, orders } = await served(100, 200, 300)
    const [a, b, c] = orders
    const share = (order: { id: number } | undefined, amount: number) => ({ work_order_id: order!.id, amount })
    const made = await create({
      work_order_id: a!.id,
      provider_id: provider.id,
      shares: [share(a, 100), share(b, 200)],
      tax_type: 'exempt',
    })
    expect(made.body).toMatchObject({ net: 300, tax: 0, total: 300 })
    const line = a!.services[0]!
    const changed = await house.call(chief, workOrders.updateWorkOrder, {
      params: { id: a!.id },
      body: { services: [{ id: line.id, service_id: line.service_id, quantity: 3 }] },
    })
    expect(changed.body).toMatchObject({ services_cost: 100, service_adjustments: [{ amount: -200 }] })
    // As clients do that know nothing of shares.
    const { updated_at } = made.body
    const paper = {
      bill_invoice: 'bill',
      date: DATE,
      document: house.given.next('F-'),
      payment_type: 'Cash',
      updated_at,
    }
    expect((await edit(made.body.id, paper)).body).toMatchObject({
      net: 300,
      tax_type: 'exempt',
      shares: [{ amount: 100 }, { amount: 200 }],
    })
    const moved = await edit(made.body.id, { shares: [share(b, 250), share(c, 350)] })
    expect(moved.body).toMatchObject({ work_order_id: b!.id, net: 600 })
    const spent = await Promise.all(orders.map(async ({ id }) => (await read(id)).services_cost))
    expect(spent).toEqual([300, 250, 350])
    const first = await house.call(chief, workOrders.deleteWorkOrder, { params: { id: b!.id } })
    expect([first.status, first.failure.message]).toEqual([
      409,
      `La factura ${paper.document} también es de ${c!.code}: saque primero esta orden de ella.`,
    ])
    expect((await house.call(chief, workOrderParts.deleteInvoice, { params: { id: made.body.id } })).status).toBe(204)
    expect((await read(b!.id)).services_cost).toBe(200)
  })
})

describe('an invoice of one order', () => {
  it('follows its services until somebody says what it comes to', async () => {
    const { provider, orders } = await served(1000)
    const [order] = orders
    const { body } = await create({ work_order_id: order!.id, provider_id: provider.id })
    expect(body).toMatchObject({ amount: 1000, net: 1000, tax: 190, total: 1190, follows_services: true })
    const line = order!.services[0]!
    const twice = { services: [{ id: line.id, service_id: line.service_id, quantity: 2 }] }
    await house.call(chief, workOrders.updateWorkOrder, { params: { id: order!.id }, body: twice })
    expect((await read(order!.id)).invoices).toMatchObject([{ amount: 2000, net: 2000 }])
    expect((await edit(body.id, { note: 'Llegó tarde' })).body).toMatchObject({ net: 2000, follows_services: true })
    expect((await edit(body.id, { net: 1990 })).body).toMatchObject({ net: 1990, follows_services: false })
    expect(await read(order!.id)).toMatchObject({ services_cost: 1990, service_adjustments: [{ amount: -10 }] })
  })

  it('of a closed month stays there: what differs later is spent when it is found out', async () => {
    chief = await house.given.member({ role: 'super-admin' })
    const { provider, orders } = await served(1000)
    const [order] = orders
    const last = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1, 15))
    const date = last.toISOString().slice(0, 10)
    const { body } = await create({ work_order_id: order!.id, provider_id: provider.id, net: 900, date })
    const close = (closed_through: string | null) => house.call(chief, months.closeMonths, { body: { closed_through } })
    expect((await close(date.slice(0, 7))).status).toBe(200)
    const line = order!.services[0]!
    const more = await house.given.service(chief, { provider_id: provider.id, unit_price: 50 })
    const { status } = await house.call(chief, workOrders.updateWorkOrder, {
      params: { id: order!.id },
      body: {
        services: [
          { id: line.id, service_id: line.service_id, quantity: 1 },
          { service_id: more.id, quantity: 1 },
        ],
      },
    })
    expect(status).toBe(200)
    expect(await read(order!.id)).toMatchObject({
      services_cost: 900,
      service_adjustments: [
        { amount: -100, day: date },
        { amount: -50, day: today },
      ],
    })
    expect((await edit(body.id, { net: 800 })).failure.errors).toHaveProperty('date')
  })

  /** An order of last month, which is closed; `services` has more of its provider than the invoice knew. */
  async function ofClosedMonth(what: object = {}) {
    chief = await house.given.member({ role: 'super-admin' })
    const { provider, orders } = await served(1000)
    const order = orders[0]!
    const date = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1, 15))
      .toISOString()
      .slice(0, 10)
    const { body } = await create({ work_order_id: order.id, provider_id: provider.id, date, ...what })
    await house.call(chief, months.closeMonths, { body: { closed_through: date.slice(0, 7) } })
    const line = order.services[0]!
    const more = await house.given.service(chief, { provider_id: provider.id, unit_price: 50 })
    const own = { id: line.id, service_id: line.service_id, quantity: 1 }
    const services = [own, { service_id: more.id, quantity: 1 }]
    const update = (sent: object) =>
      house.call(chief, workOrders.updateWorkOrder, { params: { id: order.id }, body: sent as { request: string } })
    return { id: body.id, order, own, services, update }
  }

  it('of a closed month keeps its amount when services are added, although nobody said it', async () => {
    const { order, own, services, update } = await ofClosedMonth()
    expect((await update({ services })).status).toBe(200)
    const after = await read(order.id)
    expect(after.invoices).toMatchObject([{ net: 1000, follows_services: true }])
    expect(after).toMatchObject({ services_cost: 1000, service_adjustments: [{ amount: -50, day: today }] })
    expect((await update({ services: [own] })).status).toBe(200)
    expect(await read(order.id)).toMatchObject({ services_cost: 1000, service_adjustments: [] })
    await update({ services })
    await house.call(chief, months.closeMonths, { body: { closed_through: null } })
    const reopened = await read(order.id)
    expect(reopened.invoices).toMatchObject([{ net: 1050 }])
    expect(reopened).toMatchObject({ services_cost: 1050, service_adjustments: [] })
    const { date } = reopened.invoices[0]!
    expect(reopened.services.map(({ day }) => day)).toEqual([date, date])
  })

  it('of a month that was opened again has its difference on its own day', async () => {
    const { order, services, update } = await ofClosedMonth({ net: 900 })
    await update({ services })
    expect((await read(order.id)).service_adjustments).toMatchObject([{ amount: -100 }, { amount: -50, day: today }])
    await house.call(chief, months.closeMonths, { body: { closed_through: null } })
    const { invoices, service_adjustments, services_cost } = await read(order.id)
    expect([services_cost, service_adjustments]).toMatchObject([900, [{ amount: -150, day: invoices[0]!.date }]])
  })

  it('of a closed month leaves a difference on the day it was found out, whatever is saved afterwards', async () => {
    const { order, services, update } = await ofClosedMonth({ net: 1000 })
    await update({ services })
    // As if that had been the first day of the month.
    const first = `${today.slice(0, 8)}01`
    await house.owner.query(`update service_adjustments set day = $1 where work_order_id = $2`, [first, order.id])
    expect((await update({ request: 'Revisar también los frenos' })).status).toBe(200)
    const differences = async () =>
      (await read(order.id)).service_adjustments.map(({ amount, day }) => ({ amount, day }))
    expect(await differences()).toEqual([{ amount: -50, day: first }])
    const { body } = await update({})
    await update({
      services: body.services.map(({ id, service_id, quantity }, i) => ({ id, service_id, quantity: quantity + i })),
    })
    expect((await differences()).reduce((all, { amount }) => all + amount!, 0)).toBe(-100)
    expect((await differences())[0]).toEqual({ amount: -50, day: first })
  })
})

describe('credit and debit notes', () => {
  const add = (id: number, body: object) =>
    house.call(chief, workOrderParts.createInvoiceNote, {
      params: { id },
      body: { kind: 'credit', date: today, document: house.given.next('NC-'), ...(body as { amount: number }) },
    })
  const change = (id: number, body: Record<string, unknown>) =>
    house.call(chief, workOrderParts.updateInvoiceNote, { params: { id }, body })
  const remove = (id: number) => house.call(chief, workOrderParts.deleteInvoiceNote, { params: { id } })

  async function shared(...amounts: number[]) {
    const { provider, orders } = await served(...amounts)
    const { body } = await create({
      work_order_id: orders[0]!.id,
      provider_id: provider.id,
      shares: orders.map(({ id }, i) => ({ work_order_id: id, amount: amounts[i]! })),
    })
    const spent = () => Promise.all(orders.map(async ({ id }) => (await read(id)).services_cost))
    const invoice = async () => (await read(orders[0]!.id)).invoices[0]!
    return { provider, orders, body, spent, invoice }
  }

  it('lower and raise what was spent in proportion, to the peso, and never below nothing', async () => {
    const { body, spent, invoice, provider } = await shared(1, 1, 1)
    for (const expected of [2, 1]) {
      expect((await add(body.id, { amount: 1 })).status).toBe(201)
      expect((await spent()).reduce((all, one) => all! + one!, 0)).toBe(expected)
    }
    expect((await add(body.id, { amount: 2 })).failure.errors).toEqual({
      amount: ['A la factura le quedan $1 netos: la nota no puede ser por más.'],
    })
    expect((await add(body.id, { kind: 'debit', amount: 100 })).status).toBe(201)
    const { notes, left, net, left_total } = await invoice()
    expect([net, left, left_total, notes.map(({ kind, amount }) => `${kind} ${amount}`)]).toEqual([
      3,
      101,
      4 + 119 - 2,
      ['credit 1', 'credit 1', 'debit 100'],
    ])
    const query = { filter: { BetweenDate: `${today},${today}` } }
    const report = (await house.call(chief, reports.expensesByProvider, { query })).body.data
    expect(report.find((one) => one.provider_id === provider.id)).toMatchObject({ services_cost: 101 })
    // Without what was added, what is taken back would still fit; without the invoice it would not.
    expect((await remove(notes[2]!.id)).status).toBe(204)
    expect((await house.call(chief, workOrderParts.deleteInvoice, { params: { id: body.id } })).status).toBe(409)
    expect((await edit(body.id, { shares: [{ work_order_id: body.work_order_id, amount: 9 }] })).status).toBe(422)
  })

  it('are of the orders somebody says, and of those the invoice is of', async () => {
    const { orders, body, spent } = await shared(100, 200)
    const [a, b] = orders.map(({ id }) => id)
    const made = await add(body.id, { amount: 150, shares: [{ work_order_id: b!, amount: 150 }] })
    expect(made.body).toMatchObject({ amount: 150, tax: 29, total: 179, shares: [{ work_order_id: b, amount: 150 }] })
    expect(await spent()).toEqual([100, 50])
    const more = { amount: 60, shares: [{ work_order_id: b!, amount: 60 }] }
    expect((await add(body.id, more)).failure.errors).toEqual({
      'shares.0.amount': [`A ${orders[1]!.code} le quedan $50.`],
    })
    const other = await house.given.workOrder(chief)
    expect(
      (await add(body.id, { amount: 1, shares: [{ work_order_id: other.id, amount: 1 }] })).failure.errors,
    ).toEqual({ 'shares.0.work_order_id': ['La factura no es de esta orden.'] })
    expect(
      (await add(body.id, { amount: 5, shares: [{ work_order_id: a!, amount: 4 }] })).failure.errors,
    ).toHaveProperty('shares')
    expect((await change(made.body.id, { document: 'NC-OTRA' })).body).toMatchObject({
      document: 'NC-OTRA',
      amount: 150,
    })
    expect(await spent()).toEqual([100, 50])
    expect((await change(made.body.id, { amount: 30 })).body).toMatchObject({ amount: 30 })
    expect(await spent()).toEqual([90, 180])
    expect((await add(body.id, { amount: 1, document: 'nc-otra' })).failure.errors).toHaveProperty('document')
    const order = await read(b!)
    expect(order.service_adjustments).toMatchObject([{ kind: 'credit', document: 'NC-OTRA', amount: -20 }])
    const { body: pdf } = await house.call(chief, workOrders.workOrderPdf, { params: { id: b! } })
    expect(Buffer.isBuffer(pdf)).toBe(true)
  })

  it('come, change and go while their orders are saved, and nobody waits in a circle', async () => {
    const { orders, body } = await shared(100_000, 200_000, 300_000)
    const save = (at: number, quantity: number) => {
      const { id, services } = orders[at]!
      const { id: line, service_id } = services[0]!
      return house.call(chief, workOrders.updateWorkOrder, {
        params: { id },
        body: { services: [{ id: line, service_id, quantity }] },
      })
    }
    const share = (...amounts: number[]) =>
      edit(body.id, { shares: amounts.map((amount, i) => ({ work_order_id: orders[i]!.id, amount })) })
    const answers = await Promise.all([
      ...times(3, (i) => save(i, 2)),
      share(1, 2, 3),
      add(body.id, { amount: 5 }),
      ...times(3, (i) => save(2 - i, 3)),
      share(400_000, 100_000),
      add(body.id, { kind: 'debit', amount: 7 }),
    ])
    expect(answers.filter(({ status }) => ![200, 201, 409, 422].includes(status)).map((one) => one.failure)).toEqual([])
    expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThanOrEqual(8)
  })

  it('fix what the invoice came to, are not older than it, and stay in a closed month', async () => {
    chief = await house.given.member({ role: 'super-admin' })
    const { provider, orders } = await served(1000)
    const [order] = orders
    const date = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1, 15))
      .toISOString()
      .slice(0, 10)
    const { body } = await create({ work_order_id: order!.id, provider_id: provider.id, date })
    expect((await add(body.id, { amount: 1, date: '2020-01-01', confirm_old: true })).failure.errors).toHaveProperty(
      'date',
    )
    const first = await add(body.id, { amount: 100, date })
    expect(first.status).toBe(201)
    expect(await read(order!.id)).toMatchObject({
      services_cost: 900,
      invoices: [{ follows_services: false, net: 1000 }],
    })
    await house.call(chief, months.closeMonths, { body: { closed_through: date.slice(0, 7) } })
    expect((await add(body.id, { amount: 1, date })).failure.errors).toHaveProperty('date')
    expect((await change(first.body.id, { amount: 5 })).failure.errors).toHaveProperty('date')
    expect((await remove(first.body.id)).status).toBe(409)
    // What comes now counts now.
    expect((await add(body.id, { amount: 50 })).status).toBe(201)
    expect((await read(order!.id)).service_adjustments.map(({ day, amount }) => [day, amount])).toEqual([
      [date, -100],
      [today, -50],
    ])
  })
})
