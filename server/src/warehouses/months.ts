import { sql } from 'drizzle-orm'
import { dayOf, instantOf } from '#contract/base/dates.ts'
import type { ClosedMonths } from '#contract/warehouses/stock.ts'
import { OLD_DOCUMENT } from '#contract/warehouses/transactions.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import { announce } from '../platform/http/live.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { invalid } from '../platform/operations/problems.ts'
import { settingsOf } from '../workshops/company.ts'
import { closedMonthsTable } from './tables.ts'

export async function closedMonths(db: Db, actor: Actor): Promise<ClosedMonths> {
  const found = await row<ClosedMonths>(
    db,
    sql`select closed_through from ${closedMonthsTable} where company_id = ${actor.company_id}`,
  )
  return found ?? { closed_through: null }
}

/** Whoever dates something in the past and whoever closes a month wait for each other. */
const inTurn = (db: Db, actor: Actor, shared: boolean) =>
  rows(
    db,
    shared
      ? sql`select pg_advisory_xact_lock_shared(hashtext('closed_months'), ${actor.company_id}::int)`
      : sql`select pg_advisory_xact_lock(hashtext('closed_months'), ${actor.company_id}::int)`,
  )

/** A document of the past falls in a month that is still open. */
export async function requireOpenMonth(db: Db, actor: Actor, date: string, field: string) {
  await inTurn(db, actor, true)
  const { closed_through } = await closedMonths(db, actor)
  if (closed_through && date.slice(0, 7) <= closed_through)
    throw invalid({ [field]: `El mes ${date.slice(0, 7)} está cerrado: use una fecha posterior.` })
}

const OLD_DAYS = 60
/** The day of somebody's invoice: not beyond tomorrow, not before the company; long ago only where that is meant. */
export async function requireLikelyDay(
  db: Db,
  actor: Actor,
  date: string,
  { confirm_old, prefix = '' }: { confirm_old: boolean; prefix?: string },
) {
  const day = (ahead: number) => dayOf(new Date(Date.now() + ahead * 86_400_000), actor.time_zone)
  const { first_month } = await settingsOf(db, actor)
  if (date > day(1)) throw invalid({ [`${prefix}date`]: 'La fecha no puede ser posterior a mañana.' })
  if (date.slice(0, 7) < first_month)
    throw invalid({ [`${prefix}date`]: `La empresa empezó en ${first_month}: revise la fecha.` })
  if (date < day(-OLD_DAYS) && !confirm_old)
    throw invalid({ [`${prefix}date`]: OLD_DOCUMENT, [`${prefix}confirm_old`]: OLD_DOCUMENT })
}

/** The first instant of what is still open; null where nothing was ever closed. Nobody closes a month meanwhile. */
export async function openSince(db: Db, actor: Actor): Promise<string | null> {
  await inTurn(db, actor, true)
  const { closed_through } = await closedMonths(db, actor)
  return closed_through && instantOf(`${monthAfter(closed_through)}-01T00:00`, actor.time_zone)
}

const monthAfter = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7)
}

export async function closeMonths(db: Db, actor: Actor, { closed_through }: ClosedMonths): Promise<ClosedMonths> {
  await inTurn(db, actor, false)
  if (closed_through && closed_through >= dayOf(new Date(), actor.time_zone).slice(0, 7))
    throw invalid({ closed_through: 'Solo se cierran meses que ya terminaron.' })
  const before = await closedMonths(db, actor)
  await rows(
    db,
    sql`insert into ${closedMonthsTable} (company_id, closed_through) values (${actor.company_id}, ${closed_through})
        on conflict (company_id) do update set closed_through = excluded.closed_through, updated_at = now()`,
  )
  await record(db, actor, 'closed_months', actor.company_id, 'updated', before, { closed_through })
  announce(db, actor, { topic: 'warehouses', workshop_id: null, ids: [] })
  return { closed_through }
}
