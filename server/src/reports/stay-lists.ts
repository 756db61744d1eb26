import { type SQL, sql } from 'drizzle-orm'
import { microsecondsOf, wholeAt } from '../platform/database/columns.ts'
import { batch, COMPANY, type Database, type Db, rows } from '../platform/database/db.ts'
import { forgetStays, listedIn } from '../work-orders/changed-months.ts'
import {
  maintenanceTypesTable,
  partsWaitsTable,
  stayChangesTable,
  workOrdersTable,
  worksTable,
} from '../work-orders/tables.ts'
import { inScope, type Scope } from '../workshops/scope.ts'
import { monthSpan, type Narrowing, type Span } from './expenses.ts'
import type { Joined } from './ranges.ts'
import { stayListsTable } from './tables.ts'

/*
 * Years of stays are too many rows to read while somebody waits. Those of finalized orders, in which nothing changes any
 * more, are listed once, by a job, per month they left in, in UTC, so that no company's time zone matters. An order that was
 * finalized or opened again since is marked: it is left out of the lists of that month, and read.
 */

type Moments = Pick<Span, 'start' | 'end'>

/* Making them */

/** Bytes of each, in the order of their stays. */
const packed = (value: SQL, where = sql`true`) =>
  sql`coalesce(translate(encode(string_agg(${value}, '' order by place) filter (where ${where}), 'base64'), E'\n', ''), '')`
/** Milliseconds in four bytes: more than a month of them, and what is not more than fits. */
const short = (milliseconds: SQL) => sql`substr(int8send(${milliseconds}), 5)`
const TOO_LONG = 2 ** 32 - 1

export async function listStays(database: Database, company_id: number) {
  const months = await database.read(company_id, (db) => monthsToList(db, company_id))
  for (const month of months) await database.write(company_id, (db) => listMonth(db, company_id, month))
}

/** As old as a list gets: a server of the release before, while there was one, marked nothing. */
const OLD = sql`interval '7 days'`

/** Months that are not listed, or have a mark; and of those that are old, one each time. */
async function monthsToList(db: Db, company_id: number) {
  const found = await rows<{ month: string }>(
    db,
    sql`select m.month from (
          select to_char(generate_series(date_trunc('month', min(o.workshop_departure_at) at time zone 'UTC'),
            date_trunc('month', now() at time zone 'UTC'), interval '1 month'), 'YYYY-MM') as month
          from ${workOrdersTable} o where o.company_id = ${company_id}) m
        where not exists (select from ${stayListsTable} k where k.company_id = ${COMPANY} and k.month = m.month and k.workshop_id = 0)
        union select month from ${stayChangesTable} where company_id = ${company_id}
        union (select month from ${stayListsTable} where company_id = ${company_id} and workshop_id = 0
          and made_at < now() - ${OLD} order by made_at limit 1)
        order by month desc`,
  )
  return found.map(({ month }) => month)
}

async function listMonth(db: Db, company_id: number, month: string) {
  const { start, end } = monthSpan(month, 'UTC')
  const made_at = new Date().toISOString()
  await rows(db, sql`select pg_advisory_xact_lock(hashtextextended('stay lists', ${company_id}))`)
  await rows(db, sql`delete from ${stayListsTable} where company_id = ${company_id} and month = ${month}`)
  // One statement, one snapshot: a change that it does not see keeps its mark.
  await rows(
    db,
    sql`with seen as (${forgetStays(company_id, month)}),
        s as materialized (
          select o.id, o.workshop_id, o.truck_id, o.workshop_entry_at as began, o.workshop_departure_at as ended,
            coalesce(o.type_maintenance_id, 0) * 2 + case when o.planned then 1 else 0 end as kind,
            (extract(epoch from o.workshop_departure_at - ${start}::timestamptz) * 1000)::bigint as until,
            (extract(epoch from o.workshop_departure_at - o.workshop_entry_at) * 1000)::bigint as length,
            row_number() over (partition by o.workshop_id order by o.truck_id, o.workshop_entry_at, o.id) - 1 as place
          from ${workOrdersTable} o
          where o.company_id = ${company_id} and o.workshop_departure_at >= ${start}::timestamptz
            and o.workshop_departure_at < ${end}::timestamptz and o.finalized_at is not null
            and o.workshop_entry_at < o.workshop_departure_at),
        w as (
          select s.workshop_id, ${packed(sql`int4send(s.place::int) || timestamptz_send(coalesce(w.start_time, '-infinity'))
            || timestamptz_send(coalesce(w.end_time, 'infinity')) || float8send(coalesce(w.hours, 0))`)} as works
          from s join ${worksTable} w on w.company_id = ${company_id} and w.work_order_id = s.id
          where w.start_time is not null or w.hours > 0 group by s.workshop_id),
        k as (
          select s.workshop_id, ${packed(sql`int4send(s.place::int) || timestamptz_send(k.from_at)
            || timestamptz_send(coalesce(k.until_at, 'infinity'))`)} as waits
          from s join ${partsWaitsTable} k on k.company_id = ${company_id} and k.work_order_id = s.id group by s.workshop_id),
        l as (
          select s.workshop_id, min(s.began) as first, ${packed(sql`int4send(s.truck_id::int) || int4send(s.kind::int)
              || ${short(sql`s.until`)} || ${short(sql`least(s.length, ${TOO_LONG}::bigint)`)}`)} as stays,
            ${packed(sql`timestamptz_send(s.began)`, sql`s.length >= ${TOO_LONG}`)} as long,
            ${packed(sql`int4send(s.id::int)`)} as orders
          from s group by s.workshop_id)
        insert into ${stayListsTable}
          (company_id, month, workshop_id, made_at, first, stays, long, orders, works, waits)
        select ${company_id}::bigint, ${month}::text, l.workshop_id, ${made_at}::timestamptz, l.first, l.stays, l.long, l.orders,
          coalesce(w.works, ''), coalesce(k.waits, '')
        from l left join w on w.workshop_id = l.workshop_id left join k on k.workshop_id = l.workshop_id
        union all
        select ${company_id}::bigint, ${month}::text, 0, ${made_at}::timestamptz, null, '', '', '', '', ''
        returning company_id`,
  )
}

