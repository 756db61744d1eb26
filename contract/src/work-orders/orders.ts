import { z } from 'zod'
import { ActivityPage } from '../base/activity.ts'
import { Quantity, SeenCost } from '../base/money.ts'
import { PRIORITY_NAMES } from '../base/priorities.ts'
import { readings } from '../base/readings.ts'
import {
  BetweenDate,
  ById,
  catalogue,
  choosing,
  Day,
  Download,
  endpoint,
  Id,
  IdList,
  Instant,
  ListOf,
  LONG_BODY,
  listing,
  MAX_PER_PAGE,
  Nothing,
  OptionalId,
  OptionalText,
  page,
  Search,
} from '../base/wire.ts'
import { Kilometers } from '../fleet/meter.ts'
import { Service } from '../providers/providers.ts'
import { Invoice } from './invoices.ts'
import {
  PlanInput,
  PlannedSupply,
  ServiceAdjustment,
  ServiceLine,
  ServiceLineInput,
  SupplyLine,
  SupplyLineInput,
  Work,
  WorkInput,
} from './lines.ts'
import { FIRST_STATUS, WORK_ORDER_STATUS_NAMES } from './states.ts'

const Status = z.enum(WORK_ORDER_STATUS_NAMES)

export const PLACES = {
  WORKSHOP: { label: 'Taller' },
  ROUTE: { label: 'En ruta' },
  EXTERNAL: { label: 'Taller externo' },
} as const
export type Place = keyof typeof PLACES
const PLACE_NAMES = Object.keys(PLACES) as [Place, ...Place[]]

/** The last days that the board's finalized column shows. */
export const FINALIZED_DAYS = 30
/** Cards are this far apart, so that one fits between two without moving either. */
export const POSITION_STEP = 65_536

const Priority = z.enum(PRIORITY_NAMES)
const HOUR = /^([01]\d|2[0-3]):[0-5]\d$/
export const Hour = z
  .string()
  .regex(HOUR, 'La hora no es válida.')
  // With seconds too.
  .register(readings, {
    value: (sent) => (typeof sent === 'string' && /^\d{2}:\d{2}:\d{2}$/.test(sent) ? sent.slice(0, 5) : sent),
  })

/* The order */

const summary = {
  id: Id,
  /** OT-000123 */
  code: z.string(),
  workshop_id: Id,
  workshop_name: z.string(),
  truck_id: Id,
  truck_code: z.string(),
  patent: z.string(),
  /** Whose truck it is, where that is another workshop than the order's. */
  truck_workshop: z.string().nullable(),
  coupled_id: Id.nullable(),
  coupled_patent: z.string().nullable(),
  status: Status,
  position: z.number(),
  planned: z.boolean(),
  priority: Priority,
  place: z.enum(PLACE_NAMES),
  /** The code of the type of maintenance. */
  type_of_maintenance: z.string().nullable(),
  type_maintenance_id: Id.nullable(),
  type_maintenance: z.string().nullable(),
  box_id: Id.nullable(),
  box_name: z.string().nullable(),
  responsible_specialist_id: Id.nullable(),
  /** Their name. */
  responsible_specialist: z.string().nullable(),
  request: z.string().nullable(),
  waiting_for_parts: z.boolean(),
  date_estimed: z.string().nullable(),
  hour_estimed: z.string().nullable(),
  deadline_at: Instant.nullable(),
  workshop_entry_at: Instant.nullable(),
  workshop_departure_at: Instant.nullable(),
  finalized_at: Instant.nullable(),
  created_at: Instant,
  updated_at: Instant,
}

/** A box or a specialist that is meant to be in two places at one hour: allowed, and said. */
export const Clash = z.object({
  kind: z.enum(['box', 'specialist']),
  /** Of the box, or the specialist. */
  name: z.string(),
  /** The other order; 0 is the one that is being typed. */
  work_order_id: z.number(),
  code: z.string(),
  from: Instant,
  until: Instant,
})
export type Clash = z.infer<typeof Clash>

