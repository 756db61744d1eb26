import { type SQL, sql } from 'drizzle-orm'

/* Conditions that filters are made of; `undefined` where nothing is filtered. */

/** Joins conditions with `and`. */
export const all = (conditions: (SQL | undefined)[]) =>
  sql.join(
    conditions.filter((c) => c !== undefined),
    sql` and `,
  )

/**
 * The column has one of these values. A single value is compared with `=`, so that an index on the column and then on the
 * sort is read in order.
 */
export const oneOf = (column: SQL, values: readonly (number | string)[] | undefined): SQL | undefined => {
  if (!values?.length) return undefined
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${sql.param(values)})`
}

/**
 * The right-hand side of `id = …` for ids that a query found, which may be thousands. The planner does not see how many there
 * are and keeps one plan; filters that people choose use `oneOf`.
 */
export const oneOfIds = (ids: readonly (number | string)[]): SQL =>
  ids.length === 1 ? sql`${ids[0]}` : sql`any((select ${sql.param(ids)}::bigint[])::bigint[])`

/**
 * A value that the contract declares, as text of the statement: the planner knows it, and may use an index of rows that have
 * it. Values that a caller sends are parameters instead.
 */
export const literal = (value: number | string): SQL =>
  sql.raw(typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`)

/** The right-hand side for names that the contract declares, as `literal`. */
export const oneOfNames = (names: readonly string[]): SQL => sql`in (${sql.join(names.map(literal), sql`,`)})`

/** So many days, as text of the statement: the planner then knows how many rows lie within them. */
export const intervalOfDays = (count: number): SQL => sql.raw(`interval '${Number(count)} days'`)

/** Moments of a zone (`2026-03-01` or `2026-03-01 14:00:00`) between which a column lies, both ends included. */
export function between(column: SQL, range: string | undefined, zone: string): SQL | undefined {
  if (!range) return undefined
  const [from = '', to = ''] = range.split(',')
  // Days and seconds are half-open intervals: the end is the start of what follows, whatever the clock did that night.
  const step = to.length === 10 ? sql`interval '1 day'` : sql`interval '1 second'`
  return sql`${column} >= (${from}::timestamp at time zone ${zone}) and ${column} < ((${to}::timestamp + ${step}) at time zone ${zone})`
}
