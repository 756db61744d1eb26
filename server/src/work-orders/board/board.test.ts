import { beforeEach, describe, expect, inject, it } from 'vitest'
import { fleet } from '#contract/fleet/fleet.ts'
import { reports } from '#contract/reports/reports.ts'
import { type Board, POSITION_STEP, workOrders } from '#contract/work-orders/orders.ts'
import type { WorkOrderStatus } from '#contract/work-orders/states.ts'
import type { Member } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import { until } from '../../../test/listen.ts'
import { statementsOf } from '../../../test/statements.ts'
import { invalid } from '../../platform/problems.ts'
import { ORDERS_FINALIZED } from '../orders/finalize.ts'

const house = openHouse()

let chief: Member
let mechanic: Member
let truck: { id: number }
beforeEach(async () => {
  chief = await house.given.member({ role: 'admin' })
  const { company_id, workshop_id } = chief
  mechanic = await house.given.member({ role: 'specialist', company_id, workshop_id })
  truck = await house.given.truck(chief)
})

const order = (more: object = {}) => house.given.workOrder(chief, { truck_id: truck.id, ...more })
const board = async (who = chief, filter: object = {}) =>
  (await house.call(who, workOrders.workOrderBoard, { query: { filter } })).body
const idsOf = (column: Board['pending']) => column.data.map(({ id }) => id)
const move = (who: Member, id: number, status: WorkOrderStatus, more: object = {}) =>
  house.call(who, workOrders.moveWorkOrder, { params: { id }, body: { status, ...more } })
const read = async (id: number) => (await house.call(chief, workOrders.getWorkOrder, { params: { id } })).body
const actionsOf = async (id: number) =>
  (await house.call(chief, workOrders.workOrderActivity, { params: { id } })).body.data.map(({ action }) => action)

