import { IconBuildingWarehouse } from '@tabler/icons-react'
import type { Domain } from '../frames/domain.ts'
import { asks, type ListSearch, screen, type TabSearch } from '../platform/routes.tsx'
import { SUPPLY_STOCK, SUPPLY_TABS } from '../supplies/slots.ts'
import { lazy } from '../ui/lazy.ts'

/** What of the warehouse is opened in its tabs. */
interface WarehouseSearch extends TabSearch {
  supply?: number
  /** The sheet of a physical count. */
  count?: number
  transaction?: number
  transfer?: number
  order?: number
  reorder?: number
  requests?: number
  /** A form that is opened at once, and the code of the supply it begins with. */
  write?: string
  add?: string
}

export const warehouseRoutes = [
  screen('/warehouse', () => import('./warehouse-list.tsx'), asks<ListSearch>()),
  screen('/warehouse/create', () => import('./warehouse-create.tsx')),
  screen('/warehouse/$id', () => import('./warehouse-detail.tsx'), asks<WarehouseSearch>()),
] as const

const ofSupply = () => import('./of-supply.tsx')

export const warehousesDomain: Domain = {
  screens: [
    {
      group: 'Recursos',
      label: 'Bodegas',
      to: '/warehouse',
      icon: IconBuildingWarehouse,
      may: 'warehouses.read',
      create: { label: 'Nueva bodega', to: '/warehouse/create', may: 'warehouses.write' },
    },
  ],
  adds: [
    SUPPLY_TABS.add({
      value: 'stock',
      label: 'Stock',
      may: 'warehouses.read',
      content: lazy(async () => ({ default: (await ofSupply()).SupplyStockTab })),
    }),
    SUPPLY_TABS.add({
      value: 'uses',
      label: 'Dónde se usó',
      may: 'warehouses.read',
      content: lazy(async () => ({ default: (await ofSupply()).SupplyUsesTab })),
    }),
    SUPPLY_STOCK.add({ may: 'warehouses.read', content: lazy(() => import('./stock-cell.tsx')) }),
  ],
  finds: { warehouse: { label: 'Bodegas', icon: IconBuildingWarehouse } },
  acts: () => import('./found-actions.ts'),
}
