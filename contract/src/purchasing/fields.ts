import { fieldsOf } from '../base/fields.ts'
import { PRIORITIES } from '../base/priorities.ts'
import { LINE_FIELDS } from '../warehouses/fields.ts'
import { MatchedLine, PURCHASE_STATES, PurchaseLine, PurchaseOrder } from './purchasing.ts'

/** In the order of the card and the paper. */
export const PURCHASE_FIELDS = fieldsOf(PurchaseOrder, {
  code: { label: 'Número', fixed: true },
  status: { label: 'Estado', words: PURCHASE_STATES, fixed: true },
  provider_id: { label: 'Proveedor', named: 'provider_name' },
  warehouse_id: { label: 'Bodega', named: 'warehouse_name', fixed: true },
  document: { label: 'Documento' },
  deliveryAt: { label: 'Fecha de entrega', short: 'Entrega', kind: 'day' },
  reference: { label: 'Referencia' },
  priority: { label: 'Prioridad', words: PRIORITIES },
  createdAt: { label: 'Creada', kind: 'date', fixed: true },
  approved_by: { label: 'Aprobada por', fixed: true },
  sent_at: { label: 'Enviada', kind: 'moment', fixed: true },
  sent_to: { label: 'Enviada a', fixed: true },
  answered_on: { label: 'Respondida', kind: 'day', fixed: true },
  promised_on: { label: 'Prometida para', short: 'Prometida', kind: 'day', fixed: true },
  closed_reason: { label: 'Cerrada porque', fixed: true },
  closed_by: { label: 'Cerrada por', fixed: true },
  note: { label: 'Nota' },
  subtotal: { label: 'Subtotal', kind: 'money', fixed: true },
  tax: { label: 'IVA', kind: 'money', fixed: true },
  total: { label: 'Total', kind: 'money', fixed: true },
})

export const MATCHED_FIELDS = fieldsOf(MatchedLine, {
  name: { label: 'Insumo' },
  ordered: { label: 'Pedido', kind: 'quantity' },
  received: { label: 'Recibido', kind: 'quantity' },
  returned: { label: 'Devuelto', kind: 'quantity' },
  invoiced: { label: 'Facturado', kind: 'quantity' },
  unit_cost: { label: 'Precio pedido', kind: 'cost' },
  invoiced_cost: { label: 'Precio facturado', kind: 'cost' },
  invoiced_net: { label: 'Neto facturado', kind: 'money' },
  difference: { label: 'Diferencia de precio', short: 'Diferencia', kind: 'money' },
})

export const PURCHASE_LINE_FIELDS = {
  ...LINE_FIELDS,
  ...fieldsOf(PurchaseLine, {
    received: { label: 'Recibido', kind: 'quantity', fixed: true },
    outstanding: { label: 'Pendiente', kind: 'quantity', fixed: true },
    promised_on: { label: 'Prometido para', short: 'Prometido', kind: 'day', fixed: true },
    not_coming: { label: 'No llegará', kind: 'quantity', fixed: true },
  }),
}
