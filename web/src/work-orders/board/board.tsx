import { PointerActivationConstraints } from '@dnd-kit/dom'
import { DragDropProvider, DragOverlay, PointerSensor } from '@dnd-kit/react'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { WorkOrderCard } from '#contract/work-orders/orders.ts'
import { WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES, type WorkOrderStatus } from '#contract/work-orders/states.ts'
import { carrying } from '../../ui/carrying.ts'
import { useFollowPointer } from '../../ui/follow-pointer.ts'
import { say } from '../../ui/snackbar.tsx'
import { Card } from '../card.tsx'
import styles from './board.module.css'
import { CARD_STEP } from './card-size.ts'
import { BoardColumn, type ColumnMoves } from './column.tsx'
import {
  type Columns,
  type Journey,
  type Place,
  type Placement,
  placeOf,
  positionAt,
  stepped,
  without,
} from './model.ts'

interface BoardProps {
  columns: Columns
  /** How many each has in all, also those that are not shown. */
  totals: Record<WorkOrderStatus, number>
  zone: string
  /** Something keeps cards from being shown. */
  filtered: boolean
  mayMove: boolean
  mayCreate: boolean
  /** Cards say of which workshop they are. */
  placed: boolean
  /** All cards of the columns are there, not only the first. */
  whole: boolean
  onMove: (card: WorkOrderCard, to: Placement) => void
  /** Left out where the person may not. */
  onEdit?: ((card: WorkOrderCard) => void) | undefined
}

const MOUSE_DISTANCE = 6
/** A mouse drags the whole card; a finger scrolls with it, and drags by the grip. */
const sensors = [
  PointerSensor.configure({
    activationConstraints: (event) =>
      event.pointerType === 'touch' && !isGrip(event)
        ? undefined
        : [new PointerActivationConstraints.Distance({ value: MOUSE_DISTANCE })],
    preventActivation: (event) =>
      (event.pointerType === 'touch' && !isGrip(event)) ||
      (event.target instanceof Element && event.target.closest('[data-no-drag]') !== null),
  }),
]
const isGrip = (event: PointerEvent) => event.target instanceof Element && event.target.closest('[data-grip]') !== null

const placeWord = (columns: Columns, card: WorkOrderCard, { status, index }: Place) =>
  `${WORK_ORDER_STATES[status].label}, lugar ${index + 1} de ${without(columns[status], card.id).length + 1}`

/** Always the same functions, so that only columns and cards that changed are drawn again while one is carried. */
function useSteadyMoves(latest: RefObject<ColumnMoves | undefined>, may: boolean, mayEdit: boolean) {
  return useMemo<ColumnMoves | undefined>(
    () =>
      may
        ? {
            onGripKey: (card, event) => latest.current?.onGripKey(card, event),
            to: (card, status) => latest.current?.to(card, status),
            toEnd: (card, end) => latest.current?.toEnd(card, end),
            edit: mayEdit ? (card) => latest.current?.edit?.(card) : undefined,
          }
        : undefined,
    [latest, may, mayEdit],
  )
}

const refsOf = (lists: Map<WorkOrderStatus, HTMLElement>) =>
  Object.fromEntries(
    WORK_ORDER_STATUS_NAMES.map((status) => [
      status,
      (list: HTMLElement | null) => {
        if (list) lists.set(status, list)
        else lists.delete(status)
      },
    ]),
  ) as Record<WorkOrderStatus, (list: HTMLElement | null) => void>

/**
 * Four columns of cards that move by mouse, finger and keyboard. Long: pointer and keys carry the same card, and each must
 * know of the other.
 */
