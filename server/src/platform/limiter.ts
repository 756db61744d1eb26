import { availableParallelism } from 'node:os'
import { Problem } from './problems.ts'

/** How many calls work at once, how many more wait and for how long, and the answer to the rest. */
export interface Policy {
  /** At once in this process; of one company; of one key, which is a caller or a company. */
  atOnce: { total?: number; perCompany?: number; perKey?: number }
  /** How many may wait in all, and with the same key. */
  waiting?: { total?: number; perKey?: number }
  /** The answer to one more than that. */
  full?: Refusal
  /** Milliseconds that a call waits, and the answer then. */
  patience?: Refusal & { ms: number }
  /** Milliseconds after which a call that still works no longer counts. */
  countedMs?: number
}
interface Refusal {
  message: string
  retryAfter: number
}

export const BUSY = {
  message: 'Hay demasiadas solicitudes en este momento. Intente de nuevo en unos segundos.',
  retryAfter: 2,
}
const TOO_MANY = { message: 'Hay demasiadas solicitudes a la vez. Intente en unos segundos.', retryAfter: 5 }

/** Limits of one process. Logins have a queue with an order of its own (`identity/password-queue.ts`). */
export const POLICIES = {
  /**
   * Transactions. A connection plans its statements for itself, so a few connections that know them are faster than many
   * that do not. A slow transaction stops counting, so that a few of them do not hold up all others.
   */
  connections: { atOnce: { total: availableParallelism() + 3 }, patience: { ms: 15_000, ...BUSY }, countedMs: 500 },
  /** Calls of one session: as many as a browser sends at once, and some. */
  callers: { atOnce: { perKey: 8 }, waiting: { perKey: 300 }, full: TOO_MANY },
  /** Calls without a session, of one address to one endpoint. */
  strangers: { atOnce: { perKey: 8 }, waiting: { perKey: 40 }, full: TOO_MANY },
  /** Writes of one company: more would wait for each other's locks, and keep connections from those who read. */
  writes: { atOnce: { perKey: 6 }, waiting: { perKey: 1000 }, full: TOO_MANY },
  /** Heavy calls: downloads, documents, imports, reports. The key is a person. */
  heavy: {
    atOnce: { total: 4, perCompany: 2 },
    waiting: { total: 200, perKey: 8 },
    full: { message: 'Tiene muchas descargas y reportes en curso. Espere a que terminen.', retryAfter: 10 },
    // With what the call then takes, shorter than the patience of browsers and proxies.
    patience: {
      ms: 60_000,
      message: 'Hay muchas descargas y reportes en curso. Intente en un minuto.',
      retryAfter: 60,
    },
  },
  /** Spreadsheets that are read: each takes a core and up to 384 MB. */
  imports: {
    atOnce: { total: 2 },
    waiting: { total: 20 },
    full: { message: 'Hay muchas importaciones en curso. Intente en un minuto.', retryAfter: 60 },
  },
  /** Files that a render worker makes or decodes; how many at once depends on the worker. */
  rendering: {
    atOnce: {},
    waiting: { total: 50 },
    full: { message: 'Hay muchos documentos e imágenes en curso. Intente en unos segundos.', retryAfter: 5 },
  },
} satisfies Record<string, Policy>

interface Call {
  key: string | number
  company: string | number
}
interface WaitingCall extends Call {
  start(): void
}

/**
 * Lets calls work by a policy, in the order in which they came. Where companies share, the next is a call of the company that
 * runs the fewest, then of the one that started one the longest ago, and then of the key that did.
 */
export class Limiter {
  readonly #policy: Policy
  /** How many run, by company and by key. */
  readonly #counts = new Map<string, number>()
  #running = 0
  #waiting: WaitingCall[] = []
  /** The number of the last start of a company or key; forgotten once nothing runs or waits. */
  readonly #lastStarts = new Map<string, number>()
  #starts = 0

  constructor(policy: Policy) {
    this.#policy = policy
  }

  get running() {
    return this.#running
  }
  get waiting() {
    return this.#waiting.length
  }

