import { and, eq, sql } from 'drizzle-orm'
import {
  type AlertCategory,
  type AlertCategoryEdit,
  CHILEAN_OBLIGATIONS,
  type NewAlertCategory,
} from '#contract/alerts/categories.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import { all, matches } from '../platform/database/lists.ts'
import { announce } from '../platform/http/live.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { invalid, notFound, unlessInUse } from '../platform/operations/problems.ts'
import { inScopeOrShared, requireOwn, requireWorkshop } from '../workshops/scope.ts'
import { alertCategoriesTable } from './tables.ts'

export const CATEGORY_EXISTS = 'Ya existe una categoría con este nombre.'
const COLUMNS = sql`y.id, y.company_id, y.name, y.workshop_id, y.applies_to, y.every_months, y.due_day, y.days`

export async function listCategories(
  db: Db,
  actor: Actor,
  { filter }: { filter: { Search?: string | undefined; WorkshopId?: number[] | undefined } },
) {
  const where = all([inScopeOrShared(actor, sql`y`, filter.WorkshopId), matches(sql`y.search`, filter.Search)])
  const data = await rows<AlertCategory>(
    db,
    sql`select ${COLUMNS} from ${alertCategoriesTable} y where ${where} order by y.name, y.id`,
  )
  return { data, total: data.length }
}

/** People of one workshop add to that workshop; those who work in all may also add for everyone. */
export async function createCategory(db: Db, actor: Actor, what: NewAlertCategory): Promise<AlertCategory> {
  const { company_id } = actor
  const workshop_id = actor.workshop_id ?? what.workshop_id
  if (workshop_id !== null) await requireWorkshop(db, actor, workshop_id)
  const shared = await row(
    db,
    sql`select id from ${alertCategoriesTable} where company_id = ${actor.company_id}
        and coalesce(workshop_id, 0) = 0 and search = plain(${what.name})`,
  )
  if (shared) throw invalid({ name: CATEGORY_EXISTS })
  const { id } = one(
    await db
      .insert(alertCategoriesTable)
      .values({ company_id, ...what, workshop_id })
      .returning({ id: alertCategoriesTable.id }),
  )
  const created = { id, company_id, ...what, workshop_id }
  await record(db, actor, 'alert_category', id, 'created', {}, created)
  announce(db, actor, { topic: 'alerts', workshop_id, ids: [] })
  return created
}

/** A new company finds the obligations of Chile there. */
export async function startWithObligations(db: Db, company_id: number) {
  await db.insert(alertCategoriesTable).values(CHILEAN_OBLIGATIONS.map((one) => ({ company_id, ...one })))
}

/** Those of Chile that are not there yet, by name, so that they can be edited like any other. */
export async function addChileanObligations(db: Db, actor: Actor) {
  const there = await listCategories(db, actor, { filter: {} })
  const known = new Set(there.data.map(({ name }) => name.toLowerCase()))
  for (const obligation of CHILEAN_OBLIGATIONS)
    if (!known.has(obligation.name.toLowerCase())) await createCategory(db, actor, { ...obligation, workshop_id: null })
  return listCategories(db, actor, { filter: {} })
}

export async function requireCategory(db: Db, actor: Actor, id: number): Promise<AlertCategory> {
  const found = await row<AlertCategory>(
    db,
    sql`select ${COLUMNS} from ${alertCategoriesTable} y where ${inScopeOrShared(actor, sql`y`)} and y.id = ${id} for update`,
  )
  if (!found) throw notFound()
  requireOwn(actor, found)
  return found
}

export async function updateCategory(db: Db, actor: Actor, id: number, what: AlertCategoryEdit) {
  const before = await requireCategory(db, actor, id)
  await db
    .update(alertCategoriesTable)
    .set({ ...what, updated_at: new Date().toISOString() })
    .where(and(eq(alertCategoriesTable.company_id, actor.company_id), eq(alertCategoriesTable.id, id)))
  const after = { ...before, ...what }
  await record(db, actor, 'alert_category', id, 'updated', before, after)
  announce(db, actor, { topic: 'alerts', workshop_id: before.workshop_id, ids: [] })
  return after
}

export async function deleteCategory(db: Db, actor: Actor, id: number) {
  const before = await requireCategory(db, actor, id)
  await unlessInUse(
    rows(db, sql`delete from ${alertCategoriesTable} where company_id = ${actor.company_id} and id = ${id}`),
    'Hay alertas que la usan y no se puede eliminar. Cámbielas antes, o corrija el nombre.',
  )
  await record(db, actor, 'alert_category', id, 'deleted', before, {})
  announce(db, actor, { topic: 'alerts', workshop_id: before.workshop_id, ids: [] })
  return undefined
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
