import { SUPPLY_FIELDS } from '#contract/supplies/fields.ts'
import { type Supply, supplies } from '#contract/supplies/supplies.ts'
import { ActivityTab } from '../frames/activity-tab.tsx'
import { call } from '../platform/api.ts'
import { suppliesKey } from './queries.ts'

const ACTIONS: Record<string, string> = {
  created: 'creó el insumo',
  updated: 'editó el insumo',
  deleted: 'eliminó el insumo',
  imported: 'importó el insumo',
  import_undone: 'deshizo la importación del insumo',
}

const WORDS = {
  actions: ACTIONS,
  // An import calls these two as its columns are called.
  fields: { ...SUPPLY_FIELDS, unit_cost: SUPPLY_FIELDS.cost, status: SUPPLY_FIELDS.state },
  empty: 'Cada cambio del insumo queda aquí: quién, cuándo y qué había antes.',
}

export const SupplyActivity = ({ supply }: { supply: Supply }) => (
  <ActivityTab
    queryKey={[...suppliesKey, 'activity', supply.id]}
    read={(query, signal) => call(supplies.supplyActivity, { params: { id: supply.id }, query, signal })}
    words={WORDS}
  />
)
