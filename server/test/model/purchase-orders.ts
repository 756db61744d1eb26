import type { PurchaseStatus } from '#contract/purchasing/purchasing.ts'
import { plain, scaled } from './ledger.ts'
import type { Line, Operation } from './operations.ts'
import type { Stock } from './stock.ts'

/* Purchase orders: what of them was received, and the status that follows from it. */

interface PurchaseOrder {
  id: number
  lines: Line[]
  receipts: number[]
  status: PurchaseStatus
}

export class PurchaseOrders {
  readonly orders = new Map<number, PurchaseOrder>()
  readonly #stock: Stock

  constructor(stock: Stock) {
    this.#stock = stock
  }

  apply(op: Operation) {
    if (op.kind === 'purchase-order')
      this.orders.set(op.id, { id: op.id, lines: op.lines, receipts: [], status: 'pending' })
    if (op.kind === 'purchase-status') this.orders.get(op.id)!.status = op.status
    if (op.kind === 'receipt') {
      const order = this.orders.get(op.order)!
      order.receipts.push(op.entry)
      this.#count(order)
    }
    if (op.kind === 'void')
      for (const order of this.orders.values()) if (order.receipts.includes(op.id)) this.#count(order)
  }

  /** Quantity of a supply that entries brought, voided ones aside. */
  receivedOf = ({ receipts }: PurchaseOrder, supply: number) =>
    plain(
      receipts
        .map((id) => this.#stock.papers.get(id)!)
        .filter(({ voided }) => !voided)
        .flatMap(({ lines }) => lines.filter((line) => line.supply === supply))
        .reduce((all, { quantity }) => all + scaled(quantity), 0n),
    )

  #count(order: PurchaseOrder) {
    const isComplete = order.lines.every(({ supply, quantity }) => this.receivedOf(order, supply) >= quantity)
    const isBegun = order.receipts.some((id) => !this.#stock.papers.get(id)!.voided)
    order.status = isComplete ? 'received' : isBegun ? 'partially_received' : 'approved'
  }
}
