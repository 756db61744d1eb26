import { z } from 'zod'
import { ActivityPage } from '../base/activity.ts'
import { UnitCost } from '../base/money.ts'
import { OptionalDni } from '../base/rut.ts'
import {
  ById,
  catalogue,
  choosing,
  endpoint,
  Id,
  IdList,
  IdText,
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

export const PROVIDER_STATES = {
  active: { label: 'Activo', tone: 'success' },
  inactive: { label: 'Inactivo', tone: 'slate' },
} as const
export type ProviderState = keyof typeof PROVIDER_STATES
const STATE_NAMES = Object.keys(PROVIDER_STATES) as [ProviderState, ...ProviderState[]]
const State = z.enum(STATE_NAMES)

export const SERVICES_PER_PAGE = 10

/* Providers. One without a workshop serves all workshops of the company. */

export const Provider = z.object({
  id: Id,
  name: z.string(),
  /** A RUT as `12345678-5`, or a foreign id as it was typed. */
  dni: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  address: z.string().nullable(),
  /** After how many an invoice of theirs is due. */
  payment_days: z.number(),
  workshop_id: Id.nullable(),
  workshop_name: z.string().nullable(),
  state: State,
  services_count: z.number(),
  updated_at: Instant,
})
export type Provider = z.infer<typeof Provider>

export const OptionalEmail = z
  .string()
  .trim()
  .toLowerCase()
  .max(200)
  .nullish()
  .transform((text) => text || null)
  .pipe(z.email().nullable())

export const NewProvider = z.object({
  name: Text(120),
  dni: OptionalDni,
  phone: OptionalText(40),
  email: OptionalEmail,
  address: OptionalText(200),
  /** Left out: as it is, 30 to begin with. */
  payment_days: z
    .number('Los días deben ser un número.')
    .int('Los días deben ser enteros.')
    .min(0, 'Los días no pueden ser negativos.')
    .max(365, 'Son demasiados días.')
    .optional(),
  /** Left out: the workshop of the person who creates it, or all workshops for those who work in all. */
  workshop_id: OptionalId,
})
export type NewProvider = z.infer<typeof NewProvider>

export const ProviderEdit = NewProvider.extend({
  /** Left out: as it is. */
  state: State.optional(),
  /** When the edited values were read: a later change by somebody else answers 409. */
  updated_at: Instant.optional(),
})
export type ProviderEdit = z.infer<typeof ProviderEdit>

export const ProviderList = listing(
  ['name', 'dni', 'phone', 'email', 'address', 'workshop_name', 'services_count', 'state', 'updated_at'],
  { Search, WorkshopId: IdList, State: ListOf(STATE_NAMES) },
)
export type ProviderList = z.infer<typeof ProviderList>

/** A provider as a choice in another form. */
export const ProviderChoice = Provider.pick({ id: true, name: true, dni: true, workshop_id: true })
export type ProviderChoice = z.infer<typeof ProviderChoice>

/** What is being typed, to be held against those who are already there. */
export const LikeQuery = z.object({
  name: z.string().trim().max(120).default(''),
  dni: z.string().trim().max(40).default(''),
  /** The provider being edited is not its own duplicate. */
  except: IdText.optional(),
})
export type LikeQuery = z.infer<typeof LikeQuery>

export const LikeProvider = z.object({
  /** null: it belongs to a workshop the person does not see; only that it exists is told. */
  id: Id.nullable(),
  name: z.string().nullable(),
  dni: z.string().nullable(),
  state: State,
  because: z.enum(['dni', 'name']),
})
export type LikeProvider = z.infer<typeof LikeProvider>

/* Services */

export const Service = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  unit_price: z.number(),
  provider_id: Id,
  provider_name: z.string(),
  workshop_id: Id.nullable(),
  category_id: Id.nullable(),
  category_name: z.string().nullable(),
  company_id: Id,
  state: State,
  updated_at: Instant,
})
export type Service = z.infer<typeof Service>

export const NewService = z.object({
  provider_id: Id,
  code: Text(40),
  name: Text(120),
  description: OptionalText(1000),
  unit_price: UnitCost,
  category_id: OptionalId,
  /** Only asked for where the provider serves all workshops; otherwise it is the provider's. */
  workshop_id: OptionalId,
})
export type NewService = z.infer<typeof NewService>

/** A service stays with its provider and its workshop. */
export const ServiceEdit = NewService.omit({ provider_id: true, workshop_id: true }).extend({
  state: State.optional(),
  updated_at: Instant.optional(),
})
export type ServiceEdit = z.infer<typeof ServiceEdit>

export const ServiceList = listing(
  ['code', 'name', 'category_name', 'unit_price', 'state', 'updated_at'],
  { Search, Category: IdList, State: ListOf(STATE_NAMES) },
  SERVICES_PER_PAGE,
)
export type ServiceList = z.infer<typeof ServiceList>

export const ServiceCategory = z.object({
  id: Id,
  name: z.string(),
  description: z.string().nullable(),
  workshop_id: Id.nullable(),
  company_id: Id,
})
export type ServiceCategory = z.infer<typeof ServiceCategory>

