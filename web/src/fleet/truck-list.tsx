import { IconTruck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { showKm } from '#contract/base/money.ts'
import { fleet, showPatent, TRUCK_STATES, type Truck } from '#contract/fleet/fleet.ts'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import { Added } from '../frames/slots.tsx'
import { useWorkshopFilter, useWorkshopScope } from '../frames/workshop-filter.ts'
import { useMay } from '../platform/session.ts'
import { choicesOf, named } from '../ui/choices.ts'
import { Plate } from '../ui/plate.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { brandsQuery, costCentersQuery, fleetKey, truckTypesQuery } from './queries.ts'
import { TRUCK_LIST_ACTIONS } from './slots.ts'

const columns: Column<Truck>[] = [
  {
    key: 'code',
    label: 'Código',
    sort: true,
    width: 100,
    rank: 1,
    fixed: true,
    cell: (truck) => <span className="mono">{truck.code}</span>,
    file: (truck) => truck.code,
  },
  {
    key: 'patent',
    label: 'Patente',
    sort: true,
    width: 112,
    rank: 2,
    fixed: true,
    cell: (truck) => <Plate text={showPatent(truck.patent)} />,
    file: (truck) => showPatent(truck.patent),
  },
  {
    key: 'type_name',
    label: 'Tipo',
    sort: true,
    plain: true,
    width: 130,
    rank: 6,
    cell: (truck) => truck.type_name,
    file: (truck) => truck.type_name,
  },
  {
    key: 'brand_name',
    label: 'Marca',
    sort: true,
    plain: true,
    width: 120,
    rank: 5,
    cell: (truck) => truck.brand_name,
    file: (truck) => truck.brand_name,
  },
  {
    key: 'cost_center_name',
    label: 'Centro de costo',
    sort: true,
    width: 150,
    rank: 9,
    cell: (truck) => truck.cost_center_name,
    file: (truck) => truck.cost_center_name,
  },
  {
    key: 'coupled_patent',
    label: 'Acoplado',
    sort: true,
    width: 112,
    rank: 8,
    cell: (truck) => truck.coupled_patent && <Plate text={showPatent(truck.coupled_patent)} />,
    file: (truck) => (truck.coupled_patent ? showPatent(truck.coupled_patent) : null),
  },
  {
    key: 'mileage',
    label: 'Kilometraje',
    sort: true,
    plain: true,
    align: 'end',
    width: 124,
    rank: 4,
    cell: (truck) => <span className="figures">{showKm(truck.mileage)}</span>,
    file: (truck) => truck.mileage,
    fileFormat: '#,##0',
  },
  {
    key: 'workshop_name',
    label: 'Taller',
    sort: true,
    plain: true,
    width: 150,
    rank: 7,
    cell: (truck) => truck.workshop_name,
    file: (truck) => truck.workshop_name,
  },
  {
    key: 'state',
    label: 'Estado',
    sort: true,
    width: 110,
    rank: 3,
    cell: (truck) => <StatusPill tone={TRUCK_STATES[truck.state].tone}>{TRUCK_STATES[truck.state].label}</StatusPill>,
    file: (truck) => TRUCK_STATES[truck.state].label,
  },
]

const states = choicesOf(TRUCK_STATES)

const filters: ListFilter[] = [
  { key: 'Brand', label: 'Marca', placeholder: 'Todas', useChoices: () => named(useQuery(brandsQuery()).data) },
  { key: 'Type', label: 'Tipo', useChoices: () => named(useQuery(truckTypesQuery()).data) },
  { key: 'CostCenter', label: 'Centro de costo', useChoices: () => named(useQuery(costCentersQuery()).data) },
  { key: 'State', label: 'Estado', useChoices: () => states },
]

export default function TruckList() {
  const mayWrite = useMay('fleet.write')
  const workshopFilter = useWorkshopFilter()
  return (
    <ListScreen
      name="trucks"
      title="Equipos"
      noun={{ one: 'equipo', many: 'equipos', none: 'Ningún' }}
      icon={IconTruck}
      about="Aquí van los camiones de la empresa, con su acoplado, su kilometraje y su historia."
      endpoint={fleet.listTrucks}
      queryKey={fleetKey}
      scope={useWorkshopScope()}
      columns={columns}
      filters={[workshopFilter, ...filters]}
      searchLabel="Código, patente o marca"
      pathOf={(truck) => `/truck/${truck.id}`}
      actions={<Added slot={TRUCK_LIST_ACTIONS} with={{}} />}
      create={mayWrite ? { label: 'Nuevo equipo', to: '/truck/create' } : undefined}
    />
  )
}
