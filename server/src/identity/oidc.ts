import { sql } from 'drizzle-orm'
import * as openid from 'openid-client'
import { type Provider, type ProviderEdit, RETURN_PATH } from '#contract/identity/oidc.ts'
import { type Db, row, rows, workFor } from '../platform/database/db.ts'
import { currentOrigin } from '../platform/http/requests.ts'
import type { Actor } from '../platform/operations/actor.ts'
import type { CompanyJob } from '../platform/operations/jobs.ts'
import { closed, opened } from '../platform/operations/secrets.ts'
import { reach, Unreachable } from '../platform/outside/reach.ts'
import { invalid, notFound, Problem } from '../platform/problems.ts'
import { companiesOf } from './companies.ts'
import { closeOpenCodes } from './factors.ts'
import { noteEverywhere, noteOwn } from './security.ts'
import { type Caller, openSession, type Step } from './sessions.ts'
import { identityProvidersTable, oidcFlowsTable, oidcLinksTable, usersTable } from './tables.ts'
import { countAttempt } from './throttle.ts'

/*
 * A person is known by what the provider calls them (issuer and subject), linked while they were logged in; never by an
 * address that a provider asserts. What a provider opens is its own company and nothing of the person's account.
 */

const FLOW_LIFE = sql`interval '10 minutes'`
const NOT_SENT_BACK = 'El proveedor no confirmó el ingreso. Intente de nuevo.'

interface Known extends Provider {
  client_secret: string
}
interface Flow {
  state: string
  company_id: number
  /** Who links themself; null: somebody comes in. */
  user_id: number | null
  verifier: string
  nonce: string
  redirect_uri: string
}

const whoseProvider = (company_id: number) => `oidc:${company_id}`

/** A secret that this server cannot read is none: the provider then lets nobody in until it is typed again. */
async function providerOf(db: Db, company_id: number): Promise<Known | undefined> {
  const known = await row<Known>(
    db,
    sql`select issuer, client_id, client_secret, label from ${identityProvidersTable} where company_id = ${company_id}`,
  )
  return known && { ...known, client_secret: opened(db, known.client_secret, whoseProvider(company_id)) ?? '' }
}

/** What stands open of before there was a key: the provider's, and those behind people's codes. */
export const closeSecretsJob: CompanyJob = {
  name: 'identity-secrets',
  schedule: '*/5 * * * *',
  runFor: (database, company_id) =>
    database.write(company_id, async (db) => {
      await closeOpenCodes(db)
      await closeOpenProvider(db, company_id)
    }),
}

async function closeOpenProvider(db: Db, company_id: number) {
  const open = await row<{ client_secret: string }>(
    db,
    sql`select client_secret from ${identityProvidersTable}
        where company_id = ${company_id} and client_secret not like 'closed:%' for update`,
  )
  if (open)
    await rows(
      db,
      sql`update ${identityProvidersTable} set client_secret = ${closed(db, open.client_secret, whoseProvider(company_id))}
          where company_id = ${company_id}`,
    )
}

/** Of a company that the caller is not in yet. */
async function providerIn(db: Db, company_id: number) {
  await workFor(db, company_id)
  return providerOf(db, company_id)
}

/** Through the house's own way out: what somebody typed as an issuer is an address like any other. */
const asked: openid.CustomFetch = (url, { method, headers, body }) =>
  reach(url, {
    method,
    headers: Object.fromEntries(Object.entries(headers)),
    ...(body !== null && body !== undefined && { body: String(body) }),
  })

async function discover({ issuer, client_id, client_secret }: Omit<Known, 'label'>) {
  const isPlain = new URL(issuer).protocol === 'http:'
  const config = await openid.discovery(new URL(issuer), client_id, client_secret, undefined, {
    // Whether http is allowed at all is decided by the way out.
    execute: isPlain ? [openid.allowInsecureRequests] : [],
    [openid.customFetch]: asked,
  })
  config[openid.customFetch] = asked
  return config
}

