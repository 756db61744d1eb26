import { sql } from 'drizzle-orm'
import { toScaled } from '#contract/base/money.ts'
import type { Transaction } from '#contract/warehouses/transactions.ts'
import { type Db, rows } from '../platform/database/db.ts'
import { announce } from '../platform/http/live.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { Problem } from '../platform/operations/problems.ts'
import { fromText } from './ledger.ts'
import { holdLevels, levelWithout, type Posting, plan, write } from './stock.ts'
import { movementsTable, transactionsTable } from './tables.ts'
import { requireTransaction } from './transactions.ts'
import { requireVisibleWarehouse } from './warehouses.ts'

interface Written {
  id: string
  transaction_id: number
  warehouse_id: number
  supply_id: number
  at: string
  quantity: string
  unit_cost: number
  value: string
}

/**
 * Undoes a document by opposite movements, dated now; of a transfer, both sides. What left comes back at the value it
 * left with. What came in goes out at the value that leaves the rest as if it had never come; where later exits
 * needed it, at the value it came with.
 */
export async function voidTransaction(db: Db, actor: Actor, id: number, note: string | null): Promise<Transaction> {
  const transaction = await requireTransaction(db, actor, id)
  const sides = [id, ...(transaction.transfer ? [transaction.transfer.transaction_id] : [])].sort((a, b) => a - b)
  // The other warehouse of a transfer may be one the person does not see.
  if (transaction.transfer) await requireVisibleWarehouse(db, actor, transaction.transfer.warehouse_id)
  const held = await rows<{ voided_at: string | null }>(
    db,
    sql`select voided_at from ${transactionsTable} where company_id = ${actor.company_id}
          and id = any(${sql.param(sides)}::bigint[]) order by id for update`,
  )
  if (held.some(({ voided_at }) => voided_at !== null)) throw new Problem(409, 'Este movimiento ya está anulado.')
  const written = await rows<Written>(
    db,
    sql`select m.id::text, m.transaction_id, m.warehouse_id, m.supply_id, m.at, m.quantity::text, m.unit_cost, m.value::text
        from ${movementsTable} m
        where m.company_id = ${actor.company_id} and m.transaction_id = any(${sql.param(sides)}::bigint[])
        order by m.supply_id`,
  )
  // Both sides of a transfer at once, in the order everyone takes them.
  const places = written.map(({ warehouse_id, supply_id }) => ({ warehouse_id, supply_id }))
  const levels = await holdLevels(db, actor, places)
  for (const side of sides) {
    const own = written.filter(({ transaction_id }) => transaction_id === side)
    await voidSide(db, actor, await requireTransaction(db, actor, side), own, levels, note)
  }
  return requireTransaction(db, actor, id)
}

async function voidSide(
  db: Db,
  actor: Actor,
  transaction: Transaction,
  found: Written[],
  levels: Awaited<ReturnType<typeof holdLevels>>,
  note: string | null,
) {
  const { id, warehouse_id, code } = transaction
  const postings: Posting[] = []
  for (const written of found) {
    const quantity = -fromText(written.quantity)
    const level = levels.get(`${written.warehouse_id} ${written.supply_id}`)
    const without = quantity < 0n && level ? await levelWithout(db, actor, written, written) : undefined
    postings.push({
      warehouse_id,
      supply_id: written.supply_id,
      quantity,
      unit_cost: toScaled(written.unit_cost),
      value: without && level ? without.value - level.value : -fromText(written.value),
      field: `supplies.${transaction.supplies.findIndex((line) => line.supply_id === written.supply_id)}.quantity`,
    })
  }
  const { typeTrasactionId, document } = transaction.transaction
  const planned = await plan(db, actor, postings)
  await write(db, actor, { typeTrasactionId, transaction_id: id, document, is_void: true }, planned)
  await rows(
    db,
    sql`update ${transactionsTable} set voided_at = now(), voided_by = ${actor.user_name}, void_note = ${note}
        where company_id = ${actor.company_id} and id = ${id}`,
  )
  await record(db, actor, 'transaction', id, 'voided', {}, { code, note })
  const { workshop_id } = await requireVisibleWarehouse(db, actor, warehouse_id)
  announce(db, actor, { topic: 'warehouses', workshop_id, ids: [warehouse_id] })
}
