import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillPlaceholders, type SQL, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { BUSY, Limiter, POLICIES, refusal } from '../limiter.ts'
import { Problem, unavailable } from '../problems.ts'
import type { AppContext } from './context.ts'

/** One connection, inside the transaction of its call. Operations get it as first argument; there is no other. */
export type Db = NodePgDatabase & { $client: pg.PoolClient }

/** Owns no table, so that row-level security holds for it. */
export const APP_ROLE = 'maestranza_app'

/** Whether the database is spread over several nodes. */
export async function isCluster(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
  return rows.length > 0
}

const { INT8, NUMERIC, TIMESTAMPTZ, DATE } = pg.types.builtins
/** `2026-12-04 14:30:00.5+00`, as connections in UTC write it; anything else the slow way. */
export const isoInstant = (text: string) => {
  const end = text.length - 3
  if (end < 19 || text[10] !== ' ' || !text.endsWith('+00')) return new Date(text).toISOString()
  const fraction = end > 19 ? text.slice(20, Math.min(end, 23)).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}
const plainText = (text: string) => text
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC
      ? Number
      : oid === TIMESTAMPTZ
        ? isoInstant
        : oid === DATE
          ? plainText
          : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

const isNumber = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value))
const NUMBER = /^-?\d+(\.\d+)?$/
/** Lists of numbers go as the database writes them; the driver looks for what must be quoted in each of thousands. */
const asSent = (value: unknown) => (Array.isArray(value) && value.every(isNumber) ? `{${value.join()}}` : value)

/**
 * The company that the connection works for, as a value. A subquery that says its company by this, and not by a column
 * around it, can be answered by one node of a cluster.
 */
export const COMPANY = sql.placeholder('company')
/** When its transaction began, as a value: what rows are changed to may not be worked out by each node. */
export const BEGAN = sql`${sql.placeholder('began')}::timestamptz`

const dialect = new PgDialect()

/** The text and the values of a query, as the driver takes them. */
function toStatement(db: Db, query: SQL) {
  const { working: company, began } = connectionStates.get(db.$client)!
  const { sql: text, params } = dialect.sqlToQuery(query)
  return { text, values: fillPlaceholders(params, { company, began }).map(asSent) }
}

/** Runs a query as a named prepared statement. Values go in as parameters, so one shape is one statement. */
export async function rows<T extends object>(db: Db, query: SQL): Promise<T[]> {
  const { statements } = connectionStates.get(db.$client)!
  const statement = toStatement(db, query)
  return (await db.$client.query<T>(statements ? statements.named(statement) : statement)).rows
}

/**
 * A write that gives nothing, as it leaves: it is waited for with the end of its transaction. Whatever is asked next comes
 * behind it, and fails with it.
 */
export async function defer(db: Db, write: Promise<unknown>) {
  const { found, unanswered } = connectionStates.get(db.$client)!
  if (!found) return void (await write)
  write.catch(() => {})
  unanswered.push(write)
}

/**
 * As `rows`, where there may be thousands: a list for each column arrives at a fraction of what as many rows cost. All
 * that it gives is text, without commas; what is null is empty.
 */
export async function manyRows<K extends string>(
  db: Db,
  names: readonly K[],
  query: SQL,
): Promise<Record<K, string>[]> {
  const lists = names.map(
    (name) => sql`string_agg(coalesce(q.${sql.identifier(name)}::text, ''), ',') as ${sql.identifier(name)}`,
  )
  const [found] = await rows<Record<K, string | null>>(db, sql`select ${sql.join(lists, sql`, `)} from (${query}) q`)
  const columns = names.map((name) => [name, found?.[name]?.split(',') ?? []] as const)
  return (columns[0]?.[1] ?? []).map((_, i) => {
    const made = {} as Record<K, string>
    for (const [name, values] of columns) made[name] = values[i]!
    return made
  })
}

/** Thousands of numbers as one value: as the database writes a list of them, without looking at each. */
export const numbers = (values: readonly (number | string)[]) => sql.param(`{${values.join()}}`)

/** As `rows`, but not prepared, so that PostgreSQL plans it for its values: for reads of a day or of ten years. */
export async function rowsUnprepared<T extends object>(db: Db, query: SQL): Promise<T[]> {
  return (await db.$client.query<T>(toStatement(db, query))).rows
}

const isAborted = (error: unknown) =>
  [error, (error as Error)?.cause].some((e) => e instanceof pg.DatabaseError && e.code === '25P02')

