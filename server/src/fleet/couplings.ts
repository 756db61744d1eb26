import { and, eq, sql } from 'drizzle-orm'
import { showDate } from '#contract/base/dates.ts'
import { type Coupled, type Coupling, type NewCoupling, showPatent, TRUCK_ELSEWHERE } from '#contract/fleet/fleet.ts'
import { all } from '../platform/database/conditions.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce, tell } from '../platform/operations/happenings.ts'
import { invalid, notFound } from '../platform/problems.ts'
import { inFleet, inScope, requireHome, requireWorkshop, sharesFleet } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import { coupledTable, couplingsTable, trucksTable } from './tables.ts'
import { DRIVEN } from './usage.ts'

const COUPLED = sql`select u.id, u.company_id, u.workshop_id, w.name as workshop_name, u.patent, k.truck_id, t.code as truck_code
  from ${coupledTable} u
  join ${workshopsTable} w on w.company_id = u.company_id and w.id = u.workshop_id
  left join ${couplingsTable} k on k.company_id = u.company_id and k.coupled_id = u.id and k.until_at is null
  left join ${trucksTable} t on t.company_id = k.company_id and t.id = k.truck_id`

export async function listCoupled(
  db: Db,
  actor: Actor,
  {
    filter,
  }: { filter: { Search?: string | undefined; WorkshopId?: number[] | undefined; Shared?: boolean | undefined } },
) {
  const own = inScope(actor, sql`u`, filter.WorkshopId)
  const shared = sql`u.company_id = ${actor.company_id} and ((${own}) or ${sharesFleet(actor)})`
  const where = all([filter.Shared ? shared : own, matches(sql`lower(u.patent)`, filter.Search)])
  const data = await rows<Coupled>(
    db,
    sql`${COUPLED} where ${where} order by ${filter.Shared ? sql`not (${own}),` : sql``} u.patent, u.id`,
  )
  return { data, total: data.length }
}

export async function createCoupled(db: Db, actor: Actor, what: { patent: string; workshop_id?: number | undefined }) {
  const workshop_id = actor.workshop_id ?? what.workshop_id
  if (workshop_id === undefined) throw invalid({ workshop_id: 'Elija un taller de la lista.' })
  await requireWorkshop(db, actor, workshop_id)
  const { id } = one(
    await db
      .insert(coupledTable)
      .values({ company_id: actor.company_id, workshop_id, patent: what.patent })
      .returning({ id: coupledTable.id }),
  )
  const created = await row<Coupled>(db, sql`${COUPLED} where u.company_id = ${actor.company_id} and u.id = ${id}`)
  await record(db, actor, 'coupled', id, 'created', {}, created)
  announce(db, actor, { topic: 'fleet', workshop_id, ids: [id] })
  return created!
}

const COUPLING = sql`k.id, k.coupled_id, u.patent, k.from_at as "from", k.until_at as until, k.from_km, k.until_km,
  ${DRIVEN} as kilometers`

export async function listCouplings(db: Db, actor: Actor, truck_id: number) {
  const data = await rows<Coupling>(
    db,
    sql`select ${COUPLING} from ${couplingsTable} k
        join ${coupledTable} u on u.company_id = k.company_id and u.id = k.coupled_id
        where k.company_id = ${actor.company_id} and k.truck_id = ${truck_id}
        order by k.from_at desc, k.id desc`,
  )
  return { data, total: data.length }
}

/** One unit, with what it has been pulled in all. */
export async function getCoupled(db: Db, actor: Actor, id: number) {
  const unit = await row<Coupled>(db, sql`${COUPLED} where ${inFleet(actor, sql`u`)} and u.id = ${id}`)
  if (!unit) throw notFound()
  const driven = await row<{ kilometers: number }>(
    db,
    sql`select coalesce(sum(${DRIVEN}), 0)::bigint as kilometers from ${couplingsTable} k
        where k.company_id = ${actor.company_id} and k.coupled_id = ${id}`,
  )
  return { ...unit, kilometers: driven?.kilometers ?? 0 }
}

/** What others hear when it changed what pulled some units. */
export const UNITS_PULLED = 'fleet.units-pulled'

