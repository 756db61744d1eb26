import { type SQL, sql } from 'drizzle-orm'
import type { FileContent } from '#contract/base/wire.ts'
import { MOVEMENT_FIELDS } from '#contract/warehouses/fields.ts'
import { type Kardex, type KardexLine, type Movement, type MovementList, typeName } from '#contract/warehouses/stock.ts'
import { all, between, oneOf } from '../../platform/database/conditions.ts'
import { type Db, row, rows } from '../../platform/database/db.ts'
import { listPage } from '../../platform/database/lists.ts'
import { hasPart, havingWords, matches } from '../../platform/database/words.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { sheetOf, xlsxFile } from '../../platform/outside/xlsx.ts'
import { notFound, Problem } from '../../platform/problems.ts'
import { suppliesTable } from '../../supplies/tables.ts'
import { inScope } from '../../workshops/scope.ts'
import { UNIT_COST } from '../documents/reprice.ts'
import { movementsTable, PLAIN_DOCUMENT, warehousesTable } from '../tables.ts'
import { requireVisibleWarehouse } from '../warehouses.ts'

/* The movements of a level or a warehouse, each with the level as it left it. */

/** A movement of value alone counts as an entry if it adds value. The tests of quantity let an index by quantity help. */
const IS_ENTRY = sql`m.quantity >= 0 and (m.quantity > 0 or m.value >= 0)`
const IS_EXIT = sql`m.quantity <= 0 and (m.quantity < 0 or m.value < 0)`

const SELECT = sql`m.id, m.at, m."typeTrasactionId" as type_id, m.document, m.transaction_id, m.is_void,
  greatest(m.quantity, 0) as quantity_in, greatest(-m.quantity, 0) as quantity_out, ${UNIT_COST} as unit_cost, m.value, m.balance,
  m.average_cost, m.balance_value, m.user_name, case when ${IS_ENTRY} then 'entry' else 'exit' end as type`

const withTypeName = <T extends { is_void: boolean }>({ type_id, ...line }: T & { type_id: number }) => ({
  ...line,
  type_name: line.is_void ? `Anulación de ${typeName(type_id).toLowerCase()}` : typeName(type_id),
})

const OLDEST_FIRST = sql`m.at`

export async function kardex(db: Db, actor: Actor, query: Kardex) {
  await requirePlace(db, actor, query)
  const found = await listPage<KardexLine & { type_id: number }>(db, query, {
    select: SELECT,
    from: sql`${movementsTable} m`,
    where: ofPlace(actor, query),
    sorts: { at: OLDEST_FIRST },
    order: sql`m.at desc, m.id desc`,
    id: sql`m.id`,
  })
  return { ...found, data: found.data.map(withTypeName) }
}

const ofPlace = (actor: Actor, { warehouse, supply, filter }: Kardex) =>
  all([
    sql`m.company_id = ${actor.company_id} and m.warehouse_id = ${warehouse} and m.supply_id = ${supply}`,
    between(sql`m.at`, filter.BetweenDate, actor.time_zone),
  ])

async function requirePlace(db: Db, actor: Actor, { warehouse, supply }: Kardex) {
  const { workshop_id, name: warehouse_name } = await requireVisibleWarehouse(db, actor, warehouse)
  const found = await row<{ code: string; name: string }>(
    db,
    sql`select code, name from ${suppliesTable} where company_id = ${actor.company_id} and workshop_id = ${workshop_id} and id = ${supply}`,
  )
  if (!found) throw notFound()
  return { ...found, warehouse_name }
}

const MOST_ROWS = 100_000
const SHEET = sheetOf(MOVEMENT_FIELDS, {
  at: 18,
  type_name: 24,
  document: 18,
  quantity_in: 12,
  quantity_out: 12,
  balance: 12,
  unit_cost: 15,
  value: 14,
  balance_value: 16,
  user_name: 24,
})

