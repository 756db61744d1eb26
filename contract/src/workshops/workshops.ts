import { z } from 'zod'
import { DEFAULT_ZONE } from '../base/dates.ts'
import { OptionalDni } from '../base/rut.ts'
import {
  ById,
  catalogue,
  choosing,
  Day,
  Download,
  endpoint,
  Id,
  IdList,
  IdText,
  Instant,
  ListOf,
  listing,
  Nothing,
  OptionalText,
  page,
  Search,
  Text,
} from '../base/wire.ts'

export const ALL_WORKSHOPS = 'Todos los talleres'

export const Workshop = z.object({ id: Id, name: z.string(), address: z.string().nullable() })
export type Workshop = z.infer<typeof Workshop>

/** Of a workshop, a box, a specialist or a driver: what is inactive is no longer offered, and keeps its history. */
export const ROSTER_STATES = {
  active: { label: 'Activo', tone: 'success' },
  inactive: { label: 'Inactivo', tone: 'slate' },
} as const
export type RosterState = keyof typeof ROSTER_STATES
const STATE_NAMES = Object.keys(ROSTER_STATES) as [RosterState, ...RosterState[]]
const State = z.enum(STATE_NAMES)

export const Location = Workshop.extend({ state: State, updated_at: Instant })
export type Location = z.infer<typeof Location>
export const NewWorkshop = z.object({ name: Text(80), address: OptionalText(200) })
export type NewWorkshop = z.infer<typeof NewWorkshop>

const edit = { state: State.default('active'), updated_at: Instant.optional() }
export const WorkshopEdit = NewWorkshop.extend(edit)
export type WorkshopEdit = z.infer<typeof WorkshopEdit>

/* The company */

/** Zones a Chilean company can be in. */
export const TIME_ZONES = {
  [DEFAULT_ZONE]: { label: 'Chile continental' },
  'America/Punta_Arenas': { label: 'Aysén y Magallanes' },
  'Pacific/Easter': { label: 'Isla de Pascua' },
} as const
export type TimeZone = keyof typeof TIME_ZONES
const ZONE_NAMES = Object.keys(TIME_ZONES) as [TimeZone, ...TimeZone[]]

export const Company = z.object({
  id: Id,
  name: z.string(),
  dni: z.string().nullable(),
  time_zone: z.string(),
  has_logo: z.boolean(),
  updated_at: Instant,
})
export type Company = z.infer<typeof Company>
export const CompanyEdit = z.object({
  name: Text(120),
  dni: OptionalDni,
  time_zone: z.enum(ZONE_NAMES, 'Elija una zona horaria de la lista.'),
  updated_at: Instant.optional(),
})
export type CompanyEdit = z.infer<typeof CompanyEdit>

export const MAX_LOGO_BYTES = 512 * 1024

/* What uses one entry of a catalogue, whichever domain that is of. */

export const USED_THINGS = {
  workshops: 'talleres',
  boxes: 'boxes',
  specialists: 'especialistas',
  drivers: 'conductores',
  brands: 'marcas',
  truck_types: 'tipos de equipo',
  cost_centers: 'centros de costo',
  categories: 'categorías',
  measurement_units: 'unidades',
  service_categories: 'categorías de servicios',
  maintenance_types: 'tipos de mantención',
  tasks: 'tareas',
} as const
export type UsedThing = keyof typeof USED_THINGS
const USED_THING_NAMES = Object.keys(USED_THINGS) as [UsedThing, ...UsedThing[]]
export const Use = z.object({
  /** As people say it: `equipos`, `órdenes de trabajo`. */
  what: z.string(),
  total: z.number(),
})
export type Use = z.infer<typeof Use>

/* Settings: the order is the wire's, and `has_warehouse` comes first. */

export const SETTINGS = {
  has_warehouse: {
    label: 'Las órdenes de trabajo descuentan de bodega',
    about: 'Los insumos de una orden salen del stock de una bodega. Apagado, se anotan al costo del catálogo.',
    value: z.boolean(),
    initial: true,
  },
  work_order_text: {
    label: 'Texto al pie de la orden de trabajo',
    about: 'Se imprime en cada orden de trabajo, sobre las firmas.',
    value: z.string().trim().max(2000),
    initial: '',
  },
  purchase_order_text: {
    label: 'Texto al pie de la orden de compra',
    about: 'Se imprime en cada orden de compra: lugar y horario de entrega, condiciones de pago.',
    value: z.string().trim().max(2000),
    initial: '',
  },
  receipt_tolerance: {
    label: 'Cuánto más de lo aprobado se puede recibir',
    about: 'En cantidad o en precio. Sobre este porcentaje recibe quien aprueba órdenes de compra. Por defecto, 10 %.',
    value: z
      .number('Ingrese un número.')
      .int('Debe ser un número entero.')
      .min(0, 'No puede ser negativo.')
      .max(100, 'Debe ser a lo más 100 %.'),
    initial: 10,
  },
  first_month: {
    label: 'Primer mes de la empresa',
    about: 'Las facturas anteriores a este mes se rechazan. Por defecto, 2015-01.',
    value: z
      .string()
      .trim()
      .regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, 'Escriba el año y el mes: 2015-01.'),
    initial: '2015-01',
  },
  kilometers_per_day: {
    label: 'Kilómetros que un equipo puede recorrer en un día',
    about: 'Una lectura que supone más que esto pide confirmación antes de guardarse.',
    value: z
      .number('Ingrese un número.')
      .int('Debe ser un número entero.')
      .min(100, 'Debe ser al menos 100 km.')
      .max(5000, 'Debe ser a lo más 5.000 km.'),
    initial: 1500,
  },
} as const
export type SettingName = keyof typeof SETTINGS
export const SETTING_NAMES = Object.keys(SETTINGS) as [SettingName, ...SettingName[]]
export type Settings = { [Name in SettingName]: z.infer<(typeof SETTINGS)[Name]['value']> }

