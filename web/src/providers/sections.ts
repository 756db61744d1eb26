import { IconTool } from '@tabler/icons-react'
import type { Section } from '../frames/domain.ts'
import { catalogueSection } from '../workshops/catalogue-section.tsx'
import { SERVICE_CATEGORIES } from './catalogues.ts'

export const providerSections: Section[] = [
  catalogueSection(SERVICE_CATEGORIES, { slug: 'categorias-de-servicio', icon: IconTool, rank: 9 }),
]
