import { beforeAll, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { companies } from '#contract/workshops/company.ts'
import { type Member, times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { spend } from '../../test/spending.ts'

const house = openHouse()
let owner: Member
let truck: { id: number }
let supplies: { id: number }[]
let service: { id: number; provider_id: number }
let old: number

beforeAll(async () => {
  const { given } = house
  owner = await given.member({ role: 'super-admin' })
  await given.setting(owner.company_id, 'has_warehouse', false)
  truck = await given.truck(owner)
  supplies = [await given.supply(owner, { category_id: (await given.category(owner)).id }), await given.supply(owner)]
  service = await given.service(owner)
  old = await spend(house, owner, {
    truck_id: truck.id,
    supplies: [
      { supply_id: supplies[0]!.id, count: 1, amount: 10_000, at: '2026-03-10T12:00:00Z' },
      { supply_id: supplies[1]!.id, count: 1, amount: 3_000, at: '2026-05-10T12:00:00Z' },
    ],
    services: [
      { ...{ provider_id: service.provider_id, service_id: service.id }, amount: 7_000, at: '2026-04-10T12:00:00Z' },
    ],
  })
})

const YEAR = { BetweenYear: '2026' }
const THIS_YEAR = { BetweenYear: dayOf(new Date()).slice(0, 4) }
const byMonth = async (filter: object = {}) =>
  (await house.call(owner, reports.expensesByMonth, { query: { filter: { ...YEAR, ...filter } } })).body
/** The same of the only truck. */
const ofTruck = () => byMonth({ Truck: [truck.id] })
const byProvider = async (Truck: number[] = []) =>
  (
    await house.call(owner, reports.expensesByProvider, {
      query: { filter: { BetweenDate: '2026-01-01,2026-12-31', Truck } },
    })
  ).body
it('reports of all trucks and of the only one say the same after every kind of change', async () => {
  const agree = async () => {
    expect(await byMonth()).toEqual(await ofTruck())
    expect(await byProvider()).toEqual(await byProvider([truck.id]))
    return (await byMonth()).totals.amounts.slice(2, 6)
  }
  expect(await agree()).toEqual([10_000, 7_000, 3_000, 0])

  const order = (await house.call(owner, workOrders.getWorkOrder, { params: { id: old } })).body
  const march = order.supplies.find(({ supply_id }) => supply_id === supplies[0]!.id)!
  expect((await house.call(owner, workOrderParts.deleteSupplyLine, { params: { id: march.id } })).status).toBeLessThan(
    300,
  )
  expect(await agree()).toEqual([0, 7_000, 3_000, 0])

  const paper = { bill_invoice: 'bill', document: 'F-1', payment_type: 'Cash', confirm_old: true }
  const invoice = await house.call(owner, workOrderParts.createInvoice, {
    body: { ...paper, work_order_id: old, provider_id: service.provider_id, date: '2026-06-02' },
  })
  expect(invoice.status).toBe(201)
  expect(await agree()).toEqual([0, 0, 3_000, 7_000])
  // Before the order was even created: papers are dated as they are dated.
  const edit = { ...paper, date: '2026-01-05' }
  const moved = await house.call(owner, workOrderParts.updateInvoice, { params: { id: invoice.body.id }, body: edit })
  expect(moved.status).toBe(200)
  expect(await agree()).toEqual([0, 0, 3_000, 0])
  expect((await byMonth()).totals.amounts[0]).toBe(7_000)
  expect((await byProvider()).totals).toMatchObject({ services_cost: 7_000, services: 1 })

  await house.given.workOrder(owner, {
    truck_id: truck.id,
    has_warehouse: false,
    supplies: [{ supply_id: supplies[0]!.id, count: 2, cost: 500 }],
  })
  await agree()
  expect((await house.call(owner, workOrders.deleteWorkOrder, { params: { id: old } })).status).toBe(204)
  expect(await agree()).toEqual([0, 0, 0, 0])
  expect((await byMonth(THIS_YEAR)).totals.total).toBe(1_000)
})

it('a month of another workshop is not shown, and a category that changes takes its past along', async () => {
  const chief = await house.given.member({ company_id: owner.company_id })
  const { body } = await house.call(chief, reports.expensesByMonth, { query: { filter: THIS_YEAR } })
  expect(body.totals.total).toBe(0)
  await house.owner.query('update supplies set category_id = null where company_id = $1', [owner.company_id])
  expect((await byMonth(THIS_YEAR)).data.map(({ category }) => category)).toEqual([null])
})

it('orders that are written at the same time are all counted', async () => {
  const before = (await byMonth(THIS_YEAR)).totals.total
  const write = () =>
    house.given.workOrder(owner, {
      truck_id: truck.id,
      has_warehouse: false,
      supplies: [{ supply_id: supplies[1]!.id, count: 1, cost: 100 }],
    })
  for (let i = 0; i < 5; i++) await Promise.all(times(4, write))
  expect((await byMonth(THIS_YEAR)).totals.total).toBe(before + 2_000)
  expect(await byMonth(THIS_YEAR)).toEqual(await byMonth({ ...THIS_YEAR, Truck: [truck.id] }))
})

it('an order that passes to another truck takes what it spent along', async () => {
  const other = await house.given.truck(owner)
  const made = await spend(house, owner, {
    truck_id: truck.id,
    supplies: [{ supply_id: supplies[0]!.id, count: 3, amount: 45_000, at: '2026-02-10T12:00:00Z' }],
  })
  const costs = async () => {
    const query = { filter: { BetweenDate: '2026-02-01,2026-02-28' } }
    const [trucks, chart] = [
      (await house.call(owner, reports.expensesByTruck, { query })).body.data,
      (await house.call(owner, reports.chartSuppliesByTruck, { query })).body.data,
    ]
    return [truck, other].map(({ id }) => [
      trucks.find(({ truck_id }) => truck_id === id)?.total_cost ?? 0,
      chart.find(({ truck_id }) => truck_id === id)?.count ?? 0,
    ])
  }
  expect(await costs()).toEqual([
    [45_000, 3],
    [0, 0],
  ])
  const {
    supplies: lines,
    works,
    services,
    ...order
  } = (await house.call(owner, workOrders.getWorkOrder, { params: { id: made } })).body
  const body = { ...order, truck_id: other.id, works, services, supplies: lines, has_warehouse: false }
  const passed = await house.call(owner, workOrders.updateWorkOrder, { params: { id: made }, body })
  expect(passed.status).toBe(200)
  const moved = [
    [0, 0],
    [45_000, 3],
  ]
  expect(await costs()).toEqual(moved)
})

it('a supply counts in the category it is filed under, and in closed months in the one it was filed under then', async () => {
  const { given } = house
  const chief = await given.member({ role: 'super-admin' })
  const { company_id } = chief
  await given.setting(company_id, 'has_warehouse', false)
  const { id: truck_id } = await given.truck(chief)
  const [filters, tyres] = [await given.category(chief), await given.category(chief)]
  const used = [
    await given.supply(chief, { category_id: filters.id }),
    await given.supply(chief, { category_id: tyres.id }),
    await given.supply(chief),
  ]
  await spend(house, chief, {
    truck_id,
    supplies: used.flatMap(({ id }, i) => [
      { supply_id: id, count: i + 1, amount: 1_000 * 2 ** i, at: `2026-0${i + 3}-10T12:00:00Z` },
    ]),
  })
  const ask = (change: string, values: unknown[] = []) => house.owner.query(change, [company_id, ...values])
  /** By category, by month, and the rows of each category. */
  const said = async (Truck: number[] = []) => {
    const filter = { BetweenDate: '2026-01-01,2026-12-31', Truck }
    const rows = async (Category: (number | 'none')[]) => {
      const { body } = await house.call(chief, reportRows.expenseRows, { query: { filter: { ...filter, Category } } })
      return [body.total, body.totals]
    }
    const { body: categories } = await house.call(chief, reports.expensesByCategory, { query: { filter } })
    const { body: months } = await house.call(chief, reports.expensesByMonth, { query: { filter: { ...YEAR, Truck } } })
    return { categories, months, rows: [await rows([filters.id]), await rows([tyres.id]), await rows(['none'])] }
  }
  const agree = async () => {
    const told = await said()
    expect(told).toEqual(await said([truck_id]))
    expect(told.categories.totals.total_cost).toBe(7_000)
    return told.categories.data.map(({ category_id, amount }) => [category_id, amount])
  }
  expect(await agree()).toEqual([
    [null, 4_000],
    [tyres.id, 2_000],
    [filters.id, 1_000],
  ])
  const refile = (id: number | null) =>
    ask('update supplies set category_id = $2 where company_id = $1 and id = $3', [id, used[2]!.id])
  await refile(filters.id)
  const moved = [
    [filters.id, 5_000],
    [tyres.id, 2_000],
  ]
  expect(await agree()).toEqual(moved)
  // What was closed before April stays where it was filed then.
  await ask(
    `insert into supply_filings (company_id, supply_id, until_at, category_id) values ($1, $2, '2026-04-01T03:00:00Z', $3)`,
    [used[0]!.id, tyres.id],
  )
  expect(await agree()).toEqual([
    [filters.id, 4_000],
    [tyres.id, 3_000],
  ])
  await refile(null)
  expect(await agree()).toEqual([
    [null, 4_000],
    [tyres.id, 3_000],
  ])
})

it('the list of supplies by truck is the lists of its trucks together, after every kind of change', async () => {
  const { given } = house
  const chief = await given.member({ role: 'super-admin' })
  const { company_id } = chief
  await given.setting(company_id, 'has_warehouse', false)
  const other = { id: await given.workshop(company_id) }
  const trucks = [await given.truck(chief), await given.truck(chief), await given.truck(chief)]
  const used = [await given.supply(chief), await given.supply(chief), await given.supply(chief)]
  const orders: number[] = []
  for (let n = 0; n < 12; n++)
    orders.push(
      await spend(house, chief, {
        truck_id: trucks[n % 3]!.id,
        workshop_id: n % 4 === 3 ? other.id : chief.workshop_id!,
        supplies: times(3, (i) => ({
          supply_id: used[i]!.id,
          count: n + i + 0.5,
          amount: 1_000 * (n + 1) + 7 * i,
          at: `2026-0${3 + (n % 2) + i}-1${n % 10}T12:00:00Z`,
        })),
      }),
    )
  const list = async (filter: object, more: object = {}) =>
    (await house.call(chief, reports.listSuppliesByTruck, { query: { filter, per_page: 100, ...more } })).body
  const agree = async () => {
    for (const BetweenDate of ['2026-01-01,2026-12-31', '2026-03-15,2026-06-14', '2026-04-01,2026-04-30'])
      for (const WorkshopId of [[], [other.id]]) {
        const all = await list({ BetweenDate, WorkshopId })
        const each = await Promise.all(trucks.map(({ id }) => list({ BetweenDate, WorkshopId, Truck: [id] })))
        const lines = each.flatMap(({ data }) => data)
        const key = (row: (typeof lines)[number]) => [-row.amount, row.truck_id, row.supply_id]
        lines.sort((a, b) => key(a).reduce((found, part, i) => found || part - key(b)[i]!, 0))
        expect(all.data).toEqual(lines)
        expect(all.total).toBe(lines.length)
        expect(all.totals).toEqual({
          count: lines.reduce((sum, { count }) => sum + count, 0),
          amount: lines.reduce((sum, { amount }) => sum + amount, 0),
        })
        const few = trucks.slice(0, 2).map(({ id }) => id)
        const many = await list({ BetweenDate, WorkshopId, Truck: [...few, ...times(5, (n) => 1_000_000_000 + n)] })
        expect(many.data).toEqual(lines.filter(({ truck_id }) => few.includes(truck_id)))
      }
  }
  await agree()
  const order = (await house.call(chief, workOrders.getWorkOrder, { params: { id: orders[0]! } })).body
  const gone = await house.call(chief, workOrderParts.deleteSupplyLine, { params: { id: order.supplies[0]!.id } })
  expect(gone.status).toBeLessThan(300)
  await agree()
  const {
    supplies: lines,
    works,
    services,
    ...passing
  } = (await house.call(chief, workOrders.getWorkOrder, { params: { id: orders[1]! } })).body
  const body = { ...passing, truck_id: trucks[2]!.id, works, services, supplies: lines, has_warehouse: false }
  expect((await house.call(chief, workOrders.updateWorkOrder, { params: { id: orders[1]! }, body })).status).toBe(200)
  await agree()
  expect((await house.call(chief, workOrders.deleteWorkOrder, { params: { id: orders[2]! } })).status).toBe(204)
  await given.workOrder(chief, {
    truck_id: trucks[1]!.id,
    has_warehouse: false,
    supplies: [{ supply_id: used[0]!.id, count: 2, cost: 500 }],
  })
  await agree()
  const filter = { BetweenDate: '2026-03-01,2026-06-30' }
  for (const field of ['truck_code', 'code', 'name', 'count'] as const) {
    const [up, down] = [await list(filter, { sort: field }), await list(filter, { sort: `-${field}` })]
    const values = up.data.map((row) => row[field])
    expect(values).toEqual([...values].sort((a, b) => (typeof a === 'number' ? a - Number(b) : a < b ? -1 : 1)))
    expect(down.data.map((row) => row[field])).toEqual([...values].reverse())
    const pages = await Promise.all(times(4, (n) => list(filter, { sort: field, per_page: 2, page: n + 1 })))
    expect(pages.flatMap(({ data }) => data)).toEqual(up.data.slice(0, 8))
  }
})

it('a supply counts on another day once the company says that it is in another zone', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  const supply = await house.given.supply(boss)
  await spend(house, boss, {
    truck_id: (await house.given.truck(boss)).id,
    supplies: [{ supply_id: supply.id, count: 1, amount: 8_000, at: '2026-03-11T03:30:00Z' }],
  })
  const daysOf = async () => {
    const query = { filter: { BetweenDate: '2026-03-01,2026-03-31' } }
    return (await house.call(boss, reportRows.expenseRows, { query })).body.data.map(({ day }) => day)
  }
  expect(await daysOf()).toEqual(['2026-03-11'])
  const body = { name: 'Isleña', dni: null, time_zone: 'Pacific/Easter' }
  expect((await house.call(boss, companies.updateCompany, { body })).status).toBe(200)
  expect(await daysOf()).toEqual(['2026-03-10'])
})
