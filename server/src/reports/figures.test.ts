import { beforeAll, describe, expect, it } from 'vitest'
import type { Truck } from '#contract/fleet/fleet.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { periodBefore, periodOf, yearBefore } from '#contract/reports/periods.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { spend } from '../../test/spending.ts'

/*
 * March 2026, worked out by hand.
 *
 *             supplies                          services
 * OT 1  T1    filter 10.000 on the 5th          alignment 50.000 of the 30th, invoiced on 2 April
 *             oil    24.000 on the 31st 23:30   towing    80.000 of 27 February, invoiced on 3 March
 * OT 2  T2    filter  5.000 on 1 March 00:10    alignment 20.000 on the 10th
 * OT 3  T1    bolt    1.000 on 28 February
 * OT 4  T3, of the other workshop: filter 7.000 on the 15th
 *
 * T1: 34.000 + 80.000; T2: 5.000 + 20.000; T3: 7.000.  February: T1 1.000.
 */

const house = openHouse()
const MARCH = '2026-03-01,2026-03-31'

let chief: Member
let owner: Member
let other: Member
let trucks: Truck[]
let filters: { id: number }
let garage: { id: number }
let tow: { id: number }
const orders: number[] = []
let supplies: number[]

beforeAll(async () => {
  const { given } = house
  owner = await given.member({ role: 'super-admin' })
  chief = await given.member({ company_id: owner.company_id, workshop_id: owner.workshop_id })
  other = await given.member({ company_id: owner.company_id })
  const north = await given.costCenter(owner, 'Norte')
  trucks = [
    await given.truck(chief, { cost_center_id: north.id, mileage: 0 }),
    await given.truck(chief, { mileage: 0 }),
    await given.truck(other, { mileage: 0 }),
  ]
  filters = await given.category(chief, 'Filtros')
  const filter = await given.supply(chief, { category_id: filters.id })
  const oil = await given.supply(chief, { category_id: (await given.category(chief, 'Lubricantes')).id })
  const bolt = await given.supply(chief)
  const otherFilter = await given.supply(other)
  supplies = [filter.id, oil.id, bolt.id]
  garage = await given.provider(chief)
  tow = await given.provider(chief)
  const alignment = await given.service(chief, { provider_id: garage.id })
  const towing = await given.service(chief, { provider_id: tow.id })
  const [t1, t2, t3] = trucks as [Truck, Truck, Truck]
  orders.push(
    await spend(house, chief, {
      truck_id: t1.id,
      supplies: [
        { supply_id: filter.id, count: 2, amount: 10_000, at: '2026-03-05T15:00:00Z' },
        // 31 March 23:30 in Santiago, already April in Greenwich.
        { supply_id: oil.id, count: 4.5, amount: 24_000, at: '2026-04-01T02:30:00Z' },
      ],
      services: [
        { provider_id: garage.id, service_id: alignment.id, amount: 50_000, at: '2026-03-30T15:00:00Z' },
        { provider_id: tow.id, service_id: towing.id, amount: 80_000, at: '2026-02-27T15:00:00Z' },
      ],
      invoices: [
        { provider_id: garage.id, date: '2026-04-02' },
        { provider_id: tow.id, date: '2026-03-03' },
      ],
    }),
    await spend(house, chief, {
      truck_id: t2.id,
      supplies: [{ supply_id: filter.id, count: 1, amount: 5_000, at: '2026-03-01T03:10:00Z' }],
      services: [{ provider_id: garage.id, service_id: alignment.id, amount: 20_000, at: '2026-03-10T15:00:00Z' }],
    }),
    await spend(house, chief, {
      truck_id: t1.id,
      // 28 February 23:50.
      supplies: [{ supply_id: bolt.id, count: 10, amount: 1_000, at: '2026-03-01T02:50:00Z' }],
    }),
    await spend(house, other, {
      truck_id: t3.id,
      supplies: [{ supply_id: otherFilter.id, count: 1, amount: 7_000, at: '2026-03-15T15:00:00Z' }],
    }),
  )
  // Meters: T1 1.000 km before March, 3.500 in it; T2 is first read in March.
  for (const [truck, date, km] of [
    [t1, '2026-02-10T12:00:00Z', 1000],
    [t1, '2026-03-20T12:00:00Z', 3500],
    [t1, '2026-04-02T12:00:00Z', 9000],
    [t2, '2026-03-02T12:00:00Z', 100],
    [t2, '2026-03-30T12:00:00Z', 1100],
  ] as const)
    await house.owner.query(
      `insert into truck_readings (company_id, truck_id, date, km, source) values ($1, $2, $3, $4, 'manual')`,
      [owner.company_id, truck.id, date, km],
    )
  await house.owner.query(`delete from truck_readings where company_id = $1 and initial`, [owner.company_id])
  await house.owner.query(
    `update trucks t set mileage = (select max(km) from truck_readings r where r.company_id = t.company_id and r.truck_id = t.id)
     where t.company_id = $1 and exists (select 1 from truck_readings r where r.company_id = t.company_id and r.truck_id = t.id)`,
    [owner.company_id],
  )
  await house.owner.query(
    `insert into truck_readings (company_id, truck_id, date, km, source) values ($1, $2, '2020-01-01', 0, 'manual')`,
    [owner.company_id, t3.id],
  )
})

