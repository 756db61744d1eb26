import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import {
  DELIVERY_STATES,
  type Delivery,
  type DeliveryList,
  type DeliveryState,
  type WebhookEvent,
} from '#contract/webhooks/webhooks.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { type Database, type Db, one, row, rows } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { enqueue, type Job } from '../platform/operations/jobs.ts'
import { opened } from '../platform/operations/secrets.ts'
import { reach, Unreachable } from '../platform/outside/reach.ts'
import { notFound } from '../platform/problems.ts'
import { deliveriesTable, webhooksTable } from './tables.ts'

/** The first try and those that a job gets after it. */
const TRIES = 9
const KEPT_FOR = sql`interval '90 days'`
const MOST_ANSWER = 300

interface Ticket {
  company_id: number
  id: number
}

/** Told once the change is there: with pauses that grow from half a minute to about an hour. */
export const deliverJob: Job<Ticket> = { name: 'webhook-deliver', retryDelay: 30, run: deliver }

/** Writes down what every system that wants to hear it is to be told. */
export async function tellOthers(db: Db, company_id: number, event: WebhookEvent, bodies: object[]) {
  const told = await rows<{ id: number }>(
    db,
    sql`insert into ${deliveriesTable} as d (company_id, webhook_id, event, body)
        select w.company_id, w.id, ${event}, b.body from ${webhooksTable} w
        cross join jsonb_array_elements(${JSON.stringify(bodies)}::jsonb) b (body)
        where w.company_id = ${company_id} and w.active and ${event} = any(w.events) returning d.id`,
  )
  for (const { id } of told) await enqueue(db, deliverJob, { company_id, id })
}

export async function tellOne(db: Db, actor: Actor, webhook_id: number, event: string, body: object) {
  const { id } = one(
    await db
      .insert(deliveriesTable)
      .values({ company_id: actor.company_id, webhook_id, event, body })
      .returning({ id: deliveriesTable.id }),
  )
  await enqueue(db, deliverJob, { company_id: actor.company_id, id })
}

/** `t=…,v1=…`: the moment, and the HMAC-SHA256 of the moment, a dot and the body. */
export const signature = (secret: string, at: number, body: string) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`

export const whoseWebhook = (company_id: number) => `webhook:${company_id}`
const OTHER_KEY =
  'El secreto de este webhook se guardó con otra clave del servidor (SEAL_KEY): elimínelo y créelo de nuevo.'

/** No connection is held while the other system takes its time. */
async function deliver(database: Database, { company_id, id }: Ticket) {
  const found = await database.read(company_id, async (db) => {
    const kept = await row<{
      url: string
      secret: string
      event: string
      body: object
      created_at: string
      attempts: number
    }>(
      db,
      sql`select w.url, w.secret, d.event, d.body, d.created_at, d.attempts from ${deliveriesTable} d
          join ${webhooksTable} w on w.company_id = d.company_id and w.id = d.webhook_id
          where d.company_id = ${company_id} and d.id = ${id} and d.state = 'queued'`,
    )
    return kept && { ...kept, secret: opened(db, kept.secret, whoseWebhook(company_id)) }
  })
  // Deleted meanwhile, or told already.
  if (!found) return
  const { url, secret, event, created_at, body: data, attempts } = found
  const body = JSON.stringify({ id, event, at: created_at, company_id, data })
  const outcome = secret === undefined ? { heard: false, answer: OTHER_KEY } : await tryOnce(url, secret, event, body)
  const state: DeliveryState = outcome.heard ? 'delivered' : attempts + 1 >= TRIES ? 'failed' : 'queued'
  await database.write(company_id, (db) =>
    rows(
      db,
      sql`update ${deliveriesTable} set attempts = attempts + 1, answer = ${outcome.answer}, state = ${state},
            delivered_at = ${outcome.heard ? sql`now()` : null} where company_id = ${company_id} and id = ${id}`,
    ),
  )
  // The job is tried again by whoever keeps the jobs.
  if (DELIVERY_STATES[state].waits) throw new Error(`Webhook ${company_id}/${id} was not heard`)
}

async function tryOnce(url: string, secret: string, event: string, body: string) {
  try {
    const response = await reach(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'Maestranza',
        'x-maestranza-event': event,
        'x-maestranza-signature': signature(secret, Math.floor(Date.now() / 1000), body),
      },
      body,
    })
    // No text of it that the database could not keep.
    const said = (await response.text()).replaceAll('\0', '').slice(0, MOST_ANSWER)
    return { heard: response.ok, answer: `${response.status} ${said}`.trim() }
  } catch (error) {
    // Whatever keeps an address from answering is written down, for who typed it.
    return { heard: false, answer: whyNot(error) }
  }
}

const REASONS: [RegExp, string][] = [
  [/^(ENOTFOUND|EAI_)/, 'No existe esa dirección.'],
  [/^ECONN(REFUSED|RESET)|^E(HOST|NET)UNREACH/, 'La dirección no acepta conexiones.'],
  [/CERT|TLS|SSL/, 'El certificado de la dirección no es válido.'],
]
function whyNot(error: unknown): string {
  if (error instanceof Unreachable) return error.message
  const code = String((error as { code?: unknown }).code ?? '')
  return REASONS.find(([sign]) => sign.test(code))?.[1] ?? `Sin respuesta ${code}`.trim()
}

const FROM = sql`${deliveriesTable} d join ${webhooksTable} w on w.company_id = d.company_id and w.id = d.webhook_id`

export const listDeliveries = (db: Db, actor: Actor, query: DeliveryList) =>
  listPage<Delivery>(db, query, {
    select: sql`d.id, w.name as webhook_name, d.event, d.state, d.attempts, d.answer, d.created_at, d.delivered_at`,
    from: FROM,
    where: all([
      sql`d.company_id = ${actor.company_id}`,
      oneOf(sql`d.state`, query.filter.State),
      oneOf(sql`d.event`, query.filter.Event),
      matches(sql`plain(concat_ws(' ', w.name, d.event, d.answer))`, query.filter.Search),
    ]),
    sorts: { created_at: sql`d.created_at`, event: sql`d.event`, state: sql`d.state` },
    order: sql`d.created_at desc, d.id desc`,
    id: sql`d.id`,
  })

export async function deliverAgain(db: Db, actor: Actor, id: number) {
  const found = await row(
    db,
    sql`update ${deliveriesTable} set state = 'queued', attempts = 0, delivered_at = null
        where company_id = ${actor.company_id} and id = ${id} returning id`,
  )
  if (!found) throw notFound()
  await enqueue(db, deliverJob, { company_id: actor.company_id, id })
  return undefined
}

export const forgetOld = (database: Database, company_id: number) =>
  database.write(company_id, async (db) => {
    await rows(
      db,
      sql`delete from ${deliveriesTable} where company_id = ${company_id} and created_at < now() - ${KEPT_FOR}`,
    )
  })
