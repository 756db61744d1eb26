import { z } from 'zod'
import { ActivityPage } from '../base/activity.ts'
import {
  ById,
  catalogue,
  choosing,
  Day,
  endpoint,
  Id,
  IdList,
  Instant,
  ListOf,
  listing,
  Nothing,
  OptionalId,
  page,
  Search,
  Text,
} from '../base/wire.ts'
import { Kilometers, NewReading, Reading } from './meter.ts'

/** A licence plate as it is kept: upper case, without separators. */
export const normalPatent = (text: string) => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
/** As people write it: `BBBB·12`, `AB·1234`. */
export const showPatent = (patent: string) => patent.replace(/(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, '$1$2·')

export const Patent = z
  .string()
  .max(30)
  .transform(normalPatent)
  .pipe(
    z
      .string()
      .min(1, 'La patente es obligatoria.')
      .regex(/^[A-Z0-9]{4,10}$/, 'La patente debe tener entre 4 y 10 letras y números.'),
  )

export const TRUCK_STATES = {
  active: { label: 'Activo', tone: 'success' },
  inactive: { label: 'Inactivo', tone: 'slate' },
} as const
export type TruckState = keyof typeof TRUCK_STATES
const STATE_NAMES = Object.keys(TRUCK_STATES) as [TruckState, ...TruckState[]]

/* Trucks */

export const Truck = z.object({
  id: Id,
  workshop_id: Id,
  workshop_name: z.string(),
  code: z.string(),
  patent: z.string(),
  state: z.enum(STATE_NAMES),
  registered_at: Instant,
  /** Since when it is out of use. */
  retired_at: Instant.nullable(),
  mileage: z.number(),
  coupled_id: Id.nullable(),
  coupled_patent: z.string().nullable(),
  type_of_truck_id: Id.nullable(),
  type_name: z.string().nullable(),
  brand_id: Id.nullable(),
  brand_name: z.string().nullable(),
  cost_center_id: Id.nullable(),
  cost_center_name: z.string().nullable(),
  /** Since when it is of that one; null: since ever. */
  cost_center_from: z.string().nullable(),
  updated_at: Instant,
})
export type Truck = z.infer<typeof Truck>

const truckFields = {
  workshop_id: Id,
  code: Text(40),
  patent: Patent,
  coupled_id: OptionalId,
  type_of_truck_id: OptionalId,
  brand_id: OptionalId,
  cost_center_id: OptionalId,
  /** The coupled unit leaves the truck that pulls it now. */
  move_coupled: z.boolean().default(false),
}
export const NewTruck = z.object({ ...truckFields, mileage: Kilometers.default(0) })
export type NewTruck = z.infer<typeof NewTruck>

export const TruckEdit = z.object({
  ...truckFields,
  /** From when on it is of its cost centre; left out with another one: from today. */
  cost_center_from: Day.nullish(),
  state: z.enum(STATE_NAMES).default('active'),
  /** When the edited values were read: a later change by somebody else answers 409. */
  updated_at: Instant.optional(),
})
export type TruckEdit = z.infer<typeof TruckEdit>

export const FLEETS = { own: { label: 'De este taller' }, others: { label: 'De otros talleres' } } as const
type Fleet = keyof typeof FLEETS

export const TruckList = listing(
  [
    'code',
    'patent',
    'workshop_name',
    'type_name',
    'brand_name',
    'cost_center_name',
    'coupled_patent',
    'mileage',
    'state',
    'updated_at',
  ],
  {
    Search,
    WorkshopId: IdList,
    Brand: IdList,
    Type: IdList,
    CostCenter: IdList,
    State: ListOf(STATE_NAMES),
    /** With a shared fleet, for those who work in one workshop; none: its own. */
    Fleet: ListOf(Object.keys(FLEETS) as [Fleet, ...Fleet[]]),
  },
)
export type TruckList = z.infer<typeof TruckList>

/** A truck as a choice in another form. */
export const TruckChoice = Truck.pick({
  id: true,
  workshop_id: true,
  workshop_name: true,
  code: true,
  patent: true,
  mileage: true,
  coupled_id: true,
})
export type TruckChoice = z.infer<typeof TruckChoice>

/* Coupled units */

export const Coupled = z.object({
  id: Id,
  company_id: Id,
  workshop_id: Id,
  workshop_name: z.string(),
  patent: z.string(),
  truck_id: Id.nullable(),
  truck_code: z.string().nullable(),
})
export type Coupled = z.infer<typeof Coupled>

export const NewCoupled = z.object({ patent: Patent, workshop_id: Id.optional() })

export const Coupling = z.object({
  id: Id,
  coupled_id: Id,
  patent: z.string(),
  from: Instant,
  until: Instant.nullable(),
  /** What the truck's meter showed, where somebody knows. */
  from_km: z.number().nullable(),
  until_km: z.number().nullable(),
  /** What it drove with the unit: between what is known, or else worked out from the readings. */
  kilometers: z.number(),
})
export type Coupling = z.infer<typeof Coupling>

const OptionalKilometers = Kilometers.nullish().transform((km) => km ?? null)
export const NewCoupling = z
  .object({
    coupled_id: Id,
    from: Instant,
    /** Left out: it still pulls it. */
    until: Instant.nullish().transform((at) => at ?? null),
    from_km: OptionalKilometers,
    until_km: OptionalKilometers,
  })
  .refine(({ from, until }) => until === null || Date.parse(from) < Date.parse(until), {
    path: ['until'],
    message: 'Debe ser posterior al comienzo.',
  })
  .refine(({ until, until_km }) => until_km === null || until !== null, {
    path: ['until_km'],
    message: 'Indique también hasta cuándo.',
  })
  .refine(({ from_km, until_km }) => from_km === null || until_km === null || from_km <= until_km, {
    path: ['until_km'],
    message: 'No puede ser menor al kilometraje del comienzo.',
  })
export type NewCoupling = z.infer<typeof NewCoupling>

const ofWorkshop = choosing({
  Search,
  WorkshopId: IdList,
  /** Those of the other workshops too, after these, where the company shares its fleet. */
  Shared: z.stringbool().or(z.boolean()).optional(),
})
/** To whoever would change what another workshop owns. */
export const TRUCK_ELSEWHERE = 'El equipo es de otro taller: aquí se puede ver y usar en órdenes, y lo edita su taller.'

export const fleet = {
  listTrucks: endpoint({
    method: 'GET',
    path: '/v1/trucks',
    title: 'Equipos',
    may: 'fleet.read',
    summary: 'Trucks, page by page',
    query: TruckList,
    reply: page(Truck),
  }),
  chooseTrucks: endpoint({
    method: 'GET',
    path: '/v1/list-trucks',
    may: 'fleet.read',
    summary: 'All active trucks, to choose from',
    query: ofWorkshop,
    reply: catalogue(TruckChoice),
  }),
  getTruck: endpoint({
    method: 'GET',
    path: '/v1/trucks/:id',
    may: 'fleet.read',
    summary: 'One truck',
    params: ById,
    reply: Truck,
  }),
  createTruck: endpoint({
    method: 'POST',
    path: '/v1/trucks',
    may: 'fleet.write',
    summary: 'Create a truck',
    body: NewTruck,
    reply: Truck,
    status: 201,
  }),
  updateTruck: endpoint({
    method: 'PUT',
    path: '/v1/trucks/:id',
    may: 'fleet.write',
    summary: 'Change a truck; another coupled unit closes the interval of the one before',
    params: ById,
    body: TruckEdit,
    reply: Truck,
  }),
  deleteTruck: endpoint({
    method: 'DELETE',
    path: '/v1/trucks/:id',
    may: 'fleet.write',
    summary: 'Delete a truck without history; with history it answers 409, and can be deactivated',
    params: ById,
    reply: Nothing,
  }),
  truckActivity: endpoint({
    method: 'GET',
    path: '/v1/trucks/:id/activity',
    may: 'fleet.read',
    summary: 'Who changed what on a truck',
    params: ById,
    query: listing(['at']),
    reply: ActivityPage,
  }),
  listReadings: endpoint({
    method: 'GET',
    path: '/v1/trucks/:id/readings',
    may: 'fleet.read',
    summary: 'Meter history of a truck',
    params: ById,
    query: listing(['date', 'km']),
    reply: page(Reading),
  }),
  recordReading: endpoint({
    method: 'POST',
    path: '/v1/trucks/:id/readings',
    may: 'fleet.write',
    summary: 'Record what the meter shows; one that is lower than known, or too far, needs confirm_lower',
    params: ById,
    body: NewReading,
    reply: Reading,
    status: 201,
  }),
  voidReading: endpoint({
    method: 'POST',
    path: '/v1/readings/:id/void',
    may: 'fleet.write',
    summary: 'Take a reading out of what counts; mileage, alerts and costs per kilometre follow',
    params: ById,
    reply: Reading,
  }),
  restoreReading: endpoint({
    method: 'POST',
    path: '/v1/readings/:id/restore',
    may: 'fleet.write',
    summary: 'Let a voided reading count again',
    params: ById,
    reply: Reading,
  }),
  addCoupling: endpoint({
    method: 'POST',
    path: '/v1/trucks/:id/couplings',
    may: 'fleet.write',
    summary: 'Note which unit a truck pulled, from when until when',
    params: ById,
    body: NewCoupling,
    reply: Coupling,
    status: 201,
  }),
  updateCoupling: endpoint({
    method: 'PUT',
    path: '/v1/couplings/:id',
    may: 'fleet.write',
    summary: 'Correct from when until when a truck pulled a unit, or which; what was derived is derived again',
    params: ById,
    body: NewCoupling,
    reply: Coupling,
  }),
  deleteCoupling: endpoint({
    method: 'DELETE',
    path: '/v1/couplings/:id',
    may: 'fleet.write',
    summary: 'Strike out that a truck pulled a unit',
    params: ById,
    reply: Nothing,
  }),
  listCouplings: endpoint({
    method: 'GET',
    path: '/v1/trucks/:id/couplings',
    may: 'fleet.read',
    summary: 'Which units a truck has pulled, from when until when',
    params: ById,
    reply: catalogue(Coupling),
  }),
  listCoupled: endpoint({
    method: 'GET',
    path: '/v1/get-coupled',
    may: 'fleet.read',
    summary: 'Coupled units, and the truck that pulls each now',
    query: ofWorkshop,
    reply: catalogue(Coupled),
  }),
  getCoupled: endpoint({
    method: 'GET',
    path: '/v1/coupled/:id',
    may: 'fleet.read',
    summary: 'One coupled unit, with the kilometres its trucks drove while they pulled it',
    params: ById,
    reply: Coupled.extend({ kilometers: z.number() }),
  }),
  createCoupled: endpoint({
    method: 'POST',
    path: '/v1/coupled',
    may: 'fleet.write',
    summary: 'Create a coupled unit',
    body: NewCoupled,
    reply: Coupled,
    status: 201,
  }),
}
