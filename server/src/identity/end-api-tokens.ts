import { sql } from 'drizzle-orm'
import { type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { companiesOf } from './companies.ts'
import { noteEverywhere } from './security.ts'
import { apiTokensTable } from './tables.ts'

/**
 * Ends the keys of somebody, in one company or everywhere, and notes it in the log of each company that had some. The rows
 * go, so that nothing brings them back.
 */
export async function endApiTokens(db: Db, user: { id: number; name: string }, by: Actor | undefined, only?: number) {
  const ended = await rows<{ company_id: number; name: string; workshop_id: number | null }>(
    db,
    sql`delete from ${apiTokensTable} where user_id = ${user.id} and (${only ?? null}::bigint is null or company_id = ${only ?? null})
        returning company_id, name`,
  )
  for (const company_id of new Set(ended.map((token) => token.company_id))) {
    const names = ended.filter((token) => token.company_id === company_id).map(({ name }) => `«${name}»`)
    const place = (await companiesOf(db, user.id)).find(({ id }) => id === company_id)
    const company = { id: company_id, workshop_id: place?.workshop_id ?? null }
    await noteEverywhere(db, user, [company], 'token', {
      detail: `${names.join(', ')}: ${names.length === 1 ? 'eliminada' : 'eliminadas'}`,
      by,
      ...(by && { home: by.company_id }),
    })
  }
}
