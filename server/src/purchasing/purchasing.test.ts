import { beforeAll, describe, expect, it } from 'vitest'
import { CONFIRM_RECEIPT, PURCHASE_STATES, PURCHASE_STATUS_NAMES, purchasing } from '#contract/purchasing/purchasing.ts'
import type { Supply } from '#contract/supplies/supplies.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { type Member, times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { pdfText } from '../../test/pdf-text.ts'

const house = openHouse()

let keeper: Member
let chief: Member
let filter: Supply
let oil: Supply
beforeAll(async () => {
  keeper = await house.given.member({ role: 'warehouse' })
  chief = await house.given.member({ role: 'admin', company_id: keeper.company_id, workshop_id: keeper.workshop_id })
  filter = await house.given.supply(keeper)
  oil = await house.given.supply(keeper)
})

const order = (more: object = {}) =>
  house.given.purchaseOrder(chief, {
    supplies: [
      { supply_id: filter.id, quantity: 10, unit_cost: 1000 },
      { supply_id: oil.id, quantity: 2.5, unit_cost: 333.3333, tax_type: 'exempt' },
    ],
    ...more,
  })
const move = (who: Member, id: number, status: string) =>
  house.call(who, purchasing.updatePurchaseStatus, { params: { id }, body: { status } })
const receive = (id: number, supplies: object[], more: object = {}, headers: Record<string, string> = {}) =>
  house.call(keeper, purchasing.receivePurchaseOrder, {
    params: { id },
    body: { transaction: { document: 'G-1' }, supplies, ...more },
    headers,
  })
const stockOf = async (warehouse: number) => {
  const { body } = await house.call(keeper, warehouses.listStock, { params: { warehouse } })
  return body.data.map((l) => [l.supply_id, l.stock, l.average_cost])
}

describe('a purchase order', () => {
  it('has a number, starts pending, and its totals are worked out by the server', async () => {
    const made = await order()
    expect(made).toMatchObject({ status: 'pending', subtotal: 10_833, tax: 1900, total: 12_733, priority: 'medium' })
    expect(made.code).toMatch(/^OC-\d{6}$/)
    const next = await order()
    expect(Number(next.code.slice(3))).toBe(Number(made.code.slice(3)) + 1)
  })

  it('numbers without gaps though twenty arrive at once', async () => {
    const bob = await house.given.member()
    const [supply, provider, bodega] = [
      await house.given.supply(bob),
      await house.given.provider(bob),
      await house.given.warehouse(bob),
    ]
    const body = {
      warehouse_id: bodega.id,
      provider_id: provider.id,
      supplies: [{ supply_id: supply.id, quantity: 1, unit_cost: 1 }],
    }
    const made = await Promise.all(times(20, () => house.call(bob, purchasing.createPurchaseOrder, { body })))
    expect(made.map((a) => a.body.code).sort()).toEqual(times(20, (i) => `OC-${String(i + 1).padStart(6, '0')}`))
  })

  it('is delivered today at the earliest, has no supply twice, and at least one', async () => {
    const { warehouse_id, provider_id, supplies } = await order()
    const send = (more: object) =>
      house.call(keeper, purchasing.createPurchaseOrder, { body: { warehouse_id, provider_id, supplies, ...more } })
    expect((await send({ deliveryAt: '2020-01-01' })).failure.errors).toHaveProperty('deliveryAt')
    expect((await send({ supplies: [] })).failure.errors).toHaveProperty('supplies')
    expect((await send({ supplies: [...supplies, supplies[0]] })).failure.errors).toEqual({
      'supplies.2.supply_id': ['El insumo ya se encuentra en la lista'],
    })
  })

  it('is approved by a chief, and moves only where product rules say', async () => {
    const made = await order()
    expect((await move(keeper, made.id, 'approved')).status).toBe(403)
    for (const status of PURCHASE_STATUS_NAMES) {
      if ((PURCHASE_STATES.pending.next as readonly string[]).includes(status)) continue
      expect([status, (await move(chief, made.id, status)).status]).toEqual([status, 422])
    }
    expect((await move(chief, made.id, 'approved')).body).toMatchObject({ status: 'approved', approved_by: chief.name })
    expect((await move(chief, made.id, 'pending')).status).toBe(422)
    expect((await move(chief, made.id, 'cancelled')).body.status).toBe('cancelled')
    expect((await move(chief, made.id, 'approved')).status).toBe(422)
  })

  it('is listed by its state as states follow each other, not as they are called', async () => {
    const [pending, approved, cancelled] = [await order(), await order(), await order()]
    await move(chief, approved.id, 'approved')
    await move(chief, cancelled.id, 'cancelled')
    const ids = [pending, approved, cancelled].map(({ id }) => id)
    const { body } = await house.call(keeper, purchasing.listPurchaseOrders, {
      query: { sort: 'status', per_page: 100 },
    })
    expect(body.data.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids)
  })

  it('is edited while pending, and not from a stale copy', async () => {
    const made = await order()
    const edit = (more: object) =>
      house.call(keeper, purchasing.updatePurchaseOrder, { params: { id: made.id }, body: { ...made, ...more } })
    const changed = await edit({ note: 'Urgente', supplies: [{ supply_id: oil.id, quantity: 1, unit_cost: 100 }] })
    expect(changed.body).toMatchObject({ note: 'Urgente', subtotal: 100, tax: 19, total: 119 })
    expect((await edit({ note: 'Otro' })).status).toBe(409)
    await move(chief, made.id, 'approved')
    expect((await edit({ updated_at: undefined })).status).toBe(422)
    expect((await house.call(keeper, purchasing.deletePurchaseOrder, { params: { id: made.id } })).status).toBe(422)
  })
})

