import { IconBuildingWarehouse } from '@tabler/icons-react'
import { showMoney, showNumber } from '#contract/base/money.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import { useWorkshopFilter, useWorkshopScope } from '../frames/workshop-filter.ts'
import { useMay } from '../platform/session.ts'
import { StatusPill } from '../ui/status-pill.tsx'
import { warehousesKey } from './queries.ts'
import styles from './warehouse.module.css'

const columns: Column<Warehouse>[] = [
  {
    key: 'code',
    label: 'Código',
    sort: true,
    width: 110,
    rank: 1,
    fixed: true,
    cell: (warehouse) => <span className="mono">{warehouse.code}</span>,
    file: (warehouse) => warehouse.code,
  },
  {
    key: 'name',
    label: 'Nombre',
    sort: true,
    width: 220,
    rank: 2,
    fixed: true,
    cell: (warehouse) => <span className={styles.whole}>{warehouse.name}</span>,
    file: (warehouse) => warehouse.name,
  },
  {
    key: 'direction',
    label: 'Dirección',
    width: 220,
    rank: 7,
    cell: (warehouse) => warehouse.direction,
    file: (warehouse) => warehouse.direction,
  },
  {
    key: 'supplies_count',
    label: 'Insumos',
    sort: true,
    align: 'end',
    width: 96,
    rank: 5,
    cell: (warehouse) => showNumber(warehouse.supplies_count),
    file: (warehouse) => warehouse.supplies_count,
    fileFormat: '#,##0',
  },
  {
    key: 'below_minimum',
    label: 'Bajo mínimo',
    width: 124,
    rank: 4,
    cell: ({ below_minimum }) =>
      below_minimum > 0 ? <StatusPill tone="danger">{`${showNumber(below_minimum)} por reponer`}</StatusPill> : null,
    file: (warehouse) => warehouse.below_minimum,
  },
  {
    key: 'value',
    label: 'Valor del stock',
    sort: true,
    align: 'end',
    width: 140,
    rank: 3,
    cell: (warehouse) => showMoney(warehouse.value),
    file: (warehouse) => warehouse.value,
    fileFormat: '#,##0',
  },
  {
    key: 'workshop_name',
    label: 'Taller',
    sort: true,
    plain: true,
    width: 160,
    rank: 6,
    cell: (warehouse) => warehouse.workshop_name,
    file: (warehouse) => warehouse.workshop_name,
  },
]

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
