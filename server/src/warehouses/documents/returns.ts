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
import { costOf, fromText, type LevelKey } from '../stock/ledger.ts'
import { lockLevels } from '../stock/locked-levels.ts'
import type { MovementSource } from '../stock/recosted.ts'
import { countRecosted, type Posting, plan, writeInSteps } from '../stock/stock.ts'
import { shareOf } from '../stock/worth.ts'
import { movementsTable, transactionLinesTable, transactionsTable } from '../tables.ts'
import { createDocument, type DocumentHeader, insertDocument } from './create-document.ts'
import { isStandingNote, notedPriceChange, PURCHASES_CHANGED } from './purchases.ts'
import { findTransactions, requireTransaction } from './transactions.ts'

/* Goods that go back: to the provider at the cost of their entry, or to the warehouse at the cost of their exit. */

interface Return {
  warehouse: WarehouseChoice
  header: DocumentHeader
  lines: readonly TransactionLine[]
  /** The moment of its movements; `undefined` is now. */
  at: string | undefined
}

const fieldOf = (i: number) => `supplies.${i}.quantity`

/**
 * Goods leave for the provider at the cost of their entry. A cost adjustment takes the difference to the average, so that
 * the average of the goods that stay does not change.
 */
export async function returnToProvider(db: Db, actor: Actor, input: Return): Promise<Transaction> {
  const { warehouse, header, at } = input
  const entry = await requireReturned(db, actor, input, 'entry')
  const priceChanges = await notedPriceChanges(db, actor, entry)
  const lines = input.lines.map((line, i) => {
    const bought = entry.supplies.find(({ supply_id }) => supply_id === line.supply_id)!
    const quantity = toScaled(line.quantity)
    const unit_cost = toScaled(bought.unit_cost) + (priceChanges.get(line.supply_id) ?? 0n)
    const place = { warehouse_id: warehouse.id, supply_id: line.supply_id, field: fieldOf(i) }
    return { ...line, place, unit_cost, scaled: quantity, value: costOf(quantity, unit_cost) }
  })
  // An exit at the average is refused where stock is short, and gives the value that the adjustment is measured by.
  const atAverage = await plan(
    db,
    actor,
    lines.map(({ place, scaled }): Posting => ({ ...place, quantity: -scaled })),
    { dated: at },
  )
  const id = await insertDocument(db, actor, {
    warehouse,
    header: { ...header, providerId: entry.transaction.providerId },
    lines,
    recosted: countRecosted(atAverage),
  })
  const { typeTrasactionId, document = null } = header
  const source: MovementSource = { typeTrasactionId, transaction_id: id, document }
  // Both at one moment, so that a void or a document dated before meets them together.
  const momentOf = (i: number) => atAverage.movements[i]!.at
  // Written even if it is 0: a replay may give it a value (worth.ts).
  const adjustments = lines.map(({ place, value }, i): Posting => {
    const difference = value + atAverage.movements[i]!.moved
    return { ...place, quantity: 0n, unit_cost: 0n, value: difference, at: momentOf(i) }
  })
  const exits = lines.map(
    ({ place, scaled, unit_cost, value }, i): Posting => ({
      ...place,
      quantity: -scaled,
      unit_cost,
      value: -value,
      at: momentOf(i),
    }),
  )
  const steps = [
    { source: { ...source, typeTrasactionId: COST_ADJUSTMENT.id }, postings: adjustments },
    { source, postings: exits },
  ]
  await writeInSteps(db, actor, steps, source)
  await tell(db, actor, PURCHASES_CHANGED, [entry.id])
  announce(db, actor, { topic: 'warehouses', workshop_id: warehouse.workshop_id, ids: [warehouse.id] })
  return requireTransaction(db, actor, id)
}

/**
 * Goods come back at the value of their exit, and follow it in a replay (worth.ts). Without an exit they come in at the
 * average of the warehouse, or at the catalogue's cost where there is no average.
 */
export async function returnToStock(db: Db, actor: Actor, input: Return): Promise<Transaction> {
  const { warehouse, header, lines, at } = input
  const { postings, locked } = header.returns_id
    ? { postings: await postingsOfExit(db, actor, input), locked: undefined }
    : await postingsWithoutExit(db, actor, input)
  const planned = await plan(db, actor, postings, { dated: at, locked })
  const created = await createDocument(db, actor, { warehouse, header, lines, planned })
  announce(db, actor, { topic: 'warehouses', workshop_id: warehouse.workshop_id, ids: [warehouse.id] })
  return created
}

