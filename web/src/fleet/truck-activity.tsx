import { COUPLING_FIELDS, TRUCK_FIELDS } from '#contract/fleet/fields.ts'
import { fleet, type Truck } from '#contract/fleet/fleet.ts'
import { ActivityTab } from '../frames/activity-tab.tsx'
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
  meter_taken_back: 'cambió o quitó la lectura de una orden',
  meter_voided: 'anuló una lectura',
  meter_restored: 'restauró una lectura',
  coupling_corrected: 'corrigió los acoplados',
}

const WORDS = {
  actions: ACTIONS,
  fields: { ...TRUCK_FIELDS, ...COUPLING_FIELDS },
  empty: 'Cada cambio del equipo queda aquí: quién, cuándo y qué había antes.',
}

export const TruckActivity = ({ truck }: { truck: Truck }) => (
  <ActivityTab
    queryKey={[...fleetKey, 'activity', truck.id]}
    read={(query, signal) => call(fleet.truckActivity, { params: { id: truck.id }, query, signal })}
    words={WORDS}
  />
)
