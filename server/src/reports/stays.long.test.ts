import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { dayOf, instantOf } from '#contract/base/dates.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import type { WorkOrderStatus } from '#contract/work-orders/states.ts'
import { type Member, times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { spend } from '../../test/spending.ts'
import { lastDay } from './expenses.ts'

const house = openHouse()
let owner: Member
let chief: Member
let trucks: { id: number }[]

const DAY = 86_400_000
const HOUR = 3_600_000
/** The same numbers every time. */
let seed = 7
const below = (most: number) => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % most
}
const query = (text: string, ...values: unknown[]) => house.owner.query(text, [owner.company_id, ...values])

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
})

const PERIODS = ['2025-10-01,2026-09-30', '2026-03-01,2026-03-31', '2026-01-15,2026-07-03', '2020-01-01,2027-12-31']
type Pair = [from: number, to: number]
interface Recorded {
  truck_id: string
  workshop_id: string
  began: string
  ended: string | null
  planned: boolean
  works: { from: string | null; to: string | null; hours: number | null }[]
  waits: { from: string; to: string | null }[]
}
const recorded = async () =>
  (
    await query(
      `select o.truck_id, o.workshop_id, o.workshop_entry_at as began, coalesce(o.workshop_departure_at, o.finalized_at) as ended,
         case m.code when 'CORRECTIVE' then false when 'PREVENTIVE' then true else o.planned end as planned,
         array(select json_build_object('from', w.start_time, 'to', w.end_time, 'hours', w.hours) from works w
           where w.company_id = $1 and w.work_order_id = o.id) as works,
         array(select json_build_object('from', k.from_at, 'to', k.until_at) from work_order_waits k
           where k.company_id = $1 and k.work_order_id = o.id) as waits
       from work_orders o left join maintenance_types m on m.company_id = $1 and m.id = o.type_maintenance_id
       where o.company_id = $1 and o.workshop_entry_at is not null`,
    )
  ).rows as Recorded[]
const lives = async () =>
  (
    await query(
      `select id, workshop_id, code, created_at, retired_at,
         array(select json_build_array(lower(r), upper(r)) from unnest(away) r) as away from trucks where company_id = $1`,
    )
  ).rows as {
    id: string
    workshop_id: string
    created_at: string
    retired_at: string | null
    away: [string, string][]
  }[]

const at = (moment: string | Date) => new Date(moment).getTime()
const has = (ranges: Pair[], moment: number) => ranges.some(([from, to]) => from <= moment && moment < to)

/**
 * The report, counted from the orders: time is cut wherever anything begins or ends, and each piece is looked at by itself.
 */
