import { beforeAll, describe, expect, it } from 'vitest'
import { finder } from '#contract/base/finder.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import type { Member } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'

const house = openHouse()

let chief: Member
beforeAll(async () => {
  chief = await house.given.member({ role: 'admin' })
  await house.given.setting(chief.company_id, 'has_warehouse', false)
})

const list = async (filter: object = {}, more: object = {}, who = chief) =>
  (await house.call(who, workOrders.workOrderHistory, { query: { filter, ...more } })).body
const codes = async (filter: object = {}, more: object = {}) =>
  (await list(filter, more)).data.map(({ code }) => Number(code.slice(3)))

const SORTS = [
  ...(['code', 'created_at', 'patent', 'status', 'priority', 'type_maintenance', 'responsible_specialist'] as const),
  ...(['workshop_entry_at', 'workshop_departure_at', 'kilometer'] as const),
  ...(['supplies_cost', 'services_cost', 'total_cost'] as const),
]
type Value = string | number | null
const compare = (one: Value, other: Value) => (one! < other! ? -1 : one! > other! ? 1 : 0)

describe('the history', () => {
  it('is newest first, in pages, with the totals of all that the filters leave', async () => {
    const ana = await house.given.member()
    await house.given.setting(ana.company_id, 'has_warehouse', false)
    const [service, supply] = [await house.given.service(ana), await house.given.supply(ana, { cost: 500 })]
    const truck_id = (await house.given.truck(ana)).id
    for (let i = 1; i <= 5; i++)
      await house.given.workOrder(ana, {
        truck_id,
        priority: i % 2 ? 'high' : 'low',
        has_warehouse: false,
        services: [{ service_id: service.id, quantity: i }],
        supplies: [{ supply_id: supply.id, count: 1 }],
      })
    const page = await list({}, { per_page: 2 }, ana)
    expect(page.data.map(({ code }) => code)).toEqual(['OT-000005', 'OT-000004'])
    expect(page).toMatchObject({
      total: 5,
      page: 1,
      per_page: 2,
      totals: { supplies_cost: 2500, services_cost: 15_000, total_cost: 17_500 },
    })
    expect(page.data[0]).toMatchObject({ supplies_cost: 500, services_cost: 5000, total_cost: 5500 })
    const high = await list({ Priority: 'high' }, { per_page: 1, page: 2, sort: 'total_cost' }, ana)
    expect([high.data[0]?.code, high.total, high.totals.services_cost]).toEqual(['OT-000003', 3, 9000])
    const searched = await list({ Search: 'frenos', Priority: 'low' }, { per_page: 1, sort: '-total_cost' }, ana)
    expect([searched.data[0]?.code, searched.total, searched.totals.services_cost]).toEqual(['OT-000004', 2, 6000])
    expect(await list({ Search: 'nothing of the kind' }, {}, ana)).toMatchObject({
      data: [],
      total: 0,
      totals: { total_cost: 0 },
    })
    const beyond = await list({ Search: 'frenos' }, { page: 9 }, ana)
    expect([beyond.data, beyond.total]).toEqual([[], 5])
  })

  it('is searched by whatever people type', async () => {
    const ana = await house.given.member()
    await house.given.workOrder(ana, { request: 'Cambiar frenos' })
    for (const Search of ['^', '´', '·', '`', '\u0301', 'frenos \u0301', 'OT · 4', "'", '\\', '%', '😀'])
      for (const count of ['exact', 'bounded'])
        expect([Search, (await list({ Search }, { count }, ana)).data.length >= 0]).toEqual([Search, true])
    expect((await list({ Search: 'frenos \u0301' }, {}, ana)).total).toBe(1)
  })

  it('is narrowed by everything people search by', async () => {
    const [luis, driver, box, coupled, service, supply] = [
      await house.given.specialist(chief),
      await house.given.driver(chief),
      await house.given.box(chief),
      await house.given.coupled(chief),
      await house.given.service(chief),
      await house.given.supply(chief),
    ]
    const truck = await house.given.truck(chief)
    const numbered = async (more: object) =>
      Number((await house.given.workOrder(chief, { truck_id: truck.id, ...more })).code.slice(3))
    const cases: [object, object][] = [
      [{ responsible_specialist_id: luis.id }, { Specialist: luis.id }],
      [{ delivered_to_driver_id: driver.id }, { Driver: driver.id }],
      [{ box_id: box.id }, { Box: box.id }],
      [{ coupled_id: coupled.id }, { Coupled: coupled.id }],
      [{ place: 'EXTERNAL' }, { Place: 'EXTERNAL,ROUTE' }],
      [{ planned: true }, { Planned: 'true' }],
      [{ services: [{ service_id: service.id, quantity: 1 }] }, { Provider: service.provider_id }],
      [{ has_warehouse: false, supplies: [{ supply_id: supply.id, count: 1 }] }, { Supply: supply.id }],
      [{ status: 'IN_PROCESS' }, { Status: 'IN_PROCESS' }],
      [{ workshop_entry_at: '2026-03-05T02:00:00Z' }, { BetweenDate: '2026-03-04,2026-03-04', DateOf: 'entry' }],
      [
        { status: 'FINALIZED', kilometer: 2000 },
        { BetweenDate: '2000-01-01,2199-12-31', DateOf: 'finalized' },
      ],
    ]
    for (const [more, filter] of cases) {
      const number = await numbered(more)
      expect([filter, await codes({ ...filter, Truck: truck.id })]).toEqual([filter, [number]])
      expect([filter, await codes({ ...filter, Truck: truck.id, Search: 'frenos' })]).toEqual([filter, [number]])
    }
    expect(await codes({ BetweenDate: '2020-01-01,2020-12-31' })).toEqual([])

    // What is summed apart from the list is what is listed, in whichever order that is.
    const everything = (await list({}, { per_page: 500 })).data
    const of = (orders: typeof everything) => ({
      total: orders.length,
      totals: { total_cost: orders.reduce((sum, { total_cost }) => sum + total_cost!, 0) },
    })
    const summed: [object, (order: (typeof everything)[number]) => boolean][] = [
      [{ Place: 'EXTERNAL' }, ({ place }) => place === 'EXTERNAL'],
      [{ Planned: 'false', Truck: truck.id }, (o) => !o.planned && o.truck_id === truck.id],
      [{ Status: 'FINALIZED' }, ({ status }) => status === 'FINALIZED'],
      [{ Status: 'FINALIZED,IN_PROCESS', Priority: 'medium' }, ({ status }) => status !== 'PENDING'],
      [{ Status: 'PENDING' }, ({ status }) => status === 'PENDING'],
    ]
    for (const [filter, isMeant] of summed)
      for (const sort of [undefined, 'total_cost', 'patent']) {
        const expected = everything.filter(isMeant)
        const listed = await list(filter, { sort, per_page: 500 })
        expect([filter, listed]).toMatchObject([filter, of(expected)])
        expect(new Set(listed.data.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)))
      }
  })

  it('sorts by every column it shows', async () => {
    for (const sort of SORTS)
      for (const Search of [undefined, 'frenos'])
        for (const isDown of [false, true]) {
          const { data } = await list({ Search }, { sort: isDown ? `-${sort}` : sort, per_page: 500 })
          expect(data.length).toBeGreaterThan(5)
          if (sort === 'status' || sort === 'priority') continue
          const values = data.map((row) => row[sort])
          // What has nothing there is last either way.
          const there = values.filter((value) => value !== null).sort(isDown ? (a, b) => -compare(a, b) : compare)
          const none = values.filter((value) => value === null)
          expect([sort, isDown, values]).toEqual([sort, isDown, [...there, ...none]])
        }
    const levels = (await list({}, { sort: '-priority', per_page: 500 })).data.map(({ priority }) => priority)
    expect(levels).toEqual([...levels].sort((a, b) => 'high medium low'.indexOf(a) - 'high medium low'.indexOf(b)))
  })
})

