import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { coupledTable, trucksTable } from '../fleet/tables.ts'
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
import { namesFile } from '../platform/outside/tables.ts'
import { providersTable, servicesTable } from '../providers/tables.ts'
import { suppliesTable } from '../supplies/tables.ts'
import { transactionsTable, warehousesTable } from '../warehouses/tables.ts'
import { boxesTable, driversTable, specialistsTable, workshopsTable } from '../workshops/tables.ts'

const quantity = () => numeric({ precision: 14, scale: 4, mode: 'number' })
const pesos = () => numeric({ precision: 15, scale: 0, mode: 'number' })
const state = () => text().notNull().default('active')

export const maintenanceTypesTable = pgTable(
  'maintenance_types',
  {
    ...companyColumns,
    code: text().notNull(),
    name: text().notNull(),
    state: state(),
    search: text().generatedAlwaysAs(sql`plain(name)`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    uniqueIndex('maintenance_types_code_unique').on(t.company_id, t.code),
    uniqueIndex('maintenance_types_name_unique').on(t.company_id, t.search),
    check('maintenance_types_state', sql`${t.state} in ('active', 'inactive')`),
  ],
)

export const tasksTable = pgTable(
  'tasks',
  {
    ...companyColumns,
    code: text().notNull(),
    name: text().notNull(),
    state: state(),
    search: text().generatedAlwaysAs(sql`plain(code || ' ' || name)`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    uniqueIndex('tasks_code_unique').on(t.company_id, sql`lower(${t.code})`),
    check('tasks_state', sql`${t.state} in ('active', 'inactive')`),
  ],
)

/** Of all workshops, as tasks are; a supply is named by its code, which each workshop may have. */
export const maintenanceTemplatesTable = pgTable(
  'maintenance_templates',
  {
    ...companyColumns,
    name: text().notNull(),
    type_maintenance_id: ref(),
    state: state(),
    search: text().generatedAlwaysAs(sql`plain(name)`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('maintenance_templates_type', t, t.type_maintenance_id, maintenanceTypesTable),
    uniqueIndex('maintenance_templates_name_unique').on(t.company_id, t.search),
    check('maintenance_templates_state', sql`${t.state} in ('active', 'inactive')`),
  ],
)

export const templateWorksTable = pgTable(
  'maintenance_template_works',
  {
    ...companyColumns,
    template_id: ref().notNull(),
    description: text(),
    task_id: ref(),
    hours: quantity(),
  },
  (t) => [
    ...ofCompany(t),
    refers('template_works_template', t, t.template_id, maintenanceTemplatesTable).onDelete('cascade'),
    refers('template_works_task', t, t.task_id, tasksTable),
    index('template_works_of_template').on(t.company_id, t.template_id),
  ],
)

export const templateSuppliesTable = pgTable(
  'maintenance_template_supplies',
  {
    ...companyColumns,
    template_id: ref().notNull(),
    code: text().notNull(),
    /** As it was called when the template was saved. */
    name: text().notNull(),
    count: quantity().notNull(),
  },
  (t) => [
    ...ofCompany(t),
    refers('template_supplies_template', t, t.template_id, maintenanceTemplatesTable).onDelete('cascade'),
    uniqueIndex('template_supplies_once').on(t.company_id, t.template_id, sql`lower(${t.code})`),
    check('template_supplies_count', sql`${t.count} > 0`),
  ],
)

export const workOrdersTable = pgTable(
  'work_orders',
  {
    ...companyColumns,
    workshop_id: ref().notNull(),
    /** Per company, in the order they were created: OT-000123. */
    number: integer().notNull(),
    status: text().notNull(),
    /** Where the card stands in its column; no two of a company's column share one. */
    position: ref().notNull(),
    truck_id: ref().notNull(),
    coupled_id: ref(),
    warehouse_id: ref(),
    has_warehouse: boolean().notNull(),
    planned: boolean().notNull(),
    box_id: ref(),
    applicant: text(),
    applicant_driver_id: ref(),
    responsible_specialist_id: ref(),
    reviewed_by_specialist_id: ref(),
    delivered_to_driver_id: ref(),
    kilometer: ref(),
    request: text(),
    description_of_requeriment: text(),
    date_estimed: date({ mode: 'string' }),
    hour_estimed: text(),
    /** How long it is planned to stay; the planner's, who never moves a deadline. */
    planned_minutes: integer(),
    place: text().notNull(),
    type_maintenance_id: ref(),
    priority: text().notNull(),
    waiting_for_parts: boolean().notNull().default(false),
    codes: text(),
    observation: text(),
    deadline_at: instant(),
    workshop_entry_at: instant(),
    workshop_departure_at: instant(),
    finalized_at: instant(),
    user_id: ref(),
    user_name: text(),
    /** What people search by in the order itself; its plate is found through the truck. */
    search: text().generatedAlwaysAs(
      sql`plain('ot-' || lpad(number::text, 6, '0') || ' ' || coalesce(request, '') || ' ' || coalesce(description_of_requeriment, '') || ' ' || coalesce(codes, '') || ' ' || coalesce(observation, '') || ' ' || coalesce(applicant, ''))`,
    ),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('work_orders_workshop', t, t.workshop_id, workshopsTable),
    refers('work_orders_truck', t, t.truck_id, trucksTable),
    refers('work_orders_coupled', t, t.coupled_id, coupledTable),
    refers('work_orders_warehouse', t, t.warehouse_id, warehousesTable),
    refers('work_orders_box', t, t.box_id, boxesTable),
    refers('work_orders_applicant_driver', t, t.applicant_driver_id, driversTable),
    refers('work_orders_responsible', t, t.responsible_specialist_id, specialistsTable),
    refers('work_orders_reviewed_by', t, t.reviewed_by_specialist_id, specialistsTable),
    refers('work_orders_delivered_to', t, t.delivered_to_driver_id, driversTable),
    refers('work_orders_type', t, t.type_maintenance_id, maintenanceTypesTable),
    uniqueIndex('work_orders_number').on(t.company_id, t.number),
    uniqueIndex('work_orders_place').on(t.company_id, t.status, t.position),
    index('work_orders_of_workshop').on(t.company_id, t.workshop_id, t.number),
    index('work_orders_of_truck').on(t.company_id, t.truck_id, t.number),
    index('work_orders_estimated').on(t.company_id, t.date_estimed),
    index('work_orders_entry').on(t.company_id, t.workshop_entry_at),
    // All that is asked of stays: thousands of them are read without touching their orders.
    index('work_orders_stays').on(
      t.company_id,
      t.workshop_departure_at,
      t.workshop_entry_at,
      t.truck_id,
      t.workshop_id,
      t.type_maintenance_id,
      t.planned,
      t.id,
    ),
    index('work_orders_of_box').on(t.company_id, t.box_id, t.status),
    index('work_orders_of_coupled').on(t.company_id, t.coupled_id, t.number),
    index('work_orders_of_type').on(t.company_id, t.type_maintenance_id, t.number),
    index('work_orders_of_responsible').on(t.company_id, t.responsible_specialist_id, t.number),
    index('work_orders_of_applicant').on(t.company_id, t.applicant_driver_id),
    index('work_orders_of_receiver').on(t.company_id, t.delivered_to_driver_id),
    index('work_orders_by_kilometer').on(t.company_id, t.kilometer, t.number),
    index('work_orders_created').on(t.company_id, t.created_at),
    index('work_orders_finalized').on(t.company_id, t.status, t.finalized_at),
    // What most orders are is soon met on the way.
    index('work_orders_of_priority').on(t.company_id, t.priority, t.number).where(sql`priority <> 'medium'`),
    index('work_orders_elsewhere').on(t.company_id, t.place, t.number).where(sql`place <> 'WORKSHOP'`),
    check('work_orders_status', sql`${t.status} in ('PENDING', 'IN_REVIEW', 'IN_PROCESS', 'FINALIZED')`),
    check('work_orders_place_kind', sql`${t.place} in ('WORKSHOP', 'ROUTE', 'EXTERNAL')`),
    check('work_orders_planned_minutes', sql`${t.planned_minutes} > 0`),
    check('work_orders_stay', sql`${t.workshop_departure_at} >= ${t.workshop_entry_at}`),
    check('work_orders_finalized_at', sql`(${t.status} = 'FINALIZED') = (${t.finalized_at} is not null)`),
    check('work_orders_from_warehouse', sql`not ${t.has_warehouse} or ${t.warehouse_id} is not null`),
  ],
)

const lineColumns = { ...companyColumns, work_order_id: ref().notNull() }
const ofOrder = (name: string, t: { company_id: AnyPgColumn; work_order_id: AnyPgColumn }) =>
  foreignKey({
    name: `${name}_order`,
    columns: [t.company_id, t.work_order_id] as [AnyPgColumn, AnyPgColumn],
    foreignColumns: [workOrdersTable.company_id, workOrdersTable.id],
  }).onDelete('cascade')

/**
 * What each order cost, the sums of its lines, when, whose and of which kind it is: all that sums over years of orders look
 * at. Apart from the orders, whose rows are wide and in many indexes: one late invoice changes what thousands of them cost.
 */
export const workOrderCostsTable = pgTable(
  'work_order_costs',
  {
    company_id: ref().notNull(),
    /** The order's. */
    id: ref().notNull(),
    workshop_id: ref().notNull(),
    truck_id: ref().notNull(),
    created_at: instant().notNull(),
    supplies_cost: ref().notNull(),
    services_cost: ref().notNull(),
    labour_cost: ref().notNull().default(0),
    type_maintenance_id: ref(),
    planned: boolean().notNull(),
    place: text().notNull(),
    priority: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.id] }),
    companyFence(),
    index('work_order_costs_created').on(t.company_id, t.created_at),
    // What the total is made of stands behind: the index is all that is read.
    index('work_order_costs_by_total').on(
      t.company_id,
      sql`(supplies_cost + services_cost)`,
      sql`id desc`,
      t.supplies_cost,
      t.services_cost,
    ),
    index('work_order_costs_by_supplies').on(t.company_id, t.supplies_cost, sql`id desc`),
    index('work_order_costs_by_services').on(t.company_id, t.services_cost, sql`id desc`),
    foreignKey({
      name: 'work_order_costs_order',
      columns: [t.company_id, t.id],
      foreignColumns: [workOrdersTable.company_id, workOrdersTable.id],
    }).onDelete('cascade'),
  ],
)

