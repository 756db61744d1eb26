import { showDay, showMoment } from '#contract/base/dates.ts'
import { showKm } from '#contract/base/money.ts'
import { PRIORITIES, type Priority } from '#contract/base/priorities.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { WORK_STATES, type WorkState } from '#contract/work-orders/lines.ts'
import { PLACES, type Place, SIGNATURES, type SignatureKind, workOrders } from '#contract/work-orders/orders.ts'
import { WORK_ORDER_STATES, type WorkOrderStatus } from '#contract/work-orders/states.ts'
import { ActivityTab, asText } from '../../frames/activity-tab.tsx'
import { call } from '../../platform/api.ts'
import { useZone } from '../../platform/session.ts'
import { workOrdersKey } from '../queries.ts'
import { FIELD_WORDS } from './field-words.ts'

const ACTIONS: Record<string, string> = {
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
}

/** Everything an order's activity names, in the words of the form. */
function fieldsOf(zone: string) {
  const moment = (value: unknown) => showMoment(String(value), zone)
  const yes = (value: unknown) => (value ? 'Sí' : 'No')
  const shown: Record<string, (value: unknown) => string> = {
    status: (value) => WORK_ORDER_STATES[value as WorkOrderStatus]?.label ?? String(value),
    priority: (value) => PRIORITIES[value as Priority]?.label ?? String(value),
    place: (value) => PLACES[value as Place]?.label ?? String(value),
    state: (value) => WORK_STATES[value as WorkState]?.label ?? String(value),
    kind: (value) => SIGNATURES[value as SignatureKind]?.label ?? String(value),
    patent: (value) => showPatent(String(value)),
    coupled_patent: (value) => showPatent(String(value)),
    kilometer: (value) => showKm(Number(value)),
    planned: yes,
    waiting_for_parts: yes,
    date_estimed: (value) => showDay(String(value)),
    deadline_at: moment,
    workshop_entry_at: moment,
    workshop_departure_at: moment,
    target_start_at: moment,
    target_end_at: moment,
    start_time: moment,
    end_time: moment,
  }
  const labels: Record<string, string> = {
    ...FIELD_WORDS,
    work: 'Trabajo',
    specialist: 'Especialista',
    state: 'Estado del trabajo',
    start_time: 'Inicio',
    end_time: 'Término',
    target_start_at: 'Planificado desde',
    target_end_at: 'Planificado hasta',
    supply: 'Insumo',
    service: 'Servicio',
    count: 'Cantidad',
    document: 'Documento',
    provider: 'Proveedor',
    file: 'Archivo',
    kind: 'Firma',
    name: 'Nombre',
  }
  return Object.fromEntries(
    Object.entries(labels)
      .filter(([field]) => !field.endsWith('_id'))
      .map(([field, label]) => [field, { label, show: shown[field] ?? asText }]),
  )
}

export function OrderActivity({ id }: { id: number }) {
  const zone = useZone()
  return (
    <ActivityTab
      queryKey={[...workOrdersKey, 'activity', id]}
      read={(query, signal) => call(workOrders.workOrderActivity, { params: { id }, query, signal })}
      words={{ actions: ACTIONS, fields: fieldsOf(zone), empty: 'Aquí queda cada cambio de la orden.' }}
    />
  )
}
