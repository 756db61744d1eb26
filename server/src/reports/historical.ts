import { type SQL, sql } from 'drizzle-orm'
import type { Period } from '#contract/report-periods.ts'
import type { HistoricalQuery, OrderExpenses } from '#contract/reports.ts'
import { trucksTable } from '../fleet/tables.ts'
import type { Actor } from '../platform/actor.ts'
import { type Db, execute } from '../platform/db.ts'
import { CODE } from '../work-orders/access.ts'
import { maintenanceTypesTable, workOrdersTable } from '../work-orders/tables.ts'
import { workshopsTable } from '../workshops/tables.ts'
import { type Narrowing, ordersAsked, periodsOf, perOrder, perStep, type Span, stepsOf, sumOf } from './expenses.ts'

/** The first days of the months of a period. */
export function monthStarts({ from, to }: Period): string[] {
  const starts: string[] = []
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); ) {
    starts.push(`${month}-01`)
    const [year = 0, number = 0] = month.split('-').map(Number)
    month = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
  }
  return starts
}

/** Orders with what they spent in a period, as `x` and `o`. */
const spending = (actor: Actor, span: Span, filter: Narrowing, extra: SQL = sql``) => sql`
  ${perOrder(actor, span, filter, extra)} x
  join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = x.work_order_id`

const ROW = sql`x.work_order_id, ${CODE} as code, o.truck_id, k.code as truck_code, k.patent,
  y.name as type_maintenance, o.status, o.created_at, w.name as workshop_name, x.supplies as supplies_cost,
  x.services as services_cost, x.supplies + x.services as total_cost`
const NAMES = sql`
  join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
  join ${workshopsTable} w on w.company_id = o.company_id and w.id = o.workshop_id
  left join ${maintenanceTypesTable} y on y.company_id = o.company_id and y.id = o.type_maintenance_id`

const SORTS: Record<string, SQL> = {
  code: sql`o.number`,
  patent: sql`(select k.patent from ${trucksTable} k where k.company_id = o.company_id and k.id = o.truck_id)`,
  created_at: sql`o.created_at`,
  supplies_cost: sql`x.supplies`,
  services_cost: sql`x.services`,
  total_cost: sql`x.supplies + x.services`,
}

export async function historicalExpenses(db: Db, actor: Actor, query: HistoricalQuery) {
  const { filter, page, per_page, sort = '-total_cost' } = query
  const { range, before, span, earlier } = periodsOf(actor, filter.BetweenDate)
  const key = SORTS[sort.replace(/^-/, '')]!
  const data = await execute<OrderExpenses>(
    db,
    sql`select ${ROW} from (
          select x.*, ${key} as key from ${spending(actor, span, filter)} where ${ordersAsked(actor, filter)}
          order by key ${sort.startsWith('-') ? sql`desc` : sql`asc`}, x.work_order_id desc
          limit ${per_page} offset ${(page - 1) * per_page}) x
        join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = x.work_order_id ${NAMES}
        order by x.key ${sort.startsWith('-') ? sql`desc` : sql`asc`}, x.work_order_id desc`,
  )
  const [counted] = await execute<{ total: number }>(
    db,
    sql`select count(*) as total from ${spending(actor, span, filter)} where ${ordersAsked(actor, filter)}`,
  )
  const months = await spentPerMonth(db, actor, span, filter)
  const [earlierSum] = await execute<{ total: number }>(
    db,
    sql`select coalesce(sum(x.supplies + x.services), 0) as total from ${spending(actor, earlier, filter)}
        where ${ordersAsked(actor, filter)}`,
  )
  const supplies_cost = sumOf(months, (m) => m.supplies_cost)
  const services_cost = sumOf(months, (m) => m.services_cost)
  const totals = {
    supplies_cost,
    services_cost,
    total_cost: supplies_cost + services_cost,
    before_cost: earlierSum?.total ?? 0,
  }
  return { data, total: counted?.total ?? 0, page, per_page, months, totals, range, before }
}

async function spentPerMonth(db: Db, actor: Actor, span: Span, filter: Narrowing) {
  const starts = monthStarts(span)
  const spent = await execute<{ step: number; supplies: number; services: number }>(
    db,
    perStep(actor, span, filter, stepsOf(starts, actor.time_zone)),
  )
  return starts.map((start, i) => {
    const { supplies = 0, services = 0 } = spent.find(({ step }) => step === i + 1) ?? {}
    return {
      month: start.slice(0, 7),
      supplies_cost: supplies,
      services_cost: services,
      total_cost: supplies + services,
    }
  })
}

/* For the file: which orders, and then some of them at a time. */

export async function ordersWithExpenses(db: Db, actor: Actor, span: Span, filter: Narrowing): Promise<number[]> {
  const found = await execute<{ id: number }>(
    db,
    sql`select x.work_order_id as id from ${spending(actor, span, filter)} where ${ordersAsked(actor, filter)} order by 1`,
  )
  return found.map(({ id }) => id)
}

export const expensesOfOrders = (db: Db, actor: Actor, span: Span, ids: number[]) =>
  execute<OrderExpenses>(
    db,
    sql`select ${ROW} from ${spending(actor, span, {}, sql`and l.work_order_id = any(${sql.param(ids)}::bigint[])`)} ${NAMES}
        order by x.work_order_id`,
  )
