import { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './api.ts'

const worthRetrying = (failures: number, error: Error) =>
  failures < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500) && error.status !== 503

/** Nobody presses "Reintentar" for a line that was gone for a moment: what found none asks again by itself. */
const AGAIN_AFTER = 8_000
const againWithoutLine = ({ state: { error } }: { state: { error: Error | null } }) =>
  error instanceof ApiFailure && error.status === 0 && navigator.onLine ? AGAIN_AFTER : false

export const newQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      // Offline is an answer like any other, said in words; by default a query would wait in silence.
      queries: {
        networkMode: 'always',
        retry: worthRetrying,
        retryDelay: 700,
        staleTime: 15_000,
        refetchOnReconnect: true,
        refetchInterval: againWithoutLine,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })

export const queryClient = newQueryClient()
