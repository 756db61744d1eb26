import { createHash, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { sql } from 'drizzle-orm'
import { permissionsOf, ROLE_NAMES, type Role } from '#contract/base/permissions.ts'
import { BAD_CREDENTIALS, type Me, type Membership } from '#contract/identity/identity.ts'
import { type Db, row, rows, workFor } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid, Problem } from '../platform/operations/problems.ts'
import { companiesTable } from '../workshops/tables.ts'
import { loginFailuresTable, membershipsTable, oneTimeLinksTable, sessionsTable, usersTable } from './tables.ts'

/** A session lives this long after it was last used. */
const LIFE = sql`interval '30 days'`
const TOUCH_AFTER = 5 * 60_000
const EXPIRED = 'Su sesión terminó. Ingrese nuevamente.'

/** Unguessable; whoever holds it is who it was given to. */
export const newToken = () => randomBytes(32).toString('base64url')
export const hashOf = (token: string) => createHash('sha256').update(token).digest()
/** argon2id, with the library's parameters (19 MiB, 2 passes). */
export const hashPassword = (password: string) => hash(password)
const NOBODYS_HASH = hashPassword(randomBytes(16).toString('hex'))

const PERMISSIONS_OF = new Map<Role, Actor['may']>(ROLE_NAMES.map((role) => [role, new Set(permissionsOf(role))]))

/* Failed logins in a row: the first ones are free, then each doubles the wait. */
const FREE_FAILURES = { account: 5, address: 30 }
const LONGEST_WAIT = 15 * 60
const FORGOTTEN_AFTER = sql`interval '1 day'`

export async function requirePatience(db: Db, keys: string[]) {
  const failures = await rows<{ key: string; count: number; elapsed: number }>(
    db,
    sql`select key, count, extract(epoch from clock_timestamp() - last_at)::float8 as elapsed from ${loginFailuresTable}
        where key = any(${sql.param(keys)}) and last_at > now() - ${FORGOTTEN_AFTER}`,
  )
  for (const { key, count, elapsed } of failures) {
    const free = FREE_FAILURES[key.startsWith('account') ? 'account' : 'address']
    const wait = count < free ? 0 : Math.min(LONGEST_WAIT, 2 ** (count - free + 1)) - elapsed
    if (wait > 0)
      throw new Problem(429, `Demasiados intentos fallidos. Espere ${Math.ceil(wait)} segundos e intente de nuevo.`, {
        retryAfter: wait,
      })
  }
}

export const countFailure = (db: Db, key: string) =>
  rows(
    db,
    sql`insert into ${loginFailuresTable} as f (key, count, last_at) values (${key}, 1, clock_timestamp())
        on conflict (key) do update set last_at = clock_timestamp(),
          count = case when f.last_at < now() - ${FORGOTTEN_AFTER} then 1 else f.count + 1 end`,
  )

export interface Caller {
  address: string
  agent: string
}

/** Whose address and password these are; failures are counted, and slow down the next. */
export async function requirePassword(
  db: Db,
  credentials: { email: string; password: string },
  caller: Caller,
  { field = 'email', sentence = BAD_CREDENTIALS, alsoHolds = async (_user_id: number) => true } = {},
): Promise<number> {
  const keys = [`account:${credentials.email}`, `address:${caller.address}`]
  await requirePatience(db, keys)
  const user = await row<{ id: number; password_hash: string | null }>(
    db,
    sql`select id, password_hash from ${usersTable} where lower(email) = ${credentials.email} and active`,
  )
  // An unknown address costs the same time as a wrong password.
  const right = await verify(user?.password_hash ?? (await NOBODYS_HASH), credentials.password)
  if (!user || !right || !(await alsoHolds(user.id))) {
    for (const key of keys) await countFailure(db, key)
    const problem = invalid({ [field]: sentence })
    throw new Problem(422, problem.message, { errors: problem.errors!, keepWrites: true })
  }
  await rows(db, sql`delete from ${loginFailuresTable} where key = any(${sql.param(keys)})`)
  return user.id
}