/**
 * Waits for independent statements that leave in one round trip: the driver sends each when its function is called, without
 * waiting for the answer to the one before. They run in this order. None may need the result of another. Where several fail,
 * the error is that of the first.
 */
export function batch<T extends Record<string, unknown>>(parts: { [K in keyof T]: PromiseLike<T[K]> }): Promise<T>
export function batch<T extends PromiseLike<unknown>>(parts: readonly T[]): Promise<Awaited<T>[]>
export async function batch(parts: object): Promise<unknown> {
  const settled = await Promise.allSettled(Object.values(parts))
  const errors = settled.flatMap((part) => ('reason' in part ? [part.reason as unknown] : []))
  // Statements behind one that failed fail as well, and say only that.
  if (errors.length > 0) throw errors.find((error) => !isAborted(error)) ?? errors[0]
  const results = settled.map((part) => (part as PromiseFulfilledResult<unknown>).value)
  return Array.isArray(parts) ? results : Object.fromEntries(Object.keys(parts).map((name, i) => [name, results[i]]))
}

export async function row<T extends object>(db: Db, query: SQL): Promise<T | undefined> {
  return (await rows<T>(db, query))[0]
}

/** The row of a statement that always gives one, such as an insert. */
export function one<T>(found: T[]): T {
  const [first] = found
  if (first === undefined) throw new Error('A statement that always gives a row gave none')
  return first
}

/** Several questions about one moment: none of them sees what is written meanwhile. They may take room to add up in. */
export async function snapshot<T>(db: Db, ask: () => Promise<T>): Promise<T> {
  const { reading } = connectionStates.get(db.$client)!
  const begin = ['begin isolation level repeatable read read only', `set local work_mem = '64MB'`]
  // Begun and ended by the read that it is part of.
  if (reading !== undefined) {
    await inTurn(db.$client, ['commit', ...begin, companyIs(reading)])
    return ask()
  }
  await db.$client.query(begin.join('; '))
  let answer: T
  try {
    answer = await ask()
  } catch (error) {
    await endQuietly(db.$client, 'rollback')
    throw error
  }
  await db.$client.query('commit')
  return answer
}

/** Tries the first; where it fails in the way meant, as if it had not been tried, the second. */
export async function orElse<T>(
  db: Db,
  meant: (error: unknown) => boolean,
  first: () => Promise<T>,
  second: () => Promise<T>,
) {
  const state = connectionStates.get(db.$client)!
  await db.$client.query('savepoint tried')
  try {
    const answer = await first()
    await batch(state.unanswered)
    return answer
  } catch (error) {
    if (!meant(error)) throw error
    await db.$client.query('rollback to savepoint tried')
    // Locks taken since then are released.
    state.found?.clear()
    state.unanswered = []
    return second()
  }
}

/**
 * What was found stays true until the transaction ends, because it is locked: it is not asked twice. Without a
 * transaction it is asked every time.
 */
export function memoizeInTransaction<T>(db: Db, name: string, find: () => Promise<T>): Promise<T> {
  const { found } = connectionStates.get(db.$client)!
  const known = found?.get(name) ?? find()
  found?.set(name, known)
  return known as Promise<T>
}

/** For a public call that learns whose it is on the way: the rest of its transaction works for this company. */
export function workFor(db: Db, company: number) {
  connectionStates.get(db.$client)!.working = company
  return db.$client.query(companyIs(Number(company)))
}
/** Each in a message of its own, without waiting in between: a cluster hands on to its nodes only what is said alone. */
const inTurn = (client: pg.PoolClient, texts: string[]) => batch(texts.map((text) => client.query(text)))
const companyIs = (company: number | null) => `set local app.company_id = '${company ?? ''}'`

/** A plan takes about 50 kB of the connection's memory. A connection with more of them is closed, and a new one replaces it. */
const MAX_PREPARED = 300

/** The prepared statements of one connection. */
class PreparedStatements {
  readonly #names = new Map<string, string>()

  /** The driver prepares a statement that has a name, once for each name. */
  named<T extends { text: string }>(statement: T): T & { name: string } {
    const { text } = statement
    const name = this.#names.get(text) ?? `q${this.#names.size}`
    this.#names.set(text, name)
    return { ...statement, name }
  }

  get isFull() {
    return this.#names.size > MAX_PREPARED
  }
}

/** The query builder's longer statements are inserts of many rows, in too many shapes to be worth preparing. */
const LONGEST_BUILT = 3000

