import { type SQL, sql } from 'drizzle-orm'
import { EVERY_WORKSHOP } from '#contract/imports/imports.ts'
import { PROVIDER_STATES } from '#contract/providers/providers.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { BEGAN, type Db, rows } from '../platform/database/db.ts'
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
  STAGED,
  type Staged,
  settle,
  stage,
  type WrongField,
} from '../platform/operations/bulk.ts'
import { announce } from '../platform/operations/happenings.ts'
import { inScopeOrShared } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import { DNI_ELSEWHERE, DNI_TAKEN, OF_ALL } from './providers.ts'
import { providersTable } from './tables.ts'

/**
 * Providers by the thousand. A row is matched by its id, else by RUT, else by name where one of the two has no RUT. A
 * blank optional cell leaves what is there.
 */

const COLUMNS = `row int, id bigint, workshop_id bigint, name text, dni text, phone text, email text, address text,
  status text, provider_id bigint, alike int, state text`

const seen = (actor: Actor) => inScopeOrShared(actor, sql`p`)
const BESIDE = sql`i join ${providersTable} p on p.id = i.provider_id`
const SIDE_BY_SIDE = sql`incoming ${BESIDE}`

export async function stageProviders(db: Db, actor: Actor, chunks: readonly string[], lock: boolean): Promise<Staged> {
  await stage(db, COLUMNS, chunks)
  await settle(
    db,
    'incoming',
    ['provider_id'],
    sql`select i.row, p.id as provider_id from i join ${providersTable} p
        on ${seen(actor)} and (p.id = i.id or i.id is null and lower(p.dni) = lower(i.dni))`,
  )
  await settle(
    db,
    'incoming',
    ['provider_id', 'alike'],
    sql`select i.row, min(p.id) as provider_id, count(*) as alike from i
        join ${providersTable} p on ${seen(actor)} and plain(p.name) = plain(i.name) and (p.dni is null or i.dni is null)
        where i.id is null and i.provider_id is null group by i.row`,
  )
  if (lock)
    await rows(
      db,
      sql`select p.id from ${providersTable} p where p.company_id = ${actor.company_id}
          and p.id in (select provider_id from incoming) order by p.id for update`,
    )
  await settle(
    db,
    'incoming',
    ['state'],
    sql`select i.row, case when ${AFTER} = ${BEFORE} then 'same' else 'changed' end as state from ${BESIDE}
        where p.company_id = ${actor.company_id}`,
  )
  return { ...(await countStaged(db)), missing: {}, wrong: await findWrong(db, actor), doubtful: [] }
}

/** Named as the columns of the file are. */
const worded = (state: SQL) =>
  sql`case ${state} when 'active' then ${PROVIDER_STATES.active.label} else ${PROVIDER_STATES.inactive.label} end`
const BEFORE = sql`jsonb_build_object('name', p.name, 'dni', p.dni, 'phone', p.phone, 'email', p.email,
  'address', p.address, 'status', ${worded(sql`p.state`)})`
const AFTER = sql`jsonb_build_object('name', i.name, 'dni', coalesce(i.dni, p.dni), 'phone', coalesce(i.phone, p.phone),
  'email', coalesce(i.email, p.email), 'address', coalesce(i.address, p.address),
  'status', ${worded(sql`coalesce(i.status, p.state)`)})`

const findWrong = (db: Db, actor: Actor) =>
  rows<WrongField>(
    db,
    sql`with ${STAGED.incoming} select i.row, 'id' as field, i.id::text as value, 'No existe un proveedor con este ID.' as reason
        from i where i.id is not null and i.provider_id is null
        union all
        select i.row, 'name', i.name, 'Hay varios proveedores con este nombre: agregue el RUT o el ID.'
        from i where i.alike > 1
        union all
        select i.row, 'name', i.name, 'Otra fila del archivo cambia este mismo proveedor.'
        from i where exists (select from i o where o.provider_id = i.provider_id and o.row < i.row)
        union all
        select i.row, 'dni', i.dni, case when ${seen(actor)} then ${DNI_TAKEN} else ${DNI_ELSEWHERE} end
        from i join ${providersTable} p on p.company_id = ${actor.company_id} and lower(p.dni) = lower(i.dni)
        where p.id is distinct from i.provider_id
        union all
        select i.row, 'name', i.name, ${OF_ALL} from ${BESIDE}
        where p.company_id = ${actor.company_id} and p.workshop_id is null and ${actor.workshop_id}::bigint is not null
          and i.state = 'changed'
        union all
        select i.row, 'location', coalesce(w.name, ${ALL_WORKSHOPS}), 'El taller de un proveedor se cambia en su ficha.'
        from ${BESIDE}
        left join ${workshopsTable} w on w.company_id = ${actor.company_id} and w.id = i.workshop_id
        where p.company_id = ${actor.company_id} and i.workshop_id <> coalesce(p.workshop_id, ${EVERY_WORKSHOP})
        union all
        select i.row, 'location', ${ALL_WORKSHOPS}, 'Solo quien administra toda la empresa comparte un proveedor con todos.'
        from i
        where i.provider_id is null and i.workshop_id = ${EVERY_WORKSHOP} and ${actor.workshop_id}::bigint is not null
        order by 1 limit 1000`,
  )

export async function sampleProviders(db: Db, actor: Actor, limit: number): Promise<SampleChange[]> {
  return asSamples(
    await rows(
      db,
      sql`select i.row, p.name as code, ${BEFORE} as before, ${AFTER} as after from ${SIDE_BY_SIDE}
        where p.company_id = ${actor.company_id} and i.state = 'changed' order by i.row limit ${limit}`,
    ),
  )
}

