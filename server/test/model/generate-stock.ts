import { purchasing } from '#contract/purchasing/purchasing.ts'
import { supplies } from '#contract/supplies/supplies.ts'
import type { Transaction } from '#contract/warehouses/transactions.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { addDays, dayOf } from './days.ts'
import { type Hands, note } from './generate.ts'
import { requireRefused } from './generate-payables.ts'
import type { Line, PricedLine } from './operations.ts'

/* Random people of the warehouse. */

interface Filed {
  id: number
  warehouse: number
  date: string
  kind: 'entry' | 'exit' | 'return' | 'provider-return' | 'note' | 'transfer' | 'send' | 'receipt'
  isPurchase: boolean
  lines: Line[]
  /** The other side of a transfer inside a workshop. */
  arrival?: { id: number; warehouse: number }
}

export class StockActs {
  readonly #hands: Hands
  readonly #filed: Filed[] = []
  #papers = 0

  constructor(hands: Hands) {
    this.#hands = hands
  }

  /** Takes what others made among the documents that are returned, noted and voided. */
  file = (document: Filed) => this.#filed.push(document)

  get #random() {
    return this.#hands.random
  }

  async act() {
    const chance = this.#random.next()
    if (chance < 0.34) await this.enter()
    else if (chance < 0.5) await this.#exit()
    else if (chance < 0.6) await this.#return()
    else if (chance < 0.68) await this.#returnToProvider()
    else if (chance < 0.76) await this.#note(this.#someNoted())
    else if (chance < 0.84) await this.#void(this.#pick(() => true))
    else if (chance < 0.92) await this.#transfer()
    else if (chance < 0.97) await this.#receive()
    else await this.#count()
  }

  #quantity = () => (this.#random.chance(0.5) ? this.#random.int(1, 20) : this.#random.int(1, 200_000) / 10_000)
  #cost = () => (this.#random.chance(0.5) ? this.#random.int(1, 50_000) : this.#random.int(1, 50_000_000) / 10_000)
  /** Today, or up to 25 days ago in a month that is open. */
  #date() {
    const today = dayOf(Date.now())
    if (this.#random.chance(0.7)) return today
    const day = addDays(today, -this.#random.int(1, 25))
    return day < this.#hands.closedBefore ? today : day
  }
  #place() {
    const warehouse = this.#random.pick(this.#hands.world.warehouses)
    const there = this.#hands.world.supplies.filter(({ workshop }) => workshop === warehouse.workshop)
    const chosen = this.#random.shuffle(there).slice(0, this.#random.int(1, 3))
    return { warehouse: warehouse.id, chosen: chosen.map(({ id }) => id) }
  }
  nextPaper = () => {
    this.#papers += 1
    return `P-${this.#papers}`
  }
  #pick = (which: (one: Filed) => boolean) => {
    const found = this.#filed.filter(which)
    return found.length > 0 ? this.#random.pick(found) : undefined
  }
  #part = (lines: Line[]): Line[] =>
    lines.map(({ supply, quantity }) => ({
      supply,
      quantity: this.#random.chance(0.3) ? quantity : Math.max(1, Math.floor(quantity * 4_000)) / 10_000,
    }))
  #sent = (lines: Line[]) => lines.map(({ supply, quantity }) => ({ supply_id: supply, quantity }))

  async enter() {
    const { warehouse, chosen } = this.#place()
    const isPurchase = this.#random.chance(0.8)
    const { workshop } = this.#hands.world.warehouses.find(({ id }) => id === warehouse)!
    const provider = isPurchase
      ? this.#random.pick(this.#hands.world.services.filter((service) => service.workshop === workshop)).provider
      : null
    const date = this.#date()
    const cash = isPurchase && this.#random.chance(0.3)
    const lines = chosen.map(
      (supply): PricedLine => ({
        supply,
        quantity: this.#quantity(),
        unit_cost: this.#cost(),
        tax: this.#random.pick(['19', '21', 'exempt']),
      }),
    )
    const { status, body } = await this.#hands.call(warehouses.recordTransaction, {
      body: {
        warehouse_id: warehouse,
        type: 'entry',
        transaction: {
          typeTrasactionId: isPurchase ? 1 : 3,
          date,
          providerId: provider,
          ...(isPurchase && {
            typeInvoice: 'bill',
            document: this.nextPaper(),
            payment_type: cash ? 'Cash' : 'Credit',
          }),
        },
        supplies: lines.map(({ supply, quantity, unit_cost, tax }) => ({
          supply_id: supply,
          quantity,
          unit_cost,
          tax_type: tax,
        })),
      },
    })
    if (status !== 201) return
    note(this.#hands, { kind: 'entry', id: body.id, warehouse, provider, date, bought: isPurchase, cash, lines })
    this.#filed.push({ id: body.id, warehouse, date, kind: 'entry', isPurchase, lines })
  }

  async #exit() {
    const { warehouse, chosen } = this.#place()
    const date = this.#date()
    const lines = chosen.map((supply) => ({ supply, quantity: this.#quantity() }))
    const { status, body } = await this.#hands.call(warehouses.recordTransaction, {
      body: {
        warehouse_id: warehouse,
        type: 'exit',
        transaction: { typeTrasactionId: this.#random.pick([5, 6, 8]), date },
        supplies: this.#sent(lines),
      },
    })
    if (status !== 201) return
    note(this.#hands, { kind: 'exit', id: body.id, warehouse, date, lines })
    this.#filed.push({ id: body.id, warehouse, date, kind: 'exit', isPurchase: false, lines })
  }

  async #return() {
    const of = this.#pick(({ kind }) => kind === 'exit')
    if (of) await this.#giveBack(of, 'entry', 2, 'return')
  }
  async #returnToProvider() {
    const of = this.#pick(({ kind, isPurchase }) => kind === 'entry' && isPurchase)
    if (of) await this.#giveBack(of, 'exit', 7, 'provider-return')
  }
  async #giveBack(of: Filed, type: 'entry' | 'exit', typeTrasactionId: number, kind: 'return' | 'provider-return') {
    const { id: returns_id, warehouse } = of
    const asked = this.#date()
    const date = asked < of.date ? dayOf(Date.now()) : asked
    const lines = this.#part(of.lines)
    const { status, body } = await this.#hands.call(warehouses.recordTransaction, {
      body: {
        warehouse_id: warehouse,
        type,
        transaction: { typeTrasactionId, returns_id, date },
        supplies: this.#sent(lines),
      },
    })
    if (status !== 201) return
    note(this.#hands, { kind, id: body.id, warehouse, of: returns_id, date, lines })
    this.#filed.push({ id: body.id, warehouse, date, kind, isPurchase: false, lines })
  }

  /** One of a closed month, if there is one. */
  #pickClosed = (which: (one: Filed) => boolean) =>
    this.#pick((one) => one.date < this.#hands.closedBefore && which(one))

  /** Another price, of a purchase of any month. True if it was accepted. */
  async #note(of: Filed | undefined) {
    if (!of) return false
    const kind = this.#random.pick(['credit', 'debit'] as const)
    const date = dayOf(Date.now())
    const { status, body } = await this.#hands.call(warehouses.noteTransaction, {
      params: { id: of.id },
      body: { kind, document: this.nextPaper(), date, amount: this.#random.int(1, 20_000) },
    })
    if (status !== 201) return false
    const sign = kind === 'credit' ? -1 : 1
    const lines = body.supplies.map((line) => ({ supply: line.supply_id, amount: line.net_cost }))
    note(this.#hands, { kind: 'note', id: body.id, of: of.id, sign, date, lines })
    this.#filed.push({
      id: body.id,
      warehouse: of.warehouse,
      date,
      kind: 'note',
      isPurchase: false,
      lines: [],
    })
    return true
  }
  #someNoted() {
    const isPurchase = (one: Filed) => one.kind === 'entry' && one.isPurchase
    const isPaid = (one: Filed) => isPurchase(one) && this.#hands.payments.has(one.id * 2 + 1)
    return (this.#random.chance(0.5) ? this.#pick(isPaid) : undefined) ?? this.#pick(isPurchase)
  }

  /** True if it was accepted. */
  async #void(document: Filed | undefined) {
    if (!document) return false
    const params = { id: document.id }
    const { status } = await this.#hands.call(purchasing.voidTransaction, { params, body: {} })
    requireRefused(this.#hands, [document.id * 2 + 1], status)
    if (status !== 200) return false
    note(this.#hands, { kind: 'void', id: document.id })
    this.#filed.splice(this.#filed.indexOf(document), 1)
    return true
  }

  readonly voidClosed = () => this.#void(this.#pickClosed(() => true))
  readonly noteClosed = () => this.#note(this.#pickClosed(({ kind, isPurchase }) => kind === 'entry' && isPurchase))

  async #transfer() {
    const { warehouse, chosen } = this.#place()
    const others = this.#hands.world.warehouses.filter(({ id }) => id !== warehouse)
    const to = this.#random.pick(others).id
    const lines = chosen.map((supply) => ({ supply, quantity: this.#quantity() }))
    const { status, body } = await this.#hands.call(warehouses.transfer, {
      body: { warehouse_id: warehouse, to_warehouse_id: to, supplies: this.#sent(lines) },
    })
    if (status !== 201) return
    const { exit, entry } = body
    const date = dayOf(Date.now())
    const filed = { id: exit.id, warehouse, date, isPurchase: false, lines }
    if (entry) note(this.#hands, { kind: 'transfer', exit: exit.id, entry: entry.id, from: warehouse, to, lines })
    else note(this.#hands, { kind: 'send', id: exit.id, warehouse, lines })
    this.#filed.push({
      ...filed,
      kind: entry ? 'transfer' : 'send',
      ...(entry && { arrival: { id: entry.id, warehouse: to } }),
    })
  }

  /** In the other workshop, all of it or less. */
  async #receive() {
    const query = { per_page: 50, filter: { State: ['sent' as const] } }
    const sent = (await this.#hands.call(warehouses.listTransfers, { query })).body.data
    if (sent.length === 0) return
    const { id } = this.#random.pick(sent)
    const before = new Set((await this.#documents()).map((document) => document.id))
    const { supplies: of } = (await this.#hands.call(warehouses.getTransfer, { params: { id } })).body
    const asked = of.map(({ supply_id, quantity }) => ({
      supply_id,
      received: this.#random.chance(0.7) ? quantity : Math.floor(quantity * 5_000) / 10_000,
      reason: 'Faltó',
    }))
    const { status, body } = await this.#hands.call(warehouses.receiveTransfer, {
      params: { id },
      body: { supplies: asked },
    })
    if (status !== 200) return
    const made = (await this.#documents()).filter((document) => !before.has(document.id))
    const entry = made.find(({ type }) => type === 'entry')!
    const loss = made.find(({ type }) => type === 'exit')
    const codeOf = (supply: number) => of.find(({ supply_id }) => supply_id === supply)!.code
    const lines = asked.map(({ supply_id, received }) => ({
      supply: supply_id,
      as: entry.supplies.find(({ code }) => code === codeOf(supply_id))!.supply_id,
      sent: of.find((line) => line.supply_id === supply_id)!.quantity,
      received,
    }))
    const { warehouse_id: warehouse } = entry
    note(this.#hands, { kind: 'receive', of: id, entry: entry.id, loss: loss?.id ?? null, warehouse, lines })
    if (body.receipt_id !== entry.id) throw new Error('The receipt is not the entry that was made')
    const sending = this.#filed.findIndex((one) => one.id === id)
    if (sending >= 0) this.#filed.splice(sending, 1)
    this.#filed.push({
      id: entry.id,
      warehouse,
      date: dayOf(Date.now()),
      kind: 'receipt',
      isPurchase: false,
      lines: lines.map(({ as, sent }) => ({ supply: as, quantity: sent })),
    })
  }
  async #documents(): Promise<Transaction[]> {
    const query = { per_page: 20, sort: '-created_at' as const }
    return (await this.#hands.call(warehouses.listTransactions, { query })).body.data
  }

  async #count() {
    const { warehouse } = this.#place()
    const sheet = await this.#hands.call(warehouses.createCount, { body: { warehouse_id: warehouse } })
    if (sheet.status !== 201) return
    const params = { id: sheet.body.id }
    const lines = sheet.body.lines.map(({ supply_id, expected }) => ({
      supply_id,
      counted: this.#random.chance(0.3) ? this.#quantity() : expected,
    }))
    if (lines.length === 0) return
    const costs = new Map<number, number>()
    for (const { supply_id } of lines)
      costs.set(supply_id, (await this.#hands.call(supplies.getSupply, { params: { id: supply_id } })).body.cost!)
    await this.#hands.call(warehouses.saveCount, { params, body: { lines } })
    const before = new Set((await this.#documents()).map(({ id }) => id))
    const { status } = await this.#hands.call(warehouses.applyCount, { params })
    if (status !== 200) return
    const made = (await this.#documents()).filter(({ id }) => !before.has(id))
    const differences = lines
      .map(({ supply_id, counted }) => {
        const { expected } = sheet.body.lines.find((line) => line.supply_id === supply_id)!
        return {
          supply: supply_id,
          by: Math.round((counted! - expected!) * 10_000) / 10_000,
          cost: costs.get(supply_id)!,
        }
      })
      .sort((a, b) => a.supply - b.supply)
    const found = differences.filter(({ by }) => by > 0).map(({ supply, by, cost }) => ({ supply, quantity: by, cost }))
    const missing = differences.filter(({ by }) => by < 0).map(({ supply, by }) => ({ supply, quantity: -by }))
    const idOf = (type: 'entry' | 'exit') => made.find((document) => document.type === type)?.id ?? null
    note(this.#hands, { kind: 'count', entry: idOf('entry'), exit: idOf('exit'), warehouse, found, missing })
  }
}
