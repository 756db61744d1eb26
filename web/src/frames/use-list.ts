import { keepPreviousData, type QueryKey, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { z } from 'zod'
import { type Endpoint, pathOf } from '#contract/base/wire.ts'
import { call } from '../platform/api.ts'
import { useIsPhone } from '../ui/is-phone.ts'
import { say } from '../ui/snackbar.tsx'
import { type ListQuery, readListQuery, writeListQuery } from './list-query.ts'

interface Page<Row> {
  data: Row[]
  total: number
  at_least?: true | undefined
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
  /** Rows of a page where the address names no other; left out, as many as the call gives by itself. */
  pageSize?: number
  /** Said in the snackbar when the list cannot be read. */
  failed?: string
  /** Asked with a page alone, to leave out sums that take longer than its rows: a call of their own brings them. */
  pageQuery?: Record<string, unknown> | undefined
}

/** The page of a list that the address asks for, and the way to ask for another. */
export function useList<Row extends { id: number }>({
  endpoint,
  params,
  queryKey,
  scope = {},
  pageSize,
  failed,
  pageQuery,
}: ListSource<Row>) {
  const schema = endpoint.query!
  const navigate = useNavigate()
  const query = readListQuery(schema, useSearch({ strict: false }) as object, pageSize)
  const change = (next: Partial<ListQuery>, replace = false) =>
    navigate({
      to: '.',
      search: (now) => ({
        ...withoutList(now),
        ...writeListQuery(schema, { ...readListQuery(schema, now, pageSize), page: 1, ...next }, pageSize),
      }),
      replace,
    })

  const key = [...queryKey, pathOf(endpoint, params)]
  const scoped = (wanted: ListQuery) => ({ ...wanted, filter: { ...scope, ...wanted.filter } })
  const fetchPage = (wanted: ListQuery, { signal, exporting }: { signal?: AbortSignal; exporting?: boolean } = {}) =>
    call(endpoint, { params, query: { ...scoped(wanted), ...pageQuery }, signal, exporting })
  const phone = useIsPhone()
  const onePage = useQuery({
    queryKey: [...key, scoped(query)],
    queryFn: ({ signal }) => fetchPage({ ...query, count: 'bounded' }, { signal }),
    placeholderData: keepPreviousData,
    enabled: !phone,
  })
  // A phone has no pages: more rows come as one scrolls, whatever page the address asks for.
  const allPages = useInfiniteQuery({
    queryKey: [...key, 'scrolled', scoped({ ...query, page: 1 })],
    queryFn: ({ pageParam, signal }) => fetchPage({ ...query, page: pageParam, count: 'bounded' }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, per_page, total, at_least, data }) =>
      (at_least ? data.length > 0 : page * per_page < total) ? page + 1 : undefined,
    placeholderData: keepPreviousData,
    enabled: phone,
  })
  const list = phone ? allPages : onePage
  /** What the endpoint answered last, with all that it says besides its rows. */
  const answered = phone ? allPages.data?.pages.at(-1) : onePage.data
  useEffect(() => {
    if (list.isError && failed) say(failed, { tone: 'danger', detail: list.error.message })
  }, [list.isError, list.error, failed])

  // The rows do not wait until thousands are counted, or added up.
  const countKey = [...key, 'count', scope]
  const isMore = answered?.at_least === true
  const exact = useQuery({
    queryKey: [...key, 'exact', scoped(query).filter],
    queryFn: ({ signal }) =>
      call(endpoint, { params, query: scoped({ page: 1, per_page: 1, filter: query.filter }), signal }),
    enabled: answered !== undefined && (isMore || pageQuery !== undefined) && !list.isPlaceholderData,
  })
  const reply =
    (isMore || pageQuery) && exact.data && answered
      ? { ...exact.data, data: answered.data, page: answered.page, per_page: answered.per_page }
      : answered
  const total = reply?.total
  const atLeast = reply?.at_least === true
  const pages = Math.max(1, Math.ceil((total ?? 0) / query.per_page))
  const beyond = !phone && total !== undefined && !atLeast && !list.isPlaceholderData && query.page > pages
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the rows of the last page are gone
  useEffect(() => {
    if (beyond) void change({ page: pages }, true)
  }, [beyond])

  return {
    query,
    change,
    list,
    reply,
    rows: phone ? allPages.data && onceEach(allPages.data.pages.flatMap(({ data }) => data)) : onePage.data?.data,
    total,
    /** There are more than `total`; how many is on its way. */
    atLeast,
    /** How many there are exactly, or what they add up to, is on its way. */
    counting: exact.isLoading,
    pages,
    phone,
    more: {
      ask: () => void allPages.fetchNextPage(),
      waiting: allPages.isFetchingNextPage,
      failed: allPages.isFetchNextPageError,
      left: allPages.hasNextPage,
    },
    fetchPage,
    countKey,
  }
}

/** A row that moved to the next page between two answers is in both. */
const onceEach = <Row extends { id: number }>(rows: Row[]) => [...new Map(rows.map((row) => [row.id, row])).values()]

const withoutList = ({ page: _, per_page: __, sort: ___, filter: ____, ...rest }: Record<string, unknown>) => rest
