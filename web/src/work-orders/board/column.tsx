import { useDraggable } from '@dnd-kit/react'
import { Tooltip } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { IconHistory, IconPlus } from '@tabler/icons-react'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type Ref, useEffect, useRef } from 'react'
import { showNumber } from '#contract/base/money.ts'
import { FINALIZED_DAYS, type WorkOrderCard } from '#contract/work-orders/orders.ts'
import { FIRST_STATUS, WORK_ORDER_STATES, type WorkOrderStatus } from '#contract/work-orders/states.ts'
import { IconLink } from '../../ui/links.tsx'
import { useTurns } from '../../ui/turns.tsx'
import { Card } from '../card.tsx'
import styles from './board.module.css'
import { CARD_HEIGHT, CARD_STEP } from './card-size.ts'
import type { Journey } from './model.ts'

export interface ColumnMoves {
  onGripKey: (card: WorkOrderCard, event: KeyboardEvent) => void
  to: (card: WorkOrderCard, status: WorkOrderStatus) => void
  toEnd: (card: WorkOrderCard, end: 'first' | 'last') => void
  /** Left out where the person may not. */
  edit?: ((card: WorkOrderCard) => void) | undefined
}

interface BoardColumnProps {
  status: WorkOrderStatus
  cards: WorkOrderCard[]
  total: number
  zone: string
  journey: Journey | undefined
  filtered: boolean
  mayCreate: boolean
  placed: boolean
  move?: ColumnMoves
  listRef: Ref<HTMLElement>
}

const OVERSCAN = 2
type Item = WorkOrderCard | 'slot'

/** What stands where while a card is on its way: the others close up, and a gap opens where it would land. */
function itemsOf(cards: WorkOrderCard[], status: WorkOrderStatus, journey: Journey | undefined): Item[] {
  if (!journey) return cards
  const items: Item[] = cards.filter(({ id }) => id !== journey.card.id)
  if (journey.to.status === status) items.splice(journey.to.index, 0, journey.by === 'keys' ? journey.card : 'slot')
  return items
}

const placeAt = (index: number) => ({ height: CARD_HEIGHT, transform: `translateY(${index * CARD_STEP}px)` })

/** Cards of a column that are drawn at once, as it opens. */
const TOGETHER = 6

export const BoardColumn = memo(function BoardColumn(props: BoardColumnProps) {
  const { status, cards, total, zone, journey, filtered, mayCreate, placed, move, listRef } = props
  const { label, closed } = WORK_ORDER_STATES[status]
  const scroller = useRef<HTMLDivElement>(null)
  const items = itemsOf(cards, status, journey)
  const carriedTo = journey?.by === 'keys' && journey.to.status === status ? journey.to.index : undefined
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_STEP,
    overscan: OVERSCAN,
    // Until it is measured: as much as there may be room for.
    initialRect: { width: 0, height: window.innerHeight },
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return carriedTo === undefined || shown.includes(carriedTo) ? shown : [...shown, carriedTo].sort((a, b) => a - b)
    },
  })
  useEffect(() => {
    if (carriedTo !== undefined) virtual.scrollToIndex(carriedTo, { align: 'auto' })
  }, [carriedTo, virtual])

  const inSight = virtual.getVirtualItems()
  const groups = Math.ceil(inSight.length / TOGETHER)
  const turns = useTurns(groups, 0.5)
  // Where it came from it stays mounted, unseen: it is what holds the pointer.
  const held = journey?.by === 'pointer' && journey.from.status === status ? journey : undefined
  return (
    <section className={styles.column} aria-label={`${label}, ${total}`} data-target={journey?.to.status === status}>
      <ColumnHead status={status} total={total} mayCreate={mayCreate} />
      <div ref={useMergedRef(scroller, listRef as Ref<HTMLDivElement>)} className={styles.list}>
        <ul
          className={styles.run}
          aria-label={`Órdenes: ${label}`}
          aria-busy={turns < groups && turns * TOGETHER < inSight.length - OVERSCAN}
          style={{ height: items.length * CARD_STEP }}
        >
          {inSight.slice(0, turns * TOGETHER).map(({ index }) => {
            const item = items[index]
            if (!item) return null
            return item === 'slot' ? (
              <li key="slot" className={styles.slot} style={placeAt(index)} aria-hidden />
            ) : (
              <BoardCard
                key={item.id}
                card={item}
                zone={zone}
                placed={placed}
                move={move}
                index={index}
                lifted={journey?.by === 'keys' && journey.card.id === item.id}
              />
            )
          })}
          {held && (
            <BoardCard
              key={held.card.id}
              card={held.card}
              zone={zone}
              placed={placed}
              move={move}
              index={held.from.index}
              unseen
            />
          )}
        </ul>
        {items.length === 0 && (
          <p className={styles.none}>
            {filtered
              ? 'Los filtros no dejan ninguna orden aquí.'
              : closed
                ? `Nada finalizado en los últimos ${FINALIZED_DAYS} días.`
                : 'Sin órdenes.'}
          </p>
        )}
      </div>
    </section>
  )
})

/** Apart: a column is drawn again with each of its turns, and with each place that a card is carried over. */
const ColumnHead = memo(function ColumnHead({
  status,
  total,
  mayCreate,
}: Pick<BoardColumnProps, 'status' | 'total' | 'mayCreate'>) {
  const { label, tone, closed } = WORK_ORDER_STATES[status]
  return (
    <header className={styles.columnHead}>
      <span className={styles.dot} style={{ backgroundColor: `var(--${tone})` }} />
      <h2>{label}</h2>
      <span className={styles.count}>{showNumber(total)}</span>
      {closed ? (
        <Tooltip label="Ver el historial completo">
          <IconLink to="/historial-ordenes-de-trabajo" size={28} aria-label="Ver el historial completo">
            <IconHistory size={16} stroke={1.7} />
          </IconLink>
        </Tooltip>
      ) : (
        mayCreate && (
          <Tooltip label={`Nueva orden en ${label}`}>
            <IconLink
              to="/ordenes-de-trabajo/nueva"
              search={status === FIRST_STATUS ? {} : { status }}
              size={28}
              aria-label={`Nueva orden en ${label}`}
            >
              <IconPlus size={16} stroke={1.7} />
            </IconLink>
          </Tooltip>
        )
      )}
    </header>
  )
})

interface BoardCardProps {
  card: WorkOrderCard
  zone: string
  placed: boolean
  move?: ColumnMoves
  /** Its place from the top. */
  index: number
  lifted?: boolean
  unseen?: boolean
}

const BoardCard = memo(function BoardCard({ card, zone, placed, move, index, lifted, unseen }: BoardCardProps) {
  const { ref } = useDraggable({ id: card.id, data: { card }, disabled: !move })
  const latest = useRef({ card, move })
  latest.current = { card, move }
  // Always the same functions, so that a card is drawn again only when it has changed.
  const moves = useRef({
    to: (status: WorkOrderStatus) => latest.current.move?.to(latest.current.card, status),
    toEnd: (end: 'first' | 'last') => latest.current.move?.toEnd(latest.current.card, end),
    onGripKey: (event: KeyboardEvent) => latest.current.move?.onGripKey(latest.current.card, event),
    edit: move?.edit && (() => latest.current.move?.edit?.(latest.current.card)),
  }).current
  return (
    <li
      ref={ref}
      className={styles.place}
      style={unseen ? { ...placeAt(index), visibility: 'hidden' } : placeAt(index)}
    >
      <Card card={card} zone={zone} placed={placed} lifted={lifted} move={move && moves} />
    </li>
  )
})
