import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BoardQuery } from '#contract/work-orders/orders.ts'
import { planner } from '#contract/work-orders/planner.ts'
import { call } from '../../platform/api.ts'
import { workOrdersKey } from '../queries.ts'

export const plannerKey = [...workOrdersKey, 'planner'] as const
export const plannerQuery = (filter: BoardQuery['filter'], between: string) =>
  queryOptions({
    queryKey: [...plannerKey, filter, between],
    queryFn: ({ signal }) => call(planner.planner, { query: { filter: { ...filter, BetweenDate: between } }, signal }),
    placeholderData: keepPreviousData,
  })
