import type { PaymentType } from '#contract/warehouses/transactions.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { DAY, dayOf } from './days.ts'
import { type Hands, note } from './generate.ts'
import type { Made } from './generate-orders.ts'
import { requireRefused } from './generate-payables.ts'

/* Random people who write down what providers charge for services, correct it, and take it back. */

interface MadeInvoice {
  id: number
  provider: number
  date: string
  document: string
  payment: PaymentType
  orders: Made[]
  notes: { id: number; date: string }[]
}

export class InvoiceActs {
  readonly #hands: Hands
  readonly #orders: Made[]
  readonly #invoices: MadeInvoice[] = []
  #papers = 0

  /** `orders` are those there are, whenever it is looked at. */
  constructor(hands: Hands, orders: Made[]) {
    this.#hands = hands
    this.#orders = orders
  }

  get #random() {
    return this.#hands.random
  }
  #paper(series: string) {
    this.#papers += 1
    return `${series}-${this.#papers}`
  }

  /** Often one that has payments: a change of it is owed, or in favour. */
  #some() {
    const paid = this.#invoices.filter(({ id }) => this.#hands.payments.has(id * 2))
    const from = paid.length > 0 && this.#random.chance(0.6) ? paid : this.#invoices
    return from.length > 0 ? this.#random.pick(from) : undefined
  }

  ofOrder = (order: Made) => this.#invoices.filter(({ orders }) => orders.includes(order)).map(({ id }) => id * 2)
  /** The order was deleted, and its invoices with it. */
  forget(order: Made) {
    const stay = this.#invoices.filter(({ orders }) => !orders.includes(order))
    this.#invoices.splice(0, this.#invoices.length, ...stay)
  }

  /** An order with an invoice of a closed month, and its provider. */
  someClosed(): [Made, number] | undefined {
    const closed = this.#invoices.filter(({ date }) => date < this.#hands.closedBefore)
    if (closed.length === 0) return undefined
    const { orders, provider } = this.#random.pick(closed)
    return [this.#random.pick(orders), provider]
  }

  async act() {
    const chance = this.#random.next()
    const some = this.#some()
    if (chance < 0.45 || !some) await this.create()
    else if (chance < 0.65) await this.#note(some)
    else if (chance < 0.8) await this.#edit(some)
    else if (chance < 0.9) await this.#deleteNote(some)
    else await this.#delete(some)
  }

  /** A provider's paper of one order, which follows its services; or of several, which says its own amounts. */
  async create() {
    if (this.#orders.length === 0) return
    const order = this.#random.pick(this.#orders)
    const open = order.services.filter(({ provider }) => !order.invoiced.has(provider))
    if (open.length === 0) return
    const { provider } = this.#random.pick(open)
    const sharing = this.#orders
      .filter((other) => other.workshop === order.workshop && !other.invoiced.has(provider))
      .filter((other) => other.services.some((line) => line.provider === provider))
    const back = dayOf(Date.now() - this.#random.int(0, 6) * DAY)
    const date = back < this.#hands.closedBefore ? dayOf(Date.now()) : back
    const tax = this.#random.pick(['19', '21', 'exempt'] as const)
    const isSaid = this.#random.chance(0.5)
    const orders = isSaid ? [order, ...sharing.filter((other) => other !== order).slice(0, 2)] : [order]
    const shares = orders.map(({ id }) => ({ order: id, amount: isSaid ? this.#random.int(1, 100_000) : null }))
    const net = isSaid ? shares.reduce((all, { amount }) => all + amount!, 0) : null
    const cash = this.#random.chance(0.3)
    const payment = cash ? 'Cash' : 'Credit'
    const document = this.#paper('S')
    const { status, body } = await this.#hands.call(workOrderParts.createInvoice, {
      body: {
        work_order_id: order.id,
        provider_id: provider,
        bill_invoice: 'bill',
        date,
        document,
        payment_type: payment,
        tax_type: tax,
        confirm_old: true,
        ...(isSaid && {
          net: net!,
          shares: shares.map((share) => ({ work_order_id: share.order, amount: share.amount! })),
        }),
      },
    })
    if (status !== 201) return
    note(this.#hands, { kind: 'invoice', id: body.id, provider, date, tax, net, cash, shares })
    this.#invoices.push({ id: body.id, provider, date, document, payment, orders, notes: [] })
    for (const one of orders) one.invoiced.add(provider)
  }

  get first() {
    return this.#invoices[0]?.id
  }

  async noteOne(id: number) {
    const invoice = this.#invoices.find((one) => one.id === id)
    if (invoice) await this.#note(invoice)
  }

  async #note(invoice: MadeInvoice) {
    const kind = this.#random.pick(['credit', 'debit'] as const)
    const date = dayOf(Date.now())
    const amount = this.#random.int(1, 20_000)
    const { status, body } = await this.#hands.call(workOrderParts.createInvoiceNote, {
      params: { id: invoice.id },
      body: { kind, date, document: this.#paper('SN'), amount },
    })
    if (status !== 201) return
    const sign = kind === 'credit' ? -1 : 1
    note(this.#hands, { kind: 'invoice-note', id: body.id, invoice: invoice.id, sign, date, amount })
    invoice.notes.push({ id: body.id, date })
  }

  async #deleteNote(invoice: MadeInvoice) {
    if (invoice.notes.length === 0) return
    const one = this.#random.pick(invoice.notes)
    const { status } = await this.#hands.call(workOrderParts.deleteInvoiceNote, { params: { id: one.id } })
    if (status !== 204) return
    note(this.#hands, { kind: 'delete-invoice-note', id: one.id, invoice: invoice.id })
    invoice.notes.splice(invoice.notes.indexOf(one), 1)
  }

  /** Another day, another tax, or another amount of an invoice of one order. */
  async #edit(invoice: MadeInvoice) {
    const tax = this.#random.pick(['19', '21', 'exempt'] as const)
    const back = dayOf(Date.now() - this.#random.int(0, 6) * DAY)
    const date = this.#random.chance(0.4) ? back : invoice.date
    const net = invoice.orders.length === 1 && this.#random.chance(0.6) ? this.#random.int(1, 100_000) : null
    const { status } = await this.#hands.call(workOrderParts.updateInvoice, {
      params: { id: invoice.id },
      body: {
        bill_invoice: 'bill',
        date,
        document: invoice.document,
        payment_type: invoice.payment,
        tax_type: tax,
        confirm_old: true,
        ...(net !== null && { net }),
      },
    })
    if (status !== 200) return
    invoice.date = date
    note(this.#hands, { kind: 'edit-invoice', id: invoice.id, date, tax, net })
  }

  async #delete(invoice: MadeInvoice) {
    const { status } = await this.#hands.call(workOrderParts.deleteInvoice, { params: { id: invoice.id } })
    requireRefused(this.#hands, [invoice.id * 2], status)
    if (status !== 204) return
    note(this.#hands, { kind: 'delete-invoice', id: invoice.id })
    for (const order of invoice.orders) order.invoiced.delete(invoice.provider)
    this.#invoices.splice(this.#invoices.indexOf(invoice), 1)
  }
}