describe('receiving', () => {
  it('in two parts moves stock and status, and keeps the entries', async () => {
    const made = await order()
    expect((await receive(made.id, [{ supply_id: filter.id, quantity: 4 }])).status).toBe(422)
    await move(chief, made.id, 'approved')
    const first = await receive(made.id, [{ supply_id: filter.id, quantity: 4 }])
    expect(first.body.order).toMatchObject({ status: 'partially_received' })
    expect(first.body.order.supplies.map((l) => l.outstanding)).toEqual([6, 2.5])
    expect(first.body.transaction).toMatchObject({ type_name: 'Compra', total: 4760 })
    const second = await receive(made.id, [
      { supply_id: filter.id, quantity: 6 },
      { supply_id: oil.id, quantity: 2.5, tax_type: 'exempt' },
    ])
    expect(second.body.order.status).toBe('received')
    expect(await stockOf(made.warehouse_id)).toEqual([
      [filter.id, 10, 1000],
      [oil.id, 2.5, 333.3333],
    ])
    expect((await receive(made.id, [{ supply_id: filter.id, quantity: 1 }])).status).toBe(422)
    const receipts = await house.call(keeper, purchasing.listReceipts, { params: { id: made.id } })
    expect(receipts.body.data.map((t) => t.id)).toEqual([first.body.transaction.id, second.body.transaction.id])
  })

  it('more than ordered or at another price is shown, and done once confirmed', async () => {
    const made = await order()
    await move(chief, made.id, 'approved')
    const supplies = [{ supply_id: filter.id, quantity: 11, unit_cost: 1100 }]
    const asked = await receive(made.id, supplies)
    expect([asked.status, asked.failure.message]).toEqual([422, CONFIRM_RECEIPT])
    expect(asked.failure.errors).toMatchObject({
      'supplies.0.quantity': ['Se esperaban 10.'],
      'supplies.0.unit_cost': ['El precio pedido es $1.000.'],
    })
    const done = await receive(made.id, supplies, { confirmed: true })
    expect(done.body.order.supplies[0]).toMatchObject({ received: 11, outstanding: 0 })
  })

  it('far above what was approved is for those who approve, and a confirmation is no approval', async () => {
    const made = await order()
    await move(chief, made.id, 'approved')
    const as = (who: Member, supplies: object[]) =>
      house.call(who, purchasing.receivePurchaseOrder, {
        params: { id: made.id },
        body: { transaction: {}, supplies, confirmed: true },
      })
    const many = await as(keeper, [{ supply_id: filter.id, quantity: 11.0001 }])
    expect([many.status, Object.keys(many.failure.errors!)]).toEqual([422, ['supplies.0.quantity']])
    const dear = await as(keeper, [{ supply_id: filter.id, quantity: 1, unit_cost: 1101 }])
    expect(Object.keys(dear.failure.errors!)).toEqual(['supplies.0.unit_cost'])
    const other = await house.given.supply(keeper)
    const stranger = await as(keeper, [{ supply_id: other.id, quantity: 1, unit_cost: 1 }])
    expect(Object.keys(stranger.failure.errors!)).toEqual(['supplies.0.supply_id'])
    // In parts it is as much.
    expect((await as(keeper, [{ supply_id: filter.id, quantity: 8 }])).status).toBe(201)
    expect((await as(keeper, [{ supply_id: filter.id, quantity: 4 }])).status).toBe(422)
    expect((await as(chief, [{ supply_id: filter.id, quantity: 4 }])).status).toBe(201)
    await house.given.setting(keeper.company_id, 'receipt_tolerance', 100)
    const twice = await order()
    await move(chief, twice.id, 'approved')
    expect((await receive(twice.id, [{ supply_id: filter.id, quantity: 20 }], { confirmed: true })).status).toBe(201)
    await house.given.setting(keeper.company_id, 'receipt_tolerance', 10)
  })

  it('an entry that is voided is waited for again', async () => {
    const made = await order()
    await move(chief, made.id, 'approved')
    const { body } = await receive(made.id, [{ supply_id: filter.id, quantity: 10 }])
    await house.call(keeper, purchasing.voidTransaction, {
      params: { id: body.transaction.id },
      body: { note: 'Equivocada' },
    })
    const after = await house.call(keeper, purchasing.getPurchaseOrder, { params: { id: made.id } })
    expect(after.body).toMatchObject({ status: 'approved' })
    expect(after.body.supplies[0]).toMatchObject({ received: 0, outstanding: 10 })
  })

  it('the same Idempotency-Key twice, at once, is one entry', async () => {
    const made = await order()
    await move(chief, made.id, 'approved')
    const answers = await Promise.all(
      times(5, () => receive(made.id, [{ supply_id: filter.id, quantity: 3 }], {}, { 'idempotency-key': 'recibo-1' })),
    )
    expect(new Set(answers.map((a) => a.body.transaction.id)).size).toBe(1)
    expect(await stockOf(made.warehouse_id)).toEqual([[filter.id, 3, 1000]])
  })

  it('two at once of the same outstanding quantity: the second is asked to confirm', async () => {
    const made = await order()
    await move(chief, made.id, 'approved')
    const answers = await Promise.all(times(2, () => receive(made.id, [{ supply_id: filter.id, quantity: 10 }])))
    expect(answers.map((a) => a.status).sort()).toEqual([201, 422])
  })
})

