import { fillPlaceholders, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { type Db, stateOf } from './connection.ts'
import { toDriverValue } from './types.ts'

/**
 * The company that the connection works for, as a value. A subquery that names its company by this, and not by a column
 * around it, can be answered by one node of a cluster.
 */
export const COMPANY = sql.placeholder('company')
/** When the transaction began, as a value: the nodes of a cluster must not each compute their own. */
export const BEGAN = sql`${sql.placeholder('began')}::timestamptz`

const dialect = new PgDialect()

/** The text and the values of a query, as the driver takes them. */
function toStatement(db: Db, query: SQL) {
  const { company, began } = stateOf(db)
  const { sql: text, params } = dialect.sqlToQuery(query)
  return { text, values: fillPlaceholders(params, { company, began }).map(toDriverValue) }
}

/** Runs a query as a named prepared statement. Values go in as parameters, so one shape is one statement. */
export async function rows<T extends object>(db: Db, query: SQL): Promise<T[]> {
  const { statements } = stateOf(db)
  const statement = toStatement(db, query)
  return (await db.$client.query<T>(statements ? statements.named(statement) : statement)).rows
}

/** As `rows`, but not prepared, so that PostgreSQL plans it for its values: for reads of a day or of ten years. */
export async function rowsUnprepared<T extends object>(db: Db, query: SQL): Promise<T[]> {
  return (await db.$client.query<T>(toStatement(db, query))).rows
}

export async function row<T extends object>(db: Db, query: SQL): Promise<T | undefined> {
  return (await rows<T>(db, query))[0]
}

/** The row of a statement that always gives one, such as an insert. */
export function one<T>(results: T[]): T {
  const [first] = results
  if (first === undefined) throw new Error('A statement that always gives a row gave none')
  return first
}

/** Thousands of numbers as one value. */
export const numbers = (values: readonly (number | string)[]) => sql.param(`{${values.join()}}`)
