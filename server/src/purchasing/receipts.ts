import { sql } from 'drizzle-orm'
import { showCost, showQuantity } from '#contract/base/money.ts'
import { CONFIRM_RECEIPT, PURCHASE_STATES, type PurchaseOrder, type Receipt } from '#contract/purchasing/purchasing.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import {
  type Completion,
  type NewTransaction,
  TRANSACTION_STATES,
  type Transaction,
} from '#contract/warehouses/transactions.ts'
import { COMPANY, type Db, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid, Problem } from '../platform/problems.ts'
import { completeTransaction } from '../warehouses/documents/completing.ts'
import { recordTransaction } from '../warehouses/documents/recording.ts'
import { findTransactions } from '../warehouses/documents/transactions.ts'
import { voidTransaction } from '../warehouses/documents/voids.ts'
import { settingsOf } from '../workshops/company.ts'
import { moveStatus, requirePurchaseOrder } from './purchase-orders.ts'
import { purchaseOrderLinesTable, purchaseReceiptsTable } from './tables.ts'

/** Receiving: an entry for all or part of an order, in the same transaction as its status. */
export async function receivePurchaseOrder(
  db: Db,
  actor: Actor,
  id: number,
  receipt: Receipt,
): Promise<{ order: PurchaseOrder; transaction: Transaction }> {
  const order = await requirePurchaseOrder(db, actor, id, true)
  if (!PURCHASE_STATES[order.status].receivable)
    throw new Problem(422, `Una orden ${PURCHASE_STATES[order.status].label.toLowerCase()} no se puede recibir.`)
  const supplies = pricedAs(order, receipt)
  if (!receipt.confirmed) requireAsOrdered(order, supplies)
  await requireApproval(db, actor, order, supplies)
  const entered = await rows<{ transaction_id: number }>(
    db,
    sql`select transaction_id from ${purchaseReceiptsTable} where company_id = ${actor.company_id} and purchase_order_id = ${id}`,
  )
  const what: NewTransaction = {
    warehouse_id: order.warehouse_id,
    type: 'entry',
    transaction: {
      ...receipt.transaction,
      typeTrasactionId: typeNamed('entry', 'purchase'),
      providerId: order.provider_id,
    },
    supplies,
  }
  const siblings = entered.map(({ transaction_id }) => transaction_id)
  const transaction = await recordTransaction(db, actor, what, siblings)
  await db
    .insert(purchaseReceiptsTable)
    .values({ company_id: actor.company_id, purchase_order_id: id, transaction_id: transaction.id })
  return { order: await countReceived(db, actor, id), transaction }
}

type Line = Receipt['supplies'][number]

/** What says no price is received at the order's. */
const pricedAs = (order: PurchaseOrder, receipt: Receipt): Line[] =>
  receipt.supplies.map((line) => {
    const ordered = order.supplies.find(({ supply_id }) => supply_id === line.supply_id)
    return { ...line, unit_cost: line.unit_cost ?? ordered?.unit_cost ?? 0 }
  })

/** More than is outstanding, at another price, or never ordered: shown under each line until somebody confirms. */
function requireAsOrdered(order: PurchaseOrder, supplies: Line[]) {
  const errors: Record<string, string[]> = {}
  supplies.forEach((line, i) => {
    const ordered = order.supplies.find(({ supply_id }) => supply_id === line.supply_id)
    if (!ordered) {
      errors[`supplies.${i}.supply_id`] = ['Este insumo no está en la orden.']
      return
    }
    if (line.quantity > ordered.outstanding)
      errors[`supplies.${i}.quantity`] = [`Se esperaban ${showQuantity(ordered.outstanding)}.`]
    if (line.unit_cost !== ordered.unit_cost)
      errors[`supplies.${i}.unit_cost`] = [`El precio pedido es ${showCost(ordered.unit_cost)}.`]
  })
  if (Object.keys(errors).length > 0)
    throw new Problem(422, CONFIRM_RECEIPT, { errors: { ...errors, confirmed: [CONFIRM_RECEIPT] } })
}

