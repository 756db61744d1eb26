import { sql } from 'drizzle-orm'
import { dayOf, showDate } from '#contract/base/dates.ts'
import { showKm } from '#contract/base/money.ts'
import { TRUCK_ELSEWHERE } from '#contract/fleet/fleet.ts'
import type { NewReading, Reading, ReadingSource } from '#contract/fleet/meter.ts'
import { closedMonth, ofClosedMonth } from '#contract/workshops/months.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce, tell } from '../platform/operations/happenings.ts'
import { invalid, notFound, Problem } from '../platform/problems.ts'
import { settingsOf } from '../workshops/company.ts'
import { closedMonths, isClosedAt, openAfter, openMonths } from '../workshops/months.ts'
import { inFleet, requireHome } from '../workshops/scope.ts'
import { readingsTable, trucksTable } from './tables.ts'

/** What others hear when the meters of some trucks have moved, forward or back. */
export const METERS_READ = 'fleet.meters-read'

const READING = sql`r.id, r.date, r.km, r.source, r.correction, r.superseded, r.work_order_id, r.voided_at, r.voided_by,
  r.note, r.user_name`
const DAY = 86_400_000

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
    order: sql`r.date desc, r.id desc`,
    id: sql`r.id`,
  })

const readingOf = (db: Db, actor: Actor, id: number) =>
  row<Reading & { truck_id: number }>(
    db,
    sql`select r.truck_id, ${READING} from ${readingsTable} r where r.company_id = ${actor.company_id} and r.id = ${id}`,
  )

interface Held {
  id: number
  workshop_id: number
  mileage: number
}

/** The truck, its meter held until the end of the transaction. */
async function holdMeter(db: Db, actor: Actor, truck_id: number): Promise<Held> {
  const truck = await row<Held>(
    db,
    sql`select id, workshop_id, mileage from ${trucksTable} t where ${inFleet(actor, sql`t`)} and id = ${truck_id} for update`,
  )
  if (!truck) throw notFound()
  requireHome(actor, truck, TRUCK_ELSEWHERE)
  return truck
}

/**
 * Works out anew which readings count and what the mileage is. The latest is the truth: an earlier one counts where
 * none after it is lower.
 */
async function settleMeter(db: Db, actor: Actor, truck: Held, action: string) {
  const mine = sql`company_id = ${actor.company_id} and truck_id = ${truck.id}`
  await rows(
    db,
    sql`update ${readingsTable} r set superseded = s.superseded from (
          select id, voided_at is not null or coalesce(km > min(km) filter (where voided_at is null)
            over (order by date desc, id desc rows between unbounded preceding and 1 preceding), false) as superseded
          from ${readingsTable} where ${mine}) s
        where r.company_id = ${actor.company_id} and r.id = s.id and r.superseded <> s.superseded`,
  )
  const last = await row<{ km: number }>(
    db,
    sql`select km from ${readingsTable} where ${mine} and not superseded order by date desc, id desc limit 1`,
  )
  const mileage = last?.km ?? 0
  await rows(
    db,
    sql`update ${trucksTable} set mileage = ${mileage}, updated_at = now() where company_id = ${actor.company_id} and id = ${truck.id}`,
  )
  await record(db, actor, 'truck', truck.id, action, { mileage: truck.mileage }, { mileage })
  announce(db, actor, { topic: 'fleet', workshop_id: truck.workshop_id, ids: [truck.id] })
  await tell(db, actor, METERS_READ, [truck.id])
}

interface Neighbour {
  km: number
  date: string
  /** Nobody said what the meter showed when the truck was registered. */
  unknown: boolean
}

/** A figure fits between its neighbours in time, or is meant. Gives whether it takes back what was known. */
async function requireFitting(
  db: Db,
  actor: Actor,
  truck: Held,
  { km, date, confirm_lower }: { km: number; date: string; confirm_lower: boolean },
): Promise<boolean> {
  const counted = sql`company_id = ${actor.company_id} and truck_id = ${truck.id} and not superseded`
  const neighbour = sql`select km, date, initial and km = 0 as unknown from ${readingsTable} where ${counted}`
  const before = await row<Neighbour>(db, sql`${neighbour} and date <= ${date} order by date desc, id desc limit 1`)
  const after = await row<Neighbour>(db, sql`${neighbour} and date > ${date} order by date, id limit 1`)
  const day = (at: Neighbour) => showDate(at.date, actor.time_zone)
  if (after && !after.unknown && km > after.km)
    throw invalid({
      km: `El ${day(after)} el equipo tenía ${showKm(after.km)}: no puede ser mayor. Si esa lectura está mal, anúlela primero.`,
    })
  const correction = before !== undefined && km < before.km
  if (confirm_lower) return correction
  if (correction)
    throw invalid({
      km: after
        ? `A esa fecha el equipo ya tenía ${showKm(before.km)} (${day(before)}). Confirme la corrección.`
        : `Es menor al último kilometraje conocido (${showKm(before.km)}). Confirme la corrección.`,
    })
  const { kilometers_per_day } = await settingsOf(db, actor)
  const tooFar = (from: Neighbour, to: Neighbour) =>
    to.km - from.km > kilometers_per_day * Math.max(1, (Date.parse(to.date) - Date.parse(from.date)) / DAY)
  const asked = { km, date, unknown: false }
  const far = [before, after].find(
    (other) => other && !other.unknown && (other === before ? tooFar(other, asked) : before && tooFar(asked, other)),
  )
  if (far)
    throw invalid({
      km: `El ${day(far)} el equipo tenía ${showKm(far.km)}: son más de ${showKm(kilometers_per_day)} por día. Confirme que la lectura es correcta.`,
    })
  return correction
}

