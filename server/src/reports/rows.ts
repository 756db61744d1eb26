import { type SQL, sql } from 'drizzle-orm'
import type { EntryRow, EntryRows, ExpenseRow, ExpenseRows, IdsOrNone } from '#contract/reports/rows.ts'
import { DIFFERENCE, NOTE_KINDS } from '#contract/work-orders/invoices.ts'
import { centerOn } from '../fleet/cost-centers.ts'
import { trucksTable } from '../fleet/tables.ts'
import { COMPANY, type Db, execute } from '../platform/database/db.ts'
import { all, oneOf } from '../platform/database/lists.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { providersTable, servicesTable } from '../providers/tables.ts'
import { filedAt } from '../supplies/filings.ts'
import { categoriesTable, suppliesTable } from '../supplies/tables.ts'
import { warehousesTable } from '../warehouses/tables.ts'
import { CODE } from '../work-orders/access.ts'
import { TRUCK_WORKSHOP } from '../work-orders/summary.ts'
import {
  invoiceNotesTable,
  invoicesTable,
  serviceAdjustmentsTable,
  tasksTable,
  workOrdersTable,
  worksTable,
  workTimesTable,
} from '../work-orders/tables.ts'
import { seesLabour } from '../workshops/company.ts'
import { specialistsTable } from '../workshops/tables.ts'
import { purchases } from './by-provider.ts'
import { isNarrow, labourLines, ordersAsked, periodsOf, type Span, serviceLines, supplyLines } from './expenses.ts'

/* What a figure of a report is made of: the same lines that were added up, one by one. */

/** One of these ids, or none where that is asked for. */
const oneOfOrNone = (column: SQL, asked: IdsOrNone): SQL | undefined => {
  if (!asked?.length) return undefined
  const ids = asked.filter((id) => id !== 'none')
  const parts = [
    ...(ids.length > 0 ? [sql`${column} = any(${sql.param(ids)}::bigint[])`] : []),
    ...(ids.length < asked.length ? [sql`${column} is null`] : []),
  ]
  return sql`(${sql.join(parts, sql` or `)})`
}

/** Lines `l` of the orders that count; where all do, they are not even looked at. */
const ofOrders = (actor: Actor, filter: OfOrders, day: SQL) =>
  isNarrow(actor, filter) || filter.Order?.length || filter.CostCenter?.length
    ? sql`join ${workOrdersTable} o on o.id = l.work_order_id and ${all([
        ordersAsked(actor, filter),
        oneOf(sql`o.id`, filter.Order),
        filter.CostCenter?.length
          ? sql`exists (select 1 from ${trucksTable} t ${centerOn(day)} where t.company_id = ${COMPANY}
              and t.id = o.truck_id and ${oneOfOrNone(sql`k.cost_center_id`, filter.CostCenter)!})`
          : undefined,
      ])}`
    : sql``

type OfOrders = Pick<ExpenseRows['filter'], 'WorkshopId' | 'Truck' | 'Order' | 'CostCenter'>

/** What each order spent while its truck was of the cost centres that are asked for: work_order_id, supplies, services, labour. */
export const perOrderOfCenters = (actor: Actor, span: Span, filter: OfOrders, labour: boolean) => sql`(
  select x.work_order_id, sum(x.supplies) as supplies, sum(x.services) as services, sum(x.labour) as labour from (
    select l.work_order_id, l.amount as supplies, 0::numeric as services, 0::numeric as labour
    from (select l.* from ${supplyLines(actor, span, filter)}) l ${ofOrders(actor, filter, dayRecorded(actor))}
    union all
    select l.work_order_id, 0, l.amount, 0 from ${serviceLines(actor, span, filter)} l ${ofOrders(actor, filter, sql`l.day`)}
    ${labour ? sql`union all select l.work_order_id, 0, 0, l.amount from ${labourLines(actor, span, filter)} l ${ofOrders(actor, filter, sql`l.day`)}` : sql``}) x
  group by 1)`

