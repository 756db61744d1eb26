import { Problem } from '../problems.ts'

/**
 * Refusals that a process gives from its own memory, before it asks the database. The database counts for every instance;
 * this only repeats a refusal that it gave, so that thousands of refused calls cost it next to nothing.
 *
 * `guesses`: keys at which too many wrong passwords were tried. The hold ends with the time that the database named, and
 * once in `recheck` milliseconds one call goes on to ask the database again, because a right password forgives the wrong ones.
 */
const POLICIES = { guesses: { recheck: 1000, most: 20_000 } }

interface Hold {
  /** Milliseconds of the monotonic clock. */
  until: number
  recheckAt: number
}

export class Limiter {
  readonly #holds = new Map<string, Hold>()

  /** The database refused this key for so many seconds. */
  hold(key: string, seconds: number) {
    const now = performance.now()
    this.#holds.delete(key)
    this.#holds.set(key, { until: now + seconds * 1000, recheckAt: now + POLICIES.guesses.recheck })
    // The oldest go first: they are the next to be asked of the database anyway.
    for (const oldest of this.#holds.keys()) {
      if (this.#holds.size <= POLICIES.guesses.most) break
      this.#holds.delete(oldest)
    }
  }

  release(key: string) {
    this.#holds.delete(key)
  }

  /** Throws 429 while any of the keys is held. */
  requireFree(keys: string[]) {
    const now = performance.now()
    for (const key of keys) {
      const hold = this.#holds.get(key)
      if (!hold) continue
      if (hold.until <= now) this.#holds.delete(key)
      else if (hold.recheckAt > now) throw tooManyGuesses((hold.until - now) / 1000)
      else hold.recheckAt = now + POLICIES.guesses.recheck
    }
  }

  clear() {
    this.#holds.clear()
  }
}

/** One per process: other instances learn of a refusal from the database. */
export const limiter = new Limiter()

export function tooManyGuesses(seconds: number) {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return new Problem(
    429,
    `Demasiados intentos fallidos. Espere ${minutes === 1 ? 'un minuto' : `${minutes} minutos`} e intente de nuevo.`,
    { retryAfter: Math.max(1, seconds) },
  )
}
