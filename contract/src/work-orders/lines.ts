import { z } from 'zod'
import { divideHalfUp, Quantity, SeenCost, toScaled, UnitCost } from '../base/money.ts'
import { PRIORITY_NAMES } from '../base/priorities.ts'
import { readings } from '../base/readings.ts'
import { Id, Instant, OptionalId, OptionalText } from '../base/wire.ts'

/* What an order is made of: works, supplies, services; and how each is counted. */

const Priority = z.enum(PRIORITY_NAMES)
const OptionalInstant = Instant.nullish().transform((at) => at ?? null)

/* Works */

/** What a person does with a work, and what it becomes. */
const WORK_STEPS = { start: 'running', pause: 'paused', finish: 'done', reopen: 'paused' } as const
export type WorkAction = keyof typeof WORK_STEPS
export const WORK_ACTIONS = Object.keys(WORK_STEPS) as [WorkAction, ...WorkAction[]]
export const becomes = (action: WorkAction): WorkState => WORK_STEPS[action]

/** `rank`: what a mechanic sees first; `begun`: somebody has worked on it; `may`: what can be done with it. */
export const WORK_STATES = {
  pending: { label: 'Por hacer', tone: 'slate', rank: 2, begun: false, done: false, may: ['start', 'finish'] },
  running: { label: 'En curso', tone: 'info', rank: 0, begun: true, done: false, may: ['pause', 'finish'] },
  paused: { label: 'En pausa', tone: 'warning', rank: 1, begun: true, done: false, may: ['start', 'finish'] },
  done: { label: 'Terminado', tone: 'success', rank: 3, begun: true, done: true, may: ['reopen'] },
} as const
export type WorkState = keyof typeof WORK_STATES
const WORK_STATE_NAMES = Object.keys(WORK_STATES) as [WorkState, ...WorkState[]]
export const WORK_STATES_BY_RANK = WORK_STATE_NAMES.toSorted((a, b) => WORK_STATES[a].rank - WORK_STATES[b].rank)
export const DONE = 'done' satisfies WorkState
export const mayWork = ({ state }: { state: WorkState }, action: WorkAction) =>
  (WORK_STATES[state].may as readonly WorkAction[]).includes(action)
/** What the times that were written make of it. */
export const workStateOf = (times: { start_time: unknown; end_time: unknown }): WorkState =>
  times.end_time ? 'done' : times.start_time ? 'running' : 'pending'

/** Hours of a work: the difference when it began and ended, none while it only began, else what was noted. */
export function workDuration(work: { start_time: string | null; end_time: string | null; hours: number | null }) {
  if (work.start_time && work.end_time) return (Date.parse(work.end_time) - Date.parse(work.start_time)) / 3_600_000
  return work.start_time ? null : work.hours
}

/** Somebody's time on a work, as their taps have it. */
export const WorkTime = z.object({
  id: Id,
  specialist_id: Id,
  /** Their name. */
  specialist: z.string(),
  from_at: Instant,
  /** null: it runs. */
  until_at: Instant.nullable(),
  /** None while it runs. */
  minutes: z.number(),
})
export type WorkTime = z.infer<typeof WorkTime>
export const WorkTimeEdit = z
  .object({ from_at: Instant, until_at: Instant })
  .refine(({ from_at, until_at }) => Date.parse(from_at) < Date.parse(until_at), {
    path: ['until_at'],
    message: 'Debe terminar después de empezar.',
  })
export type WorkTimeEdit = z.infer<typeof WorkTimeEdit>

export const Work = z.object({
  id: Id,
  work_order_id: Id,
  /** null: the task says it all. */
  description: z.string().nullable(),
  task_id: Id.nullable(),
  /** Its name. */
  task: z.string().nullable(),
  specialist_id: Id.nullable(),
  /** Their name. */
  specialist: z.string().nullable(),
  reviewed_by_specialist_id: Id.nullable(),
  hours: z.number().nullable(),
  start_time: Instant.nullable(),
  end_time: Instant.nullable(),
  target_start_at: Instant.nullable(),
  target_end_at: Instant.nullable(),
  priority: Priority,
  type_maintenance_id: Id.nullable(),
  type_maintenance: z.string().nullable(),
  /** In hours, as `workDuration` has it. */
  duration: z.number().nullable(),
  state: z.enum(WORK_STATE_NAMES),
  /** Of `times`, the sum. */
  clocked_minutes: z.number(),
  times: z.array(WorkTime),
})
export type Work = z.infer<typeof Work>

const backwards = 'No puede terminar antes de empezar.'
const inOrder = (from: string | null, to: string | null) => !from || !to || Date.parse(from) <= Date.parse(to)

/** By its number, under the name that reads give its words: those are not looked at beside the id they belong to. */
const ByNumber = z.union([Id, z.string().max(1000)]).nullish()
type Chosen = { [Name in 'task' | 'specialist' | 'type_maintenance']?: number | string | null | undefined } & {
  [Name in 'task_id' | 'specialist_id' | 'type_maintenance_id']?: number | null | undefined
}
const CHOICES = ['task', 'specialist', 'type_maintenance'] as const
function chosen<W extends Chosen>(work: W, context: z.RefinementCtx<W>) {
  const { task, specialist, type_maintenance, ...rest } = work
  const ids = { task, specialist, type_maintenance }
  const idOf = (name: (typeof CHOICES)[number]) => {
    const [value, id] = [ids[name], work[`${name}_id`]]
    if (typeof value === 'string' && id === undefined)
      context.addIssue({ code: 'custom', path: [name], message: 'Elija una opción de la lista.', input: value })
    return typeof value === 'number' ? value : (id ?? null)
  }
  return {
    ...rest,
    task_id: idOf('task'),
    specialist_id: idOf('specialist'),
    type_maintenance_id: idOf('type_maintenance'),
  }
}

