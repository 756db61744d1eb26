import { dayOf } from './days.ts'
import { Fleet } from './fleet.ts'
import { Months } from './months.ts'
import type { Operation, Rule, World } from './operations.ts'
import { Orders } from './orders.ts'
import { Payables } from './payables.ts'
import { PurchaseOrders } from './purchase-orders.ts'
import { Stock } from './stock.ts'

/** A company as the rules of the product have it: operations in, figures out. */
export class Model {
  readonly world: World
  readonly #months: Months
  readonly stock: Stock
  readonly orders: Orders
  readonly fleet: Fleet
  readonly payables: Payables
  readonly purchases: PurchaseOrders

  constructor(world: World, broken: Rule[] = []) {
    const rules = new Set(broken)
    this.world = world
    this.#months = new Months(rules)
    this.stock = new Stock(this.#months, rules)
    this.orders = new Orders(this.stock, this.#months, rules)
    this.fleet = new Fleet(world, rules)
    this.purchases = new PurchaseOrders(this.stock)
    this.payables = new Payables(this.stock, this.orders, rules)
  }

  apply(op: Operation) {
    if (op.kind === 'close' || op.kind === 'reopen') this.#months.close(op.through)
    if (op.kind === 'reopen') this.orders.moveBack(op.at)
    const { isLate, adjustments } = this.stock.apply(op)
    this.orders.apply(op)
    if (isLate || adjustments.length > 0) this.orders.follow(dayOf(op.at), adjustments)
    this.fleet.apply(op)
    this.payables.apply(op)
    this.purchases.apply(op)
  }
}

export function replay(world: World, log: readonly Operation[], broken: Rule[] = []) {
  const model = new Model(world, broken)
  for (const op of log) model.apply(op)
  return model
}
