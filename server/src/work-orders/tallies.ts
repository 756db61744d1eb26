import { type SQL, sql } from 'drizzle-orm'
import { type Database, rows } from '../platform/database/db.ts'
import type { CompanyJob } from '../platform/operations/jobs.ts'
import { orderTalliesTable, workOrderCostsTable } from './tables.ts'

/* How many orders there are and what they cost, by kind: the lists' totals, without looking at every order. */

const KIND = sql`company_id, workshop_id, type_maintenance_id, planned, place, priority`
const FIGURES = sql`orders, supplies_cost, services_cost, labour_cost`
/** Costs of orders, as what they add to the tallies, or take from them. */
const counted = (sign: '+' | '-', costs: SQL) =>
  sql`select ${KIND}, ${sql.raw(sign)}1 as orders, ${sql.raw(sign)}supplies_cost as supplies_cost,
    ${sql.raw(sign)}services_cost as services_cost, ${sql.raw(sign)}labour_cost as labour_cost from ${costs}`

const add = (changes: SQL) => sql`
  insert into ${orderTalliesTable} as t (${KIND}, ${FIGURES})
  select ${KIND}, sum(orders), sum(supplies_cost), sum(services_cost), sum(labour_cost) from (${changes}) n
  group by ${KIND}
  having sum(orders) <> 0 or sum(supplies_cost) <> 0 or sum(services_cost) <> 0 or sum(labour_cost) <> 0
  returning t.company_id`

/** The costs of orders were these, and became those. */
export const tallyChange = (was: SQL, became: SQL) => add(sql`${counted('-', was)} union all ${counted('+', became)}`)

/** Orders go, with their costs. */
export const tallyGone = (costs: SQL) => add(counted('-', costs))

/** Costs that became more by so much. */
export const tallyMore = (costs: SQL, more: { supplies_cost?: SQL; labour_cost?: SQL }) =>
  add(sql`select ${KIND}, 0 as orders, ${more.supplies_cost ?? sql`0`} as supplies_cost, 0 as services_cost,
    ${more.labour_cost ?? sql`0`} as labour_cost from ${costs}`)

/**
 * One row for each kind again. One statement, one snapshot: what it does not see in the costs it does not see in the
 * tallies either, so that both are left for the next time.
 */
export const tallyJob: CompanyJob = {
  name: 'order-tallies',
  schedule: '7 * * * *',
  runFor: (database: Database, company_id: number) =>
    database.write(company_id, async (db) => {
      await rows(db, sql`select pg_advisory_xact_lock(hashtextextended('order tallies', ${company_id}))`)
      await rows(
        db,
        sql`with gone as (delete from ${orderTalliesTable} where company_id = ${company_id})
            ${add(counted('+', sql`${workOrderCostsTable} where company_id = ${company_id}`))}`,
      )
    }),
}
