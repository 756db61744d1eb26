import { sql } from 'drizzle-orm'
import type { Workshop } from '#contract/workshops.ts'
import type { Actor } from '../platform/actor.ts'
import { type Db, rows } from '../platform/db.ts'
import { workshopsTable } from './tables.ts'

export async function listWorkshops(db: Db, actor: Actor) {
  const data = await rows<Workshop>(
    db,
    sql`select id, name, address from ${workshopsTable}
        where company_id = ${actor.company_id} and active
          and (${actor.workshop_id}::bigint is null or id = ${actor.workshop_id})
        order by name`,
  )
  return { data, total: data.length }
}
