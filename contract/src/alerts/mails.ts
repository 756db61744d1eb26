import { z } from 'zod'
import { MAIL_STATE_NAMES } from '../base/mails.ts'
import { ById, endpoint, Id, IdList, Instant, ListOf, listing, page, Search } from '../base/wire.ts'

/** What is told by mail, once each. */
export const ALERT_EVENTS = {
  current: { label: 'Por vencer', tone: 'warning' },
  overdue: { label: 'Vencida', tone: 'danger' },
} as const
export type AlertEvent = keyof typeof ALERT_EVENTS
const EVENT_NAMES = Object.keys(ALERT_EVENTS) as [AlertEvent, ...AlertEvent[]]

export const Mail = z.object({
  id: Id,
  to: z.string(),
  subject: z.string(),
  state: z.enum(MAIL_STATE_NAMES),
  attempts: z.number(),
  next_attempt_at: Instant.nullable(),
  created_at: Instant,
  sent_at: Instant.nullable(),
  /** What the last attempt ended with. */
  answer: z.string().nullable(),
  alerts: z.number(),
})
export type Mail = z.infer<typeof Mail>

export const MailDetail = Mail.extend({
  /** null where it also speaks of workshops that the reader does not see. */
  html: z.string().nullable(),
  text: z.string().nullable(),
  lines: z.array(z.object({ alert_id: Id, event: z.enum(EVENT_NAMES), title: z.string(), exists: z.boolean() })),
  tries: z.array(
    z.object({
      at: Instant,
      outcome: z.enum(['sent', 'failed', 'uncertain']).nullable(),
      answer: z.string().nullable(),
    }),
  ),
})
export type MailDetail = z.infer<typeof MailDetail>

export const MailList = listing(['created_at', 'to', 'subject', 'state', 'attempts', 'sent_at'], {
  Search,
  State: ListOf(MAIL_STATE_NAMES),
  Alert: IdList,
})
export type MailList = z.infer<typeof MailList>

export const alertMails = {
  listMails: endpoint({
    method: 'GET',
    path: '/v1/maintenance-alerts/mails',
    title: 'Correos de alertas',
    may: 'people.manage',
    summary: 'Mails about alerts: sent, waiting and failed',
    query: MailList,
    reply: page(Mail).extend({ can_send: z.boolean() }),
  }),
  getMail: endpoint({
    method: 'GET',
    path: '/v1/maintenance-alerts/mails/:id',
    may: 'people.manage',
    summary: 'One mail, with what it says and every attempt to send it',
    params: ById,
    reply: MailDetail,
  }),
  resendMail: endpoint({
    method: 'POST',
    path: '/v1/maintenance-alerts/mails/:id/resend',
    may: 'people.manage',
    summary: 'Put a mail that failed, or that nobody knows whether it left, back in the queue',
    params: ById,
    reply: Mail,
  }),
}
