import { IconBox } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { SUPPLY_FIELDS } from '#contract/supplies/fields.ts'
import { SUPPLY_STATES, type Supply, type SupplyEdit, supplies } from '#contract/supplies/supplies.ts'
import type { BulkField } from '../frames/bulk-drawer.tsx'
import { BulkEdit, workshopOf } from '../frames/bulk-edit.tsx'
import { listColumns } from '../frames/fields.tsx'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import { type Column, type FileColumn, ID_COLUMN } from '../frames/list-table.tsx'
import { Added } from '../frames/slots.tsx'
import { useWorkshopFilter, useWorkshopScope } from '../frames/workshop-filter.ts'
import { call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { choicesOf, named } from '../ui/choices.ts'
import { UnitCost } from '../ui/unit-cost.tsx'
import { categoriesQuery, suppliesKey } from './queries.ts'
import { SUPPLY_LIST_ACTIONS, SUPPLY_STOCK } from './slots.ts'

const columns = listColumns<Supply, keyof typeof SUPPLY_FIELDS>(SUPPLY_FIELDS, {
  code: {
    card: 'top',
    sort: true,
    width: 120,
    rank: 1,
    fixed: true,
    cell: ({ code }) => <span className="mono">{code}</span>,
  },
  name: { card: 'title', sort: true, width: 240, rank: 2, fixed: true },
  category_id: { card: 'meta', sort: true, width: 150, rank: 6 },
  measurement_units_id: { sort: true, width: 100, rank: 7 },
  cost: { card: 'figure', sort: true, width: 130, rank: 4, cell: ({ cost }) => <UnitCost value={cost} /> },
  workshop_id: { card: 'end', sort: true, width: 160, rank: 8 },
  state: { card: 'state', sort: true, width: 110, rank: 5 },
  updated_at: { sort: true, width: 120, rank: 9, hidden: true },
})
/** Asked for apart, a page at a time. */
const stock: Column<Supply> = {
  key: 'stock',
  label: 'Stock por bodega',
  width: 230,
  rank: 3,
  card: 'meta',
  cell: (supply) => <Added slot={SUPPLY_STOCK} with={{ supply }} />,
  unfiled: true,
  file: () => null,
}
const withStock = columns.toSpliced(2, 0, stock)

const fileAlso: FileColumn<Supply>[] = [
  { label: SUPPLY_FIELDS.description.label, width: 240, file: ({ description }) => description },
  ID_COLUMN,
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

const NOUN = { one: 'insumo', many: 'insumos', none: 'Ningún' }
const nameOf = ({ code, name }: Supply) => `${code} · ${name}`

const bulkFields: BulkField<Supply>[] = [
  {
    key: 'category_id',
    label: SUPPLY_FIELDS.category_id.label,
    id: true,
    none: 'Sin categoría',
    useChoices: (chosen) => named(useQuery(categoriesQuery(workshopOf(chosen))).data),
  },
  { key: 'state', label: SUPPLY_FIELDS.state.label, useChoices: () => states },
]

export default function SupplyList() {
  const mayWrite = useMay('supplies.write')
  const maySeeStock = useMay('warehouses.read')
  const location = useWorkshopFilter({ label: 'Ubicación', it: 'la ubicación' })
  return (
    <ListScreen
      name="supplies"
      title="Inventario"
      noun={NOUN}
      icon={IconBox}
      about="Aquí van los insumos y repuestos de cada taller, con su categoría, su unidad y lo que cuestan."
      endpoint={supplies.listSupplies}
      queryKey={suppliesKey}
      scope={useWorkshopScope()}
      columns={maySeeStock ? withStock : columns}
      fileAlso={fileAlso}
      filters={[location, ...filters]}
      searchLabel="Código o nombre"
      pathOf={(supply) => `/insumo/${supply.id}`}
      actions={<Added slot={SUPPLY_LIST_ACTIONS} with={{}} />}
      create={mayWrite ? { label: 'Nuevo insumo', to: '/nuevo-insumo' } : undefined}
      bulk={
        mayWrite
          ? {
              name: nameOf,
              actions: (chosen, clear) => (
                <BulkEdit
                  rows={chosen}
                  noun={NOUN}
                  name={nameOf}
                  fields={bulkFields}
                  save={({ id }, change) => call(supplies.updateSupply, { params: { id }, body: change as SupplyEdit })}
                  refresh={suppliesKey}
                  onDone={clear}
                />
              ),
            }
          : undefined
      }
    />
  )
}
