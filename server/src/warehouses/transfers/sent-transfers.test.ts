import { beforeEach, describe, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { type Supply, supplies } from '#contract/supplies/supplies.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { months } from '#contract/workshops/months.ts'
import { type Member, times } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import { brokenInvariants } from '../../../test/invariants.ts'

const house = openHouse()

/** Quilicura sends, Antofagasta receives; the boss works in both. */
let here: Member
let there: Member
let boss: Member
let filter: Supply
let bodega: { id: number }
let pañol: { id: number }
beforeEach(async () => {
  here = await house.given.member({ role: 'warehouse' })
  there = await house.given.member({ role: 'warehouse', company_id: here.company_id })
  boss = await house.given.member({ role: 'super-admin', company_id: here.company_id })
  filter = await house.given.supply(here)
  bodega = await house.given.warehouse(here)
  pañol = await house.given.warehouse(there)
})

const ago = (days: number) => dayOf(new Date(Date.now() - days * 86_400_000))
const enter = (quantity: number, unit_cost: number, days = 0) =>
  house.given.entry(here, {
    warehouse_id: bodega.id,
    transaction: { date: ago(days) },
    supplies: [{ supply_id: filter.id, quantity, unit_cost }],
  })
const send = async (quantity: number) => {
  const { status, body } = await house.call(here, warehouses.transfer, {
    body: { warehouse_id: bodega.id, to_warehouse_id: pañol.id, supplies: [{ supply_id: filter.id, quantity }] },
  })
  expect(status).toBe(201)
  return body.exit
}
const receive = (id: number, lines: object[] = [], who = there) =>
  house.call(who, warehouses.receiveTransfer, { params: { id }, body: { supplies: lines } })
const line = (received: number, reason?: string) => ({ supply_id: filter.id, received, ...(reason && { reason }) })
const stockOf = async (who: Member, warehouse: { id: number }) => {
  const { body } = await house.call(who, warehouses.listStock, { params: { warehouse: warehouse.id } })
  return body.data.map((s) => [s.stock, s.value, s.sent, s.incoming])
}
const cancel = (who: Member, id: number) => house.call(who, purchasing.voidTransaction, { params: { id }, body: {} })
const transferOf = async (who: Member, id: number) =>
  (await house.call(who, warehouses.getTransfer, { params: { id } })).body

describe('what is sent to another workshop', () => {
  it('is in transit: out of stock, still worth what it left with, and seen from both ends', async () => {
    await enter(10, 100)
    const exit = await send(4)
    expect(exit).toMatchObject({ in_transit: true, between_workshops: true, transfer: null })
    expect(await stockOf(here, bodega)).toEqual([[6, 600, 4, 0]])
    for (const who of [here, there, boss]) {
      const { body } = await house.call(who, warehouses.listTransfers, { query: { filter: { State: ['sent'] } } })
      expect(body.data.map(({ id, code, value, state }) => [id, code, value, state])).toEqual([
        [exit.id, exit.code, 400, 'sent'],
      ])
    }
    const of = async (who: Member, id: number) => {
      const { body } = await house.call(who, warehouses.getWarehouse, { params: { id } })
      return [body.value, body.sent_value, body.incoming_value]
    }
    expect([await of(here, bodega.id), await of(there, pañol.id)]).toEqual([
      [600, 400, 0],
      [0, 0, 400],
    ])
    expect((await transferOf(there, exit.id)).supplies).toMatchObject([{ quantity: 4, received: null, to: null }])
    expect(await brokenInvariants(house.owner)).toEqual([])
  })

  it('offers the warehouses of all workshops, those of its own first', async () => {
    const other = await house.given.warehouse(here)
    const { body } = await house.call(here, warehouses.transferDestinations, { query: { warehouse: bodega.id } })
    expect(body.data.map(({ id }) => id)).toEqual([other.id, pañol.id])
    const foreign = await house.call(here, warehouses.transferDestinations, { query: { warehouse: pañol.id } })
    expect(foreign.status).toBe(404)
  })

  it('is taken back at exactly what it left with', async () => {
    await enter(3, 33.3333)
    const exit = await send(2)
    await enter(5, 90)
    expect((await cancel(there, exit.id)).status).toBe(404)
    expect((await cancel(here, exit.id)).body).toMatchObject({ state: 'voided', in_transit: false })
    expect(await stockOf(here, bodega)).toEqual([[8, 549.9999, 0, 0]])
    expect((await transferOf(there, exit.id)).state).toBe('cancelled')
    expect(await receive(exit.id)).toMatchObject({ status: 409, failure: { message: 'Este traslado está anulado.' } })
    expect(await brokenInvariants(house.owner)).toEqual([])
  })

  it('cannot be returned to stock as if it had been used', async () => {
    await enter(3, 100)
    const exit = await send(2)
    const { failure } = await house.call(here, warehouses.recordTransaction, {
      body: {
        warehouse_id: bodega.id,
        type: 'entry',
        transaction: { typeTrasactionId: 2, returns_id: exit.id },
        supplies: [{ supply_id: filter.id, quantity: 1 }],
      },
    })
    expect(failure.errors).toEqual({ 'transaction.returns_id': ['Elija una salida de esta bodega.'] })
  })
})

describe('what another workshop sent', () => {
  it('is received in full, under a supply made from the one that was sent', async () => {
    const category = await house.given.category(here, 'Filtros de aceite')
    const unit = await house.given.measurementUnit(here, 'Caja')
    filter = await house.given.supply(here, { category_id: category.id, measurement_units_id: unit.id })
    await enter(10, 100)
    const exit = await send(4)
    const { status, body } = await receive(exit.id, [line(4)])
    expect(status).toBe(200)
    expect(body).toMatchObject({ state: 'received', value: 400, missing_value: 0, loss_id: null })
    const { data } = (await house.call(there, supplies.listSupplies, { query: {} })).body
    expect(data).toMatchObject([
      { code: filter.code, name: filter.name, category_name: 'Filtros de aceite', measurement_unit_name: 'Caja' },
    ])
    expect(body.supplies[0]).toMatchObject({ received: 4, missing: 0, to: { supply_id: data[0]!.id } })
    expect([await stockOf(here, bodega), await stockOf(there, pañol)]).toEqual([[[6, 600, 0, 0]], [[4, 400, 0, 0]]])
    expect((await receive(exit.id)).failure.message).toBe('Este traslado ya fue recibido.')
  })

  it('goes into the supply with its code, whatever its name, and into another where that is said', async () => {
    const same = await house.given.supply(there, { code: filter.code.toLowerCase() })
    const other = await house.given.supply(there)
    await enter(10, 100)
    const [first, second] = [await send(1), await send(2)]
    expect((await stockOf(there, pañol)).length).toBe(0)
    expect((await receive(first.id)).body.supplies[0]!.to!.supply_id).toBe(same.id)
    const elsewhere = await receive(second.id, [{ ...line(2), to_supply_id: other.id }])
    expect(elsewhere.body.supplies[0]!.to!.supply_id).toBe(other.id)
    const stranger = await receive((await send(1)).id, [{ ...line(1), to_supply_id: filter.id }])
    expect(stranger.failure.errors).toEqual({ 'supplies.0.to_supply_id': ['Elija un insumo de la lista.'] })
  })

  it('does not go into one that is counted in another unit, or is not in use', async () => {
    const litre = await house.given.measurementUnit(here, 'Litro')
    const box = await house.given.measurementUnit(there, 'Tambor')
    filter = await house.given.supply(here, { measurement_units_id: litre.id })
    await house.given.supply(there, { code: filter.code, measurement_units_id: box.id })
    await enter(10, 100)
    const exit = await send(4)
    expect((await receive(exit.id, [line(4)])).failure.errors).toEqual({
      'supplies.0.to_supply_id': [`${filter.code} se cuenta aquí en Tambor y viene en Litro: elija otro insumo.`],
    })
    expect((await receive(exit.id)).status).toBe(422)
  })

  it('arrives with a difference that is explained: what is missing is written off at what it cost', async () => {
    await enter(10, 100.5)
    const exit = await send(4)
    expect((await receive(exit.id, [line(3)])).failure.errors).toEqual({
      'supplies.0.reason': ['Explique la diferencia.'],
    })
    expect((await receive(exit.id, [line(5, 'Sobra')])).failure.errors).toEqual({
      'supplies.0.received': ['Se enviaron 4: no se puede recibir más.'],
    })
    expect((await receive(exit.id, [{ ...line(4), supply_id: 999_999 }])).failure.errors).toEqual({
      'supplies.0.supply_id': ['No está en el traslado.'],
    })
    const { body } = await receive(exit.id, [line(2.5, 'Se rompió en el camino')])
    expect(body).toMatchObject({ state: 'difference', value: 402, missing_value: 151 })
    expect(body.supplies).toMatchObject([{ received: 2.5, missing: 1.5, reason: 'Se rompió en el camino' }])
    expect(await stockOf(there, pañol)).toEqual([[2.5, 251.25, 0, 0]])
    const loss = (await house.call(there, warehouses.getTransaction, { params: { id: body.loss_id! } })).body
    expect(loss).toMatchObject({ type: 'exit', type_name: 'Merma', total: 151, transfer: null })
    expect(loss.transaction.note).toContain('Se rompió en el camino')
    // It turned up after all.
    expect((await cancel(there, loss.id)).status).toBe(200)
    expect(await stockOf(there, pañol)).toEqual([[4, 402, 0, 0]])
    expect((await transferOf(here, exit.id)).state).toBe('received')
    expect(await brokenInvariants(house.owner)).toEqual([])
  })

  it('may be lost altogether', async () => {
    await enter(3, 33.3333)
    const exit = await send(3)
    await receive(exit.id, [line(0, 'Robo en ruta')])
    expect([await stockOf(here, bodega), await stockOf(there, pañol)]).toEqual([[[0, 0, 0, 0]], [[0, 0, 0, 0]]])
    expect(await brokenInvariants(house.owner)).toEqual([])
  })

  it('is in transit again once its receipt is undone, and only then can be taken back', async () => {
    await enter(10, 100)
    const exit = await send(4)
    const { body } = await receive(exit.id, [line(3, 'Falta una')])
    expect(await cancel(here, exit.id)).toMatchObject({
      status: 409,
      failure: { message: `Ya se recibió (${body.receipt_code}): primero anule la recepción en el taller de destino.` },
    })
    expect((await cancel(there, body.receipt_id!)).status).toBe(200)
    expect(await stockOf(there, pañol)).toEqual([[0, 0, 0, 4]])
    expect(await transferOf(here, exit.id)).toMatchObject({ state: 'sent', receipt_id: null, loss_id: null })
    expect((await receive(exit.id)).body.state).toBe('received')
    const again = await transferOf(there, exit.id)
    await cancel(there, again.receipt_id!)
    expect((await cancel(here, exit.id)).status).toBe(200)
    expect(await stockOf(here, bodega)).toEqual([[10, 1000, 0, 0]])
    expect(await brokenInvariants(house.owner)).toEqual([])
  })

  it('is received by whoever works there, once', async () => {
    await enter(10, 100)
    const exit = await send(4)
    expect((await receive(exit.id, [], here)).status).toBe(403)
    const third = await house.given.member({ role: 'warehouse', company_id: here.company_id })
    expect((await receive(exit.id, [], third)).status).toBe(404)
    const mechanic = await house.given.member({
      role: 'specialist',
      company_id: here.company_id,
      workshop_id: there.workshop_id,
    })
    expect((await receive(exit.id, [], mechanic)).status).toBe(403)
    const answers = await Promise.all(times(6, () => receive(exit.id, [line(4)], boss)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(await brokenInvariants(house.owner)).toEqual([])
  })

  it('costs what a late invoice says, down to the order that used it and what was lost', async () => {
    const truck = await house.given.truck(boss, { workshop_id: there.workshop_id })
    await enter(10, 100, 3)
    const exit = await send(4)
    const { body } = await receive(exit.id, [line(3, 'Falta una')])
    const order = await house.call(boss, workOrders.createWorkOrderWithWarehouse, {
      body: {
        workshop_id: there.workshop_id,
        truck_id: truck.id,
        warehouse_id: pañol.id,
        supplies: [{ supply_id: body.supplies[0]!.to!.supply_id, count: 1 }],
      },
    })
    expect(order.body.supplies_cost).toBe(100)
    const late = await enter(10, 200, 2)
    const read = async () => {
      const { body } = await house.call(boss, workOrders.getWorkOrder, { params: { id: order.body.id } })
      return body.supplies_cost
    }
    expect(await transferOf(there, exit.id)).toMatchObject({ value: 600, missing_value: 150 })
    expect([await read(), await stockOf(there, pañol)]).toEqual([150, [[2, 300, 0, 0]]])
    await cancel(here, late.id)
    expect([await read(), await stockOf(there, pañol)]).toEqual([100, [[2, 200, 0, 0]]])
    expect(await brokenInvariants(house.owner)).toEqual([])
  })

  it('follows what came before in a closed month and is undone, by adjustments of today at both ends', async () => {
    const entry = await enter(10, 100, 40)
    await enter(10, 300, 1)
    await house.call(boss, months.closeMonths, { body: { closed_through: ago(32).slice(0, 7) } })
    const exit = await send(5)
    await receive(exit.id)
    expect((await cancel(here, entry.id)).status).toBe(200)
    expect(await transferOf(there, exit.id)).toMatchObject({ value: 1500 })
    expect(await stockOf(there, pañol)).toEqual([[5, 1500, 0, 0]])
    expect(await brokenInvariants(house.owner)).toEqual([])
  })

  it('is sent and received by many at once without a peso lost', async () => {
    await enter(100, 12.3456)
    const sent = await Promise.all(times(10, (i) => send(i + 1)))
    await Promise.all([
      ...sent.map(({ id }, i) => (i % 2 ? receive(id) : cancel(here, id))),
      enter(7, 99, 2),
      ...sent.map(({ id }) => cancel(here, id)),
      ...sent.map(({ id }) => receive(id)),
    ])
    expect(await brokenInvariants(house.owner)).toEqual([])
  })
})
