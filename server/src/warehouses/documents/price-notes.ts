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
import { bookAdjustments } from './cost-adjustments.ts'
import { insertDocument } from './create-document.ts'
import { requireLikelyDay } from './paper-days.ts'
import { isStandingNote, PURCHASES_CHANGED, purchaseChange, resetPurchaseCosts } from './purchases.ts'
import { requireNotEntered } from './recording.ts'
import { requireTransaction } from './transactions.ts'

/*
 * Papers of a purchase that come after its goods: the invoice, and credit or debit notes with another price. A note moves
 * value and no quantity, at the moment of the entry, so that everything used since costs what it should. If that month is
 * closed, it is posted today, with an adjustment for each document and order that would cost something else.
 */

interface EntryLine {
  supply_id: number
  quantity: number
  tax_type: TaxType
  net: number
  /** The net amount with its notes, less the goods that went back. */
  left: number
  at: string
}

export async function noteTransaction(db: Db, actor: Actor, id: number, input: NewPriceNote): Promise<Transaction> {
  const entry = await lockPurchase(db, actor, id)
  await requireDay(db, actor, entry, input)
  const { kind, document } = input
  const known = await row(
    db,
    sql`select 1 as ok from ${transactionsTable} t where t.company_id = ${actor.company_id} and ${isStandingNote(sql`t`)}
        and t."typeTrasactionId" = ${PRICE_NOTES[kind].id} and t."providerId" = ${entry.transaction.providerId}
        and ${documentKeyOf(sql`t.document`)} = ${documentKey(document)}`,
  )
  if (known) throw invalid({ document: 'Este proveedor ya tiene una nota con ese número.' })
  return requireTransaction(db, actor, await writeNote(db, actor, entry, input))
}

