import { sql } from 'drizzle-orm'
import { boolean, check, date, index, pgTable, primaryKey, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  companyColumns,
  companyFence,
  instant,
  ofCompany,
  ranges,
  ref,
  refers,
  stamps,
} from '../platform/database/tables.ts'
import { workshopsTable } from '../workshops/tables.ts'

/** A row without a workshop is shared by all workshops of the company. */
const catalogueColumns = {
  ...companyColumns,
  workshop_id: ref(),
  name: text().notNull(),
  search: text().generatedAlwaysAs(sql`plain(name)`),
  ...stamps,
}

export const brandsTable = pgTable('brands', catalogueColumns, (t) => [
  ...ofCompany(t),
  refers('brands_workshop', t, t.workshop_id, workshopsTable),
  uniqueIndex('brands_name_unique').on(t.company_id, sql`coalesce(${t.workshop_id}, 0)`, t.search),
])

export const truckTypesTable = pgTable('truck_types', catalogueColumns, (t) => [
  ...ofCompany(t),
  refers('truck_types_workshop', t, t.workshop_id, workshopsTable),
  uniqueIndex('truck_types_name_unique').on(t.company_id, sql`coalesce(${t.workshop_id}, 0)`, t.search),
])

export const costCentersTable = pgTable('cost_centers', { ...catalogueColumns, description: text() }, (t) => [
  ...ofCompany(t),
  refers('cost_centers_workshop', t, t.workshop_id, workshopsTable),
  uniqueIndex('cost_centers_name_unique').on(t.company_id, sql`coalesce(${t.workshop_id}, 0)`, t.search),
])

export const coupledTable = pgTable(
  'coupled',
  { ...companyColumns, workshop_id: ref().notNull(), patent: text().notNull(), ...stamps },
  (t) => [
    ...ofCompany(t),
    refers('coupled_workshop', t, t.workshop_id, workshopsTable),
    unique('coupled_patent_unique').on(t.company_id, t.patent),
    index('coupled_by_words').using('gin', t.company_id, t.patent.op('gin_trgm_ops')),
  ],
)

export const trucksTable = pgTable(
  'trucks',
  {
    ...companyColumns,
    workshop_id: ref().notNull(),
    code: text().notNull(),
    patent: text().notNull(),
    state: text().notNull().default('active'),
    /** Since when it is out of use. */
    retired_at: instant(),
    /** When it was retired and came back: then it counts for nothing. */
    away: ranges().notNull().default('{}'),
    /** The latest reading, kept beside the readings. */
    mileage: ref().notNull().default(0),
    type_of_truck_id: ref(),
    brand_id: ref(),
    cost_center_id: ref(),
    search: text().generatedAlwaysAs(sql`plain(code || ' ' || patent)`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('trucks_workshop', t, t.workshop_id, workshopsTable),
    refers('trucks_type', t, t.type_of_truck_id, truckTypesTable),
    refers('trucks_brand', t, t.brand_id, brandsTable),
    refers('trucks_cost_center', t, t.cost_center_id, costCentersTable),
    uniqueIndex('trucks_code_unique').on(t.company_id, sql`lower(${t.code})`),
    unique('trucks_patent_unique').on(t.company_id, t.patent),
    index('trucks_by_code').on(t.company_id, t.code, t.id),
    index('trucks_of_workshop').on(t.company_id, t.workshop_id, t.code, t.id),
    index('trucks_by_words').using('gin', t.company_id, t.search.op('gin_trgm_ops')),
    check('trucks_state', sql`${t.state} in ('active', 'inactive')`),
    check('trucks_retired', sql`(${t.state} = 'inactive') = (${t.retired_at} is not null)`),
  ],
)

/** The cost centre that a truck was of before a day; from the last of these on it is the truck's own. */
export const truckCostCentersTable = pgTable(
  'truck_cost_centers',
  {
    company_id: ref().notNull(),
    truck_id: ref().notNull(),
    until_day: date({ mode: 'string' }).notNull(),
    cost_center_id: ref(),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.truck_id, t.until_day] }),
    companyFence(),
    refers('truck_cost_centers_truck', t, t.truck_id, trucksTable).onDelete('cascade'),
    refers('truck_cost_centers_center', t, t.cost_center_id, costCentersTable),
  ],
)

/** The workshop that a truck was at home in before a day; from the last of these on it is the truck's own. */
export const truckWorkshopsTable = pgTable(
  'truck_workshops',
  {
    company_id: ref().notNull(),
    truck_id: ref().notNull(),
    until_day: date({ mode: 'string' }).notNull(),
    workshop_id: ref().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.truck_id, t.until_day] }),
    companyFence(),
    refers('truck_workshops_truck', t, t.truck_id, trucksTable).onDelete('cascade'),
    refers('truck_workshops_workshop', t, t.workshop_id, workshopsTable),
  ],
)

/**
 * What the meter showed, and when. The latest is the truth: an earlier one that is higher does not count, nor one that
 * was voided; both are `superseded`.
 */
export const readingsTable = pgTable(
  'truck_readings',
  {
    ...companyColumns,
    truck_id: ref().notNull(),
    date: instant().notNull(),
    km: ref().notNull(),
    source: text().notNull(),
    correction: boolean().notNull().default(false),
    superseded: boolean().notNull().default(false),
    /** `superseded` as it was when its month was closed: what was driven in that month stays what it was. */
    closed_as: boolean(),
    /** The order that brought it: it follows the order's truck and dates, and goes with the order. */
    work_order_id: ref(),
    voided_at: instant(),
    voided_by: text(),
    /** Given when the truck was created: goes with it. */
    initial: boolean().notNull().default(false),
    note: text(),
    user_id: ref(),
    user_name: text(),
    created_at: instant().notNull().default(sql`now()`),
  },
  (t) => [
    ...ofCompany(t),
    refers('truck_readings_truck', t, t.truck_id, trucksTable),
    // All that is asked of a meter at a moment, or of all of them: the readings themselves are not looked up.
    index('truck_readings_shown').on(t.company_id, t.truck_id, t.date, t.id, t.km, t.closed_as, t.superseded),
    index('truck_readings_by_date').on(t.company_id, t.date, t.truck_id, t.id, t.km, t.closed_as, t.superseded),
    uniqueIndex('truck_readings_of_order').on(t.company_id, t.work_order_id).where(sql`work_order_id is not null`),
    check('truck_readings_km', sql`${t.km} >= 0`),
  ],
)

/** Which unit a truck pulled, from when until when; the open interval is what it pulls now. */
export const couplingsTable = pgTable(
  'couplings',
  {
    ...companyColumns,
    truck_id: ref().notNull(),
    coupled_id: ref().notNull(),
    from_at: instant().notNull(),
    until_at: instant(),
    /** What the truck's meter showed then, where somebody knows; else it is worked out from the readings. */
    from_km: ref(),
    until_km: ref(),
  },
  (t) => [
    ...ofCompany(t),
    refers('couplings_truck', t, t.truck_id, trucksTable),
    refers('couplings_coupled', t, t.coupled_id, coupledTable),
    uniqueIndex('couplings_open_truck').on(t.company_id, t.truck_id).where(sql`until_at is null`),
    uniqueIndex('couplings_open_coupled').on(t.company_id, t.coupled_id).where(sql`until_at is null`),
    index('couplings_of_truck').on(t.company_id, t.truck_id, t.from_at),
    index('couplings_of_coupled').on(t.company_id, t.coupled_id, t.from_at),
    check('couplings_order', sql`${t.until_at} is null or ${t.until_at} >= ${t.from_at}`),
  ],
)
