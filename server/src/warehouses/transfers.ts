import { dayOf } from '#contract/base/dates.ts'
import { toScaled } from '#contract/base/money.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import type { NewTransfer, Transfer } from '#contract/warehouses/transactions.ts'
import type { Db } from '../platform/database/db.ts'
import { announce } from '../platform/http/live.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid } from '../platform/operations/problems.ts'
import { type Plan, type Posting, plan, write } from './stock.ts'
import { fileDocument, requireSupplies, requireTransaction } from './transactions.ts'
import { requireWarehouseChoice } from './warehouses.ts'

/** One action, an exit here and an entry there, at the value that left. */
export async function transfer(db: Db, actor: Actor, what: NewTransfer): Promise<Transfer> {
  const from = await requireWarehouseChoice(db, actor, what.warehouse_id)
  const to = await requireWarehouseChoice(db, actor, what.to_warehouse_id, 'to_warehouse_id')
  if (from.workshop_id !== to.workshop_id)
    throw invalid({ to_warehouse_id: 'Los insumos son de cada taller: elija una bodega del mismo taller.' })
  await requireSupplies(db, actor, from, what.supplies, false)
  const out = what.supplies.map(
    ({ supply_id, quantity }, i): Posting => ({
      warehouse_id: from.id,
      supply_id,
      quantity: -toScaled(quantity),
      field: `supplies.${i}.quantity`,
    }),
  )
  const back = out.map(
    (posting, i): Posting => ({
      ...posting,
      warehouse_id: to.id,
      quantity: -posting.quantity,
      takenBy: i,
      follows: true,
    }),
  )
  const planned = await plan(db, actor, [...out, ...back])
  const lines = what.supplies.map((line) => ({ ...line, tax_type: 'exempt' as const }))
  const { document, reference, note } = what
  const header = { date: dayOf(new Date(), actor.time_zone), document, reference, note }
  const exitType = typeNamed('exit', 'transfer')
  const entryType = typeNamed('entry', 'transfer')
  const exit = await fileDocument(
    db,
    actor,
    from,
    { type: 'exit', typeTrasactionId: exitType, ...header },
    lines,
    planned,
  )
  const entry = await fileDocument(
    db,
    actor,
    to,
    { type: 'entry', typeTrasactionId: entryType, transfer_id: exit, ...header },
    lines,
    planned,
    lines.length,
  )
  const half = (start: number, end: number, warehouse_id: number): Plan => ({
    movements: planned.movements.slice(start, end),
    levels: planned.levels.filter((level) => level.warehouse_id === warehouse_id),
    recostings: [],
  })
  const count = lines.length
  await write(db, actor, { typeTrasactionId: exitType, transaction_id: exit, document }, half(0, count, from.id))
  await write(
    db,
    actor,
    { typeTrasactionId: entryType, transaction_id: entry, document },
    half(count, 2 * count, to.id),
  )
  announce(db, actor, { topic: 'warehouses', workshop_id: from.workshop_id, ids: [from.id, to.id] })
  return { exit: await requireTransaction(db, actor, exit), entry: await requireTransaction(db, actor, entry) }
}
