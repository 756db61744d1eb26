import { sql } from 'drizzle-orm'
import { boolean, check, foreignKey, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  bytes,
  companyColumns,
  companyFence,
  instant,
  ofCompany,
  ref,
  refers,
  stamps,
} from '../platform/database/tables.ts'
import { companiesTable, specialistsTable, workshopsTable } from '../workshops/tables.ts'

/** People. They belong to no company: one person may work in several. */
export const usersTable = pgTable(
  'users',
  {
    id: ref().primaryKey().generatedByDefaultAsIdentity(),
    email: text().notNull(),
    name: text().notNull(),
    /** null: invited, and no password chosen yet. */
    password_hash: text(),
    active: boolean().notNull().default(true),
    ...stamps,
  },
  (t) => [uniqueIndex('users_email_unique').on(sql`lower(${t.email})`)],
)

export const membershipsTable = pgTable(
  'memberships',
  {
    company_id: ref().notNull(),
    user_id: ref().notNull(),
    role: text().notNull(),
    workshop_id: ref(),
    specialist_id: ref(),
    state: text().notNull().default('active'),
    /** What who invited them calls them; theirs is shown once they accept. */
    invited_name: text(),
    preferences: jsonb().notNull().default({}),
    ...stamps,
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.user_id] }),
    companyFence(),
    index('memberships_of_user').on(t.user_id),
    foreignKey({ name: 'memberships_company', columns: [t.company_id], foreignColumns: [companiesTable.id] }),
    foreignKey({ name: 'memberships_user', columns: [t.user_id], foreignColumns: [usersTable.id] }),
    refers('memberships_workshop', t, t.workshop_id, workshopsTable),
    refers('memberships_specialist', t, t.specialist_id, specialistsTable),
    uniqueIndex('memberships_specialist_unique').on(t.company_id, t.specialist_id),
    check('memberships_state', sql`${t.state} in ('active', 'invited', 'inactive')`),
    check('memberships_scope', sql`(${t.role} = 'super-admin') = (${t.workshop_id} is null)`),
  ],
)

/** Open sessions. The token itself is only with the person; here is its SHA-256. */
export const sessionsTable = pgTable(
  'sessions',
  {
    id: ref().primaryKey().generatedByDefaultAsIdentity(),
    token_hash: bytes().notNull(),
    user_id: ref().notNull(),
    created_at: instant().notNull().default(sql`now()`),
    last_seen_at: instant().notNull().default(sql`now()`),
    expires_at: instant().notNull(),
    agent: text().notNull(),
    address: text().notNull(),
    /** When they last showed that it is them, and that with a second factor. */
    confirmed_at: instant().notNull().default(sql`now()`),
    factor_at: instant(),
    /** The only company it opens: the one whose identity provider let them in. */
    company_id: ref(),
    /** The browser it was opened with, as in `devices`. */
    device_hash: bytes(),
  },
  (t) => [
    uniqueIndex('sessions_token').on(t.token_hash),
    index('sessions_of_user').on(t.user_id),
    index('sessions_expiry').on(t.expires_at),
    foreignKey({ name: 'sessions_user', columns: [t.user_id], foreignColumns: [usersTable.id] }),
  ],
)

/** One row until the first company is made: the code that the log shows. */
export const setUpTable = pgTable('setup', { code: text().primaryKey() })

/** Guesses at a password or a code, by what was guessed at and where from; those that were right are taken off. */
export const attemptsTable = pgTable(
  'login_attempts',
  { id: ref().primaryKey().generatedByDefaultAsIdentity(), key: text().notNull(), at: instant().notNull() },
  (t) => [index('login_attempts_of_key').on(t.key, t.at)],
)

/** Browsers somebody logged in with before: what others guess at the account does not keep these out. */
export const devicesTable = pgTable(
  'devices',
  {
    token_hash: bytes().primaryKey(),
    user_id: ref().notNull(),
    last_seen_at: instant().notNull().default(sql`now()`),
  },
  (t) => [
    index('devices_of_user').on(t.user_id),
    foreignKey({ name: 'devices_user', columns: [t.user_id], foreignColumns: [usersTable.id] }),
  ],
)

/** What somebody has besides a password: the secret of an application that makes codes, or the public key of a passkey. */
export const factorsTable = pgTable(
  'factors',
  {
    id: ref().primaryKey().generatedByDefaultAsIdentity(),
    user_id: ref().notNull(),
    kind: text().notNull(),
    name: text().notNull(),
    secret: bytes().notNull(),
    /** Of a passkey: its own name, and the address that it belongs to. */
    credential_id: text(),
    rp_id: text(),
    /** The last step of the clock whose code was used, or what the passkey counted. */
    counter: ref().notNull().default(0),
    transports: text().array().notNull().default([]),
    created_at: instant().notNull().default(sql`now()`),
    last_used_at: instant(),
  },
  (t) => [
    index('factors_of_user').on(t.user_id),
    uniqueIndex('factors_credential').on(t.credential_id),
    foreignKey({ name: 'factors_user', columns: [t.user_id], foreignColumns: [usersTable.id] }),
    check('factors_kind', sql`${t.kind} in ('totp', 'passkey')`),
  ],
)

/** For who lost the telephone: each opens once. Only their SHA-256 is here. */
export const recoveryCodesTable = pgTable(
  'recovery_codes',
  { user_id: ref().notNull(), code_hash: bytes().notNull() },
  (t) => [
    primaryKey({ columns: [t.user_id, t.code_hash] }),
    foreignKey({ name: 'recovery_codes_user', columns: [t.user_id], foreignColumns: [usersTable.id] }),
  ],
)