/** The interval, for those who may see its truck, held until the end of the transaction. */
export async function requireCoupling(db: Db, actor: Actor, id: number) {
  const found = await row<Coupling & { truck_id: number; workshop_id: number }>(
    db,
    sql`select k.truck_id, t.workshop_id, ${COUPLING} from ${couplingsTable} k
        join ${coupledTable} u on u.company_id = k.company_id and u.id = k.coupled_id
        join ${trucksTable} t on t.company_id = k.company_id and t.id = k.truck_id
        where ${inFleet(actor, sql`t`)} and k.id = ${id} for update of t, k`,
  )
  if (!found) throw notFound()
  requireHome(actor, found, TRUCK_ELSEWHERE)
  return found
}

/** An interval of a truck that is still to be written, or written anew. */
async function writeCoupling(
  db: Db,
  actor: Actor,
  truck: { id: number; workshop_id: number },
  what: NewCoupling,
  before?: Coupling,
) {
  const unit = await row(
    db,
    sql`select id from ${coupledTable} u where ${inScope(actor, sql`u`)} and u.id = ${what.coupled_id} for update`,
  )
  if (!unit) throw invalid({ coupled_id: 'Elija un acoplado de la lista.' })
  if (Date.parse(what.until ?? what.from) > Date.now() + 60_000)
    throw invalid({ [what.until ? 'until' : 'from']: 'La fecha no puede estar en el futuro.' })
  const meets = await row<{ truck_code: string; patent: string; same: boolean; from: string; until: string | null }>(
    db,
    sql`select t.code as truck_code, u.patent, k.truck_id = ${truck.id} as same, k.from_at as "from", k.until_at as until
        from ${couplingsTable} k
        join ${trucksTable} t on t.company_id = k.company_id and t.id = k.truck_id
        join ${coupledTable} u on u.company_id = k.company_id and u.id = k.coupled_id
        where k.company_id = ${actor.company_id} and k.id is distinct from ${before?.id ?? null}::bigint
          and (k.truck_id = ${truck.id} or k.coupled_id = ${what.coupled_id})
          and tstzrange(k.from_at, k.until_at) && tstzrange(${what.from}::timestamptz, ${what.until}::timestamptz)
        order by k.from_at limit 1`,
  )
  if (meets) {
    const day = (at: string) => showDate(at, actor.time_zone)
    const when = meets.until ? `del ${day(meets.from)} al ${day(meets.until)}` : `desde el ${day(meets.from)}`
    throw invalid({
      from: meets.same
        ? `El equipo llevó el acoplado ${showPatent(meets.patent)} ${when}: los períodos no se pueden cruzar.`
        : `El acoplado estuvo con el equipo ${meets.truck_code} ${when}: los períodos no se pueden cruzar.`,
    })
  }
  const { coupled_id, from: from_at, until: until_at, from_km, until_km } = what
  const values = { truck_id: truck.id, coupled_id, from_at, until_at, from_km, until_km }
  const { company_id } = actor
  if (before)
    await db
      .update(couplingsTable)
      .set(values)
      .where(and(eq(couplingsTable.company_id, company_id), eq(couplingsTable.id, before.id)))
  const [made] = before
    ? [before]
    : await db
        .insert(couplingsTable)
        .values({ company_id, ...values })
        .returning({ id: couplingsTable.id })
  const after = await requireCoupling(db, actor, made!.id)
  await tellCouplings(db, actor, after, before, after)
  const { truck_id: _, workshop_id: __, ...coupling } = after
  return coupling
}

const told = (coupling: Coupling | undefined) =>
  coupling && {
    coupled_patent: coupling.patent,
    from: coupling.from,
    until: coupling.until,
    from_km: coupling.from_km,
    until_km: coupling.until_km,
  }

async function tellCouplings(
  db: Db,
  actor: Actor,
  truck: { truck_id: number; workshop_id: number },
  before?: Coupling,
  after?: Coupling,
) {
  await record(db, actor, 'truck', truck.truck_id, 'coupling_corrected', told(before) ?? {}, told(after) ?? {})
  announce(db, actor, { topic: 'fleet', workshop_id: truck.workshop_id, ids: [truck.truck_id] })
  const units = [before?.coupled_id, after?.coupled_id].filter((id) => id !== undefined)
  await tell(db, actor, UNITS_PULLED, [...new Set(units)])
}

