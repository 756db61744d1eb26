import { createHash, randomBytes, randomInt } from 'node:crypto'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { FACTOR_KINDS, type Factor, type NewTotp, type OwnFactors } from '#contract/identity/factors.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import { currentOrigin } from '../platform/http/requests.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { closed, isClosed, opened } from '../platform/operations/secrets.ts'
import { invalid, notFound, Problem } from '../platform/problems.ts'
import { companiesTable } from '../workshops/tables.ts'
import { companiesOf } from './companies.ts'
import { noteEverywhere } from './security.ts'
import { challengesTable, factorsTable, recoveryCodesTable, sessionsTable, usersTable } from './tables.ts'

/* Second factors are of the person, like the password: every company that lets them in gains by them. */

const ISSUER = 'Maestranza'
const STEP = 30
/** Codes of the step before and after are good too: telephones' clocks differ. */
const WINDOW = 1
const CHALLENGE_LIFE = sql`interval '10 minutes'`
const MOST = 10
/** Without what is easily taken for something else. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 10
const CODES = 10

export interface Proof {
  code?: string | undefined
  passkey?: Record<string, unknown> | undefined
}

interface Held extends Factor {
  secret: Buffer
  credential_id: string | null
  rp_id: string | null
  counter: number
  transports: string[]
}

const whoseCodes = (user_id: number) => `totp:${user_id}`
function closedCodes(db: Db, user_id: number, secret: Buffer): Buffer {
  const text = closed(db, secret.toString('base64'), whoseCodes(user_id))
  return isClosed(text) ? Buffer.from(text) : secret
}
/** undefined: it cannot be read with the key of this server. */
function openedCodes(db: Db, user_id: number, kept: Buffer): Buffer | undefined {
  const text = kept.toString('latin1')
  if (!isClosed(text)) return kept
  const plain = opened(db, text, whoseCodes(user_id))
  return plain === undefined ? undefined : Buffer.from(plain, 'base64')
}
/** Those of before there was a key. */
export async function closeOpenCodes(db: Db) {
  const open = await rows<{ id: number; user_id: number; secret: Buffer }>(
    db,
    sql`select id, user_id, secret from ${factorsTable}
        where kind = 'totp' and substr(secret, 1, 7) <> 'closed:'::bytea for update`,
  )
  for (const { id, user_id, secret } of open)
    await rows(db, sql`update ${factorsTable} set secret = ${closedCodes(db, user_id, secret)} where id = ${id}`)
}
const OTHER_KEY =
  'Este segundo factor se guardó con otra clave del servidor: use un código de recuperación o una llave de acceso, ' +
  'o pida a un administrador que lo quite.'

const heldBy = (db: Db, user_id: number) =>
  rows<Held>(
    db,
    sql`select id, kind, name, created_at, last_used_at, secret, credential_id, rp_id, counter, transports
        from ${factorsTable} where user_id = ${user_id} order by id`,
  )

export const hasFactor = async (db: Db, user_id: number) => (await heldBy(db, user_id)).length > 0

/* Challenges: what is asked once, of one person, and must come back in time. */

type Purpose = 'totp' | 'register' | 'prove'

async function challenge(db: Db, user_id: number, purpose: Purpose, secret: Buffer | null = null): Promise<string> {
  const text = randomBytes(32).toString('base64url')
  await rows(db, sql`delete from ${challengesTable} where expires_at < now()`)
  await rows(
    db,
    sql`insert into ${challengesTable} (challenge, user_id, purpose, secret, expires_at)
        values (${text}, ${user_id}, ${purpose}, ${secret}, now() + ${CHALLENGE_LIFE})`,
  )
  return text
}

/** It is spent by this, whatever comes of it. */
const answered = (db: Db, user_id: number, purpose: Purpose, text: string) =>
  row<{ secret: Buffer | null }>(
    db,
    sql`delete from ${challengesTable} where challenge = ${text} and user_id = ${user_id} and purpose = ${purpose}
          and expires_at > now() returning secret`,
  )

/* Proving */

const totpOf = (secret: Buffer, label = '') =>
  new TOTP({ issuer: ISSUER, label, secret: new Secret({ buffer: new Uint8Array(secret).buffer }), period: STEP })

