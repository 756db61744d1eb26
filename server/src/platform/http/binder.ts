import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import type { z } from 'zod'
import { DEFAULT_ZONE } from '#contract/base/dates.ts'
import {
  CONFIRM_FIRST,
  Download,
  type Endpoint,
  EXPORT,
  FACTOR_NEEDED,
  type FileContent,
  isHeavy,
  PURPOSE_HEADER,
  REFUSED_IN_DEMO,
  SHORT_BODY,
  statusOf,
  XLSX,
} from '#contract/base/wire.ts'
import {
  type ConstraintMessages,
  DATABASE_UNAVAILABLE,
  type Database,
  type Db,
  fromDatabase,
  isUnavailable,
} from '../database/db.ts'
import { Limiter, POLICIES } from '../limiter.ts'
import type { Actor } from '../operations/actor.ts'
import type { Files } from '../outside/store.ts'
import { fromZod, invalid, NOT_FOUND, noNul, notFound, Problem, unavailable } from '../problems.ts'
import { type Manner as Coercion, coerce, coerceQuery } from './coerce.ts'
import {
  costsAsked,
  entityOf,
  filledIn,
  fillThings,
  lacksThings,
  nameCosts,
  tooLongList,
  unknownFields,
  unknownQuery,
  withoutCosts,
} from './fields.ts'
import { once } from './idempotency.ts'
import { readForm } from './multipart.ts'
import { wrongFields } from './wrong-fields.ts'

type Parsed<S> = NonNullable<S> extends z.ZodType<infer Output> ? Output : undefined

declare module '../database/context.ts' {
  interface AppContext {
    /** Set where the demonstration is open to strangers; it starts anew every so many hours. */
    publicDemo?: { resetHours: number | null } | undefined
  }
}

export interface Call<E extends Endpoint> {
  db: Db
  actor: Actor
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
  caller: { address: string; agent: string }
  /** Where photos and documents are kept, before the transaction that names them. */
  files: Files
}
/** A call by someone who is not logged in; only login and its like. */
export type PublicCall<E extends Endpoint> = Omit<Call<E>, 'actor'>
/** A call that takes longer than a transaction should: each step is one of its own. */
export interface CallInSteps<E extends Endpoint> extends Omit<Call<E>, 'db'> {
  step<T>(work: (db: Db) => Promise<T>): Promise<T>
}
/** The same of someone who is not logged in. */
export type PublicCallInSteps<E extends Endpoint> = Omit<PublicCall<E>, 'db'> & Pick<CallInSteps<E>, 'step'>
type Reply<E extends Endpoint> = z.input<E['reply']>

/** The thing that a call edits, as it stands, held until the end of the transaction; `sent` is what came. */
type Current<E extends Endpoint> = (call: Omit<Call<E>, 'body'> & { sent: object }) => Promise<object>

export interface Bind {
  /** `current`: the call edits it, and where it does not say when that was read, what it leaves out stays as it is. */
  <E extends Endpoint>(endpoint: E, handle: (call: Call<E>) => Promise<Reply<E>>, current?: Current<E>): void
  public<E extends Endpoint>(endpoint: E, handle: (call: PublicCall<E>) => Promise<Reply<E>>): void
  inSteps<E extends Endpoint>(endpoint: E, handle: (call: CallInSteps<E>) => Promise<Reply<E>>): void
  publicInSteps<E extends Endpoint>(endpoint: E, handle: (call: PublicCallInSteps<E>) => Promise<Reply<E>>): void
  /** What takes long and needs no connection is done first; the operation gets what it made. */
  after<E extends Endpoint, Made>(
    prepare: (call: Omit<Call<E>, 'db'> & { sent: unknown }) => Promise<Made>,
    endpoint: E,
    handle: (call: Call<E> & { made: Made }) => Promise<Reply<E>>,
    /** Refuses before anything is made or kept, in a transaction of its own; the operation looks again. */
    check?: (call: Omit<Call<E>, 'files'>) => Promise<unknown>,
    /** As of any edit: the body is read once this is known, so that `prepare` has only what was `sent`. */
    current?: Current<E>,
  ): void
}

