import { sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import { toScaled } from '#contract/base/money.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import type { NewTransfer, Transfer } from '#contract/warehouses/transactions.ts'
import type { Destination } from '#contract/warehouses/transfers.ts'
import type { WarehouseChoice } from '#contract/warehouses/warehouses.ts'
import { type Db, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { announce } from '../../platform/operations/happenings.ts'
import { invalid, Problem } from '../../platform/problems.ts'
import { workshopsTable } from '../../workshops/tables.ts'
import {
  atPlannedCost,
  createDocument,
  type DocumentHeader,
  type DocumentLine,
  insertDocument,
} from '../documents/create-document.ts'
import { requireTransaction } from '../documents/transactions.ts'
import { type Posting, plan, withSources, write } from '../stock/stock.ts'
import { warehousesTable } from '../tables.ts'
import { requireSupplies, requireVisibleWarehouse, requireWarehouseChoice } from '../warehouses.ts'

/** To a warehouse of the same workshop goods are moved at once; to another workshop they are sent, and received there. */
export async function transfer(db: Db, actor: Actor, input: NewTransfer): Promise<Transfer> {
  const from = await requireWarehouseChoice(db, actor, input.warehouse_id)
  const to = await requireDestination(db, actor, input.to_warehouse_id)
  const isSent = from.workshop_id !== to.workshop_id
  if (isSent && !actor.may.has('transfers.send'))
    throw new Problem(403, 'No tiene permiso para enviar insumos a otro taller.')
  await requireSupplies(db, actor, from, input.supplies, false)
  const lines = input.supplies.map((line) => ({ ...line, tax_type: 'exempt' as const }))
  const { document, reference, note } = input
  const header = { date: dayOf(new Date(), actor.time_zone), document, reference, note }
  return isSent ? send(db, actor, { from, to, header, lines }) : move(db, actor, { from, to, header, lines })
}

interface TransferInput {
  from: WarehouseChoice
  to: Destination
  header: Pick<DocumentHeader, 'date' | 'document' | 'reference' | 'note'>
  lines: DocumentLine[]
}

const exitPostings = ({ from, lines }: TransferInput) =>
  lines.map(
    ({ supply_id, quantity }, i): Posting => ({
      warehouse_id: from.id,
      supply_id,
      quantity: -toScaled(quantity),
      field: `supplies.${i}.quantity`,
    }),
  )
const exitHeader = ({ header }: TransferInput): DocumentHeader => ({
  ...header,
  type: 'exit',
  typeTrasactionId: typeNamed('exit', 'transfer'),
})

/** An exit and an entry in one transaction, at the value that leaves. */
async function move(db: Db, actor: Actor, input: TransferInput): Promise<Transfer> {
  const { from, to, header, lines } = input
  const exits = exitPostings(input)
  const entries = exits.map(
    (exit, exitIndex): Posting => ({
      ...exit,
      warehouse_id: to.id,
      quantity: -exit.quantity,
      exitIndex,
      follows: true,
    }),
  )
  const planned = await plan(db, actor, [...exits, ...entries])
  const exit = await insertDocument(db, actor, {
    warehouse: from,
    header: exitHeader(input),
    lines: atPlannedCost(lines, planned.movements),
  })
  const entryType = typeNamed('entry', 'transfer')
  const entry = await insertDocument(db, actor, {
    warehouse: to,
    header: { ...header, type: 'entry', typeTrasactionId: entryType, transfer_id: exit },
    lines: atPlannedCost(lines, planned.movements.slice(lines.length)),
  })
  const { document = null } = header
  const exitSource = { typeTrasactionId: typeNamed('exit', 'transfer'), transaction_id: exit, document }
  const entrySource = { typeTrasactionId: entryType, transaction_id: entry, document }
  const sources = planned.movements.map((_, i) => (i < lines.length ? exitSource : entrySource))
  await write(db, actor, exitSource, withSources(planned, sources))
  announce(db, actor, { topic: 'warehouses', workshop_id: from.workshop_id, ids: [from.id, to.id] })
  return { exit: await requireTransaction(db, actor, exit), entry: await requireTransaction(db, actor, entry) }
}

/** The goods leave, and are in nobody's stock until the other workshop receives them (receiving.ts). */
async function send(db: Db, actor: Actor, input: TransferInput): Promise<Transfer> {
  const { from, to, lines } = input
  const planned = await plan(db, actor, exitPostings(input))
  const header = { ...exitHeader(input), to_warehouse_id: to.id }
  const exit = await createDocument(db, actor, { warehouse: from, header, lines, planned })
  announceEnds(db, actor, [from, to])
  return { exit, entry: null }
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

/** People of both workshops may look at the transfer. */
export function announceEnds(db: Db, actor: Actor, ends: { id: number; workshop_id: number }[]) {
  for (const { id, workshop_id } of ends) announce(db, actor, { topic: 'warehouses', workshop_id, ids: [id] })
}