const march = (more: object = {}) => ({ query: { filter: { BetweenDate: MARCH, ...more } } })

describe('expenses of March', () => {
  it('by truck, with kilometres, and by cost centre', async () => {
    const { body } = await house.call(owner, reports.expensesByTruck, march())
    expect(
      body.data.map((t) => [t.truck_id, t.orders, t.supplies_cost, t.services_cost, t.total_cost, t.before_cost]),
    ).toEqual([
      [trucks[0]!.id, 1, 34_000, 80_000, 114_000, 1_000],
      [trucks[1]!.id, 1, 5_000, 20_000, 25_000, 0],
      [trucks[2]!.id, 1, 7_000, 0, 7_000, 0],
    ])
    expect(body.data.map((t) => [t.kilometers, t.cost_per_km])).toEqual([
      [2500, 45.6],
      [1000, 25],
      [0, null],
    ])
    expect(body.totals).toEqual({
      orders: 3,
      budget: null,
      supplies_cost: 46_000,
      services_cost: 100_000,
      total_cost: 146_000,
      labour: null,
      total_with_labour: null,
      before_cost: 1_000,
      before_with_labour: null,
      kilometers: 3500,
      cost_per_km: 41.71,
      cost_per_km_with_labour: null,
    })
    expect(body.cost_centers.map((c) => [c.cost_center, c.trucks, c.total_cost, c.kilometers, c.cost_per_km])).toEqual([
      ['Norte', 1, 114_000, 2500, 45.6],
      [null, 2, 32_000, 1000, 32],
    ])
    expect([body.range, body.before]).toEqual([
      { from: '2026-03-01', to: '2026-03-31' },
      { from: '2026-02-01', to: '2026-02-28' },
    ])
  })

  it('kilometres open the two readings they are the difference of, orders open themselves', async () => {
    const ask = async (more: object, page: object = {}) =>
      (
        await house.call(owner, reportRows.kilometerRows, {
          query: { filter: { BetweenDate: MARCH, ...more }, ...page },
        })
      ).body
    const whole = await ask({})
    expect(whole.data.map((t) => [t.truck_id, t.to_km - t.from_km, t.kilometers])).toEqual([
      [trucks[0]!.id, 2500, 2500],
      [trucks[1]!.id, 1000, 1000],
    ])
    expect([whole.total, whole.totals]).toEqual([2, { kilometers: 3500 }])
    expect(whole.data.every(({ from_at, to_at }) => from_at < to_at && to_at < '2026-04-01T03:00:00')).toBe(true)
    const second = await ask({}, { page: 2, per_page: 1, sort: 'kilometers' })
    expect([second.data.map((t) => t.truck_id), second.totals]).toEqual([[trucks[0]!.id], { kilometers: 3500 }])
    expect((await ask({ CostCenter: ['none'] })).totals).toEqual({ kilometers: 1000 })
    expect((await ask({ Truck: [trucks[2]!.id] })).data).toEqual([])

    const orders = async (more: object) => (await house.call(owner, reportRows.orderRows, march(more))).body
    expect([(await orders({})).total, (await orders({})).totals]).toEqual([3, { amount: 146_000 }])
    const loose = await orders({ CostCenter: ['none'] })
    expect(loose.data.map((o) => [o.truck_id, o.amount]).sort()).toEqual(
      [
        [trucks[1]!.id, 25_000],
        [trucks[2]!.id, 7_000],
      ].sort(),
    )
  })

  it('by provider, purchases in their own columns', async () => {
    const warehouse = await house.given.warehouse(chief)
    const bought = await house.given.entry(chief, {
      warehouse_id: warehouse.id,
      transaction: { date: '2026-03-12', providerId: garage.id },
      supplies: [{ supply_id: supplies[0], quantity: 2, unit_cost: 1000 }],
    })
    const { body } = await house.call(owner, reports.expensesByProvider, march())
    const lines = body.data.map((p) => [p.provider_id, p.services, p.services_cost, p.purchases_net, p.purchases_total])
    expect(lines).toEqual([
      [tow.id, 1, 80_000, 0, 0],
      [garage.id, 1, 20_000, 2000, 2380],
    ])
    expect(body.totals.services_cost).toBe(100_000)
    const entries = await house.call(owner, reportRows.entryRows, march({ Provider: [garage.id] }))
    expect(entries.body.data.map(({ id }) => id)).toEqual([bought.id])
    expect(entries.body.totals).toEqual({ subtotal: 2000, total: 2380 })
  })

  it('by order and by month', async () => {
    const { body } = await house.call(owner, reports.historicalExpenses, march())
    expect(body.data.map((o) => [o.work_order_id, o.supplies_cost, o.services_cost])).toEqual([
      [orders[0], 34_000, 80_000],
      [orders[1], 5_000, 20_000],
      [orders[3], 7_000, 0],
    ])
    expect(body.months).toEqual([
      {
        month: '2026-03',
        supplies_cost: 46_000,
        services_cost: 100_000,
        total_cost: 146_000,
        labour: null,
        total_with_labour: null,
      },
    ])
    expect([body.total, body.totals.total_cost, body.totals.before_cost]).toEqual([3, 146_000, 1_000])
    const year = await house.call(owner, reports.historicalExpenses, {
      query: { filter: { BetweenDate: '2026-02-01,2026-04-30' } },
    })
    expect(year.body.months.map((m) => m.total_cost)).toEqual([1_000, 146_000, 50_000])
  })

  it('by category; what has none is a row too, services are beside them', async () => {
    const { body } = await house.call(owner, reports.expensesByCategory, march())
    expect(body.data.map((c) => [c.category, c.lines, c.amount, c.before])).toEqual([
      ['Lubricantes', 1, 24_000, 0],
      ['Filtros', 2, 15_000, 0],
      [null, 1, 7_000, 1_000],
    ])
    expect(body.totals).toMatchObject({ supplies_cost: 46_000, services_cost: 100_000, total_cost: 146_000 })
  })

  it('by category and month, for the chosen years', async () => {
    const { body } = await house.call(owner, reports.expensesByMonth, { query: { filter: { BetweenYear: '2026' } } })
    expect(body.months).toHaveLength(12)
    expect(body.totals.amounts.slice(0, 5)).toEqual([0, 1_000, 146_000, 50_000, 0])
    const services = body.data.find(({ kind }) => kind === 'service')
    expect(services?.amounts.slice(1, 4)).toEqual([0, 100_000, 50_000])
    const next = await house.call(owner, reports.expensesByMonth, { query: { filter: { BetweenYear: '2027,2027' } } })
    expect([next.body.totals.total, next.body.before.total]).toEqual([0, 197_000])
  })

  it('by category and month, and by truck, also where a credit note took back more than was spent', async () => {
    const { given } = house
    const boss = await given.member({ role: 'super-admin' })
    const [truck, service] = [await given.truck(boss), await given.service(boss)]
    const { provider_id } = service
    await spend(house, boss, {
      truck_id: truck.id,
      services: [{ provider_id, service_id: service.id, amount: 1_000, at: '2024-12-05T15:00:00Z' }],
      invoices: [{ provider_id, date: '2024-12-05' }],
    })
    const found = await house.owner.query<{ id: string }>('select id from invoices where provider_id = $1', [
      provider_id,
    ])
    const noted = await house.call(boss, workOrderParts.createInvoiceNote, {
      params: { id: Number(found.rows[0]!.id) },
      body: { kind: 'credit', document: 'NC-1', date: '2025-04-05', amount: 400, confirm_old: true },
    })
    expect(noted.status).toBe(201)
    const query = { filter: { BetweenYear: '2025,2025' } }
    const { body } = await house.call(boss, reports.expensesByMonth, { query })
    expect(body.data.map(({ kind, total }) => [kind, total])).toEqual([['service', -400]])
    expect(body.totals.total).toBe(-400)
    const before = { filter: { BetweenDate: '2025-05-01,2025-05-31', CompareDate: '2025-04-01,2025-04-30' } }
    const { data, totals } = (await house.call(boss, reports.expensesByTruck, { query: before })).body
    expect([data.map(({ before_cost }) => before_cost), totals.before_cost]).toEqual([[-400], -400])
  })

  it('supplies by truck', async () => {
    const chart = await house.call(owner, reports.chartSuppliesByTruck, march())
    expect(chart.body.data.map((t) => [t.truck_id, t.count, t.amount, t.before])).toEqual([
      [trucks[0]!.id, 6.5, 34_000, 1_000],
      [trucks[2]!.id, 1, 7_000, 0],
      [trucks[1]!.id, 1, 5_000, 0],
    ])
    const { body } = await house.call(owner, reports.listSuppliesByTruck, march({ Truck: [trucks[0]!.id] }))
    expect(body.data.map((s) => [s.supply_id, s.count, s.amount])).toEqual([
      [supplies[1], 4.5, 24_000],
      [supplies[0], 2, 10_000],
    ])
    expect(body.totals).toEqual({ count: 6.5, amount: 34_000 })
  })

  it('each figure opens the lines behind it', async () => {
    const rows = async (filter: object) => (await house.call(owner, reportRows.expenseRows, march(filter))).body
    expect((await rows({})).totals.amount).toBe(146_000)
    const ofTruck = await rows({ Truck: [trucks[0]!.id] })
    expect(ofTruck.data.map((r) => [r.kind, r.work_order_id, r.day, r.amount])).toEqual([
      ['supply', orders[0], '2026-03-31', 24_000],
      ['supply', orders[0], '2026-03-05', 10_000],
      ['service', orders[0], '2026-03-03', 80_000],
    ])
    expect((await rows({ Category: [filters.id] })).totals.amount).toBe(15_000)
    expect((await rows({ Category: ['none'] })).totals.amount).toBe(7_000)
    expect((await rows({ CostCenter: ['none'] })).totals.amount).toBe(32_000)
    expect((await rows({ Provider: [garage.id] })).totals.amount).toBe(20_000)
    expect((await rows({ Kind: ['service'], Truck: [trucks[1]!.id] })).totals.amount).toBe(20_000)
    expect((await rows({ Supply: [supplies[0]] })).totals).toEqual({ count: 3, amount: 15_000 })
  })
})