describe('the board', () => {
  it('has four columns, newest on top, with what a card tells', async () => {
    const coupled = await house.given.coupled(chief)
    const luis = await house.given.specialist(chief)
    const first = await order()
    const second = await order({
      coupled_id: coupled.id,
      priority: 'high',
      responsible_specialist_id: luis.id,
      waiting_for_parts: true,
      works: [{ description: 'Cambiar balatas', specialist_id: luis.id }, { description: 'Regular frenos' }],
    })
    const columns = await board(mechanic)
    expect(idsOf(columns.pending)).toEqual([second.id, first.id])
    expect([columns.in_revision, columns.in_progress, columns.finalized]).toEqual(
      [1, 2, 3].map(() => ({ data: [], total: 0 })),
    )
    const name = `${luis.names} ${luis.last_name_p} ${luis.last_name_m}`
    expect(columns.pending.data[0]).toMatchObject({
      code: second.code,
      coupled_patent: coupled.patent,
      priority: 'high',
      responsible_specialist: name,
      specialists: [name],
      works_total: 2,
      works_done: 0,
      waiting_for_parts: true,
    })
  })

  it('shows the workshop of the person only, and of a super-admin whichever they ask for', async () => {
    const mine = await order()
    const other = await house.given.member({ company_id: chief.company_id })
    const theirs = await house.given.workOrder(other)
    const boss = await house.given.member({ role: 'super-admin', company_id: chief.company_id })
    expect(idsOf((await board(chief, { WorkshopId: other.workshop_id })).pending)).toEqual([mine.id])
    expect(idsOf((await board(boss)).pending)).toEqual([theirs.id, mine.id])
    expect(idsOf((await board(boss, { WorkshopId: other.workshop_id })).pending)).toEqual([theirs.id])
  })

  it('is narrowed by truck, priority, specialist, whether they answer for it or work on it, and text', async () => {
    const luis = await house.given.specialist(chief)
    const scania = await house.given.truck(chief, { patent: 'KLMN45' })
    const [a, b, c] = [
      await order({ priority: 'high', request: 'Fuga de aceite' }),
      await order({ responsible_specialist_id: luis.id, truck_id: scania.id }),
      await order({ works: [{ description: 'Engrase', specialist_id: luis.id }] }),
    ]
    const found = async (filter: object) => idsOf((await board(chief, filter)).pending)
    expect(await found({ Priority: 'high' })).toEqual([a.id])
    expect(await found({ Truck: scania.id })).toEqual([b.id])
    expect(await found({ Specialist: luis.id })).toEqual([c.id, b.id])
    expect(await found({ Search: 'ACEITE fuga' })).toEqual([a.id])
    expect(await found({ Search: 'klmn-45' })).toEqual([b.id])
    const number = Number(b.code.slice(3))
    for (const Search of [b.code, `OT-${number}`, `ot ${number}`, `ot${number}`, `KLMN ot-0${number}`])
      expect([Search, await found({ Search })]).toEqual([Search, [b.id]])
    expect(await found({ Status: 'IN_PROCESS' })).toEqual([])
  })

  it('shows what was finalized in the last 30 days', async () => {
    const [old, recent] = [await order(), await order()]
    for (const { id } of [old, recent]) await move(chief, id, 'FINALIZED')
    await house.owner.query(`update work_orders set finalized_at = now() - interval '31 days' where id = $1`, [old.id])
    expect(idsOf((await board()).finalized)).toEqual([recent.id])
  })

  it('tells a text as it is, whatever somebody wrote', async () => {
    const ana = await house.given.member()
    const requests = ['\u001e', '\u001f', 'a\u001fb\u001e', '"\\\n']
    for (const request of requests) {
      const { id } = await house.given.workOrder(ana)
      await house.owner.query('update work_orders set request = $1 where id = $2', [request, id])
    }
    const { data } = (await house.call(ana, workOrders.workOrderBoard)).body.pending
    expect(data.map(({ request }) => request).sort()).toEqual(requests.sort())
  })

  it('tells of each card what it tells of it alone, and what changed since it was last looked at', async () => {
    const other = await house.given.member({ company_id: chief.company_id })
    const boss = await house.given.member({ role: 'super-admin', company_id: chief.company_id })
    const [luis, box, coupled, abroad] = [
      await house.given.specialist(chief),
      await house.given.box(chief),
      await house.given.coupled(chief),
      await house.given.truck(chief),
    ]
    await house.owner.query(
      `insert into maintenance_types (company_id, code, name) values ($1, 'PREVENTIVE', 'Preventiva')`,
      [chief.company_id],
    )
    const rich = await order({
      truck_id: abroad.id,
      coupled_id: coupled.id,
      box_id: box.id,
      responsible_specialist_id: luis.id,
      type_of_maintenance: 'PREVENTIVE',
      workshop_entry_at: new Date().toISOString(),
      works: [{ description: 'Cambiar balatas', specialist_id: luis.id }],
    })
    await order({ box_id: box.id, workshop_entry_at: new Date().toISOString() })
    await house.owner.query('update trucks set workshop_id = $1 where id = $2', [other.workshop_id, abroad.id])
    const both = async () => {
      const all = (await board(boss)).pending.data
      const query = { only: all.map(({ id }) => id) }
      const alone = (await house.call(boss, workOrders.workOrderBoard, { query })).body.pending.data
      const still = (cards: typeof all) =>
        cards.map((card) => ({ ...card, clashes: card.clashes.map((clash) => ({ ...clash, until: null })) }))
      expect(still(all)).toEqual(still(alone))
      return all.find(({ id }) => id === rich.id)!
    }
    expect(await both()).toMatchObject({
      patent: abroad.patent,
      truck_workshop: expect.any(String),
      box_name: box.name,
      coupled_patent: coupled.patent,
      type_of_maintenance: 'PREVENTIVE',
      clashes: [{ kind: 'box' }],
    })
    await house.owner.query(`update trucks set patent = 'ZZZZ99' where id = $1`, [abroad.id])
    await house.owner.query(`update boxes set name = 'Fosa "2"' where id = $1`, [box.id])
    await house.owner.query(`update work_orders set request = 'Otra cosa', coupled_id = null where id = $1`, [rich.id])
    expect(await both()).toMatchObject({
      patent: 'ZZZZ99',
      box_name: 'Fosa "2"',
      coupled_patent: null,
      request: 'Otra cosa',
    })
  })

  it('gives the cards that are asked for, those they clash with, and the totals of all', async () => {
    const box = await house.given.box(chief)
    const at = (hour: number) => new Date(Date.UTC(2030, 5, 10, hour)).toISOString()
    const planned = (hour_estimed: string) => ({ box_id: box.id, date_estimed: '2030-06-10', hour_estimed })
    const first = await order({ ...planned('06:00'), deadline_at: at(14) })
    const second = await order({ ...planned('08:00'), deadline_at: at(16) })
    const third = await order()
    await move(chief, third.id, 'IN_PROCESS')
    const some = async (only: number[], filter = {}) =>
      (await house.call(chief, workOrders.workOrderBoard, { query: { filter, only } })).body
    const board = await some([first.id])
    expect(idsOf(board.pending)).toEqual([second.id, first.id])
    expect([board.pending.total, board.in_progress.total]).toEqual([2, 1])
    expect(board.in_progress.data).toEqual([])
    expect(board.pending.data[0]!.clashes).toMatchObject([{ work_order_id: first.id }])
    const filtered = await some([first.id, third.id], { Status: ['IN_PROCESS'] })
    expect([idsOf(filtered.pending), idsOf(filtered.in_progress)]).toEqual([[], [third.id]])
    expect([filtered.pending.total, filtered.in_progress.total]).toEqual([0, 1])
  })

  it('gives the first cards of each column where a number is asked for, as the whole board has them', async () => {
    const luis = await house.given.specialist(chief)
    const works = [{ description: 'Cambiar balatas', specialist_id: luis.id }]
    const orders = []
    for (let n = 0; n < 6; n++) orders.push(await order({ works, priority: n % 2 ? 'high' : 'low' }))
    for (const { id } of orders.slice(0, 2)) await move(chief, id, 'IN_PROCESS')
    await move(chief, orders[2]!.id, 'FINALIZED')
    const tops = async (per_page: number, filter = {}) =>
      (await house.call(chief, workOrders.workOrderBoard, { query: { filter, per_page } })).body
    for (const filter of [{}, { Priority: ['high' as const] }]) {
      const whole = await board(chief, filter)
      for (const n of [1, 2, 50])
        expect(await tops(n, filter)).toEqual(
          Object.fromEntries(
            Object.entries(whole).map(([group, { data, total }]) => [group, { data: data.slice(0, n), total }]),
          ),
        )
    }
    expect((await board()).pending.total).toBe(3)
  })

  it('names a few of those that crowd a box on each card, and tells anew those that name what changed', async () => {
    const box = await house.given.box(chief)
    const at = (hour: number) => new Date(Date.UTC(2030, 6, 10, hour)).toISOString()
    const crowd: number[] = []
    for (let hour = 4; hour < 10; hour++) {
      const planned = { date_estimed: '2030-07-10', hour_estimed: `0${hour}:00` }
      crowd.push((await order({ box_id: box.id, ...planned, deadline_at: at(20) })).id)
    }
    const { pending } = await board()
    expect(idsOf(pending)).toEqual(crowd.toReversed())
    const said = pending.data.map(({ clashes }) => clashes.map(({ work_order_id }) => crowd.indexOf(work_order_id)))
    expect(said).toEqual([
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 3],
      [0, 2, 3],
      [1, 2, 3],
    ])
    const last = pending.data[0]!.clashes[0]!
    expect([last.from, last.until, last.kind]).toEqual([at(13), at(20), 'box'])
    for (const [changed, told] of [
      [0, [5, 4, 3, 2, 1, 0]],
      [3, [3, 2, 1, 0]],
      [5, [5]],
    ] as const) {
      const query = { filter: {}, only: [crowd[changed]!] }
      const answer = (await house.call(chief, workOrders.workOrderBoard, { query })).body.pending
      expect(answer.data).toEqual(told.map((n) => pending.data.find(({ id }) => id === crowd[n])))
      expect(answer.total).toBe(crowd.length)
    }
  })

  it('shows the top of a finalized column that is very long, and how long it is', async () => {
    await house.owner.query(
      `with o as (
         insert into work_orders (company_id, workshop_id, number, status, position, truck_id, has_warehouse, planned, place, priority, finalized_at)
         select $1, $2, n, 'FINALIZED', n, $3, false, false, 'WORKSHOP', 'medium', now() from generate_series(1, 503) n returning *)
       insert into work_order_costs (company_id, id, workshop_id, truck_id, created_at, supplies_cost, services_cost, type_maintenance_id, planned, place, priority)
     select company_id, id, workshop_id, truck_id, created_at, 0, 0, type_maintenance_id, planned, place, priority from o`,
      [chief.company_id, chief.workshop_id, truck.id],
    )
    const { finalized } = await board()
    expect([finalized.data.length, finalized.total, finalized.data[0]?.code]).toEqual([500, 503, 'OT-000001'])
  })
})

