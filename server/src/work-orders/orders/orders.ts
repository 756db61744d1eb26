import { and, eq, sql } from 'drizzle-orm'
import type { NewWorkOrder, WorkOrder, WorkOrderEdit } from '#contract/work-orders/orders.ts'
import { FIRST_STATUS, isClosed } from '#contract/work-orders/states.ts'
import { insertNumbered } from '../../platform/database/counters.ts'
import { batch, COMPANY, type Db, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { record } from '../../platform/operations/audit.ts'
import { notFound, Problem, requireFresh } from '../../platform/problems.ts'
import { lockSuppliesIn } from '../../warehouses/stock/locked-levels.ts'
import { reservationsTable, warehousesTable } from '../../warehouses/tables.ts'
import { inFleet, requireHome } from '../../workshops/scope.ts'
import { driversTable, specialistsTable } from '../../workshops/tables.ts'
import { announceOrder, CLOSED, codeOf, ORDER_ELSEWHERE, seeOrder } from '../access.ts'
import { holdBoard, topOf } from '../board/places.ts'
import { signaturesOf, thatHold } from '../documents/signatures.ts'
import { requireNothingShared, serviceAdjustmentsOf } from '../invoice-shares.ts'
import { invoicesOf } from '../invoices.ts'
import { keepWaits } from '../labour/waits.ts'
import { worksOf } from '../labour/works.ts'
import { requireUnpaid } from '../payments.ts'
import { clashesOf } from '../planner/clashes.ts'
import { endPlanned, movePlanned, planNew, plannedOf } from '../supplies/planned-supplies.ts'
import { ORIGIN, saveSupplies, suppliesOf } from '../supplies/used-supplies.ts'
import { workOrderCommentsTable, workOrderFilesTable, workOrderSuppliesTable, workOrdersTable } from '../tables.ts'
import { requireChoices, typeOf, warehouseOf } from './choices.ts'
import { requireNothingClosed, requireOpenPast, requireOpenStay } from './closed-past.ts'
import { writeExpenses } from './expenses.ts'
import { changeStatus, holdCards, keepReading } from './finalize.ts'
import { saveServices, saveWorks, servicesOf, settle } from './lines.ts'
import { COSTS, costsOf, NAMES, SUMMARY } from './summary.ts'
import { changedLines, told } from './timeline.ts'

const ofPerson = (alias: string) =>
  sql.raw(`nullif(concat_ws(' ', ${alias}.names, ${alias}.last_name_p, ${alias}.last_name_m), '')`)
const count = (table: typeof workOrderFilesTable | typeof workOrderCommentsTable) =>
  sql`(select count(*) from ${table} f where f.company_id = ${COMPANY} and f.work_order_id = o.id)`

const select = (actor: Actor) => sql`${SUMMARY}, ${costsOf(actor)}, o.kilometer,
  o.warehouse_id, h.name as warehouse_name, o.has_warehouse, o.applicant, o.applicant_driver_id,
  ${ofPerson('a')} as applicant_driver, o.reviewed_by_specialist_id, ${ofPerson('r')} as reviewed_by_specialist,
  o.delivered_to_driver_id, ${ofPerson('d')} as delivered_to_driver, o.description_of_requeriment, o.codes,
  o.observation, o.user_name, ${count(workOrderFilesTable)} as files_total, ${count(workOrderCommentsTable)} as comments_total`
const FROM = sql`${workOrdersTable} o ${COSTS} ${NAMES}
  left join ${warehousesTable} h on h.company_id = o.company_id and h.id = o.warehouse_id
  left join ${driversTable} a on a.company_id = o.company_id and a.id = o.applicant_driver_id
  left join ${specialistsTable} r on r.company_id = o.company_id and r.id = o.reviewed_by_specialist_id
  left join ${driversTable} d on d.company_id = o.company_id and d.id = o.delivered_to_driver_id`

type Header = Omit<
  WorkOrder,
  | 'works'
  | 'supplies'
  | 'planned_supplies'
  | 'services'
  | 'service_adjustments'
  | 'invoices'
  | 'signatures'
  | 'has_delivered_signature'
  | 'has_reviewed_signature'
  | 'clashes'
>

/** What there may be in an order: just made, no more than it was made of. */
const mayHave = (made: NewWorkOrder | undefined) => ({
  works: !made || made.works.length > 0,
  supplies: !made || made.supplies.length > 0,
  planned: !made || made.plan_supplies.length > 0,
  services: !made || made.services.length > 0,
  papers: !made,
  clashes: !made || made.box_id !== null || made.works.length > 0,
})

/**
 * The order with everything in it, for those who may see it; held until the transaction ends where it is to change, and
 * before it the supplies it uses or will use (`more`), as who dates a document in the past holds them. `made`: it was made
 * of this just now, and what it cannot have is not asked for.
 */
export async function requireWorkOrder(
  db: Db,
  actor: Actor,
  id: number,
  lock = false,
  { more = [], made }: { more?: { supply_id: number }[]; made?: NewWorkOrder } = {},
): Promise<WorkOrder> {
  const uses = sql`select supply_id from ${workOrderSuppliesTable} where company_id = ${actor.company_id} and work_order_id = ${id}
        and warehouse_id is not null
      union select supply_id from ${reservationsTable} where company_id = ${actor.company_id} and origin = ${ORIGIN} and origin_id = ${id}
      union select unnest(${sql.param(more.map(({ supply_id }) => supply_id))}::bigint[]) order by 1`
  const has = mayHave(made)
  const linesIf = async <T>(isWanted: boolean, find: () => Promise<T[]>): Promise<T[]> => (isWanted ? find() : [])
  const { header, works, supplies, planned, services, service_adjustments, invoices, clashes, signed } = await batch({
    lock: lock ? lockSuppliesIn(db, actor, uses) : Promise.resolve(),
    header: row<Header>(
      db,
      sql`select ${select(actor)} from ${FROM} where ${inFleet(actor, sql`o`)} and o.id = ${id} ${lock ? sql`for update of o` : sql``}`,
    ),
    works: linesIf(has.works, () => worksOf(db, actor, id)),
    supplies: linesIf(has.supplies, () => suppliesOf(db, actor, id)),
    planned: linesIf(has.planned, () => plannedOf(db, actor, [id])),
    services: linesIf(has.services, () => servicesOf(db, actor, id)),
    service_adjustments: linesIf(has.papers, () => serviceAdjustmentsOf(db, actor, id)),
    invoices: linesIf(has.papers, () => invoicesOf(db, actor, id)),
    clashes: linesIf(has.clashes, () => clashesOf(db, actor, [id])),
    signed: linesIf(has.papers, () => signaturesOf(db, actor, id)),
  })
  if (!header) throw notFound()
  if (lock) requireHome(actor, header, ORDER_ELSEWHERE)
  const order = {
    ...header,
    works,
    supplies,
    planned_supplies: planned.map(({ work_order_id: _, ...line }) => line),
    services,
    service_adjustments,
    invoices,
    clashes: clashes.map(({ clash }) => clash),
  }
  const signatures = thatHold(signed, order)
  return {
    ...order,
    signatures,
    has_delivered_signature: signatures.some(({ kind }) => kind === 'delivered'),
    has_reviewed_signature: signatures.some(({ kind }) => kind === 'reviewed'),
  }
}

type What = NewWorkOrder | WorkOrderEdit

/** What is kept of an order as it was sent. */
const columns = (what: What) => ({
  workshop_id: what.workshop_id,
  truck_id: what.truck_id,
  coupled_id: what.coupled_id,
  planned: what.planned,
  box_id: what.box_id,
  applicant: what.applicant,
  applicant_driver_id: what.applicant_driver_id,
  responsible_specialist_id: what.responsible_specialist_id,
  reviewed_by_specialist_id: what.reviewed_by_specialist_id,
  delivered_to_driver_id: what.delivered_to_driver_id,
  kilometer: what.kilometer,
  request: what.request,
  description_of_requeriment: what.description_of_requeriment,
  date_estimed: what.date_estimed,
  hour_estimed: what.hour_estimed,
  place: what.place,
  priority: what.priority,
  waiting_for_parts: what.waiting_for_parts,
  codes: what.codes,
  observation: what.observation,
  deadline_at: what.deadline_at,
  workshop_entry_at: what.workshop_entry_at,
  workshop_departure_at: what.workshop_departure_at,
})

interface Way {
  /** Its supplies leave a warehouse, whatever the company's setting. */
  withWarehouse?: boolean
  /** Signs it as it is now, and says whether anything was signed: before it changes its column, which may close it. */
  signIt?: (order: WorkOrder) => Promise<boolean>
}

export async function createWorkOrder(
  db: Db,
  actor: Actor,
  what: NewWorkOrder,
  { withWarehouse = false, signIt }: Way = {},
): Promise<WorkOrder> {
  const { company_id } = actor
  const type_maintenance_id = await typeOf(db, actor, what)
  const { from, position } = await batch({
    stay: requireOpenStay(db, actor, what),
    lock: holdBoard(db, actor),
    choices: requireChoices(db, actor, { ...what, type_maintenance_id }),
    from: warehouseOf(db, actor, what, withWarehouse),
    position: topOf(db, actor, FIRST_STATUS),
  })
  const { id, number, created_at } = await insertNumbered(db, 'work_order', workOrdersTable, {
    company_id,
    status: FIRST_STATUS,
    position,
    ...columns(what),
    ...from,
    type_maintenance_id,
    user_id: actor.user_id,
    user_name: actor.user_name,
  })
  const order = { ...columns(what), id, code: codeOf(number), created_at, ...from }
  if (what.kilometer !== null) await keepReading(db, actor, order, { confirm_lower: what.confirm_lower })
  if (what.waiting_for_parts) await keepWaits(db, actor, { ...order, status: FIRST_STATUS })
  const anew = <T extends { id?: number | undefined }>(lines: T[]) => lines.map((line) => ({ ...line, id: undefined }))
  await saveWorks(db, actor, order, [], anew(what.works))
  await saveSupplies(db, actor, order, what.supplies, { isNew: true })
  await planNew(db, actor, order, what.plan_supplies)
  await saveServices(db, actor, order, [], anew(what.services))
  await settle(db, actor, id, what.works.length > 0)
  const made = await requireWorkOrder(db, actor, id, false, { made: what })
  await record(
    db,
    actor,
    'work_order',
    id,
    'created',
    {},
    { ...told(made), ...changedLines(undefined, made, actor.time_zone).after },
  )
  announceOrder(db, actor, made)
  const signed = await signIt?.(made)
  if (what.status === made.status) return signed ? requireWorkOrder(db, actor, id) : made
  await goTo(db, actor, id, what.status)
  return requireWorkOrder(db, actor, id)
}

/** To the top of another column; the board is held. */
async function goTo(db: Db, actor: Actor, id: number, status: WorkOrder['status']) {
  const [card] = await holdCards(db, actor, [id])
  if (!card) throw notFound()
  await changeStatus(db, actor, card, { status, position: await topOf(db, actor, status) })
}

export async function updateWorkOrder(
  db: Db,
  actor: Actor,
  id: number,
  what: WorkOrderEdit,
  { withWarehouse = false, signIt }: Way = {},
): Promise<WorkOrder> {
  // The board is held before the order, by everyone who holds both.
  const { status } = await seeOrder(db, actor, id)
  if (what.status !== undefined && what.status !== status) await holdBoard(db, actor)
  const before = await requireWorkOrder(db, actor, id, true, { more: what.supplies })
  requireFresh(before, what.updated_at)
  if (isClosed(before)) throw new Problem(409, CLOSED)
  const type_maintenance_id = await typeOf(db, actor, what)
  await requireOpenPast(db, actor, before, { ...what, type_maintenance_id })
  await requireChoices(db, actor, { ...what, type_maintenance_id }, before)
  const from = await warehouseOf(db, actor, what, withWarehouse, before)
  await db
    .update(workOrdersTable)
    .set({ ...columns(what), ...from, type_maintenance_id, updated_at: new Date().toISOString() })
    .where(and(eq(workOrdersTable.company_id, actor.company_id), eq(workOrdersTable.id, id)))
  const order = { ...before, ...columns(what), ...from }
  const { confirm_lower } = what
  await keepReading(db, actor, order, { confirm_lower, previous_entry: before.workshop_entry_at })
  await keepWaits(db, actor, order)
  await saveWorks(db, actor, order, before.works, what.works)
  await movePlanned(db, actor, order, before.warehouse_id, from.has_warehouse ? from.warehouse_id : null)
  await saveSupplies(db, actor, order, what.supplies)
  await saveServices(db, actor, order, before.services, what.services)
  await settle(db, actor, id)
  const after = await requireWorkOrder(db, actor, id)
  const lines = changedLines(before, after, actor.time_zone)
  await record(
    db,
    actor,
    'work_order',
    id,
    'updated',
    { ...told(before), ...lines.before },
    { ...told(after), ...lines.after },
  )
  for (const workshop_id of new Set([before.workshop_id, after.workshop_id]))
    announceOrder(db, actor, { ...after, workshop_id })
  const signed = await signIt?.(after)
  if (what.status === undefined || what.status === after.status) return signed ? requireWorkOrder(db, actor, id) : after
  await goTo(db, actor, id, what.status)
  return requireWorkOrder(db, actor, id)
}

const KEPT = 'Una orden finalizada no se puede eliminar: su historial se conserva.'

/** Its supplies go back to their warehouse, and what it said of the meter goes with it. */
export async function deleteWorkOrder(db: Db, actor: Actor, id: number) {
  const order = await requireWorkOrder(db, actor, id, true)
  if (isClosed(order)) throw new Problem(409, KEPT)
  await requireNothingClosed(db, actor, order)
  await requireNothingShared(db, actor, order)
  await requireUnpaid(db, actor, { work_order_id: id })
  await keepReading(db, actor, { ...order, kilometer: null })
  await saveSupplies(db, actor, order, [])
  await endPlanned(db, actor, order, order.planned_supplies)
  await rows(db, sql`delete from ${workOrdersTable} where company_id = ${actor.company_id} and id = ${id}`)
  await writeExpenses(db, actor, [id])
  await record(db, actor, 'work_order', id, 'deleted', { code: order.code, ...told(order) }, {})
  announceOrder(db, actor, order)
  return undefined
}