async function countedFromOrders(workshop_id: number | null, BetweenDate: string) {
  const [from = '', to = ''] = BetweenDate.split(',')
  const now = Date.now()
  const end = at(instantOf(`${new Date(at(to) + DAY).toISOString().slice(0, 10)}T00:00`))
  const period: Pair = [at(instantOf(`${from}T00:00`)), Math.min(end, now)]
  const isOurs = (thing: { workshop_id: string }) => workshop_id === null || Number(thing.workshop_id) === workshop_id
  const orders = (await recorded()).filter(isOurs)
  return (await lives()).flatMap((truck) => {
    const life: Pair = [
      Math.max(period[0], at(instantOf(`${dayOf(new Date(truck.created_at).toISOString())}T00:00`))),
      Math.min(period[1], truck.retired_at === null ? now : at(truck.retired_at)),
    ]
    const stays = orders
      .filter(({ truck_id }) => truck_id === truck.id)
      .map((order) => ({ ...order, range: [at(order.began), order.ended === null ? now : at(order.ended)] as Pair }))
      .filter(({ range: [began, ended] }) => began < ended && began < period[1] && ended > period[0])
    const works = stays.flatMap(({ works }) => works)
    const ranges = {
      life: [life],
      away: truck.away.map(([from, to]): Pair => [at(from), at(to)]),
      stays: stays.map(({ range }) => range),
      failures: stays.filter(({ planned }) => !planned).map(({ range }) => range),
      works: works.filter(({ from }) => from !== null).map(({ from, to }): Pair => [at(from!), to ? at(to) : now]),
      waits: stays.flatMap(({ waits }) => waits).map(({ from, to }): Pair => [at(from), to ? at(to) : now]),
    }
    const cuts = [...new Set(Object.values(ranges).flat(2))].sort((a, b) => a - b)
    const sums = { hours: 0, hours_stopped: 0, hours_unplanned: 0, timed: 0, parts: 0 }
    const stops = { stops: 0, unplanned_stops: 0, planned_stops: 0 }
    let [wasStopped, hadFailed, isPlanned] = [false, false, false]
    for (const [i, cut] of cuts.slice(0, -1).entries()) {
      const length = cuts[i + 1]! - cut
      const counts = has(ranges.life, cut) && !has(ranges.away, cut)
      const [isStopped, fails] = [counts && has(ranges.stays, cut), counts && has(ranges.failures, cut)]
      const isWorked = has(ranges.works, cut)
      if (counts) sums.hours += length
      if (isStopped) sums.hours_stopped += length
      if (fails) sums.hours_unplanned += length
      if (isStopped && isWorked) sums.timed += length
      if (isStopped && !isWorked && has(ranges.waits, cut)) sums.parts += length
      if (isStopped && !wasStopped) stops.stops++
      if (fails && !hadFailed) stops.unplanned_stops++
      if (wasStopped && !isStopped && isPlanned) stops.planned_stops++
      isPlanned = isStopped && !fails && (isPlanned || !wasStopped)
      wasStopped = isStopped
      hadFailed = fails
    }
    if (isPlanned) stops.planned_stops++
    const noted = stays.reduce((sum, { works, range: [began, ended] }) => {
      const share = Math.max(0, Math.min(ended, life[1]) - Math.max(began, life[0])) / (ended - began)
      return sum + works.reduce((all, { from, hours }) => all + (from === null ? (hours ?? 0) * share : 0), 0)
    }, 0)
    const [timed, parts] = [sums.timed / HOUR, sums.parts / HOUR]
    const hours = {
      hours: sums.hours / HOUR,
      hours_stopped: sums.hours_stopped / HOUR,
      hours_unplanned: sums.hours_unplanned / HOUR,
    }
    const hours_worked = Math.min(hours.hours_stopped, timed + noted)
    const row = { ...hours, hours_worked, hours_parts: Math.min(parts, hours.hours_stopped - hours_worked), ...stops }
    return hours.hours_stopped > 0 || (isOurs(truck) && life[0] < life[1])
      ? [{ truck_id: Number(truck.id), ...row }]
      : []
  })
}

// Whole milliseconds are never a tie of eight decimals of an hour.
const rounded = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'number' ? Number(each.toFixed(8)) : each)))

/** The report and the rows behind it are those counted from the orders, for everyone, in every period. */
async function agree() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  try {
    for (const [who, workshop_id, narrowing] of [
      [owner, null, {}],
      [owner, chief.workshop_id, { WorkshopId: [chief.workshop_id] }],
      [chief, chief.workshop_id, {}],
    ] as const)
      for (const [i, BetweenDate] of PERIODS.entries()) {
        const CompareDate = PERIODS.at(i - 1)!
        const expected = await countedFromOrders(workshop_id, BetweenDate)
        const before = new Map((await countedFromOrders(workshop_id, CompareDate)).map((row) => [row.truck_id, row]))
        const filter = { BetweenDate, ...narrowing }
        const { data, totals } = (
          await house.call(who, reports.availability, { query: { filter: { ...filter, CompareDate } } })
        ).body
        for (const { truck_id, before_hours, before_stopped } of data)
          expect(rounded([before_hours, before_stopped])).toEqual(
            rounded([before.get(truck_id)?.hours ?? 0, before.get(truck_id)?.hours_stopped ?? 0]),
          )
        const seen = expected.map((row) => {
          const truck = data.find(({ truck_id }) => truck_id === row.truck_id) ?? {}
          return Object.fromEntries(Object.keys(row).map((key) => [key, truck[key as keyof typeof truck]]))
        })
        expect(rounded(seen)).toEqual(rounded(expected))
        expect(data.length).toBe(expected.length)
        for (const [Planned, hours] of [
          [undefined, totals.hours_stopped],
          [['true'], totals.hours_planned],
          [['false'], totals.hours_unplanned],
        ] as const)
          for (const sort of ['-from', 'hours'] as const) {
            const { body } = await house.call(who, reportRows.stopRows, {
              query: { filter: { ...filter, ...(Planned && { Planned: [...Planned] }) }, sort, per_page: 500 },
            })
            expect(body.data.length).toBe(body.total)
            expect(body.totals.hours).toBeCloseTo(hours, 6)
            expect(body.data.reduce((sum, { counted }) => sum + counted, 0)).toBeCloseTo(hours, 6)
            expect(body.data.filter(({ begins }) => begins).length).toBe(body.totals.stops)
          }
      }
    const [{ id } = { id: 0 }] = trucks
    for (const who of [owner, chief])
      for (const { month, hours_stopped } of (await house.call(who, reports.truckSummary, { params: { id } })).body
        .months)
        expect(hours_stopped).toBeCloseTo(
          (await countedFromOrders(null, `${month}-01,${lastDay(month)}`)).find(({ truck_id }) => truck_id === id)
            ?.hours_stopped ?? 0,
          6,
        )
  } finally {
    vi.useRealTimers()
  }
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

