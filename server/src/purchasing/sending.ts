import { sql } from 'drizzle-orm'
import { dayOf, showDay } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import { type Answer, PURCHASE_STATES, type PurchaseOrder, type Sending } from '#contract/purchasing/purchasing.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { activityTable } from '../platform/operations/tables.ts'
import { escapeHtml, type Letter, queueMail } from '../platform/outside/mail.ts'
import type { Files } from '../platform/outside/store.ts'
import { invalid, Problem, requireFresh } from '../platform/problems.ts'
import { getCompany, settingsOf } from '../workshops/company.ts'
import { purchaseOrderPdf } from './pdf.ts'
import { announceOrder, mine, requirePurchaseOrder } from './purchase-orders.ts'
import { purchaseOrderLinesTable, purchaseOrdersTable } from './tables.ts'

/* How an order reaches its provider, and what comes back. Neither is a status: an order may be sent twice, or by phone. */

function requireApproved({ status }: PurchaseOrder, verb: string) {
  const { receivable, label } = PURCHASE_STATES[status]
  if (!receivable) throw new Problem(422, `Una orden ${label.toLowerCase()} no se puede ${verb}.`)
}

type Step = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** The PDF is made between two steps: nobody waits for it with a connection. What changed meanwhile is not sent. */
export async function sendPurchaseOrder(
  step: Step,
  files: Files,
  actor: Actor,
  id: number,
  what: Sending,
): Promise<PurchaseOrder> {
  const made = await step(async (db) => {
    const order = await requirePurchaseOrder(db, actor, id)
    requireFresh(order, what.updated_at)
    requireApproved(order, 'enviar')
    if (what.mail) await requireMailsLeft(db, actor, id)
    return { order, file: what.mail ? await purchaseOrderPdf(db, actor, id) : undefined }
  })
  const content = made.file && new Uint8Array(await made.file.content())
  const attachment = content && (await files.keepMade(actor.company_id, content, made.file!.type))
  return step(async (db) => {
    const before = await requirePurchaseOrder(db, actor, id, true)
    requireFresh(before, made.order.updated_at)
    if (what.mail) await requireMailsLeft(db, actor, id)
    const now = new Date()
    const letter = attachment && (await letterOf(db, actor, before, what))
    const mail_id = letter
      ? await queueMail(
          db,
          actor.company_id,
          { ...letter, attachment_name: made.file!.name, attachment_hash: attachment.hash },
          now,
        )
      : null
    const sent_at = now.toISOString()
    await db
      .update(purchaseOrdersTable)
      .set({ sent_at, sent_to: what.to, sent_by: actor.user_name, mail_id, updated_at: sent_at })
      .where(mine(actor, id))
    const after = await requirePurchaseOrder(db, actor, id)
    await record(db, actor, 'purchase_order', id, 'sent', {}, { sent_to: what.to })
    announceOrder(db, actor, after)
    return after
  })
}

/** Refuses more mails of a day than the company allows: the text and the address are free, so it could send spam. */
async function requireMailsLeft(db: Db, actor: Actor, id: number) {
  // Two orders that one person sends at once wait for each other, or both would be the last one allowed.
  await rows(db, sql`select pg_advisory_xact_lock(hashtextextended(${`mails:${actor.user_id}`}, 16))`)
  const { mails_per_person, mails_per_order } = await settingsOf(db, actor)
  const today = sql`date_trunc('day', now() at time zone ${actor.time_zone}) at time zone ${actor.time_zone}`
  // An order that was sent by phone or by hand names no address.
  const sent = await row<{ of_person: number; of_order: number }>(
    db,
    sql`select count(*) filter (where a.user_id = ${actor.user_id}) as of_person,
          count(*) filter (where a.entity_id = ${id}) as of_order
        from ${purchaseOrdersTable} o
        join ${activityTable} a on a.company_id = o.company_id and a.entity = 'purchase_order' and a.entity_id = o.id
        where o.company_id = ${actor.company_id} and a.company_id = ${actor.company_id} and o.sent_at >= ${today}
          and a.action = 'sent' and a.at >= ${today} and a.changes -> 'sent_to' ->> 1 like '%@%'`,
  )
  if (sent!.of_order >= mails_per_order)
    throw new Problem(
      429,
      `Esta orden ya se envió ${mails_per_order} veces hoy. Envíela de nuevo mañana o por otro medio.`,
    )
  if (sent!.of_person >= mails_per_person)
    throw new Problem(429, `Ya envió ${mails_per_person} correos hoy. Siga mañana o envíe la orden por otro medio.`)
}

async function letterOf(
  db: Db,
  actor: Actor,
  order: PurchaseOrder,
  { to, reply_to, message }: Sending,
): Promise<Letter> {
  const { name } = await getCompany(db, actor)
  const lines = [
    `Estimados ${order.provider_name}:`,
    `${name} les envía la orden de compra ${order.code}, por ${showMoney(order.total)} con IVA. Va adjunta en PDF.`,
    order.deliveryAt && `Esperamos la entrega el ${showDay(order.deliveryAt)}, en ${order.warehouse_name}.`,
    message,
    `Por favor confirmen que la recibieron y en qué fecha llega cada insumo${reply_to ? `, respondiendo a ${actor.user_name}, ${reply_to}` : ` a ${actor.user_name}`}.`,
    `Atentamente,\n${actor.user_name}\n${name}`,
  ].filter((line) => typeof line === 'string')
  const paragraph = (line: string) => `<p>${escapeHtml(line).replaceAll('\n', '<br>')}</p>`
  return {
    topic: 'purchasing',
    to,
    subject: `Orden de compra ${order.code} de ${name}`,
    text: lines.join('\n\n'),
    html: `<!doctype html><html lang="es"><body style="font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif;font-size:14px;line-height:20px;color:#121826">${lines.map(paragraph).join('\n')}</body></html>`,
  }
}

/** The lines that are named take that date; the others keep theirs. */
export async function answerPurchaseOrder(db: Db, actor: Actor, id: number, what: Answer): Promise<PurchaseOrder> {
  const before = await requirePurchaseOrder(db, actor, id, true)
  requireApproved(before, 'responder')
  const wrong: Record<string, string> = {}
  what.supplies.forEach(({ supply_id }, i) => {
    if (!before.supplies.some((line) => line.supply_id === supply_id))
      wrong[`supplies.${i}.supply_id`] = 'Este insumo no está en la orden.'
  })
  if (what.answered_on && what.answered_on > dayOf(new Date(), actor.time_zone))
    wrong.answered_on = 'La respuesta no puede ser de un día que no ha llegado.'
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  await rows(
    db,
    sql`update ${purchaseOrderLinesTable} l set promised_on = n.day
        from unnest(${sql.param(what.supplies.map((line) => line.supply_id))}::bigint[],
          ${sql.param(what.supplies.map((line) => line.promised_on))}::date[]) as n (supply_id, day)
        where l.company_id = ${actor.company_id} and l.purchase_order_id = ${id} and l.supply_id = n.supply_id`,
  )
  await db
    .update(purchaseOrdersTable)
    .set({ answered_on: what.answered_on, updated_at: new Date().toISOString() })
    .where(mine(actor, id))
  const after = await requirePurchaseOrder(db, actor, id)
  await record(db, actor, 'purchase_order', id, 'answered', said(before), said(after))
  announceOrder(db, actor, after)
  return after
}

const said = ({ answered_on, supplies }: PurchaseOrder) => ({
  answered_on,
  promises:
    supplies.flatMap(({ name, promised_on }) => (promised_on ? [`${name}: ${showDay(promised_on)}`] : [])).join('; ') ||
    null,
})