/** As much of an order as says where its truck, and its people, will be at which hour. */
export const PlannedOrder = z.object({
  id: Id.optional(),
  box_id: OptionalId,
  date_estimed: Day.nullish(),
  hour_estimed: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d/)
    .nullish(),
  deadline_at: Instant.nullish(),
  workshop_entry_at: Instant.nullish(),
  workshop_departure_at: Instant.nullish(),
  works: z
    .array(
      z.object({
        specialist_id: OptionalId,
        hours: z.number().min(0).max(9999).nullish(),
        start_time: Instant.nullish(),
        end_time: Instant.nullish(),
        target_start_at: Instant.nullish(),
        target_end_at: Instant.nullish(),
      }),
    )
    .max(200)
    .default([]),
})
export type PlannedOrder = z.infer<typeof PlannedOrder>

/** What a card tells at a glance. */
export const WorkOrderCard = z.object({
  ...summary,
  works_total: z.number(),
  works_done: z.number(),
  /** Who works on it, by name. */
  specialists: z.array(z.string()),
  /** The person who asks answers for it or works on it. Whoever only wrote it down does neither: a chief writes them all. */
  mine: z.boolean(),
  clashes: z.array(Clash),
  /** What it will need, of an order that is open: kept for it, or waited for. */
  planned_supplies: z.array(PlannedSupply.pick({ name: true, unit: true, reserved: true, missing: true })),
})
export type WorkOrderCard = z.infer<typeof WorkOrderCard>

const costs = {
  supplies_cost: SeenCost,
  services_cost: SeenCost,
  /** Supplies and services. */
  total_cost: SeenCost,
  /** Null where labour does not count, or for those who may not see what it costs. */
  labour: SeenCost,
  total_with_labour: SeenCost,
}

/** A line of the list and of the history. */
export const WorkOrderRow = z.object({ ...summary, ...costs, kilometer: z.number().nullable() })
export type WorkOrderRow = z.infer<typeof WorkOrderRow>

/** `afterwards`: those who sign so do it also once the order was finalized, which a mechanic may do alone. */
export const SIGNATURES = {
  performed: { label: 'Realizado por', afterwards: false },
  reviewed: { label: 'Revisado por', afterwards: true },
  delivered: { label: 'Entregado a', afterwards: true },
} as const
export type SignatureKind = keyof typeof SIGNATURES
export const SIGNATURE_KINDS = Object.keys(SIGNATURES) as [SignatureKind, ...SignatureKind[]]

const MAX_IMAGE = 280_000
/** A PNG as `data:image/png;base64,…`, at most 200 kB. */
export const SignatureImage = z
  .string()
  .max(MAX_IMAGE, 'La firma es demasiado grande.')
  .regex(/^data:image\/png;base64,[A-Za-z0-9+/]+={0,2}$/, 'Firme en el recuadro.')

/** Nobody reviews their own work. */
export const isOwnReview = (
  kind: SignatureKind,
  name: string,
  signatures: readonly { kind: SignatureKind; name: string }[],
) => kind === 'reviewed' && signatures.some((one) => one.kind === 'performed' && isSameName(one.name, name))
const isSameName = (one: string, other: string) =>
  one.trim().localeCompare(other.trim(), 'es', { sensitivity: 'base' }) === 0
export const OWN_REVIEW = 'Quien hizo el trabajo no lo revisa: firme otra persona.'

export const Signature = z.object({
  kind: z.enum(SIGNATURE_KINDS),
  name: z.string(),
  /** Null for the person who was logged in. */
  dni: z.string().nullable(),
  signed_at: Instant,
  /** The order is still what was signed. */
  holds: z.boolean(),
})
export type Signature = z.infer<typeof Signature>

