import { hashKey, keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
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

/** Of each column first: nobody waits for what is out of sight. */
const TOPS = 25

export const topsQuery = (filter: BoardQuery['filter']) =>
  queryOptions({
    queryKey: [...boardQuery(filter).queryKey, 'tops'],
    queryFn: async ({ signal, client }) => {
      const last = moment()
      const tops = await call(workOrders.workOrderBoard, { query: { filter, per_page: TOPS }, signal })
      const { queryKey } = boardQuery(filter)
      // Where that is all there is, it need not be asked for twice.
      if (Object.values(tops).every(({ data, total }) => data.length === total)) {
        read.set(hashKey(queryKey), { whole: Date.now(), last })
        client.setQueryData(queryKey, tops)
      }
      return tops
    },
  })

/** The board: the tops of its columns, and the whole as soon as that is there. */
export function useBoard(filter: BoardQuery['filter']) {
  const client = useQueryClient()
  const isKnown = client.getQueryData(boardQuery(filter).queryKey) !== undefined
  const tops = useQuery({ ...topsQuery(filter), enabled: !isKnown })
  const whole = useQuery({ ...boardQuery(filter), enabled: isKnown || tops.isFetched })
  const isWhole = whole.data !== undefined && !whole.isPlaceholderData
  return { ...whole, data: isWhole ? whole.data : (tops.data ?? whole.data), isWhole }
}
