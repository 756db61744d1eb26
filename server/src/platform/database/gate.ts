/** Kept for longer than this, a connection no longer counts: another may be used beside it. */
const LONG = 500

/**
 * Who works on a connection, and who waits for one. Each connection plans its statements for itself: as long as they come
 * back soon, a few that know them are faster than many that do not, most of all when many are asked at once.
 */
export class Gate {
  readonly #most: number
  #taken = 0
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Resolves to what makes room for the next; `undefined` where there was none for so long. */
  async pass(patience: number): Promise<(() => void) | undefined> {
    if (this.#taken < this.#most) this.#taken += 1
    else if (!(await this.#waited(patience))) return undefined
    let isCounted = true
    const leave = () => {
      if (!isCounted) return
      isCounted = false
      const next = this.#waiting.shift()
      if (next) next()
      else this.#taken -= 1
    }
    const long = setTimeout(leave, LONG)
    return () => {
      clearTimeout(long)
      leave()
    }
  }

  #waited(patience: number) {
    return new Promise<boolean>((resolve) => {
      const go = () => {
        clearTimeout(late)
        resolve(true)
      }
      const late = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        resolve(false)
      }, patience)
      this.#waiting.push(go)
    })
  }
}
