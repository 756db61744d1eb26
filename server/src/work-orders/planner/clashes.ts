import { type SQL, sql } from 'drizzle-orm'
import { WORK_STATES, WORK_STATES_BY_RANK } from '#contract/work-orders/lines.ts'
import type { Clash, PlannedOrder } from '#contract/work-orders/orders.ts'
import { OPEN_STATUSES } from '#contract/work-orders/states.ts'
import { instantAt, list, lists } from '../../platform/database/columns.ts'
import { oneOfIds, oneOfNames } from '../../platform/database/conditions.ts'
import { type Db, rows } from '../../platform/database/db.ts'
import { COMMA, type Written } from '../../platform/http/written.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { boxesTable, specialistsTable } from '../../workshops/tables.ts'
import { codeOf } from '../access.ts'
import { SPECIALIST_NAME } from '../labour/works.ts'
import { workOrdersTable, worksTable } from '../tables.ts'

interface Found {
  /** Whose clash it is; a work's, where it is of a specialist. */
  id: number
  work_id: number | null
  clash: Clash
}

/**
 * Boxes that are taken, and specialists at work, by which order and for how long: a list for each of what they say, because
 * a crowded board has thousands. Those of one thing lie together, by their start.
 */
export type Spans = Awaited<ReturnType<typeof spansAround>>
const KINDS: Clash['kind'][] = ['box', 'specialist']
const SPAN = {
  /** Of `KINDS`, by its number. */
  kind: list.whole(sql`x.kind`),
  thing: list.whole(sql`x.thing`),
  id: list.whole(sql`x.id`),
  /** 0: the order itself. */
  work_id: list.whole(sql`x.work_id`),
  /** 0: one that is being typed. */
  number: list.whole(sql`x.number`),
  start: list.moment(sql`x.start`),
  until: list.moment(sql`x.until`),
}

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
const inBoxes = (orders: SQL) => sql`
  select 0 as kind, o.box_id as thing, o.id, 0::bigint as work_id, o.number::bigint, e.start, ${ORDER_UNTIL} as until
  from ${orders} cross join lateral (select o.start) e
  where o.box_id is not null and e.start is not null`

/** Works `w` of orders `o`, those to do: that somebody is at, or will be. */
const byHand = (works: SQL) => sql`
  select 1, w.specialist_id, o.id, w.id, o.number, e.start,
    case when w.start_time is not null then greatest(now(), e.start)
      else coalesce(w.target_end_at, e.start + coalesce(nullif(w.hours, 0) * ${AN_HOUR}, ${AN_HOUR})) end
  from ${works} cross join lateral (select coalesce(w.start_time, w.target_start_at) as start) e
  where w.specialist_id is not null and w.end_time is null and e.start is not null`

