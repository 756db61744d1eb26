import { type SQL, sql } from 'drizzle-orm'
import { dayOf, instantOf } from '#contract/dates.ts'
import { type Period, periodBefore, periodOf } from '#contract/report-periods.ts'
import type { ReportFilter } from '#contract/reports.ts'
import type { Actor } from '../platform/actor.ts'
import { all, oneOf } from '../platform/lists.ts'
import {
  invoicesTable,
  workOrderServicesTable,
  workOrderSuppliesTable,
  workOrdersTable,
} from '../work-orders/tables.ts'
import { inScope } from '../workshops/scope.ts'

/*
 * What was spent: the lines of work orders, each on its day. Every report of expenses is a sum over these, which is why
 * they agree with each other.
 */

export interface Span extends Period {
  /** The first instant, and the first that no longer belongs to it. */
  start: string
  end: string
}

const nextDay = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

export const spanOf = ({ from, to }: Period, zone: string): Span => ({
  from,
  to,
  start: instantOf(`${from}T00:00`, zone),
  end: instantOf(`${nextDay(to)}T00:00`, zone),
})

export const today = (actor: Actor) => dayOf(new Date(), actor.time_zone)

export function periodsOf(actor: Actor, between: string | undefined) {
  const range = periodOf(between, today(actor))
  const before = periodBefore(range, today(actor))
  return { range, before, span: spanOf(range, actor.time_zone), earlier: spanOf(before, actor.time_zone) }
}

export type Narrowing = Pick<ReportFilter, 'WorkshopId' | 'Truck'>

/** Orders that count, as `o`. */
export const ordersAsked = (actor: Actor, filter: Narrowing) =>
  all([inScope(actor, sql`o`, filter.WorkshopId), oneOf(sql`o.truck_id`, filter.Truck)])

/** Not every order of the company counts. */
export const isNarrow = (actor: Actor, filter: Narrowing) =>
  actor.workshop_id !== null || Boolean(filter.WorkshopId?.length) || Boolean(filter.Truck?.length)

const FEW_TRUCKS = 5
/** Few orders count: they are looked up rather than sifted from everyone's lines. */
const fewOrders = (actor: Whose, filter: Narrowing, line = sql`l`) =>
  filter.Truck?.length && filter.Truck.length <= FEW_TRUCKS && 'role' in actor
    ? sql`and ${line}.work_order_id = any(array(select o.id from ${workOrdersTable} o where ${ordersAsked(actor, filter)}))`
    : sql``

/** A person; or a company, of which then every order counts. */
type Whose = Actor | Pick<Actor, 'company_id' | 'time_zone'>

/** Supply lines as `l`, by the moment they were recorded. */
export const supplyLines = (actor: Whose, span: Span, filter: Narrowing = {}) => sql`${workOrderSuppliesTable} l
  where l.company_id = ${actor.company_id} and l.created_at >= ${span.start}::timestamptz
    and l.created_at < ${span.end}::timestamptz ${fewOrders(actor, filter)}`

/**
 * Service lines with their day: of the invoice, where their provider has one in the order. An order has few services:
 * those of an invoice are looked up (`offset 0` keeps the planner from reading everyone's instead).
 */
export const serviceLines = (actor: Whose, span: Span, filter: Narrowing = {}) => sql`(
  select l.id, l.work_order_id, l.provider_id, l.service_id, l.quantity, l.amount,
    (l.created_at at time zone ${actor.time_zone})::date as day
  from ${workOrderServicesTable} l
  where l.company_id = ${actor.company_id} and l.created_at >= ${span.start}::timestamptz
    and l.created_at < ${span.end}::timestamptz ${fewOrders(actor, filter)}
    and not exists (select 1 from ${invoicesTable} i where i.company_id = ${actor.company_id}
      and i.work_order_id = l.work_order_id and i.provider_id = l.provider_id)
  union all
  select l.id, l.work_order_id, l.provider_id, l.service_id, l.quantity, l.amount, i.date as day
  from ${invoicesTable} i
  cross join lateral (
    select l.* from ${workOrderServicesTable} l where l.company_id = ${actor.company_id}
      and l.work_order_id = i.work_order_id and l.provider_id = i.provider_id offset 0) l
  where i.company_id = ${actor.company_id} and i.date >= ${span.from}::date and i.date <= ${span.to}::date
    ${fewOrders(actor, filter, sql`i`)})`

/** What each order spent in a period: work_order_id, supplies, services. */
export const perOrder = (actor: Actor, span: Span, filter: Narrowing, extra: SQL = sql``) => sql`(
  select work_order_id, sum(supplies) as supplies, sum(services) as services from (
    select l.work_order_id, sum(l.amount) as supplies, 0::numeric as services
    from ${supplyLines(actor, span, filter)} ${extra} group by 1
    union all
    select l.work_order_id, 0, sum(l.amount) from ${serviceLines(actor, span, filter)} l where true ${extra} group by 1
  ) parts group by 1)`

/** Steps of a period (months or days): what `width_bucket` needs to tell which one a moment or a day is in. */
export function stepsOf(starts: string[], zone: string) {
  const moments = starts.map((day) => instantOf(`${day}T00:00`, zone))
  return {
    ofMoment: (column: SQL) => sql`width_bucket(${column}, ${sql.param(moments)}::timestamptz[])`,
    ofDay: (column: SQL) => sql`width_bucket(${column}, ${sql.param(starts)}::date[])`,
  }
}

/** What was spent in each step, counted from 1. */
export const perStep = (actor: Actor, span: Span, filter: Narrowing, steps: ReturnType<typeof stepsOf>) => {
  const asked = isNarrow(actor, filter)
    ? sql`join ${workOrdersTable} o on o.id = u.work_order_id where ${ordersAsked(actor, filter)}`
    : sql``
  return sql`
    select u.step, sum(u.supplies) as supplies, sum(u.services) as services from (
      select l.work_order_id, ${steps.ofMoment(sql`l.created_at`)} as step, sum(l.amount) as supplies, 0::numeric as services
      from ${supplyLines(actor, span, filter)} group by 1, 2
      union all
      select l.work_order_id, ${steps.ofDay(sql`l.day`)}, 0, sum(l.amount)
      from ${serviceLines(actor, span, filter)} l group by 1, 2
    ) u ${asked} group by 1`
}

export const sumOf = <Row>(rows: readonly Row[], field: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + field(row), 0)