const dayRecorded = ({ time_zone }: Actor) => sql`(l.created_at at time zone ${time_zone})::date`

/** What orders took of supplies: kind, id, work_order_id, day, supply_id, count, amount. */
export const supplyRows = (actor: Actor, span: Span, filter: ExpenseRows['filter']) => sql`
  select l.kind, l.id, l.work_order_id, ${dayRecorded(actor)} as day, l.supply_id,
    null::bigint as provider_id, null::bigint as service_id, l.count, l.amount
  from (select l.* from ${supplyLines(actor, span, filter)}) l
  ${ofOrders(actor, filter, dayRecorded(actor))}
  where ${all([
    sql`true`,
    oneOf(sql`l.supply_id`, filter.Supply),
    filter.Category?.length
      ? sql`exists (select 1 from ${suppliesTable} s ${filedAt(sql`l.created_at`)}
          where s.company_id = ${actor.company_id} and s.id = l.supply_id and ${oneOfOrNone(sql`f.category_id`, filter.Category)!})`
      : undefined,
  ])}`

const serviceRows = (actor: Actor, span: Span, filter: ExpenseRows['filter']) => sql`
  select case when l.service_id is null then 'invoice' else 'service' end as kind, l.id, l.work_order_id, l.day,
    null::bigint as supply_id, l.provider_id, l.service_id,
    l.quantity as count, l.amount
  from ${serviceLines(actor, span, filter)} l
  ${ofOrders(actor, filter, sql`l.day`)}
  where ${all([sql`true`, oneOf(sql`l.provider_id`, filter.Provider)])}`

const labourRows = (actor: Actor, span: Span, filter: ExpenseRows['filter']) => sql`
  select 'labour' as kind, l.id, l.work_order_id, l.day, null::bigint as supply_id, null::bigint as provider_id,
    null::bigint as service_id, round(l.minutes / 60, 4) as count, l.amount
  from ${labourLines(actor, span, filter)} l
  ${ofOrders(actor, filter, sql`l.day`)}`

/** Those who see only the warehouse's reports see only supplies. */
function parts(actor: Actor, filter: ExpenseRows['filter']) {
  const asked = (kind: 'supply' | 'service') => !filter.Kind?.length || filter.Kind.includes(kind)
  return {
    supplies: asked('supply') && !filter.Provider?.length,
    labour:
      filter.Kind?.includes('labour') && !filter.Provider?.length && !filter.Supply?.length && !filter.Category?.length,
    services: asked('service') && !filter.Supply?.length && !filter.Category?.length && actor.may.has('reports.read'),
  }
}

/** Who did what, of a line `z` of labour. */
const WORKED = sql`(select concat_ws(': ', concat_ws(' ', q.names, q.last_name_p), coalesce(t.name, w.description))
  from ${worksTable} w
  join ${specialistsTable} q on q.company_id = w.company_id and q.id = z.specialist_id
  left join ${tasksTable} t on t.company_id = w.company_id and t.id = w.task_id
  where w.company_id = ${COMPANY} and w.id = z.work_id)`

/** Which paper a line `q` is of. */
const PAPER = sql`(select ${sql.raw(
  `case n.kind ${Object.entries(NOTE_KINDS)
    .map(([kind, { label }]) => `when '${kind}' then '${label} '`)
    .join(' ')} else '${DIFFERENCE} ' end`,
)} || coalesce(n.document, i.document)
  from ${invoicesTable} i left join ${invoiceNotesTable} n on n.company_id = i.company_id and n.id = q.note_id
  where i.company_id = ${COMPANY} and i.id = q.invoice_id)`

