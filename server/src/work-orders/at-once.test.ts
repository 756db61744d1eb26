import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Endpoint, type Failure, formatQuery, pathOf } from '#contract/base/wire.ts'
import type { Supply } from '#contract/supplies/supplies.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { type Board, type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import { WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES, type WorkOrderStatus } from '#contract/work-orders/states.ts'
import { Random } from '../../seeds/random.ts'
import { type Member, times } from '../../test/given.ts'
import { type Answer, type Args, openHouse, testLog } from '../../test/house.ts'
import { brokenInvariants } from '../../test/invariants.ts'
import { until } from '../../test/listen.ts'
import { sized } from '../../test/sized.ts'
import { type App, createApp } from '../app.ts'

/** Two instances of the product on one database, over HTTP. */

const house = openHouse()
let second: App
let addresses: string[]
beforeAll(async () => {
  second = await createApp({ databaseUrl: house.url, checkReplies: true, log: testLog })
  addresses = await Promise.all([house.app, second].map((app) => app.listen('127.0.0.1', 0)))
})
afterAll(() => second.close())

let turn = 0
async function send<E extends Endpoint>(
  who: Member,
  e: E,
  { params, query = {}, body, signal, to }: Args<E> & { signal?: AbortSignal; to?: string } = {},
): Promise<Answer<E>> {
  const response = await fetch(`${to ?? addresses[turn++ % 2]}/api${pathOf(e, params)}${formatQuery(query)}`, {
    method: e.method,
    headers: {
      authorization: `Bearer ${who.token}`,
      'x-company-id': String(who.company_id),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  const answer = (response.status === 204 ? undefined : await response.json()) as Answer<E>['body'] & Failure
  return { status: response.status, body: answer, failure: answer, headers: {} }
}

/** Runs `work` until `count` is used up, from many clients at once. */
async function fromMany(clients: number, count: number, work: (client: number, n: number) => Promise<unknown>) {
  let done = 0
  await Promise.all(
    times(clients, async (client) => {
      for (let n = done++; n < count; n = done++) await work(client, n)
    }),
  )
}

const placesOn = (board: Board) =>
  Object.values(board).flatMap(({ data }) => data.map(({ id, status, position }) => `${status} ${position} ${id}`))

it('100 clients move cards among 1.000 on two instances: one board, every card once', {
  timeout: 300_000,
}, async () => {
  const chief = await house.given.member({ role: 'admin' })
  const truck = await house.given.truck(chief)
  // As the product would write them, and all as close together as they can be.
  const { rows } = await house.owner.query<{ id: string }>(
    `with o as (
       insert into work_orders (company_id, workshop_id, number, status, position, truck_id, has_warehouse, planned, place, priority)
       select $1, $2, n, 'PENDING', n, $3, false, false, 'WORKSHOP', 'medium' from generate_series(1, 1000) n returning *)
     insert into work_order_costs (company_id, id, workshop_id, truck_id, created_at, supplies_cost, services_cost, type_maintenance_id, planned, place, priority)
     select company_id, id, workshop_id, truck_id, created_at, 0, 0, type_maintenance_id, planned, place, priority from o returning id`,
    [chief.company_id, chief.workshop_id, truck.id],
  )
  const ids = rows.map(({ id }) => Number(id))
  const moves = sized(150, 500)
  const random = new Random('cards')
  const answers = new Map<number, number>()
  await fromMany(100, moves, async () => {
    const id = random.pick(ids)
    const status = random.pick(WORK_ORDER_STATUS_NAMES)
    const kind = random.next()
    // A place somebody else is likely to want, the whole top of a column by index, or no place at all.
    const positions =
      kind < 0.6
        ? [{ id, position: random.int(1, 1000) }]
        : kind < 0.7
          ? [id, ...random.shuffle(ids).slice(0, 20)].map((each, position) => ({ id: each, position }))
          : []
    const answer =
      kind > 0.95
        ? await send(chief, workOrders.syncCards, {
            body: {
              works_orders: random
                .shuffle(ids)
                .slice(0, 10)
                .map((each) => ({ id: each, status, position: random.int(1, 50) })),
            },
          })
        : await send(chief, workOrders.moveWorkOrder, { params: { id }, body: { status, positions } })
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
  })
  expect([...answers]).toEqual([[200, moves]])
  const boards = await Promise.all([1, 2].map(() => send(chief, workOrders.workOrderBoard)))
  const [one, other] = boards.map(({ body }) => placesOn(body))
  expect(one).toEqual(other)
  expect(one).toHaveLength(1000)
  expect(new Set(one!.map((place) => place.split(' ')[2])).size).toBe(1000)
  expect(new Set(one!.map((place) => place.split(' ').slice(0, 2).join(' '))).size).toBe(1000)
  for (const [status, { group }] of Object.entries(WORK_ORDER_STATES))
    expect(boards[0]!.body[group].data.every((card) => card.status === (status as WorkOrderStatus))).toBe(true)
})

interface Ground {
  chief: Member
  truck_id: number
  supplies: Supply[]
  bodegas: number[]
}
async function ground(stock: number): Promise<Ground> {
  const chief = await house.given.member({ role: 'admin' })
  const supplies = [await house.given.supply(chief), await house.given.supply(chief), await house.given.supply(chief)]
  const entries = supplies.map((supply, i): [Supply, number, number] => [supply, stock, [33.3333, 7.1, 1250.0001][i]!])
  const bodegas = [
    (await house.given.warehouse(chief, { stock: entries })).id,
    (await house.given.warehouse(chief, { stock: entries })).id,
  ]
  return { chief, truck_id: (await house.given.truck(chief)).id, supplies, bodegas }
}
const bodyOf = ({ chief, truck_id, bodegas }: Ground, supplies: object[], warehouse_id = bodegas[0]) => ({
  workshop_id: chief.workshop_id,
  truck_id,
  warehouse_id,
  supplies,
})
const stockOf = async ({ chief }: Ground, warehouse: number) =>
  (await send(chief, warehouses.listStock, { params: { warehouse } })).body.data.map(({ stock }) => stock)

it('gives the last unit to exactly one of fifty orders', async () => {
  const place = await ground(1)
  const supplies = place.supplies.map(({ id }) => ({ supply_id: id, count: 1 }))
  const answers = await Promise.all(
    times(50, (i) =>
      send(place.chief, workOrders.createWorkOrderWithWarehouse, {
        body: bodyOf(place, i % 2 ? supplies : [...supplies].reverse()),
      }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 422]))
  const { body } = await send(place.chief, workOrders.listWorkOrders)
  expect(body.data.map(({ code }) => code)).toEqual(['OT-000001'])
})

it('whatever eight clients save at once, the ledger of each order is its lines', async () => {
  const place = await ground(60)
  const { chief } = place
  const orders: WorkOrder[] = []
  for (let i = 0; i < 6; i++)
    orders.push((await send(chief, workOrders.createWorkOrderWithWarehouse, { body: bodyOf(place, []) })).body)
  const statuses = new Map<number, number>()
  const random = new Random('saves')
  const lines = () =>
    random
      .shuffle(place.supplies)
      .slice(0, random.int(0, 3))
      .map(({ id }) => ({
        supply_id: id,
        count: random.chance(0.5) ? random.int(1, 15) : random.int(1, 150_000) / 10_000,
      }))
  await fromMany(8, sized(80, 200), async () => {
    const at = random.int(0, orders.length - 1)
    const params = { id: orders[at]!.id }
    const chance = random.next()
    const answer =
      chance < 0.03
        ? await send(chief, workOrders.deleteWorkOrder, { params })
        : chance < 0.08
          ? await send(chief, workOrders.updateWorkOrder, {
              params,
              body: { ...bodyOf(place, []), has_warehouse: false },
            })
          : await send(chief, workOrders.updateWorkOrderWithWarehouse, {
              params,
              body: bodyOf(place, lines(), random.pick(place.bodegas)),
            })
    if (answer.status === 204)
      orders[at] = (await send(chief, workOrders.createWorkOrderWithWarehouse, { body: bodyOf(place, []) })).body
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  })
  // 404: somebody deleted it a moment ago.
  expect([...statuses.keys()].every((status) => [200, 204, 404, 422].includes(status))).toBe(true)
  expect(statuses.get(200)).toBeGreaterThan(sized(20, 50))
  expect(await brokenInvariants(house.owner)).toEqual([])
  // Nothing was made or lost on the way: what all give back is what there was.
  for (const { id } of orders)
    await send(chief, workOrders.updateWorkOrderWithWarehouse, { params: { id }, body: bodyOf(place, []) })
  for (const bodega of place.bodegas) expect(await stockOf(place, bodega)).toEqual([60, 60, 60])
})

it('a save that breaks off in the middle leaves all of it or nothing', async () => {
  const place = await ground(1000)
  const { chief } = place
  const { body: order } = await send(chief, workOrders.createWorkOrderWithWarehouse, { body: bodyOf(place, []) })
  const random = new Random('breaks')
  // It says nothing of the lines that are cut.
  const third = await createApp({ databaseUrl: house.url })
  const to = await third.listen('127.0.0.1', 0)
  for (let i = 0; i < sized(16, 40); i++) {
    const supplies = place.supplies.map(({ id }) => ({ supply_id: id, count: random.int(1, 20) }))
    const abort = new AbortController()
    const saving = send(chief, workOrders.updateWorkOrderWithWarehouse, {
      params: { id: order.id },
      body: bodyOf(place, supplies),
      signal: abort.signal,
      to,
    }).catch(() => undefined)
    // A random moment of the save is the subject.
    await new Promise((r) => setTimeout(r, random.int(0, 30)))
    // Either the browser goes away, or the line to the database is cut under the transaction.
    if (i % 2) abort.abort()
    else
      await house.owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and xact_start is not null and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
    const answer = await saving
    if (answer) expect([200, 503]).toContain(answer.status)
    const { rows } = await house.owner.query(
      `select s.supply_id from stock s
       left join work_order_supplies l on l.company_id = s.company_id and l.supply_id = s.supply_id and l.work_order_id = $2
       where s.warehouse_id = $1 and s.on_hand <> 1000 - coalesce(l.count, 0)`,
      [place.bodegas[0], order.id],
    )
    expect(rows).toEqual([])
  }
  await third.close()
  expect(await brokenInvariants(house.owner)).toEqual([])
})

it('a late invoice and a save of the order that used its supply never wait for each other in a circle', async () => {
  const chief = await house.given.member({ role: 'super-admin' })
  const [oil, filter] = [await house.given.supply(chief), await house.given.supply(chief)]
  const bodega = await house.given.warehouse(chief)
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const enter = (ago: number) =>
    send(chief, warehouses.recordTransaction, {
      body: {
        warehouse_id: bodega.id,
        type: 'entry',
        transaction: { typeTrasactionId: 1, date: day(ago) },
        supplies: [oil, filter].map(({ id }) => ({ supply_id: id, quantity: 100, unit_cost: 100 + ago })),
      },
    })
  expect((await enter(9)).status).toBe(201)
  const order = await house.given.workOrder(chief, {
    has_warehouse: true,
    warehouse_id: bodega.id,
    supplies: [{ supply_id: oil.id, count: 1 }],
  })
  const save = (n: number) =>
    send(chief, workOrders.updateWorkOrder, {
      params: { id: order.id },
      body: {
        supplies: [
          { supply_id: oil.id, count: 1 + (n % 3) },
          { supply_id: filter.id, count: 1 + (n % 2) },
        ],
      },
    })
  const statuses: number[] = []
  await fromMany(6, 24, async (client, n) => {
    statuses.push((await (client % 2 ? save(n) : enter(1 + (n % 7)))).status)
  })
  expect(new Set(statuses)).toEqual(new Set([200, 201]))
  // A connection reports what it counted when it ends: both instances open new ones.
  const serving = `datname = current_database() and usename <> current_user`
  const { rows: before } = await house.owner.query(
    `select pid, pg_terminate_backend(pid) from pg_stat_activity where ${serving}`,
  )
  const pids = before.map(({ pid }) => pid)
  expect(pids.length).toBeGreaterThan(0)
  await until(
    async () => (await house.owner.query('select from pg_stat_activity where pid = any($1)', [pids])).rowCount === 0,
  )
  const { rows } = await house.owner.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  expect(Number(rows[0]!.deadlocks)).toBe(0)
})
