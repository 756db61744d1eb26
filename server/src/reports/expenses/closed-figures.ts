import { type SQL, sql } from 'drizzle-orm'
import { centerOn } from '../../fleet/cost-centers.ts'
import { readingsTable, trucksTable } from '../../fleet/tables.ts'
import { COMPANY, type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { filedAt } from '../../supplies/filings.ts'
import { suppliesTable } from '../../supplies/tables.ts'
import { transactionsTable } from '../../warehouses/tables.ts'
import {
  serviceAdjustmentsTable,
  workOrderAdjustmentsTable,
  workOrderServicesTable,
  workOrderSuppliesTable,
  workOrdersTable,
  workTimesTable,
} from '../../work-orders/tables.ts'
import { closedMonths } from '../../workshops/months.ts'
import { availabilityOf, hoursToKeep, keepHours } from '../availability/closed-hours.ts'
import { monthSpan, type Span } from '../expenses.ts'
import { closedFiguresTable } from '../tables.ts'
import { BOUGHT, TAKEN_BACK } from './purchases.ts'

/*
 * What every month came to when it was closed. Nothing reads these to show them: reports are worked out as ever, and
 * `npm run verify`, like the tests, says where they no longer come to the same.
 */

interface Asked {
  company_id: SQL
  time_zone: SQL
  /** The last month. */
  through: SQL
  /** Of the last month alone. */
  only?: Span
}

/** Every figure of every month up to one: company_id, month, figure, of, amount. Whatever is of nothing is of 0. */
export const figuresOf = ({ company_id, time_zone, through, only }: Asked): SQL => {
  const monthOf = (day: SQL) => sql`to_char(${day}, 'YYYY-MM')`
  const onDays = (day: SQL) => (only ? sql` and ${day} between ${only.from}::date and ${only.to}::date` : sql``)
  const own = (alias: string) => sql`${sql.raw(alias)}.company_id = ${company_id}`
  const line = (table: typeof workOrderSuppliesTable | typeof workOrderAdjustmentsTable) => sql`
    select l.work_order_id, l.supply_id, 0::bigint as provider_id, l.amount, l.created_at as at,
      (l.created_at at time zone ${time_zone})::date as day
    from ${table} l where ${own('l')}${atMoments(only, sql`l.created_at`)}`
  const served = (table: typeof workOrderServicesTable | typeof serviceAdjustmentsTable) =>
    sql`select l.work_order_id, 0, l.provider_id, l.amount, null, l.day from ${table} l where ${own('l')}${onDays(sql`l.day`)}`
  const lines = sql`(
    select x.*, o.truck_id, ${monthOf(sql`x.day`)} as month from (
      ${line(workOrderSuppliesTable)} union all ${line(workOrderAdjustmentsTable)} union all
      ${served(workOrderServicesTable)} union all ${served(serviceAdjustmentsTable)}) x
    join ${workOrdersTable} o on ${own('o')} and o.id = x.work_order_id
    where ${monthOf(sql`x.day`)} <= ${through}) x`
  const labour = sql`(
    select x.work_order_id, o.truck_id, x.amount, ${monthOf(sql`x.day`)} as month from ${workTimesTable} x
    join ${workOrdersTable} o on ${own('o')} and o.id = x.work_order_id
    where ${own('x')} and x.amount <> 0 and ${monthOf(sql`x.day`)} <= ${through}${onDays(sql`x.day`)}) x`
  const sums = (figure: string, of: SQL, from: SQL) =>
    sql`select ${sql.raw(`'${figure}'`)}::text as figure, x.month, coalesce(${of}, 0) as of, sum(x.amount) as amount ${from} group by x.month, coalesce(${of}, 0)`
  const ofTruck = sql`join ${trucksTable} t on ${own('t')} and t.id = x.truck_id ${centerOn(sql`x.day`)}`
  const ofSupply = sql`join ${suppliesTable} s on ${own('s')} and s.id = x.supply_id ${filedAt(sql`x.at`)}`
  const bought = (day: SQL, sign: SQL, when: SQL) => sql`
    select t."providerId" as provider_id, ${monthOf(day)} as month,
      ${sign}(case when t."typeTrasactionId" in (${sql.raw(TAKEN_BACK)}) then -t.subtotal else t.subtotal end) as amount
    from ${transactionsTable} t where ${own('t')} and ${when} and ${monthOf(day)} <= ${through}${onDays(day)}
      and t."typeTrasactionId" in (${sql.raw(BOUGHT)})`
  return sql`
    select ${company_id} as company_id, f.month, f.figure, f.of, f.amount from (
      ${sums('supplies of truck', sql`x.truck_id`, sql`from ${lines} where x.supply_id > 0`)}
      union all ${sums('services of truck', sql`x.truck_id`, sql`from ${lines} where x.supply_id = 0`)}
      union all ${sums('labour of truck', sql`x.truck_id`, sql`from ${labour}`)}
      union all ${sums('labour of order', sql`x.work_order_id`, sql`from ${labour}`)}
      union all ${sums('spent by order', sql`x.work_order_id`, sql`from ${lines}`)}
      union all ${sums('spent on supply', sql`x.supply_id`, sql`from ${lines} where x.supply_id > 0`)}
      union all ${sums('spent on category', sql`f.category_id`, sql`from ${lines} ${ofSupply}`)}
      union all ${sums('spent by cost centre', sql`k.cost_center_id`, sql`from ${lines} ${ofTruck}`)}
      union all ${sums('services of provider', sql`x.provider_id`, sql`from ${lines} where x.supply_id = 0`)}
      union all ${sums(
        'bought from provider',
        sql`x.provider_id`,
        sql`from (${bought(sql`t.date`, sql``, sql`(t.voided_at is null or t.voided_on is not null)`)}
          union all ${bought(sql`t.voided_on`, sql`-`, sql`t.voided_on is not null`)}) x`,
      )}
      union all ${driven({ company_id, time_zone, through, ...(only && { only }) })}) f
    where f.amount <> 0`
}

const atMoments = (only: Span | undefined, at: SQL) =>
  only ? sql` and ${at} >= ${only.start}::timestamptz and ${at} < ${only.end}::timestamptz` : sql``

/** Kilometres of each truck: what its meter showed at the end of the month, less what it showed when that began. */
const driven = ({ company_id, time_zone, through, only }: Asked) => sql`
  select 'kilometres of truck', m.month, r.truck_id, greatest(0, max(r.km) - coalesce(b.km, min(r.km))) from (
    select r.truck_id, r.km, r.date, to_char(r.date at time zone ${time_zone}, 'YYYY-MM') as month from ${readingsTable} r
    where r.company_id = ${company_id} and not coalesce(r.closed_as, r.superseded)${atMoments(only, sql`r.date`)}) r
  cross join lateral (select r.month) m
  left join lateral (
    select b.km from ${readingsTable} b where b.company_id = ${company_id} and b.truck_id = r.truck_id
      and not coalesce(b.closed_as, b.superseded) and b.date < ((r.month || '-01')::timestamp at time zone ${time_zone})
    order by b.date desc, b.id desc limit 1) b on true
  where m.month <= ${through} group by m.month, r.truck_id, b.km`

type Company = Pick<Actor, 'company_id' | 'time_zone'>

/** Keeps what months came to that are closed, one after the other, and forgets it of those that are open again. */
export async function keepClosedFigures(db: Db, company: Company) {
  for (const month of await hoursToKeep(db, company)) await keepHours(db, company, month)
  for (const month of await figuresToKeep(db, company)) await keepFigures(db, company, month)
}

async function figuresToKeep(db: Db, company: Company) {
  const { closed_through } = await closedMonths(db, company)
  const mine = sql`company_id = ${company.company_id}`
  await rows(db, sql`delete from ${closedFiguresTable} where ${mine} and month > ${closed_through ?? ''}`)
  if (closed_through === null) return []
  const isKept = (figure: string) => sql`exists (select from ${closedFiguresTable} k
    where k.company_id = ${COMPANY} and k.month = m.month and k.figure = ${figure}::text)`
  const found = await rows<{ month: string }>(
    db,
    sql`select m.month from (
          select to_char(generate_series(
            (select date_trunc('month', min(created_at)) from ${workOrdersTable} where ${mine}) - interval '1 year',
            (${closed_through} || '-01')::date, interval '1 month'), 'YYYY-MM') as month) m
        where not (${isKept('month')} and ${isKept('month of trucks')})`,
  )
  return found.map(({ month }) => month)
}

async function keepFigures(db: Db, { company_id, time_zone }: Company, month: string) {
  const only = monthSpan(month, time_zone)
  const asked = {
    company_id: sql`${company_id}::bigint`,
    time_zone: sql`${time_zone}::text`,
    through: sql`${month}::text`,
    only,
  }
  const isMissing = (figure: string) =>
    sql`not exists (select 1 from ${closedFiguresTable} where company_id = ${company_id} and month = ${month}::text and figure = ${figure}::text)`
  const part = (figure: string, figures: SQL) =>
    rows(
      db,
      sql`insert into ${closedFiguresTable} (company_id, month, figure, of, amount)
          select ${company_id}::bigint, f.month, f.figure, f.of, f.amount from (
            select ${company_id}::bigint as company_id, ${month}::text as month, ${figure}::text as figure, 0::bigint as of, 0::numeric as amount
            union all ${figures}) f
          where f.month = ${month}::text and ${isMissing(figure)}
          returning company_id`,
    )
  await part('month', figuresOf(asked))
  await part('month of trucks', availabilityOf({ ...asked, months: sql`select ${month}::text as month`, only }))
}
