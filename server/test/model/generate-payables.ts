import { payables } from '#contract/work-orders/payables.ts'
import { type Hands, note } from './generate.ts'

/* Random people who pay providers, take payments back, approve and claim. */

export class PayableActs {
  readonly #hands: Hands
  readonly #noteInvoice: (id: number) => Promise<void>

  /** `noteInvoice`: what others do to an invoice that was just paid. */
  constructor(hands: Hands, noteInvoice: (id: number) => Promise<void>) {
    this.#hands = hands
    this.#noteInvoice = noteInvoice
  }

  async act() {
    const { random } = this.#hands
    const document = await this.#someDocument()
    if (document === undefined) return
    const chance = random.next()
    if (chance < 0.65) await this.pay(document)
    else if (chance < 0.75) await this.#takeAllBack(document)
    else if (chance < 0.85) await this.#takeOneBack()
    else await this.#decide(document)
  }

  /** One of all payables, or of those whose amount and payments differ. */
  async #someDocument() {
    const { random, call } = this.#hands
    const State = ['received', 'approved', 'claimed', 'paid'] as const
    const query = { per_page: 500, sort: 'document' as const, filter: { State: [...State] } }
    const { data } = (await call(payables.listPayables, { query })).body
    const differing = data.filter(({ balance, payments }) => balance !== 0 && payments.length > 0)
    const chosen = differing.length > 0 && random.chance(0.3) ? differing : data
    return chosen.length > 0 ? random.pick(chosen).id : undefined
  }

  async pay(id: number) {
    const { call, payments } = this.#hands
    const { status, body } = await call(payables.payPayable, { params: { id }, body: { paid: true } })
    if (status !== 200) return
    const known = payments.get(id) ?? []
    const made = body.payments.find((payment) => !known.includes(payment.id))
    // A document that is paid in full takes no further payment.
    if (!made) return
    note(this.#hands, { kind: 'pay', document: id, payment: made.id })
    payments.set(id, [...known, made.id])
    if (id % 2 === 0 && this.#hands.random.chance(0.4)) await this.#noteInvoice(id / 2)
  }

  async #takeAllBack(id: number) {
    const { call, payments } = this.#hands
    const { status } = await call(payables.payPayable, { params: { id }, body: { paid: false } })
    if (status !== 200) return
    note(this.#hands, { kind: 'take-back', document: id, payments: payments.get(id) ?? [] })
    payments.delete(id)
  }

  async #takeOneBack() {
    const { call, payments, random } = this.#hands
    if (payments.size === 0) return
    const [id, there] = random.pick([...payments])
    const payment = random.pick(there)
    const { status } = await call(payables.deletePayment, { params: { id: payment } })
    if (status !== 204) return
    note(this.#hands, { kind: 'take-back', document: id, payments: [payment] })
    const rest = there.filter((one) => one !== payment)
    if (rest.length > 0) payments.set(id, rest)
    else payments.delete(id)
  }

  async #decide(id: number) {
    const state = this.#hands.random.pick(['approved', 'claimed', 'received'] as const)
    const { status } = await this.#hands.call(payables.updatePayable, { params: { id }, body: { state } })
    if (status === 200) note(this.#hands, { kind: 'payable-state', document: id, state })
  }
}

/** Deleting or voiding a document with payments must be refused, because it is paid. */
export function requireRefused({ payments }: Hands, documents: number[], status: number) {
  const paid = documents.filter((id) => payments.has(id))
  if (paid.length > 0 && status !== 409 && status !== 422)
    throw new Error(`What is paid was deleted or voided: ${paid.join(', ')}, ${status}`)
}