describe('closing short', () => {
  const close = (who: Member, id: number, reason?: string) =>
    house.call(who, purchasing.updatePurchaseStatus, { params: { id }, body: { status: 'closed', reason } })

  it('takes a reason and who approves; what will not come is neither outstanding nor on its way', async () => {
    const bodega = await house.given.warehouse(keeper)
    const made = await order({ warehouse_id: bodega.id })
    await house.call(keeper, warehouses.attachSupplies, {
      params: { warehouse: bodega.id },
      body: { supplies: [filter.id] },
    })
    const levels = [{ supply_id: filter.id, minimum: 8, maximum: null }]
    await house.call(keeper, warehouses.setLimits, { params: { warehouse: bodega.id }, body: { levels } })
    const missing = async () => {
      const { body } = await house.call(keeper, purchasing.reorder, { query: { warehouse: bodega.id } })
      const counted = await house.call(keeper, purchasing.reorderCount, { query: { warehouse: bodega.id } })
      expect(counted.body.total).toBe(body.data.flatMap(({ supplies }) => supplies).length)
      return body.data.flatMap((group) => group.supplies.map(({ on_order, suggested }) => [on_order, suggested]))
    }
    await move(chief, made.id, 'approved')
    // Nothing came: it is cancelled, not closed.
    expect((await close(chief, made.id, 'No hay')).status).toBe(422)
    await receive(made.id, [{ supply_id: filter.id, quantity: 4 }])
    expect(await missing()).toEqual([])
    expect((await close(keeper, made.id, 'No hay')).status).toBe(403)
    expect((await close(chief, made.id, '  ')).failure.errors).toHaveProperty('reason')
    const closed = await close(chief, made.id, 'El proveedor quebró')
    expect(closed.body).toMatchObject({
      status: 'closed',
      closed_reason: 'El proveedor quebró',
      closed_by: chief.name,
      total: made.total,
    })
    expect(closed.body.supplies.map((l) => [l.received, l.outstanding, l.not_coming])).toEqual([
      [4, 0, 6],
      [0, 0, 2.5],
    ])
    expect(await missing()).toEqual([[0, 4]])
    expect((await receive(made.id, [{ supply_id: filter.id, quantity: 1 }])).status).toBe(422)
    expect((await move(chief, made.id, 'partially_received')).status).toBe(422)
    const listed = await house.call(keeper, purchasing.listPurchaseOrders, {
      query: { filter: { Status: ['closed'], Warehouse: [bodega.id] } },
    })
    expect(listed.body.data.map(({ id }) => id)).toEqual([made.id])
    const activity = await house.call(keeper, purchasing.purchaseOrderActivity, { params: { id: made.id } })
    expect(activity.body.data[0]?.changes).toEqual({
      status: ['partially_received', 'closed'],
      closed_reason: [null, 'El proveedor quebró'],
    })
    const pdf = await house.call(keeper, purchasing.purchaseOrderPdf, { params: { id: made.id } })
    expect(pdfText(pdf.body).join('')).toMatch(/Cerrada.*El proveedor quebró.*No llegará: .*, 6/s)
  })

  it('ends when an entry of it is voided: that one is waited for again', async () => {
    const made = await order()
    await move(chief, made.id, 'approved')
    const { body } = await receive(made.id, [{ supply_id: filter.id, quantity: 4 }])
    await close(chief, made.id, 'No llega más')
    await house.call(keeper, purchasing.voidTransaction, { params: { id: body.transaction.id }, body: {} })
    const after = await house.call(keeper, purchasing.getPurchaseOrder, { params: { id: made.id } })
    expect(after.body).toMatchObject({ status: 'approved', closed_reason: null, closed_by: null })
    expect(after.body.supplies[0]).toMatchObject({ outstanding: 10, not_coming: 0 })
  })
})