export const WorkOrder = WorkOrderRow.extend({
  warehouse_id: Id.nullable(),
  warehouse_name: z.string().nullable(),
  has_warehouse: z.boolean(),
  applicant: z.string().nullable(),
  applicant_driver_id: Id.nullable(),
  applicant_driver: z.string().nullable(),
  reviewed_by_specialist_id: Id.nullable(),
  reviewed_by_specialist: z.string().nullable(),
  delivered_to_driver_id: Id.nullable(),
  delivered_to_driver: z.string().nullable(),
  description_of_requeriment: z.string().nullable(),
  codes: z.string().nullable(),
  observation: z.string().nullable(),
  works: z.array(Work),
  supplies: z.array(SupplyLine),
  /** No part of `supplies`, nor of what the order costs. */
  planned_supplies: z.array(PlannedSupply),
  services: z.array(ServiceLine),
  /** With `services` they add up to `services_cost`. */
  service_adjustments: z.array(ServiceAdjustment),
  invoices: z.array(Invoice),
  signatures: z.array(Signature),
  has_delivered_signature: z.boolean(),
  has_reviewed_signature: z.boolean(),
  /** The images of those that are there, as `data:image/png;base64,…`; only where one order is read. */
  delivered_signature: z.string().optional(),
  reviewed_signature: z.string().optional(),
  files_total: z.number(),
  comments_total: z.number(),
  clashes: z.array(Clash),
  user_name: z.string().nullable(),
})
export type WorkOrder = z.infer<typeof WorkOrder>

const OptionalInstant = Instant.nullish().transform((at) => at ?? null)
const once = <T extends z.ZodType>(line: T, max: number) => z.array(line).max(max).default([])

const orderFields = {
  workshop_id: Id,
  warehouse_id: OptionalId,
  /** Supplies leave the warehouse. Left out: as the company's setting says. */
  has_warehouse: z.boolean().optional(),
  planned: z.boolean().default(false),
  box_id: OptionalId,
  truck_id: Id,
  coupled_id: OptionalId,
  applicant: OptionalText(120),
  applicant_driver_id: OptionalId,
  responsible_specialist_id: OptionalId,
  reviewed_by_specialist_id: OptionalId,
  delivered_to_driver_id: OptionalId,
  kilometer: Kilometers.nullish().transform((km) => km ?? null),
  /** The reading is meant, though it is lower than what is known, or further than a truck drives in that time. */
  confirm_lower: z.boolean().default(false),
  request: OptionalText(500),
  description_of_requeriment: OptionalText(4000),
  date_estimed: Day.nullish().transform((day) => day ?? null),
  hour_estimed: Hour.nullish().transform((hour) => hour ?? null),
  place: z.enum(PLACE_NAMES).default('WORKSHOP'),
  /** Either may be sent; the id wins. */
  type_of_maintenance: OptionalText(60),
  type_maintenance_id: OptionalId,
  priority: Priority.default('medium'),
  status: Status.default(FIRST_STATUS),
  waiting_for_parts: z.boolean().default(false),
  codes: OptionalText(200),
  observation: OptionalText(4000),
  deadline_at: OptionalInstant,
  workshop_entry_at: OptionalInstant,
  workshop_departure_at: OptionalInstant,
  works: once(WorkInput, 200),
  supplies: once(SupplyLineInput, 500),
  services: once(ServiceLineInput, 200),
  /** Signed in the name of the driver or reviewer that the order names; null or left out changes nothing. */
  delivered_signature: SignatureImage.nullish(),
  reviewed_signature: SignatureImage.nullish(),
}
type Times = { workshop_entry_at: string | null; workshop_departure_at: string | null }
const departs = (order: Times) =>
  !order.workshop_entry_at ||
  !order.workshop_departure_at ||
  Date.parse(order.workshop_entry_at) <= Date.parse(order.workshop_departure_at)
export const EARLY_DEPARTURE = 'La salida no puede ser anterior al ingreso.'
const early = { path: ['workshop_departure_at'], message: EARLY_DEPARTURE }

