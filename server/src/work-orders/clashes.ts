import { type SQL, sql } from 'drizzle-orm'
import { WORK_STATES, WORK_STATES_BY_RANK } from '#contract/work-orders/lines.ts'
import type { Clash, PlannedOrder } from '#contract/work-orders/orders.ts'
import { OPEN_STATUSES } from '#contract/work-orders/states.ts'
import { manyOf } from '../platform/database/columns.ts'
import { type Db, isoInstant, rows } from '../platform/database/db.ts'
import { oneOfIds, oneOfNames } from '../platform/database/lists.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { boxesTable, specialistsTable } from '../workshops/tables.ts'
import { CODE } from './access.ts'
import { workOrdersTable, worksTable } from './tables.ts'
import { SPECIALIST_NAME } from './works.ts'

interface Found {
  /** Whose clash it is; a work's, where it is of a specialist. */
  id: number
  work_id: number | null
  clash: Clash
}

/** A box that is taken, or a specialist at work, by which order and for how long: instants as the database writes them. */
export interface Span {
  /** Of `KINDS`, by its number: thousands are sorted by it. */
  kind: number
  thing: number
  id: number
  work_id: number | null
  code: string
  start: string
  until: string
}
const KINDS: Clash['kind'][] = ['box', 'specialist']
const SPAN = {
  kind: 'number',
  thing: 'number',
  id: 'number',
  work_id: 'number',
  code: 'text',
  start: 'text',
  until: 'text',
} as const

const OPEN = oneOfNames(OPEN_STATUSES)
const TO_DO = oneOfNames(WORK_STATES_BY_RANK.filter((state) => !WORK_STATES[state].done))

/** Nobody said how long it takes. */
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
const inBoxes = (orders: SQL, code: SQL, time_zone: string) => sql`
  select 0 as kind, o.box_id as thing, o.id, null::bigint as work_id, ${code} as code, e.start,
    ${ORDER_UNTIL} as until
  from ${orders} cross join lateral (select ${orderStart(time_zone)} as start) e
  where o.box_id is not null and e.start is not null`

/** Works `w` of orders `o`, those to do: that somebody is at, or will be. */
const byHand = (works: SQL, code: SQL) => sql`
  select 1, w.specialist_id, o.id, w.id, ${code}, e.start,
    case when w.start_time is not null then greatest(now(), e.start)
      else coalesce(w.target_end_at, e.start + coalesce(nullif(w.hours, 0) * ${AN_HOUR}, ${AN_HOUR})) end
  from ${works} cross join lateral (select coalesce(w.start_time, w.target_start_at) as start) e
  where w.specialist_id is not null and w.end_time is null and e.start is not null`

/** What is looked at for some orders; `typed` is one as somebody is about to save it, in the place of what is saved of it. */
export async function spansAround(db: Db, actor: Actor, ids: number[], typed?: PlannedOrder): Promise<Span[]> {
  const { company_id, time_zone } = actor
  if (ids.length === 0) return []
  const open = sql`o.company_id = ${company_id} and o.status ${OPEN}
    and o.id <> ${typed ? (typed.id ?? 0) : -1}`
  const openOnes = sql`select * from ${workOrdersTable} o where ${open}`
  const saved = (orders: SQL, works: SQL, known = sql`(${openOnes})`) =>
    sql.join(
      [
        inBoxes(sql`(select * from ${known} o where ${orders}) o`, CODE, time_zone),
        byHand(
          sql`(select * from ${worksTable} w where w.company_id = ${company_id} and w.state ${TO_DO} and ${works}) w
            join ${known} o on o.id = w.work_order_id`,
          CODE,
        ),
      ],
      sql` union all `,
    )
  const these = oneOfIds(ids)
  const mine = typed
    ? sql.join(spansOf(typed, actor), sql` union all `)
    : saved(sql`o.id = ${these}`, sql`w.work_order_id = ${these}`)
  const things = (kind: Clash['kind']) =>
    sql`in (select a.thing from a where a.kind = ${sql.raw(String(KINDS.indexOf(kind)))})`
  return manyOf<Span>(
    db,
    SPAN,
    // Only the boxes and people of these orders are looked at, where these are not most of them.
    ids.length > MANY
      ? sql`with open as materialized (${openOnes})
          ${saved(sql`true`, sql`true`, sql`open`)} order by kind, thing, start, id`
      : sql`with a as materialized (${mine})
          select * from (${saved(sql`o.box_id ${things('box')}`, sql`w.specialist_id ${things('specialist')}`)}
            ${typed ? sql`union all select * from a` : sql``}) x order by kind, thing, start, id`,
  )
}

/** They come thing by thing. */
function* byThing(spans: Span[]) {
  for (let from = 0, to = 0; from < spans.length; from = to) {
    const { kind, thing } = spans[from]!
    while (spans[to]?.thing === thing && spans[to]?.kind === kind) to += 1
    yield spans.slice(from, to)
  }
}

/** The orders among the spans that say they clash with one of these. */
export function saying(spans: Span[], ids: number[]): number[] {
  const [asked, everyone] = [new Set(ids), new Set(spans.map(({ id }) => id))]
  return [...byThing(spans)].flatMap((taken) =>
    crossings(taken, everyone).flatMap(({ span, other }) => (asked.has(other.id) ? span.id : [])),
  )
}

/**
 * Boxes with two open orders, and specialists with two works to do, at one hour: allowed, and said. What has a day and
 * no hour meets nobody.
 */
export const clashesOf = async (db: Db, actor: Actor, ids: number[], typed?: PlannedOrder) =>
  clashesIn(db, actor, ids, await spansAround(db, actor, ids, typed))

