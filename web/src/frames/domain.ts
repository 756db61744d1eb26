import type { TablerIcon } from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { Found } from '#contract/base/finder.ts'
import type { Permission } from '#contract/base/permissions.ts'
import type { Me } from '#contract/identity/identity.ts'
import type { Addition } from './slots.tsx'

/**
 * What a domain brings to the application besides its routes: `shell/domains.ts` lists them, and knows nothing else
 * of them. It arrives with the first screen, whatever that is: what is drawn is loaded when it is needed.
 */
export interface Domain {
  /** Its lines in the navigation. */
  screens?: Screen[]
  /** What it adds to the pages of the domains it uses. */
  adds?: Addition[]
  /** What the finder calls the kinds of things it finds here. */
  finds?: Record<string, { label: string; icon: TablerIcon }>
  /** What can be done there and then with a thing that was found. */
  acts?: () => Promise<{ default: FoundActions }>
}

/** By the kind of the thing. */
export type FoundActions = Record<string, (found: Found) => FoundAction[]>

interface FoundAction {
  label: string
  icon: TablerIcon
  may: Permission
  /** Where it is done; or else what does it. */
  to?: string
  run?: (client: QueryClient, from: { go: (href: string) => void; workshop: number | undefined }) => Promise<void>
}

export const SCREEN_GROUPS = ['Taller', 'Recursos', 'Análisis', 'Administración'] as const

export interface Screen {
  group: (typeof SCREEN_GROUPS)[number]
  label: string
  /** Where room is short. */
  short?: string
  to: string
  /** Where its things are, if elsewhere. */
  things?: string
  icon: TablerIcon
  may: Permission
  /** Not shown to everyone with the permission. */
  for?: (me: Me) => boolean
  create?: { label: string; to: string; may: Permission }
}

export const SECTION_GROUPS = ['Empresa', 'Personas', 'Catálogos', 'Mi cuenta'] as const

/** A part of the configuration screen, in the domain's `sections.ts`. */
export interface Section {
  group: (typeof SECTION_GROUPS)[number]
  /** Its place in the group: domains share groups. */
  rank: number
  slug: string
  label: string
  icon: TablerIcon
  /** Left out: shown to everyone. */
  may?: Permission
  content: ComponentType
}
