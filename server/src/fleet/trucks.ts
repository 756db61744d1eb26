import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Found } from '#contract/base/finder.ts'
import { showKm } from '#contract/base/money.ts'
import {
  type NewTruck,
  showPatent,
  TRUCK_ELSEWHERE,
  type Truck,
  type TruckChoice,
  type TruckEdit,
  type TruckList,
} from '#contract/fleet/fleet.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { everyWord, matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce, tell } from '../platform/operations/happenings.ts'
import { notFound, Problem, requireFresh } from '../platform/problems.ts'
import { requireChoice } from '../workshops/catalogues.ts'
import { inFleet, inScope, requireHome, requireWorkshop, sharesFleet } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import { BRANDS, COST_CENTERS, TRUCK_TYPES } from './catalogues.ts'
import { CENTER_FROM, changeCenter } from './cost-centers.ts'
import { couple } from './couplings.ts'
import { moveHomes } from './homes.ts'
import { METERS_READ } from './readings.ts'
import {
  brandsTable,
  costCentersTable,
  coupledTable,
  couplingsTable,
  readingsTable,
  trucksTable,
  truckTypesTable,
} from './tables.ts'

const SELECT = sql`t.id, t.workshop_id, w.name as workshop_name, t.code, t.patent, t.state, t.retired_at, t.created_at as registered_at, t.mileage,
  k.coupled_id, u.patent as coupled_patent, t.type_of_truck_id, y.name as type_name, t.brand_id, b.name as brand_name,
  t.cost_center_id, c.name as cost_center_name, ${CENTER_FROM} as cost_center_from, t.updated_at`
const FROM = sql`${trucksTable} t
  left join ${workshopsTable} w on w.company_id = t.company_id and w.id = t.workshop_id
  left join ${couplingsTable} k on k.company_id = t.company_id and k.truck_id = t.id and k.until_at is null
  left join ${coupledTable} u on u.company_id = k.company_id and u.id = k.coupled_id
  left join ${truckTypesTable} y on y.company_id = t.company_id and y.id = t.type_of_truck_id
  left join ${brandsTable} b on b.company_id = t.company_id and b.id = t.brand_id
  left join ${costCentersTable} c on c.company_id = t.company_id and c.id = t.cost_center_id`
const SORTS: Record<string, SQL> = {
  code: sql`t.code`,
  patent: sql`t.patent`,
  workshop_name: sql`w.name`,
  type_name: sql`y.name`,
  brand_name: sql`b.name`,
  cost_center_name: sql`c.name`,
  coupled_patent: sql`u.patent`,
  mileage: sql`t.mileage`,
  state: sql`t.state`,
  updated_at: sql`t.updated_at`,
}
/** In the truck, its brand, its type, or the plate of the unit behind it. */
const searched = ({ company_id }: Actor, search: string | undefined) =>
  everyWord(search, (has) => [
    has(sql`t.search`),
    sql`t.brand_id in (select b.id from ${brandsTable} b where b.company_id = ${company_id} and ${has(sql`b.search`)})`,
    sql`t.type_of_truck_id in (select y.id from ${truckTypesTable} y where y.company_id = ${company_id} and ${has(sql`y.search`)})`,
    sql`t.id in (select k.truck_id from ${couplingsTable} k
      join ${coupledTable} u on u.company_id = k.company_id and u.id = k.coupled_id
      where k.company_id = ${company_id} and k.until_at is null and ${has(sql`lower(u.patent)`)})`,
  ])

/** Those of other workshops come where they are asked for. */
function fleetAsked(actor: Actor, { Fleet, WorkshopId }: TruckList['filter']): SQL {
  if (actor.workshop_id === null || !Fleet?.includes('others')) return inScope(actor, sql`t`, WorkshopId)
  const all = inFleet(actor, sql`t`)
  return Fleet.includes('own') ? all : sql`${all} and t.workshop_id <> ${actor.workshop_id}`
}

