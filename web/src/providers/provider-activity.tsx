import { PROVIDER_STATES, type Provider, type ProviderState, providers } from '#contract/providers.ts'
import { showDni } from '#contract/rut.ts'
import { ActivityTab, asText } from '../platform/activity-tab.tsx'
import { call } from '../platform/api.ts'
import { providersKey } from './queries.ts'

const ACTIONS: Record<string, string> = {
  created: 'creó el proveedor',
  updated: 'editó el proveedor',
  deleted: 'eliminó el proveedor',
}

const FIELDS = {
  name: { label: 'Nombre', show: asText },
  dni: { label: 'RUT', show: (value: unknown) => showDni(asText(value)) },
  phone: { label: 'Teléfono', show: asText },
  email: { label: 'Correo', show: asText },
  address: { label: 'Dirección', show: asText },
  workshop_name: { label: 'Taller', show: asText },
  state: { label: 'Estado', show: (value: unknown) => PROVIDER_STATES[value as ProviderState]?.label ?? asText(value) },
}

const WORDS = {
  actions: ACTIONS,
  fields: FIELDS,
  empty: 'Cada cambio del proveedor queda aquí: quién, cuándo y qué había antes.',
}

export const ProviderActivity = ({ provider }: { provider: Provider }) => (
  <ActivityTab
    queryKey={[...providersKey, 'activity', provider.id]}
    read={(query, signal) => call(providers.providerActivity, { params: { id: provider.id }, query, signal })}
    words={WORDS}
  />
)
