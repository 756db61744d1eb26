import { sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import { divideHalfUp, toScaled } from '#contract/base/money.ts'
import { COST_ADJUSTMENT, type Direction, PRICE_NOTE_IDS, PRICE_NOTES, typeNamed } from '#contract/warehouses/stock.ts'
import type { Transaction } from '#contract/warehouses/transactions.ts'
import { COMPANY, type Db, orElse, row, rows } from '../platform/database/db.ts'
import { announce } from '../platform/http/live.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { Problem } from '../platform/operations/problems.ts'
import { openMonths } from '../workshops/months.ts'
import { costOf, fromText } from './ledger.ts'
import {
  changedBy,
  holdLevels,
  holdPast,
  levelWithout,
  type Paper,
  type Posting,
  plan,
  tellOrigins,
  write,
} from './stock.ts'
import { movementsTable, transactionLinesTable, transactionsTable, warehousesTable } from './tables.ts'
import { codeOf, forgetPurchase, noted, requireTransaction, standingNote } from './transactions.ts'
import { announceEnds } from './transfers.ts'
import { requireVisibleWarehouse } from './warehouses.ts'

interface Written {
  id: string
  transaction_id: number
  warehouse_id: number
  supply_id: number
  at: string
  quantity: string
  unit_cost: number
  value: string
  typeTrasactionId: number
}

/**
 * Undoes a document by opposite movements; of a transfer, both sides. Between workshops each undoes its own: what was
 * received is in transit again, with what was written off of it, and what is in transit comes back. They stand beside what they undo, so that all
 * that happened since costs what it would have cost without it. Where the month is closed, or what left since needed
 * what came, they are dated today, at the value it moved, and what others would have cost without it is settled today
 * by cost adjustments.
 */
export async function voidTransaction(db: Db, actor: Actor, id: number, note: string | null): Promise<Transaction> {
  const transaction = await requireTransaction(db, actor, id)
  const { transfer, between_workshops } = transaction
  // The other warehouse of a transfer may be one the person does not see.
  if (transfer && !between_workshops) await requireVisibleWarehouse(db, actor, transfer.warehouse_id)
  const { day, since } = await openMonths(db, actor)
  await holdPast(db, actor, transaction.supplies)
  const sides = between_workshops
    ? await ownSides(db, actor, transaction)
    : [id, ...(transfer ? [transfer.transaction_id] : [])].sort((a, b) => a - b)
  const held = await rows<{ voided_at: string | null }>(
    db,
    sql`select voided_at from ${transactionsTable} where company_id = ${actor.company_id}
          and id = any(${sql.param(sides)}::bigint[]) order by id for update`,
  )
  if (held.some(({ voided_at }) => voided_at !== null)) throw new Problem(409, 'Este movimiento ya está anulado.')
  for (const side of sides) await requireNotReturned(db, actor, side)
  await requireNotTaken(db, actor, transaction)
  const written = await rows<Written>(
    db,
    sql`select m.id::text, m.transaction_id, m.warehouse_id, m.supply_id, m.at, m.quantity::text, m.unit_cost,
          m.value::text, m."typeTrasactionId"
        from ${movementsTable} m
        where m.company_id = ${actor.company_id} and m.transaction_id = any(${sql.param(sides)}::bigint[])
        order by m.supply_id, m.id`,
  )
  // First of all, so that whoever is told of new costs can say why.
  await rows(
    db,
    sql`update ${transactionsTable} set voided_at = now(), voided_by = ${actor.user_name}, void_note = ${note},
          voided_on = case when date < ${day}::date then ${dayOf(new Date(), actor.time_zone)}::date end
        where company_id = ${actor.company_id} and id = any(${sql.param(sides)}::bigint[])`,
  )
  const undo = async (undoSide: typeof besideIt) => {
    for (const side of sides) {
      const own = written.filter(({ transaction_id }) => transaction_id === side)
      await undoSide(db, actor, await requireTransaction(db, actor, side), own)
    }
  }
  const isOpen =
    written.every(({ at }) => since === null || at >= since) && !(await isNoteOfToday(db, actor, transaction, written))
  if (isOpen)
    await orElse(
      db,
      isShort,
      () => undo(besideIt),
      () => undo(today),
    )
  else await undo(today)
  if ([typeNamed('entry', 'purchase'), ...PRICE_NOTE_IDS].includes(transaction.transaction.typeTrasactionId))
    await forgetPurchase(db, actor, transaction)
  for (const side of sides) {
    const { code, warehouse_id } = await requireTransaction(db, actor, side)
    await record(db, actor, 'transaction', side, 'voided', {}, { code, note })
    const { workshop_id } = await requireVisibleWarehouse(db, actor, warehouse_id)
    announce(db, actor, { topic: 'warehouses', workshop_id, ids: [warehouse_id] })
  }
  const undone = await requireTransaction(db, actor, id)
  if (between_workshops) announceEnds(db, actor, await endsOf(db, actor, transfer?.transaction_id ?? id))
  return undone
}

/** The warehouses that a transfer to another workshop is of. */
const endsOf = (db: Db, actor: Actor, id: number) =>
  rows<{ id: number; workshop_id: number }>(
    db,
    sql`select w.id, w.workshop_id from ${transactionsTable} t join ${warehousesTable} w on w.company_id = t.company_id
          and w.id in (t.warehouse_id, t.to_warehouse_id) where t.company_id = ${actor.company_id} and t.id = ${id}`,
  )

/** Of a transfer between workshops, what is undone here: what was lost on the way comes back before it all leaves. */
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

/** What a debit note put on its entry may have been taken off since, by a credit note or a return. */
async function requireNotTaken(db: Db, actor: Actor, { id, transaction }: Transaction) {
  const { typeTrasactionId, returns_id } = transaction
  if (typeTrasactionId !== PRICE_NOTES.debit.id || returns_id === null) return
  const others = sql`t.company_id = ${actor.company_id} and t.returns_id = ${returns_id} and t.voided_at is null and t.id <> ${id}`
  const taker = await row<{ type: Direction; number: number }>(
    db,
    sql`select t.type, t.number from ${transactionsTable} t where ${others} and t.type = 'exit' and exists (
          select from ${transactionLinesTable} l where l.company_id = ${actor.company_id} and l.transaction_id = ${returns_id}
            and l.net_cost + coalesce((
              select sum(case when ${standingNote('t')} then ${noted('t', 'd.net_cost')} else -d.net_cost end)
              from ${transactionsTable} t join ${transactionLinesTable} d on d.company_id = t.company_id and d.transaction_id = t.id
              where ${others} and d.supply_id = l.supply_id), 0) < 0)
        order by t.id desc limit 1`,
  )
  if (!taker) return
  const code = codeOf(taker.type, taker.number)
  throw new Problem(409, `Lo que esta nota sumó a la compra ya se descontó o devolvió después: anule primero ${code}.`)
}

export const isShort = (error: unknown) => error instanceof Problem && error.status === 422

const fieldOf = ({ supplies }: Transaction, { supply_id }: Written) =>
  `supplies.${supplies.findIndex((line) => line.supply_id === supply_id)}.quantity`
const paperOf = ({ id, transaction }: Transaction): Paper => ({
  typeTrasactionId: transaction.typeTrasactionId,
  transaction_id: id,
  document: transaction.document,
  is_void: true,
})

async function besideIt(db: Db, actor: Actor, transaction: Transaction, written: Written[]) {
  const isAdjustment = ({ quantity }: Posting) => quantity === 0n
  const paper = paperOf(transaction)
  const all = written.map((each): Posting => {
    const quantity = -fromText(each.quantity)
    return {
      warehouse_id: each.warehouse_id,
      supply_id: each.supply_id,
      quantity,
      unit_cost: toScaled(each.unit_cost),
      value: -fromText(each.value),
      follows: quantity !== 0n,
      at: each.at,
      yields: true,
      field: fieldOf(transaction, each),
      ...(quantity === 0n && { paper: { ...paper, typeTrasactionId: each.typeTrasactionId } }),
    }
  })
  // What moves goes first, and then what only corrects its value.
  for (const postings of [all.filter((posting) => !isAdjustment(posting)), all.filter(isAdjustment)])
    if (postings.length > 0) await write(db, actor, paper, await plan(db, actor, postings))
}

async function today(db: Db, actor: Actor, transaction: Transaction, written: Written[]) {
  const told: { origin: string; origin_id: number }[] = []
  for (const each of written) {
    const place = { warehouse_id: each.warehouse_id, supply_id: each.supply_id, field: fieldOf(transaction, each) }
    const adjustments = await adjustmentsFor(db, actor, transaction, each)
    const postings: Posting[] = [
      ...adjustments.map(({ value, ...paper }) => ({ ...place, quantity: 0n, unit_cost: 0n, value, paper })),
      {
        ...place,
        quantity: -fromText(each.quantity),
        unit_cost: toScaled(each.unit_cost),
        value: -fromText(each.value),
        follows: fromText(each.quantity) !== 0n,
        yields: true,
        ...(fromText(each.quantity) === 0n && {
          paper: { ...paperOf(transaction), typeTrasactionId: each.typeTrasactionId },
        }),
      },
    ]
    for (const { origin, origin_id } of adjustments) if (origin && origin_id) told.push({ origin, origin_id })
    // What brings value comes before what takes it, where nothing else moves.
    if (fromText(each.quantity) === 0n) postings.sort((a, b) => (a.value! > b.value! ? -1 : 1))
    await write(db, actor, paperOf(transaction), await plan(db, actor, postings))
  }
  await tellOrigins(db, actor, told, paperOf(transaction))
}

type Adjustment = Paper & { value: bigint }
interface Difference {
  origin: string | null
  origin_id: number | null
  difference: bigint
}

/** What those that took from the level since then would have cost without this movement, each its own adjustment. */
async function adjustmentsFor(
  db: Db,
  actor: Actor,
  transaction: Transaction,
  movement: Written,
): Promise<Adjustment[]> {
  if (PRICE_NOTE_IDS.includes(movement.typeTrasactionId))
    return eachItsOwn(transaction, await withoutNote(db, actor, transaction, movement))
  if (fromText(movement.quantity) === 0n) return []
  const without = await levelWithout(db, actor, movement, movement)
  return eachItsOwn(transaction, without?.changed ?? (await sharedOut(db, actor, movement)))
}

/** What the note's entry brought of a supply. */
const entered = (db: Db, actor: Actor, { transaction }: Transaction, { supply_id }: Written) =>
  row<{ id: string; at: string }>(
    db,
    sql`select id::text, at from ${movementsTable} where company_id = ${actor.company_id} and supply_id = ${supply_id}
          and transaction_id = ${transaction.returns_id} and quantity > 0 and not is_void`,
  )

/** A note that was not written beside its entry, whose month was closed: what orders had of it are adjustments of their own. */
async function isNoteOfToday(db: Db, actor: Actor, note: Transaction, [first]: Written[]) {
  if (!first || !PRICE_NOTE_IDS.includes(note.transaction.typeTrasactionId)) return false
  return (await entered(db, actor, note, first))?.at !== first.at
}

/** A note changes what its entry brought, whenever it was written. */
async function withoutNote(db: Db, actor: Actor, note: Transaction, movement: Written) {
  const entry = await entered(db, actor, note, movement)
  return (entry && (await changedBy(db, actor, movement, entry, -fromText(movement.value)))) ?? []
}

/** What others cost more or less, as adjustments of today. */
export function eachItsOwn({ id, transaction }: Pick<Transaction, 'id' | 'transaction'>, changed: Difference[]) {
  const byUser = Map.groupBy(changed, ({ origin, origin_id }) => (origin === null ? '' : `${origin} ${origin_id}`))
  const adjustments = [...byUser.values()].flatMap((of): Adjustment[] => {
    const value = of.reduce((sum, { difference }) => sum + difference, 0n)
    const { origin, origin_id } = of[0]!
    const paper = { typeTrasactionId: COST_ADJUSTMENT.id, document: transaction.document, value }
    if (value === 0n) return []
    return origin === null || origin_id === null
      ? [{ ...paper, transaction_id: id }]
      : [{ ...paper, origin, origin_id }]
  })
  // What gives value back comes first, so that none of them takes more than there is.
  return adjustments.sort((a, b) => (a.value > b.value ? -1 : 1))
}

/**
 * Without it there would not have been enough: what is left is worth what the entries that stand cost, and those that
 * took meanwhile bear the difference, each by what it took.
 */
async function sharedOut(db: Db, actor: Actor, movement: Written): Promise<Difference[]> {
  const { warehouse_id, supply_id, at, id } = movement
  const ofLevel = sql`${movementsTable} m where m.company_id = ${actor.company_id} and m.warehouse_id = ${warehouse_id}
    and m.supply_id = ${supply_id}`
  const [level] = (await holdLevels(db, actor, [{ warehouse_id, supply_id }])).values()
  const bought = await row<{ n: string; v: string }>(
    db,
    sql`select coalesce(sum(m.quantity), 0)::text as n, coalesce(sum(m.value), 0)::text as v from ${ofLevel}
          and m.valued and not m.follows and not m.is_void and m.quantity > 0 and exists (
            select 1 from ${transactionLinesTable} l join ${transactionsTable} t on t.company_id = l.company_id
              and t.id = l.transaction_id where l.company_id = ${COMPANY} and l.transaction_id = m.transaction_id
              and l.supply_id = m.supply_id and t.voided_at is null)`,
  )
  const [n, v] = [fromText(bought!.n), fromText(bought!.v)]
  const each = n > 0n ? divideHalfUp(v * 10_000n, n) : level!.average_cost
  const left = costOf(level!.on_hand - fromText(movement.quantity), each)
  const difference = left - (level!.value - fromText(movement.value))
  const users = await rows<{ origin: string; origin_id: number; taken: string }>(
    db,
    sql`select m.origin, m.origin_id, (-sum(m.value))::text as taken from ${ofLevel}
          and (m.at, m.id) > (${at}::timestamptz, ${id}::bigint) and m.origin is not null
        group by 1, 2 having -sum(m.value) > 0 order by 1, 2`,
  )
  const all = users.reduce((sum, { taken }) => sum + fromText(taken), 0n)
  if (all === 0n) return [{ origin: null, origin_id: null, difference }]
  let [seen, given] = [0n, 0n]
  return users.map(({ origin, origin_id, taken }) => {
    seen += fromText(taken)
    const share = (difference * seen) / all - given
    given += share
    return { origin, origin_id, difference: share }
  })
}
