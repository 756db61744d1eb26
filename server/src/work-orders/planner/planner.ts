import { type SQL, sql } from 'drizzle-orm'
import { addDays, instantOf } from '#contract/base/dates.ts'
import { WORK_STATES, WORK_STATES_BY_RANK } from '#contract/work-orders/lines.ts'
import type { CalendarQuery } from '#contract/work-orders/orders.ts'
import type { Planner, PlannerItem, PlanOrder, PlanWork } from '#contract/work-orders/planner.ts'
import { OPEN_STATUSES } from '#contract/work-orders/states.ts'
import type { Settings } from '#contract/workshops/company.ts'
import { trucksTable } from '../../fleet/tables.ts'
import { all, oneOf, oneOfNames } from '../../platform/database/conditions.ts'
import { batch, COMPANY, type Db, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid, notFound, Problem, requireFresh } from '../../platform/problems.ts'
import { settingsOf } from '../../workshops/company.ts'
import { boxesTable, specialistsTable } from '../../workshops/tables.ts'
import { CODE, holdOpenOrder, note, touch } from '../access.ts'
import { SPECIALIST_NAME } from '../labour/works.ts'
import { requireChoice } from '../orders/choices.ts'
import { maintenanceTypesTable, tasksTable, workOrdersTable, worksTable } from '../tables.ts'
import { chosen, rangeOf } from './calendar.ts'
import { ORDER_UNTIL, orderStart, withClashes } from './clashes.ts'

/** More than a screen can show. */
const MOST = 2000
const MOST_WAITING = 200

const OPEN = oneOfNames(OPEN_STATUSES)
const DONE = oneOfNames(WORK_STATES_BY_RANK.filter((state) => WORK_STATES[state].done))

type Bare = Omit<PlannerItem, 'clashes'>
type Which = { where: (SQL | undefined)[]; order: SQL; most: number }

const orders = (actor: Actor, { where, order, most }: Which) => sql`
  select o.id, o.id as work_order_id, ${CODE} as code, case when o.planned then 'planned' else 'unplanned' end as kind,
    coalesce(o.request, m.name, ${CODE}) as title, k.patent, o.workshop_id, o.status, o.priority, o.box_id,
    b.name as box_name, o.responsible_specialist_id as specialist_id, nullif(${SPECIALIST_NAME}, '') as specialist,
    e.start, u.until, o.workshop_entry_at is not null as began, o.finalized_at is not null as done, x.hours,
    x.works_planned, o.date_estimed::text as date_estimed, o.hour_estimed, o.planned_minutes,
    o.deadline_at, o.updated_at
  from ${workOrdersTable} o
  join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
  left join ${boxesTable} b on b.company_id = o.company_id and b.id = o.box_id
  left join ${maintenanceTypesTable} m on m.company_id = o.company_id and m.id = o.type_maintenance_id
  left join ${specialistsTable} s on s.company_id = o.company_id and s.id = o.responsible_specialist_id
  cross join lateral (select ${orderStart(actor.time_zone)} as start) e
  cross join lateral (select case when e.start is not null
    then greatest(e.start, coalesce(o.workshop_departure_at, o.finalized_at, ${ORDER_UNTIL})) end as until) u
  cross join lateral (
    select sum(w.hours) filter (where not w.state ${DONE}) as hours,
      count(*) filter (where coalesce(w.start_time, w.target_start_at) is not null) as works_planned
    from ${worksTable} w where w.company_id = ${COMPANY} and w.work_order_id = o.id) x
  where ${all(where)} order by ${order}, o.id limit ${most}`

const works = ({ where, order, most }: Which) => sql`
  select w.id, o.id as work_order_id, ${CODE} as code, 'work' as kind, coalesce(t.name, w.description, 'Trabajo') as title,
    k.patent, o.workshop_id, o.status, w.priority, o.box_id, b.name as box_name, w.specialist_id,
    nullif(${SPECIALIST_NAME}, '') as specialist, e.start, u.until, w.start_time is not null as began,
    w.state ${DONE} or o.finalized_at is not null as done, w.hours, 0 as works_planned, null as date_estimed,
    null as hour_estimed, null::int as planned_minutes, o.deadline_at, o.updated_at
  from ${worksTable} w
  join ${workOrdersTable} o on o.company_id = w.company_id and o.id = w.work_order_id
  join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
  left join ${boxesTable} b on b.company_id = o.company_id and b.id = o.box_id
  left join ${tasksTable} t on t.company_id = w.company_id and t.id = w.task_id
  left join ${specialistsTable} s on s.company_id = w.company_id and s.id = w.specialist_id
  cross join lateral (select coalesce(w.start_time, w.target_start_at) as start) e
  cross join lateral (select coalesce(w.end_time,
    greatest(case when w.start_time is not null and not w.state ${DONE} and o.finalized_at is null then now() end,
      coalesce(case when w.target_end_at > e.start then w.target_end_at end,
        e.start + coalesce(nullif(w.hours, 0), 1) * interval '1 hour'))) as until) u
  where ${all(where)} order by ${order}, w.id limit ${most}`

