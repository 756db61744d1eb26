import { sql } from 'drizzle-orm'
import { EXECUTED } from '#contract/alerts/alerts.ts'
import type { Period } from '#contract/reports/periods.ts'
import type { ReportSummary } from '#contract/reports/reports.ts'
import {
  FINAL_STATUS,
  OPEN_STATUSES,
  WORK_ORDER_STATUS_NAMES,
  type WorkOrderStatus,
} from '#contract/work-orders/states.ts'
import { alertsTable } from '../../alerts/tables.ts'
import { coupledTable, trucksTable } from '../../fleet/tables.ts'
import { batch, type Db, rows, snapshot } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { stockTable, warehousesTable } from '../../warehouses/tables.ts'
import { CODE } from '../../work-orders/access.ts'
import { isStopped } from '../../work-orders/board/stopped.ts'
import { plus } from '../../work-orders/orders/history.ts'
import { workOrdersTable } from '../../work-orders/tables.ts'
import { seesLabour } from '../../workshops/company.ts'
import { inScope } from '../../workshops/scope.ts'
import { budgetsIn } from '../expenses/budgets.ts'
import { spentByCenter } from '../expenses/centers.ts'
import { type Narrowing, periodsOf, type Span, spentPerDay, sumOf } from '../expenses.ts'

/** What an owner looks at each morning. */
export async function reportSummary(
  db: Db,
  actor: Actor,
  { filter }: { filter: { WorkshopId?: number[] | undefined } },
): Promise<ReportSummary> {
  const { range, before, span, earlier } = periodsOf(actor, undefined)
  if (!actor.may.has('reports.read'))
    return {
      range,
      before,
      expenses: null,
      budget: null,
      trucks: null,
      stopped: [],
      overdue_alerts: null,
      below_minimum: await belowMinimum(db, actor, filter),
      orders: null,
    }
  const { counts, budgets } = await batch({
    counts: seesLabour(db, actor),
    budgets: budgetsIn(db, actor, range, filter),
  })
  const { now, previous, budget } = await snapshot(db, () =>
    batch({
      now: daysIn(db, actor, span, filter, counts),
      previous: daysIn(db, actor, earlier, filter, counts),
      budget: againstBudget(db, actor, span, filter, budgets),
    }),
  )
  const [total, total_before] = [sumOf(now.amounts, Number), sumOf(previous.amounts, Number)]
  const [labour, labour_before] = [now, previous].map((each) => (counts ? sumOf(each.labour, Number) : null))
  const { below_minimum, stopped, active, overdue_alerts, orders } = await batch({
    below_minimum: belowMinimum(db, actor, filter),
    stopped: stoppedNow(db, actor, filter),
    active: activeTrucks(db, actor, filter),
    overdue_alerts: overdueAlerts(db, actor, filter),
    orders: ordersByStatus(db, actor, span, filter),
  })
  return {
    range,
    before,
    expenses: {
      total,
      before: total_before,
      days: now.amounts,
      days_before: previous.amounts,
      labour: labour ?? null,
      total_with_labour: plus(total, labour ?? null),
      before_with_labour: plus(total_before, labour_before ?? null),
      days_with_labour: counts ? withLabour(now) : null,
      days_before_with_labour: counts ? withLabour(previous) : null,
    },
    budget,
    trucks: { active, stopped: stopped.length },
    stopped,
    overdue_alerts,
    below_minimum,
    orders,
  }
}

async function belowMinimum(db: Db, actor: Actor, filter: Narrowing) {
  const [counted] = await rows<{ below: number }>(
    db,
    sql`select count(*) as below from ${stockTable} s
        join ${warehousesTable} w on w.company_id = s.company_id and w.id = s.warehouse_id
        where ${inScope(actor, sql`w`, filter.WorkshopId)} and s.company_id = ${actor.company_id} and s.attached
          and s.on_hand - s.reserved < s.minimum`,
  )
  return counted?.below ?? 0
}

async function activeTrucks(db: Db, actor: Actor, filter: Narrowing) {
  const [counted] = await rows<{ active: number }>(
    db,
    sql`select count(*) as active from ${trucksTable} t
        where ${inScope(actor, sql`t`, filter.WorkshopId)} and t.state = 'active'`,
  )
  return counted?.active ?? 0
}

