import { sql } from 'drizzle-orm'
import { divideHalfUp, toScaled } from '#contract/base/money.ts'
import { type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { fromText, toText } from '../../warehouses/stock/ledger.ts'
import { roundingsTable, workOrderAdjustmentsTable, workOrderSuppliesTable } from '../tables.ts'

/*
 * Whole pesos of what leaves a warehouse. Each rounded by itself, three thirds of $100 would be $99: each is what the
 * rounded sum so far grows by, so that they add up, and none is off by a peso or more.
 */

interface Place {
  warehouse_id: number
  supply_id: number
}
interface Line {
  value: number
  amount: number
}
const keyOf = ({ warehouse_id, supply_id }: Place) => `${warehouse_id} ${supply_id}`
const PESO = 10_000n
const floor = (n: bigint) => (n >= 0n ? n / PESO : -((-n + PESO - 1n) / PESO))

export class Roundings {
  readonly #carried: Map<string, Place & { carried: bigint }>

  private constructor(carried: Map<string, Place & { carried: bigint }>) {
    this.#carried = carried
  }

  /** Of levels that are held, before their lines change. */
  static async of(db: Db, actor: Actor, places: Place[]): Promise<Roundings> {
    const { company_id } = actor
    const wanted = [...new Map(places.map((place) => [keyOf(place), place])).values()]
    const differences = (table: typeof workOrderSuppliesTable | typeof workOrderAdjustmentsTable) =>
      sql`(select coalesce(sum(l.amount - l.value), 0) from ${table} l
        where l.company_id = ${company_id} and l.supply_id = p.supply_id and l.warehouse_id = p.warehouse_id)`
    const found = await rows<Place & { carried: string }>(
      db,
      sql`select p.warehouse_id, p.supply_id, coalesce(r.carried,
            ${differences(workOrderSuppliesTable)} + ${differences(workOrderAdjustmentsTable)})::text as carried
          from unnest(${sql.param(wanted.map((p) => p.warehouse_id))}::bigint[], ${sql.param(wanted.map((p) => p.supply_id))}::bigint[])
            as p (warehouse_id, supply_id)
          left join ${roundingsTable} r on r.company_id = ${company_id} and r.warehouse_id = p.warehouse_id
            and r.supply_id = p.supply_id`,
    )
    return new Roundings(new Map(found.map((each) => [keyOf(each), { ...each, carried: fromText(each.carried) }])))
  }

  /** A line that is no longer there, or is about to be rounded anew. */
  forget(place: Place, { value, amount }: Line) {
    this.#carried.get(keyOf(place))!.carried -= toScaled(amount) - toScaled(value)
  }

  amountOf(place: Place, value: bigint): number {
    const of = this.#carried.get(keyOf(place))!
    const low = floor(value)
    const high = low * PESO === value ? low : low + 1n
    const wanted = floor(value - of.carried + PESO / 2n)
    const amount = wanted <= low ? low : high
    of.carried += amount * PESO - value
    return Number(amount)
  }

  async save(db: Db, actor: Actor) {
    const all = [...this.#carried.values()]
    const column = <T>(of: (each: (typeof all)[number]) => T) => sql.param(all.map(of))
    await rows(
      db,
      sql`insert into ${roundingsTable} (company_id, warehouse_id, supply_id, carried)
          select ${actor.company_id}::bigint, n.* from unnest(${column((p) => p.warehouse_id)}::bigint[],
            ${column((p) => p.supply_id)}::bigint[], ${column((p) => toText(p.carried))}::numeric[]) as n
          on conflict (company_id, warehouse_id, supply_id) do update set carried = excluded.carried`,
    )
  }
}

/** What one unit costs, of a value. */
export const unitOf = (value: bigint, count: number) => Number(divideHalfUp(value * PESO, toScaled(count))) / 10_000
