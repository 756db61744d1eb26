import { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './api.ts'

const worthRetrying = (failures: number, error: Error) =>
  failures < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500) && error.status !== 503

export const newQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      // Offline is an answer like any other, said in words; by default a query would wait in silence.
      queries: { networkMode: 'always', retry: worthRetrying, retryDelay: 700, staleTime: 15_000 },
      mutations: { networkMode: 'always', retry: false },
    },
  })

export const queryClient = newQueryClient()
