import { queryOptions } from '@tanstack/react-query'
import { identity } from '#contract/identity/identity.ts'
import { companies } from '#contract/workshops/company.ts'
import { months } from '#contract/workshops/months.ts'
import { rosters } from '#contract/workshops/rosters.ts'
import { server } from '#contract/workshops/server.ts'
import { workshops } from '#contract/workshops/workshops.ts'
import { call, failing } from '../platform/api.ts'

/** Topics of live events: what is below is asked again when it changes. */
export const workshopsKey = ['workshops'] as const
export const identityKey = ['identity'] as const

export const companyQuery = queryOptions({
  queryKey: [...workshopsKey, 'company'],
  queryFn: ({ signal }) => call(companies.getCompany, { signal }),
})

export const storageQuery = queryOptions({
  queryKey: [...workshopsKey, 'storage'],
  queryFn: ({ signal }) => call(companies.getStorage, { signal }),
})

export const serverQuery = queryOptions({
  queryKey: [...workshopsKey, 'server'],
  queryFn: ({ signal }) => call(server.getServer, { signal }),
})

export const settingsQuery = queryOptions({
  queryKey: [...workshopsKey, 'settings'],
  queryFn: async ({ signal }) =>
    (await call(companies.listSettings, { signal }).catch(failing('Error al obtener las configuraciones.'))).data,
})

export const closedMonthsQuery = queryOptions({
  queryKey: [...workshopsKey, 'closed-months'],
  queryFn: ({ signal }) => call(months.closedMonths, { signal }),
})

export const closedMonthsActivityQuery = queryOptions({
  queryKey: [...workshopsKey, 'closed-months', 'activity'],
  queryFn: async ({ signal }) => (await call(months.closedMonthsActivity, { query: { per_page: 20 }, signal })).data,
})

export const locationsQuery = queryOptions({
  queryKey: [...workshopsKey, 'locations'],
  queryFn: async ({ signal }) => (await call(workshops.listLocations, { signal })).data,
})

export const specialistChoicesQuery = (workshop: number | null) =>
  queryOptions({
    queryKey: [...workshopsKey, 'specialists', 'choices', workshop ?? 'all'],
    queryFn: async ({ signal }) =>
      (
        await call(rosters.listSpecialists, {
          query: {
            per_page: 500,
            filter: { State: ['active'], WorkshopId: workshop === null ? undefined : [workshop] },
          },
          signal,
        })
      ).data,
  })

export const sessionsQuery = (user: number) =>
  queryOptions({
    queryKey: [...identityKey, 'sessions', user],
    queryFn: async ({ signal }) => (await call(identity.listSessions, { params: { id: user }, signal })).data,
  })
