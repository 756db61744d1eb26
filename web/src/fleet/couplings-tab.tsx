import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { IconLink, IconPencil, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { showKm } from '#contract/base/money.ts'
import { type Coupling, showPatent, type Truck } from '#contract/fleet/fleet.ts'
import { useMay, useZone } from '../platform/session.ts'
import { EmptyState, ErrorState } from '../ui/faces.tsx'
import { lazy } from '../ui/lazy.ts'
import { Plate } from '../ui/plate.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import styles from './meter-tab.module.css'
import { couplingsQuery } from './queries.ts'

// Brings the calendar along.
const CouplingDrawer = lazy(() => import('./coupling-drawer.tsx'))

export function CouplingsTab({ truck }: { truck: Truck }) {
  const zone = useZone()
  const mayWrite = useMay('fleet.write')
  const couplings = useQuery(couplingsQuery(truck.id))
  const [opened, setOpened] = useState<Coupling | 'new'>()
  const add = mayWrite && (
    <Button variant="default" leftSection={<IconPlus size={16} stroke={1.7} />} onClick={() => setOpened('new')}>
      Agregar anterior
    </Button>
  )
  const drawer = opened && (
    <Suspense fallback={null}>
      <CouplingDrawer
        truck={truck}
        {...(opened !== 'new' && { coupling: opened })}
        onClose={() => setOpened(undefined)}
      />
    </Suspense>
  )
  if (couplings.isError && !couplings.data)
    return <ErrorState error={couplings.error} onRetry={() => void couplings.refetch()} />
  if (!couplings.data) return <Skeleton h={160} />
  if (couplings.data.length === 0)
    return (
      <>
        <EmptyState icon={IconLink} title="Aún no ha llevado acoplados" action={add}>
          El acoplado se elige en General; aquí queda desde cuándo y hasta cuándo, y los kilómetros que recorrió con
          este equipo.
        </EmptyState>
        {drawer}
      </>
    )
  const columns: TableColumn<Coupling>[] = [
    { label: 'Acoplado', cell: ({ patent }) => <Plate text={showPatent(patent)} /> },
    { label: 'Desde', folds: true, cell: ({ from }) => <span className="figures">{showMoment(from, zone)}</span> },
    {
      label: 'Hasta',
      folds: true,
      cell: ({ until }) =>
        until ? (
          <span className="figures">{showMoment(until, zone)}</span>
        ) : (
          <StatusPill tone="success">Actual</StatusPill>
        ),
    },
    { label: 'Recorrido', align: 'end', cell: ({ kilometers }) => showKm(kilometers) },
    ...(mayWrite
      ? [
          {
            label: 'Corregir',
            align: 'end' as const,
            cell: (coupling: Coupling) => (
              <ActionIcon
                variant="subtle"
                aria-label={`Corregir ${showPatent(coupling.patent)}`}
                onClick={() => setOpened(coupling)}
              >
                <IconPencil size={16} stroke={1.7} />
              </ActionIcon>
            ),
          },
        ]
      : []),
  ]
  return (
    <div className={styles.tab}>
      <Table label="Acoplados del equipo" columns={columns} rows={couplings.data} keyOf={(coupling) => coupling.id} />
      {add && <div className={styles.more}>{add}</div>}
      {drawer}
    </div>
  )
}
