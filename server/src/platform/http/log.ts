import type { FastifyRequest } from 'fastify'
import pg from 'pg'

/** What a line of the log says of a request: which route, never what was typed into its address. */
const requestOf = (request: FastifyRequest) => ({
  id: request.id,
  method: request.method,
  route: request.routeOptions?.url ?? 'none',
})

interface Told {
  [name: string]: unknown
  type: string
  message: string
  stack: string
}

/** Where it went wrong. What the database says of it repeats values of people: only the names of things are kept. */
export function errorOf(error: Error & { code?: string; cause?: unknown }): Told {
  const inQuery = error.message?.startsWith('Failed query')
  const isDatabase = error instanceof pg.DatabaseError
  const stack = error.stack ?? ''
  const isTelling = isDatabase || inQuery
  return {
    type: error.name,
    message: isTelling ? '' : error.message,
    code: error.code,
    ...(isDatabase && { constraint: error.constraint, table: error.table }),
    stack: isTelling ? stack.slice(stack.indexOf('\n    at ') + 1) : stack,
    ...(error.cause instanceof Error && { cause: errorOf(error.cause) }),
  }
}

export const logger = { level: 'warn', serializers: { req: requestOf, err: errorOf } }
