import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { createTransport, type Transporter } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { appContext, type Database, type Db, one, row, rows } from '../database/db.ts'
import { announce } from '../operations/happenings.ts'
import { type CompanyJob, enqueue } from '../operations/jobs.ts'
import type { Moved, Where } from './files.ts'
import { filesTable, mailAttemptsTable, mailsTable } from './tables.ts'

export interface Letter {
  topic: string
  to: string
  subject: string
  html: string
  text: string
  /** A file that goes with it. */
  attachment_name?: string | null
  attachment_hash?: string | null
}

/** Stands for the product's own address in the links of a mail, until it leaves. */
export const ADDRESS = '{{address}}'

export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c]!)

/** Minutes between one attempt and the next; after the last it has failed. */
const PAUSES = [1, 5, 15, 60, 3 * 60, 6 * 60, 12 * 60, 24 * 60]
/** What waited longer than this, for a mail server to be set up say, is news no more: it leaves only by hand. */
const STALE_DAYS = 7
/** Longer than any attempt can take: the process that claimed it is gone. */
const LOST_MINUTES = 10

/** Mails of these hold a key that opens a door: once they left, only that they did is kept. */
const SECRET = ['identity']

declare module '../database/context.ts' {
  interface AppContext {
    /** Sends queued mails; missing where no mail server is set up. */
    outbox?: { readonly canSend: boolean; sendDue(company_id: number): Promise<number> }
  }
}

/** Whether a mail would leave at all. */
export const canMail = (db: Db) => appContext(db).outbox?.canSend ?? false

/** Queued with each mail that can leave; by the clock for those that are tried again or waited for a mail server. */
export const mailsJob: CompanyJob = {
  name: 'mails',
  schedule: '* * * * *',
  async runFor({ context }, company_id) {
    await context.outbox?.sendDue(company_id)
  },
}

export const movedAttachments: Moved = {
  table: mailsTable,
  from: 'attachment',
  to: 'attachment_hash',
  type: () => 'application/pdf',
}

/** Kept with the transaction that has something to say; leaves once that is committed. */
export async function queueMail(db: Db, company_id: number, letter: Letter, now: Date): Promise<number> {
  const at = now.toISOString()
  const { id } = one(
    await db
      .insert(mailsTable)
      .values({ company_id, ...letter, next_attempt_at: at, created_at: at })
      .returning({ id: mailsTable.id }),
  )
  if (canMail(db)) await enqueue(db, mailsJob, { company_id })
  return id
}

interface Claimed extends Letter, Where {
  id: number
  attempt_id: number
  attempts: number
}
interface Outcome {
  outcome: 'sent' | 'failed' | 'uncertain'
  answer: string
  /** The server could not be reached: the next need not be tried now. */
  unreachable?: boolean
}

/**
 * Hands queued mails to the mail server, on however many instances. An attempt is committed before it begins and again
 * when it ends. Where the server may have taken the mail and its answer never came, the mail is `uncertain` and is
 * not sent again by itself: nobody is told twice.
 */
export class Outbox {
  readonly #database: Database
  readonly #address: string
  readonly #transport: Transporter | undefined
  readonly #from: string
  #closed = false

  constructor(database: Database, { smtpUrl, address }: { smtpUrl?: string | null; address: string }) {
    this.#database = database
    this.#address = address
    const url = smtpUrl ? new URL(smtpUrl) : undefined
    const user = decodeURIComponent(url?.username ?? '')
    const host = new URL(address).hostname
    this.#from = url?.searchParams.get('from') ?? (user.includes('@') ? user : `maestranza@${host}`)
    url?.searchParams.delete('from')
    this.#transport =
      url &&
      createTransport({
        url: url.toString(),
        connectionTimeout: 15_000,
        greetingTimeout: 15_000,
        socketTimeout: 60_000,
      } as object)
  }

  get canSend() {
    return this.#transport !== undefined
  }

