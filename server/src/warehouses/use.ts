import { toScaled } from '#contract/base/money.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import type { Db } from '../platform/database/db.ts'
import { announce } from '../platform/http/live.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { toNumber } from './ledger.ts'
import { type Posting, plan, write } from './stock.ts'
import { requireWarehouseChoice } from './warehouses.ts'

/** How another domain takes from stock and gives back: it keeps its own paper, the ledger refers to it. */

export interface Use {
  warehouse_id: number
  /** What uses it: the kind of thing, its id, and how people call it (`OT-000123`). */
  origin: { kind: string; id: number; document: string }
  lines: { supply_id: number; quantity: number /** Where a person reads that there is not enough. */; field: string }[]
}
export interface Used {
  supply_id: number
  quantity: number
  /** The average at this moment. */
  unit_cost: number
  /** What left the stock, to four decimals. */
  value: number
}

/** Takes it all, or refuses it all: 422 under the line's field. One line per supply. */
export async function consume(db: Db, actor: Actor, use: Use): Promise<Used[]> {
  const postings = use.lines.map(
    ({ supply_id, quantity, field }): Posting => ({
      warehouse_id: use.warehouse_id,
      supply_id,
      quantity: -toScaled(quantity),
      field,
    }),
  )
  return move(db, actor, use, typeNamed('exit', 'consumption'), postings)
}

/** Puts back what was taken, at the unit cost it was taken at; or at exactly `value`, where that is known. */
export async function giveBack(
  db: Db,
  actor: Actor,
  use: Omit<Use, 'lines'> & { lines: { supply_id: number; quantity: number; unit_cost: number; value?: number }[] },
): Promise<Used[]> {
  const postings = use.lines.map(
    ({ supply_id, quantity, unit_cost, value }): Posting => ({
      warehouse_id: use.warehouse_id,
      supply_id,
      quantity: toScaled(quantity),
      unit_cost: toScaled(unit_cost),
      ...(value !== undefined && { value: toScaled(value) }),
      field: 'supplies',
    }),
  )
  return move(db, actor, use, typeNamed('entry', 'return'), postings)
}

async function move(db: Db, actor: Actor, use: Omit<Use, 'lines'>, typeTrasactionId: number, postings: Posting[]) {
  if (postings.length === 0) return []
  const warehouse = await requireWarehouseChoice(db, actor, use.warehouse_id)
  const planned = await plan(db, actor, postings)
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
