import type { Endpoint } from '#contract/base/wire.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import type { NewTransaction } from '#contract/warehouses/transactions.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { Random } from '../seeds/random.ts'
import type { Given, Member } from './given.ts'
import type { Answer, Args } from './house.ts'

/** Everything people do to stock, at random, from many clients at once. */

const PURCHASE = typeNamed('entry', 'purchase')
const RETURN = typeNamed('entry', 'return')
const PROVIDER_RETURN = typeNamed('exit', 'provider_return')

type Send = <E extends Endpoint>(who: Member, endpoint: E, args: Args<E>) => Promise<Answer<E>>

export interface Ground {
  who: Member
  warehouses: number[]
  supplies: number[]
  provider: number
  /** Another workshop, which receives what these send. */
  away: { who: Member; warehouse: number }
}

export async function groundOf(given: Given, size = { warehouses: 3, supplies: 4 }): Promise<Ground> {
  const who = await given.member({ role: 'admin' })
  const there = await given.member({ role: 'admin', company_id: who.company_id })
  const away = { who: there, warehouse: (await given.warehouse(there)).id }
  const ground: Ground = { who, warehouses: [], supplies: [], provider: (await given.provider(who)).id, away }
  for (let i = 0; i < size.warehouses; i++) ground.warehouses.push((await given.warehouse(who)).id)
  for (let i = 0; i < size.supplies; i++) ground.supplies.push((await given.supply(who)).id)
  return ground
}

/** A client that does one thing after another; what it makes, any client may void. */
export class StockClient {
  readonly #random: Random
  readonly #ground: Ground
  readonly #send: Send
  readonly #made: number[]
  readonly statuses = new Map<number, number>()

  constructor(name: string, ground: Ground, made: number[], send: Send) {
    this.#random = new Random(name)
    this.#ground = ground
    this.#made = made
    this.#send = send
  }

