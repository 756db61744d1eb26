import { fieldsOf } from '../base/fields.ts'
import { PRIORITIES } from '../base/priorities.ts'
import { showPatent } from '../fleet/fleet.ts'
import { PLACES, WorkOrder } from './orders.ts'
import { WORK_ORDER_STATES } from './states.ts'

/** In the order of the form. */
export const WORK_ORDER_FIELDS = fieldsOf(WorkOrder, {
  code: { label: 'Número', fixed: true },
  status: { label: 'Estado', words: WORK_ORDER_STATES },
  workshop_id: { label: 'Taller', named: 'workshop_name' },
  truck_id: { label: 'Equipo', named: 'patent', show: showPatent },
  coupled_id: { label: 'Acoplado', named: 'coupled_patent', show: showPatent },
  kilometer: { label: 'Kilometraje', kind: 'km' },
  applicant: { label: 'Solicitante' },
  applicant_driver_id: { label: 'Conductor que solicita', named: 'applicant_driver' },
  request: { label: 'Solicitud' },
  description_of_requeriment: { label: 'Descripción del requerimiento' },
  type_maintenance_id: { label: 'Tipo de mantención', short: 'Tipo', named: 'type_maintenance' },
  priority: { label: 'Prioridad', words: PRIORITIES },
  codes: { label: 'Códigos de falla', short: 'Códigos' },
  planned: { label: 'Planificada', kind: 'yes' },
  waiting_for_parts: { label: 'Espera repuestos', kind: 'yes' },
  date_estimed: { label: 'Fecha estimada', kind: 'day' },
  hour_estimed: { label: 'Hora estimada' },
  deadline_at: { label: 'Plazo de entrega', kind: 'moment' },
  place: { label: 'Lugar', words: PLACES },
  box_id: { label: 'Box', named: 'box_name' },
  responsible_specialist_id: { label: 'Responsable', named: 'responsible_specialist' },
  workshop_entry_at: { label: 'Ingreso al taller', short: 'Ingreso', kind: 'moment' },
  workshop_departure_at: { label: 'Salida del taller', short: 'Salida', kind: 'moment' },
  works: { label: 'Trabajos' },
  has_warehouse: { label: 'Descuenta de bodega', kind: 'yes' },
  warehouse_id: { label: 'Bodega', named: 'warehouse_name' },
  supplies: { label: 'Insumos' },
  services: { label: 'Servicios' },
  observation: { label: 'Observaciones' },
  reviewed_by_specialist_id: { label: 'Revisado por', short: 'Revisa', named: 'reviewed_by_specialist' },
  delivered_to_driver_id: { label: 'Entregado a', named: 'delivered_to_driver' },
  created_at: { label: 'Creada', kind: 'moment', fixed: true },
  supplies_cost: { label: 'Insumos', kind: 'money', fixed: true },
  services_cost: { label: 'Servicios', kind: 'money', fixed: true },
  total_cost: { label: 'Total', kind: 'money', fixed: true },
  labour: { label: 'Mano de obra', kind: 'money', fixed: true },
  total_with_labour: { label: 'Total con mano de obra', short: 'Con mano de obra', kind: 'money', fixed: true },
})
