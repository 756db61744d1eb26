import { providers } from '#contract/providers/providers.ts'
import { call } from '../platform/api.ts'
import type { Catalogue } from '../workshops/catalogues.ts'

export const SERVICE_CATEGORIES = {
  topic: 'providers',
  title: 'Categorías de servicio',
  fresh: 'Nueva categoría',
  one: 'categoría de servicio',
  about: 'Cómo se agrupan los servicios de los proveedores.',
  described: true,
  adding: {
    title: 'Nueva categoría de servicio',
    button: 'Crear categoría',
    done: 'Categoría creada correctamente ✅',
    failed: 'Error al crear la categoría ❌',
  },
  thing: 'service_categories',
  list: (signal) => call(providers.listServiceCategories, { signal }),
  create: (body, idempotencyKey) => call(providers.createServiceCategory, { body, idempotencyKey }),
  update: (id, body) => call(providers.updateServiceCategory, { params: { id }, body }),
  remove: (id) => call(providers.deleteServiceCategory, { params: { id } }),
} satisfies Catalogue
