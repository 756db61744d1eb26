import { type SQL, sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import { TAXES } from '#contract/base/money.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import {
  mayBecome,
  OWED,
  PAID,
  PAYABLE_ACTIVITY_FIELDS,
  PAYABLE_BEGINS,
  PAYABLE_STATE_NAMES,
  PAYABLE_STATES,
  type Payable,
  type PayableEdit,
  type PayableList,
  type PayableState,
  type PayableTotals,
} from '#contract/work-orders/payables.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { COMPANY, type Db, one, row, rows } from '../platform/database/db.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { listActivity, record } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { invalid, notFound, Problem } from '../platform/problems.ts'
import { providersTable } from '../providers/tables.ts'
import { markPaymentStated } from '../warehouses/documents/purchases.ts'
import { PLAIN_DOCUMENT, transactionsTable, warehousesTable } from '../warehouses/tables.ts'
import { inScope } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import { CODE } from './access.ts'
import { withoutAmounts } from './orders/timeline.ts'
import {
  invoiceNotesTable,
  invoiceSharesTable,
  invoicesTable,
  payablesTable,
  paymentsTable,
  workOrdersTable,
} from './tables.ts'

/* What is owed to providers, whatever it was for. Only what somebody said of it is kept: the rest follows from its paper. */

/** Of an amount `n`, the IVA of the invoice `i`. */
export const invoiceTax = (n: SQL) =>
  sql`round(${n} * ${sql.raw(
    `case i.tax_type ${Object.entries(TAXES)
      .map(([type, { percent }]) => `when '${type}' then ${percent}`)
      .join(' ')} end`,
  )} / 100.0)`
/** When a paper `of` a provider `p` is due; `y` is what was said of it. */
export const dueDate = (date: SQL) => sql`coalesce(y.due_date, ${date} + p.payment_days)`
/** What is paid in cash needs no further word. */
export const payableState = (payment: SQL) =>
  sql`coalesce(y.state, case ${payment} when 'Cash' then ${sql.raw(`'${PAID}'`)} else ${sql.raw(`'${PAYABLE_BEGINS}'`)} end)`
/**
 * The amount that was paid of a document. One without payments counts as paid in full when its state says so: it was paid
 * in cash, or a release that knew no payments marked it.
 */
export const paidTotal = (payments: SQL, state: SQL, leftTotal: SQL) =>
  sql`coalesce(${payments}, case ${state} when ${sql.raw(`'${PAID}'`)} then ${leftTotal} else 0 end)`
export const SAID = sql`left join ${payablesTable} y on y.company_id = i.company_id and y.invoice_id = i.id`

const PURCHASE = sql.raw(String(typeNamed('entry', 'purchase')))

/** Where papers are looked for: in the tables, or among what was gathered of them before. */
interface Sources {
  providers: SQL
  said: SQL
  noted: SQL
  returned: SQL
  payments: SQL
  /** Which papers of a kind, where not all of them. */
  invoices?: SQL
  entries?: SQL
}
/** What the notes of an invoice add to it. */
const noted = sql`
  select n.invoice_id, sum((n.amount + ${invoiceTax(sql`n.amount`)}) * case n.kind when 'credit' then -1 else 1 end) as total
  from ${invoiceNotesTable} n join ${invoicesTable} i on i.company_id = n.company_id and i.id = n.invoice_id
  where n.company_id = ${COMPANY} group by 1`
/** What was returned of a purchase, and what its notes take from it. */
const returned = sql`
  select r.returns_id, sum(case when r.type = 'exit' then r.total else -r.total end) as total from ${transactionsTable} r
  where r.company_id = ${COMPANY} and r.returns_id is not null and r.voided_at is null group by 1`
/** Sums of payments by document; a document without payments has no row. */
const paymentSums = (where = sql`true`) => sql`
  select k.invoice_id, k.transaction_id, sum(k.amount) as total, max(k.paid_on) as paid_on from ${paymentsTable} k
  where k.company_id = ${COMPANY} and ${where} group by 1, 2`
const TABLES: Sources = {
  providers: sql`${providersTable}`,
  said: sql`${payablesTable}`,
  noted: sql`(${noted})`,
  returned: sql`(${returned})`,
  payments: sql`(${paymentSums()})`,
}
const OPEN: Sources = {
  providers: sql`sellers`,
  said: sql`said`,
  noted: sql`noted`,
  returned: sql`returned`,
  payments: sql`payment_sums`,
  invoices: sql`(select id from open_invoices)`,
  entries: sql`(select id from open_entries)`,
}
/**
 * What is owed, among all that was ever paid: papers of which that was said, and those of which nothing was. A state once said
 * is never taken back, only changed: a paper is marked once, and what was said of one that is not marked is looked up.
 */
