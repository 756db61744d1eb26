import { TRUCK_LIST_ACTIONS } from '../fleet/slots.ts'
import type { Domain } from '../frames/domain.ts'
import { PROVIDER_LIST_ACTIONS } from '../providers/slots.ts'
import { SUPPLY_LIST_ACTIONS } from '../supplies/slots.ts'
import { lazy } from '../ui/lazy.ts'
import { STOCK_ACTIONS } from '../warehouses/slots.ts'

const buttons = () => import('./import-button.tsx')

export const importsDomain: Domain = {
  adds: [
    TRUCK_LIST_ACTIONS.add({
      may: 'imports.trucks',
      content: lazy(async () => ({ default: (await buttons()).ImportTrucks })),
    }),
    SUPPLY_LIST_ACTIONS.add({
      may: 'imports.supplies',
      content: lazy(async () => ({ default: (await buttons()).ImportSupplies })),
    }),
    PROVIDER_LIST_ACTIONS.add({
      may: 'imports.providers',
      content: lazy(async () => ({ default: (await buttons()).ImportProviders })),
    }),
    STOCK_ACTIONS.add({
      may: 'imports.limits',
      content: lazy(async () => ({ default: (await buttons()).ImportLimits })),
    }),
  ],
}
