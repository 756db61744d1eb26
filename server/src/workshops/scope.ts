import { type SQL, sql } from 'drizzle-orm'
import { type Db, row } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid, notFound, Problem } from '../platform/operations/problems.ts'
import { workshopsTable } from './tables.ts'

/** Whose rows: of one workshop, or of all. */
export type Scope = Pick<Actor, 'company_id' | 'workshop_id'>

/**
 * Rows of the company in the workshops the person may see. What they ask for narrows it for those who work in all
 * workshops; everyone else gets their own, whatever they ask.
 */
export function inScope(actor: Scope, alias: SQL, asked?: number[]): SQL {
  const workshops = actor.workshop_id === null ? asked : [actor.workshop_id]
  return workshops?.length
    ? sql`${alias}.company_id = ${actor.company_id} and ${alias}.workshop_id = any(${sql.param(workshops)})`
    : sql`${alias}.company_id = ${actor.company_id}`
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
