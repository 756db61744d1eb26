import { type SQL, sql } from 'drizzle-orm'
import { COST_ADJUSTMENT } from '#contract/warehouses/stock.ts'
import type {
  SentLine,
  SentTransfer,
  SentTransferList,
  SentTransferSheet,
  TransferState,
  TransferWay,
} from '#contract/warehouses/transfers.ts'
import { all, literal, oneOf } from '../../platform/database/conditions.ts'
import { COMPANY, type Db, row, rows } from '../../platform/database/db.ts'
import { listPage } from '../../platform/database/lists.ts'
import { matches } from '../../platform/database/words.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { notFound } from '../../platform/problems.ts'
import { measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import { workshopsTable } from '../../workshops/tables.ts'
import { codeOf } from '../documents/transactions.ts'
import { movementsTable, transactionLinesTable, transactionsTable, warehousesTable } from '../tables.ts'

/* Transfers between workshops, as both ends see them: an exit at the sender, and an entry at the receiver once it came. */

const standing = (as: SQL, type: SQL) => sql`left join ${transactionsTable} ${as} on ${as}.company_id = t.company_id
  and ${as}.transfer_id = t.id and ${as}.type = ${type} and ${as}.voided_at is null`
const FROM = sql`${transactionsTable} t
  join ${warehousesTable} w on w.company_id = t.company_id and w.id = t.warehouse_id
  join ${workshopsTable} k on k.company_id = t.company_id and k.id = w.workshop_id
  join ${warehousesTable} x on x.company_id = t.company_id and x.id = t.to_warehouse_id
  join ${workshopsTable} z on z.company_id = t.company_id and z.id = x.workshop_id
  ${standing(sql`e`, sql`'entry'`)} ${standing(sql`d`, sql`'exit'`)}`
/** The value that a document moved, with its cost adjustments. */
const documentValue = (id: SQL) => sql`(select round(abs(sum(m.value))) from ${movementsTable} m
  where m.company_id = ${COMPANY} and m.transaction_id = ${id} and not m.is_void
    and (m.quantity <> 0 or m."typeTrasactionId" = ${COST_ADJUSTMENT.id}))`
const VALUE = documentValue(sql`t.id`)
const STATES: Record<TransferState, SQL> = {
  cancelled: sql`t.voided_at is not null`,
  sent: sql`t.voided_at is null and e.id is null`,
  difference: sql`t.voided_at is null and e.id is not null and d.id is not null`,
  received: sql`t.voided_at is null and e.id is not null and d.id is null`,
}
const STATE = sql`case ${sql.join(
  Object.entries(STATES).map(([state, condition]) => sql`when ${condition} then ${literal(state)}`),
  sql` `,
)} end`
const SELECT = sql`t.id, t.number, ${STATE} as state, t.warehouse_id, w.name as warehouse_name, w.workshop_id,
  k.name as workshop_name, t.to_warehouse_id, x.name as to_warehouse_name, x.workshop_id as to_workshop_id,
  z.name as to_workshop_name, t.document, t.reference, t.note, t.date, t.created_at as sent_at, t.user_name as sent_by,
  e.created_at as received_at, e.user_name as received_by, e.id as receipt_id, e.number as receipt_number,
  d.id as loss_id, d.number as loss_number,
  (select count(*) from ${transactionLinesTable} l where l.company_id = ${COMPANY} and l.transaction_id = t.id) as lines_count,
  ${VALUE} as value, coalesce(${documentValue(sql`d.id`)}, 0) as missing_value`

type TransferRow = Omit<SentTransfer, 'code' | 'receipt_code' | 'loss_code'> & {
  number: number
  receipt_number: number | null
  loss_number: number | null
}
const toTransfer = ({ number, receipt_number, loss_number, ...transfer }: TransferRow): SentTransfer => ({
  ...transfer,
  code: codeOf('exit', number),
  receipt_code: receipt_number === null ? null : codeOf('entry', receipt_number),
  loss_code: loss_number === null ? null : codeOf('exit', loss_number),
})

type Ends = Record<TransferWay, SQL | undefined>
/** The sending and the receiving workshop is that of the actor, or one of the filter. */
function endsIn(actor: Actor, filter?: number[]): Ends {
  const workshops = actor.workshop_id === null ? filter : [actor.workshop_id]
  return { out: oneOf(sql`w.workshop_id`, workshops), in: oneOf(sql`x.workshop_id`, workshops) }
}
const either = (ends: Ends) => ends.in && ends.out && sql`(${ends.in} or ${ends.out})`
const inScopeOfEither = (actor: Actor, filter?: number[]) =>
  all([sql`t.company_id = ${actor.company_id} and t.to_warehouse_id is not null`, either(endsIn(actor, filter))])

export async function listTransfers(db: Db, actor: Actor, query: SentTransferList) {
  const page = await listPage<TransferRow>(db, query, {
    select: SELECT,
    from: FROM,
    where: filtersOf(actor, query.filter),
    sorts: {
      date: sql`t.date`,
      code: sql`t.number`,
      warehouse_name: sql`w.name`,
      to_warehouse_name: sql`x.name`,
      value: VALUE,
      sent_at: sql`t.created_at`,
    } satisfies Record<string, SQL>,
    order: sql`t.id desc`,
    id: sql`t.id`,
  })
  return { ...page, data: page.data.map(toTransfer) }
}

function filtersOf(actor: Actor, filter: SentTransferList['filter']) {
  const search = filter.Search?.replace(/^sal-0*/i, '')
  const words = matches(sql`t.search`, search)
  const number = /^\d{1,9}$/.test(search ?? '') ? Number(search) : 0
  const [since, until] = (filter.BetweenDate ?? '').split(',')
  const ends = filter.Warehouse?.length
    ? { out: oneOf(sql`t.warehouse_id`, filter.Warehouse), in: oneOf(sql`t.to_warehouse_id`, filter.Warehouse) }
    : endsIn(actor, filter.WorkshopId)
  const [way] = filter.Way?.length === 1 ? filter.Way : []
  return all([
    inScopeOfEither(actor, filter.WorkshopId),
    way ? ends[way] : either(ends),
    inStates(filter.State),
    since && until ? sql`t.date between ${since.slice(0, 10)}::date and ${until.slice(0, 10)}::date` : undefined,
    words && sql`((${words}) or t.number = ${number})`,
  ])
}

function inStates(states: TransferState[] | undefined) {
  if (!states?.length) return undefined
  return sql`(${sql.join(
    states.map((state) => sql`(${STATES[state]})`),
    sql` or `,
  )})`
}

/** `to` is the same supply at the other end: as it was received, or else the one with its code. */
export type SentLineRow = SentLine & { to_active: boolean; quantity_text: string; value_text: string }

export const linesOf = (db: Db, actor: Actor, { id, receipt_id, loss_id, to_workshop_id }: SentTransfer) =>
  rows<SentLineRow>(
    db,
    sql`select l.supply_id, s.code, s.name, u.name as unit, l.quantity,
          case when a.value = 0 then l.unit_cost else round((-m.value - a.value) / l.quantity, 4) end as unit_cost,
          round(-m.value - a.value) as value,
          case when r.id is not null then r.quantity - coalesce(d.quantity, 0) end as received,
          coalesce(d.quantity, 0) as missing, d.reason, (-m.quantity)::text as quantity_text, (-m.value - a.value)::text as value_text,
          coalesce(o.state = 'active', true) as to_active, case when o.id is not null then jsonb_build_object(
            'supply_id', o.id, 'code', o.code, 'name', o.name, 'unit', v.name) end as "to"
        from ${transactionLinesTable} l
        join ${suppliesTable} s on s.company_id = l.company_id and s.id = l.supply_id
        left join ${measurementUnitsTable} u on u.company_id = s.company_id and u.id = s.measurement_units_id
        join ${movementsTable} m on m.company_id = l.company_id and m.transaction_id = l.transaction_id
          and m.supply_id = l.supply_id and not m.is_void and m.quantity <> 0
        cross join lateral (
          select coalesce(sum(v.value), 0) as value from ${movementsTable} v
          where v.company_id = ${COMPANY} and v.transaction_id = l.transaction_id and v.supply_id = l.supply_id
            and v."typeTrasactionId" = ${COST_ADJUSTMENT.id} and not v.is_void) a
        left join ${transactionLinesTable} r on r.company_id = l.company_id and r.transaction_id = ${receipt_id}
          and r.from_supply_id = l.supply_id
        left join ${transactionLinesTable} d on d.company_id = l.company_id and d.transaction_id = ${loss_id}
          and d.from_supply_id = l.supply_id
        cross join lateral (select coalesce(r.supply_id, (
          select c.id from ${suppliesTable} c where c.company_id = ${COMPANY} and c.workshop_id = ${to_workshop_id}
            and lower(c.code) = lower(s.code))) as id offset 0) k
        left join ${suppliesTable} o on o.company_id = ${COMPANY} and o.id = k.id
        left join ${measurementUnitsTable} v on v.company_id = o.company_id and v.id = o.measurement_units_id
        where l.company_id = ${actor.company_id} and l.transaction_id = ${id} order by l.id`,
  )

export async function findTransfer(db: Db, actor: Actor, id: number): Promise<SentTransfer> {
  const transfer = await row<TransferRow>(
    db,
    sql`select ${SELECT} from ${FROM} where ${inScopeOfEither(actor)} and t.id = ${id}`,
  )
  if (!transfer) throw notFound()
  return toTransfer(transfer)
}

export async function requireTransfer(db: Db, actor: Actor, id: number): Promise<SentTransferSheet> {
  const transfer = await findTransfer(db, actor, id)
  const lines = await linesOf(db, actor, transfer)
  return { ...transfer, supplies: lines.map(({ to_active: _, quantity_text: __, value_text: ___, ...line }) => line) }
}