const open = ({ company_id }: Actor, { Provider }: Asked) => {
  const unsaid = (paper: SQL, provider: SQL, of: SQL) => sql`
    ${all([sql`${paper}.company_id = ${company_id}`, oneOf(provider, Provider)])} and not ${paper}.payment_said
      and ${paper}.payment_type is distinct from 'Cash'
      and (select y.state from ${payablesTable} y where y.company_id = ${company_id} and ${of} = ${paper}.id) is null`
  return sql`
  noted as materialized (${noted}), returned as materialized (${returned}),
  said as materialized (
    select * from ${payablesTable} y where y.company_id = ${company_id} and y.state is distinct from 'paid'),
  sellers as materialized (
    select p.company_id, p.id, p.name, p.search, p.payment_days from ${providersTable} p where p.company_id = ${company_id}),
  open_invoices as materialized (
    select y.invoice_id as id from said y where y.invoice_id is not null and y.state is not null
    union all select i.id from ${invoicesTable} i where ${unsaid(sql`i`, sql`i.provider_id`, sql`y.invoice_id`)}),
  open_entries as materialized (
    select y.transaction_id as id from said y where y.transaction_id is not null and y.state is not null
    union all select t.id from ${transactionsTable} t where ${unsaid(sql`t`, sql`t."providerId"`, sql`y.transaction_id`)}
      and t.type = 'entry' and t."typeTrasactionId" = ${PURCHASE} and t.voided_at is null),
  payment_sums as materialized (
    ${paymentSums(sql`k.invoice_id = any(array(select id from open_invoices))`)}
    union all ${paymentSums(sql`k.transaction_id = any(array(select id from open_entries))`)}),`
}

const among = (id: SQL, papers: SQL | undefined) => papers && sql`${id} = any(array${papers})`

const services = (actor: Actor, filter: Asked, { providers, said, noted, payments, invoices }: Sources) => sql`
  select i.company_id, i.id * 2 as id, 'service' as kind, i.bill_invoice, i.document, i.date, ${dueDate(sql`i.date`)} as due_date,
    i.payment_type, i.provider_id, p.name as provider_name, p.search as provider_search, i.workshop_id, i.net,
    ${invoiceTax(sql`i.net`)} as tax, coalesce(m.total, 0) as more, ${payableState(sql`i.payment_type`)} as state, y.state_at,
    y.user_name as state_by, coalesce(k.paid_on, y.paid_on) as paid_on, k.total as payments_total, i.work_order_id, null::bigint as warehouse_id, null::bigint as entry_id, i.id as invoice_id
  from ${invoicesTable} i
  join ${providers} p on p.company_id = i.company_id and p.id = i.provider_id
  left join ${said} y on y.company_id = i.company_id and y.invoice_id = i.id
  left join ${noted} m on m.invoice_id = i.id
  left join ${payments} k on k.invoice_id = i.id
  where ${all([
    inScope(actor, sql`i`, filter.WorkshopId),
    oneOf(sql`i.provider_id`, filter.Provider),
    paperOf(sql`i`, 0, filter),
    among(sql`i.id`, invoices),
  ])}`

const purchases = (actor: Actor, filter: Asked, { providers, said, returned, payments, entries }: Sources) => sql`
  select t.company_id, t.id * 2 + 1, 'purchase', t."typeInvoice", t.document, coalesce(t.invoice_date, t.date), ${dueDate(sql`coalesce(t.invoice_date, t.date)`)},
    t.payment_type, t."providerId", p.name, p.search, t.workshop_id, t.subtotal, t.tax, -coalesce(m.total, 0),
    ${payableState(sql`t.payment_type`)}, y.state_at, y.user_name, coalesce(k.paid_on, y.paid_on), k.total, null,
    t.warehouse_id, t.id, null
  from ${transactionsTable} t
  join ${providers} p on p.company_id = t.company_id and p.id = t."providerId"
  left join ${said} y on y.company_id = t.company_id and y.transaction_id = t.id
  left join ${returned} m on m.returns_id = t.id
  left join ${payments} k on k.transaction_id = t.id
  where ${all([
    inScope(actor, sql`t`, filter.WorkshopId),
    oneOf(sql`t."providerId"`, filter.Provider),
    paperOf(sql`t`, 1, filter),
    among(sql`t.id`, entries),
  ])}
    and t.type = 'entry' and t."typeTrasactionId" = ${PURCHASE} and t.voided_at is null
    and t."typeInvoice" is not null and t.document is not null`

type Asked = Partial<Pick<PayableList['filter'], 'WorkshopId' | 'Provider'>> & { id?: number }

/** The paper behind one payable, by its own id; of the other kind none, which has the number 0. */
const paperOf = (paper: SQL, rest: 0 | 1, { id }: Asked) =>
  id === undefined ? undefined : sql`${paper}.id = ${id % 2 === rest ? Math.floor(id / 2) : 0}`

