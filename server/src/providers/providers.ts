import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Found } from '#contract/base/finder.ts'
import { normalDni, showDni } from '#contract/base/rut.ts'
import type {
  LikeProvider,
  LikeQuery,
  NewProvider,
  Provider,
  ProviderChoice,
  ProviderEdit,
  ProviderList,
} from '#contract/providers/providers.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { type Db, one, row, rows, unlessInUse } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { invalid, notFound, Problem, requireFresh } from '../platform/problems.ts'
import { inScopeOrShared, requireVisibleWorkshop, requireWorkshop } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import { firmName, providersTable, servicesTable } from './tables.ts'

const servicesOf = (actor: Actor) => sql`(select count(*) from ${servicesTable} s
  where ${inScopeOrShared(actor, sql`s`)} and s.provider_id = p.id and s.state = 'active')`
const select = (actor: Actor) => sql`p.id, p.name, p.dni, p.phone, p.email, p.address, p.payment_days, p.workshop_id,
  w.name as workshop_name, p.state, ${servicesOf(actor)} as services_count, p.updated_at`
const FROM = sql`${providersTable} p
  left join ${workshopsTable} w on w.company_id = p.company_id and w.id = p.workshop_id`

export const listProviders = (db: Db, actor: Actor, query: ProviderList) =>
  listPage<Provider>(db, query, {
    select: select(actor),
    from: FROM,
    where: all([
      inScopeOrShared(actor, sql`p`, query.filter.WorkshopId),
      oneOf(sql`p.state`, query.filter.State),
      matches(sql`p.search`, query.filter.Search),
    ]),
    sorts: {
      name: sql`p.name`,
      dni: sql`p.dni`,
      phone: sql`p.phone`,
      email: sql`p.email`,
      address: sql`p.address`,
      workshop_name: sql`w.name`,
      services_count: servicesOf(actor),
      state: sql`p.state`,
      updated_at: sql`p.updated_at`,
    } satisfies Record<string, SQL>,
    order: sql`p.name, p.id`,
    id: sql`p.id`,
    owner: sql`p.company_id = ${actor.company_id}`,
  })

export async function chooseProviders(db: Db, actor: Actor, workshop_id: number, search: string | undefined) {
  await requireVisibleWorkshop(db, actor, workshop_id)
  const data = await rows<ProviderChoice>(
    db,
    sql`select p.id, p.name, p.dni, p.workshop_id from ${providersTable} p
        where ${all([
          inScopeOrShared(actor, sql`p`, [workshop_id]),
          sql`p.state = 'active'`,
          matches(sql`p.search`, search),
        ])} order by p.name, p.id`,
  )
  return { data, total: data.length }
}

/** An active provider that a document of this workshop can name. */
export async function requireProviderChoice(
  db: Db,
  actor: Actor,
  id: number,
  workshop_id: number,
  field = 'provider_id',
): Promise<ProviderChoice> {
  const check = await providerNamed(db, actor, id, field)
  return check(workshop_id)
}

/** The same in two steps: who it is, and then whether it will do for a workshop. */
export async function providerNamed(db: Db, actor: Actor, id: number, field = 'provider_id') {
  const found = await row<ProviderChoice>(
    db,
    sql`select p.id, p.name, p.dni, p.workshop_id from ${providersTable} p
        where ${inScopeOrShared(actor, sql`p`)} and p.id = ${id} and p.state = 'active'`,
  )
  return (workshop_id: number): ProviderChoice => {
    const isTheirs = found && [null, actor.workshop_id ?? workshop_id].includes(found.workshop_id)
    if (!isTheirs) throw invalid({ [field]: 'Elija un proveedor de la lista.' })
    return found
  }
}

/** The ids of those that have some words, for lists of what is of them. */
export const providersWith = ({ company_id }: Actor, search: string | undefined) =>
  sql`select p.id from ${providersTable} p where p.company_id = ${company_id} and ${matches(sql`p.search`, search)!}`

