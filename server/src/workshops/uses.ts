import { sql } from 'drizzle-orm'
import type { Use, UsedThing } from '#contract/workshops/workshops.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import { referencesTo } from '../platform/database/references.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { notFound } from '../platform/problems.ts'

/** What people call the rows of a table that refer to something; what is not here goes with what it belongs to. */
const CALLED: Record<string, string> = {
  trucks: 'equipos',
  coupled: 'acoplados',
  supplies: 'insumos',
  providers: 'proveedores',
  provider_services: 'servicios',
  warehouses: 'bodegas',
  transactions: 'entradas y salidas',
  purchase_orders: 'órdenes de compra',
  work_orders: 'órdenes de trabajo',
  works: 'trabajos',
  maintenance_templates: 'plantillas',
  maintenance_template_works: 'trabajos de plantillas',
  invoices: 'facturas',
  memberships: 'usuarios',
  specialists: 'especialistas',
  drivers: 'conductores',
  boxes: 'boxes',
  alerts: 'alertas',
  budgets: 'presupuestos',
}

export async function listUses(db: Db, actor: Actor, thing: UsedThing, id: number) {
  const scope =
    actor.workshop_id === null || ['maintenance_types', 'tasks'].includes(thing)
      ? sql`true`
      : thing === 'workshops'
        ? sql`t.id = ${actor.workshop_id}`
        : sql`(t.workshop_id is null or t.workshop_id = ${actor.workshop_id})`
  const there = await row(
    db,
    sql`select t.id from ${sql.raw(thing)} t where t.company_id = ${actor.company_id} and t.id = ${id} and ${scope}`,
  )
  if (!there) throw notFound()
  const found = (await referencesTo(db, thing)).filter(({ user }) => CALLED[user])
  // A row that refers to it twice, as the one who answers and the one who reviews, is one row.
  const data: Use[] = []
  for (const [user, columns] of Map.groupBy(found, (each) => each.user)) {
    const any = sql.join(
      columns.map(({ column }) => sql`u.${sql.identifier(column)} = ${id}`),
      sql` or `,
    )
    const [counted] = await rows<{ total: number }>(
      db,
      sql`select count(*) as total from ${sql.identifier(user)} u where u.company_id = ${actor.company_id} and (${any})`,
    )
    if (counted && counted.total > 0) data.push({ what: CALLED[user]!, total: counted.total })
  }
  return { data, total: data.length }
}
