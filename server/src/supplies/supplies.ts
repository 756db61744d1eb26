import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Found } from '#contract/base/finder.ts'
import { showMoney } from '#contract/base/money.ts'
import type { CostSource, NewSupply, Supply, SupplyCost, SupplyEdit, SupplyList } from '#contract/supplies/supplies.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { usedBy } from '../platform/database/references.ts'
import { hasPart, matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce, tell } from '../platform/operations/happenings.ts'
import { notFound, Problem, requireFresh } from '../platform/problems.ts'
import { requireChoice } from '../workshops/catalogues.ts'
import { inScope, requireWorkshop } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import { CATEGORIES, MEASUREMENT_UNITS } from './catalogues.ts'
import { keepFilings } from './filings.ts'
import {
  categoriesTable,
  measurementUnitsTable,
  suppliesTable,
  supplyCostsTable,
  supplyFilingsTable,
} from './tables.ts'

const SELECT = sql`s.id, s.workshop_id, w.name as workshop_name, s.code, s.name, s.description, s.cost, s.category_id,
  c.name as category_name, s.measurement_units_id, m.name as measurement_unit_name, s.state, s.updated_at`
const NAMES = sql`
  left join ${workshopsTable} w on w.company_id = s.company_id and w.id = s.workshop_id
  left join ${categoriesTable} c on c.company_id = s.company_id and c.id = s.category_id
  left join ${measurementUnitsTable} m on m.company_id = s.company_id and m.id = s.measurement_units_id`
const FROM = sql`${suppliesTable} s ${NAMES}`
/** The same of the connection's company, where searches use the index of parts of words: see decision 0004. */
const SEARCHED = sql`searched_supplies s`
/**
 * One of a workshop's supplies that have some words; nothing where the index knows none of them. They are gathered apart:
 * beside a table under row-level security the planner may not use the index.
 */
export const withWords = ({ company_id }: Actor, workshop_id: number, search: string | undefined): SQL | undefined =>
  hasPart(search)
    ? sql`any(array(select s.id from ${SEARCHED} where s.company_id = ${company_id} and s.workshop_id = ${workshop_id}
        and ${matches(sql`s.search`, search)!}))`
    : undefined
const SORTS: Record<string, SQL> = {
  code: sql`s.code`,
  name: sql`s.name`,
  category_name: sql`c.name`,
  measurement_unit_name: sql`m.name`,
  workshop_name: sql`w.name`,
  cost: sql`s.cost`,
  state: sql`s.state`,
  updated_at: sql`s.updated_at`,
}

export function listSupplies(db: Db, actor: Actor, query: SupplyList) {
  const where = all([
    inScope(actor, sql`s`, query.filter.WorkshopId),
    oneOf(sql`s.category_id`, query.filter.Categories),
    oneOf(sql`s.state`, query.filter.State),
    matches(sql`s.search`, query.filter.Search),
  ])
  const supplies = query.filter.Search?.trim() ? SEARCHED : sql`${suppliesTable} s`
  return listPage<Supply>(db, query, {
    select: SELECT,
    from: sql`${supplies} ${NAMES}`,
    where,
    sorts: SORTS,
    order: sql`s.code, s.id`,
    id: sql`s.id`,
    owner: sql`s.company_id = ${actor.company_id}`,
  })
}

export async function findSupplies(db: Db, actor: Actor, text: string, limit: number): Promise<Found[]> {
  const found = await rows<Supply>(
    db,
    sql`select ${SELECT} from ${FROM} where s.company_id = ${actor.company_id} and s.id = any(array(
          select s.id from searched_supplies s where ${all([inScope(actor, sql`s`), matches(sql`s.search`, text)])}
          order by s.code, s.id limit ${limit}))
        order by s.code, s.id`,
  )
  return found.map((supply) => ({
    kind: 'supply',
    id: supply.id,
    title: `${supply.code} · ${supply.name}`,
    detail: [supply.category_name, showMoney(supply.cost), supply.workshop_name].filter(Boolean).join(' · '),
    path: `/insumo/${supply.id}`,
  }))
}

/** The supply, for those who may see it; locked until the end of the transaction where it is about to change. */
export async function requireSupply(db: Db, actor: Actor, id: number, lock = false): Promise<Supply> {
  const supply = await row<Supply>(
    db,
    sql`select ${SELECT} from ${FROM} where ${inScope(actor, sql`s`)} and s.id = ${id} ${lock ? sql`for update of s` : sql``}`,
  )
  if (!supply) throw notFound()
  return supply
}

