import { dayOf } from './days.ts'
import { Fleet } from './fleet.ts'
import type { Operation, Rule, World } from './operations.ts'
import { Orders } from './orders.ts'
import { Stock } from './stock.ts'

/** A company as the rules of the product have it: operations in, figures out. */
export class Model {
  readonly world: World
  readonly stock: Stock
  readonly orders: Orders
  readonly fleet: Fleet

  constructor(world: World, broken: Rule[] = []) {
    const rules = new Set(broken)
    this.world = world
    this.stock = new Stock(rules)
    this.orders = new Orders(this.stock, rules)
    this.fleet = new Fleet(world, rules)
  }

  apply(op: Operation) {
    if (op.kind === 'close') this.orders.close(op.through)
    const late = this.stock.apply(op)
    this.orders.apply(op)
    if (late) this.orders.follow(dayOf(op.at))
    this.fleet.apply(op)
  }
}

export function replay(world: World, log: readonly Operation[], broken: Rule[] = []) {
  const model = new Model(world, broken)
  for (const op of log) model.apply(op)
  return model
}
