import { describe, expect, it } from 'vitest'
import { type Board, POSITION_STEP, type WorkOrderCard } from '#contract/work-orders/orders.ts'
import type { WorkOrderStatus } from '#contract/work-orders/states.ts'
import { columnsOf, positionAt, stepped, withChanged, withClashing, withPlaced } from './model.ts'

const card = (id: number, status: WorkOrderStatus, position: number) => ({ id, status, position }) as WorkOrderCard
const boardOf = (pending: WorkOrderCard[], in_progress: WorkOrderCard[]): Board => ({
  pending: { data: pending, total: pending.length },
  in_revision: { data: [], total: 0 },
  in_progress: { data: in_progress, total: in_progress.length },
  finalized: { data: [], total: 0 },
})
const [a, b, c] = [card(1, 'PENDING', 100), card(2, 'PENDING', 200), card(3, 'IN_PROCESS', 150)] as const
const ids = (cards: WorkOrderCard[]) => cards.map(({ id }) => id)

describe('a place on the board', () => {
  it('is half way between its neighbours, or a step beyond the last', () => {
    expect(positionAt([a, b], 1)).toBe(150)
    expect(positionAt([a, b], 0)).toBe(100 - POSITION_STEP)
    expect(positionAt([a, b], 2)).toBe(200 + POSITION_STEP)
    expect(positionAt([], 0)).toBe(POSITION_STEP)
  })

  it('is just behind the one before where there is no room', () => {
    expect(positionAt([card(1, 'PENDING', 7), card(2, 'PENDING', 8)], 1)).toBe(8)
  })
})

describe('a move that the server has not confirmed yet', () => {
  it('is on screen at once, in its place among the others', () => {
    const columns = columnsOf(boardOf([a, b], [c]), new Map([[3, { status: 'PENDING' as const, position: 150 }]]))
    expect(ids(columns.PENDING)).toEqual([1, 3, 2])
    expect(columns.IN_PROCESS).toEqual([])
  })

  it('moves the totals too once it is confirmed', () => {
    const placed = [{ id: 3, status: 'PENDING' as const, position: 150, updated_at: '2026-11-15T10:00:00Z' }]
    const board = withPlaced(boardOf([a, b], [c]), placed)
    expect(ids(board.pending.data)).toEqual([1, 3, 2])
    expect([board.pending.total, board.in_progress.total]).toEqual([3, 0])
  })
})

describe('what changed since the board was read', () => {
  it('takes the place of what was there, in its column and order', () => {
    const answer = boardOf([], [{ ...b, status: 'IN_PROCESS', position: 120 }])
    answer.pending.total = 1
    answer.in_progress.total = 2
    const board = withChanged(boardOf([a, b], [c]), [2], answer)
    expect([ids(board.pending.data), ids(board.in_progress.data)]).toEqual([[1], [2, 3]])
    expect([board.pending.total, board.in_progress.total]).toEqual([1, 2])
  })

  it('is gone where the server has it no longer', () => {
    expect(ids(withChanged(boardOf([a, b], [c]), [2], boardOf([], [])).pending.data)).toEqual([1])
  })

  it('is also what clashes with it', () => {
    const clashing = { ...c, clashes: [{ work_order_id: 2 }] } as WorkOrderCard
    const none = { clashes: [] as WorkOrderCard['clashes'] }
    expect(
      withClashing(
        boardOf(
          [
            { ...a, ...none },
            { ...b, ...none },
          ],
          [clashing],
        ),
        [2],
      ),
    ).toEqual([2, 3])
  })
})

describe('the arrow keys', () => {
  const columns = columnsOf(boardOf([a, b], [c]), new Map())

  it('stop at the ends of a column and of the board', () => {
    expect(stepped(columns, a, { status: 'PENDING', index: 0 }, 'ArrowUp')).toEqual({ status: 'PENDING', index: 0 })
    expect(stepped(columns, a, { status: 'PENDING', index: 1 }, 'ArrowDown')).toEqual({ status: 'PENDING', index: 1 })
    expect(stepped(columns, a, { status: 'PENDING', index: 0 }, 'ArrowLeft')).toEqual({ status: 'PENDING', index: 0 })
  })

  it('keep to the same height in a shorter column as far as it goes', () => {
    expect(stepped(columns, b, { status: 'PENDING', index: 1 }, 'ArrowRight')).toEqual({
      status: 'IN_REVIEW',
      index: 0,
    })
  })

  it('leave other keys alone', () => {
    expect(stepped(columns, a, { status: 'PENDING', index: 0 }, 'x')).toBeUndefined()
  })
})
