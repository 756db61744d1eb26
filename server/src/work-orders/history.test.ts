import { beforeAll, describe, expect, it } from 'vitest'
import { finder } from '#contract/base/finder.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

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
    for (const sort of [
      ...['code', 'created_at', 'patent', 'status', 'priority', 'type_maintenance', 'responsible_specialist'],
      ...['workshop_entry_at', 'workshop_departure_at', 'kilometer', 'supplies_cost', 'services_cost', 'total_cost'],
    ])
      for (const Search of [undefined, 'frenos']) {
        const up = await codes({ Search }, { sort })
        const down = await codes({ Search }, { sort: `-${sort}` })
        expect([sort, down.length]).toEqual([sort, up.length])
        expect(up.length).toBeGreaterThan(5)
      }
    const levels = (await list({}, { sort: '-priority', per_page: 500 })).data.map(({ priority }) => priority)
    expect(levels).toEqual([...levels].sort((a, b) => 'high medium low'.indexOf(a) - 'high medium low'.indexOf(b)))
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
})
