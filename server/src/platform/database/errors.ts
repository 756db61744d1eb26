import pg from 'pg'
import { DISK_FULL, invalid, Problem, unavailable } from '../problems.ts'

export const DATABASE_UNAVAILABLE = 'La base de datos no responde. Intente de nuevo en unos segundos.'
const IN_USE = 'No se puede eliminar porque está en uso.'

/** The database's own error; the query builder wraps it. */
const databaseError = (error: unknown): pg.DatabaseError | undefined =>
  [error, (error as Error | undefined)?.cause].find((one) => one instanceof pg.DatabaseError)

const hasCode = (error: unknown, ...codes: string[]) => codes.includes(databaseError(error)?.code ?? '')

/** Thrown to run the whole transaction again, because it met another one. */
export class RetryTransaction extends Error {}

/** Unique indexes of positions are named so; a cluster appends a shard number, and names them in its message only. */
const POSITION_INDEX = /_place(_\d+)?\W*$/

/** Deadlocks, and a position on the board that another transaction took first. */
export const isRetryable = (error: unknown) => {
  const cause = databaseError(error)
  const isTakenPosition = cause?.code === '23505' && POSITION_INDEX.test(cause.constraint ?? cause.message)
  return error instanceof RetryTransaction || hasCode(error, '40P01', '40001') || isTakenPosition
}

/** A statement was ignored because one before it in its transaction failed. */
export const isAborted = (error: unknown) => hasCode(error, '25P02')

/** A statement ran into the time limit, for instance behind many others. */
export const isTimedOut = (error: unknown) => hasCode(error, '57014')

/** Another transaction wrote the same key first. */
export const isUniqueViolation = (error: unknown) => hasCode(error, '23505')

/** Not reached, refused, lost, starting, stopping or full. */
const NO_ANSWER = /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|08|53|57P0)/
export const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  (NO_ANSWER.test(String((error as { code?: unknown }).code)) ||
    /^Connection terminated|^Client has encountered a connection error/.test(error.message) ||
    isLost(error.cause))

/** The same call may succeed in some seconds. */
export const isUnavailable = (error: unknown): boolean =>
  (error instanceof Problem && (error.status === 429 || error.asks.unavailable === true)) || isLost(error)

/** A named constraint, and the sentence that a person reads when it is violated. */
export type ConstraintMessages = Record<string, { field: string; message: string }>

/** A violated constraint is answered as politely as the check that a simultaneous call slipped past. */
export function fromDatabase(error: unknown, messages: ConstraintMessages): Problem | undefined {
  const cause = databaseError(error)
  if (!cause) return undefined
  const { code = '', detail = '' } = cause
  // A node of a cluster names the constraint in its message only.
  const constraint = cause.constraint ?? /constraint "([^"]+)"/.exec(cause.message)?.[1] ?? ''
  if (code === '23503' && detail.includes('still referenced')) return new Problem(409, IN_USE)
  if (code.startsWith('23')) {
    // A cluster appends a shard number to the name.
    const known = messages[constraint] ?? messages[constraint.replace(/_\d+$/, '')]
    if (known) return invalid({ [known.field]: known.message })
  }
  if (code === '53100') return unavailable(DISK_FULL, error)
  // A number, date or text that fits its schema but not its column.
  if (code.startsWith('22')) return new Problem(422, 'Un valor está fuera de lo permitido.')
  return undefined
}

/** Refuses a delete with `sentence`, which says what to do instead, where other rows still refer to the row. */
export async function unlessInUse<T>(deleting: Promise<T>, sentence: string): Promise<T> {
  try {
    return await deleting
  } catch (error) {
    throw hasCode(error, '23503', '23001') ? new Problem(409, sentence) : error
  }
}
