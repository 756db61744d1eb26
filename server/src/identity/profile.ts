import { sql } from 'drizzle-orm'
import { CONFIRM_FIRST } from '#contract/base/wire.ts'
import type { Confirmation } from '#contract/identity/factors.ts'
import { type OpenSession, type PasswordChange, Preferences } from '#contract/identity/identity.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { announce } from '../platform/operations/happenings.ts'
import { invalid, notFound, Problem } from '../platform/problems.ts'
import { requireWorkshop } from '../workshops/scope.ts'
import { companiesOf } from './companies.ts'
import { endApiTokens } from './end-api-tokens.ts'
import { askFactor, hasFactor, markConfirmed, proveFactor } from './factors.ts'
import { hashPassword, isPassword, requireGoodPassword, SAME_PASSWORD } from './passwords.ts'
import { noteEverywhere, noteOf } from './security.ts'
import { describeMe, endOthers, IS_OPEN, type Step } from './sessions.ts'
import { membershipsTable, sessionsTable, usersTable } from './tables.ts'
import { countAttempt, forgive, type Key } from './throttle.ts'
import { isAccepted, requireOnlyHere, requireUser } from './users.ts'

export async function updateProfile(db: Db, actor: Actor, { name }: { name: string }) {
  await rows(db, sql`update ${usersTable} set name = ${name}, updated_at = now() where id = ${actor.user_id}`)
  announce(db, actor, { topic: 'identity', workshop_id: actor.workshop_id, ids: [actor.user_id] })
  return describeMe(db, actor)
}

/** In steps: no connection is held while passwords are looked at and hashed. */
export async function changePassword(
  step: Step,
  actor: Actor,
  { current_password, password, end_api_tokens }: PasswordChange,
) {
  const door: Key = `person:${actor.user_id}`
  const { was, attempts } = await step(async (db) => {
    const user = await row<{ password_hash: string; email: string }>(
      db,
      sql`select password_hash, email from ${usersTable} where id = ${actor.user_id}`,
    )
    const companies = await companiesOf(db, actor.user_id)
    // Said before the guess at the current one counts: choosing another time is no guess.
    if (password === current_password) throw invalid({ password: SAME_PASSWORD })
    requireGoodPassword(password, [user?.email ?? '', ...companies.map(({ name }) => name)])
    return { was: user?.password_hash, attempts: await countAttempt(db, [door]) }
  })
  if (!(await isPassword(was, current_password)))
    throw invalid({ current_password: 'La contraseña actual no es correcta.' })
  const password_hash = await hashPassword(password)
  return step(async (db) => {
    await forgive(db, attempts, door)
    const changed = await row(
      db,
      sql`update ${usersTable} set password_hash = ${password_hash}, updated_at = now()
          where id = ${actor.user_id} and password_hash = ${was} returning id`,
    )
    // Changed elsewhere meanwhile.
    if (!changed) throw invalid({ current_password: 'La contraseña actual no es correcta.' })
    await endOthers(db, actor)
    await noteEverywhere(db, me(actor), await companiesOf(db, actor.user_id), 'password')
    if (end_api_tokens) await endApiTokens(db, me(actor), actor)
    return undefined
  })
}

/** For what is asked again: a second factor of those who have one, the password of the others. In steps, as above. */
export async function confirmOneself(step: Step, actor: Actor, { password, ...proof }: Confirmation) {
  const door: Key = `person:${actor.user_id}`
  const { hash, attempts } = await step(async (db) => {
    const attempts = await countAttempt(db, [door])
    if (await hasFactor(db, actor.user_id)) return { hash: undefined, attempts }
    const user = await row<{ password_hash: string | null }>(
      db,
      sql`select password_hash from ${usersTable} where id = ${actor.user_id}`,
    )
    return { hash: user?.password_hash ?? null, attempts }
  })
  if (hash !== undefined && !(await isPassword(hash, password ?? '')))
    throw invalid({ password: 'La contraseña no es correcta.' })
  return step(async (db) => {
    const proven = await proveFactor(db, actor.user_id, proof)
    if (proven === 'lacking' || proven === 'wrong') throw await askFactor(db, actor.user_id, proven)
    // They got one meanwhile, or lost it: what was shown is not what is asked.
    if ((proven === 'none') !== (hash !== undefined)) throw new Problem(403, CONFIRM_FIRST, { confirm: true })
    await forgive(db, attempts, door)
    await markConfirmed(db, actor.session_id, proven === 'proven')
    return undefined
  })
}

