import { queryOptions } from '@tanstack/react-query'
import { type ProviderChoice, providers } from '#contract/providers/providers.ts'
import { call } from '../platform/api.ts'

/** The topic of live events: everything below is asked again when a provider or a service changes. */
export const providersKey = ['providers'] as const

export const providerQuery = (id: number) =>
  queryOptions({
    queryKey: [...providersKey, 'provider', id],
    queryFn: ({ signal }) => call(providers.getProvider, { params: { id }, signal }),
  })

export const serviceQuery = (id: number) =>
  queryOptions({
    queryKey: [...providersKey, 'service', id],
    queryFn: ({ signal }) => call(providers.getService, { params: { id }, signal }),
  })

/** Who is already there with this RUT or nearly this name. */
export const likeQuery = (what: { name: string; dni: string; except?: number }) =>
  queryOptions({
    queryKey: [...providersKey, 'alike', what],
    queryFn: async ({ signal }) => (await call(providers.likeProviders, { query: what, signal })).data,
  })

const CATALOGUE_STALE = 120_000
const MOST = 500

/** Active providers to choose from: those of a workshop and of all, or simply all. */
export const providerChoicesQuery = (workshop?: number) =>
  queryOptions({
    queryKey: [...providersKey, 'choices', workshop ?? 'all'],
    queryFn: async ({ signal }): Promise<ProviderChoice[]> =>
      workshop
        ? (await call(providers.chooseProviders, { params: { id: workshop }, signal })).data
        : (await call(providers.listProviders, { query: { per_page: MOST, filter: { State: ['active'] } }, signal }))
            .data,
    staleTime: CATALOGUE_STALE,
  })

/** Those of one workshop and the shared ones; without a workshop, all. */
export const serviceCategoriesQuery = (workshop?: number) =>
  queryOptions({
    queryKey: [...providersKey, 'categories', workshop ?? 'all'],
    queryFn: async ({ signal }) =>
      (
        await call(providers.listServiceCategories, {
          query: { filter: { WorkshopId: workshop ? [workshop] : undefined } },
          signal,
        })
      ).data,
    staleTime: CATALOGUE_STALE,
  })
