import { and, eq, sql } from 'drizzle-orm'
import type {
  Box,
  BoxEdit,
  Driver,
  DriverEdit,
  NewBox,
  NewDriver,
  NewSpecialist,
  RosterState,
  Specialist,
  SpecialistEdit,
} from '#contract/workshops/rosters.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { type Db, one, row, rows, unlessInUse } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { notFound, requireFresh } from '../platform/problems.ts'
import { inScope, requireWorkshop } from './scope.ts'
import { boxesTable, driversTable, specialistsTable, workshopsTable } from './tables.ts'

/** Boxes, specialists and drivers live the same life: they belong to a workshop, and go out of use once used. */
export interface Rosters {
  box: { row: Box; made: NewBox; edit: BoxEdit }
  specialist: { row: Specialist; made: NewSpecialist; edit: SpecialistEdit }
  driver: { row: Driver; made: NewDriver; edit: DriverEdit }
}
export type Roster = keyof Rosters

const PERSON = sql`r.names, r.last_name_p, r.last_name_m, r.dni`
const byName = { order: sql`r.last_name_p, r.names`, sorts: { names: sql`r.names`, last_name_p: sql`r.last_name_p` } }
const ROSTERS = {
  box: {
    table: boxesTable,
    own: sql`r.name`,
    order: sql`w.name, r.name`,
    sorts: { name: sql`r.name` },
    inUse: 'El box ya se usó en órdenes de trabajo y no se puede eliminar. Puede desactivarlo.',
  },
  specialist: {
    table: specialistsTable,
    own: sql`${PERSON}, r.position`,
    order: byName.order,
    sorts: { ...byName.sorts, dni: sql`r.dni`, position: sql`r.position` },
    inUse: 'El especialista tiene trabajos o un usuario y no se puede eliminar. Puede desactivarlo.',
  },
  driver: {
    table: driversTable,
    own: sql`${PERSON}, r.phone, r.licence_class, r.licence_expires_on`,
    order: byName.order,
    sorts: {
      ...byName.sorts,
      dni: sql`r.dni`,
      licence_class: sql`r.licence_class`,
      licence_expires_on: sql`r.licence_expires_on`,
    },
    inUse: 'El conductor aparece en órdenes de trabajo y no se puede eliminar. Puede desactivarlo.',
  },
}

const select = (kind: Roster) =>
  sql`r.id, r.workshop_id, w.name as workshop_name, r.state, r.updated_at, ${ROSTERS[kind].own}`
const from = (kind: Roster) =>
  sql`${ROSTERS[kind].table} r left join ${workshopsTable} w on w.company_id = r.company_id and w.id = r.workshop_id`

interface Asked {
  page: number
  per_page: number
  sort?: string | undefined
  filter: { Search?: string | undefined; WorkshopId?: number[] | undefined; State?: RosterState[] | undefined }
}

export const listRoster = <K extends Roster>(db: Db, actor: Actor, kind: K, query: Asked) =>
  listPage<Rosters[K]['row']>(db, query, {
    select: select(kind),
    from: from(kind),
    where: all([
      inScope(actor, sql`r`, query.filter.WorkshopId),
      matches(sql`r.search`, query.filter.Search),
      oneOf(sql`r.state`, query.filter.State),
    ]),
    sorts: { ...ROSTERS[kind].sorts, workshop_name: sql`w.name`, state: sql`r.state` },
    order: sql`${ROSTERS[kind].order}, r.id`,
    id: sql`r.id`,
    owner: sql`r.company_id = ${actor.company_id}`,
  })

export const findInRoster = <K extends Roster>(db: Db, actor: Actor, kind: K, id: number, lock = false) =>
  row<Rosters[K]['row']>(
    db,
    sql`select ${select(kind)} from ${from(kind)} where ${inScope(actor, sql`r`)} and r.id = ${id}
        ${lock ? sql`for update of r` : sql``}`,
  )

export async function requireInRoster<K extends Roster>(db: Db, actor: Actor, kind: K, id: number, lock = false) {
  const found = await findInRoster(db, actor, kind, id, lock)
  if (!found) throw notFound()
  return found
}

export async function addToRoster<K extends Roster>(db: Db, actor: Actor, kind: K, what: Rosters[K]['made']) {
  await requireWorkshop(db, actor, what.workshop_id)
  const { table } = ROSTERS[kind]
  const { id } = one(
    await db
      .insert(table)
      .values({ company_id: actor.company_id, ...what } as never)
      .returning({ id: table.id }),
  )
  const made = await requireInRoster(db, actor, kind, id)
  await record(db, actor, kind, id, 'created', {}, made)
  announce(db, actor, { topic: 'workshops', workshop_id: made.workshop_id, ids: [id] })
  return made
}

export async function changeInRoster<K extends Roster>(
  db: Db,
  actor: Actor,
  kind: K,
  id: number,
  { updated_at, ...what }: Rosters[K]['edit'],
) {
  const before = await requireInRoster(db, actor, kind, id, true)
  requireFresh(before, updated_at)
  if (what.workshop_id !== before.workshop_id) await requireWorkshop(db, actor, what.workshop_id)
  const { table } = ROSTERS[kind]
  await db
    .update(table)
    .set({ ...what, updated_at: new Date().toISOString() } as never)
    .where(and(eq(table.company_id, actor.company_id), eq(table.id, id)))
  const after = await requireInRoster(db, actor, kind, id)
  await record(db, actor, kind, id, 'updated', before, after)
  for (const workshop_id of new Set([before.workshop_id, after.workshop_id]))
    announce(db, actor, { topic: 'workshops', workshop_id, ids: [id] })
  return after
}

export async function removeFromRoster(db: Db, actor: Actor, kind: Roster, id: number) {
  const before = await requireInRoster(db, actor, kind, id, true)
  const { table, inUse } = ROSTERS[kind]
  await unlessInUse(rows(db, sql`delete from ${table} where company_id = ${actor.company_id} and id = ${id}`), inUse)
  await record(db, actor, kind, id, 'deleted', before, {})
  announce(db, actor, { topic: 'workshops', workshop_id: before.workshop_id, ids: [id] })
  return undefined
}
