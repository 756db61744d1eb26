import { supplies } from '#contract/supplies/supplies.ts'
import { call } from '../platform/api.ts'
import type { Catalogue } from '../workshops/catalogues.ts'

const topic = 'supplies'

export const SUPPLY_CATEGORIES = {
  topic,
  title: 'Categorías de insumo',
  fresh: 'Nueva categoría',
  one: 'categoría de insumo',
  about: 'Filtros, lubricantes, neumáticos: cómo se agrupan los insumos y sus gastos.',
  adding: {
    title: 'Nueva categoría',
    button: 'Crear categoría',
    done: 'Categoría creada correctamente ✅',
    failed: 'Error al crear la categoría ❌',
  },
  thing: 'categories',
  list: (signal) => call(supplies.listCategories, { signal }),
  create: (body, idempotencyKey) => call(supplies.createCategory, { body, idempotencyKey }),
  update: (id, body) => call(supplies.updateCategory, { params: { id }, body }),
  remove: (id) => call(supplies.deleteCategory, { params: { id } }),
} satisfies Catalogue

export const MEASUREMENT_UNITS = {
  topic,
  title: 'Unidades de medida',
  fresh: 'Nueva unidad',
  one: 'unidad de medida',
  about: 'En qué se cuentan los insumos: unidad, litro, metro.',
  adding: {
    title: 'Nueva unidad de medida',
    button: 'Crear unidad',
    done: 'Unidad creada correctamente ✅',
    failed: 'Error al crear la unidad ❌',
  },
  thing: 'measurement_units',
  list: (signal) => call(supplies.listMeasurementUnits, { signal }),
  create: (body, idempotencyKey) => call(supplies.createMeasurementUnit, { body, idempotencyKey }),
  update: (id, body) => call(supplies.updateMeasurementUnit, { params: { id }, body }),
  remove: (id) => call(supplies.deleteMeasurementUnit, { params: { id } }),
} satisfies Catalogue
