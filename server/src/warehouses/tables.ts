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
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyColumns, companyFence, instant, ofCompany, ref, refers, stamps } from '../platform/database/tables.ts'
import { providersTable } from '../providers/tables.ts'
import { suppliesTable } from '../supplies/tables.ts'
import { workshopsTable } from '../workshops/tables.ts'

const quantity = () => numeric({ precision: 14, scale: 4, mode: 'number' })
const unitCost = () => numeric({ precision: 14, scale: 4, mode: 'number' })
/** A value is text, because a float cannot hold all its digits. */
const value = () => numeric({ precision: 20, scale: 4 })
/** Whole pesos. */
const pesos = () => numeric({ precision: 15, scale: 0, mode: 'number' })

export const warehousesTable = pgTable(
  'warehouses',
  {
    ...companyColumns,
    workshop_id: ref().notNull(),
    code: text().notNull(),
    name: text().notNull(),
    description: text(),
    direction: text(),
    search: text().generatedAlwaysAs(sql`plain(code || ' ' || name)`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('warehouses_workshop', t, t.workshop_id, workshopsTable),
    uniqueIndex('warehouses_code_unique').on(t.company_id, t.workshop_id, sql`lower(${t.code})`),
  ],
)

/** The sum of the movements, kept beside them so that reading stock is one row. */
export const stockTable = pgTable(
  'stock',
  {
    company_id: ref().notNull(),
    warehouse_id: ref().notNull(),
    supply_id: ref().notNull(),
    /** Whether the supply is on the warehouse's list. */
    attached: boolean().notNull().default(true),
    on_hand: quantity().notNull().default(0),
    /** The sum of its reservations; the rest of the stock on hand is available. */
    reserved: quantity().notNull().default(0),
    /** Entries change it, exits do not. */
    average_cost: unitCost().notNull().default(0),
    value: value().notNull().default('0'),
    minimum: quantity(),
    maximum: quantity(),
    /** The moment of the latest movement: a movement before it is back-dated. */
    last_at: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.warehouse_id, t.supply_id] }),
    companyFence(),
    refers('stock_warehouse', t, t.warehouse_id, warehousesTable),
    refers('stock_supply', t, t.supply_id, suppliesTable),
    index('stock_of_supply').on(t.company_id, t.supply_id),
    check('stock_never_negative', sql`${t.on_hand} >= 0`),
    check('stock_reserved', sql`${t.reserved} between 0 and ${t.on_hand}`),
    check('stock_value_never_negative', sql`${t.value} >= 0`),
    check('stock_nothing_is_worth_nothing', sql`${t.on_hand} > 0 or ${t.value} = 0`),
    check('stock_limits', sql`${t.minimum} >= 0 and ${t.maximum} >= coalesce(${t.minimum}, 0)`),
  ],
)

/** Nothing reads or writes it: 0.1.0 does, and may run beside this release. The next one drops it. */
export const stockTalliesTable = pgTable(
  'stock_tallies',
  {
    ...companyColumns,
    warehouse_id: ref().notNull(),
    supplies: ref().notNull(),
    below: ref().notNull(),
    value: value().notNull(),
  },
  (t) => ofCompany(t),
)

/**
 * A need of a supply. Stock that is there is reserved for it, and for the rest it waits; the oldest reservation comes first.
 * `origin` and `document` name the thing that needs it, as in the movements.
 */
export const reservationsTable = pgTable(
  'reservations',
  {
    ...companyColumns,
    warehouse_id: ref().notNull(),
    supply_id: ref().notNull(),
    origin: text().notNull(),
    origin_id: ref().notNull(),
    document: text().notNull(),
    /** The quantity that is still needed. */
    quantity: quantity().notNull(),
    /** The part of `quantity` that is in the warehouse for it. */
    reserved: quantity().notNull().default(0),
    /** The person who reserved it. */
    user_id: ref(),
    user_name: text(),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('reservations_warehouse', t, t.warehouse_id, warehousesTable),
    refers('reservations_supply', t, t.supply_id, suppliesTable),
    uniqueIndex('reservations_once').on(t.company_id, t.origin, t.origin_id, t.warehouse_id, t.supply_id),
    index('reservations_of_level').on(t.company_id, t.warehouse_id, t.supply_id, t.id),
    check('reservations_quantity', sql`${t.quantity} > 0 and ${t.reserved} between 0 and ${t.quantity}`),
  ],
)

/**
 * A document: an entry or an exit. It is not edited, except to void it, to add its invoice, or to add the document and the
 * provider that a purchase on credit was saved without.
 */
