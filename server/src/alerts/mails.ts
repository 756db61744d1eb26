import { type SQL, sql } from 'drizzle-orm'
import type { Mail, MailDetail, MailList } from '#contract/alerts/mails.ts'
import { MAIL_STATES } from '#contract/base/mails.ts'
import { all, oneOf } from '../platform/database/conditions.ts'
import { COMPANY, type Db, row, rows } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { announce } from '../platform/operations/happenings.ts'
import { ADDRESS, canMail, requeueMail } from '../platform/outside/mail.ts'
import { mailAttemptsTable, mailsTable } from '../platform/outside/tables.ts'
import { notFound, Problem } from '../platform/problems.ts'
import { inScope } from '../workshops/scope.ts'
import { alertMailsTable, alertsTable } from './tables.ts'

/** People of one workshop read the mails about it, and in them only the lines about it. */
const linesOf = (actor: Actor) =>
  sql`select l.* from ${alertMailsTable} l where l.company_id = ${COMPANY} and l.mail_id = m.id and ${inScope(actor, sql`l`)}`
const select = (actor: Actor) => sql`m.id, m."to", m.subject, m.state, m.next_attempt_at, m.created_at, m.sent_at,
  (select count(*)::int from ${mailAttemptsTable} k where k.company_id = ${COMPANY} and k.mail_id = m.id) as attempts,
  (select k.answer from ${mailAttemptsTable} k where k.company_id = ${COMPANY} and k.mail_id = m.id order by k.id desc limit 1) as answer,
  (select count(*)::int from (${linesOf(actor)}) v) as alerts`
const visible = (actor: Actor) =>
  sql`m.company_id = ${actor.company_id} and m.topic = 'alerts' and exists (${linesOf(actor)})`
const SORTS: Record<string, SQL> = {
  created_at: sql`m.created_at`,
  to: sql`m."to"`,
  subject: sql`m.subject`,
  state: sql`m.state`,
  attempts: sql`m.attempts`,
  sent_at: sql`m.sent_at`,
}

export async function listMails(db: Db, actor: Actor, query: MailList) {
  const { filter } = query
  const found = await listPage<Mail>(db, query, {
    select: select(actor),
    from: sql`${mailsTable} m`,
    where: all([
      visible(actor),
      oneOf(sql`m.state`, filter.State),
      filter.Alert?.length
        ? sql`exists (select from (${linesOf(actor)}) v where v.alert_id = any(${sql.param(filter.Alert)}))`
        : undefined,
      matches(sql`m.search`, filter.Search),
    ]),
    sorts: SORTS,
    order: sql`m.created_at desc, m.id desc`,
    id: sql`m.id`,
  })
  return { ...found, can_send: canMail(db) }
}

export async function requireMail(db: Db, actor: Actor, id: number): Promise<MailDetail> {
  const mail = await row<Mail & { html: string; text: string; complete: boolean }>(
    db,
    sql`select ${select(actor)}, m.html, m.text, (select count(*) from (${linesOf(actor)}) v) =
          (select count(*) from ${alertMailsTable} l where l.company_id = ${COMPANY} and l.mail_id = m.id) as complete
        from ${mailsTable} m where ${visible(actor)} and m.id = ${id}`,
  )
  if (!mail) throw notFound()
  const lines = await rows<MailDetail['lines'][number]>(
    db,
    sql`select l.alert_id, l.event, l.title, exists (select from ${alertsTable} a where a.company_id = ${COMPANY}
          and a.id = l.alert_id) as exists
        from ${alertMailsTable} l where l.mail_id = ${id} and ${inScope(actor, sql`l`)} order by l.event desc, l.title, l.alert_id`,
  )
  const tries = await rows<MailDetail['tries'][number]>(
    db,
    sql`select at, outcome, answer from ${mailAttemptsTable} where company_id = ${actor.company_id} and mail_id = ${id} order by id`,
  )
  const { complete, html, text, ...rest } = mail
  const shown = (content: string) => (complete ? content.replaceAll(ADDRESS, '') : null)
  return { ...rest, html: shown(html), text: shown(text), lines, tries }
}

/** What failed, or what nobody knows whether it left: somebody decides that it leaves again. */
export async function resendMail(db: Db, actor: Actor, id: number): Promise<Mail> {
  await rows(db, sql`select id from ${mailsTable} where company_id = ${actor.company_id} and id = ${id} for update`)
  const { state } = await requireMail(db, actor, id)
  if (MAIL_STATES[state].again === null) throw new Problem(409, 'Este correo ya fue enviado.')
  await requeueMail(db, actor.company_id, id, new Date())
  announce(db, actor, { topic: 'alerts', workshop_id: null, ids: [] })
  const { html: _, text: __, lines: ___, tries: ____, ...mail } = await requireMail(db, actor, id)
  return mail
}
