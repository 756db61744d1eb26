import { fieldsOf } from '../base/fields.ts'
import { showMoney } from '../base/money.ts'
import { SUPPLY_STATES, Supply } from './supplies.ts'

/** The import knows these labels again: what is exported can be imported. */
export const SUPPLY_FIELDS = fieldsOf(Supply, {
  code: { label: 'Código' },
  name: { label: 'Nombre' },
  workshop_id: { label: 'Ubicación', named: 'workshop_name' },
  cost: { label: 'Costo unitario', kind: 'cost', show: (cost) => showMoney(Number(cost)) },
  category_id: { label: 'Categoría', named: 'category_name' },
  measurement_units_id: { label: 'Unidad de medida', short: 'Unidad', named: 'measurement_unit_name' },
  description: { label: 'Descripción' },
  state: { label: 'Estado', words: SUPPLY_STATES },
  updated_at: { label: 'Actualizado', kind: 'date', fixed: true },
})
