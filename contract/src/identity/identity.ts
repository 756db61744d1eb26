import { z } from 'zod'
import { PERMISSION_NAMES, ROLE_NAMES } from '../base/permissions.ts'
import { OptionalDni } from '../base/rut.ts'
import {
  ById,
  catalogue,
  endpoint,
  Id,
  IdList,
  Instant,
  ListOf,
  listing,
  Nothing,
  OptionalId,
  OptionalText,
  page,
  Search,
  Text,
} from '../base/wire.ts'

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
  /** Who they are among the specialists of this company, for whom works are theirs. */
  specialist_id: Id.nullable(),
  permissions: z.array(z.enum(PERMISSION_NAMES)),
  /** The company asks a second factor of their role: nothing else opens until this session has shown one. */
  needs_factor: z.boolean(),
})
export type Me = z.infer<typeof Me>

/** The second factor of those who have one: a code, or what the browser gave for the passkey that a refusal asked for. */
const Second = {
  code: z.string().trim().max(20).optional(),
  passkey: z.record(z.string(), z.unknown()).optional(),
}

export const Credentials = z.object({
  email: z.string().trim().toLowerCase().min(1).max(200),
  password: z.string().min(1).max(200),
  /** What an earlier session gave this browser: whatever others guess at the account, it can still try. */
  device: z.string().max(100).optional(),
  ...Second,
})

export const Session = z.object({ token: z.string(), user: Me, device: z.string() })

/* People of the company */

/** `enters`: has accepted and may come in; `link`: what a new link is for, and none for those who may not. */
export const USER_STATES = {
  active: { label: 'Activo', tone: 'success', enters: true, link: 'reset' },
  invited: { label: 'Invitado', tone: 'info', enters: false, link: 'invitation' },
  inactive: { label: 'Inactivo', tone: 'slate', enters: false, link: null },
} as const
export type UserState = keyof typeof USER_STATES
const STATE_NAMES = Object.keys(USER_STATES) as [UserState, ...UserState[]]

export const User = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLE_NAMES),
  workshop_id: Id.nullable(),
  workshop_name: z.string().nullable(),
  /** Who they are among the specialists, for whom works are theirs. */
  specialist_id: Id.nullable(),
  state: z.enum(STATE_NAMES),
  last_seen_at: Instant.nullable(),
  /** They come in with more than a password. */
  has_factor: z.boolean(),
  updated_at: Instant,
})
export type User = z.infer<typeof User>
/** What everybody knows of the people they work with; the rest is for those who manage people. */
export const Colleague = User.partial().required({ id: true, name: true })
export type Colleague = z.infer<typeof Colleague>

export const Email = z.string().trim().toLowerCase().max(200).pipe(z.email('Escriba un correo válido.'))

const place = {
  role: z.enum(ROLE_NAMES, 'Elija un rol de la lista.'),
  /** None for a super-admin, who works in all. */
  workshop_id: OptionalId,
  specialist_id: OptionalId,
}
export const NewUser = z.object({ name: Text(120), email: Email, ...place })
export type NewUser = z.infer<typeof NewUser>
export const UserEdit = z.object({
  ...place,
  state: z.enum(['active', 'inactive']).default('active'),
  updated_at: Instant.optional(),
})
export type UserEdit = z.infer<typeof UserEdit>

export const UserList = listing(['name', 'email', 'role', 'workshop_name', 'state', 'last_seen_at'], {
  Search,
  WorkshopId: IdList,
  Role: ListOf(ROLE_NAMES),
  State: ListOf(STATE_NAMES),
})
export type UserList = z.infer<typeof UserList>

/** Opens `/invitacion/{token}` once; only its hash is kept. */
export const OneTimeLink = z.object({
  /** Only where no mail server is set up, once, to a super-admin, who hands it over. */
  token: z.string().nullable(),
  expires_at: Instant,
  /** It is on its way to them; not where no mail server is set up. */
  mailed: z.boolean(),
})
export type OneTimeLink = z.infer<typeof OneTimeLink>

export const OpenSession = z.object({
  id: Id,
  created_at: Instant,
  last_seen_at: Instant,
  agent: z.string(),
  address: z.string(),
  /** The one of this call. */
  current: z.boolean(),
})
export type OpenSession = z.infer<typeof OpenSession>