describe('who sees what', () => {
  it('holds everyone to their workshop, whatever they ask for', async () => {
    for (const filter of [{}, { WorkshopId: [other.workshop_id] }]) {
      const { body } = await house.call(chief, reports.expensesByTruck, march(filter))
      expect(body.totals.total_cost).toBe(139_000)
      expect((await house.call(chief, reportRows.expenseRows, march(filter))).body.totals.amount).toBe(139_000)
      expect((await house.call(chief, reports.expensesByCategory, march(filter))).body.totals.total_cost).toBe(139_000)
    }
    const { body } = await house.call(owner, reports.expensesByTruck, march({ WorkshopId: [other.workshop_id] }))
    expect(body.totals.total_cost).toBe(7_000)
    const stranger = await house.given.member({ role: 'super-admin' })
    expect((await house.call(stranger, reports.expensesByTruck, march())).body.totals.total_cost).toBe(0)
  })

  it('shows the storekeeper supplies, not services', async () => {
    const keeper = await house.given.member({
      role: 'warehouse',
      company_id: owner.company_id,
      workshop_id: owner.workshop_id,
    })
    const { totals } = (await house.call(keeper, reports.expensesByCategory, march())).body
    expect(totals.supplies_cost).toBeGreaterThan(0)
    expect([totals.services_cost, totals.total_cost]).toEqual([0, totals.supplies_cost])
    expect((await house.call(keeper, reports.expensesByTruck, march())).status).toBe(403)
    const { body } = await house.call(keeper, reportRows.expenseRows, march())
    expect([...new Set(body.data.map(({ kind }) => kind))]).toEqual(['supply'])
    const summary = await house.call(keeper, reports.summary)
    expect([summary.body.expenses, summary.body.orders, summary.body.stopped]).toEqual([null, null, []])
  })
})

