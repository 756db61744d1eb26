import { type SQL, sql } from 'drizzle-orm'
import { DONE } from '#contract/work-orders/lines.ts'
import {
  type Board,
  type BoardQuery,
  FINALIZED_DAYS,
  type Move,
  type Placed,
  POSITION_STEP,
  type SyncCards,
  type WorkOrderCard,
} from '#contract/work-orders/orders.ts'
import {
  FINAL_STATUS,
  isClosed,
  OPEN_STATUSES,
  WORK_ORDER_STATES,
  type WorkOrderStatus,
} from '#contract/work-orders/states.ts'
import { coupledTable, trucksTable } from '../fleet/tables.ts'
import { columnsOf, manyOf, openJson } from '../platform/database/columns.ts'
import { type Db, rows, together } from '../platform/database/db.ts'
import { all, everyWord, oneOfIds, oneOfNames, slice } from '../platform/database/lists.ts'
import { announce } from '../platform/http/live.ts'
import { Written } from '../platform/http/written.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { notFound } from '../platform/operations/problems.ts'
import { inScope } from '../workshops/scope.ts'
import { specialistsTable } from '../workshops/tables.ts'
import { ownSpecialist } from './access.ts'
import { clashesIn, type Span, saying, spansAround } from './clashes.ts'
import { type Card, changeStatus, type Finalizing, holdCards } from './finalize.ts'
import { freePlace, holdBoard, lift, putDown, spread, stand } from './places.ts'
import { holdPlanned, plannedOf } from './planned-supplies.ts'
import { chosen, NAMES, SUMMARY } from './summary.ts'
import { workOrdersTable, worksTable } from './tables.ts'
import { SPECIALIST_NAME } from './works.ts'

const OPEN = oneOfNames(OPEN_STATUSES)
/** What was finalized of late: its days are part of the statement, so that they are planned for. */
const RECENT = sql`o.status ${oneOfNames([FINAL_STATUS])} and o.finalized_at > now() - interval '${sql.raw(String(FINALIZED_DAYS))} days'`
const ON_BOARD = sql`(o.status ${OPEN} or (${RECENT}))`

