import { divideHalfUp, splitPesos, taxOf } from '#contract/base/money.ts'
import { dayOf } from './days.ts'
import { type NewMovement, placeOf, scaled, unitOf } from './ledger.ts'
import type { Months } from './months.ts'
import type { Operation, Rule, WorkFact } from './operations.ts'
import type { Stock } from './stock.ts'

/* Work orders: what they took, what was done for them elsewhere, who worked on them, and what each of that costs on which day. */

export interface SupplyLine {
  id: number
  warehouse: number
  supply: number
  quantity: number
  value: bigint
  amount: number
  day: string
}
export interface ServiceLine {
  id: number
  service: number
  provider: number
  amount: number
  recorded: string
  day: string
}
export interface LabourLine {
  work: number
  specialist: number
  minutes: number
  amount: number
  day: string
  clocked: boolean
  id: number | null
  /** When it was clocked. */
  from: number | null
}
/** An amount of a document beyond the services: the difference of an invoice, or a note. */
export interface Beyond {
  /** Null: the difference of the invoice itself. */
  note: number | null
  provider: number
  invoice: number
  amount: number
  day: string
}
export interface Adjustment {
  line: number
  supply: number
  value: bigint
  amount: number
  day: string
}
export interface Order {
  id: number
  workshop: number
  truck: number
  warehouse: number
  planned: boolean
  supplies: SupplyLine[]
  services: ServiceLine[]
  labour: LabourLine[]
  /** Clocks that run. */
  running: { work: number; specialist: number; from: number }[]
  /** Differences between the shares of invoices and the services. */
  differences: Beyond[]
  notes: Beyond[]
  /** Later differences of lines of closed months, booked on the day they were found. */
  adjustments: Adjustment[]
  stay: { from: number | null; to: number | null }
}
export interface Invoice {
  id: number
  provider: number
  date: string
  tax: '19' | '21' | 'exempt'
  /** Nobody said what it comes to: it is what the services of its order are. */
  follows: boolean
  shares: Map<number, number>
  notes: { id: number; sign: 1 | -1; amount: number }[]
  cash: boolean
}
type Of<K extends Operation['kind']> = Extract<Operation, { kind: K }>

const PESO = 10_000n
const adjustedOf = ({ adjustments }: Order, { supply }: Pick<SupplyLine, 'supply'>) =>
  adjustments.filter((one) => one.supply === supply).reduce((sum, { value }) => sum + value, 0n)
const floor = (n: bigint) => (n >= 0n ? n / PESO : -((-n + PESO - 1n) / PESO))

export class Orders {
  readonly orders = new Map<number, Order>()
  readonly invoices = new Map<number, Invoice>()
  readonly #stock: Stock
  readonly #broken: ReadonlySet<Rule>
  readonly #rates = new Map<number, { from: string; amount: number }[]>()
  /** Remainders of rounding to pesos so far, by warehouse and supply. */
  readonly #carried = new Map<string, bigint>()
  readonly #months: Months

  constructor(stock: Stock, months: Months, broken: ReadonlySet<Rule>) {
    this.#stock = stock
    this.#months = months
    this.#broken = broken
  }

  /** Services and differences of invoices go back to where they would be had the months that are open again never been closed. */
  moveBack(at: number) {
    for (const order of this.orders.values()) {
      for (const line of order.services) line.day = this.#dayFor(order.id, line.provider, line.recorded, line.day)
      this.#keepShares(order, at)
    }
  }
  isClosed = (day: string) => this.#months.isClosed(day)

