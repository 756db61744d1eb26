import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type BoardQuery, type SignatureKind, workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { OPEN_STATUSES } from '#contract/work-orders/states.ts'
import { call } from '../platform/api.ts'

/** The topic of live events: everything below is asked again when an order changes. */
export const workOrdersKey = ['work-orders'] as const

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

export const signatureQuery = (id: number, kind: SignatureKind, signed_at: string) =>
  queryOptions({
    queryKey: ['work-order-signature', id, kind, signed_at],
    queryFn: ({ signal }) => call(workOrderParts.getSignature, { params: { id, kind }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
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
