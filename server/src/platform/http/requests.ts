import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const requests = new AsyncLocalStorage<FastifyRequest>()

/** From here on whatever a request sets off is known to be its. */
export const followRequests = (http: FastifyInstance) =>
  http.addHook('onRequest', (request, _reply, done) => requests.run(request, done))

/** Where the request comes from that this code runs for; nowhere, in a job. */
export function currentCaller(): { address: string; agent: string } | undefined {
  const request = requests.getStore()
  return request && { address: request.ip, agent: (request.headers['user-agent'] ?? '').slice(0, 300) }
}

/** The address of the page that asks, where it is one of this house: what a passkey is bound to. */
export function currentOrigin(): URL | undefined {
  const request = requests.getStore()
  const said = request?.headers.origin
  if (!said || !URL.canParse(said)) return undefined
  const origin = new URL(said)
  return origin.host === request.host ? origin : undefined
}

/** Which request this code runs for, in words without what the person typed. */
export function currentRequest(): string | undefined {
  const request = requests.getStore()
  return request && `${request.id} ${request.method} ${request.routeOptions.url ?? 'sin ruta'}`
}