/* Reading them */

/** When something was. */
export interface Times {
  from: Float64Array
  to: Float64Array
}
export type Staying = Times & { planned: Float64Array; id: Float64Array }
/** Rows that say so: of which truck, of none (0) where they do not count, and the rest, which holds until others are read. */
export interface Rows<T> {
  trucks: Int32Array
  read: () => T
}

/** Which months are listed, and what has to be read beside: what left between them, and what is marked. */
export interface Listed {
  since: string
  between: { from: string; to: string | null }[]
  marked: { month: string; work_order_id: number }[]
}

/** Of more marks, or more months that are not listed, it is of no use: what there is, is read. */
const MANY_MARKS = 1000
const MANY_GAPS = 4

/** What is listed of stays that ended after a moment, if it is of use. Asked at one moment with all that is read of it. */
export async function listedSince(db: Db, { company_id }: Scope, start: string): Promise<Listed | undefined> {
  const since = listedIn(start)
  const { months, marked } = await batch({
    months: rows<{ month: string }>(
      db,
      sql`select month from ${stayListsTable} where company_id = ${company_id} and workshop_id = 0 and month >= ${since} order by month`,
    ),
    marked: rows<Listed['marked'][number]>(
      db,
      sql`select distinct month, work_order_id from ${stayChangesTable} where company_id = ${company_id} and month >= ${since}
          limit ${MANY_MARKS + 1}`,
    ),
  })
  if (months.length === 0 || marked.length > MANY_MARKS) return undefined
  const between: Listed['between'] = []
  let from = start
  for (const { month } of months) {
    const listed = monthSpan(month, 'UTC')
    if (from < listed.start) between.push({ from, to: listed.start })
    from = listed.end
  }
  between.push({ from, to: null })
  const known = new Set(months.map(({ month }) => month))
  return between.length > MANY_GAPS
    ? undefined
    : { since, between, marked: marked.filter(({ month }) => known.has(month)) }
}

/** Orders `o` that left and are in no list: those that are open, those that are marked, and those that left between the months. */
export function leftUnlisted({ between, marked }: Listed, open: readonly string[], company_id: number): SQL[] {
  const [months, orders] = [marked.map(({ month }) => month), marked.map((mark) => mark.work_order_id)]
  const from = sql`(c.month || '-01')::timestamp at time zone 'UTC'`
  return [
    sql`o.status = any(${sql.param(open)})`,
    sql`o.finalized_at is not null and o.id in (
      select m.id from unnest(${sql.param(months)}::text[], ${sql.param(orders)}::bigint[]) as c (month, id)
      join ${workOrdersTable} m on m.company_id = ${company_id} and m.id = c.id and m.workshop_departure_at >= ${from}
        and m.workshop_departure_at < ((c.month || '-01')::timestamp + interval '1 month') at time zone 'UTC')`,
    ...between.map(
      ({ from, to }) => sql`o.finalized_at is not null and o.workshop_departure_at >= ${from}::timestamptz
        ${to === null ? sql`` : sql`and o.workshop_departure_at < ${to}::timestamptz`}`,
    ),
  ]
}

