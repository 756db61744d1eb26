import { sql } from 'drizzle-orm'
import {
  becomes,
  DONE,
  mayWork,
  WORK_STATES,
  WORK_STATES_BY_RANK,
  type Work,
  type WorkAction,
  type WorkInput,
  workDuration,
  workStateOf,
} from '#contract/work-orders/lines.ts'
import { OPEN_STATUSES, WORKING_STATUS } from '#contract/work-orders/states.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid, notFound, Problem } from '../platform/operations/problems.ts'
import { findInRoster } from '../workshops/rosters.ts'
import { specialistsTable } from '../workshops/tables.ts'
import { type HeldOrder, holdOpenOrder, note, ownSpecialist, touch } from './access.ts'
import { changeStatus, holdCards } from './finalize.ts'
import { freePlace, holdBoard } from './places.ts'
import { maintenanceTypesTable, tasksTable, workOrdersTable, worksTable } from './tables.ts'

export const SPECIALIST_NAME = sql`concat_ws(' ', s.names, s.last_name_p, s.last_name_m)`
const SELECT = sql`w.id, w.work_order_id, w.description, w.task_id, t.name as task, w.specialist_id,
  nullif(${SPECIALIST_NAME}, '') as specialist, w.reviewed_by_specialist_id, w.hours, w.start_time, w.end_time,
  w.target_start_at, w.target_end_at, w.priority, w.type_maintenance_id, m.name as type_maintenance, w.state`
const FROM = sql`${worksTable} w
  left join ${tasksTable} t on t.company_id = w.company_id and t.id = w.task_id
  left join ${specialistsTable} s on s.company_id = w.company_id and s.id = w.specialist_id
  left join ${maintenanceTypesTable} m on m.company_id = w.company_id and m.id = w.type_maintenance_id`

const timed = (work: Omit<Work, 'duration'>): Work => ({ ...work, duration: workDuration(work) })

/** Works of orders the person may see, in the order they were written. */
export async function worksOf(db: Db, actor: Actor, work_orders: number[]): Promise<Work[]> {
  const found = await rows<Omit<Work, 'duration'>>(
    db,
    sql`select ${SELECT} from ${FROM}
        where w.company_id = ${actor.company_id} and w.work_order_id = any(${sql.param(work_orders)}::bigint[])
        order by w.id`,
  )
  return found.map(timed)
}

async function requireWork(db: Db, actor: Actor, id: number): Promise<Work> {
  const work = await row<Omit<Work, 'duration'>>(
    db,
    sql`select ${SELECT} from ${FROM} where w.company_id = ${actor.company_id} and w.id = ${id}`,
  )
  if (!work) throw notFound()
  return timed(work)
}

/** The work and its order, held. */
async function holdWork(db: Db, actor: Actor, id: number) {
  const { work_order_id } = await requireWork(db, actor, id)
  const order = await holdOpenOrder(db, actor, work_order_id)
  // Read again: it may have changed while the order was waited for.
  return { order, work: await requireWork(db, actor, id) }
}

const whatItIs = (work: Work) => work.task ?? work.description ?? ''

export async function addWork(db: Db, actor: Actor, work_order_id: number, what: WorkInput): Promise<Work> {
  const order = await holdOpenOrder(db, actor, work_order_id)
  const specialist_id = actor.may.has('work-orders.write') ? what.specialist_id : await requireOwn(db, actor)
  await requireChoices(db, actor, order, { ...what, specialist_id })
  const { id: _, ...values } = what
  const state = workStateOf(what)
  const { id } = one(
    await db
      .insert(worksTable)
      .values({ company_id: actor.company_id, work_order_id, ...values, specialist_id, state })
      .returning({ id: worksTable.id }),
  )
  const work = await requireWork(db, actor, id)
  await note(db, actor, order, 'work_added', {}, { work: whatItIs(work), specialist: work.specialist })
  await touch(db, actor, order)
  return work
}

async function requireOwn(db: Db, actor: Actor) {
  const own = await ownSpecialist(db, actor)
  if (own === null) throw new Problem(403, 'Su usuario no está asociado a un especialista. Pídalo al jefe de taller.')
  return own
}

/** Task, specialists and type of a work are ones the person can choose. */
async function requireChoices(db: Db, actor: Actor, order: HeldOrder, what: Omit<WorkInput, 'id'>) {
  for (const field of ['specialist_id', 'reviewed_by_specialist_id'] as const) {
    const id = what[field]
    if (id === null) continue
    const found = await findInRoster(db, actor, 'specialist', id)
    if (found?.workshop_id !== order.workshop_id) throw invalid({ [field]: 'Elija un especialista del taller.' })
  }
  const known = (table: typeof tasksTable | typeof maintenanceTypesTable, id: number) =>
    row(db, sql`select id from ${table} where company_id = ${actor.company_id} and id = ${id}`)
  if (what.task_id !== null && !(await known(tasksTable, what.task_id)))
    throw invalid({ task_id: 'Elija una tarea de la lista.' })
  if (what.type_maintenance_id !== null && !(await known(maintenanceTypesTable, what.type_maintenance_id)))
    throw invalid({ type_maintenance_id: 'Elija un tipo de la lista.' })
}