/** Of what was looked at for them. */
export async function clashesIn(db: Db, actor: Actor, ids: number[], spans: Span[]): Promise<Found[]> {
  const met = metBy(ids, spans)
  const named = await namesOf(db, actor, met)
  return [...met].flatMap(([id, of]) =>
    of.map(({ span, other, from }) => ({
      id,
      work_id: span.work_id,
      clash: {
        kind: KINDS[span.kind]!,
        name: named[span.kind]!.get(span.thing)!,
        work_order_id: other.id,
        code: other.code,
        from: isoInstant(from),
        until: isoInstant(until(span, other)),
      },
    })),
  )
}

/** The same, written as JSON at once, by the order: a crowded board has thousands. */
export async function writtenClashes(db: Db, actor: Actor, ids: number[], spans: Span[]) {
  const met = metBy(ids, spans)
  const named = await namesOf(db, actor, met)
  const heads = named.map(
    (names, kind) =>
      new Map(
        [...names].map(([id, name]) => [
          id,
          `{"kind":"${KINDS[kind]}","name":${JSON.stringify(name)},"work_order_id":`,
        ]),
      ),
  )
  const write = ({ span, other, from }: Crossing) =>
    `${heads[span.kind]!.get(span.thing)}${other.id},"code":"${other.code}","from":"${isoInstant(from)}","until":"${isoInstant(until(span, other))}"}`
  return new Map([...met].map(([id, of]) => [id, `[${of.map(write).join()}]`]))
}

/** Of the boxes, and of the specialists, that they meet over. */
async function namesOf(db: Db, { company_id }: Actor, met: Map<number, Crossing[]>) {
  const named = KINDS.map(() => new Map<number, string>())
  if (met.size === 0) return named
  const [boxes, specialists] = KINDS.map(() => new Set<number>()) as [Set<number>, Set<number>]
  for (const of of met.values()) for (const { span } of of) (span.kind === 0 ? boxes : specialists).add(span.thing)
  const found = await rows<{ kind: number; id: number; name: string }>(
    db,
    sql`select 0 as kind, b.id, b.name from ${boxesTable} b
        where b.company_id = ${company_id} and b.id = ${oneOfIds([...boxes])}
        union all select 1, s.id, ${SPECIALIST_NAME} from ${specialistsTable} s
        where s.company_id = ${company_id} and s.id = ${oneOfIds([...specialists])}`,
  )
  for (const { kind, id, name } of found) named[kind]!.set(id, name)
  return named
}

/** What each of these orders meets, in the order in which it happens. */
function metBy(ids: number[], spans: Span[]) {
  const asked = new Set(ids)
  const met = new Map<number, Crossing[]>()
  for (const taken of byThing(spans))
    for (const crossing of crossings(taken, asked)) {
      const of = met.get(crossing.span.id)
      if (of) of.push(crossing)
      else met.set(crossing.span.id, [crossing])
    }
  for (const of of met.values()) of.sort((one, two) => compare(one.from, two.from) || one.other.id - two.other.id)
  return met
}
/** So many orders are most of what is open. */
const MANY = 500

/** More of them nobody reads; and where everything is in one box, they are as many as pairs of orders. */
const MOST = 3
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Over one thing, one of the orders asked for meets another. */
interface Crossing {
  span: Span
  other: Span
  from: string
}
const until = (one: Span, other: Span) => (compare(one.until, other.until) < 0 ? one.until : other.until)

/** What some orders clash with over one thing, the first of each, of its spans by their start. */
function crossings(spans: Span[], asked: Set<number>): Crossing[] {
  const found: Crossing[] = []
  const say = (whose: Going, { span: other }: Going) => {
    whose.left -= 1
    const { span } = whose
    found.push({ span, other, from: compare(span.start, other.start) < 0 ? other.start : span.start })
  }
  const going: Going[] = []
  for (const span of spans) {
    const next = { span, left: asked.has(span.id) ? MOST : 0 }
    let many = 0
    for (const other of going) {
      if (other.span.until <= span.start) continue
      going[many++] = other
      if ((next.left === 0 && other.left === 0) || span.until <= other.span.start) continue
      if (next.left > 0) say(next, other)
      if (other.left > 0) say(other, next)
    }
    going.length = many
    going.push(next)
  }
  return found
}
interface Going {
  span: Span
  /** How many of its clashes are still said. */
  left: number
}

const THIS_ONE = sql`'esta misma orden'`

/** Where an order that is being typed, and its works, would be. */
function spansOf(typed: PlannedOrder, { company_id, time_zone }: Actor) {
  const { works, ...order } = typed
  const told = JSON.stringify({ ...order, id: order.id ?? 0 })
  // Each work of its own, whether it has an id or not.
  const lines = JSON.stringify(works.map((work, i) => ({ ...work, id: i + 1 })))
  const o = sql`(select t.*, p.planned_minutes
    from jsonb_to_record(${told}::jsonb) as t (id bigint, box_id bigint, date_estimed date, hour_estimed text,
      deadline_at timestamptz, workshop_entry_at timestamptz, workshop_departure_at timestamptz)
    left join ${workOrdersTable} p on p.company_id = ${company_id} and p.id = t.id) o`
  const w = sql`jsonb_to_recordset(${lines}::jsonb) as w (id bigint, specialist_id bigint, hours numeric,
    start_time timestamptz, end_time timestamptz, target_start_at timestamptz, target_end_at timestamptz)`
  return [inBoxes(o, THIS_ONE, time_zone), byHand(sql`${w} cross join ${o}`, THIS_ONE)]
}

/** What an order would clash with, as it is typed. */
export async function plannedClashes(db: Db, actor: Actor, typed: PlannedOrder) {
  const found = await clashesOf(db, actor, [typed.id ?? 0], typed)
  const data = found.map(({ clash }) => clash)
  return { data, total: data.length }
}
