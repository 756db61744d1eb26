import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { DONE } from '#contract/work-orders/lines.ts'
import type { WorkOrderCard } from '#contract/work-orders/orders.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { coupledTable, trucksTable } from '../fleet/tables.ts'
import { asRows, type Columns, columnsOf, manyOf, openJson } from '../platform/database/columns.ts'
import { type Db, rows, type Surroundings, surroundingsOf, together } from '../platform/database/db.ts'
import { oneOfIds } from '../platform/database/lists.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { inScope } from '../workshops/scope.ts'
import { boxesTable, specialistsTable, workshopsTable } from '../workshops/tables.ts'
import { ownSpecialist } from './access.ts'
import { type Span, spansAround, writtenClashes } from './clashes.ts'
import { plannedOf } from './planned-supplies.ts'
import { NAMES, OWN_SUMMARY, SUMMARY } from './summary.ts'
import { maintenanceTypesTable, workOrdersTable, worksTable } from './tables.ts'
import { SPECIALIST_NAME } from './works.ts'

/*
 * Orders as cards, written as JSON at once. A card is what the order's row says, the names it says by their ids, and what
 * is being done. Few are asked for with their names; of a whole board, what a row says is kept from one call to the next,
 * for as long as the row is the same, and names are looked up once each.
 */

const OWN = {
  id: 'number',
  code: 'text',
  workshop_id: 'number',
  truck_id: 'number',
  coupled_id: 'number',
  status: 'text',
  position: 'number',
  planned: 'boolean',
  priority: 'text',
  place: 'text',
  type_maintenance_id: 'number',
  box_id: 'number',
  responsible_specialist_id: 'number',
  request: 'text',
  waiting_for_parts: 'boolean',
  date_estimed: 'text',
  hour_estimed: 'text',
  deadline_at: 'instant',
  workshop_entry_at: 'instant',
  workshop_departure_at: 'instant',
  finalized_at: 'instant',
  created_at: 'instant',
  updated_at: 'instant',
} as const
const NAMED = {
  workshop_name: 'text',
  truck_code: 'text',
  patent: 'text',
  truck_workshop: 'text',
  coupled_patent: 'text',
  type_of_maintenance: 'text',
  type_maintenance: 'text',
  box_name: 'text',
  responsible_specialist: 'text',
} as const
/** What more is looked up by. */
const IDS = {
  id: 'number',
  status: 'text',
  workshop_id: 'number',
  truck_id: 'number',
  coupled_id: 'number',
  type_maintenance_id: 'number',
  box_id: 'number',
  responsible_specialist_id: 'number',
  author: 'number',
} as const
/** What a row says, but for the last bracket. */
interface Own extends Pick<WorkOrderCard, Exclude<keyof typeof IDS, 'author'>> {
  author: number | null
  json: string
}
/** And which row it was: one that changed is another one. */
type Kept = Own & { version: string }

const AUTHOR = sql`o.user_id as author`
const VERSION = sql`o.xmin::text || o.ctid::text as version`

const ownOf = (columns: Columns<typeof OWN & typeof IDS>): Own[] => {
  const json = openJson(OWN, columns)
  return asRows<Omit<Own, 'json'>>(IDS, columns).map((own, i) => Object.assign(own, { json: json[i]! }))
}

/** How the cards are found: what is selected of orders `o`, and what is joined to them. */
type Orders = (select: SQL, joined: SQL) => SQL

/** About 800 bytes each. */
const KEPT_AT_MOST = 20_000
const kept = new WeakMap<Surroundings, Map<string, Kept>>()

/** All that are found, in their order. */
async function many(db: Db, { company_id }: Actor, orders: Orders): Promise<Own[]> {
  const standing = await manyOf<Pick<Kept, 'id' | 'version'>>(
    db,
    { id: 'number', version: 'text' },
    orders(sql`o.id, ${VERSION}`, sql``),
  )
  const known = kept.get(surroundingsOf(db)) ?? new Map<string, Kept>()
  kept.set(surroundingsOf(db), known)
  const keyOf = (id: number) => `${company_id} ${id}`
  const found = new Map<number, Own>()
  const anew: number[] = []
  for (const { id, version } of standing) {
    const own = known.get(keyOf(id))
    if (own?.version === version) found.set(id, own)
    else anew.push(id)
  }
  if (anew.length > 0) {
    const columns = await columnsOf(
      db,
      { ...OWN, ...IDS, version: 'text' },
      sql`select ${OWN_SUMMARY}, ${AUTHOR}, ${VERSION} from ${workOrdersTable} o
          where o.company_id = ${company_id} and o.id = ${oneOfIds(anew)}`,
    )
    for (const [i, own] of ownOf(columns).entries()) {
      found.set(own.id, own)
      known.delete(keyOf(own.id))
      known.set(keyOf(own.id), { ...own, version: columns.lists.version[i]! })
    }
    for (const key of known.keys()) {
      if (known.size <= KEPT_AT_MOST) break
      known.delete(key)
    }
  }
  return standing.flatMap(({ id }) => found.get(id) ?? [])
}

