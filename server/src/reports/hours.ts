import { type SQL, sql } from 'drizzle-orm'
import type { HoursQuery, ReportFilter, SpecialistDay, SpecialistHours } from '#contract/reports/reports.ts'
import type { TimeRow, TimeRows } from '#contract/reports/rows.ts'
import { trucksTable } from '../fleet/tables.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { COMPANY, type Db, rows, snapshot } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { CODE } from '../work-orders/access.ts'
import { tasksTable, workOrderCostsTable, workOrdersTable, worksTable, workTimesTable } from '../work-orders/tables.ts'
import { settingsOf } from '../workshops/company.ts'
import { closedMonths, type Open, openAfter } from '../workshops/months.ts'
import { specialistsTable } from '../workshops/tables.ts'
import { isNarrow, ordersAsked, periodsOf, type Span } from './expenses.ts'

/* What mechanics did with their days: hours of work against those of a working day. */

/** A clock that began in a month that is closed by now: it counts on the day it ends, and until then today. */
const outlivesMonth = (open: Open) => sql`(l.from_at is not null and l.until_at is null and l.day < ${open.day}::date)`

/** Times as `l` of the orders that count, with their hours as they are shown: what runs counts until now; and their truck where it is asked for. */
const timesOf = (actor: Actor, span: Span, filter: ReportFilter, open: Open, withTruck: boolean) => {
  const today = sql`(now() at time zone ${actor.time_zone})::date`
  const within = (day: SQL) => sql`${day} >= ${span.from}::date and ${day} <= ${span.to}::date`
  return sql`(
  select l.id, l.company_id, l.work_order_id, l.work_id, l.specialist_id, l.from_at, l.until_at,
    ${open.day === null ? sql`l.day` : sql`case when ${outlivesMonth(open)} then ${today} else l.day end as day`},
    ${withTruck ? sql`o.truck_id,` : sql``} round(case when l.from_at is not null and l.until_at is null
    then greatest(0, extract(epoch from now() - l.from_at) / 60) else l.minutes end / 60, 4) as hours
  from ${workTimesTable} l
  ${
    withTruck || isNarrow(actor, filter)
      ? sql`join ${workOrderCostsTable} o on o.company_id = l.company_id and o.id = l.work_order_id and ${ordersAsked(actor, filter)}`
      : sql``
  }
  where l.company_id = ${actor.company_id} and ${
    open.day === null
      ? within(sql`l.day`)
      : sql`(${within(sql`l.day`)} and not ${outlivesMonth(open)} or ${outlivesMonth(open)} and ${within(today)})`
  }) l`
}

/** Each specialist and day: hours, those of them that were clocked, and works. */
const perDay = (actor: Actor, span: Span, filter: ReportFilter, open: Open) => sql`
  select l.specialist_id, l.day, count(distinct l.work_id) as works, sum(l.hours) as hours,
    sum(l.hours) filter (where l.from_at is not null) as clocked
  from ${timesOf(actor, span, filter, open, false)} group by 1, 2`

const NAME = sql`concat_ws(' ', s.names, s.last_name_p, s.last_name_m)`
const SORTS: Record<string, SQL> = { day: sql`x.day`, specialist: NAME, hours: sql`x.hours` }

const sums = (days: SQL, day: number) => sql`sum(x.works) as works, sum(x.hours) as hours,
  coalesce(sum(x.clocked), 0) as clocked_hours, ${days} * ${day}::numeric as present_hours,
  round(sum(x.hours) / nullif(${days} * ${day}::numeric, 0), 4) as productivity`

