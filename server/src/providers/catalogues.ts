import type { Catalogue } from '../workshops/catalogues.ts'
import { serviceCategoriesTable } from './tables.ts'

export const SERVICE_CATEGORIES: Catalogue = {
  table: serviceCategoriesTable,
  entity: 'service_category',
  topic: 'providers',
  more: ['description', 'company_id'],
  exists: 'Ya existe una categoría con este nombre.',
  inUse: 'Hay servicios que la usan y no se puede eliminar. Cámbielos antes, o corrija el nombre.',
}
