import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconPencil, IconRefreshAlert, IconShoppingCart } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, type SyntheticEvent, useState } from 'react'
import { showDate, showDay } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import { PURCHASE_STATES, type PurchaseOrder, purchasing } from '#contract/purchasing/purchasing.ts'
import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import { useMay, useZone } from '../platform/session.ts'
import { providerChoicesQuery } from '../providers/queries.ts'
import { choicesOf } from '../ui/choices.ts'
import { StatusPill } from '../ui/status-pill.tsx'
import type { Draft } from './purchase-order-form.tsx'
import { purchaseOrderQuery, purchasingKey } from './queries.ts'

const PurchaseOrderForm = lazy(() => import('./purchase-order-form.tsx'))
const PurchaseOrderCard = lazy(() => import('./purchase-order-card.tsx'))
const Reorder = lazy(() => import('./reorder.tsx'))

/** `correct` is left out where the person may not. */
const columnsOf = (zone: string, correct?: (order: PurchaseOrder) => void): Column<PurchaseOrder>[] => [
  {
    key: 'code',
    label: 'Número',
    sort: true,
    width: correct ? 150 : 120,
    rank: 1,
    fixed: true,
    cell: (order) => (
      <>
        <span className="mono">{order.code}</span>
        {correct && PURCHASE_STATES[order.status].editable && (
          <Tooltip label="Corregir">
            <ActionIcon
              component="span"
              role="button"
              tabIndex={0}
              variant="subtle"
              ml={6}
              aria-label={`Corregir ${order.code}`}
              onClick={(event: SyntheticEvent) => {
                event.stopPropagation()
                event.preventDefault()
                correct(order)
              }}
            >
              <IconPencil size={16} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
        )}
      </>
    ),
    file: (order) => order.code,
  },
  {
    key: 'provider_name',
    label: 'Proveedor',
    sort: true,
    plain: true,
    width: 230,
    rank: 2,
    cell: (order) => order.provider_name,
    file: (order) => order.provider_name,
  },
  {
    key: 'createdAt',
    label: 'Creada',
    sort: true,
    width: 120,
    rank: 6,
    cell: (order) => showDate(order.createdAt, zone),
    file: (order) => new Date(order.createdAt),
    fileFormat: 'dd-mm-yyyy',
  },
  {
    key: 'deliveryAt',
    label: 'Entrega',
    sort: true,
    width: 120,
    rank: 5,
    cell: (order) => order.deliveryAt && showDay(order.deliveryAt),
    file: (order) => (order.deliveryAt ? new Date(`${order.deliveryAt}T00:00:00Z`) : null),
    fileFormat: 'dd-mm-yyyy',
  },
  {
    key: 'document',
    label: 'Documento',
    sort: true,
    width: 120,
    rank: 8,
    cell: (order) => order.document,
    file: (order) => order.document,
  },
  {
    key: 'priority',
    label: 'Prioridad',
    sort: true,
    width: 100,
    rank: 7,
    cell: (order) => PRIORITIES[order.priority].label,
    file: (order) => PRIORITIES[order.priority].label,
  },
  {
    key: 'total',
    label: 'Total',
    sort: true,
    align: 'end',
    width: 130,
    rank: 4,
    cell: (order) => showMoney(order.total),
    file: (order) => order.total,
    fileFormat: '#,##0',
  },
  {
    key: 'status',
    label: 'Estado',
    sort: true,
    width: 150,
    rank: 3,
    cell: ({ status }) => <StatusPill tone={PURCHASE_STATES[status].tone}>{PURCHASE_STATES[status].label}</StatusPill>,
    file: ({ status }) => PURCHASE_STATES[status].label,
  },
]

const states = choicesOf(PURCHASE_STATES)

export default function OrdersTab({ warehouse }: { warehouse: Warehouse }) {
  const mayWrite = useMay('warehouses.write')
  const navigate = useNavigate()
  const zone = useZone()
  const [writing, setWriting] = useState<Draft>()
  const [correcting, setCorrecting] = useState<PurchaseOrder>()
  const search = useSearch({ strict: false }) as { order?: unknown; reorder?: unknown }
  const asked = Number(search.order)
  const known = Number.isSafeInteger(asked) && asked > 0
  const opened = useQuery({ ...purchaseOrderQuery(asked), enabled: known }).data
  const show = (what: { order?: number; reorder?: number }) =>
    void navigate({
      to: '.',
      search: (now) => ({ ...now, order: undefined, reorder: undefined, ...what }),
      replace: true,
    })
  const providers = useQuery(providerChoicesQuery(warehouse.workshop_id)).data
  const filters: ListFilter[] = [
    { key: 'BetweenDate', label: 'Creada', dates: 'range' },
    { key: 'Status', label: 'Estado', useChoices: () => states },
    {
      key: 'Provider',
      label: 'Proveedor',
      useChoices: () => providers?.map(({ id, name }) => ({ value: String(id), label: name })),
    },
  ]
  return (
    <>
      <ListScreen
        name="purchase-orders"
        title="Órdenes de compra"
        noun={{ one: 'orden de compra', many: 'órdenes de compra', none: 'Ninguna' }}
        icon={IconShoppingCart}
        about="Pida a los proveedores lo que falta en la bodega, y reciba desde aquí lo que llega."
        endpoint={purchasing.listPurchaseOrders}
        queryKey={purchasingKey}
        scope={{ Warehouse: [warehouse.id] }}
        columns={columnsOf(zone, mayWrite ? setCorrecting : undefined)}
        filters={filters}
        searchLabel="Número, documento o proveedor"
        open={(order) => show({ order: order.id })}
        create={mayWrite ? { label: 'Nueva orden de compra', act: () => setWriting({ lines: [] }) } : undefined}
        actions={
          <Button
            variant="default"
            leftSection={<IconRefreshAlert size={16} stroke={1.7} />}
            onClick={() => show({ reorder: 1 })}
          >
            Sugerencias
          </Button>
        }
        inside
      />
      <Suspense fallback={null}>
        {search.reorder !== undefined && !writing && (
          <Reorder
            warehouse={warehouse}
            onOrder={(draft) => {
              setWriting(draft)
              show({})
            }}
            onClose={() => show({})}
          />
        )}
        {writing && (
          <PurchaseOrderForm
            warehouse={warehouse}
            draft={writing}
            onClose={(made) => {
              setWriting(undefined)
              if (made) show({ order: made })
            }}
          />
        )}
        {correcting && (
          <PurchaseOrderForm
            warehouse={warehouse}
            draft={{ lines: [] }}
            order={correcting}
            onClose={() => setCorrecting(undefined)}
          />
        )}
        {known && opened?.id === asked && (
          <PurchaseOrderCard order={opened} warehouse={warehouse} onClose={() => show({})} />
        )}
      </Suspense>
    </>
  )
}
