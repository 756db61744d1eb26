import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { type WebhookEvent, webhooks } from '#contract/webhooks/webhooks.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { PATIENCE } from '../../test/listen.ts'
import { signature } from './deliveries.ts'

const house = openHouse()

/** Another system: keeps what it is told, and answers what it is asked to. */
const heard: { event: string; signed: string; body: string }[] = []
let answers: number[] = []
let server: Server
let url: string
beforeAll(async () => {
  process.env.ALLOW_PRIVATE_CALLS = '1'
  server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { 'x-maestranza-event': event, 'x-maestranza-signature': signed } = request.headers
    heard.push({ event: String(event), signed: String(signed), body })
    response.writeHead(answers.shift() ?? 200)
    response.end('visto')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/avisos`
})
afterAll(() => {
  delete process.env.ALLOW_PRIVATE_CALLS
  server.close()
})

const make = (boss: Member, events: WebhookEvent[], more: object = {}) =>
  house.call(boss, webhooks.createWebhook, { body: { name: 'ERP', url, events, ...more } })
const deliveriesOf = async (boss: Member) => (await house.call(boss, webhooks.listDeliveries)).body.data
const told = (boss: Member, many: number) =>
  vi.waitFor(
    async () => {
      const all = await deliveriesOf(boss)
      expect(all.filter(({ state }) => state === 'delivered')).toHaveLength(many)
      return all
    },
    { timeout: PATIENCE, interval: 200 },
  )

it('tells other systems of orders, alerts and stock, signed, and says what they answered', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  const { secret, webhook } = (await make(boss, ['order.moved', 'order.finalized', 'alert.due', 'stock.low'])).body
  const order = await house.given.workOrder(boss)
  const move = (status: 'IN_PROCESS' | 'FINALIZED') =>
    house.call(boss, workOrders.moveWorkOrder, { params: { id: order.id }, body: { status } })
  expect((await move('IN_PROCESS')).status).toBe(200)
  expect((await move('FINALIZED')).status).toBe(200)
  await house.given.alert(boss, { expirationSettings: { dateSelected: true, date: '2099-01-01' } })
  await house.given.alert(boss, {
    expirationSettings: { dateSelected: true, date: dayOf(new Date()) },
  })
  const supply = await house.given.supply(boss)
  const warehouse = await house.given.warehouse(boss, { stock: [[supply, 5]] })
  const params = { warehouse: warehouse.id }
  await house.call(boss, warehouses.setLimits, {
    params,
    body: { levels: [{ supply_id: supply.id, minimum: 4, maximum: 9 }] },
  })
  const exit = (quantity: number) =>
    house.call(boss, warehouses.recordTransaction, {
      body: {
        warehouse_id: warehouse.id,
        type: 'exit',
        transaction: { typeTrasactionId: 6 },
        supplies: [{ supply_id: supply.id, quantity }],
      },
    })
  const low = await exit(2)
  expect([low.status, low.failure.errors]).toEqual([201, undefined])
  // Low already: nothing new.
  expect((await exit(1)).status).toBe(201)

  const all = await told(boss, 5)
  expect(all[0]).toMatchObject({ attempts: 1, answer: '200 visto', webhook_name: 'ERP' })
  const mine = heard.filter(({ body }) => JSON.parse(body).company_id === boss.company_id)
  expect(mine.map(({ event }) => event).sort()).toEqual([
    'alert.due',
    'order.finalized',
    'order.moved',
    'order.moved',
    'stock.low',
  ])
  for (const { signed, body } of mine) {
    const at = Number(/^t=(\d+),/.exec(signed)![1])
    expect(signed).toBe(signature(secret, at, body))
  }
  const data = (event: string) => JSON.parse(mine.find((one) => one.event === event)!.body).data
  expect(data('order.finalized')).toMatchObject({ id: order.id, code: order.code, status: 'FINALIZED' })
  expect(data('stock.low')).toMatchObject({ supply_id: supply.id, stock: 3, minimum: 4 })
  expect((await house.call(boss, webhooks.listWebhooks)).body.data).toEqual([webhook])
})

it('calls low what is available below the minimum, once for each fall, by whichever way', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  await make(boss, ['stock.low'])
  const supply = await house.given.supply(boss)
  const warehouse = await house.given.warehouse(boss, { stock: [[supply, 10]] })
  const bring = (quantity: number) =>
    house.given.entry(boss, {
      warehouse_id: warehouse.id,
      supplies: [{ supply_id: supply.id, quantity, unit_cost: 100 }],
    })
  await house.call(boss, warehouses.setLimits, {
    params: { warehouse: warehouse.id },
    body: { levels: [{ supply_id: supply.id, minimum: 6, maximum: 20 }] },
  })
  const [one, two] = [0, 0].map(() => house.given.workOrder(boss, { has_warehouse: true, warehouse_id: warehouse.id }))
  const [first, second] = [(await one!).id, (await two!).id]
  const of = (id: number, count: number) => ({ params: { id }, body: { supply_id: supply.id, count } })
  const plan = (id: number, count: number) => house.call(boss, workOrderParts.planSupply, of(id, count))
  const use = (id: number, count: number) => house.call(boss, workOrderParts.useSupply, of(id, count))
  const many = async () => (await deliveriesOf(boss)).filter(({ event }) => event === 'stock.low').length

  await plan(first, 4)
  expect(await many()).toBe(0)
  // Reserved, not taken: ten on hand, five available.
  await plan(first, 1)
  expect(await many()).toBe(1)
  await told(boss, 1)
  const mine = heard.filter(({ body }) => JSON.parse(body).company_id === boss.company_id)
  expect(JSON.parse(mine[0]!.body).data).toMatchObject({ stock: 10, available: 5, minimum: 6 })
  // Handing out what was kept is no fall, nor is taking more of what is low.
  await use(first, 5)
  await use(second, 1)
  expect(await many()).toBe(1)
  // What comes for those who wait is not available in between.
  await plan(second, 8)
  await bring(4)
  expect(await many()).toBe(1)
  // Available again, ten, and low again.
  await bring(10)
  expect(await many()).toBe(1)
  await plan(first, 5)
  expect(await many()).toBe(2)
  // The reservations end with their orders: available; what is taken of it after that is another fall.
  for (const id of [first, second])
    await house.call(boss, workOrders.moveWorkOrder, { params: { id }, body: { status: 'FINALIZED', used: [] } })
  const third = (await house.given.workOrder(boss, { has_warehouse: true, warehouse_id: warehouse.id })).id
  await use(third, 12)
  expect(await many()).toBe(2)
  await use(third, 1)
  expect(await many()).toBe(3)
  await told(boss, 3)
})

it('tries again what was not heard, and tells what was heard once more when asked to', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  const { id } = (await make(boss, ['stock.low'])).body.webhook
  answers = [500]
  expect((await house.call(boss, webhooks.pingWebhook, { params: { id } })).status).toBe(204)
  await vi.waitFor(async () => expect((await deliveriesOf(boss))[0]).toMatchObject({ attempts: 1, state: 'queued' }), {
    timeout: PATIENCE,
  })
  expect((await deliveriesOf(boss))[0]?.answer).toBe('500 visto')
  const delivery = (await deliveriesOf(boss))[0]!
  await house.call(boss, webhooks.deliverAgain, { params: { id: delivery.id } })
  expect((await told(boss, 1))[0]).toMatchObject({ event: 'ping', answer: '200 visto' })
  expect((await house.call(boss, webhooks.deleteWebhook, { params: { id } })).status).toBe(204)
  expect(await deliveriesOf(boss)).toEqual([])
})

it('says why another system was not reached', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  const { id } = (await make(boss, ['stock.low'], { url: 'http://127.0.0.1:1/' })).body.webhook
  await house.call(boss, webhooks.pingWebhook, { params: { id } })
  await vi.waitFor(
    async () => expect((await deliveriesOf(boss))[0]?.answer).toBe('La dirección no acepta conexiones.'),
    { timeout: PATIENCE },
  )
})

it('calls no address of the network that the server stands in', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  expect((await make(boss, ['stock.low'], { url: 'ftp://x.cl' })).failure.errors).toHaveProperty('url')
  delete process.env.ALLOW_PRIVATE_CALLS
  try {
    const before = heard.length
    const { id } = (await make(boss, ['stock.low'], { url: url.replace('http:', 'https:') })).body.webhook
    await house.call(boss, webhooks.pingWebhook, { params: { id } })
    await vi.waitFor(async () => expect((await deliveriesOf(boss))[0]?.attempts).toBe(1), { timeout: PATIENCE })
    expect((await deliveriesOf(boss))[0]?.answer).toBe(
      'La dirección es de una red privada, y este servidor no llama a esas.',
    )
    expect(heard).toHaveLength(before)
  } finally {
    process.env.ALLOW_PRIVATE_CALLS = '1'
  }
})
