/** The interface of this folder for everyone outside it. README.md says when to use which. */

export { batch, defer } from './batch.ts'
export type { Db } from './connection.ts'
export { APP_ROLE, Database, isCluster, SESSION, SPREAD_SESSION } from './database.ts'
export {
  type ConstraintMessages,
  DATABASE_UNAVAILABLE,
  fromDatabase,
  isUnavailable,
  isUniqueViolation,
  RetryTransaction,
  unlessInUse,
} from './errors.ts'
export { BEGAN, COMPANY, numbers, one, row, rows, rowsUnprepared } from './query.ts'
export { afterCommit, appContext, isRetry, memoizeInTransaction, orElse, snapshot, workFor } from './transaction.ts'