/* The company's side */

export async function getProvider(db: Db, actor: Actor): Promise<{ provider: Provider | null }> {
  const known = await providerOf(db, actor.company_id)
  return { provider: known ? { issuer: known.issuer, client_id: known.client_id, label: known.label } : null }
}

/** In steps: the provider is asked before it is believed. */
export async function setProvider(step: Step, actor: Actor, what: ProviderEdit): Promise<Provider> {
  const before = await step((db) => providerOf(db, actor.company_id))
  const client_secret = what.client_secret || (before?.issuer === what.issuer ? before.client_secret : '')
  if (!client_secret) throw invalid({ client_secret: 'Escriba el secreto que entregó el proveedor.' })
  const { issuer, client_id, label } = what
  await discover({ issuer, client_id, client_secret }).catch((error: unknown) => {
    const why = error instanceof Unreachable ? ` ${error.message}` : ''
    throw invalid({ issuer: `En esta dirección no responde un proveedor de identidad.${why}` })
  })
  return step(async (db) => {
    const kept = closed(db, client_secret, whoseProvider(actor.company_id))
    await db
      .insert(identityProvidersTable)
      .values({ company_id: actor.company_id, issuer, client_id, client_secret: kept, label })
      .onConflictDoUpdate({
        target: identityProvidersTable.company_id,
        set: { issuer, client_id, client_secret: kept, label, updated_at: new Date().toISOString() },
      })
    await rows(db, sql`delete from ${oidcLinksTable} where company_id = ${actor.company_id} and issuer <> ${issuer}`)
    await noteOwn(db, actor, 'rules', `Proveedor de identidad: ${issuer}`)
    return { issuer, client_id, label }
  })
}

export async function removeProvider(db: Db, actor: Actor) {
  await rows(db, sql`delete from ${oidcLinksTable} where company_id = ${actor.company_id}`)
  await rows(db, sql`delete from ${identityProvidersTable} where company_id = ${actor.company_id}`)
  await noteOwn(db, actor, 'rules', 'Proveedor de identidad: ninguno')
  return undefined
}

/* Going and coming back */

async function begin(step: Step, company_id: number, user_id: number | null) {
  const origin = currentOrigin()
  if (!origin) throw new Problem(422, 'Abra la página en el navegador para entrar por el proveedor.')
  const known = await step((db) => providerIn(db, company_id))
  if (!known) throw notFound()
  if (!known.client_secret)
    throw new Problem(
      422,
      'El secreto del proveedor se guardó con otra clave del servidor: un administrador debe escribirlo de nuevo.',
    )
  const config = await discover(known).catch(() => {
    throw new Problem(422, 'El proveedor de identidad no responde. Intente en un momento.')
  })
  const flow: Flow = {
    state: openid.randomState(),
    company_id,
    user_id,
    verifier: openid.randomPKCECodeVerifier(),
    nonce: openid.randomNonce(),
    redirect_uri: `${origin.origin}${RETURN_PATH}`,
  }
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: flow.redirect_uri,
    scope: 'openid',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  })
  await step(async (db) => {
    await rows(db, sql`delete from ${oidcFlowsTable} where expires_at < now()`)
    await rows(
      db,
      sql`insert into ${oidcFlowsTable} (state, company_id, user_id, verifier, nonce, redirect_uri, expires_at)
          values (${flow.state}, ${company_id}, ${user_id}, ${flow.verifier}, ${flow.nonce}, ${flow.redirect_uri},
            now() + ${FLOW_LIFE})`,
    )
  })
  return { url: url.href }
}

