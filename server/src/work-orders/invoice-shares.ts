import { type SQL, sql } from 'drizzle-orm'
import { dayOf } from '#contract/base/dates.ts'
import type { ServiceAdjustment } from '#contract/work-orders/lines.ts'
import { COMPANY, type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { Problem } from '../platform/problems.ts'
import { providersTable } from '../providers/tables.ts'
import type { Open } from '../workshops/months.ts'
import { CODE } from './access.ts'
import { settleInvoices } from './payments.ts'
import {
  invoiceNotesTable,
  invoiceSharesTable,
  invoicesTable,
  serviceAdjustmentsTable,
  workOrderServicesTable,
  workOrdersTable,
} from './tables.ts'

/* What orders have of their providers' invoices, and how that is kept in step with the services in them. */

const servicesOfShare = sql`coalesce((select sum(l.amount) from ${workOrderServicesTable} l
  where l.company_id = ${COMPANY} and l.work_order_id = s.work_order_id and l.provider_id = s.provider_id), 0)`

/**
 * After services of an order, or what it has of an invoice, changed: a share that follows services is what they are; where
 * a paper says something else, what differs is spent on its day. An invoice of a closed month keeps its amount, and so does
 * what was spent there: what differs is spent today. What was found out on another day stays there while there is a difference.
 */
export async function keepShares(db: Db, actor: Actor, order: { id: number }, open: Open) {
  const ofOrder = sql`s.company_id = ${actor.company_id} and s.work_order_id = ${order.id}`
  const isOpen = (day: SQL) => sql`${day} >= coalesce(${open.day}::date, '-infinity')`
  await rows(
    db,
    sql`update ${invoiceSharesTable} s set amount = ${servicesOfShare} from ${invoicesTable} i
        where ${ofOrder} and i.company_id = s.company_id and i.id = s.invoice_id and i.follows_services
          and ${isOpen(sql`i.date`)} and s.amount <> ${servicesOfShare}`,
  )
  const changed = await rows<{ id: number }>(
    db,
    sql`update ${invoicesTable} i set net = n.net from (
          select a.invoice_id, sum(a.amount) as net from ${invoiceSharesTable} s
          join ${invoiceSharesTable} a on a.company_id = s.company_id and a.invoice_id = s.invoice_id
          where ${ofOrder} group by 1) n
        where i.company_id = ${actor.company_id} and i.id = n.invoice_id and i.net <> n.net returning i.id`,
  )
  await rows(
    db,
    sql`delete from ${serviceAdjustmentsTable} d where d.company_id = ${actor.company_id} and d.work_order_id = ${order.id}
          and d.note_id is null and ${isOpen(sql`d.day`)} and not exists (
            select 1 from ${invoiceSharesTable} s
            join ${invoicesTable} i on i.company_id = s.company_id and i.id = s.invoice_id
            where s.company_id = ${COMPANY} and s.work_order_id = d.work_order_id and s.invoice_id = d.invoice_id
              and not ${isOpen(sql`i.date`)} and s.amount - ${servicesOfShare} <> coalesce((
                select sum(a.amount) from ${serviceAdjustmentsTable} a where a.company_id = ${COMPANY}
                  and a.work_order_id = s.work_order_id and a.invoice_id = s.invoice_id and a.note_id is null
                  and not ${isOpen(sql`a.day`)}), 0))`,
  )
  await rows(
    db,
    // What is to be inserted first, and apart: a cluster joins less inside an insert than in a question.
    sql`with differing as materialized (
          select s.work_order_id, s.invoice_id, s.provider_id,
            case when ${isOpen(sql`i.date`)} then i.date else ${dayOf(new Date(), actor.time_zone)}::date end as day, n.amount
          from ${invoiceSharesTable} s
          join ${invoicesTable} i on i.company_id = s.company_id and i.id = s.invoice_id
          cross join lateral (select s.amount - ${servicesOfShare} - coalesce((
            select sum(a.amount) from ${serviceAdjustmentsTable} a where a.company_id = ${COMPANY}
              and a.work_order_id = s.work_order_id and a.invoice_id = s.invoice_id and a.note_id is null), 0) as amount) n
          where ${ofOrder} and n.amount <> 0)
        insert into ${serviceAdjustmentsTable} (company_id, work_order_id, invoice_id, provider_id, day, amount)
        select ${actor.company_id}::bigint, work_order_id, invoice_id, provider_id, day, amount from differing
        returning company_id`,
  )
  return changed.map(({ id }) => id)
}

/** After services of an order changed: its shares follow, and invoices with payments are owed again, or no more. */
export async function followServices(db: Db, actor: Actor, order: { id: number }, open: Open) {
  const changed = await keepShares(db, actor, order, open)
  if (changed.length > 0) await settleInvoices(db, actor, changed)
}

/** Orders with an invoice of an open month that has another amount, or its difference on another day, than it would there. */
export const ordersToCount = (db: Db, actor: Actor, open: Open) =>
  rows<{ id: number }>(
    db,
    sql`select distinct s.work_order_id as id from ${invoiceSharesTable} s
        join ${invoicesTable} i on i.company_id = s.company_id and i.id = s.invoice_id
        left join ${serviceAdjustmentsTable} d on d.company_id = s.company_id and d.work_order_id = s.work_order_id
          and d.invoice_id = s.invoice_id and d.note_id is null
        where s.company_id = ${actor.company_id} and i.date >= coalesce(${open.day}::date, '-infinity')
          and (d.day <> i.date or i.follows_services and s.amount <> ${servicesOfShare})
        order by 1`,
  )

export const serviceAdjustmentsOf = (db: Db, actor: Actor, work_order_id: number) =>
  rows<ServiceAdjustment>(
    db,
    sql`select a.id, a.provider_id, p.name as provider_name, a.invoice_id, a.note_id,
          coalesce(n.kind, 'invoice') as kind, coalesce(n.document, i.document) as document, a.day, a.amount
        from ${serviceAdjustmentsTable} a
        join ${invoicesTable} i on i.company_id = a.company_id and i.id = a.invoice_id
        left join ${invoiceNotesTable} n on n.company_id = a.company_id and n.id = a.note_id
        join ${providersTable} p on p.company_id = a.company_id and p.id = a.provider_id
        where a.company_id = ${actor.company_id} and a.work_order_id = ${work_order_id} order by a.day, a.id`,
  )

/** An order that goes away takes its invoices along, but none that is of others too. */
export async function requireNothingShared(db: Db, actor: Actor, order: { id: number }) {
  const [shared] = await rows<{ document: string; code: string }>(
    db,
    sql`select i.document, ${CODE} as code from ${invoiceSharesTable} s
        join ${invoicesTable} i on i.company_id = s.company_id and i.id = s.invoice_id
        join ${invoiceSharesTable} other on other.company_id = s.company_id and other.invoice_id = s.invoice_id
          and other.work_order_id <> s.work_order_id
        join ${workOrdersTable} o on o.company_id = other.company_id and o.id = other.work_order_id
        where s.company_id = ${actor.company_id} and s.work_order_id = ${order.id} order by other.id limit 1`,
  )
  if (shared)
    throw new Problem(
      409,
      `La factura ${shared.document} también es de ${shared.code}: saque primero esta orden de ella.`,
    )
}
