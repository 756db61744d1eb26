import { sql } from 'drizzle-orm'
import { type Completion, isIncomplete, type Transaction } from '#contract/warehouses/transactions.ts'
import { type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { record } from '../../platform/operations/audit.ts'
import { announce } from '../../platform/operations/happenings.ts'
import { Problem } from '../../platform/problems.ts'
import { requireProviderChoice } from '../../providers/providers.ts'
import { requireOpenMonth } from '../../workshops/months.ts'
import { transactionsTable } from '../tables.ts'
import { requireWarehouseChoice } from '../warehouses.ts'
import { requireNotEntered } from './recording.ts'
import { requireTransaction } from './transactions.ts'

/**
 * Adds the document and provider that a purchase on credit was saved without. Lines, amounts and stock stay as they are, and
 * so does what the entry has already. Reports add purchases up by provider, so a closed month refuses.
 * `siblings`: entries of the same purchase order, which one invoice may cover.
 */
export async function completeTransaction(
  db: Db,
  actor: Actor,
  id: number,
  input: Completion,
  siblings: number[] = [],
): Promise<Transaction> {
  await requireTransaction(db, actor, id)
  await rows(
    db,
    sql`select 1 from ${transactionsTable} where company_id = ${actor.company_id} and id = ${id} for update`,
  )
  const entry = await requireTransaction(db, actor, id)
  if (!isIncomplete(entry)) throw new Problem(409, `A ${entry.code} no le falta el documento ni el proveedor.`)
  const { transaction: paper } = entry
  const warehouse = await requireWarehouseChoice(db, actor, entry.warehouse_id)
  const added = {
    document: paper.document === null ? input.document : null,
    providerId: paper.providerId === null ? input.providerId : null,
  }
  if (added.document === null && added.providerId === null)
    throw new Problem(409, `${entry.code} ya tiene ese dato: recargue para ver lo que le falta.`)
  await requireOpenMonth(db, actor, paper.date, added.document === null ? 'providerId' : 'document')
  const provider =
    added.providerId === null
      ? null
      : await requireProviderChoice(db, actor, added.providerId, warehouse.workshop_id, 'providerId')
  const document = paper.document ?? added.document
  const providerId = paper.providerId ?? added.providerId
  await requireNotEntered(db, actor, { ...paper, document, providerId }, [id, ...siblings], 'document')
  await rows(
    db,
    sql`update ${transactionsTable} set document = ${document}, "providerId" = ${providerId}
        where company_id = ${actor.company_id} and id = ${id}`,
  )
  const before = { document: paper.document, provider_name: entry.provider_name }
  const after = { document, provider_name: provider?.name ?? entry.provider_name }
  await record(db, actor, 'transaction', id, 'completed', before, after)
  announce(db, actor, { topic: 'warehouses', workshop_id: warehouse.workshop_id, ids: [warehouse.id] })
  return requireTransaction(db, actor, id)
}
