import { sql } from 'drizzle-orm'
import type { Permission, Role } from '#contract/base/permissions.ts'
import { API_TOKEN_PREFIX, type ApiToken, type NewApiToken } from '#contract/identity/api-tokens.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import { currentCaller } from '../platform/http/requests.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid, notFound, Problem } from '../platform/problems.ts'
import { companiesTable } from '../workshops/tables.ts'
import { noteOf, noteOwn } from './security.ts'
import { hashOf, newToken, PERMISSIONS_OF, TOUCH_AFTER } from './sessions.ts'
import { apiTokensTable, usersTable } from './tables.ts'
import { requireUser } from './users.ts'

const MOST = 20

const SELECT = sql`t.id, t.name, t.user_id, u.name as user_name, t.permissions, t.created_at, t.expires_at, t.last_used_at,
  t.last_address`
const FROM = sql`${apiTokensTable} t join ${usersTable} u on u.id = t.user_id`
/** One's own, or everyone's for who manages the company. */
const visibleTo = (actor: Actor) =>
  sql`t.company_id = ${actor.company_id} and t.expires_at > now()
      and (t.user_id = ${actor.user_id} or ${actor.may.has('company.manage')})`

export async function listApiTokens(db: Db, actor: Actor) {
  const data = await rows<ApiToken>(
    db,
    sql`select ${SELECT} from ${FROM} where ${visibleTo(actor)} order by t.created_at desc, t.id desc`,
  )
  return { data, total: data.length }
}

export async function createApiToken(db: Db, actor: Actor, { name, permissions, days }: NewApiToken) {
  if (!permissions.every((permission) => actor.may.has(permission)))
    throw invalid({ permissions: 'Elija solo permisos que su rol tiene.' })
  await rows(db, sql`select id from ${usersTable} where id = ${actor.user_id} for update`)
  const own = await row<{ many: number }>(
    db,
    sql`select count(*) as many from ${apiTokensTable}
        where company_id = ${actor.company_id} and user_id = ${actor.user_id} and expires_at > now()`,
  )
  if (own!.many >= MOST) throw new Problem(422, `Tiene ${MOST} claves: elimine alguna antes.`)
  const token = `${API_TOKEN_PREFIX}${newToken()}`
  await rows(
    db,
    sql`insert into ${apiTokensTable} (token_hash, company_id, user_id, name, permissions, expires_at)
        values (${hashOf(token)}, ${actor.company_id}, ${actor.user_id}, ${name}, ${sql.param(permissions)}::text[],
          now() + make_interval(days => ${days}))`,
  )
  await noteOwn(db, actor, 'token', `«${name}»: creada, por ${days} días, con ${permissions.join(', ')}`)
  return { token }
}

export async function deleteApiToken(db: Db, actor: Actor, id: number) {
  const token = await row<ApiToken>(db, sql`select ${SELECT} from ${FROM} where ${visibleTo(actor)} and t.id = ${id}`)
  if (!token) throw notFound()
  await rows(db, sql`delete from ${apiTokensTable} where id = ${id}`)
  const detail = `«${token.name}»: eliminada`
  if (token.user_id === actor.user_id) await noteOwn(db, actor, 'token', detail)
  else await noteOf(db, actor, await requireUser(db, actor, token.user_id), 'token', detail)
  return undefined
}

interface Found {
  id: number
  user_id: number
  user_name: string
  company_id: number
  role: Role
  workshop_id: number | null
  time_zone: string
  permissions: Permission[]
  last_used_at: string | null
}

/** Whose program this is: it opens its company, and there what both its key and the role of the person allow. */
export async function findProgram(db: Db, token: string, company: number | undefined): Promise<Actor> {
  const found = await row<Found>(
    db,
    sql`select t.id, u.id as user_id, u.name as user_name, t.company_id, m.role, m.workshop_id, c.time_zone,
               t.permissions, t.last_used_at
        from ${apiTokensTable} t
        join ${usersTable} u on u.id = t.user_id and u.active
        join lateral memberships_of(u.id) m on m.company_id = t.company_id
        join ${companiesTable} c on c.id = t.company_id
        where t.token_hash = ${hashOf(token)} and t.expires_at > now()`,
  )
  if (!found) throw new Problem(401, 'La clave no sirve: venció o fue eliminada.')
  if (company !== undefined && company !== found.company_id) throw new Problem(403, 'No pertenece a esta empresa.')
  if (found.last_used_at === null || Date.now() - Date.parse(found.last_used_at) > TOUCH_AFTER)
    await rows(
      db,
      sql`update ${apiTokensTable} set last_used_at = now(), last_address = ${currentCaller()?.address ?? null}
          where id = ${found.id}`,
    )
  const { user_id, user_name, company_id, role, workshop_id, time_zone, permissions } = found
  const may = new Set(permissions.filter((permission) => PERMISSIONS_OF.get(role)!.has(permission)))
  return { session_id: 0, user_id, user_name, company_id, role, workshop_id, time_zone, may, limited: true }
}

export const forgetApiTokens = (db: Db) => rows(db, sql`delete from ${apiTokensTable} where expires_at < now()`)
