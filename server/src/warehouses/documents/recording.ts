import { sql } from 'drizzle-orm'
import { dayOf, instantOf } from '#contract/base/dates.ts'
import { toScaled } from '#contract/base/money.ts'
import { type Direction, TRANSACTION_TYPES, typeNamed } from '#contract/warehouses/stock.ts'
import {
  type NewTransaction,
  PAST_DELIVERY,
  type Transaction,
  type TransactionDocument,
  type TransactionLine,
} from '#contract/warehouses/transactions.ts'
import { batch, type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { announce } from '../../platform/operations/happenings.ts'
import { invalid, Problem } from '../../platform/problems.ts'
import { documentKey, documentKeyOf } from '../../providers/documents.ts'
import { requireProviderChoice } from '../../providers/providers.ts'
import { setPurchaseCosts } from '../../supplies/supplies.ts'
import { requireOpenMonth } from '../../workshops/months.ts'
import { endOfDay } from '../stock/levels.ts'
import { lockSuppliesForReplay } from '../stock/locked-levels.ts'
import { type Posting, plan, write } from '../stock/stock.ts'
import { transactionLinesTable, transactionsTable } from '../tables.ts'
import { requireWarehouseChoice } from '../warehouses.ts'
import { requireLikelyDay } from './paper-days.ts'
import { returnToProvider, returnToStock } from './returns.ts'
import { codeOf, insertDocument, requireTransaction, suppliesNamed } from './transactions.ts'

/* Entries and exits as people write them. */

const keyOfType = (id: number) => TRANSACTION_TYPES.find((type) => type.id === id)!.key

/** The day of a document, and the moment its movements take: entries before what left that day, exits after. */
async function dated(db: Db, actor: Actor, type: Direction, what: TransactionDocument) {
  const today = dayOf(new Date(), actor.time_zone)
  const date = what.date ?? today
  if (date > today) throw invalid({ 'transaction.date': 'La fecha no puede ser posterior a hoy.' })
  if (what.date_delivery && what.date_delivery < date) throw invalid({ 'transaction.date_delivery': PAST_DELIVERY })
  if (date === today) return { date, at: undefined }
  await requireOpenMonth(db, actor, date, 'transaction.date')
  if (what.typeTrasactionId === typeNamed('entry', 'purchase'))
    await requireLikelyDay(db, actor, date, { confirm_old: what.confirm_old, prefix: 'transaction.' })
  return { date, at: type === 'entry' ? instantOf(`${date}T00:00`, actor.time_zone) : endOfDay(date, actor.time_zone) }
}

/** `siblings`: entries of the same purchase order, which one invoice may cover. */
export async function recordTransaction(
  db: Db,
  actor: Actor,
  what: NewTransaction,
  siblings: number[] = [],
): Promise<Transaction> {
  const { type, transaction } = what
  const { warehouse, checkSupplies } = await batch({
    warehouse: requireWarehouseChoice(db, actor, what.warehouse_id),
    checkSupplies: suppliesNamed(db, actor, what.supplies),
  })
  // What leaves is not sold: it bears no tax, whatever is said.
  const supplies =
    type === 'exit' ? what.supplies.map((line) => ({ ...line, tax_type: 'exempt' as const })) : what.supplies
  if (transaction.providerId !== null)
    await requireProviderChoice(db, actor, transaction.providerId, warehouse.workshop_id, 'transaction.providerId')
  const { date, at } = await dated(db, actor, type, transaction)
  if (type === 'entry') await requireNotEntered(db, actor, transaction, siblings)
  checkSupplies(warehouse, type === 'entry')
  if (at !== undefined) await lockSuppliesForReplay(db, actor, supplies)
  const kind = keyOfType(transaction.typeTrasactionId)
  const header = { ...transaction, type, date }
  const record = { warehouse, transaction: header, supplies, at }
  if (kind === 'provider_return') return returnToProvider(db, actor, record)
  if (kind === 'return') return returnToStock(db, actor, record)
  const postings = supplies.map((line, i): Posting => {
    const quantity = toScaled(line.quantity)
    return {
      warehouse_id: warehouse.id,
      supply_id: line.supply_id,
      field: `supplies.${i}.quantity`,
      ...(type === 'entry' ? { quantity, unit_cost: toScaled(line.unit_cost ?? 0) } : { quantity: -quantity }),
    }
  })
  const planned = await plan(db, actor, postings, { dated: at })
  const id = await insertDocument(db, actor, warehouse, header, supplies, planned)
  const { typeTrasactionId, document } = transaction
  await write(db, actor, { typeTrasactionId, transaction_id: id, document }, planned)
  const recorded = await requireTransaction(db, actor, id)
  if (kind === 'purchase') await updatePurchaseCosts(db, actor, date, supplies, transaction.document)
  announce(db, actor, { topic: 'warehouses', workshop_id: warehouse.workshop_id, ids: [warehouse.id] })
  return recorded
}

/** One paper is entered once; voided it can be entered again. */
export async function requireNotEntered(
  db: Db,
  actor: Actor,
  what: Pick<TransactionDocument, 'providerId' | 'typeInvoice' | 'document'>,
  siblings: number[],
  field = 'transaction.document',
) {
  const { providerId, typeInvoice, document } = what
  if (providerId === null || document === null) return
  const key = [actor.company_id, providerId, typeInvoice, documentKey(document)].join(' ')
  // Two who enter the same paper at once: the second waits, and finds the first.
  await rows(db, sql`select pg_advisory_xact_lock(hashtextextended('entry ' || ${key}::text, 0))`)
  const [first] = await rows<{ id: number; number: number; warehouse_id: number }>(
    db,
    sql`select id, number, warehouse_id from ${transactionsTable} where company_id = ${actor.company_id} and type = 'entry'
          and "providerId" = ${providerId} and "typeInvoice" is not distinct from ${typeInvoice}::text
          and ${documentKeyOf(sql`document`)} = ${documentKey(document)} and voided_at is null
          and id <> all(${sql.param(siblings)}::bigint[]) order by id limit 1`,
  )
  if (!first) return
  const label = codeOf('entry', first.number)
  const message = `Este proveedor ya tiene una entrada con ese documento: ${label}.`
  throw new Problem(422, message, {
    errors: { [field]: [message] },
    see: {
      what: 'transaction',
      id: first.id,
      label,
      path: `/warehouse/${first.warehouse_id}?tab=purchases&transaction=${first.id}`,
    },
  })
}

/** What was bought last sets a supply's cost. */
async function updatePurchaseCosts(
  db: Db,
  actor: Actor,
  date: string,
  lines: readonly TransactionLine[],
  document: string | null,
) {
  // What comes for nothing, under warranty, says nothing of what it costs.
  const paid = lines.filter(({ unit_cost }) => unit_cost)
  const ids = paid.map((line) => line.supply_id)
  const later = await rows<{ supply_id: number }>(
    db,
    sql`select distinct l.supply_id from ${transactionLinesTable} l
        join ${transactionsTable} t on t.company_id = l.company_id and t.id = l.transaction_id
        where l.company_id = ${actor.company_id} and l.supply_id = any(${sql.param(ids)}::bigint[])
          and t."typeTrasactionId" = ${typeNamed('entry', 'purchase')} and t.date > ${date}::date and t.voided_at is null
          and l.unit_cost > 0`,
  )
  const outdated = new Set(later.map((line) => line.supply_id))
  const bought = paid.filter((line) => !outdated.has(line.supply_id))
  await setPurchaseCosts(
    db,
    actor,
    bought.map((line) => ({ id: line.supply_id, cost: line.unit_cost ?? 0 })),
    document,
  )
}