/** Which step of the clock a code is of; undefined: none that is near. */
function stepOf(secret: Buffer, code: string): number | undefined {
  const delta = totpOf(secret).validate({ token: code, window: WINDOW })
  return delta === null ? undefined : Math.floor(Date.now() / 1000 / STEP) + delta
}

/** A code is good once: whoever looks over a shoulder comes too late. */
async function isCode(db: Db, user_id: number, held: Held[], code: string) {
  for (const factor of held.filter(({ kind }) => kind === 'totp')) {
    const secret = openedCodes(db, user_id, factor.secret)
    const step = secret && stepOf(secret, code)
    if (step === undefined) continue
    const used = await row(
      db,
      sql`update ${factorsTable} set counter = ${step}, last_used_at = now()
          where id = ${factor.id} and counter < ${step} returning id`,
    )
    if (used) return true
  }
  return false
}

const hashOfCode = (user_id: number, code: string) => createHash('sha256').update(`${user_id}:${code}`).digest()
const bare = (code: string) => code.toUpperCase().replace(/[^A-Z0-9]/g, '')

async function isRecoveryCode(db: Db, user_id: number, code: string) {
  if (bare(code).length !== CODE_LENGTH) return false
  const used = await row(
    db,
    sql`delete from ${recoveryCodesTable} where user_id = ${user_id} and code_hash = ${hashOfCode(user_id, bare(code))}
        returning user_id`,
  )
  return Boolean(used)
}

/** The rest of it is looked at by the library. */
const isAnswer = (sent: object): sent is AuthenticationResponseJSON => 'id' in sent && 'response' in sent
const isNewKey = (sent: object): sent is RegistrationResponseJSON => 'id' in sent && 'response' in sent

async function isPasskey(db: Db, user_id: number, held: Held[], response: Record<string, unknown>) {
  const factor = held.find(({ credential_id }) => credential_id !== null && credential_id === response.id)
  const origin = currentOrigin()
  if (!factor?.credential_id || !factor.rp_id || origin?.hostname !== factor.rp_id || !isAnswer(response)) return false
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: async (text) => Boolean(await answered(db, user_id, 'prove', text)),
      expectedOrigin: origin.origin,
      expectedRPID: factor.rp_id,
      credential: {
        id: factor.credential_id,
        publicKey: new Uint8Array(factor.secret),
        counter: factor.counter,
        transports: factor.transports,
      },
      requireUserVerification: false,
    })
    if (!verified) return false
    await rows(
      db,
      sql`update ${factorsTable} set counter = ${authenticationInfo.newCounter}, last_used_at = now() where id = ${factor.id}`,
    )
    return true
  } catch (error) {
    // What a browser sends is anything: the library throws at what it does not understand.
    if (error instanceof Problem || !(error instanceof Error) || 'severity' in error) throw error
    return false
  }
}

/** What to ask the browser for; nothing where they have no key that belongs to this address. */
async function passkeyOptions(db: Db, user_id: number, held: Held[]) {
  const rpID = currentOrigin()?.hostname
  const keys = held.filter(({ kind, rp_id }) => kind === 'passkey' && rp_id === rpID)
  if (!rpID || keys.length === 0) return null
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: Buffer.from(await challenge(db, user_id, 'prove'), 'base64url'),
    allowCredentials: keys.map(({ credential_id, transports }) => ({ id: credential_id!, transports })),
    userVerification: 'preferred',
  })
  return { ...options }
}

export type Proven = 'none' | 'proven' | 'lacking' | 'wrong'

/** Whether somebody who has second factors shows one; `none`: they have none. */
export async function proveFactor(db: Db, user_id: number, { code, passkey }: Proof): Promise<Proven> {
  const held = await heldBy(db, user_id)
  if (held.length === 0) return 'none'
  if (passkey) return (await isPasskey(db, user_id, held, passkey)) ? 'proven' : 'wrong'
  if (!code) return 'lacking'
  const right = (await isCode(db, user_id, held, code.replace(/\s/g, ''))) || (await isRecoveryCode(db, user_id, code))
  return right ? 'proven' : 'wrong'
}

