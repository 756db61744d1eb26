import { sql } from 'drizzle-orm'
import type { SecurityEvent, SecurityEventKind, SecurityEventList } from '#contract/identity/security.ts'
import { all, between, oneOf } from '../platform/database/conditions.ts'
import { type Db, workFor } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { matches } from '../platform/database/words.ts'
import { currentCaller } from '../platform/http/requests.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { inScope } from '../workshops/scope.ts'
import { securityEventsTable } from './tables.ts'

interface Person {
  id: number
  name: string
  workshop_id: number | null
}
interface More {
  detail?: string | undefined
  by?: Actor | undefined
}

/** A line in the log of the company that the transaction works for. */
async function note(db: Db, company_id: number, about: Person, kind: SecurityEventKind, { detail, by }: More) {
  await db.insert(securityEventsTable).values({
    company_id,
    kind,
    user_id: about.id,
    user_name: about.name,
    workshop_id: about.workshop_id,
    by_name: by && by.user_id !== about.id ? by.user_name : null,
    detail: detail?.slice(0, 500) ?? null,
    ...currentCaller(),
  })
}

/** Of somebody in the company of who does it. */
export const noteOf = (db: Db, actor: Actor, about: Person, kind: SecurityEventKind, detail?: string) =>
  note(db, actor.company_id, about, kind, { detail, by: actor })

export const noteOwn = (db: Db, actor: Actor, kind: SecurityEventKind, detail?: string) =>
  noteOf(db, actor, { id: actor.user_id, name: actor.user_name, workshop_id: actor.workshop_id }, kind, detail)

/** What is of the person, such as a password, is the concern of every company that lets them in. */
export async function noteEverywhere(
  db: Db,
  { id, name }: { id: number; name: string },
  companies: { id: number; workshop_id: number | null }[],
  kind: SecurityEventKind,
  more: More & { home?: number } = {},
) {
  for (const company of companies) {
    await workFor(db, company.id)
    await note(db, company.id, { id, name, workshop_id: company.workshop_id }, kind, more)
  }
  if (more.home !== undefined) await workFor(db, more.home)
}

/** Who manages one workshop reads of its people. */
export const listSecurityEvents = (db: Db, actor: Actor, query: SecurityEventList) =>
  listPage<SecurityEvent>(db, query, {
    select: sql`e.id, e.at, e.kind, e.user_name, e.by_name, e.detail, e.address, e.agent`,
    from: sql`${securityEventsTable} e`,
    where: all([
      inScope(actor, sql`e`, query.filter.WorkshopId),
      oneOf(sql`e.kind`, query.filter.Kind),
      between(sql`e.at`, query.filter.BetweenDate, actor.time_zone),
      matches(sql`plain(concat_ws(' ', e.user_name, e.by_name, e.detail, e.address))`, query.filter.Search),
    ]),
    sorts: { at: sql`e.at`, kind: sql`e.kind`, user_name: sql`e.user_name`, address: sql`e.address` },
    order: sql`e.at desc, e.id desc`,
    id: sql`e.id`,
  })