/** The names that each says, to be written behind what its row says; and those of people. */
interface Names {
  of: (own: Own) => string[]
  people: Map<number, string>
}

interface Named {
  id: number
  name: string
}
const peopleOf = (db: Db, { company_id }: Actor, which = sql`true`) =>
  rows<Named>(
    db,
    sql`select s.id, ${SPECIALIST_NAME} as name from ${specialistsTable} s where s.company_id = ${company_id} and ${which}`,
  ).then((found) => new Map(found.map(({ id, name }) => [id, name])))

/** Each looked up once, and written once. */
async function namesOf(db: Db, actor: Actor, owns: Own[]): Promise<Names> {
  const { company_id } = actor
  const all = (table: PgTable) => rows<Named>(db, sql`select id, name from ${table} where company_id = ${company_id}`)
  const idsOf = (of: (own: Own) => number | null) => oneOfIds([...new Set(owns.flatMap((own) => of(own) ?? []))])
  const [workshops, boxes, types, people, trucks, coupled] = await together(
    all(workshopsTable),
    all(boxesTable),
    rows<Named & { code: string | null }>(
      db,
      sql`select id, code, name from ${maintenanceTypesTable} where company_id = ${company_id}`,
    ),
    peopleOf(db, actor),
    manyOf<{ id: number; code: string; patent: string; workshop_id: number }>(
      db,
      { id: 'number', code: 'text', patent: 'text', workshop_id: 'number' },
      sql`select k.id, k.code, k.patent, k.workshop_id from ${trucksTable} k
          where k.company_id = ${company_id} and k.id = ${idsOf(({ truck_id }) => truck_id)}`,
    ),
    manyOf<{ id: number; patent: string }>(
      db,
      { id: 'number', patent: 'text' },
      sql`select u.id, u.patent from ${coupledTable} u
          where u.company_id = ${company_id} and u.id = ${idsOf(({ coupled_id }) => coupled_id)}`,
    ),
  )
  const texts = <T extends { id: number }>(found: Iterable<T>, write: (each: T) => string, none: string) => {
    const byId = new Map<number | null, string>()
    for (const each of found) byId.set(each.id, write(each))
    return (id: number | null) => byId.get(id) ?? none
  }
  const quoted = ({ name }: { name: string }) => JSON.stringify(name)
  const workshopOf = texts(workshops, quoted, 'null')
  const boxOf = texts(boxes, quoted, 'null')
  const typeOf = texts(
    types,
    ({ code, name }) => `,"type_of_maintenance":${JSON.stringify(code)},"type_maintenance":${JSON.stringify(name)}`,
    ',"type_of_maintenance":null,"type_maintenance":null',
  )
  const unitOf = texts(coupled, ({ patent }) => JSON.stringify(patent), 'null')
  const responsibleOf = texts(
    [...people].map(([id, name]) => ({ id, name })),
    ({ name }) => JSON.stringify(name || null),
    'null',
  )
  const homes = new Map(trucks.map(({ id, workshop_id }) => [id, workshop_id]))
  const truckOf = texts(
    trucks,
    ({ code, patent }) => `,"truck_code":${JSON.stringify(code)},"patent":${JSON.stringify(patent)}`,
    '',
  )
  const of = (own: Own) => {
    const home = homes.get(own.truck_id)!
    const truck_workshop = home === own.workshop_id ? 'null' : workshopOf(home)
    return [
      ',"workshop_name":',
      workshopOf(own.workshop_id),
      truckOf(own.truck_id),
      ',"truck_workshop":',
      truck_workshop,
      ',"coupled_patent":',
      unitOf(own.coupled_id),
      typeOf(own.type_maintenance_id),
      ',"box_name":',
      boxOf(own.box_id),
      ',"responsible_specialist":',
      responsibleOf(own.responsible_specialist_id),
    ]
  }
  return { of, people }
}

