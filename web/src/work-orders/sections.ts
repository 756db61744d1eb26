import { IconChecklist, IconHeartbeat, IconTemplate } from '@tabler/icons-react'
import type { Section } from '../frames/domain.ts'
import { lazy } from '../ui/lazy.ts'

export const workOrderSections: Section[] = [
  {
    group: 'Catálogos',
    rank: 2,
    slug: 'tareas',
    label: 'Tareas',
    icon: IconChecklist,
    may: 'company.manage',
    content: lazy(() => import('./tasks-section.tsx')),
  },
  {
    group: 'Catálogos',
    rank: 3,
    slug: 'tipos-de-mantencion',
    label: 'Tipos de mantención',
    icon: IconHeartbeat,
    may: 'company.manage',
    content: lazy(() => import('./maintenance-types-section.tsx')),
  },
  {
    group: 'Catálogos',
    rank: 4,
    slug: 'plantillas',
    label: 'Plantillas',
    icon: IconTemplate,
    may: 'work-orders.write',
    content: lazy(() => import('./templates-section.tsx')),
  },
]
