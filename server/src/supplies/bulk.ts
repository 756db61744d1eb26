import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { SUPPLY_STATES } from '#contract/supplies/supplies.ts'
import { BEGAN, COMPANY, type Db, rows } from '../platform/database/db.ts'
import { usedBy } from '../platform/database/references.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { recordMany } from '../platform/operations/audit.ts'
import {
  asSamples,
  countStaged,
  findTouched,
  formerTime,
  giveBack,
  type SampleChange,
  type Staged,
  settle,
  stage,
  type WrongField,
} from '../platform/operations/bulk.ts'
import { announce, tell } from '../platform/operations/happenings.ts'
import { keepFilings } from './filings.ts'
import { UNIT_CHANGES } from './supplies.ts'
import {
  categoriesTable,
  measurementUnitsTable,
  suppliesTable,
  supplyCostsTable,
  supplyFilingsTable,
} from './tables.ts'

/**
 * Supplies by the thousand. A row is matched by its id, else by workshop and code. A blank optional cell leaves what
 * is there.
 */

const COLUMNS = `row int, id bigint, workshop_id bigint, code text, name text, unit_cost numeric(14, 4),
  measurement_unit_name text, category_name text, description text, status text,
  supply_id bigint, state text, category_id bigint, measurement_units_id bigint`

const CATALOGUES = {
  categories: { table: categoriesTable, name: sql.raw('category_name'), id: 'category_id' },
  measurement_units: {
    table: measurementUnitsTable,
    name: sql.raw('measurement_unit_name'),
    id: 'measurement_units_id',
  },
}

/** Puts rows beside what is there: matched, compared, and what is wrong with them. `lock`: they are about to change. */
export async function stageSupplies(db: Db, actor: Actor, chunks: readonly string[], lock: boolean): Promise<Staged> {
  const mine = sql`s.company_id = ${actor.company_id}`
  await stage(db, COLUMNS, chunks)
  for (const isSame of [sql`i.id is null and lower(s.code) = lower(i.code)`, sql`s.id = i.id`])
    await settle(
      db,
      'incoming',
      ['supply_id'],
      sql`select i.row, s.id as supply_id from i
          join ${suppliesTable} s on ${mine} and s.workshop_id = i.workshop_id and ${isSame}`,
    )
  if (lock)
    await rows(
      db,
      sql`select s.id from ${suppliesTable} s where ${mine} and s.id in (select supply_id from incoming)
          order by s.id for update`,
    )
  const missing: Record<string, number> = {}
  for (const [catalogue, { table, name, id }] of Object.entries(CATALOGUES)) {
    await resolve(db, actor, table, name, id)
    const [counted] = await rows<{ count: number }>(
      db,
      sql`select count(distinct plain(i.${name})) as count from incoming i where i.${name} is not null and i.${sql.raw(id)} is null`,
    )
    missing[catalogue] = counted?.count ?? 0
  }
  await settle(
    db,
    'incoming',
    ['state'],
    sql`select i.row, case when i.name = s.name and i.code = s.code and i.unit_cost = s.cost
          and (i.description is null or i.description is not distinct from s.description)
          and coalesce(i.status, s.state) = s.state
          and (i.category_name is null or i.category_id is not distinct from s.category_id and i.category_id is not null)
          and (i.measurement_unit_name is null
            or i.measurement_units_id is not distinct from s.measurement_units_id and i.measurement_units_id is not null)
          then 'same' else 'changed' end as state
        from i join ${suppliesTable} s on ${mine} and s.id = i.supply_id`,
  )
  return { ...(await countStaged(db)), missing, wrong: await findWrong(db, mine), doubtful: [] }
}

