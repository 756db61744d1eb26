import { sql } from 'drizzle-orm'
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
