import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { permissionsOf, ROLE_NAMES, type Role } from '#contract/base/permissions.ts'
import { BAD_CREDENTIALS, type Me } from '#contract/identity/identity.ts'
import { SESSION_DAYS, SESSION_IDLE_HOURS } from '#contract/workshops/security.ts'
import { batch, type Db, row, rows, workFor } from '../platform/database/db.ts'
import { guessLimiter } from '../platform/limiter.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { Problem } from '../platform/problems.ts'
import { companiesTable } from '../workshops/tables.ts'
import { companiesOf } from './companies.ts'
import { askFactor, type Proof, proveFactor } from './factors.ts'
import { isPassword } from './passwords.ts'
import { noteEverywhere } from './security.ts'
import { devicesTable, membershipsTable, oneTimeLinksTable, sessionsTable, usersTable } from './tables.ts'
import { countAttempt, forgetAttempts, forgive, type Key, uncount } from './throttle.ts'

/** A session lives this long, and less without use; a company may shorten both, see `findActor`. */
const LIFE = sql.raw(`interval '${SESSION_DAYS} days'`)
const IDLE = sql.raw(`interval '${SESSION_IDLE_HOURS} hours'`)
/** When it was last used is written down this often at most. */
export const TOUCH_AFTER = 5 * 60_000
/** What is dangerous asks again after this. */
const CONFIRMED_FOR = sql`interval '15 minutes'`
const DEVICE_LIFE = sql`interval '180 days'`
const EXPIRED = 'Su sesión terminó. Ingrese nuevamente.'

/** Of `sessions s`: neither its time is over, nor did it lie unused for too long. */
export const IS_OPEN = sql`s.expires_at > now() and s.last_seen_at > now() - ${IDLE}`

/** Unguessable; whoever holds it is who it was given to. */
export const newToken = () => randomBytes(32).toString('base64url')
export const hashOf = (token: string) => createHash('sha256').update(token).digest()

export const PERMISSIONS_OF = new Map<Role, Actor['may']>(
  ROLE_NAMES.map((role) => [role, new Set(permissionsOf(role))]),
)

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

/**
 * Refuses from memory. A browser that logged in before is counted by itself, so a call with a device key is not held by its
 * account; where an address sends keys that nobody knows, one such call a second goes on to the database.
 */
function requireFree(email: string, device: string | undefined, { address }: Caller) {
  if (device) guessLimiter.requireFree([`device:${hashOf(device).toString('hex')}`, `devices:${address}`])
  else guessLimiter.requireFree([`account:${email}`, `address:${address}`])
}

/** In steps: no connection is held while the password is looked at. */
export async function login(
  step: Step,
  { email, password, device, ...proof }: { email: string; password: string; device?: string | undefined } & Proof,
  caller: Caller,
) {
  requireFree(email, device, caller)
  const { user, known, door, attempts } = await step(async (db) => {
    const user = await row<{ id: number; name: string; password_hash: string | null }>(
      db,
      sql`select id, name, password_hash from ${usersTable} where lower(email) = ${email} and active`,
    )
    const known = user && device ? await isDeviceOf(db, user.id, device) : false
    const door: Key = known ? `device:${hashOf(device!).toString('hex')}` : `account:${email}`
    const attempts = await countAttempt(db, known ? [door] : [door, `address:${caller.address}`]).catch(
      (error: unknown) => {
        if (device && !known && error instanceof Problem && error.retryAfter)
          guessLimiter.hold(`devices:${caller.address}`, error.retryAfter)
        throw error
      },
    )
    return { user, known, door, attempts }
  })
  const right = await isPassword(user?.password_hash, password)
  return step(async (db) => {
    const companies = await companiesOf(db, user?.id ?? 0)
    if (!user || !right || companies.length === 0) {
      if (user) await noteEverywhere(db, user, companies, 'login_failed')
      throw new Problem(422, BAD_CREDENTIALS, { errors: { email: [BAD_CREDENTIALS] }, keepWrites: true })
    }
    const proven = await requireFactor(db, user, proof, attempts)
    await forgive(db, attempts, door)
    await noteEverywhere(db, user, companies, known ? 'login' : 'new_device')
    return openSession(db, user.id, caller, { device: known ? device : undefined, proven })
  })
}

/**
 * The second factor of somebody whose password is right. One that is wrong counts as a guess; one that was not sent does
 * not, and forgives none either: who knows the password could go on guessing.
 */
export async function requireFactor(db: Db, user: { id: number; name: string }, proof: Proof, attempts: number[]) {
  const proven = await proveFactor(db, user.id, proof)
  if (proven === 'none' || proven === 'proven') return proven === 'proven'
  if (proven === 'lacking') await uncount(db, attempts)
  else {
    await noteEverywhere(db, user, await companiesOf(db, user.id), 'login_failed', { detail: 'Segundo factor' })
  }
  throw await askFactor(db, user.id, proven)
}

