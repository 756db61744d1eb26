import {
  type DefaultError,
  type FetchQueryOptions,
  QueryClient,
  type QueryKey,
  QueryObserver,
} from '@tanstack/react-query'
import { ApiFailure } from './api.ts'

const worthRetrying = (failures: number, error: Error) =>
  failures < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500) && error.status !== 503

/** Nobody presses "Reintentar" for a line that was gone for a moment: what found none asks again by itself. */
const AGAIN_AFTER = 8_000
const againWithoutLine = ({ state: { error } }: { state: { error: Error | null } }) =>
  error instanceof ApiFailure && error.status === 0 && navigator.onLine ? AGAIN_AFTER : false

/**
 * Who waits for an answer gets it. Left to itself, a fetch is cancelled as soon as the last screen that looks at it looks
 * elsewhere: a scanned code was lost when the list beside it went on to the next word before the answer came.
 */
class PatientClient extends QueryClient {
  override async fetchQuery<
    Fetched,
    Failure = DefaultError,
    Data = Fetched,
    Key extends QueryKey = QueryKey,
    Page = never,
  >(options: FetchQueryOptions<Fetched, Failure, Data, Key, Page>): Promise<Data> {
    const stop = new QueryObserver(this, { queryKey: options.queryKey, enabled: false }).subscribe(() => {})
    try {
      return await super.fetchQuery(options)
    } finally {
      stop()
    }
  }
}

export const newQueryClient = () =>
  new PatientClient({
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