it('counts what the orders say, for everyone, in every period', agree)

it('an order counts once, before and after it is finalized', async () => {
  const order = await made('2026-04-02T10:00:00.000Z', '2026-04-05T10:00:00.000Z', {
    works: [{ description: 'Frenos', hours: 3 }],
  })
  const all = await stopsOf()
  await agree()
  await goTo(order.id, 'IN_PROCESS')
  await agree()
  await goTo(order.id, 'FINALIZED')
  expect(await stopsOf()).toBe(all)
  await agree()
  expect(await stopsOf()).toBe(all)
})

it('an order that is opened again counts as it is now: with other dates, another truck, works, or deleted', async () => {
  const first = await made('2026-05-02T10:00:00.000Z', '2026-05-05T10:00:00.000Z')
  const second = await made('2026-05-07T10:00:00.000Z', '2026-05-08T10:00:00.000Z')
  for (const { id } of [first, second]) {
    await goTo(id, 'IN_PROCESS')
    await goTo(id, 'FINALIZED')
  }
  const all = await stopsOf()
  await goTo(first.id, 'IN_PROCESS')
  await agree()
  await edit(first.id, { workshop_departure_at: '2026-06-20T09:30:00.123Z', truck_id: trucks[3]!.id, planned: true })
  await agree()
  await edit(first.id, { works: [{ description: 'Luces', hours: 4, priority: 'medium' }] })
  await agree()
  await goTo(first.id, 'FINALIZED')
  await agree()
  expect((await orderOf(first.id)).workshop_departure_at).toBe('2026-06-20T09:30:00.123Z')
  expect(await stopsOf()).toBe(all)

  await goTo(second.id, 'PENDING')
  await agree()
  expect((await house.call(owner, workOrders.deleteWorkOrder, { params: { id: second.id } })).status).toBe(204)
  await agree()
  expect(await stopsOf()).toBe(all - 1)
})

it('an order that is opened again and deleted is gone', async () => {
  const order = await made('2026-05-12T10:00:00.000Z', '2026-05-13T10:00:00.000Z')
  await goTo(order.id, 'IN_PROCESS')
  await goTo(order.id, 'FINALIZED')
  const all = await stopsOf()
  await goTo(order.id, 'PENDING')
  expect((await house.call(owner, workOrders.deleteWorkOrder, { params: { id: order.id } })).status).toBe(204)
  expect(await stopsOf()).toBe(all - 1)
  await agree()
})

it('a type of maintenance that becomes another kind changes whether its orders were planned', async () => {
  const swap = () =>
    query(
      `update maintenance_types set code = case code when 'CORRECTIVE' then 'X' when 'X' then 'CORRECTIVE' else code end where company_id = $1`,
    )
  await swap()
  await agree()
  await swap()
})

it('an order counts once at every moment while it is finalized and opened again', async () => {
  const orders = await Promise.all(times(4, () => made('2026-07-02T10:00:00.000Z', '2026-07-03T10:00:00.000Z')))
  const all = await stopsOf()
  let isDone = false
  const seen = new Set<number>()
  const reading = (async () => {
    while (!isDone) {
      seen.add(await stopsOf())
    }
  })()
  try {
    for (const status of ['IN_PROCESS', 'FINALIZED', 'IN_PROCESS', 'FINALIZED'] as const)
      await Promise.all(orders.map(({ id }) => goTo(id, status)))
  } finally {
    isDone = true
    await reading
  }
  expect([...seen]).toEqual([all])
  await agree()
})

afterAll(() => {
  vi.useRealTimers()
})
