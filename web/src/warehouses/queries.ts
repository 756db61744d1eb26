import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Direction } from '#contract/warehouses/stock.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { call } from '../platform/api.ts'

/** The topic of live events: everything below is asked again when stock moves. */
export const warehousesKey = ['warehouses'] as const

export const warehouseQuery = (id: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'warehouse', id],
    queryFn: ({ signal }) => call(warehouses.getWarehouse, { params: { id }, signal }),
  })

export const warehouseChoicesQuery = (workshop: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'choices', workshop],
    queryFn: async ({ signal }) => (await call(warehouses.chooseWarehouses, { params: { id: workshop }, signal })).data,
  })

/** Where stock of a warehouse can be sent, in any workshop. */
export const destinationsQuery = (warehouse: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'destinations', warehouse],
    queryFn: async ({ signal }) => (await call(warehouses.transferDestinations, { query: { warehouse }, signal })).data,
  })

export const transferQuery = (id: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'transfer', id],
    queryFn: ({ signal }) => call(warehouses.getTransfer, { params: { id }, signal }),
  })

/** How much other workshops sent to a warehouse that nobody has received yet. */
export const incomingQuery = (warehouse: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'incoming', warehouse],
    queryFn: async ({ signal }) => {
      const filter = { Warehouse: [warehouse], Way: ['in' as const], State: ['sent' as const] }
      return (await call(warehouses.listTransfers, { query: { filter, per_page: 1 }, signal })).total
    },
  })

/** Why stock comes and goes, in one direction or in both. */
export const transactionTypesQuery = (type?: Direction) =>
  queryOptions({
    queryKey: [...warehousesKey, 'types', type ?? 'all'],
    queryFn: async ({ signal }) => (await call(warehouses.listTransactionTypes, { query: { type }, signal })).data,
    staleTime: 300_000,
  })

export const transactionQuery = (id: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'transaction', id],
    queryFn: ({ signal }) => call(warehouses.getTransaction, { params: { id }, signal }),
  })

/** Purchases on credit that lack their document or provider: the list with its filter, as each home shows it. */
export const incompleteQuery = (workshop: number | undefined) =>
  queryOptions({
    queryKey: [...warehousesKey, 'incomplete', workshop],
    queryFn: ({ signal }) =>
      call(warehouses.listTransactions, {
        query: {
          per_page: 5,
          filter: { Incomplete: ['true'], WorkshopId: workshop === undefined ? undefined : [workshop] },
        },
        signal,
      }),
  })

export const recostedQuery = (id: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'recosted', id],
    queryFn: async ({ signal }) =>
      (await call(warehouses.listRecosted, { params: { id }, query: { per_page: 50 }, signal })).data,
  })

export const countsQuery = (warehouse: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'counts', warehouse],
    queryFn: async ({ signal }) =>
      (await call(warehouses.listCounts, { query: { warehouse, per_page: 50 }, signal })).data,
  })

export const countQuery = (id: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'count', id],
    queryFn: ({ signal }) => call(warehouses.getCount, { params: { id }, signal }),
  })

const OFFERED = 20
export type SupplyList = 'stock' | 'attached' | 'workshop'
const LISTS = {
  stock: warehouses.suppliesInStock,
  attached: warehouses.suppliesAttached,
  workshop: warehouses.suppliesFromWarehouse,
}

/** What a person who types or scans is offered. */
export const suppliesOfferedQuery = (list: SupplyList, warehouse: number, search: string) =>
  queryOptions({
    queryKey: [...warehousesKey, 'offered', list, warehouse, search],
    queryFn: async ({ signal }) =>
      (
        await call(LISTS[list], {
          query: { warehouseId: warehouse, search, per_page: OFFERED, count: 'bounded' },
          signal,
        })
      ).data,
    placeholderData: keepPreviousData,
  })

export const verifyStockQuery = (what: { supply: number; warehouse: number; quantity: number }) =>
  queryOptions({
    queryKey: [...warehousesKey, 'verify', what],
    queryFn: ({ signal }) => call(warehouses.verifyStock, { query: what, signal }),
    retry: false,
    staleTime: 0,
  })

export const kardexQuery = (warehouse: number, supply: number, page: number) =>
  queryOptions({
    queryKey: [...warehousesKey, 'kardex', warehouse, supply, page],
    queryFn: ({ signal }) => call(warehouses.kardex, { query: { warehouse, supply, page, per_page: 50 }, signal }),
    placeholderData: keepPreviousData,
  })
