import { type SQL, sql } from 'drizzle-orm'
import { EXECUTED } from '#contract/alerts/alerts.ts'
import type { AlertCategory, Missing, NewObligations } from '#contract/alerts/categories.ts'
import { dayOf } from '#contract/base/dates.ts'
import { coupledTable, trucksTable } from '../fleet/tables.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { COMPANY, type Db, row, rows } from '../platform/database/db.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid } from '../platform/problems.ts'
import { inScope, inScopeOrShared } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import { addAlerts, requireUnits } from './alerts.ts'
import { requireCategories } from './categories.ts'
import { alertCategoriesTable, alertsCategoriesTable, alertsTable } from './tables.ts'

interface Asked {
  filter: {
    Search?: string | undefined
    Trucks?: number[] | undefined
    Coupled?: number[] | undefined
    Categories?: number[] | undefined
    WorkshopId?: number[] | undefined
  }
}

/** Every active truck and every unit, as one list; each has a number of its own, below zero those of units. */
const VEHICLES = sql`(
  select t.company_id, t.id, t.id as truck_id, null::bigint as coupled_id, t.workshop_id, t.code, t.patent, t.search, 'truck' as kind
  from ${trucksTable} t where t.company_id = ${COMPANY} and t.state = 'active'
  union all
  select c.company_id, -c.id, null, c.id, c.workshop_id, null, c.patent, lower(c.patent), 'coupled'
  from ${coupledTable} c where c.company_id = ${COMPANY})`

/** What applies to a vehicle and has no open alert: what would run out without anybody being told. */
export async function listMissing(db: Db, actor: Actor, { filter }: Asked) {
  const today = dayOf(new Date(), actor.time_zone)
  const ofVehicle = (its: SQL) =>
    filter.Trucks?.length || filter.Coupled?.length
      ? sql`(${its}.truck_id = any(${sql.param(filter.Trucks ?? [])}) or ${its}.coupled_id = any(${sql.param(filter.Coupled ?? [])}))`
      : undefined
  const found = await rows<Missing & { due_day: string | null }>(
    db,
    // Gathered first, of what applies to anything: an `or` would be asked of every vehicle with every alert.
    sql`with told as materialized (
          select l.category_id, coalesce(a.truck_id, -a.coupled_id) as vehicle from ${alertsTable} a
          join ${alertsCategoriesTable} l on l.company_id = a.company_id and l.alert_id = a.id
          join ${alertCategoriesTable} y on y.company_id = l.company_id and y.id = l.category_id and y.applies_to is not null
          where ${all([
            sql`a.company_id = ${actor.company_id} and a.status <> ${EXECUTED}`,
            oneOf(sql`l.category_id`, filter.Categories),
            ofVehicle(sql`a`),
          ])})
        select y.id as category_id, y.name as category_name, v.truck_id, v.coupled_id, v.code, v.patent, v.workshop_id,
          w.name as workshop_name, y.due_day
        from ${VEHICLES} v
        join ${workshopsTable} w on w.company_id = v.company_id and w.id = v.workshop_id
        join ${alertCategoriesTable} y on y.company_id = v.company_id and y.applies_to in ('both', v.kind)
          and (y.workshop_id is null or y.workshop_id = v.workshop_id)
        where ${all([
          inScope(actor, sql`v`, filter.WorkshopId),
          inScopeOrShared(actor, sql`y`),
          oneOf(sql`y.id`, filter.Categories),
          ofVehicle(sql`v`),
          matches(sql`v.search`, filter.Search),
        ])} and not exists (select from told a where a.category_id = y.id and a.vehicle = v.id)
        order by y.name, y.id, v.kind desc, v.code, v.patent limit 5000`,
  )
  const data = found.map(({ due_day, ...missing }) => ({ ...missing, date: due_day && nextDay(due_day, today) }))
  return { data, total: data.length }
}

/** The next time a day of the year comes round, today included. */
export const nextDay = (due_day: string, today: string) => {
  const thisYear = `${today.slice(0, 4)}-${due_day}`
  return thisYear >= today ? thisYear : `${Number(today.slice(0, 4)) + 1}-${due_day}`
}

/** Alerts of one obligation, each with its date, its reminder and its repetition from the category. */
export async function createObligations(db: Db, actor: Actor, what: NewObligations) {
  const category = await row<AlertCategory>(
    db,
    sql`select y.id, y.name, y.every_months, y.due_day, y.days, y.applies_to from ${alertCategoriesTable} y
        where ${inScopeOrShared(actor, sql`y`)} and y.id = ${what.category_id} and y.applies_to is not null`,
  )
  if (!category) throw invalid({ category_id: 'Elija una categoría de la lista.' })
  const dates = new Map<string, string>()
  for (const { truck_id, coupled_id, date } of what.units) {
    if ((truck_id === null) === (coupled_id === null)) throw invalid({ units: 'Elija equipos de la lista.' })
    dates.set(`${truck_id} ${coupled_id}`, date)
  }
  const units = await requireUnits(
    db,
    actor,
    [...new Set(what.units.flatMap(({ truck_id }) => truck_id ?? []))],
    [...new Set(what.units.flatMap(({ coupled_id }) => coupled_id ?? []))],
  )
  await requireCategories(db, actor, [category.id], units)
  return addAlerts(
    db,
    actor,
    units.map((unit) => ({
      ...unit,
      name: category.name,
      description: null,
      date: dates.get(`${unit.truck_id} ${unit.coupled_id}`)!,
      kilometers: null,
      days: category.days,
      kilometers_advance: null,
      emails: what.emails_to_notifications.selected,
      repeat_every: category.every_months,
      repeat_unit: 'months' as const,
      repeat_kilometers: null,
      // What falls due on a fixed day keeps it; a certificate counts from the day it was obtained.
      repeat_from: category.due_day === null ? ('done' as const) : ('planned' as const),
      categories: [category.id],
    })),
  )
}
