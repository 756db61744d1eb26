import type { z } from 'zod'
import { formatQuery, type listing, parseQuery, type Query } from '#contract/base/wire.ts'

/** The query schema of any paged list of the contract. */
export type ListSchema = ReturnType<typeof listing<readonly [string, ...string[]], z.ZodRawShape>>

export interface ListQuery {
  page: number
  per_page: number
  sort?: string
  count?: 'exact' | 'bounded'
  filter: Record<string, unknown>
}

/**
 * The query of a list, read from the address with the endpoint's own schema; what that does not accept is dropped. A
 * screen may have a page size of its own, in place of the one of the call.
 */
export function readListQuery(schema: z.ZodType, search: object, pageSize?: number): ListQuery {
  const given = structuredClone({ ...(pageSize && { per_page: pageSize }), ...search }) as Record<string, unknown>
  for (;;) {
    const parsed = schema.safeParse(given)
    if (parsed.success) return parsed.data as ListQuery
    const wrong = parsed.error.issues[0]?.path ?? []
    const [top = '', inner] = wrong.map(String)
    const group = given[top]
    if (inner !== undefined && typeof group === 'object' && group !== null && inner in group)
      delete (group as Record<string, unknown>)[inner]
    else if (top in given) delete given[top]
    // A schema that refuses even an empty query has no defaults: nothing more to drop.
    else throw parsed.error
  }
}

/** The other way: only what differs from the default, so that addresses stay short enough to be said aloud. */
export function writeListQuery(schema: z.ZodType, query: ListQuery, pageSize?: number): Query {
  const base = readListQuery(schema, {}, pageSize)
  const changed: Record<string, unknown> = {}
  if (Object.keys(query.filter).length > 0) changed.filter = query.filter
  if (query.sort) changed.sort = query.sort
  if (query.page !== base.page) changed.page = query.page
  if (query.per_page !== base.per_page) changed.per_page = query.per_page
  return parseQuery(formatQuery(changed).slice(1))
}

const isSet = (value: unknown) =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** How many filters are on; the search box shows itself and is not counted. */
export const countFilters = (filter: Record<string, unknown>, ignored: readonly string[] = []) =>
  Object.entries(filter).filter(([key, value]) => key !== 'Search' && !ignored.includes(key) && isSet(value)).length
