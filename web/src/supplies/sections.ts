import { IconCategory, IconRuler2 } from '@tabler/icons-react'
import type { Section } from '../frames/domain.ts'
import { catalogueSection } from '../workshops/catalogue-section.tsx'
import { MEASUREMENT_UNITS, SUPPLY_CATEGORIES } from './catalogues.ts'

export const supplySections: Section[] = [
  catalogueSection(SUPPLY_CATEGORIES, { slug: 'categorias-de-insumo', icon: IconCategory, rank: 7 }),
  catalogueSection(MEASUREMENT_UNITS, { slug: 'unidades-de-medida', icon: IconRuler2, rank: 8 }),
]
