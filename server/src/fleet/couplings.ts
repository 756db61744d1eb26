import { sql } from 'drizzle-orm'
import type { Coupled, Coupling } from '#contract/fleet/fleet.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import { all, matches } from '../platform/database/lists.ts'
import { announce } from '../platform/http/live.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { invalid, notFound } from '../platform/operations/problems.ts'
import { inScope, requireWorkshop } from '../workshops/scope.ts'
import { coupledTable, couplingsTable, readingsTable, trucksTable } from './tables.ts'

const COUPLED = sql`select u.id, u.company_id, u.workshop_id, u.patent, k.truck_id, t.code as truck_code
  from ${coupledTable} u
  left join ${couplingsTable} k on k.company_id = u.company_id and k.coupled_id = u.id and k.until_at is null
  left join ${trucksTable} t on t.company_id = k.company_id and t.id = k.truck_id`

export async function listCoupled(
  db: Db,
  actor: Actor,
  { filter }: { filter: { Search?: string | undefined; WorkshopId?: number[] | undefined } },
) {
  const where = all([inScope(actor, sql`u`, filter.WorkshopId), matches(sql`lower(u.patent)`, filter.Search)])
  const data = await rows<Coupled>(db, sql`${COUPLED} where ${where} order by u.patent, u.id`)
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

/**
 * Kilometres driven while coupled. Between two readings a truck is taken to have driven evenly, so an interval that
 * starts or ends between them gets its share.
 */
const DRIVEN = sql`select k.company_id, k.id, round(sum((s.km_after - s.km) * case when s.after = s.date then 1 else
      extract(epoch from least(s.after, coalesce(k.until_at, 'infinity')) - greatest(s.date, k.from_at))
      / extract(epoch from s.after - s.date) end))::bigint as kilometers
  from ${couplingsTable} k
  cross join lateral (
    select r.date, r.km, lead(r.date) over w as after, lead(r.km) over w as km_after
    from ${readingsTable} r where r.company_id = k.company_id and r.truck_id = k.truck_id and not r.superseded
    window w as (order by r.date, r.id)
  ) s
  where s.after is not null and s.after > k.from_at and s.date < coalesce(k.until_at, 'infinity')`

export async function listCouplings(db: Db, actor: Actor, truck_id: number) {
  const data = await rows<Coupling>(
    db,
    sql`select k.id, k.coupled_id, u.patent, k.from_at as "from", k.until_at as until, coalesce(d.kilometers, 0) as kilometers
        from ${couplingsTable} k
        join ${coupledTable} u on u.company_id = k.company_id and u.id = k.coupled_id
        left join (${DRIVEN} and k.company_id = ${actor.company_id} and k.truck_id = ${truck_id} group by k.company_id, k.id) d
          on d.company_id = k.company_id and d.id = k.id
        where k.company_id = ${actor.company_id} and k.truck_id = ${truck_id}
        order by k.from_at desc, k.id desc`,
  )
  return { data, total: data.length }
}

/** One unit, with what it has been pulled in all. */
export async function getCoupled(db: Db, actor: Actor, id: number) {
  const unit = await row<Coupled>(db, sql`${COUPLED} where ${inScope(actor, sql`u`)} and u.id = ${id}`)
  if (!unit) throw notFound()
  const driven = await row<{ kilometers: number }>(
    db,
    sql`select coalesce(sum(d.kilometers), 0) as kilometers
        from (${DRIVEN} and k.company_id = ${actor.company_id} and k.coupled_id = ${id} group by k.company_id, k.id) d`,
  )
  return { ...unit, kilometers: driven?.kilometers ?? 0 }
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
      from_at: sql`now()` as unknown as string,
    })
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