/** Nothing reads or writes it: 0.1.0 does, and may run beside this release. The next one drops it. */
export const orderTalliesTable = pgTable(
  'order_tallies',
  {
    ...companyColumns,
    workshop_id: ref().notNull(),
    type_maintenance_id: ref(),
    planned: boolean().notNull(),
    place: text().notNull(),
    priority: text().notNull(),
    orders: ref().notNull(),
    supplies_cost: ref().notNull(),
    services_cost: ref().notNull(),
    labour_cost: ref().notNull(),
  },
  (t) => ofCompany(t),
)

export const worksTable = pgTable(
  'works',
  {
    ...lineColumns,
    description: text(),
    task_id: ref(),
    specialist_id: ref(),
    reviewed_by_specialist_id: ref(),
    hours: quantity(),
    start_time: instant(),
    end_time: instant(),
    target_start_at: instant(),
    target_end_at: instant(),
    priority: text().notNull(),
    type_maintenance_id: ref(),
    state: text().notNull().default('pending'),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    ofOrder('works', t),
    refers('works_task', t, t.task_id, tasksTable),
    refers('works_specialist', t, t.specialist_id, specialistsTable),
    refers('works_reviewed_by', t, t.reviewed_by_specialist_id, specialistsTable),
    refers('works_type', t, t.type_maintenance_id, maintenanceTypesTable),
    index('works_of_order').on(t.company_id, t.work_order_id),
    index('works_of_specialist').on(t.company_id, t.specialist_id, t.state),
    index('works_target').on(t.company_id, t.target_start_at),
    index('works_started').on(t.company_id, t.start_time),
    check('works_state', sql`${t.state} in ('pending', 'running', 'paused', 'done')`),
    check('works_times', sql`${t.end_time} >= ${t.start_time}`),
  ],
)

