import { z } from 'zod'
import { ActivityPage } from '../base/activity.ts'
import { readings } from '../base/readings.ts'
import {
  ById,
  catalogue,
  Day,
  endpoint,
  Id,
  IdList,
  Instant,
  ListOf,
  LONG_BODY,
  listing,
  Nothing,
  OptionalText,
  page,
  Search,
  Text,
} from '../base/wire.ts'
import { Kilometers } from '../fleet/meter.ts'

/* States */

/** `due`: it is time; `closed`: it was done, and nothing of it changes any more. */
export const ALERT_STATES = {
  created: { label: 'Creada', tone: 'slate', due: false, closed: false },
  current: { label: 'Activa', tone: 'warning', due: true, closed: false },
  executed: { label: 'Ejecutada', tone: 'success', due: false, closed: true },
} as const
export type AlertStatus = keyof typeof ALERT_STATES
const STATUS_NAMES = Object.keys(ALERT_STATES) as [AlertStatus, ...AlertStatus[]]
export const EXECUTED = 'executed' satisfies AlertStatus
export const isExecuted = ({ status }: { status: AlertStatus }): boolean => ALERT_STATES[status].closed

/** Past its date or its kilometres: said beside the state, which stays `current`. */
export const OVERDUE = { label: 'Vencida', tone: 'danger' } as const

export const ATTENTION = {
  overdue: { label: 'Vencidas' },
  unread: { label: 'Sin lecturas hace 30 días' },
} as const
export type Attention = keyof typeof ATTENTION
const ATTENTION_NAMES = Object.keys(ATTENTION) as [Attention, ...Attention[]]

/** A truck whose meter was not read for this long: what is said of its kilometres is a guess. */
export const UNREAD_DAYS = 30

/* Alerts */

const DAYS = 'Los días deben ser un número entero entre 1 y 365.'
const KM = 'Los kilómetros deben ser un número entero mayor que 0.'
const SomeKilometers = Kilometers.min(1, KM)

/** A toggle and what it switches: with the toggle off the value is left aside. */
const toggle = z.boolean().default(false)
const left = <T extends z.ZodType>(value: T) => value.nullish().transform((v) => v ?? null)

export const ExpirationSettings = z
  .object({
    dateSelected: toggle,
    date: left(Day),
    kilometersSelected: toggle,
    kilometers: left(z.number(KM).int(KM)),
  })
  .superRefine((plan, check) => {
    const wrong = (field: string, message: string) => check.addIssue({ code: 'custom', path: [field], message })
    if (!plan.dateSelected && !plan.kilometersSelected)
      wrong('kilometers', 'Active al menos uno: fecha o kilometraje de mantención.')
    if (plan.dateSelected && plan.date === null) wrong('date', 'Elija la fecha de mantención.')
    if (plan.kilometersSelected && plan.kilometers === null)
      wrong('kilometers', 'Ingrese el kilometraje de mantención.')
    if (plan.kilometersSelected && plan.kilometers !== null) {
      const found = SomeKilometers.safeParse(plan.kilometers)
      if (found.error) wrong('kilometers', found.error.issues[0]!.message)
    }
  })

export const AlertSettings = z
  .object({
    daysSelected: toggle,
    days: left(z.number(DAYS)),
    kilometersSelected: toggle,
    kilometers_advance: left(z.number(KM)),
  })
  .refine(({ daysSelected, days }) => !daysSelected || (Number.isInteger(days) && days! >= 1 && days! <= 365), {
    path: ['days'],
    message: DAYS,
  })
  .superRefine(({ kilometersSelected, kilometers_advance }, check) => {
    if (kilometersSelected && SomeKilometers.safeParse(kilometers_advance).error)
      check.addIssue({ code: 'custom', path: ['kilometers_advance'], message: KM })
  })

export const REPEAT_UNITS = { days: { label: 'días' }, months: { label: 'meses' } } as const
export type RepeatUnit = keyof typeof REPEAT_UNITS
export const REPEAT_FROM = {
  done: { label: 'Desde que se hizo' },
  planned: { label: 'Desde lo planificado' },
} as const
export type RepeatFrom = keyof typeof REPEAT_FROM

/** Executing one makes the next. */
export const RepeatSettings = z
  .object({
    dateSelected: toggle,
    every: left(z.number()),
    unit: z.enum(Object.keys(REPEAT_UNITS) as [RepeatUnit, ...RepeatUnit[]]).default('days'),
    kilometersSelected: toggle,
    kilometers: left(z.number(KM)),
    from: z.enum(Object.keys(REPEAT_FROM) as [RepeatFrom, ...RepeatFrom[]]).default('done'),
  })
  .superRefine(({ dateSelected, every, kilometersSelected, kilometers }, check) => {
    const wrong = (field: string, message: string) => check.addIssue({ code: 'custom', path: [field], message })
    if (dateSelected && !(Number.isInteger(every) && every! >= 1 && every! <= 3650))
      wrong('every', 'Ingrese un número entero entre 1 y 3.650.')
    if (kilometersSelected && SomeKilometers.safeParse(kilometers).error) wrong('kilometers', KM)
  })

