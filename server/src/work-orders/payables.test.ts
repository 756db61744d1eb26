import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { providers } from '#contract/providers/providers.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { OWED, PAYABLE_STATE_NAMES, PayableList, payables } from '#contract/work-orders/payables.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { rows } from '../platform/database/db.ts'

const house = openHouse()
const day = (ahead: number) => dayOf(new Date(Date.now() + ahead * 86_400_000))

let chief: Member
beforeAll(async () => {
  chief = await house.given.member({ role: 'super-admin' })
})

const list = async (filter: object = {}, sort?: 'due_date' | '-left_total') =>
  (await house.call(chief, payables.listPayables, { query: { filter, sort, per_page: 100 } })).body
const update = (id: number, body: object) => house.call(chief, payables.updatePayable, { params: { id }, body })
const pay = (id: number, body: { paid: boolean; paid_on?: string }, who = chief) =>
  house.call(who, payables.payPayable, { params: { id }, body })

async function invoice(more: object = {}, provider: object = {}) {
  const { id } = await house.given.provider(chief, provider)
  const service = await house.given.service(chief, { provider_id: id, unit_price: 100_000 })
  const order = await house.given.workOrder(chief, { services: [{ service_id: service.id, quantity: 1 }] })
  const { body } = await house.call(chief, workOrderParts.createInvoice, {
    body: {
      work_order_id: order.id,
      provider_id: id,
      bill_invoice: 'bill',
      date: day(-10),
      document: house.given.next('F-'),
      payment_type: 'Credit',
      ...more,
    },
  })
  return { ...body, order }
}
const found = async (document: string, filter: object = {}) =>
  (await list(filter)).data.find((one) => one.document === document)

describe('what is owed', () => {
  it('is found by its document, however that is written', async () => {
    const { document } = await invoice({ document: 'Ñuñoa Nº 7' })
    for (const State of [undefined, PAYABLE_STATE_NAMES])
      for (const Search of ['ñuñoa', 'NUNOA', 'nº 7', 'no 7'])
        expect([Search, (await found(document, { Search, State }))?.document]).toEqual([Search, document])
    expect(await pay((await found(document))!.id, { paid: true })).toMatchObject({ status: 200 })
  })

  it('is due after the days of its provider, or when somebody says', async () => {
    const first = await invoice()
    expect(first).toMatchObject({ due_date: day(20), payment_state: 'received' })
    const quick = await invoice({}, { payment_days: 5 })
    const said = await invoice({ due_date: day(3) })
    expect(await found(first.document)).toMatchObject({ due_date: day(20), overdue: false, left_total: 119_000 })
    expect(await found(quick.document)).toMatchObject({ due_date: day(-5), overdue: true, of: quick.order.code })
    expect(await found(said.document)).toMatchObject({ due_date: day(3) })
    const { totals, data } = await list({}, 'due_date')
    expect(totals).toEqual({
      left_total: data.reduce((all, one) => all + one.left_total!, 0),
      owed_total: data.reduce((all, one) => all + one.balance!, 0),
      favour_total: 0,
      overdue: 1,
      overdue_total: 119_000,
    })
    expect((await list({ Overdue: ['yes'] })).data.map((one) => one.document)).toEqual([quick.document])
    expect((await list({ BetweenDate: `${day(1)},${day(5)}` })).data.map((one) => one.document)).toEqual([
      said.document,
    ])
    expect((await list({ Search: said.provider_name })).data.map((one) => one.document)).toContain(said.document)
    const wrong = await house.call(chief, workOrderParts.updateInvoice, {
      params: { id: said.id },
      body: { due_date: day(-30) },
    })
    expect(wrong.failure.errors).toEqual({ due_date: ['No puede vencer antes de su fecha.'] })
    const longer = { ...(await provider(first.provider_id)), payment_days: 60 }
    expect(
      (await house.call(chief, providers.updateProvider, { params: { id: longer.id }, body: longer })).status,
    ).toBe(200)
    expect(await found(first.document)).toMatchObject({ due_date: day(50) })
  })

  it('is less what a credit note takes back, and is of purchases too, less what went back', async () => {
    const one = await invoice()
    const note = { kind: 'credit' as const, date: day(0), document: house.given.next('NC-'), amount: 40_000 }
    await house.call(chief, workOrderParts.createInvoiceNote, { params: { id: one.id }, body: note })
    expect(await found(one.document)).toMatchObject({ total: 119_000, left_total: 71_400 })
    const seller = await house.given.provider(chief)
    const document = house.given.next('C-')
    const { id, total, warehouse_id } = await house.given.entry(chief, {
      transaction: { providerId: seller.id, typeInvoice: 'bill', document, payment_type: 'Credit' },
    })
    const bought = await found(document, { Kind: ['purchase'] })
    expect(bought).toMatchObject({ entry_id: id, warehouse_id, kind: 'purchase', left_total: total, state: 'received' })
    expect((await update(bought!.id, { state: 'approved' })).body).toMatchObject({ state: 'approved', entry_id: id })
  })

  it('is none where it was paid in cash', async () => {
    const { document } = await invoice({ payment_type: 'Cash' })
    expect(await found(document)).toBeUndefined()
    expect(await found(document, { State: ['paid'] })).toMatchObject({ state: 'paid', overdue: false })
  })
})

