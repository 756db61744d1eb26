import { queryOptions } from '@tanstack/react-query'
import { type PurchaseStatus, purchasing } from '#contract/purchasing/purchasing.ts'
import { ApiFailure, call } from '../platform/api.ts'
import { warehousesKey } from '../warehouses/queries.ts'

/** The topic of live events: everything below is asked again when a purchase order changes. */
export const purchasingKey = ['purchasing'] as const

const MISSING = 'Purchase order with ID not found'
const isMissing = (cause: unknown) => cause instanceof ApiFailure && cause.status === 404

/** The specification names these messages: they are for whoever reads the console, not for the screen. */
function logged<E extends Error>(error: E): E {
  console.error(error)
  return error
}

export const purchaseOrderQuery = (id: number) =>
  queryOptions({
    queryKey: [...purchasingKey, 'order', id],
    queryFn: ({ signal }) =>
      call(purchasing.getPurchaseOrder, { params: { id }, signal }).catch((cause) => {
        if (!isMissing(cause)) throw cause
        throw logged(new ApiFailure(404, MISSING))
      }),
  })

export const receiptsQuery = (id: number) =>
  queryOptions({
    queryKey: [...purchasingKey, 'receipts', id],
    queryFn: async ({ signal }) => (await call(purchasing.listReceipts, { params: { id }, signal })).data,
  })

export const matchingQuery = (id: number) =>
  queryOptions({
    queryKey: [...purchasingKey, 'matching', id],
    queryFn: ({ signal }) => call(purchasing.matchPurchaseOrder, { params: { id }, signal }),
  })

/** Of the entries' topic: they are what the figures sum. */
export const providerPurchasesQuery = (id: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'bought-from', id],
    queryFn: ({ signal }) => call(purchasing.providerPurchases, { params: { id }, signal }),
  })

export const reorderQuery = (warehouse: number) =>
  queryOptions({
    queryKey: [...purchasingKey, 'reorder', warehouse],
    queryFn: async ({ signal }) => (await call(purchasing.reorder, { query: { warehouse }, signal })).data,
  })

export const reorderCountQuery = (warehouse: number) =>
  queryOptions({
    queryKey: [...purchasingKey, 'reorder-count', warehouse],
    queryFn: async ({ signal }) => (await call(purchasing.reorderCount, { query: { warehouse }, signal })).total,
  })

/** Of the entries' topic: what comes in, and what is asked for, moves them. */
export const requestsQuery = (warehouse: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'requests', warehouse],
    queryFn: async ({ signal }) => (await call(purchasing.partsRequests, { query: { warehouse }, signal })).data,
  })

export const requestsCountQuery = (warehouse: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'requests-count', warehouse],
    queryFn: async ({ signal }) => (await call(purchasing.partsRequestsCount, { query: { warehouse }, signal })).total,
  })

/** Moves an order to another status. What it throws is for the log; its cause says why, in the person's words. */
export async function updatePurchaseStatus(id: number, status: PurchaseStatus) {
  try {
    return await call(purchasing.updatePurchaseStatus, { params: { id }, body: { status } })
  } catch (cause) {
    throw logged(new Error(isMissing(cause) ? MISSING : 'Failed to update purchase order status', { cause }))
  }
}