async function findWrong(db: Db, mine: SQL) {
  return rows<WrongField>(
    db,
    sql`select i.row, 'id' as field, i.id::text as value, 'No existe un insumo con este ID en el taller.' as reason
        from incoming i where i.id is not null and i.supply_id is null
        union all
        select i.row, 'code', i.code, 'Ya existe otro insumo con este código en el taller.'
        from incoming i join ${suppliesTable} s on ${mine} and s.workshop_id = i.workshop_id and lower(s.code) = lower(i.code)
        where i.id is not null and i.supply_id <> s.id
        union all
        select i.row, 'code', i.code, 'Otra fila del archivo cambia este mismo insumo.'
        from incoming i where i.id is null and exists (select from incoming o where o.id = i.supply_id)
        order by 1 limit 1000`,
  )
}

/** The catalogue's row behind each name: the workshop's own before the one shared by all. */
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

/** The first of what would change, as a person reads it. */
export async function sampleSupplies(db: Db, actor: Actor, limit: number): Promise<SampleChange[]> {
  return asSamples(
    await rows(
      db,
      sql`select i.row, i.code, ${BEFORE} as before, ${AFTER} as after from ${SIDE_BY_SIDE}
        where s.company_id = ${actor.company_id} and i.state = 'changed' order by i.row limit ${limit}`,
    ),
  )
}
const SIDE_BY_SIDE = sql`incoming i join ${suppliesTable} s on s.id = i.supply_id
  left join ${categoriesTable} c on c.company_id = s.company_id and c.id = s.category_id
  left join ${measurementUnitsTable} m on m.company_id = s.company_id and m.id = s.measurement_units_id`
const worded = (state: SQL) =>
  sql`case ${state} when 'active' then ${SUPPLY_STATES.active.label} else ${SUPPLY_STATES.inactive.label} end`
/** Named as the columns of the file are. */
const BEFORE = sql`jsonb_build_object('code', s.code, 'name', s.name, 'unit_cost', s.cost, 'description', s.description,
  'category_name', c.name, 'measurement_unit_name', m.name, 'status', ${worded(sql`s.state`)})`
const AFTER = sql`jsonb_build_object('code', i.code, 'name', i.name, 'unit_cost', i.unit_cost,
  'description', coalesce(i.description, s.description),
  'category_name', case when plain(i.category_name) = c.search then c.name else coalesce(i.category_name, c.name) end,
  'measurement_unit_name',
    case when plain(i.measurement_unit_name) = m.search then m.name else coalesce(i.measurement_unit_name, m.name) end,
  'status', ${worded(sql`coalesce(i.status, s.state)`)})`

/** What is kept of a supply to be able to give it back. */
const KEPT = (s: SQL) =>
  sql`jsonb_build_object('code', ${s}.code, 'name', ${s}.name, 'description', ${s}.description, 'cost', ${s}.cost,
    'category_id', ${s}.category_id, 'measurement_units_id', ${s}.measurement_units_id, 'state', ${s}.state,
    'updated_at', ${s}.updated_at)`
