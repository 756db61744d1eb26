import { type SQL, sql } from 'drizzle-orm'
import { type Db, execute } from './db.ts'

/**
 * Many rows at once, as sets. What comes in lies in the temporary table `incoming`; what a domain did with it in
 * `imported` (row, entity_id, before, after); what is to be taken back in `undoing` (the same, the fields `touched`
 * since, and a reason where it cannot be). All three live as long as the transaction.
 */

export async function stage(db: Db, columns: string, chunks: readonly string[]) {
  await execute(db, sql.raw(`create temp table incoming (${columns}) on commit drop`))
  for (const chunk of chunks)
    await execute(db, sql`insert into incoming select * from jsonb_populate_recordset(null::incoming, ${chunk}::jsonb)`)
  await execute(db, sql`analyze incoming`)
}

/** One thing wrong with one field of one row, found in the database. */
export interface WrongField {
  row: number
  field: string
  value: string | null
  reason: string
}

/** What a set of rows would do, or did. */
export interface Staged {
  new_count: number
  updated_count: number
  same_count: number
  /** Names that are not in their catalogue yet. */
  missing: Record<string, number>
  wrong: WrongField[]
  /** What is unlikely, and has to be meant. */
  doubtful: WrongField[]
}

export interface SampleChange {
  row: number
  code: string
  fields: { field: string; before: string; after: string }[]
}

const decimals = new Intl.NumberFormat('es-CL', { maximumFractionDigits: 4, useGrouping: true })
const shown = (value: string | number | null | undefined) =>
  typeof value === 'number' ? decimals.format(value) : (value ?? '')

type Values = Record<string, string | number | null>

/** Rows before and after, as a person reads what changes in them. */
export const asSamples = (changed: { row: number; code: string; before: Values; after: Values }[]): SampleChange[] =>
  changed.map(({ row, code, before, after }) => ({
    row,
    code,
    fields: Object.keys(after)
      .filter((field) => after[field] !== before[field])
      .map((field) => ({ field, before: shown(before[field]), after: shown(after[field]) })),
  }))

/** How many rows are new, changed and the same, once `state` says so of those that are there. */
export async function countStaged(db: Db) {
  const [counts] = await execute<Pick<Staged, 'new_count' | 'updated_count' | 'same_count'>>(
    db,
    sql`select count(*) filter (where state is null) as new_count, count(*) filter (where state = 'changed') as updated_count,
        count(*) filter (where state = 'same') as same_count from incoming`,
  )
  return counts!
}

/**
 * Notes in `undoing` the fields that somebody changed since, and says so. `fields` names them as a person does; `now`
 * selects the row of `undoing` (`id`) and what is there now (`now`, an object).
 */
export async function findTouched(db: Db, fields: Record<string, string>, now: SQL) {
  const each = Object.entries(fields)
  const listed = (parts: SQL[]) => sql.join(parts, sql`, `)
  const isTouched = (field: string) =>
    sql`u.before -> ${field} is distinct from u.after -> ${field} and n.now -> ${field} is distinct from u.after -> ${field}`
  await execute(
    db,
    sql`update undoing u set touched = array_remove(array[${listed(
      each.map(([field]) => sql`case when ${isTouched(field)} then ${field} end`),
    )}], null) from (${now}) n where n.id = u.id and u.before is not null`,
  )
  await execute(
    db,
    sql`update undoing u set reason = 'Cambió después de la importación: ' || concat_ws(', ', ${listed(
      each.map(([field, label]) => sql`case when ${field} = any(touched) then ${label} end`),
    )}) || '.' where touched <> '{}'`,
  )
}
