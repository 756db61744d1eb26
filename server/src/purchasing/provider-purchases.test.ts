import { expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()
const of = async (who: Parameters<typeof house.call>[0], id: number) =>
  (await house.call(who, purchasing.providerPurchases, { params: { id } })).body

const today = dayOf(new Date())
/** A day of the month so many before this one. */
const monthsAgo = (n: number) => {
  const [year = 0, month = 0] = today.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - n, 10)).toISOString().slice(0, 10)
}

it('a provider nothing was bought from has twelve empty months and was never used', async () => {
  const ana = await house.given.member()
  const provider = await house.given.provider(ana)
  const found = await of(ana, provider.id)
  expect(found).toMatchObject({ last_on: null, entries_count: 0, orders_count: 0, open_orders: 0 })
  expect(found.months).toHaveLength(12)
  expect(found.months.at(-1)).toEqual({ month: today.slice(0, 7), total: 0, entries: 0 })
})

it('counts purchases that stand in the month of their document, and nothing else', async () => {
  const ana = await house.given.member()
  const provider = await house.given.provider(ana)
  const supply = await house.given.supply(ana)
  const bodega = await house.given.warehouse(ana)
  const buy = (quantity: number, transaction: object) =>
    house.given.entry(ana, {
      warehouse_id: bodega.id,
      transaction: { providerId: provider.id, ...transaction },
      supplies: [{ supply_id: supply.id, quantity, unit_cost: 1000 }],
    })
  await buy(1, { date: monthsAgo(2) })
  await buy(2, { date: monthsAgo(2) })
  await buy(4, { date: monthsAgo(1) })
  await buy(100, { date: monthsAgo(14) })
  await buy(50, { date: monthsAgo(1), typeTrasactionId: 2 })
  const wrong = await buy(9, { date: monthsAgo(1) })
  await house.call(ana, purchasing.voidTransaction, { params: { id: wrong.id }, body: {} })
  const found = await of(ana, provider.id)
  expect(found.months.filter(({ entries }) => entries > 0)).toEqual([
    { month: monthsAgo(2).slice(0, 7), total: 3570, entries: 2 },
    { month: monthsAgo(1).slice(0, 7), total: 4760, entries: 1 },
  ])
  expect(found).toMatchObject({ entries_count: 4, last_on: monthsAgo(1) })
})

it('an order uses it too, and is open until it is received or cancelled', async () => {
  const ana = await house.given.member()
  const provider = await house.given.provider(ana)
  await house.given.purchaseOrder(ana, { provider_id: provider.id })
  const given = await house.given.purchaseOrder(ana, { provider_id: provider.id })
  await house.call(ana, purchasing.updatePurchaseStatus, { params: { id: given.id }, body: { status: 'cancelled' } })
  expect(await of(ana, provider.id)).toMatchObject({ orders_count: 2, open_orders: 1, last_on: today })
})

it('of a provider of all workshops, each sees what its own bought', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  const ana = await house.given.member({ company_id: boss.company_id })
  const bob = await house.given.member({ company_id: boss.company_id })
  const provider = await house.given.provider(boss, { workshop_id: null })
  await house.given.entry(ana, { transaction: { providerId: provider.id } })
  const totals = []
  for (const who of [boss, ana, bob]) totals.push((await of(who, provider.id)).entries_count)
  expect(totals).toEqual([1, 1, 0])
})