describe('two at one hour', () => {
  it('in one box, or by one specialist, are allowed and said on card, order and calendar', async () => {
    const box = await house.given.box(chief)
    const luis = await house.given.specialist(chief)
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const at = (hour: string) => `${day}T${hour}:00-03:00`
    const planned = (hour: string, more: object = {}) =>
      house.given.workOrder(chief, { box_id: box.id, date_estimed: day, hour_estimed: hour, ...more })
    const busy = (from: string, to: string) => ({
      specialist_id: luis.id,
      target_start_at: at(from),
      target_end_at: at(to),
    })
    const work = (from: string, to: string) => ({ works: [{ description: 'X', ...busy(from, to) }] })
    const first = await planned('09:00', { deadline_at: at('12:00'), ...work('09:00', '10:00') })
    expect(first.clashes).toEqual([])
    const second = await planned('11:00', work('09:30', '10:30'))
    await planned('12:00', work('10:30', '11:00'))
    expect(second.clashes).toMatchObject([
      { kind: 'specialist', code: first.code, work_order_id: first.id },
      { kind: 'box', name: box.name, code: first.code },
    ])
    // While it is typed: a new one, and the second as somebody moves it away.
    const typed = async (body: Record<string, unknown>) =>
      (await house.call(chief, workOrders.plannedClashes, { body })).body.data.map(({ kind, code }) => [kind, code])
    expect(await typed({ box_id: box.id, workshop_entry_at: at('11:30'), deadline_at: at('11:45') })).toEqual([
      ['box', first.code],
      ['box', second.code],
    ])
    expect(await typed({ works: [busy('09:30', '10:00')], id: second.id })).toEqual([['specialist', first.code]])
    expect(await typed({ works: [busy('15:00', '16:00')], id: second.id })).toEqual([])
    expect(await typed({ works: [busy('15:00', '16:00'), busy('15:30', '16:30')] })).toHaveLength(2)
    const { body: board } = await house.call(chief, workOrders.workOrderBoard)
    const card = board.pending.data.find(({ id }) => id === first.id)
    expect(card?.clashes.map(({ kind, code }) => [kind, code])).toEqual([
      ['specialist', second.code],
      ['box', second.code],
    ])
    const query = { filter: { BetweenDate: `${day},${day}` } }
    const events = [
      ...(await house.call(chief, workOrders.calendarOrders, { query })).body.data,
      ...(await house.call(chief, workOrders.calendarWorks, { query })).body.data,
    ]
    const clashing = events.filter(({ clashes }) => clashes.length > 0).map(({ kind, code }) => [kind, code])
    expect(clashing).toEqual([
      ['unplanned', first.code],
      ['unplanned', second.code],
      ['work', first.code],
      ['work', second.code],
    ])
  })
})