describe('a history of thousands', () => {
  let ana: Member
  beforeAll(async () => {
    ana = await house.given.member()
    await house.given.setting(ana.company_id, 'has_warehouse', false)
    const service = await house.given.service(ana)
    const services = [{ service_id: service.id, quantity: 7 }]
    const one = await house.given.workOrder(ana, { request: 'Cambio de filtro 1', kilometer: 1000, services })
    const { owner } = house
    const { rows } = await owner.query<{ columns: string }>(
      `select string_agg(quote_ident(column_name), ',') as columns from information_schema.columns
       where table_name = 'work_orders' and is_generated = 'NEVER' and column_name not in ('id', 'number', 'position', 'kilometer', 'created_at')`,
    )
    const { columns } = rows[0]!
    await owner.query(
      `insert into work_orders (${columns}, number, position, kilometer, created_at)
       select ${columns}, number + n, position + n, case when n % 3 > 0 then 1000 + n % 700 end, created_at - n * interval '1 minute'
       from work_orders, generate_series(1, 2010) n where id = $1`,
      [one.id],
    )
    await owner.query(
      `insert into work_order_costs (company_id, id, workshop_id, truck_id, created_at, supplies_cost, services_cost, type_maintenance_id, planned, place, priority)
       select o.company_id, o.id, o.workshop_id, o.truck_id, o.created_at, 0, 0, o.type_maintenance_id, o.planned, o.place, o.priority
       from work_orders o where o.company_id = $1 and o.id <> $2`,
      [ana.company_id, one.id],
    )
  })

  it('leaves the totals to a call of their own where that is asked, with the same rows', async () => {
    for (const filter of [
      { Search: 'filtro' },
      { Search: '1' },
      { Search: 'io de' },
      { DateOf: 'created', BetweenDate: '2000-01-01,2100-01-01' },
    ])
      for (const sort of [undefined, ...SORTS, '-kilometer', '-patent', '-created_at']) {
        const query = { sort, per_page: 7, page: 3 }
        const [quick, whole] = [
          await list(filter, { ...query, count: 'bounded', totals: 'none' }, ana),
          await list(filter, query, ana),
        ]
        expect([filter, sort, quick.data.map(({ code }) => code)]).toEqual([
          filter,
          sort,
          whole.data.map(({ code }) => code),
        ])
        expect(quick).toMatchObject({ total: 1000, at_least: true, totals: { total_cost: null } })
        expect([whole.at_least, whole.total > 1000]).toEqual([undefined, true])
      }
    const all = await list({ Search: 'filtro' }, {}, ana)
    expect([all.total, all.totals.total_cost]).toEqual([2011, 7000])
  })

  it('puts the number that was asked for before what only contains it', async () => {
    const { data } = await list({ Search: '1' }, { per_page: 3 }, ana)
    expect(data.map(({ code }) => Number(code.slice(3)))).toEqual([1, 2011, 2010])
  })

  it('has one order by what orders cost, however they are found', async () => {
    const { rows } = await house.owner.query<{ id: string; truck_id: string }>(
      `update work_order_costs set supplies_cost = id % 11, services_cost = id % 3 where company_id = $1 and services_cost = 0
       returning id, truck_id`,
      [ana.company_id],
    )
    for (const sort of ['supplies_cost', 'services_cost', 'total_cost'])
      for (const by of [sort, `-${sort}`]) {
        const codes = async (filter: object) =>
          (await list(filter, { sort: by, per_page: 40, page: 9 }, ana)).data.map(({ code }) => code)
        const walked = await codes({})
        expect(await codes({ Search: 'filtro' })).toEqual(walked)
        expect(await codes({ Truck: [Number(rows[0]!.truck_id)] })).toEqual(walked)
        expect(new Set(walked).size).toBe(40)
      }
    await house.owner.query('update work_order_costs set supplies_cost = 0, services_cost = 0 where id = any($1)', [
      rows.map(({ id }) => id),
    ])
  })

  it('is exact where few are left', async () => {
    const few = await list({ Search: 'ot-000007' }, { count: 'bounded' }, ana)
    expect(few).toMatchObject({ total: 1, totals: { total_cost: 0 } })
    expect(few.at_least).toBeUndefined()
    expect((await list({}, { count: 'bounded' }, ana)).total).toBe(2011)
  })
})