  /** What is due in a company at this moment, one after the other. Says how many left. */
  async sendDue(company_id: number, clock = () => new Date()): Promise<number> {
    if (!this.#transport) return 0
    await this.#database.write(company_id, (db) => giveUpLost(db, company_id, clock()))
    let sent = 0
    while (!this.#closed) {
      const mail = await this.#database.write(company_id, (db) => claim(db, company_id, clock()))
      if (!mail) break
      const outcome = await this.#send(company_id, mail)
      await this.#database.write(company_id, (db) => settle(db, company_id, mail, outcome, clock()))
      if (outcome.outcome === 'sent') sent += 1
      if (outcome.unreachable) break
    }
    return sent
  }

  async #send(company_id: number, mail: Claimed): Promise<Outcome> {
    let attachment: Buffer | null
    try {
      attachment = await this.#attachmentOf(company_id, mail)
    } catch (error) {
      return { outcome: 'failed', answer: (error as Error).message }
    }
    const fill = (text: string) => text.replaceAll(ADDRESS, this.#address)
    const message = new MailComposer({
      from: { name: 'Maestranza', address: this.#from },
      to: mail.to,
      subject: mail.subject,
      html: fill(mail.html),
      text: fill(mail.text),
      ...(attachment && { attachments: [{ filename: mail.attachment_name ?? 'archivo', content: attachment }] }),
      // The same for every attempt, so that a server or reader that got it before can tell.
      messageId: `<maestranza.${company_id}.${mail.id}@${new URL(this.#address).hostname}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    const bytes = await message.compile().build()
    let handedOver = false
    const raw = Readable.from([bytes]).once('end', () => {
      handedOver = true
    })
    try {
      const { response } = await this.#transport!.sendMail({ envelope: { from: this.#from, to: mail.to }, raw })
      return { outcome: 'sent', answer: String(response ?? '') }
    } catch (error) {
      const { responseCode, response, message: words } = error as Error & { responseCode?: number; response?: string }
      const answer = (response || words || 'Sin respuesta').slice(0, 500)
      if (responseCode !== undefined) return { outcome: 'failed', answer }
      return handedOver ? { outcome: 'uncertain', answer } : { outcome: 'failed', answer, unreachable: true }
    }
  }

  async #attachmentOf(company_id: number, { content, hash, size }: Claimed) {
    const { files } = this.#database.context
    return hash && !content ? files!.read(company_id, { hash, size: size! }) : content
  }

  /** The mail on its way is the last. */
  end() {
    this.#closed = true
  }

  close() {
    this.end()
    this.#transport?.close()
  }
}

/** The oldest that is due and that nobody else has; from here on it is ours. */
async function claim(db: Db, company_id: number, now: Date): Promise<Claimed | undefined> {
  const at = now.toISOString()
  const mail = await row<Omit<Claimed, 'attempt_id'>>(
    db,
    sql`update ${mailsTable} m set state = 'sending', attempts = attempts + 1, claimed_at = ${at}
        where company_id = ${company_id} and id = (
          select id from ${mailsTable} where company_id = ${company_id} and state = 'queued' and next_attempt_at <= ${at}
            and (attempts > 0 or created_at > ${at}::timestamptz - make_interval(days => ${STALE_DAYS}::int))
          order by next_attempt_at, id limit 1 for update skip locked)
        returning id, topic, "to", subject, html, text, attachment_name, attempts, attachment as content, attachment_hash as hash,
          (select size from ${filesTable} f where f.company_id = ${company_id} and f.hash = m.attachment_hash) as size`,
  )
  if (!mail) return undefined
  const [attempt] = await db
    .insert(mailAttemptsTable)
    .values({ company_id, mail_id: mail.id, at })
    .returning({ id: mailAttemptsTable.id })
  return { ...mail, attempt_id: attempt!.id }
}

async function settle(db: Db, company_id: number, mail: Claimed, { outcome, answer }: Outcome, now: Date) {
  const pause = PAUSES[mail.attempts - 1]
  const again = outcome === 'failed' && pause !== undefined
  const next = again ? new Date(now.getTime() + pause * 60_000).toISOString() : null
  await rows(
    db,
    sql`update ${mailsTable} set state = ${again ? 'queued' : outcome}, next_attempt_at = ${next}, claimed_at = null,
          sent_at = ${outcome === 'sent' ? now.toISOString() : null}
          ${again || !SECRET.includes(mail.topic) ? sql`` : sql`, html = '', text = ''`}
        where company_id = ${company_id} and id = ${mail.id}`,
  )
  await rows(
    db,
    sql`update ${mailAttemptsTable} set outcome = ${outcome}, answer = ${answer}
        where company_id = ${company_id} and id = ${mail.attempt_id}`,
  )
  announce(db, { company_id }, { topic: mail.topic, workshop_id: null, ids: [] })
}

/** Claimed by somebody who ended in the middle: the server may have it or not. */
async function giveUpLost(db: Db, company_id: number, now: Date) {
  const lost = await rows<{ id: number }>(
    db,
    sql`update ${mailsTable} set state = 'uncertain', next_attempt_at = null, claimed_at = null
        where company_id = ${company_id} and state = 'sending'
          and claimed_at < ${now.toISOString()}::timestamptz - make_interval(mins => ${LOST_MINUTES}::int) returning id`,
  )
  if (lost.length > 0)
    await rows(
      db,
      sql`update ${mailAttemptsTable} set outcome = 'uncertain', answer = 'El envío se interrumpió antes de la respuesta.'
          where company_id = ${company_id} and mail_id = any(${sql.param(lost.map(({ id }) => id))}) and outcome is null`,
    )
}

/** Back in the queue by somebody's decision, however old it is, with all its attempts before it. */
export async function requeueMail(db: Db, company_id: number, id: number, now: Date) {
  await rows(
    db,
    sql`update ${mailsTable} set state = 'queued', next_attempt_at = ${now.toISOString()}, attempts = 1
        where company_id = ${company_id} and id = ${id}`,
  )
  if (canMail(db)) await enqueue(db, mailsJob, { company_id })
}
