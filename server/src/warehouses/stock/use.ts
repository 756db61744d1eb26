import { type SQL, sql } from 'drizzle-orm'
import { divideHalfUp, toScaled } from '#contract/base/money.ts'
import { COST_ADJUSTMENT, typeNamed } from '#contract/warehouses/stock.ts'
import { batch, type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { announce } from '../../platform/operations/happenings.ts'
import { movementsTable } from '../tables.ts'
import { requireWarehouseChoice } from '../warehouses.ts'
import { fromText, toNumber } from './ledger.ts'
import type { LockedLevels } from './locked-levels.ts'
import { type Posting, plan, write } from './stock.ts'
import { shareOf } from './worth.ts'

/* How another domain takes stock and gives it back: without a document, with movements that name the thing that used it. */

export interface StockUse {
  warehouse_id: number
  /** The kind of the thing that uses the stock, its id, and its code (`OT-000123`). */
  origin: { kind: string; id: number; document: string }
  /** `field` is the form field that shows a refusal. */
  lines: { supply_id: number; quantity: number; field: string }[]
}
export interface MovedLine {
  supply_id: number
  quantity: number
  /** The average cost at this moment. */
  unit_cost: number
  /** The value that left or came back, to four decimals. */
  value: number
}

/** Takes all of it or refuses all of it, with a sentence under the line's field. One line per supply. `locked`: as in `plan`. */
export async function consume(db: Db, actor: Actor, use: StockUse, locked?: LockedLevels): Promise<MovedLine[]> {
  const postings = use.lines.map(
    ({ supply_id, quantity, field }): Posting => ({
      warehouse_id: use.warehouse_id,
      supply_id,
      quantity: -toScaled(quantity),
      field,
    }),
  )
  return postUse(db, actor, use, typeNamed('exit', 'consumption'), postings, locked)
}

/** Puts back some of what a thing took, at its share of the value of that. The caller has locked the levels. */
export async function giveBack(
  db: Db,
  actor: Actor,
  use: Omit<StockUse, 'lines'> & { lines: { supply_id: number; quantity: number }[] },
): Promise<MovedLine[]> {
  const taken = await stockUsedBy(db, actor, use.origin.kind, [use.origin.id])
  const postings = use.lines.map(({ supply_id, quantity }): Posting => {
    const used = taken.find((each) => each.warehouse_id === use.warehouse_id && each.supply_id === supply_id)
    const value = used ? shareOf(used, toScaled(quantity)) : 0n
    return {
      warehouse_id: use.warehouse_id,
      supply_id,
      quantity: toScaled(quantity),
      unit_cost: divideHalfUp(value * 10_000n, toScaled(quantity)),
      value,
      follows: true,
      field: 'supplies',
    }
  })
  return postUse(db, actor, use, typeNamed('entry', 'return'), postings)
}

export interface UsedStock {
  origin_id: number
  warehouse_id: number
  supply_id: number
  /**
   * Ten-thousandths: the quantity that was not given back, its value, and how much of that value came as cost adjustments
   * since goods were given back last. Goods that come back take their share of the adjustments along, and the others are
   * worth the rest.
   */
  quantity: bigint
  value: bigint
  adjusted: bigint
}

/** The stock that things of one kind took and did not give back, by the ledger. */
export async function stockUsedBy(db: Db, actor: Actor, kind: string, ids: number[]): Promise<UsedStock[]> {
  const found = await rows<Omit<UsedStock, 'quantity' | 'value' | 'adjusted'> & Record<'n' | 'v' | 'a', string>>(
    db,
    sql`select origin_id, warehouse_id, supply_id, quantity::text as n, value::text as v, adjusted::text as a
        from (${usedStock(actor, kind, sql`any(${sql.param(ids)}::bigint[])`)}) t order by 1, 2, 3`,
  )
  return found.map(({ n, v, a, ...at }) => ({
    ...at,
    quantity: fromText(n),
    value: fromText(v),
    adjusted: fromText(a),
  }))
}

/** As `stockUsedBy`, as a query to be joined; `ids` is the right-hand side of a comparison with their ids. */
export const usedStock = (actor: Actor, kind: string, ids: SQL) => sql`
  select m.origin_id, m.warehouse_id, m.supply_id, -sum(m.quantity) as quantity, -sum(m.value) as value,
    -coalesce(sum(m.value) filter (where m."typeTrasactionId" = ${COST_ADJUSTMENT.id} and m.id > m.last_back), 0) as adjusted
  from (
    select m.*, coalesce(max(m.id) filter (where m.quantity > 0)
      over (partition by m.origin_id, m.warehouse_id, m.supply_id), 0) as last_back
    from ${movementsTable} m where m.company_id = ${actor.company_id} and m.origin = ${kind} and m.origin_id = ${ids}) m
  group by 1, 2, 3`

async function postUse(
  db: Db,
  actor: Actor,
  use: Omit<StockUse, 'lines'>,
  typeTrasactionId: number,
  postings: Posting[],
  locked?: LockedLevels,
) {
  if (postings.length === 0) return []
  const { warehouse, planned } = await batch({
    warehouse: requireWarehouseChoice(db, actor, use.warehouse_id),
    planned: plan(db, actor, postings, { locked }),
  })
  const { kind, id, document } = use.origin
  await write(db, actor, { typeTrasactionId, origin: kind, origin_id: id, document }, planned)
  announce(db, actor, { topic: 'warehouses', workshop_id: warehouse.workshop_id, ids: [warehouse.id] })
  return planned.movements.map(({ posting, unit_cost, moved }) => ({
    supply_id: posting.supply_id,
    quantity: Math.abs(toNumber(posting.quantity)),
    unit_cost: toNumber(unit_cost),
    value: Math.abs(toNumber(moved)),
  }))
}
