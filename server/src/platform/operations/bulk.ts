import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { BEGAN, type Db, rows } from '../database/db.ts'

/**
 * Many rows at once, as sets. What comes in lies in the temporary table `incoming`; what a domain did with it in
 * `imported` (row, entity_id, before, after); what is to be taken back in `undoing` (the same, the fields `touched`
 * since, and a reason where it cannot be). All three live as long as the transaction.
 */

export async function stage(db: Db, columns: string, chunks: readonly string[]) {
  await rows(db, sql.raw(`create temp table incoming (${columns}) on commit drop`))
  for (const chunk of chunks)
    await rows(db, sql`insert into incoming select * from jsonb_populate_recordset(null::incoming, ${chunk}::jsonb)`)
  await rows(db, sql`create unique index on incoming (row)`)
  await rows(db, sql`analyze incoming`)
}

/** What was staged, as `i` or `u`: on a cluster it goes to the company's node as a whole before it is put beside what is there. */
export const STAGED = {
  incoming: sql`i as materialized (select * from incoming)`,
  undoing: sql`u as materialized (select * from undoing)`,
}
const KEYS = { incoming: sql.raw('row'), undoing: sql.raw('id') }
const given = (columns: string[]) =>
  sql.join(
    columns.map((column) => sql`${sql.raw(column)} = n.${sql.raw(column)}`),
    sql`, `,
  )

/**
 * Gives rows of a staged table what `found` selects out of `i` or `u`: their key (`row` or `id`) and those columns. It is
 * worked out before, because a cluster changes no temporary table by what is on its nodes.
 */
export const settle = (db: Db, table: keyof typeof STAGED, columns: string[], found: SQL) =>
  rows(
    db,
    sql`with ${STAGED[table]}, n as materialized (${found}) update ${sql.raw(table)} s set ${given(columns)} from n
        where n.${KEYS[table]} = s.${KEYS[table]}`,
  )

/** When it was changed last, as if the import had not been; now, where something else was changed meanwhile. */
export const formerTime = (row: SQL) =>
  sql`case when ${row}.updated_at = (u.after ->> 'updated_at')::timestamptz
    then (u.before ->> 'updated_at')::timestamptz else ${BEGAN} end`

/** Gives rows of a company's table, by their `id`, the values that `found` selects out of `u`. */
export const giveBack = (db: Db, table: PgTable, company_id: number, values: Record<string, SQL>, found: SQL) =>
  rows(
    db,
    sql`with ${STAGED.undoing}, n as materialized (select ${sql.join(
      Object.entries(values).map(([column, value]) => sql`${value} as ${sql.raw(column)}`),
      sql`, `,
    )} ${found}) update ${table} t set ${given(Object.keys(values).filter((column) => column !== 'id'))} from n
        where t.company_id = ${company_id} and t.id = n.id`,
  )

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
  const [counts] = await rows<Pick<Staged, 'new_count' | 'updated_count' | 'same_count'>>(
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
  await settle(
    db,
    'undoing',
    ['touched'],
    sql`select u.id, array_remove(array[${listed(
      each.map(([field]) => sql`case when ${isTouched(field)} then ${field} end`),
    )}], null) as touched from u join (${now}) n on n.id = u.id where u.before is not null`,
  )
  await rows(
    db,
    sql`update undoing u set reason = 'Cambió después de la importación: ' || concat_ws(', ', ${listed(
      each.map(([field, label]) => sql`case when ${field} = any(touched) then ${label} end`),
    )}) || '.' where touched <> '{}'`,
  )
}
