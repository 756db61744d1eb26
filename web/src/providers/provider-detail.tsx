import { useDocumentTitle } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { showDni } from '#contract/base/rut.ts'
import { PROVIDER_STATES, type Provider, type ProviderState, providers } from '#contract/providers/providers.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { DetailActions } from '../frames/detail-actions.tsx'
import styles from '../frames/detail-page.module.css'
import { DetailPage } from '../frames/detail-page.tsx'
import { useAddedTabs } from '../frames/slots.tsx'
import { call } from '../platform/api.ts'
import { useMay, useWorkshop } from '../platform/session.ts'
import { DetailFrame } from '../ui/detail-frame.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { MailLink, PhoneLink } from './contact.tsx'
import { GeneralTab } from './general-tab.tsx'
import { ProviderActivity } from './provider-activity.tsx'
import { providerQuery, providersKey } from './queries.ts'
import { ServicesTab } from './services-tab.tsx'
import { PROVIDER_TABS } from './slots.ts'

export default function ProviderDetail() {
  return (
    <DetailPage query={providerQuery} missing="Este proveedor no existe">
      {(provider) => <ProviderPage key={provider.id} provider={provider} />}
    </DetailPage>
  )
}

/** What all workshops share is changed by those who work in all of them. */
const useMayChange = (provider: Provider) => {
  const mayWrite = useMay('providers.write')
  const { mayChoose } = useWorkshop()
  return mayWrite && (provider.workshop_id !== null || mayChoose)
}

function ProviderPage({ provider }: { provider: Provider }) {
  const mayChange = useMayChange(provider)
  const added = useAddedTabs(PROVIDER_TABS, { provider })
  const state = PROVIDER_STATES[provider.state]
  const page = `/provider/${provider.id}`
  useDocumentTitle(`${provider.name} · Maestranza`)
  return (
    <DetailFrame
      back={{ to: '/provider', label: 'Proveedores' }}
      header={
        <div className={styles.words}>
          <div className={styles.line}>
            <h1 className={styles.name}>{provider.name}</h1>
            <StatusPill tone={state.tone}>{state.label}</StatusPill>
          </div>
          <div className={styles.meta}>
            {provider.dni && <span className={styles.strong}>{showDni(provider.dni)}</span>}
            <span>{provider.workshop_name ?? ALL_WORKSHOPS}</span>
            {provider.phone && (
              <span>
                <PhoneLink phone={provider.phone} icon />
              </span>
            )}
            {provider.email && (
              <span>
                <MailLink email={provider.email} icon />
              </span>
            )}
          </div>
        </div>
      }
      actions={
        mayChange && (
          <>
            <ButtonLink
              to="/provider/$id"
              params={{ id: String(provider.id) }}
              search={{ tab: 'data' }}
              variant="subtle"
              leftSection={<IconPencil size={16} stroke={1.7} />}
            >
              Editar
            </ButtonLink>
            <DetailActions
              row={provider}
              queryKey={providerQuery(provider.id).queryKey}
              refresh={providersKey}
              state={{
                of: ({ state }) => state,
                put: (from, state) =>
                  call(providers.updateProvider, { params: { id: from.id }, body: { ...from, state } }),
                said: SAID,
                failed: 'Error al actualizar el proveedor ❌',
              }}
              remove={{
                act: () => call(providers.deleteProvider, { params: { id: provider.id } }),
                title: `¿Eliminar a ${provider.name}?`,
                message:
                  'Se eliminarán también sus servicios, y no se puede deshacer. Un proveedor que ya se usó se desactiva en vez de eliminarse.',
                done: 'Proveedor eliminado correctamente ✅',
                failed: 'Error al eliminar el proveedor ❌',
              }}
              leadsTo="/provider"
            />
          </>
        )
      }
      tabs={[
        {
          value: 'data',
          label: 'Datos',
          content: <GeneralTab provider={provider} mayChange={mayChange} />,
          keep: true,
        },
        {
          value: 'services',
          label: 'Servicios',
          path: `${page}/services`,
          content: <ServicesTab provider={provider} />,
        },
        // What it opens with is at its own address.
        ...added.map((tab) => (tab.first ? { ...tab, path: page } : tab)),
        { value: 'activity', label: 'Actividad', content: <ProviderActivity provider={provider} /> },
      ]}
    />
  )
}

const SAID: Record<ProviderState, string> = { active: 'Proveedor activado', inactive: 'Proveedor desactivado' }
