import { type AlertCategory, alertCategories } from '#contract/alerts/categories.ts'
import { call } from '../platform/api.ts'
import type { Addable } from '../workshops/catalogues.ts'

/** Inside the alert's form a category is a name; what makes it a document is said in the configuration. */
export const ALERT_CATEGORIES: Addable<AlertCategory> = {
  topic: 'alerts',
  adding: { title: 'Nueva categoría', button: 'Crear categoría', done: 'Categoría creada correctamente ✅' },
  create: ({ name }, idempotencyKey) => call(alertCategories.createCategory, { body: { name }, idempotencyKey }),
}
