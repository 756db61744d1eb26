import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { AppContext } from './context.ts'

/** One connection, inside the transaction of its call. Operations get it as first argument and use no other. */
export type Db = NodePgDatabase & { $client: pg.PoolClient }

/** What is known about one pooled connection. */
export interface ConnectionState {
  db: Db
  /** Undefined behind a pooler, where the next transaction may be on another connection of the database. */
  statements: PreparedStatements | undefined
  context: AppContext
  /** The value of `app.company_id` between transactions, which row-level security reads. */
  sessionCompany: number | null
  /** The company that the current call works for. */
  company: number | null
  /** When the current transaction began. */
  began?: string
  /** Behind a pooler and on a cluster: the company of the read transaction under way. */
  readCompany?: number | null | undefined
  afterCommit: (() => void)[]
  /** Writes of the current transaction that nobody has waited for yet. */
  deferred: Promise<unknown>[]
  /** How often the current transaction has been started. */
  attempt: number
  /** Results that stay true until the current transaction ends; undefined outside a transaction. */
  memoized?: Map<string, unknown> | undefined
}

const states = new WeakMap<pg.ClientBase, ConnectionState>()

export const stateOf = (db: Db): ConnectionState => states.get(db.$client)!
export const knownState = (client: pg.PoolClient) => states.get(client)

/** The state of a connection, created when the connection is used for the first time. */
export function openState(client: pg.PoolClient, context: AppContext, isPooled: boolean): ConnectionState {
  const known = states.get(client)
  if (known) return known
  const statements = isPooled ? undefined : new PreparedStatements()
  const db = Object.assign(drizzle(preparing(client, statements)), { $client: client })
  const state = {
    db,
    statements,
    context,
    sessionCompany: null,
    company: null,
    afterCommit: [],
    deferred: [],
    attempt: 1,
  }
  states.set(client, state)
  return state
}

/** A plan takes about 50 kB of the connection's memory. A connection with more of them is closed, and a new one replaces it. */
const MAX_PREPARED = 300

/** The prepared statements of one connection. */
export class PreparedStatements {
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