const insertReading = async (
  db: Db,
  { company_id, user_id, user_name }: Actor,
  reading: {
    truck_id: number
    date: string
    km: number
    source: ReadingSource
    correction: boolean
    note: string | null
    work_order_id?: number
  },
) => {
  const made = await db
    .insert(readingsTable)
    .values({ company_id, user_id, user_name, ...reading })
    .returning({ id: readingsTable.id })
  return one(made).id
}

/** What somebody read off the meter; left out, the moment is now. */
export async function recordReading(db: Db, actor: Actor, truck_id: number, what: NewReading): Promise<Reading> {
  const truck = await holdMeter(db, actor, truck_id)
  const { km, note, confirm_lower, date = new Date().toISOString() } = what
  if (Date.parse(date) > Date.now() + 60_000) throw invalid({ date: 'La fecha no puede estar en el futuro.' })
  const open = await openMonths(db, actor)
  if (isClosedAt(open, date)) throw invalid({ date: closedMonth(dayOf(date, actor.time_zone)) })
  const correction = await requireFitting(db, actor, truck, { km, date, confirm_lower })
  const id = await insertReading(db, actor, { truck_id, date, km, source: 'manual', correction, note })
  await settleMeter(db, actor, truck, correction ? 'meter_corrected' : 'meter_read')
  const { truck_id: _, ...reading } = (await readingOf(db, actor, id))!
  return reading
}

/** What an order says the meter showed, and when. */
export interface OrderReading {
  work_order_id: number
  code: string
  truck_id: number
  km: number | null
  date: string
  /** ISO moment of the order's workshop entry before the change; `null` if it had none. */
  previous_entry?: string | null
  confirm_lower: boolean
}

/**
 * The reading of an order follows the order's truck and figure, and goes when it says none. It belongs to the day it was
 * typed for: the same figure changes its date only when the workshop entry that dated it is corrected.
 */
export async function keepOrderReading(db: Db, actor: Actor, order: OrderReading) {
  const known = await row<{ id: number; truck_id: number; km: number; date: string }>(
    db,
    sql`select id, truck_id, km, date from ${readingsTable}
        where company_id = ${actor.company_id} and work_order_id = ${order.work_order_id}`,
  )
  const { work_order_id, code, truck_id, km, previous_entry, confirm_lower } = order
  const open = known || km !== null ? await openMonths(db, actor) : { day: null, since: null }
  if (known && isClosedAt(open, known.date)) {
    if (known.truck_id === truck_id && known.km === km) return
    throw invalid({ km: ofClosedMonth(dayOf(known.date, actor.time_zone)) })
  }
  const isDatedByEntry = known && previous_entry && Date.parse(known.date) === Date.parse(previous_entry)
  const wanted = known && known.km === km && !isDatedByEntry ? known.date : order.date
  const date = isClosedAt(open, wanted)
    ? // Taken in a month that is closed by now: it counts from the first moment that is not.
      open.since!
    : Date.parse(wanted) > Date.now()
      ? new Date().toISOString()
      : wanted
  if (known ? known.truck_id === truck_id && known.km === km && known.date === date : km === null) return
  const everywhere = { ...actor, workshop_id: null }
  if (known) {
    // Whichever workshop the truck is of by now.
    const truck = await holdMeter(db, everywhere, known.truck_id)
    await rows(db, sql`delete from ${readingsTable} where company_id = ${actor.company_id} and id = ${known.id}`)
    await settleMeter(db, actor, truck, 'meter_taken_back')
  }
  if (km === null) return
  const truck = await holdMeter(db, everywhere, truck_id)
  const correction = await requireFitting(db, actor, truck, { km, date, confirm_lower })
  await insertReading(db, actor, {
    truck_id,
    date,
    km,
    source: 'work_order',
    correction,
    note: code,
    work_order_id,
  })
  await settleMeter(db, actor, truck, correction ? 'meter_corrected' : 'meter_read')
}

/** Takes a reading out of what counts, or back into it. */
export async function voidReading(db: Db, actor: Actor, id: number, isVoid: boolean): Promise<Reading> {
  const found = await readingOf(db, actor, id)
  if (!found) throw notFound()
  const truck = await holdMeter(db, actor, found.truck_id)
  if (isClosedAt(await openMonths(db, actor), found.date))
    throw new Problem(409, ofClosedMonth(dayOf(found.date, actor.time_zone)))
  const { voided_at } = (await readingOf(db, actor, id))!
  if ((voided_at !== null) === isVoid)
    throw new Problem(409, isVoid ? 'La lectura ya está anulada.' : 'La lectura no está anulada.')
  await rows(
    db,
    sql`update ${readingsTable} set voided_at = ${isVoid ? new Date().toISOString() : null}, voided_by = ${isVoid ? actor.user_name : null}
        where company_id = ${actor.company_id} and id = ${id}`,
  )
  await settleMeter(db, actor, truck, isVoid ? 'meter_voided' : 'meter_restored')
  const { truck_id: _, ...reading } = (await readingOf(db, actor, id))!
  return reading
}

/** Months were closed, or opened again: of a closed one it stays known which readings counted. */
export async function keepClosedReadings(db: Db, actor: Actor) {
  const { since } = openAfter(await closedMonths(db, actor), actor)
  await rows(
    db,
    sql`update ${readingsTable} set closed_as = case when date < ${since}::timestamptz then superseded end
        where company_id = ${actor.company_id} and (closed_as is null) = (date < coalesce(${since}::timestamptz, '-infinity'))`,
  )
}
