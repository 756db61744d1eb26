import { type SQL, sql } from 'drizzle-orm'
import { DONE } from '#contract/work-orders/lines.ts'
import { batch, COMPANY, type Db, isUniqueViolation, RetryTransaction, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { announce } from '../../platform/operations/happenings.ts'
import { Problem } from '../../platform/problems.ts'
import { hourlyCostOn } from '../../workshops/hourly-costs.ts'
import { type Open, openMonths } from '../../workshops/months.ts'
import { writeExpenses } from '../orders/expenses.ts'
import { workOrderCostsTable, workOrdersTable, worksTable, workTimesTable } from '../tables.ts'

/*
 * Labour is lines of time: what was clocked on a work, or else the hours that were typed. Each is counted on its day, at
 * what an hour of its specialist costs then. Whether the company looks at it is another matter: lines are always kept.
 */

const dayAt = (at: SQL, { time_zone }: Pick<Actor, 'time_zone'>) => sql`(${at} at time zone ${time_zone})::date`
/** Nothing new is counted in a closed month: what would be is of today. */
const inOpen = (day: SQL, open: Open, actor: Actor) =>
  sql`case when ${day} < ${open.day}::date then ${dayAt(sql`now()`, actor)} else ${day} end`
const minutesOf = (from: SQL, until: SQL) => sql`round(extract(epoch from ${until} - ${from}) / 60, 2)`
export const worth = (minutes: SQL, rate: SQL) => sql`round(${minutes} * ${rate} / 60)`
/** Of a closed month, and it cost something: it stays. */
const isKept = (t: SQL, open: Open) => sql`(${t}.day < ${open.day}::date and ${t}.amount <> 0)`

/** Typed hours, and not the reversal of typed hours, which has negative minutes. */
const isTyped = (t: SQL) => sql`(${t}.from_at is null and ${t}.minutes >= 0)`
const isReversal = (t: SQL) => sql`(${t}.from_at is null and ${t}.minutes < 0)`

/** Hours of a work as `workDuration` has them. */
const TYPED = sql`case when w.start_time is not null and w.end_time is not null
  then extract(epoch from w.end_time - w.start_time) / 3600 when w.start_time is null then w.hours end`

/**
 * The typed hours of an order's works where nothing was clocked: work_id, specialist_id, minutes, day. They count on the
 * day the work began, or else on the day it was finished, which its line then keeps.
 */
const typed = (actor: Actor, order: number, open: Open) => sql`
  select w.id as work_id, w.specialist_id, w.state, round(${TYPED} * 60, 2) as minutes, d.day as written,
    ${inOpen(sql`d.day`, open, actor)} as day
  from ${worksTable} w
  left join ${workTimesTable} l on l.company_id = w.company_id and l.work_id = w.id and ${isTyped(sql`l`)}
  cross join lateral (select coalesce(${dayAt(sql`w.start_time`, actor)}, l.day, ${dayAt(sql`now()`, actor)}) as day) d
  where w.company_id = ${actor.company_id} and w.work_order_id = ${order} and w.specialist_id is not null
    and ${TYPED} > 0 and not exists (select from ${workTimesTable} t where t.company_id = ${COMPANY} and t.work_id = w.id
      and t.from_at is not null)`

/** The typed hours that count: those of a work that is not done are an estimate. */
const wanted = (actor: Actor, order: number, open: Open) =>
  sql`select n.* from (${typed(actor, order, open)}) n where n.state = ${DONE}`

/** Typed hours become lines, once anything of the order's works changed. */
export async function keepTyped(db: Db, actor: Actor, order: number, open: Open) {
  await batch([
    writeTyped(db, actor, order, open),
    open.day === null ? Promise.resolve() : reverseTyped(db, actor, order, open),
  ])
}

async function writeTyped(db: Db, actor: Actor, order: number, open: Open) {
  const rate = hourlyCostOn(actor.company_id, sql`w.specialist_id`, sql`w.day`)
  const differs = sql`(t.specialist_id, t.minutes) is distinct from (n.specialist_id, n.minutes)
    or t.day <> n.written and n.written = n.day`
  await rows(
    db,
    // What was there is looked at first: a cluster does one part after the other.
    sql`with was as materialized (
          select t.work_id, t.day, ${isTyped(sql`t`)} as typed from ${workTimesTable} t
          where t.company_id = ${actor.company_id} and t.work_order_id = ${order}),
        n as materialized (
          select w.*, ${worth(sql`w.minutes`, sql`w.rate`)} as amount
          from (select w.*, ${rate} as rate from (${wanted(actor, order, open)}) w) w),
        gone as (
          delete from ${workTimesTable} t where t.company_id = ${actor.company_id} and t.work_order_id = ${order}
            and ${isTyped(sql`t`)} and not coalesce(${isKept(sql`t`, open)}, false)
            and not exists (select from n where n.work_id = t.work_id)),
        changed as (
          update ${workTimesTable} t set specialist_id = n.specialist_id, minutes = n.minutes, day = n.day, rate = n.rate,
            amount = n.amount
          from n where t.company_id = ${actor.company_id} and t.work_order_id = ${order} and t.work_id = n.work_id and ${isTyped(sql`t`)}
            and not coalesce(${isKept(sql`t`, open)}, false) and (${differs}))
        insert into ${workTimesTable} (company_id, work_order_id, work_id, specialist_id, day, minutes, rate, amount, user_id, user_name)
        select ${actor.company_id}::bigint, ${order}::bigint, n.work_id, n.specialist_id, n.day, n.minutes, n.rate, n.amount,
          ${actor.user_id}::bigint, ${actor.user_name}::text
        from n where not exists (select from was where was.work_id = n.work_id and was.typed)
        returning company_id`,
  )
}

/**
 * Typed hours of a closed month stay there, but give way to the clock: once their work is clocked, a reversal on the day of
 * the clock takes them back, so that the order does not pay for both.
 */
async function reverseTyped(db: Db, actor: Actor, order: number, open: Open) {
  await rows(
    db,
    sql`with wanted as materialized (
          select l.work_id, l.specialist_id, l.minutes, l.rate, l.amount, ${inOpen(sql`c.day`, open, actor)} as day
          from ${workTimesTable} l
          join (select work_id, min(day) as day from ${workTimesTable}
                where company_id = ${actor.company_id} and work_order_id = ${order} and from_at is not null group by 1) c
            on c.work_id = l.work_id
          where l.company_id = ${actor.company_id} and l.work_order_id = ${order} and ${isTyped(sql`l`)} and ${isKept(sql`l`, open)}),
        reversed as materialized (
          select t.work_id, t.day from ${workTimesTable} t
          where t.company_id = ${actor.company_id} and t.work_order_id = ${order} and ${isReversal(sql`t`)}),
        gone as (
          delete from ${workTimesTable} t where t.company_id = ${actor.company_id} and t.work_order_id = ${order}
            and ${isReversal(sql`t`)} and not ${isKept(sql`t`, open)} and not exists (select from wanted w where w.work_id = t.work_id))
        insert into ${workTimesTable} (company_id, work_order_id, work_id, specialist_id, day, minutes, rate, amount, user_id, user_name)
        select ${actor.company_id}::bigint, ${order}::bigint, w.work_id, w.specialist_id, w.day, -w.minutes, w.rate, -w.amount,
          ${actor.user_id}::bigint, ${actor.user_name}::text
        from wanted w where not exists (select from reversed r where r.work_id = w.work_id)
        returning company_id`,
  )
}

/** Works of an order that say something else than what they cost in a closed month. */
export async function changedInClosed(db: Db, actor: Actor, order: number) {
  const open = await openMonths(db, actor)
  if (open.day === null) return []
  return rows<{ work_id: number; day: string }>(
    db,
    sql`select t.work_id, t.day from ${workTimesTable} t
        left join (${typed(actor, order, open)}) n on n.work_id = t.work_id
        where t.company_id = ${actor.company_id} and t.work_order_id = ${order} and ${isTyped(sql`t`)} and ${isKept(sql`t`, open)}
          and (t.specialist_id, t.minutes) is distinct from (n.specialist_id, n.minutes)
          and not exists (select from ${workTimesTable} c where c.company_id = ${COMPANY} and c.work_id = t.work_id
            and c.from_at is not null)`,
  )
}

/** The first day in a closed month on which these works cost something. */
export async function closedLabour(db: Db, actor: Actor, of: { order?: number; works?: number[] }, open?: Open) {
  const since = open ?? (await openMonths(db, actor))
  if (since.day === null) return undefined
  const [found] = await rows<{ day: string | null }>(
    db,
    sql`select min(t.day) as day from ${workTimesTable} t where t.company_id = ${actor.company_id} and ${isKept(sql`t`, since)}
          and ${of.works ? sql`t.work_id = any(${sql.param(of.works)}::bigint[])` : sql`t.work_order_id = ${of.order}`}`,
  )
  return found?.day ?? undefined
}

/** Clocks that run, ended now; they cost what an hour of theirs does on the day they began. */
export async function endClocks(db: Db, actor: Actor, of: SQL) {
  const open = await openMonths(db, actor)
  const rate = hourlyCostOn(actor.company_id, sql`d.specialist_id`, sql`d.day`)
  return rows<{ id: number; work_id: number; work_order_id: number }>(
    db,
    sql`with d as (
          select t.id, t.specialist_id, ${minutesOf(sql`t.from_at`, sql`greatest(now(), t.from_at)`)} as minutes,
            ${inOpen(sql`t.day`, open, actor)} as day
          from ${workTimesTable} t
          where t.company_id = ${actor.company_id} and t.from_at is not null and t.until_at is null and ${of}),
        n as (select d.*, ${rate} as rate from d)
        update ${workTimesTable} t set until_at = greatest(now(), t.from_at), minutes = n.minutes, day = n.day, rate = n.rate,
          amount = ${worth(sql`n.minutes`, sql`n.rate`)}
        from n where t.company_id = ${actor.company_id} and t.id = n.id returning t.id, t.work_id, t.work_order_id`,
  )
}

export async function startClock(
  db: Db,
  actor: Actor,
  { work_order_id, id: work_id }: { work_order_id: number; id: number },
  specialist_id: number,
) {
  const { company_id, user_id, user_name } = actor
  await rows(
    db,
    sql`insert into ${workTimesTable} (company_id, work_order_id, work_id, specialist_id, from_at, day, user_id, user_name)
        values (${company_id}, ${work_order_id}, ${work_id}, ${specialist_id}, now(), ${dayAt(sql`now()`, actor)}, ${user_id}, ${user_name})`,
  ).catch((error) => {
    // They were started on another work meanwhile: begun anew, it sees that.
    throw isUniqueViolation(error) ? new RetryTransaction() : error
  })
}

/** A time that was clocked is from then until then. */
export async function retime(db: Db, actor: Actor, id: number, what: { from_at: string; until_at: string }) {
  const from = sql`${what.from_at}::timestamptz`
  const rate = hourlyCostOn(actor.company_id, sql`t.specialist_id`, dayAt(from, actor))
  await rows(
    db,
    sql`update ${workTimesTable} t set from_at = ${from}, until_at = ${what.until_at}::timestamptz, day = n.day,
          minutes = n.minutes, rate = n.rate, amount = ${worth(sql`n.minutes`, sql`n.rate`)}
        from (select t.id, ${dayAt(from, actor)} as day, ${minutesOf(from, sql`${what.until_at}::timestamptz`)} as minutes,
          ${rate} as rate from ${workTimesTable} t where t.company_id = ${actor.company_id} and t.id = ${id}) n
        where t.company_id = ${actor.company_id} and t.id = n.id`,
  )
}

/** What an hour of some specialists costs changed: so does what they did in months that are open. */
export async function recostLabour(db: Db, actor: Actor, specialists: number[]) {
  const open = await openMonths(db, actor)
  const rate = hourlyCostOn(actor.company_id, sql`t.specialist_id`, sql`t.day`)
  const theirs = sql`t.company_id = ${actor.company_id} and t.specialist_id = any(${sql.param(specialists)}::bigint[])
    and t.day >= coalesce(${open.day}::date, '-infinity') and t.minutes >= 0`
  // Whoever is saving one of the orders adds up its costs from what was there before.
  await rows(
    db,
    sql`select o.id from ${workOrdersTable} o where o.company_id = ${actor.company_id}
          and o.id in (select t.work_order_id from ${workTimesTable} t where ${theirs}) order by o.id for no key update`,
  )
  const orders = await rows<{ id: number }>(
    db,
    sql`with n as (
          select t.id, t.amount as was, ${rate} as rate from ${workTimesTable} t where ${theirs}),
        changed as (
          update ${workTimesTable} t set rate = n.rate, amount = ${worth(sql`t.minutes`, sql`n.rate`)}
          from n where t.company_id = ${actor.company_id} and t.id = n.id and t.rate <> n.rate
          returning t.work_order_id, t.amount - n.was as more),
        costs as (
          update ${workOrderCostsTable} c set labour_cost = c.labour_cost + n.more
          from (select work_order_id, sum(more) as more from changed group by 1) n
          where c.company_id = ${actor.company_id} and c.id = n.work_order_id returning c.id)
        select id from costs`,
  )
  if (orders.length === 0) return
  const ids = orders.map(({ id }) => id)
  await writeExpenses(db, actor, ids)
  announce(db, actor, { topic: 'work-orders', workshop_id: null, ids })
}

/** What works cost in a closed month stays: they are not taken out. */
export async function requireOpenLabour(db: Db, actor: Actor, works: number[]) {
  const day = await closedLabour(db, actor, { works })
  if (day)
    throw new Problem(409, `El trabajo tiene horas en ${day.slice(0, 7)}, un mes cerrado: ya no se puede quitar.`)
}
