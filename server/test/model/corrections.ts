import { divideHalfUp } from '#contract/base/money.ts'
import { type Ledger, type Movement, type NewMovement, placeOf, times } from './ledger.ts'
import type { Paper } from './stock.ts'

/* Corrections of closed months (decisions 0014 and 0015): the document moves today, and each other one gets an adjustment. */

interface Difference {
  of: Pick<Movement, 'warehouse' | 'supply' | 'document' | 'order' | 'exit'>
  more: bigint
}

const worthOf = ({ worth }: NewMovement) =>
  worth.by === 'undo' ? -worth.of.moved : worth.by === 'price' || worth.by === 'adjustment' ? worth.value : 0n
const rank = ({ quantity }: NewMovement) => (quantity > 0n ? 0 : quantity === 0n ? 1 : 2)
const sum = (values: bigint[]) => values.reduce((all, one) => all + one, 0n)

export class Corrections {
  readonly #ledger: Ledger
  readonly #papers: ReadonlyMap<number, Paper>

  constructor(ledger: Ledger, papers: ReadonlyMap<number, Paper>) {
    this.#ledger = ledger
    this.#papers = papers
  }

  /** One adjustment for each document and order of each level; goods come in first, and value is added before it is taken. */
  today({ at }: { at: number }, own: NewMovement[], differences: Difference[]): NewMovement[] {
    const keyOf = ({ of }: Difference) => `${placeOf(of)} ${of.order} ${of.document}`
    const adjustments = [...Map.groupBy(differences, keyOf).values()].map((same): NewMovement => {
      const { warehouse, supply, document, order, exit } = same[0]!.of
      const worth = { by: 'adjustment', value: sum(same.map(({ more }) => more)) } as const
      return { at, warehouse, supply, quantity: 0n, worth, document, order, exit }
    })
    return [...adjustments.filter((one) => worthOf(one) !== 0n), ...own].sort(
      (a, b) => rank(a) - rank(b) || Number(worthOf(b) - worthOf(a)),
    )
  }

  /**
   * Without the goods of the document there would not have been enough. The rest is worth what the entries that stand
   * cost, and the orders that took some since bear the difference in proportion; without any, the document itself does.
   */
  sharedOut(undone: Movement[], document: number): Difference[] {
    const differences = undone.filter(({ quantity }) => quantity !== 0n).map((one) => this.#shares(one, document))
    return differences.flat()
  }

  #shares(undone: Movement, document: number): Difference[] {
    const { warehouse, supply } = undone
    const all = this.#ledger.movements.filter((one) => placeOf(one) === placeOf(undone))
    const level = this.#ledger.level(placeOf(undone))
    const bought = all.filter(
      (one) =>
        one.quantity > 0n &&
        (one.worth.by === 'price' || one.worth.by === 'exit') &&
        one.document !== null &&
        !this.#papers.get(one.document)!.voided,
    )
    const quantity = sum(bought.map((one) => one.quantity))
    const value = sum(bought.map(({ moved }) => moved))
    const unit = quantity > 0n ? divideHalfUp(value * 10_000n, quantity) : level.average
    const difference = times(level.on_hand - undone.quantity, unit) - (level.value - undone.moved)
    const since = all.slice(all.indexOf(undone) + 1).filter(({ order }) => order !== null)
    const users = [...Map.groupBy(since, ({ order }) => order!)]
      .map(([order, of]) => ({ order, taken: -sum(of.map(({ moved }) => moved)) }))
      .filter(({ taken }) => taken > 0n)
      .sort((a, b) => a.order - b.order)
    const taken = sum(users.map((user) => user.taken))
    if (taken === 0n) return [{ of: { warehouse, supply, document, order: null, exit: null }, more: difference }]
    let [seen, given] = [0n, 0n]
    return users.map((user) => {
      seen += user.taken
      const more = (difference * seen) / taken - given
      given += more
      return { of: { warehouse, supply, document: null, order: user.order, exit: null }, more }
    })
  }
}
