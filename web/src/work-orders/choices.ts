import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fleet } from '#contract/fleet/fleet.ts'
import { providers } from '#contract/providers/providers.ts'
import { supplies } from '#contract/supplies/supplies.ts'
import { workCatalogues } from '#contract/work-orders/catalogues.ts'
import { rosters } from '#contract/workshops/rosters.ts'
import { call } from '../platform/api.ts'
import { workOrdersKey } from './queries.ts'

/* What an order is made of: apart, so that a mechanic's screen does without */

const CATALOGUE_STALE = 120_000
const MOST = 500
const active = (workshop?: number) => ({
  per_page: MOST,
  filter: { State: ['active' as const], WorkshopId: workshop ? [workshop] : undefined },
})

export const maintenanceTypesQuery = queryOptions({
  queryKey: [...workOrdersKey, 'types'],
  queryFn: async ({ signal }) => (await call(workCatalogues.listMaintenanceTypes, { signal })).data,
  staleTime: CATALOGUE_STALE,
})

export const tasksQuery = queryOptions({
  queryKey: [...workOrdersKey, 'tasks'],
  queryFn: async ({ signal }) =>
    (await call(workCatalogues.listTasks, { query: { per_page: MOST, filter: { State: ['active'] } }, signal })).data,
  staleTime: CATALOGUE_STALE,
})

/** `shared`: what an order may name, so those of other workshops too, where the company shares its fleet. */
export const trucksQuery = (workshop?: number, shared = false) =>
  queryOptions({
    queryKey: ['fleet', 'choices', workshop ?? 'all', shared],
    queryFn: async ({ signal }) => {
      const filter = { WorkshopId: workshop ? [workshop] : undefined, ...(shared && { Shared: true }) }
      return (await call(fleet.chooseTrucks, { query: { filter }, signal })).data
    },
    staleTime: CATALOGUE_STALE,
  })

export const specialistsQuery = (workshop?: number) =>
  queryOptions({
    queryKey: ['workshops', 'specialists', 'active', workshop ?? 'all'],
    queryFn: async ({ signal }) => (await call(rosters.listSpecialists, { query: active(workshop), signal })).data,
    staleTime: CATALOGUE_STALE,
  })

export const driversQuery = (workshop?: number) =>
  queryOptions({
    queryKey: ['workshops', 'drivers', 'active', workshop ?? 'all'],
    queryFn: async ({ signal }) => (await call(rosters.listDrivers, { query: active(workshop), signal })).data,
    staleTime: CATALOGUE_STALE,
  })

export const boxesQuery = (workshop?: number) =>
  queryOptions({
    queryKey: ['workshops', 'boxes', 'active', workshop ?? 'all'],
    queryFn: async ({ signal }) => (await call(rosters.listBoxes, { query: active(workshop), signal })).data,
    staleTime: CATALOGUE_STALE,
  })

export const servicesOfQuery = (provider: number) =>
  queryOptions({
    queryKey: ['providers', 'services-of', provider],
    queryFn: async ({ signal }) =>
      (await call(providers.listServices, { params: { id: provider }, query: { per_page: MOST }, signal })).data,
    staleTime: CATALOGUE_STALE,
  })

/** The catalogue, for orders whose supplies leave no warehouse. */
export const catalogueSuppliesQuery = (workshop: number, search: string) =>
  queryOptions({
    queryKey: ['supplies', 'offered', workshop, search],
    queryFn: async ({ signal }) =>
      (
        await call(supplies.listSupplies, {
          query: {
            per_page: 20,
            filter: { Search: search || undefined, WorkshopId: workshop ? [workshop] : undefined },
          },
          signal,
        })
      ).data,
    placeholderData: keepPreviousData,
  })

export const supplyChoicesQuery = (workshop?: number) =>
  queryOptions({
    queryKey: ['supplies', 'choices', workshop ?? 'all'],
    queryFn: async ({ signal }) =>
      (
        await call(supplies.listSupplies, {
          query: { per_page: MOST, sort: 'name', filter: { WorkshopId: workshop ? [workshop] : undefined } },
          signal,
        })
      ).data,
    staleTime: CATALOGUE_STALE,
  })
