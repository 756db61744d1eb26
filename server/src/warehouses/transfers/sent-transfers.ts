import { type SQL, sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import { showQuantity, toScaled } from '#contract/base/money.ts'
import { COST_ADJUSTMENT, typeNamed } from '#contract/warehouses/stock.ts'
import {
  type ReceiveTransfer,
  type SentLine,
  type SentTransfer,
  type SentTransferList,
  type SentTransferSheet,
  TRANSFER_STATES,
  type TransferState,
  type TransferWay,
} from '#contract/warehouses/transfers.ts'
import { all, oneOf } from '../../platform/database/conditions.ts'
import { COMPANY, type Db, row, rows } from '../../platform/database/db.ts'
import { listPage } from '../../platform/database/lists.ts'
import { matches } from '../../platform/database/words.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid, notFound, Problem } from '../../platform/problems.ts'
import { makeElsewhere } from '../../supplies/elsewhere.ts'
import { measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import { workshopsTable } from '../../workshops/tables.ts'
import { codeOf, insertDocument } from '../documents/transactions.ts'
import { fromText } from '../stock/ledger.ts'
import { lockSupplies } from '../stock/locked-levels.ts'
import type { MovementSource } from '../stock/recosted.ts'
import { type Plan, type Posting, plan, write } from '../stock/stock.ts'
import { shareOf } from '../stock/worth.ts'
import { movementsTable, transactionLinesTable, transactionsTable, warehousesTable } from '../tables.ts'
import { announceEnds } from './transfers.ts'

/* What goes from one workshop to another, seen from both: an exit there, and an entry here once it is received. */

const standing = (as: SQL, type: SQL) => sql`left join ${transactionsTable} ${as} on ${as}.company_id = t.company_id
  and ${as}.transfer_id = t.id and ${as}.type = ${type} and ${as}.voided_at is null`
const FROM = sql`${transactionsTable} t
  join ${warehousesTable} w on w.company_id = t.company_id and w.id = t.warehouse_id
  join ${workshopsTable} k on k.company_id = t.company_id and k.id = w.workshop_id
  join ${warehousesTable} x on x.company_id = t.company_id and x.id = t.to_warehouse_id
  join ${workshopsTable} z on z.company_id = t.company_id and z.id = x.workshop_id
  ${standing(sql`e`, sql`'entry'`)} ${standing(sql`d`, sql`'exit'`)}`
/** What a document moved, as it stands. */
const worthOf = (id: SQL) => sql`(select round(abs(sum(m.value))) from ${movementsTable} m
  where m.company_id = ${COMPANY} and m.transaction_id = ${id} and not m.is_void
    and (m.quantity <> 0 or m."typeTrasactionId" = ${COST_ADJUSTMENT.id}))`
const VALUE = worthOf(sql`t.id`)
const STATES: Record<TransferState, SQL> = {
  cancelled: sql`t.voided_at is not null`,
  sent: sql`t.voided_at is null and e.id is null`,
  difference: sql`t.voided_at is null and e.id is not null and d.id is not null`,
  received: sql`t.voided_at is null and e.id is not null and d.id is null`,
}
const STATE = sql`case ${sql.join(
  Object.entries(STATES).map(([state, is]) => sql`when ${is} then ${sql.raw(`'${state}'`)}`),
  sql` `,
)} end`
const SELECT = sql`t.id, t.number, ${STATE} as state, t.warehouse_id, w.name as warehouse_name, w.workshop_id,
  k.name as workshop_name, t.to_warehouse_id, x.name as to_warehouse_name, x.workshop_id as to_workshop_id,
  z.name as to_workshop_name, t.document, t.reference, t.note, t.date, t.created_at as sent_at, t.user_name as sent_by,
  e.created_at as received_at, e.user_name as received_by, e.id as receipt_id, e.number as receipt_number,
  d.id as loss_id, d.number as loss_number,
  (select count(*) from ${transactionLinesTable} l where l.company_id = ${COMPANY} and l.transaction_id = t.id) as lines_count,
  ${VALUE} as value, coalesce(${worthOf(sql`d.id`)}, 0) as missing_value`

type Flat = Omit<SentTransfer, 'code' | 'receipt_code' | 'loss_code'> & {
  number: number
  receipt_number: number | null
  loss_number: number | null
}
const named = ({ number, receipt_number, loss_number, ...t }: Flat): SentTransfer => ({
  ...t,
  code: codeOf('exit', number),
  receipt_code: receipt_number === null ? null : codeOf('entry', receipt_number),
  loss_code: loss_number === null ? null : codeOf('exit', loss_number),
})

/** Where it leaves and where it arrives: each in a workshop that the person works in, or asks for. */
function endsIn(actor: Actor, asked?: number[]) {
  const workshops = actor.workshop_id === null ? asked : [actor.workshop_id]
  return { out: oneOf(sql`w.workshop_id`, workshops), in: oneOf(sql`x.workshop_id`, workshops) }
}
const inReach = (actor: Actor, asked?: number[]) =>
  all([sql`t.company_id = ${actor.company_id} and t.to_warehouse_id is not null`, either(endsIn(actor, asked))])
const either = (ends: Partial<Record<TransferWay, SQL | undefined>>) =>
  ends.in && ends.out && sql`(${ends.in} or ${ends.out})`

export async function listTransfers(db: Db, actor: Actor, query: SentTransferList) {
  const { filter } = query
  const search = filter.Search?.replace(/^sal-0*/i, '')
  const words = matches(sql`t.search`, search)
  const [since, until] = (filter.BetweenDate ?? '').split(',')
  const ends = filter.Warehouse?.length
    ? { out: oneOf(sql`t.warehouse_id`, filter.Warehouse), in: oneOf(sql`t.to_warehouse_id`, filter.Warehouse) }
    : endsIn(actor, filter.WorkshopId)
  const [way] = filter.Way?.length === 1 ? filter.Way : []
  const states = filter.State?.map((state) => sql`(${STATES[state]})`)
  const found = await listPage<Flat>(db, query, {
    select: SELECT,
    from: FROM,
    where: all([
      inReach(actor, filter.WorkshopId),
      way ? ends[way] : either(ends),
      states && states.length > 0 ? sql`(${sql.join(states, sql` or `)})` : undefined,
      since && until ? sql`t.date between ${since.slice(0, 10)}::date and ${until.slice(0, 10)}::date` : undefined,
      words && sql`((${words}) or t.number = ${/^\d{1,9}$/.test(search ?? '') ? Number(search) : 0})`,
    ]),
    sorts: {
      date: sql`t.date`,
      code: sql`t.number`,
      warehouse_name: sql`w.name`,
      to_warehouse_name: sql`x.name`,
      value: VALUE,
      sent_at: sql`t.created_at`,
    } satisfies Record<string, SQL>,
    order: sql`t.id desc`,
    id: sql`t.id`,
  })
  return { ...found, data: found.data.map(named) }
}

/** The same supply at the other end: as it was received, or else the one with its code. */
const linesOf = (db: Db, actor: Actor, { id, receipt_id, loss_id, to_workshop_id }: SentTransfer) =>
  rows<SentLine & { to_active: boolean; quantity_text: string; value_text: string }>(
    db,
    sql`select l.supply_id, s.code, s.name, u.name as unit, l.quantity,
          case when a.value = 0 then l.unit_cost else round((-m.value - a.value) / l.quantity, 4) end as unit_cost,
          round(-m.value - a.value) as value,
          case when r.id is not null then r.quantity - coalesce(d.quantity, 0) end as received,
          coalesce(d.quantity, 0) as missing, d.reason, (-m.quantity)::text as quantity_text, (-m.value - a.value)::text as value_text,
          coalesce(o.state = 'active', true) as to_active, case when o.id is not null then jsonb_build_object(
            'supply_id', o.id, 'code', o.code, 'name', o.name, 'unit', v.name) end as "to"
        from ${transactionLinesTable} l
        join ${suppliesTable} s on s.company_id = l.company_id and s.id = l.supply_id
        left join ${measurementUnitsTable} u on u.company_id = s.company_id and u.id = s.measurement_units_id
        join ${movementsTable} m on m.company_id = l.company_id and m.transaction_id = l.transaction_id
          and m.supply_id = l.supply_id and not m.is_void and m.quantity <> 0
        cross join lateral (
          select coalesce(sum(v.value), 0) as value from ${movementsTable} v
          where v.company_id = ${COMPANY} and v.transaction_id = l.transaction_id and v.supply_id = l.supply_id
            and v."typeTrasactionId" = ${COST_ADJUSTMENT.id} and not v.is_void) a
        left join ${transactionLinesTable} r on r.company_id = l.company_id and r.transaction_id = ${receipt_id}
          and r.from_supply_id = l.supply_id
        left join ${transactionLinesTable} d on d.company_id = l.company_id and d.transaction_id = ${loss_id}
          and d.from_supply_id = l.supply_id
        cross join lateral (select coalesce(r.supply_id, (
          select c.id from ${suppliesTable} c where c.company_id = ${COMPANY} and c.workshop_id = ${to_workshop_id}
            and lower(c.code) = lower(s.code))) as id offset 0) k
        left join ${suppliesTable} o on o.company_id = ${COMPANY} and o.id = k.id
        left join ${measurementUnitsTable} v on v.company_id = o.company_id and v.id = o.measurement_units_id
        where l.company_id = ${actor.company_id} and l.transaction_id = ${id} order by l.id`,
  )

async function findTransfer(db: Db, actor: Actor, id: number): Promise<SentTransfer> {
  const found = await row<Flat>(db, sql`select ${SELECT} from ${FROM} where ${inReach(actor)} and t.id = ${id}`)
  if (!found) throw notFound()
  return named(found)
}

export async function requireTransfer(db: Db, actor: Actor, id: number): Promise<SentTransferSheet> {
  const found = await findTransfer(db, actor, id)
  const lines = await linesOf(db, actor, found)
  return { ...found, supplies: lines.map(({ to_active: _, quantity_text: __, value_text: ___, ...line }) => line) }
}

/* Receiving */

/** A line of what was sent, with what was said of it. */
interface Arriving {
  supply_id: number
  to_supply_id: number
  sent: { quantity: bigint; value: bigint }
  unit_cost: number
  quantity: number
  missing: bigint
  reason: string | null
  /** Where what is wrong with it is read. */
  field: string
}

/**
 * All of it comes in at the value it left with; what did not arrive is written off at its share of that, in an exit of
 * its own. Both change with what the exit turns out to have cost.
 */
export async function receiveTransfer(db: Db, actor: Actor, id: number, what: ReceiveTransfer) {
  const transfer = await findTransfer(db, actor, id)
  if (actor.workshop_id !== null && actor.workshop_id !== transfer.to_workshop_id)
    throw new Problem(403, `Lo recibe quien trabaja en ${transfer.to_workshop_name}.`)
  const arriving = await arrivingOf(db, actor, transfer, what)
  const { document } = transfer
  const to = {
    id: transfer.to_warehouse_id,
    workshop_id: transfer.to_workshop_id,
    code: '',
    name: transfer.to_warehouse_name,
  }
  const place = ({ to_supply_id, field }: Arriving) => ({
    warehouse_id: to.id,
    supply_id: to_supply_id,
    field,
    follows: true,
  })
  const lost = arriving.filter(({ missing }) => missing > 0n)
  const postings: Posting[] = [
    ...arriving.map((line) => ({ ...place(line), ...line.sent, unit_cost: toScaled(line.unit_cost) })),
    ...lost.map((line) => ({
      ...place(line),
      quantity: -line.missing,
      value: -shareOf(line.sent, line.missing),
      unit_cost: toScaled(line.unit_cost),
      ignoresReservations: true,
    })),
  ]
  const planned = await plan(db, actor, postings)
  const date = dayOf(new Date(), actor.time_zone)
  const lineOf = ({ supply_id, to_supply_id }: Arriving) => ({
    supply_id: to_supply_id,
    from_supply_id: supply_id,
    tax_type: 'exempt' as const,
  })
  const reference = `${transfer.code} de ${transfer.workshop_name}`
  const file = (type: 'entry' | 'exit', typeTrasactionId: number, note: string | null, first: number) => {
    const lines = type === 'entry' ? arriving : lost
    const header = { type, typeTrasactionId, date, document, reference, note, transfer_id: id }
    const filed = lines.map((line) => ({
      ...lineOf(line),
      quantity: type === 'entry' ? line.quantity : Number(line.missing) / 10_000,
      reason: type === 'entry' ? null : line.reason,
    }))
    return insertDocument(db, actor, to, header, filed, planned, first)
  }
  const received = typeNamed('entry', 'transfer')
  const wasted = typeNamed('exit', 'waste')
  const entry = await file('entry', received, what.note, 0)
  const sources: MovementSource[] = arriving.map(() => ({
    typeTrasactionId: received,
    transaction_id: entry,
    document,
  }))
  if (lost.length > 0) {
    const why = [...new Set(lost.map(({ reason }) => reason))].join('; ')
    const loss = await file('exit', wasted, `Diferencia de traslado: ${why}`.slice(0, 1000), arriving.length)
    sources.push(...lost.map(() => ({ typeTrasactionId: wasted, transaction_id: loss, document })))
  }
  await write(db, actor, sources[0]!, withSources(planned, sources))
  announceEnds(db, actor, [{ id: transfer.warehouse_id, workshop_id: transfer.workshop_id }, to])
  return requireTransfer(db, actor, id)
}

const withSources = (planned: Plan, sources: MovementSource[]): Plan => ({
  ...planned,
  movements: planned.movements.map((movement, i) => ({
    ...movement,
    posting: { ...movement.posting, source: sources[i]! },
  })),
})

/** What comes, under which name here; held, so that neither it nor what it cost changes meanwhile. */
async function arrivingOf(db: Db, actor: Actor, transfer: SentTransfer, what: ReceiveTransfer): Promise<Arriving[]> {
  let sent = await linesOf(db, actor, transfer)
  if (sent.some(({ to }) => to === null)) {
    // Of two that make the same supply here at once, the second finds it.
    const key = `supplies elsewhere ${actor.company_id} ${transfer.to_workshop_id}`
    await rows(db, sql`select pg_advisory_xact_lock(hashtextextended(${key}::text, 0))`)
    sent = await linesOf(db, actor, transfer)
  }
  requireKnown(what, sent)
  const saidOf = (supply_id: number) => what.supplies.findIndex((line) => line.supply_id === supply_id)
  const chosen = await chosenHere(db, actor, transfer, what, sent)
  const missing = sent.filter(({ supply_id, to }) => !to && !chosen.has(supply_id)).map(({ supply_id }) => supply_id)
  const made = await makeElsewhere(db, actor, missing, transfer.to_workshop_id)
  const toOf = ({ supply_id, to }: SentLine) => chosen.get(supply_id) ?? made.get(supply_id) ?? to!.supply_id
  await lockSupplies(db, actor, [...sent.map(({ supply_id }) => supply_id), ...sent.map(toOf)])
  await rows(
    db,
    sql`select 1 from ${transactionsTable} where company_id = ${actor.company_id} and id = ${transfer.id} for update`,
  )
  const now = await findTransfer(db, actor, transfer.id)
  if (!TRANSFER_STATES[now.state].onItsWay)
    throw new Problem(409, now.receipt_id ? 'Este traslado ya fue recibido.' : 'Este traslado está anulado.')
  const seen = new Set<number>()
  const wrong: Record<string, string> = {}
  const arriving = (await linesOf(db, actor, now)).map((line): Arriving => {
    const i = saidOf(line.supply_id)
    const said = what.supplies[i]
    const field = i < 0 ? 'supplies' : `supplies.${i}.received`
    const to_supply_id = toOf(sent.find(({ supply_id }) => supply_id === line.supply_id)!)
    if (seen.has(to_supply_id))
      wrong[i < 0 ? 'supplies' : `supplies.${i}.to_supply_id`] = 'Otra línea ya entra en este insumo.'
    seen.add(to_supply_id)
    const quantity = fromText(line.quantity_text)
    const missing = said ? quantity - toScaled(said.received) : 0n
    if (missing < 0n) wrong[field] = `Se enviaron ${showQuantity(line.quantity)}: no se puede recibir más.`
    else if (missing > 0n && !said?.reason) wrong[`supplies.${i}.reason`] = 'Explique la diferencia.'
    const value = fromText(line.value_text)
    const { supply_id, unit_cost } = line
    const whole = { quantity, value }
    return {
      supply_id,
      to_supply_id,
      sent: whole,
      unit_cost,
      quantity: line.quantity,
      missing,
      reason: said?.reason ?? null,
      field,
    }
  })
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return arriving
}

function requireKnown({ supplies }: ReceiveTransfer, sent: SentLine[]) {
  const wrong: Record<string, string> = {}
  const seen = new Set<number>()
  supplies.forEach(({ supply_id }, i) => {
    if (seen.has(supply_id) || !sent.some((line) => line.supply_id === supply_id))
      wrong[`supplies.${i}.supply_id`] = 'No está en el traslado.'
    seen.add(supply_id)
  })
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
}

/** What people say it is here; and whatever it is, in use and counted in the same unit. */
async function chosenHere(
  db: Db,
  actor: Actor,
  { to_workshop_id }: SentTransfer,
  { supplies }: ReceiveTransfer,
  sent: Awaited<ReturnType<typeof linesOf>>,
): Promise<Map<number, number>> {
  const ids = supplies.flatMap(({ to_supply_id }) => to_supply_id ?? [])
  const found = await rows<{ id: number; code: string; active: boolean; unit: string | null }>(
    db,
    sql`select s.id, s.code, s.state = 'active' as active, u.name as unit from ${suppliesTable} s
        left join ${measurementUnitsTable} u on u.company_id = s.company_id and u.id = s.measurement_units_id
        where s.company_id = ${actor.company_id} and s.workshop_id = ${to_workshop_id}
          and s.id = any(${sql.param(ids)}::bigint[])`,
  )
  const wrong: Record<string, string> = {}
  const chosen = new Map<number, number>()
  for (const line of sent) {
    const i = supplies.findIndex(({ supply_id }) => supply_id === line.supply_id)
    const asked = supplies[i]?.to_supply_id ?? undefined
    const field = i < 0 ? 'supplies' : `supplies.${i}.to_supply_id`
    const here =
      asked === undefined
        ? line.to && { id: line.to.supply_id, code: line.to.code, active: line.to_active, unit: line.to.unit }
        : found.find(({ id }) => id === asked)
    if (asked !== undefined && !here) wrong[field] = 'Elija un insumo de la lista.'
    else if (here && !here.active) wrong[field] = `${here.code} está desactivado en su taller: actívelo o elija otro.`
    else if (here && isOther(here.unit, line.unit))
      wrong[field] = `${here.code} se cuenta aquí en ${here.unit} y viene en ${line.unit}: elija otro insumo.`
    else if (asked !== undefined) chosen.set(line.supply_id, asked)
  }
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return chosen
}

const isOther = (a: string | null, b: string | null) => a !== null && b !== null && a.toLowerCase() !== b.toLowerCase()
