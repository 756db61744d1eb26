import { IconWebhook } from '@tabler/icons-react'
import { lazy } from 'react'
import type { Section } from '../frames/domain.ts'

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