const isAhead = ({ done, start }: Bare) => !done && start !== null

const openingOf = ({ opens_at: from, closes_at, saturday_closes_at, sunday_closes_at }: Settings) =>
  [closes_at, closes_at, closes_at, closes_at, closes_at, saturday_closes_at, sunday_closes_at].map((until) =>
    until > from ? { from, until } : null,
  )

/** What is on the way, and what ended since the first of these days; what has no hour waits beside it. */
export async function plannerWeek(db: Db, actor: Actor, { filter }: CalendarQuery): Promise<Planner> {
  const [first = '', last = ''] = rangeOf(actor, filter)
    .split(',')
    .map((end) => end.slice(0, 10))
  const [from, to] = [first, addDays(last, 1)].map((day) => instantOf(`${day}T00:00`, actor.time_zone))
  const narrowed = chosen(actor, filter)
  const [ofOrders, ofWorks] = [
    [...narrowed, oneOf(sql`o.responsible_specialist_id`, filter.Specialist)],
    [...narrowed, oneOf(sql`w.specialist_id`, filter.Specialist)],
  ]
  const during = sql`e.start < ${to}::timestamptz and u.until > ${from}::timestamptz`
  const isOpen = sql`o.status ${OPEN}`
  const byStart = { order: sql`e.start`, most: MOST }
  const byUrgency = {
    order: sql`coalesce(o.deadline_at, o.date_estimed::timestamptz, o.created_at)`,
    most: MOST_WAITING,
  }
  // What began long before the week is still there only where nobody has ended it.
  const since = sql`(coalesce(w.start_time, w.target_start_at) >= ${from}::timestamptz - interval '14 days'
    or (w.start_time is not null and w.end_time is null and ${isOpen}))`
  const lately = sql`(${isOpen} or o.finalized_at >= ${from}::timestamptz)`
  const toDo = sql`not w.state ${DONE}`
  const noHour = sql`e.start is null`
  const { found, foundWorks, waitingOrders, waitingWorks, settings } = await batch({
    found: rows<Bare>(db, orders(actor, { where: [...ofOrders, lately, during], ...byStart })),
    foundWorks: rows<Bare>(db, works({ where: [...ofWorks, since, during], ...byStart })),
    waitingOrders: rows<Bare>(db, orders(actor, { where: [...ofOrders, isOpen, noHour], ...byUrgency })),
    waitingWorks: rows<Bare>(db, works({ where: [...ofWorks, isOpen, toDo, noHour], ...byUrgency })),
    settings: settingsOf(db, actor),
  })
  const waiting = [...waitingOrders, ...waitingWorks]
  const data = await withClashes(db, actor, [...found, ...foundWorks], isAhead)
  return {
    data,
    total: data.length,
    waiting: waiting.map((item) => ({ ...item, clashes: [] })),
    waiting_total: waiting.length,
    hours_per_day: settings.hours_per_day,
    opening: openingOf(settings),
  }
}

const one = { order: sql`e.start`, most: 1 }

async function seeItem(db: Db, actor: Actor, kind: 'order' | 'work', id: number): Promise<PlannerItem> {
  const mine = sql`o.company_id = ${actor.company_id}`
  const [item] = await rows<Bare>(
    db,
    kind === 'order'
      ? orders(actor, { where: [mine, sql`o.id = ${id}`], ...one })
      : works({ where: [mine, sql`w.id = ${id}`], ...one }),
  )
  if (!item) throw notFound()
  return (await withClashes(db, actor, [item], isAhead))[0]!
}

const CAME = 'La orden ya ingresó al taller: cambia de box o de responsable, no de hora.'
const BEGAN = 'El trabajo ya comenzó: su hora y quién lo hace se cambian en la orden.'
const BACKWARDS = 'No puede terminar antes de empezar.'
/** A year, in minutes: longer is a mistake. */
const LONGEST = 366 * 24 * 60

const sayPlan = (item: PlannerItem) => ({
  event: item.title,
  box_name: item.box_name,
  [item.kind === 'work' ? 'specialist' : 'responsible_specialist']: item.specialist,
  calendar_start: item.start,
  calendar_end: item.until,
})

/** The value that an edit carries, or else the present one. */
const or = <T>(sent: T | undefined, present: T): T => (sent === undefined ? present : sent)