export function listTrucks(db: Db, actor: Actor, query: TruckList) {
  const where = all([
    fleetAsked(actor, query.filter),
    oneOf(sql`t.brand_id`, query.filter.Brand),
    oneOf(sql`t.type_of_truck_id`, query.filter.Type),
    oneOf(sql`t.cost_center_id`, query.filter.CostCenter),
    oneOf(sql`t.state`, query.filter.State),
    searched(actor, query.filter.Search),
  ])
  return listPage<Truck>(db, query, {
    select: SELECT,
    from: FROM,
    where,
    sorts: SORTS,
    order: sql`t.code, t.id`,
    id: sql`t.id`,
    owner: sql`t.company_id = ${actor.company_id}`,
  })
}

export async function chooseTrucks(
  db: Db,
  actor: Actor,
  {
    filter,
  }: { filter: { Search?: string | undefined; WorkshopId?: number[] | undefined; Shared?: boolean | undefined } },
) {
  const own = inScope(actor, sql`t`, filter.WorkshopId)
  const where = all([
    filter.Shared ? sql`t.company_id = ${actor.company_id} and ((${own}) or ${sharesFleet(actor)})` : own,
    sql`t.state = 'active'`,
    matches(sql`t.search`, filter.Search),
  ])
  const data = await rows<TruckChoice>(
    db,
    sql`select t.id, t.workshop_id, w.name as workshop_name, t.code, t.patent, t.mileage, k.coupled_id from ${trucksTable} t
        join ${workshopsTable} w on w.company_id = t.company_id and w.id = t.workshop_id
        left join ${couplingsTable} k on k.company_id = t.company_id and k.truck_id = t.id and k.until_at is null
        where ${where} order by ${filter.Shared ? sql`not (${own}),` : sql``} t.code, t.id`,
  )
  return { data, total: data.length }
}

export async function findTrucks(db: Db, actor: Actor, text: string, limit: number): Promise<Found[]> {
  const found = await rows<Truck>(
    db,
    sql`select ${SELECT} from ${FROM} where ${all([inFleet(actor, sql`t`), searched(actor, text)])}
        order by ${actor.workshop_id === null ? sql`` : sql`t.workshop_id <> ${actor.workshop_id},`} t.code, t.id limit ${limit}`,
  )
  return found.map((truck) => ({
    kind: 'truck',
    id: truck.id,
    title: `${truck.code} · ${showPatent(truck.patent)}`,
    detail: [
      truck.brand_name,
      truck.type_name,
      showKm(truck.mileage),
      actor.workshop_id === null || actor.workshop_id === truck.workshop_id ? null : truck.workshop_name,
    ]
      .filter(Boolean)
      .join(' · '),
    path: `/truck/${truck.id}`,
  }))
}

/** The truck, for those who may see it; locked until the end of the transaction where it is about to change, at home. */
export async function requireTruck(db: Db, actor: Actor, id: number, lock = false): Promise<Truck> {
  const truck = await row<Truck>(
    db,
    sql`select ${SELECT} from ${FROM} where ${inFleet(actor, sql`t`)} and t.id = ${id} ${lock ? sql`for update of t` : sql``}`,
  )
  if (!truck) throw notFound()
  if (lock) requireHome(actor, truck, TRUCK_ELSEWHERE)
  return truck
}

async function requireChoices(db: Db, actor: Actor, what: NewTruck | TruckEdit) {
  await requireWorkshop(db, actor, what.workshop_id)
  await requireChoice(db, actor, BRANDS, what.brand_id, what.workshop_id, 'brand_id')
  await requireChoice(db, actor, TRUCK_TYPES, what.type_of_truck_id, what.workshop_id, 'type_of_truck_id')
  await requireChoice(db, actor, COST_CENTERS, what.cost_center_id, what.workshop_id, 'cost_center_id')
}

