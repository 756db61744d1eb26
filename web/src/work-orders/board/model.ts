import { type Board, POSITION_STEP, type WorkOrderCard } from '#contract/work-orders/orders.ts'
import { WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES, type WorkOrderStatus } from '#contract/work-orders/states.ts'

/* The board as plain data: what is in each column, and where a card would stand. */

export type Columns = Record<WorkOrderStatus, WorkOrderCard[]>

/** A place between the other cards of a column. */
export interface Place {
  status: WorkOrderStatus
  index: number
}

/** A card on its way: under a pointer, or carried from place to place by the arrow keys. */
export interface Journey {
  card: WorkOrderCard
  from: Place
  to: Place
  by: 'pointer' | 'keys'
}

export interface Placement {
  status: WorkOrderStatus
  position: number
}

const inOrder = (a: WorkOrderCard, b: WorkOrderCard) => a.position - b.position || a.id - b.id

/** The server's columns, with what has been moved here and not yet been confirmed in its new place. */
export function columnsOf(
  board: Board,
  moved: ReadonlyMap<number, Placement>,
  isShown: (card: WorkOrderCard) => boolean = () => true,
): Columns {
  const columns = {} as Columns
  for (const status of WORK_ORDER_STATUS_NAMES) columns[status] = []
  const touched = new Set<WorkOrderStatus>()
  for (const status of WORK_ORDER_STATUS_NAMES)
    for (const card of board[WORK_ORDER_STATES[status].group].data) {
      const placed = moved.get(card.id)
      if (placed) touched.add(placed.status)
      const now = placed ? { ...card, ...placed } : card
      if (isShown(now)) columns[now.status].push(now)
    }
  for (const status of touched) columns[status].sort(inOrder)
  return columns
}

/** Writes confirmed places into the server's answer, so that nothing jumps back until the next one. */
export function withPlaced(board: Board, placed: readonly (Placement & { id: number; updated_at: string })[]): Board {
  const byId = new Map(placed.map((one) => [one.id, one]))
  const all = Object.values(board).flatMap(({ data }) => data)
  const totals = Object.fromEntries(
    WORK_ORDER_STATUS_NAMES.map((status) => [status, board[WORK_ORDER_STATES[status].group].total]),
  ) as Record<WorkOrderStatus, number>
  const columns = {} as Columns
  for (const status of WORK_ORDER_STATUS_NAMES) columns[status] = []
  for (const card of all) {
    const place = byId.get(card.id)
    const now = place ? { ...card, ...place } : card
    if (now.status !== card.status) {
      totals[card.status] -= 1
      totals[now.status] += 1
    }
    columns[now.status].push(now)
  }
  return Object.fromEntries(
    WORK_ORDER_STATUS_NAMES.map((status) => [
      WORK_ORDER_STATES[status].group,
      { data: columns[status].sort(inOrder), total: totals[status] },
    ]),
  ) as Board
}

const columnsIn = (board: Board) => Object.entries(board) as [keyof Board, Board[keyof Board]][]

/** These cards, and those that say they clash with one of them. */
export const withClashing = (board: Board, ids: readonly number[]) => {
  const changed = new Set(ids)
  const clashing = columnsIn(board)
    .flatMap(([, { data }]) => data)
    .filter(({ clashes }) => clashes.some(({ work_order_id }) => changed.has(work_order_id)))
  return [...new Set([...ids, ...clashing.map(({ id }) => id)])]
}

/** The board, with what the server says of some of its cards now: those it no longer has are gone. */
export function withChanged(board: Board, ids: readonly number[], answer: Board): Board {
  const told = new Set([...ids, ...columnsIn(answer).flatMap(([, { data }]) => data.map(({ id }) => id))])
  return Object.fromEntries(
    columnsIn(answer).map(([group, { data, total }]) => {
      const stay = board[group].data.filter(({ id }) => !told.has(id))
      return [group, { data: data.length > 0 ? [...stay, ...data].sort(inOrder) : stay, total }]
    }),
  ) as Board
}

/** Half way between the neighbours; a step beyond the last one at either end. */
export function positionAt(others: readonly WorkOrderCard[], index: number) {
  const before = others[index - 1]?.position
  const after = others[index]?.position
  if (before !== undefined && after !== undefined) {
    const middle = Math.floor((before + after) / 2)
    // No room between them: the server puts it just behind the one before.
    return middle > before ? middle : before + 1
  }
  if (before !== undefined) return before + POSITION_STEP
  return after === undefined ? POSITION_STEP : after - POSITION_STEP
}

export const without = (cards: readonly WorkOrderCard[], id: number) => cards.filter((card) => card.id !== id)

export const placeOf = (columns: Columns, card: WorkOrderCard): Place => ({
  status: card.status,
  index: columns[card.status].findIndex(({ id }) => id === card.id),
})

const clamp = (n: number, most: number) => Math.min(Math.max(n, 0), most)

/** Where an arrow key takes a carried card. */
export function stepped(columns: Columns, card: WorkOrderCard, place: Place, key: string): Place | undefined {
  const column = WORK_ORDER_STATUS_NAMES.indexOf(place.status)
  const room = (status: WorkOrderStatus) => without(columns[status], card.id).length
  const aside = (step: number) => {
    const status = WORK_ORDER_STATUS_NAMES[clamp(column + step, WORK_ORDER_STATUS_NAMES.length - 1)]!
    return { status, index: clamp(place.index, room(status)) }
  }
  switch (key) {
    case 'ArrowUp':
      return { ...place, index: clamp(place.index - 1, room(place.status)) }
    case 'ArrowDown':
      return { ...place, index: clamp(place.index + 1, room(place.status)) }
    case 'ArrowLeft':
      return aside(-1)
    case 'ArrowRight':
      return aside(1)
    case 'Home':
      return { ...place, index: 0 }
    case 'End':
      return { ...place, index: room(place.status) }
    default:
      return undefined
  }
}