/** 422 under `code`, with what to ask the browser for. Something may have been written that stays. */
export async function askFactor(db: Db, user_id: number, proven: 'lacking' | 'wrong'): Promise<Problem> {
  const held = await heldBy(db, user_id)
  const passkey = await passkeyOptions(db, user_id, held)
  const isLost = held.some(({ kind, secret }) => kind === 'totp' && !openedCodes(db, user_id, secret))
  const message = isLost
    ? OTHER_KEY
    : proven === 'wrong'
      ? 'El código no es correcto, o ya se usó.'
      : held.some(({ kind }) => kind === 'totp')
        ? 'Ingrese el código de su aplicación, o uno de recuperación.'
        : 'Use su llave de acceso, o un código de recuperación.'
  return new Problem(422, message, { errors: { code: [message] }, keepWrites: true, ...(passkey && { passkey }) })
}

export async function waysToConfirm(db: Db, actor: Actor) {
  const held = await heldBy(db, actor.user_id)
  return {
    password: held.length === 0,
    code: held.length > 0,
    passkey: await passkeyOptions(db, actor.user_id, held),
  }
}

/** This session has shown that it is them; with a factor, or by their password where they have none. */
export const markConfirmed = (db: Db, session_id: number, withFactor: boolean) =>
  rows(
    db,
    sql`update ${sessionsTable} set confirmed_at = now(), factor_at = ${withFactor ? sql`now()` : sql`factor_at`}
        where id = ${session_id}`,
  )

/* Having them */

const requiredOf = async (db: Db, user_id: number) =>
  Boolean(
    await row(
      db,
      sql`select c.id from memberships_of(${user_id}) m join ${companiesTable} c on c.id = m.company_id
          where m.role = any(c.factor_roles) limit 1`,
    ),
  )

export async function listFactors(db: Db, actor: Actor): Promise<OwnFactors> {
  const held = await heldBy(db, actor.user_id)
  const left = await row<{ many: number }>(
    db,
    sql`select count(*) as many from ${recoveryCodesTable} where user_id = ${actor.user_id}`,
  )
  return {
    data: held.map(({ id, kind, name, created_at, last_used_at }) => ({ id, kind, name, created_at, last_used_at })),
    total: held.length,
    recovery_codes: left!.many,
    required: await requiredOf(db, actor.user_id),
  }
}

const note = async (db: Db, actor: Actor, detail: string) =>
  noteEverywhere(db, { id: actor.user_id, name: actor.user_name }, await companiesOf(db, actor.user_id), 'factor', {
    detail,
  })

async function requireRoom(db: Db, actor: Actor) {
  // Two windows that add at once wait here for one another.
  await rows(db, sql`select id from ${usersTable} where id = ${actor.user_id} for update`)
  const held = await heldBy(db, actor.user_id)
  if (held.length >= MOST) throw new Problem(422, `Tiene ${MOST} segundos factores: quite alguno antes.`)
  return held
}

export async function beginTotp(db: Db, actor: Actor): Promise<NewTotp> {
  await requireRoom(db, actor)
  const secret = randomBytes(20)
  const attempt = await challenge(db, actor.user_id, 'totp', closedCodes(db, actor.user_id, secret))
  const { email } = one(
    await rows<{ email: string }>(db, sql`select email from ${usersTable} where id = ${actor.user_id}`),
  )
  const totp = totpOf(secret, email)
  return { attempt, secret: totp.secret.base32, uri: totp.toString() }
}

export async function confirmTotp(
  db: Db,
  actor: Actor,
  { attempt, name, code }: { attempt: string; name: string; code: string },
) {
  const held = await requireRoom(db, actor)
  const pending = await row<{ secret: Buffer }>(
    db,
    sql`select secret from ${challengesTable} where challenge = ${attempt} and user_id = ${actor.user_id}
          and purpose = 'totp' and expires_at > now()`,
  )
  const secret = pending && openedCodes(db, actor.user_id, pending.secret)
  if (!secret) throw new Problem(422, 'Pasó mucho tiempo: empiece de nuevo.')
  const counter = stepOf(secret, code.replace(/\s/g, ''))
  if (counter === undefined)
    throw invalid({ code: 'El código no es correcto. Revise que el reloj del teléfono esté en hora.' })
  await answered(db, actor.user_id, 'totp', attempt)
  await db.insert(factorsTable).values({ user_id: actor.user_id, kind: 'totp', name, secret: pending.secret, counter })
  return added(db, actor, held, `${FACTOR_KINDS.totp.label} «${name}»: activada`)
}

