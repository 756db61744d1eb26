import { and, eq, sql } from 'drizzle-orm'
import {
  BUILT_IN_MAINTENANCE,
  type MaintenanceType,
  type MaintenanceTypeEdit,
  type NewMaintenanceType,
  type NewTask,
  type Task,
  type TaskEdit,
} from '#contract/work-orders/catalogues.ts'
import type { RosterState } from '#contract/workshops/rosters.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { type Db, one, row, rows, unlessInUse } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { invalid, notFound, Problem, requireFresh } from '../platform/problems.ts'
import { maintenanceTypesTable, tasksTable } from './tables.ts'

/*
 * Types of maintenance and tasks are no `Catalogue`s of workshops/: they are of the company and of no workshop, have a code
 * and a state, and an edit of them says when it was read. The five that are have none of this, and what is left in common
 * is a delete and an announcement.
 */

const BUILT_IN = Object.keys(BUILT_IN_MAINTENANCE)

/** What every company starts with. Whoever makes a company calls this. */
export async function ensureMaintenanceTypes(db: Db, company_id: number) {
  await db
    .insert(maintenanceTypesTable)
    .values(Object.entries(BUILT_IN_MAINTENANCE).map(([code, { label }]) => ({ company_id, code, name: label })))
    .onConflictDoNothing()
}

/* Types of maintenance */

const TYPE = sql`t.id, t.code, t.name, t.code = any(${sql.param(BUILT_IN)}::text[]) as built_in, t.state, t.updated_at`
interface Asked {
  Search?: string | undefined
  State?: RosterState[] | undefined
}

export async function listMaintenanceTypes(db: Db, actor: Actor, filter: Asked) {
  const data = await rows<MaintenanceType>(
    db,
    sql`select ${TYPE} from ${maintenanceTypesTable} t
        where ${all([
          sql`t.company_id = ${actor.company_id}`,
          matches(sql`t.search`, filter.Search),
          oneOf(sql`t.state`, filter.State),
        ])}
        order by array_position(${sql.param(BUILT_IN)}::text[], t.code) nulls last, t.name, t.id`,
  )
  return { data, total: data.length }
}

export async function requireMaintenanceType(db: Db, actor: Actor, id: number, lock = false): Promise<MaintenanceType> {
  const found = await row<MaintenanceType>(
    db,
    sql`select ${TYPE} from ${maintenanceTypesTable} t where t.company_id = ${actor.company_id} and t.id = ${id}
        ${lock ? sql`for update` : sql``}`,
  )
  if (!found) throw notFound()
  return found
}

/** `Cambio de aceite` → `CAMBIO_DE_ACEITE` */
const codeFrom = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '')

const NO_LETTERS = 'Debe tener letras o números.'
async function requireFreeCode(db: Db, actor: Actor, code: string) {
  if (!code) throw invalid({ code: NO_LETTERS })
  const taken = await row(
    db,
    sql`select 1 from ${maintenanceTypesTable} t where t.company_id = ${actor.company_id} and t.code = ${code}`,
  )
  if (taken) throw invalid({ code: 'Ya existe un tipo con ese código.' })
}

export async function createMaintenanceType(db: Db, actor: Actor, what: NewMaintenanceType) {
  const { name } = what
  const code = codeFrom(what.code ?? name)
  if (what.code) await requireFreeCode(db, actor, code)
  else if (!code) throw invalid({ name: 'El nombre debe tener letras o números.' })
  const { id } = one(
    await db
      .insert(maintenanceTypesTable)
      .values({ company_id: actor.company_id, code, name })
      .returning({ id: maintenanceTypesTable.id }),
  )
  return told(db, actor, 'maintenance_type', 'created', {}, await requireMaintenanceType(db, actor, id))
}