const daysOf = ({ from, to }: Period) => {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

async function daysIn(db: Db, actor: Actor, span: Span, filter: Narrowing, counts: boolean) {
  const spent = await spentPerDay(db, actor, span, filter, counts)
  const perDay = new Map(spent.map(({ day, ...sums }) => [day, sums]))
  const sums = daysOf(span).map((day) => perDay.get(day) ?? { supplies: 0, services: 0, labour: 0 })
  return {
    amounts: sums.map(({ supplies, services }) => supplies + services),
    labour: sums.map(({ labour }) => labour),
  }
}

const withLabour = ({ amounts, labour }: Record<'amounts' | 'labour', number[]>) =>
  amounts.map((amount, i) => amount + labour[i]!)

/** What the month cost so far against what it may cost, as the report by truck says it. */
async function againstBudget(
  db: Db,
  actor: Actor,
  span: Span,
  filter: Narrowing,
  budgets: Awaited<ReturnType<typeof budgetsIn>>,
) {
  if (budgets.size === 0) return null
  const spent = await spentByCenter(db, actor, span, filter)
  const counted = [...budgets]
    .map(([cost_center_id, { cost_center, budget }]) => ({
      cost_center_id,
      cost_center,
      total_cost: spent.get(cost_center_id) ?? 0,
      budget,
    }))
    .sort((a, b) => b.total_cost - a.total_cost)
  const used = ({ total_cost, budget }: { total_cost: number; budget: number }) => total_cost / Math.max(budget, 1)
  return {
    budget: sumOf(counted, ({ budget }) => budget),
    total_cost: sumOf(counted, ({ total_cost }) => total_cost),
    cost_centers: counted.sort((a, b) => used(b) - used(a)),
  }
}

/** Each truck once, by the stay that began first. */
const stoppedNow = (db: Db, actor: Actor, filter: Narrowing) =>
  rows<ReportSummary['stopped'][number]>(
    db,
    sql`select * from (
          select distinct on (o.truck_id) o.truck_id, k.code as truck_code, k.patent, o.id as work_order_id,
            ${CODE} as code, o.request, o.planned, o.workshop_entry_at as since
          from ${workOrdersTable} o join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
          where ${inScope(actor, sql`o`, filter.WorkshopId)} and ${isStopped(sql`o`)}
          order by o.truck_id, o.workshop_entry_at, o.id) s
        order by since, truck_id`,
  )

async function overdueAlerts(db: Db, actor: Actor, filter: Narrowing) {
  const [counted] = await rows<{ overdue: number }>(
    db,
    // Where every workshop counts, nobody looks whose they are.
    sql`select count(*) as overdue from ${alertsTable} a
        left join ${trucksTable} t on t.company_id = a.company_id and t.id = a.truck_id
        left join ${coupledTable} c on c.company_id = a.company_id and c.id = a.coupled_id
        cross join lateral (select a.company_id, coalesce(t.workshop_id, c.workshop_id) as workshop_id) v
        where ${inScope(actor, sql`v`, filter.WorkshopId)} and a.company_id = ${actor.company_id} and a.overdue
          and a.status <> ${EXECUTED}`,
  )
  return counted?.overdue ?? 0
}

async function ordersByStatus(db: Db, actor: Actor, span: Span, filter: Narrowing) {
  const counted = await rows<{ status: WorkOrderStatus; count: number }>(
    db,
    sql`select o.status, count(*) as count from ${workOrdersTable} o
        where ${inScope(actor, sql`o`, filter.WorkshopId)} and o.status = any(${sql.param(OPEN_STATUSES)}) group by 1
        union all
        select ${FINAL_STATUS}::text, count(*) from ${workOrdersTable} o
        where ${inScope(actor, sql`o`, filter.WorkshopId)} and o.status = ${FINAL_STATUS}
          and o.finalized_at >= ${span.start}::timestamptz and o.finalized_at < ${span.end}::timestamptz`,
  )
  const found = new Map(counted.map(({ status, count }) => [status, count]))
  return Object.fromEntries(WORK_ORDER_STATUS_NAMES.map((status) => [status, found.get(status) ?? 0])) as Record<
    WorkOrderStatus,
    number
  >
}
