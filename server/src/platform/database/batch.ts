import { ignore } from '../ignore.ts'
import { type Db, stateOf } from './connection.ts'
import { isAborted } from './errors.ts'

/**
 * Waits for independent statements that leave in one round trip: the driver sends each when its function is called, without
 * waiting for the answer to the one before. They run in this order. None may need the result of another. Where several fail,
 * the error is that of the first.
 */
export function batch<T extends Record<string, unknown>>(parts: { [K in keyof T]: PromiseLike<T[K]> }): Promise<T>
export function batch<T extends PromiseLike<unknown>>(parts: readonly T[]): Promise<Awaited<T>[]>
export async function batch(parts: object): Promise<unknown> {
  const settled = await Promise.allSettled(Object.values(parts))
  const errors = settled.flatMap((part) => ('reason' in part ? [part.reason as unknown] : []))
  // Statements behind one that failed fail as well, with an error that does not say why.
  if (errors.length > 0) throw errors.find((error) => !isAborted(error)) ?? errors[0]
  const results = settled.map((part) => (part as PromiseFulfilledResult<unknown>).value)
  return Array.isArray(parts) ? results : Object.fromEntries(Object.keys(parts).map((name, i) => [name, results[i]]))
}

/**
 * Sends a write without waiting for it: the end of the transaction waits for all deferred writes. Statements sent after it
 * run after it, and fail if it failed.
 */
export async function defer(db: Db, write: Promise<unknown>) {
  const { memoized, deferred } = stateOf(db)
  const isInTransaction = memoized !== undefined
  if (!isInTransaction) return void (await write)
  // Without a handler, a write that fails before anybody waits for it would end the process.
  write.catch(ignore('The commit waits for the write, and throws its error.'))
  deferred.push(write)
}
