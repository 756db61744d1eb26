import { IconBuildingStore, IconTools } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import type { Domain } from '../frames/domain.ts'
import { asks, type ListSearch, screen, type TabSearch } from '../platform/routes.tsx'

const provider = screen(
  '/provider/$id',
  () => import('./provider-detail.tsx'),
  asks<TabSearch & { service?: number }>(),
)
/** A tab of the provider's page, which stays as it is around it. */
const services = createRoute({ getParentRoute: () => provider, path: 'services' })

export const providerRoutes = [
  screen('/provider', () => import('./provider-list.tsx'), asks<ListSearch>()),
  screen('/provider/create', () => import('./provider-create.tsx')),
  provider.addChildren([services]),
] as const

export const providersDomain: Domain = {
  screens: [
    {
      group: 'Recursos',
      label: 'Proveedores',
      to: '/provider',
      icon: IconBuildingStore,
      may: 'providers.read',
      create: { label: 'Nuevo proveedor', to: '/provider/create', may: 'providers.write' },
    },
  ],
  finds: {
    provider: { label: 'Proveedores', icon: IconBuildingStore },
    service: { label: 'Servicios', icon: IconTools },
  },
}