export async function updateMaintenanceType(
  db: Db,
  actor: Actor,
  id: number,
  { updated_at, ...sent }: MaintenanceTypeEdit,
) {
  const before = await requireMaintenanceType(db, actor, id, true)
  requireFresh(before, updated_at)
  const code = sent.code ? codeFrom(sent.code) : before.code
  if (code !== before.code) {
    if (before.built_in) throw invalid({ code: 'El código de este tipo no se puede cambiar.' })
    await requireFreeCode(db, actor, code)
  }
  const what = { ...sent, code }
  await db
    .update(maintenanceTypesTable)
    .set({ ...what, updated_at: new Date().toISOString() })
    .where(and(eq(maintenanceTypesTable.company_id, actor.company_id), eq(maintenanceTypesTable.id, id)))
  return told(db, actor, 'maintenance_type', 'updated', before, await requireMaintenanceType(db, actor, id))
}

export async function deleteMaintenanceType(db: Db, actor: Actor, id: number) {
  const before = await requireMaintenanceType(db, actor, id, true)
  if (before.built_in)
    throw new Problem(409, 'Este tipo es de todas las empresas y no se puede eliminar. Puede desactivarlo.')
  await unlessInUse(
    rows(db, sql`delete from ${maintenanceTypesTable} where company_id = ${actor.company_id} and id = ${id}`),
    'El tipo de mantención se usó en órdenes de trabajo y no se puede eliminar. Puede desactivarlo.',
  )
  await told(db, actor, 'maintenance_type', 'deleted', before, { id })
  return undefined
}

/* Tasks */

const TASK = sql`t.id, t.code, t.name, t.state, t.updated_at`

export const listTasks = (
  db: Db,
  actor: Actor,
  query: { page: number; per_page: number; sort?: string | undefined; filter: Asked },
) =>
  listPage<Task>(db, query, {
    select: TASK,
    from: sql`${tasksTable} t`,
    where: all([
      sql`t.company_id = ${actor.company_id}`,
      matches(sql`t.search`, query.filter.Search),
      oneOf(sql`t.state`, query.filter.State),
    ]),
    sorts: { code: sql`t.code`, name: sql`t.name`, state: sql`t.state` },
    order: sql`t.name, t.id`,
    id: sql`t.id`,
  })

export async function requireTask(db: Db, actor: Actor, id: number, lock = false): Promise<Task> {
  const found = await row<Task>(
    db,
    sql`select ${TASK} from ${tasksTable} t where t.company_id = ${actor.company_id} and t.id = ${id}
        ${lock ? sql`for update` : sql``}`,
  )
  if (!found) throw notFound()
  return found
}

export async function createTask(db: Db, actor: Actor, what: NewTask) {
  const { id } = one(
    await db
      .insert(tasksTable)
      .values({ company_id: actor.company_id, ...what })
      .returning({ id: tasksTable.id }),
  )
  return told(db, actor, 'task', 'created', {}, await requireTask(db, actor, id))
}

export async function updateTask(db: Db, actor: Actor, id: number, { updated_at, ...what }: TaskEdit) {
  const before = await requireTask(db, actor, id, true)
  requireFresh(before, updated_at)
  await db
    .update(tasksTable)
    .set({ ...what, updated_at: new Date().toISOString() })
    .where(and(eq(tasksTable.company_id, actor.company_id), eq(tasksTable.id, id)))
  return told(db, actor, 'task', 'updated', before, await requireTask(db, actor, id))
}

export async function deleteTask(db: Db, actor: Actor, id: number) {
  const before = await requireTask(db, actor, id, true)
  await unlessInUse(
    rows(db, sql`delete from ${tasksTable} where company_id = ${actor.company_id} and id = ${id}`),
    'La tarea se usó en órdenes de trabajo y no se puede eliminar. Puede desactivarla.',
  )
  await told(db, actor, 'task', 'deleted', before, { id })
  return undefined
}

async function told<T extends { id: number }>(
  db: Db,
  actor: Actor,
  entity: string,
  action: string,
  before: object,
  after: T,
): Promise<T> {
  await record(db, actor, entity, after.id, action, before, action === 'deleted' ? {} : after)
  announce(db, actor, { topic: 'work-catalogues', workshop_id: null, ids: [after.id] })
  return after
}
