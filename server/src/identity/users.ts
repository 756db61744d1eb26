import { randomInt } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { ROLES, type Role } from '#contract/base/permissions.ts'
import {
  type Colleague,
  type NewUser,
  type OneTimeLink,
  USER_STATES,
  type User,
  type UserEdit,
  type UserList,
} from '#contract/identity/identity.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { canMail } from '../platform/outside/mail.ts'
import { invalid, notFound, Problem, requireFresh } from '../platform/problems.ts'
import { inScope, requireWorkshop } from '../workshops/scope.ts'
import { specialistsTable, workshopsTable } from '../workshops/tables.ts'
import { companiesOf } from './companies.ts'
import { endApiTokens } from './end-api-tokens.ts'
import { forgetFactors } from './factors.ts'
import { giveLink, mailLink } from './links.ts'
import { noteOf } from './security.ts'
import { factorsTable, membershipsTable, sessionsTable, usersTable } from './tables.ts'

/** Somebody invited is called what who invited them wrote, until they accept. */
const NAME = sql`coalesce(m.invited_name, u.name)`
const LAST_SEEN = sql`(select max(s.last_seen_at) from ${sessionsTable} s where s.user_id = u.id and m.state = 'active')`
const SELECT = sql`u.id, ${NAME} as name, u.email, m.role, m.workshop_id, w.name as workshop_name, m.specialist_id, m.state,
  ${LAST_SEEN} as last_seen_at, m.updated_at,
  exists (select from ${factorsTable} f where f.user_id = u.id and m.state = 'active') as has_factor`
const FROM = sql`${membershipsTable} m join ${usersTable} u on u.id = m.user_id
  left join ${workshopsTable} w on w.company_id = m.company_id and w.id = m.workshop_id`

/** Those who do not manage people get their names, and neither find nor sort them by anything else. */
export function listUsers(db: Db, actor: Actor, query: UserList) {
  const manages = actor.may.has('people.manage')
  return listPage<Colleague>(db, query, {
    select: manages ? SELECT : sql`u.id, ${NAME} as name`,
    from: FROM,
    where: all([
      inScope(actor, sql`m`, query.filter.WorkshopId),
      matches(manages ? sql`plain(${NAME} || ' ' || u.email)` : sql`plain(${NAME})`, query.filter.Search),
      manages ? oneOf(sql`m.role`, query.filter.Role) : undefined,
      manages ? oneOf(sql`m.state`, query.filter.State) : undefined,
    ]),
    sorts: {
      name: NAME,
      ...(manages && {
        email: sql`u.email`,
        role: sql`m.role`,
        workshop_name: sql`w.name`,
        state: sql`m.state`,
        last_seen_at: LAST_SEEN,
      }),
    },
    order: sql`${NAME}, u.id`,
    id: sql`u.id`,
  })
}

/** Somebody of the workshops the person may see; those who work in all workshops are seen only by others who do. */
export async function requireUser(db: Db, actor: Actor, id: number, lock = false): Promise<User> {
  const user = await row<User>(
    db,
    sql`select ${SELECT} from ${FROM} where ${inScope(actor, sql`m`)} and m.user_id = ${id}
        ${lock ? sql`for update of m` : sql``}`,
  )
  if (!user) throw notFound()
  return user
}

interface Place {
  role: Role
  workshop_id: number | null
  specialist_id: number | null
}

