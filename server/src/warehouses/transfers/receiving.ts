import { sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import { showQuantity, toScaled } from '#contract/base/money.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import {
  type ReceiveTransfer,
  type SentLine,
  type SentTransfer,
  TRANSFER_STATES,
} from '#contract/warehouses/transfers.ts'
import { type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid, Problem } from '../../platform/problems.ts'
import { makeElsewhere } from '../../supplies/elsewhere.ts'
import { measurementUnitsTable, suppliesTable } from '../../supplies/tables.ts'
import { atPlannedCost, type DocumentHeader, insertDocument } from '../documents/create-document.ts'
import { fromText } from '../stock/ledger.ts'
import { lockSupplies } from '../stock/locked-levels.ts'
import type { MovementSource } from '../stock/recosted.ts'
import { type Plan, type Posting, plan, withSources, write } from '../stock/stock.ts'
import { shareOf } from '../stock/worth.ts'
import { transactionsTable } from '../tables.ts'
import { findTransfer, linesOf, requireTransfer, type SentLineRow } from './sent-transfers.ts'
import { announceEnds } from './transfers.ts'

/* Receiving a transfer from another workshop. */

/** A line of the transfer as it is received. */
interface ArrivingLine {
  supply_id: number
  /** The supply that it becomes in the receiving workshop. */
  to_supply_id: number
  sent: { quantity: bigint; value: bigint }
  unit_cost: number
  quantity: number
  missing: bigint
  reason: string | null
  /** The form field that shows a refusal. */
  field: string
}

/**
 * Everything that was sent comes in at the value it left with. Goods that did not arrive are written off at their share of
 * it, by an exit of their own. Both follow the exit of the sender in a replay.
 */
export async function receiveTransfer(db: Db, actor: Actor, id: number, input: ReceiveTransfer) {
  const transfer = await findTransfer(db, actor, id)
  if (actor.workshop_id !== null && actor.workshop_id !== transfer.to_workshop_id)
    throw new Problem(403, `Lo recibe quien trabaja en ${transfer.to_workshop_name}.`)
  const arriving = await lockArriving(db, actor, transfer, input)
  const lost = arriving.filter(({ missing }) => missing > 0n)
  const planned = await plan(db, actor, [
    ...arriving.map((line) => entryPosting(transfer, line)),
    ...lost.map((line) => lossPosting(transfer, line)),
  ])
  const entry = await insertEntry(db, actor, { transfer, arriving, planned, note: input.note })
  const sources = arriving.map(() => entry)
  if (lost.length > 0) {
    const loss = await insertLoss(db, actor, { transfer, arriving, planned, lost })
    sources.push(...lost.map(() => loss))
  }
  await write(db, actor, entry, withSources(planned, sources))
  const { warehouse_id, workshop_id, to_warehouse_id, to_workshop_id } = transfer
  announceEnds(db, actor, [
    { id: warehouse_id, workshop_id },
    { id: to_warehouse_id, workshop_id: to_workshop_id },
  ])
  return requireTransfer(db, actor, id)
}

const entryPosting = ({ to_warehouse_id }: SentTransfer, line: ArrivingLine): Posting => ({
  warehouse_id: to_warehouse_id,
  supply_id: line.to_supply_id,
  ...line.sent,
  unit_cost: toScaled(line.unit_cost),
  follows: true,
  field: line.field,
})

const lossPosting = (transfer: SentTransfer, line: ArrivingLine): Posting => ({
  ...entryPosting(transfer, line),
  quantity: -line.missing,
  value: -shareOf(line.sent, line.missing),
  ignoresReservations: true,
})

interface Receipt {
  transfer: SentTransfer
  arriving: ArrivingLine[]
  planned: Plan
}

const headerOf = (actor: Actor, { id, code, document, workshop_name }: SentTransfer) => ({
  date: dayOf(new Date(), actor.time_zone),
  document,
  reference: `${code} de ${workshop_name}`,
  transfer_id: id,
})
const destinationOf = ({ to_warehouse_id: id, to_workshop_id: workshop_id }: SentTransfer) => ({ id, workshop_id })
const toDocumentLine = ({ supply_id, to_supply_id, quantity }: ArrivingLine) => ({
  supply_id: to_supply_id,
  from_supply_id: supply_id,
  quantity,
  tax_type: 'exempt' as const,
})

