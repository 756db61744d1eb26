import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { showQuantity } from '#contract/base/money.ts'
import { LINE_FIELDS, MOVEMENT_FIELDS } from '#contract/warehouses/fields.ts'
import { DIRECTIONS, type Movement } from '#contract/warehouses/stock.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { listColumns } from '../frames/fields.tsx'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import { useZone } from '../platform/session.ts'
import { choicesOf } from '../ui/choices.ts'
import { UnitCost } from '../ui/unit-cost.tsx'
import { transactionTypesQuery, warehousesKey } from './queries.ts'
import styles from './warehouse.module.css'

const columnsOf = (zone: string): Column<Movement>[] => {
  const { quantity_in, quantity_out, ...fields } = MOVEMENT_FIELDS
  // One column for both ways, with its sign.
  const told = { ...fields, quantity: { ...quantity_in, label: LINE_FIELDS.quantity.label } }
  return listColumns<Movement, keyof typeof told>(
    told,
    {
      at: { card: 'end', sort: true, width: 140, rank: 1, fixed: true },
      type: { card: 'state', width: 95, rank: 4 },
      type_name: { card: 'meta', plain: true, width: 140, rank: 6 },
      code: { card: 'top', sort: true, width: 105, rank: 5, cell: (m) => <span className="mono">{m.code}</span> },
      name: {
        card: 'title',
        sort: true,
        width: 200,
        rank: 2,
        cell: (m) => <span className={styles.whole}>{m.name}</span>,
      },
      quantity: {
        card: 'figure',
        sort: true,
        width: 85,
        rank: 3,
        cell: (m) => `${m.quantity_out ? '−' : '+'}${showQuantity(m.quantity_in || m.quantity_out)}`,
        file: (m) => m.quantity_in - m.quantity_out,
      },
      balance: { width: 80, rank: 8 },
      unit_cost: { width: 130, rank: 10, hidden: true, cell: (m) => <UnitCost value={m.unit_cost} /> },
      value: { sort: true, width: 105, rank: 7 },
      document: { width: 105, rank: 9 },
      user_name: { width: 160, rank: 11, hidden: true },
    },
    zone,
  )
}

const filters: ListFilter[] = [
  { key: 'BetweenDate', label: MOVEMENT_FIELDS.at.label, dates: 'range' },
  {
    key: 'Type',
    label: MOVEMENT_FIELDS.type.label,
    useChoices: () => choicesOf(DIRECTIONS),
  },
  {
    key: 'TypeTransaction',
    label: MOVEMENT_FIELDS.type_name.label,
    useChoices: () =>
      useQuery(transactionTypesQuery()).data?.map(({ id, name, type }) => ({
        value: String(id),
        label: `${name} (${DIRECTIONS[type].label.toLowerCase()})`,
      })),
  },
]

export function MovementsTab({ warehouse }: { warehouse: Warehouse }) {
  const navigate = useNavigate()
  const zone = useZone()
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
      columns={useMemo(() => columnsOf(zone), [zone])}
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
