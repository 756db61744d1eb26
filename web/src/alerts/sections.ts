import { IconBellRinging } from '@tabler/icons-react'
import type { Section } from '../frames/domain.ts'
import { lazy } from '../ui/lazy.ts'

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
