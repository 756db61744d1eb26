import { IconClipboardList } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Truck } from '#contract/fleet/fleet.ts'
import type { Provider } from '#contract/providers/providers.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { ListScreen } from '../../frames/list-screen.tsx'
import { useMay } from '../../platform/session.ts'
import { useHistoryFilters } from '../filters.ts'
import { workOrdersKey } from '../queries.ts'
import { useOrdersBulk } from './bulk.tsx'
import { useOrderColumns } from './columns.tsx'
import { PAGE_QUERY, TotalsLine } from './history.tsx'

interface OrdersOfProps {
  /** Whose they are: a truck's, or those a provider worked in. */
  of: 'Truck' | 'Provider'
  id: number
  about: string
}

/** The orders of one truck or provider, with what they cost, as a tab of its page. */
function OrdersOf({ of, id, about }: OrdersOfProps) {
  const navigate = useNavigate()
  const mayWrite = useMay('work-orders.write')
  const columns = useOrderColumns().filter(({ key }) => of !== 'Truck' || key !== 'patent')
  return (
    <ListScreen
      name={`work-orders-of-${of.toLowerCase()}`}
      title="Órdenes de trabajo"
      noun={{ one: 'orden', many: 'órdenes', none: 'Ninguna' }}
      icon={IconClipboardList}
      about={about}
      endpoint={workOrders.listWorkOrders}
      queryKey={workOrdersKey}
      scope={{ [of]: [id] }}
      columns={columns}
      filters={useHistoryFilters().filter(({ key }) => key !== of)}
      searchLabel="Número o texto"
      pathOf={(order) => `/ordenes-de-trabajo/${order.id}`}
      bulk={useOrdersBulk()}
      create={
        mayWrite && of === 'Truck'
          ? {
              label: 'Nueva orden',
              act: () => void navigate({ to: '/ordenes-de-trabajo/nueva', search: { truck: id } }),
            }
          : undefined
      }
      pageQuery={PAGE_QUERY}
      summary={(reply, counting) => <TotalsLine reply={reply} counting={counting} />}
      inside
    />
  )
}

export const OrdersOfTruck = ({ truck }: { truck: Truck }) => (
  <OrdersOf of="Truck" id={truck.id} about="Aquí queda lo que se le ha hecho al equipo, y cuánto costó." />
)

export const OrdersOfProvider = ({ provider }: { provider: Provider }) => (
  <OrdersOf of="Provider" id={provider.id} about="Aquí quedan las órdenes en que trabajó el proveedor." />
)