/** `plan_supplies` are kept for it, or asked for, and taken later. */
export const NewWorkOrder = z.object({ ...orderFields, plan_supplies: once(PlanInput, 200) }).refine(departs, early)
export type NewWorkOrder = z.infer<typeof NewWorkOrder>
/** `status` left out: it stays where it is. */
export const WorkOrderEdit = z
  .object({ ...orderFields, status: Status.optional(), updated_at: Instant.optional() })
  .refine(departs, early)
export type WorkOrderEdit = z.infer<typeof WorkOrderEdit>

const filters = {
  Search,
  WorkshopId: IdList,
  Truck: IdList,
  Coupled: IdList,
  Priority: ListOf(PRIORITY_NAMES),
  Type: IdList,
  Specialist: IdList,
  Status: ListOf(WORK_ORDER_STATUS_NAMES),
}
export const BoardQuery = z.object({
  filter: z
    .object({
      ...filters,
      /** Something lies in a warehouse for it. */
      Reserved: ListOf(['true']),
    })
    .default({} as never),
  /** Only these cards, and those that say they clash with one, where the filters keep them; the totals are of the whole columns. */
  only: IdList,
  /** Only the first of each column; the totals are of the whole columns. */
  per_page: z.coerce.number().int().min(1).max(MAX_PER_PAGE).optional(),
})
export type BoardQuery = z.infer<typeof BoardQuery>

const moreFilters = {
  ...filters,
  Driver: IdList,
  Provider: IdList,
  Supply: IdList,
  Box: IdList,
  Place: ListOf(PLACE_NAMES),
  Planned: ListOf(['true', 'false']),
  /** Only one order of each truck that is in the workshop now: the one it has been there longest for. */
  Stopped: ListOf(['true']),
  /** When it was created, entered the workshop, left it, or was finalized. */
  BetweenDate,
  DateOf: z.enum(['created', 'entry', 'departure', 'finalized']).optional(),
}
const sortable = [
  'code',
  'created_at',
  'patent',
  'status',
  'priority',
  'type_maintenance',
  'responsible_specialist',
  'workshop_entry_at',
  'workshop_departure_at',
  'kilometer',
  'supplies_cost',
  'services_cost',
  'total_cost',
] as const
export const WorkOrderList = listing(sortable, moreFilters).extend({
  /** `none`: without what all orders of the filters cost, which takes longer than the page. */
  totals: z.enum(['none']).optional(),
})
export type WorkOrderList = z.infer<typeof WorkOrderList>

const column = z.object({ data: z.array(WorkOrderCard), total: z.number() })
export const Board = z.object({ pending: column, in_revision: column, in_progress: column, finalized: column })
export type Board = z.infer<typeof Board>

export const BoardInShortQuery = z.object({ filter: z.object({ WorkshopId: IdList }).default({} as never) })
export type BoardInShortQuery = z.infer<typeof BoardInShortQuery>
const worst = z.object({ total: z.number(), worst: WorkOrderCard.nullable() })
export const BoardInShort = z.object({
  /** Of each column how many there are, and the most urgent; of the finalized ones, those on top. */
  board: Board,
  /** Open ones whose time is over, the one that has been for longest. */
  late: worst,
  /** Trucks inside, of open orders; the order of the one that came first. */
  stopped: worst,
  /** Open ones that wait for parts; the oldest. */
  waiting: worst,
})
export type BoardInShort = z.infer<typeof BoardInShort>
/** Of each column. */
export const MOST_URGENT = 3

/** Where cards go. A place that is taken moves the card just behind: two cards never share one. */
const CardPlace = z.object({ id: Id, position: z.number().int().min(-1e15).max(1e15) })
export const Move = z.object({
  status: Status,
  positions: z.array(CardPlace).max(5000).default([]),
  /** Only where it finalizes. */
  kilometer: Kilometers.optional(),
  /** Where it finalizes: what was used of what was planned. The rest stays in the warehouse, kept for nobody. */
  used: z
    .array(z.object({ supply_id: Id, count: Quantity }))
    .max(500)
    .default([]),
  confirm_lower: z.boolean().default(false),
})
export type Move = z.infer<typeof Move>
export const SyncCards = z.object({
  works_orders: z
    .array(CardPlace.extend({ status: Status }))
    .min(1)
    .max(5000),
})
export type SyncCards = z.infer<typeof SyncCards>
export const Placed = z.object({ id: Id, status: Status, position: z.number(), updated_at: Instant })
export type Placed = z.infer<typeof Placed>

