import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import type { WorkOrderStatus } from '#contract/work-orders/states.ts'
import { type Member, times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { spend } from '../../test/spending.ts'
import { listStays } from './stay-lists.ts'

const house = openHouse()
let owner: Member
let chief: Member
let trucks: { id: number }[]

const DAY = 86_400_000
/** The same numbers every time. */
let seed = 7
const below = (most: number) => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % most
}
const query = (text: string, ...values: unknown[]) => house.owner.query(text, [owner.company_id, ...values])
const list = () => listStays(house.app.database, owner.company_id)

beforeAll(async () => {
  const { given } = house
  owner = await given.member({ role: 'super-admin' })
  chief = await given.member({ company_id: owner.company_id })
  await given.setting(owner.company_id, 'has_warehouse', false)
  await given.setting(owner.company_id, 'shared_fleet', true)
  trucks = await Promise.all([owner, owner, chief, chief].map((who) => given.truck(who)))
  await query(
    `with type as (insert into truck_types (company_id, name) values ($1, 'Tolva') returning id)
     update trucks set created_at = '2020-01-01', type_of_truck_id = type.id from type where company_id = $1`,
  )
  // One was registered later, one retired, one away for a while.
  await query(`update trucks set created_at = '2026-02-10' where company_id = $1 and id = $2`, trucks[1]!.id)
  await query(
    `update trucks set retired_at = '2026-06-10', state = 'inactive' where company_id = $1 and id = $2`,
    trucks[2]!.id,
  )
  await query(`update trucks set away = '{[2026-03-05,2026-03-09)}' where company_id = $1 and id = $2`, trucks[3]!.id)
  const { rows: types } = await query(
    `insert into maintenance_types (company_id, code, name)
     select $1, code, code from unnest(array['CORRECTIVE', 'PREVENTIVE', 'OTHER']) code returning id`,
  )
  for (let n = 0; n < 90; n++) {
    const entry = Date.UTC(2025, 8, 1) + below(300) * DAY + below(DAY)
    const length = n % 12 === 0 ? (50 + below(60)) * DAY + below(DAY) : below(5 * DAY)
    const id = await spend(house, owner, {
      truck_id: trucks[below(4)]!.id,
      workshop_id: below(2) === 0 ? owner.workshop_id : chief.workshop_id,
      planned: below(2) === 0,
      entry: new Date(entry).toISOString(),
      ...(n % 9 > 0 && { departure: new Date(entry + length).toISOString() }),
    })
    if (n % 3 > 0)
      await query(
        `with orders as (update work_orders set type_maintenance_id = $3 where company_id = $1 and id = $2)
         update work_order_costs set type_maintenance_id = $3 where company_id = $1 and id = $2`,
        id,
        types[below(types.length)]!.id,
      )
    const at = (part: number) => new Date(entry + (length * part) / 10)
    if (n % 4 < 2)
      await query(
        `insert into works (company_id, work_order_id, description, priority, hours, start_time, end_time)
         values ($1, $2, 'Frenos', 'medium', $3, null, null), ($1, $2, 'Luces', 'medium', null, $4, $5)`,
        id,
        below(80) / 10,
        at(2),
        n % 8 === 0 ? null : at(6),
      )
    if (n % 5 === 1)
      await query(
        'insert into work_order_waits (company_id, work_order_id, from_at, until_at) values ($1, $2, $3, $4)',
        id,
        at(4),
        at(9),
      )
  }
  await list()
})

const PERIODS = ['2025-10-01,2026-09-30', '2026-03-01,2026-03-31', '2026-01-15,2026-07-03', '2020-01-01,2027-12-31']
/** Everything that is asked of stays, as whoever asks; what hours that were only noted come to depends on their order, by a hair. */
async function said() {
  const found: unknown[] = []
  for (const who of [owner, chief]) {
    for (const BetweenDate of PERIODS) {
      const filter = { BetweenDate }
      found.push((await house.call(who, reports.availability, { query: { filter } })).body)
      for (const more of [{}, { Planned: ['true'] }, { Planned: ['false'] }] as const)
        for (const sort of ['-from', 'hours'] as const)
          found.push(
            (
              await house.call(who, reportRows.stopRows, {
                query: { filter: { ...filter, ...more }, sort, per_page: 100 },
              })
            ).body,
          )
    }
    const WorkshopId = [chief.workshop_id]
    const filter = { BetweenDate: PERIODS[0]!, CompareDate: '2025-01-01,2025-03-31', WorkshopId }
    found.push((await house.call(who, reports.availability, { query: { filter } })).body)
    found.push((await house.call(who, reports.truckSummary, { params: { id: trucks[0]!.id } })).body)
  }
  return JSON.parse(JSON.stringify(found, (_, value) => (typeof value === 'number' ? Number(value.toFixed(8)) : value)))
}

/** What lists say is what the orders say. */
async function agree() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  try {
    const listed = await said()
    await query(`update stay_lists set month = '0' || month where company_id = $1`)
    const read = await said()
    await query(`update stay_lists set month = substr(month, 2) where company_id = $1`)
    expect(listed).toEqual(read)
  } finally {
    vi.useRealTimers()
  }
}
/** Before and after they are made again. */
async function agreeTwice() {
  await agree()
  await list()
  await agree()
}

