import { IconWebhook } from '@tabler/icons-react'
import type { Section } from '../frames/domain.ts'
import { lazy } from '../ui/lazy.ts'

export const webhookSections: Section[] = [
  {
    group: 'Empresa',
    rank: 7,
    slug: 'webhooks',
    label: 'Webhooks',
    icon: IconWebhook,
    may: 'webhooks.manage',
    content: lazy(() => import('./webhooks-section.tsx')),
  },
]
