import { type SQL, sql } from 'drizzle-orm'
import { all, oneOf } from '../platform/database/conditions.ts'
import { type Db, row } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid, notFound, Problem } from '../platform/problems.ts'
import { settingsTable, workshopsTable } from './tables.ts'

/** Whose rows: of one workshop, or of all. */
export type Scope = Pick<Actor, 'company_id' | 'workshop_id'>

/**
 * Rows of the company in the workshops the person may see. What they ask for narrows it for those who work in all
 * workshops; everyone else gets their own, whatever they ask.
 */
export function inScope(actor: Scope, alias: SQL, asked?: number[]): SQL {
  const workshops = actor.workshop_id === null ? asked : [actor.workshop_id]
  return all([sql`${alias}.company_id = ${actor.company_id}`, oneOf(sql`${alias}.workshop_id`, workshops)])
}

/** The company shares its trucks among its workshops, as SQL. */
export const sharesFleet = ({ company_id }: Pick<Scope, 'company_id'>) =>
  sql`exists (select from ${settingsTable} where company_id = ${company_id} and name = 'shared_fleet' and setting_value = 'true')`

/** As `inScope`, to read trucks, units and what is of them: with a shared fleet, of every workshop that is asked for. */
export function inFleet(actor: Scope, alias: SQL, asked?: number[]): SQL {
  if (actor.workshop_id === null) return inScope(actor, alias, asked)
  const own = sql`${alias}.company_id = ${actor.company_id} and (${alias}.workshop_id = ${actor.workshop_id} or ${sharesFleet(actor)})`
  return asked?.length ? sql`${own} and ${alias}.workshop_id = any(${sql.param(asked)})` : own
}

/** Who looks at one truck: with a shared fleet, at all of it, wherever it was. */
export async function lookingAtTruck(db: Db, actor: Actor): Promise<Actor> {
  if (actor.workshop_id === null) return actor
  const shared = await row(db, sql`select 1 as shared where ${sharesFleet(actor)}`)
  return shared ? { ...actor, workshop_id: null } : actor
}

/** What is read with the fleet is changed at home. */
export function requireHome(actor: Scope, thing: { workshop_id: number }, message: string) {
  if (actor.workshop_id !== null && actor.workshop_id !== thing.workshop_id) throw new Problem(403, message)
}

/** As `inScope`, for catalogues: a row without a workshop is everyone's. */
export function inScopeOrShared(actor: Actor, alias: SQL, asked?: number[]): SQL {
  const workshops = actor.workshop_id === null ? asked : [actor.workshop_id]
  return workshops?.length
    ? sql`${alias}.company_id = ${actor.company_id} and (${alias}.workshop_id is null or ${alias}.workshop_id = any(${sql.param(workshops)}))`
    : sql`${alias}.company_id = ${actor.company_id}`
}

/** A workshop that exists, is active, and that the person may write in. */
export async function requireWorkshop(db: Db, actor: Actor, id: number, field = 'workshop_id') {
  const found =
    (actor.workshop_id === null || actor.workshop_id === id) &&
    (await row(
      db,
      sql`select id from ${workshopsTable} where company_id = ${actor.company_id} and id = ${id} and active`,
    ))
  if (!found) throw invalid({ [field]: 'Elija un taller de la lista.' })
}

/** A workshop named in a path: 404 where the person does not see it. */
export async function requireVisibleWorkshop(db: Db, actor: Actor, id: number) {
  const found =
    (actor.workshop_id === null || actor.workshop_id === id) &&
    (await row(db, sql`select id from ${workshopsTable} where company_id = ${actor.company_id} and id = ${id}`))
  if (!found) throw notFound()
}

/** What all workshops share is changed by those who work in all of them. */
export function requireOwn(actor: Actor, thing: { workshop_id: number | null }) {
  if (thing.workshop_id === null && actor.workshop_id !== null)
    throw new Problem(403, 'Es de todos los talleres: solo lo puede cambiar quien administra toda la empresa.')
}