  apply(op: Operation) {
    switch (op.kind) {
      case 'order': {
        const { id, workshop, truck, warehouse, planned, entered } = op
        const stay = { from: entered, to: null }
        const lines = {
          supplies: [],
          services: [],
          labour: [],
          running: [],
          differences: [],
          notes: [],
          adjustments: [],
        }
        this.orders.set(id, { id, workshop, truck, warehouse, planned, stay, ...lines })
        return
      }
      case 'supplies':
        return this.#takeSupplies(op)
      case 'services':
        return this.#orderServices(op)
      case 'works':
        return this.#work(op)
      case 'stay':
        this.orders.get(op.order)!.stay = { from: op.from, to: op.to }
        return
      case 'delete-order':
        this.#takeSupplies({ ...op, kind: 'supplies', lines: [], ids: new Map() })
        this.orders.delete(op.order)
        for (const { id, shares } of this.invoices.values()) if (shares.has(op.order)) this.invoices.delete(id)
        return
      case 'invoice':
        return this.#invoice(op)
      case 'invoice-note':
        return this.#noteInvoice(op)
      case 'edit-invoice':
        return this.#editInvoice(op)
      case 'delete-invoice':
        return this.#deleteInvoice(op.id)
      case 'delete-invoice-note':
        return this.#deleteNote(op)
      case 'rate':
        return this.#setRate(op)
    }
  }

  /* Supplies */