const provider = async (id: number) => (await house.call(chief, providers.getProvider, { params: { id } })).body

it('is sorted by every column, and paged', async () => {
  const { data, total } = await list()
  for (const sort of PayableList.shape.sort.unwrap().options) {
    const query = { sort, per_page: 2, page: 2, filter: {} }
    const { body } = await house.call(chief, payables.listPayables, { query })
    expect([sort, body.data.length, body.total]).toEqual([sort, Math.min(2, total - 2), total])
  }
  expect(data.map((one) => one.due_date)).toEqual(data.map((one) => one.due_date).sort())
})

describe('what is decided about it', () => {
  it('goes from state to state, and says who took it there', async () => {
    const { document } = await invoice({}, { payment_days: 0 })
    const { id } = (await found(document))!
    expect((await update(id, { state: 'claimed' })).body).toMatchObject({ state: 'claimed', state_by: chief.name })
    expect((await pay(id, { paid: true })).failure.message).toBe('Está reclamada: no puede pasar a pagada.')
    expect((await update(id, { state: 'approved', due_date: day(4) })).body).toMatchObject({ due_date: day(4) })
    expect((await update(id, { due_date: day(-20) })).failure.errors).toHaveProperty('due_date')
    expect((await update(id, { state: 'paid' })).status).toBe(422)
    expect((await pay(id, { paid: true, paid_on: day(1) })).failure.errors).toHaveProperty('paid_on')
    expect((await pay(id, { paid: true, paid_on: day(-1) })).body).toMatchObject({ state: 'paid', paid_on: day(-1) })
    expect(await found(document)).toBeUndefined()
    expect((await update(id, { state: 'received' })).status).toBe(409)
    expect((await pay(id, { paid: false })).body).toMatchObject({ state: 'approved', paid_on: null })
    expect((await pay(id, { paid: false })).status).toBe(200)
  })

  it('is found among all that was paid, whoever said so and whether its paper is marked or not', async () => {
    const ids = async (filter: object) => (await list(filter)).data.map((one) => one.id).sort((a, b) => a - b)
    const agrees = async () => {
      const { data } = await list({ State: PAYABLE_STATE_NAMES })
      const owed = data.filter((one) => OWED.includes(one.state))
      expect(await ids({})).toEqual(owed.map((one) => one.id).sort((a, b) => a - b))
    }
    const [first, second] = [await invoice(), await invoice({ due_date: day(9) })]
    const bought = await house.given.entry(chief, {
      transaction: { providerId: first.provider_id, typeInvoice: 'bill', document: house.given.next('C-') },
    })
    const papers = [first.id * 2, second.id * 2, bought.id * 2 + 1]
    expect(await ids({})).toEqual(expect.arrayContaining(papers))
    for (const id of papers) {
      await pay(id, { paid: true })
      await agrees()
    }
    expect((await ids({})).filter((id) => papers.includes(id))).toEqual([])
    await pay(bought.id * 2 + 1, { paid: false })
    await agrees()
    expect(await ids({ State: ['approved'] })).toContain(bought.id * 2 + 1)
    // As a release that knew no marks leaves it.
    await house.app.database.write(chief.company_id, (db) =>
      rows(db, sql`update invoices set payment_said = false where company_id = ${chief.company_id}`),
    )
    await agrees()
    await house.call(chief, workOrderParts.updateInvoice, {
      params: { id: second.id },
      body: { payment_type: 'Cash' },
    })
    await agrees()
  })

  it('is of those who may, in their own workshop', async () => {
    const { document } = await invoice()
    const { id } = (await found(document))!
    const viewer = await house.given.member({
      role: 'viewer',
      company_id: chief.company_id,
      workshop_id: chief.workshop_id,
    })
    expect((await house.call(viewer, payables.getPayable, { params: { id } })).status).toBe(200)
    expect((await pay(id, { paid: true }, viewer)).status).toBe(403)
    const elsewhere = await house.given.member({ role: 'admin', company_id: chief.company_id })
    expect((await pay(id, { paid: true }, elsewhere)).status).toBe(404)
    expect((await pay(2_000_000, { paid: true })).status).toBe(404)
  })
})
