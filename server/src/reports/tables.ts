import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { costCentersTable } from '../fleet/tables.ts'
import { bytes, companyColumns, companyFence, ofCompany, ref, refers, stamps } from '../platform/database/tables.ts'

/** Months that are summed, and which sums are theirs. They hold while no change of the month is marked. */
export const expenseMonthsTable = pgTable(
  'expense_months',
  {
    company_id: ref().notNull(),
    month: text().notNull(),
    time_zone: text().notNull(),
    version: ref().notNull(),
    /** The version that is also summed by day and by truck: a server of the release before does not do that. */
    detailed: ref(),
    /** The version whose orders are also ranked, for the same reason. */
    ranked: ref(),
    /** The version that is also summed by category. */
    filed: ref(),
    /** The version that is also summed by truck and supply, and by provider. */
    taken: ref(),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.month] }), companyFence()],
)

const sum = () => numeric({ precision: 18, scale: 0, mode: 'number' }).notNull()
const units = () => numeric({ precision: 20, scale: 4, mode: 'number' }).notNull()
/** How many of supplies, and of services; and units of services. */
const lines = () => ({ lines: integer().notNull(), service_lines: integer().notNull(), service_units: units() })

/** What was spent in a month, per workshop and supply; services are supply 0. */
export const expenseSumsTable = pgTable(
  'expense_sums',
  {
    company_id: ref().notNull(),
    version: ref().notNull(),
    workshop_id: ref().notNull(),
    supply_id: ref().notNull(),
    amount: sum(),
    lines: integer().notNull().default(0),
    count: units().default(0),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.version, t.workshop_id, t.supply_id] }), companyFence()],
)

/**
 * The same per category, 0 where there is none and -1 for services: as supplies are filed in `expense_filings`, which those
 * that were filed elsewhere since are told from.
 */
export const expenseCategorySumsTable = pgTable(
  'expense_category_sums',
  {
    company_id: ref().notNull(),
    version: ref().notNull(),
    workshop_id: ref().notNull(),
    category_id: ref().notNull(),
    amount: sum(),
    lines: integer().notNull(),
    count: units(),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.version, t.workshop_id, t.category_id] }), companyFence()],
)
export const expenseFilingsTable = pgTable(
  'expense_filings',
  { company_id: ref().notNull(), supply_id: ref().notNull(), category_id: ref().notNull() },
  (t) => [primaryKey({ columns: [t.company_id, t.supply_id] }), companyFence()],
)

/** What services cost in a month, per workshop and provider. */
export const expenseProviderSumsTable = pgTable(
  'expense_provider_sums',
  {
    company_id: ref().notNull(),
    version: ref().notNull(),
    workshop_id: ref().notNull(),
    provider_id: ref().notNull(),
    amount: sum(),
    lines: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.version, t.workshop_id, t.provider_id] }), companyFence()],
)

/** What each order spent in a month, and how many units of supplies it took. */
export const expenseOrderSumsTable = pgTable(
  'expense_order_sums',
  {
    company_id: ref().notNull(),
    version: ref().notNull(),
    work_order_id: ref().notNull(),
    workshop_id: ref().notNull(),
    truck_id: ref().notNull(),
    supplies: sum(),
    services: sum(),
    count: units(),
    /** It may have spent in another month too: added up, those are one order. */
    several: boolean().notNull().default(false),
    /** What it is ranked by besides what it spent: its number, the dearest of its supply lines and of its services. */
    number: ref(),
    dearest_supply: ref(),
    dearest_service: ref(),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.version, t.work_order_id] }),
    index('expense_order_sums_of_order').on(t.company_id, t.work_order_id),
    index('expense_order_sums_of_truck').on(t.company_id, t.truck_id, t.version),
    index('expense_order_sums_several').on(t.company_id, t.version).where(sql`several`),
    index('expense_order_sums_by_amount').on(t.company_id, t.version, sql`(supplies + services)`),
    index('expense_order_sums_by_number').on(t.company_id, t.version, t.number),
    index('expense_order_sums_by_supply').on(t.company_id, t.version, t.dearest_supply),
    index('expense_order_sums_by_service').on(t.company_id, t.version, t.dearest_service),
    companyFence(),
  ],
)

