import { type SQL, sql } from 'drizzle-orm'
import { type Direction, PRICE_NOTES, typeName, typeNamed } from '#contract/warehouses/stock.ts'
import type {
  PostedLine,
  PriceNote,
  Recosted,
  Transaction,
  TransactionList,
} from '#contract/warehouses/transactions.ts'
import { all, oneOf, oneOfIds, oneOfNames } from '../../platform/database/conditions.ts'
import { batch, COMPANY, type Db, rows } from '../../platform/database/db.ts'
import { listPage } from '../../platform/database/lists.ts'
import { havingWords, matches } from '../../platform/database/words.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { notFound } from '../../platform/problems.ts'
import { providersWith } from '../../providers/providers.ts'
import { providersTable } from '../../providers/tables.ts'
import { measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import { inScope } from '../../workshops/scope.ts'
import { movementsTable, transactionLinesTable, transactionsTable, warehousesTable } from '../tables.ts'
import { IS_INCOMPLETE, isStandingNote } from './purchases.ts'

/* Reading documents: entries and exits with their lines. */

const TRANSFERS = [typeNamed('entry', 'transfer'), typeNamed('exit', 'transfer')]
const SELECT = sql`t.id, t.number, t.warehouse_id, w.name as warehouse_name, t.type, p.name as provider_name,
  t.subtotal, t.tax, t.total, t.user_name, t.created_at, t.voided_at, t.voided_by, t.void_note,
  t.recosted, x.name as to_warehouse_name,
  jsonb_build_object('typeTrasactionId', t."typeTrasactionId", 'typeInvoice', t."typeInvoice", 'document', t.document,
    'date', t.date, 'date_delivery', t.date_delivery, 'payment_type', t.payment_type, 'reference', t.reference,
    'providerId', t."providerId", 'returns_id', t.returns_id, 'invoice_date', t.invoice_date, 'note', t.note) as transaction,
  case when t."typeTrasactionId" in ${TRANSFERS} then (
    select jsonb_build_object('transaction_id', o.id, 'warehouse_id', o.warehouse_id, 'warehouse_name', ow.name,
      'sent', o.to_warehouse_id is not null)
    from ${transactionsTable} o join ${warehousesTable} ow on ow.company_id = o.company_id and ow.id = o.warehouse_id
    where o.company_id = ${COMPANY} and (o.id = t.transfer_id or o.transfer_id = t.id) and o.type <> t.type
      and (o.voided_at is null or t.voided_at is not null)
    order by o.voided_at is not null, o.id desc limit 1) end as "otherSide",
  case when t."typeTrasactionId" = ${typeNamed('entry', 'purchase')} then (
    select jsonb_agg(jsonb_build_object('id', n.id, 'type', n.type, 'number', n.number, 'type_id', n."typeTrasactionId",
      'document', n.document, 'date', n.date, 'subtotal', n.subtotal, 'total', n.total) order by n.date, n.id)
    from ${transactionsTable} n where n.company_id = ${COMPANY} and n.returns_id = t.id
      and ${isStandingNote(sql`n`)}) end as "noteRows"`
const FROM = sql`${transactionsTable} t
  left join ${warehousesTable} w on w.company_id = t.company_id and w.id = t.warehouse_id
  left join ${providersTable} p on p.company_id = t.company_id and p.id = t."providerId"
  left join ${warehousesTable} x on x.company_id = t.company_id and x.id = t.to_warehouse_id`

/** `ENT-000123`, `SAL-000123`. */
export const codeOf = (type: Direction, number: number) =>
  `${type === 'entry' ? 'ENT' : 'SAL'}-${String(number).padStart(6, '0')}`

interface NoteRow extends Omit<PriceNote, 'code' | 'kind'> {
  type: Direction
  number: number
  type_id: number
}
const toNote = ({ type, number, type_id, ...note }: NoteRow): PriceNote => ({
  ...note,
  code: codeOf(type, number),
  kind: type_id === PRICE_NOTES.credit.id ? 'credit' : 'debit',
})

type Computed = 'code' | 'type_name' | 'state' | 'supplies' | 'transfer' | 'between_workshops' | 'in_transit' | 'notes'
interface HeaderRow extends Omit<Transaction, Computed> {
  number: number
  noteRows: NoteRow[] | null
  /** The other document of a transfer. `sent`: it is an exit to another workshop. */
  otherSide: (NonNullable<Transaction['transfer']> & { sent: boolean }) | null
}

type LineRow = PostedLine & { transaction_id: number }

const linesOf = (db: Db, actor: Actor, ids: number[]) =>
  rows<LineRow>(
    db,
    sql`select l.transaction_id, l.id, l.supply_id, s.code, s.name, m.name as unit, l.quantity, l.unit_cost, l.tax_type,
          l.net_cost, l.tax, l.total_cost
        from ${transactionLinesTable} l
        join ${suppliesTable} s on s.company_id = l.company_id and s.id = l.supply_id
        left join ${measurementUnitsTable} m on m.company_id = s.company_id and m.id = s.measurement_units_id
        where l.company_id = ${actor.company_id} and l.transaction_id = ${oneOfIds(ids)}
        order by l.id`,
  )

function toTransactions(headers: HeaderRow[], lines: LineRow[]): Transaction[] {
  const byTransaction = Map.groupBy(lines, (line) => line.transaction_id)
  return headers.map(({ noteRows, otherSide, number, ...header }) => {
    const isSent = header.to_warehouse_name !== null
    return {
      ...header,
      code: codeOf(header.type, number),
      type_name: typeName(header.transaction.typeTrasactionId),
      state: header.voided_at ? 'voided' : 'posted',
      notes: (noteRows ?? []).map(toNote),
      supplies: (byTransaction.get(header.id) ?? []).map(({ transaction_id, ...line }) => line),
      transfer: otherSide && {
        transaction_id: otherSide.transaction_id,
        warehouse_id: otherSide.warehouse_id,
        warehouse_name: otherSide.warehouse_name,
      },
      between_workshops: isSent || otherSide?.sent === true,
      in_transit: isSent && otherSide === null && header.voided_at === null,
    }
  })
}

export async function listTransactions(db: Db, actor: Actor, query: TransactionList) {
  const filters = filtersOf(actor, query)
  const words = wordsOf(actor, query, filters)
  const page = await listPage<HeaderRow>(db, query, {
    select: SELECT,
    from: FROM,
    where: words ? all([filters, await havingWords(db, sql`t`, words)]) : filters,
    sorts: {
      date: sql`t.date`,
      document: sql`t.document`,
      provider_name: sql`p.name`,
      type_name: sql`t."typeTrasactionId"`,
      total: sql`t.total`,
      created_at: sql`t.created_at`,
    } satisfies Record<string, SQL>,
    order: sql`t.date desc, t.id desc`,
    id: sql`t.id`,
    owner: sql`t.company_id = ${actor.company_id}`,
  })
  const ids = page.data.map(({ id }) => id)
  return { ...page, data: toTransactions(page.data, await linesOf(db, actor, ids)) }
}

function filtersOf(actor: Actor, { filter, warehouse, type }: TransactionList) {
  const [from, to] = (filter.BetweenDate ?? '').split(',')
  const states = { voided: sql`t.voided_at is not null`, posted: sql`t.voided_at is null` }
  return all([
    inScope(actor, sql`t`, filter.WorkshopId),
    oneOf(sql`t.warehouse_id`, warehouse === undefined ? filter.Warehouse : [warehouse]),
    oneOf(sql`t.type`, type === undefined ? filter.Type : [type]),
    oneOf(sql`t."typeTrasactionId"`, filter.TypeTransaction),
    oneOf(sql`t."providerId"`, filter.Provider),
    filter.State?.length === 1 ? states[filter.State[0]!] : undefined,
    filter.Incomplete?.length ? IS_INCOMPLETE : undefined,
    from && to ? sql`t.date between ${from.slice(0, 10)}::date and ${to.slice(0, 10)}::date` : undefined,
  ])
}

/** Documents that have the words, or that number, or whose provider has the words. */
function wordsOf(actor: Actor, { filter }: TransactionList, filters: SQL) {
  const search = filter.Search?.replace(/^(ent|sal)-0*/i, '')
  const words = matches(sql`t.search`, search)
  if (!words) return undefined
  const providers = providersWith(actor, search)
  const number = sql`t.number = ${/^\d{1,9}$/.test(search ?? '') ? Number(search) : 0}`
  const idsWith = (condition: SQL) => sql`select t.id from ${transactionsTable} t where ${filters} and ${condition}`
  return {
    search,
    has: [words, sql`t."providerId" in (${providers})`, number],
    ids: [
      sql`select t.id from searched_transactions t where ${filters} and ${words}`,
      idsWith(sql`t."providerId" = any(array(${providers}))`),
      idsWith(sql`t.type ${oneOfNames(['entry', 'exit'])} and ${number}`),
    ],
    recent: sql`select t.* from ${transactionsTable} t where ${filters} order by t.date desc, t.id desc`,
  }
}

/** Leaves out ids of documents that the actor may not see. */
export async function findTransactions(db: Db, actor: Actor, ids: number[]): Promise<Transaction[]> {
  const { headers, lines } = await batch({
    headers: rows<HeaderRow>(
      db,
      sql`select ${SELECT} from ${FROM}
          where ${inScope(actor, sql`t`)} and t.id = ${oneOfIds(ids)} order by t.id`,
    ),
    lines: linesOf(db, actor, ids),
  })
  return toTransactions(headers, lines)
}

export async function requireTransaction(db: Db, actor: Actor, id: number): Promise<Transaction> {
  const [transaction] = await findTransactions(db, actor, [id])
  if (!transaction) throw notFound()
  return transaction
}

/** Later movements that have another cost because this document was dated before them. */
export async function listRecosted(
  db: Db,
  actor: Actor,
  id: number,
  query: { page: number; per_page: number; sort?: string | undefined },
) {
  await requireTransaction(db, actor, id)
  return listPage<Recosted>(db, query, {
    select: sql`m.id, m.at, m.document, s.code, s.name, m.quantity, abs(m.posted_value) as cost_before, abs(m.value) as cost_after`,
    from: sql`${movementsTable} d
      join ${movementsTable} m on m.company_id = d.company_id and m.warehouse_id = d.warehouse_id
        and m.supply_id = d.supply_id and m.at >= d.at and m.recosted_by = d.transaction_id
      join ${suppliesTable} s on s.company_id = m.company_id and s.id = m.supply_id`,
    where: sql`d.company_id = ${actor.company_id} and d.transaction_id = ${id} and not d.is_void`,
    sorts: { at: sql`m.at` },
    order: sql`m.at, m.id`,
    id: sql`m.id`,
  })
}
