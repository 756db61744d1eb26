import { Problem } from '../problems.ts'

/** As many as a browser sends at once, and some. */
export const OF_A_CALLER = 8
/** What a company writes at once: more would only wait for each other in the database, and keep its connections from those who read. */
export const OF_A_COMPANY = 6
/** Of somebody with a session, of an address that anybody may call from, and of all who write in a company. */
const MAX_WAITING = { known: 300, stranger: 40, company: 1000 }

/**
 * How many calls of one caller, or writes of one company, are looked at at once; the rest of theirs wait, and nobody else
 * does. Without it, whoever sends hundreds at once stands before everyone else at the connections of the database.
 */
export class Lanes {
  readonly #atOnce: number
  readonly #lanes = new Map<string, { running: number; waiting: (() => void)[] }>()

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Waits; what it gives back ends it. */
  async enter(who: keyof typeof MAX_WAITING, key: string): Promise<() => void> {
    const lane = this.#lanes.get(key) ?? { running: 0, waiting: [] }
    this.#lanes.set(key, lane)
    if (lane.waiting.length >= MAX_WAITING[who])
      throw new Problem(429, 'Hay demasiadas solicitudes a la vez. Intente en unos segundos.', { retryAfter: 5 })
    if (lane.running < this.#atOnce) lane.running += 1
    else await new Promise<void>((resolve) => lane.waiting.push(resolve))
    return () => {
      const next = lane.waiting.shift()
      if (next) next()
      else if (--lane.running === 0) this.#lanes.delete(key)
    }
  }
}