describe('the morning', () => {
  it('spend of this month against last, trucks stopped, stock under its minimum, orders by status', async () => {
    const me = await house.given.member()
    const truck = await house.given.truck(me)
    const supply = await house.given.supply(me)
    const now = new Date().toISOString()
    const id = await spend(house, me, {
      truck_id: truck.id,
      entry: now,
      supplies: [{ supply_id: supply.id, count: 1, amount: 12_345, at: now }],
    })
    await house.given.truck(me)
    const { body } = await house.call(me, reports.summary)
    expect(body.expenses?.total).toBe(12_345)
    expect(body.trucks).toEqual({ active: 2, stopped: 1 })
    expect(body.stopped.map(({ work_order_id }) => work_order_id)).toEqual([id])
    expect(body.orders).toEqual({ PENDING: 0, IN_REVIEW: 0, IN_PROCESS: 1, FINALIZED: 0 })
    expect(body.below_minimum).toBe(0)
  })

  it('a meter corrected downwards counts no kilometres twice', async () => {
    const me = await house.given.member()
    const truck = await house.given.truck(me, { mileage: 1000 })
    const read = (km: number, more: object = {}) =>
      house.call(me, fleet.recordReading, { params: { id: truck.id }, body: { km, ...more } })
    await read(9000)
    await read(1500, { confirm_lower: true })
    const { body } = await house.call(me, reports.expensesByTruck)
    expect(body.data.map(({ kilometers }) => kilometers)).toEqual([500])
    const rows = (await house.call(me, reportRows.kilometerRows)).body.data
    expect(rows.map(({ from_km, to_km }) => [from_km, to_km])).toEqual([[1000, 1500]])
    const stranger = await house.given.member()
    expect((await house.call(stranger, reportRows.kilometerRows)).body.total).toBe(0)
  })
})

