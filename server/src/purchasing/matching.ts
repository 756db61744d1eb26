import { sql } from 'drizzle-orm'
import type { MatchedLine } from '#contract/purchasing/purchasing.ts'
import { type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { suppliesTable } from '../supplies/tables.ts'
import { isStandingNote, noteAmount } from '../warehouses/documents/purchases.ts'
import { transactionLinesTable, transactionsTable } from '../warehouses/tables.ts'
import { requirePurchaseOrder } from './purchase-orders.ts'
import { purchaseOrderLinesTable, purchaseReceiptsTable } from './tables.ts'

/**
 * What was ordered, what came and what was charged for, supply by supply: from the entries that stand, of which those with
 * an invoice charge for what they brought, with the notes of it. What came without having been ordered is there too.
 */
export async function matchPurchaseOrder(db: Db, actor: Actor, id: number) {
  await requirePurchaseOrder(db, actor, id)
  const mine = sql`company_id = ${actor.company_id} and purchase_order_id = ${id}`
  const data = await rows<MatchedLine>(
    db,
    sql`with entered as (
          select t.id, t."typeInvoice" is not null as invoiced from ${purchaseReceiptsTable} r
          join ${transactionsTable} t on t.company_id = r.company_id and t.id = r.transaction_id
          where r.company_id = ${actor.company_id} and r.purchase_order_id = ${id} and t.voided_at is null),
        came as (
          select l.supply_id, sum(l.quantity) as received, sum(l.net_cost) as received_net,
            coalesce(sum(l.quantity) filter (where e.invoiced), 0) as invoiced,
            coalesce(sum(l.net_cost + coalesce((
              select sum(${noteAmount(sql`n`, sql`d.net_cost`)}) from ${transactionsTable} n
              join ${transactionLinesTable} d on d.company_id = n.company_id and d.transaction_id = n.id
              where n.company_id = ${actor.company_id} and n.returns_id = e.id and ${isStandingNote(sql`n`)}
                and d.supply_id = l.supply_id), 0)) filter (where e.invoiced), 0) as invoiced_net
          from entered e join ${transactionLinesTable} l on l.company_id = ${actor.company_id} and l.transaction_id = e.id
          group by 1),
        went as (
          select l.supply_id, sum(l.quantity) as returned from entered e
          join ${transactionsTable} t on t.company_id = ${actor.company_id} and t.returns_id = e.id and t.voided_at is null
            and not ${isStandingNote(sql`t`)}
          join ${transactionLinesTable} l on l.company_id = ${actor.company_id} and l.transaction_id = t.id
          group by 1),
        x as (
          select supply_id, coalesce(o.id, 0) as place, coalesce(o.quantity, 0) as ordered, o.unit_cost,
            coalesce(o.net_cost, 0) as ordered_net, coalesce(c.received, 0) as received,
            coalesce(c.received_net, 0) as received_net, coalesce(c.invoiced, 0) as invoiced,
            coalesce(c.invoiced_net, 0) as invoiced_net
          from (select * from ${purchaseOrderLinesTable} where ${mine}) o full join came c using (supply_id))
        select x.supply_id, s.code, s.name, x.ordered, x.received, coalesce(w.returned, 0) as returned, x.invoiced, x.unit_cost,
          case when x.invoiced > 0 then round(x.invoiced_net / x.invoiced, 4) end as invoiced_cost,
          x.ordered_net, x.received_net, x.invoiced_net,
          x.invoiced_net - round(x.invoiced * coalesce(x.unit_cost, 0)) as difference
        from x
        join ${suppliesTable} s on s.company_id = ${actor.company_id} and s.id = x.supply_id
        left join went w on w.supply_id = x.supply_id
        order by x.place = 0, x.place, s.code`,
  )
  const sum = (field: (line: MatchedLine) => number) => data.reduce((all, line) => all + field(line), 0)
  return {
    data,
    total: data.length,
    totals: {
      ordered_net: sum((line) => line.ordered_net),
      received_net: sum((line) => line.received_net),
      invoiced_net: sum((line) => line.invoiced_net),
      difference: sum((line) => line.difference),
    },
  }
}
