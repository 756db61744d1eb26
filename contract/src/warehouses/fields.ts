import { fieldsOf } from '../base/fields.ts'
import { TAXES } from '../base/money.ts'
import { DIRECTIONS, Movement, StockLine } from './stock.ts'
import {
  INVOICE_TYPES,
  PAYMENT_TYPES,
  PostedLine,
  TRANSACTION_STATES,
  Transaction,
  TransactionDocument,
} from './transactions.ts'
import { SentTransfer, TRANSFER_STATES } from './transfers.ts'
import { Warehouse } from './warehouses.ts'

export const WAREHOUSE_FIELDS = fieldsOf(Warehouse, {
  code: { label: 'Código' },
  name: { label: 'Nombre' },
  workshop_id: { label: 'Taller', named: 'workshop_name' },
  direction: { label: 'Dirección' },
  description: { label: 'Descripción' },
  supplies_count: { label: 'Insumos', kind: 'number', fixed: true },
  below_minimum: { label: 'Bajo mínimo', kind: 'number', fixed: true },
  value: { label: 'Valor del stock', kind: 'money', fixed: true },
  sent_value: { label: 'Enviado en tránsito', kind: 'money', fixed: true },
  incoming_value: { label: 'Por recibir', kind: 'money', fixed: true },
})

export const STOCK_FIELDS = fieldsOf(StockLine, {
  code: { label: 'Código' },
  name: { label: 'Insumo' },
  category: { label: 'Categoría' },
  unit: { label: 'Unidad' },
  stock: { label: 'Stock', kind: 'quantity', fixed: true },
  reserved: { label: 'Apartado', kind: 'quantity', fixed: true },
  available: { label: 'Disponible', kind: 'quantity', fixed: true },
  minimum: { label: 'Mínimo', kind: 'quantity' },
  maximum: { label: 'Máximo', kind: 'quantity' },
  average_cost: { label: 'Costo promedio', kind: 'cost', fixed: true },
  value: { label: 'Valor', kind: 'money', fixed: true },
  sent: { label: 'Enviado', kind: 'quantity', fixed: true },
  incoming: { label: 'Por recibir', kind: 'quantity', fixed: true },
})

/** Nobody changes a movement: it is written with its document. */
export const MOVEMENT_FIELDS = fieldsOf(Movement, {
  at: { label: 'Fecha', kind: 'moment' },
  type: { label: 'Sentido', words: DIRECTIONS },
  type_name: { label: 'Movimiento' },
  code: { label: 'Código' },
  name: { label: 'Insumo' },
  document: { label: 'Documento' },
  quantity_in: { label: 'Entrada', kind: 'quantity' },
  quantity_out: { label: 'Salida', kind: 'quantity' },
  balance: { label: 'Saldo', kind: 'quantity' },
  unit_cost: { label: 'Costo unitario', kind: 'cost' },
  value: { label: 'Valor', kind: 'money' },
  balance_value: { label: 'Saldo valorizado', kind: 'money' },
  user_name: { label: 'Usuario' },
})

/** What is typed of an entry or exit, beside its lines. */
export const DOCUMENT_FIELDS = fieldsOf(TransactionDocument, {
  typeTrasactionId: { label: 'Tipo de movimiento', short: 'Movimiento' },
  typeInvoice: { label: 'Tipo de documento', words: INVOICE_TYPES },
  document: { label: 'Documento' },
  date: { label: 'Fecha', kind: 'day' },
  date_delivery: { label: 'Fecha de entrega', kind: 'day' },
  payment_type: { label: 'Forma de pago', words: PAYMENT_TYPES },
  reference: { label: 'Referencia' },
  providerId: { label: 'Proveedor' },
  note: { label: 'Nota' },
})

/** What the product adds to it. */
export const TRANSACTION_FIELDS = {
  type_name: DOCUMENT_FIELDS.typeTrasactionId,
  provider_name: DOCUMENT_FIELDS.providerId,
  ...fieldsOf(Transaction, {
    code: { label: 'Número' },
    warehouse_id: { label: 'Bodega', named: 'warehouse_name' },
    supplies: { label: 'Insumos', kind: 'number' },
    total: { label: 'Total', kind: 'money' },
    state: { label: 'Estado', words: TRANSACTION_STATES },
    created_at: { label: 'Registrada', kind: 'moment' },
    voided_at: { label: 'Anulada', kind: 'moment' },
    void_note: { label: 'Motivo' },
  }),
}

/** What goes from one workshop to another. */
export const TRANSFER_FIELDS = fieldsOf(SentTransfer, {
  code: { label: 'Número' },
  date: { label: 'Fecha', kind: 'day' },
  warehouse_id: { label: 'Desde', named: 'warehouse_name' },
  to_warehouse_id: { label: 'Hacia', named: 'to_warehouse_name' },
  document: { label: 'Documento' },
  reference: { label: 'Referencia' },
  lines_count: { label: 'Insumos', kind: 'number' },
  value: { label: 'Valor', kind: 'money' },
  missing_value: { label: 'Diferencia', kind: 'money' },
  state: { label: 'Estado', words: TRANSFER_STATES },
  sent_at: { label: 'Enviado', kind: 'moment' },
  received_at: { label: 'Recibido', kind: 'moment' },
  note: { label: 'Nota' },
})

/** A line of an entry, an exit or a purchase order. */
export const LINE_FIELDS = fieldsOf(PostedLine, {
  code: { label: 'Código' },
  name: { label: 'Insumo' },
  unit: { label: 'Unidad' },
  quantity: { label: 'Cantidad', kind: 'quantity' },
  unit_cost: { label: 'Costo unitario', kind: 'cost' },
  tax_type: { label: 'Impuesto', words: TAXES },
  net_cost: { label: 'Neto', kind: 'money', fixed: true },
  tax: { label: 'IVA', kind: 'money', fixed: true },
  total_cost: { label: 'Total', kind: 'money', fixed: true },
})