/** Whom the provider means; the flow is spent by this. */
async function comeBack(step: Step, query: string) {
  const params = new URLSearchParams(query)
  const found = await step(async (db) => {
    const flow = await row<Flow>(
      db,
      sql`delete from ${oidcFlowsTable} where state = ${params.get('state') ?? ''} and expires_at > now()
          returning state, company_id, user_id, verifier, nonce, redirect_uri`,
    )
    if (!flow) return undefined
    return { flow, known: await providerIn(db, flow.company_id) }
  })
  if (!found?.known) throw new Problem(422, NOT_SENT_BACK)
  const { flow, known } = found
  try {
    const config = await discover(known)
    const tokens = await openid.authorizationCodeGrant(config, new URL(`${flow.redirect_uri}?${params}`), {
      pkceCodeVerifier: flow.verifier,
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Problem(422, NOT_SENT_BACK)
    return { flow, issuer: known.issuer, subject: claims.sub }
  } catch (error) {
    // Whatever the provider answered that is not what was agreed on.
    if (error instanceof Problem) throw error
    throw new Problem(422, NOT_SENT_BACK)
  }
}

export async function describeDoor(step: Step, company_id: number) {
  const known = await step((db) => providerIn(db, company_id))
  if (!known) throw notFound()
  return { label: known.label }
}

/** Strangers may begin: each one asks the provider, and is kept until it comes back. */
export async function beginEntry(step: Step, company_id: number, { address }: Caller) {
  await step((db) => countAttempt(db, [`entry:${address}`]))
  return begin(step, company_id, null)
}

export async function finishEntry(step: Step, query: string, caller: Caller) {
  const { flow, issuer, subject } = await comeBack(step, query)
  if (flow.user_id !== null) throw new Problem(422, NOT_SENT_BACK)
  return step(async (db) => {
    await workFor(db, flow.company_id)
    const person = await row<{ id: number; name: string }>(
      db,
      sql`select u.id, u.name from ${oidcLinksTable} l join ${usersTable} u on u.id = l.user_id and u.active
          where l.company_id = ${flow.company_id} and l.issuer = ${issuer} and l.subject = ${subject}`,
    )
    const companies = (await companiesOf(db, person?.id ?? 0)).filter(({ id }) => id === flow.company_id)
    if (!person || companies.length === 0)
      throw new Problem(
        422,
        'Nadie de la empresa está vinculado a esa cuenta. Entre con su contraseña y vincúlela en su perfil.',
      )
    await noteEverywhere(db, person, companies, 'login', { detail: 'Por el proveedor de identidad' })
    return openSession(db, person.id, caller, { company: flow.company_id, proven: true, only: flow.company_id })
  })
}

/* The person's side */

export async function ownLink(db: Db, actor: Actor) {
  const known = await providerOf(db, actor.company_id)
  const linked = await row(
    db,
    sql`select user_id from ${oidcLinksTable} where company_id = ${actor.company_id} and user_id = ${actor.user_id}`,
  )
  return { label: known?.label ?? null, linked: Boolean(linked) }
}

export const beginLink = (step: Step, actor: Actor) => begin(step, actor.company_id, actor.user_id)

export async function finishLink(step: Step, actor: Actor, query: string) {
  const { flow, issuer, subject } = await comeBack(step, query)
  // Begun by somebody else, and carried into this browser: it would give them a way in as this person.
  if (flow.user_id !== actor.user_id || flow.company_id !== actor.company_id) throw new Problem(422, NOT_SENT_BACK)
  return step(async (db) => {
    await db
      .insert(oidcLinksTable)
      .values({ company_id: actor.company_id, user_id: actor.user_id, issuer, subject })
      .onConflictDoUpdate({ target: [oidcLinksTable.company_id, oidcLinksTable.user_id], set: { issuer, subject } })
    await noteOwn(db, actor, 'factor', `Cuenta de ${issuer}: vinculada`)
    return undefined
  })
}

export async function removeLink(db: Db, actor: Actor) {
  await rows(
    db,
    sql`delete from ${oidcLinksTable} where company_id = ${actor.company_id} and user_id = ${actor.user_id}`,
  )
  await noteOwn(db, actor, 'factor', 'Cuenta del proveedor de identidad: desvinculada')
  return undefined
}