export const transactionsTable = pgTable(
  'transactions',
  {
    ...companyColumns,
    workshop_id: ref().notNull(),
    warehouse_id: ref().notNull(),
    type: text().notNull(),
    /** Per company and type, in the order they were written: ENT-000123. */
    number: integer().notNull(),
    typeTrasactionId: smallint().notNull(),
    typeInvoice: text(),
    document: text(),
    date: date({ mode: 'string' }).notNull(),
    date_delivery: date({ mode: 'string' }),
    payment_type: text(),
    reference: text(),
    providerId: ref(),
    note: text(),
    subtotal: pesos().notNull(),
    tax: pesos().notNull(),
    total: pesos().notNull(),
    /** Later movements whose cost it changed when it was written. */
    recosted: integer().notNull().default(0),
    /** The exit that this entry is the other side of, or that this exit writes off what was lost of. */
    transfer_id: ref(),
    /** Sent to a warehouse of another workshop: in transit until an entry there receives it. */
    to_warehouse_id: ref(),
    /** The document whose goods it returns, or whose prices it changes. */
    returns_id: ref(),
    /** The date of an invoice that came after the goods. */
    invoice_date: date({ mode: 'string' }),
    /** Whether it is paid was said, one way or the other (`payables`). */
    payment_said: boolean().notNull().default(false),
    user_id: ref(),
    user_name: text(),
    created_at: instant().notNull().default(sql`now()`),
    voided_at: instant(),
    /** The day its amounts are taken back, where its own was closed; else it is as if it had never been. */
    voided_on: date({ mode: 'string' }),
    voided_by: text(),
    void_note: text(),
    search: text().generatedAlwaysAs(
      sql`plain(coalesce(document, '') || ' ' || coalesce(reference, '') || ' ' || coalesce(note, ''))`,
    ),
  },
  (t) => [
    ...ofCompany(t),
    refers('transactions_workshop', t, t.workshop_id, workshopsTable),
    refers('transactions_warehouse', t, t.warehouse_id, warehousesTable),
    refers('transactions_provider', t, t.providerId, providersTable),
    refers('transactions_to_warehouse', t, t.to_warehouse_id, warehousesTable),
    foreignKey({
      name: 'transactions_transfer',
      columns: [t.company_id, t.transfer_id] as [AnyPgColumn, AnyPgColumn],
      foreignColumns: [t.company_id, t.id] as [AnyPgColumn, AnyPgColumn],
    }),
    foreignKey({
      name: 'transactions_returns',
      columns: [t.company_id, t.returns_id] as [AnyPgColumn, AnyPgColumn],
      foreignColumns: [t.company_id, t.id] as [AnyPgColumn, AnyPgColumn],
    }),
    index('transactions_returns_of').on(t.company_id, t.returns_id).where(sql`${t.returns_id} is not null`),
    uniqueIndex('transactions_number').on(t.company_id, t.type, t.number),
    index('transactions_of_warehouse').on(t.company_id, t.warehouse_id, t.date, t.id),
    index('transactions_of_workshop').on(t.company_id, t.workshop_id, t.date, t.id),
    index('transactions_by_day').on(t.company_id, t.date, t.id),
    index('transactions_of_provider').on(t.company_id, t.providerId, t.date),
    index('transactions_unsaid')
      .on(t.company_id, t.id)
      .where(
        sql`type = 'entry' and "typeTrasactionId" = 1 and voided_at is null and not payment_said and payment_type is distinct from 'Cash'`,
      ),
    index('transactions_incomplete')
      .on(t.company_id, t.date, t.id)
      .where(
        sql`type = 'entry' and "typeTrasactionId" = 1 and voided_at is null and payment_type = 'Credit' and (document is null or "providerId" is null)`,
      ),
    index('transactions_of_transfer').on(t.company_id, t.transfer_id).where(sql`${t.transfer_id} is not null`),
    uniqueIndex('transactions_received_once')
      .on(t.company_id, t.transfer_id, t.type)
      .where(sql`${t.transfer_id} is not null and ${t.voided_at} is null`),
    index('transactions_by_words').using('gin', t.company_id, t.search.op('gin_trgm_ops')),
    index('transactions_sent_to').on(t.company_id, t.to_warehouse_id).where(sql`${t.to_warehouse_id} is not null`),
    check('transactions_type', sql`${t.type} in ('entry', 'exit')`),
    check('transactions_total', sql`${t.subtotal} + ${t.tax} = ${t.total}`),
  ],
)

export const transactionLinesTable = pgTable(
  'transaction_lines',
  {
    ...companyColumns,
    transaction_id: ref().notNull(),
    supply_id: ref().notNull(),
    quantity: quantity().notNull(),
    unit_cost: unitCost().notNull(),
    tax_type: text().notNull(),
    net_cost: pesos().notNull(),
    tax: pesos().notNull(),
    total_cost: pesos().notNull(),
    /** The supply that it was in the workshop that sent it. */
    from_supply_id: ref(),
    /** Why less arrived than was sent. */
    reason: text(),
  },
  (t) => [
    ...ofCompany(t),
    refers('transaction_lines_transaction', t, t.transaction_id, transactionsTable),
    refers('transaction_lines_supply', t, t.supply_id, suppliesTable),
    uniqueIndex('transaction_lines_once').on(t.company_id, t.transaction_id, t.supply_id),
    refers('transaction_lines_from_supply', t, t.from_supply_id, suppliesTable),
    index('transaction_lines_of_supply').on(t.company_id, t.supply_id),
    index('transaction_lines_from').on(t.company_id, t.from_supply_id).where(sql`${t.from_supply_id} is not null`),
    check('transaction_lines_quantity', sql`${t.quantity} > 0`),
  ],
)

