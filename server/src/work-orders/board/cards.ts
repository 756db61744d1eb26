import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { DONE } from '#contract/work-orders/lines.ts'
import type { WorkOrderCard } from '#contract/work-orders/orders.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { coupledTable, trucksTable } from '../../fleet/tables.ts'
import { asRows, type Columns, columnsOf, list, lists, manyOf, openJson } from '../../platform/database/columns.ts'
import { oneOfIds } from '../../platform/database/conditions.ts'
import type { AppContext } from '../../platform/database/context.ts'
import { appContext, batch, type Db, rows } from '../../platform/database/db.ts'
import { COMMA, Written } from '../../platform/http/written.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { inScope } from '../../workshops/scope.ts'
import { boxesTable, specialistsTable, workshopsTable } from '../../workshops/tables.ts'
import { ownSpecialist } from '../access.ts'
import { SPECIALIST_NAME } from '../labour/works.ts'
import { NAMES, OWN_SUMMARY, SUMMARY } from '../orders/summary.ts'
import { type Spans, spansAround, writtenClashes } from '../planner/clashes.ts'
import { plannedOf } from '../supplies/planned-supplies.ts'
import { maintenanceTypesTable, workOrdersTable, worksTable } from '../tables.ts'

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
} as const
/** What a row says, but for the last bracket. */
interface Own extends Pick<WorkOrderCard, keyof typeof IDS> {
  json: string
}
/** And which row it was: one that changed is another one. */
type Kept = Own & { version: number }

const VERSION = sql`hashtidextended(o.ctid, o.xmin::text::bigint) as version`

const ownOf = (columns: Columns<typeof OWN & typeof IDS>): Own[] => {
  const json = openJson(OWN, columns)
  return asRows<Omit<Own, 'json'>>(IDS, columns).map((own, i) => Object.assign(own, { json: json[i]! }))
}

/** How the cards are found: what is selected of orders `o`, and what is joined to them. */
type Orders = (select: SQL, joined: SQL) => SQL

/** About 800 bytes each. */
const KEPT_AT_MOST = 20_000
const kept = new WeakMap<AppContext, Map<string, Kept>>()

/** All that are found, in their order. */
async function many(db: Db, { company_id }: Actor, orders: Orders): Promise<Own[]> {
  const standing = await lists(db, STANDING, sql`(${orders(sql`o.id, ${VERSION}`, sql``)}) x`, { ask: rows })
  const known = kept.get(appContext(db)) ?? new Map<string, Kept>()
  kept.set(appContext(db), known)
  const keyOf = (id: number) => `${company_id} ${id}`
  const found = new Map<number, Own>()
  const anew: number[] = []
  for (let i = 0; i < standing.id.length; i++) {
    const id = standing.id[i]!
    const own = known.get(keyOf(id))
    if (own && own.version === standing.version[i]) found.set(id, own)
    else anew.push(id)
  }
  if (anew.length > 0) {
    const columns = await columnsOf(
      db,
      { ...OWN, ...IDS, version: 'number' },
      sql`select ${OWN_SUMMARY}, ${VERSION} from ${workOrdersTable} o
          where o.company_id = ${company_id} and o.id = ${oneOfIds(anew)}`,
    )
    for (const [i, own] of ownOf(columns).entries()) {
      found.set(own.id, own)
      known.delete(keyOf(own.id))
      known.set(keyOf(own.id), { ...own, version: Number(columns.lists.version[i]) })
    }
    for (const key of known.keys()) {
      if (known.size <= KEPT_AT_MOST) break
      known.delete(key)
    }
  }
  return Array.from(standing.id).flatMap((id) => found.get(id) ?? [])
}
const STANDING = { id: list.whole(sql`x.id`), version: list.whole(sql`x.version`) }

/** The names that each says, to be written behind what its row says; and those of people. */
interface Names {
  write: (own: Own, written: Written<unknown>) => void
  people: Map<number, Uint8Array>
}

interface Named {
  id: number
  name: string
}
const peopleOf = (db: Db, { company_id }: Actor, which = sql`true`) =>
  rows<Named>(
    db,
    sql`select s.id, ${SPECIALIST_NAME} as name from ${specialistsTable} s where s.company_id = ${company_id} and ${which}`,
  )

