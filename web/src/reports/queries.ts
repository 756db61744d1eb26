import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Endpoint } from '#contract/base/wire.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { reports } from '#contract/reports/reports.ts'
import { call } from '../platform/api.ts'

export const reportsKey = ['reports'] as const

/** A report as its filters ask for it; the one before stays on screen until the next is there. */
export const reportQuery = <E extends Endpoint>(endpoint: E, query: z.input<NonNullable<E['query']>>) =>
  queryOptions({
    queryKey: [...reportsKey, endpoint.path, query],
    queryFn: ({ signal }) => call(endpoint, { query, signal }),
    placeholderData: keepPreviousData,
  })

export const summaryQuery = (workshop: number | undefined) =>
  reportQuery(reports.summary, { filter: { WorkshopId: workshop === undefined ? undefined : [workshop] } })

/** Data of the past begins once: it is asked for once in a while. */
export const dataFromQuery = (workshops: number[] | undefined) =>
  queryOptions({
    queryKey: ['data-from', workshops ?? 'all'],
    queryFn: async ({ signal }) =>
      (await call(reports.dataFrom, { query: { filter: { WorkshopId: workshops } }, signal })).from,
    staleTime: 300_000,
  })

/** Trucks to choose from, by code and plate. */
export const truckChoicesQuery = (workshop: number[] | undefined) =>
  queryOptions({
    queryKey: ['fleet', 'choices', workshop ?? 'all'],
    queryFn: async ({ signal }) =>
      (
        await call(fleet.listTrucks, {
          query: { per_page: 500, sort: 'code', filter: { WorkshopId: workshop } },
          signal,
        })
      ).data,
    staleTime: 120_000,
  })