/** What was asked of a browser and must come back in time, once. */
export const challengesTable = pgTable(
  'challenges',
  {
    challenge: text().primaryKey(),
    user_id: ref().notNull(),
    purpose: text().notNull(),
    secret: bytes(),
    expires_at: instant().notNull(),
  },
  (t) => [
    index('challenges_expiry').on(t.expires_at),
    foreignKey({ name: 'challenges_user', columns: [t.user_id], foreignColumns: [usersTable.id] }),
  ],
)

/** The identity provider through which people of a company may come in. */
export const identityProvidersTable = pgTable(
  'identity_providers',
  {
    company_id: ref().notNull(),
    issuer: text().notNull(),
    client_id: text().notNull(),
    client_secret: text().notNull(),
    label: text().notNull(),
    ...stamps,
  },
  (t) => [
    primaryKey({ columns: [t.company_id] }),
    companyFence(),
    foreignKey({ name: 'identity_providers_company', columns: [t.company_id], foreignColumns: [companiesTable.id] }),
  ],
)

/** Who is who at the provider: made by the person, while logged in. */
export const oidcLinksTable = pgTable(
  'oidc_links',
  {
    company_id: ref().notNull(),
    user_id: ref().notNull(),
    issuer: text().notNull(),
    subject: text().notNull(),
    created_at: instant().notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.company_id, t.user_id] }),
    companyFence(),
    uniqueIndex('oidc_links_subject').on(t.company_id, t.issuer, t.subject),
    foreignKey({
      name: 'oidc_links_membership',
      columns: [t.company_id, t.user_id],
      foreignColumns: [membershipsTable.company_id, membershipsTable.user_id],
    }),
  ],
)

/** Who is on the way to a provider and back. */
export const oidcFlowsTable = pgTable(
  'oidc_flows',
  {
    state: text().primaryKey(),
    company_id: ref().notNull(),
    /** null: somebody comes in; else who links themself. */
    user_id: ref(),
    verifier: text().notNull(),
    nonce: text().notNull(),
    redirect_uri: text().notNull(),
    expires_at: instant().notNull(),
  },
  (t) => [index('oidc_flows_expiry').on(t.expires_at)],
)

/** Keys for people's own programs: each opens one company, and some of what the person may do there. Here is its SHA-256. */
export const apiTokensTable = pgTable(
  'api_tokens',
  {
    id: ref().primaryKey().generatedByDefaultAsIdentity(),
    token_hash: bytes().notNull(),
    company_id: ref().notNull(),
    user_id: ref().notNull(),
    name: text().notNull(),
    permissions: text().array().notNull(),
    created_at: instant().notNull().default(sql`now()`),
    expires_at: instant().notNull(),
    last_used_at: instant(),
    last_address: text(),
  },
  (t) => [
    uniqueIndex('api_tokens_token').on(t.token_hash),
    index('api_tokens_of_company').on(t.company_id, t.user_id),
    foreignKey({
      name: 'api_tokens_membership',
      columns: [t.company_id, t.user_id],
      foreignColumns: [membershipsTable.company_id, membershipsTable.user_id],
    }),
  ],
)

/** Invitations and resets of a password. Only the person it was given to has the link itself; here is its SHA-256. */
export const oneTimeLinksTable = pgTable(
  'one_time_links',
  {
    id: ref().primaryKey().generatedByDefaultAsIdentity(),
    token_hash: bytes().notNull(),
    kind: text().notNull(),
    user_id: ref().notNull(),
    /** Of the person who gave it. */
    company_id: ref().notNull(),
    created_at: instant().notNull().default(sql`now()`),
    expires_at: instant().notNull(),
  },
  (t) => [
    uniqueIndex('one_time_links_token').on(t.token_hash),
    uniqueIndex('one_time_links_of_user').on(t.user_id, t.company_id),
    foreignKey({ name: 'one_time_links_user', columns: [t.user_id], foreignColumns: [usersTable.id] }),
    foreignKey({ name: 'one_time_links_company', columns: [t.company_id], foreignColumns: [companiesTable.id] }),
    check('one_time_links_kind', sql`${t.kind} in ('invitation', 'reset')`),
  ],
)

/** Who came in, who failed to, and what was changed of who may: only ever added to. In each company of the person. */
export const securityEventsTable = pgTable(
  'security_events',
  {
    ...companyColumns,
    at: instant().notNull().default(sql`now()`),
    kind: text().notNull(),
    /** Whom it is about, as they were called then, and where they worked. */
    user_id: ref(),
    user_name: text().notNull(),
    workshop_id: ref(),
    /** Who did it, where that is somebody else. */
    by_name: text(),
    detail: text(),
    address: text(),
    agent: text(),
  },
  (t) => [
    ...ofCompany(t),
    index('security_events_by_age').on(t.company_id, t.at, t.id),
    foreignKey({ name: 'security_events_company', columns: [t.company_id], foreignColumns: [companiesTable.id] }),
  ],
)

/** How somebody looks at a list; see the contract. */
export const savedViewsTable = pgTable(
  'saved_views',
  {
    ...companyColumns,
    user_id: ref().notNull(),
    list: text().notNull(),
    name: text().notNull(),
    query: text().notNull(),
    hidden: text().array(),
    shared: boolean().notNull().default(false),
    roles: text().array().notNull().default(sql`'{}'`),
    ...stamps,
  },
  (t) => [
    ...ofCompany(t),
    foreignKey({
      name: 'saved_views_person',
      columns: [t.company_id, t.user_id],
      foreignColumns: [membershipsTable.company_id, membershipsTable.user_id],
    }).onDelete('cascade'),
    uniqueIndex('saved_views_name_unique').on(t.company_id, t.user_id, t.list, sql`lower(${t.name})`),
  ],
)
