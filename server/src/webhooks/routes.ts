import { webhooks } from '#contract/webhooks/webhooks.ts'
import { ALERTS_DUE } from '../alerts/evaluation.ts'
import type { Domain } from '../platform/http/domain.ts'
import { STOCK_LOW } from '../warehouses/stock/available-stock.ts'
import { ORDERS_FINALIZED, ORDERS_MOVED } from '../work-orders/orders/finalize.ts'
import { deliverAgain, deliverJob, forgetOld, listDeliveries } from './deliveries.ts'
import { tellAlerts, tellLowStock, tellOrders } from './happenings.ts'
import {
  closeSecretsJob,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  pingWebhook,
  requireWebhook,
  updateWebhook,
} from './webhooks.ts'

export const webhooksDomain: Domain = {
  routes(bind) {
    bind(webhooks.listWebhooks, ({ db, actor }) => listWebhooks(db, actor))
    bind(webhooks.createWebhook, ({ db, actor, body }) => createWebhook(db, actor, body))
    bind(
      webhooks.updateWebhook,
      ({ db, actor, params, body }) => updateWebhook(db, actor, params.id, body),
      ({ db, actor, params }) => requireWebhook(db, actor, params.id, true),
    )
    bind(webhooks.deleteWebhook, ({ db, actor, params }) => deleteWebhook(db, actor, params.id))
    bind(webhooks.pingWebhook, ({ db, actor, params }) => pingWebhook(db, actor, params.id))
    bind(webhooks.listDeliveries, ({ db, actor, query }) => listDeliveries(db, actor, query))
    bind(webhooks.deliverAgain, ({ db, actor, params }) => deliverAgain(db, actor, params.id))
  },
  listens: {
    [ORDERS_MOVED]: (db, actor, ids) => tellOrders(db, actor, 'order.moved', ids),
    [ORDERS_FINALIZED]: (db, actor, ids) => tellOrders(db, actor, 'order.finalized', ids),
    [ALERTS_DUE]: (db, actor, ids) => tellAlerts(db, actor, ids),
    [STOCK_LOW]: (db, actor, ids, warehouse) => tellLowStock(db, actor, ids, Number(warehouse)),
  },
  jobs: [deliverJob, closeSecretsJob, { name: 'webhook-sweep', schedule: '41 4 * * *', runFor: forgetOld }],
}
