import { sql } from 'drizzle-orm'
import { becomes, DONE } from '#contract/work-orders/lines.ts'
import { EARLY_DEPARTURE, type Place } from '#contract/work-orders/orders.ts'
import { isClosed, nextOf, WORK_ORDER_STATES, type WorkOrderStatus } from '#contract/work-orders/states.ts'
import { keepOrderReading } from '../../fleet/readings.ts'
import { batch, type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { tell } from '../../platform/operations/happenings.ts'
import { invalid, Problem } from '../../platform/problems.ts'
import { isClosedAt, openMonths } from '../../workshops/months.ts'
import { inScope } from '../../workshops/scope.ts'
import { specialistsTable } from '../../workshops/tables.ts'
import { CODE, note, ownSpecialist } from '../access.ts'
import { endClocks } from '../labour/labour.ts'
import { keepWaits } from '../labour/waits.ts'
import { endPlanned, plannedOf } from '../supplies/planned-supplies.ts'
import { saveSupplies, suppliesOf } from '../supplies/used-supplies.ts'
import { tasksTable, workOrdersTable, worksTable } from '../tables.ts'
import { settle } from './lines.ts'
import { changedLines } from './timeline.ts'

/** A card that is about to move, held until the end of the transaction. */
export interface Card {
  id: number
  code: string
  workshop_id: number
  truck_id: number
  status: WorkOrderStatus
  position: number
  place: Place
  kilometer: number | null
  workshop_entry_at: string | null
  workshop_departure_at: string | null
  finalized_at: string | null
  waiting_for_parts: boolean
  has_warehouse: boolean
  warehouse_id: number | null
  created_at: string
}

export const holdCards = (db: Db, actor: Actor, ids: number[]) =>
  rows<Card>(
    db,
    sql`select o.id, ${CODE} as code, o.workshop_id, o.truck_id, o.status, o.position, o.place, o.kilometer,
          o.workshop_entry_at, o.workshop_departure_at, o.finalized_at, o.waiting_for_parts, o.has_warehouse, o.warehouse_id, o.created_at
        from ${workOrdersTable} o where ${inScope(actor, sql`o`)} and o.id = any(${sql.param(ids)}::bigint[])
        order by o.id for update`,
  )

export const ORDERS_FINALIZED = 'work-orders.finalized'

/** What others hear when orders change their column. */
export const ORDERS_MOVED = 'work-orders.moved'

/** What others hear when finalized orders are open again. */
export const ORDERS_REOPENED = 'work-orders.reopened'

const REOPENED_BY = 'Una orden finalizada solo la puede reabrir un jefe de taller.'

/** Moves a card to another column, with everything that means. The place must be free; a card in the hand has none. */
export async function changeStatus(
  db: Db,
  actor: Actor,
  card: Card,
  to: { status: WorkOrderStatus; position?: number },
  more: Finalizing = { confirm_lower: false },
) {
  const { label, awaited } = WORK_ORDER_STATES[card.status]
  if (!nextOf(card.status).includes(to.status))
    throw invalid({
      status: `Una orden ${label.toLowerCase()} no puede pasar a ${WORK_ORDER_STATES[to.status].label.toLowerCase()}.`,
    })
  const finalizes = isClosed(to)
  const reopens = isClosed(card)
  if (reopens && !actor.may.has('work-orders.write')) throw new Problem(403, REOPENED_BY)
  if (finalizes && !actor.may.has('work-orders.write')) await refuseWorksOfOthers(db, actor, card)
  if (finalizes && !reopens) await answerFor(db, actor, card, more.used ?? [])
  if (finalizes) {
    const ended = await endClocks(db, actor, sql`t.work_order_id = ${card.id}`)
    const paused = await pauseWorks(db, actor, card)
    if (ended.length + paused > 0) await settle(db, actor, card.id)
  }
  const now = new Date().toISOString()
  const before = pick(card)
  const after = pick(card)
  after.status = to.status
  // An order that is finalized without having left Pendiente had no truck in the workshop: its entry is only what was typed.
  const comesIn = !finalizes && !WORK_ORDER_STATES[to.status].awaited
  if (awaited && comesIn) after.workshop_entry_at ??= now
  if (finalizes) after.workshop_departure_at ??= now
  // What finalizing stamped goes with it; what was written by hand stays, and so does what is of a closed month.
  else if (reopens && card.workshop_departure_at === card.finalized_at)
    after.workshop_departure_at = isClosedAt(await openMonths(db, actor), card.workshop_departure_at)
      ? card.workshop_departure_at
      : null
  if (reopens && comesIn && after.workshop_departure_at === null) after.workshop_entry_at ??= now
  const { workshop_entry_at, workshop_departure_at } = after
  if (workshop_entry_at && workshop_departure_at && Date.parse(workshop_departure_at) < Date.parse(workshop_entry_at))
    throw invalid({ workshop_departure_at: EARLY_DEPARTURE })
  if (finalizes && more.kilometer !== undefined) after.kilometer = more.kilometer
  await batch([
    rows(
      db,
      sql`update ${workOrdersTable} set status = ${to.status}, position = coalesce(${to.position ?? null}::bigint, position), kilometer = ${after.kilometer},
            workshop_entry_at = ${workshop_entry_at}, workshop_departure_at = ${workshop_departure_at},
            finalized_at = ${finalizes ? now : null}, updated_at = ${now}
          where company_id = ${actor.company_id} and id = ${card.id}`,
    ),
    note(db, actor, card, finalizes ? 'finalized' : reopens ? 'reopened' : 'moved', before, after),
  ])
  // A reading belongs to the day it was typed for: the entry that a move stamps does not redate it.
  // Without an entry, what is typed while finalizing was read as the truck left.
  if (after.kilometer !== null && after.kilometer !== before.kilometer) {
    const read_at = workshop_entry_at ?? workshop_departure_at
    await keepReading(
      db,
      actor,
      { ...card, ...after, workshop_entry_at: read_at },
      { confirm_lower: more.confirm_lower },
    )
  }
  if (card.waiting_for_parts && (finalizes || reopens)) await keepWaits(db, actor, { ...card, ...after })
  await tell(db, actor, ORDERS_MOVED, [card.id])
  if (finalizes) await tell(db, actor, ORDERS_FINALIZED, [card.id])
  if (reopens) await tell(db, actor, ORDERS_REOPENED, [card.id])
}

/**
 * Works that run are paused with their order, and what they took so far becomes hours: reopened, none of them runs
 * without a clock.
 */
async function pauseWorks(db: Db, actor: Actor, card: Card) {
  const paused = await rows<{ id: number; work: string; specialist: string | null }>(
    db,
    sql`select w.id, coalesce(t.name, w.description, '') as work,
          nullif(concat_ws(' ', s.names, s.last_name_p, s.last_name_m), '') as specialist
        from ${worksTable} w
        left join ${tasksTable} t on t.company_id = w.company_id and t.id = w.task_id
        left join ${specialistsTable} s on s.company_id = w.company_id and s.id = w.specialist_id
        where w.company_id = ${actor.company_id} and w.work_order_id = ${card.id} and w.state = ${becomes('start')}
        order by w.id`,
  )
  if (paused.length === 0) return 0
  const now = new Date().toISOString()
  await rows(
    db,
    sql`update ${worksTable} set state = ${becomes('pause')}, start_time = null, end_time = null, updated_at = ${now}::timestamptz,
          hours = round(coalesce(hours, 0)
            + greatest(0, coalesce(extract(epoch from ${now}::timestamptz - start_time), 0)) / 3600, 4)
        where company_id = ${actor.company_id} and work_order_id = ${card.id} and state = ${becomes('start')}`,
  )
  for (const { work, specialist } of paused) await note(db, actor, card, 'work_pause', {}, { work, specialist })
  return paused.length
}

export interface Finalizing {
  kilometer?: number | undefined
  confirm_lower: boolean
  used?: Used[] | undefined
}
interface Used {
  supply_id: number
  count: number
}

/** Of what was planned, what was used becomes lines of the order; the rest is kept for nobody any more. */
async function answerFor(db: Db, actor: Actor, card: Card, used: Used[]) {
  const planned = await plannedOf(db, actor, [card.id])
  const stranger = used.findIndex((line) => !planned.some(({ supply_id }) => supply_id === line.supply_id))
  if (stranger >= 0) throw invalid({ [`used.${stranger}.supply_id`]: 'Este insumo no estaba pedido para la orden.' })
  if (used.length > 0) {
    const before = await suppliesOf(db, actor, card.id)
    const grown = before.map(({ supply_id, count }) => {
      const more = used.find((line) => line.supply_id === supply_id)?.count ?? 0
      return { supply_id, count: Number((count + more).toFixed(4)) }
    })
    const lines = [...grown, ...used.filter((line) => !before.some(({ supply_id }) => supply_id === line.supply_id))]
    try {
      await saveSupplies(db, actor, card, lines)
    } catch (error) {
      throw underUsed(error, lines, used)
    }
    await settle(db, actor, card.id)
    const nothing = { works: [], services: [] }
    const after = await suppliesOf(db, actor, card.id)
    const said = changedLines({ ...nothing, supplies: before }, { ...nothing, supplies: after }, actor.time_zone)
    await note(db, actor, card, 'updated', said.before, said.after)
  }
  await endPlanned(db, actor, card, planned)
}

/** `supplies.3.count` is a line of the whole order: who answered for some has them by another number. */
function underUsed(error: unknown, lines: Used[], used: Used[]) {
  if (!(error instanceof Problem) || !error.errors) return error
  const errors = Object.fromEntries(
    Object.entries(error.errors).map(([field, messages]) => {
      const supply = lines[Number(field.split('.')[1])]?.supply_id
      return [`used.${used.findIndex(({ supply_id }) => supply_id === supply)}.count`, messages]
    }),
  )
  return new Problem(error.status, error.message, { errors })
}

/** Whoever works on an order closes what is theirs; over what is somebody else's, a chief decides. */
async function refuseWorksOfOthers(db: Db, actor: Actor, card: Card) {
  const left = await rows<{ who: string }>(
    db,
    sql`select distinct concat_ws(' ', s.names, s.last_name_p) as who from ${worksTable} w
        join ${specialistsTable} s on s.company_id = w.company_id and s.id = w.specialist_id
        where w.company_id = ${actor.company_id} and w.work_order_id = ${card.id} and w.state <> ${DONE}
          and w.specialist_id is distinct from ${await ownSpecialist(db, actor)}::bigint order by who`,
  )
  if (left.length > 0)
    throw new Problem(
      403,
      `Quedan trabajos sin terminar de ${left.map(({ who }) => who).join(', ')}. Debe finalizar un jefe de taller.`,
    )
}

const pick = ({ status, kilometer, workshop_entry_at, workshop_departure_at }: Card) => ({
  status,
  kilometer,
  workshop_entry_at,
  workshop_departure_at,
})

/**
 * What the meter showed, dated when it was read: as the truck came in where that is known when it is typed, or else when
 * the order was written. One that is lower than known, or too far away, has to be meant. `previous_entry` is the order's
 * workshop entry before the change.
 */
export async function keepReading(
  db: Db,
  actor: Actor,
  order: {
    id: number
    code: string
    truck_id: number
    kilometer: number | null
    workshop_entry_at: string | null
    created_at: string
  },
  { confirm_lower = false, previous_entry = null }: { confirm_lower?: boolean; previous_entry?: string | null } = {},
) {
  const { id: work_order_id, code, truck_id, kilometer: km, workshop_entry_at, created_at } = order
  const date = new Date(workshop_entry_at ?? created_at).toISOString()
  try {
    await keepOrderReading(db, actor, { work_order_id, code, truck_id, km, date, previous_entry, confirm_lower })
  } catch (error) {
    const sentence = error instanceof Problem && error.errors?.km?.[0]
    throw sentence ? invalid({ kilometer: sentence }) : error
  }
}
