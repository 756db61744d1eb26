import { and, eq, sql } from 'drizzle-orm'
import type { NewServiceCategory, ServiceCategory, ServiceCategoryEdit } from '#contract/providers/providers.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import { all, matches } from '../platform/database/lists.ts'
import { announce } from '../platform/http/live.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { invalid, notFound, unlessInUse } from '../platform/operations/problems.ts'
import { inScopeOrShared, requireOwn, requireWorkshop } from '../workshops/scope.ts'
import { serviceCategoriesTable } from './tables.ts'

const SELECT = sql`c.id, c.name, c.description, c.workshop_id, c.company_id`
export const CATEGORY_TAKEN = 'Ya existe una categoría con este nombre.'

export async function listServiceCategories(
  db: Db,
  actor: Actor,
  { filter }: { filter: { Search?: string | undefined; WorkshopId?: number[] | undefined } },
) {
  const data = await rows<ServiceCategory>(
    db,
    sql`select ${SELECT} from ${serviceCategoriesTable} c
        where ${all([inScopeOrShared(actor, sql`c`, filter.WorkshopId), matches(sql`c.search`, filter.Search)])}
        order by c.name, c.id`,
  )
  return { data, total: data.length }
}

/** People of one workshop add to that workshop; those who work in all may also add for everyone. */
export async function createServiceCategory(
  db: Db,
  actor: Actor,
  { name, description, workshop_id: asked }: NewServiceCategory,
): Promise<ServiceCategory> {
  const workshop_id = actor.workshop_id ?? asked
  if (workshop_id !== null) await requireWorkshop(db, actor, workshop_id)
  const shared = await row(
    db,
    sql`select id from ${serviceCategoriesTable}
        where company_id = ${actor.company_id} and coalesce(workshop_id, 0) = 0 and search = plain(${name})`,
  )
  if (shared) throw invalid({ name: CATEGORY_TAKEN })
  const { id } = one(
    await db
      .insert(serviceCategoriesTable)
      .values({ company_id: actor.company_id, workshop_id, name, description })
      .returning({ id: serviceCategoriesTable.id }),
  )
  const category = { id, name, description, workshop_id, company_id: actor.company_id }
  await record(db, actor, 'service_category', id, 'created', {}, category)
  announce(db, actor, { topic: 'providers', workshop_id, ids: [id] })
  return category
}

export async function requireOwnCategory(db: Db, actor: Actor, id: number): Promise<ServiceCategory> {
  const found = await row<ServiceCategory>(
    db,
    sql`select ${SELECT} from ${serviceCategoriesTable} c
        where ${inScopeOrShared(actor, sql`c`)} and c.id = ${id} for update`,
  )
  if (!found) throw notFound()
  requireOwn(actor, found)
  return found
}

export async function updateServiceCategory(db: Db, actor: Actor, id: number, what: ServiceCategoryEdit) {
  const before = await requireOwnCategory(db, actor, id)
  await db
    .update(serviceCategoriesTable)
    .set({ ...what, updated_at: new Date().toISOString() })
    .where(and(eq(serviceCategoriesTable.company_id, actor.company_id), eq(serviceCategoriesTable.id, id)))
  const after = { ...before, ...what }
  await record(db, actor, 'service_category', id, 'updated', before, after)
  announce(db, actor, { topic: 'providers', workshop_id: before.workshop_id, ids: [id] })
  return after
}

export async function deleteServiceCategory(db: Db, actor: Actor, id: number) {
  const before = await requireOwnCategory(db, actor, id)
  await unlessInUse(
    rows(db, sql`delete from ${serviceCategoriesTable} where company_id = ${actor.company_id} and id = ${id}`),
    'Hay servicios que la usan y no se puede eliminar. Cámbielos antes, o corrija el nombre.',
  )
  await record(db, actor, 'service_category', id, 'deleted', before, {})
  announce(db, actor, { topic: 'providers', workshop_id: before.workshop_id, ids: [id] })
  return undefined
}

/** A category that a service of this workshop can have; one for all workshops takes a shared category. */
export async function requireServiceCategory(db: Db, actor: Actor, id: number | null, workshop_id: number | null) {
  if (id === null) return
  const found = await row(
    db,
    sql`select id from ${serviceCategoriesTable} where company_id = ${actor.company_id} and id = ${id}
        and (workshop_id is null or workshop_id = ${workshop_id}::bigint)`,
  )
  if (!found) throw invalid({ category_id: 'Elija una categoría de la lista.' })
}