async function insertEntry(
  db: Db,
  actor: Actor,
  { transfer, arriving, planned, note }: Receipt & { note: string | null },
): Promise<MovementSource> {
  const typeTrasactionId = typeNamed('entry', 'transfer')
  const header: DocumentHeader = { ...headerOf(actor, transfer), type: 'entry', typeTrasactionId, note }
  const lines = atPlannedCost(arriving.map(toDocumentLine), planned.movements)
  const transaction_id = await insertDocument(db, actor, { warehouse: destinationOf(transfer), header, lines })
  return { typeTrasactionId, transaction_id, document: transfer.document }
}

async function insertLoss(
  db: Db,
  actor: Actor,
  { transfer, arriving, planned, lost }: Receipt & { lost: ArrivingLine[] },
): Promise<MovementSource> {
  const reasons = [...new Set(lost.map(({ reason }) => reason))].join('; ')
  const note = `Diferencia de traslado: ${reasons}`.slice(0, 1000)
  const typeTrasactionId = typeNamed('exit', 'waste')
  const header: DocumentHeader = { ...headerOf(actor, transfer), type: 'exit', typeTrasactionId, note }
  const lines = lost.map((line) => ({
    ...toDocumentLine(line),
    quantity: Number(line.missing) / 10_000,
    reason: line.reason,
  }))
  const transaction_id = await insertDocument(db, actor, {
    warehouse: destinationOf(transfer),
    header,
    lines: atPlannedCost(lines, planned.movements.slice(arriving.length)),
  })
  return { typeTrasactionId, transaction_id, document: transfer.document }
}

/** Locks the supplies and the transfer, so that neither it nor its costs change meanwhile, and checks what was typed. */
async function lockArriving(db: Db, actor: Actor, transfer: SentTransfer, input: ReceiveTransfer) {
  const counterparts = await counterpartsOf(db, actor, transfer, input)
  await lockSupplies(db, actor, [...counterparts.keys(), ...counterparts.values()])
  await rows(
    db,
    sql`select 1 from ${transactionsTable} where company_id = ${actor.company_id} and id = ${transfer.id} for update`,
  )
  const locked = await findTransfer(db, actor, transfer.id)
  if (!TRANSFER_STATES[locked.state].onItsWay)
    throw new Problem(409, locked.receipt_id ? 'Este traslado ya fue recibido.' : 'Este traslado está anulado.')
  return toArriving(await linesOf(db, actor, locked), counterparts, input)
}

function toArriving(lines: SentLineRow[], counterparts: Map<number, number>, { supplies }: ReceiveTransfer) {
  const seen = new Set<number>()
  const wrong: Record<string, string> = {}
  const arriving = lines.map(({ supply_id, unit_cost, quantity, quantity_text, value_text }): ArrivingLine => {
    const i = supplies.findIndex((line) => line.supply_id === supply_id)
    const typed = supplies[i]
    const fieldOf = (name: string) => (typed ? `supplies.${i}.${name}` : 'supplies')
    const field = fieldOf('received')
    const to_supply_id = counterparts.get(supply_id)!
    if (seen.has(to_supply_id)) wrong[fieldOf('to_supply_id')] = 'Otra línea ya entra en este insumo.'
    seen.add(to_supply_id)
    const sent = { quantity: fromText(quantity_text), value: fromText(value_text) }
    const missing = typed ? sent.quantity - toScaled(typed.received) : 0n
    const reason = typed?.reason ?? null
    if (missing < 0n) wrong[field] = `Se enviaron ${showQuantity(quantity)}: no se puede recibir más.`
    else if (missing > 0n && !reason) wrong[fieldOf('reason')] = 'Explique la diferencia.'
    return { supply_id, to_supply_id, sent, unit_cost, quantity, missing, reason, field }
  })
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return arriving
}

