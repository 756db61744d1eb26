import { fieldsOf } from '../base/fields.ts'
import { Coupling, showPatent, TRUCK_STATES, Truck } from './fleet.ts'

export const TRUCK_FIELDS = fieldsOf(Truck, {
  code: { label: 'Código' },
  patent: { label: 'Patente', show: showPatent },
  workshop_id: { label: 'Taller', named: 'workshop_name' },
  type_of_truck_id: { label: 'Tipo', named: 'type_name' },
  brand_id: { label: 'Marca', named: 'brand_name' },
  cost_center_id: { label: 'Centro de costo', named: 'cost_center_name' },
  cost_center_from: { label: 'Centro de costo desde', kind: 'day' },
  coupled_id: { label: 'Acoplado', named: 'coupled_patent', show: showPatent },
  mileage: { label: 'Kilometraje', kind: 'km', fixed: true },
  state: { label: 'Estado', words: TRUCK_STATES },
})

export const COUPLING_FIELDS = fieldsOf(Coupling, {
  from: { label: 'Desde', kind: 'moment' },
  until: { label: 'Hasta', kind: 'moment' },
  from_km: { label: 'Kilometraje al comenzar', kind: 'km' },
  until_km: { label: 'Kilometraje al terminar', kind: 'km' },
})
