import { IconCheck, IconCircle, IconCircleDotFilled } from '@tabler/icons-react'
import type { Activity } from '#contract/base/activity.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import {
  FIRST_STATUS,
  isClosed,
  WORK_ORDER_STATES,
  WORK_ORDER_STATUS_NAMES,
  type WorkOrderStatus,
} from '#contract/work-orders/states.ts'
import { useZone } from '../../platform/session.ts'
import { showWhen } from '../words.ts'
import { sayLeft, worksLeft } from './next-step.tsx'
import styles from './page.module.css'

type Change = Pick<Activity, 'action' | 'at' | 'changes'>
const movesOf = (activity: Change[]) =>
  activity.flatMap(({ action, at, changes }) => {
    const [from, to] = (changes.status ?? [
      null,
      action === 'created' ? FIRST_STATUS : null,
    ]) as (WorkOrderStatus | null)[]
    return to ? [{ at, from, to }] : []
  })

/** The activity tells every move, from the first state to the one the order has: none is unread, and none was left out. */
function isWhole(moves: ReturnType<typeof movesOf>, status: WorkOrderStatus) {
  const follows = moves.every(({ from }, i) => from === (moves[i + 1]?.to ?? null))
  return moves[0]?.to === status && follows
}

/** When an order last came to each state it has been in; `undefined` where it was but nobody wrote down when. */
export function statesPassed(
  order: Pick<WorkOrder, 'status' | 'created_at' | 'workshop_entry_at'>,
  activity: Change[],
): Map<WorkOrderStatus, string | undefined> {
  const came = new Map<WorkOrderStatus, string | undefined>()
  // The newest come first.
  const moves = movesOf(activity)
  for (const { at, to } of moves) if (!came.has(to)) came.set(to, at)
  if (!came.has(FIRST_STATUS)) came.set(FIRST_STATUS, order.created_at)
  // A truck that never came in skipped what is between; one that did is taken to have passed it, unless its moves say otherwise.
  if (isWhole(moves, order.status) || order.workshop_entry_at === null) return came
  const here = WORK_ORDER_STATUS_NAMES.indexOf(order.status)
  const inside = WORK_ORDER_STATUS_NAMES.filter((status, at) => !WORK_ORDER_STATES[status].awaited && at <= here)
  inside.forEach((status, at) => {
    if (!came.has(status)) came.set(status, at === 0 ? order.workshop_entry_at! : undefined)
  })
  return came
}

interface TrackProps {
  order: WorkOrder
  activity: Activity[]
  /** Lists what is left before it can end. */
  onEnd?: () => void
}

/** The way of an order: where it has been and since when, where it is, and what the end still lacks. */
export function Track({ order, activity, onEnd }: TrackProps) {
  const zone = useZone()
  const came = statesPassed(order, activity)
  const here = WORK_ORDER_STATUS_NAMES.indexOf(order.status)
  const left = worksLeft(order)
  return (
    <ol className={styles.track} aria-label="Recorrido">
      {WORK_ORDER_STATUS_NAMES.map((status, place) => {
        const { label, tone } = WORK_ORDER_STATES[status]
        const at = came.get(status)
        const isPassed = place < here && came.has(status)
        const when = isPassed || (place === here && at) ? at && showWhen(at, zone) : undefined
        const lacks = isClosed({ status }) && place > here && left > 0
        const Icon = isPassed ? IconCheck : place === here ? IconCircleDotFilled : IconCircle
        return (
          <li
            key={status}
            data-at={isPassed ? 'before' : place === here ? 'here' : 'after'}
            aria-current={place === here ? 'step' : undefined}
            style={{ '--state': `var(--${tone})` } as React.CSSProperties}
          >
            <span className={styles.trackWords}>
              <Icon size={16} stroke={1.9} aria-hidden />
              <strong>{label}</strong>
              {when && <span>{place === here && !isClosed(order) ? `desde ${when.toLowerCase()}` : when}</span>}
              {lacks &&
                (onEnd ? (
                  <button type="button" onClick={onEnd}>
                    {sayLeft(left).toLowerCase()}
                  </button>
                ) : (
                  <span>{sayLeft(left).toLowerCase()}</span>
                ))}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
