import { queryOptions } from '@tanstack/react-query'
import { alerts } from '#contract/alerts/alerts.ts'
import { type PurchaseStatus, purchasing } from '#contract/purchasing/purchasing.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { OPEN_STATUSES } from '#contract/work-orders/states.ts'
import { alertsKey } from '../../alerts/queries.ts'
import { call } from '../../platform/api.ts'
import { purchasingKey } from '../../purchasing/queries.ts'
import { warehousesKey } from '../../warehouses/queries.ts'

const of = (workshop: number | undefined) => (workshop === undefined ? undefined : [workshop])

/** What falls due, the first first. */
export const dueAlertsQuery = (workshop: number | undefined, per_page: number) =>
  queryOptions({
    queryKey: [...alertsKey, 'due', workshop, per_page],
    queryFn: ({ signal }) =>
      call(alerts.listAlerts, {
        query: { per_page, filter: { Status: ['current'], WorkshopId: of(workshop) } },
        signal,
      }),
  })

export const purchasesQuery = (workshop: number | undefined, Status: PurchaseStatus[], per_page: number) =>
  queryOptions({
    queryKey: [...purchasingKey, 'home', workshop, Status, per_page],
    queryFn: ({ signal }) =>
      call(purchasing.listPurchaseOrders, {
        query: { per_page, sort: 'deliveryAt', filter: { Status, WorkshopId: of(workshop) } },
        signal,
      }),
  })

export const openOrdersQuery = (workshop: number | undefined, per_page: number) =>
  queryOptions({
    // Asked by the clock: what changes an order does not ask for this on every screen.
    queryKey: ['counted', 'orders', workshop, per_page],
    queryFn: ({ signal }) =>
      call(workOrders.listWorkOrders, {
        query: { per_page, sort: 'created_at', filter: { Status: OPEN_STATUSES, WorkshopId: of(workshop) } },
        signal,
      }),
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