export async function createTruck(db: Db, actor: Actor, what: NewTruck): Promise<Truck> {
  await requireChoices(db, actor, what)
  const { workshop_id, code, patent, mileage, type_of_truck_id, brand_id, cost_center_id } = what
  const { company_id, user_id, user_name } = actor
  const { id } = one(
    await db
      .insert(trucksTable)
      .values({ company_id, workshop_id, code, patent, mileage, type_of_truck_id, brand_id, cost_center_id })
      .returning({ id: trucksTable.id }),
  )
  await db.insert(readingsTable).values({
    company_id,
    truck_id: id,
    date: new Date().toISOString(),
    km: mileage,
    source: 'manual',
    initial: true,
    user_id,
    user_name,
  })
  await couple(db, actor, { id, workshop_id }, what.coupled_id, what.move_coupled)
  const truck = await requireTruck(db, actor, id)
  await record(db, actor, 'truck', id, 'created', {}, truck)
  announce(db, actor, { topic: 'fleet', workshop_id, ids: [id] })
  return truck
}

/** What it was away until now. */
const BEEN_AWAY = sql`${trucksTable.away} + tstzmultirange(tstzrange(${trucksTable.retired_at}, now()))`

export async function updateTruck(db: Db, actor: Actor, id: number, what: TruckEdit): Promise<Truck> {
  const before = await requireTruck(db, actor, id, true)
  requireFresh(before, what.updated_at)
  await requireChoices(db, actor, what)
  const { workshop_id, code, patent, state, type_of_truck_id, brand_id, cost_center_id } = what
  await couple(db, actor, { id, workshop_id }, what.coupled_id, what.move_coupled)
  await changeCenter(db, actor, before, what)
  if (workshop_id !== before.workshop_id)
    await moveHomes(db, actor, sql`select ${id}::bigint as truck_id, ${workshop_id}::bigint as workshop_id`)
  const retired_at =
    state === 'active' ? null : before.state === 'active' ? new Date().toISOString() : (before.retired_at ?? null)
  await db
    .update(trucksTable)
    .set({
      workshop_id,
      code,
      patent,
      state,
      retired_at,
      ...(before.state !== 'active' && state === 'active' && { away: BEEN_AWAY }),
      type_of_truck_id,
      brand_id,
      cost_center_id,
      updated_at: new Date().toISOString(),
    })
    .where(and(eq(trucksTable.company_id, actor.company_id), eq(trucksTable.id, id)))
  const after = await requireTruck(db, actor, id)
  await record(db, actor, 'truck', id, 'updated', before, after)
  for (const workshop of new Set([before.workshop_id, workshop_id]))
    announce(db, actor, { topic: 'fleet', workshop_id: workshop, ids: [id] })
  // While it was out of use nobody looked at it.
  if (before.state !== 'active' && state === 'active') await tell(db, actor, METERS_READ, [id])
  return after
}

const HAS_HISTORY =
  'El equipo tiene historial (lecturas, acoplados u órdenes) y no se puede eliminar. Puede desactivarlo: dejará de ofrecerse y su historial se conserva.'

/** Only a truck to which nothing has happened yet; what has a history is deactivated. */
export async function deleteTruck(db: Db, actor: Actor, id: number) {
  const truck = await requireTruck(db, actor, id, true)
  const ofTruck = sql`company_id = ${actor.company_id} and truck_id = ${id}`
  const history = await row(
    db,
    sql`select 1 as one from ${readingsTable} where ${ofTruck} and not initial
        union all select 1 from ${couplingsTable} where ${ofTruck} limit 1`,
  )
  if (history) throw new Problem(409, HAS_HISTORY)
  await rows(db, sql`delete from ${readingsTable} where ${ofTruck}`)
  await rows(db, sql`delete from ${trucksTable} where company_id = ${actor.company_id} and id = ${id}`)
  await record(db, actor, 'truck', id, 'deleted', truck, {})
  announce(db, actor, { topic: 'fleet', workshop_id: truck.workshop_id, ids: [id] })
  return undefined
}
