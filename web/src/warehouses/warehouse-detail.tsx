import { useDocumentTitle } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { showMoney } from '#contract/base/money.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { DetailActions } from '../frames/detail-actions.tsx'
import styles from '../frames/detail-page.module.css'
import { DetailPage } from '../frames/detail-page.tsx'
import { useAddedTabs } from '../frames/slots.tsx'
import { call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { DetailFrame } from '../ui/detail-frame.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { GeneralTab } from './general-tab.tsx'
import { MovementsTab } from './movements-tab.tsx'
import { incomingQuery, warehouseQuery, warehousesKey } from './queries.ts'
import { WAREHOUSE_TABS } from './slots.ts'
import { StockTab } from './stock-tab.tsx'
import { TransactionsTab } from './transactions-tab.tsx'
import { TransfersTab } from './transfers-tab.tsx'

export default function WarehouseDetail() {
  return (
    <DetailPage query={warehouseQuery} missing="Esta bodega no existe">
      {(warehouse) => <WarehousePage key={warehouse.id} warehouse={warehouse} />}
    </DetailPage>
  )
}

function WarehousePage({ warehouse }: { warehouse: Warehouse }) {
  const mayWrite = useMay('warehouses.write')
  const incoming = useQuery(incomingQuery(warehouse.id)).data
  const added = useAddedTabs(WAREHOUSE_TABS, { warehouse })
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
            {warehouse.sent_value > 0 && <span className="figures">{showMoney(warehouse.sent_value)} enviado</span>}
            {warehouse.incoming_value > 0 && (
              <span className="figures">{showMoney(warehouse.incoming_value)} por recibir</span>
            )}
          </div>
        </div>
      }
      actions={
        mayWrite && (
          <>
            <ButtonLink
              to="."
              search={{ tab: 'data' }}
              variant="subtle"
              leftSection={<IconPencil size={16} stroke={1.7} />}
            >
              Editar
            </ButtonLink>
            <DetailActions
              row={warehouse}
              queryKey={warehouseQuery(warehouse.id).queryKey}
              refresh={warehousesKey}
              remove={{
                act: () => call(warehouses.deleteWarehouse, { params: { id: warehouse.id } }),
                title: `¿Eliminar la bodega ${warehouse.name}?`,
                message: 'No se puede deshacer. Una bodega con movimientos no se elimina: su historial se conserva.',
                done: 'Bodega eliminada correctamente ✅',
                failed: 'Error al eliminar la bodega ❌',
              }}
              leadsTo="/warehouse"
            />
          </>
        )
      }
      tabs={[
        { value: 'stock', label: 'Stock', content: <StockTab warehouse={warehouse} /> },
        ...added,
        { value: 'purchases', label: 'Entradas', content: <TransactionsTab warehouse={warehouse} type="entry" /> },
        { value: 'sales', label: 'Salidas', content: <TransactionsTab warehouse={warehouse} type="exit" /> },
        {
          value: 'transfers',
          label: 'Traslados',
          count: incoming ? { value: incoming, about: 'por recibir' } : undefined,
          content: <TransfersTab warehouse={warehouse} />,
        },
        { value: 'movement-orders', label: 'Movimientos', content: <MovementsTab warehouse={warehouse} /> },
        { value: 'data', label: 'Datos', content: <GeneralTab warehouse={warehouse} />, keep: true },
      ]}
    />
  )
}
