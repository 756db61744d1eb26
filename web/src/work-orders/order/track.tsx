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

/** When it last came to each state, as far back as its activity was read. */
function entries(order: WorkOrder, activity: Activity[]) {
  const came = new Map<WorkOrderStatus, string>()
  // The newest come first.
  for (const { at, changes } of activity) {
    const to = changes.status?.[1] as WorkOrderStatus | undefined
    if (to && !came.has(to)) came.set(to, at)
  }
  if (!came.has(FIRST_STATUS)) came.set(FIRST_STATUS, order.created_at)
  // Its truck came in when it left the states in which it is awaited.
  const inside = WORK_ORDER_STATUS_NAMES.find((status) => !WORK_ORDER_STATES[status].awaited)!
  if (!came.has(inside) && order.workshop_entry_at) came.set(inside, order.workshop_entry_at)
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
  const came = entries(order, activity)
  const here = WORK_ORDER_STATUS_NAMES.indexOf(order.status)
  const left = worksLeft(order)
  return (
    <ol className={styles.track} aria-label="Recorrido">
      {WORK_ORDER_STATUS_NAMES.map((status, place) => {
        const { label, tone } = WORK_ORDER_STATES[status]
        const at = came.get(status)
        const when = place < here || (place === here && at) ? at && showWhen(at, zone) : undefined
        const lacks = isClosed({ status }) && place > here && left > 0
        const Icon = place < here ? IconCheck : place === here ? IconCircleDotFilled : IconCircle
        return (
          <li
            key={status}
            data-at={place < here ? 'before' : place === here ? 'here' : 'after'}
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
