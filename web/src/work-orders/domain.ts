import { IconClipboardList, IconFileInvoice, IconHistory, IconTool } from '@tabler/icons-react'
import { TRUCK_ACTIONS, TRUCK_PILLS, TRUCK_TABS } from '../fleet/slots.ts'
import type { Domain } from '../frames/domain.ts'
import { asks, type ListSearch, screen } from '../platform/routes.tsx'
import { PROVIDER_TABS } from '../providers/slots.ts'
import { lazy } from '../ui/lazy.ts'

interface BoardSearch {
  filter?: object
  solo?: string
}

export const workOrderRoutes = [
  screen('/ordenes-de-trabajo', () => import('./board/screen.tsx'), asks<BoardSearch>()),
  screen('/ordenes-de-trabajo/calendario', () => import('./calendar/screen.tsx'), asks<BoardSearch>()),
  screen('/ordenes-de-trabajo/nueva', () => import('./order/create.tsx'), asks<{ truck?: number; status?: string }>()),
  screen('/ordenes-de-trabajo/$id', () => import('./order/detail.tsx')),
  screen('/historial-ordenes-de-trabajo', () => import('./history/history.tsx'), asks<ListSearch>()),
  screen('/facturas-por-pagar', () => import('./payables/payable-list.tsx'), asks<ListSearch & { payable?: number }>()),
  screen('/mis-trabajos', () => import('./mine/my-works.tsx')),
] as const

const ofTruck = () => import('./order/of-truck.tsx')
const ordersOf = () => import('./history/orders-of.tsx')

export const workOrdersDomain: Domain = {
  screens: [
    {
      group: 'Taller',
      label: 'Mis trabajos',
      to: '/mis-trabajos',
      icon: IconTool,
      may: 'work-orders.work',
      for: (me) => Boolean(me.specialist_id),
    },
    {
      group: 'Taller',
      label: 'Órdenes de trabajo',
      short: 'Órdenes',
      to: '/ordenes-de-trabajo',
      icon: IconClipboardList,
      may: 'work-orders.read',
      create: { label: 'Nueva orden de trabajo', to: '/ordenes-de-trabajo/nueva', may: 'work-orders.write' },
    },
    {
      group: 'Taller',
      label: 'Historial',
      to: '/historial-ordenes-de-trabajo',
      icon: IconHistory,
      may: 'work-orders.read',
    },
    {
      group: 'Recursos',
      label: 'Facturas por pagar',
      short: 'Facturas',
      to: '/facturas-por-pagar',
      icon: IconFileInvoice,
      may: 'payables.read',
    },
  ],
  adds: [
    TRUCK_PILLS.add({
      may: 'work-orders.read',
      content: lazy(async () => ({ default: (await ofTruck()).InWorkshop })),
    }),
    TRUCK_ACTIONS.add({
      may: 'work-orders.write',
      content: lazy(async () => ({ default: (await ofTruck()).NewOfTruck })),
    }),
    TRUCK_TABS.add({
      value: 'ordenes',
      label: 'Órdenes de trabajo',
      content: lazy(async () => ({ default: (await ordersOf()).OrdersOfTruck })),
    }),
    PROVIDER_TABS.add({
      value: 'ordenes',
      label: 'Órdenes de trabajo',
      content: lazy(async () => ({ default: (await ordersOf()).OrdersOfProvider })),
    }),
    PROVIDER_TABS.add({
      value: 'facturas',
      label: 'Facturas',
      may: 'payables.read',
      content: lazy(async () => ({ default: (await import('./payables/payable-list.tsx')).PayablesOfProvider })),
    }),
  ],
  finds: { work_order: { label: 'Órdenes de trabajo', icon: IconClipboardList } },
  acts: () => import('./found-actions.ts'),
}
