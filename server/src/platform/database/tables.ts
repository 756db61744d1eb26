import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  check,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  pgPolicy,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core'

/** A moment, as ISO text on both sides: the wire, the form and the column hold the same value. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
})
/** Stretches of time; read and written in the database only. */
export const ranges = customType<{ data: string }>({ dataType: () => 'tstzmultirange' })
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const ref = () => bigint({ mode: 'number' })

/** What every table of a company starts with; `ofCompany` keys and fences it. */
export const companyColumns = { company_id: ref().notNull(), id: ref().notNull().generatedByDefaultAsIdentity() }
export const stamps = {
  created_at: instant().notNull().default(sql`now()`),
  updated_at: instant().notNull().default(sql`now()`),
}

/** Only rows of the company that the connection works for can be seen or written. */
export const companyFence = () =>
  pgPolicy('company_fence', {
    using: sql`company_id = nullif(current_setting('app.company_id', true), '')::bigint`,
  })

export const ofCompany = (t: { company_id: AnyPgColumn; id: AnyPgColumn }) => [
  primaryKey({ columns: [t.company_id, t.id] }),
  companyFence(),
]

/** A foreign key inside one company; its name is what turns a violation into a message. */
export const refers = (
  name: string,
  from: { company_id: AnyPgColumn },
  column: AnyPgColumn,
  to: { company_id: AnyPgColumn; id: AnyPgColumn },
) => foreignKey({ name, columns: [from.company_id, column], foreignColumns: [to.company_id, to.id] })

/** What is kept outside the database: its bytes are in the store, under the company and their hash. */
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

/** Who did what, when; written by `record` in the transaction of the change itself. */
export const activityTable = pgTable(
  'activity',
  {
    ...companyColumns,
    at: instant().notNull().default(sql`now()`),
    user_id: ref(),
    /** As the person was called then. */
    user_name: text(),
    entity: text().notNull(),
    entity_id: ref().notNull(),
    action: text().notNull(),
    changes: jsonb().notNull(),
  },
  (t) => [...ofCompany(t), index('activity_of_entity').on(t.company_id, t.entity, t.entity_id, t.id)],
)

/** Links of a company's chain: each vouches for some lines of the activity and for all links before it. */
export const activitySealsTable = pgTable(
  'activity_seals',
  {
    ...companyColumns,
    at: instant().notNull().default(sql`now()`),
    last_id: ref().notNull(),
    /** Which key it was made with. */
    key: text().notNull(),
    mac: bytes().notNull(),
  },
  (t) => ofCompany(t),
)

/** What each sealed line was. Without its salt a hash tells nothing of a value that had to be blanked. */
export const sealedActivityTable = pgTable(
  'sealed_activity',
  {
    company_id: ref().notNull(),
    activity_id: ref().notNull(),
    seal_id: ref().notNull(),
    facts: bytes().notNull(),
    person: bytes().notNull(),
    person_salt: bytes(),
    changes: bytes().notNull(),
    changes_salt: bytes(),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.activity_id] }),
    companyFence(),
    refers('sealed_activity_seal', t, t.seal_id, activitySealsTable),
    index('sealed_activity_of_seal').on(t.company_id, t.seal_id, t.activity_id),
  ],
)

/** The last number given of each kind: kept in a row of its own, so that no number is ever given twice. */
export const countersTable = pgTable(
  'counters',
  { company_id: ref().notNull(), kind: text().notNull(), last: integer().notNull() },
  (t) => [primaryKey({ columns: [t.company_id, t.kind] }), companyFence()],
)

/** The first answer to a create call that carried a key, to be given again for 24 hours. */
export const idempotencyTable = pgTable(
  'idempotency_keys',
  {
    company_id: ref().notNull(),
    user_id: ref().notNull(),
    key: text().notNull(),
    request_hash: bytes().notNull(),
    status: smallint(),
    reply: text(),
    created_at: instant().notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.company_id, t.user_id, t.key] }), companyFence()],
)

/** What leaves by mail, and what has left. The links in it start with an address that is filled in when it is sent. */
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

/** One row while the house is closed for maintenance; written by the operator's command. */
export const maintenanceTable = pgTable('maintenance', {
  message: text().primaryKey(),
  since: instant().notNull().default(sql`now()`),
})
