import { sql } from 'drizzle-orm'
import { batch, type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { tell } from '../../platform/operations/happenings.ts'
import { reservationsTable, stockTable } from '../tables.ts'

/*
 * What others will need of stock. Whatever is on hand and nobody's is kept for who has waited longest; what is not on
 * hand cannot be kept, and who came last loses it. All of it under the lock of the level, like stock itself.
 */

export interface LevelKey {
  warehouse_id: number
  supply_id: number
}

/** Told, with the ids of reservations of that kind of thing, when what they waited for is there and kept for them. */
export const arrivedEvent = (origin: string) => `warehouses.arrived ${origin}`

export const unnestLevels = (places: LevelKey[]) =>
  sql`unnest(${sql.param(places.map((at) => at.warehouse_id))}::bigint[], ${sql.param(places.map((at) => at.supply_id))}::bigint[])
        as w (warehouse_id, supply_id)`

/** Those of them that somebody waits for, or has some of kept. */
export const levelsWithReservations = (db: Db, { company_id }: Actor, places: LevelKey[]) =>
  rows<LevelKey>(
    db,
    sql`select distinct r.warehouse_id, r.supply_id from ${unnestLevels(places)}
        join ${reservationsTable} r on r.company_id = ${company_id} and r.warehouse_id = w.warehouse_id and r.supply_id = w.supply_id`,
  )

/** After a level, or what is wanted of it, changed; the caller holds the levels. Gives out what is free, in turn. */
export async function allocate(db: Db, actor: Actor, places: LevelKey[]): Promise<{ id: number; origin: string }[]> {
  if (places.length === 0) return []
  const { company_id } = actor
  const { moved } = await batch({
    moved: rows<{ id: number; origin: string; came: boolean }>(
      db,
      sql`with r as (
          select r.id, r.quantity, r.reserved, s.on_hand - sum(r.reserved) over level as free,
            sum(r.quantity - r.reserved) over (level order by r.id) - (r.quantity - r.reserved) as before,
            sum(r.reserved) over (level order by r.id desc) - r.reserved as after
          from ${unnestLevels(places)}
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
        returning t.id, t.origin, n.reserved > n.was as came`,
    ),
    rows: rows(
      db,
      sql`update ${stockTable} s set reserved = n.reserved from (
          select w.warehouse_id, w.supply_id, coalesce(sum(r.reserved), 0) as reserved from ${unnestLevels(places)}
          left join ${reservationsTable} r on r.company_id = ${company_id} and r.warehouse_id = w.warehouse_id
            and r.supply_id = w.supply_id
          group by 1, 2) n
        where s.company_id = ${company_id} and s.warehouse_id = n.warehouse_id and s.supply_id = n.supply_id
          and s.reserved <> n.reserved`,
    ),
  })
  return moved.filter(({ came }) => came)
}

export async function emitArrived(db: Db, actor: Actor, came: { id: number; origin: string }[]) {
  for (const [origin, of] of Map.groupBy(came, (each) => each.origin))
    await tell(
      db,
      actor,
      arrivedEvent(origin),
      of.map(({ id }) => id),
    )
}
