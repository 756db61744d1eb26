import { IconBellRinging } from '@tabler/icons-react'
import { TRUCK_TABS } from '../fleet/slots.ts'
import type { Domain } from '../frames/domain.ts'
import { asks, type ListSearch, screen } from '../platform/routes.tsx'
import { lazy } from '../ui/lazy.ts'

export const alertRoutes = [
  screen('/maintenance-alerts', () => import('./alert-list.tsx'), asks<ListSearch & { alert?: number }>()),
  screen('/maintenance-alerts/correos', () => import('./mail-list.tsx'), asks<ListSearch & { mail?: number }>()),
] as const

export const alertsDomain: Domain = {
  screens: [
    {
      group: 'Recursos',
      label: 'Alertas',
      to: '/maintenance-alerts',
      icon: IconBellRinging,
      may: 'alerts.read',
    },
  ],
  adds: [TRUCK_TABS.add({ value: 'alerts', label: 'Alertas', content: lazy(() => import('./alerts-tab.tsx')) })],
  finds: { alert: { label: 'Alertas', icon: IconBellRinging } },
}