export const today = (actor: Actor) => dayOf(new Date(), actor.time_zone)
const isOverdue = (actor: Actor) => sql`(x.state = any(${sql.param(OWED)}) and x.due_date < ${today(actor)}::date)`

/** Papers as `x`, those that `where` keeps. */
const papers = (actor: Actor, filter: Asked, where: SQL, from = TABLES) => sql`
  select x.*, x.left_total - x.paid_total as balance, ${isOverdue(actor)} as overdue from (
    select x.*, ${paidTotal(sql`x.payments_total`, sql`x.state`, sql`x.left_total`)} as paid_total
    from (
      select x.*, x.net + x.tax as total, x.net + x.tax + x.more as left_total from (
        ${services(actor, filter, from)} union all ${purchases(actor, filter, from)}) x) x) x where ${where}`

/** Its orders, or its warehouse. */
const OF = sql`coalesce((select h.name from ${warehousesTable} h where h.company_id = ${COMPANY} and h.id = x.warehouse_id),
  (select string_agg(${CODE}, ', ' order by s.id) from ${invoiceSharesTable} s
    join ${workOrdersTable} o on o.company_id = s.company_id and o.id = s.work_order_id
    where s.company_id = ${COMPANY} and s.invoice_id = x.invoice_id))`
const WORKSHOP = sql`(select k.name from ${workshopsTable} k where k.company_id = x.company_id and k.id = x.workshop_id)`
const PAYMENTS = sql`(
  select coalesce(json_agg(json_build_object('id', k.id, 'amount', k.amount, 'paid_on', k.paid_on, 'user_name', k.user_name,
    'created_at', k.created_at, 'is_doubtful', k.is_doubtful) order by k.paid_on, k.id), '[]')
  from ${paymentsTable} k where k.company_id = ${COMPANY} and (k.invoice_id = x.invoice_id or k.transaction_id = x.entry_id))`
const SELECT = sql`x.id, x.kind, x.bill_invoice, x.document, x.date, x.due_date, x.overdue, x.payment_type, x.provider_id,
  x.provider_name, x.workshop_id, ${WORKSHOP} as workshop_name, x.net, x.tax, x.total, x.left_total, x.paid_total, x.balance,
  ${PAYMENTS} as payments, x.state, x.state_at, x.state_by, x.paid_on, x.work_order_id, x.warehouse_id, x.entry_id, ${OF} as of`

const SORTS: Record<string, SQL> = {
  of: OF,
  workshop_name: WORKSHOP,
  state: sql`array_position(${sql.param(PAYABLE_STATE_NAMES)}::text[], x.state)`,
}

interface Found extends PayableTotals {
  data: Payable[]
  total: number
}

/** One look at all papers gives the page, how many there are and what they add up to. */
export async function listPayables(db: Db, actor: Actor, query: PayableList) {
  const { filter, page, per_page, sort = 'due_date' } = query
  const [first, last] = filter.BetweenDate?.split(',').map((end) => end.slice(0, 10)) ?? []
  const anyState = filter.InFavour?.length ? PAYABLE_STATE_NAMES : OWED
  const states = filter.State?.length ? filter.State : anyState
  const isOpen = states.every((state) => PAYABLE_STATES[state].owed)
  const where = all([
    oneOf(sql`x.state`, states)!,
    oneOf(sql`x.kind`, filter.Kind),
    first && last ? sql`x.due_date >= ${first}::date and x.due_date <= ${last}::date` : undefined,
    filter.Overdue?.length ? isOverdue(actor) : undefined,
    filter.InFavour?.length ? sql`x.left_total < x.paid_total` : undefined,
    matches(sql`((${PLAIN_DOCUMENT}) || ' ' || x.provider_search)`, filter.Search),
  ])
  const by = sort.replace(/^-/, '')
  const order = sql`${SORTS[by] ?? sql`x.${sql.identifier(by)}`} ${sort.startsWith('-') ? sql`desc` : sql`asc`}, x.id`
  const { data, total, ...totals } = one(
    await (isOpen ? rows : rows)<Found>(
      db,
      sql`with ${isOpen ? open(actor, filter) : sql``} x as materialized (${papers(actor, filter, where, isOpen ? OPEN : TABLES)})
          select (select coalesce(json_agg(p), '[]') from (
              select ${SELECT} from x order by ${order} limit ${per_page} offset ${(page - 1) * per_page}) p) as data,
            count(*) as total, coalesce(sum(x.left_total), 0) as left_total, count(*) filter (where x.overdue) as overdue,
            coalesce(sum(greatest(x.balance, 0)), 0) as owed_total,
            coalesce(sum(greatest(-x.balance, 0)), 0) as favour_total,
            coalesce(sum(greatest(x.balance, 0)) filter (where x.overdue), 0) as overdue_total
          from x`,
    ),
  )
  return { data, total, page, per_page, totals }
}