/** What is kept of a provider to be able to give it back; `code` is what it is called where something stays. */
const KEPT = sql`jsonb_build_object('code', p.name, 'name', p.name, 'dni', p.dni, 'phone', p.phone, 'email', p.email,
  'address', p.address, 'state', p.state, 'updated_at', p.updated_at)`

/** Writes what was staged and leaves what it did in `imported`. */
export async function writeProviders(db: Db, actor: Actor): Promise<Record<string, number[]>> {
  const { company_id, workshop_id } = actor
  await rows(
    db,
    sql`update incoming set provider_id = nextval(pg_get_serial_sequence('providers', 'id')), state = 'new' where state is null`,
  )
  await rows(db, sql`analyze incoming`)
  await rows(
    db,
    sql`create temp table imported on commit drop as
        select i.row, i.provider_id as entity_id, case when p.id is null then null else ${KEPT} end as before,
          jsonb_build_object('code', i.name, 'name', i.name, 'dni', coalesce(i.dni, p.dni),
            'phone', coalesce(i.phone, p.phone), 'email', coalesce(i.email, p.email),
            'address', coalesce(i.address, p.address), 'state', coalesce(i.status, p.state, 'active'),
            'updated_at', ${BEGAN}) as after
        from incoming i left join ${providersTable} p on p.company_id = ${company_id} and p.id = i.provider_id
        where i.state <> 'same'`,
  )
  await recordMany(
    db,
    actor,
    'provider',
    'imported',
    sql`select entity_id, coalesce(before, '{}') - 'code' - 'updated_at' as before, after - 'code' - 'updated_at' as after
        from imported`,
  )
  await rows(
    db,
    sql`insert into ${providersTable} (company_id, id, workshop_id, name, dni, phone, email, address, state, created_at, updated_at)
        select ${company_id}, provider_id, nullif(coalesce(workshop_id, ${workshop_id}::bigint), ${EVERY_WORKSHOP}), name, dni,
          phone, email, address, coalesce(status, 'active'), ${BEGAN}, ${BEGAN}
        from incoming where state = 'new' returning company_id`,
  )
  await rows(
    db,
    sql`update ${providersTable} p set name = i.name, dni = coalesce(i.dni, p.dni), phone = coalesce(i.phone, p.phone),
          email = coalesce(i.email, p.email), address = coalesce(i.address, p.address), state = coalesce(i.status, p.state),
          updated_at = ${BEGAN}
        from incoming i where p.company_id = ${company_id} and p.id = i.provider_id and i.state = 'changed'`,
  )
  announce(db, actor, { topic: 'providers', workshop_id, ids: [] })
  return {}
}

const FIELDS = {
  name: 'nombre',
  dni: 'RUT',
  phone: 'teléfono',
  email: 'correo',
  address: 'dirección',
  state: 'estado',
} as const

/**
 * Takes back what `undoing` says. What was new goes, unless it is used. What was changed gets each former value back,
 * unless that field has been changed since; then it stays, and `reason` says so.
 */
export async function undoProviders(db: Db, actor: Actor) {
  const { company_id } = actor
  const mine = sql`p.company_id = ${company_id} and p.id = u.entity_id`
  await rows(
    db,
    sql`select p.id from ${providersTable} p where p.company_id = ${company_id}
        and p.id in (select entity_id from undoing) order by p.id for update`,
  )
  const used = await usedBy(db, providersTable, sql`p`)
  await settle(
    db,
    'undoing',
    ['reason'],
    sql`select u.id, 'Ya se usó en compras, servicios u órdenes de trabajo.' as reason
        from u join ${providersTable} p on ${mine} where u.before is null and ${used}`,
  )
  await settle(
    db,
    'undoing',
    ['reason'],
    sql`select u.id, 'El proveedor ya no existe.' as reason from u left join ${providersTable} p on ${mine}
        where u.before is not null and p.id is null`,
  )
  await findTouched(db, FIELDS, sql`select u.id, to_jsonb(p) as now from u join ${providersTable} p on ${mine}`)
  await settle(
    db,
    'undoing',
    ['reason', 'touched'],
    sql`select u.id, 'El RUT anterior ahora es de otro proveedor.' as reason, u.touched || 'dni'::text as touched
        from u join ${providersTable} p on ${mine}
        where u.before ->> 'dni' is distinct from u.after ->> 'dni' and exists (
          select from ${providersTable} o where o.company_id = ${company_id} and lower(o.dni) = lower(u.before ->> 'dni')
            and o.id <> p.id)`,
  )
  await recordMany(
    db,
    actor,
    'provider',
    'import_undone',
    sql`select u.entity_id, u.after - 'code' - 'updated_at' as before, coalesce(u.before, '{}') - 'code' - 'updated_at' as after
        from undoing u where u.reason is null`,
  )
  await rows(
    db,
    sql`delete from ${providersTable} where company_id = ${company_id}
        and id in (select entity_id from undoing where before is null and reason is null)`,
  )
  const former = (field: string) =>
    sql`case when ${field} = any(u.touched) then p.${sql.raw(field)} else u.before ->> ${field} end`
  await giveBack(
    db,
    providersTable,
    company_id,
    {
      id: sql`p.id`,
      ...Object.fromEntries(Object.keys(FIELDS).map((field) => [field, former(field)])),
      updated_at: formerTime(sql`p`),
    },
    sql`from u join ${providersTable} p on ${mine} where u.before is not null`,
  )
  announce(db, actor, { topic: 'providers', workshop_id: actor.workshop_id, ids: [] })
}
