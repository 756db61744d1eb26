import { Skeleton } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { showMoment } from '#contract/base/dates.ts'
import { showKm } from '#contract/base/money.ts'
import { type Coupling, showPatent, type Truck } from '#contract/fleet/fleet.ts'
import { useZone } from '../platform/session.ts'
import { EmptyState, ErrorState } from '../ui/faces.tsx'
import { Plate } from '../ui/plate.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { couplingsQuery } from './queries.ts'

export function CouplingsTab({ truck }: { truck: Truck }) {
  const zone = useZone()
  const couplings = useQuery(couplingsQuery(truck.id))
  if (couplings.isError && !couplings.data)
    return <ErrorState error={couplings.error} onRetry={() => void couplings.refetch()} />
  if (!couplings.data) return <Skeleton h={160} />
  if (couplings.data.length === 0)
    return (
      <EmptyState icon={IconLink} title="Aún no ha llevado acoplados">
        El acoplado se elige en General; aquí queda desde cuándo y hasta cuándo, y los kilómetros que recorrió con este
        equipo.
      </EmptyState>
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
  ]
  return (
    <Table label="Acoplados del equipo" columns={columns} rows={couplings.data} keyOf={(coupling) => coupling.id} />
  )
}
