import { beforeAll, describe, expect, it } from 'vitest'
import { addDays, dayOf, instantOf } from '#contract/base/dates.ts'
import { STALE } from '#contract/base/wire.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { planner } from '#contract/work-orders/planner.ts'
import { companies } from '#contract/workshops/company.ts'
import type { Member } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'

const house = openHouse()

let boss: Member
let chief: Member
let mechanic: Member
let box: { id: number; name: string }
let other: { id: number; name: string }
beforeAll(async () => {
  boss = await house.given.member({ role: 'super-admin' })
  const { company_id, workshop_id } = boss
  chief = await house.given.member({ company_id, workshop_id })
  mechanic = await house.given.member({ role: 'specialist', company_id, workshop_id })
  box = await house.given.box(chief)
  other = await house.given.box(chief)
})

const today = dayOf(new Date())
const day = addDays(today, 3)
const at = (hour: string, on = day) => instantOf(`${on}T${hour}`)
const week = async (from = day, to = day, who = chief) =>
  (await house.call(who, planner.planner, { query: { filter: { BetweenDate: `${from},${to}` } } })).body
const read = async (id: number) => (await house.call(chief, workOrders.getWorkOrder, { params: { id } })).body
const plan = (id: number, body: object, who = chief) => house.call(who, planner.planOrder, { params: { id }, body })

describe('the plan of a week', () => {
  it('has what lies in its days, also what came before them, and what waits for its hour', async () => {
    const timed = await house.given.workOrder(chief, { box_id: box.id, date_estimed: day, hour_estimed: '09:00' })
    const long = await house.given.workOrder(chief, {
      date_estimed: addDays(day, -5),
      hour_estimed: '09:00',
      deadline_at: at('12:00', addDays(day, 2)),
    })
    const dated = await house.given.workOrder(chief, {
      date_estimed: day,
      works: [{ description: 'Frenos', hours: 2.5 }],
    })
    const { data, waiting, opening, hours_per_day } = await week()
    expect(data.find(({ id }) => id === timed.id)).toMatchObject({
      kind: 'unplanned',
      box_id: box.id,
      start: at('09:00'),
      until: at('10:00'),
      began: false,
      done: false,
    })
    expect(data.map(({ id }) => id)).toContain(long.id)
    expect(data.map(({ id }) => id)).not.toContain(dated.id)
    expect(waiting).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ id: dated.id, start: null, hours: 2.5 })]),
    )
    expect(waiting.filter(({ kind }) => kind === 'work')).toMatchObject([{ title: 'Frenos', work_order_id: dated.id }])
    expect([opening[0], opening[5], opening[6], hours_per_day]).toEqual([
      { from: 8, until: 18 },
      { from: 8, until: 13 },
      null,
      8,
    ])
  })

  it('draws what ended until it ended, and what is still inside until now', async () => {
    const entry = new Date(Date.now() - 5 * 3_600_000).toISOString()
    const left = new Date(Date.now() - 3_600_000).toISOString()
    const order = { box_id: other.id, workshop_entry_at: entry, deadline_at: new Date(Date.now() + 9e8).toISOString() }
    const ended = await house.given.workOrder(chief, { ...order, workshop_departure_at: left })
    await house.call(chief, workOrders.moveWorkOrder, { params: { id: ended.id }, body: { status: 'FINALIZED' } })
    const late = new Date(Date.now() - 2 * 3_600_000).toISOString()
    const inside = await house.given.workOrder(chief, { ...order, deadline_at: late })
    const { data } = await week(addDays(today, -1), addDays(today, 1))
    const find = (id: number) => data.find((item) => item.kind !== 'work' && item.id === id)
    expect(find(ended.id)).toMatchObject({ start: entry, until: left, done: true, began: true })
    expect(Date.parse(find(inside.id)!.until!)).toBeGreaterThan(Date.parse(late) + 3_600_000)
  })
})

