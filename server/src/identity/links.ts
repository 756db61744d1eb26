import { sql } from 'drizzle-orm'
import { LINK_GONE, type LinkPurpose, NewPassword } from '#contract/identity/identity.ts'
import { type Db, row, rows, workFor } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { ADDRESS, escapeHtml, queueMail } from '../platform/outside/mail.ts'
import { invalid, Problem } from '../platform/problems.ts'
import { companiesTable } from '../workshops/tables.ts'
import { companiesOf } from './companies.ts'
import { endApiTokens } from './end-api-tokens.ts'
import { hasFactor, type Proof } from './factors.ts'
import { hashPassword, isPassword, requireGoodPassword, SAME_PASSWORD } from './passwords.ts'
import { noteEverywhere } from './security.ts'
import { type Caller, hashOf, newToken, openSession, requireFactor, type Step } from './sessions.ts'
import { devicesTable, membershipsTable, oneTimeLinksTable, sessionsTable, usersTable } from './tables.ts'
import { countAttempt, forgive, type Key } from './throttle.ts'

type Kind = LinkPurpose['kind']
const LIFE = { invitation: sql`interval '7 days'`, reset: sql`interval '1 day'` }

/** A person has one link per company at a time: a new one ends the one before. */
export async function giveLink(db: Db, actor: Actor, user_id: number, kind: Kind) {
  const token = newToken()
  const given = await row<{ expires_at: string }>(
    db,
    sql`insert into ${oneTimeLinksTable} (token_hash, kind, user_id, company_id, expires_at)
        values (${hashOf(token)}, ${kind}, ${user_id}, ${actor.company_id}, now() + ${LIFE[kind]})
        on conflict (user_id, company_id) do update set token_hash = excluded.token_hash, kind = excluded.kind,
          created_at = now(), expires_at = excluded.expires_at
        returning expires_at`,
  )
  return { token, expires_at: given!.expires_at }
}

/** The link by mail, in the words of its sender. */
export async function mailLink(db: Db, actor: Actor, to: { name: string; email: string }, kind: Kind, token: string) {
  const company = await row<{ name: string }>(
    db,
    sql`select name from ${companiesTable} where id = ${actor.company_id}`,
  )
  const address = `${ADDRESS}/invitacion/${token}`
  const isInvitation = kind === 'invitation'
  const lines = [
    `Hola, ${to.name}:`,
    isInvitation
      ? `${actor.user_name} le invita a ${company?.name}, en Maestranza. Con este enlace elige su contraseña y entra:`
      : `${actor.user_name} pidió que elija una contraseña nueva para entrar a ${company?.name}, en Maestranza:`,
    address,
    `El enlace sirve una sola vez y vence en ${isInvitation ? '7 días' : '24 horas'}. Si no lo esperaba, no haga nada.`,
  ]
  const paragraph = (line: string) =>
    line === address ? `<p><a href="${address}">${address}</a></p>` : `<p>${escapeHtml(line)}</p>`
  await queueMail(
    db,
    actor.company_id,
    {
      topic: 'identity',
      to: to.email,
      subject: isInvitation ? `Invitación a ${company?.name}` : 'Su nueva contraseña de Maestranza',
      text: lines.join('\n\n'),
      html: lines.map(paragraph).join('\n'),
    },
    new Date(),
  )
}

interface Link extends LinkPurpose {
  id: number
  user_id: number
  company_id: number
  /** null: they have no password of their own yet, or are to choose a new one. */
  password_hash: string | null
  account_name: string
  /** The one that a reset replaces. */
  replaces: string | null
}

