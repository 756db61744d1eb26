import { randomInt } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { BAD_CODE, type DemoLeaving, type SetUp } from '#contract/identity/identity.ts'
import { appContext, type Db, one, row, rows } from '../platform/database/db.ts'
import { guessLimiter } from '../platform/limiter.ts'
import { tell } from '../platform/operations/happenings.ts'
import { Problem } from '../platform/problems.ts'
import { makeCompany } from '../workshops/company.ts'
import { companiesTable } from '../workshops/tables.ts'
import { hashPassword, requireGoodPassword } from './passwords.ts'
import { noteOwn } from './security.ts'
import { type Caller, findActor, openSession, type Step } from './sessions.ts'
import { membershipsTable, setUpTable, usersTable } from './tables.ts'
import { countAttempt, forgive, type Key } from './throttle.ts'
import { newUserId } from './users.ts'

/** Without what is easily taken for something else. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const LENGTH = 10

const anyCompany = (db: Db) => row(db, sql`select 1 as there from ${companiesTable} limit 1`)

export const needsSetUp = async (db: Db) => !(await anyCompany(db))

/** The code to make the first company with, the same for every instance; none once there is a company. */
export async function giveSetUpCode(db: Db): Promise<string | undefined> {
  if (await anyCompany(db)) return undefined
  // Instances that start together agree on the first's.
  await rows(db, sql`lock table ${setUpTable} in exclusive mode`)
  const given = await row<{ code: string }>(db, sql`select code from ${setUpTable}`)
  const code = given?.code ?? newCode()
  if (!given) await rows(db, sql`insert into ${setUpTable} (code) values (${code})`)
  return showCode(code)
}

const newCode = () => Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
const showCode = (code: string) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`

/** Whoever runs the demonstration starts it anew, or leaves it for a company of their own. Every session ends. */
export async function leaveDemo(step: Step, { how }: DemoLeaving): Promise<{ code: string | null }> {
  const leave = await step(async (db) => appContext(db).leaveDemo)
  const code = how === 'leave' ? newCode() : null
  const problem = leave ? await leave(code) : 'Aquí no hay una demostración que dejar.'
  if (problem) throw new Problem(409, problem)
  return { code: code && showCode(code) }
}

/** A company was made: domains that listen give it what it starts with. */
export const COMPANY_SET_UP = 'identity.company-set-up'

export async function setUp(step: Step, what: SetUp, caller: Caller) {
  const door: Key = `setup:${caller.address}`
  guessLimiter.requireFree([door])
  const attempts = await step((db) => countAttempt(db, [door]))
  const wrong = () => new Problem(422, BAD_CODE, { errors: { code: [BAD_CODE] } })
  if (!(await step((db) => row(db, sql`select code from ${setUpTable} where code = ${what.code}`)))) throw wrong()
  requireGoodPassword(what.password, [what.email, what.company_name])
  const password_hash = await hashPassword(what.password)
  return step(async (db) => {
    // The code goes with its use: of two at once, the second finds none.
    if (!(await row(db, sql`delete from ${setUpTable} where code = ${what.code} returning code`))) throw wrong()
    await forgive(db, attempts, door)
    const { company_name, company_dni, workshop_name, workshop_address, name, email } = what
    const workshop = { name: workshop_name, address: workshop_address }
    const company_id = await makeCompany(db, { name: company_name, dni: company_dni }, workshop)
    const { id: user_id } = one(
      await db
        .insert(usersTable)
        .values({ id: newUserId(), name, email, password_hash })
        .returning({ id: usersTable.id }),
    )
    await db.insert(membershipsTable).values({ company_id, user_id, role: 'super-admin' })
    const session = await openSession(db, user_id, caller, { company: company_id })
    const actor = await findActor(db, session.token, company_id)
    await noteOwn(db, actor, 'new_device')
    await tell(db, actor, COMPANY_SET_UP, [company_id])
    return session
  })
}
