import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { COMPANY, type Db, rows } from './db.ts'

/** The columns, of whichever domain, that refer to a table: read from the foreign keys themselves. */
export const referencesTo = (db: Db, table: string) =>
  rows<{ user: string; column: string }>(
    db,
    sql`select k.conrelid::regclass::text as user, a.attname as column
        from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
        where k.contype = 'f' and k.confrelid = ${table}::regclass and a.attname <> 'company_id'
        order by 1, 2`,
  )

/**
 * Whether a row of `alias` is used by any table that refers to it, whichever domain that table is of.
 * `except` are the tables whose rows go together with it.
 */
export async function usedBy(db: Db, table: PgTable, alias: SQL, except: PgTable[] = []): Promise<SQL> {
  const users = await referencesTo(db, getTableName(table))
  const spared = except.map((each) => getTableName(each))
  const uses = users
    .filter(({ user }) => !spared.includes(user))
    .map(
      ({ user, column }) =>
        sql`exists (select 1 from ${sql.raw(user)} u where u.company_id = ${COMPANY} and u.${sql.identifier(column)} = ${alias}.id)`,
    )
  return uses.length > 0 ? sql`(${sql.join(uses, sql` or `)})` : sql`false`
}
