import { type SQL, sql } from 'drizzle-orm'
import type { NewWorkOrder, WorkOrder, WorkOrderEdit } from '#contract/work-orders/orders.ts'
import { coupledTable, trucksTable } from '../../fleet/tables.ts'
import { batch, type Db, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid } from '../../platform/problems.ts'
import { requireWarehouseChoice } from '../../warehouses/warehouses.ts'
import { settingsOf } from '../../workshops/company.ts'
import { requireWorkshop, sharesFleet } from '../../workshops/scope.ts'
import { boxesTable, driversTable, specialistsTable } from '../../workshops/tables.ts'
import { maintenanceTypesTable, tasksTable } from '../tables.ts'

type What = NewWorkOrder | WorkOrderEdit

/* What an order names must be of its workshop (trucks of any, where the fleet is shared) and in use; what it already named may have gone out of use since. */

interface KindOfThing {
  table: SQL
  inUse: SQL
  shared: boolean
  /** Of any workshop, where the company shares its fleet. */
  ofFleet?: boolean
  message: string
}
const KINDS = {
  truck: {
    table: sql`${trucksTable}`,
    inUse: sql`state = 'active'`,
    shared: false,
    ofFleet: true,
    message: 'Elija un equipo de la lista.',
  },
  coupled: {
    table: sql`${coupledTable}`,
    inUse: sql`true`,
    shared: false,
    ofFleet: true,
    message: 'Elija un acoplado de la lista.',
  },
  box: { table: sql`${boxesTable}`, inUse: sql`state = 'active'`, shared: false, message: 'Elija un box de la lista.' },
  driver: {
    table: sql`${driversTable}`,
    inUse: sql`state = 'active'`,
    shared: false,
    message: 'Elija un conductor de la lista.',
  },
  specialist: {
    table: sql`${specialistsTable}`,
    inUse: sql`state = 'active'`,
    shared: false,
    message: 'Elija un especialista de la lista.',
  },
  type: {
    table: sql`${maintenanceTypesTable}`,
    inUse: sql`state = 'active'`,
    shared: true,
    message: 'Elija un tipo de la lista.',
  },
  task: {
    table: sql`${tasksTable}`,
    inUse: sql`state = 'active'`,
    shared: true,
    message: 'Elija una tarea de la lista.',
  },
} satisfies Record<string, KindOfThing>
type Kind = keyof typeof KINDS

type Named = Pick<
  WorkOrder,
  | 'truck_id'
  | 'coupled_id'
  | 'box_id'
  | 'applicant_driver_id'
  | 'delivered_to_driver_id'
  | 'responsible_specialist_id'
  | 'reviewed_by_specialist_id'
  | 'type_maintenance_id'
> & {
  works: readonly {
    specialist_id: number | null
    reviewed_by_specialist_id: number | null
    task_id: number | null
    type_maintenance_id: number | null
  }[]
}

/** Everything an order names: where, what kind of thing, which. */
function named(order: Named): [field: string, Kind, number][] {
  const all: [string, Kind, number | null][] = [
    ['truck_id', 'truck', order.truck_id],
    ['coupled_id', 'coupled', order.coupled_id],
    ['box_id', 'box', order.box_id],
    ['applicant_driver_id', 'driver', order.applicant_driver_id],
    ['delivered_to_driver_id', 'driver', order.delivered_to_driver_id],
    ['responsible_specialist_id', 'specialist', order.responsible_specialist_id],
    ['reviewed_by_specialist_id', 'specialist', order.reviewed_by_specialist_id],
    ['type_maintenance_id', 'type', order.type_maintenance_id],
    ...order.works.flatMap((work, i): [string, Kind, number | null][] => [
      [`works.${i}.specialist_id`, 'specialist', work.specialist_id],
      [`works.${i}.reviewed_by_specialist_id`, 'specialist', work.reviewed_by_specialist_id],
      [`works.${i}.task_id`, 'task', work.task_id],
      [`works.${i}.type_maintenance_id`, 'type', work.type_maintenance_id],
    ]),
  ]
  return all.filter((each): each is [string, Kind, number] => each[2] !== null)
}

