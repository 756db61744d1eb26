import { sql } from 'drizzle-orm'
import { addDays, dayOf } from '#contract/base/dates.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import { LateInvoice, NewPriceNote, NewTransaction } from '#contract/warehouses/transactions.ts'
import { type Database, type Db, rows } from '../src/platform/database/db.ts'
import type { Actor } from '../src/platform/operations/actor.ts'
import { invoiceTransaction, noteTransaction } from '../src/warehouses/documents/price-notes.ts'
import { recordTransaction } from '../src/warehouses/documents/recording.ts'
import { payPayable } from '../src/work-orders/payments.ts'

const PURCHASE = typeNamed('entry', 'purchase')

/**
 * Papers that came after the goods: a discount and freight on purchases that were paid before, so that one is in favour
 * and the other partly owed; the invoice of a slip, and a slip whose invoice is awaited.
 */
export const addPapers = (database: Database, boss: Actor, now: Date) =>
  database.write(boss.company_id, async (db) => {
    const ago = (days: number) => addDays(dayOf(now, boss.time_zone), -days)
    const [dearest, other] = await bought(db, boss, ago(45), ago(8))
    if (!dearest || !other) return
    const note = (entry: Bought, what: object) => noteTransaction(db, boss, entry.id, NewPriceNote.parse(what))
    for (const { id } of [dearest, other]) await payPayable(db, boss, id * 2 + 1, { paid: true, paid_on: ago(7) })
    await note(dearest, {
      kind: 'credit',
      document: '1180',
      date: ago(4),
      amount: Math.round(dearest.subtotal * 0.08),
      note: 'Descuento por volumen que no venía en la factura',
    })
    await note(other, {
      kind: 'debit',
      document: '642',
      date: ago(6),
      amount: Math.max(1000, Math.round(other.subtotal * 0.03)),
      note: 'Flete de la entrega',
    })
    const [first, second] = [await quiet(db, boss, dearest, ago(7)), await quiet(db, boss, other, ago(2))]
    const slip = (entry: Bought, document: string, date: string, supplies: Quiet[]) =>
      recordTransaction(
        db,
        boss,
        NewTransaction.parse({
          warehouse_id: entry.warehouse_id,
          type: 'entry',
          transaction: { typeTrasactionId: PURCHASE, document, date, providerId: entry.providerId },
          supplies: supplies.map(({ supply_id, unit_cost }) => ({ supply_id, quantity: 6, unit_cost })),
        }),
      )
    if (first.length === 0 || second.length === 0) return
    const { id, subtotal } = await slip(dearest, 'GD-20871', ago(7), first)
    await slip(other, 'GD-3310', ago(1), second.slice(0, 2))
    await invoiceTransaction(
      db,
      boss,
      id,
      LateInvoice.parse({
        typeInvoice: 'bill',
        document: '58214',
        date: ago(3),
        payment_type: 'Credit',
        net: Math.round(subtotal * 1.04),
      }),
    )
  })

interface Bought {
  id: number
  warehouse_id: number
  providerId: number
  subtotal: number
}

/** Purchases of the first warehouse that are neither paid nor claimed, those of most money first. */
const bought = (db: Db, { company_id }: Actor, from: string, to: string) =>
  rows<Bought>(
    db,
    sql`select t.id, t.warehouse_id, t."providerId", t.subtotal from transactions t
        where t.company_id = ${company_id} and t."typeTrasactionId" = ${PURCHASE} and t.voided_at is null
          and t."providerId" is not null and t.date between ${from}::date and ${to}::date
          and t.warehouse_id = (select min(id) from warehouses where company_id = ${company_id})
          and not exists (select from payables p where p.company_id = ${company_id} and p.transaction_id = t.id
            and p.state in ('paid', 'claimed'))
        order by t.subtotal desc, t.id limit 2`,
  )

interface Quiet {
  supply_id: number
  unit_cost: number
}

/** Supplies that did not move since a day, so that what comes then changes nobody's cost. */
const quiet = (db: Db, { company_id }: Actor, { warehouse_id }: Bought, since: string) =>
  rows<Quiet>(
    db,
    sql`select s.supply_id, round(p.cost) as unit_cost from stock s
        join supplies p on p.company_id = s.company_id and p.id = s.supply_id
        where s.company_id = ${company_id} and s.warehouse_id = ${warehouse_id} and p.state = 'active' and p.cost < 80000
          and s.last_at < ${since}::date and s.on_hand < 20
        order by s.last_at desc, s.supply_id limit 3`,
  )