/** A line that stays carries its id; a line without one is new; a line no longer sent is removed. */
export const WorkInput = z
  .object({
    id: Id.optional(),
    description: OptionalText(1000),
    task: ByNumber,
    task_id: Id.nullish(),
    specialist: ByNumber,
    specialist_id: Id.nullish(),
    reviewed_by_specialist_id: OptionalId,
    hours: z
      .number('Las horas deben ser un número.')
      .min(0, 'Las horas no pueden ser negativas.')
      .max(9999, 'Son demasiadas horas.')
      .nullish()
      .transform((hours) => hours ?? null),
    start_time: OptionalInstant,
    end_time: OptionalInstant,
    target_start_at: OptionalInstant,
    target_end_at: OptionalInstant,
    priority: Priority.default('medium'),
    type_maintenance: ByNumber,
    type_maintenance_id: Id.nullish(),
  })
  .refine((work) => work.description || work.task || work.task_id, {
    path: ['description'],
    message: 'Describa el trabajo o elija una tarea.',
  })
  .refine((work) => !work.end_time || work.start_time, { path: ['start_time'], message: 'Falta cuándo empezó.' })
  .refine((work) => inOrder(work.start_time, work.end_time), { path: ['end_time'], message: backwards })
  .refine((work) => inOrder(work.target_start_at, work.target_end_at), { path: ['target_end_at'], message: backwards })
  .transform(chosen)
export type WorkInput = z.infer<typeof WorkInput>

/** What a mechanic does with a work. */
export const WorkProgress = z.object({
  action: z.enum(WORK_ACTIONS),
  /** Whose clock starts or pauses; left out, that of the work's specialist starts and everyone's pauses. */
  specialist_id: Id.nullish(),
  /** A specialist helps with the work of another: only their own clock moves. */
  join: z.boolean().default(false),
  /** Whoever is working on something else leaves it paused. */
  confirm_switch: z.boolean().default(false),
})
export type WorkProgress = z.infer<typeof WorkProgress>

/* Supplies */

export const SupplyLine = z.object({
  id: Id,
  supply_id: Id,
  code: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  unit: z.string().nullable(),
  /** Quantity. */
  count: z.number(),
  /** Of one unit: the warehouse's average when it left, or the catalogue's. */
  cost: SeenCost,
  /** Whole pesos. */
  amount: SeenCost,
  created_at: Instant,
})
export type SupplyLine = z.infer<typeof SupplyLine>

/** Where the line leaves a warehouse, `cost` is the warehouse's and what is sent is not looked at. */
export const SupplyLineInput = z
  .object({
    id: Id.optional(),
    supply_id: Id,
    count: Quantity,
    /** Left out or null: the line's own, or the catalogue's. */
    cost: UnitCost.nullish(),
  })
  .register(readings, { thing: 'supply_id' })
export type SupplyLineInput = z.infer<typeof SupplyLineInput>

/** What an order that is made will need, beside what it takes at once. */
export const PlanInput = z.object({ supply_id: Id, count: Quantity })
export type PlanInput = z.infer<typeof PlanInput>

/** A supply that an order will need: it leaves the stock, and costs something, once it is used. */
export const PlannedSupply = z.object({
  id: Id,
  supply_id: Id,
  code: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  /** Still to be handed out. */
  count: z.number(),
  /** Of that, what the warehouse keeps for the order, and what it waits for. */
  reserved: z.number(),
  missing: z.number(),
  /** Who asked for it. */
  user_name: z.string().nullable(),
  created_at: Instant,
})
export type PlannedSupply = z.infer<typeof PlannedSupply>

/* Services */

export const ServiceLine = z.object({
  id: Id,
  provider_id: Id,
  provider_name: z.string(),
  service_id: Id,
  code: z.string(),
  name: z.string(),
  quantity: z.number(),
  unit_price: SeenCost,
  amount: SeenCost,
  /** When it is counted: the invoice's date, or else the day it was recorded; in a closed month it stays. */
  day: z.string(),
  created_at: Instant,
})
export type ServiceLine = z.infer<typeof ServiceLine>

export const ServiceLineInput = z
  .object({
    id: Id.optional(),
    service_id: Id,
    /** A service of a provider, as it stands in their list, is one of it. */
    quantity: Quantity.default(1),
    /** Left out or null: the line's own, or the service's. */
    unit_price: UnitCost.nullish(),
  })
  .register(readings, { thing: 'service_id' })
export type ServiceLineInput = z.infer<typeof ServiceLineInput>

/** What a provider's papers say of an order beyond its services in it: it is spent as they are. */
export const ServiceAdjustment = z.object({
  id: Id,
  provider_id: Id,
  provider_name: z.string(),
  invoice_id: Id,
  /** Where a note of the invoice says it. */
  note_id: Id.nullable(),
  /** Which paper says it, and its number. */
  kind: z.enum(['invoice', 'credit', 'debit']),
  document: z.string(),
  /** When it is counted. */
  day: z.string(),
  amount: SeenCost,
})
export type ServiceAdjustment = z.infer<typeof ServiceAdjustment>

/** Whole pesos, rounded half up, once. */
export const lineAmount = (quantity: number, unit: number) =>
  Number(divideHalfUp(toScaled(quantity) * toScaled(unit), 100_000_000n))
