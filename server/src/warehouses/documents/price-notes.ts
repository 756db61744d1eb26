import { sql } from 'drizzle-orm'
import { divideHalfUp, showMoney, splitPesos, type TaxType, toScaled } from '#contract/base/money.ts'
import { PRICE_NOTES, typeNamed } from '#contract/warehouses/stock.ts'
import type { LateInvoice, NewPriceNote, Transaction } from '#contract/warehouses/transactions.ts'
import { COMPANY, type Db, orElse, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { record } from '../../platform/operations/audit.ts'
import { announce, tell } from '../../platform/operations/happenings.ts'
import { invalid, Problem } from '../../platform/problems.ts'
import { documentKey, documentKeyOf } from '../../providers/documents.ts'
import { openMonths, requireOpenMonth } from '../../workshops/months.ts'
import { lockLevels, lockSuppliesForReplay } from '../stock/locked-levels.ts'
import type { MovementSource } from '../stock/recosted.ts'
import { countRecosted, isShortage, type Posting, plan, simulate, write } from '../stock/stock.ts'
import { movementsTable, transactionLinesTable, transactionsTable } from '../tables.ts'
import { requireWarehouseChoice } from '../warehouses.ts'
import { requireLikelyDay } from './paper-days.ts'
import { requireNotEntered } from './recording.ts'
import {
  insertDocument,
  isStandingNote,
  noteAmount,
  PURCHASES_CHANGED,
  requireTransaction,
  resetPurchaseCosts,
} from './transactions.ts'
import { book } from './voids.ts'

/*
 * Papers that come after the goods: their invoice, and notes that say another price. A note moves value and no quantity, at
 * the moment of the entry, so that all that was used since costs what it should; where that month is closed, today.
 */

/** What of an entry can still be taken back, line by line. */
interface Line {
  supply_id: number
  quantity: number
  tax_type: TaxType
  net: number
  /** With its notes, and without what went back. */
  left: number
  movement: string
  at: string
}

export async function noteTransaction(db: Db, actor: Actor, id: number, what: NewPriceNote): Promise<Transaction> {
  const entry = await holdPurchase(db, actor, id)
  await requireDay(db, actor, entry, what)
  const { kind, document } = what
  const known = await row(
    db,
    sql`select 1 as ok from ${transactionsTable} t where t.company_id = ${actor.company_id} and ${isStandingNote('t')}
        and t."typeTrasactionId" = ${PRICE_NOTES[kind].id} and t."providerId" = ${entry.transaction.providerId}
        and ${documentKeyOf(sql`t.document`)} = ${documentKey(document)}`,
  )
  if (known) throw invalid({ document: 'Este proveedor ya tiene una nota con ese número.' })
  return requireTransaction(db, actor, await writeNote(db, actor, entry, what))
}

/** One invoice may cover what came several times: those it was added to on the same date are one paper. */
export async function invoiceTransaction(db: Db, actor: Actor, id: number, what: LateInvoice): Promise<Transaction> {
  const entry = await holdPurchase(db, actor, id)
  const { typeInvoice, document, date, payment_type, net, confirm_old } = what
  const { typeInvoice: had, document: slip, providerId } = entry.transaction
  if (had !== null) throw new Problem(409, `${entry.code} ya tiene su documento.`)
  await requireDay(db, actor, entry, what)
  const covered = await rows<{ id: number }>(
    db,
    sql`select id from ${transactionsTable} where company_id = ${actor.company_id} and "providerId" = ${providerId}
          and invoice_date = ${date}::date`,
  )
  await requireNotEntered(
    db,
    actor,
    { providerId, typeInvoice, document },
    covered.map((one) => one.id),
    'document',
  )
  await rows(
    db,
    sql`update ${transactionsTable} set "typeInvoice" = ${typeInvoice}, document = ${document}, invoice_date = ${date}::date,
          payment_type = ${payment_type}, reference = coalesce(reference, ${slip && `Guía ${slip}`})
        where company_id = ${actor.company_id} and id = ${id}`,
  )
  await record(db, actor, 'transaction', id, 'updated', { document: slip }, { document, typeInvoice })
  const difference = net === undefined ? 0 : net - entry.subtotal - entry.notes.reduce((sum, n) => sum + signedOf(n), 0)
  if (difference !== 0)
    await writeNote(db, actor, entry, {
      kind: difference > 0 ? 'debit' : 'credit',
      document,
      date,
      confirm_old,
      amount: Math.abs(difference),
      note: `La factura ${document} dice otro neto que la entrada.`,
    })
  const { workshop_id, id: warehouse } = await requireWarehouseChoice(db, actor, entry.warehouse_id)
  announce(db, actor, { topic: 'warehouses', workshop_id, ids: [warehouse] })
  return requireTransaction(db, actor, id)
}

const signedOf = ({ kind, subtotal }: Transaction['notes'][number]) => PRICE_NOTES[kind].sign * subtotal

/** A purchase that stands, held. */
async function holdPurchase(db: Db, actor: Actor, id: number): Promise<Transaction> {
  const { supplies } = await requireTransaction(db, actor, id)
  await lockSuppliesForReplay(db, actor, supplies)
  await rows(
    db,
    sql`select 1 from ${transactionsTable} where company_id = ${actor.company_id} and id = ${id} for update`,
  )
  const entry = await requireTransaction(db, actor, id)
  const { typeTrasactionId, providerId } = entry.transaction
  if (typeTrasactionId !== typeNamed('entry', 'purchase')) throw new Problem(409, `${entry.code} no es una compra.`)
  if (entry.voided_at !== null) throw new Problem(409, `${entry.code} está anulada.`)
  if (providerId === null) throw new Problem(409, `${entry.code} no dice de qué proveedor es.`)
  return entry
}

async function requireDay(
  db: Db,
  actor: Actor,
  entry: Transaction,
  { date, confirm_old }: Pick<NewPriceNote, 'date' | 'confirm_old'>,
) {
  if (date < entry.transaction.date) throw invalid({ date: `${entry.code} es posterior a esa fecha.` })
  await requireLikelyDay(db, actor, date, { confirm_old })
  await requireOpenMonth(db, actor, date, 'date')
}

async function writeNote(db: Db, actor: Actor, entry: Transaction, what: NewPriceNote): Promise<number> {
  const { kind, document, date, note } = what
  const { id: typeTrasactionId, type, sign } = PRICE_NOTES[kind]
  const warehouse = await requireWarehouseChoice(db, actor, entry.warehouse_id)
  const lines = sharedOut(entry, await linesOf(db, actor, entry), what).map((line) => ({
    ...line,
    unit_cost: divideHalfUp(toScaled(line.amount) * 10_000n, toScaled(line.quantity)),
    value: BigInt(sign) * toScaled(line.amount),
    place: { warehouse_id: warehouse.id, supply_id: line.supply_id, field: 'amount' },
  }))
  const { providerId } = entry.transaction
  const header = { type, typeTrasactionId, document, date, providerId, returns_id: entry.id, note }
  const filed = lines.map(({ supply_id, quantity, tax_type, amount }) => ({
    supply_id,
    quantity,
    tax_type,
    net: amount,
  }))
  const id = await insertDocument(db, actor, warehouse, header, filed, { movements: lines, replays: [] })
  const source: MovementSource = { typeTrasactionId, transaction_id: id, document }
  const own = ({ place, unit_cost, value }: (typeof lines)[number]): Posting => ({
    ...place,
    quantity: 0n,
    unit_cost,
    value,
  })
  const atTheEntry = async () => {
    const planned = await plan(
      db,
      actor,
      lines.map((line) => ({ ...own(line), at: line.at })),
    )
    await write(db, actor, source, planned)
    return countRecosted(planned)
  }
  const today = async () => {
    const levels = await lockLevels(
      db,
      actor,
      lines.map(({ place }) => place),
    )
    if ([...levels.values()].some(({ on_hand }) => on_hand === 0n)) throw invalid({ amount: NOTHING_LEFT })
    const changed = await simulate(db, actor, source, [lines.map((line) => ({ ...own(line), at: line.at }))])
    if (!changed) throw invalid({ amount: NOTHING_LEFT })
    const because = { id, transaction: { ...entry.transaction, document } }
    await book(
      db,
      actor,
      because,
      changed,
      lines.map((line) => ({ ...own(line), source })),
    )
    return 0
  }
  const { since } = await openMonths(db, actor)
  const isOpen = lines.every(({ at }) => since === null || at >= since)
  const recosted = await (isOpen ? orElse(db, isShortage, atTheEntry, today) : today()).catch((error: unknown) => {
    throw isShortage(error) ? invalid({ amount: NOTHING_LEFT }) : error
  })
  if (recosted > 0)
    await rows(
      db,
      sql`update ${transactionsTable} set recosted = ${recosted} where company_id = ${actor.company_id} and id = ${id}`,
    )
  await resetPurchaseCosts(db, actor, entry)
  await tell(db, actor, PURCHASES_CHANGED, [entry.id])
  announce(db, actor, { topic: 'warehouses', workshop_id: warehouse.workshop_id, ids: [warehouse.id] })
  return id
}
const NOTHING_LEFT =
  'El mes de la entrada está cerrado y de lo que trajo no queda en la bodega: abra el mes para registrar la nota.'

const linesOf = (db: Db, actor: Actor, { id }: Transaction) =>
  rows<Line>(
    db,
    sql`select l.supply_id, l.quantity, l.tax_type, l.net_cost as net, m.id::text as movement, m.at, l.net_cost + coalesce((
            select sum(case when ${isStandingNote('t')} then ${noteAmount('t', 'd.net_cost')} else -d.net_cost end)
            from ${transactionsTable} t
            join ${transactionLinesTable} d on d.company_id = t.company_id and d.transaction_id = t.id
            where t.company_id = ${COMPANY} and t.returns_id = l.transaction_id and t.voided_at is null
              and d.supply_id = l.supply_id), 0) as left
        from ${transactionLinesTable} l
        join ${movementsTable} m on m.company_id = l.company_id and m.transaction_id = l.transaction_id
          and m.supply_id = l.supply_id and m.quantity > 0 and not m.is_void
        where l.company_id = ${actor.company_id} and l.transaction_id = ${id} order by l.id`,
  )

/** What each line has of a note; none is left with less than nothing. */
function sharedOut(entry: Transaction, all: Line[], { kind, amount, supplies }: NewPriceNote) {
  const wrong = supplies?.find((id) => !all.some(({ supply_id }) => supply_id === id))
  if (wrong !== undefined) throw invalid({ supplies: `No está en ${entry.code}.` })
  const lines = supplies ? all.filter(({ supply_id }) => supplies.includes(supply_id)) : all
  const left = lines.map((line) => Math.max(0, line.left))
  const whole = left.reduce((sum, one) => sum + one, 0)
  if (PRICE_NOTES[kind].sign < 0 && amount > whole)
    throw invalid({ amount: `De la compra quedan ${showMoney(whole)} netos: la nota no puede ser por más.` })
  const parts = splitPesos(amount, whole > 0 ? left : lines.map(({ net }) => net))
  return lines.map((line, i) => ({ ...line, amount: parts[i]! })).filter((line) => line.amount > 0)
}
