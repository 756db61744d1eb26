import { PURCHASE_STATUS_NAMES } from '#contract/purchasing/purchasing.ts'
import { PAYABLE_STATE_NAMES } from '#contract/work-orders/payables.ts'
import { addDays, dayOf, monthOf } from './days.ts'
import { placeOf, plain, unitOf } from './ledger.ts'
import type { Model } from './model.ts'
import type { Beyond, Order } from './orders.ts'

/* Every figure that the model knows, by a name that the product's figures have too. What is nothing is left out. */

export class Figures extends Map<string, number> {
  put(name: string, amount: number | null | undefined) {
    if (amount) this.set(name, amount)
    else this.delete(name)
  }
  add = (name: string, amount: number) => this.put(name, (this.get(name) ?? 0) + amount)
}

export interface Asked {
  from: string
  to: string
  /** Null: all of them. */
  workshop: number | null
}
export const nameOf = ({ from, to, workshop }: Asked) => `${from}..${to} of ${workshop ?? 'all'}`

/**
 * An adjustment of a ten-thousandth of a peso comes from rounding. Product and model round shares of an exit in different
 * orders, so one of them may have such a line where the other has none.
 */
export const isRounding = (quantity: number, value: number) => quantity === 0 && Math.abs(value) < 0.000_15

/** Figures of the present: levels, kardex, documents, orders, invoices. */
export function standing({ stock, orders, payables, purchases }: Model): Figures {
  const figures = new Figures()
  for (const [place, lines] of Map.groupBy(stock.ledger.movements, placeOf)) {
    const level = stock.ledger.level(place)
    figures.put(`stock ${place} quantity`, plain(level.on_hand))
    figures.put(`stock ${place} average`, plain(level.average))
    figures.put(`stock ${place} value`, plain(level.value))
    const shown = lines.filter((line) => !isRounding(plain(line.quantity), plain(line.moved)))
    for (const [i, line] of shown.entries()) {
      figures.put(`kardex ${place} ${i} quantity`, plain(line.quantity))
      figures.put(`kardex ${place} ${i} value`, plain(line.moved))
      figures.put(`kardex ${place} ${i} balance`, plain(line.balance))
      figures.put(`kardex ${place} ${i} average`, plain(line.average))
      figures.put(`kardex ${place} ${i} balance value`, plain(line.total))
      if (line.worth.by === 'average')
        figures.put(`kardex ${place} ${i} unit cost`, plain(unitOf(line.moved, line.quantity)))
    }
  }
  for (const paper of stock.papers.values()) {
    if (paper.voided) continue
    const { subtotal, tax, total } = stock.amountsOf(paper)
    figures.put(`document ${paper.id} subtotal`, subtotal)
    figures.put(`document ${paper.id} tax`, tax)
    figures.put(`document ${paper.id} total`, total)
  }
  for (const order of orders.orders.values()) {
    const { supplies, services, labour } = spentBy(order, orders.beyondOf(order))
    figures.put(`order ${order.id} supplies`, supplies)
    figures.put(`order ${order.id} services`, services)
    figures.put(`order ${order.id} labour`, labour)
    figures.put(`order ${order.id} total`, supplies + services)
    for (const line of order.supplies) {
      figures.put(`line ${line.id} quantity`, line.quantity)
      figures.put(`line ${line.id} cost`, orders.costOf(line))
      figures.put(`line ${line.id} amount`, line.amount)
    }
    for (const line of order.services) figures.put(`service line ${line.id}`, line.amount)
  }
  for (const invoice of orders.invoices.values()) {
    const net = orders.netOf(invoice)
    const tax = orders.taxOf(invoice, net)
    figures.put(`invoice ${invoice.id} net`, net)
    figures.put(`invoice ${invoice.id} tax`, tax)
    figures.put(`invoice ${invoice.id} total`, net + tax)
  }
  for (const order of purchases.orders.values()) {
    figures.put(`purchase order ${order.id} status`, 1 + PURCHASE_STATUS_NAMES.indexOf(order.status))
    for (const { supply } of order.lines)
      figures.put(`purchase order ${order.id} received ${supply}`, purchases.receivedOf(order, supply))
  }
  for (const id of payables.documents()) {
    const { left, paid, balance, state, payments } = payables.read(id)
    figures.put(`payable ${id} left`, left)
    figures.put(`payable ${id} paid`, paid)
    figures.put(`payable ${id} balance`, balance)
    figures.put(`payable ${id} state`, 1 + PAYABLE_STATE_NAMES.indexOf(state))
    for (const { id: payment, amount } of payments) figures.put(`payable ${id} payment ${payment}`, amount)
    figures.add('payables owed', Math.max(0, balance))
    figures.add('payables in favour', Math.max(0, -balance))
  }
  return figures
}

const sum = (lines: { amount: number }[]) => lines.reduce((all, { amount }) => all + amount, 0)
const spentBy = ({ supplies, adjustments, services, labour }: Order, beyond: Beyond[]) => ({
  supplies: sum(supplies) + sum(adjustments),
  services: sum(services) + sum(beyond),
  labour: sum(labour),
})

interface Spent {
  kind: 'supplies' | 'services' | 'labour'
  order: Order
  day: string
  amount: number
  supply?: number
  quantity?: number
  provider?: number
}
/** Every line of every order that counts, on its day. */
function linesOf({ orders }: Model, { from, to, workshop }: Asked): Spent[] {
  const all = [...orders.orders.values()].flatMap((order): Spent[] => [
    ...order.supplies.map((line): Spent => ({ ...line, kind: 'supplies', order })),
    ...order.adjustments.map((line): Spent => ({ ...line, kind: 'supplies', order, quantity: 0 })),
    ...order.services.map((line): Spent => ({ ...line, kind: 'services', order })),
    ...orders.beyondOf(order).map((line): Spent => ({ ...line, kind: 'services', order })),
    ...order.labour.filter(({ amount }) => amount !== 0).map((line): Spent => ({ ...line, kind: 'labour', order })),
  ])
  return all.filter(({ day, order }) => day >= from && day <= to && (workshop === null || order.workshop === workshop))
}

