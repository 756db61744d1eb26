import { z } from 'zod'
import { SeenCost } from '../base/money.ts'
import { ById, endpoint, Id, Instant } from '../base/wire.ts'
import { ProviderPurchases, PURCHASE_STATUS_NAMES } from '../purchasing/purchasing.ts'
import { SupplyCost } from '../supplies/supplies.ts'
import { Movement, SupplyStock } from '../warehouses/stock.ts'
import { SentTransfer } from '../warehouses/transfers.ts'
import { Payable, PayableTotals } from '../work-orders/payables.ts'
import { Period } from './periods.ts'
import { TruckName } from './reports.ts'

/* What the page of a supply, of a provider and of a warehouse opens with, each in one call. */

/** Without a movement for as long as this, what lies there is dead stock. */
export const DEAD_AFTER_DAYS = 180

const OfSupply = { supply_id: Id, code: z.string(), name: z.string(), unit: z.string().nullable() }

/** What is ordered of a supply and still to come. */
export const Arrival = z.object({
  purchase_order_id: Id,
  code: z.string(),
  status: z.enum(PURCHASE_STATUS_NAMES),
  warehouse_id: Id,
  warehouse: z.string(),
  provider_id: Id,
  provider: z.string(),
  quantity: z.number(),
  /** When the provider said that it comes, and when it was asked for. */
  promised_on: z.string().nullable(),
  wanted_on: z.string().nullable(),
  /** By how many days the promised day, or else the wanted one, has passed; 0 while it has not. */
  days_late: z.number(),
})
export type Arrival = z.infer<typeof Arrival>

export const SupplySummary = z.object({
  /** Twelve months: of what was used. */
  range: Period,
  stock: z.array(SupplyStock.extend({ average_cost: SeenCost, value: SeenCost, on_order: z.number() })),
  /** What it cost, each since its moment, the oldest first. */
  costs: z.array(z.object({ at: Instant, cost: SeenCost, source: SupplyCost.shape.source })),
  /** Purchases that stand, the oldest first. */
  purchases: z.array(
    z.object({
      transaction_id: Id,
      warehouse_id: Id,
      date: z.string(),
      document: z.string().nullable(),
      provider: z.string().nullable(),
      quantity: z.number(),
      unit_cost: SeenCost,
    }),
  ),
  /** What orders took, the oldest first, and what else left the warehouses for good. */
  months: z.array(
    z.object({ month: z.string(), count: z.number(), amount: SeenCost, orders: z.number(), exits: z.number() }),
  ),
  /** Those that took most. */
  trucks: z.array(
    z.object({ ...TruckName, count: z.number(), amount: SeenCost, orders: z.number(), last_on: z.string() }),
  ),
  trucks_count: z.number(),
  /** The latest. */
  orders: z.array(
    z.object({
      work_order_id: Id,
      code: z.string(),
      ...TruckName,
      day: z.string(),
      count: z.number(),
      amount: SeenCost,
    }),
  ),
  orders_count: z.number(),
  arrivals: z.array(Arrival),
})
export type SupplySummary = z.infer<typeof SupplySummary>

/** A price that a provider asked, and what it asked before. */
export const PriceMove = z.object({
  ...OfSupply,
  last_on: z.string(),
  last: SeenCost,
  before_on: z.string().nullable(),
  before: SeenCost,
  /** The last price that was a year old or older when the last one was asked. */
  year_ago_on: z.string().nullable(),
  year_ago: SeenCost,
  /** Bought in twelve months. */
  quantity: z.number(),
})
export type PriceMove = z.infer<typeof PriceMove>

export const ProviderSummary = z.object({
  /** Twelve months, and the twelve before them. */
  range: Period,
  before: Period,
  /** As the report by provider says it: purchases without IVA. */
  spent: z.object({
    services_cost: SeenCost,
    purchases_net: SeenCost,
    total: SeenCost,
    before: SeenCost,
  }),
  months: z.array(z.object({ month: z.string(), services_cost: SeenCost, purchases_net: SeenCost })),
  /** Null for those who see no warehouse. */
  purchases: ProviderPurchases.pick({
    deliveries: true,
    late_deliveries: true,
    average_days_late: true,
    overdue_lines: true,
    open_orders: true,
    last_on: true,
  }).nullable(),
  /** What should have come and did not, and then what came late, the newest first. */
  late: z.array(
    z.object({
      ...OfSupply,
      purchase_order_id: Id,
      order_code: z.string(),
      warehouse_id: Id,
      promised_on: z.string(),
      /** Null: it has not come yet. */
      received_on: z.string().nullable(),
      days: z.number(),
    }),
  ),
  /** What rose most, by what it costs in a year. */
  prices: z.array(PriceMove),
  prices_count: z.number(),
  risen_count: z.number(),
  /** Null for those who see no payables. */
  owed: PayableTotals.extend({ count: z.number() }).nullable(),
  documents: z.array(Payable),
})
export type ProviderSummary = z.infer<typeof ProviderSummary>

export const WarehouseSummary = z.object({
  value: SeenCost,
  supplies_count: z.number(),
  /** Of what lies there, by category; the rest together. */
  categories: z.array(z.object({ category: z.string().nullable(), supplies: z.number(), value: SeenCost })),
  below_minimum: z.number(),
  /** Those that lack most. */
  below: z.array(
    z.object({ ...OfSupply, available: z.number(), minimum: z.number(), on_order: z.number(), incoming: z.number() }),
  ),
  dead: z.object({
    count: z.number(),
    value: SeenCost,
    /** Those that are worth most. */
    supplies: z.array(
      z.object({ ...OfSupply, stock: z.number(), value: SeenCost, last_at: Instant.nullable(), days: z.number() }),
    ),
  }),
  /** Of the last thirty days and the thirty before, what came and what went. */
  moved: z.object({
    entries: z.number(),
    entries_value: SeenCost,
    exits: z.number(),
    exits_value: SeenCost,
    before_entries_value: SeenCost,
    before_exits_value: SeenCost,
  }),
  movements: z.array(
    Movement.extend({ unit_cost: SeenCost, value: SeenCost, average_cost: SeenCost, balance_value: SeenCost }),
  ),
  sent_value: SeenCost,
  incoming_value: SeenCost,
  transfers: z.array(SentTransfer.extend({ value: SeenCost, missing_value: SeenCost })),
  open_orders: z.number(),
  /** Purchase orders with something that should have come by now. */
  late_orders: z.number(),
})
export type WarehouseSummary = z.infer<typeof WarehouseSummary>

export const reportPages = {
  supplySummary: endpoint({
    method: 'GET',
    path: '/v1/supplies/:id/summary',
    may: 'warehouses.read',
    summary: 'Where a supply is, what it cost over time, who used it in twelve months and what is to come',
    params: ById,
    reply: SupplySummary,
  }),
  providerSummary: endpoint({
    method: 'GET',
    path: '/v1/providers/:id/summary',
    may: 'providers.read',
    heavy: true,
    summary: 'What was spent with a provider by month, what came late, which prices rose and what is owed',
    params: ById,
    reply: ProviderSummary,
  }),
  warehouseSummary: endpoint({
    method: 'GET',
    path: '/v1/warehouses/:id/summary',
    may: 'warehouses.read',
    summary: 'What lies in a warehouse, what is short, what has not moved, what moved of late and what is on its way',
    params: ById,
    reply: WarehouseSummary,
  }),
}
