import { and, eq, type SQL, sql } from 'drizzle-orm'
import {
  ALERT_STATES,
  type Alert,
  type AlertEdit,
  type AlertList,
  type AlertStatus,
  EXECUTED,
  isExecuted,
  type NewAlerts,
  UNREAD_DAYS,
} from '#contract/alerts/alerts.ts'
import { sayDue } from '#contract/alerts/words.ts'
import { dayOf } from '#contract/base/dates.ts'
import type { Found } from '#contract/base/finder.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { coupledTable, trucksTable } from '../fleet/tables.ts'
import { membershipsTable, usersTable } from '../identity/tables.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { COMPANY, type Db, rows } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { everyWord, hasPart } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record, recordMany } from '../platform/operations/audit.ts'
import { announce } from '../platform/operations/happenings.ts'
import { invalid, notFound, Problem, requireFresh } from '../platform/problems.ts'
import { CODE } from '../work-orders/access.ts'
import { workOrdersTable } from '../work-orders/tables.ts'
import { inFleet, inScope } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import { requireCategories } from './categories.ts'
import { evaluate, lockEvaluation } from './evaluation.ts'
import { alertCategoriesTable, alertEventsTable, alertsCategoriesTable, alertsTable } from './tables.ts'

// Its words are part of the statement, as they are of an index.
const UNREAD = sql.raw(
  `(a.kilometers is not null and a.status <> '${EXECUTED}' and a.read_at < now() - interval '${UNREAD_DAYS} days')`,
)
const IS_UNREAD = sql`coalesce(${UNREAD}, false)`
const ATTENTION = { overdue: sql`a.overdue`, unread: UNREAD }
const SELECT = sql`a.id, a.name, a.description, a.status, a.overdue, g.ids as category_maintenance_alert_id, g.categories,
  a.truck_id, a.coupled_id, to_json(array_remove(array[a.truck_id], null)) as "selectedTrucks",
  to_json(array_remove(array[a.coupled_id], null)) as "selectedCoupled", t.code, n.patent, n.workshop_id, w.name as workshop_name,
  json_build_object('dateSelected', a.date is not null, 'date', a.date, 'kilometersSelected', a.kilometers is not null,
    'kilometers', a.kilometers) as "expirationSettings",
  json_build_object('daysSelected', a.days is not null, 'days', a.days, 'kilometersSelected', a.kilometers_advance is not null,
    'kilometers_advance', a.kilometers_advance) as "alertSettings",
  json_build_object('dateSelected', a.repeat_every is not null, 'every', a.repeat_every, 'unit', a.repeat_unit,
    'kilometersSelected', a.repeat_kilometers is not null, 'kilometers', a.repeat_kilometers, 'from', a.repeat_from)
    as "repeatSettings",
  json_build_object('selected', a.emails, 'suggestions', '[]'::json) as emails_to_notifications,
  a.kilometers_now, a.kilometers_per_day, a.read_at, ${IS_UNREAD} as unread, a.due_on, a.estimated, a.executed_on,
  a.executed_by, a.executed_kilometers, a.previous_id, o.id as work_order_id,
  ${CODE} as work_order_code, a.created_at, a.updated_at`
const OF = sql`left join ${trucksTable} t on t.company_id = a.company_id and t.id = a.truck_id
  left join ${coupledTable} c on c.company_id = a.company_id and c.id = a.coupled_id`
/** `n` is the truck or the unit: where it is, and what it is called. Left joins: what nobody asks of a row is not looked up. */
const UNITS = sql`${OF}
  cross join lateral (select a.company_id, coalesce(t.workshop_id, c.workshop_id) as workshop_id,
    coalesce(t.patent, c.patent) as patent) n
  left join ${workshopsTable} w on w.company_id = n.company_id and w.id = n.workshop_id`
