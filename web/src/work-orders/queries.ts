import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fleet } from '#contract/fleet/fleet.ts'
import { providers } from '#contract/providers/providers.ts'
import { supplies } from '#contract/supplies/supplies.ts'
import { workCatalogues } from '#contract/work-orders/catalogues.ts'
import { type BoardQuery, workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { payables } from '#contract/work-orders/payables.ts'
import { planner } from '#contract/work-orders/planner.ts'
import { OPEN_STATUSES } from '#contract/work-orders/states.ts'
import { rosters } from '#contract/workshops/rosters.ts'
import { call } from '../platform/api.ts'

/** The topic of live events: everything below is asked again when an order changes. */
export const workOrdersKey = ['work-orders'] as const

export const boardQuery = (filter: BoardQuery['filter']) =>
  queryOptions({
    queryKey: [...workOrdersKey, 'board', filter],
    queryFn: ({ signal }) => call(workOrders.workOrderBoard, { query: { filter }, signal }),
    placeholderData: keepPreviousData,
  })

export const workOrderQuery = (id: number) =>
  queryOptions({
    queryKey: [...workOrdersKey, 'order', id],
    queryFn: ({ signal }) => call(workOrders.getWorkOrder, { params: { id }, signal }),
  })

export const calendarQuery = (kind: 'orders' | 'works', filter: BoardQuery['filter'], between: string) =>
  queryOptions({
    queryKey: [...workOrdersKey, 'calendar', kind, filter, between],
    queryFn: async ({ signal }) =>
      (
        await call(kind === 'orders' ? workOrders.calendarOrders : workOrders.calendarWorks, {
          query: { filter: { ...filter, BetweenDate: between } },
          signal,
        })
      ).data,
    placeholderData: keepPreviousData,
  })

const OPEN_SHOWN = 5
/** The latest open orders of a truck. */
export const openOfTruckQuery = (truck: number) =>
  queryOptions({
    queryKey: [...workOrdersKey, 'open-of', truck],
    queryFn: ({ signal }) =>
      call(workOrders.listWorkOrders, {
        query: { per_page: OPEN_SHOWN, sort: '-created_at', filter: { Truck: [truck], Status: OPEN_STATUSES } },
        signal,
      }),
  })

export const plannerKey = [...workOrdersKey, 'planner'] as const
export const plannerQuery = (filter: BoardQuery['filter'], between: string) =>
  queryOptions({
    queryKey: [...plannerKey, filter, between],
    queryFn: ({ signal }) => call(planner.planner, { query: { filter: { ...filter, BetweenDate: between } }, signal }),
    placeholderData: keepPreviousData,
  })

export const myWorksQuery = queryOptions({
  queryKey: [...workOrdersKey, 'mine'],
  queryFn: async ({ signal }) => (await call(workOrderParts.myWorks, { signal })).data,
})

export const filesQuery = (id: number) =>
  queryOptions({
    queryKey: [...workOrdersKey, 'files', id],
    queryFn: async ({ signal }) => (await call(workOrderParts.listFiles, { params: { id }, signal })).data,
  })

/** A file never changes: once fetched it stays. */
export const fileQuery = (id: number) =>
  queryOptions({
    queryKey: ['work-order-file', id],
    queryFn: ({ signal }) => call(workOrderParts.getFile, { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** As it is shown among others. */
export const smallFileQuery = (id: number) =>
  queryOptions({
    queryKey: ['work-order-file', id, 'small'],
    queryFn: ({ signal }) => call(workOrderParts.getFile, { params: { id }, query: { size: 'small' }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const commentsQuery = (id: number) =>
  queryOptions({
    queryKey: [...workOrdersKey, 'comments', id],
    queryFn: async ({ signal }) => (await call(workOrderParts.listComments, { params: { id }, signal })).data,
  })

export const signatureQuery = (id: number, kind: 'delivered' | 'reviewed', signed_at: string) =>
  queryOptions({
    queryKey: ['work-order-signature', id, kind, signed_at],
    queryFn: ({ signal }) => call(workOrderParts.getSignature, { params: { id, kind }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const payableQuery = (id: number) =>
  queryOptions({
    queryKey: [...workOrdersKey, 'payable', id],
    queryFn: ({ signal }) => call(payables.getPayable, { params: { id }, signal }),
  })

/** Orders that the next invoice of a provider may cover. */
export const uninvoicedQuery = (provider: number) =>
  queryOptions({
    queryKey: [...workOrdersKey, 'uninvoiced', provider],
    queryFn: async ({ signal }) =>
      (await call(workOrderParts.uninvoicedOrders, { params: { id: provider }, signal })).data,
  })

/** What a person who types or scans is offered for an order that exists. */
export const availableSuppliesQuery = (id: number, search: string) =>
  queryOptions({
    queryKey: [...workOrdersKey, 'available', id, search],
    queryFn: async ({ signal }) =>
      (await call(workOrderParts.availableSupplies, { params: { id }, query: { search }, signal })).data,
    placeholderData: keepPreviousData,
  })

/* What an order is made of */

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
          query: { per_page: 20, filter: { Search: search || undefined, WorkshopId: [workshop] } },
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