export function Board(props: BoardProps) {
  const { columns: latest, totals, zone, filtered, mayMove, mayCreate, placed, whole, onMove, onEdit } = props
  const [journey, setJourney] = useState<Journey>()
  const [said, announce] = useState('')
  const frozen = useRef(latest)
  // What others do meanwhile waits: nothing moves under the hand that carries a card.
  if (!journey) frozen.current = latest
  const columns = frozen.current
  const lists = useRef(new Map<WorkOrderStatus, HTMLElement>())
  const pointer = useRef({ x: 0, y: 0 })
  const focusNext = useRef<number>(undefined)

  const land = ({ card, from, to }: Journey) => {
    setJourney(undefined)
    if (from.status === to.status && from.index === to.index) return
    onMove(card, { status: to.status, position: positionAt(without(columns[to.status], card.id), to.index) })
    announce(`${card.code} quedó en ${placeWord(columns, card, to)}.`)
  }

  /* By pointer */

  const locate = (card: WorkOrderCard): Place | undefined => {
    const { x, y } = pointer.current
    let best: { status: WorkOrderStatus; away: number; rect: DOMRect; list: HTMLElement } | undefined
    for (const [status, list] of lists.current) {
      const rect = list.getBoundingClientRect()
      const away = Math.max(rect.left - x, x - rect.right, 0)
      if (!best || away < best.away) best = { status, away, rect, list }
    }
    if (!best) return undefined
    const index = Math.floor((y - best.rect.top + best.list.scrollTop) / CARD_STEP)
    const room = without(columns[best.status], card.id).length
    return { status: best.status, index: Math.min(Math.max(index, 0), room) }
  }
  const follow = () =>
    setJourney((now) => {
      const to = now && locate(now.card)
      return !now || !to || (to.status === now.to.status && to.index === now.to.index) ? now : { ...now, to }
    })
  useFollowPointer(journey?.by === 'pointer', pointer, follow)

  /* By keyboard */

  const cancel = (carried: Journey) => {
    focusNext.current = carried.card.id
    setJourney(undefined)
    announce(`Movimiento cancelado. ${carried.card.code} sigue en ${placeWord(columns, carried.card, carried.from)}.`)
  }
  const onGripKey = (card: WorkOrderCard, event: KeyboardEvent) => {
    const carried = journey?.by === 'keys' && journey.card.id === card.id ? journey : undefined
    if (!carried) {
      if (event.key !== ' ' && event.key !== 'Enter') return
      event.preventDefault()
      const from = placeOf(columns, card)
      setJourney({ card, from, to: from, by: 'keys' })
      announce(`${card.code} tomada, en ${placeWord(columns, card, from)}. Flechas para mover, espacio para dejar.`)
      return
    }
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      cancel(carried)
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      focusNext.current = card.id
      land(carried)
    } else {
      const to = stepped(columns, card, carried.to, event.key)
      if (!to) return
      event.preventDefault()
      focusNext.current = card.id
      setJourney({ ...carried, to })
      announce(placeWord(columns, card, to))
    }
  }
  // The card may be another element now, in another column: the focus goes along.
  useEffect(() => {
    const id = focusNext.current
    if (id === undefined) return
    focusNext.current = undefined
    const grip = () => document.querySelector<HTMLElement>(`[data-card="${id}"] [data-grip]`)
    grip()?.focus({ preventScroll: true })
    // In a column that had to scroll to it first, it comes a moment later.
    if (!grip()) setTimeout(() => grip()?.focus({ preventScroll: true }), 60)
  })
  const byKeys = journey?.by === 'keys' ? journey : undefined
  const latestCancel = useRef(() => {})
  latestCancel.current = () => byKeys && cancel(byKeys)
  useEffect(() => {
    if (!byKeys) return
    const pressed = () => latestCancel.current()
    document.addEventListener('pointerdown', pressed, true)
    return () => document.removeEventListener('pointerdown', pressed, true)
  }, [byKeys])

  const latestMoves = useRef<ColumnMoves>(undefined)
  latestMoves.current = {
    onGripKey,
    edit: onEdit,
    to: (card, next) => {
      focusNext.current = card.id
      onMove(card, { status: next, position: positionAt(without(columns[next], card.id), 0) })
    },
    toEnd: (card, end) => {
      if (end === 'last' && !whole) return say('El tablero se está cargando: inténtelo en un momento')
      const others = without(columns[card.status], card.id)
      onMove(card, { status: card.status, position: positionAt(others, end === 'first' ? 0 : others.length) })
    },
  }
  const move = useSteadyMoves(latestMoves, mayMove, onEdit !== undefined)
  const listRefs = useMemo(() => refsOf(lists.current), [])

  return (
    <DragDropProvider
      sensors={sensors}
      plugins={carrying}
      onDragStart={({ operation }) => {
        const card = operation.source?.data.card as WorkOrderCard | undefined
        if (!card) return
        const from = placeOf(columns, card)
        pointer.current = { x: operation.position.current.x, y: operation.position.current.y }
        setJourney({ card, from, to: from, by: 'pointer' })
      }}
      onDragEnd={({ canceled }) => {
        if (journey?.by !== 'pointer') return
        if (canceled) setJourney(undefined)
        else land(journey)
      }}
    >
      <p id="board-keys" hidden>
        Espacio para tomar la tarjeta, flechas para moverla, espacio para dejarla, Escape para cancelar.
      </p>
      <div className="only-read-aloud" aria-live="assertive" role="status">
        {said}
      </div>
      <div className={styles.board} data-journey={journey?.by}>
        {WORK_ORDER_STATUS_NAMES.map((status) => (
          <BoardColumn
            key={status}
            status={status}
            cards={columns[status]}
            total={totals[status]}
            zone={zone}
            journey={journey && [journey.from.status, journey.to.status].includes(status) ? journey : undefined}
            filtered={filtered}
            mayCreate={mayCreate}
            placed={placed}
            listRef={listRefs[status]}
            move={move}
          />
        ))}
      </div>
      <DragOverlay dropAnimation={null}>
        {(source) => (
          <div className={styles.carried}>
            <Card card={source.data.card as WorkOrderCard} zone={zone} placed={placed} carried />
          </div>
        )}
      </DragOverlay>
    </DragDropProvider>
  )
}
