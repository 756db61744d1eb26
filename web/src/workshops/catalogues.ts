import { fleet } from '#contract/fleet/fleet.ts'
import { providers } from '#contract/providers/providers.ts'
import { supplies } from '#contract/supplies/supplies.ts'
import type { UsedThing } from '#contract/workshops/workshops.ts'
import { call } from '../platform/api.ts'

export interface CatalogueRow {
  id: number
  name: string
  workshop_id: number | null
  description?: string | null
}
interface Written {
  name: string
  description?: string | null
}
export interface CatalogueShown {
  title: string
  /** With its article, as in «Nueva marca». */
  fresh: string
  one: string
  about: string
  described?: boolean
  /** The domain's topic. */
  topic: string
  thing: UsedThing
  list: (signal: AbortSignal) => Promise<{ data: CatalogueRow[] }>
  create: (body: Written, idempotencyKey: string) => Promise<unknown>
  update: (id: number, body: Written) => Promise<unknown>
  remove: (id: number) => Promise<unknown>
}

/** Names to choose in other forms, each kept by its own domain. */
export const CATALOGUES = {
  marcas: {
    title: 'Marcas',
    fresh: 'Nueva marca',
    one: 'marca',
    about: 'Las marcas que se eligen al crear un equipo.',
    topic: 'fleet',
    thing: 'brands',
    list: (signal) => call(fleet.listBrands, { signal }),
    create: (body, idempotencyKey) => call(fleet.createBrand, { body, idempotencyKey }),
    update: (id, body) => call(fleet.updateBrand, { params: { id }, body }),
    remove: (id) => call(fleet.deleteBrand, { params: { id } }),
  },
  'tipos-de-equipo': {
    title: 'Tipos de equipo',
    fresh: 'Nuevo tipo',
    one: 'tipo de equipo',
    about: 'Tractocamión, tolva, rampla: lo que es cada equipo.',
    topic: 'fleet',
    thing: 'truck_types',
    list: (signal) => call(fleet.chooseTruckTypes, { signal }),
    create: (body, idempotencyKey) => call(fleet.createTruckType, { body, idempotencyKey }),
    update: (id, body) => call(fleet.updateTruckType, { params: { id }, body }),
    remove: (id) => call(fleet.deleteTruckType, { params: { id } }),
  },
  'centros-de-costo': {
    title: 'Centros de costo',
    fresh: 'Nuevo centro de costo',
    one: 'centro de costo',
    about: 'A quién se le cargan los gastos de un equipo.',
    described: true,
    topic: 'fleet',
    thing: 'cost_centers',
    list: (signal) => call(fleet.listCostCenters, { signal }),
    create: (body, idempotencyKey) => call(fleet.createCostCenter, { body, idempotencyKey }),
    update: (id, body) => call(fleet.updateCostCenter, { params: { id }, body }),
    remove: (id) => call(fleet.deleteCostCenter, { params: { id } }),
  },
  'categorias-de-insumo': {
    title: 'Categorías de insumo',
    fresh: 'Nueva categoría',
    one: 'categoría de insumo',
    about: 'Filtros, lubricantes, neumáticos: cómo se agrupan los insumos y sus gastos.',
    topic: 'supplies',
    thing: 'categories',
    list: (signal) => call(supplies.listCategories, { signal }),
    create: (body, idempotencyKey) => call(supplies.createCategory, { body, idempotencyKey }),
    update: (id, body) => call(supplies.updateCategory, { params: { id }, body }),
    remove: (id) => call(supplies.deleteCategory, { params: { id } }),
  },
  'unidades-de-medida': {
    title: 'Unidades de medida',
    fresh: 'Nueva unidad',
    one: 'unidad de medida',
    about: 'En qué se cuentan los insumos: unidad, litro, metro.',
    topic: 'supplies',
    thing: 'measurement_units',
    list: (signal) => call(supplies.listMeasurementUnits, { signal }),
    create: (body, idempotencyKey) => call(supplies.createMeasurementUnit, { body, idempotencyKey }),
    update: (id, body) => call(supplies.updateMeasurementUnit, { params: { id }, body }),
    remove: (id) => call(supplies.deleteMeasurementUnit, { params: { id } }),
  },
  'categorias-de-servicio': {
    title: 'Categorías de servicio',
    fresh: 'Nueva categoría',
    one: 'categoría de servicio',
    about: 'Cómo se agrupan los servicios de los proveedores.',
    described: true,
    topic: 'providers',
    thing: 'service_categories',
    list: (signal) => call(providers.listServiceCategories, { signal }),
    create: (body, idempotencyKey) => call(providers.createServiceCategory, { body, idempotencyKey }),
    update: (id, body) => call(providers.updateServiceCategory, { params: { id }, body }),
    remove: (id) => call(providers.deleteServiceCategory, { params: { id } }),
  },
} satisfies Record<string, CatalogueShown>
