import { sql } from 'drizzle-orm'
import { documentAmounts, lineAmounts, taxOf } from '#contract/base/money.ts'
import type { Direction } from '#contract/warehouses/stock.ts'
import type { Transaction, TransactionDocument, TransactionLine } from '#contract/warehouses/transactions.ts'
import type { WarehouseChoice } from '#contract/warehouses/warehouses.ts'
import { insertNumbered } from '../../platform/database/counters.ts'
import { type Db, defer, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { record } from '../../platform/operations/audit.ts'
import { toNumber } from '../stock/ledger.ts'
import { countRecosted, type Plan, type PlannedMovement, write } from '../stock/stock.ts'
import { transactionLinesTable, transactionsTable } from '../tables.ts'
import { codeOf, requireTransaction } from './transactions.ts'

/* Writing a document: its row, its lines and its movements, in one transaction. */

export type DocumentHeader = Pick<TransactionDocument, 'typeTrasactionId'> &
  Partial<Omit<TransactionDocument, 'typeTrasactionId' | 'date'>> & {
    type: Direction
    date: string
    transfer_id?: number
    to_warehouse_id?: number
  }

export type DocumentLine = Pick<TransactionLine, 'supply_id' | 'quantity' | 'tax_type'> & {
  /** The supply that it was in the workshop that sent it. */
  from_supply_id?: number
  /** Why less arrived than was sent. */
  reason?: string | null
  /** The net amount, where that is not quantity × cost. */
  net?: number
}

interface NewDocument {
  warehouse: Pick<WarehouseChoice, 'id' | 'workshop_id'>
  header: DocumentHeader
}

/** Writes a document with the movements that are planned for its lines, in their order, and reads it. */
export async function createDocument(
  db: Db,
  actor: Actor,
  { warehouse, header, lines, planned }: NewDocument & { lines: readonly DocumentLine[]; planned: Plan },
): Promise<Transaction> {
  const transaction_id = await insertDocument(db, actor, {
    warehouse,
    header,
    lines: atPlannedCost(lines, planned.movements),
    recosted: countRecosted(planned),
  })
  const { typeTrasactionId, document = null } = header
  await write(db, actor, { typeTrasactionId, transaction_id, document }, planned)
  return requireTransaction(db, actor, transaction_id)
}

/** The lines with the unit costs of the movements planned for them. */
export const atPlannedCost = <T extends DocumentLine>(lines: readonly T[], movements: readonly PlannedMovement[]) =>
  lines.map((line, i) => ({ ...line, unit_cost: movements[i]!.unit_cost }))

/** Writes a document without movements, which the caller writes, and returns its id. */
export async function insertDocument(
  db: Db,
  actor: Actor,
  {
    warehouse,
    header,
    lines,
    recosted = 0,
  }: NewDocument & {
    /** `unit_cost` in ten-thousandths. */
    lines: readonly (DocumentLine & { unit_cost: bigint })[]
    /** The number of later movements that get another cost by this document. */
    recosted?: number
  },
): Promise<number> {
  const priced = lines.map(priceLine)
  const amounts = documentAmounts(priced)
  const { confirm_old: _, ...columns } = header
  const { id, number } = await insertNumbered(db, header.type, transactionsTable, {
    company_id: actor.company_id,
    workshop_id: warehouse.workshop_id,
    warehouse_id: warehouse.id,
    ...columns,
    ...amounts,
    recosted,
    user_id: actor.user_id,
    user_name: actor.user_name,
  })
  await defer(db, insertLines(db, actor, id, priced))
  const { type, document = null } = header
  const after = { code: codeOf(type, number), document, total: amounts.total }
  await record(db, actor, 'transaction', id, 'created', {}, after)
  return id
}

function priceLine(line: DocumentLine & { unit_cost: bigint }) {
  const { net, tax_type } = line
  const unit_cost = toNumber(line.unit_cost)
  if (net === undefined) return { ...line, unit_cost, ...lineAmounts({ ...line, unit_cost }) }
  const tax = taxOf(net, tax_type)
  return { ...line, unit_cost, net_cost: net, tax, total_cost: net + tax }
}

type PricedLine = ReturnType<typeof priceLine>

function insertLines(db: Db, actor: Actor, transaction_id: number, lines: PricedLine[]) {
  const column = <T>(of: (line: PricedLine) => T) => sql.param(lines.map(of))
  return rows(
    db,
    sql`insert into ${transactionLinesTable} (company_id, transaction_id, supply_id, quantity, unit_cost, tax_type,
          net_cost, tax, total_cost, from_supply_id, reason)
        select ${actor.company_id}::bigint, ${transaction_id}::bigint, l.* from unnest(${column((l) => l.supply_id)}::bigint[],
          ${column((l) => l.quantity)}::numeric[], ${column((l) => l.unit_cost)}::numeric[], ${column((l) => l.tax_type)}::text[],
          ${column((l) => l.net_cost)}::numeric[], ${column((l) => l.tax)}::numeric[], ${column((l) => l.total_cost)}::numeric[],
          ${column((l) => l.from_supply_id ?? null)}::bigint[], ${column((l) => l.reason ?? null)}::text[]) as l
        returning company_id`,
  )
}
