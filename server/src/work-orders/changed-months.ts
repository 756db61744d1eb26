import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../platform/database/db.ts'
import { expenseChangesTable, serviceAdjustmentsTable, workOrderServicesTable, workOrdersTable } from './tables.ts'

/*
 * Whoever keeps sums of what orders spent learns from here which months they no longer hold for. Marks are only added,
 * so that no two orders wait for each other.
 */

/**
 * What an order spent changed. Its lines are recorded between its creation and now; its services may also be on the days
 * of invoices, those they are counted on and those in `days` that they were counted on.
 */
export const markMonths = (db: Db, actor: Whose, work_order_id: number, days: string[] = []) =>
  rows(db, monthsMarked(actor, work_order_id, days))

interface Whose {
  company_id: number
  time_zone: string
}

/** The same, to be part of a statement. */
export const monthsMarked = ({ company_id, time_zone }: Whose, work_order_id: number, days: string[] = []) =>
  sql`insert into ${expenseChangesTable} (company_id, month, work_order_id)
        select distinct ${company_id}::bigint, to_char(u.day, 'YYYY-MM'), ${work_order_id}::bigint from (
          select generate_series(date_trunc('month', o.created_at at time zone ${time_zone}),
            date_trunc('month', now() at time zone ${time_zone}), interval '1 month') as day
          from ${workOrdersTable} o where o.company_id = ${company_id} and o.id = ${work_order_id}
          union all
          select l.day from ${workOrderServicesTable} l where l.company_id = ${company_id} and l.work_order_id = ${work_order_id}
          union all
          select l.day from ${serviceAdjustmentsTable} l where l.company_id = ${company_id} and l.work_order_id = ${work_order_id}
          union all
          select unnest(${sql.param(days)}::date[])) u
        returning company_id`

/** Of more orders that changed it is of no use to know which: the month's lines are read sooner than theirs. */
export const FEW = 300

/** What was spent changed on the days of these moments: a statement that gives them, and the order of each. */
export const markDays = (db: Db, { company_id, time_zone }: Whose, moments: SQL) =>
  rows(
    db,
    // Every zone begins its days at a quarter of an hour.
    sql`with changed (at, work_order_id) as (${moments})
        insert into ${expenseChangesTable} (company_id, month, work_order_id)
        select distinct ${company_id}::bigint, to_char(at at time zone ${time_zone}, 'YYYY-MM'), work_order_id
        from (select distinct date_bin('15 minutes', at, 'epoch') as at,
            case when (select count(*) from changed) <= ${FEW} then work_order_id end as work_order_id from changed) c
        returning company_id`,
  )

/** For the statement that sums a month, so that exactly the changes it has seen are forgotten. */
export const forgetChanges = (company_id: number, month: string) =>
  sql`delete from ${expenseChangesTable} where company_id = ${company_id} and month = ${month}`