/**
 * Labour: what a specialist clocked on a work, or, without `from_at`, the hours that were typed where nobody did. Counted
 * on its day, which for what was clocked is the one it began on, at what an hour cost then.
 */
export const workTimesTable = pgTable(
  'work_times',
  {
    ...lineColumns,
    work_id: ref().notNull(),
    specialist_id: ref().notNull(),
    from_at: instant(),
    /** Without one, a clock runs. */
    until_at: instant(),
    day: date({ mode: 'string' }).notNull(),
    minutes: numeric({ precision: 12, scale: 2, mode: 'number' }).notNull().default(0),
    /** Of an hour. */
    rate: integer().notNull().default(0),
    amount: pesos().notNull().default(0),
    user_id: ref(),
    user_name: text(),
    created_at: instant().notNull().default(sql`now()`),
  },
  (t) => [
    ...ofCompany(t),
    ofOrder('work_times', t),
    foreignKey({
      name: 'work_times_work',
      columns: [t.company_id, t.work_id],
      foreignColumns: [worksTable.company_id, worksTable.id],
    }).onDelete('cascade'),
    refers('work_times_specialist', t, t.specialist_id, specialistsTable),
    index('work_times_of_order').on(t.company_id, t.work_order_id),
    index('work_times_of_work').on(t.company_id, t.work_id),
    index('work_times_by_day').on(t.company_id, t.day),
    index('work_times_of_specialist').on(t.company_id, t.specialist_id, t.day),
    uniqueIndex('work_times_running')
      .on(t.company_id, t.specialist_id)
      .where(sql`from_at is not null and until_at is null`),
    // One line of typed hours for each work; another one, with negative minutes, takes it back across a closing.
    uniqueIndex('work_times_typed').on(t.company_id, t.work_id).where(sql`from_at is null and minutes >= 0`),
    uniqueIndex('work_times_reversed').on(t.company_id, t.work_id).where(sql`from_at is null and minutes < 0`),
    check('work_times_forward', sql`${t.until_at} >= ${t.from_at}`),
  ],
)

