import { z } from 'zod'
import { PERMISSION_NAMES, ROLE_NAMES } from './permissions.ts'
import { endpoint, Id, Nothing } from './wire.ts'

export const BAD_CREDENTIALS = 'El correo o la contraseña no son correctos.'

export const Membership = z.object({
  id: Id,
  name: z.string(),
  time_zone: z.string(),
  role: z.enum(ROLE_NAMES),
  /** The only workshop the person works in; null for a super-admin, who works in all. */
  workshop_id: Id.nullable(),
  workshop_name: z.string().nullable(),
})
export type Membership = z.infer<typeof Membership>

export const Me = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  companies: z.array(Membership),
  /** In the company of this call. */
  company_id: Id,
  role: z.enum(ROLE_NAMES),
  workshop_id: Id.nullable(),
  permissions: z.array(z.enum(PERMISSION_NAMES)),
})
export type Me = z.infer<typeof Me>

export const Credentials = z.object({
  email: z.string().trim().toLowerCase().min(1).max(200),
  password: z.string().min(1).max(200),
})

export const identity = {
  login: endpoint({
    method: 'POST',
    path: '/v1/login',
    may: 'public',
    summary: 'Open a session',
    body: Credentials,
    reply: z.object({ token: z.string(), user: Me }),
  }),
  logout: endpoint({
    method: 'POST',
    path: '/v1/logout',
    may: 'session',
    summary: 'Close the session of this token',
    reply: Nothing,
  }),
  me: endpoint({
    method: 'GET',
    path: '/v1/me',
    may: 'session',
    summary: 'Who is logged in, and what they may do in the company in use',
    reply: Me,
  }),
}
