import { IconTruck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { TRUCK_FIELDS } from '#contract/fleet/fields.ts'
import { FLEETS, fleet, showPatent, TRUCK_STATES, type Truck, type TruckEdit } from '#contract/fleet/fleet.ts'
import type { BulkField } from '../frames/bulk-drawer.tsx'
import { BulkEdit, workshopOf } from '../frames/bulk-edit.tsx'
import { listColumns } from '../frames/fields.tsx'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import { ID_COLUMN } from '../frames/list-table.tsx'
import { Added } from '../frames/slots.tsx'
import { useWorkshopFilter, useWorkshopScope } from '../frames/workshop-filter.ts'
import { call } from '../platform/api.ts'
import { useMay, useWorkshop } from '../platform/session.ts'
import { choicesOf, named } from '../ui/choices.ts'
import { Plate } from '../ui/plate.tsx'
import { useSharedFleet } from '../workshops/shared-fleet.ts'
import { brandsQuery, costCentersQuery, fleetKey, truckTypesQuery } from './queries.ts'
import { TRUCK_LIST_ACTIONS } from './slots.ts'

const columns = listColumns<Truck, keyof typeof TRUCK_FIELDS>(TRUCK_FIELDS, {
  code: {
    card: 'title',
    sort: true,
    width: 100,
    rank: 1,
    fixed: true,
    cell: (truck) => <span className="mono">{truck.code}</span>,
  },
  patent: {
    card: 'top',
    sort: true,
    width: 112,
    rank: 2,
    fixed: true,
    cell: (truck) => <Plate text={showPatent(truck.patent)} />,
  },
  type_of_truck_id: { card: 'meta', sort: true, plain: true, width: 130, rank: 6 },
  brand_id: { card: 'meta', sort: true, plain: true, width: 120, rank: 5 },
  cost_center_id: { sort: true, width: 150, rank: 9 },
  coupled_id: {
    card: 'end',
    sort: true,
    width: 112,
    rank: 8,
    cell: (truck) => truck.coupled_patent && <Plate text={showPatent(truck.coupled_patent)} />,
  },
  mileage: { card: 'figure', sort: true, plain: true, width: 124, rank: 4 },
  workshop_id: { sort: true, plain: true, width: 150, rank: 7 },
  state: { card: 'state', sort: true, width: 110, rank: 3 },
})

const states = choicesOf(TRUCK_STATES)
const nameOf = ({ code }: Truck) => code

const filters: ListFilter[] = [
  {
    key: 'Brand',
    label: TRUCK_FIELDS.brand_id.label,
    placeholder: 'Todas',
    useChoices: () => named(useQuery(brandsQuery()).data),
  },
  {
    key: 'Type',
    label: TRUCK_FIELDS.type_of_truck_id.label,
    useChoices: () => named(useQuery(truckTypesQuery()).data),
  },
  {
    key: 'CostCenter',
    label: TRUCK_FIELDS.cost_center_id.label,
    useChoices: () => named(useQuery(costCentersQuery()).data),
  },
  { key: 'State', label: TRUCK_FIELDS.state.label, useChoices: () => states },
]

const fleetFilter: ListFilter = {
  key: 'Fleet',
  label: 'Flota',
  placeholder: FLEETS.own.label,
  hint: 'Los equipos de otros talleres se ven y se usan en órdenes; los edita su taller',
  useChoices: () => choicesOf(FLEETS),
}

const NOUN = { one: 'equipo', many: 'equipos', none: 'Ningún' }

const bulkFields: BulkField<Truck>[] = [
  { key: 'state', label: TRUCK_FIELDS.state.label, useChoices: () => states },
  {
    key: 'cost_center_id',
    label: TRUCK_FIELDS.cost_center_id.label,
    hint: 'Desde hoy: lo gastado antes queda en el centro anterior',
    id: true,
    none: 'Sin centro de costo',
    useChoices: (trucks) => named(useQuery(costCentersQuery(workshopOf(trucks))).data),
  },
  {
    key: 'type_of_truck_id',
    label: TRUCK_FIELDS.type_of_truck_id.label,
    id: true,
    none: 'Sin tipo',
    useChoices: (trucks) => named(useQuery(truckTypesQuery(workshopOf(trucks))).data),
  },
]
const workshopField: BulkField<Truck> = {
  key: 'workshop_id',
  label: TRUCK_FIELDS.workshop_id.label,
  id: true,
  useChoices: () => named(useWorkshop().list),
}

export default function TruckList() {
  const mayWrite = useMay('fleet.write')
  const workshopFilter = useWorkshopFilter()
  const { mayChoose } = useWorkshop()
  const isShared = useSharedFleet() && !mayChoose
  return (
    <ListScreen
      name="trucks"
      title="Equipos"
      noun={NOUN}
      icon={IconTruck}
      about="Aquí van los camiones de la empresa, con su acoplado, su kilometraje y su historia."
      endpoint={fleet.listTrucks}
      queryKey={fleetKey}
      scope={useWorkshopScope()}
      columns={columns}
      fileAlso={[ID_COLUMN]}
      filters={[workshopFilter, ...(isShared ? [fleetFilter] : []), ...filters]}
      searchLabel="Código, patente o marca"
      pathOf={(truck) => `/truck/${truck.id}`}
      actions={<Added slot={TRUCK_LIST_ACTIONS} with={{}} />}
      create={mayWrite ? { label: 'Nuevo equipo', to: '/truck/create' } : undefined}
      bulk={
        mayWrite
          ? {
              name: nameOf,
              actions: (trucks, clear) => (
                <BulkEdit
                  rows={trucks}
                  noun={NOUN}
                  name={nameOf}
                  fields={mayChoose ? [...bulkFields, workshopField] : bulkFields}
                  save={({ id }, change) => call(fleet.updateTruck, { params: { id }, body: change as TruckEdit })}
                  refresh={fleetKey}
                  onDone={clear}
                />
              ),
            }
          : undefined
      }
    />
  )
}
