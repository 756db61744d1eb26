import { sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import { divideHalfUp, toScaled } from '#contract/base/money.ts'
import { ALREADY_LISTED } from '#contract/warehouses/transactions.ts'
import { lineAmount, type SupplyLine, type SupplyLineInput } from '#contract/work-orders/lines.ts'
import { ofClosedMonth } from '#contract/workshops/months.ts'
import { batch, type Db, defer, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid } from '../../platform/problems.ts'
import { measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import { lockLevels } from '../../warehouses/stock/locked-levels.ts'
import { releaseReserved } from '../../warehouses/stock/reservations.ts'
import { consume, giveBack, stockUsedBy } from '../../warehouses/stock/use.ts'
import { requireSupplies } from '../../warehouses/warehouses.ts'
import { settingsOf } from '../../workshops/company.ts'
import { isClosedAt, openMonths } from '../../workshops/months.ts'
import { NO_WAREHOUSE } from '../orders/choices.ts'
import { Roundings, unitOf } from '../orders/roundings.ts'
import { workOrderAdjustmentsTable, workOrderSuppliesTable } from '../tables.ts'

/*
 * Supplies of an order. Where it has a warehouse they leave its stock as they are saved: raising a line takes the
 * difference, lowering or removing it gives it back, another warehouse gives all back and takes anew. A line's value is
 * what the ledger says it took, to the last decimal; its cost and amount are that, per unit and in whole pesos. What is
 * taken was planned first of all: what the warehouse kept for the order is what it gets.
 */

export const ORIGIN = 'work_order'

export const suppliesOf = (db: Db, actor: Actor, work_order_id: number) =>
  rows<SupplyLine>(
    db,
    sql`select l.id, l.supply_id, s.code, s.name, s.description, m.name as unit, l.count, l.cost, l.amount, l.created_at
        from ${workOrderSuppliesTable} l
        join ${suppliesTable} s on s.company_id = l.company_id and s.id = l.supply_id
        left join ${measurementUnitsTable} m on m.company_id = s.company_id and m.id = s.measurement_units_id
        where l.company_id = ${actor.company_id} and l.work_order_id = ${work_order_id} order by l.id`,
  )

export interface UsingOrder {
  id: number
  code: string
  workshop_id: number
  has_warehouse: boolean
  warehouse_id: number | null
}

interface Line {
  id: number
  supply_id: number
  /** What it left; null where it left none. */
  warehouse_id: number | null
  count: number
  cost: number
  value: number
  amount: number
  created_at: string
}

/** Ten-thousandths back to a number. */
const unscaled = (n: bigint) => Number(n) / 10_000
const minus = (a: number, b: number) => unscaled(toScaled(a) - toScaled(b))

const linesOf = (db: Db, actor: Actor, order: UsingOrder) =>
  rows<Line>(
    db,
    sql`select id, supply_id, warehouse_id, count, cost, value, amount, created_at from ${workOrderSuppliesTable}
        where company_id = ${actor.company_id} and work_order_id = ${order.id} order by id`,
  )

/** Saves the whole list; the order is held by the caller. */
export async function saveSupplies(
  db: Db,
  actor: Actor,
  order: UsingOrder,
  inputs: Omit<SupplyLineInput, 'id'>[],
  { isNew = false }: { isNew?: boolean } = {},
) {
  const before = isNew ? [] : await linesOf(db, actor, order)
  if (inputs.length === 0 && before.length === 0) return
  refuseTwice(inputs)
  const there = new Map(before.map((line) => [line.supply_id, line]))
  const warehouse_id = order.has_warehouse ? order.warehouse_id : null
  const wanted = inputs.map((input, i) => ({
    ...input,
    line: there.get(input.supply_id),
    field: `supplies.${i}.count`,
  }))
  if (order.has_warehouse || inputs.some(({ supply_id }) => !there.has(supply_id)))
    // New lines are of the order's workshop; those that are there stay what they are.
    await requireSupplies(db, actor, order, inputs, false)
  // Lines of before the setting stay what they were; more of them has to come from somewhere.
  const isRule = warehouse_id === null && (await settingsOf(db, actor)).has_warehouse
  if (isRule && wanted.some(({ line, count }) => count > (line?.count ?? 0)))
    throw invalid({ warehouse_id: NO_WAREHOUSE })

  const asked = new Map(wanted.map((each) => [each.supply_id, each]))
  const frozen = await closedLines(db, actor, before, asked, !isRule)
  const back = before.flatMap((line) => {
    if (line.warehouse_id === null || frozen.has(line)) return []
    const stays = line.warehouse_id === warehouse_id ? (asked.get(line.supply_id)?.count ?? 0) : 0
    if (stays >= line.count) return []
    return [{ line, quantity: minus(line.count, stays) }]
  })
  const take = wanted.flatMap(({ supply_id, count, line, field }) => {
    if (warehouse_id === null || (line && frozen.has(line))) return []
    const has = line?.warehouse_id === warehouse_id ? line.count : 0
    return count > has ? [{ supply_id, quantity: minus(count, has), field }] : []
  })
  const moved = await move(db, actor, order, { before, warehouse_id, back, take, isNew })
  const catalogue = warehouse_id === null ? await catalogueCosts(db, actor, inputs) : new Map<number, number>()
  const below: Omit<Adjustment, 'id'>[] = []
  const lines = wanted.map(({ supply_id, count, cost, line }) => {
    if (line && frozen.has(line)) return { ...line, line }
    if (warehouse_id === null) {
      const unit =
        (isRule ? undefined : cost) ??
        (line?.warehouse_id === null ? line.cost : undefined) ??
        catalogue.get(supply_id) ??
        0
      const value = unscaled(divideHalfUp(toScaled(count) * toScaled(unit), 10_000n))
      return { supply_id, warehouse_id, count, cost: unit, value, amount: lineAmount(count, unit), line }
    }
    const place = { warehouse_id, supply_id }
    const worth = moved?.worth(place)
    if (worth === undefined) return { ...line!, line }
    const value = worth < 0n ? 0n : worth
    const amount = moved!.roundings.amountOf(place, value)
    if (worth < 0n) below.push({ ...place, value: unscaled(worth), amount: moved!.roundings.amountOf(place, worth) })
    return { supply_id, warehouse_id, count, cost: unitOf(value, count), value: unscaled(value), amount, line }
  })
  await bookBelowZero(db, actor, order, below)
  await writeLines(db, actor, order, before, lines, moved?.roundings)
}

function refuseTwice(inputs: { supply_id: number }[]) {
  const seen = new Set<number>()
  inputs.forEach(({ supply_id }, i) => {
    if (seen.size === seen.add(supply_id).size) throw invalid({ [`supplies.${i}.supply_id`]: ALREADY_LISTED })
  })
}

/** Lines of a closed month stay what they are, warehouse and all; whoever wants them otherwise is refused. */
async function closedLines(
  db: Db,
  actor: Actor,
  before: Line[],
  asked: Map<number, { count: number; cost?: number | null | undefined; field: string }>,
  hasOwnCost: boolean,
) {
  const open = await openMonths(db, actor)
  const closed = before.filter(({ created_at }) => isClosedAt(open, created_at))
  const wrong: Record<string, string> = {}
  for (const line of closed) {
    const now = asked.get(line.supply_id)
    const sentence = ofClosedMonth(dayOf(line.created_at, actor.time_zone))
    if (!now) wrong.supplies = sentence
    else if (now.count !== line.count) wrong[now.field] = sentence
    else if (hasOwnCost && line.warehouse_id === null && now.cost != null && now.cost !== line.cost)
      wrong[now.field.replace('count', 'cost')] = sentence
  }
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return new Set(closed)
}

interface Back {
  line: Line
  quantity: number
}

interface Moving {
  before: Line[]
  warehouse_id: number | null
  back: Back[]
  take: { supply_id: number; quantity: number; field: string }[]
  isNew: boolean
}

/** Gives back, then takes; tells what each supply that moved is now worth, and how its level rounds. */
async function move(db: Db, actor: Actor, order: UsingOrder, { before, warehouse_id, back, take, isNew }: Moving) {
  if (back.length + take.length === 0) return undefined
  const places = [
    ...back.map(({ line }) => ({ supply_id: line.supply_id, warehouse_id: line.warehouse_id! })),
    ...take.map(({ supply_id }) => ({ supply_id, warehouse_id: warehouse_id! })),
  ]
  // All levels at once, in one order for everyone: two orders that give and take the same never wait for each other.
  const { held, roundings, adjustments } = await batch({
    held: lockLevels(
      db,
      actor,
      places.map((place) => ({ ...place, quantity: -1n })),
    ),
    roundings: Roundings.of(db, actor, places),
    adjustments: isNew ? Promise.resolve([]) : adjustmentsOf(db, actor, order),
  })
  const moving = new Set(places.map(({ supply_id }) => supply_id))
  for (const line of before)
    if (line.warehouse_id !== null && moving.has(line.supply_id))
      roundings.forget({ ...line, warehouse_id: line.warehouse_id }, line)
  const lowered = new Set(back.map(({ line }) => line.supply_id))
  const standing = adjustments.filter(({ supply_id }) => !lowered.has(supply_id))
  await forgetAdjustments(
    db,
    actor,
    adjustments.filter(({ supply_id }) => lowered.has(supply_id)),
    roundings,
  )
  const origin = { kind: ORIGIN, id: order.id, document: order.code }
  for (const [from, lines] of Map.groupBy(back, ({ line }) => line.warehouse_id!))
    await giveBack(db, actor, {
      warehouse_id: from,
      origin,
      lines: lines.map(({ line, quantity }) => ({ supply_id: line.supply_id, quantity })),
    })
  const isReserved = [...held.values()].some(({ hasReservations }) => hasReservations)
  const used = { warehouse_id: warehouse_id!, origin, lines: take }
  // The levels that were locked still hold where nothing was given back or handed over since.
  const levels = isReserved || back.length > 0 ? undefined : held
  const { moved } = await batch({
    handedOver:
      isReserved && take.length > 0 ? releaseReserved(db, actor, origin, warehouse_id!, take) : Promise.resolve(),
    moved: consume(db, actor, used, levels),
  })
  const taken = isNew
    ? moved.map(({ supply_id, value }) => ({ warehouse_id, supply_id, value: toScaled(value) }))
    : await stockUsedBy(db, actor, ORIGIN, [order.id])
  const isOf = (place: Place) => (each: Pick<Line, 'supply_id' | 'warehouse_id'>) =>
    each.warehouse_id === place.warehouse_id && each.supply_id === place.supply_id
  /** A line and its adjustments are together what the ledger says. */
  const worth = (place: Place) => {
    if (!moving.has(place.supply_id)) return undefined
    const held = taken.find(isOf(place))
    const adjusted = standing.filter(isOf(place)).reduce((sum, { value }) => sum + toScaled(value), 0n)
    return held && held.value - adjusted
  }
  return { roundings, worth }
}

interface Place {
  warehouse_id: number
  supply_id: number
}
interface Adjustment extends Place {
  id: number
  value: number
  amount: number
}

const adjustmentsOf = (db: Db, actor: Actor, order: UsingOrder) =>
  rows<Adjustment>(
    db,
    sql`select id, warehouse_id, supply_id, value, amount from ${workOrderAdjustmentsTable}
        where company_id = ${actor.company_id} and work_order_id = ${order.id} order by id`,
  )

/**
 * Goods that come back take their share of the adjustments along. Those of their supply are deleted, and the line is worth
 * what the ledger says of what is left of it.
 */
async function forgetAdjustments(db: Db, actor: Actor, gone: Adjustment[], roundings: Roundings) {
  if (gone.length === 0) return
  await rows(
    db,
    sql`delete from ${workOrderAdjustmentsTable} where company_id = ${actor.company_id}
          and id = any(${sql.param(gone.map(({ id }) => id))}::bigint[])`,
  )
  for (const adjustment of gone) roundings.forget(adjustment, adjustment)
}

/** A line costs nothing at least: value below that is an adjustment beside it. */
async function bookBelowZero(db: Db, actor: Actor, order: UsingOrder, below: Omit<Adjustment, 'id'>[]) {
  if (below.length === 0) return
  const column = (of: (each: Omit<Adjustment, 'id'>) => number) => sql.param(below.map(of))
  await rows(
    db,
    sql`insert into ${workOrderAdjustmentsTable} (company_id, work_order_id, warehouse_id, supply_id, value, amount)
        select ${actor.company_id}::bigint, ${order.id}::bigint, n.* from unnest(${column((n) => n.warehouse_id)}::bigint[],
          ${column((n) => n.supply_id)}::bigint[], ${column((n) => n.value)}::numeric[], ${column((n) => n.amount)}::numeric[]) as n
        returning company_id`,
  )
}

async function catalogueCosts(db: Db, actor: Actor, inputs: { supply_id: number }[]) {
  const found = await rows<{ id: number; cost: number }>(
    db,
    sql`select id, cost from ${suppliesTable} where company_id = ${actor.company_id}
          and id = any(${sql.param(inputs.map(({ supply_id }) => supply_id))}::bigint[])`,
  )
  return new Map(found.map(({ id, cost }) => [id, cost]))
}

interface Saved extends Omit<Line, 'id' | 'created_at'> {
  line: Line | undefined
}

async function writeLines(
  db: Db,
  actor: Actor,
  order: UsingOrder,
  before: Line[],
  lines: Saved[],
  roundings: Roundings | undefined,
) {
  const { company_id } = actor
  const kept = new Set(lines.map(({ supply_id }) => supply_id))
  const removed = before.filter(({ supply_id }) => !kept.has(supply_id)).map(({ id }) => id)
  if (removed.length > 0)
    await rows(
      db,
      sql`delete from ${workOrderSuppliesTable} where company_id = ${company_id} and id = any(${sql.param(removed)}::bigint[])`,
    )
  const added = lines.filter(({ line }) => !line)
  await defer(db, batch([roundings?.save(db, actor) ?? Promise.resolve(), add(db, actor, order, added)]))
  const changed = lines.filter(
    ({ line, ...now }) =>
      line &&
      (line.count !== now.count ||
        line.value !== now.value ||
        line.amount !== now.amount ||
        line.cost !== now.cost ||
        line.warehouse_id !== now.warehouse_id),
  )
  if (changed.length === 0) return
  const column = (of: (line: Saved) => number | null) => sql.param(changed.map(of))
  await rows(
    db,
    sql`update ${workOrderSuppliesTable} l set warehouse_id = n.warehouse_id, count = n.count, cost = n.cost,
          value = n.value, amount = n.amount, updated_at = now()
        from unnest(${column(({ line }) => line!.id)}::bigint[], ${column((l) => l.warehouse_id)}::bigint[],
          ${column((l) => l.count)}::numeric[], ${column((l) => l.cost)}::numeric[], ${column((l) => l.value)}::numeric[],
          ${column((l) => l.amount)}::numeric[]) as n (id, warehouse_id, count, cost, value, amount)
        where l.company_id = ${company_id} and l.id = n.id`,
  )
}

async function add(db: Db, { company_id }: Actor, order: UsingOrder, added: Saved[]) {
  if (added.length === 0) return
  const column = (of: (line: Saved) => number | null) => sql.param(added.map(of))
  await rows(
    db,
    sql`insert into ${workOrderSuppliesTable} (company_id, work_order_id, supply_id, warehouse_id, count, cost, value, amount)
        select ${company_id}::bigint, ${order.id}::bigint, l.* from unnest(${column((l) => l.supply_id)}::bigint[],
          ${column((l) => l.warehouse_id)}::bigint[], ${column((l) => l.count)}::numeric[], ${column((l) => l.cost)}::numeric[],
          ${column((l) => l.value)}::numeric[], ${column((l) => l.amount)}::numeric[]) as l returning company_id`,
  )
}
