import { IconBox } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { showDate } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import { SUPPLY_STATES, type Supply, supplies } from '#contract/supplies/supplies.ts'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import { Added } from '../frames/slots.tsx'
import { useWorkshopFilter, useWorkshopScope } from '../frames/workshop-filter.ts'
import { useMay } from '../platform/session.ts'
import { choicesOf, named } from '../ui/choices.ts'
import { StatusPill } from '../ui/status-pill.tsx'
import { categoriesQuery, suppliesKey } from './queries.ts'
import { SUPPLY_LIST_ACTIONS } from './slots.ts'

/** Labels that the import knows again: what is exported can be imported. */
const columns: Column<Supply>[] = [
  {
    key: 'code',
    label: 'Código',
    sort: true,
    width: 120,
    rank: 1,
    fixed: true,
    cell: (supply) => <span className="mono">{supply.code}</span>,
    file: (supply) => supply.code,
  },
  {
    key: 'name',
    label: 'Nombre',
    sort: true,
    width: 240,
    rank: 2,
    fixed: true,
    cell: (supply) => supply.name,
    file: (supply) => supply.name,
  },
  {
    key: 'category_name',
    label: 'Categoría',
    sort: true,
    width: 150,
    rank: 5,
    cell: (supply) => supply.category_name,
    file: (supply) => supply.category_name,
  },
  {
    key: 'measurement_unit_name',
    label: 'Unidad',
    sort: true,
    width: 100,
    rank: 6,
    cell: (supply) => supply.measurement_unit_name,
    file: (supply) => supply.measurement_unit_name,
  },
  {
    key: 'cost',
    label: 'Costo unitario',
    sort: true,
    align: 'end',
    width: 130,
    rank: 3,
    cell: (supply) => <span className="figures">{showMoney(supply.cost)}</span>,
    file: (supply) => supply.cost,
    fileFormat: '#,##0.####',
  },
  {
    key: 'workshop_name',
    label: 'Ubicación',
    sort: true,
    width: 160,
    rank: 7,
    cell: (supply) => supply.workshop_name,
    file: (supply) => supply.workshop_name,
  },
  {
    key: 'state',
    label: 'Estado',
    sort: true,
    width: 110,
    rank: 4,
    cell: ({ state }) => <StatusPill tone={SUPPLY_STATES[state].tone}>{SUPPLY_STATES[state].label}</StatusPill>,
    file: ({ state }) => SUPPLY_STATES[state].label,
  },
  {
    key: 'updated_at',
    label: 'Actualizado',
    sort: true,
    width: 120,
    rank: 8,
    hidden: true,
    cell: (supply) => <span className="figures">{showDate(supply.updated_at)}</span>,
    file: (supply) => new Date(supply.updated_at),
    fileFormat: 'dd-mm-yyyy',
  },
]

const states = choicesOf(SUPPLY_STATES)
const filters: ListFilter[] = [
  {
    key: 'Categories',
    label: 'Categoría',
    placeholder: 'Todas',
    selectAll: 'Seleccionar todas las categorías',
    useChoices: () => named(useQuery(categoriesQuery()).data),
  },
  { key: 'State', label: 'Estado', useChoices: () => states },
]

export default function SupplyList() {
  const mayWrite = useMay('supplies.write')
  const location = useWorkshopFilter({ label: 'Ubicación', it: 'la ubicación' })
  return (
    <ListScreen
      name="supplies"
      title="Inventario"
      noun={{ one: 'insumo', many: 'insumos', none: 'Ningún' }}
      icon={IconBox}
      about="Aquí van los insumos y repuestos de cada taller, con su categoría, su unidad y lo que cuestan."
      endpoint={supplies.listSupplies}
      queryKey={suppliesKey}
      scope={useWorkshopScope()}
      columns={columns}
      filters={[location, ...filters]}
      searchLabel="Código o nombre"
      pathOf={(supply) => `/insumo/${supply.id}`}
      actions={<Added slot={SUPPLY_LIST_ACTIONS} with={{}} />}
      create={mayWrite ? { label: 'Nuevo insumo', to: '/nuevo-insumo' } : undefined}
    />
  )
}