/** The times behind a figure, one by one. */
export async function listTimes(db: Db, actor: Actor, query: TimeRows) {
  const { filter, page, per_page, sort = '-day' } = query
  const { range, span } = periodsOf(actor, filter.BetweenDate)
  const open = openAfter(await closedMonths(db, actor), actor)
  const clocked = filter.Clocked?.length === 1 ? filter.Clocked[0] === 'true' : undefined
  const found = sql`${timesOf(actor, span, filter, open, true)} where ${all([
    sql`true`,
    oneOf(sql`l.specialist_id`, filter.Specialist),
    clocked === undefined ? undefined : sql`(l.from_at is not null) = ${clocked}`,
  ])}`
  const order = sql`${sort.endsWith('hours') ? sql`l.hours` : sql`l.day`} ${sort.startsWith('-') ? sql`desc` : sql`asc`}, l.id`
  const data = await rows<TimeRow>(
    db,
    sql`select l.id, l.work_order_id, ${CODE} as code, l.truck_id, k.code as truck_code, k.patent, l.specialist_id,
          ${NAME} as specialist, l.day, coalesce(t.name, w.description, '') as work, l.from_at, l.until_at,
          l.hours
        from (select l.* from ${found} order by ${order} limit ${per_page} offset ${(page - 1) * per_page}) l
        join ${workOrdersTable} o on o.company_id = ${COMPANY} and o.id = l.work_order_id
        join ${trucksTable} k on k.company_id = ${COMPANY} and k.id = l.truck_id
        join ${specialistsTable} s on s.company_id = ${COMPANY} and s.id = l.specialist_id
        join ${worksTable} w on w.company_id = ${COMPANY} and w.id = l.work_id
        left join ${tasksTable} t on t.company_id = w.company_id and t.id = w.task_id
        order by ${order}`,
  )
  const [sums] = await rows<{ total: number; hours: number; works: number }>(
    db,
    sql`select count(*) as total, coalesce(sum(l.hours), 0) as hours,
          count(distinct (l.work_id, l.specialist_id, l.day)) as works from ${found}`,
  )
  const { total = 0, hours = 0, works = 0 } = sums ?? {}
  return { data, total, page, per_page, totals: { hours, works }, range }
}

export async function hoursBySpecialist(db: Db, actor: Actor, query: HoursQuery) {
  const { filter, page, per_page, sort = '-day' } = query
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate, filter.CompareDate)
  const open = openAfter(await closedMonths(db, actor), actor)
  const { hours_per_day } = await settingsOf(db, actor)
  const key = SORTS[sort.replace(/^-/, '')]!
  const order = sql`${key} ${sort.startsWith('-') ? sql`desc` : sql`asc`}, x.day desc, ${NAME}, x.specialist_id`
  const named = sql`join ${specialistsTable} s on s.company_id = ${actor.company_id} and s.id = x.specialist_id`
  return snapshot(db, async () => {
    const [found] = await rows<{ data: SpecialistDay[]; specialists: SpecialistHours[]; before_hours: number }>(
      db,
      sql`with x as materialized (${perDay(actor, span, filter, open)})
          select (select coalesce(json_agg(q), '[]') from (
              select x.specialist_id, ${NAME} as specialist, x.day, ${sums(sql`1`, hours_per_day)}
              from x ${named}
              group by x.specialist_id, x.day, x.hours, s.names, s.last_name_p, s.last_name_m
              order by ${order} limit ${per_page} offset ${(page - 1) * per_page}) q) as data,
            (select coalesce(json_agg(q), '[]') from (
              select x.specialist_id, ${NAME} as specialist, count(*) as days, ${sums(sql`count(*)`, hours_per_day)}
              from x ${named}
              group by x.specialist_id, s.names, s.last_name_p, s.last_name_m
              order by sum(x.hours) desc, x.specialist_id) q) as specialists,
            (select coalesce(sum(l.hours), 0) from ${timesOf(actor, earlier, filter, open, false)}) as before_hours`,
    )
    const { data, specialists, before_hours } = found!
    const sum = (of: (one: SpecialistHours) => number) => specialists.reduce((all, one) => all + of(one), 0)
    const [days, hours, present_hours] = [sum((s) => s.days), sum((s) => s.hours), sum((s) => s.present_hours)]
    const totals = {
      days,
      works: sum((s) => s.works),
      hours,
      clocked_hours: sum((s) => s.clocked_hours),
      present_hours,
      productivity: present_hours > 0 ? hours / present_hours : null,
      before_hours,
    }
    return { data, total: days, page, per_page, specialists, totals, range, before }
  })
}
