import { z } from 'zod'
import { dayOf, instantOf } from './dates.ts'
import type { Permission } from './permissions.ts'
import { readings } from './readings.ts'
import './spanish.ts'

/* Endpoints: one declaration that the server binds, the browser calls and OpenAPI describes. */

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  method: Method
  /** Below /api; `:name` marks a parameter. */
  path: string
  /** `public`: nobody need be logged in. `session`: anyone who is. */
  may: Permission | 'public' | 'session'
  /** Open also to a session that still owes the second factor that its company asks for. */
  beforeFactor?: boolean
  /** Asked only of who showed a short while ago that it is them. */
  confirmed?: boolean
  /** Refused in a public demonstration: it would lock the next visitor out, or reach outside. */
  refusedInDemo?: boolean
  summary: string
  /** Name of the list on screen. The security log uses it when somebody takes the list away as a file. */
  title?: string
  params?: P
  query?: Q
  body?: B
  /** The largest JSON body, in bytes: `SHORT_BODY` unless it takes lists or images. */
  bodyLimit?: number
  /** The body comes as multipart/form-data: fields as text, files (`z.file()`) of at most this size each. */
  upload?: { maxBytes: number }
  /** Runs a few at a time, so that it holds up nobody else; left out, see `isHeavy`. */
  heavy?: boolean
  reply: R
  /** What clients may send along beside what the reply names; it is not looked at. */
  echoes?: z.ZodType[]
  /** 201 for what creates; otherwise 200, or 204 where the reply is `Nothing`. */
  status?: 200 | 201
}

export const endpoint = <
  R extends z.ZodType,
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
>(
  declared: Endpoint<P, Q, B, R>,
): Endpoint<P, Q, B, R> => declared

/** Sent with the first page of a list that the browser will write as a file: `export`. The server then logs it. */
export const PURPOSE_HEADER = 'x-purpose'
export const EXPORT = 'export'

export const SHORT_BODY = 64 * 1024
/** The limit of calls that take lists of lines or drawn images. */
export const LONG_BODY = 1024 * 1024

export const Nothing = z.undefined()

/**
 * A file as the server makes it. The transaction is over when it is made and sent: `content` is made of what is in
 * memory, or by steps of its own.
 */
export interface FileContent {
  name: string
  type: string
  content: Uint8Array | (() => Promise<Uint8Array | ReadableStream<Uint8Array>>)
  /** Of what is sent as it is read. */
  size?: number
  /** It holds nothing of the company: taking it away is nobody's concern. */
  blank?: boolean
}
/** A reply that is a file: the browser gets it as a `File`. */
export const Download = z.any() as unknown as z.ZodType<File, FileContent>

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const statusOf = (e: Endpoint): number => (e.reply === Nothing ? 204 : (e.status ?? 200))

/** What takes long: files that are made or taken in, and reports. */
export const isHeavy = (e: Endpoint): boolean =>
  e.heavy ?? (e.upload !== undefined || e.reply === Download || e.may.startsWith('reports.'))

/** What an edit of something that changed after it was read is told, with 409. */
export const STALE = 'Otra persona cambió estos datos mientras los editaba. Recargue para ver la última versión.'

export const FACTOR_NEEDED = 'Su empresa pide un segundo factor para entrar. Actívelo para continuar.'
export const REFUSED_IN_DEMO =
  'En la demostración pública esto no se puede cambiar, para que quien llegue después también pueda entrar.'
export const CONFIRM_FIRST = 'Confirme que es usted para continuar.'

/** What goes wrong, on the wire. Keys of `errors` are dotted field paths. */
export const Failure = z.object({
  message: z.string(),
  /** What to tell those who look into the log. */
  request_id: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  /** What is wrong in a file, cell by cell; `rows_total` where there is more than is listed. */
  rows: z.array(z.object({ row: z.number(), column: z.string(), value: z.string(), reason: z.string() })).optional(),
  rows_total: z.number().optional(),
  /** With 503: this call could not be served (lost database, full disk); left out under maintenance, which closes all. */
  unavailable: z.literal(true).optional(),
  /** It is asked again who this is: see `/v1/me/confirm`. */
  confirm: z.literal(true).optional(),
  /** What to ask the browser for, where a passkey of theirs would do. */
  passkey: z.record(z.string(), z.unknown()).optional(),
  /** What stands in the way, to go and look at. */
  see: z
    .object({ what: z.enum(['transaction', 'work_order']), id: z.number(), label: z.string(), path: z.string() })
    .optional(),
})
export type WrongCell = NonNullable<Failure['rows']>[number]
export type Failure = z.infer<typeof Failure>

