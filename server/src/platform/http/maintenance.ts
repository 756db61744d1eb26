import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Database, isUnavailable, row } from '../database/db.ts'
import { Problem } from '../problems.ts'
import { sendProblem } from './binder.ts'
import { maintenanceTable } from './tables.ts'

const EVERY = 1000

/** Whether the house is closed. Kept in the database, so that one command closes every instance. */
export class Maintenance {
  readonly #database: Database
  readonly #log: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  message: string | undefined

  constructor(database: Database, log: (error: unknown) => void) {
    this.#database = database
    this.#log = log
  }

  async start() {
    await this.#look()
    this.#timer = setInterval(() => this.#look().catch(this.#log), EVERY)
    this.#timer.unref()
  }

  async #look() {
    try {
      const found = await this.#database.read(null, (db) =>
        row<{ message: string }>(db, sql`select message from ${maintenanceTable} limit 1`),
      )
      this.message = found?.message
    } catch (error) {
      // A database that does not answer says nothing about this: what was known stays.
      if (!isUnavailable(error)) throw error
    }
  }

  /** Every call answers 503 meanwhile, except the one that asks how the server is. */
  guard(http: FastifyInstance) {
    http.addHook('onRequest', async (request, reply) => {
      // The route that was matched, not how its address was spelled.
      const route = request.routeOptions.url ?? request.url
      if (this.message === undefined || !route.startsWith('/api') || route === '/api/health') return
      return sendProblem(reply, this.#closed())
    })
  }

  /** Asked again before anything is written: what was long on its way may arrive after the house was closed. */
  requireOpen() {
    if (this.message !== undefined) throw this.#closed()
  }

  #closed() {
    return new Problem(503, this.message!, { retryAfter: 5 })
  }

  close() {
    clearInterval(this.#timer)
  }
}
