import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Endpoint, statusOf } from '#contract/wire.ts'
import type { Actor } from './actor.ts'
import type { Database, Db } from './db.ts'
import { once } from './idempotency.ts'
import { type ConstraintMessages, fromDatabase, fromZod, NOT_FOUND, notFound, Problem } from './problems.ts'

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
type Reply<E extends Endpoint> = z.input<E['reply']>

export interface Bind {
  <E extends Endpoint>(endpoint: E, handle: (call: Call<E>) => Promise<Reply<E>>): void
  public<E extends Endpoint>(endpoint: E, handle: (call: PublicCall<E>) => Promise<Reply<E>>): void
}

export type Authenticate = (request: FastifyRequest) => Promise<Actor>

export interface Binder {
  bind: Bind
  /** Endpoints bound so far. */
  bound: Set<Endpoint>
}

/** The life of a request: session, permission, arguments, transaction, operation, reply. */
export function createBinder(
  app: FastifyInstance,
  house: { database: Database; authenticate: Authenticate; messages: ConstraintMessages; checkReplies: boolean },
): Binder {
  const bound = new Set<Endpoint>()

  type AnyCall = Call<Endpoint> & PublicCall<Endpoint>
  function register(endpoint: Endpoint, handle: (call: AnyCall) => Promise<unknown>) {
    bound.add(endpoint)
    const { database, messages } = house
    const open = endpoint.method === 'GET' ? database.read.bind(database) : database.write.bind(database)
    const status = statusOf(endpoint)

    app.route({
      method: endpoint.method,
      url: `/api${endpoint.path}`,
      handler: async (request, reply) => {
        try {
          const actor = endpoint.may === 'public' ? undefined : await house.authenticate(request)
          if (actor) requirePermission(actor, endpoint.may)
          const args = parseArguments(endpoint, request)
          const key = status === 201 ? request.headers['idempotency-key'] : undefined
          const answer = await open(actor?.company_id ?? null, async (db) => {
            const work = async () => {
              const caller = { address: request.ip, agent: request.headers['user-agent'] ?? '' }
              const result = await handle({ db, actor, caller, ...args } as AnyCall)
              if (house.checkReplies) endpoint.reply.parse(JSON.parse(JSON.stringify(result ?? null)) ?? undefined)
              return { status, reply: status === 204 ? '' : JSON.stringify(result) }
            }
            if (typeof key !== 'string' || !actor) return work()
            return once(db, actor, { key, request: `${request.url} ${JSON.stringify(request.body)}` }, work)
          })
          reply.code(answer.status)
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
  return { bind, bound }
}

export function requirePermission(actor: Actor, may: Endpoint['may']) {
  if (may !== 'public' && may !== 'session' && !actor.may.has(may))
    throw new Problem(403, 'Su rol no permite hacer esto.')
}

function parseArguments(endpoint: Endpoint, request: FastifyRequest) {
  const params = endpoint.params?.safeParse(request.params)
  if (params?.error) throw notFound()
  const query = endpoint.query?.safeParse(request.query)
  if (query?.error) throw fromZod(query.error)
  const body = endpoint.body?.safeParse(request.body ?? {})
  if (body?.error) throw fromZod(body.error)
  return { params: params?.data, query: query?.data, body: body?.data }
}

export function sendProblem(reply: FastifyReply, problem: Problem) {
  if (problem.retryAfter !== undefined) reply.header('retry-after', Math.ceil(problem.retryAfter))
  return reply.code(problem.status).send(problem.failure)
}

/** Everything that goes wrong outside an operation, in the same shape and language. */
export function handleErrors(app: FastifyInstance) {
  // U+0000 is valid JSON, and no PostgreSQL text can hold it.
  const noNul = () => new Problem(422, 'El texto contiene caracteres no permitidos.')
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