  async #call<E extends Endpoint>(endpoint: E, args: Args<E>, who = this.#ground.who): Promise<Answer<E>> {
    const answer = await this.#send(who, endpoint, args)
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1)
    if (answer.status >= 500 || answer.status === 404)
      throw new Error(`${endpoint.path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }

  #quantity = () => (this.#random.chance(0.5) ? this.#random.int(1, 20) : this.#random.int(1, 200_000) / 10_000)
  #cost = () => (this.#random.chance(0.5) ? this.#random.int(0, 50_000) : this.#random.int(1, 500_000_000) / 10_000)
  #warehouse = () => this.#random.pick(this.#ground.warehouses)
  #chosen = () => this.#random.shuffle(this.#ground.supplies).slice(0, this.#random.int(1, 3))
  /** Today, or up to 40 days ago. */
  #date = () =>
    this.#random.chance(0.8)
      ? undefined
      : new Date(Date.now() - this.#random.int(1, 40) * 86_400_000).toISOString().slice(0, 10)

  async act() {
    const chance = this.#random.next()
    if (chance < 0.3) await this.#enter()
    else if (chance < 0.6) await this.#exit()
    else if (chance < 0.68) await this.#goBack()
    else if (chance < 0.72) await this.#note()
    else if (chance < 0.8) await this.#void()
    else if (chance < 0.87) await this.#transfer()
    else if (chance < 0.9) await this.#receive()
    else if (chance < 0.95) await this.#count()
    else await this.#purchase()
  }

  async #record(type: NewTransaction['type'], typeTrasactionId: number) {
    const date = this.#date()
    const { status, body } = await this.#call(warehouses.recordTransaction, {
      body: {
        warehouse_id: this.#warehouse(),
        type,
        transaction: {
          typeTrasactionId,
          ...(date && { date }),
          ...(typeTrasactionId === PURCHASE && { providerId: this.#ground.provider }),
        },
        supplies: this.#chosen().map((supply_id) => ({
          supply_id,
          quantity: this.#quantity(),
          ...(type === 'entry' && { unit_cost: this.#cost() }),
          tax_type: this.#random.pick(['19', '21', 'exempt']),
        })),
      },
    })
    if (status === 201) this.#made.push(body.id)
  }
  #enter = () => this.#record('entry', this.#random.pick([1, 2, 3]))
  #exit = () => this.#record('exit', this.#random.pick([5, 6, 8]))

  /** Part of an exit comes back, or part of a purchase goes back to its provider; now and then dated back. */
  async #goBack() {
    const document = await this.#document()
    if (!document || document.transfer) return
    const date = this.#date()
    const type = document.type === 'exit' ? 'entry' : 'exit'
    const typeTrasactionId = document.type === 'exit' ? RETURN : PROVIDER_RETURN
    const { status, body } = await this.#call(warehouses.recordTransaction, {
      body: {
        warehouse_id: document.warehouse_id,
        type,
        transaction: { typeTrasactionId, returns_id: document.id, ...(date && { date }) },
        supplies: document.supplies.map(({ supply_id, quantity }) => ({
          supply_id,
          quantity: this.#random.chance(0.3) ? quantity : Math.max(1, Math.floor(quantity * 4_000)) / 10_000,
        })),
      },
    })
    if (status === 201) this.#made.push(body.id)
  }

  /** The provider says another price. */
  async #note() {
    const document = await this.#document()
    if (document?.transaction.typeTrasactionId !== PURCHASE) return
    const params = { id: document.id }
    const { status, body } = await this.#call(warehouses.noteTransaction, {
      params,
      body: {
        kind: this.#random.pick(['credit', 'debit'] as const),
        document: `N-${this.#random.int(1, 1_000_000_000)}`,
        date: new Date().toISOString().slice(0, 10),
        amount: this.#random.int(1, 50_000),
      },
    })
    if (status === 201) this.#made.push(body.id)
  }

  async #document() {
    if (this.#made.length === 0) return undefined
    return (await this.#call(warehouses.getTransaction, { params: { id: this.#random.pick(this.#made) } })).body
  }

  async #void() {
    const id = this.#made.length > 0 && this.#random.pick(this.#made)
    if (id) await this.#call(purchasing.voidTransaction, { params: { id }, body: {} })
  }

  async #transfer() {
    const [warehouse_id, other] = this.#random.shuffle(this.#ground.warehouses)
    const to_warehouse_id = this.#random.chance(0.5) ? this.#ground.away.warehouse : other
    const supplies = this.#chosen().map((supply_id) => ({ supply_id, quantity: this.#quantity() }))
    const { status, body } = await this.#call(warehouses.transfer, {
      body: { warehouse_id, to_warehouse_id, supplies },
    })
    if (status === 201) this.#made.push(body.exit.id)
  }

  /** In the other workshop: all of it or less, and now and then undone. */
  async #receive() {
    const { who } = this.#ground.away
    const query = { per_page: 5, filter: { State: ['sent' as const] } }
    const sent = (await this.#call(warehouses.listTransfers, { query }, who)).body.data
    if (sent.length === 0) return
    const params = { id: this.#random.pick(sent).id }
    const { supplies } = (await this.#call(warehouses.getTransfer, { params }, who)).body
    const lines = supplies.map(({ supply_id, quantity }) => ({
      supply_id,
      received: this.#random.chance(0.7) ? quantity : Math.floor(quantity * 5_000) / 10_000,
      reason: 'Faltó',
    }))
    const { status, body } = await this.#call(warehouses.receiveTransfer, { params, body: { supplies: lines } }, who)
    if (status === 200 && body.receipt_id && this.#random.chance(0.3))
      await this.#call(purchasing.voidTransaction, { params: { id: body.receipt_id }, body: {} }, who)
  }

  async #count() {
    const { status, body } = await this.#call(warehouses.createCount, { body: { warehouse_id: this.#warehouse() } })
    if (status !== 201) return
    const params = { id: body.id }
    const lines = body.lines.map(({ supply_id, expected }) => ({
      supply_id,
      counted: this.#random.chance(0.3) ? this.#quantity() : expected,
    }))
    await this.#call(warehouses.saveCount, { params, body: { lines } })
    await this.#call(warehouses.applyCount, { params })
  }

  async #purchase() {
    const supplies = this.#chosen().map((supply_id) => ({
      supply_id,
      quantity: this.#quantity(),
      unit_cost: this.#cost(),
    }))
    const body = { warehouse_id: this.#warehouse(), provider_id: this.#ground.provider, supplies }
    const { body: order } = await this.#call(purchasing.createPurchaseOrder, { body })
    const params = { id: order.id }
    await this.#call(purchasing.updatePurchaseStatus, { params, body: { status: 'approved' } })
    const part = supplies.slice(0, this.#random.int(1, supplies.length))
    const receipt = await this.#call(purchasing.receivePurchaseOrder, {
      params,
      body: { transaction: {}, supplies: part },
    })
    if (receipt.status === 201) this.#made.push(receipt.body.transaction.id)
  }
}

/** Runs `count` operations, shared out among the clients. */
export async function runAtOnce(clients: StockClient[], count: number) {
  let left = count
  await Promise.all(
    clients.map(async (client) => {
      while (left-- > 0) await client.act()
    }),
  )
}