/** When an order waited for parts; the open one is now. */
export const partsWaitsTable = pgTable(
  'work_order_waits',
  { ...lineColumns, from_at: instant().notNull(), until_at: instant() },
  (t) => [
    ...ofCompany(t),
    ofOrder('work_order_waits', t),
    index('work_order_waits_of_order').on(t.company_id, t.work_order_id, t.from_at),
    uniqueIndex('work_order_waits_open').on(t.company_id, t.work_order_id).where(sql`until_at is null`),
    check('work_order_waits_forward', sql`${t.until_at} >= ${t.from_at}`),
  ],
)

/** What was used. `value` is what the ledger says left the warehouse; `amount` is that in whole pesos. */
export const workOrderSuppliesTable = pgTable(
  'work_order_supplies',
  {
    ...lineColumns,
    supply_id: ref().notNull(),
    /** What it left; null where lines are free. */
    warehouse_id: ref(),
    count: quantity().notNull(),
    cost: quantity().notNull(),
    value: numeric({ precision: 20, scale: 4, mode: 'number' }).notNull(),
    amount: pesos().notNull(),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    ofOrder('work_order_supplies', t),
    refers('work_order_supplies_supply', t, t.supply_id, suppliesTable),
    refers('work_order_supplies_warehouse', t, t.warehouse_id, warehousesTable),
    uniqueIndex('work_order_supplies_once').on(t.company_id, t.work_order_id, t.supply_id),
    index('work_order_supplies_of_supply').on(t.company_id, t.supply_id, t.created_at),
    // No amounts in any index: a late invoice changes those of thousands of lines, each in its place.
    index('work_order_supplies_by_day').on(t.company_id, t.created_at),
    check('work_order_supplies_count', sql`${t.count} > 0 and ${t.cost} >= 0 and ${t.amount} >= 0`),
  ],
)

