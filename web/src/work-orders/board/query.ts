import { hashKey, keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Board, type BoardQuery, workOrders } from '#contract/work-orders/orders.ts'
import { call } from '../../platform/api.ts'
import { changedSince, moment } from '../../platform/live.ts'
import { keep, recall } from '../../platform/storage.ts'
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
      if (!filter.Reserved) keepSize(answer)
      // It may have been changed meanwhile by what was done here.
      const now = client.getQueryData<Board>(queryKey)
      return now && only ? withChanged(now, only, answer) : answer
    },
    placeholderData: keepPreviousData,
  })

/** What a morning page says of it. */
export const inShortQuery = (workshop: number | undefined) =>
  queryOptions({
    queryKey: [...workOrdersKey, 'in-short', workshop],
    queryFn: async ({ signal }) => {
      const WorkshopId = workshop === undefined ? undefined : [workshop]
      const inShort = await call(workOrders.workOrderBoardInShort, { query: { filter: { WorkshopId } }, signal })
      keepSize(inShort.board)
      return inShort
    },
    placeholderData: keepPreviousData,
  })

/** Of each column of a large board first: nobody waits for what is out of sight. */
const TOPS = 25
const LARGE = 500
const isLarge = () => Number(recall('board') ?? 0) > LARGE
const keepSize = (board: Board) =>
  keep('board', String(Object.values(board).reduce((sum, { total }) => sum + total, 0)))

const topsQuery = (filter: BoardQuery['filter']) =>
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

/** What is read of it first. */
export const firstQuery = (filter: BoardQuery['filter']) => (isLarge() ? topsQuery(filter) : boardQuery(filter))

/** The board: of a large one the tops of its columns, and the whole as soon as that is there. */
export function useBoard(filter: BoardQuery['filter']) {
  const client = useQueryClient()
  const [hasTops] = useState(isLarge)
  const isKnown = client.getQueryData(boardQuery(filter).queryKey) !== undefined
  const tops = useQuery({ ...topsQuery(filter), enabled: hasTops && !isKnown })
  const whole = useQuery({ ...boardQuery(filter), enabled: !hasTops || isKnown || tops.isFetched })
  const isWhole = whole.data !== undefined && !whole.isPlaceholderData
  return { ...whole, data: isWhole ? whole.data : (tops.data ?? whole.data), isWhole }
}
