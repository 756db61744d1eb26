import { type SQL, sql } from 'drizzle-orm'
import { dayOf, localOf, showMoment } from '#contract/base/dates.ts'
import {
  becomes,
  DONE,
  mayWork,
  WORK_STATES,
  WORK_STATES_BY_RANK,
  type Work,
  type WorkAction,
  type WorkInput,
  type WorkProgress,
  type WorkTime,
  type WorkTimeEdit,
  workDuration,
  workStateOf,
} from '#contract/work-orders/lines.ts'
import { OPEN_STATUSES, WORKING_STATUS } from '#contract/work-orders/states.ts'
import { ofClosedMonth } from '#contract/workshops/months.ts'
import { fullName } from '#contract/workshops/rosters.ts'
import { batch, COMPANY, type Db, one, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid, notFound, Problem } from '../../platform/problems.ts'
import { isClosedOn, openMonths, requireOpenMonth } from '../../workshops/months.ts'
import { findInRoster } from '../../workshops/rosters.ts'
import { specialistsTable } from '../../workshops/tables.ts'
import { CODE, type HeldOrder, holdOpenOrder, note, ownSpecialist, touch } from '../access.ts'
import { freePlace, holdBoard } from '../board/places.ts'
import { changeStatus, holdCards } from '../orders/finalize.ts'
import { settle } from '../orders/lines.ts'
import { maintenanceTypesTable, tasksTable, workOrdersTable, worksTable, workTimesTable } from '../tables.ts'
import { endClocks, requireOpenLabour, retime, startClock } from './labour.ts'

export const SPECIALIST_NAME = sql`concat_ws(' ', s.names, s.last_name_p, s.last_name_m)`
const SELECT = sql`w.id, w.work_order_id, w.description, w.task_id, t.name as task, w.specialist_id,
  nullif(${SPECIALIST_NAME}, '') as specialist, w.reviewed_by_specialist_id, w.hours, w.start_time, w.end_time,
  w.target_start_at, w.target_end_at, w.priority, w.type_maintenance_id, m.name as type_maintenance, w.state`
const FROM = sql`${worksTable} w
  left join ${tasksTable} t on t.company_id = w.company_id and t.id = w.task_id
  left join ${specialistsTable} s on s.company_id = w.company_id and s.id = w.specialist_id
  left join ${maintenanceTypesTable} m on m.company_id = w.company_id and m.id = w.type_maintenance_id`

type Written = Omit<Work, 'duration' | 'clocked_minutes' | 'times'>

/** With how long it took, and what was clocked on it. */
function timed(works: Written[], times: Awaited<ReturnType<typeof timesOf>>): Work[] {
  const of = Map.groupBy(times, ({ work_id }) => work_id)
  return works.map((work) => {
    const own = (of.get(work.id) ?? []).map(({ work_id: _, ...time }) => time)
    const clocked_minutes = Number(own.reduce((sum, { minutes }) => sum + minutes, 0).toFixed(2))
    return { ...work, duration: workDuration(work), clocked_minutes, times: own }
  })
}

const timesOf = (db: Db, actor: Actor, of: SQL) =>
  rows<WorkTime & { work_id: number }>(
    db,
    sql`select x.id, x.work_id, x.specialist_id, ${SPECIALIST_NAME} as specialist, x.from_at, x.until_at, x.minutes
        from ${workTimesTable} x
        join ${specialistsTable} s on s.company_id = x.company_id and s.id = x.specialist_id
        where x.company_id = ${actor.company_id} and x.from_at is not null and ${of}
        order by x.from_at, x.id`,
  )

/** Works of an order the person may see, in the order they were written. */
export async function worksOf(db: Db, actor: Actor, work_order_id: number): Promise<Work[]> {
  const { found, times } = await batch({
    found: rows<Written>(
      db,
      sql`select ${SELECT} from ${FROM}
          where w.company_id = ${actor.company_id} and w.work_order_id = ${work_order_id} order by w.id`,
    ),
    times: timesOf(db, actor, sql`x.work_order_id = ${work_order_id}`),
  })
  return timed(found, times)
}

