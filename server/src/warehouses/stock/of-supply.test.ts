import { expect, it } from 'vitest'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import type { Member } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { consume, giveBack } from './use.ts'

const house = openHouse()

const exit = async (who: Member, warehouse_id: number, supply_id: number, quantity: number, typeTrasactionId = 5) =>
  (
    await house.call(who, warehouses.recordTransaction, {
      body: {
        warehouse_id,
        type: 'exit',
        transaction: { typeTrasactionId, document: `V-${quantity}` },
        supplies: [{ supply_id, quantity }],
      },
    })
  ).body

it('shows a supply in each warehouse of the workshop, with its limits and its value', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  const ana = await house.given.member({ company_id: boss.company_id, workshop_id: boss.workshop_id })
  const oil = await house.given.supply(ana)
  const full = await house.given.warehouse(ana, { stock: [[oil, 8, 250]] })
  const empty = await house.given.warehouse(ana)
  await house.given.warehouse(ana)
  await house.call(ana, warehouses.attachSupplies, { params: { warehouse: empty.id }, body: { supplies: [oil.id] } })
  await house.call(ana, warehouses.setLimits, {
    params: { warehouse: empty.id },
    body: { levels: [{ supply_id: oil.id, minimum: 2, maximum: 10 }] },
  })
  const { body } = await house.call(ana, warehouses.supplyStock, { params: { id: oil.id } })
  expect(body.data).toMatchObject([
    { warehouse_id: full.id, stock: 8, average_cost: 250, value: 2000, minimum: null, maximum: null },
    { warehouse_id: empty.id, stock: 0, value: 0, minimum: 2, maximum: 10, last_at: null },
  ])
  // Of several at once, in few words; who works elsewhere sees none.
  const grease = await house.given.supply(ana)
  const asked = { query: { filter: { Supply: [oil.id, grease.id] } } }
  expect((await house.call(ana, warehouses.suppliesStock, asked)).body.data).toEqual([
    { supply_id: oil.id, warehouse_id: full.id, warehouse_name: full.name, stock: 8, available: 8, minimum: null },
    { supply_id: oil.id, warehouse_id: empty.id, warehouse_name: empty.name, stock: 0, available: 0, minimum: 2 },
  ])
  const elsewhere = await house.given.member({ company_id: boss.company_id })
  expect((await house.call(elsewhere, warehouses.suppliesStock, asked)).body.data).toEqual([])
})

it('shows what took it, newest first; a void takes nothing, and a transfer is no use', async () => {
  const ana = await house.given.member({ role: 'warehouse' })
  const oil = await house.given.supply(ana)
  const bodega = await house.given.warehouse(ana, { stock: [[oil, 100, 10]] })
  const other = await house.given.warehouse(ana)
  const used = await exit(ana, bodega.id, oil.id, 3)
  const wasted = await exit(ana, bodega.id, oil.id, 2, 6)
  const wrong = await exit(ana, bodega.id, oil.id, 4)
  await house.call(ana, purchasing.voidTransaction, { params: { id: wrong.id }, body: {} })
  await house.call(ana, warehouses.transfer, {
    body: {
      warehouse_id: bodega.id,
      to_warehouse_id: other.id,
      supplies: [{ supply_id: oil.id, quantity: 20 }],
    },
  })
  const { body } = await house.call(ana, warehouses.supplyUses, { params: { id: oil.id } })
  expect(body.data).toMatchObject([
    { transaction_id: wasted.id, type_name: 'Merma', quantity: 2, value: 20, warehouse_id: bodega.id },
    { transaction_id: used.id, type_name: 'Consumo', document: 'V-3', quantity: 3, value: 30, user_name: ana.name },
  ])
})

it('adds up what one thing took and gave back', async () => {
  const ana = await house.given.member({ role: 'warehouse' })
  const oil = await house.given.supply(ana)
  const bodega = await house.given.warehouse(ana, { stock: [[oil, 100, 10]] })
  const actor: Actor = {
    user_id: ana.user_id,
    user_name: ana.name,
    session_id: 0,
    company_id: ana.company_id,
    workshop_id: ana.workshop_id,
    role: ana.role,
    time_zone: 'America/Santiago',
    may: new Set(),
  }
  // Of no domain that is there: an order's own movements are held to its lines.
  const origin = { kind: 'job', id: 7, document: 'T-7' }
  await house.app.database.write(actor.company_id, async (db) => {
    await consume(db, actor, {
      warehouse_id: bodega.id,
      origin,
      lines: [{ supply_id: oil.id, quantity: 5, field: 'x' }],
    })
    await giveBack(db, actor, {
      warehouse_id: bodega.id,
      origin,
      lines: [{ supply_id: oil.id, quantity: 2 }],
    })
  })
  const { body } = await house.call(ana, warehouses.supplyUses, { params: { id: oil.id } })
  expect(body.data).toMatchObject([
    { origin: 'job', origin_id: 7, document: 'T-7', type_name: 'Consumo', quantity: 3, value: 30 },
  ])
})
