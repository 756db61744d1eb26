import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconGauge, IconPencil } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { showKm } from '#contract/base/money.ts'
import { fleet, showPatent, TRUCK_STATES, type Truck, type TruckState } from '#contract/fleet/fleet.ts'
import { DetailActions } from '../frames/detail-actions.tsx'
import styles from '../frames/detail-page.module.css'
import { DetailPage } from '../frames/detail-page.tsx'
import { Added, useAddedTabs } from '../frames/slots.tsx'
import { call } from '../platform/api.ts'
import { Elsewhere, useIsHome } from '../platform/elsewhere.tsx'
import { useMay } from '../platform/session.ts'
import { DetailFrame } from '../ui/detail-frame.tsx'
import { useKey } from '../ui/keys.ts'
import { lazy } from '../ui/lazy.ts'
import { ButtonLink } from '../ui/links.tsx'
import { Plate } from '../ui/plate.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { CouplingsTab } from './couplings-tab.tsx'
import { GeneralTab } from './general-tab.tsx'
import { MeterTab } from './meter-tab.tsx'
import { fleetKey, truckQuery } from './queries.ts'
import { TRUCK_ACTIONS, TRUCK_PILLS, TRUCK_TABS } from './slots.ts'
import { TruckActivity } from './truck-activity.tsx'

// Brings the calendar along.
const ReadingDrawer = lazy(() => import('./reading-drawer.tsx'))

export default function TruckDetail() {
  return (
    <DetailPage query={truckQuery} missing="Este equipo no existe">
      {(truck) => (
        <Elsewhere workshop={truck.workshop_id} lacking={['fleet.write', 'alerts.write']}>
          <TruckPage key={truck.id} truck={truck} />
        </Elsewhere>
      )}
    </DetailPage>
  )
}

function TruckPage({ truck }: { truck: Truck }) {
  const mayWrite = useMay('fleet.write')
  const isHome = useIsHome(truck.workshop_id)
  const added = useAddedTabs(TRUCK_TABS, { truck })
  const [reading, setReading] = useState(false)
  const state = TRUCK_STATES[truck.state]
  useKey('r', mayWrite ? () => setReading(true) : undefined)
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
                <h1 className={styles.name}>{truck.code}</h1>
                <StatusPill tone={state.tone}>{state.label}</StatusPill>
                <Added slot={TRUCK_PILLS} with={{ truck }} />
              </div>
              <div className={styles.meta}>
                <span className={styles.strong}>{showKm(truck.mileage)}</span>
                {[truck.brand_name, truck.type_name, truck.workshop_name].filter(Boolean).map((word) => (
                  <span key={word}>{word}</span>
                ))}
                {!isHome && <span className={styles.strong}>De otro taller: lo edita el suyo</span>}
              </div>
            </div>
          </div>
        }
        actions={
          // All at once: a button that comes later would move the others under the pointer.
          <Suspense fallback={null}>
            {mayWrite && (
              <>
                <ButtonLink
                  to="."
                  search={{ tab: 'general' }}
                  variant="subtle"
                  leftSection={<IconPencil size={16} stroke={1.7} />}
                >
                  Editar
                </ButtonLink>
                <Button
                  variant="default"
                  leftSection={<IconGauge size={16} stroke={1.7} />}
                  onClick={() => setReading(true)}
                >
                  Registrar kilometraje
                </Button>
                <DetailActions
                  row={truck}
                  queryKey={truckQuery(truck.id).queryKey}
                  refresh={fleetKey}
                  state={{
                    of: ({ state }) => state,
                    put: (from, state) =>
                      call(fleet.updateTruck, { params: { id: from.id }, body: { ...from, state } }),
                    said: SAID,
                    failed: 'Error al actualizar el equipo',
                  }}
                  remove={{
                    act: () => call(fleet.deleteTruck, { params: { id: truck.id } }),
                    title: `¿Eliminar el equipo ${truck.code}?`,
                    message: 'No se puede deshacer. Un equipo con historial se desactiva en vez de eliminarse.',
                    done: 'Equipo eliminado correctamente ✅',
                    failed: 'Error al eliminar el equipo',
                  }}
                  leadsTo="/truck"
                />
              </>
            )}
            <Added slot={TRUCK_ACTIONS} with={{ truck }} together />
          </Suspense>
        }
        tabs={[
          { value: 'general', label: 'General', content: <GeneralTab truck={truck} />, keep: true },
          {
            value: 'mileage',
            label: 'Kilometraje',
            content: <MeterTab truck={truck} onRecord={() => setReading(true)} />,
          },
          ...added,
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
