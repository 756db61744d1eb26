import { and, eq, sql } from 'drizzle-orm'
import type { NewView, View, ViewEdit } from '#contract/identity/views.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { notFound, Problem } from '../platform/problems.ts'
import { savedViewsTable, usersTable } from './tables.ts'

/** More than anybody could choose from. */
const MOST = 200

const seen = (actor: Actor) => sql`v.company_id = ${actor.company_id} and (v.user_id = ${actor.user_id} or v.shared)`
const select = (actor: Actor) => sql`select v.id, v.list, v.name, v.query, v.hidden, v.shared, v.roles,
  v.user_id = ${actor.user_id} as mine, u.name as user_name
  from ${savedViewsTable} v join ${usersTable} u on u.id = v.user_id`

export async function listViews(db: Db, actor: Actor) {
  const data = await rows<View>(
    db,
    sql`${select(actor)} where ${seen(actor)} order by v.list, v.shared, lower(v.name), v.id`,
  )
  return { data, total: data.length }
}

export async function requireView(db: Db, actor: Actor, id: number): Promise<View> {
  const view = await row<View>(db, sql`${select(actor)} where ${seen(actor)} and v.id = ${id}`)
  if (!view) throw notFound()
  return view
}

/** What everyone sees, or begins with, is said by those who manage them. */
function requireManager(actor: Actor, what: { shared: boolean; roles: unknown[] }) {
  if ((what.shared || what.roles.length > 0) && !actor.may.has('people.manage'))
    throw new Problem(403, 'Compartir vistas es de quien administra a las personas del taller.')
}
/** A view that some roles begin with is one that they see. */
const sharing = ({ shared, roles }: Pick<NewView, 'shared' | 'roles'>) => ({
  shared: shared || roles.length > 0,
  roles,
})

export async function createView(db: Db, actor: Actor, what: NewView): Promise<View> {
  requireManager(actor, what)
  const { company_id, user_id } = actor
  const counted = one(
    await rows<{ total: number }>(
      db,
      sql`select count(*) as total from ${savedViewsTable} where company_id = ${company_id} and user_id = ${user_id}`,
    ),
  )
  if (counted.total >= MOST) throw new Problem(409, `Ya guardó ${MOST} vistas: elimine alguna primero.`)
  const { list, name, query, hidden } = what
  const { id } = one(
    await db
      .insert(savedViewsTable)
      .values({ company_id, user_id, list, name, query, hidden, ...sharing(what) })
      .returning({ id: savedViewsTable.id }),
  )
  await standAlone(db, actor, id)
  return requireView(db, actor, id)
}

export async function updateView(db: Db, actor: Actor, id: number, what: ViewEdit): Promise<View> {
  const before = await requireView(db, actor, id)
  if (!before.mine) requireManager(actor, before)
  requireManager(actor, what)
  const { name, query, hidden } = what
  await db
    .update(savedViewsTable)
    .set({ name, query, hidden, ...sharing(what), updated_at: new Date().toISOString() })
    .where(and(eq(savedViewsTable.company_id, actor.company_id), eq(savedViewsTable.id, id)))
  await standAlone(db, actor, id)
  return requireView(db, actor, id)
}

/** A role begins a list with one view: the last that was said. */
const standAlone = (db: Db, { company_id }: Actor, id: number) =>
  rows(
    db,
    sql`update ${savedViewsTable} o set roles = array(select unnest(o.roles) except select unnest(v.roles))
        from ${savedViewsTable} v where v.company_id = ${company_id} and v.id = ${id} and o.company_id = ${company_id}
          and o.id <> v.id and o.list = v.list and o.roles && v.roles`,
  )

export async function deleteView(db: Db, actor: Actor, id: number) {
  const view = await requireView(db, actor, id)
  if (!view.mine) requireManager(actor, view)
  await rows(db, sql`delete from ${savedViewsTable} where company_id = ${actor.company_id} and id = ${id}`)
  return undefined
}