const stopsOf = async (who = owner) =>
  (await house.call(who, reportRows.stopRows, { query: { filter: { BetweenDate: PERIODS[3]! } } })).body.total
const orderOf = async (id: number) => (await house.call(owner, workOrders.getWorkOrder, { params: { id } })).body
const edit = async (id: number, more: object) => {
  const { status, body } = await house.call(owner, workOrders.updateWorkOrder, { params: { id }, body: more as never })
  expect([status, status === 200 ? '' : body]).toEqual([200, ''])
  return body
}
const goTo = async (id: number, status: WorkOrderStatus) =>
  expect((await house.call(owner, workOrders.moveWorkOrder, { params: { id }, body: { status } })).status).toBeLessThan(
    300,
  )
const made = (entry: string, departure: string | null, more: object = {}) =>
  house.given.workOrder(owner, {
    truck_id: trucks[0]!.id,
    has_warehouse: false,
    workshop_entry_at: entry,
    workshop_departure_at: departure,
    ...more,
  })

it('lists say what orders say, to everyone, of every period', async () => {
  await agree()
  const { rows } = await query('select month, stays from stay_lists where company_id = $1 and workshop_id <> 0')
  expect(rows.length).toBeGreaterThan(15)
  // It is the lists that are asked.
  const all = await stopsOf()
  await query(
    `update stay_lists set stays = '', orders = '', works = '', waits = '' where company_id = $1 and month = '2026-03'`,
  )
  expect(await stopsOf()).toBeLessThan(all)
  await query(`update stay_lists set made_at = '2026-01-01' where company_id = $1 and month = '2026-03'`)
  // One that is old is made again.
  await list()
  expect(await stopsOf()).toBe(all)
})

it('an order that is finalized is counted once, before and after its month is listed', async () => {
  const order = await made('2026-04-02T10:00:00.000Z', '2026-04-05T10:00:00.000Z', {
    works: [{ description: 'Frenos', hours: 3 }],
  })
  const all = await stopsOf()
  await agreeTwice()
  await goTo(order.id, 'IN_PROCESS')
  await agreeTwice()
  await goTo(order.id, 'FINALIZED')
  expect(await stopsOf()).toBe(all)
  await agreeTwice()
  expect(await stopsOf()).toBe(all)
})

it('one that is opened again is what it says now: otherwise dated, of another truck, worked on, or deleted', async () => {
  const first = await made('2026-05-02T10:00:00.000Z', '2026-05-05T10:00:00.000Z')
  const second = await made('2026-05-07T10:00:00.000Z', '2026-05-08T10:00:00.000Z')
  for (const { id } of [first, second]) {
    await goTo(id, 'IN_PROCESS')
    await goTo(id, 'FINALIZED')
  }
  await list()
  const all = await stopsOf()
  await goTo(first.id, 'IN_PROCESS')
  await agree()
  await edit(first.id, { workshop_departure_at: '2026-06-20T09:30:00.123Z', truck_id: trucks[3]!.id, planned: true })
  await agree()
  await edit(first.id, { works: [{ description: 'Luces', hours: 4, priority: 'medium' }] })
  await agree()
  await goTo(first.id, 'FINALIZED')
  await agreeTwice()
  expect((await orderOf(first.id)).workshop_departure_at).toBe('2026-06-20T09:30:00.123Z')
  expect(await stopsOf()).toBe(all)

  await goTo(second.id, 'PENDING')
  await list()
  await agree()
  expect((await house.call(owner, workOrders.deleteWorkOrder, { params: { id: second.id } })).status).toBe(204)
  await agreeTwice()
  expect(await stopsOf()).toBe(all - 1)
})

it('one that is opened again and deleted before its month is listed is gone', async () => {
  const order = await made('2026-05-12T10:00:00.000Z', '2026-05-13T10:00:00.000Z')
  await goTo(order.id, 'IN_PROCESS')
  await goTo(order.id, 'FINALIZED')
  await list()
  const all = await stopsOf()
  await goTo(order.id, 'PENDING')
  expect((await house.call(owner, workOrders.deleteWorkOrder, { params: { id: order.id } })).status).toBe(204)
  expect(await stopsOf()).toBe(all - 1)
  await agreeTwice()
})

it('a type of maintenance that becomes another kind takes what is listed along', async () => {
  const swap = () =>
    query(
      `update maintenance_types set code = case code when 'CORRECTIVE' then 'X' when 'X' then 'CORRECTIVE' else code end where company_id = $1`,
    )
  await swap()
  await agree()
  await swap()
})

it('lists made while orders are finalized and opened hide none, and tell none twice', async () => {
  const orders = await Promise.all(times(4, () => made('2026-07-02T10:00:00.000Z', '2026-07-03T10:00:00.000Z')))
  const all = await stopsOf()
  let isDone = false
  const seen = new Set<number>()
  const listing = (async () => {
    while (!isDone) {
      await list()
      seen.add(await stopsOf())
    }
  })()
  try {
    for (const status of ['IN_PROCESS', 'FINALIZED', 'IN_PROCESS', 'FINALIZED'] as const)
      await Promise.all(orders.map(({ id }) => goTo(id, status)))
  } finally {
    isDone = true
    await listing
  }
  expect([...seen]).toEqual([all])
  await agreeTwice()
})

afterAll(() => {
  vi.useRealTimers()
})
