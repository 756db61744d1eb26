import { IconBellRinging } from '@tabler/icons-react'
import { lazy } from 'react'
import type { Section } from '../frames/domain.ts'

export const alertSections: Section[] = [
  {
    group: 'Catálogos',
    rank: 10,
    slug: 'categorias-de-alerta',
    label: 'Categorías de alerta',
    icon: IconBellRinging,
    may: 'people.manage',
    content: lazy(() => import('./categories-section.tsx')),
  },
]
