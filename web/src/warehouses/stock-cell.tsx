import { useQuery } from '@tanstack/react-query'
import { showQuantity } from '#contract/base/money.ts'
import type { Supply } from '#contract/supplies/supplies.ts'
import type { StockOfSupply } from '#contract/warehouses/stock.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { call } from '../platform/api.ts'
import { warehousesKey } from './queries.ts'
import styles from './warehouse.module.css'

interface Asking {
  ids: Set<number>
  answer: Promise<Map<number, StockOfSupply[]>>
}
let asking: Asking | undefined

/** The rows of a list ask at once: one call for all of them. */
function askTogether(): Asking {
  const ids = new Set<number>()
  const answer = new Promise((all) => setTimeout(all)).then(async () => {
    asking = undefined
    const { data } = await call(warehouses.suppliesStock, { query: { filter: { Supply: [...ids] } } })
    return Map.groupBy(data, ({ supply_id }) => supply_id)
  })
  return { ids, answer }
}
async function stockOf(id: number) {
  asking ??= askTogether()
  asking.ids.add(id)
  return (await asking.answer).get(id) ?? []
}

/** What each warehouse has of a supply, and the least it should have. */
export default function StockCell({ supply: { id } }: { supply: Supply }) {
  const places = useQuery({ queryKey: [...warehousesKey, 'of-supplies', id], queryFn: () => stockOf(id) }).data
  if (!places) return null
  if (places.length === 0) return <span className={styles.nowhere}>En ninguna bodega</span>
  return (
    <span className={styles.places}>
      {places.map(({ warehouse_id, warehouse_name, available, minimum }) => (
        <span key={warehouse_id} data-low={(minimum !== null && available < minimum) || undefined}>
          {warehouse_name} <b>{showQuantity(available)}</b>
          {minimum !== null && <small>, mín. {showQuantity(minimum)}</small>}
        </span>
      ))}
    </span>
  )
}