export async function requirePayable(db: Db, actor: Actor, id: number): Promise<Payable> {
  const found = await row<Payable>(db, sql`select ${SELECT} from (${papers(actor, { id }, sql`x.id = ${id}`)}) x`)
  if (!found) throw notFound()
  return found
}

export async function payableActivity(db: Db, actor: Actor, id: number, page: { page: number; per_page: number }) {
  await requirePayable(db, actor, id)
  const activity = await listActivity(db, actor, 'payable', id, page)
  return actor.may.has('costs.read')
    ? activity
    : { ...activity, data: activity.data.map((one) => withoutAmounts(one, PAYABLE_ACTIVITY_FIELDS)) }
}

/** The paper behind it is held: two who decide about it at once do so one after the other. */
export async function holdPayable(db: Db, actor: Actor, id: number): Promise<Payable> {
  const paper = id % 2 === 0 ? invoicesTable : transactionsTable
  await rows(
    db,
    sql`select 1 from ${paper} where company_id = ${actor.company_id} and id = ${Math.floor(id / 2)} for update`,
  )
  return requirePayable(db, actor, id)
}

export async function updatePayable(db: Db, actor: Actor, id: number, { state, due_date }: PayableEdit) {
  const before = await holdPayable(db, actor, id)
  if (due_date !== undefined && due_date !== before.due_date && due_date < before.date)
    throw invalid({ due_date: DUE_BEFORE })
  if (state === undefined || state === before.state) return become(db, actor, before, { due_date })
  if (!PAYABLE_STATES[state].owed) throw invalid({ state: 'Que se pagó lo dice quien puede pagar, aparte.' })
  // What was paid is said not to be by those who say that it was.
  if (!PAYABLE_STATES[before.state].owed) throw new Problem(409, 'Ya está pagada: primero anule el pago.')
  return become(db, actor, before, { state, due_date })
}

interface Change {
  state?: PayableState | undefined
  due_date?: string | undefined
}

/** Refuses a state that does not follow the present one. */
export function requireNext(from: PayableState, to: PayableState) {
  if (from === to || mayBecome(from, to)) return
  throw new Problem(
    409,
    `Está ${PAYABLE_STATES[from].label.toLowerCase()}: no puede pasar a ${PAYABLE_STATES[to].label.toLowerCase()}.`,
  )
}

/** The columns that change with a state: it says when, and by whom. */
export const stateBy = ({ user_name }: Pick<Actor, 'user_name'>, state: PayableState) => ({
  state,
  state_at: new Date().toISOString(),
  user_name,
})

async function become(db: Db, actor: Actor, before: Payable, { state = before.state, due_date }: Change) {
  requireNext(before.state, state)
  await say(db, actor, before.id, {
    ...(state !== before.state && stateBy(actor, state)),
    ...(due_date !== undefined && due_date !== before.due_date && { due_date }),
  })
  const after = await requirePayable(db, actor, before.id)
  await record(db, actor, 'payable', before.id, 'updated', spoken(before), spoken(after))
  announcePayable(db, actor, after)
  return after
}

export const announcePayable = (db: Db, actor: Actor, { workshop_id, work_order_id }: Payable) =>
  announce(db, actor, { topic: 'work-orders', workshop_id, ids: work_order_id ? [work_order_id] : [] })

const spoken = ({ provider_name, document, state, due_date }: Payable) => ({
  provider_name,
  document,
  state,
  due_date,
})

/** Keeps what is said of a paper. */
export async function say(
  db: Db,
  { company_id }: Pick<Actor, 'company_id'>,
  id: number,
  what: Partial<typeof payablesTable.$inferInsert>,
) {
  if (Object.keys(what).length === 0) return
  const of = id % 2 === 0 ? { invoice_id: id / 2 } : { transaction_id: (id - 1) / 2 }
  const target =
    id % 2 === 0
      ? [payablesTable.company_id, payablesTable.invoice_id]
      : [payablesTable.company_id, payablesTable.transaction_id]
  await db
    .insert(payablesTable)
    .values({ company_id, ...of, ...what })
    .onConflictDoUpdate({ target, set: what })
  if (what.state) await sayPaper(db, company_id, id)
}

const sayPaper = (db: Db, company_id: number, id: number) =>
  id % 2 === 0
    ? rows(
        db,
        sql`update ${invoicesTable} set payment_said = true
            where company_id = ${company_id} and id = ${id / 2} and not payment_said`,
      )
    : markPaymentStated(db, company_id, (id - 1) / 2)

export const DUE_BEFORE = 'No puede vencer antes de su fecha.'
