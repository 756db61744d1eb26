import { sql } from 'drizzle-orm'
import { batch, type Db, memoizeInTransaction, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { tell } from '../../platform/operations/happenings.ts'
import { reservationsTable, stockTable } from '../tables.ts'
import { fromText, keyOf, type LevelKey } from './ledger.ts'

/*
 * Stock on hand is reserved or available. After a level changed, available stock is allocated to the oldest reservations
 * that wait for it, or taken from the newest ones if there is not enough; then listeners hear of reservations that got
 * stock and of levels below their minimum. The caller has locked the levels.
 */

/** Listeners get the ids of reservations, made by that kind of thing, that just got stock. */
export const arrivedEvent = (origin: string) => `warehouses.arrived ${origin}`

/** Listeners get the ids of supplies whose available stock just fell below the minimum; the reason is the warehouse's id. */
export const STOCK_LOW = 'warehouses.stock-low'

export interface Arrival {
  id: number
  origin: string
}

export interface LowLevel extends LevelKey {
  available: string
  minimum: string
}

export const unnestLevels = (levels: LevelKey[]) =>
  sql`unnest(${sql.param(levels.map((level) => level.warehouse_id))}::bigint[], ${sql.param(levels.map((level) => level.supply_id))}::bigint[])
        as w (warehouse_id, supply_id)`

export const levelsWithReservations = (db: Db, { company_id }: Actor, levels: LevelKey[]) =>
  rows<LevelKey>(
    db,
    sql`select distinct r.warehouse_id, r.supply_id from ${unnestLevels(levels)}
        join ${reservationsTable} r on r.company_id = ${company_id} and r.warehouse_id = w.warehouse_id and r.supply_id = w.supply_id`,
  )

/** Everything that follows, within this domain, from a change of these levels. */
export async function allocateAndNotify(
  db: Db,
  actor: Actor,
  levels: (LevelKey & { hasReservations: boolean; minimum: bigint | null })[],
) {
  const { arrivals, low } = await batch({
    arrivals: allocate(
      db,
      actor,
      levels.filter(({ hasReservations }) => hasReservations),
    ),
    low: findLowLevels(
      db,
      actor,
      levels.filter(({ minimum }) => minimum !== null),
    ),
  })
  await emitArrived(db, actor, arrivals)
  await emitLow(db, actor, low)
}

/** Distributes the stock of each level over its reservations; returns the reservations that got more than they had. */
export async function allocate(db: Db, actor: Actor, levels: LevelKey[]): Promise<Arrival[]> {
  if (levels.length === 0) return []
  const { company_id } = actor
  const { changed } = await batch({
    changed: rows<Arrival & { hasMore: boolean }>(
      db,
      sql`with r as (
          select r.id, r.quantity, r.reserved, s.on_hand - sum(r.reserved) over level as free,
            sum(r.quantity - r.reserved) over (level order by r.id) - (r.quantity - r.reserved) as before,
            sum(r.reserved) over (level order by r.id desc) - r.reserved as after
          from ${unnestLevels(levels)}
          join ${reservationsTable} r on r.company_id = ${company_id} and r.warehouse_id = w.warehouse_id and r.supply_id = w.supply_id
          join ${stockTable} s on s.company_id = ${company_id} and s.warehouse_id = w.warehouse_id and s.supply_id = w.supply_id
          window level as (partition by r.warehouse_id, r.supply_id)),
        n as (
          select id, reserved as was, case
            when free >= 0 then reserved + least(greatest(free - before, 0), quantity - reserved)
            else reserved - least(greatest(-free - after, 0), reserved) end as reserved
          from r)
        update ${reservationsTable} t set reserved = n.reserved, updated_at = now() from n
        where t.company_id = ${company_id} and t.id = n.id and t.reserved <> n.reserved
        returning t.id, t.origin, n.reserved > n.was as "hasMore"`,
    ),
    levels: rows(
      db,
      sql`update ${stockTable} s set reserved = n.reserved from (
          select w.warehouse_id, w.supply_id, coalesce(sum(r.reserved), 0) as reserved from ${unnestLevels(levels)}
          left join ${reservationsTable} r on r.company_id = ${company_id} and r.warehouse_id = w.warehouse_id
            and r.supply_id = w.supply_id
          group by 1, 2) n
        where s.company_id = ${company_id} and s.warehouse_id = n.warehouse_id and s.supply_id = n.supply_id
          and s.reserved <> n.reserved`,
    ),
  })
  return changed.filter(({ hasMore }) => hasMore)
}

export async function emitArrived(db: Db, actor: Actor, arrivals: Arrival[]) {
  for (const [origin, ofOrigin] of Map.groupBy(arrivals, (arrival) => arrival.origin))
    await tell(
      db,
      actor,
      arrivedEvent(origin),
      ofOrigin.map(({ id }) => id),
    )
}

/** Levels whose available stock is below the minimum. */
export async function findLowLevels(db: Db, actor: Actor, levels: LevelKey[]): Promise<LowLevel[]> {
  if (levels.length === 0) return []
  return rows<LowLevel>(
    db,
    sql`select s.warehouse_id, s.supply_id, (s.on_hand - s.reserved)::text as available, s.minimum::text
        from ${unnestLevels(levels)}
        join ${stockTable} s on s.company_id = ${actor.company_id} and s.warehouse_id = w.warehouse_id and s.supply_id = w.supply_id
        where s.on_hand - s.reserved < s.minimum order by s.supply_id, s.warehouse_id`,
  )
}

/**
 * The available stock of each level when the transaction locked it. A level is announced as low if it was not low then, so
 * that handing out what was reserved is no fall.
 */
const availableAtLock = (db: Db) => memoizeInTransaction(db, 'available', async () => new Map<string, bigint>())

export async function rememberAvailable(db: Db, levels: (LevelKey & { on_hand: bigint; reserved: bigint })[]) {
  const available = await availableAtLock(db)
  for (const level of levels)
    if (!available.has(keyOf(level))) available.set(keyOf(level), level.on_hand - level.reserved)
}

export async function emitLow(db: Db, actor: Actor, low: LowLevel[]) {
  const available = await availableAtLock(db)
  const fallen = low.filter((level) => (available.get(keyOf(level)) ?? 0n) >= fromText(level.minimum))
  for (const level of fallen) available.set(keyOf(level), fromText(level.available))
  for (const [warehouse_id, levels] of Map.groupBy(fallen, (level) => level.warehouse_id))
    await tell(
      db,
      actor,
      STOCK_LOW,
      levels.map(({ supply_id }) => supply_id),
      String(warehouse_id),
    )
}