describe('reordering', () => {
  it('groups what is below its minimum by whom it was last bought from, less what is on order', async () => {
    const provider = await house.given.provider(chief)
    const bodega = await house.given.warehouse(keeper)
    await house.given.entry(keeper, {
      warehouse_id: bodega.id,
      transaction: { providerId: provider.id },
      supplies: [
        { supply_id: filter.id, quantity: 2, unit_cost: 500 },
        { supply_id: oil.id, quantity: 1, unit_cost: 500 },
      ],
    })
    const levels = [
      { supply_id: filter.id, minimum: 5, maximum: 20 },
      { supply_id: oil.id, minimum: 5, maximum: null },
    ]
    await house.call(keeper, warehouses.setLimits, { params: { warehouse: bodega.id }, body: { levels } })
    await house.given.purchaseOrder(chief, {
      warehouse_id: bodega.id,
      supplies: [{ supply_id: oil.id, quantity: 4, unit_cost: 500 }],
    })
    const { body } = await house.call(keeper, purchasing.reorder, { query: { warehouse: bodega.id } })
    expect(body.data).toMatchObject([
      { provider_id: provider.id, subtotal: 9000, supplies: [{ supply_id: filter.id, suggested: 18, on_order: 0 }] },
    ])
  })
})

describe('on paper', () => {
  it('is a PDF of its own, and labels are too', async () => {
    const made = await order()
    const pdf = await house.call(keeper, purchasing.purchaseOrderPdf, { params: { id: made.id } })
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(pdf.headers['content-disposition']).toContain(`${made.code}.pdf`)
    await house.call(keeper, warehouses.attachSupplies, {
      params: { warehouse: made.warehouse_id },
      body: { supplies: [filter.id, oil.id] },
    })
    const labels = await house.call(keeper, warehouses.labels, {
      params: { warehouse: made.warehouse_id },
      query: { supplies: [filter.id, oil.id] },
    })
    expect([labels.status, labels.headers['content-type']]).toEqual([200, 'application/pdf'])
    const codes = (answer: typeof labels) =>
      [filter, oil].filter(({ code }) => pdfText(answer.body).includes(code)).map(({ id }) => id)
    expect(codes(labels)).toEqual([filter.id, oil.id])
    const ask = (query: object) =>
      house.call(keeper, warehouses.labels, { params: { warehouse: made.warehouse_id }, query })
    expect(codes(await ask({ all: true }))).toEqual([filter.id, oil.id])
    expect(codes(await ask({ all: true, search: oil.code }))).toEqual([oil.id])
    expect((await ask({ all: true, search: 'nada' })).failure.errors).toHaveProperty('supplies')
  })
})

