import { sql } from 'drizzle-orm'
import { showDate } from '#contract/base/dates.ts'
import { showKm } from '#contract/base/money.ts'
import type { NewReading, Reading, ReadingSource } from '#contract/fleet/fleet.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { announce } from '../platform/http/live.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { tell } from '../platform/operations/happenings.ts'
import { invalid, notFound } from '../platform/operations/problems.ts'
import { inScope } from '../workshops/scope.ts'
import { readingsTable, trucksTable } from './tables.ts'

/** What others hear when the meters of some trucks have moved, forward or back. */
export const METERS_READ = 'fleet.meters-read'

const READING = sql`r.id, r.date, r.km, r.source, r.correction, r.superseded, r.note, r.user_name`

export const listReadings = (
  db: Db,
  actor: Actor,
  truck_id: number,
  query: { page: number; per_page: number; sort?: string | undefined },
) =>
  listPage<Reading>(db, query, {
    select: READING,
    from: sql`${readingsTable} r`,
    where: sql`r.company_id = ${actor.company_id} and r.truck_id = ${truck_id}`,
    sorts: { date: sql`r.date`, km: sql`r.km` },
    order: sql`r.date desc`,
    id: sql`r.id desc`,
  })

/**
 * Adds what the meter shows and moves the truck's mileage. The figure must lie between its neighbours in time. The
 * newest may be lower than what was known when that is confirmed: then it is a correction, and the higher figures
 * before it no longer count.
 */
export async function recordReading(
  db: Db,
  actor: Actor,
  truck_id: number,
  what: NewReading,
  source: ReadingSource,
): Promise<Reading> {
  const truck = await row<{ workshop_id: number; mileage: number }>(
    db,
    sql`select workshop_id, mileage from ${trucksTable} t where ${inScope(actor, sql`t`)} and id = ${truck_id} for update`,
  )
  if (!truck) throw notFound()
  const date = what.date ?? new Date().toISOString()
  if (Date.parse(date) > Date.now() + 60_000) throw invalid({ date: 'La fecha no puede estar en el futuro.' })

  const counted = sql`company_id = ${actor.company_id} and truck_id = ${truck_id} and not superseded`
  const before = await row<{ km: number }>(
    db,
    sql`select km from ${readingsTable} where ${counted} and date <= ${date} order by km desc limit 1`,
  )
  const after = await row<{ km: number; date: string }>(
    db,
    sql`select km, date from ${readingsTable} where ${counted} and date > ${date} order by km limit 1`,
  )
  if (after && what.km > after.km)
    throw invalid({
      km: `El ${showDate(after.date, actor.time_zone)} el equipo tenía ${showKm(after.km)}: no puede ser mayor.`,
    })
  const correction = before !== undefined && what.km < before.km
  if (correction && after)
    throw invalid({ km: `A esa fecha el equipo ya tenía ${showKm(before.km)}: no puede ser menor.` })
  if (correction && !what.confirm_lower)
    throw invalid({ km: `Es menor al último kilometraje conocido (${showKm(before.km)}). Confirme la corrección.` })

  if (correction)
    await rows(db, sql`update ${readingsTable} set superseded = true where ${counted} and km > ${what.km}`)
  const { km, note } = what
  const { id } = one(
    await db
      .insert(readingsTable)
      .values({
        company_id: actor.company_id,
        truck_id,
        date,
        km,
        source,
        correction,
        note,
        user_id: actor.user_id,
        user_name: actor.user_name,
      })
      .returning({ id: readingsTable.id }),
  )
  await rows(
    db,
    sql`update ${trucksTable} set mileage = (select max(km) from ${readingsTable} where ${counted}), updated_at = now()
        where company_id = ${actor.company_id} and id = ${truck_id}`,
  )
  await record(
    db,
    actor,
    'truck',
    truck_id,
    correction ? 'meter_corrected' : 'meter_read',
    { mileage: truck.mileage },
    { mileage: km },
  )
  announce(db, actor, { topic: 'fleet', workshop_id: truck.workshop_id, ids: [truck_id] })
  await tell(db, actor, METERS_READ, [truck_id])
  const reading = await row<Reading>(
    db,
    sql`select ${READING} from ${readingsTable} r where r.company_id = ${actor.company_id} and r.id = ${id}`,
  )
  return reading!
}
