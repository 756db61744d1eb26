import { showMoney } from '#contract/base/money.ts'
import { SUPPLY_STATES, type Supply, type SupplyState, supplies } from '#contract/supplies/supplies.ts'
import { ActivityTab, asText } from '../frames/activity-tab.tsx'
import { call } from '../platform/api.ts'
import { suppliesKey } from './queries.ts'

const ACTIONS: Record<string, string> = {
  created: 'creó el insumo',
  updated: 'editó el insumo',
  deleted: 'eliminó el insumo',
  imported: 'importó el insumo',
  import_undone: 'deshizo la importación del insumo',
}

const money = (value: unknown) => showMoney(Number(value))

const FIELDS = {
  code: { label: 'Código', show: asText },
  name: { label: 'Nombre', show: asText },
  cost: { label: 'Costo', show: money },
  unit_cost: { label: 'Costo', show: money },
  category_name: { label: 'Categoría', show: asText },
  measurement_unit_name: { label: 'Unidad', show: asText },
  description: { label: 'Descripción', show: asText },
  state: { label: 'Estado', show: (value: unknown) => SUPPLY_STATES[value as SupplyState]?.label ?? asText(value) },
  workshop_name: { label: 'Ubicación', show: asText },
}

const WORDS = {
  actions: ACTIONS,
  fields: FIELDS,
  empty: 'Cada cambio del insumo queda aquí: quién, cuándo y qué había antes.',
}

export const SupplyActivity = ({ supply }: { supply: Supply }) => (
  <ActivityTab
    queryKey={[...suppliesKey, 'activity', supply.id]}
    read={(query, signal) => call(supplies.supplyActivity, { params: { id: supply.id }, query, signal })}
    words={WORDS}
  />
)
