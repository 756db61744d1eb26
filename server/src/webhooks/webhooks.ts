import { randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Webhook, WebhookEdit } from '#contract/webhooks/webhooks.ts'
import { type Db, one, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import type { CompanyJob } from '../platform/operations/jobs.ts'
import { closed } from '../platform/operations/secrets.ts'
import { notFound, Problem, requireFresh } from '../platform/problems.ts'
import { tellOne, whoseWebhook } from './deliveries.ts'
import { webhooksTable } from './tables.ts'

const MOST = 20
const SELECT = sql`w.id, w.name, w.url, w.events, w.active, w.updated_at`

export async function listWebhooks(db: Db, actor: Actor) {
  const data = await rows<Webhook>(
    db,
    sql`select ${SELECT} from ${webhooksTable} w where w.company_id = ${actor.company_id} order by w.name, w.id`,
  )
  return { data, total: data.length }
}

export async function requireWebhook(db: Db, actor: Actor, id: number, lock = false): Promise<Webhook> {
  const found = await row<Webhook>(
    db,
    sql`select ${SELECT} from ${webhooksTable} w where w.company_id = ${actor.company_id} and w.id = ${id}
        ${lock ? sql`for update` : sql``}`,
  )
  if (!found) throw notFound()
  return found
}

export async function createWebhook(db: Db, actor: Actor, { updated_at: _, ...what }: WebhookEdit) {
  if ((await listWebhooks(db, actor)).total >= MOST)
    throw new Problem(422, `Hay ${MOST} webhooks: elimine alguno antes.`)
  const secret = `whsec_${randomBytes(32).toString('base64url')}`
  const { id } = one(
    await db
      .insert(webhooksTable)
      .values({ company_id: actor.company_id, secret: closed(db, secret, whoseWebhook(actor.company_id)), ...what })
      .returning({ id: webhooksTable.id }),
  )
  const webhook = await requireWebhook(db, actor, id)
  await record(db, actor, 'webhook', id, 'created', {}, webhook)
  return { webhook, secret }
}

/** Those of before there was a key. */
export const closeSecretsJob: CompanyJob = {
  name: 'webhook-secrets',
  schedule: '*/5 * * * *',
  runFor: (database, company_id) =>
    database.write(company_id, async (db) => {
      const open = await rows<{ id: number; secret: string }>(
        db,
        sql`select id, secret from ${webhooksTable}
            where company_id = ${company_id} and secret not like 'closed:%' for update`,
      )
      for (const { id, secret } of open)
        await rows(
          db,
          sql`update ${webhooksTable} set secret = ${closed(db, secret, whoseWebhook(company_id))}
              where company_id = ${company_id} and id = ${id}`,
        )
    }),
}

export async function updateWebhook(db: Db, actor: Actor, id: number, { updated_at, ...what }: WebhookEdit) {
  const before = await requireWebhook(db, actor, id, true)
  requireFresh(before, updated_at)
  await db
    .update(webhooksTable)
    .set({ ...what, updated_at: new Date().toISOString() })
    .where(and(eq(webhooksTable.company_id, actor.company_id), eq(webhooksTable.id, id)))
  const after = await requireWebhook(db, actor, id)
  await record(db, actor, 'webhook', id, 'updated', before, after)
  return after
}

export async function deleteWebhook(db: Db, actor: Actor, id: number) {
  const before = await requireWebhook(db, actor, id, true)
  await rows(db, sql`delete from ${webhooksTable} where company_id = ${actor.company_id} and id = ${id}`)
  await record(db, actor, 'webhook', id, 'deleted', before, {})
  return undefined
}

export async function pingWebhook(db: Db, actor: Actor, id: number) {
  const { name } = await requireWebhook(db, actor, id)
  await tellOne(db, actor, id, 'ping', { name })
  return undefined
}