/** The connection as the query builder uses it: its statements are prepared too. */
const preparing = (client: pg.PoolClient, statements: PreparedStatements | undefined): pg.PoolClient =>
  Object.create(client, {
    query: {
      value: (statement: pg.QueryConfig, values: unknown[]) =>
        client.query(
          statements && statement.text.length <= LONGEST_BUILT ? statements.named(statement) : statement,
          values,
        ),
    },
  })

/** What each pooled connection carries beside itself. */
interface ConnectionState {
  db: Db
  /** None behind a pooler: the next transaction may be on another connection of the database. */
  statements: PreparedStatements | undefined
  context: AppContext
  /** The company its row-level security stands at between transactions. */
  company: number | null
  /** Whom it works for now, and since when its transaction does. */
  working: number | null
  began?: string
  /** Behind a pooler and on a cluster: whose read is under way, in a transaction of its own. */
  reading?: number | null | undefined
  afterCommit: (() => void)[]
  /** What its transaction wrote and nobody waited for yet. */
  unanswered: Promise<unknown>[]
  /** How often its transaction has begun. */
  attempt: number
  /** What its transaction found and holds, while there is one. */
  found?: Map<string, unknown> | undefined
}
const connectionStates = new WeakMap<pg.ClientBase, ConnectionState>()

/** Effects on the outside world wait until the change they speak of is there for everyone. */
export function afterCommit(db: Db, effect: (context: AppContext) => void) {
  const { afterCommit, context } = connectionStates.get(db.$client)!
  afterCommit.push(() => effect(context))
}

/** What met others the first time. */
export const isRetry = (db: Db) => connectionStates.get(db.$client)!.attempt > 1

export const appContext = (db: Db): AppContext => connectionStates.get(db.$client)!.context

/** Set in everything that runs on a connection: it may not wait for another one while it keeps that from others. */
const insideTransaction = new AsyncLocalStorage<true>()

export const DATABASE_UNAVAILABLE = 'La base de datos no responde. Intente de nuevo en unos segundos.'

/** Thrown by a transaction that met others on its way and had better begin anew. */
export class RetryTransaction extends Error {}

/** A deadlock's victim, or one whose place (an index named so) went to another; a cluster says so in its sentence alone. */
const isRetryable = (error: unknown) =>
  error instanceof RetryTransaction ||
  [error, (error as Error)?.cause].some(
    (e) =>
      e instanceof pg.DatabaseError &&
      (e.code === '40P01' || e.code === '40001' || (e.code === '23505' && PLACE.test(e.constraint ?? e.message))),
  )
const PLACE = /_place(_\d+)?\W*$/

/** After an error: a connection that is lost cannot be told, and what broke before is the error to hear of. */
const endQuietly = (client: pg.PoolClient, how: 'commit' | 'rollback') => client.query(how).catch(() => {})

/** Not reached, refused, lost, starting, stopping or full: ask again later. */
const NO_ANSWER = /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|08|53|57P0)/
const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  (NO_ANSWER.test(String((error as { code?: unknown }).code)) ||
    /^Connection terminated|^Client has encountered a connection error/.test(error.message) ||
    isLost(error.cause))
export const isUnavailable = (error: unknown): boolean =>
  (error instanceof Problem && (error.status === 429 || error.asks.unavailable === true)) || isLost(error)

/** A statement took too long, as one does that waits behind many others. */
const isTimedOut = (error: unknown) =>
  [error, (error as Error)?.cause].some((e) => e instanceof pg.DatabaseError && e.code === '57014')

/** Somebody else wrote the same key first. */
export const isUniqueViolation = (error: unknown) =>
  [error, (error as Error)?.cause].some((e) => e instanceof pg.DatabaseError && e.code === '23505')

/** What every connection of ours stands at. */
export const SESSION = {
  role: APP_ROLE,
  timezone: 'UTC',
  statement_timeout: '30000',
  idle_in_transaction_session_timeout: '60000',
  // For solid-state disks; with the default of 4, small tables are read whole to find a few rows.
  random_page_cost: '1.1',
}
/** And on a cluster: its nodes are told what is set for one transaction. Elsewhere it means nothing. */
export const SPREAD_SESSION = { 'citus.propagate_set_commands': 'local' }