/**
 * What a line of a closed month turned out to cost more, or less: counted on the day it was found out. With its line it
 * is what the ledger says.
 */
export const workOrderAdjustmentsTable = pgTable(
  'work_order_adjustments',
  {
    ...lineColumns,
    supply_id: ref().notNull(),
    warehouse_id: ref().notNull(),
    value: numeric({ precision: 20, scale: 4, mode: 'number' }).notNull(),
    amount: pesos().notNull(),
    because: text(),
    created_at: instant().notNull().default(sql`now()`),
  },
  (t) => [
    ...ofCompany(t),
    ofOrder('work_order_adjustments', t),
    refers('work_order_adjustments_supply', t, t.supply_id, suppliesTable),
    refers('work_order_adjustments_warehouse', t, t.warehouse_id, warehousesTable),
    index('work_order_adjustments_of_order').on(t.company_id, t.work_order_id, t.supply_id),
    index('work_order_adjustments_by_day').on(t.company_id, t.created_at),
  ],
)

/**
 * By how much the whole pesos of what orders took of a supply from a warehouse are more than its value: the next line
 * makes up for it, so that they add up.
 */
export const roundingsTable = pgTable(
  'work_order_roundings',
  {
    company_id: ref().notNull(),
    warehouse_id: ref().notNull(),
    supply_id: ref().notNull(),
    carried: numeric({ precision: 20, scale: 4 }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.warehouse_id, t.supply_id] }),
    companyFence(),
    refers('work_order_roundings_warehouse', t, t.warehouse_id, warehousesTable),
    refers('work_order_roundings_supply', t, t.supply_id, suppliesTable),
  ],
)

/** A provider's paper; its services in the orders it has shares of are counted on its day. */
export const invoicesTable = pgTable(
  'invoices',
  {
    ...companyColumns,
    /** The first of its shares. */
    work_order_id: ref().notNull(),
    workshop_id: ref().notNull(),
    provider_id: ref().notNull(),
    bill_invoice: text().notNull(),
    date: date({ mode: 'string' }).notNull(),
    document: text().notNull(),
    payment_type: text().notNull(),
    note: text(),
    tax_type: text().notNull().default('19'),
    /** The sum of its shares. */
    net: pesos().notNull().default(0),
    /** Its shares are what the services are; otherwise they are what somebody read on the paper. */
    follows_services: boolean().notNull().default(true),
    /** Whether it is paid was said, one way or the other (`payables`). */
    payment_said: boolean().notNull().default(false),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    ofOrder('invoices', t),
    refers('invoices_workshop', t, t.workshop_id, workshopsTable),
    refers('invoices_provider', t, t.provider_id, providersTable),
    index('invoices_of_order').on(t.company_id, t.work_order_id),
    index('invoices_unsaid')
      .on(t.company_id, t.id)
      .where(sql`not payment_said and payment_type is distinct from 'Cash'`),
    uniqueIndex('invoices_document_unique').on(t.company_id, t.provider_id, t.bill_invoice, sql`lower(${t.document})`),
    check('invoices_kind', sql`${t.bill_invoice} in ('invoice', 'bill')`),
    check('invoices_tax', sql`${t.tax_type} in ('19', '21', 'exempt')`),
  ],
)