export async function beginPasskey(db: Db, actor: Actor) {
  const held = await requireRoom(db, actor)
  const rpID = currentOrigin()?.hostname
  if (!rpID || /^[\d.]+$|^\[/.test(rpID))
    throw new Problem(
      422,
      'Las llaves de acceso necesitan que la página se abra por un nombre, no por un número de IP.',
    )
  const { email } = one(
    await rows<{ email: string }>(db, sql`select email from ${usersTable} where id = ${actor.user_id}`),
  )
  const options = await generateRegistrationOptions({
    rpName: ISSUER,
    rpID,
    userName: email,
    userDisplayName: actor.user_name,
    userID: new Uint8Array(Buffer.from(String(actor.user_id))),
    challenge: Buffer.from(await challenge(db, actor.user_id, 'register'), 'base64url'),
    attestationType: 'none',
    excludeCredentials: held
      .filter(({ rp_id }) => rp_id === rpID)
      .map(({ credential_id, transports }) => ({ id: credential_id!, transports })),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  })
  return { options: { ...options } }
}

export async function addPasskey(
  db: Db,
  actor: Actor,
  { name, response }: { name: string; response: Record<string, unknown> },
) {
  const held = await requireRoom(db, actor)
  const refused = () => new Problem(422, 'El navegador no entregó una llave de acceso válida. Intente de nuevo.')
  const origin = currentOrigin()
  if (!origin || !isNewKey(response)) throw refused()
  const made = await verifyRegistrationResponse({
    response,
    expectedChallenge: async (text) => Boolean(await answered(db, actor.user_id, 'register', text)),
    expectedOrigin: origin.origin,
    expectedRPID: origin.hostname,
    requireUserVerification: false,
  }).catch((error: unknown) => {
    // What a browser sends is anything: the library throws at what it does not understand.
    if (error instanceof Error && 'severity' in error) throw error
    throw refused()
  })
  if (!made.verified) throw refused()
  const { credential } = made.registrationInfo
  await db.insert(factorsTable).values({
    user_id: actor.user_id,
    kind: 'passkey',
    name,
    secret: Buffer.from(credential.publicKey),
    credential_id: credential.id,
    rp_id: origin.hostname,
    counter: credential.counter,
    transports: credential.transports ?? [],
  })
  return added(db, actor, held, `${FACTOR_KINDS.passkey.label} «${name}»: activada`)
}

/** The first brings recovery codes along. */
async function added(db: Db, actor: Actor, before: Held[], detail: string) {
  await markConfirmed(db, actor.session_id, true)
  await note(db, actor, detail)
  return { recovery_codes: before.length === 0 ? await newRecoveryCodes(db, actor.user_id) : [] }
}

async function newRecoveryCodes(db: Db, user_id: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () =>
    Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
  )
  await rows(db, sql`delete from ${recoveryCodesTable} where user_id = ${user_id}`)
  await db.insert(recoveryCodesTable).values(codes.map((code) => ({ user_id, code_hash: hashOfCode(user_id, code) })))
  return codes.map((code) => `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`)
}

export async function renewRecoveryCodes(db: Db, actor: Actor) {
  if (!(await hasFactor(db, actor.user_id)))
    throw new Problem(422, 'Los códigos de recuperación acompañan a un segundo factor: active uno antes.')
  const recovery_codes = await newRecoveryCodes(db, actor.user_id)
  await note(db, actor, 'Códigos de recuperación nuevos')
  return { recovery_codes }
}

export async function removeFactor(db: Db, actor: Actor, id: number) {
  await rows(db, sql`select id from ${usersTable} where id = ${actor.user_id} for update`)
  const held = await heldBy(db, actor.user_id)
  const factor = held.find((one) => one.id === id)
  if (!factor) throw notFound()
  if (held.length === 1 && (await requiredOf(db, actor.user_id)))
    throw new Problem(422, 'Su empresa pide un segundo factor: active otro antes de quitar este.')
  await rows(db, sql`delete from ${factorsTable} where id = ${id}`)
  if (held.length === 1) await rows(db, sql`delete from ${recoveryCodesTable} where user_id = ${actor.user_id}`)
  await note(db, actor, `${FACTOR_KINDS[factor.kind].label} «${factor.name}»: quitada`)
  return undefined
}

/** Somebody lost what they had: the password alone opens again, until they have another. */
export async function forgetFactors(db: Db, user_id: number) {
  await rows(db, sql`delete from ${factorsTable} where user_id = ${user_id}`)
  await rows(db, sql`delete from ${recoveryCodesTable} where user_id = ${user_id}`)
}
