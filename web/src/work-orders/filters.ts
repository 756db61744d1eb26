import { useQuery } from '@tanstack/react-query'
import type { Permission } from '#contract/base/permissions.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { PLACES } from '#contract/work-orders/orders.ts'
import { WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import { fullName } from '#contract/workshops/rosters.ts'
import { coupledQuery } from '../fleet/queries.ts'
import type { ListFilter } from '../frames/list-filters.tsx'
import { useMe, useWorkshop } from '../platform/session.ts'
import { providerChoicesQuery } from '../providers/queries.ts'
import { choicesOf, named } from '../ui/choices.ts'
import {
  boxesQuery,
  driversQuery,
  maintenanceTypesQuery,
  specialistsQuery,
  supplyChoicesQuery,
  trucksQuery,
} from './choices.ts'

/* What orders are searched by, on the board, in the calendar and in the history. */

const people = (list: (Parameters<typeof fullName>[0] & { id: number })[] | undefined) =>
  list?.map((who) => ({ value: String(who.id), label: fullName(who) }))

const PRIORITY_CHOICES = choicesOf(PRIORITIES)
const STATUS_CHOICES = choicesOf(WORK_ORDER_STATES)
const PLACE_CHOICES = choicesOf(PLACES)
const PLANNED_CHOICES = [
  { value: 'true', label: 'Planificada' },
  { value: 'false', label: 'No planificada' },
]

export const truckFilter: ListFilter = {
  key: 'Truck',
  label: 'Equipo',
  useChoices: () =>
    useQuery(trucksQuery(useWorkshop().id)).data?.map(({ id, code, patent }) => ({
      value: String(id),
      label: `${code} · ${showPatent(patent)}`,
    })),
}
const coupledFilter: ListFilter = {
  key: 'Coupled',
  label: 'Acoplado',
  useChoices: () =>
    useQuery(coupledQuery(useWorkshop().id)).data?.map(({ id, patent }) => ({
      value: String(id),
      label: showPatent(patent),
    })),
}
const priorityFilter: ListFilter = { key: 'Priority', label: 'Prioridad', useChoices: () => PRIORITY_CHOICES }
const typeFilter: ListFilter = {
  key: 'Type',
  label: 'Tipo de mantención',
  useChoices: () => named(useQuery(maintenanceTypesQuery).data),
}
const specialistFilter: ListFilter = {
  key: 'Specialist',
  label: 'Especialista',
  hint: 'Responsable de la orden o de alguno de sus trabajos',
  useChoices: () => people(useQuery(specialistsQuery(useWorkshop().id)).data),
}

export const boardFilters = [truckFilter, priorityFilter, typeFilter, specialistFilter]

const historyFilters: (ListFilter & { may?: Permission })[] = [
  { key: 'Status', label: 'Estado', useChoices: () => STATUS_CHOICES },
  truckFilter,
  coupledFilter,
  typeFilter,
  priorityFilter,
  specialistFilter,
  {
    key: 'Driver',
    label: 'Conductor',
    hint: 'Quien la pidió o a quien se le entregó',
    useChoices: () => people(useQuery(driversQuery(useWorkshop().id)).data),
  },
  {
    key: 'Provider',
    label: 'Proveedor de servicios',
    may: 'providers.read',
    useChoices: () => named(useQuery(providerChoicesQuery(useWorkshop().id)).data),
  },
  {
    key: 'Supply',
    label: 'Insumo usado',
    may: 'supplies.read',
    useChoices: () =>
      useQuery(supplyChoicesQuery(useWorkshop().id)).data?.map(({ id, code, name }) => ({
        value: String(id),
        label: `${code} · ${name}`,
      })),
  },
  { key: 'Box', label: 'Box', useChoices: () => named(useQuery(boxesQuery(useWorkshop().id)).data) },
  { key: 'Place', label: 'Lugar', useChoices: () => PLACE_CHOICES },
  { key: 'Planned', label: 'Planificación', useChoices: () => PLANNED_CHOICES },
]

/** All that orders are searched by, as far as the person may read the lists to choose from. */
export function useHistoryFilters(): ListFilter[] {
  const { permissions } = useMe()
  return historyFilters.filter(({ may }) => may === undefined || permissions.includes(may))
}
