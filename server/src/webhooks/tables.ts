import { sql } from 'drizzle-orm'
import { boolean, check, foreignKey, index, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { companyColumns, instant, ofCompany, ref, refers, stamps } from '../platform/database/tables.ts'
import { companiesTable } from '../workshops/tables.ts'

/** Another system that is told what happens. The secret signs what it is told. */
export const webhooksTable = pgTable(
  'webhooks',
  {
    ...companyColumns,
    name: text().notNull(),
    url: text().notNull(),
    secret: text().notNull(),
    events: text().array().notNull(),
    active: boolean().notNull().default(true),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    foreignKey({ name: 'webhooks_company', columns: [t.company_id], foreignColumns: [companiesTable.id] }),
  ],
)

/** What was told or is still to be told, and what came of it. */
export const deliveriesTable = pgTable(
  'webhook_deliveries',
  {
    ...companyColumns,
    webhook_id: ref().notNull(),
    event: text().notNull(),
    body: jsonb().notNull(),
    state: text().notNull().default('queued'),
    attempts: smallint().notNull().default(0),
    answer: text(),
    created_at: instant().notNull().default(sql`now()`),
    delivered_at: instant(),
  },
  (t) => [
    ...ofCompany(t),
    refers('webhook_deliveries_webhook', t, t.webhook_id, webhooksTable).onDelete('cascade'),
    index('webhook_deliveries_by_age').on(t.company_id, t.created_at, t.id),
    index('webhook_deliveries_of_webhook').on(t.company_id, t.webhook_id),
    check('webhook_deliveries_state', sql`${t.state} in ('queued', 'delivered', 'failed')`),
  ],
)
