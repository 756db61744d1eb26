import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { ignore } from '../ignore.ts'
import { BUSY, Limiter, POLICIES, refusal } from '../limiter.ts'
import { unavailable } from '../problems.ts'
import { batch } from './batch.ts'
import { type ConnectionState, type Db, knownState, openState } from './connection.ts'
import type { AppContext } from './context.ts'
import { DATABASE_UNAVAILABLE, isAborted, isLost, isRetryable, isTimedOut } from './errors.ts'
import { rows } from './query.ts'
import { endQuietly, sendEach, setCompany } from './transaction.ts'
import { typeParsers } from './types.ts'

/** Owns no table, so that row-level security holds for it. */
export const APP_ROLE = 'maestranza_app'

/** Whether the database is spread over several nodes. */
export async function isCluster(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
  return rows.length > 0
}

/** Set in everything that runs on a connection: it may not wait for another one while it keeps that from others. */
const insideTransaction = new AsyncLocalStorage<true>()

/** The settings of every connection. */
export const SESSION = {
  role: APP_ROLE,
  timezone: 'UTC',
  statement_timeout: '30000',
  idle_in_transaction_session_timeout: '60000',
  // For solid-state disks; with the default of 4, small tables are read whole to find a few rows.
  random_page_cost: '1.1',
}
/** On a cluster: its nodes get the settings of a transaction. Elsewhere this setting has no effect. */
export const SPREAD_SESSION = { 'citus.propagate_set_commands': 'local' }

/**
 * The connections. Each call names the company it works for; null sees no company's rows.
 *
 * Behind a pooler that lends a connection for one transaction (`poolUrl`) nothing outlives a transaction: reads are
 * transactions too, statements are not prepared, and settings belong to the role. Work that needs one connection for
 * longer uses `url`. On a cluster reads are transactions as well, because its nodes know no other settings.
 */
export class Database {
  readonly url: string
  readonly pool: pg.Pool
  readonly #connectionLimiter = new Limiter(POLICIES.connections)
  readonly #isPooled: boolean
  #isCluster: Promise<boolean> | undefined
  readonly context: AppContext = {}

  constructor(url: string, { max = 20, poolUrl }: { max?: number; poolUrl?: string | undefined } = {}) {
    this.url = url
    this.#isPooled = poolUrl !== undefined
    const options = Object.entries({ ...SESSION, ...SPREAD_SESSION }).map(([name, value]) => `-c ${name}=${value}`)
    this.pool = new pg.Pool({
      connectionString: poolUrl ?? url,
      max,
      types: typeParsers,
      // Statements leave without waiting for the answers to those before: see `batch`.
      pipeline: true,
      connectionTimeoutMillis: POLICIES.connections.patience.ms,
      // A new connection has to plan every statement again.
      idleTimeoutMillis: 600_000,
      ...(!poolUrl && { options: options.join(' ') }),
    })
    // An idle connection that dies is replaced by the pool; without a listener it would end the process.
    this.pool.on('error', ignore('The pool replaces an idle connection that breaks.'))
    // The same for one that dies after the pool handed it out and before the call listens.
    this.pool.on('connect', (client) => client.on('error', ignore('The query that runs fails with it.')))
  }

  /** With `undefined` the company of the connection stays as it is, for tables that belong to no company. */
  async read<T>(company: number | null | undefined, work: (db: Db) => Promise<T>): Promise<T> {
    return this.#traced('read', company, async (client) => {
      const state = openState(client, this.context, this.#isPooled)
      state.company = company ?? null
      if (company === undefined) return work(state.db)
      if (this.#isPooled || (await this.#onCluster(client))) return this.#readInTransaction(state, company, work)
      await this.#setSessionCompany(state, company)
      return work(state.db)
    })
  }

