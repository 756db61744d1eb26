import { queryOptions } from '@tanstack/react-query'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { call } from '../../platform/api.ts'
import { warehousesKey } from '../../warehouses/queries.ts'
import { of } from '../queries.ts'

/** Fewer than these, and the company has hardly begun. */
export const BEGUN = 10

/** How many orders there are so far; a company that has begun is not asked again. */
export const soFarQuery = queryOptions({
  queryKey: ['counted', 'so-far'],
  queryFn: async ({ signal }) => (await call(workOrders.listWorkOrders, { query: { per_page: 1 }, signal })).total,
  staleTime: ({ state }) => ((state.data ?? 0) < BEGUN ? 0 : Number.POSITIVE_INFINITY),
})

export const ownWarehousesQuery = (workshop: number | undefined) =>
  queryOptions({
    queryKey: [...warehousesKey, 'home', workshop],
    queryFn: async ({ signal }) =>
      (await call(warehouses.listWarehouses, { query: { per_page: 20, filter: { WorkshopId: of(workshop) } }, signal }))
        .data,
  })

/** What other workshops sent here and nobody has received yet. */
export const incomingTransfersQuery = (workshop: number | undefined) =>
  queryOptions({
    queryKey: [...warehousesKey, 'home', 'incoming', workshop],
    queryFn: ({ signal }) =>
      call(warehouses.listTransfers, {
        query: { per_page: 20, filter: { State: ['sent'], Way: ['in'], WorkshopId: of(workshop) } },
        signal,
      }),
  })
