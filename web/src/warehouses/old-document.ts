import { OLD_DOCUMENT } from '#contract/warehouses/transactions.ts'
import type { ApiFailure } from '../platform/api.ts'
import { confirm } from '../ui/confirm.tsx'

/** A paper of long ago: asked about once. True where the person says that its date is right. */
export async function meansOldDate(failure: ApiFailure, prefix = '') {
  if (!failure.errors[`${prefix}confirm_old`]) return false
  return confirm({ title: '¿Es correcta la fecha?', message: OLD_DOCUMENT, accept: 'Sí, guardar' })
}
