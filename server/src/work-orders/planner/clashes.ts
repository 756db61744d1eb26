import { type SQL, sql } from 'drizzle-orm'
import { WORK_STATES, WORK_STATES_BY_RANK } from '#contract/work-orders/lines.ts'
import type { Clash, PlannedOrder } from '#contract/work-orders/orders.ts'
import { OPEN_STATUSES } from '#contract/work-orders/states.ts'
import { oneOfIds, oneOfNames } from '../../platform/database/conditions.ts'
import { type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { boxesTable, specialistsTable } from '../../workshops/tables.ts'
import { CODE } from '../access.ts'
import { SPECIALIST_NAME } from '../labour/works.ts'
import { workOrdersTable, worksTable } from '../tables.ts'

/** The time during which an order takes its box, or a work its specialist. */
interface Span {
  kind: Clash['kind']
  /** The id of the box or the specialist. */
  thing: number
  name: string
  /** The order; 0 for a new one that is being typed. */
  id: number
  code: string
  /** `null` for the order in its box. */
  work_id: number | null
  start: string
  until: string
}

const OPEN = oneOfNames(OPEN_STATUSES)
const TO_DO = oneOfNames(WORK_STATES_BY_RANK.filter((state) => !WORK_STATES[state].done))

/** Assumed where nobody said how long something takes. */
const AN_HOUR = sql`interval '1 hour'`

/** When an order `o` comes, or came. */
export const orderStart = (time_zone: string) => sql`coalesce(o.workshop_entry_at,
  (o.date_estimed + o.hour_estimed::time) at time zone ${time_zone})`

/** From `e.start`: until it left; what is inside, until now at least; for as long as planned, to its deadline, or an hour. */
export const ORDER_UNTIL = sql`coalesce(o.workshop_departure_at,
  greatest(case when o.workshop_entry_at is not null then now() end,
    coalesce(e.start + o.planned_minutes * interval '1 minute',
      case when o.deadline_at > e.start then o.deadline_at end, e.start + ${AN_HOUR})))`

/** Orders `o` in their box. */
const inBoxes = (orders: SQL) => sql`
  select 'box' as kind, o.box_id as thing, o.id, o.code, null::bigint as work_id, e.start, ${ORDER_UNTIL} as until
  from ${orders} cross join lateral (select o.start) e
  where o.box_id is not null and e.start is not null`

/** Works `w` of orders `o` that somebody is at, or will be. */
const bySpecialists = (works: SQL) => sql`
  select 'specialist' as kind, w.specialist_id as thing, o.id, o.code, w.id as work_id, e.start,
    case when w.start_time is not null then greatest(now(), e.start)
      else coalesce(w.target_end_at, e.start + coalesce(nullif(w.hours, 0) * ${AN_HOUR}, ${AN_HOUR})) end as until
  from ${works} cross join lateral (select coalesce(w.start_time, w.target_start_at) as start) e
  where w.specialist_id is not null and w.end_time is null and e.start is not null`

/** The spans of an order as somebody is about to save it. */
function spansOfTyped({ works, ...typed }: PlannedOrder, { company_id, time_zone }: Actor) {
  const order = JSON.stringify({ ...typed, id: typed.id ?? 0 })
  // New works have no ids yet, and each needs one of its own.
  const lines = JSON.stringify(works.map((work, i) => ({ ...work, id: i + 1 })))
  const o = sql`(select 'esta misma orden' as code, o.*, ${orderStart(time_zone)} as start from (select t.*, p.planned_minutes
    from jsonb_to_record(${order}::jsonb) as t (id bigint, box_id bigint, date_estimed date, hour_estimed text,
      deadline_at timestamptz, workshop_entry_at timestamptz, workshop_departure_at timestamptz)
    left join ${workOrdersTable} p on p.company_id = ${company_id} and p.id = t.id) o) o`
  const w = sql`jsonb_to_recordset(${lines}::jsonb) as w (id bigint, specialist_id bigint, hours numeric,
    start_time timestamptz, end_time timestamptz, target_start_at timestamptz, target_end_at timestamptz)`
  return sql`${inBoxes(o)} union all ${bySpecialists(sql`${w} cross join ${o}`)}`
}

/** Conditions on orders `o` and works `w`: in a box that some orders take, or by one of their specialists. */
function near({ company_id }: Actor, ids: number[], typed?: PlannedOrder) {
  if (typed)
    return {
      orders: sql`o.box_id = ${typed.box_id}`,
      works: sql`w.specialist_id = any(${sql.param(typed.works.flatMap((work) => work.specialist_id ?? []))}::bigint[])`,
    }
  const these = oneOfIds(ids)
  return {
    orders: sql`o.box_id in (select t.box_id from ${workOrdersTable} t
      where t.company_id = ${company_id} and t.status ${OPEN} and t.id = ${these})`,
    works: sql`w.specialist_id in (select t.specialist_id from ${worksTable} t
      where t.company_id = ${company_id} and t.state ${TO_DO} and t.work_order_id = ${these})`,
  }
}

/**
 * All spans of the boxes and specialists that some open orders take, sorted by box or specialist and then by start. `typed`
 * is an order as somebody is about to save it, in the place of what is saved of it.
 */
function spansAround(db: Db, actor: Actor, ids: number[], typed?: PlannedOrder): Promise<Span[]> {
  const { company_id, time_zone } = actor
  const { orders, works } = near(actor, ids, typed)
  const open = sql`(select o.id, ${CODE} as code, o.box_id, o.workshop_entry_at, o.workshop_departure_at,
      o.planned_minutes, o.deadline_at, ${orderStart(time_zone)} as start
    from ${workOrdersTable} o where o.company_id = ${company_id} and o.status ${OPEN} and o.id <> ${typed?.id ?? 0})`
  const toDo = sql`(select * from ${worksTable} w where w.company_id = ${company_id} and w.state ${TO_DO} and ${works})`
  return rows<Span>(
    db,
    sql`select x.kind, x.thing, coalesce(b.name, ${SPECIALIST_NAME}) as name, x.id, x.code, x.work_id, x.start, x.until
        from (
          ${inBoxes(sql`(select * from ${open} o where ${orders}) o`)}
          union all
          ${bySpecialists(sql`${toDo} w join ${open} o on o.id = w.work_order_id`)}
          ${typed ? sql`union all ${spansOfTyped(typed, actor)}` : sql``}) x
        left join ${boxesTable} b on b.company_id = ${company_id} and x.kind = 'box' and b.id = x.thing
        left join ${specialistsTable} s on s.company_id = ${company_id} and x.kind = 'specialist' and s.id = x.thing
        order by x.kind, x.thing, x.start, x.id`,
  )
}

/** A card names no more clashes of one order or work: where everything stands in one box, there is one for each pair. */
const MAX_CLASHES = 3

interface Crossing {
  span: Span
  other: Span
}

/** For each span the first others over the same box or specialist at the same time. */
function crossingsOf(spans: Span[]): Crossing[] {
  const sorted = spans.map((span) => ({ span, others: [] as Span[] }))
  let running: typeof sorted = []
  for (const next of sorted) {
    const { kind, thing, start, until } = next.span
    running = running.filter(({ span }) => span.kind === kind && span.thing === thing && span.until > start)
    for (const earlier of running) {
      if (until <= earlier.span.start) continue
      if (next.others.length < MAX_CLASHES) next.others.push(earlier.span)
      if (earlier.others.length < MAX_CLASHES) earlier.others.push(next.span)
    }
    running.push(next)
  }
  return sorted.flatMap(({ span, others }) => others.map((other) => ({ span, other })))
}

interface OwnClash {
  /** The order that clashes. */
  id: number
  /** The work that clashes, if it is over a specialist. */
  work_id: number | null
  clash: Clash
}

/**
 * Boxes with two open orders, and specialists with two works to do, at one hour: allowed, and shown. An order that has a day
 * and no hour meets nobody. Sorted by when they begin.
 */
export async function clashesOf(db: Db, actor: Actor, ids: number[], typed?: PlannedOrder): Promise<OwnClash[]> {
  if (ids.length === 0) return []
  const these = new Set(ids)
  return crossingsOf(await spansAround(db, actor, ids, typed))
    .filter(({ span }) => these.has(span.id))
    .map(({ span: { kind, name, id, work_id, start, until }, other }) => ({
      id,
      work_id,
      clash: {
        kind,
        name,
        work_order_id: other.id,
        code: other.code,
        from: later(start, other.start),
        until: earlier(until, other.until),
      },
    }))
    .sort((a, b) => compare(a.clash.from, b.clash.from) || a.clash.work_order_id - b.clash.work_order_id)
}
/** Instants are ISO texts of one length, which sort as the moments do. */
const compare = (a: string, b: string) => Number(a > b) - Number(a < b)
const earlier = (a: string, b: string) => (compare(a, b) < 0 ? a : b)
const later = (a: string, b: string) => (compare(a, b) > 0 ? a : b)

/** The orders whose cards name a clash with one of these. */
export async function ordersClashingWith(db: Db, actor: Actor, ids: number[]): Promise<number[]> {
  const these = new Set(ids)
  const crossings = crossingsOf(await spansAround(db, actor, ids))
  return crossings.filter(({ other }) => these.has(other.id)).map(({ span }) => span.id)
}

interface Event {
  id: number
  work_order_id: number
  kind: 'planned' | 'unplanned' | 'work'
}

/** Orders with their clashes over boxes, and works with theirs over specialists; those that are not open have none. */
export async function withClashes<T extends Event>(db: Db, actor: Actor, events: T[], isOpen: (event: T) => boolean) {
  const found = await clashesOf(db, actor, [
    ...new Set(events.filter(isOpen).map(({ work_order_id }) => work_order_id)),
  ])
  const byEvent = Map.groupBy(found, ({ id, work_id }) => (work_id === null ? `order ${id}` : `work ${work_id}`))
  return events.map((event) => ({
    ...event,
    clashes: (byEvent.get(`${event.kind === 'work' ? 'work' : 'order'} ${event.id}`) ?? []).map(({ clash }) => clash),
  }))
}

/** The clashes of an order as it is typed. */
export async function plannedClashes(db: Db, actor: Actor, typed: PlannedOrder) {
  const found = await clashesOf(db, actor, [typed.id ?? 0], typed)
  const data = found.map(({ clash }) => clash)
  return { data, total: data.length }
}
