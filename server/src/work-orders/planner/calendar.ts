import { type SQL, sql } from 'drizzle-orm'
import { addDays, addMonths, dayOf, localOf } from '#contract/base/dates.ts'
import type { CalendarEvent, CalendarQuery, Reschedule } from '#contract/work-orders/orders.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { trucksTable } from '../../fleet/tables.ts'
import { all, between, oneOf } from '../../platform/database/conditions.ts'
import { type Db, rows } from '../../platform/database/db.ts'
import { matches } from '../../platform/database/words.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid, notFound } from '../../platform/problems.ts'
import { inScope } from '../../workshops/scope.ts'
import { specialistsTable } from '../../workshops/tables.ts'
import { CODE, holdOpenOrder, note, touch } from '../access.ts'
import { SPECIALIST_NAME } from '../labour/works.ts'
import { wholeNumbers } from '../orders/search.ts'
import { tasksTable, workOrdersTable, worksTable } from '../tables.ts'
import { withClashes } from './clashes.ts'

/** More than a screen can show: a month of a very large workshop. */
const MOST = 5000

export const chosen = (actor: Actor, filter: CalendarQuery['filter']) => [
  inScope(actor, sql`o`, filter.WorkshopId),
  oneOf(sql`o.truck_id`, filter.Truck),
  oneOf(sql`o.coupled_id`, filter.Coupled),
  oneOf(sql`o.priority`, filter.Priority),
  oneOf(sql`o.type_maintenance_id`, filter.Type),
  oneOf(sql`o.status`, filter.Status),
  matches(sql`concat_ws(' ', o.search, k.search)`, wholeNumbers(filter.Search)),
]

/** What is asked for, or else the current month. */
export function rangeOf(actor: Actor, { BetweenDate }: CalendarQuery['filter']) {
  if (BetweenDate) return BetweenDate
  const first = `${dayOf(new Date(), actor.time_zone).slice(0, 8)}01`
  return `${first},${addDays(addMonths(first, 1), -1)}`
}

/** When an order is expected, if anybody said; else when it came in; else when it was written. */
const orderStart = (zone: string) => sql`coalesce(
  (o.date_estimed + coalesce(o.hour_estimed, '00:00')::time) at time zone ${zone}, o.workshop_entry_at, o.created_at)`

type Bare = Omit<CalendarEvent, 'clashes'>

async function orderEvents(db: Db, actor: Actor, where: (SQL | undefined)[]): Promise<CalendarEvent[]> {
  const found = await rows<Bare>(
    db,
    sql`select o.id, o.id as work_order_id, ${CODE} as code, case when o.planned then 'planned' else 'unplanned' end as kind,
          coalesce(o.request, ${CODE}) as title, k.patent, o.status, nullif(${SPECIALIST_NAME}, '') as specialist,
          e.start, case when o.deadline_at > e.start then o.deadline_at end as end,
          o.date_estimed is not null and o.hour_estimed is null as all_day
        from ${workOrdersTable} o
        join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
        left join ${specialistsTable} s on s.company_id = o.company_id and s.id = o.responsible_specialist_id
        cross join lateral (select ${orderStart(actor.time_zone)} as start) e
        where ${all(where)} order by e.start, o.id limit ${MOST}`,
  )
  return withClashes(db, actor, found, (event) => !isClosed(event))
}

export async function calendarOrders(db: Db, actor: Actor, { filter }: CalendarQuery) {
  const range = rangeOf(actor, filter)
  const [from = '', to = ''] = range.split(',').map((end) => end.slice(0, 10))
  const data = await orderEvents(db, actor, [
    ...chosen(actor, filter),
    oneOf(sql`o.responsible_specialist_id`, filter.Specialist),
    // What has an index narrows it first: the start itself is worked out.
    sql`((o.date_estimed >= ${from}::date and o.date_estimed <= ${to}::date)
      or (${between(sql`o.workshop_entry_at`, range, actor.time_zone)})
      or (${between(sql`o.created_at`, range, actor.time_zone)}))`,
    between(sql`e.start`, range, actor.time_zone),
  ])
  return { data, total: data.length }
}