const REFUSED: Record<WorkAction, string> = {
  start: 'El trabajo ya está en curso o terminado.',
  pause: 'El trabajo no está en curso.',
  finish: 'El trabajo ya está terminado.',
  reopen: 'El trabajo no está terminado.',
}

/**
 * A work that was never paused keeps when it began and ended. A pause turns what was worked so far into hours and the
 * times go: from then on hours are what counts, and its timeline still says when it began, paused and ended.
 */
export async function progressWork(db: Db, actor: Actor, id: number, action: WorkAction): Promise<Work> {
  // It may move the card: the board is held before the order, as by everyone who moves one.
  if (action === 'start') await holdBoard(db, actor)
  const { order, work } = await holdWork(db, actor, id)
  if (!actor.may.has('work-orders.write') && work.specialist_id !== (await requireOwn(db, actor)))
    throw new Problem(403, 'Solo puede avanzar sus propios trabajos.')
  // Twice the same tap: what was asked for is already so.
  if (work.state === becomes(action)) return work
  if (!mayWork(work, action)) throw new Problem(409, REFUSED[action])

  const now = new Date().toISOString()
  const since = work.start_time ? (Date.parse(now) - Date.parse(work.start_time)) / 3_600_000 : 0
  const hours = Number(((work.hours ?? 0) + Math.max(0, since)).toFixed(4))
  const { begun } = WORK_STATES[work.state]
  const interrupted = (work.hours ?? 0) > 0 && begun
  const set =
    action === 'start'
      ? { start_time: now, end_time: null, hours: begun ? work.hours : null }
      : action === 'pause'
        ? { start_time: null, end_time: null, hours }
        : action === 'reopen'
          ? { start_time: null, end_time: null, hours: work.duration ?? work.hours }
          : work.start_time === null || interrupted
            ? { start_time: null, end_time: null, hours: work.start_time ? hours : work.hours }
            : { start_time: work.start_time, end_time: now, hours: work.hours }
  await rows(
    db,
    sql`update ${worksTable} set start_time = ${set.start_time}, end_time = ${set.end_time}, hours = ${set.hours},
          state = ${becomes(action)}, updated_at = now()
        where company_id = ${actor.company_id} and id = ${id}`,
  )
  const after = await requireWork(db, actor, id)
  await note(db, actor, order, `work_${action}`, {}, { work: whatItIs(work), specialist: work.specialist })
  if (action === 'start') await beginOrder(db, actor, order, id)
  await touch(db, actor, order)
  return after
}

/** With the first work that begins, the order is being worked on, and its card says so. */
async function beginOrder(db: Db, actor: Actor, order: HeldOrder, work: number) {
  if (order.status === WORKING_STATUS) return
  const others = await worksOf(db, actor, [order.id])
  if (others.some(({ id, state }) => id !== work && WORK_STATES[state].begun)) return
  const [card] = await holdCards(db, actor, [order.id])
  if (!card) return
  const status = WORKING_STATUS
  const position = await freePlace(db, actor, { id: card.id, status, position: undefined }, new Set())
  await changeStatus(db, actor, card, { status, position })
}

export async function deleteWork(db: Db, actor: Actor, id: number) {
  const { order, work } = await holdWork(db, actor, id)
  await rows(db, sql`delete from ${worksTable} where company_id = ${actor.company_id} and id = ${id}`)
  await note(db, actor, order, 'work_removed', { work: whatItIs(work), specialist: work.specialist }, {})
  await touch(db, actor, order)
  return undefined
}

/** Works of the person that are to be done, or were done today. */
export async function worksOfPerson(db: Db, actor: Actor): Promise<Work[]> {
  const own = await ownSpecialist(db, actor)
  if (own === null) return []
  const found = await rows<Omit<Work, 'duration'>>(
    db,
    sql`select ${SELECT} from ${FROM}
        join ${workOrdersTable} o on o.company_id = w.company_id and o.id = w.work_order_id
        where w.company_id = ${actor.company_id} and w.specialist_id = ${own} and (
          (w.state <> ${DONE} and o.status = any(${sql.param(OPEN_STATUSES)}))
          or (w.state = ${DONE} and (w.updated_at at time zone ${actor.time_zone})::date = (now() at time zone ${actor.time_zone})::date))
        order by array_position(${sql.param(WORK_STATES_BY_RANK)}::text[], w.state),
          array_position(array['high', 'medium', 'low'], w.priority), w.target_start_at nulls last, w.id`,
  )
  return found.map(timed)
}
