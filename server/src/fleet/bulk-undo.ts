import { type SQL, sql } from 'drizzle-orm'
import { COMPANY, type Db, rows } from '../platform/database/db.ts'
import { usedBy } from '../platform/database/references.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { recordMany } from '../platform/operations/audit.ts'
import { formerTime, giveBack, STAGED, settle } from '../platform/operations/bulk.ts'
import { announce, tell } from '../platform/operations/happenings.ts'
import { openMonths } from '../workshops/months.ts'
import { moveHomes } from './homes.ts'
import { METERS_READ } from './readings.ts'
import {
  brandsTable,
  coupledTable,
  couplingsTable,
  readingsTable,
  truckCostCentersTable,
  trucksTable,
  truckTypesTable,
} from './tables.ts'

const FIELDS = {
  code: 'código',
  patent: 'patente',
  workshop_id: 'taller',
  brand_id: 'marca',
  type_of_truck_id: 'tipo',
  cost_center_id: 'centro de costo',
  state: 'estado',
} as const

const MADE = { brands: brandsTable, truck_types: truckTypesTable, coupled: coupledTable }

/**
 * Takes back what `undoing` says. What was new goes, unless something happened to it. What was changed gets each former
 * value back, unless that field has been changed since; then it stays, and `reason` says so.
 */
export async function undoTrucks(db: Db, actor: Actor, made: Record<string, number[]>) {
  const { company_id } = actor
  const sameTruck = sql`t.company_id = ${company_id} and t.id = u.entity_id`
  await rows(
    db,
    sql`select t.id from ${trucksTable} t where t.company_id = ${company_id}
        and t.id in (select entity_id from undoing) order by t.id for update`,
  )
  await keepUsed(db, sameTruck)
  const isChanged = (field: string) => sql`u.before -> ${field} is distinct from u.after -> ${field}`
  const isTouched = (field: string) =>
    sql`${isChanged(field)} and to_jsonb(t) -> ${field} is distinct from u.after -> ${field}`
  const isTaken = (field: 'code' | 'patent') =>
    sql`lower(u.before ->> ${field}) <> lower(t.${sql.raw(field)}) and exists (select from ${trucksTable} o
      where o.company_id = ${COMPANY} and o.id <> t.id and lower(o.${sql.raw(field)}) = lower(u.before ->> ${field}))`
  const { day: openFrom } = await openMonths(db, actor)
  const cannot = (field: string) =>
    field === 'code' || field === 'patent'
      ? sql`(${isTouched(field)} or ${isTaken(field)})`
      : field === 'cost_center_id'
        ? sql`(${isTouched(field)} or ${isChanged(field)} and coalesce((u.after ->> 'center_day')::date < ${openFrom}::date, false))`
        : sql`(${isTouched(field)})`
  const isPulled = sql`exists (select from ${couplingsTable} k where k.company_id = ${COMPANY}
    and to_jsonb(k.id) = u.after -> 'coupling_id' and k.until_at is null)`
  const kept = sql.join(
    [
      ...Object.entries(FIELDS).map(([field, label]) => sql`case when ${cannot(field)} then ${label} end`),
      sql`case when u.after ->> 'coupling_id' is not null and not ${isPulled} then 'acoplado' end`,
    ],
    sql`, `,
  )
  await settle(
    db,
    'undoing',
    ['reason'],
    sql`select u.id, 'Cambió después de la importación: ' || nullif(concat_ws(', ', ${kept}), '') || '.' as reason
        from u join ${trucksTable} t on ${sameTruck} where u.before is not null`,
  )
  await recordMany(
    db,
    actor,
    'truck',
    'import_undone',
    sql`select u.entity_id, jsonb_build_object('code', u.after -> 'code', 'patent', u.after -> 'patent') as before,
          jsonb_build_object('code', u.before -> 'code', 'patent', u.before -> 'patent') as after
        from undoing u where u.reason is null`,
  )

  await undoCouplings(db, company_id)
  const gone = sql`select entity_id from undoing where before is null and reason is null`
  await rows(db, sql`delete from ${readingsTable} where company_id = ${company_id} and truck_id in (${gone})`)
  await rows(db, sql`delete from ${trucksTable} where company_id = ${company_id} and id in (${gone})`)
  await rows(
    db,
    sql`delete from ${readingsTable} r using undoing u where r.company_id = ${company_id} and u.before is not null
        and r.id = (u.after ->> 'reading_id')::bigint and r.closed_as is null`,
  )
  const former = (field: string, type = 'text') =>
    sql`case when ${cannot(field)} then t.${sql.raw(field)} else (u.before ->> ${field})::${sql.raw(type)} end`
  /** State, since when and what it was away go together. */
  const unless = (field: string, value: SQL) =>
    sql`case when ${isChanged('state')} and not ${cannot('state')} then ${value} else t.${sql.raw(field)} end`
  await rows(
    db,
    sql`with ${STAGED.undoing}, n as materialized (select p.truck_id, p.until_day from u join ${trucksTable} t on ${sameTruck}
          join ${truckCostCentersTable} p on p.company_id = t.company_id and p.truck_id = t.id
          where u.before is not null and ${isChanged('cost_center_id')} and not ${cannot('cost_center_id')}
            and p.until_day = (u.after ->> 'center_day')::date
            and p.cost_center_id is not distinct from (u.before ->> 'cost_center_id')::bigint)
        delete from ${truckCostCentersTable} p using n
        where p.company_id = ${company_id} and p.truck_id = n.truck_id and p.until_day = n.until_day`,
  )
  await moveHomes(
    db,
    actor,
    sql`with ${STAGED.undoing} select t.id as truck_id, ${former('workshop_id', 'bigint')} as workshop_id
        from u join ${trucksTable} t on ${sameTruck} where u.before is not null`,
  )
  await giveBack(
    db,
    trucksTable,
    company_id,
    {
      id: sql`t.id`,
      code: former('code'),
      patent: former('patent'),
      workshop_id: former('workshop_id', 'bigint'),
      brand_id: former('brand_id', 'bigint'),
      type_of_truck_id: former('type_of_truck_id', 'bigint'),
      cost_center_id: sql`case when ${isChanged('cost_center_id')} then ${former('cost_center_id', 'bigint')} else t.cost_center_id end`,
      state: unless('state', sql`u.before ->> 'state'`),
      retired_at: unless('retired_at', sql`(u.before ->> 'retired_at')::timestamptz`),
      away: unless('away', sql`(u.before ->> 'away')::tstzmultirange`),
      mileage: sql`(select max(km) from ${readingsTable} r
        where r.company_id = ${COMPANY} and r.truck_id = t.id and not r.superseded)`,
      updated_at: formerTime(sql`t`),
    },
    sql`from u join ${trucksTable} t on ${sameTruck} where u.before is not null`,
  )
  await removeMade(db, company_id, made)
  announce(db, actor, { topic: 'fleet', workshop_id: actor.workshop_id, ids: [] })
  const read = await rows<{ id: number }>(
    db,
    sql`select entity_id as id from undoing where after ->> 'reading_id' is not null and before is not null order by 1`,
  )
  if (read.length > 0)
    await tell(
      db,
      actor,
      METERS_READ,
      read.map(({ id }) => id),
    )
}