/** How long an order is to stay; null where nothing says until when, or from when. */
function minutesBetween(start: string | null, until: string | null | undefined): number | null {
  if (!start || !until) return null
  const minutes = Math.round((Date.parse(until) - Date.parse(start)) / 60_000)
  if (minutes <= 0 || minutes > LONGEST) throw invalid({ until: BACKWARDS })
  return minutes
}

/** Its hours, box and responsible; works of it that have not begun keep their distance from it. A deadline stays. */
export async function planOrder(db: Db, actor: Actor, id: number, what: PlanOrder): Promise<PlannerItem> {
  const order = await holdOpenOrder(db, actor, id)
  const before = await seeItem(db, actor, 'order', id)
  requireFresh(before, what.updated_at)
  const date_estimed = or(what.date_estimed, before.date_estimed)
  const hour_estimed = or(what.hour_estimed, before.hour_estimed)
  const box_id = or(what.box_id, before.box_id)
  const specialist_id = or(what.responsible_specialist_id, before.specialist_id)
  const moves = date_estimed !== before.date_estimed || hour_estimed !== before.hour_estimed
  if (moves && before.began) throw new Problem(409, CAME)
  if (hour_estimed !== null && date_estimed === null) throw invalid({ date_estimed: 'Indique el día.' })
  await requireChoice(db, actor, order, { kind: 'box', field: 'box_id', id: box_id, present: before.box_id })
  await requireChoice(db, actor, order, {
    kind: 'specialist',
    field: 'responsible_specialist_id',
    id: specialist_id,
    present: before.specialist_id,
  })
  const planned = date_estimed && hour_estimed ? instantOf(`${date_estimed}T${hour_estimed}`, actor.time_zone) : null
  const start = before.began ? before.start : planned
  const minutes = minutesBetween(start, what.until)
  await rows(
    db,
    sql`update ${workOrdersTable} set date_estimed = ${date_estimed}, hour_estimed = ${hour_estimed},
          box_id = ${box_id}, responsible_specialist_id = ${specialist_id}
          ${what.until === undefined ? sql`` : sql`, planned_minutes = ${minutes}::int`}
        where company_id = ${actor.company_id} and id = ${id}`,
  )
  if (moves && start && before.start) await moveWorks(db, actor, id, { from: before.start, to: start })
  return finishPlan(db, actor, order, before)
}

/** Works of an order that have not begun move as far as the order does. */
const moveWorks = (db: Db, actor: Actor, id: number, { from, to }: { from: string; to: string }) =>
  rows(
    db,
    sql`with n as materialized (
          select id, target_start_at + (${to}::timestamptz - ${from}::timestamptz) as target_start_at,
            target_end_at + (${to}::timestamptz - ${from}::timestamptz) as target_end_at
          from ${worksTable}
          where company_id = ${actor.company_id} and work_order_id = ${id} and start_time is null and not state ${DONE})
        update ${worksTable} w set target_start_at = n.target_start_at, target_end_at = n.target_end_at, updated_at = now() from n
        where w.company_id = ${actor.company_id} and w.id = n.id`,
  )

export async function planWork(db: Db, actor: Actor, id: number, what: PlanWork): Promise<PlannerItem> {
  const found = await row<{ work_order_id: number }>(
    db,
    sql`select work_order_id from ${worksTable} where company_id = ${actor.company_id} and id = ${id}`,
  )
  if (!found) throw notFound()
  const order = await holdOpenOrder(db, actor, found.work_order_id)
  const before = await seeItem(db, actor, 'work', id)
  requireFresh(before, what.updated_at)
  if (before.began || before.done) throw new Problem(409, BEGAN)
  const to = {
    start: or(what.target_start_at, before.start),
    end: or(what.target_end_at, before.start === null ? null : before.until),
    specialist_id: or(what.specialist_id, before.specialist_id),
  }
  if (to.start && to.end && Date.parse(to.end) <= Date.parse(to.start)) throw invalid({ target_end_at: BACKWARDS })
  await requireChoice(db, actor, order, {
    kind: 'specialist',
    field: 'specialist_id',
    id: to.specialist_id,
    present: before.specialist_id,
  })
  await rows(
    db,
    sql`update ${worksTable} set target_start_at = ${to.start}, target_end_at = ${to.start && to.end},
          specialist_id = ${to.specialist_id}, updated_at = now()
        where company_id = ${actor.company_id} and id = ${id}`,
  )
  return finishPlan(db, actor, order, before)
}

/** Records the change in the activity, announces the order and returns the item as it is now. */
async function finishPlan(db: Db, actor: Actor, order: { id: number; workshop_id: number }, before: PlannerItem) {
  await touch(db, actor, order)
  const after = await seeItem(db, actor, before.kind === 'work' ? 'work' : 'order', before.id)
  await note(db, actor, order, 'updated', sayPlan(before), sayPlan(after))
  return after
}
