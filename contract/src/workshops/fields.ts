import { fieldsOf } from '../base/fields.ts'
import { showDni } from '../base/rut.ts'
import { Box, Driver, ROSTER_STATES, Specialist } from './rosters.ts'
import { Location } from './workshops.ts'

/** Of whatever belongs to a workshop and can be taken out of use. */
export const PLACED_FIELDS = {
  workshop_id: { label: 'Taller', named: 'workshop_name' },
  state: { label: 'Estado', words: ROSTER_STATES },
} as const

export const WORKSHOP_FIELDS = fieldsOf(Location, {
  name: { label: 'Nombre' },
  address: { label: 'Dirección' },
  state: PLACED_FIELDS.state,
})

export const BOX_FIELDS = fieldsOf(Box, { name: { label: 'Nombre' }, ...PLACED_FIELDS })

export const PERSON_FIELDS = {
  names: { label: 'Nombres' },
  last_name_p: { label: 'Apellido paterno', short: 'Nombre' },
  last_name_m: { label: 'Apellido materno' },
  dni: { label: 'RUT', show: showDni },
} as const

export const SPECIALIST_FIELDS = fieldsOf(Specialist, {
  ...PERSON_FIELDS,
  position: { label: 'Cargo' },
  ...PLACED_FIELDS,
})

export const DRIVER_FIELDS = fieldsOf(Driver, {
  ...PERSON_FIELDS,
  phone: { label: 'Teléfono' },
  licence_class: { label: 'Clase de licencia', short: 'Licencia' },
  licence_expires_on: { label: 'Licencia vence', short: 'Vence', kind: 'day' },
  ...PLACED_FIELDS,
})
