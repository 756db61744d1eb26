import { sql } from 'drizzle-orm'
import type { Membership } from '#contract/identity/identity.ts'
import { type Db, rows } from '../platform/database/db.ts'
import { companiesTable } from '../workshops/tables.ts'

/** The companies that let a person in. */
export const companiesOf = (db: Db, user_id: number) =>
  rows<Membership>(
    db,
    sql`select c.id, c.name, c.time_zone, m.role, m.workshop_id, m.workshop_name
        from memberships_of(${user_id}) m join ${companiesTable} c on c.id = m.company_id order by c.id`,
  )
