import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { ImportKind, ImportPhase, ImportResult, ImportState } from '#contract/imports/imports.ts'
import { companyColumns, ofCompany, ref, refers, stamps } from '../platform/database/tables.ts'
import { workshopsTable } from '../workshops/tables.ts'

export type Counts = Omit<ImportResult, 'unique_key' | 'channel'>
/** What came of it, and the header behind each field, as it was chosen. */
type Outcome = Counts & { matched?: Record<string, string> }

/** One spreadsheet that was brought in, or is being. */
export const importsTable = pgTable(
  'imports',
  {
    ...companyColumns,
    unique_key: text().notNull(),
    kind: text().$type<ImportKind>().notNull(),
    user_id: ref().notNull(),
    user_name: text().notNull(),
    /** Where the person works; null: in all workshops. */
    workshop_id: ref(),
    file_name: text().notNull(),
    state: text().$type<ImportState>().notNull().default('running'),
    phase: text().$type<ImportPhase>().notNull().default('reading'),
    /** Rows read so far. */
    progress: integer().notNull().default(0),
    counts: jsonb().$type<Outcome>(),
    message: text(),
    /** Ids of what was made on the way (categories, brands…), by table; goes with the import unless used. */
    made: jsonb().$type<Record<string, number[]>>().notNull().default({}),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('imports_workshop', t, t.workshop_id, workshopsTable),
    uniqueIndex('imports_key_unique').on(t.company_id, t.unique_key),
    index('imports_of_user').on(t.company_id, t.user_id, t.id),
    check('imports_state', sql`${t.state} in ('running', 'done', 'failed', 'undone', 'partly_undone')`),
  ],
)

/** What an import did to one row: how it was (null: it was new) and how it became. */
export const importRowsTable = pgTable(
  'import_rows',
  {
    ...companyColumns,
    import_id: ref().notNull(),
    row: integer().notNull(),
    entity_id: ref().notNull(),
    before: jsonb(),
    after: jsonb().notNull(),
    undone: boolean().notNull().default(false),
  },
  (t) => [
    ...ofCompany(t),
    refers('import_rows_import', t, t.import_id, importsTable),
    index('import_rows_of_import').on(t.company_id, t.import_id, t.id),
  ],
)
