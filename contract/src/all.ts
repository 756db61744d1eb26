import { alerts } from './alerts/alerts.ts'
import { alertCategories } from './alerts/categories.ts'
import { alertMails } from './alerts/mails.ts'
import { finder } from './base/finder.ts'
import type { Endpoint } from './base/wire.ts'
import { fleetCatalogues } from './fleet/catalogues.ts'
import { fleet } from './fleet/fleet.ts'
import { apiTokens } from './identity/api-tokens.ts'
import { factors } from './identity/factors.ts'
import { identity } from './identity/identity.ts'
import { oidc } from './identity/oidc.ts'
import { security } from './identity/security.ts'
import { views } from './identity/views.ts'
import { imports } from './imports/imports.ts'
import { providers } from './providers/providers.ts'
import { purchasing } from './purchasing/purchasing.ts'
import { budgets } from './reports/budgets.ts'
import { reportPages } from './reports/pages.ts'
import { reports } from './reports/reports.ts'
import { reportRows } from './reports/rows.ts'
import { supplies } from './supplies/supplies.ts'
import { warehouses } from './warehouses/warehouses.ts'
import { webhooks } from './webhooks/webhooks.ts'
import { workCatalogues } from './work-orders/catalogues.ts'
import { workOrders } from './work-orders/orders.ts'
import { workOrderParts } from './work-orders/parts.ts'
import { payables } from './work-orders/payables.ts'
import { planner } from './work-orders/planner.ts'
import { maintenanceTemplates } from './work-orders/templates.ts'
import { companies } from './workshops/company.ts'
import { months } from './workshops/months.ts'
import { rosters } from './workshops/rosters.ts'
import { companySecurity } from './workshops/security.ts'
import { server } from './workshops/server.ts'
import { workshops } from './workshops/workshops.ts'

/** Every call of the product, by domain. */
export const contract: Record<string, Record<string, Endpoint>> = {
  identity,
  security,
  factors,
  apiTokens,
  oidc,
  views,
  workshops,
  companies,
  months,
  rosters,
  companySecurity,
  server,
  fleet,
  fleetCatalogues,
  supplies,
  imports,
  providers,
  warehouses,
  purchasing,
  workOrders,
  workOrderParts,
  payables,
  planner,
  workCatalogues,
  maintenanceTemplates,
  reports,
  reportRows,
  reportPages,
  budgets,
  alerts,
  alertCategories,
  alertMails,
  webhooks,
  finder,
}