const LISTED = sql`${alertsTable} a ${UNITS}`
const CATEGORIES = sql`cross join lateral (
  select coalesce(json_agg(y.id order by y.name, y.id), '[]') as ids,
    coalesce(json_agg(json_build_object('id', y.id, 'name', y.name) order by y.name, y.id), '[]') as categories
  from ${alertsCategoriesTable} l join ${alertCategoriesTable} y on y.company_id = l.company_id and y.id = l.category_id
  where l.company_id = ${COMPANY} and l.alert_id = a.id) g`
/** An order that was deleted is none: nothing points at it but a number. */
const FROM = sql`${LISTED} ${CATEGORIES}
  left join ${workOrdersTable} o on o.company_id = a.company_id and o.id = a.work_order_id`
const BY_STATUS = ['current', 'created', 'executed']
const SORTS: Record<string, SQL> = {
  name: sql`a.name`,
  code: sql`t.code`,
  patent: sql`n.patent`,
  workshop_name: sql`w.name`,
  status: sql`array_position(array[${sql.raw(BY_STATUS.map((status) => `'${status}'`).join())}], a.status)`,
  due_on: sql`a.due_on`,
  updated_at: sql`a.updated_at`,
}
/** In the alert, its truck, or the plate of its unit; the indexes of words (decision 0004) find what has three letters. */
const searched = ({ company_id }: Actor, search: string | undefined) =>
  everyWord(search, (has) =>
    hasPart(search)
      ? [
          sql`a.id in (
            select f.id from searched_alerts f where f.company_id = ${company_id} and ${has(sql`f.search`)}
            union all select o.id from ${alertsTable} o join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
              where o.company_id = ${company_id} and ${has(sql`k.search`)}
            union all select o.id from ${alertsTable} o join ${coupledTable} u on u.company_id = o.company_id and u.id = o.coupled_id
              where o.company_id = ${company_id} and ${has(sql`lower(u.patent)`)})`,
        ]
      : [
          has(sql`a.search`),
          sql`a.truck_id in (select k.id from ${trucksTable} k where k.company_id = ${company_id} and ${has(sql`k.search`)})`,
          sql`a.coupled_id in (select u.id from ${coupledTable} u where u.company_id = ${company_id} and ${has(sql`lower(u.patent)`)})`,
        ],
  )

/** The plan of a truck or unit that is asked for is read wherever it is of. */
const scopeOf = ({ Trucks, Coupled }: AlertList['filter']) => (Trucks?.length || Coupled?.length ? inFleet : inScope)

const asked = (actor: Actor, filter: AlertList['filter']) =>
  all([
    sql`a.company_id = ${actor.company_id}`,
    oneOf(sql`a.truck_id`, filter.Trucks),
    oneOf(sql`a.coupled_id`, filter.Coupled),
    filter.Categories?.length
      ? // Looked up once, and not for each alert: as a condition that is no join.
        sql`(a.id in (select l.alert_id from ${alertsCategoriesTable} l
          where l.company_id = ${COMPANY} and ${oneOf(sql`l.category_id`, filter.Categories)!})) is true`
      : undefined,
    oneOf(sql`a.status`, filter.Status),
    filter.Attention?.length
      ? sql`(${sql.join(
          filter.Attention.map((attention) => ATTENTION[attention]),
          sql` or `,
        )})`
      : undefined,
    searched(actor, filter.Search),
  ])

export function listAlerts(db: Db, actor: Actor, query: AlertList) {
  const isOfAll = actor.workshop_id === null && !query.filter.WorkshopId?.length
  const scoped = (vehicles: SQL) =>
    sql`(select n.id from ${vehicles} n where ${scopeOf(query.filter)(actor, sql`n`, query.filter.WorkshopId)})`
  const mayBeSeen = isOfAll
    ? undefined
    : sql`(a.truck_id in ${scoped(sql`${trucksTable}`)} or a.coupled_id in ${scoped(sql`${coupledTable}`)})`
  return listPage<Alert>(db, query, {
    select: SELECT,
    from: FROM,
    pageFrom: LISTED,
    where: all([asked(actor, query.filter), mayBeSeen]),
    sorts: SORTS,
    order: sql`a.rank, a.id`,
    id: sql`a.id`,
    owner: sql`a.company_id = ${actor.company_id}`,
  })
}

