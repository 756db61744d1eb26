import { IconBuildingWarehouse } from '@tabler/icons-react'
import { showNumber } from '#contract/base/money.ts'
import { WAREHOUSE_FIELDS } from '#contract/warehouses/fields.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { listColumns } from '../frames/fields.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import { useWorkshopFilter, useWorkshopScope } from '../frames/workshop-filter.ts'
import { useMay } from '../platform/session.ts'
import { StatusPill } from '../ui/status-pill.tsx'
import { warehousesKey } from './queries.ts'
import styles from './warehouse.module.css'

const columns = listColumns<Warehouse, keyof typeof WAREHOUSE_FIELDS>(WAREHOUSE_FIELDS, {
  code: {
    card: 'top',
    sort: true,
    width: 110,
    rank: 1,
    fixed: true,
    cell: ({ code }) => <span className="mono">{code}</span>,
  },
  name: {
    card: 'title',
    sort: true,
    width: 220,
    rank: 2,
    fixed: true,
    cell: ({ name }) => <span className={styles.whole}>{name}</span>,
  },
  direction: { card: 'meta', width: 220, rank: 7 },
  supplies_count: { sort: true, width: 96, rank: 5 },
  below_minimum: {
    card: 'state',
    align: undefined,
    width: 140,
    rank: 4,
    cell: ({ below_minimum }) =>
      below_minimum > 0 ? <StatusPill tone="danger">{`${showNumber(below_minimum)} bajo mínimo`}</StatusPill> : null,
  },
  value: { card: 'figure', sort: true, width: 140, rank: 3 },
  sent_value: { width: 140, rank: 8, hidden: true },
  incoming_value: { width: 140, rank: 9, hidden: true },
  workshop_id: { card: 'end', sort: true, plain: true, width: 160, rank: 6 },
})

export default function WarehouseList() {
  const mayWrite = useMay('warehouses.write')
  const workshopFilter = useWorkshopFilter()
  return (
    <ListScreen
      name="warehouses"
      title="Bodegas"
      noun={{ one: 'bodega', many: 'bodegas', none: 'Ninguna' }}
      icon={IconBuildingWarehouse}
      about="Aquí van las bodegas de cada taller, con lo que hay, lo que entra y lo que sale."
      endpoint={warehouses.listWarehouses}
      queryKey={warehousesKey}
      scope={useWorkshopScope()}
      columns={columns}
      filters={[workshopFilter]}
      searchLabel="Código o nombre"
      pathOf={(warehouse) => `/warehouse/${warehouse.id}`}
      create={mayWrite ? { label: 'Nueva bodega', to: '/warehouse/create' } : undefined}
    />
  )
}