/** Good while it was not used, has time left, and the person still stands where it was given for. */
async function requireLink(db: Db, token: string, lock = false): Promise<Link> {
  const link = await row<Omit<Link, 'replaces'>>(
    db,
    sql`select l.id, l.kind, l.user_id, l.company_id, u.name as account_name, u.email, c.name as company_name, u.password_hash
        from ${oneTimeLinksTable} l
        join ${usersTable} u on u.id = l.user_id and u.active
        join ${companiesTable} c on c.id = l.company_id
        where l.token_hash = ${hashOf(token)} and l.expires_at > now() ${lock ? sql`for update of l` : sql``}`,
  )
  if (!link) throw new Problem(404, LINK_GONE)
  await workFor(db, link.company_id)
  const standing = await row<{ invited_name: string | null }>(
    db,
    sql`select invited_name from ${membershipsTable}
        where company_id = ${link.company_id} and user_id = ${link.user_id}
          and state = ${link.kind === 'invitation' ? 'invited' : 'active'}`,
  )
  if (!standing) throw new Problem(404, LINK_GONE)
  // Of somebody who already works elsewhere an invitation tells only what who invited them wrote.
  if (link.kind === 'invitation') return { ...link, name: standing.invited_name ?? link.email, replaces: null }
  return { ...link, name: link.account_name, password_hash: null, replaces: link.password_hash }
}

export async function readLink(db: Db, token: string): Promise<LinkPurpose> {
  const { kind, name, email, company_name } = await requireLink(db, token)
  return { kind, name, email, company_name }
}

/**
 * Accepts the invitation, or sets the password anew; either way it works once, and opens a session. A person who has an
 * account already enters with their own password, guesses at which are counted by the link: nobody else can use them up.
 */
export async function useLink(
  step: Step,
  { token, password, ...proof }: { token: string; password: string } & Proof,
  caller: Caller,
) {
  const { link, door, attempts } = await step(async (db) => {
    const link = await requireLink(db, token)
    // Guesses count under the account, as at the login: a link gives nobody five more of them.
    const door: Key = `account:${link.email.toLowerCase()}`
    const guesses = link.password_hash !== null || (await hasFactor(db, link.user_id))
    return { link, door, attempts: guesses ? await countAttempt(db, [door, `address:${caller.address}`]) : [] }
  })
  const { user_id, company_id } = link
  let password_hash: string | undefined
  // Asked of those who have an account too: the answer does not tell which of the two an address is.
  const chosen = NewPassword.safeParse(password)
  if (chosen.error) throw invalid({ password: chosen.error.issues[0]!.message })
  if (link.password_hash === null) {
    requireGoodPassword(password, [link.email, link.company_name])
    if (link.replaces && (await isPassword(link.replaces, password))) throw invalid({ password: SAME_PASSWORD })
    password_hash = await hashPassword(password)
  } else if (!(await isPassword(link.password_hash, password))) {
    await step(async (db) => {
      const person = { id: user_id, name: link.account_name }
      await noteEverywhere(db, person, await companiesOf(db, user_id), 'login_failed', { detail: 'Con una invitación' })
    })
    throw invalid({ password: 'La contraseña no es correcta.' })
  }
  return step(async (db) => {
    const held = await requireLink(db, token, true)
    // They began to work elsewhere after it was given: now it would open that door too.
    if (link.kind === 'reset' && (await companiesOf(db, user_id)).some(({ id }) => id !== company_id))
      throw new Problem(404, LINK_GONE)
    // Meanwhile they chose a password elsewhere: this one would replace it.
    if (held.password_hash !== link.password_hash) throw new Problem(404, LINK_GONE)
    // The link stands for the password, not for what they have besides.
    const proven = await requireFactor(db, { id: user_id, name: link.name }, proof, attempts)
    await forgive(db, attempts, door)
    await rows(db, sql`delete from ${oneTimeLinksTable} where id = ${link.id}`)
    await rows(
      db,
      sql`update ${membershipsTable} set state = 'active', invited_name = null, updated_at = now()
          where company_id = ${company_id} and user_id = ${user_id}`,
    )
    if (password_hash) {
      await rows(
        db,
        sql`update ${usersTable} set password_hash = ${password_hash}, updated_at = now() where id = ${user_id}`,
      )
      await rows(db, sql`delete from ${sessionsTable} where user_id = ${user_id}`)
      await rows(db, sql`delete from ${devicesTable} where user_id = ${user_id}`)
      await endApiTokens(db, { id: user_id, name: link.name }, undefined)
    }
    const person = { id: user_id, name: link.name }
    const companies = await companiesOf(db, user_id)
    if (password_hash) await noteEverywhere(db, person, companies, 'password', { detail: 'Con un enlace' })
    await noteEverywhere(db, person, companies, 'new_device')
    return openSession(db, user_id, caller, { company: company_id, proven })
  })
}
