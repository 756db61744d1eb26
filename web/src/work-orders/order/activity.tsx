import type { ComponentProps } from 'react'
import type { Field } from '#contract/base/fields.ts'
import { showMoney } from '#contract/base/money.ts'
import { WORK_ORDER_FIELDS } from '#contract/work-orders/fields.ts'
import { WORK_STATES } from '#contract/work-orders/lines.ts'
import { SIGNATURES, workOrders } from '#contract/work-orders/orders.ts'
import { ActivityTab } from '../../frames/activity-tab.tsx'
import { call } from '../../platform/api.ts'
import { workOrdersKey } from '../queries.ts'

const ACTIONS: ComponentProps<typeof ActivityTab>['words']['actions'] = {
  created: 'creó la orden',
  updated: 'editó la orden',
  moved: 'movió la orden',
  finalized: 'finalizó la orden',
  reopened: 'reabrió la orden',
  deleted: 'eliminó la orden',
  rescheduled: 'cambió la fecha en el calendario',
  work_added: 'agregó un trabajo',
  work_started: 'empezó un trabajo',
  work_paused: 'pausó un trabajo',
  work_finished: 'terminó un trabajo',
  work_reopened: 'reabrió un trabajo',
  work_deleted: 'quitó un trabajo',
  work_rescheduled: 'cambió la fecha de un trabajo',
  supply_used: 'usó un insumo',
  supply_deleted: 'quitó un insumo',
  service_deleted: 'quitó un servicio',
  invoice_added: 'registró una factura',
  invoice_updated: 'editó una factura',
  invoice_deleted: 'eliminó una factura',
  file_added: 'agregó un archivo',
  file_deleted: 'eliminó un archivo',
  signed: 'firmó la orden',
  signature_deleted: 'quitó una firma',
  recosted: ({ because, supplies_cost }) => {
    const [was, is] = (supplies_cost ?? []).map((pesos) => showMoney(Number(pesos)))
    return `costo recalculado por ${because?.[1]}: ${was} → ${is}`
  },
}

/** Everything an order's activity names: its own fields, and those of its parts. */
const FIELDS: Record<string, Field> = {
  ...WORK_ORDER_FIELDS,
  work: { label: 'Trabajo' },
  specialist: { label: 'Especialista' },
  state: { label: 'Estado del trabajo', words: WORK_STATES },
  start_time: { label: 'Inicio', kind: 'moment' },
  end_time: { label: 'Término', kind: 'moment' },
  target_start_at: { label: 'Planificado desde', kind: 'moment' },
  target_end_at: { label: 'Planificado hasta', kind: 'moment' },
  supply: { label: 'Insumo' },
  service: { label: 'Servicio' },
  count: { label: 'Cantidad' },
  document: { label: 'Documento' },
  provider: { label: 'Proveedor' },
  file: { label: 'Archivo' },
  kind: { label: 'Firma', words: SIGNATURES },
  name: { label: 'Nombre' },
}
const WORDS = { actions: ACTIONS, fields: FIELDS, empty: 'Aquí queda cada cambio de la orden.' }

export const OrderActivity = ({ id }: { id: number }) => (
  <ActivityTab
    queryKey={[...workOrdersKey, 'activity', id]}
    read={(query, signal) => call(workOrders.workOrderActivity, { params: { id }, query, signal })}
    words={WORDS}
  />
)