/* Fields */

const MAX_ID = Number.MAX_SAFE_INTEGER
export const Id = z.number().int('Debe ser un número entero.').positive('Elija una opción.').max(MAX_ID)
/** An id in a path or a query, where everything is text. */
export const IdText = z.coerce
  .number('El identificador no es válido.')
  .int('El identificador no es válido.')
  .positive()
  .max(MAX_ID)
export const ById = z.object({ id: IdText })

const list = (value: unknown) =>
  value === undefined || value === ''
    ? undefined
    : (Array.isArray(value) ? value : String(value).split(',')).filter((part) => part !== '')

/** Several values: comma-separated, or the parameter repeated. */
export const IdList = z.preprocess(list, z.array(IdText).max(500).optional())
export const ListOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess(list, z.array(z.enum(values)).max(500).optional())

export const Text = (max: number) => z.string().trim().min(1).max(max)
/** Empty means nothing: the wire and the column hold null. */
export const OptionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((text) => text || null)
export const OptionalId = Id.nullish().transform((id) => id ?? null)

export const Search = z.string().trim().max(200).optional()

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/
/** A day of the calendar that exists, years 1900 to 2199. */
export const isDay = (text: string) =>
  DAY.test(text) && /^(19|20|21)/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text
const isMoment = (text: string) =>
  MOMENT.test(text) && isDay(text.slice(0, 10)) && /^([01]\d|2[0-3])(:[0-5]\d){2}$/.test(text.slice(11))
const BAD_DAY = 'La fecha no es válida.'
/** `2026-11-20`, or with a time, `2026-11-20 14:30:00`, as a clock of the company shows it. */
const LOCAL = /^(\d{4}-\d{2}-\d{2})(?:[ T](([01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?)?$/
const WITH_ZONE = /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/
/** The day of a moment in the company's zone. */
export function dayFrom(sent: unknown, zone: string): unknown {
  if (typeof sent !== 'string') return sent
  const [, day, time] = LOCAL.exec(sent) ?? []
  if (day) return time ? day : sent
  return WITH_ZONE.test(sent) && !Number.isNaN(Date.parse(sent)) ? dayOf(sent, zone) : sent
}
/** The moment that a clock of the company shows; a day is its beginning. */
export function instantFrom(sent: unknown, zone: string): unknown {
  const [, day, time = '00:00', , seconds = '00'] = (typeof sent === 'string' && LOCAL.exec(sent)) || []
  return day && isDay(day) ? instantOf(`${day}T${time}`, zone).replace(':00.000Z', `:${seconds}.000Z`) : sent
}
export const Day = z.string().refine(isDay, BAD_DAY).register(readings, { value: dayFrom })
/** A moment of such a day. */
export const Instant = z.iso
  .datetime({ offset: true })
  .refine((at) => isDay(new Date(at).toJSON()?.slice(0, 10) ?? ''), BAD_DAY)
  .register(readings, { value: instantFrom })

/** `from,to`, each a whole day or a moment, both of the company's time zone and both included. */
export const BetweenDate = z
  .preprocess((value) => (Array.isArray(value) ? value.join(',') : value || undefined), z.string().optional())
  .refine((text) => {
    if (text === undefined) return true
    const [from = '', to = '', ...rest] = text.split(',')
    return (
      rest.length === 0 &&
      [from, to].every((end) => isDay(end) || isMoment(end)) &&
      from.slice(0, 10) <= to.slice(0, 10)
    )
  }, 'El rango de fechas no es válido.')

/* Lists */

export const MAX_PER_PAGE = 500
/** As far as a bounded count goes. */
export const COUNTED = 1_000
const Page = z.coerce.number().int().min(1).max(1_000_000)

/** Query of a paged list, sortable by what its screen shows. */
export const listing = <const S extends readonly [string, ...string[]], F extends z.ZodRawShape>(
  sortable: S,
  filters: F = {} as F,
  perPage = 25,
) =>
  z.object({
    page: Page.default(1),
    per_page: z.coerce.number().int().min(1).max(MAX_PER_PAGE).default(perPage),
    sort: z
      .enum(sortable.flatMap((field) => [field, `-${field}`]) as [Sort<S[number]>, ...Sort<S[number]>[]])
      .optional(),
    /** `bounded`: counts no further than `COUNTED`, and says `at_least` where there are more. */
    count: z.enum(['exact', 'bounded']).optional(),
    filter: z.object(filters).default({} as never),
  })
type Sort<Field extends string> = Field | `-${Field}`

/** Query of a catalogue: everything at once, filtered. */
export const choosing = <F extends z.ZodRawShape>(filters: F) =>
  z.object({ filter: z.object(filters).default({} as never) })

/** What clients of the reports send with every call of theirs, whether it narrows anything there or not. */
export const SentByReports = z.object({
  filter: z.object({ BetweenDate: z.unknown(), WorkshopId: z.unknown(), Truck: z.unknown() }),
})

export const page = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    total: z.number(),
    /** There are more than `total`: only where the count was asked to be bounded. */
    at_least: z.literal(true).optional(),
    page: z.number(),
    per_page: z.number(),
  })
export const catalogue = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), total: z.number() })

