import { Skeleton } from '@mantine/core'
import { IconBuildingWarehouse } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { showMoment } from '#contract/base/dates.ts'
import { showMoney, showQuantity } from '#contract/base/money.ts'
import { unitOf } from '#contract/base/units.ts'
import type { Supply } from '#contract/supplies/supplies.ts'
import { STOCK_FIELDS } from '#contract/warehouses/fields.ts'
import { STOCK_LEVELS, type SupplyStock, type SupplyUse } from '#contract/warehouses/stock.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import styles from '../frames/detail-page.module.css'
import { tableColumns } from '../frames/fields.tsx'
import { PagedTable } from '../frames/paged-table.tsx'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { Section } from '../ui/detail-frame.tsx'
import { EmptyState, ErrorState } from '../ui/faces.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { UnitCost } from '../ui/unit-cost.tsx'
import { warehousesKey } from './queries.ts'

const supplyStockQuery = (id: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'of-supply', id],
    queryFn: async ({ signal }) => (await call(warehouses.supplyStock, { params: { id }, signal })).data,
  })

const levelOf = ({ available, minimum }: SupplyStock) =>
  minimum !== null && available < minimum
    ? STOCK_LEVELS.below
    : available > 0
      ? STOCK_LEVELS.available
      : STOCK_LEVELS.empty

const bodegas = (count: number) => (count === 1 ? '1 bodega' : `${count} bodegas`)

/** How much there is of a supply and where, each place a step from its kardex. */
export function SupplyStockTab({ supply }: { supply: Supply }) {
  const zone = useZone()
  const stock = useQuery(supplyStockQuery(supply.id))
  if (stock.isError && !stock.data) return <ErrorState error={stock.error} onRetry={() => void stock.refetch()} />
  if (!stock.data) return <Skeleton h={260} />
  if (stock.data.length === 0)
    return (
      <EmptyState icon={IconBuildingWarehouse} title="No está en ninguna bodega">
        Asócielo a una bodega, en su pestaña Stock, para ver aquí cuánto hay y cuánto vale.
      </EmptyState>
    )
  const total = stock.data.reduce((sum, place) => sum + place.stock, 0)
  const value = stock.data.reduce((sum, place) => sum + place.value, 0)
  const columns: TableColumn<SupplyStock>[] = [
    {
      label: 'Bodega',
      cell: (place) => (
        <Link
          to="/warehouse/$id"
          params={{ id: String(place.warehouse_id) }}
          search={{ tab: 'stock', supply: supply.id }}
          title="Ver kardex"
        >
          {place.warehouse_name}
        </Link>
      ),
    },
    {
      label: 'Nivel',
      folds: true,
      cell: (place) => <StatusPill tone={levelOf(place).tone}>{levelOf(place).label}</StatusPill>,
    },
    ...tableColumns<SupplyStock, keyof typeof STOCK_FIELDS>(STOCK_FIELDS, {
      stock: {},
      reserved: { folds: true },
      available: {},
      minimum: { folds: true },
      maximum: { folds: true },
      average_cost: { folds: true, cell: (place) => <UnitCost value={place.average_cost} /> },
      value: {},
    }),
    {
      label: 'Último movimiento',
      folds: true,
      cell: ({ last_at }) => last_at && <span className={styles.oneLine}>{showMoment(last_at, zone)}</span>,
    },
  ]
  return (
    <div className={styles.stack}>
      <div className={styles.figures}>
        <Section title="Stock total">
          <div className={styles.big}>{showQuantity(total)}</div>
          <div className={styles.small}>
            {unitOf(total, supply.measurement_unit_name ?? 'unidad')}, en {bodegas(stock.data.length)}
          </div>
        </Section>
        <Section title="Valor">
          <div className={styles.big}>{showMoney(value)}</div>
          <div className={styles.small}>al costo promedio de cada bodega</div>
        </Section>
      </div>
      <Table label="Stock por bodega" columns={columns} rows={stock.data} keyOf={({ warehouse_id }) => warehouse_id} />
    </div>
  )
}

/** Where the paper behind a use is read. */
function pathOf({ warehouse_id, transaction_id, origin, origin_id }: SupplyUse) {
  if (transaction_id !== null) return `/warehouse/${warehouse_id}?tab=sales&transaction=${transaction_id}`
  return origin === 'work_order' ? `/ordenes-de-trabajo/${origin_id}` : undefined
}

/** What took a supply: exits of a warehouse and work orders. */
export function SupplyUsesTab({ supply }: { supply: Supply }) {
  const zone = useZone()
  const columns: TableColumn<SupplyUse>[] = [
    { label: 'Fecha', cell: ({ at }) => <span className={styles.oneLine}>{showMoment(at, zone)}</span> },
    {
      label: 'Documento',
      cell: (use) => {
        const path = pathOf(use)
        return path ? (
          <Link className={`mono ${styles.oneLine}`} to={path}>
            {use.document}
          </Link>
        ) : (
          use.document
        )
      },
    },
    { label: 'Movimiento', folds: true, cell: (use) => use.type_name },
    { label: 'Bodega', folds: true, grows: true, cell: (use) => use.warehouse_name },
    {
      label: 'Registrado por',
      folds: true,
      cell: (use) => <span className={styles.oneLine}>{use.user_name}</span>,
    },
    { label: 'Cantidad', align: 'end', cell: (use) => showQuantity(use.quantity) },
    { label: 'Costo', align: 'end', folds: true, cell: (use) => showMoney(use.value) },
  ]
  return (
    <PagedTable
      label="Dónde se usó"
      queryKey={[...warehousesKey, 'uses', supply.id]}
      read={(query, signal) => call(warehouses.supplyUses, { params: { id: supply.id }, query, signal })}
      columns={columns}
      keyOf={({ id }) => id}
      perPage={25}
      empty="Aún no se usa: las salidas de bodega y las órdenes de trabajo que lo consuman aparecen aquí."
    />
  )
}
