import { fleet } from '#contract/fleet/fleet.ts'
import { rosters } from '#contract/workshops/rosters.ts'
import { addDays, beginOf, DAY, dayOf } from './days.ts'
import { type Hands, note } from './generate.ts'

/* Random people of the fleet: meters, workshops and centres of trucks, and what an hour of work costs. */

export class FleetActs {
  readonly #hands: Hands
  readonly #readings: { id: number; taken: number }[] = []
  readonly #driven = new Set<number>()
  readonly #homes = new Map<number, number>()
  readonly #rates = new Map<number, { from_day: string; amount: number }[]>()

  constructor(hands: Hands) {
    this.#hands = hands
  }

  async act() {
    const chance = this.#hands.random.next()
    if (chance < 0.5) await this.#read()
    else if (chance < 0.6) await this.#voidReading()
    else if (chance < 0.8) await this.#move()
    else if (chance < 0.9) await this.#changeCentre()
    else await this.#changeRate()
  }

  /** Mostly a little more than before; now and then late, or a slip that the next one takes back. */
  async #read() {
    const { random, world, closedBefore } = this.#hands
    const { id } = random.pick(world.trucks)
    const { mileage } = (await this.#hands.call(fleet.getTruck, { params: { id } })).body
    const late = random.chance(0.25) ? Date.now() - random.int(1, 10) * DAY : null
    const taken = late !== null && late > (closedBefore ? beginOf(closedBefore) : 0) ? Math.floor(late) : null
    const km = Math.max(0, mileage! + (random.chance(0.1) ? -random.int(1, 300) : random.int(0, 800)))
    const { status, body } = await this.#hands.call(fleet.recordReading, {
      params: { id },
      body: { km, confirm_lower: true, ...(taken !== null && { date: new Date(taken).toISOString() }) },
    })
    if (status !== 201) return
    const at = Date.parse(body.date)
    if (taken !== null && at !== taken) throw new Error('A reading was dated otherwise than it was sent')
    note(this.#hands, { kind: 'reading', id: body.id, truck: id, km, taken: at, order: null })
    this.#readings.push({ id: body.id, taken: at })
    if (km > mileage!) this.#driven.add(id)
  }

  async #voidReading() {
    const { random } = this.#hands
    if (this.#readings.length === 0) return
    const reading = random.pick(this.#readings)
    const { status } = await this.#hands.call(fleet.voidReading, { params: { id: reading.id } })
    if (status !== 200) return
    note(this.#hands, { kind: 'void-reading', id: reading.id })
    this.#readings.splice(this.#readings.indexOf(reading), 1)
  }

  async #move() {
    const { random, world } = this.#hands
    // Only a truck that was driven shows where its kilometres count.
    const driven = world.trucks.filter((truck) => this.#driven.has(truck.id))
    if (driven.length === 0) return
    const { id, workshop } = random.pick(driven)
    const home = this.#homes.get(id) ?? workshop
    const others = world.workshops.filter((one) => one !== home)
    const workshop_id = others.length > 0 ? random.pick(others) : home
    const { status } = await this.#hands.call(fleet.updateTruck, {
      params: { id },
      body: { workshop_id },
    })
    if (status !== 200) return
    note(this.#hands, { kind: 'home', truck: id, workshop: workshop_id })
    this.#homes.set(id, workshop_id)
  }

  async #changeCentre() {
    const { random, world } = this.#hands
    const truck = random.pick(world.trucks)
    const { body } = await this.#hands.call(fleet.getTruck, { params: { id: truck.id } })
    const centre = random.pick(world.centres)
    if (centre === body.cost_center_id) return
    const today = dayOf(Date.now())
    const from = random.chance(0.5) ? today : addDays(today, -random.int(1, 5))
    const { status } = await this.#hands.call(fleet.updateTruck, {
      params: { id: truck.id },
      body: { cost_center_id: centre, cost_center_from: from },
    })
    if (status === 200) note(this.#hands, { kind: 'centre', truck: truck.id, centre, from })
  }

  async #changeRate() {
    const { random, world } = this.#hands
    const { id } = random.pick(world.specialists)
    const today = dayOf(Date.now())
    const from = addDays(today, -random.int(0, 20))
    const amount = random.int(3000, 12_000)
    const others = (this.#rates.get(id) ?? []).filter(({ from_day }) => from_day !== from)
    const hourly_costs = [...others, { from_day: from, amount }]
    const { status } = await this.#hands.call(rosters.updateHourlyCosts, { params: { id }, body: { hourly_costs } })
    if (status !== 200) return
    this.#rates.set(id, hourly_costs)
    note(this.#hands, { kind: 'rate', specialist: id, from, amount })
  }
}
