import { z } from 'zod'
import {
  ById,
  catalogue,
  choosing,
  endpoint,
  Id,
  IdText,
  Instant,
  ListOf,
  Nothing,
  OptionalText,
  Search,
  SentByReports,
  Text,
} from '../base/wire.ts'
import { ROSTER_STATE_NAMES, RosterState, rosterEdit } from './rosters.ts'

export const ALL_WORKSHOPS = 'Todos los talleres'

export const Workshop = z.object({ id: Id, name: z.string(), address: z.string().nullable() })
export type Workshop = z.infer<typeof Workshop>

export const Location = Workshop.extend({ state: RosterState, updated_at: Instant })
export type Location = z.infer<typeof Location>
export const NewWorkshop = z.object({ name: Text(80), address: OptionalText(200) })
export type NewWorkshop = z.infer<typeof NewWorkshop>

export const WorkshopEdit = NewWorkshop.extend(rosterEdit)
export type WorkshopEdit = z.infer<typeof WorkshopEdit>

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

export const workshops = {
  listWorkshops: endpoint({
    method: 'GET',
    path: '/v1/workshops',
    may: 'session',
    summary: 'The workshops the person may work in',
    reply: catalogue(Workshop),
    echoes: [SentByReports],
  }),
  listLocations: endpoint({
    method: 'GET',
    path: '/v1/locations_by_company',
    may: 'session',
    summary: 'The workshops of the company that the person may see, inactive ones too',
    query: choosing({ Search, State: ListOf(ROSTER_STATE_NAMES) }),
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
  listUses: endpoint({
    method: 'GET',
    path: '/v1/uses/:thing/:id',
    may: 'people.manage',
    summary: 'What uses one entry of a catalogue, and how often',
    params: z.object({ thing: z.enum(USED_THING_NAMES), id: IdText }),
    reply: catalogue(Use),
  }),
}
