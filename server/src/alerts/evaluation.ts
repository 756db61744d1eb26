import { type SQL, sql } from 'drizzle-orm'
import { EXECUTED } from '#contract/alerts/alerts.ts'
import { coupledTable, readingsTable, trucksTable } from '../fleet/tables.ts'
import { truckUse, unitsPulledBy, unitUse } from '../fleet/usage.ts'
import { COMPANY, type Database, type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { announce, tell } from '../platform/operations/happenings.ts'
import { timeZoneOf } from '../workshops/company.ts'
import { type Company, type Fresh, writeNotices } from './notices.ts'
import { alertEventsTable, alertsTable } from './tables.ts'

/** Further away than this nobody plans: the truck hardly moves. */
const FARTHEST = 3650

/** What others hear when alerts become current or overdue. */
export const ALERTS_DUE = 'alerts.due'

/** Nobody in particular: days pass by themselves. */
const clockOf = (company: Company): Actor => ({
  ...company,
  user_id: 0,
  user_name: 'El reloj',
  session_id: 0,
  role: 'super-admin',
  workshop_id: null,
  may: new Set(),
})

/**
 * Works out which alerts are current and which overdue, when each falls due, and has the people told of what is new:
 * as sets, whatever their number. `now` is the moment it is worked out for.
 */
export async function evaluate(db: Db, company: Company, now: Date, only?: Only) {
  // One at a time in a company, so that each run tells what is new in one mail.
  await lockEvaluation(db, company)
  const changed = await workOut(db, company, now, onlyThese(company, only))
  const fresh = await noteEvents(db, company, now, onlyThese(company, only))
  if (fresh.length > 0) {
    await writeNotices(db, company, now, fresh)
    await tell(db, clockOf(company), ALERTS_DUE, [...new Set(fresh.map(({ alert_id }) => alert_id))])
  }
  const ids = new Map<number, number[]>()
  for (const { id, workshop_id } of changed) {
    ids.set(workshop_id, ids.get(workshop_id) ?? [])
    ids.get(workshop_id)!.push(id)
  }
  for (const [workshop_id, moved] of ids) announce(db, company, { topic: 'alerts', workshop_id, ids: moved })
  return { changed: changed.length, fresh }
}

export const evaluateCompany = (database: Database, company_id: number, now = new Date()) =>
  database.write(company_id, async (db) => {
    await evaluate(db, { company_id, time_zone: await timeZoneOf(db, company_id) }, now)
  })

/** Taken after locks on trucks and before any on alerts: everyone in this order, so that nobody waits in a circle. */
export const lockEvaluation = (db: Db, { company_id }: { company_id: number }) =>
  rows(db, sql`select pg_advisory_xact_lock(hashtextextended('alerts', ${company_id}))`)

interface Only {
  trucks?: number[]
  units?: number[]
  alerts?: number[]
}

function onlyThese({ company_id }: Company, only?: Only): SQL {
  if (only?.units) return sql`and a.coupled_id = any(${sql.param(only.units)})`
  if (only?.alerts) return sql`and a.id = any(${sql.param(only.alerts)})`
  if (only?.trucks)
    return sql`and (a.truck_id = any(${sql.param(only.trucks)}) or a.coupled_id in (${unitsPulledBy(company_id, only.trucks)}))`
  return sql``
}

/** Open, and of a truck that is still used. */
const open = (company_id: number, these: SQL) =>
  sql`a.company_id = ${company_id} and a.status <> ${EXECUTED} ${these}
    and not exists (select from ${trucksTable} x where x.company_id = ${COMPANY} and x.id = a.truck_id and x.state <> 'active')`

/** Moves what an evaluation finds into its columns; gives those whose state moved. */
async function workOut(db: Db, { company_id, time_zone }: Company, now: Date, these: SQL) {
  const at = now.toISOString()
  return rows<{ id: number; workshop_id: number }>(
    db,
    sql`with open_alerts as materialized (select a.* from ${alertsTable} a where ${open(company_id, these)}),
        truck_use as materialized (${truckUse(company_id, sql`select truck_id from open_alerts where truck_id is not null`)}),
        unit_use as materialized (${unitUse(company_id, sql`select coupled_id from open_alerts where coupled_id is not null and kilometers is not null`, at)}),
        used as (
          select a.id, a.date, a.days, a.kilometers, a.kilometers_advance, a.truck_id,
            case when a.truck_id is not null then u.kilometers when a.kilometers is not null then coalesce(v.kilometers, 0) end as km,
            case when a.truck_id is null then v.per_day else u.per_day end as per_day,
            case when a.truck_id is null then v.read_at else u.read_at end as read_at,
            (${at}::timestamptz at time zone ${time_zone})::date as today
          from open_alerts a left join truck_use u on u.id = a.truck_id left join unit_use v on v.id = a.coupled_id
        ),
        reached as materialized (
          select a.*, case
              when a.km >= a.kilometers then coalesce((select min(r.date) from ${readingsTable} r
                where r.company_id = ${company_id} and r.truck_id = a.truck_id and not r.superseded and r.km >= a.kilometers),
                a.read_at, ${at}::timestamptz)
              when a.per_day > 0 and (a.kilometers - a.km) / a.per_day <= ${FARTHEST} then greatest(${at}::timestamptz,
                coalesce(a.read_at, ${at}::timestamptz) + make_interval(secs => (a.kilometers - a.km) / a.per_day * 86400))
            end as km_at
          from used a
        ),
        due as (
          select a.*, (a.km_at at time zone ${time_zone})::date as km_on,
            coalesce(a.today >= a.date - coalesce(a.days, 0), false)
              or coalesce(a.km >= a.kilometers - coalesce(a.kilometers_advance, 0), false) as is_current,
            coalesce(a.today > a.date, false) or coalesce(a.km > a.kilometers, false) as is_overdue
          from reached a
        ),
        found as materialized (
          select d.id, case when d.is_current or d.is_overdue then 'current' else 'created' end as status, d.is_overdue as overdue,
            d.km as kilometers_now, round(d.per_day * 10) / 10 as kilometers_per_day, d.read_at,
            least(d.date, d.km_on) as due_on,
            coalesce(d.km < d.kilometers and (d.date is null or d.km_on < d.date), false) as estimated
          from due d
        ),
        moved as (
          update ${alertsTable} a set status = f.status, overdue = f.overdue, kilometers_now = f.kilometers_now,
            kilometers_per_day = f.kilometers_per_day, read_at = f.read_at, due_on = f.due_on, estimated = f.estimated
          from found f, open_alerts m
          where a.company_id = ${company_id} and a.id = f.id and m.id = f.id
            and (m.status, m.overdue, m.kilometers_now, m.kilometers_per_day, m.read_at, m.due_on, m.estimated) is distinct from
              (f.status, f.overdue, f.kilometers_now, f.kilometers_per_day, f.read_at, f.due_on, f.estimated)
          returning a.id, a.truck_id, a.coupled_id, m.status <> f.status or m.overdue <> f.overdue as told
        )
        select m.id, coalesce(t.workshop_id, c.workshop_id) as workshop_id from moved m
        left join ${trucksTable} t on t.company_id = ${company_id} and t.id = m.truck_id
        left join ${coupledTable} c on c.company_id = ${company_id} and c.id = m.coupled_id
        where m.told order by m.id`,
  )
}

/** Writes down what became current or overdue; what was written before, by whomever, is not new. */
const noteEvents = (db: Db, { company_id }: Company, now: Date, these: SQL) =>
  rows<Fresh>(
    db,
    sql`insert into ${alertEventsTable} (company_id, alert_id, round, event, at)
        select a.company_id, a.id, a.round, e.event, ${now.toISOString()}::timestamptz
        from ${alertsTable} a join (values ('current'), ('overdue')) e (event) on e.event = 'current' or a.overdue
        where ${open(company_id, these)} and a.status = 'current' and not exists (
          select from ${alertEventsTable} k where k.company_id = ${COMPANY} and k.alert_id = a.id
            and k.round = a.round and k.event = e.event)
        order by a.id, e.event
        on conflict do nothing returning alert_id, event`,
  )
