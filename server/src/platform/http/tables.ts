import { sql } from 'drizzle-orm'
import { pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { bytes, companyFence, instant, ref } from '../database/tables.ts'

/** The first answer to a create call that carried a key, to be given again for 24 hours. */
export const idempotencyTable = pgTable(
  'idempotency_keys',
  {
    company_id: ref().notNull(),
    user_id: ref().notNull(),
    key: text().notNull(),
    request_hash: bytes().notNull(),
    status: smallint(),
    reply: text(),
    created_at: instant().notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.user_id, t.key] }), companyFence()],
)

/** One row while the house is closed for maintenance; written by the operator's command. */
export const maintenanceTable = pgTable('maintenance', {
  message: text().primaryKey(),
  since: instant().notNull().default(sql`now()`),
})