async function requireWork(db: Db, actor: Actor, id: number): Promise<Work> {
  const { work, times } = await batch({
    work: row<Written>(
      db,
      sql`select ${SELECT} from ${FROM} where w.company_id = ${actor.company_id} and w.id = ${id}`,
    ),
    times: timesOf(db, actor, sql`x.work_id = ${id}`),
  })
  if (!work) throw notFound()
  return one(timed([work], times))
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
  await settle(db, actor, order.id)
  await touch(db, actor, order)
  return work
}

async function requireOwn(db: Db, actor: Actor) {
  const own = await ownSpecialist(db, actor)
  if (own === null) throw new Problem(403, 'Su usuario no está asociado a un especialista. Pídalo al jefe de taller.')
  return own
}

async function requireSpecialist(db: Db, actor: Actor, order: HeldOrder, field: string, id: number) {
  const found = await findInRoster(db, actor, 'specialist', id)
  if (found?.workshop_id !== order.workshop_id) throw invalid({ [field]: 'Elija un especialista del taller.' })
}

/** Task, specialists and type of a work are ones the person can choose. */
async function requireChoices(db: Db, actor: Actor, order: HeldOrder, what: Omit<WorkInput, 'id'>) {
  for (const field of ['specialist_id', 'reviewed_by_specialist_id'] as const) {
    const id = what[field]
    if (id !== null) await requireSpecialist(db, actor, order, field, id)
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

const now = () => new Date().toISOString()
const withHours = (work: Work, at: string) =>
  Number(((work.hours ?? 0) + (work.start_time ? Math.max(0, hoursBetween(work.start_time, at)) : 0)).toFixed(4))
const hoursBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 3_600_000

/**
 * A work that was never paused keeps when it began and ended. A pause turns what was worked so far into hours and the
 * times go: from then on hours are what counts, and its timeline still says when it began, paused and ended.
 */
function stepped(work: Work, action: WorkAction): Pick<Work, 'start_time' | 'end_time' | 'hours'> {
  const at = now()
  const { begun } = WORK_STATES[work.state]
  if (action === 'start') return { start_time: at, end_time: null, hours: begun ? work.hours : null }
  if (action === 'pause') return { start_time: null, end_time: null, hours: withHours(work, at) }
  if (action === 'reopen') return { start_time: null, end_time: null, hours: work.duration ?? work.hours }
  const interrupted = (work.hours ?? 0) > 0 && begun
  if (work.start_time === null || interrupted)
    return { start_time: null, end_time: null, hours: work.start_time ? withHours(work, at) : work.hours }
  return { start_time: work.start_time, end_time: at, hours: work.hours }
}

async function step(
  db: Db,
  actor: Actor,
  order: { id: number },
  work: Work,
  action: WorkAction,
  who = work.specialist,
) {
  const set = stepped(work, action)
  await rows(
    db,
    sql`update ${worksTable} set start_time = ${set.start_time}, end_time = ${set.end_time}, hours = ${set.hours},
          state = ${becomes(action)}, updated_at = now()
        where company_id = ${actor.company_id} and id = ${work.id}`,
  )
  await note(db, actor, order, `work_${action}`, {}, { work: whatItIs(work), specialist: who })
}

const running = (work: Work, who: number | null) =>
  work.times.find((time) => time.until_at === null && time.specialist_id === who)
const clocks = (work: Work) => work.times.filter(({ until_at }) => until_at === null)

/** A work moves on, and with it the clocks of those who do it: one or several, and each in one place at a time. */
export async function progressWork(db: Db, actor: Actor, id: number, what: WorkProgress): Promise<Work> {
  const { action } = what
  // It may move the card: the board is held before the order, as by everyone who moves one.
  if (action === 'start') await holdBoard(db, actor)
  const mayWrite = actor.may.has('work-orders.write')
  const own = mayWrite && !what.join ? null : await requireOwn(db, actor)
  const seen = await requireWork(db, actor, id)
  const asked = own ?? what.specialist_id ?? null
  const who = asked ?? (action === 'start' ? (seen.specialist_id ?? (await ownSpecialist(db, actor))) : null)
  const others = action === 'start' && who !== null ? await elsewhere(db, actor, who, id) : []
  // The orders in the order of their numbers, as by everyone who holds several.
  const orders = others.map(({ work_order_id }) => work_order_id)
  if (others.length > 0) await holdInTurn(db, actor, [seen.work_order_id, ...orders])
  const { order, work } = await holdWork(db, actor, id)
  const isWithOthers = MAY_JOIN.includes(action) && (what.join || running(work, own) !== undefined)
  if (!mayWrite && work.specialist_id !== own && !isWithOthers)
    throw new Problem(403, 'Solo puede avanzar sus propios trabajos.')
  const alone = action === 'pause' && asked !== null
  // Twice the same tap: what was asked for is already so.
  const isClocked = who === null || running(work, who) !== undefined
  if (work.state === becomes(action) && (action !== 'start' || isClocked)) return work
  if (alone && !running(work, asked) && clocks(work).length > 0) return work
  const joins = action === 'start' && work.state === becomes(action)
  if (!joins && !mayWork(work, action)) throw new Problem(409, REFUSED[action])
  if (who !== null && action === 'start' && who !== work.specialist_id)
    await requireSpecialist(db, actor, order, 'specialist_id', who)
  if (others[0] && !what.confirm_switch) throw invalid({ confirm_switch: saySwitch(others[0], actor) })
  for (const other of others) await leave(db, actor, other)

  const left = alone && clocks(work).some(({ specialist_id }) => specialist_id !== asked)
  if (action === 'pause' || action === 'finish')
    await endClocks(db, actor, sql`t.work_id = ${id} ${alone ? sql`and t.specialist_id = ${asked}` : sql``}`)
  if (action === 'start' && who !== null && !running(work, who)) await startClock(db, actor, work, who)
  const name = who === null || who === work.specialist_id ? work.specialist : await nameOf(db, actor, who)
  if (joins || left) await note(db, actor, order, `work_${action}`, {}, { work: whatItIs(work), specialist: name })
  else await step(db, actor, order, work, action, name)
  if (action === 'start') await beginOrder(db, actor, order, id)
  await settle(db, actor, order.id)
  await touch(db, actor, order)
  return requireWork(db, actor, id)
}
/** What is done to the work of another with one's own clock. */
const MAY_JOIN: WorkAction[] = ['start', 'pause']

async function nameOf(db: Db, actor: Actor, specialist: number) {
  const found = await findInRoster(db, actor, 'specialist', specialist)
  return found ? fullName(found) : null
}

interface Elsewhere {
  work_id: number
  work_order_id: number
  workshop_id: number
  code: string
  specialist_id: number
  who: string
  work: string
  from_at: string
}

/** What else a specialist is working on: where their clock runs, and works of theirs that run without one. */
const elsewhere = (db: Db, actor: Actor, specialist: number, work: number) =>
  rows<Elsewhere>(
    db,
    sql`select w.id as work_id, w.work_order_id, o.workshop_id, ${CODE} as code, s.id as specialist_id, ${SPECIALIST_NAME} as who,
          coalesce(t.name, w.description, '') as work, coalesce(x.from_at, w.start_time, w.updated_at) as from_at
        from ${worksTable} w
        join ${workOrdersTable} o on o.company_id = w.company_id and o.id = w.work_order_id
        join ${specialistsTable} s on s.company_id = w.company_id and s.id = ${specialist}
        left join ${tasksTable} t on t.company_id = w.company_id and t.id = w.task_id
        left join ${workTimesTable} x on x.company_id = w.company_id and x.work_id = w.id and x.specialist_id = s.id
          and x.from_at is not null and x.until_at is null
        where w.company_id = ${actor.company_id} and w.id <> ${work} and (
          w.id in (select c.work_id from ${workTimesTable} c where c.company_id = ${actor.company_id}
            and c.specialist_id = ${specialist} and c.from_at is not null and c.until_at is null)
          or w.specialist_id = ${specialist} and w.state = ${becomes('start')} and o.status = any(${sql.param(OPEN_STATUSES)})
            and not exists (select from ${workTimesTable} c where c.company_id = ${COMPANY} and c.work_id = w.id
              and c.from_at is not null and c.until_at is null))
        order by from_at desc`,
  )

const saySwitch = ({ who, work, code, from_at }: Elsewhere, { time_zone }: Actor) =>
  `${who} está trabajando en «${work}» de ${code} desde las ${localOf(from_at, time_zone).slice(11, 16)}. Confirme para dejarlo en pausa.`

const holdInTurn = (db: Db, actor: Actor, orders: number[]) =>
  rows(
    db,
    sql`select id from ${workOrdersTable} where company_id = ${actor.company_id} and id = any(${sql.param(orders)}::bigint[])
        order by id for update`,
  )

/** The clock of a specialist ends; a work that nobody is at any more pauses. */
async function leave(db: Db, actor: Actor, other: Elsewhere) {
  const order = { id: other.work_order_id, workshop_id: other.workshop_id }
  const work = await requireWork(db, actor, other.work_id)
  await endClocks(db, actor, sql`t.work_id = ${work.id} and t.specialist_id = ${other.specialist_id}`)
  if (clocks(work).length > 1)
    await note(db, actor, order, 'work_pause', {}, { work: whatItIs(work), specialist: other.who })
  else if (mayWork(work, 'pause')) await step(db, actor, order, work, 'pause', other.who)
  await settle(db, actor, order.id)
  await touch(db, actor, order)
}

/* Times that were clocked, corrected by a chief: a clock that nobody stopped. */

async function holdTime(db: Db, actor: Actor, id: number) {
  const found = await row<{ work_id: number }>(
    db,
    sql`select work_id from ${workTimesTable} where company_id = ${actor.company_id} and id = ${id} and from_at is not null`,
  )
  if (!found) throw notFound()
  const { order, work } = await holdWork(db, actor, found.work_id)
  const time = work.times.find((each) => each.id === id)
  if (!time) throw notFound()
  const day = await row<{ day: string }>(
    db,
    sql`select day from ${workTimesTable} where company_id = ${actor.company_id} and id = ${id}`,
  )
  if (isClosedOn(await openMonths(db, actor), day!.day)) throw new Problem(409, ofClosedMonth(day!.day))
  return { order, work, time }
}

/**
 * A mechanic is at one work at a time. Screens show minutes, so that two times may share less than one: who corrects
 * one cannot see the seconds of the other.
 */
async function requireFree(db: Db, actor: Actor, time: WorkTime, what: WorkTimeEdit) {
  const key = `${actor.company_id} ${time.specialist_id}`
  // Two corrections of one mechanic's times wait for each other.
  await rows(db, sql`select pg_advisory_xact_lock(hashtextextended('times ' || ${key}::text, 0))`)
  const until = sql`coalesce(x.until_at, now())`
  const [other] = await rows<{ code: string; work: string; from_at: string; until_at: string | null }>(
    db,
    sql`select ${CODE} as code, coalesce(t.name, w.description, '') as work, x.from_at, x.until_at
        from ${workTimesTable} x
        join ${worksTable} w on w.company_id = x.company_id and w.id = x.work_id
        join ${workOrdersTable} o on o.company_id = x.company_id and o.id = x.work_order_id
        left join ${tasksTable} t on t.company_id = w.company_id and t.id = w.task_id
        where x.company_id = ${actor.company_id} and x.specialist_id = ${time.specialist_id} and x.id <> ${time.id}
          and x.from_at is not null
          and least(${until}, ${what.until_at}::timestamptz) - greatest(x.from_at, ${what.from_at}::timestamptz)
            >= interval '1 minute'
        order by x.from_at limit 1`,
  )
  if (!other) return
  const field = Date.parse(other.from_at) <= Date.parse(what.from_at) ? 'from_at' : 'until_at'
  const busy = other.until_at ? spanOf(other, actor) : `desde ${spanOf(other, actor)}`
  throw invalid({
    [field]: `${time.specialist} trabajó en «${other.work}» de ${other.code} (${busy}). Los tiempos no se pueden cruzar.`,
  })
}

const spanOf = ({ from_at, until_at }: { from_at: string; until_at: string | null }, { time_zone }: Actor) =>
  [from_at, until_at].flatMap((at) => (at ? [showMoment(at, time_zone)] : [])).join(' a ')

export async function updateWorkTime(db: Db, actor: Actor, id: number, what: WorkTimeEdit): Promise<Work> {
  const { order, work, time } = await holdTime(db, actor, id)
  if (Date.parse(what.until_at) > Date.now()) throw invalid({ until_at: 'No puede ser después de ahora.' })
  await requireOpenMonth(db, actor, dayOf(what.from_at, actor.time_zone), 'from_at')
  await requireFree(db, actor, time, what)
  await retime(db, actor, id, what)
  if (time.until_at === null && clocks(work).length === 1 && mayWork(work, 'pause'))
    await step(db, actor, order, work, 'pause', time.specialist)
  await settle(db, actor, order.id)
  const words = { work: whatItIs(work), specialist: time.specialist }
  await note(
    db,
    actor,
    order,
    'work_time',
    { ...words, time: spanOf(time, actor) },
    { ...words, time: spanOf(what, actor) },
  )
  await touch(db, actor, order)
  return requireWork(db, actor, work.id)
}

export async function deleteWorkTime(db: Db, actor: Actor, id: number) {
  const { order, work, time } = await holdTime(db, actor, id)
  await rows(db, sql`delete from ${workTimesTable} where company_id = ${actor.company_id} and id = ${id}`)
  if (time.until_at === null && clocks(work).length === 1 && mayWork(work, 'pause'))
    await step(db, actor, order, work, 'pause', time.specialist)
  await settle(db, actor, order.id)
  const words = { work: whatItIs(work), specialist: time.specialist }
  await note(db, actor, order, 'work_time', { ...words, time: spanOf(time, actor) }, { ...words, time: null })
  await touch(db, actor, order)
  return undefined
}

/** With the first work that begins, the order is being worked on, and its card says so. */
async function beginOrder(db: Db, actor: Actor, order: HeldOrder, work: number) {
  if (order.status === WORKING_STATUS) return
  const others = await worksOf(db, actor, order.id)
  if (others.some(({ id, state }) => id !== work && WORK_STATES[state].begun)) return
  const [card] = await holdCards(db, actor, [order.id])
  if (!card) return
  const status = WORKING_STATUS
  const position = await freePlace(db, actor, { id: card.id, status, position: undefined }, new Set())
  await changeStatus(db, actor, card, { status, position })
}

export async function deleteWork(db: Db, actor: Actor, id: number) {
  const { order, work } = await holdWork(db, actor, id)
  await requireOpenLabour(db, actor, [id])
  await rows(db, sql`delete from ${worksTable} where company_id = ${actor.company_id} and id = ${id}`)
  await settle(db, actor, order.id)
  await note(db, actor, order, 'work_removed', { work: whatItIs(work), specialist: work.specialist }, {})
  await touch(db, actor, order)
  return undefined
}

/** Works of the person that are to be done, or were done today. */
export async function worksOfPerson(db: Db, actor: Actor): Promise<Work[]> {
  const own = await ownSpecialist(db, actor)
  if (own === null) return []
  const found = await rows<Written>(
    db,
    sql`select ${SELECT} from ${FROM}
        join ${workOrdersTable} o on o.company_id = w.company_id and o.id = w.work_order_id
        where w.company_id = ${actor.company_id} and (w.specialist_id = ${own} or w.id in (
          select t.work_id from ${workTimesTable} t where t.company_id = ${actor.company_id} and t.specialist_id = ${own}
            and t.from_at is not null)) and (
          (w.state <> ${DONE} and o.status = any(${sql.param(OPEN_STATUSES)}))
          or (w.state = ${DONE} and (w.updated_at at time zone ${actor.time_zone})::date = (now() at time zone ${actor.time_zone})::date))
        order by array_position(${sql.param(WORK_STATES_BY_RANK)}::text[], w.state),
          array_position(array['high', 'medium', 'low'], w.priority), w.target_start_at nulls last, w.id`,
  )
  const times = await timesOf(db, actor, sql`x.work_id = any(${sql.param(found.map(({ id }) => id))}::bigint[])`)
  return timed(found, times)
}
