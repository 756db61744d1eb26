import { ActionIcon, Menu, Skeleton, Tooltip } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconDotsVertical, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { showMoney } from '#contract/money.ts'
import { type Warehouse, warehouses } from '#contract/warehouses.ts'
import { ApiFailure, call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { OrdersTab } from '../purchasing/orders-tab.tsx'
import { confirm } from '../ui/confirm.tsx'
import { DetailFrame } from '../ui/detail-frame.tsx'
import { ErrorState, useNoticeable } from '../ui/faces.tsx'
import { NotFound } from '../ui/not-found.tsx'
import { say } from '../ui/snackbar.tsx'
import { GeneralTab } from './general-tab.tsx'
import { MovementsTab } from './movements-tab.tsx'
import { warehouseQuery, warehousesKey } from './queries.ts'
import { StockTab } from './stock-tab.tsx'
import { TransactionsTab } from './transactions-tab.tsx'
import styles from './warehouse.module.css'

export default function WarehouseDetail() {
  const { id } = useParams({ strict: false })
  const known = Number.isSafeInteger(Number(id)) && Number(id) > 0
  const warehouse = useQuery({ ...warehouseQuery(Number(id)), enabled: known })
  if (!known || (warehouse.error instanceof ApiFailure && warehouse.error.status === 404))
    return <NotFound title="Esta bodega no existe" />
  if (warehouse.data) return <WarehousePage key={warehouse.data.id} warehouse={warehouse.data} />
  if (warehouse.isError) return <ErrorState error={warehouse.error} onRetry={() => void warehouse.refetch()} />
  return <Waiting />
}

function WarehousePage({ warehouse }: { warehouse: Warehouse }) {
  const mayWrite = useMay('warehouses.write')
  const { remove, isPending } = useRemove(warehouse)
  useDocumentTitle(`${warehouse.name} · Maestranza`)
  return (
    <DetailFrame
      back={{ to: '/warehouse', label: 'Bodegas' }}
      header={
        <div className={styles.words}>
          <h1 className={styles.name}>{warehouse.name}</h1>
          <div className={styles.meta}>
            <span className="mono">{warehouse.code}</span>
            <span>{warehouse.workshop_name}</span>
            {warehouse.direction && <span>{warehouse.direction}</span>}
            <span className="figures">{showMoney(warehouse.value)} en stock</span>
          </div>
        </div>
      }
      actions={
        mayWrite && (
          <Menu position="bottom-end" width={200}>
            <Menu.Target>
              <Tooltip label="Más acciones">
                <ActionIcon variant="default" aria-label="Más acciones" loading={isPending}>
                  <IconDotsVertical size={16} stroke={1.7} />
                </ActionIcon>
              </Tooltip>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item color="red" leftSection={<IconTrash size={16} stroke={1.7} />} onClick={remove}>
                Eliminar
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )
      }
      tabs={[
        { value: 'general', label: 'General', content: <GeneralTab warehouse={warehouse} />, keep: true },
        { value: 'stock', label: 'Stock', content: <StockTab warehouse={warehouse} /> },
        { value: 'purchases-orders', label: 'Órdenes de compra', content: <OrdersTab warehouse={warehouse} /> },
        { value: 'purchases', label: 'Entradas', content: <TransactionsTab warehouse={warehouse} type="entry" /> },
        { value: 'sales', label: 'Salidas', content: <TransactionsTab warehouse={warehouse} type="exit" /> },
        { value: 'movement-orders', label: 'Movimientos', content: <MovementsTab warehouse={warehouse} /> },
      ]}
    />
  )
}

function useRemove(warehouse: Warehouse) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isPending, setPending] = useState(false)
  const remove = async () => {
    const sure = await confirm({
      title: `¿Eliminar la bodega ${warehouse.name}?`,
      message: 'No se puede deshacer. Una bodega con movimientos no se elimina: su historial se conserva.',
      accept: 'Eliminar',
      danger: true,
    })
    if (!sure) return
    setPending(true)
    try {
      await call(warehouses.deleteWarehouse, { params: { id: warehouse.id } })
      await navigate({ to: '/warehouse' } as never)
      client.removeQueries({ queryKey: warehouseQuery(warehouse.id).queryKey })
      say('Bodega eliminada correctamente ✅')
    } catch (error) {
      say('Error al eliminar la bodega ❌', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: warehousesKey })
    }
  }
  return { remove, isPending }
}

function Waiting() {
  const shown = useNoticeable(true)
  if (!shown) return null
  return (
    <div className={styles.waiting} role="status" aria-label="Cargando">
      <Skeleton h={14} w={90} />
      <Skeleton h={22} w={280} maw="100%" />
      <Skeleton h={36} w={480} maw="100%" />
      <Skeleton h={320} />
    </div>
  )
}
