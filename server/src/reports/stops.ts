import { sql } from 'drizzle-orm'
import type { StopRow, StopRows } from '#contract/reports/rows.ts'
import { trucksTable } from '../fleet/tables.ts'
import { instantAt } from '../platform/database/columns.ts'
import { type Db, rows, snapshot } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { CODE } from '../work-orders/access.ts'
import { workOrdersTable } from '../work-orders/tables.ts'
import { firstOnes, periodsOf, sumOf } from './expenses.ts'
import { addRange, without } from './ranges.ts'
import { hoursIn, NEVER, staysOf } from './stays.ts'

/** The stays behind a truck's hours: what each adds to those before it is what the report says. */
export const listStops = (db: Db, actor: Actor, query: StopRows) => snapshot(db, () => stopsIn(db, actor, query))

async function stopsIn(db: Db, actor: Actor, query: StopRows) {
  const { filter, page, per_page, sort = '-from' } = query
  const now = new Date().toISOString()
  const { range, span } = periodsOf(actor, filter.BetweenDate)
  // Where planned ones are alone, what crosses an unplanned one is not theirs.
  const isPlanned = filter.Planned?.length === 1 && filter.Planned[0] === 'true'
  const { stays, trucks } = await staysOf(db, actor, span, now, filter)
  const { id, from, to, planned } = stays
  const [counted, begins] = [new Float64Array(id.length), new Uint8Array(id.length)]
  const found: number[] = []
  for (const { places, away } of trucks) {
    const failed: number[] = []
    if (isPlanned) for (const n of places) if (planned[n] === 0) addRange(failed, from[n]!, to[n]!)
    let until = Number.NEGATIVE_INFINITY
    for (const n of places) {
      if (filter.Planned?.length && !filter.Planned.includes(planned[n] === 1 ? 'true' : 'false')) continue
      const [first, last] = [Math.max(from[n]!, until), Math.max(to[n]!, until)]
      counted[n] = hoursIn(without(without(first < last ? [first, last] : NEVER, away), failed))
      begins[n] = from[n]! > until ? 1 : 0
      until = last
      found.push(n)
    }
  }
  const key = sort.endsWith('hours') ? (n: number) => to[n]! - from[n]! : (n: number) => from[n]!
  const sign = sort.startsWith('-') ? -1 : 1
  const shown = firstOnes(
    found,
    (n) => sign * key(n),
    (a, b) => id[a]! - id[b]!,
    page * per_page,
  ).slice((page - 1) * per_page)
  const data = await rows<StopRow>(
    db,
    sql`select o.id as work_order_id, ${CODE} as code, o.truck_id, k.code as truck_code, k.patent, o.request,
          o.workshop_entry_at, o.workshop_departure_at
        from ${workOrdersTable} o
        join ${trucksTable} k on k.company_id = ${actor.company_id} and k.id = o.truck_id
        where o.company_id = ${actor.company_id} and o.id = any(${sql.param(shown.map((n) => id[n]!))}::bigint[])`,
  )
  const orders = new Map(data.map((order) => [order.work_order_id, order]))
  return {
    data: shown.map((n): StopRow => {
      const { work_order_id, code, truck_id, truck_code, patent, request, ...at } = orders.get(id[n]!)!
      const names = { work_order_id, code, truck_id, truck_code, patent, planned: planned[n] === 1, request }
      const told = { ...names, ...at, from: instantAt(from[n]!), to: instantAt(to[n]!), begins: begins[n] === 1 }
      return { ...told, hours: hoursIn([from[n]!, to[n]!]), counted: counted[n]! }
    }),
    total: found.length,
    page,
    per_page,
    totals: { hours: sumOf(found, (n) => counted[n]!), stops: sumOf(found, (n) => begins[n]!) },
    range,
  }
}
