import { desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Activity } from '#contract/base/activity.ts'
import { type Db, defer, rows } from '../database/db.ts'
import type { Actor } from './actor.ts'
import { activityTable } from './tables.ts'

/** Says nothing by itself: every change moves it. */
const SILENT = new Set(['updated_at', 'created_at'])

type Row = Record<string, unknown>

export function changesBetween(before: Row, after: Row): Record<string, [unknown, unknown]> {
  const changes: Record<string, [unknown, unknown]> = {}
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[field] ?? null, after[field] ?? null]
    if (!SILENT.has(field) && JSON.stringify(was) !== JSON.stringify(is)) changes[field] = [was, is]
  }
  return changes
}

/** Who did it, and in whose company. */
export type Recorder = Pick<Actor, 'company_id' | 'user_id' | 'user_name'>

/** Writes what an operation did into the activity of a thing; an edit that changed nothing leaves no line. */
export async function record(
  db: Db,
  actor: Recorder,
  entity: string,
  entity_id: number,
  action: string,
  before: object = {},
  after: object = {},
) {
  const changes = changesBetween(before as Row, after as Row)
  if (action === 'updated' && Object.keys(changes).length === 0) return
  await defer(
    db,
    rows(
      db,
      sql`insert into ${activityTable} (company_id, user_id, user_name, entity, entity_id, action, changes)
          values (${actor.company_id}, ${actor.user_id}, ${actor.user_name}, ${entity}, ${entity_id}, ${action},
            ${JSON.stringify(changes)}::jsonb)`,
    ),
  )
}

/** As `record`, for many at once: `changed` selects entity_id, before and after (objects of what a person reads). */
export const recordMany = (db: Db, actor: Actor, entity: string, action: string, changed: SQL) =>
  recordChanges(
    db,
    actor,
    entity,
    action,
    sql`select c.entity_id,
          (select coalesce(jsonb_object_agg(field, jsonb_build_array(c.before -> field, c.after -> field)), '{}')
           from jsonb_object_keys(c.before || c.after) field
           where nullif(c.before -> field, 'null') is distinct from nullif(c.after -> field, 'null')) as changes
        from (${changed}) c`,
  )

/**
 * The same where it is known what changed: `changed` selects entity_id and changes, or changes rows and returns what
 * `changes` is then made of, as `c`.
 */
export async function recordChanges(
  db: Db,
  actor: Actor,
  entity: string,
  action: string,
  changed: SQL,
  { changes = sql`c.changes` }: { changes?: SQL } = {},
) {
  await rows(
    db,
    sql`with c as (${changed})
        insert into ${activityTable} (company_id, user_id, user_name, entity, entity_id, action, changes)
        select ${actor.company_id}, ${actor.user_id}, ${actor.user_name}, ${entity}, c.entity_id, ${action}, ${changes}
        from c returning company_id`,
  )
}

/** Newest first. The caller has made sure that the person may read the thing. */
export async function listActivity(
  db: Db,
  actor: Actor,
  entity: string,
  entity_id: number,
  { page, per_page }: { page: number; per_page: number },
) {
  const ofThing = sql`${eq(activityTable.company_id, actor.company_id)} and ${eq(activityTable.entity, entity)} and ${eq(activityTable.entity_id, entity_id)}`
  const data = await rows<Activity>(
    db,
    sql`select id, at, user_name, action, changes from ${activityTable} where ${ofThing}
        order by ${desc(activityTable.id)} limit ${per_page} offset ${(page - 1) * per_page}`,
  )
  const [counted] = await rows<{ total: number }>(
    db,
    sql`select count(*) as total from ${activityTable} where ${ofThing}`,
  )
  return { data, total: counted?.total ?? 0, page, per_page }
}