export type Authenticate = (request: FastifyRequest) => Promise<Actor>

export interface Binder {
  bind: Bind
  /** Endpoints bound so far. */
  bound: Set<Endpoint>
  heavyQueue: Limiter
  /** Those that edit a thing. */
  edits: Set<Endpoint>
}

/** Bytes of a file that a visitor of a public demonstration may send; elsewhere each endpoint says its own limit. */
const MAX_DEMO_UPLOAD = 5_000_000

type AnyCall = Call<Endpoint> & PublicCall<Endpoint> & CallInSteps<Endpoint> & { made: unknown; sent: unknown }
interface Manner {
  current?: Current<Endpoint> | undefined
  inSteps?: boolean
  prepare?: (call: AnyCall) => Promise<unknown>
  check?: ((call: AnyCall) => Promise<unknown>) | undefined
}
type Handle = (call: AnyCall) => Promise<unknown>

/** The life of a request: session, permission, arguments, transaction, operation, reply. */
export function createBinder(
  app: FastifyInstance,
  house: {
    database: Database
    authenticate: Authenticate
    messages: ConstraintMessages
    checkReplies: boolean
    /** Throws while nothing may be written. */
    requireOpen?: () => void
    /** Logs that somebody takes a table away as a file, before the answer leaves. */
    logExport?: (actor: Actor, name: string) => Promise<void>
  },
): Binder {
  const bound = new Set<Endpoint>()
  const edits = new Set<Endpoint>()
  const heavyQueue = new Limiter(POLICIES.heavy)
  const strangerLimiter = new Limiter(POLICIES.strangers)
  const callers = new Callers(house.authenticate)
  const limitedWrite = limitWrites(house.database)
  /** How many files each person is still taking. */
  const taking = new Map<number, number>()

  function register(endpoint: Endpoint, handle: Handle, { current, inSteps, prepare, check }: Manner) {
    bound.add(endpoint)
    if (current) edits.add(endpoint)
    const { database, messages } = house
    const heavy = isHeavy(endpoint)
    const open: Database['write'] = (company, work) => {
      if (endpoint.method === 'GET') return database.read(company, work)
      house.requireOpen?.()
      return heavy ? database.write(company, work) : limitedWrite(company, work)
    }
    const status = statusOf(endpoint)
    const isFile = endpoint.reply === Download
    const costly = nameCosts([endpoint.reply])

    app.route({
      method: endpoint.method,
      url: `/api${endpoint.path}`,
      bodyLimit: endpoint.bodyLimit ?? SHORT_BODY,
      // The caller is known before the body is read, so that strangers cannot make the server parse anything large.
      onRequest: (request) => callers.identify(endpoint, request),
      handler: async (request, reply) => {
        const endings: (() => unknown)[] = []
        let leave: (() => void) | undefined
        let kept: ReturnType<Files['ofCall']> | undefined
        try {
          const actor = callers.of(request)
          const isPublicDemo = database.context.publicDemo !== undefined
          if (isPublicDemo && endpoint.refusedInDemo) throw new Problem(403, REFUSED_IN_DEMO)
          // A heavy call has its own way of waiting.
          if (!actor) leave = await strangerLimiter.enter(`${request.ip} ${endpoint.path}`)
          else if (!heavy) leave = await callers.limiter.enter(request.headers.authorization)
          const coercion = { zone: actor?.time_zone ?? DEFAULT_ZONE, isEdit: current !== undefined }
          const maxBytes = isPublicDemo ? MAX_DEMO_UPLOAD : Number.POSITIVE_INFINITY
          const { sent, ...args } = await parseArguments(endpoint, request, endings, { ...coercion, maxBytes })
          if (costly && actor && !actor.may.has('costs.read')) refuseCosts(args.query, endpoint)
          // A call that says when it was read sends the whole; one that does not, only what is to change.
          const isWhole = typeof sent === 'object' && sent !== null && 'updated_at' in sent
          const fills = current && (!isWhole || lacksThings(sent, [endpoint.body!])) ? current : undefined
          const fill = isWhole ? fillThings : filledIn
          const whole = fills ? undefined : parseBody(endpoint, sent)
          // What is sent has arrived: nobody holds a turn with a slow line.
          if (isFile && actor && taking.get(actor.user_id)! >= MAX_TAKING) throw tooManyFiles()
          if (heavy && actor) endings.push(await heavyQueue.enter(actor.user_id, actor.company_id))
          const company = actor?.company_id ?? null
          const caller = { address: request.ip, agent: request.headers['user-agent'] ?? '' }
          kept = database.context.files?.ofCall()
          const files: Files | undefined = kept
          if (check) await open(company, (db) => check({ db, actor, caller, ...args, body: whole } as AnyCall))
          const made = await prepare?.({ actor, caller, files, ...args, body: whole, sent } as AnyCall)
          let exported: string | undefined
          const answerOf = async (call: { db?: Db; step?: unknown }) => {
            const asked = { actor, caller, files, made, ...args, ...call } as AnyCall
            const body = fills
              ? parseBody(endpoint, fill(sent, await fills({ ...asked, sent: sent as object }), [endpoint.body!]))
              : whole
            const told = await handle({ ...asked, body } as AnyCall)
            const result =
              !costly || !actor || actor.may.has('costs.read') ? told : withoutCosts(told, [endpoint.reply])
            if (isFile) return { status, reply: result as FileContent }
            if (request.headers[PURPOSE_HEADER] === EXPORT) exported = exportName(endpoint, result)
            const json = toJson(result, house.checkReplies ? endpoint.reply : undefined)
            return { status, reply: status === 204 ? '' : json }
          }
          const key = status === 201 ? request.headers['idempotency-key'] : undefined
          const answer = inSteps
            ? await answerOf({ step: (work: (db: Db) => Promise<unknown>) => open(company, work) })
            : await open(company, async (db) => {
                if (typeof key !== 'string' || !actor || isFile) return answerOf({ db })
                const work = answerOf.bind(undefined, { db }) as () => Promise<{ status: number; reply: string }>
                return once(db, actor, { key, request: `${request.url} ${JSON.stringify(request.body)}` }, work)
              })
          if (exported && actor) await house.logExport?.(actor, exported)
          reply.code(answer.status)
          if (typeof answer.reply !== 'string') {
            if (actor && answer.reply.type === XLSX && !answer.reply.blank)
              await house.logExport?.(actor, answer.reply.name)
            const made = await contentOf(answer.reply)
            if (actor) count(taking, actor.user_id, reply)
            return sendFile(reply, answer.reply, made)
          }
          return status === 204 ? reply.send() : reply.type('application/json; charset=utf-8').send(answer.reply)
        } catch (error) {
          const problem = problemOf(error, messages)
          if (!problem) throw error
          if (problem.status >= 500) logFailure(request, problem, error)
          // After anything else it may be that the transaction ended well: the sweep finds those.
          else await kept?.discard().catch((failure: unknown) => request.log.error(failure))
          return sendProblem(reply, problem)
        } finally {
          leave?.()
          for (const end of endings) await end()
        }
      },
    })
  }

  return { bind: bindWith(register), bound, edits, heavyQueue }
}

