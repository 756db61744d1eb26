import { sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import type { ClosedMonths } from '#contract/warehouses/stock.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import { announce } from '../platform/http/live.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { invalid } from '../platform/operations/problems.ts'
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
