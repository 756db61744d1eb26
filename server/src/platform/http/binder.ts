import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { Download, type Endpoint, type FileContent, statusOf } from '#contract/base/wire.ts'
import type { Database, Db } from '../database/db.ts'
import type { Actor } from '../operations/actor.ts'
import {
  type ConstraintMessages,
  fromDatabase,
  fromZod,
  NOT_FOUND,
  noNul,
  notFound,
  Problem,
} from '../operations/problems.ts'
import { entityOf, filledIn, unknownFields, withFilters } from './fields.ts'
import { once } from './idempotency.ts'
import { readForm } from './multipart.ts'

type Parsed<S> = NonNullable<S> extends z.ZodType<infer Output> ? Output : undefined

export interface Call<E extends Endpoint> {
  db: Db
  actor: Actor
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
}
/** A call by someone who is not logged in; only login and its like. */
export interface PublicCall<E extends Endpoint> extends Omit<Call<E>, 'actor'> {
  caller: { address: string; agent: string }
}
/** A call that takes longer than a transaction should: each step is one of its own. */
export interface CallInSteps<E extends Endpoint> extends Omit<Call<E>, 'db'> {
  step<T>(work: (db: Db) => Promise<T>): Promise<T>
}
type Reply<E extends Endpoint> = z.input<E['reply']>

/** The thing that a call edits, as it stands, held until the end of the transaction; `sent` is what came. */
type Current<E extends Endpoint> = (call: Omit<Call<E>, 'body'> & { sent: object }) => Promise<object>

export interface Bind {
  /** `current`: the call edits it, and where it does not say when that was read, what it leaves out stays as it is. */
  <E extends Endpoint>(endpoint: E, handle: (call: Call<E>) => Promise<Reply<E>>, current?: Current<E>): void
  public<E extends Endpoint>(endpoint: E, handle: (call: PublicCall<E>) => Promise<Reply<E>>): void
  inSteps<E extends Endpoint>(endpoint: E, handle: (call: CallInSteps<E>) => Promise<Reply<E>>): void
}

export type Authenticate = (request: FastifyRequest) => Promise<Actor>

export interface Binder {
  bind: Bind
  /** Endpoints bound so far. */
  bound: Set<Endpoint>
  /** Those that edit a thing. */
  edits: Set<Endpoint>
}

/** The life of a request: session, permission, arguments, transaction, operation, reply. */
export function createBinder(
  app: FastifyInstance,
  house: { database: Database; authenticate: Authenticate; messages: ConstraintMessages; checkReplies: boolean },
): Binder {
  const bound = new Set<Endpoint>()
  const edits = new Set<Endpoint>()

  type AnyCall = Call<Endpoint> & PublicCall<Endpoint> & CallInSteps<Endpoint>
  function register(
    endpoint: Endpoint,
    handle: (call: AnyCall) => Promise<unknown>,
    current?: Current<Endpoint>,
    inSteps = false,
  ) {
    bound.add(endpoint)
    if (current) edits.add(endpoint)
    const { database, messages } = house
    const open = endpoint.method === 'GET' ? database.read.bind(database) : database.write.bind(database)
    const status = statusOf(endpoint)
    const isFile = endpoint.reply === Download

    app.route({
      method: endpoint.method,
      url: `/api${endpoint.path}`,
      handler: async (request, reply) => {
        try {
          const actor = endpoint.may === 'public' ? undefined : await house.authenticate(request)
          if (actor) requirePermission(actor, endpoint.may)
          const { sent, ...args } = await parseArguments(endpoint, request)
          // Who says when it was read sends the whole; who does not, only what is to change.
          const fills = current && !(typeof sent === 'object' && sent && 'updated_at' in sent) ? current : undefined
          const whole = fills ? undefined : parseBody(endpoint, sent)
          const company = actor?.company_id ?? null
          const caller = { address: request.ip, agent: request.headers['user-agent'] ?? '' }
          const answerOf = async (call: { db?: Db; step?: unknown }) => {
            const asked = { actor, caller, ...args, ...call } as AnyCall
            const body = fills
              ? parseBody(endpoint, filledIn(sent, await fills({ ...asked, sent: sent as object }), [endpoint.body!]))
              : whole
            const result = await handle({ ...asked, body } as AnyCall)
            if (isFile) return { status, reply: result as FileContent }
            if (house.checkReplies) endpoint.reply.parse(JSON.parse(JSON.stringify(result ?? null)) ?? undefined)
            return { status, reply: status === 204 ? '' : JSON.stringify(result) }
          }
          const key = status === 201 ? request.headers['idempotency-key'] : undefined
          const answer = inSteps
            ? await answerOf({ step: (work: (db: Db) => Promise<unknown>) => open(company, work) })
            : await open(company, async (db) => {
                if (typeof key !== 'string' || !actor || isFile) return answerOf({ db })
                const work = answerOf.bind(undefined, { db }) as () => Promise<{ status: number; reply: string }>
                return once(db, actor, { key, request: `${request.url} ${JSON.stringify(request.body)}` }, work)
              })
          reply.code(answer.status)
          if (typeof answer.reply !== 'string') return sendFile(reply, answer.reply)
          return status === 204 ? reply.send() : reply.type('application/json; charset=utf-8').send(answer.reply)
        } catch (error) {
          const problem = error instanceof Problem ? error : fromDatabase(error, messages)
          if (!problem) throw error
          return sendProblem(reply, problem)
        }
      },
    })
  }

  const bind = register as unknown as Bind
  bind.public = register as unknown as Bind['public']
  bind.inSteps = (endpoint, handle) =>
    register(endpoint, handle as unknown as (call: AnyCall) => Promise<unknown>, undefined, true)
  return { bind, bound, edits }
}