describe('a move in the plan', () => {
  it('gives hours, box and responsible; leaves the deadline; takes works along that have not begun', async () => {
    const luis = await house.given.specialist(chief)
    const deadline_at = at('18:00', addDays(day, 6))
    const order = await house.given.workOrder(chief, {
      date_estimed: day,
      hour_estimed: '09:00',
      deadline_at,
      works: [{ description: 'Frenos', target_start_at: at('09:30'), target_end_at: at('10:30') }],
    })
    const moved = await plan(order.id, {
      date_estimed: addDays(day, 1),
      hour_estimed: '14:00',
      until: at('17:00', addDays(day, 1)),
      box_id: box.id,
      responsible_specialist_id: luis.id,
      updated_at: order.updated_at,
    })
    expect(moved.status).toBe(200)
    expect(moved.body).toMatchObject({
      start: at('14:00', addDays(day, 1)),
      until: at('17:00', addDays(day, 1)),
      planned_minutes: 180,
      box_name: box.name,
      specialist_id: luis.id,
    })
    const now = await read(order.id)
    expect(now).toMatchObject({ deadline_at, hour_estimed: '14:00', box_id: box.id, updated_at: moved.body.updated_at })
    expect(now.works[0]).toMatchObject({ target_start_at: at('14:30', addDays(day, 1)) })
    const [line] = (await house.call(chief, workOrders.workOrderActivity, { params: { id: order.id } })).body.data
    expect(line).toMatchObject({ action: 'updated', changes: { box_name: [null, box.name] } })

    // Back among what waits, as it came.
    const back = await plan(order.id, { hour_estimed: null, until: null, box_id: null })
    expect(back.body).toMatchObject({ start: null, until: null, box_id: null, date_estimed: addDays(day, 1) })
  })

  it('clashes for as long as it is planned, not until its deadline', async () => {
    const deadline_at = at('18:00', addDays(day, 9))
    const [one, two] = [await house.given.workOrder(chief, { deadline_at }), await house.given.workOrder(chief)]
    const far = addDays(day, 7)
    const on = (hour_estimed: string, until: string) => ({ date_estimed: far, hour_estimed, until, box_id: box.id })
    await plan(one.id, on('08:00', at('10:00', far)))
    expect((await plan(two.id, on('10:00', at('11:00', far)))).body.clashes).toEqual([])
    const crossed = await plan(two.id, on('09:00', at('11:00', far)))
    expect(crossed.body.clashes).toMatchObject([{ kind: 'box', code: one.code, from: at('09:00', far) }])
  })

  it('is refused where somebody changed the order since, where it came already, and where it does not fit', async () => {
    const order = await house.given.workOrder(chief, { date_estimed: day, hour_estimed: '09:00' })
    const stale = { box_id: box.id, updated_at: order.updated_at }
    expect((await plan(order.id, stale)).status).toBe(200)
    const late = await plan(order.id, { ...stale, box_id: other.id })
    expect([late.status, late.failure.message]).toEqual([409, STALE])
    expect((await read(order.id)).box_id).toBe(box.id)

    const elsewhere = await house.given.box(await house.given.member({ company_id: chief.company_id }))
    expect((await plan(order.id, { box_id: elsewhere.id })).failure.errors).toHaveProperty('box_id')
    expect((await plan(order.id, { until: at('08:00') })).failure.errors).toHaveProperty('until')
    expect((await plan(order.id, { date_estimed: null })).failure.errors).toHaveProperty('date_estimed')
    expect((await plan(order.id, { box_id: null }, mechanic)).status).toBe(403)

    await house.call(chief, workOrders.moveWorkOrder, { params: { id: order.id }, body: { status: 'IN_REVIEW' } })
    const came = await plan(order.id, { hour_estimed: '11:00' })
    expect([came.status, came.failure.message]).toEqual([409, expect.stringContaining('ya ingresó')])
    expect((await plan(order.id, { box_id: other.id })).body).toMatchObject({ box_id: other.id, began: true })
    await house.call(chief, workOrders.moveWorkOrder, { params: { id: order.id }, body: { status: 'FINALIZED' } })
    expect((await plan(order.id, { box_id: box.id })).status).toBe(409)
  })

  it('of a work gives it hours and who does it, while it has not begun', async () => {
    const luis = await house.given.specialist(chief)
    const order = await house.given.workOrder(chief, { works: [{ description: 'Frenos', hours: 2 }] })
    const { id } = order.works[0]!
    const put = (body: object) => house.call(chief, planner.planWork, { params: { id }, body })
    const planned = { target_start_at: at('09:00'), target_end_at: at('11:00'), specialist_id: luis.id }
    expect((await put(planned)).body).toMatchObject({ kind: 'work', start: at('09:00'), specialist_id: luis.id })
    expect((await put({ target_end_at: at('08:00') })).failure.errors).toHaveProperty('target_end_at')
    expect((await put({ target_start_at: null, target_end_at: null })).body).toMatchObject({ start: null })
    await house.owner.query(`update works set start_time = now(), state = 'running' where id = $1`, [id])
    expect((await put({ specialist_id: null })).status).toBe(409)
  })
})

it('a workshop closes after it opens', async () => {
  const put = (body: object) => house.call(boss, companies.updateSettings, { body })
  expect((await put({ opens_at: 19 })).failure.errors).toEqual({ closes_at: ['Debe cerrar después de abrir.'] })
  expect((await put({ saturday_closes_at: 0, opens_at: 7.5 })).status).toBe(200)
  expect((await week()).opening.slice(4)).toEqual([{ from: 7.5, until: 18 }, null, null])
})