/** The ways to bind an endpoint, each a manner of registering it. */
function bindWith(register: (endpoint: Endpoint, handle: Handle, manner: Manner) => void): Bind {
  const plain = (what: Endpoint, handle: Handle, current?: Current<Endpoint>) => register(what, handle, { current })
  const bind = plain as unknown as Bind
  bind.public = plain as unknown as Bind['public']
  bind.inSteps = (endpoint, handle) => register(endpoint, handle as unknown as Handle, { inSteps: true })
  bind.publicInSteps = bind.inSteps as unknown as Bind['publicInSteps']
  bind.after = (prepare, endpoint, handle, check, current) =>
    register(endpoint, handle as unknown as Handle, {
      prepare: prepare as unknown as Handle,
      check: check as unknown as Handle | undefined,
      current: current as unknown as Current<Endpoint> | undefined,
    })
  return bind
}

/** Authenticates each request before its body is read and remembers the caller for its handler. */
class Callers {
  readonly #authenticate: Authenticate
  readonly limiter = new Limiter(POLICIES.callers)
  readonly #actors = new WeakMap<FastifyRequest, Actor>()

  constructor(authenticate: Authenticate) {
    this.#authenticate = authenticate
  }

  async identify(endpoint: Endpoint, request: FastifyRequest) {
    if (endpoint.may === 'public') return
    const leave = await this.limiter.enter(request.headers.authorization)
    try {
      const actor = await this.#authenticate(request)
      requireEntry(actor, endpoint)
      this.#actors.set(request, actor)
    } finally {
      leave()
    }
  }

