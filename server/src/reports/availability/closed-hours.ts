import { type SQL, sql } from 'drizzle-orm'
import { trucksTable } from '../../fleet/tables.ts'
import { COMPANY, type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { maintenanceTypesTable, workOrdersTable } from '../../work-orders/tables.ts'
import { closedMonths } from '../../workshops/months.ts'
import { workshopsTable } from '../../workshops/tables.ts'
import { monthSpan, type Span } from '../expenses.ts'
import { closedHoursTable } from '../tables.ts'
import { IS_PLANNED, registered, stayPeriods } from './stays.ts'
import { stoppedIn } from './stopped.ts'

/** Months that are closed of which it is not kept what trucks were stopped for; of those that are open again it is forgotten. */
export async function hoursToKeep(db: Db, { company_id, time_zone }: Pick<Actor, 'company_id' | 'time_zone'>) {
  const { closed_through } = await closedMonths(db, { company_id })
  const mine = sql`company_id = ${company_id}`
  await rows(db, sql`delete from ${closedHoursTable} where ${mine} and month > ${closed_through ?? ''}`)
  if (closed_through === null) return []
  const missing = await rows<{ month: string }>(
    db,
    sql`select m.month from (
          select to_char(generate_series(date_trunc('month', min(workshop_entry_at) at time zone ${time_zone}),
            (${closed_through} || '-01')::timestamp, interval '1 month'), 'YYYY-MM') as month
          from ${workOrdersTable} where ${mine}) m
        where not exists (select from ${closedHoursTable} h
          where h.company_id = ${COMPANY} and h.month = m.month and h.truck_id = 0)`,
  )
  return missing.map(({ month }) => month)
}

export async function keepHours(
  db: Db,
  { company_id, time_zone }: Pick<Actor, 'company_id' | 'time_zone'>,
  month: string,
) {
  const workshops = await rows<{ id: number }>(
    db,
    sql`select id from ${workshopsTable} where company_id = ${company_id}`,
  )
  const now = new Date().toISOString()
  const kept = [{ company_id, month, truck_id: 0, workshop_id: 0, timed: 0, parts: 0, noted: 0 }]
  for (const { id: workshop_id } of workshops) {
    const scope = { company_id, time_zone, workshop_id }
    const [period] = await stayPeriods(db, scope, [monthSpan(month, time_zone)], now)
    for (const truck of await stoppedIn(db, scope, period!, now, {}))
      if (truck.hours_stopped > 0)
        kept.push({
          company_id,
          month,
          truck_id: truck.truck_id,
          workshop_id,
          timed: truck.hours_timed,
          parts: truck.hours_parts,
          noted: truck.hours_noted,
        })
  }
  await db.insert(closedHoursTable).values(kept)
  await rows(
    db,
    sql`insert into ${closedHoursTable} (company_id, month, truck_id, workshop_id, own, timed, parts, noted)
        select x.company_id, ${month}::text, x.id, x.workshop_id, true, 0, 0, 0
        from ${trucksTable} x where x.company_id = ${company_id}
        on conflict (company_id, month, truck_id, workshop_id) do update set own = true`,
  )
}

/**
 * How long each truck was there, and stopped, in whole months: company_id, month, figure, of, amount. In seconds, and how
 * often. `months` selects them; `only` is where it selects one.
 */
export function availabilityOf({
  company_id,
  time_zone,
  months,
  only,
}: Record<'company_id' | 'time_zone' | 'months', SQL> & { only?: Span }) {
  const local = (instant: SQL) => sql`${instant} at time zone ${time_zone}`
  const left = sql`greatest(o.workshop_entry_at, coalesce(o.workshop_departure_at, o.finalized_at, now()))`
  const seconds = (ranges: SQL) =>
    sql`round(coalesce(extract(epoch from (select sum(upper(r) - lower(r)) from unnest(${ranges}) r)), 0)::float8)`
  const countIn = (ranges: SQL) => sql`coalesce((select count(*) from unnest(${ranges}) r), 0)`
  return sql`
    select x.company_id, p.month, v.figure, x.id as of, v.amount::numeric as amount
    from (
      select a.month, ${local(sql`(a.month || '-01')::timestamp`)} as start,
        ${local(sql`((a.month || '-01')::timestamp + interval '1 month')`)} as "end"
      from (${months}) a) p
    join ${trucksTable} x on x.company_id = ${company_id}
    cross join lateral (select greatest(p.start, ${registered(time_zone)}) as since) r
    cross join lateral (select tstzmultirange(tstzrange(r.since, greatest(r.since, least(p."end", x.retired_at))))
      - x.away as there) l
    left join (
      select to_char(g.month, 'YYYY-MM') as month, o.truck_id,
        range_agg(tstzrange(o.workshop_entry_at, ${left})) as stays,
        range_agg(tstzrange(o.workshop_entry_at, ${left})) filter (where not ${IS_PLANNED}) as failures
      from ${workOrdersTable} o
      left join ${maintenanceTypesTable} m on m.company_id = o.company_id and m.id = o.type_maintenance_id
      cross join lateral generate_series(date_trunc('month', ${local(sql`o.workshop_entry_at`)}), ${local(left)},
        interval '1 month') as g (month)
      where o.company_id = ${company_id}${only ? sql` and o.workshop_entry_at < ${only.end}::timestamptz and ${left} >= ${only.start}::timestamptz` : sql``}
      group by 1, 2) s on s.month = p.month and s.truck_id = x.id
    cross join lateral (values ('seconds of truck', ${seconds(sql`l.there`)}),
      ('seconds stopped of truck', ${seconds(sql`l.there * s.stays`)}),
      ('seconds unplanned of truck', ${seconds(sql`l.there * s.failures`)}),
      ('stops of truck', ${countIn(sql`l.there * s.stays`)}),
      ('unplanned stops of truck', ${countIn(sql`l.there * s.failures`)})) as v (figure, amount)
    where v.amount <> 0`
}
