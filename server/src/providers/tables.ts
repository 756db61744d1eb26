import { sql } from 'drizzle-orm'
import { check, index, integer, numeric, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyColumns, ofCompany, ref, refers, stamps } from '../platform/database/tables.ts'
import { workshopsTable } from '../workshops/tables.ts'

/** A name without accents, dots and legal form: what tells firms apart. `Frenos Sur S.A.` and `FRENOS SUR SpA` agree. */
export const firmName = (name: unknown) =>
  sql`btrim(regexp_replace(translate(plain(${name}), '.,', ''), '( (spa|sa|ltda|limitada|eirl|cia|y))+$', ''))`

/** A provider without a workshop serves all workshops of the company. */
export const providersTable = pgTable(
  'providers',
  {
    ...companyColumns,
    workshop_id: ref(),
    name: text().notNull(),
    dni: text(),
    phone: text(),
    email: text(),
    address: text(),
    /** How many days after its date an invoice of theirs is due. */
    payment_days: integer().notNull().default(30),
    state: text().notNull().default('active'),
    search: text().generatedAlwaysAs(
      sql`plain(name || ' ' || coalesce(dni || ' ' || replace(dni, '-', ''), '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone || ' ' || replace(phone, ' ', ''), '') || ' ' || coalesce(address, ''))`,
    ),
    firm: text().generatedAlwaysAs(firmName(sql`name`)),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('providers_workshop', t, t.workshop_id, workshopsTable),
    uniqueIndex('providers_dni_unique').on(t.company_id, sql`lower(${t.dni})`),
    index('providers_by_firm').using('gin', t.company_id, t.firm.op('gin_trgm_ops')),
    index('providers_by_name').on(t.company_id, t.name, t.id),
    check('providers_payment_days', sql`${t.payment_days} between 0 and 365`),
    check('providers_state', sql`${t.state} in ('active', 'inactive')`),
  ],
)

/** A row without a workshop is shared by all workshops of the company. */
export const serviceCategoriesTable = pgTable(
  'service_categories',
  {
    ...companyColumns,
    workshop_id: ref(),
    name: text().notNull(),
    description: text(),
    search: text().generatedAlwaysAs(sql`plain(name)`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('service_categories_workshop', t, t.workshop_id, workshopsTable),
    uniqueIndex('service_categories_name_unique').on(t.company_id, sql`coalesce(${t.workshop_id}, 0)`, t.search),
  ],
)

/** Of its provider's workshop; where the provider serves all, of one workshop (with its own price) or of all. */
export const servicesTable = pgTable(
  'provider_services',
  {
    ...companyColumns,
    provider_id: ref().notNull(),
    workshop_id: ref(),
    category_id: ref(),
    code: text().notNull(),
    name: text().notNull(),
    description: text(),
    unit_price: numeric({ precision: 16, scale: 4, mode: 'number' }).notNull(),
    state: text().notNull().default('active'),
    search: text().generatedAlwaysAs(sql`plain(code || ' ' || name)`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('provider_services_provider', t, t.provider_id, providersTable),
    refers('provider_services_workshop', t, t.workshop_id, workshopsTable),
    refers('provider_services_category', t, t.category_id, serviceCategoriesTable),
    uniqueIndex('provider_services_code_unique').on(
      t.company_id,
      t.provider_id,
      sql`coalesce(${t.workshop_id}, 0)`,
      sql`lower(${t.code})`,
    ),
    index('provider_services_of_provider').on(t.company_id, t.provider_id, t.code, t.id),
    check('provider_services_state', sql`${t.state} in ('active', 'inactive')`),
    check('provider_services_price', sql`${t.unit_price} >= 0`),
  ],
)
