import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Board } from '#contract/work-orders/orders.ts'
import { useKey } from '../../ui/keys.ts'
import { workOrdersKey } from '../queries.ts'

/** The orders before and after this one in its column, where one came from the board. */
export function useNeighbours(id: number) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const boards = client
    .getQueryCache()
    .findAll({ queryKey: [...workOrdersKey, 'board'] })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  const columns = boards.flatMap(({ state }) => (state.data ? Object.values(state.data as Board) : []))
  const cards = columns.find(({ data }) => data.some((card) => card.id === id))?.data ?? []
  const place = cards.findIndex((card) => card.id === id)
  const to = (other: number) => {
    const card = cards[other]
    return card && (() => void navigate({ to: '/ordenes-de-trabajo/$id', params: { id: String(card.id) } }))
  }
  const [before, after] = place < 0 ? [] : [to(place - 1), to(place + 1)]
  useKey('k', before)
  useKey('j', after)
  return { place, total: cards.length, before, after }
}
