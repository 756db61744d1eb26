import { type SQL, sql } from 'drizzle-orm'
import { OPEN_STATUSES, WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import { oneOfNames } from '../../platform/database/conditions.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { inScope } from '../../workshops/scope.ts'
import { workOrdersTable } from '../tables.ts'

const INSIDE = OPEN_STATUSES.filter((status) => !WORK_ORDER_STATES[status].awaited)

/**
 * The truck of an order `o` is stopped: it came in, has not left, and the order is open. Homes, reports and lists count
 * with this one condition. A truck that is awaited has not come, whatever was typed.
 */
export const isStopped = (o: SQL) => sql`(${o}.status ${oneOfNames(INSIDE)}
  and ${o}.workshop_entry_at <= now() and ${o}.workshop_departure_at is null)`

/** The ids of one order for each stopped truck: the stay that began first. */
export const stoppedOrders = (actor: Actor, workshops: number[] | undefined) => sql`
  select distinct on (e.truck_id) e.id from ${workOrdersTable} e
  where ${inScope(actor, sql`e`, workshops)} and ${isStopped(sql`e`)}
  order by e.truck_id, e.workshop_entry_at, e.id`
