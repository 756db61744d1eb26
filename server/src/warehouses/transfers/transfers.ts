import { sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import { toScaled } from '#contract/base/money.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import type { NewTransfer, Transaction, Transfer } from '#contract/warehouses/transactions.ts'
import type { Destination } from '#contract/warehouses/transfers.ts'
import type { WarehouseChoice } from '#contract/warehouses/warehouses.ts'
import { type Db, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { announce } from '../../platform/operations/happenings.ts'
import { invalid, Problem } from '../../platform/problems.ts'
import { workshopsTable } from '../../workshops/tables.ts'
import { insertDocument, requireSupplies, requireTransaction } from '../documents/transactions.ts'
import { type Plan, type Posting, plan, write } from '../stock/stock.ts'
import { warehousesTable } from '../tables.ts'
import { requireVisibleWarehouse, requireWarehouseChoice } from '../warehouses.ts'

/** Inside a workshop one action, an exit here and an entry there, at the value that left. To another one it is sent. */
export async function transfer(db: Db, actor: Actor, what: NewTransfer): Promise<Transfer> {
  const from = await requireWarehouseChoice(db, actor, what.warehouse_id)
  const to = await requireDestination(db, actor, what.to_warehouse_id)
  if (from.workshop_id !== to.workshop_id) return { exit: await send(db, actor, from, to, what), entry: null }
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
      exitIndex: i,
      follows: true,
    }),
  )
  const planned = await plan(db, actor, [...out, ...back])
  const lines = what.supplies.map((line) => ({ ...line, tax_type: 'exempt' as const }))
  const { document, reference, note } = what
  const header = { date: dayOf(new Date(), actor.time_zone), document, reference, note }
  const exitType = typeNamed('exit', 'transfer')
  const entryType = typeNamed('entry', 'transfer')
  const exit = await insertDocument(
    db,
    actor,
    from,
    { type: 'exit', typeTrasactionId: exitType, ...header },
    lines,
    planned,
  )
  const entry = await insertDocument(
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
    replays: [],
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

const destinations = (actor: Actor) => sql`
  select w.id, w.code, w.name, w.workshop_id, k.name as workshop_name from ${warehousesTable} w
  join ${workshopsTable} k on k.company_id = w.company_id and k.id = w.workshop_id
  where w.company_id = ${actor.company_id} and k.active`

/** Any other warehouse of the company, those of the same workshop first. */
export async function transferDestinations(db: Db, actor: Actor, warehouse: number) {
  const { workshop_id } = await requireVisibleWarehouse(db, actor, warehouse)
  const data = await rows<Destination>(
    db,
    sql`${destinations(actor)} and w.id <> ${warehouse}
        and (w.workshop_id = ${workshop_id} or ${actor.may.has('transfers.send')}::boolean)
        order by w.workshop_id <> ${workshop_id}, k.name, w.name, w.id`,
  )
  return { data, total: data.length }
}

async function requireDestination(db: Db, actor: Actor, id: number): Promise<Destination> {
  const found = await row<Destination>(db, sql`${destinations(actor)} and w.id = ${id}`)
  if (!found) throw invalid({ to_warehouse_id: 'Elija una bodega de la lista.' })
  return found
}

/** It leaves here, and belongs to nobody's stock until the other workshop receives it (`sent-transfers.ts`). */
async function send(
  db: Db,
  actor: Actor,
  from: WarehouseChoice,
  to: Destination,
  what: NewTransfer,
): Promise<Transaction> {
  if (!actor.may.has('transfers.send')) throw new Problem(403, 'No tiene permiso para enviar insumos a otro taller.')
  await requireSupplies(db, actor, from, what.supplies, false)
  const planned = await plan(
    db,
    actor,
    what.supplies.map(
      ({ supply_id, quantity }, i): Posting => ({
        warehouse_id: from.id,
        supply_id,
        quantity: -toScaled(quantity),
        field: `supplies.${i}.quantity`,
      }),
    ),
  )
  const { document, reference, note } = what
  const typeTrasactionId = typeNamed('exit', 'transfer')
  const date = dayOf(new Date(), actor.time_zone)
  const id = await insertDocument(
    db,
    actor,
    from,
    { type: 'exit', typeTrasactionId, date, document, reference, note, to_warehouse_id: to.id },
    what.supplies.map((line) => ({ ...line, tax_type: 'exempt' as const })),
    planned,
  )
  await write(db, actor, { typeTrasactionId, transaction_id: id, document }, planned)
  announceEnds(db, actor, [from, to])
  return requireTransaction(db, actor, id)
}

/** Both workshops look at it. */
export function announceEnds(db: Db, actor: Actor, ends: { id: number; workshop_id: number }[]) {
  for (const { id, workshop_id } of ends) announce(db, actor, { topic: 'warehouses', workshop_id, ids: [id] })
}
