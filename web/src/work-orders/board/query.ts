import { hashKey, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Board, type BoardQuery, workOrders } from '#contract/work-orders/orders.ts'
import { call } from '../../platform/api.ts'
import { changedSince, moment } from '../../platform/live.ts'
import { workOrdersKey } from '../queries.ts'
import { withChanged, withClashing } from './model.ts'

/** When each board was read: whole, and last. */
const read = new Map<string, { whole: number; last: number }>()
/** What a card says also changes by itself, with the hours. */
const WHOLE_EVERY = 5 * 60_000

/** The cards that changed since it was read, where that is known; else the whole board. */
export const boardQuery = (filter: BoardQuery['filter']) =>
  queryOptions({
    queryKey: [...workOrdersKey, 'board', filter],
    queryFn: async ({ signal, client, queryKey }) => {
      const name = hashKey(queryKey)
      const before = read.get(name)
      const last = moment()
      const board = client.getQueryData<Board>(queryKey)
      const isFresh = before && Date.now() - before.whole < WHOLE_EVERY
      const changed = board && isFresh ? changedSince(workOrdersKey[0], before.last) : undefined
      const only = board && changed?.length ? withClashing(board, changed) : undefined
      const answer = await call(workOrders.workOrderBoard, { query: { filter, ...(only && { only }) }, signal })
      read.set(name, { whole: only && before ? before.whole : Date.now(), last })
      // It may have been changed meanwhile by what was done here.
      const now = client.getQueryData<Board>(queryKey)
      return now && only ? withChanged(now, only, answer) : answer
    },
    placeholderData: keepPreviousData,
  })
