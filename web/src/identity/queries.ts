import { queryOptions } from '@tanstack/react-query'
import { identity } from '#contract/identity/identity.ts'
import { call } from '../platform/api.ts'

export const needsSetUpQuery = queryOptions({
  queryKey: ['set-up'],
  queryFn: ({ signal }) => call(identity.needsSetUp, { signal }),
})
