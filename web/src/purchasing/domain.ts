import { IconShoppingCart } from '@tabler/icons-react'
import type { Domain } from '../frames/domain.ts'
import { PROVIDER_ASIDE, PROVIDER_TABS } from '../providers/slots.ts'
import { lazy } from '../ui/lazy.ts'
import { WAREHOUSE_TABS } from '../warehouses/slots.ts'

export const purchasingDomain: Domain = {
  adds: [
    WAREHOUSE_TABS.add({
      value: 'purchases-orders',
      label: 'Órdenes de compra',
      content: lazy(() => import('./orders-tab.tsx')),
    }),
    PROVIDER_TABS.add({
      value: 'purchases',
      label: 'Compras',
      may: 'warehouses.read',
      content: lazy(() => import('./provider-purchases-tab.tsx')),
    }),
    PROVIDER_ASIDE.add({ may: 'warehouses.read', content: lazy(() => import('./provider-purchases-aside.tsx')) }),
  ],
  finds: { purchase_order: { label: 'Órdenes de compra', icon: IconShoppingCart } },
}
