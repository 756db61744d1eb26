import { IconArrowsExchange } from '@tabler/icons-react'
import type { Section } from '../frames/domain.ts'
import { lazy } from '../ui/lazy.ts'

export const warehouseSections: Section[] = [
  {
    group: 'Catálogos',
    rank: 11,
    slug: 'tipos-de-movimiento',
    label: 'Tipos de movimiento',
    icon: IconArrowsExchange,
    may: 'people.manage',
    content: lazy(() => import('./transaction-types-section.tsx')),
  },
]
