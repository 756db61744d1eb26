import { beforeEach, expect, it } from 'vitest'
import { reports } from '#contract/reports/reports.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import type { Member } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'

const house = openHouse()

let chief: Member
let trucks: { id: number }[]
beforeEach(async () => {
  chief = await house.given.member({ role: 'admin' })
  trucks = [await house.given.truck(chief), await house.given.truck(chief)]
})

const DAY = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()
const order = (more: object = {}) => house.given.workOrder(chief, { truck_id: trucks[0]!.id, ...more })
const inShort = async (who = chief, filter: object = {}) =>
  (await house.call(who, workOrders.workOrderBoardInShort, { query: { filter } })).body
const idsIn = ({ data }: { data: { id: number }[] }) => data.map(({ id }) => id)
const move = (id: number, status: string) =>
  house.call(chief, workOrders.moveWorkOrder, { params: { id }, body: { status, kilometer: 1000 } as never })

it('says of each column how many there are, and the most urgent: by when they are due, and then by priority', async () => {
  const due = inDays(3)
  const never = await order({ priority: 'high' })
  const later = await order({ deadline_at: due, priority: 'low' })
  const sooner = await order({ deadline_at: due, priority: 'high' })
  const estimated = await order({ date_estimed: inDays(1).slice(0, 10) })
  const done = await order()
  await move(done.id, 'FINALIZED')
  const { board, late, waiting } = await inShort()
  expect([board.pending.total, idsIn(board.pending)]).toEqual([4, [estimated.id, sooner.id, later.id]])
  expect([board.finalized.total, idsIn(board.finalized)]).toEqual([1, [done.id]])
  expect(board.in_progress).toEqual({ data: [], total: 0 })
  expect([late, waiting]).toEqual([1, 2].map(() => ({ total: 0, worst: null })))
  const whole = (await house.call(chief, workOrders.workOrderBoard, { query: { filter: {} } })).body
  expect(board.pending.data[1]).toEqual(whole.pending.data.find(({ id }) => id === sooner.id))
  expect(whole.pending.data.map(({ id }) => id)).toContain(never.id)
})

it('says what is late, which trucks stand inside and what waits for parts, and of each the worst', async () => {
  const late = await order({ deadline_at: inDays(-2), workshop_entry_at: null })
  await order({ deadline_at: inDays(-1) })
  const ofYesterday = await order({ date_estimed: inDays(-4).slice(0, 10), waiting_for_parts: true })
  await order({ date_estimed: inDays(2).slice(0, 10), waiting_for_parts: true })
  const first = await order({ workshop_entry_at: inDays(-9) })
  const second = await order({ workshop_entry_at: inDays(-5) })
  const other = await order({ truck_id: trucks[1]!.id, workshop_entry_at: inDays(-7) })
  // What is awaited has not come, whatever was typed.
  await order({ truck_id: trucks[1]!.id, workshop_entry_at: inDays(-30) })
  for (const { id } of [first, second, other]) await move(id, 'IN_PROCESS')
  const gone = { workshop_entry_at: inDays(-6), workshop_departure_at: inDays(-1) }
  const left = await order({ truck_id: (await house.given.truck(chief)).id, ...gone })
  await move(left.id, 'IN_PROCESS')
  const said = await inShort()
  // The morning page of the owner and the list behind the figure count the same trucks.
  const summary = (await house.call(chief, reports.summary, { query: {} })).body
  const listed = (
    await house.call(chief, workOrders.listWorkOrders, { query: { filter: { Stopped: ['true'] } } as never })
  ).body
  expect([summary.trucks?.stopped, listed.total]).toEqual([2, 2])
  expect(listed.data.map(({ id }) => id).toSorted()).toEqual([first.id, other.id].toSorted())
  expect([said.late.total, said.late.worst?.id]).toEqual([3, ofYesterday.id])
  expect([said.stopped.total, said.stopped.worst?.id]).toEqual([2, first.id])
  expect([said.waiting.total, said.waiting.worst?.id]).toEqual([2, ofYesterday.id])
  await move(ofYesterday.id, 'FINALIZED')
  expect((await inShort()).late).toMatchObject({ total: 2, worst: { id: late.id } })
})

it('is of the workshops of the person', async () => {
  await order({ deadline_at: inDays(-2) })
  const boss = await house.given.member({ role: 'super-admin', company_id: chief.company_id })
  const other = await house.given.member({ company_id: chief.company_id })
  const theirs = await house.given.workOrder(other)
  const totals = async (who: Member, filter: object = {}) => {
    const { board, late } = await inShort(who, filter)
    return [board.pending.total, late.total]
  }
  expect(await totals(chief, { WorkshopId: [other.workshop_id] })).toEqual([1, 1])
  expect(await totals(boss)).toEqual([2, 1])
  expect(await totals(boss, { WorkshopId: [other.workshop_id] })).toEqual([1, 0])
  expect(idsIn((await inShort(other)).board.pending)).toEqual([theirs.id])
})

it('shows those that were finalized of late, wherever older ones lie', async () => {
  const done = []
  for (let n = 0; n < 5; n++) done.push(await order())
  for (const { id } of done) await move(id, 'FINALIZED')
  const tops = async (per_page?: number) =>
    idsIn(
      (await house.call(chief, workOrders.workOrderBoard, { query: { filter: {}, per_page } as never })).body.finalized,
    )
  const ids = done.map(({ id }) => id).toReversed()
  expect([idsIn((await inShort()).board.finalized), await tops(2)]).toEqual([ids.slice(0, 3), ids.slice(0, 2)])
  await house.owner.query(`update work_orders set finalized_at = now() - interval '31 days' where id = any($1)`, [
    ids.slice(0, 3),
  ])
  const { finalized } = (await inShort()).board
  expect([idsIn(finalized), finalized.total]).toEqual([ids.slice(3), 2])
  expect([await tops(1), await tops(2), await tops()]).toEqual([ids.slice(3, 4), ids.slice(3), ids.slice(3)])
})