const Address = z.email().max(200)
export const MAX_EMAILS = 20
export const EmailsToNotifications = z.object({
  selected: z
    .array(z.string().trim().toLowerCase().max(300))
    .max(500)
    .default([])
    .superRefine((emails, check) => {
      const wrong = emails.find((email) => Address.safeParse(email).error)
      if (wrong !== undefined) check.addIssue({ code: 'custom', message: `«${wrong}» no es un correo válido.` })
      else if (new Set(emails).size > MAX_EMAILS)
        check.addIssue({ code: 'custom', message: `Elija como máximo ${MAX_EMAILS} correos.` })
    })
    .transform((emails) => [...new Set(emails)]),
  suggestions: z.array(z.string().max(300)).max(500).optional(),
})

/** Ids, or the things themselves. */
const Ids = z
  .array(z.union([Id, z.object({ id: Id }).transform(({ id }) => id)], 'Elija equipos de la lista.'))
  .max(2000)
  .default([])
  .transform((ids) => [...new Set(ids)])

const alertFields = {
  name: Text(120),
  category_maintenance_alert_id: Ids,
  description: OptionalText(2000),
  expirationSettings: ExpirationSettings,
  alertSettings: AlertSettings.default({
    daysSelected: false,
    days: null,
    kilometersSelected: false,
    kilometers_advance: null,
  }),
  repeatSettings: RepeatSettings.default({
    dateSelected: false,
    every: null,
    unit: 'days',
    kilometersSelected: false,
    kilometers: null,
    from: 'done',
  }),
  emails_to_notifications: EmailsToNotifications.default({ selected: [] }),
}

interface Planned {
  expirationSettings: z.output<typeof ExpirationSettings>
  alertSettings: z.output<typeof AlertSettings>
}
/** A reminder belongs to what it reminds of. */
function checkReminder({ expirationSettings: plan, alertSettings: reminder }: Planned, check: z.RefinementCtx) {
  const wrong = (field: string, message: string) =>
    check.addIssue({ code: 'custom', path: ['alertSettings', field], message })
  if (reminder.daysSelected && !plan.dateSelected)
    wrong('days', 'Los días de anticipación necesitan una fecha de mantención.')
  if (reminder.kilometersSelected && !plan.kilometersSelected)
    wrong('kilometers_advance', 'Los kilómetros de anticipación necesitan un kilometraje de mantención.')
  else if (reminder.kilometersSelected && (reminder.kilometers_advance ?? 0) >= (plan.kilometers ?? 0))
    wrong('kilometers_advance', 'La anticipación debe ser menor que el kilometraje de mantención.')
}

export const NewAlerts = z
  .object({
    ...alertFields,
    /** One alert is made for each. */
    selectedTrucks: Ids,
    selectedCoupled: Ids,
  })
  .register(readings, { missing: { expirationSettings: () => ({}) } })
  .superRefine(checkReminder)
  .superRefine(({ selectedTrucks, selectedCoupled }, check) => {
    if (selectedTrucks.length + selectedCoupled.length === 0)
      check.addIssue({ code: 'custom', path: ['selectedTrucks'], message: 'Elija al menos un equipo.' })
  })
export type NewAlerts = z.infer<typeof NewAlerts>

/** The equipment of an alert stays what it is. */
export const AlertEdit = z.object({ ...alertFields, updated_at: Instant.optional() }).superRefine(checkReminder)
export type AlertEdit = z.infer<typeof AlertEdit>

export const Alert = z.object({
  id: Id,
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(STATUS_NAMES),
  overdue: z.boolean(),
  category_maintenance_alert_id: z.array(Id),
  categories: z.array(z.object({ id: Id, name: z.string() })),
  /** A truck or a coupled unit. */
  truck_id: Id.nullable(),
  coupled_id: Id.nullable(),
  selectedTrucks: z.array(Id),
  selectedCoupled: z.array(Id),
  /** Of the truck; a coupled unit has only its plate. */
  code: z.string().nullable(),
  patent: z.string(),
  workshop_id: Id,
  workshop_name: z.string(),
  expirationSettings: z.object({
    dateSelected: z.boolean(),
    date: z.string().nullable(),
    kilometersSelected: z.boolean(),
    kilometers: z.number().nullable(),
  }),
  alertSettings: z.object({
    daysSelected: z.boolean(),
    days: z.number().nullable(),
    kilometersSelected: z.boolean(),
    kilometers_advance: z.number().nullable(),
  }),
  repeatSettings: z.object({
    dateSelected: z.boolean(),
    every: z.number().nullable(),
    unit: z.enum(['days', 'months']),
    kilometersSelected: z.boolean(),
    kilometers: z.number().nullable(),
    from: z.enum(['done', 'planned']),
  }),
  emails_to_notifications: z.object({ selected: z.array(z.string()), suggestions: z.array(z.string()) }),
  /** What the meter shows, or what its trucks have pulled a unit. */
  kilometers_now: z.number().nullable(),
  read_at: Instant.nullable(),
  /** It counts kilometres, and the meter was not read for `UNREAD_DAYS`. */
  unread: z.boolean(),
  /** When it falls due: its date, or the day the kilometres will be reached, whichever comes first. */
  due_on: z.string().nullable(),
  /** Worked out from how many kilometres a day it drives lately. */
  estimated: z.boolean(),
  kilometers_per_day: z.number().nullable(),
  executed_on: z.string().nullable(),
  executed_by: z.string().nullable(),
  executed_kilometers: z.number().nullable(),
  /** The alert whose repetition this one is. */
  previous_id: Id.nullable(),
  /** The order that carries it out; finalizing it executes the alert. */
  work_order_id: Id.nullable(),
  work_order_code: z.string().nullable(),
  created_at: Instant,
  updated_at: Instant,
})
export type Alert = z.infer<typeof Alert>

