import { sql } from 'drizzle-orm'
import { divideHalfUp, showQuantity, toScaled } from '#contract/base/money.ts'
import { COST_ADJUSTMENT, type Direction, typeNamed } from '#contract/warehouses/stock.ts'
import type { Transaction, TransactionLine } from '#contract/warehouses/transactions.ts'
import type { WarehouseChoice } from '#contract/warehouses/warehouses.ts'
import { batch, type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { announce, tell } from '../../platform/operations/happenings.ts'
import { invalid } from '../../platform/problems.ts'
import { suppliesTable } from '../../supplies/tables.ts'
import { costOf, fromText } from '../stock/ledger.ts'
import { lockLevels } from '../stock/locked-levels.ts'
import type { MovementSource } from '../stock/recosted.ts'
import { type Posting, plan, write, writeInSteps } from '../stock/stock.ts'
import { shareOf } from '../stock/worth.ts'
import { movementsTable, transactionLinesTable, transactionsTable } from '../tables.ts'
import {
  type DocumentHeader,
  findTransactions,
  insertDocument,
  isStandingNote,
  notedPriceChange,
  PURCHASES_CHANGED,
  requireTransaction,
} from './transactions.ts'

/* Goods that go back: to the provider that sold them, or to the warehouse they left. Each costs what it cost when it came, or went. */

interface Return {
  warehouse: WarehouseChoice
  transaction: DocumentHeader
  supplies: readonly TransactionLine[]
  at: string | undefined
}

/**
 * What leaves for the provider leaves at what that entry cost. The difference to what the average says is a cost
 * adjustment: what stays is worth what it was worth.
 */
export async function returnToProvider(db: Db, actor: Actor, what: Return): Promise<Transaction> {
  const { warehouse, transaction, supplies, at } = what
  const entry = await requireReturned(db, actor, what, 'entry')
  const prices = await notedPrices(db, actor, entry)
  const lines = supplies.map((line, i) => {
    const bought = entry.supplies.find(({ supply_id }) => supply_id === line.supply_id)!
    const quantity = toScaled(line.quantity)
    const unit_cost = toScaled(bought.unit_cost) + (prices.get(line.supply_id) ?? 0n)
    const place = { warehouse_id: warehouse.id, supply_id: line.supply_id, field: `supplies.${i}.quantity` }
    return { place, quantity, unit_cost, value: costOf(quantity, unit_cost) }
  })
  // As it would leave at the average: refused where there is not enough, and what the adjustment is measured by.
  const average = await plan(
    db,
    actor,
    lines.map(({ place, quantity }) => ({ ...place, quantity: -quantity })),
    { dated: at },
  )
  // Both at one moment, so that whatever is undone or dated before meets them together.
  const atOnce = (i: number) => average.movements[i]!.at
  // Each has one, also of nothing: it becomes something when the past changes (`worth.ts`).
  const adjustments = lines.map(({ place, value }, i): Posting => {
    const difference = value + average.movements[i]!.moved
    return { ...place, quantity: 0n, unit_cost: 0n, value: difference, at: atOnce(i) }
  })
  const priced = average.movements.map((movement, i) => ({ ...movement, unit_cost: lines[i]!.unit_cost }))
  const providerId = entry.transaction.providerId
  const id = await insertDocument(db, actor, warehouse, { ...transaction, providerId }, supplies, {
    ...average,
    movements: priced,
  })
  const document = transaction.document ?? null
  const source: MovementSource = { typeTrasactionId: transaction.typeTrasactionId, transaction_id: id, document }
  const exits = lines.map(
    ({ place, quantity, unit_cost, value }, i): Posting => ({
      ...place,
      quantity: -quantity,
      unit_cost,
      value: -value,
      at: atOnce(i),
    }),
  )
  const settling = { source: { ...source, typeTrasactionId: COST_ADJUSTMENT.id }, postings: adjustments }
  await writeInSteps(db, actor, [settling, { source, postings: exits }], source)
  await tell(db, actor, PURCHASES_CHANGED, [entry.id])
  announce(db, actor, { topic: 'warehouses', workshop_id: warehouse.workshop_id, ids: [warehouse.id] })
  return requireTransaction(db, actor, id)
}

/**
 * What comes back is worth what it left at, and changes with that (`worth.ts`); where nothing says what that was, it is
 * worth what its like costs.
 */
export async function returnToStock(db: Db, actor: Actor, what: Return): Promise<Transaction> {
  const { warehouse, transaction, supplies, at } = what
  const places = supplies.map(({ supply_id }) => ({ warehouse_id: warehouse.id, supply_id }))
  const field = (i: number) => `supplies.${i}.quantity`
  const ofExit = transaction.returns_id ? await costsOfExit(db, actor, what) : undefined
  const like = ofExit ? undefined : await costsOfLike(db, actor, places)
  const postings = supplies.map((line, i): Posting => {
    const quantity = toScaled(line.quantity)
    if (!ofExit)
      return { ...places[i]!, quantity, unit_cost: like!.costs(line.supply_id), follows: true, field: field(i) }
    const value = ofExit.costs(line.supply_id, quantity)
    const unit_cost = divideHalfUp(value * 10_000n, quantity)
    const posting = { ...places[i]!, quantity, unit_cost, value, field: field(i) }
    const left = ofExit.leftAt(line.supply_id)
    // On the day of its exit it comes back behind it, although entries come first on a day of the past.
    return at !== undefined && at < left ? { ...posting, at: left } : posting
  })
  const planned = await plan(db, actor, postings, { dated: at, locked: like?.locked })
  const id = await insertDocument(db, actor, warehouse, transaction, supplies, planned)
  const { typeTrasactionId, document = null } = transaction
  await write(db, actor, { typeTrasactionId, transaction_id: id, document }, planned)
  announce(db, actor, { topic: 'warehouses', workshop_id: warehouse.workshop_id, ids: [warehouse.id] })
  return requireTransaction(db, actor, id)
}

/** What notes said since of the price of what an entry brought. */
async function notedPrices(db: Db, actor: Actor, { id, notes }: Transaction) {
  if (notes.length === 0) return new Map<number, bigint>()
  const found = await rows<{ supply_id: number; more: string | null }>(
    db,
    sql`select l.supply_id, n.more::text from ${transactionLinesTable} l
        join ${transactionsTable} t on t.company_id = l.company_id and t.id = l.transaction_id
        cross join lateral ${notedPriceChange(sql`t`, sql`l.supply_id`)} n
        where l.company_id = ${actor.company_id} and l.transaction_id = ${id}`,
  )
  return new Map(found.map(({ supply_id, more }) => [supply_id, fromText(more ?? '0')]))
}

type CostOf = (supply_id: number, quantity: bigint) => bigint

/** The quantity and value of an exit that have not come back yet, and the moment of the exit. */
async function costsOfExit(db: Db, actor: Actor, what: Return) {
  const exit = await requireReturned(db, actor, what, 'exit')
  const found = await rows<{ supply_id: number; n: string; v: string; at: string }>(
    db,
    sql`select m.supply_id, (-sum(m.quantity))::text as n, (-sum(m.value))::text as v,
          min(m.at) filter (where m.transaction_id = ${exit.id} and m.quantity < 0) as at
        from ${movementsTable} m join ${transactionsTable} t on t.company_id = m.company_id and t.id = m.transaction_id
        where m.company_id = ${actor.company_id} and (t.id = ${exit.id} or t.returns_id = ${exit.id} and t.voided_at is null) group by 1`,
  )
  const left = new Map(found.map((of) => [of.supply_id, of]))
  const costs: CostOf = (supply_id, quantity) => {
    const { n, v } = left.get(supply_id)!
    return shareOf({ quantity: fromText(n), value: fromText(v) }, quantity)
  }
  return { costs, leftAt: (supply_id: number) => left.get(supply_id)!.at }
}

/** The warehouse's average cost, or the catalogue's where it has none. Locks the levels in the same round trip. */
async function costsOfLike(db: Db, actor: Actor, places: { warehouse_id: number; supply_id: number }[]) {
  const { locked, supplies } = await batch({
    locked: lockLevels(db, actor, places),
    supplies: rows<{ id: number; cost: number }>(
      db,
      sql`select id, cost from ${suppliesTable} where company_id = ${actor.company_id}
          and id = any(${sql.param(places.map(({ supply_id }) => supply_id))}::bigint[])`,
    ),
  })
  return { costs: (supply_id: number) => toScaled(supplies.find(({ id }) => id === supply_id)?.cost ?? 0), locked }
}

const isTransfer = ({ transaction, type }: Transaction) => transaction.typeTrasactionId === typeNamed(type, 'transfer')

/** The document whose goods go back, held: of the same warehouse, standing, and with that much left to return. */
async function requireReturned(db: Db, actor: Actor, { warehouse, transaction, supplies }: Return, type: Direction) {
  const returns_id = transaction.returns_id!
  await rows(
    db,
    sql`select 1 from ${transactionsTable} where company_id = ${actor.company_id} and id = ${returns_id} for update`,
  )
  const [returned] = await findTransactions(db, actor, [returns_id])
  if (!returned || returned.type !== type || returned.warehouse_id !== warehouse.id || isTransfer(returned))
    throw invalid({
      'transaction.returns_id': `Elija una ${type === 'entry' ? 'entrada' : 'salida'} de esta bodega.`,
    })
  if (returned.voided_at !== null) throw invalid({ 'transaction.returns_id': `${returned.code} está anulada.` })
  const before = await rows<{ supply_id: number; quantity: number }>(
    db,
    sql`select l.supply_id, sum(l.quantity) as quantity from ${transactionLinesTable} l
        join ${transactionsTable} t on t.company_id = l.company_id and t.id = l.transaction_id
        where l.company_id = ${actor.company_id} and t.returns_id = ${returns_id} and t.voided_at is null
          and not ${isStandingNote('t')} group by 1`,
  )
  const wrong: Record<string, string> = {}
  supplies.forEach((line, i) => {
    const of = returned.supplies.find(({ supply_id }) => supply_id === line.supply_id)
    if (!of) wrong[`supplies.${i}.supply_id`] = `No está en ${returned.code}.`
    else {
      const gone = before.find(({ supply_id }) => supply_id === line.supply_id)?.quantity ?? 0
      const left = Number(toScaled(of.quantity) - toScaled(gone)) / 10_000
      if (line.quantity > left)
        wrong[`supplies.${i}.quantity`] = `De ${returned.code} quedan ${showQuantity(left)} por devolver.`
    }
  })
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return returned
}
