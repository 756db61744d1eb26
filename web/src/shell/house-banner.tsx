import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../platform/queries.ts'
import { meQuery } from '../platform/session.ts'
import { houseQuery, type Instance, isLocal } from './house.ts'
import styles from './house-banner.module.css'

function demoSentence({ public_demo, demo_reset_hours: hours }: Instance): string {
  if (!public_demo) return 'Demostración: contraseñas públicas'
  if (!hours) return 'Demostración pública: no escriba datos reales'
  return `Demostración pública: empieza de nuevo cada ${hours === 1 ? 'hora' : `${hours} horas`}`
}

/** What whoever looks at any screen should know of the house: that strangers may be in it, or that it runs out of room. */
export default function HouseBanner() {
  const { data } = useQuery(houseQuery)
  const manages = queryClient.getQueryData(meQuery.queryKey)?.permissions.includes('people.manage')
  const sentences = [
    ...(data?.demo && (data.public_demo || !isLocal) ? [demoSentence(data)] : []),
    ...(data?.message && manages ? [data.message] : []),
  ]
  if (sentences.length === 0) return null
  return (
    <p role="status" className={styles.banner}>
      {sentences.join(' · ')}
    </p>
  )
}
