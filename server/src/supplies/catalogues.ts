import { and, eq, sql } from 'drizzle-orm'
import type { Choice, ChoiceEdit, NewChoice } from '#contract/supplies/supplies.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import { all, matches } from '../platform/database/lists.ts'
import { announce } from '../platform/http/live.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { invalid, notFound, unlessInUse } from '../platform/operations/problems.ts'
import { inScopeOrShared, requireOwn, requireWorkshop } from '../workshops/scope.ts'
import { categoriesTable, measurementUnitsTable } from './tables.ts'

/** Categories and units are the same thing to a supply: a name to choose. */
export const CHOICES = {
  category: { table: categoriesTable, exists: 'Ya existe una categoría con este nombre.' },
  measurement_unit: { table: measurementUnitsTable, exists: 'Ya existe una unidad de medida con este nombre.' },
} as const
export type ChoiceKind = keyof typeof CHOICES

export async function listChoices(
  db: Db,
  actor: Actor,
  kind: ChoiceKind,
  { filter }: { filter: { Search?: string | undefined; WorkshopId?: number[] | undefined } },
) {
  const where = all([inScopeOrShared(actor, sql`c`, filter.WorkshopId), matches(sql`c.search`, filter.Search)])
  const data = await rows<Choice>(
    db,
    sql`select c.id, c.name, c.workshop_id from ${CHOICES[kind].table} c where ${where} order by c.name, c.id`,
  )
  return { data, total: data.length }
}

/** People of one workshop add to that workshop; those who work in all may also add for everyone. */
export async function createChoice(db: Db, actor: Actor, kind: ChoiceKind, what: NewChoice): Promise<Choice> {
  const { table, exists } = CHOICES[kind]
  const { company_id } = actor
  const workshop_id = actor.workshop_id ?? what.workshop_id
  if (workshop_id !== null) await requireWorkshop(db, actor, workshop_id)
  const shared = await row(
    db,
    sql`select id from ${table} where company_id = ${company_id} and coalesce(workshop_id, 0) = 0 and search = plain(${what.name})`,
  )
  if (shared) throw invalid({ name: exists })
  const { id } = one(
    await db.insert(table).values({ company_id, workshop_id, name: what.name }).returning({ id: table.id }),
  )
  const created = { id, name: what.name, workshop_id }
  await record(db, actor, kind, id, 'created', {}, created)
  announce(db, actor, { topic: 'supplies', workshop_id, ids: [id] })
  return created
}

export async function requireOwnChoice(db: Db, actor: Actor, kind: ChoiceKind, id: number): Promise<Choice> {
  const found = await row<Choice>(
    db,
    sql`select c.id, c.name, c.workshop_id from ${CHOICES[kind].table} c
        where ${inScopeOrShared(actor, sql`c`)} and c.id = ${id} for update`,
  )
  if (!found) throw notFound()
  requireOwn(actor, found)
  return found
}

export async function updateChoice(db: Db, actor: Actor, kind: ChoiceKind, id: number, { name }: ChoiceEdit) {
  const before = await requireOwnChoice(db, actor, kind, id)
  const { table } = CHOICES[kind]
  await db
    .update(table)
    .set({ name, updated_at: new Date().toISOString() })
    .where(and(eq(table.company_id, actor.company_id), eq(table.id, id)))
  const after = { ...before, name }
  await record(db, actor, kind, id, 'updated', before, after)
  announce(db, actor, { topic: 'supplies', workshop_id: before.workshop_id, ids: [id] })
  return after
}

export async function deleteChoice(db: Db, actor: Actor, kind: ChoiceKind, id: number) {
  const before = await requireOwnChoice(db, actor, kind, id)
  await unlessInUse(
    rows(db, sql`delete from ${CHOICES[kind].table} where company_id = ${actor.company_id} and id = ${id}`),
    'Hay insumos que la usan y no se puede eliminar. Cámbielos antes, o corrija el nombre.',
  )
  await record(db, actor, kind, id, 'deleted', before, {})
  announce(db, actor, { topic: 'supplies', workshop_id: before.workshop_id, ids: [id] })
  return undefined
}

/** A choice that a supply of this workshop can have. */
export async function requireChoice(
  db: Db,
  actor: Actor,
  kind: ChoiceKind,
  id: number | null,
  workshop_id: number,
  field: string,
) {
  if (id === null) return
  const found = await row(
    db,
    sql`select id from ${CHOICES[kind].table} where company_id = ${actor.company_id} and id = ${id}
        and (workshop_id is null or workshop_id = ${workshop_id})`,
  )
  if (!found) throw invalid({ [field]: 'Elija una opción de la lista.' })
}
