import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { bytes, companyColumns, companyFence, instant, ofCompany, ref, refers } from '../database/tables.ts'

/** Files, which are kept outside the database: their bytes are in the store, under the company and their hash. */
export const filesTable = pgTable(
  'files',
  {
    company_id: ref().notNull(),
    /** SHA-256, as hex. */
    hash: text().notNull(),
    size: ref().notNull(),
    type: text().notNull(),
    created_at: instant().notNull().default(sql`now()`),
    /** How many times it came; a refused upload removes it only if nobody else sent it since. */
    times_kept: integer().notNull().default(1),
    /** No row names it, as far as is known; long after, it is swept. */
    unused_since: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.hash] }),
    companyFence(),
    // The sum of a company's files is read from the index alone.
    index('files_sizes').on(t.company_id, t.size),
    index('files_unused').on(t.company_id, t.unused_since).where(sql`unused_since is not null`),
  ],
)

/** A row names a file of its company. These keys are also how everything that is still needed is found. */
export const namesFile = (name: string, company: AnyPgColumn, hash: AnyPgColumn) =>
  foreignKey({ name, columns: [company, hash], foreignColumns: [filesTable.company_id, filesTable.hash] })

/** Mails to send, and mails that were sent. The links in it start with an address that is filled in when it is sent. */
export const mailsTable = pgTable(
  'mails',
  {
    ...companyColumns,
    /** The domain that wrote it. */
    topic: text().notNull(),
    to: text().notNull(),
    subject: text().notNull(),
    html: text().notNull(),
    text: text().notNull(),
    /** A file that goes with it. */
    attachment_name: text(),
    attachment_hash: text(),
    /** From when files were kept in the database; a job empties it. */
    attachment: bytes(),
    state: text().notNull().default('queued'),
    /** Since it was queued, by itself or by hand. */
    attempts: smallint().notNull().default(0),
    /** null: it does not leave by itself any more. */
    next_attempt_at: instant(),
    claimed_at: instant(),
    sent_at: instant(),
    created_at: instant().notNull().default(sql`now()`),
    search: text().generatedAlwaysAs(sql`plain("to" || ' ' || subject)`),
  },
  (t) => [
    ...ofCompany(t),
    index('mails_due').on(t.company_id, t.next_attempt_at).where(sql`state in ('queued', 'sending')`),
    index('mails_by_age').on(t.company_id, t.topic, t.created_at, t.id),
    index('mails_to_move').on(t.company_id).where(sql`attachment is not null`),
    index('mails_of_file').on(t.company_id, t.attachment_hash).where(sql`attachment_hash is not null`),
    namesFile('mails_attachment', t.company_id, t.attachment_hash),
    check('mails_state', sql`${t.state} in ('queued', 'sending', 'sent', 'failed', 'uncertain')`),
  ],
)

/** Every attempt to hand a mail over, and what came of it; without an outcome it is under way. */
export const mailAttemptsTable = pgTable(
  'mail_attempts',
  {
    ...companyColumns,
    mail_id: ref().notNull(),
    at: instant().notNull(),
    outcome: text(),
    answer: text(),
  },
  (t) => [
    ...ofCompany(t),
    refers('mail_attempts_mail', t, t.mail_id, mailsTable),
    index('mail_attempts_of_mail').on(t.company_id, t.mail_id, t.id),
  ],
)