export const Setting = z.object({
  id: Id,
  name: z.enum(SETTING_NAMES),
  label: z.string(),
  pivot: z.object({ setting_value: z.union([z.boolean(), z.string(), z.number()]) }),
})
export type Setting = z.infer<typeof Setting>

/** What is left out stays as it is. */
export const SettingsEdit = z
  .object({
    has_warehouse: SETTINGS.has_warehouse.value,
    work_order_text: SETTINGS.work_order_text.value,
    purchase_order_text: SETTINGS.purchase_order_text.value,
    receipt_tolerance: SETTINGS.receipt_tolerance.value,
    first_month: SETTINGS.first_month.value,
    kilometers_per_day: SETTINGS.kilometers_per_day.value,
  })
  .partial()
export type SettingsEdit = z.infer<typeof SettingsEdit>

/* What a workshop has: boxes, specialists and drivers */

const ofWorkshop = { id: Id, workshop_id: Id, workshop_name: z.string(), state: State, updated_at: Instant }

export const Box = z.object({ ...ofWorkshop, name: z.string() })
export type Box = z.infer<typeof Box>
export const NewBox = z.object({ workshop_id: Id, name: Text(60) })
export type NewBox = z.infer<typeof NewBox>
export const BoxEdit = NewBox.extend(edit)
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
export const SpecialistEdit = NewSpecialist.extend(edit)
export type SpecialistEdit = z.infer<typeof SpecialistEdit>

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
export const DriverEdit = NewDriver.extend(edit)
export type DriverEdit = z.infer<typeof DriverEdit>

/** As people say it: `Luis Gatica Muñoz`. */
export const fullName = (who: { names: string; last_name_p: string; last_name_m: string | null }) =>
  [who.names, who.last_name_p, who.last_name_m].filter(Boolean).join(' ')

const filters = { Search, WorkshopId: IdList, State: ListOf(STATE_NAMES) }
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

export const workshops = {
  listWorkshops: endpoint({
    method: 'GET',
    path: '/v1/workshops',
    may: 'session',
    summary: 'The workshops the person may work in',
    reply: catalogue(Workshop),
  }),
  listLocations: endpoint({
    method: 'GET',
    path: '/v1/locations_by_company',
    may: 'session',
    summary: 'The workshops of the company that the person may see, inactive ones too',
    query: choosing({ Search, State: ListOf(STATE_NAMES) }),
    reply: catalogue(Location),
  }),
  createWorkshop: endpoint({
    method: 'POST',
    path: '/v1/workshops',
    may: 'company.manage',
    summary: 'Create a workshop',
    body: NewWorkshop,
    reply: Location,
    status: 201,
  }),
  updateWorkshop: endpoint({
    method: 'PUT',
    path: '/v1/workshops/:id',
    may: 'company.manage',
    summary: 'Change a workshop, or take it out of use',
    params: ById,
    body: WorkshopEdit,
    reply: Location,
  }),
  deleteWorkshop: endpoint({
    method: 'DELETE',
    path: '/v1/workshops/:id',
    may: 'company.manage',
    summary: 'Delete a workshop that was never used; a used one answers 409, and can be deactivated',
    params: ById,
    reply: Nothing,
  }),
  getCompany: endpoint({
    method: 'GET',
    path: '/v1/company',
    may: 'session',
    summary: 'The company in use',
    reply: Company,
  }),
  updateCompany: endpoint({
    method: 'PUT',
    path: '/v1/company',
    may: 'company.manage',
    summary: 'Change the name, RUT or time zone of the company',
    body: CompanyEdit,
    reply: Company,
  }),
  getLogo: endpoint({
    method: 'GET',
    path: '/v1/company/logo',
    may: 'session',
    summary: 'The logo of the company',
    reply: Download,
    heavy: false,
  }),
  updateLogo: endpoint({
    method: 'PUT',
    path: '/v1/company/logo',
    may: 'company.manage',
    summary: 'Give the company a logo: a PNG or JPG of at most 512 kB, printed on its documents',
    upload: { maxBytes: MAX_LOGO_BYTES },
    body: z.object({ file: z.file() }),
    reply: Company,
  }),
  deleteLogo: endpoint({
    method: 'DELETE',
    path: '/v1/company/logo',
    may: 'company.manage',
    summary: 'Take the logo off',
    reply: Nothing,
  }),
  listUses: endpoint({
    method: 'GET',
    path: '/v1/uses/:thing/:id',
    may: 'people.manage',
    summary: 'What uses one entry of a catalogue, and how often',
    params: z.object({ thing: z.enum(USED_THING_NAMES), id: IdText }),
    reply: catalogue(Use),
  }),
  listSettings: endpoint({
    method: 'GET',
    path: '/v1/settings',
    may: 'session',
    summary: 'Settings of the company; the first is has_warehouse',
    reply: catalogue(Setting),
  }),
  updateSettings: endpoint({
    method: 'PUT',
    path: '/v1/settings',
    may: 'company.manage',
    summary: 'Change settings of the company',
    body: SettingsEdit,
    reply: catalogue(Setting),
  }),
  listBoxes: endpoint({
    method: 'GET',
    path: '/v1/boxes',
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
  listDrivers: endpoint({
    method: 'GET',
    path: '/v1/drivers',
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
