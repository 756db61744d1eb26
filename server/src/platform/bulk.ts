import { sql } from 'drizzle-orm'
import { type Db, execute } from './db.ts'

/**
 * Many rows at once, as sets. What comes in lies in the temporary table `incoming`; what a domain did with it in
 * `imported` (row, entity_id, before, after); what is to be taken back in `undoing` (the same, and a reason where it
 * cannot be). All three live as long as the transaction.
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
}

export interface SampleChange {
  row: number
  code: string
  fields: { field: string; before: string; after: string }[]
}