describe('a search', () => {
  it('finds the number as people say it, the plate as they write it, and words in any order', async () => {
    const ana = await house.given.member()
    const find = async (Search: string) =>
      (await list({ Search }, {}, ana)).data.map(({ code }) => Number(code.slice(3)))
    const truck = await house.given.truck(ana, { patent: 'KLMN45', code: 'T-777' })
    const coupled = await house.given.coupled(ana)
    await house.given.workOrder(ana, { truck_id: truck.id, request: 'Fuga de petróleo en la bomba' })
    await house.given.workOrder(ana, { request: 'Cambio de ampolleta', observation: 'Código 10 en el panel' })
    await house.given.workOrder(ana, { coupled_id: coupled.id, request: 'Neumático trasero', codes: 'P0420 P0300' })
    for (let i = 0; i < 8; i++) await house.given.workOrder(ana, { request: 'Engrase' })
    const last = await house.given.workOrder(ana, { request: 'Bomba de agua' })
    expect(last.code).toBe('OT-000012')
    for (const said of ['OT-000012', 'ot-12', 'OT 12', 'ot12']) expect([said, await find(said)]).toEqual([said, [12]])
    // The number itself first, then what only contains it.
    expect(await find('10')).toEqual([10, 2])
    for (const written of ['klmn45', 'KLMN-45', 'T-777']) expect([written, await find(written)]).toEqual([written, [1]])
    expect(await find('petroleo BOMBA')).toEqual([1])
    expect(await find('bomba')).toEqual([12, 1])
    expect(await find('bomba klmn45')).toEqual([1])
    expect(await find('p0420')).toEqual([3])
    expect(await find(coupled.patent)).toEqual([3])
    // Its parts are in an order, the word is not.
    await house.given.workOrder(ana, { request: 'Ampolla del camión, chaleta suelta' })
    expect(await find('AMPOLLETA')).toEqual([2])
    expect(await find('mpolle')).toEqual([2])
    expect(await find('100% real')).toEqual([])
    expect(await find("'; drop table work_orders; --")).toEqual([])
  })

  it('never leaves the company or the workshop', async () => {
    const [ana, bob] = [await house.given.member(), await house.given.member()]
    const cat = await house.given.member({ company_id: ana.company_id })
    const secret = { request: 'Palabra inconfundible' }
    const mine = await house.given.workOrder(ana, secret)
    await house.given.workOrder(bob, secret)
    await house.given.workOrder(cat, secret)
    const found = await list({ Search: 'inconfundible' }, {}, ana)
    expect([found.data.map(({ id }) => id), found.total]).toEqual([[mine.id], 1])
  })

  it('is what the command palette finds orders by', async () => {
    const { id, code, patent } = await house.given.workOrder(chief, { request: 'Caso singularísimo' })
    const { body } = await house.call(chief, finder.find, { query: { text: 'singularisimo' } })
    expect(body.data).toEqual([
      {
        kind: 'work_order',
        id,
        title: `${code} · ${patent.replace(/(\D)(\d)/, '$1·$2')}`,
        detail: 'Pendiente · Caso singularísimo',
        path: `/ordenes-de-trabajo/${id}`,
      },
    ])
  })

  it('finds an order of more than six digits, which shows all of them', async () => {
    const ana = await house.given.member()
    await house.given.workOrder(ana)
    await house.owner.query(`update counters set last = 1234566 where company_id = $1 and kind = 'work_order'`, [
      ana.company_id,
    ])
    const made = await house.given.workOrder(ana)
    expect(made.code).toBe('OT-1234567')
    expect((await list({}, {}, ana)).data.map(({ code }) => code)).toEqual(['OT-1234567', 'OT-000001'])
    for (const Search of ['OT-1234567', '1234567', 'ot 1234567'])
      expect((await list({ Search }, {}, ana)).data.map(({ id }) => id)).toEqual([made.id])
  })
})
