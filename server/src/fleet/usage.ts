import { type SQL, sql } from 'drizzle-orm'
import { COMPANY } from '../platform/database/db.ts'
import { couplingsTable, readingsTable, trucksTable } from './tables.ts'

/** How far back "lately" goes. */
const LATELY = sql`interval '60 days'`

/**
 * What the meter of each truck says: id, kilometers, read_at, and per_day, the kilometres it drives a day lately.
 * That is counted up to its last reading, from the first one within 60 days before it, or else from the one before.
 */
export const truckUse = (company_id: number, trucks: SQL) => {
  const counted = sql`r.company_id = ${COMPANY} and r.truck_id = t.id and not r.superseded`
  const sooner = sql`${counted} and r.date <= l.date - interval '1 day'`
  return sql`select t.id, t.mileage as kilometers, l.date as read_at,
      (l.km - coalesce(e.km, b.km)) * 86400 / date_part('epoch', l.date - coalesce(e.date, b.date)) as per_day
    from ${trucksTable} t
    left join lateral (select r.date, r.km from ${readingsTable} r where ${counted} order by r.date desc, r.id desc limit 1) l on true
    left join lateral (select r.date, r.km from ${readingsTable} r where ${sooner} and r.date >= l.date - ${LATELY}
      order by r.date, r.id limit 1) e on true
    left join lateral (select r.date, r.km from ${readingsTable} r where ${sooner} and e.km is null
      order by r.date desc, r.id desc limit 1) b on true
    where t.company_id = ${company_id} and t.id in (${trucks})`
}

/** What the meter of the truck of an interval `k` showed at a moment: between two readings it moved evenly. */
const meterAt = (moment: SQL) => {
  const counted = sql`r.company_id = ${COMPANY} and r.truck_id = k.truck_id and not r.superseded`
  return sql`(select case when b.km is null then a.km when a.km is null then b.km
      else b.km + (a.km - b.km) * date_part('epoch', ${moment} - b.date) / date_part('epoch', a.date - b.date) end
    from (values (1)) one
    left join lateral (select r.date, r.km from ${readingsTable} r where ${counted} and r.date <= ${moment}
      order by r.date desc, r.id desc limit 1) b on true
    left join lateral (select r.date, r.km from ${readingsTable} r where ${counted} and r.date > ${moment}
      order by r.date, r.id limit 1) a on true)`
}

/** Where the truck's meter stood when an interval `k` began and ended: as somebody noted it, or worked out. */
const FROM_KM = sql`coalesce(k.from_km, ${meterAt(sql`k.from_at`)})`
const UNTIL_KM = sql`coalesce(k.until_km, ${meterAt(sql`least(k.until_at, 'infinity'::timestamptz)`)})`
/** What was driven in an interval `k`. */
export const DRIVEN = sql`greatest(0, round(coalesce(${UNTIL_KM} - ${FROM_KM}, 0)))::bigint`

/** The same for coupled units, from what their trucks drove while they pulled them; read_at only while one does. */
export const unitUse = (company_id: number, units: SQL, now: string) => {
  const since = sql`greatest(k.from_at, ${now}::timestamptz - ${LATELY})`
  const until = sql`least(k.until_at, 'infinity'::timestamptz)`
  return sql`select d.coupled_id as id, sum(greatest(0, round(d.until_km - d.from_km)))::bigint as kilometers, max(d.read_at) as read_at,
      sum(case when d.until_at > ${now}::timestamptz - ${LATELY} then d.until_km - d.since_km else 0 end)
        / greatest(1, least(60, date_part('epoch', ${now}::timestamptz - min(d.from_at)) / 86400)) as per_day
    from (
      select k.coupled_id, k.from_at, ${until} as until_at, ${UNTIL_KM} as until_km, ${FROM_KM} as from_km,
        ${meterAt(since)} as since_km, case when k.until_at is null then (select max(r.date) from ${readingsTable} r
          where r.company_id = ${COMPANY} and r.truck_id = k.truck_id and not r.superseded) end as read_at
      from ${couplingsTable} k where k.company_id = ${company_id} and k.coupled_id in (${units})
      -- Each figure worked out once, however often it is used above.
      offset 0
    ) d group by d.coupled_id`
}

/** Which units some trucks have ever pulled. */
export const unitsPulledBy = (company_id: number, trucks: number[]) =>
  sql`select k.coupled_id from ${couplingsTable} k where k.company_id = ${company_id} and k.truck_id = any(${sql.param(trucks)})`
