import { sql } from 'drizzle-orm'
import type { IdsOrNone, KilometerRow, KilometerRows, LowStockRow, LowStockRows } from '#contract/reports/rows.ts'
import { readingsTable, trucksTable } from '../fleet/tables.ts'
import { COMPANY, type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { measurementUnitsTable, suppliesTable } from '../supplies/tables.ts'
import { stockTable, warehousesTable } from '../warehouses/tables.ts'
import { inScope } from '../workshops/scope.ts'
import { workshopsTable } from '../workshops/tables.ts'
import { drivenByTruck, expensesByTruck } from './expenses/by-truck.ts'
import { type Stretch, stretchesOf } from './expenses/centers.ts'
import { periodsOf, type Span, sumOf } from './expenses.ts'
import { cutToHomes } from './kilometers.ts'

/* What a figure that is not an amount is made of: orders that were counted, kilometres, what is short. */

const directionOf = (sort: string) => (sort.startsWith('-') ? sql`desc` : sql`asc`)

const inOrder = new Intl.Collator('es', { numeric: true }).compare
const isOf = (asked: IdsOrNone, id: number | null) => !asked?.length || asked.some((one) => one === (id ?? 'none'))

interface Driven extends Pick<Stretch, 'truck_id' | 'start' | 'end' | 'kilometers'> {
  truck_code: string
  patent: string
}

/** The trucks of the report that drove; of one cost centre, while they were of it, and of one workshop, while at home there. */
async function drivenBy(db: Db, actor: Actor, span: Span, filter: KilometerRows['filter']): Promise<Driven[]> {
  const { CostCenter, ...asked } = filter
  // Of some workshops also those of others that spent there.
  const isWhole = actor.workshop_id === null && !filter.WorkshopId?.length
  const data = isWhole
    ? await drivenByTruck(db, actor, span, asked)
    : (await expensesByTruck(db, actor, { filter: asked })).data
  const moved = CostCenter?.length ? await stretchesOf(db, actor, span.from, span, filter) : []
  const stretches = Map.groupBy(moved, ({ truck_id }) => truck_id)
  const drives = data.flatMap((truck) => {
    const { truck_id, truck_code, patent } = truck
    const own = stretches.get(truck_id) ?? [{ ...truck, start: span.start, end: span.end }]
    return own
      .filter(({ kilometers, cost_center_id }) => kilometers > 0 && isOf(CostCenter, cost_center_id))
      .map(({ start, end, kilometers }) => ({ truck_id, truck_code, patent, start, end, kilometers }))
  })
  return cutToHomes(db, actor, filter, span.from, drives)
}

/** The trucks of the report that drove, each with the two readings that its kilometres are the difference of. */
export async function listKilometers(db: Db, actor: Actor, query: KilometerRows) {
  const { page, per_page, sort = '-kilometers' } = query
  const { range, span } = periodsOf(actor, query.filter.BetweenDate)
  const driven = (await drivenBy(db, actor, span, query.filter)).sort(
    sort.endsWith('truck_code')
      ? (a, b) => inOrder(a.truck_code, b.truck_code)
      : (a, b) => a.kilometers - b.kilometers || inOrder(b.truck_code, a.truck_code),
  )
  if (sort.startsWith('-')) driven.reverse()
  const shown = driven.slice((page - 1) * per_page, page * per_page)
  const read = await readingsOf(db, actor, shown)
  const data = shown.flatMap(({ truck_code, patent }, i): KilometerRow[] => {
    const readings = read.get(i)
    return readings ? [{ truck_code, patent, ...readings }] : []
  })
  const kilometers = sumOf(driven, (truck) => truck.kilometers)
  return { data, total: driven.length, page, per_page, totals: { kilometers }, range }
}

type Readings = Omit<KilometerRow, 'truck_code' | 'patent'>

/** By the rules of `kilometers()`: what a correction took back does not count. */
async function readingsOf(db: Db, actor: Actor, driven: Driven[]): Promise<Map<number, Readings>> {
  if (driven.length === 0) return new Map()
  const valid = sql`select r.date, r.km from ${readingsTable} r
    where r.company_id = ${COMPANY} and r.truck_id = t.id and not coalesce(r.closed_as, r.superseded)`
  const column = <T>(of: (each: Driven) => T) => sql.param(driven.map(of))
  const found = await rows<Readings & { place: number }>(
    db,
    sql`select d.place, t.id as truck_id, coalesce(s.date, f.date) as from_at, coalesce(s.km, f.km) as from_km,
          e.date as to_at, e.km as to_km, e.km - coalesce(s.km, f.km) as kilometers
        from unnest(${column((d) => d.truck_id)}::bigint[], ${column((d) => d.start)}::timestamptz[],
          ${column((d) => d.end)}::timestamptz[]) with ordinality as d (truck_id, start, "end", place)
        join ${trucksTable} t on t.company_id = ${actor.company_id} and t.id = d.truck_id
        cross join lateral (${valid} and r.date < d."end" order by r.date desc, r.id desc limit 1) e
        left join lateral (${valid} and r.date < d.start order by r.date desc, r.id desc limit 1) s on true
        left join lateral (${valid} and r.date >= d.start and r.date < d."end" order by r.date, r.id limit 1) f on true`,
  )
  return new Map(found.map(({ place, ...readings }) => [place - 1, readings]))
}

export async function listLowStock(db: Db, actor: Actor, query: LowStockRows) {
  const { filter, page, per_page, sort = 'name' } = query
  const found = sql`${stockTable} s
    join ${warehousesTable} w on w.company_id = s.company_id and w.id = s.warehouse_id
    join ${workshopsTable} p on p.company_id = w.company_id and p.id = w.workshop_id
    join ${suppliesTable} y on y.company_id = s.company_id and y.id = s.supply_id
    left join ${measurementUnitsTable} m on m.company_id = y.company_id and m.id = y.measurement_units_id
    where ${inScope(actor, sql`w`, filter.WorkshopId)} and s.company_id = ${actor.company_id} and s.attached
      and s.on_hand - s.reserved < s.minimum`
  const key = sort.endsWith('warehouse') ? sql`w.name` : sql`y.name`
  const data = await rows<LowStockRow>(
    db,
    sql`select s.warehouse_id, w.name as warehouse, p.name as workshop_name, s.supply_id, y.code, y.name, m.name as unit, s.on_hand as stock,
          s.on_hand - s.reserved as available, s.minimum
        from ${found}
        order by ${key} ${directionOf(sort)}, p.name, w.name, s.supply_id, s.warehouse_id
        limit ${per_page} offset ${(page - 1) * per_page}`,
  )
  const [counted] = await rows<{ total: number }>(db, sql`select count(*) as total from ${found}`)
  return { data, total: counted?.total ?? 0, page, per_page }
}