interface ListRow {
  month: string
  stays: string
  long: string
  orders: string | null
  works: string | null
  waits: string | null
}

/** What is asked of lists beside when stays were: of which order they are, and what was done during some. */
interface Told {
  id?: boolean
  done?: Moments | undefined
}

export interface Kept {
  stays: StayList[]
  works: (Times & { truck_id: Int32Array; hours: Float64Array })[]
  waits: (Times & { truck_id: Int32Array })[]
}

/** The lists that may have stays of some periods, whole; but for orders that are marked. */
export async function keptStays(
  db: Db,
  actor: Scope,
  { marked }: Listed,
  periods: Moments[],
  now: string,
  filter: Narrowing,
  { id = false, done }: Told,
): Promise<Kept> {
  const overlaps = ({ start, end }: Moments) => sql`(k.month >= ${listedIn(start)} and k.first < ${end}::timestamptz)`
  const changed = Map.groupBy(marked, ({ month }) => month)
  const during = (list: SQL) => (done ? sql`case when ${overlaps(done)} then ${list} end` : sql`null::text`)
  const { lists, types } = await batch({
    lists: rows<ListRow>(
      db,
      sql`select k.month, k.stays, k.long,
            ${id ? sql`k.orders` : sql`case when k.month = any(${sql.param([...changed.keys()])}::text[]) then k.orders end`} as orders,
            ${during(sql`k.works`)} as works, ${during(sql`k.waits`)} as waits
          from ${stayListsTable} k
          where ${inScope(actor, sql`k`, filter.WorkshopId)} and (${sql.join(periods.map(overlaps), sql` or `)})
          order by k.month, k.workshop_id`,
    ),
    types: plannedTypes(db, actor),
  })
  const room = roomFor(lists.map(({ stays }) => stays.length))
  const bytes = new Bytes(lists.map((row) => row.stays.length))
  const found: Kept = { stays: [], works: [], waits: [] }
  for (const row of lists) {
    const list = new StayList(row, bytes.of(row.stays), types, room)
    const gone = new Set(changed.get(row.month)?.map((mark) => mark.work_order_id))
    if (gone.size > 0) list.leaveOut(gone)
    found.stays.push(list)
    if (done && row.works) found.works.push(worksIn(row.works, list, done, now))
    if (done && row.waits) found.waits.push(waitsIn(row.waits, list, done, now))
  }
  return found
}

/** What one list after the other is read into. */
const roomFor = (lengths: number[]): Staying => {
  const most = Math.ceil((Math.max(0, ...lengths) * 3) / 4 / STAY)
  const list = () => new Float64Array(most)
  return { from: list(), to: list(), planned: list(), id: list() }
}

/** What hundreds of texts say, in one place: as many are as many to give back. */
class Bytes {
  readonly #all: Buffer
  #end = 0

  constructor(lengths: number[]) {
    this.#all = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + Math.ceil((length * 3) / 4), 0))
  }

  of(text: string) {
    const start = this.#end
    this.#end += this.#all.write(text, start, 'base64')
    return new DataView(this.#all.buffer, start, this.#end - start)
  }
}

const STAY = 16
/** The stays of a month and workshop, in the order of their trucks. */
export class StayList implements Rows<Staying> {
  readonly length: number
  /** The truck whose stays are told next. */
  truck: number
  readonly #view: DataView
  readonly #long: DataView
  readonly #orders: DataView | undefined
  readonly #start: number
  readonly #types: Map<number, boolean>
  readonly #room: Staying
  #gone: Uint8Array | undefined
  #next = 0
  #seen = 0

  constructor({ month, long, orders }: ListRow, view: DataView, types: Map<number, boolean>, room: Staying) {
    this.#view = view
    this.#long = viewOf(long)
    this.#orders = orders === null ? undefined : viewOf(orders)
    this.#start = microsecondsOf(monthSpan(month, 'UTC').start)
    this.#types = types
    this.#room = room
    this.length = view.byteLength / STAY
    this.truck = this.#truckAt(0)
  }

  leaveOut(orders: Set<number>) {
    this.#gone = new Uint8Array(this.length)
    for (let n = 0; n < this.length; n++) if (orders.has(this.#orders!.getInt32(n * 4))) this.#gone[n] = 1
  }

  #truckAt(n: number) {
    return n < this.length ? this.#view.getInt32(n * STAY) : Number.POSITIVE_INFINITY
  }
  #endOf(n: number) {
    return this.#start + this.#view.getUint32(n * STAY + 8) * 1000
  }
  #isPlanned(n: number) {
    const kind = this.#view.getInt32(n * STAY + 4)
    return (kind > 1 ? this.#types.get(kind >> 1) : undefined) ?? (kind & 1) === 1
  }

