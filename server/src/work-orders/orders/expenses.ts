import { type SQL, sql } from 'drizzle-orm'
import { type Database, type Db, numbers, one, rows, rowsUnprepared } from '../../platform/database/db.ts'
import type { CompanyJob } from '../../platform/operations/jobs.ts'
import { timeZoneOf } from '../../workshops/company.ts'
import {
  expensesTable,
  serviceAdjustmentsTable,
  workOrderAdjustmentsTable,
  workOrderCostsTable,
  workOrderServicesTable,
  workOrderSuppliesTable,
  workOrdersTable,
  workTimesTable,
} from '../tables.ts'

/*
 * The ledger of expenses repeats the lines of orders, one row for each amount. Whoever changes a line, or the truck, unit or
 * workshop of an order, calls `writeExpenses` in the same transaction, after everything else it writes.
 */

const SOURCE = 'work_order'

interface Company {
  company_id: number
  time_zone: string
}

/** Orders as a condition on the column with their id. */
type Orders = (column: SQL) => SQL

/** Lines as rows of the ledger. Labour that costs nothing is no expense. */
const linesOf = ({ company_id, time_zone }: Company, orders: Orders) => {
  const filter = sql`l.company_id = ${company_id} and ${orders(sql`l.work_order_id`)}`
  const recorded = sql`(l.created_at at time zone ${time_zone})::date`
  return sql`
    select l.work_order_id, 'supply'::text as kind, l.id, ${recorded} as day, l.supply_id as item_id, l.count as quantity, l.amount
    from ${workOrderSuppliesTable} l where ${filter}
    union all
    select l.work_order_id, 'adjustment', l.id, ${recorded}, l.supply_id, 0, l.amount
    from ${workOrderAdjustmentsTable} l where ${filter}
    union all
    select l.work_order_id, 'service', l.id, l.day, l.provider_id, l.quantity, l.amount
    from ${workOrderServicesTable} l where ${filter}
    union all
    select l.work_order_id, 'invoice', l.id, l.day, l.provider_id, 0, l.amount
    from ${serviceAdjustmentsTable} l where ${filter}
    union all
    select l.work_order_id, 'labour', l.id, l.day, null, round(l.minutes / 60, 4), l.amount
    from ${workTimesTable} l where ${filter} and l.amount <> 0`
}

/** The rows that orders should have, as `n`, and the rows that they have, as `e`. */
const wantedAndWritten = (company: Company, orders: Orders) => {
  const { company_id } = company
  return sql`
    n as materialized (
      select l.work_order_id as source_id, l.kind, l.id as line_id, l.day, o.workshop_id, o.truck_id, o.coupled_id, l.item_id,
        l.quantity::numeric(14, 4) as quantity, l.amount::bigint as amount
      from (${linesOf(company, orders)}) l
      join ${workOrdersTable} o on o.company_id = ${company_id} and o.id = l.work_order_id and ${orders(sql`o.id`)}),
    e as materialized (
      select * from ${expensesTable} x
      where x.company_id = ${company_id} and x.source = ${SOURCE} and ${orders(sql`x.source_id`)})`
}
const IS_SAME_LINE = sql`e.source_id = n.source_id and e.kind = n.kind and e.line_id = n.line_id`
const VALUES = ['day', 'workshop_id', 'truck_id', 'coupled_id', 'item_id', 'quantity', 'amount']
const valuesOf = (alias: string) =>
  sql`(${sql.join(
    VALUES.map((column) => sql`${sql.identifier(alias)}.${sql.identifier(column)}`),
    sql`, `,
  )})`

/**
 * Makes the rows of some orders equal to their lines, and writes only those that differ. The caller has written, locked or
 * deleted the row of each order in `work_order_costs`, which serves as the lock: two transactions that change an order come
 * one after the other.
 */
export const writeExpenses = (db: Db, company: Company, ids: number[]) => {
  if (ids.length === 0) return Promise.resolve(0)
  // One order is the usual case, with a prepared plan. That plan has nested loops, which would be far too slow for thousands.
  return ids.length === 1
    ? write(db, company, (column) => sql`${column} = ${ids[0]}`, rows)
    : write(db, company, oneOf(ids), rowsUnprepared)
}
const oneOf =
  (ids: number[]): Orders =>
  (column) =>
    sql`${column} = any(${numbers(ids)}::bigint[])`

/** The same for a caller that did not write the costs of each order. */
export async function lockAndWriteExpenses(db: Db, company: Company, ids: number[]) {
  if (ids.length === 0) return
  await rowsUnprepared(
    db,
    sql`select c.id from ${workOrderCostsTable} c where c.company_id = ${company.company_id} and ${oneOf(ids)(sql`c.id`)}
        order by c.id for no key update`,
  )
  await writeExpenses(db, company, ids)
}

