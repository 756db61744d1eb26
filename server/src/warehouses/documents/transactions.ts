import { type SQL, sql } from 'drizzle-orm'
import { documentAmounts, lineAmounts, taxOf } from '#contract/base/money.ts'
import { type Direction, PRICE_NOTE_IDS, PRICE_NOTES, typeName, typeNamed } from '#contract/warehouses/stock.ts'
import type {
  PostedLine,
  PriceNote,
  Recosted,
  Transaction,
  TransactionDocument,
  TransactionLine,
  TransactionList,
} from '#contract/warehouses/transactions.ts'
import type { WarehouseChoice } from '#contract/warehouses/warehouses.ts'
import { all, oneOf, oneOfIds, oneOfNames } from '../../platform/database/conditions.ts'
import { insertNumbered } from '../../platform/database/counters.ts'
import { batch, COMPANY, type Db, defer, rows } from '../../platform/database/db.ts'
import { listPage } from '../../platform/database/lists.ts'
import { havingWords, matches } from '../../platform/database/words.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { record } from '../../platform/operations/audit.ts'
import { invalid, notFound } from '../../platform/problems.ts'
import { providersWith } from '../../providers/providers.ts'
import { providersTable } from '../../providers/tables.ts'
import { restorePurchaseCosts } from '../../supplies/supplies.ts'
import { measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import { inScope } from '../../workshops/scope.ts'
import { toNumber } from '../stock/ledger.ts'
import type { Plan } from '../stock/stock.ts'
import { movementsTable, transactionLinesTable, transactionsTable, warehousesTable } from '../tables.ts'

/* Reading */

const TRANSFERS = [typeNamed('entry', 'transfer'), typeNamed('exit', 'transfer')]
/** What a note says, signed as it changes what was bought. */
export const noteAmount = (note: string, amount: string) =>
  sql.raw(`(case when ${note}."typeTrasactionId" = ${PRICE_NOTES.credit.id} then -${amount} else ${amount} end)`)
export const isStandingNote = (note: string) =>
  sql.raw(`(${note}."typeTrasactionId" in (${PRICE_NOTE_IDS.join()}) and ${note}.voided_at is null)`)
/** A purchase on credit that stands and lacks its document or its provider; the index of the same condition finds them. */
const INCOMPLETE = sql.raw(`(t.type = 'entry' and t."typeTrasactionId" = ${typeNamed('entry', 'purchase')}
  and t.voided_at is null and t.payment_type = 'Credit' and (t.document is null or t."providerId" is null))`)
const SELECT = sql`t.id, t.number, t.warehouse_id, w.name as warehouse_name, t.type, t."typeTrasactionId", t."typeInvoice",
  t.document, t.date, t.date_delivery, t.payment_type, t.reference, t."providerId", t.returns_id, t.invoice_date, t.note, p.name as provider_name,
  t.subtotal, t.tax, t.total, t.user_name, t.created_at, t.voided_at, t.voided_by, t.void_note,
  t.recosted, x.name as to_warehouse_name, case when t."typeTrasactionId" in ${sql.raw(`(${TRANSFERS.join()})`)} then (
    select jsonb_build_object('transaction_id', o.id, 'warehouse_id', o.warehouse_id, 'warehouse_name', ow.name,
      'sent', o.to_warehouse_id is not null)
    from ${transactionsTable} o join ${warehousesTable} ow on ow.company_id = o.company_id and ow.id = o.warehouse_id
    where o.company_id = ${COMPANY} and (o.id = t.transfer_id or o.transfer_id = t.id) and o.type <> t.type
      and (o.voided_at is null or t.voided_at is not null)
    order by o.voided_at is not null, o.id desc limit 1) end as other,
  case when t."typeTrasactionId" = ${sql.raw(String(typeNamed('entry', 'purchase')))} then (
    select jsonb_agg(jsonb_build_object('id', n.id, 'type', n.type, 'number', n.number, 'type_id', n."typeTrasactionId",
      'document', n.document, 'date', n.date, 'subtotal', n.subtotal, 'total', n.total) order by n.date, n.id)
    from ${transactionsTable} n where n.company_id = ${COMPANY} and n.returns_id = t.id
      and ${isStandingNote('n')}) end as noted`
const FROM = sql`${transactionsTable} t
  left join ${warehousesTable} w on w.company_id = t.company_id and w.id = t.warehouse_id
  left join ${providersTable} p on p.company_id = t.company_id and p.id = t."providerId"
  left join ${warehousesTable} x on x.company_id = t.company_id and x.id = t.to_warehouse_id`

interface NoteRow extends Omit<PriceNote, 'code' | 'kind'> {
  type: Direction
  number: number
  type_id: number
}
const noteOf = ({ type, number, type_id, ...note }: NoteRow): PriceNote => ({
  ...note,
  code: codeOf(type, number),
  kind: type_id === PRICE_NOTES.credit.id ? 'credit' : 'debit',
})

interface Flat
  extends Omit<
    Transaction,
    | 'code'
    | 'type_name'
    | 'state'
    | 'transaction'
    | 'supplies'
    | 'transfer'
    | 'between_workshops'
    | 'in_transit'
    | 'notes'
  > {
  number: number
  typeTrasactionId: number
  typeInvoice: Transaction['transaction']['typeInvoice']
  document: string | null
  date: string
  date_delivery: string | null
  payment_type: Transaction['transaction']['payment_type']
  reference: string | null
  providerId: number | null
  returns_id: number | null
  invoice_date: string | null
  note: string | null
  noted: NoteRow[] | null
  /** `sent`: the other side is an exit to another workshop. */
  other: (NonNullable<Transaction['transfer']> & { sent: boolean }) | null
}

export const codeOf = (type: Direction, number: number) =>
  `${type === 'entry' ? 'ENT' : 'SAL'}-${String(number).padStart(6, '0')}`

type OfTransaction = PostedLine & { transaction_id: number }

const linesOf = (db: Db, actor: Actor, ids: number[]) =>
  rows<OfTransaction>(
    db,
    sql`select l.transaction_id, l.id, l.supply_id, s.code, s.name, m.name as unit, l.quantity, l.unit_cost, l.tax_type,
          l.net_cost, l.tax, l.total_cost
        from ${transactionLinesTable} l
        join ${suppliesTable} s on s.company_id = l.company_id and s.id = l.supply_id
        left join ${measurementUnitsTable} m on m.company_id = s.company_id and m.id = s.measurement_units_id
        where l.company_id = ${actor.company_id} and l.transaction_id = ${oneOfIds(ids)}
        order by l.id`,
  )

function withLines(found: Flat[], lines: OfTransaction[]): Transaction[] {
  const byTransaction = Map.groupBy(lines, (line) => line.transaction_id)
  return found.map(
    ({
      typeTrasactionId,
      typeInvoice,
      document,
      date,
      date_delivery,
      payment_type,
      reference,
      providerId,
      returns_id,
      invoice_date,
      note,
      noted,
      other,
      number,
      ...t
    }) => ({
      ...t,
      code: codeOf(t.type, number),
      type_name: typeName(typeTrasactionId),
      state: t.voided_at ? 'voided' : 'posted',
      transaction: {
        typeTrasactionId,
        typeInvoice,
        document,
        date,
        date_delivery,
        payment_type,
        reference,
        providerId,
        returns_id,
        invoice_date,
        note,
      },
      notes: (noted ?? []).map(noteOf),
      supplies: (byTransaction.get(t.id) ?? []).map(({ transaction_id, ...line }) => line),
      transfer: other && {
        transaction_id: other.transaction_id,
        warehouse_id: other.warehouse_id,
        warehouse_name: other.warehouse_name,
      },
      between_workshops: t.to_warehouse_name !== null || other?.sent === true,
      in_transit: t.to_warehouse_name !== null && other === null && t.voided_at === null,
    }),
  )
}

export async function listTransactions(db: Db, actor: Actor, query: TransactionList) {
  const { filter } = query
  const [from, to] = (filter.BetweenDate ?? '').split(',')
  const asked = all([
    inScope(actor, sql`t`, filter.WorkshopId),
    oneOf(sql`t.warehouse_id`, query.warehouse === undefined ? filter.Warehouse : [query.warehouse]),
    oneOf(sql`t.type`, query.type === undefined ? filter.Type : [query.type]),
    oneOf(sql`t."typeTrasactionId"`, filter.TypeTransaction),
    oneOf(sql`t."providerId"`, filter.Provider),
    filter.State?.length === 1
      ? sql`t.voided_at is ${sql.raw(filter.State[0] === 'voided' ? 'not null' : 'null')}`
      : undefined,
    filter.Incomplete?.length ? INCOMPLETE : undefined,
    from && to ? sql`t.date between ${from.slice(0, 10)}::date and ${to.slice(0, 10)}::date` : undefined,
  ])
  const words = worded(actor, query, asked)
  const where = words ? all([asked, await havingWords(db, sql`t`, words)]) : asked
  const found = await listPage<Flat>(db, query, {
    select: SELECT,
    from: FROM,
    where,
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
  const ids = found.data.map(({ id }) => id)
  return { ...found, data: withLines(found.data, await linesOf(db, actor, ids)) }
}

/** Those that have the words, or whose provider has, or of that number. */
function worded(actor: Actor, { filter }: TransactionList, asked: SQL) {
  const search = filter.Search?.replace(/^(ent|sal)-0*/i, '')
  const words = matches(sql`t.search`, search)
  if (!words) return undefined
  const providers = providersWith(actor, search)
  const number = sql`t.number = ${/^\d{1,9}$/.test(search ?? '') ? Number(search) : 0}`
  const of = (which: SQL) => sql`select t.id from ${transactionsTable} t where ${asked} and ${which}`
  return {
    search,
    has: [words, sql`t."providerId" in (${providers})`, number],
    ids: [
      sql`select t.id from searched_transactions t where ${asked} and ${words}`,
      of(sql`t."providerId" = any(array(${providers}))`),
      of(sql`t.type ${oneOfNames(['entry', 'exit'])} and ${number}`),
    ],
    recent: sql`select t.* from ${transactionsTable} t where ${asked} order by t.date desc, t.id desc`,
  }
}

export async function findTransactions(db: Db, actor: Actor, ids: number[]): Promise<Transaction[]> {
  const { headers, lines } = await batch({
    headers: rows<Flat>(
      db,
      sql`select ${SELECT} from ${FROM}
            where ${inScope(actor, sql`t`)} and t.id = ${oneOfIds(ids)} order by t.id`,
    ),
    lines: linesOf(db, actor, ids),
  })
  return withLines(headers, lines)
}

export async function requireTransaction(db: Db, actor: Actor, id: number): Promise<Transaction> {
  const [found] = await findTransactions(db, actor, [id])
  if (!found) throw notFound()
  return found
}

/** Later movements that now cost something else, because this document was dated before them. */
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

/* Writing */

/** Supplies of the warehouse's workshop; only what is in use may come in. */
export async function requireSupplies(
  db: Db,
  actor: Actor,
  warehouse: Pick<WarehouseChoice, 'workshop_id'>,
  lines: readonly { supply_id: number }[],
  incoming: boolean,
  field?: string,
) {
  const check = await suppliesNamed(db, actor, lines, field)
  check(warehouse, incoming)
}

/** The same in two steps: what they are, and then whether that will do. */
export async function suppliesNamed(db: Db, actor: Actor, lines: readonly { supply_id: number }[], field = 'supplies') {
  const found = await rows<{ id: number; workshop_id: number; active: boolean }>(
    db,
    sql`select s.id, s.workshop_id, s.state = 'active' as active from ${suppliesTable} s
        where s.company_id = ${actor.company_id} and s.id = any(${sql.param(lines.map((line) => line.supply_id))}::bigint[])`,
  )
  const known = new Map(found.map((supply) => [supply.id, supply]))
  return ({ workshop_id }: Pick<WarehouseChoice, 'workshop_id'>, incoming: boolean) =>
    refuseWrong(
      lines,
      field,
      (id) => (known.get(id)?.workshop_id === workshop_id ? known.get(id) : undefined),
      incoming,
    )
}

function refuseWrong(
  lines: readonly { supply_id: number }[],
  field: string,
  find: (id: number) => { active: boolean } | undefined,
  incoming: boolean,
) {
  const wrong: Record<string, string> = {}
  lines.forEach((line, i) => {
    const supply = find(line.supply_id)
    if (!supply) wrong[`${field}.${i}.supply_id`] = 'Elija un insumo de la lista.'
    else if (incoming && !supply.active) wrong[`${field}.${i}.supply_id`] = 'El insumo está desactivado.'
  })
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
}

/** What the notes of an entry add to, or take off, the price of a unit of what it brought. */
export const notedPriceChange = (entry: SQL, supply: SQL) => sql`(
  select max(n.created_at) as at, round(sum(${noteAmount('n', 'd.net_cost')}) / max(d.quantity), 4) as more
  from ${transactionsTable} n join ${transactionLinesTable} d on d.company_id = n.company_id and d.transaction_id = n.id
  where n.company_id = ${COMPANY} and n.returns_id = ${entry}.id and ${isStandingNote('n')} and d.supply_id = ${supply})`

/** A purchase that was voided says no more what its supplies cost: what the others say, or what was set by hand since. */
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
          and t."typeTrasactionId" = ${typeNamed('entry', 'purchase')} and t.voided_at is null
        order by l.supply_id, t.date desc, t.id desc`,
  )
  await restorePurchaseCosts(db, actor, ids, bought, transaction.document)
}

export type DocumentHeader = Pick<TransactionDocument, 'typeTrasactionId'> &
  Partial<Omit<TransactionDocument, 'typeTrasactionId' | 'date'>> & {
    type: Direction
    date: string
    transfer_id?: number
    to_warehouse_id?: number
  }

/** A line as it is written; one that came from another workshop says what it was there. */
export type DocumentLine = Pick<TransactionLine, 'supply_id' | 'quantity' | 'tax_type'> & {
  from_supply_id?: number
  reason?: string | null
  /** What its paper says, where that is not quantity × cost. */
  net?: number
}

/** The document and its lines, at the costs that the plan gives them. */
export async function insertDocument(
  db: Db,
  actor: Actor,
  warehouse: WarehouseChoice,
  header: DocumentHeader,
  supplies: readonly DocumentLine[],
  { movements, replays }: Pick<Plan, 'replays'> & { movements: { unit_cost: bigint }[] },
  first = 0,
): Promise<number> {
  const lines = supplies.map((line, i) => {
    const unit_cost = toNumber(movements[first + i]!.unit_cost)
    const { net, tax_type } = line
    if (net === undefined) return { ...line, unit_cost, ...lineAmounts({ ...line, unit_cost }) }
    const tax = taxOf(net, tax_type)
    return { ...line, unit_cost, net_cost: net, tax, total_cost: net + tax }
  })
  const { subtotal, tax, total } = documentAmounts(lines)
  const { transfer_id, to_warehouse_id, type } = header
  const document = {
    type,
    typeTrasactionId: header.typeTrasactionId,
    typeInvoice: header.typeInvoice ?? null,
    document: header.document ?? null,
    date: header.date,
    date_delivery: header.date_delivery ?? null,
    payment_type: header.payment_type ?? null,
    reference: header.reference ?? null,
    providerId: header.providerId ?? null,
    returns_id: header.returns_id ?? null,
    note: header.note ?? null,
    subtotal,
    tax,
    total,
    recosted: replays.reduce((sum, { recosted }) => sum + recosted.length, 0),
    user_name: actor.user_name,
  }
  const { id, number } = await insertNumbered(db, type, transactionsTable, {
    company_id: actor.company_id,
    workshop_id: warehouse.workshop_id,
    warehouse_id: warehouse.id,
    ...document,
    transfer_id,
    to_warehouse_id,
    user_id: actor.user_id,
  })
  const column = <T>(of: (line: (typeof lines)[number]) => T) => sql.param(lines.map(of))
  await defer(
    db,
    rows(
      db,
      sql`insert into ${transactionLinesTable} (company_id, transaction_id, supply_id, quantity, unit_cost, tax_type,
          net_cost, tax, total_cost, from_supply_id, reason)
        select ${actor.company_id}::bigint, ${id}::bigint, l.* from unnest(${column((l) => l.supply_id)}::bigint[],
          ${column((l) => l.quantity)}::numeric[], ${column((l) => l.unit_cost)}::numeric[], ${column((l) => l.tax_type)}::text[],
          ${column((l) => l.net_cost)}::numeric[], ${column((l) => l.tax)}::numeric[], ${column((l) => l.total_cost)}::numeric[],
          ${column((l) => l.from_supply_id ?? null)}::bigint[], ${column((l) => l.reason ?? null)}::text[]) as l
        returning company_id`,
    ),
  )
  const after = { code: codeOf(type, number), document: document.document, total }
  await record(db, actor, 'transaction', id, 'created', {}, after)
  return id
}

/** The amount to pay for purchases changed, or they are being voided: whoever keeps payments may refuse that. */
export const PURCHASES_CHANGED = 'warehouses.purchases-changed'

/** Whoever keeps what is owed has a word about this document. */
export const markPaymentStated = (db: Db, company_id: number, id: number) =>
  rows(
    db,
    sql`update ${transactionsTable} set payment_said = true
        where company_id = ${company_id} and id = ${id} and not payment_said`,
  )
