import { queryOptions } from '@tanstack/react-query'
import { alerts } from '#contract/alerts/alerts.ts'
import { PURCHASE_STATES, PURCHASE_STATUS_NAMES, purchasing } from '#contract/purchasing/purchasing.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { OPEN_STATUSES } from '#contract/work-orders/states.ts'
import { call } from '../platform/api.ts'

export const of = (workshop: number | undefined) => (workshop === undefined ? undefined : [workshop])

/** What falls due, the first first. */
export const dueAlertsQuery = (workshop: number | undefined, per_page: number) =>
  queryOptions({
    queryKey: ['alerts', 'due', workshop, per_page],
    queryFn: ({ signal }) =>
      call(alerts.listAlerts, {
        query: { per_page, filter: { Status: ['current'], WorkshopId: of(workshop) } },
        signal,
      }),
  })

export const purchasesQuery = (workshop: number | undefined, which: 'pending' | 'receivable', per_page: number) =>
  queryOptions({
    queryKey: ['purchasing', 'home', workshop, which, per_page],
    queryFn: ({ signal }) => {
      const Status = PURCHASE_STATUS_NAMES.filter((one) =>
        which === 'pending' ? one === which : PURCHASE_STATES[one].receivable,
      )
      return call(purchasing.listPurchaseOrders, {
        query: { per_page, sort: 'deliveryAt', filter: { Status, WorkshopId: of(workshop) } },
        signal,
      })
    },
  })

/** What other workshops sent here, or what left here in some days and arrived otherwise; asked by the clock. */
export const transfersQuery = (workshop: number | undefined, which: 'coming' | 'short', BetweenDate?: string) =>
  queryOptions({
    queryKey: ['counted', 'transfers', workshop, which, BetweenDate],
    queryFn: async ({ signal }) => {
      const ends =
        which === 'coming'
          ? { State: ['sent' as const], Way: ['in' as const] }
          : { State: ['difference' as const], Way: ['out' as const], BetweenDate }
      const filter = { ...ends, WorkshopId: of(workshop) }
      return (await call(warehouses.listTransfers, { query: { per_page: 10, filter }, signal })).data
    },
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
