import { showKm } from '#contract/base/money.ts'
import { fleet, showPatent, TRUCK_STATES, type Truck, type TruckState } from '#contract/fleet/fleet.ts'
import { ActivityTab, asText } from '../frames/activity-tab.tsx'
import { call } from '../platform/api.ts'
import { fleetKey } from './queries.ts'

const ACTIONS: Record<string, string> = {
  created: 'creó el equipo',
  updated: 'editó el equipo',
  deleted: 'eliminó el equipo',
  imported: 'importó el equipo',
  import_undone: 'deshizo la importación del equipo',
  meter_read: 'registró el kilometraje',
  meter_corrected: 'corrigió el kilometraje',
}

const FIELDS = {
  code: { label: 'Código', show: asText },
  patent: { label: 'Patente', show: (value: unknown) => showPatent(asText(value)) },
  state: { label: 'Estado', show: (value: unknown) => TRUCK_STATES[value as TruckState]?.label ?? asText(value) },
  mileage: { label: 'Kilometraje', show: (value: unknown) => showKm(Number(value)) },
  type_name: { label: 'Tipo', show: asText },
  brand_name: { label: 'Marca', show: asText },
  cost_center_name: { label: 'Centro de costo', show: asText },
  coupled_patent: { label: 'Acoplado', show: (value: unknown) => showPatent(asText(value)) },
  workshop_name: { label: 'Taller', show: asText },
}

const WORDS = {
  actions: ACTIONS,
  fields: FIELDS,
  empty: 'Cada cambio del equipo queda aquí: quién, cuándo y qué había antes.',
}

export const TruckActivity = ({ truck }: { truck: Truck }) => (
  <ActivityTab
    queryKey={[...fleetKey, 'activity', truck.id]}
    read={(query, signal) => call(fleet.truckActivity, { params: { id: truck.id }, query, signal })}
    words={WORDS}
  />
)
