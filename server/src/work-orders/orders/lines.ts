import { and, eq, type SQL, sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import {
  lineAmount,
  mayWork,
  type ServiceLine,
  type ServiceLineInput,
  type Work,
  type WorkInput,
  workStateOf,
} from '#contract/work-orders/lines.ts'
import { ofClosedMonth } from '#contract/workshops/months.ts'
import { all } from '../../platform/database/conditions.ts'
import { batch, COMPANY, type Db, defer, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid } from '../../platform/problems.ts'
import { providersTable, servicesTable } from '../../providers/tables.ts'
import { isClosedOn, type Open, openMonths } from '../../workshops/months.ts'
import { closedMonthsTable } from '../../workshops/tables.ts'
import { followServices, ordersToCount } from '../invoice-shares.ts'
import { changedInClosed, closedLabour, endClocks, keepTyped } from '../labour/labour.ts'
import {
  invoiceSharesTable,
  invoicesTable,
  serviceAdjustmentsTable,
  workOrderAdjustmentsTable,
  workOrderCostsTable,
  workOrderServicesTable,
  workOrderSuppliesTable,
  workOrdersTable,
  worksTable,
  workTimesTable,
} from '../tables.ts'
import { lockAndWriteExpenses, writeExpenses } from './expenses.ts'

/* Works and services of an order, saved as a whole: what stays carries its id, what is no longer sent goes. */

const GONE = 'Esta línea ya no está en la orden. Recargue para ver la última versión.'

/** Pairs what is sent with what is there; an id that is not there is refused. */
function pair<Line extends { id: number }, Input extends { id?: number | undefined }>(
  list: string,
  lines: readonly Line[],
  inputs: readonly Input[],
) {
  const there = new Map(lines.map((line) => [line.id, line]))
  const kept = inputs.map((input, i) => {
    const line = input.id === undefined ? undefined : there.get(input.id)
    if (input.id !== undefined && !line) throw invalid({ [`${list}.${i}.id`]: GONE })
    if (line) there.delete(line.id)
    return { input, line, i }
  })
  return { kept, removed: [...there.keys()] }
}

const mine = (actor: Actor, order: { id: number }) =>
  sql`company_id = ${actor.company_id} and work_order_id = ${order.id}`

/* Works */

const WORK_FIELDS = [
  'description',
  'task_id',
  'specialist_id',
  'reviewed_by_specialist_id',
  'hours',
  'start_time',
  'end_time',
  'target_start_at',
  'target_end_at',
  'priority',
  'type_maintenance_id',
] as const
const sameTime = (a: string | null, b: string | null) => (a && Date.parse(a)) === (b && Date.parse(b))
const isTime = (field: string) => /_(time|at)$/.test(field)

export async function saveWorks(db: Db, actor: Actor, order: { id: number }, before: Work[], inputs: WorkInput[]) {
  const { kept, removed } = pair('works', before, inputs)
  const closed = removed.length > 0 ? await closedLabour(db, actor, { works: removed }) : undefined
  if (closed) throw invalid({ works: `No se puede quitar un trabajo con horas. ${ofClosedMonth(closed)}` })
  if (removed.length > 0)
    await rows(
      db,
      sql`delete from ${worksTable} where ${mine(actor, order)} and id = any(${sql.param(removed)}::bigint[])`,
    )
  const { company_id } = actor
  const stopped: number[] = []
  const added: (typeof worksTable.$inferInsert)[] = []
  for (const { input, line } of kept) {
    const { id: _, ...values } = input
    const state = workStateOf(values)
    if (!line) {
      added.push({ company_id, work_order_id: order.id, ...values, state })
      continue
    }
    const changed = WORK_FIELDS.filter((field) =>
      isTime(field)
        ? !sameTime(line[field] as string | null, values[field] as string | null)
        : line[field] !== values[field],
    )
    if (changed.length === 0) continue
    // What a mechanic pressed stays, unless somebody writes other times.
    const retimed = changed.includes('start_time') || changed.includes('end_time')
    await db
      .update(worksTable)
      .set({ ...values, ...(retimed && { state }), updated_at: new Date().toISOString() })
      .where(and(eq(worksTable.company_id, company_id), eq(worksTable.id, line.id)))
    if (retimed && !mayWork({ state }, 'pause')) stopped.push(line.id)
  }
  if (added.length > 0) await db.insert(worksTable).values(added)
  if (stopped.length > 0) await endClocks(db, actor, sql`t.work_id = any(${sql.param(stopped)}::bigint[])`)
  const [wrong] = before.length > 0 ? await changedInClosed(db, actor, order.id) : []
  if (!wrong) return
  const at = kept.find(({ line }) => line?.id === wrong.work_id)
  throw invalid({ [at ? `works.${at.i}.hours` : 'works']: ofClosedMonth(wrong.day) })
}

/* Services */

export const servicesOf = (db: Db, actor: Actor, work_order_id: number) =>
  rows<ServiceLine>(
    db,
    sql`select l.id, l.provider_id, p.name as provider_name, l.service_id, s.code, s.name, l.quantity, l.unit_price,
          l.amount, l.day, l.created_at
        from ${workOrderServicesTable} l
        join ${servicesTable} s on s.company_id = l.company_id and s.id = l.service_id
        join ${providersTable} p on p.company_id = l.company_id and p.id = l.provider_id
        where l.company_id = ${actor.company_id} and l.work_order_id = ${work_order_id} order by l.id`,
  )

interface Offered {
  id: number
  provider_id: number
  unit_price: number
  offered: boolean
}

export async function saveServices(
  db: Db,
  actor: Actor,
  order: { id: number; workshop_id: number },
  before: ServiceLine[],
  inputs: ServiceLineInput[],
) {
  if (before.length + inputs.length === 0) return
  const { kept, removed } = pair('services', before, inputs)
  const open = await openMonths(db, actor)
  const found = await rows<Offered>(
    db,
    sql`select s.id, s.provider_id, s.unit_price, s.state = 'active' and p.state = 'active' as offered
        from ${servicesTable} s join ${providersTable} p on p.company_id = s.company_id and p.id = s.provider_id
        where s.company_id = ${actor.company_id} and (s.workshop_id is null or s.workshop_id = ${order.workshop_id})
          and s.id = any(${sql.param(inputs.map((input) => input.service_id))}::bigint[])`,
  )
  const services = new Map(found.map((service) => [service.id, service]))
  const wrong: Record<string, string> = {}
  const lines = kept.flatMap(({ input, line, i }) => {
    const service = services.get(input.service_id)
    const same = line?.service_id === input.service_id
    if (!service || (!service.offered && !same)) {
      wrong[`services.${i}.service_id`] = 'Elija un servicio de la lista.'
      return []
    }
    const { quantity } = input
    const unit_price = input.unit_price ?? (same ? line.unit_price : null) ?? service.unit_price
    const { provider_id, id: service_id } = service
    const now = { provider_id, service_id, quantity, unit_price, amount: lineAmount(quantity, unit_price) }
    if (line && isClosedOn(open, line.day) && differs(line, now))
      wrong[`services.${i}.quantity`] = ofClosedMonth(line.day)
    return [{ line, ...now }]
  })
  const gone = before.find((line) => removed.includes(line.id) && isClosedOn(open, line.day))
  if (gone) wrong.services = `${gone.name}: ${ofClosedMonth(gone.day)}`
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  if (removed.length > 0)
    await rows(
      db,
      sql`delete from ${workOrderServicesTable} where ${mine(actor, order)} and id = any(${sql.param(removed)}::bigint[])`,
    )
  const { company_id } = actor
  const today = dayOf(new Date(), actor.time_zone)
  const added = lines.filter(({ line }) => !line)
  if (added.length > 0)
    await db
      .insert(workOrderServicesTable)
      .values(added.map(({ line: _, ...values }) => ({ company_id, work_order_id: order.id, ...values, day: today })))
  const changed = lines.filter(({ line, ...values }) => line && differs(line, values))
  for (const { line, ...values } of changed)
    await db
      .update(workOrderServicesTable)
      .set({ ...values, updated_at: new Date().toISOString() })
      .where(and(eq(workOrderServicesTable.company_id, company_id), eq(workOrderServicesTable.id, line!.id)))
  if (added.length + changed.length > 0) await countServices(db, actor, order, open)
  await requireInvoiced(db, actor, order)
  await followServices(db, actor, order, open)
}

type Kept = Pick<ServiceLine, 'provider_id' | 'service_id' | 'quantity' | 'unit_price' | 'amount'>
const differs = (line: Kept, now: Kept) =>
  line.provider_id !== now.provider_id ||
  line.service_id !== now.service_id ||
  line.quantity !== now.quantity ||
  line.unit_price !== now.unit_price ||
  line.amount !== now.amount

/** Services that are not counted on their day: their invoice's date, or else the day they were recorded. */
const miscounted = (actor: Actor, which: SQL | undefined, since: SQL) => sql`
  select l.id, n.day from ${workOrderServicesTable} l
  left join ${invoiceSharesTable} s on s.company_id = l.company_id and s.work_order_id = l.work_order_id
    and s.provider_id = l.provider_id
  left join ${invoicesTable} i on i.company_id = s.company_id and i.id = s.invoice_id
  cross join lateral (select coalesce(i.date, (l.created_at at time zone ${actor.time_zone})::date) as day) n
  where ${all([sql`l.company_id = ${actor.company_id}`, which])} and l.day <> n.day
    and least(l.day, n.day) >= coalesce(${since}, '-infinity')`

/** After any service of an order, or an invoice, changed. Services neither leave a closed month nor enter one. */
export const countServices = (db: Db, actor: Actor, order: { id: number }, open: Open) =>
  rows(
    db,
    sql`update ${workOrderServicesTable} l set day = n.day
        from (${miscounted(actor, sql`l.work_order_id = ${order.id}`, sql`${open.day}::date`)}) n
        where l.company_id = ${actor.company_id} and l.id = n.id`,
  )

/** After months were opened again: what was added to them meanwhile counts there, and their invoices follow services again. */
export async function countReopened(db: Db, actor: Actor) {
  const since = sql`(select (closed_through || '-01')::date + interval '1 month' from ${closedMonthsTable}
    where company_id = ${actor.company_id})`
  const moved = await rows<{ work_order_id: number }>(
    db,
    sql`update ${workOrderServicesTable} l set day = n.day from (${miscounted(actor, undefined, since)}) n
        where l.company_id = ${actor.company_id} and l.id = n.id returning l.work_order_id`,
  )
  await lockAndWriteExpenses(db, actor, [...new Set(moved.map(({ work_order_id }) => work_order_id))])
  const open = await openMonths(db, actor)
  for (const { id } of await ordersToCount(db, actor, open)) {
    await followServices(db, actor, { id }, open)
    await settle(db, actor, id, false)
  }
}

/** An invoice is for services that are in the order. */
async function requireInvoiced(db: Db, actor: Actor, order: { id: number }) {
  const [orphan] = await rows<{ name: string }>(
    db,
    sql`select p.name from ${invoiceSharesTable} s
        join ${providersTable} p on p.company_id = s.company_id and p.id = s.provider_id
        where s.company_id = ${actor.company_id} and s.work_order_id = ${order.id} and not exists (
          select 1 from ${workOrderServicesTable} l where l.company_id = ${COMPANY}
            and l.work_order_id = s.work_order_id and l.provider_id = s.provider_id) limit 1`,
  )
  if (orphan) throw invalid({ services: `${orphan.name} tiene una factura en esta orden: elimine primero la factura.` })
}

/** What the order costs, from its lines, and whose it is: after any of that changed. `worked`: it has, or had, works. */
export async function settle(db: Db, actor: Actor, id: number, worked = true) {
  const open = await openMonths(db, actor)
  const sum = (
    table:
      | typeof workOrderSuppliesTable
      | typeof workOrderServicesTable
      | typeof serviceAdjustmentsTable
      | typeof workOrderAdjustmentsTable
      | typeof workTimesTable,
  ) =>
    sql`(select coalesce(sum(l.amount), 0) from ${table} l where l.company_id = ${COMPANY} and l.work_order_id = o.id)`
  await batch([
    worked ? keepTyped(db, actor, id, open) : Promise.resolve(),
    defer(
      db,
      rows(
        db,
        sql`insert into ${workOrderCostsTable} as c
          (company_id, id, workshop_id, truck_id, created_at, supplies_cost, services_cost, labour_cost, type_maintenance_id, planned, place, priority)
        select o.company_id, o.id, o.workshop_id, o.truck_id, o.created_at,
          ${sum(workOrderSuppliesTable)} + ${sum(workOrderAdjustmentsTable)},
          ${sum(workOrderServicesTable)} + ${sum(serviceAdjustmentsTable)}, ${sum(workTimesTable)},
          o.type_maintenance_id, o.planned, o.place, o.priority
        from ${workOrdersTable} o where o.company_id = ${actor.company_id} and o.id = ${id}
        on conflict (company_id, id) do update set workshop_id = excluded.workshop_id, truck_id = excluded.truck_id,
          supplies_cost = excluded.supplies_cost, services_cost = excluded.services_cost,
          labour_cost = excluded.labour_cost,
          type_maintenance_id = excluded.type_maintenance_id, planned = excluded.planned, place = excluded.place,
          priority = excluded.priority`,
      ),
    ),
    defer(db, writeExpenses(db, actor, [id])),
  ])
}