  /** Goods a line adds leave the stock; goods it gives up come back at their share of its value. */
  #takeSupplies(op: Of<'supplies'>) {
    const order = this.orders.get(op.order)!
    const wanted = new Map(op.lines.map((line) => [line.supply, line.quantity]))
    const change = (supply: number, by: bigint): NewMovement => ({
      at: op.at,
      warehouse: order.warehouse,
      supply,
      quantity: -by,
      worth: { by: by > 0n ? 'average' : 'order' },
      document: null,
      order: order.id,
      exit: null,
    })
    const back = order.supplies.flatMap(({ supply, quantity }) => {
      const by = scaled(wanted.get(supply) ?? 0) - scaled(quantity)
      return by < 0n ? [change(supply, by)] : []
    })
    const take = op.lines.flatMap(({ supply, quantity }) => {
      const by = scaled(quantity) - scaled(order.supplies.find((line) => line.supply === supply)?.quantity ?? 0)
      return by > 0n ? [change(supply, by)] : []
    })
    const moving = new Set([...back, ...take].map(({ supply }) => supply))
    for (const line of order.supplies) if (moving.has(line.supply)) this.#forget(placeOf(line), line)
    // Goods that come back take their share of the adjustments along, and the line is worth the rest.
    const isGone = ({ supply }: Adjustment) => back.some((one) => one.supply === supply)
    for (const gone of order.adjustments.filter(isGone))
      this.#forget(placeOf({ warehouse: order.warehouse, supply: gone.supply }), gone)
    order.adjustments = order.adjustments.filter((one) => !isGone(one))
    this.#stock.ledger.add([...back, ...take])
    order.supplies = op.lines.map(({ supply, quantity }) => {
      const before = order.supplies.find((line) => line.supply === supply)
      if (before && !moving.has(supply)) return before
      const day = before?.day ?? dayOf(op.at)
      const line = { id: before?.id ?? op.ids.get(supply)!, warehouse: order.warehouse, supply, quantity, day }
      const worth = this.#stock.ledger.heldBy(order.id, placeOf(line)).value - adjustedOf(order, line)
      const value = worth < 0n ? 0n : worth
      const amount = this.#pesosOf(placeOf(line), value)
      if (worth < 0n) this.#adjust(order, line, worth, dayOf(op.at))
      return { ...line, value, amount }
    })
  }

  /**
   * The past changed: lines cost what the ledger says now, in the order of their ids. Those of a closed month stay, and
   * the difference is booked today, as is that of what the ledger itself settled today.
   */
  follow(today: string, settled: NewMovement[]) {
    const all = [...this.orders.values()].flatMap((order) => order.supplies.map((line) => ({ order, line })))
    const changed = all
      .map(({ order, line }) => {
        const all = this.#stock.ledger.heldBy(order.id, placeOf(line)).value - adjustedOf(order, line) - line.value
        const ofLedger = settled
          .filter((one) => one.order === order.id && placeOf(one) === placeOf(line))
          .reduce((sum, { worth }) => sum - (worth.by === 'adjustment' ? worth.value : 0n), 0n)
        // A line costs nothing at least: the rest is booked today, too.
        const least = all - ofLedger < -line.value ? all + line.value : ofLedger
        const booked = this.isClosed(line.day) ? all : least
        return { order, line, booked, more: all - booked }
      })
      .sort((a, b) => a.line.id - b.line.id)
    const raised = changed.filter(({ more }) => more !== 0n)
    for (const { line } of raised) this.#forget(placeOf(line), line)
    for (const { line, more } of raised) {
      line.value += more
      line.amount = this.#pesosOf(placeOf(line), line.value)
    }
    for (const { order, line, booked } of changed) if (booked !== 0n) this.#adjust(order, line, booked, today)
  }

  #adjust(order: Order, line: Omit<SupplyLine, 'value' | 'amount'>, value: bigint, day: string) {
    const amount = this.#pesosOf(placeOf(line), value)
    order.adjustments.push({ line: line.id, supply: line.supply, value, amount, day })
  }

  #forget(place: string, { value, amount }: Pick<SupplyLine, 'value' | 'amount'>) {
    const carried = this.#carried.get(place) ?? 0n
    this.#carried.set(place, carried - (BigInt(amount) * PESO - value))
  }

  /** Whole pesos are what the rounded sum so far grows by, and never a peso off. */
  #pesosOf(place: string, value: bigint) {
    const carried = this.#carried.get(place) ?? 0n
    const low = floor(value)
    if (this.#broken.has('order cost')) return Number(low)
    const high = low * PESO === value ? low : low + 1n
    const amount = floor(value - carried + PESO / 2n) <= low ? low : high
    this.#carried.set(place, carried + amount * PESO - value)
    return Number(amount)
  }

  costOf = ({ value, quantity }: SupplyLine) => Number(unitOf(value, scaled(quantity))) / 10_000

  /* Services and their papers */

  #invoiceOf = (order: number, provider: number) =>
    [...this.invoices.values()].find((invoice) => invoice.provider === provider && invoice.shares.has(order))

  #orderServices(op: Of<'services'>) {
    const order = this.orders.get(op.order)!
    order.services = op.lines.map(({ id, service, provider, quantity, price }) => {
      const before = order.services.find((line) => line.id === id)
      const amount = Number(divideHalfUp(scaled(quantity) * scaled(price), 100_000_000n))
      if (before) return { ...before, amount }
      const recorded = dayOf(op.at)
      return { id, service, provider, amount, recorded, day: this.#dayFor(order.id, provider, recorded, recorded) }
    })
    this.#keepShares(order, op.at)
  }

  /** The date of its provider's invoice; what is of a closed month stays there, and nothing enters one. */
  #dayFor(order: number, provider: number, recorded: string, now: string) {
    if (this.#broken.has('service day')) return `${recorded.slice(0, 4)}-01-31`
    const day = this.#invoiceOf(order, provider)?.date ?? recorded
    return this.isClosed(now) || this.isClosed(day) ? now : day
  }

  /**
   * A share that follows services is what they are, unless its invoice is of a closed month. Where a paper says something
   * else, the difference is spent on its day, or in a closed month on the day it is found out.
   */
  #keepShares(order: Order, at: number) {
    for (const invoice of this.invoices.values()) {
      const share = invoice.shares.get(order.id)
      if (share === undefined) continue
      const services = this.servicesOf(order.id, invoice.provider)
      const isOpen = !this.isClosed(invoice.date)
      if (invoice.follows && isOpen) invoice.shares.set(order.id, services)
      const differs = invoice.shares.get(order.id)! - services
      const isOwn = (one: Beyond) => one.invoice === invoice.id
      const sumOf = (of: Beyond[]) => of.filter(isOwn).reduce((all, { amount }) => all + amount, 0)
      const closed = order.differences.filter((one) => !isOwn(one) || this.isClosed(one.day))
      if (isOpen || sumOf(closed) === differs) order.differences = closed
      const amount = differs - sumOf(order.differences)
      const isBroken = this.#broken.has('closed invoice')
      const { id, provider, date } = invoice
      if (amount !== 0)
        order.differences.push({
          note: null,
          provider,
          invoice: id,
          amount,
          day: isOpen || isBroken ? date : dayOf(at),
        })
    }
  }

  #invoice(op: Of<'invoice'>) {
    const { id, provider, date, tax, cash } = op
    const shares = new Map(op.shares.map(({ order, amount }) => [order, amount ?? this.servicesOf(order, provider)]))
    this.invoices.set(id, { id, provider, date, tax, follows: op.net === null, shares, notes: [], cash })
    this.#count(provider, shares, op.at)
  }
  #count(provider: number, shares: ReadonlyMap<number, number>, at: number) {
    for (const of of shares.keys()) {
      const order = this.orders.get(of)!
      for (const line of order.services)
        if (line.provider === provider) line.day = this.#dayFor(of, provider, line.recorded, line.day)
      this.#keepShares(order, at)
    }
  }

  #editInvoice(op: Of<'edit-invoice'>) {
    const invoice = this.invoices.get(op.id)!
    Object.assign(invoice, { date: op.date, tax: op.tax })
    if (op.net !== null && op.net !== this.netOf(invoice)) {
      invoice.follows = false
      for (const order of invoice.shares.keys()) invoice.shares.set(order, op.net)
    }
    this.#count(invoice.provider, invoice.shares, op.at)
  }

  #deleteInvoice(id: number) {
    const { provider, shares } = this.invoices.get(id)!
    this.invoices.delete(id)
    for (const of of shares.keys()) {
      const order = this.orders.get(of)!
      order.differences = order.differences.filter(({ invoice }) => invoice !== id)
      for (const line of order.services)
        if (line.provider === provider) line.day = this.#dayFor(of, provider, line.recorded, line.day)
    }
  }

  servicesOf = (order: number, provider: number) =>
    this.orders
      .get(order)!
      .services.filter((line) => line.provider === provider)
      .reduce((all, line) => all + line.amount, 0)
  netOf = (invoice: Invoice) => [...invoice.shares.values()].reduce((all, amount) => all + amount, 0)
  taxOf = (invoice: Invoice, net: number) => (this.#broken.has('invoice tax') ? 0 : taxOf(net, invoice.tax))

  /** The amount left to pay: the total, and its notes with their own tax. */
  leftOf(invoice: Invoice) {
    const net = this.netOf(invoice)
    return invoice.notes.reduce(
      (left, { sign, amount }) => left + sign * (amount + this.taxOf(invoice, amount)),
      net + this.taxOf(invoice, net),
    )
  }

  /** In proportion to what each order still has of the invoice; from then on the invoice is what it was. */
  #noteInvoice(op: Of<'invoice-note'>) {
    const invoice = this.invoices.get(op.invoice)!
    const orders = [...invoice.shares.keys()].sort((a, b) => a - b)
    invoice.follows = false
    const left = orders.map((order) => invoice.shares.get(order)! + this.#notedOf(order, invoice.id))
    const parts = splitPesos(op.amount, left)
    for (const [i, order] of orders.entries())
      if (parts[i] !== 0)
        this.orders.get(order)!.notes.push({
          note: op.id,
          provider: invoice.provider,
          invoice: invoice.id,
          amount: op.sign * parts[i]!,
          day: op.date,
        })
    invoice.notes.push({ id: op.id, sign: op.sign, amount: op.amount })
  }
  #deleteNote({ id, invoice: of }: Of<'delete-invoice-note'>) {
    const invoice = this.invoices.get(of)!
    invoice.notes = invoice.notes.filter((note) => note.id !== id)
    for (const order of this.orders.values()) order.notes = order.notes.filter(({ note }) => note !== id)
  }
  #notedOf = (order: number, invoice: number) =>
    this.orders
      .get(order)!
      .notes.filter((note) => note.invoice === invoice)
      .reduce((all, { amount }) => all + amount, 0)

  /** Amounts of an order's documents beyond its services. */
  beyondOf = ({ differences, notes }: Order): Beyond[] => [...differences, ...notes]

  /* Labour */

  #setRate(op: Of<'rate'>) {
    const rates = (this.#rates.get(op.specialist) ?? []).filter(({ from }) => from !== op.from)
    this.#rates.set(
      op.specialist,
      [...rates, { from: op.from, amount: op.amount }].sort((a, b) => (a.from < b.from ? 1 : -1)),
    )
    for (const { labour } of this.orders.values())
      for (const line of labour)
        if (line.specialist === op.specialist && line.minutes >= 0 && !this.isClosed(line.day))
          line.amount = this.#worth(line)
  }
  #rateOn = (specialist: number, day: string) =>
    this.#rates.get(specialist)?.find(({ from }) => from <= day)?.amount ?? 0
  #worth = ({ specialist, minutes, day }: Pick<LabourLine, 'specialist' | 'minutes' | 'day'>) =>
    Number(divideHalfUp(BigInt(Math.round(minutes * 100)) * BigInt(this.#rateOn(specialist, day)), 6000n))

  /** Labour is the clocked time, or the typed hours once the work is done. */
  #work(op: Of<'works'>) {
    const order = this.orders.get(op.order)!
    order.running = op.works.flatMap(({ id, times }) =>
      times.filter(({ until }) => until === null).map(({ specialist, from }) => ({ work: id, specialist, from })),
    )
    order.labour = op.works.flatMap((work) => {
      const clocked = work.times.filter(({ until }) => until !== null)
      return work.times.length > 0
        ? [
            ...this.#takenBack(order, work, op.at),
            ...clocked.map((time) => this.#clockedLine(order, work, time, op.at)),
          ]
        : this.#typedLine(order, work, op.at)
    })
  }
  /** Typed hours of a closed month stay there once their work is clocked; the day of the clock takes them back. */
  #takenBack(order: Order, { id, times }: WorkFact, at: number): LabourLine[] {
    const typed = order.labour.find((line) => line.work === id && !line.clocked && line.minutes >= 0)
    if (!typed || !this.isClosed(typed.day) || typed.amount === 0) return []
    const before = order.labour.find((line) => line.work === id && line.minutes < 0)
    const day = this.#inOpen(dayOf(Math.min(...times.map(({ from }) => from))), at)
    return [typed, before ?? { ...typed, minutes: -typed.minutes, amount: -typed.amount, day }]
  }
  #inOpen = (day: string, at: number) => (this.isClosed(day) ? dayOf(at) : day)
  #clockedLine(order: Order, work: WorkFact, time: WorkFact['times'][number], at: number): LabourLine {
    const before = order.labour.find((line) => line.id === time.id)
    const minutes = Math.round((time.until! - time.from) / 600) / 100
    if (before && before.from === time.from && before.minutes === minutes) return before
    const own = { specialist: time.specialist, minutes, day: this.#inOpen(dayOf(time.from), at) }
    return { ...own, work: work.id, clocked: true, id: time.id, from: time.from, amount: this.#worth(own) }
  }
  #typedLine(order: Order, work: WorkFact, at: number): LabourLine[] {
    const before = order.labour.find((line) => line.work === work.id && !line.clocked && line.minutes >= 0)
    if (before && this.isClosed(before.day) && before.amount !== 0) return [before]
    if (!work.hours || work.specialist === null) return []
    if (!work.done && !this.#broken.has('labour')) return []
    const minutes = Math.round(work.hours * 6000) / 100
    if (before && before.minutes === minutes && before.specialist === work.specialist) return [before]
    const own = { specialist: work.specialist, minutes, day: this.#inOpen(before?.day ?? dayOf(at), at) }
    return [{ ...own, work: work.id, clocked: false, id: null, from: null, amount: this.#worth(own) }]
  }
}
