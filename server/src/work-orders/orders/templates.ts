import { and, eq, sql } from 'drizzle-orm'
import type { MaintenanceTemplate, NewTemplate, TemplateEdit, TemplateRow } from '#contract/work-orders/templates.ts'
import type { RosterState } from '#contract/workshops/rosters.ts'
import { all, oneOf } from '../../platform/database/conditions.ts'
import { batch, COMPANY, type Db, one, row, rows } from '../../platform/database/db.ts'
import { listPage } from '../../platform/database/lists.ts'
import { matches } from '../../platform/database/words.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { record } from '../../platform/operations/audit.ts'
import { announce } from '../../platform/operations/happenings.ts'
import { invalid, notFound, requireFresh } from '../../platform/problems.ts'
import { measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import {
  maintenanceTemplatesTable,
  maintenanceTypesTable,
  tasksTable,
  templateSuppliesTable,
  templateWorksTable,
} from '../tables.ts'

/*
 * Maintenance that comes again and again. A template is of the company: its supplies are named by their codes, and each
 * workshop finds its own by them. What an order took from one is the order's; nothing of it follows the template.
 */

const lines = (table: typeof templateWorksTable | typeof templateSuppliesTable) =>
  sql`(select count(*) from ${table} l where l.company_id = ${COMPANY} and l.template_id = t.id)`
const FIELDS = sql`t.id, t.name, t.type_maintenance_id, m.name as type_maintenance, t.state,
  ${lines(templateWorksTable)} as works_total, ${lines(templateSuppliesTable)} as supplies_total, t.updated_at`
const FROM = sql`${maintenanceTemplatesTable} t
  left join ${maintenanceTypesTable} m on m.company_id = t.company_id and m.id = t.type_maintenance_id`

interface Asked {
  page: number
  per_page: number
  sort?: string | undefined
  filter: { Search?: string | undefined; State?: RosterState[] | undefined }
}

export const listTemplates = (db: Db, actor: Actor, query: Asked) =>
  listPage<TemplateRow>(db, query, {
    select: FIELDS,
    from: FROM,
    where: all([
      sql`t.company_id = ${actor.company_id}`,
      matches(sql`t.search`, query.filter.Search),
      oneOf(sql`t.state`, query.filter.State),
    ]),
    sorts: {
      name: sql`t.name`,
      type_maintenance: sql`m.name`,
      works_total: sql`works_total`,
      supplies_total: sql`supplies_total`,
      state: sql`t.state`,
    },
    order: sql`t.name, t.id`,
    id: sql`t.id`,
  })

interface Where {
  /** Whose supplies; those of any where none is named. */
  workshop_id?: number | undefined
  lock?: boolean
}

export async function requireTemplate(
  db: Db,
  actor: Actor,
  id: number,
  { workshop_id, lock = false }: Where = {},
): Promise<MaintenanceTemplate> {
  const template = await row<TemplateRow>(
    db,
    sql`select ${FIELDS} from ${FROM} where t.company_id = ${actor.company_id} and t.id = ${id}
        ${lock ? sql`for update of t` : sql``}`,
  )
  if (!template) throw notFound()
  const place = actor.workshop_id ?? workshop_id
  const ofPlace = place === undefined ? sql`true` : sql`s.workshop_id = ${place}`
  const { works, supplies } = await batch({
    works: rows<MaintenanceTemplate['works'][number]>(
      db,
      sql`select w.description, w.task_id, k.name as task, w.hours from ${templateWorksTable} w
          left join ${tasksTable} k on k.company_id = w.company_id and k.id = w.task_id
          where w.company_id = ${actor.company_id} and w.template_id = ${id} order by w.id`,
    ),
    supplies: rows<MaintenanceTemplate['supplies'][number]>(
      db,
      sql`select l.code, coalesce(s.name, l.name) as name, s.unit, l.count, s.id as supply_id,
            ${actor.may.has('costs.read') ? sql`s.cost` : sql`null::numeric`} as cost
          from ${templateSuppliesTable} l
          left join lateral (
            select s.id, s.name, s.cost, u.name as unit from ${suppliesTable} s
            left join ${measurementUnitsTable} u on u.company_id = s.company_id and u.id = s.measurement_units_id
            where s.company_id = ${COMPANY} and lower(s.code) = lower(l.code) and s.state = 'active' and ${ofPlace}
            order by s.id limit 1) s on true
          where l.company_id = ${actor.company_id} and l.template_id = ${id} order by l.id`,
    ),
  })
  return { ...template, works, supplies }
}

export async function createTemplate(db: Db, actor: Actor, { works, supplies, ...what }: NewTemplate) {
  await requireNamed(db, actor, { ...what, works })
  const named = await namesOf(db, actor, supplies)
  const { id } = one(
    await db
      .insert(maintenanceTemplatesTable)
      .values({ company_id: actor.company_id, ...what })
      .returning({ id: maintenanceTemplatesTable.id }),
  )
  await writeLines(db, actor, id, works, named)
  return told(db, actor, 'created', undefined, await requireTemplate(db, actor, id))
}

export async function updateTemplate(
  db: Db,
  actor: Actor,
  id: number,
  { works, supplies, updated_at, ...what }: TemplateEdit,
) {
  const before = await requireTemplate(db, actor, id, { lock: true })
  requireFresh(before, updated_at)
  await requireNamed(db, actor, { ...what, works }, before)
  const named = await namesOf(db, actor, supplies, before)
  await db
    .update(maintenanceTemplatesTable)
    .set({ ...what, updated_at: new Date().toISOString() })
    .where(and(eq(maintenanceTemplatesTable.company_id, actor.company_id), eq(maintenanceTemplatesTable.id, id)))
  for (const table of [templateWorksTable, templateSuppliesTable])
    await db.delete(table).where(and(eq(table.company_id, actor.company_id), eq(table.template_id, id)))
  await writeLines(db, actor, id, works, named)
  return told(db, actor, 'updated', before, await requireTemplate(db, actor, id))
}

export async function deleteTemplate(db: Db, actor: Actor, id: number) {
  const before = await requireTemplate(db, actor, id, { lock: true })
  await db
    .delete(maintenanceTemplatesTable)
    .where(and(eq(maintenanceTemplatesTable.company_id, actor.company_id), eq(maintenanceTemplatesTable.id, id)))
  await told(db, actor, 'deleted', before, undefined)
  return undefined
}

type Named = Pick<MaintenanceTemplate, 'type_maintenance_id'> & { works: { task_id: number | null }[] }

/** The type and the tasks are in use; what it already named may have gone out of use since. */
async function requireNamed(db: Db, actor: Actor, what: Named, before?: MaintenanceTemplate) {
  const tasks = what.works.flatMap(({ task_id }) => task_id ?? [])
  const found = await rows<{ kind: string; id: number }>(
    db,
    sql`select 'type' as kind, id from ${maintenanceTypesTable}
        where company_id = ${actor.company_id} and id = ${what.type_maintenance_id} and state = 'active'
        union all select 'task', id from ${tasksTable}
        where company_id = ${actor.company_id} and id = any(${sql.param(tasks)}::bigint[]) and state = 'active'`,
  )
  const known = new Set(found.map(({ kind, id }) => `${kind} ${id}`))
  if (before) {
    known.add(`type ${before.type_maintenance_id}`)
    for (const { task_id } of before.works) known.add(`task ${task_id}`)
  }
  const wrong: Record<string, string> = {}
  if (what.type_maintenance_id !== null && !known.has(`type ${what.type_maintenance_id}`))
    wrong.type_maintenance_id = 'Elija un tipo de la lista.'
  what.works.forEach(({ task_id }, i) => {
    if (task_id !== null && !known.has(`task ${task_id}`)) wrong[`works.${i}.task_id`] = 'Elija una tarea de la lista.'
  })
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
}

interface Counted {
  code: string
  count: number
}

/** Each as its supply is written; one that the template had already stays, though this workshop has none of it. */
async function namesOf(db: Db, actor: Actor, supplies: Counted[], before?: MaintenanceTemplate) {
  const codes = supplies.map(({ code }) => code.toLowerCase())
  const found = await rows<{ code: string; name: string }>(
    db,
    sql`select distinct on (lower(s.code)) s.code, s.name from ${suppliesTable} s
        where s.company_id = ${actor.company_id} and s.state = 'active'
          and ${actor.workshop_id === null ? sql`true` : sql`s.workshop_id = ${actor.workshop_id}`}
          and lower(s.code) = any(${sql.param(codes)}::text[])
        order by lower(s.code), s.id`,
  )
  const known = new Map([...found, ...(before?.supplies ?? [])].map((each) => [each.code.toLowerCase(), each]))
  const wrong: Record<string, string> = {}
  const named = supplies.map(({ code, count }, i) => {
    const supply = known.get(code.toLowerCase())
    if (!supply) wrong[`supplies.${i}.code`] = 'Elija un insumo de la lista.'
    return { code: supply?.code ?? code, name: supply?.name ?? code, count }
  })
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return named
}

async function writeLines(
  db: Db,
  { company_id }: Actor,
  template_id: number,
  works: NewTemplate['works'],
  supplies: (Counted & { name: string })[],
) {
  if (works.length > 0)
    await db.insert(templateWorksTable).values(works.map((work) => ({ company_id, template_id, ...work })))
  if (supplies.length > 0)
    await db.insert(templateSuppliesTable).values(supplies.map((line) => ({ company_id, template_id, ...line })))
}

/** How it reads in the activity: lines in words. */
const spoken = ({
  works,
  supplies,
  works_total: _,
  supplies_total: __,
  updated_at: ___,
  ...rest
}: MaintenanceTemplate) => ({
  ...rest,
  works: works.map(({ description, task }) => description ?? task).join('; '),
  supplies: supplies.map(({ name, count }) => `${count} × ${name}`).join('; '),
})

async function told<T extends MaintenanceTemplate | undefined>(
  db: Db,
  actor: Actor,
  action: string,
  before: MaintenanceTemplate | undefined,
  after: T,
): Promise<T> {
  const id = (after ?? before)!.id
  await record(db, actor, 'maintenance_template', id, action, before ? spoken(before) : {}, after ? spoken(after) : {})
  announce(db, actor, { topic: 'work-catalogues', workshop_id: null, ids: [id] })
  return after
}
