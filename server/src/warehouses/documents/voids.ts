import { sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import { toScaled } from '#contract/base/money.ts'
import { type Direction, PRICE_NOTE_IDS, PRICE_NOTES, typeNamed } from '#contract/warehouses/stock.ts'
import type { Transaction } from '#contract/warehouses/transactions.ts'
import { type Db, orElse, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { record } from '../../platform/operations/audit.ts'
import { announce, tell } from '../../platform/operations/happenings.ts'
import { Problem } from '../../platform/problems.ts'
import { openMonths } from '../../workshops/months.ts'
import { fromText, keyOf } from '../stock/ledger.ts'
import { lockSuppliesForReplay } from '../stock/locked-levels.ts'
import type { MovementSource } from '../stock/recosted.ts'
import { isShortage, type Posting, simulate, writeInSteps } from '../stock/stock.ts'
import { movementsTable, transactionLinesTable, transactionsTable, warehousesTable } from '../tables.ts'
import { announceEnds } from '../transfers/transfers.ts'
import { requireVisibleWarehouse } from '../warehouses.ts'
import { bookAdjustments, type Difference, differencesWithout, type VoidedMovement } from './cost-adjustments.ts'
import { PURCHASES_CHANGED, purchaseChange, resetPurchaseCosts } from './purchases.ts'
import { codeOf, requireTransaction } from './transactions.ts'

/** A document that is voided, with its movements. A transfer inside a workshop has two sides. */
interface Side {
  transaction: Transaction
  movements: VoidedMovement[]
}

/**
 * Undoes a document by opposite movements, on both sides of a transfer. Between workshops each side undoes its own:
 * received goods, with what was written off of them, are in transit again, and goods in transit come back. The opposite
 * movements are dated beside those they undo, so that everything since costs what it would have cost without the
 * document. If the month is closed, or later exits needed the goods, they are dated today at the value that was moved,
 * and cost adjustments of today settle the difference of every other document.
 */
export async function voidTransaction(db: Db, actor: Actor, id: number, note: string | null): Promise<Transaction> {
  const transaction = await requireTransaction(db, actor, id)
  const { transfer, between_workshops } = transaction
  // The other warehouse of a transfer may be one the person does not see.
  if (transfer && !between_workshops) await requireVisibleWarehouse(db, actor, transfer.warehouse_id)
  const { day, since } = await openMonths(db, actor)
  await lockSuppliesForReplay(db, actor, transaction.supplies)
  const ids = await lockSides(db, actor, transaction)
  for (const each of ids) await requireNotReturned(db, actor, each)
  await requireNotTaken(db, actor, transaction)
  const movements = await movementsOf(db, actor, ids)
  // Before the opposite movements, so that listeners who hear of new costs find the document voided.
  await markVoided(db, actor, ids, { note, firstOpenDay: day })
  const { returns_id, typeTrasactionId } = transaction.transaction
  await tell(db, actor, PURCHASES_CHANGED, [id, ...(returns_id === null ? [] : [returns_id])])
  const sides: Side[] = []
  for (const each of ids)
    sides.push({
      transaction: await requireTransaction(db, actor, each),
      movements: movements.filter(({ transaction_id }) => transaction_id === each),
    })
  const isOpen = movements.every(({ at }) => since === null || at >= since)
  const beside = () => undoBeside(db, actor, sides)
  const today = () => undoToday(db, actor, sides)
  if (isOpen && !(await isNoteOfToday(db, actor, transaction, movements))) await orElse(db, isShortage, beside, today)
  else await today()
  if ([typeNamed('entry', 'purchase'), ...PRICE_NOTE_IDS].includes(typeTrasactionId))
    await resetPurchaseCosts(db, actor, transaction)
  for (const side of sides) {
    const { code, warehouse_id } = side.transaction
    await record(db, actor, 'transaction', side.transaction.id, 'voided', {}, { code, note })
    const { workshop_id } = await requireVisibleWarehouse(db, actor, warehouse_id)
    announce(db, actor, { topic: 'warehouses', workshop_id, ids: [warehouse_id] })
  }
  if (between_workshops) announceEnds(db, actor, await endsOf(db, actor, transfer?.transaction_id ?? id))
  return requireTransaction(db, actor, id)
}

/** Locks the documents that are voided together, and returns their ids in the order in which they are undone. */
async function lockSides(db: Db, actor: Actor, transaction: Transaction): Promise<number[]> {
  const { id, transfer, between_workshops } = transaction
  const ids = between_workshops
    ? await ownSides(db, actor, transaction)
    : [id, ...(transfer ? [transfer.transaction_id] : [])].sort((a, b) => a - b)
  const sides = await rows<{ voided_at: string | null }>(
    db,
    sql`select voided_at from ${transactionsTable} where company_id = ${actor.company_id}
          and id = any(${sql.param(ids)}::bigint[]) order by id for update`,
  )
  if (sides.some(({ voided_at }) => voided_at !== null)) throw new Problem(409, 'Este movimiento ya está anulado.')
  return ids
}

const movementsOf = (db: Db, actor: Actor, ids: number[]) =>
  rows<VoidedMovement>(
    db,
    sql`select m.id::text, m.transaction_id, m.warehouse_id, m.supply_id, m.at, m.quantity::text, m.unit_cost,
          m.value::text, m."typeTrasactionId"
        from ${movementsTable} m
        where m.company_id = ${actor.company_id} and m.transaction_id = any(${sql.param(ids)}::bigint[])
        order by m.supply_id, m.id`,
  )

/** A document of a closed month stays in its month, and its amounts are taken back today (`voided_on`). */
const markVoided = (
  db: Db,
  actor: Actor,
  ids: number[],
  { note, firstOpenDay }: { note: string | null; firstOpenDay: string | null },
) =>
  rows(
    db,
    sql`update ${transactionsTable} set voided_at = now(), voided_by = ${actor.user_name}, void_note = ${note},
          voided_on = case when date < ${firstOpenDay}::date then ${dayOf(new Date(), actor.time_zone)}::date end
        where company_id = ${actor.company_id} and id = any(${sql.param(ids)}::bigint[])`,
  )

/** The warehouses at both ends of a transfer to another workshop. */
const endsOf = (db: Db, actor: Actor, id: number) =>
  rows<{ id: number; workshop_id: number }>(
    db,
    sql`select w.id, w.workshop_id from ${transactionsTable} t join ${warehousesTable} w on w.company_id = t.company_id
          and w.id in (t.warehouse_id, t.to_warehouse_id) where t.company_id = ${actor.company_id} and t.id = ${id}`,
  )

/**
 * The documents of a transfer between workshops that are voided at this end. At the receiving end the write-off of lost
 * goods comes first, so that all goods are there when the entry is undone.
 */
async function ownSides(db: Db, actor: Actor, { id, type, transfer }: Transaction): Promise<number[]> {
  const transfer_id = type === 'entry' ? transfer!.transaction_id : id
  await rows(
    db,
    sql`select 1 from ${transactionsTable} where company_id = ${actor.company_id} and id = ${transfer_id} for update`,
  )
  const others = await rows<{ id: number; type: string; number: number }>(
    db,
    sql`select id, type, number from ${transactionsTable} where company_id = ${actor.company_id}
          and transfer_id = ${transfer_id} and voided_at is null order by type desc`,
  )
  if (type === 'entry') return [...others.filter((other) => other.type === 'exit').map((other) => other.id), id]
  const receipt = others.find((other) => other.type === 'entry')
  if (receipt)
    throw new Problem(
      409,
      `Ya se recibió (${codeOf('entry', receipt.number)}): primero anule la recepción en el taller de destino.`,
    )
  return [id]
}

async function requireNotReturned(db: Db, actor: Actor, id: number) {
  const returned = await row<{ id: number }>(
    db,
    sql`select id from ${transactionsTable}
        where company_id = ${actor.company_id} and returns_id = ${id} and voided_at is null limit 1`,
  )
  if (!returned) return
  const { code } = await requireTransaction(db, actor, returned.id)
  throw new Problem(409, `Tiene una devolución o una nota: anule primero ${code}.`)
}

/** A credit note or a return may have taken off since the amount that a debit note added to its entry. */
async function requireNotTaken(db: Db, actor: Actor, { id, transaction }: Transaction) {
  const { typeTrasactionId, returns_id } = transaction
  if (typeTrasactionId !== PRICE_NOTES.debit.id || returns_id === null) return
  const others = sql`t.company_id = ${actor.company_id} and t.returns_id = ${returns_id} and t.voided_at is null and t.id <> ${id}`
  const taker = await row<{ type: Direction; number: number }>(
    db,
    sql`select t.type, t.number from ${transactionsTable} t where ${others} and t.type = 'exit' and exists (
          select from ${transactionLinesTable} l where l.company_id = ${actor.company_id} and l.transaction_id = ${returns_id}
            and l.net_cost + coalesce((
              select sum(${purchaseChange(sql`t`, sql`d.net_cost`)})
              from ${transactionsTable} t join ${transactionLinesTable} d on d.company_id = t.company_id and d.transaction_id = t.id
              where ${others} and d.supply_id = l.supply_id), 0) < 0)
        order by t.id desc limit 1`,
  )
  if (!taker) return
  const code = codeOf(taker.type, taker.number)
  throw new Problem(409, `Lo que esta nota sumó a la compra ya se descontó o devolvió después: anule primero ${code}.`)
}

const sourceOf = ({ id, transaction }: Transaction): MovementSource => ({
  typeTrasactionId: transaction.typeTrasactionId,
  transaction_id: id,
  document: transaction.document,
  is_void: true,
})

/** The opposite of each movement, of today. The void of an adjustment stays an adjustment. */
const oppositesOf = ({ transaction, movements }: Side) =>
  movements.map(({ warehouse_id, supply_id, typeTrasactionId, ...movement }): Posting => {
    const quantity = -fromText(movement.quantity)
    const line = transaction.supplies.findIndex((each) => each.supply_id === supply_id)
    return {
      warehouse_id,
      supply_id,
      quantity,
      unit_cost: toScaled(movement.unit_cost),
      value: -fromText(movement.value),
      follows: quantity !== 0n,
      ignoresReservations: true,
      field: `supplies.${line}.quantity`,
      source: { ...sourceOf(transaction), ...(quantity === 0n && { typeTrasactionId }) },
    }
  })

/**
 * The opposites, each at the moment of the movement that it undoes. They are posted in steps, with one posting per level in
 * each: first the goods, then one adjustment of value after another.
 */
function stepsBeside(side: Side): Posting[][] {
  const opposites = oppositesOf(side).map((posting, i) => ({ ...posting, at: side.movements[i]!.at }))
  const goods = opposites.filter(({ quantity }) => quantity !== 0n)
  const adjustments = [
    ...Map.groupBy(
      opposites.filter(({ quantity }) => quantity === 0n),
      keyOf,
    ).values(),
  ]
  const most = Math.max(0, ...adjustments.map(({ length }) => length))
  const rounds = Array.from({ length: most }, (_, i) => adjustments.flatMap((ofLevel) => ofLevel[i] ?? []))
  return [goods, ...rounds].filter(({ length }) => length > 0)
}

async function undoBeside(db: Db, actor: Actor, sides: Side[]) {
  const steps = sides.flatMap((side) =>
    stepsBeside(side).map((postings) => ({ source: sourceOf(side.transaction), postings })),
  )
  await writeInSteps(db, actor, steps, sourceOf(sides.at(-1)!.transaction))
}

/** Posts the opposites today, and an adjustment for every document and order that would have cost something else. */
async function undoToday(db: Db, actor: Actor, sides: Side[]) {
  const { transaction } = sides[0]!
  const isNote = PRICE_NOTE_IDS.includes(transaction.transaction.typeTrasactionId)
  // Older releases booked adjustments of others on a note. They are not undone here, but settled again with the others.
  const undone = isNote ? sides.map(onlyNote) : sides
  const differences = isNote
    ? await differencesWithoutNote(db, actor, undone[0]!)
    : await differencesWithoutDocument(db, actor, undone)
  const cause = { transaction_id: transaction.id, document: transaction.transaction.document }
  await bookAdjustments(db, actor, cause, differences, undone.flatMap(oppositesOf))
}

const onlyNote = (side: Side): Side => ({
  ...side,
  movements: side.movements.filter(({ typeTrasactionId }) => PRICE_NOTE_IDS.includes(typeTrasactionId)),
})

async function differencesWithoutDocument(db: Db, actor: Actor, sides: Side[]): Promise<Difference[]> {
  const simulated = await simulate(db, actor, sourceOf(sides[0]!.transaction), sides.flatMap(stepsBeside))
  if (simulated) return simulated
  const differences: Difference[] = []
  for (const movement of sides.flatMap(({ movements }) => movements))
    if (fromText(movement.quantity) !== 0n) differences.push(...(await differencesWithout(db, actor, movement)))
  return differences
}

/** The opposites of a note are simulated beside its entry, whenever the note itself was posted. */
async function differencesWithoutNote(db: Db, actor: Actor, side: Side): Promise<Difference[]> {
  const opposites = oppositesOf(side)
  const postings: Posting[] = []
  for (const [i, movement] of side.movements.entries()) {
    const at = await momentOfEntry(db, actor, side.transaction, movement)
    if (at) postings.push({ ...opposites[i]!, at })
  }
  return (await simulate(db, actor, sourceOf(side.transaction), [postings])) ?? []
}

/** The moment when the entry of a note brought this supply. */
async function momentOfEntry(db: Db, actor: Actor, { transaction }: Transaction, { supply_id }: VoidedMovement) {
  const entered = await row<{ at: string }>(
    db,
    sql`select at from ${movementsTable} where company_id = ${actor.company_id} and supply_id = ${supply_id}
          and transaction_id = ${transaction.returns_id} and quantity > 0 and not is_void`,
  )
  return entered?.at
}

/** A note that was posted on its own day because the month of its entry was closed. */
async function isNoteOfToday(db: Db, actor: Actor, note: Transaction, [first]: VoidedMovement[]) {
  if (!first || !PRICE_NOTE_IDS.includes(note.transaction.typeTrasactionId)) return false
  return (await momentOfEntry(db, actor, note, first)) !== first.at
}
