import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type Db, one, rows } from './db.ts'
import { countersTable } from './tables.ts'

/** A number as people read it, with its kind before it: OT-000123. With all its digits, however many. */
export const coded = (kind: string, number: SQL) =>
  sql`${sql.raw(`'${kind}-'`)} || lpad(${number}::text, greatest(6, length(${number}::text)), '0')`

/**
 * Writes a row with the next number of its kind in the company. One at a time until the end of the transaction, so that whoever rolls back
 * has not used one up; what was deleted keeps its own.
 */
export async function insertNumbered(
  db: Db,
  kind: string,
  table: PgTable,
  values: { company_id: number } & Record<string, unknown>,
): Promise<{ id: number; number: number; created_at: string }> {
  const columns = getTableColumns(table)
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const names = given.map(([name]) => sql.identifier(columns[name]!.name))
  const params = given.map(([name, value]) => sql`${sql.param(value, columns[name])}`)
  return one(
    await rows<{ id: number; number: number; created_at: string }>(
      db,
      sql`with n as (
            insert into ${countersTable} as c (company_id, kind, last) values (${values.company_id}, ${kind}, 1)
            on conflict (company_id, kind) do update set last = c.last + 1 returning last)
          insert into ${table} (number, ${sql.join(names, sql`, `)})
          select n.last, ${sql.join(params, sql`, `)} from n returning id, number, created_at`,
    ),
  )
}