const me = (actor: Actor) => ({ id: actor.user_id, name: actor.user_name })

export async function endOtherSessions(db: Db, actor: Actor, withApiTokens: boolean) {
  const ended = await endOthers(db, actor)
  await noteEverywhere(db, me(actor), await companiesOf(db, actor.user_id), 'sessions_ended', {
    detail: ended === 1 ? 'Una, de las demás' : `${ended}, de las demás`,
  })
  if (withApiTokens) await endApiTokens(db, me(actor), actor)
  return undefined
}

/** Oneself, or somebody one manages; anyone else is not there. */
async function requireOwnOrManaged(db: Db, actor: Actor, user_id: number) {
  if (user_id === actor.user_id) return
  if (!actor.may.has('people.manage')) throw notFound()
  await requireUser(db, actor, user_id)
}

export async function listSessions(db: Db, actor: Actor, user_id: number) {
  if (actor.limited && user_id === actor.user_id)
    throw new Problem(403, 'Entre con su contraseña para ver sus sesiones.')
  await requireOwnOrManaged(db, actor, user_id)
  if (user_id !== actor.user_id) {
    if (!(await isAccepted(db, actor, user_id))) return { data: [], total: 0 }
    await requireOnlyHere(db, actor, user_id)
  }
  const data = await rows<OpenSession>(
    db,
    sql`select id, created_at, last_seen_at, agent, address, id = ${actor.session_id} as current from ${sessionsTable} s
        where user_id = ${user_id} and ${IS_OPEN} order by last_seen_at desc, id desc`,
  )
  return { data, total: data.length }
}

export async function endSession(db: Db, actor: Actor, id: number) {
  const session = await row<{ user_id: number }>(db, sql`select user_id from ${sessionsTable} where id = ${id}`)
  if (!session) throw notFound()
  await requireOwnOrManaged(db, actor, session.user_id)
  if (session.user_id !== actor.user_id) {
    if (!(await isAccepted(db, actor, session.user_id))) throw notFound()
    await requireOnlyHere(db, actor, session.user_id)
    await noteOf(db, actor, await requireUser(db, actor, session.user_id), 'sessions_ended', 'Una')
  }
  await rows(db, sql`delete from ${sessionsTable} where id = ${id}`)
  return undefined
}

export async function preferencesOf(db: Db, actor: Actor, user_id: number): Promise<Preferences> {
  await requireOwnOrManaged(db, actor, user_id)
  const found = await row<{ preferences: unknown }>(
    db,
    sql`select preferences from ${membershipsTable} where company_id = ${actor.company_id} and user_id = ${user_id}`,
  )
  // What an older version kept and this one does not understand falls back to how everyone starts.
  const kept = Preferences.safeParse(found?.preferences ?? {})
  return kept.data ?? Preferences.parse({})
}

/** The workshops that preferences name, each with its field. */
const workshopsIn = ({ default_workshop_id, monday_reports }: Preferences) =>
  [
    { field: 'default_workshop_id', id: default_workshop_id },
    ...monday_reports.map(({ workshop_id: id }, i) => ({ field: `monday_reports.${i}.workshop_id`, id })),
  ].filter((named): named is { field: string; id: number } => named.id !== null)

export async function updatePreferences(db: Db, actor: Actor, what: Preferences): Promise<Preferences> {
  const before = await preferencesOf(db, actor, actor.user_id)
  const kept = new Set(workshopsIn(before).map(({ id }) => id))
  // A workshop that was closed since it was chosen does not keep them from changing anything else.
  for (const { id, field } of workshopsIn(what)) if (!kept.has(id)) await requireWorkshop(db, actor, id, field)
  await rows(
    db,
    sql`update ${membershipsTable} set preferences = ${JSON.stringify(what)}::jsonb
        where company_id = ${actor.company_id} and user_id = ${actor.user_id}`,
  )
  return what
}
