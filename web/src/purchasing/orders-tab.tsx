import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconClipboardList, IconMapOff, IconPencil, IconRefreshAlert, IconShoppingCart } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { showDate } from '#contract/base/dates.ts'
import { PURCHASE_FIELDS } from '#contract/purchasing/fields.ts'
import { PURCHASE_STATES, type PurchaseOrder, purchasing } from '#contract/purchasing/purchasing.ts'
import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import { listColumns } from '../frames/fields.tsx'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import { ApiFailure } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import { providerChoicesQuery } from '../providers/queries.ts'
import { choicesOf } from '../ui/choices.ts'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { EmptyState } from '../ui/faces.tsx'
import { lazy } from '../ui/lazy.ts'
import { Promised } from './promised.tsx'
import type { Draft } from './purchase-order-form.tsx'
import { purchaseOrderQuery, purchasingKey } from './queries.ts'

const PurchaseOrderForm = lazy(() => import('./purchase-order-form.tsx'))
const PurchaseOrderCard = lazy(() => import('./purchase-order-card.tsx'))
const Reorder = lazy(() => import('./reorder.tsx'))
const Requests = lazy(() => import('./requests.tsx'))

/** `correct` is left out where the person may not. */
const columnsOf = (zone: string, correct?: (order: PurchaseOrder) => void) =>
  listColumns<PurchaseOrder, keyof typeof PURCHASE_FIELDS>(
    PURCHASE_FIELDS,
    {
      code: {
        card: 'top',
        sort: true,
        width: correct ? 150 : 120,
        rank: 1,
        fixed: true,
        cell: ({ code }) => <span className="mono">{code}</span>,
        beside: (order) =>
          correct && PURCHASE_STATES[order.status].editable && <Correct order={order} onClick={() => correct(order)} />,
      },
      provider_id: { card: 'title', sort: true, plain: true, width: 230, rank: 2 },
      createdAt: { sort: true, width: 120, rank: 6 },
      deliveryAt: { card: 'end', sort: true, width: 120, rank: 5 },
      promised_on: {
        width: 170,
        rank: 8,
        cell: ({ promised_on }) => promised_on && <Promised day={promised_on} />,
      },
      sent_at: { width: 130, rank: 9, cell: ({ sent_at }) => sent_at && showDate(sent_at, zone) },
      document: { sort: true, width: 120, rank: 10 },
      priority: { sort: true, width: 100, rank: 7 },
      total: { card: 'figure', sort: true, width: 130, rank: 4 },
      status: { card: 'state', sort: true, width: 150, rank: 3 },
    },
    zone,
  )

const Correct = ({ order, onClick }: { order: PurchaseOrder; onClick: () => void }) => (
  <Tooltip label="Corregir">
    <ActionIcon
      variant="subtle"
      ml={6}
      style={{ verticalAlign: 'middle' }}
      aria-label={`Corregir ${order.code}`}
      onClick={onClick}
    >
      <IconPencil size={16} stroke={1.7} />
    </ActionIcon>
  </Tooltip>
)

const states = choicesOf(PURCHASE_STATES)

/** The order that the address names. */
function useAskedOrder(named: unknown) {
  const id = Number(named)
  const isNumber = Number.isSafeInteger(id) && id > 0
  const { data, error } = useQuery({ ...purchaseOrderQuery(id), enabled: isNumber })
  const isGone = error instanceof ApiFailure && error.status === 404
  const isMissing = named !== undefined && (!isNumber || isGone)
  return { opened: isNumber && !isMissing && data?.id === id ? data : undefined, isMissing }
}

const MissingOrder = ({ onClose }: { onClose: () => void }) => (
  <FullscreenDialog
    opened
    onClose={onClose}
    title="Orden de compra"
    footer={
      <Button variant="default" onClick={onClose}>
        Ver las órdenes de compra
      </Button>
    }
  >
    <EmptyState icon={IconMapOff} title="Esta orden de compra no existe">
      Puede que la hayan eliminado, o que el enlace esté mal escrito.
    </EmptyState>
  </FullscreenDialog>
)

export default function OrdersTab({ warehouse }: { warehouse: Warehouse }) {
  const mayWrite = useMay('warehouses.write')
  const navigate = useNavigate()
  const zone = useZone()
  const search = useSearch({ strict: false }) as Record<'order' | 'reorder' | 'requests' | 'write' | 'add', unknown>
  const [writing, setWriting] = useState<Draft | undefined>(
    mayWrite && search.write !== undefined
      ? { lines: [], begin: search.add === undefined ? undefined : String(search.add) }
      : undefined,
  )
  const [correcting, setCorrecting] = useState<PurchaseOrder>()
  const { opened, isMissing } = useAskedOrder(search.order)
  const show = (what: { order?: number; reorder?: number; requests?: number }) =>
    void navigate({
      to: '.',
      search: (now) => ({
        ...now,
        order: undefined,
        reorder: undefined,
        requests: undefined,
        write: undefined,
        add: undefined,
        ...what,
      }),
      replace: true,
    })
  const providers = useQuery(providerChoicesQuery(warehouse.workshop_id)).data
  const filters: ListFilter[] = [
    { key: 'BetweenDate', label: PURCHASE_FIELDS.createdAt.label, dates: 'range' },
    { key: 'Status', label: PURCHASE_FIELDS.status.label, useChoices: () => states },
    {
      key: 'Provider',
      label: PURCHASE_FIELDS.provider_id.label,
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
        columns={useMemo(() => columnsOf(zone, mayWrite ? setCorrecting : undefined), [zone, mayWrite])}
        filters={filters}
        searchLabel="Número, documento o proveedor"
        open={(order) => show({ order: order.id })}
        create={mayWrite ? { label: 'Nueva orden de compra', act: () => setWriting({ lines: [] }) } : undefined}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconClipboardList size={16} stroke={1.7} />}
              onClick={() => show({ requests: 1 })}
            >
              Solicitudes
            </Button>
            <Button
              variant="default"
              leftSection={<IconRefreshAlert size={16} stroke={1.7} />}
              onClick={() => show({ reorder: 1 })}
            >
              Sugerencias
            </Button>
          </>
        }
        inside
      />
      <Suspense fallback={null}>
        {search.requests !== undefined && !writing && (
          <Requests
            warehouse={warehouse}
            onOrder={(draft) => {
              setWriting(draft)
              show({})
            }}
            onClose={() => show({})}
          />
        )}
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
              if (made || search.write !== undefined) show(made ? { order: made } : {})
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
        {isMissing && <MissingOrder onClose={() => show({})} />}
        {opened && <PurchaseOrderCard order={opened} warehouse={warehouse} onClose={() => show({})} />}
      </Suspense>
    </>
  )
}