/** Nobody gives what they do not have: a role of all workshops comes from those who have one. */
async function placeFor(db: Db, actor: Actor, { role, workshop_id: asked, specialist_id }: Place): Promise<Place> {
  const { everyWorkshop } = ROLES[role]
  if (everyWorkshop && actor.role !== 'super-admin')
    throw invalid({ role: 'Solo un super administrador puede dar este rol.' })
  const workshop_id = everyWorkshop ? null : (asked ?? actor.workshop_id)
  if (workshop_id === null && !everyWorkshop) throw invalid({ workshop_id: 'Elija un taller de la lista.' })
  if (workshop_id !== null) await requireWorkshop(db, actor, workshop_id)
  if (specialist_id !== null) {
    const found = await row(
      db,
      sql`select id from ${specialistsTable} where company_id = ${actor.company_id} and id = ${specialist_id}
          and (${workshop_id}::bigint is null or workshop_id = ${workshop_id}::bigint)`,
    )
    if (!found) throw invalid({ specialist_id: 'Elija un especialista del mismo taller.' })
  }
  return { role, workshop_id, specialist_id }
}

/** Drawn, not counted: the next number would tell an invitation of somebody new from one of somebody with an account. */
export const newUserId = () => randomInt(2 ** 32, 2 ** 47)

/**
 * Invites somebody. Who already has an account, in another company say, keeps it: nothing of it is shown or changed
 * here, and they accept with their own password.
 */
export async function createUser(db: Db, actor: Actor, what: NewUser) {
  const place = await placeFor(db, actor, what)
  const { name, email } = what
  const known = await row<{ id: number }>(db, sql`select id from ${usersTable} where lower(email) = ${email}`)
  const user_id =
    known?.id ??
    (await db.insert(usersTable).values({ id: newUserId(), email, name }).returning({ id: usersTable.id }))[0]!.id
  const taken = await row(
    db,
    sql`select user_id from ${membershipsTable} where company_id = ${actor.company_id} and user_id = ${user_id}`,
  )
  if (taken) throw invalid({ email: 'Esta persona ya está en la empresa.' })
  await db
    .insert(membershipsTable)
    .values({ company_id: actor.company_id, user_id, ...place, state: 'invited', invited_name: name })
  const user = await requireUser(db, actor, user_id)
  await record(db, actor, 'user', user_id, 'created', {}, user)
  await noteOf(db, actor, user, 'role', `Invitación: ${ROLES[user.role].label}`)
  announce(db, actor, { topic: 'identity', workshop_id: user.workshop_id, ids: [user_id] })
  return user
}

export async function updateUser(db: Db, actor: Actor, id: number, what: UserEdit): Promise<User> {
  // Two super-admins who take each other's role away wait here for one another, in one order.
  const chiefs = await rows<{ user_id: number }>(
    db,
    sql`select user_id from ${membershipsTable} where company_id = ${actor.company_id} and role = 'super-admin'
        and state = 'active' order by user_id for update`,
  )
  const before = await requireUser(db, actor, id, true)
  requireFresh(before, what.updated_at)
  const place = await placeFor(db, actor, what)
  const state = await nextState(db, actor, before, what.state)
  const stays = place.role === before.role && place.workshop_id === before.workshop_id && state === before.state
  if (id === actor.user_id && !stays)
    throw invalid({ role: 'No puede cambiar su propio rol, taller ni acceso: pídalo a otra persona.' })
  const remains = place.role === 'super-admin' && state === 'active'
  if (!remains && chiefs.length === 1 && chiefs[0]?.user_id === id)
    throw invalid({ role: 'Es el único super administrador: nombre a otro antes.' })
  await db
    .update(membershipsTable)
    .set({ ...place, state, updated_at: new Date().toISOString() })
    .where(and(eq(membershipsTable.company_id, actor.company_id), eq(membershipsTable.user_id, id)))
  if (state === 'inactive') {
    await closeDoor(db, id)
    await endApiTokens(db, before, actor, actor.company_id)
  }
  const after = await requireUser(db, actor, id)
  const { last_seen_at: _, ...was } = before
  const { last_seen_at: __, ...is } = after
  await record(db, actor, 'user', id, 'updated', was, is)
  if (!stays) await noteOf(db, actor, after, 'role', `${placeIn(before)} → ${placeIn(after)}`)
  for (const workshop_id of new Set([before.workshop_id, after.workshop_id]))
    announce(db, actor, { topic: 'identity', workshop_id, ids: [id] })
  return after
}

