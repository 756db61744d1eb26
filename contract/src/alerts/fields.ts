import { fieldsOf } from '../base/fields.ts'
import { ALERT_STATES, Alert } from './alerts.ts'

/** In the order of the list. Its three settings have a part of the drawer each, and are told there. */
export const ALERT_FIELDS = fieldsOf(Alert, {
  name: { label: 'Nombre', short: 'Mantención' },
  code: { label: 'Equipo', fixed: true },
  status: { label: 'Estado', words: ALERT_STATES, fixed: true },
  due_on: { label: 'Vence', kind: 'day', fixed: true },
  categories: { label: 'Categorías' },
  description: { label: 'Descripción' },
  coupled_id: { label: 'Acoplado', fixed: true },
  workshop_id: { label: 'Taller', named: 'workshop_name', fixed: true },
})