type Bare = Omit<WorkOrderCard, 'works_total' | 'works_done' | 'specialists' | 'clashes' | 'planned_supplies'>
const BARE = {
  id: 'number',
  code: 'text',
  workshop_id: 'number',
  workshop_name: 'text',
  truck_id: 'number',
  truck_code: 'text',
  patent: 'text',
  truck_workshop: 'text',
  coupled_id: 'number',
  coupled_patent: 'text',
  status: 'text',
  position: 'number',
  planned: 'boolean',
  priority: 'text',
  place: 'text',
  type_of_maintenance: 'text',
  type_maintenance_id: 'number',
  type_maintenance: 'text',
  box_id: 'number',
  box_name: 'text',
  responsible_specialist_id: 'number',
  responsible_specialist: 'text',
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
const CARD = { ...BARE, mine: 'boolean' } as const

const createdBy = (actor: Actor) => sql`(o.user_id is not distinct from ${actor.user_id})`

/** As it goes over the wire. */
interface WrittenCard {
  id: number
  status: WorkOrderStatus
  json: string
}

/** What is being done on orders, and by whom; who is in their boxes and at work besides, where that is not known yet. */
const besides = (db: Db, actor: Actor, ids: number[], open: number[], spans?: Span[]) =>
  together(
    ownSpecialist(db, actor),
    manyOf<{ work_order_id: number; done: boolean; specialist_id: number | null }>(
      db,
      { work_order_id: 'number', done: 'boolean', specialist_id: 'number' },
      sql`select x.work_order_id, x.state = ${DONE} as done, x.specialist_id from ${worksTable} x
          where x.company_id = ${actor.company_id} and x.work_order_id = ${oneOfIds(ids)} order by x.specialist_id`,
    ),
    spans ? Promise.resolve(spans) : spansAround(db, actor, open),
    plannedOf(db, actor, open),
  )

/** Orders as cards, all of them at once; where it is known which they may be, everything is asked in one go. */
async function writtenCards(
  db: Db,
  actor: Actor,
  orders: SQL,
  these?: { ids: number[]; spans?: Span[] | undefined },
): Promise<WrittenCard[]> {
  const find = () => columnsOf<Bare>(db, CARD, orders)
  const [columns, known] = these
    ? await together(find(), besides(db, actor, these.ids, these.ids, these.spans))
    : [await find()]
  const { lists } = columns
  const ids = lists.id.map(Number)
  const status = lists.status as WorkOrderStatus[]
  const open = ids.filter((_, i) => !isClosed({ status: status[i]! }))
  const [own, works, spans, waiting] = known ?? (await besides(db, actor, ids, open))
  // Names are looked up once each.
  const [clashing, people] = await together(
    clashesIn(db, actor, open, spans),
    rows<{ id: number; name: string }>(
      db,
      sql`select s.id, ${SPECIALIST_NAME} as name from ${specialistsTable} s where s.company_id = ${actor.company_id}
            and s.id = ${oneOfIds([...new Set(works.flatMap(({ specialist_id }) => specialist_id ?? []))])}`,
    ),
  )
  const clashes = Map.groupBy(clashing, ({ id }) => id)
  const planned = Map.groupBy(waiting, (line) => line.work_order_id)
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const byOrder = Map.groupBy(works, ({ work_order_id }) => work_order_id)
  return openJson<Omit<Bare, 'mine'>>(BARE, columns).map((card, i) => {
    const id = ids[i]!
    const crew = byOrder.get(id) ?? []
    const at = [...new Set(crew.flatMap(({ specialist_id }) => specialist_id ?? []))]
    const rest: Omit<WorkOrderCard, keyof typeof BARE> = {
      mine:
        lists.mine[i] === 'true' ||
        (own !== null && (lists.responsible_specialist_id[i] === String(own) || at.includes(own))),
      works_total: crew.length,
      works_done: crew.filter(({ done }) => done).length,
      specialists: at.flatMap((id) => names.get(id) ?? []),
      clashes: clashes.get(id)?.map(({ id: _, work_id: __, ...clash }) => clash) ?? [],
      planned_supplies:
        planned.get(id)?.map(({ name, unit, reserved, missing }) => ({ name, unit, reserved, missing })) ?? [],
    }
    return { id, status: status[i]!, json: `${card},${JSON.stringify(rest).slice(1)}` }
  })
}

/** In the order, its truck, or the plate of its unit. */
const searched = ({ company_id }: Actor, search: string | undefined) =>
  everyWord(search, (has) => [
    has(sql`o.search`),
    sql`o.truck_id in (select k.id from ${trucksTable} k where k.company_id = ${company_id} and ${has(sql`k.search`)})`,
    sql`o.coupled_id in (select u.id from ${coupledTable} u where u.company_id = ${company_id} and ${has(sql`lower(u.patent)`)})`,
  ])

/** Columns of open cards are shown whole; of the last one, the top: the rest is what the history is for. */
const MOST_FINALIZED = 500

export async function listBoard(db: Db, actor: Actor, { filter, only }: BoardQuery): Promise<Written<Board>> {
  const asked = all([...chosen(actor, filter), searched(actor, filter.Search)])
  const countOf = (those: SQL) =>
    sql`select o.status, count(*) as total from ${workOrdersTable} o where ${asked} and ${those} group by 1`
  const finalized = countOf(RECENT)
  const counted = (those: SQL) => rows<{ status: WorkOrderStatus; total: number }>(db, those)
  const part = only?.length
    ? await together(
        spansAround(db, actor, only),
        counted(sql`${countOf(sql`o.status ${OPEN}`)} union all ${finalized}`),
      )
    : undefined
  const these = new Set(part && only?.concat(saying(part[0], only)))
  const where = part ? sql`${asked} and o.id = ${oneOfIds([...these])}` : asked
  // What is shown is looked up for those on top alone; the recent ones are looked through, and not all from the top.
  const recent = sql`select * from ${workOrdersTable} o where o.company_id = ${actor.company_id} and ${RECENT}`
  const top = sql`(select o.id from (${recent} ${part ? sql`` : sql`offset 0`}) o where ${where} order by o.position ${slice({ page: 1, per_page: MOST_FINALIZED })})`
  const cards = await writtenCards(
    db,
    actor,
    sql`(select ${SUMMARY}, ${createdBy(actor)} as mine from ${workOrdersTable} o ${NAMES}
         where ${where} and o.status ${OPEN} order by o.position)
        union all
        (select ${SUMMARY}, ${createdBy(actor)} as mine from ${top} p
         join ${workOrdersTable} o on o.company_id = ${actor.company_id} and o.id = p.id ${NAMES} order by o.position)`,
    part && { ids: [...these], spans: these.size === only?.length ? part[0] : undefined },
  )
  const columns = Map.groupBy(cards, ({ status }) => WORK_ORDER_STATES[status].group)
  const shown = (group: keyof Board) => columns.get(group) ?? []
  const isLong = !part && shown('finalized').length >= MOST_FINALIZED
  const totals: Partial<Record<keyof Board, number>> = {}
  for (const { status, total } of part?.[1] ?? (isLong ? await counted(finalized) : []))
    totals[WORK_ORDER_STATES[status].group] = total
  const column = (group: keyof Board) =>
    `"${group}":{"data":[${shown(group).map(({ json }) => json)}],"total":${totals[group] ?? (part ? 0 : shown(group).length)}}`
  return new Written(`{${GROUPS.map(column)}}`)
}
const GROUPS: (keyof Board)[] = ['pending', 'in_revision', 'in_progress', 'finalized']

/** Orders as cards, in no order; only what the person may see. */
export async function cardsOf(db: Db, actor: Actor, ids: number[]): Promise<WorkOrderCard[]> {
  const cards = await writtenCards(
    db,
    actor,
    sql`select ${SUMMARY}, ${createdBy(actor)} as mine from ${workOrdersTable} o ${NAMES}
        where ${inScope(actor, sql`o`)} and o.id = ${oneOfIds(ids)}`,
  )
  return cards.map(({ json }) => JSON.parse(json) as WorkOrderCard)
}

/**
 * Moves one card. `positions` names its place; older clients name the place of every card of the column instead, by
 * index, and those that are no longer in it are left where they are.
 */
export async function moveCard(db: Db, actor: Actor, id: number, what: Move) {
  const [, , found] = await together(
    holdBoard(db, actor),
    isClosed(what) ? holdPlanned(db, actor, [id]) : Promise.resolve(),
    holdCards(db, actor, [id, ...what.positions.map((place) => place.id)]),
  )
  const card = found.find((each) => each.id === id)
  if (!card) throw notFound()
  const places = new Map(what.positions.map((place) => [place.id, place.position]))
  const others = found.filter((each) => each.id !== id && each.status === what.status)
  const wanted = [card, ...others].map((each) => ({ card: each, status: what.status, position: places.get(each.id) }))
  return place(db, actor, wanted, what)
}

export async function syncCards(db: Db, actor: Actor, { works_orders }: SyncCards) {
  await holdBoard(db, actor)
  const closing = works_orders.filter(isClosed).map(({ id }) => id)
  if (closing.length > 0) await holdPlanned(db, actor, closing)
  const found = new Map(
    (
      await holdCards(
        db,
        actor,
        works_orders.map(({ id }) => id),
      )
    ).map((card) => [card.id, card]),
  )
  // Named twice: the last word counts.
  const last = new Map(works_orders.map((each) => [each.id, each]))
  const wanted = [...last.values()].map(({ id, status, position }) => {
    const card = found.get(id)
    if (!card) throw notFound()
    return { card, status, position }
  })
  return place(db, actor, wanted, { confirm_lower: false })
}

interface Wanted {
  card: Card
  status: WorkOrderStatus
  /** Left out: on top. */
  position: number | undefined
}

async function place(db: Db, actor: Actor, wanted: Wanted[], more: Finalizing) {
  const changed = wanted.filter(
    ({ card, status, position }) => card.status !== status || (position !== undefined && card.position !== position),
  )
  const moved = new Set(wanted.map(({ card }) => card.id))
  const [only] = changed
  if (only && changed.length === 1) {
    const position = await freePlace(db, actor, { ...only, id: only.card.id }, moved)
    if (only.status === only.card.status) await stand(db, actor, [{ id: only.card.id, position }])
    else await changeStatus(db, actor, only.card, { status: only.status, position }, more)
  } else if (only) await placeMany(db, actor, changed, moved, more)
  for (const [workshop_id, cards] of Map.groupBy(changed, ({ card }) => card.workshop_id))
    announce(db, actor, { topic: 'work-orders', workshop_id, ids: cards.map(({ card }) => card.id) })
  // Cards of any workshop may have made room.
  if (moved.size > wanted.length) announce(db, actor, { topic: 'work-orders', workshop_id: null, ids: [...moved] })
  return placesOf(db, actor, [...moved])
}

async function placeMany(db: Db, actor: Actor, changed: Wanted[], moved: Set<number>, more: Finalizing) {
  await lift(
    db,
    actor,
    changed.map(({ card }) => card.id),
  )
  for (const { card, status } of changed)
    if (card.status !== status) await changeStatus(db, actor, card, { status }, more)
  for (const [status, cards] of Map.groupBy(changed, (each) => each.status)) {
    const asked = cards.flatMap(({ card: { id }, position }) => (position === undefined ? [] : [{ id, position }]))
    await putDown(db, actor, status, asked, moved)
    for (const { card, position } of cards)
      if (position === undefined)
        await stand(db, actor, [
          { id: card.id, position: await freePlace(db, actor, { ...card, status, position }, moved) },
        ])
  }
}

async function placesOf(db: Db, actor: Actor, ids: number[]) {
  const data = await rows<Placed>(
    db,
    sql`select o.id, o.status, o.position, o.updated_at from ${workOrdersTable} o
        where ${inScope(actor, sql`o`)} and o.id = any(${sql.param(ids)}::bigint[]) order by o.status, o.position`,
  )
  return { data, total: data.length }
}

/** Spaces the cards of every column evenly; of the finalized ones, those that the board shows. */
export async function loadInitialPositions(db: Db, actor: Actor) {
  await holdBoard(db, actor)
  const columns = await rows<{ status: WorkOrderStatus; last: number; next: number | null }>(
    db,
    sql`select c.status, c.last, (
            select o.position from ${workOrdersTable} o where o.company_id = ${actor.company_id} and o.status = c.status
              and o.position > c.last order by o.position limit 1) as next
        from (select o.status, max(o.position) as last from ${workOrdersTable} o
              where o.company_id = ${actor.company_id} and ${ON_BOARD} group by o.status) c`,
  )
  const moved: number[] = []
  for (const { status, last, next } of columns)
    moved.push(...(await spread(db, actor, status, last, next ?? POSITION_STEP)))
  announce(db, actor, { topic: 'work-orders', workshop_id: null, ids: moved })
  return placesOf(db, actor, moved)
}