/** Removing accents takes longer than everything else, and nearly all documents have none. */
export const PLAIN_DOCUMENT = sql`case when octet_length(document) = length(document) then lower(document collate "C") else plain(document) end`

/**
 * The ledger. Rows are only ever added. What a movement is (when, how much, at what value it was written) cannot be
 * changed by the role that serves requests; the running columns are worked out from it, and again when something is
 * dated before it.
 */
export const movementsTable = pgTable(
  'movements',
  {
    ...companyColumns,
    warehouse_id: ref().notNull(),
    supply_id: ref().notNull(),
    at: instant().notNull(),
    /** Positive comes in, negative goes out; 0 only corrects the value. */
    quantity: quantity().notNull(),
    /** It brings its own value (entries, transfers, voids); otherwise it leaves at the average of its moment. */
    valued: boolean().notNull(),
    /**
     * Its value is that of the movement that it gives back, undoes or continues, and changes with it: goods that an order
     * returns, voids, the other side of a transfer. A return to stock (type 2) follows the exit that its document names
     * without this flag, because older releases would take it for a transfer.
     */
    follows: boolean().notNull().default(false),
    unit_cost: unitCost().notNull(),
    posted_value: value().notNull(),
    typeTrasactionId: smallint().notNull(),
    transaction_id: ref(),
    /** The kind and the id of the thing of another domain that used the stock. */
    origin: text(),
    origin_id: ref(),
    document: text(),
    is_void: boolean().notNull().default(false),
    user_id: ref(),
    user_name: text(),
    created_at: instant().notNull().default(sql`now()`),
    /** Running columns. */
    value: value().notNull(),
    balance: quantity().notNull(),
    balance_value: value().notNull(),
    average_cost: unitCost().notNull(),
    /** The back-dated document that last changed its value. */
    recosted_by: ref(),
  },
  (t) => [
    ...ofCompany(t),
    refers('movements_warehouse', t, t.warehouse_id, warehousesTable),
    refers('movements_supply', t, t.supply_id, suppliesTable),
    refers('movements_transaction', t, t.transaction_id, transactionsTable),
    index('movements_of_level').on(t.company_id, t.warehouse_id, t.supply_id, t.at, t.id),
    index('movements_of_warehouse').on(t.company_id, t.warehouse_id, t.at, t.id),
    index('movements_by_quantity').on(t.company_id, t.warehouse_id, t.quantity, t.id),
    index('movements_by_value').on(t.company_id, t.warehouse_id, t.value, t.id),
    index('movements_of_type').on(t.company_id, t.warehouse_id, t.typeTrasactionId, t.at, t.id),
    index('movements_by_day').on(t.company_id, t.at, t.id),
    index('movements_of_transaction').on(t.company_id, t.transaction_id),
    index('movements_of_origin').on(t.company_id, t.origin, t.origin_id).where(sql`${t.origin} is not null`),
    index('movements_by_words').using('gin', t.company_id, sql`(${PLAIN_DOCUMENT}) gin_trgm_ops`),
    check('movements_never_negative', sql`${t.balance} >= 0 and ${t.balance_value} >= 0`),
  ],
)

export const stockCountsTable = pgTable(
  'stock_counts',
  {
    ...companyColumns,
    workshop_id: ref().notNull(),
    warehouse_id: ref().notNull(),
    state: text().notNull().default('open'),
    blind: boolean().notNull().default(false),
    note: text(),
    user_name: text(),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    refers('stock_counts_workshop', t, t.workshop_id, workshopsTable),
    refers('stock_counts_warehouse', t, t.warehouse_id, warehousesTable),
    index('stock_counts_of_warehouse').on(t.company_id, t.warehouse_id, t.id),
    check('stock_counts_state', sql`${t.state} in ('open', 'applied', 'discarded')`),
  ],
)

export const stockCountLinesTable = pgTable(
  'stock_count_lines',
  {
    company_id: ref().notNull(),
    count_id: ref().notNull(),
    supply_id: ref().notNull(),
    /** The stock on hand when the line was counted. */
    expected: quantity(),
    counted: quantity(),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.count_id, t.supply_id] }),
    companyFence(),
    refers('stock_count_lines_count', t, t.count_id, stockCountsTable),
    refers('stock_count_lines_supply', t, t.supply_id, suppliesTable),
    index('stock_count_lines_of_supply').on(t.company_id, t.supply_id),
  ],
)
