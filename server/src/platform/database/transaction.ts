import type pg from 'pg'
import { ignore } from '../ignore.ts'
import { batch } from './batch.ts'
import { type Db, stateOf } from './connection.ts'
import type { AppContext } from './context.ts'

export const setCompany = (company: number | null) => `set local app.company_id = '${company ?? ''}'`

/** Sends each text in a message of its own: a cluster passes only such settings on to its nodes. */
export const sendEach = (client: pg.PoolClient, texts: string[]) => batch(texts.map((text) => client.query(text)))

/** After an error nobody can be told that the connection is lost as well; the first error is the one to hear of. */
export const endQuietly = (client: pg.PoolClient, how: 'commit' | 'rollback') =>
  client.query(how).catch(ignore('The connection is gone, and with it the transaction.'))

/** Runs several queries at one moment of the database: none of them sees later writes. They get more memory to sort in. */
export async function snapshot<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const { readCompany } = stateOf(db)
  const begin = ['begin isolation level repeatable read read only', `set local work_mem = '64MB'`]
  // The read around it has begun a transaction already, and ends this one.
  if (readCompany !== undefined) {
    await sendEach(db.$client, ['commit', ...begin, setCompany(readCompany)])
    return work()
  }
  await db.$client.query(begin.join('; '))
  let result: T
  try {
    result = await work()
  } catch (error) {
    await endQuietly(db.$client, 'rollback')
    throw error
  }
  await db.$client.query('commit')
  return result
}

/** Tries `first`. If it fails with an expected error, its writes are undone and `second` runs instead. */
export async function orElse<T>(
  db: Db,
  isExpected: (error: unknown) => boolean,
  first: () => Promise<T>,
  second: () => Promise<T>,
) {
  const state = stateOf(db)
  await db.$client.query('savepoint tried')
  try {
    const result = await first()
    await batch(state.deferred)
    return result
  } catch (error) {
    if (!isExpected(error)) throw error
    await db.$client.query('rollback to savepoint tried')
    // The locks that kept these results true are released.
    state.memoized?.clear()
    state.deferred = []
    return second()
  }
}

/** Runs `find` once in a transaction, for rows that it locks. Outside a transaction it runs every time. */
export function memoizeInTransaction<T>(db: Db, name: string, find: () => Promise<T>): Promise<T> {
  const { memoized } = stateOf(db)
  const result = memoized?.get(name) ?? find()
  memoized?.set(name, result)
  return result as Promise<T>
}

/** For a public call that finds out its company on the way: the rest of its transaction works for this company. */
export function workFor(db: Db, company: number) {
  stateOf(db).company = company
  return db.$client.query(setCompany(Number(company)))
}

/** Mails, browsers and other outside effects wait until everyone can see the change. */
export function afterCommit(db: Db, effect: (context: AppContext) => void) {
  const { afterCommit: effects, context } = stateOf(db)
  effects.push(() => effect(context))
}

/** Whether this transaction has been started before and met another one. */
export const isRetry = (db: Db) => stateOf(db).attempt > 1

export const appContext = (db: Db): AppContext => stateOf(db).context
