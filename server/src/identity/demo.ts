import { sql } from 'drizzle-orm'
import { ROLE_NAMES, type Role } from '#contract/base/permissions.ts'
import { appContext, type Db, row, rows } from '../platform/database/db.ts'
import { notFound } from '../platform/problems.ts'
import { companiesOf } from './companies.ts'
import { noteEverywhere } from './security.ts'
import { type Caller, openSession } from './sessions.ts'
import { usersTable } from './tables.ts'

declare module '../platform/database/context.ts' {
  interface AppContext {
    /** Replaces the demonstration by an empty product (with a set-up code) or by a new one; returns why it could not. */
    leaveDemo?: (code: string | null) => Promise<string | undefined>
  }
}

/** One person of the demonstration for each role, whom visitors of a public one enter as. */
export const DEMO_EMAILS: Record<Role, string> = {
  'super-admin': 'admin@maestranza.demo',
  admin: 'jefe@maestranza.demo',
  warehouse: 'bodega@maestranza.demo',
  specialist: 'mecanico@maestranza.demo',
  viewer: 'consulta@maestranza.demo',
}

/** The ways into a public demonstration, most rights first; none where it is not public. */
export async function demoEntries(db: Db) {
  const { publicDemo } = appContext(db)
  if (!publicDemo) return { data: [], total: 0, reset_hours: null }
  const people = await rows<{ name: string; email: string }>(
    db,
    sql`select name, lower(email) as email from ${usersTable}
        where lower(email) = any(${sql.param(Object.values(DEMO_EMAILS))}) and active`,
  )
  const data = ROLE_NAMES.flatMap((role) => {
    const person = people.find(({ email }) => email === DEMO_EMAILS[role])
    return person ? [{ role, name: person.name }] : []
  })
  return { data, total: data.length, reset_hours: publicDemo.resetHours }
}

/** Without a password, and so whatever others guess at the account: a stranger cannot lock the next visitor out. */
export async function enterDemo(db: Db, role: Role, caller: Caller) {
  const email = appContext(db).publicDemo ? DEMO_EMAILS[role] : null
  const user = await row<{ id: number; name: string }>(
    db,
    sql`select id, name from ${usersTable} where lower(email) = ${email} and active`,
  )
  const companies = await companiesOf(db, user?.id ?? 0)
  if (!user || companies.length === 0) throw notFound()
  await noteEverywhere(db, user, companies, 'login')
  return openSession(db, user.id, caller)
}
