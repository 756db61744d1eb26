import type { Field } from '../base/fields.ts'
import { INVOICE_TYPES, PAYMENT_TYPES } from '../warehouses/transactions.ts'
import { WORK_ORDER_FIELDS } from './fields.ts'
import { NOTE_KINDS } from './invoices.ts'
import { SIGNATURES } from './orders.ts'

/** All that is written into the activity of an order, and what is said of it after the person's name. */
export const WORK_ORDER_ACTIONS = {
  created: 'creó la orden',
  updated: 'editó la orden',
  moved: 'movió la orden',
  finalized: 'finalizó la orden',
  reopened: 'reabrió la orden',
  deleted: 'eliminó la orden',
  work_added: 'agregó un trabajo',
  work_start: 'empezó un trabajo',
  work_pause: 'pausó un trabajo',
  work_finish: 'terminó un trabajo',
  work_reopen: 'reabrió un trabajo',
  work_removed: 'quitó un trabajo',
  work_time: 'corrigió las horas de un trabajo',
  part_planned: 'pidió un repuesto',
  part_forgotten: 'quitó un repuesto pedido',
  part_arrived: 'recibió repuestos pedidos: están apartados',
  invoice_added: 'registró una factura',
  invoice_removed: 'eliminó una factura',
  note_added: 'registró una nota de crédito o débito',
  note_changed: 'cambió una nota de crédito o débito',
  note_removed: 'eliminó una nota de crédito o débito',
  file_added: 'agregó un archivo',
  file_removed: 'eliminó un archivo',
  signed: 'firmó la orden',
  signature_removed: 'quitó una firma',
} as const
export type WorkOrderAction = keyof typeof WORK_ORDER_ACTIONS

/** What it names: the order's own fields, and those of its parts. */
export const ACTIVITY_FIELDS: Record<string, Field> = {
  ...WORK_ORDER_FIELDS,
  work: { label: 'Trabajo' },
  time: { label: 'Horas' },
  part: { label: 'Repuesto' },
  specialist: { label: 'Especialista' },
  start_time: { label: 'Inicio', kind: 'moment' },
  end_time: { label: 'Término', kind: 'moment' },
  target_start_at: { label: 'Planificado desde', kind: 'moment' },
  target_end_at: { label: 'Planificado hasta', kind: 'moment' },
  calendar_start: { label: 'En el calendario desde', kind: 'moment' },
  calendar_end: { label: 'En el calendario hasta', kind: 'moment' },
  provider_name: { label: 'Proveedor' },
  bill_invoice: { label: 'Tipo de documento', words: INVOICE_TYPES },
  document: { label: 'Documento' },
  date: { label: 'Fecha', kind: 'day' },
  payment_type: { label: 'Forma de pago', words: PAYMENT_TYPES },
  note: { label: 'Nota' },
  kind: { label: 'Tipo de documento', words: NOTE_KINDS },
  of_invoice: { label: 'Factura' },
  share: { label: 'Monto neto', kind: 'money' },
  shared_with: { label: 'Compartida con' },
  file: { label: 'Archivo' },
  ...Object.fromEntries(Object.values(SIGNATURES).map(({ label }) => [label, { label }])),
}