/** What is being done on orders, and by whom; who is in their boxes and at work besides, where that is not known yet. */
const besides = (db: Db, actor: Actor, ids: number[], open: number[], spans?: Span[]) =>
  together(
    ownSpecialist(db, actor),
    columnsOf<{ id: number; done: boolean; specialist_id: number }>(
      db,
      WORK,
      sql`select x.work_order_id as id, x.state = ${DONE} as done, x.specialist_id from ${worksTable} x
          where x.company_id = ${actor.company_id} and x.work_order_id = ${oneOfIds(ids)} order by x.specialist_id`,
    ),
    spans ? Promise.resolve(spans) : spansAround(db, actor, open),
    plannedOf(db, actor, open),
  )
const WORK = { id: 'number', done: 'boolean', specialist_id: 'number' } as const

interface Crew {
  total: number
  done: number
  who: number[]
}
function crewsOf(works: Columns<typeof WORK>) {
  const crews = new Map<number, Crew>()
  for (const { id, done, specialist_id } of asRows<{ id: number; done: boolean; specialist_id: number | null }>(
    WORK,
    works,
  )) {
    const crew = crews.get(id) ?? { total: 0, done: 0, who: [] }
    crews.set(id, crew)
    crew.total += 1
    if (done) crew.done += 1
    if (specialist_id !== null && !crew.who.includes(specialist_id)) crew.who.push(specialist_id)
  }
  return crews
}

/** Orders, and how each is written as a card; where it is known which they may be, everything is asked in one go. */
export async function writtenCards(
  db: Db,
  actor: Actor,
  orders: Orders,
  these?: { ids: number[]; spans?: Span[] | undefined },
) {
  const few = () =>
    columnsOf<Record<keyof typeof OWN | keyof typeof NAMED | keyof typeof IDS, unknown>>(
      db,
      { ...OWN, ...NAMED, ...IDS },
      orders(sql`${SUMMARY}, ${AUTHOR}`, NAMES),
    )
  const [columns, known] = these ? await together(few(), besides(db, actor, these.ids, these.ids, these.spans)) : []
  const owns = columns ? ownOf(columns) : await many(db, actor, orders)
  const open = owns.flatMap((own) => (isClosed(own) ? [] : own.id))
  const [self, works, spans, waiting] =
    known ??
    (await besides(
      db,
      actor,
      owns.map(({ id }) => id),
      open,
    ))
  const crews = crewsOf(works)
  const workers = [...new Set([...crews.values()].flatMap(({ who }) => who))]
  const [clashes, names] = await together(
    writtenClashes(db, actor, open, spans),
    columns ? named(db, actor, columns, owns, workers) : namesOf(db, actor, owns),
  )
  const planned = Map.groupBy(waiting, (line) => line.work_order_id)
  const write = (own: Own, add: (json: string) => void) => {
    const crew = crews.get(own.id)
    const who = crew?.who ?? []
    const isMine =
      own.author === actor.user_id || (self !== null && (own.responsible_specialist_id === self || who.includes(self)))
    const specialists = who.flatMap((id) => names.people.get(id) ?? [])
    const needs = planned.get(own.id)?.map(({ name, unit, reserved, missing }) => ({ name, unit, reserved, missing }))
    add(own.json)
    // Put together at once: added to piece by piece, a text is as many objects until somebody reads it.
    const more = [
      ...names.of(own),
      isMine ? ',"mine":true' : ',"mine":false',
      ',"works_total":',
      crew?.total ?? 0,
      ',"works_done":',
      crew?.done ?? 0,
      ',"specialists":',
      list(specialists),
      ',"clashes":',
      clashes.get(own.id) ?? '[]',
      ',"planned_supplies":',
      list(needs),
      '}',
    ]
    add(more.join(''))
  }
  return { cards: owns, write }
}
const list = (of: unknown[] | undefined) => (of?.length ? JSON.stringify(of) : '[]')

/** The names came along. */
async function named(
  db: Db,
  actor: Actor,
  columns: Columns<typeof NAMED>,
  owns: Own[],
  workers: number[],
): Promise<Names> {
  const texts = new Map(openJson(NAMED, columns).map((json, i) => [owns[i]!, `,${json.slice(1)}`]))
  return { of: (own) => [texts.get(own)!], people: await peopleOf(db, actor, sql`s.id = ${oneOfIds(workers)}`) }
}

/** Orders as cards, in no order; only what the person may see. */
export async function cardsOf(db: Db, actor: Actor, ids: number[]): Promise<WorkOrderCard[]> {
  const { cards, write } = await writtenCards(
    db,
    actor,
    (select, joined) => sql`select ${select} from ${workOrdersTable} o ${joined}
        where ${inScope(actor, sql`o`)} and o.id = ${oneOfIds(ids)}`,
    { ids },
  )
  return cards.map((card) => {
    let json = ''
    write(card, (text) => {
      json += text
    })
    return JSON.parse(json) as WorkOrderCard
  })
}
