import { queryOptions } from '@tanstack/react-query'
import { fleetCatalogues } from '#contract/fleet/catalogues.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { call } from '../platform/api.ts'

/** The topic of live events: everything below is asked again when something in the fleet changes. */
export const fleetKey = ['fleet'] as const

export const truckQuery = (id: number) =>
  queryOptions({
    queryKey: [...fleetKey, 'truck', id],
    queryFn: ({ signal }) => call(fleet.getTruck, { params: { id }, signal }),
  })

/** The meter's line and table show the same readings; a truck rarely has more than this in years. */
export const READINGS_SHOWN = 500

export const readingsQuery = (id: number) =>
  queryOptions({
    queryKey: [...fleetKey, 'readings', id],
    queryFn: ({ signal }) =>
      call(fleet.listReadings, { params: { id }, query: { sort: '-date', per_page: READINGS_SHOWN }, signal }),
  })

export const couplingsQuery = (id: number) =>
  queryOptions({
    queryKey: [...fleetKey, 'couplings', id],
    queryFn: async ({ signal }) => (await call(fleet.listCouplings, { params: { id }, signal })).data,
  })

/* Catalogues: those of one workshop and the shared ones; without a workshop, all. */

const CATALOGUE_STALE = 120_000
const ofWorkshop = (workshop: number | undefined) => ({ filter: { WorkshopId: workshop ? [workshop] : undefined } })

/** `shared`: those of other workshops too, where the company shares its fleet. */
export const coupledQuery = (workshop?: number, shared = false) =>
  queryOptions({
    queryKey: [...fleetKey, 'coupled', workshop ?? 'all', shared],
    queryFn: async ({ signal }) => {
      const filter = { ...ofWorkshop(workshop).filter, ...(shared && { Shared: true }) }
      return (await call(fleet.listCoupled, { query: { filter }, signal })).data
    },
    staleTime: CATALOGUE_STALE,
  })

export const brandsQuery = (workshop?: number) =>
  queryOptions({
    queryKey: [...fleetKey, 'brands', workshop ?? 'all'],
    queryFn: async ({ signal }) =>
      (await call(fleetCatalogues.listBrands, { query: ofWorkshop(workshop), signal })).data,
    staleTime: CATALOGUE_STALE,
  })

export const truckTypesQuery = (workshop?: number) =>
  queryOptions({
    queryKey: [...fleetKey, 'types', workshop ?? 'all'],
    queryFn: async ({ signal }) =>
      (await call(fleetCatalogues.chooseTruckTypes, { query: ofWorkshop(workshop), signal })).data,
    staleTime: CATALOGUE_STALE,
  })

export const costCentersQuery = (workshop?: number) =>
  queryOptions({
    queryKey: [...fleetKey, 'cost-centers', workshop ?? 'all'],
    queryFn: async ({ signal }) =>
      (await call(fleetCatalogues.listCostCenters, { query: ofWorkshop(workshop), signal })).data,
    staleTime: CATALOGUE_STALE,
  })
