import { sql } from 'drizzle-orm'
import { dayOf, instantOf } from '#contract/base/dates.ts'
import { toScaled } from '#contract/base/money.ts'
import { type Direction, TRANSACTION_TYPES, typeNamed } from '#contract/warehouses/stock.ts'
import {
  type NewTransaction,
  PAST_DELIVERY,
  type Transaction,
  type TransactionDocument,
} from '#contract/warehouses/transactions.ts'
import { type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { announce } from '../../platform/operations/happenings.ts'
import { invalid, Problem } from '../../platform/problems.ts'
import { documentKey, documentKeyOf } from '../../providers/documents.ts'
import { requireProviderChoice } from '../../providers/providers.ts'
import { requireOpenMonth } from '../../workshops/months.ts'
import { endOfDay } from '../stock/levels.ts'
import { lockSuppliesForReplay } from '../stock/locked-levels.ts'
import { type Posting, plan } from '../stock/stock.ts'
import { transactionsTable } from '../tables.ts'
import { requireSupplies, requireWarehouseChoice } from '../warehouses.ts'
import { createDocument } from './create-document.ts'
import { requireLikelyDay } from './paper-days.ts'
import { updatePurchaseCosts } from './purchases.ts'
import { returnToProvider, returnToStock } from './returns.ts'
import { codeOf } from './transactions.ts'

/* Entries and exits as people write them. */

const kindOf = (typeId: number) => TRANSACTION_TYPES.find(({ id }) => id === typeId)!.key

/** `siblings` are entries of the same purchase order: one invoice may cover them all. */
export async function recordTransaction(
  db: Db,
  actor: Actor,
  input: NewTransaction,
  siblings: number[] = [],
): Promise<Transaction> {
  const { type, transaction } = input
  const isEntry = type === 'entry'
  const warehouse = await requireWarehouseChoice(db, actor, input.warehouse_id)
  const { id: warehouse_id, workshop_id } = warehouse
  if (transaction.providerId !== null)
    await requireProviderChoice(db, actor, transaction.providerId, workshop_id, 'transaction.providerId')
  const { date, at } = await requireDate(db, actor, type, transaction)
  if (isEntry) await requireNotEntered(db, actor, transaction, siblings)
  await requireSupplies(db, actor, warehouse, input.supplies, isEntry)
  if (at !== undefined) await lockSuppliesForReplay(db, actor, input.supplies)
  // Goods that leave are not sold and bear no tax, whatever the call says.
  const lines = isEntry ? input.supplies : input.supplies.map((line) => ({ ...line, tax_type: 'exempt' as const }))
  const document = { warehouse, header: { ...transaction, type, date }, lines }
  const kind = kindOf(transaction.typeTrasactionId)
  if (kind === 'provider_return') return returnToProvider(db, actor, { ...document, at })
  if (kind === 'return') return returnToStock(db, actor, { ...document, at })
  const postings = lines.map((line, i): Posting => {
    const quantity = toScaled(line.quantity)
    const place = { warehouse_id, supply_id: line.supply_id, field: `supplies.${i}.quantity` }
    return isEntry
      ? { ...place, quantity, unit_cost: toScaled(line.unit_cost ?? 0) }
      : { ...place, quantity: -quantity }
  })
  const planned = await plan(db, actor, postings, { dated: at })
  const created = await createDocument(db, actor, { ...document, planned })
  if (kind === 'purchase') await updatePurchaseCosts(db, actor, date, lines, transaction.document)
  announce(db, actor, { topic: 'warehouses', workshop_id, ids: [warehouse_id] })
  return created
}

/**
 * The day of a document, and the moment of its movements if that day is past: an entry comes before the exits of its day,
 * an exit after them.
 */
async function requireDate(db: Db, actor: Actor, type: Direction, document: TransactionDocument) {
  const today = dayOf(new Date(), actor.time_zone)
  const date = document.date ?? today
  if (date > today) throw invalid({ 'transaction.date': 'La fecha no puede ser posterior a hoy.' })
  if (document.date_delivery && document.date_delivery < date)
    throw invalid({ 'transaction.date_delivery': PAST_DELIVERY })
  if (date === today) return { date, at: undefined }
  await requireOpenMonth(db, actor, date, 'transaction.date')
  if (document.typeTrasactionId === typeNamed('entry', 'purchase'))
    await requireLikelyDay(db, actor, date, { confirm_old: document.confirm_old, prefix: 'transaction.' })
  return { date, at: type === 'entry' ? instantOf(`${date}T00:00`, actor.time_zone) : endOfDay(date, actor.time_zone) }
}

/** A document of a provider is entered once; after a void it can be entered again. */
export async function requireNotEntered(
  db: Db,
  actor: Actor,
  { providerId, typeInvoice, document }: Pick<TransactionDocument, 'providerId' | 'typeInvoice' | 'document'>,
  siblings: number[],
  field = 'transaction.document',
) {
  if (providerId === null || document === null) return
  const key = [actor.company_id, providerId, typeInvoice, documentKey(document)].join(' ')
  // If two people enter the same document at once, the second waits and finds the first.
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
