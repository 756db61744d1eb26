import { sql } from 'drizzle-orm'
import type { NewServiceCategory, ServiceCategory } from '#contract/providers.ts'
import type { Actor } from '../platform/actor.ts'
import { record } from '../platform/audit.ts'
import { type Db, row, rows } from '../platform/db.ts'
import { all, matches } from '../platform/lists.ts'
import { announce } from '../platform/live.ts'
import { invalid } from '../platform/problems.ts'
import { inScopeOrShared, requireWorkshop } from '../workshops/scope.ts'
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

/** Who works in one workshop adds to that workshop; who works in all may also add for everyone. */
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
  const [{ id } = { id: 0 }] = await db
    .insert(serviceCategoriesTable)
    .values({ company_id: actor.company_id, workshop_id, name, description })
    .returning({ id: serviceCategoriesTable.id })
  const category = { id, name, description, workshop_id, company_id: actor.company_id }
  await record(db, actor, 'service_category', id, 'created', {}, category)
  announce(db, actor, { topic: 'providers', workshop_id, ids: [id] })
  return category
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
