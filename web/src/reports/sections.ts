import { IconPigMoney } from '@tabler/icons-react'
import type { Section } from '../frames/domain.ts'
import { lazy } from '../ui/lazy.ts'

export const reportSections: Section[] = [
  {
    group: 'Empresa',
    rank: 6,
    slug: 'presupuestos',
    label: 'Presupuestos',
    icon: IconPigMoney,
    may: 'company.manage',
    content: lazy(() => import('./budgets-section.tsx')),
  },
]
