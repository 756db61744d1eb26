import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { PROVIDER_FIELDS, SERVICE_FIELDS } from '#contract/providers/fields.ts'
import { type Provider, providers, type Service } from '#contract/providers/providers.ts'
import { ActivityTab } from '../frames/activity-tab.tsx'
import { call } from '../platform/api.ts'
import { providersKey } from './queries.ts'

const ACTIONS: Record<string, string> = {
  created: 'creó el proveedor',
  updated: 'editó el proveedor',
  deleted: 'eliminó el proveedor',
  imported: 'importó el proveedor',
  import_undone: 'deshizo la importación del proveedor',
}

const WORDS = {
  actions: ACTIONS,
  fields: PROVIDER_FIELDS,
  empty: 'Cada cambio del proveedor queda aquí: quién, cuándo y qué había antes.',
}

const SERVICE_WORDS = {
  actions: {
    created: 'creó el servicio',
    updated: 'editó el servicio',
    deleted: 'eliminó el servicio',
  },
  fields: SERVICE_FIELDS,
  empty: 'Cada cambio del servicio queda aquí: quién, cuándo y qué había antes.',
}

/** Folded under what the drawer of a service shows. */
export function ServiceActivity({ service }: { service: Service }) {
  const [shown, setShown] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        aria-expanded={shown}
        leftSection={<IconHistory size={14} stroke={1.7} />}
        onClick={() => setShown(!shown)}
      >
        {shown ? 'Ocultar actividad' : 'Ver actividad'}
      </Button>
      {shown && (
        <ActivityTab
          queryKey={[...providersKey, 'service-activity', service.id]}
          read={(query, signal) => call(providers.serviceActivity, { params: { id: service.id }, query, signal })}
          words={SERVICE_WORDS}
        />
      )}
    </>
  )
}

export const ProviderActivity = ({ provider }: { provider: Provider }) => (
  <ActivityTab
    queryKey={[...providersKey, 'activity', provider.id]}
    read={(query, signal) => call(providers.providerActivity, { params: { id: provider.id }, query, signal })}
    words={WORDS}
  />
)
