import { sql } from 'drizzle-orm'
import { type AlertCategory, CHILEAN_OBLIGATIONS } from '#contract/alerts/categories.ts'
import { type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid } from '../platform/problems.ts'
import { addToCatalogue, type Catalogue, listCatalogue } from '../workshops/catalogues.ts'
import { alertCategoriesTable } from './tables.ts'

export const ALERT_CATEGORIES: Catalogue = {
  table: alertCategoriesTable,
  entity: 'alert_category',
  topic: 'alerts',
  more: ['company_id', 'applies_to', 'every_months', 'due_day', 'days'],
  exists: 'Ya existe una categoría con este nombre.',
  inUse: 'Hay alertas que la usan y no se puede eliminar. Cámbielas antes, o corrija el nombre.',
}

/** A new company finds the obligations of Chile there. */
export async function startWithObligations(db: Db, company_id: number) {
  await db.insert(alertCategoriesTable).values(CHILEAN_OBLIGATIONS.map((one) => ({ company_id, ...one })))
}

/** Those of Chile that are not there yet, by name, so that they can be edited like any other. */
export async function addChileanObligations(db: Db, actor: Actor) {
  const there = await listCatalogue<AlertCategory>(db, actor, ALERT_CATEGORIES, { filter: {} })
  const known = new Set(there.data.map(({ name }) => name.toLowerCase()))
  for (const obligation of CHILEAN_OBLIGATIONS)
    if (!known.has(obligation.name.toLowerCase()))
      await addToCatalogue(db, actor, ALERT_CATEGORIES, { ...obligation, workshop_id: null })
  return listCatalogue<AlertCategory>(db, actor, ALERT_CATEGORIES, { filter: {} })
}

/** Categories that every one of these trucks and units can have. */
export async function requireCategories(db: Db, actor: Actor, ids: number[], units: { workshop_id: number }[]) {
  const workshops = [...new Set(units.map(({ workshop_id }) => workshop_id))]
  const found = await rows<{ id: number; workshop_id: number | null }>(
    db,
    sql`select id, workshop_id from ${alertCategoriesTable} where company_id = ${actor.company_id}
        and id = any(${sql.param(ids)})`,
  )
  const fits = found.filter(
    ({ workshop_id }) => workshop_id === null || workshops.every((workshop) => workshop === workshop_id),
  )
  if (fits.length !== ids.length)
    throw invalid({ category_maintenance_alert_id: 'Elija categorías del taller de los equipos.' })
}
