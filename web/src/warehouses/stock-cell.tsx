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

const MOST = 4
const isLow = ({ minimum, available }: StockOfSupply) => minimum !== null && available < minimum

/** What each warehouse has of a supply, and the least it should have; of many, where it is short and where most of it is. */
export default function StockCell({ supply: { id } }: { supply: Supply }) {
  const places = useQuery({ queryKey: [...warehousesKey, 'of-supplies', id], queryFn: () => stockOf(id) }).data
  if (!places) return null
  if (places.length === 0) return <span className={styles.nowhere}>En ninguna bodega</span>
  const first =
    places.length <= MOST
      ? places
      : places.toSorted((a, b) => Number(isLow(b)) - Number(isLow(a)) || b.available - a.available).slice(0, MOST - 1)
  const rest = places.filter((place) => !first.includes(place))
  return (
    <span className={styles.places}>
      {first.map((place) => (
        <span key={place.warehouse_id} data-low={isLow(place) || undefined}>
          {place.warehouse_name} <b>{showQuantity(place.available)}</b>
          {place.minimum !== null && <small>, mín. {showQuantity(place.minimum)}</small>}
        </span>
      ))}
      {rest.length > 0 && (
        <span>
          Otras {rest.length} bodegas <b>{showQuantity(rest.reduce((sum, { available }) => sum + available, 0))}</b>
        </span>
      )}
    </span>
  )
}
