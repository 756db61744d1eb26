import { type SQL, sql } from 'drizzle-orm'
import { oneOfIds } from '../../platform/database/conditions.ts'
import { batch, type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { suppliesTable } from '../../supplies/tables.ts'
import { stockTable, transactionLinesTable } from '../tables.ts'
import { levelsWithReservations, rememberAvailable, unnestLevels } from './available-stock.ts'
import { fromText, keyOf, type Level, type LevelKey, toText } from './ledger.ts'

/*
 * Locks that last until the end of the transaction: advisory locks on supplies, and after them rows of stock, by supply and
 * then by warehouse. Postings share the lock of a supply. Replaying its past takes the lock alone, for all warehouses at
 * once, because transfers make levels depend on each other in any order.
 */

export interface LockedLevel extends Level, LevelKey {
  /** The moment of its latest movement; a movement before it is back-dated. */
  last_at: string | null
  reserved: bigint
  minimum: bigint | null
  /** Whether anything waits for this stock or has some of it reserved. */
  hasReservations: boolean
}
/** By `keyOf`. */
export type LockedLevels = Map<string, LockedLevel>

const SHARED = sql`pg_advisory_xact_lock_shared`
const EXCLUSIVE = sql`pg_advisory_xact_lock`

const lockBy = (lock: SQL, db: Db, { company_id }: Actor, supplyIds: SQL) =>
  rows(
    db,
    sql`select ${lock}(hashtextextended('ledger ' || ${company_id}::text || ' ' || s.id::text, 0)) from (${supplyIds}) as s (id)`,
  )

/** Reads the ids from the table although they are known: a cluster then takes every such lock on the node of the company. */
const suppliesById = ({ company_id }: Actor, ids: number[]) =>
  sql`select id from ${suppliesTable} where company_id = ${company_id} and id = ${oneOfIds([...new Set(ids)])} order by id`

/** Nobody else can replay the past of these supplies until the end of the transaction. */
export const lockSupplies = (db: Db, actor: Actor, ids: number[]) => lockBy(SHARED, db, actor, suppliesById(actor, ids))

/** As `lockSupplies`, for the ids that a query selects in order; before the rows that use these supplies are locked. */
export const lockSuppliesIn = (db: Db, actor: Actor, ids: SQL) => lockBy(SHARED, db, actor, ids)

/** Before something is dated in the past, or voided: locks these supplies, and all that transfers turned them into. */
export async function lockSuppliesForReplay(db: Db, actor: Actor, lines: readonly { supply_id: number }[]) {
  let ids = await withTransferred(
    db,
    actor,
    lines.map(({ supply_id }) => supply_id),
  )
  for (;;) {
    // Another workshop may have received some of it while this waited for the lock.
    const { reached } = await batch({
      lock: lockBy(EXCLUSIVE, db, actor, suppliesById(actor, ids)),
      reached: withTransferred(db, actor, ids),
    })
    if (reached.length === ids.length) return
    ids = reached
  }
}

/** These supplies, and the supplies that they became in workshops that received them. */
async function withTransferred(db: Db, actor: Actor, ids: number[]) {
  const reached = await rows<{ id: number }>(
    db,
    sql`with recursive reached as (
          select unnest(${sql.param(ids)}::bigint[]) as id
          union select l.supply_id from reached r join ${transactionLinesTable} l
            on l.company_id = ${actor.company_id} and l.from_supply_id = r.id)
        select id from reached`,
  )
  return reached.map(({ id }) => id)
}

/** Locks the levels; creates a missing one where nothing is to leave it. */
export async function lockLevels(
  db: Db,
  actor: Actor,
  wanted: (LevelKey & { quantity?: bigint })[],
): Promise<LockedLevels> {
  const sorted = [...wanted].sort((a, b) => a.supply_id - b.supply_id || a.warehouse_id - b.warehouse_id)
  // Reservations change only under the lock of their level, so they are read after it.
  const read = () =>
    batch({ levels: selectForUpdate(db, actor, sorted), reserved: levelsWithReservations(db, actor, sorted) })
  let { locked } = await batch({
    lock: lockSupplies(
      db,
      actor,
      wanted.map(({ supply_id }) => supply_id),
    ),
    locked: read(),
  })
  const known = new Set(locked.levels.map(keyOf))
  const missing = sorted.filter((level) => !known.has(keyOf(level)) && (level.quantity ?? 0n) >= 0n)
  if (missing.length > 0) {
    await insertLevels(db, actor, missing)
    locked = await read()
  }
  const reserved = new Set(locked.reserved.map(keyOf))
  const levels = locked.levels.map((row) => toLockedLevel(row, reserved.has(keyOf(row))))
  await rememberAvailable(db, levels)
  return new Map(levels.map((level) => [keyOf(level), level]))
}

type LevelRow = LevelKey & { last_at: string | null; minimum: string | null } & Record<
    'on_hand' | 'reserved' | 'value' | 'average_cost',
    string
  >

const toLockedLevel = (row: LevelRow, hasReservations: boolean): LockedLevel => ({
  ...row,
  on_hand: fromText(row.on_hand),
  reserved: fromText(row.reserved),
  value: fromText(row.value),
  average_cost: fromText(row.average_cost),
  minimum: row.minimum === null ? null : fromText(row.minimum),
  hasReservations,
})

const selectForUpdate = (db: Db, actor: Actor, levels: LevelKey[]) =>
  rows<LevelRow>(
    db,
    sql`select s.warehouse_id, s.supply_id, s.last_at, s.on_hand::text, s.reserved::text, s.value::text,
          s.average_cost::text, s.minimum::text
        from ${stockTable} s
        join ${unnestLevels(levels)} on s.warehouse_id = w.warehouse_id and s.supply_id = w.supply_id
        where s.company_id = ${actor.company_id}
        order by s.supply_id, s.warehouse_id for update of s`,
  )

const insertLevels = (db: Db, actor: Actor, levels: LevelKey[]) =>
  rows(
    db,
    sql`insert into ${stockTable} as s (company_id, warehouse_id, supply_id)
        select ${actor.company_id}::bigint, w.warehouse_id, w.supply_id
        from ${unnestLevels(levels)}
        order by w.supply_id, w.warehouse_id on conflict do nothing`,
  )

export function updateLevels(db: Db, { company_id }: Actor, levels: LockedLevel[]) {
  const column = <T>(of: (level: LockedLevel) => T) => sql.param(levels.map(of))
  return rows(
    db,
    sql`update ${stockTable} s set on_hand = n.on_hand, reserved = least(s.reserved, n.on_hand), value = n.value,
          average_cost = n.average_cost, last_at = n.last_at, attached = s.attached or n.on_hand > 0
        from unnest(${column((l) => l.warehouse_id)}::bigint[], ${column((l) => l.supply_id)}::bigint[],
            ${column((l) => toText(l.on_hand))}::numeric[], ${column((l) => toText(l.value))}::numeric[],
            ${column((l) => toText(l.average_cost))}::numeric[], ${column((l) => l.last_at)}::timestamptz[])
          as n (warehouse_id, supply_id, on_hand, value, average_cost, last_at)
        where s.company_id = ${company_id} and s.warehouse_id = n.warehouse_id and s.supply_id = n.supply_id`,
  )
}