const OPEN = (Object.keys(ALERT_STATES) as AlertStatus[]).filter((status) => !isExecuted({ status }))
export async function findAlerts(db: Db, actor: Actor, text: string, limit: number): Promise<Found[]> {
  const filter = { Search: text, Status: OPEN }
  const { data: found } = await listAlerts(db, actor, { page: 1, per_page: limit, count: 'bounded', filter })
  const today = dayOf(new Date(), actor.time_zone)
  return found.map((alert) => ({
    kind: 'alert',
    id: alert.id,
    title: alert.name,
    detail: [alert.code, showPatent(alert.patent), sayDue(alert, today)].filter(Boolean).join(' · '),
    path: `/maintenance-alerts?alert=${alert.id}`,
  }))
}

export async function requireAlert(db: Db, actor: Actor, id: number, scope = inScope): Promise<Alert> {
  const [alert] = await alertsOf(db, actor, [id], scope)
  if (!alert) throw notFound()
  return alert
}

export const alertsOf = (db: Db, actor: Actor, ids: number[], scope = inScope) =>
  rows<Alert>(
    db,
    sql`select ${SELECT} from ${FROM} where a.company_id = ${actor.company_id} and ${scope(actor, sql`n`)}
        and a.id = any(${sql.param(ids)}) order by a.id`,
  )

export interface Unit {
  truck_id: number | null
  coupled_id: number | null
  workshop_id: number
}

/** Trucks and units the person may plan for, held until the end: 422 where one is not to be seen. */
export async function requireUnits(db: Db, actor: Actor, trucks: number[], units: number[]): Promise<Unit[]> {
  const found = [
    ...(await rows<Unit & { code?: string; state?: string }>(
      db,
      sql`select t.id as truck_id, null::bigint as coupled_id, t.workshop_id, t.code, t.state from ${trucksTable} t
          where ${inScope(actor, sql`t`)} and t.id = any(${sql.param(trucks)}) order by t.id for key share`,
    )),
    ...(await rows<Unit & { code?: string; state?: string }>(
      db,
      sql`select null::bigint as truck_id, c.id as coupled_id, c.workshop_id from ${coupledTable} c
          where ${inScope(actor, sql`c`)} and c.id = any(${sql.param(units)}) order by c.id for key share`,
    )),
  ]
  if (found.length !== trucks.length + units.length) throw invalid({ selectedTrucks: 'Elija equipos de la lista.' })
  const retired = found.find(({ state }) => state === 'inactive')
  if (retired)
    throw invalid({ selectedTrucks: `El equipo ${retired.code} está inactivo: no se le pueden crear alertas.` })
  return found.map(({ truck_id, coupled_id, workshop_id }) => ({ truck_id, coupled_id, workshop_id }))
}

/** What is off is nothing: the columns hold what counts. */
const columnsOf = (what: AlertEdit | NewAlerts) => {
  const { expirationSettings: plan, alertSettings: reminder, repeatSettings: repeat } = what
  return {
    name: what.name,
    description: what.description,
    date: plan.dateSelected ? plan.date : null,
    kilometers: plan.kilometersSelected ? plan.kilometers : null,
    days: reminder.daysSelected ? reminder.days : null,
    kilometers_advance: reminder.kilometersSelected ? reminder.kilometers_advance : null,
    emails: what.emails_to_notifications.selected,
    repeat_every: repeat.dateSelected ? repeat.every : null,
    repeat_unit: repeat.unit,
    repeat_kilometers: repeat.kilometersSelected ? repeat.kilometers : null,
    repeat_from: repeat.from,
  }
}
export type AlertColumns = ReturnType<typeof columnsOf> & {
  previous_id?: number
  work_order_id?: number
  repeat_day?: number | null
}