  of = (request: FastifyRequest) => this.#actors.get(request)
}

/** A reply as it leaves, checked against its schema if one is given. `JSON.stringify(undefined)` is `undefined`. */
function toJson(reply: unknown, schema: z.ZodType | undefined): string {
  const json = JSON.stringify(reply)
  schema?.parse(json && (JSON.parse(json) ?? undefined))
  return json
}

/** How the security log calls a list that leaves as a file, and how many rows it has; undefined for what is no list. */
function exportName({ method, title, path }: Endpoint, reply: unknown): string | undefined {
  if (method !== 'GET' || typeof reply !== 'object' || !reply || !('total' in reply)) return undefined
  const rows = Number(reply.total)
  return `${title ?? path}: ${rows} ${rows === 1 ? 'fila' : 'filas'}`
}

const limitWrites = (database: Database): Database['write'] => {
  const limiter = new Limiter(POLICIES.writes)
  return async (company, work) => {
    const leave = company === null ? undefined : await limiter.enter(company)
    return database.write(company, work).finally(leave)
  }
}

/** What a person changes for themself that is of one company only. */
const OF_THE_COMPANY = ['/v1/logout', '/v1/preferences', '/v1/exports']

function requireEntry(actor: Actor, { method, path, may, beforeFactor = false, confirmed = false }: Endpoint) {
  if (actor.locked && !beforeFactor) throw new Problem(403, FACTOR_NEEDED)
  requirePermission(actor, may)
  if (actor.limited && may === 'session' && method !== 'GET' && !OF_THE_COMPANY.includes(path))
    throw new Problem(403, 'Entre con su contraseña para cambiar su cuenta.')
  if (confirmed && !actor.confirmed && actor.limited) throw new Problem(403, 'Vuelva a entrar para hacer esto.')
  if (confirmed && !actor.confirmed) throw new Problem(403, CONFIRM_FIRST, { confirm: true })
}

export function requirePermission(actor: Actor, may: Endpoint['may']) {
  if (may !== 'public' && may !== 'session' && !actor.may.has(may))
    throw new Problem(403, 'Su rol no permite hacer esto.')
}

async function parseArguments(
  endpoint: Endpoint,
  request: FastifyRequest,
  endings: (() => unknown)[],
  { maxBytes, ...coercion }: Coercion & { maxBytes: number },
) {
  const params = endpoint.params?.safeParse(request.params)
  if (params?.error) throw notFound()
  const asked = coerceQuery(request.query, endpoint.query, coercion)
  const unasked = unknownQuery(asked, endpoint)
  if (unasked.length > 0) throw notKnown(unasked)
  const query = endpoint.query?.safeParse(asked)
  if (query?.error) throw fromZod(query.error)
  let sent: unknown = request.body ?? {}
  if (endpoint.upload) {
    const { form, done } = await readForm(request, Math.min(endpoint.upload.maxBytes, maxBytes))
    endings.push(done)
    sent = form
  }
  if (endpoint.body) {
    if (!endpoint.upload) sent = coerce(sent, [endpoint.body], coercion)
    const long = tooLongList(sent, [endpoint.body])
    if (long) throw invalid({ [long.path]: `Elija como máximo ${long.longest}.` })
    const unknown = unknownFields(sent, [endpoint.body], [...entityOf(endpoint.reply), ...(endpoint.echoes ?? [])])
    if (unknown.length > 0) throw notKnown(unknown, wrongOf(endpoint.body, sent, coercion.isEdit))
  }
  return { params: params?.data, query: query?.data, sent }
}