/**
 * The pool. `company` is whom the connection works for; null sees no company's rows. Behind a pooler that lends a
 * connection for one transaction (`poolUrl`) nothing outlives one: reads are transactions too, statements have no names,
 * and what connections stand at is the role's own. What has to stay on one connection goes to `url`. On a cluster reads
 * are transactions as well: its nodes know of nothing else that is said to the connection.
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
      types,
      // Statements leave one behind the other, without waiting for answers, where nobody waits in between: `together`.
      pipeline: true,
      connectionTimeoutMillis: POLICIES.connections.patience.ms,
      // A new one has everything to plan anew: they are kept through a quiet spell.
      idleTimeoutMillis: 600_000,
      ...(!poolUrl && { options: options.join(' ') }),
    })
    // An idle connection that dies is replaced by the pool; without a listener it would end the process.
    this.pool.on('error', () => {})
    // Nor may one that dies on its way to whoever asked for it, when the pool hears no more and they not yet.
    this.pool.on('connect', (client) => client.on('error', () => {}))
  }

  #stateOf(client: pg.PoolClient): ConnectionState {
    let state = connectionStates.get(client)
    if (!state) {
      const statements = this.#isPooled ? undefined : new PreparedStatements()
      const db = Object.assign(drizzle(preparing(client, statements)), { $client: client })
      state = {
        db,
        statements,
        context: this.context,
        company: null,
        working: null,
        afterCommit: [],
        unanswered: [],
        attempt: 1,
      }
      connectionStates.set(client, state)
    }
    return state
  }

  /** `undefined`: whichever company the connection stands at, for tables that are of none. */
  async read<T>(company: number | null | undefined, work: (db: Db) => Promise<T>): Promise<T> {
    return this.#traced('read', company, async (client) => {
      const state = this.#stateOf(client)
      state.working = company ?? null
      if (company === undefined) return work(state.db)
      if (this.#isPooled || (await this.#onCluster(client))) return this.#readApart(state, company, work)
      await this.#stand(state, company)
      return work(state.db)
    })
  }

  /** Most calls on a connection are for the same company as the one before, and need no statement here. */
  async #stand(state: ConnectionState, company: number | null) {
    if (state.company !== company) await state.db.$client.query(`set app.company_id = '${company ?? ''}'`)
    state.company = company
  }

  async #readApart<T>(state: ConnectionState, company: number | null, work: (db: Db) => Promise<T>): Promise<T> {
    const client = state.db.$client
    state.reading = company
    try {
      const { answer } = await batch({ begin: inTurn(client, ['begin', companyIs(company)]), answer: work(state.db) })
      // Nothing is waited for: whatever the connection is asked next comes after it.
      void endQuietly(client, 'commit')
      return answer
    } catch (error) {
      await endQuietly(client, 'rollback')
      throw error
    } finally {
      state.reading = undefined
    }
  }

  /** One transaction: all of `work` or nothing. A deadlock's victim is tried again, and who came second to a place. */
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
    const state = this.#stateOf(client)
    const onCluster = await this.#onCluster(client)
    if (!this.#isPooled && !onCluster) await this.#stand(state, company)
    state.attempt = attempt
    state.afterCommit = []
    state.unanswered = []
    state.found = new Map()
    state.working = company
    state.began = new Date().toISOString()
    let result: T
    try {
      ;({ result } = await batch({
        begin: onCluster
          ? inTurn(client, ['begin', companyIs(company)])
          : client.query(this.#isPooled ? `begin; ${companyIs(company)}` : 'begin'),
        result: work(state.db),
      }))
    } catch (error) {
      const keep = (error as { keepWrites?: boolean }).keepWrites === true
      await endQuietly(client, keep ? 'commit' : 'rollback')
      if (keep || isAborted(error)) await batch(state.unanswered)
      throw error
    } finally {
      state.found = undefined
    }
    await batch([...state.unanswered, client.query('commit')])
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
      client.release(broken ?? connectionStates.get(client)?.statements?.isFull)
      leave()
    }
  }

  /** Asked once. */
  #onCluster(client: pg.PoolClient): Promise<boolean> {
    this.#isCluster ??= isCluster(client).catch((error: unknown) => {
      this.#isCluster = undefined
      throw error
    })
    return this.#isCluster
  }

  /** Whether queries are made as the role that row-level security is for; a pooler may have lost that on the way. */
  async isFenced(): Promise<boolean> {
    const { rows } = await this.pool.query<{ role: string }>('select current_user as role')
    return rows[0]?.role === APP_ROLE
  }

  /** Every company, for what is done for each of them by the clock. */
  async companies(): Promise<number[]> {
    const found = await this.read(undefined, (db) =>
      rows<{ id: number }>(db, sql`select id from companies order by id`),
    )
    return found.map(({ id }) => id)
  }

  close() {
    return this.pool.end()
  }
}