/** Figures of the expense reports for a range of days. */
export function expenses(model: Model, asked: Asked): Figures {
  const { from, to, workshop } = asked
  const figures = new Figures()
  const P = nameOf(asked)
  const { world, fleet, stock } = model
  const categoryOf = (supply: number) => world.supplies.find(({ id }) => id === supply)!.category ?? 'none'
  const [orders, inCentre] = [new Set<string>(), new Set<string>()]
  for (const line of linesOf(model, asked)) {
    const { kind, order, day, amount } = line
    const centre = fleet.centreOn(order.truck, day) ?? 'none'
    figures.add(`${P} truck ${order.truck} ${kind}`, amount)
    figures.add(`${P} centre ${centre} ${kind}`, amount)
    figures.add(`${P} order ${order.id} ${kind}`, amount)
    figures.add(`${P} month ${monthOf(day)} ${kind}`, amount)
    figures.add(`${P} all ${kind}`, amount)
    orders.add(`${P} truck ${order.truck} orders|${order.id}`)
    inCentre.add(`${P} centre ${centre} orders|${order.id}`)
    if (kind === 'services') figures.add(`${P} provider ${line.provider} services`, amount)
    if (kind !== 'supplies') continue
    figures.add(`${P} category ${categoryOf(line.supply!)} amount`, amount)
    figures.add(`${P} category ${categoryOf(line.supply!)} lines`, 1)
    figures.add(`${P} category ${categoryOf(line.supply!)} in ${monthOf(day)}`, amount)
    figures.add(`${P} truck ${order.truck} supply ${line.supply} amount`, amount)
    figures.add(`${P} truck ${order.truck} supply ${line.supply} quantity`, line.quantity!)
  }
  for (const key of [...orders, ...inCentre]) figures.add(key.split('|')[0]!, 1)
  for (const { id, centres } of fleet.trucks.values()) {
    const driven = fleet.kilometers(id, from, to, workshop)
    figures.put(`${P} truck ${id} km`, driven)
    figures.add(`${P} all km`, driven)
    const spent = (figures.get(`${P} truck ${id} supplies`) ?? 0) + (figures.get(`${P} truck ${id} services`) ?? 0)
    if (driven > 0) figures.put(`${P} truck ${id} per km`, Math.round((spent / driven) * 100) / 100)
    for (const [i, { from: since, centre }] of centres.entries()) {
      const next = centres[i + 1]?.from
      const first = [since, from].sort()[1]!
      const last = next !== undefined && next <= to ? addDays(next, -1) : to
      if (first <= last) figures.add(`${P} centre ${centre ?? 'none'} km`, fleet.kilometers(id, first, last, workshop))
    }
  }
  for (const paper of stock.papers.values()) {
    const home = world.warehouses.find(({ id }) => id === paper.warehouse)!.workshop
    if (paper.bought === 0 || (paper.voided && paper.takenBack === null)) continue
    if (workshop !== null && home !== workshop) continue
    const { subtotal, total } = stock.amountsOf(paper)
    // A document of a closed month stays in it, and is taken back on the day on which it was voided.
    const isWithin = (day: string | null) => day !== null && day >= from && day <= to
    const sign = paper.bought * (Number(isWithin(paper.date)) - Number(isWithin(paper.takenBack)))
    figures.add(`${P} provider ${paper.provider} bought net`, sign * subtotal)
    figures.add(`${P} provider ${paper.provider} bought total`, sign * total)
  }
  return figures
}

/** Hours of mechanics, and of trucks that were there and stopped. Hours go on: `now` is when the product was asked. */
export function hours(model: Model, asked: Asked, now: number): Figures {
  const { from, to, workshop } = asked
  const figures = new Figures()
  const P = nameOf(asked)
  for (const order of model.orders.orders.values()) {
    if (workshop !== null && order.workshop !== workshop) continue
    for (const { specialist, minutes, day, clocked } of order.labour) {
      if (day < from || day > to) continue
      figures.add(`hours ${P} specialist ${specialist}`, minutes / 60)
      if (clocked) figures.add(`hours ${P} specialist ${specialist} clocked`, minutes / 60)
    }
    for (const { specialist, from: began } of order.running) {
      // One that runs on after its month was closed counts today.
      const day = model.orders.isClosed(dayOf(began)) ? dayOf(now) : dayOf(began)
      if (day < from || day > to) continue
      figures.add(`hours ${P} specialist ${specialist}`, (now - began) / 3_600_000)
      figures.add(`hours ${P} specialist ${specialist} clocked`, (now - began) / 3_600_000)
    }
  }
  for (const { id } of model.fleet.trucks.values()) {
    if (workshop !== null) continue
    const stopped = model.fleet.stopped(model.orders, id, from, to, now, workshop)
    figures.put(`hours ${P} truck ${id} there`, stopped.hours)
    figures.put(`hours ${P} truck ${id} stopped`, stopped.stopped)
    figures.put(`hours ${P} truck ${id} unplanned`, stopped.unplanned)
    figures.put(`hours ${P} truck ${id} stops`, stopped.stops)
    figures.put(`hours ${P} truck ${id} failures`, stopped.failures)
  }
  return figures
}