export function requirePermission(actor: Actor, may: Endpoint['may']) {
  if (may !== 'public' && may !== 'session' && !actor.may.has(may))
    throw new Problem(403, 'Su rol no permite hacer esto.')
}

async function parseArguments(endpoint: Endpoint, request: FastifyRequest) {
  const params = endpoint.params?.safeParse(request.params)
  if (params?.error) throw notFound()
  const query = endpoint.query?.safeParse(withFilters(request.query, endpoint.query))
  if (query?.error) throw fromZod(query.error)
  const sent = (endpoint.upload ? await readForm(request, endpoint.upload.maxBytes) : request.body) ?? ({} as unknown)
  if (endpoint.body) {
    const unknown = unknownFields(sent, [endpoint.body], [...entityOf(endpoint.reply), ...(endpoint.echoes ?? [])])
    if (unknown.length > 0) throw notKnown(unknown)
  }
  return { params: params?.data, query: query?.data, sent }
}

function parseBody(endpoint: Endpoint, sent: unknown) {
  const body = endpoint.body?.safeParse(sent)
  if (body?.error) throw fromZod(body.error)
  return body?.data
}

const notKnown = (fields: string[]) =>
  new Problem(
    422,
    `${fields.length > 1 ? 'No se conocen los campos' : 'No se conoce el campo'} ${fields.map((f) => `«${f}»`).join(', ')}.`,
    {
      errors: Object.fromEntries(fields.map((field) => [field, ['No se conoce este campo.']])),
    },
  )

function sendFile(reply: FastifyReply, { name, type, content }: FileContent) {
  const ascii = name.normalize('NFD').replace(/[^\w.\- ]/g, '')
  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header('cache-control', 'no-store')
    .send(content)
}

export function sendProblem(reply: FastifyReply, problem: Problem) {
  if (problem.retryAfter !== undefined) reply.header('retry-after', Math.ceil(problem.retryAfter))
  return reply.code(problem.status).send(problem.failure)
}

/** Everything that goes wrong outside an operation, in the same shape and language. */
export function handleErrors(app: FastifyInstance) {
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body)
    if (text.includes('\\u0000') || text.includes('\0')) return done(noNul())
    try {
      done(null, text === '' ? undefined : JSON.parse(text))
    } catch {
      done(new Problem(422, 'El contenido no es JSON válido.'))
    }
  })
  app.addHook('onRequest', async (request) => {
    if (/%00/.test(request.url)) throw noNul()
  })
  app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
    if (error instanceof Problem) return sendProblem(reply, error)
    if (error.statusCode === 413) return sendProblem(reply, new Problem(413, 'El contenido es demasiado grande.'))
    if (error.statusCode && error.statusCode < 500)
      return sendProblem(reply, new Problem(422, 'La solicitud no es válida.'))
    request.log.error(error)
    return sendProblem(reply, new Problem(500, 'Ocurrió un error inesperado. Intente de nuevo.'))
  })
}

export const apiNotFound = (reply: FastifyReply) => sendProblem(reply, new Problem(404, NOT_FOUND))
