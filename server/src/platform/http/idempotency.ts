import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type Db, row, rows } from '../database/db.ts'
import type { Actor } from '../operations/actor.ts'
import { Problem } from '../problems.ts'
import { idempotencyTable as keys } from './tables.ts'

const KEPT_FOR = sql`interval '24 hours'`

/**
 * Does `work` once per key. A second call with the key waits at its row until the first has committed and gets the
 * first's answer; where the first was rolled back, it takes its place.
 */
export async function once(
  db: Db,
  actor: Actor,
  call: { key: string; request: string },
  work: () => Promise<{ status: number; reply: string }>,
) {
  if (call.key.length > 200) throw new Problem(422, 'La cabecera Idempotency-Key admite hasta 200 caracteres.')
  await rows(
    db,
    sql`delete from ${keys}
        where company_id = ${actor.company_id} and user_id = ${actor.user_id} and created_at < now() - ${KEPT_FOR}`,
  )
  const hash = createHash('sha256').update(call.request).digest()
  const sameKey = sql`company_id = ${actor.company_id} and user_id = ${actor.user_id} and key = ${call.key}`
  const taken = await row(
    db,
    sql`insert into ${keys} (company_id, user_id, key, request_hash)
        values (${actor.company_id}, ${actor.user_id}, ${call.key}, ${hash})
        on conflict (company_id, user_id, key) do nothing returning key`,
  )
  if (!taken) {
    const first = await row<{ request_hash: Buffer; status: number; reply: string }>(
      db,
      sql`select request_hash, status, reply from ${keys} where ${sameKey}`,
    )
    if (!first?.request_hash.equals(hash)) throw new Problem(422, 'Esta Idempotency-Key ya se usó con otros datos.')
    return { status: first.status, reply: first.reply }
  }
  const done = await work()
  await rows(db, sql`update ${keys} set status = ${done.status}, reply = ${done.reply} where ${sameKey}`)
  return done
}