/** Each looked up once, and written once. */
async function namesOf(db: Db, actor: Actor, owns: Own[]): Promise<Names> {
  const { company_id } = actor
  const all = (table: PgTable) => rows<Named>(db, sql`select id, name from ${table} where company_id = ${company_id}`)
  const idsOf = (of: (own: Own) => number | null) => oneOfIds([...new Set(owns.flatMap((own) => of(own) ?? []))])
  const { workshops, boxes, types, people, trucks, coupled } = await batch({
    workshops: all(workshopsTable),
    boxes: all(boxesTable),
    types: rows<Named & { code: string | null }>(
      db,
      sql`select id, code, name from ${maintenanceTypesTable} where company_id = ${company_id}`,
    ),
    people: peopleOf(db, actor),
    trucks: manyOf<{ id: number; code: string; patent: string; workshop_id: number }>(
      db,
      { id: 'number', code: 'text', patent: 'text', workshop_id: 'number' },
      sql`select k.id, k.code, k.patent, k.workshop_id from ${trucksTable} k
          where k.company_id = ${company_id} and k.id = ${idsOf(({ truck_id }) => truck_id)}`,
    ),
    coupled: manyOf<{ id: number; patent: string }>(
      db,
      { id: 'number', patent: 'text' },
      sql`select u.id, u.patent from ${coupledTable} u
          where u.company_id = ${company_id} and u.id = ${idsOf(({ coupled_id }) => coupled_id)}`,
    ),
  })
  /** What is said of a thing, and of none: bytes. */
  const said = <T extends { id: number }>(found: T[], say: (each: T | undefined) => object) => {
    const bytesOf = (each: T | undefined) => Buffer.from(`,${JSON.stringify(say(each)).slice(1, -1)}`)
    const [byId, none] = [new Map(found.map((each) => [each.id, bytesOf(each)])), bytesOf(undefined)]
    return (id: number | null) => (id === null ? none : (byId.get(id) ?? none))
  }
  const workshopOf = said(workshops, (each) => ({ workshop_name: each?.name ?? null }))
  const truckOf = said(trucks, (each) => ({ truck_code: each?.code ?? '', patent: each?.patent ?? '' }))
  const homeOf = said(workshops, (each) => ({ truck_workshop: each?.name ?? null }))
  const unitOf = said(coupled, (each) => ({ coupled_patent: each?.patent ?? null }))
  const typeOf = said(types, (each) => ({
    type_of_maintenance: each?.code ?? null,
    type_maintenance: each?.name ?? null,
  }))
  const boxOf = said(boxes, (each) => ({ box_name: each?.name ?? null }))
  const responsibleOf = said(people, (each) => ({ responsible_specialist: each?.name || null }))
  const homes = new Map(trucks.map(({ id, workshop_id }) => [id, workshop_id]))
  const write = (own: Own, written: Written<unknown>) => {
    const home = homes.get(own.truck_id)!
    written.put(workshopOf(own.workshop_id))
    written.put(truckOf(own.truck_id))
    written.put(homeOf(home === own.workshop_id ? null : home))
    written.put(unitOf(own.coupled_id))
    written.put(typeOf(own.type_maintenance_id))
    written.put(boxOf(own.box_id))
    written.put(responsibleOf(own.responsible_specialist_id))
  }
  return { write, people: byId(people) }
}
const byId = (people: Named[]) => new Map(people.map(({ id, name }) => [id, Buffer.from(JSON.stringify(name))]))

/** What is being done on orders, and by whom; who is in their boxes and at work besides, where that is not known yet. */
const besides = (db: Db, actor: Actor, ids: number[], open: number[], spans?: Spans) =>
  batch({
    self: ownSpecialist(db, actor),
    works: lists(
      db,
      WORK,
      sql`(select x.work_order_id as id, (x.state = ${DONE})::int as done, coalesce(x.specialist_id, 0) as who from ${worksTable} x
          where x.company_id = ${actor.company_id} and x.work_order_id = ${oneOfIds(ids)}) x`,
      { ask: rows },
    ),
    spans: spans ? Promise.resolve(spans) : spansAround(db, actor, open),
    waiting: plannedOf(db, actor, open),
  })
const WORK = { id: list.whole(sql`x.id`), done: list.whole(sql`x.done`), who: list.whole(sql`x.who`) }

