import { fieldsOf } from '../base/fields.ts'
import { ROLES } from '../base/permissions.ts'
import { PLACED_FIELDS } from '../workshops/fields.ts'
import { USER_STATES, User } from './identity.ts'

/** In the order of the list. */
export const USER_FIELDS = fieldsOf(User, {
  name: { label: 'Nombre' },
  email: { label: 'Correo' },
  role: { label: 'Rol', words: ROLES },
  workshop_id: PLACED_FIELDS.workshop_id,
  specialist_id: { label: 'Especialista' },
  state: { label: 'Estado', words: USER_STATES },
  last_seen_at: { label: 'Última vez', kind: 'moment', fixed: true },
})