/* The calendar */

export const CALENDAR_KINDS = {
  planned: { label: 'Planificada', tone: 'success' },
  unplanned: { label: 'No planificada', tone: 'orange' },
  work: { label: 'Trabajo', tone: 'info' },
} as const
export const CalendarEvent = z.object({
  /** Of the order, or of the work. */
  id: Id,
  work_order_id: Id,
  code: z.string(),
  kind: z.enum(['planned', 'unplanned', 'work']),
  title: z.string(),
  patent: z.string(),
  status: Status,
  specialist: z.string().nullable(),
  start: Instant,
  end: Instant.nullable(),
  /** No hour: the whole day. */
  all_day: z.boolean(),
  clashes: z.array(Clash),
})
export type CalendarEvent = z.infer<typeof CalendarEvent>
/** Without a range, the current month. */
export const CalendarQuery = choosing({ ...filters, BetweenDate })
export type CalendarQuery = z.infer<typeof CalendarQuery>
export const Reschedule = z.object({ start: Instant, end: OptionalInstant, all_day: z.boolean().default(false) })
export type Reschedule = z.infer<typeof Reschedule>

const read = 'work-orders.read' as const
const write = 'work-orders.write' as const
const work = 'work-orders.work' as const

/** In bytes: its lines and texts, and two images. */
const ORDER_BODY = LONG_BODY + 2 * MAX_IMAGE
/** A service comes as it stands in the list of its provider, too. */
const echoes = [z.object({ services: z.array(Service) })]
const listed = { query: WorkOrderList, reply: page(WorkOrderRow).extend({ totals: z.object(costs) }) }