/* Query strings and forms: `filter[Name]=value`, one level deep. */

type Value<V> = V | V[]
export type Nested<V> = Record<string, Value<V> | Record<string, Value<V>>>
export type Query = Nested<string>

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

export const parseQuery = (text: string): Query => nest(new URLSearchParams(text))

/** Named values as one object; a name that comes several times becomes a list. */
export function nest<V extends string | File>(entries: Iterable<[string, V]>): Nested<V> {
  const nested: Nested<V> = {}
  for (const [key, value] of entries) {
    const [, name = '', inner] = /^([^[\]]+)(?:\[([^[\]]*)\])?(?:\[\])?$/.exec(key) ?? []
    if (FORBIDDEN.has(name) || FORBIDDEN.has(inner ?? '') || FORBIDDEN.has(key) || key === '') continue
    if (!name) {
      // No name of ours: whoever reads it says so.
      add(nested as Record<string, Value<V>>, key, value)
      continue
    }
    if (!inner) {
      add(nested as Record<string, Value<V>>, name === 'perPage' ? 'per_page' : name, value)
      continue
    }
    const group = nested[name]
    if (typeof group === 'object' && !Array.isArray(group) && !(group instanceof File))
      add(group as Record<string, Value<V>>, inner, value)
    else nested[name] = { [inner]: value }
  }
  return nested
}

function add<V>(into: Record<string, Value<V>>, key: string, value: V) {
  const before = into[key]
  into[key] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]
}

/** The body of an upload as a form; the inverse of `nest`. */
export function formOf(body: object): FormData {
  const form = new FormData()
  const put = (key: string, value: unknown) => {
    if (value === undefined || value === null) return
    if (value instanceof File) form.append(key, value, value.name)
    else if (Array.isArray(value)) for (const one of value) put(key, one)
    else if (typeof value === 'object') for (const [inner, v] of Object.entries(value)) put(`${key}[${inner}]`, v)
    else form.append(key, String(value))
  }
  for (const [key, value] of Object.entries(body)) put(key, value)
  return form
}

/** The inverse of `parseQuery`; lists go comma-separated, what is empty is left out. */
export function formatQuery(query: object): string {
  const out: string[] = []
  const put = (key: string, value: unknown) => {
    if (value === undefined || value === null || value === '') return
    if (Array.isArray(value)) {
      if (value.length > 0) out.push(`${key}=${value.map((v) => encodeURIComponent(String(v))).join(',')}`)
    } else out.push(`${key}=${encodeURIComponent(String(value))}`)
  }
  for (const [key, value] of Object.entries(query)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [inner, v] of Object.entries(value)) put(`${key}[${inner}]`, v)
    else put(key, value)
  }
  return out.length > 0 ? `?${out.join('&')}` : ''
}

/** The path with its parameters filled in. */
export const pathOf = (e: { path: string }, params: object = {}) =>
  e.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String((params as Record<string, unknown>)[name])))