export const NewServiceCategory = z.object({
  name: Text(80),
  description: OptionalText(500),
  workshop_id: OptionalId,
})
export type NewServiceCategory = z.infer<typeof NewServiceCategory>

/** A category stays in its workshop. */
export const ServiceCategoryEdit = NewServiceCategory.omit({ workshop_id: true })
export type ServiceCategoryEdit = z.infer<typeof ServiceCategoryEdit>

export const providers = {
  listProviders: endpoint({
    method: 'GET',
    path: '/v1/providers',
    title: 'Proveedores',
    may: 'providers.read',
    summary: 'Providers, page by page',
    query: ProviderList,
    reply: page(Provider),
  }),
  likeProviders: endpoint({
    method: 'GET',
    path: '/v1/providers-alike',
    may: 'providers.write',
    summary: 'Providers with this RUT or nearly this name, to ask before a second one is created',
    query: LikeQuery,
    reply: catalogue(LikeProvider),
  }),
  chooseProviders: endpoint({
    method: 'GET',
    path: '/v1/provider-by-workshop/:id',
    may: 'providers.read',
    summary: 'All active providers of a workshop and those of every workshop, to choose from',
    params: ById,
    query: choosing({ Search }),
    reply: catalogue(ProviderChoice),
  }),
  getProvider: endpoint({
    method: 'GET',
    path: '/v1/providers/:id',
    may: 'providers.read',
    summary: 'One provider',
    params: ById,
    reply: Provider,
  }),
  createProvider: endpoint({
    method: 'POST',
    path: '/v1/providers',
    may: 'providers.write',
    summary: 'Create a provider',
    body: NewProvider,
    reply: Provider,
    status: 201,
  }),
  updateProvider: endpoint({
    method: 'PUT',
    path: '/v1/providers/:id',
    may: 'providers.write',
    summary: 'Change a provider; another workshop takes its services along',
    params: ById,
    body: ProviderEdit,
    reply: Provider,
  }),
  deleteProvider: endpoint({
    method: 'DELETE',
    path: '/v1/providers/:id',
    may: 'providers.write',
    summary: 'Delete a provider and its services; one in use answers 409, and can be deactivated',
    params: ById,
    reply: Nothing,
  }),
  providerActivity: endpoint({
    method: 'GET',
    path: '/v1/providers/:id/activity',
    may: 'providers.read',
    summary: 'Who changed what on a provider',
    params: ById,
    query: listing(['at']),
    reply: ActivityPage,
  }),
  serviceActivity: endpoint({
    method: 'GET',
    path: '/v1/provider/services/:id/activity',
    may: 'providers.read',
    summary: 'Who changed what on a service',
    params: ById,
    query: listing(['at']),
    reply: ActivityPage,
  }),
  listServices: endpoint({
    method: 'GET',
    path: '/v1/service-by-provider/:id',
    title: 'Servicios',
    may: 'providers.read',
    summary: 'The services of a provider, page by page',
    params: ById,
    query: ServiceList,
    reply: page(Service),
  }),
  createService: endpoint({
    method: 'POST',
    path: '/v1/provider/services/create',
    may: 'providers.write',
    summary: 'Create a service of a provider',
    body: NewService,
    reply: Service,
    status: 201,
  }),
  getService: endpoint({
    method: 'GET',
    path: '/v1/provider/services/:id',
    may: 'providers.read',
    summary: 'One service',
    params: ById,
    reply: Service,
  }),
  updateService: endpoint({
    method: 'PUT',
    path: '/v1/provider/services/:id',
    may: 'providers.write',
    summary: 'Change a service',
    params: ById,
    body: ServiceEdit,
    reply: Service,
  }),
  deleteService: endpoint({
    method: 'DELETE',
    path: '/v1/provider/services/:id',
    may: 'providers.write',
    summary: 'Delete a service; one in use answers 409, and can be deactivated',
    params: ById,
    reply: Nothing,
  }),
  listServiceCategories: endpoint({
    method: 'GET',
    path: '/v1/provider/services-categories',
    may: 'providers.read',
    summary: 'Service categories',
    query: choosing({ Search, WorkshopId: IdList }),
    reply: catalogue(ServiceCategory),
  }),
  createServiceCategory: endpoint({
    method: 'POST',
    path: '/v1/provider/services-categories',
    may: 'providers.write',
    summary: 'Create a service category',
    body: NewServiceCategory,
    reply: ServiceCategory,
    status: 201,
  }),
  updateServiceCategory: endpoint({
    method: 'PUT',
    path: '/v1/provider/services-categories/:id',
    may: 'people.manage',
    summary: 'Change a service category',
    params: ById,
    body: ServiceCategoryEdit,
    reply: ServiceCategory,
  }),
  deleteServiceCategory: endpoint({
    method: 'DELETE',
    path: '/v1/provider/services-categories/:id',
    may: 'people.manage',
    summary: 'Delete a service category that nothing uses; a used one answers 409',
    params: ById,
    reply: Nothing,
  }),
}