const ofInvoice = (name: string, t: { company_id: AnyPgColumn; invoice_id: AnyPgColumn }) =>
  foreignKey({
    name: `${name}_invoice`,
    columns: [t.company_id, t.invoice_id] as [AnyPgColumn, AnyPgColumn],
    foreignColumns: [invoicesTable.company_id, invoicesTable.id],
  }).onDelete('cascade')

/** What an order has of an invoice; one of each provider. */
export const invoiceSharesTable = pgTable(
  'invoice_shares',
  { ...lineColumns, invoice_id: ref().notNull(), provider_id: ref().notNull(), amount: pesos().notNull() },
  (t) => [
    ...ofCompany(t),
    ofOrder('invoice_shares', t),
    ofInvoice('invoice_shares', t),
    uniqueIndex('invoice_shares_once').on(t.company_id, t.work_order_id, t.provider_id),
    index('invoice_shares_of_invoice').on(t.company_id, t.invoice_id),
    check('invoice_shares_amount', sql`${t.amount} >= 0`),
  ],
)

/** A credit or debit note of an invoice; what each order has of it are its adjustments. */
export const invoiceNotesTable = pgTable(
  'invoice_notes',
  {
    ...companyColumns,
    invoice_id: ref().notNull(),
    provider_id: ref().notNull(),
    kind: text().notNull(),
    date: date({ mode: 'string' }).notNull(),
    document: text().notNull(),
    note: text(),
    amount: pesos().notNull(),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    ofInvoice('invoice_notes', t),
    index('invoice_notes_of_invoice').on(t.company_id, t.invoice_id),
    uniqueIndex('invoice_notes_document_unique').on(t.company_id, t.provider_id, t.kind, sql`lower(${t.document})`),
    check('invoice_notes_kind', sql`${t.kind} in ('credit', 'debit') and ${t.amount} > 0`),
  ],
)

/**
 * What a provider's papers say of an order beyond its services in it: with them it is its share of the invoice; with those
 * of its notes, what is left of that.
 */
export const serviceAdjustmentsTable = pgTable(
  'service_adjustments',
  {
    ...lineColumns,
    invoice_id: ref().notNull(),
    note_id: ref(),
    provider_id: ref().notNull(),
    /** The paper's; where that is closed, the one it was found out on. */
    day: date({ mode: 'string' }).notNull(),
    amount: pesos().notNull(),
    created_at: instant().notNull().default(sql`now()`),
  },
  (t) => [
    ...ofCompany(t),
    ofOrder('service_adjustments', t),
    ofInvoice('service_adjustments', t),
    foreignKey({
      name: 'service_adjustments_note',
      columns: [t.company_id, t.note_id],
      foreignColumns: [invoiceNotesTable.company_id, invoiceNotesTable.id],
    }).onDelete('cascade'),
    refers('service_adjustments_provider', t, t.provider_id, providersTable),
    index('service_adjustments_of_order').on(t.company_id, t.work_order_id),
    index('service_adjustments_of_note').on(t.company_id, t.note_id),
    index('service_adjustments_of_invoice').on(t.company_id, t.invoice_id),
    index('service_adjustments_by_day').on(t.company_id, t.day, t.work_order_id, t.provider_id, t.amount),
  ],
)

