import { z } from 'zod'
import { OptionalDni } from '../base/rut.ts'
import {
  ById,
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

/** Of a workshop, a box, a specialist or a driver: what is inactive is no longer offered, and keeps its history. */
export const ROSTER_STATES = {
  active: { label: 'Activo', tone: 'success' },
  inactive: { label: 'Inactivo', tone: 'slate' },
} as const
export type RosterState = keyof typeof ROSTER_STATES
export const ROSTER_STATE_NAMES = Object.keys(ROSTER_STATES) as [RosterState, ...RosterState[]]
export const RosterState = z.enum(ROSTER_STATE_NAMES)

/** Beside its fields, of whatever has such a state. */
export const rosterEdit = { state: RosterState.default('active'), updated_at: Instant.optional() }

/* What a workshop has: boxes, specialists and drivers */

const ofWorkshop = { id: Id, workshop_id: Id, workshop_name: z.string(), state: RosterState, updated_at: Instant }

export const Box = z.object({ ...ofWorkshop, name: z.string() })
export type Box = z.infer<typeof Box>
export const NewBox = z.object({ workshop_id: Id, name: Text(60) })
export type NewBox = z.infer<typeof NewBox>
export const BoxEdit = NewBox.extend(rosterEdit)
export type BoxEdit = z.infer<typeof BoxEdit>

const person = {
  names: z.string(),
  last_name_p: z.string(),
  last_name_m: z.string().nullable(),
  dni: z.string().nullable(),
}
const newPerson = {
  workshop_id: Id,
  names: Text(80),
  last_name_p: Text(60),
  last_name_m: OptionalText(60),
  dni: OptionalDni,
}

export const Specialist = z.object({ ...ofWorkshop, ...person, position: z.string().nullable() })
export type Specialist = z.infer<typeof Specialist>
export const NewSpecialist = z.object({ ...newPerson, position: OptionalText(80) })
export type NewSpecialist = z.infer<typeof NewSpecialist>
export const SpecialistEdit = NewSpecialist.extend(rosterEdit)
export type SpecialistEdit = z.infer<typeof SpecialistEdit>

/** What an hour of a specialist costs, from a day on. */
export const HourlyCost = z.object({
  from_day: Day,
  amount: z
    .number('Ingrese un monto.')
    .int('Debe ser un número entero.')
    .min(0, 'No puede ser negativo.')
    .max(1_000_000, 'Debe ser a lo más $1.000.000.'),
})
export type HourlyCost = z.infer<typeof HourlyCost>
/** The last day first. */
export const HourlyCosts = z.object({ hourly_costs: z.array(HourlyCost).max(100) }).superRefine((what, context) => {
  for (const [i, { from_day }] of what.hourly_costs.entries())
    if (what.hourly_costs.findIndex((one) => one.from_day === from_day) < i)
      context.addIssue({
        code: 'custom',
        path: ['hourly_costs', i, 'from_day'],
        message: 'Ya hay un costo desde ese día.',
      })
})
export type HourlyCosts = z.infer<typeof HourlyCosts>

/** Chilean driving licences, professional ones first. */
export const LICENCE_CLASSES = ['A1', 'A2', 'A3', 'A4', 'A5', 'B', 'C', 'D', 'E', 'F'] as const

export const Driver = z.object({
  ...ofWorkshop,
  ...person,
  phone: z.string().nullable(),
  licence_class: z.enum(LICENCE_CLASSES).nullable(),
  licence_expires_on: z.string().nullable(),
})
export type Driver = z.infer<typeof Driver>
export const NewDriver = z.object({
  ...newPerson,
  phone: OptionalText(40),
  licence_class: z
    .enum(LICENCE_CLASSES, 'Elija una clase de la lista.')
    .nullish()
    .transform((value) => value ?? null),
  licence_expires_on: Day.nullish().transform((day) => day ?? null),
})
export type NewDriver = z.infer<typeof NewDriver>
export const DriverEdit = NewDriver.extend(rosterEdit)
export type DriverEdit = z.infer<typeof DriverEdit>

/** As people say it: `Luis Gatica Muñoz`. */
export const fullName = (who: { names: string; last_name_p: string; last_name_m: string | null }) =>
  [who.names, who.last_name_p, who.last_name_m].filter(Boolean).join(' ')

const filters = { Search, WorkshopId: IdList, State: ListOf(ROSTER_STATE_NAMES) }
const PER_PAGE = 100
export const BoxList = listing(['name', 'workshop_name', 'state'], filters, PER_PAGE)
export const SpecialistList = listing(
  ['names', 'last_name_p', 'dni', 'position', 'workshop_name', 'state'],
  filters,
  PER_PAGE,
)
export const DriverList = listing(
  ['names', 'last_name_p', 'dni', 'licence_class', 'licence_expires_on', 'workshop_name', 'state'],
  filters,
  PER_PAGE,
)

export const rosters = {
  listBoxes: endpoint({
    method: 'GET',
    path: '/v1/boxes',
    title: 'Boxes',
    may: 'session',
    summary: 'Boxes of the workshops',
    query: BoxList,
    reply: page(Box),
  }),
  createBox: endpoint({
    method: 'POST',
    path: '/v1/boxes',
    may: 'people.manage',
    summary: 'Create a box',
    body: NewBox,
    reply: Box,
    status: 201,
  }),
  updateBox: endpoint({
    method: 'PUT',
    path: '/v1/boxes/:id',
    may: 'people.manage',
    summary: 'Change a box',
    params: ById,
    body: BoxEdit,
    reply: Box,
  }),
  deleteBox: endpoint({
    method: 'DELETE',
    path: '/v1/boxes/:id',
    may: 'people.manage',
    summary: 'Delete a box that was never used; a used one answers 409, and can be deactivated',
    params: ById,
    reply: Nothing,
  }),
  listSpecialists: endpoint({
    method: 'GET',
    path: '/v1/specialists',
    title: 'Especialistas',
    may: 'session',
    summary: 'Specialists of the workshops',
    query: SpecialistList,
    reply: page(Specialist),
  }),
  createSpecialist: endpoint({
    method: 'POST',
    path: '/v1/specialists',
    may: 'people.manage',
    summary: 'Create a specialist',
    body: NewSpecialist,
    reply: Specialist,
    status: 201,
  }),
  updateSpecialist: endpoint({
    method: 'PUT',
    path: '/v1/specialists/:id',
    may: 'people.manage',
    summary: 'Change a specialist',
    params: ById,
    body: SpecialistEdit,
    reply: Specialist,
  }),
  deleteSpecialist: endpoint({
    method: 'DELETE',
    path: '/v1/specialists/:id',
    may: 'people.manage',
    summary: 'Delete a specialist that was never used; a used one answers 409, and can be deactivated',
    params: ById,
    reply: Nothing,
  }),
  hourlyCosts: endpoint({
    method: 'GET',
    path: '/v1/specialists/:id/hourly-costs',
    may: 'labour.rates',
    summary: 'What an hour of a specialist costs, from which day',
    params: ById,
    reply: HourlyCosts,
  }),
  updateHourlyCosts: endpoint({
    method: 'PUT',
    path: '/v1/specialists/:id/hourly-costs',
    may: 'labour.rates',
    summary: 'Change what an hour of a specialist costs; labour of open months costs that from then on',
    params: ById,
    body: HourlyCosts,
    bodyLimit: LONG_BODY,
    reply: HourlyCosts,
  }),
  listDrivers: endpoint({
    method: 'GET',
    path: '/v1/drivers',
    title: 'Conductores',
    may: 'session',
    summary: 'Drivers of the workshops',
    query: DriverList,
    reply: page(Driver),
  }),
  createDriver: endpoint({
    method: 'POST',
    path: '/v1/drivers',
    may: 'people.manage',
    summary: 'Create a driver',
    body: NewDriver,
    reply: Driver,
    status: 201,
  }),
  updateDriver: endpoint({
    method: 'PUT',
    path: '/v1/drivers/:id',
    may: 'people.manage',
    summary: 'Change a driver',
    params: ById,
    body: DriverEdit,
    reply: Driver,
  }),
  deleteDriver: endpoint({
    method: 'DELETE',
    path: '/v1/drivers/:id',
    may: 'people.manage',
    summary: 'Delete a driver that was never used; a used one answers 409, and can be deactivated',
    params: ById,
    reply: Nothing,
  }),
}