export async function findProviders(db: Db, actor: Actor, text: string, limit: number): Promise<Found[]> {
  const found = await rows<Provider>(
    db,
    sql`select ${select(actor)} from ${FROM}
        where ${all([inScopeOrShared(actor, sql`p`), matches(sql`p.search`, text)])} order by p.name, p.id limit ${limit}`,
  )
  return found.map((provider) => ({
    kind: 'provider',
    id: provider.id,
    title: provider.name,
    detail: [provider.dni && showDni(provider.dni), provider.phone].filter(Boolean).join(' · '),
    path: `/provider/${provider.id}`,
  }))
}

const LIKE_AT_MOST = 5

/** Who has this RUT already, or nearly this name; one that the person may not see is only said to exist, by RUT. */
export async function likeProviders(db: Db, actor: Actor, what: LikeQuery) {
  const dni = normalDni(what.dni).toLowerCase()
  const name = what.name.length > 3 ? what.name : ''
  // Asked alone: it looks through the fence, and from inside another statement a cluster would have to ask itself.
  const alike = await rows<{ id: number; likeness: number }>(
    db,
    sql`with typed as materialized (select ${firmName(sql`${name}::text`)} as firm)
        select a.id, a.likeness from typed, providers_alike(typed.firm) a where typed.firm <> ''`,
  )
  const [ids, likenesses] = [alike.map((a) => a.id), alike.map((a) => a.likeness)]
  const found = await rows<LikeProvider & { seen: boolean }>(
    db,
    sql`with near as materialized (
          select p.id as near_id, 0 as likeness, true as same from ${providersTable} p
          where ${dni !== ''} and p.company_id = ${actor.company_id} and lower(p.dni) = ${dni}
          union all
          select a.id, a.likeness, false from unnest(${sql.param(ids)}::bigint[], ${sql.param(likenesses)}::real[]) a (id, likeness))
        select * from (
          select distinct on (p.id) p.id, p.name, p.dni, p.state, (${inScopeOrShared(actor, sql`p`)}) as seen,
            case when near.same then 'dni' else 'name' end as because, near.likeness
          from near join ${providersTable} p on p.company_id = ${actor.company_id} and p.id = near.near_id
          where p.id is distinct from ${what.except ?? null}::bigint and (near.same or (${inScopeOrShared(actor, sql`p`)}))
          order by p.id, near.same desc) as each
        order by because = 'dni' desc, likeness desc, id limit ${LIKE_AT_MOST}`,
  )
  const data = found.map(({ seen, id, name, dni, state, because }) =>
    seen ? { id, name, dni, state, because } : { id: null, name: null, dni, state, because },
  )
  return { data, total: data.length }
}

/** The provider, for those who may see it; locked until the end of the transaction where it is about to change. */
export async function requireProvider(db: Db, actor: Actor, id: number, lock = false): Promise<Provider> {
  const provider = await row<Provider>(
    db,
    sql`select ${select(actor)} from ${FROM} where ${inScopeOrShared(actor, sql`p`)} and p.id = ${id}
        ${lock ? sql`for update of p` : sql``}`,
  )
  if (!provider) throw notFound()
  return provider
}

export const OF_ALL =
  'Este proveedor atiende a todos los talleres: solo lo puede cambiar quien administra toda la empresa.'

/** What all workshops share is changed by those who work in all of them. */
async function requireOwnProvider(db: Db, actor: Actor, id: number) {
  const provider = await requireProvider(db, actor, id, true)
  if (provider.workshop_id === null && actor.workshop_id !== null) throw new Problem(403, OF_ALL)
  return provider
}

/** Says who has the RUT, which the constraint behind it cannot. */
async function requireFreeDni(db: Db, actor: Actor, dni: string | null, own?: number) {
  if (dni === null) return
  const taken = await row<{ name: string; seen: boolean }>(
    db,
    sql`select p.name, (${inScopeOrShared(actor, sql`p`)}) as seen from ${providersTable} p
        where p.company_id = ${actor.company_id} and lower(p.dni) = lower(${dni})
          and p.id is distinct from ${own ?? null}::bigint`,
  )
  if (taken) throw invalid({ dni: taken.seen ? `Ya existe un proveedor con este RUT: ${taken.name}.` : DNI_ELSEWHERE })
}

