import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { showDay } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import { useMay, useWorkshop } from '../../platform/session.ts'
import { incompleteQuery } from '../../warehouses/queries.ts'
import { sayLacking } from '../../warehouses/words.ts'
import styles from './home.module.css'
import { HomeCard } from './parts.tsx'

/** Purchases on credit that were saved without document or provider: the newest, and the way to the rest of each warehouse. */
export function Incomplete() {
  const may = useMay('warehouses.write')
  const workshop = useWorkshop()
  const found = useQuery({ ...incompleteQuery(workshop.id), enabled: may }).data
  if (!may || !found || found.total === 0) return null
  const more = found.total > found.data.length
  const places = [...new Map(found.data.map((entry) => [entry.warehouse_id, entry.warehouse_name]))]
  return (
    <HomeCard title="Por completar" count={found.total} aside="Compras a crédito">
      <ul className={styles.rows}>
        {found.data.map((entry) => (
          <li key={entry.id} className={styles.approval}>
            <span className={styles.rowLine}>
              <span className="mono">{entry.code}</span>
              <strong>{showMoney(entry.total)}</strong>
            </span>
            <Link
              to="/warehouse/$id"
              params={{ id: String(entry.warehouse_id) }}
              search={{ tab: 'purchases', transaction: entry.id }}
              className={styles.strongLink}
            >
              {sayLacking(entry)}
            </Link>
            <span className={styles.rowLine}>
              <span>{entry.warehouse_name}</span>
              <span>{showDay(entry.transaction.date)}</span>
            </span>
          </li>
        ))}
        {more &&
          places.map(([id, name]) => (
            <li key={id} className={styles.approval}>
              <Link
                to="/warehouse/$id"
                params={{ id: String(id) }}
                search={{ tab: 'purchases', filter: { Incomplete: 'true' } }}
              >
                {`Ver todas las de ${name}`}
              </Link>
            </li>
          ))}
      </ul>
    </HomeCard>
  )
}
