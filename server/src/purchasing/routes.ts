import { purchasing } from '#contract/purchasing/purchasing.ts'
import type { Domain } from '../platform/http/domain.ts'
import { listActivity } from '../platform/operations/audit.ts'
import { matchPurchaseOrder } from './matching.ts'
import { purchaseOrderPdf } from './pdf.ts'
import { providerPurchases } from './provider-purchases.ts'
import {
  createPurchaseOrder,
  deletePurchaseOrder,
  findPurchaseOrders,
  listPurchaseOrders,
  requirePurchaseOrder,
  updatePurchaseOrder,
  updatePurchaseStatus,
} from './purchase-orders.ts'
import { completeEntry, listReceipts, receivePurchaseOrder, voidEntryOrExit } from './receipts.ts'
import { partsRequests, partsRequestsCount, reorder, reorderCount } from './reorder.ts'
import { answerPurchaseOrder, sendPurchaseOrder } from './sending.ts'
import { purchaseOrderXlsx } from './xlsx.ts'

export const purchasingDomain: Domain = {
  routes(bind) {
    bind(purchasing.listPurchaseOrders, ({ db, actor, query }) => listPurchaseOrders(db, actor, query))
    bind(purchasing.createPurchaseOrder, ({ db, actor, body }) => createPurchaseOrder(db, actor, body))
    bind(purchasing.getPurchaseOrder, ({ db, actor, params }) => requirePurchaseOrder(db, actor, params.id))
    bind(
      purchasing.updatePurchaseOrder,
      ({ db, actor, params, body }) => updatePurchaseOrder(db, actor, params.id, body),
      ({ db, actor, params }) => requirePurchaseOrder(db, actor, params.id, true),
    )
    bind(purchasing.deletePurchaseOrder, ({ db, actor, params }) => deletePurchaseOrder(db, actor, params.id))
    bind(purchasing.updatePurchaseStatus, ({ db, actor, params, body }) =>
      updatePurchaseStatus(db, actor, params.id, body.status, body.reason),
    )
    bind(purchasing.receivePurchaseOrder, ({ db, actor, params, body }) =>
      receivePurchaseOrder(db, actor, params.id, body),
    )
    bind.inSteps(purchasing.sendPurchaseOrder, ({ step, files, actor, params, body }) =>
      sendPurchaseOrder(step, files, actor, params.id, body),
    )
    bind(purchasing.answerPurchaseOrder, ({ db, actor, params, body }) =>
      answerPurchaseOrder(db, actor, params.id, body),
    )
    bind(purchasing.matchPurchaseOrder, ({ db, actor, params }) => matchPurchaseOrder(db, actor, params.id))
    bind(purchasing.listReceipts, ({ db, actor, params }) => listReceipts(db, actor, params.id))
    bind(purchasing.purchaseOrderPdf, ({ db, actor, params }) => purchaseOrderPdf(db, actor, params.id))
    bind(purchasing.purchaseOrderXlsx, ({ db, actor, params }) => purchaseOrderXlsx(db, actor, params.id))
    bind(purchasing.purchaseOrderActivity, async ({ db, actor, params, query }) => {
      await requirePurchaseOrder(db, actor, params.id)
      return listActivity(db, actor, 'purchase_order', params.id, query)
    })
    bind(purchasing.providerPurchases, ({ db, actor, params }) => providerPurchases(db, actor, params.id))
    bind(purchasing.reorderCount, ({ db, actor, query }) => reorderCount(db, actor, query.warehouse))
    bind(purchasing.partsRequestsCount, ({ db, actor, query }) => partsRequestsCount(db, actor, query.warehouse))
    bind(purchasing.reorder, ({ db, actor, query }) => reorder(db, actor, query.warehouse))
    bind(purchasing.partsRequests, ({ db, actor, query }) => partsRequests(db, actor, query.warehouse))
    bind(purchasing.completeTransaction, ({ db, actor, params, body }) => completeEntry(db, actor, params.id, body))
    bind(purchasing.voidTransaction, ({ db, actor, params, body }) => voidEntryOrExit(db, actor, params.id, body.note))
  },
  finders: [{ may: 'warehouses.read', find: findPurchaseOrders }],
}