/** Errors to list beside unknown names. For an edit only those in the fields that it carries. */
function wrongOf(body: z.ZodType, sent: unknown, isEdit = false): Record<string, string[]> {
  const { error } = body.safeParse(sent)
  const issues = error ? wrongFields(body, sent, error) : []
  const isSent = (name: PropertyKey | undefined) =>
    name !== undefined && typeof sent === 'object' && sent !== null && Object.hasOwn(sent, name)
  return fromZod({ issues: isEdit ? issues.filter(({ path }) => isSent(path[0])) : issues }).errors ?? {}
}

function parseBody(endpoint: Endpoint, sent: unknown) {
  const body = endpoint.body?.safeParse(sent)
  if (body?.error) throw fromZod({ issues: wrongFields(endpoint.body!, sent, body.error) })
  return body?.data
}

/** The order of rows tells which one costs most as well as the figures do. */
function refuseCosts(query: unknown, endpoint: Endpoint) {
  const hidden = costsAsked(query, endpoint)
  if (hidden.length > 0) throw invalid(Object.fromEntries(hidden.map((field) => [field, COSTS_HIDDEN])))
}
const COSTS_HIDDEN = 'Su rol no permite ver costos: no puede ordenar ni filtrar por ellos.'

const NOT_KNOWN = 'No se conoce este campo.'
const notKnown = (fields: string[], others: Record<string, string[]> = {}) =>
  new Problem(
    422,
    `${fields.length > 1 ? 'No se conocen los campos' : 'No se conoce el campo'} ${fields.map((f) => `«${f}»`).join(', ')}.`,
    {
      errors: { ...others, ...Object.fromEntries(fields.map((field) => [field, [NOT_KNOWN]])) },
    },
  )

/** Of one person at once: made files lie on the disk until they are taken. */
const MAX_TAKING = 20
const tooManyFiles = () =>
  new Problem(429, 'Tiene muchas descargas en curso. Espere a que terminen.', { retryAfter: 10 })

/** One more of theirs, until the reply ends. */
function count(many: Map<number, number>, whose: number, reply: FastifyReply) {
  const add = (n: number) => {
    const sum = (many.get(whose) ?? 0) + n
    if (sum === 0) many.delete(whose)
    else many.set(whose, sum)
  }
  add(1)
  reply.raw.once('close', () => add(-1))
}

const contentOf = ({ content }: FileContent) => (typeof content === 'function' ? content() : content)

/** A reply waits for its own end when it is awaited: this one is only given back, and nobody holds a turn by reading slowly. */
function sendFile(reply: FastifyReply, { name, type, size }: FileContent, made: Uint8Array | ReadableStream) {
  const ascii = name.normalize('NFD').replace(/[^\w.\- ]/g, '')
  if (size !== undefined) reply.header('content-length', size)
  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header('cache-control', 'no-store')
    .send(made)
}

export function sendProblem(reply: FastifyReply, problem: Problem) {
  if (problem.retryAfter !== undefined) reply.header('retry-after', Math.ceil(problem.retryAfter))
  return reply.code(problem.status).send({ ...problem.failure, request_id: reply.request.id })
}

/** The refusal that an error stands for; none for what nobody foresaw. */
function problemOf(error: unknown, messages: ConstraintMessages): Problem | undefined {
  if (error instanceof Problem) return error
  return fromDatabase(error, messages) ?? (isUnavailable(error) ? unavailable(DATABASE_UNAVAILABLE, error) : undefined)
}