export async function login(db: Db, credentials: { email: string; password: string }, caller: Caller) {
  const user_id = await requirePassword(db, credentials, caller, {
    alsoHolds: async (user_id) => (await companiesOf(db, user_id)).length > 0,
  })
  return openSession(db, user_id, caller)
}

/** In the company asked for, or else their first. */
export async function openSession(db: Db, user_id: number, caller: Caller, company?: number) {
  const token = newToken()
  await rows(
    db,
    sql`insert into ${sessionsTable} (token_hash, user_id, expires_at, agent, address)
        values (${hashOf(token)}, ${user_id}, now() + ${LIFE}, ${caller.agent.slice(0, 300)}, ${caller.address})`,
  )
  const actor = await findActor(db, token, company)
  await workFor(db, actor.company_id)
  return { token, user: await describeMe(db, actor) }
}

export const logout = (db: Db, actor: Actor) =>
  rows(db, sql`delete from ${sessionsTable} where id = ${actor.session_id}`).then(() => undefined)

interface Found {
  session_id: number
  user_id: number
  user_name: string
  last_seen_at: string
  company_id: number | null
  role: Role
  workshop_id: number | null
  time_zone: string
}

/** Whose token this is, in the company asked for or else their first. */
export async function findActor(db: Db, token: string, company: number | undefined): Promise<Actor> {
  const found = await row<Found>(
    db,
    sql`select s.id as session_id, u.id as user_id, u.name as user_name, s.last_seen_at,
               m.company_id, m.role, m.workshop_id, c.time_zone
        from ${sessionsTable} s
        join ${usersTable} u on u.id = s.user_id and u.active
        left join lateral memberships_of(u.id) m on ${company ?? null}::bigint is null or m.company_id = ${company ?? null}
        left join ${companiesTable} c on c.id = m.company_id
        where s.token_hash = ${hashOf(token)} and s.expires_at > now()
        order by m.company_id limit 1`,
  )
  if (!found) throw new Problem(401, EXPIRED)
  if (found.company_id === null) throw new Problem(403, 'No pertenece a esta empresa.')
  if (Date.now() - Date.parse(found.last_seen_at) > TOUCH_AFTER)
    await rows(
      db,
      sql`update ${sessionsTable} set last_seen_at = now(), expires_at = now() + ${LIFE} where id = ${found.session_id}`,
    )
  const { session_id, user_id, user_name, company_id, role, workshop_id, time_zone } = found
  return { session_id, user_id, user_name, company_id, role, workshop_id, time_zone, may: PERMISSIONS_OF.get(role)! }
}

export const companiesOf = (db: Db, user_id: number) =>
  rows<Membership>(
    db,
    sql`select c.id, c.name, c.time_zone, m.role, m.workshop_id, m.workshop_name
        from memberships_of(${user_id}) m join ${companiesTable} c on c.id = m.company_id order by c.id`,
  )

export async function describeMe(db: Db, actor: Actor): Promise<Me> {
  const user = await row<Pick<Me, 'id' | 'name' | 'email' | 'specialist_id'>>(
    db,
    sql`select u.id, u.name, u.email, m.specialist_id
        from ${usersTable} u
        left join ${membershipsTable} m on m.company_id = ${actor.company_id} and m.user_id = u.id
        where u.id = ${actor.user_id}`,
  )
  const { company_id, role, workshop_id } = actor
  return {
    ...user!,
    companies: await companiesOf(db, actor.user_id),
    company_id,
    role,
    workshop_id,
    permissions: [...actor.may],
  }
}

/** Old sessions and links, and forgotten failures, go. */
export async function sweep(db: Db) {
  await rows(db, sql`delete from ${sessionsTable} where expires_at < now()`)
  await rows(db, sql`delete from ${oneTimeLinksTable} where expires_at < now()`)
  await rows(db, sql`delete from ${loginFailuresTable} where last_at < now() - ${FORGOTTEN_AFTER}`)
}
