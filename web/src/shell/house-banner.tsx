import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { queryClient } from '../platform/queries.ts'
import { meQuery } from '../platform/session.ts'
import styles from './house-banner.module.css'

const Health = z.object({ message: z.string().optional(), demo: z.boolean().optional() })

const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(window.location.hostname)

/** What whoever looks at any screen should know of the house: that strangers may be in it, or that it runs out of room. */
export function HouseBanner() {
  const { data } = useQuery({
    queryKey: ['house'],
    queryFn: async ({ signal }) => Health.parse(await (await fetch('/api/health', { signal })).json()),
    refetchInterval: 300_000,
    retry: false,
  })
  const manages = queryClient.getQueryData(meQuery.queryKey)?.permissions.includes('people.manage')
  const sentences = [
    ...(data?.demo && !isLocal ? ['Demostración: contraseñas públicas'] : []),
    ...(data?.message && manages ? [data.message] : []),
  ]
  return sentences.map((sentence) => (
    <p key={sentence} role="status" className={styles.banner}>
      {sentence}
    </p>
  ))
}