/**
 * By supply that was sent, the supply that it becomes here: the one that people chose, or the one of the same code, or a new
 * one.
 */
async function counterpartsOf(db: Db, actor: Actor, transfer: SentTransfer, input: ReceiveTransfer) {
  const { to_workshop_id } = transfer
  let lines = await linesOf(db, actor, transfer)
  if (lines.some(({ to }) => to === null)) {
    // If two people create the same supply here at once, the second finds it.
    const key = `supplies elsewhere ${actor.company_id} ${to_workshop_id}`
    await rows(db, sql`select pg_advisory_xact_lock(hashtextextended(${key}::text, 0))`)
    lines = await linesOf(db, actor, transfer)
  }
  requireOfTransfer(input, lines)
  const chosen = await chosenSupplies(db, actor, transfer, input, lines)
  const unknown = lines.filter(({ supply_id, to }) => !to && !chosen.has(supply_id)).map(({ supply_id }) => supply_id)
  const created = await makeElsewhere(db, actor, unknown, to_workshop_id)
  return new Map(
    lines.map(({ supply_id, to }) => [supply_id, chosen.get(supply_id) ?? created.get(supply_id) ?? to!.supply_id]),
  )
}

function requireOfTransfer({ supplies }: ReceiveTransfer, sent: SentLine[]) {
  const wrong: Record<string, string> = {}
  const seen = new Set<number>()
  supplies.forEach(({ supply_id }, i) => {
    if (seen.has(supply_id) || !sent.some((line) => line.supply_id === supply_id))
      wrong[`supplies.${i}.supply_id`] = 'No está en el traslado.'
    seen.add(supply_id)
  })
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
}

interface Counterpart {
  id: number
  code: string
  active: boolean
  unit: string | null
}

/** The supplies that people chose. Chosen or not, a supply of this workshop must be active and counted in the same unit. */
async function chosenSupplies(
  db: Db,
  actor: Actor,
  { to_workshop_id }: SentTransfer,
  { supplies }: ReceiveTransfer,
  lines: SentLineRow[],
): Promise<Map<number, number>> {
  const ids = supplies.flatMap(({ to_supply_id }) => to_supply_id ?? [])
  const candidates = await rows<Counterpart>(
    db,
    sql`select s.id, s.code, s.state = 'active' as active, u.name as unit from ${suppliesTable} s
        left join ${measurementUnitsTable} u on u.company_id = s.company_id and u.id = s.measurement_units_id
        where s.company_id = ${actor.company_id} and s.workshop_id = ${to_workshop_id}
          and s.id = any(${sql.param(ids)}::bigint[])`,
  )
  const wrong: Record<string, string> = {}
  const chosen = new Map<number, number>()
  for (const line of lines) {
    const i = supplies.findIndex(({ supply_id }) => supply_id === line.supply_id)
    const choice = supplies[i]?.to_supply_id ?? undefined
    const counterpart = choice === undefined ? sameCode(line) : candidates.find(({ id }) => id === choice)
    const refusal = refusalOf(line, choice, counterpart)
    if (refusal) wrong[i < 0 ? 'supplies' : `supplies.${i}.to_supply_id`] = refusal
    else if (choice !== undefined) chosen.set(line.supply_id, choice)
  }
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return chosen
}

const sameCode = ({ to, to_active }: SentLineRow): Counterpart | undefined =>
  to ? { id: to.supply_id, code: to.code, active: to_active, unit: to.unit } : undefined

function refusalOf(line: SentLine, choice: number | undefined, counterpart: Counterpart | undefined) {
  if (!counterpart) return choice === undefined ? undefined : 'Elija un insumo de la lista.'
  const { code, active, unit } = counterpart
  if (!active) return `${code} está desactivado en su taller: actívelo o elija otro.`
  if (isOtherUnit(unit, line.unit))
    return `${code} se cuenta aquí en ${unit} y viene en ${line.unit}: elija otro insumo.`
  return undefined
}

const isOtherUnit = (a: string | null, b: string | null) =>
  a !== null && b !== null && a.toLowerCase() !== b.toLowerCase()
