import { queryOptions } from '@tanstack/react-query'
import { alerts } from '#contract/alerts/alerts.ts'
import { alertCategories } from '#contract/alerts/categories.ts'
import { alertMails } from '#contract/alerts/mails.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { fleetKey } from '../fleet/queries.ts'
import { call } from '../platform/api.ts'

/** The topic of live events: everything below is asked again when an alert changes. */
export const alertsKey = ['alerts'] as const

export const alertQuery = (id: number) =>
  queryOptions({
    queryKey: [...alertsKey, 'alert', id],
    queryFn: ({ signal }) => call(alerts.getAlert, { params: { id }, signal }),
  })

export const categoriesQuery = queryOptions({
  queryKey: [...alertsKey, 'categories'],
  queryFn: async ({ signal }) => (await call(alertCategories.listCategories, { signal })).data,
  staleTime: 120_000,
})

export const emailsQuery = queryOptions({
  queryKey: [...alertsKey, 'emails'],
  queryFn: async ({ signal }) => (await call(alerts.listEmails, { signal })).data,
  staleTime: 120_000,
})

/** Every truck of a workshop to choose from; without one, all that the person sees. */
export const truckChoicesQuery = (workshop?: number) =>
  queryOptions({
    queryKey: [...fleetKey, 'choices', workshop ?? 'all'],
    queryFn: async ({ signal }) =>
      (await call(fleet.chooseTrucks, { query: { filter: { WorkshopId: workshop ? [workshop] : undefined } }, signal }))
        .data,
    staleTime: 120_000,
  })

export const missingQuery = (filter: { Trucks?: number[]; Coupled?: number[]; WorkshopId?: number[] } = {}) =>
  queryOptions({
    queryKey: [...alertsKey, 'missing', filter],
    queryFn: async ({ signal }) => (await call(alertCategories.listMissing, { query: { filter }, signal })).data,
  })

/** What is planned for a truck and for the unit it pulls: open alerts first, the last executed after them. */
export const alertsOfQuery = (truck: number, coupled: number | null) =>
  queryOptions({
    queryKey: [...alertsKey, 'of', truck, coupled],
    queryFn: async ({ signal }) => {
      const of = (filter: object) => call(alerts.listAlerts, { query: { per_page: 100, filter }, signal })
      const [own, pulled] = await Promise.all([
        of({ Trucks: [truck] }),
        coupled === null ? { data: [] } : of({ Coupled: [coupled] }),
      ])
      return { own: own.data, pulled: pulled.data }
    },
  })

export const mailQuery = (id: number) =>
  queryOptions({
    queryKey: [...alertsKey, 'mail', id],
    queryFn: ({ signal }) => call(alertMails.getMail, { params: { id }, signal }),
  })