/** What was said of a paper that is owed to a provider: an invoice of services, or an entry that was bought. */
export const payablesTable = pgTable(
  'payables',
  {
    ...companyColumns,
    invoice_id: ref(),
    transaction_id: ref(),
    /** Without one, as it begins. */
    state: text(),
    state_at: instant(),
    user_name: text(),
    /** Without one, as many days after its date as its provider gives. */
    due_date: date({ mode: 'string' }),
    paid_on: date({ mode: 'string' }),
  },
  (t) => [
    ...ofCompany(t),
    foreignKey({
      name: 'payables_invoice',
      columns: [t.company_id, t.invoice_id],
      foreignColumns: [invoicesTable.company_id, invoicesTable.id],
    }).onDelete('cascade'),
    refers('payables_transaction', t, t.transaction_id, transactionsTable),
    uniqueIndex('payables_of_invoice').on(t.company_id, t.invoice_id),
    uniqueIndex('payables_of_transaction').on(t.company_id, t.transaction_id),
    index('payables_owed').on(t.company_id, t.id).where(sql`state is distinct from 'paid'`),
    check('payables_state', sql`${t.state} in ('received', 'approved', 'claimed', 'paid')`),
    check('payables_one', sql`(${t.invoice_id} is null) <> (${t.transaction_id} is null)`),
  ],
)

/**
 * A payment of a document that is owed to a provider, for a fixed amount. It has no cascade: neither an order nor an
 * invoice is deleted while one of its documents has a payment.
 */
export const paymentsTable = pgTable(
  'payments',
  {
    ...companyColumns,
    invoice_id: ref(),
    transaction_id: ref(),
    amount: pesos().notNull(),
    paid_on: date({ mode: 'string' }).notNull(),
    user_id: ref(),
    user_name: text(),
    /** Migration 0054 made the row, and could not tell whether the document came to this amount when it was paid. */
    is_doubtful: boolean().notNull().default(false),
    created_at: instant().notNull().default(sql`now()`),
  },
  (t) => [
    ...ofCompany(t),
    refers('payments_invoice', t, t.invoice_id, invoicesTable),
    refers('payments_transaction', t, t.transaction_id, transactionsTable),
    index('payments_of_invoice').on(t.company_id, t.invoice_id),
    index('payments_of_transaction').on(t.company_id, t.transaction_id),
    check('payments_amount', sql`${t.amount} >= 0`),
    check('payments_one', sql`(${t.invoice_id} is null) <> (${t.transaction_id} is null)`),
  ],
)

export const workOrderServicesTable = pgTable(
  'work_order_services',
  {
    ...lineColumns,
    provider_id: ref().notNull(),
    service_id: ref().notNull(),
    quantity: quantity().notNull(),
    unit_price: numeric({ precision: 16, scale: 4, mode: 'number' }).notNull(),
    amount: pesos().notNull(),
    /** When it is counted: the invoice's date, or else the day it was recorded; in a closed month it stays. */
    day: date({ mode: 'string' }).notNull(),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    ofOrder('work_order_services', t),
    refers('work_order_services_provider', t, t.provider_id, providersTable),
    refers('work_order_services_service', t, t.service_id, servicesTable),
    index('work_order_services_of_order').on(t.company_id, t.work_order_id),
    index('work_order_services_of_provider').on(t.company_id, t.provider_id, t.created_at),
    index('work_order_services_by_day').on(t.company_id, t.day, t.work_order_id, t.provider_id, t.amount),
    check('work_order_services_quantity', sql`${t.quantity} > 0 and ${t.unit_price} >= 0`),
  ],
)

export const workOrderFilesTable = pgTable(
  'work_order_files',
  {
    ...lineColumns,
    name: text().notNull(),
    type: text().notNull(),
    size: integer().notNull(),
    hash: text(),
    /** A small one of a picture. */
    thumb_hash: text(),
    /** From when files were kept in the database; a job empties it. */
    content: bytes(),
    user_id: ref(),
    user_name: text(),
    created_at: instant().notNull().default(sql`now()`),
  },
  (t) => [
    ...ofCompany(t),
    ofOrder('work_order_files', t),
    index('work_order_files_of_order').on(t.company_id, t.work_order_id),
    index('work_order_files_to_move').on(t.company_id).where(sql`content is not null`),
    index('work_order_files_of_file').on(t.company_id, t.hash),
    index('work_order_files_of_thumb').on(t.company_id, t.thumb_hash),
    namesFile('work_order_files_hash', t.company_id, t.hash),
    namesFile('work_order_files_thumb', t.company_id, t.thumb_hash),
    check('work_order_files_somewhere', sql`${t.content} is not null or ${t.hash} is not null`),
  ],
)

