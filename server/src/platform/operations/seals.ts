import { createHash, createHmac, randomBytes } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { type Db, one, rows } from '../database/db.ts'
import type { CompanyJob } from './jobs.ts'
import { activitySealsTable, activityTable, sealedActivityTable } from './tables.ts'

/**
 * The activity is only ever added to by those who serve; a chain per company shows whether somebody else rewrote it.
 * After the fact, so that writers never wait for each other, a job seals what is new: each seal is made of those lines,
 * the seal before and a key that the database does not hold.
 */

/** A connection of those the tables belong to. */
export type Owner = Pick<pg.ClientBase, 'query'>

interface Line {
  id: number
  facts: string
  person: string | null
  changes: string
}
const LINE = `a.id, a.user_name as person, a.changes::text as changes,
  jsonb_build_array(a.id, to_char(a.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), a.user_id, a.entity, a.entity_id,
    a.action)::text as facts`

/** Longer than any transaction may take: what has a lower number than what was sealed before that is all there. */
const SETTLED = `interval '1 hour'`
const AT_ONCE = 5000
/** What is worked out before others get their turn. */
const IN_ONE_BREATH = 250

const sha = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const salted = (salt: Buffer, value: string | null) => sha(salt, JSON.stringify(value))
const keyName = (key: string) => sha('name', key).toString('hex').slice(0, 12)

interface Sealed {
  activity_id: number
  facts: Buffer
  person: Buffer
  changes: Buffer
}
function macOf(key: string, before: Buffer | undefined, lines: Sealed[]): Buffer {
  const mac = createHmac('sha256', key).update(before ?? '')
  for (const { activity_id, facts, person, changes } of lines)
    mac.update(`\n${activity_id} `).update(facts).update(person).update(changes)
  return mac.digest()
}

/** Seals what is new of a company; how many lines that were. */
export async function sealActivity(db: Db, company_id: number, key: string): Promise<number> {
  await rows(db, sql`select pg_advisory_xact_lock(hashtextextended('activity_seals', ${company_id}))`)
  const lines = await rows<Line>(
    db,
    sql`select ${sql.raw(LINE)} from ${activityTable} a
        where a.company_id = ${company_id}
          and a.id > coalesce((select max(last_id) from ${activitySealsTable}
                               where company_id = ${company_id} and at < now() - ${sql.raw(SETTLED)}), 0)
          and not exists (select from ${sealedActivityTable} s
                          where s.company_id = ${company_id} and s.activity_id = a.id)
        order by a.id limit ${AT_ONCE}`,
  )
  if (lines.length === 0) return 0
  const [before] = await rows<{ mac: Buffer }>(
    db,
    sql`select mac from ${activitySealsTable} where company_id = ${company_id} order by id desc limit 1`,
  )
  const sealed: (Sealed & { person_salt: Buffer; changes_salt: Buffer })[] = []
  for (const { id, facts, person, changes } of lines) {
    const salts = randomBytes(32)
    const [person_salt, changes_salt] = [salts.subarray(0, 16), salts.subarray(16)]
    sealed.push({
      activity_id: id,
      facts: sha(facts),
      person: salted(person_salt, person),
      person_salt,
      changes: salted(changes_salt, changes),
      changes_salt,
    })
    if (sealed.length % IN_ONE_BREATH === 0) await breathe()
  }
  const { id: seal_id } = one(
    await db
      .insert(activitySealsTable)
      .values({
        company_id,
        last_id: lines.at(-1)!.id,
        key: keyName(key),
        mac: macOf(key, before?.mac, sealed),
      })
      .returning({ id: activitySealsTable.id }),
  )
  for (let from = 0; from < sealed.length; from += IN_ONE_BREATH) {
    const some = sealed.slice(from, from + IN_ONE_BREATH)
    const all = (name: keyof (typeof some)[number]) => sql.param(some.map((line) => line[name]))
    await rows(
      db,
      sql`insert into ${sealedActivityTable} (company_id, activity_id, seal_id, facts, person, person_salt, changes, changes_salt)
          select ${company_id}::bigint, n.activity_id, ${seal_id}::bigint, n.facts, n.person, n.person_salt, n.changes, n.changes_salt
          from unnest(${all('activity_id')}::bigint[], ${all('facts')}::bytea[], ${all('person')}::bytea[],
            ${all('person_salt')}::bytea[], ${all('changes')}::bytea[], ${all('changes_salt')}::bytea[])
            as n (activity_id, facts, person, person_salt, changes, changes_salt)
          returning 1`,
    )
  }
  return lines.length
}

