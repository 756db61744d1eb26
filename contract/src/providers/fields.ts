import { fieldsOf } from '../base/fields.ts'
import { showDni } from '../base/rut.ts'
import { PROVIDER_STATES, Provider, Service } from './providers.ts'

export const PROVIDER_FIELDS = fieldsOf(Provider, {
  name: { label: 'Nombre o razón social', short: 'Nombre' },
  dni: { label: 'RUT', show: showDni },
  phone: { label: 'Teléfono' },
  email: { label: 'Correo' },
  address: { label: 'Dirección' },
  payment_days: { label: 'Plazo de pago (días)', short: 'Plazo', kind: 'number' },
  workshop_id: { label: 'Taller', named: 'workshop_name' },
  services_count: { label: 'Servicios', kind: 'number', fixed: true },
  state: { label: 'Estado', words: PROVIDER_STATES },
})

export const SERVICE_FIELDS = fieldsOf(Service, {
  code: { label: 'Código' },
  name: { label: 'Nombre' },
  provider_id: { label: 'Proveedor', named: 'provider_name' },
  category_id: { label: 'Categoría', named: 'category_name' },
  unit_price: { label: 'Costo unitario', kind: 'money' },
  workshop_id: { label: 'Taller' },
  description: { label: 'Descripción' },
  state: { label: 'Estado', words: PROVIDER_STATES },
})