async function workEvents(db: Db, actor: Actor, where: (SQL | undefined)[]): Promise<CalendarEvent[]> {
  const found = await rows<Bare>(
    db,
    sql`select w.id, o.id as work_order_id, ${CODE} as code, 'work' as kind, coalesce(t.name, w.description) as title,
          k.patent, o.status, nullif(${SPECIALIST_NAME}, '') as specialist, e.start,
          coalesce(w.target_end_at, w.end_time, e.start + w.hours * interval '1 hour') as end, false as all_day
        from ${worksTable} w
        join ${workOrdersTable} o on o.company_id = w.company_id and o.id = w.work_order_id
        join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
        left join ${tasksTable} t on t.company_id = w.company_id and t.id = w.task_id
        left join ${specialistsTable} s on s.company_id = w.company_id and s.id = w.specialist_id
        cross join lateral (select coalesce(w.target_start_at, w.start_time) as start) e
        where e.start is not null and ${all(where)} order by e.start, w.id limit ${MOST}`,
  )
  return withClashes(db, actor, found, (event) => !isClosed(event))
}

export async function calendarWorks(db: Db, actor: Actor, { filter }: CalendarQuery) {
  const range = rangeOf(actor, filter)
  const data = await workEvents(db, actor, [
    ...chosen(actor, filter),
    oneOf(sql`w.specialist_id`, filter.Specialist),
    sql`((${between(sql`w.target_start_at`, range, actor.time_zone)})
      or (${between(sql`w.start_time`, range, actor.time_zone)}))`,
    between(sql`e.start`, range, actor.time_zone),
  ])
  return { data, total: data.length }
}

function inOrder({ start, end }: Reschedule) {
  if (end !== null && Date.parse(end) < Date.parse(start)) throw invalid({ end: 'No puede terminar antes de empezar.' })
}

/** Its day and hour move; a deadline is moved only by its own edge. */
export async function rescheduleWorkOrder(db: Db, actor: Actor, id: number, what: Reschedule): Promise<CalendarEvent> {
  inOrder(what)
  const order = await holdOpenOrder(db, actor, id)
  const [before] = await orderEvents(db, actor, [sql`o.company_id = ${actor.company_id} and o.id = ${id}`])
  const date_estimed = dayOf(what.start, actor.time_zone)
  const hour_estimed = what.all_day ? null : localOf(what.start, actor.time_zone).slice(11)
  await rows(
    db,
    sql`update ${workOrdersTable} set date_estimed = ${date_estimed}, hour_estimed = ${hour_estimed},
          deadline_at = coalesce(${what.end}, deadline_at)
        where company_id = ${actor.company_id} and id = ${id}`,
  )
  const [after] = await orderEvents(db, actor, [sql`o.company_id = ${actor.company_id} and o.id = ${id}`])
  await note(db, actor, order, 'updated', times(before), times(after))
  await touch(db, actor, order)
  return after!
}

export async function rescheduleWork(db: Db, actor: Actor, id: number, what: Reschedule): Promise<CalendarEvent> {
  inOrder(what)
  const [found] = await rows<{ work_order_id: number }>(
    db,
    sql`select work_order_id from ${worksTable} where company_id = ${actor.company_id} and id = ${id}`,
  )
  if (!found) throw notFound()
  const order = await holdOpenOrder(db, actor, found.work_order_id)
  const only = [sql`w.company_id = ${actor.company_id} and w.id = ${id}`]
  const [before] = await workEvents(db, actor, only)
  await rows(
    db,
    sql`with n as materialized (
          select id, coalesce(${what.end}::timestamptz, ${what.start}::timestamptz + (target_end_at - target_start_at)) as target_end_at
          from ${worksTable} where company_id = ${actor.company_id} and id = ${id})
        update ${worksTable} w set target_start_at = ${what.start}, target_end_at = n.target_end_at, updated_at = now() from n
        where w.company_id = ${actor.company_id} and w.id = n.id`,
  )
  const [after] = await workEvents(db, actor, only)
  if (!after) throw notFound()
  await note(db, actor, order, 'updated', times(before), times(after))
  await touch(db, actor, order)
  return after
}

const times = (event: CalendarEvent | undefined) => ({
  event: event?.title,
  calendar_start: event?.start,
  calendar_end: event?.end,
})
