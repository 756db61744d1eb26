import { alertCategories } from './alert-categories.ts'
import { alertMails } from './alert-mails.ts'
import { alerts } from './alerts.ts'
import { finder } from './finder.ts'
import { fleet } from './fleet.ts'
import { identity } from './identity.ts'
import { imports } from './imports.ts'
import { providers } from './providers.ts'
import { purchasing } from './purchasing.ts'
import { reportRows } from './report-rows.ts'
import { reports } from './reports.ts'
import { supplies } from './supplies.ts'
import { warehouses } from './warehouses.ts'
import type { Endpoint } from './wire.ts'
import { workCatalogues } from './work-catalogues.ts'
import { workOrderParts } from './work-order-parts.ts'
import { workOrders } from './work-orders.ts'
import { workshops } from './workshops.ts'

/** Every call of the product, by domain. */
export const contract: Record<string, Record<string, Endpoint>> = {
  identity,
  workshops,
  fleet,
  supplies,
  imports,
  providers,
  warehouses,
  purchasing,
  workOrders,
  workOrderParts,
  workCatalogues,
  reports,
  reportRows,
  alerts,
  alertCategories,
  alertMails,
  finder,
}
