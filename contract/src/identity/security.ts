import { z } from 'zod'
import { BetweenDate, endpoint, Id, IdList, Instant, ListOf, listing, Nothing, page, Search } from '../base/wire.ts'

/** What the log of security keeps. */
export const SECURITY_EVENTS = {
  login: { label: 'Ingreso', tone: 'success' },
  new_device: { label: 'Ingreso desde un equipo nuevo', tone: 'info' },
  login_failed: { label: 'Ingreso fallido', tone: 'danger' },
  sessions_ended: { label: 'Sesiones cerradas', tone: 'slate' },
  password: { label: 'Contraseña cambiada', tone: 'warning' },
  factor: { label: 'Segundo factor', tone: 'warning' },
  link: { label: 'Enlace de un solo uso', tone: 'warning' },
  role: { label: 'Rol o acceso', tone: 'warning' },
  rules: { label: 'Reglas de acceso', tone: 'warning' },
  token: { label: 'Clave de API', tone: 'warning' },
  export: { label: 'Descarga de datos', tone: 'info' },
  backup: { label: 'Respaldo', tone: 'info' },
} as const
export type SecurityEventKind = keyof typeof SECURITY_EVENTS
const KINDS = Object.keys(SECURITY_EVENTS) as [SecurityEventKind, ...SecurityEventKind[]]

export const SecurityEvent = z.object({
  id: Id,
  at: Instant,
  kind: z.enum(KINDS),
  /** Whom it is about. */
  user_name: z.string(),
  /** Who did it, where that is somebody else. */
  by_name: z.string().nullable(),
  detail: z.string().nullable(),
  address: z.string().nullable(),
  agent: z.string().nullable(),
})
export type SecurityEvent = z.infer<typeof SecurityEvent>

export const SecurityEventList = listing(['at', 'kind', 'user_name', 'address'], {
  Search,
  WorkshopId: IdList,
  Kind: ListOf(KINDS),
  BetweenDate,
})
export type SecurityEventList = z.infer<typeof SecurityEventList>

export const Export = z.object({
  title: z.string().trim().min(1, 'Diga qué se descarga.').max(100, 'Use hasta 100 caracteres.'),
  rows: z.number().int().min(0),
})
export type Export = z.infer<typeof Export>

export const security = {
  noteExport: endpoint({
    method: 'POST',
    path: '/v1/exports',
    may: 'session',
    summary:
      'Does nothing; kept for older clients. The server logs an export when a list is read with `X-Purpose: export`',
    body: Export,
    reply: Nothing,
  }),
  listEvents: endpoint({
    method: 'GET',
    path: '/v1/security-events',
    title: 'Registro de seguridad',
    may: 'security.read',
    summary: 'Who came in, who failed to, and what was changed of who may; newest first',
    query: SecurityEventList,
    reply: page(SecurityEvent),
  }),
}