describe('a move', () => {
  it('asks the database no more than it needs', async () => {
    const statements: string[][] = []
    for (const { id } of [await order(), await order(), await order()]) {
      const asked = await statementsOf(async () => expect((await move(mechanic, id, 'IN_REVIEW')).status).toBe(200))
      // A connection that last worked for another company is told first; who is told of it is, soon after.
      statements.push(asked.filter((text) => !/^set (local )?app.company_id|pg_notify/.test(text)))
    }
    // Session and permission; begin, board, card, place, the move, its line in the activity, who hooks it, the answer, commit.
    const [fewest] = statements.sort((a, b) => a.length - b.length)
    expect(fewest).toHaveLength(10)
  })

  it('goes on top where it names no place, and stays where it is when it goes nowhere', async () => {
    const [a, b] = [await order(), await order()]
    await move(mechanic, a.id, 'IN_PROCESS')
    const answer = await move(mechanic, b.id, 'IN_PROCESS')
    expect(answer.body.data).toEqual([
      { id: b.id, status: 'IN_PROCESS', position: expect.any(Number), updated_at: expect.any(String) },
    ])
    expect(idsOf((await board()).in_progress)).toEqual([b.id, a.id])
    expect((await move(mechanic, b.id, 'IN_PROCESS')).body).toEqual(answer.body)
    expect(await actionsOf(b.id)).toEqual(['moved', 'created'])
  })

  it('takes the place it names; a taken one puts it just behind', async () => {
    const [c, b, a] = [await order(), await order(), await order()]
    const positions = [{ id: c.id, position: a.position }]
    const { body } = await move(mechanic, c.id, 'PENDING', { positions })
    expect(idsOf((await board()).pending)).toEqual([a.id, c.id, b.id])
    expect(body.data).toMatchObject([{ id: c.id, position: Math.floor((a.position + b.position) / 2) }])
    const behind = b.position + 7
    await move(mechanic, a.id, 'PENDING', { positions: [{ id: a.id, position: behind }] })
    expect(idsOf((await board()).pending)).toEqual([c.id, b.id, a.id])
  })

  it('waits for nobody who moves another card, and goes behind whoever took its place meanwhile', async () => {
    const [c, b, a] = [await order(), await order(), await order()]
    const other = await house.owner.connect()
    await other.query('begin')
    await other.query(`select pg_advisory_xact_lock_shared(hashtext('work_orders'), $1)`, [chief.company_id])
    await other.query('update work_orders set position = $1 where company_id = $2 and id = $3', [
      a.position - 10,
      chief.company_id,
      b.id,
    ])
    expect((await move(mechanic, c.id, 'IN_PROCESS')).status).toBe(200)
    const second = move(mechanic, a.id, 'PENDING', { positions: [{ id: a.id, position: a.position - 10 }] })
    // Until it waits for the other; on a cluster that is not seen from here, so the wait is only bounded.
    const isCluster = inject('nodes').length > 1
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const isWaiting = async () => (await house.owner.query(waiting)).rowCount !== 0
    await until(isWaiting, isCluster ? 500 : undefined).catch((error) => {
      if (!isCluster) throw error
    })
    await other.query('commit')
    other.release()
    expect((await second).status).toBe(200)
    expect(idsOf((await board()).pending)).toEqual([b.id, a.id])
  })

  it('spreads the column where no place is left between two, and tells where everyone is', async () => {
    const [b, a, top] = [await order(), await order(), await order()]
    await move(chief, a.id, 'PENDING', { positions: [{ id: a.id, position: b.position - 1 }] })
    const card = await order()
    const { body } = await move(chief, card.id, 'PENDING', { positions: [{ id: card.id, position: b.position - 1 }] })
    const columns = await board()
    expect(idsOf(columns.pending)).toEqual([top.id, a.id, card.id, b.id])
    expect(columns.pending.data.map(({ position }) => position)).toEqual(
      [3, 2, 1, 0].map((steps) => b.position - steps * POSITION_STEP),
    )
    expect(body.data.map(({ id }) => id)).toEqual([top.id, a.id, card.id])
  })

  it('understands the whole column by index, and leaves alone cards that are no longer in it', async () => {
    const [a, b, c, gone] = [await order(), await order(), await order(), await order()]
    await move(chief, gone.id, 'IN_REVIEW')
    const away = (await board()).in_revision.data[0]!.position
    const positions = [b, gone, a, c].map(({ id }, position) => ({ id, position }))
    const { body } = await move(mechanic, c.id, 'PENDING', { positions })
    expect(idsOf((await board()).pending)).toEqual([b.id, a.id, c.id])
    expect(body.data.map(({ id, position }) => [id, position])).toEqual([
      [b.id, 0],
      [a.id, 2],
      [c.id, 3],
    ])
    expect((await board()).in_revision.data[0]!.position).toBe(away)
    // Two exchange their places.
    await move(mechanic, a.id, 'PENDING', { positions: [a, b, c].map(({ id }, position) => ({ id, position })) })
    expect(idsOf((await board()).pending)).toEqual([a.id, b.id, c.id])
  })

  it('does not make the form of somebody who edits it stale, unless the column changes', async () => {
    const [, a] = [await order(), await order()]
    await move(mechanic, a.id, 'PENDING', { positions: [{ id: a.id, position: 10 * POSITION_STEP }] })
    expect((await read(a.id)).updated_at).toBe(a.updated_at)
    await move(mechanic, a.id, 'IN_REVIEW')
    expect((await read(a.id)).updated_at).not.toBe(a.updated_at)
  })

  it('shares its column with the cards of other workshops, which nobody sees moved', async () => {
    const other = await house.given.member({ company_id: chief.company_id })
    const theirs = await house.given.workOrder(other)
    const mine = await order()
    const { body } = await move(mechanic, mine.id, 'PENDING', {
      positions: [
        { id: mine.id, position: theirs.position },
        { id: theirs.id, position: 5 },
      ],
    })
    expect(body.data.map(({ id }) => id)).toEqual([mine.id])
    const boss = await house.given.member({ role: 'super-admin', company_id: chief.company_id })
    expect(idsOf((await board(boss)).pending)).toEqual([theirs.id, mine.id])
  })
})

