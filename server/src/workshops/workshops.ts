import { and, eq, sql } from 'drizzle-orm'
import type { RosterState } from '#contract/workshops/rosters.ts'
import type { Location, NewWorkshop, Workshop, WorkshopEdit } from '#contract/workshops/workshops.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { type Db, one, row, rows, unlessInUse } from '../platform/database/db.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { notFound, Problem, requireFresh } from '../platform/problems.ts'
import { workshopsTable } from './tables.ts'

export async function listWorkshops(db: Db, actor: Actor) {
  const data = await rows<Workshop>(
    db,
    sql`select id, name, address from ${workshopsTable}
        where company_id = ${actor.company_id} and active
          and (${actor.workshop_id}::bigint is null or id = ${actor.workshop_id})
        order by name`,
  )
  return { data, total: data.length }
}

const STATE = sql`case when active then 'active' else 'inactive' end`
const SELECT = sql`id, name, address, ${STATE} as state, updated_at`
const seenBy = (actor: Actor) =>
  sql`company_id = ${actor.company_id} and (${actor.workshop_id}::bigint is null or id = ${actor.workshop_id})`

export async function listLocations(
  db: Db,
  actor: Actor,
  { filter }: { filter: { Search?: string | undefined; State?: RosterState[] | undefined } },
) {
  const data = await rows<Location>(
    db,
    sql`select ${SELECT} from ${workshopsTable}
        where ${all([seenBy(actor), matches(sql`plain(name || ' ' || coalesce(address, ''))`, filter.Search), oneOf(STATE, filter.State)])}
        order by name, id`,
  )
  return { data, total: data.length }
}

export async function requireLocation(db: Db, actor: Actor, id: number, lock = false): Promise<Location> {
  const found = await row<Location>(
    db,
    sql`select ${SELECT} from ${workshopsTable} where ${seenBy(actor)} and id = ${id} ${lock ? sql`for update` : sql``}`,
  )
  if (!found) throw notFound()
  return found
}

export async function createWorkshop(db: Db, actor: Actor, what: NewWorkshop): Promise<Location> {
  const { id } = one(
    await db
      .insert(workshopsTable)
      .values({ company_id: actor.company_id, ...what })
      .returning({ id: workshopsTable.id }),
  )
  const workshop = await requireLocation(db, actor, id)
  await record(db, actor, 'workshop', id, 'created', {}, workshop)
  announce(db, actor, { topic: 'workshops', workshop_id: null, ids: [id] })
  return workshop
}

/** A company works somewhere: its last workshop stays. */
async function requireAnother(db: Db, actor: Actor, id: number) {
  const open = await rows<{ id: number }>(
    db,
    sql`select id from ${workshopsTable} where company_id = ${actor.company_id} and active order by id for update`,
  )
  if (!open.some((workshop) => workshop.id !== id))
    throw new Problem(409, 'Es el único taller activo de la empresa: cree otro antes de desactivarlo o eliminarlo.')
}

export async function updateWorkshop(db: Db, actor: Actor, id: number, what: WorkshopEdit): Promise<Location> {
  const before = await requireLocation(db, actor, id, true)
  requireFresh(before, what.updated_at)
  const { name, address, state } = what
  if (state === 'inactive' && before.state === 'active') await requireAnother(db, actor, id)
  await db
    .update(workshopsTable)
    .set({ name, address, active: state === 'active', updated_at: new Date().toISOString() })
    .where(and(eq(workshopsTable.company_id, actor.company_id), eq(workshopsTable.id, id)))
  const after = await requireLocation(db, actor, id)
  await record(db, actor, 'workshop', id, 'updated', before, after)
  announce(db, actor, { topic: 'workshops', workshop_id: null, ids: [id] })
  return after
}

const IN_USE =
  'El taller ya tiene personas, equipos o movimientos y no se puede eliminar. Puede desactivarlo: dejará de ofrecerse y su historial se conserva.'

export async function deleteWorkshop(db: Db, actor: Actor, id: number) {
  const before = await requireLocation(db, actor, id, true)
  if (before.state === 'active') await requireAnother(db, actor, id)
  await unlessInUse(
    rows(db, sql`delete from ${workshopsTable} where company_id = ${actor.company_id} and id = ${id}`),
    IN_USE,
  )
  await record(db, actor, 'workshop', id, 'deleted', before, {})
  announce(db, actor, { topic: 'workshops', workshop_id: null, ids: [id] })
  return undefined
}