export const sealJob = (key: string): CompanyJob => ({
  name: 'activity-seals',
  schedule: '*/5 * * * *',
  async runFor(database, company_id) {
    while ((await database.write(company_id, (db) => sealActivity(db, company_id, key))) === AT_ONCE);
  },
})

/** The first line of each company that is not what was sealed, in words; what was blanked on request is. */
export async function brokenSeals(owner: Owner, key: string): Promise<string[]> {
  const broken: string[] = []
  const { rows: companies } = await owner.query<{ company_id: string }>(
    'select distinct company_id from activity_seals order by company_id',
  )
  for (const { company_id } of companies) {
    const problem = (await firstBroken(owner, company_id, key)) ?? (await addedLater(owner, company_id))
    if (problem) broken.push(`Empresa ${company_id}: ${problem}`)
  }
  return broken
}

type Checked = Sealed & {
  line: string | null
  facts_now: string | null
  person_now: string | null
  changes_now: string | null
  person_salt: Buffer | null
  changes_salt: Buffer | null
}

async function firstBroken(owner: Owner, company_id: string, key: string) {
  const { rows: seals } = await owner.query<{ id: string; at: Date; key: string; mac: Buffer }>(
    'select id, at, key, mac from activity_seals where company_id = $1 order by id',
    [company_id],
  )
  let before: Buffer | undefined
  for (const seal of seals) {
    const { rows: lines } = await owner.query<Checked>(
      `select s.*, a.id as line, a.facts as facts_now, a.person as person_now, a.changes as changes_now
       from sealed_activity s
       left join lateral (select ${LINE} from activity a where a.company_id = s.company_id and a.id = s.activity_id) a on true
       where s.company_id = $1 and s.seal_id = $2 order by s.activity_id`,
      [company_id, seal.id],
    )
    for (const line of lines) {
      if (line.line === null) return `se quitó la línea ${line.activity_id} de la actividad.`
      const same =
        sha(line.facts_now!).equals(line.facts) &&
        isSame(line.person, line.person_salt, line.person_now, null) &&
        isSame(line.changes, line.changes_salt, line.changes_now!, '{}')
      if (!same) return `la línea ${line.activity_id} de la actividad no es la que se selló.`
    }
    if (seal.key !== keyName(key)) return `el sello del ${seal.at.toISOString()} se hizo con otra clave que SEAL_KEY.`
    if (!macOf(key, before, lines).equals(seal.mac))
      return `el sello del ${seal.at.toISOString()}, o uno anterior, no es el que se puso.`
    before = seal.mac
  }
  return undefined
}

const isSame = (hash: Buffer, salt: Buffer | null, now: string | null, blank: string | null) =>
  salt ? salted(salt, now).equals(hash) : now === blank

/** A line with a number long since passed. */
async function addedLater(owner: Owner, company_id: string) {
  const { rows: found } = await owner.query<{ id: string }>(
    `select a.id from activity a
     where a.company_id = $1
       and a.id <= (select max(last_id) from activity_seals where company_id = $1 and at < now() - ${SETTLED})
       and not exists (select from sealed_activity s where s.company_id = a.company_id and s.activity_id = a.id)
     order by a.id limit 1`,
    [company_id],
  )
  return found[0] && `la línea ${found[0].id} de la actividad se agregó después.`
}

/** Takes a person's name, and what was noted of their account, out of the activity; the chain holds without them. */
export async function blankPerson(owner: Owner, user_id: string): Promise<number> {
  await owner.query(
    `update sealed_activity s set
       person_salt = case when a.user_id = $1 then null else s.person_salt end,
       changes_salt = case when a.entity = 'user' and a.entity_id = $1 then null else s.changes_salt end
     from activity a
     where a.company_id = s.company_id and a.id = s.activity_id
       and (a.user_id = $1 or (a.entity = 'user' and a.entity_id = $1))`,
    [user_id],
  )
  await owner.query(`update activity set changes = '{}' where entity = 'user' and entity_id = $1`, [user_id])
  const { rowCount } = await owner.query('update activity set user_name = null where user_id = $1', [user_id])
  await owner.query(
    `insert into activity (company_id, entity, entity_id, action, changes)
     select company_id, 'user', $1, 'erased', '{}' from memberships where user_id = $1`,
    [user_id],
  )
  return rowCount ?? 0
}
