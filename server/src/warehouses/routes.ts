import { TRANSACTION_TYPES } from '#contract/warehouses/stock.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import type { Domain } from '../platform/http/domain.ts'
import { listActivity } from '../platform/operations/audit.ts'
import { UNIT_CHANGES } from '../supplies/supplies.ts'
import { applyCount, createCount, discardCount, listCounts, requireCount, saveCount } from './documents/counts.ts'
import { invoiceTransaction, noteTransaction } from './documents/price-notes.ts'
import { recordTransaction } from './documents/recording.ts'
import { listRecosted, listTransactions, requireTransaction } from './documents/transactions.ts'
import { labels } from './labels.ts'
import { downloadKardex, kardex, listMovements } from './stock/kardex.ts'
import {
  attachSupplies,
  listStock,
  setLimits,
  suppliesAttached,
  suppliesFromWarehouse,
  suppliesInStock,
  verifyStock,
} from './stock/levels.ts'
import { refuseOtherUnit, suppliesStock, supplyStock, supplyUses } from './stock/of-supply.ts'
import { receiveTransfer } from './transfers/receiving.ts'
import { listTransfers, requireTransfer } from './transfers/sent-transfers.ts'
import { transferPdf } from './transfers/transfer-pdf.ts'
import { transfer, transferDestinations } from './transfers/transfers.ts'
import {
  chooseWarehouses,
  createWarehouse,
  deleteWarehouse,
  findWarehouses,
  listWarehouses,
  requireVisibleWarehouse,
  requireWarehouse,
  updateWarehouse,
} from './warehouses.ts'

export const warehousesDomain: Domain = {
  routes(bind) {
    bind(warehouses.listWarehouses, ({ db, actor, query }) => listWarehouses(db, actor, query))
    bind(warehouses.createWarehouse, ({ db, actor, body }) => createWarehouse(db, actor, body))
    bind(warehouses.getWarehouse, ({ db, actor, params }) => requireWarehouse(db, actor, params.id))
    bind(
      warehouses.updateWarehouse,
      ({ db, actor, params, body }) => updateWarehouse(db, actor, params.id, body),
      ({ db, actor, params }) => requireWarehouse(db, actor, params.id, true),
    )
    bind(warehouses.deleteWarehouse, ({ db, actor, params }) => deleteWarehouse(db, actor, params.id))
    bind(warehouses.warehouseActivity, async ({ db, actor, params, query }) => {
      await requireVisibleWarehouse(db, actor, params.id)
      return listActivity(db, actor, 'warehouse', params.id, query)
    })
    bind(warehouses.chooseWarehouses, ({ db, actor, params, query }) =>
      chooseWarehouses(db, actor, params.id, query.filter.Search),
    )
    bind(warehouses.listStock, ({ db, actor, params, query }) => listStock(db, actor, params.warehouse, query))
    bind(warehouses.attachSupplies, ({ db, actor, params, body }) => attachSupplies(db, actor, params.warehouse, body))
    bind(warehouses.setLimits, ({ db, actor, params, body }) => setLimits(db, actor, params.warehouse, body))
    bind(warehouses.suppliesFromWarehouse, ({ db, actor, query }) => suppliesFromWarehouse(db, actor, query))
    bind(warehouses.suppliesAttached, ({ db, actor, query }) => suppliesAttached(db, actor, query))
    bind(warehouses.suppliesInStock, ({ db, actor, query }) => suppliesInStock(db, actor, query))
    bind(warehouses.verifyStock, ({ db, actor, query }) => verifyStock(db, actor, query))
    bind(warehouses.listTransactionTypes, async ({ query }) => {
      const data = TRANSACTION_TYPES.filter(({ type }) => query.type === undefined || type === query.type)
      return { data, total: data.length }
    })
    bind(warehouses.listTransactions, ({ db, actor, query }) => listTransactions(db, actor, query))
    bind(warehouses.getTransaction, ({ db, actor, params }) => requireTransaction(db, actor, params.id))
    bind(warehouses.transactionActivity, async ({ db, actor, params, query }) => {
      await requireTransaction(db, actor, params.id)
      return listActivity(db, actor, 'transaction', params.id, query)
    })
    bind(warehouses.recordTransaction, ({ db, actor, body }) => recordTransaction(db, actor, body))
    bind(warehouses.listRecosted, ({ db, actor, params, query }) => listRecosted(db, actor, params.id, query))
    bind(warehouses.noteTransaction, ({ db, actor, params, body }) => noteTransaction(db, actor, params.id, body))
    bind(warehouses.invoiceTransaction, ({ db, actor, params, body }) => invoiceTransaction(db, actor, params.id, body))
    bind(warehouses.transfer, ({ db, actor, body }) => transfer(db, actor, body))
    bind(warehouses.transferDestinations, ({ db, actor, query }) => transferDestinations(db, actor, query.warehouse))
    bind(warehouses.listTransfers, ({ db, actor, query }) => listTransfers(db, actor, query))
    bind(warehouses.getTransfer, ({ db, actor, params }) => requireTransfer(db, actor, params.id))
    bind(warehouses.transferPdf, ({ db, actor, params }) => transferPdf(db, actor, params.id))
    bind(warehouses.receiveTransfer, ({ db, actor, params, body }) => receiveTransfer(db, actor, params.id, body))
    bind(warehouses.kardex, ({ db, actor, query }) => kardex(db, actor, query))
    bind(warehouses.downloadKardex, ({ db, actor, query }) => downloadKardex(db, actor, query))
    bind(warehouses.listMovements, ({ db, actor, query }) => listMovements(db, actor, query))
    bind(warehouses.suppliesStock, ({ db, actor, query }) => suppliesStock(db, actor, query.filter.Supply ?? []))
    bind(warehouses.supplyStock, ({ db, actor, params }) => supplyStock(db, actor, params.id))
    bind(warehouses.supplyUses, ({ db, actor, params, query }) => supplyUses(db, actor, params.id, query))
    bind(warehouses.labels, ({ db, actor, params, query }) => labels(db, actor, params.warehouse, query))
    bind(warehouses.listCounts, ({ db, actor, query }) => listCounts(db, actor, query))
    bind(warehouses.createCount, ({ db, actor, body }) => createCount(db, actor, body))
    bind(warehouses.getCount, ({ db, actor, params }) => requireCount(db, actor, params.id))
    bind(warehouses.saveCount, ({ db, actor, params, body }) => saveCount(db, actor, params.id, body))
    bind(warehouses.applyCount, ({ db, actor, params }) => applyCount(db, actor, params.id))
    bind(warehouses.discardCount, ({ db, actor, params }) => discardCount(db, actor, params.id))
  },
  messages: {
    warehouses_code_unique: { field: 'code', message: 'Ya existe una bodega con este código en el taller.' },
  },
  listens: { [UNIT_CHANGES]: refuseOtherUnit },
  finders: [{ may: 'warehouses.read', find: findWarehouses }],
}
