import { beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { CREDIT_NEEDS } from '#contract/warehouses/transactions.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { payables } from '#contract/work-orders/payables.ts'
import { months } from '#contract/workshops/months.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

/* A purchase on credit says whom it owes and for which paper; those saved without it before can be completed. */

const house = openHouse()

let ana: Member
beforeAll(async () => {
  ana = await house.given.member({ role: 'admin' })
})

const ago = (days: number) => dayOf(new Date(Date.now() - days * 86_400_000))
const list = async (who: Member, filter: object) =>
  (await house.call(who, warehouses.listTransactions, { query: { filter } })).body
const incomplete = async (who = ana) => (await list(who, { Incomplete: ['true'] })).data.map(({ id }) => id)
const read = async (id: number) => (await house.call(ana, warehouses.getTransaction, { params: { id } })).body
const complete = (id: number, body: object, who = ana) =>
  house.call(who, purchasing.completeTransaction, { params: { id }, body: body as never })

/** A purchase as it could be saved before both were asked for. */
async function oldPurchase(transaction: object = {}, who = ana) {
  const entry = await house.given.entry(who, { transaction: { document: null, ...transaction } })
  await house.owner.query(`update transactions set payment_type = 'Credit' where id = $1`, [entry.id])
  return entry
}

describe('a new purchase on credit', () => {
  const record = async (transaction: object, type: 'entry' | 'exit' = 'entry') => {
    const supply = await house.given.supply(ana)
    const { id } = await house.given.warehouse(ana)
    return house.call(ana, warehouses.recordTransaction, {
      body: {
        warehouse_id: id,
        type,
        transaction: { typeTrasactionId: 1, payment_type: 'Credit', ...transaction },
        supplies: [{ supply_id: supply.id, quantity: 1, unit_cost: 100 }],
      } as never,
    })
  }

  it('names its document and its provider', async () => {
    const none = await record({ document: '  ' })
    expect([none.status, none.failure.errors]).toEqual([
      422,
      {
        'transaction.document': [CREDIT_NEEDS.document],
        'transaction.providerId': [CREDIT_NEEDS.providerId],
      },
    ])
    const provider = await house.given.provider(ana)
    const unnumbered = await record({ providerId: provider.id })
    expect(Object.keys(unnumbered.failure.errors ?? {})).toEqual(['transaction.document'])
    expect((await record({ document: 'F-1', providerId: provider.id })).status).toBe(201)
  })

  it('is the only entry that is asked for both', async () => {
    expect((await record({ payment_type: 'Cash' })).status).toBe(201)
    expect((await record({ payment_type: null })).status).toBe(201)
    expect((await record({ typeTrasactionId: 3 })).status).toBe(201)
  })

  it('that receives a purchase order names its document; whom it is of, the order says', async () => {
    const order = await house.given.purchaseOrder(ana)
    await house.call(ana, purchasing.updatePurchaseStatus, {
      params: { id: order.id },
      body: { status: 'approved' } as never,
    })
    const receive = (transaction: object) =>
      house.call(ana, purchasing.receivePurchaseOrder, {
        params: { id: order.id },
        body: {
          transaction: { payment_type: 'Credit', ...transaction } as never,
          supplies: order.supplies.map(({ supply_id, quantity }) => ({ supply_id, quantity })),
        },
      })
    expect((await receive({})).failure.errors).toEqual({ 'transaction.document': [CREDIT_NEEDS.document] })
    expect((await receive({ document: 'F-2' })).status).toBe(201)
  })
})

describe('a purchase that was saved on credit without its paper', () => {
  it('is listed until it has both', async () => {
    const provider = await house.given.provider(ana)
    const [bare, unnumbered, whole] = [
      await oldPurchase(),
      await oldPurchase({ providerId: provider.id }),
      await oldPurchase({ document: 'F-9', providerId: provider.id }),
    ]
    const voided = await oldPurchase()
    await house.call(ana, purchasing.voidTransaction, { params: { id: voided.id }, body: { note: null } })
    const paidInCash = await house.given.entry(ana, { transaction: { document: null, payment_type: 'Cash' } })
    const found = await incomplete()
    expect(found).toEqual(expect.arrayContaining([bare.id, unnumbered.id]))
    for (const { id } of [whole, voided, paidInCash]) expect(found).not.toContain(id)
    expect((await complete(unnumbered.id, { document: 'F-10' })).status).toBe(200)
    expect(await incomplete()).not.toContain(unnumbered.id)
  })

  it('takes a provider and a document, keeps its amounts, and says so in its activity', async () => {
    const provider = await house.given.provider(ana)
    const { id } = await oldPurchase({ typeInvoice: 'bill' })
    const before = await read(id)
    const half = await complete(id, { providerId: provider.id })
    expect(half.body).toEqual({
      ...before,
      provider_name: provider.name,
      transaction: { ...before.transaction, providerId: provider.id },
    })
    expect(await incomplete()).toContain(id)
    const { body } = await complete(id, { document: ' F-20 ' })
    expect(body.transaction).toMatchObject({ document: 'F-20', providerId: provider.id })
    expect(await incomplete()).not.toContain(id)
    const activity = (await house.call(ana, warehouses.transactionActivity, { params: { id } })).body.data
    expect(activity.slice(0, 2)).toMatchObject([
      { action: 'completed', user_name: ana.name, changes: { document: [null, 'F-20'] } },
      { action: 'completed', changes: { provider_name: [null, provider.name] } },
    ])
    const boss = await house.given.member({ role: 'super-admin', company_id: ana.company_id })
    const owed = (await house.call(boss, payables.listPayables, { query: { filter: { Provider: [provider.id] } } }))
      .body.data
    expect(owed).toMatchObject([{ entry_id: id, document: 'F-20', total: before.total }])
  })

  it('keeps what it says already, and refuses what is another’s', async () => {
    const [provider, other] = [await house.given.provider(ana), await house.given.provider(ana)]
    const { id } = await oldPurchase({ providerId: provider.id })
    expect((await complete(id, { providerId: other.id })).status).toBe(409)
    expect((await complete(id, {})).failure.errors).toHaveProperty('document')
    const taken = await house.given.entry(ana, { transaction: { document: 'F-30', providerId: provider.id } })
    const twice = await complete(id, { document: 'F-30' })
    expect([twice.status, twice.failure.errors]).toEqual([
      422,
      { document: [`Este proveedor ya tiene una entrada con ese documento: ${taken.code}.`] },
    ])
    const stranger = await house.given.provider(await house.given.member())
    const bare = await oldPurchase()
    expect((await complete(bare.id, { providerId: stranger.id })).failure.errors).toHaveProperty('providerId')
    expect((await complete(bare.id, { document: 'F-31', providerId: other.id })).status).toBe(200)
    expect((await complete(bare.id, { document: 'F-32' })).status).toBe(409)
    const cash = await house.given.entry(ana, { transaction: { document: null, payment_type: 'Cash' } })
    expect((await complete(cash.id, { document: 'F-33' })).status).toBe(409)
  })

  it('of a closed month waits until somebody opens that month', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const provider = await house.given.provider(boss)
    const long = ago(40)
    const { id } = await oldPurchase({ date: long }, boss)
    const close = (closed_through: string | null) => house.call(boss, months.closeMonths, { body: { closed_through } })
    expect((await close(long.slice(0, 7))).status).toBe(200)
    const refused = await complete(id, { document: 'F-40', providerId: provider.id }, boss)
    expect([refused.status, Object.keys(refused.failure.errors ?? {})]).toEqual([422, ['document']])
    expect((await close(null)).status).toBe(200)
    expect((await complete(id, { document: 'F-40', providerId: provider.id }, boss)).status).toBe(200)
  })
})