/** What has a history by now, or is gone, stays as it is. */
async function keepUsed(db: Db, sameTruck: SQL) {
  const used = await usedBy(db, trucksTable, sql`t`, [readingsTable, couplingsTable, truckCostCentersTable])
  await settle(
    db,
    'undoing',
    ['reason'],
    sql`select u.id, 'Ya tiene historial (lecturas, acoplados u órdenes).' as reason
        from u join ${trucksTable} t on ${sameTruck} where u.before is null and (${used}
          or exists (select from ${readingsTable} r where r.company_id = ${COMPANY} and r.truck_id = t.id and not r.initial)
          or exists (select from ${couplingsTable} k where k.company_id = ${COMPANY} and k.truck_id = t.id
            and to_jsonb(k.id) is distinct from u.after -> 'coupling_id'))`,
  )
  await settle(
    db,
    'undoing',
    ['reason'],
    sql`select u.id, 'El equipo ya no existe.' as reason from u left join ${trucksTable} t on ${sameTruck}
        where u.before is not null and t.id is null`,
  )
}

/** What it made on the way, where nothing else uses it. */
async function removeMade(db: Db, company_id: number, made: Record<string, number[]>) {
  for (const [catalogue, table] of Object.entries(MADE)) {
    const stillUsed = await usedBy(db, table, sql`c`)
    await rows(
      db,
      sql`delete from ${table} c where c.company_id = ${company_id} and c.id = any(${sql.param(made[catalogue] ?? [])})
          and not ${stillUsed}`,
    )
  }
}

/** The intervals the import opened go, whether their truck is new or not; then those it closed are opened again. */
async function undoCouplings(db: Db, company_id: number) {
  await rows(
    db,
    sql`delete from ${couplingsTable} k using undoing u where k.company_id = ${company_id}
        and k.id = (u.after ->> 'coupling_id')::bigint and (u.before is null and u.reason is null or k.until_at is null)`,
  )
  await rows(
    db,
    sql`update ${couplingsTable} k set until_at = null from undoing u where k.company_id = ${company_id}
        and u.before is not null and u.after ->> 'coupling_id' is not null and k.id = (u.before ->> 'coupling_id')::bigint
        and not exists (select from ${couplingsTable} o where o.company_id = ${COMPANY} and o.id <> k.id
          and (o.truck_id = k.truck_id or o.coupled_id = k.coupled_id) and coalesce(o.until_at, 'infinity') > k.until_at)`,
  )
}
