import { sql } from 'drizzle-orm'
import { dayOf, instantOf } from '#contract/base/dates.ts'
import { type ClosedMonths, closedMonth } from '#contract/workshops/months.ts'
import { batch, type Db, memoizeInTransaction, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { listActivity, record } from '../platform/operations/audit.ts'
import { announce, tell } from '../platform/operations/happenings.ts'
import { invalid } from '../platform/problems.ts'
import { closedMonthsTable } from './tables.ts'

export async function closedMonths(db: Db, actor: Pick<Actor, 'company_id'>): Promise<ClosedMonths> {
  const found = await row<ClosedMonths>(
    db,
    sql`select closed_through from ${closedMonthsTable} where company_id = ${actor.company_id}`,
  )
  return found ?? { closed_through: null }
}

/** Whoever changes something of the past and whoever closes a month wait for each other. */
const inTurn = (db: Db, actor: Actor, shared: boolean) =>
  rows(
    db,
    shared
      ? sql`select pg_advisory_xact_lock_shared(hashtext('closed_months'), ${actor.company_id}::int)`
      : sql`select pg_advisory_xact_lock(hashtext('closed_months'), ${actor.company_id}::int)`,
  )

/** Nobody changes anything of the past until the transaction ends. */
export const holdMonths = (db: Db, actor: Actor) => inTurn(db, actor, false)

/** The first day and the first instant that are not closed; null where nothing is. */
export interface Open {
  day: string | null
  since: string | null
}

/** What is open, until the transaction ends: nobody closes a month meanwhile. */
export const openMonths = (db: Db, actor: Actor): Promise<Open> =>
  memoizeInTransaction(db, 'open months', async () => {
    const { closed } = await batch({ lock: inTurn(db, actor, true), closed: closedMonths(db, actor) })
    return openAfter(closed, actor)
  })

/** The same for who only looks. */
export const openAfter = ({ closed_through }: ClosedMonths, { time_zone }: Pick<Actor, 'time_zone'>): Open => {
  const day = closed_through && `${monthAfter(closed_through)}-01`
  return { day, since: day && instantOf(`${day}T00:00`, time_zone) }
}

export const openSince = async (db: Db, actor: Actor) => (await openMonths(db, actor)).since

const monthAfter = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7)
}

export const isClosedAt = ({ since }: Open, at: string | null) =>
  since !== null && at !== null && Date.parse(at) < Date.parse(since)
export const isClosedOn = ({ day }: Open, on: string) => day !== null && on < day

/** What is dated in the past falls in a month that is still open. */
export async function requireOpenMonth(db: Db, actor: Actor, date: string, field: string) {
  if (isClosedOn(await openMonths(db, actor), date)) throw invalid({ [field]: closedMonth(date) })
}

/** What others hear when months were closed, or opened again, before that is so for everyone. */
export const MONTHS_CLOSED = 'workshops.months-closed'

export async function closeMonths(db: Db, actor: Actor, { closed_through }: ClosedMonths): Promise<ClosedMonths> {
  await inTurn(db, actor, false)
  if (closed_through && closed_through >= dayOf(new Date(), actor.time_zone).slice(0, 7))
    throw invalid({ closed_through: 'Solo se cierran meses que ya terminaron.' })
  const before = await closedMonths(db, actor)
  await rows(
    db,
    sql`insert into ${closedMonthsTable} (company_id, closed_through) values (${actor.company_id}, ${closed_through})
        on conflict (company_id) do update set closed_through = excluded.closed_through, updated_at = excluded.updated_at`,
  )
  await tell(db, actor, MONTHS_CLOSED, [])
  const reopens = (before.closed_through ?? '') > (closed_through ?? '')
  await record(db, actor, 'closed_months', actor.company_id, reopens ? 'reopened' : 'closed', before, {
    closed_through,
  })
  announce(db, actor, { topic: 'workshops', workshop_id: null, ids: [] })
  return { closed_through }
}

export const closedMonthsActivity = (db: Db, actor: Actor, query: { page: number; per_page: number }) =>
  listActivity(db, actor, 'closed_months', actor.company_id, query)
