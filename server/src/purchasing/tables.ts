import { sql } from 'drizzle-orm'
import { check, date, index, integer, numeric, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyColumns, instant, ofCompany, ref, refers, stamps } from '../platform/database/tables.ts'
import { mailsTable } from '../platform/outside/tables.ts'
import { providersTable } from '../providers/tables.ts'
import { suppliesTable } from '../supplies/tables.ts'
import { transactionsTable, warehousesTable } from '../warehouses/tables.ts'
import { workshopsTable } from '../workshops/tables.ts'

const quantity = () => numeric({ precision: 14, scale: 4, mode: 'number' }).notNull()
const pesos = () => numeric({ precision: 15, scale: 0, mode: 'number' }).notNull()

export const purchaseOrdersTable = pgTable(
  'purchase_orders',
  {
    ...companyColumns,
    workshop_id: ref().notNull(),
    warehouse_id: ref().notNull(),
    provider_id: ref().notNull(),
    /** Per company, without gaps: OC-000123. */
    number: integer().notNull(),
    status: text().notNull().default('pending'),
    document: text(),
    deliveryAt: date({ mode: 'string' }),
    reference: text(),
    priority: text().notNull(),
    note: text(),
    subtotal: pesos(),
    tax: pesos(),
    total: pesos(),
    user_name: text(),
    approved_by: text(),
    approved_at: instant(),
    /** Why the rest will not come, and who said so. */
    closed_reason: text(),
    closed_by: text(),
    /** When it last went to the provider, to whom, and the mail that took it; null where it went another way. */
    sent_at: instant(),
    sent_to: text(),
    sent_by: text(),
    mail_id: ref(),
    /** The day the provider answered. */
    answered_on: date({ mode: 'string' }),
    search: text().generatedAlwaysAs(
      sql`plain('oc-' || lpad(number::text, 6, '0') || ' ' || coalesce(document, '') || ' ' || coalesce(reference, ''))`,
    ),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('purchase_orders_workshop', t, t.workshop_id, workshopsTable),
    refers('purchase_orders_warehouse', t, t.warehouse_id, warehousesTable),
    refers('purchase_orders_provider', t, t.provider_id, providersTable),
    refers('purchase_orders_mail', t, t.mail_id, mailsTable),
    uniqueIndex('purchase_orders_number').on(t.company_id, t.number),
    index('purchase_orders_of_warehouse').on(t.company_id, t.warehouse_id, t.number),
    index('purchase_orders_of_workshop').on(t.company_id, t.workshop_id, t.number),
    index('purchase_orders_of_provider').on(t.company_id, t.provider_id),
    index('purchase_orders_by_words').using('gin', t.company_id, t.search.op('gin_trgm_ops')),
    check(
      'purchase_orders_status',
      sql`${t.status} in ('pending', 'approved', 'partially_received', 'received', 'cancelled', 'closed')`,
    ),
    check('purchase_orders_closed', sql`(${t.status} = 'closed') = (${t.closed_reason} is not null)`),
    check('purchase_orders_total', sql`${t.subtotal} + ${t.tax} = ${t.total}`),
  ],
)

export const purchaseOrderLinesTable = pgTable(
  'purchase_order_lines',
  {
    ...companyColumns,
    purchase_order_id: ref().notNull(),
    supply_id: ref().notNull(),
    quantity: quantity(),
    unit_cost: quantity(),
    tax_type: text().notNull(),
    net_cost: pesos(),
    tax: pesos(),
    total_cost: pesos(),
    /** By the entries that still stand. */
    received: quantity().default(0),
    /** When the provider said that it comes. */
    promised_on: date({ mode: 'string' }),
  },
  (t) => [
    ...ofCompany(t),
    refers('purchase_order_lines_order', t, t.purchase_order_id, purchaseOrdersTable),
    refers('purchase_order_lines_supply', t, t.supply_id, suppliesTable),
    uniqueIndex('purchase_order_lines_once').on(t.company_id, t.purchase_order_id, t.supply_id),
    index('purchase_order_lines_of_supply').on(t.company_id, t.supply_id),
    check('purchase_order_lines_quantity', sql`${t.quantity} > 0 and ${t.received} >= 0`),
  ],
)

/** Which entries received which order. */
export const purchaseReceiptsTable = pgTable(
  'purchase_receipts',
  { ...companyColumns, purchase_order_id: ref().notNull(), transaction_id: ref().notNull() },
  (t) => [
    ...ofCompany(t),
    refers('purchase_receipts_order', t, t.purchase_order_id, purchaseOrdersTable),
    refers('purchase_receipts_transaction', t, t.transaction_id, transactionsTable),
    uniqueIndex('purchase_receipts_once').on(t.company_id, t.transaction_id),
    index('purchase_receipts_of_order').on(t.company_id, t.purchase_order_id),
  ],
)
