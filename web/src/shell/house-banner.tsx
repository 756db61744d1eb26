import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../platform/queries.ts'
import { meQuery } from '../platform/session.ts'
import { houseQuery, isLocal } from './house.ts'
import styles from './house-banner.module.css'

/** What whoever looks at any screen should know of the house: that strangers may be in it, or that it runs out of room. */
export default function HouseBanner() {
  const { data } = useQuery(houseQuery)
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
