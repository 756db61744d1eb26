import { IconReportAnalytics } from '@tabler/icons-react'
import type { Domain } from '../frames/domain.ts'
import { screen } from '../platform/routes.tsx'

export const reportRoutes = [
  screen('/reportes', () => import('./summary.tsx')),
  screen('/reportes/expenses-by-truck', () => import('./by-truck.tsx')),
  screen('/reportes/expenses-by-suppliers', () => import('./by-provider.tsx')),
  screen('/reportes/historical-expenses', () => import('./historical.tsx')),
  screen('/reportes/expenses-by-category', () => import('./by-category.tsx')),
  screen('/reportes/expenses-by-month', () => import('./by-month.tsx')),
  screen('/reportes/equipment-availability', () => import('./availability.tsx')),
  screen('/reportes/cost-supplies-by-truck', () => import('./supplies-by-truck.tsx')),
] as const

export const reportsDomain: Domain = {
  screens: [
    {
      group: 'Análisis',
      label: 'Reportes',
      to: '/reportes',
      icon: IconReportAnalytics,
      may: 'reports.warehouse',
    },
  ],
}
