import type { Endpoint } from '#contract/base/wire.ts'
import { months } from '#contract/workshops/months.ts'
import type { Random } from '../../seeds/random.ts'
import type { Member } from '../given.ts'
import type { Answer, Args, House } from '../house.ts'
import { DAY, dayOf, monthBefore, monthOf } from './days.ts'
import { FleetActs } from './generate-fleet.ts'
import { OrderActs } from './generate-orders.ts'
import { PayableActs } from './generate-payables.ts'
import { PurchaseActs } from './generate-purchases.ts'
import { StockActs } from './generate-stock.ts'
import type { Operation, World } from './operations.ts'

/** State of the generator for one company: the choices there are, and everything made so far. */
export interface Hands {
  readonly who: Member
  readonly world: World
  readonly random: Random
  readonly log: Operation[]
  /** Ids of the payments that stand, by what they pay. */
  readonly payments: Map<number, number[]>
  /** Days before this one are closed. */
  closedBefore: string
  call<E extends Endpoint>(endpoint: E, args: Args<E>): Promise<Answer<E>>
}

/** An operation without when and where it happened. */
export type Fact = Operation extends infer O ? (O extends Operation ? Omit<O, 'at' | 'company'> : never) : never
export const note = ({ log, world }: Hands, fact: Fact) =>
  log.push({ ...fact, at: Date.now(), company: world.company } as Operation)

export class Company {
  readonly hands: Hands
  readonly #stock: StockActs
  readonly #orders: OrderActs
  readonly #fleet: FleetActs
  readonly #payables: PayableActs
  readonly #purchases: PurchaseActs
  readonly refusals = new Map<string, number>()
  accepted = 0
  refused = 0

  constructor(house: House, who: Member, world: World, random: Random) {
    this.hands = {
      who,
      world,
      random,
      log: [],
      payments: new Map(),
      closedBefore: '',
      call: async (endpoint, args) => {
        const answer = await house.call(who, endpoint, args)
        if (answer.status >= 500 || answer.status === 403 || answer.status === 404)
          throw new Error(`${endpoint.path}: ${answer.status} ${JSON.stringify([args, answer.body])}`)
        if (endpoint.method !== 'GET') {
          if (answer.status < 300) this.accepted += 1
          else {
            this.refused += 1
            const why = `${endpoint.path} ${JSON.stringify(answer.failure.errors ?? answer.failure.message)}`
            this.refusals.set(why, (this.refusals.get(why) ?? 0) + 1)
          }
        }
        return answer
      },
    }
    this.#stock = new StockActs(this.hands)
    this.#orders = new OrderActs(this.hands)
    this.#fleet = new FleetActs(this.hands)
    this.#payables = new PayableActs(this.hands, this.#orders.noteInvoice)
    this.#purchases = new PurchaseActs(this.hands, this.#stock)
    this.#corrections = new Set([this.#stock.voidClosed, this.#stock.noteClosed, () => this.#orders.serveClosed()])
  }

  /** Fills the shelves and the board, so that what comes next has something to act on. */
  async begin() {
    for (let i = 0; i < 8; i++) await this.#stock.enter()
    for (let i = 0; i < 3; i++) await this.#orders.create()
    // Seldom does a short run change what it has paid.
    const invoice = await this.#orders.firstInvoice()
    await this.#payables.pay(invoice * 2)
    for (let i = 0; i < 3; i++) await this.#orders.noteInvoice(invoice)
    this.accepted = 0
    this.refused = 0
  }

  /** Something random. */
  async act() {
    const { random } = this.hands
    const chance = random.next()
    if (chance < 0.4) await this.#stock.act()
    else if (chance < 0.46) await this.#purchases.act()
    else if (chance < 0.8) await this.#orders.act()
    else if (chance < 0.9) await this.#payables.act()
    else await this.#fleet.act()
  }

  /** Opens the month that was closed last, for a few days. Gives that month. */
  async reopenMonth(): Promise<string | undefined> {
    const { closedBefore, call } = this.hands
    if (closedBefore === '') return undefined
    const [month, through] = [monthBefore(closedBefore), monthBefore(`${monthBefore(closedBefore)}-01`)]
    const { status, failure } = await call(months.closeMonths, { body: { closed_through: through } })
    if (status !== 200) throw new Error(JSON.stringify(failure))
    this.hands.closedBefore = `${month}-01`
    this.#openUntil = Date.now() + 4 * DAY
    note(this.hands, { kind: 'reopen', through })
    return month
  }
  #openUntil = 0

  /** Closes the month before this one once eight days of this one have passed. Gives the month that it closed. */
  async closeMonth(): Promise<string | undefined> {
    const today = dayOf(Date.now())
    if (Number(today.slice(8)) < 8 || Date.now() < this.#openUntil) return undefined
    const through = monthBefore(today)
    const first = `${monthOf(today)}-01`
    if (this.hands.closedBefore === first) return undefined
    this.hands.closedBefore = first
    const { status, failure } = await this.hands.call(months.closeMonths, { body: { closed_through: through } })
    if (status !== 200) throw new Error(JSON.stringify(failure))
    note(this.hands, { kind: 'close', through })
    return through
  }

  /** Voids and notes documents of closed months, and adds to an order of theirs, until each was accepted once. */
  async correctClosedMonth() {
    for (const correct of [...this.#corrections]) if (await correct()) this.#corrections.delete(correct)
  }
  readonly #corrections: Set<() => Promise<boolean>>
}
