import { providers, type ServiceCategory } from '#contract/providers/providers.ts'
import type { Domain } from '../platform/http/domain.ts'
import { listActivity } from '../platform/operations/audit.ts'
import {
  addToCatalogue,
  changeInCatalogue,
  listCatalogue,
  removeFromCatalogue,
  requireInCatalogue,
} from '../workshops/catalogues.ts'
import { SERVICE_CATEGORIES } from './catalogues.ts'
import {
  chooseProviders,
  createProvider,
  DNI_TAKEN,
  deleteProvider,
  findProviders,
  likeProviders,
  listProviders,
  requireProvider,
  updateProvider,
} from './providers.ts'
import { createService, deleteService, findServices, listServices, requireService, updateService } from './services.ts'

export const providersDomain: Domain = {
  routes(bind) {
    bind(providers.listProviders, ({ db, actor, query }) => listProviders(db, actor, query))
    bind(providers.likeProviders, ({ db, actor, query }) => likeProviders(db, actor, query))
    bind(providers.chooseProviders, ({ db, actor, params, query }) =>
      chooseProviders(db, actor, params.id, query.filter.Search),
    )
    bind(providers.getProvider, ({ db, actor, params }) => requireProvider(db, actor, params.id))
    bind(providers.createProvider, ({ db, actor, body }) => createProvider(db, actor, body))
    bind(
      providers.updateProvider,
      ({ db, actor, params, body }) => updateProvider(db, actor, params.id, body),
      ({ db, actor, params }) => requireProvider(db, actor, params.id, true),
    )
    bind(providers.deleteProvider, ({ db, actor, params }) => deleteProvider(db, actor, params.id))
    bind(providers.providerActivity, async ({ db, actor, params, query }) => {
      await requireProvider(db, actor, params.id)
      return listActivity(db, actor, 'provider', params.id, query)
    })
    bind(providers.listServices, ({ db, actor, params, query }) => listServices(db, actor, params.id, query))
    bind(providers.createService, ({ db, actor, body }) => createService(db, actor, body))
    bind(providers.getService, ({ db, actor, params }) => requireService(db, actor, params.id))
    bind(
      providers.updateService,
      ({ db, actor, params, body }) => updateService(db, actor, params.id, body),
      ({ db, actor, params }) => requireService(db, actor, params.id, true),
    )
    bind(providers.deleteService, ({ db, actor, params }) => deleteService(db, actor, params.id))
    bind(providers.serviceActivity, async ({ db, actor, params, query }) => {
      await requireService(db, actor, params.id)
      return listActivity(db, actor, 'provider_service', params.id, query)
    })
    bind(providers.listServiceCategories, ({ db, actor, query }) =>
      listCatalogue<ServiceCategory>(db, actor, SERVICE_CATEGORIES, query),
    )
    bind(providers.createServiceCategory, ({ db, actor, body }) =>
      addToCatalogue<ServiceCategory>(db, actor, SERVICE_CATEGORIES, body),
    )
    bind(
      providers.updateServiceCategory,
      ({ db, actor, params, body }) =>
        changeInCatalogue<ServiceCategory>(db, actor, SERVICE_CATEGORIES, params.id, body),
      ({ db, actor, params }) => requireInCatalogue<ServiceCategory>(db, actor, SERVICE_CATEGORIES, params.id),
    )
    bind(providers.deleteServiceCategory, ({ db, actor, params }) =>
      removeFromCatalogue(db, actor, SERVICE_CATEGORIES, params.id),
    )
  },
  messages: {
    providers_dni_unique: { field: 'dni', message: DNI_TAKEN },
    provider_services_code_unique: { field: 'code', message: 'Este proveedor ya tiene un servicio con este código.' },
    service_categories_name_unique: { field: 'name', message: SERVICE_CATEGORIES.exists },
  },
  finders: [
    { may: 'providers.read', find: findProviders },
    { may: 'providers.read', find: findServices },
  ],
}
