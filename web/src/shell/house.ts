import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

const Health = z.object({
  message: z.string().optional(),
  demo: z.boolean().optional(),
  /** Open to strangers, and begun anew every so many hours. */
  public_demo: z.boolean().optional(),
  demo_reset_hours: z.number().nullish(),
})

export type Instance = z.infer<typeof Health>

/** What anybody may know of the house. */
export const houseQuery = queryOptions({
  queryKey: ['house'],
  queryFn: async ({ signal }) => Health.parse(await (await fetch('/api/health', { signal })).json()),
  refetchInterval: 300_000,
  retry: false,
})

export const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(window.location.hostname)