export const DNI_TAKEN = 'Ya existe un proveedor con este RUT.'
export const DNI_ELSEWHERE =
  'Este RUT ya está registrado en otro taller de la empresa. Pida a quien administra la empresa que lo comparta con todos los talleres.'

async function workshopFor(db: Db, actor: Actor, asked: number | null) {
  const workshop_id = asked ?? actor.workshop_id
  if (workshop_id !== null) await requireWorkshop(db, actor, workshop_id)
  return workshop_id
}

export async function createProvider(db: Db, actor: Actor, what: NewProvider): Promise<Provider> {
  const workshop_id = await workshopFor(db, actor, what.workshop_id)
  await requireFreeDni(db, actor, what.dni)
  const { name, dni, phone, email, address, payment_days } = what
  const { id } = one(
    await db
      .insert(providersTable)
      .values({ company_id: actor.company_id, workshop_id, name, dni, phone, email, address, payment_days })
      .returning({ id: providersTable.id }),
  )
  const provider = await requireProvider(db, actor, id)
  await record(db, actor, 'provider', id, 'created', {}, provider)
  announce(db, actor, { topic: 'providers', workshop_id, ids: [id] })
  return provider
}

export async function updateProvider(db: Db, actor: Actor, id: number, what: ProviderEdit): Promise<Provider> {
  const before = await requireOwnProvider(db, actor, id)
  requireFresh(before, what.updated_at)
  const workshop_id = await workshopFor(db, actor, what.workshop_id)
  await requireFreeDni(db, actor, what.dni, id)
  await moveServices(db, actor, before, workshop_id)
  const { name, dni, phone, email, address, payment_days, state = before.state } = what
  await db
    .update(providersTable)
    .set({ workshop_id, name, dni, phone, email, address, payment_days, state, updated_at: new Date().toISOString() })
    .where(and(eq(providersTable.company_id, actor.company_id), eq(providersTable.id, id)))
  const after = await requireProvider(db, actor, id)
  await record(db, actor, 'provider', id, 'updated', before, after)
  for (const workshop of new Set([before.workshop_id, workshop_id]))
    announce(db, actor, { topic: 'providers', workshop_id: workshop, ids: [id] })
  return after
}

/** Services go where their provider goes; what other workshops agreed with a shared one keeps it shared. */
async function moveServices(db: Db, actor: Actor, before: Provider, to: number | null) {
  if (before.workshop_id === to) return
  const itsServices = sql`company_id = ${actor.company_id} and provider_id = ${before.id}`
  const others = await row(
    db,
    sql`select id from ${servicesTable} where ${itsServices} and ${to}::bigint is not null
        and workshop_id is distinct from ${before.workshop_id}::bigint limit 1`,
  )
  if (others)
    throw invalid({ workshop_id: 'Hay talleres con servicios propios de este proveedor: debe seguir en todos.' })
  await rows(db, sql`update ${servicesTable} set workshop_id = ${to}::bigint where ${itsServices}`)
}

const IN_USE =
  'El proveedor ya se usó en compras, movimientos u órdenes de trabajo y no se puede eliminar. Puede desactivarlo: dejará de ofrecerse y su historial se conserva.'

/** Goes with its services, unless something was bought from it or done by it. */
export async function deleteProvider(db: Db, actor: Actor, id: number) {
  const provider = await requireOwnProvider(db, actor, id)
  const inCompany = sql`company_id = ${actor.company_id}`
  await unlessInUse(rows(db, sql`delete from ${servicesTable} where ${inCompany} and provider_id = ${id}`), IN_USE)
  await unlessInUse(rows(db, sql`delete from ${providersTable} where ${inCompany} and id = ${id}`), IN_USE)
  await record(db, actor, 'provider', id, 'deleted', provider, {})
  announce(db, actor, { topic: 'providers', workshop_id: provider.workshop_id, ids: [id] })
  return undefined
}