async function postingsOfExit(db: Db, actor: Actor, input: Return): Promise<Posting[]> {
  const { warehouse, lines, at } = input
  const exit = await requireReturned(db, actor, input, 'exit')
  const remaining = await remainingOf(db, actor, exit)
  return lines.map(({ supply_id, quantity: typed }, i) => {
    const { leftAt, ...goods } = remaining.get(supply_id)!
    const quantity = toScaled(typed)
    const value = shareOf(goods, quantity)
    const unit_cost = divideHalfUp(value * 10_000n, quantity)
    const posting = { warehouse_id: warehouse.id, supply_id, quantity, unit_cost, value, field: fieldOf(i) }
    // On the day of its exit it comes back behind it, although entries come first on a day of the past.
    return at !== undefined && at < leftAt ? { ...posting, at: leftAt } : posting
  })
}

async function postingsWithoutExit(db: Db, actor: Actor, { warehouse, lines }: Return) {
  const levels = lines.map(({ supply_id }): LevelKey => ({ warehouse_id: warehouse.id, supply_id }))
  const { locked, supplies } = await batch({
    locked: lockLevels(db, actor, levels),
    supplies: rows<{ id: number; cost: number }>(
      db,
      sql`select id, cost from ${suppliesTable} where company_id = ${actor.company_id}
          and id = any(${sql.param(lines.map(({ supply_id }) => supply_id))}::bigint[])`,
    ),
  })
  const costs = new Map(supplies.map(({ id, cost }) => [id, toScaled(cost)]))
  const postings = lines.map(({ supply_id, quantity }, i): Posting => {
    const unit_cost = costs.get(supply_id) ?? 0n
    return { ...levels[i]!, quantity: toScaled(quantity), unit_cost, follows: true, field: fieldOf(i) }
  })
  return { postings, locked }
}

/** By supply, the difference that later notes made to the unit cost of an entry. */
async function notedPriceChanges(db: Db, actor: Actor, { id, notes }: Transaction) {
  if (notes.length === 0) return new Map<number, bigint>()
  const changes = await rows<{ supply_id: number; more: string | null }>(
    db,
    sql`select l.supply_id, n.more::text from ${transactionLinesTable} l
        join ${transactionsTable} t on t.company_id = l.company_id and t.id = l.transaction_id
        cross join lateral ${notedPriceChange(sql`t`, sql`l.supply_id`)} n
        where l.company_id = ${actor.company_id} and l.transaction_id = ${id}`,
  )
  return new Map(changes.map(({ supply_id, more }) => [supply_id, fromText(more ?? '0')]))
}

/** By supply, the quantity and value of an exit that did not come back yet, and the moment of the exit. */
async function remainingOf(db: Db, actor: Actor, exit: Transaction) {
  const remaining = await rows<{ supply_id: number; quantity: string; value: string; leftAt: string }>(
    db,
    sql`select m.supply_id, (-sum(m.quantity))::text as quantity, (-sum(m.value))::text as value,
          min(m.at) filter (where m.transaction_id = ${exit.id} and m.quantity < 0) as "leftAt"
        from ${movementsTable} m join ${transactionsTable} t on t.company_id = m.company_id and t.id = m.transaction_id
        where m.company_id = ${actor.company_id} and (t.id = ${exit.id} or t.returns_id = ${exit.id} and t.voided_at is null) group by 1`,
  )
  return new Map(
    remaining.map(({ supply_id, quantity, value, leftAt }) => [
      supply_id,
      { quantity: fromText(quantity), value: fromText(value), leftAt },
    ]),
  )
}

const isTransfer = ({ transaction, type }: Transaction) => transaction.typeTrasactionId === typeNamed(type, 'transfer')

/** Locks and returns the document whose goods go back: of the same warehouse, standing, and with that much left to return. */
async function requireReturned(db: Db, actor: Actor, { warehouse, header, lines }: Return, type: Direction) {
  const returns_id = header.returns_id!
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
          and not ${isStandingNote(sql`t`)} group by 1`,
  )
  const returnedBefore = new Map(before.map(({ supply_id, quantity }) => [supply_id, quantity]))
  const wrong: Record<string, string> = {}
  lines.forEach(({ supply_id, quantity }, i) => {
    const line = returned.supplies.find((each) => each.supply_id === supply_id)
    if (!line) {
      wrong[`supplies.${i}.supply_id`] = `No está en ${returned.code}.`
      return
    }
    const left = Number(toScaled(line.quantity) - toScaled(returnedBefore.get(supply_id) ?? 0)) / 10_000
    if (quantity > left) wrong[fieldOf(i)] = `De ${returned.code} quedan ${showQuantity(left)} por devolver.`
  })
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return returned
}
