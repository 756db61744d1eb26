import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { all } from '../platform/database/conditions.ts'
import { type Db, one, row, rows, unlessInUse } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { invalid, notFound } from '../platform/problems.ts'
import { inScopeOrShared, requireOwn, requireWorkshop } from './scope.ts'

/** Names to choose from, of a workshop or shared by all of them (decision 0008). Each domain declares its own. */
export interface Catalogue {
  table: PgTable
  /** What its activity is kept under. */
  entity: string
  topic: string
  /** Besides its id, its name and its workshop. */
  more?: readonly string[]
  exists: string
  inUse: string
}

export interface Asked {
  filter: { Search?: string | undefined; WorkshopId?: number[] | undefined }
}
interface Named {
  id: number
  name: string
  workshop_id: number | null
}

const columnsOf = ({ more = [] }: Catalogue) =>
  sql.join(
    ['id', 'name', 'workshop_id', ...more].map((name) => sql`c.${sql.identifier(name)}`),
    sql`, `,
  )
const asked = (actor: Actor, { filter }: Asked) =>
  all([inScopeOrShared(actor, sql`c`, filter.WorkshopId), matches(sql`c.search`, filter.Search)])

export async function listCatalogue<Row extends Named>(db: Db, actor: Actor, of: Catalogue, query: Asked) {
  const data = await rows<Row>(
    db,
    sql`select ${columnsOf(of)} from ${of.table} c where ${asked(actor, query)} order by c.name, c.id`,
  )
  return { data, total: data.length }
}

export const pageCatalogue = <Row extends Named>(
  db: Db,
  actor: Actor,
  of: Catalogue,
  query: Asked & { page: number; per_page: number; sort?: string | undefined },
) =>
  listPage<Row>(db, query, {
    select: columnsOf(of),
    from: sql`${of.table} c`,
    where: asked(actor, query),
    sorts: { name: sql`c.name` },
    order: sql`c.name, c.id`,
    id: sql`c.id`,
  })

async function tell(db: Db, actor: Actor, of: Catalogue, action: string, before: object, after: Named) {
  await record(db, actor, of.entity, after.id, action, before, action === 'deleted' ? {} : after)
  announce(db, actor, { topic: of.topic, workshop_id: after.workshop_id, ids: [after.id] })
}

const read = <Row extends Named>(db: Db, of: Catalogue, where: SQL) =>
  row<Row>(db, sql`select ${columnsOf(of)} from ${of.table} c where ${where}`)

/** People of one workshop add to that workshop; those who work in all may also add for everyone. */
export async function addToCatalogue<Row extends Named>(
  db: Db,
  actor: Actor,
  of: Catalogue,
  what: Omit<Named, 'id'> & object,
): Promise<Row> {
  const { company_id } = actor
  const workshop_id = actor.workshop_id ?? what.workshop_id
  if (workshop_id !== null) await requireWorkshop(db, actor, workshop_id)
  const shared = sql`c.company_id = ${company_id} and coalesce(c.workshop_id, 0) = 0 and c.search = plain(${what.name})`
  if (await read(db, of, shared)) throw invalid({ name: of.exists })
  const values = Object.entries({ ...what, company_id, workshop_id })
  const names = values.map(([name]) => sql.identifier(name))
  const { id } = one(
    await rows<{ id: number }>(
      db,
      sql`insert into ${of.table} (${sql.join(names, sql`, `)})
          values (${sql.join(
            values.map(([, value]) => sql.param(value)),
            sql`, `,
          )}) returning id`,
    ),
  )
  const made = await read<Row>(db, of, sql`c.company_id = ${company_id} and c.id = ${id}`)
  if (!made) throw notFound()
  await tell(db, actor, of, 'created', {}, made)
  return made
}

/** Held until the end of the transaction, for those who may change it. */
export async function requireInCatalogue<Row extends Named>(
  db: Db,
  actor: Actor,
  of: Catalogue,
  id: number,
): Promise<Row> {
  const found = await read<Row>(db, of, sql`${inScopeOrShared(actor, sql`c`)} and c.id = ${id} for update`)
  if (!found) throw notFound()
  requireOwn(actor, found)
  return found
}

export async function changeInCatalogue<Row extends Named>(
  db: Db,
  actor: Actor,
  of: Catalogue,
  id: number,
  what: { name: string },
): Promise<Row> {
  const before = await requireInCatalogue<Row>(db, actor, of, id)
  const set = Object.entries(what).map(([name, value]) => sql`${sql.identifier(name)} = ${sql.param(value)}`)
  await rows(
    db,
    sql`update ${of.table} set ${sql.join([...set, sql`updated_at = now()`], sql`, `)}
        where company_id = ${actor.company_id} and id = ${id}`,
  )
  const after = await requireInCatalogue<Row>(db, actor, of, id)
  await tell(db, actor, of, 'updated', before, after)
  return after
}

export async function removeFromCatalogue(db: Db, actor: Actor, of: Catalogue, id: number) {
  const before = await requireInCatalogue(db, actor, of, id)
  await unlessInUse(
    rows(db, sql`delete from ${of.table} where company_id = ${actor.company_id} and id = ${id}`),
    of.inUse,
  )
  await tell(db, actor, of, 'deleted', before, before)
  return undefined
}

/** A choice that a thing of this workshop can have; one of all workshops takes a shared one. */
export async function requireChoice(
  db: Db,
  actor: Actor,
  of: Catalogue,
  id: number | null,
  workshop_id: number | null,
  field: string,
  sentence = 'Elija una opción de la lista.',
) {
  if (id === null) return
  const found = await row(
    db,
    sql`select id from ${of.table} where company_id = ${actor.company_id} and id = ${id}
        and (workshop_id is null or workshop_id = ${workshop_id}::bigint)`,
  )
  if (!found) throw invalid({ [field]: sentence })
}