/** Maintenance is no failure: nothing of it is logged. */
function logFailure(request: FastifyRequest, problem: Problem, error: unknown) {
  if (problem.status !== 503 || problem.asks.unavailable) request.log.error(error)
}

const MAX_DEPTH = 32

/** Whether brackets nest further than in any body of ours, seen before they are parsed. */
function isDeep(text: string): boolean {
  let depth = 0
  let inText = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (inText) {
      if (c === 92) i++
      else if (c === 34) inText = false
    } else if (c === 34) inText = true
    else if (c === 91 || c === 123) {
      if (++depth > MAX_DEPTH) return true
    } else if (c === 93 || c === 125) depth--
  }
  return false
}

/** Everything that goes wrong outside an operation, in the same shape and language. */
export function handleErrors(app: FastifyInstance) {
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body)
    if (text.includes('\\u0000') || text.includes('\0')) return done(noNul())
    if (isDeep(text)) return done(new Problem(422, 'El contenido tiene demasiados niveles.'))
    let value: unknown
    try {
      value = text === '' ? undefined : JSON.parse(text)
    } catch {
      return done(new Problem(422, 'El contenido no es JSON válido.'))
    }
    // `null` is how some clients send no body.
    if (value !== undefined && (typeof value !== 'object' || Array.isArray(value)))
      return done(new Problem(422, 'El contenido debe ser un objeto JSON.'))
    done(null, value)
  })
  app.addHook('onRequest', async (request) => {
    if (/%00/.test(request.url)) throw noNul()
  })
  app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
    const problem = problemOf(error, {})
    if (problem) {
      if (problem.status >= 500) logFailure(request, problem, error)
      return sendProblem(reply, problem)
    }
    if (error.statusCode === 413) return sendProblem(reply, new Problem(413, 'El contenido es demasiado grande.'))
    if (error.statusCode && error.statusCode < 500) return sendProblem(reply, new Problem(422, BAD_REQUEST))
    request.log.error(error)
    return sendProblem(reply, new Problem(500, 'Ocurrió un error inesperado. Intente de nuevo.'))
  })
}

const BAD_ADDRESS = 'La dirección no es válida.'
const BAD_REQUEST = 'La solicitud no es válida.'

/** What Fastify refuses before a route is found. */
export const frameworkErrors: FastifyServerOptions['frameworkErrors'] = (_error, _request, reply) =>
  sendProblem(reply, new Problem(422, BAD_ADDRESS))

/** What is no HTTP, or too much of it: there is a socket and nothing else yet. */
export const clientErrorHandler: FastifyServerOptions['clientErrorHandler'] = (error, socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['413 Payload Too Large', 'Las cabeceras de la solicitud son demasiado grandes.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'La solicitud tardó demasiado en llegar.']
        : ['422 Unprocessable Entity', BAD_REQUEST]
  const body = JSON.stringify({ message })
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** A body may take long, but not sleep: below a kilobyte a second for half a minute it is ended. */
export function endSlowBodies(app: FastifyInstance, every = 30_000, least = 30 * 1024) {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.method === 'GET' || raw.complete) return
    let before = raw.socket.bytesRead
    const looks = setInterval(() => {
      if (raw.complete) return clearInterval(looks)
      if (raw.socket.bytesRead - before < least) raw.destroy()
      before = raw.socket.bytesRead
    }, every)
    // A process that ends does not wait for the next look.
    looks.unref()
    raw.once('close', () => clearInterval(looks))
  })
}

/** An answer that nobody takes is not kept for ever: whoever takes nothing of it for this long is cut off. */
export function endStalledReaders(app: FastifyInstance, after = 120_000) {
  app.addHook('onSend', async ({ raw }) => {
    // Once the answer has ended, the connection has the patience of any other again.
    if (raw.socket instanceof Socket) raw.socket.setTimeout(after)
  })
}

export const apiNotFound = (reply: FastifyReply) => sendProblem(reply, new Problem(404, NOT_FOUND))
