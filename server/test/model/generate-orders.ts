import { fleet } from '#contract/fleet/fleet.ts'
import { type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { DAY, dayOf } from './days.ts'
import { type Hands, note } from './generate.ts'
import { InvoiceActs } from './generate-invoices.ts'
import { requireRefused } from './generate-payables.ts'
import type { Line } from './operations.ts'

/* Random people around work orders: what an order takes, who works on it, what its providers charge. */

export interface Made {
  id: number
  workshop: number
  supplies: Line[]
  services: { id?: number; service: number; provider: number; quantity: number; price: number }[]
  works: number[]
  /** Providers whose paper it has. */
  invoiced: Set<number>
  /** The first day of a line or of labour. */
  created: string
}

export class OrderActs {
  readonly #hands: Hands
  readonly #orders: Made[] = []
  readonly #invoices: InvoiceActs

  constructor(hands: Hands) {
    this.#hands = hands
    this.#invoices = new InvoiceActs(hands, this.#orders)
  }

  noteInvoice = (id: number) => this.#invoices.noteOne(id)
  /** Creates orders until one of them has an invoice, and gives its id. */
  async firstInvoice(): Promise<number> {
    while (this.#invoices.first === undefined) {
      await this.create()
      await this.#invoices.create()
    }
    return this.#invoices.first
  }

  get #random() {
    return this.#hands.random
  }

  async act() {
    const chance = this.#random.next()
    if (chance < 0.22 || this.#orders.length === 0) await this.create()
    else if (chance < 0.44) await this.#edit()
    else if (chance < 0.57) await this.#work()
    else if (chance < 0.62) await this.#correctTime()
    else if (chance < 0.76) await this.#move()
    else if (chance < 0.8) await this.#delete()
    else await this.#invoices.act()
  }

  #suppliesOf = (workshop: number) => this.#hands.world.supplies.filter((supply) => supply.workshop === workshop)
  #some = (workshop: number): Line[] =>
    this.#random
      .shuffle(this.#suppliesOf(workshop))
      .slice(0, this.#random.int(0, 2))
      .map(({ id }) => ({
        supply: id,
        quantity: this.#random.chance(0.5) ? this.#random.int(1, 4) : this.#random.int(1, 30_000) / 10_000,
      }))
  #served(workshop: number) {
    const there = this.#hands.world.services.filter((service) => service.workshop === workshop)
    return this.#random
      .shuffle(there)
      .slice(0, this.#random.int(0, 2))
      .map(({ id, provider, price }) => ({
        service: id,
        provider,
        quantity: this.#random.int(1, 30_000) / 10_000,
        price: this.#random.chance(0.5) ? price : this.#random.int(1, 90_000_000) / 10_000,
      }))
  }
  #bodyOf = ({ supplies, services }: Pick<Made, 'supplies' | 'services'>) => ({
    supplies: supplies.map(({ supply, quantity }) => ({ supply_id: supply, count: quantity })),
    services: services.map(({ id, service, quantity, price }) => ({
      ...(id !== undefined && { id }),
      service_id: service,
      quantity,
      unit_price: price,
    })),
  })

  async create() {
    const { world, closedBefore } = this.#hands
    const workshop = this.#random.pick(world.workshops)
    const warehouse = this.#random.pick(world.warehouses.filter((one) => one.workshop === workshop)).id
    const { id: truck } = this.#random.pick(world.trucks.filter((one) => one.workshop === workshop))
    const [supplies, services] = [this.#some(workshop), this.#served(workshop)]
    const planned = this.#random.chance(0.4)
    const back = Date.now() - this.#random.int(1, 4) * DAY
    const isEntered = this.#random.chance(0.6) && dayOf(back) >= closedBefore
    const specialist = this.#random.pick(world.specialists.filter((one) => one.workshop === workshop)).id
    const works = Array.from({ length: this.#random.int(0, 2) }, (_, i) => ({
      description: `Trabajo ${i}`,
      specialist_id: specialist,
      hours: this.#random.chance(0.6) ? this.#random.int(1, 900) / 100 : null,
    }))
    const kilometer = this.#random.chance(0.3) ? await this.#kilometer(truck) : null
    const { status, body } = await this.#hands.call(workOrders.createWorkOrder, {
      body: {
        workshop_id: workshop,
        truck_id: truck,
        has_warehouse: true,
        warehouse_id: warehouse,
        planned,
        request: 'Revisar',
        works,
        confirm_lower: true,
        ...this.#bodyOf({ supplies, services }),
        ...(kilometer !== null && { kilometer }),
        ...(isEntered && { workshop_entry_at: new Date(back).toISOString(), status: 'IN_PROCESS' as const }),
      },
    })
    if (status !== 201) return
    const made: Made = {
      id: body.id,
      workshop,
      supplies,
      services,
      works: [],
      invoiced: new Set(),
      created: dayOf(Date.now()),
    }
    this.#orders.push(made)
    const entered = isEntered ? Math.floor(back) : null
    note(this.#hands, { kind: 'order', id: body.id, workshop, truck, warehouse, entered, planned })
    this.#noteOrder(made, body)
    if (kilometer !== null) {
      const taken = entered ?? Date.parse(body.created_at)
      note(this.#hands, { kind: 'reading', id: -body.id, truck, km: kilometer, taken, order: body.id })
    }
  }

  /** One more service of a provider whose invoice is of a closed month. True if it was accepted. */
  async serveClosed() {
    const [order, provider] = this.#invoices.someClosed() ?? []
    if (!order) return false
    const { id, price } = this.#hands.world.services.find((service) => service.provider === provider)!
    const more = { service: id, provider: provider!, quantity: this.#random.int(1, 30_000) / 10_000, price }
    return this.#save(order, { supplies: order.supplies, services: [...order.services, more] })
  }

  /** A little more than the meter showed, or a slip. */
  async #kilometer(id: number) {
    if (this.#random.chance(0.1)) return this.#random.int(10_000, 60_000)
    const { mileage } = (await this.#hands.call(fleet.getTruck, { params: { id } })).body
    return mileage! + this.#random.int(0, 800)
  }

  /** Facts that only the answer knows: ids, and instants of clocks. */
  #noteOrder(made: Made, body: WorkOrder) {
    const ids = new Map(body.supplies.map((line) => [line.supply_id, line.id]))
    note(this.#hands, { kind: 'supplies', order: made.id, lines: made.supplies, ids })
    const known = new Set(made.services.flatMap(({ id }) => id ?? []))
    const fresh = body.services.filter(({ id }) => !known.has(id))
    made.services = made.services.map((line) => {
      if (line.id !== undefined) return line
      const at = fresh.findIndex((one) => one.service_id === line.service)
      return { ...line, id: fresh.splice(at, 1)[0]!.id }
    })
    const services = made.services.map((line) => ({ ...line, id: line.id! }))
    note(this.#hands, { kind: 'services', order: made.id, lines: services })
    made.works = body.works.map(({ id }) => id)
    this.#noteWorks(body)
    const at = (moment: string | null) => (moment === null ? null : Date.parse(moment))
    const [from, to] = [at(body.workshop_entry_at), at(body.workshop_departure_at ?? body.finalized_at)]
    note(this.#hands, { kind: 'stay', order: made.id, from, to })
  }
  #noteWorks(body: WorkOrder) {
    note(this.#hands, {
      kind: 'works',
      order: body.id,
      works: body.works.map(({ id, specialist_id, hours, state, times }) => ({
        id,
        specialist: specialist_id,
        hours,
        done: state === 'done',
        times: times.map((time) => ({
          id: time.id,
          specialist: time.specialist_id,
          from: Date.parse(time.from_at),
          until: time.until_at === null ? null : Date.parse(time.until_at),
        })),
      })),
    })
  }
  #read = async (id: number) => (await this.#hands.call(workOrders.getWorkOrder, { params: { id } })).body

  /** Takes more or less of what is there, or something else; services that have a paper change too. */
  async #edit() {
    const order = this.#random.pick(this.#orders)
    const stays = order.supplies
      .filter(() => this.#random.chance(0.85))
      .map((line) => (this.#random.chance(0.5) ? { ...line, quantity: this.#random.int(1, 60_000) / 10_000 } : line))
    const there = new Set(stays.map(({ supply }) => supply))
    const supplies = [...stays, ...this.#some(order.workshop).filter(({ supply }) => !there.has(supply))]
    const services = this.#random.chance(0.5)
      ? order.services
      : [
          ...order.services
            .filter(() => this.#random.chance(0.9))
            .map((line) =>
              this.#random.chance(0.3) ? { ...line, quantity: this.#random.int(1, 30_000) / 10_000 } : line,
            ),
          ...this.#served(order.workshop),
        ]
    await this.#save(order, { supplies, services })
  }

  async #save(order: Made, { supplies, services }: Pick<Made, 'supplies' | 'services'>) {
    const before = order.services
    const { status, body } = await this.#hands.call(workOrders.updateWorkOrder, {
      params: { id: order.id },
      body: this.#bodyOf({ supplies, services }),
    })
    if (status !== 200) {
      order.services = before
      return false
    }
    Object.assign(order, { supplies, services })
    this.#noteOrder(order, body)
    return true
  }

  async #work() {
    const order = this.#random.pick(this.#orders)
    if (order.works.length === 0) return
    const params = { id: this.#random.pick(order.works) }
    const action = this.#random.pick(['start', 'pause', 'finish', 'finish', 'reopen'] as const)
    const { status } = await this.#hands.call(workOrderParts.progressWork, {
      params,
      body: { action, confirm_switch: true },
    })
    if (status !== 200) return
    // A mechanic who starts a work leaves another one paused, maybe of another order.
    for (const each of this.#orders) {
      if (each.works.length === 0 || (each !== order && action !== 'start')) continue
      if (each === order) this.#noteOrder(each, await this.#read(each.id))
      else if (this.#running.has(each.id)) this.#noteWorks(await this.#read(each.id))
    }
    if (action === 'start') this.#running.add(order.id)
  }
  readonly #running = new Set<number>()

  /** Somebody forgot to press, or pressed too late. */
  async #correctTime() {
    const order = this.#random.pick(this.#orders)
    const { works } = await this.#read(order.id)
    const times = works.flatMap((work) => work.times)
    if (times.length === 0) return
    const { id, from_at } = this.#random.pick(times)
    const params = { id }
    const from = Date.parse(from_at) - this.#random.int(-30, 90) * 60_000
    const until = new Date(from + this.#random.int(1, 600) * 60_000).toISOString()
    const { status } = this.#random.chance(0.8)
      ? await this.#hands.call(workOrderParts.updateWorkTime, {
          params,
          body: { from_at: new Date(from).toISOString(), until_at: until },
        })
      : await this.#hands.call(workOrderParts.deleteWorkTime, { params })
    if (status < 300) this.#noteOrder(order, await this.#read(order.id))
  }

  async #move() {
    const order = this.#random.pick(this.#orders)
    const status = this.#random.pick(['IN_REVIEW', 'IN_PROCESS', 'FINALIZED', 'FINALIZED'] as const)
    const moved = await this.#hands.call(workOrders.updateWorkOrder, { params: { id: order.id }, body: { status } })
    if (moved.status === 200) this.#noteOrder(order, moved.body)
  }

  /** Only orders that say nothing of a closed month. */
  async #delete() {
    const order = this.#random.pick(this.#orders)
    if (order.created < this.#hands.closedBefore) return
    const { status } = await this.#hands.call(workOrders.deleteWorkOrder, { params: { id: order.id } })
    requireRefused(this.#hands, this.#invoices.ofOrder(order), status)
    if (status !== 204) return
    this.#invoices.forget(order)
    note(this.#hands, { kind: 'delete-order', order: order.id })
    this.#orders.splice(this.#orders.indexOf(order), 1)
  }
}
