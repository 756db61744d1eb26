import { and, eq, sql } from 'drizzle-orm'
import { type Alert, EXECUTED, type Executing, isExecuted } from '#contract/alerts/alerts.ts'
import { addDays, addMonths, dayOf } from '#contract/base/dates.ts'
import { type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { invalid } from '../platform/problems.ts'
import { type AlertColumns, addAlerts, lockAlerts, type Unit } from './alerts.ts'
import { alertsTable } from './tables.ts'

/** Marks alerts as done on a day, today unless told. Those that repeat make their next one; done ones stay as they are. */
export async function executeAlerts(
  db: Db,
  actor: Actor,
  { ids, date, withOrder = false }: Pick<Executing, 'ids' | 'date'> & { withOrder?: boolean },
  now = new Date(),
) {
  const today = dayOf(now, actor.time_zone)
  const executed_on = date ?? today
  if (executed_on > today) throw invalid({ date: 'La fecha no puede estar en el futuro.' })
  const open = (await lockAlerts(db, actor, ids)).filter((alert) => !isExecuted(alert))
  for (const alert of open) {
    await db
      .update(alertsTable)
      .set({
        status: EXECUTED,
        overdue: false,
        executed_on,
        executed_kilometers: alert.kilometers_now,
        executed_by: actor.user_name,
        executed_with_order: withOrder,
        updated_at: new Date().toISOString(),
      })
      .where(and(eq(alertsTable.company_id, actor.company_id), eq(alertsTable.id, alert.id)))
    await record(db, actor, 'alert', alert.id, 'executed', {}, { executed_on, kilometers: alert.kilometers_now })
  }
  // One that was executed before, and opened again, may have its next already.
  const followed = await rows<{ previous_id: number }>(
    db,
    sql`select previous_id from ${alertsTable} where company_id = ${actor.company_id}
        and previous_id = any(${sql.param(open.map(({ id }) => id))})`,
  )
  const days = await rows<{ id: number; repeat_day: number | null }>(
    db,
    sql`select id, repeat_day from ${alertsTable} where company_id = ${actor.company_id}
        and id = any(${sql.param(open.map(({ id }) => id))})`,
  )
  const dayOfMonth = new Map(days.map(({ id, repeat_day }) => [id, repeat_day]))
  const hasNext = new Set(followed.map(({ previous_id }) => previous_id))
  const next = open.flatMap((alert) =>
    hasNext.has(alert.id) ? [] : (nextOf(alert, executed_on, dayOfMonth.get(alert.id)) ?? []),
  )
  const made = next.length > 0 ? (await addAlerts(db, actor, next, now)).data : []
  for (const workshop_id of new Set(open.map((alert) => alert.workshop_id)))
    announce(db, actor, { topic: 'alerts', workshop_id, ids: open.map(({ id }) => id) })
  return { executed: open.length, made }
}

/** What was planned, moved on by its period until it lies beyond what was done. */
function beyond<T>(start: T, done: T, step: (from: T, times: number) => T): T {
  let times = 1
  while (step(start, times) <= done && times < 10_000) times += 1
  return step(start, times)
}

/** The next alert of a plan, from the day and the kilometres it was done at, or from those it was planned for. */
export function nextOf(
  alert: Alert,
  executed_on: string,
  repeat_day?: number | null,
): (Unit & AlertColumns & { categories: number[] }) | undefined {
  const { repeatSettings: repeat, expirationSettings: plan, alertSettings: reminder } = alert
  const { every, unit, from } = repeat
  const planned = from === 'planned'
  // A plan for the 31st keeps to it after the months that have none.
  const wanted = planned && plan.date !== null ? (repeat_day ?? Number(plan.date.slice(8, 10))) : undefined
  const step = (day: string, times: number) =>
    unit === 'months' ? addMonths(day, every! * times, wanted) : addDays(day, every! * times)
  const date =
    every === null ? null : planned && plan.date !== null ? beyond(plan.date, executed_on, step) : step(executed_on, 1)
  const done = alert.kilometers_now ?? 0
  const kilometers =
    repeat.kilometers === null
      ? null
      : planned && plan.kilometers !== null
        ? beyond(plan.kilometers, done, (km, times) => km + repeat.kilometers! * times)
        : done + repeat.kilometers
  if (date === null && kilometers === null) return undefined
  const advance = reminder.kilometers_advance
  return {
    truck_id: alert.truck_id,
    coupled_id: alert.coupled_id,
    workshop_id: alert.workshop_id,
    name: alert.name,
    description: alert.description,
    date,
    kilometers,
    days: date === null ? null : reminder.days,
    kilometers_advance: kilometers === null || advance === null || advance >= kilometers ? null : advance,
    emails: alert.emails_to_notifications.selected,
    repeat_every: every,
    repeat_unit: unit,
    repeat_kilometers: repeat.kilometers,
    repeat_from: from,
    repeat_day: unit === 'months' && date !== null && wanted !== Number(date.slice(8, 10)) ? (wanted ?? null) : null,
    previous_id: alert.id,
    categories: alert.category_maintenance_alert_id,
  }
}
