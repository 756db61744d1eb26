import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytes, companyColumns, companyFence, instant, ofCompany, ref, refers } from '../database/tables.ts'

/** Each line says which person did which action and when; written by `record` in the transaction of the change itself. */
export const activityTable = pgTable(
  'activity',
  {
    ...companyColumns,
    at: instant().notNull().default(sql`now()`),
    user_id: ref(),
    /** As the person was called then. */
    user_name: text(),
    entity: text().notNull(),
    entity_id: ref().notNull(),
    action: text().notNull(),
    changes: jsonb().notNull(),
  },
  (t) => [...ofCompany(t), index('activity_of_entity').on(t.company_id, t.entity, t.entity_id, t.id)],
)

/** Links of a company's chain: each vouches for some lines of the activity and for all links before it. */
export const activitySealsTable = pgTable(
  'activity_seals',
  {
    ...companyColumns,
    at: instant().notNull().default(sql`now()`),
    last_id: ref().notNull(),
    /** Which key it was made with. */
    key: text().notNull(),
    mac: bytes().notNull(),
  },
  (t) => ofCompany(t),
)

/** The hashes of each sealed line. Without its salt a hash tells nothing of a value that had to be blanked. */
export const sealedActivityTable = pgTable(
  'sealed_activity',
  {
    company_id: ref().notNull(),
    activity_id: ref().notNull(),
    seal_id: ref().notNull(),
    facts: bytes().notNull(),
    person: bytes().notNull(),
    person_salt: bytes(),
    changes: bytes().notNull(),
    changes_salt: bytes(),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.activity_id] }),
    companyFence(),
    refers('sealed_activity_seal', t, t.seal_id, activitySealsTable),
    index('sealed_activity_of_seal').on(t.company_id, t.seal_id, t.activity_id),
  ],
)
