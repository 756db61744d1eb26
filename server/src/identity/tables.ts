import { sql } from 'drizzle-orm'
import { boolean, check, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytes, companyFence, instant, ref, refers, stamps } from '../platform/tables.ts'
import { companiesTable, workshopsTable } from '../workshops/tables.ts'

/** People. They belong to no company: one person may work in several. */
export const usersTable = pgTable(
  'users',
  {
    id: ref().primaryKey().generatedByDefaultAsIdentity(),
    email: text().notNull(),
    name: text().notNull(),
    password_hash: text().notNull(),
    active: boolean().notNull().default(true),
    ...stamps,
  },
  (t) => [uniqueIndex('users_email_unique').on(sql`lower(${t.email})`)],
)

export const membershipsTable = pgTable(
  'memberships',
  { company_id: ref().notNull(), user_id: ref().notNull(), role: text().notNull(), workshop_id: ref(), ...stamps },
  (t) => [
    primaryKey({ columns: [t.company_id, t.user_id] }),
    companyFence(),
    index('memberships_of_user').on(t.user_id),
    foreignKey({ name: 'memberships_company', columns: [t.company_id], foreignColumns: [companiesTable.id] }),
    foreignKey({ name: 'memberships_user', columns: [t.user_id], foreignColumns: [usersTable.id] }),
    refers('memberships_workshop', t, t.workshop_id, workshopsTable),
    check('memberships_scope', sql`(${t.role} = 'super-admin') = (${t.workshop_id} is null)`),
  ],
)

/** Open sessions. The token itself is only with the person; here is its SHA-256. */
export const sessionsTable = pgTable(
  'sessions',
  {
    id: ref().primaryKey().generatedByDefaultAsIdentity(),
    token_hash: bytes().notNull(),
    user_id: ref().notNull(),
    created_at: instant().notNull().default(sql`now()`),
    last_seen_at: instant().notNull().default(sql`now()`),
    expires_at: instant().notNull(),
    agent: text().notNull(),
    address: text().notNull(),
  },
  (t) => [
    uniqueIndex('sessions_token').on(t.token_hash),
    index('sessions_of_user').on(t.user_id),
    index('sessions_expiry').on(t.expires_at),
    foreignKey({ name: 'sessions_user', columns: [t.user_id], foreignColumns: [usersTable.id] }),
  ],
)

/** Failed logins in a row, per account and per address. */
export const loginFailuresTable = pgTable('login_failures', {
  key: text().primaryKey(),
  count: integer().notNull(),
  last_at: instant().notNull(),
})
