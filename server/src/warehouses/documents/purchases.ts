import { type SQL, sql } from 'drizzle-orm'
import { PRICE_NOTE_IDS, PRICE_NOTES, typeNamed } from '#contract/warehouses/stock.ts'
import type { Transaction, TransactionLine } from '#contract/warehouses/transactions.ts'
import { literal } from '../../platform/database/conditions.ts'
import { COMPANY, type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { restorePurchaseCosts, setPurchaseCosts } from '../../supplies/supplies.ts'
import { transactionLinesTable, transactionsTable } from '../tables.ts'

/* Purchases beside stock: the cost of a supply in the catalogue, price notes, and the amount to pay. */

const PURCHASE = typeNamed('entry', 'purchase')

/** Listeners get the ids of purchases whose amount to pay changes, or that are being voided; they may refuse that. */
export const PURCHASES_CHANGED = 'warehouses.purchases-changed'

/** From now on the domain that keeps payments knows whether this purchase is paid. */
export const markPaymentStated = (db: Db, company_id: number, id: number) =>
  rows(
    db,
    sql`update ${transactionsTable} set payment_said = true
        where company_id = ${company_id} and id = ${id} and not payment_said`,
  )

/**
 * Condition on transactions `t`: a standing purchase on credit without its document or its provider. It has the text of the
 * condition of the index `transactions_incomplete`.
 */
export const IS_INCOMPLETE = sql`(t.type = 'entry' and t."typeTrasactionId" = ${literal(PURCHASE)}
  and t.voided_at is null and t.payment_type = 'Credit' and (t.document is null or t."providerId" is null))`

/** Condition on a transaction: a credit or debit note that is not voided. */
export const isStandingNote = (note: SQL) =>
  sql`(${note}."typeTrasactionId" in ${PRICE_NOTE_IDS} and ${note}.voided_at is null)`

/** An amount of a note, signed as it changes the amount of its purchase. */
export const noteAmount = (note: SQL, amount: SQL) =>
  sql`(case when ${note}."typeTrasactionId" = ${PRICE_NOTES.credit.id} then -${amount} else ${amount} end)`

/** The change that a document about a purchase, a note or a return, makes to an amount of that purchase. */
export const purchaseChange = (document: SQL, amount: SQL) =>
  sql`(case when ${isStandingNote(document)} then ${noteAmount(document, amount)} else -${amount} end)`

/** The difference (`more`) that the notes of an entry make to the unit cost of a supply in it, and the latest note's time. */
export const notedPriceChange = (entry: SQL, supply: SQL) => sql`(
  select max(n.created_at) as at, round(sum(${noteAmount(sql`n`, sql`d.net_cost`)}) / max(d.quantity), 4) as more
  from ${transactionsTable} n join ${transactionLinesTable} d on d.company_id = n.company_id and d.transaction_id = n.id
  where n.company_id = ${COMPANY} and n.returns_id = ${entry}.id and ${isStandingNote(sql`n`)} and d.supply_id = ${supply})`

/** Sets the cost of supplies in the catalogue to that of this purchase, unless a purchase of a later day set it. */
export async function updatePurchaseCosts(
  db: Db,
  actor: Actor,
  date: string,
  lines: readonly TransactionLine[],
  document: string | null,
) {
  // Goods that come free, under warranty, say nothing about their cost.
  const paid = lines.filter(({ unit_cost }) => unit_cost)
  const ids = paid.map((line) => line.supply_id)
  const later = await rows<{ supply_id: number }>(
    db,
    sql`select distinct l.supply_id from ${transactionLinesTable} l
        join ${transactionsTable} t on t.company_id = l.company_id and t.id = l.transaction_id
        where l.company_id = ${actor.company_id} and l.supply_id = any(${sql.param(ids)}::bigint[])
          and t."typeTrasactionId" = ${PURCHASE} and t.date > ${date}::date and t.voided_at is null
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

/** After a purchase was voided or its price changed: the catalogue's costs are those of the latest standing purchases. */
export async function resetPurchaseCosts(db: Db, actor: Actor, { supplies, transaction }: Transaction) {
  const ids = supplies.map(({ supply_id }) => supply_id)
  const bought = await rows<{ id: number; cost: number; at: string }>(
    db,
    sql`select distinct on (l.supply_id) l.supply_id as id, l.unit_cost + coalesce(n.more, 0) as cost,
          greatest(t.created_at, n.at) as at
        from ${transactionLinesTable} l
        join ${transactionsTable} t on t.company_id = l.company_id and t.id = l.transaction_id
        left join lateral ${notedPriceChange(sql`t`, sql`l.supply_id`)} n on true
        where l.company_id = ${actor.company_id} and l.supply_id = any(${sql.param(ids)}::bigint[]) and l.unit_cost > 0
          and t."typeTrasactionId" = ${PURCHASE} and t.voided_at is null
        order by l.supply_id, t.date desc, t.id desc`,
  )
  await restorePurchaseCosts(db, actor, ids, bought, transaction.document)
}