describe('many cards', () => {
  const sync = (who: Member, works_orders: object[]) =>
    house.call(who, workOrders.syncCards, { body: { works_orders } })

  it('are placed at once, in several columns, each place once', async () => {
    const [a, b, c] = [await order(), await order(), await order()]
    const { body } = await sync(mechanic, [
      { id: a.id, status: 'IN_PROCESS', position: 1 },
      { id: b.id, status: 'IN_PROCESS', position: 1 },
      { id: c.id, status: 'IN_REVIEW', position: 1 },
    ])
    const columns = await board()
    expect([idsOf(columns.pending), idsOf(columns.in_revision), idsOf(columns.in_progress)]).toEqual([
      [],
      [c.id],
      [a.id, b.id],
    ])
    expect(body.total).toBe(3)
    expect(await actionsOf(a.id)).toEqual(['moved', 'created'])
  })

  it('are all placed or none: 404 where one is not there', async () => {
    const a = await order()
    const stranger = await house.given.workOrder(await house.given.member())
    const { status } = await sync(mechanic, [
      { id: a.id, status: 'IN_PROCESS', position: 1 },
      { id: stranger.id, status: 'IN_PROCESS', position: 2 },
    ])
    expect(status).toBe(404)
    expect(idsOf((await board()).pending)).toEqual([a.id])
  })

  it('are spaced evenly in the order they have', async () => {
    const cards = [await order(), await order(), await order()]
    await sync(
      chief,
      cards.map(({ id }, position) => ({ id, status: 'PENDING', position })),
    )
    const { body } = await house.call(mechanic, workOrders.loadInitialPositions)
    const columns = await board()
    expect(idsOf(columns.pending)).toEqual(cards.map(({ id }) => id))
    expect(body.data.map(({ position }) => position)).toEqual([-2, -1, 0].map((steps) => steps * POSITION_STEP))
  })
})

