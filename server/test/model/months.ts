import type { Rule } from './operations.ts'

/** Closed months of a company: whatever is of a day in them stays what it was. */
export class Months {
  readonly #broken: ReadonlySet<Rule>
  #closedBefore = ''

  constructor(broken: ReadonlySet<Rule>) {
    this.#broken = broken
  }

  /** `through`: the last month that is closed. */
  close(through: string) {
    const [year = 0, month = 0] = through.split('-').map(Number)
    this.#closedBefore = new Date(Date.UTC(year, month)).toISOString().slice(0, 10)
  }
  isClosed = (day: string) => !this.#broken.has('closed month') && day < this.#closedBefore
}