export const PASSWORD_LEAST = 10
export const PASSWORD_RULE = `Al menos ${PASSWORD_LEAST} caracteres; no una de las más usadas, ni su correo o el nombre de la empresa.`
export const NewPassword = z
  .string()
  .min(PASSWORD_LEAST, `La contraseña debe tener al menos ${PASSWORD_LEAST} caracteres.`)
  .max(200)

const Token = z.string().min(1).max(100)
export const LinkHolder = z.object({ token: Token })
/** What a one-time link is for. */
export const LinkPurpose = z.object({
  kind: z.enum(['invitation', 'reset']),
  name: z.string(),
  email: z.string(),
  company_name: z.string(),
})
export type LinkPurpose = z.infer<typeof LinkPurpose>
export const LinkUse = z.object({ token: Token, password: z.string().min(1).max(200), ...Second })

export const ProfileEdit = z.object({ name: Text(120) })
export const PasswordChange = z.object({
  current_password: z.string().min(1).max(200),
  password: NewPassword,
  /** Ends the API keys of the person too, in every company; left out, they stay. */
  end_api_tokens: z.boolean().default(false),
})

export type PasswordChange = z.infer<typeof PasswordChange>

/** The person's own, in this company; kept on the server, so that they survive a change of browser. */
export const Preferences = z.object({
  theme: z.enum(['dark', 'light', 'auto']).default('dark'),
  density: z.enum(['normal', 'compact']).default('normal'),
  default_workshop_id: OptionalId,
  notifications: z.boolean().default(true),
  /** Put away from the start of a company that has hardly begun. */
  first_steps_hidden: z.boolean().default(false),
  /** Reports that come by mail every Monday, of one workshop or of all the person sees. */
  monday_reports: z
    .array(z.object({ report: z.string().max(60), workshop_id: OptionalId }))
    .max(20)
    .default([]),
  board_filters: z
    .record(z.string().max(60), z.unknown())
    .refine((filters) => JSON.stringify(filters).length <= 4000, 'Los filtros son demasiado largos.')
    .default({}),
})
export type Preferences = z.infer<typeof Preferences>

/** The first company of an empty house, and who runs it. The code is in the log of the server. */
export const SetUp = z.object({
  code: z
    .string()
    .trim()
    .toUpperCase()
    .min(1)
    .max(40)
    .transform((code) => code.replace(/[^A-Z0-9]/g, '')),
  company_name: Text(120),
  company_dni: OptionalDni,
  workshop_name: Text(80),
  workshop_address: OptionalText(200),
  name: Text(120),
  email: Email,
  password: NewPassword,
})
export type SetUp = z.infer<typeof SetUp>
/** `again`: the demonstration as it was at first; `leave`: an empty house, for a company of one's own. */
export const DemoLeaving = z.object({ how: z.enum(['again', 'leave']) })
export type DemoLeaving = z.infer<typeof DemoLeaving>
export const DemoEntries = catalogue(z.object({ role: z.enum(ROLE_NAMES), name: z.string() })).extend({
  /** It begins anew every so many hours; `null`: it does not. */
  reset_hours: z.number().nullable(),
})
export type DemoEntries = z.infer<typeof DemoEntries>
export const BAD_CODE = 'El código no es el que muestra el registro del servidor.'

export const LINK_GONE = 'El enlace ya se usó o venció. Pida uno nuevo a quien se lo envió.'

