import { Problem } from '../platform/problems.ts'

const MAX_WAITING = 40
const MAX_WAITING_IN_ALL = 2000
/** Milliseconds after which wrong passwords are forgotten. */
const MEMORY = 15 * 60_000
const MAX_ADDRESSES = 20_000

/**
 * Decides whose password is checked next. The address with the fewest wrong passwords goes first, and among equals each address
 * has its turn: thirty addresses that guess do not hold up one person who comes in.
 */
export class PasswordQueue {
  readonly #atOnce: number
  #running = 0
  readonly #waiting = new Map<string, (() => void)[]>()
  #waitingInAll = 0
  readonly #wrong = new Map<string, number>()
  #wrongSince = performance.now()

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  async run<T>(address: string, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running += 1
    else {
      const queue = this.#waiting.get(address) ?? []
      if (queue.length >= MAX_WAITING || this.#waitingInAll >= MAX_WAITING_IN_ALL)
        throw new Problem(429, 'Hay muchas personas ingresando en este momento. Intente en unos segundos.', {
          retryAfter: 3,
        })
      this.#waiting.set(address, queue)
      this.#waitingInAll += 1
      await new Promise<void>((resolve) => queue.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = this.#takeNext()
      if (next) next()
      else this.#running -= 1
    }
  }

  /** A wrong password came from there. */
  blame(address: string) {
    const now = performance.now()
    if (now - this.#wrongSince > MEMORY || this.#wrong.size >= MAX_ADDRESSES) {
      this.#wrong.clear()
      this.#wrongSince = now
    }
    this.#wrong.set(address, (this.#wrong.get(address) ?? 0) + 1)
  }

  #takeNext(): (() => void) | undefined {
    let chosen: string | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const address of this.#waiting.keys()) {
      const wrong = this.#wrong.get(address) ?? 0
      if (wrong >= fewest) continue
      chosen = address
      fewest = wrong
    }
    if (chosen === undefined) return undefined
    const queue = this.#waiting.get(chosen)!
    const next = queue.shift()
    // Behind the others with as few.
    this.#waiting.delete(chosen)
    if (queue.length > 0) this.#waiting.set(chosen, queue)
    this.#waitingInAll -= 1
    return next
  }
}
