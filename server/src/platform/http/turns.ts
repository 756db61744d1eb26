import { Problem } from '../problems.ts'

const PER_PROCESS = 4
const PER_COMPANY = 2
/** Of one person; more than these are no mistake of a finger. */
const MAX_WAITING = 8
const MAX_WAITING_IN_ALL = 200
/** Shorter than the patience of browsers and proxies, with what it then takes to make. */
const LONGEST_WAIT = 60_000

type Who = { company_id: number; user_id: number }
interface Waiting extends Who {
  begin(): void
}

/**
 * Which heavy call may begin: a download, a document, an import, a report. Few run at once, so that the rest of the
 * house goes on as usual; whoever had the least so far is next, first among companies and then among their people.
 */
export class Turns {
  readonly #running: Who[] = []
  #waiting: Waiting[] = []
  /** When a company or a person last began. */
  readonly #served = new Map<string, number>()
  #count = 0

  get running() {
    return this.#running.length
  }
  get waiting() {
    return this.#waiting.length
  }

  /** Waits for a turn; what it gives back ends it. */
  async take({ company_id, user_id }: Who): Promise<() => void> {
    const who = { company_id, user_id }
    const theirs = this.#waiting.filter((each) => each.user_id === user_id)
    if (theirs.length >= MAX_WAITING || this.#waiting.length >= MAX_WAITING_IN_ALL)
      throw new Problem(429, 'Tiene muchas descargas y reportes en curso. Espere a que terminen.', { retryAfter: 10 })
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        ...who,
        begin() {
          clearTimeout(clock)
          resolve()
        },
      }
      const clock = setTimeout(() => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting)
        reject(new Problem(429, 'Hay muchas descargas y reportes en curso. Intente en un minuto.', { retryAfter: 60 }))
      }, LONGEST_WAIT)
      this.#waiting.push(waiting)
      this.#next()
    })
    return () => {
      this.#running.splice(
        this.#running.findIndex((each) => each.company_id === company_id && each.user_id === user_id),
        1,
      )
      this.#next()
    }
  }

  #next() {
    while (this.#running.length < PER_PROCESS) {
      const runs = (company: number) => this.#running.filter(({ company_id }) => company_id === company).length
      const since = (key: string) => this.#served.get(key) ?? 0
      const [next] = this.#waiting
        .filter(({ company_id }) => runs(company_id) < PER_COMPANY)
        .sort(
          (a, b) =>
            runs(a.company_id) - runs(b.company_id) ||
            since(`company ${a.company_id}`) - since(`company ${b.company_id}`) ||
            since(`person ${a.user_id}`) - since(`person ${b.user_id}`),
        )
      if (!next) break
      this.#waiting = this.#waiting.filter((each) => each !== next)
      this.#running.push({ company_id: next.company_id, user_id: next.user_id })
      this.#count += 1
      this.#served.set(`company ${next.company_id}`, this.#count)
      this.#served.set(`person ${next.user_id}`, this.#count)
      next.begin()
    }
    if (this.#waiting.length === 0 && this.#running.length === 0) this.#served.clear()
  }
}
