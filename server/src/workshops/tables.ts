import { boolean, foreignKey, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { DEFAULT_ZONE } from '#contract/dates.ts'
import { companyColumns, ofCompany, ref, stamps } from '../platform/tables.ts'

export const companiesTable = pgTable('companies', {
  id: ref().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull(),
  dni: text(),
  time_zone: text().notNull().default(DEFAULT_ZONE),
  ...stamps,
})

export const workshopsTable = pgTable(
  'workshops',
  { ...companyColumns, name: text().notNull(), address: text(), active: boolean().notNull().default(true), ...stamps },
  (t) => [
    ...ofCompany(t),
    foreignKey({ name: 'workshops_company', columns: [t.company_id], foreignColumns: [companiesTable.id] }),
    unique('workshops_name_unique').on(t.company_id, t.name),
  ],
)