/** One invoice may cover several entries: those that it was added to with the same date. */
export async function invoiceTransaction(db: Db, actor: Actor, id: number, input: LateInvoice): Promise<Transaction> {
  const entry = await lockPurchase(db, actor, id)
  const { typeInvoice, document, date, payment_type, net, confirm_old } = input
  const { document: slip, providerId } = entry.transaction
  if (entry.transaction.typeInvoice !== null) throw new Problem(409, `${entry.code} ya tiene su documento.`)
  await requireDay(db, actor, entry, input)
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

/** Locks and returns a purchase that stands. */
async function lockPurchase(db: Db, actor: Actor, id: number): Promise<Transaction> {
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

/** Writes a note about an entry and returns its id. */
async function writeNote(db: Db, actor: Actor, entry: Transaction, input: NewPriceNote): Promise<number> {
  const { kind, document, date, note } = input
  const { id: typeTrasactionId, type, sign } = PRICE_NOTES[kind]
  const warehouse = await requireWarehouseChoice(db, actor, entry.warehouse_id)
  const lines = distribute(entry, await linesOf(db, actor, entry), input)
  const postings = lines.map(
    ({ supply_id, quantity, amount, at }): NotePosting => ({
      warehouse_id: warehouse.id,
      supply_id,
      quantity: 0n,
      unit_cost: divideHalfUp(toScaled(amount) * 10_000n, toScaled(quantity)),
      value: BigInt(sign) * toScaled(amount),
      at,
      field: 'amount',
    }),
  )
  const { providerId } = entry.transaction
  const id = await insertDocument(db, actor, {
    warehouse,
    header: { type, typeTrasactionId, document, date, providerId, returns_id: entry.id, note },
    lines: lines.map(({ supply_id, quantity, tax_type, amount }, i) => ({
      supply_id,
      quantity,
      tax_type,
      net: amount,
      unit_cost: postings[i]!.unit_cost,
    })),
  })
  await postNote(db, actor, { typeTrasactionId, transaction_id: id, document }, postings)
  await resetPurchaseCosts(db, actor, entry)
  await tell(db, actor, PURCHASES_CHANGED, [entry.id])
  announce(db, actor, { topic: 'warehouses', workshop_id: warehouse.workshop_id, ids: [warehouse.id] })
  return id
}

/** Dated at the movement of the entry that it changes. */
type NotePosting = Posting & Required<Pick<Posting, 'unit_cost' | 'value' | 'at'>>
type NoteSource = MovementSource & { transaction_id: number }

/** Posts a note at the moment of its entry; or today, if the month is closed or too little of the goods is left. */
async function postNote(db: Db, actor: Actor, source: NoteSource, postings: NotePosting[]) {
  const { since } = await openMonths(db, actor)
  const isOpen = postings.every(({ at }) => since === null || at >= since)
  const beside = () => postBesideEntry(db, actor, source, postings)
  const today = () => postToday(db, actor, source, postings)
  await (isOpen ? orElse(db, isShortage, beside, today) : today()).catch((error: unknown) => {
    throw isShortage(error) ? invalid({ amount: NOTHING_LEFT }) : error
  })
}

async function postBesideEntry(db: Db, actor: Actor, source: NoteSource, postings: NotePosting[]) {
  const planned = await plan(db, actor, postings)
  await write(db, actor, source, planned)
  const recosted = countRecosted(planned)
  if (recosted === 0) return
  await rows(
    db,
    sql`update ${transactionsTable} set recosted = ${recosted}
        where company_id = ${actor.company_id} and id = ${source.transaction_id}`,
  )
}

async function postToday(db: Db, actor: Actor, source: NoteSource, postings: NotePosting[]) {
  const levels = await lockLevels(
    db,
    actor,
    postings.map(({ warehouse_id, supply_id }) => ({ warehouse_id, supply_id })),
  )
  if ([...levels.values()].some(({ on_hand }) => on_hand === 0n)) throw invalid({ amount: NOTHING_LEFT })
  const recosted = await simulate(db, actor, source, [postings])
  if (!recosted) throw invalid({ amount: NOTHING_LEFT })
  const own = postings.map(({ at: _, ...posting }): Posting => ({ ...posting, source }))
  await bookAdjustments(db, actor, source, recosted, own)
}

const NOTHING_LEFT =
  'El mes de la entrada está cerrado y de lo que trajo no queda en la bodega: abra el mes para registrar la nota.'

const linesOf = (db: Db, actor: Actor, { id }: Transaction) =>
  rows<EntryLine>(
    db,
    sql`select l.supply_id, l.quantity, l.tax_type, l.net_cost as net, m.at, l.net_cost + coalesce((
            select sum(${purchaseChange(sql`t`, sql`d.net_cost`)})
            from ${transactionsTable} t
            join ${transactionLinesTable} d on d.company_id = t.company_id and d.transaction_id = t.id
            where t.company_id = ${COMPANY} and t.returns_id = l.transaction_id and t.voided_at is null
              and d.supply_id = l.supply_id), 0) as left
        from ${transactionLinesTable} l
        join ${movementsTable} m on m.company_id = l.company_id and m.transaction_id = l.transaction_id
          and m.supply_id = l.supply_id and m.quantity > 0 and not m.is_void
        where l.company_id = ${actor.company_id} and l.transaction_id = ${id} order by l.id`,
  )

/** Distributes the amount of a note over the lines; a credit leaves no line with less than 0. */
function distribute(entry: Transaction, all: EntryLine[], { kind, amount, supplies }: NewPriceNote) {
  const wrong = supplies?.find((id) => !all.some(({ supply_id }) => supply_id === id))
  if (wrong !== undefined) throw invalid({ supplies: `No está en ${entry.code}.` })
  const lines = supplies ? all.filter(({ supply_id }) => supplies.includes(supply_id)) : all
  const left = lines.map((line) => Math.max(0, line.left))
  const total = left.reduce((sum, one) => sum + one, 0)
  if (PRICE_NOTES[kind].sign < 0 && amount > total)
    throw invalid({ amount: `De la compra quedan ${showMoney(total)} netos: la nota no puede ser por más.` })
  const parts = splitPesos(amount, total > 0 ? left : lines.map(({ net }) => net))
  return lines.map((line, i) => ({ ...line, amount: parts[i]! })).filter((line) => line.amount > 0)
}