  /** Most calls on a connection are for the same company as the one before, and need no statement here. */
  async #setSessionCompany(state: ConnectionState, company: number | null) {
    if (state.sessionCompany !== company) await state.db.$client.query(`set app.company_id = '${company ?? ''}'`)
    state.sessionCompany = company
  }

  async #readInTransaction<T>(
    state: ConnectionState,
    company: number | null,
    work: (db: Db) => Promise<T>,
  ): Promise<T> {
    const client = state.db.$client
    state.readCompany = company
    try {
      const { result } = await batch({
        begin: sendEach(client, ['begin', setCompany(company)]),
        result: work(state.db),
      })
      // Not waited for: the next statement on this connection comes after it.
      void endQuietly(client, 'commit')
      return result
    } catch (error) {
      await endQuietly(client, 'rollback')
      throw error
    } finally {
      state.readCompany = undefined
    }
  }

  /** One transaction: all of `work` or nothing. It is retried after a deadlock, or where another one took its position. */
  async write<T>(company: number | null, work: (db: Db) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, effects } = await this.#traced('write', company, (client) =>
          this.#transaction(client, company, work, attempt),
        )
        for (const effect of effects) effect()
        return result
      } catch (error) {
        if (attempt === 5 || !isRetryable(error)) throw error
        // The others involved get a moment to finish.
        await sleep(Math.random() * 50 * attempt)
      }
    }
  }

  async #transaction<T>(client: pg.PoolClient, company: number | null, work: (db: Db) => Promise<T>, attempt: number) {
    const state = openState(client, this.context, this.#isPooled)
    const onCluster = await this.#onCluster(client)
    if (!this.#isPooled && !onCluster) await this.#setSessionCompany(state, company)
    state.attempt = attempt
    state.afterCommit = []
    state.deferred = []
    state.memoized = new Map()
    state.company = company
    state.began = new Date().toISOString()
    let result: T
    try {
      ;({ result } = await batch({
        begin: onCluster
          ? sendEach(client, ['begin', setCompany(company)])
          : client.query(this.#isPooled ? `begin; ${setCompany(company)}` : 'begin'),
        result: work(state.db),
      }))
    } catch (error) {
      const keep = (error as { keepWrites?: boolean }).keepWrites === true
      await endQuietly(client, keep ? 'commit' : 'rollback')
      if (keep || isAborted(error)) await batch(state.deferred)
      throw error
    } finally {
      state.memoized = undefined
    }
    await batch([...state.deferred, client.query('commit')])
    return { result, effects: state.afterCommit }
  }

  #traced<T>(kind: 'read' | 'write', company: number | null | undefined, work: (client: pg.PoolClient) => Promise<T>) {
    const { traces } = this.context
    if (!traces) return this.#withClient(work)
    const facts = { 'db.system.name': 'postgresql', 'maestranza.company': company ?? undefined }
    return traces.span(`database ${kind}`, facts, () => this.#withClient(work))
  }

  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (insideTransaction.getStore()) throw new Error('Inside a transaction there is no second connection')
    const leave = await this.#connectionLimiter.enter()
    const client = await this.pool.connect().catch((error: Error) => {
      leave()
      // The pool gives its own wait no code.
      if (/timeout exceeded when trying to connect/.test(error.message)) throw refusal(BUSY)
      throw isLost(error) ? unavailable(DATABASE_UNAVAILABLE, error) : error
    })
    let broken: Error | undefined
    const onError = (error: Error) => {
      broken = error
    }
    client.on('error', onError)
    try {
      return await insideTransaction.run(true, () => work(client))
    } catch (error) {
      // A refusal such as 429 says nothing about the connection: only one that was lost is replaced.
      if (isLost(error)) broken ??= error as Error
      throw isTimedOut(error) ? refusal(BUSY) : error
    } finally {
      client.off('error', onError)
      client.release(broken ?? knownState(client)?.statements?.isFull)
      leave()
    }
  }

  /** Looked up once. */
  #onCluster(client: pg.PoolClient): Promise<boolean> {
    this.#isCluster ??= isCluster(client).catch((error: unknown) => {
      this.#isCluster = undefined
      throw error
    })
    return this.#isCluster
  }

  /** Whether queries run as the role that row-level security applies to; a pooler may have lost that setting. */
  async isFenced(): Promise<boolean> {
    const { rows } = await this.pool.query<{ role: string }>('select current_user as role')
    return rows[0]?.role === APP_ROLE
  }

  /** Every company, for scheduled work that is done for each. */
  async companies(): Promise<number[]> {
    const companies = await this.read(undefined, (db) =>
      rows<{ id: number }>(db, sql`select id from companies order by id`),
    )
    return companies.map(({ id }) => id)
  }

  close() {
    return this.pool.end()
  }
}
