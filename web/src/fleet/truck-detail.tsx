import { ActionIcon, Button, Menu, Skeleton, Tooltip } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconDotsVertical, IconGauge, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { fleet, showPatent, TRUCK_STATES, type Truck, type TruckState } from '#contract/fleet.ts'
import { showKm } from '#contract/money.ts'
import { ApiFailure, call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { confirm } from '../ui/confirm.tsx'
import { DetailFrame } from '../ui/detail-frame.tsx'
import { ErrorState, useNoticeable } from '../ui/faces.tsx'
import { NotFound } from '../ui/not-found.tsx'
import { Plate } from '../ui/plate.tsx'
import { say } from '../ui/snackbar.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { CouplingsTab } from './couplings-tab.tsx'
import { GeneralTab } from './general-tab.tsx'
import { MeterTab } from './meter-tab.tsx'
import { fleetKey, truckQuery } from './queries.ts'
import { TruckActivity } from './truck-activity.tsx'
import styles from './truck-detail.module.css'

const OrdersOf = lazy(() => import('../work-orders/orders-of.tsx'))
// Brings the calendar along.
const ReadingDrawer = lazy(() => import('./reading-drawer.tsx'))

export default function TruckDetail() {
  const { id } = useParams({ strict: false })
  const known = Number.isSafeInteger(Number(id)) && Number(id) > 0
  const truck = useQuery({ ...truckQuery(Number(id)), enabled: known })
  if (!known || (truck.error instanceof ApiFailure && truck.error.status === 404))
    return <NotFound title="Este equipo no existe" />
  if (truck.data) return <TruckPage key={truck.data.id} truck={truck.data} />
  if (truck.isError) return <ErrorState error={truck.error} onRetry={() => void truck.refetch()} />
  return <Waiting />
}

function TruckPage({ truck }: { truck: Truck }) {
  const mayWrite = useMay('fleet.write')
  const [reading, setReading] = useState(false)
  const { setState, remove, isPending } = useTruckActions(truck)
  const state = TRUCK_STATES[truck.state]
  useDocumentTitle(`${truck.code} ${showPatent(truck.patent)} · Maestranza`)
  return (
    <>
      <DetailFrame
        back={{ to: '/truck', label: 'Equipos' }}
        header={
          <div className={styles.header}>
            <Plate text={showPatent(truck.patent)} size="lg" />
            <div className={styles.words}>
              <div className={styles.line}>
                <h1 className={styles.code}>{truck.code}</h1>
                <StatusPill tone={state.tone}>{state.label}</StatusPill>
              </div>
              <div className={styles.meta}>
                <span className={styles.km}>{showKm(truck.mileage)}</span>
                {[truck.brand_name, truck.type_name, truck.workshop_name].filter(Boolean).map((word) => (
                  <span key={word}>{word}</span>
                ))}
              </div>
            </div>
          </div>
        }
        actions={
          mayWrite && (
            <>
              <Button
                variant="default"
                leftSection={<IconGauge size={16} stroke={1.7} />}
                onClick={() => setReading(true)}
              >
                Registrar kilometraje
              </Button>
              <Menu position="bottom-end" width={200}>
                <Menu.Target>
                  <Tooltip label="Más acciones">
                    <ActionIcon variant="default" aria-label="Más acciones" loading={isPending}>
                      <IconDotsVertical size={16} stroke={1.7} />
                    </ActionIcon>
                  </Tooltip>
                </Menu.Target>
                <Menu.Dropdown>
                  {truck.state === 'active' ? (
                    <Menu.Item
                      leftSection={<IconPlayerPause size={16} stroke={1.7} />}
                      onClick={() => setState('inactive')}
                    >
                      Desactivar
                    </Menu.Item>
                  ) : (
                    <Menu.Item
                      leftSection={<IconPlayerPlay size={16} stroke={1.7} />}
                      onClick={() => setState('active')}
                    >
                      Activar
                    </Menu.Item>
                  )}
                  <Menu.Item color="red" leftSection={<IconTrash size={16} stroke={1.7} />} onClick={remove}>
                    Eliminar
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </>
          )
        }
        tabs={[
          { value: 'general', label: 'General', content: <GeneralTab truck={truck} />, keep: true },
          {
            value: 'mileage',
            label: 'Kilometraje',
            content: <MeterTab truck={truck} onRecord={() => setReading(true)} />,
          },
          {
            value: 'ordenes',
            label: 'Órdenes de trabajo',
            content: (
              <Suspense fallback={<Skeleton h={320} />}>
                <OrdersOf
                  of="Truck"
                  id={truck.id}
                  about="Aquí queda lo que se le ha hecho al equipo, y cuánto costó."
                />
              </Suspense>
            ),
          },
          { value: 'coupled', label: 'Acoplados', content: <CouplingsTab truck={truck} /> },
          { value: 'activity', label: 'Actividad', content: <TruckActivity truck={truck} /> },
        ]}
      />
      {reading && (
        <Suspense fallback={null}>
          <ReadingDrawer truck={truck} onClose={() => setReading(false)} />
        </Suspense>
      )}
    </>
  )
}

const SAID: Record<TruckState, string> = { active: 'Equipo activado', inactive: 'Equipo desactivado' }

function useTruckActions(truck: Truck) {
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
      void client.invalidateQueries({ queryKey: fleetKey })
    }
  }

  const putState = (from: Truck, state: TruckState): Promise<void> =>
    attempt(async () => {
      const after = await call(fleet.updateTruck, { params: { id: from.id }, body: { ...from, state } })
      client.setQueryData(truckQuery(from.id).queryKey, after)
      say(SAID[state], { undo: () => void putState(after, from.state) })
    }, 'Error al actualizar el equipo')

  const setState = (state: TruckState) => putState(truck, state)

  const remove = async () => {
    const sure = await confirm({
      title: `¿Eliminar el equipo ${truck.code}?`,
      message: 'No se puede deshacer. Un equipo con historial se desactiva en vez de eliminarse.',
      accept: 'Eliminar',
      danger: true,
    })
    if (!sure) return
    await attempt(async () => {
      try {
        await call(fleet.deleteTruck, { params: { id: truck.id } })
      } catch (error) {
        if (!(error instanceof ApiFailure && error.status === 409)) throw error
        const instead = await confirm({
          title: 'No se puede eliminar',
          message: error.message,
          accept: truck.state === 'active' ? 'Desactivar' : 'Entendido',
        })
        if (instead && truck.state === 'active') await setState('inactive')
        return
      }
      await navigate({ to: '/truck' })
      client.removeQueries({ queryKey: truckQuery(truck.id).queryKey })
      say('Equipo eliminado correctamente ✅')
    }, 'Error al eliminar el equipo')
  }

  return { setState, remove, isPending }
}

function Waiting() {
  const shown = useNoticeable(true)
  if (!shown) return null
  return (
    <div className={styles.waiting} role="status" aria-label="Cargando">
      <Skeleton h={14} w={70} />
      <div className={styles.header}>
        <Skeleton h={48} w={132} />
        <div className={styles.words}>
          <Skeleton h={22} w={120} />
          <Skeleton h={12} w={240} />
        </div>
      </div>
      <Skeleton h={36} w={380} maw="100%" />
      <Skeleton h={320} />
    </div>
  )
}
