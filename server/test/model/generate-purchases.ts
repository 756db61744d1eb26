import { type PurchaseOrder, purchasing } from '#contract/purchasing/purchasing.ts'
import { dayOf } from './days.ts'
import { type Hands, note } from './generate.ts'
import type { StockActs } from './generate-stock.ts'

/* Random people who order from providers, and receive what they ordered: all of it, some, or more at another price. */

export class PurchaseActs {
  readonly #hands: Hands
  readonly #stock: StockActs
  readonly #orders: PurchaseOrder[] = []

  constructor(hands: Hands, stock: StockActs) {
    this.#hands = hands
    this.#stock = stock
  }

  async act() {
    const { random } = this.#hands
    const some = this.#orders.length > 0 ? random.pick(this.#orders) : undefined
    const chance = random.next()
    if (chance < 0.35 || !some) await this.#create()
    else if (chance < 0.85) await this.#receive(some.id)
    else await this.#move(some.id, random.pick(['cancelled', 'closed'] as const))
  }

  async #create() {
    const { random, world, call } = this.#hands
    const { id: warehouse, workshop } = random.pick(world.warehouses)
    const there = world.supplies.filter((supply) => supply.workshop === workshop)
    const lines = random
      .shuffle(there)
      .slice(0, random.int(1, 3))
      .map(({ id }) => ({ supply: id, quantity: random.int(1, 20), unit_cost: random.int(1, 50_000) }))
    const { status, body } = await call(purchasing.createPurchaseOrder, {
      body: {
        warehouse_id: warehouse,
        provider_id: random.pick(world.services.filter((service) => service.workshop === workshop)).provider,
        supplies: lines.map(({ supply, ...line }) => ({ supply_id: supply, ...line })),
      },
    })
    if (status !== 201) return
    note(this.#hands, { kind: 'purchase-order', id: body.id, lines })
    this.#orders.push(body)
    if (random.chance(0.9)) await this.#move(body.id, 'approved')
  }

  async #move(id: number, to: 'approved' | 'cancelled' | 'closed') {
    const { status } = await this.#hands.call(purchasing.updatePurchaseStatus, {
      params: { id },
      body: { status: to, reason: 'No llegará' },
    })
    if (status === 200) note(this.#hands, { kind: 'purchase-status', id, status: to })
  }

  async #receive(id: number) {
    const { random, call } = this.#hands
    const order = (await call(purchasing.getPurchaseOrder, { params: { id } })).body
    const outstanding = order.supplies.filter((line) => line.outstanding > 0)
    if (outstanding.length === 0) return
    const lines = outstanding.map(({ supply_id, outstanding: most, unit_cost }) => ({
      supply: supply_id,
      quantity: random.chance(0.5) ? most : random.chance(0.8) ? Math.ceil(most * 5_000) / 10_000 : most + 1,
      unit_cost: random.chance(0.7) ? unit_cost : unit_cost + random.int(1, 100),
      tax: random.pick(['19', '21', 'exempt'] as const),
    }))
    const date = dayOf(Date.now())
    const cash = random.chance(0.3)
    const { status, body } = await call(purchasing.receivePurchaseOrder, {
      params: { id },
      body: {
        confirmed: true,
        transaction: {
          typeInvoice: 'bill',
          document: this.#stock.nextPaper(),
          payment_type: cash ? 'Cash' : 'Credit',
          date,
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
    const { id: entry } = body.transaction
    const { warehouse_id: warehouse, provider_id: provider } = order
    note(this.#hands, { kind: 'entry', id: entry, warehouse, provider, date, bought: true, cash, lines })
    note(this.#hands, { kind: 'receipt', order: id, entry })
    this.#stock.file({ id: entry, warehouse, date, kind: 'entry', isPurchase: true, lines })
  }
}