export async function listExpenseRows(db: Db, actor: Actor, query: ExpenseRows) {
  const { filter, page, per_page, sort = '-day' } = query
  const { range, span } = periodsOf(actor, filter.BetweenDate)
  const { supplies, services, labour } = parts(actor, filter)
  const found = [
    ...(supplies ? [supplyRows(actor, span, filter)] : []),
    ...(services ? [serviceRows(actor, span, filter)] : []),
    ...(labour && (await seesLabour(db, actor)) ? [labourRows(actor, span, filter)] : []),
  ]
  if (found.length === 0) return { data: [], total: 0, page, per_page, totals: { count: 0, amount: 0 }, range }
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  const order = sql`${sort.endsWith('amount') ? sql`x.amount` : sql`x.day`} ${direction}, x.work_order_id desc, x.kind, x.id`
  const [answer] = await execute<{ total: number; count: number; amount: number; data: ExpenseRow[] }>(
    db,
    sql`with x as materialized (${sql.join(found, sql` union all `)})
        select (select count(*) from x) as total, (select coalesce(sum(count), 0) from x) as count,
          (select coalesce(sum(amount), 0) from x) as amount, (select coalesce(json_agg(p), '[]') from (
            select x.kind, x.id, x.work_order_id, ${CODE} as order_code, o.truck_id, k.code as truck_code, k.patent, ${TRUCK_WORKSHOP} as truck_workshop, x.day,
              coalesce(s.code, v.code, '') as code, coalesce(s.name, v.name, ${PAPER}, ${WORKED}) as name, c.name as category,
              p.name as provider, x.count, x.amount
            from (select * from x order by ${order} limit ${per_page} offset ${(page - 1) * per_page}) x
            join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = x.work_order_id
            join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
            left join ${suppliesTable} s on s.company_id = o.company_id and s.id = x.supply_id
            ${filedAt(sql`(x.day::timestamp at time zone ${actor.time_zone})`)}
            left join ${categoriesTable} c on c.company_id = o.company_id and c.id = f.category_id
            left join ${servicesTable} v on v.company_id = o.company_id and v.id = x.service_id
            left join ${providersTable} p on p.company_id = o.company_id and p.id = x.provider_id
            left join ${serviceAdjustmentsTable} q on x.kind = 'invoice' and q.company_id = o.company_id and q.id = x.id
            left join ${workTimesTable} z on x.kind = 'labour' and z.company_id = o.company_id and z.id = x.id
            order by ${order}) p) as data`,
  )
  const { data = [], total = 0, count = 0, amount = 0 } = answer ?? {}
  return { data, total, page, per_page, totals: { count, amount }, range }
}

export async function listEntryRows(db: Db, actor: Actor, query: EntryRows) {
  const { filter, page, per_page, sort = '-date' } = query
  const { range, span } = periodsOf(actor, filter.BetweenDate)
  const provider = oneOfOrNone(sql`t."providerId"`, filter.Provider)
  const found = sql`${purchases(actor, span, filter)} ${provider ? sql`and ${provider}` : sql``}`
  const order = sql`${sort.endsWith('total') ? sql`t.total` : sql`t.date`} ${sort.startsWith('-') ? sql`desc` : sql`asc`}, t.id`
  const data = await execute<EntryRow>(
    db,
    sql`select t.id, t.date, t.document, t.warehouse_id, w.name as warehouse, t."providerId" as provider_id,
          p.name as provider, t.subtotal, t.tax, t.total
        from (select t.* from ${found} order by ${order} limit ${per_page} offset ${(page - 1) * per_page}) t
        join ${warehousesTable} w on w.company_id = ${COMPANY} and w.id = t.warehouse_id
        left join ${providersTable} p on p.company_id = ${COMPANY} and p.id = t."providerId"
        order by ${order}`,
  )
  const [sums] = await execute<{ count: number; subtotal: number; total: number }>(
    db,
    sql`select count(*) as count, coalesce(sum(t.subtotal), 0) as subtotal, coalesce(sum(t.total), 0) as total from ${found}`,
  )
  const { count = 0, subtotal = 0, total = 0 } = sums ?? {}
  return { data, total: count, page, per_page, totals: { subtotal, total }, range }
}
