import { type SQL, sql } from 'drizzle-orm'
import { oneOfIds } from '../../platform/database/conditions.ts'
import { batch, type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { suppliesTable } from '../../supplies/tables.ts'
import { stockTable, transactionLinesTable } from '../tables.ts'
import { levelsWithReservations } from './available-stock.ts'
import { fromText, type Level, toText } from './ledger.ts'
import { keyOf, rememberAvailable } from './low.ts'

/* Stock levels that are held until the end of the transaction, and the locks on their supplies. */

export interface LockedLevel extends Level {
  warehouse_id: number
  supply_id: number
  last_at: string | null
  /** Ten-thousandths of what is on hand that are kept for somebody. */
  reserved: bigint
  /** What it may fall below. */
  minimum: bigint | null
  /** Somebody waits for it, or has some of it kept. */
  hasReservations: boolean
}
export type LockedLevels = Map<string, LockedLevel>

/**
 * What is of today goes on side by side; who changes the past of a supply has it to themselves, in every warehouse. The
 * supplies are read for it, whose ids are known: on a cluster a lock is then always taken on the node of the company, as
 * it is by `lockSuppliesIn`, and not by some on the coordinator, which knows nothing of the others.
 */
const inTurn = (db: Db, actor: Actor, supplies: number[], alone: boolean) =>
  inTurnFor(
    db,
    actor,
    sql`select id from ${suppliesTable} where company_id = ${actor.company_id} and id = ${oneOfIds([...new Set(supplies)])} order by id`,
    alone,
  )
const inTurnFor = (db: Db, { company_id }: Actor, each: SQL, alone: boolean) => {
  const key = sql`hashtextextended('ledger ' || ${company_id}::text || ' ' || s.id::text, 0)`
  const lock = sql.raw(alone ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared')
  return rows(db, sql`select ${lock}(${key}) from (${each}) as s (id)`)
}

/**
 * Before something that uses stock is held: who changes the past holds the supplies first, and then whatever used them.
 * `uses` selects their ids, in order.
 */
export const lockSuppliesIn = (db: Db, actor: Actor, uses: SQL) => inTurnFor(db, actor, uses, false)

/** Holds the levels until the end of the transaction, in one order for everyone, so that no two wait for each other. */
export async function lockLevels(
  db: Db,
  actor: Actor,
  wanted: { warehouse_id: number; supply_id: number; quantity?: bigint }[],
): Promise<LockedLevels> {
  const supplies = wanted.map(({ supply_id }) => supply_id)
  const sorted = [...wanted].sort((a, b) => a.supply_id - b.supply_id || a.warehouse_id - b.warehouse_id)
  const find = () =>
    rows<{
      warehouse_id: number
      supply_id: number
      n: string
      r: string
      v: string
      a: string
      last_at: string | null
      m: string | null
    }>(
      db,
      sql`select s.warehouse_id, s.supply_id, s.on_hand::text as n, s.reserved::text as r, s.value::text as v, s.average_cost::text as a, s.last_at,
            s.minimum::text as m
          from ${stockTable} s
          join unnest(${sql.param(sorted.map((w) => w.warehouse_id))}::bigint[], ${sql.param(sorted.map((w) => w.supply_id))}::bigint[])
            as w (warehouse_id, supply_id) on s.warehouse_id = w.warehouse_id and s.supply_id = w.supply_id
          where s.company_id = ${actor.company_id}
          order by s.supply_id, s.warehouse_id for update of s`,
    )
  // Asked behind the levels: who wishes something of them holds them too.
  let { found, reserved } = await batch({
    lock: inTurn(db, actor, supplies, false),
    found: find(),
    reserved: levelsWithReservations(db, actor, sorted),
  })
  const known = new Set(found.map(keyOf))
  const missing = sorted.filter((want) => !known.has(keyOf(want)) && (want.quantity ?? 0n) >= 0n)
  if (missing.length > 0) {
    await rows(
      db,
      sql`insert into ${stockTable} as s (company_id, warehouse_id, supply_id)
          select ${actor.company_id}::bigint, w.warehouse_id, w.supply_id
          from unnest(${sql.param(missing.map((w) => w.warehouse_id))}::bigint[], ${sql.param(missing.map((w) => w.supply_id))}::bigint[])
            as w (warehouse_id, supply_id)
          order by w.supply_id, w.warehouse_id on conflict do nothing`,
    )
    ;({ found, reserved } = await batch({ found: find(), reserved: levelsWithReservations(db, actor, sorted) }))
  }
  const keys = new Set(reserved.map(keyOf))
  const levels = found.map(({ n, r, v, a, m, ...level }) => ({
    ...level,
    minimum: m === null ? null : fromText(m),
    hasReservations: keys.has(keyOf(level)),
    on_hand: fromText(n),
    reserved: fromText(r),
    value: fromText(v),
    average_cost: fromText(a),
  }))
  await rememberAvailable(db, levels)
  return new Map(levels.map((level) => [keyOf(level), level]))
}

/** Before anything is dated in the past, or undone: what was transferred since follows, wherever it went. */
export async function lockSuppliesForReplay(db: Db, actor: Actor, lines: readonly { supply_id: number }[]) {
  const asked = lines.map(({ supply_id }) => supply_id)
  let wanted = await reachedFrom(db, actor, asked)
  for (;;) {
    // Somebody may have received some of it in one more workshop while this waited.
    const { reached } = await batch({ lock: inTurn(db, actor, wanted, true), reached: reachedFrom(db, actor, wanted) })
    if (reached.length === wanted.length) return
    wanted = reached
  }
}

/** These supplies, and what they became in the workshops that they were sent to. */
async function reachedFrom(db: Db, actor: Actor, supplies: number[]) {
  const found = await rows<{ id: number }>(
    db,
    sql`with recursive reached as (
          select unnest(${sql.param(supplies)}::bigint[]) as id
          union select l.supply_id from reached r join ${transactionLinesTable} l
            on l.company_id = ${actor.company_id} and l.from_supply_id = r.id)
        select id from reached`,
  )
  return found.map(({ id }) => id)
}

/** What is received today costs what it left with: nobody changes that meanwhile. */
export const lockSupplies = (db: Db, actor: Actor, supplies: number[]) => inTurn(db, actor, supplies, false)

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