/** In the company asked for, or else their first; the browser is known from now on. */
export async function openSession(
  db: Db,
  user_id: number,
  caller: Caller,
  {
    company,
    device = newToken(),
    proven = false,
    only = null,
  }: { company?: number; device?: string | undefined; proven?: boolean; only?: number | null } = {},
) {
  const token = newToken()
  await rows(
    db,
    sql`insert into ${devicesTable} (token_hash, user_id) values (${hashOf(device)}, ${user_id})
        on conflict (token_hash) do nothing`,
  )
  await rows(
    db,
    sql`insert into ${sessionsTable} (token_hash, user_id, expires_at, agent, address, device_hash, factor_at, company_id)
        values (${hashOf(token)}, ${user_id}, now() + ${LIFE}, ${caller.agent.slice(0, 300)}, ${caller.address},
          ${hashOf(device)}, ${proven ? sql`now()` : null}, ${only})`,
  )
  const actor = await findActor(db, token, company)
  await workFor(db, actor.company_id)
  return { token, device, user: await describeMe(db, actor) }
}

/** Every other session and browser of the person has to come in anew. */
export async function endOthers(db: Db, actor: Actor) {
  const ended = await rows(
    db,
    sql`delete from ${sessionsTable} where user_id = ${actor.user_id} and id <> ${actor.session_id} returning id`,
  )
  await rows(
    db,
    sql`delete from ${devicesTable} where user_id = ${actor.user_id} and token_hash is distinct from
          (select device_hash from ${sessionsTable} where id = ${actor.session_id})`,
  )
  return ended.length
}

export const logout = (db: Db, actor: Actor) =>
  rows(db, sql`delete from ${sessionsTable} where id = ${actor.session_id}`).then(() => undefined)

interface Found {
  session_id: number
  user_id: number
  user_name: string
  last_seen_at: string
  over: boolean | null
  confirmed: boolean
  locked: boolean | null
  only: number | null
  company_id: number | null
  role: Role
  workshop_id: number | null
  time_zone: string
}

/** Whose token this is, in the company asked for or else their first. `touch`: they use it. */
export async function findActor(db: Db, token: string, company: number | undefined, touch = true): Promise<Actor> {
  const found = await row<Found>(
    db,
    sql`select s.id as session_id, u.id as user_id, u.name as user_name, s.last_seen_at,
               m.company_id, m.role, m.workshop_id, c.time_zone,
               s.last_seen_at < now() - make_interval(hours => c.session_idle_hours)
                 or s.created_at < now() - make_interval(days => c.session_days) as over,
               s.confirmed_at > now() - ${CONFIRMED_FOR} as confirmed,
               s.company_id as only, s.factor_at is null and m.role = any(c.factor_roles) as locked
        from ${sessionsTable} s
        join ${usersTable} u on u.id = s.user_id and u.active
        left join lateral memberships_of(u.id) m
          on (${company ?? null}::bigint is null or m.company_id = ${company ?? null})
            and (s.company_id is null or m.company_id = s.company_id)
        left join ${companiesTable} c on c.id = m.company_id
        where s.token_hash = ${hashOf(token)} and ${IS_OPEN}
        order by m.company_id limit 1`,
  )
  if (!found) throw new Problem(401, EXPIRED)
  if (found.company_id === null) throw new Problem(403, 'No pertenece a esta empresa.')
  if (found.over) throw new Problem(401, EXPIRED)
  if (touch && Date.now() - Date.parse(found.last_seen_at) > TOUCH_AFTER)
    await rows(db, sql`update ${sessionsTable} set last_seen_at = now() where id = ${found.session_id}`)
  const { session_id, user_id, user_name, company_id, role, workshop_id, time_zone, confirmed } = found
  const locked = found.locked === true
  const limited = found.only !== null
  const may = PERMISSIONS_OF.get(role)!
  return { session_id, user_id, user_name, company_id, role, workshop_id, time_zone, confirmed, locked, limited, may }
}

export async function describeMe(db: Db, actor: Actor): Promise<Me> {
  const { user, companies } = await batch({
    user: row<Pick<Me, 'id' | 'name' | 'email' | 'specialist_id'>>(
      db,
      sql`select u.id, u.name, u.email, m.specialist_id
            from ${usersTable} u
            left join ${membershipsTable} m on m.company_id = ${actor.company_id} and m.user_id = u.id
            where u.id = ${actor.user_id}`,
    ),
    companies: companiesOf(db, actor.user_id),
  })
  const { company_id, role, workshop_id } = actor
  return {
    ...user!,
    companies: companies.filter(({ id }) => !actor.limited || id === company_id),
    company_id,
    role,
    workshop_id,
    permissions: [...actor.may],
    needs_factor: actor.locked === true,
  }
}

/** Old sessions, links, devices and attempts go. */
export async function sweep(db: Db) {
  await rows(db, sql`delete from ${sessionsTable} s where not (${IS_OPEN})`)
  await rows(db, sql`delete from ${oneTimeLinksTable} where expires_at < now()`)
  await rows(db, sql`delete from ${devicesTable} where last_seen_at < now() - ${DEVICE_LIFE}`)
  await forgetAttempts(db)
}
