import { sql } from 'drizzle-orm'
import { type Db, memoizeInTransaction, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { tell } from '../../platform/operations/happenings.ts'
import { stockTable } from '../tables.ts'
import { type LevelKey, unnestLevels } from './available-stock.ts'
import { fromText, toText } from './ledger.ts'

/*
 * What is available of a supply falls below its minimum: because it left, or because it was reserved. Compared with what
 * the transaction found when it first held the level, so that handing out what was reserved is no fall.
 */

/** Told, with supplies and the warehouse as the reason, when what is available of them falls below their minimum. */
export const STOCK_LOW = 'warehouses.stock-low'

export const keyOf = ({ warehouse_id, supply_id }: LevelKey) => `${warehouse_id} ${supply_id}`

const foundAvailable = (db: Db) => memoizeInTransaction(db, 'available', async () => new Map<string, bigint>())

/** Of levels that are held from now on. */
export async function rememberAvailable(db: Db, levels: (LevelKey & { on_hand: bigint; reserved: bigint })[]) {
  const found = await foundAvailable(db)
  for (const level of levels) if (!found.has(keyOf(level))) found.set(keyOf(level), level.on_hand - level.reserved)
}

export interface Low extends LevelKey {
  available: string
  minimum: string
}

export async function findLowLevels(db: Db, actor: Actor, places: LevelKey[]): Promise<Low[]> {
  if (places.length === 0) return []
  return rows<Low>(
    db,
    sql`select s.warehouse_id, s.supply_id, (s.on_hand - s.reserved)::text as available, s.minimum::text
        from ${unnestLevels(places)}
        join ${stockTable} s on s.company_id = ${actor.company_id} and s.warehouse_id = w.warehouse_id and s.supply_id = w.supply_id
        where s.on_hand - s.reserved < s.minimum`,
  )
}

/** The same of a level that is known, and that nobody waits for. */
export function lowOf({ on_hand, reserved, minimum, ...level }: LevelKey & Amounts): Low[] {
  const available = on_hand - (reserved < on_hand ? reserved : on_hand)
  if (minimum === null || available >= minimum) return []
  return [{ ...level, available: toText(available), minimum: toText(minimum) }]
}
interface Amounts {
  on_hand: bigint
  reserved: bigint
  minimum: bigint | null
}

/** Of levels that are low now, tells of those that were not. */
export async function emitLow(db: Db, actor: Actor, low: Low[]) {
  const found = await foundAvailable(db)
  const fell = low.filter((level) => (found.get(keyOf(level)) ?? 0n) >= fromText(level.minimum))
  for (const level of fell) found.set(keyOf(level), fromText(level.available))
  for (const [warehouse_id, of] of Map.groupBy(fell, (level) => level.warehouse_id))
    await tell(
      db,
      actor,
      STOCK_LOW,
      of.map(({ supply_id }) => supply_id),
      String(warehouse_id),
    )
}
