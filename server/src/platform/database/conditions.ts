import { type SQL, sql } from 'drizzle-orm'

/* Conditions that filters are made of. */

export const all = (conditions: (SQL | undefined)[]) =>
  sql.join(
    conditions.filter((c) => c !== undefined),
    sql` and `,
  )

/**
 * One of these, or any where none are asked for. A single one is compared as such: an index that has it before what is
 * sorted by is then walked in order.
 */
export const oneOf = (column: SQL, values: readonly (number | string)[] | undefined): SQL | undefined => {
  if (!values?.length) return undefined
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${sql.param(values)})`
}

/**
 * What an id is compared with. The planner does not see how many there are: it would plan the statement anew for every
 * number of them, as it does for `oneOf`.
 */
export const oneOfIds = (ids: readonly (number | string)[]): SQL =>
  ids.length === 1 ? sql`${ids[0]}` : sql`any((select ${sql.param(ids)}::bigint[])::bigint[])`

/** The same for words that the contract names: they are part of the statement. */
export const oneOfNames = (names: readonly string[]): SQL =>
  sql`in (${sql.raw(names.map((name) => `'${name.replaceAll("'", "''")}'`).join())})`

/** Moments of a zone (`2026-03-01` or `2026-03-01 14:00:00`) between which a column lies, both ends included. */
export function between(column: SQL, range: string | undefined, zone: string): SQL | undefined {
  if (!range) return undefined
  const [from = '', to = ''] = range.split(',')
  // Days and seconds are half-open intervals: the end is the start of what follows, whatever the clock did that night.
  const step = to.length === 10 ? sql`interval '1 day'` : sql`interval '1 second'`
  return sql`${column} >= (${from}::timestamp at time zone ${zone}) and ${column} < ((${to}::timestamp + ${step}) at time zone ${zone})`
}
