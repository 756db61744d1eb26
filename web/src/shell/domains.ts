import { alertsDomain } from '../alerts/domain.ts'
import { fleetDomain } from '../fleet/domain.ts'
import type { Domain } from '../frames/domain.ts'
import { importsDomain } from '../imports/domain.ts'
import { providersDomain } from '../providers/domain.ts'
import { purchasingDomain } from '../purchasing/domain.ts'
import { reportsDomain } from '../reports/domain.ts'
import { suppliesDomain } from '../supplies/domain.ts'
import { warehousesDomain } from '../warehouses/domain.ts'
import { workOrdersDomain } from '../work-orders/domain.ts'

/** In the order in which their screens stand in the navigation, and their tabs on a page. */
export const DOMAINS: Domain[] = [
  fleetDomain,
  alertsDomain,
  suppliesDomain,
  providersDomain,
  warehousesDomain,
  workOrdersDomain,
  purchasingDomain,
  importsDomain,
  reportsDomain,
]
