import { z } from 'zod'
import { endpoint, Id, Nothing, Text } from '../base/wire.ts'
import { Session } from './identity.ts'

/* Coming in through the identity provider of the company (OpenID Connect). */

const Issuer = z
  .string()
  .trim()
  .max(300)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'Escriba una dirección https://.')

export const Provider = z.object({
  issuer: z.string(),
  client_id: z.string(),
  /** On the button people press. */
  label: z.string(),
})
export type Provider = z.infer<typeof Provider>
export const ProviderEdit = z.object({
  issuer: Issuer,
  client_id: Text(300),
  /** Left empty, the one before stays. */
  client_secret: z.string().trim().max(500).optional(),
  label: Text(60),
})
export type ProviderEdit = z.infer<typeof ProviderEdit>

const Going = z.object({ url: z.string() })
/** What the provider sent the browser back with: everything after the `?`. */
const Coming = z.object({ query: z.string().max(4000) })

export const OwnLink = z.object({
  /** null: the company has no provider. */
  label: z.string().nullable(),
  linked: z.boolean(),
})

/** Where the provider sends people back to. */
export const RETURN_PATH = '/entrar/vuelta'

export const oidc = {
  getProvider: endpoint({
    method: 'GET',
    path: '/v1/company/identity-provider',
    may: 'company.manage',
    summary: 'The identity provider of the company, without its secret; null where there is none',
    reply: z.object({ provider: Provider.nullable() }),
  }),
  setProvider: endpoint({
    method: 'POST',
    path: '/v1/company/identity-provider',
    may: 'company.manage',
    refusedInDemo: true,
    confirmed: true,
    summary: 'Name the identity provider of the company; another issuer ends the links that people made',
    body: ProviderEdit,
    reply: Provider,
  }),
  removeProvider: endpoint({
    method: 'DELETE',
    path: '/v1/company/identity-provider',
    may: 'company.manage',
    refusedInDemo: true,
    confirmed: true,
    summary: 'Forget the identity provider, and the links that people made with it',
    reply: Nothing,
  }),
  describeDoor: endpoint({
    method: 'POST',
    path: '/v1/oidc/door',
    may: 'public',
    summary: 'What the button says with which people of a company come in',
    body: z.object({ company_id: Id }),
    reply: z.object({ label: z.string() }),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/v1/oidc/begin',
    may: 'public',
    refusedInDemo: true,
    summary: 'Where to send the browser to come in through the provider of a company',
    body: z.object({ company_id: Id }),
    reply: Going,
  }),
  finish: endpoint({
    method: 'POST',
    path: '/v1/oidc/finish',
    may: 'public',
    refusedInDemo: true,
    summary: 'Open a session, good for that company only, with what the provider sent the browser back with',
    body: Coming,
    reply: Session,
  }),
  ownLink: endpoint({
    method: 'GET',
    path: '/v1/me/identity-provider',
    may: 'session',
    summary: 'Whether one can come in through the provider of this company',
    reply: OwnLink,
  }),
  beginLink: endpoint({
    method: 'POST',
    path: '/v1/me/identity-provider/begin',
    may: 'session',
    refusedInDemo: true,
    confirmed: true,
    summary: 'Where to send the browser to link oneself to an account of the provider',
    reply: Going,
  }),
  finishLink: endpoint({
    method: 'POST',
    path: '/v1/me/identity-provider/finish',
    may: 'session',
    refusedInDemo: true,
    summary: 'Link oneself to the account that the provider sent the browser back with',
    body: Coming,
    reply: Nothing,
  }),
  removeLink: endpoint({
    method: 'DELETE',
    path: '/v1/me/identity-provider',
    may: 'session',
    refusedInDemo: true,
    confirmed: true,
    summary: 'No longer come in through the provider',
    reply: Nothing,
  }),
}
