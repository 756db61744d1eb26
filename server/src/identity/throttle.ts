import { sql } from 'drizzle-orm'
import { type Db, row, rows } from '../platform/database/db.ts'
import { guessLimiter, tooManyGuesses } from '../platform/limiter.ts'
import { attemptsTable } from './tables.ts'

/** Guesses that failed, per what was guessed at and per where they came from; `entry`: those that went to a provider. */
const LIMITS = { account: 5, device: 5, person: 5, setup: 5, address: 100, entry: 300 }
export type Key = `${keyof typeof LIMITS}:${string}`
const WINDOW = sql`interval '15 minutes'`

/**
 * Counts an attempt before it is known to be wrong, so that guesses sent all at once are counted too. One that turns
 * out right is taken off again with `forgive`. In a transaction of its own.
 */
export async function countAttempt(db: Db, keys: Key[]): Promise<number[]> {
  // In one order, so that two never wait for each other.
  for (const key of [...keys].sort()) await rows(db, sql`select pg_advisory_xact_lock(hashtextextended(${key}, 15))`)
  for (const key of keys) {
    const limit = LIMITS[key.slice(0, key.indexOf(':')) as keyof typeof LIMITS]
    const found = await row<{ many: number; wait: number }>(
      db,
      sql`select count(*) as many,
            coalesce(extract(epoch from min(at) + ${WINDOW} - clock_timestamp()), 0)::float8 as wait
          from (select at from ${attemptsTable} where key = ${key} and at > clock_timestamp() - ${WINDOW}
                order by at desc limit ${limit}) recent`,
    )
    if (found!.many >= limit) {
      guessLimiter.hold(key, found!.wait)
      throw tooManyGuesses(found!.wait)
    }
  }
  const counted = await rows<{ id: number }>(
    db,
    sql`insert into ${attemptsTable} (key, at) select key, clock_timestamp() from unnest(${sql.param(keys)}::text[]) key
        returning id`,
  )
  return counted.map(({ id }) => id)
}

/** It was no guess at all. */
export const uncount = (db: Db, attempts: number[]) =>
  rows(db, sql`delete from ${attemptsTable} where id = any(${sql.param(attempts)}::bigint[])`)

/** These were right: they count against nobody. Neither do the earlier wrong ones at the same door. */
export const forgive = (db: Db, attempts: number[], door: Key) => {
  guessLimiter.release(door)
  return rows(db, sql`delete from ${attemptsTable} where id = any(${sql.param(attempts)}::bigint[]) or key = ${door}`)
}

export const forgetAttempts = (db: Db) => rows(db, sql`delete from ${attemptsTable} where at < now() - ${WINDOW}`)