/** Far above what was approved is received by those who approve; to confirm it is not to approve it. */
async function requireApproval(db: Db, actor: Actor, order: PurchaseOrder, supplies: Line[]) {
  if (actor.may.has('purchasing.approve')) return
  const { receipt_tolerance } = await settingsOf(db, actor)
  const isFarAbove = (is: number, approved: number) => is * 100 > approved * (100 + receipt_tolerance)
  const errors: Record<string, string> = {}
  supplies.forEach((line, i) => {
    const ordered = order.supplies.find(({ supply_id }) => supply_id === line.supply_id)
    const above = `Supera en más de un ${receipt_tolerance} % lo aprobado: lo recibe quien aprueba órdenes de compra.`
    if (!ordered) errors[`supplies.${i}.supply_id`] = 'No está en la orden: lo recibe quien aprueba órdenes de compra.'
    else {
      if (isFarAbove(ordered.received + line.quantity, ordered.quantity)) errors[`supplies.${i}.quantity`] = above
      if (isFarAbove(line.unit_cost ?? 0, ordered.unit_cost)) errors[`supplies.${i}.unit_cost`] = above
    }
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** What stands received, from the entries that were not voided, and the status that follows from it. */
async function countReceived(db: Db, actor: Actor, id: number): Promise<PurchaseOrder> {
  const ids = await rows<{ transaction_id: number }>(
    db,
    sql`select transaction_id from ${purchaseReceiptsTable} where company_id = ${actor.company_id} and purchase_order_id = ${id}`,
  )
  const entries = await findTransactions(
    db,
    actor,
    ids.map(({ transaction_id }) => transaction_id),
  )
  const standing = entries.filter(({ state }) => TRANSACTION_STATES[state].standing).flatMap(({ supplies }) => supplies)
  const bySupply = Map.groupBy(standing, ({ supply_id }) => supply_id)
  // Four decimals each: whole ten-thousandths add up exactly.
  const received = [...bySupply].map(([supply_id, lines]) => ({
    supply_id,
    quantity: lines.reduce((sum, line) => sum + Math.round(line.quantity * 10_000), 0) / 10_000,
  }))
  await rows(
    db,
    sql`update ${purchaseOrderLinesTable} l set received = coalesce(
          (select n.quantity from unnest(${sql.param(received.map((r) => r.supply_id))}::bigint[],
            ${sql.param(received.map((r) => r.quantity))}::numeric[]) as n (supply_id, quantity) where n.supply_id = l.supply_id), 0)
        where l.company_id = ${actor.company_id} and l.purchase_order_id = ${id}`,
  )
  const order = await requirePurchaseOrder(db, actor, id)
  const isComplete = order.supplies.every((line) => line.received >= line.quantity)
  const status = isComplete ? 'received' : received.length > 0 ? 'partially_received' : 'approved'
  return moveStatus(db, actor, order, status)
}

/** One invoice may cover all that came of an order: its other entries may have the document that this one lacked. */
export async function completeEntry(db: Db, actor: Actor, id: number, what: Completion): Promise<Transaction> {
  const entries = await rows<{ transaction_id: number }>(
    db,
    sql`select r.transaction_id from ${purchaseReceiptsTable} r where r.company_id = ${actor.company_id}
          and r.purchase_order_id in (select o.purchase_order_id from ${purchaseReceiptsTable} o
            where o.company_id = ${COMPANY} and o.transaction_id = ${id})`,
  )
  const siblings = entries.map(({ transaction_id }) => transaction_id)
  return completeTransaction(db, actor, id, what, siblings)
}

/** Voiding an entry that received an order makes the order wait for it again. */
export async function voidEntryOrExit(db: Db, actor: Actor, id: number, note: string | null): Promise<Transaction> {
  const receipt = await row<{ purchase_order_id: number }>(
    db,
    sql`select purchase_order_id from ${purchaseReceiptsTable} where company_id = ${actor.company_id} and transaction_id = ${id}`,
  )
  // The order first, as receiving does, so that the two wait for each other in one order.
  if (receipt) await requirePurchaseOrder(db, actor, receipt.purchase_order_id, true)
  const transaction = await voidTransaction(db, actor, id, note)
  if (receipt) await countReceived(db, actor, receipt.purchase_order_id)
  return transaction
}

export async function listReceipts(db: Db, actor: Actor, id: number) {
  await requirePurchaseOrder(db, actor, id)
  const ids = await rows<{ transaction_id: number }>(
    db,
    sql`select transaction_id from ${purchaseReceiptsTable} where company_id = ${actor.company_id} and purchase_order_id = ${id}`,
  )
  const data = await findTransactions(
    db,
    actor,
    ids.map(({ transaction_id }) => transaction_id),
  )
  return { data, total: data.length }
}