  /** Waits until the call may work, or throws 429. The function that it returns must be called when the work is done. */
  async enter(key: Call['key'] = '', company: Call['company'] = ''): Promise<() => void> {
    const { waiting, full, patience, countedMs } = this.#policy
    const { total = Number.POSITIVE_INFINITY, perKey = Number.POSITIVE_INFINITY } = waiting ?? {}
    const ofKey = this.#waiting.filter((each) => each.key === key).length
    if (full && (this.#waiting.length >= total || ofKey >= perKey)) throw refusal(full)
    await new Promise<void>((resolve, reject) => {
      const call: WaitingCall = { key, company, start: resolve }
      this.#waiting.push(call)
      this.#startNext()
      if (!patience || !this.#waiting.includes(call)) return
      const giveUp = () => {
        this.#waiting = this.#waiting.filter((each) => each !== call)
        reject(refusal(patience))
      }
      const timer = setTimeout(giveUp, patience.ms)
      call.start = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    const leave = this.#leaveOnce({ key, company })
    if (countedMs === undefined) return leave
    const timer = setTimeout(leave, countedMs)
    return () => {
      clearTimeout(timer)
      leave()
    }
  }

  #leaveOnce(call: Call) {
    let isCounted = true
    return () => {
      if (!isCounted) return
      isCounted = false
      this.#count(call, -1)
      this.#startNext()
    }
  }

  #startNext() {
    const isShared = this.#policy.atOnce.perCompany !== undefined
    for (let next = this.#next(); next; next = this.#next()) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      this.#count(next, 1)
      this.#starts += 1
      // Without companies nothing compares the starts, and a busy process would collect every key that it ever saw.
      if (isShared) for (const name of namesOf(next)) this.#lastStarts.set(name, this.#starts)
      next.start()
    }
    if (this.#running === 0 && this.#waiting.length === 0) this.#lastStarts.clear()
  }

  #next(): WaitingCall | undefined {
    const { total = Number.POSITIVE_INFINITY, perCompany } = this.#policy.atOnce
    if (this.#running >= total) return undefined
    const able = this.#waiting.filter((call) => this.#hasRoom(call))
    if (perCompany === undefined) return able[0]
    const rank = (call: Call) => {
      const [company, key] = namesOf(call)
      return [
        this.#counts.get(company) ?? 0,
        this.#lastStarts.get(company) ?? 0,
        this.#lastStarts.get(key) ?? 0,
      ] as const
    }
    const ranked = able.map((call) => ({ call, rank: rank(call) }))
    ranked.sort(({ rank: a }, { rank: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    return ranked[0]?.call
  }

  #hasRoom(call: Call) {
    const { perCompany = Number.POSITIVE_INFINITY, perKey = Number.POSITIVE_INFINITY } = this.#policy.atOnce
    const [company, key] = namesOf(call)
    return (this.#counts.get(company) ?? 0) < perCompany && (this.#counts.get(key) ?? 0) < perKey
  }

  #count(call: Call, change: 1 | -1) {
    this.#running += change
    for (const name of namesOf(call)) {
      const count = (this.#counts.get(name) ?? 0) + change
      if (count === 0) this.#counts.delete(name)
      else this.#counts.set(name, count)
    }
  }
}

const namesOf = ({ company, key }: Call) => [`company ${company}`, `key ${key}`] as const
export const refusal = ({ message, retryAfter }: Refusal) => new Problem(429, message, { retryAfter })

/** In milliseconds: how soon the database is asked again, and how many keys are remembered. */
const GUESSES = { recheckMs: 1000, remembered: 20_000 }

interface Hold {
  /** Milliseconds of the monotonic clock. */
  until: number
  recheckAt: number
}

/**
 * Remembers the keys at which too many wrong passwords were tried, so that thousands of refused calls cost the database next
 * to nothing. The database counts for every instance; this only repeats a refusal that it gave. The hold ends with the time
 * that the database named, and once in `recheckMs` one call goes on to ask it again, because a right password forgives the
 * wrong ones.
 */
class GuessLimiter {
  readonly #holds = new Map<string, Hold>()

  /** The database refused this key for so many seconds. */
  hold(key: string, seconds: number) {
    const now = performance.now()
    this.#holds.delete(key)
    this.#holds.set(key, { until: now + seconds * 1000, recheckAt: now + GUESSES.recheckMs })
    // The oldest go first: they are the next to be asked of the database anyway.
    for (const oldest of this.#holds.keys()) {
      if (this.#holds.size <= GUESSES.remembered) break
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
      else hold.recheckAt = now + GUESSES.recheckMs
    }
  }

  clear() {
    this.#holds.clear()
  }
}

/** One per process: other instances learn of a refusal from the database. */
export const guessLimiter = new GuessLimiter()

export function tooManyGuesses(seconds: number) {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const wait = minutes === 1 ? 'un minuto' : `${minutes} minutos`
  return refusal({
    message: `Demasiados intentos fallidos. Espere ${wait} e intente de nuevo.`,
    retryAfter: Math.max(1, seconds),
  })
}