/** One alert for each chosen truck and unit. */
export async function createAlerts(db: Db, actor: Actor, what: NewAlerts) {
  const units = await requireUnits(db, actor, what.selectedTrucks, what.selectedCoupled)
  await requireCategories(db, actor, what.category_maintenance_alert_id, units)
  const columns = columnsOf(what)
  return addAlerts(
    db,
    actor,
    units.map((unit) => ({ ...unit, ...columns, categories: what.category_maintenance_alert_id })),
  )
}

/** Writes alerts that are known to be right, works them out and gives them back. */
export async function addAlerts(
  db: Db,
  actor: Actor,
  made: (Unit & AlertColumns & { categories: number[] })[],
  now = new Date(),
) {
  const { company_id } = actor
  await lockEvaluation(db, actor)
  const inserted = await db
    .insert(alertsTable)
    .values(made.map(({ workshop_id: _, categories: __, ...columns }) => ({ company_id, ...columns })))
    .returning({ id: alertsTable.id })
  const ids = inserted.map(({ id }) => id)
  await linkCategories(
    db,
    actor,
    ids.flatMap((alert_id, i) => made[i]!.categories.map((category_id) => ({ alert_id, category_id }))),
  )
  await evaluate(db, actor, now, { alerts: ids })
  const data = await alertsOf(db, actor, ids)
  await recordMany(
    db,
    actor,
    'alert',
    'created',
    sql`select x.id as entity_id, '{}'::jsonb as before, x.after from jsonb_to_recordset(${JSON.stringify(
      data.map((alert) => ({ id: alert.id, after: written(alert) })),
    )}::jsonb) x (id bigint, after jsonb)`,
  )
  for (const workshop_id of new Set(data.map((alert) => alert.workshop_id)))
    announce(db, actor, { topic: 'alerts', workshop_id, ids })
  return { data, total: data.length }
}

const linkCategories = async (db: Db, actor: Actor, links: { alert_id: number; category_id: number }[]) => {
  if (links.length > 0)
    await db.insert(alertsCategoriesTable).values(links.map((link) => ({ company_id: actor.company_id, ...link })))
}

/** What people wrote, as the activity shows it; what the evaluation finds is not theirs. */
export const written = (alert: Alert) => ({
  name: alert.name,
  description: alert.description,
  categories: alert.categories.map(({ name }) => name).join(', '),
  date: alert.expirationSettings.date,
  kilometers: alert.expirationSettings.kilometers,
  days: alert.alertSettings.days,
  kilometers_advance: alert.alertSettings.kilometers_advance,
  emails: alert.emails_to_notifications.selected.join(', '),
  repeat_every: alert.repeatSettings.every,
  repeat_unit: alert.repeatSettings.every === null ? null : alert.repeatSettings.unit,
  repeat_kilometers: alert.repeatSettings.kilometers,
  repeat_from:
    alert.repeatSettings.every === null && alert.repeatSettings.kilometers === null ? null : alert.repeatSettings.from,
})

/** In the order everyone takes them: trucks and units, then the evaluation, then the alerts themselves. */
export async function lockAlerts(db: Db, actor: Actor, ids: number[]): Promise<Alert[]> {
  const before = await alertsOf(db, actor, ids)
  const trucks = before.flatMap(({ truck_id }) => truck_id ?? [])
  const units = before.flatMap(({ coupled_id }) => coupled_id ?? [])
  await rows(
    db,
    sql`select id from ${trucksTable} where company_id = ${actor.company_id} and id = any(${sql.param(trucks)}) order by id for key share`,
  )
  await rows(
    db,
    sql`select id from ${coupledTable} where company_id = ${actor.company_id} and id = any(${sql.param(units)}) order by id for key share`,
  )
  await lockEvaluation(db, actor)
  await rows(
    db,
    sql`select id from ${alertsTable} where company_id = ${actor.company_id} and id = any(${sql.param(ids)}) order by id for update`,
  )
  const locked = await alertsOf(db, actor, ids)
  if (locked.length !== ids.length) throw notFound()
  return locked
}

