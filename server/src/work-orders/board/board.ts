import { type SQL, sql } from 'drizzle-orm'
import {
  type Board,
  type BoardQuery,
  FINALIZED_DAYS,
  type Move,
  type Placed,
  POSITION_STEP,
  type SyncCards,
} from '#contract/work-orders/orders.ts'
import {
  FINAL_STATUS,
  isClosed,
  OPEN_STATUSES,
  WORK_ORDER_STATES,
  WORK_ORDER_STATUS_NAMES,
  type WorkOrderStatus,
} from '#contract/work-orders/states.ts'
import { coupledTable, trucksTable } from '../../fleet/tables.ts'
import { all, intervalOfDays, oneOfIds, oneOfNames } from '../../platform/database/conditions.ts'
import { batch, type Db, rows } from '../../platform/database/db.ts'
import { slice } from '../../platform/database/lists.ts'
import { everyWord } from '../../platform/database/words.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { announce } from '../../platform/operations/happenings.ts'
import { notFound } from '../../platform/problems.ts'
import { reservationsTable } from '../../warehouses/tables.ts'
import { inScope } from '../../workshops/scope.ts'
import { type Card, changeStatus, type Finalizing, holdCards } from '../orders/finalize.ts'
import { wholeNumbers } from '../orders/search.ts'
import { chosen } from '../orders/summary.ts'
import { ordersClashingWith } from '../planner/clashes.ts'
import { holdPlanned } from '../supplies/planned-supplies.ts'
import { ORIGIN } from '../supplies/used-supplies.ts'
import { workOrdersTable } from '../tables.ts'
import { cardsOf } from './cards.ts'
import { freePlace, holdBoard, lift, putDown, spread, stand } from './places.ts'

const OPEN = oneOfNames(OPEN_STATUSES)
export const RECENT = sql`o.status ${oneOfNames([FINAL_STATUS])} and o.finalized_at > now() - ${intervalOfDays(FINALIZED_DAYS)}`
const ON_BOARD = sql`(o.status ${OPEN} or (${RECENT}))`

/** In the order, its truck, or the plate of its unit. */
const searched = ({ company_id }: Actor, search: string | undefined) =>
  everyWord(wholeNumbers(search), (has) => [
    has(sql`o.search`),
    sql`o.truck_id in (select k.id from ${trucksTable} k where k.company_id = ${company_id} and ${has(sql`k.search`)})`,
    sql`o.coupled_id in (select u.id from ${coupledTable} u where u.company_id = ${company_id} and ${has(sql`lower(u.patent)`)})`,
  ])

const reservedFor = ({ company_id }: Actor) => sql`o.id in (select r.origin_id from ${reservationsTable} r
  where r.company_id = ${company_id} and r.origin = ${ORIGIN} and r.reserved > 0)`

/** Columns of open cards are shown whole; of the last one, the top: the rest is what the history is for. */
const MOST_FINALIZED = 500

export async function listBoard(db: Db, actor: Actor, { filter, only, per_page }: BoardQuery): Promise<Board> {
  const matching = all([
    ...chosen(actor, filter),
    searched(actor, filter.Search),
    filter.Reserved && reservedFor(actor),
  ])
  let shown = wholeColumns(actor, matching)
  if (only?.length) shown = amongThese(matching, [...only, ...(await ordersClashingWith(db, actor, only))])
  else if (per_page) shown = topsOfColumns(matching, per_page)
  const { ids, totals } = await batch({
    ids: rows<{ id: number }>(db, shown),
    totals: rows<{ status: WorkOrderStatus; total: number }>(
      db,
      sql`select o.status, count(*) as total from ${workOrdersTable} o
            where ${matching} and o.status ${OPEN} group by 1
          union all
          select o.status, count(*) from ${workOrdersTable} o where ${matching} and ${RECENT} group by 1`,
    ),
  })
  const cards = await cardsOf(
    db,
    actor,
    ids.map(({ id }) => id),
  )
  return boardOf((status) => ({
    data: cards.filter((card) => card.status === status).sort((one, other) => one.position - other.position),
    total: totals.find((column) => column.status === status)?.total ?? 0,
  }))
}

/** A column for each status. */
export const boardOf = (columnOf: (status: WorkOrderStatus) => Board[keyof Board]) =>
  Object.fromEntries(
    WORK_ORDER_STATUS_NAMES.map((status) => [WORK_ORDER_STATES[status].group, columnOf(status)]),
  ) as Board

/* The ids of the cards that a board shows, as queries. */

/** `offset 0` makes PostgreSQL filter the recently finalized orders first, rather than all finalized ones from the top. */
const wholeColumns = ({ company_id }: Actor, matching: SQL) => sql`
  select o.id from ${workOrdersTable} o where ${matching} and o.status ${OPEN}
  union all
  (select o.id from (select * from ${workOrdersTable} o where o.company_id = ${company_id} and ${RECENT} offset 0) o
    where ${matching} order by o.position ${slice({ page: 1, per_page: MOST_FINALIZED })})`

const amongThese = (matching: SQL, ids: number[]) =>
  sql`select o.id from ${workOrdersTable} o where ${matching} and o.id = ${oneOfIds(ids)} and ${ON_BOARD}`

function topsOfColumns(matching: SQL, per_page: number) {
  const open = OPEN_STATUSES.map(
    (status) =>
      sql`(select o.id from ${workOrdersTable} o where ${matching} and o.status ${oneOfNames([status])}
            order by o.position ${slice({ page: 1, per_page })})`,
  )
  return sql.join([...open, sql`(${firstRecent(matching, per_page)})`], sql` union all `)
}

/** So many orders from the top of the last column are read before all that were finalized recently. */
const WALKED = 1000

/**
 * The ids of the first orders that were finalized recently. They are mostly on top; where they are not, walking down to them
 * would take as long as the company is old.
 */
export const firstRecent = (matching: SQL, per_page: number) => {
  const few = slice({ page: 1, per_page })
  const isEnough = sql`(select count(*) from walked) = ${per_page}`
  return sql`with walked as materialized (
      select o.id from (
        select * from ${workOrdersTable} o where ${matching} and o.status ${oneOfNames([FINAL_STATUS])}
        order by o.position ${slice({ page: 1, per_page: WALKED })}) o where ${RECENT} ${few})
    select id from walked where ${isEnough}
    union all
    (select o.id from (select * from ${workOrdersTable} o where ${matching} and ${RECENT} and not ${isEnough} offset 0) o
      order by o.position ${few})`
}

/**
 * Moves one card. `positions` names its place; older clients name the place of every card of the column instead, by
 * index, and those that are no longer in it are left where they are.
 */
export async function moveCard(db: Db, actor: Actor, id: number, what: Move) {
  const { cards } = await batch({
    boardLock: holdBoard(db, actor, what.positions.length > 1),
    planLock: isClosed(what) ? holdPlanned(db, actor, [id]) : Promise.resolve(),
    cards: holdCards(db, actor, [id, ...what.positions.map((place) => place.id)]),
  })
  const card = cards.find((each) => each.id === id)
  if (!card) throw notFound()
  const places = new Map(what.positions.map((place) => [place.id, place.position]))
  const others = cards.filter((each) => each.id !== id && each.status === what.status)
  const wanted = [card, ...others].map((each) => ({ card: each, status: what.status, position: places.get(each.id) }))
  return place(db, actor, wanted, what)
}

export async function syncCards(db: Db, actor: Actor, { works_orders }: SyncCards) {
  await holdBoard(db, actor, true)
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
  await holdBoard(db, actor, true)
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
