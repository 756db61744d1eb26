import { sql } from 'drizzle-orm'
import { type Db, row } from './db.ts'
import { countersTable } from './tables.ts'

/**
 * The next number of a kind in a company. One at a time until the end of the transaction, so that whoever rolls back
 * has not used one up; what was deleted keeps its own.
 */
export async function nextNumber(db: Db, company_id: number, kind: string): Promise<number> {
  const given = await row<{ last: number }>(
    db,
    sql`insert into ${countersTable} as c (company_id, kind, last) values (${company_id}, ${kind}, 1)
        on conflict (company_id, kind) do update set last = c.last + 1 returning last`,
  )
  return given!.last
}
