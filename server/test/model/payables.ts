import { PAYABLE_STATES, type PayableState } from '#contract/work-orders/payables.ts'
import type { Operation, Rule } from './operations.ts'
import type { Orders } from './orders.ts'
import type { Paper, Stock } from './stock.ts'

/* Debts to providers (decision 0027). The id of a document is twice that of an invoice, or of a purchase and one more. */

interface Payment {
  id: number
  amount: number
}

export class Payables {
  readonly #stock: Stock
  readonly #orders: Orders
  readonly #broken: ReadonlySet<Rule>
  readonly #payments = new Map<number, Payment[]>()
  /** Without an entry it follows from how the document is paid. */
  readonly #states = new Map<number, PayableState>()

  constructor(stock: Stock, orders: Orders, broken: ReadonlySet<Rule>) {
    this.#stock = stock
    this.#orders = orders
    this.#broken = broken
  }

  documents = () => [
    ...[...this.#orders.invoices.keys()].map((id) => id * 2),
    ...[...this.#stock.papers.values()].filter(isPurchase).map(({ id }) => id * 2 + 1),
  ]

  read(id: number) {
    const [payments, state, left] = [this.#payments.get(id) ?? [], this.#stateOf(id), this.#leftOf(id)]
    const sum = payments.reduce((all, { amount }) => all + amount, 0)
    const isFollowing = payments.length === 0 || this.#broken.has('payment')
    const paid = isFollowing ? (state === 'paid' ? left : 0) : sum
    return { payments, state, left, paid, balance: left - paid }
  }

  #stateOf(id: number): PayableState {
    const state = this.#states.get(id)
    if (state) return state
    const paper = id % 2 === 0 ? this.#orders.invoices.get(id / 2) : this.#stock.papers.get((id - 1) / 2)
    return paper!.cash ? 'paid' : 'received'
  }

  /** The total with its notes, less what was returned. */
  #leftOf(id: number) {
    if (id % 2 === 0) return this.#orders.leftOf(this.#orders.invoices.get(id / 2)!)
    const entry = this.#stock.papers.get((id - 1) / 2)!
    return [...this.#stock.papers.values()]
      .filter((paper) => paper.of === entry.id && !paper.voided)
      .reduce(
        (left, paper) => left + paper.bought * this.#stock.amountsOf(paper).total,
        this.#stock.amountsOf(entry).total,
      )
  }

  apply(op: Operation) {
    if (op.kind === 'pay') {
      const { payments, left } = this.read(op.document)
      const sum = payments.reduce((all, { amount }) => all + amount, 0)
      this.#payments.set(op.document, [...payments, { id: op.payment, amount: Math.max(0, left - sum) }])
      this.#states.set(op.document, 'paid')
    }
    if (op.kind === 'take-back') {
      const stay = this.read(op.document).payments.filter(({ id }) => !op.payments.includes(id))
      this.#payments.set(op.document, stay)
      if (stay.length === 0) this.#owe(op.document)
    }
    if (op.kind === 'payable-state') this.#states.set(op.document, op.state)
    this.#settle()
  }

  /** Owed again: in the state it is in, or else in the one after which it was paid. */
  #owe(id: number) {
    if (!PAYABLE_STATES[this.#stateOf(id)].owed) this.#states.set(id, 'approved')
  }

  /** A document with payments is paid once nothing is owed, and owed again when something is. */
  #settle() {
    const standing = new Set(this.documents())
    for (const [id, payments] of this.#payments) {
      if (!standing.has(id) || payments.length === 0) continue
      if (this.read(id).balance <= 0) this.#states.set(id, 'paid')
      else this.#owe(id)
    }
  }
}

const isPurchase = ({ kind, bought, voided }: Paper) => kind === 'entry' && bought === 1 && !voided
