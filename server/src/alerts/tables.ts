import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { coupledTable, trucksTable } from '../fleet/tables.ts'
import { companyColumns, companyFence, instant, ofCompany, ref, refers, stamps } from '../platform/database/tables.ts'
import { mailsTable } from '../platform/outside/tables.ts'
import { workshopsTable } from '../workshops/tables.ts'

/** Without a workshop it is shared by all. With `applies_to` it is an obligation, offered for every such vehicle. */
export const alertCategoriesTable = pgTable(
  'alert_categories',
  {
    ...companyColumns,
    workshop_id: ref(),
    name: text().notNull(),
    applies_to: text(),
    every_months: smallint(),
    /** `09-30`: the same day of every year for all. */
    due_day: text(),
    days: smallint(),
    search: text().generatedAlwaysAs(sql`plain(name)`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('alert_categories_workshop', t, t.workshop_id, workshopsTable),
    uniqueIndex('alert_categories_name_unique').on(t.company_id, sql`coalesce(${t.workshop_id}, 0)`, t.search),
    check('alert_categories_applies', sql`${t.applies_to} in ('both', 'truck', 'coupled')`),
  ],
)

/**
 * One maintenance of one truck or coupled unit. What is planned is what people wrote; from `status` on it is what
 * the last evaluation found.
 */
export const alertsTable = pgTable(
  'alerts',
  {
    ...companyColumns,
    truck_id: ref(),
    coupled_id: ref(),
    name: text().notNull(),
    description: text(),
    date: date({ mode: 'string' }),
    kilometers: ref(),
    days: smallint(),
    kilometers_advance: ref(),
    emails: text().array().notNull().default([]),
    repeat_every: smallint(),
    repeat_unit: text().notNull().default('days'),
    repeat_kilometers: ref(),
    repeat_from: text().notNull().default('done'),
    /** The day of the month that a monthly plan keeps to, where its date had to fall short of it. */
    repeat_day: smallint(),
    /** The alert whose execution made this one. */
    previous_id: ref(),
    /** The order that carries it out. */
    work_order_id: ref(),
    /** Moves with the due point: what falls due on another day, or at other kilometres, is told anew. */
    round: integer().notNull().default(1),
    status: text().notNull().default('created'),
    overdue: boolean().notNull().default(false),
    kilometers_now: ref(),
    kilometers_per_day: doublePrecision(),
    read_at: instant(),
    due_on: date({ mode: 'string' }),
    estimated: boolean().notNull().default(false),
    executed_on: date({ mode: 'string' }),
    executed_kilometers: ref(),
    executed_by: text(),
    /** Finalizing its order did: reopening the order takes it back. */
    executed_with_order: boolean().notNull().default(false),
    /** The order of the list: what falls due first, then what never does, then what was executed, newest first. */
    rank: date({ mode: 'string' }).generatedAlwaysAs(
      sql`case when status = 'executed' then date '9999-12-31' - (executed_on - date '2000-01-01') else coalesce(due_on, date '5000-01-01') end`,
    ),
    search: text().generatedAlwaysAs(sql`plain(name || ' ' || coalesce(description, ''))`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('alerts_truck', t, t.truck_id, trucksTable),
    refers('alerts_coupled', t, t.coupled_id, coupledTable),
    // Executing one twice makes no second next.
    uniqueIndex('alerts_previous_unique').on(t.company_id, t.previous_id).where(sql`previous_id is not null`),
    index('alerts_by_rank').on(t.company_id, t.rank, t.id),
    index('alerts_by_words').using('gin', t.company_id, t.search.op('gin_trgm_ops')),
    // Addresses themselves may be too long for an index.
    index('alerts_by_emails').on(t.company_id, sql`hash_array_extended(emails, 0)`),
    index('alerts_by_name').on(t.company_id, t.name, t.id),
    index('alerts_by_change').on(t.company_id, t.updated_at, t.id),
    index('alerts_by_due').on(t.company_id, t.due_on, t.id),
    index('alerts_by_status').on(t.company_id, t.status, t.id),
    index('alerts_of_status').on(t.company_id, t.status, t.rank, t.id),
    index('alerts_unread').on(t.company_id, t.read_at).where(sql`kilometers is not null and status <> 'executed'`),
    index('alerts_overdue').on(t.company_id, t.rank, t.id).where(sql`overdue`),
    index('alerts_of_truck').on(t.company_id, t.truck_id).where(sql`truck_id is not null`),
    index('alerts_of_coupled').on(t.company_id, t.coupled_id).where(sql`coupled_id is not null`),
    index('alerts_of_work_order').on(t.company_id, t.work_order_id).where(sql`work_order_id is not null`),
    check('alerts_one_unit', sql`(${t.truck_id} is null) <> (${t.coupled_id} is null)`),
    check('alerts_planned', sql`${t.date} is not null or ${t.kilometers} is not null`),
    check('alerts_days', sql`${t.days} is null or ${t.date} is not null`),
    check('alerts_advance', sql`${t.kilometers_advance} is null or ${t.kilometers} is not null`),
    check('alerts_status', sql`${t.status} in ('created', 'current', 'executed')`),
    check('alerts_overdue', sql`not ${t.overdue} or ${t.status} = 'current'`),
    check('alerts_executed', sql`(${t.status} = 'executed') = (${t.executed_on} is not null)`),
    check('alerts_repeat', sql`${t.repeat_unit} in ('days', 'months') and ${t.repeat_from} in ('done', 'planned')`),
  ],
)

export const alertsCategoriesTable = pgTable(
  'alerts_categories',
  { company_id: ref().notNull(), alert_id: ref().notNull(), category_id: ref().notNull() },
  (t) => [
    primaryKey({ columns: [t.company_id, t.alert_id, t.category_id] }),
    companyFence(),
    refers('alerts_categories_alert', t, t.alert_id, alertsTable),
    refers('alerts_categories_category', t, t.category_id, alertCategoriesTable),
    index('alerts_categories_of_category').on(t.company_id, t.category_id),
  ],
)

/** An alert became current, or overdue. The key is what keeps anybody from being told twice. */
export const alertEventsTable = pgTable(
  'alert_events',
  {
    company_id: ref().notNull(),
    alert_id: ref().notNull(),
    round: integer().notNull(),
    event: text().notNull(),
    at: instant().notNull(),
  },
  (t) => [
    primaryKey({ name: 'alert_events_once', columns: [t.company_id, t.alert_id, t.round, t.event] }),
    companyFence(),
    refers('alert_events_alert', t, t.alert_id, alertsTable),
    check('alert_events_event', sql`${t.event} in ('current', 'overdue')`),
  ],
)

/** Which events a mail tells of. It stays when the alert is deleted: what was told was told. */
export const alertMailsTable = pgTable(
  'alert_mails',
  {
    company_id: ref().notNull(),
    mail_id: ref().notNull(),
    alert_id: ref().notNull(),
    round: integer().notNull(),
    event: text().notNull(),
    workshop_id: ref().notNull(),
    title: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.mail_id, t.alert_id] }),
    companyFence(),
    refers('alert_mails_mail', t, t.mail_id, mailsTable),
    refers('alert_mails_workshop', t, t.workshop_id, workshopsTable),
    index('alert_mails_of_alert').on(t.company_id, t.alert_id),
  ],
)
