import { IconBox } from '@tabler/icons-react'
import type { Domain } from '../frames/domain.ts'
import { asks, type ListSearch, screen, type TabSearch } from '../platform/routes.tsx'

export const supplyRoutes = [
  screen('/inventario', () => import('./supply-list.tsx'), asks<ListSearch>()),
  screen('/nuevo-insumo', () => import('./supply-create.tsx')),
  screen('/insumo/$id', () => import('./supply-detail.tsx'), asks<TabSearch>()),
] as const

export const suppliesDomain: Domain = {
  screens: [
    {
      group: 'Recursos',
      label: 'Inventario',
      to: '/inventario',
      things: '/insumo',
      icon: IconBox,
      may: 'supplies.read',
      create: { label: 'Nuevo insumo', to: '/nuevo-insumo', may: 'supplies.write' },
    },
  ],
  finds: { supply: { label: 'Insumos', icon: IconBox } },
}
