import { sql } from 'drizzle-orm'
import type { HourlyCosts } from '#contract/workshops/rosters.ts'
import { type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce, tell } from '../platform/operations/happenings.ts'
import { holdMonths } from './months.ts'
import { requireInRoster } from './rosters.ts'
import { hourlyCostsTable } from './tables.ts'

export async function hourlyCosts(db: Db, actor: Actor, specialist_id: number): Promise<HourlyCosts> {
  await requireInRoster(db, actor, 'specialist', specialist_id)
  const hourly_costs = await rows<HourlyCosts['hourly_costs'][number]>(
    db,
    sql`select from_day, amount from ${hourlyCostsTable}
        where company_id = ${actor.company_id} and specialist_id = ${specialist_id} order by from_day desc`,
  )
  return { hourly_costs }
}

/** What others hear when an hour of specialists costs something else. Nobody changes the past meanwhile. */
export const HOURLY_COSTS_CHANGED = 'workshops.hourly-costs-changed'

export async function updateHourlyCosts(
  db: Db,
  actor: Actor,
  specialist_id: number,
  what: HourlyCosts,
): Promise<HourlyCosts> {
  await holdMonths(db, actor)
  const { workshop_id } = await requireInRoster(db, actor, 'specialist', specialist_id, true)
  const before = await hourlyCosts(db, actor, specialist_id)
  const mine = sql`company_id = ${actor.company_id} and specialist_id = ${specialist_id}`
  await rows(db, sql`delete from ${hourlyCostsTable} where ${mine}`)
  if (what.hourly_costs.length > 0)
    await db
      .insert(hourlyCostsTable)
      .values(what.hourly_costs.map((cost) => ({ company_id: actor.company_id, specialist_id, ...cost })))
  const after = await hourlyCosts(db, actor, specialist_id)
  const said = ({ hourly_costs }: HourlyCosts) => ({
    hourly_costs: hourly_costs.map(({ from_day, amount }) => `${from_day}: ${amount}`).join('; ') || null,
  })
  await record(db, actor, 'hourly_costs', specialist_id, 'updated', said(before), said(after))
  await tell(db, actor, HOURLY_COSTS_CHANGED, [specialist_id])
  announce(db, actor, { topic: 'workshops', workshop_id, ids: [specialist_id] })
  return after
}

/** What an hour of a specialist costs on a day; nothing where nobody said. */
export const hourlyCostOn = (company_id: number, specialist_id: ReturnType<typeof sql>, day: ReturnType<typeof sql>) =>
  sql`coalesce((select h.amount from ${hourlyCostsTable} h where h.company_id = ${company_id}
    and h.specialist_id = ${specialist_id} and h.from_day <= ${day} order by h.from_day desc limit 1), 0)`