async function requireChoices(db: Db, actor: Actor, what: NewSupply) {
  await requireWorkshop(db, actor, what.workshop_id)
  await requireChoice(db, actor, CATEGORIES, what.category_id, what.workshop_id, 'category_id')
  await requireChoice(db, actor, MEASUREMENT_UNITS, what.measurement_units_id, what.workshop_id, 'measurement_units_id')
}

export async function createSupply(db: Db, actor: Actor, what: NewSupply): Promise<Supply> {
  await requireChoices(db, actor, what)
  const { company_id } = actor
  const { workshop_id, code, name, description, cost, category_id, measurement_units_id } = what
  const { id } = one(
    await db
      .insert(suppliesTable)
      .values({ company_id, workshop_id, code, name, description, cost, category_id, measurement_units_id })
      .returning({ id: suppliesTable.id }),
  )
  await noteCost(db, actor, id, cost, 'manual')
  const supply = await requireSupply(db, actor, id)
  await record(db, actor, 'supply', id, 'created', {}, supply)
  announce(db, actor, { topic: 'supplies', workshop_id, ids: [id] })
  return supply
}

export async function updateSupply(db: Db, actor: Actor, id: number, what: SupplyEdit): Promise<Supply> {
  const before = await requireSupply(db, actor, id, true)
  requireFresh(before, what.updated_at)
  await requireChoices(db, actor, what)
  const { workshop_id, code, name, description, cost, category_id, measurement_units_id, state } = what
  if (workshop_id !== before.workshop_id && (await isUsed(db, actor, id)))
    throw new Problem(409, 'El insumo tiene movimientos y no puede cambiar de taller.')
  if (before.measurement_units_id !== null && measurement_units_id !== before.measurement_units_id)
    await tell(db, actor, UNIT_CHANGES, [id])
  await keepFilings(db, actor, sql`select ${id}::bigint as id, ${category_id}::bigint as category_id`)
  const updated_at = new Date().toISOString()
  await db
    .update(suppliesTable)
    .set({ workshop_id, code, name, description, cost, category_id, measurement_units_id, state, updated_at })
    .where(and(eq(suppliesTable.company_id, actor.company_id), eq(suppliesTable.id, id)))
  if (cost !== before.cost) await noteCost(db, actor, id, cost, 'manual')
  const after = await requireSupply(db, actor, id)
  await record(db, actor, 'supply', id, 'updated', before, after)
  for (const workshop of new Set([before.workshop_id, workshop_id]))
    announce(db, actor, { topic: 'supplies', workshop_id: workshop, ids: [id] })
  return after
}

/** Told before supplies that had a unit of measure get another: whoever counted in it refuses. */
export const UNIT_CHANGES = 'supplies.unit-changes'

/** The price history; whoever moves a supply's cost writes here too. */
async function noteCost(
  db: Db,
  { company_id, user_id, user_name }: Actor,
  supply_id: number,
  cost: number,
  source: CostSource,
  reference: string | null = null,
) {
  // The moment it holds the supply, not the moment its transaction began: the last to write is the newest.
  const at = sql<string>`clock_timestamp()`
  await db.insert(supplyCostsTable).values({ company_id, supply_id, at, cost, source, reference, user_id, user_name })
}

/** The last purchase sets the cost; `reference` is the document's number. */
export async function setPurchaseCost(db: Db, actor: Actor, id: number, cost: number, reference: string | null) {
  const before = await requireSupply(db, actor, id, true)
  if (cost === before.cost) return
  await db
    .update(suppliesTable)
    .set({ cost, updated_at: new Date().toISOString() })
    .where(and(eq(suppliesTable.company_id, actor.company_id), eq(suppliesTable.id, id)))
  await noteCost(db, actor, id, cost, 'purchase', reference)
  await record(db, actor, 'supply', id, 'updated', { cost: before.cost }, { cost })
  announce(db, actor, { topic: 'supplies', workshop_id: before.workshop_id, ids: [id] })
}