const placeIn = ({ role, workshop_name, state }: User) =>
  [ROLES[role].label, workshop_name, state === 'active' ? null : USER_STATES[state].label].filter(Boolean).join(', ')

/** Who never accepted their invitation comes back as invited. */
async function nextState(db: Db, actor: Actor, { id, state }: User, asked: UserEdit['state']) {
  if (asked === 'inactive') return 'inactive'
  if (state !== 'inactive') return state
  const waiting = await row(
    db,
    sql`select user_id from ${membershipsTable}
        where company_id = ${actor.company_id} and user_id = ${id} and invited_name is not null`,
  )
  return waiting ? 'invited' : 'active'
}

/** Their sessions end with their last company; where they work elsewhere too, only this company closes to them. */
async function closeDoor(db: Db, user_id: number) {
  if ((await companiesOf(db, user_id)).length === 0)
    await rows(db, sql`delete from ${sessionsTable} where user_id = ${user_id}`)
}

/**
 * Password and sessions are of the person, not of a company: who manages people reaches them only for somebody
 * that works nowhere else, or managing one company would open the door to another.
 */
export async function requireOnlyHere(db: Db, actor: Actor, user_id: number) {
  await requireAccepted(db, actor, user_id)
  const companies = await companiesOf(db, user_id)
  if (companies.some(({ id }) => id !== actor.company_id))
    throw new Problem(
      403,
      'Esta persona trabaja también en otra empresa: solo ella maneja su contraseña y sus sesiones.',
    )
}

/** Whether they accepted their invitation; until then nothing of their account, or that they have one, is told here. */
export const isAccepted = (db: Db, actor: Actor, user_id: number) =>
  row(
    db,
    sql`select user_id from ${membershipsTable}
        where company_id = ${actor.company_id} and user_id = ${user_id} and invited_name is null`,
  ).then(Boolean)

async function requireAccepted(db: Db, actor: Actor, user_id: number) {
  if (!(await isAccepted(db, actor, user_id))) throw new Problem(409, 'Esta persona todavía no acepta su invitación.')
}

/** The invitation, for those who have not accepted it; for everyone else, a new password. */
export async function renewLink(db: Db, actor: Actor, id: number): Promise<OneTimeLink> {
  const user = await requireUser(db, actor, id, true)
  const kind = USER_STATES[user.state].link
  if (!kind) throw new Problem(409, 'Esta persona está inactiva: actívela antes de enviarle un enlace.')
  if (kind === 'reset') await requireOnlyHere(db, actor, id)
  const mailed = canMail(db)
  // Whoever holds it enters as that person: nobody but them sees it, unless there is no other way.
  const revealed = !mailed && actor.may.has('company.manage')
  const { token, expires_at } = await giveLink(db, actor, id, kind)
  if (mailed) await mailLink(db, actor, user, kind, token)
  await record(db, actor, 'user', id, kind === 'reset' ? 'reset_link' : 'invited', {}, revealed ? { revealed } : {})
  const what = kind === 'reset' ? 'Para elegir otra contraseña' : 'Invitación'
  await noteOf(db, actor, user, 'link', `${what}, ${revealed ? 'mostrado a quien lo pidió' : 'por correo'}`)
  return { token: revealed ? token : null, expires_at, mailed }
}

/** They lost their second factor: the password alone opens again, and whoever is in has to come in anew. */
export async function removeFactorsOf(db: Db, actor: Actor, id: number) {
  const user = await requireUser(db, actor, id, true)
  if (id === actor.user_id) throw new Problem(422, 'Sus propios factores se quitan en su perfil.')
  await requireOnlyHere(db, actor, id)
  await forgetFactors(db, id)
  await rows(db, sql`delete from ${sessionsTable} where user_id = ${id}`)
  await endApiTokens(db, user, actor)
  await noteOf(db, actor, user, 'factor', 'Quitados, porque los perdió')
  return undefined
}
