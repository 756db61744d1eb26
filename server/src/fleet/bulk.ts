import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { dayOf } from '#contract/base/dates.ts'
import { TRUCK_STATES } from '#contract/fleet/fleet.ts'
import { closedMonth } from '#contract/workshops/months.ts'
import { BEGAN, COMPANY, type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { recordMany } from '../platform/operations/audit.ts'
import {
  asSamples,
  countStaged,
  type SampleChange,
  STAGED,
  type Staged,
  settle,
  stage,
  type WrongField,
} from '../platform/operations/bulk.ts'
import { announce, tell } from '../platform/operations/happenings.ts'
import { settingsOf } from '../workshops/company.ts'
import { isClosedOn, openMonths } from '../workshops/months.ts'
import { workshopsTable } from '../workshops/tables.ts'
import { moveHomes } from './homes.ts'
import { METERS_READ } from './readings.ts'
import {
  brandsTable,
  costCentersTable,
  coupledTable,
  couplingsTable,
  readingsTable,
  truckCostCentersTable,
  trucksTable,
  truckTypesTable,
} from './tables.ts'

/** Trucks by the thousand, matched by id where the file brings one, else by code. A blank optional cell leaves what is there. */

const COLUMNS = `row int, id bigint, workshop_id bigint, code text, patent text, mileage bigint, coupled_name text, brand_name text,
  type_name text, cost_center_name text, status text, truck_id bigint, cost_center_id bigint, state text, brand_id bigint, type_of_truck_id bigint, coupled_id bigint,
  coupling_id bigint, reading_id bigint`

const CATALOGUES = {
  brands: { table: brandsTable, name: sql.raw('brand_name'), id: 'brand_id' },
  truck_types: { table: truckTypesTable, name: sql.raw('type_name'), id: 'type_of_truck_id' },
}

/** A truck beside its row, with what it pulls now. */
const BESIDE = sql`i join ${trucksTable} t on t.id = i.truck_id
  left join ${couplingsTable} k on k.company_id = t.company_id and k.truck_id = t.id and k.until_at is null
  left join ${coupledTable} p on p.company_id = k.company_id and p.id = k.coupled_id
  left join ${brandsTable} b on b.company_id = t.company_id and b.id = t.brand_id
  left join ${truckTypesTable} y on y.company_id = t.company_id and y.id = t.type_of_truck_id
  left join ${costCentersTable} c on c.company_id = t.company_id and c.id = t.cost_center_id
  left join ${workshopsTable} w on w.company_id = t.company_id and w.id = t.workshop_id
  left join ${workshopsTable} v on v.company_id = t.company_id and v.id = i.workshop_id`
const SIDE_BY_SIDE = sql`incoming ${BESIDE}`

export async function stageTrucks(db: Db, actor: Actor, chunks: readonly string[], lock: boolean): Promise<Staged> {
  const inCompany = sql`t.company_id = ${actor.company_id}`
  await stage(db, COLUMNS, chunks)
  await settle(
    db,
    'incoming',
    ['truck_id'],
    sql`select i.row, t.id as truck_id from i join ${trucksTable} t
        on ${inCompany} and (t.id = i.id or i.id is null and lower(t.code) = lower(i.code))`,
  )
  if (lock) {
    await rows(
      db,
      sql`select t.id from ${trucksTable} t where ${inCompany} and t.id in (select truck_id from incoming) order by t.id for update`,
    )
    await rows(
      db,
      sql`select u.id from ${coupledTable} u where u.company_id = ${actor.company_id}
          and u.patent in (select coupled_name from incoming) order by u.id for update`,
    )
  }
  for (const { table, name, id } of Object.values(CATALOGUES)) await resolve(db, actor, table, name, id)
  await resolve(db, actor, costCentersTable, sql.raw('cost_center_name'), 'cost_center_id')
  await resolveUnits(db, actor)
  const [missing] = await rows<Record<string, number>>(
    db,
    sql`select count(distinct plain(brand_name)) filter (where brand_id is null) as brands,
          count(distinct plain(type_name)) filter (where type_of_truck_id is null) as truck_types,
          count(distinct coupled_name) filter (where coupled_id is null) as coupled from incoming`,
  )
  await settle(
    db,
    'incoming',
    ['state'],
    sql`select i.row, case when i.code = t.code and i.patent = t.patent and i.workshop_id = t.workshop_id
            and coalesce(i.mileage, t.mileage) = t.mileage and coalesce(i.status, t.state) = t.state
            and (i.cost_center_name is null or coalesce(i.cost_center_id = t.cost_center_id, false))
            and (i.brand_name is null or coalesce(i.brand_id = t.brand_id, false))
            and (i.type_name is null or coalesce(i.type_of_truck_id = t.type_of_truck_id, false))
            and (i.coupled_name is null or coalesce(i.coupled_id = k.coupled_id, false)) then 'same' else 'changed' end as state
        from ${BESIDE} where ${inCompany}`,
  )
  return {
    ...(await countStaged(db)),
    missing: missing!,
    wrong: await findWrong(db, actor),
    doubtful: await findLeaps(db, actor),
  }
}

async function findWrong(db: Db, actor: Actor) {
  const inCompany = sql`t.company_id = ${actor.company_id}`
  const today = dayOf(new Date(), actor.time_zone)
  const isClosed = isClosedOn(await openMonths(db, actor), today)
  return rows<WrongField>(
    db,
    sql`with ${STAGED.incoming} select i.row, 'id' as field, i.id::text as value, 'No existe un equipo con este ID.' as reason
        from i where i.id is not null and i.truck_id is null
        union all
        select i.row, 'code', i.code, 'Ya existe otro equipo con este código.'
        from i join ${trucksTable} t on ${inCompany} and lower(t.code) = lower(i.code)
        where i.id is not null and i.truck_id <> t.id
        union all
        select i.row, 'code', i.code, 'Otra fila del archivo cambia este mismo equipo.'
        from i where i.id is null and exists (select from i o where o.id = i.truck_id)
        union all
        select i.row, 'code', i.code, 'Ya existe un equipo con este código en otro taller.'
        from i join ${trucksTable} t on ${inCompany} and t.id = i.truck_id
        where ${actor.workshop_id}::bigint is not null and t.workshop_id <> ${actor.workshop_id}::bigint
        union all
        select i.row, 'patent', i.patent, 'Ya existe otro equipo con esta patente.'
        from i join ${trucksTable} t on ${inCompany} and t.patent = i.patent where t.id is distinct from i.truck_id
        union all
        select i.row, 'mileage', i.mileage::text, 'Es menor al último kilometraje conocido (' || t.mileage || ' km).'
        from i join ${trucksTable} t on ${inCompany} and t.id = i.truck_id where i.mileage < t.mileage
        union all
        select i.row, 'cost_center_name', i.cost_center_name, 'No existe un centro de costo con este nombre.'
        from i where i.cost_center_name is not null and i.cost_center_id is null
        union all
        select i.row, 'cost_center_name', i.cost_center_name, ${closedMonth(today)}
        from i join ${trucksTable} t on ${inCompany} and t.id = i.truck_id
        where ${isClosed} and i.cost_center_id is distinct from t.cost_center_id and i.cost_center_id is not null
        union all
        select i.row, 'coupled_name', i.coupled_name, 'El acoplado es de otro taller.'
        from i join ${coupledTable} u on u.company_id = ${actor.company_id} and u.id = i.coupled_id
        where u.workshop_id <> i.workshop_id
        union all
        select i.row, 'location', p.patent, 'El equipo cambia de taller y su acoplado no.'
        from ${BESIDE} where ${inCompany} and i.coupled_name is null and p.workshop_id <> i.workshop_id
        union all
        select i.row, 'coupled_name', i.coupled_name, 'El acoplado está con el equipo ' || t.code || '.'
        from i
        join ${couplingsTable} k on k.company_id = ${actor.company_id} and k.coupled_id = i.coupled_id and k.until_at is null
        join ${trucksTable} t on t.company_id = k.company_id and t.id = k.truck_id
        where k.truck_id is distinct from i.truck_id and not exists (
          select from i o where o.truck_id = k.truck_id and o.coupled_name is not null and o.coupled_name <> i.coupled_name)
        order by 1 limit 1000`,
  )
}

/** Further than a truck drives since it was last read. */
async function findLeaps(db: Db, actor: Actor) {
  const { kilometers_per_day } = await settingsOf(db, actor)
  return rows<WrongField>(
    db,
    sql`select i.row, 'mileage' as field, i.mileage::text as value, 'Son ' || i.mileage - t.mileage || ' km más que la última lectura ('
          || t.mileage || ' km): confirme que es correcto.' as reason
        from incoming i join ${trucksTable} t on t.company_id = ${actor.company_id} and t.id = i.truck_id
        cross join lateral (select r.date, r.initial and r.km = 0 as unknown from ${readingsTable} r
          where r.company_id = ${COMPANY} and r.truck_id = t.id and not r.superseded
          order by r.date desc, r.id desc limit 1) r
        where not r.unknown
          and i.mileage - t.mileage > ${kilometers_per_day} * greatest(1, extract(epoch from now() - r.date) / 86400)
        order by 1 limit 1000`,
  )
}

const resolve = (db: Db, actor: Actor, table: PgTable, name: SQL, id: string) =>
  settle(
    db,
    'incoming',
    [id],
    sql`select i.row, c.id as ${sql.raw(id)} from i join (
          select distinct on (n.name, n.workshop_id) n.name, n.workshop_id, c.id
          from (select distinct ${name} as name, workshop_id from i where ${name} is not null) n
          join ${table} c on c.company_id = ${actor.company_id} and c.search = plain(n.name)
            and (c.workshop_id is null or c.workshop_id = n.workshop_id)
          order by n.name, n.workshop_id, c.workshop_id nulls last
        ) c on c.name = i.${name} and c.workshop_id = i.workshop_id where i.${sql.raw(id)} is null`,
  )
const resolveUnits = (db: Db, actor: Actor) =>
  settle(
    db,
    'incoming',
    ['coupled_id'],
    sql`select i.row, u.id as coupled_id from i
        join ${coupledTable} u on u.company_id = ${actor.company_id} and u.patent = i.coupled_name`,
  )

const worded = (state: SQL) =>
  sql`case ${state} when 'active' then ${TRUCK_STATES.active.label} else ${TRUCK_STATES.inactive.label} end`
/** Named as the columns of the file are. */
const BEFORE = sql`jsonb_build_object('code', t.code, 'patent', t.patent, 'location', w.name, 'mileage', t.mileage,
  'brand_name', b.name, 'type_name', y.name, 'coupled_name', p.patent, 'cost_center_name', c.name,
  'status', ${worded(sql`t.state`)})`
const AFTER = sql`jsonb_build_object('code', i.code, 'patent', i.patent, 'location', v.name,
  'mileage', coalesce(i.mileage, t.mileage),
  'brand_name', case when plain(i.brand_name) = b.search then b.name else coalesce(i.brand_name, b.name) end,
  'type_name', case when plain(i.type_name) = y.search then y.name else coalesce(i.type_name, y.name) end,
  'coupled_name', coalesce(i.coupled_name, p.patent),
  'cost_center_name', case when plain(i.cost_center_name) = c.search then c.name else coalesce(i.cost_center_name, c.name) end,
  'status', ${worded(sql`coalesce(i.status, t.state)`)})`
/** In the activity a field is called as on the truck. */
const renamed = (values: SQL) =>
  sql`(${values} - 'location' - 'coupled_name' - 'status' || jsonb_build_object('workshop_name', ${values} -> 'location',
    'coupled_patent', ${values} -> 'coupled_name', 'state', ${values} -> 'status'))`

export async function sampleTrucks(db: Db, actor: Actor, limit: number): Promise<SampleChange[]> {
  return asSamples(
    await rows(
      db,
      sql`select i.row, i.code, ${BEFORE} as before, ${AFTER} as after from ${SIDE_BY_SIDE}
        where t.company_id = ${actor.company_id} and i.state = 'changed' order by i.row limit ${limit}`,
    ),
  )
}

/** Readings and couplings that will be written get their numbers. */
async function numberParts(db: Db, company_id: number) {
  const next = (table: string) => sql`nextval(pg_get_serial_sequence(${table}, 'id'))`
  // Marked first: a cluster gives no numbers in a statement that asks its nodes.
  await settle(
    db,
    'incoming',
    ['reading_id', 'coupling_id'],
    sql`select i.row, case when i.state = 'new' or i.mileage > t.mileage then 0 end as reading_id,
          case when i.coupled_id is not null and i.coupled_id is distinct from k.coupled_id then 0 end as coupling_id
        from i left join ${trucksTable} t on t.company_id = ${company_id} and t.id = i.truck_id
        left join ${couplingsTable} k on k.company_id = t.company_id and k.truck_id = t.id and k.until_at is null
        where i.state <> 'same'`,
  )
  await rows(
    db,
    sql`update incoming set reading_id = case when reading_id = 0 then ${next('truck_readings')} end,
          coupling_id = case when coupling_id = 0 then ${next('couplings')} end
        where reading_id = 0 or coupling_id = 0`,
  )
}

/** The centre it was of until today is kept; one that it goes back to on the same day it never left. */
async function moveCenters(db: Db, company_id: number, today: string) {
  await rows(
    db,
    sql`insert into ${truckCostCentersTable} (company_id, truck_id, until_day, cost_center_id)
        select ${company_id}, t.id, ${today}::date, t.cost_center_id from incoming i
        join ${trucksTable} t on t.company_id = ${company_id} and t.id = i.truck_id
        where i.state = 'changed' and i.cost_center_id <> coalesce(t.cost_center_id, 0) on conflict do nothing`,
  )
  await rows(
    db,
    sql`delete from ${truckCostCentersTable} p using incoming i where p.company_id = ${company_id} and p.truck_id = i.truck_id
        and i.state = 'changed' and p.until_day = ${today}::date and p.cost_center_id = i.cost_center_id`,
  )
}

/** Writes what was staged and leaves what it did in `imported`. Gives the ids of what it added beside the trucks. */
export async function writeTrucks(db: Db, actor: Actor): Promise<Record<string, number[]>> {
  const { company_id, user_id, user_name, workshop_id } = actor
  const today = dayOf(new Date(), actor.time_zone)
  const made: Record<string, number[]> = {}
  for (const [catalogue, { table, name, id }] of Object.entries(CATALOGUES)) {
    const added = await rows<{ id: number }>(
      db,
      sql`insert into ${table} (company_id, workshop_id, name)
          select distinct on (plain(${name})) ${company_id}::bigint, ${workshop_id}::bigint, ${name}
          from incoming where ${name} is not null and ${sql.raw(id)} is null order by plain(${name}), row returning id`,
    )
    made[catalogue] = added.map((row) => row.id)
    if (added.length > 0) await resolve(db, actor, table, name, id)
  }
  const units = await rows<{ id: number }>(
    db,
    sql`insert into ${coupledTable} (company_id, workshop_id, patent)
        select ${company_id}, workshop_id, coupled_name from incoming
        where coupled_name is not null and coupled_id is null returning id`,
  )
  made.coupled = units.map((row) => row.id)
  await resolveUnits(db, actor)
  await rows(
    db,
    sql`update incoming set truck_id = nextval(pg_get_serial_sequence('trucks', 'id')), state = 'new' where state is null`,
  )
  // What was all null when it was looked at first is what everything below joins by.
  await rows(db, sql`analyze incoming`)
  await numberParts(db, company_id)
  await rows(
    db,
    sql`create temp table imported on commit drop as
        select i.row, i.truck_id as entity_id, null::jsonb as before, jsonb_build_object('code', i.code,
          'coupling_id', i.coupling_id) as after from incoming i where i.state = 'new'
        union all
        select i.row, i.truck_id, jsonb_build_object('code', t.code, 'patent', t.patent, 'workshop_id', t.workshop_id,
            'brand_id', t.brand_id, 'type_of_truck_id', t.type_of_truck_id, 'cost_center_id', t.cost_center_id,
            'state', t.state, 'retired_at', t.retired_at, 'away', t.away::text, 'updated_at', t.updated_at, 'coupling_id', k.id),
          jsonb_build_object('code', i.code, 'patent', i.patent, 'workshop_id', i.workshop_id,
            'brand_id', coalesce(i.brand_id, t.brand_id),
            'type_of_truck_id', coalesce(i.type_of_truck_id, t.type_of_truck_id),
            'cost_center_id', coalesce(i.cost_center_id, t.cost_center_id), 'center_day', ${today}::text,
            'state', coalesce(i.status, t.state), 'updated_at', ${BEGAN},
            'coupling_id', i.coupling_id, 'reading_id', i.reading_id)
        from ${SIDE_BY_SIDE} where t.company_id = ${company_id} and i.state = 'changed'`,
  )
  await recordMany(
    db,
    actor,
    'truck',
    'imported',
    sql`select i.truck_id as entity_id, ${renamed(BEFORE)} as before, ${renamed(AFTER)} as after from ${SIDE_BY_SIDE}
        where t.company_id = ${company_id} and i.state = 'changed'
        union all
        select i.truck_id, '{}', jsonb_build_object('code', i.code, 'patent', i.patent, 'mileage', coalesce(i.mileage, 0),
          'brand_name', i.brand_name, 'type_name', i.type_name, 'coupled_patent', i.coupled_name)
        from incoming i where i.state = 'new'`,
  )
  await rows(
    db,
    sql`insert into ${trucksTable} (company_id, id, workshop_id, code, patent, mileage, brand_id, type_of_truck_id,
          cost_center_id, state, retired_at, created_at, updated_at)
        select ${company_id}, truck_id, workshop_id, code, patent, coalesce(mileage, 0), brand_id, type_of_truck_id,
          cost_center_id, coalesce(status, 'active'), case when status = 'inactive' then ${BEGAN} end, ${BEGAN}, ${BEGAN}
        from incoming where state = 'new' returning company_id`,
  )
  // What is dated below takes the clock: it may have waited for who read the meter or changed the unit meanwhile.
  await rows(
    db,
    sql`insert into ${readingsTable} (company_id, id, truck_id, date, km, source, initial, user_id, user_name)
        select ${company_id}, reading_id, truck_id, clock_timestamp(), coalesce(mileage, 0), 'import', state = 'new', ${user_id}, ${user_name}
        from incoming where reading_id is not null returning company_id`,
  )
  await moveCenters(db, company_id, today)
  await moveHomes(db, actor, sql`select truck_id, workshop_id from incoming where state = 'changed'`)
  const back = await rows<{ id: number }>(
    db,
    sql`select t.id from incoming i join ${trucksTable} t on t.company_id = ${company_id} and t.id = i.truck_id
        where i.state = 'changed' and i.status = 'active' and t.state <> 'active' order by 1`,
  )
  await rows(
    db,
    sql`update ${trucksTable} t set code = i.code, patent = i.patent, workshop_id = i.workshop_id,
          cost_center_id = coalesce(i.cost_center_id, t.cost_center_id), state = coalesce(i.status, t.state),
          retired_at = case when coalesce(i.status, t.state) = 'inactive' then coalesce(t.retired_at, ${BEGAN}) end,
          away = case when i.status = 'active' and t.state <> 'active'
            then t.away + tstzmultirange(tstzrange(t.retired_at, ${BEGAN})) else t.away end,
          mileage = coalesce(i.mileage, t.mileage), brand_id = coalesce(i.brand_id, t.brand_id),
          type_of_truck_id = coalesce(i.type_of_truck_id, t.type_of_truck_id), updated_at = ${BEGAN}
        from incoming i where t.company_id = ${company_id} and t.id = i.truck_id and i.state = 'changed'`,
  )
  await rows(
    db,
    sql`update ${couplingsTable} k set until_at = ${new Date().toISOString()} from incoming i where k.company_id = ${company_id}
        and k.until_at is null and i.coupling_id is not null and k.truck_id = i.truck_id`,
  )
  await rows(
    db,
    sql`insert into ${couplingsTable} (company_id, id, truck_id, coupled_id, from_at)
        select ${company_id}, coupling_id, truck_id, coupled_id, clock_timestamp() from incoming where coupling_id is not null
        returning company_id`,
  )
  announce(db, actor, { topic: 'fleet', workshop_id, ids: [] })
  const read = await rows<{ id: number }>(
    db,
    sql`select truck_id as id from incoming where reading_id is not null and state = 'changed' order by 1`,
  )
  // While it was out of use nobody looked at it.
  const again = [...new Set([...read, ...back].map(({ id }) => id))]
  if (again.length > 0) await tell(db, actor, METERS_READ, again)
  return made
}
