import { IconCoins, IconTag, IconTruck } from '@tabler/icons-react'
import type { Section } from '../frames/domain.ts'
import { catalogueSection } from '../workshops/catalogue-section.tsx'
import { BRANDS, COST_CENTERS, TRUCK_TYPES } from './catalogues.ts'

export const fleetSections: Section[] = [
  catalogueSection(BRANDS, { slug: 'marcas', icon: IconTag, rank: 4 }),
  catalogueSection(TRUCK_TYPES, { slug: 'tipos-de-equipo', icon: IconTruck, rank: 5 }),
  catalogueSection(COST_CENTERS, { slug: 'centros-de-costo', icon: IconCoins, rank: 6 }),
]
