import { alerts } from '#contract/alerts/alerts.ts'
import type { Endpoint } from '#contract/base/wire.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { identity } from '#contract/identity/identity.ts'
import { providers } from '#contract/providers/providers.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { reportPages } from '#contract/reports/pages.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { supplies } from '#contract/supplies/supplies.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { payables } from '#contract/work-orders/payables.ts'
import { rosters } from '#contract/workshops/rosters.ts'

/** A row of the question. */
export type Row = Record<string, string>

/** What is measured. A domain registers a call in one line. */
export interface BenchCall {
  name: string
  endpoint: Endpoint
  /** A question whose first row the call is made from. */
  given?: string
  params?: object | ((row: Row) => object)
  query?: object | ((row: Row) => object)
  /** Made anew for each request; `n` never comes twice. */
  body?: (n: string, row: Row) => object
  /** The least share of the floor's throughput that we accept. */
  least?: number
  /** What its rows are of, by their ids: the least that could give the same rows. */
  table?: string
  /** Arrivals a second, where fifty are more than people ask for. */
  rate?: number
  /** Its statements cannot be sent again as they are: it is measured without a floor. */
  alone?: true
}

let moves = 0
/** As our screens ask. */
const PAGE = { per_page: 50, count: 'bounded' }
const FAR = 1000
/** Our screen asks for the totals of the history by a call of their own. */
const HISTORY_PAGE = { ...PAGE, totals: 'none' }

