import { ALREADY_LISTED } from '#contract/warehouses/transactions.ts'
import { EARLY_DEPARTURE, workOrders } from '#contract/work-orders/orders.ts'
import { COMPANY_SET_UP } from '../identity/set-up.ts'
import type { Db } from '../platform/database/db.ts'
import type { Domain } from '../platform/http/domain.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { listActivity } from '../platform/operations/audit.ts'
import type { Files } from '../platform/outside/store.ts'
import { PURCHASES_CHANGED } from '../warehouses/documents/purchases.ts'
import { arrivedEvent } from '../warehouses/stock/available-stock.ts'
import { recostedEvent } from '../warehouses/stock/recosted.ts'
import { TIME_ZONE_CHANGED } from '../workshops/company.ts'
import { HOURLY_COSTS_CHANGED } from '../workshops/hourly-costs.ts'
import { MONTHS_CLOSED } from '../workshops/months.ts'
import { seeOrder } from './access.ts'
import { listBoard, loadInitialPositions, moveCard, syncCards } from './board/board.ts'
import { boardInShort } from './board/in-short.ts'
import { holdBoard } from './board/places.ts'
import { ensureMaintenanceTypes } from './catalogues.ts'
import { movedFiles } from './documents/files.ts'
import { keepSentSignatures, readWithSignatures, signAsSent } from './documents/sent-signatures.ts'
import { movedSignatures } from './documents/signatures.ts'
import { recostLabour } from './labour/labour.ts'
import { repairJob, rewriteExpenses } from './orders/expenses.ts'
import { findWorkOrders, listWorkOrders } from './orders/history.ts'
import { countReopened } from './orders/lines.ts'
import { createWorkOrder, deleteWorkOrder, requireWorkOrder, updateWorkOrder } from './orders/orders.ts'
import { recostOrders } from './orders/recost.ts'
import { withoutAmounts } from './orders/timeline.ts'
import { hearPurchases } from './payments.ts'
import { plannedClashes } from './planner/clashes.ts'
import { bindParts } from './routes-parts.ts'
import { hearArrived, partsArrivedJob } from './supplies/planned-supplies.ts'
import { ORIGIN } from './supplies/used-supplies.ts'

/**
 * The order before an edit of some of its fields. A type that is sent by its code is not the one it had by its id, and
 * that it takes freely is said anew each time.
 */
async function standing({ db, actor, params, sent }: { db: Db; actor: Actor; params: { id: number }; sent: object }) {
  // The board is held before the order, by everyone who holds both.
  const { status } = await seeOrder(db, actor, params.id)
  if ('status' in sent && sent.status !== status) await holdBoard(db, actor)
  const { type_maintenance_id, has_warehouse: _, ...order } = await requireWorkOrder(db, actor, params.id, true)
  return 'type_of_maintenance' in sent ? order : { ...order, type_maintenance_id }
}

const ORDER_CALLS = [
  {
    get: workOrders.getWorkOrder,
    create: workOrders.createWorkOrder,
    update: workOrders.updateWorkOrder,
    withWarehouse: false,
  },
  {
    get: workOrders.getWorkOrderWithWarehouse,
    create: workOrders.createWorkOrderWithWarehouse,
    update: workOrders.updateWorkOrderWithWarehouse,
    withWarehouse: true,
  },
]
const keepSent = ({ files, actor, sent }: { files: Files; actor: Actor; sent: unknown }) =>
  keepSentSignatures(files, actor, sent)

export const workOrdersDomain: Domain = {
  routes(bind) {
    bind(workOrders.listWorkOrders, ({ db, actor, query }) => listWorkOrders(db, actor, query))
    bind(workOrders.workOrderHistory, ({ db, actor, query }) => listWorkOrders(db, actor, query))
    for (const { get, create, update, withWarehouse } of ORDER_CALLS) {
      bind.inSteps(get, ({ step, actor, params }) => readWithSignatures(step, actor, params.id))
      bind.after(keepSent, create, ({ db, actor, body, made, caller }) =>
        createWorkOrder(db, actor, body, { withWarehouse, signIt: signAsSent(db, actor, made, caller.agent) }),
      )
      bind.after(
        keepSent,
        update,
        ({ db, actor, params, body, made, caller }) =>
          updateWorkOrder(db, actor, params.id, body, {
            withWarehouse,
            signIt: signAsSent(db, actor, made, caller.agent),
          }),
        undefined,
        standing,
      )
    }
    bind(workOrders.plannedClashes, ({ db, actor, body }) => plannedClashes(db, actor, body))
    bind(workOrders.deleteWorkOrder, ({ db, actor, params }) => deleteWorkOrder(db, actor, params.id))
    bind(workOrders.workOrderBoard, ({ db, actor, query }) => listBoard(db, actor, query))
    bind(workOrders.workOrderBoardInShort, ({ db, actor, query }) => boardInShort(db, actor, query))
    bind(workOrders.moveWorkOrder, ({ db, actor, params, body }) => moveCard(db, actor, params.id, body))
    bind(workOrders.syncCards, ({ db, actor, body }) => syncCards(db, actor, body))
    bind(workOrders.loadInitialPositions, ({ db, actor }) => loadInitialPositions(db, actor))
    bind(workOrders.workOrderActivity, async ({ db, actor, params, query }) => {
      await seeOrder(db, actor, params.id)
      const activity = await listActivity(db, actor, 'work_order', params.id, query)
      return actor.may.has('costs.read')
        ? activity
        : { ...activity, data: activity.data.map((one) => withoutAmounts(one)) }
    })
    bindParts(bind)
  },
  messages: {
    work_orders_stay: { field: 'workshop_departure_at', message: EARLY_DEPARTURE },
    work_order_supplies_once: { field: 'supplies', message: ALREADY_LISTED },
    works_times: { field: 'works', message: 'No puede terminar antes de empezar.' },
    invoice_shares_once: { field: 'provider_id', message: 'Este proveedor ya tiene una factura en la orden.' },
    invoice_notes_document_unique: { field: 'document', message: 'Este proveedor ya tiene una nota con ese número.' },
    invoices_document_unique: { field: 'document', message: 'Este proveedor ya tiene una factura con ese número.' },
    maintenance_templates_name_unique: { field: 'name', message: 'Ya existe una plantilla con ese nombre.' },
    template_supplies_once: { field: 'supplies', message: ALREADY_LISTED },
    tasks_code_unique: { field: 'code', message: 'Ya existe una tarea con ese código.' },
    maintenance_types_code_unique: { field: 'name', message: 'Ya existe un tipo con ese nombre.' },
    maintenance_types_name_unique: { field: 'name', message: 'Ya existe un tipo con ese nombre.' },
  },
  jobs: [partsArrivedJob, repairJob],
  moves: [movedFiles, movedSignatures],
  finders: [{ may: 'work-orders.read', find: findWorkOrders }],
  listens: {
    [COMPANY_SET_UP]: (db, { company_id }) => ensureMaintenanceTypes(db, company_id),
    [recostedEvent(ORIGIN)]: recostOrders,
    [MONTHS_CLOSED]: countReopened,
    [HOURLY_COSTS_CHANGED]: recostLabour,
    [arrivedEvent(ORIGIN)]: hearArrived,
    [PURCHASES_CHANGED]: hearPurchases,
    [TIME_ZONE_CHANGED]: rewriteExpenses,
  },
}
