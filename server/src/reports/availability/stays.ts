import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows, rowsUnprepared } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { maintenanceTypesTable, workOrdersTable } from '../../work-orders/tables.ts'
import type { Scope } from '../../workshops/scope.ts'
import { isLong, monthSpan, monthsWithin, type Narrowing, ordersAsked, type Span } from '../expenses.ts'
import { closedHoursTable } from '../tables.ts'

/** An actor, a company, or one workshop of a company. */
export type StayScope = Scope & Pick<Actor, 'time_zone'>

/** The first instant of a period, and the first after it. */
export type Moments = Pick<Span, 'start' | 'end'>

export interface StayPeriod extends Moments {
  /** The end of the period; `end` is at most now. */
  until: string
  /** The closed months inside the period, in order: the split of their stopped time is stored in `closed_hours`. */
  closed: (Moments & { month: string })[]
}

/** A truck `x` counts from the beginning of the day on which it was registered, until it is retired. */
export const registered = (zone: string | SQL) =>
  sql`date_trunc('day', x.created_at at time zone ${zone}) at time zone ${zone}`

/** The type of maintenance `m` says whether an order `o` was planned; with any other type, the order says it. */
export const IS_PLANNED = sql`case m.code when 'CORRECTIVE' then false when 'PREVENTIVE' then true
  when 'PREDICTIVE' then true else o.planned end`

/**
 * The stays that touch a period, wherever they were, as `s`: id, truck_id, began, ended, stay (the range), planned. A truck
 * that has not left stays until now. There are two halves because departures and missing departures are two ranges of the
 * index.
 */
export const staysIn = (scope: StayScope, { start, end }: Moments, now: string, filter: Narrowing) => {
  const stays = (departure: SQL, ended: SQL) => sql`
    select o.id, o.truck_id, o.workshop_entry_at as began, ${ended} as ended, ${IS_PLANNED} as planned,
      tstzrange(o.workshop_entry_at, ${ended}) as stay
    from ${workOrdersTable} o
    left join ${maintenanceTypesTable} m on m.company_id = o.company_id and m.id = o.type_maintenance_id
    where ${ordersAsked(scope, filter)} and ${departure} and o.workshop_entry_at < ${end}::timestamptz
      and o.workshop_entry_at < ${ended}`
  return sql`(
    ${stays(sql`o.workshop_departure_at > ${start}::timestamptz`, sql`o.workshop_departure_at`)}
    union all
    ${stays(sql`o.workshop_departure_at is null`, sql`coalesce(o.finalized_at, ${now}::timestamptz)`)}) s`
}

/** The part of a period that has passed. */
export const elapsed = ({ start, end }: Moments, now: string) => ({
  start,
  end: end < now ? end : now,
})

/** Periods, each with the closed months inside it. */
export async function stayPeriods(
  db: Db,
  { company_id, time_zone }: StayScope,
  spans: Span[],
  now: string,
): Promise<StayPeriod[]> {
  const months = [...new Set(spans.flatMap(monthsWithin))]
  const stored = await rows<{ month: string }>(
    db,
    sql`select month from ${closedHoursTable} where company_id = ${company_id} and truck_id = 0
          and month = any(${sql.param(months)}::text[]) order by month`,
  )
  const closed = stored.map(({ month }) => ({ month, ...monthSpan(month, time_zone) }))
  return spans.map((span) => ({
    ...elapsed(span, now),
    until: span.end,
    closed: closed.filter(({ start, end }) => start >= span.start && end <= span.end),
  }))
}

/** Years of many trucks need a plan made for their values; one truck or a few weeks do with a prepared statement. */
export const readerOf = (period: Moments, { Truck }: Narrowing) =>
  Truck?.length || !isLong(period) ? rows : rowsUnprepared

/** The hours of ranges `r`, added up. */
export const HOURS = sql`coalesce(extract(epoch from sum(upper(r) - lower(r))), 0)::float8 / 3600`
/** The hours in a multirange. */
export const hoursIn = (ranges: SQL) => sql`(select ${HOURS} from unnest(${ranges}) r)`