export const CALLS: BenchCall[] = [
  {
    name: 'fleet: first page of trucks',
    table: 'trucks',
    endpoint: fleet.listTrucks,
    query: PAGE,
    least: 0.6,
  },
  {
    name: 'fleet: search "volvo"',
    table: 'trucks',
    endpoint: fleet.listTrucks,
    query: { ...PAGE, filter: { Search: 'volvo' } },
    least: 0.6,
  },
  {
    name: 'fleet: sorted by mileage',
    table: 'trucks',
    endpoint: fleet.listTrucks,
    query: { ...PAGE, sort: '-mileage' },
    least: 0.6,
  },
  { name: 'fleet: readings of a truck', table: 'truck_readings', endpoint: fleet.listReadings, params: { id: 1 } },
  {
    name: 'providers: first page',
    table: 'providers',
    endpoint: providers.listProviders,
    query: PAGE,
    least: 0.6,
  },
  {
    name: 'providers: search "frenos"',
    table: 'providers',
    endpoint: providers.listProviders,
    query: { ...PAGE, filter: { Search: 'frenos' } },
  },
  {
    name: 'providers: services of one',
    table: 'provider_services',
    endpoint: providers.listServices,
    params: { id: 1 },
  },
  {
    name: 'providers: near duplicates of a name',
    endpoint: providers.likeProviders,
    query: { name: 'Neumáticos del Norte SpA' },
  },
  {
    name: 'supplies: first page',
    table: 'supplies',
    endpoint: supplies.listSupplies,
    query: PAGE,
    least: 0.6,
  },
  {
    name: 'supplies: search "filtro aceite"',
    table: 'supplies',
    endpoint: supplies.listSupplies,
    query: { ...PAGE, filter: { Search: 'filtro aceite' } },
    least: 0.6,
  },
  {
    name: 'supplies: most expensive first',
    table: 'supplies',
    endpoint: supplies.listSupplies,
    query: { ...PAGE, sort: '-cost' },
    least: 0.6,
  },
  { name: 'supplies: page 1,000', table: 'supplies', endpoint: supplies.listSupplies, query: { ...PAGE, page: FAR } },
  {
    name: 'warehouses: stock of one',
    endpoint: warehouses.listStock,
    params: { warehouse: 1 },
    query: PAGE,
    least: 0.5,
  },
  {
    name: 'warehouses: movements of one',
    table: 'movements',
    endpoint: warehouses.listMovements,
    query: { warehouse: 1, ...PAGE },
  },
  {
    name: 'warehouses: page 1,000 of the movements',
    table: 'movements',
    endpoint: warehouses.listMovements,
    query: { ...PAGE, warehouse: 1, page: FAR },
  },
  {
    name: 'warehouses: transfers between workshops',
    table: 'transactions',
    endpoint: warehouses.listTransfers,
    query: PAGE,
  },
  {
    name: 'warehouses: kardex',
    table: 'movements',
    endpoint: warehouses.kardex,
    query: { warehouse: 1, supply: 1, ...PAGE },
  },
  {
    name: 'warehouses: post an entry of five lines',
    endpoint: warehouses.recordTransaction,
    body: (document) => ({
      warehouse_id: 1,
      type: 'entry',
      transaction: { typeTrasactionId: 2, document },
      // Supplies go round the three workshops; the first warehouse is of the first.
      supplies: [1, 4, 7, 10, 13].map((supply_id) => ({ supply_id, quantity: 1, unit_cost: 1000 })),
    }),
    alone: true,
  },
  { name: 'warehouses: stock of a supply', endpoint: warehouses.supplyStock, params: { id: 1 } },
  { name: 'warehouses: where a supply was used', endpoint: warehouses.supplyUses, params: { id: 1 } },
  { name: 'purchasing: what was bought from a provider', endpoint: purchasing.providerPurchases, params: { id: 1 } },
  {
    name: 'purchasing: first page',
    table: 'purchase_orders',
    endpoint: purchasing.listPurchaseOrders,
    query: PAGE,
  },
  { name: 'alerts: first page', table: 'alerts', endpoint: alerts.listAlerts, query: PAGE, least: 0.6 },
  {
    name: 'alerts: overdue',
    table: 'alerts',
    endpoint: alerts.listAlerts,
    query: { ...PAGE, filter: { Attention: 'overdue' } },
  },
  { name: 'work orders: the board', endpoint: workOrders.workOrderBoard, least: 0.5, rate: 5 },
  { name: 'work orders: the board in short', endpoint: workOrders.workOrderBoardInShort },
  {
    name: 'work orders: the tops of its columns',
    endpoint: workOrders.workOrderBoard,
    query: { per_page: 25 },
  },
  {
    name: 'work orders: move a card',
    endpoint: workOrders.moveWorkOrder,
    given: "select id from work_orders where company_id = 1 and status = 'PENDING' order by position limit 1",
    params: ({ id }) => ({ id }),
    body: () => ({ status: moves++ % 2 ? 'IN_REVIEW' : 'IN_PROCESS' }),
    least: 0.5,
  },
  { name: 'work orders: what is owed, by when it is due', endpoint: payables.listPayables, query: PAGE, least: 0.5 },
  {
    name: 'work orders: first page of the history',
    table: 'work_orders',
    endpoint: workOrders.workOrderHistory,
    query: HISTORY_PAGE,
  },
  {
    name: 'work orders: totals of the whole history',
    endpoint: workOrders.workOrderHistory,
    query: { per_page: 1 },
    rate: 5,
  },
  {
    name: 'work orders: most expensive first',
    table: 'work_orders',
    endpoint: workOrders.workOrderHistory,
    query: { ...HISTORY_PAGE, sort: '-total_cost' },
  },
  {
    name: 'work orders: history of two months',
    table: 'work_orders',
    endpoint: workOrders.workOrderHistory,
    given: "select current_date - 60 || ',' || current_date as days",
    query: ({ days }) => ({ ...HISTORY_PAGE, filter: { BetweenDate: days } }),
  },
  {
    name: 'work orders: page 1,000 of the history',
    table: 'work_orders',
    endpoint: workOrders.workOrderHistory,
    query: { ...HISTORY_PAGE, page: FAR },
  },
  {
    name: 'work orders: what changed on the board',
    endpoint: workOrders.workOrderBoard,
    given: "select id from work_orders where company_id = 1 and status = 'PENDING' order by position desc limit 1",
    query: ({ id }) => ({ only: [id] }),
  },
  {
    name: 'work orders: clashes while typing',
    endpoint: workOrders.plannedClashes,
    given: 'select id as box_id from boxes where company_id = 1 order by id limit 1',
    body: (_n, { box_id }) => ({ box_id: Number(box_id), workshop_entry_at: new Date().toISOString() }),
  },
  {
    name: 'work orders: search a number',
    table: 'work_orders',
    endpoint: workOrders.workOrderHistory,
    query: { ...HISTORY_PAGE, filter: { Search: 'OT-1234' } },
    least: 0.5,
  },
  {
    name: 'work orders: search a plate',
    table: 'work_orders',
    endpoint: workOrders.workOrderHistory,
    given: 'select patent from trucks where company_id = 1 order by id limit 1',
    query: ({ patent }) => ({ ...HISTORY_PAGE, filter: { Search: patent } }),
    least: 0.5,
  },
  {
    name: 'work orders: search "bomba agua"',
    table: 'work_orders',
    endpoint: workOrders.workOrderHistory,
    query: { ...HISTORY_PAGE, filter: { Search: 'bomba agua' } },
    least: 0.5,
  },
  {
    name: 'work orders: search "spn 1234"',
    table: 'work_orders',
    endpoint: workOrders.workOrderHistory,
    query: { ...HISTORY_PAGE, filter: { Search: 'spn 1234' } },
    least: 0.5,
  },
  { name: 'reports: the morning', endpoint: reports.summary },
  { name: 'reports: expenses by truck', endpoint: reports.expensesByTruck },
  { name: 'reports: expenses by month', endpoint: reports.expensesByMonth },
  { name: 'reports: availability', endpoint: reports.availability },
  { name: 'reports: hours by specialist', endpoint: reports.hoursBySpecialist },
  { name: 'reports: lines behind a figure', endpoint: reportRows.expenseRows, query: { filter: { Kind: 'supply' } } },
  { name: 'reports: availability of a truck', endpoint: reports.truckSummary, params: { id: 1 } },
  // Not those that the bench writes to.
  { name: 'reports: page of a supply', endpoint: reportPages.supplySummary, params: { id: 2 } },
  { name: 'reports: page of a provider', endpoint: reportPages.providerSummary, params: { id: 2 } },
  { name: 'reports: page of a warehouse', endpoint: reportPages.warehouseSummary, params: { id: 2 } },
  { name: 'identity: me', endpoint: identity.me },
  { name: 'identity: users', endpoint: identity.listUsers },
  { name: 'workshops: drivers', table: 'drivers', endpoint: rosters.listDrivers },
  // At the end: what is written makes the lists longer.
  {
    name: 'work orders: open one',
    table: 'work_orders',
    endpoint: workOrders.getWorkOrder,
    given: 'select work_order_id as id from work_order_supplies where company_id = 1 order by id desc limit 1',
    params: ({ id }) => ({ id }),
  },
  {
    name: 'work orders: create one with three supplies',
    endpoint: workOrders.createWorkOrder,
    given: "select id from trucks where company_id = 1 and workshop_id = 1 and state = 'active' order by id limit 1",
    body: (request, { id }) => ({
      workshop_id: 1,
      truck_id: Number(id),
      request,
      has_warehouse: true,
      warehouse_id: 1,
      supplies: [1, 4, 7].map((supply_id) => ({ supply_id, count: 0.01 })),
    }),
    alone: true,
  },
  {
    name: 'warehouses: post an exit of five lines',
    endpoint: warehouses.recordTransaction,
    body: (document) => ({
      warehouse_id: 1,
      type: 'exit',
      transaction: { typeTrasactionId: 6, document },
      supplies: [1, 4, 7, 10, 13].map((supply_id) => ({ supply_id, quantity: 0.01 })),
    }),
    alone: true,
  },
  {
    name: 'purchasing: create an order of five lines',
    endpoint: purchasing.createPurchaseOrder,
    body: (note) => ({
      warehouse_id: 1,
      provider_id: 1,
      note,
      supplies: [1, 4, 7, 10, 13].map((supply_id) => ({ supply_id, quantity: 1, unit_cost: 1000 })),
    }),
    alone: true,
  },
]
