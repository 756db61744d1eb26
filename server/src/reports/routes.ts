import { budgets } from '#contract/reports/budgets.ts'
import { reportPages } from '#contract/reports/pages.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import type { Db } from '../platform/database/db.ts'
import type { Domain } from '../platform/http/domain.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { MONTHS_CLOSED } from '../workshops/months.ts'
import { lookingAtTruck } from '../workshops/scope.ts'
import { equipmentAvailability } from './availability/availability.ts'
import { listStops } from './availability/stops.ts'
import { dataFrom } from './data-from.ts'
import { getBudgets, setBudgets } from './expenses/budgets.ts'
import { expensesByCategory, expensesByMonth } from './expenses/by-category.ts'
import { expensesByProvider } from './expenses/by-provider.ts'
import { expensesByTruck } from './expenses/by-truck.ts'
import { keepClosedFigures } from './expenses/closed-figures.ts'
import { historicalExpenses } from './expenses/historical.ts'
import { listOrders } from './expenses/orders.ts'
import { listEntryRows, listExpenseRows } from './expenses/rows.ts'
import { chartSuppliesByTruck, listSuppliesByTruck } from './expenses/supplies-by-truck.ts'
import { listKilometers, listLowStock } from './figure-rows.ts'
import {
  downloadAvailability,
  downloadByCategory,
  downloadByMonth,
  downloadByProvider,
  downloadByTruck,
  downloadHours,
  downloadSummaryMaintenance,
  downloadSuppliesByTruck,
} from './files/downloads.ts'
import { downloadEntries, downloadHistory } from './files/lists.ts'
import { mondayJob } from './files/monday-mails.ts'
import { hoursBySpecialist, listTimes } from './hours.ts'
import { providerSummary } from './pages/provider-summary.ts'
import { reportSummary } from './pages/summary.ts'
import { supplySummary } from './pages/supply-summary.ts'
import { truckSummary } from './pages/truck-summary.ts'
import { warehouseSummary } from './pages/warehouse-summary.ts'

interface Rows {
  filter: { Anywhere?: 'true' | undefined; Truck?: number[] | undefined }
}
/** Rows as they are, or, of one truck, as its page counts them. */
const ofTruck =
  <Query extends Rows, Found>(list: (db: Db, actor: Actor, query: Query) => Promise<Found>) =>
  async ({ db, actor, query }: { db: Db; actor: Actor; query: Query }) => {
    const { Anywhere, Truck } = query.filter
    return list(db, Anywhere && Truck?.length === 1 ? await lookingAtTruck(db, actor) : actor, query)
  }

export const reportsDomain: Domain = {
  routes(bind) {
    bind(reports.dataFrom, ({ db, actor, query }) => dataFrom(db, actor, query))
    bind(reports.summary, ({ db, actor, query }) => reportSummary(db, actor, query))
    bind(reports.truckSummary, ({ db, actor, params }) => truckSummary(db, actor, params.id))
    bind(budgets.getBudgets, ({ db, actor, query }) => getBudgets(db, actor, query.year))
    bind(budgets.setBudgets, ({ db, actor, body }) => setBudgets(db, actor, body))
    bind(reportPages.supplySummary, ({ db, actor, params }) => supplySummary(db, actor, params.id))
    bind(reportPages.providerSummary, ({ db, actor, params }) => providerSummary(db, actor, params.id))
    bind(reportPages.warehouseSummary, ({ db, actor, params }) => warehouseSummary(db, actor, params.id))
    bind(reports.expensesByTruck, ({ db, actor, query }) => expensesByTruck(db, actor, query))
    bind(reports.expensesByProvider, ({ db, actor, query }) => expensesByProvider(db, actor, query))
    bind(reports.historicalExpenses, ({ db, actor, query }) => historicalExpenses(db, actor, query))
    bind(reports.expensesByCategory, ({ db, actor, query }) => expensesByCategory(db, actor, query))
    bind(reports.expensesByMonth, ({ db, actor, query }) => expensesByMonth(db, actor, query))
    bind(reports.availability, ({ db, actor, query }) => equipmentAvailability(db, actor, query))
    bind(reports.hoursBySpecialist, ({ db, actor, query }) => hoursBySpecialist(db, actor, query))
    bind(reports.chartSuppliesByTruck, ({ db, actor, query }) => chartSuppliesByTruck(db, actor, query))
    bind(reports.listSuppliesByTruck, ({ db, actor, query }) => listSuppliesByTruck(db, actor, query))
    bind(reportRows.expenseRows, ofTruck(listExpenseRows))
    bind(reportRows.entryRows, ({ db, actor, query }) => listEntryRows(db, actor, query))
    bind(reportRows.stopRows, ofTruck(listStops))
    bind(reportRows.orderRows, ofTruck(listOrders))
    bind(reportRows.kilometerRows, ofTruck(listKilometers))
    bind(reportRows.timeRows, ({ db, actor, query }) => listTimes(db, actor, query))
    bind(reportRows.lowStockRows, ({ db, actor, query }) => listLowStock(db, actor, query))

    bind(reports.downloadByTruck, ({ db, actor, query }) => downloadByTruck(db, actor, query))
    bind(reports.downloadByProvider, ({ db, actor, query }) => downloadByProvider(db, actor, query))
    bind(reports.downloadByCategory, ({ db, actor, query }) => downloadByCategory(db, actor, query))
    bind(reports.downloadByMonth, ({ db, actor, query }) => downloadByMonth(db, actor, query))
    bind(reports.downloadAvailability, ({ db, actor, query }) => downloadAvailability(db, actor, query))
    bind.inSteps(reports.downloadHours, ({ step, actor, query }) => downloadHours(step, actor, query))
    bind.inSteps(reports.downloadSummaryMaintenance, ({ step, actor, query }) =>
      downloadSummaryMaintenance(step, actor, query),
    )
    bind.inSteps(reports.downloadSuppliesByTruck, ({ step, actor, query }) =>
      downloadSuppliesByTruck(step, actor, query),
    )
    bind.inSteps(reports.downloadHistory, ({ step, actor, query }) => downloadHistory(step, actor, query))
    bind.inSteps(reports.downloadEntries, ({ step, actor, query }) => downloadEntries(step, actor, query))
  },
  listens: { [MONTHS_CLOSED]: keepClosedFigures },
  jobs: [mondayJob],
}
