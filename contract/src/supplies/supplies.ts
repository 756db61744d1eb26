import { z } from 'zod'
import { ActivityPage } from '../base/activity.ts'
import { UnitCost } from '../base/money.ts'
import {
  ById,
  catalogue,
  choosing,
  endpoint,
  Id,
  IdList,
  Instant,
  ListOf,
  listing,
  Nothing,
  OptionalId,
  OptionalText,
  page,
  Search,
  Text,
} from '../base/wire.ts'

export const SUPPLY_STATES = {
  active: { label: 'Activo', tone: 'success' },
  inactive: { label: 'Inactivo', tone: 'slate' },
} as const
export type SupplyState = keyof typeof SUPPLY_STATES
const STATE_NAMES = Object.keys(SUPPLY_STATES) as [SupplyState, ...SupplyState[]]

/** Where a cost came from. */
export const COST_SOURCES = {
  manual: { label: 'A mano' },
  import: { label: 'Importación' },
  purchase: { label: 'Compra' },
} as const
export type CostSource = keyof typeof COST_SOURCES
const SOURCE_NAMES = Object.keys(COST_SOURCES) as [CostSource, ...CostSource[]]

export const Supply = z.object({
  id: Id,
  workshop_id: Id,
  workshop_name: z.string(),
  code: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  cost: z.number(),
  category_id: Id.nullable(),
  category_name: z.string().nullable(),
  measurement_units_id: Id.nullable(),
  measurement_unit_name: z.string().nullable(),
  state: z.enum(STATE_NAMES),
  updated_at: Instant,
})
export type Supply = z.infer<typeof Supply>

export const SupplyCode = Text(40)
export const SupplyName = Text(120)
export const SupplyDescription = OptionalText(1000)

const supplyFields = {
  workshop_id: Id,
  code: SupplyCode,
  name: SupplyName,
  description: SupplyDescription,
  cost: UnitCost,
  category_id: OptionalId,
  measurement_units_id: OptionalId,
}
export const NewSupply = z.object(supplyFields)
export type NewSupply = z.infer<typeof NewSupply>

export const SupplyEdit = z.object({
  ...supplyFields,
  state: z.enum(STATE_NAMES).default('active'),
  /** When the edited values were read: a later change by somebody else answers 409. */
  updated_at: Instant.optional(),
})
export type SupplyEdit = z.infer<typeof SupplyEdit>

export const SupplyList = listing(
  ['code', 'name', 'category_name', 'measurement_unit_name', 'workshop_name', 'cost', 'state', 'updated_at'],
  { Search, WorkshopId: IdList, Categories: IdList, State: ListOf(STATE_NAMES) },
)
export type SupplyList = z.infer<typeof SupplyList>

/** What a supply cost from a day on. */
export const SupplyCost = z.object({
  id: Id,
  at: Instant,
  cost: z.number(),
  source: z.enum(SOURCE_NAMES),
  /** Code of the import, or number of the document. */
  reference: z.string().nullable(),
  user_name: z.string().nullable(),
})
export type SupplyCost = z.infer<typeof SupplyCost>

/** A category or a unit of measure; one without a workshop is shared by all workshops of the company. */
export const Choice = z.object({ id: Id, name: z.string(), workshop_id: Id.nullable() })
export type Choice = z.infer<typeof Choice>
export const ChoiceName = Text(80)
export const NewChoice = z.object({ name: ChoiceName, workshop_id: OptionalId })
export type NewChoice = z.infer<typeof NewChoice>

/** A choice stays in its workshop. */
export const ChoiceEdit = NewChoice.omit({ workshop_id: true })
export type ChoiceEdit = z.infer<typeof ChoiceEdit>

const ofWorkshop = choosing({ Search, WorkshopId: IdList })

export const supplies = {
  listSupplies: endpoint({
    method: 'GET',
    path: '/v1/supplies',
    title: 'Inventario',
    may: 'supplies.read',
    summary: 'Supplies, page by page',
    query: SupplyList,
    reply: page(Supply),
  }),
  getSupply: endpoint({
    method: 'GET',
    path: '/v1/supplies/:id',
    may: 'supplies.read',
    summary: 'One supply',
    params: ById,
    reply: Supply,
  }),
  createSupply: endpoint({
    method: 'POST',
    path: '/v1/supplies',
    may: 'supplies.write',
    summary: 'Create a supply',
    body: NewSupply,
    reply: Supply,
    status: 201,
  }),
  updateSupply: endpoint({
    method: 'PUT',
    path: '/v1/supplies/:id',
    may: 'supplies.write',
    summary: 'Change a supply; another cost goes into its price history',
    params: ById,
    body: SupplyEdit,
    reply: Supply,
  }),
  deleteSupply: endpoint({
    method: 'DELETE',
    path: '/v1/supplies/:id',
    may: 'supplies.write',
    summary: 'Delete a supply that was never used; a used one answers 409, and can be deactivated',
    params: ById,
    reply: Nothing,
  }),
  supplyActivity: endpoint({
    method: 'GET',
    path: '/v1/supplies/:id/activity',
    may: 'supplies.read',
    summary: 'Who changed what on a supply',
    params: ById,
    query: listing(['at']),
    reply: ActivityPage,
  }),
  supplyCosts: endpoint({
    method: 'GET',
    path: '/v1/supplies/:id/costs',
    may: 'supplies.read',
    summary: 'What a supply has cost over time, newest first',
    params: ById,
    query: listing(['at', 'cost']),
    reply: page(SupplyCost),
  }),
  listCategories: endpoint({
    method: 'GET',
    path: '/v1/categories',
    may: 'supplies.read',
    summary: 'Categories of supplies',
    query: ofWorkshop,
    reply: catalogue(Choice),
  }),
  createCategory: endpoint({
    method: 'POST',
    path: '/v1/categories',
    may: 'supplies.write',
    summary: 'Create a category of supplies',
    body: NewChoice,
    reply: Choice,
    status: 201,
  }),
  listMeasurementUnits: endpoint({
    method: 'GET',
    path: '/v1/measurement_units',
    may: 'supplies.read',
    summary: 'Units of measure',
    query: ofWorkshop,
    reply: catalogue(Choice),
  }),
  createMeasurementUnit: endpoint({
    method: 'POST',
    path: '/v1/measurement_units',
    may: 'supplies.write',
    summary: 'Create a unit of measure',
    body: NewChoice,
    reply: Choice,
    status: 201,
  }),
  updateCategory: endpoint({
    method: 'PUT',
    path: '/v1/categories/:id',
    may: 'people.manage',
    summary: 'Change a category of supplies',
    params: ById,
    body: ChoiceEdit,
    reply: Choice,
  }),
  deleteCategory: endpoint({
    method: 'DELETE',
    path: '/v1/categories/:id',
    may: 'people.manage',
    summary: 'Delete a category of supplies that nothing uses; a used one answers 409',
    params: ById,
    reply: Nothing,
  }),
  updateMeasurementUnit: endpoint({
    method: 'PUT',
    path: '/v1/measurement_units/:id',
    may: 'people.manage',
    summary: 'Change a unit of measure',
    params: ById,
    body: ChoiceEdit,
    reply: Choice,
  }),
  deleteMeasurementUnit: endpoint({
    method: 'DELETE',
    path: '/v1/measurement_units/:id',
    may: 'people.manage',
    summary: 'Delete a unit of measure that nothing uses; a used one answers 409',
    params: ById,
    reply: Nothing,
  }),
}
