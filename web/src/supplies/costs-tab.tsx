import { Skeleton } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { showMoment } from '#contract/base/dates.ts'
import { showMoney, showNumber } from '#contract/base/money.ts'
import { COST_SOURCES, type Supply, type SupplyCost } from '#contract/supplies/supplies.ts'
import styles from '../frames/detail-page.module.css'
import { useZone } from '../platform/session.ts'
import { Section } from '../ui/detail-frame.tsx'
import { EmptyState, ErrorState } from '../ui/faces.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { CostLine } from './cost-line.tsx'
import { COSTS_SHOWN, costsQuery } from './queries.ts'

export function CostsTab({ supply }: { supply: Supply }) {
  const zone = useZone()
  const costs = useQuery(costsQuery(supply.id))
  if (costs.isError && !costs.data) return <ErrorState error={costs.error} onRetry={() => void costs.refetch()} />
  if (!costs.data) return <Skeleton h={260} />
  const { data, total } = costs.data
  if (data.length === 0)
    return (
      <EmptyState icon={IconChartLine} title="Aún no hay precios">
        Cada cambio de costo queda aquí, con su fecha y de dónde vino.
      </EmptyState>
    )
  const columns: TableColumn<SupplyCost>[] = [
    { label: 'Desde', cell: ({ at }) => <span className={styles.oneLine}>{showMoment(at, zone)}</span> },
    { label: 'Costo unitario', align: 'end', cell: ({ cost }) => <span className="figures">{showMoney(cost)}</span> },
    { label: 'Origen', folds: true, cell: ({ source }) => COST_SOURCES[source].label },
    {
      label: 'Documento',
      folds: true,
      cell: ({ reference }) => reference && <span className={`mono ${styles.oneLine}`}>{reference}</span>,
    },
    { label: 'Registrado por', folds: true, grows: true, cell: ({ user_name }) => user_name },
  ]
  return (
    <div className={styles.stack}>
      {data.length > 1 && (
        <Section title="Costo en el tiempo">
          <CostLine costs={data} height={200} scaled />
        </Section>
      )}
      <Table label="Precios del insumo" columns={columns} rows={data} keyOf={(cost) => cost.id} />
      <div className={styles.small}>
        {total > COSTS_SHOWN
          ? `Los últimos ${showNumber(COSTS_SHOWN)} de ${showNumber(total)} precios`
          : `${showNumber(total)} ${total === 1 ? 'precio' : 'precios'}`}
      </div>
    </div>
  )
}
