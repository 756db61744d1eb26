import { fleetCatalogues } from '#contract/fleet/catalogues.ts'
import { call } from '../platform/api.ts'
import type { Catalogue } from '../workshops/catalogues.ts'

const topic = 'fleet'

export const BRANDS = {
  topic,
  title: 'Marcas',
  fresh: 'Nueva marca',
  one: 'marca',
  about: 'Las marcas que se eligen al crear un equipo.',
  adding: {
    title: 'Nueva marca',
    button: 'Crear marca',
    done: 'Marca creado correctamente ✅',
    failed: 'Error al crear el marca',
  },
  thing: 'brands',
  list: (signal) => call(fleetCatalogues.listBrands, { signal }),
  create: (body, idempotencyKey) => call(fleetCatalogues.createBrand, { body, idempotencyKey }),
  update: (id, body) => call(fleetCatalogues.updateBrand, { params: { id }, body }),
  remove: (id) => call(fleetCatalogues.deleteBrand, { params: { id } }),
} satisfies Catalogue

export const TRUCK_TYPES = {
  topic,
  title: 'Tipos de equipo',
  fresh: 'Nuevo tipo',
  one: 'tipo de equipo',
  about: 'Tractocamión, tolva, rampla: lo que es cada equipo.',
  adding: {
    title: 'Nuevo tipo de equipo',
    button: 'Crear tipo',
    done: 'Tipo creado correctamente ✅',
    failed: 'Error al crear el Tipo',
  },
  thing: 'truck_types',
  list: (signal) => call(fleetCatalogues.chooseTruckTypes, { signal }),
  create: (body, idempotencyKey) => call(fleetCatalogues.createTruckType, { body, idempotencyKey }),
  update: (id, body) => call(fleetCatalogues.updateTruckType, { params: { id }, body }),
  remove: (id) => call(fleetCatalogues.deleteTruckType, { params: { id } }),
} satisfies Catalogue

export const COST_CENTERS = {
  topic,
  title: 'Centros de costo',
  fresh: 'Nuevo centro de costo',
  one: 'centro de costo',
  about: 'A quién se le cargan los gastos de un equipo.',
  described: true,
  adding: {
    title: 'Nuevo centro de costo',
    button: 'Crear centro',
    done: 'Centro de costo creado correctamente ✅',
    failed: 'Error al crear el centro de costo',
  },
  thing: 'cost_centers',
  list: (signal) => call(fleetCatalogues.listCostCenters, { signal }),
  create: (body, idempotencyKey) => call(fleetCatalogues.createCostCenter, { body, idempotencyKey }),
  update: (id, body) => call(fleetCatalogues.updateCostCenter, { params: { id }, body }),
  remove: (id) => call(fleetCatalogues.deleteCostCenter, { params: { id } }),
} satisfies Catalogue
