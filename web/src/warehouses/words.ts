import type { Transaction } from '#contract/warehouses/transactions.ts'

/** Names the parts that a purchase on credit was saved without. */
export function sayLacking({ transaction }: Pick<Transaction, 'transaction'>) {
  const { document, providerId } = transaction
  if (document === null && providerId === null) return 'Falta el proveedor y el documento.'
  return document === null ? 'Falta el documento.' : 'Falta el proveedor.'
}
