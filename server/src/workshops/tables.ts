import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { DEFAULT_ZONE } from '#contract/base/dates.ts'
import { SESSION_DAYS, SESSION_IDLE_HOURS } from '#contract/workshops/security.ts'
import {
  bytes,
  companyColumns,
  companyFence,
  instant,
  ofCompany,
  ref,
  refers,
  stamps,
} from '../platform/database/tables.ts'

export const companiesTable = pgTable('companies', {
  id: ref().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull(),
  dni: text(),
  time_zone: text().notNull().default(DEFAULT_ZONE),
  /** A PNG or JPG, named without a foreign key: on a cluster every node has this table, and files are only on one. */
  logo_hash: text(),
  /** From when files were kept in the database; a job empties it. */
  logo: bytes(),
  /** How long a session lasts without use, and at all. */
  session_idle_hours: smallint().notNull().default(SESSION_IDLE_HOURS),
  session_days: smallint().notNull().default(SESSION_DAYS),
  /** Roles that come in only with a second factor. */
  factor_roles: text().array().notNull().default([]),
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

/** What a company decided; what it never touched is not here, and has the contract's initial value. */
export const settingsTable = pgTable(
  'settings',
  { company_id: ref().notNull(), name: text().notNull(), setting_value: jsonb().notNull(), ...stamps },
  (t) => [
    primaryKey({ columns: [t.company_id, t.name] }),
    companyFence(),
    foreignKey({ name: 'settings_company', columns: [t.company_id], foreignColumns: [companiesTable.id] }),
  ],
)

const rosterColumns = { ...companyColumns, workshop_id: ref().notNull() }
const personColumns = {
  names: text().notNull(),
  last_name_p: text().notNull(),
  last_name_m: text(),
  dni: text(),
}
const state = () => text().notNull().default('active')
const personSearch = sql.raw(
  `names || ' ' || last_name_p || ' ' || coalesce(last_name_m, '') || ' ' || coalesce(dni || ' ' || replace(dni, '-', ''), '')`,
)

/** A place in a workshop where one piece of equipment is worked on. */
export const boxesTable = pgTable(
  'boxes',
  {
    ...rosterColumns,
    name: text().notNull(),
    state: state(),
    search: text().generatedAlwaysAs(sql`plain(name)`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('boxes_workshop', t, t.workshop_id, workshopsTable),
    uniqueIndex('boxes_name_unique').on(t.company_id, t.workshop_id, t.search),
    check('boxes_state', sql`${t.state} in ('active', 'inactive')`),
  ],
)

/** Who does the work; they need not be somebody who logs in. */
export const specialistsTable = pgTable(
  'specialists',
  {
    ...rosterColumns,
    ...personColumns,
    position: text(),
    state: state(),
    search: text().generatedAlwaysAs(sql`plain(${personSearch} || ' ' || coalesce(position, ''))`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('specialists_workshop', t, t.workshop_id, workshopsTable),
    uniqueIndex('specialists_dni_unique').on(t.company_id, t.workshop_id, sql`lower(${t.dni})`),
    index('specialists_by_name').on(t.company_id, t.last_name_p, t.names, t.id),
    check('specialists_state', sql`${t.state} in ('active', 'inactive')`),
  ],
)

/** What an hour of a specialist costs from a day on. */
export const hourlyCostsTable = pgTable(
  'hourly_costs',
  {
    company_id: ref().notNull(),
    specialist_id: ref().notNull(),
    from_day: date({ mode: 'string' }).notNull(),
    amount: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.specialist_id, t.from_day] }),
    companyFence(),
    foreignKey({
      name: 'hourly_costs_specialist',
      columns: [t.company_id, t.specialist_id],
      foreignColumns: [specialistsTable.company_id, specialistsTable.id],
    }).onDelete('cascade'),
    check('hourly_costs_amount', sql`${t.amount} >= 0`),
  ],
)

export const driversTable = pgTable(
  'drivers',
  {
    ...rosterColumns,
    ...personColumns,
    phone: text(),
    licence_class: text(),
    licence_expires_on: date({ mode: 'string' }),
    state: state(),
    search: text().generatedAlwaysAs(sql`plain(${personSearch})`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('drivers_workshop', t, t.workshop_id, workshopsTable),
    uniqueIndex('drivers_dni_unique').on(t.company_id, t.workshop_id, sql`lower(${t.dni})`),
    index('drivers_by_name').on(t.company_id, t.last_name_p, t.names, t.id),
    check('drivers_state', sql`${t.state} in ('active', 'inactive')`),
  ],
)

/** The last month of a company in which nothing may change any more. */
export const closedMonthsTable = pgTable(
  'closed_months',
  { company_id: ref().notNull(), closed_through: text(), updated_at: instant().notNull().default(sql`now()`) },
  (t) => [
    primaryKey({ columns: [t.company_id] }),
    companyFence(),
    foreignKey({ name: 'closed_months_company', columns: [t.company_id], foreignColumns: [companiesTable.id] }),
  ],
)
