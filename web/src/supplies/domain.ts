import { IconBox } from '@tabler/icons-react'
import type { Domain } from '../frames/domain.ts'
import { screen } from '../platform/routes.tsx'

export const supplyRoutes = [
  screen('/inventario', () => import('./supply-list.tsx')),
  screen('/nuevo-insumo', () => import('./supply-create.tsx')),
  screen('/insumo/$id', () => import('./supply-detail.tsx')),
] as const

export const suppliesDomain: Domain = {
  screens: [
    {
      group: 'Recursos',
      label: 'Inventario',
      to: '/inventario',
      icon: IconBox,
      may: 'supplies.read',
      create: { label: 'Nuevo insumo', to: '/nuevo-insumo', may: 'supplies.write' },
    },
  ],
  finds: { supply: { label: 'Insumos', icon: IconBox } },
}
