import { beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { identity } from '#contract/identity/identity.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import type { WorkProgress } from '#contract/work-orders/lines.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { companies } from '#contract/workshops/company.ts'
import { months } from '#contract/workshops/months.ts'
import { rosters, type Specialist } from '#contract/workshops/rosters.ts'
import type { Member } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import { pdfText } from '../../../test/pdf-text.ts'

/* Clocks on works, what an hour costs, and what that makes of an order. */

const house = openHouse()
let boss: Member
let mechanic: Member
let ana: Specialist
let luis: Specialist

beforeAll(async () => {
  boss = await house.given.member({ role: 'super-admin' })
  const { company_id, workshop_id } = boss
  mechanic = await house.given.member({ role: 'specialist', company_id, workshop_id })
  ana = await house.given.specialist(boss, { names: 'Ana' })
  luis = await house.given.specialist(boss, { names: 'Luis' })
  const body = { role: 'specialist' as const, workshop_id, specialist_id: ana.id }
  expect((await house.call(boss, identity.updateUser, { params: { id: mechanic.user_id }, body })).status).toBe(200)
})

const act = (who: Member, id: number, action: WorkProgress['action'], more: Partial<WorkProgress> = {}) =>
  house.call(who, workOrderParts.progressWork, { params: { id }, body: { action, ...more } })
const withWork = async (...works: object[]) => {
  const order = await house.given.workOrder(boss, { works })
  return { order, work: order.works[0]! }
}
const read = async (id: number) => (await house.call(boss, workOrders.getWorkOrder, { params: { id } })).body
const cost = async (specialist: Specialist, ...hourly_costs: { from_day: string; amount: number }[]) => {
  const what = { params: { id: specialist.id }, body: { hourly_costs } }
  expect((await house.call(boss, rosters.updateHourlyCosts, what)).status).toBe(200)
}
/** The open clock of a work began earlier. */
const earlier = (work: number, minutes: number) =>
  house.owner.query(
    `update work_times set from_at = now() - make_interval(mins => $2) where work_id = $1 and from_at is not null and until_at is null`,
    [work, minutes],
  )
const labourOf = async (order: number) =>
  Number(
    (await house.owner.query('select labour_cost from work_order_costs where id = $1', [order])).rows[0].labour_cost,
  )
const today = () => dayOf(new Date())

describe('a clock', () => {
  it('runs from start to pause, and again; what it took is the sum', async () => {
    const { work } = await withWork({ description: 'Frenos', specialist_id: luis.id })
    expect((await act(boss, work.id, 'start')).body).toMatchObject({
      state: 'running',
      clocked_minutes: 0,
      times: [{ specialist_id: luis.id, until_at: null }],
    })
    await earlier(work.id, 30)
    expect((await act(boss, work.id, 'pause')).body.clocked_minutes).toBeCloseTo(30, 0)
    await act(boss, work.id, 'start')
    await earlier(work.id, 15)
    const done = (await act(boss, work.id, 'finish')).body
    expect([done.state, done.times.length, Math.round(done.clocked_minutes)]).toEqual(['done', 2, 45])
  })

  it('is of one work at a time: the second asks, and then pauses the first', async () => {
    const first = (await withWork({ description: 'Aceite', specialist_id: ana.id })).work
    const { order, work: second } = await withWork({ description: 'Luces', specialist_id: ana.id })
    await act(mechanic, first.id, 'start')
    const asked = await act(mechanic, second.id, 'start')
    expect([asked.status, Object.keys(asked.failure.errors!)]).toEqual([422, ['confirm_switch']])
    expect(asked.failure.errors!.confirm_switch![0]).toMatch(/^Ana .* está trabajando en «Aceite» de OT-\d+ desde las/)
    expect((await read(order.id)).works[0]!.state).toBe('pending')
    expect((await act(mechanic, second.id, 'start', { confirm_switch: true })).body.state).toBe('running')
    expect((await read(first.work_order_id)).works[0]).toMatchObject({ state: 'paused' })
    const both = await Promise.all(
      [first, second].map(({ id }) => act(mechanic, id, 'start', { confirm_switch: true })),
    )
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    await act(mechanic, first.id, 'finish')
    await act(mechanic, second.id, 'finish')
    // One that runs without a clock, as before there were any, is asked about too.
    const start_time = new Date(Date.now() - 60_000).toISOString()
    const old = (await withWork({ description: 'Antes', specialist_id: ana.id, start_time })).work
    const third = (await withWork({ description: 'Ahora', specialist_id: ana.id })).work
    expect((await act(mechanic, third.id, 'start')).failure.errors).toHaveProperty('confirm_switch')
    await act(mechanic, third.id, 'start', { confirm_switch: true })
    expect((await read(old.work_order_id)).works[0]).toMatchObject({ state: 'paused' })
    await act(mechanic, third.id, 'finish')
  })

  it('may be of several on one work: who helps only moves their own, and it runs until the last leaves', async () => {
    const { work } = await withWork({ description: 'Motor', specialist_id: luis.id })
    await act(boss, work.id, 'start')
    expect((await act(mechanic, work.id, 'start')).status).toBe(403)
    const joined = await act(mechanic, work.id, 'start', { join: true })
    expect(joined.body.times.map(({ specialist_id }) => specialist_id)).toEqual([luis.id, ana.id])
    expect((await act(mechanic, work.id, 'finish', { join: true })).status).toBe(403)
    const mine = (await house.call(mechanic, workOrderParts.myWorks)).body.data
    expect(mine.map((one) => one.work.id)).toContain(work.id)
    expect((await act(boss, work.id, 'pause', { specialist_id: luis.id })).body.state).toBe('running')
    expect((await act(mechanic, work.id, 'pause')).body.state).toBe('paused')
  })

  it('leaves no work running when its order is finalized and reopened', async () => {
    const { order, work } = await withWork({ description: 'Culata', specialist_id: luis.id }, { description: 'Otro' })
    await act(boss, work.id, 'start')
    const move = (status: 'FINALIZED' | 'IN_PROCESS') =>
      house.call(boss, workOrders.moveWorkOrder, { params: { id: order.id }, body: { status } })
    expect((await move('FINALIZED')).status).toBe(200)
    const finalized = (await read(order.id)).works.map(({ state, start_time }) => [state, start_time])
    expect(finalized).toEqual([
      ['paused', null],
      ['pending', null],
    ])
    expect((await move('IN_PROCESS')).status).toBe(200)
    expect((await read(order.id)).works[0]).toMatchObject({
      state: 'paused',
      times: [{ until_at: expect.any(String) }],
    })
    expect((await act(boss, work.id, 'start')).body.state).toBe('running')
    await act(boss, work.id, 'finish')
  })

  it('is refused where a correction crosses another time of the same mechanic', async () => {
    const kim = await house.given.specialist(boss, { names: 'Kim' })
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const clocked = async (description: string, from: number, until: number) => {
      const { order, work } = await withWork({ description, specialist_id: kim.id })
      await act(boss, work.id, 'start')
      await act(boss, work.id, 'pause')
      const [time] = (await read(order.id)).works[0]!.times
      const body = { from_at: ago(from), until_at: ago(until) }
      expect((await house.call(boss, workOrderParts.updateWorkTime, { params: { id: time!.id }, body })).status).toBe(
        200,
      )
      return { order, time: time! }
    }
    const first = await clocked('Frenos', 300, 240)
    const { time } = await clocked('Motor', 200, 100)
    const put = async (from: number, until: number) => {
      const body = { from_at: ago(from), until_at: ago(until) }
      const { status, failure } = await house.call(boss, workOrderParts.updateWorkTime, {
        params: { id: time.id },
        body,
      })
      return status === 422 ? failure.errors : status
    }
    expect(await put(250, 100)).toEqual({
      from_at: [expect.stringMatching(`^Kim .* trabajó en «Frenos» de ${first.order.code} \\(.*\\)\\. Los tiempos`)],
    })
    expect(Object.keys((await put(320, 250)) as object)).toEqual(['until_at'])
    expect(Object.keys((await put(320, 100)) as object)).toEqual(['until_at'])
    expect(await put(240, 100)).toBe(200)
    expect(await put(360, 300)).toBe(200)
  })

  it('ends with its order, and can be put right by a chief', async () => {
    const { order, work } = await withWork({ description: 'Eje', specialist_id: luis.id })
    await act(boss, work.id, 'start')
    const [time] = (await read(order.id)).works[0]!.times
    const put = (body: { from_at: string; until_at: string }, who = boss) =>
      house.call(who, workOrderParts.updateWorkTime, { params: { id: time!.id }, body })
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    expect((await put({ from_at: ago(60), until_at: ago(90) })).failure.errors).toHaveProperty('until_at')
    expect((await put({ from_at: ago(60), until_at: ago(-90) })).failure.errors).toHaveProperty('until_at')
    expect((await put({ from_at: ago(60), until_at: ago(40) }, mechanic)).status).toBe(403)
    expect((await put({ from_at: ago(60), until_at: ago(40) })).body).toMatchObject({
      state: 'paused',
      clocked_minutes: 20,
    })
    await act(boss, work.id, 'start')
    await house.call(boss, workOrders.moveWorkOrder, { params: { id: order.id }, body: { status: 'FINALIZED' } })
    expect((await read(order.id)).works[0]!.times.map(({ until_at }) => until_at)).not.toContain(null)
    expect((await put({ from_at: ago(60), until_at: ago(30) })).status).toBe(409)
  })
})

describe('labour', () => {
  it('costs what was clocked, or else the hours that were typed, at what an hour cost that day', async () => {
    const kim = await house.given.specialist(boss)
    await cost(kim, { from_day: '2026-01-01', amount: 9000 }, { from_day: '2026-03-01', amount: 12_000 })
    const at = (day: string) => ({ start_time: `${day}T12:00:00Z`, end_time: `${day}T13:30:00Z` })
    const { order, work } = await withWork(
      { description: 'A', specialist_id: kim.id, hours: 2 },
      { description: 'B', specialist_id: kim.id, ...at('2026-02-10') },
      { description: 'C', specialist_id: kim.id, ...at('2025-12-10') },
      { description: 'D', hours: 5 },
    )
    // The two hours of A are an estimate until it is done.
    expect(await labourOf(order.id)).toBe(13_500)
    await act(boss, work.id, 'finish')
    expect(await labourOf(order.id)).toBe(24_000 + 13_500)
    await act(boss, work.id, 'reopen')
    expect(await labourOf(order.id)).toBe(13_500)
    await act(boss, work.id, 'start')
    expect(await labourOf(order.id)).toBe(13_500)
    await earlier(work.id, 30)
    await act(boss, work.id, 'finish')
    expect(await labourOf(order.id)).toBeGreaterThanOrEqual(13_500 + 6000)
    expect((await house.call(boss, workOrderParts.deleteWork, { params: { id: work.id } })).status).toBe(204)
    expect(await labourOf(order.id)).toBe(13_500)
  })

  it('counts planned hours on the day the work is finished, in cost and in productive hours', async () => {
    const chief = await house.given.member({ role: 'super-admin' })
    const kim = await house.given.specialist(chief)
    const body = { hourly_costs: [{ from_day: '2020-01-01', amount: 10_000 }] }
    await house.call(chief, rosters.updateHourlyCosts, { params: { id: kim.id }, body })
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    const works = [{ description: 'Motor', specialist_id: kim.id, hours: 8, target_start_at: tomorrow }]
    const order = await house.given.workOrder(chief, { works })
    const query = { filter: { BetweenDate: `2020-01-01,${today()}` } }
    const hours = async () => {
      const { data, totals } = (await house.call(chief, reports.hoursBySpecialist, { query })).body
      return [totals.hours, ...data.map(({ day }) => day)]
    }
    expect([await labourOf(order.id), await hours()]).toEqual([0, [0]])
    // The plan is of last month; the work is done today.
    await house.owner.query(`update works set created_at = now() - interval '40 days' where work_order_id = $1`, [
      order.id,
    ])
    await act(chief, order.works[0]!.id, 'finish')
    expect([await labourOf(order.id), await hours()]).toEqual([80_000, [8, today()]])
    const whole = (await house.call(chief, workOrders.getWorkOrder, { params: { id: order.id } })).body
    const edit = { ...whole, works: [{ ...whole.works[0]!, hours: 6 }] }
    expect((await house.call(chief, workOrders.updateWorkOrder, { params: { id: order.id }, body: edit })).status).toBe(
      200,
    )
    expect([await labourOf(order.id), await hours()]).toEqual([60_000, [6, today()]])
  })

  it('leaves the hours of a closed month alone while a clock that began in it runs, and after', async () => {
    const chief = await house.given.member({ role: 'super-admin' })
    const kim = await house.given.specialist(chief)
    const order = await house.given.workOrder(chief, { works: [{ description: 'Motor', specialist_id: kim.id }] })
    const work = order.works[0]!.id
    await act(chief, work, 'start')
    const began = new Date(Date.now() - 40 * 86_400_000).toISOString()
    const day = dayOf(new Date(began))
    await house.owner.query('update work_times set from_at = $2, day = $3 where work_id = $1', [work, began, day])
    await house.owner.query('update works set start_time = $2 where id = $1', [work, began])
    const ofDays = async (from: string, to: string) => {
      const query = { filter: { BetweenDate: `${from},${to}` } }
      const { data } = (await house.call(chief, reports.hoursBySpecialist, { query })).body
      const times = (await house.call(chief, reportRows.timeRows, { query })).body
      expect(times.totals.hours).toBeCloseTo(
        data.reduce((sum, { hours }) => sum + hours, 0),
        1,
      )
      return data.map((one) => [one.day, Math.round(one.hours)])
    }
    expect(await ofDays(day, day)).toEqual([[day, 960]])
    const closed = await house.call(chief, months.closeMonths, { body: { closed_through: day.slice(0, 7) } })
    expect(closed.status).toBe(200)
    expect([await ofDays(day, day), await ofDays(today(), today())]).toEqual([[], [[today(), 960]]])
    await act(chief, work, 'finish')
    expect([await ofDays(day, day), await ofDays(today(), today())]).toEqual([[], [[today(), 960]]])
  })

  it('gives way to the clock across a closing, on the day of the clock', async () => {
    const chief = await house.given.member({ role: 'super-admin' })
    const kim = await house.given.specialist(chief)
    const body = { hourly_costs: [{ from_day: '2020-01-01', amount: 6000 }] }
    await house.call(chief, rosters.updateHourlyCosts, { params: { id: kim.id }, body })
    const works = [{ description: 'Motor', specialist_id: kim.id, hours: 2 }]
    const order = await house.given.workOrder(chief, { works })
    const work = order.works[0]!.id
    await act(chief, work, 'finish')
    const before = dayOf(new Date(Date.now() - 40 * 86_400_000))
    await house.owner.query('update work_times set day = $2 where work_id = $1', [work, before])
    const hoursOn = async (from: string, until: string) => {
      const query = { filter: { BetweenDate: `${from},${until}` } }
      return (await house.call(chief, reports.hoursBySpecialist, { query })).body.totals.hours
    }
    expect((await house.call(chief, months.closeMonths, { body: { closed_through: before.slice(0, 7) } })).status).toBe(
      200,
    )
    await act(chief, work, 'reopen')
    expect(await labourOf(order.id)).toBe(12_000)
    await act(chief, work, 'start')
    await earlier(work, 60)
    await act(chief, work, 'finish')
    expect(await labourOf(order.id)).toBe(6000)
    expect([await hoursOn(before, before), await hoursOn(before, today())]).toEqual([2, 1])
    // A new cost of an hour concerns what was clocked, and not what is taken back.
    const more = { hourly_costs: [{ from_day: '2020-01-01', amount: 9000 }] }
    await house.call(chief, rosters.updateHourlyCosts, { params: { id: kim.id }, body: more })
    expect(await labourOf(order.id)).toBe(9000)
    const [{ id: time }] = (
      await house.owner.query('select id from work_times where work_id = $1 and from_at is not null', [work])
    ).rows as [{ id: number }]
    expect((await house.call(chief, workOrderParts.deleteWorkTime, { params: { id: time } })).status).toBe(204)
    expect(await labourOf(order.id)).toBe(12_000)
  })

  it('follows a new cost of an hour in months that are open, and stays in those that are closed', async () => {
    const chief = await house.given.member({ role: 'super-admin' })
    const kim = await house.given.specialist(chief)
    const set = (amount: number) =>
      house.call(chief, rosters.updateHourlyCosts, {
        params: { id: kim.id },
        body: { hourly_costs: [{ from_day: '2020-01-01', amount }] },
      })
    await set(10_000)
    const old = { start_time: '2026-02-10T12:00:00Z', end_time: '2026-02-10T13:00:00Z' }
    const works = [
      { description: 'Antes', specialist_id: kim.id, ...old },
      { description: 'Ahora', specialist_id: kim.id, hours: 1 },
    ]
    const order = await house.given.workOrder(chief, { works })
    expect((await act(chief, order.works[1]!.id, 'finish')).status).toBe(200)
    const closed = await house.call(chief, months.closeMonths, { body: { closed_through: '2026-02' } })
    expect(closed.status).toBe(200)
    await set(15_000)
    expect(await labourOf(order.id)).toBe(25_000)
    const whole = (await house.call(chief, workOrders.getWorkOrder, { params: { id: order.id } })).body
    const save = (change: object) =>
      house.call(chief, workOrders.updateWorkOrder, {
        params: { id: order.id },
        body: { ...whole, works: whole.works.map((work, i) => (i === 0 ? { ...work, ...change } : work)) },
      })
    const wrong = await save({ end_time: '2026-02-10T15:00:00Z' })
    expect([wrong.status, Object.keys(wrong.failure.errors!)]).toEqual([422, ['works.0.hours']])
    expect((await house.call(chief, workOrderParts.deleteWork, { params: { id: whole.works[0]!.id } })).status).toBe(
      409,
    )
    expect((await house.call(chief, workOrders.deleteWorkOrder, { params: { id: order.id } })).status).toBe(409)
    expect((await save({ description: 'Antes y después' })).status).toBe(200)
    expect(await labourOf(order.id)).toBe(25_000)
  })

  it('has a cost per hour that only chiefs see, one for each day', async () => {
    const kim = await house.given.specialist(boss)
    const body = { hourly_costs: [today(), today()].map((from_day) => ({ from_day, amount: 1 })) }
    const twice = await house.call(boss, rosters.updateHourlyCosts, { params: { id: kim.id }, body })
    expect(twice.failure.errors).toEqual({ 'hourly_costs.1.from_day': ['Ya hay un costo desde ese día.'] })
    const { company_id, workshop_id } = boss
    for (const role of ['specialist', 'warehouse', 'viewer'] as const) {
      const who = await house.given.member({ role, company_id, workshop_id })
      expect((await house.call(who, rosters.hourlyCosts, { params: { id: kim.id } })).status).toBe(403)
    }
  })

  it('stands beside the total for those who may see it, where the company counts it; nowhere else', async () => {
    const chief = await house.given.member({ role: 'super-admin' })
    const { company_id, workshop_id } = chief
    const kim = await house.given.specialist(chief)
    const rates = { hourly_costs: [{ from_day: '2020-01-01', amount: 10_000 }] }
    await house.call(chief, rosters.updateHourlyCosts, { params: { id: kim.id }, body: rates })
    const service = await house.given.service(chief)
    const order = await house.given.workOrder(chief, {
      works: [{ description: 'Frenos', specialist_id: kim.id, hours: 3 }],
      services: [{ service_id: service.id, quantity: 1, unit_price: 7000 }],
    })
    expect((await act(chief, order.works[0]!.id, 'finish')).status).toBe(200)
    const seen = async (who: Member) => {
      const one = (await house.call(who, workOrders.getWorkOrder, { params: { id: order.id } })).body
      const list = (await house.call(who, workOrders.workOrderHistory, { query: { filter: { Search: order.code } } }))
        .body
      for (const { total_cost, labour, total_with_labour } of [list.data[0]!, list.totals])
        expect([total_cost, labour, total_with_labour]).toEqual([one.total_cost, one.labour, one.total_with_labour])
      return [one.total_cost, one.labour, one.total_with_labour]
    }
    const paper = async (who: Member) =>
      pdfText((await house.call(who, workOrders.workOrderPdf, { params: { id: order.id } })).body).join('')
    expect(await seen(chief)).toEqual([7000, null, null])
    await house.call(chief, companies.updateSettings, { body: { labour_counts: true } })
    expect(await seen(chief)).toEqual([7000, 30_000, 37_000])
    expect(await paper(chief)).toMatch(/Total con mano de obra\$37\.000/)
    const member = (role: 'viewer' | 'warehouse' | 'specialist') =>
      house.given.member({ role, company_id, workshop_id })
    expect(await seen(await member('viewer'))).toEqual([7000, 30_000, 37_000])
    expect(await seen(await member('warehouse'))).toEqual([7000, null, null])
    expect(await seen(await member('specialist'))).toEqual([null, null, null])
    const storekeeper = await member('warehouse')
    const query = { filter: { Kind: ['labour' as const] } }
    expect((await house.call(storekeeper, reportRows.expenseRows, { query })).body.totals.amount).toBe(0)
    expect((await house.call(chief, reportRows.expenseRows, { query })).body.totals.amount).toBe(30_000)
  })
})
