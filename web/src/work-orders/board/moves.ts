import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Board, type Move, type WorkOrderCard, workOrders } from '#contract/work-orders/orders.ts'
import { isClosed, WORK_ORDER_STATES, type WorkOrderStatus } from '#contract/work-orders/states.ts'
import { ApiFailure, call } from '../../platform/api.ts'
import { useConnection } from '../../platform/live.ts'
import { confirm } from '../../ui/confirm.tsx'
import { say } from '../../ui/snackbar.tsx'
import { workOrdersKey } from '../queries.ts'
import { type Placement, withPlaced } from './model.ts'

/** The server wants to be told that a reading is meant, lower or further than it could be. */
export const asksAboutKilometers = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.status === 422 && (error.errors.kilometer?.[0]?.includes('Confirme') ?? false)

export const confirmLower = (failure: ApiFailure) =>
  confirm({
    title: '¿El kilometraje es correcto?',
    message: `${failure.errors.kilometer?.[0] ?? failure.message} Las lecturas anteriores que sean mayores dejarán de contar.`,
    accept: 'Sí, es correcto',
    danger: true,
  })

/** Sends a move; asks where the server asks, and before it leaves works undone unless that was `asked`. */
export async function sendMove(id: number, to: { status: WorkOrderStatus; position?: number }, asked = false) {
  const closing = isClosed(to) && !asked ? await (await import('./undone.ts')).beforeClosing(id) : { used: [] }
  if (!closing) return undefined
  const positions = to.position === undefined ? [] : [{ id, position: to.position }]
  const send = (more?: Partial<Move>) =>
    call(workOrders.moveWorkOrder, { params: { id }, body: { status: to.status, positions, ...closing, ...more } })
  try {
    return (await send()).data
  } catch (error) {
    if (!asksAboutKilometers(error)) throw error
    if (!(await confirmLower(error))) return undefined
    return (await send({ confirm_lower: true })).data
  }
}

/** Moves on screen at once; takes it back, with the reason, where the server refuses. */
export function useMoves() {
  const client = useQueryClient()
  const isLive = useConnection() === 'live'
  const [moved, setMoved] = useState<ReadonlyMap<number, Placement>>(new Map())
  const queues = useRef(new Map<number, Promise<void>>())
  const boards = { queryKey: [...workOrdersKey, 'board'] }

  const forget = (id: number, to: Placement) =>
    setMoved((now) => {
      if (now.get(id) !== to) return now
      const next = new Map(now)
      next.delete(id)
      return next
    })

  const deliver = async (card: WorkOrderCard, to: Placement, undoing: boolean) => {
    try {
      const placed = await sendMove(card.id, to)
      if (placed) {
        // An answer that left before the move would bring the card back for an instant.
        await client.cancelQueries(boards)
        client.setQueriesData<Board>(boards, (board) => board && withPlaced(board, placed))
        if (!undoing)
          say(
            to.status === card.status
              ? `${card.code} cambió de lugar`
              : `${card.code} pasó a ${WORK_ORDER_STATES[to.status].label}`,
            { undo: () => move({ ...card, ...to }, { status: card.status, position: card.position }, true) },
          )
      }
      forget(card.id, to)
      // One that was still on its way was cancelled above.
      const isMissing = client.getQueriesData(boards).some(([, board]) => board === undefined)
      if (!isLive || isMissing) void client.invalidateQueries(boards)
    } catch (error) {
      forget(card.id, to)
      void client.invalidateQueries(boards)
      say(`No se pudo mover ${card.code}: volvió a ${WORK_ORDER_STATES[card.status].label}`, {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    }
  }

  const move = (card: WorkOrderCard, to: Placement, undoing = false) => {
    setMoved((now) => new Map(now).set(card.id, to))
    // One after another for each card: the last one asked for is the one that stays.
    const turn = (queues.current.get(card.id) ?? Promise.resolve()).then(() => deliver(card, to, undoing))
    queues.current.set(card.id, turn)
    void turn.finally(() => {
      if (queues.current.get(card.id) === turn) queues.current.delete(card.id)
    })
  }

  return { moved, move }
}