export async function updateAlert(db: Db, actor: Actor, id: number, what: AlertEdit): Promise<Alert> {
  const [before] = await lockAlerts(db, actor, [id])
  if (!before) throw notFound()
  requireFresh(before, what.updated_at)
  if (isExecuted(before)) throw new Problem(409, 'La alerta ya fue ejecutada y no se puede cambiar. Cree una nueva.')
  await requireCategories(db, actor, what.category_maintenance_alert_id, [before])
  const { company_id } = actor
  const columns = columnsOf(what)
  const isMoved =
    columns.date !== before.expirationSettings.date || columns.kilometers !== before.expirationSettings.kilometers
  await db
    .update(alertsTable)
    .set({
      ...columns,
      ...(isMoved && { round: sql`${alertsTable.round} + 1`, repeat_day: null }),
      updated_at: new Date().toISOString(),
    })
    .where(and(eq(alertsTable.company_id, company_id), eq(alertsTable.id, id)))
  await rows(db, sql`delete from ${alertsCategoriesTable} where company_id = ${company_id} and alert_id = ${id}`)
  await linkCategories(
    db,
    actor,
    what.category_maintenance_alert_id.map((category_id) => ({ alert_id: id, category_id })),
  )
  await evaluate(db, actor, new Date(), { alerts: [id] })
  const after = await requireAlert(db, actor, id)
  await record(db, actor, 'alert', id, 'updated', written(before), written(after))
  announce(db, actor, { topic: 'alerts', workshop_id: after.workshop_id, ids: [id] })
  return after
}

/** All of them or none. */
export async function deleteAlerts(db: Db, actor: Actor, ids: number[]) {
  const gone = await lockAlerts(db, actor, ids)
  const these = (column: SQL) => sql`company_id = ${actor.company_id} and ${column} = any(${sql.param(ids)})`
  await rows(db, sql`delete from ${alertEventsTable} where ${these(sql`alert_id`)}`)
  await rows(db, sql`delete from ${alertsCategoriesTable} where ${these(sql`alert_id`)}`)
  await rows(db, sql`delete from ${alertsTable} where ${these(sql`id`)}`)
  for (const alert of gone) await record(db, actor, 'alert', alert.id, 'deleted', written(alert), {})
  for (const workshop_id of new Set(gone.map((alert) => alert.workshop_id)))
    announce(db, actor, { topic: 'alerts', workshop_id, ids })
  return { deleted: gone.length }
}

/** People of the workshop first, then whoever else its alerts are sent to. */
export async function listEmails(db: Db, actor: Actor) {
  // Many alerts are sent to the same few: from each set of addresses an index leads to the next.
  const next = (after: SQL) => sql`select a.hash, a.emails from alert_emails a where a.company_id = ${COMPANY} ${after}
    order by a.hash limit 1`
  const theirs = sql`select distinct a.emails from ${alertsTable} a ${UNITS}
    where a.company_id = ${actor.company_id} and ${inScope(actor, sql`n`)}`
  const data = await rows<{ email: string; name: string | null }>(
    db,
    sql`with recursive sets as (
          (${next(sql``)}) union all
          select n.hash, n.emails from sets s cross join lateral (${next(sql`and a.hash > s.hash`)}) n)
        select e.email, max(e.name) as name from (
          select lower(u.email) as email, coalesce(m.invited_name, u.name) as name from ${membershipsTable} m
          join ${usersTable} u on u.id = m.user_id
          where m.company_id = ${actor.company_id} and m.state = 'active'
            and (${actor.workshop_id}::bigint is null or m.workshop_id is null or m.workshop_id = ${actor.workshop_id}::bigint)
          union all
          select e.email, null from (${actor.workshop_id === null ? sql`select s.emails from sets s` : theirs}) a
          cross join lateral unnest(a.emails) e (email)
        ) e group by e.email order by max(e.name) nulls last, e.email limit 500`,
  )
  return { data, total: data.length }
}
