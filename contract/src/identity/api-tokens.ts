import { z } from 'zod'
import { PERMISSION_NAMES } from '../base/permissions.ts'
import { ById, catalogue, endpoint, Id, Instant, Nothing, Text } from '../base/wire.ts'

/* Keys for people's own programs. */

/** What every such key begins with, so that who finds one knows what it is. */
export const API_TOKEN_PREFIX = 'mzt_'
export const API_TOKEN_DAYS = 365

export const ApiToken = z.object({
  id: Id,
  name: z.string(),
  /** Whose program it is. */
  user_id: Id,
  user_name: z.string(),
  permissions: z.array(z.enum(PERMISSION_NAMES)),
  created_at: Instant,
  expires_at: Instant,
  last_used_at: Instant.nullable(),
  last_address: z.string().nullable(),
})
export type ApiToken = z.infer<typeof ApiToken>

export const NewApiToken = z.object({
  name: Text(60),
  permissions: z.array(z.enum(PERMISSION_NAMES)).min(1, 'Elija al menos un permiso.').max(100),
  days: z
    .number('Ingrese un número.')
    .int('Debe ser un número entero.')
    .min(1, 'Debe ser al menos 1 día.')
    .max(API_TOKEN_DAYS, `Debe ser a lo más ${API_TOKEN_DAYS} días.`),
})
export type NewApiToken = z.infer<typeof NewApiToken>

export const apiTokens = {
  listApiTokens: endpoint({
    method: 'GET',
    path: '/v1/api-tokens',
    may: 'session',
    summary: 'Own keys for programs in this company; those of everyone, for who manages the company',
    reply: catalogue(ApiToken),
  }),
  createApiToken: endpoint({
    method: 'POST',
    path: '/v1/api-tokens',
    may: 'session',
    confirmed: true,
    summary: 'A key for a program, that opens some of what the person may do; it is shown once',
    body: NewApiToken,
    // Not 201: an answer that is kept to be given again would keep the secret with it.
    reply: z.object({ token: z.string() }),
  }),
  deleteApiToken: endpoint({
    method: 'DELETE',
    path: '/v1/api-tokens/:id',
    may: 'session',
    summary: 'A key opens nothing any more: an own one, or anybody’s for who manages the company',
    params: ById,
    reply: Nothing,
  }),
}
