import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Found } from '#contract/base/finder.ts'
import { showMoney } from '#contract/base/money.ts'
import type { NewService, Service, ServiceEdit, ServiceList } from '#contract/providers/providers.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { type Db, one, row, rows, unlessInUse } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { invalid, notFound, Problem, requireFresh } from '../platform/problems.ts'
import { requireChoice } from '../workshops/catalogues.ts'
import { inScopeOrShared, requireWorkshop } from '../workshops/scope.ts'
import { SERVICE_CATEGORIES } from './catalogues.ts'
import { requireProvider } from './providers.ts'
import { providersTable, serviceCategoriesTable, servicesTable } from './tables.ts'

const SELECT = sql`s.id, s.code, s.name, s.description, s.unit_price, s.provider_id, p.name as provider_name,
  s.workshop_id, s.category_id, c.name as category_name, s.company_id, s.state, s.updated_at`
const FROM = sql`${servicesTable} s
  join ${providersTable} p on p.company_id = s.company_id and p.id = s.provider_id
  left join ${serviceCategoriesTable} c on c.company_id = s.company_id and c.id = s.category_id`
const SORTS: Record<string, SQL> = {
  code: sql`s.code`,
  name: sql`s.name`,
  category_name: sql`c.name`,
  unit_price: sql`s.unit_price`,
  state: sql`s.state`,
  updated_at: sql`s.updated_at`,
}

export async function listServices(db: Db, actor: Actor, provider_id: number, query: ServiceList) {
  await requireProvider(db, actor, provider_id)
  return listPage<Service>(db, query, {
    select: SELECT,
    from: FROM,
    where: all([
      inScopeOrShared(actor, sql`s`),
      sql`s.provider_id = ${provider_id}`,
      oneOf(sql`s.category_id`, query.filter.Category),
      oneOf(sql`s.state`, query.filter.State),
      matches(sql`concat_ws(' ', s.search, c.search)`, query.filter.Search),
    ]),
    sorts: SORTS,
    order: sql`s.code, s.id`,
    id: sql`s.id`,
  })
}

export async function findServices(db: Db, actor: Actor, text: string, limit: number): Promise<Found[]> {
  const found = await rows<Service>(
    db,
    sql`select ${SELECT} from ${FROM}
        where ${all([inScopeOrShared(actor, sql`s`), sql`s.state = 'active'`, matches(sql`s.search`, text)])}
        order by s.name, s.id limit ${limit}`,
  )
  return found.map((service) => ({
    kind: 'service',
    id: service.id,
    title: `${service.code} · ${service.name}`,
    detail: `${service.provider_name} · ${showMoney(service.unit_price)}`,
    path: `/provider/${service.provider_id}/services?service=${service.id}`,
  }))
}

export async function requireService(db: Db, actor: Actor, id: number, lock = false): Promise<Service> {
  const service = await row<Service>(
    db,
    sql`select ${SELECT} from ${FROM} where ${inScopeOrShared(actor, sql`s`)} and s.id = ${id}
        ${lock ? sql`for update of s` : sql``}`,
  )
  if (!service) throw notFound()
  return service
}

const OF_ALL = 'Este servicio es de todos los talleres: solo lo puede cambiar quien administra toda la empresa.'

async function requireOwnService(db: Db, actor: Actor, id: number) {
  const service = await requireService(db, actor, id, true)
  if (service.workshop_id === null && actor.workshop_id !== null) throw new Problem(403, OF_ALL)
  return service
}

const requireCategory = (db: Db, actor: Actor, id: number | null, workshop_id: number | null) =>
  requireChoice(db, actor, SERVICE_CATEGORIES, id, workshop_id, 'category_id', 'Elija una categoría de la lista.')

export async function createService(db: Db, actor: Actor, what: NewService): Promise<Service> {
  const provider = await row<{ workshop_id: number | null }>(
    db,
    sql`select p.workshop_id from ${providersTable} p
        where ${inScopeOrShared(actor, sql`p`)} and p.id = ${what.provider_id} and p.state = 'active' for share of p`,
  )
  if (!provider) throw invalid({ provider_id: 'Elija un proveedor de la lista.' })
  const workshop_id = provider.workshop_id ?? actor.workshop_id ?? what.workshop_id
  if (workshop_id !== null) await requireWorkshop(db, actor, workshop_id)
  await requireCategory(db, actor, what.category_id, workshop_id)
  const { provider_id, category_id, code, name, description, unit_price } = what
  const { id } = one(
    await db
      .insert(servicesTable)
      .values({
        company_id: actor.company_id,
        provider_id,
        workshop_id,
        category_id,
        code,
        name,
        description,
        unit_price,
      })
      .returning({ id: servicesTable.id }),
  )
  const service = await requireService(db, actor, id)
  await record(db, actor, 'provider_service', id, 'created', {}, service)
  announce(db, actor, { topic: 'providers', workshop_id, ids: [id] })
  return service
}

export async function updateService(db: Db, actor: Actor, id: number, what: ServiceEdit): Promise<Service> {
  const before = await requireOwnService(db, actor, id)
  requireFresh(before, what.updated_at)
  // What it has may stay, also where its provider has moved to another workshop since.
  if (what.category_id !== before.category_id) await requireCategory(db, actor, what.category_id, before.workshop_id)
  const { category_id, code, name, description, unit_price, state = before.state } = what
  await db
    .update(servicesTable)
    .set({ category_id, code, name, description, unit_price, state, updated_at: new Date().toISOString() })
    .where(and(eq(servicesTable.company_id, actor.company_id), eq(servicesTable.id, id)))
  const after = await requireService(db, actor, id)
  await record(db, actor, 'provider_service', id, 'updated', before, after)
  announce(db, actor, { topic: 'providers', workshop_id: after.workshop_id, ids: [id] })
  return after
}

const IN_USE =
  'El servicio ya se usó en órdenes de trabajo y no se puede eliminar. Puede desactivarlo: dejará de ofrecerse y su historial se conserva.'

export async function deleteService(db: Db, actor: Actor, id: number) {
  const service = await requireOwnService(db, actor, id)
  await unlessInUse(
    rows(db, sql`delete from ${servicesTable} where company_id = ${actor.company_id} and id = ${id}`),
    IN_USE,
  )
  await record(db, actor, 'provider_service', id, 'deleted', service, {})
  announce(db, actor, { topic: 'providers', workshop_id: service.workshop_id, ids: [id] })
  return undefined
}
