import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { showMoment } from '#contract/base/dates.ts'
import { showMoney, showQuantity } from '#contract/base/money.ts'
import { DIRECTIONS, type Movement } from '#contract/warehouses/stock.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import { useZone } from '../platform/session.ts'
import { choicesOf } from '../ui/choices.ts'
import { StatusPill } from '../ui/status-pill.tsx'
import { UnitCost } from '../ui/unit-cost.tsx'
import { transactionTypesQuery, warehousesKey } from './queries.ts'
import styles from './warehouse.module.css'

const columnsOf = (zone: string): Column<Movement>[] => [
  {
    key: 'at',
    label: 'Fecha',
    sort: true,
    width: 140,
    rank: 1,
    fixed: true,
    cell: (m) => showMoment(m.at, zone),
    file: (m) => new Date(m.at),
    fileFormat: 'dd-mm-yyyy hh:mm',
  },
  {
    key: 'type',
    label: 'Sentido',
    width: 95,
    rank: 4,
    cell: (m) => <StatusPill tone={DIRECTIONS[m.type].tone}>{DIRECTIONS[m.type].label}</StatusPill>,
    file: (m) => DIRECTIONS[m.type].label,
  },
  {
    key: 'type_name',
    label: 'Movimiento',
    plain: true,
    width: 140,
    rank: 6,
    cell: (m) => m.type_name,
    file: (m) => m.type_name,
  },
  {
    key: 'code',
    label: 'Código',
    sort: true,
    width: 105,
    rank: 5,
    cell: (m) => <span className="mono">{m.code}</span>,
    file: (m) => m.code,
  },
  {
    key: 'name',
    label: 'Insumo',
    sort: true,
    width: 200,
    rank: 2,
    cell: (m) => <span className={styles.whole}>{m.name}</span>,
    file: (m) => m.name,
  },
  {
    key: 'quantity',
    label: 'Cantidad',
    sort: true,
    align: 'end',
    width: 85,
    rank: 3,
    cell: (m) => `${m.quantity_out ? '−' : '+'}${showQuantity(m.quantity_in || m.quantity_out)}`,
    file: (m) => m.quantity_in - m.quantity_out,
    fileFormat: '#,##0.####',
  },
  {
    key: 'balance',
    label: 'Saldo',
    align: 'end',
    width: 80,
    rank: 8,
    cell: (m) => showQuantity(m.balance),
    file: (m) => m.balance,
    fileFormat: '#,##0.####',
  },
  {
    key: 'unit_cost',
    label: 'Costo unitario',
    align: 'end',
    width: 130,
    rank: 10,
    hidden: true,
    cell: (m) => <UnitCost value={m.unit_cost} />,
    file: (m) => m.unit_cost,
    fileFormat: '#,##0.####',
  },
  {
    key: 'value',
    label: 'Valor',
    sort: true,
    align: 'end',
    width: 105,
    rank: 7,
    cell: (m) => showMoney(m.value),
    file: (m) => m.value,
    fileFormat: '#,##0',
  },
  {
    key: 'document',
    label: 'Documento',
    width: 105,
    rank: 9,
    cell: (m) => m.document,
    file: (m) => m.document,
  },
  {
    key: 'user_name',
    label: 'Usuario',
    width: 160,
    rank: 11,
    hidden: true,
    cell: (m) => m.user_name,
    file: (m) => m.user_name,
  },
]

const filters: ListFilter[] = [
  { key: 'BetweenDate', label: 'Fecha', dates: 'range' },
  {
    key: 'Type',
    label: 'Sentido',
    useChoices: () => choicesOf(DIRECTIONS),
  },
  {
    key: 'TypeTransaction',
    label: 'Movimiento',
    useChoices: () =>
      useQuery(transactionTypesQuery()).data?.map(({ id, name, type }) => ({
        value: String(id),
        label: `${name} (${DIRECTIONS[type].label.toLowerCase()})`,
      })),
  },
]

export function MovementsTab({ warehouse }: { warehouse: Warehouse }) {
  const navigate = useNavigate()
  return (
    <ListScreen
      name="movements"
      title="Movimientos"
      noun={{ one: 'movimiento', many: 'movimientos', none: 'Ningún' }}
      icon={IconHistory}
      about="Cada entrada y salida queda aquí para siempre, con lo que había antes y después."
      endpoint={warehouses.listMovements}
      queryKey={warehousesKey}
      scope={{ Warehouse: [warehouse.id] }}
      columns={columnsOf(useZone())}
      filters={filters}
      searchLabel="Insumo o documento"
      open={(m) => {
        const search = m.transaction_id
          ? { tab: m.type === 'entry' ? 'purchases' : 'sales', transaction: m.transaction_id }
          : { tab: 'stock', supply: m.supply_id }
        void navigate({ to: '.', search })
      }}
      inside
    />
  )
}