/** Writes what was staged and leaves what it did in `imported`. Gives the ids of what it added to the catalogues. */
export async function writeSupplies(db: Db, actor: Actor, reference: string): Promise<Record<string, number[]>> {
  const { company_id, user_id, user_name, workshop_id } = actor
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
  await rows(
    db,
    sql`update incoming set supply_id = nextval(pg_get_serial_sequence('supplies', 'id')), state = 'new' where state is null`,
  )
  // What was all null when it was looked at first is what everything below joins by.
  await rows(db, sql`analyze incoming`)
  const remeasured = await rows<{ id: number }>(
    db,
    sql`select s.id from incoming i join ${suppliesTable} s on s.company_id = ${company_id} and s.id = i.supply_id
        where i.state = 'changed' and i.measurement_units_id <> s.measurement_units_id`,
  )
  if (remeasured.length > 0)
    await tell(
      db,
      actor,
      UNIT_CHANGES,
      remeasured.map(({ id }) => id),
    )
  await rows(
    db,
    sql`create temp table imported on commit drop as
        select i.row, i.supply_id as entity_id, case when s.id is null then null else ${KEPT(sql`s`)} end as before,
          jsonb_build_object('code', i.code, 'name', i.name, 'description', coalesce(i.description, s.description),
            'cost', i.unit_cost, 'state', coalesce(i.status, s.state, 'active'),
            'category_id', coalesce(i.category_id, s.category_id),
            'measurement_units_id', coalesce(i.measurement_units_id, s.measurement_units_id), 'updated_at', ${BEGAN}) as after
        from incoming i left join ${suppliesTable} s on s.company_id = ${company_id} and s.id = i.supply_id
        where i.state <> 'same'`,
  )
  await recordMany(
    db,
    actor,
    'supply',
    'imported',
    sql`select i.supply_id as entity_id, ${BEFORE} as before, ${AFTER} as after from ${SIDE_BY_SIDE}
        where s.company_id = ${company_id} and i.state = 'changed'
        union all
        select i.supply_id, '{}', jsonb_build_object('code', i.code, 'name', i.name, 'unit_cost', i.unit_cost,
          'description', i.description, 'category_name', i.category_name, 'measurement_unit_name', i.measurement_unit_name)
        from incoming i where i.state = 'new'`,
  )
  await rows(
    db,
    sql`insert into ${suppliesTable} (company_id, id, workshop_id, code, name, description, cost, category_id,
          measurement_units_id, state, created_at, updated_at)
        select ${company_id}, supply_id, workshop_id, code, name, description, unit_cost, category_id, measurement_units_id,
          coalesce(status, 'active'), ${BEGAN}, ${BEGAN}
        from incoming where state = 'new' returning company_id`,
  )
  await rows(
    db,
    // The clock, not the start of the transaction: it may have waited for who changed a cost meanwhile.
    sql`insert into ${supplyCostsTable} (company_id, supply_id, cost, source, reference, user_id, user_name, at)
        select ${company_id}, i.supply_id, i.unit_cost, 'import', ${reference}, ${user_id}, ${user_name}, clock_timestamp()
        from incoming i join ${suppliesTable} s on s.company_id = ${company_id} and s.id = i.supply_id
        where i.state = 'new' or i.state = 'changed' and i.unit_cost <> s.cost returning company_id`,
  )
  await keepFilings(
    db,
    actor,
    sql`select supply_id as id, category_id from incoming where state = 'changed' and category_id is not null`,
  )
  await rows(
    db,
    sql`update ${suppliesTable} s set code = i.code, name = i.name, cost = i.unit_cost, updated_at = ${BEGAN},
          description = coalesce(i.description, s.description), category_id = coalesce(i.category_id, s.category_id),
          measurement_units_id = coalesce(i.measurement_units_id, s.measurement_units_id),
          state = coalesce(i.status, s.state)
        from incoming i where s.company_id = ${company_id} and s.id = i.supply_id and i.state = 'changed'`,
  )
  announce(db, actor, { topic: 'supplies', workshop_id, ids: [] })
  return made
}

const FIELDS = {
  code: 'código',
  name: 'nombre',
  description: 'descripción',
  cost: 'costo',
  category_id: 'categoría',
  measurement_units_id: 'unidad',
  state: 'estado',
} as const

/**
 * Takes back what `undoing` says. What was new goes, unless it is used. What was changed gets each former value back,
 * unless that field has been changed since; then it stays, and `reason` says so.
 */