export const AlertList = listing(['name', 'code', 'patent', 'workshop_name', 'status', 'due_on', 'updated_at'], {
  Search,
  Trucks: IdList,
  Coupled: IdList,
  Categories: IdList,
  Status: ListOf(STATUS_NAMES),
  Attention: ListOf(ATTENTION_NAMES),
  WorkshopId: IdList,
})
export type AlertList = z.infer<typeof AlertList>

const ManyIds = z
  .array(Id)
  .min(1, 'Elija al menos una alerta.')
  .max(2000)
  .transform((ids) => [...new Set(ids)])
export const Executing = z.object({
  ids: ManyIds,
  status: z.literal(EXECUTED, 'Solo se pueden marcar como ejecutadas.'),
  /** The day it was done; left out: today. */
  date: Day.optional(),
})
export type Executing = z.infer<typeof Executing>

export const alerts = {
  listAlerts: endpoint({
    method: 'GET',
    path: '/v1/maintenance-alerts',
    title: 'Alertas de mantención',
    may: 'alerts.read',
    summary: 'Maintenance alerts, page by page; what falls due first comes first',
    query: AlertList,
    reply: page(Alert),
  }),
  getAlert: endpoint({
    method: 'GET',
    path: '/v1/maintenance-alerts/:id',
    may: 'alerts.read',
    summary: 'One maintenance alert',
    params: ById,
    reply: Alert,
  }),
  createAlerts: endpoint({
    method: 'POST',
    path: '/v1/maintenance-alerts',
    may: 'alerts.write',
    summary: 'Create one alert for each chosen truck and coupled unit',
    body: NewAlerts,
    bodyLimit: LONG_BODY,
    reply: catalogue(Alert),
    status: 201,
  }),
  updateAlert: endpoint({
    method: 'PUT',
    path: '/v1/maintenance-alerts/:id',
    may: 'alerts.write',
    summary: 'Change an alert; its equipment stays',
    params: ById,
    body: AlertEdit,
    bodyLimit: LONG_BODY,
    reply: Alert,
  }),
  deleteAlert: endpoint({
    method: 'DELETE',
    path: '/v1/maintenance-alerts/:id',
    may: 'alerts.write',
    summary: 'Delete an alert',
    params: ById,
    reply: Nothing,
  }),
  deleteAlerts: endpoint({
    method: 'POST',
    path: '/v1/maintenance-alerts/delete-many',
    may: 'alerts.write',
    summary: 'Delete several alerts, all or none',
    body: z.object({ ids: ManyIds }),
    bodyLimit: LONG_BODY,
    reply: z.object({ deleted: z.number() }),
  }),
  executeAlerts: endpoint({
    method: 'POST',
    path: '/v1/maintenance-alerts/status',
    may: 'alerts.write',
    summary: 'Mark alerts as executed; those that repeat make their next one',
    body: Executing,
    bodyLimit: LONG_BODY,
    reply: z.object({ executed: z.number(), made: z.array(Alert) }),
  }),
  makeWorkOrder: endpoint({
    method: 'POST',
    path: '/v1/maintenance-alerts/:id/work-order',
    may: 'work-orders.write',
    summary: 'Make the work order that carries an alert out; finalizing that order executes the alert',
    params: ById,
    reply: Alert,
    status: 201,
  }),
  alertActivity: endpoint({
    method: 'GET',
    path: '/v1/maintenance-alerts/:id/activity',
    may: 'alerts.read',
    summary: 'Who changed what on an alert',
    params: ById,
    query: listing(['at']),
    reply: ActivityPage,
  }),
  listEmails: endpoint({
    method: 'GET',
    path: '/v1/maintenance-alerts/emails-users',
    may: 'alerts.write',
    summary: 'Addresses to suggest: people of the workshop, and those that other alerts are sent to',
    reply: catalogue(z.object({ email: z.string(), name: z.string().nullable() })),
  }),
}