describe('leaving the first column', () => {
  it('stamps the entry when it is empty, wherever the truck is', async () => {
    const written = '2026-11-01T12:00:00.000Z'
    const [here, route, known] = [
      await order(),
      await order({ place: 'ROUTE' }),
      await order({ workshop_entry_at: written }),
    ]
    const before = Date.now()
    for (const { id } of [here, route, known]) await move(mechanic, id, 'IN_REVIEW')
    for (const { id } of [here, route]) {
      const entry = Date.parse((await read(id)).workshop_entry_at!)
      expect([entry >= before - 1000, entry <= Date.now()]).toEqual([true, true])
    }
    expect((await read(known.id)).workshop_entry_at).toBe(written)
  })
})

describe('finalizing', () => {
  const mileage = async () => (await house.call(chief, fleet.getTruck, { params: { id: truck.id } })).body.mileage
  const readings = async () =>
    (await house.call(chief, fleet.listReadings, { params: { id: truck.id } })).body.data.filter(
      ({ source }) => source === 'work_order',
    )

  it('stamps the departure, records the kilometres and freezes the order, once however often it is asked for', async () => {
    const { id, code } = await order()
    const answers = await Promise.all([1, 2, 3].map(() => move(mechanic, id, 'FINALIZED', { kilometer: 2000 })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const done = await read(id)
    expect(done).toMatchObject({ status: 'FINALIZED', kilometer: 2000, finalized_at: expect.any(String) })
    expect(done.workshop_departure_at).toBe(done.finalized_at)
    expect(done.workshop_entry_at).toBeNull()
    expect(await mileage()).toBe(2000)
    expect(await readings()).toMatchObject([{ km: 2000, note: code }])
    expect(await actionsOf(id)).toEqual(['finalized', 'created'])
  })

  it('tells the domains that want to know, in its own transaction, once', async () => {
    const { id } = await order()
    const heard: number[] = []
    let refuse = true
    const hear = async (_db: unknown, _actor: unknown, ids: number[]) => {
      if (refuse) throw invalid({ status: 'No todavía.' })
      heard.push(...ids)
    }
    const listeners = house.app.database.context.listeners![ORDERS_FINALIZED]!
    listeners.push(hear)
    expect((await move(mechanic, id, 'FINALIZED')).status).toBe(422)
    expect((await read(id)).status).toBe('PENDING')
    refuse = false
    await move(mechanic, id, 'FINALIZED')
    await move(mechanic, id, 'FINALIZED')
    listeners.splice(listeners.indexOf(hear), 1)
    expect(heard).toEqual([id])
  })

  it('asks about a figure below the last known, and keeps it as a correction when that is meant', async () => {
    const { id } = await order()
    const refused = await move(mechanic, id, 'FINALIZED', { kilometer: 900 })
    expect(refused.status).toBe(422)
    expect(refused.failure.errors).toEqual({
      kilometer: ['Es menor al último kilometraje conocido (1.000 km). Confirme la corrección.'],
    })
    expect((await read(id)).status).toBe('PENDING')
    expect((await move(mechanic, id, 'FINALIZED', { kilometer: 900, confirm_lower: true })).status).toBe(200)
    expect(await readings()).toMatchObject([{ km: 900, correction: true }])
  })

  it('gives an order that never left Pendiente no entry, unless somebody typed one or it comes in after all', async () => {
    const typed = '2026-11-01T12:00:00.000Z'
    const other = await house.given.truck(chief)
    const [straight, written] = [await order(), await order({ truck_id: other.id, workshop_entry_at: typed })]
    for (const { id } of [straight, written]) await move(mechanic, id, 'FINALIZED')
    expect((await read(straight.id)).workshop_entry_at).toBeNull()
    expect((await read(written.id)).workshop_entry_at).toBe(typed)
    const { body } = await house.call(chief, reports.availability, {
      query: { filter: { Truck: [truck.id] } },
    })
    expect(body.data).toMatchObject([{ truck_id: truck.id, stops: 0, hours_stopped: 0 }])
    await move(chief, straight.id, 'IN_PROCESS')
    const inside = await read(straight.id)
    expect([inside.workshop_entry_at, inside.workshop_departure_at]).toEqual([expect.any(String), null])
    const back = await order()
    await move(chief, back.id, 'FINALIZED')
    await move(chief, back.id, 'PENDING')
    expect(await read(back.id)).toMatchObject({ workshop_entry_at: null, workshop_departure_at: null })
  })

  it('keeps a departure that was written by hand, and refuses one before the entry', async () => {
    const workshop_departure_at = '2026-11-02T12:00:00.000Z'
    const kept = await order({ workshop_entry_at: '2026-11-01T12:00:00.000Z', workshop_departure_at })
    await move(mechanic, kept.id, 'FINALIZED')
    expect((await read(kept.id)).workshop_departure_at).toBe(workshop_departure_at)
    const future = await order()
    // Orders of before may have an entry that is refused today.
    await house.owner.query(`update work_orders set workshop_entry_at = now() + interval '1 day' where id = $1`, [
      future.id,
    ])
    const refused = await move(mechanic, future.id, 'FINALIZED')
    expect(refused.failure.errors).toEqual({
      workshop_departure_at: ['La salida no puede ser anterior al ingreso.'],
    })
  })

  it('leaves an order that nobody changes or deletes until a chief moves it back', async () => {
    const made = await order()
    await move(mechanic, made.id, 'FINALIZED')
    const body = { workshop_id: chief.workshop_id, truck_id: truck.id, request: 'Otra cosa' }
    const params = { id: made.id }
    const edit = await house.call(chief, workOrders.updateWorkOrder, { params, body })
    expect([edit.status, edit.failure.message]).toEqual([
      409,
      'La orden está finalizada. Para cambiarla, un jefe de taller debe reabrirla.',
    ])
    expect((await house.call(chief, workOrders.deleteWorkOrder, { params })).status).toBe(409)
    expect((await move(mechanic, made.id, 'IN_PROCESS')).status).toBe(403)
    expect((await move(chief, made.id, 'IN_PROCESS')).status).toBe(200)
    expect(await read(made.id)).toMatchObject({
      status: 'IN_PROCESS',
      finalized_at: null,
      workshop_departure_at: null,
      workshop_entry_at: expect.any(String),
    })
    expect((await house.call(chief, workOrders.updateWorkOrder, { params, body })).status).toBe(200)
    expect(await actionsOf(made.id)).toEqual(['updated', 'reopened', 'finalized', 'created'])
  })
})

it('does not let people who only read move anything', async () => {
  const made = await order()
  for (const role of ['warehouse', 'viewer'] as const) {
    const { company_id, workshop_id } = chief
    const reader = await house.given.member({ role, company_id, workshop_id })
    expect((await move(reader, made.id, 'IN_PROCESS')).status).toBe(403)
  }
})