/** As `setPurchaseCost`, for all lines of a document at once. */
export async function setPurchaseCosts(
  db: Db,
  actor: Actor,
  bought: { id: number; cost: number }[],
  reference: string | null,
) {
  const ids = bought.map(({ id }) => id)
  const before = await rows<{ id: number; cost: number; workshop_id: number }>(
    db,
    sql`select s.id, s.cost, s.workshop_id from ${suppliesTable} s
        where s.company_id = ${actor.company_id} and s.id = any(${sql.param(ids)}::bigint[])
        order by s.id for no key update`,
  )
  const changed = before.flatMap((was) => {
    const cost = bought.find(({ id }) => id === was.id)!.cost
    return cost === was.cost ? [] : [{ ...was, was: was.cost, cost }]
  })
  if (changed.length === 0) return
  const values = sql`unnest(${sql.param(changed.map((s) => s.id))}::bigint[], ${sql.param(changed.map((s) => s.cost))}::numeric[]) as n (id, cost)`
  await rows(
    db,
    sql`update ${suppliesTable} s set cost = n.cost, updated_at = ${new Date().toISOString()} from ${values}
        where s.company_id = ${actor.company_id} and s.id = n.id`,
  )
  // The clock, not the start of the transaction: who waited for the row comes after whom it waited for.
  await rows(
    db,
    sql`insert into ${supplyCostsTable} (company_id, supply_id, cost, source, reference, user_id, user_name, at)
        select ${actor.company_id}::bigint, n.id, n.cost, 'purchase', ${reference}::text, ${actor.user_id}::bigint,
          ${actor.user_name}::text, clock_timestamp() from ${values} returning company_id`,
  )
  for (const { id, was, cost } of changed) await record(db, actor, 'supply', id, 'updated', { cost: was }, { cost })
  const workshop_id = changed[0]!.workshop_id
  announce(db, actor, { topic: 'supplies', workshop_id, ids: changed.map(({ id }) => id) })
}

/**
 * After a purchase was voided: what was bought last costs what it cost, unless somebody set the cost since. A cost that
 * somebody set after the voided purchase stays; with no purchase left it is what was set before any of them.
 */
export async function restorePurchaseCosts(
  db: Db,
  actor: Actor,
  ids: number[],
  bought: { id: number; cost: number; at: string }[],
  reference: string | null,
) {
  const history = await rows<{ supply_id: number; source: string; cost: number; at: string }>(
    db,
    sql`select distinct on (supply_id, source = 'purchase') supply_id, source, cost, at from ${supplyCostsTable}
        where company_id = ${actor.company_id} and supply_id = any(${sql.param(ids)}::bigint[])
        order by supply_id, source = 'purchase', at desc, id desc`,
  )
  const costs = ids.flatMap((id) => {
    const purchased = history.find(({ supply_id, source }) => supply_id === id && source === 'purchase')
    const set = history.find(({ supply_id, source }) => supply_id === id && source !== 'purchase')
    const last = bought.find((each) => each.id === id)
    if (!purchased || (set && set.at > purchased.at)) return []
    const cost = last && (!set || last.at > set.at) ? last.cost : (set?.cost ?? last?.cost)
    return cost === undefined ? [] : [{ id, cost }]
  })
  await setPurchaseCosts(db, actor, costs, reference)
}

export const listCosts = (
  db: Db,
  actor: Actor,
  supply_id: number,
  query: { page: number; per_page: number; sort?: string | undefined },
) =>
  listPage<SupplyCost>(db, query, {
    select: sql`k.id, k.at, k.cost, k.source, k.reference, k.user_name`,
    from: sql`${supplyCostsTable} k`,
    where: sql`k.company_id = ${actor.company_id} and k.supply_id = ${supply_id}`,
    sorts: { at: sql`k.at`, cost: sql`k.cost` },
    order: sql`k.at desc, k.id desc`,
    id: sql`k.id`,
  })

async function isUsed(db: Db, actor: Actor, id: number) {
  const used = await usedBy(db, suppliesTable, sql`s`, [supplyCostsTable, supplyFilingsTable])
  const found = await row(
    db,
    sql`select 1 as one from ${suppliesTable} s where s.company_id = ${actor.company_id} and s.id = ${id} and ${used}`,
  )
  return found !== undefined
}

const IS_USED =
  'El insumo ya se usó (bodegas, compras u órdenes de trabajo) y no se puede eliminar. Puede desactivarlo: dejará de ofrecerse y su historial se conserva.'

/** Only a supply that nothing refers to; a used one is deactivated. */
export async function deleteSupply(db: Db, actor: Actor, id: number) {
  const supply = await requireSupply(db, actor, id, true)
  if (await isUsed(db, actor, id)) throw new Problem(409, IS_USED)
  await rows(db, sql`delete from ${supplyCostsTable} where company_id = ${actor.company_id} and supply_id = ${id}`)
  await rows(db, sql`delete from ${suppliesTable} where company_id = ${actor.company_id} and id = ${id}`)
  await record(db, actor, 'supply', id, 'deleted', supply, {})
  announce(db, actor, { topic: 'supplies', workshop_id: supply.workshop_id, ids: [id] })
  return undefined
}
