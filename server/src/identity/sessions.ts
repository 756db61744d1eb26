import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { permissionsOf, ROLE_NAMES, type Role } from '#contract/base/permissions.ts'
import { BAD_CREDENTIALS, type Me, type Membership } from '#contract/identity/identity.ts'
import { type Db, row, rows, workFor } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid, Problem } from '../platform/operations/problems.ts'
import { companiesTable } from '../workshops/tables.ts'
import { isPassword } from './passwords.ts'
import { devicesTable, membershipsTable, oneTimeLinksTable, sessionsTable, usersTable } from './tables.ts'
import { countAttempt, forgetAttempts, forgive, type Key } from './throttle.ts'

/** A session lives this long after it was last used. */
const LIFE = sql`interval '30 days'`
const TOUCH_AFTER = 5 * 60_000
const DEVICE_LIFE = sql`interval '180 days'`
const EXPIRED = 'Su sesión terminó. Ingrese nuevamente.'

/** Unguessable; whoever holds it is who it was given to. */
export const newToken = () => randomBytes(32).toString('base64url')
export const hashOf = (token: string) => createHash('sha256').update(token).digest()

const PERMISSIONS_OF = new Map<Role, Actor['may']>(ROLE_NAMES.map((role) => [role, new Set(permissionsOf(role))]))

export interface Caller {
  address: string
  agent: string
}

export type Step = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** A browser they logged in with before is let in whatever others guess at the account, and from wherever. */
const isDeviceOf = async (db: Db, user_id: number, device: string) =>
  Boolean(
    await row(
      db,
      sql`update ${devicesTable} set last_seen_at = now() where token_hash = ${hashOf(device)} and user_id = ${user_id}
          returning user_id`,
    ),
  )

/** In steps: no connection is held while the password is looked at. */
export async function login(
  step: Step,
  { email, password, device }: { email: string; password: string; device?: string | undefined },
  caller: Caller,
) {
  const { user, known, door, attempts } = await step(async (db) => {
    const user = await row<{ id: number; password_hash: string | null }>(
      db,
      sql`select id, password_hash from ${usersTable} where lower(email) = ${email} and active`,
    )
    const known = user && device ? await isDeviceOf(db, user.id, device) : false
    const door: Key = known ? `device:${hashOf(device!).toString('hex')}` : `account:${email}`
    const attempts = await countAttempt(db, known ? [door] : [door, `address:${caller.address}`])
    return { user, known, door, attempts }
  })
  const right = await isPassword(user?.password_hash, password)
  return step(async (db) => {
    if (!user || !right || (await companiesOf(db, user.id)).length === 0) throw invalid({ email: BAD_CREDENTIALS })
    await forgive(db, attempts, door)
    return openSession(db, user.id, caller, { device: known ? device : undefined })
  })
}

/** In the company asked for, or else their first; the browser is known from now on. */
export async function openSession(
  db: Db,
  user_id: number,
  caller: Caller,
  { company, device = newToken() }: { company?: number; device?: string | undefined } = {},
) {
  const token = newToken()
  await rows(
    db,
    sql`insert into ${devicesTable} (token_hash, user_id) values (${hashOf(device)}, ${user_id})
        on conflict (token_hash) do nothing`,
  )
  await rows(
    db,
    sql`insert into ${sessionsTable} (token_hash, user_id, expires_at, agent, address)
        values (${hashOf(token)}, ${user_id}, now() + ${LIFE}, ${caller.agent.slice(0, 300)}, ${caller.address})`,
  )
  const actor = await findActor(db, token, company)
  await workFor(db, actor.company_id)
  return { token, device, user: await describeMe(db, actor) }
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

/** Old sessions, links, devices and attempts go. */
export async function sweep(db: Db) {
  await rows(db, sql`delete from ${sessionsTable} where expires_at < now()`)
  await rows(db, sql`delete from ${oneTimeLinksTable} where expires_at < now()`)
  await rows(db, sql`delete from ${devicesTable} where last_seen_at < now() - ${DEVICE_LIFE}`)
  await forgetAttempts(db)
}