describe('the three-way match', () => {
  it('says what was ordered, received and invoiced, and where they differ', async () => {
    const other = await house.given.supply(keeper)
    const made = await order()
    await move(chief, made.id, 'approved')
    const match = async () =>
      (await house.call(keeper, purchasing.matchPurchaseOrder, { params: { id: made.id } })).body
    const line = made.supplies[0]!
    expect((await match()).data[0]).toMatchObject({ ordered: line.quantity, received: 0, invoiced: 0, difference: 0 })
    // A delivery slip first, then an invoice at another price with something nobody asked for.
    const slip = await receive(made.id, [{ supply_id: line.supply_id, quantity: 1, unit_cost: line.unit_cost }])
    expect(slip.status).toBe(201)
    const billed = await house.call(chief, purchasing.receivePurchaseOrder, {
      params: { id: made.id },
      body: {
        transaction: { document: 'F-9', typeInvoice: 'bill' },
        supplies: [
          { supply_id: line.supply_id, quantity: 2, unit_cost: line.unit_cost + 10 },
          { supply_id: other.id, quantity: 1, unit_cost: 500 },
        ],
        confirmed: true,
      },
    })
    expect(billed.status).toBe(201)
    const { data, totals } = await match()
    expect(data.find((one) => one.supply_id === line.supply_id)).toMatchObject({
      received: 3,
      invoiced: 2,
      unit_cost: line.unit_cost,
      invoiced_cost: line.unit_cost + 10,
      difference: 20,
    })
    expect(data.at(-1)).toMatchObject({
      supply_id: other.id,
      ordered: 0,
      unit_cost: null,
      invoiced: 1,
      difference: 500,
    })
    expect(totals).toMatchObject({
      ordered_net: made.subtotal,
      invoiced_net: 2 * (line.unit_cost + 10) + 500,
      difference: 520,
    })
    // What is voided neither came nor was charged.
    await house.call(chief, purchasing.voidTransaction, {
      params: { id: billed.body.transaction.id },
      body: { note: 'Error' },
    })
    expect((await match()).data).toHaveLength(made.supplies.length)
    expect((await match()).totals.invoiced_net).toBe(0)
  })
})
