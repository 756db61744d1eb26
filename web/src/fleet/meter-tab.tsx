import { ActionIcon, Button, Skeleton, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconBan, IconGauge } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { showKm, showNumber } from '#contract/base/money.ts'
import { fleet, type Truck } from '#contract/fleet/fleet.ts'
import { READING_SOURCES, type Reading } from '#contract/fleet/meter.ts'
import { call } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import { confirm } from '../ui/confirm.tsx'
import { Section } from '../ui/detail-frame.tsx'
import { EmptyState, ErrorState, useArrived } from '../ui/faces.tsx'
import { say } from '../ui/snackbar.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { useClosed } from '../workshops/closed.ts'
import { MeterLine, makesLine } from './meter-line.tsx'
import styles from './meter-tab.module.css'
import { fleetKey, READINGS_SHOWN, readingsQuery } from './queries.ts'

const STEP = 25

export function MeterTab({ truck, onRecord }: { truck: Truck; onRecord: () => void }) {
  const zone = useZone()
  const mayWrite = useMay('fleet.write')
  const readings = useQuery(readingsQuery(truck.id))
  const arrived = useArrived(readings.data)
  const [shown, setShown] = useState(STEP)

  if (readings.isError && !readings.data)
    return <ErrorState error={readings.error} onRetry={() => void readings.refetch()} />
  if (!arrived) return <Skeleton h={260} />
  const { data, total } = arrived
  if (data.length === 0)
    return (
      <EmptyState
        icon={IconGauge}
        title="Aún no hay lecturas"
        action={mayWrite && <Button onClick={onRecord}>Registrar kilometraje</Button>}
      >
        Cada lectura del odómetro queda aquí, con su fecha y quién la registró.
      </EmptyState>
    )

  const columns: TableColumn<Reading>[] = [
    { label: 'Fecha', cell: ({ date }) => <span className="figures">{showMoment(date, zone)}</span> },
    {
      label: 'Kilometraje',
      align: 'end',
      cell: ({ km, superseded }) => <span className={superseded ? styles.struck : styles.km}>{showKm(km)}</span>,
    },
    {
      label: 'Origen',
      folds: true,
      cell: ({ source, correction, superseded, voided_at, voided_by }) => (
        <span className={styles.marks}>
          <span className={styles.source}>{READING_SOURCES[source].label}</span>
          {correction && <StatusPill tone="warning">Corrección</StatusPill>}
          {voided_at ? (
            <StatusPill tone="slate">{voided_by ? `Anulada por ${voided_by}` : 'Anulada'}</StatusPill>
          ) : (
            superseded && <StatusPill tone="slate">Reemplazada</StatusPill>
          )}
        </span>
      ),
    },
    { label: 'Registrada por', folds: true, cell: ({ user_name }) => user_name },
    { label: 'Nota', folds: true, cell: ({ note }) => note },
    ...(mayWrite
      ? [{ label: 'Acción', align: 'end' as const, cell: (reading: Reading) => <VoidButton reading={reading} /> }]
      : []),
  ]

  return (
    <div className={styles.tab}>
      {makesLine(data) && (
        <Section title="Kilometraje en el tiempo">
          <MeterLine readings={data} height={200} scaled />
        </Section>
      )}
      <Table
        label="Lecturas del odómetro"
        columns={columns}
        rows={data.slice(0, shown)}
        keyOf={(reading) => reading.id}
        faded={(reading) => reading.superseded}
      />
      <div className={styles.more}>
        <span>
          {total > READINGS_SHOWN
            ? `Las últimas ${showNumber(READINGS_SHOWN)} de ${showNumber(total)} lecturas`
            : `${showNumber(total)} ${total === 1 ? 'lectura' : 'lecturas'}`}
        </span>
        {shown < data.length && (
          <Button variant="default" onClick={() => setShown(shown + STEP * 2)}>
            Ver más
          </Button>
        )}
      </div>
    </div>
  )
}

function VoidButton({ reading }: { reading: Reading }) {
  const client = useQueryClient()
  const closed = useClosed().at(reading.date)
  const isVoid = reading.voided_at !== null
  const label = isVoid ? 'Restaurar lectura' : 'Anular lectura'
  const act = async () => {
    const sure =
      isVoid ||
      (await confirm({
        title: `¿Anular la lectura de ${showKm(reading.km)}?`,
        message: 'Deja de contar: el kilometraje, las alertas y los costos por kilómetro se calculan sin ella.',
        accept: 'Anular lectura',
        danger: true,
      }))
    if (!sure) return
    try {
      await call(isVoid ? fleet.restoreReading : fleet.voidReading, { params: { id: reading.id } })
      for (const queryKey of [fleetKey, ['alerts']]) void client.invalidateQueries({ queryKey })
      say(isVoid ? 'Lectura restaurada' : 'Lectura anulada')
    } catch (error) {
      say(isVoid ? 'No se pudo restaurar la lectura' : 'No se pudo anular la lectura', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    }
  }
  return (
    <Tooltip label={closed ?? label}>
      <ActionIcon
        variant="subtle"
        aria-label={`${label} de ${showKm(reading.km)}`}
        aria-disabled={Boolean(closed)}
        data-disabled={closed ? true : undefined}
        onClick={() => (closed ? say(closed) : void act())}
      >
        {isVoid ? <IconArrowBackUp size={16} stroke={1.7} /> : <IconBan size={16} stroke={1.7} />}
      </ActionIcon>
    </Tooltip>
  )
}
