import { queryOptions } from '@tanstack/react-query'
import { supplies } from '#contract/supplies/supplies.ts'
import { call } from '../platform/api.ts'

/** The topic of live events: everything below is asked again when a supply changes. */
export const suppliesKey = ['supplies'] as const

export const supplyQuery = (id: number) =>
  queryOptions({
    queryKey: [...suppliesKey, 'supply', id],
    queryFn: ({ signal }) => call(supplies.getSupply, { params: { id }, signal }),
  })

export const COSTS_SHOWN = 500

export const costsQuery = (id: number) =>
  queryOptions({
    queryKey: [...suppliesKey, 'costs', id],
    queryFn: ({ signal }) => call(supplies.supplyCosts, { params: { id }, query: { per_page: COSTS_SHOWN }, signal }),
  })

const CATALOGUE_STALE = 120_000
const ofWorkshop = (workshop: number | undefined) => ({ filter: { WorkshopId: workshop ? [workshop] : undefined } })

/** Those of one workshop and the shared ones; without a workshop, all. */
export const categoriesQuery = (workshop?: number) =>
  queryOptions({
    queryKey: [...suppliesKey, 'categories', workshop ?? 'all'],
    queryFn: async ({ signal }) => (await call(supplies.listCategories, { query: ofWorkshop(workshop), signal })).data,
    staleTime: CATALOGUE_STALE,
  })

export const unitsQuery = (workshop?: number) =>
  queryOptions({
    queryKey: [...suppliesKey, 'units', workshop ?? 'all'],
    queryFn: async ({ signal }) =>
      (await call(supplies.listMeasurementUnits, { query: ofWorkshop(workshop), signal })).data,
    staleTime: CATALOGUE_STALE,
  })