interface Crew {
  total: number
  done: number
  who: number[]
}
function crewsOf({ id, done, who }: Record<keyof typeof WORK, Float64Array>) {
  const crews = new Map<number, Crew>()
  for (let i = 0; i < id.length; i++) {
    const crew = crews.get(id[i]!) ?? { total: 0, done: 0, who: [] }
    crews.set(id[i]!, crew)
    crew.total += 1
    crew.done += done[i]!
    if (who[i] !== 0 && !crew.who.includes(who[i]!)) crew.who.push(who[i]!)
  }
  for (const { who } of crews.values()) if (who.length > 1) who.sort((one, other) => one - other)
  return crews
}

/** Orders, and how each is written as a card; where it is known which they may be, everything is asked in one go. */
export async function writtenCards(
  db: Db,
  actor: Actor,
  orders: Orders,
  these?: { ids: number[]; spans?: Spans | undefined },
) {
  const few = () =>
    columnsOf<Record<keyof typeof OWN | keyof typeof NAMED | keyof typeof IDS, unknown>>(
      db,
      { ...OWN, ...NAMED, ...IDS },
      orders(SUMMARY, NAMES),
    )
  const { columns, known } = these
    ? await batch({ columns: few(), known: besides(db, actor, these.ids, these.ids, these.spans) })
    : {}
  const owns = columns ? ownOf(columns) : await many(db, actor, orders)
  const open = owns.flatMap((own) => (isClosed(own) ? [] : own.id))
  const { self, works, spans, waiting } =
    known ??
    (await besides(
      db,
      actor,
      owns.map(({ id }) => id),
      open,
    ))
  const crews = crewsOf(works)
  const workers = [...new Set([...crews.values()].flatMap(({ who }) => who))]
  const { writeClashes, names } = await batch({
    writeClashes: writtenClashes(db, actor, open, spans),
    names: columns ? named(db, actor, columns, owns, workers) : namesOf(db, actor, owns),
  })
  const planned = Map.groupBy(waiting, (line) => line.work_order_id)
  const write = (own: Own, written: Written<unknown>) => {
    const { total, done, who } = crews.get(own.id) ?? NOBODY
    const isMine = self !== null && (own.responsible_specialist_id === self || who.includes(self))
    const needs = planned.get(own.id)?.map(({ name, unit, reserved, missing }) => ({ name, unit, reserved, missing }))
    written.add(own.json)
    names.write(own, written)
    written.put(isMine ? MINE : NOT_MINE)
    written.whole(total)
    written.put(WORKS_DONE)
    written.whole(done)
    written.put(SPECIALISTS)
    let named = 0
    for (const id of who) {
      const name = names.people.get(id)
      // Somebody took them off the list since.
      if (!name) continue
      if (named++ > 0) written.put(COMMA)
      written.put(name)
    }
    written.put(CLASHES)
    writeClashes(own.id, written)
    if (needs) written.add(`,"planned_supplies":${JSON.stringify(needs)}}`)
    else written.put(NO_PLANNED)
  }
  return { cards: owns, write }
}
const NOBODY: Crew = { total: 0, done: 0, who: [] }
const MINE = Buffer.from(',"mine":true,"works_total":')
const NOT_MINE = Buffer.from(',"mine":false,"works_total":')
const WORKS_DONE = Buffer.from(',"works_done":')
const SPECIALISTS = Buffer.from(',"specialists":[')
const CLASHES = Buffer.from('],"clashes":')
const NO_PLANNED = Buffer.from(',"planned_supplies":[]}')

/** The names came along. */
async function named(
  db: Db,
  actor: Actor,
  columns: Columns<typeof NAMED>,
  owns: Own[],
  workers: number[],
): Promise<Names> {
  const texts = new Map(openJson(NAMED, columns).map((json, i) => [owns[i]!, `,${json.slice(1)}`]))
  return {
    write: (own, written) => written.add(texts.get(own)!),
    people: byId(await peopleOf(db, actor, sql`s.id = ${oneOfIds(workers)}`)),
  }
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
    const written = new Written<WorkOrderCard>(0)
    write(card, written)
    return JSON.parse(written.json.toString()) as WorkOrderCard
  })
}
