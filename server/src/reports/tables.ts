import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { costCentersTable } from '../fleet/tables.ts'
import { companyColumns, companyFence, ofCompany, ref, refers, stamps } from '../platform/database/tables.ts'

const sum = () => numeric({ precision: 18, scale: 0, mode: 'number' }).notNull()

/*
 * The next four, and `expense_changes` of work-orders, are the sums of months of 0.1.0. Nothing reads or writes them: 0.1.0
 * does, and may run beside this release. The one after the next drops them.
 */
export const expenseMonthsTable = pgTable(
  'expense_months',
  { company_id: ref().notNull(), month: text().notNull(), time_zone: text().notNull(), version: ref().notNull() },
  (t) => [primaryKey({ columns: [t.company_id, t.month] }), companyFence()],
)
export const expenseSumsTable = pgTable(
  'expense_sums',
  {
    company_id: ref().notNull(),
    version: ref().notNull(),
    workshop_id: ref().notNull(),
    supply_id: ref().notNull(),
    amount: sum(),
    lines: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.version, t.workshop_id, t.supply_id] }), companyFence()],
)
const ofOrder = {
  company_id: ref().notNull(),
  version: ref().notNull(),
  work_order_id: ref().notNull(),
  workshop_id: ref().notNull(),
  truck_id: ref().notNull(),
}
export const expenseOrderSumsTable = pgTable(
  'expense_order_sums',
  {
    ...ofOrder,
    supplies: sum(),
    services: sum(),
    count: numeric({ precision: 20, scale: 4, mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.version, t.work_order_id] }), companyFence()],
)
export const expenseLabourSumsTable = pgTable('expense_labour_sums', { ...ofOrder, labour: sum() }, (t) => [
  primaryKey({ columns: [t.company_id, t.version, t.work_order_id] }),
  companyFence(),
])

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