/** What is looked at for some orders; `typed` is one as somebody is about to save it, in the place of what is saved of it. */
export async function spansAround(db: Db, actor: Actor, ids: number[], typed?: PlannedOrder) {
  const { company_id, time_zone } = actor
  const open = sql`o.company_id = ${company_id} and o.status ${OPEN}
    and o.id <> ${typed ? (typed.id ?? 0) : -1}`
  const openOnes = sql`select o.id, o.number, o.box_id, o.workshop_entry_at, o.workshop_departure_at, o.planned_minutes,
    o.deadline_at, ${orderStart(time_zone)} as start from ${workOrdersTable} o where ${open}`
  const saved = (orders: SQL, works: SQL, known = sql`(${openOnes})`) =>
    sql.join(
      [
        inBoxes(sql`(select * from ${known} o where ${orders}) o`),
        byHand(
          sql`(select * from ${worksTable} w where w.company_id = ${company_id} and w.state ${TO_DO} and ${works}) w
            join ${known} o on o.id = w.work_order_id`,
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
  const found =
    ids.length > MANY
      ? sql`with open as materialized (${openOnes})
          ${saved(sql`true`, sql`w.work_order_id = any(array(select o.id from open o))`, sql`open`)}`
      : // Only the boxes and people of these orders are looked at, where these are not most of them.
        sql`with a as materialized (${mine})
          select * from (${saved(sql`o.box_id ${things('box')}`, sql`w.specialist_id ${things('specialist')}`)}
            ${typed ? sql`union all select * from a` : sql``}) x`
  return lists(db, SPAN, sql`(${found} order by kind, thing, start, id) x`, { ask: ids.length === 0 ? nothing : rows })
}
/** So many orders are most of what is open. */
const MANY = 500
const nothing = async () => []

/** Where those of each thing begin, and where the last ends. */
function* byThing({ kind, thing }: Spans) {
  for (let from = 0, to = 0; from < thing.length; from = to) {
    while (to < thing.length && thing[to] === thing[from] && kind[to] === kind[from]) to += 1
    yield [from, to] as const
  }
}

/** The orders among the spans that say they clash with one of these. */
export function saying(spans: Spans, ids: number[]): number[] {
  const [asked, everyone] = [new Set(ids), new Set(spans.id)]
  return [...byThing(spans)].flatMap(([from, to]) =>
    crossings(spans, from, to, everyone).flatMap(({ span, other }) =>
      asked.has(spans.id[other]!) ? spans.id[span]! : [],
    ),
  )
}

/**
 * Boxes with two open orders, and specialists with two works to do, at one hour: allowed, and said. What has a day and
 * no hour meets nobody.
 */
export async function clashesOf(db: Db, actor: Actor, ids: number[], typed?: PlannedOrder): Promise<Found[]> {
  const spans = await spansAround(db, actor, ids, typed)
  const met = metBy(ids, spans)
  const named = await namesOf(db, actor, spans, met)
  return [...met].flatMap(([id, of]) =>
    of.map((crossing) => {
      const { span, other } = crossing
      return {
        id,
        work_id: spans.work_id[span] || null,
        clash: {
          kind: KINDS[spans.kind[span]!]!,
          name: named[spans.kind[span]!]!.get(spans.thing[span]!) ?? '',
          work_order_id: spans.id[other]!,
          code: codeIn(spans, other),
          from: instantAt(fromOf(spans, crossing)),
          until: instantAt(untilOf(spans, crossing)),
        },
      }
    }),
  )
}

/** The same, of what was looked at for them: how those of an order are written as JSON. */
export async function writtenClashes(db: Db, actor: Actor, ids: number[], spans: Spans) {
  const met = metBy(ids, spans)
  const named = await namesOf(db, actor, spans, met)
  const headOf = (kind: number, name: string) =>
    Buffer.from(`{"kind":"${KINDS[kind]}","name":${JSON.stringify(name)},"work_order_id":`)
  const heads = named.map((names, kind) => new Map([...names].map(([id, name]) => [id, headOf(kind, name)])))
  return (id: number, written: Written<unknown>) => {
    const of = met.get(id) ?? NONE
    written.put(BEGIN)
    for (let i = 0; i < of.length; i++) {
      const { span, other } = of[i]!
      if (i > 0) written.put(COMMA)
      const kind = spans.kind[span]!
      written.put(heads[kind]!.get(spans.thing[span]!) ?? headOf(kind, ''))
      written.add(`${spans.id[other]},"code":"${codeIn(spans, other)}","from":`)
      written.instant(fromOf(spans, of[i]!))
      written.put(UNTIL)
      written.instant(untilOf(spans, of[i]!))
      written.put(CLOSE)
    }
    written.put(END)
  }
}
const BEGIN = Buffer.from('[')
const UNTIL = Buffer.from(',"until":')
const CLOSE = Buffer.from('}')
const END = Buffer.from(']')
const NONE: Crossing[] = []

/** Of the boxes, and of the specialists, that they meet over. */
async function namesOf(db: Db, { company_id }: Actor, { kind, thing }: Spans, met: Map<number, Crossing[]>) {
  const named = KINDS.map(() => new Map<number, string>())
  if (met.size === 0) return named
  const things = KINDS.map(() => new Set<number>())
  for (const of of met.values()) for (const { span } of of) things[kind[span]!]!.add(thing[span]!)
  const [boxes, specialists] = things as [Set<number>, Set<number>]
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
function metBy(ids: number[], spans: Spans) {
  const asked = new Set(ids)
  const met = new Map<number, Crossing[]>()
  for (const [from, to] of byThing(spans))
    for (const crossing of crossings(spans, from, to, asked)) {
      const id = spans.id[crossing.span]!
      const of = met.get(id)
      if (of) of.splice(placeIn(spans, of, crossing), 0, crossing)
      else met.set(id, [crossing])
    }
  return met
}
const fromOf = ({ start }: Spans, { span, other }: Crossing) => Math.max(start[span]!, start[other]!)
const untilOf = ({ until }: Spans, { span, other }: Crossing) => Math.min(until[span]!, until[other]!)
/** They are few, and most come in their order. */
function placeIn(spans: Spans, of: Crossing[], crossing: Crossing) {
  const from = fromOf(spans, crossing)
  const isBefore = (one: Crossing) => fromOf(spans, one) - from || spans.id[one.other]! - spans.id[crossing.other]!
  let place = of.length
  while (place > 0 && isBefore(of[place - 1]!) > 0) place -= 1
  return place
}

/** More of them nobody reads; and where everything is in one box, they are as many as pairs of orders. */
const MOST = 3

/** Over one thing, one of the orders asked for meets another: two of the spans. */
interface Crossing {
  span: number
  other: number
}

/** What some orders clash with over one thing, the first of each, of its spans from here to there. */
function crossings({ id, start, until }: Spans, first: number, end: number, asked: Set<number>): Crossing[] {
  const found: Crossing[] = []
  if (end - first < 2) return found
  /** How many of the clashes of each are still said. */
  const left = new Uint8Array(end - first)
  const say = (span: number, other: number) => {
    left[span - first]! -= 1
    found.push({ span, other })
  }
  const going: number[] = []
  for (let next = first; next < end; next++) {
    left[next - first] = asked.has(id[next]!) ? MOST : 0
    let many = 0
    for (const other of going) {
      if (until[other]! <= start[next]!) continue
      going[many++] = other
      if (until[next]! <= start[other]!) continue
      if (left[next - first]! > 0) say(next, other)
      if (left[other - first]! > 0) say(other, next)
    }
    going.length = many
    going.push(next)
  }
  return found
}

const THIS_ONE = 'esta misma orden'
const codeIn = ({ number }: Spans, at: number) => (number[at] === 0 ? THIS_ONE : codeOf(number[at]!))

/** Where an order that is being typed, and its works, would be. */
function spansOf(typed: PlannedOrder, { company_id, time_zone }: Actor) {
  const { works, ...order } = typed
  const told = JSON.stringify({ ...order, id: order.id ?? 0 })
  // Each work of its own, whether it has an id or not.
  const lines = JSON.stringify(works.map((work, i) => ({ ...work, id: i + 1 })))
  const o = sql`(select 0 as number, o.*, ${orderStart(time_zone)} as start from (select t.*, p.planned_minutes
    from jsonb_to_record(${told}::jsonb) as t (id bigint, box_id bigint, date_estimed date, hour_estimed text,
      deadline_at timestamptz, workshop_entry_at timestamptz, workshop_departure_at timestamptz)
    left join ${workOrdersTable} p on p.company_id = ${company_id} and p.id = t.id) o) o`
  const w = sql`jsonb_to_recordset(${lines}::jsonb) as w (id bigint, specialist_id bigint, hours numeric,
    start_time timestamptz, end_time timestamptz, target_start_at timestamptz, target_end_at timestamptz)`
  return [inBoxes(o), byHand(sql`${w} cross join ${o}`)]
}

/** What an order would clash with, as it is typed. */
export async function plannedClashes(db: Db, actor: Actor, typed: PlannedOrder) {
  const found = await clashesOf(db, actor, [typed.id ?? 0], typed)
  const data = found.map(({ clash }) => clash)
  return { data, total: data.length }
}
