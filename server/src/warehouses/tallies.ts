import { sql } from 'drizzle-orm'
import { COMPANY, type Database, rows } from '../platform/database/db.ts'
import type { CompanyJob } from '../platform/operations/jobs.ts'
import { stockTable, stockTalliesTable } from './tables.ts'

/* How much each warehouse has, and what it is worth, without looking at every level: kept as those of orders are (decision 0025). */

const low = (level: 'was' | 'now') =>
  sql.raw(`coalesce((${level}.on_hand - ${level}.reserved < ${level}.minimum)::int, 0)`)
const COLUMNS = sql`company_id, warehouse_id, supplies, below, value`

/** Levels are `now` what the statement changed them to; before, it found what they were (`was`). Whoever changes one holds it. */
const CHANGED = sql`now join was on was.warehouse_id = now.warehouse_id and was.supply_id = now.supply_id`
export const tally = (levels = CHANGED) => sql`
  insert into ${stockTalliesTable} as t (${COLUMNS})
  select ${COMPANY}::bigint, n.* from (
    select now.warehouse_id, sum(now.attached::int - was.attached::int) as supplies, sum(${low('now')} - ${low('was')}) as below,
      sum(now.value - was.value) as value
    from ${levels} group by now.warehouse_id) n
  where n.supplies <> 0 or n.below <> 0 or n.value <> 0
  returning t.company_id`

/** Levels that are on the list `now`, and have nothing yet. */
export const TALLY_NEW = sql`
  insert into ${stockTalliesTable} as t (${COLUMNS})
  select ${COMPANY}::bigint, now.warehouse_id, count(*), 0, 0 from now group by now.warehouse_id
  returning t.company_id`

/** What each warehouse has. */
export const TALLIED = sql`
  select warehouse_id, sum(supplies) as supplies_count, sum(below) as below_minimum, round(sum(value)) as value
  from ${stockTalliesTable} where company_id = ${COMPANY} group by warehouse_id`

/** One row for each warehouse again, from the levels themselves. */
export const stockTallyJob: CompanyJob = {
  name: 'stock-tallies',
  schedule: '11 * * * *',
  runFor: (database: Database, company_id: number) =>
    database.write(company_id, async (db) => {
      await rows(db, sql`select pg_advisory_xact_lock(hashtextextended('stock tallies', ${company_id}))`)
      await rows(
        db,
        sql`with gone as (delete from ${stockTalliesTable} where company_id = ${company_id})
            insert into ${stockTalliesTable} as t (${COLUMNS})
            select now.company_id, now.warehouse_id, sum(now.attached::int), sum(${low('now')}), sum(now.value)
            from ${stockTable} now where now.company_id = ${company_id} group by 1, 2 returning t.company_id`,
      )
    }),
}
