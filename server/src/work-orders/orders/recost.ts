import { sql } from 'drizzle-orm'
import { toScaled } from '#contract/base/money.ts'
import { type Database, type Db, numbers, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { recordChanges } from '../../platform/operations/audit.ts'
import { announce, subscribe } from '../../platform/operations/happenings.ts'
import { movementsToReprice, repriceDocuments } from '../../warehouses/documents/reprice.ts'
import { fromText, type LevelKey, toText } from '../../warehouses/stock/ledger.ts'
import { lockSuppliesForReplay } from '../../warehouses/stock/locked-levels.ts'
import { recostedEvent } from '../../warehouses/stock/recosted.ts'
import { replayFrom } from '../../warehouses/stock/replay.ts'
import { usedStock } from '../../warehouses/stock/use.ts'
import { levelsOfStaleReturns } from '../../warehouses/stock/worth.ts'
import { movementsTable } from '../../warehouses/tables.ts'
import { openSince } from '../../workshops/months.ts'
import { companiesTable } from '../../workshops/tables.ts'
import { ORIGIN } from '../supplies/used-supplies.ts'
import { workOrderAdjustmentsTable, workOrderCostsTable, workOrderSuppliesTable } from '../tables.ts'
import { lockAndWriteExpenses } from './expenses.ts'
import { Roundings, unitOf } from './roundings.ts'

interface Line {
  id: string
  work_order_id: number
  supply_id: number
  warehouse_id: number
  count: number
  value: number
  amount: number
  /** Ten-thousandths: what it is worth now, and what is to be booked today because its month is closed. */
  now: bigint
  more: bigint
}

/**
 * Brings the lines of orders to what their goods cost by the ledger; orders and reports follow. Lines of a closed month stay
 * as they are, and the difference is booked today. A line is never worth less than zero: the rest is booked today, too. The levels are held.
 */
export async function recostOrders(db: Db, actor: Actor, ids: number[], why: string) {
  const { company_id } = actor
  const since = await openSince(db, actor)
  const of = sql`any(${numbers(ids)}::bigint[])`
  const found = await rows<Omit<Line, 'now' | 'more'> & { now: string; more: string }>(
    db,
    sql`select l.id::text, l.work_order_id, l.supply_id, l.warehouse_id, l.count, l.value, l.amount, now::text as now,
          (held - now - adjusted)::text as more
        from (
          select l.id, l.work_order_id, l.supply_id, l.warehouse_id, l.count, l.value, l.amount, h.value as held,
            coalesce(a.adjusted, 0) as adjusted,
            case when l.created_at < ${since}::timestamptz then l.value
              else greatest(h.value - h.adjusted, 0) end as now
          from ${workOrderSuppliesTable} l
          join (${usedStock(actor, ORIGIN, of)}) h on h.origin_id = l.work_order_id and h.supply_id = l.supply_id
            and h.warehouse_id = l.warehouse_id
          left join (select work_order_id, supply_id, warehouse_id, sum(value) as adjusted from ${workOrderAdjustmentsTable}
            where company_id = ${company_id} and work_order_id = ${of} group by 1, 2, 3) a
            on a.work_order_id = l.work_order_id and a.supply_id = l.supply_id and a.warehouse_id = l.warehouse_id
          where l.company_id = ${company_id} and l.work_order_id = ${of}) l
        where now <> value or held - now <> adjusted order by l.id`,
  )
  const lines = found.map((line): Line => ({ ...line, now: fromText(line.now), more: fromText(line.more) }))
  if (lines.length === 0) return
  const roundings = await Roundings.of(db, actor, lines)
  const changed = lines.filter(({ value, now }) => now !== toScaled(value))
  for (const line of changed) roundings.forget(line, line)
  const settled = changed.map((line) => ({
    line,
    cost: unitOf(line.now, line.count),
    amount: roundings.amountOf(line, line.now),
  }))
  const booked = lines
    .filter(({ more }) => more !== 0n)
    .map((line) => ({ line, amount: roundings.amountOf(line, line.more) }))
  await roundings.save(db, actor)
  await writeLines(db, actor, settled)
  await book(db, actor, booked, why)
  const more = new Map<number, number>()
  const add = (order: number, pesos: number) => more.set(order, (more.get(order) ?? 0) + pesos)
  for (const { line, amount } of settled) add(line.work_order_id, amount - line.amount)
  for (const { line, amount } of booked) add(line.work_order_id, amount)
  await settleOrders(db, actor, more, why)
  await lockAndWriteExpenses(db, actor, [...more.keys()])
  announce(db, actor, { topic: 'work-orders', workshop_id: null, ids: [...more.keys()] })
}

async function writeLines(db: Db, actor: Actor, settled: { line: Line; cost: number; amount: number }[]) {
  if (settled.length === 0) return
  const column = (of: (settled: { line: Line; cost: number; amount: number }) => number | string) =>
    numbers(settled.map(of))
  await rows(
    db,
    sql`update ${workOrderSuppliesTable} l set cost = n.cost, value = n.value, amount = n.amount
        from unnest(${column(({ line }) => line.id)}::bigint[], ${column(({ cost }) => cost)}::numeric[],
          ${column(({ line }) => toText(line.now))}::numeric[], ${column(({ amount }) => amount)}::numeric[])
          as n (id, cost, value, amount)
        where l.company_id = ${actor.company_id} and l.id = n.id`,
  )
}

async function book(db: Db, actor: Actor, booked: { line: Line; amount: number }[], because: string) {
  if (booked.length === 0) return
  const column = <T>(of: (line: Line) => T) => sql.param(booked.map(({ line }) => of(line)))
  await rows(
    db,
    sql`insert into ${workOrderAdjustmentsTable}
          (company_id, work_order_id, supply_id, warehouse_id, value, amount, because)
        select ${actor.company_id}::bigint, n.*, ${because}::text
        from unnest(${column((l) => l.work_order_id)}::bigint[], ${column((l) => l.supply_id)}::bigint[],
          ${column((l) => l.warehouse_id)}::bigint[], ${column((l) => toText(l.more))}::numeric[],
          ${sql.param(booked.map(({ amount }) => amount))}::numeric[]) as n
        returning company_id`,
  )
}

/** The orders' totals, and a line in the activity of each: what it cost, what it costs, and why. */
async function settleOrders(db: Db, actor: Actor, more: Map<number, number>, why: string) {
  const changed = [...more].filter(([, pesos]) => pesos !== 0).sort(([a], [b]) => a - b)
  if (changed.length === 0) return
  await recordChanges(
    db,
    actor,
    'work_order',
    'recosted',
    sql`update ${workOrderCostsTable} c set supplies_cost = c.supplies_cost + n.more
        from unnest(${numbers(changed.map(([id]) => id))}::bigint[], ${numbers(changed.map(([, pesos]) => pesos))}::bigint[])
          as n (id, more)
        where c.company_id = ${actor.company_id} and c.id = n.id
        returning c.*, n.more, c.id as entity_id`,
    {
      changes: sql`jsonb_build_object('because', jsonb_build_array(null, ${why}::text),
        'supplies_cost', jsonb_build_array(c.supplies_cost - c.more, c.supplies_cost))`,
    },
  )
}

/** For those who ask for it: what orders cost becomes what the ledger says, level by level. */
export async function settleOpenMonths(database: Database) {
  if (!database.context.listeners?.[recostedEvent(ORIGIN)]) subscribe(database, recostedEvent(ORIGIN), recostOrders)
  const companies = await database.read(undefined, (db) =>
    rows<{ id: number; name: string; time_zone: string }>(
      db,
      sql`select id, name, time_zone from ${companiesTable} order by id`,
    ),
  )
  const settled: { company: string; orders: number }[] = []
  for (const { id, name, time_zone } of companies) {
    const actor: Actor = {
      company_id: id,
      time_zone,
      user_id: 0,
      user_name: 'Recosteo',
      session_id: 0,
      role: 'super-admin',
      workshop_id: null,
      may: new Set(),
    }
    const differing = await database.read(id, (db) => levelsThatDiffer(db, actor))
    const levels = [...differing, ...(await database.read(id, (db) => levelsOfStaleReturns(db, actor)))]
    let orders = 0
    for (const level of levels) orders += await database.write(id, (db) => settleLevel(db, actor, level))
    await database.write(id, async (db) => repriceDocuments(db, actor, await movementsToReprice(db, actor)))
    settled.push({ company: name, orders })
  }
  return settled
}

/** Where what orders say they took is not what the ledger says. */
const levelsThatDiffer = (db: Db, { company_id }: Actor) =>
  rows<LevelKey>(
    db,
    sql`select distinct warehouse_id, supply_id from (
          select m.origin_id, m.warehouse_id, m.supply_id, -sum(m.value) as value from ${movementsTable} m
          where m.company_id = ${company_id} and m.origin = ${ORIGIN} group by 1, 2, 3) m
        full join (
          select work_order_id as origin_id, warehouse_id, supply_id, sum(value) as value from (
            select work_order_id, warehouse_id, supply_id, value from ${workOrderSuppliesTable}
            where company_id = ${company_id} and warehouse_id is not null
            union all select work_order_id, warehouse_id, supply_id, value from ${workOrderAdjustmentsTable}
            where company_id = ${company_id}) l group by 1, 2, 3) l using (origin_id, warehouse_id, supply_id)
        where coalesce(m.value, 0) <> coalesce(l.value, 0) order by supply_id, warehouse_id`,
  )

/** Works the open months of a level out again, then settles every order that took from it. */
async function settleLevel(db: Db, actor: Actor, place: LevelKey): Promise<number> {
  await lockSuppliesForReplay(db, actor, [place])
  await replayFrom(db, actor, place, (await openSince(db, actor)) ?? '-infinity')
  const users = await rows<{ id: number }>(
    db,
    sql`select distinct m.origin_id as id from ${movementsTable} m where m.company_id = ${actor.company_id}
          and m.warehouse_id = ${place.warehouse_id} and m.supply_id = ${place.supply_id} and m.origin = ${ORIGIN}`,
  )
  await recostOrders(
    db,
    actor,
    users.map(({ id }) => id),
    'recosteo',
  )
  return users.length
}