/** Gives the number of rows that were inserted or changed. */
async function write(db: Db, company: Company, orders: Orders, send: typeof rows) {
  const { company_id } = company
  const [done] = await send<{ written: number }>(
    db,
    sql`with ${wantedAndWritten(company, orders)},
        gone as (
          delete from ${expensesTable} x
          where x.company_id = ${company_id} and x.source = ${SOURCE} and ${orders(sql`x.source_id`)}
            and (x.source_id, x.kind, x.line_id) in (
              select e.source_id, e.kind, e.line_id from e where not exists (select from n where ${IS_SAME_LINE}))),
        done as (
          insert into ${expensesTable} (company_id, source, source_id, kind, line_id, day, workshop_id, truck_id, coupled_id,
            item_id, quantity, amount)
          select ${company_id}::bigint, ${SOURCE}, n.source_id, n.kind, n.line_id, n.day, n.workshop_id, n.truck_id,
            n.coupled_id, n.item_id, n.quantity, n.amount
          from n where not exists (
            select from e where ${IS_SAME_LINE} and ${valuesOf('e')} is not distinct from ${valuesOf('n')})
          on conflict (company_id, source, source_id, kind, line_id) do update set day = excluded.day,
            workshop_id = excluded.workshop_id, truck_id = excluded.truck_id, coupled_id = excluded.coupled_id,
            item_id = excluded.item_id, quantity = excluded.quantity, amount = excluded.amount
          returning line_id)
        select count(*) as written from done`,
  )
  return done!.written
}

/** Orders whose rows are looked at in one statement. */
const BATCH = 5000
/** The id that ends the next batch of orders; `null` after the last one. */
const nextBatch = async (db: Db, company_id: number, after: number) =>
  one(
    await rows<{ last: number | null }>(
      db,
      sql`select max(id) as last from (
            select o.id from ${workOrdersTable} o where o.company_id = ${company_id} and o.id > ${after}
            order by o.id limit ${BATCH}) o`,
    ),
  ).last
const between =
  (after: number, last: number | null): Orders =>
  (column) =>
    last === null ? sql`${column} > ${after}` : sql`${column} > ${after} and ${column} <= ${last}`

/** Writes the rows of every order, after the zone that days are counted in changed. */
export async function rewriteExpenses(db: Db, company: Company) {
  for (let after = 0; ; ) {
    const last = await nextBatch(db, company.company_id, after)
    await write(db, company, between(after, last), rowsUnprepared)
    if (last === null) return
    after = last
  }
}

/** How many orders a company has, for the progress of the fill. */
export const countOrders = (database: Database, company_id: number) =>
  database.read(company_id, async (db) => {
    const counted = sql`select count(*) as orders from ${workOrdersTable} where company_id = ${company_id}`
    return one(await rows<{ orders: number }>(db, counted)).orders
  })

/**
 * Fills the ledger of a company that comes from a release without one. It goes up by the id of orders, so that after a kill
 * it goes on behind the last order that has rows. Calls `progress` with the number of orders of each batch that lacked rows.
 */
export async function fillExpenses(database: Database, company_id: number, progress?: (orders: number) => void) {
  const { company, first } = await database.read(company_id, async (db) => ({
    company: { company_id, time_zone: await timeZoneOf(db, company_id) },
    first: one(
      await rows<{ last: number }>(
        db,
        sql`select coalesce(max(x.source_id), 0) as last from ${expensesTable} x
            where x.company_id = ${company_id} and x.source = ${SOURCE}`,
      ),
    ).last,
  }))
  for (let after = first; ; ) {
    const last = await database.read(company_id, (db) => nextBatch(db, company_id, after))
    if (last === null) return
    const written = await database.write(company_id, (db) => write(db, company, between(after, last), rowsUnprepared))
    if (written > 0) progress?.(BATCH)
    after = last
  }
}

/** Rewrites the orders that differ from the ledger because an instance of 0.1.0, which does not know it, changed them. */
async function repairExpenses(database: Database, company_id: number) {
  const company = await database.read(company_id, async (db) => ({
    company_id,
    time_zone: await timeZoneOf(db, company_id),
  }))
  for (let [after, isLast] = [0, false]; !isLast; ) {
    const { last, ids } = await database.read(company_id, async (db) => {
      const last = await nextBatch(db, company_id, after)
      return { last, ids: await ordersThatDiffer(db, company, between(after, last)) }
    })
    await database.write(company_id, (db) => lockAndWriteExpenses(db, company, ids))
    isLast = last === null
    after = last ?? after
  }
}

const ordersThatDiffer = async (db: Db, company: Company, orders: Orders) => {
  const found = await rowsUnprepared<{ id: number }>(
    db,
    sql`with ${wantedAndWritten(company, orders)}
        select distinct coalesce(n.source_id, e.source_id) as id from n full join e on ${IS_SAME_LINE}
        where ${valuesOf('n')} is distinct from ${valuesOf('e')}`,
  )
  return found.map(({ id }) => id)
}

/** Goes with release 0.1.0: no other writes lines without their rows. */
export const repairJob: CompanyJob = { name: 'expenses', schedule: '25 * * * *', runFor: repairExpenses }
