import { IconBox } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { SUPPLY_FIELDS } from '#contract/supplies/fields.ts'
import { SUPPLY_STATES, type Supply, supplies } from '#contract/supplies/supplies.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { listColumns } from '../frames/fields.tsx'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import { Added } from '../frames/slots.tsx'
import { useCompany, useMay, useWorkshop } from '../platform/session.ts'
import { categoriesQuery, suppliesKey } from './queries.ts'
import { SUPPLY_LIST_ACTIONS } from './slots.ts'

const columns = listColumns<Supply, keyof typeof SUPPLY_FIELDS>(SUPPLY_FIELDS, {
  code: { sort: true, width: 120, rank: 1, fixed: true, cell: ({ code }) => <span className="mono">{code}</span> },
  name: { sort: true, width: 240, rank: 2, fixed: true },
  category_id: { sort: true, width: 150, rank: 5 },
  measurement_units_id: { sort: true, width: 100, rank: 6 },
  cost: { sort: true, width: 130, rank: 3 },
  workshop_id: { sort: true, width: 160, rank: 7 },
  state: { sort: true, width: 110, rank: 4 },
  updated_at: { sort: true, width: 120, rank: 8, hidden: true },
})

const named = (list: { id: number; name: string }[] | undefined) =>
  list?.map(({ id, name }) => ({ value: String(id), label: name }))
const states = Object.entries(SUPPLY_STATES).map(([value, { label }]) => ({ value, label }))
const useWorkshopChoices = () => named(useWorkshop().list)

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
  const company = useCompany()
  const workshop = useWorkshop()
  const inUse = workshop.list.find(({ id }) => id === workshop.id)?.name ?? ALL_WORKSHOPS
  const location: ListFilter = {
    key: 'WorkshopId',
    label: 'Ubicación',
    useChoices: useWorkshopChoices,
    locked: workshop.mayChoose ? undefined : (company.workshop_name ?? ''),
    hint: !workshop.mayChoose
      ? 'Solo un super administrador puede cambiar la ubicación'
      : workshop.id === undefined
        ? undefined
        : `Sin elegir: ${inUse}, el de la cabecera`,
    placeholder: inUse,
  }
  return (
    <ListScreen
      name="supplies"
      title="Inventario"
      noun={{ one: 'insumo', many: 'insumos', none: 'Ningún' }}
      icon={IconBox}
      about="Aquí van los insumos y repuestos de cada taller, con su categoría, su unidad y lo que cuestan."
      endpoint={supplies.listSupplies}
      queryKey={suppliesKey}
      scope={{ WorkshopId: workshop.id === undefined ? undefined : [workshop.id] }}
      columns={columns}
      filters={[location, ...filters]}
      searchLabel="Código o nombre"
      pathOf={(supply) => `/insumo/${supply.id}`}
      actions={<Added slot={SUPPLY_LIST_ACTIONS} with={{}} />}
      create={mayWrite ? { label: 'Nuevo insumo', to: '/nuevo-insumo' } : undefined}
    />
  )
}
