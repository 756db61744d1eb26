import { z } from 'zod'
import { PRIORITY_NAMES } from '../base/priorities.ts'
import { ById, Day, endpoint, Id, Instant, LONG_BODY } from '../base/wire.ts'
import { CalendarQuery, Clash, Hour } from './orders.ts'
import { WORK_ORDER_STATUS_NAMES } from './states.ts'

/** An order or a work in the plan of the workshop: whose it is, from when, until when. */
export const PlannerItem = z.object({
  /** Of the order, or of the work. */
  id: Id,
  work_order_id: Id,
  code: z.string(),
  kind: z.enum(['planned', 'unplanned', 'work']),
  title: z.string(),
  patent: z.string(),
  workshop_id: Id,
  status: z.enum(WORK_ORDER_STATUS_NAMES),
  priority: z.enum(PRIORITY_NAMES),
  box_id: Id.nullable(),
  box_name: z.string().nullable(),
  specialist_id: Id.nullable(),
  specialist: z.string().nullable(),
  /** Null for what waits for its hour. */
  start: Instant.nullable(),
  until: Instant.nullable(),
  /** Its start is what happened, and stays. */
  began: z.boolean(),
  /** Nothing of it moves any more. */
  done: z.boolean(),
  /** What is left of it is expected to take; null where nobody said. */
  hours: z.number().nullable(),
  /** Works of the order with hours of their own: they are what it takes people. */
  works_planned: z.number(),
  date_estimed: z.string().nullable(),
  hour_estimed: z.string().nullable(),
  /** How long somebody planned it to stay. */
  planned_minutes: z.number().nullable(),
  deadline_at: Instant.nullable(),
  clashes: z.array(Clash),
  /** Of the order. */
  updated_at: Instant,
})
export type PlannerItem = z.infer<typeof PlannerItem>

/** In hours of the day; null where the workshop does not open. */
const Opening = z.object({ from: z.number(), until: z.number() }).nullable()

export const Planner = z.object({
  data: z.array(PlannerItem),
  total: z.number(),
  /** Open orders and works that have no hour yet, the most urgent first. */
  waiting: z.array(PlannerItem),
  waiting_total: z.number(),
  /** What a mechanic works in a day. */
  hours_per_day: z.number(),
  /** From Monday to Sunday. */
  opening: z.array(Opening),
})
export type Planner = z.infer<typeof Planner>

/** What is left out stays. */
export const PlanOrder = z.object({
  date_estimed: Day.nullable().optional(),
  hour_estimed: Hour.nullable().optional(),
  /** Null: as its deadline says. */
  until: Instant.nullable().optional(),
  box_id: Id.nullable().optional(),
  responsible_specialist_id: Id.nullable().optional(),
  updated_at: Instant.optional(),
})
export type PlanOrder = z.infer<typeof PlanOrder>

/** What is left out stays. */
export const PlanWork = z.object({
  target_start_at: Instant.nullable().optional(),
  target_end_at: Instant.nullable().optional(),
  specialist_id: Id.nullable().optional(),
  updated_at: Instant.optional(),
})
export type PlanWork = z.infer<typeof PlanWork>

export const planner = {
  planner: endpoint({
    method: 'GET',
    path: '/v2/planner',
    may: 'work-orders.read',
    summary: 'What occupies boxes and mechanics between two days, and what waits for its hour',
    query: CalendarQuery,
    reply: Planner,
  }),
  planOrder: endpoint({
    method: 'PUT',
    path: '/v2/planner/orders/:id',
    may: 'work-orders.write',
    summary: 'Give an order its hours, its box and who is responsible; works that have not begun move with it',
    params: ById,
    body: PlanOrder,
    bodyLimit: LONG_BODY,
    reply: PlannerItem,
  }),
  planWork: endpoint({
    method: 'PUT',
    path: '/v2/planner/works/:id',
    may: 'work-orders.write',
    summary: 'Give a work its hours and who does it',
    params: ById,
    body: PlanWork,
    reply: PlannerItem,
  }),
}
