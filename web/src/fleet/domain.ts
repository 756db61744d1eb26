import { IconTruck } from '@tabler/icons-react'
import type { Domain } from '../frames/domain.ts'
import { screen } from '../platform/routes.tsx'

export const fleetRoutes = [
  screen('/truck', () => import('./truck-list.tsx')),
  screen('/truck/create', () => import('./truck-create.tsx')),
  screen('/truck/$id', () => import('./truck-detail.tsx')),
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
