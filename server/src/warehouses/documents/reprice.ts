import { type SQL, sql } from 'drizzle-orm'
import { divideHalfUp, lineAmounts, type TaxType } from '#contract/base/money.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import { type Db, numbers, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { fromText, toNumber } from '../stock/ledger.ts'
import { movementsTable, transactionLinesTable, transactionsTable } from '../tables.ts'

/* Documents without a price of their own (exits, transfers, returns to stock) take the unit costs of the ledger. */

const PRICED_BY_THE_LEDGER = [
  ...(['return', 'adjustment', 'transfer'] as const).map((kind) => typeNamed('entry', kind)),
  ...(['consumption', 'waste', 'adjustment', 'transfer'] as const).map((kind) => typeNamed('exit', kind)),
]

/** `|quantity × unit cost − value|` up to this is rounding: of the average, and of goods that leave bit by bit. */
const ROUNDING = (quantity: SQL) => sql`(0.001 + abs(${quantity}) * 0.0001)`

/** The unit cost that goes with a movement's value: the one written with it, unless a replay changed the value since. */
export const UNIT_COST = sql`case
  when m.quantity = 0 or abs(abs(m.quantity) * m.unit_cost - abs(m.value)) <= ${ROUNDING(sql`m.quantity`)} then m.unit_cost
  else round(abs(m.value / m.quantity), 4) end`

/** Movements whose documents have another price: older releases did not let documents follow the ledger. */
export async function movementsToReprice(db: Db, actor: Actor): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select m.id::text from ${transactionLinesTable} l
        join ${transactionsTable} t on t.company_id = l.company_id and t.id = l.transaction_id
        join ${movementsTable} m on m.company_id = l.company_id and m.transaction_id = l.transaction_id
          and m.supply_id = l.supply_id and m.quantity <> 0 and not m.is_void
        where l.company_id = ${actor.company_id} and t."typeTrasactionId" = any(${sql.param(PRICED_BY_THE_LEDGER)}::int[])
          and abs(l.quantity * l.unit_cost - abs(m.value)) > ${ROUNDING(sql`l.quantity`)}`,
  )
  return found.map(({ id }) => id)
}

/** Writes the lines and totals of the documents of these movements again, from the present values of the movements. */
export async function repriceDocuments(db: Db, actor: Actor, movements: readonly string[]) {
  if (movements.length === 0) return
  const found = await rows<{ id: number; transaction_id: number; quantity: number; value: string; tax_type: TaxType }>(
    db,
    sql`select l.id, l.transaction_id, l.quantity, abs(m.value)::text as value, l.tax_type from ${movementsTable} m
        join ${transactionLinesTable} l on l.company_id = m.company_id and l.transaction_id = m.transaction_id
          and l.supply_id = m.supply_id
        where m.company_id = ${actor.company_id} and m.id = any(${numbers(movements)}::bigint[])
          and not m.is_void and m.quantity <> 0`,
  )
  if (found.length === 0) return
  const lines = found.map(({ value, ...line }) => {
    const unit_cost = toNumber(divideHalfUp(fromText(value) * 10_000n, BigInt(Math.round(line.quantity * 10_000))))
    return { ...line, unit_cost, ...lineAmounts({ ...line, unit_cost }) }
  })
  const column = (of: (line: (typeof lines)[number]) => number) => numbers(lines.map(of))
  await rows(
    db,
    sql`update ${transactionLinesTable} l set unit_cost = n.unit_cost, net_cost = n.net_cost, tax = n.tax,
          total_cost = n.total_cost
        from unnest(${column((l) => l.id)}::bigint[], ${column((l) => l.unit_cost)}::numeric[],
          ${column((l) => l.net_cost)}::numeric[], ${column((l) => l.tax)}::numeric[],
          ${column((l) => l.total_cost)}::numeric[]) as n (id, unit_cost, net_cost, tax, total_cost)
        where l.company_id = ${actor.company_id} and l.id = n.id`,
  )
  await rows(
    db,
    sql`update ${transactionsTable} t set subtotal = n.subtotal, tax = n.tax, total = n.total
        from (
          select l.transaction_id, sum(l.net_cost) as subtotal, sum(l.tax) as tax, sum(l.total_cost) as total
          from ${transactionLinesTable} l where l.company_id = ${actor.company_id}
            and l.transaction_id = any(${column((l) => l.transaction_id)}::bigint[]) group by 1) n
        where t.company_id = ${actor.company_id} and t.id = n.transaction_id`,
  )
}
