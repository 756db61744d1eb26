import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { IconHistory, IconPrinter } from '@tabler/icons-react'
import { showMoney } from '#contract/base/money.ts'
import { type WorkOrderRow, workOrders } from '#contract/work-orders/orders.ts'
import type { ListFilter } from '../../frames/list-filters.tsx'
import { ListScreen } from '../../frames/list-screen.tsx'
import { useWorkshopFilter, useWorkshopScope } from '../../frames/workshop-filter.ts'
import { useMay, useWorkshop } from '../../platform/session.ts'
import { useHistoryFilters } from '../filters.ts'
import { workOrdersKey } from '../queries.ts'
import { useOrdersBulk } from './bulk.tsx'
import { useOrderColumns } from './columns.tsx'
import styles from './history.module.css'

const DATES = [
  { value: 'created', label: 'De creación' },
  { value: 'entry', label: 'De ingreso al taller' },
  { value: 'departure', label: 'De salida del taller' },
  { value: 'finalized', label: 'De finalización' },
]
const STOPPED = [{ value: 'true', label: 'Una orden por equipo en el taller' }]
const dateFilters: ListFilter[] = [
  { key: 'BetweenDate', label: 'Fechas', dates: 'range' },
  { key: 'Stopped', label: 'Detenidos ahora', useChoices: () => STOPPED },
  { key: 'DateOf', label: 'Qué fecha', one: true, hint: 'Sin elegir: la de creación', useChoices: () => DATES },
]

type Totals = Pick<WorkOrderRow, 'supplies_cost' | 'services_cost' | 'total_cost' | 'labour' | 'total_with_labour'>

/** The page is asked without its totals, which take longer: they come by a call of their own. */
export const PAGE_QUERY = { totals: 'none' }

export function TotalsLine({ reply, counting }: { reply: unknown; counting: boolean }) {
  const { totals, total } = reply as { totals?: Totals; total: number }
  const mayCosts = useMay('costs.read')
  if (!totals || totals.total_cost === null)
    return counting && mayCosts ? (
      <p className={styles.totals} role="status">
        <VisuallyHidden>Sumando…</VisuallyHidden>
        <Skeleton width={320} maw="100%" height={12} my={4} />
      </p>
    ) : null
  return (
    <dl className={styles.totals} aria-label={`Totales de ${total} órdenes`}>
      <div>
        <dt>Insumos</dt>
        <dd>{showMoney(totals.supplies_cost)}</dd>
      </div>
      <div>
        <dt>Servicios</dt>
        <dd>{showMoney(totals.services_cost)}</dd>
      </div>
      <div>
        <dt>Total de lo filtrado</dt>
        <dd>{showMoney(totals.total_cost)}</dd>
      </div>
      {totals.labour !== null && (
        <>
          <div>
            <dt>Mano de obra</dt>
            <dd>{showMoney(totals.labour)}</dd>
          </div>
          <div>
            <dt>Con mano de obra</dt>
            <dd>{showMoney(totals.total_with_labour)}</dd>
          </div>
        </>
      )}
    </dl>
  )
}

export default function History() {
  const workshop = useWorkshop()
  const mayWrite = useMay('work-orders.write')
  const workshopFilter = useWorkshopFilter()
  return (
    <ListScreen
      name="work-orders"
      title="Historial de órdenes de trabajo"
      noun={{ one: 'orden', many: 'órdenes', none: 'Ninguna' }}
      icon={IconHistory}
      about="Aquí quedan todas las órdenes de trabajo, con lo que costaron."
      endpoint={workOrders.workOrderHistory}
      queryKey={workOrdersKey}
      scope={useWorkshopScope()}
      columns={useOrderColumns()}
      filters={[...dateFilters, workshopFilter, ...useHistoryFilters()]}
      // The counter is a super administrator's: for everyone else it ignores the filters.
      uncounted={!workshop.mayChoose}
      searchLabel="Número, patente o texto"
      pathOf={(order) => `/ordenes-de-trabajo/${order.id}`}
      bulk={useOrdersBulk()}
      create={mayWrite ? { label: 'Nueva orden', to: '/ordenes-de-trabajo/nueva' } : undefined}
      pageQuery={PAGE_QUERY}
      summary={(reply, counting) => <TotalsLine reply={reply} counting={counting} />}
      actions={
        <Button
          variant="default"
          leftSection={<IconPrinter size={16} stroke={1.7} />}
          className={styles.print}
          onClick={() => window.print()}
        >
          Imprimir
        </Button>
      }
    />
  )
}