/** A coupling that nobody noted when it happened. */
export async function addCoupling(db: Db, actor: Actor, truck_id: number, what: NewCoupling) {
  const truck = await row<{ id: number; workshop_id: number }>(
    db,
    sql`select id, workshop_id from ${trucksTable} t where ${inFleet(actor, sql`t`)} and id = ${truck_id} for update`,
  )
  if (!truck) throw notFound()
  requireHome(actor, truck, TRUCK_ELSEWHERE)
  return writeCoupling(db, actor, truck, what)
}

export async function updateCoupling(db: Db, actor: Actor, id: number, what: NewCoupling) {
  const before = await requireCoupling(db, actor, id)
  return writeCoupling(db, actor, { id: before.truck_id, workshop_id: before.workshop_id }, what, before)
}

export async function deleteCoupling(db: Db, actor: Actor, id: number) {
  const before = await requireCoupling(db, actor, id)
  await rows(db, sql`delete from ${couplingsTable} where company_id = ${actor.company_id} and id = ${id}`)
  await tellCouplings(db, actor, before, before)
  return undefined
}

/** Closes the open interval of a truck and opens the next; null leaves it without a unit. */
export async function couple(
  db: Db,
  actor: Actor,
  truck: { id: number; workshop_id: number },
  coupled_id: number | null,
  mayMove: boolean,
) {
  const inForce = sql`company_id = ${actor.company_id} and until_at is null`
  const open = await row<{ coupled_id: number }>(
    db,
    sql`select coupled_id from ${couplingsTable} where ${inForce} and truck_id = ${truck.id} for update`,
  )
  const puller = coupled_id === null ? undefined : await requireUnit(db, actor, truck, coupled_id, mayMove)
  if ((open?.coupled_id ?? null) === coupled_id) return
  await rows(
    db,
    sql`update ${couplingsTable} set until_at = now() where ${inForce} and (truck_id = ${truck.id} or coupled_id = ${coupled_id})`,
  )
  if (coupled_id !== null)
    await db.insert(couplingsTable).values({
      company_id: actor.company_id,
      truck_id: truck.id,
      coupled_id,
      from_at: sql`now()`,
    })
  await tell(
    db,
    actor,
    UNITS_PULLED,
    [coupled_id, open?.coupled_id].filter((id) => typeof id === 'number'),
  )
  if (puller) {
    await record(
      db,
      actor,
      'truck',
      puller.id,
      'updated',
      { coupled_patent: puller.coupled_patent },
      { coupled_patent: null },
    )
    announce(db, actor, { topic: 'fleet', workshop_id: truck.workshop_id, ids: [puller.id] })
  }
}

/** A unit of the truck's workshop; gives the truck it leaves, where another pulls it and it may move. */
async function requireUnit(
  db: Db,
  actor: Actor,
  truck: { id: number; workshop_id: number },
  coupled_id: number,
  mayMove: boolean,
) {
  // Locked first, so that two trucks that reach for the unit at once go one after the other.
  const unit = await row<{ patent: string }>(
    db,
    sql`select patent from ${coupledTable} where company_id = ${actor.company_id} and id = ${coupled_id}
        and workshop_id = ${truck.workshop_id} for update`,
  )
  if (!unit) throw invalid({ coupled_id: 'Elija un acoplado del mismo taller.' })
  const puller = await row<{ id: number; code: string }>(
    db,
    sql`select t.id, t.code from ${couplingsTable} k join ${trucksTable} t on t.company_id = k.company_id and t.id = k.truck_id
        where k.company_id = ${actor.company_id} and k.coupled_id = ${coupled_id} and k.until_at is null and k.truck_id <> ${truck.id}`,
  )
  if (puller && !mayMove)
    throw invalid({ coupled_id: `El acoplado ${showPatent(unit.patent)} está con el equipo ${puller.code}.` })
  return puller && { id: puller.id, coupled_patent: unit.patent }
}
