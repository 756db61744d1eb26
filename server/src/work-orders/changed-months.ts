import { sql } from 'drizzle-orm'
import { type Db, rows } from '../platform/database/db.ts'
import { stayChangesTable } from './tables.ts'

/*
 * Stays of finalized orders are listed too. What is in such an order stays as it is: only being finalized, and opened again,
 * changes whether its stay is what the lists say. Those of open orders are listed nowhere.
 */

/** The month of the lists that a stay is in: of when it ended, in UTC. */
export const listedIn = (departure: string) => new Date(departure).toISOString().slice(0, 7)

/** An order was finalized, or opened again: when it left, then. */
export const markStay = (db: Db, { company_id }: { company_id: number }, work_order_id: number, departure: string) =>
  rows(
    db,
    sql`insert into ${stayChangesTable} (company_id, month, work_order_id)
        values (${company_id}, ${listedIn(departure)}, ${work_order_id})`,
  )

/** As `forgetChanges`, for the statement that lists a month. */
export const forgetStays = (company_id: number, month: string) =>
  sql`delete from ${stayChangesTable} where company_id = ${company_id} and month = ${month}`
