import type { Catalogue } from '../workshops/catalogues.ts'
import { brandsTable, costCentersTable, truckTypesTable } from './tables.ts'

const ofTrucks = {
  more: ['company_id'],
  topic: 'fleet',
  inUse: 'Hay equipos que lo usan y no se puede eliminar. Cámbielos antes, o corrija el nombre.',
}
export const BRANDS: Catalogue = {
  ...ofTrucks,
  table: brandsTable,
  entity: 'brand',
  exists: 'Ya existe una marca con este nombre.',
}
export const TRUCK_TYPES: Catalogue = {
  ...ofTrucks,
  table: truckTypesTable,
  entity: 'truck_type',
  exists: 'Ya existe un tipo con este nombre.',
}
export const COST_CENTERS: Catalogue = {
  ...ofTrucks,
  table: costCentersTable,
  entity: 'cost_center',
  more: ['company_id', 'description'],
  exists: 'Ya existe un centro de costo con este nombre.',
}