export async function undoSupplies(db: Db, actor: Actor, reference: string, made: Record<string, number[]>) {
  const { company_id, user_id, user_name } = actor
  const mine = sql`s.company_id = ${company_id} and s.id = u.entity_id`
  await rows(
    db,
    sql`select s.id from ${suppliesTable} s where s.company_id = ${company_id}
        and s.id in (select entity_id from undoing) order by s.id for update`,
  )
  const used = await usedBy(db, suppliesTable, sql`s`, [supplyCostsTable, supplyFilingsTable])
  await settle(
    db,
    'undoing',
    ['reason'],
    sql`select u.id, 'Ya se usó en bodegas, compras u órdenes de trabajo.' as reason
        from u join ${suppliesTable} s on ${mine} where u.before is null and ${used}`,
  )
  await settle(
    db,
    'undoing',
    ['reason'],
    sql`select u.id, 'El insumo ya no existe.' as reason from u left join ${suppliesTable} s on ${mine}
        where u.before is not null and s.id is null`,
  )
  await findTouched(db, FIELDS, sql`select u.id, to_jsonb(s) as now from u join ${suppliesTable} s on ${mine}`)
  await settle(
    db,
    'undoing',
    ['reason', 'touched'],
    sql`select u.id, 'El código anterior ahora es de otro insumo.' as reason, u.touched || 'code'::text as touched
        from u join ${suppliesTable} s on ${mine} where u.before ->> 'code' <> u.after ->> 'code' and exists (
          select from ${suppliesTable} o where o.company_id = ${company_id} and o.workshop_id = s.workshop_id
            and lower(o.code) = lower(u.before ->> 'code') and o.id <> s.id)`,
  )
  await recordMany(
    db,
    actor,
    'supply',
    'import_undone',
    sql`select u.entity_id, u.after - 'updated_at' as before, coalesce(u.before, '{}') - 'updated_at' as after
        from undoing u where u.before is null and u.reason is null
        union all
        select u.entity_id, ${KEPT(sql`s`)} - 'updated_at', u.before - 'updated_at'
        from undoing u join ${suppliesTable} s on ${mine} where u.before is not null and u.reason is null`,
  )

  const gone = sql`select entity_id from undoing where before is null and reason is null`
  await rows(db, sql`delete from ${supplyCostsTable} where company_id = ${company_id} and supply_id in (${gone})`)
  await rows(db, sql`delete from ${suppliesTable} where company_id = ${company_id} and id in (${gone})`)

  const former = (field: string, type = 'text') =>
    sql`case when ${field} = any(u.touched) then s.${sql.raw(field)} else (u.before ->> ${field})::${sql.raw(type)} end`
  await keepFilings(
    db,
    actor,
    sql`select s.id, ${former('category_id', 'bigint')} as category_id
        from undoing u join ${suppliesTable} s on ${mine} where u.before is not null`,
  )
  await giveBack(
    db,
    suppliesTable,
    company_id,
    {
      id: sql`s.id`,
      code: former('code'),
      name: former('name'),
      description: former('description'),
      cost: former('cost', 'numeric'),
      category_id: former('category_id', 'bigint'),
      measurement_units_id: former('measurement_units_id', 'bigint'),
      state: sql`case when u.before ? 'state' then ${former('state')} else s.state end`,
      updated_at: formerTime(sql`s`),
    },
    sql`from u join ${suppliesTable} s on ${mine} where u.before is not null`,
  )
  await rows(
    db,
    sql`delete from ${supplyCostsTable} k using undoing u, ${suppliesTable} s
        where ${mine} and u.before is not null and k.company_id = s.company_id and k.supply_id = s.id
          and k.source = 'import' and k.reference = ${reference} and s.cost = (u.before ->> 'cost')::numeric`,
  )
  // Where the price moved back and forth meanwhile, the history ends with what holds now.
  await rows(
    db,
    sql`insert into ${supplyCostsTable} as h (company_id, supply_id, cost, source, reference, user_id, user_name, at)
        select s.company_id, s.id, s.cost, 'import', ${reference}, ${user_id}, ${user_name}, clock_timestamp()
        from undoing u join ${suppliesTable} s on ${mine} where u.before is not null and s.cost is distinct from (
          select k.cost from ${supplyCostsTable} k where k.company_id = ${COMPANY} and k.supply_id = s.id
          order by k.at desc, k.id desc limit 1)
        returning h.company_id`,
  )
  for (const [catalogue, { table }] of Object.entries(CATALOGUES)) {
    const stillUsed = await usedBy(db, table, sql`c`)
    await rows(
      db,
      sql`delete from ${table} c where c.company_id = ${company_id} and c.id = any(${sql.param(made[catalogue] ?? [])})
          and not ${stillUsed}`,
    )
  }
  announce(db, actor, { topic: 'supplies', workshop_id: actor.workshop_id, ids: [] })
}
