import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { z } from 'zod'
import { type Endpoint, pathOf } from '#contract/base/wire.ts'
import { call } from '../platform/api.ts'
import { say } from '../ui/snackbar.tsx'
import { type ListQuery, readListQuery, writeListQuery } from './list-query.ts'

interface Page<Row> {
  data: Row[]
  total: number
  page: number
  per_page: number
}

export type ListEndpoint<Row> = Endpoint<z.ZodType, z.ZodType<ListQuery>, z.ZodType, z.ZodType<Page<Row>>>

export interface ListSource<Row> {
  endpoint: ListEndpoint<Row>
  /** Of the endpoint's path. */
  params?: Record<string, number>
  /** Starts with the domain's topic, so that live events refresh it. */
  queryKey: QueryKey
  /** Filters that come from around the screen, the workshop in use say; the address's own win over them. */
  scope?: Record<string, unknown>
  /** Said in the snackbar when the list cannot be read. */
  failed?: string
}

/** The page of a list that the address asks for, and the way to ask for another. */
export function useList<Row>({ endpoint, params, queryKey, scope = {}, failed }: ListSource<Row>) {
  const schema = endpoint.query!
  const navigate = useNavigate()
  const query = readListQuery(schema, useSearch({ strict: false }) as object)
  const change = (next: Partial<ListQuery>, replace = false) =>
    navigate({
      to: '.',
      search: (now) => ({
        ...withoutList(now),
        ...writeListQuery(schema, { ...readListQuery(schema, now), page: 1, ...next }),
      }),
      replace,
    })

  const key = [...queryKey, pathOf(endpoint, params)]
  const scoped = (wanted: ListQuery) => ({ ...wanted, filter: { ...scope, ...wanted.filter } })
  const fetchPage = (wanted: ListQuery, signal?: AbortSignal) =>
    call(endpoint, { params, query: scoped(wanted), signal })
  const list = useQuery({
    queryKey: [...key, scoped(query)],
    queryFn: ({ signal }) => fetchPage(query, signal),
    placeholderData: keepPreviousData,
  })
  useEffect(() => {
    if (list.isError && failed) say(failed, { tone: 'danger', detail: list.error.message })
  }, [list.isError, list.error, failed])

  const total = list.data?.total
  const pages = Math.max(1, Math.ceil((total ?? 0) / query.per_page))
  const beyond = total !== undefined && !list.isPlaceholderData && query.page > pages
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the rows of the last page are gone
  useEffect(() => {
    if (beyond) void change({ page: pages }, true)
  }, [beyond])

  return { query, change, list, total, pages, fetchPage, countKey: [...key, 'count'] }
}

const withoutList = ({ page: _, per_page: __, sort: ___, filter: ____, ...rest }: Record<string, unknown>) => rest
