import { permissionsOf } from '#contract/base/permissions.ts'
import type { Me } from '#contract/identity/identity.ts'

/** A workshop chief of one company. */
export const ana: Me = {
  id: 1,
  name: 'Ana Rojas',
  email: 'ana@demo.cl',
  company_id: 1,
  role: 'admin',
  workshop_id: 2,
  specialist_id: null,
  needs_factor: false,
  permissions: permissionsOf('admin'),
  companies: [
    {
      id: 1,
      name: 'Transportes',
      time_zone: 'America/Santiago',
      role: 'admin',
      workshop_id: 2,
      workshop_name: 'Taller Quilicura',
    },
  ],
}
