import { sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import { divideHalfUp, toScaled } from '#contract/base/money.ts'
import { COST_ADJUSTMENT, type Direction, PRICE_NOTE_IDS, PRICE_NOTES, typeNamed } from '#contract/warehouses/stock.ts'
import type { Transaction } from '#contract/warehouses/transactions.ts'
import { COMPANY, type Db, orElse, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { record } from '../../platform/operations/audit.ts'
import { announce, tell } from '../../platform/operations/happenings.ts'
import { Problem } from '../../platform/problems.ts'
import { openMonths } from '../../workshops/months.ts'
import { costOf, fromText, keyOf, type LevelKey } from '../stock/ledger.ts'
import { lockLevels, lockSuppliesForReplay } from '../stock/locked-levels.ts'
import { emitRecosted, type MovementSource } from '../stock/recosted.ts'
import { isShortage, type Posting, plan, simulate, write, writeInSteps } from '../stock/stock.ts'
import { movementsTable, transactionLinesTable, transactionsTable, warehousesTable } from '../tables.ts'
import { announceEnds } from '../transfers/transfers.ts'
import { requireVisibleWarehouse } from '../warehouses.ts'
import {
  codeOf,
  isStandingNote,
  noteAmount,
  PURCHASES_CHANGED,
  requireTransaction,
  resetPurchaseCosts,
} from './transactions.ts'

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
  const { returns_id } = transaction.transaction
  await tell(db, actor, PURCHASES_CHANGED, [id, ...(returns_id === null ? [] : [returns_id])])
  const ofSides = await inTurn(
    sides,
    async (side): Promise<Side[]> => [
      {
        transaction: await requireTransaction(db, actor, side),
        own: written.filter(({ transaction_id }) => transaction_id === side),
      },
    ],
  )
  const isOpen =
    written.every(({ at }) => since === null || at >= since) && !(await isNoteOfToday(db, actor, transaction, written))
  if (isOpen)
    await orElse(
      db,
      isShortage,
      () => undoBesideIt(db, actor, ofSides),
      () => undoToday(db, actor, ofSides),
    )
  else await undoToday(db, actor, ofSides)
  if ([typeNamed('entry', 'purchase'), ...PRICE_NOTE_IDS].includes(transaction.transaction.typeTrasactionId))
    await resetPurchaseCosts(db, actor, transaction)
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
              select sum(case when ${isStandingNote('t')} then ${noteAmount('t', 'd.net_cost')} else -d.net_cost end)
              from ${transactionsTable} t join ${transactionLinesTable} d on d.company_id = t.company_id and d.transaction_id = t.id
              where ${others} and d.supply_id = l.supply_id), 0) < 0)
        order by t.id desc limit 1`,
  )
  if (!taker) return
  const code = codeOf(taker.type, taker.number)
  throw new Problem(409, `Lo que esta nota sumó a la compra ya se descontó o devolvió después: anule primero ${code}.`)
}

const fieldOf = ({ supplies }: Transaction, { supply_id }: Written) =>
  `supplies.${supplies.findIndex((line) => line.supply_id === supply_id)}.quantity`
const sourceOf = ({ id, transaction }: Transaction): MovementSource => ({
  typeTrasactionId: transaction.typeTrasactionId,
  transaction_id: id,
  document: transaction.document,
  is_void: true,
})

const placeOf = ({ warehouse_id, supply_id }: LevelKey) => ({ warehouse_id, supply_id })

/** The opposite of what a document moved. */
const opposites = (transaction: Transaction, written: Written[]) =>
  written.map((each): Posting => {
    const quantity = -fromText(each.quantity)
    return {
      ...placeOf(each),
      quantity,
      unit_cost: toScaled(each.unit_cost),
      value: -fromText(each.value),
      follows: quantity !== 0n,
      ignoresReservations: true,
      field: fieldOf(transaction, each),
      source: { ...sourceOf(transaction), ...(quantity === 0n && { typeTrasactionId: each.typeTrasactionId }) },
    }
  })

/** Beside what they undo, in steps with one posting of a level each: what moves, and then what only corrects its value. */
function besideIt(transaction: Transaction, written: Written[]): Posting[][] {
  const all = opposites(transaction, written).map((posting, i) => ({ ...posting, at: written[i]!.at }))
  const adjustments = Map.groupBy(
    all.filter(({ quantity }) => quantity === 0n),
    keyOf,
  )
  const most = Math.max(0, ...[...adjustments.values()].map(({ length }) => length))
  const rounds = Array.from({ length: most }, (_, i) => [...adjustments.values()].flatMap((of) => of[i] ?? []))
  return [all.filter(({ quantity }) => quantity !== 0n), ...rounds]
}

type Side = { transaction: Transaction; own: Written[] }

async function undoBesideIt(db: Db, actor: Actor, sides: Side[]) {
  const steps = sides.flatMap(({ transaction, own }) =>
    besideIt(transaction, own).map((postings) => ({ source: sourceOf(transaction), postings })),
  )
  await writeInSteps(
    db,
    actor,
    steps.filter(({ postings }) => postings.length > 0),
    sourceOf(sides.at(-1)!.transaction),
  )
}

/** Posts the opposite movements today, and an adjustment for every document that would have cost something else without this one. */
async function undoToday(db: Db, actor: Actor, sides: Side[]) {
  const { transaction } = sides[0]!
  const isNote = PRICE_NOTE_IDS.includes(transaction.transaction.typeTrasactionId)
  // Adjustments that releases before booked on a note are of others: those are settled again below.
  const undone = isNote ? sides.map((side) => ({ ...side, own: side.own.filter(isOfNote) })) : sides
  const changed = isNote
    ? await withoutNote(db, actor, undone[0]!)
    : await simulate(
        db,
        actor,
        sourceOf(transaction),
        undone.flatMap((side) => besideIt(side.transaction, side.own)),
      )
  const moved = undone.flatMap(({ own }) => own.filter(({ quantity }) => fromText(quantity) !== 0n))
  const differences = changed ?? (await inTurn(moved, (movement) => sharedOut(db, actor, movement)))
  await book(
    db,
    actor,
    transaction,
    differences,
    undone.flatMap((side) => opposites(side.transaction, side.own)),
  )
}
const isOfNote = ({ typeTrasactionId }: Written) => PRICE_NOTE_IDS.includes(typeTrasactionId)

async function inTurn<T, R>(things: T[], ask: (thing: T) => Promise<R[]>): Promise<R[]> {
  const answers: R[] = []
  for (const thing of things) answers.push(...(await ask(thing)))
  return answers
}

/** Writes, today and level by level, what others cost more or less, each its own adjustment, with these postings. */
export async function book(
  db: Db,
  actor: Actor,
  because: Pick<Transaction, 'id' | 'transaction'>,
  differences: Difference[],
  postings: Posting[],
) {
  const field = postings[0]!.field
  const adjustments = eachItsOwn(because, differences).map(
    ({ value, warehouse_id, supply_id, ...source }): Posting => ({
      warehouse_id,
      supply_id,
      quantity: 0n,
      unit_cost: 0n,
      value,
      field,
      source,
    }),
  )
  const source = postings[0]!.source!
  for (const ofLevel of Map.groupBy([...adjustments, ...postings], keyOf).values())
    await write(db, actor, source, await plan(db, actor, ofLevel.sort(inOrder)))
  const used = adjustments.flatMap(({ source }) => (source?.origin && source.origin_id ? [source] : []))
  await emitRecosted(
    db,
    actor,
    used.map(({ origin, origin_id }) => ({ origin: origin!, origin_id: origin_id! })),
    source,
  )
}

/** Incoming goods first, outgoing goods last; between them, postings that add value before those that take it. */
function inOrder(a: Posting, b: Posting) {
  return rankOf(a) - rankOf(b) || Number(b.value! - a.value!)
}
function rankOf({ quantity }: Posting) {
  if (quantity > 0n) return 0
  return quantity === 0n ? 1 : 2
}

type Adjustment = MovementSource & LevelKey & { value: bigint }
export interface Difference extends LevelKey {
  /** The document that the difference belongs to; for other users of stock, `origin` and `origin_id`. */
  transaction_id: number | null
  origin: string | null
  origin_id: number | null
  difference: bigint
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
async function withoutNote(db: Db, actor: Actor, { transaction, own }: Side) {
  const postings = await inTurn(
    opposites(transaction, own).map((posting, i) => [posting, own[i]!] as const),
    async ([posting, movement]) => {
      const entry = await entered(db, actor, transaction, movement)
      return entry ? [{ ...posting, at: entry.at }] : []
    },
  )
  return (await simulate(db, actor, sourceOf(transaction), [postings])) ?? []
}

/** What others cost more or less, as adjustments of today. */
function eachItsOwn({ id, transaction }: Pick<Transaction, 'id' | 'transaction'>, changed: Difference[]) {
  const byUser = Map.groupBy(changed, (of) => [keyOf(of), of.origin, of.origin_id ?? of.transaction_id].join(' '))
  return [...byUser.values()].flatMap((of): Adjustment[] => {
    const value = of.reduce((sum, { difference }) => sum + difference, 0n)
    const { origin, origin_id, transaction_id } = of[0]!
    const paper = { ...placeOf(of[0]!), typeTrasactionId: COST_ADJUSTMENT.id, document: transaction.document, value }
    if (value === 0n) return []
    return origin === null || origin_id === null
      ? [{ ...paper, transaction_id: transaction_id ?? id }]
      : [{ ...paper, origin, origin_id }]
  })
}

/**
 * Without it there would not have been enough: what is left is worth what the entries that stand cost, and those that
 * took meanwhile bear the difference, each by what it took.
 */
async function sharedOut(db: Db, actor: Actor, movement: Written): Promise<Difference[]> {
  const { warehouse_id, supply_id, at, id } = movement
  const ofLevel = sql`${movementsTable} m where m.company_id = ${actor.company_id} and m.warehouse_id = ${warehouse_id}
    and m.supply_id = ${supply_id}`
  const [level] = (await lockLevels(db, actor, [{ warehouse_id, supply_id }])).values()
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
  const place = { warehouse_id, supply_id, transaction_id: null }
  if (all === 0n) return [{ ...place, origin: null, origin_id: null, difference }]
  let [seen, given] = [0n, 0n]
  return users.map(({ origin, origin_id, taken }) => {
    seen += fromText(taken)
    const share = (difference * seen) / all - given
    given += share
    return { ...place, origin, origin_id, difference: share }
  })
}