export const workOrders = {
  listWorkOrders: endpoint({
    method: 'GET',
    path: '/v1/order_workers',
    title: 'Órdenes de trabajo',
    may: read,
    summary: 'Work orders',
    ...listed,
  }),
  workOrderHistory: endpoint({
    method: 'GET',
    path: '/v1/history_order_workers',
    title: 'Historial de órdenes de trabajo',
    may: read,
    summary: 'History of work orders, with the totals of all that the filters leave',
    ...listed,
  }),
  getWorkOrder: endpoint({
    method: 'GET',
    path: '/v1/order_workers/:id',
    may: read,
    summary: 'One work order, with everything in it',
    params: ById,
    reply: WorkOrder,
  }),
  createWorkOrder: endpoint({
    method: 'POST',
    path: '/v1/order_workers',
    may: write,
    summary: 'Create a work order',
    body: NewWorkOrder,
    bodyLimit: ORDER_BODY,
    echoes,
    reply: WorkOrder,
    status: 201,
  }),
  updateWorkOrder: endpoint({
    method: 'PUT',
    path: '/v1/order_workers/:id',
    may: write,
    summary: 'Change a work order that is not finalized',
    params: ById,
    body: WorkOrderEdit,
    bodyLimit: ORDER_BODY,
    echoes,
    reply: WorkOrder,
  }),
  deleteWorkOrder: endpoint({
    method: 'DELETE',
    path: '/v1/order_workers/:id',
    may: write,
    summary: 'Delete a work order that is not finalized; its supplies go back to the warehouse',
    params: ById,
    reply: Nothing,
  }),
  createWorkOrderWithWarehouse: endpoint({
    method: 'POST',
    path: '/v2/order_workers_with_warehouse',
    may: write,
    summary: 'Create a work order whose supplies leave a warehouse',
    body: NewWorkOrder,
    bodyLimit: ORDER_BODY,
    echoes,
    reply: WorkOrder,
    status: 201,
  }),
  getWorkOrderWithWarehouse: endpoint({
    method: 'GET',
    path: '/v2/order_workers_with_warehouse/:id',
    may: read,
    summary: 'One work order, with everything in it',
    params: ById,
    reply: WorkOrder,
  }),
  updateWorkOrderWithWarehouse: endpoint({
    method: 'PUT',
    path: '/v2/order_workers_with_warehouse/:id',
    may: write,
    summary: 'Change a work order whose supplies leave a warehouse',
    params: ById,
    body: WorkOrderEdit,
    bodyLimit: ORDER_BODY,
    echoes,
    reply: WorkOrder,
  }),
  workOrderBoard: endpoint({
    method: 'GET',
    path: '/v2/order_workers_by_group',
    may: read,
    summary: 'The board: four columns of cards; finalized ones of the last 30 days',
    query: BoardQuery,
    reply: Board,
  }),
  workOrderBoardInShort: endpoint({
    method: 'GET',
    path: '/v2/board_in_short',
    may: read,
    summary: 'The board in short: how many orders there are in each column, the most urgent, and what is wrong',
    query: BoardInShortQuery,
    reply: BoardInShort,
  }),
  moveWorkOrder: endpoint({
    method: 'PUT',
    path: '/v1/update_status/:id',
    may: work,
    summary: 'Move a card to a column and a place; finalizing stamps, records and freezes in one transaction',
    params: ById,
    body: Move,
    bodyLimit: LONG_BODY,
    reply: catalogue(Placed),
  }),
  syncCards: endpoint({
    method: 'PUT',
    path: '/v1/sync_cards',
    may: work,
    summary: 'Place many cards at once',
    body: SyncCards,
    bodyLimit: LONG_BODY,
    echoes: [z.object({ works_orders: z.array(WorkOrderCard) })],
    reply: catalogue(Placed),
  }),
  loadInitialPositions: endpoint({
    method: 'PUT',
    path: '/v1/load_initial_positions',
    may: work,
    summary: 'Space the cards of every column evenly, in the order they have',
    reply: catalogue(Placed),
  }),
  calendarOrders: endpoint({
    method: 'GET',
    path: '/v2/calendar_order_work',
    may: read,
    summary: 'Work orders as events of the calendar',
    query: CalendarQuery,
    reply: catalogue(CalendarEvent),
  }),
  calendarWorks: endpoint({
    method: 'GET',
    path: '/v2/calendar_works',
    may: read,
    summary: 'Works as events of the calendar',
    query: CalendarQuery,
    reply: catalogue(CalendarEvent),
  }),
  rescheduleWorkOrder: endpoint({
    method: 'PUT',
    path: '/v2/calendar_order_work/:id',
    may: write,
    summary: 'Move an order in the calendar',
    params: ById,
    body: Reschedule,
    bodyLimit: LONG_BODY,
    reply: CalendarEvent,
  }),
  rescheduleWork: endpoint({
    method: 'PUT',
    path: '/v2/calendar_works/:id',
    may: write,
    summary: 'Move a work in the calendar',
    params: ById,
    body: Reschedule,
    reply: CalendarEvent,
  }),
  plannedClashes: endpoint({
    method: 'POST',
    path: '/v1/order_workers_clashes',
    may: write,
    summary: 'Boxes and specialists that an order, as it is typed, would need twice at one hour; nothing is saved',
    body: PlannedOrder,
    bodyLimit: LONG_BODY,
    reply: catalogue(Clash),
  }),
  workOrderPdf: endpoint({
    method: 'GET',
    path: '/v1/order_workers/:id/pdf',
    may: read,
    summary: 'The work order, to print or send',
    params: ById,
    reply: Download,
  }),
  workOrderActivity: endpoint({
    method: 'GET',
    path: '/v1/order_workers/:id/activity',
    may: read,
    summary: 'Who changed what on a work order',
    params: ById,
    query: listing(['at']),
    reply: ActivityPage,
  }),
}