export const identity = {
  needsSetUp: endpoint({
    method: 'GET',
    path: '/v1/setup',
    may: 'public',
    summary: 'Whether there is no company yet',
    reply: z.object({ needed: z.boolean() }),
  }),
  setUp: endpoint({
    method: 'POST',
    path: '/v1/setup',
    may: 'public',
    summary: 'Make the first company, its first workshop and its super-admin; works once, with the code from the log',
    body: SetUp,
    reply: Session,
    status: 201,
  }),
  demoEntries: endpoint({
    method: 'GET',
    path: '/v1/demo',
    may: 'public',
    summary: 'People of a public demonstration, one per role, whom anybody may enter as; none elsewhere',
    reply: DemoEntries,
  }),
  enterDemo: endpoint({
    method: 'POST',
    path: '/v1/demo/entry',
    may: 'public',
    summary: 'Open a session in a public demonstration, without a password; 404 elsewhere',
    body: z.object({ role: z.enum(ROLE_NAMES, 'Elija un rol de la lista.') }),
    reply: Session,
  }),
  leaveDemo: endpoint({
    method: 'POST',
    path: '/v1/demo',
    may: 'company.manage',
    refusedInDemo: true,
    summary: 'Start the demonstration anew, or leave it for a company of one’s own; only where there is nothing else',
    body: DemoLeaving,
    /** With what the house is set up afterwards. */
    reply: z.object({ code: z.string().nullable() }),
  }),
  login: endpoint({
    method: 'POST',
    path: '/v1/login',
    may: 'public',
    summary: 'Open a session',
    body: Credentials,
    reply: Session,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/v1/logout',
    may: 'session',
    beforeFactor: true,
    summary: 'Close the session of this token',
    reply: Nothing,
  }),
  me: endpoint({
    method: 'GET',
    path: '/v1/me',
    may: 'session',
    beforeFactor: true,
    summary: 'Who is logged in, and what they may do in the company in use',
    reply: Me,
  }),
  updateProfile: endpoint({
    method: 'PUT',
    path: '/v1/me',
    may: 'session',
    summary: 'Change the own name',
    body: ProfileEdit,
    reply: Me,
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/v1/me/password',
    may: 'session',
    refusedInDemo: true,
    summary: 'Change the own password; every other session of the person ends',
    body: PasswordChange,
    reply: Nothing,
  }),
  listUsers: endpoint({
    method: 'GET',
    path: '/v1/users',
    title: 'Usuarios',
    may: 'session',
    summary: 'People of the workshops the person may see; only their names, without `people.manage`',
    query: UserList,
    reply: page(Colleague),
  }),
  createUser: endpoint({
    method: 'POST',
    path: '/v1/users',
    may: 'people.manage',
    refusedInDemo: true,
    confirmed: true,
    summary: 'Invite somebody, who enters with the one-time link asked for after this',
    body: NewUser,
    reply: User,
    status: 201,
  }),
  getUser: endpoint({
    method: 'GET',
    path: '/v1/users/:id',
    may: 'people.manage',
    summary: 'One person',
    params: ById,
    reply: User,
  }),
  updateUser: endpoint({
    method: 'PUT',
    path: '/v1/users/:id',
    may: 'people.manage',
    refusedInDemo: true,
    confirmed: true,
    summary: 'Change the role or workshop of somebody, or end their access',
    params: ById,
    body: UserEdit,
    reply: User,
  }),
  createLink: endpoint({
    method: 'POST',
    path: '/v1/users/:id/link',
    may: 'people.manage',
    refusedInDemo: true,
    confirmed: true,
    summary: 'A new one-time link: the invitation, or a reset of the password, mailed to them',
    params: ById,
    body: z.object({ mail: z.boolean().optional() }),
    // Not 201: an answer that is kept to be given again would keep the secret with it.
    reply: OneTimeLink,
  }),
  readLink: endpoint({
    method: 'POST',
    path: '/v1/links/read',
    may: 'public',
    summary: 'What a one-time link is for; one that is gone answers 404',
    body: LinkHolder,
    reply: LinkPurpose,
  }),
  useLink: endpoint({
    method: 'POST',
    path: '/v1/links/use',
    may: 'public',
    refusedInDemo: true,
    summary: 'Accept an invitation or choose a new password, and open a session',
    body: LinkUse,
    reply: Session,
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/v1/users/:id/sessions',
    may: 'session',
    summary: 'Open sessions of oneself, or of somebody one manages',
    params: ById,
    reply: catalogue(OpenSession),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/v1/sessions/:id',
    may: 'session',
    refusedInDemo: true,
    summary: 'End a session of oneself, or of somebody one manages',
    params: ById,
    reply: Nothing,
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/v1/sessions',
    may: 'session',
    refusedInDemo: true,
    summary: 'End every session of oneself but the one of this call; other browsers are strangers again',
    query: z.object({ end_api_tokens: z.enum(['true', 'false']).default('false') }),
    reply: Nothing,
  }),
  ownPreferences: endpoint({
    method: 'GET',
    path: '/v1/preferences',
    may: 'session',
    summary: 'Own preferences',
    reply: Preferences,
  }),
  preferencesOf: endpoint({
    method: 'GET',
    path: '/v1/preferences/:id',
    may: 'session',
    summary: 'Preferences of oneself, or of somebody one manages',
    params: ById,
    reply: Preferences,
  }),
  updatePreferences: endpoint({
    method: 'PUT',
    path: '/v1/preferences',
    may: 'session',
    summary: 'Replace the own preferences',
    body: Preferences,
    reply: Preferences,
  }),
}
