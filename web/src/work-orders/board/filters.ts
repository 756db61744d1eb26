import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { formatQuery, parseQuery } from '#contract/base/wire.ts'
import { identity, type Me } from '#contract/identity/identity.ts'
import { BoardQuery, type WorkOrderCard } from '#contract/work-orders/orders.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { readListQuery } from '../../frames/list-query.ts'
import { call } from '../../platform/api.ts'
import { preferencesQuery, useWorkshop, workshopOf } from '../../platform/session.ts'
import { keep, recall } from '../../platform/storage.ts'
import { isOverdue } from '../words.ts'

/** Looks that need no question to the server: the cards are here. */
export const ONLY = {
  mias: { label: 'Mis órdenes', of: (card: WorkOrderCard) => card.mine && !isClosed(card) },
  atrasadas: { label: 'Atrasadas', of: (card: WorkOrderCard, zone: string) => isOverdue(card, zone) },
  urgentes: {
    label: 'Prioridad alta',
    of: (card: WorkOrderCard) => card.priority === 'high' && !isClosed(card),
  },
  repuestos: {
    label: 'Esperan repuestos',
    of: (card: WorkOrderCard) => card.waiting_for_parts && !isClosed(card),
  },
  'sin-responsable': {
    label: 'Sin responsable',
    of: (card: WorkOrderCard) => card.responsible_specialist_id === null && !isClosed(card),
  },
} as const
export type Only = keyof typeof ONLY
const isOnly = (name: unknown): name is Only => typeof name === 'string' && name in ONLY

type Filter = BoardQuery['filter']
const KEPT = 'list.board.filters'
const PAUSE = 1500

const readFilter = (filter: object | undefined) =>
  (readListQuery(BoardQuery, { filter: filter ?? {} }) as unknown as { filter: Filter }).filter
/** With the workshop in use, unless another was chosen. */
const askedOf = (workshop: number | undefined, filter: Filter): Filter => ({
  WorkshopId: workshop === undefined ? undefined : [workshop],
  ...filter,
})

/** What the board at the address asks for first. */
export function firstAsked(me: Me) {
  const { pathname, search } = window.location
  const { filter } = (pathname === '/ordenes-de-trabajo' ? parseQuery(search.slice(1)) : {}) as { filter?: object }
  return askedOf(workshopOf(me), readFilter(filter))
}

/** What is looked at, in the address; what was chosen last comes back, also in another browser. */
export function useBoardFilters() {
  const search = useSearch({ strict: false }) as { solo?: unknown; filter?: object }
  const navigate = useNavigate()
  const client = useQueryClient()
  const workshop = useWorkshop()
  const filter = readFilter(search.filter)
  const only = isOnly(search.solo) ? search.solo : undefined
  const saving = useRef<ReturnType<typeof setTimeout>>(undefined)

  const write = (next: Filter, replace: boolean, also: object = {}) =>
    void navigate({
      to: '.',
      search: ({ filter: _, ...rest }) => ({
        ...rest,
        ...also,
        ...parseQuery(formatQuery({ filter: next }).slice(1)),
      }),
      replace,
    })

  const remembered = recall(KEPT)
  const preferences = useQuery({ ...preferencesQuery, enabled: remembered === null }).data
  const bare = search.filter === undefined
  const index = useLocation({ select: ({ state }) => state.__TSR_index })
  const last = useRef(index)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, where the address says nothing
  useEffect(() => {
    const isBack = index < last.current
    last.current = index
    // Who goes back takes the filter off; who follows a link to the board gets it as it was.
    if (!bare || isBack) return
    const from = remembered === null ? preferences?.board_filters : parsed(remembered)
    if (!from) return
    if (remembered === null) keep(KEPT, JSON.stringify(from))
    const known = readFilter(from)
    if (Object.keys(known).length > 0) write(known, true)
  }, [preferences, bare, index])

  const remember = async (board_filters: Record<string, unknown>) => {
    const now = await client.fetchQuery(preferencesQuery)
    await call(identity.updatePreferences, { body: { ...now, board_filters } })
  }

  const setFilter = (next: Filter, replace = false, also: object = {}) => {
    const { Search: _, ...chosen } = next
    keep(KEPT, JSON.stringify(chosen))
    clearTimeout(saving.current)
    // Where it fails, this browser still remembers.
    saving.current = setTimeout(() => void remember(chosen).catch(() => {}), PAUSE)
    write(next, replace, also)
  }

  return {
    filter,
    asked: askedOf(workshop.id, filter),
    setFilter,
    /** Nothing was looked at before, here or elsewhere. */
    fresh:
      remembered === null && preferences !== undefined && Object.keys(preferences.board_filters ?? {}).length === 0,
    only,
    setOnly: (solo: Only | undefined) => void navigate({ to: '.', search: (now) => ({ ...now, solo }), replace: true }),
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
