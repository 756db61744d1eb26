import { IconTruck } from '@tabler/icons-react'
import type { Domain } from '../frames/domain.ts'
import { asks, type ListSearch, screen, type TabSearch } from '../platform/routes.tsx'

export const fleetRoutes = [
  screen('/truck', () => import('./truck-list.tsx'), asks<ListSearch>()),
  screen('/truck/create', () => import('./truck-create.tsx')),
  screen('/truck/$id', () => import('./truck-detail.tsx'), asks<TabSearch>()),
] as const

export const fleetDomain: Domain = {
  screens: [
    {
      group: 'Recursos',
      label: 'Equipos',
      to: '/truck',
      icon: IconTruck,
      may: 'fleet.read',
      create: { label: 'Nuevo equipo', to: '/truck/create', may: 'fleet.write' },
    },
  ],
  finds: { truck: { label: 'Equipos', icon: IconTruck } },
}
