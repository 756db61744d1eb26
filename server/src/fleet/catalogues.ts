import { and, eq, sql } from 'drizzle-orm'
import type { Named, NamedEdit, NewNamed } from '#contract/fleet/fleet.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import { all, listPage, matches } from '../platform/database/lists.ts'
import { announce } from '../platform/http/live.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { invalid, notFound, unlessInUse } from '../platform/operations/problems.ts'
import { inScopeOrShared, requireOwn, requireWorkshop } from '../workshops/scope.ts'
import { brandsTable, costCentersTable, truckTypesTable } from './tables.ts'

/** Brands, types and cost centres are the same thing to a truck: a name to choose. */
export const CATALOGUES = {
  brand: { table: brandsTable, exists: 'Ya existe una marca con este nombre.' },
  truck_type: { table: truckTypesTable, exists: 'Ya existe un tipo con este nombre.' },
  cost_center: { table: costCentersTable, exists: 'Ya existe un centro de costo con este nombre.' },
} as const
type Kind = keyof typeof CATALOGUES

interface Asked {
  filter: { Search?: string | undefined; WorkshopId?: number[] | undefined }
}

const columnsOf = (kind: Kind) =>
  sql`c.id, c.company_id, c.name, c.workshop_id${kind === 'cost_center' ? sql`, c.description` : sql``}`
const askedFor = (actor: Actor, { filter }: Asked) =>
  all([inScopeOrShared(actor, sql`c`, filter.WorkshopId), matches(sql`c.search`, filter.Search)])

export async function listCatalogue<T extends Named>(db: Db, actor: Actor, kind: Kind, query: Asked) {
  const data = await rows<T>(
    db,
    sql`select ${columnsOf(kind)} from ${CATALOGUES[kind].table} c where ${askedFor(actor, query)} order by c.name, c.id`,
  )
  return { data, total: data.length }
}

export const pageCatalogue = (
  db: Db,
  actor: Actor,
  kind: Kind,
  query: Asked & { page: number; per_page: number; sort?: string | undefined },
) =>
  listPage<Named>(db, query, {
    select: columnsOf(kind),
    from: sql`${CATALOGUES[kind].table} c`,
    where: askedFor(actor, query),
    sorts: { name: sql`c.name` },
    order: sql`c.name`,
    id: sql`c.id`,
  })

/** People of one workshop add to that workshop; those who work in all may also add for everyone. */
export async function createInCatalogue<T extends Named>(
  db: Db,
  actor: Actor,
  kind: Kind,
  what: NewNamed & { description?: string | null },
): Promise<T> {
  const { table, exists } = CATALOGUES[kind]
  const workshop_id = actor.workshop_id ?? what.workshop_id
  if (workshop_id !== null) await requireWorkshop(db, actor, workshop_id)
  const shared = await row(
    db,
    sql`select id from ${table} where company_id = ${actor.company_id} and coalesce(workshop_id, 0) = 0 and search = plain(${what.name})`,
  )
  if (shared) throw invalid({ name: exists })
  const values = { company_id: actor.company_id, workshop_id, name: what.name, description: what.description ?? null }
  const { id } = one(await db.insert(table).values(values).returning({ id: table.id }))
  const created = await row<T>(
    db,
    sql`select ${columnsOf(kind)} from ${table} c where c.company_id = ${actor.company_id} and c.id = ${id}`,
  )
  await record(db, actor, kind, id, 'created', {}, created)
  announce(db, actor, { topic: 'fleet', workshop_id, ids: [id] })
  return created!
}

export async function requireInCatalogue<T extends Named>(db: Db, actor: Actor, kind: Kind, id: number): Promise<T> {
  const found = await row<T>(
    db,
    sql`select ${columnsOf(kind)} from ${CATALOGUES[kind].table} c
        where ${inScopeOrShared(actor, sql`c`)} and c.id = ${id} for update`,
  )
  if (!found) throw notFound()
  requireOwn(actor, found)
  return found
}

export async function updateInCatalogue<T extends Named>(
  db: Db,
  actor: Actor,
  kind: Kind,
  id: number,
  what: NamedEdit & { description?: string | null },
): Promise<T> {
  const before = await requireInCatalogue<T>(db, actor, kind, id)
  const { table } = CATALOGUES[kind]
  await db
    .update(table)
    .set({ ...what, updated_at: new Date().toISOString() })
    .where(and(eq(table.company_id, actor.company_id), eq(table.id, id)))
  const after = await requireInCatalogue<T>(db, actor, kind, id)
  await record(db, actor, kind, id, 'updated', before, after)
  announce(db, actor, { topic: 'fleet', workshop_id: before.workshop_id, ids: [id] })
  return after
}

export async function deleteFromCatalogue(db: Db, actor: Actor, kind: Kind, id: number) {
  const before = await requireInCatalogue(db, actor, kind, id)
  await unlessInUse(
    rows(db, sql`delete from ${CATALOGUES[kind].table} where company_id = ${actor.company_id} and id = ${id}`),
    'Hay equipos que lo usan y no se puede eliminar. Cámbielos antes, o corrija el nombre.',
  )
  await record(db, actor, kind, id, 'deleted', before, {})
  announce(db, actor, { topic: 'fleet', workshop_id: before.workshop_id, ids: [id] })
  return undefined
}

/** A choice that a truck of this workshop can have. */
export async function requireChoice(
  db: Db,
  actor: Actor,
  kind: Kind,
  id: number | null,
  workshop_id: number,
  field: string,
) {
  if (id === null) return
  const found = await row(
    db,
    sql`select id from ${CATALOGUES[kind].table} where company_id = ${actor.company_id} and id = ${id}
        and (workshop_id is null or workshop_id = ${workshop_id})`,
  )
  if (!found) throw invalid({ [field]: 'Elija una opción de la lista.' })
}
