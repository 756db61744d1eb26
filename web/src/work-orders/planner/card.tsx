import { useDraggable } from '@dnd-kit/react'
import { IconAlertTriangle, IconCalendarDue, IconClockHour4, IconDots, IconGripVertical } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, type KeyboardEvent, memo } from 'react'
import { showPatent } from '#contract/fleet/fleet.ts'
import { CALENDAR_KINDS } from '#contract/work-orders/orders.ts'
import type { PlannerItem } from '#contract/work-orders/planner.ts'
import { WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import { Plate } from '../../ui/plate.tsx'
import { stateIcon } from '../calendar/state-icons.ts'
import { Face } from '../person.tsx'
import { PriorityBars } from '../priority.tsx'
import { sayClash, showDue, showHours } from '../words.ts'
import { keyOf } from './model.ts'
import styles from './planner.module.css'

export interface CardActs {
  onKey: (item: PlannerItem, event: KeyboardEvent) => void
  onMenu: (item: PlannerItem, button: HTMLElement) => void
}

interface CardProps {
  item: PlannerItem
  zone: string
  /** Left out where the person may not move it. */
  acts?: CardActs | undefined
  /** It is on its way elsewhere: what is left here is its place. */
  held?: boolean
}

const Open = ({ item, acts, children }: Pick<CardProps, 'item' | 'acts'> & { children: React.ReactNode }) => (
  <Link
    to="/ordenes-de-trabajo/$id"
    params={{ id: String(item.work_order_id) }}
    className={styles.open}
    draggable={false}
    data-open
    data-item={keyOf(item)}
    aria-describedby={acts ? 'planner-keys' : undefined}
    onKeyDown={acts && ((event) => acts.onKey(item, event))}
  >
    {children}
  </Link>
)

const Tools = ({ item, acts }: { item: PlannerItem; acts: CardActs }) => (
  <>
    <span className={styles.grip} data-grip aria-hidden>
      <IconGripVertical size={15} stroke={1.7} />
    </span>
    <button
      type="button"
      className={styles.dots}
      data-no-drag
      aria-label={`Mover ${item.title}, ${item.code}`}
      aria-haspopup="menu"
      onClick={(event) => acts.onMenu(item, event.currentTarget)}
    >
      <IconDots size={15} stroke={1.9} aria-hidden />
    </button>
  </>
)

interface PlanCardProps extends CardProps {
  span: string
  /** There is room for its number. */
  wide?: boolean
  /** `Se cruzan 2 h` */
  crossing?: string | undefined
  style?: CSSProperties
}

/** In a lane: when, what, and how far it is. */
export const PlanCard = memo(function PlanCard(props: PlanCardProps) {
  const { item, acts, held, style } = props
  const movable = acts && !item.done
  const { ref } = useDraggable({ id: keyOf(item), data: { item }, disabled: !movable })
  return (
    <li ref={ref} className={styles.place} style={style} data-held={held || undefined}>
      <PlanFace {...props} acts={movable ? acts : undefined} />
    </li>
  )
})

function PlanFace({ item, zone, span, wide, crossing, acts }: PlanCardProps) {
  const kind = CALENDAR_KINDS[item.kind]
  const state = WORK_ORDER_STATES[item.status].label
  const Icon = stateIcon(item.status)
  const clashes = item.clashes.map((clash) => sayClash(clash, zone))
  const isWork = item.kind === 'work'
  return (
    <article
      className={styles.card}
      data-kind={item.kind}
      data-done={item.done || undefined}
      data-crossed={clashes.length > 0 || undefined}
      data-wide={wide || undefined}
      data-movable={acts ? true : undefined}
      title={[`${item.code}, ${kind.label.toLocaleLowerCase('es')}, ${state.toLocaleLowerCase('es')}`, ...clashes].join(
        '\n',
      )}
    >
      <Open item={item} acts={acts}>
        <span className={styles.line}>
          <b className={styles.plate}>{showPatent(item.patent)}</b>
          <span className={styles.span}>{span}</span>
          <span className={styles.code}>{item.code}</span>
          {item.kind === 'planned' && <span className={styles.planned}>{kind.label}</span>}
        </span>
        <span className={styles.title}>{item.title}</span>
        <span className="only-read-aloud">
          {[item.kind !== 'planned' && kind.label, state, item.specialist, ...clashes].filter(Boolean).join('; ')}
        </span>
      </Open>
      <span className={styles.mark}>
        {isWork && item.specialist ? (
          <Face name={item.specialist} named />
        ) : (
          <Icon size={15} stroke={1.8} aria-hidden />
        )}
      </span>
      {acts && <Tools item={item} acts={acts} />}
      {crossing && <Crossing item={item} words={crossing} acts={acts} />}
    </article>
  )
}

/** How much it lies over another; leads to what can be done about it. */
function Crossing({ item, words, acts }: { item: PlannerItem; words: string; acts: CardActs | undefined }) {
  const inside = (
    <>
      <IconAlertTriangle size={12} stroke={2} aria-hidden />
      {words}
    </>
  )
  return acts ? (
    <button
      type="button"
      className={styles.crossing}
      data-no-drag
      aria-haspopup="menu"
      onClick={(event) => acts.onMenu(item, event.currentTarget)}
    >
      {inside}
      <span className="only-read-aloud">, {item.code}</span>
    </button>
  ) : (
    <span className={styles.crossing}>{inside}</span>
  )
}

/** Beside the lanes: what it is, what it takes and by when. */
export const TrayCard = memo(function TrayCard({ item, zone, acts, held }: CardProps) {
  const { ref } = useDraggable({ id: keyOf(item), data: { item }, disabled: !acts })
  return (
    <li ref={ref} className={styles.waiting} data-held={held || undefined}>
      <TrayFace item={item} zone={zone} acts={acts} />
    </li>
  )
})

interface TrayFaceProps extends Omit<CardProps, 'held'> {
  /** Under the pointer: where it would go, and whether somebody is there. */
  carried?: { to: string; crosses: boolean } | undefined
}

export function TrayFace({ item, zone, acts, carried }: TrayFaceProps) {
  const due = showDue({ ...item, finalized_at: null }, zone)
  return (
    <article className={styles.tray} data-kind={item.kind} data-carried={carried ? true : undefined}>
      <div className={styles.trayHead}>
        {acts && (
          <span className={styles.grip} data-grip data-always aria-hidden>
            <IconGripVertical size={15} stroke={1.7} />
          </span>
        )}
        <Plate text={showPatent(item.patent)} />
        <span className={styles.urgency}>
          <PriorityBars priority={item.priority} />
        </span>
        {acts && (
          <button
            type="button"
            className={styles.dots}
            data-always
            data-no-drag
            aria-label={`Programar ${item.title}, ${item.code}`}
            aria-haspopup="menu"
            onClick={(event) => acts.onMenu(item, event.currentTarget)}
          >
            <IconDots size={15} stroke={1.9} aria-hidden />
          </button>
        )}
      </div>
      <Open item={item} acts={acts}>
        <span className={styles.title}>{item.title}</span>
        <span className="only-read-aloud">, {[item.code, CALENDAR_KINDS[item.kind].label].join(', ')}</span>
      </Open>
      {carried ? (
        <div className={styles.meta}>
          <b data-tone={carried.crosses ? 'danger' : undefined}>{carried.to}</b>
        </div>
      ) : (
        <div className={styles.meta}>
          {item.hours !== null && item.hours > 0 && (
            <span title="Lo que toma">
              <IconClockHour4 size={13} stroke={1.8} aria-hidden />
              {showHours(item.hours)}
            </span>
          )}
          {due && (
            <span data-tone={due.tone}>
              <IconCalendarDue size={13} stroke={1.8} aria-hidden />
              {due.text}
            </span>
          )}
        </div>
      )}
    </article>
  )
}
