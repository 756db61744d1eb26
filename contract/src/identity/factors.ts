import { z } from 'zod'
import { ById, endpoint, Id, Instant, Nothing, Text } from '../base/wire.ts'

/* What somebody has besides a password. */

export const FACTOR_KINDS = {
  totp: { label: 'Aplicación de códigos' },
  passkey: { label: 'Llave de acceso' },
} as const
type FactorKind = keyof typeof FACTOR_KINDS
const KINDS = Object.keys(FACTOR_KINDS) as [FactorKind, ...FactorKind[]]

export const Factor = z.object({
  id: Id,
  kind: z.enum(KINDS),
  name: z.string(),
  created_at: Instant,
  last_used_at: Instant.nullable(),
})
export type Factor = z.infer<typeof Factor>

export const OwnFactors = z.object({
  data: z.array(Factor),
  total: z.number(),
  /** How many are left. */
  recovery_codes: z.number(),
  /** Some company they work in asks it of their role. */
  required: z.boolean(),
})
export type OwnFactors = z.infer<typeof OwnFactors>

/** Shown once, with the first factor and when they are asked for anew. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

export const NewTotp = z.object({
  /** Names this attempt when it is confirmed. */
  attempt: z.string(),
  /** To be typed where there is no camera. */
  secret: z.string(),
  /** What the QR code says. */
  uri: z.string(),
})
export type NewTotp = z.infer<typeof NewTotp>

const Code = z.string().trim().min(1, 'Ingrese el código.').max(20)
export const TotpConfirmation = z.object({ attempt: z.string().max(100), name: Text(60), code: Code })

/** As browsers give and take it: what is in it is looked at by the library that knows it. */
const FromBrowser = z.record(z.string(), z.unknown())
const PasskeyOptions = z.object({ options: FromBrowser })
export const NewPasskey = z.object({ name: Text(60), response: FromBrowser })

/** How somebody who is logged in can show that it is them. */
export const WaysToConfirm = z.object({
  password: z.boolean(),
  code: z.boolean(),
  /** What to ask the browser for; none where they have no key for this address. */
  passkey: FromBrowser.nullable(),
})
export type WaysToConfirm = z.infer<typeof WaysToConfirm>
export const Confirmation = z.object({
  password: z.string().max(200).optional(),
  code: z.string().trim().max(20).optional(),
  passkey: FromBrowser.optional(),
})
export type Confirmation = z.infer<typeof Confirmation>

export const factors = {
  listFactors: endpoint({
    method: 'GET',
    path: '/v1/me/factors',
    may: 'session',
    beforeFactor: true,
    summary: 'Own second factors',
    reply: OwnFactors,
  }),
  beginTotp: endpoint({
    method: 'POST',
    path: '/v1/me/factors/totp',
    may: 'session',
    refusedInDemo: true,
    beforeFactor: true,
    confirmed: true,
    summary: 'A secret for an application that makes codes; it counts once a code of it was given',
    reply: NewTotp,
  }),
  confirmTotp: endpoint({
    method: 'POST',
    path: '/v1/me/factors/totp/confirm',
    may: 'session',
    refusedInDemo: true,
    beforeFactor: true,
    confirmed: true,
    summary: 'The first code of the application: from now on logging in asks for one',
    body: TotpConfirmation,
    reply: RecoveryCodes,
  }),
  beginPasskey: endpoint({
    method: 'POST',
    path: '/v1/me/factors/passkey',
    may: 'session',
    refusedInDemo: true,
    beforeFactor: true,
    confirmed: true,
    summary: 'What the browser is to make a passkey of',
    reply: PasskeyOptions,
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/v1/me/factors/passkey/confirm',
    may: 'session',
    refusedInDemo: true,
    beforeFactor: true,
    confirmed: true,
    summary: 'The passkey that the browser made',
    body: NewPasskey,
    reply: RecoveryCodes,
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/v1/me/recovery-codes',
    may: 'session',
    refusedInDemo: true,
    beforeFactor: true,
    confirmed: true,
    summary: 'New recovery codes; the ones before are worth nothing',
    reply: RecoveryCodes,
  }),
  removeFactor: endpoint({
    method: 'DELETE',
    path: '/v1/me/factors/:id',
    may: 'session',
    refusedInDemo: true,
    confirmed: true,
    summary: 'Remove one of the own second factors',
    params: ById,
    reply: Nothing,
  }),
  removeFactorsOf: endpoint({
    method: 'DELETE',
    path: '/v1/users/:id/factors',
    may: 'people.manage',
    refusedInDemo: true,
    confirmed: true,
    summary: 'Remove the second factors of somebody who lost them; their sessions end',
    params: ById,
    reply: Nothing,
  }),
  waysToConfirm: endpoint({
    method: 'POST',
    path: '/v1/me/confirm/ways',
    may: 'session',
    beforeFactor: true,
    summary: 'How this person can show that it is them',
    reply: WaysToConfirm,
  }),
  confirmOneself: endpoint({
    method: 'POST',
    path: '/v1/me/confirm',
    may: 'session',
    beforeFactor: true,
    summary: 'Show that it is them, for what is asked again; good for some minutes',
    body: Confirmation,
    reply: Nothing,
  }),
}