/** The same day by day, labour beside it: for months of which some days are asked for. */
export const expenseDaySumsTable = pgTable(
  'expense_day_sums',
  {
    company_id: ref().notNull(),
    version: ref().notNull(),
    work_order_id: ref().notNull(),
    day: date({ mode: 'string' }).notNull(),
    workshop_id: ref().notNull(),
    truck_id: ref().notNull(),
    supplies: sum(),
    services: sum(),
    labour: sum(),
    count: units(),
    ...lines(),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.version, t.work_order_id, t.day] }), companyFence()],
)

/** The same truck by truck, for years: what it spent in a month in each workshop, and in how many orders. */
export const expenseTruckSumsTable = pgTable(
  'expense_truck_sums',
  {
    company_id: ref().notNull(),
    version: ref().notNull(),
    truck_id: ref().notNull(),
    workshop_id: ref().notNull(),
    orders: integer().notNull(),
    /** Of those, the ones that took supplies. */
    takers: integer().notNull(),
    supplies: sum(),
    services: sum(),
    count: units(),
    ...lines(),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.version, t.truck_id, t.workshop_id] }), companyFence()],
)

/**
 * What each truck took of each supply in a month, per workshop. There may be nearly as many of these as lines: they are lists
 * beside each other (`Taken`), which are read in a tenth of what as many rows take. Counts are ten-thousandths.
 */
export const expenseTakenSumsTable = pgTable(
  'expense_taken_sums',
  {
    company_id: ref().notNull(),
    version: ref().notNull(),
    workshop_id: ref().notNull(),
    pairs: bytes().notNull(),
    counts: bytes().notNull(),
    amounts: bytes().notNull(),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.version, t.workshop_id] }), companyFence()],
)

/** What the labour of each order cost in a month: apart, since not everyone counts it. */
export const expenseLabourSumsTable = pgTable(
  'expense_labour_sums',
  {
    company_id: ref().notNull(),
    version: ref().notNull(),
    work_order_id: ref().notNull(),
    workshop_id: ref().notNull(),
    truck_id: ref().notNull(),
    labour: sum(),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.version, t.work_order_id] }), companyFence()],
)

/** What a month came to when it was closed: of whom or what (`of`), in pesos or kilometres. It is never otherwise again. */
export const closedFiguresTable = pgTable(
  'closed_figures',
  {
    company_id: ref().notNull(),
    month: text().notNull(),
    figure: text().notNull(),
    of: ref().notNull(),
    amount: sum(),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.month, t.figure, t.of] }), companyFence()],
)

const hours = () => doublePrecision().notNull()

/**
 * What trucks were stopped for in a month, in hours, as it was when the month was closed: reports take it from here.
 * Times of works go on changing (a pause turns them into hours) without the month. Truck 0 is the month itself.
 */
export const closedHoursTable = pgTable(
  'closed_hours',
  {
    company_id: ref().notNull(),
    month: text().notNull(),
    truck_id: ref().notNull(),
    /** Of the orders. */
    workshop_id: ref().notNull(),
    /** And of the truck, which may be of another since. */
    own: boolean().notNull().default(false),
    timed: hours(),
    parts: hours(),
    noted: hours(),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.month, t.truck_id, t.workshop_id] }), companyFence()],
)

/** What a cost centre may cost in a month, `2026-11`; without a centre, the trucks that are of none. */
export const budgetsTable = pgTable(
  'budgets',
  { ...companyColumns, cost_center_id: ref(), month: text().notNull(), amount: sum(), ...stamps },
  (t) => [
    ...ofCompany(t),
    refers('budgets_cost_center', t, t.cost_center_id, costCentersTable),
    uniqueIndex('budgets_once').on(t.company_id, t.month, sql`coalesce(${t.cost_center_id}, 0)`),
    check('budgets_amount', sql`${t.amount} >= 0`),
  ],
)