  /** Adds the stays of a truck, to all and to those of failures; trucks are asked for in their order. */
  tell(truck: number, all: Joined, failed: Joined | undefined) {
    while (this.truck <= truck) {
      const n = this.#next
      const length = this.#view.getUint32(n * STAY + 12)
      const to = this.#endOf(n)
      const from = length < TOO_LONG ? to - length * 1000 : wholeAt(this.#long, 8 * this.#seen++)
      if (this.truck === truck && this.#gone?.[n] !== 1) {
        all.add(from, to)
        if (failed && !this.#isPlanned(n)) failed.add(from, to)
      }
      this.#next = n + 1
      this.truck = this.#truckAt(n + 1)
    }
  }

  get trucks() {
    return Int32Array.from({ length: this.length }, (_, n) => (this.#gone?.[n] === 1 ? 0 : this.#truckAt(n)))
  }

  read() {
    const { from, to, planned, id } = this.#room
    let seen = 0
    for (let n = 0; n < this.length; n++) {
      const length = this.#view.getUint32(n * STAY + 12)
      to[n] = this.#endOf(n)
      from[n] = length < TOO_LONG ? to[n]! - length * 1000 : wholeAt(this.#long, 8 * seen++)
      planned[n] = this.#isPlanned(n) ? 1 : 0
    }
    if (this.#orders) for (let n = 0; n < this.length; n++) id[n] = this.#orders.getInt32(n * 4)
    return this.#room
  }
}

/** Types of maintenance that say whether it was planned. */
async function plannedTypes(db: Db, { company_id }: Scope) {
  const found = await rows<{ id: number; planned: boolean }>(
    db,
    sql`select m.id, ${plannedByType(sql`null::boolean`)} as planned from ${maintenanceTypesTable} m where m.company_id = ${company_id}`,
  )
  return new Map(found.filter(({ planned }) => planned !== null).map(({ id, planned }) => [id, planned]))
}
/** What repairs a failure is corrective; what has no such type `m` is what is said `otherwise`. */
export const plannedByType = (otherwise: SQL) =>
  sql`case m.code when 'CORRECTIVE' then false when 'PREVENTIVE' then true when 'PREDICTIVE' then true else ${otherwise} end`
const viewOf = (list: string) => {
  const bytes = Buffer.from(list, 'base64')
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}
/** Beyond any moment: what has none. */
const NO_MOMENT = 9e18

/** What was done during the stays that touch a period: `size` bytes each, of which the first four are the stay's place. */
function doneDuring(
  list: string,
  size: number,
  stays: Rows<Staying>,
  { start, end }: Moments,
  tell: (view: DataView, at: number, stay: { from: number; to: number }, n: number) => void,
) {
  const view = viewOf(list)
  const [first, last] = [microsecondsOf(start), microsecondsOf(end)]
  const { from, to } = stays.read()
  const of = stays.trucks
  const trucks = new Int32Array(view.byteLength / size)
  for (let n = 0; n < trucks.length; n++) {
    const place = view.getInt32(n * size)
    const stay = { from: from[place]!, to: to[place]! }
    trucks[n] = stay.to > first && stay.from < last ? of[place]! : 0
    tell(view, n * size + 4, stay, n)
  }
  return trucks
}

const WORK = 28
function worksIn(list: string, stays: Rows<Staying>, done: Moments, now: string) {
  const length = Buffer.byteLength(list, 'base64') / WORK
  const [from, to, hours] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)]
  const until = microsecondsOf(now)
  const truck_id = doneDuring(list, WORK, stays, done, (view, at, stay, n) => {
    const [start, end] = [wholeAt(view, at), wholeAt(view, at + 8)]
    const isTimed = start > -NO_MOMENT
    from[n] = isTimed ? start : stay.from
    to[n] = isTimed ? Math.max(start, end < NO_MOMENT ? end : until) : stay.to
    hours[n] = isTimed ? 0 : view.getFloat64(at + 16)
  })
  return { truck_id, from, to, hours }
}

const WAIT = 20
function waitsIn(list: string, stays: Rows<Staying>, done: Moments, now: string) {
  const length = Buffer.byteLength(list, 'base64') / WAIT
  const [from, to] = [new Float64Array(length), new Float64Array(length)]
  const until = microsecondsOf(now)
  const truck_id = doneDuring(list, WAIT, stays, done, (view, at, _, n) => {
    const end = wholeAt(view, at + 8)
    from[n] = wholeAt(view, at)
    to[n] = end < NO_MOMENT ? end : until
  })
  return { truck_id, from, to }
}
