import { sql } from 'drizzle-orm'
import { check, index, numeric, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyColumns, companyFence, instant, ofCompany, ref, refers, stamps } from '../platform/database/tables.ts'
import { workshopsTable } from '../workshops/tables.ts'

/** A row without a workshop is shared by all workshops of the company. */
const choiceColumns = {
  ...companyColumns,
  workshop_id: ref(),
  name: text().notNull(),
  search: text().generatedAlwaysAs(sql`plain(name)`),
  ...stamps,
}

export const categoriesTable = pgTable('categories', choiceColumns, (t) => [
  ...ofCompany(t),
  refers('categories_workshop', t, t.workshop_id, workshopsTable),
  uniqueIndex('categories_name_unique').on(t.company_id, sql`coalesce(${t.workshop_id}, 0)`, t.search),
])

export const measurementUnitsTable = pgTable('measurement_units', choiceColumns, (t) => [
  ...ofCompany(t),
  refers('measurement_units_workshop', t, t.workshop_id, workshopsTable),
  uniqueIndex('measurement_units_name_unique').on(t.company_id, sql`coalesce(${t.workshop_id}, 0)`, t.search),
])

const cost = () => numeric({ precision: 14, scale: 4, mode: 'number' }).notNull()

export const suppliesTable = pgTable(
  'supplies',
  {
    ...companyColumns,
    workshop_id: ref().notNull(),
    code: text().notNull(),
    name: text().notNull(),
    description: text(),
    /** The newest of its `supply_costs`. */
    cost: cost(),
    category_id: ref(),
    measurement_units_id: ref(),
    state: text().notNull().default('active'),
    search: text().generatedAlwaysAs(sql`plain(code || ' ' || name)`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('supplies_workshop', t, t.workshop_id, workshopsTable),
    refers('supplies_category', t, t.category_id, categoriesTable),
    refers('supplies_measurement_unit', t, t.measurement_units_id, measurementUnitsTable),
    uniqueIndex('supplies_code_unique').on(t.company_id, t.workshop_id, sql`lower(${t.code})`),
    index('supplies_by_code').on(t.company_id, t.code, t.id),
    index('supplies_by_name').on(t.company_id, t.name, t.id),
    index('supplies_by_cost').on(t.company_id, t.cost, t.id),
    index('supplies_by_words').using('gin', t.company_id, t.search.op('gin_trgm_ops')),
    index('supplies_of_workshop').on(t.company_id, t.workshop_id, t.code, t.id),
    index('supplies_of_category').on(t.company_id, t.category_id, t.code, t.id),
    index('supplies_by_category').on(t.company_id, t.category_id, t.id),
    index('supplies_by_unit').on(t.company_id, t.measurement_units_id, t.id),
    index('supplies_by_workshop').on(t.company_id, t.workshop_id, t.id),
    index('supplies_by_state').on(t.company_id, t.state, t.id),
    index('supplies_by_change').on(t.company_id, t.updated_at, t.id),
    check('supplies_state', sql`${t.state} in ('active', 'inactive')`),
    check('supplies_cost', sql`${t.cost} >= 0`),
  ],
)

/** Where a supply was filed when the months before a moment were closed: what they spent stays counted there. */
export const supplyFilingsTable = pgTable(
  'supply_filings',
  { company_id: ref().notNull(), supply_id: ref().notNull(), until_at: instant().notNull(), category_id: ref() },
  (t) => [
    primaryKey({ columns: [t.company_id, t.supply_id, t.until_at] }),
    companyFence(),
    refers('supply_filings_supply', t, t.supply_id, suppliesTable).onDelete('cascade'),
    refers('supply_filings_category', t, t.category_id, categoriesTable),
  ],
)

/** What a supply has cost, from when on; one row per change. */
export const supplyCostsTable = pgTable(
  'supply_costs',
  {
    ...companyColumns,
    supply_id: ref().notNull(),
    at: instant().notNull().default(sql`now()`),
    cost: cost(),
    source: text().notNull(),
    /** Code of the import, or number of the document. */
    reference: text(),
    user_id: ref(),
    user_name: text(),
  },
  (t) => [
    ...ofCompany(t),
    refers('supply_costs_supply', t, t.supply_id, suppliesTable),
    index('supply_costs_of_supply').on(t.company_id, t.supply_id, t.at, t.id),
    check('supply_costs_source', sql`${t.source} in ('manual', 'import', 'purchase')`),
  ],
)