describe('periods', () => {
  it('months are compared with months, days with as many days, and what is not over with as much of the last', () => {
    const comparedWith = (between: string, today = '2026-11-15') => {
      const { from, to } = periodBefore(periodOf(between, today), today)
      return `${from},${to}`
    }
    expect(comparedWith('2026-03-01,2026-03-31')).toBe('2026-02-01,2026-02-28')
    expect(comparedWith('2026-02-01,2026-02-28')).toBe('2026-01-01,2026-01-31')
    expect(comparedWith('2026-01-01,2026-03-31')).toBe('2025-10-01,2025-12-31')
    expect(comparedWith('2026-11-01,2026-11-30')).toBe('2026-10-01,2026-10-15')
    expect(comparedWith('2026-11-01,2026-11-15')).toBe('2026-10-01,2026-10-15')
    expect(comparedWith('2026-03-01,2026-03-31', '2026-03-30')).toBe('2026-02-01,2026-02-28')
    expect(comparedWith('2026-03-10,2026-03-19')).toBe('2026-02-28,2026-03-09')
    expect(periodOf(undefined, '2026-11-15')).toEqual({ from: '2026-11-01', to: '2026-11-30' })
    expect(periodOf('2026-03-01 00:00:00,2026-03-31 23:59:59', '2026-11-15')).toEqual({
      from: '2026-03-01',
      to: '2026-03-31',
    })
  })

  it('are compared with any other that is asked for', async () => {
    const yearEarlier = (from: string, to: string) => Object.values(yearBefore({ from, to }, '2026-11-15')).join()
    expect(yearEarlier('2026-11-01', '2026-11-30')).toBe('2025-11-01,2025-11-15')
    expect(yearEarlier('2025-02-01', '2025-02-28')).toBe('2024-02-01,2024-02-29')
    expect(yearEarlier('2024-02-29', '2024-03-31')).toBe('2023-02-28,2023-03-31')
    const query = { filter: { BetweenDate: '2026-03-01,2026-03-31', CompareDate: '2025-03-01,2025-03-31' } }
    for (const endpoint of [
      reports.expensesByTruck,
      reports.expensesByProvider,
      reports.expensesByCategory,
      reports.availability,
    ]) {
      const { body } = await house.call(owner, endpoint, { query })
      expect(body.before).toEqual({ from: '2025-03-01', to: '2025-03-31' })
    }
    const wrong = { filter: { CompareDate: '2025-03-31,2025-03-01' } }
    expect((await house.call(owner, reports.expensesByTruck, { query: wrong })).status).toBe(422)
  })

  it('refuses years that are none', async () => {
    for (const BetweenYear of ['abc', '2026,2025', '2000,2020', '26'])
      expect((await house.call(owner, reports.expensesByMonth, { query: { filter: { BetweenYear } } })).status).toBe(
        422,
      )
  })
})