export const workOrderCommentsTable = pgTable(
  'work_order_comments',
  {
    ...lineColumns,
    text: text().notNull(),
    user_id: ref(),
    user_name: text(),
    created_at: instant().notNull().default(sql`now()`),
  },
  (t) => [
    ...ofCompany(t),
    ofOrder('work_order_comments', t),
    index('work_order_comments_of_order').on(t.company_id, t.work_order_id),
  ],
)

export const signaturesTable = pgTable(
  'work_order_signatures',
  {
    company_id: ref().notNull(),
    work_order_id: ref().notNull(),
    kind: text().notNull(),
    name: text().notNull(),
    dni: text(),
    image_hash: text(),
    /** From when files were kept in the database; a job empties it. */
    image: bytes(),
    /** SHA-256 of what was signed: the signature holds as long as the order still gives it. */
    content_hash: bytes().notNull(),
    user_id: ref(),
    user_name: text(),
    /** The browser it was signed in. */
    agent: text(),
    signed_at: instant().notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.work_order_id, t.kind] }),
    companyFence(),
    ofOrder('work_order_signatures', t),
    index('work_order_signatures_to_move').on(t.company_id).where(sql`image is not null`),
    index('work_order_signatures_of_file').on(t.company_id, t.image_hash),
    namesFile('work_order_signatures_image', t.company_id, t.image_hash),
    check('work_order_signatures_somewhere', sql`${t.image} is not null or ${t.image_hash} is not null`),
    check('work_order_signatures_kind', sql`${t.kind} in ('performed', 'reviewed', 'delivered')`),
  ],
)

/**
 * The ledger of expenses: one row for each amount, on the day it counts. Only `expenses.ts` writes it, in the transaction
 * that changes the line, and every report of expenses reads it. It has no foreign keys, because each row repeats an order that has
 * them, and checking them again would double the time of every write.
 */
export const expensesTable = pgTable(
  'expenses',
  {
    company_id: ref().notNull(),
    /** The kind of document that spends, and its id. */
    source: text().notNull(),
    source_id: ref().notNull(),
    /** The kind of line, as reports name it, and the id of the line in the table of that kind. */
    kind: text().notNull(),
    line_id: ref().notNull(),
    /** In the company's zone. */
    day: date({ mode: 'string' }).notNull(),
    workshop_id: ref().notNull(),
    truck_id: ref(),
    coupled_id: ref(),
    /** The supply of supplies and adjustments, the provider of services and invoices; labour has none. */
    item_id: ref(),
    /** Units of supplies and services, hours of labour; 0 where only the cost changed. */
    quantity: quantity().notNull(),
    /** Whole pesos. */
    amount: ref().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.source, t.source_id, t.kind, t.line_id] }),
    companyFence(),
    // It has every column that reports by truck, supply, provider and order add up, so that they read the index alone.
    index('expenses_by_day').on(
      t.company_id,
      t.day,
      t.workshop_id,
      t.truck_id,
      t.source_id,
      t.kind,
      t.item_id,
      t.quantity,
      t.amount,
    ),
    index('expenses_of_truck').on(t.company_id, t.truck_id, t.day),
    index('expenses_of_item').on(t.company_id, t.item_id, t.day),
    check('expenses_source', sql`${t.source} in ('work_order')`),
    check('expenses_kind', sql`${t.kind} in ('supply', 'adjustment', 'service', 'invoice', 'labour')`),
  ],
)

/** Nothing reads or writes it: 0.1.0 does, and may run beside this release. The one after the next drops it. */
export const expenseChangesTable = pgTable('expense_changes', { ...companyColumns, month: text().notNull() }, (t) => [
  ...ofCompany(t),
  index('expense_changes_of_month').on(t.company_id, t.month),
])
