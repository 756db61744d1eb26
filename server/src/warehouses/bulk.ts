import { sql } from 'drizzle-orm'
import { type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { recordChanges } from '../platform/operations/audit.ts'
import {
  asSamples,
  countStaged,
  findTouched,
  type SampleChange,
  type Staged,
  settle,
  stage,
  type WrongField,
} from '../platform/operations/bulk.ts'
import { announce } from '../platform/operations/happenings.ts'
import { suppliesTable } from '../supplies/tables.ts'
import { inScope } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import { stockTable, warehousesTable } from './tables.ts'

/** Minimum and maximum stock by the thousand, of supplies that are on the warehouse's list. A blank cell leaves what is there. */

const COLUMNS = `row int, workshop_id bigint, warehouse text, code text, minimum numeric(14, 4), maximum numeric(14, 4),
  warehouse_id bigint, alike int, supply_id bigint, attached boolean, state text`

/** Joins the level that a row of the file changes. */
const WITH_LEVEL = sql`i join ${stockTable} s on s.warehouse_id = i.warehouse_id and s.supply_id = i.supply_id`
const ROWS_WITH_LEVEL = sql`incoming ${WITH_LEVEL}`
const MINIMUM = sql`coalesce(i.minimum, s.minimum)`
const MAXIMUM = sql`coalesce(i.maximum, s.maximum)`

export async function stageLimits(db: Db, actor: Actor, chunks: readonly string[], lock: boolean): Promise<Staged> {
  const { company_id } = actor
  await stage(db, COLUMNS, chunks)
  // By its code, which is of one in its workshop; else by its name.
  await settle(
    db,
    'incoming',
    ['warehouse_id', 'alike'],
    sql`select i.row, n.id as warehouse_id, n.alike from i join (
          select i.warehouse, i.workshop_id, min(w.id) as id, count(*) as alike
          from (select distinct warehouse, workshop_id from i) i
          join ${warehousesTable} w on w.company_id = ${company_id} and w.workshop_id = i.workshop_id
            and (lower(w.code) = lower(i.warehouse) or plain(w.name) = plain(i.warehouse) and not exists (
              select from ${warehousesTable} o where o.company_id = ${company_id} and o.workshop_id = i.workshop_id
                and lower(o.code) = lower(i.warehouse)))
          group by i.warehouse, i.workshop_id) n
        on n.warehouse = i.warehouse and n.workshop_id = i.workshop_id`,
  )
  await settle(
    db,
    'incoming',
    ['supply_id'],
    sql`select i.row, p.id as supply_id from i join ${suppliesTable} p
        on p.company_id = ${company_id} and p.workshop_id = i.workshop_id and lower(p.code) = lower(i.code)`,
  )
  await rows(db, sql`analyze incoming`)
  if (lock)
    await rows(
      db,
      sql`select s.supply_id from ${stockTable} s where s.company_id = ${company_id}
            and (s.warehouse_id, s.supply_id) in (select warehouse_id, supply_id from incoming)
          order by s.supply_id, s.warehouse_id for update`,
    )
  await settle(
    db,
    'incoming',
    ['attached', 'state'],
    sql`select i.row, s.attached, case when ${MINIMUM} is not distinct from s.minimum
          and ${MAXIMUM} is not distinct from s.maximum then 'same' else 'changed' end as state
        from ${WITH_LEVEL} where s.company_id = ${company_id}`,
  )
  return { ...(await countStaged(db)), missing: {}, wrong: await findWrong(db, actor), doubtful: [] }
}

const findWrong = (db: Db, { company_id }: Actor) =>
  rows<WrongField>(
    db,
    sql`select i.row, 'warehouse' as field, i.warehouse as value, 'No existe una bodega con este código o nombre en el taller.' as reason
        from incoming i where i.warehouse_id is null
        union all
        select i.row, 'warehouse', i.warehouse, 'Hay varias bodegas con este nombre: use su código.'
        from incoming i where i.alike > 1
        union all
        select i.row, 'code', i.code, 'No existe un insumo con este código en el taller.'
        from incoming i where i.supply_id is null
        union all
        select i.row, 'code', i.code, 'El insumo no está en la bodega.'
        from incoming i where i.warehouse_id is not null and i.supply_id is not null and i.attached is not true
        union all
        select i.row, 'code', i.code, 'Otra fila del archivo cambia este mismo insumo en la bodega.'
        from incoming i where exists (select from incoming o
          where o.warehouse_id = i.warehouse_id and o.supply_id = i.supply_id and o.row < i.row)
        union all
        select i.row, 'maximum', ${MAXIMUM}::text, 'El máximo no puede ser menor que el mínimo.'
        from ${ROWS_WITH_LEVEL} where s.company_id = ${company_id} and ${MAXIMUM} < ${MINIMUM}
        order by 1 limit 1000`,
  )

export async function sampleLimits(db: Db, actor: Actor, limit: number): Promise<SampleChange[]> {
  return asSamples(
    await rows(
      db,
      sql`select i.row, i.code, jsonb_build_object('minimum', s.minimum, 'maximum', s.maximum) as before,
          jsonb_build_object('minimum', ${MINIMUM}, 'maximum', ${MAXIMUM}) as after from ${ROWS_WITH_LEVEL}
        where s.company_id = ${actor.company_id} and i.state = 'changed' order by i.row limit ${limit}`,
    ),
  )
}

/** The first levels that the person may change, as a file brings them. */
export const someLimits = (db: Db, actor: Actor, limit: number) =>
  rows<{ code: string; warehouse: string; location: string; minimum: number | null; maximum: number | null }>(
    db,
    sql`select p.code, w.code as warehouse, k.name as location, s.minimum, s.maximum from ${stockTable} s
        join ${suppliesTable} p on p.company_id = s.company_id and p.id = s.supply_id
        join ${warehousesTable} w on w.company_id = s.company_id and w.id = s.warehouse_id
        join ${workshopsTable} k on k.company_id = w.company_id and k.id = w.workshop_id
        where s.company_id = ${actor.company_id} and ${inScope(actor, sql`w`)} and s.attached
        order by w.id, p.code limit ${limit}`,
  )

/** Records the changes of each warehouse as `setLimits` does. */
const recordLimits = (db: Db, actor: Actor, action: string, changed: ReturnType<typeof sql>) =>
  recordChanges(
    db,
    actor,
    'warehouse',
    action,
    sql`select (after ->> 'warehouse_id')::bigint as entity_id, jsonb_object_agg('supply_' || entity_id, jsonb_build_array(
          jsonb_build_array(before -> 'minimum', before -> 'maximum'),
          jsonb_build_array(after -> 'minimum', after -> 'maximum'))) as changes
        from (${changed}) c group by 1`,
  )

/** Writes what was staged and leaves what it did in `imported`. */
export async function writeLimits(db: Db, actor: Actor): Promise<Record<string, number[]>> {
  const { company_id, workshop_id } = actor
  await rows(
    db,
    sql`create temp table imported on commit drop as
        select i.row, i.supply_id as entity_id, jsonb_build_object('minimum', s.minimum, 'maximum', s.maximum) as before,
          jsonb_build_object('code', i.code, 'warehouse_id', i.warehouse_id, 'minimum', ${MINIMUM}, 'maximum', ${MAXIMUM}) as after
        from ${ROWS_WITH_LEVEL} where s.company_id = ${company_id} and i.state = 'changed'`,
  )
  await recordLimits(db, actor, 'limits', sql`select entity_id, before, after from imported`)
  await rows(
    db,
    sql`update ${stockTable} s set minimum = ${MINIMUM}, maximum = ${MAXIMUM} from incoming i
        where s.company_id = ${company_id} and s.warehouse_id = i.warehouse_id and s.supply_id = i.supply_id
          and i.state = 'changed'`,
  )
  announce(db, actor, { topic: 'warehouses', workshop_id, ids: [] })
  return {}
}

const FIELDS = { minimum: 'mínimo', maximum: 'máximo' } as const

/** Gives each limit its former value back, unless it has been changed since; then it stays, and `reason` says so. */
export async function undoLimits(db: Db, actor: Actor) {
  const { company_id } = actor
  const isSameLevel = sql`s.company_id = ${company_id} and s.supply_id = u.entity_id
    and s.warehouse_id = (u.after ->> 'warehouse_id')::bigint`
  await rows(
    db,
    sql`select s.supply_id from ${stockTable} s join undoing u on ${isSameLevel} where s.company_id = ${company_id}
        order by s.supply_id, s.warehouse_id for update of s`,
  )
  await findTouched(
    db,
    FIELDS,
    sql`select u.id, jsonb_build_object('minimum', s.minimum, 'maximum', s.maximum) as now
        from u join ${stockTable} s on ${isSameLevel}`,
  )
  await settle(
    db,
    'undoing',
    ['reason'],
    sql`select u.id, 'El insumo ya no está en la bodega.' as reason from u
        left join ${stockTable} s on ${isSameLevel} and s.attached where s.supply_id is null`,
  )
  const former = (field: string) =>
    sql`case when ${field} = any(u.touched) then s.${sql.identifier(field)} else (u.before ->> ${field})::numeric end`
  await settle(
    db,
    'undoing',
    ['reason', 'touched'],
    sql`select u.id, 'El máximo quedaría bajo el mínimo.' as reason, '{minimum,maximum}'::text[] as touched
        from u join ${stockTable} s on ${isSameLevel} where ${former('maximum')} < ${former('minimum')}`,
  )
  await recordLimits(
    db,
    actor,
    'limits',
    sql`select u.entity_id, u.after as before, u.before || jsonb_build_object('warehouse_id', u.after -> 'warehouse_id') as after
        from undoing u where u.reason is null`,
  )
  await rows(
    db,
    sql`update ${stockTable} s set minimum = ${former('minimum')}, maximum = ${former('maximum')} from undoing u
        where ${isSameLevel} and s.attached`,
  )
  announce(db, actor, { topic: 'warehouses', workshop_id: actor.workshop_id, ids: [] })
}
