import { sql } from 'drizzle-orm'
import type { Clash } from '#contract/work-orders/orders.ts'
import { OPEN_STATUSES } from '#contract/work-orders/states.ts'
import { type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { boxesTable, specialistsTable } from '../workshops/tables.ts'
import { CODE } from './access.ts'
import { workOrdersTable, worksTable } from './tables.ts'
import { SPECIALIST_NAME } from './works.ts'

interface Found extends Clash {
  /** Whose clash it is; a work's, where it is of a specialist. */
  id: number
  work_id: number | null
}

/** Nobody said how long it takes. */
const AN_HOUR = sql`interval '1 hour'`

/**
 * Boxes with two open orders, and specialists with two works to do, at one hour: allowed, and said. What is inside
 * lasts until it leaves; what is planned, until its deadline or for an hour. What has a day and no hour meets nobody.
 */
export async function clashesOf(db: Db, actor: Actor, ids: number[]): Promise<Found[]> {
  const { company_id, time_zone } = actor
  if (ids.length === 0) return []
  const open = sql`o.company_id = ${company_id} and o.status = any(${sql.param(OPEN_STATUSES)})`
  return rows<Found>(
    db,
    sql`with spans as materialized (
          select 'box' as kind, o.box_id as thing, o.id, null::bigint as work_id, ${CODE} as code, e.start,
            coalesce(o.workshop_departure_at, case when o.deadline_at > e.start then o.deadline_at end,
              case when o.workshop_entry_at is not null then greatest(now(), e.start + ${AN_HOUR}) else e.start + ${AN_HOUR} end)
              as until
          from ${workOrdersTable} o cross join lateral (select coalesce(o.workshop_entry_at,
            (o.date_estimed + o.hour_estimed::time) at time zone ${time_zone}) as start) e
          where ${open} and o.box_id is not null and e.start is not null
          union all
          select 'specialist', w.specialist_id, o.id, w.id, ${CODE}, e.start,
            case when w.start_time is not null then greatest(now(), e.start)
              else coalesce(w.target_end_at, e.start + coalesce(nullif(w.hours, 0) * ${AN_HOUR}, ${AN_HOUR})) end
          from ${worksTable} w
          join ${workOrdersTable} o on o.company_id = w.company_id and o.id = w.work_order_id
          cross join lateral (select coalesce(w.start_time, w.target_start_at) as start) e
          where ${open} and w.company_id = ${company_id} and w.specialist_id is not null and w.end_time is null
            and w.state <> 'done' and e.start is not null)
        select a.id, a.work_id, a.kind, coalesce(b.name, ${SPECIALIST_NAME}) as name, x.id as work_order_id, x.code,
          greatest(a.start, x.start) as "from", least(a.until, x.until) as until
        from spans a
        join spans x on x.kind = a.kind and x.thing = a.thing and a.start < x.until and x.start < a.until
          and (x.id <> a.id or x.work_id <> a.work_id)
        left join ${boxesTable} b on a.kind = 'box' and b.company_id = ${company_id} and b.id = a.thing
        left join ${specialistsTable} s on a.kind = 'specialist' and s.company_id = ${company_id} and s.id = a.thing
        where a.id = any(${sql.param(ids)}::bigint[])
        order by a.id, "from", x.id`,
  )
}
