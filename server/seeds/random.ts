/** A seeded source of chance: the same name gives the same numbers on every machine. */
export class Random {
  #state: number

  constructor(name: string) {
    this.#state = [...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619), 2166136261)
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** Both ends included. */
  int(from: number, to: number) {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  chance(probability: number) {
    return this.next() < probability
  }

  pick<T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)]!
  }

  shuffle<T>(list: readonly T[]): T[] {
    const mixed = [...list]
    for (let i = mixed.length - 1; i > 0; i--) {
      const j = this.int(0, i)
      ;[mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!]
    }
    return mixed
  }
}
