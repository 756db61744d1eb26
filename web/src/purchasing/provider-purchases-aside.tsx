import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { showDay } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import type { Provider } from '#contract/providers/providers.ts'
import styles from '../frames/detail-page.module.css'
import { Section } from '../ui/detail-frame.tsx'
import { providerPurchasesQuery } from './queries.ts'

/** How much was bought lately, beside the provider's own fields. */
export default function ProviderPurchasesAside({ provider }: { provider: Provider }) {
  const bought = useQuery(providerPurchasesQuery(provider.id)).data
  return (
    <Section title="Compras">
      <div className={styles.big}>
        {bought ? showMoney(bought.months.reduce((sum, { total }) => sum + total, 0)) : '\u00a0'}
      </div>
      <div className={styles.small}>
        {bought &&
          (bought.last_on ? `en 12 meses; último uso: ${showDay(bought.last_on)}` : 'Aún no se le compra nada.')}
      </div>
      {bought?.last_on && (
        <Link
          className={styles.more}
          to="/provider/$id"
          params={{ id: String(provider.id) }}
          search={{ tab: 'purchases' }}
          replace
        >
          Ver compras
        </Link>
      )}
    </Section>
  )
}
