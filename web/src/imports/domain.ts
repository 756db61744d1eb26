import { lazy } from 'react'
import { TRUCK_LIST_ACTIONS } from '../fleet/slots.ts'
import type { Domain } from '../frames/domain.ts'
import { SUPPLY_LIST_ACTIONS } from '../supplies/slots.ts'

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
  ],
}