/** The same lines, oldest first, with numbers and dates in the cells. */
export async function downloadKardex(db: Db, actor: Actor, query: Kardex): Promise<FileContent> {
  const { code, name, warehouse_name } = await requirePlace(db, actor, query)
  const found = await rows<KardexLine & { type_id: number }>(
    db,
    sql`select ${SELECT} from ${movementsTable} m where ${ofPlace(actor, query)} order by m.at, m.id limit ${MOST_ROWS + 1}`,
  )
  if (found.length > MOST_ROWS)
    throw new Problem(422, 'Hay demasiados movimientos: elija un rango de fechas más corto.')
  return xlsxFile(
    `Kardex ${code} ${warehouse_name}.xlsx`,
    `Kardex ${name}`.replace(/[\\/?*[\]:]/g, ' '),
    SHEET.columns,
    found.map((line) => {
      const m = { code, name, ...withTypeName(line) }
      return SHEET.cells(
        { ...m, quantity_in: m.quantity_in || null, quantity_out: m.quantity_out || null },
        actor.time_zone,
      )
    }),
  )
}

/** The last ones of a warehouse, without counting all there are. */
export async function latestMovements(db: Db, actor: Actor, warehouse: number, count: number) {
  const found = await rows<Movement & { type_id: number }>(
    db,
    sql`select ${SELECT}, m.supply_id, s.code, s.name
        from ${movementsTable} m join ${suppliesTable} s on s.company_id = m.company_id and s.id = m.supply_id
        where m.company_id = ${actor.company_id} and m.warehouse_id = ${warehouse}
        order by m.at desc, m.id desc limit ${count}`,
  )
  return found.map(withTypeName)
}

/** A word of less than three letters is in no index: it is searched in so many of the last movements. */
const LAST_SEARCHED = 20_000

export async function listMovements(db: Db, actor: Actor, query: MovementList) {
  if (query.warehouse !== undefined) await requireVisibleWarehouse(db, actor, query.warehouse)
  const { filter } = query
  const wanted = query.warehouse === undefined ? filter.Warehouse : [query.warehouse]
  const [type] = filter.Type?.length === 1 ? filter.Type : []
  const filters = all([
    sql`m.company_id = ${actor.company_id}`,
    query.warehouse === undefined && actor.workshop_id !== null
      ? sql`m.warehouse_id in (select w.id from ${warehousesTable} w where ${inScope(actor, sql`w`)})`
      : undefined,
    oneOf(sql`m.warehouse_id`, wanted),
    oneOf(sql`m."typeTrasactionId"`, filter.TypeTransaction),
    between(sql`m.at`, filter.BetweenDate, actor.time_zone),
    type && (type === 'entry' ? IS_ENTRY : IS_EXIT),
  ])
  const { where, at_least } = await withWords(db, actor, filter.Search, filters)
  const found = await listPage<Movement & { type_id: number }>(db, query, {
    select: sql`${SELECT}, m.supply_id, s.code, s.name`,
    from: sql`${movementsTable} m left join ${suppliesTable} s on s.company_id = m.company_id and s.id = m.supply_id`,
    where,
    sorts: {
      at: sql`m.at`,
      code: sql`s.code`,
      name: sql`s.name`,
      quantity: sql`m.quantity`,
      value: sql`m.value`,
    },
    order: sql`m.at desc, m.id desc`,
    id: sql`m.id`,
    owner: sql`m.company_id = ${actor.company_id}`,
  })
  return { ...found, ...at_least, data: found.data.map(withTypeName) }
}

/** Narrows the filters to movements whose supply or document has the words. */
async function withWords(
  db: Db,
  { company_id }: Actor,
  search: string | undefined,
  filters: SQL,
): Promise<{ where: SQL; at_least?: { at_least: true } }> {
  const inSupply = matches(sql`f.search`, search)
  if (!inSupply) return { where: filters }
  const supplies = sql`select f.id from searched_supplies f where f.company_id = ${company_id} and ${inSupply}`
  const recent = sql`select m.* from ${movementsTable} m where ${filters} order by m.at desc, m.id desc`
  const words = await havingWords(db, sql`m`, {
    search,
    has: [sql`m.supply_id in (${supplies})`, matches(PLAIN_DOCUMENT, search)!],
    ids: [
      sql`select m.id from ${movementsTable} m where ${filters} and m.supply_id = any(array(${supplies}))`,
      sql`select m.id from searched_movements m where m.company_id = ${company_id} and ${matches(sql`m.words`, search)!}`,
    ],
    recent,
  })
  const where = sql`${filters} and ${words}`
  if (hasPart(search)) return { where }
  const before = await row<{ at: string }>(db, sql`${recent} limit 1 offset ${LAST_SEARCHED}`)
  return before ? { where: sql`${where} and m.at >= ${before.at}`, at_least: { at_least: true } } : { where }
}
