import { queryOptions } from '@tanstack/react-query'
import { identity } from '#contract/identity/identity.ts'
import { call } from '../platform/api.ts'

/** The ways into a public demonstration; they change only when the server starts again. */
export const demoEntriesQuery = queryOptions({
  queryKey: ['demo-entries'],
  queryFn: ({ signal }) => call(identity.demoEntries, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

export const needsSetUpQuery = queryOptions({
  queryKey: ['set-up'],
  queryFn: ({ signal }) => call(identity.needsSetUp, { signal }),
})
