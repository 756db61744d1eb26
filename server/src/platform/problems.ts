import type { z } from 'zod'
import { type Failure, STALE, type WrongCell } from '#contract/base/wire.ts'

export const CHECK_FIELDS = 'Revise los datos ingresados.'
export const NOT_FOUND = 'No encontrado.'
export const DISK_FULL = 'El disco del servidor está lleno. Avise a quien administra Maestranza.'

/** What an operation throws when it refuses; only the binder catches it. */
export class Problem extends Error {
  readonly status: number
  readonly errors: Record<string, string[]> | undefined
  /** What was written before the refusal stays (a failed login is counted). */
  readonly keepWrites: boolean
  readonly retryAfter: number | undefined
  readonly rows: { rows: WrongCell[]; rows_total: number } | undefined
  readonly see: Failure['see']
  readonly asks: Pick<Failure, 'confirm' | 'passkey' | 'unavailable'>

  constructor(
    status: number,
    message: string,
    more: {
      errors?: Record<string, string[]>
      keepWrites?: boolean
      retryAfter?: number
      rows?: { rows: WrongCell[]; rows_total: number }
      see?: NonNullable<Failure['see']>
      confirm?: true
      unavailable?: true
      passkey?: Record<string, unknown>
    } = {},
  ) {
    super(message)
    this.status = status
    this.errors = more.errors
    this.keepWrites = more.keepWrites ?? false
    this.retryAfter = more.retryAfter
    this.rows = more.rows
    this.see = more.see
    this.asks = {
      ...(more.unavailable && { unavailable: more.unavailable }),
      ...(more.confirm && { confirm: more.confirm }),
      ...(more.passkey && { passkey: more.passkey }),
    }
  }

  get failure(): Failure {
    return {
      message: this.message,
      ...(this.errors && { errors: this.errors }),
      ...this.rows,
      ...(this.see && { see: this.see }),
      ...this.asks,
    }
  }
}

/** 422, each sentence under its field. */
export const invalid = (fields: Record<string, string>) =>
  new Problem(422, Object.values(fields)[0] ?? CHECK_FIELDS, {
    errors: Object.fromEntries(Object.entries(fields).map(([field, message]) => [field, [message]])),
  })

/** U+0000 is valid JSON and valid text, and no PostgreSQL text can hold it. */
export const noNul = () => new Problem(422, 'El texto contiene caracteres no permitidos.')

/** 503 for one call whose database or disk failed: it can be tried again. The log has the cause. */
export function unavailable(message: string, cause?: unknown) {
  const problem = new Problem(503, message, { retryAfter: 5, unavailable: true })
  problem.cause = cause
  return problem
}

export const notFound = () => new Problem(404, NOT_FOUND)

/** Refuses an edit of something that changed after it was read. */
export function requireFresh(row: { updated_at: string }, readAt: string | undefined) {
  if (readAt !== undefined && new Date(readAt).getTime() !== new Date(row.updated_at).getTime())
    throw new Problem(409, STALE)
}

/** An answer lists at most so many wrong fields: a list of thousands of wrong lines is not echoed back. */
export const MAX_ISSUES = 200

export function fromZod(error: Pick<z.ZodError, 'issues'>): Problem {
  const errors: Record<string, string[]> = {}
  let general: string | undefined
  for (const issue of error.issues.slice(0, MAX_ISSUES)) {
    const field = issue.path.join('.')
    if (field === '') general = issue.message
    else errors[field] = [...(errors[field] ?? []), issue.message]
  }
  return new Problem(422, general ?? CHECK_FIELDS, { errors })
}

/** Something the person who starts the product can put right: one sentence, no stack. */
export class StartProblem extends Error {}
