import { ActionIcon, Menu, Skeleton, Tooltip } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconDotsVertical, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { PROVIDER_STATES, type Provider, type ProviderState, providers } from '#contract/providers.ts'
import { showDni } from '#contract/rut.ts'
import { ALL_WORKSHOPS } from '#contract/workshops.ts'
import { ApiFailure, call } from '../platform/api.ts'
import { useMay, useWorkshop } from '../platform/session.ts'
import { confirm } from '../ui/confirm.tsx'
import { DetailFrame } from '../ui/detail-frame.tsx'
import { ErrorState, useNoticeable } from '../ui/faces.tsx'
import { NotFound } from '../ui/not-found.tsx'
import { say } from '../ui/snackbar.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { MailLink, PhoneLink } from './contact.tsx'
import { GeneralTab } from './general-tab.tsx'
import { ProviderActivity } from './provider-activity.tsx'
import styles from './provider-detail.module.css'
import { providerQuery, providersKey } from './queries.ts'
import { ServicesTab } from './services-tab.tsx'

const OrdersOf = lazy(() => import('../work-orders/orders-of.tsx'))

export default function ProviderDetail() {
  const { id } = useParams({ strict: false })
  const known = Number.isSafeInteger(Number(id)) && Number(id) > 0
  const provider = useQuery({ ...providerQuery(Number(id)), enabled: known })
  if (!known || (provider.error instanceof ApiFailure && provider.error.status === 404))
    return <NotFound title="Este proveedor no existe" />
  if (provider.data) return <ProviderPage key={provider.data.id} provider={provider.data} />
  if (provider.isError) return <ErrorState error={provider.error} onRetry={() => void provider.refetch()} />
  return <Waiting />
}

/** What all workshops share is changed by who works in all of them. */
const useMayChange = (provider: Provider) => {
  const mayWrite = useMay('providers.write')
  const { mayChoose } = useWorkshop()
  return mayWrite && (provider.workshop_id !== null || mayChoose)
}

function ProviderPage({ provider }: { provider: Provider }) {
  const mayChange = useMayChange(provider)
  const { setState, remove, isPending } = useProviderActions(provider)
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
            {provider.dni && <span className={styles.dni}>{showDni(provider.dni)}</span>}
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
          <Menu position="bottom-end" width={200}>
            <Menu.Target>
              <Tooltip label="Más acciones">
                <ActionIcon variant="default" aria-label="Más acciones" loading={isPending}>
                  <IconDotsVertical size={16} stroke={1.7} />
                </ActionIcon>
              </Tooltip>
            </Menu.Target>
            <Menu.Dropdown>
              {provider.state === 'active' ? (
                <Menu.Item
                  leftSection={<IconPlayerPause size={16} stroke={1.7} />}
                  onClick={() => setState('inactive')}
                >
                  Desactivar
                </Menu.Item>
              ) : (
                <Menu.Item leftSection={<IconPlayerPlay size={16} stroke={1.7} />} onClick={() => setState('active')}>
                  Activar
                </Menu.Item>
              )}
              <Menu.Item color="red" leftSection={<IconTrash size={16} stroke={1.7} />} onClick={remove}>
                Eliminar
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )
      }
      tabs={[
        {
          value: 'general',
          label: 'General',
          path: page,
          content: <GeneralTab provider={provider} mayChange={mayChange} />,
          keep: true,
        },
        {
          value: 'services',
          label: 'Servicios',
          path: `${page}/services`,
          content: <ServicesTab provider={provider} />,
        },
        {
          value: 'ordenes',
          label: 'Órdenes de trabajo',
          content: (
            <Suspense fallback={<Skeleton h={320} />}>
              <OrdersOf of="Provider" id={provider.id} about="Aquí quedan las órdenes en que trabajó el proveedor." />
            </Suspense>
          ),
        },
        { value: 'activity', label: 'Actividad', content: <ProviderActivity provider={provider} /> },
      ]}
    />
  )
}

const SAID: Record<ProviderState, string> = { active: 'Proveedor activado', inactive: 'Proveedor desactivado' }

function useProviderActions(provider: Provider) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isPending, setPending] = useState(false)

  const attempt = async (act: () => Promise<void>, failed: string) => {
    setPending(true)
    try {
      await act()
    } catch (error) {
      say(failed, { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: providersKey })
    }
  }

  const putState = (from: Provider, state: ProviderState): Promise<void> =>
    attempt(async () => {
      const after = await call(providers.updateProvider, { params: { id: from.id }, body: { ...from, state } })
      client.setQueryData(providerQuery(from.id).queryKey, after)
      say(SAID[state], { undo: () => void putState(after, from.state) })
    }, 'Error al actualizar el proveedor ❌')

  const setState = (state: ProviderState) => putState(provider, state)

  const remove = async () => {
    const sure = await confirm({
      title: `¿Eliminar a ${provider.name}?`,
      message: `Se eliminarán también sus servicios, y no se puede deshacer. Un proveedor que ya se usó se desactiva en vez de eliminarse.`,
      accept: 'Eliminar',
      danger: true,
    })
    if (!sure) return
    await attempt(async () => {
      try {
        await call(providers.deleteProvider, { params: { id: provider.id } })
      } catch (error) {
        if (!(error instanceof ApiFailure && error.status === 409)) throw error
        const instead = await confirm({
          title: 'No se puede eliminar',
          message: error.message,
          accept: provider.state === 'active' ? 'Desactivar' : 'Entendido',
        })
        if (instead && provider.state === 'active') await setState('inactive')
        return
      }
      await navigate({ to: '/provider' })
      client.removeQueries({ queryKey: providerQuery(provider.id).queryKey })
      say('Proveedor eliminado correctamente ✅')
    }, 'Error al eliminar el proveedor ❌')
  }

  return { setState, remove, isPending }
}

function Waiting() {
  const shown = useNoticeable(true)
  if (!shown) return null
  return (
    <div className={styles.waiting} role="status" aria-label="Cargando">
      <Skeleton h={14} w={90} />
      <div className={styles.words}>
        <Skeleton h={22} w={280} maw="100%" />
        <Skeleton h={12} w={360} maw="100%" />
      </div>
      <Skeleton h={36} w={280} maw="100%" />
      <Skeleton h={320} />
    </div>
  )
}