export async function requireChoices(db: Db, actor: Actor, what: Named & { workshop_id: number }, before?: WorkOrder) {
  const wanted = named(what)
  const idsOf = (kind: Kind) => wanted.filter((each) => each[1] === kind).map((each) => each[2])
  // A truck there always is.
  const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => wanted.some((each) => each[1] === kind))
  const { found } = await batch({
    workshop:
      what.workshop_id === before?.workshop_id ? Promise.resolve() : requireWorkshop(db, actor, what.workshop_id),
    found: rows<{ kind: Kind; id: number }>(
      db,
      sql.join(
        kinds.map((kind) => {
          const { table, inUse, shared, ofFleet }: KindOfThing = KINDS[kind]
          const own = sql`workshop_id = ${what.workshop_id}`
          return sql`select ${kind}::text as kind, id from ${table} where company_id = ${actor.company_id}
          and ${shared ? sql`true` : ofFleet ? sql`(${own} or ${sharesFleet(actor)})` : own} and ${inUse}
          and id = any(${sql.param(idsOf(kind))}::bigint[])`
        }),
        sql` union all `,
      ),
    ),
  })
  const known = new Set(found.map(({ kind, id }) => `${kind} ${id}`))
  if (before?.workshop_id === what.workshop_id) for (const [, kind, id] of named(before)) known.add(`${kind} ${id}`)
  const wrong = wanted.filter(([, kind, id]) => !known.has(`${kind} ${id}`))
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong.map(([field, kind]) => [field, KINDS[kind].message])))
}

interface NewChoice {
  kind: 'box' | 'specialist'
  field: string
  id: number | null
  /** The present choice stays, even if it is no longer in use. */
  present: number | null
}

/** One box or specialist must be of the workshop and in use. */
export async function requireChoice(
  db: Db,
  actor: Actor,
  { workshop_id }: { workshop_id: number },
  { kind, field, id, present }: NewChoice,
) {
  if (id === null || id === present) return
  const { table, inUse, message } = KINDS[kind]
  const found = await row(
    db,
    sql`select id from ${table} where company_id = ${actor.company_id} and workshop_id = ${workshop_id} and ${inUse}
          and id = ${id}`,
  )
  if (!found) throw invalid({ [field]: message })
}

/** The type by its id, or by its code where that is all that came. */
export async function typeOf(db: Db, actor: Actor, what: What): Promise<number | null> {
  if (what.type_maintenance_id !== null || what.type_of_maintenance === null) return what.type_maintenance_id
  const found = await row<{ id: number }>(
    db,
    sql`select id from ${maintenanceTypesTable}
        where company_id = ${actor.company_id} and code = ${what.type_of_maintenance.toUpperCase()}`,
  )
  if (!found) throw invalid({ type_of_maintenance: KINDS.type.message })
  return found.id
}

export const NO_WAREHOUSE = 'Elija la bodega de la que salen los insumos.'

/**
 * Whether the supplies leave a warehouse, and which. With the company's setting on they do, whatever is said: an order
 * without one has no supplies. With it off, what is said wins. An order that has a warehouse keeps it unless another is
 * asked for.
 */
export async function warehouseOf(
  db: Db,
  actor: Actor,
  what: What,
  always: boolean,
  before?: WorkOrder,
): Promise<{ has_warehouse: boolean; warehouse_id: number | null }> {
  const {
    settings: { has_warehouse: isRule },
    asked,
  } = await batch({
    settings: settingsOf(db, actor),
    asked:
      what.warehouse_id === null ? Promise.resolve(undefined) : requireWarehouseChoice(db, actor, what.warehouse_id),
  })
  const isFree = what.has_warehouse === false && !isRule
  const kept = isFree || !before?.has_warehouse ? null : before.warehouse_id
  const warehouse_id = what.warehouse_id ?? kept
  const said = always || (isRule ? undefined : what.has_warehouse)
  const has_warehouse = said ?? (warehouse_id !== null && (before?.has_warehouse || isRule))
  if (warehouse_id === null) {
    if (has_warehouse) throw invalid({ warehouse_id: NO_WAREHOUSE })
    return { has_warehouse, warehouse_id }
  }
  const warehouse = asked ?? (await requireWarehouseChoice(db, actor, warehouse_id))
  if (warehouse.workshop_id !== what.workshop_id) throw invalid({ warehouse_id: 'Elija una bodega de la lista.' })
  return { has_warehouse, warehouse_id }
}
