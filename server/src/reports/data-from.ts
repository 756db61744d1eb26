import { sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import { type Db, one, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { transactionsTable } from '../warehouses/tables.ts'
import { workOrdersTable } from '../work-orders/tables.ts'
import { inScope } from '../workshops/scope.ts'
import type { Narrowing } from './expenses.ts'

/** The first day of which there is data. A period that begins earlier is no measure for another: part of it was not recorded. */
export async function dataFrom(db: Db, actor: Actor, { filter }: { filter: Pick<Narrowing, 'WorkshopId'> }) {
  const first = one(
    await rows<{ ordered: string | null; entered: string | null }>(
      db,
      sql`select (select o.created_at from ${workOrdersTable} o
            where ${inScope(actor, sql`o`, filter.WorkshopId)} order by o.created_at limit 1) as ordered,
          (select t.date::text from ${transactionsTable} t
            where ${inScope(actor, sql`t`, filter.WorkshopId)} order by t.date limit 1) as entered`,
    ),
  )
  const days = [first.ordered && dayOf(first.ordered, actor.time_zone), first.entered].filter((day) => day !== null)
  return { from: days.toSorted()[0] ?? null }
}
