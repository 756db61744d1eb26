import type { Catalogue } from '../workshops/catalogues.ts'
import { categoriesTable, measurementUnitsTable } from './tables.ts'

const ofSupplies = {
  topic: 'supplies',
  inUse: 'Hay insumos que la usan y no se puede eliminar. Cámbielos antes, o corrija el nombre.',
}
export const CATEGORIES: Catalogue = {
  ...ofSupplies,
  table: categoriesTable,
  entity: 'category',
  exists: 'Ya existe una categoría con este nombre.',
}
export const MEASUREMENT_UNITS: Catalogue = {
  ...ofSupplies,
  table: measurementUnitsTable,
  entity: 'measurement_unit',
  exists: 'Ya existe una unidad de medida con este nombre.',
}
