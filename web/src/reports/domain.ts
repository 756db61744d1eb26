import { IconReportAnalytics } from '@tabler/icons-react'
import { TRUCK_TABS } from '../fleet/slots.ts'
import type { Domain } from '../frames/domain.ts'
import { asks, screen } from '../platform/routes.tsx'
import { PROVIDER_TABS } from '../providers/slots.ts'
import { SUPPLY_TABS } from '../supplies/slots.ts'
import { lazy } from '../ui/lazy.ts'
import { WAREHOUSE_TABS } from '../warehouses/slots.ts'

interface ReportSearch {
  filter?: object
}

export const reportRoutes = [
  screen('/reportes', () => import('./summary.tsx')),
  screen('/reportes/expenses-by-truck', () => import('./by-truck.tsx'), asks<ReportSearch>()),
  screen('/reportes/expenses-by-suppliers', () => import('./by-provider.tsx'), asks<ReportSearch>()),
  screen('/reportes/historical-expenses', () => import('./historical.tsx'), asks<ReportSearch>()),
  screen('/reportes/expenses-by-category', () => import('./by-category.tsx'), asks<ReportSearch>()),
  screen('/reportes/expenses-by-month', () => import('./by-month.tsx'), asks<ReportSearch>()),
  screen('/reportes/equipment-availability', () => import('./availability.tsx'), asks<ReportSearch>()),
  screen('/reportes/hours-by-specialist', () => import('./hours.tsx'), asks<ReportSearch>()),
  screen('/reportes/cost-supplies-by-truck', () => import('./supplies-by-truck.tsx'), asks<ReportSearch>()),
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
  adds: [
    TRUCK_TABS.add({
      value: 'resumen',
      label: 'Resumen',
      first: true,
      content: lazy(() => import('./truck-summary.tsx')),
    }),
    SUPPLY_TABS.add({
      value: 'resumen',
      label: 'Resumen',
      first: true,
      may: 'warehouses.read',
      content: lazy(() => import('./supply-summary.tsx')),
    }),
    // The address of these two says general, as it always did.
    PROVIDER_TABS.add({
      value: 'general',
      label: 'General',
      first: true,
      content: lazy(() => import('./provider-summary.tsx')),
    }),
    WAREHOUSE_TABS.add({
      value: 'general',
      label: 'General',
      first: true,
      content: lazy(() => import('./warehouse-summary.tsx')),
    }),
  ],
}
